//! `/admin/variants`: the house's rules by game, and the editor that their schema makes.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::{Kind, catalogue};
use serde::Deserialize;
use serde_json::Value;

use super::difference::{ChangedOption, difference, sentence};
use super::form::{self, Control, Field, Sent};
use super::store::{self, Filter};
use super::{
    Content, Description, VariantChange, VariantId, VariantName, VariantRequest, VariantRow, VariantStatus, VersionRow,
};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, FieldError, not_found};
use crate::extract::{Path, Search, tidy_text};
use crate::games::settle_options;
use crate::list::List;
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::text::Lang;
use crate::world::World;

const LIST: &str = "/admin/variants";
const PAGE_SIZE: i64 = 60;
const VERSIONS_SHOWN: i64 = 20;
/// More plays of a variant than this are not counted one by one.
pub(super) const COUNTED: i64 = 10_000;

/// The filters of the list.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VariantSearch {
    status: Option<VariantStatus>,
    game: Option<String>,
    cursor: Option<VariantId>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameSearch {
    game: String,
}

#[derive(Template)]
#[template(path = "admin/variants/list.html")]
struct VariantListPage {
    page: Page,
    search: VariantSearch,
    games: Vec<OfGame>,
    next: Option<String>,
}

/// A game with its variants.
struct OfGame {
    id: &'static str,
    name: String,
    variants: Vec<Listed>,
}

/// A variant in the list.
struct Listed {
    variant: VariantRow,
    /// What is played; the draft where nothing was published.
    version: i32,
    has_draft: bool,
    plays: i64,
    differs: String,
}

#[derive(Template)]
#[template(path = "admin/variants/form.html")]
struct VariantFormPage {
    page: Page,
    game: &'static str,
    /// None for a new one.
    variant: Option<VariantRow>,
    name: String,
    description: String,
    name_wrong: Option<String>,
    description_wrong: Option<String>,
    fields: Vec<Field>,
    /// What would be another, shown before it is saved.
    preview: Option<Preview>,
    /// Why it cannot be saved as it is, where that is about no field.
    wrong: Option<String>,
}

struct Preview {
    changes: Vec<ChangedOption>,
    /// The fields as they were sent.
    sent: Vec<(String, String)>,
    /// Of the version that they will be.
    number: i32,
}

#[derive(Template)]
#[template(path = "admin/variants/show.html")]
struct VariantPage {
    page: Page,
    variant: VariantRow,
    differs: String,
    plays: i64,
    versions: Vec<Version>,
    fields: Vec<Field>,
}

/// A version with what it brought.
struct Version {
    row: VersionRow,
    played: bool,
    changes: Vec<ChangedOption>,
    /// The version before; none for the basic game.
    since: Option<i32>,
}

#[get("/admin/variants")]
pub(crate) async fn show_variants(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<VariantSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let mut conn = db.conn().await?;
    let game = search.game.as_deref().filter(|game| !game.is_empty());
    let filter = Filter { status: search.status, game, before: search.cursor };
    let rows = store::list(&mut conn, &filter, PAGE_SIZE + 1).await?;
    let List { items, next } = List::of(rows, PAGE_SIZE, |row| row.id.to_string());
    let next = next.map(|cursor| search.address(search.status, Some(&cursor)));
    let listed = list(&mut conn, page.lang, items).await?;
    let mut by_game: HashMap<String, Vec<Listed>> = HashMap::new();
    for it in listed {
        by_game.entry(it.variant.game.clone()).or_default().push(it);
    }
    let shown = catalogue::GAMES.iter().map(|kind| kind.info().id).filter(|id| game.is_none_or(|game| game == *id));
    let games =
        shown.map(|id| OfGame { id, name: page.game_name(id), variants: by_game.remove(id).unwrap_or_default() });
    let template = VariantListPage { games: games.collect(), page, search, next };
    template.page.html(&template)
}

#[get("/admin/variants/new")]
pub(crate) async fn show_new_variant(
    Desk { page, staff }: Desk,
    Search(search): Search<GameSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let kind = catalogue::find(&search.game).ok_or_else(|| not_found("unknown_game"))?;
    let template = VariantFormPage::of(page, kind, None, None)?;
    template.page.html(&template)
}

#[post("/admin/variants/new")]
pub(crate) async fn make_variant(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Search(search): Search<GameSearch>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let kind = catalogue::find(&search.game).ok_or_else(|| not_found("unknown_game"))?;
    let mut template = VariantFormPage::of(page, kind, None, None)?;
    let Some((name, description)) = template.read(&sent) else {
        return template.refuse(kind, &sent, Vec::new());
    };
    let options = Some(form::options(kind, &sent));
    let request = VariantRequest { game: search.game, name, description, options };
    match super::create(&mut *db.conn().await?, &world, &staff, &request).await {
        Ok(id) => Ok(template.page.go_with(&address(id), Flash::good("variant-made", &request.name.0))),
        Err(err) => template.refuse_for(kind, &sent, err),
    }
}

#[get("/admin/variants/{id}")]
pub(crate) async fn show_variant(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let mut conn = db.conn().await?;
    let variant = find(&mut conn, id).await?;
    let kind = crate::matches::kind(&variant.game)?;
    let basic = basic(kind)?;
    let rows = store::list_versions(&mut conn, id, (false, None), VERSIONS_SHOWN + 1).await?;
    let latest = rows.first().map(|(row, _)| row.options.clone()).unwrap_or_default();
    let plays = store::count_plays(&mut conn, &[id], COUNTED).await?.first().map_or(0, |(_, plays)| *plays);
    let before = |at: usize| rows.get(at + 1).map(|(row, _)| row);
    let version = |(at, (row, played)): (usize, &(VersionRow, bool))| {
        let from = before(at).map_or(&basic, |row| &row.options);
        let changes = difference(page.lang, &variant.game, from, &row.options);
        Version { row: row.clone(), played: *played, changes, since: before(at).map(|row| row.number) }
    };
    let versions = rows.iter().enumerate().take(VERSIONS_SHOWN as usize).map(version).collect();
    let differs = sentence(page.lang, &variant.game, &basic, &latest);
    let fields = form::fields(page.lang, kind, &basic, &latest);
    let template = VariantPage { page, variant, differs, plays, versions, fields };
    template.page.html(&template)
}

#[get("/admin/variants/{id}/edit")]
pub(crate) async fn show_variant_form(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let mut conn = db.conn().await?;
    let variant = find(&mut conn, id).await?;
    let latest = super::latest(&mut conn, id).await?;
    let kind = crate::matches::kind(&variant.game)?;
    let template = VariantFormPage::of(page, kind, Some(variant), Some(&latest.version.options))?;
    template.page.html(&template)
}

/// Shows first what would be another; what was seen and agreed to is saved: into the draft as long as it may change, else
/// as the next version.
#[post("/admin/variants/{id}/edit")]
pub(crate) async fn change_variant(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let mut conn = db.conn().await?;
    let variant = find(&mut conn, id).await?;
    let latest = super::latest(&mut conn, id).await?;
    let kind = crate::matches::kind(&variant.game)?;
    let (before, game) = (variant.clone(), variant.game.clone());
    let mut template = VariantFormPage::of(page, kind, Some(variant), Some(&latest.version.options))?;
    let Some((name, description)) = template.read(&sent) else {
        return template.refuse(kind, &sent, Vec::new());
    };
    let options = match Content::of(kind, Some(&form::options(kind, &sent))) {
        Ok(content) => content.options,
        Err(err) => return template.refuse_for(kind, &sent, err),
    };
    let changes = difference(template.page.lang, &game, &latest.version.options, &options);
    let is_final = latest.played || latest.version.published_at.is_some();
    if !changes.is_empty() && !sent.contains_key("agreed") {
        let number = latest.version.number + i32::from(is_final);
        let sent = sent.into_iter().collect();
        template.preview = Some(Preview { changes, sent, number });
        return template.page.html(&template);
    }
    let told = Flash::good("variant-saved", &name.0);
    let change = VariantChange {
        name: Some(name).filter(|name| name.0 != before.name),
        description: Some(description).filter(|it| it.as_ref().map(|it| &it.0) != before.description.as_ref()),
        options: Some(options.clone()).filter(|_| !changes.is_empty() && !is_final),
    };
    let mut saved = match change.is_empty() {
        true => Ok(()),
        false => super::change(&mut conn, &world, &staff, id, &change).await,
    };
    if saved.is_ok() && is_final && !changes.is_empty() {
        saved = super::add_version(&mut conn, &world, &staff, id, &options).await.map(|_| ());
    }
    match saved {
        Ok(()) => Ok(template.page.go_with(&address(id), told)),
        Err(err) => template.refuse_for(kind, &sent, err),
    }
}

#[post("/admin/variants/{id}/publish")]
pub(crate) async fn publish_variant(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let done = super::publish(&mut *db.conn().await?, &world, &staff, id).await;
    tell(&page, id, done, "variant-published")
}

#[post("/admin/variants/{id}/retire")]
pub(crate) async fn retire_variant(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let done = super::retire(&mut *db.conn().await?, &world, &staff, id).await;
    tell(&page, id, done, "variant-retired")
}

fn tell(page: &Page, id: VariantId, done: ApiResult<()>, good: &str) -> ApiResult<HttpResponse> {
    let flash = match done {
        Ok(()) => Flash::good(good, ""),
        Err(ApiError::Refused(refusal)) if refusal.status == StatusCode::CONFLICT => {
            Flash::bad(&refusal.code.replace('_', "-"), "")
        }
        Err(err) => return Err(err),
    };
    Ok(page.go_with(&address(id), flash))
}

async fn list(conn: &mut AsyncPgConnection, lang: Lang, rows: Vec<VariantRow>) -> ApiResult<Vec<Listed>> {
    let ids: Vec<VariantId> = rows.iter().map(|row| row.id).collect();
    let latest = store::list_latest(conn, &ids).await?;
    let plays: HashMap<VariantId, i64> = store::count_plays(conn, &ids, COUNTED).await?.into_iter().collect();
    let mut listed = Vec::new();
    for variant in rows {
        let versions: Vec<&VersionRow> =
            latest.iter().map(|(row, _)| row).filter(|row| row.variant_id == variant.id).collect();
        let Some(current) = versions.iter().max_by_key(|row| (row.published_at.is_some(), row.number)) else {
            continue;
        };
        let basic = basic(crate::matches::kind(&variant.game)?)?;
        listed.push(Listed {
            version: current.number,
            has_draft: versions.iter().any(|row| row.number > current.number),
            plays: plays.get(&variant.id).copied().unwrap_or(0),
            differs: sentence(lang, &variant.game, &basic, &current.options),
            variant,
        });
    }
    Ok(listed)
}

async fn find(conn: &mut AsyncPgConnection, id: VariantId) -> ApiResult<VariantRow> {
    store::find(conn, id).await?.ok_or_else(|| not_found("variant_not_found"))
}

fn basic(kind: &dyn Kind) -> ApiResult<Value> {
    settle_options(kind, None, *kind.info().seats.start())
}

fn address(id: VariantId) -> String {
    format!("{LIST}/{id}")
}

impl VariantFormPage {
    fn of(page: Page, kind: &dyn Kind, variant: Option<VariantRow>, options: Option<&Value>) -> ApiResult<Self> {
        let basic = basic(kind)?;
        Ok(Self {
            fields: form::fields(page.lang, kind, &basic, options.unwrap_or(&basic)),
            game: kind.info().id,
            name: variant.as_ref().map(|it| it.name.clone()).unwrap_or_default(),
            description: variant.as_ref().and_then(|it| it.description.clone()).unwrap_or_default(),
            page,
            variant,
            name_wrong: None,
            description_wrong: None,
            preview: None,
            wrong: None,
        })
    }

    /// Name and description, if they will do.
    fn read(&mut self, sent: &Sent) -> Option<(VariantName, Option<Description>)> {
        let typed = |key: &str| sent.get(key).cloned().unwrap_or_default();
        (self.name, self.description) = (typed("name"), typed("description"));
        let lang = self.page.lang;
        let name = tidy_text(&self.name, 60).map(VariantName);
        let description = match self.description.trim() {
            "" => Ok(None),
            text => tidy_text(text, 500).map(|text| Some(Description(text))),
        };
        self.name_wrong = name.as_ref().err().map(|err| err.detail(lang));
        self.description_wrong = description.as_ref().err().map(|err| err.detail(lang));
        name.ok().zip(description.ok())
    }

    /// The form again, with what is wrong beside each field.
    fn refuse(mut self, kind: &dyn Kind, sent: &Sent, mut wrong: Vec<FieldError>) -> ApiResult<HttpResponse> {
        // Whatever else is wrong, all of it is told at once.
        if let Err(ApiError::Refused(refusal)) = Content::of(kind, Some(&form::options(kind, sent))) {
            wrong.extend(refusal.fields);
        }
        form::refuse(&mut self.fields, self.page.lang, sent, &wrong);
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        self.page.html_as(status, &self)
    }

    fn refuse_for(mut self, kind: &dyn Kind, sent: &Sent, err: ApiError) -> ApiResult<HttpResponse> {
        let problem = err.problem(self.page.lang);
        match err {
            ApiError::Refused(refusal) if refusal.code == "variant_name_taken" => {
                self.name_wrong = Some(problem.detail);
                self.refuse(kind, sent, refusal.fields)
            }
            ApiError::Refused(refusal) if refusal.status.is_client_error() => {
                self.wrong = Some(problem.detail);
                self.refuse(kind, sent, refusal.fields)
            }
            err => Err(err),
        }
    }

    fn action(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}/edit", address(variant.id)),
            None => format!("{LIST}/new?game={}", self.game),
        }
    }
}

impl VariantSearch {
    fn is_status(&self, status: Option<&VariantStatus>) -> bool {
        self.status.as_ref() == status
    }

    fn address(&self, status: Option<VariantStatus>, cursor: Option<&str>) -> String {
        // Games' ids need no escaping; anything else found nothing.
        let game = self.game.as_deref().filter(|game| catalogue::find(game).is_some());
        let pairs = [("status", status.map(VariantStatus::as_str)), ("game", game), ("cursor", cursor)];
        let given = pairs.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", value?)));
        format!("{LIST}?{}", given.collect::<Vec<_>>().join("&"))
    }

    fn tab(&self, status: Option<&VariantStatus>) -> String {
        self.address(status.copied(), None)
    }
}

impl VariantPage {
    /// What the switch is set to, in words.
    fn set(&self, field: &Field) -> String {
        field.set(self.page.lang)
    }

    fn is_draft_open(&self) -> bool {
        self.versions.first().is_some_and(|version| version.row.published_at.is_none())
    }

    fn may_publish(&self) -> bool {
        self.is_draft_open() || self.variant.status != VariantStatus::Published
    }

    fn may_retire(&self) -> bool {
        self.variant.status != VariantStatus::Retired
    }

    fn rules(&self) -> String {
        let version = self.versions.first().map_or(1, |version| version.row.number);
        format!("/rules/{}?variant={}&version={version}", self.variant.game, self.variant.id)
    }
}

impl VariantStatus {
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Draft => "variant-draft",
            Self::Published => "variant-published",
            Self::Retired => "variant-retired",
        }
    }

    /// Of its colour in the style sheet.
    pub(super) fn tone(self) -> &'static str {
        match self {
            Self::Draft => "waiting",
            Self::Published => "finished",
            Self::Retired => "none",
        }
    }

    pub(super) fn icon(self) -> &'static str {
        match self {
            Self::Draft => "edit",
            Self::Published => "check",
            Self::Retired => "crate",
        }
    }
}
