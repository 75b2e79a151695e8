//! Rows and queries of matches, their seats and their logs. The two statements of a move are in `statements`.

use diesel::deserialize::{self, FromSql};
use diesel::dsl::{self, exists, sql};
use diesel::pg::{Pg, PgValue};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_query;
use diesel::sql_types::{Array, Bool, Integer, Json as SqlJson, Nullable, Text, Timestamptz, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::Json;
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::Value;

use super::clock::ClockRow;
use super::reveals::{REVEALS, Reveals};
use super::terms::Terms;
use super::{Leaving, MadeBy, Mode, Status};
use crate::ids::{MatchId, PlayerId, SittingId, TableId, VariantId};
use crate::schema::{
    match_clocks, match_invitations, match_log, match_seats, match_sittings, match_stand_ins, match_terms, matches,
    players,
};
use crate::settling::Moment;

/// What anybody may know of a match; its secrets are not in it.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = matches, check_for_backend(Pg))]
pub struct MatchRow {
    pub id: MatchId,
    pub code: String,
    pub game: String,
    pub revision: i32,
    pub options: Value,
    pub seat_count: i16,
    pub name: Option<String>,
    pub mode: Mode,
    pub status: Status,
    pub version: i32,
    pub news: i64,
    pub created_by: PlayerId,
    pub table_id: Option<TableId>,
    pub turn_seconds: Option<i32>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub started_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub moved_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub finished_at: Option<Timestamp>,
    pub commitment: Vec<u8>,
    pub to_move: i32,
    pub interrupt: i32,
    pub resigned: i32,
    pub outcome: Option<Value>,
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub variant_hash: Vec<u8>,
}

#[derive(Insertable)]
#[diesel(table_name = matches)]
pub(super) struct NewMatch<'a> {
    pub id: MatchId,
    pub code: String,
    pub game: &'a str,
    pub revision: i32,
    pub options: &'a Value,
    pub seat_count: i16,
    pub name: Option<&'a str>,
    pub mode: Mode,
    pub created_by: PlayerId,
    pub table_id: Option<TableId>,
    pub turn_seconds: Option<i32>,
    pub created_at: SqlTimestamp,
    pub seed: &'a [u8],
    pub commitment: &'a [u8],
    pub variant_id: Option<VariantId>,
    pub variant_version: Option<i32>,
    pub variant_hash: &'a [u8],
}

/// A seat that is taken, and by whom.
#[derive(Clone, Debug, Queryable)]
pub struct SeatRow {
    pub match_id: MatchId,
    pub seat: i16,
    pub player_id: PlayerId,
    pub display_name: String,
    /// Whether the account is gone.
    pub deleted: bool,
    /// Tells the player from another at the match whose name looks the same.
    pub tag: Option<String>,
    pub nonce: Option<String>,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub joined_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub left_at: Option<Timestamp>,
    pub left_why: Option<Leaving>,
    /// Who plays on for the player who left.
    pub stand_in_id: Option<PlayerId>,
    pub stand_in_name: Option<String>,
}

impl SeatRow {
    /// Who plays for this seat now, or did last.
    pub fn holder(&self) -> PlayerId {
        self.stand_in_id.unwrap_or(self.player_id)
    }

    /// Whether this player holds the seat or ever sat down there.
    pub fn knows(&self, player: PlayerId) -> bool {
        self.player_id == player || self.stand_in_id == Some(player)
    }
}

/// One version of a match.
#[derive(Debug, Queryable, Selectable)]
#[diesel(table_name = match_log, check_for_backend(Pg))]
pub struct LogRow {
    pub version: i32,
    pub seat: Option<i16>,
    pub chosen: Option<JsonText>,
    pub chance: JsonText,
    pub told: JsonText,
    pub made_by: MadeBy,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
}

/// JSON as the text that it is: neither parsed on its way into the database nor on its way out.
#[derive(Debug, diesel::expression::AsExpression, diesel::deserialize::FromSqlRow)]
#[diesel(sql_type = SqlJson)]
pub struct JsonText(pub Json);

impl FromSql<SqlJson, Pg> for JsonText {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_slice(value.as_bytes())?))
    }
}

impl ToSql<SqlJson, Pg> for JsonText {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        std::io::Write::write_all(out, self.0.get().as_bytes())?;
        Ok(IsNull::No)
    }
}

/// In the very words of the index on open matches, which the planner finds by no others.
const OPEN: &str = "matches.status IN ('waiting', 'running')";

/// The same of the index on matches that came to nothing.
const UNFINISHED: &str = "matches.status IN ('aborted', 'expired')";

/// A match without terms of its own is open.
const IN_LOBBY: &str =
    "NOT EXISTS (SELECT FROM match_terms t WHERE t.match_id = matches.id AND t.visibility <> 'open')";

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
    /// Those that ended so, the last to end first.
    pub ended: Option<&'a Ended>,
}

/// By when matches ended.
#[derive(Clone, Debug)]
pub struct Ended {
    /// In one of these times, from the first moment up to, but not, the second.
    pub within: Vec<(Timestamp, Timestamp)>,
    /// Before this one in their order.
    pub before: Option<Moment>,
}

impl Ended {
    fn ends(&self, end: fn(&(Timestamp, Timestamp)) -> Timestamp) -> Vec<SqlTimestamp> {
        self.within.iter().map(|window| SqlTimestamp::from(end(window))).collect()
    }
}

pub(super) async fn insert(conn: &mut AsyncPgConnection, new: &NewMatch<'_>) -> QueryResult<MatchRow> {
    diesel::insert_into(matches::table).values(new).returning(MatchRow::as_returning()).get_result(conn).await
}

pub async fn find(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<MatchRow>> {
    matches::table.find(id).select(MatchRow::as_select()).first(conn).await.optional()
}

/// A match, and all that stands beside it.
#[derive(Queryable)]
pub struct WholeMatch {
    pub row: MatchRow,
    /// As the engine saved it.
    pub state: Option<Vec<u8>>,
    pub terms: Option<Terms>,
    pub clock: Option<ClockRow>,
    /// What staff looked at.
    pub reveals: Reveals,
    /// The database's time, by which its clock is meant.
    #[diesel(deserialize_as = SqlTimestamp)]
    pub now: Timestamp,
}

pub async fn find_whole(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<WholeMatch>> {
    matches::table
        .left_join(match_terms::table.on(match_terms::match_id.eq(matches::id)))
        .left_join(match_clocks::table)
        .filter(matches::id.eq(id))
        .select((
            MatchRow::as_select(),
            matches::state,
            Option::<Terms>::as_select(),
            Option::<ClockRow>::as_select(),
            sql::<SqlJson>(REVEALS),
            dsl::now.into_sql::<Timestamptz>(),
        ))
        .first(conn)
        .await
        .optional()
}

pub(super) async fn insert_terms(conn: &mut AsyncPgConnection, id: MatchId, terms: &Terms) -> QueryResult<usize> {
    diesel::insert_into(match_terms::table).values((match_terms::match_id.eq(id), terms)).execute(conn).await
}

pub(super) async fn find_terms(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Terms> {
    let found = match_terms::table.find(id).select(Terms::as_select()).first(conn).await.optional()?;
    Ok(found.unwrap_or_default())
}

/// Those of these matches that are not the usual.
pub(super) async fn list_terms(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, Terms)>> {
    let of_these = match_terms::table.filter(match_terms::match_id.eq_any(ids));
    of_these.select((match_terms::match_id, Terms::as_select())).load(conn).await
}

pub(super) async fn find_rematch(conn: &mut AsyncPgConnection, of: MatchId) -> QueryResult<Option<MatchId>> {
    let found = match_terms::table.filter(match_terms::rematch_of.eq(of)).select(match_terms::match_id);
    found.first(conn).await.optional()
}

/// The seed of a match's chance.
pub(super) async fn find_seed(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<u8>> {
    matches::table.find(id).select(matches::seed).first(conn).await
}

/// Until the transaction ends nobody else changes the match, its seats or its log.
pub(super) async fn lock(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<MatchRow>> {
    matches::table.find(id).select(MatchRow::as_select()).for_update().first(conn).await.optional()
}

pub async fn find_id_by_code(conn: &mut AsyncPgConnection, code: &str) -> QueryResult<Option<MatchId>> {
    matches::table.filter(matches::code.eq(code)).select(matches::id).first(conn).await.optional()
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
            if let Some(Moment { at, id }) = ended.before {
                let before = sql::<Bool>("(matches.finished_at, matches.id) < (");
                let before =
                    before.bind::<Timestamptz, _>(SqlTimestamp::from(at)).sql(", ").bind::<Uuid, _>(id).sql(")");
                query = query.filter(before);
            }
            query.order((matches::finished_at.desc(), matches::id.desc()))
        }
    };
    if filter.ended.is_some() && matches!(filter.status, Some(Status::Aborted | Status::Expired)) {
        query = query.filter(sql::<Bool>(UNFINISHED));
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
        query = query.filter(sql::<Bool>(OPEN));
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
        Reader::Anybody => query = query.filter(sql::<Bool>(IN_LOBBY)),
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

pub(super) async fn is_invited(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<bool> {
    diesel::select(exists(match_invitations::table.find((id, player)))).get_result(conn).await
}

/// Somebody who was invited to a match.
#[derive(Debug, Queryable)]
pub(super) struct InvitationRow {
    pub player_id: PlayerId,
    pub display_name: String,
    pub deleted: bool,
    pub invited_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub created_at: Timestamp,
}

/// In the order of their invitations.
pub(super) async fn list_invitations(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<InvitationRow>> {
    match_invitations::table
        .inner_join(players::table)
        .filter(match_invitations::match_id.eq(id))
        .order((match_invitations::created_at, match_invitations::player_id))
        .select((
            match_invitations::player_id,
            players::display_name,
            players::deleted_at.is_not_null(),
            match_invitations::invited_by,
            match_invitations::created_at,
        ))
        .load(conn)
        .await
}

/// Whether the invitation is a new one.
pub(super) async fn insert_invitation(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
    by: PlayerId,
    now: Timestamp,
) -> QueryResult<bool> {
    let invitation = (
        match_invitations::match_id.eq(id),
        match_invitations::player_id.eq(player),
        match_invitations::invited_by.eq(by),
        match_invitations::created_at.eq(SqlTimestamp::from(now)),
    );
    let inserted =
        diesel::insert_into(match_invitations::table).values(invitation).on_conflict_do_nothing().execute(conn).await?;
    Ok(inserted > 0)
}

pub(super) async fn delete_invitation(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
) -> QueryResult<usize> {
    diesel::delete(match_invitations::table.find((id, player))).execute(conn).await
}

/// Whoever was invited to the one match is invited to the other.
pub(super) async fn copy_invitations(
    conn: &mut AsyncPgConnection,
    from: MatchId,
    to: MatchId,
    now: Timestamp,
) -> QueryResult<usize> {
    let copied = match_invitations::table.filter(match_invitations::match_id.eq(from)).select((
        to.into_sql::<Uuid>(),
        match_invitations::player_id,
        match_invitations::invited_by,
        SqlTimestamp::from(now).into_sql::<Timestamptz>(),
    ));
    diesel::insert_into(match_invitations::table).values(copied).execute(conn).await
}

/// Every match that waits or runs, the earliest first.
pub async fn list_open(conn: &mut AsyncPgConnection, limit: i64) -> QueryResult<Vec<MatchRow>> {
    let open = matches::table.filter(sql::<Bool>(OPEN));
    open.select(MatchRow::as_select()).order(matches::id).limit(limit).load(conn).await
}

/// Of these matches, by match and seat.
pub async fn list_seats(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<SeatRow>> {
    let stand_ins = diesel::alias!(players as stand_ins);
    let mut seats: Vec<SeatRow> = match_seats::table
        .inner_join(players::table)
        .left_join(stand_ins.on(match_seats::stand_in_id.eq(stand_ins.field(players::id).nullable())))
        .filter(match_seats::match_id.eq_any(ids))
        .order((match_seats::match_id, match_seats::seat))
        .select((
            match_seats::match_id,
            match_seats::seat,
            match_seats::player_id,
            players::display_name,
            players::deleted_at.is_not_null(),
            None::<&str>.into_sql::<Nullable<Text>>(),
            match_seats::nonce,
            match_seats::joined_at,
            match_seats::left_at,
            match_seats::left_why,
            match_seats::stand_in_id,
            stand_ins.field(players::display_name).nullable(),
        ))
        .load(conn)
        .await?;
    for of_match in seats.chunk_by_mut(|one, other| one.match_id == other.match_id) {
        let people: Vec<_> = of_match.iter().map(|it| (it.player_id, it.display_name.as_str())).collect();
        let tags = crate::players::tags(&people);
        of_match.iter_mut().zip(tags).for_each(|(seat, tag)| seat.tag = tag);
    }
    Ok(seats)
}

pub(super) async fn insert_seat(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    player: PlayerId,
    nonce: Option<&str>,
    now: Timestamp,
) -> QueryResult<usize> {
    let taken = (
        match_seats::match_id.eq(id),
        match_seats::seat.eq(seat),
        match_seats::player_id.eq(player),
        match_seats::nonce.eq(nonce),
        match_seats::joined_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(match_seats::table).values(taken).execute(conn).await
}

pub(super) async fn delete_seat(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<usize> {
    let mine = match_seats::table.filter(match_seats::match_id.eq(id)).filter(match_seats::player_id.eq(player));
    diesel::delete(mine).execute(conn).await
}

pub(super) async fn mark_left(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    why: Leaving,
    now: Timestamp,
) -> QueryResult<usize> {
    let at = SqlTimestamp::from(now);
    let stood_in = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::seat.eq(seat))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .filter(match_stand_ins::left_at.is_null());
    if diesel::update(stood_in).set(match_stand_ins::left_at.eq(at)).execute(conn).await? > 0 {
        return Ok(1);
    }
    let left = (match_seats::left_at.eq(at), match_seats::left_why.eq(why));
    diesel::update(match_seats::table.find((id, seat))).set(left).execute(conn).await
}

/// Offers the seat to the first player, by the second.
pub(super) async fn offer_seat(
    conn: &mut AsyncPgConnection,
    offer: uuid::Uuid,
    (id, seat): (MatchId, i16),
    (player, by): (PlayerId, PlayerId),
    now: Timestamp,
) -> QueryResult<usize> {
    let of_seat =
        match_stand_ins::table.filter(match_stand_ins::match_id.eq(id)).filter(match_stand_ins::seat.eq(seat));
    diesel::delete(of_seat.filter(match_stand_ins::accepted_at.is_null())).execute(conn).await?;
    let offered = (
        match_stand_ins::id.eq(offer),
        match_stand_ins::match_id.eq(id),
        match_stand_ins::seat.eq(seat),
        match_stand_ins::player_id.eq(player),
        match_stand_ins::offered_by.eq(by),
        match_stand_ins::offered_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(match_stand_ins::table).values(offered).execute(conn).await
}

/// The name of whom this seat is offered to at this moment.
pub(super) async fn find_offered(
    conn: &mut AsyncPgConnection,
    (id, seat): (MatchId, i16),
) -> QueryResult<Option<String>> {
    match_stand_ins::table
        .inner_join(players::table.on(players::id.eq(match_stand_ins::player_id)))
        .filter(match_stand_ins::match_id.eq(id).and(match_stand_ins::seat.eq(seat)))
        .filter(match_stand_ins::accepted_at.is_null())
        .select(players::display_name)
        .first(conn)
        .await
        .optional()
}

/// The open offer to this player in this match, and of which seat.
pub(super) async fn find_offer(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    player: PlayerId,
) -> QueryResult<Option<(uuid::Uuid, i16)>> {
    match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::player_id.eq(player))
        .filter(match_stand_ins::accepted_at.is_null())
        .order(match_stand_ins::seat)
        .select((match_stand_ins::id, match_stand_ins::seat))
        .first(conn)
        .await
        .optional()
}

/// Of a match that is locked and runs. Gives the news.
pub(super) async fn accept_seat(
    conn: &mut AsyncPgConnection,
    offer: uuid::Uuid,
    (id, seat): (MatchId, i16),
    player: PlayerId,
    version: i32,
    now: Timestamp,
) -> QueryResult<i64> {
    let accepted =
        (match_stand_ins::accepted_at.eq(SqlTimestamp::from(now)), match_stand_ins::from_version.eq(version));
    diesel::update(match_stand_ins::table.find(offer)).set(accepted).execute(conn).await?;
    let stands_in = match_seats::stand_in_id.eq(player);
    diesel::update(match_seats::table.find((id, seat))).set(stands_in).execute(conn).await?;
    let still_left = sql::<Integer>("resigned & ~").bind::<Integer, _>(1 << seat);
    diesel::update(matches::table.find(id))
        .set((matches::resigned.eq(still_left), matches::news.eq(matches::news + 1)))
        .returning(matches::news)
        .get_result(conn)
        .await
}

/// Whether this player holds or ever held a seat of the match besides this one.
pub(super) async fn has_held_another(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    player: PlayerId,
) -> QueryResult<bool> {
    let sat = match_seats::table
        .filter(match_seats::match_id.eq(id))
        .filter(match_seats::seat.ne(seat))
        .filter(match_seats::player_id.eq(player));
    let stood_in = match_stand_ins::table
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::seat.ne(seat))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .filter(match_stand_ins::player_id.eq(player));
    diesel::select(exists(sat).or(exists(stood_in))).get_result(conn).await
}

/// Who stood in for whom, in the order in which they did.
#[derive(Clone, Debug, Queryable)]
pub(super) struct StandInRow {
    pub seat: i16,
    pub player_id: PlayerId,
    pub display_name: String,
    pub from_version: Option<i32>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub left_at: Option<Timestamp>,
}

pub(super) async fn list_stand_ins(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Vec<StandInRow>> {
    match_stand_ins::table
        .inner_join(players::table.on(players::id.eq(match_stand_ins::player_id)))
        .filter(match_stand_ins::match_id.eq(id))
        .filter(match_stand_ins::accepted_at.is_not_null())
        .order(match_stand_ins::accepted_at)
        .select((
            match_stand_ins::seat,
            match_stand_ins::player_id,
            players::display_name,
            match_stand_ins::from_version,
            match_stand_ins::left_at,
        ))
        .load(conn)
        .await
}

/// Counts something that watchers may want to hear of.
pub(super) async fn raise_news(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<i64> {
    let raised = matches::news.eq(matches::news + 1);
    diesel::update(matches::table.find(id)).set(raised).returning(matches::news).get_result(conn).await
}

/// The matches of this player that wait, or run and are played here: where they sit and have not left, or stand in.
pub(super) async fn list_open_seats(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
) -> QueryResult<Vec<(MatchId, Status)>> {
    match_seats::table
        .inner_join(matches::table)
        .filter(
            match_seats::player_id
                .eq(player)
                .and(match_seats::left_at.is_null())
                .or(match_seats::stand_in_id.assume_not_null().eq(player)),
        )
        .filter(
            matches::status
                .eq(Status::Waiting)
                .or(matches::status.eq(Status::Running).and(matches::mode.eq(Mode::Played))),
        )
        .order(match_seats::match_id)
        .select((match_seats::match_id, matches::status))
        .load(conn)
        .await
}

/// The matches that this player made and that nobody has started yet.
pub(super) async fn list_waiting_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<MatchId>> {
    let made = matches::table.filter(matches::created_by.eq(player)).filter(matches::status.eq(Status::Waiting));
    made.select(matches::id).order(matches::id).load(conn).await
}

/// The code of a match in which both have a seat, if there is one.
pub(crate) async fn find_shared(
    conn: &mut AsyncPgConnection,
    one: PlayerId,
    other: PlayerId,
) -> QueryResult<Option<String>> {
    let of = |player| match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
    let shared = matches::table.filter(matches::id.eq_any(of(one))).filter(matches::id.eq_any(of(other)));
    shared.select(matches::code).first(conn).await.optional()
}

/// What this guest sat at and made is the player's, whom the guest was found to be: how many seats there were.
pub(crate) async fn hand_over(conn: &mut AsyncPgConnection, guest: PlayerId, player: PlayerId) -> QueryResult<usize> {
    let made = matches::table.filter(matches::created_by.eq(guest));
    diesel::update(made).set(matches::created_by.eq(player)).execute(conn).await?;
    for theirs in [
        "UPDATE match_invitations SET invited_by = $2 WHERE invited_by = $1",
        "UPDATE match_seats SET stand_in_id = $2 WHERE stand_in_id = $1",
        "UPDATE match_stand_ins SET player_id = $2 WHERE player_id = $1",
        "UPDATE match_results SET reported_by = $2 WHERE reported_by = $1",
        "UPDATE match_results SET confirmed_by = $2 WHERE confirmed_by = $1",
        "INSERT INTO match_invitations (match_id, player_id, invited_by, created_at)
         SELECT match_id, $2, invited_by, created_at FROM match_invitations WHERE player_id = $1 ON CONFLICT DO NOTHING",
    ] {
        sql_query(theirs).bind::<Uuid, _>(guest).bind::<Uuid, _>(player).execute(conn).await?;
    }
    let seats = match_seats::table.filter(match_seats::player_id.eq(guest));
    diesel::update(seats).set(match_seats::player_id.eq(player)).execute(conn).await
}

/// Counts news in every match that waits or runs and in which this player has a seat.
pub(super) async fn raise_news_of(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(MatchId, i64)>> {
    let theirs = match_seats::table.filter(match_seats::player_id.eq(player)).select(match_seats::match_id);
    let open = matches::table
        .filter(matches::id.eq_any(theirs))
        .filter(matches::status.eq_any([Status::Waiting, Status::Running]));
    diesel::update(open)
        .set(matches::news.eq(matches::news + 1))
        .returning((matches::id, matches::news))
        .get_results(conn)
        .await
}

/// Adds to the chance of a match that has not started.
pub(super) async fn add_nonce(conn: &mut AsyncPgConnection, id: MatchId, seat: i16, nonce: &str) -> QueryResult<usize> {
    diesel::update(match_seats::table.find((id, seat))).set(match_seats::nonce.eq(nonce)).execute(conn).await
}

/// What this player added to the chance of matches that never started, and so proves nothing.
pub(crate) async fn forget_nonces(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    let never_started = matches::table.filter(matches::started_at.is_null()).select(matches::id);
    let theirs = match_seats::table
        .filter(match_seats::player_id.eq(player))
        .filter(match_seats::nonce.is_not_null())
        .filter(match_seats::match_id.eq_any(never_started));
    diesel::update(theirs).set(match_seats::nonce.eq(None::<&str>)).execute(conn).await
}

/// A match as it starts.
pub(super) struct Started {
    pub status: Status,
    pub state: Vec<u8>,
    pub chance_count: i64,
    pub to_move: i32,
    pub interrupt: i32,
    pub outcome: Option<Value>,
    pub chance: JsonText,
    pub told: JsonText,
    pub at: Timestamp,
}

/// Of a match that is locked.
pub(super) async fn start(conn: &mut AsyncPgConnection, id: MatchId, started: &Started) -> QueryResult<i64> {
    let at = SqlTimestamp::from(started.at);
    let over = (started.status == Status::Finished).then_some(at);
    let set_up = (
        match_log::match_id.eq(id),
        match_log::version.eq(0),
        match_log::chance.eq(&started.chance),
        match_log::told.eq(&started.told),
        match_log::made_by.eq(MadeBy::House),
        match_log::at.eq(at),
    );
    diesel::insert_into(match_log::table).values(set_up).execute(conn).await?;
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(started.status),
            matches::state.eq(&started.state),
            matches::chance_count.eq(started.chance_count),
            matches::to_move.eq(started.to_move),
            matches::interrupt.eq(started.interrupt),
            matches::outcome.eq(&started.outcome),
            matches::started_at.eq(at),
            matches::moved_at.eq(at),
            matches::finished_at.eq(over),
            matches::news.eq(matches::news + 1),
        ))
        .returning(matches::news)
        .get_result(conn)
        .await
}

/// A version of a match, as it is written down.
#[derive(Insertable)]
#[diesel(table_name = match_log)]
pub(super) struct NewLogRow {
    pub match_id: MatchId,
    pub version: i32,
    pub seat: Option<i16>,
    pub chosen: Option<JsonText>,
    pub chance: JsonText,
    pub told: JsonText,
    pub made_by: MadeBy,
    pub at: SqlTimestamp,
}

diesel::table! {
    /// A match as moves change it.
    #[sql_name = "matches"]
    moved_matches (id) {
        id -> Uuid,
        version -> Int4,
        news -> Int8,
        status -> Text,
        state -> Nullable<Bytea>,
        chance_count -> Int8,
        to_move -> Int4,
        interrupt -> Int4,
        decision_since -> Int4,
        outcome -> Nullable<Jsonb>,
        moved_at -> Nullable<Timestamptz>,
        finished_at -> Nullable<Timestamptz>,
    }
}

/// What many moves in a row make of a match that is locked and runs.
#[derive(AsChangeset)]
#[diesel(table_name = moved_matches)]
pub(super) struct PlayedOn<'a> {
    pub version: i32,
    pub status: Status,
    pub state: &'a [u8],
    pub chance_count: i64,
    pub to_move: i32,
    pub interrupt: i32,
    pub decision_since: i32,
    pub outcome: Option<Value>,
    pub moved_at: SqlTimestamp,
    pub finished_at: Option<SqlTimestamp>,
}

pub(super) async fn play_on(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    log: &[NewLogRow],
    now: &PlayedOn<'_>,
) -> QueryResult<i64> {
    // Each row binds eight parameters, of which a statement takes 65 535.
    for rows in log.chunks(4000) {
        diesel::insert_into(match_log::table).values(rows).execute(conn).await?;
    }
    let news = i64::try_from(log.len()).unwrap_or(i64::MAX);
    diesel::update(moved_matches::table.find(id))
        .set((now, moved_matches::news.eq(moved_matches::news + news)))
        .returning(moved_matches::news)
        .get_result(conn)
        .await
}

/// Of a match that is locked: it is played elsewhere, and written down here.
pub(super) async fn start_scored(conn: &mut AsyncPgConnection, id: MatchId, now: Timestamp) -> QueryResult<i64> {
    let at = SqlTimestamp::from(now);
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(Status::Running),
            matches::started_at.eq(at),
            matches::moved_at.eq(at),
            matches::news.eq(matches::news + 1),
        ))
        .returning(matches::news)
        .get_result(conn)
        .await
}

/// Of a match that is locked and runs. Gives the set of all seats for which the house moves, of how many, and the news.
pub(super) async fn hand_to_house(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
) -> QueryResult<(i32, i16, i64)> {
    let resigned = sql::<Integer>("resigned | ").bind::<Integer, _>(1 << seat);
    diesel::update(matches::table.find(id))
        .set((matches::resigned.eq(resigned), matches::news.eq(matches::news + 1)))
        .returning((matches::resigned, matches::seat_count, matches::news))
        .get_result(conn)
        .await
}

/// Of a match that is locked and not over: it ends without an outcome.
pub(super) async fn call_off(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    status: Status,
    now: Timestamp,
) -> QueryResult<i64> {
    diesel::update(matches::table.find(id))
        .set((
            matches::status.eq(status),
            matches::finished_at.eq(SqlTimestamp::from(now)),
            matches::to_move.eq(0),
            matches::interrupt.eq(0),
            matches::news.eq(matches::news + 1),
        ))
        .returning(matches::news)
        .get_result(conn)
        .await
}

/// Ends matches that wait since before `made`, and those that run and in which nobody moved since `moved`.
pub(super) async fn expire(
    conn: &mut AsyncPgConnection,
    (made, moved): (Timestamp, Timestamp),
    now: Timestamp,
) -> QueryResult<Vec<(MatchId, i64)>> {
    let waited = matches::status.eq(Status::Waiting).and(matches::created_at.lt(SqlTimestamp::from(made)));
    let ran =
        matches::status.eq(Status::Running).and(matches::moved_at.assume_not_null().lt(SqlTimestamp::from(moved)));
    // A result that waits for somebody is not forgotten: it is in the queue of the staff.
    let unsettled = sql::<Bool>(
        "NOT EXISTS (SELECT FROM match_results r WHERE r.match_id = matches.id AND r.status IN ('reported', 'disputed'))",
    );
    diesel::update(matches::table.filter(sql::<Bool>(OPEN)).filter(waited.or(ran)).filter(unsettled))
        .set((
            matches::status.eq(Status::Expired),
            matches::finished_at.eq(SqlTimestamp::from(now)),
            matches::to_move.eq(0),
            matches::interrupt.eq(0),
            matches::news.eq(matches::news + 1),
        ))
        .returning((matches::id, matches::news))
        .get_results(conn)
        .await
}

/// Running matches that wait for a seat whose player has left.
pub(super) async fn list_left_on_turn(conn: &mut AsyncPgConnection, limit: i64) -> QueryResult<Vec<MatchId>> {
    // In the very words of its index.
    let left = matches::table.filter(sql::<Bool>("status = 'running' AND resigned <> 0 AND (to_move & resigned) <> 0"));
    left.select(matches::id).limit(limit).load(conn).await
}

/// Locks the match until the transaction ends, if it runs and nobody else has it locked.
pub(super) async fn lock_running_unless_busy(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<bool> {
    let running = matches::table.find(id).filter(matches::status.eq(Status::Running)).select(matches::id);
    Ok(running.for_update().skip_locked().first::<MatchId>(conn).await.optional()?.is_some())
}

/// By whom the latest moves of this seat were made, the latest first.
pub(super) async fn list_makers(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    seat: i16,
    limit: i64,
) -> QueryResult<Vec<MadeBy>> {
    // What was before a stand-in came is not the stand-in's.
    let since = sql::<Bool>(
        "version > coalesce((SELECT max(from_version) FROM match_stand_ins s WHERE s.match_id = match_log.match_id \
         AND s.seat = match_log.seat), 0)",
    );
    let moves = match_log::table.filter(match_log::match_id.eq(id)).filter(match_log::seat.eq(seat)).filter(since);
    moves.order(match_log::version.desc()).limit(limit).select(match_log::made_by).load(conn).await
}

/// The versions after this one, rising.
pub async fn list_log(conn: &mut AsyncPgConnection, id: MatchId, after: i32, limit: i64) -> QueryResult<Vec<LogRow>> {
    match_log::table
        .filter(match_log::match_id.eq(id))
        .filter(match_log::version.gt(after))
        .order(match_log::version)
        .limit(limit)
        .select(LogRow::as_select())
        .load(conn)
        .await
}

/// A move that a player made themselves.
#[derive(Queryable)]
pub(crate) struct OwnMove {
    pub match_id: MatchId,
    pub version: i32,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    pub chosen: Option<JsonText>,
}

/// This player's moves in these matches, by match and version; those that the house made for them are not theirs.
pub(crate) async fn list_moves_of(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    ids: &[MatchId],
) -> QueryResult<Vec<OwnMove>> {
    let of_seat = match_seats::match_id.eq(match_log::match_id).and(match_seats::seat.nullable().eq(match_log::seat));
    match_log::table
        .inner_join(match_seats::table.on(of_seat))
        .filter(match_log::match_id.eq_any(ids))
        .filter(
            sql::<Bool>(
                "coalesce((SELECT s.player_id FROM match_stand_ins s WHERE s.match_id = match_log.match_id \
                 AND s.seat = match_log.seat AND s.from_version < match_log.version \
                 ORDER BY s.from_version DESC LIMIT 1), match_seats.player_id) = ",
            )
            .bind::<Uuid, _>(player),
        )
        .filter(match_log::made_by.eq(MadeBy::Player))
        .order((match_log::match_id, match_log::version))
        .select((match_log::match_id, match_log::version, match_log::at, match_log::chosen))
        .load(conn)
        .await
}

/// The count of news of each of these matches.
pub(crate) const NEWS_OF: &str = "SELECT id::text, news FROM matches WHERE id = ANY($1::text[]::uuid[])";
