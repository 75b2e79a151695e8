//! Two entrants of a draft change places, where pairings follow from results and not from a bracket. What would speak against
//! it is said first, and needs a deliberate word.

use std::collections::HashMap;

use engine::tournaments::{Format, Reason};
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::store::{self, BoutKey, BoutRow, Doc};
use super::{BoutId, Tournament, TournamentId};
use base::auth::{StaffContext, can};
use base::error::{FieldError, Result, conflict, not_found, unprocessable};

/// One entrant of a draft comes into another's place, who comes into theirs.
#[derive(Clone, Copy, Debug)]
pub struct Swap {
    pub one: i32,
    pub other: i32,
    /// The bout in which the caller saw the other. If it is named, asking again changes nothing.
    pub into: Option<BoutKey>,
    /// Whether it is done although it makes conflicts that there were none of before.
    pub force: bool,
}

/// What speaks against a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TournamentConflict)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Conflict {
    /// Two have met in this stage before.
    Repeat { one: i32, other: i32, times: u16 },
    /// Somebody has no opponent for a second time.
    SecondBye { entrant: i32 },
}

/// The draft before and after a swap.
pub struct SwapPreview {
    pub before: Vec<(BoutRow, Vec<Conflict>)>,
    pub after: Vec<(BoutRow, Vec<Conflict>)>,
}

impl SwapPreview {
    /// Conflicts that there would be only afterwards.
    pub fn added(&self) -> Vec<Conflict> {
        let all = |of: &[(BoutRow, Vec<Conflict>)]| of.iter().flat_map(|(_, it)| it.clone()).collect::<Vec<_>>();
        let before = all(&self.before);
        all(&self.after).into_iter().filter(|it| !before.contains(it)).collect()
    }
}

/// What would make a conflict of a swap: whom an entrant of the draft has met, and whether they have rested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrantHistory {
    pub entrant: i32,
    /// Those of the draft whom they have met in this stage.
    pub met: Vec<i32>,
    /// Whether they had no opponent in an earlier round.
    pub rested: bool,
}

/// Who has met whom in a stage, and who had no opponent.
struct Meetings {
    met: HashMap<(i32, i32), u16>,
    rested: Vec<i32>,
}

impl Meetings {
    fn of(tournament: &Tournament, stage: i16) -> Self {
        let mut meetings = Self { met: HashMap::new(), rested: Vec::new() };
        for bout in tournament.bouts_in(stage).filter(|bout| !tournament.is_drafted(bout)) {
            let there = appeared(bout);
            if let [alone] = there[..] {
                meetings.rested.push(alone);
            }
            for pair in pairs(&there) {
                *meetings.met.entry(pair).or_default() += 1;
            }
        }
        meetings
    }

    /// What speaks against these playing together.
    fn conflicts(&self, entrants: &[i32]) -> Vec<Conflict> {
        if let [entrant] = *entrants {
            return if self.rested.contains(&entrant) { vec![Conflict::SecondBye { entrant }] } else { Vec::new() };
        }
        let again = |pair: (i32, i32)| {
            let times = *self.met.get(&pair)?;
            Some(Conflict::Repeat { one: pair.0, other: pair.1, times })
        };
        pairs(entrants).filter_map(again).collect()
    }
}

/// Those of a bout who came, as far as that is known.
fn appeared(bout: &BoutRow) -> Vec<i32> {
    let is_absent = |entrant: &i32| {
        let own =
            bout.result.as_ref().and_then(|result| result.iter().find(|it| i32::try_from(it.entrant) == Ok(*entrant)));
        own.is_some_and(|it| it.absent)
    };
    bout.entrants.iter().copied().filter(|it| !is_absent(it)).collect()
}

fn ordered(one: i32, other: i32) -> (i32, i32) {
    (one.min(other), one.max(other))
}

/// Each two, the lower number first.
fn pairs(entrants: &[i32]) -> impl Iterator<Item = (i32, i32)> {
    let with_later =
        |(at, one): (usize, &i32)| entrants[at + 1..].iter().map(move |other| (*one, *other)).collect::<Vec<_>>();
    let all = entrants.iter().enumerate().flat_map(with_later).map(|(one, other)| ordered(one, other));
    all.collect::<Vec<_>>().into_iter()
}

impl Tournament {
    /// Each bout of the draft with what speaks against it. Of a bracket nothing does: it says who meets whom.
    pub fn draft_conflicts(&self) -> Vec<(BoutKey, Vec<Conflict>)> {
        let Some(draft) = self.draft() else { return Vec::new() };
        let (stage, round) = (draft.stage, draft.round);
        if !self.takes_swaps(stage) {
            return Vec::new();
        }
        let meetings = Meetings::of(self, stage);
        self.bouts_of(stage, round).map(|bout| (bout.key, meetings.conflicts(&bout.entrants))).collect()
    }

    /// Whether people may be put into the places of others: not where pairings follow from a bracket or a table, or from who plays on
    /// which board of a team.
    pub fn takes_swaps(&self, stage: i16) -> bool {
        self.plan_of(stage).is_ok_and(|plan| match plan.format {
            Format::Swiss { .. } => self.row.team_size.is_none(),
            Format::Pods { .. } => true,
            Format::SingleElimination { .. }
            | Format::DoubleElimination {}
            | Format::RoundRobin { .. }
            | Format::Groups { .. }
            | Format::PodKnockout { .. }
            | Format::Arena { .. } => false,
        })
    }

    /// Of everybody in the draft; empty where pairings follow from a bracket.
    pub fn draft_histories(&self) -> Vec<EntrantHistory> {
        let Some(draft) = self.draft() else { return Vec::new() };
        if !self.takes_swaps(draft.stage) {
            return Vec::new();
        }
        let meetings = Meetings::of(self, draft.stage);
        let all: Vec<i32> = self.bouts_of(draft.stage, draft.round).flat_map(|bout| bout.entrants.clone()).collect();
        let history = |entrant: &i32| EntrantHistory {
            entrant: *entrant,
            met: all.iter().copied().filter(|it| meetings.met.contains_key(&ordered(*entrant, *it))).collect(),
            rested: meetings.rested.contains(entrant),
        };
        all.iter().map(history).collect()
    }

    /// The bouts of the draft in which these two sit, as they are and as they would be.
    pub fn preview_swap(&self, one: i32, other: i32) -> Result<SwapPreview> {
        let draft = self.draft().ok_or_else(|| conflict("nothing_drafted"))?;
        let (stage, round) = (draft.stage, draft.round);
        if !self.takes_swaps(stage) {
            return Err(conflict("pairings_follow"));
        }
        let sits = |entrant: i32| self.bouts_of(stage, round).any(|bout| bout.entrants.contains(&entrant));
        if !sits(one) || !sits(other) {
            return Err(unprocessable("entrant_not_paired"));
        }
        let is_held = |bout: &BoutRow| bout.is_locked && bout.entrants.iter().any(|it| [one, other].contains(it));
        if self.bouts_of(stage, round).any(is_held) {
            return Err(conflict("bout_locked"));
        }
        let meetings = Meetings::of(self, stage);
        let is_touched = |bout: &&BoutRow| bout.entrants.iter().any(|it| [one, other].contains(it));
        let before = self.bouts_of(stage, round).filter(is_touched).map(|bout| {
            let conflicts = meetings.conflicts(&bout.entrants);
            (bout.clone(), conflicts)
        });
        let before: Vec<_> = before.collect();
        let swapped = |(bout, _): &(BoutRow, Vec<Conflict>)| {
            let bout = BoutRow {
                entrants: bout.entrants.iter().map(|it| exchanged(*it, one, other)).collect(),
                ..bout.clone()
            };
            let conflicts = meetings.conflicts(&bout.entrants);
            (bout, conflicts)
        };
        let after = before.iter().map(swapped).collect();
        Ok(SwapPreview { before, after })
    }
}

fn exchanged(it: i32, one: i32, other: i32) -> i32 {
    match it {
        it if it == one => other,
        it if it == other => one,
        it => it,
    }
}

/// Puts one entrant into another's place. Conflicts that it makes are refused unless it is forced.
pub async fn swap(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    swap: Swap,
    expected: ExpectedRevision,
) -> Result<()> {
    LockedTournament::change(cx, id, None, "tournament.swap", async |conn, actor, locked| {
        locked.expect_running()?;
        let Swap { one, other, into, force } = swap;
        if is_done(locked, swap) {
            return Ok(Change::none());
        }
        locked.expect_revision(expected)?;
        let preview = locked.preview_swap(one, other)?;
        let sits_there = |key| preview.before.iter().any(|(bout, _)| bout.key == key && bout.entrants.contains(&other));
        if into.is_some_and(|key| !sits_there(key)) {
            return Err(conflict("draft_changed"));
        }
        let added = preview.added();
        if !force && !added.is_empty() {
            return Err(conflict("swap_conflicts").with_fields(added.iter().map(Conflict::field).collect()));
        }
        let is_within_one = preview.after.len() == 1;
        for (mut bout, conflicts) in preview.after {
            if !is_within_one {
                bout.reasons = Doc(conflicts.iter().filter_map(Conflict::reason).collect());
                bout.arranged_by = Some(actor.staff.id);
            }
            store::set_entrants(conn, id, &bout).await?;
        }
        Ok(Change::audited(json!({ "swapped": [one, other], "conflicts": added })))
    })
    .await
}

/// Nobody of this bout of a draft is exchanged any more, or is again. Asking again changes nothing.
pub async fn lock_bout(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    BoutId { tournament: id, stage, key }: BoutId,
    is_locked: bool,
) -> Result<()> {
    LockedTournament::change(cx, id, None, "tournament.lock_bout", async |conn, _, locked| {
        let at = locked.bouts.iter().position(|bout| (bout.stage, bout.key) == (stage, key));
        let at = at.ok_or_else(|| not_found("bout_not_found"))?;
        if !locked.is_drafted(&locked.bouts[at]) {
            return Err(conflict("round_published"));
        }
        if !locked.takes_swaps(stage) {
            return Err(conflict("pairings_follow"));
        }
        if locked.bouts[at].is_locked == is_locked {
            return Ok(Change::none());
        }
        locked.tournament.bouts[at].is_locked = is_locked;
        store::set_locked(conn, id, &locked.bouts[at]).await?;
        Ok(Change::audited(json!({ "stage": stage, "bout": key, "is_locked": is_locked })))
    })
    .await
}

/// Whether the one sits where the other was seen already.
fn is_done(tournament: &Tournament, Swap { one, other, into, .. }: Swap) -> bool {
    let draft = tournament.draft().map(|it| (it.stage, it.round));
    let there = draft.zip(into).and_then(|((stage, _), key)| tournament.bout(stage, key));
    there.is_some_and(|bout| bout.entrants.contains(&one) && !bout.entrants.contains(&other))
}

impl Conflict {
    fn field(&self) -> FieldError {
        let code = match self {
            Self::Repeat { .. } => "repeat",
            Self::SecondBye { .. } => "second_bye",
        };
        FieldError::new("/force", code)
    }

    /// What the engine would give as a reason.
    fn reason(&self) -> Option<Reason> {
        match *self {
            Self::Repeat { one, other, times } => {
                let (one, other) = (u32::try_from(one).ok()?, u32::try_from(other).ok()?);
                Some(Reason::Repeat { one, other, times })
            }
            Self::SecondBye { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::tournaments::Finish;

    use super::*;

    #[test]
    fn who_did_not_come_has_met_nobody_and_who_came_alone_has_rested() {
        let finish = |entrant, absent| Finish { entrant, place: 1, score: None, absent };
        let bout = |entrants: &[i32], result| BoutRow { entrants: entrants.to_vec(), result, ..BoutRow::sample() };
        let played = bout(&[1, 2], Some(Doc(vec![finish(1, false), finish(2, false)])));
        let missed = bout(&[3, 4], Some(Doc(vec![finish(3, false), finish(4, true)])));
        assert_eq!(appeared(&played), [1, 2]);
        assert_eq!(appeared(&missed), [3]);
        assert_eq!(appeared(&bout(&[5], None)), [5]);
        let meetings = Meetings { met: HashMap::from([((1, 2), 1)]), rested: vec![3] };
        assert_eq!(meetings.conflicts(&[2, 1]), [Conflict::Repeat { one: 1, other: 2, times: 1 }]);
        assert_eq!(meetings.conflicts(&[3]), [Conflict::SecondBye { entrant: 3 }]);
        assert!(meetings.conflicts(&[3, 4]).is_empty() && meetings.conflicts(&[4]).is_empty());
    }
}
