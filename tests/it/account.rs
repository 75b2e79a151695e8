//! What people do with their own account: `/auth/me`, `/auth/password`, `/auth/sessions`, and who looks like whom.

use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

pub(crate) const PASSWORD: &str = "a long enough password";

pub(crate) async fn register(app: &TestApp, name: &str, email: &str) -> Visitor {
    let account = json!({ "display_name": name, "email": email, "password": PASSWORD });
    app.anybody().sign_in("/auth/register", account, 201).await
}

async fn sign_in(app: &TestApp, email: &str, password: &str) -> Visitor {
    app.anybody().sign_in("/auth/login", json!({ "email": email, "password": password }), 200).await
}

async fn is_stopped(visitor: &Visitor) {
    let stopped = async || (visitor.get("/auth/me").await.status == 401).then_some(());
    eventually("an ended session's access token stops", stopped).await;
    visitor.get("/auth/me").await.problem(401, "session_ended");
}

async fn delete_me(visitor: &Visitor, body: Value) -> Answer {
    Answer::of(visitor.api(Method::DELETE, "/auth/me").json(&body)).await
}

#[tokio::test]
async fn another_name_is_seen_at_the_table_at_once() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let mut stream = party.players[1].listen(&party.path("/stream"), None).await;
    stream.next_of("status").await;
    let me = party.players[0].patch("/auth/me", json!({ "display_name": "  Zoë " })).await.is(200);
    assert_eq!(me["display_name"], "Zoë");
    let status = stream.next_of("status").await;
    assert_eq!(status.data["seats"][0]["player"]["display_name"], "Zoë");
    assert_eq!(party.look().await["seats"][0]["player"]["display_name"], "Zoë");
    party.players[0].patch("/auth/me", json!({ "display_name": " " })).await.problem(422, "invalid_fields");
    party.players[0].patch("/auth/me", json!({ "role": "owner" })).await.problem(400, "invalid_body");
    assert_eq!(party.players[0].patch("/auth/me", json!({})).await.is(200)["display_name"], "Zoë");
}

#[tokio::test]
async fn a_guest_who_registers_keeps_seat_and_match() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let account = json!({ "email": "sky@example.org", "password": PASSWORD });
    let registered = party.players[0].sign_in("/auth/register", account, 201).await;
    assert_eq!(registered.id(), party.players[0].id());
    party.players[0] = sign_in(&app, "sky@example.org", PASSWORD).await;
    party.play_to_the_end().await;
    let mine = party.players[0].get("/matches?mine=true").await.is(200);
    assert_eq!(mine["items"][0]["id"], party.id);
    assert_eq!(mine["items"][0]["seat"], 0);
}

#[tokio::test]
async fn another_password_ends_every_other_session() {
    let app = TestApp::start();
    let here = register(&app, "민지", "minji@example.org").await;
    let there = sign_in(&app, "minji@example.org", PASSWORD).await;
    let change = |current: &str, new: &str| json!({ "current": current, "new": new });
    here.post("/auth/password", change("not this one", "another password")).await.problem(403, "wrong_password");
    here.post("/auth/password", change(PASSWORD, "short")).await.problem(422, "invalid_fields");
    app.guest("Bea").await.post("/auth/password", change(PASSWORD, PASSWORD)).await.problem(409, "not_registered");
    here.post("/auth/password", change(PASSWORD, "another password")).await.is(204);
    is_stopped(&there).await;
    let refresh = json!({ "refresh_token": there.signed_in["refresh_token"] });
    app.anybody().post("/auth/refresh", refresh).await.problem(401, "invalid_refresh_token");
    here.get("/auth/me").await.is(200);
    let old = json!({ "email": "minji@example.org", "password": PASSWORD });
    app.anybody().post("/auth/login", old).await.problem(401, "wrong_credentials");
    sign_in(&app, "minji@example.org", "another password").await;
}

#[tokio::test]
async fn of_two_who_change_the_password_at_once_one_does() {
    let app = TestApp::start();
    let here = register(&app, "도윤", "doyun@example.org").await;
    let there = sign_in(&app, "doyun@example.org", PASSWORD).await;
    let change = |new: &str| json!({ "current": PASSWORD, "new": new });
    let (one, other) = tokio::join!(
        here.post("/auth/password", change("the password of one")),
        there.post("/auth/password", change("the password of the other")),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    // The slower finds another password in place, or its session ended.
    assert!(matches!(statuses, [204, 401 | 403]), "{} {}", one.text(), other.text());
}

#[tokio::test]
async fn devices_are_listed_and_signed_out_one_by_one_or_all_at_once() {
    let mut app = TestApp::start();
    let here = register(&app, "서연", "seoyeon@example.org").await;
    let phone =
        "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0 Mobile Safari/537.36";
    let login = json!({ "email": "seoyeon@example.org", "password": PASSWORD });
    let login = app.anybody().api(Method::POST, "/auth/login").header("user-agent", phone).json(&login);
    let there = Answer::of(login).await.is(200);
    let there = app.anybody().bearing(there["access_token"].as_str());
    let asked = here.api(Method::GET, "/auth/sessions").header("accept-language", "en");
    let listed = Answer::of(asked).await.is(200);
    let (newest, oldest) = (&listed["items"][0], &listed["items"][1]);
    assert_eq!((&newest["device"], &newest["current"]), (&json!("Chrome on Android"), &json!(false)), "{listed}");
    assert_eq!((&newest["user_agent"], &oldest["current"]), (&json!(phone), &json!(true)));
    // Another's session is nobody's business, and no session at all is the same.
    let end = format!("/auth/sessions/{}", newest["id"].as_str().expect("it has an id"));
    app.guest("Bea").await.delete(&end).await.problem(404, "session_not_found");
    let other = app.start_another();
    here.delete(&end).await.is(204);
    is_stopped(&there).await;
    is_stopped(&there.at(app.url_of(other))).await;
    here.delete(&end).await.problem(404, "session_not_found");
    assert_eq!(here.get("/auth/sessions").await.is(200)["items"].as_array().map(Vec::len), Some(1));
    let again = sign_in(&app, "seoyeon@example.org", PASSWORD).await;
    here.post("/auth/logout-everywhere", json!({})).await.is(204);
    is_stopped(&here).await;
    is_stopped(&again.at(app.url_of(other))).await;
}

#[tokio::test]
async fn a_sign_in_elsewhere_is_told_at_the_devices_that_were_there_before() {
    let app = TestApp::start();
    register(&app, "하늘", "sky@example.com").await;
    let at_pages = async || {
        let browser = app.anybody();
        let page = browser.open("/me").await;
        let form = [("email", "sky@example.com"), ("password", PASSWORD)];
        assert_eq!(browser.submit(&page, "/me/sign-in", &form).await.status, 303);
        browser
    };
    let old = at_pages().await;
    assert!(!old.open("/me").await.text().contains("New sign-in"));
    let new = at_pages().await;
    let told = old.open("/me").await;
    assert!(told.text().contains("New sign-in") && told.text().contains("If it was not you"), "{}", told.text());
    assert!(!new.open("/me").await.text().contains("New sign-in"), "it is this device itself");
    let aged = "UPDATE sessions SET created_at = created_at - interval '4 days'";
    app.database().with(|client| client.batch_execute(aged)).expect("there are sessions");
    assert!(!old.open("/me").await.text().contains("New sign-in"), "it was long ago");
}

#[tokio::test]
async fn an_ended_session_stops_listening() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let mut stream = party.players[1].listen(&party.path("/stream"), None).await;
    stream.next_of("frame").await;
    party.players[1].post("/auth/logout-everywhere", json!({})).await.is(204);
    is_stopped(&party.players[1]).await;
    // Whatever wakes the stream, it hears no more.
    party.players[0].patch("/auth/me", json!({ "display_name": "Zoë" })).await.is(200);
    while let Some(sent) = stream.next().await {
        assert!(!sent.data.to_string().contains("Zoë"), "{sent:?}");
    }
}

#[tokio::test]
async fn everything_stored_about_me_is_given_to_me() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    let moves = party.play_to_the_end().await;
    // More than a page of matches.
    for _ in 0..60 {
        party.players[0].post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    }
    let mut made = 0;
    for (seat, player) in party.players.iter().enumerate() {
        let export = player.get("/auth/me/export").await;
        assert_eq!(export.header("cache-control"), "no-store");
        let export = export.is(200);
        assert_eq!(export["profile"]["id"], player.id());
        assert_eq!(export["sessions"][0]["current"], true);
        let matches = export["matches"].as_array().expect("it has matches");
        assert_eq!(matches.len(), if seat == 0 { 61 } else { 1 });
        let played = matches.last().expect("there is one");
        assert_eq!((&played["id"], &played["seat"]), (&json!(party.id), &json!(seat)));
        assert_eq!(played["nonce"], json!(party.nonces[seat]));
        assert!(played["outcome"].is_object());
        made += played["moves"].as_array().expect("it has moves").len();
        // Nothing of the others.
        for other in party.players.iter().filter(|other| other.id() != player.id()) {
            assert!(!export.to_string().contains(other.id()) && !export.to_string().contains(other.name()));
        }
    }
    assert_eq!(made, moves);
}

#[tokio::test]
async fn what_i_did_to_others_is_given_to_me_without_its_details() {
    let app = TestApp::start();
    let (owner, bea) = (app.owner().await, register(&app, "Bea", "bea@example.org").await);
    owner.patch("/auth/me", json!({ "display_name": "Mina" })).await.is(200);
    owner.patch(&format!("/players/{}", bea.id()), json!({ "display_name": "Béa" })).await.is(200);
    owner.post("/staff/invitations", json!({ "email": "noor@house-rules.test", "role": "staff" })).await.is(201);
    let export = owner.get("/auth/me/export").await.is(200);
    let lines = export["audit"].as_array().expect("it has lines");
    let about = |subject: &str, action: &str| {
        let found = lines.iter().find(|it| it["action"] == action && it["subject_id"] == subject);
        found.unwrap_or_else(|| panic!("no {action}: {export}"))["details"].clone()
    };
    assert_eq!(about(owner.id(), "player.rename")["to"], "Mina");
    assert_eq!(about(bea.id(), "player.rename"), json!({}));
    assert!(lines.iter().any(|it| it["action"] == "staff.invite" && it["details"] == json!({})), "{export}");
    for other in ["Bea", "Béa", "noor@"] {
        assert!(!export.to_string().contains(other), "{export}");
    }
    let about_me = bea.get("/auth/me/export").await.is(200)["audit"].clone();
    assert_eq!(about_me[0]["details"], json!({ "from": "Bea", "to": "Béa" }));
}

#[tokio::test]
async fn what_i_did_at_tables_is_given_to_me_and_my_words_go_with_me() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 4 })).await.is(201);
    let id = table["id"].as_str().expect("it has an id");
    let sitting = owner.post(&format!("/tables/{id}/sittings"), json!({ "party_size": 2 })).await.is(201);
    let guest = app.guest("Tom").await;
    let code = table["code"].as_str().expect("it has a code");
    guest.post(&format!("/tables/by-code/{code}/members"), json!({})).await.is(200);
    let calls = format!("/sittings/{}/calls", sitting["id"].as_str().expect("it has an id"));
    guest.post(&calls, json!({ "reason": "other", "note": "땅콩은 빼 주세요" })).await.is(201);
    let export = guest.get("/auth/me/export").await.is(200);
    assert_eq!((&export["sittings"][0]["id"], &export["sittings"][0]["table"]), (&sitting["id"], &json!("창가")));
    assert_eq!(export["calls"][0]["note"], "땅콩은 빼 주세요");
    assert_eq!(export["claims"], json!([]));
    delete_me(&guest, json!({})).await.is(204);
    let seen = owner.get(&calls).await.is(200);
    assert_eq!((&seen["items"][0]["reason"], &seen["items"][0]["note"]), (&json!("other"), &json!(null)));
}

#[tokio::test]
async fn a_deleted_account_leaves_the_history_of_others_whole() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    let finished = party.path("");
    let record = party.players[1].get(&party.path("/record")).await.is(200);
    let account = json!({ "email": "sky@example.org", "password": PASSWORD });
    let leaver = party.players[0].sign_in("/auth/register", account.clone(), 201).await;
    party.players[0] = leaver.clone();
    let running = party.rematch().await;
    let waiting = leaver.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    let guest_of_it = party.players[1].clone();
    let joined = guest_of_it.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    let path = |made: &Value| format!("/matches/{}", made["id"].as_str().expect("it has an id"));
    leaver.post(&format!("{}/seats", path(&joined)), json!({ "nonce": "secret" })).await.is(201);

    delete_me(&leaver, json!({})).await.problem(403, "wrong_password");
    delete_me(&leaver, json!({ "password": "not this one" })).await.problem(403, "wrong_password");
    delete_me(&leaver, json!({ "password": PASSWORD })).await.is(204);
    is_stopped(&leaver).await;
    app.anybody().post("/auth/login", account.clone()).await.problem(401, "wrong_credentials");

    let other = &party.players[1];
    let seen = other.get(&finished).await.is(200);
    assert_eq!(seen["status"], "finished");
    let nobody = json!({ "id": leaver.id(), "display_name": "someone", "deleted": true });
    assert_eq!(seen["seats"][0]["player"], nobody);
    let again = other.get(&format!("{finished}/record")).await.is(200);
    assert_eq!((&again["log"], &again["nonces"], &again["seed"]), (&record["log"], &record["nonces"], &record["seed"]));
    let seen = other.get(&format!("/matches/{running}")).await.is(200);
    assert!(seen["seats"][0]["left_at"].is_string(), "{seen}");
    assert_eq!(other.get(&path(&waiting)).await.is(200)["status"], "aborted");
    assert_eq!(other.get(&path(&joined)).await.is(200)["seats"][0]["player"], json!(null));

    let left = app.database().with(|client| {
        let row = client.query_one(
            "SELECT row_to_json(p)::text, (SELECT count(*) FROM sessions s WHERE s.player_id = p.id AND
             (s.revoked_at IS NULL OR s.user_agent IS NOT NULL)) FROM players p WHERE id = $1::text::uuid",
            &[&leaver.id()],
        );
        let row = row.expect("the row stays");
        (row.get::<_, String>(0), row.get::<_, i64>(1))
    });
    assert!(!left.0.contains("sky") && !left.0.contains("argon2") && !left.0.contains(leaver.name()), "{}", left.0);
    assert_eq!(left.1, 0);
    // The address is free again, and somebody who takes it is somebody else.
    let back = app.anybody().sign_in("/auth/register", account, 201).await;
    assert_ne!(back.id(), leaver.id());
}

#[tokio::test]
async fn the_names_of_guests_who_became_an_account_go_with_it() {
    let app = TestApp::start();
    let (owner, ana) = (app.owner().await, register(&app, "Ana", "ana@example.org").await);
    let guest = app.guest("Zoë").await;
    owner.post(&format!("/players/{}/merge", guest.id()), json!({ "into": ana.id() })).await.is(204);
    delete_me(&ana, json!({ "password": PASSWORD })).await.is(204);
    let named = "SELECT count(*) FROM players WHERE display_name IN ('Ana', 'Zoë')";
    let named = app.database().with(|client| client.query_one(named, &[])).expect("it counts");
    assert_eq!(named.get::<_, i64>(0), 0);
    assert_eq!(owner.get(&format!("/players/{}", guest.id())).await.is(200)["deleted"], true);
}

#[tokio::test]
async fn a_ban_that_is_over_goes_with_its_account() {
    let app = TestApp::start();
    let ana = register(&app, "Ana", "ana@example.org").await;
    let banned = format!(
        "UPDATE players SET banned_at = now() - interval '2 days', banned_until = now() - interval '1 day',
             ban_reason = 'They quarrel' WHERE id = '{}'",
        ana.id()
    );
    app.database().with(|client| client.batch_execute(&banned)).expect("it changes");
    delete_me(&ana, json!({ "password": PASSWORD })).await.is(204);
    let left = "SELECT count(*) FROM players WHERE banned_at IS NOT NULL OR ban_reason IS NOT NULL";
    let left = app.database().with(|client| client.query_one(left, &[])).expect("it counts");
    assert_eq!(left.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn a_seat_that_is_taken_as_its_account_goes_is_left_again() {
    let app = TestApp::start();
    let party = Party::gather(&app, "perudo", 2, json!({})).await;
    let guest = &party.players[1];
    let lock = app.database().lock("claims");
    let sit = async {
        eventually("it to wait", async || (app.database().waiting() >= 1).then_some(())).await;
        party.sit(1).await.is(201);
        drop(lock);
    };
    let (gone, ()) = tokio::join!(delete_me(guest, json!({})), sit);
    gone.is(204);
    assert_eq!(party.look().await["seats"][1]["player"], json!(null));
}

#[tokio::test]
async fn a_match_that_is_made_as_its_account_goes_is_called_off() {
    let app = TestApp::start();
    let guest = app.guest("Tom").await;
    let new = json!({ "game": "perudo", "seats": 2 });
    let lock = app.database().lock("claims");
    let make = async {
        eventually("it to wait", async || (app.database().waiting() >= 1).then_some(())).await;
        let made = guest.post("/matches", new.clone()).await.is(201);
        drop(lock);
        made
    };
    let (gone, made) = tokio::join!(delete_me(&guest, json!({})), make);
    gone.is(204);
    let path = format!("/matches/{}", made["id"].as_str().expect("it has an id"));
    assert_eq!(app.guest("Bea").await.get(&path).await.is(200)["status"], "aborted");
    // Its token is good until every process has heard that its session ended.
    guest.post("/matches", new).await.problem(401, "session_ended");
}

#[tokio::test]
async fn a_guest_needs_no_password_to_go_and_the_last_owner_cannot() {
    let app = TestApp::start();
    let guest = app.guest("Tom").await;
    delete_me(&guest, json!({})).await.is(204);
    is_stopped(&guest).await;
    let owner = app.owner().await;
    let (_, password) = app.owner_credentials();
    delete_me(&owner, json!({ "password": password })).await.problem(409, "last_owner");
    owner.get("/auth/me").await.is(200);
}

#[tokio::test]
async fn pages_call_a_deleted_player_someone_in_the_reader_s_language() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    delete_me(&party.players[0], json!({})).await.is(204);
    let owner = app.owner_at_pages().await;
    let address = format!("/admin/matches/{}", party.id);
    for (language, word) in [("ko", "누군가"), ("en", "someone"), ("es", "alguien")] {
        let page = owner.page(Method::GET, &address).header("accept", "text/html").header("accept-language", language);
        let page = Answer::of(page).await;
        assert!(page.text().contains(&format!(">{word}<")), "{language}: {}", page.text());
    }
}

#[tokio::test]
async fn names_that_look_alike_get_tags_and_others_none() {
    let app = TestApp::start();
    let people = [app.guest("Mina").await, app.guest("하늘").await, app.guest("ＭＩＮＡ").await];
    let made = people[0].post("/matches", json!({ "game": "perudo", "seats": 4 })).await.is(201);
    let path = format!("/matches/{}", made["id"].as_str().expect("it has an id"));
    for person in &people {
        person.post(&format!("{path}/seats"), json!({})).await.is(201);
    }
    let seats = people[0].get(&path).await.is(200)["seats"].clone();
    let tag = |seat: usize| seats[seat]["tag"].as_str();
    let end = |person: &Visitor| person.id()[32..].to_uppercase();
    assert_eq!(tag(0), Some(end(&people[0]).as_str()));
    assert_eq!(tag(2), Some(end(&people[2]).as_str()));
    assert_eq!((tag(1), tag(3)), (None, None));
    let page = app.owner_at_pages().await.open(&path.replace("/matches", "/admin/matches")).await.text();
    assert!(page.contains(&format!("Mina #{}", end(&people[0]))), "{page}");
}

#[tokio::test]
async fn a_password_is_changed_at_the_pages_of_players_and_of_staff() {
    let app = TestApp::start();
    let guest = app.anybody();
    let page = guest.open("/me").await;
    assert_eq!(page.status, 200);
    let (email, first) = ("mina@example.org", PASSWORD);
    let mina = register(&app, "Mina", email).await;
    let fields = [("email", email), ("password", first)];
    assert_eq!(guest.submit(&page, "/me/sign-in", &fields).await.status, 303);
    let (owner_email, owner_password) = app.owner_credentials();
    let owner = app.owner_at_pages().await;
    for (visitor, place, action, email, old) in [
        (&guest, "/me", "/me/password", email, first),
        (&owner, "/admin/account", "/admin/account/password", owner_email, owner_password),
    ] {
        let page = visitor.open(place).await;
        let new = "a table for eleven, please";
        let told = visitor.submit(&page, action, &[("current", "not this one"), ("new", new)]).await;
        assert!(told.status == 403 && told.text().contains("The password is wrong"), "{}", told.text());
        let told = visitor.submit(&page, action, &[("current", old), ("new", "password")]).await;
        assert!(told.status == 422 && told.text().contains("role=\"alert\""), "{}", told.text());
        assert_eq!(visitor.submit(&page, action, &[("current", old), ("new", new)]).await.status, 303);
        assert!(visitor.open(place).await.text().contains("Every other device is signed out"));
        let sign_in = |password: &str| json!({ "email": email, "password": password });
        app.anybody().post("/auth/login", sign_in(old)).await.problem(401, "wrong_credentials");
        app.anybody().post("/auth/login", sign_in(new)).await.is(200);
    }
    is_stopped(&mina).await;
}
