//! The plan of the floor: where tables stand, put there by hand, by keys and by numbers, and what the floor makes of it.

use harness::{Answer, Browser, Visitor, eventually};
use serde_json::{Value, json};

use crate::floor::{Floor, card, turn_to, undo};
use crate::permissions::hire;

fn place(table: &str, x: i64, y: i64) -> Value {
    json!({ "table_id": table, "x": x, "y": y, "width": 3, "height": 3, "shape": "square" })
}

async fn plan(owner: &Visitor, area: &Value) -> Value {
    let plans = owner.get("/floor-plans").await.is(200);
    plans["items"].as_array().expect("a list").iter().find(|it| it["area"] == *area).expect("a plan").clone()
}

async fn save(owner: &Visitor, version: &Value, tables: &[Value]) -> Answer {
    owner.put("/floor-plans", json!({ "version": version, "tables": tables })).await
}

/// Column, row, width and height of a table.
async fn stands(owner: &Visitor, table: &str) -> Option<[i64; 4]> {
    let plans = owner.get("/floor-plans").await.is(200);
    let plans = plans["items"].as_array().expect("a list").clone();
    let placed = plans.iter().flat_map(|plan| plan["tables"].as_array().expect("a list"));
    let here = placed.into_iter().find(|it| it["table_id"] == table)?;
    Some(["x", "y", "width", "height"].map(|name| here[name].as_i64().expect("a number")))
}

#[tokio::test]
async fn two_who_change_a_plan_do_not_overwrite_each_other() {
    let floor = Floor::open(3).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let first = plan(owner, &Value::Null).await["version"].clone();
    let saved = save(owner, &first, &[place(&tables[0], 1, 1)]).await.is(200);
    assert_ne!(saved["version"], first);
    save(owner, &first, &[place(&tables[1], 1, 1)]).await.problem(409, "plan_changed");
    assert_eq!(stands(owner, &tables[0]).await, Some([1, 1, 3, 3]));
    // Nobody is in the way of anybody in another area, or with a table that only came.
    owner.patch(&format!("/tables/{}", tables[2]), json!({ "area": "Terrace" })).await.is(200);
    let terrace = plan(owner, &json!("Terrace")).await["version"].clone();
    let tables_there = [place(&tables[2], 1, 1)];
    owner.put("/floor-plans", json!({ "area": "Terrace", "version": terrace, "tables": tables_there })).await.is(200);
    save(owner, &saved["version"], &[place(&tables[0], 5, 1), place(&tables[1], 1, 1)]).await.is(200);
    assert_eq!(stands(owner, &tables[0]).await, Some([5, 1, 3, 3]));
}

#[tokio::test]
async fn no_table_stands_on_another_nor_outside_the_plan() {
    let floor = Floor::open(2).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let version = plan(owner, &Value::Null).await["version"].clone();
    let refused = async |tables: &[Value], pointer: &str, code: &str| {
        let problem = save(owner, &version, tables).await.problem(422, "invalid_fields");
        assert_eq!((&problem["errors"][0]["pointer"], &problem["errors"][0]["code"]), (&json!(pointer), &json!(code)));
    };
    refused(&[place(&tables[0], 1, 1), place(&tables[1], 3, 3)], "/tables/1", "overlaps").await;
    refused(&[place(&tables[0], 15, 1)], "/tables/0/x", "not_within").await;
    refused(&[place("00000000-0000-7000-8000-000000000000", 1, 1)], "/tables/0/table_id", "unknown_value").await;
    let (staff, _) = (hire(&floor.app, owner, "staff").await.1, ());
    save(&staff, &version, &[place(&tables[0], 1, 1)]).await.is(200);
    floor
        .app
        .guest("하늘")
        .await
        .put("/floor-plans", json!({ "version": version, "tables": [] }))
        .await
        .problem(403, "forbidden");
}

#[tokio::test]
async fn a_saved_plan_is_undone_unless_its_tables_were_moved_since() {
    let floor = Floor::open(2).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let version = async || plan(owner, &Value::Null).await["version"].clone();
    let newest = async || owner.get("/undos").await.is(200)["items"][0]["id"].as_str().expect("an id").to_owned();
    save(owner, &version().await, &[place(&tables[0], 1, 1)]).await.is(200);
    save(owner, &version().await, &[place(&tables[0], 5, 5), place(&tables[1], 1, 1)]).await.is(200);
    let second = newest().await;
    owner.post(&format!("/undos/{second}"), json!({})).await.is(200);
    assert_eq!((stands(owner, &tables[0]).await, stands(owner, &tables[1]).await), (Some([1, 1, 3, 3]), None));
    save(owner, &version().await, &[place(&tables[0], 9, 1)]).await.is(200);
    let third = newest().await;
    save(owner, &version().await, &[place(&tables[0], 1, 9)]).await.is(200);
    owner.post(&format!("/undos/{third}"), json!({})).await.problem(409, "cannot_undo");
    let lines = owner.get("/audit?action=table.plan").await.is(200);
    assert_eq!(lines["items"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn no_table_is_put_back_to_where_another_stands_by_now() {
    let floor = Floor::open(2).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let version = async || plan(owner, &Value::Null).await["version"].clone();
    let newest = async || owner.get("/undos").await.is(200)["items"][0]["id"].as_str().expect("an id").to_owned();
    save(owner, &version().await, &[place(&tables[0], 1, 1)]).await.is(200);
    save(owner, &version().await, &[place(&tables[0], 9, 1)]).await.is(200);
    let moved = newest().await;
    save(owner, &version().await, &[place(&tables[0], 9, 1), place(&tables[1], 2, 2)]).await.is(200);
    let placed = newest().await;
    owner.post(&format!("/undos/{moved}"), json!({})).await.problem(409, "cannot_undo");
    owner.post(&format!("/undos/{placed}"), json!({})).await.is(200);
    owner.post(&format!("/undos/{moved}"), json!({})).await.is(200);
    assert_eq!(stands(owner, &tables[0]).await, Some([1, 1, 3, 3]));
}

/// Left upper corner, width and height of an element.
async fn rectangle(browser: &Browser, css: &str) -> [f64; 4] {
    let script = format!(
        "const it = document.querySelector(\"{css}\").getBoundingClientRect(); return [it.x, it.y, it.width, it.height]"
    );
    let told = browser.run(&script).await;
    [0, 1, 2, 3].map(|at| told[at].as_f64().expect("a number"))
}

#[tokio::test]
async fn the_floor_shows_tables_where_they_stand_and_as_a_list_where_that_is_wanted() {
    let floor = Floor::open(4).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let version = plan(owner, &Value::Null).await["version"].clone();
    save(owner, &version, &[place(&tables[0], 9, 5), place(&tables[1], 1, 1), place(&tables[2], 9, 1)]).await.is(200);
    let cards: Vec<String> = tables.iter().map(|table| format!("[id='s{table}']")).collect();
    for (width, height) in [(768, 1024), (1024, 768), (1440, 900), (1920, 1080)] {
        let browser = Browser::open(width, height, "en").await;
        browser.sign_in(&floor.app).await;
        let [one, two, three, four] = [0, 1, 2, 3].map(|at| &cards[at]);
        let [one, two] = [rectangle(&browser, one).await, rectangle(&browser, two).await];
        let [three, four] = [rectangle(&browser, three).await, rectangle(&browser, four).await];
        assert!(
            one[0] == three[0] && two[1] == three[1] && one[1] > three[1] + three[3] && two[0] + two[2] < three[0],
            "{width}"
        );
        assert!(four[1] >= one[1] + one[3], "{width}: what has no place is below");
        let over = "return document.documentElement.scrollWidth - innerWidth";
        assert!(browser.run(over).await.as_i64().expect("a number") <= 0, "{width}");
        browser.close().await;
    }
    let phone = Browser::open(390, 844, "en").await;
    phone.sign_in(&floor.app).await;
    let [one, two] = [rectangle(&phone, &cards[0]).await, rectangle(&phone, &cards[1]).await];
    assert_eq!(one[1], two[1], "on a phone tables are side by side in a list");
    phone.close().await;

    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    browser.press("button[name='floor'][value='grid']").await;
    browser.find("button[name='floor'][value='plan']").await;
    assert_eq!(browser.run("return document.querySelectorAll('.plan').length").await, 0);
    browser.press("button[name='floor'][value='plan']").await;
    browser.find(".plan").await;
    // The evening is run on it as on the list, and another screen hears of it.
    let (first, second) = (card(&tables[0]), card(&tables[1]));
    browser.press(&format!("{first} h2 a")).await;
    browser.press(".sheet-of button[value='3']").await;
    browser.sees("Seated: Deck 1").await;
    turn_to(&browser, &first, "move").await;
    browser.press_saying(&format!("{second} .target"), "3 of 4").await;
    browser.sees("Moved: Deck 2").await;
    undo(&browser).await;
    assert_eq!(floor.size_at(0).await, Some(3));
    let version = plan(owner, &Value::Null).await["version"].clone();
    let before = rectangle(&browser, &cards[0]).await;
    save(owner, &version, &[place(&tables[0], 13, 1), place(&tables[1], 1, 1)]).await.is(200);
    eventually("the table elsewhere", async || (rectangle(&browser, &cards[0]).await[0] > before[0]).then_some(()))
        .await;
    browser.close().await;
}

#[tokio::test]
async fn tables_are_put_where_they_stand_by_hand_and_by_keys() {
    let floor = Floor::open(3).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    browser.go(&format!("{}/admin/tables/plan", floor.app.url())).await;
    let table = |at: usize| format!("li[data-table='{}']", tables[at]);
    // One tap each puts them side by side.
    for at in 0..3 {
        browser.press(&format!("#plan-tray > {}", table(at))).await;
        browser.find(&format!("#lattice > {}", table(at))).await;
    }
    browser.press(".plan-form .button.main").await;
    browser.sees("The floor plan is saved.").await;
    assert_eq!(stands(owner, &tables[1]).await, Some([4, 1, 3, 3]));

    let cell = rectangle(&browser, "#lattice").await[2] / 16.0;
    let pointer = async |kind: &str, (x, y): (f64, f64)| {
        let what = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        browser.command("Input.dispatchMouseEvent", what).await;
    };
    let drag = async |at: usize, columns: f64, rows: f64| {
        let [x, y, width, height] = rectangle(&browser, &format!("#lattice > {}", table(at))).await;
        let middle = (x + width / 2.0, y + height / 2.0);
        pointer("mousePressed", middle).await;
        pointer("mouseMoved", (middle.0 + columns * cell / 2.0, middle.1 + rows * 20.0)).await;
        pointer("mouseMoved", (middle.0 + columns * cell, middle.1 + rows * 40.0)).await;
        pointer("mouseReleased", (middle.0 + columns * cell, middle.1 + rows * 40.0)).await;
    };
    drag(1, 4.0, 4.0).await;
    // On another table it does not stay.
    drag(2, -6.0, 0.0).await;
    browser.run(&format!("document.querySelector(\"#lattice > {}\").focus()", table(0))).await;
    // Arrow right twice, and wider by one with Shift.
    browser.keys("\u{E014}\u{E014}").await;
    browser.keys("\u{E008}\u{E014}\u{E000}").await;
    browser.press(".plan-form .button.main").await;
    eventually("the plan", async || (stands(owner, &tables[1]).await == Some([8, 5, 3, 3])).then_some(())).await;
    assert_eq!(stands(owner, &tables[2]).await, Some([7, 1, 3, 3]));
    assert_eq!(stands(owner, &tables[0]).await, Some([3, 1, 4, 3]));
    browser.sees("The floor plan is saved.").await;

    // A tap takes one away, and the way back is as short as everywhere.
    browser.run(&format!("document.querySelector(\"#lattice > {}\").focus()", table(2))).await;
    browser.press("[data-do='off']").await;
    browser.press(".plan-form .button.main").await;
    eventually("the table gone", async || stands(owner, &tables[2]).await.is_none().then_some(())).await;
    browser.press(".note .undo button").await;
    eventually("the table back", async || stands(owner, &tables[2]).await).await;
    browser.close().await;
}

#[tokio::test]
async fn without_scripts_a_plan_is_made_by_numbers_or_with_one_button() {
    let floor = Floor::open(5).await;
    let (owner, tables) = (&floor.owner, &floor.tables);
    let desk = floor.app.owner_at_pages().await;
    let page = desk.open("/admin/tables/plan").await;
    let name = |field: &str, at: usize| format!("{field}-{}", tables[at]);
    let version = plan(owner, &Value::Null).await["version"].as_str().expect("a text").to_owned();
    let numbers = |texts: [&str; 4], version: &str| {
        let fields = ["x", "y", "width", "height"].into_iter().zip(texts);
        let fields = fields.map(|(field, text)| (name(field, 1), text.to_owned()));
        fields
            .chain([("version".to_owned(), version.to_owned()), ("area".to_owned(), String::new())])
            .collect::<Vec<_>>()
    };
    let send = async |fields: Vec<(String, String)>| {
        let fields: Vec<_> = fields.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        desk.submit(&page, "/admin/tables/plan", &fields).await
    };
    let refused = send(numbers(["15", "1", "3", "3"], &version)).await;
    assert_eq!(refused.status, 422);
    assert!(refused.html().contains("Deck 2: This must be between 1 and 14."), "{}", refused.html());
    assert!(refused.html().contains("value=\"15\""), "what was sent is still there");
    assert_eq!(send(numbers(["14", "2", "3", "4"], &version)).await.status, 303);
    assert_eq!(stands(owner, &tables[1]).await, Some([14, 2, 3, 4]));
    // Somebody who looked before that.
    let late = send(numbers(["1", "1", "3", "3"], &version)).await;
    assert_eq!(late.status, 409);
    assert!(late.html().contains("Somebody else has changed this plan"), "{}", late.html());
    // The rest of them at once, around it.
    let version = plan(owner, &Value::Null).await["version"].as_str().expect("a text").to_owned();
    let mut fields = numbers(["14", "2", "3", "4"], &version);
    fields.push(("arrange".to_owned(), "1".to_owned()));
    assert_eq!(send(fields).await.status, 303);
    let mut placed = Vec::new();
    for table in tables {
        placed.push(stands(owner, table).await.expect("all have a place"));
    }
    assert_eq!(placed, [[1, 1, 3, 3], [14, 2, 3, 4], [5, 1, 3, 3], [9, 1, 3, 3], [1, 5, 3, 3]]);
}
