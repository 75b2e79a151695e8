//! Teams. Where two meet, each bout between teams is played on boards, one member against one, and the boards add up to its result:
//! the teams are the entrants of an inner stage, from which pairings and standings come. At tables of several everybody plays for
//! themselves, members of one team apart as far as it can be, and what the members have adds up.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::bouts::{Bout, BoutKey, Finish, MemberRow, Pairing, StandingsRow};
use super::games::Games;
use super::groups::GroupLine;
use super::history::{BoutResult, History};
use super::refusals::{InvalidStage, Unpairable};
use super::stage::{Adjustment, Format, Participant, RequestedBye, Rulings, Scoring, Stage, TieBreak};
use super::{check, standings};

/// The most boards of a team.
const MOST_BOARDS: u8 = 6;
/// So many members of a team may wait for a board, where there are boards.
const MOST_RESERVES: u16 = 2;
/// A won board, in hundredths.
const ONE: i64 = 100;

/// The teams of a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Teams {
    /// How many members of a team play at a time: 2 to 6.
    pub boards: u8,
    /// The members of each team in the order of their boards, reserves last. Those who take no part in the stage are passed over. A
    /// team is known by the least number of its members.
    pub rosters: Vec<Vec<u32>>,
}

impl Teams {
    /// By which number an entrant's team is known.
    pub fn team_of(&self, entrant: u32) -> Option<u32> {
        self.rosters.iter().find(|it| it.contains(&entrant))?.iter().min().copied()
    }

    /// How many members a team may have that plays on so many boards: in duels some of them are reserves.
    pub fn most_members(boards: u8, format: &Format) -> u16 {
        u16::from(boards) + if format.is_duel() { MOST_RESERVES } else { 0 }
    }

    /// The bout between teams to which a bout on a board belongs, and which board it is, from 0.
    pub fn board_of(&self, key: BoutKey) -> (BoutKey, u16) {
        let (at, boards) = (key.number.saturating_sub(1), u16::from(self.boards.max(1)));
        (BoutKey { number: at / boards + 1, ..key }, at % boards)
    }

    /// The members of the team of this number.
    fn roster(&self, team: u32) -> &[u32] {
        self.rosters.iter().find(|it| it.iter().min() == Some(&team)).map_or(&[], Vec::as_slice)
    }

    /// Are the two in one team?
    pub(super) fn are_mates(&self, one: u32, other: u32) -> bool {
        self.rosters.iter().any(|it| it.contains(&one) && it.contains(&other))
    }
}

/// A bout between teams, as its boards stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamBout {
    /// The key that the bout has between teams.
    pub key: BoutKey,
    /// Who has the first seat on the first board comes first. A single team has a bye.
    pub sides: Vec<TeamSide>,
    /// Are all boards over?
    pub is_over: bool,
}

/// A team in a bout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamSide {
    /// The number of the team.
    pub team: u32,
    /// What its boards came to so far, in hundredths.
    pub points: i64,
    /// 1 or 2, once all boards are over; equals share the first place.
    pub place: Option<u16>,
}

/// Checks that everybody is in one team, and that teams can play in this format.
pub(super) fn check(stage: &Stage, teams: &Teams) -> Result<(), InvalidStage> {
    if !(2..=MOST_BOARDS).contains(&teams.boards) {
        return Err(InvalidStage::BadBoards { most: MOST_BOARDS });
    }
    if matches!(stage.format, Format::PodKnockout { .. } | Format::Arena { .. }) {
        return Err(InvalidStage::NoTeams);
    }
    let mut members = BTreeSet::new();
    if let Some(twice) = teams.rosters.iter().flatten().find(|it| !members.insert(**it)) {
        return Err(InvalidStage::EnteredTwice { entrant: *twice });
    }
    if let Some(alone) = stage.participants.iter().find(|it| !members.contains(&it.entrant)) {
        return Err(InvalidStage::WithoutTeam { entrant: alone.entrant });
    }
    let most = Teams::most_members(teams.boards, &stage.format);
    // Who has dropped has left their place to another.
    let in_play = |roster: &Vec<u32>| here(stage, roster).filter(|it| it.until_round.is_none()).count();
    if teams.rosters.iter().any(|it| in_play(it) > most.into()) {
        return Err(InvalidStage::TeamTooLarge { most });
    }
    if stage.sides() < 2 {
        return Err(InvalidStage::TooFew { least: 2 });
    }
    match Boards::of(stage) {
        Some(boards) => check::check(&boards.between),
        None => Ok(()),
    }
}

/// The members who take part, in the order of their boards.
fn here<'a>(stage: &'a Stage, roster: &'a [u32]) -> impl Iterator<Item = &'a Participant> {
    roster.iter().filter_map(|member| stage.participants.iter().find(|it| it.entrant == *member))
}

/// How many of the teams take part.
pub(super) fn count(stage: &Stage, teams: &Teams) -> usize {
    teams.rosters.iter().filter(|it| here(stage, it).next().is_some()).count()
}

/// A stage in which teams meet on boards.
pub(super) struct Boards<'a> {
    stage: &'a Stage,
    teams: &'a Teams,
    bouts: Vec<BoardBouts<'a>>,
    /// The same stage with the teams as its entrants.
    pub(super) between: Stage,
}

/// The bouts on the boards of one bout between teams.
struct BoardBouts<'a> {
    /// Of the bout between teams.
    key: BoutKey,
    /// The teams; who has the first seat on the first board comes first. A single team has a bye.
    sides: Vec<u32>,
    /// Each with the number of its board, from 0.
    bouts: Vec<(u16, &'a Bout)>,
}

impl<'a> Boards<'a> {
    /// None where there are no teams, or tables of several.
    pub(super) fn of(stage: &'a Stage) -> Option<Self> {
        let teams = stage.teams.as_ref().filter(|it| stage.format.is_duel() && it.boards > 0)?;
        let bouts = board_bouts(stage, teams);
        Some(Boards { stage, teams, between: between(stage, teams, &bouts), bouts })
    }

    /// The bouts on boards that can be paired now.
    pub(super) fn due(
        &self,
        pair: impl Fn(&Stage) -> Result<Vec<Pairing>, Unpairable>,
    ) -> Result<Vec<Pairing>, Unpairable> {
        Ok(pair(&self.between)?.iter().flat_map(|it| self.on_boards(it)).collect())
    }

    /// On every second board the members of the second team have the first seat.
    fn on_boards(&self, pairing: &Pairing) -> Vec<Pairing> {
        let round = pairing.key.round;
        let line_up = |team: &u32| line_up(self.stage, self.teams, self.teams.roster(*team), round);
        let mut line_ups: Vec<Vec<u32>> = pairing.entrants.iter().map(line_up).collect();
        if let ([team], [resting]) = (&pairing.entrants[..], &mut line_ups[..])
            && resting.is_empty()
        {
            // All of them asked not to play: the first stands for the team.
            let there = here(self.stage, self.teams.roster(*team)).filter(|it| it.plays_in(round));
            resting.extend(there.map(|it| it.entrant).take(1));
        }
        let on_board = |board: u16| {
            let mut entrants: Vec<u32> = line_ups.iter().filter_map(|it| it.get(usize::from(board))).copied().collect();
            if board % 2 == 1 {
                entrants.reverse();
            }
            let number = (pairing.key.number - 1) * u16::from(self.teams.boards) + board + 1;
            let key = BoutKey { number, ..pairing.key };
            Some(Pairing { key, entrants, reasons: pairing.reasons.clone() }).filter(|it| !it.entrants.is_empty())
        };
        (0..u16::from(self.teams.boards)).filter_map(on_board).collect()
    }

    /// The tie-breaks that only boards tell.
    fn board_values(&self) -> impl Fn(TieBreak, u32) -> Option<i64> {
        let mut won: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
        for (bouts, team) in self.bouts.iter().flat_map(|it| it.sides.iter().map(move |team| (it, *team))) {
            let sums = won.entry(team).or_insert_with(|| vec![0; self.teams.boards.into()]);
            sums.iter_mut().zip(self.won_in(bouts, team)).for_each(|(sum, points)| *sum += points);
        }
        move |tie_break: TieBreak, team: u32| {
            let won = won.get(&team).map(Vec::as_slice).unwrap_or_default();
            match tie_break {
                TieBreak::Berlin => {
                    Some(won.iter().rev().zip(1..).map(|(points, weight): (_, i64)| points * weight).sum())
                }
                TieBreak::FirstBoard => Some(won.first().copied().unwrap_or_default()),
                TieBreak::WithoutLastBoard => Some(won.iter().rev().skip(1).sum()),
                _ => None,
            }
        }
    }

    /// As `Stage::group_line`, of teams.
    pub(super) fn group_line(&self, many: usize, is_here: &dyn Fn(u32) -> bool) -> Option<GroupLine> {
        let Format::Groups { groups, play } = self.between.format else { return None };
        super::groups::line(&self.between, (groups, play), many, is_here, &self.board_values())
    }

    /// The teams, the best first, each with its members.
    pub(super) fn standings(&self) -> Vec<StandingsRow> {
        let of_boards = self.board_values();
        let mut rows = match self.between.format {
            Format::Groups { groups, play } => super::groups::standings(&self.between, groups, play, &of_boards),
            _ => standings::standings(&self.between, &of_boards),
        };
        let history = History::new(self.stage);
        for row in &mut rows {
            let members = here(self.stage, self.teams.roster(row.entrant));
            row.members = members.map(|it| member(&history, it.entrant)).collect();
        }
        rows
    }

    /// What a team got on each board of a bout so far, in hundredths. A bye is half of each, unless somebody asked for it.
    fn won_in(&self, bouts: &BoardBouts<'_>, team: u32) -> Vec<i64> {
        match bouts.sides.len() {
            1 if self.between.rulings.bye(team, bouts.key.round).is_some() => vec![0; self.teams.boards.into()],
            _ => bouts.won(self.teams, team),
        }
    }

    /// The bouts on boards that this result would invalidate.
    pub(super) fn invalidated_by(&self, changed: BoutKey, result: &[Finish]) -> Vec<BoutKey> {
        let (key, _) = self.teams.board_of(changed);
        let mut stage = self.stage.clone();
        let of_changed = stage.bouts.iter_mut().filter(|it| it.key == changed);
        of_changed.for_each(|it| it.result = Some(result.to_vec()));
        let after = between(&stage, self.teams, &board_bouts(&stage, self.teams));
        let Some(result) = after.bouts.into_iter().find(|it| it.key == key).and_then(|it| it.result) else {
            return Vec::new();
        };
        let invalid = self.between.invalidated_by(key, &result);
        let bouts = self.stage.bouts.iter().map(|it| it.key);
        bouts.filter(|it| invalid.contains(&self.teams.board_of(*it).0)).collect()
    }

    /// The bouts between teams, with what their boards came to so far.
    pub(super) fn team_bouts(&self) -> Vec<TeamBout> {
        let bout = |(bouts, bout): (&BoardBouts<'_>, &Bout)| {
            let side = |team: &u32| TeamSide {
                team: *team,
                points: self.won_in(bouts, *team).iter().sum(),
                place: bout.result.iter().flatten().find(|it| it.entrant == *team).map(|it| it.place),
            };
            TeamBout { key: bout.key, sides: bout.entrants.iter().map(side).collect(), is_over: bout.is_over() }
        };
        self.bouts.iter().zip(&self.between.bouts).map(bout).collect()
    }
}

impl BoardBouts<'_> {
    /// What a team got on each board so far, in hundredths; in a bye a half on each.
    fn won(&self, teams: &Teams, team: u32) -> Vec<i64> {
        let mut won = vec![0; teams.boards.into()];
        for (board, bout) in &self.bouts {
            let member = bout.entrants.iter().copied().find(|it| teams.team_of(*it) == Some(team));
            if let (Some(on), Some(points)) =
                (won.get_mut(usize::from(*board)), member.and_then(|it| points_of(bout, it)))
            {
                *on = points;
            }
        }
        if self.sides.len() == 1 { vec![ONE / 2; won.len()] } else { won }
    }

    /// Did nobody of a team come?
    fn is_absent(&self, teams: &Teams, team: u32) -> bool {
        let came = |bout: &Bout, entrant: u32| {
            bout.is_bye() || bout.result.iter().flatten().any(|it| it.entrant == entrant && !it.absent)
        };
        let mut members = self.bouts.iter().flat_map(|(_, bout)| bout.entrants.iter().map(move |it| (*bout, *it)));
        !members.any(|(bout, entrant)| teams.team_of(entrant) == Some(team) && came(bout, entrant))
    }

    /// The bout between the teams, with its result once all boards have one.
    fn bout(&self, stage: &Stage, teams: &Teams) -> Bout {
        let is_over = self.bouts.iter().all(|(_, bout)| bout.is_over());
        let result = is_over.then(|| self.result(stage, teams));
        Bout { key: self.key, entrants: self.sides.clone(), result }
    }

    /// In a knock-out the higher boards decide between equals: first all of them by their weight, then one by one.
    fn result(&self, stage: &Stage, teams: &Teams) -> Vec<Finish> {
        let decides = stage.format.is_knockout();
        let rank = |won: &[i64]| {
            let weighed: i64 = won.iter().zip(1..).map(|(points, board): (_, i64)| points * board).sum();
            let by_boards = if decides { (-weighed, won.to_vec()) } else { (0, Vec::new()) };
            (won.iter().sum::<i64>(), by_boards)
        };
        // Who did not come is behind who did.
        let standing = |team: &u32| (!self.is_absent(teams, *team), rank(&self.won(teams, *team)));
        let standings: Vec<_> = self.sides.iter().map(standing).collect();
        let finish = |(team, mine): (&u32, &(bool, (i64, _)))| Finish {
            entrant: *team,
            place: 1 + standings.iter().filter(|it| *it > mine).count() as u16,
            score: Some(mine.1.0),
            absent: !mine.0,
        };
        self.sides.iter().zip(&standings).map(finish).collect()
    }
}

/// Who of a team plays in a round, in the order of the boards: those who are there, as many as there are boards.
fn line_up(stage: &Stage, teams: &Teams, roster: &[u32], round: u16) -> Vec<u32> {
    let plays = |it: &&Participant| it.plays_in(round) && stage.rulings.bye(it.entrant, round).is_none();
    here(stage, roster).filter(plays).take(teams.boards.into()).map(|it| it.entrant).collect()
}

/// The bouts of a stage by the bouts between teams to which they belong, in the order of keys.
fn board_bouts<'a>(stage: &'a Stage, teams: &Teams) -> Vec<BoardBouts<'a>> {
    let mut by_key: BTreeMap<BoutKey, Vec<(u16, &Bout)>> = BTreeMap::new();
    for (key, bout) in stage.bouts_in_order() {
        let (of, board) = teams.board_of(key);
        by_key.entry(of).or_default().push((board, bout));
    }
    let all = by_key.into_iter().map(|(key, bouts)| BoardBouts { key, sides: sides(teams, &bouts), bouts });
    all.filter(|it| !it.sides.is_empty()).collect()
}

/// The teams of these bouts, at most two. A board with both says who has the first seat.
fn sides(teams: &Teams, bouts: &[(u16, &Bout)]) -> Vec<u32> {
    let is_full = |it: &&(u16, &Bout)| it.1.entrants.len() > 1;
    let mut sides: Vec<u32> = Vec::new();
    for (board, bout) in bouts.iter().filter(is_full).chain(bouts) {
        let mut here: Vec<u32> = bout.entrants.iter().filter_map(|it| teams.team_of(*it)).collect();
        if board % 2 == 1 {
            here.reverse();
        }
        here.retain(|it| !sides.contains(it));
        sides.extend(here);
    }
    sides.truncate(2);
    sides
}

/// The stage with teams as its entrants.
fn between(stage: &Stage, teams: &Teams, bouts: &[BoardBouts<'_>]) -> Stage {
    Stage {
        format: stage.format.clone(),
        scoring: Scoring { games: Games::One {}, ..stage.scoring.clone() },
        tie_breaks: stage.tie_breaks.clone(),
        participants: participants(stage, teams),
        bouts: bouts.iter().map(|it| it.bout(stage, teams)).collect(),
        draw: stage.draw,
        rulings: rulings(stage, teams),
        teams: None,
    }
}

/// The teams by the average seed of those who have a board. A team is there from the first round of a member until the last leaves.
fn participants(stage: &Stage, teams: &Teams) -> Vec<Participant> {
    let mut strength = Vec::new();
    for roster in &teams.rosters {
        let members: Vec<&Participant> = here(stage, roster).collect();
        let (Some(from_round), Some(entrant)) = (members.iter().map(|it| it.from_round).min(), roster.iter().min())
        else {
            continue;
        };
        let until = members.iter().map(|it| it.until_round).collect::<Option<Vec<u16>>>();
        let until_round = until.and_then(|it| it.into_iter().max());
        let best = &members[..members.len().min(teams.boards.max(1).into())];
        let seeds: u64 = best.iter().map(|it| u64::from(it.seed)).sum();
        // A common multiple of all sizes, so that averages are whole.
        let average = seeds * 60 / best.len() as u64;
        strength.push((average, Participant { entrant: *entrant, seed: 0, from_round, until_round }));
    }
    strength.sort_unstable_by_key(|(average, it)| (*average, it.entrant));
    strength.into_iter().zip(1..).map(|((_, it), seed)| Participant { seed, ..it }).collect()
}

fn rulings(stage: &Stage, teams: &Teams) -> Rulings {
    let team = |entrant: u32| teams.team_of(entrant);
    let Rulings { byes, adjustments, apart, ratings } = &stage.rulings;
    // Of a round that was paired, its bouts say who rested.
    let rests = |roster: &&Vec<u32>, round: u16| {
        let of_team = |it: &&u32| roster.contains(it);
        let bouts = stage.bouts.iter().filter(|bout| bout.key.round == round);
        let mut paired = bouts.flat_map(|bout| bout.entrants.iter().filter(of_team)).peekable();
        match paired.peek() {
            Some(_) => paired.all(|it| stage.rulings.bye(*it, round).is_some()),
            None => line_up(stage, teams, roster, round).is_empty(),
        }
    };
    let mut asked: BTreeMap<(u32, u16), RequestedBye> = BTreeMap::new();
    for bye in byes {
        let roster = teams.rosters.iter().find(|it| it.contains(&bye.entrant));
        if let Some(entrant) = roster.filter(|it| rests(it, bye.round)).and_then(|it| it.iter().min()) {
            asked.entry((*entrant, bye.round)).or_insert(RequestedBye { entrant: *entrant, ..*bye });
        }
    }
    let adjusted = |it: &Adjustment| Some(Adjustment { entrant: team(it.entrant)?, ..it.clone() });
    let average = |roster: &Vec<u32>| {
        let known = here(stage, roster).filter_map(|it| ratings.get(&it.entrant).copied().map(i64::from));
        let best: Vec<i64> = known.take(teams.boards.into()).collect();
        let average = best.iter().sum::<i64>().checked_div(best.len() as i64)?;
        Some((*roster.iter().min()?, i32::try_from(average).ok()?))
    };
    Rulings {
        byes: asked.into_values().collect(),
        adjustments: adjustments.iter().filter_map(adjusted).collect(),
        apart: apart.iter().filter_map(|[one, other]| Some([team(*one)?, team(*other)?])).collect(),
        ratings: teams.rosters.iter().filter_map(average).collect(),
    }
}

/// What a board brought to an entrant, in hundredths: one, a half or nothing; none while it is played. Who has no opponent wins.
fn points_of(bout: &Bout, entrant: u32) -> Option<i64> {
    let [one, other] = bout.entrants[..] else { return Some(ONE) };
    let opponent = if one == entrant { other } else { one };
    let result = bout.result.as_deref()?;
    let of = |entrant: u32| result.iter().find(|it| it.entrant == entrant && !it.absent).map(|it| it.place);
    Some(match (of(entrant), of(opponent)) {
        (None, _) => 0,
        (Some(_), None) => ONE,
        (Some(mine), Some(theirs)) if mine == theirs => ONE / 2,
        (Some(mine), Some(theirs)) => ONE * i64::from(mine < theirs),
    })
}

/// An entrant's own part in what their team got.
fn member(history: &History, entrant: u32) -> MemberRow {
    let mut row = MemberRow { entrant, played: 0, wins: 0, draws: 0, losses: 0, points: 0 };
    for record in history.of(entrant) {
        let (counter, points) = match record.result {
            BoutResult::Bye | BoutResult::Requested | BoutResult::Missed => continue,
            BoutResult::Won | BoutResult::Walkover => (&mut row.wins, ONE),
            BoutResult::Drawn => (&mut row.draws, ONE / 2),
            BoutResult::Lost | BoutResult::Absent => (&mut row.losses, 0),
        };
        *counter = counter.saturating_add(1);
        row.played = row.played.saturating_add(1);
        row.points += points;
    }
    row
}

/// The teams at tables of several, by what their members have together; then by the sums of their tie-breaks. What equals did
/// against each other says nothing about teams.
pub(super) fn sums(stage: &Stage, teams: &Teams, own: &[StandingsRow]) -> Vec<StandingsRow> {
    let mut rows = Vec::new();
    for roster in &teams.rosters {
        let members: Vec<&StandingsRow> =
            roster.iter().filter_map(|member| own.iter().find(|it| it.entrant == *member)).collect();
        let Some(entrant) = roster.iter().min().filter(|_| !members.is_empty()) else { continue };
        let sum = |of: &dyn Fn(&StandingsRow) -> i64| members.iter().map(|it| of(it)).fold(0, i64::saturating_add);
        let count = |of: fn(&StandingsRow) -> u16| members.iter().map(|it| of(it)).fold(0, u16::saturating_add);
        let tie_break = |(at, it): (usize, &TieBreak)| match it {
            TieBreak::HeadToHead => 0,
            _ => sum(&|row| row.tie_breaks.get(at).copied().unwrap_or_default()),
        };
        rows.push(StandingsRow {
            rank: 0,
            group: None,
            entrant: *entrant,
            played: count(|it| it.played),
            wins: count(|it| it.wins),
            draws: count(|it| it.draws),
            losses: count(|it| it.losses),
            points: sum(&|it| it.points),
            tie_breaks: stage.tie_breaks.iter().enumerate().map(tie_break).collect(),
            is_out: members.iter().all(|it| it.is_out),
            members: members.iter().map(|it| MemberRow::from(*it)).collect(),
        });
    }
    let seeds: BTreeMap<u32, u32> = participants(stage, teams).iter().map(|it| (it.entrant, it.seed)).collect();
    let key = |row: &StandingsRow| Reverse((row.points, row.tie_breaks.clone()));
    rows.sort_by_cached_key(|row| (key(row), seeds.get(&row.entrant).copied()));
    standings::ranked(rows.into_iter().map(|row| (key(&row), row)).collect())
}
