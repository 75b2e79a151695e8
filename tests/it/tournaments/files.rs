//! Files that other programs read, a list of entrants that one of them wrote, and the bracket on another site.

use std::collections::{BTreeMap, BTreeSet};

use harness::{Answer, TestApp};
use reqwest::Method;
use serde_json::{Value, json};

use super::event::{Event, entrants, new, single, stage, swiss};

/// What stands in these columns, from 1, without blanks around it.
fn cell(line: &str, from: usize, to: usize) -> String {
    line.chars().skip(from - 1).take(to + 1 - from).collect::<String>().trim().to_owned()
}

/// A player's line by its columns.
#[derive(Debug)]
struct Player {
    number: u64,
    name: String,
    rating: String,
    points: f64,
    rank: u64,
    /// Opponent, colour and result of each round.
    rounds: Vec<(String, String, String)>,
}

fn players(report: &str) -> Vec<Player> {
    let player = |line: &str| {
        let rounds = line.chars().count().saturating_sub(89) / 10;
        let round = |nth: usize| {
            let at = 92 + 10 * nth;
            (cell(line, at, at + 3), cell(line, at + 5, at + 5), cell(line, at + 7, at + 7))
        };
        Player {
            number: cell(line, 5, 8).parse().expect("a number"),
            name: cell(line, 15, 47),
            rating: cell(line, 49, 52),
            points: cell(line, 81, 84).parse().expect("points"),
            rank: cell(line, 86, 89).parse().expect("a rank"),
            rounds: (0..rounds).map(round).collect(),
        }
    };
    report.lines().filter(|line| line.starts_with("001")).map(player).collect()
}

fn line<'a>(report: &'a str, tag: &str) -> &'a str {
    report.lines().find(|line| line.starts_with(tag)).unwrap_or_default()
}

async fn report(event: &Event, edition: &str) -> String {
    let at = event.path(&format!("/stages/1/report.trf?edition={edition}"));
    let answer = event.app.anybody().get(&at).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text()
}

async fn write(event: &Event, key: &str, finishes: Value) {
    let at = event.path(&format!("/stages/1/bouts/{key}/result"));
    event.staff.post(&at, json!({ "finishes": finishes })).await.is(200);
}

#[tokio::test]
async fn a_report_says_who_met_whom_in_its_columns() {
    let event = Event::gather(new("perudo", json!([swiss(4)])), 5).await;
    event.staff.put(&event.path("/entrants/2/rating"), json!({ "rating": 1640 })).await.is(200);
    event.begin().await;
    // A draw and a bye, then somebody who does not come, then a round that is still played.
    let (_, _, first) = event.next_round().await;
    let [one, other] = [0, 1].map(|at| (first[at]["key"].as_str().expect("a key"), entrants(&first[at])));
    let drawn = json!([{ "entrant": one.1[0], "place": 1 }, { "entrant": one.1[1], "place": 1 }]);
    write(&event, one.0, drawn).await;
    event.write(1, other.0, &other.1).await.is(200);
    let (_, _, second) = event.next_round().await;
    let met = entrants(&second[0]);
    let absent = json!([{ "entrant": met[0], "place": 1 }, { "entrant": met[1], "place": 2, "absent": true }]);
    write(&event, second[0]["key"].as_str().expect("a key"), absent).await;
    event.write_all(1, &second[1..]).await;
    event.next_round().await;

    for edition in ["trf16", "trf26"] {
        let report = report(&event, edition).await;
        assert!(report.lines().count() > 8 && report.split("\r\n").count() == report.lines().count() + 1);
        assert_eq!(line(&report, "012"), "012 금요일 대회");
        assert_eq!((line(&report, "062"), line(&report, "072")), ("062 5", "072 1"));
        let players = players(&report);
        assert_eq!(players.iter().map(|it| it.number).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
        assert_eq!(
            players.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(),
            ["하늘", "Lucía", "민지", "Bea", "도윤"]
        );
        assert_eq!((players[1].rating.as_str(), players[0].rating.as_str()), ("1640", ""));
        for it in &players {
            // Who met somebody is met by them in the same round, from the other side of the board.
            let mut points = 0.0;
            for (round, (opponent, colour, result)) in it.rounds.iter().take(2).enumerate() {
                points += match result.as_str() {
                    "1" | "+" | "U" => 1.0,
                    "=" => 0.5,
                    "0" | "-" => 0.0,
                    other => panic!("{other} is no result"),
                };
                if opponent == "0000" {
                    assert_eq!((colour.as_str(), result.as_str()), ("-", "U"));
                    continue;
                }
                let other = &players[opponent.parse::<usize>().expect("a number") - 1];
                let theirs = &other.rounds[round];
                assert_eq!(theirs.0, it.number.to_string());
                assert_eq!(BTreeSet::from([colour.as_str(), theirs.1.as_str()]), BTreeSet::from(["b", "w"]));
                let pair = BTreeSet::from([result.as_str(), theirs.2.as_str()]);
                assert!([["0", "1"], ["+", "-"], ["=", "="]].map(BTreeSet::from).contains(&pair), "{pair:?}");
            }
            assert!((it.points - points).abs() < 1e-9, "{it:?}");
            assert_eq!(it.rounds.len(), 2, "the third round is not over: {it:?}");
        }
        let results: Vec<&str> = players.iter().flat_map(|it| it.rounds.iter().map(|it| it.2.as_str())).collect();
        for (code, many) in [("U", 2), ("=", 2), ("+", 1), ("-", 1)] {
            assert_eq!(results.iter().filter(|it| **it == code).count(), many, "{code} in {report}");
        }
        assert!(players.iter().any(|it| it.rank == 1));
        let dates = line(&report, "132");
        assert_eq!([cell(dates, 94, 94), cell(dates, 104, 104)], ["/", "/"]);
        assert_eq!(cell(dates, 112, 119), "", "only rounds that are over have a date");
    }
    let of_2026 = report(&event, "trf26").await;
    assert_eq!((line(&of_2026, "142"), line(&of_2026, "192")), ("142 4", "192 FIDE_DUTCH_2025"));
    assert_eq!((line(&of_2026, "202"), line(&of_2026, "212")), ("202 BH,TPN", "212 PTS,BH,TPN"));
    assert_eq!(line(&of_2026, "162"), "", "the scoring is the usual one");
    assert_eq!(line(&report(&event, "trf16").await, "XXR"), "XXR 4");
}

#[tokio::test]
async fn points_that_no_result_explains_are_told_or_refused() {
    let mut three = swiss(3);
    three["scoring"] = json!({ "points": { "kind": "win", "win": 300, "draw": 100, "loss": 0, "bye": 300 } });
    let event = Event::start(new("perudo", json!([three])), 4).await;
    let apart = json!([{ "one": 1, "other": 4 }]);
    let penalty = json!([{ "stage": 1, "round": 1, "entrant": 2, "points": -50, "reason": "늦음" }]);
    let byes = json!([{ "stage": 1, "round": 2, "entrant": 3, "points": 100 }, { "stage": 1, "round": 2, "entrant": 4, "points": 0 }]);
    let rulings = json!({ "apart": apart, "adjustments": penalty, "byes": byes });
    event.staff.put(&event.path("/rulings"), rulings).await.is(200);
    let (_, _, bouts) = event.next_round().await;
    event.write_all(1, &bouts).await;

    let told = report(&event, "trf26").await;
    let scoring = line(&told, "162");
    let scores: Vec<_> =
        (0..4).map(|it| (cell(scoring, 6 + 9 * it, 6 + 9 * it), cell(scoring, 7 + 9 * it, 10 + 9 * it))).collect();
    let expected = [("W", "3.0"), ("D", "1.0"), ("L", "0.0"), ("P", "3.0")];
    assert_eq!(scores, expected.map(|(code, points)| (code.to_owned(), points.to_owned())));
    let extra = line(&told, "299");
    assert_eq!([cell(extra, 14, 17), cell(extra, 20, 22), cell(extra, 24, 27)], ["-0.5", "001", "0002"]);
    let away: BTreeMap<String, String> = told
        .lines()
        .filter(|line| line.starts_with("240") && cell(line, 7, 9) == "002")
        .map(|line| (cell(line, 11, 14), cell(line, 5, 5)))
        .collect();
    assert_eq!(away, BTreeMap::from([("3", "H"), ("4", "Z")].map(|(one, other)| (one.to_owned(), other.to_owned()))));
    assert_eq!(line(&told, "260"), "", "whom staff keep apart is for staff");
    let by_staff = event.staff.get(&event.path("/stages/1/report.trf")).await.text();
    let kept = line(&by_staff, "260");
    assert_eq!([cell(kept, 5, 7), cell(kept, 9, 11), cell(kept, 13, 16), cell(kept, 18, 21)], ["001", "003", "1", "4"]);
    let at = event.path("/stages/1/report.trf?edition=trf16");
    event.app.anybody().get(&at).await.problem(409, "points_not_in_format");
    event.staff.put(&event.path("/rulings"), json!({})).await.is(200);
    let of_2016 = report(&event, "trf16").await;
    assert_eq!((line(&of_2016, "XXS"), line(&of_2016, "BBD")), ("XXS W=3.0 D=1.0 WL=0.0 BL=0.0 PAB=3.0", "BBD  1.0"));
}

#[tokio::test]
async fn a_file_that_cannot_hold_a_format_is_refused() {
    let pods = json!({ "kind": "pods", "rounds": 1, "least": 3, "most": 4, "pairing": "random" });
    for (format, files) in [
        (pods, vec!["/stages/1/report.trf", "/stages/1/brackets-viewer", "/open-bracket"]),
        (json!({ "kind": "single_elimination", "third_place": false }), vec!["/stages/1/report.trf"]),
        (json!({ "kind": "swiss", "rounds": 2 }), vec!["/stages/1/brackets-viewer"]),
    ] {
        let event = Event::start(new("perudo", json!([stage(format)])), 4).await;
        for file in ["/stages/1/report.trf", "/stages/1/brackets-viewer", "/open-bracket"] {
            let answer = event.app.anybody().get(&event.path(file)).await;
            match files.contains(&file) {
                true => drop(answer.problem(409, "not_in_format")),
                false => assert_eq!(answer.status, 200, "{file}: {}", answer.text()),
            }
        }
        event.app.anybody().get(&event.path("/stages/2/report.trf")).await.problem(404, "stage_not_found");
        event.app.anybody().get(&event.path("/stages/1/report.trf?edition=trf06")).await.problem(400, "invalid_query");
        // The page of staff offers what can be had, and nothing else.
        let desk = event.app.owner_at_pages().await;
        let page = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
        for file in ["/report.trf", "/brackets-viewer", "/open-bracket"] {
            let is_refused = files.iter().any(|it| it.ends_with(file));
            assert_eq!(
                page.contains(&format!("{file}\"")) || page.contains(&format!("{file}?")),
                !is_refused,
                "{file}"
            );
        }
    }
    let open = Event::gather(new("perudo", json!([swiss(2)])), 4).await;
    for file in ["/stages/1/report.trf", "/open-bracket"] {
        open.app.anybody().get(&open.path(file)).await.problem(409, "tournament_not_running");
    }
}

#[tokio::test]
async fn brackets_are_told_as_others_draw_them() {
    let format = json!({ "kind": "double_elimination" });
    let event = Event::start(new("perudo", json!([stage(format)])), 6).await;
    let before = event.app.anybody().get(&event.path("/stages/1/brackets-viewer")).await.is(200);
    assert_eq!(before["stages"][0]["type"], "double_elimination");
    assert_eq!(before["matches"].as_array().map(Vec::len), Some(4 + 2 + 1 + 2 + 2 + 1 + 1 + 2));
    let first = &before["matches"][0];
    assert_eq!(first["opponent1"], json!({ "id": 1, "position": 1 }));
    assert_eq!((&first["opponent2"], &first["status"]), (&Value::Null, &json!(0)), "the first seed has a bye");
    event.write_to_the_end().await;
    let viewer = event.app.anybody().get(&event.path("/stages/1/brackets-viewer")).await.is(200);
    let last = viewer["matches"].as_array().expect("a list").iter().find(|it| it["group_id"] == 2).expect("a final");
    assert_eq!((&last["status"], &last["opponent1"]["result"]), (&json!(4), &json!("win")));
    let names: Vec<&Value> = viewer["participants"].as_array().expect("a list").iter().map(|it| &it["name"]).collect();
    assert_eq!(names[..2], [&json!("하늘"), &json!("Lucía")]);

    let open = event.app.anybody().get(&event.path("/open-bracket")).await.is(200);
    assert_eq!((&open["version"], &open["event"]["tournamentStructure"]), (&json!("v1.0"), &json!("double-elim")));
    assert_eq!(open["event"]["numberEntrants"], 6);
    let sets = open["sets"].as_array().expect("a list");
    assert!(sets.iter().filter(|it| it["status"] == "completed").count() == 10, "six play ten sets");
    let winner = open["entrants"].as_array().expect("a list").iter().find(|it| it["finalPlacement"] == 1);
    assert_eq!(winner.expect("somebody won")["entrantTag"], "하늘");
}

#[tokio::test]
async fn two_stages_are_two_phases() {
    let mut first = swiss(3);
    first["advance"] = json!(4);
    let event = Event::start(new("perudo", json!([first, single()])), 8).await;
    event.write_to_the_end().await;
    let open = event.app.anybody().get(&event.path("/open-bracket")).await.is(200);
    let phases: Vec<&Value> =
        open["event"]["phases"].as_array().expect("a list").iter().map(|it| &it["phaseStructure"]).collect();
    assert_eq!(phases, [&json!("swiss"), &json!("single-elim")]);
    let ids: BTreeSet<&str> =
        open["sets"].as_array().expect("a list").iter().map(|it| it["setID"].as_str().expect("an id")).collect();
    assert_eq!(ids.len(), 12 + 3);
}

#[tokio::test]
async fn the_players_of_a_report_enter_with_names_ratings_and_teams() {
    let event = Event::gather(new("perudo", json!([swiss(3)])), 1).await;
    let player = |number: &str, name: &str, rating: &str| format!("001 {number:>4}      {name:<33} {rating:>4}");
    let text = [
        "012 Torneo de verano".to_owned(),
        player("1", "Kim, Mina", "1850"),
        player("2", "Argandoña, Íñigo", ""),
        player("3", "하늘", "1500"),
        player("x", "Bea", ""),
        player("5", "Tom", "abc"),
    ]
    .join("\r\n");
    let list = async |who: &harness::Visitor, body: Value| who.post(&event.path("/entrants/list"), body).await;
    let seen = list(&event.staff, json!({ "text": text, "dry_run": true })).await.is(200);
    let told: Vec<_> = seen["lines"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["line"].as_u64(), it["outcome"].as_str()))
        .collect();
    let outcomes = ["enters", "enters", "entered_before", "invalid", "invalid"];
    assert_eq!(told, (2..=6).zip(outcomes).map(|(line, it)| (Some(line), Some(it))).collect::<Vec<_>>());
    assert_eq!(seen["lines"][3]["problem"]["pointer"], "/lines/5/number");
    assert_eq!(seen["lines"][4]["problem"]["pointer"], "/lines/6/rating");
    assert_eq!((&seen["entered"], event.look().await["entrants"].as_array().map(Vec::len)), (&json!([]), Some(1)));

    // Everybody who runs tournaments enters people; their ratings are for managers.
    let key = event.staff.post("/keys", json!({ "name": "Desk", "role": "staff" })).await.is(201);
    let worker = event.app.anybody().bearing(key["secret"].as_str());
    assert_eq!(list(&worker, json!({ "text": player("9", "Park, Jun", "1700") })).await.is(200)["entered"], json!([2]));
    assert_eq!(list(&event.staff, json!({ "text": text })).await.is(200)["entered"], json!([3, 4]));
    let again = list(&event.staff, json!({ "text": text })).await.is(200);
    assert_eq!((&again["entered"], &again["lines"][0]["outcome"]), (&json!([]), &json!("entered_before")));
    let all = event.look().await;
    let entrants: Vec<_> = all["entrants"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| (it["player"]["display_name"].as_str().expect("a name"), it["rating"].as_i64()))
        .collect();
    let expected = [("하늘", None), ("Park, Jun", None), ("Kim, Mina", Some(1850)), ("Argandoña, Íñigo", None)];
    assert_eq!(entrants, expected);
    event.players[0].post(&event.path("/entrants/list"), json!({ "text": "x" })).await.problem(403, "forbidden");
    let long = json!({ "text": "x\n".repeat(513) });
    list(&event.staff, long).await.problem(422, "invalid_fields");

    // The page takes the same file.
    let at = format!("/admin/tournaments/{}/paste", event.id);
    let desk = event.app.owner_at_pages().await;
    let page = desk.open(&at).await;
    let names = [player("7", "Eva", "1700"), player("7", "Zoe", "")].join("\n");
    let page = desk.submit(&page, &at, &[("names", &names)]).await.text();
    assert!(page.contains("Eva") && page.contains("1700") && page.contains("Zoe"), "{page}");
}

#[tokio::test]
async fn only_listed_sites_show_a_tournament_in_a_frame() {
    const SITE: &str = "https://www.example.org";
    let app = TestApp::start_with(|launch| launch.set("HOUSERULES_EMBEDDING_ORIGINS", SITE));
    let event = Event::gather_in(app, new("perudo", json!([single()])), 5).await;
    event.begin().await;
    event.next_round().await;
    let code = event.look().await["tournament"]["code"].as_str().expect("a code").to_owned();
    let open = async |path: &str| Answer::of(event.app.anybody().page(Method::GET, path)).await;
    let shown = open(&format!("/tournaments/{code}/embed?theme=dark&lang=es")).await;
    assert_eq!(shown.status, 200);
    assert!(shown.header("content-security-policy").ends_with(&format!("frame-ancestors {SITE}")));
    assert_eq!((shown.header("x-frame-options"), shown.header("set-cookie")), ("", ""));
    let text = shown.text();
    assert!(text.contains("data-theme=\"dark\"") && text.contains("lang=\"es\"") && text.contains("하늘"), "{text}");
    assert!(!text.contains("<form"), "nothing is asked");
    for closed in [format!("/tournaments/{code}"), "/tournaments/ABCDEF/embed".to_owned(), "/".to_owned()] {
        let answer = open(&closed).await;
        assert!(answer.header("content-security-policy").ends_with("frame-ancestors 'none'"), "{closed}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{closed}");
    }
    assert_eq!(open(&format!("/tournaments/{code}/embed?stage=2")).await.status, 404);
    let desk = event.app.owner_at_pages().await;
    let desk = desk.open(&format!("/admin/tournaments/{}", event.id)).await.text();
    assert!(desk.contains(&format!("/tournaments/{code}/embed")), "the code to copy");
}
