//! Rounds as staff run them: tables, matches, clocks, second thoughts, and two of staff at once.

use std::collections::{BTreeMap, BTreeSet};

use harness::{Answer, Browser, TestApp, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, single, swiss};
use super::ways_back::{expect_replay, last_step, state, undo};
use crate::play::forms;
use crate::staff::hire;

async fn code(event: &Event) -> String {
    event.look().await["tournament"]["code"].as_str().expect("a code").to_owned()
}

#[tokio::test]
async fn a_player_of_a_bout_is_not_offered_to_leave_their_seat() {
    let event = Event::start(new("perudo", json!([single()])), 2).await;
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    let bout = event.round(1, 1).await["bouts"][0].clone();
    let id = bout["match"]["id"].as_str().expect("it is a match");
    let row = event.staff.get(&format!("/matches/{id}")).await.is(200);
    let page = format!("/m/{}", row["code"].as_str().expect("it has a code"));
    let text = event.player(entrants(&bout)[0]).open(&page).await.text();
    assert!(text.contains("data-status=\"waiting\"") && text.contains("data-seated"), "{text}");
    assert!(forms(&text, "leave").is_empty(), "{text}");
}

/// B1: never two bouts at one table; and who can stay at theirs stays.
#[tokio::test]
async fn bouts_have_tables_of_their_own() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let mut tables = BTreeMap::new();
    for (name, seats) in [("창가", 2), ("구석", 4), ("가운데", 2)] {
        let made = owner.post("/tables", json!({ "name": name, "seats": seats })).await.is(201);
        tables.insert(name, made["id"].as_str().expect("it has an id").to_owned());
    }
    // A party sits in the corner.
    owner.post(&format!("/tables/{}/sittings", tables["구석"]), json!({ "party_size": 2 })).await.is(201);
    let event = Event::gather_in(app, new("perudo", json!([single()])), 8).await;
    event.begin().await;
    let (_, _, bouts) = event.next_round().await;
    let named = |bouts: &[Value]| -> Vec<String> {
        bouts.iter().filter_map(|bout| bout["table"]["name"].as_str()).map(str::to_owned).collect()
    };
    assert_eq!(BTreeSet::from_iter(named(&bouts)), BTreeSet::from(["창가".to_owned(), "가운데".to_owned()]));
    assert_eq!(named(&bouts).len(), 2, "there are tables for two bouts");
    let free = bouts.iter().find(|bout| bout["table"].is_null()).expect("one has none");
    let at = event.path(&format!("/stages/1/bouts/{}/table", free["key"].as_str().expect("it has a key")));
    let give = async |name: &str| event.staff.post(&at, json!({ "table_id": tables[name] })).await;
    give("창가").await.problem(409, "table_has_bout");
    give("구석").await.problem(409, "table_occupied");
    event.write_all(1, &bouts).await;
    give("창가").await.problem(409, "bout_over");
    let (_, _, semis) = event.next_round().await;
    assert_eq!(BTreeSet::from_iter(named(&semis)).len(), 2);
    for semi in semis {
        let before = bouts.iter().filter(|bout| entrants(bout).iter().any(|it| entrants(&semi).contains(it)));
        let before: Vec<&Value> = before.map(|bout| &bout["table"]["name"]).filter(|it| !it.is_null()).collect();
        assert!(before.is_empty() || before.contains(&&semi["table"]["name"]), "{semi} was at {before:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_once_do_it_once() {
    let mut app = TestApp::start();
    let other = app.start_another();
    let other = app.url_of(other).to_owned();
    let event = Event::gather_in(app, new("perudo", json!([single()])), 8).await;
    event.begin().await;
    let drafted = event.step("/pair").await.is(200);
    let revision = drafted["tournament"]["revision"].clone();
    let there = event.staff.at(&other);
    let publish = event.path("/stages/1/rounds/1/publish");
    let (one, two) = tokio::join!(event.staff.post(&publish, json!({})), there.post(&publish, json!({})));
    assert_eq!((one.status, two.status), (200, 200));
    let matches = event.app.database().with(|client| client.query_one("SELECT count(*) FROM matches", &[]));
    assert_eq!(matches.expect("it counts").get::<_, i64>(0), 4);
    // Who says what they have seen is told that it is no longer so.
    let stale = json!({ "revision": revision });
    event.staff.post(&event.path("/stages/1/rounds/1/start"), stale).await.problem(409, "tournament_changed");
    event.step("/stages/1/rounds/1/start").await.is(200);
    // U4: one result each, no matter who writes first.
    for bout in event.round(1, 1).await["bouts"].as_array().expect("it has bouts") {
        let pair = entrants(bout);
        let at = event.path(&format!("/stages/1/bouts/{}/result", bout["key"].as_str().expect("it has a key")));
        let (won, lost) =
            (json!({ "finishes": finishes(&pair) }), json!({ "finishes": finishes(&[pair[1], pair[0]]) }));
        let (one, two) = tokio::join!(event.staff.post(&at, won), there.post(&at, lost));
        assert_eq!(BTreeSet::from([one.status, two.status]), BTreeSet::from([200, 409]));
    }
    let pair = event.path("/pair");
    let (one, two) = tokio::join!(event.staff.post(&pair, json!({})), there.post(&pair, json!({})));
    assert_eq!((one.status, two.status), (200, 200));
    assert_eq!(event.look().await["rounds"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn a_match_that_was_called_off_is_played_again() {
    let event = Event::start(new("perudo", json!([single()])), 2).await;
    let (_, _, bouts) = event.next_round().await;
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match").to_owned();
    let again = event.path("/stages/1/bouts/main-1-1/play-again");
    event.staff.post(&again, json!({})).await.problem(409, "match_not_over");
    event.staff.post(&format!("/matches/{id}/abort"), json!({})).await.is(200);
    event.staff.post(&again, json!({})).await.is(200);
    let bout = event.bout(1, "main-1-1").await;
    assert_ne!(bout["match"]["id"], id);
    assert_eq!(bout["match"]["status"], "running");
}

#[tokio::test]
async fn a_published_round_can_be_taken_back_until_somebody_plays() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/start").await.problem(409, "round_not_published");
    event.step("/stages/1/rounds/1/publish").await.is(200);
    let published = event.round(1, 1).await;
    let id = published["bouts"][0]["match"]["id"].as_str().expect("it is a match").to_owned();
    let seated = entrants(&published["bouts"][0])[0];
    event.player(seated).delete(&format!("/matches/{id}/seats/me")).await.problem(409, "match_of_tournament");
    event.step("/stages/1/rounds/1/withdraw").await.is(200);
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    assert_eq!(event.round(1, 1).await["status"], "draft");
    event.step("/discard").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.problem(404, "round_not_found");
    let (_, _, bouts) = event.next_round().await;
    event.step("/stages/1/rounds/1/withdraw").await.problem(409, "round_started");
    assert_eq!(bouts.len(), 2);
    let mut stream = event.app.anybody().listen(&event.path("/stream"), None).await;
    stream.next_of("changed").await;
    event.write_all(1, &bouts).await;
    stream.next_of("changed").await;
    event.step("/cancel").await.is(200);
    event.step("/pair").await.problem(409, "tournament_over");
}

#[tokio::test]
async fn the_floor_tells_which_tournament_needs_somebody() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    let desk = event.app.owner_at_pages().await;
    let link = format!("/admin/tournaments/{}", event.id);
    let needs = async |said: &str| {
        let floor = desk.open("/admin").await;
        assert_eq!(floor.status, 200);
        let text = floor.text();
        text.contains(&format!("href=\"{link}\"")) && text.contains(said)
    };
    assert!(needs("ready for the next step").await);
    let (_, _, bouts) = event.next_round().await;
    assert!(!needs("Tournament: ").await);
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match");
    event.staff.post(&format!("/matches/{id}/abort"), json!({})).await.is(200);
    assert!(needs("a match ended without a result").await);
    let late = "UPDATE tournament_rounds SET ends_at = now() - interval '1 minute'";
    event.app.database().with(|client| client.execute(late, &[])).expect("time passes");
    assert!(needs("a round is over its time").await);
    let none = json!({ "minutes": 0 });
    event.staff.post(&event.path("/stages/1/rounds/1/minutes"), none).await.problem(422, "invalid_fields");
    let more = json!({ "minutes": 5 });
    event.staff.post(&event.path("/stages/1/rounds/1/minutes"), more).await.is(200);
    assert!(!needs("a round is over its time").await);
}

#[tokio::test]
async fn a_clock_stands_and_goes_on_with_as_much_as_was_left() {
    let mut request = new("perudo", json!([swiss(2)]));
    request["round_minutes"] = json!(30);
    let event = Event::start(request, 4).await;
    event.step("/pair").await.is(200);
    let clock = event.path("/stages/1/rounds/1/pause");
    event.staff.post(&clock, json!({})).await.problem(409, "round_not_running");
    event.step("/stages/1/rounds/1/publish").await.is(200);
    event.step("/stages/1/rounds/1/start").await.is(200);
    let ago = "UPDATE tournament_rounds SET ends_at = now() + interval '10 minutes', started_at = now() - interval '20 minutes'";
    event.app.database().with(|client| client.execute(ago, &[])).expect("time passes");
    let path = format!("/tournaments/{}?screen=1", code(&event).await);
    let wall = async || event.app.anybody().open(&path).await.text();
    assert!(wall().await.contains("data-until"));
    event.staff.post(&clock, json!({})).await.is(200);
    let stands = event.staff.post(&clock, json!({})).await.is(200);
    assert!(stands["rounds"][0]["paused_at"].is_string(), "asking again changes nothing");
    let since = "UPDATE tournament_rounds SET paused_at = paused_at - interval '5 minutes', ends_at = ends_at - interval '5 minutes'";
    event.app.database().with(|client| client.execute(since, &[])).expect("time passes");
    let shown = wall().await;
    let says = |minutes: &str| shown.contains(&format!("<span class=\"clock\">{minutes}:"));
    assert!(says("9") || says("10"), "{shown}");
    assert!(!shown.contains("data-until"));
    let goes = event.staff.delete(&clock).await.is(200);
    assert_eq!(goes["rounds"][0]["paused_at"], Value::Null);
    let left = "SELECT extract(epoch FROM ends_at - now())::int8 FROM tournament_rounds";
    let left: i64 = event.app.database().with(|client| client.query_one(left, &[])).expect("it answers").get(0);
    assert!((540..=600).contains(&left), "{left} s are left");
    assert!(wall().await.contains("data-until"));
    let back = last_step(&event).await;
    let undone = undo(&event, &back).await;
    assert!(undone["rounds"][0]["paused_at"].is_string(), "its way back");
    event.players[0].post(&clock, json!({})).await.problem(403, "forbidden");

    let without = Event::start(new("perudo", json!([swiss(2)])), 4).await;
    without.next_round().await;
    let clock = without.path("/stages/1/rounds/1/pause");
    without.staff.post(&clock, json!({})).await.problem(409, "round_without_clock");
    without.staff.post(&without.path("/stages/1/rounds/7/pause"), json!({})).await.problem(404, "round_not_found");
}

#[tokio::test]
async fn a_break_runs_from_the_last_round_to_the_next() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    let of = |round: u8| event.path(&format!("/stages/1/rounds/{round}/break"));
    let minutes = |minutes: i64| json!({ "minutes": minutes });
    event.staff.put(&of(1), minutes(10)).await.problem(409, "bouts_open");
    event.write_all(1, &bouts).await;
    event.staff.put(&of(1), minutes(0)).await.problem(422, "invalid_fields");
    let set = event.staff.put(&of(1), minutes(10)).await.is(200);
    assert!(set["rounds"][0]["next_round_at"].is_string());
    let path = format!("/tournaments/{}", code(&event).await);
    let page = async || event.app.anybody().open(&path).await.text();
    assert!(page().await.contains("Until the next round"));
    // A result can still be taken back, and then there is no break.
    let mut steps = event.staff.get(&event.path("/log")).await.is(200)["items"].as_array().expect("steps").clone();
    steps.retain(|it| it["action"] == "tournament.result");
    assert!(steps.iter().any(|it| it["has_way_back"] == true), "{steps:?}");
    let gone = event.staff.delete(&of(1)).await.is(200);
    assert_eq!(gone["rounds"][0]["next_round_at"], Value::Null);
    assert!(!page().await.contains("Until the next round"));

    // The desk does the same by a form, and the next round ends it.
    let desk = event.app.owner_at_pages().await;
    let shown = desk.open(&format!("/admin/tournaments/{}", event.id)).await;
    let at = format!("/admin/tournaments/{}/rounds/1/1/clock", event.id);
    let form = [("back", "desk"), ("act", "break"), ("minutes", "15")];
    assert_eq!(desk.submit(&shown, &at, &form).await.status, 303);
    assert!(page().await.contains("Until the next round"));
    let (_, _, bouts) = event.next_round().await;
    assert!(!page().await.contains("Until the next round"));
    event.staff.put(&of(1), minutes(5)).await.problem(409, "round_over");
    event.write_all(1, &bouts).await;
    event.staff.put(&of(1), minutes(5)).await.problem(409, "round_over");
    event.staff.put(&of(2), minutes(5)).await.is(200);
}

#[tokio::test]
async fn a_gong_sounds_on_the_wall_once_the_time_is_up() {
    let mut request = new("perudo", json!([swiss(2)]));
    request["round_minutes"] = json!(30);
    let event = Event::start(request, 4).await;
    event.next_round().await;
    let wall = format!("{}/tournaments/{}?screen=1", event.app.url(), code(&event).await);
    let browser = Browser::open(1280, 720, "en").await;
    browser.go(&wall).await;
    let struck = "return localStorage.getItem('struck')";
    browser.press("[data-gong]").await;
    assert_eq!(browser.run(struck).await, Value::Null, "the time is not up");
    let soon = "UPDATE tournament_rounds SET ends_at = now() + interval '2 seconds'";
    event.app.database().with(|client| client.execute(soon, &[])).expect("time passes");
    browser.go(&wall).await;
    let until = "return document.querySelector('time[data-until]').dateTime";
    let until = browser.run(until).await;
    eventually("the gong", async || (browser.run(struck).await == until).then_some(())).await;
    let is_on = "return document.querySelector('[data-gong]').ariaPressed";
    assert_eq!(browser.run(is_on).await, "true", "it stays switched on");
    browser.close().await;
}

/// A second takes 20 ms, and the server answers with an error to who asks for the next page of a wall, while told so.
const HASTE: &str = "
    const often = setInterval.bind(window), ask = fetch.bind(window);
    window.setInterval = (deed, time, ...rest) => often(deed, time === 1000 ? 20 : time, ...rest);
    window.asked = 0;
    window.fetch = (what, how) => {
        if (how?.method !== 'HEAD') return ask(what, how);
        asked++;
        return sessionStorage.getItem('down') ? Promise.resolve(new Response('', { status: 502 })) : ask(what, how);
    };
";

#[tokio::test]
async fn a_wall_begins_to_turn_with_the_first_round_and_waits_for_a_server_that_is_gone() {
    let event = Event::gather(new("perudo", json!([swiss(2)])), 4).await;
    let wall = format!("{}/tournaments/{}?screen=1", event.app.url(), code(&event).await);
    let browser = Browser::open(1280, 720, "en").await;
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": HASTE })).await;
    browser.go(&wall).await;
    browser.run("window.before = true; sessionStorage.setItem('down', 'yes')").await;
    assert_eq!(browser.run("return document.querySelector('#tournament').dataset.count").await, "1");
    event.begin().await;
    event.next_round().await;
    let has_asked = "return window.before && window.asked > 2";
    eventually("it asks again and again", async || (browser.run(has_asked).await == true).then_some(())).await;
    assert_eq!(browser.run("return Boolean(document.querySelector('#tournament'))").await, true, "and stays");
    browser.run("sessionStorage.removeItem('down')").await;
    let has_turned = "return !window.before && Boolean(document.querySelector('.wall-page'))";
    eventually("it turns", async || (browser.run(has_turned).await == true).then_some(())).await;
    browser.close().await;
}

#[tokio::test]
async fn a_screen_whose_clock_is_wrong_counts_by_the_clock_of_the_server() {
    let mut request = new("perudo", json!([swiss(2)]));
    request["round_minutes"] = json!(30);
    let event = Event::start(request, 4).await;
    event.next_round().await;
    let wall = format!("{}/tournaments/{}?screen=1", event.app.url(), code(&event).await);
    let browser = Browser::open(1280, 720, "en").await;
    // An hour fast.
    let wrong = "const real = Date.now.bind(Date); window.ahead = 3600000; Date.now = () => real() + ahead;";
    browser.command("Page.addScriptToEvaluateOnNewDocument", json!({ "source": wrong })).await;
    browser.go(&wall).await;
    let is_right = "const time = document.querySelector('time[data-until]');
        const [minutes, seconds] = time.textContent.split(':');
        const left = (Date.parse(time.dateTime) - (Date.now() - ahead)) / 1000;
        return Math.abs(60 * minutes + Number(seconds) - left) < 5";
    eventually("the time that is left", async || (browser.run(is_right).await == true).then_some(())).await;
    // It is set an hour back while the page is open, and the page is right again with the next news.
    browser.run("ahead = 0; document.body.dispatchEvent(new CustomEvent('changed'))").await;
    eventually("the time that is left", async || (browser.run(is_right).await == true).then_some(())).await;
    browser.press("[data-gong]").await;
    let soon = "UPDATE tournament_rounds SET ends_at = now() + interval '2 seconds'";
    event.app.database().with(|client| client.execute(soon, &[])).expect("time passes");
    browser.go(&wall).await;
    let until = browser.run("return document.querySelector('time[data-until]').dateTime").await;
    let struck = "return localStorage.getItem('struck')";
    eventually("the gong", async || (browser.run(struck).await == until).then_some(())).await;
    browser.close().await;
}

#[tokio::test]
async fn a_round_that_is_played_on_from_cannot_be_taken_back() {
    let event = Event::start(new("perudo", json!([single()])), 5).await;
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    // 2 and 3 have byes, and meet at once.
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/2/publish").await.is(200);
    assert_eq!(entrants(&event.bout(1, "main-2-2").await), [2, 3]);
    event.step("/stages/1/rounds/1/withdraw").await.problem(409, "no_way_back");
    event.step("/stages/1/rounds/2/withdraw").await.is(200);
    event.step("/discard").await.is(200);
    event.step("/stages/1/rounds/1/withdraw").await.is(200);
    event.step("/discard").await.is(200);
    event.write_to_the_end().await;
    assert_eq!(event.standings(1).await[0], (1, 1));
}

#[tokio::test]
async fn a_round_that_is_taken_back_is_paired_again_without_who_left_and_with_who_came() {
    let mut request = new("perudo", json!([swiss(3)]));
    request["late_until_round"] = json!(2);
    let event = Event::start(request, 4).await;
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    assert_eq!(event.look().await["late_entry"]["round"], 2);
    event.staff.post(&event.path("/entrants"), json!({ "display_name": "서연" })).await.is(201);
    let published = event.look().await;
    let people = |whole: &Value| {
        let bouts = whole["rounds"][0]["bouts"].as_array().expect("it has bouts");
        let mut people: Vec<u64> = bouts.iter().flat_map(entrants).collect();
        people.sort_unstable();
        people
    };
    assert_eq!(people(&published), [1, 2, 3, 4]);
    let drafted = event.step("/stages/1/rounds/1/withdraw").await.is(200);
    assert_eq!((&drafted["rounds"][0]["status"], people(&drafted)), (&json!("draft"), vec![1, 2, 3, 5]));
    // The way back brings back who was paired, and the step can be done again.
    let back = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&back), state(&published));
    let again = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&again), state(&drafted));
    event.step("/stages/1/rounds/1/publish").await.is(200);
    event.step("/stages/1/rounds/1/start").await.is(200);
    let bouts = event.round(1, 1).await["bouts"].clone();
    event.write_all(1, bouts.as_array().expect("it has bouts")).await;
    event.write_to_the_end().await;
    expect_replay(&event).await;
}

#[tokio::test]
async fn who_left_since_is_out_of_a_bracket_whose_round_is_taken_back() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    event.step("/stages/1/rounds/1/withdraw").await.is(200);
    assert_eq!(entrants(&event.bout(1, "main-1-1").await), [1]);
    assert_eq!(entrants(&event.bout(1, "main-1-2").await), [2, 3]);
}

#[tokio::test]
async fn a_round_that_is_paired_again_keeps_its_number() {
    let event = Event::start(new("perudo", json!([single()])), 8).await;
    event.publish_second_round_in_halves().await;
    let mut people = entrants(&event.bout(1, "main-2-1").await);
    people.sort_unstable();
    assert_eq!(people, [1, 4]);
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    let drafted = event.step("/stages/1/rounds/2/withdraw").await.is(200);
    assert_eq!(event.round(1, 2).await["status"], "draft");
    assert_eq!(entrants(&event.bout(1, "main-2-1").await), [1]);
    let again = event.step("/stages/1/rounds/2/withdraw").await.is(200);
    assert_eq!(again["tournament"]["revision"], drafted["tournament"]["revision"]);
}

#[tokio::test]
async fn the_desk_offers_to_take_back_only_what_can_be_taken_back() {
    let event = Event::start(new("perudo", json!([swiss(2)])), 4).await;
    let desk = event.app.owner_at_pages().await;
    let offers = async || {
        let page = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
        assert!(page.contains(r#"value="start_round""#), "the round waits for its start: {page}");
        page.contains(r#"value="withdraw""#)
    };
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    assert!(offers().await, "nobody plays yet");
    let bouts = event.round(1, 1).await["bouts"].clone();
    event.write_all(1, &bouts.as_array().expect("it has bouts")[..1]).await;
    assert!(!offers().await, "one of its bouts is over");
    event.step("/stages/1/rounds/1/withdraw").await.problem(409, "round_started");
}

#[tokio::test]
async fn a_result_is_taken_back_even_if_its_table_has_been_given_to_others() {
    let event = Event::gather(new("perudo", json!([single()])), 4).await;
    event.staff.post("/tables", json!({ "name": "창가", "seats": 2 })).await.is(201);
    event.begin().await;
    let (_, _, bouts) = event.next_round().await;
    let (with, without): (Vec<&Value>, Vec<&Value>) = bouts.iter().partition(|it| it["table"]["id"].is_string());
    let key = |bout: &Value| bout["key"].as_str().expect("a key").to_owned();
    let (seated, waiting) = (key(with[0]), key(without[0]));
    event.write(1, &seated, &entrants(with[0])).await.is(200);
    let result = last_step(&event).await;
    let table = with[0]["table"]["id"].clone();
    let at = event.path(&format!("/stages/1/bouts/{waiting}/table"));
    event.staff.post(&at, json!({ "table_id": table })).await.is(200);
    undo(&event, &result).await;
    let back = event.bout(1, &seated).await;
    assert_eq!(
        (&back["result"], &back["table"], &back["match"]["status"]),
        (&Value::Null, &Value::Null, &json!("running"))
    );
    assert_eq!(event.bout(1, &waiting).await["table"]["id"], table);
}

#[tokio::test]
async fn a_match_goes_back_with_its_bout_to_the_table_before() {
    let event = Event::gather(new("perudo", json!([single()])), 2).await;
    let mut tables = Vec::new();
    for name in ["창가", "구석"] {
        let made = event.staff.post("/tables", json!({ "name": name, "seats": 2 })).await.is(201);
        tables.push(made["id"].clone());
    }
    event.begin().await;
    let (_, _, bouts) = event.next_round().await;
    let played = format!("/matches/{}", bouts[0]["match"]["id"].as_str().expect("a match"));
    let before = bouts[0]["table"]["id"].clone();
    let other = tables.iter().find(|it| **it != before).expect("there are two");
    let plays_at = async || event.staff.get(&played).await.is(200)["table_id"].clone();
    event.staff.post(&event.path("/stages/1/bouts/main-1-1/table"), json!({ "table_id": other })).await.is(200);
    assert_eq!(plays_at().await, *other);
    undo(&event, &last_step(&event).await).await;
    assert_eq!((&event.bout(1, "main-1-1").await["table"]["id"], plays_at().await), (&before, before.clone()));
}

#[tokio::test]
async fn bouts_wait_on_when_the_account_that_published_them_goes() {
    let mut event = Event::gather(new("perudo", json!([single()])), 4).await;
    event.begin().await;
    hire(&event.app, &event.staff, "mina", "manager").await;
    let credentials = json!({ "email": "mina@house-rules.test", "password": "correct horse battery" });
    let mina = event.app.anybody().sign_in("/auth/login", credentials.clone(), 200).await;
    let owner = std::mem::replace(&mut event.staff, mina);
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    let id = event.staff.id();
    owner.patch(&format!("/staff/{id}"), json!({ "role": "player" })).await.is(204);
    let mina = event.app.anybody().sign_in("/auth/login", credentials.clone(), 200).await;
    event.staff = owner;
    let waiting = async || {
        let round = event.round(1, 1).await;
        let bouts = round["bouts"].as_array().expect("it has bouts").clone();
        let ids: Vec<String> = bouts.iter().filter_map(|it| it["match"]["id"].as_str()).map(str::to_owned).collect();
        assert!(bouts.iter().all(|it| it["match"]["status"] == "waiting"), "{round}");
        ids
    };
    for id in waiting().await {
        mina.post(&format!("/matches/{id}/abort"), json!({ "reason": "I made it" })).await.problem(403, "forbidden");
    }
    let password = json!({ "password": credentials["password"] });
    Answer::of(mina.api(Method::DELETE, "/auth/me").json(&password)).await.is(204);
    assert_eq!(waiting().await.len(), 2);
    event.step("/stages/1/rounds/1/start").await.is(200);
}
