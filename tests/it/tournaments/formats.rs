//! What is played: each format from its first round to its last, and what cannot be played at all.

use std::collections::BTreeSet;

use harness::{Party, TestApp, eventually};
use serde_json::{Value, json};

use super::event::{Event, entrants, finishes, new, scored, single, stage, swiss};

/// E1, E2: of five, three have byes; and what is played on telephones counts by itself.
#[tokio::test]
async fn a_bracket_of_five_is_played_on_telephones() {
    let event = Event::start(new("perudo", json!([single()])), 5).await;
    let (stage, round, bouts) = event.next_round().await;
    let (byes, played): (Vec<_>, Vec<_>) = bouts.iter().partition(|bout| entrants(bout).len() == 1);
    assert_eq!((byes.len(), played.len()), (3, 1));
    let (key, pair) = (played[0]["key"].as_str().expect("it has a key"), entrants(played[0]));
    assert_eq!(BTreeSet::from_iter(pair.clone()), BTreeSet::from([4, 5]));
    let id = played[0]["match"]["id"].as_str().expect("it is a match");
    let players = pair.iter().map(|number| event.player(*number).clone()).collect();
    let mut party = Party::seated(players, id);
    // Whose match it is does not leave it; they start it by nothing.
    assert_eq!(party.look().await["status"], "running");
    party.play_to_the_end().await;
    let won = party.look().await["outcome"]["ranks"].as_array().expect("it has places").iter().position(|it| it == 1);
    let won = pair[won.expect("somebody won")];
    let result = eventually("the bout knows how its match ended", async || {
        Some(event.bout(stage, key).await["result"].clone()).filter(|it| !it.is_null())
    });
    let first = result.await.as_array().expect("it has places").iter().find(|it| it["place"] == 1).cloned();
    assert_eq!(first.expect("somebody is first")["entrant"], won);
    assert_eq!(event.round(stage, round).await["status"], "closed");
    // E10: what is known is not told again, and is not for staff to write.
    event.write(stage, key, &[9 - won, won]).await.problem(409, "bout_over");
    // A resignation ends nothing before the others have played on; staff call the rest.
    let rest = event.write_to_the_end().await;
    assert_eq!(rest, 3, "of five, four bouts are played in all");
    let standings = event.standings(1).await;
    assert_eq!(standings[0].0, 1);
    assert_eq!(standings.len(), 5);
    event.step("/pair").await.problem(409, "tournament_over");
    event.step("/cancel").await.problem(409, "tournament_over");
}

/// S1, S2, S3: seven by the words of players; one drops out, one comes late.
#[tokio::test]
async fn swiss_rounds_of_seven_are_written_down_by_players() {
    let mut request = scored(json!([swiss(4)]));
    request["late_until_round"] = json!(2);
    let event = Event::start(request, 7).await;
    let mut met = BTreeSet::new();
    let mut byes = Vec::new();
    for round in 1..=4_u64 {
        if round == 2 {
            let late = event.staff.post(&event.path("/entrants"), json!({ "display_name": "늦은 손님" })).await.is(201);
            assert_eq!((&late["number"], &late["status"]), (&json!(8), &json!("checked_in")));
            let stranger = event.app.guest("아무개").await;
            stranger.post(&event.path("/entrants"), json!({})).await.problem(409, "registration_over");
        }
        if round == 3 {
            event.player(2).delete(&event.path("/entrants/me")).await.is(200);
            event
                .staff
                .post(&event.path("/entrants"), json!({ "display_name": "너무 늦은 손님" }))
                .await
                .problem(409, "too_late_to_enter");
        }
        let (stage, number, bouts) = event.next_round().await;
        assert_eq!(number, round);
        let all: Vec<u64> = bouts.iter().flat_map(entrants).collect();
        assert_eq!(all.len(), BTreeSet::from_iter(all.clone()).len(), "S1: nobody twice");
        assert_eq!(all.len(), [7, 8, 7, 7][round as usize - 1]);
        assert!(round < 3 || !all.contains(&2));
        for bout in &bouts {
            let pair = entrants(bout);
            let [one, other] = pair[..] else {
                byes.extend(pair);
                continue;
            };
            assert!(met.insert((one.min(other), one.max(other))), "S2: {one} and {other} meet again");
            if one.max(other) == 8 {
                event.write(stage, bout["key"].as_str().expect("it has a key"), &[one.min(other), 8]).await.is(200);
                continue;
            }
            let at = format!("/matches/{}/result", bout["match"]["id"].as_str().expect("it is a match"));
            let ranks = json!({ "ranks": [1, 2] });
            event.player(one).post(&at, ranks.clone()).await.is(200);
            event.player(other).post(&at, ranks).await.is(200);
        }
        eventually("the round is over", async || (event.round(stage, round).await["status"] == "closed").then_some(()))
            .await;
    }
    let distinct: BTreeSet<_> = byes.iter().collect();
    assert_eq!(distinct.len(), byes.len(), "S3: a second bye");
    assert_eq!(event.next().await, "finish");
    event.step("/finish").await.is(200);
    assert_eq!(event.standings(1).await.len(), 8);
}

/// P1, P3: nine at tables of three to four, of a game that nobody here knows the rules of.
#[tokio::test]
async fn pods_of_nine_play_any_game_at_all() {
    let places = json!({ "points": { "kind": "places", "scale": [500, 300, 100], "bye": 300 } });
    let pods = json!({
        "format": { "kind": "pods", "rounds": 2, "least": 3, "most": 4, "pairing": "by_standing" },
        "scoring": places, "tie_breaks": ["wins", "lot"],
    });
    let mut request = new("other", json!([pods]));
    request["title"] = json!("카탄");
    let event = Event::start(request, 9).await;
    for _ in 0..2 {
        let (stage, round, bouts) = event.next_round().await;
        assert_eq!(bouts.iter().map(|bout| entrants(bout).len()).collect::<Vec<_>>(), [3, 3, 3]);
        let all: BTreeSet<u64> = bouts.iter().flat_map(entrants).collect();
        assert_eq!(all, (1..=9).collect());
        for bout in &bouts {
            let mut order = entrants(bout);
            order.sort_unstable();
            // The last two share the second place.
            let shared = json!([
                { "entrant": order[0], "place": 1, "score": 10 },
                { "entrant": order[1], "place": 2, "score": 7.5 },
                { "entrant": order[2], "place": 2, "score": 7.5 },
            ]);
            let at = event.path(&format!("/stages/{stage}/bouts/{}/result", bout["key"].as_str().expect("a key")));
            event.staff.post(&at, json!({ "finishes": shared })).await.is(200);
            let id = bout["match"]["id"].as_str().expect("it is a match");
            let played = event.staff.get(&format!("/matches/{id}")).await.is(200);
            assert_eq!((&played["status"], &played["title"]), (&json!("finished"), &json!("카탄")));
        }
        assert_eq!(event.round(stage, round).await["status"], "closed");
    }
    event.step("/finish").await.is(200);
    // P10: nine times what a table is worth in all, however it is shared.
    let standings = event.app.anybody().get(&event.path("/stages/1/standings")).await.is(200);
    let points =
        standings["items"].as_array().expect("it has items").iter().map(|it| it["points"].as_i64().expect("points"));
    assert_eq!(points.sum::<i64>(), 600 * 9);
    let sheet = event.app.anybody().get(&event.path("/stages/1/pairings.csv")).await;
    assert_eq!(sheet.status, 200);
    assert_eq!(sheet.text().lines().count(), 1 + 18);
    let kept = event.app.anybody().get(&event.path("/export")).await.is(200);
    assert_eq!(kept["standings"]["1"].as_array().map(Vec::len), Some(9));
    assert_eq!(kept["entrants"].as_array().map(Vec::len), Some(9));
}

#[tokio::test]
async fn the_best_of_swiss_rounds_go_on_into_a_bracket() {
    let mut first = swiss(3);
    first["advance"] = json!(4);
    let event = Event::start(new("perudo", json!([first, single()])), 8).await;
    event.step("/next-stage").await.problem(409, "stage_not_over");
    assert_eq!(event.write_to_the_end().await, 12 + 3);
    let best: Vec<u64> = event.standings(1).await.iter().take(4).map(|it| it.1).collect();
    let finalists: BTreeSet<u64> = event.standings(2).await.iter().map(|it| it.1).collect();
    assert_eq!(finalists, BTreeSet::from_iter(best.clone()));
    assert_eq!(event.standings(2).await[0], (1, 1), "the lower number always won");
    let bracket = event.app.anybody().get(&event.path("/stages/2/bracket")).await.is(200);
    assert_eq!(bracket["items"].as_array().map(Vec::len), Some(3));
    let all = event.look().await;
    assert_eq!(all["tournament"]["stage"], 2);
    assert!(all["tournament"]["over_at"].is_string());
}

/// E1: six play ten or eleven bouts.
#[tokio::test]
async fn behind_a_final_of_two_the_third_of_the_rounds_before_has_a_certificate() {
    let mut first = swiss(3);
    first["advance"] = json!(2);
    let event = Event::start(new("perudo", json!([first, single()])), 6).await;
    event.write_to_the_end().await;
    assert_eq!(event.standings(2).await.len(), 2);
    let third = event.standings(1).await[2].1;
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&format!("/admin/tournaments/{}/print?what=certificates", event.id)).await.html();
    let certificates: Vec<&str> = page.split("class=\"certificate\"").skip(1).collect();
    assert_eq!(certificates.len(), 3, "{page}");
    for (certificate, place) in certificates.iter().zip(["Third place", "Second place", "First place"]) {
        assert!(certificate.contains(place), "{certificate}");
    }
    assert!(certificates[0].contains(event.player(third).name()), "{}", certificates[0]);
}

#[tokio::test]
async fn a_double_elimination_of_six_is_written_down_by_staff() {
    let event = Event::start(new("perudo", json!([stage(json!({ "kind": "double_elimination" }))])), 6).await;
    assert_eq!(event.write_to_the_end().await, 10);
    let ranks: Vec<(u64, u64)> = event.standings(1).await;
    assert_eq!(ranks[..3], [(1, 1), (2, 2), (3, 3)]);
}

#[tokio::test]
async fn a_corrected_first_final_of_a_double_elimination_brings_the_second() {
    let event = Event::start(new("perudo", json!([stage(json!({ "kind": "double_elimination" }))])), 4).await;
    event.write_to_the_end().await;
    let all = event.look().await;
    let bouts = all["rounds"].as_array().expect("a list").iter().flat_map(|it| it["bouts"].as_array().expect("a list"));
    let last = bouts.last().expect("a final");
    let (key, pair) = (last["key"].as_str().expect("it has a key"), entrants(last));
    let path = event.path(&format!("/stages/1/bouts/{key}"));
    let other = finishes(&[pair[1], pair[0]]);
    let told = event.staff.post(&format!("{path}/following"), json!({ "finishes": other })).await.is(200);
    assert_eq!((&told["voids"], &told["reopens"]), (&json!([]), &json!(true)));
    let correction = json!({ "finishes": other, "reason": "The other one won" });
    event.staff.post(&format!("{path}/correction"), correction).await.is(200);
    let all = event.look().await;
    assert_eq!((&all["tournament"]["status"], &all["tournament"]["over_at"]), (&json!("running"), &Value::Null));
    let drafted = all["rounds"].as_array().expect("a list").last().expect("a round");
    assert_eq!((&drafted["status"], entrants(&drafted["bouts"][0]).len()), (&json!("draft"), 2));
    let at = format!("/stages/1/rounds/{}", drafted["round"]);
    event.step(&format!("{at}/publish")).await.is(200);
    event.step(&format!("{at}/start")).await.is(200);
    event.write_all(1, drafted["bouts"].as_array().expect("a list")).await;
    event.step("/finish").await.is(200);
    assert_eq!(event.standings(1).await[..2], [(1, 1), (2, 2)], "one alone has won");
}

#[tokio::test]
async fn what_cannot_be_played_is_refused_before_it_is_made() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let pods = |least: u8, most: u8| {
        stage(json!({ "kind": "pods", "rounds": 2, "least": least, "most": most, "pairing": "random" }))
    };
    let mut second = single();
    second["advance"] = json!(4);
    for (wrong, code) in [
        (new("perudo", json!([])), "invalid_fields"),
        (new("perudo", json!([single(), single()])), "invalid_fields"),
        (new("perudo", json!([second])), "invalid_fields"),
        (new("chess", json!([single()])), "unknown_game"),
        (new("other", json!([single()])), "invalid_fields"),
        (new("perudo", json!([stage(json!({ "kind": "round_robin", "legs": 9 }))])), "invalid_fields"),
        (new("perudo", json!([pods(5, 3)])), "invalid_fields"),
        (new("animal-kingdom", json!([pods(2, 10)])), "invalid_options"),
    ] {
        let refused = staff.post("/tournaments", wrong.clone()).await;
        assert_eq!(refused.status, 422, "{wrong}: {}", refused.text());
        assert!(
            [code, "invalid_seats"].contains(&refused.json()["code"].as_str().expect("a code")),
            "{}",
            refused.text()
        );
    }
    let lonely = Event::gather_in(app, new("perudo", json!([single()])), 1).await;
    lonely.step("/start").await.problem(409, "stage_unfit");
}
