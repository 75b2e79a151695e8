//! Bots: they take free seats, play on for those who left, and count for nobody.

use harness::{TestApp, Visitor, eventually};
use serde_json::{Value, json};

use crate::play::forms;

/// A new match of this guest's, who sits on its first seat.
async fn seated(guest: &Visitor, new: Value) -> String {
    let made = guest.post("/matches", new).await.is(201);
    let id = made["id"].as_str().expect("it has an id").to_owned();
    guest.post(&format!("/matches/{id}/seats"), json!({ "seat": 0 })).await.is(201);
    id
}

async fn add_bot(who: &Visitor, id: &str, level: &str) -> Value {
    who.post(&format!("/matches/{id}/seats"), json!({ "bot": level })).await.is(201)
}

/// The guest on this seat plays the first legal move until the match is over, which the bots see to.
async fn play_first_moves(guest: &Visitor, id: &str) -> Value {
    let mut version = -1;
    loop {
        let seen = guest.get(&format!("/matches/{id}/view?after={version}&wait=30")).await.is(200);
        if seen["status"] != "running" {
            return guest.get(&format!("/matches/{id}")).await.is(200);
        }
        version = seen["version"].as_i64().expect("it has a version");
        let on_turn = seen["view"]["to_move"].as_array().expect("a list").contains(&seen["seat"]);
        if on_turn {
            let chosen = &seen["legal_moves"][0];
            // A bot may have been quicker where several are on turn.
            guest.post(&format!("/matches/{id}/moves"), json!({ "move": chosen })).await;
        }
    }
}

#[tokio::test]
async fn alone_against_bots_of_all_levels_at_every_game() {
    let app = TestApp::start();
    let games = app.anybody().get("/games").await.is(200);
    for game in games["items"].as_array().expect("a list") {
        let levels = game["bots"].as_array().expect("a list");
        let best = levels.last().and_then(Value::as_str).expect("a level");
        let guest = app.guest("민지").await;
        let seats = game["seats"]["min"].as_u64().expect("a number").max(3);
        let id = seated(&guest, json!({ "game": game["id"], "seats": seats })).await;
        for seat in 1..seats {
            // A hard one thinks before each move: one is enough.
            add_bot(&guest, &id, if seat == 1 { best } else { ["easy", "medium"][seat as usize % 2] }).await;
        }
        let started = guest.post(&format!("/matches/{id}/start"), json!({})).await.is(200);
        assert_eq!((&started["seats"][1]["bot"], &started["seats"][1]["player"]), (&json!(best), &Value::Null));
        let over = play_first_moves(&guest, &id).await;
        assert_eq!(over["status"], "finished", "{}: {over}", game["id"]);
        let record = guest.get(&format!("/matches/{id}/record")).await.is(200);
        assert_eq!(record["nonces"].as_array().map(Vec::len), Some(seats as usize), "one for each seat");
        assert_eq!((&record["bots"][0]["level"], &record["players"][1]), (&json!(best), &Value::Null));
        let again = guest.post(&format!("/matches/{id}/rematch"), json!({})).await.is(201);
        let bots = again["seats"].as_array().expect("a list").iter().filter(|it| it["bot"].is_string()).count();
        assert_eq!(bots as u64, seats - 1, "they sit down again");
    }
}

#[tokio::test]
async fn who_made_the_match_and_staff_decide_where_bots_sit() {
    let app = TestApp::start();
    let (maker, other, staff) = (app.guest("민지").await, app.guest("Lucía").await, app.owner().await);
    let id = seated(&maker, json!({ "game": "perudo", "seats": 4 })).await;
    let seats = format!("/matches/{id}/seats");
    other.post(&seats, json!({ "bot": "easy" })).await.problem(403, "forbidden");
    maker.post(&seats, json!({ "bot": "clever" })).await.problem(400, "invalid_body");
    maker.post(&seats, json!({ "bot": "easy", "nonce": "x" })).await.problem(422, "invalid_fields");
    maker.post(&seats, json!({ "bot": "easy", "seat": 4 })).await.problem(422, "invalid_seat");
    maker.post(&seats, json!({ "bot": "easy", "seat": 0 })).await.problem(409, "seat_taken");
    maker.post(&seats, json!({ "bot": "easy", "seat": 2 })).await.is(201);
    let changed = maker.post(&seats, json!({ "bot": "medium", "seat": 2 })).await.is(200);
    assert_eq!(changed["seats"][2]["bot"], "medium");
    other.post(&seats, json!({ "seat": 2 })).await.problem(409, "seat_taken");
    staff.post(&seats, json!({ "bot": "hard" })).await.is(201);
    // The lowest seat that is free, for people and bots alike.
    let sat = other.post(&seats, json!({})).await.is(201);
    assert_eq!((&sat["seat"], &sat["seats"][1]["bot"]), (&json!(3), &json!("hard")));
    maker.post(&seats, json!({ "bot": "easy" })).await.problem(409, "match_full");
    other.delete(&format!("{seats}/1/bot")).await.problem(403, "forbidden");
    maker.delete(&format!("{seats}/3/bot")).await.problem(409, "no_bot_there");
    staff.delete(&format!("{seats}/1/bot")).await.is(204);
    let shown = maker.get(&format!("/matches/{id}")).await.is(200);
    assert_eq!(shown["seats"][1]["bot"], Value::Null);
    maker.post(&format!("/matches/{id}/start"), json!({})).await.problem(409, "seats_open");
    let noted = "SELECT action FROM audit_log WHERE action LIKE 'match.%_bot' ORDER BY id";
    let noted = app.database().with(|client| client.query(noted, &[])).expect("it is there");
    let noted: Vec<String> = noted.iter().map(|row| row.get(0)).collect();
    assert_eq!(noted, ["match.seat_bot", "match.remove_bot"], "what staff did, and nothing else");
}

#[tokio::test]
async fn a_bot_calls_calza_out_of_turn() {
    let app = TestApp::start();
    let (maker, other) = (app.guest("민지").await, app.guest("Lucía").await);
    let id = seated(&maker, json!({ "game": "perudo", "seats": 3, "options": { "calza": true } })).await;
    other.post(&format!("/matches/{id}/seats"), json!({ "seat": 1 })).await.is(201);
    add_bot(&maker, &id, "medium").await;
    maker.post(&format!("/matches/{id}/start"), json!({})).await.is(200);
    eventually("it is a person's turn", async || {
        let seen = maker.get(&format!("/matches/{id}/view")).await.is(200);
        (seen["view"]["to_move"] != json!([2])).then_some(())
    })
    .await;
    // A Palífico round in which the bot holds three fives of five dice, and has lost some.
    let round = json!({
        "waits_for": { "turn": 0 }, "bids": [], "palifico_round": true, "been_palifico": [true, false, false], "opener": 0,
        "dice": [1, 1, 3], "cups": [[3], [2], [5, 5, 5]],
    });
    let change = format!(
        "UPDATE matches SET to_move = 1, interrupt = 0, change_seq = change_seq + 1, \
         state = convert_to((convert_from(state, 'UTF8')::jsonb || '{round}')::text, 'UTF8') WHERE id = '{id}'"
    );
    app.database().with(|client| client.batch_execute(&change)).expect("it is sound SQL");
    let bid = json!({ "move": { "type": "bid", "count": 3, "face": 5 } });
    let version = maker.post(&format!("/matches/{id}/moves"), bid).await.is(200)["version"].as_i64().expect("a number");
    let seen = maker.get(&format!("/matches/{id}/view?after={version}&wait=30")).await.is(200);
    let reveal = &seen["view"]["last_reveal"];
    assert_eq!((&reveal["call"], &reveal["caller"], &reveal["actual"]), (&json!("calza"), &json!(2), &json!(3)));
    assert_eq!(seen["view"]["dice"], json!([1, 1, 4]), "it was not its turn, and it was right");
}

#[tokio::test]
async fn bots_do_not_play_among_themselves_nor_with_real_dice() {
    let app = TestApp::start();
    let maker = app.guest("민지").await;
    let made = maker.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    let id = made["id"].as_str().expect("it has an id");
    add_bot(&maker, id, "easy").await;
    add_bot(&maker, id, "easy").await;
    maker.post(&format!("/matches/{id}/start"), json!({})).await.problem(409, "only_bots");
    // The page says so before.
    let page = format!("/m/{}", made["code"].as_str().expect("it has a code"));
    let may_start = |text: &str| forms(text, "start")[0].has_buttons();
    let lobby = maker.open(&page).await.text();
    assert!(!may_start(&lobby) && lobby.contains("At least one person must sit down"), "{lobby}");
    maker.delete(&format!("/matches/{id}/seats/0/bot")).await.is(204);
    maker.post(&format!("/matches/{id}/seats"), json!({})).await.is(201);
    assert!(may_start(&maker.open(&page).await.text()));
    let scored = maker.post("/matches", json!({ "game": "perudo", "seats": 2, "mode": "scored" })).await.is(201);
    let seats = format!("/matches/{}/seats", scored["id"].as_str().expect("it has an id"));
    maker.post(&seats, json!({ "bot": "easy" })).await.problem(409, "match_scored");
}

#[tokio::test]
async fn a_bot_plays_on_for_who_left_and_the_match_is_rated_as_ever() {
    let app = TestApp::start();
    let mut party = harness::Party::start(&app, "perudo", 3, json!({})).await;
    let seats = party.path("/seats");
    party.players[0].post(&seats, json!({ "bot": "hard", "seat": 2 })).await.problem(409, "seat_not_left");
    party.players[2].post(&party.path("/resign"), json!({})).await.is(200);
    party.players[1].post(&seats, json!({ "bot": "hard", "seat": 2 })).await.problem(403, "forbidden");
    let shown = party.players[0].post(&seats, json!({ "bot": "hard" })).await.is(201);
    assert_eq!((&shown["seats"][2]["bot"], &shown["seats"][2]["left_why"]), (&json!("hard"), &json!("resigned")));
    assert_eq!(shown["seats"][2]["player"]["id"], party.players[2].id());
    party.play_on_without(2).await;
    crate::matches::record_holds(&party).await;
}

#[tokio::test]
async fn a_match_with_bots_counts_for_nobody() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let account = json!({ "email": "minji@example.org", "password": "a long enough password" });
    let player = guest.sign_in("/auth/register", account, 201).await;
    let id = seated(&player, json!({ "game": "perudo", "seats": 2 })).await;
    add_bot(&player, &id, "easy").await;
    player.post(&format!("/matches/{id}/start"), json!({})).await.is(200);
    assert_eq!(play_first_moves(&player, &id).await["status"], "finished");
    eventually("the projections are done", async || {
        let pending = app.database().with(|client| client.query_one("SELECT count(*) FROM pending_projections", &[]));
        (pending.expect("it is there").get::<_, i64>(0) == 0).then_some(())
    })
    .await;
    let stats = player.get(&format!("/players/{}/stats", player.id())).await.is(200);
    assert_eq!((&stats["matches"], &stats["wins"]), (&json!(0), &json!(0)));
    let board = player.get("/leaderboards/perudo?provisional=true").await.is(200);
    assert_eq!(board["items"], json!([]));
    // It was played, but who wins against a bot says nothing of the seats.
    let owner = app.owner().await;
    eventually("the match is in the figures", async || {
        (owner.get("/stats/summary").await.is(200)["now"]["finished"] == 1).then_some(())
    })
    .await;
    assert_eq!(owner.get("/stats/seats").await.is(200)["items"], json!([]));
}

#[tokio::test]
async fn another_process_moves_for_bots_whose_own_was_killed() {
    let mut app = TestApp::start();
    let guest = app.guest("민지").await;
    let id = seated(&guest, json!({ "game": "perudo", "seats": 3 })).await;
    add_bot(&guest, &id, "hard").await;
    add_bot(&guest, &id, "hard").await;
    guest.post(&format!("/matches/{id}/start"), json!({})).await.is(200);
    let guest = loop {
        app.kill_and_replace();
        let back = guest.at(app.url());
        let seen = back.get(&format!("/matches/{id}/view")).await.is(200);
        if seen["view"]["to_move"] == json!([0]) {
            break back;
        }
        let next = format!("/matches/{id}/view?after={}&wait=30", seen["version"]);
        back.get(&next).await.is(200);
    };
    let moved = guest.get(&format!("/matches/{id}/events?as=0")).await.is(200);
    let versions: Vec<_> = moved["items"].as_array().expect("a list").iter().map(|it| it["version"].clone()).collect();
    assert_eq!(versions, (0..versions.len()).map(|it| json!(it)).collect::<Vec<_>>());
    assert_eq!(play_first_moves(&guest, &id).await["status"], "finished");
}

#[tokio::test]
async fn a_phone_without_scripts_seats_bots_and_plays_with_them() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let id = seated(&guest, json!({ "game": "liars-dice", "seats": 3 })).await;
    let code = guest.get(&format!("/matches/{id}")).await.is(200)["code"].as_str().expect("a code").to_owned();
    let address = format!("/m/{code}");
    let lobby = guest.open(&address).await;
    let [form] = forms(&lobby.text(), "bot").try_into().expect("one form seats bots");
    assert_eq!(form.action, format!("{address}/bots"));
    for level in ["easy", "medium"] {
        assert_eq!(guest.submit(&lobby, &form.action, &[("bot", level)]).await.status, 303);
    }
    let full = guest.open(&address).await;
    assert!(forms(&full.text(), "bot").is_empty(), "there is no seat left");
    let away = forms(&full.text(), "bot-away");
    assert_eq!(guest.submit(&full, &away[1].action, &[]).await.status, 303);
    assert_eq!(guest.submit(&full, &form.action, &[("bot", "hard")]).await.status, 303);
    let full = guest.open(&address).await.text();
    assert!(full.contains("Bot 2") && full.contains("Bot 3") && full.contains("hard") && full.contains("practice"));
    // Nobody else sees the forms.
    let other = app.guest("Lucía").await.open(&address).await.text();
    assert!(other.contains("Bot 2") && forms(&other, "bot-away").is_empty());
    assert_eq!(guest.submit(&guest.open(&address).await, &format!("{address}/start"), &[]).await.status, 303);
    assert_eq!(play_first_moves(&guest, &id).await["status"], "finished");
    let over = guest.open(&address).await.text();
    assert!(over.contains("Bot 2") && over.contains("class=\"rematch\""));
}
