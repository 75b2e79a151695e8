//! The logs of matches that ended long ago are packed, and nobody who reads them notices.

use std::process::Command;

use harness::{Answer, Party, TestApp, Visitor, eventually, program, repository, run, workplace};
use postgres::error::SqlState;
use reqwest::Method;
use serde_json::{Value, json};

use crate::stats::{change, one};

fn refused(app: &TestApp, statement: &str) {
    let done = app.database().with(|client| client.batch_execute(statement));
    let code = done.as_ref().err().and_then(|err| err.code().cloned());
    assert_eq!(code, Some(SqlState::RESTRICT_VIOLATION), "{statement}: {done:?}");
}

/// As if all matches had ended so long ago. They count everywhere by then.
async fn age(app: &TestApp, days: u32) {
    eventually("every match is settled", async || {
        one::<bool>(app, "SELECT bool_and(match_is_settled(match_id)) FROM pending_archives").then_some(())
    })
    .await;
    change(
        app,
        &format!(
            "SET session_replication_role = replica;
             UPDATE matches SET finished_at = finished_at - interval '{days} days' WHERE finished_at IS NOT NULL;
             UPDATE pending_archives SET finished_at = finished_at - interval '{days} days'"
        ),
    );
}

/// Another process packs as it starts.
async fn packed(app: &mut TestApp, matches: i64) {
    app.start_another();
    eventually("logs are packed", async || {
        (one::<i64>(app, "SELECT matches FROM log_packing") == matches).then_some(())
    })
    .await;
}

/// What people can read of a match that is over.
async fn read(owner: &Visitor, player: &Visitor, party: &Party) -> Vec<Value> {
    let mut told = Vec::new();
    for rest in ["/events", "/events?after=3&limit=5", "/record", "/view"] {
        told.push(player.get(&party.path(rest)).await.is(200));
    }
    told.push(player.get("/auth/me/export").await.is(200)["matches"].clone());
    for at in ["", "?version=1", "?log=all"] {
        let page = owner.open(&format!("/admin/matches/{}{at}", party.id)).await;
        assert_eq!(page.status, 200, "{}", page.text());
        // A token is another each time.
        let lines: Vec<_> = page.html().lines().filter(|line| !line.contains("csrf")).map(str::to_owned).collect();
        told.push(json!(lines));
    }
    told
}

fn recompute(app: &TestApp, what: &str) -> String {
    run(Command::new(program("houserules")).args([what, "recompute"]).env("DATABASE_URL", app.database().url())).well()
}

#[tokio::test]
async fn nobody_who_reads_a_log_notices_that_it_was_packed() {
    let mut app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    party.play_to_the_end().await;
    let mut aborted = Party::start(&app, "liars-dice", 2, json!({})).await;
    aborted.step().await;
    app.owner().await.post(&aborted.path("/abort"), json!({})).await.is(200);
    age(&app, 31).await;
    // By the other times.
    for what in ["ratings", "stats"] {
        recompute(&app, what);
    }
    let player = &party.players[1];
    let before = [read(&owner, player, &party).await, read(&owner, &aborted.players[1], &aborted).await];
    let rows: i64 = one(&app, "SELECT count(*) FROM match_log");
    assert!(rows > 10, "{rows}");
    packed(&mut app, 2).await;
    assert_eq!(one::<i64>(&app, "SELECT count(*) FROM match_log"), 0);
    assert_eq!(one::<i64>(&app, "SELECT sum(versions) FROM match_archives"), rows);
    let after = [read(&owner, player, &party).await, read(&owner, &aborted.players[1], &aborted).await];
    assert_eq!(before, after);
    let growth = app.owner().await.get("/operations").await.is(200)["growth"].clone();
    assert!(growth["packed"] == 2 && growth["packed_at"].is_string(), "{growth}");
    assert!(growth["packed_to_bytes"].as_i64() < growth["packed_from_bytes"].as_i64(), "{growth}");
    assert!(
        growth["tables"].as_array().is_some_and(|it| it.iter().any(|table| table["name"] == "match_log")),
        "{growth}"
    );
    assert!(owner.open("/metrics").await.text().contains("log_packing_failing 0"));
    // The record still proves itself.
    let record = workplace().folder("record").join("record.json");
    std::fs::write(&record, player.get(&party.path("/record")).await.text()).expect("it can be written");
    run(Command::new(program("rules")).args(["verify"]).arg(&record)).well();
    for what in ["ratings", "stats"] {
        assert!(recompute(&app, what).contains("; 0 rows differ"), "{what}");
    }
    change(&app, "SET session_replication_role = replica; DELETE FROM player_match_stats; DELETE FROM match_analyses");
    change(&app, "INSERT INTO pending_projections SELECT id, game, finished_at FROM matches WHERE status = 'finished'");
    eventually("it is counted again", async || {
        (one::<i64>(&app, "SELECT count(*) FROM player_match_stats WHERE calls_right + calls_wrong > 0") > 0)
            .then_some(())
    })
    .await;
}

#[tokio::test]
async fn the_log_is_append_only_but_for_what_is_packed() {
    let mut app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    let partition: String = one(&app, "SELECT tableoid::regclass::text FROM match_log LIMIT 1");
    let archive = |versions: &str, sha256: &str| {
        format!("INSERT INTO match_archives SELECT match_id, {versions}, {sha256}, '' FROM match_log GROUP BY match_id")
    };
    let (versions, sha256) = ("count(*)", "sha256(convert_to(match_log_text(match_id), 'UTF8'))");
    age(&app, 3).await;
    for statement in [
        "DELETE FROM match_log".to_owned(),
        "UPDATE match_log SET version = version + 100".to_owned(),
        "TRUNCATE match_log".to_owned(),
        format!("DELETE FROM {partition}"),
        format!("UPDATE {partition} SET version = version + 100"),
        format!("TRUNCATE {partition}"),
        "SELECT match_log_forget_packed(match_id) FROM match_log WHERE version = 0".to_owned(),
        archive("count(*) - 1", sha256),
        archive("count(*) + 1", sha256),
        archive(versions, "sha256('another')"),
    ] {
        refused(&app, &statement);
    }
    change(&app, "UPDATE cafe SET pack_logs_after_days = 2");
    packed(&mut app, 1).await;
    for statement in ["DELETE FROM match_archives", "UPDATE match_archives SET versions = 1", "TRUNCATE match_archives"]
    {
        refused(&app, statement);
    }
}

#[tokio::test]
async fn a_log_that_cannot_be_read_stops_no_statistics() {
    let mut app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    age(&app, 40).await;
    packed(&mut app, 1).await;
    for number in 0..2 {
        app.server_number(number).forgive_errors();
    }
    // It is all to be counted again.
    change(
        &app,
        "SET session_replication_role = replica;
         UPDATE match_archives SET content = 'damaged';
         DELETE FROM match_analyses; DELETE FROM player_match_stats; DELETE FROM player_stats; DELETE FROM encounters;
         INSERT INTO pending_projections SELECT id, game, finished_at FROM matches",
    );
    eventually("the match counts", async || {
        (one::<i64>(&app, "SELECT count(*) FROM pending_projections") == 0).then_some(())
    })
    .await;
    assert_eq!(one::<i64>(&app, "SELECT count(*) FROM player_match_stats"), 2);
    for what in ["ratings", "stats"] {
        recompute(&app, what);
    }
    assert_eq!(one::<i64>(&app, "SELECT count(*) FROM match_analyses"), 1);
}

/// As many matches more like the only one, whose logs wait to be packed.
fn copy(app: &TestApp, times: u32) {
    change(
        app,
        &format!(
            "SET session_replication_role = replica;
             CREATE TEMPORARY TABLE twins AS
                 SELECT m.id AS of, gen_random_uuid() AS id, lpad(to_hex(n), 6, '0') AS code FROM matches m, generate_series(1, {times}) AS n;
             INSERT INTO matches SELECT (jsonb_populate_record(m, jsonb_build_object('id', t.id, 'code', t.code))).*
                 FROM matches m JOIN twins t ON t.of = m.id;
             INSERT INTO match_log SELECT (jsonb_populate_record(l, jsonb_build_object('match_id', t.id))).*
                 FROM match_log l JOIN twins t ON t.of = l.match_id;
             INSERT INTO match_analyses SELECT (jsonb_populate_record(a, jsonb_build_object('match_id', t.id))).*
                 FROM match_analyses a JOIN twins t ON t.of = a.match_id;
             INSERT INTO pending_archives SELECT t.id, p.finished_at FROM pending_archives p JOIN twins t ON t.of = p.match_id;
             DROP TABLE twins"
        ),
    );
}

#[tokio::test]
async fn several_processes_pack_each_log_once_and_what_is_still_needed_stays() {
    let mut app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    age(&app, 40).await;
    copy(&app, 45);
    // The café's figures do not have these yet.
    change(
        &app,
        "SET session_replication_role = replica;
         CREATE TEMPORARY TABLE needed AS SELECT id FROM matches LIMIT 3;
         UPDATE match_analyses SET match_id = gen_random_uuid() WHERE match_id IN (SELECT id FROM needed)",
    );
    let rows: i64 = one(
        &app,
        "SELECT count(*) FROM match_log WHERE match_id NOT IN (SELECT id FROM matches WHERE NOT match_is_settled(id))",
    );
    for _ in 0..2 {
        app.start_another();
    }
    packed(&mut app, 43).await;
    assert_eq!(one::<i64>(&app, "SELECT count(*) FROM match_archives"), 43);
    assert_eq!(one::<i64>(&app, "SELECT sum(versions) FROM match_archives"), rows);
    assert_eq!(one::<i64>(&app, "SELECT count(DISTINCT match_id) FROM match_log"), 3);
    assert_eq!(one::<i64>(&app, "SELECT count(*) FROM pending_archives"), 3);
}

#[tokio::test]
async fn a_cafe_may_pack_nothing_or_later() {
    let mut app = TestApp::start();
    let owner = app.owner().await;
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    assert_eq!(owner.get("/cafe").await.is(200)["pack_logs_after_days"], 30);
    let set = async |days: Value| {
        let settings = json!({ "second_factor_required": false, "hours": [], "pack_logs_after_days": days });
        Answer::of(owner.api(Method::PUT, "/cafe").json(&settings)).await
    };
    set(Value::Null).await.is(200);
    age(&app, 400).await;
    // This process has nothing to pack, and the one after that neither.
    app.start_another();
    set(json!(401)).await.is(200);
    app.start_another();
    let kept: i64 = one(&app, "SELECT count(*) FROM match_log");
    assert!(kept > 10 && one::<i64>(&app, "SELECT matches FROM log_packing") == 0);
    set(json!(399)).await.is(200);
    packed(&mut app, 1).await;
}

/// The partitions that there are, but for the one that takes what belongs to none.
fn partitions(app: &TestApp) -> Vec<String> {
    let names = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'match_log'::regclass
                 AND inhrelid <> 'match_log_default'::regclass ORDER BY 1";
    let rows = app.database().with(|client| client.query(names, &[])).expect("the catalogue says");
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn partitions_are_made_ahead_and_dropped_when_they_are_empty() {
    let mut app = TestApp::start();
    let ahead = partitions(&app);
    assert_eq!(ahead.len(), 2, "{ahead:?}");
    for partition in &ahead {
        change(&app, &format!("DROP TABLE {partition}"));
    }
    // Without one a move is written in any case.
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    assert_eq!(one::<String>(&app, "SELECT DISTINCT tableoid::regclass::text FROM match_log"), "match_log_default");
    change(&app, "SELECT match_log_add_partition('2020-02-01'), match_log_add_partition('2020-03-31 23:59+00')");
    change(
        &app,
        "SET session_replication_role = replica;
         INSERT INTO match_log SELECT match_log_first_id('2020-03-01'), version, seat, move, chance, events, NULL, made_by, at
             FROM match_log WHERE version = 0",
    );
    app.start_another();
    // The month that has begun lies in the default partition, where it stays.
    let expected = ["match_log_2020_03".to_owned(), ahead[1].clone()];
    eventually("partitions are kept", async || (partitions(&app) == expected).then_some(())).await;
    change(&app, "SET session_replication_role = replica; DELETE FROM match_log");
    app.start_another();
    eventually("they are made and dropped", async || (partitions(&app) == ahead).then_some(())).await;
    let refused = "INSERT INTO match_log_2020_02 SELECT * FROM match_log";
    assert!(app.database().with(|client| client.batch_execute(refused)).is_err());
    for partition in &ahead {
        let protected = format!(
            "SELECT count(*) = 2 FROM pg_trigger WHERE tgrelid = '{partition}'::regclass
             AND tgname IN ('match_log_append_only', 'match_log_packed_first')"
        );
        assert!(one::<bool>(&app, &protected), "{partition}");
    }
}

/// A database that was used before its log had partitions keeps every row.
#[tokio::test]
async fn a_log_from_before_partitions_stays_as_it_was() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    let text = "SELECT string_agg(l::text, ' ' ORDER BY match_id, version) FROM match_log l";
    let before: String = one(&app, text);
    for (migration, way) in [
        ("2026-12-01-000161_log_archives", "down"),
        ("2026-12-01-000160_log_partitions", "down"),
        ("2026-12-01-000160_log_partitions", "up"),
        ("2026-12-01-000161_log_archives", "up"),
    ] {
        let path = repository().join("migrations").join(migration).join(format!("{way}.sql"));
        change(&app, &std::fs::read_to_string(path).expect("it is there"));
        assert_eq!(one::<String>(&app, text), before, "{migration} {way}");
    }
}
