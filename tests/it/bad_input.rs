//! Whatever is sent, the answer is a problem document with a stable code; nothing changes, nothing panics, and nothing is a
//! 5xx. That the log stays clean is checked whenever a server goes.

use harness::{Answer, Party, TestApp, Visitor};
use reqwest::Method;
use serde_json::{Value, json};

#[tokio::test]
async fn matches_that_cannot_be_made() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    for (body, status, code) in [
        (json!({ "game": "chess", "seats": 2 }), 422, "unknown_game"),
        (json!({ "game": "perudo", "seats": 1 }), 422, "invalid_seats"),
        (json!({ "game": "perudo", "seats": 7 }), 422, "invalid_seats"),
        (json!({ "game": "perudo", "seats": -1 }), 422, "invalid_seats"),
        (json!({ "game": "perudo", "seats": 260 }), 422, "invalid_seats"),
        (json!({ "game": "perudo", "seats": i64::MAX }), 422, "invalid_seats"),
        (json!({ "game": "perudo", "seats": 2, "options": { "volume": 11 } }), 422, "invalid_options"),
        (json!({ "game": "perudo", "seats": 2, "options": { "calza": "yes" } }), 422, "invalid_options"),
        (json!({ "game": "perudo", "seats": 2, "options": [] }), 422, "invalid_options"),
        (json!({ "game": "perudo", "seats": 2, "mode": "imagined" }), 422, "unknown_mode"),
    ] {
        guest.post("/matches", body).await.problem(status, code);
    }
    let named = guest.post("/matches", json!({ "game": "perudo", "seats": 2, "options": { "volume": 11 } })).await;
    assert!(named.json()["errors"].to_string().contains("volume"), "{}", named.text());
    for body in [
        json!({ "game": "perudo", "seats": 2, "colour": "red" }),
        json!({ "game": "perudo", "seats": "2" }),
        json!({ "game": "perudo", "seats": 2.5 }),
        json!({ "game": 5, "seats": 2 }),
        json!({ "game": "perudo", "seats": 2, "turn_seconds": 0 }),
        json!({ "game": "perudo", "seats": 2, "table_id": "019f0000-0000-7000-8000-000000000000" }),
        json!({ "game": "perudo", "seats": 2, "table_id": "x" }),
        json!({ "game": "perudo", "seats": 2, "name": "x".repeat(61) }),
        json!({ "game": "perudo", "seats": 2, "name": "a\u{0}b" }),
        json!({ "seats": 2 }),
        json!({}),
        json!([]),
        json!(null),
        json!("perudo"),
        json!(7),
    ] {
        let answer = guest.post("/matches", body.clone()).await;
        assert!(!answer.refused().is_empty(), "{body}");
    }
    assert_eq!(guest.get("/matches").await.is(200)["items"], json!([]));
}

#[tokio::test]
async fn names_that_are_no_names() {
    let app = TestApp::start();
    for name in ["", "   ", "a\u{0}b", "\u{7f}", "\u{202e}abc", "\u{200b}", &"x".repeat(41), &"하".repeat(5000)] {
        let answer = app.anybody().post("/auth/guest", json!({ "display_name": name })).await;
        assert!(matches!(answer.status, 400 | 413 | 422), "{name:?}: {}", answer.text());
        answer.refused();
    }
    // A lone surrogate is no text, so it cannot be JSON either.
    for bytes in [
        &br#"{"display_name":"\ud800"}"#[..],
        b"{\"display_name\":\"\xff\xfe\"}",
        b"{\"display_name\":\"\xed\xa0\x80\"}",
    ] {
        app.anybody().post_bytes("/auth/guest", bytes).await.refused();
    }
    for name in ["하늘", "Íñigo", "李", "عمر", "O'Neil-Smith", "🏴‍☠️ Anne"] {
        app.anybody().post("/auth/guest", json!({ "display_name": name })).await.is(201);
    }
    // The same letters, written in two ways, are the same name.
    let guest = app.anybody().sign_in("/auth/guest", json!({ "display_name": " Lucı\u{301}a " }), 201).await;
    assert!(!guest.name().starts_with(' '));
}

#[tokio::test]
async fn bodies_that_are_no_json() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let nested = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
    let abyss = "[".repeat(200_000);
    let options = format!(r#"{{"game":"perudo","seats":2,"options":{deep}}}"#);
    let chosen = format!(r#"{{"move":{nested}}}"#);
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    for (path, bytes) in [
        ("/matches", "{"),
        ("/matches", ""),
        ("/matches", "perudo"),
        ("/matches", r#"{"game":"perudo","game":"perudo","seats":2}"#),
        ("/matches", &nested),
        ("/matches", &deep),
        ("/matches", &abyss),
        ("/matches", &options),
        (&party.path("/moves"), &chosen),
        (&party.path("/moves"), &abyss),
        (&party.path("/moves"), "\u{0}"),
        (&party.path("/moves"), "NaN"),
        (&party.path("/seats"), "[]"),
    ] {
        let visitor = if path.ends_with("/moves") { &party.players[0] } else { &guest };
        let answer = visitor.post_bytes(path, bytes).await;
        assert!((400..500).contains(&answer.status), "{path} {}: {}", &bytes[..bytes.len().min(60)], answer.text());
        answer.refused();
    }
    let form =
        guest.api(Method::POST, "/matches").header("content-type", "text/plain").body(r#"{"game":"perudo","seats":2}"#);
    Answer::of(form).await.refused();
}

#[tokio::test]
async fn ten_megabytes_are_too_much() {
    let app = TestApp::start();
    let guest = app.guest("민지").await;
    let big = format!(r#"{{"display_name":"{}"}}"#, "x".repeat(10 * 1024 * 1024));
    for path in ["/auth/guest", "/matches", "/auth/login"] {
        // The server may hang up while the rest is still being sent, which is an answer too.
        let request = guest.api(Method::POST, path).header("content-type", "application/json").body(big.clone());
        match request.send().await {
            Ok(answer) => assert_eq!(answer.status().as_u16(), 413, "{path}"),
            Err(err) => assert!(err.is_request(), "{err:?}"),
        }
    }
    app.anybody().get_page("/healthz").await;
}

#[tokio::test]
async fn addresses_that_lead_nowhere() {
    let app = TestApp::start();
    let guest = app.guest("도윤").await;
    let nobody = "019f0000-0000-7000-8000-000000000000";
    for rest in ["", "/view", "/events", "/stream", "/record"] {
        guest.get(&format!("/matches/{nobody}{rest}")).await.problem(404, "match_not_found");
    }
    for rest in ["/moves", "/seats", "/start", "/resign", "/abort"] {
        let body = if rest == "/moves" { json!({ "move": {} }) } else { json!({}) };
        guest.post(&format!("/matches/{nobody}{rest}"), body).await.problem(404, "match_not_found");
    }
    for id in ["x", "1", "%00", "..%2f..", "019f0000-0000-7000-8000-00000000000g", &"9".repeat(5000)] {
        guest.get(&format!("/matches/{id}")).await.refused();
    }
    guest.get("/nothing/here").await.problem(404, "unknown_route");
    let wrong = guest.patch("/auth/me", json!({})).await;
    wrong.problem(405, "method_not_allowed");
    assert_eq!(wrong.header("allow"), "GET");
}

#[tokio::test]
async fn somebody_elses_match() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let outsider = app.guest("Zoe").await;
    let legal = party.see(0).await["legal_moves"].get(0).cloned().unwrap_or(json!({ "type": "dudo" }));
    outsider.post(&party.path("/moves"), json!({ "move": legal })).await.problem(403, "not_seated");
    outsider.get(&party.path("/view")).await.problem(403, "not_seated");
    outsider.get(&party.path("/view?after=0&wait=1")).await.problem(403, "not_seated");
    outsider.post(&party.path("/resign"), json!({})).await.problem(403, "not_seated");
    outsider.post(&party.path("/seats"), json!({})).await.refused();
    outsider.delete(&party.path("/seats/me")).await.refused();
    outsider.post(&party.path("/start"), json!({})).await.refused();
    outsider.post(&party.path("/abort"), json!({})).await.refused();
    assert_eq!(party.look().await["version"], 0);
}

#[tokio::test]
async fn seats_and_nonces_that_are_none() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    let seats = party.path("/seats");
    for body in [
        json!({ "seat": 2 }),
        json!({ "seat": -1 }),
        json!({ "seat": 70000 }),
        json!({ "seat": "0" }),
        json!({ "seat": 0.5 }),
        json!({ "seat": 0, "nonce": "" }),
        json!({ "seat": 0, "nonce": "a\u{0}" }),
        json!({ "seat": 0, "nonce": "x".repeat(65) }),
        json!({ "seat": 0, "nonce": 7 }),
        json!({ "chair": 0 }),
    ] {
        party.players[0].post(&seats, body).await.refused();
    }
    assert_eq!(party.look().await["seats"][0]["player"], Value::Null);
    // 64 characters of any script.
    party.players[0].post(&seats, json!({ "nonce": "운".repeat(64) })).await.is(201);
}

#[tokio::test]
async fn idempotency_keys_that_are_none() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    for key in ["", " ", "a b", "é", &"x".repeat(256)] {
        let request = party.players[seat].api(Method::POST, &party.path("/moves")).header("idempotency-key", key);
        let answer = Answer::of(request.json(&json!({ "move": seen["legal_moves"][0] }))).await;
        answer.problem(400, "invalid_idempotency_key");
    }
    assert_eq!(party.look().await["version"], 0);
}

/// The token with another header or body, its signature kept.
fn forged(token: &str, part: usize, text: &str) -> String {
    let mut parts: Vec<String> = token.split('.').map(Into::into).collect();
    parts[part] = base64(text.as_bytes());
    parts.join(".")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let number = chunk.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |place| DIGITS[(number >> (18 - 6 * place) & 63) as usize] as char)
    });
    digits.collect()
}

#[tokio::test]
async fn tokens_that_nobody_gave_out() {
    let app = TestApp::start();
    let guest = app.guest("지우").await;
    let (owner, token) = (app.owner().await, guest.token().to_owned());
    let claims =
        format!(r#"{{"sub":"{}","sid":"{}","role":"owner","iat":1,"exp":99999999999}}"#, owner.id(), owner.id());
    let unsigned = format!("{}.{}.", base64(br#"{"alg":"none","typ":"JWT"}"#), base64(claims.as_bytes()));
    let long = "x".repeat(100_000);
    for token in [
        forged(&token, 1, &claims),
        forged(&token, 0, r#"{"alg":"none","typ":"JWT"}"#),
        forged(&token, 0, r#"{"alg":"HS512","typ":"JWT"}"#),
        forged(&token, 0, r#"{"alg":"RS256","typ":"JWT"}"#),
        forged(&token, 2, "another signature"),
        unsigned,
        token[..token.len() - 2].to_owned(),
        format!("{token}x"),
        "a.b.c".into(),
        "...".into(),
        String::new(),
        long,
    ] {
        let answer = guest.bearing(Some(&token)).get("/auth/me").await;
        assert!(matches!(answer.status, 400 | 401 | 431), "{}: {}", &token[..token.len().min(80)], answer.text());
    }
    guest.bearing(None).get("/auth/me").await.is(401);
    guest.get("/auth/me").await.is(200);
    // Another café's tokens are no good here.
    let elsewhere =
        TestApp::start_with(|launch| launch.set("HOUSERULES_SECRET", "another secret of more than thirty-two bytes"));
    let stranger = elsewhere.guest("지우").await;
    stranger.at(app.url()).get("/auth/me").await.is(401);
}

#[tokio::test]
async fn every_address_takes_everything_without_an_error_of_ours() {
    let app = TestApp::start();
    let guest = app.guest("서연").await;
    let document = app.anybody().get_page("/api/openapi.json").await.is(200);
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let visitors: [Visitor; 3] = [app.anybody(), guest, app.owner().await];
    let values = ["x", "0", "-1", "%00", "%ff", "019f0000-0000-7000-8000-000000000000", &party.id];
    let bodies = ["", "null", "[]", "{}", "{\"a\":1}", "{\"move\":{}}", "\"\\ud800\"", "1e999", "{\"seat\":1e99}"];
    for (path, item) in document["paths"].as_object().expect("it has paths") {
        for method in item.as_object().expect("a path has operations").keys() {
            let Ok(method) = method.to_uppercase().parse::<Method>() else { continue };
            for value in values {
                let names: Vec<_> = path.split('{').skip(1).filter_map(|rest| rest.split('}').next()).collect();
                let filled = names.iter().fold(path.clone(), |path, name| path.replace(&format!("{{{name}}}"), value));
                for (number, visitor) in visitors.iter().enumerate() {
                    let body = bodies[(filled.len() + number) % bodies.len()];
                    let request = visitor.page(method.clone(), &filled).header("content-type", "application/json");
                    let request = request.query(&[("after", value), ("limit", value)]).body(body);
                    let response = request.send().await.unwrap_or_else(|err| panic!("{method} {filled}: {err}"));
                    assert!(response.status().as_u16() < 500, "{method} {filled} {body}: {}", response.status());
                }
                if names.is_empty() {
                    break;
                }
            }
        }
    }
}
