//! Signing in: what the audit log tells of who came in and who tried to, and how fast one account may be tried.
//!
//! Everything is throttled. Of one account and one kind of event the log has a line a minute, which says how often it happened
//! since the line before; all accounts of guests and players, and addresses without an account, share one such line.

use diesel::prelude::*;
use diesel::sql_types::{Binary, Bool, Integer, Timestamptz};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::{SignedDuration, Timestamp};
use jiff_diesel::Timestamp as SqlTimestamp;
use serde_json::{Value, json};

use crate::players::PlayerRow;
use base::audit::store::{self as lines, Filter, LineRow};
use base::audit::{self, Entry};
use base::auth::seal::Digest;
use base::auth::{Claims, Identity, Passwords, Role, Seal, Tokens, Use};
use base::db::statement;
use base::error::{Result, forbidden, too_many};
use base::ids::{PlayerId, SessionId};
use base::inputs::{Email, Password};
use base::schema::{door_notes, sign_in_attempts};
use base::world::World;

/// So many attempts in a row wait for nothing. After that, each waits twice as long as the one before it.
const FREE_ATTEMPTS: i32 = 5;
const FIRST_PAUSE_SECONDS: i64 = 10;
const LONGEST_PAUSE_SECONDS: i64 = 10 * 60;
/// Counts are forgotten after a day without an attempt.
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// So many accounts does one browser remember: a shift shares the one at the counter.
const REMEMBERED: usize = 6;
/// For so long the holder of an account is told of a new device.
pub const NEW_DEVICE_TOLD: SignedDuration = SignedDuration::from_hours(3 * 24);
/// An app without the cookie is new each time.
const NEW_DEVICES_SHOWN: usize = 3;
/// So far back goes the list of failures that owners see, and so long is it.
const FAILURES_WITHIN: SignedDuration = SignedDuration::from_hours(24);
const FAILURES_SHOWN: i64 = 20;

/// What was counted under the previous secret goes on under the current one, so that a new secret lets nobody guess again.
const MOVE_ATTEMPTS: &str = "WITH before AS (DELETE FROM sign_in_attempts WHERE key = $1 RETURNING attempts, last_at)
    INSERT INTO sign_in_attempts (key, attempts, last_at) SELECT $2, attempts, last_at FROM before
    ON CONFLICT (key) DO NOTHING";
const MOVE_NOTE: &str = "WITH before AS (DELETE FROM door_notes WHERE key = $1 RETURNING told_at, untold)
    INSERT INTO door_notes (key, told_at, untold) SELECT $2, told_at, untold FROM before
    ON CONFLICT (key) DO NOTHING";

/// A device on which somebody signed in before, as its cookie says.
#[derive(Clone, Debug)]
struct KnownDevice(Claims);

/// The accounts that signed in on a device, the latest first.
#[derive(Clone, Debug, Default)]
pub struct KnownDevices(Vec<KnownDevice>);

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    WrongPassword,
    WrongCode,
    /// An action of staff by somebody who may not.
    Refused,
}

/// Decides whether somebody may try to sign in now, and notes what came of it.
#[derive(Clone, Copy)]
pub struct SignInGuard<'a> {
    pub world: &'a World,
    pub seal: &'a Seal,
    pub devices: &'a KnownDevices,
    /// Whether attempts in a row have to wait.
    pub is_slow: bool,
}

impl KnownDevices {
    /// Of a cookie. What is no token of ours is left out.
    pub fn read(tokens: &Tokens, cookie: &str, now: Timestamp) -> Self {
        let known = |token: &str| tokens.read(token, Use::Device, now).ok().map(KnownDevice);
        Self(cookie.split('~').take(REMEMBERED).filter_map(known).collect())
    }

    /// The cookie once this account has signed in here. The other accounts are as known as they were, under the current secret.
    pub fn remember(&self, tokens: &Tokens, player: &PlayerRow, now: Timestamp) -> Result<String> {
        let new = tokens.issue(player.id, SessionId(uuid::Uuid::nil()), player.role, Use::Device, now)?;
        let others = self.0.iter().filter(|it| it.player() != player.id).map(|it| tokens.sign(&it.0));
        let all = std::iter::once(Ok(new)).chain(others).take(REMEMBERED);
        Ok(all.collect::<Result<Vec<_>>>()?.join("~"))
    }

    fn of(&self, player: PlayerId) -> Option<&KnownDevice> {
        self.0.iter().find(|it| it.player() == player)
    }
}

impl KnownDevice {
    fn player(&self) -> PlayerId {
        self.0.sub
    }

    /// Seconds since 1970. Tells the devices of one player apart.
    fn since(&self) -> i64 {
        self.0.iat
    }
}

impl Event {
    const ALL: [Self; 3] = [Self::WrongPassword, Self::WrongCode, Self::Refused];

    pub fn action(self) -> &'static str {
        match self {
            Self::WrongPassword => "door.wrong_password",
            Self::WrongCode => "door.wrong_code",
            Self::Refused => "door.refused",
        }
    }
}

impl SignInGuard<'_> {
    /// Counts an attempt at this account, or refuses it as too early. A device that signed in before has a count of its own, so
    /// that nobody elsewhere keeps it out.
    pub async fn attempt(&self, conn: &mut AsyncPgConnection, email: &Email, player: Option<&PlayerRow>) -> Result<()> {
        if !self.is_slow {
            return Ok(());
        }
        let key = self.key(self.seal, email, player).to_vec();
        if let Some(previous) = self.seal.previous() {
            let before = self.key(previous, email, player).to_vec();
            let moved = statement(MOVE_ATTEMPTS).bind::<Binary, _>(before).bind::<Binary, _>(&key);
            moved.execute(conn).await?;
        }
        // The statement that counts carries the condition: attempts at once wait like attempts in a row.
        let counted = statement(
            "INSERT INTO sign_in_attempts AS before (key, attempts, last_at) VALUES ($1, 1, $2)
             ON CONFLICT (key) DO UPDATE SET attempts = before.attempts + 1, last_at = $2
             WHERE before.attempts < $3 OR before.last_at
                 + least($4, $5 * power(2, least(before.attempts - $3, 10))) * interval '1 second' <= $2",
        )
        .bind::<Binary, _>(&key)
        .bind::<Timestamptz, _>(SqlTimestamp::from(self.world.now()))
        .bind::<Integer, _>(FREE_ATTEMPTS)
        .bind::<Integer, _>(LONGEST_PAUSE_SECONDS as i32)
        .bind::<Integer, _>(FIRST_PAUSE_SECONDS as i32)
        .execute(conn)
        .await?;
        if counted > 0 { Ok(()) } else { Err(self.too_early(conn, key).await?) }
    }

    async fn too_early(&self, conn: &mut AsyncPgConnection, key: Vec<u8>) -> Result<base::error::Error> {
        let row = sign_in_attempts::table.find(key).select((sign_in_attempts::attempts, sign_in_attempts::last_at));
        let found: Option<(i32, SqlTimestamp)> = row.first(conn).await.optional()?;
        let until = found.map(|(attempts, at)| at.to_jiff() + pause(attempts));
        let wait = until.map_or(SignedDuration::ZERO, |until| until.duration_since(self.world.now()));
        Ok(too_many(wait.max(SignedDuration::from_secs(1)).unsigned_abs()))
    }

    /// The password did not fit.
    pub async fn missed(&self, conn: &mut AsyncPgConnection, player: Option<&PlayerRow>) -> Result<()> {
        let staff = player.filter(|player| player.role >= Role::Staff).map(|player| player.id);
        tell(conn, self.world, self.seal, Event::WrongPassword, staff, json!({})).await
    }

    /// Asks somebody who is signed in for their password again. It counts like a sign-in: a browser that was left open is no way
    /// to guess it.
    ///
    /// # Errors
    /// `wrong_password`, or that it is too early.
    pub async fn ask_again(
        &self,
        conn: &mut AsyncPgConnection,
        passwords: &Passwords,
        player: &PlayerRow,
        given: Option<Password>,
    ) -> Result<()> {
        let given = given.ok_or_else(|| forbidden("wrong_password"))?;
        if let Some(email) = email_of(player) {
            self.attempt(conn, &email, Some(player)).await?;
        }
        if !passwords.fits(given, player.password_hash.clone()).await? {
            self.missed(conn, Some(player)).await?;
            return Err(forbidden("wrong_password"));
        }
        self.forget_attempts(conn, player).await
    }

    async fn forget_attempts(&self, conn: &mut AsyncPgConnection, player: &PlayerRow) -> Result<()> {
        if let Some(email) = email_of(player) {
            let keys = self.seal.each().map(|seal| self.key(seal, &email, Some(player)).to_vec());
            let theirs = sign_in_attempts::table.filter(sign_in_attempts::key.eq_any(keys));
            diesel::delete(theirs).execute(conn).await?;
        }
        Ok(())
    }

    /// Somebody came in: their attempts are forgotten. That staff did is on record.
    pub async fn enter(&self, conn: &mut AsyncPgConnection, player: &PlayerRow, session: SessionId) -> Result<()> {
        self.forget_attempts(conn, player).await?;
        if player.role < Role::Staff {
            return Ok(());
        }
        let details = json!({ "new_device": self.devices.of(player.id).is_none(), "session": session });
        let (actor, subject_id) = (Some(player.id), Some(player.id.0));
        let entry = Entry { actor, action: "door.sign_in", subject: "player", subject_id, details };
        Ok(audit::record(conn, self.world, entry).await?)
    }

    fn key(&self, seal: &Seal, email: &Email, player: Option<&PlayerRow>) -> Digest {
        match player.and_then(|player| self.devices.of(player.id)) {
            Some(it) => seal.digest(&[b"attempts by device", it.player().0.as_bytes(), &it.since().to_be_bytes()]),
            None => seal.digest(&[b"attempts", email.as_str().as_bytes()]),
        }
    }
}

fn email_of(player: &PlayerRow) -> Option<Email> {
    player.email.as_deref().and_then(|email| Email::parse(email).ok())
}

/// How long the next attempt waits after so many in a row.
fn pause(attempts: i32) -> SignedDuration {
    let doubled = (attempts - FREE_ATTEMPTS).clamp(0, 10);
    SignedDuration::from_secs((FIRST_PAUSE_SECONDS << doubled).min(LONGEST_PAUSE_SECONDS))
}

#[derive(QueryableByName)]
struct Note {
    #[diesel(sql_type = Bool)]
    is_due: bool,
    /// How often it happened since the last line without one.
    #[diesel(sql_type = Integer)]
    untold: i32,
}

/// Puts it into the audit log, at most once a minute. `staff` is the account that it happened to, if that is one of staff: others
/// are not named.
pub async fn tell(
    conn: &mut AsyncPgConnection,
    world: &World,
    seal: &Seal,
    event: Event,
    staff: Option<PlayerId>,
    mut details: Value,
) -> Result<()> {
    let whose = staff.map(|staff| staff.0.as_bytes().to_vec()).unwrap_or_default();
    let key_of = |seal: &Seal| seal.digest(&[b"door", event.action().as_bytes(), &whose]).to_vec();
    let key = key_of(seal);
    if let Some(previous) = seal.previous() {
        let moved = statement(MOVE_NOTE).bind::<Binary, _>(key_of(previous)).bind::<Binary, _>(&key);
        moved.execute(conn).await?;
    }
    let note: Note = statement(
        "WITH last AS (SELECT untold, told_at FROM door_notes WHERE key = $1)
         INSERT INTO door_notes AS before (key, told_at, untold) VALUES ($1, $2, 0)
         ON CONFLICT (key) DO UPDATE SET
             untold = CASE WHEN before.told_at <= $2 - interval '1 minute' THEN 0 ELSE before.untold + 1 END,
             told_at = CASE WHEN before.told_at <= $2 - interval '1 minute' THEN $2 ELSE before.told_at END
         RETURNING untold = 0 AS is_due, coalesce((SELECT untold FROM last), 0) AS untold",
    )
    .bind::<Binary, _>(&key)
    .bind::<Timestamptz, _>(SqlTimestamp::from(world.now()))
    .get_result(conn)
    .await?;
    if !note.is_due {
        return Ok(());
    }
    if let Some(details) = details.as_object_mut() {
        details.insert("times".to_owned(), json!(note.untold + 1));
    }
    let (subject, subject_id) = if staff.is_some() { ("player", staff.map(|staff| staff.0)) } else { ("door", None) };
    let actor = staff.filter(|_| event == Event::Refused);
    Ok(audit::record(conn, world, Entry { actor, action: event.action(), subject, subject_id, details }).await?)
}

/// When this member of staff signed in on a device that was new, elsewhere than in this session, the latest first.
pub async fn list_new_devices(
    conn: &mut AsyncPgConnection,
    reader: &Identity,
    now: Timestamp,
) -> Result<Vec<Timestamp>> {
    let filter = Filter {
        actions: vec!["door.sign_in".to_owned()],
        subject: Some("player".to_owned()),
        subject_id: Some(reader.id.0),
        from: Some(now - NEW_DEVICE_TOLD),
        ..Filter::default()
    };
    let rows = lines::list(conn, &filter, FAILURES_SHOWN).await?;
    let elsewhere = rows
        .into_iter()
        .filter(|row| row.details["new_device"] == json!(true) && row.details["session"] != json!(reader.session));
    Ok(elsewhere.map(|row| row.at).take(NEW_DEVICES_SHOWN).collect())
}

/// What failed or was refused within a day, the latest first.
pub async fn list_failures(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<Vec<LineRow>> {
    let actions = Event::ALL.map(|event| event.action().to_owned()).to_vec();
    let filter = Filter { actions, from: Some(now - FAILURES_WITHIN), ..Filter::default() };
    Ok(lines::list(conn, &filter, FAILURES_SHOWN).await?)
}

/// Deletes counts that nobody asks for any more.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    let before = SqlTimestamp::from(now - KEPT);
    let attempts = sign_in_attempts::table.filter(sign_in_attempts::last_at.lt(before));
    let notes = door_notes::table.filter(door_notes::told_at.lt(before));
    Ok(diesel::delete(attempts).execute(conn).await? + diesel::delete(notes).execute(conn).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pause_is_twice_as_long_up_to_ten_minutes() {
        let seconds: Vec<i64> = [5, 6, 7, 10, 11, 12, i32::MAX].map(|it| pause(it).as_secs()).to_vec();
        assert_eq!(seconds, [10, 20, 40, 320, 600, 600, 600]);
    }
}
