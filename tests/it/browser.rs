//! The staff's pages in a real browser: live without reloading, in three languages and two themes, and without JavaScript.

use fantoccini::{Locator, elements::Element};
use harness::{Browser, Party, TestApp, eventually};
use serde_json::json;

/// Waits for it, since a page may be on its way.
async fn find(browser: &Browser, css: &str) -> Element {
    eventually(css, async || browser.client.find(Locator::Css(css)).await.ok()).await
}

async fn fill(browser: &Browser, css: &str, text: &str) {
    let field = find(browser, css).await;
    field.clear().await.expect("it can be emptied");
    field.send_keys(text).await.expect("it can be typed into");
}

async fn press(browser: &Browser, css: &str) {
    find(browser, css).await.click().await.unwrap_or_else(|err| panic!("{css}: {err}"));
}

async fn sign_in(browser: &Browser, app: &TestApp) {
    let (email, password) = app.owner_credentials();
    browser.go(&format!("{}/admin", app.url())).await;
    fill(browser, "#email", email).await;
    fill(browser, "#password", password).await;
    press(browser, "main form button").await;
    eventually("the floor", async || browser.client.current_url().await.ok()?.path().eq("/admin").then_some(())).await;
    find(browser, "#floor").await;
}

/// What the page complained about; pages must be quiet.
async fn complaints(browser: &Browser) -> Vec<String> {
    let script = "return (window.performance.getEntriesByType('resource') || [])
        .filter(it => new URL(it.name).origin !== location.origin).map(it => it.name)";
    let foreign = browser.run(script).await;
    foreign.as_array().into_iter().flatten().map(ToString::to_string).collect()
}

#[tokio::test]
async fn the_first_owner_sets_the_cafe_up() {
    let server = harness::Launch::new().start();
    let said = server.said();
    let link = said.split_whitespace().find(|word| word.contains("/admin/setup?token=")).expect("it is said");
    let browser = Browser::open(1024, 768, "es").await;
    browser.go(link).await;
    assert_eq!(browser.run("return document.documentElement.lang").await, "es");
    fill(&browser, "[name=display_name]", "Lucía").await;
    fill(&browser, "[name=email]", "lucia@example.org").await;
    fill(&browser, "[name=password]", "una contraseña larga").await;
    press(&browser, "main form button").await;
    browser.sees("Lucía").await;
    find(&browser, "#floor").await;
    browser.close().await;
}

#[tokio::test]
async fn floor_and_match_are_live_without_reloading() {
    let app = TestApp::start();
    let browser = Browser::open(1280, 900, "en").await;
    sign_in(&browser, &app).await;
    // Would be gone after a reload.
    browser.run("window.stayed = true").await;
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    let code = party.look().await["code"].as_str().expect("it has one").to_owned();
    browser.sees(&code).await;
    party.sit(0).await.is(201);
    party.sit(1).await.is(201);
    party.players[0].post(&party.path("/start"), json!({})).await.is(200);
    let name = |seat: usize| party.players[seat].name().to_owned();
    let names = [name(0), name(1)];
    eventually("whose turn it is on the floor", async || {
        let text = browser.text().await;
        names.iter().any(|name| text.contains(name)).then_some(())
    })
    .await;
    assert_eq!(browser.run("return window.stayed").await, true);

    press(&browser, &format!("a[href=\"/admin/matches/{}\"]", party.id)).await;
    find(&browser, "#match").await;
    browser.run("window.stayed = true").await;
    let log = async || {
        let count = browser.run("return document.querySelectorAll('.log li').length").await;
        count.as_u64().unwrap_or_default()
    };
    for _ in 0..3 {
        let before = log().await;
        party.step().await;
        eventually("the move in the log", async || (log().await > before).then_some(())).await;
    }
    party.play_to_the_end().await;
    find(&browser, &format!("a[href=\"/api/v1/matches/{}/record\"]", party.id)).await;
    assert_eq!(browser.run("return window.stayed").await, true);
    assert_eq!(complaints(&browser).await, Vec::<String>::new());
    browser.close().await;
}

#[tokio::test]
async fn languages_and_themes_are_switched_on_every_page() {
    let app = TestApp::start();
    let browser = Browser::open(1024, 768, "ko").await;
    sign_in(&browser, &app).await;
    for path in ["/admin", "/admin/tables", "/admin/matches"] {
        browser.go(&format!("{}{path}", app.url())).await;
        for lang in ["es", "en", "ko"] {
            press(&browser, ".menu.tools > summary").await;
            press(&browser, &format!("button[name=lang][value={lang}]")).await;
            let is = format!("return document.documentElement.lang === '{lang}' && location.pathname === '{path}'");
            eventually(&format!("{path} in {lang}"), async || (browser.run(&is).await == true).then_some(())).await;
        }
    }
    let mut backgrounds = Vec::new();
    press(&browser, ".menu.tools > summary").await;
    for theme in ["dark", "light"] {
        press(&browser, &format!("#theme button[value={theme}]")).await;
        let is = format!("return document.documentElement.dataset.theme === '{theme}'");
        eventually(theme, async || (browser.run(&is).await == true).then_some(())).await;
        backgrounds.push(browser.run("return getComputedStyle(document.body).backgroundColor").await);
    }
    assert_ne!(backgrounds[0], backgrounds[1]);
    browser.close().await;
}

#[tokio::test]
async fn nothing_is_wider_than_a_phone_and_all_can_be_pressed() {
    let app = TestApp::start();
    let browser = Browser::open(390, 800, "ko").await;
    sign_in(&browser, &app).await;
    let party = Party::start(&app, "perudo", 6, json!({})).await;
    let pages = [
        "/admin".to_owned(),
        "/admin/tables".into(),
        "/admin/matches".into(),
        "/admin/staff".into(),
        "/admin/settings".into(),
        "/admin/audit".into(),
        "/admin/operations".into(),
        "/admin/account".into(),
        format!("/admin/matches/{}", party.id),
    ];
    for path in pages {
        browser.go(&format!("{}{path}", app.url())).await;
        let over =
            browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
        assert!(over.as_i64().is_some_and(|over| over <= 0), "{path} is {over} pixels too wide");
        let unnamed = "return [...document.querySelectorAll('a, button, input:not([type=hidden])')].filter(it =>
            !it.textContent.trim() && !it.getAttribute('aria-label') && !(it.labels && it.labels.length) && !it.title
        ).map(it => it.outerHTML)";
        assert_eq!(browser.run(unnamed).await, json!([]), "{path}");
    }
    browser.close().await;
}

#[tokio::test]
async fn all_of_it_works_without_javascript() {
    let app = TestApp::start();
    let browser = Browser::open_without_javascript(1024, 768, "en").await;
    let (email, password) = app.owner_credentials();
    browser.go(&format!("{}/admin/sign-in", app.url())).await;
    fill(&browser, "#email", email).await;
    fill(&browser, "#password", password).await;
    press(&browser, "main form button").await;
    find(&browser, "#floor").await;
    browser.go(&format!("{}/admin/tables", app.url())).await;
    fill(&browser, "aside [name=name]", "Crow's nest").await;
    fill(&browser, "aside [name=seats]", "5").await;
    press(&browser, "aside form button").await;
    let listed = find(&browser, ".harbour").await.text().await.expect("it has text");
    assert!(listed.contains("Crow's nest"), "{listed}");
    press(&browser, ".menu.tools > summary").await;
    press(&browser, "button[name=lang][value=es]").await;
    find(&browser, "html[lang=es]").await;
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    browser.go(&format!("{}/admin/matches/{}", app.url(), party.id)).await;
    press(&browser, "#abort summary").await;
    fill(&browser, "#reason", "cerramos").await;
    press(&browser, "#abort form button").await;
    find(&browser, ".note.good").await;
    assert_eq!(party.look().await["status"], "aborted");
    browser.close().await;
}
