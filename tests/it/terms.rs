//! What is agreed when a match is made: who may know of it, who may watch and how late, what the seats are called; and once more.

use harness::{Party, TestApp, Visitor};
use serde_json::{Value, json};

async fn listed(visitor: &Visitor, query: &str) -> Vec<String> {
    let page = visitor.get(&format!("/matches?{query}")).await.is(200);
    let items = page["items"].as_array().expect("a page has items");
    items.iter().map(|item| item["id"].as_str().expect("a match has an id").to_owned()).collect()
}

/// Everything that is asked of a match by its address.
async fn ask_all(visitor: &Visitor, party: &Party) -> Vec<(String, u16, String)> {
    let mut answers = Vec::new();
    for rest in ["", "/view", "/view?after=0&wait=0", "/events", "/replay", "/stream", "/record", "/invitations"] {
        answers.push((format!("GET {rest}"), visitor.get(&party.path(rest)).await));
    }
    for rest in ["/seats", "/start", "/resign", "/abort", "/rematch"] {
        answers.push((format!("POST {rest}"), visitor.post(&party.path(rest), json!({})).await));
    }
    let moved = visitor.post(&party.path("/moves"), json!({ "move": { "type": "dudo" } })).await;
    answers.push(("POST /moves".into(), moved));
    let invited = visitor.post(&party.path("/invitations"), json!({ "player_id": visitor.id() })).await;
    answers.push(("POST /invitations".into(), invited));
    let taken_back = visitor.delete(&party.path(&format!("/invitations/{}", visitor.id()))).await;
    answers.push(("DELETE /invitations".into(), taken_back));
    answers.push(("DELETE /seats/me".into(), visitor.delete(&party.path("/seats/me")).await));
    let said = |(what, answer): (String, harness::Answer)| (what, answer.status, answer.text());
    answers.into_iter().map(said).collect()
}

#[tokio::test]
async fn of_a_private_match_nobody_knows_who_is_not_invited() {
    let app = TestApp::start();
    let new = json!({ "game": "perudo", "seats": 2, "visibility": "private" });
    let mut party = Party::gather_for(&app, new).await;
    let stranger = app.guest("Zoe").await;
    let mut nowhere = Party::gather(&app, "perudo", 2, json!({})).await;
    nowhere.id = uuid_like(&party.id);
    let code = party.look().await["code"].as_str().expect("it has a code").to_owned();
    // Before it is played, while it is played and after: the very answers to something that is not there.
    let nothing = ask_all(&stranger, &nowhere).await;
    for phase in ["waiting", "running", "over"] {
        match phase {
            "waiting" => {}
            "running" => {
                party.players[0]
                    .post(&party.path("/invitations"), json!({ "player_id": party.players[1].id() }))
                    .await
                    .is(204);
                assert_eq!(listed(&party.players[1], "invited=true").await, [party.id.as_str()]);
                party.begin().await;
            }
            _ => drop(app.owner().await.post(&party.path("/abort"), json!({})).await.is(200)),
        }
        let asked = ask_all(&stranger, &party).await;
        for ((what, status, text), (_, expected, expected_text)) in asked.iter().zip(&nothing) {
            assert_eq!((*status, *expected), (404, 404), "{phase} {what}: {text}");
            assert_eq!(text, expected_text, "{phase} {what}");
        }
        stranger.get(&format!("/matches/by-code/{code}")).await.problem(404, "match_not_found");
        for query in ["", "open=true", "game=perudo", &format!("player={}", party.players[0].id())] {
            assert!(!listed(&stranger, query).await.contains(&party.id), "{phase} {query}");
        }
        assert!(listed(&party.players[0], "").await.contains(&party.id));
        assert!(listed(&app.owner().await, "").await.contains(&party.id));
    }
}

/// Another id of the same form.
fn uuid_like(id: &str) -> String {
    let last = if id.ends_with('0') { '1' } else { '0' };
    format!("{}{last}", &id[..id.len() - 1])
}

#[tokio::test]
async fn who_is_invited_knows_and_sits_down_and_who_no_longer_is_does_not() {
    let app = TestApp::start();
    let host = app.guest("하늘").await;
    let new = json!({ "game": "perudo", "seats": 2, "visibility": "private" });
    let made = host.post("/matches", new).await.is(201);
    let path = |rest: &str| format!("/matches/{}{rest}", made["id"].as_str().expect("it has an id"));
    let (friend, other) = (app.guest("Lucía").await, app.guest("Bea").await);
    for _ in 0..2 {
        host.post(&path("/invitations"), json!({ "player_id": friend.id() })).await.is(204);
    }
    host.post(&path("/invitations"), json!({ "player_id": other.id() })).await.is(204);
    let invited = host.get(&path("/invitations")).await.is(200);
    assert_eq!(invited["items"].as_array().map(Vec::len), Some(2), "{invited}");
    // An invitation is not for the invited to hand on.
    friend.post(&path("/invitations"), json!({ "player_id": friend.id() })).await.problem(403, "forbidden");
    friend.post(&path("/seats"), json!({})).await.is(201);
    for who in [&friend, &other] {
        host.delete(&path(&format!("/invitations/{}", who.id()))).await.is(204);
    }
    friend.get(&path("")).await.is(200);
    other.get(&path("")).await.problem(404, "match_not_found");
    other.post(&path("/seats"), json!({})).await.problem(404, "match_not_found");
    let nobody = json!({ "player_id": uuid_like(friend.id()) });
    host.post(&path("/invitations"), nobody).await.problem(422, "unknown_player");
}

#[tokio::test]
async fn a_match_by_code_is_in_no_list_of_others_and_open_to_who_has_the_code() {
    let app = TestApp::start();
    let party = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "visibility": "code" })).await;
    let code = party.look().await["code"].as_str().expect("it has a code").to_owned();
    let friend = app.guest("Zoe").await;
    assert_eq!(listed(&friend, "").await, Vec::<String>::new());
    assert_eq!(listed(&party.players[0], "").await, [party.id.as_str()]);
    let found = friend.get(&format!("/matches/by-code/{code}")).await.is(200);
    assert_eq!((&found["id"], &found["visibility"]), (&json!(party.id), &json!("code")));
    friend.post(&party.path("/seats"), json!({})).await.is(201);
    assert_eq!(listed(&friend, "").await, [party.id.as_str()]);
}

#[tokio::test]
async fn spectators_see_as_late_as_was_agreed_and_all_of_it_in_the_end() {
    const LOOK: u64 = 3;
    let mut app = TestApp::start();
    let new = json!({ "game": "perudo", "seats": 3, "spectator_delay": 2, "turn_seconds": 3600 });
    let mut party = Party::gather_for(&app, new).await;
    party.begin().await;
    let there = app.start_another();
    let spectator = app.guest("Zoe").await.at(app.url_of(there));
    let staff = app.owner().await;
    let mut stream = spectator.listen(&party.path("/stream"), None).await;
    let mut live = vec![party.look().await];
    for version in 0..6_u64 {
        if version == LOOK {
            let look = format!(
                "INSERT INTO match_reveals (match_id, player_id, role, reason, version) VALUES ('{}', '{}', 'owner', 'A die fell', {LOOK})",
                party.id,
                staff.id()
            );
            app.database().with(|client| client.batch_execute(&look)).expect("the match runs");
        }
        let shown = spectator.get(&party.path("")).await.is(200);
        let known = version.checked_sub(2);
        // When somebody looked tells how far the match was.
        let looks = |shown: &Value| shown["reveals"].as_array().map(Vec::len);
        assert_eq!(looks(&shown), Some(usize::from(known >= Some(LOOK))));
        assert_eq!(looks(&party.look().await), Some(usize::from(version >= LOOK)));
        assert_eq!(shown["version"], known.unwrap_or(0), "{shown}");
        assert_eq!(shown["clock"]["deadline"], Value::Null);
        let seen = known.map(|known| live[known as usize].clone());
        assert_eq!(shown.get("view"), seen.as_ref().and_then(|then| then.get("view")));
        assert_eq!(
            shown["clock"]["to_move"],
            seen.as_ref().map_or(Value::Null, |then| then["clock"]["to_move"].clone())
        );
        // Nothing that was told or done since stands anywhere in what they get.
        let listed = spectator.get("/matches").await.is(200)["items"][0].clone();
        assert_eq!((&listed["version"], &listed["clock"]), (&json!(known.unwrap_or(0)), &Value::Null));
        let events = spectator.get(&party.path("/events")).await.is(200);
        assert_eq!(events["items"].as_array().map(Vec::len), Some(known.map_or(0, |known| known as usize + 1)));
        assert_eq!(events["next"], Value::Null);
        let past = spectator.get(&party.path("/replay")).await;
        match known {
            Some(known) => assert_eq!(past.is(200)["last_version"], known),
            None => drop(past.problem(409, "not_shown_yet")),
        }
        let newer = spectator.get(&party.path(&format!("/replay?version={}", version.saturating_sub(1)))).await;
        newer.refused();
        if let Some(known) = known {
            if known == LOOK {
                assert_eq!(looks(&stream.next_of("status").await.data), Some(1));
            }
            assert_eq!(stream.next_of("frame").await.data["version"], known);
        }
        // Who plays and who works here sees it as it is.
        assert_eq!(party.look().await["version"], version);
        assert_eq!(staff.get(&party.path("")).await.is(200)["version"], version);
        party.step().await;
        live.push(party.look().await);
    }
    staff.post(&party.path("/abort"), json!({})).await.is(200);
    assert_eq!(spectator.get(&party.path("")).await.is(200)["version"], 6);
    for version in 4..=6 {
        assert_eq!(stream.next_of("frame").await.data["version"], version);
    }
    assert_eq!(stream.next_of("status").await.data["status"], "aborted");
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn where_nobody_may_watch_nothing_is_seen_until_the_end() {
    let app = TestApp::start();
    let mut party = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "spectators": false })).await;
    party.begin().await;
    party.step().await;
    let outsider = app.guest("Zoe").await;
    let shown = outsider.get(&party.path("")).await.is(200);
    assert_eq!((&shown["status"], &shown["version"], &shown["clock"]), (&json!("running"), &json!(0), &Value::Null));
    assert_eq!(shown.get("view"), None);
    assert_eq!(outsider.get(&party.path("/events")).await.is(200)["items"], json!([]));
    outsider.get(&party.path("/replay")).await.problem(409, "not_shown_yet");
    party.play_to_the_end().await;
    assert!(outsider.get(&party.path("")).await.is(200)["view"].is_object());
    assert!(outsider.get(&party.path("/replay")).await.is(200)["view"].is_object());
}

#[tokio::test]
async fn seats_have_the_names_that_they_were_given() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    let new = |names: Value| json!({ "game": "perudo", "seats": 2, "seat_names": names });
    let made = guest.post("/matches", new(json!(["  빨강  ", "Azul"]))).await.is(201);
    assert_eq!((&made["seats"][0]["name"], &made["seats"][1]["name"]), (&json!("빨강"), &json!("Azul")));
    for wrong in [json!(["one"]), json!(["one", "two", "three"]), json!(["", "two"]), json!(["x".repeat(31), "two"])] {
        guest.post("/matches", new(wrong)).await.refused();
    }
    for (field, value) in [("spectator_delay", json!(-1)), ("spectator_delay", json!(1001)), ("visibility", json!("x"))]
    {
        let mut wrong = json!({ "game": "perudo", "seats": 2 });
        wrong[field] = value;
        guest.post("/matches", wrong).await.refused();
    }
}

#[tokio::test]
async fn a_rematch_is_one_match_however_often_and_by_whomever_it_is_asked_for() {
    let mut app = TestApp::start();
    let new = json!({ "game": "perudo", "seats": 3, "visibility": "code", "seat_names": ["가", "나", "다"],
        "options": { "palifico": false }, "spectator_delay": 1 });
    let mut party = Party::gather_for(&app, new.clone()).await;
    party.begin().await;
    party.players[0].post(&party.path("/rematch"), json!({})).await.problem(409, "match_not_over");
    party.play_to_the_end().await;
    app.guest("Zoe").await.post(&party.path("/rematch"), json!({})).await.problem(403, "not_seated");
    let there = app.start_another();
    let asks = (0..9).map(|number| {
        let player = party.players[number % 3].at(if number % 2 == 0 { app.url() } else { app.url_of(there) });
        let path = party.path("/rematch");
        tokio::spawn(async move { player.post(&path, json!({})).await })
    });
    let mut made = Vec::new();
    let mut ids = Vec::new();
    for ask in asks.collect::<Vec<_>>() {
        let answer = ask.await.expect("it answers");
        made.push(answer.status);
        ids.push(answer.is(answer.status)["id"].clone());
    }
    made.sort_unstable();
    assert_eq!(made, [200, 200, 200, 200, 200, 200, 200, 200, 201]);
    ids.dedup();
    assert_eq!(ids.len(), 1);
    let again = party.players[1].get(&format!("/matches/{}", ids[0].as_str().expect("it is an id"))).await.is(200);
    assert_eq!((&again["status"], &again["rematch_of"]), (&json!("waiting"), &json!(party.id)));
    // Who sat second sits first.
    for seat in 0..3 {
        assert_eq!(again["seats"][seat]["player"]["id"], party.players[(seat + 1) % 3].id());
    }
    let before = party.look().await;
    for field in ["game", "options", "variant_hash", "visibility", "spectator_delay", "turn_seconds", "name"] {
        assert_eq!(again[field], before[field], "{field}");
    }
    assert_eq!(again["seats"][0]["name"], "가");
    // They sit there already, and may still add to its chance.
    let path = |rest: &str| format!("/matches/{}{rest}", ids[0].as_str().expect("it is an id"));
    party.players[1].post(&path("/seats"), json!({ "nonce": "행운" })).await.is(200);
    app.guest("Zoe").await.post(&path("/start"), json!({})).await.refused();
    // Who asked for it may be asleep.
    let creator = again["created_by"].as_str().expect("somebody made it");
    let other = party.players.iter().find(|it| it.id() != creator).expect("two of them");
    other.post(&path("/start"), json!({})).await.is(200);
    app.owner().await.post(&path("/abort"), json!({})).await.is(200);
    assert_eq!(other.get(&path("/record")).await.is(200)["nonces"], json!(["행운", null, null]));
}
