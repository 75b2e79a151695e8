//! What is counted, for whom, and how much of it one caller may have: one table, which `GET /api/v1/limits` publishes.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Config;
use play::matches::WaitingQuota;

/// A whole café may share one address: an address may have so many times what an account may.
const ADDRESS_FACTOR: u32 = 25;
/// Staff act for all guests, often by one account at the counter.
const STAFF_FACTOR: u32 = 10;
/// More would be in the way of the others at the table, and of those who look.
const REACTIONS_PER_MINUTE: u32 = 10;
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LimitedUse)]
pub enum What {
    /// Sign-ins, registrations and other tries at a password.
    SignIns,
    /// New guests, joining a party or a seat by a form that may make one, and joining the waiting list.
    Guests,
    /// Moves in a match.
    Moves,
    /// Reactions that people at a match send each other.
    Reactions,
    /// New matches and calls for staff: what others then see in the lobby and on the floor.
    Creations,
    /// All other changes.
    Writes,
    /// Sheets, exports and checks of the whole audit log.
    Exports,
    /// Open streams and long polls.
    Streams,
    /// Matches that somebody made and nobody has started.
    WaitingMatches,
}

/// For whom it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = LimitedCaller)]
pub enum Per {
    /// A guest's or a registered player's account.
    Account,
    /// An account of somebody who works here.
    Staff,
    /// The caller's network address; of IPv6 its /64.
    Address,
    /// The party at a table.
    Party,
    /// Everybody together, in one process.
    Process,
}

/// One bound.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Limit)]
pub struct Policy {
    /// As in the headers `RateLimit-Policy` and `RateLimit`.
    #[schema(example = "writes-account")]
    pub name: &'static str,
    pub what: What,
    pub per: Per,
    /// How many within the window, or open at one time.
    #[schema(example = 120)]
    pub quota: u32,
    /// In seconds. None: it is about how many there are at one time.
    #[schema(example = 60)]
    pub window: Option<u64>,
}

impl Policy {
    /// The item of `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers).
    pub(super) fn item(&self) -> String {
        let Self { name, quota, .. } = self;
        match self.window {
            Some(window) => format!("\"{name}\";q={quota};w={window}"),
            None => format!("\"{name}\";q={quota};qu=\"concurrent-requests\""),
        }
    }

    /// In which time one more may be had. None if it is about how many there are at one time.
    pub(super) fn interval(&self) -> Option<Duration> {
        Some(Duration::from_secs(self.window?) / self.quota)
    }
}

/// Which of them hold, in the order in which they are asked: an account that has used up its own takes nothing of what its address has.
pub(super) fn policies(config: &Config, waiting: WaitingQuota, streams: u32) -> Vec<Policy> {
    let policy = |name, what, per, quota: u32, window: Option<Duration>| Policy {
        name,
        what,
        per,
        quota,
        window: window.map(|it| it.as_secs()),
    };
    let rates = [
        (["", "", "sign-ins-address"], What::SignIns, config.sign_ins_per_minute, MINUTE),
        (["", "", "guests-address"], What::Guests, config.guests_per_minute, MINUTE),
        (["moves-account", "moves-staff", "moves-address"], What::Moves, config.moves_per_minute, MINUTE),
        (["writes-account", "writes-staff", "writes-address"], What::Writes, config.writes_per_minute, MINUTE),
        (
            ["reactions-account", "reactions-staff", "reactions-address"],
            What::Reactions,
            at_least_one(REACTIONS_PER_MINUTE),
            MINUTE,
        ),
        (
            ["creations-account", "creations-staff", "creations-address"],
            What::Creations,
            config.creations_per_hour,
            HOUR,
        ),
        (["exports-account", "exports-staff", "exports-address"], What::Exports, config.exports_per_hour, HOUR),
    ];
    let mut policies = Vec::new();
    for ([account, staff, address], what, quota, window) in rates {
        let quota = quota.get();
        let is_per_account = !account.is_empty();
        if is_per_account {
            policies.push(policy(account, what, Per::Account, quota, Some(window)));
            policies.push(policy(staff, what, Per::Staff, quota.saturating_mul(STAFF_FACTOR), Some(window)));
        }
        let factor = if is_per_account { ADDRESS_FACTOR } else { 1 };
        policies.push(policy(address, what, Per::Address, quota.saturating_mul(factor), Some(window)));
    }
    let own = config.streams.get();
    let most = |factor: u32| own.saturating_mul(factor).min(streams);
    policies.extend([
        policy("streams-account", What::Streams, Per::Account, most(1), None),
        policy("streams-staff", What::Streams, Per::Staff, most(STAFF_FACTOR), None),
        policy("streams-address", What::Streams, Per::Address, most(ADDRESS_FACTOR), None),
        policy("streams-process", What::Streams, Per::Process, streams, None),
        policy("waiting-matches-account", What::WaitingMatches, Per::Account, waiting.account, None),
        policy("waiting-matches-party", What::WaitingMatches, Per::Party, waiting.party, None),
    ]);
    policies
}

/// A quota for tests and for settings that cannot be zero.
pub(super) fn at_least_one(quota: u32) -> NonZeroU32 {
    NonZeroU32::new(quota).unwrap_or(NonZeroU32::MIN)
}
