//! All that is decided of a match before it is made: its rules, seats and table.

use diesel::result::QueryResult;
use diesel_async::AsyncPgConnection;
use engine::{SeatSet, Seed, VariantHash, catalogue};
use serde_json::{Value, json};

use super::store::{self, NewMatch};
use super::terms::Terms;
use super::{MatchRow, Mode};
use crate::players;
use crate::sittings;
use base::codes::new_code;
use base::db::{OnConstraint, Refused};
use base::error::{Error, Result, conflict, internal, unauthorized, unprocessable};
use base::games::{OTHER, complete_options};
use base::ids::{MatchId, PlayerId, SittingId, TableId, VariantId};
use base::world::World;

/// By what a match is played: a game with its options completed, or any other game, of which nothing is known here.
pub struct Rules {
    game: &'static str,
    revision: u32,
    options: Value,
    pub variant_hash: VariantHash,
}

impl Rules {
    pub fn of(game: &str, given: Option<&Value>, seats: u8) -> Result<Self> {
        let (game, revision, options) = match catalogue::find(game) {
            Some(kind) => (kind.info().id, kind.info().revision, complete_options(kind, given, seats)?),
            None if game != OTHER => {
                return Err(unprocessable("unknown_game").with_field("/game", "unknown_value"));
            }
            None if !(1..=SeatSet::MOST).contains(&seats) => {
                return Err(unprocessable("invalid_seats").with_field("/seats", "out_of_range"));
            }
            None if given.is_some_and(|given| *given != json!({})) => {
                return Err(unprocessable("invalid_options").with_field("/options", "invalid"));
            }
            None => (OTHER, 0, json!({})),
        };
        Ok(Self { game, revision, variant_hash: VariantHash::of(game, revision, &options), options })
    }

    /// By which all matches are told that are played by the same: of another game nothing is known but its title.
    pub fn hash(&self, terms: &Terms) -> VariantHash {
        match &terms.title {
            Some(title) => VariantHash::of(self.game, self.revision, &json!({ "title": title })),
            None => self.variant_hash,
        }
    }
}

/// All that is decided of a match before it is made, but for its terms.
pub struct Plan<'a> {
    pub rules: &'a Rules,
    pub seat_count: i16,
    pub name: Option<&'a str>,
    pub mode: Mode,
    pub table_id: Option<TableId>,
    /// Whose match it is, at a table.
    pub sitting: Option<SittingId>,
    pub turn_seconds: Option<i32>,
    pub variant: Option<(VariantId, i32)>,
}

/// How many matches that nobody has started may be there at one time. They fill the lobby and the floor for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitingQuota {
    /// Made by one account.
    pub account: u32,
    /// Of one party.
    pub party: u32,
}

impl WaitingQuota {
    /// A party may have twice as many as an account.
    pub fn of_account(account: u32) -> Self {
        Self { account, party: account.saturating_mul(2) }
    }
}

/// Makes the match of a player who may make one, and have one more that nobody has started. Without a quota, as many as they like.
/// Within the caller's transaction, which a refusal is to undo.
pub async fn make_own(
    conn: &mut AsyncPgConnection,
    world: &World,
    creator: PlayerId,
    quota: Option<WaitingQuota>,
    plan: &Plan<'_>,
    terms: &Terms,
) -> Result<MatchRow> {
    let row = make(conn, world, creator, plan, terms).await?;
    // Their token is good until every process has heard that the account ended. Of that end and the match, the later knows of the earlier.
    if !players::store::may_make(conn, creator).await? {
        return Err(unauthorized("session_ended"));
    }
    match quota {
        Some(quota) => over(conn, creator, plan.sitting, quota).await?.map_or(Ok(row), Err),
        None => Ok(row),
    }
}

/// Makes the match, with a seed and a code of its own, whatever has become of its creator. Within the caller's transaction, which a
/// refusal is to undo.
pub async fn make(
    conn: &mut AsyncPgConnection,
    world: &World,
    creator: PlayerId,
    plan: &Plan<'_>,
    terms: &Terms,
) -> Result<MatchRow> {
    let seed = Seed(world.bytes());
    let mut new = NewMatch {
        id: MatchId(world.uuid()),
        code: new_code(world),
        game: plan.rules.game,
        revision: i32::try_from(plan.rules.revision).map_err(internal)?,
        options: &plan.rules.options,
        seat_count: plan.seat_count,
        name: plan.name,
        mode: plan.mode,
        created_by: creator,
        table_id: plan.table_id,
        turn_seconds: plan.turn_seconds,
        created_at: world.now().into(),
        seed: &seed.0,
        commitment: &seed.commitment().0,
        variant_id: plan.variant.map(|(variant, _)| variant),
        variant_version: plan.variant.map(|(_, version)| version),
        variant_hash: &plan.rules.hash(terms).0,
    };
    let row = loop {
        let made = store::insert(conn, &new).await;
        let refused: [Refused<'_>; 2] = [
            ("matches_created_by_fkey", || unauthorized("session_ended")),
            // Somebody changes the draft that was read to make it.
            ("matches_variant_fkey", || conflict("busy")),
        ];
        match made.on_constraints(&refused)? {
            Some(row) => break row,
            // One in hundreds of millions is taken.
            None => new.code = new_code(world),
        }
    };
    if *terms != Terms::default() {
        store::insert_terms(conn, row.id, terms).await?;
    }
    if let Some(sitting) = plan.sitting
        && !sittings::store::attach(conn, row.id, sitting).await?
    {
        // Their party left meanwhile.
        return Err(conflict("sitting_over"));
    }
    Ok(row)
}

/// Why this is one match too many, with the new one counted. The account and its party are locked: of two that are made at one time,
/// the second counts the first.
async fn over(
    conn: &mut AsyncPgConnection,
    creator: PlayerId,
    party: Option<SittingId>,
    quota: WaitingQuota,
) -> QueryResult<Option<Error>> {
    let refuse = |most: u32| conflict("too_many_waiting_matches").with("limit", i64::from(most));
    // Attaching the match to its party has locked the party.
    if let Some(party) = party
        && store::count_waiting_of_party(conn, party).await? > i64::from(quota.party)
    {
        return Ok(Some(refuse(quota.party)));
    }
    let own = store::count_waiting_of(conn, creator).await?;
    Ok((own > i64::from(quota.account)).then(|| refuse(quota.account)))
}
