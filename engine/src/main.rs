//! The `rules` command: scenarios, random matches, the lab, the check of a record, the list of games.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::{Parser, Subcommand};
use engine::bots::{Level, Policy};
use engine::lab::{Experiment, Size, Watch};
use engine::playout::{self, Playouts};
use engine::{Commitment, Kind, catalogue, record, scenario};
use serde_json::{Value, json};

/// The rules of the house's games, without the house.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Play scenario files and say which do not hold
    Scenario {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Play random legal matches
    Playout(PlayoutArguments),
    /// Play many matches of bots and say what the rules do, as JSON
    Lab(LabArguments),
    /// Check a finished match's record against its commitment, and replay it
    Verify {
        record: PathBuf,
        /// The commitment that you saw before the match started: 64 hexadecimal digits
        #[arg(long, value_name = "HEX")]
        commitment: Option<Commitment>,
    },
    /// List the games with their seats and options, as JSON
    List,
}

#[derive(clap::Args)]
struct PlayoutArguments {
    /// The game's id
    #[arg(long)]
    game: String,
    /// How many play
    #[arg(long)]
    seats: u8,
    /// Its options, as JSON
    #[arg(long, default_value = "{}")]
    options: String,
    /// The same seed plays the same matches
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// How many matches
    #[arg(long, default_value_t = 1)]
    games: u64,
    /// Write what happens and what everybody sees as JSON lines
    #[arg(long)]
    trace: Option<PathBuf>,
}

#[derive(clap::Args)]
struct LabArguments {
    /// The game's id
    #[arg(long)]
    game: String,
    /// How many play
    #[arg(long)]
    seats: u8,
    /// The rules, as JSON
    #[arg(long, default_value = "{}")]
    options: String,
    /// Other rules, as JSON, to compare them with by the same luck
    #[arg(long)]
    against: Option<String>,
    /// How those who play choose: random, house (like the autopilot), search
    #[arg(long, value_delimiter = ',', default_value = "random,house")]
    policies: Vec<String>,
    /// Play until each share of wins is known to this much on either side: 0.02, or 2 for two points of a hundred
    #[arg(long, conflicts_with = "matches", default_value_t = 0.02)]
    precision: f64,
    /// Play so many matches per policy
    #[arg(long)]
    matches: Option<u64>,
    /// The same seed gives the same report
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Those who search play for so many seconds at most, and the report says what is known by then
    #[arg(long)]
    seconds: Option<u64>,
    /// On how many threads; all cores by default. The report does not depend on it
    #[arg(long)]
    threads: Option<usize>,
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Scenario { files } => run_scenarios(&files),
        Command::Playout(arguments) => play_out(&arguments),
        Command::Lab(arguments) => run_lab(&arguments),
        Command::Verify { record, commitment } => verify(&record, commitment),
        Command::List => list(),
    };
    done.unwrap_or_else(|why| {
        eprintln!("rules: {why}");
        ExitCode::from(2)
    })
}

type Done = Result<ExitCode, Box<dyn std::error::Error>>;

fn run_scenarios(files: &[PathBuf]) -> Done {
    let mut out = std::io::stdout().lock();
    let mut hold = 0;
    for path in files {
        match fs::read_to_string(path).map_err(|err| err.to_string()).and_then(|text| scenario::run(&text)) {
            Ok(()) => hold += 1,
            Err(why) => writeln!(out, "FAIL {}: {why}", path.display())?,
        }
    }
    writeln!(out, "{hold} of {} hold", files.len())?;
    Ok(if hold == files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn play_out(arguments: &PlayoutArguments) -> Done {
    let kind = find(&arguments.game)?;
    let options: Value = serde_json::from_str(&arguments.options)?;
    let playouts = Playouts { kind, options, seats: arguments.seats, games: arguments.games };
    let mut file = arguments.trace.as_ref().map(File::create).transpose()?.map(BufWriter::new);
    let moves = playouts.run(&mut playout::random(arguments.seed), file.as_mut().map(|file| file as &mut dyn Write))?;
    if let Some(mut file) = file {
        file.flush()?;
    }
    writeln!(std::io::stdout(), "{} matches, {moves} moves", arguments.games)?;
    Ok(ExitCode::SUCCESS)
}

fn run_lab(arguments: &LabArguments) -> Done {
    let kind = find(&arguments.game)?;
    let experiment = Experiment {
        options: serde_json::from_str(&arguments.options)?,
        against: arguments.against.as_deref().map(serde_json::from_str).transpose()?,
        seats: arguments.seats,
        policies: arguments.policies.iter().map(|name| policy(kind, name)).collect::<Result<_, _>>()?,
        size: arguments.size()?,
        seed: arguments.seed,
        patience: arguments.seconds.map(Duration::from_secs),
    };
    let threads = arguments.threads.or_else(|| std::thread::available_parallelism().ok().map(Into::into));
    let report = experiment.run(kind, threads.unwrap_or(1), &Stopwatch::start())?;
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&report)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The time since it was started.
struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(clippy::disallowed_methods, reason = "the command's user waits in real time")]
    fn start() -> Self {
        Stopwatch(Instant::now())
    }
}

impl Watch for Stopwatch {
    fn goes_on(&self, _: f64) -> bool {
        true
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

impl LabArguments {
    fn size(&self) -> Result<Size, String> {
        let points = if self.precision >= 1.0 { self.precision / 100.0 } else { self.precision };
        match self.matches {
            Some(0) => Err("a report needs one match at least".into()),
            Some(matches) => Ok(Size::Matches(matches)),
            None if (0.001..0.5).contains(&points) => Ok(Size::Precision(points)),
            None => Err(format!("a precision lies between 0.001 and 0.5, {} does not", self.precision)),
        }
    }
}

fn policy(kind: &dyn Kind, name: &str) -> Result<Policy, String> {
    match name {
        "random" => Ok(Policy::Random),
        "house" => Ok(Policy::Autopilot),
        "search" if kind.levels().contains(&Level::Hard) => Ok(kind.lab_search()),
        "search" => Err(format!("{} has no bots that search", kind.info().id)),
        _ => Err(format!("there is no policy {name:?}; there are random, house and search")),
    }
}

fn verify(path: &PathBuf, seen: Option<Commitment>) -> Done {
    let record = serde_json::from_str(&fs::read_to_string(path)?)?;
    let expected = seen.map_or(Ok(()), |seen| record::expect_commitment(&record, seen));
    match expected.and_then(|()| record::verify(&record)) {
        Ok(_) => {
            writeln!(std::io::stdout(), "{}: the record holds", record.match_id)?;
            if record.outcome.is_none() {
                writeln!(
                    std::io::stdout(),
                    "it tells of a match that was not played to its end: of {} steps, and perhaps there were more",
                    record.log.len()
                )?;
            }
            if seen.is_none() {
                writeln!(
                    std::io::stdout(),
                    "whether it is of your match, --commitment HEX checks: the one from before the start"
                )?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(flaw) => {
            writeln!(std::io::stdout(), "{}: the record does not hold: {flaw}", record.match_id)?;
            Ok(ExitCode::FAILURE)
        }
    }
}

fn list() -> Done {
    let games: Vec<Value> = catalogue::GAMES.iter().map(|kind| describe(*kind)).collect();
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&games)?)?;
    Ok(ExitCode::SUCCESS)
}

fn describe(kind: &dyn Kind) -> Value {
    let info = kind.info();
    let seats = json!({ "min": info.seats.start(), "max": info.seats.end() });
    let defaults = kind.normalize_options(&json!({}), *info.seats.start()).unwrap_or_default();
    json!({ "game": info.id, "revision": info.revision, "seats": seats, "options": kind.options_schema(), "defaults": defaults,
        "pieces": kind.pieces() })
}

fn find(id: &str) -> Result<&'static dyn Kind, String> {
    catalogue::find(id).ok_or_else(|| {
        let known: Vec<_> = catalogue::GAMES.iter().map(|kind| kind.info().id).collect();
        format!("there is no game {id:?}; there are {}", known.join(", "))
    })
}
