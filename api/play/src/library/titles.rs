//! What the library has: titles are entered, changed, put away and taken out again.

use diesel::result::QueryResult;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{Info, catalogue};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::store::{self, TitleContent};
use super::{CopyState, Difficulty, MOST_TITLES, Shelf, TitleId, TitleRow, copies};
use base::audit::{self, Entry};
use base::auth::{Actor, StaffContext, can};
use base::db::OnConstraint;
use base::error::{FieldError, Result, conflict, invalid_fields, not_found};
use base::inputs::tidy_text;
use base::names;
use base::text::Lang;
use base::world::World;

pub const PLAYERS: std::ops::RangeInclusive<i64> = 1..=99;
pub const MINUTES: std::ops::RangeInclusive<i64> = 1..=1440;
pub const TEACHING: std::ops::RangeInclusive<i64> = 1..=240;
const ADDRESS_MAX: usize = 300;

/// One line of text in any script.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 80)]
pub struct TitleName(pub String);

impl TitleName {
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, 80).map(Self)
    }
}

base::deserialize_checked!(TitleName);

/// A title's name in each language; those left out are as the Korean one.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = TitleNamesRequest)]
#[serde(deny_unknown_fields)]
pub struct Names {
    #[schema(example = "페루도")]
    pub ko: TitleName,
    #[schema(example = "Perudo")]
    pub en: Option<TitleName>,
    pub es: Option<TitleName>,
}

/// From so many to so many.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = TitleSpan)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    #[schema(minimum = 1)]
    pub from: i64,
    #[schema(minimum = 1)]
    pub to: i64,
}

/// All fields of a title.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TitleRequest {
    pub name: Names,
    pub players: Reach,
    pub minutes: Reach,
    pub difficulty: Difficulty,
    /// How long it takes to teach.
    #[schema(minimum = 1, maximum = 240)]
    pub teach_minutes: Option<i64>,
    /// The game of the catalogue that it is: then its rules are a page of this server …
    #[schema(example = "perudo")]
    pub game: Option<String>,
    /// … or else the address of a page with its rules.
    #[schema(example = "https://example.org/rules", max_length = 300)]
    pub rules_url: Option<String>,
}

/// A new title, with a copy on each of these shelves.
pub async fn create(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    request: &TitleRequest,
    shelves: &[Shelf],
) -> Result<TitleRow> {
    let content = request.content()?;
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| enter(conn, actor, &content, shelves).await).await
}

pub async fn change(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    id: TitleId,
    request: &TitleRequest,
) -> Result<TitleRow> {
    let content = request.content()?;
    edit(cx, id, &|_| Ok(content.clone())).await
}

/// The same where it depends on how the title is by now.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    id: TitleId,
    edit: &(dyn Fn(&TitleContent) -> Result<TitleContent> + Sync),
) -> Result<TitleRow> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| {
        let before = lock(conn, id).await?;
        let content = edit(&before.clone().into())?;
        rewrite(conn, actor, &before, &content).await
    })
    .await
}

/// An archived title is on no list; its copies and their history are kept. Asking again changes nothing.
pub async fn set_archived(
    cx: &mut StaffContext<'_, can::ManageLibrary>,
    id: TitleId,
    archived: bool,
) -> Result<TitleRow> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| {
        let title = lock(conn, id).await?;
        if title.archived_at.is_some() == archived {
            return Ok(title);
        }
        let copies = store::list_copies(conn, &[id], false).await?;
        if archived && copies.iter().any(|copy| copy.state == CopyState::Table) {
            return Err(conflict("title_on_table"));
        }
        expect_free(store::set_archived(conn, id, archived.then(|| actor.world.now())).await)?;
        let action = if archived { "title.archive" } else { "title.restore" };
        record(conn, actor, action, id, json!({ "name": title.name_ko })).await?;
        Ok(title)
    })
    .await
}

/// Enters the games of the catalogue that the library does not know, each with a box on the counter: all of them in a new
/// café, later those that an upgrade brings. A title that staff changed or archived stays as it is. Gives the games.
pub async fn stock(conn: &mut AsyncPgConnection, world: &World) -> Result<Vec<&'static str>> {
    conn.transaction(async |conn| {
        let mut entered = Vec::new();
        for info in catalogue::GAMES.iter().map(|kind| kind.info()) {
            let id = TitleId(world.uuid());
            if store::insert_new(conn, id, &of_catalogue(&info), world.now()).await? > 0 {
                let counter = Shelf(Lang::default().text("shelf-counter"));
                copies::insert(conn, world, None, (id, 1), &counter).await?;
                entered.push(info.id);
            }
        }
        Ok(entered)
    })
    .await
}

fn of_catalogue(info: &Info) -> TitleContent {
    let name = |lang: Lang| lang.text(&format!("{}-name", info.id));
    TitleContent {
        game: Some(info.id.to_owned()),
        name_ko: name(Lang::Ko),
        name_en: name(Lang::En),
        name_es: name(Lang::Es),
        players_from: (*info.seats.start()).into(),
        players_to: (*info.seats.end()).into(),
        minutes_from: i16::try_from(*info.minutes.start()).unwrap_or(i16::MAX),
        minutes_to: i16::try_from(*info.minutes.end()).unwrap_or(i16::MAX),
        difficulty: match info.difficulty {
            engine::Difficulty::Easy => Difficulty::Easy,
            engine::Difficulty::Medium => Difficulty::Medium,
            engine::Difficulty::Hard => Difficulty::Hard,
        },
        teach_minutes: Some(info.teach_minutes.into()),
        rules_url: None,
    }
}

/// In the caller's transaction.
pub async fn enter(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    content: &TitleContent,
    shelves: &[Shelf],
) -> Result<TitleRow> {
    if store::count(conn).await? >= MOST_TITLES {
        return Err(conflict("too_many_titles"));
    }
    let made = expect_free(store::insert(conn, TitleId(actor.world.uuid()), content, actor.world.now()).await)?;
    for shelf in shelves {
        copies::enter(conn, actor, made.id, shelf).await?;
    }
    let details = json!({ "name": made.name_ko, "copies": shelves.len() });
    record(conn, actor, "title.create", made.id, details).await?;
    Ok(made)
}

/// Until the caller's transaction ends.
pub(super) async fn lock(conn: &mut AsyncPgConnection, id: TitleId) -> Result<TitleRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("title_not_found"))
}

/// In the caller's transaction, which has locked it.
pub(super) async fn rewrite(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    before: &TitleRow,
    content: &TitleContent,
) -> Result<TitleRow> {
    let after = expect_free(store::update(conn, before.id, content).await)?;
    record(conn, actor, "title.change", before.id, json!({ "name": [before.name_ko, after.name_ko] })).await?;
    Ok(after)
}

impl TitleRequest {
    /// What the database keeps of it, or what is wrong with each field.
    pub fn content(&self) -> Result<TitleContent> {
        let mut wrong = Vec::new();
        let mut reach = |reach: Reach, pointer: &str, range: &std::ops::RangeInclusive<i64>| {
            let from = within(reach.from, range);
            let to = within(reach.to, range).filter(|to| from.is_none_or(|from| from <= *to));
            for (value, end) in [(from, "from"), (to, "to")] {
                if value.is_none() {
                    wrong.push(FieldError::new(format!("{pointer}/{end}"), "out_of_range"));
                }
            }
            (from.unwrap_or(1), to.unwrap_or(1))
        };
        let (players_from, players_to) = reach(self.players, "/players", &PLAYERS);
        let (minutes_from, minutes_to) = reach(self.minutes, "/minutes", &MINUTES);
        let teach_minutes = self.teach_minutes.map(|minutes| within(minutes, &TEACHING));
        if teach_minutes == Some(None) {
            wrong.push(FieldError::new("/teach_minutes", "out_of_range"));
        }
        if self.game.as_deref().is_some_and(|game| catalogue::find(game).is_none()) {
            wrong.push(FieldError::new("/game", "unknown_value"));
        }
        match self.rules_url.as_deref() {
            Some(_) if self.game.is_some() => wrong.push(FieldError::new("/rules_url", "one_rules_page")),
            Some(address) if !is_address(address) => wrong.push(FieldError::new("/rules_url", "no_address")),
            _ => {}
        }
        if !wrong.is_empty() {
            return Err(invalid_fields(wrong));
        }
        let Names { ko, en, es } = &self.name;
        let name = |name: &Option<TitleName>| name.as_ref().unwrap_or(ko).0.clone();
        Ok(TitleContent {
            game: self.game.clone(),
            name_en: name(en),
            name_es: name(es),
            name_ko: ko.0.clone(),
            players_from,
            players_to,
            minutes_from,
            minutes_to,
            difficulty: self.difficulty,
            teach_minutes: teach_minutes.flatten(),
            rules_url: self.rules_url.clone(),
        })
    }
}

/// Those whose name in any language holds this, or begins its syllables so.
pub async fn search(conn: &mut AsyncPgConnection, lang: Lang, name: &str, limit: i64) -> Result<Vec<TitleRow>> {
    let Some(name) = names::pattern(name) else { return Ok(Vec::new()) };
    Ok(store::list(conn, lang, &store::Filter { name: Some(name), ..store::Filter::default() }, limit).await?)
}

fn within(value: i64, range: &std::ops::RangeInclusive<i64>) -> Option<i16> {
    range.contains(&value).then(|| i16::try_from(value).ok()).flatten()
}

/// An address that a link may safely lead to.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let is_whole = |rest: &str| !rest.is_empty() && !rest.starts_with('/');
    rest.is_some_and(is_whole)
        && text.chars().count() <= ADDRESS_MAX
        && !text.chars().any(|it| it.is_whitespace() || it.is_control())
}

fn expect_free<T>(written: QueryResult<T>) -> Result<T> {
    written.on_constraints(&[
        ("titles_name_ko_key", || conflict("title_name_taken").with_field("/name/ko", "taken")),
        ("titles_game_key", || conflict("title_game_taken").with_field("/game", "taken")),
    ])
}

async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    action: &str,
    id: TitleId,
    details: serde_json::Value,
) -> Result<()> {
    let (by, subject_id) = (Some(actor.staff.id), Some(id.0));
    Ok(audit::record(conn, actor.world, Entry { actor: by, action, subject: "title", subject_id, details }).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(change: impl FnOnce(&mut TitleRequest)) -> Vec<String> {
        let mut request = TitleRequest {
            name: Names { ko: TitleName("페루도".to_owned()), en: None, es: None },
            players: Reach { from: 2, to: 6 },
            minutes: Reach { from: 15, to: 30 },
            difficulty: Difficulty::Easy,
            teach_minutes: None,
            game: None,
            rules_url: None,
        };
        change(&mut request);
        match request.content() {
            Ok(_) => Vec::new(),
            Err(base::error::Error::Refused(refusal)) => {
                refusal.fields.into_iter().map(|field| field.pointer).collect()
            }
            Err(err) => panic!("{err:?}"),
        }
    }

    #[test]
    fn each_field_has_its_bounds() {
        assert_eq!(wrong(|_| {}), Vec::<String>::new());
        assert_eq!(wrong(|it| it.players = Reach { from: 0, to: 100 }), ["/players/from", "/players/to"]);
        assert_eq!(wrong(|it| it.players = Reach { from: 4, to: 3 }), ["/players/to"]);
        assert_eq!(wrong(|it| it.minutes.to = 1441), ["/minutes/to"]);
        assert_eq!(wrong(|it| it.teach_minutes = Some(0)), ["/teach_minutes"]);
        assert_eq!(wrong(|it| it.game = Some("chess".to_owned())), ["/game"]);
    }

    #[test]
    fn a_link_leads_to_a_page_and_nowhere_else() {
        let link = |address: &str| wrong(|it| it.rules_url = Some(address.to_owned()));
        assert_eq!(link("https://example.org/rules?a=1"), Vec::<String>::new());
        for address in ["javascript:alert(1)", "//example.org", "https://", "https:///x", "https://a b", "ftp://x"] {
            assert_eq!(link(address), ["/rules_url"], "{address}");
        }
        let both = wrong(|it| {
            it.game = Some("perudo".to_owned());
            it.rules_url = Some("https://example.org".to_owned());
        });
        assert_eq!(both, ["/rules_url"]);
    }
}
