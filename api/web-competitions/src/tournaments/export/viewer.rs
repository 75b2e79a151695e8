//! A stage as the data that brackets-viewer.js draws (<https://github.com/Drarig29/brackets-viewer.js>): knock-outs, double
//! eliminations, round robins and groups that play one. Its model counts groups, rounds and matches by numbers of its own.

use std::collections::{BTreeMap, BTreeSet};

use competitions::tournaments::{Tournament, TournamentId};
use engine::tournaments::{BoutKey, Format, GroupPlay, Planned, Side, Slot};
use play::matches::Status;
use serde::Serialize;
use utoipa::ToSchema;

use super::duels::{Duels, Outcome, Place, not_in_format, outcome};
use web_base::error::ApiResult;

/// More rounds than a group has.
const ROUNDS: u32 = 1000;

/// A stage for brackets-viewer.js: what its `render` takes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BracketsViewer)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Viewer {
    stages: Vec<ViewerStage>,
    matches: Vec<ViewerMatch>,
    match_games: Vec<ViewerGame>,
    participants: Vec<ViewerParticipant>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BracketsViewerStage)]
pub(crate) struct ViewerStage {
    id: i16,
    tournament_id: TournamentId,
    name: String,
    #[serde(rename = "type")]
    kind: ViewerKind,
    number: i16,
    settings: ViewerSettings,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = BracketsViewerStageType)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ViewerKind {
    RoundRobin,
    SingleElimination,
    DoubleElimination,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BracketsViewerSettings)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ViewerSettings {
    /// Of a bracket with its byes.
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    consolation_final: Option<bool>,
    /// Of a double elimination `double`: the final may be played again.
    #[serde(skip_serializing_if = "Option::is_none")]
    grand_final: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    group_count: Option<u8>,
    /// `simple` or `double`.
    #[serde(skip_serializing_if = "Option::is_none")]
    round_robin_mode: Option<&'static str>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BracketsViewerParticipant)]
pub(crate) struct ViewerParticipant {
    /// The number of the entrant; of a team the least of its members.
    id: u32,
    tournament_id: TournamentId,
    name: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BracketsViewerMatch)]
pub(crate) struct ViewerMatch {
    id: u32,
    stage_id: i16,
    group_id: u32,
    round_id: u32,
    number: u32,
    /// How many games it has at most; 0 if it is one.
    child_count: u8,
    /// 0 locked, 1 waiting for an opponent, 2 ready, 3 running, 4 completed.
    status: u8,
    /// `null` where nobody stands: the other has a bye.
    opponent1: Option<ViewerOpponent>,
    opponent2: Option<ViewerOpponent>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BracketsViewerGame)]
pub(crate) struct ViewerGame {
    id: u32,
    stage_id: i16,
    parent_id: u32,
    number: u32,
    status: u8,
    opponent1: Option<ViewerOpponent>,
    opponent2: Option<ViewerOpponent>,
}

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = BracketsViewerOpponent)]
pub(crate) struct ViewerOpponent {
    /// `null` as long as it is not known who comes.
    id: Option<u32>,
    /// The seed in the first round; among the losers the number of the match that they lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    /// `win`, `draw` or `loss`.
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    /// Did not appear.
    #[serde(skip_serializing_if = "Option::is_none")]
    forfeit: Option<bool>,
}

const LOCKED: u8 = 0;
const WAITING: u8 = 1;
const READY: u8 = 2;
const RUNNING: u8 = 3;
const COMPLETED: u8 = 4;

impl Viewer {
    pub(crate) fn of(tournament: &Tournament, number: i16) -> ApiResult<Self> {
        let duels = Duels::of(tournament, number)?;
        let (kind, settings) = kind_of(&duels)?;
        let tournament_id = tournament.row.id;
        let stage =
            ViewerStage { id: number, tournament_id, name: tournament.row.name.clone(), kind, number, settings };
        let participants = duels.stage.participants.iter();
        let mut participants: Vec<ViewerParticipant> = participants
            .map(|it| ViewerParticipant { id: it.entrant, tournament_id, name: duels.name(it.entrant) })
            .collect();
        participants.sort_by_key(|it| it.id);
        let (matches, match_games) = Drawing::of(&duels, kind)?.draw();
        Ok(Self { stages: vec![stage], matches, match_games, participants })
    }
}

/// Whether a stage of this format can be drawn.
pub(crate) fn can_draw(format: &Format) -> bool {
    match format {
        Format::SingleElimination { .. }
        | Format::DoubleElimination {}
        | Format::RoundRobin { .. }
        | Format::Groups { play: GroupPlay::RoundRobin { .. }, .. } => true,
        Format::Groups { play: GroupPlay::Swiss { .. }, .. }
        | Format::Swiss { .. }
        | Format::Pods { .. }
        | Format::PodKnockout { .. }
        | Format::Arena { .. } => false,
    }
}

fn kind_of(duels: &Duels<'_>) -> ApiResult<(ViewerKind, ViewerSettings)> {
    let many = duels.stage.participants.len();
    let nothing = ViewerSettings {
        size: many,
        consolation_final: None,
        grand_final: None,
        group_count: None,
        round_robin_mode: None,
    };
    let robin = |groups: u8, legs: u8| ViewerSettings {
        group_count: Some(groups),
        round_robin_mode: ["simple", "double"].get(usize::from(legs) - 1).copied(),
        size: many,
        consolation_final: None,
        grand_final: None,
    };
    let size = many.next_power_of_two().max(2);
    Ok(match duels.stage.format {
        Format::SingleElimination { third_place, consolation: _ } => {
            (ViewerKind::SingleElimination, ViewerSettings { size, consolation_final: Some(third_place), ..nothing })
        }
        Format::DoubleElimination {} => {
            (ViewerKind::DoubleElimination, ViewerSettings { size, grand_final: Some("double"), ..nothing })
        }
        Format::RoundRobin { legs } => (ViewerKind::RoundRobin, robin(1, legs)),
        Format::Groups { groups, play: GroupPlay::RoundRobin { legs } } => {
            (ViewerKind::RoundRobin, robin(groups, legs))
        }
        Format::Groups { play: GroupPlay::Swiss { .. }, .. }
        | Format::Swiss { .. }
        | Format::Pods { .. }
        | Format::PodKnockout { .. }
        | Format::Arena { .. } => return Err(not_in_format()),
    })
}

/// Where matches stand in the drawing.
struct Drawing<'a> {
    duels: &'a Duels<'a>,
    kind: ViewerKind,
    /// The rounds of each side, as the stage counts them.
    rounds: BTreeMap<Side, Vec<u16>>,
    /// In which group of a round robin somebody plays, from 1.
    groups: BTreeMap<u32, u16>,
}

impl<'a> Drawing<'a> {
    fn of(duels: &'a Duels<'a>, kind: ViewerKind) -> ApiResult<Self> {
        let mut rounds: BTreeMap<Side, BTreeSet<u16>> = BTreeMap::new();
        for planned in &duels.plan {
            rounds.entry(planned.key.side).or_default().insert(planned.key.round);
        }
        let rounds = rounds.into_iter().map(|(side, rounds)| (side, rounds.into_iter().collect())).collect();
        let standings = match kind {
            ViewerKind::RoundRobin => base::games::guarded(|| duels.stage.standings())?,
            ViewerKind::SingleElimination | ViewerKind::DoubleElimination => Vec::new(),
        };
        let groups = standings.iter().filter_map(|it| Some((it.entrant, it.group?.group))).collect();
        Ok(Self { duels, kind, rounds, groups })
    }

    fn draw(&self) -> (Vec<ViewerMatch>, Vec<ViewerGame>) {
        // It has no place for bouts about places behind the fourth.
        let is_drawn = |it: &&Planned| {
            it.key.side != Side::Places && (self.kind != ViewerKind::RoundRobin || self.is_between_two(it))
        };
        let mut matches: Vec<(BoutKey, ViewerMatch)> =
            self.duels.plan.iter().filter(is_drawn).map(|it| (it.key, self.drawn(it))).collect();
        if self.kind == ViewerKind::DoubleElimination {
            matches.extend(self.empty_matches(&matches));
        }
        matches.sort_by_key(|(_, it)| (it.group_id, it.round_id, it.number));
        for (id, (_, it)) in (1..).zip(&mut matches) {
            it.id = id;
        }
        let mut games: Vec<ViewerGame> = matches.iter().flat_map(|(key, it)| self.games(*key, it)).collect();
        for (id, it) in (1..).zip(&mut games) {
            it.id = id;
        }
        (matches.into_iter().map(|(_, it)| it).collect(), games)
    }

    fn is_between_two(&self, planned: &Planned) -> bool {
        self.duels.places(planned).iter().all(|it| it.from != Slot::Nobody)
    }

    fn group_of(&self, planned: &Planned) -> u32 {
        match (self.kind, planned.key.side) {
            (ViewerKind::RoundRobin, _) => {
                let first = planned.places.iter().find_map(|it| it.entrant());
                let group = first.and_then(|it| self.groups.get(&it)).copied().unwrap_or(1);
                u32::from(group) - 1
            }
            (_, Side::Main) => 0,
            (_, Side::Losers | Side::ThirdPlace | Side::Places) => 1,
            (_, Side::Final) => 2,
        }
    }

    /// Which round of its side, from 1.
    fn round_of(&self, key: BoutKey) -> u32 {
        let rounds = self.rounds.get(&key.side).map(Vec::as_slice).unwrap_or_default();
        (1..).zip(rounds).find(|(_, round)| **round == key.round).map_or(1, |(nth, _)| nth)
    }

    fn drawn(&self, planned: &Planned) -> ViewerMatch {
        let (group, round) = (self.group_of(planned), self.round_of(planned.key));
        let places = self.duels.places(planned);
        let bout = self.duels.bout(planned.key);
        let result = bout.and_then(|it| it.result.as_deref());
        let opponent = |place: Place| {
            (place.from != Slot::Nobody).then(|| {
                let ended = place.entrant.and_then(|it| outcome(result, it));
                ViewerOpponent { position: self.position(place.from), ..ViewerOpponent::of(place.entrant, ended) }
            })
        };
        // Those who come from the main side stand first there.
        let are_turned = planned.key.side == Side::Losers && round.is_multiple_of(2);
        let [one, other] = if are_turned { [places[1], places[0]] } else { places };
        let status = match (places.map(|it| it.entrant), bout) {
            _ if places.iter().any(|it| it.from == Slot::Nobody) => LOCKED,
            ([Some(_), Some(_)], Some(bout)) if bout.result.is_some() => COMPLETED,
            ([Some(_), Some(_)], Some(_)) if self.is_played(planned.key) => RUNNING,
            ([Some(_), Some(_)], _) => READY,
            ([None, None], _) => LOCKED,
            _ => WAITING,
        };
        ViewerMatch {
            id: 0,
            stage_id: self.duels.number,
            group_id: group,
            round_id: group * ROUNDS + round,
            number: planned.key.number.into(),
            child_count: self.duels.games_of(planned.key).unwrap_or_default(),
            status,
            opponent1: opponent(one),
            opponent2: opponent(other),
        }
    }

    fn is_played(&self, key: BoutKey) -> bool {
        let row = self.duels.tournament.bouts_in(self.duels.number).find(|it| it.key.0 == key);
        row.is_some_and(|it| it.match_status == Some(Status::Running))
    }

    fn position(&self, from: Slot) -> Option<usize> {
        match from {
            Slot::Entrant(entrant) if self.kind != ViewerKind::RoundRobin => Some(self.duels.seed(entrant)),
            Slot::Loser(key) if key.side == Side::Main => Some(key.number.into()),
            Slot::Entrant(_) | Slot::Winner(_) | Slot::Loser(_) | Slot::Nobody => None,
        }
    }

    /// The places among the losers at which nobody ever plays: the drawing needs every match of a round.
    fn empty_matches(&self, drawn: &[(BoutKey, ViewerMatch)]) -> Vec<(BoutKey, ViewerMatch)> {
        let main = self.rounds.get(&Side::Main).map_or(0, Vec::len);
        let losers = self.rounds.get(&Side::Losers).map(Vec::as_slice).unwrap_or_default();
        let mut empty = Vec::new();
        for (at, round) in losers.iter().enumerate() {
            let count = 1 << main.saturating_sub(at / 2 + 2);
            let keys = (1..=count).map(|number| BoutKey { side: Side::Losers, round: *round, number });
            for key in keys.filter(|key| !drawn.iter().any(|(it, _)| it == key)) {
                let nobody = Planned { key, places: vec![Slot::Nobody; 2] };
                empty.push((key, self.drawn(&nobody)));
            }
        }
        empty
    }

    fn games(&self, key: BoutKey, of: &ViewerMatch) -> Vec<ViewerGame> {
        if of.child_count == 0 {
            return Vec::new();
        }
        let row = self.duels.tournament.bouts_in(self.duels.number).find(|it| it.key.0 == key);
        let games = row.map(|it| it.games.0.as_slice()).unwrap_or_default();
        let game = |(number, game): (u32, &competitions::tournaments::Game)| {
            let opponent = |it: &Option<ViewerOpponent>| {
                let id = it.as_ref()?.id?;
                Some(ViewerOpponent::of(Some(id), outcome(Some(game.result.as_slice()), id)))
            };
            ViewerGame {
                id: 0,
                stage_id: of.stage_id,
                parent_id: of.id,
                number,
                status: COMPLETED,
                opponent1: opponent(&of.opponent1),
                opponent2: opponent(&of.opponent2),
            }
        };
        (1..).zip(games).map(game).collect()
    }
}

impl ViewerOpponent {
    fn of(id: Option<u32>, ended: Option<Outcome>) -> Self {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let result = ended.map(|it| match it.order {
            Greater => "win",
            Equal => "draw",
            Less => "loss",
        });
        Self {
            id,
            position: None,
            score: ended.and_then(|it| it.score),
            result,
            forfeit: ended.filter(|it| it.absent).map(|_| true),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::tournaments::Consolation;

    use super::*;
    use crate::tournaments::samples::{moments, moments_of, moments_of_teams};

    fn last(format: Format) -> Viewer {
        let over = moments_of(format).pop().unwrap();
        Viewer::of(&over, 1).unwrap()
    }

    /// How many matches each round of each group has.
    fn shape(viewer: &Viewer) -> Vec<(u32, Vec<usize>)> {
        let mut shape: BTreeMap<u32, BTreeMap<u32, usize>> = BTreeMap::new();
        for it in &viewer.matches {
            *shape.entry(it.group_id).or_default().entry(it.round_id).or_default() += 1;
        }
        shape.into_iter().map(|(group, rounds)| (group, rounds.into_values().collect())).collect()
    }

    #[test]
    fn brackets_have_every_match_of_every_round() {
        assert_eq!(
            shape(&last(Format::SingleElimination { third_place: true, consolation: Consolation::None })),
            [(0, vec![4, 2, 1]), (1, vec![1])],
            "of seven one has a bye"
        );
        let double = last(Format::DoubleElimination {});
        assert_eq!(shape(&double), [(0, vec![4, 2, 1]), (1, vec![2, 2, 1, 1]), (2, vec![1, 1])]);
        let byes = double.matches.iter().filter(|it| it.opponent1.is_none() || it.opponent2.is_none()).count();
        assert!(byes >= 2, "the eighth seed is missing on both sides");
        let first = &double.matches[0];
        let seeds = [&first.opponent1, &first.opponent2].map(|it| it.as_ref().and_then(|it| it.position));
        assert_eq!(seeds, [Some(1), None]);
    }

    #[test]
    fn each_match_says_who_won() {
        for format in [
            Format::SingleElimination { third_place: false, consolation: Consolation::None },
            Format::DoubleElimination {},
            Format::RoundRobin { legs: 1 },
            Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 } },
        ] {
            let viewer = last(format.clone());
            assert_eq!(viewer.participants.len(), 7);
            let over: Vec<&ViewerMatch> = viewer.matches.iter().filter(|it| it.status == COMPLETED).collect();
            assert!(over.len() >= 6, "{format:?}");
            for it in over {
                let results = [&it.opponent1, &it.opponent2].map(|it| it.as_ref().and_then(|it| it.result));
                assert!(
                    [[Some("win"), Some("loss")], [Some("loss"), Some("win")], [Some("draw"), Some("draw")]]
                        .contains(&results),
                    "{it:?}"
                );
            }
            let ids: BTreeSet<u32> = viewer.matches.iter().map(|it| it.id).collect();
            assert_eq!(ids.len(), viewer.matches.len());
        }
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_and_nothing_else() {
        for tournament in moments() {
            let viewer = Viewer::of(&tournament, 1);
            let can_be = can_draw(&tournament.row.stages.0[0].format);
            let begun = tournament.participants.iter().any(|it| it.stage == 1);
            match viewer {
                Ok(viewer) => assert!(can_be && begun && !viewer.participants.is_empty()),
                Err(refused) => {
                    let code = refused.code().to_owned();
                    assert!(
                        (code == "not_in_format" && !can_be) || (code == "tournament_not_running" && !begun),
                        "{code}"
                    );
                }
            }
        }
    }

    #[test]
    fn teams_stand_in_a_bracket_by_their_names() {
        let over = moments_of_teams(Format::SingleElimination { third_place: true, consolation: Consolation::None })
            .pop()
            .unwrap();
        let viewer = Viewer::of(&over, 1).unwrap();
        let names: Vec<&str> = viewer.participants.iter().map(|it| it.name.as_str()).collect();
        assert!(names.contains(&"부엉이"), "{names:?}");
        assert!(viewer.matches.iter().all(|it| it.child_count == 0));
    }
}
