//! `houserules load`: plays real matches against a running server, as fast as it answers, and says how fast that was.
//!
//! A client is a table of guests with one connection: their moves go out one after the other, so that as many requests
//! are under way as there are clients. What is counted and timed is `POST /matches/{id}/moves` and nothing else.

mod processor;
mod wire;

use std::ops::Range;
use std::time::Duration;

use anyhow::{Context, ensure};
use clap::Args;
use engine::catalogue;
use hyper::Method;
use rand::RngExt;
use rand::rngs::SmallRng;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio::time::Instant;

use self::processor::{Processes, Taken};
use self::wire::{Server, Wire};
use base::world::World;

/// A table of four is a usual one, in the games that allow it.
const USUAL_SEATS: u8 = 4;
/// Guests sign in again before their tokens expire.
const SIGNED_IN: Duration = Duration::from_secs(600);

/// How to load a server.
#[derive(Args, Clone, Debug)]
pub(crate) struct Load {
    /// Where the server is, as in http://127.0.0.1:8080
    #[arg(long)]
    url: String,
    /// How many tables of guests play at the same time
    #[arg(long, default_value_t = 8)]
    clients: usize,
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// How long they play before anything is counted
    #[arg(long, default_value_t = 0)]
    warm_up: u64,
    /// The id of the server's process on this machine, to report the processor time that it takes for a move
    #[arg(long)]
    server_pid: Option<u32>,
    /// The same of PostgreSQL's first process
    #[arg(long)]
    postgres_pid: Option<u32>,
    #[arg(long, default_value = "perudo")]
    game: String,
}

/// What comes out.
#[derive(Debug, Serialize)]
struct Report<'a> {
    game: &'a str,
    clients: usize,
    seconds: f64,
    moves: usize,
    moves_per_second: f64,
    p50_ms: f64,
    p99_ms: f64,
    max_ms: f64,
    errors: usize,
    matches: usize,
    client_us: Option<f64>,
    server_us: Option<f64>,
    postgres_us: Option<f64>,
}

impl Load {
    /// Few: what one wakes another for would be measured, too.
    pub(crate) fn threads(&self) -> usize {
        self.clients.div_ceil(64).max(1)
    }
}

pub(crate) async fn run(load: Load, world: &World) -> anyhow::Result<String> {
    let kind = catalogue::find(&load.game).with_context(|| format!("there is no game {:?}", load.game))?;
    let allowed = kind.info().seats;
    let seats = USUAL_SEATS.clamp(*allowed.start(), *allowed.end());
    ensure!(load.clients > 0, "at least one client is needed");
    let server = Server::at(&load.url)?;
    let mut tables = JoinSet::new();
    for _ in 0..load.clients {
        let seed = u64::from_be_bytes(world.bytes());
        let (server, game) = (server.clone(), load.game.clone());
        tables.spawn(async move { Table::sit_down(server, game, seats, seed).await });
    }
    let mut seated = Vec::new();
    while let Some(table) = tables.join_next().await {
        seated.push(table??);
    }
    let processes = Processes { server: load.server_pid, postgres: load.postgres_pid };
    let started = now() + Duration::from_secs(load.warm_up);
    let until = started + Duration::from_secs(load.seconds);
    let mut playing: JoinSet<Tally> = seated.into_iter().map(|table| table.play(started, until)).collect();
    tokio::time::sleep_until(started).await;
    let before = processes.taken()?;
    tokio::time::sleep_until(until).await;
    let after = processes.taken()?;
    let mut all = Tally::default();
    while let Some(tally) = playing.join_next().await {
        all.add(tally?);
    }
    let seconds = (until - started).as_secs_f64();
    all.millis.sort_by(f64::total_cmp);
    let percentile = |part: f64| {
        let place = (all.millis.len() as f64 * part) as usize;
        all.millis.get(place.min(all.millis.len().saturating_sub(1))).map_or(0.0, |millis| round(*millis))
    };
    let moves = all.millis.len();
    let micros = |of: fn(&Taken) -> Option<Duration>| {
        let taken = of(&after)?.saturating_sub(of(&before)?).as_secs_f64() * 1e6;
        Some(round(taken / moves.max(1) as f64))
    };
    Ok(serde_json::to_string(&Report {
        game: &load.game,
        clients: load.clients,
        seconds: round(seconds),
        moves,
        moves_per_second: round(moves as f64 / seconds),
        p50_ms: percentile(0.5),
        p99_ms: percentile(0.99),
        max_ms: percentile(1.0),
        errors: all.errors,
        matches: all.matches,
        client_us: micros(|taken| Some(taken.client)),
        server_us: micros(|taken| taken.server),
        postgres_us: micros(|taken| taken.postgres),
    })?)
}

#[derive(Default)]
struct Tally {
    millis: Vec<f64>,
    errors: usize,
    matches: usize,
}

impl Tally {
    fn add(&mut self, more: Self) {
        self.millis.extend(more.millis);
        self.errors += more.errors;
        self.matches += more.matches;
    }
}

/// Guests around a table, and the connection that they share.
struct Table {
    wire: Wire,
    game: String,
    guests: Vec<String>,
    signed_in: Instant,
    rng: SmallRng,
}

#[derive(Deserialize)]
struct SignedIn {
    access_token: String,
}

#[derive(Deserialize)]
struct Made {
    id: String,
}

/// What is needed of an answer to go on.
#[derive(Deserialize)]
struct Position {
    view: Seen,
    legal_moves: Vec<Box<RawValue>>,
}

/// What is needed of a view, and of any game's: most have no bids.
#[derive(Deserialize)]
struct Seen {
    to_move: Vec<usize>,
    bid: Option<Value>,
    total_dice: Option<u64>,
}

impl Table {
    async fn sit_down(server: Server, game: String, seats: u8, seed: u64) -> anyhow::Result<Self> {
        let rng = rand::SeedableRng::seed_from_u64(seed);
        let guests = vec![String::new(); seats.into()];
        let mut table = Self { wire: Wire::to(server), game, guests, signed_in: now(), rng };
        table.sign_in().await?;
        Ok(table)
    }

    async fn sign_in(&mut self) -> anyhow::Result<()> {
        for seat in 0..self.guests.len() {
            let name = json!({ "display_name": format!("load {seat}") });
            let signed_in: SignedIn = self.ask(Method::POST, "/auth/guest", None, Some(&name)).await?;
            self.guests[seat] = signed_in.access_token;
        }
        self.signed_in = now();
        Ok(())
    }

    /// Plays one match after the other until the time is up. What was before `started` does not count.
    async fn play(mut self, started: Instant, until: Instant) -> Tally {
        let mut tally = Tally::default();
        while now() < until {
            if let Err(err) = self.play_match(started..until, &mut tally).await {
                tally.errors += 1;
                tracing::debug!(error = format!("{err:#}"), "playing a match failed");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
        tally
    }

    async fn play_match(&mut self, counted: Range<Instant>, tally: &mut Tally) -> anyhow::Result<()> {
        if self.signed_in.elapsed() > SIGNED_IN {
            self.sign_in().await?;
        }
        let new = json!({ "game": self.game, "seats": self.guests.len() });
        let Made { id } = self.ask(Method::POST, "/matches", Some(0), Some(&new)).await?;
        for seat in 0..self.guests.len() {
            let take = json!({ "seat": seat });
            let _: Made = self.ask(Method::POST, &format!("/matches/{id}/seats"), Some(seat), Some(&take)).await?;
        }
        let _: Made = self.ask(Method::POST, &format!("/matches/{id}/start"), Some(0), None).await?;
        let (view, moves) = (format!("/matches/{id}/view"), format!("/matches/{id}/moves"));
        let mut seat = 0;
        let mut position: Position = self.ask(Method::GET, &view, Some(seat), None).await?;
        while now() < counted.end {
            let on_turn = &position.view.to_move;
            let Some(first) = on_turn.first() else {
                tally.matches += 1;
                return Ok(());
            };
            if !on_turn.contains(&seat) {
                seat = *first;
                position.legal_moves.clear();
            }
            if position.legal_moves.is_empty()
                && let Some(obvious) = self.obvious(&position.view)
            {
                position.legal_moves.push(obvious);
            }
            if position.legal_moves.is_empty() {
                position = self.ask(Method::GET, &view, Some(seat), None).await?;
            }
            let choice = self.rng.random_range(0..position.legal_moves.len().max(1));
            let chosen = position.legal_moves.get(choice).context("a seat on turn has no move")?;
            let body = format!("{{\"move\":{}}}", chosen.get());
            let sent = now();
            position = self.send(Method::POST, &moves, Some(seat), body).await?;
            if counted.contains(&sent) && now() < counted.end {
                tally.millis.push(sent.elapsed().as_secs_f64() * 1000.0);
            }
        }
        Ok(())
    }

    /// In games of bids everybody sees what the next seat may do: it need not ask.
    fn obvious(&mut self, seen: &Seen) -> Option<Box<RawValue>> {
        let doubt = match self.game.as_str() {
            "perudo" => "dudo",
            "liars-dice" => "challenge",
            _ => return None,
        };
        let chosen = match &seen.bid {
            None => json!({ "type": "bid", "count": 1, "face": self.rng.random_range(2..=6) }),
            Some(bid) => {
                let (count, face) = (bid.get("count")?.as_u64()?, bid.get("face")?.as_u64()?);
                if count >= seen.total_dice? || self.rng.random_range(0..8) == 0 {
                    json!({ "type": doubt })
                } else {
                    json!({ "type": "bid", "count": count + 1, "face": face })
                }
            }
        };
        RawValue::from_string(chosen.to_string()).ok()
    }

    async fn ask<T: DeserializeOwned>(
        &mut self,
        method: Method,
        path: &str,
        seat: Option<usize>,
        body: Option<&Value>,
    ) -> anyhow::Result<T> {
        self.send(method, path, seat, body.map(Value::to_string).unwrap_or_default()).await
    }

    async fn send<T: DeserializeOwned>(
        &mut self,
        method: Method,
        path: &str,
        seat: Option<usize>,
        body: String,
    ) -> anyhow::Result<T> {
        self.wire.send(method, path, seat.map(|seat| self.guests[seat].as_str()), body).await
    }
}

fn round(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[expect(clippy::disallowed_methods, reason = "to measure how long something takes")]
fn now() -> Instant {
    std::time::Instant::now().into()
}
