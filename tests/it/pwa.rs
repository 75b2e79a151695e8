//! Guests' pages as an app on the phone: what is kept for when the network is gone, and what never is.

use harness::{Answer, Browser, Fault, Line, TestApp, eventually};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn the_manifest_names_the_cafe() {
    let app = TestApp::start();
    let settings = json!({ "name": "등대 보드게임", "time_zone": "Asia/Seoul", "language": "ko", "second_factor_required": false, "hours": [] });
    Answer::of(app.owner().await.api(Method::PUT, "/cafe").json(&settings)).await.is(200);
    let manifest = app.anybody().get_page("/manifest.webmanifest").await;
    let manifest: Value = serde_json::from_str(&manifest.text()).expect("it is JSON");
    assert_eq!(manifest["name"], "등대 보드게임");
    let icon = manifest["icons"][0]["src"].as_str().expect("it has an icon");
    assert_eq!(app.anybody().get_page(icon).await.status, 200);
}

#[tokio::test]
async fn rules_that_were_read_are_there_without_a_network_and_tables_are_not() {
    let mut app = TestApp::start();
    let browser = Browser::open(360, 740, "en").await;
    browser.go(app.url()).await;
    assert_eq!(browser.run("return navigator.serviceWorker.ready.then(() => true)").await, json!(true));
    let is_kept = "return navigator.serviceWorker.controller && caches.match('/offline').then(it => Boolean(it))";
    eventually("the shell in the cache", async || (browser.run(is_kept).await == true).then_some(())).await;
    let rules = format!("{}/rules/perudo", app.url());
    browser.go(&rules).await;
    let kept = "return caches.match('/rules/perudo').then(it => Boolean(it))";
    eventually("the rules in the cache", async || (browser.run(kept).await == true).then_some(())).await;
    let (home, table) = (app.url().to_owned(), format!("{}/t/ABCDEF", app.url()));
    browser.go(&table).await;
    app.server().kill();
    browser.go(&rules).await;
    browser.sees("Perudo").await;
    for gone in [home, table] {
        browser.go(&gone).await;
        browser.sees("No connection").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn a_page_that_did_not_come_is_asked_for_again_by_itself() {
    let app = TestApp::start();
    let line = Line::to(app.url());
    let browser = Browser::open(360, 740, "en").await;
    let haste = "const often = setInterval.bind(window), ask = fetch.bind(window);
        window.setInterval = (deed, time, ...rest) => often(deed, time === 15000 ? 100 : time, ...rest);
        window.asked = 0;
        window.fetch = (...what) => { asked++; return ask(...what); };";
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": haste })).await;
    browser.go(&line.url()).await;
    let is_kept = "return navigator.serviceWorker.controller && caches.match('/offline').then(it => Boolean(it))";
    eventually("the shell in the cache", async || (browser.run(is_kept).await == true).then_some(())).await;
    line.suffers(Fault::Cut);
    let rules = format!("{}/rules/perudo", line.url());
    browser.go(&rules).await;
    browser.sees("No connection").await;
    // Nor is an answer of something in between the page.
    line.suffers(Fault::Busy);
    browser.run("window.before = true; asked = 0").await;
    let is_asked = "return asked > 2";
    eventually("it asks again", async || (browser.run(is_asked).await == true).then_some(())).await;
    assert_eq!(browser.run("return window.before").await, true);
    line.suffers(Fault::None);
    browser.sees("Perudo").await;
    assert_eq!(browser.run("return location.pathname").await, "/rules/perudo");
    browser.close().await;
}
