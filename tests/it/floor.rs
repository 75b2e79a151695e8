//! The evening from one screen: each deed by a tap in a real browser, and again by plain forms without JavaScript.

use harness::{Answer, Browser, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

/// A café with so many tables, and its owner at the floor.
pub(crate) struct Floor {
    pub app: TestApp,
    pub owner: Visitor,
    pub tables: Vec<String>,
}

impl Floor {
    pub(crate) async fn open(tables: usize) -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        let mut ids = Vec::new();
        for number in 1..=tables {
            let made = owner.post("/tables", json!({ "name": format!("Deck {number}"), "seats": 4 })).await.is(201);
            ids.push(made["id"].as_str().expect("a table has an id").to_owned());
        }
        Floor { app, owner, tables: ids }
    }

    /// The box of the title with this English name: its id.
    async fn box_of(&self, name: &str) -> String {
        let titles = self.owner.get("/library/titles?limit=100").await.is(200);
        let titles = titles["items"].as_array().expect("a list").clone();
        let title = titles.iter().find(|it| it["name"]["en"] == name).expect("the café has it");
        let copies = self.owner.get(&format!("/library/titles/{}/copies", title["id"].as_str().expect("an id"))).await;
        copies.is(200)["items"][0]["id"].as_str().expect("an id").to_owned()
    }

    /// In what state the box is, and at which table.
    async fn place_of(&self, copy: &str) -> (String, Option<usize>) {
        let row = self.owner.get(&format!("/library/copies/{copy}")).await.is(200);
        let table = row["table_id"].as_str().and_then(|id| self.tables.iter().position(|it| it == id));
        (row["state"].as_str().expect("a state").to_owned(), table)
    }

    pub(crate) async fn now(&self, table: usize) -> Value {
        let row = self.owner.get(&format!("/tables/{}", self.tables[table])).await.is(200);
        let code = row["code"].as_str().expect("a table has a code");
        self.owner.get(&format!("/tables/by-code/{code}")).await.is(200)
    }

    pub(crate) async fn party(&self, table: usize) -> Value {
        self.now(table).await["sitting"].clone()
    }

    pub(crate) async fn size_at(&self, table: usize) -> Option<i64> {
        self.party(table).await["party_size"].as_i64()
    }

    /// A guest who scanned the table's code and called: who they are.
    pub(crate) async fn call_from(&self, table: usize, reason: &str) -> Visitor {
        let guest = self.app.guest("하늘").await;
        let code = self.now(table).await["code"].as_str().expect("a table has a code").to_owned();
        let party = guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
        let sitting = party["sitting"]["id"].as_str().expect("somebody sits there").to_owned();
        guest.post(&format!("/sittings/{sitting}/calls"), json!({ "reason": reason })).await.is(201);
        guest
    }
}

/// The button in what was just told.
pub(crate) async fn undo(browser: &Browser) {
    browser.press(".note .undo button").await;
    browser.sees("Undone.").await;
}

/// What can be done at this table, beside the floor.
pub(crate) async fn choose(browser: &Browser, card: &str) {
    browser.press(&format!("{card} h2 a")).await;
    browser.find(".sheet-of").await;
}

pub(crate) fn card(table: &str) -> String {
    format!("#s{table}")
}

#[tokio::test]
async fn the_evening_is_run_by_taps_and_every_tap_undone() {
    run_an_evening(Browser::open(1024, 768, "en").await).await;
}

#[tokio::test]
async fn the_evening_is_run_without_javascript_and_undone_as_well() {
    run_an_evening(Browser::open_without_javascript(1024, 768, "en").await).await;
}

/// Seats, resizes, starts, moves, joins, clears and closes, and takes each of them back.
async fn run_an_evening(browser: Browser) {
    let floor = Floor::open(3).await;
    browser.sign_in(&floor.app).await;
    let (first, second) = (card(&floor.tables[0]), card(&floor.tables[1]));

    // Seated by one tap on the card, and taken back.
    browser.press(&format!("{first} button[value='3']")).await;
    browser.sees("Seated: Deck 1").await;
    assert_eq!(floor.size_at(0).await, Some(3));
    undo(&browser).await;
    assert_eq!(floor.size_at(0).await, None);
    browser.press(&format!("{first} button[value='3']")).await;
    browser.sees("Seated: Deck 1").await;

    // The rest by a tap on the table and one more.
    let choose = async |card: &str| choose(&browser, card).await;
    choose(&first).await;
    browser.press(".sheet-of button[value='2']").await;
    browser.sees("Party size changed").await;
    assert_eq!(floor.size_at(0).await, Some(2));
    undo(&browser).await;
    assert_eq!(floor.size_at(0).await, Some(3));

    choose(&first).await;
    browser.press_saying(".sheet-of form[action$=matches] button", "Perudo").await;
    browser.sees("A match waits for players").await;
    assert_eq!(floor.now(0).await["matches"][0]["seats"], 3);
    undo(&browser).await;
    assert_eq!(floor.now(0).await["matches"], json!([]));

    choose(&first).await;
    browser.press_saying(".sheet-of button", "Deck 2").await;
    browser.sees("Moved: Deck 2").await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (None, Some(3)));
    undo(&browser).await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (Some(3), None));

    browser.press(&format!("{second} button[value='2']")).await;
    browser.sees("Seated: Deck 2").await;
    choose(&first).await;
    browser.press_saying(".sheet-of button", "Deck 2").await;
    browser.sees("Joined: Deck 2").await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (None, Some(5)));
    undo(&browser).await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (Some(3), Some(2)));

    choose(&first).await;
    browser.press_saying(".sheet-of button", "Start clearing").await;
    browser.sees("Being cleared: Deck 1").await;
    choose(&first).await;
    browser.press_saying(".sheet-of button", "They have left").await;
    browser.sees("Free again: Deck 1").await;
    assert_eq!(floor.size_at(0).await, None);
    undo(&browser).await;
    assert_eq!(floor.size_at(0).await, Some(3));
    browser.close().await;
}

#[tokio::test]
async fn a_call_appears_by_itself_is_heard_and_settled() {
    let floor = Floor::open(2).await;
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    browser.run("window.stayed = true").await;
    let guest = floor.call_from(1, "rules").await;
    browser.sees("Explain the rules").await;
    assert_eq!(browser.run("return window.stayed").await, true, "without a reload");
    let state = format!("return document.querySelector('{} .chip').textContent.trim()", card(&floor.tables[1]));
    assert_eq!(browser.run(&state).await, "Needs a look");
    browser.press_saying("#queue button", "On my way").await;
    browser.sees("They know that you are on your way").await;
    let calls = format!("/sittings/{}/calls", floor.party(1).await["id"].as_str().expect("it is there"));
    assert_eq!(guest.get(&calls).await.is(200)["items"][0]["status"], "heard");
    browser.press_saying("#queue button", "Settled").await;
    browser.sees("Nothing needs you right now.").await;
    undo(&browser).await;
    browser.sees("Explain the rules").await;
    assert_eq!(guest.get(&calls).await.is(200)["items"][0]["status"], "heard");
    browser.close().await;
}

#[tokio::test]
async fn a_box_is_lent_by_its_initials_taken_back_and_checked_in() {
    let floor = Floor::open(2).await;
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    let perudo = floor.box_of("Perudo").await;
    browser.press(&format!("{} button[value='3']", card(&floor.tables[0]))).await;
    browser.sees("Seated: Deck 1").await;
    browser.press(&format!("{} h2 a", card(&floor.tables[0]))).await;
    // Typed, found, lent: the list follows what is typed by itself.
    browser.fill("#lend", "ㅎㄱㅋㄹ").await;
    let offered = "return [...document.querySelectorAll('.sheet-of form[action$=\"/lend\"]')].length";
    eventually("one title is found", async || (browser.run(offered).await == 1).then_some(())).await;
    assert_eq!(browser.run("return document.querySelector('#lend').value").await, "ㅎㄱㅋㄹ");
    browser.press_saying(".sheet-of button", "Hogu Clue").await;
    browser.sees("Hogu Clue → On table").await;
    assert!(browser.says(&card(&floor.tables[0])).await.contains("Hogu Clue"));
    undo(&browser).await;
    let clue = floor.box_of("Hogu Clue").await;
    assert_eq!(floor.place_of(&clue).await, ("shelf".to_owned(), None));

    browser.press(&format!("{} h2 a", card(&floor.tables[0]))).await;
    browser.press(&format!(".sheet-of form[action='/admin/library/copies/{perudo}/lend'] button")).await;
    browser.sees("Perudo → On table").await;
    // It goes along with the party, and comes back with it.
    browser.press_saying(".sheet-of button", "Deck 2").await;
    browser.sees("Moved: Deck 2").await;
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(1)));
    undo(&browser).await;
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(0)));

    // Whoever leaves it behind leaves something to do.
    browser.press(&format!("{} h2 a", card(&floor.tables[0]))).await;
    browser.press_saying(".sheet-of button", "They have left").await;
    browser.sees("Free again: Deck 1").await;
    browser.sees("left behind on the table").await;
    browser.press_saying("#queue button", "To the return zone").await;
    browser.sees("To be checked in").await;
    assert_eq!(floor.place_of(&perudo).await, ("return".to_owned(), None));
    undo(&browser).await;
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(0)));
    browser.press_saying("#queue button", "To the return zone").await;
    browser.sees("To be checked in").await;
    browser.press_saying("#queue button", "To shelf").await;
    browser.sees("Nothing needs you right now.").await;
    assert_eq!(floor.place_of(&perudo).await, ("shelf".to_owned(), None));
    browser.close().await;
}

#[tokio::test]
async fn boxes_are_lent_by_plain_forms_too_and_follow_the_party() {
    let floor = Floor::open(3).await;
    let owner = floor.app.owner_at_pages().await;
    for (table, size) in [(0, 3), (1, 2)] {
        let path = format!("/tables/{}/sittings", floor.tables[table]);
        floor.owner.post(&path, json!({ "party_size": size })).await.is(201);
    }
    let (perudo, clue) = (floor.box_of("Perudo").await, floor.box_of("Hogu Clue").await);
    let sheet = format!("/admin?table={}", floor.tables[0]);
    let found = owner.open(&format!("{sheet}&lend=%E3%85%8D%E3%84%B9%E3%84%B7")).await;
    let lend = format!("/admin/library/copies/{perudo}/lend");
    assert!(found.text().contains(&lend) && !found.text().contains(&format!("/admin/library/copies/{clue}/lend")));
    let send = async |path: &str, fields: &[(&str, &str)]| {
        let sent = owner.submit(&found, path, fields).await;
        assert_eq!(sent.status, 303, "{path}: {}", sent.text());
        owner.open(sent.header("location")).await.text()
    };
    let undo = async |told: &str| {
        let (_, rest) = told.split_once("action=\"/admin/undos/").expect("it can be undone");
        let id = rest.split_once('"').expect("it goes on").0.to_owned();
        send(&format!("/admin/undos/{id}"), &[("back", "/admin")]).await
    };
    let table = floor.tables[0].as_str();
    let told = send(&lend, &[("table", table), ("back", &sheet)]).await;
    assert!(told.contains("sheet-of") && told.contains("Perudo → On table"));
    assert!(send(&lend, &[("table", table), ("back", &sheet)]).await.contains("note bad"));
    send(&format!("/admin/library/copies/{clue}/lend"), &[("table", floor.tables[1].as_str())]).await;

    // Two parties become one, and two again: each with what they brought.
    let id = floor.party(0).await["id"].as_str().expect("it is there").to_owned();
    let other = floor.party(1).await["id"].as_str().expect("it is there").to_owned();
    let told = send(&format!("/admin/sittings/{id}/merge"), &[("into", &other)]).await;
    assert_eq!(floor.place_of(&perudo).await.1, Some(1));
    assert!(undo(&told).await.contains("Undone."));
    assert_eq!((floor.place_of(&perudo).await.1, floor.place_of(&clue).await.1), (Some(0), Some(1)));

    // From the table to its shelf at once; what was done since is not undone over it.
    let told = send(&format!("/admin/library/copies/{perudo}/check_in"), &[("back", &sheet)]).await;
    assert_eq!(floor.place_of(&perudo).await, ("shelf".to_owned(), None));
    send(&lend, &[("table", floor.tables[2].as_str()), ("back", "/admin")]).await;
    assert!(undo(&told).await.contains("Things have changed since"));
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(2)));
    // The table's history names the box.
    let history = owner.open(&format!("/admin/tables/{}/history", floor.tables[2])).await.text();
    assert!(history.contains("Perudo: "), "{history}");
    let undos = floor.owner.get("/undos").await.is(200);
    assert_eq!(
        (&undos["items"][0]["action"], &undos["items"][0]["table_id"]),
        (&json!("copy.lend"), &json!(floor.tables[2]))
    );
    // The API's own errand takes back the same deed, and only once.
    let errand = format!("/library/copies/{perudo}/undo");
    assert_eq!(floor.owner.post(&errand, json!({})).await.is(200)["state"], "shelf");
    floor.owner.post(&errand, json!({})).await.problem(409, "nothing_to_undo");
    let left = floor.owner.get("/undos").await.is(200);
    assert!(left["items"].as_array().expect("a list").iter().all(|it| it["id"] != undos["items"][0]["id"]));
}

#[tokio::test]
async fn twelve_tables_fit_a_tablet_and_a_telephone() {
    let floor = Floor::open(12).await;
    for table in 0..3 {
        floor.call_from(table, "order").await;
    }
    // The fullest cards: a match by a variant, and a box beside it.
    for (table, title) in [(0, "Perudo"), (1, "Hogu Clue"), (3, "Middle Race")] {
        let copy = floor.box_of(title).await;
        let there = json!({ "table_id": floor.tables[table] });
        floor.owner.post(&format!("/library/copies/{copy}/lend"), there).await.is(200);
    }
    let house = floor.owner.post("/variants", json!({ "game": "perudo", "name": "Friday night", "options": {} })).await;
    let house = house.is(201)["id"].as_str().expect("an id").to_owned();
    floor.owner.post(&format!("/variants/{house}/publish"), json!({})).await.is(200);
    for table in 0..3 {
        let new = json!({ "game": "perudo", "variant_id": house, "seats": 2, "table_id": floor.tables[table] });
        let made = floor.owner.post("/matches", new).await.is(201);
        floor.owner.post(&format!("/matches/{}/seats", made["id"].as_str().expect("an id")), json!({})).await.is(201);
    }
    for (width, height) in [(1024, 768), (360, 740)] {
        let browser = Browser::open(width, height, "ko").await;
        browser.sign_in(&floor.app).await;
        // The window's own bars take some of its height.
        let size = "return [innerWidth, innerHeight]";
        let inside = browser.run(size).await;
        let (wide, high) = (inside[0].as_u64().expect("a number"), inside[1].as_u64().expect("a number"));
        let missing = u64::from(height).saturating_sub(high) as u32;
        browser.client.set_window_size(width.max(500), height + missing).await.expect("it can be made larger");
        let over = "const page = document.documentElement;
            return [page.scrollWidth - page.clientWidth, page.scrollHeight - page.clientHeight]";
        let over = browser.run(over).await;
        assert_eq!(over[0], 0, "{wide} wide: {over}");
        if width == 1024 {
            assert_eq!(over[1], 0, "the floor scrolls: {over}");
        }
        let small = "return [...document.querySelectorAll('#floor button, #floor .button')]
            .filter(it => it.offsetHeight && it.offsetHeight < 44).map(it => it.outerHTML)";
        assert_eq!(browser.run(small).await, json!([]));
        browser.close().await;
    }
}

#[tokio::test]
async fn the_wall_shows_tables_and_nobodys_name() {
    let floor = Floor::open(2).await;
    let guest = floor.call_from(0, "rules").await;
    let table = &floor.tables[0];
    let made = guest.post("/matches", json!({ "game": "perudo", "seats": 2, "table_id": table })).await.is(201);
    guest.post(&format!("/matches/{}/seats", made["id"].as_str().expect("an id")), json!({})).await.is(201);
    let owner = floor.app.owner_at_pages().await;
    let plain = owner.open("/admin/floor?screen=1").await;
    assert_eq!(plain.status, 200);
    let text = plain.text();
    assert!(text.contains("Deck 1") && text.contains("Perudo"));
    for private in ["하늘", "<form", "<button", "<input", "href=\"/admin", "csrf"] {
        assert!(!text.contains(private), "the wall shows {private}");
    }
    assert!(owner.open("/admin").await.text().contains("csrf"));
    assert_eq!(floor.app.anybody().open("/admin/floor?screen=1").await.status, 401);
    let browser = Browser::open(1280, 720, "en").await;
    browser.sign_in(&floor.app).await;
    browser.go(&format!("{}/admin/floor?screen=1", floor.app.url())).await;
    browser.run("window.stayed = true").await;
    floor.call_from(1, "bill").await;
    browser.sees("1 of 4").await;
    eventually("the other table needs somebody", async || {
        let count = browser.run("return document.querySelectorAll('.table-card.tone-attention').length").await;
        (count == 2).then_some(())
    })
    .await;
    assert_eq!(browser.run("return window.stayed").await, true);
    browser.close().await;
}

#[tokio::test]
async fn the_evening_is_run_by_plain_forms_too() {
    let floor = Floor::open(3).await;
    let owner = floor.app.owner_at_pages().await;
    let page = owner.open("/admin").await;
    let send = async |path: &str, fields: &[(&str, &str)]| {
        let sent = owner.submit(&page, path, fields).await;
        assert_eq!(sent.status, 303, "{path}: {}", sent.text());
        owner.open(sent.header("location")).await.text()
    };
    let undo = async |told: &str| {
        let (_, rest) = told.split_once("action=\"/admin/undos/").expect("it can be undone");
        let id = rest.split_once('"').expect("it goes on").0.to_owned();
        assert!(send(&format!("/admin/undos/{id}"), &[("back", "/admin")]).await.contains("Undone."));
    };
    let seat = format!("/admin/tables/{}/sitting", floor.tables[0]);
    let told = send(&seat, &[("party_size", "3")]).await;
    assert!(told.contains("Seated: Deck 1"));
    undo(&told).await;
    assert_eq!(floor.size_at(0).await, None);
    send(&seat, &[("party_size", "3")]).await;
    assert!(send(&seat, &[("party_size", "3")]).await.contains("Somebody sits at this table."));
    assert!(send(&seat, &[("party_size", "0")]).await.contains("note bad"));
    let id = floor.party(0).await["id"].as_str().expect("it is there").to_owned();
    let sitting = |what: &str| format!("/admin/sittings/{id}/{what}");
    undo(&send(&sitting("size"), &[("party_size", "4")]).await).await;
    assert_eq!(floor.size_at(0).await, Some(3));
    undo(&send(&sitting("matches"), &[("game", "perudo"), ("seats", "3")]).await).await;
    assert_eq!(floor.now(0).await["matches"], json!([]));
    assert!(send(&sitting("matches"), &[("game", "chess"), ("seats", "3")]).await.contains("note bad"));
    undo(&send(&sitting("table"), &[("table", floor.tables[1].as_str())]).await).await;
    assert_eq!(floor.size_at(1).await, None);
    send(&format!("/admin/tables/{}/sitting", floor.tables[1]), &[("party_size", "2")]).await;
    let other = floor.party(1).await["id"].as_str().expect("it is there").to_owned();
    undo(&send(&sitting("merge"), &[("into", other.as_str())]).await).await;
    assert_eq!(floor.size_at(1).await, Some(2));
    undo(&send(&sitting("closing"), &[]).await).await;
    undo(&send(&sitting("longer"), &[]).await).await;
    let guest = floor.call_from(2, "broken").await;
    let calls = floor.owner.get("/calls").await.is(200);
    let call = calls["items"][0]["id"].as_str().expect("it is there");
    for status in ["heard", "settled"] {
        undo(&send(&format!("/admin/calls/{call}"), &[("status", status)]).await).await;
    }
    let chosen = owner.open(&format!("/admin?table={}", floor.tables[0])).await;
    assert!(chosen.text().contains("sheet-of"));
    undo(&send(&sitting("close"), &[]).await).await;
    assert_eq!(floor.size_at(0).await, Some(3));
    // Guests have no business here, and nobody has from another site.
    let bare = owner.page(Method::POST, &sitting("close"));
    assert_eq!(Answer::of(bare.form(&[("csrf", "x")])).await.status, 403);
    let there = guest.page(Method::POST, &sitting("close"));
    assert_eq!(Answer::of(there.form(&[("csrf", page.token())])).await.status, 403);
    assert_eq!(floor.size_at(0).await, Some(3));
}
