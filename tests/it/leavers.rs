//! Replacing a leaver: staff take a player off a seat, the autopilot plays on, and somebody else may take over.

use harness::{Party, TestApp, Visitor};
use serde_json::{Value, json};

async fn remove(staff: &Visitor, party: &Party, seat: usize) -> harness::Answer {
    staff.post(&party.path(&format!("/seats/{seat}/remove")), json!({ "reason": "집에 가셨어요" })).await
}

async fn offer(staff: &Visitor, party: &Party, seat: usize, to: &Visitor) -> harness::Answer {
    staff.post(&party.path(&format!("/seats/{seat}/offer")), json!({ "player_id": to.id() })).await
}

#[tokio::test]
async fn staff_take_a_player_off_their_seat_and_the_autopilot_plays_on() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let staff = app.owner().await;
    remove(&party.players[0], &party, 1).await.problem(403, "forbidden");
    staff.post(&party.path("/seats/1/remove"), json!({ "reason": " " })).await.problem(422, "invalid_fields");
    remove(&staff, &party, 2).await.problem(422, "invalid_seat");
    for _ in 0..2 {
        let shown = remove(&staff, &party, 1).await.is(200);
        assert_eq!(shown["seats"][1]["left_why"], "removed");
    }
    const NOTED: &str = "SELECT details FROM audit_log WHERE action = 'match.remove_player'";
    let noted: Vec<Value> = app
        .database()
        .with(|client| client.query("SELECT details::text FROM audit_log WHERE action = 'match.remove_player'", &[]))
        .expect(NOTED)
        .iter()
        .map(|row| serde_json::from_str(row.get(0)).expect("it is JSON"))
        .collect();
    assert_eq!(noted.len(), 1);
    assert_eq!((&noted[0]["reason"], &noted[0]["player"]), (&json!("집에 가셨어요"), &json!(party.players[1].id())));
    party.play_on_without(1).await;
    let record = crate::matches::record_holds(&party).await;
    assert_eq!(record["players"][1]["left_why"], "removed");
    // The log says which moves were made for the seat.
    let events = party.players[0].get(&party.path("/events")).await.is(200);
    let made = events["items"].as_array().expect("it has items").iter().map(|frame| frame["made_by"].clone());
    let made: Vec<_> = made.collect();
    assert!(made.contains(&json!("house")) && made.contains(&json!("player")), "{made:?}");
}

#[tokio::test]
async fn a_stand_in_who_agrees_plays_on_and_the_leaver_is_out() {
    let mut app = TestApp::start();
    let there = app.start_another();
    let new = json!({ "game": "perudo", "seats": 3, "visibility": "private" });
    let mut party = Party::gather_for(&app, new).await;
    for guest in &party.players[1..] {
        party.players[0].post(&party.path("/invitations"), json!({ "player_id": guest.id() })).await.is(204);
    }
    party.begin().await;
    let staff = app.owner().await;
    let (friend, other) = (app.guest("Zoe").await.at(app.url_of(there)), app.guest("Max").await);
    offer(&staff, &party, 2, &friend).await.problem(409, "seat_not_left");
    party.players[2].post(&party.path("/resign"), json!({})).await.is(200);
    // Nobody else at the match: they know what this seat must not.
    offer(&staff, &party, 2, &party.players[0]).await.problem(409, "player_of_match");
    offer(&party.players[0], &party, 2, &friend).await.problem(403, "forbidden");
    friend.post(&party.path("/seats"), json!({})).await.problem(404, "match_not_found");
    offer(&staff, &party, 2, &other).await.is(200);
    offer(&staff, &party, 2, &friend).await.is(200);
    // The earlier offer is no more.
    other.post(&party.path("/seats"), json!({ "seat": 2 })).await.problem(409, "match_not_waiting");
    friend.post(&party.path("/seats"), json!({ "seat": 1 })).await.problem(409, "match_not_waiting");
    friend.post(&party.path("/seats"), json!({ "seat": 2 })).await.is(201);
    let shown = friend.post(&party.path("/seats"), json!({})).await.is(200);
    assert_eq!(shown["seat"], 2);
    assert_eq!(shown["seats"][2]["player"]["id"], party.players[2].id());
    assert_eq!(shown["seats"][2]["stand_in"]["id"], friend.id());
    assert_eq!(shown["seats"][2]["left_why"], "resigned");
    let dice = friend.get(&party.path("/view")).await.is(200);
    assert_eq!(dice["seat"], 2);
    // A player who left sees what everybody does, and moves no more.
    party.players[2].get(&party.path("/view")).await.problem(403, "not_seated");
    let moved = json!({ "move": { "type": "dudo" } });
    party.players[2].post(&party.path("/moves"), moved).await.problem(403, "not_seated");
    let leaver = party.players[2].clone();
    party.players[2] = friend.clone();
    party.play_to_the_end().await;
    party.players[2] = leaver;
    let record = crate::matches::record_holds(&party).await;
    assert_eq!(record["players"][2]["id"], party.players[2].id());
    assert_eq!(record["players"][2]["stand_ins"][0]["id"], friend.id());
    assert_eq!(record["nonces"][2], json!(party.nonces[2]));
    assert!(friend.get("/matches?mine=true").await.is(200)["items"][0]["id"] == party.id);
}

#[tokio::test]
async fn who_left_may_be_asked_back_and_leave_again() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 3, json!({})).await;
    let staff = app.owner().await;
    let back = party.players[1].clone();
    back.post(&party.path("/resign"), json!({})).await.is(200);
    offer(&staff, &party, 1, &back).await.is(200);
    back.post(&party.path("/seats"), json!({ "seat": 1 })).await.is(201);
    assert_eq!(back.get(&party.path("/view")).await.is(200)["seat"], 1);
    for player in &party.players {
        player.post(&party.path("/resign"), json!({})).await.is(200);
    }
    assert_eq!(party.look().await["status"], "aborted");
    offer(&staff, &party, 1, &back).await.problem(409, "match_not_running");
}

#[tokio::test]
async fn nobody_plays_for_two_seats() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 4, json!({})).await;
    let (staff, seats) = (app.owner().await, party.path("/seats"));
    let (friend, next) = (app.guest("Zoe").await, app.guest("Max").await);
    for seat in [2, 3] {
        party.players[seat].post(&party.path("/resign"), json!({})).await.is(200);
        offer(&staff, &party, seat, &friend).await.is(200);
    }
    friend.post(&seats, json!({ "seat": 2 })).await.is(201);
    assert_eq!(friend.post(&seats, json!({})).await.is(200)["seat"], 2);
    friend.post(&seats, json!({ "seat": 3 })).await.problem(409, "already_seated");
    // Nor of one after the other.
    friend.post(&party.path("/resign"), json!({})).await.is(200);
    offer(&staff, &party, 2, &next).await.is(200);
    next.post(&seats, json!({ "seat": 2 })).await.is(201);
    friend.post(&seats, json!({ "seat": 3 })).await.problem(409, "match_not_waiting");
    offer(&staff, &party, 3, &friend).await.problem(409, "player_of_match");
}

#[tokio::test]
async fn a_stand_in_may_play_again_and_become_somebody_else() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let (staff, seats) = (app.owner().await, party.path("/seats"));
    let friend = app.guest("Zoe").await;
    remove(&staff, &party, 1).await.is(200);
    offer(&staff, &party, 1, &friend).await.is(200);
    friend.post(&seats, json!({})).await.is(201);
    // While somebody watches, the seats are read once.
    let mut live = party.players[0].listen(&party.path("/stream"), None).await;
    live.next_of("frame").await;
    let account = json!({ "display_name": "조은", "email": "zoe@example.org", "password": "a long enough password" });
    let player = app.anybody().sign_in("/auth/register", account, 201).await;
    staff.post(&format!("/players/{}/merge", friend.id()), json!({ "into": player.id() })).await.is(204);
    let seen = player.get(&party.path("/view?after=-1&wait=1")).await.is(200);
    assert_eq!(seen["seat"], 1);
    party.players[1] = player;
    party.play_to_the_end().await;
    party.players[1].post(&party.path("/rematch"), json!({})).await.is(201);
}

#[tokio::test]
async fn staff_replace_a_leaver_at_the_page_of_the_match() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 3, json!({})).await;
    let desk = app.owner_at_pages().await;
    let seat = format!("/admin/matches/{}/seats/1", party.id);
    assert!(desk.open(&format!("/admin/matches/{}", party.id)).await.text().contains(&seat));
    let page = desk.open(&seat).await;
    for (reason, left) in [(" ", json!(null)), ("집에 가셨어요", json!("removed"))] {
        assert_eq!(desk.submit(&page, &format!("{seat}/remove"), &[("reason", reason)]).await.status, 303);
        assert_eq!(party.look().await["seats"][1]["left_why"], left);
    }
    let friend = app.guest("Zoe Standish").await;
    let (player, other) = (friend.id().to_owned(), party.players[0].id().to_owned());
    let found = desk.open(&format!("{seat}?q=Standi")).await;
    assert!(found.text().contains(&player));
    // Who left may come back; who sits elsewhere at the match is not among those to choose from, nor taken.
    let suggested = desk.open(&seat).await.text();
    assert!(suggested.contains(party.players[1].id()) && !suggested.contains(&other));
    let offer = format!("{seat}/offer");
    for (whom, answer) in [(&other, 409), (&player, 201)] {
        let sent = desk.submit(&found, &offer, &[("player", whom), ("reason", "대신 둡니다")]).await;
        assert_eq!(sent.status, 303);
        let told = desk.open(sent.header("location")).await.text();
        assert_eq!(told.contains("note bad"), answer == 409, "{told}");
    }
    assert!(desk.open(&seat).await.text().contains("Zoe Standish"));
    friend.post(&party.path("/seats"), json!({ "seat": 1 })).await.is(201);
    let noted = app
        .database()
        .with(|client| {
            client.query_one("SELECT details ->> 'reason' FROM audit_log WHERE action = 'match.offer_seat'", &[])
        })
        .expect("it is in the audit log");
    assert_eq!(noted.get::<_, String>(0), "대신 둡니다");
}
