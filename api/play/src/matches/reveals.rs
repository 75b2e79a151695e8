//! Looks of managers at what is hidden in a running match: with a reason, for ten minutes, on record and told to the players.

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::dsl::now;
use diesel::pg::{Pg, PgValue};
use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{Bool, Json as SqlJson, Timestamptz};
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::{MatchId, MatchRow, Status, lock, store};
use crate::players::store as accounts;
use base::audit::{self, Entry};
use base::auth::{Actor, Role, StaffContext, can};
use base::db::fixed;
use base::error::{Result, conflict, forbidden};
use base::ids::PlayerId;
use base::schema::{match_reveals, players};

/// In the audit log: staff said that a phone is this player's.
pub const CONFIRM_PHONE: &str = "player.confirm_phone";
/// In the audit log: staff said that a guest is this player, who plays at the guest's seats in the matches of `open`.
pub const MERGE: &str = "player.merge";

/// A look as everybody at the match may know of it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[schema(as = MatchReveal)]
pub struct Reveal {
    /// Of the person who looked.
    pub role: Role,
    /// The latest version when the look began.
    pub version: i32,
    pub at: Timestamp,
    /// When it ends, or has ended.
    pub until: Timestamp,
}

/// All looks at a match, in order.
#[derive(Clone, Debug, FromSqlRow)]
pub struct Reveals(pub Vec<Reveal>);

impl Reveals {
    /// Those that began at this version.
    pub fn at(&self, version: i32) -> Vec<Reveal> {
        self.0.iter().filter(|it| it.version == version).cloned().collect()
    }

    /// Those that somebody may know of whose last version this is: a later one would tell how far the match is.
    pub fn up_to(&self, last: Option<i32>) -> Vec<Reveal> {
        self.0.iter().filter(|it| Some(it.version) <= last).cloned().collect()
    }
}

/// Of the match in the row of `matches`.
pub const REVEALS: &str = "coalesce((SELECT json_agg(json_build_object('role', r.role, 'version', r.version,
    'at', r.at, 'until', r.expires_at) ORDER BY r.id) FROM match_reveals r WHERE r.match_id = matches.id), '[]')";

impl FromSql<SqlJson, Pg> for Reveals {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(Self(serde_json::from_slice(value.as_bytes())?))
    }
}

/// A look as staff know of it.
#[derive(Debug, Queryable)]
pub struct RevealRow {
    pub player_id: PlayerId,
    pub name: String,
    pub role: Role,
    pub reason: String,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub at: Timestamp,
    #[diesel(deserialize_as = SqlTimestamp)]
    pub until: Timestamp,
    /// By the clock of the database.
    pub is_open: bool,
}

/// The latest first.
pub async fn list(conn: &mut AsyncPgConnection, id: MatchId, limit: i64) -> QueryResult<Vec<RevealRow>> {
    match_reveals::table
        .inner_join(players::table)
        .filter(match_reveals::match_id.eq(id))
        .order(match_reveals::id.desc())
        .limit(limit)
        .select((
            match_reveals::player_id,
            players::display_name,
            match_reveals::role,
            match_reveals::reason,
            match_reveals::at,
            match_reveals::expires_at,
            fixed::<Bool>("expires_at > now()"),
        ))
        .load(conn)
        .await
}

/// Refuses staff who hold a seat of the match or ever did: what touches it is for somebody else of the staff.
pub async fn refuse_party(conn: &mut AsyncPgConnection, id: MatchId, staff: PlayerId) -> Result<()> {
    if store::has_held(conn, id, staff, None).await? { Err(forbidden("plays_here")) } else { Ok(()) }
}

/// Refuses staff who share a match with this player or did: what they decide about the player touches that match.
pub async fn refuse_opponent(conn: &mut AsyncPgConnection, staff: PlayerId, player: PlayerId) -> Result<()> {
    for (id, _) in store::list_unfinished(conn, player).await? {
        refuse_party(conn, id, staff).await?;
    }
    Ok(())
}

/// Whether this player ever saw what is hidden in the match, or somebody did who confirmed a phone of theirs, which may be
/// that person's own: who has looked may not sit down.
pub async fn has_looked(conn: &mut AsyncPgConnection, id: MatchId, player: PlayerId) -> QueryResult<bool> {
    let looks = match_reveals::table.filter(match_reveals::match_id.eq(id)).select(match_reveals::player_id);
    let lookers: Vec<PlayerId> = looks.load(conn).await?;
    Ok(lookers.contains(&player) || has_confirmed(conn, &lookers, &[player]).await?)
}

/// Whether one of these staff ever confirmed a phone of one of these players. Claims are forgotten soon; the audit log is not.
async fn has_confirmed(conn: &mut AsyncPgConnection, staff: &[PlayerId], players: &[PlayerId]) -> QueryResult<bool> {
    let players = accounts::with_merged(conn, players).await?;
    audit::has_done(conn, staff, CONFIRM_PHONE, &players, json!({})).await
}

/// Whether this member of staff gave one of these players a seat of the match that was a guest's.
async fn has_merged(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    staff: PlayerId,
    players: &[PlayerId],
) -> QueryResult<bool> {
    let players = accounts::with_merged(conn, players).await?;
    audit::has_done(conn, &[staff], MERGE, &players, json!({ "open": [id] })).await
}

/// Refuses staff who would hand the seats of this guest to this player, if either knows or would learn too much.
/// Of staff whose activity is locked.
pub async fn refuse_hand_over(
    conn: &mut AsyncPgConnection,
    staff: PlayerId,
    guest: PlayerId,
    player: PlayerId,
) -> Result<()> {
    refuse_opponent(conn, staff, guest).await?;
    for (id, status) in store::list_unfinished(conn, guest).await? {
        if player == staff && status == Status::Running {
            return Err(forbidden("plays_here"));
        }
        if has_looked(conn, id, staff).await? {
            return Err(forbidden("claim_looked"));
        }
        if has_looked(conn, id, player).await? {
            return Err(conflict("has_looked"));
        }
    }
    Ok(())
}

/// Players of the match are refused, and staff who confirmed the phone of one or gave them a guest's seat: either may
/// be their own.
pub async fn reveal(cx: &mut StaffContext<'_, can::RevealMatches>, id: MatchId, reason: &str) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let Actor { live, staff, .. } = actor;
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            if row.status != Status::Running {
                return Err(conflict("match_not_running"));
            }
            refuse_party(conn, id, staff.id).await?;
            // Confirming a phone and merging take the same lock: of two, the later one knows of the earlier one.
            accounts::lock_activity(conn, staff.id).await?;
            let holders = store::list_holders(conn, id).await?;
            if has_confirmed(conn, &[staff.id], &holders).await? || has_merged(conn, id, staff.id, &holders).await? {
                return Err(forbidden("confirmed_phone"));
            }
            let new = (
                match_reveals::match_id.eq(id),
                match_reveals::player_id.eq(staff.id),
                match_reveals::role.eq(staff.role),
                match_reveals::reason.eq(reason),
                match_reveals::version.eq(row.version),
            );
            diesel::insert_into(match_reveals::table).values(new).execute(conn).await?;
            record(conn, actor, &row, "match.reveal", Some(reason)).await?;
            Ok(store::raise_news(conn, id).await?)
        })
        .await?;
    live.tell(id, news);
    Ok(())
}

/// Ends one's own looks before their time. Asking again changes nothing.
pub async fn hide(cx: &mut StaffContext<'_, can::ViewMatches>, id: MatchId) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let Actor { live, staff, .. } = actor;
    let news = conn
        .transaction(async |conn| {
            let row = lock(conn, id).await?;
            let moment = now.into_sql::<Timestamptz>();
            let mine = match_reveals::table
                .filter(match_reveals::match_id.eq(id))
                .filter(match_reveals::player_id.eq(staff.id))
                .filter(match_reveals::expires_at.gt(moment));
            let ended = diesel::update(mine).set(match_reveals::expires_at.eq(moment)).execute(conn).await?;
            if ended == 0 {
                return Ok::<_, base::error::Error>(None);
            }
            record(conn, actor, &row, "match.hide", None).await?;
            Ok(Some(store::raise_news(conn, id).await?))
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok(())
}

async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    row: &MatchRow,
    action: &str,
    reason: Option<&str>,
) -> QueryResult<()> {
    let details = json!({ "game": row.game, "code": row.code, "version": row.version, "reason": reason });
    let (by, subject_id) = (Some(actor.staff.id), Some(row.id.0));
    audit::record(conn, actor.world, Entry { actor: by, action, subject: "match", subject_id, details }).await
}
