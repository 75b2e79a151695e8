//! Every step has its way back: apply, then undo, leaves everything as it was, at random.

use std::path::Path;
use std::process::Command;

use harness::{eventually, program, run, workplace};
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, stage, swiss};
use crate::history::{History, ProjectionJob};

/// Chance that is the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, many: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % many
    }
}

/// All that people see of it but for which match a bout is played as, and when a round was closed.
pub(super) fn state(whole: &Value) -> Value {
    let mut state = whole.clone();
    state["tournament"]["revision"] = Value::Null;
    for round in state["rounds"].as_array_mut().expect("it has rounds") {
        round["closed_at"] = Value::Null;
        for bout in round["bouts"].as_array_mut().expect("it has bouts") {
            if let Some(of) = bout["match"].as_object_mut() {
                of.retain(|field, _| field == "status");
            }
            // Of a bout that is over only the result counts.
            if !bout["result"].is_null() {
                bout["match"] = Value::Null;
            }
        }
    }
    state
}

pub(super) async fn last_step(event: &Event) -> Value {
    let log = event.staff.get(&event.path("/log")).await.is(200);
    log["items"]
        .as_array()
        .expect("it has steps")
        .iter()
        .rfind(|it| it["action"] != "tournament.ingest")
        .expect("there is one")
        .clone()
}

pub(super) async fn undo(event: &Event, step: &Value) -> Value {
    event.staff.post(&event.path("/undo"), json!({ "step": step["revision"] })).await.is(200)
}

fn open_bouts(whole: &Value) -> Vec<(u64, Value)> {
    let rounds = whole["rounds"].as_array().expect("it has rounds").iter().filter(|round| round["status"] != "draft");
    let bouts = rounds.flat_map(|round| {
        let stage = round["stage"].as_u64().expect("of a stage");
        round["bouts"].as_array().expect("it has bouts").iter().map(move |bout| (stage, bout.clone()))
    });
    bouts.filter(|(_, bout)| entrants(bout).len() > 1).collect()
}

/// Some step that staff can take now; the last of the list leads on.
async fn step(event: &Event, whole: &Value, dice: &mut Dice) -> bool {
    let next = &whole["next"];
    let at = format!("/stages/{}/rounds/{}", whole["tournament"]["stage"], next["round"]);
    let (open, over): (Vec<_>, Vec<_>) = open_bouts(whole).into_iter().partition(|(_, bout)| bout["result"].is_null());
    if dice.below(4) == 0 {
        let who = 1 + dice.below(6);
        match dice.below(4) {
            0 => drop(event.staff.delete(&event.path(&format!("/entrants/{who}"))).await),
            1 => drop(event.step(&format!("/entrants/{who}/reinstate")).await),
            2 => drop(event.step(&format!("/entrants/{who}/check-in")).await),
            _ if !over.is_empty() => {
                let (stage, bout) = &over[dice.below(over.len())];
                let mut order = entrants(bout);
                order.reverse();
                let path = event.path(&format!("/stages/{stage}/bouts/{}", bout["key"].as_str().expect("a key")));
                let asked = json!({ "finishes": finishes(&order) });
                let followed = event.staff.post(&format!("{path}/following"), asked).await;
                if followed.status == 200 {
                    let voids = followed.is(200)["voids"].clone();
                    let correction = json!({ "finishes": finishes(&order), "reason": "거꾸로였어요", "voids": voids });
                    event.staff.post(&format!("{path}/correction"), correction).await.is(200);
                }
            }
            _ => {}
        }
        return true;
    }
    match next["step"].as_str().expect("staff do something next") {
        "open_check_in" => drop(event.step("/check-in").await.is(200)),
        "start" => match whole["entrants"].as_array().expect("a list").iter().find(|it| it["status"] == "entered") {
            Some(entrant) => drop(event.step(&format!("/entrants/{}/check-in", entrant["number"])).await.is(200)),
            None => drop(event.step("/start").await),
        },
        "pair" => drop(event.step("/pair").await.is(200)),
        "stuck" => drop(event.staff.post(&event.path("/pair"), json!({ "repeats": true })).await),
        "publish" if dice.below(4) == 0 => drop(event.step("/discard").await.is(200)),
        "publish" => drop(event.step(&format!("{at}/publish")).await.is(200)),
        "start_round" if dice.below(4) == 0 => drop(event.step(&format!("{at}/withdraw")).await.is(200)),
        "start_round" => drop(event.step(&format!("{at}/start")).await.is(200)),
        "results" => {
            let (stage, bout) = &open[dice.below(open.len())];
            let mut order = entrants(bout);
            if dice.below(2) == 0 {
                order.reverse();
            }
            event.write(*stage, bout["key"].as_str().expect("a key"), &order).await.is(200);
        }
        "next_stage" => drop(event.step("/next-stage").await.is(200)),
        "stage_unfit" => return false,
        "finish" => drop(event.step("/finish").await.is(200)),
        _ => return false,
    }
    true
}

async fn walk(seed: u64, mode: &str) -> usize {
    let mut first = swiss(2);
    first["advance"] = json!(2);
    let mut request = new("perudo", json!([first, single()]));
    request["mode"] = json!(mode);
    let event = Event::gather(request, 6).await;
    let (mut dice, mut undone) = (Dice(seed), 0);
    for _ in 0..90 {
        let before = event.look().await;
        if !step(&event, &before, &mut dice).await {
            break;
        }
        let after = event.look().await;
        if after["tournament"]["revision"] == before["tournament"]["revision"] {
            continue;
        }
        let done = last_step(&event).await;
        if done["has_way_back"] != true || done["revision"].as_i64() <= before["tournament"]["revision"].as_i64() {
            continue;
        }
        let back = undo(&event, &done).await;
        assert_eq!(state(&back), state(&before), "{} was taken back", done["action"]);
        undone += 1;
        // Most steps are done again, so that it goes on.
        if dice.below(5) > 0 {
            let again = undo(&event, &last_step(&event).await).await;
            assert_eq!(state(&again), state(&after), "{} was done again", done["action"]);
        }
    }
    expect_replay(&event).await;
    undone
}

/// The export alone gives the same pairings and standings.
pub(super) async fn expect_replay(event: &Event) {
    let export = event.staff.get(&event.path("/export")).await.is(200);
    let file = workplace().folder("replay").join("export.json");
    std::fs::write(&file, export.to_string()).expect("it can be written");
    let replay = |file: &Path| run(Command::new(program("houserules")).args(["tournament", "replay"]).arg(file));
    let told = replay(&file).well();
    assert!(told.contains("all the same"), "{told}");
    let mut other = export.clone();
    other["standings"]["1"][0]["points"] = json!(99);
    std::fs::write(&file, other.to_string()).expect("it can be written");
    assert_ne!(replay(&file).status, Some(0), "what differs is told");
}

#[tokio::test]
async fn a_step_and_its_way_back_leave_everything_as_it_was() {
    let (phones, paper) = tokio::join!(walk(1, "played"), walk(2, "scored"));
    assert!(phones > 25 && paper > 25, "{phones} and {paper} steps were taken back");
}

#[tokio::test]
async fn what_was_played_since_cannot_be_taken_back() {
    let event = Event::start(scored(json!([single()])), 4).await;
    let start = last_step(&event).await;
    let (_, _, bouts) = event.next_round().await;
    event.staff.post(&event.path("/undo"), json!({ "step": start["revision"] })).await.problem(409, "no_way_back");
    let begun = last_step(&event).await;
    assert_eq!((&begun["action"], &begun["has_way_back"]), (&json!("tournament.start_round"), &json!(true)));
    let at = format!("/matches/{}/result", bouts[0]["match"]["id"].as_str().expect("it is a match"));
    event.player(entrants(&bouts[0])[0]).post(&at, json!({ "ranks": [1, 2] })).await.is(200);
    event.staff.post(&event.path("/undo"), json!({ "step": begun["revision"] })).await.problem(409, "played_since");
    event.staff.post(&event.path("/undo"), json!({ "step": 99_999 })).await.problem(404, "step_not_found");
    // A cancelled tournament goes on where it was.
    event.staff.post(&event.path("/cancel"), json!({ "reason": "정전" })).await.is(200);
    let cancelled = last_step(&event).await;
    assert_eq!(cancelled["details"]["reason"], "정전");
    let desk = event.app.owner_at_pages().await;
    let log = desk.open(&format!("/admin/tournaments/{}/log", event.id)).await.text();
    assert!(log.contains("정전") && log.contains("Called a tournament off"), "{log}");
    let back = undo(&event, &cancelled).await;
    assert_eq!((&back["tournament"]["status"], &back["next"]["step"]), (&json!("running"), &json!("results")));
    let bout = event.bout(1, bouts[1]["key"].as_str().expect("a key")).await;
    assert_eq!(bout["match"]["status"], "running", "it has a match to be played");
}

/// The two finished so in the first stage.
async fn correct_first(event: &Event, finishes: Value) {
    let whole = event.look().await;
    let pair = [0_usize, 1].map(|at| finishes[at]["entrant"].as_u64().expect("a number"));
    let bouts = open_bouts(&whole);
    let of_both = |it: &&(u64, Value)| it.0 == 1 && pair.iter().all(|who| entrants(&it.1).contains(who));
    let (_, bout) = bouts.iter().find(of_both).expect("they met");
    let at = event.path(&format!("/stages/1/bouts/{}/correction", bout["key"].as_str().expect("a key")));
    event.staff.post(&at, json!({ "finishes": finishes, "reason": "점수표가 맞아요" })).await.is(200);
}

#[tokio::test]
async fn nothing_comes_back_by_which_others_would_have_gone_on() {
    let mut first = stage(json!({ "kind": "round_robin", "legs": 1 }));
    first["advance"] = json!(2);
    let event = Event::start(new("perudo", json!([first, single()])), 4).await;
    while event.next().await == "pair" {
        let (_, _, bouts) = event.next_round().await;
        event.write_all(1, &bouts).await;
    }
    let refused = async |step: &Value| {
        assert_eq!(step["has_way_back"], true);
        let asked = json!({ "step": step["revision"] });
        event.staff.post(&event.path("/undo"), asked).await.problem(409, "others_go_on");
    };
    let drawn = |one: u64, other: u64| json!([{ "entrant": one, "place": 1 }, { "entrant": other, "place": 1 }]);
    // The next stage began with 1 and 2. That was taken back, and 3 and not 2 goes on.
    event.step("/next-stage").await.is(200);
    undo(&event, &last_step(&event).await).await;
    let taken_back = last_step(&event).await;
    correct_first(&event, finishes(&[3, 2])).await;
    refused(&taken_back).await;
    correct_first(&event, finishes(&[2, 3])).await;
    event.step("/next-stage").await.is(200);
    // A draw of 1 and 2 alone makes room for one of 2 and 3.
    correct_first(&event, drawn(1, 2)).await;
    let room = last_step(&event).await;
    correct_first(&event, drawn(2, 3)).await;
    refused(&room).await;
    undo(&event, &last_step(&event).await).await;
    undo(&event, &room).await;
    assert_eq!(event.standings(1).await[..2], [(1, 1), (2, 2)]);
    expect_replay(&event).await;
}

/// The job marks what is rated again in the order in which matches ended, the step takes them back in that of the bouts.
#[tokio::test]
async fn a_step_that_takes_results_back_and_the_ratings_that_follow_do_not_wait_for_each_other() {
    let mut request = new("perudo", json!([swiss(3)]));
    request["mode"] = json!("scored");
    let event = Event::start(request, 4).await;
    let (_, _, bouts) = event.next_round().await;
    let result = |bout: &Value| json!({ "bout": bout["key"], "finishes": finishes(&entrants(bout)) });
    let results: Vec<Value> = bouts.iter().map(result).collect();
    event.staff.post(&event.path("/stages/1/results"), json!({ "results": results })).await.is(200);
    let [first, last] = [0, 1].map(|at: usize| bouts[at]["match"]["id"].as_str().expect("a match").to_owned());
    let database = event.app.database();
    let later = format!("UPDATE matches SET finished_at = finished_at + interval '1 minute' WHERE id = '{first}'");
    database.with(|client| client.batch_execute(&later)).expect("it changes");
    let history = History::of(&event.app);
    history.settled().await;
    let step = last_step(&event).await;
    let job = ProjectionJob::begin(&event.app);
    job.mark(&last);
    let meanwhile = async {
        eventually("the step waits for the job", async || (database.waiting() > 0).then_some(())).await;
        job.mark(&first);
        job.end()
    };
    let (_, job) = tokio::join!(undo(&event, &step), meanwhile);
    job.join().expect("it ends").expect("no deadlock");
    history.settled().await;
}
