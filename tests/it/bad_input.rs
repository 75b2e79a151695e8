//! Whatever is sent, the answer is a problem document with a stable code; nothing changes, nothing panics, and nothing is a
//! 5xx. That the log stays clean is checked whenever a server goes.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use harness::{Answer, Party, TestApp, Visitor};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Sha256, Sha384, Sha512};

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
        (json!({ "game": "liars-dice", "seats": 2, "options": { "track": "longer" } }), 422, "invalid_options"),
        (json!({ "game": "middle-race", "seats": 3, "options": { "track_length": 61 } }), 422, "invalid_options"),
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
async fn texts_that_are_no_text() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    let owner = app.owner().await;
    let (seats, abort) = (party.path("/seats"), party.path("/abort"));
    for (visitor, path, before, after) in [
        (&party.players[0], "/auth/guest", r#"{"display_name":""#, r#""}"#),
        (
            &party.players[0],
            "/auth/register",
            r#"{"password":"a long enough password","email":""#,
            r#"a@example.org"}"#,
        ),
        (&party.players[0], "/auth/login", r#"{"email":"owner@house-rules.test","password":""#, r#""}"#),
        (&party.players[0], "/auth/refresh", r#"{"refresh_token":""#, r#""}"#),
        (&party.players[0], "/matches", r#"{"seats":2,"game":""#, r#""}"#),
        (&party.players[0], "/matches", r#"{"seats":2,"game":"perudo","mode":""#, r#""}"#),
        (&party.players[0], "/matches", r#"{"seats":2,"game":"perudo","name":""#, r#""}"#),
        (&party.players[0], "/matches", r#"{"seats":2,"game":"liars-dice","options":{"track":""#, r#""}}"#),
        (&party.players[0], "/matches", r#"{"seats":2,"game":"perudo","options":{""#, r#"":true}}"#),
        (&party.players[0], &seats, r#"{"nonce":""#, r#""}"#),
        (&owner, &abort, r#"{"reason":""#, r#""}"#),
        (&owner, "/tables", r#"{"seats":4,"name":""#, r#""}"#),
    ] {
        for bad in [r"\u0000", r"a\u0000b", r"\ud800", r"\udc00\ud800", r"\ud83d", r"\x", "\u{1}", "\u{0}"] {
            let answer = visitor.post_bytes(path, format!("{before}{bad}{after}")).await;
            assert!(!answer.refused().is_empty(), "{path} {bad}");
        }
    }
    assert_eq!(party.look().await["status"], "waiting");
    assert_eq!(owner.get("/tables").await.is(200)["items"], json!([]));
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
    for path in ["/matches".to_owned(), party.path("/seats")] {
        let body = guest.api(Method::POST, &path).header("content-type", "application/json");
        let body = body.header("content-encoding", "gzip").body("\u{1f}\u{8b} compressed");
        Answer::of(body).await.problem(415, "unsupported_media_type");
    }
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
    // One byte too many, which is read to its end, and so is the answer.
    let big = format!(r#"{{"display_name":"{}"}}"#, "x".repeat(64 * 1024));
    app.anybody().post_bytes("/auth/guest", big).await.problem(413, "body_too_large");
    // Nor does it help not to say how much there will be.
    let said = speak(&app, |stream| {
        write!(stream, "POST /api/v1/auth/guest HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n")?;
        write!(stream, "transfer-encoding: chunked\r\n\r\n")?;
        let chunk = "x".repeat(0x1_0000);
        (0..160).try_for_each(|_| write!(stream, "10000\r\n{chunk}\r\n"))
    });
    assert!(said.is_empty() || said.starts_with("HTTP/1.1 413"), "{said}");
    assert_eq!(app.anybody().get_page("/healthz").await.status, 200);
}

/// What the server says to these bytes, until it hangs up or they end; nothing if it hangs up before they do.
fn speak(app: &TestApp, write: impl FnOnce(&mut TcpStream) -> std::io::Result<()>) -> String {
    let mut stream = TcpStream::connect(app.url().trim_start_matches("http://")).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a socket has a timeout");
    let mut said = Vec::new();
    if write(&mut stream).and_then(|()| stream.shutdown(Shutdown::Write)).is_ok() {
        // Cut off or ended: what was said until then is what counts.
        stream.read_to_end(&mut said).ok();
    }
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test]
async fn requests_that_are_no_http() {
    let app = TestApp::start();
    let many = format!("GET / HTTP/1.1\r\nhost: x\r\n{}\r\n", "a: b\r\n".repeat(1000));
    let long = format!("GET / HTTP/1.1\r\nhost: x\r\na: {}\r\n\r\n", "b".repeat(1_000_000));
    let far = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "b".repeat(1_000_000));
    for bytes in [
        "\u{0}",
        "\r\n\r\n",
        "hello\r\n\r\n",
        "GET / HTTP/9.9\r\nhost: x\r\n\r\n",
        "GET /\u{0} HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nhost: x\r\na: \u{0}\r\n\r\n",
        "GET / HTTP/1.1\r\nhost x\r\n\r\n",
        "GET http:// HTTP/1.1\r\nhost: x\r\n\r\n",
        "POST /api/v1/auth/guest HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n",
        "POST /api/v1/auth/guest HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999999999999999\r\n\r\n",
        "POST /api/v1/auth/guest HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}",
        "POST /api/v1/auth/guest HTTP/1.1\r\nhost: x\r\ntransfer-encoding: x\r\n\r\n{}",
        "POST /api/v1/auth/guest HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        &many,
        &long,
        &far,
    ] {
        let said = speak(&app, |stream| stream.write_all(bytes.as_bytes()));
        let start = &bytes[..bytes.len().min(80)];
        assert!(said.is_empty() || said.starts_with("HTTP/1.1 4"), "{start:?}: {said}");
    }
    assert_eq!(app.anybody().get_page("/healthz").await.status, 200);
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
    let wrong = guest.patch("/auth/refresh", json!({})).await;
    wrong.problem(405, "method_not_allowed");
    assert_eq!(wrong.header("allow"), "POST");
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

/// A token of these claims, signed as this algorithm is, with the service's own secret.
fn signed<M: Mac + KeyInit>(app: &TestApp, algorithm: &str, claims: &Value) -> String {
    signed_as::<M>(app, &json!({ "alg": algorithm, "typ": "JWT" }), claims)
}

fn signed_as<M: Mac + KeyInit>(app: &TestApp, header: &Value, claims: &Value) -> String {
    let message = format!("{}.{}", base64(header.to_string().as_bytes()), base64(claims.to_string().as_bytes()));
    let mut mac = <M as KeyInit>::new_from_slice(app.secret().as_bytes()).expect("any length will do");
    mac.update(message.as_bytes());
    format!("{message}.{}", base64(&mac.finalize().into_bytes()))
}

/// What the service itself says about this player.
fn claims_of(guest: &Visitor) -> Value {
    let body = guest.token().split('.').nth(1).expect("a token has three parts");
    serde_json::from_slice(&from_base64(body)).expect("claims are JSON")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let number = chunk.iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        (0..=chunk.len()).map(move |place| DIGITS[(number >> (18 - 6 * place) & 63) as usize] as char)
    });
    digits.collect()
}

fn from_base64(text: &str) -> Vec<u8> {
    let digit = |it: u8| match it {
        b'A'..=b'Z' => it - b'A',
        b'a'..=b'z' => it - b'a' + 26,
        b'0'..=b'9' => it - b'0' + 52,
        b'-' => 62,
        _ => 63,
    };
    let bytes = text.as_bytes().chunks(4).flat_map(|chunk| {
        let number =
            chunk.iter().fold(0_u32, |number, it| number << 6 | u32::from(digit(*it))) << (6 * (4 - chunk.len()));
        number.to_be_bytes().into_iter().skip(1).take(chunk.len() - 1)
    });
    bytes.collect()
}

#[tokio::test]
async fn tokens_with_the_right_secret_and_all_the_same_no_good() {
    let app = TestApp::start();
    let guest = app.guest("지우").await;
    let claims = claims_of(&guest);
    let changed = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        claims
    };
    let ask = async |token: String| guest.bearing(Some(&token)).get("/auth/me").await;
    // So that what follows fails for what it changes, and not for how it is made.
    ask(signed::<Hmac<Sha256>>(&app, "HS256", &claims)).await.is(200);
    let iat = claims["iat"].as_i64().expect("a time");
    for exp in [iat - 1, 0] {
        ask(signed::<Hmac<Sha256>>(&app, "HS256", &changed("exp", json!(exp)))).await.problem(401, "token_expired");
    }
    for token in [
        signed::<Hmac<Sha384>>(&app, "HS384", &claims),
        signed::<Hmac<Sha512>>(&app, "HS512", &claims),
        signed::<Hmac<Sha256>>(&app, "HS512", &claims),
        signed::<Hmac<Sha512>>(&app, "HS256", &claims),
        signed::<Hmac<Sha256>>(&app, "none", &claims),
        signed::<Hmac<Sha256>>(&app, "hs256", &claims),
        // What is in a browser's cookie is no token of the API.
        signed::<Hmac<Sha256>>(&app, "HS256", &changed("use", json!("page"))),
        signed::<Hmac<Sha256>>(&app, "HS256", &changed("role", json!("king"))),
        signed::<Hmac<Sha256>>(&app, "HS256", &changed("sub", json!("\u{0}"))),
        signed::<Hmac<Sha256>>(&app, "HS256", &changed("exp", json!("tomorrow"))),
        signed::<Hmac<Sha256>>(&app, "HS256", &changed("exp", json!(-1))),
        signed::<Hmac<Sha256>>(&app, "HS256", &json!([])),
        // It names a key that nobody here has.
        signed_as::<Hmac<Sha256>>(&app, &json!({ "alg": "HS256", "typ": "JWT", "kid": "AAAAAAAAAAAA" }), &claims),
        signed_as::<Hmac<Sha256>>(&app, &json!({ "alg": "HS256", "typ": "JWT", "kid": "" }), &claims),
    ] {
        ask(token).await.problem(401, "invalid_token");
    }
    // A role is looked up, whatever the token says.
    let crowned = signed::<Hmac<Sha256>>(&app, "HS256", &changed("role", json!("owner")));
    guest.bearing(Some(&crowned)).get("/tables").await.refused();
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

#[tokio::test]
async fn moments_before_the_databases_first_year_are_no_error() {
    let app = TestApp::start();
    let (owner, desk) = (app.owner().await, app.owner_at_pages().await);
    for limit in ["from", "until"] {
        owner.get(&format!("/audit?{limit}=-009000-01-01T00:00:00Z")).await.is(200);
    }
    let before = format!("-370000000000000000.{}", uuid::Uuid::nil());
    assert_eq!(desk.open(&format!("/admin/sittings?before={before}")).await.status, 400);
    let table = owner.post("/tables", json!({ "name": "1", "seats": 4 })).await.is(201)["id"].clone();
    let seats = format!("/tables/{}/sittings", table.as_str().expect("it has an id"));
    let seated = owner.post(&seats, json!({ "party_size": 2 })).await.is(201);
    let path = format!("/sittings/{}", seated["id"].as_str().expect("it has an id"));
    owner.patch(&path, json!({ "remind_at": "-009000-01-01T00:00:00Z" })).await.is(200);
}
