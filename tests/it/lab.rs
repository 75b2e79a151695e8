//! The lab: it tries rules that nobody has asked about, answers who asks, and goes on where a process was lost.

use std::time::Duration;

use harness::{TestApp, Visitor, eventually, within};
use serde_json::{Value, json};

/// With a lab that also tries what nobody has asked about.
fn start_with_lab_ahead() -> TestApp {
    TestApp::start_with(|launch| launch.set("HOUSERULES_LAB_AHEAD", "on"))
}

/// A draft of a game whose matches are short.
async fn draft(owner: &Visitor, options: Value) -> String {
    let made =
        owner.post("/variants", json!({ "game": "hogu-clue", "name": "빠른 호구", "options": options })).await.is(201);
    made["id"].as_str().expect("it has an id").to_owned()
}

pub(crate) async fn answered(who: &Visitor, path: &str) -> Value {
    // It thinks with what others leave it: asking all the time would take that away.
    within(Duration::from_secs(300), "the lab has answered", async || {
        let lab = who.get(path).await.is(200);
        let is_over = lab["status"] == "finished";
        if !is_over {
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        is_over.then_some(lab)
    })
    .await
}

#[tokio::test]
async fn a_draft_is_tried_by_itself_and_the_verdict_is_on_its_page() {
    let app = start_with_lab_ahead();
    let (owner, pages) = (app.owner().await, app.owner_at_pages().await);
    let id = draft(&owner, json!({ "max_rounds": 1 })).await;
    let path = format!("/variants/{id}/versions/1/lab");
    let lab = answered(&owner, &path).await;
    assert_eq!((&lab["from"], &lab["search"], &lab["progress"].is_number()), (&Value::Null, &json!(false), &true));
    let report = &lab["report"];
    assert_eq!((&report["game"], &report["options"]["max_rounds"]), (&json!("hogu-clue"), &json!(1)));
    assert_eq!(report["policies"].as_array().map(Vec::len), Some(2), "random and house");
    assert!(report["against"]["differences"][0]["changed"]["share"].as_f64() > Some(0.1), "{report}");
    assert_eq!(lab["sentences"][0]["code"], "length");

    let page = pages.open(&format!("/admin/variants/{id}")).await.text();
    let sentence = pages.get(&path).await;
    assert!(page.contains("A match takes about "), "{page} {}", sentence.text());
    let shown = pages.open(&format!("/admin/variants/{id}/versions/1/lab")).await;
    assert_eq!(shown.status, 200);
    assert!(shown.text().contains("Wins by the order of play"), "{}", shown.text());

    // Nobody but staff knows of a draft; guests read how long it takes once it is published.
    assert_eq!(app.anybody().get(&path).await.status, 404);
    owner.post(&format!("/variants/{id}/publish"), json!({})).await.is(200);
    assert_eq!(app.anybody().get(&path).await.is(200)["status"], "finished");
    assert!(app.anybody().open(&format!("/rules/hogu-clue?variant={id}")).await.text().contains("about "));
    let rules = app.anybody().get(&format!("/games/hogu-clue/rules?variant={id}")).await.is(200);
    assert!(rules["minutes"].as_u64() > Some(0), "{rules}");
}

#[tokio::test]
async fn other_questions_are_asked_by_those_who_write_variants() {
    let app = start_with_lab_ahead();
    let owner = app.owner().await;
    let id = draft(&owner, json!({ "max_rounds": 2 })).await;
    let path = format!("/variants/{id}/versions/1/lab");
    answered(&owner, &path).await;
    assert_eq!(owner.post(&format!("{path}?seats=40"), json!({})).await.is(422)["code"], "invalid_seats");
    assert_eq!(owner.post(&format!("{path}?from=9"), json!({})).await.is(404)["code"], "variant_not_found");
    let guest = app.guest("하늘").await;
    assert_eq!(guest.post(&path, json!({})).await.is(403)["code"], "forbidden");

    let asked = format!("{path}?seats=3");
    let lab = owner.post(&asked, json!({})).await.is(202);
    assert!(lab["status"] == "waiting" || lab["status"] == "running", "{lab}");
    let lab = answered(&owner, &asked).await;
    assert_eq!((&lab["seats"], &lab["report"]["seats"]), (&json!(3), &json!(3)));

    // Against the version before.
    owner.post(&format!("/variants/{id}/publish"), json!({})).await.is(200);
    owner.post(&format!("/variants/{id}/versions"), json!({ "options": { "max_rounds": 3 } })).await.is(201);
    let against = format!("/variants/{id}/versions/2/lab?seats=2&from=1");
    owner.post(&against, json!({})).await.is(202);
    let lab = answered(&owner, &against).await;
    assert_eq!((&lab["from"], &lab["report"]["against"]["options"]["max_rounds"]), (&json!(1), &json!(2)));
    let audit = owner.get("/audit").await.is(200)["items"].to_string();
    assert_eq!(audit.matches("\"variant.lab\"").count(), 2, "what the lab asks by itself is nobody's doing: {audit}");
}

#[tokio::test]
async fn a_run_is_cancelled_and_asked_again() {
    let app = start_with_lab_ahead();
    let owner = app.owner().await;
    let id = draft(&owner, json!({ "max_rounds": 4 })).await;
    // Ten seats and bots that search take long.
    let slow = owner.post("/variants", json!({ "game": "animal-kingdom", "name": "숲" })).await.is(201);
    let path = format!("/variants/{}/versions/1/lab?search=true", slow["id"].as_str().expect("an id"));
    owner.post(&path, json!({})).await.is(202);
    let running = || async { owner.get(&path).await.is(200)["status"] == "running" };
    eventually("it runs", async || running().await.then_some(())).await;
    assert_eq!(owner.delete(&path).await.is(200)["status"], "cancelled");
    assert_eq!(owner.delete(&path).await.is(200)["status"], "cancelled", "again changes nothing");
    // The process is free for the next one.
    answered(&owner, &format!("/variants/{id}/versions/1/lab")).await;
    assert_eq!(owner.get(&path).await.is(200)["status"], "cancelled");
    assert_ne!(owner.post(&path, json!({})).await.is(202)["status"], "cancelled");
}

#[tokio::test]
async fn a_run_outlives_the_process_that_was_at_it() {
    let mut app = start_with_lab_ahead();
    let owner = app.owner().await;
    let id = draft(&owner, json!({ "max_rounds": 5 })).await;
    let path = format!("/variants/{id}/versions/1/lab");
    answered(&owner, &path).await;
    app.kill_and_replace();
    // As if a process had been killed at it a minute ago.
    app.database().with(|db| {
        let lost = "UPDATE lab_runs SET status = 'running', claim = gen_random_uuid(), report = NULL, \
                    beat_at = now() - interval '1 minute'";
        db.execute(lost, &[]).expect("it is changed");
    });
    let owner = app.owner().await;
    answered(&owner, &path).await;
}

#[tokio::test]
async fn without_work_ahead_it_tries_what_it_is_asked() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let id = draft(&owner, json!({ "max_rounds": 1 })).await;
    for seats in [2, 3] {
        let path = format!("/variants/{id}/versions/1/lab?seats={seats}");
        assert_eq!(owner.get(&path).await.is(200)["status"], Value::Null);
        owner.post(&path, json!({})).await.is(202);
        answered(&owner, &path).await;
    }
    let runs = app.database().with(|db| db.query_one("SELECT count(*) FROM lab_runs", &[]));
    assert_eq!(runs.expect("they are counted").get::<_, i64>(0), 2);
}
