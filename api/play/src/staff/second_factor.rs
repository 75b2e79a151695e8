//! Something that only they have, besides the password: codes from an app, and recovery codes for when it is lost.

use diesel::prelude::*;
use diesel::query_dsl::methods;
use diesel_async::{AsyncConnection, AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde_json::json;
use uuid::Uuid;

use super::totp;
use crate::players;
use crate::sessions;
use crate::sessions::sign_in_log::{self, Event, SignInGuard};
use base::auth::{Actor, AnyStaff, Passwords, Seal, StaffContext, has_second_factor, secrets};
use base::error::{Result, conflict, internal, too_many, unauthorized};
use base::ids::PlayerId;
use base::inputs::Password;
use base::schema::{recovery_codes, second_factors};
use base::world::World;

/// After so many wrong codes in a row …
const MISSES: i32 = 5;
/// … none is looked at for so long: a million codes would take years.
const PAUSE: SignedDuration = SignedDuration::from_mins(5);
const RECOVERY_CODES: usize = 10;
const RESEALED_AT_ONCE: i64 = 100;

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
            let Opened { secret, is_current } = open(asked, &row.secret)?;
            if !is_current {
                seal_again(conn, asked, &secret).await?;
            }
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
    sign_in_log::tell(conn, asked.world, asked.seal, Event::WrongCode, Some(asked.player), json!({})).await?;
    Err(unauthorized("wrong_code"))
}

/// Draws a secret that is not asked for until a code of it was given. One that was drawn before and never confirmed counts for
/// nothing: somebody else may have seen it in a browser that was left open.
pub async fn draw(cx: &mut StaffContext<'_, AnyStaff>, seal: &Seal) -> Result<Vec<u8>> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let asked = Asked { world, seal, player: staff.id };
    refuse_on(conn, asked).await?;
    let secret = asked.world.bytes::<{ totp::SECRET_LENGTH }>();
    let drawn = (
        second_factors::secret.eq(close(asked, &secret)?),
        second_factors::created_at.eq(SqlTimestamp::from(asked.world.now())),
        second_factors::last_step.eq(0),
    );
    let new = (second_factors::player_id.eq(asked.player), drawn.clone());
    let new = diesel::insert_into(second_factors::table).values(new);
    let new = new.on_conflict(second_factors::player_id).do_update().set(drawn);
    let new = methods::FilterDsl::filter(new, second_factors::confirmed_at.is_null());
    if new.execute(conn).await? == 0 {
        return Err(conflict("second_factor_on"));
    }
    Ok(secret.to_vec())
}

/// The secret that was drawn and is not confirmed yet, if there is one.
pub async fn find_drawn(cx: &mut StaffContext<'_, AnyStaff>, seal: &Seal) -> Result<Option<Vec<u8>>> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let asked = Asked { world, seal, player: staff.id };
    let row = second_factors::table.find(asked.player).filter(second_factors::confirmed_at.is_null());
    let sealed: Option<Vec<u8>> = row.select(second_factors::secret).first(conn).await.optional()?;
    sealed.map(|sealed| Ok(open(asked, &sealed)?.secret)).transpose()
}

/// What became of the second factors when the secret was replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resealed {
    /// They are sealed with the current secret now.
    pub moved: usize,
    /// No secret that is known here opens them.
    pub lost: usize,
}

/// Seals with the current secret what only the previous one opens, also what is not confirmed yet, so that the previous one can
/// be forgotten.
pub async fn reseal(conn: &mut AsyncPgConnection, world: &World, seal: &Seal) -> Result<Resealed> {
    let (mut done, mut last) = (Resealed::default(), PlayerId(Uuid::nil()));
    loop {
        let next = conn
            .transaction(async |conn| -> Result<Option<PlayerId>> {
                let page = second_factors::table.filter(second_factors::player_id.gt(last));
                let page = page.order(second_factors::player_id).limit(RESEALED_AT_ONCE).for_update();
                let page = page.select((second_factors::player_id, second_factors::secret));
                let rows: Vec<(PlayerId, Vec<u8>)> = page.load(conn).await?;
                for (player, sealed) in &rows {
                    let asked = Asked { world, seal, player: *player };
                    match open(asked, sealed) {
                        Ok(Opened { is_current: true, .. }) => {}
                        Ok(Opened { secret, .. }) => {
                            seal_again(conn, asked, &secret).await?;
                            done.moved += 1;
                        }
                        Err(_) => done.lost += 1,
                    }
                }
                Ok(rows.last().map(|(player, _)| *player))
            })
            .await?;
        match next {
            Some(player) => last = player,
            None => return Ok(done),
        }
    }
}

/// How many would be lost without the previous secret.
pub async fn count_of_previous(conn: &mut AsyncPgConnection, world: &World, seal: &Seal) -> Result<usize> {
    let rows = second_factors::table.select((second_factors::player_id, second_factors::secret));
    let rows: Vec<(PlayerId, Vec<u8>)> = rows.load(conn).await?;
    let is_of_previous = |(player, sealed): &(PlayerId, Vec<u8>)| {
        open(Asked { world, seal, player: *player }, sealed).is_ok_and(|opened| !opened.is_current)
    };
    Ok(rows.iter().filter(|row| is_of_previous(row)).count())
}

/// From now on it is asked for, and every other session has ended. Gives the recovery codes, which are never shown again.
///
/// # Errors
/// `wrong_password`, so that nobody turns it on for somebody who left a browser open.
pub async fn turn_on(
    cx: &mut StaffContext<'_, AnyStaff>,
    (guard, passwords): (SignInGuard<'_>, &Passwords),
    (password, code): (Password, &str),
) -> Result<Vec<String>> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let asked = Asked { world, seal: guard.seal, player: staff.id };
    refuse_on(conn, asked).await?;
    let row = players::store::find(conn, staff.id).await?.ok_or_else(|| unauthorized("session_ended"))?;
    guard.ask_again(conn, passwords, &row, Some(password)).await?;
    check(conn, asked, code).await?;
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code(asked.world)).collect();
    conn.transaction(async |conn| -> Result<()> {
        let confirmed = second_factors::confirmed_at.eq(SqlTimestamp::from(asked.world.now()));
        // Another secret, which somebody drew since that check, has taken no code yet.
        let checked = second_factors::table.find(asked.player).filter(second_factors::last_step.gt(0));
        if diesel::update(checked).set(confirmed).execute(conn).await? == 0 {
            return Err(unauthorized("wrong_code"));
        }
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

/// 128 bits: too many to guess, and hashed like any long secret.
fn recovery_code(world: &World) -> String {
    totp::base32(&world.bytes::<16>()).to_lowercase()
}

fn hash(code: &str) -> [u8; 32] {
    secrets::hash(code.to_ascii_lowercase().as_bytes())
}

/// A sealed secret opens for its player only.
fn place(seal: &Seal, player: PlayerId) -> [u8; 32] {
    seal.digest(&[b"second factor", player.0.as_bytes()])
}

struct Opened {
    secret: Vec<u8>,
    /// Whether the current secret of the house opened it.
    is_current: bool,
}

fn open(asked: Asked<'_>, sealed: &[u8]) -> Result<Opened> {
    let with = |seal: &Seal| seal.open(&place(seal, asked.player), sealed);
    let mut opened = asked.seal.each().enumerate().filter_map(|(at, seal)| Some((at, with(seal)?)));
    let (at, secret) = opened.next().ok_or_else(|| unauthorized("second_factor_lost"))?;
    Ok(Opened { secret, is_current: at == 0 })
}

fn close(asked: Asked<'_>, secret: &[u8]) -> Result<Vec<u8>> {
    let sealed = asked.seal.close(asked.world, &place(asked.seal, asked.player), secret);
    sealed.ok_or_else(|| internal(anyhow::anyhow!("a secret cannot be sealed")))
}

async fn seal_again(conn: &mut AsyncPgConnection, asked: Asked<'_>, secret: &[u8]) -> Result<()> {
    let theirs = diesel::update(second_factors::table.find(asked.player));
    theirs.set(second_factors::secret.eq(close(asked, secret)?)).execute(conn).await?;
    Ok(())
}
