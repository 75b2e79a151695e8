//! The arena: who is free is paired at once, people come and go as they like, the window closes, and nothing is lost or doubled.

use std::collections::BTreeSet;

use harness::{TestApp, Visitor, eventually};
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, stage};
use super::ways_back::{expect_replay, last_step, state, undo};

fn arena(least: u8, most: u8, patience: u16) -> Value {
    let format = json!({
        "kind": "arena", "minutes": 60, "least": least, "most": most, "patience": patience, "streaks": false
    });
    let mut stage = stage(format);
    stage["tie_breaks"] = json!(["average_points", "head_to_head"]);
    stage
}

fn bouts(whole: &Value) -> Vec<Value> {
    let rounds = whole["rounds"].as_array().expect("it has rounds").iter();
    let windows = rounds.filter(|it| it["is_arena"] == true);
    windows.flat_map(|it| it["bouts"].as_array().expect("it has bouts").clone()).collect()
}

fn open(whole: &Value) -> Vec<Value> {
    bouts(whole).into_iter().filter(|it| it["result"].is_null()).collect()
}

fn pairs(bouts: &[Value]) -> Vec<Vec<u64>> {
    let sorted = |bout: &Value| {
        let mut entrants = entrants(bout);
        entrants.sort_unstable();
        entrants
    };
    bouts.iter().map(sorted).collect()
}

fn key(bout: &Value) -> &str {
    bout["key"].as_str().expect("it has a key")
}

/// Nobody plays in two bouts, and no two open bouts share a table.
fn expect_sound(whole: &Value) {
    let open = open(whole);
    let playing: Vec<u64> = open.iter().flat_map(entrants).collect();
    assert_eq!(playing.len(), playing.iter().collect::<BTreeSet<_>>().len(), "nobody plays twice: {open:?}");
    let tables: Vec<&str> = open.iter().filter_map(|it| it["table"]["id"].as_str()).collect();
    assert_eq!(tables.len(), tables.iter().collect::<BTreeSet<_>>().len(), "a table has one bout");
}

impl Event {
    async fn open_arena(&self) -> Value {
        assert_eq!(self.next().await, "start_round");
        self.step("/stages/1/rounds/1/start").await.is(200)
    }

    async fn arena(&self) -> Value {
        self.app.anybody().get(&self.path("/arena")).await.is(200)
    }

    /// Those who do this, in the order in which they are told.
    async fn who(&self, activity: &str) -> Vec<u64> {
        let arena = self.arena().await;
        let people = arena["entrants"].as_array().expect("it has people").iter();
        people.filter(|it| it["activity"] == activity).map(|it| it["entrant"].as_u64().expect("a number")).collect()
    }

    /// The lower number wins: the tournament after that.
    async fn end(&self, bout: &Value) -> Value {
        let mut order = entrants(bout);
        order.sort_unstable();
        self.write(1, key(bout), &order).await.is(200)
    }
}

#[tokio::test]
async fn who_is_free_is_paired_at_once_and_never_with_whom_they_just_met() {
    let event = Event::start(scored(json!([arena(2, 2, 300)])), 4).await;
    for table in 1..=2 {
        event.staff.post("/tables", json!({ "name": format!("{table}번"), "seats": 4 })).await.is(201);
    }
    let opened = event.open_arena().await;
    assert_eq!((&opened["next"]["step"], &opened["next"]["playing"]), (&json!("arena"), &json!(4)));
    assert_eq!(pairs(&open(&opened)), [[1, 2], [3, 4]], "seeds that are next to each other");
    assert!(open(&opened).iter().all(|it| it["table"]["id"].is_string() && it["match"]["status"] == "running"));
    let first = event.end(&open(&opened)[0]).await;
    assert_eq!(open(&first).len(), 1, "those two have just met");
    assert_eq!(event.who("waiting").await, [1, 2]);
    let second = event.end(&open(&first)[0]).await;
    assert_eq!(pairs(&open(&second)), [[1, 3], [2, 4]], "who won meets who won");
    assert_eq!(open(&second)[0]["reasons"][0]["code"], "waited");
    expect_sound(&second);
    event.end(&open(&second)[0]).await;
    assert_eq!(event.standings(1).await[0], (1, 1));
    // The stage goes on until its window closes, and what is played may finish.
    event.step("/finish").await.problem(409, "bouts_open");
    let closing = event.step("/arena/end").await.is(200);
    assert_eq!((open(&closing).len(), &closing["rounds"][0]["status"]), (1, &json!("running")));
    event
        .staff
        .post(&event.path("/entrants"), json!({ "display_name": "늦은이" }))
        .await
        .problem(409, "too_late_to_enter");
    let last = event.end(&open(&closing)[0]).await;
    assert_eq!((&last["rounds"][0]["status"], &last["next"]["step"]), (&json!("closed"), &json!("finish")));
    event.step("/entrants/1/pause").await.problem(409, "arena_over");
    event.step("/finish").await.is(200);
    expect_replay(&event).await;
}

#[tokio::test]
async fn people_come_pause_and_leave_as_they_like() {
    let event = Event::start(scored(json!([arena(2, 2, 300)])), 1).await;
    let alone = event.open_arena().await;
    assert!(bouts(&alone).is_empty(), "nobody else is there yet");
    let late = event.app.guest("늦은이").await;
    let path = event.path("/entrants");
    assert_eq!(late.post(&path, json!({})).await.is(201)["status"], "checked_in");
    assert_eq!(pairs(&open(&event.look().await)), [[1, 2]]);
    late.post(&path, json!({})).await.is(201);
    // Who pauses finishes the bout first.
    let me = event.path("/entrants/me/pause");
    late.post(&me, json!({})).await.is(200);
    late.post(&me, json!({})).await.is(200);
    assert_eq!(event.who("playing").await.len(), 2);
    event.end(&open(&event.look().await)[0]).await;
    assert_eq!((event.who("waiting").await, event.who("pausing").await), (vec![1], vec![2]));
    let third = event.app.guest("또 다른 이").await;
    third.post(&path, json!({})).await.is(201);
    assert_eq!(pairs(&open(&event.look().await)), [[1, 3]]);
    let fourth = event.staff.post(&path, json!({ "display_name": "네 번째" })).await.is(201)["number"].clone();
    assert_eq!(fourth, 4);
    late.delete(&me).await.is(200);
    assert_eq!(pairs(&open(&event.look().await)), [[1, 3], [2, 4]]);
    // Who leaves is not paired again, and may come back.
    third.delete(&event.path("/entrants/me")).await.is(200);
    event.end(&open(&event.look().await)[0]).await;
    assert_eq!(event.who("waiting").await, [1]);
    third.post(&me, json!({})).await.problem(409, "entrant_out");
    third.post(&path, json!({})).await.is(201);
    assert_eq!(event.who("waiting").await, [1, 3]);
    event.step("/entrants/1/pause").await.is(200);
    event.end(&open(&event.look().await)[0]).await;
    assert_eq!(pairs(&open(&event.look().await)), [[2, 3]], "the one who waited longest, with a new opponent");
    event.staff.delete(&event.path("/entrants/1/pause")).await.is(200);
    assert_eq!(pairs(&open(&event.look().await)), [[2, 3], [1, 4]]);
    expect_sound(&event.look().await);
    expect_replay(&event).await;
}

#[tokio::test]
async fn two_who_are_alone_meet_again_by_the_clock() {
    let event = Event::start(scored(json!([arena(2, 2, 1)])), 2).await;
    let opened = event.open_arena().await;
    event.end(&open(&opened)[0]).await;
    let again = async || Some(open(&event.look().await)).filter(|it| !it.is_empty());
    let again = eventually("they meet again", again).await;
    assert_eq!((pairs(&again), key(&again[0])), (vec![vec![1, 2]], "main-1-2"));
    let reasons = again[0]["reasons"].as_array().expect("it has reasons");
    assert!(reasons.iter().any(|it| it["code"] == "nobody_else"), "{reasons:?}");
    expect_replay(&event).await;
}

#[tokio::test]
async fn an_arena_that_is_not_open_yet_says_nothing_of_publishing() {
    let event = Event::start(scored(json!([arena(2, 2, 0)])), 2).await;
    let whole = event.app.anybody().get(&event.path("")).await.is(200);
    let code = whole["tournament"]["code"].as_str().expect("it has a code");
    let wall = event.app.anybody().open(&format!("/tournaments/{code}?screen=1")).await.text();
    let desk = event.app.owner_at_pages().await.open(&format!("/admin{}", event.path(""))).await.text();
    for page in [wall, desk] {
        assert!(page.contains("Not open yet") && !page.contains("Published"), "{page}");
    }
    event.open_arena().await;
}

#[tokio::test]
async fn an_arena_pauses_goes_on_and_is_open_for_longer() {
    let event = Event::start(scored(json!([arena(2, 2, 0)])), 2).await;
    event.step("/arena/pause").await.problem(409, "round_not_running");
    let opened = event.open_arena().await;
    let paused = event.step("/arena/pause").await.is(200);
    assert_eq!(paused["next"]["is_paused"], true);
    event.step("/arena/pause").await.is(200);
    event.end(&open(&opened)[0]).await;
    assert_eq!((event.who("waiting").await.len(), open(&event.look().await).len()), (2, 0), "nobody is paired");
    let goes_on = event.staff.delete(&event.path("/arena/pause")).await.is(200);
    assert_eq!(open(&goes_on).len(), 1, "they are as soon as it goes on");
    assert!(goes_on["rounds"][0]["ends_at"].as_str() > opened["rounds"][0]["ends_at"].as_str(), "no time is lost");
    event.step("/arena/end").await.is(200);
    event.end(&open(&event.look().await)[0]).await;
    assert_eq!(event.next().await, "finish");
    let longer = json!({ "minutes": 10 });
    let longer = event.staff.post(&event.path("/stages/1/rounds/1/minutes"), longer).await.is(200);
    assert_eq!((&longer["next"]["step"], open(&longer).len()), (&json!("arena"), 1));
    // While its clock stands, its time is not up, and people may come.
    event.step("/arena/pause").await.is(200);
    let later = "UPDATE tournament_rounds SET paused_at = now() - interval '20 minutes', \
                 ends_at = now() - interval '10 minutes'";
    event.app.database().with(|client| client.execute(later, &[])).expect("time passes");
    let late = event.app.guest("늦은이").await;
    assert_eq!(late.post(&event.path("/entrants"), json!({})).await.is(201)["status"], "checked_in");
    assert_eq!(event.who("waiting").await, [3]);
    expect_replay(&event).await;
    // A clock that staff stop after the end lets nobody in, and the window closes with the last bout.
    let stopped = "UPDATE tournament_rounds SET paused_at = now() - interval '5 minutes'";
    event.app.database().with(|client| client.execute(stopped, &[])).expect("time passes");
    let later = event.app.guest("더 늦은이").await;
    later.post(&event.path("/entrants"), json!({})).await.problem(409, "registration_over");
    event.end(&open(&event.look().await)[0]).await;
    assert_eq!(event.next().await, "finish");
}

#[tokio::test]
async fn the_best_of_an_arena_go_on() {
    let mut first = arena(2, 2, 0);
    first["advance"] = json!(2);
    first["tie_breaks"] = json!(["average_points", "seed"]);
    let event = Event::start(scored(json!([first, single()])), 4).await;
    let opened = event.open_arena().await;
    for bout in open(&opened) {
        event.end(&bout).await;
    }
    event.step("/arena/end").await.is(200);
    for bout in open(&event.look().await) {
        event.end(&bout).await;
    }
    assert_eq!(event.next().await, "next_stage");
    event.step("/next-stage").await.is(200);
    let (_, _, last) = event.next_round().await;
    assert_eq!(pairs(&last).len(), 1);
    event.app.anybody().get(&event.path("/arena")).await.problem(409, "no_arena");
    event.write_all(2, &last).await;
    event.step("/finish").await.is(200);
    expect_replay(&event).await;
}

#[tokio::test]
async fn tables_of_several_are_mixed_and_an_arena_counts_places() {
    let mut tables = arena(3, 4, 300);
    tables["scoring"] = json!({ "points": { "kind": "places", "scale": [500, 300, 200, 100], "bye": 0 } });
    let event = Event::start(scored(json!([tables])), 8).await;
    let opened = event.open_arena().await;
    assert_eq!(pairs(&open(&opened)), [[1, 2, 3, 4], [5, 6, 7, 8]]);
    event.end(&open(&opened)[0]).await;
    assert_eq!(event.who("waiting").await.len(), 4, "they wait for others");
    let second = event.end(&open(&opened)[1]).await;
    for table in pairs(&open(&second)) {
        assert_eq!((table.len(), table.iter().filter(|it| **it <= 4).count()), (4, 2), "two of each");
    }
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200);
    assert_eq!((&standings["items"][0]["points"], &standings["items"][2]["points"]), (&json!(500), &json!(300)));
    expect_replay(&event).await;
}

#[tokio::test]
async fn a_bout_waits_for_one_of_the_tables_that_an_arena_keeps() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 2 })).await.is(201)["id"].clone();
    let mut request = scored(json!([arena(2, 2, 300)]));
    request["table_ids"] = json!([table]);
    let event = Event::gather_in(app, request, 4).await;
    event.begin().await;
    let opened = event.open_arena().await;
    assert_eq!(pairs(&open(&opened)), [[1, 2]], "there is one table");
    let next = event.end(&open(&opened)[0]).await;
    assert_eq!(pairs(&open(&next)), [[3, 4]], "who waited longest comes next");
    assert_eq!(open(&next)[0]["table"]["id"], table);
    // While it is repaired nobody plays there; after that the clock finds it by itself.
    let at = format!("/tables/{}", table.as_str().expect("an id"));
    event.staff.patch(&at, json!({ "out_of_service": "다리가 흔들려요" })).await.is(200);
    let without = event.end(&open(&next)[0]).await;
    assert!(open(&without).is_empty());
    event.staff.patch(&at, json!({ "out_of_service": null })).await.is(200);
    let found = async || Some(open(&event.look().await)).filter(|it| !it.is_empty());
    assert_eq!(eventually("the table is used again", found).await.len(), 1);
    expect_sound(&event.look().await);
    expect_replay(&event).await;
}

#[tokio::test]
async fn who_does_not_come_to_a_bout_pauses_until_they_are_back() {
    let event = Event::start(scored(json!([arena(2, 2, 0)])), 2).await;
    let opened = event.open_arena().await;
    let missed = json!({ "finishes": [{ "entrant": 1, "place": 1 }, { "entrant": 2, "place": 2, "absent": true }] });
    let at = event.path(&format!("/stages/1/bouts/{}/result", key(&open(&opened)[0])));
    event.staff.post(&at, missed).await.is(200);
    assert_eq!((event.who("waiting").await, event.who("pausing").await), (vec![1], vec![2]));
    event.player(2).delete(&event.path("/entrants/me/pause")).await.is(200);
    assert_eq!(pairs(&open(&event.look().await)), [[1, 2]]);
}

#[tokio::test]
async fn a_step_of_an_arena_has_its_way_back_with_all_that_it_paired() {
    let event = Event::start(scored(json!([arena(2, 2, 300)])), 4).await;
    let unopened = event.look().await;
    let opened = event.open_arena().await;
    let back = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&back), state(&unopened), "the opening was taken back");
    let again = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&again), state(&opened), "it was opened again");
    event.end(&open(&opened)[0]).await;
    let before = event.look().await;
    let after = event.end(&open(&before)[0]).await;
    assert_eq!(open(&after).len(), 2, "four are free, and paired");
    let ended = last_step(&event).await;
    let back = undo(&event, &ended).await;
    assert_eq!(state(&back), state(&before), "result and pairings were taken back");
    let again = undo(&event, &last_step(&event).await).await;
    assert_eq!(state(&again), state(&after), "and done again");
    // Once one of the two plays again the result stays, and can be corrected.
    event.end(&open(&event.look().await)[0]).await;
    event.staff.post(&event.path("/undo"), json!({ "step": ended["revision"] })).await.problem(409, "no_way_back");
    let mut order = entrants(&bouts(&before)[1]);
    order.sort_unstable_by_key(|it| std::cmp::Reverse(*it));
    let correction = json!({ "finishes": finishes(&order), "reason": "거꾸로였어요", "voids": [] });
    let at = format!("/stages/1/bouts/{}/correction", key(&bouts(&before)[1]));
    event.staff.post(&event.path(&at), correction).await.is(200);
    // Who pauses takes nobody's way back.
    let corrected = last_step(&event).await;
    event.step("/entrants/1/pause").await.is(200);
    let paused = event.look().await;
    assert_eq!(last_step(&event).await["has_way_back"], true);
    undo(&event, &corrected).await;
    event.step("/arena/end").await.is(200);
    let reopened = undo(&event, &last_step(&event).await).await;
    assert_eq!(reopened["rounds"][0]["ends_at"], paused["rounds"][0]["ends_at"]);
    expect_replay(&event).await;
}

/// Two processes at once, and everybody in a hurry.
#[tokio::test(flavor = "multi_thread")]
async fn two_processes_pair_everybody_once() {
    let mut app = TestApp::start();
    let other = app.start_another();
    let event = Event::gather_in(app, scored(json!([arena(2, 2, 0)])), 8).await;
    event.begin().await;
    event.open_arena().await;
    let desks: [Visitor; 2] = [event.staff.clone(), event.staff.at(event.app.url_of(other))];
    for _ in 0..6 {
        let seen = event.look().await;
        expect_sound(&seen);
        let send = |(at, bout): (usize, &Value)| {
            let (desk, path) = (desks[at % 2].clone(), event.path(&format!("/stages/1/bouts/{}/result", key(bout))));
            let result = json!({ "finishes": finishes(&entrants(bout)) });
            // Both desks write the same.
            let twice = desks[(at + 1) % 2].clone();
            let also = (path.clone(), result.clone());
            [
                tokio::spawn(async move { desk.post(&path, result).await.status }),
                tokio::spawn(async move { twice.post(&also.0, also.1).await.status }),
            ]
        };
        let sent: Vec<_> = open(&seen).iter().enumerate().flat_map(send).collect();
        for it in sent {
            assert_eq!(it.await.expect("it is answered"), 200);
        }
    }
    let last = event.look().await;
    expect_sound(&last);
    let played = bouts(&last);
    assert!(played.len() >= 24, "{}", played.len());
    let keys: BTreeSet<&str> = played.iter().map(key).collect();
    assert_eq!(keys.len(), played.len());
    expect_replay(&event).await;
}

#[tokio::test]
async fn phones_see_at_once_where_they_play() {
    let event = Event::start(scored(json!([arena(2, 2, 300)])), 2).await;
    let phone = event.player(2);
    let code = event.look().await["tournament"]["code"].as_str().expect("it has a code").to_owned();
    let mut news = phone.listen(&event.path("/stream"), None).await;
    news.next_of("changed").await;
    let opened = event.open_arena().await;
    news.next_of("changed").await;
    let page = event.app.anybody().open(&format!("/tournaments/{code}")).await.text();
    assert!(page.contains("Being played: 1") && page.contains("Nobody is waiting."), "{page}");
    let wall = event.app.anybody().open(&format!("/tournaments/{code}?screen=1")).await.text();
    assert!(wall.contains("Being played: 1") && wall.contains("Scan to join"), "{wall}");
    // What both players say frees them by itself.
    let result = format!("/matches/{}/result", open(&opened)[0]["match"]["id"].as_str().expect("an id"));
    for player in [1, 2] {
        event.player(player).post(&result, json!({ "ranks": [1, 2] })).await.is(200);
    }
    let over = async || Some(event.who("waiting").await).filter(|it| it.len() == 2);
    eventually("they are free again", over).await;
}

#[tokio::test]
async fn an_arena_that_cannot_be_is_refused() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let make = async |change: Value| {
        let mut format = arena(2, 2, 60)["format"].clone();
        for (field, value) in change.as_object().expect("fields") {
            format[field] = value.clone();
        }
        let code = staff.post("/tournaments", new("perudo", json!([stage(format)]))).await;
        if code.status == 201 { Value::Null } else { code.problem(422, "invalid_fields")["errors"][0]["code"].clone() }
    };
    assert_eq!(make(json!({ "minutes": 0 })).await, "bad_window");
    assert_eq!(make(json!({ "patience": 901 })).await, "bad_window");
    assert_eq!(make(json!({ "least": 3 })).await, "bad_sizes");
    assert_eq!(make(json!({ "streaks": true })).await, Value::Null);
}
