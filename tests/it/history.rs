//! Matches that are over already, put into the database as if they had been played.

use std::collections::HashMap;
use std::process::Command;
use std::sync::mpsc;
use std::thread::JoinHandle;

use engine::ratings::Rating;
use harness::{TestApp, eventually, program, run};
use postgres::types::ToSql;
use serde_json::{Value, json};
use uuid::Uuid;

/// The matches of a service.
pub(crate) struct History<'a>(&'a TestApp);

/// A match of Perudo that is over.
#[derive(Clone, Debug)]
pub(crate) struct Past {
    pub(crate) id: Uuid,
    /// By seat.
    pub(crate) players: Vec<String>,
    pub(crate) ranks: Vec<u8>,
    /// Seats that were left early.
    pub(crate) left: Vec<u8>,
    /// Of those, the ones for which only the autopilot moved: their players let the time run out.
    pub(crate) absent: Vec<u8>,
    /// Of those, the ones whose players gave up before their first move.
    pub(crate) gave_up: Vec<u8>,
    /// How many days into 2026 it finished, at noon at the café.
    pub(crate) day: u32,
}

impl Past {
    pub(crate) fn of(players: &[&str], ranks: &[u8]) -> Self {
        let players = players.iter().map(|it| (*it).to_owned()).collect();
        let (ranks, none) = (ranks.to_vec(), Vec::new);
        Past { id: Uuid::now_v7(), players, ranks, left: none(), absent: none(), gave_up: none(), day: 0 }
    }

    fn outcome(&self) -> Value {
        json!({ "ranks": self.ranks, "scores": null, "reason": "last_standing" })
    }
}

impl<'a> History<'a> {
    pub(crate) fn of(app: &'a TestApp) -> Self {
        History(app)
    }

    /// The match is made, its players sit down, and it is over.
    pub(crate) fn finish(&self, past: &Past) {
        let code: String = past.id.simple().to_string().chars().rev().take(6).collect();
        let resigned: i32 = past.left.iter().map(|seat| 1 << seat).sum();
        let (id, outcome) = (past.id.to_string(), past.outcome().to_string());
        self.0.database().with(|client| {
            let mut transaction = client.transaction().expect("a transaction");
            let mut execute = |statement: &str, values: &[&(dyn ToSql + Sync)]| {
                transaction.execute(statement, values).unwrap_or_else(|err| panic!("{statement}: {err:?}"));
            };
            execute(
                "INSERT INTO matches (id, code, game, revision, options, seat_count, mode, created_by, created_at,
                     seed, commitment, variant_hash)
                 VALUES ($1::text::uuid, $2, 'perudo', 1, '{}', $3, 'played', $4::text::uuid, now(), sha256('seed'), sha256(sha256('seed')),
                     sha256('variant'))",
                &[&id, &code, &(past.players.len() as i16), &past.players[0]],
            );
            for (seat, player) in past.players.iter().enumerate() {
                execute(
                    "INSERT INTO match_seats (match_id, seat, player_id, joined_at)
                     VALUES ($1::text::uuid, $2, $3::text::uuid, now())",
                    &[&id, &(seat as i16), player],
                );
            }
            for (version, seat) in past.left.iter().enumerate() {
                let is_absent = past.absent.contains(seat);
                let first = if is_absent || past.gave_up.contains(seat) { "house" } else { "player" };
                let why = if is_absent { "timed_out" } else { "resigned" };
                let seat = i16::from(*seat);
                execute(
                    "UPDATE match_seats SET left_at = now() - interval '1 hour', left_why = $3 WHERE match_id = $1::text::uuid AND seat = $2",
                    &[&id, &seat, &why],
                );
                for (number, (by, hours)) in [(first, 2.0), ("house", 0.0)].into_iter().enumerate() {
                    execute(
                        "INSERT INTO match_log (match_id, version, seat, move, chance, events, made_by, at)
                         VALUES ($1::text::uuid, $2, $3, '{}', '[]', '[]', $4, now() - $5 * interval '1 hour')",
                        &[&id, &((2 * version + number) as i32 + 1), &seat, &by, &hours],
                    );
                }
            }
            execute(
                "UPDATE matches SET status = 'finished', state = '', outcome = $2::text::jsonb, resigned = $3, started_at = now(),
                     moved_at = now(), finished_at = timestamptz '2026-01-01 12:00+09' + $4 * interval '1 day'
                 WHERE id = $1::text::uuid",
                &[&id, &outcome, &resigned, &f64::from(past.day)],
            );
            transaction.commit().expect("it commits");
        });
    }

    /// From now on it is private.
    pub(crate) fn hide(&self, past: &Past) {
        let statement = "INSERT INTO match_terms (match_id, visibility, spectators, spectator_delay)
                         VALUES ($1::text::uuid, 'private', true, 0)";
        self.0.database().with(|client| client.execute(statement, &[&past.id.to_string()])).expect("it is hidden");
    }

    /// Another result is written down.
    pub(crate) fn correct(&self, past: &Past) {
        let statement = "UPDATE matches SET outcome = $2::text::jsonb WHERE id = $1::text::uuid";
        let (id, outcome) = (past.id.to_string(), past.outcome().to_string());
        self.0.database().with(|client| client.execute(statement, &[&id, &outcome])).expect("it changes");
    }

    /// Waits until nothing is unsettled.
    pub(crate) async fn settled(&self) {
        let nothing = async || {
            let count =
                |client: &mut postgres::Client| client.query_one("SELECT count(*) FROM pending_projections", &[]);
            let count: i64 = self.0.database().with(count).expect("it counts").get(0);
            (count == 0).then_some(())
        };
        eventually("every finished match is settled", nothing).await;
    }

    /// Everybody's rating in Perudo as it is stored, of those who have one.
    pub(crate) fn ratings(&self) -> HashMap<String, Rating> {
        let statement = "SELECT player_id::text, mean, deviation FROM standings WHERE scope = 'perudo' AND period = ''";
        let rows = self.0.database().with(|client| client.query(statement, &[])).expect("it reads");
        let rating = |row: &postgres::Row| Rating { mean: row.get(1), deviation: row.get(2) };
        rows.iter().map(|row| (row.get(0), rating(row))).collect()
    }

    /// What `ratings recompute` says.
    pub(crate) fn recomputed(&self) -> String {
        let mut command = Command::new(program("houserules"));
        run(command.args(["ratings", "recompute"]).env("DATABASE_URL", self.0.database().url())).well()
    }

    /// Somebody changes a rating behind the service's back.
    pub(crate) fn tamper(&self) {
        let statement = "UPDATE rating_changes SET mean_after = mean_after + 1 WHERE scope = 'perudo'";
        self.0.database().with(|client| client.batch_execute(statement)).expect("it changes");
    }
}

/// The job that updates ratings and statistics, step by step as the test says.
pub(crate) struct ProjectionJob {
    statements: mpsc::Sender<String>,
    done: mpsc::Receiver<()>,
    thread: JoinHandle<Result<(), postgres::Error>>,
}

impl ProjectionJob {
    /// No process updates them meanwhile.
    pub(crate) fn begin(app: &TestApp) -> Self {
        let url = app.database().url();
        let (statements, said) = mpsc::channel::<String>();
        let (tell, done) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let mut client = postgres::Client::connect(&url, postgres::NoTls)?;
            let mut transaction = client.transaction()?;
            for statement in said {
                transaction.batch_execute(&statement)?;
                tell.send(()).ok();
            }
            transaction.rollback()
        });
        let job = ProjectionJob { statements, done, thread };
        // The number under which processes agree who does it.
        job.say("SELECT pg_advisory_xact_lock(x'736574746c65'::bigint)".to_owned());
        job.done.recv().expect("it begins");
        job
    }

    /// Takes the match off its list.
    pub(crate) fn take(&self, play: &str) {
        self.say(format!("DELETE FROM pending_projections WHERE match_id = '{play}'"));
        self.done.recv().expect("the match is taken");
    }

    /// Marks the match, as one that is rated again after an earlier one.
    pub(crate) fn mark(&self, play: &str) {
        self.say(format!(
            "INSERT INTO pending_projections (match_id, game, finished_at)
             SELECT id, game, finished_at FROM matches WHERE id = '{play}' ON CONFLICT (match_id) DO NOTHING"
        ));
        self.done.recv().expect("the match is marked");
    }

    /// Ends without having done anything.
    pub(crate) fn end(self) -> JoinHandle<Result<(), postgres::Error>> {
        self.thread
    }

    /// Writes a row that refers to this, which locks it as soon as others let it, and ends.
    pub(crate) fn refer_to(self, table: &str, id: &str) -> JoinHandle<Result<(), postgres::Error>> {
        self.say(format!("SELECT FROM {table} WHERE id = '{id}' FOR KEY SHARE"));
        self.thread
    }

    fn say(&self, statement: String) {
        self.statements.send(statement).expect("it listens");
    }
}
