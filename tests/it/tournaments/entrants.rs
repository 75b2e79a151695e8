//! Who plays: who has a place, who waits for one, who leaves; and who knows of a tournament.

use std::collections::BTreeSet;

use harness::{Answer, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use super::event::{Event, entrants, new, single};
use super::ways_back::last_step;

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

/// Merges one into another while somebody does this, held up where each has what the other wants if they did not take it in
/// the same order. Gives what the merging was answered.
async fn merge_amid(
    event: &Event,
    (guest, player): (&Visitor, &Visitor),
    table: &str,
    deed: impl Future<Output = Answer>,
) -> Answer {
    let lock = event.app.database().lock(table);
    let (path, body) = (format!("/players/{}/merge", guest.id()), json!({ "into": player.id() }));
    let release = async {
        let both = async || (event.app.database().waiting() == 2).then_some(());
        eventually("both wait", both).await;
        drop(lock);
    };
    let (merged, done, ()) = tokio::join!(event.staff.post(&path, body), deed, release);
    assert!(done.status < 400, "{}", done.text());
    merged
}

#[tokio::test]
async fn merging_and_what_people_do_meanwhile_wait_for_each_other_in_one_order() {
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    let (ana, bea) = (event.app.guest("Ana").await, event.app.guest("Bea").await);
    // The one enters where the other is already: they have met then.
    let entrants_of = event.path("/entrants");
    let enters = ana.post(&entrants_of, json!({}));
    let refused = merge_amid(&event, (event.player(1), &ana), "tournament_entrants", enters).await;
    refused.problem(409, "met_in_tournament");
    // A round is published in which the guest plays.
    ana.delete(&event.path("/entrants/me")).await.is(200);
    event.begin().await;
    event.step("/pair").await.is(200);
    let publish = event.step("/stages/1/rounds/1/publish");
    merge_amid(&event, (event.player(2), &bea), "match_seats", publish).await.is(204);
    let matches = bea.get("/matches").await.is(200);
    let seated = matches["items"].as_array().expect("it has items").iter().filter(|it| it["seat"].is_number());
    assert_eq!(seated.count(), 1, "{matches}");
}

/// No matter who is first, nobody is told to try again, and nobody is in it under an account that is none any more.
#[tokio::test(flavor = "multi_thread")]
async fn many_are_merged_while_they_enter() {
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_POOL_SIZE", "12").set("HOUSERULES_WORKERS", "2"));
    let event = Event::gather_in(app, new("perudo", json!([single()])), 0).await;
    let mut people = Vec::new();
    for pair in 0..16 {
        let guest = event.app.guest(&format!("guest {pair}")).await;
        people.push((guest, event.app.guest(&format!("player {pair}")).await));
    }
    let enter = |who: &Visitor| Answer::of(who.api(Method::POST, &event.path("/entrants")).json(&json!({})));
    let mut tasks = Vec::new();
    for (guest, player) in &people {
        let merge = event.staff.api(Method::POST, &format!("/players/{}/merge", guest.id()));
        let merge = Answer::of(merge.json(&json!({ "into": player.id() })));
        let (one, other) = (enter(guest), enter(player));
        tasks.push(tokio::spawn(async move { tokio::join!(one, merge, other) }));
    }
    for task in tasks {
        let (one, merged, other) = task.await.expect("they are answered");
        other.is(201);
        match (merged.status, one.status) {
            (409, 201) => drop(merged.problem(409, "met_in_tournament")),
            (204, 201) => {}
            (204, 401) => drop(one.problem(401, "session_ended")),
            other => panic!("{other:?}: {} {}", merged.text(), one.text()),
        }
    }
    let ghosts =
        "SELECT count(*) FROM tournament_entrants JOIN players ON id = player_id WHERE merged_into IS NOT NULL";
    let ghosts = event.app.database().with(|client| client.query_one(ghosts, &[])).expect("it counts");
    assert_eq!(ghosts.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn nobody_is_let_back_in_whose_place_another_has_by_now() {
    let mut request = new("perudo", json!([single()]));
    request["most_entrants"] = json!(4);
    let event = Event::gather(request, 4).await;
    event.staff.delete(&event.path("/entrants/2")).await.is(200);
    let dropped = last_step(&event).await;
    let late = event.app.guest("도윤").await;
    late.post(&event.path("/entrants"), json!({})).await.is(201);
    let back = json!({ "step": dropped["revision"] });
    event.staff.post(&event.path("/undo"), back.clone()).await.problem(409, "tournament_full");
    assert_eq!(event.look().await["entrants"][1]["status"], "dropped");
    late.delete(&event.path("/entrants/me")).await.is(200);
    event.staff.post(&event.path("/undo"), back).await.is(200);
    assert_eq!(event.look().await["entrants"][1]["status"], "entered");
}
