//! Players sign in by a provider of OpenID Connect.

use harness::{Answer, IdentityProvider, Proof, TestApp, Visitor};
use reqwest::Url;
use serde_json::{Value, json};

use crate::play::{Table, forms};

async fn app_with(providers: &[Value]) -> TestApp {
    let providers = json!(providers).to_string();
    TestApp::start_with(|launch| launch.set("HOUSERULES_OIDC", providers))
}

/// A server that knows one provider as `kakao`.
async fn started() -> (TestApp, IdentityProvider) {
    let provider = IdentityProvider::start(Proof::Form).await;
    (app_with(&[provider.settings("kakao", json!({}))]).await, provider)
}

/// Presses the button: where the browser is led.
async fn begin(who: &Visitor, id: &str) -> String {
    let page = who.open("/me").await;
    assert!(page.text().contains(&format!("href=\"/sign-in/{id}\"")), "{}", page.text());
    let led = who.open(&format!("/sign-in/{id}")).await;
    assert_eq!(led.status, 303, "{}", led.text());
    led.header("location").to_owned()
}

/// Comes back from the provider.
async fn finish(app: &TestApp, who: &Visitor, back: &str) -> Answer {
    let done = who.open(back.strip_prefix(app.url()).expect("the provider sends its user back")).await;
    assert_eq!((done.status, done.header("location")), (303, "/me"), "{back}: {}", done.text());
    done
}

async fn sign_in(app: &TestApp, who: &Visitor, id: &str, provider: &IdentityProvider) -> Answer {
    let back = provider.consent(&begin(who, id).await).await;
    finish(app, who, &back).await
}

/// What `/me` says once.
async fn told(who: &Visitor) -> String {
    who.open("/me").await.html()
}

async fn me(who: &Visitor) -> Value {
    who.get("/auth/me").await.is(200)
}

fn accounts(app: &TestApp) -> i64 {
    app.database().with(|client| client.query_one("SELECT count(*) FROM players", &[])).expect("it counts").get(0)
}

#[tokio::test]
async fn somebody_new_gets_an_account_and_finds_it_again_on_another_phone() {
    let provider = IdentityProvider::start(Proof::Header).await;
    let app = app_with(&[provider.settings("google", json!({}))]).await;
    provider.says(json!({ "sub": "g-1", "name": "하늘", "email": "owner@house-rules.test", "email_verified": true }));
    let before = accounts(&app);
    let phone = app.anybody();
    sign_in(&app, &phone, "google", &provider).await;
    assert!(told(&phone).await.contains("Signed in with google."));
    let account = me(&phone).await;
    // An address of mail says nothing of who somebody is here.
    assert_eq!(
        (&account["display_name"], &account["role"], &account["email"]),
        (&json!("하늘"), &json!("player"), &Value::Null)
    );
    let other = app.anybody();
    sign_in(&app, &other, "google", &provider).await;
    assert_eq!(me(&other).await["id"], account["id"]);
    // Somebody else there is somebody else here, also without a name.
    provider.says(json!({ "sub": "g-2" }));
    let stranger = app.anybody();
    sign_in(&app, &stranger, "google", &provider).await;
    let stranger = me(&stranger).await;
    assert_ne!(stranger["id"], account["id"]);
    assert_eq!(stranger["display_name"], "Guest");
    assert_eq!(accounts(&app), before + 2);
}

#[tokio::test]
async fn a_guest_with_a_seat_becomes_the_account_in_one_session_and_keeps_everything() {
    let (app, provider) = started().await;
    let table = Table::open_in(app).await;
    let mut phones = table.start("perudo", 2, &[]).await;
    let (app, guest) = (&table.app, phones.people[0].clone());
    let before = me(&guest).await;
    provider.says(json!({ "sub": "k-1", "name": "카카오 이름" }));
    sign_in(app, &guest, "kakao", &provider).await;
    let after = me(&guest).await;
    assert_eq!((&after["id"], &after["display_name"]), (&before["id"], &before["display_name"]));
    assert_eq!(guest.get("/auth/sessions").await.is(200)["items"].as_array().map(Vec::len), Some(1));
    // The seat is still theirs.
    phones.move_all().await;
    let code = phones.path.trim_start_matches("/m/");
    assert_eq!(guest.get(&format!("/matches/by-code/{code}")).await.is(200)["seats"][0]["player"]["id"], before["id"]);
    // On a new phone, where a guest played meanwhile, the session of that guest ends.
    let other = table.scan("Lucía").await;
    let lucia = me(&other).await;
    sign_in(app, &other, "kakao", &provider).await;
    assert_eq!(me(&other).await["id"], before["id"]);
    let open = "SELECT count(*) FROM sessions WHERE player_id::text = $1 AND revoked_at IS NULL";
    let open = |id: &Value| -> i64 {
        let id = id.as_str().expect("it is an id").to_owned();
        app.database().with(|client| client.query_one(open, &[&id])).expect("it counts").get(0)
    };
    assert_eq!((open(&lucia["id"]), open(&before["id"])), (0, 2));
}

#[tokio::test]
async fn tokens_that_are_not_for_this_sign_in_are_refused() {
    let (app, provider) = started().await;
    let before = accounts(&app);
    let refused = async |claims: Value| {
        provider.says(claims.clone());
        let who = app.anybody();
        sign_in(&app, &who, "kakao", &provider).await;
        assert!(told(&who).await.contains("kakao cannot be reached"), "{claims}");
        who.get("/auth/me").await.problem(401, "not_signed_in");
    };
    for wrong in [
        json!({ "sub": "1", "nonce": "another" }),
        json!({ "sub": "1", "nonce": null }),
        json!({ "sub": "1", "exp": 1_700_000_000 }),
        json!({ "sub": "1", "exp": null }),
        json!({ "sub": "1", "aud": "another client" }),
        json!({ "sub": "1", "iss": "https://accounts.example.org" }),
        json!({ "sub": null }),
        json!({ "sub": 1 }),
    ] {
        refused(wrong).await;
    }
    provider.forge();
    refused(json!({ "sub": "1" })).await;
    assert_eq!(accounts(&app), before);
}

#[tokio::test]
async fn what_comes_back_is_for_the_browser_that_asked_and_for_once() {
    let (app, provider) = started().await;
    let (victim, attacker) = (app.anybody(), app.anybody());
    let is_broken_off = async |who: &Visitor| {
        assert!(told(who).await.contains("The sign-in with kakao was not finished"));
        who.get("/auth/me").await.problem(401, "not_signed_in");
    };
    // The attacker's own answer signs in nobody else, whether they have asked or not.
    let theirs = provider.consent(&begin(&attacker, "kakao").await).await;
    finish(&app, &victim, &theirs).await;
    is_broken_off(&victim).await;
    let mine = provider.consent(&begin(&victim, "kakao").await).await;
    finish(&app, &victim, &theirs).await;
    is_broken_off(&victim).await;
    // That attempt is over, right as the answer is.
    finish(&app, &victim, &mine).await;
    is_broken_off(&victim).await;
    // A code is good once, even for who asked for another.
    let used = provider.consent(&begin(&victim, "kakao").await).await;
    finish(&app, &victim, &used).await;
    me(&victim).await;
    let code = |url: &str| {
        let url = Url::parse(url).expect("it is an address");
        url.query_pairs().find(|(name, _)| name == "code").map(|(_, it)| it.into_owned()).expect("it has a code")
    };
    let fresh = provider.consent(&begin(&attacker, "kakao").await).await;
    let replayed = fresh.replace(&code(&fresh), &code(&used));
    finish(&app, &attacker, &replayed).await;
    assert!(told(&attacker).await.contains("kakao cannot be reached"));
    attacker.get("/auth/me").await.problem(401, "not_signed_in");
    // Nor does another issuer speak for this one, and who says no there is back where they were.
    for (from, to) in [("authuser=0", "iss=https%3A%2F%2Fevil.example.org"), ("code=", "error=")] {
        let back = provider.consent(&begin(&attacker, "kakao").await).await;
        finish(&app, &attacker, &back.replace(from, to)).await;
        is_broken_off(&attacker).await;
    }
    assert_eq!(app.anybody().open("/sign-in/nobody").await.status, 404);
}

#[tokio::test]
async fn an_answer_to_one_provider_is_none_to_another() {
    let (kakao, naver) = (IdentityProvider::start(Proof::Form).await, IdentityProvider::start(Proof::Form).await);
    let app = app_with(&[kakao.settings("kakao", json!({})), naver.settings("naver", json!({ "nonce": false }))]).await;
    let who = app.anybody();
    let back = kakao.consent(&begin(&who, "kakao").await).await;
    finish(&app, &who, &back.replace("/sign-in/kakao/", "/sign-in/naver/")).await;
    assert!(told(&who).await.contains("The sign-in with naver was not finished"));
    // The same person of two providers is two people, until they say otherwise.
    sign_in(&app, &who, "kakao", &kakao).await;
    let other = app.anybody();
    naver.says(json!({ "sub": "1", "nonce": null }));
    sign_in(&app, &other, "naver", &naver).await;
    assert_ne!(me(&who).await["id"], me(&other).await["id"]);
}

#[tokio::test]
async fn another_site_links_nobody_and_nobody_else_on_the_phone_is_linked() {
    let (app, provider) = started().await;
    let table = Table::open_in(app).await;
    let app = &table.app;
    let who = table.scan("Lucía").await;
    for site in ["cross-site", "same-site", "none"] {
        let request = who.page(reqwest::Method::GET, "/sign-in/kakao").header("sec-fetch-site", site);
        let led = Answer::of(request).await;
        assert_eq!((led.status, led.header("location"), led.header("set-cookie")), (303, "/me", ""), "{site}");
    }
    // Who asked is not who is there when the answer comes.
    let stranger = app.anybody();
    let back = provider.consent(&begin(&stranger, "kakao").await).await;
    let page = stranger.open(&table.path).await;
    let fields = [("display_name", "Tom"), ("party_size", "2")];
    assert_eq!(stranger.submit(&page, &format!("{}/members", table.path), &fields).await.status, 303);
    finish(app, &stranger, &back).await;
    assert!(told(&stranger).await.contains("The sign-in with kakao was not finished"));
    let linked = "SELECT count(*) FROM sign_in_identities";
    let linked: i64 = app.database().with(|client| client.query_one(linked, &[])).expect("it counts").get(0);
    assert_eq!(linked, 0);
}

#[tokio::test]
async fn a_provider_that_is_down_is_told_as_that() {
    let (app, mut provider) = started().await;
    let who = app.anybody();
    let back = provider.consent(&begin(&who, "kakao").await).await;
    provider.stop().await;
    finish(&app, &who, &back).await;
    assert!(told(&who).await.contains("kakao cannot be reached"));
    assert_eq!(begin(&who, "kakao").await, "/me");
    assert!(told(&who).await.contains("kakao cannot be reached"));
}

#[tokio::test]
async fn staff_and_who_is_banned_do_not_sign_in_so() {
    let (app, provider) = started().await;
    let desk = app.owner_at_pages().await;
    sign_in(&app, &desk, "kakao", &provider).await;
    assert!(told(&desk).await.contains("Staff sign in with a password."));
    // It was not linked, so that this is somebody new.
    let who = app.anybody();
    sign_in(&app, &who, "kakao", &provider).await;
    let id = me(&who).await["id"].as_str().expect("it has an id").to_owned();
    let ban = json!({ "reason": "소란" });
    app.owner().await.put(&format!("/players/{id}/ban"), ban).await.is(204);
    let again = app.anybody();
    sign_in(&app, &again, "kakao", &provider).await;
    assert!(told(&again).await.contains("This account is banned."));
    again.get("/auth/me").await.problem(401, "not_signed_in");
}

#[tokio::test]
async fn a_player_links_providers_and_unlinks_all_but_the_last_way_in() {
    let (kakao, naver) = (IdentityProvider::start(Proof::Form).await, IdentityProvider::start(Proof::Header).await);
    let app = app_with(&[kakao.settings("kakao", json!({})), naver.settings("naver", json!({}))]).await;
    let who = app.anybody();
    sign_in(&app, &who, "kakao", &kakao).await;
    let id = me(&who).await["id"].clone();
    sign_in(&app, &who, "naver", &naver).await;
    assert_eq!(me(&who).await["id"], id, "who is signed in adds another way in");
    let identities = me_exported(&who).await;
    assert_eq!(identities.as_array().map(Vec::len), Some(2), "{identities}");
    let unlink = async |provider: &str| {
        let page = who.open("/me").await;
        assert!(page.text().contains(&format!("action=\"/sign-in/{provider}/unlink\"")), "{}", page.text());
        let done = who.submit(&page, &format!("/sign-in/{provider}/unlink"), &[]).await;
        assert_eq!((done.status, done.header("location")), (303, "/me"), "{}", done.text());
        told(&who).await
    };
    assert!(unlink("kakao").await.contains("kakao is disconnected."));
    assert!(unlink("naver").await.contains("You could not sign in any more."));
    let page = who.open("/me").await;
    assert_eq!(forms(&page.text(), "register").len(), 1);
    let fields = [("email", "sky@example.org"), ("password", "a long enough password")];
    assert_eq!(who.submit(&page, "/me/register", &fields).await.status, 303);
    assert!(unlink("naver").await.contains("naver is disconnected."));
    assert_eq!(me_exported(&who).await, json!([]));
    // From now on that is somebody else's way in.
    let other = app.anybody();
    sign_in(&app, &other, "naver", &naver).await;
    assert_ne!(me(&other).await["id"], id);
}

#[tokio::test]
async fn a_provider_that_the_house_no_longer_knows_is_no_way_in() {
    let (kakao, naver) = (IdentityProvider::start(Proof::Form).await, IdentityProvider::start(Proof::Header).await);
    let mut app = app_with(&[kakao.settings("kakao", json!({})), naver.settings("naver", json!({}))]).await;
    let who = app.anybody();
    sign_in(&app, &who, "kakao", &kakao).await;
    sign_in(&app, &who, "naver", &naver).await;
    let left = json!([kakao.settings("kakao", json!({}))]).to_string();
    app.restart_with(|launch| launch.set("HOUSERULES_OIDC", left));
    let who = who.at(app.url());
    let page = who.open("/me").await;
    assert_eq!(who.submit(&page, "/sign-in/kakao/unlink", &[]).await.status, 303);
    assert!(told(&who).await.contains("You could not sign in any more."));
    assert_eq!(me_exported(&who).await.as_array().map(Vec::len), Some(2));
}

async fn me_exported(who: &Visitor) -> Value {
    who.get("/auth/me/export").await.is(200)["identities"].clone()
}
