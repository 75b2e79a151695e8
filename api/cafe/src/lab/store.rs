//! Rows and queries of the lab's runs.

use diesel::dsl::{exists, not};
use diesel::pg::Pg;
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::Value;
use uuid::Uuid;

use super::{RunStatus, Topic};
use base::ids::{LabRunId, VariantId};
use base::schema::{lab_runs, variant_versions, variants};
use play::variants::{VariantStatus, VersionRow};

#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = lab_runs, check_for_backend(Pg))]
pub struct RunRow {
    pub id: LabRunId,
    pub game: String,
    pub variant_hash: Vec<u8>,
    pub against_hash: Vec<u8>,
    pub options: Value,
    pub against: Value,
    pub seat_count: i16,
    pub search: bool,
    pub status: RunStatus,
    /// In percent.
    pub progress: i16,
    pub report: Option<Value>,
}

#[derive(Insertable)]
#[diesel(table_name = lab_runs)]
struct NewRun<'a> {
    id: LabRunId,
    game: &'a str,
    variant_hash: &'a [u8],
    against_hash: &'a [u8],
    options: &'a Value,
    against: &'a Value,
    seat_count: i16,
    search: bool,
    lab_revision: i32,
    asked_at: SqlTimestamp,
    status: RunStatus,
}

/// How a run is left that no process is at any more.
#[derive(AsChangeset)]
#[diesel(table_name = lab_runs, treat_none_as_null = true)]
struct Left {
    status: RunStatus,
    claim: Option<Uuid>,
    beat_at: Option<SqlTimestamp>,
    report: Option<Value>,
}

impl Left {
    fn with(status: RunStatus, report: Option<Value>) -> Self {
        Self { status, claim: None, beat_at: None, report }
    }
}

/// What this process says as long as it is at a run. Nobody else runs it meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    pub run: LabRunId,
    pub claim: Uuid,
}

pub async fn find(conn: &mut AsyncPgConnection, topic: &Topic) -> QueryResult<Option<RunRow>> {
    lab_runs::table
        .filter(lab_runs::variant_hash.eq(&topic.hash))
        .filter(lab_runs::against_hash.eq(&topic.against_hash))
        .filter(lab_runs::seat_count.eq(i16::from(topic.seats)))
        .filter(lab_runs::search.eq(topic.search))
        .filter(lab_runs::lab_revision.eq(engine::lab::REVISION))
        .select(RunRow::as_select())
        .first(conn)
        .await
        .optional()
}

/// What was asked before and came to no end waits again. Gives how many wait now that did not.
pub async fn ask(conn: &mut AsyncPgConnection, id: LabRunId, topic: &Topic, now: Timestamp) -> QueryResult<usize> {
    use diesel::query_dsl::methods::FilterDsl as _;
    let new = NewRun {
        id,
        game: topic.game,
        variant_hash: &topic.hash,
        against_hash: &topic.against_hash,
        options: &topic.options,
        against: &topic.against,
        seat_count: topic.seats.into(),
        search: topic.search,
        lab_revision: engine::lab::REVISION,
        asked_at: now.into(),
        status: RunStatus::Waiting,
    };
    let question = (
        lab_runs::variant_hash,
        lab_runs::against_hash,
        lab_runs::seat_count,
        lab_runs::search,
        lab_runs::lab_revision,
    );
    diesel::insert_into(lab_runs::table)
        .values(new)
        .on_conflict(question)
        .do_update()
        .set((
            lab_runs::status.eq(RunStatus::Waiting),
            lab_runs::progress.eq(0),
            lab_runs::asked_at.eq(SqlTimestamp::from(now)),
        ))
        .filter(lab_runs::status.eq_any([RunStatus::Cancelled, RunStatus::Failed]))
        .execute(conn)
        .await
}

/// Gives how many there were.
pub async fn cancel(conn: &mut AsyncPgConnection, id: LabRunId) -> QueryResult<usize> {
    let open = lab_runs::table.find(id).filter(lab_runs::status.eq_any([RunStatus::Waiting, RunStatus::Running]));
    diesel::update(open).set(Left::with(RunStatus::Cancelled, None)).execute(conn).await
}

/// The next one that waits, or whose process has said nothing since that time. It is this process's now.
pub async fn claim(
    conn: &mut AsyncPgConnection,
    claim: Uuid,
    now: Timestamp,
    lost: Timestamp,
) -> QueryResult<Option<RunRow>> {
    conn.transaction(async |conn| {
        let is_lost = lab_runs::status.eq(RunStatus::Running).and(lab_runs::beat_at.lt(SqlTimestamp::from(lost)));
        let next = lab_runs::table
            .filter(lab_runs::status.eq(RunStatus::Waiting).or(is_lost))
            .order(lab_runs::asked_at)
            .select(lab_runs::id)
            .for_update()
            .skip_locked()
            .first::<LabRunId>(conn)
            .await
            .optional()?;
        let Some(id) = next else { return Ok(None) };
        let claimed = (
            lab_runs::status.eq(RunStatus::Running),
            lab_runs::claim.eq(claim),
            lab_runs::beat_at.eq(SqlTimestamp::from(now)),
        );
        let claimed = diesel::update(lab_runs::table.find(id)).set(claimed).returning(RunRow::as_returning());
        claimed.get_result(conn).await.map(Some)
    })
    .await
}

#[diesel::dsl::auto_type(no_type_alias)]
fn of(claim: Claim) -> _ {
    let (run, by): (LabRunId, Uuid) = (claim.run, claim.claim);
    lab_runs::table.filter(lab_runs::id.eq(run)).filter(lab_runs::claim.eq(by))
}

/// Whether it is still this process's.
pub async fn beat(conn: &mut AsyncPgConnection, claim: Claim, progress: i16, now: Timestamp) -> QueryResult<bool> {
    let beat = (lab_runs::progress.eq(progress), lab_runs::beat_at.eq(SqlTimestamp::from(now)));
    Ok(diesel::update(of(claim)).set(beat).execute(conn).await? > 0)
}

/// Ends it, or lets it wait for another process.
pub async fn leave(
    conn: &mut AsyncPgConnection,
    claim: Claim,
    status: RunStatus,
    report: Option<Value>,
) -> QueryResult<usize> {
    diesel::update(of(claim)).set(Left::with(status, report)).execute(conn).await
}

/// The latest versions of variants that are not retired and that nobody has asked about.
pub async fn list_unknown(conn: &mut AsyncPgConnection, limit: i64) -> QueryResult<Vec<(String, VersionRow)>> {
    let later = diesel::alias!(variant_versions as later);
    let (of, number) = (later.field(variant_versions::variant_id), later.field(variant_versions::number));
    let is_asked = lab_runs::table
        .filter(lab_runs::variant_hash.eq(variant_versions::variant_hash))
        .filter(lab_runs::lab_revision.eq(engine::lab::REVISION));
    variant_versions::table
        .inner_join(variants::table.on(variants::id.eq(variant_versions::variant_id)))
        .filter(variants::status.ne(VariantStatus::Retired))
        .filter(not(exists(
            later.filter(of.eq(variant_versions::variant_id)).filter(number.gt(variant_versions::number)),
        )))
        .filter(not(exists(is_asked)))
        .order((variant_versions::created_at.desc(), variant_versions::variant_id))
        .limit(limit)
        .select((variants::game, VersionRow::as_select()))
        .load(conn)
        .await
}

/// What was found about these rules with so many seats, compared with whatever.
pub async fn find_report(conn: &mut AsyncPgConnection, hash: &[u8], seats: u8) -> QueryResult<Option<Value>> {
    let found: Option<Option<Value>> = lab_runs::table
        .filter(lab_runs::variant_hash.eq(hash))
        .filter(lab_runs::lab_revision.eq(engine::lab::REVISION))
        .filter(lab_runs::seat_count.eq(i16::from(seats)))
        .filter(lab_runs::status.eq(RunStatus::Finished))
        .order((lab_runs::search, lab_runs::id))
        .select(lab_runs::report)
        .first(conn)
        .await
        .optional()?;
    Ok(found.flatten())
}

/// The version before this one.
pub async fn find_before(conn: &mut AsyncPgConnection, id: VariantId, number: i32) -> QueryResult<Option<i32>> {
    let before =
        variant_versions::table.filter(variant_versions::variant_id.eq(id)).filter(variant_versions::number.lt(number));
    before.select(diesel::dsl::max(variant_versions::number)).first(conn).await
}
