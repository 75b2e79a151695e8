//! A stage as a report: Swiss rounds and round robins of people who play for themselves, with the rounds that are over.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use engine::tournaments::{Bout, Format, Participant, Points, Stage, TieBreak};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::columns::{Line, of_round};
use super::{Audience, TrfEdition};
use crate::tournaments::{StagePlan, Tournament};
use base::error::{Result, conflict};
use base::games::guarded;

/// Columns 15 to 47.
const NAME_LENGTH: usize = 33;
/// In hundredths: what four columns hold.
const MOST_POINTS: i64 = 9_990;
const RATED: std::ops::RangeInclusive<i32> = 1..=9_999;
/// So says the standard.
const LINE_END: &str = "\r\n";

/// What a result is worth, in hundredths.
#[derive(Clone, Copy)]
struct Worth {
    win: i64,
    draw: i64,
    loss: i64,
    bye: i64,
}

impl Worth {
    fn of(stage: &Stage) -> Result<Self> {
        let Points::Win { win, draw, loss, bye } = stage.scoring.points else { return Err(conflict("not_in_format")) };
        Ok(Self { win: win.into(), draw: draw.into(), loss: loss.into(), bye: bye.into() })
    }

    fn is_usual(self) -> bool {
        (self.win, self.draw, self.loss, self.bye) == (100, 50, 0, self.win)
    }

    fn of_code(self, code: char) -> i64 {
        match code {
            '1' | '+' | 'F' => self.win,
            '=' | 'H' => self.draw,
            '0' => self.loss,
            'U' => self.bye,
            _ => 0,
        }
    }

    /// The code of a round without opponents that brought so many points, if there is one; else that of one which brought nothing.
    fn code_of_bye(self, points: i64) -> char {
        match points {
            0 => 'Z',
            _ if points == self.win => 'F',
            _ if points == self.draw => 'H',
            _ => 'Z',
        }
    }
}

/// One round of one player.
struct Played {
    round: u16,
    /// Who was to come, and whether the player had the first seat.
    opponent: Option<(u32, bool)>,
    code: char,
    /// What no code says.
    extra: i64,
}

/// A line of the report, with what follows from it.
struct Player {
    /// By seed, from 1.
    number: usize,
    entrant: u32,
    points: i64,
    rank: u32,
    rounds: Vec<Played>,
}

/// Points that no result explains.
struct Extra {
    player: usize,
    round: u16,
    points: i64,
}

impl Tournament {
    /// Whether FIDE's tournament report file can hold this stage.
    pub fn has_trf(&self, stage: i16) -> bool {
        let can_hold = |plan: &StagePlan| {
            let is_paired_so = matches!(plan.format, Format::Swiss { .. } | Format::RoundRobin { .. });
            is_paired_so && matches!(plan.scoring.points, Points::Win { .. })
        };
        self.row.team_size.is_none() && self.plan_of(stage).is_ok_and(can_hold)
    }

    /// A stage of Swiss rounds or a round robin as FIDE's tournament report file, with the rounds that are over. Dates are those at the
    /// café. Refused with `not_in_format` for any other stage, and with `points_not_in_format` where points have more than one
    /// decimal, are negative or too many, or where those of the edition of 2016 come from nothing that it can name.
    pub fn trf(&self, stage: i16, edition: TrfEdition, audience: Audience, zone: &TimeZone) -> Result<String> {
        let begun = self.stage(stage)?;
        if !self.has_trf(stage) {
            return Err(conflict("not_in_format"));
        }
        if begun.participants.is_empty() {
            return Err(conflict("tournament_not_running"));
        }
        let report = Report::of(self, &begun, self.rounds_in_all(stage)?)?;
        let lines = match edition {
            TrfEdition::Trf16 => report.trf16(stage, audience, zone)?,
            TrfEdition::Trf26 => report.trf26(stage, audience, zone)?,
        };
        let mut text = lines.join(LINE_END);
        text.push_str(LINE_END);
        Ok(text)
    }
}

struct Report<'a> {
    tournament: &'a Tournament,
    /// With the rounds that are over.
    stage: Stage,
    worth: Worth,
    /// How many rounds are over, and how many there are.
    over: u16,
    in_all: u16,
    players: Vec<Player>,
    extras: Vec<Extra>,
}

impl<'a> Report<'a> {
    fn of(tournament: &'a Tournament, begun: &Stage, in_all: Option<u16>) -> Result<Self> {
        let worth = Worth::of(begun)?;
        let open = begun.bouts.iter().filter(|it| !it.is_over()).map(|it| it.key.round).min();
        let last = begun.bouts.iter().map(|it| it.key.round).max().unwrap_or_default();
        let over = open.map_or(last, |open| open.saturating_sub(1));
        let mut stage = begun.clone();
        stage.bouts.retain(|it| it.key.round <= over);
        stage.rulings.adjustments.retain(|it| it.round <= over);
        let mut report = Self {
            players: players_of(&stage, worth, over)?,
            extras: Vec::new(),
            in_all: in_all.unwrap_or(over).max(over),
            tournament,
            stage,
            worth,
            over,
        };
        report.add_extras()?;
        Ok(report)
    }

    /// What no result explains; refuses what the columns cannot hold.
    fn add_extras(&mut self) -> Result<()> {
        let numbers: BTreeMap<u32, usize> = self.players.iter().map(|it| (it.entrant, it.number)).collect();
        for player in &self.players {
            let of_rounds = player.rounds.iter().filter(|it| it.extra != 0);
            self.extras.extend(of_rounds.map(|it| Extra { player: player.number, round: it.round, points: it.extra }));
        }
        for it in &self.stage.rulings.adjustments {
            let Some(player) = numbers.get(&it.entrant) else { continue };
            self.extras.push(Extra { player: *player, round: it.round, points: it.points.into() });
        }
        let worth = [self.worth.win, self.worth.draw, self.worth.loss, self.worth.bye].into_iter();
        let are_whole = worth.chain(self.extras.iter().map(|it| it.points)).all(|it| it % 10 == 0);
        let fits = |it: &Player| (0..=MOST_POINTS).contains(&it.points) && it.points == self.explained(it);
        let is_rising = self.worth.loss >= 0 && self.worth.bye >= 0;
        if are_whole && is_rising && self.players.iter().all(fits) {
            Ok(())
        } else {
            Err(conflict("points_not_in_format"))
        }
    }

    /// What codes and extras of a player come to.
    fn explained(&self, player: &Player) -> i64 {
        let codes = player.rounds.iter().map(|it| self.worth.of_code(it.code));
        let extras = self.extras.iter().filter(|it| it.player == player.number).map(|it| it.points);
        codes.chain(extras).sum()
    }

    fn trf16(&self, stage: i16, audience: Audience, zone: &TimeZone) -> Result<Vec<String>> {
        if !self.extras.is_empty() {
            return Err(conflict("points_not_in_format"));
        }
        let mut lines = self.head(stage, zone);
        // What pairing programs add to the standard, not all of them the same.
        lines.push(format!("XXR {}", self.in_all));
        if !self.worth.is_usual() {
            let Worth { win, draw, loss, bye } = self.worth;
            let [win, draw, loss, bye] = [win, draw, loss, bye].map(decimal);
            lines.push(format!("XXS W={win} D={draw} WL={loss} BL={loss} PAB={bye}"));
            let named = [("BBW", &win), ("BBD", &draw), ("BBL", &loss), ("BBU", &bye)];
            lines.extend(named.map(|(tag, points)| Line::new(tag).put_right(8, points).text()));
        }
        let next = self.over + 1;
        let away: Vec<usize> = self.away_in(next).into_iter().map(|(number, _)| number).collect();
        for player in &self.players {
            let line = self.line(player);
            lines.push(if away.contains(&player.number) { put_bye(line, next, 'Z') } else { line }.text());
        }
        if audience == Audience::Staff {
            lines.extend(self.apart().map(|[one, other]| format!("XXP {one} {other}")));
        }
        Ok(lines)
    }

    fn trf26(&self, stage: i16, audience: Audience, zone: &TimeZone) -> Result<Vec<String>> {
        let mut lines = self.head(stage, zone);
        lines.push(format!("142 {}", self.in_all));
        if !self.worth.is_usual() {
            let Worth { win, draw, loss, bye } = self.worth;
            let codes = [('W', win), ('D', draw), ('L', loss), ('P', bye)].into_iter().zip((6..).step_by(9));
            let line = codes.fold(Line::new("162"), |line, ((code, points), column)| {
                line.put(column, &code.to_string()).put_right(column + 4, &decimal(points))
            });
            lines.push(line.text());
        }
        lines.push(format!("182 House Rules {}", env!("CARGO_PKG_VERSION")));
        if matches!(self.stage.format, Format::Swiss { .. }) {
            lines.push("192 FIDE_DUTCH_2025".to_owned());
        }
        let tie_breaks: Vec<&str> = self.stage.tie_breaks.iter().map_while(|it| fide_code(*it)).collect();
        if !tie_breaks.is_empty() {
            lines.push(format!("202 {}", tie_breaks.join(",")));
        }
        lines.push(format!("212 {}", ["PTS"].into_iter().chain(tie_breaks).collect::<Vec<_>>().join(",")));
        lines.extend(self.players.iter().map(|it| self.line(it).text()));
        for Extra { player, round, points } in &self.extras {
            let line = Line::new("299").put_right(17, &decimal(*points)).put_right(22, &format!("{round:03}"));
            lines.push(line.put_right(27, &format!("{player:04}")).text());
        }
        for (number, code) in self.away_in(self.over + 1) {
            let line = Line::new("240").put(5, &code.to_string()).put(7, &format!("{:03}", self.over + 1));
            lines.push(line.put_right(14, &number.to_string()).text());
        }
        if audience == Audience::Staff {
            let line = |[one, other]: [usize; 2]| {
                let line = Line::new("260").put(5, "001").put(9, &format!("{:03}", self.in_all));
                line.put_right(16, &one.to_string()).put_right(21, &other.to_string()).text()
            };
            lines.extend(self.apart().map(line));
        }
        Ok(lines)
    }

    /// What both editions say of the tournament.
    fn head(&self, stage: i16, zone: &TimeZone) -> Vec<String> {
        let row = &self.tournament.row;
        let day = |at: Timestamp, format: &str| at.to_zoned(zone.clone()).strftime(format).to_string();
        let kind = match self.stage.format {
            Format::RoundRobin { .. } => "Individual: Round-Robin",
            _ => "Individual: Swiss-System (Dutch)",
        };
        let rated = self.players.iter().filter(|it| self.rating(it).is_some()).count();
        let mut lines = vec![format!("012 {}", row.name)];
        let dates = [("042", row.started_at.or(row.starts_at)), ("052", row.over_at)];
        lines.extend(dates.into_iter().filter_map(|(tag, at)| Some(format!("{tag} {}", day(at?, "%Y/%m/%d")))));
        lines.extend([format!("062 {}", self.players.len()), format!("072 {rated}"), format!("092 {kind}")]);
        let rounds = self.tournament.rounds.iter().filter(|it| it.stage == stage);
        let days = rounds.filter_map(|it| {
            let round = u16::try_from(it.round).ok().filter(|round| *round <= self.over)?;
            Some((round, day(it.started_at.or(it.published_at)?, "%y/%m/%d")))
        });
        let days: Vec<_> = days.collect();
        if !days.is_empty() {
            let line = days.iter().fold(Line::new("132"), |line, (round, day)| line.put(of_round(*round), day));
            lines.push(line.text());
        }
        lines
    }

    fn rating(&self, player: &Player) -> Option<i32> {
        let entrant = self.tournament.entrant(i32::try_from(player.entrant).ok()?)?;
        entrant.rating.filter(|it| RATED.contains(it))
    }

    fn line(&self, player: &Player) -> Line {
        let name = self.tournament.name_of(i32::try_from(player.entrant).unwrap_or(0));
        let mut line = Line::new("001")
            .put_right(8, &player.number.to_string())
            .put(15, &name.chars().take(NAME_LENGTH).collect::<String>());
        if let Some(rating) = self.rating(player) {
            line = line.put_right(52, &rating.to_string());
        }
        line = line.put_right(84, &decimal(player.points)).put_right(89, &player.rank.to_string());
        for it in &player.rounds {
            let number = |entrant: u32| self.players.iter().find(|it| it.entrant == entrant).map(|it| it.number);
            line = match it.opponent.and_then(|(opponent, is_first)| Some((number(opponent)?, is_first))) {
                None => put_bye(line, it.round, it.code),
                Some((opponent, is_first)) => {
                    let at = of_round(it.round);
                    let line = line.put_right(at + 3, &opponent.to_string());
                    line.put(at + 5, if is_first { "w" } else { "b" }).put(at + 7, &it.code.to_string())
                }
            };
        }
        line
    }

    /// Who will not play in a round that is to come, and with which code.
    fn away_in(&self, round: u16) -> Vec<(usize, char)> {
        if round > self.in_all {
            return Vec::new();
        }
        let away = |player: &Player| {
            let plays = self.stage.participants.iter().any(|it| it.entrant == player.entrant && it.plays_in(round));
            let asked = self.stage.rulings.byes.iter().find(|it| (it.entrant, it.round) == (player.entrant, round));
            match asked {
                Some(asked) => Some((player.number, self.worth.code_of_bye(asked.points.into()))),
                None => (!plays).then_some((player.number, 'Z')),
            }
        };
        self.players.iter().filter_map(away).collect()
    }

    /// Pairs who should not meet.
    fn apart(&self) -> impl Iterator<Item = [usize; 2]> {
        let number = |entrant: u32| self.players.iter().find(|it| it.entrant == entrant).map(|it| it.number);
        self.stage.rulings.apart.iter().filter_map(move |[one, other]| Some([number(*one)?, number(*other)?]))
    }
}

/// By seed, each with their rounds.
fn players_of(stage: &Stage, worth: Worth, over: u16) -> Result<Vec<Player>> {
    let standings = guarded(|| stage.standings())?;
    let standing: BTreeMap<u32, (i64, u32)> = standings.iter().map(|it| (it.entrant, (it.points, it.rank))).collect();
    let mut bouts: BTreeMap<(u32, u16), &Bout> = BTreeMap::new();
    for bout in &stage.bouts {
        bouts.extend(bout.entrants.iter().map(|it| ((*it, bout.key.round), bout)));
    }
    let mut by_seed = stage.participants.clone();
    by_seed.sort_by_key(|it| (it.seed, it.entrant));
    let player = |(number, it): (usize, &Participant)| {
        let (points, rank) = standing.get(&it.entrant).copied().unwrap_or_default();
        let round = |round: u16| match bouts.get(&(it.entrant, round)) {
            Some(bout) if !bout.is_bye() => met(bout, it.entrant),
            Some(_) => bye(stage, worth, it.entrant, round),
            None => {
                let is_late = matches!(stage.format, Format::Swiss { .. }) && round < it.from_round;
                unplayed(worth, round, if is_late { stage.scoring.missed.into() } else { 0 })
            }
        };
        Player { number, entrant: it.entrant, points, rank, rounds: (1..=over).map(round).collect() }
    };
    Ok((1..).zip(&by_seed).map(player).collect())
}

fn met(bout: &Bout, entrant: u32) -> Played {
    let result = bout.result.as_deref().unwrap_or_default();
    let place = |of: u32| result.iter().find(|it| it.entrant == of && !it.absent).map(|it| it.place);
    let opponent = bout.entrants.iter().copied().find(|it| *it != entrant);
    let code = match (place(entrant), opponent.and_then(place)) {
        (None, _) => '-',
        (Some(_), None) => '+',
        (Some(mine), Some(theirs)) => match mine.cmp(&theirs) {
            Ordering::Less => '1',
            Ordering::Equal => '=',
            Ordering::Greater => '0',
        },
    };
    let is_first = bout.entrants.first() == Some(&entrant);
    Played { round: bout.key.round, opponent: opponent.map(|it| (it, is_first)), code, extra: 0 }
}

/// A round in which there was nobody to play against.
fn bye(stage: &Stage, worth: Worth, entrant: u32, round: u16) -> Played {
    let asked = stage.rulings.byes.iter().find(|it| (it.entrant, it.round) == (entrant, round));
    let is_given = |bout: &&Bout| {
        let is_asked = |it: &u32| stage.rulings.byes.iter().any(|bye| (bye.entrant, bye.round) == (*it, round));
        bout.is_bye() && bout.key.round == round && !bout.entrants.iter().any(is_asked)
    };
    match asked {
        Some(asked) => unplayed(worth, round, asked.points.into()),
        // The code of a pairing's bye may stand once in a round.
        None if stage.bouts.iter().filter(is_given).count() == 1 => {
            Played { round, opponent: None, code: 'U', extra: 0 }
        }
        None => unplayed(worth, round, worth.bye),
    }
}

fn unplayed(worth: Worth, round: u16, points: i64) -> Played {
    let code = worth.code_of_bye(points);
    Played { round, opponent: None, code, extra: points - worth.of_code(code) }
}

fn put_bye(line: Line, round: u16, code: char) -> Line {
    let at = of_round(round);
    line.put(at, "0000").put(at + 5, "-").put(at + 7, &code.to_string())
}

/// Hundredths with one decimal.
fn decimal(points: i64) -> String {
    let sign = if points < 0 { "-" } else { "" };
    let tenths = points.unsigned_abs() / 10;
    format!("{sign}{}.{}", tenths / 10, tenths % 10)
}

/// By what FIDE calls a tie-break (Handbook C.07), if it knows it.
fn fide_code(tie_break: TieBreak) -> Option<&'static str> {
    Some(match tie_break {
        TieBreak::Wins => "WIN",
        TieBreak::GamesWon => "WON",
        TieBreak::SecondSeats => "BPG",
        TieBreak::WonInSecondSeat => "BWG",
        TieBreak::RoundsElected => "REP",
        TieBreak::HeadToHead => "DE",
        TieBreak::Buchholz => "BH",
        TieBreak::BuchholzCutOne => "BH/C1",
        TieBreak::MedianBuchholz => "BH/M1",
        TieBreak::ForeBuchholz => "FB",
        TieBreak::AverageBuchholz => "AOB",
        TieBreak::SonnebornBerger => "SB",
        TieBreak::SonnebornBergerCutOne => "SB/C1",
        TieBreak::Koya => "KS",
        TieBreak::Progressive => "PS",
        TieBreak::ProgressiveCutOne => "PS/C1",
        TieBreak::StandardPoints => "STD",
        TieBreak::OpponentsRating => "ARO",
        TieBreak::OpponentsRatingCutOne => "ARO/C1",
        TieBreak::Performance => "TPR",
        TieBreak::PerfectPerformance => "PTP",
        TieBreak::OpponentsPerformance => "APRO",
        TieBreak::OpponentsPerfectPerformance => "APPO",
        TieBreak::Rating => "RTNG",
        TieBreak::Seed => "TPN",
        TieBreak::SonnebornBergerBoards
        | TieBreak::Berlin
        | TieBreak::FirstBoard
        | TieBreak::WithoutLastBoard
        | TieBreak::OpponentsWinRate
        | TieBreak::Kashdan
        | TieBreak::Scores
        | TieBreak::ScoreShare
        | TieBreak::AveragePoints
        | TieBreak::BestPlaces
        | TieBreak::Lot => return None,
    })
}
