//! Whether as many as have come can begin, and what would let them: said before anybody tries.

use engine::tournaments::{Format, InvalidStage, Teams};

use super::plan::{fits, most_of};
use super::store::EntrantRow;
use super::teams::boards;
use super::{EntrantStatus, StagePlan, Team, Tournament, TournamentChange, TournamentId, TournamentStatus, change};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict};
use play::matches::expect_playable;

/// How a tournament that has not begun stands.
#[derive(Debug, PartialEq, Eq)]
pub struct Readiness {
    /// How many have a place.
    pub entered: usize,
    /// How many would play if it began now: once people check in, those who have. Of teams, where teams play.
    pub here: usize,
    /// Whether `here` counts teams.
    pub of_teams: bool,
    /// The sizes of their tables, where people play at tables of several.
    pub tables: Vec<usize>,
    pub unfit: Option<Unfit>,
}

/// Why so many cannot begin.
#[derive(Debug, PartialEq, Eq)]
pub struct Unfit {
    pub cause: InvalidStage,
    /// The next larger number that can.
    pub enough: Option<usize>,
    pub fix: Option<Fix>,
}

/// What of the plan would have to be different.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fix {
    /// The fewest at a table.
    Least(u8),
    Rounds(u8),
}

impl Readiness {
    /// None once it has begun, and before anybody has entered.
    pub fn of(tournament: &Tournament) -> Option<Self> {
        let status = tournament.row.status;
        let is_before =
            matches!(status, TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn);
        let entered = tournament.entrants.iter().filter(|it| it.status.has_place()).count();
        let came = tournament.entrants.iter().filter(|it| it.status == EntrantStatus::CheckedIn).count();
        let only_came = status == TournamentStatus::CheckIn && came > 0;
        let plan = tournament.row.stages.first().filter(|_| is_before && entered > 0)?;
        let plays = |seats| expect_playable(&tournament.row.game, Some(&tournament.row.options), seats).is_ok();
        let is_here = |it: &&EntrantRow| match only_came {
            true => it.status == EntrantStatus::CheckedIn,
            false => it.status.has_place(),
        };
        let here: Vec<&EntrantRow> = tournament.entrants.iter().filter(is_here).collect();
        let readiness = match boards(tournament.row.team_size) {
            Some(boards) => Self::of_teams(plan, boards, &tournament.teams(), &here, plays),
            None => Self::of_plan(plan, None, here.len(), plays),
        };
        Some(Self { entered, ..readiness })
    }

    fn of_teams(
        plan: &StagePlan,
        boards: u8,
        teams: &[Team],
        here: &[&EntrantRow],
        plays: impl Fn(u8) -> bool,
    ) -> Self {
        let sizes: Vec<usize> =
            teams.iter().map(|team| here.iter().filter(|it| team.members.contains(&it.number)).count()).collect();
        let readiness = Self::of_plan(plan, Some(boards), sizes.iter().filter(|it| **it > 0).count(), plays);
        let most = Teams::most_members(boards, &plan.format);
        let cause = match here.iter().find(|it| it.team.is_none()) {
            Some(alone) => Some(InvalidStage::WithoutTeam { entrant: alone.number.unsigned_abs() }),
            None if sizes.iter().any(|it| *it > most.into()) => Some(InvalidStage::TeamTooLarge { most }),
            None => None,
        };
        let of_team = cause.map(|cause| Unfit { cause, enough: None, fix: None });
        // Tables are for people.
        let tables = plan.format.table_sizes(here.len()).unwrap_or_default();
        Self { tables, unfit: of_team.or(readiness.unfit), ..readiness }
    }

    fn of_plan(plan: &StagePlan, boards: Option<u8>, here: usize, plays: impl Fn(u8) -> bool) -> Self {
        let can = |plan: &StagePlan, many| fits(plan, boards, u16::try_from(many).ok());
        let unfit = can(plan, here).err().map(|cause| Unfit {
            cause,
            enough: (here + 1..=most_of(boards)).find(|many| can(plan, *many).is_ok()),
            fix: fixes(plan, cause, plays).find(|fix| can(&fix.apply(plan), here).is_ok()),
        });
        let tables = plan.format.table_sizes(here).unwrap_or_default();
        Self { entered: here, here, of_teams: boards.is_some(), tables, unfit }
    }
}

/// The smallest changes first.
fn fixes(plan: &StagePlan, cause: InvalidStage, plays: impl Fn(u8) -> bool) -> Box<dyn Iterator<Item = Fix>> {
    match (&plan.format, cause) {
        (Format::Pods { least, .. }, InvalidStage::SizesImpossible { .. }) => smaller(2, *least, plays),
        (Format::PodKnockout { least, advance, .. }, InvalidStage::TooFew { .. }) => {
            smaller(2.max(advance + 1), *least, plays)
        }
        (_, InvalidStage::TooManyRounds { most }) => Box::new(u8::try_from(most).ok().map(Fix::Rounds).into_iter()),
        _ => Box::new(std::iter::empty()),
    }
}

fn smaller(fewest: u8, least: u8, plays: impl Fn(u8) -> bool) -> Box<dyn Iterator<Item = Fix>> {
    let sizes: Vec<u8> = (fewest..least).rev().take_while(|seats| plays(*seats)).collect();
    Box::new(sizes.into_iter().map(Fix::Least))
}

impl Fix {
    fn apply(self, plan: &StagePlan) -> StagePlan {
        let mut plan = plan.clone();
        match (&mut plan.format, self) {
            (Format::Pods { least, .. } | Format::PodKnockout { least, .. }, Self::Least(now)) => *least = now,
            (Format::Swiss { rounds } | Format::Pods { rounds, .. }, Self::Rounds(now)) => *rounds = now,
            _ => {}
        }
        plan
    }
}

/// Changes of the plan what would let those begin who are there.
pub async fn make_fit(cx: &mut StaffContext<'_, can::ManageTournaments>, id: TournamentId) -> Result<()> {
    let tournament = super::load_for_staff(cx, id).await?;
    let unfit = Readiness::of(&tournament).and_then(|it| it.unfit);
    let Some(fix) = unfit.and_then(|it| it.fix) else { return Err(conflict("nothing_to_fit")) };
    let mut stages = tournament.row.stages.0.clone();
    stages[0] = fix.apply(&stages[0]);
    let fitted = TournamentChange {
        stages: Some(stages),
        revision: Some(tournament.row.revision),
        ..TournamentChange::default()
    };
    change(cx, id, &fitted).await
}

#[cfg(test)]
mod tests {
    use engine::tournaments::{PodPairing, Points, Scoring, ShortTables};

    use super::*;

    fn plan(format: Format) -> StagePlan {
        let scoring = Scoring::new(Points::Scores);
        StagePlan { format, scoring, tie_breaks: Vec::new(), advance: None, runs_by_itself: false }
    }

    fn of(format: Format, here: usize) -> Readiness {
        Readiness::of_plan(&plan(format), None, here, |_| true)
    }

    fn pods(least: u8, most: u8) -> Format {
        Format::Pods {
            rounds: 2,
            least,
            most,
            pairing: PodPairing::Random,
            reach: 0,
            short_tables: ShortTables::Rotate,
        }
    }

    #[test]
    fn it_says_how_many_would_do_and_what_else_would() {
        let five = of(pods(3, 4), 5).unfit.unwrap();
        assert_eq!((five.enough, five.fix), (Some(6), Some(Fix::Least(2))));
        assert_eq!(
            of(pods(3, 4), 7),
            Readiness { entered: 7, here: 7, of_teams: false, tables: vec![4, 3], unfit: None }
        );
        let few = of(Format::Swiss { rounds: 4 }, 4).unfit.unwrap();
        assert_eq!((few.enough, few.fix), (Some(5), Some(Fix::Rounds(3))));
        let alone = of(Format::RoundRobin { legs: 1 }, 1).unfit.unwrap();
        assert_eq!((alone.enough, alone.fix), (Some(2), None));
    }

    #[test]
    fn no_table_is_smaller_than_the_game_allows() {
        let unfit = Readiness::of_plan(&plan(pods(3, 4)), None, 5, |seats| seats > 2).unfit.unwrap();
        assert_eq!(unfit.fix, None);
    }
}
