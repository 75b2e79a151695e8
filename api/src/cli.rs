//! The `houserules` command.

use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use clap::{Parser, Subcommand};

use crate::config::{Config, Redacted, Settings};
use crate::db::Db;
use crate::limits::Limits;
use crate::players::Passwords;
use crate::serve::{App, serve};
use crate::sessions::Tokens;
use crate::world::World;
use crate::{openapi, telemetry};

/// The game server and staff dashboard of a board game café.
///
/// Settings come from flags, then from the environment, then from houserules.toml.
#[derive(Parser)]
#[command(name = "houserules", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    settings: Settings,
}

#[derive(Subcommand)]
enum Command {
    /// Bring the database up to date and answer requests (the default)
    Serve,
    /// Bring the database up to date, and no more
    Migrate,
    /// Print the OpenAPI document
    Openapi,
}

pub fn run() -> ExitCode {
    let Cli { command, settings } = Cli::parse();
    let done = settings.resolve().and_then(|config| match command.unwrap_or(Command::Serve) {
        Command::Serve => run_server(config),
        Command::Migrate => run_migrate(&config),
        Command::Openapi => print_openapi(),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            eprintln!("houserules: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn run_server(config: Config) -> anyhow::Result<()> {
    telemetry::init(&config)?;
    let url = config.database_url.as_ref().map(Redacted::reveal).context("DATABASE_URL is missing")?.to_owned();
    let db = Db::open(&url, config.pool_size)?;
    db.migrate(&url)?;
    let listener = TcpListener::bind(config.bind)?;
    println!("listening on http://{}", listener.local_addr()?);
    let secret = config.secret.clone().context("HOUSERULES_SECRET is missing")?;
    let app = App {
        world: World::real(),
        db,
        tokens: Tokens::new(secret.reveal().as_bytes()),
        passwords: Passwords::new(config.workers.max(2)),
        limits: Arc::new(Limits::new(&config)),
        metrics: telemetry::recorder()?,
        config: Arc::new(config),
    };
    actix_web::rt::System::new().block_on(serve(listener, app))?;
    Ok(())
}

fn run_migrate(config: &Config) -> anyhow::Result<()> {
    let url = config.database_url.as_ref().map(Redacted::reveal).context("DATABASE_URL is missing")?;
    for version in Db::open(url, 1)?.migrate(url)? {
        println!("applied {version}");
    }
    Ok(())
}

fn print_openapi() -> anyhow::Result<()> {
    println!("{}", openapi::document().to_pretty_json()?);
    Ok(())
}
