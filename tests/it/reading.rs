//! Reading matches again and again: answers that are not sent twice, lists, and the past of a match through anybody's eyes.

use harness::{Answer, Party, TestApp, Visitor};
use reqwest::Method;
use serde_json::{Value, json};

/// GET by somebody who has the answer of this tag.
async fn get_again(visitor: &Visitor, path: &str, tag: &str) -> Answer {
    Answer::of(visitor.api(Method::GET, path).header("if-none-match", tag)).await
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let reader = party.players[0].clone();
    let (shown, view, events) = (party.path(""), party.path("/view"), party.path("/events"));
    let unmoved = ["/games", "/games/perudo", "/games/perudo/rules?lang=es"];
    let moved = [shown.as_str(), &view, &events, "/matches", "/matches?mine=true"];
    let mut tags = Vec::new();
    for path in unmoved.into_iter().chain(moved) {
        let first = reader.get(path).await;
        first.is(200);
        let tag = first.header("etag").to_owned();
        assert!(tag.starts_with('"') && tag.len() > 20, "{path}: {tag}");
        let again = get_again(&reader, path, &format!("\"other\", W/{tag}")).await;
        assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag.as_str()), "{path}");
        tags.push((path, tag));
    }
    party.step().await;
    for (path, tag) in tags {
        let status = if unmoved.contains(&path) { 304 } else { 200 };
        assert_eq!(get_again(&reader, path, &tag).await.status, status, "{path}");
    }
    // What another may not know changes nothing of the tag, and what is not told once is not a matter of tags.
    let refused = get_again(&app.anybody(), &shown, "*").await;
    refused.problem(401, "not_signed_in");
    assert_eq!(refused.header("etag"), "");
}

/// With each answer the harness asks the document, too.
#[tokio::test]
async fn a_table_has_a_tag_for_apps_and_what_is_streamed_has_none() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 4 })).await.is(201);
    let path = format!("/t/{}", table["code"].as_str().expect("a table has a code"));
    let ask = |tag: &str| {
        let request = app.anybody().page(Method::GET, &path).header("accept", "application/json");
        Answer::of(request.header("if-none-match", tag))
    };
    let first = ask("\"other\"").await;
    assert_eq!(first.is(200)["name"], "창가");
    let again = ask(first.header("etag")).await;
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, first.header("etag")));
    assert!(!first.header("etag").is_empty() && app.anybody().open(&path).await.header("etag").is_empty());
    let export = get_again(&owner, "/auth/me/export", "*").await;
    assert!(export.is(200)["profile"].is_object());
    assert_eq!((export.header("etag"), export.header("cache-control")), ("", "no-store"));
}

#[tokio::test]
async fn a_running_clock_is_no_change_and_heads_and_compressed_answers_are_the_same() {
    let app = TestApp::start();
    let new = json!({ "game": "perudo", "seats": 6, "turn_seconds": 600 });
    let mut party = Party::gather_for(&app, new).await;
    party.begin().await;
    // Whose turn it is has a long view: all their moves are in it.
    let mut reader = party.players[0].clone();
    for player in &party.players {
        let view = player.get(&party.path("/view")).await.is(200);
        if view["legal_moves"].as_array().is_some_and(|moves| !moves.is_empty()) {
            reader = player.clone();
        }
    }
    let reader = &reader;
    for path in [party.path(""), party.path("/view"), "/matches".to_owned()] {
        let first = reader.get(&path).await;
        assert!(first.text().contains("\"now\":"), "{path} has no clock: {}", first.text());
        let again = get_again(reader, &path, first.header("etag")).await;
        assert!(again.status == 304 && !again.header("date").is_empty(), "{path}: {}", again.status);
        let head = Answer::of(reader.api(Method::HEAD, &path)).await;
        assert_eq!((head.status, head.body.len(), head.header("etag")), (200, 0, first.header("etag")), "{path}");
        let zipped = Answer::of(reader.api(Method::GET, &path).header("accept-encoding", "gzip")).await;
        assert_eq!(zipped.header("etag"), format!("W/{}", first.header("etag")), "{path}");
        assert!(zipped.header("content-encoding") == "gzip" && zipped.body.starts_with(&[0x1f, 0x8b]), "{path}");
        assert!(zipped.body.len() * 2 < first.body.len(), "{path}: {} of {}", zipped.body.len(), first.body.len());
    }
    let tag = reader.get(&party.path("")).await.header("etag").to_owned();
    party.step().await;
    assert_eq!(get_again(reader, &party.path(""), &tag).await.status, 200);
    // Tokens stand beside a name that its owner chose: compressed, their length would tell of them.
    let body = json!({ "display_name": "하늘" });
    let signed_in = app.anybody().api(Method::POST, "/auth/guest").header("accept-encoding", "gzip").json(&body);
    assert_eq!(Answer::of(signed_in).await.header("content-encoding"), "");
    let page = Answer::of(app.anybody().page(Method::HEAD, "/rules/perudo")).await;
    assert_eq!((page.status, page.body.len()), (200, 0));
    assert!(Answer::of(app.anybody().api(Method::PUT, "/games")).await.header("allow").contains("HEAD"));
}

#[tokio::test]
async fn lists_are_filtered_by_what_is_open_and_by_who_sits_there() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let waiting = Party::gather(&app, "liars-dice", 2, json!({})).await;
    let over = Party::gather(&app, "perudo", 2, json!({})).await;
    over.sit(1).await.is(201);
    over.players[0].post(&over.path("/abort"), json!({})).await.is(200);
    let staff = app.owner().await;
    let ids = async |query: String| -> Vec<Value> {
        let page = staff.get(&format!("/matches?{query}")).await.is(200);
        page["items"].as_array().expect("a page has items").iter().map(|item| item["id"].clone()).collect()
    };
    assert_eq!(ids("open=true".into()).await, [json!(waiting.id), json!(party.id)]);
    assert_eq!(ids("open=true&status=aborted".into()).await, Vec::<Value>::new());
    assert_eq!(ids(format!("player={}", party.players[1].id())).await, [json!(party.id)]);
    assert_eq!(ids(format!("player={}", over.players[1].id())).await, [json!(over.id)]);
    // Somebody who only made it has no seat in it.
    assert_eq!(ids(format!("player={}", over.players[0].id())).await, Vec::<Value>::new());
    assert_eq!(ids(format!("player={}&status=waiting", over.players[1].id())).await, Vec::<Value>::new());
    for wrong in ["open=perhaps", "player=me", "player="] {
        staff.get(&format!("/matches?{wrong}")).await.refused();
    }
}

/// All frames through these eyes.
async fn frames(visitor: &Visitor, party: &Party, eyes: &str) -> Vec<Value> {
    let (mut frames, mut after) = (Vec::new(), -1);
    loop {
        let page = visitor.get(&party.path(&format!("/events?limit=7&after={after}{eyes}"))).await.is(200);
        frames.extend(page["items"].as_array().expect("a page has items").clone());
        match page["next"].as_str() {
            Some(next) => after = next.parse().expect("a cursor of events is a version"),
            None => return frames,
        }
    }
}

fn rolls(frames: &[Value]) -> Vec<&Value> {
    let events = frames.iter().flat_map(|frame| frame["events"].as_array().expect("a frame has events"));
    events.filter(|event| event["type"] == "rolled").collect()
}

#[tokio::test]
async fn after_the_end_anybody_looks_through_anybodys_eyes() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    let (outsider, staff) = (app.guest("Zoe").await, app.owner().await);
    for eyes in ["0", "omniscient"] {
        for onlooker in [&outsider, &staff, &party.players[1]] {
            for path in ["/events", "/replay"] {
                let path = party.path(&format!("{path}?as={eyes}"));
                onlooker.get(&path).await.problem(409, "match_not_over");
            }
        }
    }
    let moves = party.play_to_the_end().await;
    let versions = json!((0..=moves).collect::<Vec<_>>());
    for (eyes, sees) in [("", None), ("&as=public", None), ("&as=1", Some(1)), ("&as=omniscient", Some(3))] {
        let frames = frames(&outsider, &party, eyes).await;
        assert_eq!(json!(frames.iter().map(|frame| &frame["version"]).collect::<Vec<_>>()), versions, "{eyes}");
        let rolls = rolls(&frames);
        match sees {
            None => assert!(rolls.is_empty(), "{eyes}"),
            Some(3) => assert!((0..3).all(|seat| rolls.iter().any(|roll| roll["seat"] == seat))),
            Some(seat) => assert!(!rolls.is_empty() && rolls.iter().all(|roll| roll["seat"] == seat), "{eyes}"),
        }
    }
    let all = frames(&outsider, &party, "&as=omniscient").await;
    for frame in all {
        let count = |field: &str| frame[field].as_array().expect("they are listed").len();
        assert_eq!(count("events"), count("told_to"), "{frame}");
    }
    for wrong in ["as=3", "as=seat", "as=", "as=-1", "as=300"] {
        outsider.get(&party.path(&format!("/events?{wrong}"))).await.refused();
        outsider.get(&party.path(&format!("/replay?{wrong}"))).await.refused();
    }
}

#[tokio::test]
async fn a_replay_shows_what_was_seen_at_every_move() {
    for (game, seats) in [("perudo", 3), ("dead-mans-draw", 2)] {
        let app = TestApp::start();
        let mut party = Party::start(&app, game, seats, json!({})).await;
        let mut seen = Vec::new();
        loop {
            let mut views = Vec::new();
            for seat in 0..seats {
                views.push(party.see(seat).await["view"].clone());
            }
            seen.push((party.look().await["view"].clone(), views));
            // A seat may look back at its own side of a match that still runs.
            let last = seen.len() - 1;
            let replay = party.players[0].get(&party.path(&format!("/replay?version={}", last / 2))).await.is(200);
            assert_eq!((&replay["view"], &replay["as"]), (&seen[last / 2].1[0], &json!(0)));
            assert_eq!(replay["last_version"], last);
            let beyond = party.path(&format!("/replay?version={}", last + 1));
            party.players[0].get(&beyond).await.problem(404, "version_not_found");
            if seen.len() > 12 || party.step().await.is_none() {
                break;
            }
        }
        party.play_to_the_end().await;
        let anybody = app.guest("Zoe").await;
        for (version, (public, views)) in seen.iter().enumerate() {
            let replay = async |eyes: &str| {
                anybody.get(&party.path(&format!("/replay?version={version}&as={eyes}"))).await.is(200)
            };
            assert_eq!(&replay("public").await["view"], public);
            assert_eq!(&replay("1").await["view"], &views[1]);
            let all = replay("omniscient").await;
            assert_eq!((&all["view"], &all["seat_views"], &all["version"]), (public, &json!(views), &json!(version)));
        }
        let end = anybody.get(&party.path("/replay")).await.is(200);
        assert_eq!(end["view"], party.look().await["view"], "left out, it is the end");
    }
}

#[tokio::test]
async fn there_is_no_replay_of_what_was_not_played() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    party.players[0].get(&party.path("/replay")).await.problem(409, "match_not_running");
    party.players[0].post(&party.path("/abort"), json!({})).await.is(200);
    party.players[0].get(&party.path("/replay")).await.problem(409, "match_never_started");
    for wrong in ["version=-1", "version=x", "version=99999999999", "nonsense=1"] {
        party.players[0].get(&party.path(&format!("/replay?{wrong}"))).await.refused();
    }
    let nobody = "019f0000-0000-7000-8000-000000000000";
    party.players[0].get(&format!("/matches/{nobody}/replay")).await.problem(404, "match_not_found");
}

#[tokio::test]
async fn a_state_that_cannot_be_read_is_rebuilt_from_the_log() {
    let mut app = TestApp::start();
    app.server().forgive_errors();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    for _ in 0..6 {
        party.step().await;
    }
    let state = format!("SELECT state FROM matches WHERE id = '{}'", party.id);
    let state =
        || app.database().with(|client| client.query_one(&state, &[])).expect("it is there").get::<_, Vec<u8>>(0);
    let spoil = || {
        let spoilt = format!("UPDATE matches SET state = '\\x00' WHERE id = '{}'", party.id);
        app.database().with(|client| client.batch_execute(&spoilt)).expect("it is there");
    };
    let (before, view) = (state(), party.players[0].get(&party.path("/view")).await.is(200));

    spoil();
    assert_eq!(party.players[0].get(&party.path("/view")).await.is(200)["view"], view["view"]);
    assert_eq!(state(), before);
    spoil();
    let pages = app.owner_at_pages().await;
    assert_eq!(pages.open(&format!("/admin/matches/{}", party.id)).await.status, 200);
    assert_eq!(state(), before);
    let (seat, seen) = party.on_turn().await.expect("it runs");
    spoil();
    party.play(seat, &seen["legal_moves"][0]).await.is(200);
    spoil();
    app.owner().await.post(&party.path("/abort"), json!({ "reason": "It was broken." })).await.is(200);
}
