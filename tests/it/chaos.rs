//! Server and Postgres are killed again and again while matches are played. No move that was acknowledged is lost, none is
//! played twice, and every match can be replayed. `make chaos` does it longer.

use std::cell::{Cell, RefCell};
use std::fs;
use std::future::Future;
use std::path::Path;
use std::time::{Duration, Instant};

use engine::{Source, playout};
use harness::{Answer, Launch, Server, Visitor, end, program, run, within, workplace};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};

const TABLES: usize = 6;
const PATIENCE: Duration = Duration::from_secs(60);

/// A move that the service said it has made.
#[derive(Debug, PartialEq)]
struct Acknowledged {
    version: u64,
    seat: usize,
    chosen: Value,
}

/// A match and what was acknowledged of it.
struct Played {
    id: String,
    anybody: Visitor,
    moves: Vec<Acknowledged>,
}

#[derive(Default)]
struct Scene {
    over: Cell<bool>,
    played: RefCell<Vec<Played>>,
    moves: Cell<u32>,
    retries: Cell<u32>,
}

impl Scene {
    /// Sends it again until it is answered, whatever was killed meanwhile.
    async fn persist(&self, request: impl Fn() -> RequestBuilder) -> Answer {
        let started = Instant::now();
        loop {
            match Answer::try_of(request().timeout(Duration::from_secs(10))).await {
                Some(answer) if answer.status < 500 => return answer,
                Some(answer) => assert_eq!(answer.status, 503, "{}", answer.text()),
                None => {}
            }
            self.retries.set(self.retries.get() + 1);
            assert!(started.elapsed() < PATIENCE, "the service does not come back");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until so many more moves were made.
    async fn play_for(&self, moves: u32) {
        let enough = self.moves.get() + moves;
        within(PATIENCE, "moves", async || (self.moves.get() >= enough).then_some(())).await;
    }

    /// The people of one table play match after match.
    async fn play(&self, url: &str, table: usize) {
        let mut chance = playout::random(table as u64);
        let seats = 2 + table % 3;
        let mut people = Vec::new();
        for _ in 0..seats {
            let nobody = Visitor::new(url);
            let new = json!({ "display_name": format!("table {table}") });
            let signed_in = self.persist(|| nobody.api(Method::POST, "/auth/guest").json(&new)).await.is(201);
            people.push(nobody.bearing(signed_in["access_token"].as_str()));
        }
        while !self.over.get() {
            let mut played = self.sit_down(&people).await;
            while !self.over.get() && self.make_a_move(&people, &mut played, &mut chance).await {}
            self.played.borrow_mut().push(played);
        }
    }

    async fn sit_down(&self, people: &[Visitor]) -> Played {
        let new = json!({ "game": "perudo", "seats": people.len() });
        let made = self.persist(|| people[0].api(Method::POST, "/matches").json(&new)).await.is(201);
        let id = made["id"].as_str().expect("a match has an id").to_owned();
        for (seat, person) in people.iter().enumerate() {
            let path = format!("/matches/{id}/seats");
            self.persist(|| person.api(Method::POST, &path).json(&json!({ "seat": seat }))).await;
        }
        let path = format!("/matches/{id}/start");
        self.persist(|| people[0].api(Method::POST, &path).json(&json!({}))).await.is(200);
        Played { id, anybody: people[0].clone(), moves: Vec::new() }
    }

    /// Whoever is on turn moves; false after the end.
    async fn make_a_move(&self, people: &[Visitor], played: &mut Played, chance: &mut impl Source) -> bool {
        let path = format!("/matches/{}", played.id);
        let shown = self.persist(|| people[0].api(Method::GET, &path)).await.is(200);
        let Some(seat) = shown["view"]["to_move"][0].as_u64().map(|seat| seat as usize) else { return false };
        let seen = self.persist(|| people[seat].api(Method::GET, &format!("{path}/view"))).await.is(200);
        let legal = seen["legal_moves"].as_array().expect("they are listed");
        let chosen = legal[chance.below(legal.len() as u32) as usize].clone();
        let key = format!("{}-{}", played.id, played.moves.len());
        let body = json!({ "move": chosen });
        let send =
            || people[seat].api(Method::POST, &format!("{path}/moves")).header("idempotency-key", &key).json(&body);
        // Now and then an impatient player sends it twice.
        let twice = chance.below(4) == 0;
        let (answer, again) = tokio::join!(self.persist(send), async {
            match twice {
                true => Some(self.persist(send).await),
                false => None,
            }
        });
        let answer = answer.is(200);
        if let Some(again) = again {
            assert_eq!(again.is(200), answer);
        }
        let version = answer["version"].as_u64().expect("a number");
        played.moves.push(Acknowledged { version, seat, chosen });
        self.moves.set(self.moves.get() + 1);
        true
    }
}

impl Played {
    /// The record has exactly what was acknowledged, and replays.
    async fn holds(&self, owner: &Visitor) {
        let path = format!("/matches/{}", self.id);
        owner.post(&format!("{path}/abort"), json!({ "reason": "enough" })).await;
        let record = self.anybody.get(&format!("{path}/record")).await.is(200);
        let log = record["log"].as_array().expect("a record has a log");
        let moves = log.iter().filter(|entry| entry.get("move").is_some()).zip(1..);
        let moves = moves.map(|(entry, version)| Acknowledged {
            version,
            seat: entry["seat"].as_u64().expect("a number") as usize,
            chosen: entry["move"].clone(),
        });
        assert_eq!(moves.collect::<Vec<_>>(), self.moves, "match {}", self.id);
        let file = workplace().root().join(workplace().unique("record"));
        fs::write(&file, record.to_string()).expect("the folder of this run can be written to");
        run(std::process::Command::new(program("rules")).arg("verify").arg(&file)).well();
    }
}

/// Kills what chance says, and has it run again.
async fn kill(launch: &Launch, server: &mut Server, what: u32) -> &'static str {
    let pid = || postmaster(&launch.folder().join("data"));
    match what {
        0 => {
            server.kill();
            *server = launch.start();
            "server"
        }
        1 => {
            pid().into_iter().for_each(|pid| end("KILL", pid));
            "Postgres"
        }
        _ => {
            pid().into_iter().for_each(|pid| end("KILL", pid));
            server.kill();
            *server = launch.start();
            "both"
        }
    }
}

fn postmaster(data: &Path) -> Option<u32> {
    fs::read_to_string(data.join("postgres/data/postmaster.pid")).ok()?.lines().next()?.parse().ok()
}

async fn all<F: Future<Output = ()>>(tasks: impl IntoIterator<Item = F>) {
    let mut tasks: Vec<_> = tasks.into_iter().map(Box::pin).collect();
    std::future::poll_fn(|context| {
        tasks.retain_mut(|task| task.as_mut().poll(context).is_pending());
        match tasks.is_empty() {
            true => std::task::Poll::Ready(()),
            false => std::task::Poll::Pending,
        }
    })
    .await;
}

#[tokio::test]
async fn kills_lose_nothing_and_play_nothing_twice() {
    survive(4).await;
}

#[tokio::test]
#[ignore = "long"]
async fn many_kills_lose_nothing_either() {
    survive(std::env::var("CHAOS_KILLS").ok().and_then(|it| it.parse().ok()).unwrap_or(40)).await;
}

async fn survive(kills: u32) {
    let launch = Launch::new()
        .set("HOUSERULES_RATE_LIMITS", "off")
        .set("HOUSERULES_OWNER_EMAIL", "owner@house-rules.test")
        .set("HOUSERULES_OWNER_PASSWORD", "correct horse battery staple");
    let mut server = launch.start();
    let url = server.url().to_owned();
    let launch = launch.set("HOUSERULES_BIND", url.trim_start_matches("http://"));
    server.forgive_errors();
    let scene = Scene::default();
    let tables = all((0..TABLES).map(|table| scene.play(&url, table)));
    let chaos = async {
        let mut chance = playout::random(99);
        let mut killed = Vec::new();
        for _ in 0..kills {
            scene.play_for(1 + chance.below(60)).await;
            killed.push(kill(&launch, &mut server, chance.below(3)).await);
            server.forgive_errors();
        }
        scene.play_for(20).await;
        scene.over.set(true);
        killed
    };
    let ((), killed) = tokio::join!(tables, chaos);
    let owner = json!({ "email": "owner@house-rules.test", "password": "correct horse battery staple" });
    let owner = Visitor::new(&url).sign_in("/auth/login", owner, 200).await;
    let played = scene.played.take();
    for played in &played {
        played.holds(&owner).await;
    }
    let moves: usize = played.iter().map(|it| it.moves.len()).sum();
    let (matches, retries) = (played.len(), scene.retries.get());
    println!(
        "killed {}; {matches} matches, {moves} moves acknowledged, {retries} sent again; all there, none twice",
        killed.join(", ")
    );
}
