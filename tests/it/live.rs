//! News of a match: long poll and server-sent events, through whichever process they come.

use std::time::Duration;

use harness::{Party, TestApp, Visitor};
use serde_json::json;

/// The versions that a stream tells of, up to this one.
async fn versions(player: &Visitor, path: &str, last: Option<&str>, up_to: u64) -> Vec<u64> {
    let mut stream = player.listen(path, last).await;
    let mut heard = Vec::new();
    while heard.last() != Some(&up_to) {
        let frame = stream.next_of("frame").await;
        assert_eq!(frame.id, frame.data["version"].to_string());
        heard.push(frame.data["version"].as_u64().expect("a frame has a version"));
    }
    heard
}

#[tokio::test]
async fn a_stream_begins_with_what_has_happened_and_goes_on_without_a_gap() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    for _ in 0..3 {
        party.step().await;
    }
    let listener = party.players[1].clone();
    let path = party.path("/stream");
    let heard = tokio::spawn(async move { versions(&listener, &path, None, 6).await });
    for _ in 0..3 {
        party.step().await;
    }
    assert_eq!(heard.await.expect("it listens"), (0..=6).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_stream_resumes_where_it_was_broken_off() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    for _ in 0..5 {
        party.step().await;
    }
    let path = party.path("/stream");
    assert_eq!(versions(&party.players[0], &path, Some("2"), 5).await, [3, 4, 5]);
    assert_eq!(versions(&party.players[0], &format!("{path}?after=3"), None, 5).await, [4, 5]);
    // The header is what a browser sends when it comes again, so it knows better than the address.
    assert_eq!(versions(&party.players[0], &format!("{path}?after=0"), Some("4"), 5).await, [5]);
}

#[tokio::test]
async fn everybody_hears_a_frame_of_every_version_and_only_their_own_dice() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    let moves = party.play_to_the_end().await as u64;
    let path = party.path("/stream");
    let outsider = app.guest("Zoe").await;
    for (seat, listener) in party.players.iter().chain([&outsider]).enumerate() {
        let mut stream = listener.listen(&path, None).await;
        let mut heard = Vec::new();
        while let Some(sent) = stream.next().await {
            if sent.event != "frame" {
                continue;
            }
            heard.push(sent.data["version"].as_u64().expect("a frame has a version"));
            for event in sent.data["events"].as_array().expect("a frame has events") {
                assert!(event["type"] != "rolled" || event["seat"] == seat, "{seat} was told {event}");
            }
        }
        assert_eq!(heard, (0..=moves).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_stream_tells_of_the_start_and_of_the_end() {
    let app = TestApp::start();
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    let mut stream = party.players[0].listen(&party.path("/stream"), None).await;
    assert_eq!(stream.next_of("status").await.data["status"], "waiting");
    party.sit(0).await.is(201);
    party.sit(1).await.is(201);
    party.players[0].post(&party.path("/start"), json!({})).await.is(200);
    loop {
        let sent = stream.next_of("status").await;
        if sent.data["status"] == "running" {
            break;
        }
    }
    assert_eq!(stream.next_of("frame").await.data["version"], 0);
    party.play_to_the_end().await;
    loop {
        let sent = stream.next_of("status").await;
        if sent.data["status"] == "finished" {
            break;
        }
    }
    assert_eq!(stream.next().await, None, "it ends with the match");
}

#[tokio::test]
async fn the_stream_of_a_match_that_is_over_is_not_asked_for_again() {
    let app = TestApp::start();
    let aborted = Party::gather(&app, "perudo", 2, json!({})).await;
    aborted.players[0].post(&aborted.path("/abort"), json!({})).await.is(200);
    let mut played = Party::start(&app, "perudo", 2, json!({})).await;
    played.play_to_the_end().await;
    // Without frames and with them.
    for party in [&aborted, &played] {
        let path = party.path("/stream");
        let mut stream = party.players[0].listen(&path, None).await;
        let last = stream.next_of("status").await.id;
        assert_eq!(stream.next().await, None);
        assert!(party.players[0].try_listen(&path, Some(&last)).await.is_none(), "{last:?}");
    }
}

#[tokio::test]
async fn a_long_poll_waits_for_news_and_no_longer() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let waiting = party.players[1].clone();
    let path = party.path("/view?after=0&wait=20");
    let answer = tokio::spawn(async move { waiting.get(&path).await.is(200) });
    party.step().await;
    let moved = std::time::Instant::now();
    assert_eq!(answer.await.expect("it answers")["version"], 1);
    assert!(moved.elapsed() < Duration::from_secs(5));
    // Something newer is there already, so there is nothing to wait for.
    assert_eq!(party.players[0].get(&party.path("/view?after=0&wait=20")).await.is(200)["version"], 1);
    // Nothing happens: the same again, once the time is up.
    assert_eq!(party.players[0].get(&party.path("/view?after=1&wait=0.2")).await.is(200)["version"], 1);
    for wrong in ["wait=-1", "wait=x", "after=x", "after=1.5", "wait=1e999", "wait=NaN"] {
        party.players[0].get(&party.path(&format!("/view?{wrong}"))).await.refused();
    }
}

#[tokio::test]
async fn a_move_through_one_process_is_heard_through_another_within_a_second() {
    hear_of_a_move_elsewhere(TestApp::start()).await;
}

pub(crate) async fn hear_of_a_move_elsewhere(mut app: TestApp) {
    let there = app.start_another();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let listener = party.players[0].at(app.url_of(there));
    let mut stream = listener.listen(&party.path("/stream"), None).await;
    assert_eq!(stream.next_of("frame").await.data["version"], 0);
    let mut delays = Vec::new();
    // The middle one of five, so that a busy machine may stumble once.
    for version in 1..=5 {
        party.step().await;
        let moved = std::time::Instant::now();
        let heard = stream.next_of("frame").await.data;
        delays.push(moved.elapsed());
        assert_eq!(heard["version"], version);
    }
    delays.sort();
    assert!(delays[2] < Duration::from_secs(1), "{delays:?}");
}

#[tokio::test]
async fn when_a_process_is_killed_its_listeners_go_on_at_another() {
    go_on_at_another_process(TestApp::start()).await;
}

pub(crate) async fn go_on_at_another_process(mut app: TestApp) {
    let there = app.start_another();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let path = party.path("/stream");
    let mut stream = party.players[0].listen(&path, None).await;
    party.step().await;
    let mut last = String::new();
    while last != "1" {
        last = stream.next_of("frame").await.id;
    }
    app.server().kill();
    while stream.next().await.is_some() {}
    party.move_to(app.url_of(there));
    party.step().await;
    party.step().await;
    assert_eq!(versions(&party.players[0], &path, Some(&last), 3).await, [2, 3]);
    let view = party.players[1].get(&party.path("/view?after=2&wait=5")).await.is(200);
    assert_eq!(view["version"], 3);
}

#[tokio::test]
async fn stopping_does_not_wait_for_those_who_listen() {
    let mut app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let mut stream = party.players[0].listen(&party.path("/stream"), None).await;
    stream.next_of("frame").await;
    let waiting = party.players[1].clone();
    let path = party.path("/view?after=0&wait=30");
    let poll = tokio::spawn(async move { waiting.api(reqwest::Method::GET, &path).send().await.map(drop) });
    let started = std::time::Instant::now();
    assert!(app.server().stop().success());
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
    while stream.next().await.is_some() {}
    // Answered or cut off: it must not hang.
    poll.await.expect("it ends").ok();
}

#[tokio::test]
async fn the_news_of_a_match_with_a_clock_has_the_clock() {
    let app = TestApp::start();
    let mut party = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "turn_seconds": 600 })).await;
    party.begin().await;
    let spectator = app.guest("Zoe").await;
    let mut stream = spectator.listen(&party.path("/stream"), None).await;
    let first = stream.next_of("clock").await.data;
    assert_eq!((&first["version"], &first["clock"]["to_move"]), (&json!(0), &party.look().await["clock"]["to_move"]));
    party.step().await;
    let second = stream.next_of("clock").await.data;
    assert_eq!((&second["version"], &second["match_id"]), (&json!(1), &json!(party.id)));
    assert_ne!(second["clock"]["turn_since"], first["clock"]["turn_since"]);
    for field in ["deadline", "now"] {
        assert!(second["clock"][field].is_string(), "{second}");
    }
}

#[tokio::test]
async fn a_spectator_waits_for_the_next_version_without_a_stream() {
    let app = TestApp::start();
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    let spectator = app.guest("Zoe").await;
    let shown = party.path("");
    let wait = |after: i64| {
        let (spectator, path) = (spectator.clone(), format!("{shown}?after={after}&wait=30"));
        tokio::spawn(async move { spectator.get(&path).await.is(200) })
    };
    let started = wait(-1);
    party.begin().await;
    assert_eq!(started.await.expect("it waits")["status"], "running");
    let moved = wait(0);
    party.step().await;
    let moved = moved.await.expect("it waits");
    assert_eq!((&moved["version"], &moved["view"]), (&json!(1), &party.look().await["view"]));
    // With nothing new, the answer comes when the time is up.
    let same = spectator.get(&party.path("?after=1&wait=0.05")).await.is(200);
    assert_eq!(same["version"], 1);
    let wrong = spectator.get(&party.path("?wait=-1")).await.problem(400, "invalid_query");
    assert_eq!(wrong["errors"][0]["pointer"], "wait");
}
