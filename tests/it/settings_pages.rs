//! What the café says about itself, as managers set it.

use std::collections::BTreeMap;

use harness::{Answer, TestApp, eventually};
use reqwest::Method;
use serde_json::{Value, json};

fn settings() -> Value {
    json!({
        "name": "하늘 카페",
        "time_zone": "America/Mexico_City",
        "language": "es",
        "second_factor_required": false,
        "hours": [{ "weekday": 5, "opens": "13:00", "closes": "02:00" }, { "weekday": 1, "opens": "10:00", "closes": "22:00" }],
    })
}

fn png(width: u32) -> Vec<u8> {
    let mut png = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    png.extend(width.to_be_bytes());
    png.extend(16_u32.to_be_bytes());
    png.extend([8, 6, 0, 0, 0, 0, 0, 0, 0]);
    png
}

#[tokio::test]
async fn the_name_the_clock_and_the_language_are_heard_by_every_process() {
    let mut app = TestApp::start();
    let other = app.start_another();
    let owner = app.owner().await;
    let change = Answer::of(owner.api(Method::PUT, "/cafe").json(&settings())).await.is(200);
    assert_eq!(change["hours"][0]["weekday"], 1);
    let known = app.anybody().get("/cafe").await.is(200);
    assert_eq!((&known["name"], &known["hours"][1]["closes"]), (&json!("하늘 카페"), &json!("02:00")));
    for number in [0, other] {
        let url = app.url_of(number).to_owned();
        eventually("the name on the guests' page", async || {
            let page = app
                .anybody()
                .at(&url)
                .page(Method::GET, "/")
                .header("accept", "text/html")
                .send()
                .await
                .ok()?
                .text()
                .await
                .ok()?;
            (page.contains("하늘 카페") && page.contains("<html lang=\"es\"") && page.contains("America/Mexico_City"))
                .then_some(())
        })
        .await;
    }
    let audit = owner.get("/audit?action=cafe.change").await.is(200);
    let details = &audit["items"][0]["details"];
    assert_eq!((&details["before"]["name"], &details["after"]["name"]), (&json!(null), &json!("하늘 카페")));
    Answer::of(owner.api(Method::PUT, "/cafe").json(&settings())).await.is(200);
    assert_eq!(owner.get("/audit?action=cafe.change").await.is(200)["items"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn nonsense_is_refused_at_its_field() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let hours = |hours: Value| json!({ "hours": hours });
    let cases = [
        (json!({ "name": "" }), "/name"),
        (json!({ "forget_guests_after_months": 0 }), "/forget_guests_after_months"),
        (json!({ "forget_guests_after_months": 121 }), "/forget_guests_after_months"),
        (json!({ "pack_logs_after_days": 0 }), "/pack_logs_after_days"),
        (json!({ "pack_logs_after_days": 3651 }), "/pack_logs_after_days"),
        (json!({ "name": "x".repeat(41) }), "/name"),
        (json!({ "time_zone": "Mars/Olympus" }), "/time_zone"),
        (json!({ "time_zone": "../../etc/passwd" }), "/time_zone"),
        (hours(json!([{ "weekday": 0, "opens": "10:00", "closes": "11:00" }])), "/hours"),
        (hours(json!([{ "weekday": 1, "opens": "10:00", "closes": "25:00" }])), "/hours"),
        (
            hours(
                json!([{ "weekday": 1, "opens": "10:00", "closes": "11:00" }, { "weekday": 1, "opens": "12:00", "closes": "13:00" }]),
            ),
            "/hours",
        ),
    ];
    for (change, pointer) in cases {
        let mut body = settings();
        body.as_object_mut().expect("it is one").extend(change.as_object().expect("it is one").clone());
        let problem = Answer::of(owner.api(Method::PUT, "/cafe").json(&body)).await.problem(422, "invalid_fields");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{problem}");
    }
    let staff = app.guest("하늘").await;
    Answer::of(staff.api(Method::PUT, "/cafe").json(&settings())).await.problem(403, "forbidden");
}

#[tokio::test]
async fn the_page_saves_and_says_what_is_wrong() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/settings").await;
    assert_eq!(page.status, 200, "{}", page.text());
    let fields = [
        ("name", "Sky Café"),
        ("time_zone", "Asia/Seoul"),
        ("language", ""),
        ("opens-6", "12:00"),
        ("closes-6", "01:30"),
        ("forget_guests_after_months", "24"),
    ];
    let saved = owner.submit(&page, "/admin/settings", &fields).await;
    assert_eq!((saved.status, saved.header("location")), (303, "/admin/settings"), "{}", saved.text());
    let text = owner.open("/admin/settings").await.text();
    assert!(
        text.contains("Sky Café</title>") && text.contains("value=\"01:30\"") && text.contains("value=\"24\""),
        "{text}"
    );
    let wrong = owner
        .submit(&page, "/admin/settings", &[("name", "Sky"), ("time_zone", "Nowhere"), ("opens-1", "10:00")])
        .await;
    assert_eq!(wrong.status, 422);
    let text = wrong.text();
    assert!(text.contains("There is no such time zone") && text.contains("Give both the opening"), "{text}");
    let wrong = owner.submit(&page, "/admin/settings", &[("forget_guests_after_months", "soon")]).await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains("outside the allowed range"), "{}", wrong.text());
    let locked = owner.submit(&page, "/admin/settings", &[("name", "Sky"), ("second_factor_required", "on")]).await;
    assert_eq!(locked.status, 409);
    assert!(locked.text().contains("Set up your own second factor first"));
}

#[tokio::test]
async fn two_windows_change_the_settings_without_undoing_each_other() {
    let app = TestApp::start();
    let desk = app.owner_at_pages().await;
    let page = desk.open("/admin/settings").await;
    let now = async |form: &str| {
        let fields = desk.open("/admin/settings").await.seen(form);
        fields.into_iter().filter(|(_, value)| !value.is_empty()).collect::<BTreeMap<_, _>>()
    };
    let (form, sheets) = ("/admin/settings", "/admin/settings/sheets");
    assert_eq!(desk.edit(&page, form, &[("name", "Sky"), ("reactions", "")]).await.status, 303);
    assert_eq!(desk.edit(&page, sheets, &[("wifi_name", "Cafe"), ("wifi_password", "long enough")]).await.status, 303);
    // The other window was opened before that.
    assert_eq!(desk.edit(&page, form, &[("opens-1", "10:00"), ("closes-1", "22:00")]).await.status, 303);
    assert!(desk.open(form).await.text().contains("What somebody else has changed meanwhile"));
    assert_eq!(desk.edit(&page, sheets, &[("public_url", "http://192.168.0.5")]).await.status, 303);
    let (settings, codes) = (now(form).await, now(sheets).await);
    assert_eq!((settings["name"].as_str(), settings["opens-1"].as_str()), ("Sky", "10:00"));
    assert!(!settings.contains_key("reactions") && settings.contains_key("waiting_door"), "{settings:?}");
    assert_eq!((codes["public_url"].as_str(), codes["wifi_password"].as_str()), ("http://192.168.0.5", "long enough"));
    // Two who change the same: the later one reads what is there now, and saves again.
    for (form, field, theirs, mine) in [(form, "name", "Sky", "Moon"), (sheets, "wifi_name", "Cafe", "Deck")] {
        let told = desk.edit(&page, form, &[(field, mine)]).await;
        assert_eq!(told.status, 409, "{}", told.text());
        for seen in [
            "Somebody else has changed the same thing".to_owned(),
            format!("Now: {theirs}"),
            format!("value=\"{mine}\""),
        ] {
            assert!(told.text().contains(&seen), "{seen}: {}", told.text());
        }
        assert_eq!(now(form).await[field], theirs);
        assert_eq!(desk.edit(&told, form, &[(field, mine)]).await.status, 303);
        assert_eq!(now(form).await[field], mine);
    }
    assert_eq!(now(form).await["closes-1"], "22:00");
}

#[tokio::test]
async fn the_first_step_of_opening_keeps_what_nobody_types_in_it() {
    let app = TestApp::start();
    let (owner, desk) = (app.owner().await, app.owner_at_pages().await);
    let (step, form) = ("/admin/opening?step=1", "/admin/opening/cafe");
    let has = |page: &Answer, value: &str| page.text().contains(&format!("value=\"{value}\""));
    assert!(has(&desk.open(step).await, "12:00"), "a new café is offered hours");
    let set = owner.put("/cafe", settings()).await.is(200);
    let page = desk.open(step).await;
    for value in ["하늘 카페", "America/Mexico_City", "10:00", "22:00"] {
        assert!(has(&page, value), "{value}: {}", page.text());
    }
    assert!(page.text().contains("13:00–02:00"), "one day has hours of its own: {}", page.text());
    let send = async |changed: &[(&str, &str)]| {
        let sent = desk.edit(&page, form, changed).await;
        assert_eq!((sent.status, sent.header("location")), (303, "/admin/opening?step=2"), "{}", sent.text());
        owner.get("/cafe").await.is(200)
    };
    assert_eq!(send(&[]).await, set);
    assert_eq!(send(&[("name", ""), ("time_zone", ""), ("opens", ""), ("closes", "")]).await, set);
    // Another window has changed the name since.
    let mut renamed = settings();
    renamed["name"] = json!("Moon");
    owner.put("/cafe", renamed).await.is(200);
    let cafe = send(&[("opens", "11:00"), ("closed-2", "")]).await;
    let day = |weekday: u8, opens: &str, closes: &str| json!({ "weekday": weekday, "opens": opens, "closes": closes });
    let hours = json!([day(1, "11:00", "22:00"), day(2, "11:00", "22:00"), day(5, "13:00", "02:00")]);
    assert_eq!((&cafe["name"], &cafe["hours"]), (&json!("Moon"), &hours));
    let told = desk.edit(&page, form, &[("name", "Sky")]).await;
    assert_eq!(told.status, 409, "{}", told.text());
    assert!(told.text().contains("Now: Moon") && has(&told, "Sky"), "{}", told.text());
}

#[tokio::test]
async fn a_logo_is_a_small_picture_and_nothing_else() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/settings").await;
    let token = page.token();
    let send = async |token: &str, bytes: Vec<u8>| {
        let field = |name: &str| format!("--frontier\r\ncontent-disposition: form-data; name=\"{name}\"");
        let mut body = format!("{}\r\n\r\n{token}\r\n", field("csrf")).into_bytes();
        body.extend(format!("{}; filename=\"logo.png\"\r\ncontent-type: image/png\r\n\r\n", field("file")).bytes());
        body.extend(bytes);
        body.extend(b"\r\n--frontier--\r\n");
        let request = owner.page(Method::POST, "/admin/settings/logo").header("sec-fetch-site", "same-origin");
        let request =
            request.header("accept", "text/html").header("content-type", "multipart/form-data; boundary=frontier");
        Answer::of(request.body(body)).await
    };
    assert_eq!(send("not the token", png(16)).await.status, 403);
    for bad in [
        b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_vec(),
        png(5000),
        b"GIF89a".to_vec(),
        [png(16), vec![0; 505_000]].concat(),
        // What telephones take.
        vec![0; 3_000_000],
    ] {
        assert_eq!(send(&token, bad).await.status, 303);
        assert!(owner.open("/admin/settings").await.text().contains("That picture cannot be used"));
    }
    assert_eq!(send(&token, png(16)).await.status, 303);
    let text = owner.open("/admin/settings").await.text();
    let address = text.split("src=\"/cafe/logo/").nth(1).and_then(|rest| rest.split('"').next()).expect("it is shown");
    let logo = app.anybody().get_page(&format!("/cafe/logo/{address}")).await;
    assert_eq!(
        (logo.status, logo.header("content-type"), logo.header("x-content-type-options")),
        (200, "image/png", "nosniff")
    );
    assert_eq!(logo.body, png(16));
    let removed = owner.submit(&page, "/admin/settings/logo/remove", &[]).await;
    assert_eq!(removed.status, 303);
    assert_eq!(app.anybody().get_page(&format!("/cafe/logo/{address}")).await.status, 404);
}

#[tokio::test]
async fn guests_are_told_when_the_cafe_is_open() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "1", "seats": 4 })).await.is(201);
    let at_table = format!("/t/{}", table["code"].as_str().expect("it has one"));
    assert!(!app.anybody().open("/").await.text().contains("Open until"));
    let with = |opens: &str, closes: &str| {
        let hours: Vec<_> = (1..=7).map(|day| json!({ "weekday": day, "opens": opens, "closes": closes })).collect();
        let mut settings = settings();
        settings["hours"] = json!(hours);
        settings
    };
    // Around the clock, whatever the time is.
    Answer::of(owner.api(Method::PUT, "/cafe").json(&with("00:00", "00:00"))).await.is(200);
    for path in ["/", &at_table] {
        let page = app.anybody().open(path).await.text();
        assert!(
            page.contains("Open until 00:00") && page.contains("Monday") && page.contains("aria-current=\"date\""),
            "{path}"
        );
    }
    let closed = json!([]);
    let mut settings = with("00:00", "00:00");
    settings["hours"] = closed;
    Answer::of(owner.api(Method::PUT, "/cafe").json(&settings)).await.is(200);
    assert!(!app.anybody().open("/").await.text().contains("Monday"));
}

#[tokio::test]
async fn printed_codes_have_the_address_and_the_wifi_of_the_settings() {
    let app = TestApp::start();
    app.owner().await.post("/tables", json!({ "name": "1번", "seats": 4 })).await.is(201);
    let desk = app.owner_at_pages().await;
    // The server of this test is the machine itself: the page and the sheets say so.
    for page in ["/admin/settings", "/admin/tables/qr"] {
        assert!(desk.open(page).await.html().contains("note bad"), "{page}");
    }
    assert_eq!(desk.open("/admin/tables/qr/wifi.svg").await.status, 404);
    let settings = desk.open("/admin/settings").await;
    let sheets = |url, name, password| [("public_url", url), ("wifi_name", name), ("wifi_password", password)];
    for (form, field) in [
        (sheets("192.168.0.5", "", ""), "public_url"),
        (sheets("", "", "long enough"), "wifi_name"),
        (sheets("", "Cafe", "short"), "wifi_password"),
    ] {
        let refused = desk.submit(&settings, "/admin/settings/sheets", &form).await;
        assert_eq!(refused.status, 422, "{field}");
        assert!(
            refused.html().contains(&format!("id=\"{field}\"")) && refused.html().contains("aria-invalid"),
            "{field}"
        );
    }
    let form = sheets("http://192.168.0.5:8080/", "Cafe; 1", "correct horse");
    assert_eq!(desk.submit(&settings, "/admin/settings/sheets", &form).await.status, 303);
    let printed = desk.open("/admin/tables/qr").await.html();
    assert!(printed.contains("<p class=\"address\">http://192.168.0.5:8080/t/"), "{printed}");
    assert!(printed.contains("Cafe; 1") && !printed.contains("note bad") && !printed.contains("correct horse"));
    assert!(desk.open("/admin/tables/qr/wifi.svg").await.text().contains("<svg"));
    let told = app
        .database()
        .with(|client| client.query("SELECT details::text FROM audit_log WHERE action = 'cafe.sheets'", &[]));
    let told = told.expect("it is on record");
    assert_eq!(told.len(), 1);
    assert!(!told[0].get::<_, String>(0).contains("correct horse"));
    // An address on offer takes the place of what is typed.
    let offer = [("public_url", "x"), ("wifi_name", ""), ("wifi_password", ""), ("offer", "http://10.0.0.7:8080")];
    assert_eq!(desk.submit(&settings, "/admin/settings/sheets", &offer).await.status, 303);
    assert!(desk.open("/admin/tables/qr").await.html().contains("http://10.0.0.7:8080/t/"));
}
