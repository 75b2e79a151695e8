//! A café in the middle of an evening: something of everything that a page may have to show.

use serde_json::{Value, json};

use crate::app::TestApp;
use crate::parties::Party;
use crate::visitor::Visitor;

/// The games, with how many play them.
const GAMES: [(&str, usize); 7] = [
    ("perudo", 4),
    ("perudo-pirates", 4),
    ("liars-dice", 3),
    ("dead-mans-draw", 3),
    ("animal-kingdom", 10),
    ("hogu-clue", 4),
    ("middle-race", 5),
];

/// What of it a page's address may name.
pub struct Evening {
    /// The owner, signed in at the staff's pages.
    pub desk: Visitor,
    /// One of the party at the first table.
    pub guest: Visitor,
    /// Somebody who has finished a match: their id.
    pub player: String,
    /// By their place on the floor: free, played at, being cleared, out of service.
    pub tables: Vec<Value>,
    /// By game: a match that runs.
    pub running: Vec<(String, String)>,
    /// By game: a match that is over.
    pub finished: Vec<(String, String)>,
    /// Matches that wait, and one that was called off.
    pub others: Vec<String>,
    /// The codes of all these matches.
    pub codes: Vec<String>,
    /// A variant with a version that guests play by, and a draft of the next.
    pub variant: String,
    /// Where that draft is tried out.
    pub trial: String,
    /// A title with a copy that wants repair.
    pub title: String,
    /// A party that waits for a table, as staff see it.
    pub waiting: Value,
    /// The code at the door.
    pub door: String,
    /// A service that is told what happens, and does not answer.
    pub webhook: String,
    /// A link for somebody who is to work here.
    pub invitation: String,
    /// Tournaments: one that takes entries, Swiss rounds with a draft of the second, a bracket with a round that is played.
    pub tournaments: Vec<Value>,
    /// A season in which an evening counts.
    pub series: Value,
    /// Somebody who played that evening: their id.
    pub ranked: String,
}

async fn connect(owner: &Visitor) -> String {
    let hook = json!({ "url": "https://localhost/house-rules", "events": ["match.finished"] });
    id(&owner.post("/webhooks", hook).await.is(201))
}

/// Parties that wait: one was called.
async fn wait(owner: &Visitor) -> Value {
    let called = owner.post("/waiting", json!({ "name": "도윤", "party_size": 2 })).await.is(201);
    owner.patch(&format!("/waiting/{}", id(&called)), json!({ "status": "called" })).await.is(200);
    owner.post("/waiting", json!({ "name": "서연", "party_size": 5, "phone": "010-1234-5678" })).await.is(201)
}

async fn mark_door(owner: &Visitor) -> String {
    let door = owner.post("/waiting/door/code", json!({})).await.is(200);
    door["code"].as_str().expect("it has a code").to_owned()
}

impl Evening {
    /// Has people come, sit down and play.
    pub async fn begin(app: &TestApp) -> Self {
        let (desk, owner) = (app.owner_at_pages().await, app.owner().await);
        let tables = furnish(&owner).await;
        let guest = seat(app, &owner, &tables).await;
        let variant = vary(&owner).await;
        let page = desk.open(&format!("/admin/variants/{variant}")).await;
        let tried = desk.submit(&page, &format!("/admin/variants/{variant}/try"), &[]).await;
        let (series, ranked) = add_up(&owner).await;
        let mut evening = Evening {
            trial: tried.header("location").to_owned(),
            title: lend(&owner, &tables[1]).await,
            waiting: wait(&owner).await,
            door: mark_door(&owner).await,
            webhook: connect(&owner).await,
            invitation: invite(&owner).await,
            player: String::new(),
            running: Vec::new(),
            finished: Vec::new(),
            others: Vec::new(),
            codes: Vec::new(),
            tournaments: compete(&owner).await,
            series,
            ranked,
            desk,
            guest,
            tables,
            variant,
        };
        evening.play(app, &owner).await;
        evening
    }

    async fn play(&mut self, app: &TestApp, owner: &Visitor) {
        for (game, seats) in GAMES {
            let mut party = Party::start(app, game, seats, json!({})).await;
            for _ in 0..2 * seats {
                party.step().await;
            }
            self.running.push((game.into(), party.id.clone()));
            let mut party = Party::start(app, game, seats, json!({})).await;
            party.play_to_the_end().await;
            party.players[0].id().clone_into(&mut self.player);
            self.finished.push((game.into(), party.id.clone()));
        }
        let at_table =
            json!({ "game": "perudo", "seats": 4, "table_id": self.tables[1]["id"], "variant_id": self.variant });
        let waiting = Party::gather_for(app, json!({ "game": "hogu-clue", "seats": 3 })).await;
        let off = Party::start(app, "liars-dice", 2, json!({})).await;
        owner.post(&off.path("/abort"), json!({ "reason": "정전" })).await.is(200);
        let there = self.guest.post("/matches", at_table).await.is(201);
        self.guest.post(&format!("/matches/{}/seats", id(&there)), json!({})).await.is(201);
        let rowdy = app.guest("소란한 손님").await;
        let player = format!("/admin/players/{}", rowdy.id());
        let page = self.desk.open(&player).await;
        let ban = [("reason", "다른 손님을 방해함"), ("length", "week")];
        self.desk.submit(&page, &format!("{player}/ban"), &ban).await;
        self.others = vec![waiting.id, off.id, id(&there)];
        let played = self.running.iter().chain(&self.finished).map(|(_, id)| id);
        for id in played.chain(&self.others) {
            let found = owner.get(&format!("/matches/{id}")).await.is(200);
            self.codes.push(found["code"].as_str().expect("a match has a code").to_owned());
        }
    }
}

fn id(made: &Value) -> String {
    made["id"].as_str().expect("what is made has an id").to_owned()
}

/// Tournaments of a game that people write down.
async fn compete(owner: &Visitor) -> Vec<Value> {
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let swiss =
        json!({ "format": { "kind": "swiss", "rounds": 3 }, "scoring": scoring, "tie_breaks": ["buchholz", "wins"] });
    let bracket = json!({ "format": { "kind": "single_elimination", "third_place": true }, "scoring": scoring });
    let mut made = Vec::new();
    for (name, stage, entrants) in
        [("봄맞이 대회", &swiss, 3), ("스위스의 밤", &swiss, 5), ("토너먼트의 밤", &bracket, 6)]
    {
        let new = json!({ "name": name, "game": "other", "title": "카탄", "stages": [stage], "round_minutes": 30 });
        let tournament = owner.post("/tournaments", new).await.is(201);
        let path = |rest: &str| format!("/tournaments/{}{rest}", id(&tournament));
        owner.post(&path("/registration"), json!({})).await.is(200);
        for number in 1..=entrants {
            owner.post(&path("/entrants"), json!({ "display_name": format!("참가자 {number}") })).await.is(201);
        }
        made.push(tournament.clone());
        if made.len() == 1 {
            continue;
        }
        owner.post(&path("/start"), json!({})).await.is(200);
        owner.post(&path("/pair"), json!({})).await.is(200);
        owner.post(&path("/stages/1/rounds/1/publish"), json!({})).await.is(200);
        owner.post(&path("/stages/1/rounds/1/start"), json!({})).await.is(200);
        let whole = owner.get(&path("")).await.is(200);
        let bouts = whole["rounds"][0]["bouts"].as_array().expect("a round has bouts").clone();
        let played = bouts.iter().filter(|it| it["entrants"].as_array().is_some_and(|it| it.len() > 1));
        for bout in played.take(if made.len() == 2 { 9 } else { 1 }) {
            let finish = |(at, entrant): (usize, &Value)| json!({ "entrant": entrant, "place": at + 1 });
            let finishes: Vec<_> = bout["entrants"].as_array().into_iter().flatten().enumerate().map(finish).collect();
            let at = format!("/stages/1/bouts/{}/result", bout["key"].as_str().expect("a bout has a key"));
            owner.post(&path(&at), json!({ "finishes": finishes })).await.is(200);
        }
        if made.len() == 2 {
            owner.post(&path("/pair"), json!({})).await.is(200);
        }
    }
    made.push(gather(owner, &scoring).await);
    made
}

/// An arena in which four play, one waits and one pauses.
async fn gather(owner: &Visitor, scoring: &Value) -> Value {
    let format = json!({ "kind": "arena", "minutes": 90, "least": 2, "most": 2, "patience": 600, "streaks": true });
    let stage = json!({ "format": format, "scoring": scoring, "tie_breaks": ["average_points"] });
    let new = json!({ "name": "번개의 밤", "game": "other", "title": "카탄", "stages": [stage] });
    let tournament = owner.post("/tournaments", new).await.is(201);
    let path = |rest: &str| format!("/tournaments/{}{rest}", id(&tournament));
    owner.post(&path("/registration"), json!({})).await.is(200);
    for number in 1..=6 {
        owner.post(&path("/entrants"), json!({ "display_name": format!("번개 {number}") })).await.is(201);
    }
    owner.post(&path("/start"), json!({})).await.is(200);
    owner.post(&path("/entrants/6/pause"), json!({})).await.is(200);
    let opened = owner.post(&path("/stages/1/rounds/1/start"), json!({})).await.is(200);
    let bout = &opened["rounds"][0]["bouts"][0];
    let finishes =
        json!([{ "entrant": bout["entrants"][0], "place": 1 }, { "entrant": bout["entrants"][1], "place": 2 }]);
    let at = format!("/stages/1/bouts/{}/result", bout["key"].as_str().expect("a bout has a key"));
    owner.post(&path(&at), json!({ "finishes": finishes })).await.is(200);
    tournament
}

/// A season of two divisions with one evening, and the player who came first.
async fn add_up(owner: &Visitor) -> (Value, String) {
    let scoring = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } });
    let stage = json!({ "format": { "kind": "round_robin", "legs": 1 }, "scoring": scoring });
    let new = json!({ "name": "가을 첫 밤", "game": "other", "title": "카탄", "stages": [stage] });
    let tournament = owner.post("/tournaments", new).await.is(201);
    let path = |rest: &str| format!("/tournaments/{}{rest}", id(&tournament));
    owner.post(&path("/registration"), json!({})).await.is(200);
    let first = owner.post(&path("/entrants"), json!({ "display_name": "단골" })).await.is(201);
    owner.post(&path("/entrants"), json!({ "display_name": "새 손님" })).await.is(201);
    owner.post(&path("/start"), json!({})).await.is(200);
    owner.post(&path("/pair"), json!({})).await.is(200);
    owner.post(&path("/stages/1/rounds/1/publish"), json!({})).await.is(200);
    owner.post(&path("/stages/1/rounds/1/start"), json!({})).await.is(200);
    let finishes = json!([{ "entrant": 1, "place": 1 }, { "entrant": 2, "place": 2 }]);
    owner.post(&path("/stages/1/bouts/main-1-1/result"), json!({ "finishes": finishes })).await.is(200);
    owner.post(&path("/finish"), json!({})).await.is(200);
    let rules = json!({ "points": { "kind": "beaten" }, "best": 3, "attendance": 50, "tie_breaks": ["wins"] });
    let divisions = json!([
        { "name": "1부", "promoted": 0, "relegated": 1 },
        { "name": "2부", "promoted": 1, "relegated": 0 },
    ]);
    let new = json!({ "name": "가을 시즌", "rules": rules, "divisions": divisions });
    let made = owner.post("/series", new).await.is(201)["series"].clone();
    let series = format!("/series/{}", id(&made));
    owner.patch(&series, json!({ "status": "running" })).await.is(200);
    owner.put(&format!("{series}/events/{}", id(&tournament)), json!({ "division": 1 })).await.is(200);
    let first = first["player"]["id"].as_str().expect("an entrant is a player");
    (made, first.to_owned())
}

async fn furnish(owner: &Visitor) -> Vec<Value> {
    let mut tables = Vec::new();
    for (name, area, seats) in
        [("닻", "창가", 4), ("등대", "창가", 6), ("산호초", "안쪽 방", 8), ("돛대", "안쪽 방", 2)]
    {
        tables.push(owner.post("/tables", json!({ "name": name, "area": area, "seats": seats })).await.is(201));
    }
    let out = json!({ "out_of_service": "다리가 흔들려요" });
    owner.patch(&format!("/tables/{}", id(&tables[3])), out).await.is(200);
    tables
}

/// Parties at two tables; of one somebody has scanned the code and called, the other is about to leave.
async fn seat(app: &TestApp, owner: &Visitor, tables: &[Value]) -> Visitor {
    let guest = app.guest("하늘").await;
    let code = tables[1]["code"].as_str().expect("a table has a code");
    let there = guest.post(&format!("/tables/by-code/{code}/members"), json!({ "party_size": 4 })).await.is(200);
    for call in [json!({ "reason": "rules", "note": "칼사가 뭐예요?" }), json!({ "reason": "order" })] {
        guest.post(&format!("/sittings/{}/calls", id(&there["sitting"])), call).await.is(201);
    }
    let leaving = owner.post(&format!("/tables/{}/sittings", id(&tables[2])), json!({ "party_size": 7 })).await.is(201);
    owner.patch(&format!("/sittings/{}", id(&leaving)), json!({ "closing": true })).await.is(200);
    guest
}

async fn vary(owner: &Visitor) -> String {
    let new = json!({ "game": "perudo", "name": "금요일 칼사", "description": "금요일 밤에만", "options": { "calza": true } });
    let variant = id(&owner.post("/variants", new).await.is(201));
    owner.post(&format!("/variants/{variant}/publish"), json!({})).await.is(200);
    let next = json!({ "options": { "calza": true, "palifico": false } });
    owner.post(&format!("/variants/{variant}/versions"), next).await.is(201);
    variant
}

/// A copy on the table, and notes on its condition.
async fn lend(owner: &Visitor, table: &Value) -> String {
    let titles = owner.get("/library/titles").await.is(200);
    let title = titles["items"].as_array().expect("a list").iter().find(|it| it["game"] == "perudo");
    let title = id(title.expect("the house has its own games"));
    let copies = owner.get(&format!("/library/titles/{title}/copies")).await.is(200);
    let copy = id(&copies["items"][0]);
    owner.post(&format!("/library/copies/{copy}/lend"), json!({ "table_id": table["id"] })).await.is(200);
    owner.post(&format!("/library/copies/{copy}/notes"), json!({ "text": "주사위 하나가 없어요" })).await.is(201);
    title
}

async fn invite(owner: &Visitor) -> String {
    let new = json!({ "email": "mina@house-rules.test", "role": "staff" });
    let link = owner.post("/staff/invitations", new).await.is(201);
    let url = link["url"].as_str().expect("it is a link");
    url[url.find("/admin/welcome").expect("it leads there")..].to_owned()
}
