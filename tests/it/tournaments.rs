//! Tournaments from draft to end, by nothing but the API: each format, what staff do about late comers, drop-outs and mistakes,
//! and what nobody may.

use std::collections::{BTreeMap, BTreeSet};

use harness::{Answer, Party, TestApp, Visitor, eventually};
use serde_json::{Value, json};

const NAMES: [&str; 12] =
    ["하늘", "Lucía", "민지", "Bea", "도윤", "Íñigo", "서연", "Ana", "지우", "Tom", "유나", "Eva"];

/// A tournament, who keeps it and who plays.
struct Event {
    app: TestApp,
    staff: Visitor,
    id: String,
    /// By number, from 1.
    players: Vec<Visitor>,
}

impl Event {
    /// So many have entered.
    async fn gather(new: Value, many: usize) -> Self {
        Self::gather_in(TestApp::start(), new, many).await
    }

    async fn gather_in(app: TestApp, new: Value, many: usize) -> Self {
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
    async fn start(new: Value, many: usize) -> Self {
        let event = Self::gather(new, many).await;
        event.begin().await;
        event
    }

    async fn begin(&self) {
        let order: Vec<usize> = (1..=self.players.len()).collect();
        self.staff.put(&self.path("/seeds"), json!({ "by": "hand", "order": order })).await.is(200);
        self.step("/start").await.is(200);
    }

    fn path(&self, rest: &str) -> String {
        format!("/tournaments/{}{rest}", self.id)
    }

    async fn step(&self, step: &str) -> Answer {
        self.staff.post(&self.path(step), json!({})).await
    }

    /// As staff see it.
    async fn look(&self) -> Value {
        self.staff.get(&self.path("")).await.is(200)
    }

    /// What staff do next.
    async fn next(&self) -> String {
        self.look().await["next"]["step"].as_str().expect("staff do something next").to_owned()
    }

    /// Pairs, publishes and starts the next round: its stage, its number and its bouts.
    async fn next_round(&self) -> (u64, u64, Vec<Value>) {
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

    async fn round(&self, stage: u64, number: u64) -> Value {
        let whole = self.look().await;
        let mut rounds = whole["rounds"].as_array().expect("it has rounds").iter();
        let found = rounds.find(|it| (&it["stage"], &it["round"]) == (&json!(stage), &json!(number)));
        found.expect("there is such a round").clone()
    }

    async fn bout(&self, stage: u64, key: &str) -> Value {
        let whole = self.look().await;
        let rounds = whole["rounds"].as_array().expect("it has rounds");
        let of_stage = rounds.iter().filter(|it| it["stage"] == stage);
        let mut bouts = of_stage.flat_map(|it| it["bouts"].as_array().expect("it has bouts"));
        bouts.find(|it| it["key"] == key).unwrap_or_else(|| panic!("there is no {key}: {whole}")).clone()
    }

    /// Staff write that they finished in this order.
    async fn write(&self, stage: u64, key: &str, order: &[u64]) -> Answer {
        let result = json!({ "finishes": finishes(order) });
        self.staff.post(&self.path(&format!("/stages/{stage}/bouts/{key}/result")), result).await
    }

    /// Staff write down all bouts of a round: the lower number is the better.
    async fn write_all(&self, stage: u64, bouts: &[Value]) {
        for bout in bouts.iter().filter(|bout| entrants(bout).len() > 1) {
            let mut order = entrants(bout);
            order.sort_unstable();
            self.write(stage, bout["key"].as_str().expect("it has a key"), &order).await.is(200);
        }
    }

    /// Plays on like that for as long as there is anything to be paired.
    async fn write_to_the_end(&self) -> usize {
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
    async fn standings(&self, stage: u64) -> Vec<(u64, u64)> {
        let standings = self.app.anybody().get(&self.path(&format!("/stages/{stage}/standings"))).await.is(200);
        let standing = |it: &Value| (it["rank"].as_u64().expect("a rank"), it["entrant"].as_u64().expect("a number"));
        standings["items"].as_array().expect("it has items").iter().map(standing).collect()
    }

    fn player(&self, number: u64) -> &Visitor {
        &self.players[number as usize - 1]
    }
}

fn finishes(order: &[u64]) -> Value {
    order.iter().enumerate().map(|(at, entrant)| json!({ "entrant": entrant, "place": at + 1 })).collect()
}

fn entrants(bout: &Value) -> Vec<u64> {
    bout["entrants"].as_array().expect("it has entrants").iter().map(|it| it.as_u64().expect("a number")).collect()
}

fn new(game: &str, stages: Value) -> Value {
    json!({ "name": "금요일 대회", "game": game, "stages": stages })
}

fn wins() -> Value {
    json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } })
}

fn stage(format: Value) -> Value {
    json!({ "format": format, "scoring": wins() })
}

fn single() -> Value {
    stage(json!({ "kind": "single_elimination", "third_place": false }))
}

fn swiss(rounds: u8) -> Value {
    json!({ "format": { "kind": "swiss", "rounds": rounds }, "scoring": wins(), "tie_breaks": ["buchholz", "seed"] })
}

/// E1, E2: of five, three have byes; and what is played on telephones counts by itself.
#[tokio::test]
async fn a_bracket_of_five_is_played_on_telephones() {
    let event = Event::start(new("perudo", json!([single()])), 5).await;
    let (stage, round, bouts) = event.next_round().await;
    let (byes, played): (Vec<_>, Vec<_>) = bouts.iter().partition(|bout| entrants(bout).len() == 1);
    assert_eq!((byes.len(), played.len()), (3, 1));
    let (key, pair) = (played[0]["key"].as_str().expect("it has a key"), entrants(played[0]));
    assert_eq!(BTreeSet::from_iter(pair.clone()), BTreeSet::from([4, 5]));
    let id = played[0]["match"]["id"].as_str().expect("it is a match");
    let players = pair.iter().map(|number| event.player(*number).clone()).collect();
    let mut party = Party::seated(players, id);
    // Whose match it is does not leave it; they start it by nothing.
    assert_eq!(party.look().await["status"], "running");
    party.play_to_the_end().await;
    let won = party.look().await["outcome"]["ranks"].as_array().expect("it has places").iter().position(|it| it == 1);
    let won = pair[won.expect("somebody won")];
    let result = eventually("the bout knows how its match ended", async || {
        Some(event.bout(stage, key).await["result"].clone()).filter(|it| !it.is_null())
    });
    let first = result.await.as_array().expect("it has places").iter().find(|it| it["place"] == 1).cloned();
    assert_eq!(first.expect("somebody is first")["entrant"], won);
    assert_eq!(event.round(stage, round).await["status"], "closed");
    // E10: what is known is not told again, and is not for staff to write.
    event.write(stage, key, &[9 - won, won]).await.problem(409, "bout_over");
    // A resignation ends nothing before the others have played on; staff call the rest.
    let rest = event.write_to_the_end().await;
    assert_eq!(rest, 3, "of five, four bouts are played in all");
    let standings = event.standings(1).await;
    assert_eq!(standings[0].0, 1);
    assert_eq!(standings.len(), 5);
    event.step("/pair").await.problem(409, "tournament_over");
    event.step("/cancel").await.problem(409, "tournament_over");
}

/// S1, S2, S3: seven by the words of players; one drops out, one comes late.
#[tokio::test]
async fn swiss_rounds_of_seven_are_written_down_by_players() {
    let mut request = new("perudo", json!([swiss(4)]));
    request["mode"] = json!("scored");
    request["late_until_round"] = json!(2);
    let event = Event::start(request, 7).await;
    let mut met = BTreeSet::new();
    let mut byes = Vec::new();
    for round in 1..=4_u64 {
        if round == 2 {
            let late = event.staff.post(&event.path("/entrants"), json!({ "display_name": "늦은 손님" })).await.is(201);
            assert_eq!((&late["number"], &late["status"]), (&json!(8), &json!("checked_in")));
            let stranger = event.app.guest("아무개").await;
            stranger.post(&event.path("/entrants"), json!({})).await.problem(409, "registration_over");
        }
        if round == 3 {
            event.player(2).delete(&event.path("/entrants/me")).await.is(200);
            event
                .staff
                .post(&event.path("/entrants"), json!({ "display_name": "너무 늦은 손님" }))
                .await
                .problem(409, "too_late_to_enter");
        }
        let (stage, number, bouts) = event.next_round().await;
        assert_eq!(number, round);
        let all: Vec<u64> = bouts.iter().flat_map(entrants).collect();
        assert_eq!(all.len(), BTreeSet::from_iter(all.clone()).len(), "S1: nobody twice");
        assert_eq!(all.len(), [7, 8, 7, 7][round as usize - 1]);
        assert!(round < 3 || !all.contains(&2));
        for bout in &bouts {
            let pair = entrants(bout);
            let [one, other] = pair[..] else {
                byes.extend(pair);
                continue;
            };
            assert!(met.insert((one.min(other), one.max(other))), "S2: {one} and {other} meet again");
            if one.max(other) == 8 {
                event.write(stage, bout["key"].as_str().expect("it has a key"), &[one.min(other), 8]).await.is(200);
                continue;
            }
            let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
            let ranks = json!({ "ranks": [1, 2] });
            event.player(one).post(&at, ranks.clone()).await.is(200);
            event.player(other).post(&at, ranks).await.is(200);
        }
        eventually("the round is over", async || (event.round(stage, round).await["status"] == "closed").then_some(()))
            .await;
    }
    let distinct: BTreeSet<_> = byes.iter().collect();
    assert_eq!(distinct.len(), byes.len(), "S3: a second bye");
    assert_eq!(event.next().await, "finish");
    event.step("/finish").await.is(200);
    assert_eq!(event.standings(1).await.len(), 8);
}

/// P1, P3: nine at tables of three to four, of a game that nobody here knows the rules of.
#[tokio::test]
async fn pods_of_nine_play_any_game_at_all() {
    let places = json!({ "points": { "kind": "places", "scale": [500, 300, 100], "bye": 300 } });
    let pods = json!({
        "format": { "kind": "pods", "rounds": 2, "least": 3, "most": 4, "pairing": "by_standing" },
        "scoring": places, "tie_breaks": ["wins", "lot"],
    });
    let mut request = new("other", json!([pods]));
    request["title"] = json!("카탄");
    let event = Event::start(request, 9).await;
    for _ in 0..2 {
        let (stage, round, bouts) = event.next_round().await;
        assert_eq!(bouts.iter().map(|bout| entrants(bout).len()).collect::<Vec<_>>(), [3, 3, 3]);
        let all: BTreeSet<u64> = bouts.iter().flat_map(entrants).collect();
        assert_eq!(all, (1..=9).collect());
        for bout in &bouts {
            let mut order = entrants(bout);
            order.sort_unstable();
            // The last two share the second place.
            let shared = json!([
                { "entrant": order[0], "place": 1, "score": 10 },
                { "entrant": order[1], "place": 2, "score": 7.5 },
                { "entrant": order[2], "place": 2, "score": 7.5 },
            ]);
            let at = event.path(&format!("/stages/{stage}/bouts/{}/result", bout["key"].as_str().expect("a key")));
            event.staff.post(&at, json!({ "finishes": shared })).await.is(200);
            let id = bout["match"]["id"].as_str().expect("it is a match");
            let played = event.staff.get(&format!("/matches/{id}")).await.is(200);
            assert_eq!((&played["status"], &played["title"]), (&json!("finished"), &json!("카탄")));
        }
        assert_eq!(event.round(stage, round).await["status"], "closed");
    }
    event.step("/finish").await.is(200);
    // P10: nine times what a table is worth in all, whoever shares.
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200);
    let points =
        standings["items"].as_array().expect("it has items").iter().map(|it| it["points"].as_f64().expect("points"));
    assert_eq!(points.sum::<f64>(), 6.0 * 9.0);
    let sheet = event.app.anybody().get(&event.path("/stages/1/pairings.csv")).await;
    assert_eq!(sheet.status, 200);
    assert_eq!(sheet.text().lines().count(), 1 + 18);
    let kept = event.app.anybody().get(&event.path("/export")).await.is(200);
    assert_eq!(kept["standings"]["1"].as_array().map(Vec::len), Some(9));
    assert_eq!(kept["entrants"].as_array().map(Vec::len), Some(9));
}

#[tokio::test]
async fn the_best_of_swiss_rounds_go_on_into_a_bracket() {
    let mut first = swiss(3);
    first["advance"] = json!(4);
    let event = Event::start(new("perudo", json!([first, single()])), 8).await;
    event.step("/next-stage").await.problem(409, "stage_not_over");
    assert_eq!(event.write_to_the_end().await, 12 + 3);
    let best: Vec<u64> = event.standings(1).await.iter().take(4).map(|it| it.1).collect();
    let finalists: BTreeSet<u64> = event.standings(2).await.iter().map(|it| it.1).collect();
    assert_eq!(finalists, BTreeSet::from_iter(best.clone()));
    assert_eq!(event.standings(2).await[0], (1, 1), "the lower number always won");
    let bracket = event.app.anybody().get(&event.path("/stages/2/bracket")).await.is(200);
    assert_eq!(bracket["items"].as_array().map(Vec::len), Some(3));
    let all = event.look().await;
    assert_eq!(all["tournament"]["stage"], 2);
    assert!(all["tournament"]["over_at"].is_string());
}

/// E1: six play ten or eleven bouts.
#[tokio::test]
async fn a_double_elimination_of_six_is_written_down_by_staff() {
    let event = Event::start(new("perudo", json!([stage(json!({ "kind": "double_elimination" }))])), 6).await;
    assert_eq!(event.write_to_the_end().await, 10);
    let ranks: Vec<(u64, u64)> = event.standings(1).await;
    assert_eq!(ranks[..3], [(1, 1), (2, 2), (3, 3)]);
}

#[tokio::test]
async fn a_correction_says_first_what_it_undoes() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    let (_, second, _) = event.next_round().await;
    let final_bout = event.bout(1, "main-2-1").await;
    let key = bouts.iter().find(|bout| entrants(bout).contains(&1)).expect("1 plays")["key"].clone();
    let key = key.as_str().expect("it has a key");
    let mut order = entrants(&event.bout(1, key).await);
    order.sort_unstable_by(|one, other| other.cmp(one));
    let at = event.path(&format!("/stages/1/bouts/{key}"));
    let followed = event.staff.post(&format!("{at}/following"), json!({ "finishes": finishes(&order) })).await.is(200);
    assert_eq!(followed, json!({ "voids": ["main-2-1"] }));
    let mut correction = json!({ "finishes": finishes(&order), "reason": "자리를 바꿔 적었어요" });
    event.staff.post(&format!("{at}/correction"), correction.clone()).await.problem(409, "following_changed");
    event.write(1, key, &order).await.problem(409, "bout_over");
    correction["voids"] = json!(["main-2-1"]);
    let corrected = event.staff.post(&format!("{at}/correction"), correction).await.is(200);
    // What is to be played instead is drafted; the match that is no longer right is called off.
    assert_eq!(corrected["next"]["step"], "publish");
    let draft = corrected["rounds"].as_array().expect("it has rounds").last().expect("there is one").clone();
    assert_eq!((&draft["status"], draft["round"].as_u64()), (&json!("draft"), Some(second)));
    assert!(entrants(&draft["bouts"][0]).contains(&order[0]) && !entrants(&draft["bouts"][0]).contains(&order[1]));
    let id = final_bout["match"]["id"].as_str().expect("it was a match");
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    event.step(&format!("/stages/1/rounds/{second}/publish")).await.is(200);
    event.write(1, "main-2-1", &[order[0], 2]).await.is(200);
    event.step("/finish").await.is(200);
    assert_eq!(event.standings(1).await[0], (1, order[0]));
    // Even then: the end is none if what led there was not so.
    let back =
        json!({ "finishes": finishes(&[order[1], order[0]]), "reason": "다시 보니 맞았어요", "voids": ["main-2-1"] });
    let reopened = event.staff.post(&format!("{at}/correction"), back).await.is(200);
    assert_eq!(reopened["tournament"]["status"], "running");
    let noted = event.app.database().with(|client| {
        client.query("SELECT details::text FROM audit_log WHERE action = 'tournament.correct' ORDER BY id", &[])
    });
    let noted = noted.expect("there is a log");
    let noted: Vec<Value> = noted.iter().map(|row| serde_json::from_str(row.get(0)).expect("it is JSON")).collect();
    assert_eq!((noted.len(), &noted[0]["voids"]), (2, &json!(["main-2-1"])));
    assert_eq!(noted[0]["before"][0]["place"], 1, "{}", noted[0]);
}

/// What players write of a match, corrected afterwards, undoes nothing by itself.
#[tokio::test]
async fn what_a_match_says_later_waits_for_staff_if_it_undoes_anything() {
    let mut request = new("perudo", json!([single()]));
    request["mode"] = json!("scored");
    let event = Event::start(request, 4).await;
    let (_, _, bouts) = event.next_round().await;
    for bout in &bouts {
        let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
        event.staff.post(&at, json!({ "ranks": [1, 2] })).await.is(200);
    }
    eventually("the round is over", async || (event.next().await == "pair").then_some(())).await;
    event.next_round().await;
    let first = &bouts[0];
    let at = format!("/matches/{}/result", first["match"]["id"].as_str().expect("it is a match"));
    event.staff.post(&at, json!({ "ranks": [2, 1], "reason": "반대였어요" })).await.is(200);
    let key = first["key"].as_str().expect("it has a key");
    let claim = eventually("the bout knows what its match says", async || {
        Some(event.bout(1, key).await).filter(|it| !it["claim"].is_null())
    });
    let claim = claim.await;
    assert_eq!(claim["result"][0]["place"], 1, "what counted still does");
    assert_eq!(claim["claim"][0]["place"], 2);
    let confirmed = json!({ "finishes": claim["claim"], "reason": "점수표를 봤어요", "voids": ["main-2-1"] });
    event.staff.post(&event.path(&format!("/stages/1/bouts/{key}/correction")), confirmed).await.is(200);
    let bout = event.bout(1, key).await;
    assert_eq!((&bout["result"][0]["place"], &bout["claim"]), (&json!(2), &Value::Null));
}

#[tokio::test]
async fn who_waits_gets_the_place_of_who_does_not_come() {
    let mut request = new("perudo", json!([single()]));
    request["most_entrants"] = json!(4);
    let event = Event::gather(request, 6).await;
    let statuses = async || -> Vec<String> {
        let all = event.app.anybody().get(&event.path("/entrants")).await.is(200);
        let status = |it: &Value| it["status"].as_str().expect("it has a status").to_owned();
        all["items"].as_array().expect("it has items").iter().map(status).collect()
    };
    assert_eq!(statuses().await, ["entered", "entered", "entered", "entered", "waiting", "waiting"]);
    event.player(6).post(&event.path("/entrants/me/check-in"), json!({})).await.problem(409, "check_in_not_open");
    event.player(2).delete(&event.path("/entrants/me")).await.is(200);
    assert_eq!(statuses().await, ["entered", "dropped", "entered", "entered", "entered", "waiting"]);
    event.step("/check-in").await.is(200);
    for number in [1, 3, 6] {
        for _ in 0..2 {
            event.player(number).post(&event.path("/entrants/me/check-in"), json!({})).await.is(200);
        }
    }
    event.staff.post(&event.path("/entrants/4/check-in"), json!({})).await.is(200);
    event.player(5).post(&event.path("/entrants/4/check-in"), json!({})).await.problem(403, "forbidden");
    event.step("/start").await.is(200);
    // 5 had a place and did not come, 6 waited for one and was there.
    assert_eq!(statuses().await, ["checked_in", "dropped", "checked_in", "checked_in", "no_show", "checked_in"]);
    let (_, _, bouts) = event.next_round().await;
    assert_eq!(bouts.iter().flat_map(entrants).collect::<BTreeSet<_>>(), BTreeSet::from([1, 3, 4, 6]));
    event.step("/start").await.problem(409, "tournament_started");
    event.player(5).post(&event.path("/entrants/me/check-in"), json!({})).await.problem(409, "check_in_over");
}

#[tokio::test]
async fn nobody_but_staff_sees_what_is_drafted() {
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    let draft = event.staff.post("/tournaments", new("perudo", json!([single()]))).await.is(201);
    let hidden = format!("/tournaments/{}", draft["id"].as_str().expect("it has an id"));
    let (guest, anybody) = (event.app.guest("아무개").await, event.app.anybody());
    for who in [&guest, &anybody] {
        for rest in ["", "/entrants", "/stages/1/standings", "/export", "/stream"] {
            who.get(&format!("{hidden}{rest}")).await.problem(404, "tournament_not_found");
        }
        who.get(&format!("/tournaments/by-code/{}", draft["code"].as_str().expect("a code")))
            .await
            .problem(404, "tournament_not_found");
        let listed = who.get("/tournaments").await.is(200);
        assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
    }
    guest.post(&format!("{hidden}/entrants"), json!({})).await.problem(404, "tournament_not_found");
    assert_eq!(event.staff.get("/tournaments").await.is(200)["items"].as_array().map(Vec::len), Some(2));
    event.begin().await;
    event.step("/pair").await.is(200);
    let public = anybody.get(&event.path("")).await.is(200);
    assert_eq!((&public["rounds"], &public["next"]), (&json!([]), &Value::Null));
    for step in ["/registration", "/check-in", "/start", "/pair", "/discard", "/finish", "/cancel", "/next-stage"] {
        guest.post(&event.path(step), json!({})).await.problem(403, "forbidden");
        anybody.post(&event.path(step), json!({})).await.problem(401, "not_signed_in");
    }
    guest.post("/tournaments", new("perudo", json!([single()]))).await.problem(403, "forbidden");
    let adds = json!({ "display_name": "친구" });
    guest.post(&event.path("/entrants"), adds).await.problem(403, "forbidden");
}

/// B1: never two bouts at one table; and who can stay at theirs stays.
#[tokio::test]
async fn bouts_have_tables_of_their_own() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mut tables = BTreeMap::new();
    for (name, seats) in [("창가", 2), ("구석", 4), ("가운데", 2)] {
        let made = owner.post("/tables", json!({ "name": name, "seats": seats })).await.is(201);
        tables.insert(name, made["id"].as_str().expect("it has an id").to_owned());
    }
    // A party sits in the corner.
    owner.post(&format!("/tables/{}/sittings", tables["구석"]), json!({ "party_size": 2 })).await.is(201);
    let event = Event::gather_in(app, new("perudo", json!([single()])), 8).await;
    event.begin().await;
    let (_, _, bouts) = event.next_round().await;
    let named = |bouts: &[Value]| -> Vec<String> {
        bouts.iter().filter_map(|bout| bout["table"]["name"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(BTreeSet::from_iter(named(&bouts)), BTreeSet::from(["창가".to_owned(), "가운데".to_owned()]));
    assert_eq!(named(&bouts).len(), 2, "there are tables for two bouts");
    let free = bouts.iter().find(|bout| bout["table"].is_null()).expect("one has none");
    let at = event.path(&format!("/stages/1/bouts/{}/table", free["key"].as_str().expect("it has a key")));
    let give = async |name: &str| event.staff.post(&at, json!({ "table_id": tables[name] })).await;
    give("창가").await.problem(409, "table_has_bout");
    give("구석").await.problem(409, "table_occupied");
    event.write_all(1, &bouts).await;
    give("창가").await.problem(409, "bout_over");
    let (_, _, semis) = event.next_round().await;
    assert_eq!(BTreeSet::from_iter(named(&semis)).len(), 2);
    for semi in semis {
        let before = bouts.iter().filter(|bout| entrants(bout).iter().any(|it| entrants(&semi).contains(it)));
        let before: Vec<&Value> = before.map(|bout| &bout["table"]["name"]).filter(|it| !it.is_null()).collect();
        assert!(before.is_empty() || before.contains(&&semi["table"]["name"]), "{semi} was at {before:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_do_it_once() {
    let mut app = TestApp::start();
    let other = app.start_another();
    let other = app.url_of(other).to_owned();
    let event = Event::gather_in(app, new("perudo", json!([single()])), 8).await;
    event.begin().await;
    let drafted = event.step("/pair").await.is(200);
    let revision = drafted["tournament"]["revision"].clone();
    let there = event.staff.at(&other);
    let publish = event.path("/stages/1/rounds/1/publish");
    let (one, two) = tokio::join!(event.staff.post(&publish, json!({})), there.post(&publish, json!({})));
    assert_eq!((one.status, two.status), (200, 200));
    let matches = event.app.database().with(|client| client.query_one("SELECT count(*) FROM matches", &[]));
    assert_eq!(matches.expect("it counts").get::<_, i64>(0), 4);
    // Who says what they have seen is told that it is no longer so.
    let stale = json!({ "revision": revision });
    event.staff.post(&event.path("/stages/1/rounds/1/start"), stale).await.problem(409, "tournament_changed");
    event.step("/stages/1/rounds/1/start").await.is(200);
    // U4: one result each, whoever writes first.
    for bout in event.round(1, 1).await["bouts"].as_array().expect("it has bouts") {
        let pair = entrants(bout);
        let at = event.path(&format!("/stages/1/bouts/{}/result", bout["key"].as_str().expect("it has a key")));
        let (won, lost) =
            (json!({ "finishes": finishes(&pair) }), json!({ "finishes": finishes(&[pair[1], pair[0]]) }));
        let (one, two) = tokio::join!(event.staff.post(&at, won), there.post(&at, lost));
        assert_eq!(BTreeSet::from([one.status, two.status]), BTreeSet::from([200, 409]));
    }
    let pair = event.path("/pair");
    let (one, two) = tokio::join!(event.staff.post(&pair, json!({})), there.post(&pair, json!({})));
    assert_eq!((one.status, two.status), (200, 200));
    assert_eq!(event.look().await["rounds"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn who_does_not_appear_loses_and_who_comes_back_plays() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    let (first, second) = (entrants(&bouts[0]), entrants(&bouts[1]));
    let keys: Vec<&str> = bouts.iter().map(|bout| bout["key"].as_str().expect("it has a key")).collect();
    let absent = |entrant: u64, place: u8| json!({ "entrant": entrant, "place": place, "absent": true });
    let at = |key: &str| event.path(&format!("/stages/1/bouts/{key}/result"));
    let ahead = json!([{ "entrant": first[0], "place": 2 }, absent(first[1], 1)]);
    let refused = event.staff.post(&at(keys[0]), json!({ "finishes": ahead })).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["code"], "absent_ahead");
    let draw = json!([{ "entrant": first[0], "place": 1 }, { "entrant": first[1], "place": 1 }]);
    let refused = event.staff.post(&at(keys[0]), json!({ "finishes": draw })).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["code"], "undecided");
    let walkover = json!([{ "entrant": first[0], "place": 1 }, absent(first[1], 2)]);
    event.staff.post(&at(keys[0]), json!({ "finishes": walkover })).await.is(200);
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match");
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    // Neither came: whoever waits in the final has won it.
    let nobody = json!([absent(second[0], 1), absent(second[1], 1)]);
    event.staff.post(&at(keys[1]), json!({ "finishes": nobody })).await.is(200);
    let played = event.write_to_the_end().await;
    assert_eq!(played, 0, "there is nobody to play the final against");
    assert_eq!(event.standings(1).await[0], (1, first[0]));
}

#[tokio::test]
async fn a_match_that_was_called_off_is_played_again() {
    let event = Event::start(new("perudo", json!([single()])), 2).await;
    let (_, _, bouts) = event.next_round().await;
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match").to_owned();
    let again = event.path("/stages/1/bouts/main-1-1/play-again");
    event.staff.post(&again, json!({})).await.problem(409, "match_not_over");
    event.staff.post(&format!("/matches/{id}/abort"), json!({})).await.is(200);
    event.staff.post(&again, json!({})).await.is(200);
    let bout = event.bout(1, "main-1-1").await;
    assert_ne!(bout["match"]["id"], id);
    assert_eq!(bout["match"]["status"], "running");
}

#[tokio::test]
async fn a_published_round_can_be_taken_back_until_somebody_plays() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/start").await.problem(409, "round_not_published");
    event.step("/stages/1/rounds/1/publish").await.is(200);
    let published = event.round(1, 1).await;
    let id = published["bouts"][0]["match"]["id"].as_str().expect("it is a match").to_owned();
    let seated = entrants(&published["bouts"][0])[0];
    event.player(seated).delete(&format!("/matches/{id}/seats/me")).await.problem(409, "match_of_tournament");
    event.step("/stages/1/rounds/1/withdraw").await.is(200);
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    assert_eq!(event.round(1, 1).await["status"], "draft");
    event.step("/discard").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.problem(404, "round_not_found");
    let (_, _, bouts) = event.next_round().await;
    event.step("/stages/1/rounds/1/withdraw").await.problem(409, "round_started");
    assert_eq!(bouts.len(), 2);
    let mut stream = event.app.anybody().listen(&event.path("/stream"), None).await;
    stream.next_of("changed").await;
    event.write_all(1, &bouts).await;
    stream.next_of("changed").await;
    event.step("/cancel").await.is(200);
    event.step("/pair").await.problem(409, "tournament_over");
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_before_it_is_made() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let pods = |least: u8, most: u8| {
        stage(json!({ "kind": "pods", "rounds": 2, "least": least, "most": most, "pairing": "random" }))
    };
    let mut second = single();
    second["advance"] = json!(4);
    for (wrong, code) in [
        (new("perudo", json!([])), "invalid_fields"),
        (new("perudo", json!([single(), single()])), "invalid_fields"),
        (new("perudo", json!([second])), "invalid_fields"),
        (new("chess", json!([single()])), "unknown_game"),
        (new("other", json!([single()])), "invalid_fields"),
        (new("perudo", json!([stage(json!({ "kind": "round_robin", "legs": 9 }))])), "invalid_fields"),
        (new("perudo", json!([pods(5, 3)])), "invalid_fields"),
        (new("animal-kingdom", json!([pods(2, 10)])), "invalid_options"),
    ] {
        let refused = staff.post("/tournaments", wrong.clone()).await;
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.text());
        assert!(
            [code, "invalid_seats"].contains(&refused.json()["code"].as_str().expect("a code")),
            "{}",
            refused.text()
        );
    }
    let lonely = Event::gather_in(app, new("perudo", json!([single()])), 1).await;
    lonely.step("/start").await.problem(409, "stage_unfit");
}

#[tokio::test]
async fn the_floor_tells_which_tournament_needs_somebody() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    let desk = event.app.owner_at_pages().await;
    let link = format!("/admin/tournaments/{}", event.id);
    let needs = async |said: &str| {
        let floor = desk.open("/admin").await;
        assert_eq!(floor.status, 200);
        let text = floor.text();
        text.contains(&format!("href=\"{link}\"")) && text.contains(said)
    };
    assert!(needs("ready for what comes next").await);
    let (_, _, bouts) = event.next_round().await;
    assert!(!needs("Tournament: ").await);
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match");
    event.staff.post(&format!("/matches/{id}/abort"), json!({})).await.is(200);
    assert!(needs("a match ended without a result").await);
    let late = "UPDATE tournament_rounds SET ends_at = now() - interval '1 minute'";
    event.app.database().with(|client| client.execute(late, &[])).expect("time passes");
    assert!(needs("a round is over its time").await);
    let none = json!({ "minutes": 0 });
    event.staff.post(&event.path("/stages/1/rounds/1/minutes"), none).await.problem(422, "invalid_fields");
    let more = json!({ "minutes": 5 });
    event.staff.post(&event.path("/stages/1/rounds/1/minutes"), more).await.is(200);
    assert!(!needs("a round is over its time").await);
}

#[tokio::test]
async fn whose_account_ends_plays_no_more_and_who_was_there_twice_is_not_one() {
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    let merge =
        |one: &Visitor, other: &Visitor| (format!("/players/{}/merge", one.id()), json!({ "into": other.id() }));
    let (path, body) = merge(event.player(1), event.player(2));
    event.staff.post(&path, body).await.problem(409, "met_in_tournament");
    let account = json!({ "email": "sora@example.org", "password": "a long enough password" });
    let stranger = event.app.anybody().sign_in("/auth/register", account, 201).await;
    let (path, body) = merge(event.player(3), &stranger);
    event.staff.post(&path, body).await.is(204);
    let entrants = event.app.anybody().get(&event.path("/entrants")).await.is(200);
    assert_eq!(entrants["items"][2]["player"]["id"], stranger.id());
    let kept = stranger.get("/auth/me/export").await.is(200);
    assert_eq!((&kept["tournaments"][0]["id"], &kept["tournaments"][0]["number"]), (&json!(event.id), &json!(3)));
    event.step("/start").await.is(200);
    event.next_round().await;
    event.player(4).delete("/auth/me").await.is(204);
    let entrants = event.app.anybody().get(&event.path("/entrants")).await.is(200);
    assert_eq!(
        (&entrants["items"][3]["status"], &entrants["items"][3]["player"]["deleted"]),
        (&json!("dropped"), &json!(true))
    );
}
