//! `/auth/…`

use harness::{Answer, TestApp, eventually};
use reqwest::Method;
use serde_json::json;

use crate::staff::hire;

/// What leaves nothing of an account, as its deletion does, but for its sessions.
const DELETED: &str =
    "display_name = 'someone', role = 'player', email = NULL, password_hash = NULL, deleted_at = now()";

#[tokio::test]
async fn a_name_is_all_that_a_guest_needs() {
    let app = TestApp::start();
    let guest = app.guest("  하늘  ").await;
    assert_eq!(guest.name(), "하늘");
    assert_eq!(guest.signed_in["expires_in"], 900);
    let me = guest.get("/auth/me").await.is(200);
    assert_eq!(me["id"], guest.id());
    assert_eq!(me["role"], "player");
    assert_eq!(me["email"], json!(null));
}

#[tokio::test]
async fn a_guest_who_registers_stays_the_same_player() {
    let app = TestApp::start();
    let guest = app.guest("Lucía").await;
    let account = json!({ "email": "lucia@example.org", "password": "a long enough password" });
    let registered = guest.sign_in("/auth/register", account.clone(), 201).await;
    assert_eq!(registered.id(), guest.id());
    let back = app.anybody().sign_in("/auth/login", account.clone(), 200).await;
    assert_eq!((back.id(), back.name()), (guest.id(), "Lucía"));
    app.guest("Bea").await.post("/auth/register", account).await.refused();
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_answer_alike() {
    let app = TestApp::start();
    let (email, _) = app.owner_credentials();
    let wrong = app.anybody().post("/auth/login", json!({ "email": email, "password": "not this one" })).await;
    let unknown = json!({ "email": "nobody@example.org", "password": "not this one" });
    let unknown = app.anybody().post("/auth/login", unknown).await;
    assert_eq!(wrong.is(401), unknown.is(401));
    // How long a password must be concerns who chooses one.
    for short in ["", "wrong", "짧아요"] {
        let short = app.anybody().post("/auth/login", json!({ "email": email, "password": short })).await;
        short.problem(401, "wrong_credentials");
    }
    let owner = app.owner().await;
    let change = json!({ "current": "wrong", "new": "another long enough password" });
    owner.post("/auth/password", change).await.problem(403, "wrong_password");
}

#[tokio::test]
async fn a_new_password_has_eight_characters() {
    let app = TestApp::start();
    let short = json!({ "email": "lucia@example.org", "password": "7 chars" });
    let refused = app.anybody().post("/auth/register", short).await.problem(422, "invalid_fields");
    assert_eq!(
        (&refused["errors"][0]["pointer"], &refused["errors"][0]["code"]),
        (&json!("/password"), &json!("too_short"))
    );
}

#[tokio::test]
async fn a_refresh_token_is_good_once_and_using_it_again_ends_the_session() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let first = json!({ "refresh_token": guest.signed_in["refresh_token"] });
    let second = app.anybody().post("/auth/refresh", first.clone()).await.is(200);
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    // That its owner was seen just now does not make it good again.
    let age = "UPDATE sessions SET seen_at = now(), expires_at = expires_at - interval '11 seconds'";
    app.database().with(|client| client.batch_execute(age)).expect("there is a session");
    app.anybody().post("/auth/refresh", first).await.is(401);
    // Somebody has a copy of the token: neither they nor its owner go on with it.
    let second = json!({ "refresh_token": second["refresh_token"] });
    app.anybody().post("/auth/refresh", second).await.is(401);
}

#[tokio::test]
async fn a_refresh_token_of_long_ago_ends_the_session_too() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let first = json!({ "refresh_token": guest.signed_in["refresh_token"] });
    let mut token = first.clone();
    for _ in 0..3 {
        let next = app.anybody().post("/auth/refresh", token).await.is(200);
        token = json!({ "refresh_token": next["refresh_token"] });
    }
    app.anybody().post("/auth/refresh", first).await.problem(401, "invalid_refresh_token");
    app.anybody().post("/auth/refresh", token).await.is(401);
}

/// Browsers say where a form comes from; what is none has the form's token to show.
#[tokio::test]
async fn a_form_without_an_origin_needs_its_token() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let token = owner.open("/admin/account").await.token();
    let leave =
        async |token: &str| Answer::of(owner.page(Method::POST, "/admin/sign-out").form(&[("csrf", token)])).await;
    assert_eq!(leave("another").await.status, 403);
    let by_json = owner.page(Method::POST, "/api/v1/auth/logout").json(&json!({}));
    Answer::of(by_json).await.problem(403, "cross_site");
    let by_form = owner.page(Method::POST, "/api/v1/auth/logout").form(&[("csrf", token.as_str())]);
    Answer::of(by_form).await.problem(403, "cross_site");
    assert_eq!(owner.open("/admin/account").await.status, 200);
    assert_eq!(leave(&token).await.status, 303);
    assert_eq!(owner.open("/admin/account").await.status, 401);
}

#[tokio::test]
async fn staff_sign_in_again_after_a_month_and_guests_need_not() {
    let app = TestApp::start();
    for (who, status) in [(app.owner().await, 401), (app.guest("민지").await, 200)] {
        let age = format!(
            "UPDATE sessions SET created_at = created_at - interval '31 days' WHERE player_id = '{}'",
            who.id()
        );
        app.database().with(|client| client.batch_execute(&age)).expect("there is a session");
        let token = json!({ "refresh_token": who.signed_in["refresh_token"] });
        app.anybody().post("/auth/refresh", token).await.is(status);
    }
}

#[tokio::test]
async fn who_heard_no_answer_refreshes_once_more() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let first = json!({ "refresh_token": guest.signed_in["refresh_token"] });
    let lost = app.anybody().post("/auth/refresh", first.clone()).await.is(200);
    let heard = app.anybody().post("/auth/refresh", first).await.is(200);
    // What was lost is worth nothing, and harms nobody who finds it.
    let lost = json!({ "refresh_token": lost["refresh_token"] });
    app.anybody().post("/auth/refresh", lost).await.is(401);
    let heard = json!({ "refresh_token": heard["refresh_token"] });
    app.anybody().post("/auth/refresh", heard).await.is(200);
}

#[tokio::test]
async fn knowing_a_session_without_its_secret_ends_nothing() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let token = guest.signed_in["refresh_token"].as_str().expect("there is one");
    // The first 16 of its 48 bytes are the session's id.
    let forged = json!({ "refresh_token": format!("{}{}", &token[..22], "A".repeat(42)) });
    app.anybody().post("/auth/refresh", forged.clone()).await.problem(401, "invalid_refresh_token");
    app.anybody().post("/auth/logout", forged).await.is(204);
    guest.get("/auth/me").await.is(200);
    app.anybody().post("/auth/refresh", json!({ "refresh_token": token })).await.is(200);
}

#[tokio::test]
async fn after_signing_out_the_refresh_token_is_worthless() {
    let app = TestApp::start();
    let guest = app.guest("도윤").await;
    guest.post("/auth/logout", json!({})).await.is(204);
    let token = json!({ "refresh_token": guest.signed_in["refresh_token"] });
    app.anybody().post("/auth/refresh", token).await.is(401);
}

#[tokio::test]
async fn the_owner_signs_in_and_is_the_owner() {
    let app = TestApp::start();
    let me = app.owner().await.get("/auth/me").await.is(200);
    assert_eq!(me["role"], "owner");
}

#[tokio::test]
async fn signing_in_again_and_again_is_slowed_down() {
    let app = TestApp::start_with(|launch| launch.unset("HOUSERULES_RATE_LIMITS"));
    let wrong = json!({ "email": "owner@house-rules.test", "password": "not this one" });
    for _ in 0..200 {
        let answer = app.anybody().post("/auth/login", wrong.clone()).await;
        if answer.status == 429 {
            answer.problem(429, "too_many_requests");
            assert!(answer.header("retry-after").parse::<u32>().is_ok_and(|seconds| seconds > 0));
            return;
        }
    }
    panic!("nobody was slowed down");
}

#[tokio::test]
async fn a_password_that_everybody_tries_first_is_refused() {
    let app = TestApp::start();
    for (password, code) in [
        ("12345678", "common_password"),
        ("password", "common_password"),
        ("Lucia Sol 1", "own_name"),
        ("lucia.r@example.org", "own_name"),
    ] {
        let account = json!({ "display_name": "Lucia Sol", "email": "lucia.r@example.org", "password": password });
        let refused = app.anybody().post("/auth/register", account).await.problem(422, "invalid_fields");
        assert_eq!(
            (&refused["errors"][0]["pointer"], &refused["errors"][0]["code"]),
            (&json!("/password"), &json!(code))
        );
    }
    let guest = app.guest("Minji Kim").await;
    let account = json!({ "email": "m@example.org", "password": "minjikim" });
    guest.post("/auth/register", account).await.problem(422, "invalid_fields");
}

#[tokio::test]
async fn answers_with_tokens_and_sign_in_pages_are_kept_by_nobody() {
    let app = TestApp::start();
    let stored = async |path: &str, body: serde_json::Value| {
        let answer = app.anybody().post(path, body).await;
        (answer.status, answer.header("cache-control").to_owned(), answer)
    };
    let (status, kept, _) = stored("/auth/guest", json!({ "display_name": "Zoe" })).await;
    assert_eq!((status, kept.as_str()), (201, "no-store"));
    let account = json!({ "email": "zoe@example.org", "password": "a long enough password" });
    let (status, kept, _) = stored("/auth/register", account.clone()).await;
    assert_eq!((status, kept.as_str()), (201, "no-store"));
    let (status, kept, answer) = stored("/auth/login", account).await;
    assert_eq!((status, kept.as_str()), (200, "no-store"));
    let token = json!({ "refresh_token": answer.json()["refresh_token"] });
    let (status, kept, _) = stored("/auth/refresh", token).await;
    assert_eq!((status, kept.as_str()), (200, "no-store"));
    assert_eq!(app.anybody().open("/admin/sign-in").await.header("cache-control"), "no-store");
    assert_eq!(app.anybody().open("/admin").await.header("cache-control"), "no-store");
    let owner = app.owner_at_pages().await;
    let page = owner.open("/admin").await;
    let out = owner.submit(&page, "/admin/sign-out", &[]).await;
    assert_eq!(out.header("clear-site-data"), "\"cache\"");
    // Plain HTTP makes no promise about TLS.
    assert_eq!(page.header("strict-transport-security"), "");
}

#[tokio::test]
async fn signing_in_again_ends_the_session_before() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let open = |client: &mut postgres::Client| -> i64 {
        client.query_one("SELECT count(*) FROM sessions WHERE revoked_at IS NULL", &[]).expect("it counts").get(0)
    };
    assert_eq!(app.database().with(open), 1);
    assert_eq!(owner.sign_in_at_page(app.owner_credentials()).await.status, 303);
    assert_eq!(app.database().with(open), 1);
    assert_eq!(owner.open("/admin").await.status, 200);
    // So does taking an invitation.
    let invited = json!({ "email": "mina@example.org", "role": "staff" });
    let url = app.owner().await.post("/staff/invitations", invited).await.is(201)["url"].clone();
    let url = url.as_str().expect("it is a link");
    let (path, token) = (&url[url.find("/admin/welcome").expect("it leads there")..], url.split('=').next_back());
    let before = app.database().with(open);
    let fields =
        [("token", token.expect("it has one")), ("display_name", "Mina"), ("password", "a long enough password")];
    let page = owner.open(path).await;
    assert_eq!(owner.submit(&page, "/admin/welcome", &fields).await.status, 303);
    assert_eq!(app.database().with(open), before);
}

#[tokio::test]
async fn a_guest_who_registers_stays_one_session_of_a_device_that_may_have_a_name() {
    let app = TestApp::start();
    let named = json!({ "display_name": "하늘", "device": "하늘의 휴대폰" });
    let guest = app.anybody().sign_in("/auth/guest", named, 201).await;
    let email = json!({ "email": "haneul@example.org", "password": "correct horse battery" });
    let player = guest.sign_in("/auth/register", email, 201).await;
    assert_eq!(player.id(), guest.id());
    let sessions = player.get("/auth/sessions").await.is(200);
    let sessions = sessions["items"].as_array().expect("they are listed");
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    assert_eq!((&sessions[0]["device"], &sessions[0]["current"]), (&json!("하늘의 휴대폰"), &json!(true)));
    let next = json!({ "refresh_token": player.signed_in["refresh_token"] });
    player.post("/auth/refresh", next).await.is(200);
    let login = json!({ "email": "haneul@example.org", "password": "correct horse battery", "device": "  " });
    let wrong = app.anybody().post("/auth/login", login).await.problem(422, "invalid_fields");
    assert_eq!(wrong["errors"][0]["pointer"], "/device");
}

#[tokio::test]
async fn a_sign_in_under_way_does_not_outlive_what_ends_sessions() {
    let app = TestApp::start();
    for (nr, (change, status, code)) in [
        ("password_hash = 'of another password'", 401, "wrong_credentials"),
        ("banned_at = now()", 403, "banned"),
        (DELETED, 401, "wrong_credentials"),
    ]
    .into_iter()
    .enumerate()
    {
        let email = format!("minji{nr}@example.org");
        let account = json!({ "email": email, "password": "a long enough password" });
        let player = app.anybody().sign_in("/auth/register", account.clone(), 201).await;
        let (client, browser) = (app.anybody(), app.anybody());
        let page = browser.open("/me").await;
        let form = [("email", email.as_str()), ("password", "a long enough password")];
        // Both have shown the password and are about to be asked for a second factor.
        let lock = app.database().lock("second_factors");
        let meanwhile = async {
            eventually("both to wait", async || (app.database().waiting() == 2).then_some(())).await;
            let change = format!("UPDATE players SET {change} WHERE id = '{}'", player.id());
            app.database().with(|client| client.batch_execute(&change)).expect("it changes");
            drop(lock);
        };
        let at_page = browser.submit(&page, "/me/sign-in", &form);
        let (by_api, at_page, ()) = tokio::join!(client.post("/auth/login", account), at_page, meanwhile);
        by_api.problem(status, code);
        assert_eq!(at_page.status, status, "{}", at_page.text());
        let sessions = format!("SELECT count(*) FROM sessions WHERE player_id = '{}'", player.id());
        let sessions = app.database().with(|client| client.query_one(&sessions, &[])).expect("it counts");
        assert_eq!(sessions.get::<_, i64>(0), 1, "{code}: only that of the registration");
    }
}

#[tokio::test]
async fn a_session_of_a_deleted_account_is_worth_nothing() {
    let app = TestApp::start();
    let owner = app.owner().await;
    hire(&app, &owner, "mina", "manager").await;
    let credentials = json!({ "email": "mina@house-rules.test", "password": "correct horse battery" });
    let mina = app.anybody().sign_in("/auth/login", credentials, 200).await;
    mina.get("/staff").await.is(200);
    let deleted = format!("UPDATE players SET {DELETED} WHERE id = '{}'", mina.id());
    app.database().with(|client| client.batch_execute(&deleted)).expect("it changes");
    mina.get("/staff").await.problem(401, "session_ended");
    let token = json!({ "refresh_token": mina.signed_in["refresh_token"] });
    app.anybody().post("/auth/refresh", token).await.problem(401, "invalid_refresh_token");
}
