//! A desk of somebody else's: which bouts wait, what would be paired, and many results at once.

use harness::eventually;
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, swiss};

async fn ready(event: &Event) -> Vec<String> {
    let listed = event.app.anybody().get(&event.path("/bouts?status=ready&limit=100")).await.is(200);
    let key = |it: &Value| it["key"].as_str().expect("a key").to_owned();
    listed["items"].as_array().expect("a list").iter().map(key).collect()
}

fn result(bout: &Value) -> Value {
    let mut order = entrants(bout);
    order.sort_unstable();
    json!({ "bout": bout["key"], "finishes": finishes(&order) })
}

fn outcomes(answer: &Value) -> Vec<&str> {
    let outcome = |it: &Value| match it["outcome"].as_str() {
        Some("written") => "written",
        Some("unchanged") => "unchanged",
        Some("refused") => "refused",
        other => panic!("{other:?} is no outcome"),
    };
    answer["results"].as_array().expect("a list").iter().map(outcome).collect()
}

#[tokio::test]
async fn many_results_are_written_in_one_step_each_by_itself() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 9).await;
    let (_, _, bouts) = event.next_round().await;
    let played: Vec<&Value> = bouts.iter().filter(|it| entrants(it).len() > 1).collect();
    let mut keys: Vec<&str> = played.iter().map(|it| it["key"].as_str().expect("a key")).collect();
    keys.sort_unstable();
    assert_eq!(ready(&event).await, keys, "the bye waits for nobody");

    let at = event.path("/stages/1/results");
    let before = event.look().await["tournament"]["revision"].as_i64().expect("a number");
    let wrong = json!({ "bout": played[2]["key"], "finishes": finishes(&[1, 99]) });
    let unknown = json!({ "bout": "main-7-1", "finishes": finishes(&[1, 2]) });
    let sent = json!({ "results": [result(played[0]), result(played[1]), wrong, unknown], "revision": before });
    let written = event.staff.post(&at, sent).await.is(200);
    assert_eq!(outcomes(&written), ["written", "written", "refused", "refused"]);
    assert_eq!(written["results"][2]["problem"]["errors"][0]["code"], "wrong_entrants");
    assert_eq!(written["results"][3]["problem"]["code"], "bout_not_found");
    assert_eq!(written["tournament"]["revision"], before + 1, "that was one step");
    assert_eq!(ready(&event).await.len(), 2);

    let all: Vec<Value> = played.iter().map(|it| result(it)).collect();
    let again = event.staff.post(&at, json!({ "results": all })).await.is(200);
    assert_eq!(outcomes(&again), ["unchanged", "unchanged", "written", "written"]);
    assert_eq!(event.round(1, 1).await["status"], "closed");
    let same = event.staff.post(&at, json!({ "results": all })).await.is(200);
    assert_eq!(same["tournament"]["revision"], before + 2, "asking again changes nothing");
    assert_eq!(ready(&event).await, Vec::<String>::new());
    let mut turned = result(played[0]);
    let mut order = entrants(played[0]);
    order.sort_unstable_by(|one, other| other.cmp(one));
    turned["finishes"] = finishes(&order);
    let other = event.staff.post(&at, json!({ "results": [turned] })).await.is(200);
    assert_eq!(other["results"][0]["problem"]["code"], "bout_over");

    // The matches that people play hear of it, and the step has its way back.
    let id = played[0]["match"]["id"].as_str().expect("a match");
    assert_eq!(event.staff.get(&format!("/matches/{id}")).await.is(200)["status"], "aborted");
    event.staff.post(&event.path("/undo"), json!({ "step": before + 2 })).await.is(200);
    assert_eq!(ready(&event).await.len(), 2, "those of that step wait again");

    for wrong in [json!([]), json!(vec![result(played[0]); 257])] {
        event.staff.post(&at, json!({ "results": wrong })).await.problem(422, "invalid_fields");
    }
    event.staff.post(&event.path("/stages/3/results"), json!({ "results": all })).await.problem(404, "stage_not_found");
    event.players[0].post(&at, json!({ "results": all })).await.problem(403, "forbidden");
}

#[tokio::test]
async fn bouts_are_listed_a_page_at_a_time() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 8).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    event.next_round().await;
    event.staff.post(&event.path("/stages/1/results"), json!({ "results": [] })).await.problem(422, "invalid_fields");
    let mut cursor = String::new();
    let mut all = Vec::new();
    loop {
        let page = event.app.anybody().get(&event.path(&format!("/bouts?limit=3{cursor}"))).await.is(200);
        let items = page["items"].as_array().expect("a list").clone();
        assert!((1..=3).contains(&items.len()));
        all.extend(items.iter().map(|it| (it["round"].as_u64(), it["status"].as_str().map(str::to_owned))));
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let of = |round: u64, status: &str| vec![(Some(round), Some(status.to_owned())); 4];
    assert_eq!(all, [of(1, "over"), of(2, "ready")].concat());
    let over = event.app.anybody().get(&event.path("/bouts?status=over&stage=1")).await.is(200);
    assert_eq!(over["items"].as_array().map(Vec::len), Some(4));
    event.app.anybody().get(&event.path("/bouts?cursor=x")).await.problem(400, "invalid_query");
    event.app.anybody().get(&event.path("/bouts?stage=0")).await.problem(400, "invalid_query");
}

#[tokio::test]
async fn what_would_be_paired_is_told_and_not_kept() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 6).await;
    let at = event.path("/pair");
    let before = event.look().await["tournament"]["revision"].clone();
    let told = event.staff.get(&at).await.is(200);
    assert_eq!((&told["stage"], &told["round"]), (&json!(1), &json!(1)));
    assert!(told["bouts"][0]["reasons"][0]["code"].is_string(), "{told}");
    assert_eq!(event.look().await["tournament"]["revision"], before);
    assert_eq!(event.look().await["rounds"], json!([]), "nothing is drafted");
    event.players[0].get(&at).await.problem(403, "forbidden");

    let drafted = event.step("/pair").await.is(200);
    let pairs = |bouts: &Value| -> Vec<Vec<u64>> { bouts.as_array().expect("a list").iter().map(entrants).collect() };
    assert_eq!(pairs(&told["bouts"]), pairs(&drafted["rounds"][0]["bouts"]), "pairing drafts what was told");
    assert_eq!(pairs(&event.staff.get(&at).await.is(200)["bouts"]), pairs(&told["bouts"]), "a draft stays as it is");
    event.step("/stages/1/rounds/1/publish").await.is(200);
    event.staff.get(&at).await.problem(409, "bouts_open");
}

#[tokio::test]
async fn what_would_be_paired_in_the_place_of_a_draft_has_its_number() {
    let event = Event::start(new("perudo", json!([single()])), 8).await;
    event.publish_second_round_in_halves().await;
    event.step("/stages/1/rounds/2/withdraw").await.is(200);
    let told = event.staff.get(&event.path("/pair")).await.is(200);
    assert_eq!((&told["round"], told["bouts"].as_array().map(Vec::len)), (&json!(2), Some(1)), "{told}");
}

#[tokio::test]
async fn a_bracket_of_512_is_played_and_shown_in_parts() {
    let event = Event::gather(scored_bracket(), 0).await;
    let names: String = (1..=513).map(|it| format!("P{it:03}\n")).collect();
    event.staff.post(&event.path("/entrants/list"), json!({ "text": names })).await.problem(422, "invalid_fields");
    let names: String = (1..=512).map(|it| format!("P{it:03}\n")).collect();
    let listed = event.staff.post(&event.path("/entrants/list"), json!({ "text": names })).await.is(200);
    assert_eq!(listed["entered"].as_array().map(Vec::len), Some(512));
    let order: Vec<u32> = (1..=512).collect();
    event.staff.put(&event.path("/seeds"), json!({ "by": "hand", "order": order })).await.is(200);
    let desk = event.app.owner_at_pages().await;
    let at = format!("/admin/tournaments/{}", event.id);
    let shown = async |path: &str| desk.open(&format!("{at}{path}")).await.text();
    let last = shown("/entrants?part=6").await;
    assert!(last.contains("P512") && !last.contains("P500") && last.contains("part=1"), "{last}");
    let seeds = shown("/entrants?seeding=1&part=2").await;
    assert!(
        seeds.contains("value=\"101\"") && seeds.contains("max=\"512\"") && seeds.contains("seeding=1&#38;part=3"),
        "{seeds}"
    );
    event.step("/start").await.is(200);
    let (_, _, bouts) = event.next_round().await;
    assert_eq!(bouts.len(), 256);
    let round = shown("/rounds/1/1").await;
    assert!(round.contains("part=4") && !round.contains("part=5"), "64 on a page");
    let grid = shown("/rounds/1/1/grid?part=4").await;
    assert_eq!(grid.matches("name=\"result\"").count(), 64 * 3, "a field and two buttons each");
    let results: Vec<Value> = bouts.iter().map(result).collect();
    let written = event.staff.post(&event.path("/stages/1/results"), json!({ "results": results })).await.is(200);
    assert!(outcomes(&written).iter().all(|it| *it == "written"));
    assert_eq!(event.next().await, "pair");
}

fn scored_bracket() -> Value {
    let mut request = new("other", json!([single()]));
    request["title"] = json!("윷놀이");
    request
}

#[tokio::test]
async fn a_result_that_its_match_refuses_leaves_the_others_written() {
    let event = Event::start(scored(json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    // A level match decides no knock-out: staff have to say how the bout ended, and why.
    let level = format!("/matches/{}/result", bouts[0]["match"]["id"].as_str().expect("a match"));
    event.staff.post(&level, json!({ "ranks": [1, 1] })).await.is(200);
    let key = bouts[0]["key"].as_str().expect("a key");
    eventually("the desk hears of it", async || (!event.bout(1, key).await["claim"].is_null()).then_some(())).await;
    let at = event.path("/stages/1/results");
    let sent = json!({ "results": [result(&bouts[0]), result(&bouts[1])] });
    let written = event.staff.post(&at, sent).await.is(200);
    assert_eq!(outcomes(&written), ["refused", "written"]);
    assert_eq!(written["results"][0]["problem"]["errors"][0]["pointer"], "/reason");
    assert_eq!(event.bout(1, key).await["result"], Value::Null);
    let mut again = result(&bouts[0]);
    again["reason"] = json!("연장전까지 했어요");
    let written = event.staff.post(&at, json!({ "results": [again] })).await.is(200);
    assert_eq!(outcomes(&written), ["written"]);
    assert_eq!(event.round(1, 1).await["status"], "closed");
}
