//! Web apps on other origins.

use harness::{Answer, TestApp};
use reqwest::Method;
use serde_json::json;

const OURS: &str = "https://app.example.org";
const THEIRS: &str = "https://other.example.org";

async fn preflight(app: &TestApp, origin: &str, path: &str) -> Answer {
    let request = app.anybody().api(Method::OPTIONS, path).header("origin", origin);
    let request = request.header("access-control-request-method", "POST");
    Answer::of(request.header("access-control-request-headers", "authorization,idempotency-key")).await
}

#[tokio::test]
async fn a_listed_origin_may_do_what_any_app_may_and_others_read_what_is_public() {
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_ALLOWED_ORIGINS", OURS));
    let allowed = preflight(&app, OURS, "/matches").await;
    assert_eq!((allowed.status, allowed.header("access-control-allow-origin")), (204, OURS));
    for header in ["authorization", "idempotency-key", "last-event-id"] {
        assert!(allowed.header("access-control-allow-headers").contains(header), "{header}");
    }
    assert!(allowed.header("access-control-allow-methods").contains("DELETE"));
    assert_eq!(preflight(&app, THEIRS, "/matches").await.header("access-control-allow-origin"), "");

    let sign_in = |origin: &str| {
        let request = app.anybody().api(Method::POST, "/auth/guest").header("origin", origin.to_owned());
        Answer::of(request.json(&json!({ "display_name": "하늘" })))
    };
    let guest = sign_in(OURS).await;
    guest.is(201);
    assert_eq!(guest.header("access-control-allow-origin"), OURS);
    assert!(guest.header("access-control-expose-headers").contains("location"));
    sign_in(THEIRS).await.problem(403, "cross_site");
    sign_in("null").await.problem(403, "cross_site");
    sign_in(app.url()).await.is(201);

    let read =
        |origin: &str, path: &str| Answer::of(app.anybody().api(Method::GET, path).header("origin", origin.to_owned()));
    assert_eq!(read(THEIRS, "/games").await.header("access-control-allow-origin"), "*");
    assert_eq!(read(THEIRS, "/matches").await.header("access-control-allow-origin"), "");
    // A page must be able to read why it was refused.
    let refused = read(OURS, "/matches").await;
    refused.problem(401, "not_signed_in");
    assert_eq!(refused.header("access-control-allow-origin"), OURS);
    for answer in [allowed, guest, refused] {
        assert_eq!(answer.header("access-control-allow-credentials"), "");
    }
}

#[tokio::test]
async fn links_open_the_apps_that_the_settings_name() {
    let print = ["AB"; 32].join(":");
    let app = TestApp::start_with(|launch| {
        let launch = launch.set("HOUSERULES_APPLE_APPS", "ABCDE12345.org.example.play");
        launch.set("HOUSERULES_ANDROID_APPS", format!("org.example.play={print}"))
    });
    let apple = app.anybody().get_page("/.well-known/apple-app-site-association").await;
    assert_eq!(apple.header("content-type"), "application/json");
    assert_eq!(apple.is(200)["applinks"]["details"][0]["appIDs"], json!(["ABCDE12345.org.example.play"]));
    let android = app.anybody().get_page("/.well-known/assetlinks.json").await.is(200);
    assert_eq!(android[0]["target"]["sha256_cert_fingerprints"], json!([print]));
    let plain = TestApp::start();
    assert_eq!(plain.anybody().get_page("/.well-known/assetlinks.json").await.status, 404);
}
