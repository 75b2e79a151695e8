//! `/admin/matches`: the list, by what staff know of the match that they look for.

use std::str::FromStr;

use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Deserializer, de};

use base::auth::can;
use base::error::bad_request;
use base::ids::{MatchId, PlayerId, TableId, VariantId, hex, unhex};
use cafe::floor::Play;
use play::matches::store::{Ended, Lasting, Order};
use play::matches::{Filter, MatchRow, Moment, Status, store};
use play::players;
use play::stats::Period;
use play::tables::{self, TableRow};
use play::variants::{self, VariantRow};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

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
    /// By these rules: a variant's hash.
    #[serde(deserialize_with = "unless_blank")]
    rules: Option<Rules>,
    #[serde(deserialize_with = "unless_blank")]
    seats: Option<i16>,
    /// The seat that won, the first of them is 1.
    #[serde(deserialize_with = "unless_blank")]
    won: Option<i16>,
    /// Whether only people played.
    #[serde(deserialize_with = "unless_blank")]
    without_bots: Option<bool>,
    /// Days of the café, both included.
    #[serde(deserialize_with = "unless_blank")]
    from: Option<Date>,
    #[serde(deserialize_with = "unless_blank")]
    to: Option<Date>,
    /// What happened on them.
    #[serde(deserialize_with = "unless_blank")]
    day: Option<DayOf>,
    /// Of matches by when they ended: 1 is Monday, and an hour is 0 to 23.
    #[serde(deserialize_with = "unless_blank")]
    weekday: Option<i8>,
    #[serde(deserialize_with = "unless_blank")]
    hour: Option<i8>,
    #[serde(deserialize_with = "unless_blank")]
    order: Option<OrderOf>,
    /// A match, or where matches are listed by when they ended, its end, or how long it took.
    #[serde(deserialize_with = "unless_blank")]
    before: Option<String>,
}

base::text_enum! {
    /// By which of its days a match is looked for.
    pub enum DayOf {
        Made = "made",
        Ended = "ended",
    }
}

base::text_enum! {
    /// In which order matches that ended are listed.
    pub enum OrderOf {
        Latest = "latest",
        Longest = "longest",
    }
}

/// A variant's hash.
#[derive(Clone, Debug)]
struct Rules(Vec<u8>);

#[derive(Template)]
#[template(path = "admin/matches/list.html")]
struct MatchListPage<'a> {
    page: &'a Page,
    search: &'a MatchSearch,
    games: Vec<(&'static str, String)>,
    tables: Vec<TableRow>,
    variants: Vec<VariantRow>,
    plays: Vec<(Play, Option<TableRow>)>,
    table: Option<TableRow>,
    /// What the rules are called that are asked for.
    rules: Option<String>,
    next: Option<String>,
}

#[get("/admin/matches")]
pub async fn show_matches(
    StaffPage { page, mut cx }: StaffPage<can::ViewMatches>,
    Search(search): Search<MatchSearch>,
) -> ApiResult<HttpResponse> {
    let read = async |conn: &mut AsyncPgConnection| MatchListPage::read(conn, &page, &search).await;
    let template = if search.is_of_past() { cx.read(read).await? } else { read(cx.conn().await?).await? };
    page.html(&template)
}

impl<'a> MatchListPage<'a> {
    async fn read(conn: &mut AsyncPgConnection, page: &'a Page, search: &'a MatchSearch) -> ApiResult<Self> {
        let people = match &search.player {
            Some(name) => Some(players::store::list_named(conn, name.trim(), NAMESAKES).await?),
            None => None,
        };
        let ended = search.ended(page)?;
        let filter = search.filter(page, people.as_deref(), ended.as_ref())?;
        let mut rows = store::list(conn, &filter, PAGE_SIZE + 1).await?;
        let has_more = rows.len() > PAGE_SIZE as usize;
        rows.truncate(PAGE_SIZE as usize);
        let next = rows.last().filter(|_| has_more).and_then(|last| search.after(last));
        let rules = match &search.rules {
            Some(Rules(hash)) => {
                Some(web_cafe::stats::tables::rules_name(conn, page, search.game.as_deref(), hash).await?)
            }
            None => None,
        };
        let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
        let mut seats = store::list_all_seats(conn, &ids).await?.by_match();
        let mut titles = store::list_titles(conn, rows.iter()).await?;
        let tables = tables::store::list(conn, true).await?;
        let table_of = |id: Option<TableId>| tables.iter().find(|table| Some(table.id) == id).cloned();
        let plays = rows.into_iter().map(|row| {
            let table = table_of(row.table_id);
            let (seats, title) = (seats.remove(&row.id).unwrap_or_default(), titles.remove(&row.id));
            (Play { row, seats, title, attention: None }, table)
        });
        let (plays, table) = (plays.collect(), table_of(search.table));
        let variants = variants::list_played(conn, VARIANTS).await?;
        Ok(Self { page, search, games: page.games(), tables, variants, plays, table, rules, next })
    }
}

impl MatchSearch {
    /// Whether it is for matches that are over.
    fn is_of_past(&self) -> bool {
        self.day == Some(DayOf::Ended) || self.status.is_some_and(|status| status.is_over())
    }

    fn filter<'a>(
        &'a self,
        page: &Page,
        people: Option<&'a [PlayerId]>,
        ended: Option<&'a Ended>,
    ) -> ApiResult<Filter<'a>> {
        let mut filter = Filter {
            status: self.status,
            game: self.game.as_deref(),
            table: self.table,
            variant: self.variant,
            players: people,
            rules: self.rules.as_ref().map(|Rules(hash)| hash.as_slice()),
            seats: self.seats,
            won: self.won.map(|seat| seat.saturating_sub(1)),
            without_bots: self.is_without_bots(),
            ended,
            ..Filter::default()
        };
        if ended.is_none() {
            let begins = |day: Date| page.midnight(day).map(MatchId::least_at);
            let past_last_day = self.to.and_then(|day| day.checked_add(1.day()).ok()).and_then(begins);
            let before = self
                .before
                .as_deref()
                .map(str::parse::<MatchId>)
                .transpose()
                .map_err(|_| bad_request("invalid_query"))?;
            filter.since = self.from.and_then(begins);
            filter.before = [before, past_last_day].into_iter().flatten().min();
        }
        Ok(filter)
    }

    /// When those ended that are asked for, if that is asked.
    fn ended(&self, page: &Page) -> ApiResult<Option<Ended>> {
        if self.day != Some(DayOf::Ended) {
            return Ok(None);
        }
        let period = Period::between(self.from, self.to, page.today())?;
        let before = self.before.as_deref();
        let order = match self.is_by_length() {
            true => Order::Longest(before.map(str::parse).transpose()?),
            false => Order::Latest(before.map(str::parse).transpose()?),
        };
        Ok(Some(Ended { within: period.windows(page.time_zone(), self.weekday, self.hour), order }))
    }

    /// Whether matches are listed by how long they took.
    fn is_by_length(&self) -> bool {
        self.day == Some(DayOf::Ended) && self.order == Some(OrderOf::Longest)
    }

    /// The list from the match after this one.
    fn after(&self, last: &MatchRow) -> Option<String> {
        let before = match self.day {
            Some(DayOf::Ended) if self.is_by_length() => {
                Lasting { micros: last.lasted()?.as_micros().try_into().ok()?, id: last.id }.to_string()
            }
            Some(DayOf::Ended) => Moment { at: last.finished_at?, id: last.id }.to_string(),
            Some(DayOf::Made) | None => last.id.to_string(),
        };
        Some(self.address(self.status, Some(before)))
    }

    fn is_day(&self, day: &DayOf) -> bool {
        self.day.unwrap_or(DayOf::Made) == *day
    }

    /// What else is asked for, which the form does not show: to be kept by it.
    fn hidden(&self) -> Vec<(&'static str, String)> {
        let pairs = [
            ("rules", self.rules.as_ref().map(|Rules(hash)| hex(hash))),
            ("won", self.won.map(|it| it.to_string())),
            ("without_bots", self.without_bots.filter(|it| *it).map(|it| it.to_string())),
            ("weekday", self.weekday.map(|it| it.to_string())),
            ("hour", self.hour.map(|it| it.to_string())),
            ("order", self.order.filter(|_| self.is_by_length()).map(|it| it.to_string())),
        ];
        pairs.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    fn is_without_bots(&self) -> bool {
        self.without_bots == Some(true)
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
        !self.pairs().is_empty()
    }

    /// The list with this status and the other filters as they are.
    fn with_status(&self, status: Option<&Status>) -> String {
        self.address(status.copied(), None)
    }

    fn address(&self, status: Option<Status>, before: Option<String>) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(status.map(|it| ("status", it.to_string())));
        query.extend_pairs(self.pairs()).extend_pairs(before.map(|it| ("before", it)));
        format!("/admin/matches?{}", query.finish())
    }

    /// All that is asked for but the status.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let pairs = [
            ("game", self.game.clone()),
            ("table", self.table.map(|it| it.to_string())),
            ("variant", self.variant.map(|it| it.to_string())),
            ("player", self.player.clone()),
            ("seats", self.seats.map(|it| it.to_string())),
            ("from", self.from.map(|it| it.to_string())),
            ("to", self.to.map(|it| it.to_string())),
            ("day", self.day.filter(|it| *it == DayOf::Ended).map(|it| it.to_string())),
        ];
        let shown = pairs.into_iter().filter_map(|(name, value)| Some((name, value?)));
        shown.chain(self.hidden()).collect()
    }
}

impl DayOf {
    fn key(self) -> &'static str {
        match self {
            Self::Made => "match-day-made",
            Self::Ended => "match-day-ended",
        }
    }
}

impl FromStr for Rules {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        unhex(text).map(Self).ok_or(())
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
    use base::text::Lang;
    use web_base::page::samples;

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
        let filter = search.filter(&Page::sample(Lang::Ko), None, None).unwrap();
        let at = |time: &str| MatchId::least_at(time.parse().unwrap());
        assert_eq!(filter.since, Some(at("2026-11-21T00:00:00Z")));
        assert_eq!(filter.before, Some(at("2026-11-22T00:00:00Z")));
    }

    #[test]
    fn days_may_be_those_on_which_matches_ended() {
        let asked = "status=finished&seats=3&from=2026-11-16&to=2026-11-22&day=ended";
        let narrow =
            format!("{asked}&rules={}&won=2&without_bots=true&weekday=6&hour=23&order=longest", "0a".repeat(32));
        let search = search(&narrow);
        assert_eq!(search.address(search.status, None), format!("/admin/matches?{narrow}"));
        let ended = search.ended(&Page::sample(Lang::Ko)).unwrap().unwrap();
        let at = |time: &str| time.parse::<jiff::Timestamp>().unwrap();
        assert_eq!(ended.order, Order::Longest(None));
        assert_eq!(ended.within, [(at("2026-11-21T23:00:00Z"), at("2026-11-22T00:00:00Z"))]);
        let filter = search.filter(&Page::sample(Lang::Ko), None, Some(&ended)).unwrap();
        assert_eq!((filter.since, filter.before, filter.won, filter.seats), (None, None, Some(1), Some(3)));
        assert!(filter.without_bots);
    }

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::STAFF, |page| {
            let of = |status| MatchRow { status, ..samples::waiting_match() };
            let play = |row| Play { row, seats: play::matches::Seats::default(), title: None, attention: None };
            let rows = [Status::Waiting, Status::Aborted, Status::Expired].map(|status| play(of(status)));
            let tables = vec![samples::table("1번")];
            let games = vec![("perudo", page.game_name("perudo"))];
            let plays = rows.into_iter().map(|play| (play, Some(samples::table("1번")))).collect();
            let search = MatchSearch::default();
            MatchListPage {
                page: &page,
                search: &search,
                games,
                tables,
                variants: Vec::new(),
                plays,
                table: None,
                rules: None,
                next: None,
            }
            .render()
        });
    }
}
