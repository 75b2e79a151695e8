//! Who plays: who has a place, who waits for one, who leaves; and who knows of a tournament.

use std::collections::BTreeSet;

use harness::Visitor;
use serde_json::{Value, json};

use super::event::{Event, entrants, new, single};

#[tokio::test]
async fn who_waits_gets_the_place_of_who_does_not_come() {
    let mut request = new("perudo", json!([single()]));
    request["most_entrants"] = json!(4);
    let event = Event::gather(request, 6).await;
    let statuses = async || -> Vec<String> {
        let all = event.app.anybody().get(&event.path("/entrants")).await.is(200);
        let status = |it: &Value| it["status"].as_str().expect("it has a status").to_owned();
        all["items"].as_array().expect("it has items").iter().map(status).collect()
    };
    assert_eq!(statuses().await, ["entered", "entered", "entered", "entered", "waiting", "waiting"]);
    event.player(6).post(&event.path("/entrants/me/check-in"), json!({})).await.problem(409, "check_in_not_open");
    event.player(2).delete(&event.path("/entrants/me")).await.is(200);
    assert_eq!(statuses().await, ["entered", "dropped", "entered", "entered", "entered", "waiting"]);
    event.step("/check-in").await.is(200);
    for number in [1, 3, 6] {
        for _ in 0..2 {
            event.player(number).post(&event.path("/entrants/me/check-in"), json!({})).await.is(200);
        }
    }
    event.staff.post(&event.path("/entrants/4/check-in"), json!({})).await.is(200);
    event.player(5).post(&event.path("/entrants/4/check-in"), json!({})).await.problem(403, "forbidden");
    event.step("/start").await.is(200);
    // 5 had a place and did not come, 6 waited for one and was there.
    assert_eq!(statuses().await, ["checked_in", "dropped", "checked_in", "checked_in", "no_show", "checked_in"]);
    let (_, _, bouts) = event.next_round().await;
    assert_eq!(bouts.iter().flat_map(entrants).collect::<BTreeSet<_>>(), BTreeSet::from([1, 3, 4, 6]));
    event.step("/start").await.problem(409, "tournament_started");
    event.player(5).post(&event.path("/entrants/me/check-in"), json!({})).await.problem(409, "check_in_over");
}

#[tokio::test]
async fn nobody_but_staff_sees_what_is_drafted() {
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    let draft = event.staff.post("/tournaments", new("perudo", json!([single()]))).await.is(201);
    let hidden = format!("/tournaments/{}", draft["id"].as_str().expect("it has an id"));
    let (guest, anybody) = (event.app.guest("아무개").await, event.app.anybody());
    for who in [&guest, &anybody] {
        for rest in ["", "/entrants", "/stages/1/standings", "/export", "/stream"] {
            who.get(&format!("{hidden}{rest}")).await.problem(404, "tournament_not_found");
        }
        who.get(&format!("/tournaments/by-code/{}", draft["code"].as_str().expect("a code")))
            .await
            .problem(404, "tournament_not_found");
        let listed = who.get("/tournaments").await.is(200);
        assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
    }
    guest.post(&format!("{hidden}/entrants"), json!({})).await.problem(404, "tournament_not_found");
    assert_eq!(event.staff.get("/tournaments").await.is(200)["items"].as_array().map(Vec::len), Some(2));
    event.begin().await;
    event.step("/pair").await.is(200);
    let public = anybody.get(&event.path("")).await.is(200);
    assert_eq!((&public["rounds"], &public["next"]), (&json!([]), &Value::Null));
    for step in ["/registration", "/check-in", "/start", "/pair", "/discard", "/finish", "/cancel", "/next-stage"] {
        guest.post(&event.path(step), json!({})).await.problem(403, "forbidden");
        anybody.post(&event.path(step), json!({})).await.problem(401, "not_signed_in");
    }
    guest.post("/tournaments", new("perudo", json!([single()]))).await.problem(403, "forbidden");
    let adds = json!({ "display_name": "친구" });
    guest.post(&event.path("/entrants"), adds).await.problem(403, "forbidden");
}

#[tokio::test]
async fn whose_account_ends_plays_no_more_and_who_was_there_twice_is_not_one() {
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    let merge =
        |one: &Visitor, other: &Visitor| (format!("/players/{}/merge", one.id()), json!({ "into": other.id() }));
    let (path, body) = merge(event.player(1), event.player(2));
    event.staff.post(&path, body).await.problem(409, "met_in_tournament");
    let account = json!({ "email": "sora@example.org", "password": "a long enough password" });
    let stranger = event.app.anybody().sign_in("/auth/register", account, 201).await;
    let (path, body) = merge(event.player(3), &stranger);
    event.staff.post(&path, body).await.is(204);
    let entrants = event.app.anybody().get(&event.path("/entrants")).await.is(200);
    assert_eq!(entrants["items"][2]["player"]["id"], stranger.id());
    let kept = stranger.get("/auth/me/export").await.is(200);
    assert_eq!((&kept["tournaments"][0]["id"], &kept["tournaments"][0]["number"]), (&json!(event.id), &json!(3)));
    event.step("/start").await.is(200);
    event.next_round().await;
    event.player(4).delete("/auth/me").await.is(204);
    let entrants = event.app.anybody().get(&event.path("/entrants")).await.is(200);
    assert_eq!(
        (&entrants["items"][3]["status"], &entrants["items"][3]["player"]["deleted"]),
        (&json!("dropped"), &json!(true))
    );
}
