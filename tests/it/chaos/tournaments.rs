//! Staff run one tournament after another: entrants, rounds, results.

use std::collections::BTreeMap;

use engine::Source;
use harness::Visitor;
use serde_json::{Value, json};

use super::crowd::Crowd;

const ENTRANTS: usize = 6;
const ROUNDS: u8 = 3;

pub(super) async fn run(crowd: &Crowd, mut chance: impl Source) -> Vec<Tournament> {
    let mut run = Vec::new();
    while !crowd.is_over() {
        let mut staff = Staff::make(crowd).await;
        while !crowd.is_over() && staff.go_on(&mut chance).await {}
        run.push(staff.tournament);
    }
    run
}

/// What was acknowledged of it.
pub(super) struct Tournament {
    id: String,
    /// By number.
    entrants: BTreeMap<u64, String>,
    /// By bout: the numbers in the order in which they finished.
    results: BTreeMap<String, Vec<u64>>,
}

struct Staff<'a> {
    crowd: &'a Crowd,
    owner: Visitor,
    tournament: Tournament,
}

impl<'a> Staff<'a> {
    async fn make(crowd: &'a Crowd) -> Self {
        let owner = crowd.owner().await;
        let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
        let stage = json!({ "format": { "kind": "swiss", "rounds": ROUNDS }, "scoring": scoring });
        let new = json!({ "name": "Chaos", "game": "other", "title": "Catan", "stages": [stage] });
        let made = crowd.post(&owner, "/tournaments", new).await.is(201);
        let id = made["id"].as_str().expect("it has an id").to_owned();
        crowd.tally(|it| it.tournaments += 1);
        let tournament = Tournament { id, entrants: BTreeMap::new(), results: BTreeMap::new() };
        Staff { crowd, owner, tournament }
    }

    /// Takes the next step; false after the end.
    async fn go_on(&mut self, chance: &mut impl Source) -> bool {
        let whole = self.crowd.get(&self.owner, &self.tournament.path("")).await.is(200);
        let (next, stage) = (&whole["next"], &whole["tournament"]["stage"]);
        let entered = whole["entrants"].as_array().expect("a list").len();
        match next["step"].as_str().expect("staff do something next") {
            "open_registration" => self.step("/registration").await,
            "open_check_in" | "start" if entered < ENTRANTS => self.enter(&format!("Entrant {entered}")).await,
            "open_check_in" | "start" => self.step("/start").await,
            "pair" => self.step("/pair").await,
            "publish" => self.step(&format!("/stages/{stage}/rounds/{}/publish", next["round"])).await,
            "start_round" => self.step(&format!("/stages/{stage}/rounds/{}/start", next["round"])).await,
            "results" => self.write_result(&whole, chance).await,
            "finish" => self.step("/finish").await,
            "nothing" => return false,
            other => panic!("what comes next is {other}"),
        }
        true
    }

    async fn step(&self, step: &str) {
        let answer = self.crowd.post(&self.owner, &self.tournament.path(step), json!({})).await;
        // A conflict where it was done already, which nobody heard.
        assert!([200, 409].contains(&answer.status), "{step}: {}", answer.text());
    }

    async fn enter(&mut self, name: &str) {
        let path = self.tournament.path("/entrants");
        let answer = self.crowd.post(&self.owner, &path, json!({ "display_name": name })).await.is(201);
        let number = answer["number"].as_u64().expect("an entrant has a number");
        assert_eq!(self.tournament.entrants.insert(number, name.to_owned()), None, "number {number} was given twice");
    }

    /// Of the first bout that has none.
    async fn write_result(&mut self, whole: &Value, chance: &mut impl Source) {
        let round = whole["rounds"].as_array().expect("it has rounds").last().expect("one is played");
        let mut bouts = round["bouts"].as_array().expect("it has bouts").iter();
        let bout = bouts.find(|bout| bout["result"].is_null()).expect("one is not over");
        let key = bout["key"].as_str().expect("it has a key");
        let mut order = entrants(bout);
        if chance.below(2) == 0 {
            order.reverse();
        }
        let path = self.tournament.path(&format!("/stages/{}/bouts/{key}/result", round["stage"]));
        let place = |(at, entrant): (usize, &u64)| json!({ "entrant": entrant, "place": at + 1 });
        let finishes: Vec<_> = order.iter().enumerate().map(place).collect();
        self.crowd.post(&self.owner, &path, json!({ "finishes": finishes })).await.is(200);
        assert_eq!(self.tournament.results.insert(key.to_owned(), order), None, "{key} was there already");
        self.crowd.tally(|it| it.results += 1);
    }
}

impl Tournament {
    fn path(&self, rest: &str) -> String {
        format!("/tournaments/{}{rest}", self.id)
    }

    /// Who was acknowledged is in it, each result is there and written down once, and the standings are those of the results.
    pub(super) async fn holds(&self, owner: &Visitor) {
        let whole = owner.get(&self.path("")).await.is(200);
        let named = |it: &Value| (it["number"].as_u64(), it["player"]["display_name"].as_str().map(str::to_owned));
        let there: Vec<_> = list(&whole["entrants"]).map(named).collect();
        for (number, name) in &self.entrants {
            let count = there.iter().filter(|it| **it == (Some(*number), Some(name.clone()))).count();
            assert_eq!(count, 1, "{number} {name}: {there:?}");
        }
        let bouts: Vec<_> = list(&whole["rounds"]).flat_map(|round| list(&round["bouts"])).collect();
        let (byes, played): (Vec<_>, Vec<_>) = bouts.into_iter().partition(|bout| entrants(bout).len() == 1);
        let results: BTreeMap<_, _> = played.iter().filter_map(|bout| result(bout)).collect();
        assert_eq!(results, self.results, "{whole}");
        let winners = self.results.values().map(|order| order[0]).chain(byes.iter().map(|bye| entrants(bye)[0]));
        self.expect_standings(owner, winners).await;
        let notes =
            owner.get(&format!("/audit?limit=100&action=tournament.result&subject_id={}", self.id)).await.is(200);
        assert_eq!(list(&notes["items"]).count(), self.results.len(), "each result is written down once: {notes}");
    }

    async fn expect_standings(&self, owner: &Visitor, winners: impl Iterator<Item = u64>) {
        let mut wins: BTreeMap<u64, u32> = BTreeMap::new();
        winners.for_each(|winner| *wins.entry(winner).or_default() += 1);
        let standings = owner.get(&self.path("/stages/1/standings")).await.is(200);
        for standing in list(&standings["items"]) {
            let entrant = standing["entrant"].as_u64().expect("a number");
            let points = wins.get(&entrant).copied().unwrap_or_default();
            assert_eq!(standing["points"], points * 100, "{entrant}: {standings}");
        }
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("a list").iter()
}

fn entrants(bout: &Value) -> Vec<u64> {
    list(&bout["entrants"]).map(|it| it.as_u64().expect("a number")).collect()
}

/// By the bout's key, the numbers in the order in which they finished.
fn result(bout: &Value) -> Option<(String, Vec<u64>)> {
    let mut finishes: Vec<_> = bout["result"].as_array()?.iter().collect();
    finishes.sort_by_key(|finish| finish["place"].as_u64());
    let order = finishes.iter().map(|finish| finish["entrant"].as_u64().expect("a number")).collect();
    Some((bout["key"].as_str().expect("it has a key").to_owned(), order))
}
