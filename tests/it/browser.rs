//! The staff's pages in a real browser: live without reloading, in three languages and two themes, and without JavaScript.

use harness::{Browser, Party, TestApp, Visitor, eventually};
use serde_json::{Value, json};

/// What the page complained about; pages must be quiet.
async fn complaints(browser: &Browser) -> Vec<String> {
    let script = "return (window.performance.getEntriesByType('resource') || [])
        .filter(it => new URL(it.name).origin !== location.origin).map(it => it.name)";
    let foreign = browser.run(script).await;
    foreign.as_array().into_iter().flatten().map(ToString::to_string).collect()
}

#[tokio::test]
async fn the_first_owner_sets_the_cafe_up_until_their_own_phone_arrives() {
    let server = harness::Launch::new().start();
    let said = server.said();
    let link = said.split_whitespace().find(|word| word.contains("/admin/setup?token=")).expect("it is said");
    let browser = Browser::open(1024, 768, "es").await;
    browser.go(link).await;
    assert_eq!(browser.run("return document.documentElement.lang").await, "es");
    browser.fill("[name=display_name]", "Lucía").await;
    browser.fill("[name=email]", "lucia@example.org").await;
    browser.fill("[name=password]", "una contraseña larga").await;
    browser.press("main form button").await;
    // Four steps: what it is, its tables, its address, and a phone.
    browser.fill("#name", "Café Lucía").await;
    browser.press("form[action$='/cafe'] .main").await;
    browser.fill("#count", "5").await;
    browser.press("form[action$='/tables'] .main").await;
    browser.sees("Mesas creadas: 5").await;
    browser.fill("#wifi_name", "Lucía").await;
    browser.fill("#wifi_password", "tres tigres").await;
    browser.press("form[action$='/address'] .main").await;
    browser.find("#wifi_name[value='Lucía']").await;
    browser.press("a[href$='step=4']").await;
    browser.find(".scan:not(.arrived) .qr-now svg").await;
    let page = browser.says(".scan .small").await;
    let phone = Visitor::new(server.url());
    assert_eq!(phone.open(&page[page.find("/t/").expect("a table's page")..]).await.status, 200);
    browser.find(".scan.arrived").await;
    // The floor says what is left until all of it is done, or it is put away.
    browser.go(&format!("{}/admin", server.url())).await;
    browser.sees("Café Lucía").await;
    let cards = browser.run("return document.querySelectorAll('.table-card').length").await;
    assert_eq!(cards, 5);
    let done = browser.run("return document.querySelectorAll('.opening-left .done').length").await;
    assert_eq!(done, 3, "only the address is of this machine alone");
    browser.press(".opening-left button").await;
    eventually("the list to go", async || {
        (browser.run("return !document.querySelector('.opening-left')").await == true).then_some(())
    })
    .await;
    browser.close().await;
}

#[tokio::test]
async fn floor_and_match_are_live_without_reloading() {
    let app = TestApp::start();
    let browser = Browser::open(1280, 900, "en").await;
    browser.sign_in(&app).await;
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

    browser.press(&format!("a[href=\"/admin/matches/{}\"]", party.id)).await;
    browser.find("#match").await;
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
    browser.find(&format!("a[href=\"/api/v1/matches/{}/record\"]", party.id)).await;
    assert_eq!(browser.run("return window.stayed").await, true);
    assert_eq!(complaints(&browser).await, Vec::<String>::new());
    browser.close().await;
}

#[tokio::test]
async fn languages_and_themes_are_switched_on_every_page() {
    let app = TestApp::start();
    let browser = Browser::open(1024, 768, "ko").await;
    browser.sign_in(&app).await;
    for path in ["/admin", "/admin/tables", "/admin/matches"] {
        browser.go(&format!("{}{path}", app.url())).await;
        for lang in ["es", "en", "ko"] {
            browser.press(".menu.tools > summary").await;
            browser.press(&format!("button[name=lang][value={lang}]")).await;
            let is = format!("return document.documentElement.lang === '{lang}' && location.pathname === '{path}'");
            eventually(&format!("{path} in {lang}"), async || (browser.run(&is).await == true).then_some(())).await;
        }
    }
    let mut backgrounds = Vec::new();
    browser.press(".menu.tools > summary").await;
    for theme in ["dark", "light"] {
        browser.press(&format!("#theme button[value={theme}]")).await;
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
    browser.sign_in(&app).await;
    let party = Party::start(&app, "perudo", 6, json!({})).await;
    let pages = [
        "/admin".to_owned(),
        "/admin/tables".into(),
        "/admin/matches".into(),
        "/admin/staff".into(),
        "/admin/staff/sessions".into(),
        "/admin/closing".into(),
        "/admin/settings".into(),
        "/admin/settings/tariff".into(),
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

/// How wide the narrowest of these is.
async fn narrowest(browser: &Browser, css: &str) -> f64 {
    let widths = format!("[...document.querySelectorAll('{css}')].map(it => it.getBoundingClientRect().width)");
    let least = browser.run(&format!("return Math.min(...{widths})")).await;
    least.as_f64().unwrap_or_else(|| panic!("nothing on the page is {css}"))
}

#[tokio::test]
async fn names_keep_their_room_on_narrow_screens() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let id = |it: &Value| it["id"].as_str().expect("it has an id").to_owned();

    let titles = owner.get("/library/titles").await.is(200);
    let copies = format!("/library/titles/{}/copies", id(&titles["items"][0]));
    for shelf in ["Beside the window", "Under the staircase"] {
        owner.post(&copies, json!({ "shelf": shelf })).await.is(201);
    }

    let points = json!({ "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 });
    let stage = json!({ "format": { "kind": "round_robin", "legs": 1 }, "scoring": { "points": points } });
    let new = json!({ "name": "Copa de los viernes", "game": "perudo", "stages": [stage] });
    let cup = id(&owner.post("/tournaments", new).await.is(201));
    for name in ["Lucía", "Bartholomew"] {
        owner.post(&format!("/tournaments/{cup}/entrants"), json!({ "display_name": name })).await.is(201);
    }
    let new = json!({ "name": "Otoño", "rules": { "points": { "kind": "beaten" } } });
    let season = id(&owner.post("/series", new).await.is(201)["series"]);
    owner.put(&format!("/series/{season}/events/{cup}"), json!({})).await.is(200);

    let options = json!({ "track_length": 10, "move_cards": 3 });
    let mut race = Party::start(&app, "middle-race", 7, options).await;
    race.play_to_the_end().await;
    let code = race.look().await["code"].as_str().expect("it has a code").to_owned();

    let browser = Browser::open(768, 1024, "es").await;
    browser.sign_in(&app).await;
    let pages = [
        (format!("/admin/tournaments/{cup}/entrants"), ".entrants .who", 120.0),
        ("/admin/library".to_owned(), ".shelves .grow", 180.0),
        (format!("/admin/series/{season}"), ".season-events .grow", 140.0),
        (format!("/m/{code}"), ".runners .name", 85.0),
    ];
    for width in [360, 390, 768] {
        browser.resize(width, 800).await;
        for (path, css, least) in &pages {
            browser.go(&format!("{}{path}", app.url())).await;
            let found = narrowest(&browser, css).await;
            assert!(found >= *least, "{path} at {width}: {css} is {found} px wide");
        }
        let cut = "const bottom = it => it.getBoundingClientRect().bottom;
            const names = [...document.querySelectorAll('.podium .name')];
            return names.filter(it => bottom(it) > bottom(it.closest('li'))).length";
        assert_eq!(browser.run(cut).await, 0, "at {width}");
    }
    browser.close().await;
}

#[tokio::test]
async fn no_script_of_a_page_runs_without_javascript() {
    let app = TestApp::start();
    let on = Browser::open(1024, 768, "en").await;
    let off = Browser::open_without_javascript(1024, 768, "en").await;
    for (browser, title) in [(on, "it ran"), (off, "")] {
        // Each address of another site may be another process of the browser's.
        for _ in 0..2 {
            browser.go(app.url()).await;
            browser.go("data:text/html,<script>document.title = 'it ran'</script>").await;
            assert_eq!(browser.run("return document.title").await, title);
        }
        browser.close().await;
    }
}

#[tokio::test]
async fn all_of_it_works_without_javascript() {
    let app = TestApp::start();
    let browser = Browser::open_without_javascript(1024, 768, "en").await;
    let (email, password) = app.owner_credentials();
    browser.go(&format!("{}/admin/sign-in", app.url())).await;
    browser.fill("#email", email).await;
    browser.fill("#password", password).await;
    browser.press("main form button").await;
    browser.find("#floor").await;
    browser.go(&format!("{}/admin/tables", app.url())).await;
    browser.fill("aside [name=name]", "Crow's nest").await;
    browser.fill("aside [name=seats]", "5").await;
    browser.press("aside form button").await;
    let listed = browser.find(".harbour").await.text().await.expect("it has text");
    assert!(listed.contains("Crow's nest"), "{listed}");
    browser.press(".menu.tools > summary").await;
    browser.press("button[name=lang][value=es]").await;
    browser.find("html[lang=es]").await;
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    browser.go(&format!("{}/admin/matches/{}", app.url(), party.id)).await;
    browser.press("#abort summary").await;
    browser.fill("#reason", "cerramos").await;
    browser.press("#abort form button").await;
    browser.find(".note.good").await;
    assert_eq!(party.look().await["status"], "aborted");
    browser.close().await;
}

#[tokio::test]
async fn a_form_that_is_refused_leads_to_what_is_wrong() {
    let app = TestApp::start();
    let owner = app.owner().await;
    owner.post("/tables", json!({ "name": "Mast", "seats": 4 })).await.is(201);
    let table = owner.post("/tables", json!({ "name": "Deck", "seats": 4 })).await.is(201);
    let (id, code) = (table["id"].as_str().expect("an id"), table["code"].as_str().expect("a code"));
    let phone = async || {
        let browser = Browser::open(500, 844, "en").await;
        browser.resize(390, 844).await;
        browser
    };
    let leads_to = async |browser: &Browser, css: &str| {
        let script = format!(
            "const {{ top, bottom }} = document.activeElement.getBoundingClientRect();
            return document.activeElement.matches(\"{css}\") && top >= 0 && bottom <= innerHeight"
        );
        eventually(&format!("the focus on {css}"), async || (browser.run(&script).await == true).then_some(())).await;
    };
    let staff = phone().await;
    staff.sign_in(&app).await;
    let go = async |path: &str| staff.go(&format!("{}{path}", app.url())).await;

    // Far down the page, behind the first field of its form.
    go("/admin/settings").await;
    staff.fill("#wifi_name", "Mast").await;
    staff.fill("#wifi_password", "1234567").await;
    staff.press("#sheets form .button.main").await;
    leads_to(&staff, "#wifi_password[aria-invalid]").await;
    go("/admin/waiting").await;
    staff.fill("#name", "Kim").await;
    staff.fill("#phone", "none").await;
    staff.press("form[action='/admin/waiting'] .button.main").await;
    leads_to(&staff, "#phone[aria-invalid]").await;
    // Folded away.
    go("/admin/tables").await;
    staff.press(&format!("#t{id} details.more > summary")).await;
    staff.fill(&format!("#name-{id}"), "Mast").await;
    staff.press(&format!("#t{id} .form .button.main")).await;
    leads_to(&staff, &format!("#name-{id}[aria-invalid]")).await;
    // Of several fields together.
    go("/admin/settings").await;
    staff.run("document.querySelector('#opens-1').value = '10:00'").await;
    staff.press("form[action='/admin/settings'] .button.main").await;
    leads_to(&staff, ".hours .wrong").await;

    let guest = phone().await;
    guest.go(&format!("{}/t/{code}", app.url())).await;
    guest.fill("#display_name", " ").await;
    guest.press("form[action$='/members'] .button.main").await;
    leads_to(&guest, "#display_name[aria-invalid]").await;
    for browser in [staff, guest] {
        browser.close().await;
    }
}

/// As WebDriver names them.
const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

#[tokio::test]
async fn the_keyboard_goes_everywhere_unless_it_is_switched_off() {
    let app = TestApp::start();
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&app).await;
    let focus = async |script: &str| browser.run(&format!("return document.activeElement.{script}")).await;
    let is_open = async |id: &str| browser.run(&format!("return document.getElementById('{id}').open")).await == true;

    browser.keys(TAB).await;
    assert_eq!(focus("className").await, "skip", "the first stop leads past the navigation");
    browser.keys(ENTER).await;
    eventually("the focus on what the page is about", async || (focus("id").await == "main").then_some(())).await;

    browser.run("document.querySelector('.nav a').focus()").await;
    browser.keys("/").await;
    assert_eq!((is_open("search").await, focus("id").await), (true, json!("search-everything")));
    browser.keys(ESCAPE).await;
    assert_eq!((is_open("search").await, focus("pathname").await), (false, json!("/admin")));
    browser.keys("?").await;
    assert!(is_open("keys").await);
    browser.keys(ESCAPE).await;
    assert_eq!((is_open("keys").await, focus("pathname").await), (false, json!("/admin")));

    browser.keys("t").await;
    browser.arrives("/admin/tables").await;
    // Somebody who types has no shortcuts.
    browser.fill("aside [name=name]", "mast /?").await;
    assert_eq!((is_open("search").await, is_open("keys").await), (false, false));

    browser.run("document.querySelector('.nav a').focus()").await;
    browser.keys("?").await;
    browser.press("#keys-on").await;
    browser.keys(ESCAPE).await;
    browser.go(&format!("{}/admin/tables", app.url())).await;
    browser.run("window.followed = 0; addEventListener('click', () => followed++, true)").await;
    for key in ["m", "f", "v", "/"] {
        browser.keys(key).await;
    }
    assert_eq!((browser.run("return followed").await, is_open("search").await), (json!(0), false));
    // The way to switch them on again stays.
    browser.keys("?").await;
    browser.press("#keys-on").await;
    browser.keys(ESCAPE).await;
    browser.keys("m").await;
    browser.arrives("/admin/matches").await;
    browser.close().await;
}

#[tokio::test]
async fn nothing_moves_where_motion_is_unwelcome() {
    let app = TestApp::start();
    let browser = Browser::open(1024, 768, "en").await;
    browser.sign_in(&app).await;
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let moving = "const slow = times => times.split(',').some(time => parseFloat(time) > 0.01);
        return [...document.querySelectorAll('*')].filter(it => [null, '::before', '::after'].some(part => {
            const style = getComputedStyle(it, part);
            return slow(style.transitionDuration) || slow(style.animationDuration);
        })).length";
    assert_ne!(browser.run(moving).await, 0, "elsewhere buttons move a little");
    browser.prefer("light").await;
    for path in ["/admin".to_owned(), "/admin/tables".into(), format!("/admin/matches/{}", party.id)] {
        browser.go(&format!("{}{path}", app.url())).await;
        assert_eq!(browser.run(moving).await, 0, "{path}");
        assert_eq!(browser.run("return getComputedStyle(document.documentElement).scrollBehavior").await, "auto");
    }
    browser.close().await;
}
