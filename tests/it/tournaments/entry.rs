//! Who may enter: everybody, who has the code, or whom staff enter.

use harness::TestApp;
use serde_json::{Value, json};

use super::event::{Event, new, single, swiss};

fn with_entry(entry: &str) -> Value {
    let mut request = new("perudo", json!([single()]));
    request["entry"] = json!(entry);
    request
}

fn text<'a>(of: &'a Value, field: &str) -> &'a str {
    of[field].as_str().unwrap_or_else(|| panic!("{field} is missing: {of}"))
}

#[tokio::test]
async fn who_has_the_code_enters_and_only_staff_are_told_it() {
    let event = Event::gather(with_entry("code"), 0).await;
    let code = text(&event.look().await["tournament"], "entry_code").to_owned();
    let entrants = event.path("/entrants");
    let guest = event.app.guest("하늘").await;
    for wrong in [json!({}), json!({ "code": "" }), json!({ "code": "ABCDEF" }), json!({ "code": format!("{code}X") })]
    {
        let refused = guest.post(&entrants, wrong).await.problem(403, "wrong_entry_code");
        assert_eq!(refused["errors"][0]["pointer"], "/code");
    }
    let typed = format!(" {} ", code.to_lowercase());
    guest.post(&entrants, json!({ "code": typed })).await.is(201);
    guest.post(&entrants, json!({})).await.is(201);
    // Who has left needs it again, and staff never do.
    guest.delete(&event.path("/entrants/me")).await.is(200);
    guest.post(&entrants, json!({})).await.problem(403, "wrong_entry_code");
    event.staff.post(&entrants, json!({ "display_name": "서연" })).await.is(201);
    let shown = [
        guest.get(&event.path("")).await.is(200),
        event.app.anybody().get("/tournaments").await.is(200),
        event.app.anybody().get(&event.path("/export")).await.is(200),
    ];
    for told in shown {
        assert!(told.to_string().contains(r#""entry":"code""#), "{told}");
        assert!(!told.to_string().contains(&code), "{told}");
    }
}

#[tokio::test]
async fn a_new_code_is_drawn_whenever_one_is_asked_for_and_the_way_back_brings_the_old_one() {
    let app = TestApp::start();
    let event = Event::gather_in(app, with_entry("open"), 1).await;
    let change = async |entry: &str| {
        let changed = event.staff.patch(&event.path(""), json!({ "entry": entry })).await.is(200);
        changed["entry_code"].as_str().map(str::to_owned)
    };
    assert_eq!(event.look().await["tournament"]["entry_code"], Value::Null);
    let first = change("code").await.expect("a code");
    assert_eq!(change("code").await, Some(first.clone()), "the same question draws no other");
    assert_eq!(change("staff").await, None);
    let guest = event.app.guest("Ana").await;
    let entrants = event.path("/entrants");
    guest.post(&entrants, json!({ "code": first })).await.problem(403, "entry_by_staff");
    let second = change("code").await.expect("a code");
    assert_ne!(second, first);
    guest.post(&entrants, json!({ "code": first })).await.problem(403, "wrong_entry_code");
    let step = event.look().await["tournament"]["revision"].clone();
    let back = event.staff.post(&event.path("/undo"), json!({ "step": step })).await.is(200);
    assert_eq!((&back["tournament"]["entry"], &back["tournament"]["entry_code"]), (&json!("staff"), &Value::Null));
    let undone = back["tournament"]["revision"].clone();
    let again = event.staff.post(&event.path("/undo"), json!({ "step": undone })).await.is(200);
    assert_eq!(again["tournament"]["entry_code"], json!(second));
    guest.post(&entrants, json!({ "code": second })).await.is(201);
    let unknown = json!({ "entry": "friends" });
    event.staff.patch(&event.path(""), unknown).await.problem(400, "invalid_body");
    // A copy asks for a code of its own.
    let copy = event.staff.post(&event.path("/copy"), json!({})).await.is(201);
    assert_eq!(copy["entry"], "code");
    assert_ne!(copy["entry_code"], json!(second));
}

#[tokio::test]
async fn guests_type_the_code_on_the_page_or_come_by_the_link_that_holds_it() {
    let event = Event::gather(with_entry("code"), 0).await;
    let whole = event.look().await;
    let (public, code) = (text(&whole["tournament"], "code"), text(&whole["tournament"], "entry_code"));
    let path = format!("/tournaments/{public}");
    let phone = event.app.anybody();
    let page = phone.open(&path).await;
    assert!(!page.text().contains(code), "it is not told");
    let enter = async |fields: &[(&str, &str)]| phone.submit(&page, &format!("{path}/entry"), fields).await;
    let refused = enter(&[("display_name", "Ana"), ("code", "ABCDEF")]).await;
    assert_eq!(refused.status, 403);
    assert!(
        refused.text().contains("value=\"ABCDEF\"") && refused.text().contains("aria-invalid"),
        "{}",
        refused.text()
    );
    let count = "SELECT count(*) FROM players WHERE display_name = 'Ana'";
    let count = event.app.database().with(|client| client.query_one(count, &[])).expect("it counts");
    assert_eq!(count.get::<_, i64>(0), 0, "nobody is made an account by a wrong code");
    let linked = phone.open(&format!("{path}?entry={code}")).await;
    assert!(linked.text().contains(&format!("value=\"{code}\"")), "{}", linked.text());
    assert_eq!(enter(&[("display_name", "Ana"), ("code", code)]).await.status, 303);
    let desk = event.app.owner_at_pages().await;
    let shown = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
    assert!(shown.contains(&format!("{path}?entry={code}")) && shown.contains("Entry code"), "{shown}");
    event.staff.patch(&event.path(""), json!({ "entry": "staff" })).await.is(200);
    let closed = event.app.anybody().open(&path).await.text();
    assert!(closed.contains("Ask our staff") && !closed.contains("name=\"display_name\""), "{closed}");
}

#[tokio::test]
async fn nobody_is_made_an_account_who_cannot_enter() {
    let event = Event::gather(new("perudo", json!([single()])), 2).await;
    let path = format!("/tournaments/{}", text(&event.look().await["tournament"], "code"));
    let phone = event.app.anybody();
    let page = phone.open(&path).await;
    let told = async |team: &str| {
        let sent = phone.submit(&page, &format!("{path}/entry"), &[("display_name", "Ana"), ("team", team)]).await;
        assert_eq!(sent.status, 303, "{}", sent.text());
        let count = "SELECT count(*) FROM players WHERE display_name = 'Ana'";
        let count = event.app.database().with(|client| client.query_one(count, &[])).expect("it counts");
        assert_eq!(count.get::<_, i64>(0), 0, "nobody is made an account");
        phone.open(&path).await.text()
    };
    let (no_name, over) = ("x".repeat(41), "Registration is over.");
    let wrong = told(&no_name).await;
    assert!(wrong.contains("Please check what you entered."), "{wrong}");
    let alone = told("Red").await;
    assert!(alone.contains("This tournament has no teams."), "{alone}");
    event.begin().await;
    let running = told("").await;
    assert!(running.contains(over), "{running}");
    event.staff.post(&event.path("/cancel"), json!({ "reason": "정전" })).await.is(200);
    let cancelled = told("").await;
    assert!(cancelled.contains(over), "{cancelled}");
}

#[tokio::test]
async fn what_was_typed_stands_in_the_form_that_comes_back() {
    let mut request = new("perudo", json!([swiss(2)]));
    (request["entry"], request["team_size"]) = (json!("code"), json!(2));
    let event = Event::gather(request, 0).await;
    let whole = event.look().await;
    let (public, code) = (text(&whole["tournament"], "code"), text(&whole["tournament"], "entry_code"));
    for name in ["하늘", "Lucía", "민지", "Bea"] {
        let entrant = json!({ "display_name": name, "team": "Linces" });
        event.staff.post(&event.path("/entrants"), entrant).await.is(201);
    }
    let phone = event.app.anybody();
    let page = phone.open(&format!("/tournaments/{public}?entry={code}")).await;
    let long = "x".repeat(41);
    for (team, code, status, told) in [
        ("Owls", "ABCDEF", 403, "The entry code is missing or wrong."),
        (long.as_str(), code, 422, "at most 40 characters"),
        ("linces", code, 422, "That team is full."),
    ] {
        let typed = [("display_name", "Ana"), ("team", team), ("code", code)];
        let refused = phone.submit(&page, &format!("/tournaments/{public}/entry"), &typed).await;
        let shown = refused.text();
        assert_eq!(refused.status, status, "{shown}");
        assert!(shown.contains(told), "{shown}");
        for (_, value) in typed {
            assert!(shown.contains(&format!("value=\"{value}\"")), "{value}: {shown}");
        }
    }
    let count = "SELECT count(*) FROM players WHERE display_name = 'Ana'";
    let count = event.app.database().with(|client| client.query_one(count, &[])).expect("it counts");
    assert_eq!(count.get::<_, i64>(0), 0, "nobody is made an account");
}

/// As anywhere else on forms that may make guests: so many a minute.
#[tokio::test]
async fn codes_cannot_be_tried_one_after_the_other() {
    let app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_GUESTS_PER_MINUTE", "3")
    });
    let event = Event::gather_in(app, with_entry("code"), 0).await;
    let public = text(&event.look().await["tournament"], "code").to_owned();
    let phone = event.app.anybody();
    let page = phone.open(&format!("/tournaments/{public}")).await;
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let tried = [("display_name", "Ana"), ("code", "ABCDEF")];
        statuses.push(phone.submit(&page, &format!("/tournaments/{public}/entry"), &tried).await.status);
    }
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    assert!(statuses.iter().all(|it| [403, 429].contains(it)), "{statuses:?}");
}
