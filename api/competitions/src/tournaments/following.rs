//! What a result would change, before anything is done: bouts that it undoes, the standings, and who goes on.

use std::collections::BTreeMap;

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Finish as Placed, Stage, StandingsRow};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::cut::{Decision, Line};
use super::results::Finish;
use super::store::{self, BoutKey};
use super::{BoutId, Tournament, pairings};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict};
use base::games::guarded;

/// What a result would change.
#[derive(Debug, PartialEq)]
pub struct Followed {
    /// Bouts that are published and that would no longer be right.
    pub voids: Vec<BoutKey>,
    /// Whose rank or points would be others, by their new rank; none in knock-outs, where nobody stands before the end.
    pub standings: Vec<StandingChange>,
    /// Who would come to another side of the line below those who go on, as it stands.
    pub line: Vec<LineChange>,
    /// Whether the stage, which is over, would not be: a second final of a double elimination, say, is still to be played.
    pub reopens: bool,
}

/// Whose place in the standings a result would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TournamentStandingChange)]
pub struct StandingChange {
    /// By number; of a team, the least number of its members.
    pub entrant: i32,
    pub rank: u32,
    pub rank_before: u32,
    /// In hundredths.
    pub points: i64,
    pub points_before: i64,
}

/// Who would come to another side of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = TournamentLineChange)]
pub struct LineChange {
    /// By number; of a team, the least number of its members.
    pub entrant: i32,
    pub side: LineSide,
    pub side_before: LineSide,
}

base::text_enum! {
    /// On which side of the line below those who go on somebody stands.
    pub enum LineSide {
        Through = "through",
        /// Level with others, with fewer places than there are of them.
        AtLine = "at_line",
        Out = "out",
    }
}

/// What a result would change, before anything is done.
pub async fn follow(
    cx: &mut StaffContext<'_, can::ViewTournaments>,
    BoutId { tournament: id, stage, key }: BoutId,
    finishes: &[Finish],
) -> Result<Followed> {
    let tournament = super::load_for_staff(cx, id).await?;
    tournament.follow(cx.conn().await?, stage, key, finishes).await
}

impl Tournament {
    /// What would change, were the bout to end so.
    pub async fn follow(
        &self,
        conn: &mut AsyncPgConnection,
        stage: i16,
        key: BoutKey,
        finishes: &[Finish],
    ) -> Result<Followed> {
        let at = self.find_bout(stage, key)?;
        if self.bouts[at].is_bye() {
            return Err(conflict("bout_over"));
        }
        let placed = self.fitting(&self.bouts[at], finishes)?;
        let voids = self.voided(conn, stage, key, &placed).await?;
        let before = self.stage(stage)?;
        let mut after = ended_so(&before, key, &placed);
        after.bouts.retain(|bout| !voids.contains(&BoutKey(bout.key)));
        let line = self.line_changed(stage, &before, &after)?;
        let reopens = pairings::is_over(&before)? && !pairings::is_over(&after)?;
        let (before, after) = (guarded(|| before.standings())?, guarded(|| after.standings())?);
        let is_knockout = self.plan_of(stage)?.format.is_knockout();
        let standings = if is_knockout { Vec::new() } else { changed(&before, &after) };
        Ok(Followed { voids, standings, line, reopens })
    }

    /// The published bouts that would no longer be right. Refused with `others_go_on` where that cannot be.
    pub(super) async fn voided(
        &self,
        conn: &mut AsyncPgConnection,
        stage: i16,
        key: BoutKey,
        placed: &[Placed],
    ) -> Result<Vec<BoutKey>> {
        let begun = self.stage(stage)?;
        let voids = guarded(|| begun.invalidated_by(key.0, placed))?;
        if stage < self.row.stage {
            if !voids.is_empty() {
                return Err(conflict("others_go_on"));
            }
            self.expect_same_go_on(conn, stage, &ended_so(&begun, key, placed)).await?;
        }
        Ok(voids.into_iter().map(BoutKey).collect())
    }

    /// Refuses what makes this of a stage that is past, unless it is over as before, and those who play in the next stage go on from it
    /// with the same seeds.
    pub(super) async fn expect_same_go_on(
        &self,
        conn: &mut AsyncPgConnection,
        stage: i16,
        after: &Stage,
    ) -> Result<()> {
        let line = self.line_in(stage, after)?;
        let decision = self.decision_after(conn, stage).await?;
        let gone = self.sides_of(self.participants.iter().filter(|it| it.stage == stage + 1));
        let is_same = match line.decide_again(decision.as_ref()) {
            Some(going) => guarded(|| after.is_over())? && self.seeds_in(stage, after, &going)? == gone,
            None => false,
        };
        if is_same { Ok(()) } else { Err(conflict("others_go_on")) }
    }

    /// What was decided of equals when the stage after this one began with those who play in it.
    async fn decision_after(&self, conn: &mut AsyncPgConnection, stage: i16) -> Result<Option<Decision>> {
        let next = self.participants.iter().filter(|it| it.stage == stage + 1);
        let order = json!(next.map(|it| it.entrant).collect::<Vec<_>>());
        // It may have begun with others before, and that was taken back.
        let steps = store::list_next_stages(conn, self.row.id).await?;
        let step = steps.into_iter().find(|it| it["stage"] == stage + 1 && it["order"] == order);
        Ok(step.and_then(|it| Option::deserialize(&it["decision"]).ok().flatten()))
    }

    fn line_changed(&self, stage: i16, before: &Stage, after: &Stage) -> Result<Vec<LineChange>> {
        if self.plan_of(stage)?.advance.is_none() {
            return Ok(Vec::new());
        }
        let (before, after) = (self.line_in(stage, before)?, self.line_in(stage, after)?);
        let sides = |it: i32| (after.side(it), before.side(it));
        let known = before.through.iter().chain(&before.equals).chain(&after.through).chain(&after.equals);
        let mut known: Vec<i32> = known.copied().filter(|it| sides(*it).0 != sides(*it).1).collect();
        known.sort_unstable();
        known.dedup();
        let change = |entrant: i32| {
            let (side, side_before) = sides(entrant);
            LineChange { entrant, side, side_before }
        };
        Ok(known.into_iter().map(change).collect())
    }
}

impl Line {
    fn side(&self, entrant: i32) -> LineSide {
        match (self.through.contains(&entrant), self.equals.contains(&entrant)) {
            (true, _) => LineSide::Through,
            (false, true) => LineSide::AtLine,
            (false, false) => LineSide::Out,
        }
    }
}

fn ended_so(stage: &Stage, key: BoutKey, placed: &[Placed]) -> Stage {
    let mut after = stage.clone();
    for bout in after.bouts.iter_mut().filter(|bout| bout.key == key.0) {
        bout.result = Some(placed.to_vec());
    }
    after
}

fn changed(before: &[StandingsRow], after: &[StandingsRow]) -> Vec<StandingChange> {
    let shown = |it: &StandingsRow| (it.group.map_or(it.rank, |place| place.rank), it.points);
    let known: BTreeMap<u32, (u32, i64)> = before.iter().map(|it| (it.entrant, shown(it))).collect();
    let change = |it: &StandingsRow| {
        let ((rank, points), (rank_before, points_before)) = (shown(it), *known.get(&it.entrant)?);
        let entrant = i32::try_from(it.entrant).ok()?;
        let change = StandingChange { entrant, rank, rank_before, points, points_before };
        ((rank, points) != (rank_before, points_before)).then_some(change)
    };
    after.iter().filter_map(change).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(entrant: u32, rank: u32, points: i64) -> StandingsRow {
        StandingsRow {
            rank,
            group: None,
            entrant,
            played: 1,
            wins: 0,
            draws: 0,
            losses: 0,
            points,
            tie_breaks: Vec::new(),
            is_out: false,
            members: Vec::new(),
        }
    }

    #[test]
    fn only_who_stands_elsewhere_is_told_by_the_new_rank() {
        let before = [row(1, 1, 200), row(2, 2, 100), row(3, 3, 100), row(4, 4, 0)];
        let after = [row(2, 1, 200), row(1, 2, 100), row(3, 2, 100), row(4, 4, 0)];
        let told: Vec<_> = changed(&before, &after).iter().map(|it| (it.entrant, it.rank_before, it.rank)).collect();
        assert_eq!(told, [(2, 2, 1), (1, 1, 2), (3, 3, 2)]);
        assert_eq!(changed(&before, &before), []);
    }

    #[test]
    fn everybody_has_a_side_of_the_line() {
        let line = Line { through: vec![7], equals: vec![1, 4], places: 1, ..Line::default() };
        assert_eq!([7, 1, 9].map(|it| line.side(it)), [LineSide::Through, LineSide::AtLine, LineSide::Out]);
    }
}
