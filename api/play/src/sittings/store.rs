//! Rows and queries of sittings, their members and their matches.

use diesel::dsl::{count_star, exists, sql};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Array, BigInt, Bool, Double, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::{Value, json};

use super::{SittingEnd, SittingState};
use base::auth::Role;
use base::db::{Fingerprint, fixed, statement};
use base::ids::{MatchId, PlayerId, SittingId, TableId, least_at};
use base::schema::{match_sittings, matches, players, sitting_members, sittings};
use base::settings::{Bill, Headcounts, Prices};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = sittings, check_for_backend(Pg))]
pub struct SittingRow {
    pub id: SittingId,
    pub table_id: TableId,
    pub party_size: i16,
    pub join_token: String,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub opened_at: Timestamp,
    pub opened_by: PlayerId,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub remind_at: Timestamp,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub closing_at: Option<Timestamp>,
    #[diesel(deserialize_as = NullableTimestamp)]
    pub closed_at: Option<Timestamp>,
    pub ended: Option<SittingEnd>,
    pub merged_into: Option<SittingId>,
    /// Empty where it was always as many.
    #[diesel(deserialize_as = Value)]
    pub headcounts: Headcounts,
    #[diesel(deserialize_as = Option<Value>)]
    pub owed: Owed,
}

/// What was owed, as it is kept. What cannot be read is nothing.
#[derive(Clone, Debug, Default)]
pub struct Owed(Option<Bill>);

#[derive(Insertable)]
#[diesel(table_name = sittings)]
pub struct NewSitting<'a> {
    pub id: SittingId,
    pub table_id: TableId,
    pub party_size: i16,
    pub join_token: &'a str,
    pub opened_at: SqlTimestamp,
    pub opened_by: PlayerId,
    pub remind_at: SqlTimestamp,
}

/// Somebody who scanned the code.
#[derive(Clone, Debug, Queryable)]
pub struct MemberRow {
    pub sitting_id: SittingId,
    pub player_id: PlayerId,
    pub display_name: String,
    pub deleted: bool,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub joined_at: Timestamp,
}

/// How many came.
#[derive(QueryableByName)]
struct Came {
    #[diesel(sql_type = BigInt)]
    parties: i64,
    #[diesel(sql_type = BigInt)]
    people: i64,
}

/// What was owed in one currency.
#[derive(QueryableByName)]
struct Sum {
    #[diesel(sql_type = Text)]
    currency: String,
    #[diesel(sql_type = BigInt)]
    total: i64,
}

/// Somebody who was a member.
#[derive(QueryableByName)]
struct Gone {
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    joined_at: Timestamp,
}

/// A match whose seat was freed, and its count of news.
#[derive(QueryableByName)]
struct Freed {
    #[diesel(sql_type = SqlUuid)]
    id: MatchId,
    #[diesel(sql_type = BigInt)]
    change_seq: i64,
}

/// When a table's last party left.
#[derive(QueryableByName)]
struct LastEnd {
    #[diesel(sql_type = SqlUuid)]
    table_id: TableId,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    closed_at: Timestamp,
}

/// How many seconds parties stayed.
#[derive(QueryableByName)]
pub struct StayRow {
    #[diesel(sql_type = BigInt)]
    pub parties: i64,
    #[diesel(sql_type = Nullable<Double>)]
    pub median: Option<f64>,
    /// What nine of ten did not exceed.
    #[diesel(sql_type = Nullable<Double>)]
    pub p90: Option<f64>,
}

impl SittingRow {
    pub fn state(&self) -> SittingState {
        SittingState {
            table_id: self.table_id,
            party_size: self.party_size,
            remind_at: self.remind_at,
            closing_at: self.closing_at,
            closed_at: self.closed_at,
            ended: self.ended,
            headcounts: self.counted(),
            owed: self.owed.0.clone(),
        }
    }

    /// How many they were, since when.
    fn counted(&self) -> Headcounts {
        let counts = &self.headcounts;
        if counts.is_empty() { Headcounts::of(self.opened_at, self.party_size) } else { counts.clone() }
    }

    /// What the party owed when it left, or owes now. It stands still while they are about to leave.
    pub fn bill(&self, prices: Option<&Prices<'_>>, now: Timestamp) -> Option<Bill> {
        match self.closed_at {
            Some(_) => self.owed.0.clone(),
            None => Some(prices?.bill(&self.counted(), self.closing_at.unwrap_or(now))),
        }
    }
}

impl Owed {
    pub fn bill(&self) -> Option<&Bill> {
        self.0.as_ref()
    }
}

impl From<Option<Value>> for Owed {
    fn from(kept: Option<Value>) -> Self {
        Self(kept.and_then(|it| serde_json::from_value(it).ok()))
    }
}

/// None if somebody sits there already.
pub async fn insert(conn: &mut AsyncPgConnection, new: &NewSitting<'_>) -> QueryResult<Option<SittingRow>> {
    diesel::insert_into(sittings::table)
        .values(new)
        .on_conflict_do_nothing()
        .returning(SittingRow::as_returning())
        .get_result(conn)
        .await
        .optional()
}

pub async fn find(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<Option<SittingRow>> {
    sittings::table.find(id).select(SittingRow::as_select()).first(conn).await.optional()
}

pub async fn lock(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<Option<SittingRow>> {
    sittings::table.find(id).select(SittingRow::as_select()).for_update().first(conn).await.optional()
}

/// Always in the same order, so that nobody waits for one who waits for them.
pub async fn lock_all(conn: &mut AsyncPgConnection, ids: &[SittingId]) -> QueryResult<()> {
    let these = sittings::table.filter(sittings::id.eq_any(ids)).order(sittings::id).select(sittings::id);
    these.for_update().load::<SittingId>(conn).await.map(drop)
}

/// Parties that came since then, and their people.
pub async fn count_since(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<(i64, i64)> {
    const COUNT: &str = "SELECT count(*) AS parties, coalesce(sum(party_size), 0)::bigint AS people FROM sittings
        WHERE opened_at >= $1 AND (ended IS NULL OR ended IN ('left', 'forgotten'))";
    let count: Came = statement(COUNT).bind::<Timestamptz, _>(SqlTimestamp::from(since)).get_result(conn).await?;
    Ok((count.parties, count.people))
}

/// What parties owed that left since then, by currency. Nobody stays for two days.
pub async fn sum_owed_since(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<Vec<(String, i64)>> {
    const SUM: &str =
        "SELECT owed ->> 'currency' AS currency, sum((owed ->> 'total')::bigint)::bigint AS total FROM sittings
        WHERE opened_at >= $1 - interval '2 days' AND closed_at >= $1 AND owed IS NOT NULL GROUP BY 1 ORDER BY 1";
    let sums: Vec<Sum> = statement(SUM).bind::<Timestamptz, _>(SqlTimestamp::from(since)).load(conn).await?;
    Ok(sums.into_iter().map(|sum| (sum.currency, sum.total)).collect())
}

/// The party at this table.
pub async fn find_open(conn: &mut AsyncPgConnection, table: TableId) -> QueryResult<Option<SittingRow>> {
    open_at(table).first(conn).await.optional()
}

pub async fn lock_open(conn: &mut AsyncPgConnection, table: TableId) -> QueryResult<Option<SittingRow>> {
    open_at(table).for_update().first(conn).await.optional()
}

#[diesel::dsl::auto_type]
fn open_at(table: TableId) -> _ {
    let row: diesel::dsl::AsSelect<SittingRow, Pg> = SittingRow::as_select();
    sittings::table.filter(sittings::table_id.eq(table)).filter(sittings::closed_at.is_null()).select(row)
}

pub async fn lock_by_token(conn: &mut AsyncPgConnection, token: &str) -> QueryResult<Option<SittingRow>> {
    let open = sittings::table.filter(sittings::join_token.eq(token)).filter(sittings::closed_at.is_null());
    open.select(SittingRow::as_select()).for_update().first(conn).await.optional()
}

/// Every party that is there now.
pub async fn list_open(conn: &mut AsyncPgConnection) -> QueryResult<Vec<SittingRow>> {
    sittings::table.filter(sittings::closed_at.is_null()).select(SittingRow::as_select()).load(conn).await
}

/// When the last party of each of these tables left, where none sits now: one look into the index for each.
pub async fn list_last_ends(
    conn: &mut AsyncPgConnection,
    tables: &[TableId],
) -> QueryResult<Vec<(TableId, Timestamp)>> {
    const LAST_ENDS: &str = "SELECT it.id AS table_id, last.closed_at FROM unnest($1) AS it (id)
        CROSS JOIN LATERAL (SELECT closed_at FROM sittings WHERE table_id = it.id ORDER BY id DESC LIMIT 1) AS last
        WHERE last.closed_at IS NOT NULL";
    let ends = statement(LAST_ENDS).bind::<Array<SqlUuid>, _>(tables.to_vec());
    let ends: Vec<LastEnd> = ends.load(conn).await?;
    Ok(ends.into_iter().map(|end| (end.table_id, end.closed_at)).collect())
}

/// How long the latest parties stayed that came since then and have left.
pub async fn find_stay(conn: &mut AsyncPgConnection, since: Timestamp) -> QueryResult<StayRow> {
    const STAY: &str = "SELECT count(*) AS parties,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median,
            percentile_cont(0.9) WITHIN GROUP (ORDER BY seconds) AS p90
        FROM (SELECT extract(epoch FROM greatest(closed_at, opened_at) - opened_at)::double precision AS seconds
              FROM sittings WHERE opened_at >= $1 AND ended = 'left' ORDER BY opened_at DESC LIMIT 300) AS latest";
    statement(STAY).bind::<Timestamptz, _>(SqlTimestamp::from(since)).get_result(conn).await
}

/// A text that is another as soon as the party at this table, its calls, its matches or the bout that holds it have changed, but for
/// moves.
pub async fn find_fingerprint(conn: &mut AsyncPgConnection, table: TableId) -> QueryResult<String> {
    // Of a match a move counts as one piece of news.
    const FINGERPRINT: &str = "SELECT concat_ws(' ', t.out_of_service_since, t.archived_at, s.id, s.party_size, s.closing_at,
            (SELECT string_agg(p.display_name, ',' ORDER BY p.id)
             FROM sitting_members m JOIN players p ON p.id = m.player_id WHERE m.sitting_id = s.id),
            (SELECT string_agg(concat(k.id, k.status), ',' ORDER BY k.id) FROM claims k WHERE k.sitting_id = s.id),
            (SELECT string_agg(concat(c.id, c.status), ',' ORDER BY c.id) FROM calls c WHERE c.sitting_id = s.id),
            (SELECT string_agg(concat(m.id, m.status, m.change_seq - m.version), ',' ORDER BY m.id)
             FROM match_sittings JOIN matches m ON m.id = match_id WHERE match_sittings.sitting_id = s.id),
            (SELECT string_agg(concat(h.tournament_id, h.key), ',' ORDER BY h.key) FROM table_holds h WHERE h.table_id = t.id)
            ) AS fingerprint
        FROM tables t LEFT JOIN sittings s ON s.table_id = t.id AND s.closed_at IS NULL WHERE t.id = $1";
    let found = statement(FINGERPRINT).bind::<SqlUuid, _>(table).get_result::<Fingerprint>(conn).await?;
    Ok(found.fingerprint)
}

/// At this table, the latest first.
pub async fn list_at(
    conn: &mut AsyncPgConnection,
    table: TableId,
    before: Option<SittingId>,
    limit: i64,
) -> QueryResult<Vec<SittingRow>> {
    let mut query = sittings::table.filter(sittings::table_id.eq(table)).into_boxed();
    if let Some(before) = before {
        query = query.filter(sittings::id.lt(before));
    }
    query.select(SittingRow::as_select()).order(sittings::id.desc()).limit(limit).load(conn).await
}

/// Of a sitting that is locked.
pub async fn write(conn: &mut AsyncPgConnection, id: SittingId, now: &SittingState) -> QueryResult<SittingRow> {
    diesel::update(sittings::table.find(id))
        .set((
            sittings::table_id.eq(now.table_id),
            sittings::party_size.eq(now.party_size),
            sittings::remind_at.eq(SqlTimestamp::from(now.remind_at)),
            sittings::closing_at.eq(now.closing_at.map(SqlTimestamp::from)),
            sittings::closed_at.eq(now.closed_at.map(SqlTimestamp::from)),
            sittings::ended.eq(now.ended),
            sittings::headcounts.eq(json!(now.headcounts)),
            sittings::owed.eq(now.owed.as_ref().map(|bill| json!(bill))),
        ))
        .returning(SittingRow::as_returning())
        .get_result(conn)
        .await
}

/// Of two sittings that are locked: the one ends as a part of the other, or no longer.
pub async fn set_merged(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    into: Option<(SittingId, Timestamp)>,
) -> QueryResult<usize> {
    diesel::update(sittings::table.find(id))
        .set((
            sittings::merged_into.eq(into.map(|(into, _)| into)),
            sittings::closed_at.eq(into.map(|(_, at)| SqlTimestamp::from(at))),
            sittings::ended.eq(into.map(|_| SittingEnd::Merged)),
        ))
        .execute(conn)
        .await
}

/// Ends those that nobody has heard of since then: no match of theirs was made or moved, nobody joined, nobody called, and staff did
/// nothing at their table.
pub async fn close_idle(conn: &mut AsyncPgConnection, since: Timestamp, now: Timestamp) -> QueryResult<Vec<SittingId>> {
    let silent = sql::<Bool>(
        "NOT EXISTS (SELECT FROM match_sittings ms JOIN matches m ON m.id = ms.match_id
         WHERE ms.sitting_id = sittings.id AND greatest(m.created_at, m.moved_at, m.finished_at) >= ",
    )
    .bind::<Timestamptz, _>(SqlTimestamp::from(since))
    .sql(") AND NOT EXISTS (SELECT FROM sitting_members sm WHERE sm.sitting_id = sittings.id AND sm.joined_at >= ")
    .bind::<Timestamptz, _>(SqlTimestamp::from(since))
    .sql(") AND NOT EXISTS (SELECT FROM calls c WHERE c.sitting_id = sittings.id AND c.called_at >= ")
    .bind::<Timestamptz, _>(SqlTimestamp::from(since))
    .sql(") AND NOT EXISTS (SELECT FROM undos u WHERE u.table_id = sittings.table_id AND u.id >= ")
    .bind::<SqlUuid, _>(least_at(since))
    .sql(" AND u.at >= ")
    .bind::<Timestamptz, _>(SqlTimestamp::from(since))
    .sql(") AND NOT EXISTS (SELECT FROM undos u WHERE u.other_table_id = sittings.table_id AND u.id >= ")
    .bind::<SqlUuid, _>(least_at(since))
    .sql(" AND u.at >= ")
    .bind::<Timestamptz, _>(SqlTimestamp::from(since))
    .sql(")");
    let forgotten = sittings::table
        .filter(sittings::closed_at.is_null())
        .filter(sittings::opened_at.lt(SqlTimestamp::from(since)))
        .filter(sittings::remind_at.lt(SqlTimestamp::from(now)))
        .filter(silent);
    diesel::update(forgotten)
        .set((sittings::closed_at.eq(SqlTimestamp::from(now)), sittings::ended.eq(SittingEnd::Forgotten)))
        .returning(sittings::id)
        .get_results(conn)
        .await
}

/// Whether this player ($2) was taken off this party ($1), or off one that sat down with it: rows if so.
macro_rules! removals {
    () => {
        "WITH RECURSIVE sought (id) AS (SELECT $1::uuid), parties AS (
             SELECT s.id, s.merged_into FROM removed_members r JOIN sittings s ON s.id = r.sitting_id WHERE r.player_id = $2
             UNION SELECT s.id, s.merged_into FROM sittings s JOIN parties ON s.id = parties.merged_into
         ) SELECT FROM parties JOIN sought USING (id)"
    };
}

/// Whether they are new. Nobody whom staff took off the party is.
pub async fn insert_member(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    player: PlayerId,
    at: Timestamp,
) -> QueryResult<bool> {
    const INSERT: &str = concat!(
        "INSERT INTO sitting_members (sitting_id, player_id, joined_at) SELECT $1, $2, $3 WHERE NOT EXISTS (",
        removals!(),
        ") ON CONFLICT DO NOTHING"
    );
    let insert = statement(INSERT).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    Ok(insert.bind::<Timestamptz, _>(SqlTimestamp::from(at)).execute(conn).await? == 1)
}

pub async fn is_removed(conn: &mut AsyncPgConnection, id: SittingId, player: PlayerId) -> QueryResult<bool> {
    let removals = statement(removals!()).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    Ok(removals.execute(conn).await? > 0)
}

/// Of the party, which is locked: when they had joined it, if they were a member.
pub async fn remove_member(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    player: PlayerId,
    at: Timestamp,
) -> QueryResult<Option<Timestamp>> {
    // Who was removed before may have come back with a party that sat down with this one.
    const REMOVE: &str =
        "WITH gone AS (DELETE FROM sitting_members WHERE sitting_id = $1 AND player_id = $2 RETURNING *)
        INSERT INTO removed_members (sitting_id, player_id, joined_at, removed_at)
        SELECT sitting_id, player_id, joined_at, $3 FROM gone
        ON CONFLICT (sitting_id, player_id) DO UPDATE SET joined_at = excluded.joined_at, removed_at = excluded.removed_at
        RETURNING joined_at";
    let remove = statement(REMOVE).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    let gone = remove.bind::<Timestamptz, _>(SqlTimestamp::from(at)).get_result::<Gone>(conn).await.optional()?;
    Ok(gone.map(|it| it.joined_at))
}

/// Whether they had been removed from the party, which is locked, and are no member.
pub async fn restore_member(conn: &mut AsyncPgConnection, id: SittingId, player: PlayerId) -> QueryResult<bool> {
    const RESTORE: &str =
        "WITH back AS (DELETE FROM removed_members WHERE sitting_id = $1 AND player_id = $2 RETURNING *)
        INSERT INTO sitting_members (sitting_id, player_id, joined_at) SELECT sitting_id, player_id, joined_at FROM back
        ON CONFLICT DO NOTHING";
    let restore = statement(RESTORE).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    Ok(restore.execute(conn).await? == 1)
}

pub async fn set_token(conn: &mut AsyncPgConnection, id: SittingId, token: &str) -> QueryResult<SittingRow> {
    let changed = diesel::update(sittings::table.find(id)).set(sittings::join_token.eq(token));
    changed.returning(SittingRow::as_returning()).get_result(conn).await
}

/// A player gets up from the party's matches that wait, which are locked, but for those of tournaments: the matches' counts of news.
pub async fn free_seats(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    player: PlayerId,
) -> QueryResult<Vec<(MatchId, i64)>> {
    const FREE: &str = "WITH waiting AS (
            SELECT m.id FROM matches m JOIN match_sittings w ON w.match_id = m.id
            WHERE w.sitting_id = $1 AND m.status = 'waiting'
                AND NOT EXISTS (SELECT FROM tournament_bouts b WHERE b.match_id = m.id)
        ), freed AS (
            DELETE FROM match_seats s USING waiting WHERE s.match_id = waiting.id AND s.player_id = $2 RETURNING s.match_id
        )
        UPDATE matches SET change_seq = change_seq + 1 WHERE id IN (SELECT match_id FROM freed) RETURNING id, change_seq";
    let freed = statement(FREE).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(player);
    let freed: Vec<Freed> = freed.load(conn).await?;
    Ok(freed.into_iter().map(|it| (it.id, it.change_seq)).collect())
}

pub async fn count_members(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<i64> {
    sitting_members::table.filter(sitting_members::sitting_id.eq(id)).select(count_star()).first(conn).await
}

/// In the order in which they came.
pub async fn list_members(conn: &mut AsyncPgConnection, ids: &[SittingId]) -> QueryResult<Vec<MemberRow>> {
    sitting_members::table
        .inner_join(players::table)
        .filter(sitting_members::sitting_id.eq_any(ids))
        .order((sitting_members::joined_at, sitting_members::player_id))
        .select(member_columns())
        .load(conn)
        .await
}

/// Who came to parties that were complete and are still there, the first first.
pub async fn list_uninvited(conn: &mut AsyncPgConnection) -> QueryResult<Vec<MemberRow>> {
    let is_here = "EXISTS (SELECT FROM sittings s WHERE s.id = sitting_members.sitting_id AND s.closed_at IS NULL)";
    sitting_members::table
        .inner_join(players::table)
        .filter(sitting_members::uninvited)
        .filter(fixed::<Bool>(is_here))
        .filter(players::deleted_at.is_null())
        .order((sitting_members::joined_at, sitting_members::player_id))
        .select(member_columns())
        .load(conn)
        .await
}

/// Whether this changed anything.
pub async fn set_uninvited(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    player: PlayerId,
    uninvited: bool,
) -> QueryResult<bool> {
    let member = sitting_members::table.find((id, player)).filter(sitting_members::uninvited.ne(uninvited));
    Ok(diesel::update(member).set(sitting_members::uninvited.eq(uninvited)).execute(conn).await? == 1)
}

type MemberColumns = (
    sitting_members::sitting_id,
    sitting_members::player_id,
    players::display_name,
    diesel::dsl::IsNotNull<players::deleted_at>,
    sitting_members::joined_at,
);

fn member_columns() -> MemberColumns {
    (
        sitting_members::sitting_id,
        sitting_members::player_id,
        players::display_name,
        players::deleted_at.is_not_null(),
        sitting_members::joined_at,
    )
}

/// A party that somebody joined.
#[derive(QueryableByName)]
pub struct Joined {
    #[diesel(sql_type = SqlUuid)]
    pub id: SittingId,
    /// The table's name.
    #[diesel(sql_type = Text)]
    pub table_name: String,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    pub joined_at: Timestamp,
    /// When staff took them off it.
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub removed_at: Option<Timestamp>,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub closed_at: Option<Timestamp>,
}

/// The parties that this player joined, the latest first.
pub async fn list_joined(conn: &mut AsyncPgConnection, player: PlayerId, limit: i64) -> QueryResult<Vec<Joined>> {
    const JOINED: &str = "SELECT s.id, t.name AS table_name, j.joined_at, j.removed_at, s.closed_at
        FROM (SELECT sitting_id, joined_at, NULL AS removed_at FROM sitting_members WHERE player_id = $1
              UNION ALL SELECT sitting_id, joined_at, removed_at FROM removed_members WHERE player_id = $1) AS j
        JOIN sittings s ON s.id = j.sitting_id JOIN tables t ON t.id = s.table_id ORDER BY s.id DESC LIMIT $2";
    statement(JOINED).bind::<SqlUuid, _>(player).bind::<BigInt, _>(limit).load(conn).await
}

pub async fn is_member(conn: &mut AsyncPgConnection, id: SittingId, player: PlayerId) -> QueryResult<bool> {
    diesel::select(exists(sitting_members::table.find((id, player)))).get_result(conn).await
}

/// The other party's members become this one's too: those who were not.
pub async fn copy_members(
    conn: &mut AsyncPgConnection,
    from: SittingId,
    into: SittingId,
) -> QueryResult<Vec<PlayerId>> {
    use diesel::IntoSql;
    let theirs = sitting_members::table.filter(sitting_members::sitting_id.eq(from)).select((
        into.into_sql::<SqlUuid>(),
        sitting_members::player_id,
        sitting_members::joined_at,
        sitting_members::uninvited,
    ));
    diesel::insert_into(sitting_members::table)
        .values(theirs)
        .into_columns((
            sitting_members::sitting_id,
            sitting_members::player_id,
            sitting_members::joined_at,
            sitting_members::uninvited,
        ))
        .on_conflict_do_nothing()
        .returning(sitting_members::player_id)
        .get_results(conn)
        .await
}

pub async fn delete_members(conn: &mut AsyncPgConnection, id: SittingId, players: &[PlayerId]) -> QueryResult<usize> {
    let members = sitting_members::table.filter(sitting_members::sitting_id.eq(id));
    diesel::delete(members.filter(sitting_members::player_id.eq_any(players))).execute(conn).await
}

/// Says whose match it is, in the transaction that makes it, and locks the party for one that counts its matches. False if the
/// sitting is over.
pub async fn attach(conn: &mut AsyncPgConnection, id: MatchId, sitting: SittingId) -> QueryResult<bool> {
    let open = sittings::table.find(sitting).filter(sittings::closed_at.is_null()).select(sittings::id);
    if open.for_no_key_update().first::<SittingId>(conn).await.optional()?.is_none() {
        return Ok(false);
    }
    let whose = (match_sittings::match_id.eq(id), match_sittings::sitting_id.eq(sitting));
    diesel::insert_into(match_sittings::table).values(whose).execute(conn).await?;
    Ok(true)
}

/// The party whose match it is, as long as it is there.
pub async fn find_of_match(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<SittingRow>> {
    let whose = match_sittings::table.filter(match_sittings::match_id.eq(id)).select(match_sittings::sitting_id);
    let open = sittings::table.filter(sittings::id.eq_any(whose)).filter(sittings::closed_at.is_null());
    open.select(SittingRow::as_select()).first(conn).await.optional()
}

/// The same, and until the transaction ends the party stays, and so does each of its members.
pub async fn lock_of_match(conn: &mut AsyncPgConnection, id: MatchId) -> QueryResult<Option<SittingRow>> {
    let whose = match_sittings::table.filter(match_sittings::match_id.eq(id)).select(match_sittings::sitting_id);
    let open = sittings::table.filter(sittings::id.eq_any(whose)).filter(sittings::closed_at.is_null());
    open.select(SittingRow::as_select()).for_update().first(conn).await.optional()
}

/// Whose these matches are, of those made at a table.
pub async fn list_of_matches(conn: &mut AsyncPgConnection, ids: &[MatchId]) -> QueryResult<Vec<(MatchId, SittingId)>> {
    let whose = match_sittings::table.filter(match_sittings::match_id.eq_any(ids));
    whose.select((match_sittings::match_id, match_sittings::sitting_id)).load(conn).await
}

/// Whether this player may sit down at the match: one of the party whose match it is, as long as the party is there, or
/// anyone who works here.
pub async fn lets_in(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<bool> {
    let whose = match_sittings::table.filter(match_sittings::match_id.eq(id));
    let member = sitting_members::table
        .inner_join(sittings::table.inner_join(match_sittings::table))
        .filter(match_sittings::match_id.eq(id))
        .filter(sitting_members::player_id.eq(player))
        .filter(sittings::closed_at.is_null());
    let works_here = players::table.find(player).filter(players::role.ne(Role::Player));
    diesel::select(diesel::dsl::not(exists(whose)).or(exists(member)).or(exists(works_here))).get_result(conn).await
}

/// By which this player, who is of the party whose match it is, lets others into it.
pub async fn find_token(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<Option<String>> {
    match find_of_match(conn, id).await? {
        Some(sitting) if is_member(conn, sitting.id, player).await? => Ok(Some(sitting.join_token)),
        _ => Ok(None),
    }
}

/// Whether this token lets others into the party whose match it is.
pub async fn is_token_of(conn: &mut AsyncPgConnection, id: MatchId, token: &str) -> QueryResult<bool> {
    Ok(find_of_match(conn, id)
        .await?
        .is_some_and(|sitting| sitting.join_token == token && sitting.closing_at.is_none()))
}

/// The party's matches that wait or run go along to this table: their counts of news.
pub async fn move_matches(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    table: TableId,
) -> QueryResult<Vec<(MatchId, i64)>> {
    let theirs = match_sittings::table.filter(match_sittings::sitting_id.eq(id)).select(match_sittings::match_id);
    let open = matches::table
        .filter(matches::id.eq_any(theirs))
        .filter(fixed::<Bool>("matches.status IN ('waiting', 'running')"))
        .filter(matches::table_id.is_distinct_from(Some(table)));
    diesel::update(open)
        .set((matches::table_id.eq(Some(table)), matches::change_seq.eq(matches::change_seq + 1)))
        .returning((matches::id, matches::change_seq))
        .get_results(conn)
        .await
}

/// The matches of these parties that wait are called off, but for those of tournaments: their counts of news.
pub async fn abort_waiting(
    conn: &mut AsyncPgConnection,
    ids: &[SittingId],
    now: Timestamp,
) -> QueryResult<Vec<(MatchId, i64)>> {
    let theirs = match_sittings::table.filter(match_sittings::sitting_id.eq_any(ids)).select(match_sittings::match_id);
    let waiting = matches::table
        .filter(matches::id.eq_any(theirs))
        .filter(sql::<Bool>("matches.status = 'waiting'"))
        .filter(sql::<Bool>("NOT EXISTS (SELECT FROM tournament_bouts b WHERE b.match_id = matches.id)"));
    diesel::update(waiting)
        .set((
            matches::status.eq("aborted"),
            matches::finished_at.eq(SqlTimestamp::from(now)),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning((matches::id, matches::change_seq))
        .get_results(conn)
        .await
}

/// The matches that were called off when the party left at this moment wait again: their counts of news.
pub async fn reopen_waiting(
    conn: &mut AsyncPgConnection,
    id: SittingId,
    left: Timestamp,
) -> QueryResult<Vec<(MatchId, i64)>> {
    let theirs = match_sittings::table.filter(match_sittings::sitting_id.eq(id)).select(match_sittings::match_id);
    let aborted = matches::table
        .filter(matches::id.eq_any(theirs))
        .filter(matches::status.eq("aborted"))
        .filter(matches::started_at.is_null())
        .filter(matches::finished_at.eq(SqlTimestamp::from(left)));
    diesel::update(aborted)
        .set((
            matches::status.eq("waiting"),
            matches::finished_at.eq(None::<SqlTimestamp>),
            matches::change_seq.eq(matches::change_seq + 1),
        ))
        .returning((matches::id, matches::change_seq))
        .get_results(conn)
        .await
}

/// The party's matches that wait or run.
pub async fn list_open_matches(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<Vec<MatchId>> {
    match_sittings::table
        .inner_join(matches::table)
        .filter(match_sittings::sitting_id.eq(id))
        .filter(fixed::<Bool>("matches.status IN ('waiting', 'running')"))
        .select(match_sittings::match_id)
        .load(conn)
        .await
}

pub async fn hand_over_matches(conn: &mut AsyncPgConnection, ids: &[MatchId], into: SittingId) -> QueryResult<usize> {
    let these = match_sittings::table.filter(match_sittings::match_id.eq_any(ids));
    diesel::update(these).set(match_sittings::sitting_id.eq(into)).execute(conn).await
}

pub async fn has_matches(conn: &mut AsyncPgConnection, id: SittingId) -> QueryResult<bool> {
    let theirs = match_sittings::table.filter(match_sittings::sitting_id.eq(id));
    diesel::select(exists(theirs)).get_result(conn).await
}

/// Where this player was a member becomes where the other was.
pub async fn merge_player(conn: &mut AsyncPgConnection, from: PlayerId, into: PlayerId) -> QueryResult<()> {
    let twice = diesel::alias!(sitting_members as theirs);
    let of_both =
        twice.filter(twice.field(sitting_members::player_id).eq(into)).select(twice.field(sitting_members::sitting_id));
    let doubled = sitting_members::table
        .filter(sitting_members::player_id.eq(from))
        .filter(sitting_members::sitting_id.eq_any(of_both));
    diesel::delete(doubled).execute(conn).await?;
    let own = sitting_members::table.filter(sitting_members::player_id.eq(from));
    diesel::update(own).set(sitting_members::player_id.eq(into)).execute(conn).await?;
    const REMOVALS_TOO: [&str; 2] = [
        "WITH theirs AS (DELETE FROM removed_members WHERE player_id = $1 RETURNING *)
         INSERT INTO removed_members (sitting_id, player_id, joined_at, removed_at)
         SELECT sitting_id, $2, joined_at, removed_at FROM theirs ON CONFLICT DO NOTHING",
        // One of the two still belongs to it.
        "DELETE FROM removed_members r USING sitting_members m
         WHERE r.player_id IN ($1, $2) AND m.player_id = $2 AND m.sitting_id = r.sitting_id",
    ];
    for text in REMOVALS_TOO {
        statement(text).bind::<SqlUuid, _>(from).bind::<SqlUuid, _>(into).execute(conn).await?;
    }
    let opened = sittings::table.filter(sittings::opened_by.eq(from));
    diesel::update(opened).set(sittings::opened_by.eq(into)).execute(conn).await?;
    Ok(())
}

impl From<&MemberRow> for crate::players::PlayerCard {
    fn from(member: &MemberRow) -> Self {
        let name = if member.deleted { crate::players::SOMEONE.to_owned() } else { member.display_name.clone() };
        Self { id: member.player_id, display_name: name, deleted: member.deleted }
    }
}
