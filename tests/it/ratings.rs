//! Ratings: what counts, what it changes and why, who stands where, and that reckoning again changes nothing.

use std::collections::HashMap;

use engine::ratings::{Entrant, Rating, changes};
use engine::{Source, playout};
use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::history::{History, Past, ProjectionJob};

async fn register(app: &TestApp, name: &str) -> Visitor {
    let email = format!("{}@example.org", name.to_lowercase());
    let account = json!({ "display_name": name, "email": email, "password": "a long enough password" });
    app.anybody().sign_in("/auth/register", account, 201).await
}

async fn registered(app: &TestApp, names: &[&str]) -> Vec<Visitor> {
    let mut players = Vec::new();
    for name in names {
        players.push(register(app, name).await);
    }
    players
}

/// JSON brings numbers to within their last digit.
#[track_caller]
fn is_about(found: &Value, expected: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
}

async fn board(app: &TestApp, query: &str) -> Vec<Value> {
    let board = app.anybody().get(&format!("/leaderboards/perudo{query}")).await.is(200);
    board["items"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn a_match_of_registered_players_changes_their_ratings_and_says_why() {
    let app = TestApp::start();
    let mut party = Party::gather(&app, "perudo", 3, json!({})).await;
    for (seat, name) in ["Ana", "Bea", "Tom"].into_iter().enumerate() {
        let account = json!({ "email": format!("{name}@example.org"), "password": "a long enough password" });
        party.players[seat] = party.players[seat].sign_in("/auth/register", account, 201).await;
    }
    party.begin().await;
    party.play_to_the_end().await;
    History::of(&app).settled().await;
    let outcome = party.look().await["outcome"].clone();
    let places: Vec<u8> = (0..3).map(|seat| outcome["ranks"][seat].as_u64().expect("a place") as u8).collect();
    let expected = engine::ratings::after_match(&[Rating::default(); 3], &places);
    for (seat, player) in party.players.iter().enumerate() {
        let history = player.get(&format!("/players/{}/ratings?game=perudo", player.id())).await.is(200);
        let change = &history["items"][0];
        assert_eq!(change["match_id"], party.id, "{history}");
        assert_eq!(change["before"]["rating"], 1000);
        is_about(&change["after"]["mean"], expected[seat].mean);
        is_about(&change["after"]["deviation"], expected[seat].deviation);
        assert_eq!(change["why"]["reason"], "played");
        assert_eq!((&change["why"]["opponents"], &change["why"]["expected"]), (&json!(2), &json!(1.0)));
        assert_eq!(change["why"]["beaten"].as_f64(), Some(f64::from(3 - places[seat])));
        let profile = app.guest("Nobody").await.get(&format!("/players/{}", player.id())).await.is(200);
        assert_eq!(profile["registered"], true);
        assert_eq!(profile["ratings"][0]["game"], "perudo");
        assert_eq!(profile["ratings"][0]["rating"], change["after"]["rating"]);
        assert!(profile.get("email").is_none(), "{profile}");
        let played = player.get(&format!("/players/{}/matches", player.id())).await.is(200);
        assert_eq!(played["items"][0]["place"], places[seat]);
        assert_eq!(played["items"][0]["rating"]["after"], change["after"]["rating"]);
        let stats = player.get(&format!("/players/{}/stats", player.id())).await.is(200);
        let game = &stats["games"][0];
        assert_eq!((&game["matches"], &game["wins"]), (&json!(1), &json!(u8::from(places[seat] == 1))), "{stats}");
        assert_eq!(stats["head_to_head"].as_array().map(Vec::len), Some(2));
    }
    let calls = async |player: &Visitor| {
        let stats = player.get(&format!("/players/{}/stats", player.id())).await.is(200);
        let calls = &stats["games"][0]["calls"];
        calls["right"].as_i64().unwrap_or(0) + calls["wrong"].as_i64().unwrap_or(0)
    };
    let mut made = 0;
    for player in &party.players {
        made += calls(player).await;
    }
    let record = party.players[0].get(&party.path("/record")).await.is(200);
    let log = record["log"].as_array().expect("a log");
    assert_eq!(made, log.iter().filter(|entry| entry["move"]["type"] == "dudo").count() as i64);
    // Not sure yet, so on the other board; and the same by the rules that were played.
    assert!(board(&app, "").await.is_empty());
    let all = board(&app, "?provisional=true").await;
    assert_eq!(all.iter().map(|it| it["rank"].clone()).collect::<Vec<_>>(), [1, 2, 3]);
    let hash = record["variant_hash"].as_str().expect("a hash");
    assert_eq!(board(&app, &format!("?provisional=true&variant={hash}")).await, all);
    assert!(History::of(&app).recomputed().contains("1 matches recomputed; 0 rows differ"));
}

#[tokio::test]
async fn a_match_with_a_guest_counts_once_the_guest_has_registered() {
    let app = TestApp::start();
    let ana = register(&app, "Ana").await;
    let guest = app.guest("Zoë").await;
    let history = History::of(&app);
    history.finish(&Past::of(&[ana.id(), guest.id()], &[1, 2]));
    history.settled().await;
    assert!(board(&app, "?provisional=true").await.is_empty());
    let stats = ana.get(&format!("/players/{}/stats", ana.id())).await.is(200);
    assert_eq!((&stats["matches"], &stats["head_to_head"][0]["ahead"]), (&json!(1), &json!(1)));
    let account = json!({ "email": "zoe@example.org", "password": "a long enough password" });
    guest.sign_in("/auth/register", account, 201).await;
    history.settled().await;
    let board = board(&app, "?provisional=true").await;
    assert_eq!((&board[0]["player"]["id"], &board[1]["player"]["id"]), (&json!(ana.id()), &json!(guest.id())));
    assert!(History::of(&app).recomputed().contains("0 rows differ"));
}

#[tokio::test]
async fn who_registers_and_the_ratings_that_follow_do_not_wait_for_each_other() {
    let app = TestApp::start();
    let guest = app.guest("Zoë").await;
    let past = Past::of(&[app.guest("Ana").await.id(), guest.id()], &[1, 2]);
    let history = History::of(&app);
    let job = ProjectionJob::begin(&app);
    history.finish(&past);
    job.take(&past.id.to_string());
    let account = json!({ "email": "zoe@example.org", "password": "a long enough password" });
    let registered = async { guest.post("/auth/register", account).await };
    let meanwhile = async {
        eventually("who registers waits for the job", async || (app.database().waiting() > 0).then_some(())).await;
        job.refer_to("players", guest.id())
    };
    let (registered, job) = tokio::join!(registered, meanwhile);
    registered.is(201);
    job.join().expect("it ends").expect("no deadlock");
    history.settled().await;
    assert!(history.recomputed().contains("0 rows differ"));
}

/// Who takes several results back marks one after the other.
#[tokio::test]
async fn ratings_wait_for_nobody_who_marks() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea"]).await;
    let history = History::of(&app);
    let pasts = [0, 1, 2, 3].map(|day| Past { day, ..Past::of(&[players[0].id(), players[1].id()], &[1, 2]) });
    let (first, others) = pasts.split_first().expect("there are four");
    // As it starts, it reckons all of them for its time zone.
    history.finish(first);
    history.settled().await;
    // The number under which processes agree who updates them.
    let alone = app.database().hold("SELECT pg_advisory_xact_lock(x'736574746c65'::bigint)".to_owned());
    others.iter().for_each(|past| history.finish(past));
    let marks = format!("UPDATE pending_projections SET finished_at = finished_at WHERE match_id = '{}'", others[1].id);
    let marking = app.database().hold(marks);
    drop(alone);
    let all_but_one = async || {
        let pending = "SELECT count(*) FROM pending_projections";
        let pending: i64 = app.database().with(|client| client.query_one(pending, &[])).expect("it counts").get(0);
        (pending == 1).then_some(())
    };
    eventually("all others are rated", all_but_one).await;
    drop(marking);
    history.settled().await;
    assert!(history.recomputed().contains("; 0 rows differ"));
}

#[tokio::test]
async fn who_never_moved_is_not_rated() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea", "Tom"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    history.finish(&Past { left: vec![1], absent: vec![1], ..Past::of(&ids[..2], &[1, 2]) });
    history.finish(&Past { left: vec![2], absent: vec![2], day: 1, ..Past::of(&ids, &[2, 3, 1]) });
    history.settled().await;
    let ratings = history.ratings();
    let expected = engine::ratings::after_match(&[Rating::default(); 2], &[1, 2]);
    assert_eq!(ratings.len(), 2, "nobody is rated for the match that one of two was absent from");
    for (id, expected) in ids.iter().zip(expected) {
        is_about(&json!(ratings[*id].mean), expected.mean);
    }
}

#[tokio::test]
async fn who_gives_up_before_their_first_move_is_rated() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    history.finish(&Past { left: vec![1], gave_up: vec![1], ..Past::of(&ids, &[2, 1]) });
    history.settled().await;
    let changes = players[1].get(&format!("/players/{}/ratings?game=perudo", ids[1])).await.is(200);
    assert_eq!(changes["items"][0]["why"]["reason"], "left_early");
    let expected = engine::ratings::after_match(&[Rating::default(); 2], &[1, 2])[1];
    is_about(&changes["items"][0]["after"]["mean"], expected.mean);
    assert!(history.recomputed().contains("0 rows differ"));
}

#[tokio::test]
async fn who_leaves_early_is_last_and_nobody_gains_by_it() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea", "Tom"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    history.finish(&Past { left: vec![2], ..Past::of(&ids, &[2, 3, 1]) });
    history.settled().await;
    let newcomers = |places: &[u8]| engine::ratings::after_match(&vec![Rating::default(); places.len()], places);
    let expected = [newcomers(&[1, 2])[0], newcomers(&[1, 2])[1], newcomers(&[1, 2, 3])[2]];
    for ((player, expected), why) in players.iter().zip(expected).zip(["played", "played", "left_early"]) {
        let changes = player.get(&format!("/players/{}/ratings?game=perudo", player.id())).await.is(200);
        is_about(&changes["items"][0]["after"]["mean"], expected.mean);
        assert_eq!(changes["items"][0]["why"]["reason"], why);
    }
    // Whatever came of the seat, who left has not won.
    let stats = players[2].get(&format!("/players/{}/stats", players[2].id())).await.is(200);
    assert_eq!((&stats["games"][0]["wins"], &stats["games"][0]["left_early"]), (&json!(0), &json!(1)));
    assert_eq!((&stats["games"][0]["places"], &stats["games"][0]["streak"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn boards_are_paged_and_kept_for_each_month() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea", "Tom", "Lea"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    history.finish(&Past { day: 0, ..Past::of(&ids[..2], &[1, 2]) });
    history.finish(&Past { day: 40, ..Past::of(&ids[2..], &[1, 1]) });
    history.settled().await;
    let of = |board: &[Value]| -> Vec<(i64, String)> {
        let of_one = |it: &Value| {
            (it["rank"].as_i64().unwrap_or(0), it["player"]["display_name"].as_str().unwrap_or_default().to_owned())
        };
        board.iter().map(of_one).collect()
    };
    let all = board(&app, "?provisional=true").await;
    let mut names = of(&all);
    // Equals share a rank, and are in the order of their ids.
    names[1..3].sort();
    assert_eq!(names, [(1, "Ana".into()), (2, "Lea".into()), (2, "Tom".into()), (4, "Bea".into())]);
    let mut paged = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/leaderboards/perudo?provisional=true&limit=1{cursor}");
        let page = app.anybody().get(&path).await.is(200);
        paged.extend(page["items"].as_array().expect("a list").clone());
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(paged, all);
    assert_eq!(of(&board(&app, "?provisional=true&month=2026-01").await), [(1, "Ana".into()), (2, "Bea".into())]);
    assert_eq!(board(&app, "?provisional=true&month=2026-02").await.len(), 2);
    assert!(board(&app, "?provisional=true&month=2026-03").await.is_empty());
    for wrong in ["?month=2026-13", "?variant=abc", "?cursor=x", "?limit=0", "?nonsense=1"] {
        app.anybody().get(&format!("/leaderboards/perudo{wrong}")).await.problem(400, "invalid_query");
    }
    app.anybody().get("/leaderboards/chess").await.problem(404, "unknown_game");
}

/// Reckons the ratings of a game again, in the order in which its matches finished.
fn reckon(matches: &[Past], guests: &[String]) -> HashMap<String, Rating> {
    let mut ratings: HashMap<String, Rating> = HashMap::new();
    let mut order: Vec<&Past> = matches.iter().filter(|it| !it.players.iter().any(|it| guests.contains(it))).collect();
    order.sort_by_key(|it| (it.day, it.id));
    for it in order {
        let entrant = |(seat, player): (usize, &String)| Entrant {
            before: ratings.get(player).copied().unwrap_or_default(),
            place: it.ranks[seat],
            left_early: it.left.contains(&(seat as u8)),
        };
        let entrants: Vec<Entrant> = it.players.iter().enumerate().map(entrant).collect();
        for (player, change) in it.players.iter().zip(changes(&entrants)) {
            ratings.insert(player.clone(), change.after);
        }
    }
    ratings
}

#[tokio::test]
async fn whatever_happens_in_whatever_order_the_stored_ratings_are_those_of_a_recomputation() {
    for seed in 0..3 {
        let mut app = TestApp::start();
        // Two settle at once.
        app.start_another();
        let history = History::of(&app);
        let mut chance = playout::random(seed);
        let mut players = registered(&app, &["Ana", "Bea", "Tom", "Lea", "Max"]).await;
        let mut guests = vec![app.guest("Zoë").await, app.guest("Kim").await];
        let mut matches: Vec<Past> = Vec::new();
        for turn in 0..60 {
            match chance.below(10) {
                0 if !matches.is_empty() => {
                    let which = chance.below(matches.len() as u32) as usize;
                    matches[which].ranks = ranks(matches[which].players.len(), &mut chance);
                    history.correct(&matches[which]);
                }
                1 if turn > 20 && !guests.is_empty() => {
                    let account =
                        json!({ "email": format!("guest{turn}@example.org"), "password": "a long enough password" });
                    players.push(guests.remove(0).sign_in("/auth/register", account, 201).await);
                }
                2 => history.settled().await,
                _ => {
                    let past = random_match(&players, &guests, &mut chance);
                    history.finish(&past);
                    matches.push(past);
                }
            }
        }
        history.settled().await;
        let guests: Vec<String> = guests.iter().map(|it| it.id().to_owned()).collect();
        let expected = reckon(&matches, &guests);
        let stored = history.ratings();
        assert!(expected.len() > 3 && stored == expected, "seed {seed}: {stored:?} is not {expected:?}");
        let said = History::of(&app).recomputed();
        assert!(said.contains(&format!("{} matches recomputed; 0 rows differ", matches.len())), "seed {seed}: {said}");
        // A row that was tampered with is found and mended.
        history.tamper();
        assert!(!History::of(&app).recomputed().contains(" 0 rows differ"));
        assert_eq!(history.ratings(), expected);
    }
}

#[tokio::test]
async fn two_people_rate_ten_matches_of_a_game_a_day() {
    const MOST: usize = 10;
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea", "Tom"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    let mut matches: Vec<Past> = (0..MOST + 2).map(|_| Past::of(&ids[..2], &[1, 2])).collect();
    // A third at the table makes it no other pair.
    matches.push(Past::of(&ids, &[1, 2, 3]));
    matches.push(Past { day: 1, ..Past::of(&ids[..2], &[1, 2]) });
    // The last of the first day is settled before the others are known.
    for past in matches.iter().rev() {
        history.finish(past);
    }
    history.settled().await;
    let rated = |matches: &[Past]| -> Vec<Past> { [&matches[..MOST], &matches[MOST + 3..]].concat() };
    assert_eq!(history.ratings(), reckon(&rated(&matches), &[]));
    assert!(!history.ratings().contains_key(ids[2]));
    let of = |what: &str| format!("/players/{}/{what}", players[0].id());
    let played = players[0].get(&of("matches?limit=100")).await.is(200);
    let played = played["items"].as_array().expect("a list");
    let reasons: Vec<&Value> = played.iter().map(|it| &it["rating"]["reason"]).collect();
    let expected: Vec<&str> = [["played"].as_slice(), &["too_often"; 3], &["played"; MOST]].concat();
    assert_eq!(reasons, expected);
    assert_eq!(played[1]["rating"]["before"], played[1]["rating"]["after"]);
    assert_eq!(players[0].get(&of("stats")).await.is(200)["matches"], matches.len());
    let standing = &players[0].get(&format!("/players/{}", ids[0])).await.is(200)["ratings"][0];
    assert_eq!(standing["matches"], MOST + 1);
    // An earlier result changes: the same are rated.
    matches[0].ranks = vec![2, 1];
    history.correct(&matches[0]);
    history.settled().await;
    assert_eq!(history.ratings(), reckon(&rated(&matches), &[]));
    assert!(history.recomputed().contains(&format!("{} matches recomputed; 0 rows differ", matches.len())));
}

#[tokio::test]
async fn a_private_match_is_in_the_history_for_those_who_may_know_of_it() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea", "Tom"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    let private = Past::of(&ids[..2], &[1, 2]);
    history.finish(&private);
    history.hide(&private);
    history.finish(&Past { day: 1, ..Past::of(&[ids[0], ids[2]], &[2, 1]) });
    history.settled().await;
    let seen = async |reader: &Visitor| {
        let read = async |what: &str| reader.get(&format!("/players/{}/{what}", ids[0])).await.is(200);
        let (matches, changes) = (read("matches").await, read("ratings?game=perudo").await);
        let stats = read("stats").await;
        let count = |list: &Value| list.as_array().map_or(0, Vec::len);
        let sums = [&stats["matches"], &stats["wins"], &stats["games"][0]["places"]].map(Clone::clone);
        ([count(&matches["items"]), count(&changes["items"]), count(&stats["head_to_head"])], sums)
    };
    let all = ([2, 2, 2], [json!(2), json!(1), json!([1, 1])]);
    let public = ([1, 1, 1], [json!(1), json!(0), json!([0, 1])]);
    for reader in [&players[0], &players[1], &app.owner().await] {
        assert_eq!(seen(reader).await, all);
    }
    for reader in [&players[2], &app.guest("Zoe").await] {
        assert_eq!(seen(reader).await, public);
    }
    let of_bea = app.guest("Kim").await.get(&format!("/players/{}/stats", ids[1])).await.is(200);
    assert_eq!((&of_bea["matches"], &of_bea["games"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn a_private_match_that_somebody_left_is_taken_out_as_it_was_counted() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea"]).await;
    let ids: Vec<&str> = players.iter().map(Visitor::id).collect();
    let history = History::of(&app);
    history.finish(&Past::of(&ids, &[1, 2]));
    // The autopilot won for Bea, who had left: Ana was ahead.
    let private = Past { left: vec![1], day: 1, ..Past::of(&ids, &[2, 1]) };
    history.finish(&private);
    history.hide(&private);
    history.settled().await;
    let met = async |reader: &Visitor| {
        let stats = reader.get(&format!("/players/{}/stats", ids[0])).await.is(200);
        ["matches", "ahead", "behind"].map(|field| stats["head_to_head"][0][field].as_i64())
    };
    assert_eq!(met(&players[0]).await, [Some(2), Some(2), Some(0)]);
    assert_eq!(met(&app.guest("Zoe").await).await, [Some(1), Some(1), Some(0)]);
}

fn random_match(players: &[Visitor], guests: &[Visitor], chance: &mut dyn Source) -> Past {
    let mut all: Vec<&Visitor> = players.iter().chain(guests).collect();
    let seats = 2 + chance.below(3) as usize;
    let seated: Vec<&str> = (0..seats).map(|_| all.remove(chance.below(all.len() as u32) as usize).id()).collect();
    let left = (0..seats as u8).filter(|_| chance.below(8) == 0).collect();
    let ranks = ranks(seats, chance);
    // Few days, so that matches finish together and come in any order.
    Past { day: chance.below(50), left, ..Past::of(&seated, &ranks) }
}

/// Places, with ties.
fn ranks(seats: usize, chance: &mut dyn Source) -> Vec<u8> {
    let points: Vec<u32> = (0..seats).map(|_| chance.below(4)).collect();
    points.iter().map(|mine| 1 + points.iter().filter(|other| *other > mine).count() as u8).collect()
}

#[tokio::test]
async fn finished_matches_are_settled_after_a_restart() {
    let mut app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea"]).await;
    app.server().kill();
    let other = app.start_another();
    let history = History::of(&app);
    history.finish(&Past::of(&[players[0].id(), players[1].id()], &[2, 1]));
    let settled = async || {
        let stats = players[1].at(app.url_of(other)).get(&format!("/players/{}/stats", players[1].id())).await.is(200);
        (stats["wins"] == 1).then_some(())
    };
    eventually("another process settles it", settled).await;
}

#[tokio::test]
async fn months_begin_when_they_do_at_the_cafe() {
    let app = TestApp::start();
    let players = registered(&app, &["Ana", "Bea"]).await;
    let history = History::of(&app);
    // February by the clock in Seoul, January by that of Honolulu.
    history.finish(&Past { day: 31, ..Past::of(&[players[0].id(), players[1].id()], &[1, 2]) });
    history.settled().await;
    let of_month = async |month: &str| board(&app, &format!("?provisional=true&month={month}")).await.len();
    assert_eq!((of_month("2026-01").await, of_month("2026-02").await), (0, 2));
    let settings = json!({ "name": null, "time_zone": "Pacific/Honolulu", "language": null, "second_factor_required": false, "hours": [] });
    Answer::of(app.owner().await.api(Method::PUT, "/cafe").json(&settings)).await.is(200);
    let told_anew = async || (of_month("2026-01").await == 2).then_some(());
    eventually("months are told by the café's clock", told_anew).await;
    assert_eq!(of_month("2026-02").await, 0);
    assert!(history.recomputed().contains("1 matches recomputed; 0 rows differ"));
}
