//! What a page asks of the database: a bounded number of statements, and no more of them the longer the café has been open.

use std::collections::BTreeMap;
use std::process::Command;

use futures_util::future::join_all;
use harness::{Database, Launch, Party, Server, TestApp, Visitor, eventually, program, run};
use serde_json::json;

const OWNER: (&str, &str) = ("owner@house-rules.test", "correct horse battery staple");
/// More round trips than that are felt.
const MOST: u64 = 25;
/// As many rows more for each that there is.
const TIMES: usize = 8;
const TRIES: usize = 3;

/// Pages of staff and of guests, and for those of one thing where a link to it stands.
const PAGES: &[(&str, Option<&str>)] = &[
    ("/admin", None),
    ("/admin/floor?screen=1", None),
    ("/admin/search?q=player", None),
    ("/admin/tables", None),
    ("/admin/tables/", Some("/admin/tables")),
    ("/admin/tables/qr", None),
    ("/admin/tables/plan", None),
    ("/admin/matches", None),
    ("/admin/matches?status=finished", None),
    ("/admin/matches/", Some("/admin/matches?status=running")),
    ("/admin/matches/ ", Some("/admin/matches?status=finished")),
    ("/admin/series", None),
    ("/admin/series/", Some("/admin/series")),
    ("/admin/variants", None),
    ("/admin/variants/", Some("/admin/variants")),
    ("/admin/library", None),
    ("/admin/library/titles/", Some("/admin/library")),
    ("/admin/players", None),
    ("/admin/players/", Some("/admin/players?q=player0")),
    ("/admin/leaderboards", None),
    ("/admin/stats", None),
    ("/admin/stats/games", None),
    ("/admin/stats/people", None),
    ("/admin/staff", None),
    ("/admin/staff/sessions", None),
    ("/admin/closing", None),
    ("/admin/settings", None),
    ("/admin/settings/tariff", None),
    ("/admin/audit", None),
    ("/admin/operations", None),
    ("/admin/account", None),
    ("/", None),
    ("/library", None),
    ("/rules/perudo", None),
];

/// Everything that only grows, many times over.
const MORE: &str = "
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE twins AS
        SELECT id AS of, gen_random_uuid() AS id, lpad(to_hex(row_number() OVER ()), 6, '0') AS code
        FROM matches, generate_series(1, TIMES) WHERE finished_at IS NOT NULL;
    INSERT INTO matches SELECT (jsonb_populate_record(m, jsonb_build_object('id', t.id, 'code', t.code))).*
        FROM matches m JOIN twins t ON t.of = m.id;
    INSERT INTO match_seats SELECT (jsonb_populate_record(s, jsonb_build_object('match_id', t.id))).*
        FROM match_seats s JOIN twins t ON t.of = s.match_id;
    INSERT INTO match_log SELECT (jsonb_populate_record(l, jsonb_build_object('match_id', t.id))).*
        FROM match_log l JOIN twins t ON t.of = l.match_id WHERE l.version < 3;
    INSERT INTO player_match_stats SELECT (jsonb_populate_record(s, jsonb_build_object('match_id', t.id))).*
        FROM player_match_stats s JOIN twins t ON t.of = s.match_id;
    INSERT INTO rating_changes SELECT (jsonb_populate_record(c, jsonb_build_object('match_id', t.id))).*
        FROM rating_changes c JOIN twins t ON t.of = c.match_id;
    INSERT INTO sittings SELECT (jsonb_populate_record(s, jsonb_build_object(
            'id', gen_random_uuid(), 'join_token', gen_random_uuid()))).*
        FROM sittings s, generate_series(1, TIMES) WHERE closed_at IS NOT NULL;
    INSERT INTO players SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid()))).*
        FROM players p, generate_series(1, TIMES) WHERE email IS NULL;
    RESET session_replication_role;
    INSERT INTO audit_log (at, actor, action, subject, subject_id, details)
        SELECT at, actor, action, subject, subject_id, details FROM audit_log, generate_series(1, 3) AS copy
        ORDER BY copy, id;
    ANALYZE;
";

/// How many statements requests have asked so far.
async fn asked(visitor: &Visitor) -> u64 {
    let metrics = visitor.open("/metrics").await;
    let metrics = metrics.text();
    let count = metrics.lines().find_map(|line| line.strip_prefix(r#"database_statements_total{by="requests"} "#));
    count.expect("it is counted").parse().expect("it is a number")
}

/// The pages that the list means, as they stand now.
async fn addresses(visitor: &Visitor) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    for &(page, list) in PAGES {
        let Some(list) = list else {
            found.push((page, page.to_owned()));
            continue;
        };
        let answer = visitor.open(list).await.text();
        let links = answer.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let is_one = |link: &&str| link.strip_prefix(page.trim_end()).is_some_and(|rest| rest.contains('-'));
        let link = links.map(|it| it.split('?').next().unwrap_or(it)).find(is_one);
        found.push((page, link.unwrap_or_else(|| panic!("{list} leads to no {page}…")).to_owned()));
    }
    found
}

/// By page, how many statements it takes itself: the fewest of some tries, since now and then a request notes besides that
/// its session was seen, or is the first on a new connection.
async fn count(visitor: &Visitor, pages: &[(&'static str, String)]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for (page, address) in pages {
        for _ in 0..TRIES {
            let before = asked(visitor).await;
            assert_eq!(visitor.open(address).await.status, 200, "{address}");
            let count = asked(visitor).await - before;
            counts.entry(*page).and_modify(|fewest: &mut u64| *fewest = count.min(*fewest)).or_insert(count);
        }
    }
    counts
}

async fn owner(server: &Server) -> Visitor {
    let owner = Visitor::new(server.url());
    assert_eq!(owner.sign_in_at_page(OWNER).await.status, 303);
    owner
}

#[tokio::test]
async fn a_long_history_costs_a_page_no_more_statements() {
    let database = Database::new();
    let mut demo = Command::new(program("houserules"));
    demo.args(["demo", "--weeks", "1"]).env("DATABASE_URL", database.owner_url());
    run(demo.env("HOUSERULES_OWNER_EMAIL", OWNER.0).env("HOUSERULES_OWNER_PASSWORD", OWNER.1)).well();
    let launch = Launch::new().set("DATABASE_URL", database.url()).set("HOUSERULES_WORKERS", "1");
    let server = launch.set("HOUSERULES_RATE_LIMITS", "off").start();
    let owner = owner(&server).await;
    let pages = addresses(&owner).await;
    let few = count(&owner, &pages).await;
    database.with(|client| client.batch_execute(&MORE.replace("TIMES", &TIMES.to_string())).expect("it can be more"));
    let many = count(&owner, &pages).await;
    assert_eq!(few, many);
    let too_many: Vec<_> = few.iter().filter(|(_, count)| **count > MOST).collect();
    assert!(too_many.is_empty(), "more than {MOST} statements: {too_many:?}");
    assert!(few["/admin"] > 0, "{few:?}");
}

/// After the first few times, which each connection takes to prepare what it needs and to settle on a plan.
const WARM_UP: usize = 8;
const ROUNDS: usize = 12;

/// What players and staff ask for again and again while people come and matches are played.
async fn ask_everything(app: &TestApp, party: &mut Party, owner: &Visitor, owner_at_pages: &Visitor, code: &str) {
    app.guest("유진").await;
    party.rematch().await;
    party.step().await;
    for player in &party.players {
        player.get(&party.path("/view")).await.is(200);
    }
    owner.get(&party.path("")).await.is(200);
    for page in ["/admin", "/admin/floor?screen=1", "/admin/matches", "/admin/tables"] {
        assert_eq!(owner_at_pages.open(page).await.status, 200, "{page}");
    }
    assert_eq!(party.players[0].open(&format!("/m/{code}")).await.status, 200);
    let mut live = owner.listen(&party.path("/stream"), None).await;
    live.next_of("frame").await;
}

#[tokio::test]
async fn what_is_asked_all_the_time_is_prepared_once() {
    let mut app = TestApp::start();
    app.database().log_statements();
    app.restart_with(|launch| launch);
    let (owner, owner_at_pages) = (app.owner().await, app.owner_at_pages().await);
    let mut party = Party::start(&app, "perudo", 6, json!({})).await;
    let code = party.look().await["code"].as_str().expect("a match has a code").to_owned();
    for _ in 0..WARM_UP {
        ask_everything(&app, &mut party, &owner, &owner_at_pages, &code).await;
    }
    let before = app.database().prepared().len();
    assert!(before > 0, "what is prepared is logged");
    for _ in 0..ROUNDS {
        ask_everything(&app, &mut party, &owner, &owner_at_pages, &code).await;
    }
    let mut again = BTreeMap::new();
    for statement in &app.database().prepared()[before..] {
        *again.entry(statement.clone()).or_insert(0) += 1;
    }
    // What is asked each time; the house asks now and then, by connections that are not warm yet.
    again.retain(|_, times| *times >= ROUNDS);
    assert!(again.is_empty(), "prepared again and again: {again:#?}");
}

/// On how many connections a view was the last thing asked, since the moment that this function gave last.
fn connections_that_saw_views(database: &Database, since: &str) -> (i64, String) {
    let asked = format!(
        "SELECT count(*) FILTER (WHERE query_start > '{since}' AND query LIKE 'SELECT \"match_seats\"%'), clock_timestamp()::text
         FROM pg_stat_activity WHERE datname = current_database()"
    );
    let row = database.with(|client| client.query_one(&asked, &[])).expect("it counts");
    (row.get(0), row.get(1))
}

#[tokio::test]
async fn requests_one_after_the_other_take_the_same_connection() {
    const CONNECTIONS: usize = 4;
    // One more for the autopilot, which looks at the seats each second.
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_POOL_SIZE", "5"));
    let party = Party::start(&app, "perudo", 2, json!({})).await;
    let path = party.path("/view");
    let lock = app.database().lock("match_seats");
    let (_, before) = connections_that_saw_views(app.database(), "-infinity");
    let together = join_all((0..CONNECTIONS).map(|_| party.players[0].get(&path)));
    let unlock = async {
        eventually("all to wait", async || (app.database().waiting() == CONNECTIONS as i64).then_some(())).await;
        drop(lock);
    };
    tokio::join!(together, unlock);
    let (together, before) = connections_that_saw_views(app.database(), &before);
    assert_eq!(together, CONNECTIONS as i64);
    for _ in 0..CONNECTIONS {
        party.players[0].get(&path).await.is(200);
    }
    assert_eq!(connections_that_saw_views(app.database(), &before).0, 1);
}
