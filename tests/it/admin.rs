//! `/admin/…` by plain HTTP, as a browser without JavaScript does.

use harness::{Answer, Launch, Party, TestApp, Visitor};
use reqwest::Method;
use serde_json::json;

const PAGES: [&str; 9] = [
    "/admin",
    "/admin/tables",
    "/admin/tables/qr",
    "/admin/matches",
    "/admin/staff",
    "/admin/settings",
    "/admin/audit",
    "/admin/operations",
    "/admin/account",
];

#[tokio::test]
async fn the_link_in_the_log_makes_the_first_owner_once() {
    let server = Launch::new().start();
    let said = server.said();
    let link = said.split_whitespace().find(|word| word.contains("/admin/setup?token=")).expect("it is said");
    let path = &link[link.find("/admin").expect("it is there")..];
    let token = path.split_once("token=").expect("it has one").1;
    let visitor = Visitor::new(server.url());
    // Until then every page leads to where it is said how, and nobody gets further without the link.
    for page in ["/", "/admin", "/admin/sign-in", "/library", "/t/AAAAAA"] {
        let led = visitor.open(page).await;
        assert_eq!((led.status, led.header("location")), (303, "/admin/setup"), "{page}");
    }
    assert!(!visitor.open("/admin/setup").await.text().contains("type=\"password\""));
    let page = visitor.open(path).await;
    assert_eq!(page.status, 200);
    let new = |token, password| {
        [("token", token), ("display_name", "하늘"), ("email", "owner@example.org"), ("password", password)]
    };
    let short = visitor.submit(&page, "/admin/setup", &new(token, "short")).await;
    assert_eq!(short.status, 422);
    let wrong = visitor.submit(&page, "/admin/setup", &new("not the token", "a long enough password")).await;
    assert!((400..500).contains(&wrong.status), "{}", wrong.status);
    let made = visitor.submit(&page, "/admin/setup", &new(token, "a long enough password")).await;
    assert_eq!((made.status, made.header("location")), (303, "/admin/opening"));
    assert_eq!(visitor.open("/admin").await.status, 200);
    let late = Visitor::new(server.url());
    let page = late.open(path).await;
    if page.status == 200 {
        let again = late.submit(&page, "/admin/setup", &new(token, "a long enough password")).await;
        assert!((400..500).contains(&again.status), "{}", again.status);
    }
    assert_eq!(late.open("/admin").await.status, 401);
}

#[tokio::test]
async fn staff_sign_in_and_out() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    for path in PAGES {
        assert_eq!(owner.open(path).await.status, 200, "{path}");
    }
    let floor = owner.open("/admin").await;
    let out = owner.submit(&floor, "/admin/sign-out", &[]).await;
    assert_eq!(out.status, 303);
    assert_eq!(owner.open("/admin").await.status, 401);
}

#[tokio::test]
async fn the_cookie_is_out_of_reach_for_scripts_and_other_sites() {
    let app = TestApp::start();
    let visitor = app.anybody();
    let answer = visitor.sign_in_at_page(app.owner_credentials()).await;
    let cookies: Vec<_> = answer.headers.get_all("set-cookie").iter().filter_map(|it| it.to_str().ok()).collect();
    assert!(!cookies.is_empty());
    for cookie in cookies {
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite="), "{cookie}");
    }
    let wrong = app.anybody().sign_in_at_page((app.owner_credentials().0, "not this one")).await;
    assert_eq!(wrong.status, 401);
}

#[tokio::test]
async fn nobody_but_staff_sees_a_page() {
    let app = TestApp::start();
    let anybody = app.anybody();
    let player = app.guest("하늘").await;
    for path in PAGES {
        let answer = anybody.open(path).await;
        assert_eq!(answer.status, 401, "{path}");
        assert!(answer.text().contains("/admin/sign-in"), "{path}");
        assert_eq!(player.open(path).await.status, 403, "{path}");
    }
    for path in ["/admin/live/floor", "/admin/live/matches/019f0000-0000-7000-8000-000000000000"] {
        assert!((400..500).contains(&anybody.open(path).await.status), "{path}");
    }
    // Somebody who is signed in as a player is no staff at the form either.
    let account = json!({ "email": "guest@example.org", "password": "a long enough password" });
    app.anybody().post("/auth/register", account).await.is(201);
    let answer = app.anybody().sign_in_at_page(("guest@example.org", "a long enough password")).await;
    assert!((400..500).contains(&answer.status), "{}", answer.status);
}

#[tokio::test]
async fn a_form_from_elsewhere_does_nothing() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let other = app.owner_at_pages().await;
    let table = [("name", "Anchor"), ("area", ""), ("seats", "4")];
    for token in [None, Some(String::new()), Some("x".repeat(43)), Some(other.open("/admin/tables").await.token())] {
        let fields = token.iter().map(|token| ("csrf", token.as_str())).chain(table).collect::<Vec<_>>();
        let request = owner.page(Method::POST, "/admin/tables").form(&fields);
        assert_eq!(Answer::of(request).await.status, 403, "{token:?}");
    }
    assert!(!owner.open("/admin/tables").await.text().contains("Anchor"));
}

#[tokio::test]
async fn tables_are_made_changed_put_away_and_printed() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin/tables").await;
    let made =
        owner.submit(&page, "/admin/tables", &[("name", "<Anker> & Söhne"), ("area", "Deck"), ("seats", "6")]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let page = owner.open("/admin/tables").await;
    let text = page.text();
    assert!(text.contains("Söhne") && !text.contains("<Anker>"), "a name is text and never markup");
    let id = text.split_once("action=\"/admin/tables/").expect("it can be changed").1;
    let id = &id[..id.find('/').expect("it goes on")];
    let again =
        owner.submit(&page, "/admin/tables", &[("name", "<Anker> & Söhne"), ("area", ""), ("seats", "6")]).await;
    assert!((400..500).contains(&again.status), "{}", again.status);
    for wrong in [[("name", ""), ("area", ""), ("seats", "4")], [("name", "x"), ("area", ""), ("seats", "0")]] {
        let answer = owner.submit(&page, "/admin/tables", &wrong).await;
        assert!((400..500).contains(&answer.status), "{wrong:?}: {}", answer.status);
    }
    for per_page in ["1", "4", "8"] {
        let sheet = owner.open(&format!("/admin/tables/qr?per_page={per_page}")).await;
        assert_eq!(sheet.status, 200);
        assert!(sheet.text().contains("<svg"));
    }
    assert_eq!(owner.submit(&page, &format!("/admin/tables/{id}/archive"), &[]).await.status, 303);
    // The first page after it still tells what was done.
    owner.open("/admin").await;
    assert!(!owner.open("/admin").await.text().contains("Söhne"));
    assert_eq!(owner.submit(&page, &format!("/admin/tables/{id}/restore"), &[]).await.status, 303);
    assert!(owner.open("/admin").await.text().contains("Söhne"));
}

#[tokio::test]
async fn a_match_page_shows_no_hidden_die() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    // Before the first bid nothing is known of any die: the page must be the same whatever they are.
    let pages = async |party: &Party| {
        let text = owner.open(&format!("/admin/matches/{}", party.id)).await.text();
        let (_, board) = text.split_once("class=\"cups\"").expect("it shows cups");
        board.split_once("</ul>").expect("it ends").0.to_owned()
    };
    let mut shown = Vec::new();
    let mut dice = Vec::new();
    for _ in 0..4 {
        let party = Party::start(&app, "perudo", 2, json!({})).await;
        let seen = party.see(0).await;
        // Who starts is public and may differ.
        if seen["view"]["to_move"] == json!([0]) {
            dice.push(seen["view"]["my_dice"].to_string());
            shown.push(pages(&party).await);
        }
    }
    dice.dedup();
    shown.dedup();
    assert!(shown.len() <= 1, "{dice:?}: {shown:#?}");
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    let page = owner.open(&format!("/admin/matches/{}", party.id)).await;
    let commitment = party.look().await["commitment"].as_str().expect("it has one").to_owned();
    assert!(page.text().contains(&commitment));
    for word in ["my_dice", "\"seed\"", "rolled"] {
        assert!(!page.text().contains(word), "{word}");
    }
}

#[tokio::test]
async fn a_match_is_called_off_with_a_reason() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let path = format!("/admin/matches/{}", party.id);
    let page = owner.open(&path).await;
    let silent = owner.submit(&page, &format!("{path}/abort"), &[("reason", "")]).await;
    assert_eq!(silent.status, 422);
    let done = owner.submit(&page, &format!("{path}/abort"), &[("reason", "the café closes")]).await;
    assert_eq!(done.status, 303, "{}", done.text());
    assert_eq!(party.look().await["status"], "aborted");
    let page = owner.open(&path).await.text();
    assert!(page.contains("/record"), "the proof can be fetched");
}

#[tokio::test]
async fn pages_allow_no_script_but_their_own() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    for path in PAGES.iter().chain(&["/admin/sign-in"]) {
        let answer = owner.open(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{path}: {policy}");
        let text = answer.text();
        for inline in ["<script>", " onclick=", " onload=", " style=\"", "<style>", "javascript:"] {
            assert!(!text.contains(inline), "{path} has {inline}");
        }
        for line in text.split('<').filter(|tag| tag.contains("src=\"") || tag.starts_with("link")) {
            assert!(!line.contains("//"), "{path} loads {line}");
        }
    }
}

#[tokio::test]
async fn every_page_speaks_three_languages() {
    let app = TestApp::start();
    let visitor = app.anybody();
    let mut titles = Vec::new();
    for lang in ["ko", "en", "es"] {
        let page = visitor.open("/admin/sign-in").await;
        let back = visitor.submit(&page, "/preferences", &[("lang", lang), ("back", "/admin/sign-in")]).await;
        assert_eq!((back.status, back.header("location")), (303, "/admin/sign-in"));
        let text = visitor.open("/admin/sign-in").await.text();
        assert!(text.contains(&format!("<html lang=\"{lang}\"")));
        let title = text.split_once("<h1>").and_then(|(_, rest)| rest.split_once("</h1>")).expect("it has a title");
        titles.push(title.0.to_owned());
    }
    titles.sort();
    titles.dedup();
    assert_eq!(titles.len(), 3, "{titles:?}");
    let page = visitor.open("/admin/sign-in").await;
    visitor.submit(&page, "/preferences", &[("theme", "dark"), ("back", "//elsewhere.example")]).await;
    let dark = visitor.open("/admin/sign-in").await.text();
    assert!(dark.contains("data-theme=\"dark\""));
}

/// What stands where a page has nothing to show.
fn emptiness(page: &str) -> Option<&str> {
    let start = page.find("class=\"empty\"").or_else(|| page.find("class=\"card empty\""))?;
    Some(&page[start..])
}

#[tokio::test]
async fn a_page_with_nothing_to_show_leads_on() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    // The way on is a link in the same place, to this.
    let nothing = [
        ("/admin", "/admin/opening"),
        ("/admin/tables/qr", "/admin/tables"),
        ("/admin/matches", "/admin"),
        ("/admin/matches?status=finished", "/admin/matches"),
        ("/admin/players?kind=guest", "/admin/players"),
        ("/admin/leaderboards", "/admin/leaderboards?"),
        ("/admin/sittings", "/admin/stats"),
        ("/admin/library?name=zzz", "/admin/library"),
        ("/admin/audit?what=match.abort", "/admin/audit"),
    ];
    for (path, next) in nothing {
        let page = owner.open(path).await;
        assert_eq!(page.status, 200, "{path}");
        let text = page.text();
        let empty = emptiness(&text).unwrap_or_else(|| panic!("{path} says nothing"));
        let link = empty.split_once("<a class=\"button").and_then(|it| it.1.split_once("href=\"")).expect(path).1;
        assert!(link.starts_with(next), "{path} leads to {}", &link[..link.find('"').expect("it ends")]);
        assert!(empty.find("<a class=\"button") < empty.find("</section>"), "{path}: {empty}");
    }
    // Where tables are made, the form is the way on.
    let tables = owner.open("/admin/tables").await.text();
    assert!(emptiness(&tables).is_some_and(|rest| rest.contains("action=\"/admin/tables\"")));
}
