//! `/auth/…`

use harness::TestApp;
use serde_json::json;

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
}

#[tokio::test]
async fn a_refresh_token_is_good_once_and_using_it_again_ends_the_session() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let first = json!({ "refresh_token": guest.signed_in["refresh_token"] });
    let second = app.anybody().post("/auth/refresh", first.clone()).await.is(200);
    assert_ne!(second["refresh_token"], first["refresh_token"]);
    app.anybody().post("/auth/refresh", first).await.is(401);
    // Somebody has a copy of the token: neither they nor its owner go on with it.
    let second = json!({ "refresh_token": second["refresh_token"] });
    app.anybody().post("/auth/refresh", second).await.is(401);
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
