//! How bouts end, and what becomes of the rest when that was a mistake.

use harness::{Answer, eventually};
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, stage, swiss};
use super::ways_back::last_step;

#[tokio::test]
async fn who_does_not_appear_loses_and_who_comes_back_plays() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    let (first, second) = (entrants(&bouts[0]), entrants(&bouts[1]));
    let keys: Vec<&str> = bouts.iter().map(|bout| bout["key"].as_str().expect("it has a key")).collect();
    let absent = |entrant: u64, place: u8| json!({ "entrant": entrant, "place": place, "absent": true });
    let at = |key: &str| event.path(&format!("/stages/1/bouts/{key}/result"));
    let ahead = json!([{ "entrant": first[0], "place": 2 }, absent(first[1], 1)]);
    let refused = event.staff.post(&at(keys[0]), json!({ "finishes": ahead })).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["code"], "absent_ahead");
    let draw = json!([{ "entrant": first[0], "place": 1 }, { "entrant": first[1], "place": 1 }]);
    let refused = event.staff.post(&at(keys[0]), json!({ "finishes": draw })).await.problem(422, "invalid_fields");
    assert_eq!(refused["errors"][0]["code"], "undecided");
    let walkover = json!([{ "entrant": first[0], "place": 1 }, absent(first[1], 2)]);
    event.staff.post(&at(keys[0]), json!({ "finishes": walkover })).await.is(200);
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match");
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    // Neither came: the entrant who waits in the final has won it.
    let nobody = json!([absent(second[0], 1), absent(second[1], 1)]);
    event.staff.post(&at(keys[1]), json!({ "finishes": nobody })).await.is(200);
    let played = event.write_to_the_end().await;
    assert_eq!(played, 0, "there is nobody to play the final against");
    assert_eq!(event.standings(1).await[0], (1, first[0]));
}

#[tokio::test]
async fn a_correction_says_first_what_it_undoes() {
    let event = Event::start(new("perudo", json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    let (_, second, _) = event.next_round().await;
    let final_bout = event.bout(1, "main-2-1").await;
    let key = bouts.iter().find(|bout| entrants(bout).contains(&1)).expect("1 plays")["key"].clone();
    let key = key.as_str().expect("it has a key");
    let mut order = entrants(&event.bout(1, key).await);
    order.sort_unstable_by(|one, other| other.cmp(one));
    let at = event.path(&format!("/stages/1/bouts/{key}"));
    let followed = event.staff.post(&format!("{at}/following"), json!({ "finishes": finishes(&order) })).await.is(200);
    assert_eq!(followed, json!({ "voids": ["main-2-1"], "standings": [], "line": [], "reopens": false }));
    let mut correction = json!({ "finishes": finishes(&order), "reason": "자리를 바꿔 적었어요" });
    event.staff.post(&format!("{at}/correction"), correction.clone()).await.problem(409, "following_changed");
    event.write(1, key, &order).await.problem(409, "bout_over");
    correction["voids"] = json!(["main-2-1"]);
    let corrected = event.staff.post(&format!("{at}/correction"), correction).await.is(200);
    // What is to be played instead is drafted; the match that is no longer right is called off.
    assert_eq!(corrected["next"]["step"], "publish");
    let draft = corrected["rounds"].as_array().expect("it has rounds").last().expect("there is one").clone();
    assert_eq!((&draft["status"], draft["round"].as_u64()), (&json!("draft"), Some(second)));
    assert!(entrants(&draft["bouts"][0]).contains(&order[0]) && !entrants(&draft["bouts"][0]).contains(&order[1]));
    let id = final_bout["match"]["id"].as_str().expect("it was a match");
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    event.step(&format!("/stages/1/rounds/{second}/publish")).await.is(200);
    event.write(1, "main-2-1", &[order[0], 2]).await.is(200);
    event.step("/finish").await.is(200);
    assert_eq!(event.standings(1).await[0], (1, order[0]));
    // Even then: the end is none if what led there was not so.
    let back =
        json!({ "finishes": finishes(&[order[1], order[0]]), "reason": "다시 보니 맞았어요", "voids": ["main-2-1"] });
    let reopened = event.staff.post(&format!("{at}/correction"), back).await.is(200);
    assert_eq!(reopened["tournament"]["status"], "running");
    let noted = event.app.database().with(|client| {
        client.query("SELECT details::text FROM audit_log WHERE action = 'tournament.correct' ORDER BY id", &[])
    });
    let noted = noted.expect("there is a log");
    let noted: Vec<Value> = noted.iter().map(|row| serde_json::from_str(row.get(0)).expect("it is JSON")).collect();
    assert_eq!((noted.len(), &noted[0]["voids"]), (2, &json!(["main-2-1"])));
    assert_eq!(noted[0]["before"][0]["place"], 1, "{}", noted[0]);
}

/// What players write of a match, corrected afterwards, undoes nothing by itself.
#[tokio::test]
async fn what_a_match_says_later_waits_for_staff_if_it_undoes_anything() {
    let event = Event::start(scored(json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    for bout in &bouts {
        let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
        event.staff.post(&at, json!({ "ranks": [1, 2] })).await.is(200);
    }
    eventually("the round is over", async || (event.next().await == "pair").then_some(())).await;
    event.next_round().await;
    let first = &bouts[0];
    let at = format!("/matches/{}/result", first["match"]["id"].as_str().expect("it is a match"));
    event.staff.post(&at, json!({ "ranks": [2, 1], "reason": "반대였어요" })).await.is(200);
    let key = first["key"].as_str().expect("it has a key");
    let claim = eventually("the bout knows what its match says", async || {
        Some(event.bout(1, key).await).filter(|it| !it["claim"].is_null())
    });
    let claim = claim.await;
    assert_eq!(claim["result"][0]["place"], 1, "what counted still does");
    assert_eq!(claim["claim"][0]["place"], 2);
    let confirmed = json!({ "finishes": claim["claim"], "reason": "점수표를 봤어요", "voids": ["main-2-1"] });
    event.staff.post(&event.path(&format!("/stages/1/bouts/{key}/correction")), confirmed).await.is(200);
    let bout = event.bout(1, key).await;
    assert_eq!((&bout["result"][0]["place"], &bout["claim"]), (&json!(2), &Value::Null));
}

#[tokio::test]
async fn a_stage_that_others_went_on_from_is_corrected_as_long_as_the_same_do() {
    let mut first = swiss(1);
    first["advance"] = json!(2);
    let event = Event::start(new("perudo", json!([first, single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    event.step("/next-stage").await.is(200);
    event.step("/pair").await.is(200);
    let of = |who: u64| bouts.iter().find(|bout| entrants(bout).contains(&who)).expect("everybody plays");
    let at = |bout: &Value| event.path(&format!("/stages/1/bouts/{}", bout["key"].as_str().expect("it has a key")));
    let ordered = |bout: &Value, won: u64| {
        let (other, _) = entrants(bout).into_iter().partition::<Vec<_>, _>(|it| *it != won);
        finishes(&[won, other[0]])
    };
    let (worse, better) = (of(1), of(2));
    // The one who was beaten would have gone on.
    let lost = *entrants(worse).iter().find(|it| **it != 1).expect("there are two");
    let other = json!({ "finishes": ordered(worse, lost), "reason": "반대였어요" });
    event.staff.post(&format!("{}/correction", at(worse)), other).await.problem(409, "others_go_on");
    let thought = json!({ "finishes": ordered(worse, lost) });
    event.staff.post(&format!("{}/following", at(worse)), thought).await.problem(409, "others_go_on");
    assert_eq!(event.standings(1).await[0].1, 1);
    // It was a draw, and 2 goes on all the same: by the seed.
    let drawn: Value = entrants(better).iter().map(|it| json!({ "entrant": it, "place": 1 })).collect();
    let draw = json!({ "finishes": drawn, "reason": "비겼어요" });
    let corrected = event.staff.post(&format!("{}/correction", at(better)), draw).await.is(200);
    assert_eq!(corrected["next"]["step"], "publish", "the draft of the next stage stands");
    assert_eq!(event.standings(1).await[..2], [(1, 1), (2, 2)]);
    assert_eq!(event.bout(1, better["key"].as_str().expect("a key")).await["result"][1]["place"], 1);
    event.step("/stages/2/rounds/1/publish").await.is(200);
    event.write(2, "main-1-1", &[2, 1]).await.is(200);
    event.step("/finish").await.is(200);
    assert_eq!(event.standings(2).await[0], (1, 2));
}

/// So many of everybody against everybody have gone on, with these tie-breaks. The lower number won; 2 and 3 ended so.
async fn after_round_robin(many: usize, tie_breaks: Value, ended: [u8; 2]) -> Event {
    let mut first = stage(json!({ "kind": "round_robin", "legs": 1 }));
    (first["advance"], first["tie_breaks"]) = (json!(2), tie_breaks);
    let event = Event::start(new("perudo", json!([first, single()])), many).await;
    while event.next().await == "pair" {
        let (_, _, bouts) = event.next_round().await;
        let (between, others): (Vec<_>, Vec<_>) =
            bouts.into_iter().partition(|it| [2, 3].iter().all(|who| entrants(it).contains(who)));
        event.write_all(1, &others).await;
        for bout in between {
            let at = event.path(&format!("/stages/1/bouts/{}/result", bout["key"].as_str().expect("it has a key")));
            event.staff.post(&at, json!({ "finishes": placed([2, 3], ended) })).await.is(200);
        }
    }
    event
}

fn placed(pair: [u64; 2], places: [u8; 2]) -> Value {
    json!([{ "entrant": pair[0], "place": places[0] }, { "entrant": pair[1], "place": places[1] }])
}

/// The two ended so in the first stage: what staff are told who correct it.
async fn correct_first(event: &Event, pair: [u64; 2], places: [u8; 2]) -> Answer {
    let whole = event.look().await;
    let of_first = whole["rounds"].as_array().expect("it has rounds").iter().filter(|it| it["stage"] == 1);
    let mut bouts = of_first.flat_map(|it| it["bouts"].as_array().expect("it has bouts"));
    let bout = bouts.find(|it| pair.iter().all(|who| entrants(it).contains(who))).expect("they met");
    let at = event.path(&format!("/stages/1/bouts/{}", bout["key"].as_str().expect("it has a key")));
    let finishes = placed(pair, places);
    let told = event.staff.post(&format!("{at}/following"), json!({ "finishes": finishes })).await.status;
    let correction = json!({ "finishes": finishes, "reason": "점수표가 맞아요" });
    let corrected = event.staff.post(&format!("{at}/correction"), correction).await;
    assert_eq!(told, corrected.status, "what is told before is what happens");
    corrected
}

#[tokio::test]
async fn a_correction_after_a_play_off_is_judged_by_who_goes_on() {
    let event = after_round_robin(4, json!([]), [1, 1]).await;
    assert_eq!(event.look().await["next"], json!({ "step": "cut", "places": 1, "equals": [2, 3] }));
    let cut = json!({ "by": "hand", "going": [3], "reason": "연장전" });
    event.staff.post(&event.path("/next-stage"), json!({ "cut": cut })).await.is(200);
    let correct = async |places: [u8; 2]| correct_first(&event, [2, 3], places).await;
    correct([1, 2]).await.problem(409, "others_go_on");
    correct([2, 1]).await.is(200);
    // What was decided between the two holds again.
    correct([1, 1]).await.is(200);
    event.write_to_the_end().await;
    assert_eq!(event.standings(2).await, [(1, 1), (2, 3)]);
}

#[tokio::test]
async fn equals_whom_nobody_decided_between_are_no_reason_to_go_on() {
    let event = after_round_robin(4, json!([]), [1, 2]).await;
    event.step("/next-stage").await.is(200);
    correct_first(&event, [2, 3], [1, 1]).await.problem(409, "others_go_on");
    // Who does not go on may stand elsewhere.
    correct_first(&event, [3, 4], [2, 1]).await.is(200);
    assert_eq!(event.standings(1).await, [(1, 1), (2, 2), (3, 4), (4, 3)]);
}

#[tokio::test]
async fn a_correction_is_judged_by_those_who_were_there_when_the_stage_ended() {
    let event = after_round_robin(5, json!(["seed"]), [1, 2]).await;
    event.staff.delete(&event.path("/entrants/2")).await.is(200);
    event.step("/next-stage").await.is(200);
    assert_eq!(event.standings(2).await, [(1, 1), (1, 3)]);
    // Who leaves now has gone on all the same.
    event.staff.delete(&event.path("/entrants/3")).await.is(200);
    correct_first(&event, [3, 4], [2, 1]).await.problem(409, "others_go_on");
    correct_first(&event, [2, 3], [2, 1]).await.is(200);
    assert_eq!(event.standings(1).await[..3], [(1, 1), (2, 3), (3, 2)]);
}

/// What is told before is what is there after.
#[tokio::test]
async fn a_correction_tells_first_what_it_changes_in_the_standings_and_in_who_goes_on() {
    let mut first = swiss(3);
    first["advance"] = json!(2);
    let event = Event::start(new("perudo", json!([first, single()])), 6).await;
    for _ in 0..2 {
        let (_, _, bouts) = event.next_round().await;
        event.write_all(1, &bouts).await;
    }
    let standings = async || {
        let table = event.staff.get(&event.path("/stages/1/standings")).await.is(200);
        let rows = table["items"].as_array().expect("rows").clone();
        rows.iter().map(|it| (it["entrant"].clone(), it["rank"].clone(), it["points"].clone())).collect::<Vec<_>>()
    };
    let before = standings().await;
    let leader = before[0].0.as_u64().expect("a number");
    let rounds = event.look().await["rounds"].clone();
    let bouts = rounds[1]["bouts"].as_array().expect("bouts");
    let bout = bouts.iter().find(|it| entrants(it).contains(&leader)).expect("it played");
    let mut order = entrants(bout);
    order.sort_by_key(|it| *it == leader);
    let at = event.path(&format!("/stages/1/bouts/{}", bout["key"].as_str().expect("a key")));
    let asked = json!({ "finishes": finishes(&order) });
    let told = event.staff.post(&format!("{at}/following"), asked.clone()).await.is(200);
    assert_eq!(standings().await, before, "nothing is done");

    let desk = event.app.owner_at_pages().await;
    let page_at = format!("/admin/tournaments/{}/bouts/1/{}", event.id, bout["key"].as_str().expect("a key"));
    let page = desk.open(&page_at).await;
    let form = [("reason", "Read the wrong slip"), ("quick", &format!("win-{}", order[0]))];
    let shown = desk.submit(&page, &format!("{page_at}/result"), &form).await.text();
    assert!(shown.contains("The standings change") && shown.contains("does not go on"), "{shown}");

    let correction = json!({ "finishes": finishes(&order), "reason": "거꾸로였어요", "voids": told["voids"] });
    event.staff.post(&format!("{at}/correction"), correction).await.is(200);
    let after = standings().await;
    let old = |entrant: &Value| before.iter().find(|it| it.0 == *entrant).expect("it was there").clone();
    let changes: Vec<Value> = after
        .iter()
        .map(|now| (now, old(&now.0)))
        .filter(|(now, old)| *now != old)
        .map(|(now, old)| {
            json!({ "entrant": now.0, "rank": now.1, "rank_before": old.1, "points": now.2, "points_before": old.2 })
        })
        .collect();
    assert_eq!(told["standings"], json!(changes));
    let line = told["line"].as_array().expect("a list");
    let of = |entrant: u64| line.iter().find(|it| it["entrant"] == entrant).cloned();
    assert_eq!(of(leader).expect("the leader falls")["side_before"], "through");
    assert_ne!(of(order[0]).expect("the other rises")["side"], "out");
}

#[tokio::test]
async fn nobody_judges_their_own_bout_or_takes_a_judgement_of_it_back() {
    let mut event = Event::gather(new("perudo", json!([single()])), 3).await;
    let (desk, manager) = crate::permissions::hire(&event.app, &event.staff, "manager").await;
    manager.post(&event.path("/entrants"), json!({})).await.is(201);
    event.players.push(manager.clone());
    event.begin().await;
    let (_, _, bouts) = event.next_round().await;
    let own = bouts.iter().find(|bout| entrants(bout).contains(&4)).expect("they play");
    let (key, pair) = (own["key"].as_str().expect("it has a key"), entrants(own));
    let result = event.path(&format!("/stages/1/bouts/{key}/result"));
    let admin = format!("/admin/tournaments/{}", event.id);
    let page = format!("{admin}/bouts/1/{key}");
    let form = format!("{page}/result");
    let owner = event.app.owner_at_pages().await;
    assert!(owner.open(&page).await.text().contains(&form));
    assert!(!desk.open(&page).await.text().contains(&form));
    let grid = desk.open(&format!("{admin}/rounds/1/1/grid")).await.text();
    let lines =
        bouts.iter().filter(|bout| grid.contains(&format!(r#"id="r-{}""#, bout["key"].as_str().unwrap_or_default())));
    assert_eq!(lines.count(), 1, "the other bout alone");
    manager.post(&result, json!({ "finishes": finishes(&pair) })).await.problem(403, "own_bout");
    event.write(1, key, &pair).await.is(200);
    let step = json!({ "step": event.look().await["tournament"]["revision"] });
    manager.post(&event.path("/undo"), step.clone()).await.problem(403, "own_bout");
    let button = format!(r#"name="step" value="{}""#, step["step"]);
    for at in ["", "/log"] {
        let at = format!("{admin}{at}");
        assert!(!desk.open(&at).await.text().contains(&button), "{at}");
        assert!(owner.open(&at).await.text().contains(&button), "{at}");
    }
    event.staff.post(&event.path("/undo"), step).await.is(200);
}

/// Four, of whose first round all results are those of their matches, with the second round drafted: the bout of 1.
async fn drafted_from_matches() -> (Event, Value) {
    let event = Event::start(scored(json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    for bout in &bouts {
        say(&event, bout, [1, 2]).await;
    }
    eventually("the round is over", async || (event.next().await == "pair").then_some(())).await;
    event.step("/pair").await.is(200);
    let first = bouts.into_iter().find(|bout| entrants(bout).contains(&1)).expect("1 plays");
    (event, first)
}

/// Staff write on the page of the match how it ended.
async fn say(event: &Event, bout: &Value, ranks: [u8; 2]) {
    let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
    event.staff.post(&at, json!({ "ranks": ranks, "reason": "점수표를 봤어요" })).await.is(200);
}

async fn turned(event: &Event, bout: &Value) {
    let key = bout["key"].as_str().expect("it has a key");
    eventually("the bout ends as its match says", async || {
        (event.bout(1, key).await["result"][0]["place"] == 2).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_draft_is_paired_again_once_a_match_says_something_else() {
    let (event, first) = drafted_from_matches().await;
    let [winner, loser] = entrants(&first)[..] else { panic!("two play") };
    assert!(entrants(&event.bout(1, "main-2-1").await).contains(&winner));
    say(&event, &first, [2, 1]).await;
    turned(&event, &first).await;
    assert_eq!(event.next().await, "publish", "there is a draft again");
    let draft = entrants(&event.bout(1, "main-2-1").await);
    assert!(draft.contains(&loser) && !draft.contains(&winner), "{draft:?}");
    event.step("/stages/1/rounds/2/publish").await.is(200);
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn a_draft_that_is_paired_again_keeps_its_number() {
    let event = Event::start(scored(json!([single()])), 8).await;
    let (_, _, bouts) = event.next_round().await;
    let first = &bouts[0];
    let [winner, loser] = entrants(first)[..] else { panic!("two play") };
    say(&event, first, [1, 2]).await;
    for (half, round) in [&bouts[1..2], &bouts[2..]].into_iter().zip(2..) {
        event.write_all(1, half).await;
        event.step("/pair").await.is(200);
        event.step(&format!("/stages/1/rounds/{round}/publish")).await.is(200);
    }
    event.step("/stages/1/rounds/2/withdraw").await.is(200);
    let expect_draft = async |who: u64| {
        assert_eq!(event.round(1, 2).await["status"], "draft");
        assert!(entrants(&event.bout(1, "main-2-1").await).contains(&who));
    };
    expect_draft(winner).await;
    say(&event, first, [2, 1]).await;
    turned(&event, first).await;
    expect_draft(loser).await;
    let correct = async |order: [u64; 2], voids: Value| {
        let correction = json!({ "finishes": finishes(&order), "reason": "점수표가 맞았어요", "voids": voids });
        event.staff.post(&event.path("/stages/1/bouts/main-1-1/correction"), correction).await.is(200)
    };
    correct([winner, loser], json!([])).await;
    expect_draft(winner).await;
    // Where the round before it is undone, it moves up.
    event.step("/stages/1/rounds/2/publish").await.is(200);
    event.step("/stages/1/rounds/3/withdraw").await.is(200);
    correct([loser, winner], json!(["main-2-1"])).await;
    expect_draft(loser).await;
    assert_eq!(event.round(1, 2).await["bouts"].as_array().map(Vec::len), Some(2));
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn a_draft_in_a_bracket_that_runs_by_itself_is_paired_again_and_stays_a_draft() {
    let (event, first) = drafted_from_matches().await;
    let mut stages = event.look().await["tournament"]["stages"].clone();
    stages[0]["runs_by_itself"] = json!(true);
    event.staff.patch(&event.path(""), json!({ "stages": stages })).await.is(200);
    let [winner, loser] = entrants(&first)[..] else { panic!("two play") };
    say(&event, &first, [2, 1]).await;
    turned(&event, &first).await;
    assert_eq!(event.next().await, "publish", "staff still hold it back");
    assert!(entrants(&event.bout(1, "main-2-1").await).contains(&loser));
    let correction = json!({ "finishes": finishes(&[winner, loser]), "reason": "점수표가 맞았어요", "voids": [] });
    let at = event.path(&format!("/stages/1/bouts/{}/correction", first["key"].as_str().expect("it has a key")));
    event.staff.post(&at, correction).await.is(200);
    assert_eq!(event.next().await, "publish", "also when staff correct a result");
    assert!(entrants(&event.bout(1, "main-2-1").await).contains(&winner));
    event.step("/stages/1/rounds/2/publish").await.is(200);
    super::ways_back::expect_replay(&event).await;
}

#[tokio::test]
async fn a_draft_that_no_longer_follows_from_the_results_neither_comes_back_nor_is_published() {
    let (event, first) = drafted_from_matches().await;
    event.step("/discard").await.is(200);
    let discarded = last_step(&event).await;
    assert_eq!(discarded["has_way_back"], true);
    say(&event, &first, [2, 1]).await;
    turned(&event, &first).await;
    event.staff.post(&event.path("/undo"), json!({ "step": discarded["revision"] })).await.problem(409, "no_way_back");
    event.step("/pair").await.is(200);
    // As one that was paired before the server saw to that.
    let stale = format!(
        "UPDATE tournament_bouts SET entrants = array_replace(entrants, {}, {}) WHERE key = 'main-2-1'",
        entrants(&first)[1],
        entrants(&first)[0]
    );
    event.app.database().with(|client| client.execute(stale.as_str(), &[])).expect("it is written");
    event.step("/stages/1/rounds/2/publish").await.problem(409, "draft_outdated");
    event.step("/discard").await.is(200);
    event.step("/pair").await.is(200);
    event.step("/stages/1/rounds/2/publish").await.is(200);
}
