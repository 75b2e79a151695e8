//! `POST /matches/{id}/moves`: once, in order, also when others move at the same time.

use std::collections::BTreeSet;

use harness::{Answer, Database, Party, TestApp, Visitor, eventually};
use postgres::Client;
use reqwest::Method;
use serde_json::{Value, json};

async fn move_with_key(player: &Visitor, party: &Party, key: &str, body: &Value) -> Answer {
    Answer::of(player.api(Method::POST, &party.path("/moves")).header("idempotency-key", key).json(body)).await
}

#[tokio::test]
async fn the_same_key_again_gives_the_same_answer_and_plays_nothing_twice() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    let body = json!({ "move": seen["legal_moves"][0] });
    let player = party.players[seat].clone();
    let first = move_with_key(&player, &party, "key-1", &body).await.is(200);
    assert_eq!(first["version"], 1);
    assert_eq!(move_with_key(&player, &party, "key-1", &body).await.is(200), first);
    // Also after others have moved on.
    party.step().await;
    party.step().await;
    assert_eq!(move_with_key(&player, &party, "key-1", &body).await.is(200), first);
    assert_eq!(party.look().await["version"], 3);
    let other = json!({ "move": seen["legal_moves"][1] });
    move_with_key(&player, &party, "key-1", &other).await.problem(422, "idempotency_key_reused");
    // A key is its seat's own.
    let (seat, seen) = party.on_turn().await.expect("it goes on");
    let body = json!({ "move": seen["legal_moves"][0] });
    let fresh = move_with_key(&party.players[seat], &party, "key-2", &body).await.is(200);
    assert_eq!(fresh["version"], 4);
}

#[tokio::test]
async fn the_same_choice_made_again_later_is_another_move_and_needs_a_key_of_its_own() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "dead-mans-draw", 2, json!({})).await;
    let draw = json!({ "type": "draw" });
    let may_draw = |seen: &Value| seen["legal_moves"].as_array().is_some_and(|moves| moves.contains(&draw));
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    assert!(may_draw(&seen), "{seen}");
    let player = party.players[seat].clone();
    let body = json!({ "move": draw, "version": seen["version"] });
    let first = move_with_key(&player, &party, "key-1", &body).await.is(200);
    let now = loop {
        match party.on_turn().await.expect("it goes on") {
            (next, seen) if next == seat && may_draw(&seen) => break seen["version"].clone(),
            _ => _ = party.step().await,
        }
    };
    // From the version that the first one brought.
    for version in [&first["version"], &now, &json!(99), &json!(i64::MAX)] {
        let later = json!({ "move": draw, "version": version });
        move_with_key(&player, &party, "key-1", &later).await.problem(422, "idempotency_key_reused");
    }
    assert_eq!(party.look().await["version"], now);
    assert_eq!(move_with_key(&player, &party, "key-1", &body).await.is(200), first);
    let later = json!({ "move": draw, "version": now });
    let second = move_with_key(&player, &party, "key-2", &later).await.is(200);
    assert_eq!(second["version"], now.as_u64().expect("a number") + 1);
}

/// A match where a player is on turn who has used `key-1` before, and a move that the rules allow them.
async fn with_used_key(app: &TestApp) -> (Party, Visitor, Value) {
    let mut party = Party::start(app, "perudo", 2, json!({})).await;
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    let player = party.players[seat].clone();
    move_with_key(&player, &party, "key-1", &json!({ "move": seen["legal_moves"][0] })).await.is(200);
    let seen = loop {
        match party.on_turn().await.expect("it goes on") {
            (next, seen) if next == seat => break seen,
            _ => _ = party.step().await,
        }
    };
    let last = seen["legal_moves"].as_array().and_then(|it| it.last()).expect("there is one");
    (party, player, json!({ "move": last }))
}

/// Also where the process that moved there last knows the match and looks for nothing before it writes.
#[tokio::test]
async fn a_used_key_makes_no_other_move_even_if_the_rules_allow_it() {
    let app = TestApp::start();
    let (party, player, allowed) = with_used_key(&app).await;
    let before = party.look().await["version"].clone();
    move_with_key(&player, &party, "key-1", &allowed).await.problem(422, "idempotency_key_reused");
    assert_eq!(party.look().await["version"], before);
    move_with_key(&player, &party, "key-2", &allowed).await.is(200);
}

#[tokio::test]
async fn a_used_key_makes_no_move_together_with_others() {
    let app = TestApp::start();
    let (party, player, allowed) = with_used_key(&app).await;
    let mut held = Party::start(&app, "perudo", 2, json!({})).await;
    let before = party.look().await["version"].clone();
    let lock = app.database().lock_match(&held.id);
    // While a move waits for its match, all others go by `play_many.sql`, even a single one.
    let others = async {
        eventually("the move to wait for the match", async || (app.database().waiting() > 0).then_some(())).await;
        move_with_key(&player, &party, "key-1", &allowed).await.problem(422, "idempotency_key_reused");
        assert_eq!(party.look().await["version"], before);
        move_with_key(&player, &party, "key-2", &allowed).await.is(200);
        drop(lock);
    };
    let (moved, ()) = tokio::join!(held.step(), others);
    moved.expect("it goes on");
}

#[tokio::test]
async fn twenty_of_the_same_at_once_are_one() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    let body = json!({ "move": seen["legal_moves"][0] });
    let mut sent = Vec::new();
    for _ in 0..20 {
        let request = party.players[seat].api(Method::POST, &party.path("/moves"));
        sent.push(tokio::spawn(Answer::of(request.header("idempotency-key", "once").json(&body))));
    }
    let mut answers = Vec::new();
    for answer in sent {
        answers.push(answer.await.expect("it answers").is(200));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:#?}");
    assert_eq!(party.look().await["version"], 1);
}

#[tokio::test]
async fn of_many_different_moves_at_once_exactly_one_is_made() {
    let app = TestApp::start();
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    for round in 0..5 {
        let Some((seat, seen)) = party.on_turn().await else { break };
        let version = seen["version"].clone();
        let mut sent = Vec::new();
        for chosen in seen["legal_moves"].as_array().expect("they are listed").iter().take(10) {
            let request = party.players[seat].api(Method::POST, &party.path("/moves"));
            sent.push(tokio::spawn(Answer::of(request.json(&json!({ "move": chosen, "version": version })))));
        }
        let many = sent.len();
        let mut made = 0;
        for answer in sent {
            let answer = answer.await.expect("it answers");
            match answer.status {
                200 => made += 1,
                _ => drop(answer.problem(409, "version_conflict")),
            }
        }
        assert_eq!(made, 1, "round {round}, {many} at once");
        assert_eq!(party.look().await["version"], version.as_u64().expect("a number") + 1);
    }
}

#[tokio::test]
async fn a_stale_version_is_refused_and_changes_nothing() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    party.step().await;
    let (seat, seen) = party.on_turn().await.expect("it goes on");
    let moves = party.path("/moves");
    for version in [json!(0), json!(1), json!(3), json!(-1), json!(i64::MAX)] {
        let body = json!({ "move": seen["legal_moves"][0], "version": version });
        let problem = party.players[seat].post(&moves, body).await.problem(409, "version_conflict");
        assert_eq!(problem["current_version"], 2, "{problem}");
    }
    let body = json!({ "move": seen["legal_moves"][0], "version": 2 });
    assert_eq!(party.players[seat].post(&moves, body).await.is(200)["version"], 3);
}

#[tokio::test]
async fn what_the_rules_refuse_comes_with_their_code_and_changes_nothing() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    let (seat, seen) = party.on_turn().await.expect("it has begun");
    let other = 1 - seat;
    let legal = seen["legal_moves"][0].clone();
    party.play(other, &legal).await.problem(422, "not_your_turn");
    for (wrong, code) in [
        (json!({ "type": "sing" }), "unknown_move"),
        (json!({}), "unknown_move"),
        (json!(null), "unknown_move"),
        (json!([1, 2]), "unknown_move"),
        (json!({ "type": "bid" }), "invalid_move"),
        (json!({ "type": "bid", "count": 1, "face": 7 }), "invalid_move"),
        (json!({ "type": "bid", "count": 1.5, "face": 2 }), "invalid_move"),
        (json!({ "type": "bid", "count": "1", "face": 2 }), "invalid_move"),
        (json!({ "type": "bid", "count": 1, "face": 2, "loudly": true }), "invalid_move"),
        (json!({ "type": "bid", "count": 1e300, "face": 2 }), "invalid_move"),
    ] {
        party.play(seat, &wrong).await.problem(422, code);
    }
    assert_eq!(party.see(seat).await, seen);
    party.play_to_the_end().await;
    party.play(seat, &legal).await.problem(422, "game_over");
}

#[tokio::test]
async fn those_who_choose_at_the_same_time_do_not_hinder_each_other() {
    let app = TestApp::start();
    // Ten choose a place each round, all at once.
    let party = Party::start(&app, "animal-kingdom", 10, json!({})).await;
    let to_move = party.look().await["view"]["to_move"].as_array().expect("it lists them").clone();
    assert!(to_move.len() > 1, "{to_move:?}");
    let mut sent = Vec::new();
    for seat in to_move.iter().filter_map(Value::as_u64).map(|seat| seat as usize) {
        let seen = party.see(seat).await;
        // All of them saw version 0, and all of them are right about what they decide.
        let body = json!({ "move": seen["legal_moves"][0], "version": seen["version"] });
        sent.push(tokio::spawn(Answer::of(party.players[seat].api(Method::POST, &party.path("/moves")).json(&body))));
    }
    let mut versions = Vec::new();
    for answer in sent {
        versions.push(answer.await.expect("it answers").is(200)["version"].as_u64().expect("a number"));
    }
    versions.sort_unstable();
    assert_eq!(versions, (1..=to_move.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_choice_at_the_same_time_takes_any_version_from_within_its_phase_and_none_from_before() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "animal-kingdom", 10, json!({})).await;
    let to_move = |shown: &Value| {
        let seats = shown["view"]["to_move"].as_array().expect("it lists them").iter();
        seats.filter_map(Value::as_u64).map(|seat| seat as usize).collect::<Vec<_>>()
    };
    // The last of those who chose at the same time opens the next phase.
    let phase = loop {
        let before = to_move(&party.look().await);
        party.step().await.expect("it goes on");
        let shown = party.look().await;
        if before.len() == 1 && to_move(&shown).len() > 2 {
            break shown;
        }
    };
    let begun = phase["version"].as_u64().expect("a number");
    let [first, second, third, ..] = to_move(&phase)[..] else { panic!("many choose") };
    let choose = async |seat: usize, version: u64| {
        let seen = party.see(seat).await;
        let body = json!({ "move": seen["legal_moves"][0], "version": version });
        party.players[seat].post(&party.path("/moves"), body).await
    };
    let stale = choose(first, begun - 1).await.problem(409, "version_conflict");
    assert_eq!(stale["current_version"], begun);
    assert_eq!(choose(first, begun).await.is(200)["version"], begun + 1);
    // The same version again, though the match has gone on: what the second decides is as open as it was.
    let body = json!({ "move": party.see(second).await["legal_moves"][0], "version": begun });
    for _ in ["once", "and again"] {
        let chosen = move_with_key(&party.players[second], &party, "key-1", &body).await.is(200);
        assert_eq!(chosen["version"], begun + 2);
    }
    choose(third, begun - 1).await.problem(409, "version_conflict");
    choose(third, begun + 3).await.problem(409, "version_conflict");
    assert_eq!(choose(third, begun + 1).await.is(200)["version"], begun + 3);
    // Who has chosen is not to choose again.
    choose(first, begun).await.problem(422, "not_your_turn");
}

#[tokio::test]
async fn two_processes_agree_on_who_was_first() {
    agree_on_who_was_first(TestApp::start()).await;
}

pub(crate) async fn agree_on_who_was_first(mut app: TestApp) {
    let there = app.start_another();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    for _ in 0..5 {
        let Some((seat, seen)) = party.on_turn().await else { break };
        let body = json!({ "move": seen["legal_moves"][0], "version": seen["version"] });
        let here = party.players[seat].clone();
        let there = here.at(app.url_of(there));
        let path = party.path("/moves");
        let (one, other) = tokio::join!(here.post(&path, body.clone()), there.post(&path, body.clone()));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        party.step().await;
    }
}

#[tokio::test]
async fn a_process_refuses_nothing_that_another_has_made_possible() {
    move_by_one_process_and_the_other(TestApp::start()).await;
}

pub(crate) async fn move_by_one_process_and_the_other(mut app: TestApp) {
    let other = app.start_another();
    let mut party = Party::start(&app, "perudo", 3, json!({})).await;
    // Both know the match as they left it, and each time the other has moved since.
    for number in [0, 0, other, other, 0, other, 0, other] {
        party.move_to(app.url_of(number));
        party.step().await.expect("it goes on");
    }
    assert_eq!(party.look().await["version"], 8);
    let (seat, seen) = party.on_turn().await.expect("it goes on");
    let (here, there) = (party.players[seat].at(app.url_of(other)), party.players[seat].at(app.url_of(0)));
    there.post(&party.path("/resign"), json!({})).await.is(200);
    let sent = json!({ "move": seen["legal_moves"][0] });
    here.post(&party.path("/moves"), sent).await.problem(403, "resigned");
}

#[tokio::test]
async fn a_match_that_somebody_holds_keeps_no_other_waiting() {
    let app = TestApp::start();
    let mut parties = Vec::new();
    for _ in 0..4 {
        let mut party = Party::start(&app, "perudo", 2, json!({})).await;
        party.step().await;
        parties.push(party);
    }
    let mut held = parties.remove(0);
    let lock = app.database().lock_match(&held.id);
    let others = async {
        eventually("the move to wait for the match", async || (app.database().waiting() > 0).then_some(())).await;
        for other in &mut parties {
            other.step().await.expect("it goes on");
        }
        drop(lock);
    };
    let (moved, ()) = tokio::join!(held.step(), others);
    assert_eq!(moved.expect("it goes on").1["version"], 2);
}

const MOVES: &str = include_str!("../../api/play/src/matches/play_many.sql");
const ONE_MOVE: &str =
    "'{running}', '{state}', '{0}', '{1}', '{0}', '{0}', '{null}', '{now}', '{null}', ARRAY[gen_random_uuid()], '{0}',
    '{0}', '{now}', '{0}', '{0}', '{\"\"}', '{null}', '{null}', '{null}', '{player}'";

#[test]
fn one_plan_serves_any_number_of_moves() {
    let database = Database::new();
    let (custom, generic): (i32, i32) = database.with(|client| {
        client.batch_execute(&format!("ANALYZE matches; PREPARE moves AS {MOVES}")).expect("it is sound SQL");
        for _ in 0..8 {
            client.batch_execute(&format!("EXECUTE moves ({ONE_MOVE})")).expect("it finds no match to move");
        }
        let plans = "SELECT custom_plans::int, generic_plans::int FROM pg_prepared_statements WHERE name = 'moves'";
        let row = client.query_one(plans, &[]).expect("it is prepared");
        (row.get(0), row.get(1))
    });
    // PostgreSQL tries five times whether a plan for these very arrays would be cheaper.
    assert_eq!((custom, generic), (5, 3));
}

/// So many matches that have ended that the planner knows of none that runs.
const ALL_ENDED: &str = "
    SET session_replication_role = replica;
    INSERT INTO matches (id, code, game, revision, options, seat_count, mode, status, version, chance_count, created_by, created_at,
                         finished_at, seed, commitment, variant_hash)
    SELECT gen_random_uuid(), lpad(to_hex(n), 6, '0'), 'perudo', 1, '{}', 2, 'played', 'expired', 0, 0, gen_random_uuid(), now(),
           now(), sha256('seed'), sha256(sha256('seed')), sha256('rules')
    FROM generate_series(1, 20000) AS n;
    RESET session_replication_role;
    ANALYZE;
    SET plan_cache_mode = force_generic_plan;";

#[test]
fn each_match_is_found_by_its_id_though_hardly_any_is_running() {
    let plan: Vec<String> = Database::new().with(|client| {
        client.batch_execute(&format!("{ALL_ENDED} PREPARE moves AS {MOVES}")).expect("it is sound SQL");
        let plan = client.query(&format!("EXPLAIN EXECUTE moves ({ONE_MOVE})"), &[]).expect("it has a plan");
        plan.iter().map(|row| row.get(0)).collect()
    });
    let scans = plan.iter().zip(&plan[1..]).filter(|(line, _)| line.contains(" on matches") && line.contains("Scan"));
    let by_id = scans.clone().filter(|(_, next)| next.contains("Index Cond:") && next.contains("id = "));
    assert_eq!((scans.count(), by_id.count()), (2, 2), "{plan:#?}");
    assert!(!plan.iter().any(|line| line.contains("Seq Scan")), "{plan:#?}");
}

/// The names of the parts of tables that a plan of this statement looks into, where each table has eight.
fn shards(client: &mut Client, statement: &str, values: &str) -> BTreeSet<String> {
    client.batch_execute(&format!("PREPARE asked AS {statement}")).expect("it is sound SQL");
    let plan = client.query(&format!("EXPLAIN EXECUTE asked ({values})"), &[]).expect("it has a plan");
    client.batch_execute("DEALLOCATE asked").expect("it is prepared");
    let lines: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
    let words = lines.iter().flat_map(|line| line.split(' '));
    words.filter(|word| word.starts_with("shard_")).map(str::to_owned).collect()
}

#[test]
fn a_move_looks_into_one_shard_of_each_table() {
    let database = Database::new();
    let (find, play) =
        (include_str!("../../api/play/src/matches/find.sql"), include_str!("../../api/play/src/matches/play.sql"));
    let (found, played) = database.with(|client| {
        client.batch_execute("CREATE SCHEMA sharded; SET search_path TO sharded, public").expect("it may");
        for (table, id) in [("matches", "id"), ("match_log", "match_id"), ("match_seats", "match_id")] {
            let like = format!("CREATE TABLE {table} (LIKE public.{table}) PARTITION BY HASH ({id})");
            client.batch_execute(&like).expect("it may");
            for n in 0..8 {
                let part = format!("FOR VALUES WITH (MODULUS 8, REMAINDER {n})");
                let part = format!("CREATE TABLE shard_{table}_{n} PARTITION OF {table} {part}");
                client.batch_execute(&part).expect("it may");
            }
        }
        let id = "'01998f10-5d5c-7a3e-8f2b-6f0c3c1d2e4a'";
        let found = shards(client, find, &format!("{id}, '', {id}"));
        let values =
            "'running', '', 0, 1, 0, 0, NULL, now(), NULL, ID, 0, 0, now(), 0, 0, '', '{}', '[]', '[]', 'player'";
        (found, shards(client, play, &values.replace("ID", id)))
    });
    // Where a move is written down is found without a plan.
    assert_eq!((found.len(), played.len()), (3, 1), "{found:?} {played:?}");
}
