//! Something that only they have, besides the password: codes from an app, and recovery codes for when it is lost.

use diesel::prelude::*;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::json;

use super::totp;
use crate::auth::{Actor, AnyStaff, Passwords, Seal, StaffContext, has_second_factor, secrets};
use crate::error::{Result, conflict, forbidden, internal, too_many, unauthorized};
use crate::ids::PlayerId;
use crate::inputs::Password;
use crate::players;
use crate::schema::{recovery_codes, second_factors};
use crate::sessions;
use crate::sessions::door::{self, Event};
use crate::world::World;

/// After so many wrong codes in a row …
const MISSES: i32 = 5;
/// … none is looked at for so long: a million codes would take years.
const PAUSE: SignedDuration = SignedDuration::from_mins(5);
const RECOVERY_CODES: usize = 10;

#[derive(Queryable, Selectable)]
#[diesel(table_name = second_factors, check_for_backend(diesel::pg::Pg))]
struct FactorRow {
    secret: Vec<u8>,
    #[diesel(deserialize_as = NullableTimestamp)]
    confirmed_at: Option<Timestamp>,
    last_step: i64,
    failed_attempts: i32,
    #[diesel(deserialize_as = NullableTimestamp)]
    last_failed_at: Option<Timestamp>,
}

/// What is asked of whom, and with what.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub world: &'a World,
    pub seal: &'a Seal,
    pub player: PlayerId,
}

/// Lets nobody in without a code where one is asked for.
pub async fn demand(conn: &mut AsyncPgConnection, asked: Asked<'_>, code: Option<&str>) -> Result<()> {
    if !has_second_factor(conn, asked.player).await? {
        return Ok(());
    }
    let code = code.ok_or_else(|| unauthorized("second_factor_required"))?;
    check(conn, asked, code).await
}

/// Takes a code of the app or a recovery code, each once.
pub async fn check(conn: &mut AsyncPgConnection, asked: Asked<'_>, code: &str) -> Result<()> {
    let code: String = code.chars().filter(|it| it.is_ascii_alphanumeric()).take(32).collect();
    let now = asked.world.now();
    // What is refused is counted, so the refusal must not undo it.
    let taken = conn
        .transaction(async |conn| -> Result<bool> {
            let row = lock(conn, asked.player).await?.ok_or_else(|| unauthorized("wrong_code"))?;
            let until = row.last_failed_at.filter(|_| row.failed_attempts >= MISSES).map_or(now, |at| at + PAUSE);
            if until > now {
                return Err(too_many(until.duration_since(now).unsigned_abs()));
            }
            let secret = open(asked, &row.secret)?;
            let theirs = diesel::update(second_factors::table.find(asked.player));
            if let Some(step) = totp::step_of(&secret, &code, now, row.last_step) {
                let news = (second_factors::last_step.eq(step), second_factors::failed_attempts.eq(0));
                theirs.set(news).execute(conn).await?;
                return Ok(true);
            }
            if row.confirmed_at.is_some() && use_recovery_code(conn, asked.player, &code, now).await? {
                theirs.set(second_factors::failed_attempts.eq(0)).execute(conn).await?;
                return Ok(true);
            }
            // After a pause it takes as many misses again.
            let misses = if row.failed_attempts >= MISSES { 1 } else { row.failed_attempts + 1 };
            let news = (
                second_factors::failed_attempts.eq(misses),
                second_factors::last_failed_at.eq(SqlTimestamp::from(now)),
            );
            theirs.set(news).execute(conn).await?;
            Ok(false)
        })
        .await?;
    if taken {
        return Ok(());
    }
    door::tell(conn, asked.world, asked.seal, Event::WrongCode, Some(asked.player), json!({})).await?;
    Err(unauthorized("wrong_code"))
}

/// Draws a secret that is not asked for until a code of it was given. The one drawn before, if that was never confirmed.
pub async fn draw(cx: &mut StaffContext<'_, AnyStaff>, seal: &Seal) -> Result<Vec<u8>> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let asked = Asked { world, seal, player: staff.id };
    refuse_on(conn, asked).await?;
    let secret = asked.world.bytes::<{ totp::SECRET_LENGTH }>();
    let sealed = asked.seal.close(asked.world, &place(asked), &secret);
    let sealed = sealed.ok_or_else(|| internal(anyhow::anyhow!("a secret cannot be sealed")))?;
    let drawn = (
        second_factors::player_id.eq(asked.player),
        second_factors::secret.eq(sealed),
        second_factors::created_at.eq(SqlTimestamp::from(asked.world.now())),
    );
    diesel::insert_into(second_factors::table).values(drawn).on_conflict_do_nothing().execute(conn).await?;
    let row = second_factors::table.find(asked.player).select(second_factors::secret);
    open(asked, &row.first::<Vec<u8>>(conn).await?)
}

/// From now on it is asked for, and every other session has ended. Gives the recovery codes, which are never shown again.
///
/// # Errors
/// `wrong_password`, so that nobody turns it on for somebody who left a browser open.
pub async fn turn_on(
    cx: &mut StaffContext<'_, AnyStaff>,
    (seal, passwords): (&Seal, &Passwords),
    (password, code): (Password, &str),
) -> Result<Vec<String>> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let asked = Asked { world, seal, player: staff.id };
    refuse_on(conn, asked).await?;
    let stored = players::store::find(conn, staff.id).await?.and_then(|row| row.password_hash);
    if !passwords.fits(password, stored).await? {
        return Err(forbidden("wrong_password"));
    }
    check(conn, asked, code).await?;
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code(asked.world)).collect();
    conn.transaction(async |conn| -> Result<()> {
        let confirmed = second_factors::confirmed_at.eq(SqlTimestamp::from(asked.world.now()));
        diesel::update(second_factors::table.find(asked.player)).set(confirmed).execute(conn).await?;
        let theirs = recovery_codes::table.filter(recovery_codes::player_id.eq(asked.player));
        diesel::delete(theirs).execute(conn).await?;
        let rows: Vec<_> = codes
            .iter()
            .map(|code| (recovery_codes::player_id.eq(asked.player), recovery_codes::code_hash.eq(hash(code).to_vec())))
            .collect();
        diesel::insert_into(recovery_codes::table).values(rows).execute(conn).await?;
        sessions::close_others(conn, world, staff.id, Some(staff.session)).await?;
        super::record(conn, asked.world, staff, "staff.second_factor_on", asked.player, json!({})).await
    })
    .await?;
    Ok(codes)
}

/// Takes a code, and from then on none is asked for.
pub async fn turn_off(cx: &mut StaffContext<'_, AnyStaff>, seal: &Seal, code: &str) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    check(conn, Asked { world, seal, player: staff.id }, code).await?;
    conn.transaction(async |conn| {
        forget(conn, staff.id).await?;
        super::record(conn, world, staff, "staff.second_factor_off", staff.id, json!({})).await
    })
    .await
}

async fn refuse_on(conn: &mut AsyncPgConnection, asked: Asked<'_>) -> Result<()> {
    if has_second_factor(conn, asked.player).await? { Err(conflict("second_factor_on")) } else { Ok(()) }
}

/// Whether there was one.
pub async fn forget(conn: &mut AsyncPgConnection, player: PlayerId) -> Result<bool> {
    Ok(diesel::delete(second_factors::table.find(player)).execute(conn).await? > 0)
}

async fn lock(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Option<FactorRow>> {
    let row = second_factors::table.find(player).select(FactorRow::as_select());
    row.for_update().first(conn).await.optional()
}

async fn use_recovery_code(
    conn: &mut AsyncPgConnection,
    player: PlayerId,
    code: &str,
    now: Timestamp,
) -> QueryResult<bool> {
    let code = recovery_codes::table.find((player, hash(code).to_vec())).filter(recovery_codes::used_at.is_null());
    Ok(diesel::update(code).set(recovery_codes::used_at.eq(SqlTimestamp::from(now))).execute(conn).await? > 0)
}

/// 80 bits: too many to guess, and hashed like any long secret.
fn recovery_code(world: &World) -> String {
    totp::base32(&world.bytes::<10>()).to_lowercase()
}

fn hash(code: &str) -> [u8; 32] {
    secrets::hash(code.to_ascii_lowercase().as_bytes())
}

/// A sealed secret opens for its player only.
fn place(asked: Asked<'_>) -> [u8; 32] {
    asked.seal.digest(&[b"second factor", asked.player.0.as_bytes()])
}

fn open(asked: Asked<'_>, sealed: &[u8]) -> Result<Vec<u8>> {
    asked.seal.open(&place(asked), sealed).ok_or_else(|| unauthorized("second_factor_lost"))
}
