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
    let table = card.trim_start_matches("#s");
    browser.find(&format!("[id='sheet-{table}-table']")).await;
}

/// The page of the sheet behind one of its keys.
pub(crate) async fn turn_to(browser: &Browser, card: &str, page: &str) {
    choose(browser, card).await;
    browser.press(&format!(".sheet-of .keys a[href$='sheet={page}']")).await;
    browser.find(&format!(".sheet-of[id$='-{page}']")).await;
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

    let turn_to = async |page: &str| turn_to(&browser, &first, page).await;
    turn_to("play").await;
    browser.press_saying(".sheet-of form[action$=matches] button", "Perudo").await;
    browser.sees("A match waits for players").await;
    assert_eq!(floor.now(0).await["matches"][0]["seats"], 3);
    undo(&browser).await;
    assert_eq!(floor.now(0).await["matches"], json!([]));

    // The tables of the floor are where to, and say how many will sit there.
    turn_to("move").await;
    browser.press_saying(&format!("{second} .target"), "3 of 4").await;
    browser.sees("Moved: Deck 2").await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (None, Some(3)));
    undo(&browser).await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (Some(3), None));

    browser.press(&format!("{second} button[value='2']")).await;
    browser.sees("Seated: Deck 2").await;
    turn_to("move").await;
    browser.press_saying(&format!("{second} .target"), "5 of 4, one seat short").await;
    browser.sees("Joined: Deck 2 · 5 of 4, one seat short").await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (None, Some(5)));
    undo(&browser).await;
    assert_eq!((floor.size_at(0).await, floor.size_at(1).await), (Some(3), Some(2)));

    turn_to("leave").await;
    browser.press_saying(".sheet-of button", "Start clearing").await;
    browser.sees("Being cleared: Deck 1").await;
    turn_to("leave").await;
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
    assert!(browser.run(&state).await.as_str().is_some_and(|said| said.starts_with("Explain the rules")));
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
    let first = card(&floor.tables[0]);
    turn_to(&browser, &first, "boxes").await;
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

    turn_to(&browser, &first, "boxes").await;
    browser.press(&format!(".sheet-of form[action='/admin/library/copies/{perudo}/lend'] button")).await;
    browser.sees("Perudo → On table").await;
    // It goes along with the party, and comes back with it.
    turn_to(&browser, &first, "move").await;
    browser.press(&format!("{} .target", card(&floor.tables[1]))).await;
    browser.sees("Moved: Deck 2").await;
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(1)));
    undo(&browser).await;
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(0)));

    // A party that leaves it behind leaves something to do.
    turn_to(&browser, &first, "leave").await;
    browser.press_saying(".sheet-of button", "They have left").await;
    browser.sees("Free again: Deck 1").await;
    browser.sees("left behind on the table").await;
    browser.press_saying("#queue button", "To the return zone").await;
    browser.sees("Perudo → Return zone").await;
    assert_eq!(floor.place_of(&perudo).await, ("return".to_owned(), None));
    undo(&browser).await;
    assert_eq!(floor.place_of(&perudo).await, ("table".to_owned(), Some(0)));
    browser.press_saying("#queue button", "To the return zone").await;
    browser.sees("Perudo → Return zone").await;
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
    let found = owner.open(&format!("{sheet}&sheet=boxes&lend=%E3%85%8D%E3%84%B9%E3%84%B7")).await;
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
async fn a_box_that_goes_along_with_its_party_is_out_since_it_was_lent() {
    let floor = Floor::open(3).await;
    let seat = async |table: usize| {
        let path = format!("/tables/{}/sittings", floor.tables[table]);
        let seated = floor.owner.post(&path, json!({ "party_size": 2 })).await.is(201);
        seated["id"].as_str().expect("it has an id").to_owned()
    };
    let lend = async |name: &str, table: usize| {
        let copy = floor.box_of(name).await;
        let there = json!({ "table_id": floor.tables[table] });
        floor.owner.post(&format!("/library/copies/{copy}/lend"), there).await.is(200);
        copy
    };
    let (party, others) = (seat(0).await, seat(2).await);
    // Theirs, one that somebody forgot where they will sit, and one of a party that will sit down with them.
    let boxes = [lend("Perudo", 0).await, lend("Hogu Clue", 1).await, lend("Middle Race", 2).await];
    let earlier = "UPDATE copies SET since = since - interval '2 hours'";
    floor.app.database().with(|client| client.execute(earlier, &[])).expect("it is written");
    let out_since = async || {
        let mut moments = Vec::new();
        for copy in &boxes {
            moments.push(floor.owner.get(&format!("/library/copies/{copy}")).await.is(200)["since"].clone());
        }
        moments
    };
    let tables = async || {
        let mut tables = Vec::new();
        for copy in &boxes {
            tables.push(floor.place_of(copy).await.1.expect("it is on a table"));
        }
        tables
    };
    let undo_move = async || {
        let undos = floor.owner.get("/undos").await.is(200);
        let mut undos = undos["items"].as_array().expect("a list").iter();
        let moved = undos.find(|it| it["action"] == "sitting.move").expect("it can be undone");
        let id = moved["id"].as_str().expect("it has an id");
        floor.owner.post(&format!("/undos/{id}"), json!({})).await.is(200);
    };
    let lent = out_since().await;
    let path = format!("/sittings/{party}");
    let move_on = async || floor.owner.patch(&path, json!({ "table_id": floor.tables[1] })).await.is(200);
    move_on().await;
    assert_eq!((tables().await, out_since().await), (vec![1, 1, 2], lent.clone()));
    undo_move().await;
    assert_eq!((tables().await, out_since().await), (vec![0, 1, 2], lent.clone()));
    // What came along with others since goes back with them, what lay there stays.
    move_on().await;
    floor.owner.post(&format!("/sittings/{others}/merge"), json!({ "into": party })).await.is(200);
    assert_eq!((tables().await, out_since().await), (vec![1, 1, 1], lent.clone()));
    undo_move().await;
    assert_eq!((tables().await, out_since().await), (vec![0, 1, 0], lent));
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

/// The tables on the wall of which some part is cut off on a screen of this size.
async fn cut_off(browser: &Browser, (width, height): (u32, u32)) -> Value {
    browser.resize(width, height).await;
    eventually("a screen of that size", async || {
        (browser.run("return [innerWidth, innerHeight]").await == json!([width, height])).then_some(())
    })
    .await;
    let script = "const box = it => it.getBoundingClientRect();
        const leaves = (it, frame) => it.right > frame.right + 1 || it.bottom > frame.bottom + 1;
        const inCard = card => [...card.querySelectorAll('h2, .where, .what, .chip, time')].map(box);
        const isCut = card => leaves(box(card), { right: innerWidth, bottom: innerHeight })
            || inCard(card).some(it => leaves(it, box(card)));
        const cards = [...document.querySelectorAll('.wall .table-card')].filter(isCut);
        return cards.map(card => card.querySelector('h2').textContent)";
    browser.run(script).await
}

#[tokio::test]
async fn no_table_of_a_dozen_is_cut_off_on_the_wall() {
    let floor = Floor::open(12).await;
    for table in &floor.tables[..11] {
        floor.owner.post(&format!("/tables/{table}/sittings"), json!({ "party_size": 4 })).await.is(201);
    }
    for table in [0, 4, 8] {
        let new = json!({ "game": "perudo-pirates", "seats": 4, "table_id": floor.tables[table] });
        floor.owner.post("/matches", new).await.is(201);
    }
    floor.call_from(11, "bill").await;
    let browser = Browser::open(1280, 720, "en").await;
    browser.sign_in(&floor.app).await;
    browser.go(&format!("{}/admin/floor?screen=1", floor.app.url())).await;
    browser.find(".wall .table-card:nth-child(12)").await;
    for screen in [(1280, 720), (1366, 768), (1440, 900), (1920, 1080), (1024, 768), (1080, 1920)] {
        assert_eq!(cut_off(&browser, screen).await, json!([]), "{screen:?}");
    }
    browser.close().await;
}

#[tokio::test]
async fn where_the_wall_is_too_small_tables_with_a_need_come_first() {
    let floor = Floor::open(60).await;
    for table in [58, 59] {
        floor.call_from(table, "bill").await;
    }
    let browser = Browser::open(1280, 720, "en").await;
    browser.sign_in(&floor.app).await;
    browser.go(&format!("{}/admin/floor?screen=1", floor.app.url())).await;
    browser.find(".wall .table-card:nth-child(60)").await;
    let cut = cut_off(&browser, (1280, 720)).await;
    let cut = cut.as_array().expect("a list");
    assert!(!cut.is_empty() && !cut.contains(&json!("Deck 59")) && !cut.contains(&json!("Deck 60")), "{cut:?}");
    assert_eq!(cut_off(&browser, (1920, 1080)).await, json!([]));
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

/// On the tablet and on a phone, by how many taps and without scrolling each task of the floor is done.
#[tokio::test]
async fn every_task_takes_three_taps_and_no_scrolling() {
    let floor = Floor::open(12).await;
    let mut taps = Vec::new();
    for (width, height) in [(1024, 768), (360, 740)] {
        let browser = Browser::open(500, 740, "ko").await;
        browser.resize(width, height).await;
        browser.sign_in(&floor.app).await;
        let (first, second) = (card(&floor.tables[0]), card(&floor.tables[1]));
        let tasks: [(&str, &[&str]); 6] = [
            ("seat", &["button[value='4']"]),
            ("match", &["h2 a", "a[href$='sheet=play']", "form[action$=matches] button"]),
            ("box", &["h2 a", "a[href$='sheet=boxes']", "form[action$=lend] button"]),
            ("move", &["h2 a", "a[href$='sheet=move']", ".target"]),
            ("resize", &["h2 a", ".stepper button[value='5']"]),
            ("leave", &["h2 a", "a[href$='sheet=leave']", "form[action$='/close'] button"]),
        ];
        let mut at = &first;
        for (task, path) in tasks {
            for step in path {
                let place = match *step {
                    "h2 a" | "button[value='4']" => at.as_str(),
                    ".target" => second.as_str(),
                    _ => ".sheet-of",
                };
                tap_in_sight(&browser, &format!("{place} {step}"), task).await;
            }
            browser.find("#told .note.good").await;
            browser.run("document.querySelector('#told').replaceChildren()").await;
            if task == "move" {
                at = &second;
            }
            tap_in_sight(&browser, ".sheet-of .icon-button.spread", "close").await;
            taps.push((task, path.len()));
        }
        browser.close().await;
    }
    assert!(taps.iter().all(|(_, many)| *many <= 3), "{taps:?}");
}

/// Taps what can be seen without scrolling anything, if it is there at all.
async fn tap_in_sight(browser: &Browser, css: &str, task: &str) {
    if css.ends_with(".spread") && browser.run("return !document.querySelector('.sheet-of')").await == true {
        return;
    }
    let sight = "const it = document.querySelector(arguments[0]); if (!it || it.ariaBusy) return null;
        const { left, top, width, height } = it.getBoundingClientRect();
        const there = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!there || !(it.contains(there) || there.contains(it))) return 'out of sight';
        it.click(); return 'tapped'";
    let tapped = async || {
        let seen = browser.client.execute(sight, vec![json!(css)]).await.ok()?;
        seen.as_str().map(str::to_owned)
    };
    let seen = eventually(&format!("{css} for {task}"), tapped).await;
    assert_eq!(seen, "tapped", "{task}: {css}");
}

#[tokio::test]
async fn a_tap_keeps_the_page_its_scroll_and_the_focus() {
    let floor = Floor::open(12).await;
    for table in 0..8 {
        floor.call_from(table, "order").await;
    }
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&floor.app).await;
    browser.run("window.stayed = true; document.querySelector('#rail').scrollTop = 400").await;
    browser.run("document.querySelector('#queue li:nth-child(5) .answers button').focus()").await;
    browser.keys("\u{e007}").await;
    browser.sees("They know that you are on your way").await;
    let seen = "return [window.stayed, document.querySelector('#rail').scrollTop >= 300, document.activeElement !== document.body]";
    assert_eq!(browser.run(seen).await, json!([true, true, true]));
    // A sheet takes the focus, Escape gives it back to the table.
    let first = card(&floor.tables[0]);
    choose(&browser, &first).await;
    eventually("focus", async || {
        (browser.run("return document.activeElement.id").await == "sheet-title").then_some(())
    })
    .await;
    turn_to(&browser, &first, "move").await;
    browser.keys("\u{e00c}").await;
    browser.find(".sheet-of[id$='-table']").await;
    browser.keys("\u{e00c}").await;
    let closed = "return !document.querySelector('.sheet-of') && document.activeElement.closest('.table-card')?.id";
    eventually("the sheet to close", async || {
        (browser.run(closed).await == first.trim_start_matches('#')).then_some(())
    })
    .await;
    // What was told goes by itself.
    eventually("the toast to leave", async || {
        (browser.run("return !document.querySelector('#told .note')").await == true).then_some(())
    })
    .await;
    assert_eq!(browser.run("return window.stayed").await, true);
    browser.close().await;
}

#[tokio::test]
async fn on_an_upright_tablet_and_a_phone_an_open_table_leaves_the_floor_where_it_is() {
    let floor = Floor::open(12).await;
    for table in 0..6 {
        floor.call_from(table, "order").await;
    }
    for (width, height) in [(768, 1024), (360, 740)] {
        let browser = Browser::open(500, 740, "ko").await;
        browser.resize(width, height).await;
        browser.sign_in(&floor.app).await;
        let top = "return Math.round(document.querySelector('.floor').getBoundingClientRect().top + scrollY)";
        let before = browser.run(top).await;
        choose(&browser, &card(&floor.tables[0])).await;
        assert_eq!(browser.run(top).await, before, "{width}: the cards moved");
        let seen = "const card = document.querySelector('.table-card').getBoundingClientRect(),
            sheet = document.querySelector('.sheet-of').getBoundingClientRect();
            return card.bottom <= sheet.top && sheet.bottom <= innerHeight";
        assert_eq!(browser.run(seen).await, true, "{width}: the sheet covers its table");
        browser.close().await;
    }
}

#[tokio::test]
async fn a_match_that_waits_goes_with_its_party_and_comes_back_with_it() {
    let floor = Floor::open(1).await;
    let owner = floor.app.owner_at_pages().await;
    let page = owner.open("/admin").await;
    let send = async |path: &str, fields: &[(&str, &str)]| {
        let sent = owner.submit(&page, path, fields).await;
        assert_eq!(sent.status, 303, "{path}: {}", sent.text());
        owner.open(sent.header("location")).await.text()
    };
    send(&format!("/admin/tables/{}/sitting", floor.tables[0]), &[("party_size", "3")]).await;
    let id = floor.party(0).await["id"].as_str().expect("it is there").to_owned();
    send(&format!("/admin/sittings/{id}/matches"), &[("game", "perudo"), ("seats", "3")]).await;
    let made = floor.now(0).await["matches"][0]["id"].as_str().expect("it waits").to_owned();
    let status = async || floor.owner.get(&format!("/matches/{made}")).await.is(200)["status"].clone();
    let told = send(&format!("/admin/sittings/{id}/close"), &[]).await;
    assert_eq!(status().await, "aborted");
    assert!(told.contains("Nothing needs you right now."));
    let (_, rest) = told.split_once("action=\"/admin/undos/").expect("it can be undone");
    let undo = format!("/admin/undos/{}", rest.split_once('"').expect("it goes on").0);
    send(&undo, &[("back", "/admin")]).await;
    assert_eq!(status().await, "waiting");

    // One that has waited for long is called off from the queue, and waits again when that is undone.
    let long = "UPDATE matches SET created_at = now() - interval '1 hour'";
    floor.app.database().with(|client| client.batch_execute(long)).expect("it waits");
    assert!(owner.open("/admin").await.text().contains(&format!("/admin/matches/{made}/withdraw")));
    let told = send(&format!("/admin/matches/{made}/withdraw"), &[]).await;
    assert_eq!(status().await, "aborted");
    let (_, rest) = told.split_once("action=\"/admin/undos/").expect("it can be undone");
    send(&format!("/admin/undos/{}", rest.split_once('"').expect("it goes on").0), &[("back", "/admin")]).await;
    assert_eq!(status().await, "waiting");
}

#[tokio::test]
async fn who_comes_to_a_complete_party_is_seen_and_can_be_refused() {
    let floor = Floor::open(1).await;
    let owner = floor.app.owner_at_pages().await;
    let path = format!("/tables/{}/sittings", floor.tables[0]);
    floor.owner.post(&path, json!({ "party_size": 1 })).await.is(201);
    floor.call_from(0, "order").await;
    let code = floor.now(0).await["code"].as_str().expect("a table has a code").to_owned();
    for (name, what, size) in [("Stranger", "remove", 1), ("도윤", "welcome", 2)] {
        let guest = floor.app.guest(name).await;
        guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
        assert_eq!(floor.size_at(0).await, Some(2));
        let page = owner.open("/admin").await;
        let text = page.text();
        assert!(text.contains("One more came to a party that was complete") && text.contains(name), "{text}");
        let (_, rest) = text
            .split_once(&format!("/{what}\""))
            .map(|(before, _)| before.rsplit_once("action=\"").expect("a form"))
            .expect(what);
        let sent = owner.submit(&page, &format!("{rest}/{what}"), &[]).await;
        let told = owner.open(sent.header("location")).await.text();
        assert!(!told.contains("One more came"), "{told}");
        assert_eq!(floor.size_at(0).await, Some(size));
    }
}
