//! Guests' pages as an app on the phone: what is kept for when the network is gone, and what never is.

use harness::{Answer, Browser, TestApp, eventually};
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
