//! The lab: bots play the rules of a variant thousands of times in spare time, and say what they do before a guest meets them.
//! What they find is kept by the rules, not by their name.

mod keeper;
pub mod store;
pub mod verdict;

use std::collections::BTreeMap;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::bots::Level;
use engine::lab::{Report, Share};
use engine::{Kind, catalogue};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, Identity, StaffContext, can};
use base::error::{Error, Result, conflict, internal, unprocessable};
use base::games::{complete_options, guarded, kind};
use base::ids::LabRunId;
pub use keeper::start;
use play::matches::store::{PlayedRow, list_played, pace};
use play::variants::{self, Content, VariantId, VariantRow, VersionRow};
use store::RunRow;

/// Two points of a hundred on either side.
const PRECISION: f64 = 0.02;
/// So many real matches of the same rules stand beside what the lab says.
const MATCHES_COMPARED: i64 = 1_000;

base::text_enum! {
    /// How far the lab is with a question.
    pub enum RunStatus {
        Waiting = "waiting",
        Running = "running",
        Finished = "finished",
        Cancelled = "cancelled",
        /// It took too long, or broke down.
        Failed = "failed",
    }
}

/// What somebody wants to know of a version.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asked {
    /// A usual number if left out.
    pub seats: Option<u8>,
    /// The version to compare with; the basic game if left out.
    pub from: Option<i64>,
    /// Whether bots that search play as well. It takes longer.
    pub search: bool,
}

/// A question as the lab understands it.
#[derive(Debug)]
pub struct Topic {
    game: &'static str,
    options: Value,
    hash: Vec<u8>,
    against: Value,
    against_hash: Vec<u8>,
    seats: u8,
    search: bool,
}

/// A version in the lab.
#[derive(Debug)]
pub struct Lab {
    pub variant: VariantRow,
    pub version: VersionRow,
    /// What it is compared with; none for the basic game.
    pub from: Option<i32>,
    /// The numbers of seats that these rules are for; none if the game's rules have changed since.
    pub playable: Vec<u8>,
    pub seats: u8,
    pub search: bool,
    /// Whether the game has bots that search.
    pub may_search: bool,
    /// None if nobody has asked.
    pub status: Option<RunStatus>,
    /// In percent.
    pub progress: i16,
    pub report: Option<Report>,
    /// Seconds per move in this café's matches of the game, once it has had some; else as the game's rules say.
    pub seconds_per_move: Option<f64>,
    pub real: Real,
}

/// What really happened by the same rules, with as many seats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
#[schema(as = RealMatches)]
pub struct Real {
    /// Finished matches of people alone, up to a thousand of the latest.
    pub matches: u64,
    /// What half of them took at most.
    pub minutes: Option<u32>,
    /// How often each place in the order of play won, the first to play first.
    #[schema(value_type = Vec<base::games::shapes::LabShare>)]
    pub wins_by_order: Vec<Share>,
    /// How often each animal, character or trait won of those that played it.
    #[schema(value_type = Object)]
    pub wins_by_role: BTreeMap<String, Share>,
}

/// What the lab knows of a version of a variant, for those who may know of the version.
pub async fn look(
    conn: &mut AsyncPgConnection,
    caller: Option<&Identity>,
    id: VariantId,
    number: Option<i64>,
    asked: Asked,
) -> Result<Lab> {
    let (variant, version) = variants::expect(conn, caller, id, number).await?;
    let (from, topic) = topic(conn, caller, &variant, &version, asked).await?;
    let kind = kind(&variant.game)?;
    let mut lab = Lab {
        playable: playable(kind, &version),
        from,
        seats: asked.seats.unwrap_or_default(),
        search: asked.search,
        may_search: kind.levels().contains(&Level::Hard),
        status: None,
        progress: 0,
        report: None,
        seconds_per_move: pace(conn, &variant.game).await?,
        real: Real::default(),
        variant,
        version,
    };
    let Some(topic) = topic else { return Ok(lab) };
    lab.seats = topic.seats;
    let played = list_played(conn, &topic.hash, topic.seats.into(), MATCHES_COMPARED).await?;
    lab.real = Real::of(&played, topic.seats);
    if let Some(run) = store::find(conn, &topic).await? {
        (lab.status, lab.progress) = (Some(run.status), run.progress);
        lab.report = run.report.map(Report::deserialize).transpose().map_err(internal)?;
        lab.seconds_per_move = lab.seconds_per_move.or(lab.report.as_ref().map(|it| it.seconds_per_move));
    }
    Ok(lab)
}

/// Asks the lab. Asking again changes nothing, unless it came to no end.
pub async fn ask(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: VariantId,
    number: i64,
    asked: Asked,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let (variant, version) = variants::expect(conn, Some(actor.staff), id, Some(number)).await?;
    let (_, topic) = topic(conn, Some(actor.staff), &variant, &version, asked).await?;
    let topic = topic.ok_or_else(|| conflict("variant_outdated"))?;
    conn.transaction(async |conn| {
        let now = actor.world.now();
        if store::ask(conn, LabRunId(actor.world.uuid()), &topic, now).await? > 0 {
            record(conn, actor, "variant.lab", &version, &topic).await?;
        }
        Ok::<_, Error>(())
    })
    .await
}

/// Nobody wants to know any more. Where nothing runs, nothing happens.
pub async fn cancel(
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: VariantId,
    number: i64,
    asked: Asked,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    let (variant, version) = variants::expect(conn, Some(actor.staff), id, Some(number)).await?;
    let (_, topic) = topic(conn, Some(actor.staff), &variant, &version, asked).await?;
    let Some(topic) = topic else { return Ok(()) };
    conn.transaction(async |conn| {
        let Some(RunRow { id, .. }) = store::find(conn, &topic).await? else { return Ok(()) };
        if store::cancel(conn, id).await? > 0 {
            record(conn, actor, "variant.lab_cancel", &version, &topic).await?;
        }
        Ok::<_, Error>(())
    })
    .await
}

/// The version before this one.
pub async fn before(conn: &mut AsyncPgConnection, version: &VersionRow) -> Result<Option<i32>> {
    Ok(store::find_before(conn, version.variant_id, version.number).await?)
}

/// How many minutes a match by these rules takes, with a usual number of seats, if the lab knows.
pub async fn minutes(conn: &mut AsyncPgConnection, game: &str, version: &VersionRow) -> Result<Option<u32>> {
    let Some(seats) = usual(&playable(kind(game)?, version)) else { return Ok(None) };
    let Some(report) = store::find_report(conn, &version.variant_hash, seats).await? else { return Ok(None) };
    let report = Report::deserialize(report).map_err(internal)?;
    let seconds = pace(conn, game).await?.unwrap_or(report.seconds_per_move);
    Ok(report.policies.last().map(|it| in_minutes(it.moves.median, seconds)))
}

/// How long so many moves take. No match takes less than a minute.
pub fn in_minutes(moves: u32, seconds_per_move: f64) -> u32 {
    (f64::from(moves) * seconds_per_move / 60.0).round().max(1.0) as u32
}

/// The version that it is compared with, and the question; none if the game's rules have changed since.
async fn topic(
    conn: &mut AsyncPgConnection,
    caller: Option<&Identity>,
    variant: &VariantRow,
    version: &VersionRow,
    asked: Asked,
) -> Result<(Option<i32>, Option<Topic>)> {
    let kind = kind(&variant.game)?;
    let playable = playable(kind, version);
    let seats = match asked.seats {
        Some(seats) if playable.contains(&seats) => seats,
        Some(_) if !playable.is_empty() => return Err(unprocessable("invalid_seats").with_field("/seats", "invalid")),
        _ => match usual(&playable) {
            Some(seats) => seats,
            None => return Ok((None, None)),
        },
    };
    let (from, given) = match asked.from {
        Some(from) => {
            let (_, from) = variants::expect(conn, caller, variant.id, Some(from)).await?;
            (Some(from.number), Some(from.options))
        }
        None => (None, None),
    };
    let against = Content::of(kind, given.as_ref()).map_err(|_| conflict("variant_outdated"))?;
    // The other rules may not do for this many.
    complete_options(kind, Some(&against.options), seats)?;
    let topic = Topic {
        game: kind.info().id,
        options: version.options.clone(),
        hash: version.variant_hash.clone(),
        against_hash: against.hash.0.to_vec(),
        against: against.options,
        seats,
        search: asked.search && kind.levels().contains(&Level::Hard),
    };
    Ok((from, Some(topic)))
}

/// The numbers of seats that these rules are for; none if the game's rules have changed since.
fn playable(kind: &dyn Kind, version: &VersionRow) -> Vec<u8> {
    let now = Content::of(kind, Some(&version.options));
    if !now.is_ok_and(|now| now.hash.0.as_slice() == version.variant_hash) {
        return Vec::new();
    }
    let is_for = |seats: &u8| guarded(|| kind.normalize_options(&version.options, *seats)).is_ok_and(|it| it.is_ok());
    kind.info().seats.filter(is_for).collect()
}

fn usual(playable: &[u8]) -> Option<u8> {
    playable.get(playable.len().saturating_sub(1) / 2).copied()
}

/// The question about a version that nobody has asked about yet.
fn first_topic(game: &str, version: &VersionRow) -> Option<Topic> {
    let kind = catalogue::find(game)?;
    let seats = usual(&playable(kind, version))?;
    let basic = Content::of(kind, None).ok()?;
    complete_options(kind, None, seats).ok()?;
    Some(Topic {
        game: kind.info().id,
        options: version.options.clone(),
        hash: version.variant_hash.clone(),
        against_hash: basic.hash.0.to_vec(),
        against: basic.options,
        seats,
        search: false,
    })
}

async fn record(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    action: &str,
    version: &VersionRow,
    topic: &Topic,
) -> Result<()> {
    let details = json!({ "version": version.number, "seats": topic.seats, "search": topic.search });
    let (by, subject_id) = (Some(actor.staff.id), Some(version.variant_id.0));
    Ok(audit::record(conn, actor.world, Entry { actor: by, action, subject: "variant", subject_id, details }).await?)
}

impl Real {
    fn of(rows: &[PlayedRow], seats: u8) -> Self {
        let mut minutes: Vec<u32> = rows.iter().map(|it| (it.seconds / 60.0).round().max(1.0) as u32).collect();
        minutes.sort_unstable();
        let mut wins = vec![0.0; seats.into()];
        let mut told = 0;
        for row in rows {
            let winners = row.winners();
            let Some(first) = row.first.and_then(|it| u8::try_from(it).ok()).filter(|_| !winners.is_empty()) else {
                continue;
            };
            told += 1;
            for winner in &winners {
                let place = (usize::from(seats) + winner - usize::from(first)) % usize::from(seats);
                if let Some(wins) = wins.get_mut(place) {
                    *wins += 1.0 / winners.len() as f64;
                }
            }
        }
        Self {
            matches: rows.len() as u64,
            minutes: minutes.get(minutes.len() / 2).copied(),
            wins_by_order: wins.into_iter().map(|wins| Share::of(wins, told)).collect(),
            wins_by_role: wins_by_role(rows),
        }
    }
}

/// What the seats played is read of each match once, for the statistics: anybody may ask for this.
fn wins_by_role(rows: &[PlayedRow]) -> BTreeMap<String, Share> {
    let mut sums: BTreeMap<String, (f64, u64)> = BTreeMap::new();
    for row in rows {
        let winners = row.winners();
        for (seat, role) in row.roles.iter().flatten().enumerate() {
            let Some(role) = role else { continue };
            let (wins, times) = sums.entry(role.clone()).or_default();
            *wins += if winners.contains(&seat) { 1.0 / winners.len() as f64 } else { 0.0 };
            *times += 1;
        }
    }
    sums.into_iter().map(|(role, (wins, times))| (role, Share::of(wins, times))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(seconds: f64) -> PlayedRow {
        PlayedRow { seconds, outcome: None, first: None, roles: None }
    }

    fn row(ranks: Value, first: i16, seconds: f64) -> PlayedRow {
        PlayedRow { outcome: Some(json!({ "ranks": ranks })), first: Some(first), ..nothing(seconds) }
    }

    #[test]
    fn wins_are_counted_by_the_order_of_play() {
        let rows = [
            row(json!([1, 2, 3]), 0, 600.0),
            row(json!([1, 2, 3]), 2, 1200.0),
            row(json!([1, 1, 3]), 1, 1800.0),
            nothing(60.0),
        ];
        let real = Real::of(&rows, 3);
        assert_eq!((real.matches, real.minutes), (4, Some(20)));
        let shares: Vec<f64> = real.wins_by_order.iter().map(|it| (it.share * 6.0).round() / 6.0).collect();
        assert_eq!(shares, [1.5 / 3.0, 1.0 / 3.0, 0.5 / 3.0].map(|it: f64| (it * 6.0).round() / 6.0));
    }

    #[test]
    fn wins_are_counted_by_what_the_winners_played() {
        let roles = ["delete", "push", "offer"].map(|role| Some(role.to_owned()));
        let played = |ranks| PlayedRow { roles: Some(roles.to_vec()), ..row(ranks, 0, 60.0) };
        let rows = [played(json!([2, 1, 2])), played(json!([1, 1, 3])), nothing(60.0)];
        let real = Real::of(&rows, 3).wins_by_role;
        let shares: Vec<(&str, f64)> = real.iter().map(|(role, it)| (role.as_str(), it.share)).collect();
        assert_eq!(shares, [("delete", 0.25), ("offer", 0.0), ("push", 0.75)]);
    }

    #[test]
    fn a_usual_number_is_in_the_middle() {
        assert_eq!(usual(&[2, 3, 4, 5, 6]), Some(4));
        assert_eq!(usual(&[10]), Some(10));
        assert_eq!(usual(&[]), None);
    }

    #[test]
    fn a_match_takes_a_minute_at_least() {
        assert_eq!((in_minutes(1, 5.0), in_minutes(60, 25.0)), (1, 25));
    }
}
