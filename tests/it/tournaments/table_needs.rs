//! A table that somebody needs: they play there, staff are told where that cannot be, and nobody else knows of it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::event::{Event, entrants, new, single, swiss};
use super::ways_back::{last_step, state, undo};

/// Tables for two by name; the last stands in the hall.
async fn furnish(event: &Event) -> BTreeMap<&'static str, String> {
    let mut tables = BTreeMap::new();
    for name in ["창가", "구석", "안쪽", "문 옆"] {
        let mut table = json!({ "name": name, "seats": 2 });
        if name == "문 옆" {
            table["area"] = json!("홀");
        }
        let made = event.staff.post("/tables", table).await.is(201);
        tables.insert(name, made["id"].as_str().expect("an id").to_owned());
    }
    tables
}

async fn need(event: &Event, number: u64, need: Value) -> Value {
    event.staff.put(&event.path(&format!("/entrants/{number}/table")), need).await.is(200)
}

fn table_of(bouts: &[Value], entrant: u64) -> String {
    let bout = bouts.iter().find(|it| entrants(it).contains(&entrant)).expect("they play");
    bout["table"]["name"].as_str().unwrap_or("none").to_owned()
}

#[tokio::test]
async fn who_needs_a_table_plays_there_round_after_round() {
    let event = Event::gather(new("perudo", json!([swiss(3)])), 6).await;
    let tables = furnish(&event).await;
    let before = event.look().await;
    need(&event, 6, json!({ "table_id": tables["안쪽"] })).await;
    let noted = need(&event, 5, json!({ "area": "홀" })).await;
    assert_eq!(noted["entrants"][4]["needs_area"], "홀");
    let undone = undo(&event, &last_step(&event).await).await;
    assert_eq!(undone["entrants"][4]["needs_area"], Value::Null);
    undo(&event, &last_step(&event).await).await;
    assert_ne!(state(&event.look().await), state(&before));
    event.begin().await;
    for _ in 0..2 {
        let (_, _, bouts) = event.next_round().await;
        if entrants(bouts.iter().find(|it| entrants(it).contains(&5)).expect("they play")).contains(&6) {
            assert_eq!(table_of(&bouts, 6), "안쪽", "one table before any of an area");
        } else {
            assert_eq!((table_of(&bouts, 6).as_str(), table_of(&bouts, 5).as_str()), ("안쪽", "문 옆"));
        }
        event.write_all(1, &bouts).await;
    }
    // Nobody but staff is told.
    let public = event.app.anybody().get(&event.path("")).await.is(200).to_string();
    assert!(!public.contains("needs_table") && !public.contains("needs_area"), "{public}");
    let export = event.app.anybody().get(&event.path("/export")).await.is(200).to_string();
    assert!(!export.contains("needs_"), "{export}");
    let code = event.look().await["tournament"]["code"].as_str().expect("a code").to_owned();
    let page = event.app.anybody().open(&format!("/tournaments/{code}")).await.text();
    assert!(!page.contains("Table needed"), "{page}");
    // A copy knows it as well.
    let copy = event.staff.post(&event.path("/copy"), json!({ "entrants": true })).await.is(201);
    let path = format!("/tournaments/{}", copy["id"].as_str().expect("an id"));
    let copied = event.staff.get(&path).await.is(200);
    let of = |name: &Value| {
        let all = copied["entrants"].as_array().expect("it has entrants");
        all.iter().find(|it| &it["player"]["id"] == name).expect("they entered").clone()
    };
    assert_eq!(of(&noted["entrants"][5]["player"]["id"])["needs_table"], json!(tables["안쪽"]));
}

#[tokio::test]
async fn the_draft_says_whose_table_is_not_free() {
    let mut request = new("perudo", json!([single()]));
    let event = Event::gather(new("perudo", json!([single()])), 0).await;
    let tables = furnish(&event).await;
    request["table_ids"] = json!([tables["창가"], tables["구석"]]);
    let event = Event::gather_in(event.app, request, 4).await;
    need(&event, 1, json!({ "table_id": tables["안쪽"] })).await;
    need(&event, 2, json!({ "table_id": tables["문 옆"] })).await;
    event.begin().await;
    event.step("/pair").await.is(200);
    // A party sits at the one; the other is none of the tournament's own, and is used all the same.
    let party = json!({ "party_size": 2 });
    event.staff.post(&format!("/tables/{}/sittings", tables["문 옆"]), party).await.is(201);
    let desk = event.app.owner_at_pages().await;
    let at = format!("/admin/tournaments/{}/rounds/1/1", event.id);
    let draft = desk.open(&at).await.text();
    assert!(draft.contains("Lucía needs 문 옆") && !draft.contains("하늘 needs"), "{draft}");
    event.step("/stages/1/rounds/1/publish").await.is(200);
    let round = event.round(1, 1).await;
    let bouts = round["bouts"].as_array().expect("it has bouts");
    assert_eq!(table_of(bouts, 1), "안쪽");
    assert!(["창가", "구석"].contains(&table_of(bouts, 2).as_str()), "{round}");
    let shown = desk.open(&at).await.text();
    assert!(shown.contains("Lucía needs 문 옆"), "and so does the round itself: {shown}");
}

#[tokio::test]
async fn only_staff_note_a_table_and_only_one_that_there_is() {
    let event = Event::gather(new("perudo", json!([single()])), 2).await;
    let tables = furnish(&event).await;
    let path = event.path("/entrants/1/table");
    let refused = async |body: Value| {
        let answer = event.staff.put(&path, body).await.problem(422, "invalid_fields");
        (answer["errors"][0]["pointer"].clone(), answer["errors"][0]["code"].clone())
    };
    assert_eq!(refused(json!({ "area": "지붕" })).await, (json!("/area"), json!("unknown_value")));
    let unknown = json!({ "table_id": "0190a0a0-0000-7000-8000-000000000000" });
    assert_eq!(refused(unknown).await, (json!("/table_id"), json!("unknown_value")));
    let both = json!({ "table_id": tables["창가"], "area": "홀" });
    assert_eq!(refused(both).await, (json!("/area"), json!("unknown_field")));
    let own = json!({ "table_id": tables["창가"] });
    event.player(1).put(&path, own.clone()).await.problem(403, "forbidden");
    event.staff.put(&event.path("/entrants/9/table"), own.clone()).await.problem(404, "entrant_not_found");
    let mut old = own.clone();
    old["revision"] = json!(0);
    event.staff.put(&path, old).await.problem(409, "tournament_changed");
    // By the form, and away again.
    let desk = event.app.owner_at_pages().await;
    let address = format!("/admin/tournaments/{}/entrants", event.id);
    let page = desk.open(&address).await;
    let choice = format!("table {}", tables["구석"]);
    assert!(page.text().contains(&format!("value=\"{choice}\"")), "{}", page.text());
    let form = format!("{address}/1/table");
    assert_eq!(desk.submit(&page, &form, &[("place", &choice)]).await.status, 303);
    assert_eq!(event.look().await["entrants"][0]["needs_table"], json!(tables["구석"]));
    assert_eq!(desk.submit(&page, &form, &[("place", "")]).await.status, 303);
    assert_eq!(event.look().await["entrants"][0]["needs_table"], Value::Null);
}
