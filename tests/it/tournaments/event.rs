//! A tournament that a test runs by nothing but the API.

use harness::{Answer, TestApp, Visitor};
use serde_json::{Value, json};

const NAMES: [&str; 12] =
    ["하늘", "Lucía", "민지", "Bea", "도윤", "Íñigo", "서연", "Ana", "지우", "Tom", "유나", "Eva"];

/// A tournament, who keeps it and who plays.
pub(super) struct Event {
    pub(super) app: TestApp,
    pub(super) staff: Visitor,
    pub(super) id: String,
    /// By number, from 1.
    pub(super) players: Vec<Visitor>,
}

impl Event {
    /// So many have entered.
    pub(super) async fn gather(new: Value, many: usize) -> Self {
        Self::gather_in(TestApp::start(), new, many).await
    }

    pub(super) async fn gather_in(app: TestApp, new: Value, many: usize) -> Self {
        let staff = app.owner().await;
        let made = staff.post("/tournaments", new).await.is(201);
        let id = made["id"].as_str().expect("it has an id").to_owned();
        let mut event = Event { app, staff, id, players: Vec::new() };
        event.step("/registration").await.is(200);
        for name in NAMES.iter().take(many) {
            let player = event.app.guest(name).await;
            let entrant = player.post(&event.path("/entrants"), json!({})).await.is(201);
            assert_eq!(entrant["number"], event.players.len() + 1);
            event.players.push(player);
        }
        event
    }

    /// The same, started with the seeds in order of the numbers.
    pub(super) async fn start(new: Value, many: usize) -> Self {
        let event = Self::gather(new, many).await;
        event.begin().await;
        event
    }

    pub(super) async fn begin(&self) {
        let order: Vec<usize> = (1..=self.players.len()).collect();
        self.staff.put(&self.path("/seeds"), json!({ "by": "hand", "order": order })).await.is(200);
        self.step("/start").await.is(200);
    }

    pub(super) fn path(&self, rest: &str) -> String {
        format!("/tournaments/{}{rest}", self.id)
    }

    pub(super) async fn step(&self, step: &str) -> Answer {
        self.staff.post(&self.path(step), json!({})).await
    }

    /// As staff see it.
    pub(super) async fn look(&self) -> Value {
        self.staff.get(&self.path("")).await.is(200)
    }

    /// What staff do next.
    pub(super) async fn next(&self) -> String {
        self.look().await["next"]["step"].as_str().expect("staff do something next").to_owned()
    }

    /// Pairs, publishes and starts the next round: its stage, its number and its bouts.
    pub(super) async fn next_round(&self) -> (u64, u64, Vec<Value>) {
        let drafted = self.step("/pair").await.is(200);
        let round = drafted["rounds"].as_array().expect("it has rounds").last().expect("one is drafted").clone();
        assert_eq!(round["status"], "draft", "{round}");
        let (stage, number) =
            (round["stage"].as_u64().expect("of a stage"), round["round"].as_u64().expect("by number"));
        let at = format!("/stages/{stage}/rounds/{number}");
        self.step(&format!("{at}/publish")).await.is(200);
        self.step(&format!("{at}/start")).await.is(200);
        let bouts = self.round(stage, number).await["bouts"].clone();
        (stage, number, bouts.as_array().expect("it has bouts").clone())
    }

    /// Plays the first round of a bracket, and publishes what follows on each half of it as a round of its own.
    pub(super) async fn publish_second_round_in_halves(&self) {
        let (_, _, bouts) = self.next_round().await;
        for (half, round) in bouts.chunks(2).zip(2..) {
            self.write_all(1, half).await;
            self.step("/pair").await.is(200);
            self.step(&format!("/stages/1/rounds/{round}/publish")).await.is(200);
        }
    }

    pub(super) async fn round(&self, stage: u64, number: u64) -> Value {
        let whole = self.look().await;
        let mut rounds = whole["rounds"].as_array().expect("it has rounds").iter();
        let found = rounds.find(|it| (&it["stage"], &it["round"]) == (&json!(stage), &json!(number)));
        found.expect("there is such a round").clone()
    }

    pub(super) async fn bout(&self, stage: u64, key: &str) -> Value {
        let whole = self.look().await;
        let rounds = whole["rounds"].as_array().expect("it has rounds");
        let of_stage = rounds.iter().filter(|it| it["stage"] == stage);
        let mut bouts = of_stage.flat_map(|it| it["bouts"].as_array().expect("it has bouts"));
        bouts.find(|it| it["key"] == key).unwrap_or_else(|| panic!("there is no {key}: {whole}")).clone()
    }

    /// Staff write that they finished in this order.
    pub(super) async fn write(&self, stage: u64, key: &str, order: &[u64]) -> Answer {
        let result = json!({ "finishes": finishes(order) });
        self.staff.post(&self.path(&format!("/stages/{stage}/bouts/{key}/result")), result).await
    }

    /// Staff write down all bouts of a round: the lower number is the better.
    pub(super) async fn write_all(&self, stage: u64, bouts: &[Value]) {
        for bout in bouts.iter().filter(|bout| entrants(bout).len() > 1) {
            let mut order = entrants(bout);
            order.sort_unstable();
            self.write(stage, bout["key"].as_str().expect("it has a key"), &order).await.is(200);
        }
    }

    /// Plays on like that for as long as there is anything to be paired.
    pub(super) async fn write_to_the_end(&self) -> usize {
        let mut played = 0;
        loop {
            match self.next().await.as_str() {
                "pair" => {
                    let (stage, _, bouts) = self.next_round().await;
                    played += bouts.iter().filter(|bout| entrants(bout).len() > 1).count();
                    self.write_all(stage, &bouts).await;
                }
                "next_stage" => drop(self.step("/next-stage").await.is(200)),
                "finish" => {
                    assert_eq!(self.step("/finish").await.is(200)["tournament"]["status"], "finished");
                    return played;
                }
                other => panic!("what comes next is {other}"),
            }
        }
    }

    /// Rank and number, the best first.
    pub(super) async fn standings(&self, stage: u64) -> Vec<(u64, u64)> {
        let standings = self.app.anybody().get(&self.path(&format!("/stages/{stage}/standings"))).await.is(200);
        let standing = |it: &Value| (it["rank"].as_u64().expect("a rank"), it["entrant"].as_u64().expect("a number"));
        standings["items"].as_array().expect("it has items").iter().map(standing).collect()
    }

    pub(super) fn player(&self, number: u64) -> &Visitor {
        &self.players[number as usize - 1]
    }
}

pub(super) fn finishes(order: &[u64]) -> Value {
    order.iter().enumerate().map(|(at, entrant)| json!({ "entrant": entrant, "place": at + 1 })).collect()
}

pub(super) fn entrants(bout: &Value) -> Vec<u64> {
    bout["entrants"].as_array().expect("it has entrants").iter().map(|it| it.as_u64().expect("a number")).collect()
}

pub(super) fn new(game: &str, stages: Value) -> Value {
    json!({ "name": "금요일 대회", "game": game, "stages": stages })
}

/// By perudo on paper.
pub(super) fn scored(stages: Value) -> Value {
    let mut request = new("perudo", stages);
    request["mode"] = json!("scored");
    request
}

fn wins() -> Value {
    json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } })
}

pub(super) fn stage(format: Value) -> Value {
    json!({ "format": format, "scoring": wins() })
}

pub(super) fn single() -> Value {
    stage(json!({ "kind": "single_elimination", "third_place": false }))
}

pub(super) fn swiss(rounds: u8) -> Value {
    json!({ "format": { "kind": "swiss", "rounds": rounds }, "scoring": wins(), "tie_breaks": ["buchholz", "seed"] })
}
