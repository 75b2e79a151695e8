//! Bans: nobody signs in to a banned account until the ban ends, by itself or because it is lifted.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::json;

use super::{PlayerRow, Role, store};
use crate::audit::{self, Entry};
use crate::error::{ApiError, ApiResult, conflict, forbidden};
use crate::extract::Player;
use crate::ids::PlayerId;
use crate::live::Live;
use crate::matches::{self, House};
use crate::sessions;
use crate::world::World;

pub(super) const REASON_MAX: usize = 200;

/// Why somebody is banned, and until when; for as long as nobody lifts it, if no end is given.
#[derive(Clone, Debug)]
pub struct Ban {
    pub reason: String,
    pub until: Option<Timestamp>,
}

impl PlayerRow {
    pub fn is_banned(&self, now: Timestamp) -> bool {
        self.banned_at.is_some() && self.banned_until.is_none_or(|until| until > now)
    }
}

/// What somebody banned is told, in the café's time.
pub fn refusal(player: &PlayerRow, zone: &TimeZone) -> ApiError {
    match player.banned_until {
        None => forbidden("banned"),
        Some(until) => {
            let until = until.to_zoned(zone.clone()).strftime("%Y-%m-%d %H:%M").to_string();
            forbidden("banned").with("until", until).in_words(vec!["error-banned-until".to_owned()])
        }
    }
}

/// Bans a player: every session ends within a second or two, and seats in matches are given up.
pub async fn ban(
    conn: &mut AsyncPgConnection,
    world: &World,
    (live, house): (&Live, &House),
    staff: &Player,
    id: PlayerId,
    ban: &Ban,
) -> ApiResult<()> {
    let banned = conn
        .transaction(async |conn| {
            let row = super::lock(conn, id).await?;
            if row.role > Role::Player {
                return Err(conflict("works_here"));
            }
            store::ban(conn, row.id, ban, world.now()).await?;
            sessions::close_others(conn, world, row.id, None).await?;
            let details = json!({ "name": row.display_name, "reason": ban.reason, "until": ban.until });
            let (actor, subject_id) = (Some(staff.id), Some(row.id.0));
            let entry = Entry { actor, action: "player.ban", subject: "player", subject_id, details };
            audit::record(conn, world, entry).await?;
            Ok(row.id)
        })
        .await?;
    // As the player, who may do no more than that.
    let player = Player { id: banned, session: staff.session, role: Role::Player };
    matches::leave_all(conn, world, (live, house), &player).await
}

/// Ends a ban before its time. Asking again changes nothing.
pub async fn lift_ban(conn: &mut AsyncPgConnection, world: &World, staff: &Player, id: PlayerId) -> ApiResult<()> {
    conn.transaction(async |conn| {
        let row = super::lock(conn, id).await?;
        if row.banned_at.is_none() {
            return Ok(());
        }
        store::lift_ban(conn, row.id).await?;
        let details = json!({ "name": row.display_name, "reason": row.ban_reason, "until": row.banned_until });
        let (actor, subject_id) = (Some(staff.id), Some(row.id.0));
        let entry = Entry { actor, action: "player.lift_ban", subject: "player", subject_id, details };
        Ok(audit::record(conn, world, entry).await?)
    })
    .await
}
