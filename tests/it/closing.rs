//! Closing the day: what is listed, what is settled, what is left alone, and the way back; and notes for the next shift.

use harness::{Browser, TestApp, Visitor};
use serde_json::{Value, json};

use crate::library::copy_of;

/// An evening: two parties, one of which called and has a match that waits and a box; a match and a box that nobody minds.
struct Evening {
    app: TestApp,
    owner: Visitor,
    parties: Vec<String>,
    /// At the first party's table, and in the return zone.
    boxes: Vec<String>,
    /// The first party's, and nobody's.
    matches: Vec<String>,
}

fn id(thing: &Value) -> String {
    thing["id"].as_str().expect("it has an id").to_owned()
}

impl Evening {
    async fn begin() -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        let rate = json!({ "first_minutes": 60, "first_price": 3000, "step_minutes": 10, "step_price": 500, "day_pass": null });
        let tariff =
            json!({ "currency": "KRW", "grace_minutes": 0, "weekday": rate, "weekend": rate, "weekend_days": [] });
        owner.put("/cafe/tariff", tariff).await.is(200);
        let (mut parties, mut tables) = (Vec::new(), Vec::new());
        for (name, size) in [("1번", 2), ("2번", 3)] {
            let table = owner.post("/tables", json!({ "name": name, "seats": 4 })).await.is(201);
            let seated = owner.post(&format!("/tables/{}/sittings", id(&table)), json!({ "party_size": size })).await;
            parties.push(id(&seated.is(201)));
            tables.push(table);
        }
        let guest = app.guest("하늘").await;
        let code = tables[0]["code"].as_str().expect("it has a code");
        guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
        guest.post(&format!("/sittings/{}/calls", parties[0]), json!({ "reason": "bill" })).await.is(201);
        let theirs = json!({ "game": "perudo", "seats": 2, "table_id": tables[0]["id"] });
        let matches = vec![
            id(&guest.post("/matches", theirs).await.is(201)),
            id(&guest.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201)),
        ];
        let boxes = vec![copy_of(&owner, "페루도").await, copy_of(&owner, "라이어스 다이스").await];
        for copy in &boxes {
            owner.post(&format!("/library/copies/{copy}/lend"), json!({ "table_id": tables[0]["id"] })).await.is(200);
        }
        owner.post(&format!("/library/copies/{}/take_back", boxes[1]), json!({})).await.is(200);
        Evening { app, owner, parties, boxes, matches }
    }

    fn all_of_it(&self) -> Value {
        json!({
            "sittings": self.parties,
            "matches": [self.matches[1]],
            "copies": [{ "copy_id": self.boxes[0], "to": "lost" }, { "copy_id": self.boxes[1], "to": "shelf" }],
        })
    }

    async fn day(&self) -> Value {
        self.owner.get("/closing").await.is(200)
    }

    /// How each thing is now: parties, matches, boxes, calls.
    async fn states(&self) -> Vec<String> {
        let mut states = Vec::new();
        for party in &self.parties {
            states.push(self.owner.get(&format!("/sittings/{party}")).await.is(200)["ended"].to_string());
        }
        for play in &self.matches {
            states.push(self.owner.get(&format!("/matches/{play}")).await.is(200)["status"].to_string());
        }
        for copy in &self.boxes {
            states.push(self.owner.get(&format!("/library/copies/{copy}")).await.is(200)["state"].to_string());
        }
        states.push(self.owner.get("/calls").await.is(200)["items"].as_array().map_or(0, Vec::len).to_string());
        states
    }
}

fn count(day: &Value, what: &str) -> usize {
    day[what].as_array().expect("it is a list").len()
}

#[tokio::test]
async fn the_end_of_the_day_lists_what_is_open_and_what_there_was() {
    let evening = Evening::begin().await;
    let day = evening.day().await;
    let counts = ["sittings", "matches", "copies", "results", "tournaments"].map(|what| count(&day, what));
    assert_eq!(counts, [2, 1, 2, 0, 0], "{day}");
    assert_eq!((&day["figures"]["parties"], &day["figures"]["people"]), (&json!(2), &json!(5)));
    assert_eq!((&day["waiting"], &day["figures"]["owed"]), (&json!(1), &json!([])));
    evening.owner.delete(&format!("/sittings/{}", evening.parties[1])).await.is(200);
    let owed = evening.day().await["figures"]["owed"].clone();
    assert_eq!(owed, json!([{ "currency": "KRW", "total": 9000 }]));
}

#[tokio::test]
async fn closing_settles_what_it_lists_and_one_undo_brings_all_of_it_back() {
    let evening = Evening::begin().await;
    let before = evening.states().await;
    let closed = evening.owner.post("/closing", evening.all_of_it()).await.is(200);
    assert_eq!(closed["settled"], json!({ "sittings": 2, "matches": 1, "copies": 2 }));
    let left = ["\"left\"", "\"left\"", "\"aborted\"", "\"aborted\"", "\"lost\"", "\"shelf\"", "0"];
    assert_eq!(evening.states().await, left);
    let day = evening.day().await;
    assert_eq!(["sittings", "matches", "copies"].map(|what| count(&day, what)), [0; 3], "{day}");
    let undo = closed["undo"].as_str().expect("it can be undone");
    evening.owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    assert_eq!(evening.states().await, before);
    evening.owner.post(&format!("/undos/{undo}"), json!({})).await.problem(409, "undo_used");
}

#[tokio::test]
async fn boxes_that_an_undo_brings_back_have_been_out_since_they_were() {
    let evening = Evening::begin().await;
    let execute = |sql: &str| evening.app.database().with(|client| client.execute(sql, &[])).expect("it is written");
    execute("UPDATE copies SET since = since - interval '2 hours'");
    let out = evening.day().await["copies"].clone();
    let undo = async |closed: &Value| {
        let undo = closed["undo"].as_str().expect("it can be undone");
        evening.owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    };
    // Twice: the place that it came back to by an undo keeps its age as well.
    for _ in 0..2 {
        undo(&evening.owner.post("/closing", evening.all_of_it()).await.is(200)).await;
        assert_eq!(evening.day().await["copies"], out);
    }
    // It is the loan that was seen, so what was seen before all that still settles it.
    let seen = json!({ "copies": [{ "copy_id": evening.boxes[0], "to": "shelf", "since": out[0]["since"] }] });
    assert_eq!(out[0]["copy_id"], evening.boxes[0]);
    let closed = evening.owner.post("/closing", seen).await.is(200);
    assert_eq!(closed["settled"]["copies"], 1);
    // What was written before the time was kept can be undone, too.
    let older = "UPDATE undos SET undo_data = undo_data #- '{parts,0,since}' WHERE undo_data ->> 'to' = 'day' AND undone_at IS NULL";
    assert_eq!(execute(older), 1);
    undo(&closed).await;
    assert_eq!(evening.day().await["copies"][0]["copy_id"], evening.boxes[0]);
}

#[tokio::test]
async fn closing_is_undone_as_a_whole_or_not_at_all() {
    let evening = Evening::begin().await;
    let closed = evening.owner.post("/closing", evening.all_of_it()).await.is(200);
    let lost = format!("/library/copies/{}/find", evening.boxes[0]);
    evening.owner.post(&lost, json!({})).await.is(200);
    let states = evening.states().await;
    let undo = format!("/undos/{}", closed["undo"].as_str().expect("it can be undone"));
    evening.owner.post(&undo, json!({})).await.problem(409, "cannot_undo");
    assert_eq!(evening.states().await, states);
}

#[tokio::test]
async fn what_somebody_settled_meanwhile_is_passed_over() {
    let evening = Evening::begin().await;
    evening.owner.delete(&format!("/sittings/{}", evening.parties[0])).await.is(200);
    let closed = evening.owner.post("/closing", evening.all_of_it()).await.is(200);
    assert_eq!(closed["settled"], json!({ "sittings": 1, "matches": 1, "copies": 2 }));
    let again = evening.owner.post("/closing", evening.all_of_it()).await.is(200);
    assert_eq!((&again["settled"]["sittings"], &again["settled"]["matches"]), (&json!(0), &json!(0)));
}

#[tokio::test]
async fn a_box_that_a_colleague_brought_elsewhere_stays_there() {
    let evening = Evening::begin().await;
    let [found, broken] = [0, 1].map(|at| format!("/library/copies/{}", evening.boxes[at]));
    let before = evening.day().await;
    assert_eq!(before["copies"][0]["copy_id"], evening.boxes[0]);
    evening.owner.post(&format!("{found}/check_in"), json!({})).await.is(200);
    evening.owner.post(&format!("{broken}/repair"), json!({})).await.is(200);
    let closed = evening.owner.post("/closing", evening.all_of_it()).await.is(200);
    assert_eq!(closed["settled"]["copies"], 0);
    assert_eq!(evening.owner.get(&found).await.is(200)["state"], "shelf");
    assert_eq!(evening.owner.get(&broken).await.is(200)["state"], "repair");

    // Back on a table it is out, but it is not the loan that was seen.
    let copy = &evening.boxes[0];
    let seen = before["copies"][0]["since"].clone();
    evening.owner.post(&format!("{found}/lend"), json!({ "table_id": before["copies"][0]["table_id"] })).await.is(200);
    let settle = async |since: &Value| {
        let closing = json!({ "copies": [{ "copy_id": copy, "to": "shelf", "since": since }] });
        evening.owner.post("/closing", closing).await.is(200)["settled"]["copies"].clone()
    };
    assert_eq!(settle(&seen).await, 0);
    let day = evening.day().await;
    assert_eq!(day["copies"][0]["copy_id"], json!(copy), "{day}");
    assert_eq!(settle(&day["copies"][0]["since"]).await, 1);
}

#[tokio::test]
async fn a_box_on_a_table_that_was_put_away_is_still_out() {
    let evening = Evening::begin().await;
    let table = id(&evening.owner.post("/tables", json!({ "name": "3번", "seats": 4 })).await.is(201));
    let copy = copy_of(&evening.owner, "호구 클루").await;
    evening.owner.post(&format!("/library/copies/{copy}/lend"), json!({ "table_id": table })).await.is(200);
    evening.owner.patch(&format!("/tables/{table}"), json!({ "archived": true })).await.is(200);
    let day = evening.day().await;
    assert_eq!(count(&day, "copies"), 3, "{day}");
    let all = json!({ "copies": [{ "copy_id": copy, "to": "shelf" }] });
    assert_eq!(evening.owner.post("/closing", all).await.is(200)["settled"]["copies"], 1);
}

#[tokio::test]
async fn a_title_offers_no_undo_of_what_only_the_day_takes_back() {
    let evening = Evening::begin().await;
    let copy = evening.owner.get(&format!("/library/copies/{}", evening.boxes[1])).await.is(200);
    let at = format!("/admin/library/titles/{}", copy["title_id"].as_str().expect("of a title"));
    let desk = evening.app.owner_at_pages().await;
    let button = format!("/admin/library/copies/{}/undo", evening.boxes[1]);
    assert!(desk.open(&at).await.text().contains(&button));
    evening.owner.post("/closing", evening.all_of_it()).await.is(200);
    assert!(!desk.open(&at).await.text().contains(&button));
}

#[tokio::test]
async fn matches_that_run_and_tournaments_outlive_the_day() {
    let evening = Evening::begin().await;
    let (one, other) = (evening.app.guest("Bea").await, evening.app.guest("준").await);
    let made = one.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    for (seat, player) in [&one, &other].into_iter().enumerate() {
        player.post(&format!("/matches/{}/seats", id(&made)), json!({ "seat": seat })).await.is(201);
    }
    one.post(&format!("/matches/{}/start", id(&made)), json!({})).await.is(200);
    let mut all = evening.all_of_it();
    all["matches"] = json!([evening.matches[1], id(&made)]);
    let closed = evening.owner.post("/closing", all).await.is(200);
    assert_eq!(closed["settled"]["matches"], 1);
    assert_eq!(evening.owner.get(&format!("/matches/{}", id(&made))).await.is(200)["status"], "running");
}

#[tokio::test]
async fn the_page_closes_the_day_by_a_plain_form() {
    let evening = Evening::begin().await;
    let staff = evening.app.owner_at_pages().await;
    let page = staff.open("/admin/closing").await;
    for seen in ["1번", "2번", "Perudo", "6,000 KRW", "5 in 2 parties"] {
        assert!(page.text().contains(seen), "{seen}: {}", page.text());
    }
    let (party, lost, kept) = (
        format!("sitting-{}", evening.parties[0]),
        format!("box-{}", evening.boxes[0]),
        format!("box-{}", evening.boxes[1]),
    );
    let fields = [(party.as_str(), "on"), (lost.as_str(), "lost"), (kept.as_str(), "keep")];
    assert_eq!(staff.submit(&page, "/admin/closing", &fields).await.status, 303);
    let told = staff.open("/admin/closing").await.text();
    assert!(told.contains("one party · one box") && told.contains("/admin/undos/"), "{told}");
    let states = evening.states().await;
    assert_eq!(states[..2], ["\"left\"", "null"]);
    assert_eq!(states[4..6], ["\"lost\"", "\"return\""]);
}

#[tokio::test]
async fn a_note_for_the_next_shift_stands_on_the_floor_until_somebody_has_read_it() {
    let evening = Evening::begin().await;
    let staff = evening.app.owner_at_pages().await;
    let page = staff.open("/admin/closing").await;
    let said = "3번 테이블 다리가 흔들려요";
    assert_eq!(staff.submit(&page, "/admin/shift-notes", &[("text", said)]).await.status, 303);
    assert!(staff.open("/admin").await.text().contains(said));
    let notes = evening.owner.get("/shift-notes").await.is(200);
    let note = id(&notes["items"][0]);
    evening.owner.post(&format!("/shift-notes/{note}/read"), json!({})).await.is(200);
    evening.owner.post(&format!("/shift-notes/{note}/read"), json!({})).await.is(200);
    assert!(!staff.open("/admin").await.text().contains(said));
    // That was a slip of the finger.
    let undos = evening.owner.get("/undos").await.is(200);
    evening.owner.post(&format!("/undos/{}", id(&undos["items"][0])), json!({})).await.is(200);
    assert!(staff.open("/admin").await.text().contains(said));
    evening.owner.post("/shift-notes", json!({ "text": "" })).await.problem(422, "invalid_fields");
    let nobody = "00000000-0000-7000-8000-000000000000";
    evening.owner.post(&format!("/shift-notes/{nobody}/read"), json!({})).await.problem(404, "shift_note_not_found");
}

#[tokio::test]
async fn a_note_that_is_being_typed_is_left_as_the_day_is_closed() {
    let evening = Evening::begin().await;
    let staff = evening.app.owner_at_pages().await;
    let page = staff.open("/admin/closing").await;
    let party = format!("sitting-{}", evening.parties[0]);
    let close = async |note: &str| {
        let sent = staff.submit(&page, "/admin/closing", &[(party.as_str(), "on"), ("text", note)]).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
        staff.open("/admin/closing").await.text()
    };
    let ended = async || evening.owner.get(&format!("/sittings/{}", evening.parties[0])).await.is(200)["ended"].clone();
    let notes = async || {
        let notes = evening.owner.get("/shift-notes").await.is(200);
        notes["items"].as_array().expect("a list").iter().map(|it| it["text"].clone()).collect::<Vec<_>>()
    };
    // What cannot be a note closes nothing.
    assert!(close(&"x".repeat(301)).await.contains("A note is one line"));
    assert_eq!((ended().await, notes().await), (Value::Null, Vec::new()));
    let told = close("The till is 5 short").await;
    assert!(told.contains("The day is closed") && told.contains("The till is 5 short"), "{told}");
    assert_eq!((ended().await, notes().await), (json!("left"), vec![json!("The till is 5 short")]));
    close(" ").await;
    assert_eq!(notes().await.len(), 1);
}

#[tokio::test]
async fn enter_leaves_a_note_and_closes_nothing() {
    let evening = Evening::begin().await;
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&evening.app).await;
    browser.go(&format!("{}/admin/closing", evening.app.url())).await;
    let before = evening.states().await;
    browser.fill("#shift-note", "The till is 5 short").await;
    browser.keys("\u{e007}").await;
    browser.sees("The note is left.").await;
    assert_eq!(evening.states().await, before);
    browser.fill("#shift-note", "A bulb is missing").await;
    browser.press_saying("#closing button", "Close the day").await;
    browser.sees("The day is closed").await;
    for said in ["The till is 5 short", "A bulb is missing"] {
        assert!(browser.says("#shift-notes").await.contains(said), "{said}");
    }
    browser.close().await;
}

#[tokio::test]
async fn guests_neither_look_at_the_closing_nor_close() {
    let evening = Evening::begin().await;
    let guest = evening.app.guest("Bea").await;
    guest.get("/closing").await.problem(403, "forbidden");
    guest.post("/closing", evening.all_of_it()).await.problem(403, "forbidden");
    guest.get("/shift-notes").await.problem(403, "forbidden");
    let (_, staff) = crate::permissions::hire(&evening.app, &evening.owner, "staff").await;
    staff.post("/closing", evening.all_of_it()).await.is(200);
}
