//! Many moves of a match at once, when nobody waits for any of them: the past of the demo. Rules and chance are those of every
//! match, so is what is written; only that it is written with one statement for all moves.

use diesel_async::AsyncPgConnection;
use engine::{FairDealer, Match, PlayError, Seat};
use jiff::Timestamp;
use serde_json::Value;
use serde_json::value::to_raw_value;

use super::position::only_moved;
use super::store::{self, JsonText, NewLogRow};
use super::{MadeBy, MatchState, Status, refused_by_rules, start, statements};
use base::error::{Result, internal, not_found};
use base::games::{guarded, resume};
use base::ids::MatchId;

/// A move, by whom and when.
#[derive(Debug)]
pub struct Choice {
    pub seat: Seat,
    pub chosen: Value,
    pub made_by: MadeBy,
    pub at: Timestamp,
}

/// Plays the match on, which runs and is this transaction's alone, until it is over or there is no choice: how it stands then,
/// and when the last move was. A choice is asked for with the time of the move before.
pub async fn play_out(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    mut at: Timestamp,
    mut choose: impl FnMut(&dyn Match, Timestamp) -> Option<Choice>,
) -> Result<(Status, Timestamp)> {
    let found = statements::find(conn, id, None, None).await?.ok_or_else(|| not_found("match_not_found"))?;
    let state = found.state.as_deref().ok_or_else(|| internal(anyhow::anyhow!("a running match has no state")))?;
    let mut play = resume(&found.game, found.revision, state)?;
    let nonces = found.nonces.iter().flatten().map(Option::as_deref);
    let drawn = u64::try_from(found.chance_count).map_err(internal)?;
    let mut dealer = FairDealer::new(start::seed(found.seed.clone())?, nonces, drawn);
    let mut standing = MatchState::of(&*play)?;
    let (mut log, mut decision_since) = (Vec::new(), found.decision_since);
    while let Some(choice) = Some(&standing).filter(|it| !it.status.is_over()).and_then(|_| choose(&*play, at)) {
        let (before, version) = (play.turn(), found.version + i32::try_from(log.len()).map_err(internal)? + 1);
        let step = guarded(|| play.play(choice.seat, &choice.chosen, &mut dealer))?.map_err(|err| match err {
            PlayError::Refused(refusal) => refused_by_rules(&found.game, refusal.0),
            PlayError::Chance(err) => internal(err),
        })?;
        standing = MatchState::of(&*play)?;
        if !(step.chance.is_empty() && only_moved(&before, choice.seat, &standing)) {
            decision_since = version;
        }
        at = choice.at;
        log.push(NewLogRow {
            match_id: id,
            version,
            seat: Some(i16::from(choice.seat.0)),
            chosen: Some(JsonText(to_raw_value(&choice.chosen).map_err(internal)?)),
            chance: JsonText(to_raw_value(&step.chance).map_err(internal)?),
            events: JsonText(to_raw_value(&step.events).map_err(internal)?),
            made_by: choice.made_by,
            at: at.into(),
        });
    }
    let Some(last) = log.last() else { return Ok((standing.status, at)) };
    let state = guarded(|| play.save())?;
    let moved = standing.moved(state, dealer.index(), decision_since, at.into())?;
    store::play_on(conn, id, last.version, &log, &moved).await?;
    Ok((standing.status, at))
}
