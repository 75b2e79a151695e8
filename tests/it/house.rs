//! What the house does of itself: it moves for those who let their time run out, and ends what everybody has forgotten.

use harness::{Party, TestApp};
use serde_json::{Value, json};

/// As if the match had been left alone for that much longer.
fn age(app: &TestApp, party: &Party, by: &str) {
    let aged = format!(
        "UPDATE matches SET moved_at = moved_at - interval '{by}', created_at = created_at - interval '{by}' WHERE id = '{0}';
         UPDATE match_clocks SET turn_since = turn_since - interval '{by}', deadline = deadline - interval '{by}' WHERE match_id = '{0}'",
        party.id
    );
    app.database().with(|client| client.batch_execute(&aged)).expect("it is there");
}

/// By whom each version was made.
fn made_by(app: &TestApp, party: &Party) -> Vec<String> {
    let made = format!("SELECT made_by FROM match_log WHERE match_id = '{}' ORDER BY version", party.id);
    let rows = app.database().with(|client| client.query(&made, &[])).expect("there is a log");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn who_lets_the_time_run_out_is_moved_for_and_the_next_has_all_of_theirs() {
    let app = TestApp::start();
    let mut party = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "turn_seconds": 3600 })).await;
    party.begin().await;
    assert_eq!(party.look().await["turn_seconds"], 3600);
    party.step().await;
    let (late, seen) = party.on_turn().await.expect("it goes on");
    let other = party.players[1 - late].clone();
    let path = party.path("/view?after=1&wait=30");
    let news = tokio::spawn(async move { other.get(&path).await.is(200) });
    age(&app, &party, "59 minutes");
    // Not yet: they may still move. But an hour is an hour.
    for unchanged in ["version", "view", "legal_moves"] {
        assert_eq!(party.see(late).await[unchanged], seen[unchanged]);
    }
    age(&app, &party, "2 minutes");
    assert_eq!(news.await.expect("it answers")["version"], 2);
    assert_eq!(made_by(&app, &party), ["house", "player", "house"]);
    // It is the other's turn now, or a new round's; they have moved on by nobody's hand but their own.
    party.step().await;
    assert_eq!(made_by(&app, &party), ["house", "player", "house", "player"]);
}

#[tokio::test]
async fn without_a_clock_nobody_is_hurried() {
    let mut app = TestApp::start();
    let patient = Party::start(&app, "perudo", 2, json!({})).await;
    let mut hurried = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "turn_seconds": 10 })).await;
    hurried.begin().await;
    let path = hurried.path("/view?after=0&wait=30");
    for party in [&patient, &hurried] {
        age(&app, party, "30 hours");
    }
    // Whichever process comes first.
    app.start_another();
    assert_eq!(hurried.players[0].get(&path).await.is(200)["version"], 1);
    assert_eq!(patient.look().await["version"], 0);
}

#[tokio::test]
async fn turns_last_from_ten_seconds_to_a_day() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    for (seconds, status) in [(9, 422), (10, 201), (86_400, 201), (86_401, 422), (i64::MAX, 422), (-10, 422)] {
        let new = json!({ "game": "perudo", "seats": 2, "turn_seconds": seconds });
        assert_eq!(guest.post("/matches", new).await.status, status, "{seconds}");
    }
}

#[tokio::test]
async fn a_match_in_which_nobody_moves_any_more_expires() {
    let mut app = TestApp::start_with(|launch| launch.set("HOUSERULES_RUNNING_HOURS", "5"));
    let mut forgotten = Party::start(&app, "perudo", 2, json!({})).await;
    let fresh = Party::start(&app, "perudo", 2, json!({})).await;
    forgotten.step().await;
    age(&app, &forgotten, "5 hours");
    age(&app, &fresh, "4 hours");
    // A clock of a day stands while no server runs: it still has most of its time then.
    let mut patient = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "turn_seconds": 86_400 })).await;
    patient.begin().await;
    let old = format!("UPDATE matches SET moved_at = moved_at - interval '5 hours' WHERE id = '{}'", patient.id);
    app.database().with(|client| client.batch_execute(&old)).expect("it is there");
    let mut stream = forgotten.players[1].listen(&forgotten.path("/stream"), None).await;
    app.start_another();
    while stream.next_of("status").await.data["status"] != "expired" {}
    assert_eq!(patient.look().await["status"], "running");
    assert_eq!(forgotten.look().await["version"], 1);
    crate::matches::record_holds(&forgotten).await;
    forgotten.play(0, &json!({ "type": "dudo" })).await.problem(409, "match_not_running");
    assert_eq!(fresh.look().await["status"], "running");
}

#[tokio::test]
async fn a_match_for_which_nobody_comes_expires() {
    let mut app = TestApp::start();
    let forgotten = Party::gather(&app, "perudo", 2, json!({})).await;
    let fresh = Party::gather(&app, "perudo", 2, json!({})).await;
    forgotten.sit(0).await.is(201);
    age(&app, &forgotten, "25 hours");
    age(&app, &fresh, "23 hours");
    let mut stream = forgotten.players[1].listen(&forgotten.path("/stream"), None).await;
    assert_eq!(stream.next_of("status").await.data["status"], "waiting");
    // A process looks for them as it starts, and now and then.
    app.start_another();
    while stream.next_of("status").await.data["status"] != "expired" {}
    let shown = forgotten.look().await;
    assert_eq!((&shown["status"], &shown["outcome"]), (&json!("expired"), &Value::Null));
    forgotten.sit(1).await.problem(409, "match_not_waiting");
    forgotten.players[0].post(&forgotten.path("/start"), json!({})).await.problem(409, "match_over");
    assert_eq!(fresh.look().await["status"], "waiting");
}
