//! The waiting list: who comes next and when, at the counter, on the guests' phones and at the door.

use harness::{Answer, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

/// A café whose tables have so many seats, all of them taken.
struct Cafe {
    app: TestApp,
    owner: Visitor,
    tables: Vec<Value>,
    sittings: Vec<Value>,
}

fn id(thing: &Value) -> &str {
    thing["id"].as_str().expect("it has an id")
}

/// A party's own page, without the address of the server.
fn own_page(party: &Value) -> String {
    let url = party["url"].as_str().expect("it has a page");
    url[url.find("/w/").expect("it leads there")..].to_owned()
}

/// Does the page say a time of day after these words?
fn says_when(page: &str, words: &str) -> bool {
    let said =
        page.split_once(words).and_then(|(_, rest)| rest.split_once(['<', '\n', '·'])).map(|(said, _)| said.trim());
    let shape = said.and_then(|it| it.split_whitespace().last()).unwrap_or_default().chars();
    shape.map(|it| if it.is_ascii_digit() { '0' } else { it }).eq("00:00".chars())
}

impl Cafe {
    async fn full(seats: &[u8]) -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        let (mut tables, mut sittings) = (Vec::new(), Vec::new());
        for (number, seats) in (1..).zip(seats) {
            let table = owner.post("/tables", json!({ "name": format!("{number}번"), "seats": seats })).await.is(201);
            let path = format!("/tables/{}/sittings", id(&table));
            sittings.push(owner.post(&path, json!({ "party_size": 1 })).await.is(201));
            tables.push(table);
        }
        Self { app, owner, tables, sittings }
    }

    async fn add(&self, name: &str, size: u8) -> Value {
        self.owner.post("/waiting", json!({ "name": name, "party_size": size })).await.is(201)
    }

    async fn say(&self, party: &Value, status: &str) -> Answer {
        self.owner.patch(&format!("/waiting/{}", id(party)), json!({ "status": status })).await
    }

    async fn seat(&self, party: &Value, table: usize) -> Answer {
        let at = json!({ "table_id": self.tables[table]["id"] });
        self.owner.post(&format!("/waiting/{}/sitting", id(party)), at).await
    }

    async fn free(&self, table: usize) {
        self.owner.delete(&format!("/sittings/{}", id(&self.sittings[table]))).await.is(200);
    }

    async fn list(&self) -> Vec<Value> {
        self.owner.get("/waiting").await.is(200)["items"].as_array().expect("a list").clone()
    }

    async fn names(&self) -> Vec<String> {
        self.list().await.iter().map(|it| it["name"].as_str().expect("a name").to_owned()).collect()
    }

    /// Takes the latest change back.
    async fn undo(&self) -> Answer {
        let undos = self.owner.get("/undos").await.is(200);
        self.owner.post(&format!("/undos/{}", id(&undos["items"][0])), json!({})).await
    }

    /// The door's code, which staff have made.
    async fn door(&self) -> String {
        let door = self.owner.post("/waiting/door/code", json!({})).await.is(200);
        door["code"].as_str().expect("it has one").to_owned()
    }

    fn sql(&self, text: &str) {
        self.app.database().with(|client| client.batch_execute(text)).expect("it is sound SQL");
    }
}

#[tokio::test]
async fn a_party_is_written_down_called_and_seated_and_its_page_tells_so_at_once() {
    let cafe = Cafe::full(&[4]).await;
    let party = cafe.add("하늘", 3).await;
    let path = own_page(&party);
    let guest = cafe.app.anybody();
    let page = guest.open(&path).await;
    assert!(page.text().contains("You are number 1 in line") && page.text().contains("no estimate yet"));
    assert!(says_when(&page.text(), "Waiting since "), "{}", page.text());
    let mut news = guest.listen_to(&format!("{path}/live"), None).await;
    news.next_of("changed").await;

    cafe.free(0).await;
    news.next_of("changed").await;
    let listed = cafe.list().await;
    assert_eq!(listed[0]["wait"], json!({ "least": 0, "most": 0 }));
    assert_eq!(listed[0]["tables"][0]["table_id"], cafe.tables[0]["id"]);

    let called = cafe.say(&party, "called").await.is(200);
    assert!(called["called_at"].is_string(), "{called}");
    news.next_of("changed").await;
    let page = guest.open(&path).await.text();
    assert!(page.contains("Your table is ready!"));
    assert!(says_when(&page, "Waiting since ") && says_when(&page, "Called: "), "{page}");

    let sitting = cafe.seat(&party, 0).await.is(201);
    assert_eq!(sitting["party_size"], 3);
    news.next_of("changed").await;
    let page = guest.open(&path).await.text();
    assert!(page.contains("1번") && page.contains(&format!("/t/{}", cafe.tables[0]["code"].as_str().expect("a code"))));
    assert!(cafe.list().await.is_empty());
    let found = cafe.owner.get(&format!("/waiting/{}", id(&party))).await.is(200);
    assert_eq!((&found["status"], &found["sitting_id"]), (&json!("seated"), &sitting["id"]));
}

#[tokio::test]
async fn of_two_who_call_or_seat_the_same_party_one_is_told_that_the_other_was_first() {
    let cafe = Cafe::full(&[4, 4]).await;
    let party = cafe.add("하늘", 2).await;
    let (one, other) = tokio::join!(cafe.say(&party, "called"), cafe.say(&party, "called"));
    let (won, lost) = if one.status == 200 { (one, other) } else { (other, one) };
    won.is(200);
    lost.problem(409, "waiting_called");
    cafe.free(0).await;
    cafe.free(1).await;
    let (one, other) = tokio::join!(cafe.seat(&party, 0), cafe.seat(&party, 1));
    let (won, lost) = if one.status == 201 { (one, other) } else { (other, one) };
    won.is(201);
    lost.problem(409, "waiting_over");
    for status in ["called", "no_show", "gone"] {
        cafe.say(&party, status).await.problem(409, "waiting_over");
    }
}

#[tokio::test]
async fn what_staff_did_with_a_party_is_undone_like_anything_else_on_the_floor() {
    let cafe = Cafe::full(&[4]).await;
    let party = cafe.add("하늘", 2).await;
    for status in ["called", "no_show"] {
        cafe.say(&party, status).await.is(200);
    }
    cafe.undo().await.is(200);
    assert_eq!(cafe.list().await[0]["status"], "called");
    cafe.say(&party, "gone").await.is(200);
    cafe.undo().await.is(200);
    cafe.free(0).await;
    let sitting = cafe.seat(&party, 0).await.is(201);
    cafe.undo().await.is(200);
    assert_eq!(cafe.names().await, ["하늘"]);
    let sitting = cafe.owner.get(&format!("/sittings/{}", id(&sitting))).await.is(200);
    assert_eq!(sitting["ended"], "undone");
    // A party that somebody joined meanwhile stays where it is.
    cafe.seat(&party, 0).await.is(201);
    let code = cafe.tables[0]["code"].as_str().expect("a code");
    let guest = cafe.app.guest("하늘").await;
    guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
    cafe.undo().await.problem(409, "cannot_undo");
}

#[tokio::test]
async fn a_party_that_cannot_be_seated_goes_on_waiting() {
    let cafe = Cafe::full(&[4]).await;
    let party = cafe.add("하늘", 2).await;
    cafe.seat(&party, 0).await.problem(409, "table_occupied");
    cafe.free(0).await;
    let out = json!({ "out_of_service": "다리가 흔들려요" });
    cafe.owner.patch(&format!("/tables/{}", id(&cafe.tables[0])), out).await.is(200);
    cafe.seat(&party, 0).await.problem(409, "table_out_of_service");
    assert_eq!(cafe.names().await, ["하늘"]);
    let unknown = "/waiting/0199f0f0-1f5c-7c3a-9d0e-5f3f4b0c9a11/sitting";
    cafe.owner.post(unknown, json!({ "table_id": cafe.tables[0]["id"] })).await.problem(404, "waiting_not_found");
}

#[tokio::test]
async fn the_wait_follows_from_how_long_parties_stay_here() {
    let cafe = Cafe::full(&[2, 4]).await;
    // Ten parties of the last weeks stayed for 60 minutes, and the one at the table for four came 40 minutes ago.
    cafe.sql(
        "INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at, closed_at, ended)
         SELECT gen_random_uuid(), table_id, 2, 'past-token-of-a-party-' || number, now() - interval '3 days', opened_by,
                now(), now() - interval '3 days' + interval '60 minutes', 'left'
         FROM (SELECT * FROM sittings LIMIT 1) AS one, generate_series(1, 10) AS number;
         UPDATE sittings SET opened_at = now() - interval '40 minutes' WHERE closed_at IS NULL
            AND table_id = (SELECT id FROM tables WHERE seats = 4)",
    );
    let four = cafe.add("넷", 4).await;
    let wait = |party: &Value| {
        let minutes = |end: &str| party["wait"][end].as_i64().expect("it is known");
        (minutes("least"), minutes("most"))
    };
    let near = |(least, most): (i64, i64), minutes: i64| (least - minutes).abs() <= 1 && (most - minutes).abs() <= 1;
    assert!(near(wait(&four), 20), "{four}");
    // Two take the table for two, whose party has just come; the next four wait for the four before them.
    let two = cafe.add("둘", 2).await;
    assert!(near(wait(&two), 60) && two["position"] == 2, "{two}");
    let next = cafe.add("넷 더", 4).await;
    assert!(near(wait(&next), 80) && next["position"] == 2, "{next}");
    let many = cafe.add("다섯", 5).await;
    assert_eq!((&many["wait"], &many["tables"]), (&Value::Null, &json!([])), "no table has so many seats");
    // A party that is about to leave makes it a matter of minutes.
    let leaving = json!({ "closing": true });
    cafe.owner.patch(&format!("/sittings/{}", id(&cafe.sittings[1])), leaving).await.is(200);
    let soon = cafe.list().await[0].clone();
    assert_eq!(soon["wait"], json!({ "least": 0, "most": 10 }));
    assert_eq!(soon["tables"][0]["table_id"], cafe.tables[1]["id"]);
    let page = cafe.app.anybody().open(&own_page(&soon)).await.text();
    assert!(page.contains("about 5 minutes"), "{page}");
}

#[tokio::test]
async fn guests_join_at_the_door_and_leave_by_themselves_without_an_account_and_without_scripts() {
    let cafe = Cafe::full(&[4]).await;
    let code = cafe.door().await;
    cafe.add("하늘", 2).await;
    let guest = cafe.app.anybody();
    let door = format!("/wait/{}", code.to_lowercase());
    let page = guest.open(&door).await;
    assert!(page.text().contains("1 party is waiting"));
    let wrong = [("name", " "), ("party_size", "3"), ("phone", "call me")];
    let refused = guest.submit(&page, &door, &wrong).await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("This is not a phone number") && refused.text().contains("value=\"call me\""));
    let right = [("name", "Lucía"), ("party_size", "3"), ("phone", "010-1234-5678")];
    let joined = guest.submit(&page, &door, &right).await;
    assert_eq!(joined.status, 303);
    let own = joined.header("location").to_owned();
    let page = guest.open(&own).await;
    assert!(page.text().contains("You are number 2 in line"));
    assert!(!page.text().contains("010-1234-5678") && !page.text().contains("하늘"), "it says what is one's own");
    let listed = cafe.list().await[1].clone();
    assert_eq!((&listed["phone"], &listed["by_guest"]), (&json!("010-1234-5678"), &json!(true)));
    guest.submit(&page, &format!("{own}/leave"), &[]).await;
    assert!(guest.open(&own).await.text().contains("Your wait has ended"));
    assert_eq!(cafe.names().await, ["하늘"]);
    assert!(guest.open("/w/0123456789abcdefghijklmn").await.text().contains("This wait has ended, or there is none"));
}

#[tokio::test]
async fn an_app_joins_asks_and_leaves_by_the_same_rules() {
    let cafe = Cafe::full(&[4]).await;
    let (code, app) = (cafe.door().await, cafe.app.anybody());
    let door = app.get(&format!("/waiting/by-code/{code}")).await.is(200);
    assert_eq!((&door["open"], &door["parties"]), (&json!(true), &json!(0)));
    let ticket = app.post(&format!("/waiting/by-code/{code}"), json!({ "name": "Bea", "party_size": 2 })).await.is(201);
    assert_eq!((&ticket["status"], &ticket["position"]), (&json!("waiting"), &json!(1)));
    let path = format!("/waiting/by-token/{}", ticket["token"].as_str().expect("a token"));
    cafe.say(&cafe.list().await[0], "called").await.is(200);
    assert_eq!(app.get(&path).await.is(200)["status"], "called");
    assert_eq!(app.delete(&path).await.is(200)["status"], "gone");
    assert_eq!(app.delete(&path).await.is(200)["status"], "gone", "saying so again changes nothing");
    app.get("/waiting/by-token/0123456789abcdefghijklmn").await.problem(404, "waiting_not_found");
    app.get("/waiting").await.problem(401, "not_signed_in");
    cafe.app.guest("Bea").await.get("/waiting").await.problem(403, "forbidden");
    for (body, pointer) in [
        (json!({ "name": "Bea", "party_size": 0 }), "/party_size"),
        (json!({ "name": "", "party_size": 2 }), "/name"),
        (json!({ "name": "Bea", "party_size": 2, "phone": "x" }), "/phone"),
    ] {
        let refused = app.post(&format!("/waiting/by-code/{code}"), body).await.problem(422, "invalid_fields");
        assert_eq!(refused["errors"][0]["pointer"], pointer);
    }
}

#[tokio::test]
async fn the_log_does_not_hold_the_link_of_a_party_however_it_is_written() {
    let mut cafe = Cafe::full(&[4]).await;
    let own = own_page(&cafe.add("하늘", 2).await);
    let token = own.trim_start_matches("/w/");
    for path in [
        own.clone(),
        format!("{own}/"),
        format!("{own}/x"),
        format!("/{own}"),
        format!("/%77/{token}"),
        format!("/w%2F{token}"),
        format!("/{token}"),
        format!("/api/v1/waiting/by-token/{token}"),
        format!("/api/v1/waiting/by-token/{token}/"),
    ] {
        let answer = cafe.app.anybody().page(Method::GET, &path).send().await.expect("the server answers");
        assert!([200, 404].contains(&answer.status().as_u16()), "{path}: {}", answer.status());
    }
    let log = cafe.app.server().log();
    assert!(log.contains("/w/{token}") && log.contains("/w/…") && log.contains("/api/…"), "{log}");
    assert!(!log.contains(token), "{log}");
}

#[tokio::test]
async fn the_door_is_shut_in_the_settings_and_an_old_code_leads_nowhere() {
    let cafe = Cafe::full(&[4]).await;
    cafe.app.anybody().get("/waiting/by-code/K7X2QD").await.problem(404, "waiting_door_not_found");
    let old = cafe.door().await;
    let code = cafe.door().await;
    let bea = json!({ "name": "Bea", "party_size": 2 });
    let join = async |code: &str| cafe.app.anybody().post(&format!("/waiting/by-code/{code}"), bea.clone()).await;
    join(&old).await.problem(404, "waiting_door_not_found");
    let settings = |open: bool| json!({ "second_factor_required": false, "hours": [], "waiting_door": open });
    cafe.owner.put("/cafe", settings(false)).await.is(200);
    join(&code).await.problem(409, "waiting_door_shut");
    let page = cafe.app.anybody().open(&format!("/wait/{code}")).await;
    assert!(page.text().contains("Guests cannot join the list by themselves right now"));
    assert!(!page.text().contains(&format!("action=\"/wait/{code}\"")), "there is no form to join by");
    cafe.add("하늘", 2).await;
    cafe.owner.put("/cafe", settings(true)).await.is(200);
    join(&code).await.is(201);
}

#[tokio::test]
async fn the_list_has_an_end() {
    let cafe = Cafe::full(&[4]).await;
    let code = cafe.door().await;
    for number in 0..100 {
        cafe.add(&format!("{number}"), 2).await;
    }
    let bea = json!({ "name": "Bea", "party_size": 2 });
    cafe.owner.post("/waiting", bea.clone()).await.problem(409, "waiting_list_full");
    cafe.app.anybody().post(&format!("/waiting/by-code/{code}"), bea).await.problem(409, "waiting_list_full");
    cafe.say(&cafe.list().await[0], "gone").await.is(200);
    cafe.add("Bea", 2).await;
}

#[tokio::test]
async fn who_joins_again_and_again_has_to_wait() {
    let app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_GUESTS_PER_MINUTE", "3")
    });
    let owner = app.owner().await;
    let door = owner.post("/waiting/door/code", json!({})).await.is(200);
    let path = format!("/waiting/by-code/{}", door["code"].as_str().expect("a code"));
    let mut joined = 0;
    let refused = loop {
        let answer = app.anybody().post(&path, json!({ "name": "Bea", "party_size": 2 })).await;
        if answer.status != 201 {
            break answer;
        }
        joined += 1;
    };
    // On a slow machine some of it is free again meanwhile.
    assert!((3..20).contains(&joined), "{joined}");
    refused.problem(429, "too_many_requests");
}

#[tokio::test]
async fn the_screen_on_the_wall_shows_places_and_initials() {
    let cafe = Cafe::full(&[4]).await;
    let code = cafe.door().await;
    let called = cafe.add("서연", 2).await;
    cafe.add("Lucía", 4).await;
    cafe.say(&called, "called").await.is(200);
    let screen = format!("/wait/{code}?screen=1");
    let page = cafe.app.anybody().open(&screen).await.text();
    assert!(page.contains("서** (2), please come to the counter") && page.contains("L**"), "{page}");
    assert!(!page.contains("서연") && !page.contains("Lucía"), "{page}");
    assert!(page.contains("<svg") && page.contains(&format!("/wait/{code}")), "the code to join by is beside it");
}

#[tokio::test]
async fn staff_hear_in_their_queue_when_a_table_is_free_and_seat_the_party_there() {
    let cafe = Cafe::full(&[2, 4]).await;
    let desk = cafe.app.owner_at_pages().await;
    let page = desk.open("/admin/waiting").await;
    let new = [("name", "하늘"), ("party_size", "3"), ("phone", "")];
    let added = desk.submit(&page, "/admin/waiting", &new).await;
    let own = added.header("location").to_owned();
    assert!(own.starts_with("/admin/waiting/"), "{own}");
    assert_eq!(desk.open(&format!("{own}/qr.svg")).await.status, 200, "its page has a code for the guests");
    let text = "a table is free for a party that waits";
    let floor = desk.open("/admin").await;
    assert!(floor.text().contains("하늘") && !floor.text().contains(text));
    // A table for two is none for three.
    cafe.free(0).await;
    assert!(!desk.open("/admin").await.text().contains(text));
    cafe.free(1).await;
    let floor = desk.open("/admin").await;
    assert!(floor.text().contains(text));
    let table = id(&cafe.tables[1]);
    assert!(floor.text().contains(&format!("action=\"{own}/seat\"")));
    let seated = desk.submit(&floor, &format!("{own}/seat"), &[("table", table)]).await;
    assert_eq!(seated.header("location"), format!("/admin?table={table}"));
    assert!(cafe.list().await.is_empty());
    let floor = desk.open("/admin").await;
    assert!(!floor.text().contains(text));
    let again = desk.submit(&floor, &format!("{own}/call"), &[("back", "/admin")]).await;
    assert_eq!(again.status, 303);
    assert!(desk.open("/admin").await.text().contains("Somebody else may have been quicker"));
}

/// As if everything on the list had happened so long ago; the next process that starts sweeps.
fn age(cafe: &Cafe, by: &str) {
    cafe.sql(&format!(
        "UPDATE waiting_parties SET joined_at = joined_at - interval '{by}', ended_at = ended_at - interval '{by}'"
    ));
}

#[tokio::test]
async fn names_and_numbers_are_forgotten_soon_after_the_wait_and_no_log_keeps_them() {
    let mut cafe = Cafe::full(&[4]).await;
    let new = json!({ "name": "하늘이네", "party_size": 2, "phone": "010-1234-5678" });
    let over = cafe.owner.post("/waiting", new.clone()).await.is(201);
    let open = cafe.owner.post("/waiting", new).await.is(201);
    cafe.say(&over, "called").await.is(200);
    cafe.say(&over, "gone").await.is(200);
    age(&cafe, "11 minutes");
    cafe.app.start_another();
    let path = format!("/waiting/{}", id(&over));
    eventually("the people are forgotten", async || {
        cafe.owner.get(&path).await.is(200)["name"].is_null().then_some(())
    })
    .await;
    let found = cafe.owner.get(&path).await.is(200);
    assert_eq!((&found["phone"], &found["party_size"]), (&Value::Null, &json!(2)));
    let still = cafe.owner.get(&format!("/waiting/{}", id(&open))).await.is(200);
    assert_eq!(still["phone"], "010-1234-5678", "who still waits can be called");
    cafe.undo().await.problem(409, "cannot_undo");
    let lines = cafe.owner.get("/audit").await.is(200).to_string();
    let undos = cafe.owner.get("/undos").await.is(200).to_string();
    assert!(lines.contains("waiting.add") && lines.contains("waiting.gone"));
    for personal in ["하늘이네", "010-1234"] {
        assert!(!lines.contains(personal) && !undos.contains(personal));
    }
    // Nobody waits for half a day, and after another the list knows nothing of it.
    age(&cafe, "13 hours");
    cafe.app.start_another();
    eventually("the forgotten party is off the list", async || cafe.list().await.is_empty().then_some(())).await;
    age(&cafe, "25 hours");
    cafe.app.start_another();
    eventually("nothing is left", async || (cafe.owner.get(&path).await.status == 404).then_some(())).await;
}
