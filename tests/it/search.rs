//! One search through everything that staff look for: by plain pages, and in the box that `/` opens.

use fantoccini::Locator;
use harness::{Browser, TestApp, eventually};
use serde_json::json;

#[tokio::test]
async fn staff_find_everything_by_what_they_know_of_it() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", json!({ "name": "Crow's Nest", "seats": 4 })).await.is(201);
    owner.post("/variants", json!({ "game": "perudo", "name": "Friday night", "options": {} })).await.is(201);
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
        ("day+ni", "/admin/variants/"),
        ("%E3%85%8D%E3%84%B9%E3%84%B7", "/admin/library/titles/"),
        ("librar", "/admin/library"),
    ] {
        assert!(found(text).await.contains(&format!("<li><a href=\"{path}")), "{text}");
    }
    assert!(found("qqqq").await.contains("Nothing found for qqqq."));
    assert!(!found("%25").await.contains("/admin/matches/0"), "no wildcard is one");
    assert_eq!(guest.open("/admin/search?q=crow").await.status, 403);
    assert_eq!(app.anybody().open("/admin/search?q=crow").await.status, 401);
}

#[tokio::test]
async fn a_slash_opens_it_from_anywhere_unless_keys_are_off() {
    let app = TestApp::start();
    app.owner().await.post("/tables", json!({ "name": "Crow's Nest", "seats": 4 })).await.is(201);
    let browser = Browser::open(1024, 768, "en").await;
    crate::floor::sign_in(&browser, &app).await;
    let press = async |key: &str| {
        let body = browser.client.find(Locator::Css("body")).await.expect("there is one");
        body.send_keys(key).await.expect("it can be pressed");
    };
    press("/").await;
    let field = eventually("the box", async || {
        let field = browser.client.find(Locator::Css("#search[open] #search-everything")).await.ok()?;
        field.send_keys("crow").await.is_ok().then_some(field)
    });
    field.await;
    let link = "#search .found a[href^='/admin?table=']";
    eventually("the table", async || browser.client.find(Locator::Css(link)).await.ok()?.click().await.ok()).await;
    eventually("its sheet", async || browser.client.find(Locator::Css(".sheet-of")).await.ok()).await;
    // The sheet of keys tells of it, and switches them off.
    press("?").await;
    let told =
        "return document.querySelector('#keys').open && document.querySelector('#keys').textContent.includes('/')";
    assert_eq!(browser.run(told).await, true);
    let off = browser.client.find(Locator::Css("#keys-on")).await.expect("it is there");
    off.click().await.expect("it can be switched");
    let close = browser.client.find(Locator::Css("#keys button.main")).await.expect("it is there");
    close.click().await.expect("it closes");
    press("/").await;
    assert_eq!(browser.run("return document.querySelector('#search').open").await, false);
    browser.close().await;
}
