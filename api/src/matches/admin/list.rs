//! `/admin/matches`: the list, by what staff know of the match that they look for.

use std::collections::HashMap;
use std::str::FromStr;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use engine::catalogue;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de};

use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::Search;
use crate::floor::Play;
use crate::ids::{MatchId, PlayerId, TableId, VariantId};
use crate::matches::{Filter, SeatRow, Status, store};
use crate::page::{Desk, Page};
use crate::players;
use crate::staff::Deed;
use crate::tables::{self, TableRow};
use crate::variants::{self, VariantRow};

const PAGE_SIZE: i64 = 30;
/// So many people of one name are looked for, and so many variants are there to choose from.
const NAMESAKES: i64 = 200;
const VARIANTS: i64 = 500;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MatchSearch {
    #[serde(deserialize_with = "unless_blank")]
    status: Option<Status>,
    #[serde(deserialize_with = "unless_blank")]
    game: Option<String>,
    #[serde(deserialize_with = "unless_blank")]
    table: Option<TableId>,
    #[serde(deserialize_with = "unless_blank")]
    variant: Option<VariantId>,
    /// How the name of somebody begins who sits there.
    #[serde(deserialize_with = "unless_blank")]
    player: Option<String>,
    /// The days of the café on which it was made, both included.
    #[serde(deserialize_with = "unless_blank")]
    from: Option<Date>,
    #[serde(deserialize_with = "unless_blank")]
    to: Option<Date>,
    #[serde(deserialize_with = "unless_blank")]
    before: Option<MatchId>,
}

#[derive(Template)]
#[template(path = "admin/matches/list.html")]
struct MatchListPage {
    page: Page,
    search: MatchSearch,
    games: Vec<(&'static str, String)>,
    tables: Vec<TableRow>,
    variants: Vec<VariantRow>,
    plays: Vec<(Play, Option<TableRow>)>,
    table: Option<TableRow>,
    next: Option<String>,
}

#[get("/admin/matches")]
pub(crate) async fn show_matches(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<MatchSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeMatches)?;
    let mut conn = db.conn().await?;
    let people = match &search.player {
        Some(name) => Some(players::store::list_named(&mut conn, name.trim(), NAMESAKES).await?),
        None => None,
    };
    let mut rows = store::list(&mut conn, &search.filter(&page, people.as_deref()), PAGE_SIZE + 1).await?;
    let has_more = rows.len() > PAGE_SIZE as usize;
    rows.truncate(PAGE_SIZE as usize);
    let next = rows.last().filter(|_| has_more).map(|last| search.address(search.status, Some(last.id)));
    let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
    let mut seats: HashMap<MatchId, Vec<SeatRow>> = HashMap::new();
    for seat in store::list_seats(&mut conn, &ids).await? {
        seats.entry(seat.match_id).or_default().push(seat);
    }
    let tables = tables::store::list(&mut conn, true).await?;
    let table_of = |id: Option<TableId>| tables.iter().find(|table| Some(table.id) == id).cloned();
    let plays = rows.into_iter().map(|row| {
        let table = table_of(row.table_id);
        (Play { seats: seats.remove(&row.id).unwrap_or_default(), row, attention: None }, table)
    });
    let (plays, table) = (plays.collect(), table_of(search.table));
    let variants = variants::list_played(&mut conn, VARIANTS).await?;
    let games = catalogue::GAMES.iter().map(|kind| (kind.info().id, page.game_name(kind.info().id))).collect();
    let template = MatchListPage { page, search, games, tables, variants, plays, table, next };
    template.page.html(&template)
}

impl MatchSearch {
    fn filter<'a>(&'a self, page: &Page, people: Option<&'a [PlayerId]>) -> Filter<'a> {
        let begins = |day: Date| page.midnight(day).map(MatchId::least_at);
        let past_last_day = self.to.and_then(|day| day.checked_add(1.day()).ok()).and_then(begins);
        Filter {
            status: self.status,
            game: self.game.as_deref(),
            table: self.table,
            variant: self.variant,
            players: people,
            since: self.from.and_then(begins),
            before: [self.before, past_last_day].into_iter().flatten().min(),
            ..Filter::default()
        }
    }

    fn is_status(&self, status: &Status) -> bool {
        self.status == Some(*status)
    }

    fn is_game(&self, game: &str) -> bool {
        self.game.as_deref() == Some(game)
    }

    fn is_table(&self, table: &TableId) -> bool {
        self.table == Some(*table)
    }

    fn is_variant(&self, variant: &VariantId) -> bool {
        self.variant == Some(*variant)
    }

    /// Whether anything but the status is asked for.
    fn is_narrow(&self) -> bool {
        let Self { game, table, variant, player, from, to, status: _, before: _ } = self;
        game.is_some() || table.is_some() || variant.is_some() || player.is_some() || from.is_some() || to.is_some()
    }

    /// The list with this status and the other filters as they are.
    fn with_status(&self, status: Option<&Status>) -> String {
        self.address(status.copied(), None)
    }

    fn address(&self, status: Option<Status>, before: Option<MatchId>) -> String {
        let pairs = [
            ("status", status.map(|it| it.to_string())),
            ("game", self.game.clone()),
            ("table", self.table.map(|it| it.to_string())),
            ("variant", self.variant.map(|it| it.to_string())),
            ("player", self.player.clone()),
            ("from", self.from.map(|it| it.to_string())),
            ("to", self.to.map(|it| it.to_string())),
            ("before", before.map(|it| it.to_string())),
        ];
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(pairs.into_iter().filter_map(|(name, value)| Some((name, value?))));
        format!("/admin/matches?{}", query.finish())
    }
}

/// A field of a form that was left empty asks for nothing.
pub(super) fn unless_blank<'de, D: Deserializer<'de>, T: FromStr>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| de::Error::custom("not understood")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lang;

    fn search(query: &str) -> MatchSearch {
        actix_web::web::Query::<MatchSearch>::from_query(query).unwrap().into_inner()
    }

    #[test]
    fn filters_are_kept_from_page_to_page() {
        let asked = "status=running&game=perudo&player=%ED%95%98+%26&from=2026-11-01&to=2026-11-21";
        let search = search(&format!("{asked}&table=&variant="));
        assert_eq!(search.address(search.status, None), format!("/admin/matches?{asked}"));
        assert!(search.is_narrow() && !MatchSearch::default().is_narrow());
    }

    #[test]
    fn the_last_day_is_part_of_the_period() {
        let search = search("from=2026-11-21&to=2026-11-21");
        let filter = search.filter(&Page::sample(Lang::Ko), None);
        let at = |time: &str| MatchId::least_at(time.parse().unwrap());
        assert_eq!(filter.since, Some(at("2026-11-21T00:00:00Z")));
        assert_eq!(filter.before, Some(at("2026-11-22T00:00:00Z")));
    }
}
