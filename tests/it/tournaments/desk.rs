//! What the desk says and asks where things do not go by themselves: nothing ends or changes in silence.

use harness::{Browser, TestApp, eventually};
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, stage, swiss};

fn key(bout: &Value) -> &str {
    bout["key"].as_str().expect("it has a key")
}

/// Four in three rounds, of whom the two leave whom the others have not met.
#[tokio::test]
async fn a_round_that_cannot_be_paired_is_told_and_paired_with_the_least_harm_on_demand() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 4).await;
    let mut met = Vec::new();
    for _ in 0..2 {
        let (_, _, bouts) = event.next_round().await;
        met.extend(bouts.iter().map(entrants).filter(|pair| pair.contains(&1)));
        event.write_all(1, &bouts).await;
    }
    let last = (2..=4).find(|it| !met.iter().flatten().any(|met| met == it)).expect("somebody is left");
    let other = (2..=4).find(|it| *it != last).expect("somebody else is left");
    for gone in [last, (2..=4).find(|it| ![last, other].contains(it)).expect("the third")] {
        event.staff.delete(&event.path(&format!("/entrants/{gone}"))).await.is(200);
    }
    let next = event.look().await["next"].clone();
    assert_eq!(next, json!({ "step": "stuck", "round": 3, "code": "no_legal_pairing" }));
    event.step("/pair").await.problem(409, "unpairable");
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
    assert!(page.contains("Round 3 cannot be paired") && page.contains("have met once before"), "{page}");
    let paired = event.staff.post(&event.path("/pair"), json!({ "repeats": true })).await.is(200);
    let bouts = paired["rounds"][2]["bouts"].clone();
    assert_eq!((bouts.as_array().map(Vec::len), entrants(&bouts[0]).len()), (Some(1), 2));
    assert!(bouts[0]["reasons"].as_array().is_some_and(|it| it.iter().any(|it| it["code"] == "repeat")), "{bouts}");
    // Or it ends here.
    event.step("/discard").await.is(200);
    event.step("/finish").await.is(200);
}

#[tokio::test]
async fn a_swap_that_makes_people_meet_again_needs_a_deliberate_word_and_is_done_once() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 5).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    event.step("/pair").await.is(200);
    let rested = bouts.iter().map(entrants).find(|it| it.len() == 1).expect("one rests")[0];
    let draft = event.round(1, 2).await["bouts"].as_array().expect("it has bouts").clone();
    let bye = draft.iter().find(|bout| entrants(bout).len() == 1).expect("one rests");
    let resting = entrants(bye)[0];
    let at = event.path("/swap");
    let mut swap = json!({ "one": rested, "other": resting, "bout": key(bye) });
    let refused = event.staff.post(&at, swap.clone()).await.problem(409, "swap_conflicts");
    assert_eq!(refused["errors"][0]["code"], "second_bye");
    assert_eq!(event.round(1, 2).await["bouts"], json!(draft), "nothing was done");
    swap["force"] = json!(true);
    swap["revision"] = event.look().await["tournament"]["revision"].clone();
    let swapped = event.staff.post(&at, swap.clone()).await.is(200);
    let bye_now = event.bout(1, key(bye)).await;
    assert!(entrants(&bye_now) == [rested] && bye_now["arranged_by"].is_string(), "{bye_now}");
    // The other of staff who sends the same does not undo it.
    let again = event.staff.post(&at, swap.clone()).await.is(200);
    assert_eq!(again["tournament"]["revision"], swapped["tournament"]["revision"]);
    swap["other"] = json!(entrants(&draft[0])[0]);
    swap["one"] = json!(entrants(&draft[0])[1]);
    event.staff.post(&at, swap).await.problem(409, "tournament_changed");
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{}/rounds/1/2", event.id)).await.text();
    assert!(page.contains("a bye for the second time") && page.contains("By hand, by"), "{page}");
}

/// A mouse over the draft of a round.
struct Hand<'a>(&'a Browser);

impl Hand<'_> {
    async fn mouse(&self, kind: &str, at: &Value) {
        let what = json!({ "type": kind, "x": at[0], "y": at[1], "button": "left", "buttons": 1, "clickCount": 1 });
        self.0.command("Input.dispatchMouseEvent", what).await;
    }

    /// Where a place of the draft is, or its grip.
    async fn find(&self, entrant: u64, part: &str) -> Value {
        let script = format!(
            "const it = document.querySelector(`[data-seat^='{entrant}@'] {part}`);
             it.scrollIntoView({{ block: 'center', behavior: 'instant' }});
             const box = it.getBoundingClientRect();
             return [box.x + box.width / 2, box.y + box.height / 2]"
        );
        self.0.run(&script).await
    }

    /// Takes somebody by the grip. Gives where they would make a conflict, and where not.
    async fn take(&self, entrant: u64) -> [Vec<u64>; 2] {
        self.0.find("[data-swap-grip]:not([hidden])").await;
        let grip = self.find(entrant, "[data-swap-grip]").await;
        self.mouse("mousePressed", &grip).await;
        let marked = ["clashes", "fits"].map(|class| {
            format!("[...document.querySelectorAll('.{class}')].map(it => Number.parseInt(it.dataset.seat, 10))")
        });
        let marked = self.0.run(&format!("return [{}]", marked.join(", "))).await;
        [0, 1].map(|at| marked[at].as_array().expect("a list").iter().filter_map(Value::as_u64).collect())
    }

    async fn drop_on(&self, entrant: u64) {
        let place = self.find(entrant, ".name").await;
        self.mouse("mouseMoved", &place).await;
        self.mouse("mouseReleased", &place).await;
    }
}

#[tokio::test]
async fn a_name_is_dragged_to_another_bout_and_colours_say_where_people_would_meet_again() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 5).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    event.step("/pair").await.is(200);
    let before: Vec<_> = bouts.iter().map(entrants).collect();
    let met = |one: u64, other: u64| before.iter().any(|it| it.len() > 1 && it.contains(&one) && it.contains(&other));
    let has_rested = |one: u64| before.contains(&vec![one]);
    let draft = async || {
        let round = event.round(1, 2).await;
        round["bouts"].as_array().expect("it has bouts").iter().map(entrants).collect::<Vec<_>>()
    };
    let browser = Browser::open(1280, 900, "en").await;
    browser.sign_in(&event.app).await;
    browser.go(&format!("{}/admin/tournaments/{}/rounds/1/2", event.app.url(), event.id)).await;
    let hand = Hand(&browser);
    let paired = draft().await;
    let mut fitting = None;
    for own in &paired {
        for one in own {
            let [clashing, fits] = hand.take(*one).await;
            browser.keys("\u{e00c}").await;
            hand.mouse("mouseReleased", &json!([2, 2])).await;
            for bout in paired.iter().filter(|it| *it != own) {
                for other in bout {
                    let harms = |who: u64, leaves: u64, there: &[u64]| match there.len() {
                        1 => has_rested(who),
                        _ => there.iter().any(|it| *it != leaves && met(who, *it)),
                    };
                    let harm = harms(*one, *other, bout) || harms(*other, *one, own);
                    assert_eq!((clashing.contains(other), fits.contains(other)), (harm, !harm), "{one} to {other}");
                    if !harm {
                        fitting = Some((*one, *other));
                    }
                }
            }
        }
    }
    // What fits is done at once.
    let (one, other) = fitting.expect("some fit");
    browser.run("window.before = true").await;
    hand.take(one).await;
    hand.drop_on(other).await;
    let exchanged = |it: &u64| {
        if *it == one {
            other
        } else if *it == other {
            one
        } else {
            *it
        }
    };
    let expected: Vec<Vec<u64>> = paired.iter().map(|it| it.iter().map(exchanged).collect()).collect();
    eventually("the two to change places", async || (draft().await == expected).then_some(())).await;
    eventually("the page to say so", async || (browser.run("return !window.before").await == true).then_some(())).await;
    // What does not is asked about first.
    let mut clash = None;
    for one in expected.iter().flatten() {
        browser.find("[data-swap-grip]:not([hidden])").await;
        let [clashing, _] = hand.take(*one).await;
        if let Some(other) = clashing.first() {
            clash = Some(*other);
            break;
        }
        hand.mouse("mouseReleased", &json!([2, 2])).await;
    }
    hand.drop_on(clash.expect("some do not fit")).await;
    browser.find("#asked").await;
    assert_eq!(draft().await, expected);
    browser.close().await;
}

#[tokio::test]
async fn the_desk_tells_what_players_report_and_leads_to_a_dispute() {
    let event = Event::start(scored(json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    let say = async |bout: &Value, seat: usize, ranks: Value| {
        let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
        event.player(entrants(bout)[seat]).post(&at, json!({ "ranks": ranks })).await.is(200);
    };
    say(&bouts[0], 0, json!([1, 2])).await;
    say(&bouts[1], 0, json!([1, 2])).await;
    say(&bouts[1], 1, json!([2, 1])).await;
    let next = event.look().await["next"].clone();
    assert_eq!(next, json!({ "step": "results", "bouts": 2, "reported": 1, "disputed": 1 }));
    assert_eq!(event.bout(1, key(&bouts[0])).await["report"], "reported");
    assert_eq!(event.bout(1, key(&bouts[1])).await["report"], "disputed");
    let desk = event.app.owner_at_pages().await;
    let address = format!("/admin/tournaments/{}", event.id);
    let page = desk.open(&address).await.text();
    for (bout, said) in [(&bouts[0], "Waiting for confirmation"), (&bouts[1], "Disputed")] {
        let link = format!("{address}/bouts/1/{}", key(bout));
        assert!(page.contains(&link) && page.contains(said), "{said}: {page}");
    }
    // The other player says the same: that settles it.
    say(&bouts[0], 1, json!([1, 2])).await;
    eventually("the bout is over", async || {
        Some(event.bout(1, key(&bouts[0])).await).filter(|it| !it["result"].is_null())
    })
    .await;
    assert_eq!(event.bout(1, key(&bouts[0])).await["report"], Value::Null);
}

#[tokio::test]
async fn a_stage_that_cannot_begin_says_with_how_many_it_could_and_is_planned_again() {
    let mut first = swiss(1);
    first["advance"] = json!(4);
    let second = stage(json!({ "kind": "swiss", "rounds": 3 }));
    let event = Event::start(new("perudo", json!([first, second])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    event.staff.delete(&event.path("/entrants/4")).await.is(200);
    event.staff.delete(&event.path("/entrants/3")).await.is(200);
    let next = event.look().await["next"].clone();
    assert_eq!(next, json!({ "step": "stage_unfit", "stage": 2, "entrants": 2, "fits": "3–256" }));
    let refused = event.step("/next-stage").await.problem(409, "stage_unfit");
    assert!(refused["detail"].as_str().is_some_and(|it| it.contains("3–256")), "{refused}");
    // What has begun stays as it is.
    let change = async |stages: Value| event.staff.patch(&event.path(""), json!({ "stages": stages })).await;
    let mut shorter = first.clone();
    shorter["format"]["rounds"] = json!(2);
    change(json!([shorter, single()])).await.problem(409, "tournament_started");
    first["advance"] = json!(2);
    change(json!([first, single()])).await.is(200);
    assert_eq!(event.next().await, "next_stage");
    event.step("/next-stage").await.is(200);
    assert_eq!(event.next().await, "pair");
}

#[tokio::test]
async fn nobody_goes_through_equals_before_a_decision() {
    let format = json!({ "kind": "swiss", "rounds": 1 });
    let mut first = stage(format);
    first["advance"] = json!(3);
    let event = Event::start(new("perudo", json!([first, single()])), 8).await;
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;
    let next = event.look().await["next"].clone();
    assert_eq!(next, json!({ "step": "cut", "places": 3, "equals": [1, 2, 3, 4] }));
    event.step("/next-stage").await.problem(409, "equals_at_line");
    let cut = async |cut: Value| event.staff.post(&event.path("/next-stage"), json!({ "cut": cut })).await;
    cut(json!({ "by": "hand", "going": [4, 9, 1], "reason": "연장전" })).await.problem(422, "invalid_fields");
    cut(json!({ "by": "hand", "going": [4, 2, 1], "reason": "연장전" })).await.is(200);
    event.step("/pair").await.is(200);
    let going: Vec<u64> =
        event.round(2, 1).await["bouts"].as_array().expect("bouts").iter().flat_map(entrants).collect();
    assert_eq!((going.len(), going.contains(&4), going.contains(&3)), (3, true, false));
    // One step back, and by lot: its number is kept.
    let undo = async |action: &str| {
        let log = event.staff.get(&event.path("/log")).await.is(200);
        let step = log["items"]
            .as_array()
            .expect("it has steps")
            .iter()
            .rfind(|it| it["action"] == action)
            .expect("it is there")
            .clone();
        event.staff.post(&event.path("/undo"), json!({ "step": step["revision"] })).await.is(200);
    };
    undo("tournament.pair").await;
    undo("tournament.next_stage").await;
    assert_eq!(event.next().await, "cut");
    cut(json!({ "by": "lot" })).await.is(200);
    let log = event.staff.get(&event.path("/log")).await.is(200);
    let step = log["items"].as_array().expect("it has steps").last().expect("the last").clone();
    assert!(step["details"]["decision"]["lot"].is_u64(), "{step}");
    assert_eq!(step["details"]["order"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_published_bout_holds_its_table() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 2 })).await.is(201);
    let table = table["id"].as_str().expect("it has an id").to_owned();
    let other = owner.post("/tables", json!({ "name": "구석", "seats": 2 })).await.is(201);
    let other = other["id"].as_str().expect("it has an id").to_owned();
    let mut request = new("perudo", json!([single()]));
    request["table_ids"] = json!([table]);
    let event = Event::gather_in(app, request, 2).await;
    event.begin().await;
    let seat = async |force: bool| {
        let party = json!({ "party_size": 2, "force": force });
        event.staff.post(&format!("/tables/{table}/sittings"), party).await
    };
    // A party sits at the table that the tournament keeps: the draft names it.
    let sitting = seat(false).await.is(201);
    event.step("/pair").await.is(200);
    let desk = event.app.owner_at_pages().await;
    let draft = desk.open(&format!("/admin/tournaments/{}/rounds/1/1", event.id)).await.text();
    assert!(draft.contains("a party of 2 sits") && draft.contains("창가"), "{draft}");
    let sitting = sitting["id"].as_str().expect("it has an id").to_owned();
    event.staff.patch(&format!("/sittings/{sitting}"), json!({ "table_id": other })).await.is(200);
    event.step("/stages/1/rounds/1/publish").await.is(200);
    assert_eq!(event.bout(1, "main-1-1").await["table"]["name"], "창가");
    let refused = seat(false).await.problem(409, "table_held");
    assert!(refused["detail"].as_str().is_some_and(|it| it.contains("금요일 대회")), "{refused}");
    event.staff.patch(&format!("/sittings/{sitting}"), json!({ "table_id": table })).await.problem(409, "table_held");
    let floor = desk.open("/admin").await.text();
    assert!(
        floor.contains(&format!("/admin/tournaments/{}#b1-main-1-1", event.id)),
        "the table's card leads to its bout"
    );
    let code = event.staff.get(&format!("/tables/{table}")).await.is(200)["code"].clone();
    scan_held_table(&event, code.as_str().expect("it has a code")).await;
    let forced = seat(true).await.is(201);
    let forced = forced["id"].as_str().expect("it has an id").to_owned();
    event.staff.delete(&format!("/sittings/{forced}")).await;
    event.write(1, "main-1-1", &[1, 2]).await.is(200);
    event.staff.patch(&format!("/sittings/{sitting}"), json!({ "table_id": table })).await;
    seat(false).await.problem(409, "table_occupied");
}

/// Guests are told, players of the bout are led to it, staff may insist.
async fn scan_held_table(event: &Event, code: &str) {
    let members = format!("/tables/by-code/{code}/members");
    let guest = event.app.guest("지나가던 손님").await;
    guest.post(&members, json!({})).await.problem(409, "table_held");
    guest.post(&members, json!({ "force": true })).await.problem(403, "forbidden");
    let seen = guest.get(&format!("/tables/by-code/{code}")).await.is(200);
    assert_eq!((&seen["sitting"], &seen["held_for"]["tournament"]), (&Value::Null, &json!("금요일 대회")));
    assert_eq!((&seen["held_for"]["bout"], &seen["held_for"]["match_code"]), (&json!("main-1-1"), &Value::Null));
    let played = event.bout(1, "main-1-1").await["match"]["code"].clone();
    let own = event.player(1).get(&format!("/tables/by-code/{code}")).await.is(200);
    assert_eq!(own["held_for"]["match_code"], played);
    // On the page nobody can sit down either, unless they are staff.
    let visitor = event.app.anybody();
    let page = visitor.open(&format!("/t/{code}")).await;
    assert!(page.text().contains("금요일 대회") && !page.text().contains("display_name"), "{}", page.text());
    let desk = event.app.owner_at_pages().await;
    assert!(desk.open(&format!("/t/{code}")).await.text().contains("name=\"force\""));
    let led = event.player(1).open(&format!("/t/{code}")).await;
    let to = format!("/m/{}", played.as_str().expect("it has a code"));
    assert_eq!((led.status, led.header("location")), (303, to.as_str()));
}

#[tokio::test]
async fn news_carry_the_revision_and_what_changed() {
    let event = Event::start(new("perudo", json!([single()])), 2).await;
    let mut stream = event.app.anybody().listen(&event.path("/stream"), None).await;
    let first: Value = stream.next_of("changed").await.data;
    assert_eq!((&first["revision"], &first["changed"]), (&event.look().await["tournament"]["revision"], &json!([])));
    let (_, _, bouts) = event.next_round().await;
    let mut heard: Vec<Value> = Vec::new();
    while heard.last().is_none_or(|it| it["revision"] != first["revision"].as_i64().map(|it| it + 3).expect("a number"))
    {
        heard.push(stream.next_of("changed").await.data);
    }
    assert!(
        heard.iter().all(|it| it["changed"].as_array().is_some_and(|it| it.contains(&json!("rounds")))),
        "{heard:?}"
    );
    event.write(1, key(&bouts[0]), &[1, 2]).await.is(200);
    let result: Value = stream.next_of("changed").await.data;
    assert_eq!(result["changed"], json!(["results"]));
}

/// Staff correct a result where it was played, and the desk takes it in at the same moment.
#[tokio::test]
async fn a_correction_of_the_match_and_the_desk_do_not_wait_for_each_other() {
    let event = Event::start(scored(json!([single()])), 4).await;
    let (_, _, bouts) = event.next_round().await;
    let id = bouts[0]["match"]["id"].as_str().expect("it is a match").to_owned();
    let (url, the_match) = (event.app.database().url(), id.clone());
    let (locked, is_locked) = std::sync::mpsc::channel();
    let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
    // As a correction does: it locks the match, and then puts it on the list of the desk.
    let correction = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls)?;
        let mut transaction = client.transaction()?;
        transaction.batch_execute(&format!("SELECT 1 FROM matches WHERE id = '{the_match}' FOR NO KEY UPDATE"))?;
        locked.send(()).expect("somebody waits for it");
        may_go_on.recv().expect("the desk waits");
        let list = "INSERT INTO pending_bout_results (match_id, tournament_id, since)
                    SELECT match_id, tournament_id, now() FROM tournament_bouts WHERE match_id = ";
        transaction.batch_execute(&format!(
            "{list}'{the_match}' ON CONFLICT (match_id) DO UPDATE SET since = excluded.since"
        ))?;
        transaction.commit()
    });
    let list = "INSERT INTO pending_bout_results (match_id, tournament_id, since)
                SELECT match_id, tournament_id, now() FROM tournament_bouts WHERE match_id = ";
    is_locked.recv().expect("the match is locked");
    event.app.database().with(|client| client.batch_execute(&format!("{list}'{id}'"))).expect("it is listed");
    let written = async {
        event
            .staff
            .post(
                &event.path(&format!("/stages/1/bouts/{}/result", key(&bouts[1]))),
                json!({ "finishes": finishes(&entrants(&bouts[1])) }),
            )
            .await
    };
    let meanwhile = async {
        eventually("the desk waits for the correction", async || (event.app.database().waiting() > 0).then_some(()))
            .await;
        go_on.send(()).expect("the correction waits");
    };
    let (written, ()) = tokio::join!(written, meanwhile);
    written.is(200);
    correction.join().expect("it ends").expect("no deadlock");
}

#[tokio::test]
async fn nobody_is_exchanged_in_a_bout_that_is_locked() {
    let event = Event::start(new("perudo", json!([swiss(3)])), 8).await;
    let draft = event.step("/pair").await.is(200)["rounds"][0]["bouts"].clone();
    let bout = |at: usize| (draft[at]["key"].as_str().expect("a key").to_owned(), entrants(&draft[at]));
    let ((key, locked), (_, other), (_, third)) = (bout(0), bout(1), bout(2));
    let lock = event.path(&format!("/stages/1/bouts/{key}/lock"));
    event.staff.put(&lock, Value::Null).await.is(200);
    let seen = event.staff.put(&lock, Value::Null).await.is(200);
    assert_eq!(event.bout(1, &key).await["is_locked"], true);
    let swap = async |one: u64, other: u64| {
        event.staff.post(&event.path("/swap"), json!({ "one": one, "other": other, "force": true })).await
    };
    swap(locked[0], other[0]).await.problem(409, "bout_locked");
    swap(other[0], locked[1]).await.problem(409, "bout_locked");
    swap(other[0], third[0]).await.is(200);

    // The page neither drags nor offers them, and unlocks the bout.
    let desk = event.app.owner_at_pages().await;
    let page_at = format!("/admin/tournaments/{}/rounds/1/1", event.id);
    let page = desk.open(&page_at).await;
    let drags = |number: u64| page.text().contains(&format!("data-seat=\"{number}@"));
    assert!(!drags(locked[0]) && drags(other[1]));
    let form = [("round", "1"), ("is_locked", "false")];
    let at = format!("/admin/tournaments/{}/bouts/1/{key}/lock", event.id);
    assert_eq!(desk.submit(&page, &at, &form).await.status, 303);
    assert_eq!(event.bout(1, &key).await["is_locked"], false);
    swap(locked[0], third[1]).await.is(200);
    assert_ne!(event.look().await["tournament"]["revision"], seen["tournament"]["revision"]);

    event.step("/stages/1/rounds/1/publish").await.is(200);
    event.staff.put(&lock, Value::Null).await.problem(409, "round_published");
    event.players[0].put(&lock, Value::Null).await.problem(403, "forbidden");
    event.staff.put(&event.path("/stages/1/bouts/main-9-9/lock"), Value::Null).await.problem(404, "bout_not_found");
}
