//! A streaming standby answers what may be a moment old, and takes the place of a database that is gone.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use harness::{Answer, Database, Fault, Launch, Party, ReplicatedPostgres, TestApp, Visitor, eventually, within};
use reqwest::Method;
use serde_json::json;

use crate::matches::record_holds;

/// Longer than a standby may be behind, and shorter than anybody's patience.
const SOON: Duration = Duration::from_secs(30);

/// One process that reads from a standby by this address.
fn start_reading(postgres: &ReplicatedPostgres, standby: String) -> TestApp {
    TestApp::start_at(postgres.database(), |launch| {
        launch.set("DATABASE_URL", postgres.database().url()).set("HOUSERULES_READ_URL", standby)
    })
}

async fn metric(visitor: &Visitor, name: &str) -> Option<f64> {
    let metrics = visitor.get_page("/metrics").await.text();
    metrics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok())
}

/// Until the standby is read from, or no longer is.
async fn reads_from_standby(visitor: &Visitor, expected: bool) {
    let wanted = f64::from(u8::from(expected));
    within(SOON, "the standby to be judged", async || {
        (metric(visitor, "read_replica_in_use").await == Some(wanted)).then_some(())
    })
    .await;
}

/// How many reads the standby did, and how many the database did in its place.
async fn reads(visitor: &Visitor) -> [f64; 2] {
    let by = async |server: &str| metric(visitor, &format!("reads_total{{by=\"{server}\"}}")).await.unwrap_or(0.0);
    [by("replica").await, by("database").await]
}

#[tokio::test]
async fn what_may_be_a_moment_old_is_read_from_the_standby() {
    let postgres = ReplicatedPostgres::start();
    let app = start_reading(&postgres, postgres.standby().url());
    let owner = app.owner().await;
    let at_pages = app.owner_at_pages().await;
    let mut party = Party::start(&app, "liars-dice", 2, json!({})).await;
    party.play_to_the_end().await;
    let stage = json!({ "format": { "kind": "single_elimination", "third_place": false },
        "scoring": { "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } } });
    let new = json!({ "name": "가을", "game": "perudo", "stages": [stage] });
    let cup = owner.post("/tournaments", new).await.is(201);
    let cup_path = format!("/tournaments/{}", cup["id"].as_str().expect("it has an id"));
    owner.post(&format!("{cup_path}/registration"), json!({})).await.is(200);
    let new = json!({ "name": "가을 시즌", "rules": { "points": { "kind": "beaten" } } });
    let season = owner.post("/series", new).await.is(201);
    let season_path = format!("/series/{}", season["series"]["id"].as_str().expect("it has an id"));
    let variant = json!({ "name": "우리 집", "game": "perudo", "options": {} });
    let variant = owner.post("/variants", variant).await.is(201);
    let variant = variant["id"].as_str().expect("it has an id");
    owner.post(&format!("/variants/{variant}/publish"), json!({})).await.is(200);
    let player = party.players[0].id();
    let api = [
        "/stats/summary",
        "/stats/days",
        "/stats/games",
        "/stats/hours",
        "/stats/tables",
        "/stats/length",
        "/stats/seats",
        "/stats/orders",
        "/stats/roles",
        "/stats/returning",
        "/leaderboards/liars-dice",
        &format!("/players/{player}/ratings?game=liars-dice"),
        &format!("/players/{player}/matches"),
        &format!("/players/{player}/stats"),
        "/matches?status=finished",
        &party.path("/replay?as=omniscient"),
        &party.path("/record"),
        &format!("/games/perudo/rules?variant={variant}"),
        "/auth/me/export",
        "/library/export.csv",
        &format!("{season_path}/table.csv"),
        &format!("{cup_path}/export"),
    ];
    let wall = format!("/tournaments/{}?screen=1", cup["code"].as_str().expect("it has a code"));
    let pages = [
        "/admin/stats",
        "/admin/stats/games",
        "/admin/stats/people",
        "/admin/stats/export",
        "/admin/leaderboards",
        "/leaderboards",
        "/admin/matches?status=finished",
        &format!("/admin/matches/{}", party.id),
        "/admin/sittings/export",
        "/admin/audit/export",
        &format!("/rules/perudo?variant={variant}"),
        &wall,
    ];
    reads_from_standby(&owner, true).await;
    let asked = api.map(|path| (true, path)).into_iter().chain(pages.map(|path| (false, path)));
    for (is_api, path) in asked {
        // The standby may not know yet what was made for this; then the database answers.
        eventually(path, async || {
            let before = reads(&owner).await;
            let answer = if is_api { owner.get(path).await } else { at_pages.get_page(path).await };
            assert_eq!(answer.status, 200, "{path}: {}", answer.text());
            let after = reads(&owner).await;
            (after[0] > before[0] && after[1] == before[1]).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn a_standby_that_shows_nothing_new_hides_nothing() {
    let postgres = ReplicatedPostgres::start();
    let app = start_reading(&postgres, postgres.standby().url());
    let anybody = app.anybody();
    let mut party = Party::start(&app, "liars-dice", 2, json!({})).await;
    reads_from_standby(&anybody, true).await;
    postgres.pause();
    // It is over in the database only.
    party.play_to_the_end().await;
    record_holds(&party).await;
    let replay = party.players[0].get(&party.path("/replay?as=omniscient")).await.is(200);
    assert_eq!(replay["version"], party.look().await["version"]);
    // Sessions and permissions never come from it.
    let late = app.guest("늦은 손님").await;
    late.get(&format!("/players/{}/stats", late.id())).await.is(200);
    reads_from_standby(&anybody, false).await;
    party.players[0].get(&party.path("/record")).await.is(200);
    postgres.resume();
    reads_from_standby(&anybody, true).await;
}

#[tokio::test]
async fn a_standby_that_dies_or_falls_silent_costs_nobody_an_answer() {
    let postgres = ReplicatedPostgres::start();
    let (line, url) = postgres.standby().by_line();
    let mut app = start_reading(&postgres, url);
    app.server().forgive_errors();
    let anybody = app.anybody();
    let board = async || anybody.get("/leaderboards/perudo").await.is(200);
    reads_from_standby(&anybody, true).await;
    board().await;
    line.suffers(Fault::Asleep);
    // Who waits for it is answered as soon as it is given up.
    while metric(&anybody, "read_replica_in_use").await == Some(1.0) {
        board().await;
    }
    line.suffers(Fault::Cut);
    line.suffers(Fault::None);
    reads_from_standby(&anybody, true).await;
    postgres.kill_standby();
    for _ in 0..20 {
        board().await;
    }
    reads_from_standby(&anybody, false).await;
    // A process starts without it.
    let number = app.start_another();
    app.server_number(number).forgive_errors();
    anybody.at(app.url_of(number)).get("/leaderboards/perudo").await.is(200);
}

#[test]
fn a_server_that_is_no_standby_is_refused() {
    let postgres = ReplicatedPostgres::start();
    let other = Database::new();
    let launch = Launch::new().set("DATABASE_URL", postgres.database().url()).set("HOUSERULES_READ_URL", other.url());
    let Err(ran) = launch.try_start() else { panic!("it started") };
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.complained.contains("no standby of the one at DATABASE_URL"), "{}", ran.complained);
}

/// Plays to the end, whatever becomes of the database, and asks again for each move that was not answered.
async fn play_through(mut party: Party) -> Party {
    let asked = async |request: &dyn Fn() -> reqwest::RequestBuilder| {
        eventually("the database to be back", async || Some(Answer::of(request()).await).filter(|it| it.status != 503))
            .await
    };
    for number in 0.. {
        let look = asked(&|| party.players[0].api(Method::GET, &party.path(""))).await.is(200);
        let Some(seat) = look["view"]["to_move"][0].as_u64() else { break };
        let player = &party.players[seat as usize];
        let seen = asked(&|| player.api(Method::GET, &party.path("/view"))).await.is(200);
        let player = player.clone();
        let body = json!({ "move": party.pick(&seen["legal_moves"]), "version": seen["version"] });
        let send = || {
            let request = player.api(Method::POST, &party.path("/moves")).json(&body);
            request.header("Idempotency-Key", format!("move-{number}"))
        };
        let answer = asked(&send).await.is(200);
        // What is acknowledged is there, and counts once.
        assert_eq!(answer["version"].as_u64(), seen["version"].as_u64().map(|version| version + 1));
    }
    party
}

#[tokio::test]
async fn when_the_standby_takes_over_nothing_acknowledged_is_lost() {
    let postgres = Arc::new(ReplicatedPostgres::start());
    let mut app = TestApp::start_at(postgres.database(), |launch| {
        launch.set("DATABASE_URL", postgres.fail_over_url()).set("HOUSERULES_READ_URL", postgres.standby().url())
    });
    app.server().forgive_errors();
    let anybody = app.guest("구경꾼").await;
    let mut parties = Vec::new();
    for game in ["perudo", "perudo-pirates", "liars-dice", "dead-mans-draw"] {
        parties.push(Party::start(&app, game, 3, json!({})).await);
    }
    let first = parties[0].path("");
    let playing = join_all(parties.into_iter().map(play_through));
    let failing_over = async {
        let is_on = async || (anybody.get(&first).await.is(200)["version"].as_u64() >= Some(3)).then_some(());
        eventually("some moves", is_on).await;
        let postgres = postgres.clone();
        tokio::task::spawn_blocking(move || postgres.fail_over()).await.expect("it is promoted");
    };
    let (played, ()) = tokio::join!(playing, failing_over);
    for party in &played {
        record_holds(party).await;
    }
    // It is no standby any more, and the database is not read from twice.
    reads_from_standby(&anybody, false).await;
    let number = app.start_another();
    app.server_number(number).forgive_errors();
    let gaps = "SELECT count(*) FROM matches m
                WHERE version + 1 <> (SELECT count(*) FROM match_log l WHERE l.match_id = m.id)";
    let count: i64 = postgres.standby().with(|client| client.query_one(gaps, &[]).expect("it counts").get(0));
    assert_eq!(count, 0);
}
