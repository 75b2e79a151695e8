//! Reactions: what people at a match say to each other is heard by those who see it as it is, now or never.

use harness::{Answer, Party, TestApp, Visitor, eventually};
use serde_json::json;

async fn say(who: &Visitor, party: &Party, reaction: &str) -> Answer {
    who.post(&party.path("/reactions"), json!({ "reaction": reaction })).await
}

#[tokio::test]
async fn a_reaction_is_heard_in_every_process_and_leaves_no_trace() {
    hear_a_reaction_in_every_process(TestApp::start()).await;
}

pub(crate) async fn hear_a_reaction_in_every_process(mut app: TestApp) {
    let there = app.start_another();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let spectator = app.guest("Zoe").await.at(app.url_of(there));
    let (path, code) = (party.path("/stream"), party.look().await["code"].clone());
    let mut streams =
        [party.players[0].listen(&path, None).await, party.players[1].at(app.url_of(there)).listen(&path, None).await];
    let page = format!("/m/{}/live", code.as_str().expect("a match has a code"));
    let mut page = spectator.listen_to(&page, None).await;
    for stream in &mut streams {
        assert_eq!(stream.next_of("frame").await.id, "0");
    }
    page.next_of("changed").await;
    let before = party.look().await;
    say(&party.players[1], &party, "well_played").await.is(204);
    for stream in &mut streams {
        let heard = stream.next_of("reaction").await;
        assert_eq!(heard.data, json!({ "match_id": party.id, "seat": 1, "reaction": "well_played" }));
        assert_eq!(heard.id, "", "a stream resumes as if there had been none");
    }
    let heard = page.next_of("reaction").await.data;
    assert_eq!((&heard["seat"], &heard["name"]), (&json!(1), &json!(party.players[1].name())));
    assert!(heard["text"].as_str().is_some_and(|text| text.contains("잘했어요")), "{heard}");
    assert_eq!(party.look().await, before);
    // Who comes later hears of the match and of nothing else.
    let mut late = party.players[0].listen(&path, None).await;
    late.next_of("frame").await;
    party.step().await;
    loop {
        let sent = late.next().await.expect("the match goes on");
        assert_ne!(sent.event, "reaction");
        if sent.id == "1" {
            break;
        }
    }
    assert_eq!(streams[0].next_of("frame").await.id, "1");
}

#[tokio::test]
async fn people_without_a_seat_send_nothing_and_those_who_see_it_late_hear_nothing() {
    let app = TestApp::start();
    let new = json!({ "game": "perudo", "seats": 2, "spectator_delay": 3 });
    let mut party = Party::gather_for(&app, new).await;
    party.begin().await;
    let spectator = app.guest("Zoe").await;
    say(&spectator, &party, "wow").await.problem(403, "not_seated");
    say(&party.players[0], &party, "free text").await.refused();
    let unknown = "/matches/0199f0f0-1f5c-7c3a-9d0e-5f3f4b0c9a11/reactions";
    spectator.post(unknown, json!({ "reaction": "wow" })).await.problem(404, "match_not_found");
    let secret = json!({ "game": "perudo", "seats": 2, "visibility": "private" });
    let secret = Party::gather_for(&app, secret).await;
    say(&spectator, &secret, "wow").await.problem(404, "match_not_found");
    // The player hears it; when the first frame reaches the spectator, the reaction before it would have.
    let mut late = spectator.listen(&party.path("/stream"), None).await;
    let mut player = party.players[0].listen(&party.path("/stream"), None).await;
    late.next_of("status").await;
    say(&party.players[0], &party, "wow").await.is(204);
    player.next_of("reaction").await;
    for _ in 0..3 {
        party.step().await;
    }
    loop {
        let sent = late.next().await.expect("the match goes on");
        assert_ne!(sent.event, "reaction", "{sent:?}");
        if sent.event == "frame" {
            break;
        }
    }
}

#[tokio::test]
async fn after_the_end_people_hear_each_other_for_a_while_if_they_stay() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let path = party.path("/stream");
    let mut stays = party.players[0].listen(&format!("{path}?stay=true"), None).await;
    let mut leaves = party.players[0].listen(&path, None).await;
    party.play_to_the_end().await;
    while leaves.next().await.is_some() {}
    while stays.next_of("status").await.data["status"] != "finished" {}
    say(&party.players[1], &party, "one_more").await.is(204);
    assert_eq!(stays.next_of("reaction").await.data["reaction"], "one_more");
    let ended = "UPDATE matches SET finished_at = finished_at - interval '11 minutes'";
    app.database().with(|client| client.execute(ended, &[])).expect("it is there");
    say(&party.players[1], &party, "one_more").await.problem(409, "match_over");
}

#[tokio::test]
async fn a_seat_that_says_too_much_has_to_wait() {
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_RATE_LIMITS", "on"));
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let mut sent = 0;
    // On a slow machine some of it is free again meanwhile.
    let refused = loop {
        let answer = say(&party.players[0], &party, "laugh").await;
        if answer.status != 204 {
            break answer;
        }
        sent += 1;
    };
    assert!((10..100).contains(&sent), "{sent}");
    refused.problem(429, "too_many_requests");
    assert!(refused.header("retry-after").parse::<u32>().is_ok_and(|seconds| (1..=6).contains(&seconds)));
    say(&party.players[1], &party, "laugh").await.is(204);
    // What is said holds up no move.
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    party.play(seat, &seen["legal_moves"][0]).await.is(200);
}

#[tokio::test]
async fn staff_switch_them_off_and_a_banned_player_has_no_say() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let settings = |reactions: bool| json!({ "second_factor_required": false, "hours": [], "reactions": reactions });
    let phrases = app.anybody().get("/reactions?lang=en").await.is(200);
    let known = phrases["items"].as_array().expect("a list").clone();
    assert!(known.contains(&json!({ "reaction": "thanks", "text": "🙏 Thank you" })), "{known:?}");
    owner.put("/cafe", settings(false)).await.is(200);
    say(&party.players[0], &party, "thanks").await.problem(409, "reactions_off");
    assert_eq!(app.anybody().get("/cafe").await.is(200)["reactions"], json!(false));
    owner.put("/cafe", settings(true)).await.is(200);
    say(&party.players[0], &party, "thanks").await.is(204);
    let ban = format!("/players/{}/ban", party.players[0].id());
    owner.put(&ban, json!({ "reason": "소란" })).await.is(204);
    let is_stopped = async || (say(&party.players[0], &party, "thanks").await.status == 401).then_some(());
    eventually("a banned player's word is refused", is_stopped).await;
}
