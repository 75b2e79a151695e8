//! Bouts of several games.

use harness::eventually;
use serde_json::{Value, json};

use super::event::{Event, new, scored, single, stage};

fn best_of(mut stage: Value, games: Value) -> Value {
    stage["scoring"]["games"] = games;
    stage
}

/// Two play a final on paper, of so many games.
async fn duel(games: Value) -> Event {
    let event = Event::start(scored(json!([best_of(single(), games)])), 2).await;
    event.next_round().await;
    event
}

impl Event {
    /// The one of the two wins the game that is played now, whatever their seats are: the id of its match.
    async fn win_game(&self, winner: u64) -> String {
        let bout = self.bout(1, "main-1-1").await;
        let id = bout["match"]["id"].as_str().expect("it is played").to_owned();
        let played = self.staff.get(&format!("/matches/{id}")).await.is(200);
        let won = |seat: &Value| seat["player"]["id"] == self.player(winner).id();
        let seats = played["seats"].as_array().expect("it has seats").iter();
        let ranks: Vec<u8> = seats.map(|seat| if won(seat) { 1 } else { 2 }).collect();
        self.staff.post(&format!("/matches/{id}/result"), json!({ "ranks": ranks })).await.is(200);
        id
    }

    /// The bout once so many games are over and the next is there, or once it has its result.
    async fn after(&self, games: usize) -> Value {
        eventually("the desk takes the game in", async || {
            let bout = self.bout(1, "main-1-1").await;
            let known = bout["games"].as_array().is_some_and(|it| it.len() == games);
            known.then_some(bout)
        })
        .await
    }
}

fn scores(bout: &Value) -> Vec<f64> {
    bout["result"].as_array().into_iter().flatten().filter_map(|it| it["score"].as_f64()).collect()
}

#[tokio::test]
async fn a_bout_goes_from_game_to_game_until_it_is_decided() {
    let event = duel(json!({ "kind": "best_of", "games": 3 })).await;
    let first = event.win_game(2).await;
    let bout = event.after(1).await;
    assert_eq!((&bout["result"], &bout["games"][0]["match_id"]), (&Value::Null, &json!(first)));
    assert_eq!(bout["match"]["status"], "running");
    let second = bout["match"]["id"].as_str().expect("it is played").to_owned();
    assert_ne!(second, first);
    // Who sat first sits second now.
    let seat_of = async |id: &str| {
        let played = event.staff.get(&format!("/matches/{id}")).await.is(200);
        played["seats"][0]["player"]["id"].clone()
    };
    assert_ne!(seat_of(&first).await, seat_of(&second).await);
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
    assert!(page.contains("Best of 3"), "{page}");
    event.win_game(1).await;
    event.after(2).await;
    event.win_game(2).await;
    let over = event.after(3).await;
    assert_eq!(scores(&over), [1.0, 2.0]);
    assert_eq!(event.standings(1).await, [(1, 2), (2, 1)]);
    assert_eq!(event.next().await, "finish");
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn a_bout_can_be_written_down_as_a_whole_and_its_next_game_is_called_off() {
    let event = duel(json!({ "kind": "race_to", "wins": 2 })).await;
    event.win_game(1).await;
    let next = event.after(1).await["match"]["id"].as_str().expect("it is played").to_owned();
    let write = async |one: i32, other: i32| {
        let place = |won: i32, lost: i32| if won > lost { 1 } else { 2 };
        let finishes = json!([
            { "entrant": 1, "place": place(one, other), "score": one },
            { "entrant": 2, "place": place(other, one), "score": other },
        ]);
        event.staff.post(&event.path("/stages/1/bouts/main-1-1/result"), json!({ "finishes": finishes })).await
    };
    let wrong = write(3, 1).await.problem(422, "invalid_fields");
    assert_eq!(wrong["errors"][0]["code"], "bad_games_won");
    write(1, 2).await.is(200);
    assert_eq!(scores(&event.bout(1, "main-1-1").await), [1.0, 2.0]);
    assert_eq!(event.staff.get(&format!("/matches/{next}")).await.is(200)["status"], "aborted");
    // Taken back, the game is there to be played again.
    let log = event.staff.get(&event.path("/log")).await.is(200);
    let step = log["items"].as_array().and_then(|all| all.last()).expect("it was written").clone();
    event.staff.post(&event.path("/undo"), json!({ "step": step["revision"] })).await.is(200);
    let again = event.bout(1, "main-1-1").await;
    assert_eq!((&again["result"], again["games"].as_array().map(Vec::len)), (&Value::Null, Some(1)));
    assert_eq!(again["match"]["status"], "running");
    event.win_game(1).await;
    assert_eq!(scores(&event.after(2).await), [2.0, 0.0]);
}

#[tokio::test]
async fn a_correction_of_a_game_counts_in_its_bout() {
    let event = duel(json!({ "kind": "best_of", "games": 3 })).await;
    let first = event.win_game(1).await;
    event.after(1).await;
    event.win_game(1).await;
    assert_eq!(scores(&event.after(2).await), [2.0, 0.0]);
    // The first game was another's: the bout is not decided, and staff have to look at it.
    let played = event.staff.get(&format!("/matches/{first}")).await.is(200);
    let is_first = played["seats"][0]["player"]["id"] == event.player(1).id();
    let ranks = if is_first { json!([2, 1]) } else { json!([1, 2]) };
    let corrected = json!({ "ranks": ranks, "reason": "이름을 바꿔 적었어요" });
    event.staff.post(&format!("/matches/{first}/result"), corrected).await.is(200);
    let claimed = eventually("the correction is seen", async || {
        let bout = event.bout(1, "main-1-1").await;
        (!bout["claim"].is_null()).then_some(bout)
    })
    .await;
    assert_eq!(scores(&claimed), [2.0, 0.0]);
    assert!(claimed["claim"].as_array().is_some_and(|all| all.iter().all(|it| it["score"] == 1.0)), "{claimed}");
}

#[tokio::test]
async fn every_format_of_duels_takes_several_games_and_no_other() {
    let app = harness::TestApp::start();
    let staff = app.owner().await;
    let make = async |format: Value, games: Value| {
        staff.post("/tournaments", new("perudo", json!([best_of(stage(format), games)]))).await
    };
    let three = || json!({ "kind": "best_of", "games": 3, "last": [5] });
    for format in [
        json!({ "kind": "single_elimination", "third_place": true }),
        json!({ "kind": "double_elimination" }),
        json!({ "kind": "round_robin", "legs": 1 }),
        json!({ "kind": "swiss", "rounds": 3 }),
    ] {
        let made = make(format, three()).await.is(201);
        assert_eq!(made["stages"][0]["scoring"]["games"]["last"], json!([5]));
    }
    let pods = json!({ "kind": "pods", "rounds": 2, "least": 2, "most": 4, "pairing": "random" });
    for (format, games) in [
        (pods, three()),
        (json!({ "kind": "double_elimination" }), json!({ "kind": "best_of", "games": 2 })),
        (json!({ "kind": "swiss", "rounds": 3 }), json!({ "kind": "race_to", "wins": 0 })),
    ] {
        let refused = make(format, games).await.problem(422, "invalid_fields");
        assert_eq!(refused["errors"][0]["code"], "bad_games");
    }
    // One game is what all bouts had before, and is not told.
    let usual = staff.post("/tournaments", new("perudo", json!([single()]))).await.is(201);
    assert!(usual["stages"][0]["scoring"].get("games").is_none());
}

#[tokio::test]
async fn a_tournament_by_a_variant_plays_on_after_a_revision_of_its_game() {
    let app = harness::TestApp::start();
    let staff = app.owner().await;
    let variant = json!({ "game": "perudo", "name": "Nightly", "options": { "calza": true } });
    let made = staff.post("/variants", variant).await.is(201);
    staff.post(&format!("/variants/{}/publish", made["id"].as_str().expect("an id")), json!({})).await.is(200);
    let mut request = new("perudo", json!([best_of(single(), json!({ "kind": "best_of", "games": 3 }))]));
    (request["mode"], request["variant_id"]) = (json!("scored"), made["id"].clone());
    let event = Event::gather_in(app, request, 2).await;
    event.begin().await;
    // The version is from before the revision: its hash is no longer that of its options.
    let revise = "ALTER TABLE variant_versions DISABLE TRIGGER variant_versions_immutable;
        UPDATE variant_versions SET variant_hash = sha256('');
        ALTER TABLE variant_versions ENABLE TRIGGER variant_versions_immutable;";
    event.app.database().with(|client| client.batch_execute(revise).expect("no match is made by it yet"));
    event.next_round().await;
    let first = event.win_game(2).await;
    event.after(1).await;
    let second = event.win_game(2).await;
    event.after(2).await;
    for id in [first, second] {
        let played = event.staff.get(&format!("/matches/{id}")).await.is(200);
        assert_eq!((&played["variant_id"], &played["options"]["calza"]), (&Value::Null, &json!(true)));
    }
    assert_eq!(event.next().await, "finish");
}
