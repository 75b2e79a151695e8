//! Variants: a game's options under a name, in versions, so that a table knows by what rules it plays.
//!
//! A version is a draft until it is published; then, or once a match was played by it, it never changes. `difference` tells
//! two versions apart.

pub mod difference;
pub mod store;

use diesel::result::{DatabaseErrorInformation, Error as DieselError, QueryResult};
use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{Kind, VariantHash, catalogue};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, Identity, Permission, StaffContext, can, holds};
use base::db::{OnConstraint, violates};
use base::error::{Result, conflict, internal, not_found, unprocessable};
use base::games::shapes::GameOptions;
use base::games::{self, complete_options};
pub use base::ids::VariantId;
use base::inputs::given;
use base::inputs::{refuse_field, tidy_text};
pub use difference::ChangedOption;
pub use difference::difference;
use store::{Changes, NewVariant, NewVersion};
pub use store::{VariantRow, VersionRow};

/// Nobody writes so many by hand.
const MOST_VERSIONS: i32 = 1000;

base::text_enum! {
    /// Where a variant is in its life.
    pub enum VariantStatus {
        /// No version of it was published; staff see it.
        Draft = "draft",
        Published = "published",
        /// No new match is made by it.
        Retired = "retired",
    }
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60)]
pub struct VariantName(pub String);

/// One paragraph of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 500)]
pub struct Description(pub String);

impl<'de> Deserialize<'de> for VariantName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, 60).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

impl<'de> Deserialize<'de> for Description {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        tidy_text(&text, 500).map(Self).map_err(|refusal| refuse_field(&refusal))
    }
}

/// A new variant: a draft, with version 1.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantRequest {
    #[schema(example = "perudo")]
    pub game: String,
    #[schema(example = "Sailors' Perudo")]
    pub name: VariantName,
    pub description: Option<Description>,
    /// The rule switches; those left out keep their defaults.
    #[schema(value_type = Option<GameOptions>)]
    pub options: Option<Value>,
}

/// Changes of a variant; what is left out stays as it is.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VariantChange {
    pub name: Option<VariantName>,
    /// `null` for none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Description>)]
    pub description: Option<Option<Description>>,
    /// All rule switches of the latest version. They can change only while it is a draft that nobody has played.
    #[schema(value_type = Option<GameOptions>)]
    pub options: Option<Value>,
}

impl VariantChange {
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.description.is_none() && self.options.is_none()
    }
}

/// The next version of a variant: a draft.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionRequest {
    /// The rule switches; those left out have the game's defaults, not the values of the version before.
    #[schema(value_type = GameOptions)]
    pub options: Value,
}

/// Drafts a variant.
pub async fn create(cx: &mut StaffContext<'_, can::ManageVariants>, request: &VariantRequest) -> Result<VariantId> {
    let (conn, actor) = cx.parts().await?;
    create_as(conn, actor, request).await
}

/// The same for tools at the console, in the caller's transaction.
pub async fn create_as(conn: &mut AsyncPgConnection, actor: Actor<'_>, request: &VariantRequest) -> Result<VariantId> {
    let kind = catalogue::find(&request.game)
        .ok_or_else(|| unprocessable("unknown_game").with_field("/game", "unknown_value"))?;
    let content = Content::of(kind, request.options.as_ref())?;
    let id = VariantId(actor.world.uuid());
    conn.transaction(async |conn| {
        let new = NewVariant {
            id,
            game: kind.info().id,
            name: &request.name.0,
            description: request.description.as_ref().map(|it| it.0.as_str()),
            created_by: actor.staff.id,
            created_at: actor.world.now().into(),
        };
        expect_free(store::insert(conn, &new).await)?;
        store::insert_version(conn, &content.version(id, 1, actor)).await?;
        let details = json!({ "game": request.game, "name": request.name.0, "options": content.options });
        record(conn, actor, "variant.create", id, details).await
    })
    .await?;
    Ok(id)
}

pub async fn change(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: VariantId,
    change: &VariantChange,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    change_as(conn, actor, id, change).await
}

/// What staff had before them when they wrote a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Basis {
    pub name: String,
    pub description: Option<String>,
    /// Of the latest version.
    pub number: i32,
    pub variant_hash: Vec<u8>,
}

impl Basis {
    pub fn of(variant: &VariantRow, latest: &VersionRow) -> Self {
        Self {
            name: variant.name.clone(),
            description: variant.description.clone(),
            number: latest.number,
            variant_hash: latest.variant_hash.clone(),
        }
    }
}

/// Changes a variant and adds a version with these options, if it has one, unless somebody else has changed the variant
/// meanwhile.
pub async fn save(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: VariantId,
    basis: &Basis,
    change: &VariantChange,
    next: Option<&Value>,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| {
        let variant = lock(conn, id).await?;
        let Latest { version, .. } = latest(conn, id).await?;
        if Basis::of(&variant, &version) != *basis {
            return Err(conflict("variant_changed"));
        }
        if !change.is_empty() {
            change_as(conn, actor, id, change).await?;
        }
        if let Some(options) = next {
            add_version_as(conn, actor, id, options).await?;
        }
        Ok(())
    })
    .await
}

async fn change_as(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: VariantId,
    change: &VariantChange,
) -> Result<()> {
    conn.transaction(async |conn| {
        let before = lock(conn, id).await?;
        let changes = Changes {
            name: change.name.as_ref().map(|it| it.0.as_str()),
            description: change.description.as_ref().map(|it| it.as_ref().map(|it| it.0.as_str())),
        };
        // Diesel refuses an update that sets nothing.
        if change.name.is_some() || change.description.is_some() {
            expect_free(store::update(conn, id, &changes).await)?;
        }
        let mut details = json!({ "name": [before.name, changes.name], "description": changes.description });
        if let Some(options) = &change.options {
            let content = Content::of(games::kind(&before.game)?, Some(options))?;
            let Latest { version, played } = latest(conn, id).await?;
            if played || version.published_at.is_some() {
                return Err(conflict("version_is_final"));
            }
            // Somebody may try the draft out just now: then the database keeps it as it is.
            let changed = store::update_version(conn, &content.version(id, version.number, actor)).await;
            changed.map_err(|err| if is_restricted(&err) { conflict("version_is_final") } else { err.into() })?;
            details["version"] = version.number.into();
            details["options"] = json!([version.options, content.options]);
        }
        record(conn, actor, "variant.change", id, details).await
    })
    .await
}

/// Adds a version, as a draft. Gives its number.
pub async fn add_version(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: VariantId,
    options: &Value,
) -> Result<i32> {
    let (conn, actor) = cx.parts().await?;
    add_version_as(conn, actor, id, options).await
}

/// The same for tools at the console, in the caller's transaction.
pub async fn add_version_as(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: VariantId,
    options: &Value,
) -> Result<i32> {
    conn.transaction(async |conn| {
        let variant = lock(conn, id).await?;
        let content = Content::of(games::kind(&variant.game)?, Some(options))?;
        let Latest { version, .. } = latest(conn, id).await?;
        if version.variant_hash == content.hash.0 {
            return Err(conflict("version_unchanged"));
        }
        if version.number >= MOST_VERSIONS {
            return Err(conflict("too_many_versions"));
        }
        let number = version.number + 1;
        store::insert_version(conn, &content.version(id, number, actor)).await?;
        let details = json!({ "version": number, "options": content.options });
        record(conn, actor, "variant.version", id, details).await?;
        Ok(number)
    })
    .await
}

/// Publishes the latest version, and takes a retired variant back. Asking again changes nothing. Staff who have looked at it
/// publish nothing else.
pub async fn publish(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: VariantId,
    seen: Option<&Basis>,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    publish_as(conn, actor, id, seen).await
}

/// The same for tools at the console, in the caller's transaction.
pub async fn publish_as(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    id: VariantId,
    seen: Option<&Basis>,
) -> Result<()> {
    conn.transaction(async |conn| {
        let variant = lock(conn, id).await?;
        let Latest { version, .. } = latest(conn, id).await?;
        if seen.is_some_and(|seen| Basis::of(&variant, &version) != *seen) {
            return Err(conflict("variant_changed"));
        }
        if variant.status == VariantStatus::Published && version.published_at.is_some() {
            return Ok(());
        }
        let content = Content::of(games::kind(&variant.game)?, Some(&version.options));
        if !content.is_ok_and(|content| version.variant_hash == content.hash.0) {
            return Err(conflict("variant_outdated"));
        }
        if version.published_at.is_none() {
            store::publish_version(conn, id, version.number, actor.world.now()).await?;
        }
        expect_free(store::set_status(conn, id, VariantStatus::Published).await)?;
        record(conn, actor, "variant.publish", id, json!({ "version": version.number })).await
    })
    .await
}

/// No new match is made by it from now on. Asking again changes nothing.
pub async fn retire(cx: &mut StaffContext<'_, can::ManageVariants>, id: VariantId) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    retire_as(conn, actor, id).await
}

/// The same for tools at the console, in the caller's transaction.
pub async fn retire_as(conn: &mut AsyncPgConnection, actor: Actor<'_>, id: VariantId) -> Result<()> {
    conn.transaction(async |conn| {
        let variant = lock(conn, id).await?;
        if variant.status == VariantStatus::Retired {
            return Ok(());
        }
        store::set_status(conn, id, VariantStatus::Retired).await?;
        record(conn, actor, "variant.retire", id, json!({ "name": variant.name })).await
    })
    .await
}

/// The variant and one version of it: this one, else the latest that was published, else for staff the latest of all.
/// Nobody but staff learns of what was never published.
pub async fn find(
    conn: &mut AsyncPgConnection,
    caller: Option<&Identity>,
    id: VariantId,
    number: Option<i64>,
) -> Result<Option<(VariantRow, VersionRow)>> {
    let Some(variant) = store::find(conn, id).await? else { return Ok(None) };
    let version = match number.map(i32::try_from) {
        Some(Ok(number)) => store::find_version(conn, id, number).await?,
        Some(Err(_)) => None,
        None => {
            let latest = store::list_latest(conn, &[id]).await?.into_iter().map(|(version, _)| version);
            latest.max_by_key(|version| (version.published_at.is_some(), version.number))
        }
    };
    Ok(match version {
        Some(version) if version.published_at.is_some() || sees_drafts(conn, caller).await? => Some((variant, version)),
        _ => None,
    })
}

/// The same of a variant that must be there.
pub async fn expect(
    conn: &mut AsyncPgConnection,
    caller: Option<&Identity>,
    id: VariantId,
    number: Option<i64>,
) -> Result<(VariantRow, VersionRow)> {
    find(conn, caller, id, number).await?.ok_or_else(|| not_found("variant_not_found"))
}

/// The variants that were published at some time, the latest first: for staff to choose one from.
pub async fn list_played(conn: &mut AsyncPgConnection, limit: i64) -> Result<Vec<VariantRow>> {
    let mut variants = store::list(conn, &store::Filter::default(), limit).await?;
    variants.retain(|it| it.status != VariantStatus::Draft);
    Ok(variants)
}

/// The variant with its latest version, draft or not: what staff try out.
pub async fn latest_of(conn: &mut AsyncPgConnection, id: VariantId) -> Result<(VariantRow, VersionRow)> {
    let variant = store::find(conn, id).await?.ok_or_else(|| not_found("variant_not_found"))?;
    let Latest { version, .. } = latest(conn, id).await?;
    Ok((variant, version))
}

/// The version by which a match is to be made, if a variant was named. It has its own options.
pub async fn chosen(
    conn: &mut AsyncPgConnection,
    player: &Identity,
    game: &str,
    id: Option<VariantId>,
    number: Option<i64>,
    has_options: bool,
) -> Result<Option<VersionRow>> {
    let Some(id) = id else {
        return match number {
            Some(_) => Err(unprocessable("unknown_variant").with_field("/variant_id", "missing_field")),
            None => Ok(None),
        };
    };
    if has_options {
        return Err(unprocessable("options_of_variant").with_field("/options", "invalid"));
    }
    to_play(conn, player, game, id, number).await.map(Some)
}

/// The version of a variant of this game by which a match is made.
pub async fn to_play(
    conn: &mut AsyncPgConnection,
    player: &Identity,
    game: &str,
    id: VariantId,
    number: Option<i64>,
) -> Result<VersionRow> {
    let found = find(conn, Some(player), id, number).await?.filter(|(variant, _)| variant.game == game);
    let (variant, version) =
        found.ok_or_else(|| unprocessable("unknown_variant").with_field("/variant_id", "unknown_value"))?;
    match variant.status {
        VariantStatus::Draft | VariantStatus::Published => Ok(version),
        VariantStatus::Retired => Err(conflict("variant_retired")),
    }
}

/// What these variants are called.
pub async fn list_names(conn: &mut AsyncPgConnection, ids: &[VariantId]) -> Result<Vec<(VariantId, String)>> {
    Ok(store::list_names(conn, ids).await?)
}

/// Those whose name holds this, the latest first.
pub async fn search(conn: &mut AsyncPgConnection, text: &str, limit: i64) -> Result<Vec<VariantRow>> {
    Ok(store::search(conn, text, limit).await?)
}

/// The latest that new matches can be made by, of this game if one is named.
pub async fn list_published(conn: &mut AsyncPgConnection, game: Option<&str>, limit: i64) -> Result<Vec<VariantRow>> {
    let filter = store::Filter { status: Some(VariantStatus::Published), game, before: None };
    Ok(store::list(conn, &filter, limit).await?)
}

/// How many there are of them, by game.
pub async fn count_published(conn: &mut AsyncPgConnection) -> Result<Vec<(String, i64)>> {
    Ok(store::count(conn, VariantStatus::Published).await?)
}

/// Whether this caller may know of what was never published.
pub async fn sees_drafts(conn: &mut AsyncPgConnection, caller: Option<&Identity>) -> Result<bool> {
    match caller {
        Some(player) => holds(conn, player, Permission::ManageVariants).await,
        None => Ok(false),
    }
}

/// What a version says.
pub struct Content {
    pub revision: i32,
    pub options: Value,
    pub hash: VariantHash,
}

impl Content {
    /// The options must do for at least one number of seats.
    pub fn of(kind: &dyn Kind, given: Option<&Value>) -> Result<Self> {
        let info = kind.info();
        let mut completed = info.seats.map(|seats| complete_options(kind, given, seats));
        let first = completed.next().ok_or_else(|| internal(anyhow::anyhow!("{} is for nobody", info.id)))?;
        let options = first.or_else(|refusal| completed.find_map(Result::ok).ok_or(refusal))?;
        let hash = VariantHash::of(info.id, info.revision, &options);
        Ok(Self { revision: i32::try_from(info.revision).map_err(internal)?, options, hash })
    }

    fn version(&self, variant_id: VariantId, number: i32, actor: Actor<'_>) -> NewVersion<'_> {
        NewVersion {
            variant_id,
            number,
            revision: self.revision,
            options: &self.options,
            variant_hash: &self.hash.0,
            created_by: actor.staff.id,
            created_at: actor.world.now().into(),
        }
    }
}

pub struct Latest {
    pub version: VersionRow,
    pub played: bool,
}

pub async fn latest(conn: &mut AsyncPgConnection, id: VariantId) -> Result<Latest> {
    let found = store::list_versions(conn, id, false, None, 1).await?.pop();
    let (version, played) = found.ok_or_else(|| internal(anyhow::anyhow!("a variant has no version")))?;
    Ok(Latest { version, played })
}

async fn lock(conn: &mut AsyncPgConnection, id: VariantId) -> Result<VariantRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("variant_not_found"))
}

async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    action: &str,
    id: VariantId,
    details: Value,
) -> Result<()> {
    let (by, subject_id) = (Some(actor.staff.id), Some(id.0));
    Ok(audit::record(conn, actor.world, Entry { actor: by, action, subject: "variant", subject_id, details }).await?)
}

fn expect_free<T>(written: QueryResult<T>) -> Result<T> {
    written.on_constraint("variants_name_key", || conflict("variant_name_taken").with_field("/name", "taken"))
}

/// Whether a match that refers to the version is in the way.
fn is_restricted(err: &DieselError) -> bool {
    let is_final = |info: &dyn DatabaseErrorInformation| info.message().contains("never changes");
    violates(err, "matches_variant_fkey") || matches!(err, DieselError::DatabaseError(_, info) if is_final(&**info))
}

impl VariantStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Draft => "variant-draft",
            Self::Published => "variant-published",
            Self::Retired => "variant-retired",
        }
    }

    /// Of its colour in the style sheet.
    pub fn tone(self) -> &'static str {
        match self {
            Self::Draft => "waiting",
            Self::Published => "finished",
            Self::Retired => "none",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Draft => "edit",
            Self::Published => "check",
            Self::Retired => "crate",
        }
    }
}
