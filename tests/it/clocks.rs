//! Clocks: the database's, kept by every process, fired once; and who leaves, for whom the autopilot plays on.

use harness::{Party, TestApp, eventually};
use serde_json::{Value, json};

/// As if this match's clock had run for that much longer.
fn wind(app: &TestApp, id: &str, seconds: f64) {
    let wound = format!(
        "UPDATE match_clocks SET turn_since = turn_since - {seconds} * interval '1 second',
         deadline = deadline - {seconds} * interval '1 second' WHERE match_id = '{id}'"
    );
    app.database().with(|client| client.batch_execute(&wound)).expect("it has a clock");
}

/// By whom each version was made.
fn made_by(app: &TestApp, id: &str) -> Vec<String> {
    let made = format!("SELECT made_by FROM match_log WHERE match_id = '{id}' ORDER BY version");
    let rows = app.database().with(|client| client.query(&made, &[])).expect("there is a log");
    rows.iter().map(|row| row.get(0)).collect()
}

/// One number out of the database.
fn number(app: &TestApp, query: &str) -> f64 {
    app.database().with(|client| client.query_one(query, &[])).expect("it is one").get(0)
}

async fn timed(app: &TestApp, seats: usize, terms: Value) -> Party {
    let mut new = json!({ "game": "perudo", "seats": seats, "turn_seconds": 600 });
    new.as_object_mut().expect("it is one").extend(terms.as_object().expect("it is one").clone());
    let mut party = Party::gather_for(app, new).await;
    party.begin().await;
    party
}

#[tokio::test]
async fn a_deadline_fires_once_however_many_processes_look() {
    let mut app = TestApp::start();
    let mut parties = Vec::new();
    for _ in 0..8 {
        parties.push(timed(&app, 2, json!({})).await);
    }
    for _ in 0..2 {
        app.start_another();
    }
    for party in &parties {
        wind(&app, &party.id, 700.0);
    }
    for party in &parties {
        assert_eq!(party.players[0].get(&party.path("/view?after=0&wait=30")).await.is(200)["version"], 1);
    }
    // The first of the processes dies, and another match's deadline is met all the same: meanwhile all have looked again.
    let last = timed(&app, 2, json!({})).await;
    app.server().kill();
    wind(&app, &last.id, 700.0);
    let survivor = last.players[0].at(app.url_of(1));
    assert_eq!(survivor.get(&last.path("/view?after=0&wait=30")).await.is(200)["version"], 1);
    for party in parties.iter().chain([&last]) {
        assert_eq!(made_by(&app, &party.id), ["house", "house"], "{}", party.id);
    }
}

#[tokio::test]
async fn what_a_seat_needs_beyond_its_turn_comes_from_its_reserve() {
    let app = TestApp::start();
    let mut party = timed(&app, 2, json!({ "reserve_seconds": 100 })).await;
    let shown = party.look().await;
    assert_eq!(shown["reserve_seconds"], 100);
    assert_eq!(shown["clock"]["reserves_ms"], json!([100_000, 100_000]));
    let (late, _) = party.on_turn().await.expect("it runs");
    wind(&app, &party.id, 660.0);
    party.step().await;
    let clock = party.look().await["clock"].clone();
    let left = clock["reserves_ms"][late].as_u64().expect("it is a number");
    assert!((20_000..=40_000).contains(&left), "{clock}");
    assert_eq!(clock["reserves_ms"][1 - late], 100_000);
    // Within the time of a move nothing is taken.
    wind(&app, &party.id, 500.0);
    party.step().await;
    assert_eq!(party.look().await["clock"]["reserves_ms"][1 - late], 100_000);
    // Then all of it, and the autopilot moves.
    while party.on_turn().await.expect("it runs").0 != late {
        party.step().await;
    }
    let before = party.look().await;
    wind(&app, &party.id, 641.0);
    let path = party.path(&format!("/view?after={}&wait=30", before["version"]));
    let after = party.players[late].get(&path).await.is(200);
    assert_eq!(after["clock"]["reserves_ms"][late], 0, "{after}");
    assert_eq!(made_by(&app, &party.id).last().map(String::as_str), Some("house"));
}

#[tokio::test]
async fn the_clock_is_told_by_the_databases_time() {
    let app = TestApp::start();
    let party = timed(&app, 2, json!({})).await;
    for clock in [party.look().await["clock"].clone(), party.see(0).await["clock"].clone()] {
        let at = |field: &str| {
            number(&app, &format!("SELECT extract(epoch FROM {}::timestamptz)::float8", quoted(&clock[field])))
        };
        assert!((at("deadline") - at("turn_since") - 600.0).abs() < 0.001, "{clock}");
        assert!((0.0..60.0).contains(&(at("now") - at("turn_since"))), "{clock}");
        assert!((number(&app, "SELECT extract(epoch FROM now())::float8") - at("now")).abs() < 60.0, "{clock}");
    }
    // A match without one tells nothing that changes by itself.
    let patient = Party::start(&app, "perudo", 2, json!({})).await;
    let clock = patient.look().await["clock"].clone();
    assert_eq!((&clock["deadline"], &clock["now"], &clock["reserves_ms"]), (&Value::Null, &Value::Null, &Value::Null));
    app.guest("Zoe")
        .await
        .post("/matches", json!({ "game": "perudo", "seats": 2, "reserve_seconds": 5 }))
        .await
        .refused();
}

fn quoted(text: &Value) -> String {
    format!("'{}'", text.as_str().expect("it is a time"))
}

#[tokio::test]
async fn who_lets_the_time_run_out_three_times_in_a_row_has_left() {
    let app = TestApp::start();
    let mut party = timed(&app, 2, json!({})).await;
    let gone = 1;
    run_out(&app, &mut party, gone).await;
    // From then on the autopilot moves at once, and the other finishes.
    party.play_on_without(gone).await;
    party.players[gone]
        .post(&party.path("/moves"), json!({ "move": { "type": "dudo" } }))
        .await
        .problem(403, "resigned");
    crate::matches::record_holds(&party).await;
}

/// The time of this seat's player runs out three times in a row.
async fn run_out(app: &TestApp, party: &mut Party, gone: usize) {
    let mut missed = 0;
    while missed < 3 {
        let (seat, seen) = party.on_turn().await.expect("it runs");
        if seat == gone {
            wind(app, &party.id, 700.0);
            party.players[0].get(&party.path(&format!("/view?after={}&wait=30", seen["version"]))).await.is(200);
            missed += 1;
            let left = party.look().await["seats"][gone]["left_why"].clone();
            assert_eq!(left, if missed < 3 { Value::Null } else { json!("timed_out") }, "{missed}");
        } else {
            party.step().await;
        }
    }
}

#[tokio::test]
async fn who_is_offered_their_own_seat_again_may_come_back_as_before() {
    let app = TestApp::start();
    let mut party = timed(&app, 2, json!({})).await;
    let (staff, gone) = (app.owner().await, 1);
    run_out(&app, &mut party, gone).await;
    let offer = json!({ "player_id": party.players[gone].id() });
    staff.post(&party.path(&format!("/seats/{gone}/offer")), offer).await.is(200);
    party.players[gone].post(&party.path("/seats"), json!({ "seat": gone })).await.is(201);
    let seat = party.look().await["seats"][gone].clone();
    assert_eq!((&seat["left_why"], &seat["stand_in"]), (&Value::Null, &Value::Null), "{seat}");
}

#[tokio::test]
async fn a_move_of_ones_own_starts_the_count_again() {
    let app = TestApp::start();
    let mut party = timed(&app, 2, json!({})).await;
    let mut turns = 0;
    while turns < 6 {
        let (seat, seen) = party.on_turn().await.expect("it runs");
        // Twice out of three times they are late.
        if seat == 1 && turns % 3 != 2 {
            wind(&app, &party.id, 700.0);
            party.players[0].get(&party.path(&format!("/view?after={}&wait=30", seen["version"]))).await.is(200);
        } else {
            party.step().await;
        }
        turns += u8::from(seat == 1);
        assert_eq!(party.look().await["seats"][1]["left_at"], Value::Null);
    }
}

#[tokio::test]
async fn the_time_that_all_processes_were_away_is_given_back_once() {
    let mut app = TestApp::start();
    let party = timed(&app, 2, json!({})).await;
    app.server().kill();
    const BEAT: &str = "SELECT extract(epoch FROM at)::float8 FROM clock_heartbeat";
    let (before, beat) = (deadline(&app, &party), number(&app, BEAT));
    // An hour passes.
    wind(&app, &party.id, 3600.0);
    app.database()
        .with(|client| client.batch_execute("UPDATE clock_heartbeat SET at = at - interval '1 hour'"))
        .expect("there is one");
    let there = app.start_another();
    app.start_another();
    let player = party.players[0].at(app.url_of(there));
    let shown = player.get(&party.path("")).await.is(200);
    assert_eq!(shown["version"], 0);
    let (after, now) = (deadline(&app, &party), number(&app, "SELECT extract(epoch FROM now())::float8"));
    assert!(after >= before && after <= before + (now - beat), "{before} {after} {beat} {now}");
    // And the clock goes on.
    wind(&app, &party.id, 700.0);
    assert_eq!(player.get(&party.path("/view?after=0&wait=30")).await.is(200)["version"], 1);
}

/// What the database holds once its clock has jumped by that much.
fn jump(app: &TestApp, by: &str) {
    let jumped = format!(
        "BEGIN; UPDATE clock_heartbeat SET at = at - interval '{by}'; UPDATE match_clocks SET \
         turn_since = turn_since - interval '{by}', deadline = deadline - interval '{by}'; COMMIT"
    );
    app.database().with(|client| client.batch_execute(&jumped)).expect("it is written");
}

/// In seconds since 1970.
fn deadline(app: &TestApp, party: &Party) -> f64 {
    number(
        app,
        &format!("SELECT extract(epoch FROM deadline)::float8 FROM match_clocks WHERE match_id = '{}'", party.id),
    )
}

#[tokio::test]
async fn a_clock_that_jumps_a_year_ahead_and_back_leaves_turns_as_long_as_they_were() {
    let app = TestApp::start();
    let party = timed(&app, 2, json!({})).await;
    let before = deadline(&app, &party);
    for by in ["-365 days", "365 days"] {
        jump(&app, by);
        let off = || (deadline(&app, &party) - before).abs();
        eventually("the clock as it was", async || off().lt(&600.0).then_some(())).await;
        assert!(off() < 60.0, "{by}: off by {} s", off());
    }
    assert_eq!(party.look().await["version"], 0);
}

/// What a move writes.
fn begin_a_turn(app: &TestApp, party: &Party) {
    let moved = format!("UPDATE matches SET version = 1, decision_since = 1 WHERE id = '{}'", party.id);
    app.database().with(|client| client.batch_execute(&moved)).expect("it is written");
}

#[tokio::test]
async fn a_turn_that_begins_before_a_jump_is_noticed_is_as_long_as_any() {
    let mut app = TestApp::start();
    let party = timed(&app, 2, json!({ "reserve_seconds": 100 })).await;
    app.server().kill();
    // The clock is set back, somebody moves, and it is set right again, and more than that.
    jump(&app, "-365 days");
    begin_a_turn(&app, &party);
    jump(&app, "365 days 1 hour");
    let there = app.start_another();
    party.players[0].at(app.url_of(there)).get(&party.path("")).await.is(200);
    let left = deadline(&app, &party) - number(&app, "SELECT extract(epoch FROM now())::float8");
    assert!((600.0..=700.0).contains(&left), "{left} s are left of 700");
}

#[tokio::test]
async fn a_jump_that_is_not_noticed_yet_costs_no_reserve() {
    let mut app = TestApp::start();
    let party = timed(&app, 2, json!({ "reserve_seconds": 100 })).await;
    app.server().kill();
    jump(&app, "1 hour");
    begin_a_turn(&app, &party);
    let used =
        format!("SELECT min(it)::float8 FROM match_clocks, unnest(reserves_ms) AS it WHERE match_id = '{}'", party.id);
    assert_eq!(number(&app, &used), 100_000.0);
}

#[tokio::test]
async fn between_a_move_and_its_deadline_one_of_them_wins() {
    let mut app = TestApp::start();
    let there = app.start_another();
    let mut won = Vec::new();
    for round in 0..12 {
        let party = timed(&app, 2, json!({})).await;
        let (seat, seen) = party.on_turn().await.expect("it runs");
        let player = party.players[seat].at(app.url_of(if round % 2 == 0 { 0 } else { there }));
        let (path, chosen) = (party.path("/moves"), seen["legal_moves"][0].clone());
        wind(&app, &party.id, 599.0 + f64::from(round) / 10.0);
        // Somewhere around the end of the time.
        let answer = player.post(&path, json!({ "move": chosen, "version": 0 })).await;
        party.players[0].get(&party.path("/view?after=0&wait=30")).await.is(200);
        let made = made_by(&app, &party.id);
        match answer.status {
            200 => assert_eq!(made[1], "player"),
            _ => {
                answer.problem(409, "version_conflict");
                assert_eq!(made[1], "house");
            }
        }
        won.push(made[1].clone());
        assert_eq!(made.len(), 2, "{made:?}");
    }
    assert!(won.contains(&"player".to_owned()), "{won:?}");
}

#[tokio::test]
async fn matches_that_are_stuck_keep_nobody_waiting() {
    let mut app = TestApp::start();
    app.server().forgive_errors();
    let (stuck, well) = (timed(&app, 2, json!({})).await, timed(&app, 2, json!({})).await);
    // Rules of another revision are what an upgrade may leave behind.
    let broken = format!("UPDATE matches SET revision = 999 WHERE id = '{}'", stuck.id);
    app.database().with(|client| client.batch_execute(&broken)).expect("it is there");
    wind(&app, &stuck.id, 700.0);
    let attempts = "SELECT coalesce(max(attempts), 0)::float8 FROM stuck_matches";
    eventually("the autopilot has tried", async || (number(&app, attempts) >= 1.0).then_some(())).await;
    let waits = "SELECT count(*)::float8 FROM stuck_matches WHERE next_attempt_at > now()";
    assert_eq!(number(&app, waits), 1.0, "it is left alone for a while");

    wind(&app, &well.id, 700.0);
    assert_eq!(well.players[0].get(&well.path("/view?after=0&wait=30")).await.is(200)["version"], 1);

    // As if it had been tried twice before.
    let tried = "UPDATE stuck_matches SET attempts = 2, next_attempt_at = now() - interval '1 second'";
    app.database().with(|client| client.batch_execute(tried)).expect("it is there");
    let pages = app.owner_at_pages().await;
    eventually("staff are told", async || {
        pages.open("/admin").await.text().contains("A match cannot go on by itself").then_some(())
    })
    .await;
    // What stops it is gone: it moves, and nothing is remembered.
    let mended = format!("UPDATE matches SET revision = (SELECT revision FROM matches WHERE id = '{}')", well.id);
    let again = "UPDATE stuck_matches SET next_attempt_at = now() - interval '1 second'";
    app.database().with(|client| client.batch_execute(&format!("{mended}; {again}"))).expect("it is there");
    assert_eq!(stuck.players[0].get(&stuck.path("/view?after=0&wait=30")).await.is(200)["version"], 1);
    eventually("it is forgotten", async || (number(&app, attempts) == 0.0).then_some(())).await;
}
