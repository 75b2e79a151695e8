//! Another secret takes the place of the house's: nobody is signed out, nothing is lost, and nothing is done twice.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{Answer, Launch, Ran, TestApp, Visitor, eventually, program, run, workplace};
use reqwest::Method;
use serde_json::{Value, json};

use crate::staff::{code, enrol, hire, key_on, login_with};

const KEY: &str = "7c1b1f0e-1f0c-4f7e-8d55-0a8c5b0f6d11";
const NEXT: &str = "the next secret for tests, thirty-two bytes";
const MINA: (&str, &str) = ("mina@house-rules.test", "correct horse battery");
const PLAYER: (&str, &str) = ("haneul@example.org", "a password of a player");

fn text(path: &Path) -> &str {
    path.to_str().expect("it is text")
}

/// As an operator does who gives the secret by the environment.
fn replace_secret(app: &mut TestApp) {
    let before = app.secret();
    app.restart_with(|launch| launch.set("HOUSERULES_SECRET", NEXT).set("HOUSERULES_PREVIOUS_SECRET", before));
}

/// The command with the database of this house and the secret of this directory.
fn houserules(app: &TestApp, data: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new(program("houserules"));
    command.args(arguments).arg("--data").arg(data).env("DATABASE_URL", app.database().url());
    run(command.env_remove("HOUSERULES_SECRET").env_remove("HOUSERULES_PREVIOUS_SECRET"))
}

fn restore(file: &Path, secrets: &[(&str, PathBuf)]) -> Ran {
    let data = workplace().folder("restored");
    for (name, from) in secrets {
        fs::copy(from, data.join(name)).expect("the house has one");
    }
    let mut command = Command::new(program("houserules"));
    command.arg("restore").arg(file).arg("--data").arg(&data).env_remove("DATABASE_URL");
    run(command.env_remove("HOUSERULES_SECRET").env_remove("HOUSERULES_PREVIOUS_SECRET"))
}

async fn post_match(guest: &Visitor, body: &Value) -> Answer {
    Answer::of(guest.api(Method::POST, "/matches").header("idempotency-key", KEY).json(body)).await
}

async fn player_at_pages(app: &TestApp) -> Visitor {
    let (email, password) = PLAYER;
    let new = json!({ "email": email, "password": password, "display_name": "하늘" });
    app.anybody().post("/auth/register", new).await.is(201);
    let visitor = app.anybody();
    let page = visitor.open("/me").await;
    let came = visitor.submit(&page, "/me/sign-in", &[("email", email), ("password", password)]).await;
    assert_eq!(came.status, 303, "{}", came.text());
    visitor
}

async fn is_at_pages(player: &Visitor) -> bool {
    player.open("/me").await.text().contains("하늘")
}

/// Of the form that asks for a code.
fn ticket_of(page: &Answer) -> String {
    let text = page.text();
    let ticket = text.split("name=\"ticket\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    ticket.unwrap_or_else(|| panic!("no code is asked for: {text}")).to_owned()
}

async fn answer_ticket(visitor: &Visitor, asked: &Answer, ticket: &str, code: &str) -> u16 {
    let fields = [("ticket", ticket), ("code", code), ("next", "/admin")];
    visitor.submit(asked, "/admin/sign-in/code", &fields).await.status
}

/// Whether the last sign-in of staff was on a new device.
fn was_new_device(app: &TestApp) -> bool {
    let last =
        "SELECT (details->>'new_device')::bool FROM audit_log WHERE action = 'door.sign_in' ORDER BY id DESC LIMIT 1";
    app.database().with(|client| client.query_one(last, &[])).expect("somebody signed in").get(0)
}

/// The key that her app is to have, before she confirms it.
async fn drawn(staff: &Visitor) -> Vec<u8> {
    let account = staff.open("/admin/account").await;
    key_on(&staff.submit(&account, "/admin/account/second-factor/begin", &[]).await)
}

/// The same key, which is shown again after a wrong code.
async fn drawn_before(staff: &Visitor) -> Vec<u8> {
    let account = staff.open("/admin/account").await;
    let fields = [("password", MINA.1), ("code", "000000")];
    let again = staff.submit(&account, "/admin/account/second-factor", &fields).await;
    assert_eq!(again.status, 422, "{}", again.text());
    key_on(&again)
}

fn header_of(visitor: &Visitor) -> &str {
    visitor.token().split('.').next().expect("a token has three parts")
}

#[tokio::test]
async fn a_rotated_secret_signs_nobody_out_and_can_be_forgotten() {
    let data = workplace().folder("secret");
    let kept = |launch: Launch| launch.unset("HOUSERULES_SECRET").set("HOUSERULES_DATA", text(&data));
    let mut app = TestApp::start_with(kept);
    let owner = app.owner_at_pages().await;
    let (second, recovery) = enrol(&owner, app.owner_credentials().1).await;
    let by_api = app.anybody().sign_in("/auth/login", login_with(&app, &recovery[0]), 200).await;
    let mina = hire(&app, &by_api, "mina", "staff").await;
    let unconfirmed = drawn(&mina).await;
    let (player, guest) = (player_at_pages(&app).await, app.guest("지우").await);
    let new = json!({ "game": "perudo", "seats": 2 });
    let first = post_match(&guest, &new).await;
    first.is(201);
    let counter = app.anybody();
    let asked = counter.sign_in_at_page(app.owner_credentials()).await;
    let ticket = ticket_of(&asked);
    let backup = workplace().folder("backup").join("house.backup");
    houserules(&app, &data, &["backup", text(&backup)]).well();
    let confirmed = "SELECT secret FROM second_factors WHERE confirmed_at IS NOT NULL";
    let sealed: Vec<u8> = app.database().with(|client| client.query_one(confirmed, &[])).expect("there is one").get(0);

    let said = houserules(&app, &data, &["secret", "rotate"]).well();
    let (current, previous) = (data.join("secret"), data.join("secret.previous"));
    let secrets = [&current, &previous].map(|path| fs::read_to_string(path).expect("it is there"));
    assert!(said.contains("stop all servers") && !secrets.iter().any(|secret| said.contains(secret)), "{said}");
    assert_eq!([&current, &previous].map(|path| fs::metadata(path).expect("it is there").mode() & 0o777), [0o600; 2]);
    let again = houserules(&app, &data, &["secret", "rotate"]);
    assert!(again.status == Some(1) && again.complained.contains("secret forget"), "{again:?}");
    assert_eq!(fs::read_to_string(&current).expect("it is there"), secrets[0]);
    // The server has not started with it yet.
    for early in [["secret", "forget", "--now"], ["secret", "rotate", "--forget-previous"]] {
        let refused = houserules(&app, &data, &early);
        assert!(refused.status == Some(1) && refused.complained.contains("2 second factors"), "{refused:?}");
    }

    app.kill_and_replace();
    let url = app.url().to_owned();
    assert!(app.server().log().contains("sealed second factors with the current secret moved=2 lost=0"));
    let (owner, player, guest, mina) = (owner.at(&url), player.at(&url), guest.at(&url), mina.at(&url));
    let metrics = app.anybody().get_page("/metrics").await.text();
    assert!(metrics.contains("secret_previous_known 1") && metrics.contains("secret_changed_timestamp_seconds "));
    assert_eq!(owner.open("/admin").await.status, 200);
    assert!(is_at_pages(&player).await);
    guest.get("/auth/me").await.is(200);
    let replayed = post_match(&guest, &new).await;
    assert_eq!((replayed.status, &replayed.body), (201, &first.body));
    post_match(&guest, &json!({ "game": "perudo", "seats": 3 })).await.problem(422, "idempotency_key_reused");
    let matches = "SELECT count(*) FROM matches";
    let made: i64 = app.database().with(|client| client.query_one(matches, &[])).expect("it counts").get(0);
    assert_eq!(made, 1);
    // However it came to be sealed with the previous secret after the start, its use seals it again. The code of this
    // moment was used when she enrolled, perhaps.
    let back = "UPDATE second_factors SET secret = $1, last_step = 0 WHERE confirmed_at IS NOT NULL";
    app.database().with(|client| client.execute(back, &[&sealed])).expect("there is one");
    assert_eq!(answer_ticket(&counter.at(&url), &asked, &ticket, &recovery[1]).await, 303);
    let asked = owner.sign_in_at_page(app.owner_credentials()).await;
    assert_eq!(answer_ticket(&owner, &asked, &ticket_of(&asked), &code(&second, 0)).await, 303);
    assert!(!was_new_device(&app), "the device cookie of before is known");
    let both = [("secret", current.clone()), ("secret.previous", previous.clone())];
    restore(&backup, &both).well();
    let later = app.guest("Zoe").await;
    assert_ne!(header_of(&guest), header_of(&later), "each token names its key");

    let waits = houserules(&app, &data, &["secret", "forget"]);
    assert!(waits.status == Some(1) && waits.complained.contains("--now"), "{waits:?}");
    houserules(&app, &data, &["secret", "forget", "--now"]).well();
    assert!(houserules(&app, &data, &["audit", "verify"]).well().contains("which the server noted"));
    assert!(!previous.exists());
    app.kill_and_replace();
    let url = app.url().to_owned();
    guest.at(&url).get("/auth/me").await.problem(401, "invalid_token");
    assert!(!is_at_pages(&player.at(&url)).await);
    assert_eq!(mina.at(&url).open("/admin").await.status, 401);
    later.at(&url).get("/auth/me").await.is(200);
    assert_eq!(owner.at(&url).open("/admin").await.status, 200);
    let refresh = json!({ "refresh_token": guest.signed_in["refresh_token"] });
    app.anybody().sign_in("/auth/refresh", refresh, 200).await.get("/auth/me").await.is(200);
    let by_api = app.anybody().sign_in("/auth/login", login_with(&app, &code(&second, 1)), 200).await;
    let mina = app.anybody();
    assert_eq!(mina.sign_in_at_page(MINA).await.status, 303);
    assert_eq!(drawn_before(&mina).await, unconfirmed);
    let alone = restore(&backup, &both[..1]);
    assert!(alone.status == Some(1) && alone.complained.contains("another house's"), "{alone:?}");
    let lines = by_api.get("/audit").await.is(200).to_string();
    assert!(lines.contains("house.secret_rotate") && lines.contains("house.secret_forget"), "{lines}");

    houserules(&app, &data, &["secret", "rotate"]).well();
    app.kill_and_replace();
    let before = fs::read_to_string(&current).expect("it is there");
    houserules(&app, &data, &["secret", "rotate", "--forget-previous"]).well();
    assert_eq!(fs::read_to_string(&previous).expect("it is there"), before);
}

#[tokio::test]
async fn the_previous_secret_is_not_forgotten_while_a_webhook_needs_it() {
    let data = workplace().folder("secret");
    let mut app = TestApp::start_with(|launch| launch.unset("HOUSERULES_SECRET").set("HOUSERULES_DATA", text(&data)));
    let new = json!({ "url": "https://example.org/house-rules", "events": ["tournament.round_published"] });
    app.owner().await.post("/webhooks", new).await.is(201);
    houserules(&app, &data, &["secret", "rotate"]).well();
    for early in [["secret", "forget", "--now"], ["secret", "rotate", "--forget-previous"]] {
        let refused = houserules(&app, &data, &early);
        assert!(refused.status == Some(1) && refused.complained.contains("of 1 webhooks"), "{refused:?}");
    }
    app.kill_and_replace();
    assert!(app.server().log().contains("sealed the secrets of webhooks with the current secret moved=1"));
    houserules(&app, &data, &["secret", "forget", "--now"]).well();
}

#[tokio::test]
async fn a_device_that_several_people_use_stays_known_for_all_of_them() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    hire(&app, &owner, "mina", "staff").await;
    let counter = app.owner_at_pages().await;
    assert_eq!(counter.sign_in_at_page(MINA).await.status, 303);
    replace_secret(&mut app);
    // One of them signs in: the cookie is written again for both.
    assert_eq!(counter.at(app.url()).sign_in_at_page(MINA).await.status, 303);
    app.restart_with(|launch| launch.unset("HOUSERULES_PREVIOUS_SECRET"));
    assert_eq!(counter.at(app.url()).sign_in_at_page(app.owner_credentials()).await.status, 303);
    assert!(!was_new_device(&app));
}

#[tokio::test]
async fn a_secret_of_the_settings_is_replaced_by_the_settings() {
    let mut app = TestApp::start();
    let guest = app.guest("지우").await;
    let new = json!({ "game": "perudo", "seats": 2 });
    let first = post_match(&guest, &new).await;
    first.is(201);
    let data = workplace().folder("nothing");
    let rotate = |secret: &str| {
        let mut command = Command::new(program("houserules"));
        command.args(["secret", "rotate", "--data", text(&data)]).env("DATABASE_URL", app.database().url());
        run(command.env("HOUSERULES_SECRET", secret))
    };
    let refused = rotate(app.secret());
    let is_told =
        refused.complained.contains("HOUSERULES_PREVIOUS_SECRET") && !refused.complained.contains(app.secret());
    assert!(refused.status == Some(1) && is_told, "{refused:?}");
    let missing = rotate("");
    assert!(missing.status == Some(1) && missing.complained.contains("no secret to replace"), "{missing:?}");
    assert_eq!(fs::read_dir(&data).expect("it is there").count(), 0);

    replace_secret(&mut app);
    let moved = guest.at(app.url());
    moved.get("/auth/me").await.is(200);
    assert_eq!(post_match(&moved, &new).await.body, first.body);
    // What was kept a day ago is forgotten under either secret.
    let age = "UPDATE idempotency_keys SET claimed_at = claimed_at - interval '25 hours'";
    app.database().with(|client| client.batch_execute(age)).expect("there are keys");
    assert_ne!(post_match(&moved, &new).await.is(201)["id"], first.json()["id"]);
    app.restart_with(|launch| launch.unset("HOUSERULES_PREVIOUS_SECRET"));
    guest.at(app.url()).get("/auth/me").await.problem(401, "invalid_token");
    app.guest("Zoe").await.get("/auth/me").await.is(200);
}

#[tokio::test]
async fn a_new_secret_gives_nobody_new_guesses() {
    let mut app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_SIGN_INS_PER_MINUTE", "10000")
    });
    let (email, _) = app.owner_credentials();
    let miss = async |app: &TestApp| {
        app.anybody().post("/auth/login", json!({ "email": email, "password": "not this one" })).await.status
    };
    for _ in 0..5 {
        assert_eq!(miss(&app).await, 401);
    }
    replace_secret(&mut app);
    // Without a new pause in between, however long the start took.
    let now = "UPDATE sign_in_attempts SET last_at = now()";
    app.database().with(|client| client.batch_execute(now)).expect("they are counted");
    assert_eq!(miss(&app).await, 429);
    let age = "UPDATE sign_in_attempts SET last_at = last_at - interval '10 seconds';
               UPDATE door_notes SET told_at = told_at - interval '2 minutes'";
    app.database().with(|client| client.batch_execute(age)).expect("they age");
    assert_eq!(miss(&app).await, 401);
    let last =
        "SELECT (details->>'times')::int FROM audit_log WHERE action = 'door.wrong_password' ORDER BY id DESC LIMIT 1";
    let times: i32 = app.database().with(|client| client.query_one(last, &[])).expect("there is a line").get(0);
    assert_eq!(times, 5, "the line counts what the previous secret counted");
}

#[tokio::test]
async fn a_backup_of_before_still_passes_the_servers_own_test() {
    let owner = ("owner@house-rules.test", "correct horse battery staple");
    let launch = Launch::new().set("HOUSERULES_OWNER_EMAIL", owner.0).set("HOUSERULES_OWNER_PASSWORD", owner.1);
    let launch = launch.set("HOUSERULES_BACKUP_EVERY", "1h").set("HOUSERULES_BACKUP_TEST_EVERY", "off");
    let done = async |url: &str, kind: &str| {
        let login = json!({ "email": owner.0, "password": owner.1 });
        let owner = Visitor::new(url).sign_in("/auth/login", login, 200).await;
        eventually("the work on backups", async || {
            let now = owner.get("/operations").await.is(200);
            let jobs = now["backup_jobs"].as_array().expect("it is a list");
            assert!(jobs.iter().all(|job| job["problem"].is_null()), "{now}");
            jobs.iter().any(|job| job["kind"] == kind && job["succeeded_at"].is_string()).then_some(())
        })
        .await;
    };
    let mut server = launch.start();
    done(server.url(), "take").await;
    let data = launch.folder().join("data");
    let mut rotate = Command::new(program("houserules"));
    rotate.args(["secret", "rotate", "--data", text(&data)]).env_remove("DATABASE_URL");
    run(&mut rotate).well();
    server.stop();
    let server = launch.set("HOUSERULES_BACKUP_TEST_EVERY", "1s").start();
    done(server.url(), "test").await;
    let kept = fs::read_dir(data.join("backups")).expect("it is there").count();
    assert_eq!(kept, 1, "the one that was tested is of before");
}

#[tokio::test]
async fn the_files_stay_with_the_user_of_the_server() {
    let launch = Launch::new().as_ordinary_user();
    let mut server = launch.start();
    let data = launch.folder().join("data");
    let user = |file: &str| fs::metadata(data.join(file)).expect("it is there").uid();
    let before = user("secret");
    // Root does this for a server that is not root's.
    let mut rotate = Command::new(program("houserules"));
    rotate.args(["secret", "rotate", "--data", text(&data)]).env_remove("DATABASE_URL").env_remove("HOUSERULES_SECRET");
    run(&mut rotate).well();
    assert_eq!([user("secret"), user("secret.previous")], [before; 2]);
    server.stop();
    assert!(launch.start().log().contains("sealed second factors with the current secret moved=0 lost=0"));
}
