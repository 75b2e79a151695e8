//! The tables of the floor: their order, their service, their codes on paper and their history.

use harness::{Browser, TestApp, Visitor, eventually};
use serde_json::{Value, json};

async fn make(owner: &Visitor, names: &[&str]) -> Vec<String> {
    let mut ids = Vec::new();
    for name in names {
        let made = owner.post("/tables", json!({ "name": name, "seats": 4 })).await.is(201);
        ids.push(made["id"].as_str().expect("a table has an id").to_owned());
    }
    ids
}

async fn order(owner: &Visitor) -> Vec<String> {
    let list = owner.get("/tables").await.is(200);
    let name = |table: &Value| table["name"].as_str().expect("a table has a name").to_owned();
    list["items"].as_array().expect("it is a list").iter().map(name).collect()
}

#[tokio::test]
async fn tables_are_ordered_by_buttons_and_by_number_and_back() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let ids = make(&owner, &["A", "B", "C", "D"]).await;
    let desk = app.owner_at_pages().await;
    let page = desk.open("/admin/tables").await;
    let place = async |table: usize, field: (&str, &str)| {
        let sent = desk.submit(&page, &format!("/admin/tables/{}/position", ids[table]), &[field]).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
        desk.open(sent.header("location")).await.text()
    };
    place(0, ("to", "down")).await;
    assert_eq!(order(&owner).await, ["B", "A", "C", "D"]);
    place(3, ("to", "up")).await;
    assert_eq!(order(&owner).await, ["B", "A", "D", "C"]);
    let told = place(2, ("place", "1")).await;
    assert_eq!(order(&owner).await, ["C", "B", "A", "D"]);
    let (_, rest) = told.split_once("action=\"/admin/undos/").expect("it can be undone");
    let undo = format!("/admin/undos/{}", rest.split_once('"').expect("it goes on").0);
    desk.submit(&page, &undo, &[("back", "/admin/tables")]).await;
    assert_eq!(order(&owner).await, ["B", "A", "D", "C"]);
    // At the ends, and beyond them, nothing is lost.
    place(1, ("to", "up")).await;
    place(2, ("to", "down")).await;
    place(1, ("place", "99999999")).await;
    assert_eq!(order(&owner).await, ["A", "D", "C", "B"]);
}

#[tokio::test]
async fn two_windows_change_a_table_without_undoing_each_other() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let ids = make(&owner, &["A"]).await;
    let (desk, path) = (app.owner_at_pages().await, format!("/admin/tables/{}", ids[0]));
    let table = async || {
        let table = owner.get(&format!("/tables/{}", ids[0])).await.is(200);
        json!([table["name"], table["area"], table["seats"]])
    };
    let page = desk.open("/admin/tables").await;
    assert_eq!(desk.edit(&page, &path, &[("seats", "6")]).await.status, 303);
    assert!(!desk.open("/admin/tables").await.text().contains("omebody else has changed"));
    // The other window was opened before that.
    assert_eq!(desk.edit(&page, &path, &[("area", "Deck")]).await.status, 303);
    assert!(desk.open("/admin/tables").await.text().contains("What somebody else has changed meanwhile"));
    assert_eq!(table().await, json!(["A", "Deck", 6]));
    // Two who change the same: the later one reads what is there now, and saves again.
    let mine = [("name", "B"), ("seats", "5")];
    let told = desk.edit(&page, &path, &mine).await;
    assert_eq!(told.status, 409, "{}", told.text());
    for seen in ["Somebody else has changed the same thing", "Now: 6", "name=\"seats\" value=\"5\"", "value=\"Deck\""] {
        assert!(told.text().contains(seen), "{seen}: {}", told.text());
    }
    assert_eq!(table().await, json!(["A", "Deck", 6]));
    assert_eq!(desk.edit(&told, &path, &mine).await.status, 303);
    assert_eq!(table().await, json!(["B", "Deck", 5]));
}

#[tokio::test]
async fn tables_are_dragged_to_another_place() {
    let app = TestApp::start();
    let owner = app.owner().await;
    make(&owner, &["A", "B", "C", "D"]).await;
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&app).await;
    browser.go(&format!("{}/admin/tables", app.url())).await;
    let grip = async |row: usize| {
        let script = format!(
            "const box = document.querySelectorAll('[data-grip]')[{row}].getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2]"
        );
        let at = browser.run(&script).await;
        (at[0].as_f64().expect("it is there"), at[1].as_f64().expect("it is there"))
    };
    let pointer = async |kind: &str, (x, y): (f64, f64)| {
        let what = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        browser.command("Input.dispatchMouseEvent", what).await;
    };
    // A quick hand passes several rows at once.
    for (from, to, moved) in [(0, 2, ["B", "C", "A", "D"]), (2, 0, ["A", "B", "C", "D"])] {
        browser.find("[data-grip]:not([hidden])").await;
        let (from, (x, y)) = (grip(from).await, grip(to).await);
        pointer("mousePressed", from).await;
        pointer("mouseMoved", (x, y + if y > from.1 { 15.0 } else { -15.0 })).await;
        pointer("mouseReleased", (x, y)).await;
        eventually(&format!("the order {moved:?}"), async || (order(&owner).await == moved).then_some(())).await;
        browser.sees("Undo").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_table_goes_out_of_service_with_a_reason_and_comes_back() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let ids = make(&owner, &["A"]).await;
    let desk = app.owner_at_pages().await;
    let page = desk.open("/admin/tables").await;
    let service = format!("/admin/tables/{}/service", ids[0]);
    assert_eq!(desk.submit(&page, &service, &[("reason", " ")]).await.status, 303);
    let table = async || owner.get(&format!("/tables/{}", ids[0])).await.is(200);
    assert_eq!(table().await["out_of_service"], Value::Null, "not without a reason");
    desk.submit(&page, &service, &[("reason", "<i>leg</i> broken")]).await;
    assert_eq!(table().await["out_of_service"], "<i>leg</i> broken");
    let floor = desk.open("/admin").await.text();
    assert!(floor.contains("Out of service") && floor.contains("broken") && !floor.contains("<i>leg"));
    desk.submit(&page, &service, &[]).await;
    assert_eq!(table().await["out_of_service"], Value::Null);
    // What was changed is taken back like any other deed.
    owner.patch(&format!("/tables/{}", ids[0]), json!({ "name": "Z", "seats": 9 })).await.is(200);
    let undo = owner.get("/undos").await.is(200)["items"][0].clone();
    assert_eq!(undo["action"], "table.change");
    owner.post(&format!("/undos/{}", undo["id"].as_str().expect("an id")), json!({})).await.is(200);
    assert_eq!((&table().await["name"], &table().await["seats"]), (&json!("A"), &json!(4)));
}

#[tokio::test]
async fn a_table_at_which_somebody_sits_stays_in_service_and_the_reason_in_its_field() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let ids = make(&owner, &["A", "B"]).await;
    owner.post(&format!("/tables/{}/sittings", ids[1]), json!({ "party_size": 2 })).await.is(201);
    let desk = app.owner_at_pages().await;
    let page = desk.open("/admin/tables").await;
    let service = format!("/admin/tables/{}/service", ids[1]);
    let refused = desk.submit(&page, &service, &[("reason", "A wobbly leg")]).await;
    assert_eq!(refused.status, 409);
    let html = refused.html();
    assert_eq!(html.matches("value=\"A wobbly leg\" aria-invalid=\"true\"").count(), 1, "{html}");
    assert!(html.contains("Somebody sits at this table."), "{html}");
    assert_eq!(html.matches("class=\"more\" open").count(), 1, "{html}");
    assert_eq!(owner.get(&format!("/tables/{}", ids[1])).await.is(200)["out_of_service"], Value::Null);
}

#[tokio::test]
async fn codes_are_printed_on_every_paper_and_open_the_tables_page() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let ids = make(&owner, &["A", "B", "C", "D", "E"]).await;
    let desk = app.owner_at_pages().await;
    for (paper, sheets) in [("per_page=1", 5), ("per_page=4", 2), ("per_page=8", 1), ("paper=receipt", 5)] {
        let page = desk.open(&format!("/admin/tables/qr?{paper}")).await.text();
        assert_eq!(page.matches("class=\"paper ").count(), sheets, "{paper}");
        assert_eq!(page.matches("class=\"qr\"").count(), 5, "{paper}");
    }
    let one = desk.open(&format!("/admin/tables/qr?paper=receipt&table={}", ids[2])).await.text();
    assert_eq!(one.matches("class=\"qr\"").count(), 1);
    let (_, rest) = one.split_once("alt=\"").expect("the picture says where it leads");
    let url = rest.split_once('"').expect("it ends").0;
    let page = app.anybody().open(&url[url.find("/t/").expect("to a table")..]).await;
    assert!(page.status == 200 && page.text().contains("<h1>C</h1>"));
    for wrong in ["per_page=0", "per_page=5", "paper=a5", "per_page=4&paper=receipt"] {
        assert_eq!(desk.open(&format!("/admin/tables/qr?{wrong}")).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn the_history_tells_all_that_was_and_pages_through_it() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let ids = make(&owner, &["A", "B"]).await;
    let guest = app.guest("하늘").await;
    let code = owner.get(&format!("/tables/{}", ids[0])).await.is(200)["code"].as_str().expect("a code").to_owned();
    let party = guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
    let sitting = party["sitting"]["id"].as_str().expect("an id").to_owned();
    guest.post("/matches", json!({ "game": "perudo", "seats": 2, "table_id": ids[0] })).await.is(201);
    guest.post(&format!("/sittings/{sitting}/calls"), json!({ "reason": "rules" })).await.is(201);
    let path = format!("/sittings/{sitting}");
    owner.patch(&path, json!({ "party_size": 3 })).await.is(200);
    let undo = owner.get("/undos").await.is(200)["items"][0]["id"].as_str().expect("an id").to_owned();
    owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    let desk = app.owner_at_pages().await;
    let history = async |table: usize| desk.open(&format!("/admin/tables/{}/history", ids[table])).await.text();
    let told = history(0).await;
    for said in ["A party of", "Perudo", "Explain the rules", "Changed the size of a party", "undone"] {
        assert!(told.contains(said), "{said}: {told}");
    }
    owner.patch(&path, json!({ "table_id": ids[1] })).await.is(200);
    assert!(history(0).await.contains("→ B"));
    assert!(history(1).await.contains("← A"));
    for size in 1..=50 {
        owner.patch(&path, json!({ "party_size": size + 1 })).await.is(200);
    }
    let first = history(1).await;
    assert_eq!(first.matches("past-done").count(), 40);
    let (_, rest) = first.split_once("/history?before=").expect("there is more");
    let before = rest.split_once('"').expect("it ends").0;
    let rest = desk.open(&format!("/admin/tables/{}/history?before={before}", ids[1])).await.text();
    assert_eq!(rest.matches("past-done").count(), 11, "and the move itself");
    assert!(first.contains("Further back") && !rest.contains("Further back"));
    assert_eq!(desk.open("/admin/tables/019f0000-0000-7000-8000-000000000000/history").await.status, 404);
    assert_eq!(app.anybody().open(&format!("/admin/tables/{}/history", ids[0])).await.status, 401);
}

#[tokio::test]
async fn a_photographed_code_is_replaced_and_the_party_stays() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "창가 9", "seats": 4 })).await.is(201);
    let (id, old) = (table["id"].as_str().expect("an id"), table["code"].as_str().expect("a code"));
    let guest = app.guest("Zoe").await;
    guest.post(&format!("/tables/by-code/{old}/members"), json!({ "party_size": 1 })).await.is(200);
    let renewed = owner.post(&format!("/tables/{id}/code"), json!({})).await.is(200);
    let new = renewed["code"].as_str().expect("a code");
    assert_ne!(new, old);
    assert_eq!(app.anybody().open(&format!("/t/{old}")).await.status, 404);
    assert_eq!(app.anybody().open(&format!("/t/{new}")).await.status, 200);
    let members = guest.get(&format!("/tables/by-code/{new}")).await.is(200);
    assert_eq!(members["sitting"]["members"][0]["id"], guest.id(), "{members}");
    guest.post(&format!("/tables/{id}/code"), json!({})).await.problem(403, "forbidden");
}
