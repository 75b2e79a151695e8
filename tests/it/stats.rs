//! The café's figures: equal to what a scan of all matches gives, whatever happened, and whichever process was killed meanwhile.

use std::process::Command;

use harness::{Database, Party, TestApp, Visitor, eventually, program, repository, run};
use serde_json::{Value, json};

/// Where clocks are changed at midnight.
pub(crate) const ZONE: &str = "America/Havana";
/// Days that hold the end of summer time there.
const ALL: &str = "from=2026-10-10&until=2026-11-20";

/// So many matches by chance: many end near midnight at the café, some are called off, some never started, and the same
/// people come on several days.
pub(crate) fn history(seed: f64, count: usize) -> String {
    format!(
        "SELECT setseed({seed});
         INSERT INTO players (id, display_name, created_at)
         SELECT gen_random_uuid(), 'Guest ' || n, now() FROM generate_series(1, 40) AS n;
         DO $$
         DECLARE
             plan record; made uuid; people uuid[]; counted int; before int := (SELECT count(*) FROM matches);
         BEGIN
             FOR plan IN SELECT n, (random() * 40)::int AS day, random() AS kind, 2 + (random() * 3)::int AS seats,
                                (ARRAY['perudo', 'liars-dice'])[1 + (random() * 0.99)::int] AS game,
                                decode(repeat('0' || (random() * 2)::int, 32), 'hex') AS rules,
                                CASE WHEN random() < 0.5 THEN (random() * 240 - 120) * interval '1 second'
                                     ELSE random() * interval '24 hours' END AS offs,
                                exp(3 + random() * 6) * interval '1 second' AS took,
                                (ARRAY['finished', 'finished', 'finished', 'aborted', 'expired'])[1 + (random() * 4)::int] AS status
                         FROM generate_series(1, {count}) AS n LOOP
                 made := gen_random_uuid();
                 SELECT array_agg(id) INTO people FROM (SELECT id FROM players WHERE display_name LIKE 'Guest %' ORDER BY random() LIMIT plan.seats) AS few;
                 INSERT INTO matches (id, code, game, revision, options, seat_count, mode, created_by, created_at, seed, commitment, variant_hash)
                 VALUES (made, upper(lpad(to_hex(before + plan.n), 6, '0')), plan.game, 1, '{{}}', plan.seats, 'played', people[1], now(),
                         sha256('seed'), sha256(sha256('seed')), sha256(plan.game::bytea || plan.rules));
                 counted := 0;
                 WHILE counted < plan.seats LOOP
                     INSERT INTO match_seats (match_id, seat, player_id, joined_at) VALUES (made, counted, people[counted + 1], now());
                     counted := counted + 1;
                 END LOOP;
                 UPDATE matches SET status = plan.status, version = plan.n % 60,
                     state = CASE WHEN plan.status = 'expired' THEN NULL ELSE ''::bytea END,
                     outcome = CASE WHEN plan.status = 'finished' THEN jsonb_build_object('reason', 'r', 'ranks',
                         (SELECT jsonb_agg(CASE WHEN plan.kind < 0.2 AND n <= 2 THEN 1 ELSE n END) FROM
                          (SELECT 1 + (n + plan.n) % plan.seats AS n FROM generate_series(1, plan.seats) AS n) AS places)) END,
                     started_at = CASE WHEN plan.status = 'expired' THEN NULL
                         ELSE (timestamp '2026-10-10' + plan.day * interval '1 day') AT TIME ZONE '{ZONE}' + plan.offs - plan.took END,
                     finished_at = (timestamp '2026-10-10' + plan.day * interval '1 day') AT TIME ZONE '{ZONE}' + plan.offs
                 WHERE id = made;
             END LOOP;
         END $$;"
    )
}

/// So many parties at three tables by chance, in whole minutes: some beyond midnight, some that moved in with others, some that
/// never were, and at each table one that is still there.
pub(crate) fn parties(seed: f64, count: usize) -> String {
    format!(
        "SELECT setseed({seed});
         INSERT INTO tables (id, code, name, seats, created_at)
         SELECT gen_random_uuid(), 'BBBBB' || n, 'Table ' || n, 6, '2026-10-01' FROM generate_series(2, 4) AS n;
         INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at, closed_at, ended)
         SELECT gen_random_uuid(), (SELECT id FROM tables ORDER BY name LIMIT 1 OFFSET n % 3), 1 + (random() * 7)::int,
                md5(n::text || {seed}), came, (SELECT id FROM players LIMIT 1), came,
                came + floor(exp(random() * 7.5)) * interval '1 minute',
                (ARRAY['left', 'left', 'forgotten', 'undone'])[1 + (random() * 3)::int]
         FROM (SELECT n, (timestamp '2026-10-10' + (random() * 40)::int * interval '1 day') AT TIME ZONE '{ZONE}'
                      + floor(random() * 1600 - 180) * interval '1 minute' AS came FROM generate_series(1, {count}) AS n) AS arrivals;
         UPDATE sittings SET ended = 'merged', merged_into = (SELECT id FROM sittings other WHERE other.id <> sittings.id LIMIT 1)
         WHERE get_byte(uuid_send(id), 0) < 40;
         INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at, closed_at, ended)
         SELECT gen_random_uuid(), (SELECT id FROM tables LIMIT 1), 4, md5('back' || {seed}), came, (SELECT id FROM players LIMIT 1), came,
                came + interval '5 hours', 'left' FROM (SELECT timestamp '2026-10-31 22:00' AT TIME ZONE '{ZONE}' AS came) AS late;
         INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at)
         SELECT gen_random_uuid(), id, 3, md5(name || {seed}), date_trunc('minute', now()) - interval '70 minutes', (SELECT id FROM players LIMIT 1), now()
         FROM tables;"
    )
}

/// What a scan of all matches and sittings gives.
const SCANS: [(&str, &str); 8] = [
    (
        "play_stats",
        "SELECT day, game, variant_hash, seat_count, (count(*) FILTER (WHERE status = 'finished'))::int, \
                (count(*) FILTER (WHERE status = 'aborted'))::int, (count(*) FILTER (WHERE status = 'expired'))::int, \
                coalesce(sum(taken) FILTER (WHERE status = 'finished'), 0)::int, \
                (count(*) FILTER (WHERE status = 'finished' AND has_bots))::int FROM ended GROUP BY 1, 2, 3, 4",
    ),
    (
        "hour_stats",
        "SELECT day, hour, game, variant_hash, count(*)::int, sum(taken)::int FROM ended WHERE status = 'finished' \
         GROUP BY 1, 2, 3, 4",
    ),
    (
        "length_stats",
        "SELECT day, game, variant_hash, seat_count, floor(8 * log(2, greatest(seconds, 1)))::smallint, count(*)::int, \
                sum(version)::bigint FROM ended WHERE status = 'finished' GROUP BY 1, 2, 3, 4, 5",
    ),
    (
        "length_months",
        "SELECT date_trunc('month', day)::date, game, variant_hash, seat_count, \
                floor(8 * log(2, greatest(seconds, 1)))::smallint, count(*)::int, sum(version)::bigint \
         FROM ended WHERE status = 'finished' GROUP BY 1, 2, 3, 4, 5",
    ),
    (
        "seat_stats",
        "SELECT day, game, variant_hash, seat_count, seat::smallint, count(*)::int \
         FROM ended, generate_series(0, seat_count - 1) AS seat \
         WHERE status = 'finished' AND NOT has_bots AND outcome #>> ARRAY['ranks', seat::text] = '1' GROUP BY 1, 2, 3, 4, 5",
    ),
    (
        "guest_days",
        "SELECT DISTINCT day, player_id, day = min(day) OVER (PARTITION BY player_id) FROM ended \
         JOIN match_seats ON match_id = id WHERE started_at IS NOT NULL",
    ),
    (
        "visit_stats",
        "WITH visits AS (SELECT DISTINCT day, player_id FROM ended JOIN match_seats ON match_id = id WHERE started_at IS NOT NULL), \
              pairs AS (SELECT visits.day, past.day AS earlier, player_id, \
                               past.day = (SELECT min(day) FROM visits v WHERE v.player_id = visits.player_id) AS is_first, \
                               (SELECT count(*) FROM visits v WHERE v.player_id = visits.player_id \
                                AND v.day > past.day AND v.day <= visits.day) AS nth \
                        FROM visits JOIN visits past USING (player_id) WHERE past.day <= visits.day) \
         SELECT day, nth::smallint, (day - earlier)::smallint, is_first, count(*)::int FROM pairs WHERE nth <= 10 \
         GROUP BY day, nth, earlier, is_first",
    ),
    (
        "sitting_stats",
        "SELECT day, hour, (count(*) FILTER (WHERE came))::int, coalesce(sum(party_size) FILTER (WHERE came), 0)::int, \
                (60 * count(*) FILTER (WHERE stays))::int \
         FROM (SELECT (minute AT TIME ZONE zone)::date AS day, date_part('hour', minute AT TIME ZONE zone)::smallint AS hour, \
                      minute = opened_at AND ended <> 'merged' AS came, minute < closed_at AS stays, party_size \
               FROM zoned, sittings, generate_series(opened_at, closed_at, interval '1 minute') AS minute \
               WHERE closed_at IS NOT NULL AND ended <> 'undone' AND (minute < closed_at OR minute = opened_at)) AS minutes \
         GROUP BY day, hour",
    ),
];

/// How many rows of the sums are not as a scan has them.
fn differing(app: &TestApp) -> i64 {
    let ended = format!(
        "WITH zoned AS (SELECT '{ZONE}'::text AS zone), ended AS (SELECT *, (finished_at AT TIME ZONE '{ZONE}')::date AS day, \
             date_part('hour', finished_at AT TIME ZONE '{ZONE}')::smallint AS hour, \
             date_part('epoch', finished_at - started_at)::numeric AS seconds, \
             (SELECT count(*) FROM match_seats s WHERE s.match_id = matches.id) AS taken, \
             EXISTS (SELECT FROM match_seats s WHERE s.match_id = matches.id AND bot IS NOT NULL) AS has_bots \
         FROM matches WHERE finished_at IS NOT NULL), "
    );
    let count = |(table, scan): &(&str, &str)| {
        let query = format!(
            "{ended} scan AS ({scan}) SELECT (SELECT count(*) FROM (TABLE scan EXCEPT ALL TABLE {table}) AS missing) \
             + (SELECT count(*) FROM (TABLE {table} EXCEPT ALL TABLE scan) AS wrong)"
        );
        app.database().with(|client| client.query_one(&query, &[]).expect("it can be asked").get::<_, i64>(0))
    };
    SCANS.iter().map(count).sum()
}

pub(crate) async fn all_is_summed(app: &TestApp) {
    eventually("all sums", async || {
        let left = "SELECT (SELECT count(*) FROM stats_dirty_ranges) + 1 - (SELECT count(*) FROM stats_time_zone)";
        let left: i64 = app.database().with(|client| client.query_one(left, &[]).expect("it can be asked").get(0));
        (left == 0).then_some(())
    })
    .await;
}

pub(crate) fn change(app: &TestApp, statements: &str) {
    app.database().with(|client| client.batch_execute(statements)).expect("it can be done");
}

pub(crate) fn one<T: for<'a> postgres::types::FromSql<'a> + Send>(app: &TestApp, query: &str) -> T {
    app.database().with(|client| client.query_one(query, &[]).expect("it can be asked").get(0))
}

fn recompute(app: &TestApp) -> String {
    let mut command = Command::new(program("houserules"));
    command.args(["stats", "recompute"]).env("DATABASE_URL", app.database().url());
    run(command.env("HOUSERULES_TIME_ZONE", ZONE)).well()
}

pub(crate) fn cafe() -> TestApp {
    TestApp::start_with(|launch| launch.set("HOUSERULES_TIME_ZONE", ZONE))
}

#[tokio::test]
async fn the_sums_are_what_a_scan_gives_also_after_corrections_and_anew() {
    let mut app = cafe();
    app.server().forgive_errors();
    change(&app, &(history(0.25, 300) + &parties(0.25, 120)));
    all_is_summed(&app).await;
    assert_eq!(differing(&app), 0);
    assert!(one::<bool>(&app, "SELECT max(nth) = 10 FROM visit_stats"), "nobody came often enough to tell");
    let twice = "SELECT EXISTS (SELECT FROM sitting_stats WHERE day = '2026-11-01' AND hour = 0 AND seconds > 3600)";
    assert!(one::<bool>(&app, twice), "nobody was there when clocks were put back");
    assert!(one::<i64>(&app, "SELECT count(*) FROM seat_stats") > 50, "the history is too small to tell");
    // Results are corrected, ends are moved over midnight, one is called off after all, and guests turn out to be others.
    change(
        &app,
        "UPDATE matches SET outcome = jsonb_set(outcome, '{ranks}', '[1, 1, 1, 1, 1]') \
             WHERE status = 'finished' AND get_byte(uuid_send(id), 0) < 60; \
         UPDATE matches SET finished_at = finished_at + interval '7 hours' WHERE get_byte(uuid_send(id), 1) < 60; \
         UPDATE matches SET status = 'aborted', outcome = NULL WHERE status = 'finished' AND get_byte(uuid_send(id), 2) < 60; \
         ALTER TABLE match_seats DISABLE TRIGGER match_seats_guard; \
         UPDATE match_seats SET player_id = (SELECT id FROM players WHERE display_name = 'Guest 1') \
             WHERE player_id = (SELECT id FROM players WHERE display_name = 'Guest 2') AND match_id NOT IN \
             (SELECT match_id FROM match_seats JOIN players ON id = player_id WHERE display_name = 'Guest 1'); \
         ALTER TABLE match_seats ENABLE TRIGGER match_seats_guard; \
         UPDATE sittings SET party_size = party_size + 1 WHERE get_byte(uuid_send(id), 3) < 60 AND closed_at IS NOT NULL; \
         UPDATE sittings SET closed_at = closed_at + interval '9 hours' WHERE get_byte(uuid_send(id), 4) < 60; \
         UPDATE sittings SET ended = 'undone', merged_into = NULL WHERE get_byte(uuid_send(id), 5) < 40 AND closed_at IS NOT NULL; \
         UPDATE sittings SET closed_at = opened_at + interval '50 minutes', ended = 'left' WHERE closed_at IS NULL; \
         UPDATE sittings SET closed_at = NULL, ended = NULL, merged_into = NULL, remind_at = now() + interval '1 day' WHERE id IN \
             (SELECT DISTINCT ON (table_id) id FROM sittings ORDER BY table_id, opened_at)",
    );
    all_is_summed(&app).await;
    assert_eq!(differing(&app), 0);
    assert!(recompute(&app).contains("; 0 rows differ"));
    assert_eq!(differing(&app), 0);
    // And what was tampered with is found and mended.
    change(
        &app,
        "UPDATE play_stats SET finished = finished + 1; DELETE FROM visit_stats; UPDATE sitting_stats SET people = 0",
    );
    assert_ne!(differing(&app), 0);
    assert!(!recompute(&app).contains("; 0 rows differ"));
    assert_eq!(differing(&app), 0);
}

#[tokio::test]
async fn a_process_that_is_killed_in_between_loses_and_doubles_nothing() {
    let mut app = cafe();
    app.server().forgive_errors();
    all_is_summed(&app).await;
    // It has taken the list and made the other sums when it comes to this table.
    let lock = app.database().lock("guest_days");
    change(&app, &history(0.5, 60));
    eventually("somebody who sums up", async || {
        let waits = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%guest_days%' \
                     AND datname = current_database()";
        (one::<i64>(&app, waits) > 0).then_some(())
    })
    .await;
    app.server().kill();
    drop(lock);
    // Two at once, besides.
    for _ in 0..2 {
        let other = app.start_another();
        app.server_number(other).forgive_errors();
    }
    all_is_summed(&app).await;
    assert_eq!(differing(&app), 0);
    assert_eq!(one::<i64>(&app, "SELECT sum(finished + aborted + expired) FROM play_stats"), 60);
}

/// Who takes several results back marks one after the other.
#[tokio::test]
async fn whoever_sums_up_waits_for_nobody_who_marks() {
    let mut app = cafe();
    app.server().forgive_errors();
    all_is_summed(&app).await;
    // The number under which processes agree who sums up.
    let alone = app.database().hold("SELECT pg_advisory_xact_lock(x'73756d73'::bigint)".to_owned());
    change(&app, &history(0.5, 60));
    let first = "SELECT subject_id, since, until FROM stats_dirty_ranges ORDER BY since, subject_id LIMIT 1";
    let marks = format!("UPDATE stats_dirty_ranges SET until = until WHERE (subject_id, since, until) IN ({first})");
    let marking = app.database().hold(marks);
    drop(alone);
    let all_but_one = async || (one::<i64>(&app, "SELECT count(*) FROM stats_dirty_ranges") == 1).then_some(());
    eventually("all others are summed up", all_but_one).await;
    drop(marking);
    all_is_summed(&app).await;
    assert_eq!(differing(&app), 0);
}

#[tokio::test]
async fn another_time_zone_means_other_days() {
    let mut app = TestApp::start_with(|launch| launch.set("HOUSERULES_TIME_ZONE", "Asia/Seoul"));
    app.server().forgive_errors();
    change(&app, &history(0.75, 100));
    all_is_summed(&app).await;
    assert_ne!(differing(&app), 0);
    // As the settings page does.
    change(&app, &format!("UPDATE cafe SET time_zone = '{ZONE}'"));
    eventually("days of the other zone", async || (differing(&app) == 0).then_some(())).await;
}

async fn items(staff: &Visitor, path: &str) -> Vec<Value> {
    staff.get(path).await.is(200)["items"].as_array().expect("it is a list").clone()
}

fn sum(items: &[Value], field: &str) -> i64 {
    items.iter().map(|item| item[field].as_i64().expect("it is a number")).sum()
}

#[tokio::test]
async fn every_call_tells_of_the_same_matches() {
    let mut app = cafe();
    app.server().forgive_errors();
    change(&app, &history(0.1, 200));
    all_is_summed(&app).await;
    let owner = app.owner().await;
    let within =
        format!("FROM matches WHERE (finished_at AT TIME ZONE '{ZONE}')::date BETWEEN '2026-10-10' AND '2026-11-20'");
    let finished: i64 = one(&app, &format!("SELECT count(*) {within} AND status = 'finished'"));
    let summary = owner.get(&format!("/stats/summary?{ALL}")).await.is(200);
    assert_eq!(summary["now"]["finished"], finished);
    assert_eq!(summary["before"]["until"], "2026-10-09");
    for (status, told) in [("aborted", "aborted"), ("expired", "expired")] {
        let count: i64 = one(&app, &format!("SELECT count(*) {within} AND status = '{status}'"));
        assert_eq!(summary["now"][told], count);
    }
    for list in ["days", "games", "hours", "length"] {
        assert_eq!(sum(&items(&owner, &format!("/stats/{list}?{ALL}")).await, "finished"), finished, "{list}");
    }
    assert_eq!(items(&owner, &format!("/stats/days?{ALL}")).await.len(), 42);
    // Two whole months and some days.
    let every: i64 = one(&app, "SELECT count(*) FROM matches WHERE status = 'finished'");
    let lengths = items(&owner, "/stats/length?from=2026-09-20&until=2026-12-05").await;
    assert_eq!(sum(&lengths, "finished"), every);
    assert_eq!(items(&owner, &format!("/stats/hours?{ALL}")).await.len(), 168);
    // Who was there, and who for the first time.
    let returning = owner.get(&format!("/stats/returning?{ALL}")).await.is(200);
    let there = |condition: &str| -> i64 {
        let there = format!(
            "SELECT count(*) FROM (SELECT min((finished_at AT TIME ZONE '{ZONE}')::date) AS first, \
             max((finished_at AT TIME ZONE '{ZONE}')::date) AS last FROM matches JOIN match_seats ON match_id = id \
             WHERE started_at IS NOT NULL GROUP BY player_id) AS guests WHERE {condition}"
        );
        one(&app, &there)
    };
    assert_eq!(returning["new"], there("first >= '2026-10-10'"));
    assert_eq!(returning["guests"], there("last >= '2026-10-10' AND first <= '2026-11-20'"));
    assert_eq!(summary["now"]["guests"], returning["guests"]);
    // By one game, then by one variant.
    let perudo: i64 = one(&app, &format!("SELECT count(*) {within} AND status = 'finished' AND game = 'perudo'"));
    let games = items(&owner, &format!("/stats/games?{ALL}&game=perudo")).await;
    assert_eq!(sum(&games, "finished"), perudo);
    let hash = games[0]["variant_hash"].as_str().expect("it has one");
    let variant = items(&owner, &format!("/stats/games?{ALL}&game=perudo&variant={hash}")).await;
    assert_eq!(variant, games[..1]);
    assert_eq!(owner.get(&format!("/stats/summary?{ALL}&game=perudo")).await.is(200)["now"]["guests"], json!(null));
    // Lengths are as exact as the documentation says.
    for length in items(&owner, &format!("/stats/length?{ALL}")).await {
        for (field, part) in [("median_seconds", 0.5), ("p90_seconds", 0.9)] {
            let exact: f64 = one(
                &app,
                &format!(
                    "SELECT percentile_disc({part}) WITHIN GROUP (ORDER BY date_part('epoch', finished_at - started_at)) \
                     {within} AND status = 'finished' AND game = '{}' AND seat_count = {} AND encode(variant_hash, 'hex') = '{}'",
                    length["game"].as_str().expect("text"),
                    length["seats"],
                    length["variant_hash"].as_str().expect("text")
                ),
            );
            let told = length[field].as_f64().expect("a number");
            assert!((told - exact).abs() <= exact * 0.045 + 0.5, "{told} for {exact}");
        }
        let sums = "sum(date_part('epoch', finished_at - started_at)) / nullif(sum(version), 0)";
        let of_rules = format!(
            "SELECT {sums} {within} AND status = 'finished' AND game = '{}' AND seat_count = {} AND encode(variant_hash, 'hex') = '{}'",
            length["game"].as_str().expect("text"),
            length["seats"],
            length["variant_hash"].as_str().expect("text")
        );
        let exact: Option<f64> = one(&app, &of_rules);
        let told = length["seconds_per_move"].as_f64();
        assert_eq!(told.is_some(), exact.is_some());
        assert!(
            told.zip(exact).is_none_or(|(told, exact)| (told - exact).abs() <= exact * 0.045 + 0.5),
            "{told:?} for {exact:?}"
        );
    }
    for seat in items(&owner, &format!("/stats/seats?{ALL}")).await {
        let share = |field: &str| seat[field].as_f64().expect("a number");
        assert!(0.0 <= share("share_from") && share("share_from") <= share("share"), "{seat}");
        assert!(share("share") <= share("share_until") && share("share_until") <= 1.0, "{seat}");
    }
}

#[tokio::test]
async fn who_comes_back_is_told_of_any_period() {
    let mut app = cafe();
    app.server().forgive_errors();
    change(&app, &history(0.3, 250));
    all_is_summed(&app).await;
    let owner = app.owner().await;
    for (from, until) in [
        ("2026-10-10", "2026-11-20"),
        ("2026-10-20", "2026-10-26"),
        ("2026-11-01", "2026-11-01"),
        ("2026-11-05", "2027-06-01"),
    ] {
        let told = owner.get(&format!("/stats/returning?from={from}&until={until}")).await.is(200);
        let scan: Value = serde_json::from_str(&one::<String>(
            &app,
            &format!(
                "SELECT coalesce(json_agg(json_build_object('days', days, 'guests', guests, 'new', new) ORDER BY days), '[]')::text FROM ( \
                     SELECT least(days, 10) AS days, count(*) AS guests, count(*) FILTER (WHERE new) AS new FROM ( \
                         SELECT count(DISTINCT day) AS days, min(first) >= '{from}' AS new FROM ( \
                             SELECT player_id, (finished_at AT TIME ZONE '{ZONE}')::date AS day, \
                                    min((finished_at AT TIME ZONE '{ZONE}')::date) OVER (PARTITION BY player_id) AS first \
                             FROM matches JOIN match_seats ON match_id = id WHERE started_at IS NOT NULL AND finished_at IS NOT NULL \
                         ) AS visits WHERE day BETWEEN '{from}' AND '{until}' GROUP BY player_id \
                     ) AS guests GROUP BY 1 \
                 ) AS told"
            ),
        ))
        .expect("it is JSON");
        assert_eq!(told["visits"], scan, "{from} to {until}");
        let guests: i64 = sum(scan.as_array().expect("it is a list"), "guests");
        assert_eq!(told["guests"], guests);
    }
}

#[tokio::test]
async fn tables_are_taken_by_those_who_were_there_and_those_who_still_are() {
    let mut app = cafe();
    app.server().forgive_errors();
    change(&app, &parties(0.6, 60));
    all_is_summed(&app).await;
    let owner = app.owner().await;
    let day = |shift: &str| -> String {
        one(&app, &format!("SELECT ((now() + interval '{shift}') AT TIME ZONE '{ZONE}')::date::text"))
    };
    let (today, yesterday) = (day("0 days"), day("-1 day"));
    // Three parties of three have been there for seventy minutes.
    let path = format!("/stats/summary?from={yesterday}&until={today}");
    let now = owner.get(&path).await.is(200)["now"].clone();
    let there = format!(
        "FROM sittings WHERE ended IS DISTINCT FROM 'undone' AND ended IS DISTINCT FROM 'merged' \
         AND (opened_at AT TIME ZONE '{ZONE}')::date BETWEEN '{yesterday}' AND '{today}'"
    );
    assert_eq!(now["parties"], one::<i64>(&app, &format!("SELECT count(*) {there}")));
    assert_eq!(now["people"], one::<i64>(&app, &format!("SELECT sum(party_size) {there}")));
    let seconds = now["table_seconds"].as_i64().expect("it is a number");
    assert!(seconds >= 3 * 70 * 60, "{now}");
    // Each of three tables is there for the whole of an hour, and no more is taken than there is.
    let hours = items(&owner, &format!("/stats/tables?{ALL}")).await;
    assert_eq!(hours.len(), 168);
    let all = owner.get(&format!("/stats/summary?{ALL}")).await.is(200)["now"].clone();
    for field in ["parties", "people", "table_seconds"] {
        assert_eq!(sum(&hours, field), all[field], "{field}");
        assert_eq!(sum(&items(&owner, &format!("/stats/days?{ALL}")).await, field), all[field], "{field}");
    }
    for hour in &hours {
        let room = hour["days"].as_f64().expect("a number") * 3.0 * 3600.0;
        let share = hour["occupancy"].as_f64().expect("it is known");
        // On one Sunday the first hour is there twice.
        let longest = if hour["weekday"] == 7 && hour["hour"] == 0 { room + 3.0 * 3600.0 } else { room };
        let told = hour["table_seconds"].as_f64().expect("a number");
        assert!((told - share * longest).abs() < 2.0, "{hour}");
    }
}

#[tokio::test]
async fn a_match_that_was_played_is_told_of() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;
    let owner = app.owner().await;
    let told = eventually("the match", async || {
        let summary = owner.get("/stats/summary").await.is(200);
        (summary["now"]["finished"] == 1).then_some(summary)
    })
    .await;
    assert_eq!(
        (&told["now"]["players"], &told["now"]["guests"], &told["now"]["new_guests"]),
        (&json!(2), &json!(2), &json!(2))
    );
    let wins = items(&owner, "/stats/seats").await;
    assert_eq!((wins.len(), sum(&wins, "wins")), (2, 1));
}

#[tokio::test]
async fn bad_periods_are_refused_and_guests_learn_nothing() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let guest = app.guest("하늘").await;
    for call in ["summary", "days", "games", "hours", "tables", "length", "seats", "returning"] {
        let path = format!("/stats/{call}");
        app.anybody().get(&path).await.problem(401, "not_signed_in");
        guest.get(&path).await.problem(403, "forbidden");
        owner.get(&path).await.is(200);
        for (query, pointer, code) in [
            ("from=2026-11-02&until=2026-11-01", "until", "before_from"),
            ("from=2025-11-01&until=2026-11-02", "from", "period_too_long"),
            ("from=1999-12-31&until=2000-01-01", "from", "out_of_range"),
            ("until=9999-12-31", "until", "out_of_range"),
            ("from=-009999-01-01", "from", "out_of_range"),
        ] {
            let problem = owner.get(&format!("{path}?{query}")).await.problem(422, "invalid_fields");
            assert_eq!(
                (&problem["errors"][0]["pointer"], &problem["errors"][0]["code"]),
                (&json!(pointer), &json!(code))
            );
        }
        for query in ["from=yesterday", "until=2026-02-30", "from=", "since=2026-01-01"] {
            owner.get(&format!("{path}?{query}")).await.problem(400, "invalid_query");
        }
    }
    for query in ["game=chess", "variant=xyz", "variant=%F0%9F%8E%B2"] {
        owner.get(&format!("/stats/games?{query}")).await.problem(422, "invalid_fields");
    }
}

#[tokio::test]
async fn wins_are_told_by_order_of_play_and_by_role() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "middle-race", 3, json!({ "characters": "random" })).await;
    party.play_to_the_end().await;
    let owner = app.owner().await;
    let orders = eventually("the match is summed up", async || {
        let orders = owner.get("/stats/orders?game=middle-race").await.is(200);
        (orders["items"] != json!([])).then_some(orders)
    })
    .await;
    let places = orders["items"].as_array().expect("a list");
    assert_eq!(places.iter().map(|it| &it["place"]).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(places.iter().all(|it| it["finished"] == 1 && it["seats"] == 3), "{orders}");
    let ranks = &party.look().await["outcome"]["ranks"];
    let winners = ranks.as_array().expect("a list").iter().filter(|rank| **rank == 1).count();
    let wins =
        |of: &Value| of["items"].as_array().expect("a list").iter().filter_map(|it| it["wins"].as_u64()).sum::<u64>();
    assert_eq!(wins(&orders), winners as u64);
    let roles = owner.get("/stats/roles").await.is(200);
    assert_eq!(wins(&roles), winners as u64, "{roles}");
    assert_eq!(roles["items"].as_array().map(Vec::len), Some(3));
    // The lab tells of the same match.
    let rules = json!({ "game": "middle-race", "name": "섞어 달리기", "options": { "characters": "random" } });
    let variant = owner.post("/variants", rules).await.is(201);
    let lab = format!("/variants/{}/versions/1/lab?seats=3", variant["id"].as_str().expect("it has an id"));
    let real = owner.get(&lab).await.is(200)["real"].clone();
    assert_eq!((&real["matches"], real["wins_by_role"].as_object().map(|it| it.len())), (&json!(1), Some(3)), "{real}");
    let page = owner.open("/admin/stats/people").await.html();
    assert!(page.contains("id=\"orders\"") && page.contains("id=\"roles\""), "both are on the page");
    // Where all choose at once nobody is first.
    assert_eq!(owner.get("/stats/orders?game=perudo").await.is(200)["items"], json!([]));
}

/// Sixty days that the planner knows of, and three hundred before that came in the same transaction, as when all is summed up again.
const STALE_STATISTICS: &str = "
    INSERT INTO guest_days (day, player_id, is_first)
    SELECT date '2026-01-01' + n % 60, md5((n / 60)::text)::uuid, false FROM generate_series(0, 59999) AS n;
    ANALYZE guest_days;
    INSERT INTO guest_days (day, player_id, is_first)
    SELECT date '2025-01-01' + n % 300, md5((n / 300)::text)::uuid, false FROM generate_series(0, 299999) AS n;
    SET plan_cache_mode = force_custom_plan;";

#[test]
fn earlier_days_are_found_guest_by_guest_with_stale_statistics() {
    let database = Database::new();
    let statement = |name: &str| {
        let file = repository().join("api/play/src/stats/store").join(name);
        std::fs::read_to_string(file).expect("it is there")
    };
    database.with(|client| {
        client.batch_execute(STALE_STATISTICS).expect("the superuser may");
        for (file, types, values) in
            [("guests.sql", "date, text", "'2025-10-01', 'Asia/Seoul'"), ("visits.sql", "date", "'2025-10-01'")]
        {
            let name = file.split('.').next().expect("it has one");
            client.batch_execute(&format!("PREPARE {name} ({types}) AS {}", statement(file))).expect("it is one");
            let plan = client.query(&format!("EXPLAIN EXECUTE {name} ({values})"), &[]).expect("it can be planned");
            let plan: Vec<String> = plan.iter().map(|row| row.get(0)).collect();
            let earlier: Vec<_> = plan.iter().filter(|line| line.contains("guest_days earlier")).collect();
            assert_eq!(earlier.len(), 1, "{file}: {plan:#?}");
            assert!(earlier[0].contains("guest_days_player_idx"), "{file}: {plan:#?}");
        }
    });
}
