//! Results that people write down: of matches played with real dice and cards (mode `scored`), of any game.
//!
//! A player of the match reports; another one confirms, by the same result, or staff do. Who reports otherwise makes it a
//! dispute, which staff settle. Staff may correct what was confirmed: what was there before stays to be seen.

pub mod store;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use engine::{Outcome, PerSeat, Points, Seat};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::access::{seat_taken_by, stranger};
use super::lock;
use super::{MatchRow, Mode, Status};
use base::audit::{self, Entry};
use base::auth::{Identity, Permission, holds};
use base::error::{Result, conflict, internal, invalid_field, not_found};
use base::ids::{MatchId, PlayerId};
use base::live::Live;
use base::world::World;
use store::NewResult;
pub use store::ResultRow;

/// So many different things one player may say of one match; then others have the word, and staff.
const MOST_WORDS: usize = 10;
/// Why a match that was written down ended.
const REASON: &str = "written_down";

base::text_enum! {
    /// What became of a result that was written down.
    pub enum ResultStatus {
        /// Waits for another player, or for staff.
        Reported = "reported",
        /// Somebody reported otherwise: staff settle it.
        Disputed = "disputed",
        Confirmed = "confirmed",
        /// Another one counts.
        Replaced = "replaced",
    }
}

/// How a match ended, as somebody writes it down. Without places they come from the points, the most first, or else from who
/// was out when.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Reported {
    /// Per seat its place, 1 the best; tied seats share one and the next is skipped.
    #[schema(example = json!([1, 2, 2, 4]))]
    pub ranks: Option<Vec<i64>>,
    /// Per seat its points, with two decimals at most.
    pub scores: Option<Vec<f64>>,
    /// The seats that were out before the end, the first to go first.
    pub out: Option<Vec<i64>>,
}

impl Reported {
    /// Of the form of every match's outcome, and who was out when.
    fn outcome(&self, seats: u8) -> Result<Value> {
        let many = usize::from(seats);
        if self.scores.as_ref().is_some_and(|scores| scores.len() != many) {
            return Err(invalid_field("/scores", "one_each"));
        }
        let out = bytes(self.out.as_deref().unwrap_or_default()).ok_or_else(|| invalid_field("/out", "invalid"))?;
        let out: Vec<Seat> = out.into_iter().map(Seat).collect();
        let is_twice = |(at, seat): (usize, &Seat)| out[..at].contains(seat);
        if out.iter().any(|seat| seat.0 >= seats) || out.iter().enumerate().any(is_twice) {
            return Err(invalid_field("/out", "invalid"));
        }
        let scores =
            self.scores.as_deref().map(|scores| points(scores).ok_or_else(|| invalid_field("/scores", "invalid")));
        let scores = scores.transpose()?.map(|scores| PerSeat::new(seats, |seat| scores[usize::from(seat.0)]));
        let ranks = match (&self.ranks, &scores) {
            (Some(ranks), _) if ranks.len() != many => return Err(invalid_field("/ranks", "one_each")),
            (Some(ranks), _) => {
                let ranks = bytes(ranks).ok_or_else(|| invalid_field("/ranks", "no_places"))?;
                PerSeat::new(seats, |seat| ranks[usize::from(seat.0)])
            }
            (None, Some(scores)) => Outcome::ranks_by(scores),
            (None, None) if self.out.is_some() => Outcome::ranks_by_going_out(seats, &out),
            (None, None) => return Err(invalid_field("/ranks", "missing_field")),
        };
        if Outcome::ranks_by(&ranks.map(|rank| std::cmp::Reverse(*rank))) != ranks {
            return Err(invalid_field("/ranks", "no_places"));
        }
        if self.ranks.is_some() && is_against(&ranks, seats, &out) {
            return Err(invalid_field("/out", "against_places"));
        }
        let outcome = Outcome { ranks, scores, reason: REASON.to_owned() };
        let mut outcome = serde_json::to_value(outcome).map_err(internal)?;
        if !out.is_empty() {
            outcome["out"] = json!(out);
        }
        Ok(outcome)
    }
}

/// Whether somebody who was out has a better place than a seat that was out later, or that never was.
fn is_against(ranks: &PerSeat<u8>, seats: u8, out: &[Seat]) -> bool {
    let lasted =
        (0..seats).map(Seat).filter(|seat| !out.is_empty() && !out.contains(seat)).map(|seat| ranks[seat]).max();
    let later = out.iter().rev().map(|seat| ranks[*seat]);
    !lasted.into_iter().chain(later).is_sorted()
}

/// None if one of them is no seat's number and no place.
fn bytes(numbers: &[i64]) -> Option<Vec<u8>> {
    numbers.iter().map(|number| u8::try_from(*number).ok()).collect()
}

/// None if one of them has more than two decimals, or is beyond what anybody scores.
fn points(numbers: &[f64]) -> Option<Vec<Points>> {
    numbers.iter().map(|number| serde_json::from_value(json!(number)).ok()).collect()
}

/// A result that somebody writes down, and why they do.
#[derive(Clone, Copy)]
pub struct Report<'a> {
    pub result: &'a Reported,
    /// Of staff: needed to correct what was confirmed.
    pub reason: Option<&'a str>,
}

/// Who writes down or confirms.
#[derive(Clone, Copy)]
struct Writer<'a> {
    id: PlayerId,
    /// Of staff who did not play themselves, and why.
    by_staff: Option<Option<&'a str>>,
}

/// Writes down how the match ended, as this player says. Saying the same again changes nothing.
pub async fn report(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    id: MatchId,
    report: &Report<'_>,
) -> Result<()> {
    let permission = Permission::SettleResults;
    let news = conn.transaction(async |conn| take_down(conn, world, player, permission, id, report).await).await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok(())
}

/// The same in the caller's transaction, by a player of the match or somebody with this permission: the match's count of news, if
/// there are any.
pub async fn take_down(
    conn: &mut AsyncPgConnection,
    world: &World,
    player: &Identity,
    permission: Permission,
    id: MatchId,
    report: &Report<'_>,
) -> Result<Option<i64>> {
    let (row, writer) = admit(conn, player, permission, id, report.reason).await?;
    let outcome = report.result.outcome(u8::try_from(row.seat_count).map_err(internal)?)?;
    write_down(conn, world, &row, writer, outcome).await
}

/// Says the same as the result of this number.
pub async fn confirm(
    conn: &mut AsyncPgConnection,
    world: &World,
    live: &Live,
    player: &Identity,
    id: MatchId,
    number: i32,
    reason: Option<&str>,
) -> Result<()> {
    let news = conn
        .transaction(async |conn| {
            let (row, writer) = admit(conn, player, Permission::SettleResults, id, reason).await?;
            let found = store::find(conn, id, number).await?.ok_or_else(|| not_found("result_not_found"))?;
            match found.status {
                ResultStatus::Confirmed => Ok(None),
                ResultStatus::Replaced => Err(conflict("result_replaced")),
                ResultStatus::Reported | ResultStatus::Disputed => {
                    write_down(conn, world, &row, writer, found.outcome).await
                }
            }
        })
        .await?;
    if let Some(news) = news {
        live.tell(id, news);
    }
    Ok(())
}

/// The match, locked, and as what this player has a say in its result.
async fn admit<'a>(
    conn: &mut AsyncPgConnection,
    player: &Identity,
    permission: Permission,
    id: MatchId,
    reason: Option<&'a str>,
) -> Result<(MatchRow, Writer<'a>)> {
    let row = lock(conn, id).await?;
    let seats = super::store::list_seats(conn, &[id]).await?;
    let by_staff = match seat_taken_by(&seats, player.id) {
        // A player cannot judge their own match.
        Some(_) => None,
        None if holds(conn, player, permission).await? => Some(reason),
        None => return Err(stranger(conn, id, player.id, "not_seated").await),
    };
    match (row.mode, row.status) {
        (Mode::Played, _) => Err(conflict("match_not_scored")),
        (Mode::Scored, Status::Waiting) => Err(conflict("match_not_running")),
        (Mode::Scored, Status::Aborted | Status::Expired) => Err(conflict("match_over")),
        (Mode::Scored, Status::Running | Status::Finished) => Ok((row, Writer { id: player.id, by_staff })),
    }
}

async fn write_down(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    writer: Writer<'_>,
    outcome: Value,
) -> Result<Option<i64>> {
    if row.outcome.as_ref() == Some(&outcome) {
        return Ok(None);
    }
    let written = store::list(conn, row.id).await?;
    match (row.status, writer.by_staff) {
        (Status::Finished, None) => Err(conflict("result_confirmed")),
        (Status::Finished, Some(None)) => Err(invalid_field("/reason", "missing_field")),
        (_, Some(_)) => decide(conn, world, row, writer, &written, outcome).await.map(Some),
        (_, None) => claim(conn, world, row, writer, &written, outcome).await,
    }
}

/// A player's word: it confirms what all others say who said something, or stands against it, or waits for another's.
async fn claim(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    writer: Writer<'_>,
    written: &[ResultRow],
    outcome: Value,
) -> Result<Option<i64>> {
    let open = written.iter().filter(|it| it.is_open());
    let (mine, others): (Vec<_>, Vec<_>) = open.partition(|it| it.reported_by == writer.id);
    if mine.iter().any(|it| it.outcome == outcome) {
        return Ok(None);
    }
    store::replace(conn, &mine.iter().map(|it| it.id).collect::<Vec<_>>()).await?;
    let agree =
        |one: &ResultRow| agrees(&one.outcome, &outcome) && others.iter().all(|it| agrees(&it.outcome, &one.outcome));
    if let Some((first, rest)) = others.split_first()
        && others.iter().all(|it| agree(it))
    {
        store::replace(conn, &rest.iter().map(|it| it.id).collect::<Vec<_>>()).await?;
        store::confirm(conn, first.id, writer.id, world.now()).await?;
        return apply_outcome(conn, world, row, &first.outcome).await.map(Some);
    }
    if written.iter().filter(|it| it.reported_by == writer.id).count() >= MOST_WORDS {
        return Err(conflict("too_many_results"));
    }
    let status = if others.is_empty() { ResultStatus::Reported } else { ResultStatus::Disputed };
    store::dispute(conn, &others.iter().map(|it| it.id).collect::<Vec<_>>()).await?;
    let new = NewResult::of(world, row.id, written, writer, outcome, status);
    store::insert(conn, &new).await?;
    Ok(Some(super::store::raise_news(conn, row.id).await?))
}

/// Whether two say the same: the same places, and nothing else on which they differ. One may say more than the other.
fn agrees(one: &Value, other: &Value) -> bool {
    let same = |field: &str| match (one.get(field), other.get(field)) {
        (Some(one), Some(other)) => one.is_null() || other.is_null() || one == other,
        (None, _) | (_, None) => true,
    };
    one["ranks"] == other["ranks"] && same("scores") && same("out")
}

/// The word of staff: it counts.
async fn decide(
    conn: &mut AsyncPgConnection,
    world: &World,
    row: &MatchRow,
    writer: Writer<'_>,
    written: &[ResultRow],
    outcome: Value,
) -> Result<i64> {
    let reason = writer.by_staff.flatten();
    let is_correction = row.status == Status::Finished;
    let before = written.iter().find(|it| it.status == ResultStatus::Confirmed);
    let agreed = written.iter().find(|it| it.is_open() && it.outcome == outcome);
    let others = written.iter().filter(|it| it.is_open() || it.status == ResultStatus::Confirmed);
    let others: Vec<_> = others.filter(|it| agreed.is_none_or(|agreed| agreed.id != it.id)).map(|it| it.id).collect();
    store::replace(conn, &others).await?;
    match agreed {
        Some(agreed) => store::confirm(conn, agreed.id, writer.id, world.now()).await?,
        None => {
            let new = NewResult::of(world, row.id, written, writer, outcome.clone(), ResultStatus::Confirmed);
            store::insert(conn, &new).await?
        }
    };
    let action = if is_correction { "match.correct_result" } else { "match.confirm_result" };
    let details = json!({
        "game": row.game, "code": row.code, "reason": reason, "outcome": outcome, "before": before.map(|it| &it.outcome),
    });
    let (subject_id, actor) = (Some(row.id.0), Some(writer.id));
    audit::record(conn, world, Entry { actor, action, subject: "match", subject_id, details }).await?;
    apply_outcome(conn, world, row, &outcome).await
}

/// The match is finished with this outcome, or it was and has another one now.
async fn apply_outcome(conn: &mut AsyncPgConnection, world: &World, row: &MatchRow, outcome: &Value) -> Result<i64> {
    let finished_at = row.finished_at.unwrap_or_else(|| world.now());
    Ok(store::finish(conn, row.id, outcome, finished_at).await?)
}

impl ResultStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Reported => "result-reported",
            Self::Disputed => "result-disputed",
            Self::Confirmed => "result-confirmed",
            Self::Replaced => "result-replaced",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Reported => "hourglass",
            Self::Disputed => "bell",
            Self::Confirmed => "check",
            Self::Replaced => "back",
        }
    }

    pub fn tone(self) -> &'static str {
        match self {
            Self::Reported => "waiting",
            Self::Disputed => "attention",
            Self::Confirmed => "finished",
            Self::Replaced => "none",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(reported: Value) -> Result<Value, String> {
        let reported: Reported = serde_json::from_value(reported).unwrap();
        reported.outcome(4).map_err(|err| err.code().to_owned())
    }

    #[test]
    fn places_are_given_or_come_from_points_or_from_who_was_out_when() {
        assert_eq!(outcome(json!({ "ranks": [1, 2, 2, 4] })).unwrap()["ranks"], json!([1, 2, 2, 4]));
        let scored = outcome(json!({ "scores": [3, 7.5, 7.5, 1] })).unwrap();
        assert_eq!((&scored["ranks"], &scored["scores"]), (&json!([3, 1, 1, 4]), &json!([3, 7.5, 7.5, 1])));
        let lasted = outcome(json!({ "out": [2, 0, 3] })).unwrap();
        assert_eq!((&lasted["ranks"], &lasted["out"]), (&json!([3, 1, 4, 2]), &json!([2, 0, 3])));
        for out in [json!([3]), json!([3, 1, 2]), json!([3, 2, 1]), json!([])] {
            assert_eq!(outcome(json!({ "ranks": [1, 2, 2, 4], "out": out })).unwrap()["ranks"], json!([1, 2, 2, 4]));
        }
        // In some games the fewest points win.
        assert_eq!(
            outcome(json!({ "ranks": [1, 2, 3, 4], "scores": [0, 5, 6, 7] })).unwrap()["ranks"],
            json!([1, 2, 3, 4])
        );
    }

    #[test]
    fn who_says_less_agrees_as_long_as_the_places_are_the_same() {
        let places = outcome(json!({ "ranks": [1, 2, 3, 4] })).unwrap();
        let points = outcome(json!({ "scores": [9, 7, 5, 1] })).unwrap();
        let other_points = outcome(json!({ "scores": [9, 8, 5, 1] })).unwrap();
        let out = outcome(json!({ "out": [3, 2, 1] })).unwrap();
        let other_places = outcome(json!({ "ranks": [1, 1, 3, 4] })).unwrap();
        assert!(agrees(&places, &points) && agrees(&points, &places) && agrees(&points, &out));
        assert!(!agrees(&points, &other_points) && !agrees(&places, &other_places));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        for wrong in [
            json!({}),
            json!({ "ranks": [1, 2, 3] }),
            json!({ "ranks": [1, 2, 2, 3] }),
            json!({ "ranks": [2, 3, 4, 5] }),
            json!({ "ranks": [0, 1, 2, 3] }),
            json!({ "ranks": [1, 2, 3, 83385] }),
            json!({ "scores": [1, 2, 3] }),
            json!({ "scores": [1, 2, 3, 0.125] }),
            json!({ "out": [4] }),
            json!({ "out": [-1] }),
            json!({ "out": [1, 1] }),
            json!({ "ranks": [3, 4, 1, 2], "out": [2, 3] }),
            json!({ "ranks": [1, 2, 3, 4], "out": [2, 3, 1] }),
        ] {
            assert_eq!(outcome(wrong.clone()), Err("invalid_fields".to_owned()), "{wrong}");
        }
    }
}
