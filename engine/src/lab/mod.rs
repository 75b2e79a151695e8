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
use std::time::Duration;

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
pub const REVISION: i32 = 4;
/// A precise run stops at so many matches, however wide its intervals are.
const MOST: u64 = 200_000;
/// The same for policies that search: enough for two points of a hundred, whatever the share is.
const MOST_SEARCHED: u64 = 2_500;
/// So many matches tell what a skill, a move or an option is worth.
const PER_QUESTION: u64 = 1_000;
/// The same of a skill that searches.
const PER_SEARCHED_QUESTION: u64 = 400;
/// The same of each role, of which there are many.
const PER_ROLE: u64 = 500;
/// The part of the patience with policies that search that goes to what happens if all play by them.
const FOR_FINDINGS: f64 = 0.75;

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
    /// Bots that search play for so long at most; then the report says what is known by that time, with wider intervals.
    /// How many matches that is depends on the machine, which matches they are does not.
    pub patience: Option<Duration>,
}

/// Looks after a run from outside. A closure that says whether it goes on will do where nothing is short of time.
pub trait Watch: Sync {
    /// Is told now and then which share of the work is done, about. Once it says no, there is no report.
    fn goes_on(&self, share: f64) -> bool;

    /// Is called by every thread before each move, and before each world that a search tries. It may block for as long as
    /// other work goes first: what is found does not depend on it.
    fn make_way(&self) {}

    /// How long the run has been going on, for [`Experiment::patience`].
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

impl<F: Fn(f64) -> bool + Sync> Watch for F {
    fn goes_on(&self, share: f64) -> bool {
        self(share)
    }
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
        let policies = vec![Policy::Random, Policy::Autopilot];
        Experiment { options, against: None, seats, policies, size: Size::Precision(0.02), seed: 1, patience: None }
    }

    /// Plays on so many threads. There is no report if the watch stops it.
    ///
    /// # Errors
    /// The game refuses the options or the number of seats.
    pub fn run(&self, kind: &dyn Kind, threads: usize, watch: &dyn Watch) -> Result<Option<Report>, BadOptions> {
        let options = kind.normalize_options(&self.options, self.seats)?;
        let against = self.against.as_ref().map(|it| kind.normalize_options(it, self.seats)).transpose()?;
        let types = kind.lab_moves(&options, self.seats)?;
        let other_types = against.as_ref().map(|it| kind.lab_moves(it, self.seats)).transpose()?;
        let runner = Runner { kind, threads: threads.max(1), watch, steps: self.policies.len() as f64 + 1.0 };
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
            // The rest is for what skill is worth.
            let patience = self.patience.map(|all| all.mul_f64(FOR_FINDINGS));
            let Some(sums) = runner.sums(&setting, self.size, patience, step as f64)? else { return Ok(None) };
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
        let searches = self.experiment.policies.iter().any(|it| it.searches());
        let mut duels = vec![(Policy::Autopilot, Policy::Random)];
        if searches && kind.levels().contains(&Level::Hard) {
            duels.push((kind.lab_search(), Policy::Autopilot));
        }
        for (one, others) in duels {
            let odd = Odd { policy: one, barred: None };
            let setting = Setting { odd: Some(odd), ..self.experiment.setting(self.options, others) };
            let Some(sums) = self.sums(&setting)? else { return Ok(false) };
            let wins = sums.tally.odd_share();
            let matches = sums.tally.matches;
            report.skill.push(Skill { policy: one.name().into(), among: others.name().into(), matches, wins });
        }
        let autopilot = self.experiment.setting(self.options, Policy::Autopilot);
        for without in types {
            let odd = Odd { policy: Policy::Autopilot, barred: Some(Barred::Move(without.clone())) };
            let Some(sums) = self.sums(&Setting { odd: Some(odd), ..autopilot.clone() })? else { return Ok(false) };
            report.worth.push(Without { chosen: without.clone(), wins: sums.tally.odd_share() });
        }
        let Some(roles) = self.roles()? else { return Ok(false) };
        report.roles = roles;
        for (option, value, options) in options::alternatives(kind, self.options, self.experiment.seats) {
            let setting = Setting { against: Some(options), ..autopilot.clone() };
            let Some(sums) = self.sums(&setting)? else { return Ok(false) };
            report.effects.push(Effect { option, value, changed: sums.paired.changed() });
        }
        let Some(seconds) = self.seconds_per_move()? else { return Ok(false) };
        report.seconds_per_move = seconds;
        Ok(true)
    }

    /// What it is worth to play each role. `None` if the lab should not go on.
    fn roles(&self) -> Result<Option<Vec<RoleWorth>>, BadOptions> {
        let autopilot = self.experiment.setting(self.options, Policy::Autopilot);
        let Some(all) = self.sums(&autopilot)? else { return Ok(None) };
        let mut found = Vec::new();
        for (role, own) in all.tally.roles() {
            let without = |barred| {
                let odd = Some(Odd { policy: Policy::Autopilot, barred: Some(barred) });
                let asked = if let Size::Matches(matches) = self.experiment.size { matches } else { PER_ROLE };
                let size = Size::Matches(asked.min(PER_ROLE));
                self.runner.sums(&Setting { odd, ..autopilot.clone() }, size, None, self.runner.steps - 1.0)
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
        let most = if setting.searches() { PER_SEARCHED_QUESTION } else { PER_QUESTION };
        let asked = if let Size::Matches(matches) = self.experiment.size { matches } else { most };
        let patience = self.experiment.patience.map(|all| all.mul_f64(1.0 - FOR_FINDINGS));
        self.runner.sums(setting, Size::Matches(asked.min(most)), patience, self.runner.steps - 1.0)
    }

    /// The document's minutes over the moves of the basic rules with a usual number of people.
    fn seconds_per_move(&self) -> Result<Option<f64>, BadOptions> {
        let info = self.runner.kind.info();
        let seats = u8::midpoint(*info.seats.start(), *info.seats.end());
        let setting = Setting { seats, ..self.experiment.setting(&json!({}), Policy::Autopilot) };
        let Some(sums) = self.sums(&setting)? else { return Ok(None) };
        let moves = sums.tally.findings("house", seats, &[]).moves.median.max(1);
        let minutes = f64::from(info.minutes.start() + info.minutes.end()) / 2.0;
        Ok(Some((600.0 * minutes / f64::from(moves)).round() / 10.0))
    }
}

impl Policy {
    fn searches(self) -> bool {
        matches!(self, Policy::Search { .. } | Policy::SearchOnTurn { .. })
    }

    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Autopilot => "house",
            Policy::Search { .. } | Policy::SearchOnTurn { .. } => "search",
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

    fn searches(&self) -> bool {
        let policies = [Some(self.policy), self.odd.as_ref().map(|it| it.policy)];
        policies.iter().flatten().any(|it| it.searches())
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
    watch: &dyn Watch,
) -> Result<Sums, BadOptions> {
    let new = read(&setting.options)?;
    let other = setting.against.as_ref().map(read).transpose()?;
    let mut types = Moves::<G>::new();
    let mut sums = Sums::default();
    for index in matches {
        let played = play::play(&new, setting, index, &mut types, watch);
        sums.tally.add(&played, setting.seats, index);
        if let Some(other) = &other {
            let otherwise = play::play(other, setting, index, &mut types, watch);
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
    watch: &'a dyn Watch,
    /// How many parts the work has.
    steps: f64,
}

/// What stops the matches of a round.
#[derive(Clone, Copy)]
struct Limits<'a> {
    /// The share of the work that is done after so many matches of the round.
    share: &'a (dyn Fn(f64) -> f64 + Sync),
    /// No match begins after this time.
    until: Option<Duration>,
}

impl Runner<'_> {
    /// Plays as much as asked; `None` once it should not go on. `step` parts of the work are done. Searches end when the
    /// patience with them does.
    fn sums(
        &self,
        setting: &Setting,
        size: Size,
        patience: Option<Duration>,
        step: f64,
    ) -> Result<Option<Sums>, BadOptions> {
        let searches = setting.searches();
        let block = if searches { 1 } else { 128 };
        let most = match size {
            Size::Matches(matches) => matches,
            Size::Precision(_) if searches => MOST_SEARCHED,
            Size::Precision(_) => MOST,
        };
        let until = patience.filter(|_| searches).map(|patience| self.watch.elapsed() + patience);
        let mut sums = Sums::default();
        // What is enough is asked after rounds of fixed lengths, not when a thread happens to be ready.
        let mut round = if searches { 32 } else { 8 * block }.min(most);
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
            let limits = Limits { share: &share, until };
            let Some(more) = self.round(setting, from..from + round, block, limits)? else { return Ok(None) };
            more.into_iter().for_each(|next| sums.append(next));
            let played = sums.tally.matches;
            let is_enough = match size {
                Size::Matches(_) => played >= most,
                Size::Precision(wanted) => played >= most || sums.tally.precision() <= wanted,
            };
            if is_enough || played < from + round {
                return Ok(Some(sums));
            }
            round = self.next_round(size, &sums, searches).min(most - played);
        }
    }

    /// As many matches again, or fewer, if fewer will do and each takes long.
    fn next_round(&self, size: Size, sums: &Sums, searches: bool) -> u64 {
        let played = sums.tally.matches;
        match size {
            Size::Precision(wanted) if searches => {
                let all = played as f64 * (sums.tally.precision() / wanted).powi(2);
                ((all - played as f64).ceil().max(1.0) as u64).min(played)
            }
            Size::Precision(_) | Size::Matches(_) => played,
        }
    }

    /// Plays these matches, block by block, on all threads. A round that ends early has the first of its matches: every
    /// block that was begun is played to its end, or matches that take long would be left out more often than others.
    fn round(
        &self,
        setting: &Setting,
        matches: Range<u64>,
        block: u64,
        limits: Limits<'_>,
    ) -> Result<Option<Vec<Sums>>, BadOptions> {
        let (next, stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let blocks: Mutex<Vec<(u64, Result<Sums, BadOptions>)>> = Mutex::default();
        let is_late = || {
            // A report has one match at least.
            let any = matches.start + next.load(Ordering::Relaxed) > 0;
            any && limits.until.is_some_and(|until| self.watch.elapsed() >= until)
        };
        let work = || {
            while !stopped.load(Ordering::Relaxed) && !is_late() {
                let from = matches.start + next.fetch_add(block, Ordering::Relaxed);
                if from >= matches.end {
                    return;
                }
                if !self.watch.goes_on((limits.share)((from - matches.start) as f64)) {
                    stopped.store(true, Ordering::Relaxed);
                    return;
                }
                let sums = self.kind.lab_block(setting, from..(from + block).min(matches.end), self.watch);
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
