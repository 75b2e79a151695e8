//! One search through everything that staff look for: by plain pages, and in the box that `/` opens.

use harness::{Browser, TestApp};
use serde_json::json;

#[tokio::test]
async fn staff_find_everything_by_what_they_know_of_it() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", json!({ "name": "Crow's Nest", "seats": 4 })).await.is(201);
    owner.post("/variants", json!({ "game": "perudo", "name": "Friday night", "options": {} })).await.is(201);
    let rules = json!({ "points": { "kind": "places", "scale": [300, 100] } });
    owner.post("/series", json!({ "name": "겨울 리그", "rules": rules })).await.is(201);
    let new = json!({ "game": "perudo", "seats": 2, "name": "Finale at midnight" });
    let made = owner.post("/matches", new).await.is(201);
    let (id, code) = (made["id"].as_str().expect("an id"), made["code"].as_str().expect("a code").to_lowercase());
    let guest = app.guest("Zoe Standish").await;
    let desk = app.owner_at_pages().await;
    let found = async |text: &str| desk.open(&format!("/admin/search?q={text}")).await.text();
    for (text, path) in [
        ("crow", "/admin?table="),
        ("crow%27snest", "/admin?table="),
        ("standish", "/admin/players/"),
        ("finale", &format!("/admin/matches/{id}")),
        (&code, &format!("/admin/matches/{id}")),
        // The game of the match that waits, in another language and by initials.
        ("perudo", &format!("/admin/matches/{id}")),
        ("%E3%85%8D%E3%84%B9%E3%84%B7", &format!("/admin/matches/{id}")),
        ("day+ni", "/admin/variants/"),
        // By initials.
        ("%E3%84%B1%E3%85%87%E3%84%B9", "/admin/series/"),
        ("%E3%85%8D%E3%84%B9%E3%84%B7", "/admin/library/titles/"),
        ("librar", "/admin/library"),
    ] {
        assert!(found(text).await.contains(&format!("<li><a href=\"{path}")), "{text}");
    }
    assert!(found("perudo").await.contains("<li><a href=\"/rules/perudo\">"));
    assert!(found("qqqq").await.contains("Nothing found for qqqq."));
    assert_eq!(guest.open("/admin/search?q=crow").await.status, 403);
    assert_eq!(app.anybody().open("/admin/search?q=crow").await.status, 401);
}

#[tokio::test]
async fn people_are_found_by_initials_and_signs_stand_for_themselves() {
    let app = TestApp::start();
    let owner = app.owner().await;
    for name in ["강예린", "까치", "100% Kim", "under_score"] {
        app.guest(name).await;
    }
    let named = async |asked: &str| -> Vec<String> {
        let found = owner.get(&format!("/players?kind=guest&q={asked}")).await.is(200);
        let people = found["items"].as_array().expect("a list").iter();
        people.map(|it| it["display_name"].as_str().expect("a name").to_owned()).collect()
    };
    for (asked, name) in [
        ("ㄱㅇㄹ", "강예린"),
        ("강ㅇ", "강예린"),
        ("강옐", "강예린"),
        ("ㄱㅊ", "까치"),
        ("ㄲㅊ", "까치"),
        ("%25", "100% Kim"),
        ("_", "under_score"),
        ("r_s", "under_score"),
    ] {
        assert_eq!(named(asked).await, [name], "{asked}");
    }
    let desk = app.owner_at_pages().await;
    for page in ["/admin/search", "/admin/players"] {
        let text = desk.open(&format!("{page}?q=ㄱㅇㄹ")).await.text();
        assert!(text.contains("강예린") && !text.contains("까치"), "{page}");
    }
}

#[tokio::test]
async fn a_slash_opens_it_from_anywhere_unless_keys_are_off() {
    let app = TestApp::start();
    app.owner().await.post("/tables", json!({ "name": "Crow's Nest", "seats": 4 })).await.is(201);
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&app).await;
    browser.keys("/").await;
    browser.find("#search[open] #search-everything").await;
    browser.keys("crow").await;
    browser.press("#search .found a[href^='/admin?table=']").await;
    browser.find(".sheet-of").await;
    // The sheet of keys tells of it, and switches them off.
    browser.keys("?").await;
    let told =
        "return document.querySelector('#keys').open && document.querySelector('#keys').textContent.includes('/')";
    assert_eq!(browser.run(told).await, true);
    browser.press("#keys-on").await;
    browser.press("#keys button.main").await;
    browser.keys("/").await;
    assert_eq!(browser.run("return document.querySelector('#search').open").await, false);
    browser.close().await;
}
