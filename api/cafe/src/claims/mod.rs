//! Claims: a guest's phone died, and another phone asks to be theirs. Somebody of the party or of the staff confirms it; then
//! the guest is signed in there and nowhere else.
//!
//! A claim is kept by a secret that only the new phone has. Confirming gives nothing to anybody but that phone.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use base::audit::{self, Entry};
use base::auth::secrets::{encode, hash};
use base::auth::{Identity, Permission, Role, Tokens, holds};
use base::db::OnConstraint;
use base::error::{Error, Result, conflict, forbidden, not_found};
pub use base::ids::ClaimId;
use base::ids::{PlayerId, SittingId, TableId};
use base::live::Live;
use base::world::World;
use play::matches;
use play::matches::reveals::{self, CONFIRM_PHONE};
use play::players::{self, PlayerRow};
use play::sessions::{self, Device, PageToken, SignedIn};
use play::sittings;
pub use store::ClaimRow;
use store::{NewClaim, Taken};

/// So long a claim waits for its answer, and then for its phone.
pub const LIFE: SignedDuration = SignedDuration::from_mins(10);
/// So many of one party are remembered; who needs more asks the staff in person.
const MOST_OF_A_PARTY: i64 = 20;

base::text_enum! {
    pub enum ClaimStatus {
        Open = "open",
        Confirmed = "confirmed",
        Refused = "refused",
        /// The phone is the guest's now.
        Taken = "taken",
    }
}

base::text_enum! {
    /// What somebody of the party or of the staff says to a claim.
    pub enum ClaimAnswer {
        Yes = "yes",
        No = "no",
    }
}

/// A phone that asks to be a guest's of the party at a table.
pub struct NewPhone<'a> {
    pub table: TableId,
    /// Whose it says that it is.
    pub player: PlayerId,
    /// As whom it is known, if it has a name already.
    pub known_as: Option<&'a Identity>,
    /// The secret of what it asked for before.
    pub earlier: Option<&'a str>,
    pub device: &'a Device,
}

/// A guest of a party, told from others whose names look the same.
pub struct Guest {
    pub id: PlayerId,
    pub name: String,
    pub tag: Option<String>,
}

impl ClaimRow {
    pub fn is_open(&self, now: Timestamp) -> bool {
        self.status == ClaimStatus::Open && now < self.expires_at
    }

    pub fn is_confirmed(&self, now: Timestamp) -> bool {
        self.status == ClaimStatus::Confirmed && now < self.expires_at
    }

    pub fn is_refused(&self) -> bool {
        self.status == ClaimStatus::Refused
    }

    /// Whether nobody answered in time, or the phone did not come for its answer.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        matches!(self.status, ClaimStatus::Open | ClaimStatus::Confirmed) && now >= self.expires_at
    }
}

impl ClaimAnswer {
    fn status(self) -> ClaimStatus {
        match self {
            Self::Yes => ClaimStatus::Confirmed,
            Self::No => ClaimStatus::Refused,
        }
    }
}

/// The guests of a party whose a phone may ask to be, but for those who are on it, in the order in which they came.
pub async fn list_guests(conn: &mut AsyncPgConnection, id: SittingId, here: &[PlayerId]) -> Result<Vec<Guest>> {
    let guests = store::list_guests(conn, id).await?;
    let people: Vec<_> = guests.iter().map(|(id, name)| (*id, name.as_str())).collect();
    let tags = players::tags(&people);
    let told = guests.into_iter().zip(tags).filter(|((id, _), _)| !here.contains(id));
    Ok(told.map(|((id, name), tag)| Guest { id, name, tag }).collect())
}

/// What phones ask a party that is there, and who of it has another phone since a while: for the party itself and for staff.
pub async fn list(
    conn: &mut AsyncPgConnection,
    player: &Identity,
    id: SittingId,
    now: Timestamp,
) -> Result<(Vec<ClaimRow>, Vec<Taken>)> {
    let sitting = sittings::expect_party_or_staff(conn, id, player).await?;
    if sitting.closed_at.is_some() {
        return Ok(Default::default());
    }
    let open = store::list_open(conn, id, now).await?;
    Ok((open, store::list_taken(conn, id, now - LIFE).await?))
}

/// What the phone with this secret asked for.
pub async fn find(conn: &mut AsyncPgConnection, secret: &str) -> Result<ClaimRow> {
    let found = store::find_of_phone(conn, &hash(secret.as_bytes())).await?;
    found.ok_or_else(|| not_found("claim_not_found"))
}

/// Asks the party. Gives the secret by which the phone is known from now on. What it asked for before is asked no more.
pub async fn ask(conn: &mut AsyncPgConnection, world: &World, live: &Live, phone: NewPhone<'_>) -> Result<String> {
    refuse_staff(phone.known_as)?;
    let secret = encode(&world.bytes::<24>());
    conn.transaction(async |conn| {
        let now = world.now();
        let sitting = sittings::store::lock_open(conn, phone.table).await?;
        let sitting = sitting.ok_or_else(|| forbidden("not_at_table"))?;
        if !sittings::store::is_member(conn, sitting.id, phone.player).await? {
            return Err(not_found("player_not_found"));
        }
        let known_as = phone.known_as.map(|it| it.id);
        if known_as == Some(phone.player) {
            return Err(forbidden("claim_own"));
        }
        if let Some(earlier) = phone.earlier {
            store::delete_of_phone(conn, &hash(earlier.as_bytes())).await?;
        }
        store::delete_expired(conn, phone.player, now).await?;
        if store::count(conn, sitting.id).await? >= MOST_OF_A_PARTY {
            return Err(conflict("claims_exhausted"));
        }
        expect_guest(conn, phone.player, now).await?;
        let new = NewClaim {
            id: ClaimId(world.uuid()),
            sitting_id: sitting.id,
            player_id: phone.player,
            asked_by: known_as,
            phone_hash: &hash(secret.as_bytes()),
            user_agent: phone.device.user_agent(),
            asked_at: now.into(),
            expires_at: (now + LIFE).into(),
        };
        store::insert(conn, &new).await.on_constraint("claims_one_each", || conflict("claim_waits"))?;
        Ok(())
    })
    .await?;
    tell(conn, live, phone.player).await?;
    Ok(secret)
}

/// The phone with this secret asks no longer, and takes nothing that was confirmed. Saying so again changes nothing.
pub async fn withdraw(conn: &mut AsyncPgConnection, live: &Live, secret: &str) -> Result<()> {
    match store::withdraw(conn, &hash(secret.as_bytes())).await? {
        Some(player) => tell(conn, live, player).await,
        None => Ok(()),
    }
}

/// Somebody of the party says whether it is true, or one of the staff, who can see who stands there. `phone` is the secret of a
/// claim that was made on their own phone, if any: nobody confirms their own.
pub async fn answer(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    id: ClaimId,
    (answer, phone): (ClaimAnswer, Option<&str>),
) -> Result<ClaimRow> {
    let claim = conn
        .transaction(async |conn| {
            let sitting = store::find_sitting(conn, id).await?.ok_or_else(|| not_found("claim_not_found"))?;
            let by_staff = holds(conn, player, Permission::ManagePlayers).await?;
            if !by_staff {
                sittings::expect_member(conn, sitting, player.id).await?;
            }
            let claim = lock_open(conn, id, world.now()).await?;
            let is_own = claim.asked_by == Some(player.id)
                || phone.is_some_and(|secret| hash(secret.as_bytes()).as_slice() == claim.phone_hash);
            if is_own && answer == ClaimAnswer::Yes {
                return Err(forbidden("claim_own"));
            }
            // Staff of the party stay staff.
            if by_staff || players::find(conn, player.id).await?.role > Role::Player {
                settle_by_staff(conn, world, claim, answer, player.id).await
            } else {
                settle(conn, world, claim, answer, player.id).await
            }
        })
        .await?;
    tell(conn, live, claim.player_id).await?;
    Ok(claim)
}

/// The phone with this secret becomes the guest's, as was confirmed, and all others cease to be. `before` is as whom the phone
/// was signed in until then.
pub async fn take(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    tokens: &Tokens,
    (secret, device): (&str, &Device),
    before: Option<&Identity>,
) -> Result<(PlayerRow, PageToken)> {
    refuse_staff(before)?;
    let taken = conn
        .transaction(async |conn| {
            let player = take_over(conn, world, secret).await?;
            if let Some(before) = before {
                sessions::close(conn, world, before).await?;
            }
            let token = sessions::open_page(conn, world, tokens, &player, device).await?;
            Ok::<_, Error>((player, token))
        })
        .await?;
    tell(conn, live, taken.0.id).await?;
    Ok(taken)
}

/// The same for an app, which keeps its own tokens, also those that it had before.
pub async fn take_by_app(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    tokens: &Tokens,
    secret: &str,
    device: &Device,
) -> Result<SignedIn> {
    let signed_in = conn
        .transaction(async |conn| {
            let player = take_over(conn, world, secret).await?;
            sessions::open(conn, world, tokens, &player, device).await
        })
        .await?;
    tell(conn, live, signed_in.player.id).await?;
    Ok(signed_in)
}

/// Forgets what is over.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    Ok(store::delete_over(conn, now - LIFE).await?)
}

/// The guest whose the phone with this secret is from now on. They are signed out everywhere.
async fn take_over(conn: &mut AsyncPgConnection, world: &World, secret: &str) -> Result<PlayerRow> {
    let now = world.now();
    let claim = store::lock_of_phone(conn, &hash(secret.as_bytes())).await?.ok_or_else(|| conflict("claim_over"))?;
    if claim.is_open(now) {
        return Err(conflict("claim_unanswered"));
    }
    if !claim.is_confirmed(now) {
        return Err(conflict("claim_over"));
    }
    let player = expect_guest(conn, claim.player_id, now).await?;
    sessions::close_others(conn, world, player.id, None).await?;
    store::set_taken(conn, claim.id).await?;
    Ok(player)
}

/// Staff share their phone with nobody.
fn refuse_staff(known_as: Option<&Identity>) -> Result<()> {
    match known_as {
        Some(known_as) if known_as.role > Role::Player => Err(forbidden("phone_of_staff")),
        _ => Ok(()),
    }
}

/// Only who has no password can be told by others alone.
async fn expect_guest(conn: &mut AsyncPgConnection, id: PlayerId, now: Timestamp) -> Result<PlayerRow> {
    let player = players::lock(conn, id).await?;
    if player.registered_at.is_some() || player.role > Role::Player {
        return Err(conflict("claim_registered"));
    }
    if player.is_banned(now) { Err(forbidden("banned")) } else { Ok(player) }
}

/// Who has looked at what is hidden in a match of the guest's does not say which phone plays on there: it may be their own.
async fn refuse_looker(conn: &mut AsyncPgConnection, by: PlayerId, guest: PlayerId) -> Result<()> {
    for (id, _) in matches::store::list_unfinished(conn, guest).await? {
        if reveals::has_looked(conn, id, by).await? {
            return Err(forbidden("claim_looked"));
        }
    }
    Ok(())
}

async fn lock_open(conn: &mut AsyncPgConnection, id: ClaimId, now: Timestamp) -> Result<ClaimRow> {
    let claim = store::lock(conn, id).await?.ok_or_else(|| not_found("claim_not_found"))?;
    if claim.is_open(now) { Ok(claim) } else { Err(conflict("claim_over")) }
}

async fn settle(
    conn: &mut AsyncPgConnection,
    world: &World,
    claim: ClaimRow,
    answer: ClaimAnswer,
    by: PlayerId,
) -> Result<ClaimRow> {
    let now = world.now();
    let (status, expires_at) = (answer.status(), now + LIFE);
    store::settle(conn, claim.id, status, by, now, expires_at).await?;
    Ok(ClaimRow { status, expires_at, ..claim })
}

/// Staff who play against a guest do not say whose phone shows the guest's hand, nor do those who have looked. What they say
/// is on record, so that they do not look afterwards.
async fn settle_by_staff(
    conn: &mut AsyncPgConnection,
    world: &World,
    claim: ClaimRow,
    answer: ClaimAnswer,
    by: PlayerId,
) -> Result<ClaimRow> {
    let action = match answer {
        ClaimAnswer::Yes => {
            players::store::lock_activity(conn, by).await?;
            reveals::refuse_opponent(conn, by, claim.player_id).await?;
            refuse_looker(conn, by, claim.player_id).await?;
            CONFIRM_PHONE
        }
        ClaimAnswer::No => "player.refuse_phone",
    };
    let claim = settle(conn, world, claim, answer, by).await?;
    let details = json!({ "name": claim.display_name });
    let (actor, subject_id) = (Some(by), Some(claim.player_id.0));
    audit::record(conn, world, Entry { actor, action, subject: "player", subject_id, details }).await?;
    Ok(claim)
}

/// The table's page and those of the matches in which they sit.
async fn tell(conn: &mut AsyncPgConnection, live: &Live, player: PlayerId) -> Result<()> {
    live.tell_floor();
    matches::tell_of(conn, live, player).await
}
