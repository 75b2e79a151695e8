//! What staff rule about single entrants: rounds in which they asked not to play, points given or taken away, and pairs who should not
//! meet.

use std::collections::BTreeMap;

use engine::tournaments::{self as engine_tournaments, Stage, StandingsRow};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

use super::locked::{Change, LockedTournament};
use super::store::{self, Doc};
use super::{Tournament, TournamentId};
use base::auth::{StaffContext, can};
use base::error::{FieldError, Result, conflict, internal, invalid_fields};
use base::inputs::tidy_text;

/// So many of each kind.
const MOST: usize = 500;
const MOST_PAIRS: usize = 200;
const MOST_ROUND: i16 = 99;
/// In hundredths.
const MOST_POINTS: i32 = 1_000_000;
const REASON_MOST: usize = 200;

/// What staff rule about single entrants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentRulings)]
#[serde(deny_unknown_fields)]
pub struct Rulings {
    /// Rounds of Swiss stages and pods in which entrants asked not to play.
    #[schema(max_items = 500)]
    pub byes: Vec<RequestedBye>,
    /// Points given or taken away.
    #[schema(max_items = 500)]
    pub adjustments: Vec<Adjustment>,
    /// Pairs who should not meet in Swiss rounds, pods and arenas, as far as that can be.
    #[schema(max_items = 200)]
    pub apart: Vec<Apart>,
}

/// A round in which somebody asked not to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentRequestedBye)]
#[serde(deny_unknown_fields)]
pub struct RequestedBye {
    #[schema(minimum = 1, maximum = 3)]
    pub stage: i16,
    #[schema(minimum = 1, maximum = 99)]
    pub round: i16,
    #[schema(minimum = 1)]
    pub entrant: i32,
    /// What it is worth, in hundredths of a point.
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub points: i32,
}

/// Points given or taken away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentAdjustment)]
#[serde(deny_unknown_fields)]
pub struct Adjustment {
    #[schema(minimum = 1, maximum = 3)]
    pub stage: i16,
    /// After which round.
    #[schema(minimum = 1, maximum = 99)]
    pub round: i16,
    #[schema(minimum = 1)]
    pub entrant: i32,
    /// In hundredths of a point; below zero for a penalty.
    #[schema(minimum = -1_000_000, maximum = 1_000_000)]
    pub points: i32,
    /// Everybody sees it beside the points.
    #[schema(min_length = 1, max_length = 200)]
    pub reason: String,
}

/// Two who should not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentApart)]
#[serde(deny_unknown_fields)]
pub struct Apart {
    #[schema(minimum = 1)]
    pub one: i32,
    #[schema(minimum = 1)]
    pub other: i32,
}

impl Rulings {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// As the engine knows those of a stage.
    pub fn of_stage(&self, stage: i16, ratings: BTreeMap<u32, i32>) -> Result<engine_tournaments::Rulings> {
        let bye = |it: &RequestedBye| -> Result<_, std::num::TryFromIntError> {
            let (entrant, round) = (it.entrant.try_into()?, it.round.try_into()?);
            Ok(engine_tournaments::RequestedBye { entrant, round, points: it.points })
        };
        let adjustment = |it: &Adjustment| -> Result<_, std::num::TryFromIntError> {
            let (entrant, round, reason) = (it.entrant.try_into()?, it.round.try_into()?, it.reason.clone());
            Ok(engine_tournaments::Adjustment { entrant, round, points: it.points, reason })
        };
        let apart =
            |it: &Apart| -> Result<_, std::num::TryFromIntError> { Ok([it.one.try_into()?, it.other.try_into()?]) };
        let byes = self.byes.iter().filter(|it| it.stage == stage).map(bye).collect::<Result<_, _>>();
        let adjustments = self.adjustments.iter().filter(|it| it.stage == stage).map(adjustment);
        Ok(engine_tournaments::Rulings {
            byes: byes.map_err(internal)?,
            adjustments: adjustments.collect::<Result<_, _>>().map_err(internal)?,
            apart: self.apart.iter().map(apart).collect::<Result<_, _>>().map_err(internal)?,
            ratings,
        })
    }

    /// Tidy, or what is wrong with it.
    fn checked(mut self, tournament: &Tournament) -> Result<Self> {
        let mut wrong = Vec::new();
        let lists = [
            ("byes", self.byes.len(), MOST),
            ("adjustments", self.adjustments.len(), MOST),
            ("apart", self.apart.len(), MOST_PAIRS),
        ];
        for (list, many, most) in lists {
            if many > most {
                wrong.push(FieldError::new(format!("/{list}"), "out_of_range"));
            }
        }
        let is_entrant = |number: i32| tournament.entrant(number).is_some();
        let is_stage = |stage: i16| tournament.plan_of(stage).is_ok();
        for (at, it) in self.byes.iter().enumerate() {
            let is_twice =
                self.byes[..at].iter().any(|of| (of.stage, of.round, of.entrant) == (it.stage, it.round, it.entrant));
            let refusal = match it {
                _ if !is_entrant(it.entrant) => ("entrant", "unknown_value"),
                _ if !is_stage(it.stage) => ("stage", "out_of_range"),
                _ if !tournament.takes_byes(it.stage) => ("stage", "not_offered"),
                _ if !(1..=MOST_ROUND).contains(&it.round) => ("round", "out_of_range"),
                _ if !(0..=MOST_POINTS).contains(&it.points) => ("points", "out_of_range"),
                _ if is_twice => ("entrant", "twice"),
                _ => continue,
            };
            wrong.push(FieldError::new(format!("/byes/{at}/{}", refusal.0), refusal.1));
        }
        for (at, it) in self.adjustments.iter_mut().enumerate() {
            let refusal = match tidy_text(&it.reason, REASON_MOST) {
                Ok(reason) => {
                    it.reason = reason;
                    match it {
                        _ if !is_entrant(it.entrant) => ("entrant", "unknown_value"),
                        _ if !is_stage(it.stage) => ("stage", "out_of_range"),
                        _ if !(1..=MOST_ROUND).contains(&it.round) => ("round", "out_of_range"),
                        _ if it.points == 0 || !(-MOST_POINTS..=MOST_POINTS).contains(&it.points) => {
                            ("points", "out_of_range")
                        }
                        _ => continue,
                    }
                }
                Err(refusal) => {
                    wrong.push(refusal.at(&format!("/adjustments/{at}/reason")));
                    continue;
                }
            };
            wrong.push(FieldError::new(format!("/adjustments/{at}/{}", refusal.0), refusal.1));
        }
        for (at, it) in self.apart.iter_mut().enumerate() {
            *it = Apart { one: it.one.min(it.other), other: it.one.max(it.other) };
            let refusal = match it {
                _ if !is_entrant(it.one) || !is_entrant(it.other) => "unknown_value",
                _ if it.one == it.other => "twice",
                _ => continue,
            };
            wrong.push(FieldError::new(format!("/apart/{at}/other"), refusal));
        }
        self.apart.sort_unstable();
        self.apart.dedup();
        if wrong.is_empty() { Ok(self) } else { Err(invalid_fields(wrong)) }
    }
}

impl Tournament {
    /// Takes rulings away that mean nothing in the stages as they are planned now.
    pub fn drop_idle_rulings(&mut self) {
        let mut rulings = std::mem::take(&mut self.row.rulings.0);
        rulings.byes.retain(|it| self.takes_byes(it.stage));
        rulings.adjustments.retain(|it| self.plan_of(it.stage).is_ok());
        self.row.rulings = Doc(rulings);
    }

    /// The points given or taken away of this row of the standings: of an entrant, or of the members of a team.
    pub fn adjustments_of(&self, stage: i16, row: &StandingsRow) -> impl Iterator<Item = &Adjustment> {
        let all: Vec<u32> = row.members.iter().map(|it| it.entrant).chain([row.entrant]).collect();
        let is_of =
            move |it: &&Adjustment| it.stage == stage && all.iter().any(|of| i64::from(*of) == i64::from(it.entrant));
        self.row.rulings.adjustments.iter().filter(is_of)
    }

    /// Whether people may ask not to play in a round of this stage.
    pub fn takes_byes(&self, stage: i16) -> bool {
        use engine::tournaments::{Format, GroupPlay};
        let takes = |format: &Format| {
            matches!(
                format,
                Format::Swiss { .. } | Format::Pods { .. } | Format::Groups { play: GroupPlay::Swiss { .. }, .. }
            )
        };
        self.plan_of(stage).is_ok_and(|plan| takes(&plan.format))
    }

    /// Whether a round was shown to everybody.
    fn is_published(&self, stage: i16, round: i16) -> bool {
        let of_round = |it: &&super::BoutRow| i32::from(it.key.0.round) == i32::from(round);
        self.bouts_in(stage).filter(of_round).any(|bout| !self.is_drafted(bout))
    }
}

/// All rulings of a tournament, in the place of those before.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[schema(as = TournamentRulingsRequest)]
#[serde(deny_unknown_fields)]
pub struct RulingsRequest {
    #[serde(default)]
    #[schema(max_items = 500)]
    pub byes: Vec<RequestedBye>,
    #[serde(default)]
    #[schema(max_items = 500)]
    pub adjustments: Vec<Adjustment>,
    #[serde(default)]
    #[schema(max_items = 200)]
    pub apart: Vec<Apart>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// Staff rule. What was asked for a round that everybody has seen stays, and so do those who went on from a stage; a draft is paired
/// again.
pub async fn set_rulings(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: TournamentId,
    request: &RulingsRequest,
) -> Result<()> {
    let RulingsRequest { byes, adjustments, apart, revision } = request.clone();
    let asked = Rulings { byes, adjustments, apart };
    LockedTournament::change(cx, id, revision, "tournament.set_rulings", async |conn, _, locked| {
        if locked.row.status.is_over() {
            return Err(conflict("tournament_over"));
        }
        let now = asked.checked(locked)?;
        let past = (1..locked.row.stage).map(|it| locked.stage(it)).collect::<Result<Vec<_>>>()?;
        let before = std::mem::take(&mut locked.row.rulings.0);
        if now == before {
            locked.row.rulings = Doc(before);
            return Ok(Change::none());
        }
        let is_in = |it: &&RequestedBye, of: &Rulings| of.byes.contains(it);
        let differ =
            before.byes.iter().filter(|it| !is_in(it, &now)).chain(now.byes.iter().filter(|it| !is_in(it, &before)));
        for bye in differ {
            if locked.is_published(bye.stage, bye.round) {
                return Err(conflict("round_published"));
            }
        }
        let details = json!({ "before": before, "after": now });
        locked.row.rulings = Doc(now);
        for (stage, was) in (1..).zip(past) {
            // Who should not meet plays no part any more.
            let apart = was.rulings.apart.clone();
            let rulings = engine_tournaments::Rulings { apart, ..locked.stage(stage)?.rulings };
            if rulings != was.rulings {
                locked.expect_same_go_on(conn, stage, &Stage { rulings, ..was }).await?;
            }
        }
        store::write(conn, &locked.row).await?;
        locked.delete_draft(conn).await?;
        Ok(Change::audited(details))
    })
    .await
}
