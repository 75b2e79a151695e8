//! Which matches there are, by whatever one asks for.

use std::collections::HashMap;

use diesel::dsl::{self, sql};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Integer, Interval, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::MatchRow;
use super::stuck;
use crate::matches::Moment;
use crate::matches::Status;
use base::db::fixed;
use base::error::{Error, invalid_query};
use base::ids::{MatchId, PlayerId, SittingId, TableId, VariantId};
use base::schema::{match_invitations, match_seats, match_sittings, match_terms, matches};

/// In the very words of the index on open matches, which the planner finds by no others.
pub const OPEN: &str = "matches.status IN ('waiting', 'running')";

/// Of a party that is there.
const OF_PARTIES: &str = "matches.id IN (SELECT m.match_id FROM match_sittings m JOIN sittings s ON s.id = m.sitting_id \
                          WHERE s.closed_at IS NULL)";

/// The same of the index on matches that came to nothing.
const UNFINISHED: &str = "matches.status IN ('aborted', 'expired')";

/// The same of the index on matches by how long they took.
const LASTED: &str = "matches.status = 'finished' AND matches.mode = 'played'";
/// No match takes a hundred years.
const LASTING: std::ops::RangeInclusive<i64> = 0..=100 * 366 * 86_400 * 1_000_000;

/// A match without terms of its own is open.
const IN_LOBBY: &str =
    "NOT EXISTS (SELECT FROM match_terms t WHERE t.match_id = matches.id AND t.visibility <> 'open')";

define_sql_function! {
    /// Whether the match is private and the reader has no part in it.
    fn match_is_hidden_from(hidden: Uuid, reader: Uuid) -> Bool;
}

/// For whom a list is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reader {
    /// They find whatever there is.
    #[default]
    Staff,
    /// They find what is in the lobby, and of the rest what they made, sit at or are invited to.
    Player(PlayerId),
    /// They find what is in the lobby.
    Anybody,
}

impl Reader {
    /// Whose knowledge limits what they are told of this player's matches. None if nothing does: they see their own.
    pub fn limit(self, player: PlayerId) -> Option<PlayerId> {
        match self {
            Self::Staff => None,
            Self::Player(reader) => Some(reader).filter(|reader| *reader != player),
            Self::Anybody => Some(PlayerId(uuid::Uuid::nil())),
        }
    }
}

/// Which matches a list holds.
#[derive(Clone, Debug, Default)]
pub struct Filter<'a> {
    pub reader: Reader,
    pub status: Option<Status>,
    /// Those that wait or run.
    pub open: bool,
    pub game: Option<&'a str>,
    pub table: Option<TableId>,
    /// Of this party.
    pub sitting: Option<SittingId>,
    /// With this player in a seat.
    pub player: Option<PlayerId>,
    /// With one of these players in a seat.
    pub players: Option<&'a [PlayerId]>,
    /// By any version of this variant.
    pub variant: Option<VariantId>,
    /// Made by this player, or with this player in a seat.
    pub mine: Option<PlayerId>,
    /// To which this player is invited.
    pub invited: Option<PlayerId>,
    /// This one and those made after it.
    pub since: Option<MatchId>,
    /// Those made before this one.
    pub before: Option<MatchId>,
    /// By these rules: a variant's hash.
    pub rules: Option<&'a [u8]>,
    pub seats: Option<i16>,
    /// In which this seat took the first place, perhaps with others.
    pub won: Option<i16>,
    /// Those of people alone.
    pub without_bots: bool,
    /// Those that ended so, the last to end first.
    pub ended: Option<&'a Ended>,
}

/// By when matches ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// In one of these times, from the first moment up to, but not, the second.
    pub within: Vec<(Timestamp, Timestamp)>,
    pub order: Order,
}

/// In which order those that ended come, from after the one that is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Latest(Option<Moment>),
    /// Of those of which it is known how long they took, which scored ones do not tell.
    Longest(Option<Lasting>),
}

/// How long a match took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lasting {
    pub micros: i64,
    pub id: MatchId,
}

impl std::fmt::Display for Lasting {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.micros, self.id)
    }
}

impl std::str::FromStr for Lasting {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parsed = text.split_once('.').and_then(|(micros, id)| {
            let micros = micros.parse().ok().filter(|micros| LASTING.contains(micros))?;
            Some(Self { micros, id: id.parse().ok()? })
        });
        parsed.ok_or_else(|| invalid_query("cursor", "invalid"))
    }
}

impl Ended {
    fn ends(&self, end: fn(&(Timestamp, Timestamp)) -> Timestamp) -> Vec<SqlTimestamp> {
        self.within.iter().map(|window| SqlTimestamp::from(end(window))).collect()
    }
}

/// With this code, or a name that begins so in lower case.
pub async fn list_called(
    conn: &mut AsyncPgConnection,
    code: &str,
    beginning: &str,
    limit: i64,
) -> QueryResult<Vec<MatchRow>> {
    let begins_so = sql::<Bool>("name IS NOT NULL AND lower(name) ~>=~ ")
        .bind::<Text, _>(beginning)
        .sql(" AND lower(name) ~<~ ")
        .bind::<Text, _>(format!("{beginning}\u{10FFFF}"));
    // Without an order, which would lead through all matches.
    let named = matches::table.filter(begins_so).select(MatchRow::as_select()).limit(limit);
    let mut called: Vec<MatchRow> = named.load(conn).await?;
    let coded = matches::table.filter(matches::code.eq(code)).select(MatchRow::as_select());
    called.extend(coded.first(conn).await.optional()?);
    called.sort_by_key(|row| std::cmp::Reverse(row.id));
    called.dedup_by_key(|row| row.id);
    Ok(called)
}

/// Those of these games that wait or run, the latest first.
pub async fn list_open_of(conn: &mut AsyncPgConnection, games: &[&str], limit: i64) -> QueryResult<Vec<MatchRow>> {
    let open = matches::table.filter(fixed::<Bool>(OPEN)).filter(matches::game.eq_any(games));
    open.order(matches::id.desc()).limit(limit).select(MatchRow::as_select()).load(conn).await
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter<'_>, limit: i64) -> QueryResult<Vec<MatchRow>> {
    let mut query = matches::table.select(MatchRow::as_select()).limit(limit).into_boxed();
    query = match filter.ended {
        None => query.order(matches::id.desc()),
        Some(ended) => {
            query = match ended.within[..] {
                [(since, until)] => query
                    .filter(matches::finished_at.ge(SqlTimestamp::from(since)))
                    .filter(matches::finished_at.lt(SqlTimestamp::from(until))),
                // Each of these times is looked up by itself.
                _ => {
                    let within = sql::<Bool>("matches.id = ANY (ARRAY (SELECT m.id FROM unnest(")
                        .bind::<Array<Timestamptz>, _>(ended.ends(|window| window.0))
                        .sql(", ")
                        .bind::<Array<Timestamptz>, _>(ended.ends(|window| window.1))
                        .sql(") AS asked (since, until) JOIN matches m ")
                        .sql("ON m.finished_at >= since AND m.finished_at < until))");
                    query.filter(within)
                }
            };
            match ended.order {
                Order::Latest(before) => {
                    if let Some(Moment { at, id }) = before {
                        let before = sql::<Bool>("(matches.finished_at, matches.id) < (")
                            .bind::<Timestamptz, _>(SqlTimestamp::from(at))
                            .sql(", ")
                            .bind::<Uuid, _>(id)
                            .sql(")");
                        query = query.filter(before);
                    }
                    query.order((matches::finished_at.desc(), matches::id.desc()))
                }
                Order::Longest(before) => {
                    query = query.filter(fixed::<Bool>(LASTED));
                    if let Some(Lasting { micros, id }) = before {
                        let before = sql::<Bool>("(matches.finished_at - matches.started_at, matches.id) < (")
                            .bind::<BigInt, _>(micros)
                            .sql(" * interval '1 microsecond', ")
                            .bind::<Uuid, _>(id)
                            .sql(")");
                        query = query.filter(before);
                    }
                    query
                        .order((fixed::<Interval>("matches.finished_at - matches.started_at DESC"), matches::id.desc()))
                }
            }
        }
    };
    if filter.ended.is_some() && matches!(filter.status, Some(Status::Aborted | Status::Expired)) {
        query = query.filter(fixed::<Bool>(UNFINISHED));
    }
    if let Some(rules) = filter.rules {
        query = query.filter(matches::variant_hash.eq(rules));
    }
    if let Some(seats) = filter.seats {
        query = query.filter(matches::seat_count.eq(seats));
    }
    if let Some(seat) = filter.won {
        let first = sql::<Bool>("matches.outcome -> 'ranks' ->> ").bind::<Integer, _>(i32::from(seat)).sql(" = '1'");
        query = query.filter(first);
    }
    if filter.without_bots {
        let has_bots = "EXISTS (SELECT FROM match_seats s WHERE s.match_id = matches.id AND s.bot IS NOT NULL)";
        query = query.filter(dsl::not(fixed::<Bool>(has_bots)));
    }
    if let Some(status) = filter.status {
        query = query.filter(matches::status.eq(status));
    }
    if let Some(game) = filter.game {
        query = query.filter(matches::game.eq(game));
    }
    if let Some(table) = filter.table {
        query = query.filter(matches::table_id.eq(table));
    }
    if let Some(sitting) = filter.sitting {
        let theirs = match_sittings::table.filter(match_sittings::sitting_id.eq(sitting));
        query = query.filter(matches::id.eq_any(theirs.select(match_sittings::match_id)));
    }
    if filter.open {
        query = query.filter(fixed::<Bool>(OPEN));
    }
    if let Some(player) = filter.player {
        let seated = match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
        query = query.filter(matches::id.eq_any(seated));
    }
    if let Some(player) = filter.mine {
        // By this player's own rows: a plain OR would search through everybody's.
        let theirs = sql::<Bool>("matches.id IN (SELECT match_id FROM match_seats WHERE player_id = ")
            .bind::<Uuid, _>(player)
            .sql(" UNION SELECT id FROM matches WHERE created_by = ")
            .bind::<Uuid, _>(player)
            .sql(" UNION SELECT match_id FROM match_seats WHERE stand_in_id = ")
            .bind::<Uuid, _>(player)
            .sql(")");
        query = query.filter(theirs);
    }
    if let Some(player) = filter.invited {
        let invited = match_invitations::table.filter(match_invitations::player_id.eq(player));
        query = query.filter(matches::id.eq_any(invited.select(match_invitations::match_id)));
    }
    if let Some(players) = filter.players {
        let seated = match_seats::table.filter(match_seats::player_id.eq_any(players)).select(match_seats::match_id);
        query = query.filter(matches::id.eq_any(seated));
    }
    if let Some(variant) = filter.variant {
        query = query.filter(matches::variant_id.eq(variant));
    }
    if let Some(since) = filter.since {
        query = query.filter(matches::id.ge(since));
    }
    if let Some(before) = filter.before {
        query = query.filter(matches::id.lt(before));
    }
    match filter.reader {
        Reader::Staff => {}
        Reader::Anybody => query = query.filter(fixed::<Bool>(IN_LOBBY)),
        Reader::Player(player) => {
            let known = sql::<Bool>(&format!("({IN_LOBBY} OR matches.created_by = "))
                .bind::<Uuid, _>(player)
                .sql(" OR EXISTS (SELECT FROM match_seats s WHERE s.match_id = matches.id AND ")
                .bind::<Uuid, _>(player)
                .sql(" IN (s.player_id, s.stand_in_id)) OR EXISTS (SELECT FROM match_invitations i WHERE i.match_id = matches.id AND i.player_id = ")
                .bind::<Uuid, _>(player)
                .sql("))");
            query = query.filter(known);
        }
    }
    query.load(conn).await
}

/// What is played in those of these matches whose game is not in the catalogue.
pub async fn list_titles(
    conn: &mut AsyncPgConnection,
    rows: impl Iterator<Item = &MatchRow>,
) -> QueryResult<HashMap<MatchId, String>> {
    let others: Vec<MatchId> = rows.filter(|row| !row.has_rules()).map(|row| row.id).collect();
    if others.is_empty() {
        return Ok(HashMap::new());
    }
    let titles = match_terms::table.filter(match_terms::match_id.eq_any(others));
    let titles = titles.select((match_terms::match_id, match_terms::title.assume_not_null()));
    let titles: Vec<(MatchId, String)> = titles.filter(match_terms::title.is_not_null()).load(conn).await?;
    Ok(titles.into_iter().collect())
}

/// Every match that waits or runs of a party that is there, however many there are: the earliest first.
pub async fn list_open_of_parties(conn: &mut AsyncPgConnection) -> QueryResult<Vec<MatchRow>> {
    let theirs = fixed::<Bool>(OF_PARTIES).and(fixed::<Bool>(OPEN));
    matches::table.filter(theirs).select(MatchRow::as_select()).order(matches::id).load(conn).await
}

/// The other matches that wait or run, those at a table first, then the earliest.
pub async fn list_open_of_nobody(conn: &mut AsyncPgConnection, limit: i64) -> QueryResult<Vec<MatchRow>> {
    let others = matches::table.filter(fixed::<Bool>(OPEN)).filter(dsl::not(fixed::<Bool>(OF_PARTIES)));
    let order = (matches::table_id.is_null(), matches::id);
    others.select(MatchRow::as_select()).order(order).limit(limit).load(conn).await
}

/// How many matches this player made that nobody has started.
pub async fn count_finished_since(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<i64> {
    let finished = matches::table.filter(matches::status.eq(Status::Finished));
    let since = matches::finished_at.ge(SqlTimestamp::from(since));
    finished.filter(since).select(dsl::count_star()).first(conn).await
}

pub async fn count_waiting_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<i64> {
    let made = matches::table.filter(matches::created_by.eq(player)).filter(matches::status.eq(Status::Waiting));
    made.count().get_result(conn).await
}

/// How many matches this party has that nobody has started.
pub async fn count_waiting_of_party(conn: &mut AsyncPgConnection, party: SittingId) -> QueryResult<i64> {
    let theirs = match_sittings::table.filter(match_sittings::sitting_id.eq(party)).select(match_sittings::match_id);
    let waiting = matches::table.filter(matches::id.eq_any(theirs)).filter(matches::status.eq(Status::Waiting));
    waiting.count().get_result(conn).await
}

/// The matches that this player made and that nobody has started yet, but for those of tournaments.
pub async fn list_waiting_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<MatchId>> {
    let made = matches::table.filter(matches::created_by.eq(player)).filter(matches::status.eq(Status::Waiting));
    let made = made.filter(fixed::<Bool>("NOT EXISTS (SELECT FROM tournament_bouts WHERE match_id = matches.id)"));
    made.select(matches::id).order(matches::id).load(conn).await
}

/// Running matches that wait for a seat whose player has left, or for that of a bot, unless one has been thinking only since
/// this moment.
pub async fn list_left_on_turn(
    conn: &mut AsyncPgConnection,
    thinking_since: Timestamp,
    limit: i64,
) -> QueryResult<Vec<MatchId>> {
    // In the very words of its index.
    let left =
        matches::table.filter(fixed::<Bool>("status = 'running' AND resigned <> 0 AND (to_move & resigned) <> 0"));
    let thinks = fixed::<Bool>(
        "EXISTS (SELECT FROM match_seats s WHERE s.match_id = matches.id AND s.bot = 'hard' AND (to_move >> s.seat) & 1 = 1)",
    );
    let left =
        left.filter(dsl::not(thinks).or(matches::moved_at.assume_not_null().lt(SqlTimestamp::from(thinking_since))));
    left.filter(matches::id.ne_all(stuck::waiting())).select(matches::id).limit(limit).load(conn).await
}
