//! `/matches`: made, sat down to, started, played to the end, resigned, called off, checked.

use std::fs;
use std::process::Command;

use harness::{Party, TestApp, program, python, run, workplace};
use serde_json::{Value, json};

/// Everything that the value says, keys left out.
fn dice_of(view: &Value) -> &Value {
    &view["my_dice"]
}

pub(crate) async fn record_holds(party: &Party) -> Value {
    let record = party.players[0].get(&party.path("/record")).await.is(200);
    let path = workplace().root().join(workplace().unique("record"));
    fs::write(&path, record.to_string()).expect("the folder of this run can be written to");
    run(Command::new(program("rules")).arg("verify").arg(&path)).well();
    run(python("docs/verify.py").arg(&path)).well();
    record
}

#[tokio::test]
async fn four_guests_play_perudo_to_the_end_and_the_record_holds() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 4, json!({})).await;
    let moves = party.play_to_the_end().await;
    let shown = party.look().await;
    assert_eq!(shown["status"], "finished");
    assert_eq!(shown["version"], moves);
    let mut ranks: Vec<_> = shown["outcome"]["ranks"].as_array().expect("it has ranks").clone();
    ranks.sort_by_key(Value::as_u64);
    assert_eq!(json!(ranks), json!([1, 2, 3, 4]));
    let record = record_holds(&party).await;
    assert_eq!(record["match_id"], party.id);
    assert_eq!(record["commitment"], shown["commitment"]);
    assert_eq!(record["nonces"], json!(party.nonces));
    assert_eq!(record["outcome"], shown["outcome"]);
    let made =
        record["log"].as_array().expect("it has a log").iter().filter(|entry| entry.get("move").is_some()).count();
    assert_eq!(made, moves);
}

#[tokio::test]
async fn liars_dice_is_played_to_the_end_and_the_record_holds() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "liars-dice", 3, json!({})).await;
    party.play_to_the_end().await;
    record_holds(&party).await;
}

#[tokio::test]
async fn every_game_on_offer_can_be_played_to_its_end() {
    let app = TestApp::start();
    let games = app.anybody().get("/games").await.is(200);
    let games = games["items"].as_array().or(games.as_array()).expect("they are listed").clone();
    assert!(!games.is_empty());
    for game in games {
        let id = game["game"].as_str().or(game["id"].as_str()).expect("a game has an id").to_owned();
        let seats = game["seats"]["min"].as_u64().expect("it says for how many") as usize;
        let mut party = Party::start(&app, &id, seats, json!({})).await;
        party.play_to_the_end().await;
        let record = record_holds(&party).await;
        assert_eq!(record["game"], id);
    }
}

#[tokio::test]
async fn nobody_learns_another_seats_dice() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 4, json!({})).await;
    let staff = app.owner().await;
    let bystander = app.guest("Zoe").await;
    for _ in 0..12 {
        let public = party.look().await;
        assert!(dice_of(&public["view"]).is_null(), "the public view shows dice: {public}");
        for onlooker in [&staff, &bystander] {
            let shown = onlooker.get(&party.path("")).await.is(200);
            assert_eq!(shown["view"], public["view"]);
            onlooker.get(&party.path("/view")).await.problem(403, "not_seated");
        }
        for seat in 0..party.seats() {
            let seen = party.see(seat).await;
            let count = public["view"]["dice_counts"][seat].as_u64();
            if let (Some(count), Some(dice)) = (count, dice_of(&seen["view"]).as_array()) {
                assert_eq!(dice.len() as u64, count);
            }
        }
        party.step().await;
    }
    // A roll is told to the one who rolled, and to nobody else.
    for (seat, player) in party.players.iter().enumerate() {
        let frames = player.get(&party.path("/events")).await.is(200);
        let events = frames["items"].as_array().expect("frames are listed").iter();
        for event in events.flat_map(|frame| frame["events"].as_array().expect("a frame has events")) {
            assert!(event["type"] != "rolled" || event["seat"] == seat, "seat {seat} was told {event}");
        }
    }
    for onlooker in [&staff, &bystander] {
        let frames = onlooker.get(&party.path("/events")).await.is(200);
        assert!(!frames.to_string().contains("\"rolled\""), "{frames}");
        // One frame for each version all the same: not even their number tells anything.
        let versions: Vec<_> =
            frames["items"].as_array().expect("frames").iter().map(|frame| &frame["version"]).collect();
        assert_eq!(json!(versions), json!((0..=12).collect::<Vec<_>>()));
    }
}

#[tokio::test]
async fn the_seed_stays_secret_until_the_end() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let shown = party.look().await;
    assert_eq!(shown["commitment"].as_str().map(str::len), Some(64));
    assert!(shown.get("seed").is_none());
    party.players[0].get(&party.path("/record")).await.problem(409, "match_not_over");
    app.owner().await.get(&party.path("/record")).await.problem(409, "match_not_over");
    party.play_to_the_end().await;
    let record = record_holds(&party).await;
    assert_eq!(record["seed"].as_str().map(str::len), Some(64));
}

#[tokio::test]
async fn a_match_is_found_by_its_code_in_any_case() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    let code = party.look().await["code"].as_str().expect("it has one").to_owned();
    for code in [code.clone(), code.to_lowercase()] {
        let found = party.players[1].get(&format!("/matches/by-code/{code}")).await.is(200);
        assert_eq!(found["id"], party.id);
    }
    party.players[1].get("/matches/by-code/000000").await.problem(404, "match_not_found");
}

#[tokio::test]
async fn sitting_down_is_done_once_however_often_it_is_asked() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 3, json!({})).await;
    let (first, second) = (&party.players[0], &party.players[1]);
    let seats = party.path("/seats");
    first.post(&seats, json!({ "seat": 1 })).await.is(201);
    for again in [json!({ "seat": 1 }), json!({})] {
        let shown = first.post(&seats, again).await.is(200);
        assert_eq!(shown["seats"][1]["player"]["id"], first.id());
    }
    first.post(&seats, json!({ "seat": 0 })).await.problem(409, "already_seated");
    second.post(&seats, json!({ "seat": 1 })).await.problem(409, "seat_taken");
    // The lowest that is free.
    let shown = second.post(&seats, json!({})).await.is(201);
    assert_eq!(shown["seats"][0]["player"]["id"], second.id());
    party.players[2].post(&seats, json!({})).await.is(201);
    app.guest("Zoe").await.post(&seats, json!({})).await.problem(409, "match_full");
}

#[tokio::test]
async fn who_gets_up_before_the_start_leaves_a_free_seat() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    party.sit(0).await.is(201);
    party.players[1].delete(&party.path("/seats/me")).await.problem(403, "not_seated");
    party.players[0].delete(&party.path("/seats/me")).await.is(204);
    assert_eq!(party.look().await["seats"][0]["player"], Value::Null);
    party.players[1].post(&party.path("/seats"), json!({ "seat": 0 })).await.is(201);
}

#[tokio::test]
async fn it_starts_when_all_sit_and_its_maker_or_staff_say_so() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    let start = party.path("/start");
    party.sit(0).await.is(201);
    party.players[0].post(&start, json!({})).await.problem(409, "seats_open");
    party.players[0].get(&party.path("/view")).await.problem(409, "match_not_running");
    party.play(0, &json!({ "type": "dudo" })).await.problem(409, "match_not_running");
    party.sit(1).await.is(201);
    party.players[1].post(&start, json!({})).await.refused();
    app.owner().await.post(&start, json!({})).await.is(200);
    // It has been done: asking again changes nothing.
    let again = party.players[0].post(&start, json!({})).await.is(200);
    assert_eq!((&again["status"], &again["version"]), (&json!("running"), &json!(0)));
    party.players[0].delete(&party.path("/seats/me")).await.refused();
}

#[tokio::test]
async fn many_who_want_the_last_seat_get_it_once() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    party.sit(0).await.is(201);
    let mut waiting = Vec::new();
    for name in ["Ana", "Bea", "Tom", "Zoe", "Íñigo"] {
        let guest = app.guest(name).await;
        let path = party.path("/seats");
        waiting.push(tokio::spawn(async move { guest.post(&path, json!({ "seat": 1 })).await.status }));
    }
    let mut taken = 0;
    for answer in waiting {
        match answer.await.expect("it answers") {
            201 => taken += 1,
            status => assert_eq!(status, 409),
        }
    }
    assert_eq!(taken, 1);
}

#[tokio::test]
async fn the_others_finish_when_somebody_gives_up() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    party.step().await;
    party.players[1].post(&party.path("/resign"), json!({})).await.is(200);
    party.players[1].post(&party.path("/resign"), json!({})).await.is(200);
    party.play(1, &json!({ "type": "dudo" })).await.problem(403, "resigned");
    harness::eventually("the end of the match", async || {
        let shown = party.look().await;
        if shown["status"] == "finished" {
            return Some(());
        }
        let seat = shown["view"]["to_move"][0].as_u64()? as usize;
        if seat != 1 {
            let seen = party.see(seat).await;
            // The autopilot may have moved in between.
            if let Some(chosen) = seen["legal_moves"].get(0) {
                let status = party.play(seat, &chosen.clone()).await.status;
                assert!(status == 200 || status == 422, "{status}");
            }
        }
        None
    })
    .await;
    record_holds(&party).await;
}

#[tokio::test]
async fn a_match_that_all_have_given_up_is_called_off() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    for player in &party.players {
        player.post(&party.path("/resign"), json!({})).await.is(200);
    }
    let shown = party.look().await;
    assert_eq!(shown["status"], "aborted");
    let record = record_holds(&party).await;
    assert_eq!(record["outcome"], Value::Null);
}

#[tokio::test]
async fn who_may_call_a_match_off() {
    let app = TestApp::start();
    let waiting = Party::gather(&app, "perudo", 2, json!({})).await;
    waiting.players[1].post(&waiting.path("/abort"), json!({})).await.refused();
    let shown = waiting.players[0].post(&waiting.path("/abort"), json!({})).await.is(200);
    assert_eq!(shown["status"], "aborted");
    waiting.players[1].post(&waiting.path("/seats"), json!({})).await.refused();

    let mut running = Party::start(&app, "perudo", 2, json!({})).await;
    running.step().await;
    running.players[0].post(&running.path("/abort"), json!({})).await.refused();
    let shown = app.owner().await.post(&running.path("/abort"), json!({ "reason": "the café closes" })).await.is(200);
    assert_eq!(shown["status"], "aborted");
    record_holds(&running).await;
    let logged = app.database().with(|client| {
        let found = client.query("SELECT details->>'reason' FROM audit_log WHERE action = 'match.abort'", &[]);
        found.expect("there is an audit log").iter().map(|row| row.get::<_, Option<String>>(0)).collect::<Vec<_>>()
    });
    assert_eq!(logged, [Some("the café closes".to_owned())]);
}

#[tokio::test]
async fn lists_are_paged_and_filtered() {
    let app = TestApp::start();
    let maker = app.guest("하늘").await;
    let mut made = Vec::new();
    for number in 0..5 {
        let game = if number % 2 == 0 { "perudo" } else { "liars-dice" };
        let new = maker
            .post("/matches", json!({ "game": game, "seats": 2, "name": format!("match {number}") }))
            .await
            .is(201);
        made.push(new["id"].clone());
    }
    made.reverse();
    let mut listed = Vec::new();
    let mut cursor = String::new();
    loop {
        let page = maker.get(&format!("/matches?limit=2{cursor}")).await.is(200);
        let items = page["items"].as_array().expect("a page has items");
        assert!(items.len() <= 2);
        listed.extend(items.iter().map(|item| item["id"].clone()));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    assert_eq!(listed, made);
    let others = app.guest("Bea").await;
    assert_eq!(others.get("/matches?mine=true").await.is(200)["items"], json!([]));
    let dice = others.get("/matches?game=liars-dice&status=waiting").await.is(200);
    assert_eq!(dice["items"].as_array().map(Vec::len), Some(2));
    for wrong in ["limit=0", "limit=101", "limit=x", "cursor=%00", "status=unknown", "nonsense=1", "mine=perhaps"] {
        others.get(&format!("/matches?{wrong}")).await.refused();
    }
}

#[tokio::test]
async fn the_database_holds_what_must_always_hold() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    app.database().with(|client| {
        for wrong in [
            "UPDATE matches SET state = NULL",
            "UPDATE matches SET status = 'finished'",
            "UPDATE matches SET version = -1",
            "UPDATE matches SET seed = '\\x00'",
            "UPDATE matches SET commitment = sha256('')",
            "UPDATE matches SET code = 'A'",
            "UPDATE matches SET seat_count = 17",
            "UPDATE matches SET name = ''",
            "UPDATE matches SET variant_version = 1",
            "DELETE FROM matches",
            "TRUNCATE matches CASCADE",
            "UPDATE match_log SET version = version + 100",
            "DELETE FROM match_log",
            "TRUNCATE match_log",
            "INSERT INTO match_log SELECT * FROM match_log",
            "DELETE FROM match_seats",
            "UPDATE match_seats SET seat = 15",
        ] {
            assert!(client.batch_execute(wrong).is_err(), "the database allows {wrong}");
        }
    });
}

#[tokio::test]
async fn the_database_keeps_a_match_as_its_status_says() {
    let app = TestApp::start();
    let waiting = Party::gather(&app, "perudo", 2, json!({})).await;
    let running = Party::start(&app, "perudo", 2, json!({})).await;
    let mut finished = Party::start(&app, "perudo", 2, json!({})).await;
    finished.play_to_the_end().await;
    let of_all = ["status = 'paused'", "status = 'over', finished_at = now(), outcome = NULL"];
    let wrong: [(&str, &[&str]); 4] = [
        (&waiting.id, &["state = ''", "version = 1", "started_at = now()", "finished_at = now()", "outcome = '{}'"]),
        (&running.id, &["state = NULL", "to_move = 0", "moved_at = NULL", "started_at = NULL", "finished_at = now()"]),
        (&running.id, &["status = 'waiting'", "status = 'finished'", "status = 'aborted'", "outcome = '{}'"]),
        (&finished.id, &["state = NULL", "to_move = 1", "finished_at = NULL", "outcome = NULL", "status = 'expired'"]),
    ];
    app.database().with(|client| {
        for (id, changes) in wrong {
            for change in changes.iter().chain(&of_all) {
                let refused = client.batch_execute(&format!("UPDATE matches SET {change} WHERE id = '{id}'"));
                let refused = refused.expect_err(change);
                let broken = refused.as_db_error().and_then(|it| it.constraint());
                assert_eq!(broken, Some("matches_status_holds"), "{change}: {refused}");
            }
        }
    });
}
