//! The variant lab: plays many matches of bots by some rules, and says what the rules do.
//!
//! The same experiment gives the same report on every machine and with any number of threads.
//!
//! ```
//! use engine::lab::{Experiment, Size};
//! use engine::catalogue;
//! use serde_json::json;
//!
//! let kind = catalogue::find("liars-dice").expect("a game of the catalogue");
//! let experiment = Experiment { size: Size::Matches(500), ..Experiment::new(json!({}), 3) };
//! let report = experiment.run(kind, 2, &|_| true)?.expect("nobody stops it");
//! assert_eq!(report.policies[0].matches, 500);
//! # Ok::<(), engine::BadOptions>(())
//! ```

mod options;
mod play;
mod report;
mod tally;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde_json::{Value, json};

use crate::bots::{Level, Policy};
use crate::erased::Kind;
use crate::game::{BadOptions, Game};
use play::Moves;
use tally::{Paired, Tally};

pub use play::Phases;
pub use report::{
    Against, Change, Differences, Effect, Findings, Pick, Report, RoleWorth, Share, Skill, Spread, Without,
};

/// Rises when the same experiment finds something else: bots that play better, another way to count.
pub const REVISION: i32 = 3;
/// How many matches a search plays in its head before each move of a lab match.
const ROLLOUTS: u32 = 48;
/// A precise run stops at so many matches, however wide its intervals are.
const MOST: u64 = 200_000;
/// The same for policies that search.
const MOST_SEARCHED: u64 = 400;
/// So many matches tell what a skill, a move or an option is worth.
const PER_QUESTION: u64 = 1_000;
/// The same of each role, of which there are many.
const PER_ROLE: u64 = 500;

/// What to find out.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The rules. Options that are missing have their defaults.
    pub options: Value,
    /// Other rules to compare them with.
    pub against: Option<Value>,
    /// How many play.
    pub seats: u8,
    /// How those who play choose their moves.
    pub policies: Vec<Policy>,
    /// How much to play.
    pub size: Size,
    /// The same seed gives the same matches.
    pub seed: u64,
}

/// How much to play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Size {
    /// So many matches per policy.
    Matches(u64),
    /// Until each share of wins by seat and by order of play is known to this much on either side, such as 0.02.
    Precision(f64),
}

impl Experiment {
    /// Both quick policies, to two points of a hundred.
    pub fn new(options: Value, seats: u8) -> Self {
        let policies = vec![Policy::Random, Policy::House];
        Experiment { options, against: None, seats, policies, size: Size::Precision(0.02), seed: 1 }
    }

    /// Plays on so many threads. `goes_on` is told now and then which share of the work is done, about; once it says no,
    /// there is no report.
    ///
    /// # Errors
    /// The game refuses the options or the number of seats.
    pub fn run(
        &self,
        kind: &dyn Kind,
        threads: usize,
        goes_on: &(dyn Fn(f64) -> bool + Sync),
    ) -> Result<Option<Report>, BadOptions> {
        let options = kind.normalize_options(&self.options, self.seats)?;
        let against = self.against.as_ref().map(|it| kind.normalize_options(it, self.seats)).transpose()?;
        let types = kind.lab_moves(&options, self.seats)?;
        let other_types = against.as_ref().map(|it| kind.lab_moves(it, self.seats)).transpose()?;
        let runner = Runner { kind, threads: threads.max(1), goes_on, steps: self.policies.len() as f64 + 1.0 };
        let mut report = Report {
            game: kind.info().id.into(),
            seats: self.seats,
            options: options.clone(),
            policies: Vec::new(),
            seconds_per_move: 0.0,
            skill: Vec::new(),
            worth: Vec::new(),
            roles: Vec::new(),
            effects: Vec::new(),
            against: against.clone().map(|options| Against { options, policies: Vec::new(), differences: Vec::new() }),
        };
        let names = |types: &[String], all: &[String]| {
            all.iter().filter(|it| types.contains(it)).cloned().collect::<Vec<String>>()
        };
        let all = kind.lab_move_types();
        for (step, policy) in self.policies.iter().enumerate() {
            let setting = Setting { against: against.clone(), notes: true, ..self.setting(&options, *policy) };
            let Some(sums) = runner.sums(&setting, self.size, step as f64)? else { return Ok(None) };
            let named = policy.name();
            let mut findings = sums.tally.findings(named, self.seats, &all);
            findings.never_used = names(&types, &findings.never_used);
            report.policies.push(findings);
            if let (Some(report), Some(types)) = (&mut report.against, &other_types) {
                let mut findings = sums.other.findings(named, self.seats, &all);
                findings.never_used = names(types, &findings.never_used);
                report.policies.push(findings);
                report.differences.push(sums.paired.differences(named));
            }
        }
        let questions = Questions { experiment: self, options: &options, runner: &runner };
        let done = questions.answer(&types, &mut report)?;
        Ok(done.then_some(report))
    }

    fn setting(&self, options: &Value, policy: Policy) -> Setting {
        Setting {
            options: options.clone(),
            against: None,
            seats: self.seats,
            policy,
            odd: None,
            notes: false,
            seed: self.seed,
        }
    }
}

/// What is asked beside the findings, with fewer matches.
struct Questions<'a> {
    experiment: &'a Experiment,
    options: &'a Value,
    runner: &'a Runner<'a>,
}

impl Questions<'_> {
    /// Was everything answered?
    fn answer(&self, types: &[String], report: &mut Report) -> Result<bool, BadOptions> {
        let kind = self.runner.kind;
        let searches = self.experiment.policies.iter().any(|it| matches!(it, Policy::Search { .. }));
        let mut duels = vec![(Policy::House, Policy::Random)];
        if searches && kind.levels().contains(&Level::Hard) {
            duels.push((Policy::SEARCH_OF_LAB, Policy::House));
        }
        for (one, others) in duels {
            let odd = Odd { policy: one, barred: None };
            let setting = Setting { odd: Some(odd), ..self.experiment.setting(self.options, others) };
            let Some(sums) = self.sums(&setting)? else { return Ok(false) };
            let wins = sums.tally.odd_share();
            let matches = sums.tally.matches;
            report.skill.push(Skill { policy: one.name().into(), among: others.name().into(), matches, wins });
        }
        let house = self.experiment.setting(self.options, Policy::House);
        for without in types {
            let odd = Odd { policy: Policy::House, barred: Some(Barred::Move(without.clone())) };
            let Some(sums) = self.sums(&Setting { odd: Some(odd), ..house.clone() })? else { return Ok(false) };
            report.worth.push(Without { chosen: without.clone(), wins: sums.tally.odd_share() });
        }
        let Some(roles) = self.roles()? else { return Ok(false) };
        report.roles = roles;
        for (option, value, options) in options::alternatives(kind, self.options, self.experiment.seats) {
            let Some(sums) = self.sums(&Setting { against: Some(options), ..house.clone() })? else { return Ok(false) };
            report.effects.push(Effect { option, value, changed: sums.paired.changed() });
        }
        let Some(seconds) = self.seconds_per_move()? else { return Ok(false) };
        report.seconds_per_move = seconds;
        Ok(true)
    }

    /// What it is worth to play each role. `None` if the lab shall not go on.
    fn roles(&self) -> Result<Option<Vec<RoleWorth>>, BadOptions> {
        let house = self.experiment.setting(self.options, Policy::House);
        let Some(all) = self.sums(&house)? else { return Ok(None) };
        let mut found = Vec::new();
        for (role, own) in all.tally.roles() {
            let without = |barred| {
                let odd = Some(Odd { policy: Policy::House, barred: Some(barred) });
                let asked = if let Size::Matches(matches) = self.experiment.size { matches } else { PER_ROLE };
                let size = Size::Matches(asked.min(PER_ROLE));
                self.runner.sums(&Setting { odd, ..house.clone() }, size, self.runner.steps - 1.0)
            };
            let (mut unused, mut untaken) = (None, None);
            if !all.tally.is_cast() {
                let Some(sums) = without(Barred::Taking(role.clone()))? else { return Ok(None) };
                untaken = Some(sums.tally.odd_share());
            } else if own > 0 {
                let Some(sums) = without(Barred::Using(role.clone(), own))? else { return Ok(None) };
                unused = sums.tally.role_share(&role);
            }
            let Some(wins) = all.tally.role_share(&role) else { continue };
            found.push(RoleWorth { role, wins, unused, untaken });
        }
        Ok(Some(found))
    }

    fn sums(&self, setting: &Setting) -> Result<Option<Sums>, BadOptions> {
        let searches = [Some(setting.policy), setting.odd.as_ref().map(|it| it.policy)];
        let most = match searches.iter().flatten().any(|it| matches!(it, Policy::Search { .. })) {
            true => MOST_SEARCHED,
            false => PER_QUESTION,
        };
        let asked = if let Size::Matches(matches) = self.experiment.size { matches } else { most };
        self.runner.sums(setting, Size::Matches(asked.min(most)), self.runner.steps - 1.0)
    }

    /// The document's minutes over the moves of the basic rules with a usual number of people.
    fn seconds_per_move(&self) -> Result<Option<f64>, BadOptions> {
        let info = self.runner.kind.info();
        let seats = u8::midpoint(*info.seats.start(), *info.seats.end());
        let setting = Setting { seats, ..self.experiment.setting(&json!({}), Policy::House) };
        let Some(sums) = self.sums(&setting)? else { return Ok(None) };
        let moves = sums.tally.findings("house", seats, &[]).moves.median.max(1);
        let minutes = f64::from(info.minutes.start() + info.minutes.end()) / 2.0;
        Ok(Some((600.0 * minutes / f64::from(moves)).round() / 10.0))
    }
}

impl Policy {
    /// A search that is quick enough to play hundreds of matches.
    pub const SEARCH_OF_LAB: Policy = Policy::Search { rollouts: ROLLOUTS };

    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::House => "house",
            Policy::Search { .. } => "search",
        }
    }
}

/// What one table plays.
#[derive(Clone, Debug)]
pub struct Setting {
    options: Value,
    against: Option<Value>,
    seats: u8,
    policy: Policy,
    odd: Option<Odd>,
    /// Is it noted what could have been chosen?
    notes: bool,
    seed: u64,
}

impl Setting {
    pub(crate) fn seats(&self) -> u8 {
        self.seats
    }
}

/// One seat that plays otherwise, each seat in turn.
#[derive(Clone, Debug)]
struct Odd {
    policy: Policy,
    barred: Option<Barred>,
}

/// What a seat may not do where it may do something else.
#[derive(Clone, Debug)]
enum Barred {
    /// Make a move of this type.
    Move(String),
    /// Take this role. The odd seat is the one that may not.
    Taking(String),
    /// Use this role: the types of its own moves, a bit for each. The seat that has the role is the one that may not. Where
    /// it has to, it makes any of them.
    Using(String, u64),
}

/// What matches in a row were like.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    tally: Tally,
    other: Tally,
    paired: Paired,
}

impl Sums {
    fn append(&mut self, next: Sums) {
        self.tally.append(next.tally);
        self.other.append(next.other);
        self.paired.append(&next.paired);
    }
}

/// Plays the matches with these numbers.
pub(crate) fn play_block<G: Game>(
    setting: &Setting,
    read: impl Fn(&Value) -> Result<G, BadOptions>,
    matches: Range<u64>,
) -> Result<Sums, BadOptions> {
    let new = read(&setting.options)?;
    let other = setting.against.as_ref().map(read).transpose()?;
    let mut types = Moves::<G>::new();
    let mut sums = Sums::default();
    for index in matches {
        let played = play::play(&new, setting, index, &mut types);
        sums.tally.add(&played, setting.seats, index);
        if let Some(other) = &other {
            let otherwise = play::play(other, setting, index, &mut types);
            sums.other.add(&otherwise, setting.seats, index);
            sums.paired.add(&played, &otherwise, setting.seats);
        }
    }
    Ok(sums)
}

/// The types of the game's moves, as its schema lists them.
pub(crate) fn move_types<G: Game>() -> Vec<String> {
    let schema = schemars::schema_for!(G::Move).to_value();
    let all = schema.get("oneOf").and_then(Value::as_array).cloned().unwrap_or_else(|| vec![schema]);
    let types = all.iter().filter_map(|it| it.pointer("/properties/type/const").and_then(Value::as_str));
    types.map(str::to_owned).collect()
}

struct Runner<'a> {
    kind: &'a dyn Kind,
    threads: usize,
    goes_on: &'a (dyn Fn(f64) -> bool + Sync),
    /// How many parts the work has.
    steps: f64,
}

impl Runner<'_> {
    /// Plays as much as asked; `None` once it shall not go on. `step` parts of the work are done.
    fn sums(&self, setting: &Setting, size: Size, step: f64) -> Result<Option<Sums>, BadOptions> {
        let searches = matches!(setting.policy, Policy::Search { .. })
            || setting.odd.as_ref().is_some_and(|odd| matches!(odd.policy, Policy::Search { .. }));
        let block = if searches { 4 } else { 128 };
        let most = match size {
            Size::Matches(matches) => matches,
            Size::Precision(_) if searches => MOST_SEARCHED,
            Size::Precision(_) => MOST,
        };
        let mut sums = Sums::default();
        // What is enough is asked after rounds of fixed lengths, not when a thread happens to be ready.
        let mut round = (8 * block).min(most);
        loop {
            let from = sums.tally.matches;
            let share = |within: f64| {
                let part = match size {
                    Size::Matches(all) => (from as f64 + within) / all.max(1) as f64,
                    Size::Precision(wanted) if from > 0 => (wanted / sums.tally.precision().max(1e-9)).powi(2),
                    Size::Precision(_) => 0.0,
                };
                (step + part.clamp(0.0, 1.0)) / self.steps
            };
            let Some(more) = self.round(setting, from..from + round, block, &share)? else { return Ok(None) };
            more.into_iter().for_each(|next| sums.append(next));
            let played = sums.tally.matches;
            let is_enough = match size {
                Size::Matches(_) => played >= most,
                Size::Precision(wanted) => played >= most || sums.tally.precision() <= wanted,
            };
            if is_enough {
                return Ok(Some(sums));
            }
            round = played.min(most - played);
        }
    }

    /// Plays these matches, block by block, on all threads.
    fn round(
        &self,
        setting: &Setting,
        matches: Range<u64>,
        block: u64,
        share: &(dyn Fn(f64) -> f64 + Sync),
    ) -> Result<Option<Vec<Sums>>, BadOptions> {
        let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let blocks: Mutex<Vec<(u64, Result<Sums, BadOptions>)>> = Mutex::default();
        let work = || {
            while !stopped.load(Ordering::Relaxed) {
                let from = matches.start + next.fetch_add(block, Ordering::Relaxed);
                if from >= matches.end {
                    return;
                }
                if !(self.goes_on)(share((from - matches.start) as f64)) {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let sums = self.kind.lab_block(setting, from..(from + block).min(matches.end));
                if let Ok(mut blocks) = blocks.lock() {
                    blocks.push((from, sums));
                }
            }
        };
        std::thread::scope(|scope| {
            (1..self.threads).for_each(|_| _ = scope.spawn(work));
            work();
        });
        if stopped.into_inner() {
            return Ok(None);
        }
        let mut blocks = blocks.into_inner().unwrap_or_default();
        blocks.sort_by_key(|(from, _)| *from);
        blocks.into_iter().map(|(_, sums)| sums).collect::<Result<Vec<_>, _>>().map(Some)
    }
}

#[cfg(test)]
mod tests;
