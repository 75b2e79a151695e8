//! People who work here: invited, given roles and new passwords, let go; and their second factor.

use std::time::{SystemTime, UNIX_EPOCH};

use harness::{Answer, Browser, TestApp, Visitor, eventually, program, run};
use hmac::{Hmac, KeyInit, Mac};
use reqwest::Method;
use serde_json::{Value, json};
use sha1::Sha1;

const PASSWORD: &str = "correct horse battery";

/// Invites somebody by the API and has them come in: the invited person at the pages, and their account's email.
pub(crate) async fn hire(app: &TestApp, by: &Visitor, name: &str, role: &str) -> Visitor {
    let email = format!("{name}@house-rules.test");
    let link = by.post("/staff/invitations", json!({ "email": email, "role": role })).await.is(201);
    let invited = app.anybody();
    let joined = join(&invited, link["url"].as_str().expect("it has one"), name).await;
    assert_eq!((joined.status, joined.header("location")), (303, "/admin"), "{}", joined.text());
    invited
}

async fn join(visitor: &Visitor, url: &str, name: &str) -> Answer {
    let path = &url[url.find("/admin/welcome").expect("it leads there")..];
    let token = path.split_once("token=").expect("it has one").1;
    let page = visitor.open(path).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let fields = [("token", token), ("display_name", name), ("password", PASSWORD)];
    visitor.submit(&page, "/admin/welcome", &fields).await
}

fn credentials(name: &str) -> Value {
    json!({ "email": format!("{name}@house-rules.test"), "password": PASSWORD })
}

async fn log_in(app: &TestApp, name: &str) -> Visitor {
    app.anybody().sign_in("/auth/login", credentials(name), 200).await
}

async fn id_of(by: &Visitor, name: &str) -> String {
    let list = by.get("/staff").await.is(200);
    let found = list["items"].as_array().expect("it is a list").iter().find(|it| it["display_name"] == name).cloned();
    found.unwrap_or_else(|| panic!("{name} is not in {list}"))["id"].as_str().expect("it has one").to_owned()
}

#[tokio::test]
async fn a_manager_of_staff_gives_them_another_name() {
    let app = TestApp::start();
    let owner = app.owner().await;
    hire(&app, &owner, "mina", "staff").await;
    hire(&app, &owner, "noor", "staff").await;
    let (mina, noor) = (log_in(&app, "mina").await, id_of(&owner, "noor").await);
    for id in [owner.id(), &noor] {
        let renamed = mina.patch(&format!("/players/{id}"), json!({ "display_name": "Nobody" })).await;
        renamed.problem(403, "forbidden");
    }
    for (by, id) in [(&mina, mina.id()), (&owner, &noor)] {
        by.patch(&format!("/players/{id}"), json!({ "display_name": "Somebody" })).await.is(200);
    }
}

#[tokio::test]
async fn what_they_do_with_their_own_account_is_on_record() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let at_pages = hire(&app, &owner, "mina", "staff").await;
    let mina = log_in(&app, "mina").await;
    mina.patch("/auth/me", json!({ "display_name": "Mina" })).await.is(200);
    let account = at_pages.open("/admin/account").await;
    assert_eq!(at_pages.submit(&account, "/admin/account/sessions/end", &[]).await.status, 303);
    let mina = log_in(&app, "mina").await;
    let news = json!({ "current": PASSWORD, "new": "another horse battery" });
    mina.post("/auth/password", news).await.is(204);
    mina.post("/auth/logout-everywhere", json!({})).await.is(204);
    let guest = app.guest("Zoe").await;
    guest.patch("/auth/me", json!({ "display_name": "Zoé" })).await.is(200);
    guest.post("/auth/logout-everywhere", json!({})).await.is(204);
    let told = |id: &str| {
        let id = id.to_owned();
        app.database().with(move |client| {
            let lines = client.query("SELECT action FROM audit_log WHERE actor::text = $1 ORDER BY at, id", &[&id]);
            let lines = lines.expect("it answers");
            lines.iter().map(|line| line.get(0)).collect::<Vec<String>>()
        })
    };
    let own = [
        "staff.join",
        "door.sign_in",
        "player.rename",
        "staff.sign_out",
        "door.sign_in",
        "staff.password",
        "staff.sign_out",
    ];
    assert_eq!(told(mina.id()), own);
    assert_eq!(told(guest.id()), [""; 0]);
}

#[tokio::test]
async fn an_invitation_is_good_once_and_makes_a_member_of_staff() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let link =
        owner.post("/staff/invitations", json!({ "email": "mina@house-rules.test", "role": "staff" })).await.is(201);
    let url = link["url"].as_str().expect("it has one").to_owned();
    let stored = app.database().with(|client| {
        client
            .query("SELECT FROM staff_links WHERE position($1 in encode(token_hash, 'escape')) > 0", &[&url])
            .expect("it answers")
            .len()
    });
    assert_eq!(stored, 0);
    assert_eq!(owner.get("/staff/invitations").await.is(200)["items"][0]["email"], "mina@house-rules.test");
    let short = app.anybody();
    let path = &url[url.find("/admin").expect("it leads there")..];
    let page = short.open(path).await;
    let token = path.split_once("token=").expect("it has one").1;
    let fields = [("token", token), ("display_name", ""), ("password", "short")];
    let refused = short.submit(&page, "/admin/welcome", &fields).await;
    assert_eq!(refused.status, 422);
    assert_eq!(refused.text().matches("aria-invalid").count(), 2);
    let mina = app.anybody();
    assert_eq!(join(&mina, &url, "mina").await.status, 303);
    assert_eq!(mina.open("/admin").await.status, 200);
    assert_eq!(mina.open("/admin/staff").await.status, 403);
    assert_eq!(app.anybody().open(path).await.status, 404);
    let again = app.anybody().submit(&page, "/admin/welcome", &fields).await;
    assert!((400..500).contains(&again.status), "{}", again.status);
    owner
        .post("/staff/invitations", json!({ "email": "mina@house-rules.test", "role": "staff" }))
        .await
        .problem(409, "email_taken");
    let audit = owner.get("/audit").await.is(200);
    let told: Vec<_> =
        audit["items"].as_array().expect("it is a list").iter().map(|line| line["action"].clone()).collect();
    assert!(told.contains(&json!("staff.invite")) && told.contains(&json!("staff.join")), "{told:?}");
    assert!(!audit.to_string().contains(token));
}

#[tokio::test]
async fn a_withdrawn_or_late_invitation_is_good_no_more() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let invite = async |email: &str| {
        let link = owner.post("/staff/invitations", json!({ "email": email, "role": "staff" })).await.is(201);
        let url = link["url"].as_str().expect("it has one");
        url[url.find("/admin").expect("it leads there")..].to_owned()
    };
    let (first, second) = (invite("a@house-rules.test").await, invite("a@house-rules.test").await);
    assert_eq!(app.anybody().open(&first).await.status, 404);
    assert_eq!(app.anybody().open(&second).await.status, 200);
    let id = owner.get("/staff/invitations").await.is(200)["items"][0]["id"].as_str().expect("it has one").to_owned();
    owner.delete(&format!("/staff/invitations/{id}")).await.is(204);
    let again = owner.api(Method::DELETE, &format!("/staff/invitations/{id}")).header("accept-language", "en");
    let gone = Answer::of(again).await.problem(404, "staff_link_invalid");
    assert_eq!(gone["detail"], "This invitation is gone already.");
    assert_eq!(app.anybody().open(&second).await.status, 404);
    let late = invite("b@house-rules.test").await;
    app.database().with(|client| {
        let past =
            "UPDATE staff_links SET created_at = now() - interval '4 days', expires_at = now() - interval '1 second'";
        client.batch_execute(past).expect("it is changed");
    });
    assert_eq!(app.anybody().open(&late).await.status, 404);
}

#[tokio::test]
async fn nobody_deals_with_their_own_height_but_owners() {
    let app = TestApp::start();
    let owner = app.owner().await;
    for (name, role) in [("mina", "manager"), ("juan", "manager"), ("sky", "staff")] {
        hire(&app, &owner, name, role).await;
    }
    let (mina, sky) = (log_in(&app, "mina").await, log_in(&app, "sky").await);
    let (juan, sky_id, boss) = (id_of(&owner, "juan").await, id_of(&owner, "sky").await, id_of(&owner, "owner").await);
    for (who, id, role) in
        [(&mina, &juan, "staff"), (&mina, &sky_id, "manager"), (&mina, &boss, "player"), (&sky, &juan, "staff")]
    {
        who.patch(&format!("/staff/{id}"), json!({ "role": role })).await.problem(403, "forbidden");
    }
    mina.post("/staff/invitations", json!({ "email": "x@house-rules.test", "role": "manager" }))
        .await
        .problem(403, "forbidden");
    for (method, path) in
        [(Method::POST, "password-link"), (Method::DELETE, "sessions"), (Method::DELETE, "second-factor")]
    {
        let asked = Answer::of(mina.api(method.clone(), &format!("/staff/{juan}/{path}"))).await;
        asked.problem(403, "forbidden");
    }
    sky.get("/staff").await.problem(403, "forbidden");
    mina.patch(&format!("/staff/{sky_id}"), json!({ "role": "player" })).await.is(204);
    let ended = eventually("the end of a session", async || {
        let answer = sky.get("/auth/me").await;
        (answer.status == 401).then_some(answer)
    });
    ended.await.problem(401, "session_ended");
    mina.patch(&format!("/staff/{sky_id}"), json!({ "role": "staff" })).await.problem(404, "staff_not_found");
    owner.patch(&format!("/staff/{juan}"), json!({ "role": "staff" })).await.is(204);
}

#[tokio::test]
async fn all_owners_are_told_who_became_a_manager_or_an_owner() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let noor = hire(&app, &owner, "noor", "owner").await;
    let mina = hire(&app, &owner, "mina", "manager").await;
    let jimena = hire(&app, &owner, "jimena", "staff").await;
    let told = async |reader: &Visitor, name: &str| reader.open("/admin").await.text().contains(name);
    assert!(told(&noor, "mina").await && !told(&noor, "jimena").await, "the manager, not the member of staff");
    assert!(told(&app.owner_at_pages().await, "noor").await);
    assert!(!told(&mina, "noor").await && !told(&jimena, "mina").await, "only owners are told");
    let id = id_of(&owner, "jimena").await;
    owner.patch(&format!("/staff/{id}"), json!({ "role": "owner" })).await.is(204);
    assert!(told(&noor, "jimena").await);
    // Until a week is over.
    app.database().with(|client| {
        let age = "ALTER TABLE audit_log DISABLE TRIGGER USER; UPDATE audit_log SET at = at - interval '8 days';
                   ALTER TABLE audit_log ENABLE TRIGGER USER";
        client.batch_execute(age).expect("they age");
    });
    assert!(!told(&noor, "mina").await && !told(&noor, "jimena").await);
}

#[tokio::test]
async fn there_is_always_an_owner() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let boss = id_of(&owner, "owner").await;
    owner.patch(&format!("/staff/{boss}"), json!({ "role": "manager" })).await.problem(409, "last_owner");
    for round in 0..5 {
        let name = format!("o{round}");
        hire(&app, &owner, &name, "owner").await;
        let other = log_in(&app, &name).await;
        let id = id_of(&owner, &name).await;
        // Each demotes the other, at once.
        let (theirs, ours) = (format!("/staff/{id}"), format!("/staff/{boss}"));
        let lower = || json!({ "role": "staff" });
        let (one, two) = tokio::join!(owner.patch(&theirs, lower()), other.patch(&ours, lower()));
        let done = [one.status, two.status].iter().filter(|status| **status == 204).count();
        assert_eq!(done, 1, "{} {}", one.text(), two.text());
        let count: i64 = app.database().with(|client| {
            client.query_one("SELECT count(*) FROM players WHERE role = 'owner'", &[]).expect("it answers").get(0)
        });
        assert_eq!(count, 1);
        if two.status == 204 {
            other.patch(&format!("/staff/{boss}"), json!({ "role": "owner" })).await.is(204);
            owner.patch(&format!("/staff/{id}"), json!({ "role": "staff" })).await.is(204);
        }
    }
}

#[tokio::test]
async fn a_password_is_given_by_a_link() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let old = hire(&app, &owner, "mina", "staff").await;
    let id = id_of(&owner, "mina").await;
    let link = owner.post(&format!("/staff/{id}/password-link"), json!({})).await.is(201);
    let url = link["url"].as_str().expect("it has one");
    let path = &url[url.find("/admin").expect("it leads there")..];
    let token = path.split_once("token=").expect("it has one").1;
    let visitor = app.anybody();
    let page = visitor.open(path).await;
    assert!(!page.text().contains("display_name"));
    let taken =
        visitor.submit(&page, "/admin/welcome", &[("token", token), ("password", "another long password")]).await;
    assert_eq!((taken.status, taken.header("location")), (303, "/admin/sign-in"));
    assert_eq!(old.open("/admin").await.status, 401);
    app.anybody().post("/auth/login", credentials("mina")).await.problem(401, "wrong_credentials");
    let new = json!({ "email": "mina@house-rules.test", "password": "another long password" });
    app.anybody().post("/auth/login", new).await.is(200);
    assert_eq!(app.anybody().open(path).await.status, 404);
}

#[tokio::test]
async fn links_end_with_the_right_to_make_them() {
    let app = TestApp::start();
    let owner = app.owner().await;
    hire(&app, &owner, "mina", "manager").await;
    let mina = id_of(&owner, "mina").await;
    for (name, role) in [("noor", "player"), ("zoe", "manager"), ("max", "unseen")] {
        hire(&app, &owner, name, "owner").await;
        let (second, id) = (log_in(&app, name).await, id_of(&owner, name).await);
        let backdoor = json!({ "email": format!("backdoor-{name}@house-rules.test"), "role": "owner" });
        let invited = second.post("/staff/invitations", backdoor).await.is(201);
        let password = second.post(&format!("/staff/{mina}/password-link"), json!({})).await.is(201);
        let path = |link: &Value| {
            let url = link["url"].as_str().expect("it has one");
            url[url.find("/admin").expect("it leads there")..].to_owned()
        };
        let links = [path(&invited), path(&password)];
        for link in &links {
            assert_eq!(app.anybody().open(link).await.status, 200);
        }
        if role == "unseen" {
            // However it came about: a link is worth what its maker may do when it is used.
            let demote = format!("UPDATE players SET role = 'staff' WHERE id = '{id}'");
            app.database().with(|client| client.batch_execute(&demote)).expect("there is such an account");
        } else {
            owner.patch(&format!("/staff/{id}"), json!({ "role": role })).await.is(204);
        }
        for link in &links {
            assert_eq!(app.anybody().open(link).await.status, 404, "{role}: {link}");
        }
    }
}

pub(crate) fn unbase32(text: &str) -> Vec<u8> {
    let digits = text
        .bytes()
        .map(|it| "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".bytes().position(|known| known == it).expect("it is base32"));
    let bits: Vec<u8> = digits.flat_map(|digit| (0..5).rev().map(move |bit| (digit >> bit & 1) as u8)).collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit)).collect()
}

/// As an app shows it, so many steps from now.
pub(crate) fn code(secret: &[u8], ahead: i64) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("it is after 1970").as_secs() as i64;
    let step = now / 30 + ahead;
    let mac = <Hmac<Sha1> as KeyInit>::new_from_slice(secret)
        .expect("any key will do")
        .chain_update(step.to_be_bytes())
        .finalize()
        .into_bytes();
    let offset = usize::from(mac[19] & 0xf);
    let word = mac[offset..offset + 4].iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
    format!("{:06}", (word & 0x7fff_ffff) % 1_000_000)
}

/// The key that an app is to have, from the page that shows it.
pub(crate) fn key_on(page: &Answer) -> Vec<u8> {
    let page = page.text();
    let typed = page.split("type this key: <span class=\"code\">").nth(1).and_then(|rest| rest.split('<').next());
    unbase32(&typed.unwrap_or_else(|| panic!("it is not shown: {page}")).replace(' ', ""))
}

/// Turns it on: the secret and the recovery codes.
pub(crate) async fn enrol(staff: &Visitor, password: &str) -> (Vec<u8>, Vec<String>) {
    let account = staff.open("/admin/account").await;
    let page = staff.submit(&account, "/admin/account/second-factor/begin", &[]).await;
    let text = page.text();
    assert!(text.contains("<svg"), "{text}");
    let typed = text
        .split("type this key: <span class=\"code\">")
        .nth(1)
        .and_then(|rest| rest.split('<').next())
        .expect("it is shown");
    let secret = unbase32(&typed.replace(' ', ""));
    let turn_on = async |password: &str, code: &str| {
        staff.submit(&page, "/admin/account/second-factor", &[("password", password), ("code", code)]).await
    };
    assert_eq!(turn_on("not this one", &code(&secret, 0)).await.status, 422);
    let wrong = turn_on(password, "000000").await;
    assert_eq!(wrong.status, 422);
    assert!(wrong.text().contains(typed), "another secret after a wrong code");
    let on = turn_on(password, &code(&secret, 0)).await;
    assert_eq!(on.status, 200, "{}", on.text());
    let codes = on
        .text()
        .split("<li class=\"code\">")
        .skip(1)
        .map(|rest| rest.split('<').next().unwrap_or_default().to_owned())
        .collect::<Vec<_>>();
    assert_eq!(codes.len(), 10);
    (secret, codes)
}

pub(crate) fn login_with(app: &TestApp, code: &str) -> Value {
    let (email, password) = app.owner_credentials();
    json!({ "email": email, "password": password, "code": code })
}

#[tokio::test]
async fn who_began_a_second_factor_earlier_does_not_know_its_secret() {
    let app = TestApp::start();
    let (owner, password) = (app.owner_at_pages().await, app.owner_credentials().1);
    let account = owner.open("/admin/account").await;
    let begin = async || owner.submit(&account, "/admin/account/second-factor/begin", &[]).await;
    let turn_on = async |code: &str| {
        owner.submit(&account, "/admin/account/second-factor", &[("password", password), ("code", code)]).await
    };
    let seen = key_on(&begin().await);
    let secret = key_on(&begin().await);
    assert_ne!(seen, secret);
    let wrong = turn_on(&code(&seen, 0)).await;
    assert_eq!((wrong.status, key_on(&wrong)), (422, secret.clone()));
    assert_eq!(turn_on(&code(&secret, 0)).await.status, 200);
    assert_eq!(begin().await.status, 409);
}

#[tokio::test]
async fn a_second_factor_is_asked_for_and_each_code_is_good_once() {
    let app = TestApp::start();
    let at_pages = app.owner_at_pages().await;
    let (secret, recovery) = enrol(&at_pages, app.owner_credentials().1).await;
    let sealed: Vec<u8> = app
        .database()
        .with(|client| client.query_one("SELECT secret FROM second_factors", &[]).expect("it answers").get(0));
    assert!(!sealed.windows(secret.len()).any(|part| part == secret));
    let (email, password) = app.owner_credentials();
    app.anybody()
        .post("/auth/login", json!({ "email": email, "password": password }))
        .await
        .problem(401, "second_factor_required");
    app.anybody()
        .post("/auth/login", json!({ "email": email, "password": "not this one", "code": code(&secret, 1) }))
        .await
        .problem(401, "wrong_credentials");
    // The one before is used up.
    let now = code(&secret, 1);
    app.anybody().post("/auth/login", login_with(&app, &now)).await.is(200);
    app.anybody().post("/auth/login", login_with(&app, &now)).await.problem(401, "wrong_code");
    app.anybody().post("/auth/login", login_with(&app, &code(&secret, -1))).await.problem(401, "wrong_code");

    let visitor = app.anybody();
    let asked = visitor.sign_in_at_page((email, password)).await;
    assert_eq!(asked.status, 200, "{}", asked.text());
    assert_eq!(visitor.open("/admin").await.status, 401);
    let ticket = asked
        .text()
        .split("name=\"ticket\" value=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .expect("it is there")
        .to_owned();
    let answer = async |visitor: &Visitor, code: &str, ticket: &str| {
        visitor
            .submit(&asked, "/admin/sign-in/code", &[("ticket", ticket), ("code", code), ("next", "/admin/tables")])
            .await
    };
    assert_eq!(answer(&visitor, "123456", &ticket).await.status, 401);
    assert_eq!(answer(&visitor, &recovery[0], "forged").await.status, 401);
    app.anybody().bearing(Some(&ticket)).get("/auth/me").await.problem(401, "invalid_token");
    let spaced = recovery[0]
        .to_uppercase()
        .chars()
        .collect::<Vec<_>>()
        .chunks(4)
        .map(|four| four.iter().collect::<String>())
        .collect::<Vec<_>>()
        .join(" ");
    let came = answer(&visitor, &spaced, &ticket).await;
    assert_eq!((came.status, came.header("location")), (303, "/admin/tables"), "{}", came.text());
    assert_eq!(visitor.open("/admin").await.status, 200);
    app.anybody().post("/auth/login", login_with(&app, &recovery[0])).await.problem(401, "wrong_code");
    app.anybody().post("/auth/login", login_with(&app, &recovery[1])).await.is(200);
}

#[tokio::test]
async fn a_ticket_dies_with_the_password_that_it_stands_for() {
    let app = TestApp::start();
    let (_, recovery) = enrol(&app.owner_at_pages().await, app.owner_credentials().1).await;
    let visitor = app.anybody();
    let asked = visitor.sign_in_at_page(app.owner_credentials()).await;
    let text = asked.text();
    let ticket = text.split("name=\"ticket\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    let owner = app.anybody().sign_in("/auth/login", login_with(&app, &recovery[0]), 200).await;
    let news = json!({ "current": app.owner_credentials().1, "new": "another horse battery" });
    owner.post("/auth/password", news).await.is(204);
    let fields = [("ticket", ticket.expect("it is there")), ("code", recovery[1].as_str()), ("next", "/admin")];
    assert_eq!(visitor.submit(&asked, "/admin/sign-in/code", &fields).await.status, 401);
    assert_eq!(visitor.open("/admin").await.status, 401);
}

#[tokio::test]
async fn staff_need_a_password_of_twelve_characters_that_nobody_guesses_first() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let link = owner.post("/staff/invitations", json!({ "email": "mina@house-rules.test", "role": "staff" })).await;
    let url = link.is(201)["url"].as_str().expect("it has one").to_owned();
    let path = &url[url.find("/admin/welcome").expect("it leads there")..];
    let token = path.split_once("token=").expect("it has one").1;
    let invited = app.anybody();
    let page = invited.open(path).await;
    for password in ["eleven char", "qwerty123456", "mina mina mina", "mina@house-rules.test"] {
        let fields = [("token", token), ("display_name", "mina mina mina"), ("password", password)];
        assert_eq!(invited.submit(&page, "/admin/welcome", &fields).await.status, 422, "{password}");
    }
    assert_eq!(join(&invited, &url, "mina").await.status, 303);
    let change = json!({ "current": PASSWORD, "new": "eleven char" });
    let refused = log_in(&app, "mina").await.post("/auth/password", change).await.problem(422, "invalid_fields");
    assert_eq!(
        (&refused["errors"][0]["pointer"], &refused["errors"][0]["code"]),
        (&json!("/new"), &json!("too_short"))
    );
}

#[tokio::test]
async fn guessing_is_stopped_for_everybody() {
    let app = TestApp::start();
    let (_, recovery) = enrol(&app.owner_at_pages().await, app.owner_credentials().1).await;
    for _ in 0..5 {
        app.anybody().post("/auth/login", login_with(&app, "000000")).await.problem(401, "wrong_code");
    }
    let waits = app.anybody().post("/auth/login", login_with(&app, &recovery[0])).await;
    waits.problem(429, "too_many_requests");
    assert!(!waits.header("retry-after").is_empty());
    app.database().with(|client| {
        client
            .batch_execute("UPDATE second_factors SET last_failed_at = last_failed_at - interval '5 minutes'")
            .expect("it is changed");
    });
    app.anybody().post("/auth/login", login_with(&app, &recovery[0])).await.is(200);
}

#[tokio::test]
async fn a_lost_phone_is_helped_by_an_owner_and_the_last_owner_by_the_command() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mina = hire(&app, &owner, "mina", "manager").await;
    enrol(&mina, PASSWORD).await;
    app.anybody().post("/auth/login", credentials("mina")).await.problem(401, "second_factor_required");
    owner.delete(&format!("/staff/{}/second-factor", id_of(&owner, "mina").await)).await.is(204);
    app.anybody().post("/auth/login", credentials("mina")).await.is(200);
    enrol(&app.owner_at_pages().await, app.owner_credentials().1).await;
    let mut command = std::process::Command::new(program("houserules"));
    command
        .args(["staff", "reset-second-factor", "--email", app.owner_credentials().0])
        .env("DATABASE_URL", app.database().url());
    assert!(run(&mut command).well().contains("removed"));
    app.owner().await;
}

#[tokio::test]
async fn who_no_longer_works_here_is_asked_for_no_second_factor() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let id = async |name: &str| {
        hire(&app, &owner, name, "manager").await;
        id_of(&owner, name).await
    };
    let (mina, noor) = (id("mina").await, id("noor").await);
    let desk = app.anybody();
    assert_eq!(desk.sign_in_at_page(("mina@house-rules.test", PASSWORD)).await.status, 303);
    enrol(&desk, PASSWORD).await;
    owner.patch(&format!("/staff/{mina}"), json!({ "role": "staff" })).await.is(204);
    app.anybody().post("/auth/login", credentials("mina")).await.problem(401, "second_factor_required");
    for (id, had) in [(&mina, true), (&noor, false)] {
        owner.patch(&format!("/staff/{id}"), json!({ "role": "player" })).await.is(204);
        let lines = owner.get("/audit?action=staff.remove").await.is(200);
        assert_eq!(lines["items"][0]["details"]["second_factor"], had, "{lines}");
    }
    app.anybody().post("/auth/login", credentials("mina")).await.is(200);
}

#[tokio::test]
async fn an_account_of_staff_that_goes_leaves_no_second_factor_and_no_link() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let (secret, _) = enrol(&hire(&app, &owner, "mina", "manager").await, PASSWORD).await;
    let mut login = credentials("mina");
    login["code"] = json!(code(&secret, 1));
    let mina = app.anybody().sign_in("/auth/login", login, 200).await;
    mina.post("/staff/invitations", json!({ "email": "noor@house-rules.test", "role": "staff" })).await.is(201);
    let gone = mina.api(Method::DELETE, "/auth/me").json(&json!({ "password": PASSWORD }));
    Answer::of(gone).await.is(204);
    let left = "SELECT (SELECT count(*) FROM second_factors) + (SELECT count(*) FROM recovery_codes)
                + (SELECT count(*) FROM staff_links WHERE used_at IS NULL)";
    let left = app.database().with(|client| client.query_one(left, &[])).expect("it counts");
    assert_eq!(left.get::<_, i64>(0), 0);
}

#[tokio::test]
async fn the_house_may_want_one_of_managers() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mina = hire(&app, &owner, "mina", "manager").await;
    let wanted =
        json!({ "name": null, "time_zone": null, "language": null, "second_factor_required": true, "hours": [] });
    let ask = async |who: &Visitor| Answer::of(who.api(Method::PUT, "/cafe").json(&wanted)).await;
    ask(&owner).await.problem(409, "second_factor_first");
    let (_, recovery) = enrol(&app.owner_at_pages().await, app.owner_credentials().1).await;
    ask(&owner).await.problem(401, "session_ended");
    let owner = app.anybody().sign_in("/auth/login", login_with(&app, &recovery[0]), 200).await;
    ask(&owner).await.is(200);
    assert_eq!(mina.open("/admin/audit").await.status, 403);
    let floor = mina.open("/admin").await;
    assert!(floor.text().contains("Set up a second factor to do"), "{}", floor.text());
    enrol(&mina, PASSWORD).await;
    assert_eq!(mina.open("/admin/audit").await.status, 200);
}

#[tokio::test]
async fn somebody_sees_where_they_are_signed_in_and_ends_it() {
    let app = TestApp::start();
    let (here, there) = (app.owner_at_pages().await, app.owner_at_pages().await);
    let page = here.open("/admin/account").await;
    let text = page.text();
    let other =
        text.split("/admin/account/sessions/").nth(1).and_then(|rest| rest.split('/').next()).expect("it is listed");
    let ended = here.submit(&page, &format!("/admin/account/sessions/{other}/end"), &[]).await;
    assert_eq!(ended.status, 303);
    assert_eq!((here.open("/admin").await.status, there.open("/admin").await.status), (200, 401));
    let third = app.owner_at_pages().await;
    here.submit(&page, "/admin/account/sessions/end", &[]).await;
    assert_eq!((here.open("/admin").await.status, third.open("/admin").await.status), (200, 401));
}

#[tokio::test]
async fn the_counter_invites_without_javascript() {
    let app = TestApp::start();
    let browser = Browser::open_without_javascript(390, 800, "en").await;
    browser.sign_in(&app).await;
    browser.press("nav .menu > summary").await;
    browser.press("nav .menu a[href='/admin/staff']").await;
    browser.fill("aside #email", "mina@house-rules.test").await;
    browser.press("aside form button").await;
    let link = browser.find("#link").await.attr("value").await.expect("it answers").expect("it has one");
    assert_eq!(join(&app.anybody(), &link, "mina").await.status, 303);
    browser.close().await;
}

/// Which session each button of the list ends, and whose it is.
fn buttons(list: &Answer) -> Vec<(String, String)> {
    let text = list.text();
    let forms = text.split("action=\"/admin/staff/sessions/").skip(1);
    forms
        .map(|form| {
            let id = form.split_once("/end").expect("it ends one").0;
            let name =
                form.split_once("Sign out ").and_then(|(_, rest)| rest.split_once(':')).expect("it says whose").0;
            (name.to_owned(), id.to_owned())
        })
        .collect()
}

#[tokio::test]
async fn everybodys_sessions_are_in_one_list_and_each_is_ended_by_who_may() {
    const LIST: &str = "/admin/staff/sessions";
    let app = TestApp::start();
    let (api, owner) = (app.owner().await, app.owner_at_pages().await);
    let mina = hire(&app, &api, "mina", "manager").await;
    let juan = hire(&app, &api, "juan", "manager").await;
    let sky = hire(&app, &api, "sky", "staff").await;
    app.guest("Zoe").await;
    let list = owner.open(LIST).await;
    assert_eq!(list.status, 200);
    assert_eq!(list.text().matches("This device").count(), 1);
    assert!(!list.text().contains("Zoe"), "guests are no staff");
    let names = |list: &Answer| buttons(list).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    // The latest first; the owner's own other one, but not the one at which they look.
    assert_eq!(names(&list), ["sky", "juan", "mina", "owner"]);
    let seen = mina.open(LIST).await;
    assert_eq!(seen.text().matches("/admin/staff#s").count(), 5, "all are seen");
    assert_eq!(seen.text().matches("id=\"s0").count(), 1, "and no session is named that cannot be ended here");
    assert_eq!(names(&seen), ["sky"], "but not ended by those of the same height");
    let end = |list: &Answer, name: &str| {
        let id = buttons(list).into_iter().find(|it| it.0 == name).expect("they are signed in").1;
        format!("{LIST}/{id}/end")
    };
    assert_eq!(mina.submit(&seen, &end(&list, "juan"), &[]).await.status, 403);
    assert_eq!(juan.open("/admin").await.status, 200);
    assert_eq!(mina.submit(&seen, &end(&list, "sky"), &[]).await.status, 303);
    assert_eq!(sky.open("/admin").await.status, 401);
    assert_eq!(mina.submit(&seen, &end(&list, "sky"), &[]).await.status, 404);
    assert_eq!(owner.submit(&list, &end(&list, "juan"), &[]).await.status, 303);
    assert_eq!(juan.open("/admin").await.status, 401);
    let audit = api.get("/audit?action=staff.sign_out").await.is(200);
    let told = audit["items"].as_array().expect("a list").iter().map(|it| it["details"]["name"].clone());
    assert_eq!(told.collect::<Vec<_>>(), ["juan", "sky"]);
}

#[tokio::test]
async fn a_session_at_a_page_is_as_long_as_its_cookie_and_says_when_it_was_used() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let ask = |query: &str| -> bool {
        app.database().with(|client| client.query_one(query, &[]).expect("there is one").get(0))
    };
    assert!(ask("SELECT expires_at = created_at + interval '14 hours' FROM sessions"));
    app.database()
        .with(|client| client.batch_execute("UPDATE sessions SET seen_at = now() - interval '6 minutes'"))
        .expect("there is one");
    assert_eq!(owner.open("/admin/staff/sessions").await.status, 200);
    assert!(ask("SELECT seen_at > now() - interval '1 minute' FROM sessions"));
    // More than fit on a page are found on the next.
    let more = "INSERT INTO sessions (id, player_id, refresh_hash, created_at, expires_at, user_agent, seen_at)
        SELECT gen_random_uuid(), player_id, refresh_hash, created_at, expires_at, 'Firefox/140.0 (Android 15)', seen_at
        FROM sessions, generate_series(1, 60)";
    app.database().with(|client| client.batch_execute(more)).expect("they fit");
    let first = owner.open("/admin/staff/sessions").await;
    let text = first.text();
    let next = text.split_once("href=\"/admin/staff/sessions?before=").expect("there is more").1;
    let next = next.split_once('"').expect("it ends").0;
    let second = owner.open(&format!("/admin/staff/sessions?before={next}")).await.text();
    let shown = [&text, &second].map(|page| page.matches("<p>Firefox on Android").count());
    assert_eq!(shown, [50, 10]);
    assert_eq!(owner.open("/admin/staff/sessions?before=x").await.status, 400);
}

#[tokio::test]
async fn who_has_a_second_factor_is_asked_for_it_at_the_page_of_players_too() {
    let app = TestApp::start();
    let (_, recovery) = enrol(&app.owner_at_pages().await, app.owner_credentials().1).await;
    let (email, password) = app.owner_credentials();
    let visitor = app.anybody();
    let page = visitor.open("/me").await;
    assert!(!page.text().contains("name=\"code\""), "{}", page.text());
    let sign_in = [("email", email), ("password", password)];
    let asked = visitor.submit(&page, "/me/sign-in", &sign_in).await;
    assert!(asked.status == 401 && asked.text().contains("name=\"code\""), "{}", asked.text());
    let with = |code| [sign_in[0], sign_in[1], ("code", code)];
    let wrong = visitor.submit(&asked, "/me/sign-in", &with("000000")).await;
    assert!(wrong.status == 401 && wrong.text().contains("name=\"code\""), "{}", wrong.text());
    assert_eq!(visitor.submit(&wrong, "/me/sign-in", &with(&recovery[0])).await.status, 303);
    assert!(visitor.open("/me").await.text().contains(email));
}
