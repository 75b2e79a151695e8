//! Behind a pooler that lends its connections for a transaction at a time: nothing is lost, and what would be is refused at the start.

use std::process::Command;

use harness::{Answer, Database, Launch, Party, Pooler, TestApp, eventually, program, run, workplace};
use reqwest::Method;
use serde_json::json;

use crate::idempotency;
use crate::live;
use crate::matches::record_holds;
use crate::moves;
use crate::reactions;

#[tokio::test]
async fn a_move_is_heard_through_another_process() {
    live::hear_of_a_move_elsewhere(TestApp::start_behind_pooler()).await;
}

#[tokio::test]
async fn a_reaction_is_heard_in_every_process() {
    reactions::hear_a_reaction_in_every_process(TestApp::start_behind_pooler()).await;
}

#[tokio::test]
async fn listeners_go_on_when_a_process_is_killed() {
    live::go_on_at_another_process(TestApp::start_behind_pooler()).await;
}

#[tokio::test]
async fn two_processes_agree_on_who_was_first() {
    moves::agree_on_who_was_first(TestApp::start_behind_pooler()).await;
}

#[tokio::test]
async fn a_process_refuses_nothing_that_another_has_made_possible() {
    moves::move_by_one_process_and_the_other(TestApp::start_behind_pooler()).await;
}

#[tokio::test]
async fn of_one_key_sent_many_times_one_is_done() {
    idempotency::send_one_key_many_times_at_once(TestApp::start_behind_pooler()).await;
}

#[tokio::test]
async fn what_is_acknowledged_is_durable_and_no_setting_or_lock_stays_behind() {
    let mut app = TestApp::start_behind_pooler();
    let there = app.start_another();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    for number in [0, there].into_iter().cycle() {
        party.move_to(app.url_of(number));
        if party.step().await.is_none() {
            break;
        }
    }
    record_holds(&party).await;
    let pooler = app.pooler();
    assert_eq!(pooler.ask_each("SHOW synchronous_commit"), ["on"; 3]);
    for (name, limit) in
        [("statement_timeout", "10s"), ("lock_timeout", "4s"), ("idle_in_transaction_session_timeout", "15s")]
    {
        assert_eq!(pooler.ask_each(&format!("SHOW {name}")), [limit; 3]);
    }
    assert_eq!(pooler.ask_each("SELECT count(*)::text FROM pg_listening_channels()"), ["0"; 3]);
    let locks = "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
                 WHERE locktype = 'advisory' AND datname = current_database()";
    let count =
        |what: &str| app.database().with(|client| client.query_one(what, &[]).expect("it counts").get::<_, i64>(0));
    eventually("all locks to be given back", async || (count(locks) == 0).then_some(())).await;
    // The pooler's three, and one that listens for each process.
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'server'";
    assert_eq!(count(open), 5);
}

#[tokio::test]
async fn a_match_survives_the_pooler() {
    let mut app = TestApp::start_behind_pooler();
    app.server().forgive_errors();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    for kill in 0..4_u64 {
        party.step().await.expect("it goes on");
        let (seat, seen) = party.on_turn().await.expect("it goes on");
        let version = seen["version"].as_u64().expect("a number");
        let body = json!({ "move": seen["legal_moves"][0], "version": version });
        let send = || {
            let request = party.players[seat].api(Method::POST, &party.path("/moves"));
            Answer::of(request.header("Idempotency-Key", format!("move-{kill}")).json(&body))
        };
        let sent = tokio::spawn(send());
        app.pooler().kill_and_replace();
        let first = sent.await.expect("it answers");
        assert!([200, 503].contains(&first.status), "{}", first.text());
        // Whether it counted or not: asked again, it counts once.
        let answer =
            eventually("the move to be answered", async || Some(send().await).filter(|it| it.status != 503)).await;
        assert_eq!(answer.is(200)["version"], version + 1);
        eventually("the next turn", async || (party.look().await["version"] == version + 1).then_some(())).await;
    }
    party.play_to_the_end().await;
    record_holds(&party).await;
}

#[test]
fn many_may_migrate_at_once_and_none_keeps_the_lock() {
    let database = Database::new();
    let pooler = Pooler::start(&database);
    let empty = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC";
    database.with(|client| client.batch_execute(empty)).expect("it may");
    let migrate = || {
        let mut command = Command::new(program("houserules"));
        command.arg("migrate").env("DATABASE_URL", pooler.url()).env("HOUSERULES_DIRECT_URL", database.url());
        run(command.env("DATABASE_OWNER_URL", database.owner_url())).well();
    };
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(migrate);
        }
    });
    migrate();
    let locks = "SELECT count(*) FROM pg_locks JOIN pg_database d ON d.oid = database
                 WHERE locktype = 'advisory' AND datname = current_database()";
    assert_eq!(database.with(|client| client.query_one(locks, &[]).expect("it counts").get::<_, i64>(0)), 0);
}

#[tokio::test]
async fn a_backup_is_taken_past_the_pooler() {
    let mut app = TestApp::start_behind_pooler();
    app.owner().await.post("/tables", json!({ "name": "하늘", "seats": 4 })).await.is(201);
    let file = workplace().folder("backup").join("house.backup");
    let mut command = Command::new(program("houserules"));
    command.arg("backup").arg(&file).env("DATABASE_URL", app.pooler().url()).env("HOUSERULES_SECRET", app.secret());
    let said = run(command.env("HOUSERULES_DIRECT_URL", app.database().url())).well();
    assert!(said.contains("SHA-256"), "{said}");
    assert!(app.owner().await.get("/operations").await.is(200)["last_backup"].is_object());
}

/// What a server says that does not start at this address, and past it at this one.
#[track_caller]
fn refusal(url: &str, direct: Option<&str>) -> String {
    let launch = Launch::new().set("DATABASE_URL", url).set("HOUSERULES_POOL_SIZE", "2");
    let launch = direct.map_or(launch.clone(), |direct| launch.set("HOUSERULES_DIRECT_URL", direct));
    match launch.try_start() {
        Ok(_) => panic!("it started"),
        Err(ran) => {
            assert_eq!(ran.status, Some(1), "{ran:?}");
            ran.complained
        }
    }
}

#[test]
fn a_pooler_without_an_address_past_it_is_refused() {
    let database = Database::new();
    for lines in [&[][..], &["ignore_startup_parameters = options"]] {
        let pooler = Pooler::start_with(&database, "", lines);
        let (pooled, direct) = (pooler.url(), database.url());
        for (url, past) in [(&pooled, None), (&pooled, Some(&pooled)), (&direct, Some(&pooled))] {
            let said = refusal(url, past.map(String::as_str));
            assert!(
                said.contains("PostgreSQL's own address in HOUSERULES_DIRECT_URL"),
                "{lines:?} {url} {past:?}: {said}"
            );
        }
    }
}

#[test]
fn a_pooler_that_hides_itself_is_found_by_its_connections() {
    let database = Database::new();
    // It sets what the first packet says, on whichever connection it lends.
    let tracked = "track_extra_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout";
    for lines in [&[tracked][..], &[tracked, "server_round_robin = 1"]] {
        let pooler = Pooler::start_with(&database, "", lines);
        let said = refusal(&pooler.url(), None);
        assert!(said.contains("PostgreSQL's own address in HOUSERULES_DIRECT_URL"), "{lines:?}: {said}");
    }
}

#[test]
fn a_pooler_that_loses_something_is_refused_with_what_to_do() {
    let (database, another) = (Database::new(), Database::new());
    let direct = database.url();
    let forgetful = Pooler::start_with(&database, "", &["max_prepared_statements = 0"]);
    // A second server finds what the first one left.
    for _ in 0..2 {
        let said = refusal(&forgetful.url(), Some(&direct));
        assert!(said.contains("1.21") && said.contains("max_prepared_statements = 200"), "{said}");
    }
    let unlimited = Pooler::start_with(&database, "SET statement_timeout = 9000; SET lock_timeout = 60000", &[]);
    let said = refusal(&unlimited.url(), Some(&direct));
    assert!(said.contains("without lock_timeout, idle_in_transaction_session_timeout,"), "{said}");
    assert!(said.contains("connect_query='SET statement_timeout = 10000; "), "{said}");
    let said = refusal(&unlimited.url(), Some(&another.url()));
    assert!(said.contains("two databases"), "{said}");
}

#[test]
fn a_pooler_that_lends_for_a_session_needs_to_keep_no_statements() {
    let database = Database::new();
    let limits =
        "SET statement_timeout = 10000; SET lock_timeout = 4000; SET idle_in_transaction_session_timeout = 15000";
    let lines = ["pool_mode = session", "max_prepared_statements = 0", "default_pool_size = 20"];
    let pooler = Pooler::start_with(&database, limits, &lines);
    // It resets them after each session.
    let said = refusal(&pooler.url(), Some(&database.url()));
    assert!(said.contains("ALTER ROLE"), "{said}");
    let lasting = limits.replace("SET", &format!("ALTER ROLE server IN DATABASE {} SET", database.name()));
    database.with(|client| client.batch_execute(&lasting)).expect("the superuser may");
    let pooler = Pooler::start_with(&database, "", &lines);
    let launch = Launch::new().set("DATABASE_URL", pooler.url()).set("HOUSERULES_DIRECT_URL", database.url());
    drop(launch.set("HOUSERULES_POOL_SIZE", "4").start());
}
