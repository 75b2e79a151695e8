//! `/library/…`: titles and their copies, by the JSON API and at the pages.

use harness::{Answer, TestApp, Visitor};
use reqwest::Method;
use serde_json::{Value, json};

fn catan() -> Value {
    json!({
        "name": { "ko": "카탄", "en": "Catan", "es": "Catán" }, "players": { "from": 3, "to": 4 },
        "minutes": { "from": 60, "to": 120 }, "difficulty": "medium", "teach_minutes": 15,
        "rules_url": "https://example.org/catan",
    })
}

async fn found(visitor: &Visitor, query: &[(&str, &str)]) -> Vec<String> {
    let list = Answer::of(visitor.api(Method::GET, "/library/titles").query(query)).await.is(200);
    let names = list["items"].as_array().expect("a list").iter().map(|it| it["name"]["ko"].as_str());
    names.map(|name| name.expect("a name").to_owned()).collect()
}

/// The one copy of the title that this finds.
pub(crate) async fn copy_of(staff: &Visitor, name: &str) -> String {
    let list = Answer::of(staff.api(Method::GET, "/library/titles").query(&[("name", name)])).await.is(200);
    let title = list["items"][0]["id"].as_str().expect("it is there").to_owned();
    let copies = staff.get(&format!("/library/titles/{title}/copies")).await.is(200);
    copies["items"][0]["id"].as_str().expect("it has a copy").to_owned()
}

async fn table(staff: &Visitor, name: &str) -> String {
    let made = staff.post("/tables", json!({ "name": name, "seats": 4 })).await.is(201);
    made["id"].as_str().expect("it has an id").to_owned()
}

async fn import(staff: &Visitor, sheet: &str, write: bool) -> Value {
    let request = staff.api(Method::POST, &format!("/library/import?write={write}"));
    let request = request.header("content-type", "text/csv").header("accept-language", "en");
    Answer::of(request.body(sheet.to_owned())).await.is(200)
}

#[tokio::test]
async fn the_houses_games_are_there_from_the_start() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let titles = owner.get("/library/titles").await.is(200);
    let games = owner.get("/games").await.is(200);
    let games = games["items"].as_array().expect("a list");
    assert_eq!(titles["items"].as_array().expect("a list").len(), games.len());
    for (lang, code) in [("ko", "ko-KR"), ("en", "en"), ("es", "es-MX")] {
        let request = owner.api(Method::GET, "/games").header("accept-language", code);
        for game in Answer::of(request).await.is(200)["items"].as_array().expect("a list") {
            let title = titles["items"].as_array().expect("a list").iter().find(|it| it["game"] == game["id"]);
            let title = title.unwrap_or_else(|| panic!("{game} is not in the library"));
            assert_eq!(title["name"][lang], game["name"]);
            assert_eq!(title["players"], json!({ "from": game["seats"]["min"], "to": game["seats"]["max"] }));
            assert_eq!(title["minutes"], json!({ "from": game["minutes"]["min"], "to": game["minutes"]["max"] }));
            assert_eq!(title["rules"], format!("/rules/{}", game["id"].as_str().expect("an id")));
            assert_eq!((&title["copies"], &title["on_shelf"]), (&json!(1), &json!(1)));
        }
    }
    let copy = copy_of(&owner, "페루도").await;
    assert_eq!(owner.get(&format!("/library/copies/{copy}")).await.is(200)["shelf"], "카운터");
}

#[tokio::test]
async fn a_game_that_an_upgrade_brings_comes_into_the_library_and_what_staff_changed_stays() {
    let mut app = TestApp::start();
    app.database().with(|client| {
        client
            .batch_execute(
                "CREATE TEMPORARY TABLE gone AS SELECT id FROM titles WHERE game = 'perudo';
                 ALTER TABLE copy_locations DISABLE TRIGGER copy_locations_append_only;
                 DELETE FROM copy_locations WHERE copy_id IN (SELECT id FROM copies WHERE title_id IN (SELECT id FROM gone));
                 ALTER TABLE copy_locations ENABLE TRIGGER copy_locations_append_only;
                 DELETE FROM copies WHERE title_id IN (SELECT id FROM gone);
                 DELETE FROM titles WHERE id IN (SELECT id FROM gone);
                 UPDATE titles SET name_ko = '거짓말 주사위', minutes_to = 99 WHERE game = 'liars-dice'",
            )
            .expect("the library of before")
    });
    app.restart_with(|launch| launch);
    let owner = app.owner().await;
    let titles = owner.get("/library/titles").await.is(200);
    let of =
        |game: &str| titles["items"].as_array().expect("a list").iter().find(|it| it["game"] == game).expect("a title");
    let (perudo, liars) = (of("perudo"), of("liars-dice"));
    assert_eq!((&perudo["name"]["ko"], &perudo["difficulty"]), (&json!("페루도"), &json!("easy")));
    assert_eq!((&perudo["teach_minutes"], &perudo["copies"]), (&json!(5), &json!(1)));
    assert_eq!((&liars["name"]["ko"], &liars["minutes"]["to"]), (&json!("거짓말 주사위"), &json!(99)));
    assert_eq!(
        owner.get(&format!("/library/copies/{}", copy_of(&owner, "페루도").await)).await.is(200)["shelf"],
        "카운터"
    );
}

#[tokio::test]
async fn titles_are_found_by_name_initials_players_and_time() {
    let app = TestApp::start();
    let (owner, anybody) = (app.owner().await, app.anybody());
    owner.post("/library/titles", catan()).await.is(201);
    for (name, wanted) in [
        ("ㅍㄹㄷ", vec!["페루도", "페루도: 해적판"]),
        ("페ㄹ도", vec!["페루도", "페루도: 해적판"]),
        ("페룯", vec!["페루도", "페루도: 해적판"]),
        ("ㅎㅈㅍ", vec!["페루도: 해적판"]),
        ("루도 해ㅈ", vec!["페루도: 해적판"]),
        ("ㅋㅌ", vec!["카탄"]),
        ("ㄷㅁㅇ ㅎ", vec!["동물의 호구왕국"]),
        ("PIRATE", vec!["페루도: 해적판"]),
        ("catán", vec!["카탄"]),
        ("dead mans", vec!["데드맨스드로우"]),
        ("무엇도 아님", vec![]),
        (".*", vec![]),
        ("(", vec![]),
    ] {
        let found = found(&anybody, &[("name", name)]).await;
        let wanted: Vec<String> = wanted.into_iter().map(Into::into).collect();
        // What is only marks asks for nothing.
        if name != "(" {
            assert_eq!(found, wanted, "{name}");
        }
    }
    assert_eq!(found(&anybody, &[("players", "10")]).await, ["동물의 호구왕국", "중간 달리기"]);
    assert!(!found(&anybody, &[("minutes", "14")]).await.contains(&"카탄".to_owned()));
    assert_eq!(
        found(&anybody, &[("difficulty", "medium"), ("name", "ㅋ"), ("players", "")]).await.last().expect("one"),
        "호구 클루"
    );
    for wrong in [("players", "many"), ("difficulty", "odd"), ("limit", "0"), ("cursor", "x"), ("colour", "red")] {
        Answer::of(anybody.api(Method::GET, "/library/titles").query(&[wrong])).await.problem(400, "invalid_query");
    }
    // A page at a time, every title once.
    let mut all = Vec::new();
    let mut cursor = String::new();
    loop {
        let query = [("limit", "3"), ("cursor", cursor.as_str())];
        let page = Answer::of(anybody.api(Method::GET, "/library/titles").query(&query)).await.is(200);
        all.extend(page["items"].as_array().expect("a list").iter().map(|it| it["name"]["ko"].clone()));
        match page["next"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(all.len(), 8);
    all.sort_by_key(Value::to_string);
    all.dedup();
    assert_eq!(all.len(), 8);
}

#[tokio::test]
async fn a_copy_is_in_one_place_and_its_history_tells_which() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let copy = copy_of(&owner, "페루도").await;
    let table = table(&owner, "1").await;
    let act = async |errand: &str, body: Value| owner.post(&format!("/library/copies/{copy}/{errand}"), body).await;
    assert_eq!(act("lend", json!({ "table_id": table })).await.is(200)["table_id"], table);
    act("lend", json!({ "table_id": table })).await.problem(409, "copy_on_table");
    act("find", json!({})).await.problem(409, "copy_on_table");
    assert_eq!(act("take_back", json!({})).await.is(200)["state"], "return");
    act("take_back", json!({})).await.problem(409, "copy_in_return");
    let waiting = owner.get("/library/copies?state=return").await.is(200);
    assert_eq!(waiting["items"][0]["id"], copy);
    assert_eq!(act("check_in", json!({})).await.is(200)["state"], "shelf");
    act("check_in", json!({})).await.problem(409, "copy_on_shelf");
    assert_eq!(act("repair", json!({})).await.is(200)["state"], "repair");
    assert_eq!(act("undo", json!({})).await.is(200)["state"], "shelf");
    act("undo", json!({})).await.problem(409, "nothing_to_undo");
    assert_eq!(act("lose", json!({})).await.is(200)["state"], "lost");
    act("lend", json!({ "table_id": table })).await.problem(409, "copy_lost");
    assert_eq!(act("find", json!({})).await.is(200)["state"], "return");
    let history = owner.get(&format!("/library/copies/{copy}/history")).await.is(200);
    let errands: Vec<_> = history["items"].as_array().expect("a list").iter().map(|it| it["errand"].clone()).collect();
    assert_eq!(json!(errands), json!(["find", "lose", "undo", "repair", "check_in", "take_back", "lend", null]));
    assert!(history["items"][0]["by"].is_string() && history["items"][7]["by"].is_null());
    // The last four of them, then the rest.
    let first = owner.get(&format!("/library/copies/{copy}/history?limit=4")).await.is(200);
    let next = first["next"].as_str().expect("there is more");
    let rest = owner.get(&format!("/library/copies/{copy}/history?cursor={next}")).await.is(200);
    assert_eq!(rest["items"].as_array().expect("a list").len(), 4);
    // The database itself keeps it so.
    app.database().with(|client| {
        client.execute("UPDATE copies SET state = 'table'", &[]).expect_err("on no table");
        client.execute("DELETE FROM copy_locations", &[]).expect_err("history stays");
    });
}

#[tokio::test]
async fn of_two_who_lend_at_once_one_does() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let copy = copy_of(&owner, "중간").await;
    let tables = [table(&owner, "1").await, table(&owner, "2").await];
    let path = format!("/library/copies/{copy}/lend");
    let lend = |table: &str| owner.post(&path, json!({ "table_id": table }));
    let answers: [Answer; 2] = tokio::join!(lend(&tables[0]), lend(&tables[1])).into();
    let mut statuses = answers.each_ref().map(|answer| answer.status);
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    let lost = answers.iter().find(|answer| answer.status == 409).expect("one of them");
    lost.problem(409, "copy_on_table");
    let history = owner.get(&format!("/library/copies/{copy}/history")).await.is(200);
    assert_eq!(history["items"].as_array().expect("a list").len(), 2);
}

#[tokio::test]
async fn a_box_that_somebody_else_holds_up_can_still_be_taken_back() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let copy = copy_of(&owner, "페루도").await;
    let there = json!({ "table_id": table(&owner, "1").await });
    owner.post(&format!("/library/copies/{copy}/lend"), there).await.is(200);
    let undos = owner.get("/undos").await.is(200);
    let undo = format!("/undos/{}", undos["items"][0]["id"].as_str().expect("it can be undone"));
    // The statement gives up waiting for the copy.
    let lock = app.database().hold(format!("SELECT FROM copies WHERE id = '{copy}' FOR UPDATE"));
    let unavailable = owner.post(&undo, json!({})).await;
    unavailable.problem(503, "unavailable");
    assert!(unavailable.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
    drop(lock);
    owner.post(&undo, json!({})).await.is(200);
    assert_eq!(owner.get(&format!("/library/copies/{copy}")).await.is(200)["state"], "shelf");
}

#[tokio::test]
async fn what_an_errand_needs_is_told() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let copy = copy_of(&owner, "페루도").await;
    let lend = format!("/library/copies/{copy}/lend");
    owner.post(&lend, json!({})).await.problem(422, "invalid_fields");
    let nowhere = json!({ "table_id": "019f0000-0000-7000-8000-000000000000" });
    owner.post(&lend, nowhere).await.problem(422, "unknown_table");
    let gone = table(&owner, "1").await;
    owner.patch(&format!("/tables/{gone}"), json!({ "archived": true })).await.is(200);
    owner.post(&lend, json!({ "table_id": gone })).await.problem(422, "unknown_table");
    owner.post(&format!("/library/copies/{copy}/eat"), json!({})).await.refused();
    owner.post(&format!("/library/copies/{gone}/lose"), json!({})).await.problem(404, "copy_not_found");
    let player = app.guest("하늘").await;
    player.post(&lend, json!({ "table_id": gone })).await.problem(403, "forbidden");
    player.get(&format!("/library/copies/{copy}/notes")).await.problem(403, "forbidden");
    player.post("/library/titles", catan()).await.problem(403, "forbidden");
}

#[tokio::test]
async fn titles_are_entered_changed_and_archived() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let made = owner.post("/library/titles", catan()).await.is(201);
    let path = format!("/library/titles/{}", made["id"].as_str().expect("an id"));
    owner.post("/library/titles", catan()).await.problem(409, "title_name_taken");
    for (field, value) in [
        ("players", json!({ "from": 0, "to": 4 })),
        ("players", json!({ "from": 5, "to": 4 })),
        ("minutes", json!({ "from": 1, "to": 100_000 })),
        ("teach_minutes", json!(-1)),
        ("rules_url", json!("javascript:alert(1)")),
        ("name", json!({ "ko": "" })),
        ("name", json!({ "ko": "x".repeat(81) })),
        ("difficulty", json!("odd")),
        ("colour", json!("red")),
    ] {
        let mut body = catan();
        body[field] = value;
        owner.post("/library/titles", body.clone()).await.refused();
        Answer::of(owner.api(Method::PUT, &path).json(&body)).await.refused();
    }
    let mut body = catan();
    body["name"] = json!({ "ko": "카탄의 개척자" });
    let changed = Answer::of(owner.api(Method::PUT, &path).json(&body)).await.is(200);
    assert_eq!(changed["name"]["en"], "카탄의 개척자");
    body["game"] = json!("perudo");
    body["rules_url"] = json!(null);
    Answer::of(owner.api(Method::PUT, &path).json(&body)).await.problem(409, "title_game_taken");
    owner.delete(&path).await.is(204);
    owner.delete(&path).await.is(204);
    assert_eq!(found(&owner, &[("name", "카탄")]).await, Vec::<String>::new());
    owner.get(&path).await.problem(404, "title_not_found");
    owner.post(&format!("{path}/restore"), json!({})).await.is(200);
    assert_eq!(found(&owner, &[("name", "카탄")]).await, ["카탄의 개척자"]);
}

#[tokio::test]
async fn copies_and_notes_outlive_the_shift() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let title = owner.post("/library/titles", catan()).await.is(201)["id"].as_str().expect("an id").to_owned();
    let path = format!("/library/titles/{title}/copies");
    let first = owner.post(&path, json!({ "shelf": "A-3" })).await.is(201);
    let second = owner.post(&path, json!({ "shelf": "A-3" })).await.is(201);
    assert_eq!((&first["number"], &second["number"]), (&json!(1), &json!(2)));
    let copy = format!("/library/copies/{}", second["id"].as_str().expect("an id"));
    owner.post(&path, json!({ "shelf": "x".repeat(21) })).await.refused();
    assert_eq!(owner.patch(&copy, json!({ "shelf": "B-1" })).await.is(200)["shelf"], "B-1");
    let notes = owner.post(&format!("{copy}/notes"), json!({ "text": "말 하나 없음" })).await.is(201);
    let note = format!("/library/notes/{}", notes["items"][0]["id"].as_str().expect("an id"));
    assert_eq!(notes["items"][0]["by"], owner.name());
    for text in ["", "x\u{0}", &"x".repeat(301)] {
        owner.post(&format!("{copy}/notes"), json!({ "text": text })).await.refused();
    }
    assert!(owner.patch(&note, json!({ "settled": true })).await.is(200)["items"][0]["settled_at"].is_string());
    assert!(owner.patch(&note, json!({ "settled": false })).await.is(200)["items"][0]["settled_at"].is_null());
    // A copy that left the library is lent no more; one on a table does not leave.
    let table = table(&owner, "1").await;
    owner.post(&format!("{copy}/lend"), json!({ "table_id": table })).await.is(200);
    owner.patch(&copy, json!({ "archived": true })).await.problem(409, "copy_on_table");
    owner.delete(&format!("/library/titles/{title}")).await.problem(409, "title_on_table");
    owner.post(&format!("{copy}/take_back"), json!({})).await.is(200);
    // Nor is one of a title that left.
    owner.delete(&format!("/library/titles/{title}")).await.is(204);
    owner.post(&format!("{copy}/lend"), json!({ "table_id": table })).await.problem(404, "title_not_found");
    owner.post(&format!("/library/titles/{title}/restore"), json!({})).await.is(200);
    owner.patch(&copy, json!({ "archived": true })).await.is(200);
    owner.post(&format!("{copy}/lend"), json!({ "table_id": table })).await.problem(404, "copy_not_found");
    assert_eq!(owner.get(&format!("/library/titles/{title}")).await.is(200)["copies"], 1);
}

#[tokio::test]
async fn every_errand_is_in_the_audit_log() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let copy = copy_of(&owner, "페루도").await;
    owner.post(&format!("/library/copies/{copy}/repair"), json!({})).await.is(200);
    owner.post(&format!("/library/copies/{copy}/notes"), json!({ "text": "x" })).await.is(201);
    owner.post("/library/titles", catan()).await.is(201);
    let actions: Vec<String> = app.database().with(|client| {
        let rows = client.query("SELECT action FROM audit_log WHERE actor IS NOT NULL ORDER BY id", &[]);
        rows.expect("it can be read").iter().map(|row| row.get(0)).collect()
    });
    for action in ["copy.repair", "note.add", "title.create"] {
        assert!(actions.iter().any(|it| it == action), "{actions:?}");
    }
}

#[tokio::test]
async fn a_sheet_shows_what_it_changes_before_it_does() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let sheet = "Korean name,English name,Players from,Players to,Minutes from,Minutes to,Difficulty,Shelves,Price\r\n\
                 카탄,Catan,3,4,60,120,Medium,A-3 / A-3,30\r\n\
                 페루도,Perudo,2,7,15,25,쉬움,카운터,\r\n\
                 중간 달리기,Middle Race,3,10,30,60,보통,,\r\n\
                 \"=HYPERLINK(\"\"x\"\")\",,0,x,1,,odd,,\r\n";
    let preview = import(&owner, sheet, true).await;
    assert_eq!((&preview["written"], &preview["ignored"]), (&json!(false), &json!(["Price"])));
    let effects: Vec<_> = preview["lines"].as_array().expect("lines").iter().map(|it| it["effect"].clone()).collect();
    assert_eq!(json!(effects), json!(["new", "changed", "same", "refused"]));
    let wrong: Vec<_> =
        preview["lines"][3]["errors"].as_array().expect("errors").iter().map(|it| it["column"].clone()).collect();
    assert_eq!(json!(wrong), json!(["players_to", "minutes_to", "difficulty"]));
    assert_eq!(preview["lines"][3]["line"], 5);
    assert_eq!(preview["lines"][1]["changes"][0]["to"], "7");
    assert_eq!(found(&owner, &[("name", "카탄")]).await, Vec::<String>::new());
    let mended: String = sheet.lines().take(4).map(|line| format!("{line}\r\n")).collect();
    assert_eq!(import(&owner, &mended, false).await["written"], false);
    assert_eq!(import(&owner, &mended, true).await["written"], true);
    assert_eq!(found(&owner, &[("players", "7")]).await, ["중간 달리기", "페루도"]);
    let again = import(&owner, &mended, true).await;
    assert!(again["lines"].as_array().expect("lines").iter().all(|line| line["effect"] == "same"), "{again}");

    // What is exported is what is imported.
    let mut odd = catan();
    odd["name"] = json!({ "ko": "=1+1", "en": "a,\"b\"", "es": "@x" });
    owner.post("/library/titles", odd).await.is(201);
    let exported = owner.get("/library/export.csv").await;
    assert_eq!(exported.status, 200);
    let text = exported.text();
    assert!(text.starts_with('\u{feff}') && text.contains("'=1+1") && text.contains("\"a,\"\"b\"\"\""), "{text}");
    let back = import(&owner, &text, false).await;
    let lines = back["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 9);
    assert!(lines.iter().all(|line| line["effect"] == "same"), "{back}");

    for (sheet, code) in
        [("", "sheet_without_names"), ("a,b\n1,2", "sheet_without_names"), ("name_ko\nx\0", "sheet_unreadable")]
    {
        let request = owner.api(Method::POST, "/library/import").header("content-type", "text/csv");
        Answer::of(request.body(sheet.to_owned())).await.problem(422, code);
    }
    let request = owner.api(Method::POST, "/library/import").header("content-type", "text/csv");
    // The server need not hear it out.
    if let Some(answer) = Answer::try_of(request.body("x".repeat(600 * 1024))).await {
        answer.problem(413, "body_too_large");
    }
    owner.post("/library/import", json!({})).await.problem(415, "unsupported_media_type");
}

/// Where the page's form leads to.
fn action(page: &Answer, ending: &str) -> String {
    let text = page.text();
    let actions = text.split("action=\"").skip(1).filter_map(|rest| rest.split('"').next());
    actions.filter(|it| it.ends_with(ending)).last().unwrap_or_else(|| panic!("no form leads to {ending}")).to_owned()
}

const CATAN: [(&str, &str); 11] = [
    ("name_ko", "카탄"),
    ("name_en", "Catan <b>"),
    ("name_es", ""),
    ("players_from", "3"),
    ("players_to", "4"),
    ("minutes_from", "60"),
    ("minutes_to", "120"),
    ("difficulty", "medium"),
    ("teach_minutes", "15"),
    ("game", ""),
    ("rules_url", "https://example.org/catan"),
];

#[tokio::test]
async fn staff_enter_a_title_and_lend_its_box() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    table(&api, "Deck").await;
    let page = owner.open("/admin/library/titles/new").await;
    let mut wrong = CATAN;
    wrong[3].1 = "5";
    wrong[10].1 = "javascript:alert(1)";
    let refused = owner.submit(&page, "/admin/library/titles", &wrong).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    assert_eq!(text.matches("aria-invalid=\"true\"").count(), 2, "{text}");
    assert!(text.contains("value=\"카탄\""), "what was typed is kept");
    let fields: Vec<_> = CATAN.iter().copied().chain([("shelves", "A-3 / B-1")]).collect();
    let made = owner.submit(&page, "/admin/library/titles", &fields).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let path = made.header("location").to_owned();
    let page = owner.open(&path).await;
    let text = page.text();
    assert!(text.contains("A-3") && text.contains("B-1") && text.contains("Catan &#60;b&#62;"), "{text}");

    let table = text.split_once("<option value=\"").and_then(|(_, rest)| rest.split_once('"')).expect("a table").0;
    let lend = action(&page, "/lend");
    let lent = owner.submit(&page, &lend, &[("table", table)]).await;
    assert_eq!(lent.status, 303);
    let page = owner.open(&path).await;
    assert!(page.text().contains("Deck") && page.text().contains("note good"));
    // The second one is told.
    owner.submit(&page, &lend, &[("table", table)]).await;
    let page = owner.open(&path).await;
    assert!(page.text().contains("note bad") && page.text().contains("already on a table"), "{}", page.text());
    owner.submit(&page, &action(&page, "/take_back"), &[]).await;
    let list = owner.open("/admin/library").await;
    let back = owner.submit(&list, &action(&list, "/check_in"), &[("back", "/admin/library")]).await;
    assert_eq!(back.header("location"), "/admin/library");

    let page = owner.open(&path).await;
    owner.submit(&page, &action(&page, "/notes"), &[("text", "말 <i>하나</i> 없음")]).await;
    let page = owner.open(&path).await;
    assert!(page.text().contains("하나&#60;/i&#62;"), "a note is text and never markup");
    owner.submit(&page, &action(&page, "/settle"), &[]).await;
    let page = owner.open(&path).await;
    owner.submit(&page, &action(&page, "/open"), &[]).await;

    let page = owner.open(&format!("{path}/edit")).await;
    let mut other = CATAN;
    other[0].1 = "카탄의 개척자";
    assert_eq!(owner.submit(&page, &path, &other).await.status, 303);
    assert_eq!(owner.submit(&page, &format!("{path}/archive"), &[]).await.status, 303);
    // The first page after it still tells what was done.
    owner.open("/admin").await;
    assert!(!owner.open("/admin/library").await.text().contains("Catan &"));
    assert!(owner.open("/admin/library?show=archived").await.text().contains("Catan &"));
    assert_eq!(owner.submit(&page, &format!("{path}/restore"), &[]).await.status, 303);
}

#[tokio::test]
async fn a_box_that_left_the_library_meanwhile_is_told_where_it_was_to_be_lent() {
    let app = TestApp::start();
    let (desk, api) = (app.owner_at_pages().await, app.owner().await);
    let (deck, copy) = (table(&api, "Deck").await, copy_of(&api, "호구 클루").await);
    let page = desk.open("/admin/library").await;
    api.patch(&format!("/library/copies/{copy}"), json!({ "archived": true })).await.is(200);
    let fields = [("table", deck.as_str()), ("back", "/admin/library")];
    let lent = desk.submit(&page, &format!("/admin/library/copies/{copy}/lend"), &fields).await;
    assert_eq!(lent.status, 303, "{}", lent.text());
    let page = desk.open("/admin/library").await.text();
    assert!(page.contains("note bad") && page.contains("There is no such box"), "{page}");
}

#[tokio::test]
async fn two_windows_change_a_title_without_undoing_each_other() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    let made = owner.submit(&owner.open("/admin/library/titles/new").await, "/admin/library/titles", &CATAN).await;
    let path = made.header("location").to_owned();
    let id = path.rsplit('/').next().expect("an id").to_owned();
    let title = async || {
        let title = api.get(&format!("/library/titles/{id}")).await.is(200);
        json!([title["name"]["ko"], title["minutes"]["to"], title["difficulty"]])
    };
    let page = owner.open(&format!("{path}/edit")).await;
    assert_eq!(owner.edit(&page, &path, &[("minutes_to", "90"), ("difficulty", "hard")]).await.status, 303);
    // The other window was opened before that.
    assert_eq!(owner.edit(&page, &path, &[("name_ko", "카탄 2")]).await.status, 303);
    assert!(owner.open(&path).await.text().contains("What somebody else has changed meanwhile"));
    assert_eq!(title().await, json!(["카탄 2", 90, "hard"]));
    // Two who change the same: the later one reads what is there now, and saves again.
    let mine = [("minutes_to", "100"), ("difficulty", "easy")];
    let told = owner.edit(&page, &path, &mine).await;
    assert_eq!(told.status, 409, "{}", told.text());
    for seen in ["Somebody else has changed the same thing", "Now: 90", "Now: Hard", "value=\"100\"", "카탄 2"] {
        assert!(told.text().contains(seen), "{seen}: {}", told.text());
    }
    assert_eq!(title().await, json!(["카탄 2", 90, "hard"]));
    assert_eq!(owner.edit(&told, &path, &mine).await.status, 303);
    assert_eq!(title().await, json!(["카탄 2", 100, "easy"]));
}

#[tokio::test]
async fn what_rested_for_ninety_days_is_shown() {
    let app = TestApp::start();
    let (owner, api) = (app.owner_at_pages().await, app.owner().await);
    let unplayed = async || {
        let text = owner.open("/admin/library?show=unplayed").await.text();
        ["Perudo", "Hogu Clue", "Middle Race"].map(|name| text.contains(&format!(">{name}</a>")))
    };
    assert_eq!(unplayed().await, [false; 3], "nothing is here for so long");
    app.database().with(|client| {
        client
            .execute("UPDATE titles SET created_at = created_at - interval '91 days'", &[])
            .expect("they can be aged");
    });
    assert_eq!(unplayed().await, [true; 3]);
    // One is played digitally, one lies on a table.
    let _ = harness::Party::start(&app, "perudo", 2, json!({})).await;
    let (copy, table) = (copy_of(&api, "호구 클루").await, table(&api, "1").await);
    api.post(&format!("/library/copies/{copy}/lend"), json!({ "table_id": table })).await.is(200);
    assert_eq!(unplayed().await, [false, false, true]);
    api.post(&format!("/library/copies/{copy}/take_back"), json!({})).await.is(200);
    assert_eq!(unplayed().await, [false, false, true]);
}

#[tokio::test]
async fn guests_see_what_there_is_and_nothing_of_the_staffs() {
    let app = TestApp::start();
    let (owner, anybody) = (app.owner().await, app.anybody());
    let copy = copy_of(&owner, "페루도").await;
    owner.post(&format!("/library/copies/{copy}/notes"), json!({ "text": "SECRET" })).await.is(201);
    owner.post(&format!("/library/copies/{copy}/repair"), json!({})).await.is(200);
    let page = anybody.open("/library").await;
    assert_eq!(page.status, 200);
    let text = page.text();
    assert!(text.contains("Out right now") && text.contains("Available now") && text.contains("/rules/perudo"));
    for word in ["SECRET", "카운터", "repair", "/admin/library"] {
        assert!(!text.contains(word), "{word}");
    }
    let found = anybody.open("/library?name=%E3%85%8D%E3%84%B9%E3%84%B7&players=&minutes=20&difficulty=").await.text();
    assert!(found.contains("<h2>Perudo</h2>") && !found.contains("Middle Race"), "{found}");
    for path in ["/admin/library", "/admin/library/import", "/admin/library/titles/new"] {
        assert_eq!(anybody.open(path).await.status, 401, "{path}");
    }
    assert_eq!(anybody.open("/library?players=x").await.status, 400);
}

#[tokio::test]
async fn a_sheet_is_looked_at_before_it_is_taken() {
    let app = TestApp::start();
    let browser = harness::Browser::open(1024, 768, "en").await;
    browser.sign_in(&app).await;
    browser.go(&format!("{}/admin/library/import", app.url())).await;
    browser.sees("Or paste it here").await;
    browser.run("document.querySelector('#text').value = 'x'.repeat(600_000)").await;
    browser.press("main form.form button").await;
    browser.sees("lines can be imported at once").await;
    let heading = "name_ko,players_from,players_to,minutes_from,minutes_to,difficulty\n";
    browser.fill("#text", &format!("{heading}스플렌더,2,4,30,x,easy\n")).await;
    browser.press("main form.form button").await;
    browser.sees("1 with errors").await;
    browser.sees("Minutes to: ").await;
    browser.fill("#text", &format!("{heading}스플렌더,2,4,30,45,easy\n")).await;
    browser.press("main form.form button").await;
    browser.sees("1 new, 0 changed").await;
    assert_eq!(found(&app.anybody(), &[("name", "ㅅㅍㄹㄷ")]).await, Vec::<String>::new());
    browser.press("#preview form button").await;
    browser.sees("Saved to the library").await;
    assert_eq!(found(&app.anybody(), &[("name", "ㅅㅍㄹㄷ")]).await, ["스플렌더"]);
    browser.close().await;
}

#[tokio::test]
async fn shelves_are_named_so_that_a_sheet_can_hold_them() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let copy = copy_of(&staff, "Perudo").await;
    let refused = staff.patch(&format!("/library/copies/{copy}"), json!({ "shelf": "A/3" })).await;
    assert_eq!(refused.problem(422, "invalid_fields")["errors"][0]["code"], "slash");
}
