//! Series of tournaments: a season's table, who is who in it, divisions, and seeds by it, through the API and on the pages.

use harness::{Answer, TestApp, Visitor};
use reqwest::Method;
use serde_json::{Value, json};

use crate::permissions::hire;

/// A café with its events.
struct Season {
    app: TestApp,
    owner: Visitor,
    /// The address of the series in the API.
    path: String,
}

fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field].as_str().unwrap_or_else(|| panic!("{field} is no text: {value}"))
}

fn items(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no list: {value}"))
}

fn swiss() -> Value {
    json!({ "kind": "swiss", "rounds": 3 })
}

fn single() -> Value {
    json!({ "kind": "single_elimination", "third_place": true })
}

fn robin() -> Value {
    json!({ "kind": "round_robin", "legs": 1 })
}

fn places(scale: &[i32]) -> Value {
    json!({ "kind": "places", "scale": scale })
}

impl Season {
    /// A public series.
    async fn open(rules: Value, divisions: Value) -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        let new = json!({ "name": "가을 시즌", "rules": rules, "divisions": divisions });
        let made = owner.post("/series", new).await.is(201);
        let path = format!("/series/{}", text(&made["series"], "id"));
        owner.patch(&path, json!({ "status": "running" })).await.is(200);
        Self { app, owner, path }
    }

    /// A tournament of these people, who are named or have an account. Who stands earlier beats who stands later.
    async fn play(&self, name: &str, format: Value, people: &[&str]) -> String {
        let id = self.draft(name, format, people).await;
        self.play_out(&id).await;
        id
    }

    /// The same, and it counts.
    async fn hold(&self, name: &str, format: Value, people: &[&str], division: Option<i16>) -> String {
        let id = self.play(name, format, people).await;
        self.count(&id, division).await;
        id
    }

    async fn count(&self, id: &str, division: Option<i16>) {
        self.owner.put(&format!("{}/events/{id}", self.path), json!({ "division": division })).await.is(200);
    }

    async fn draft(&self, name: &str, format: Value, people: &[&str]) -> String {
        let points = json!({ "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 0 });
        let stage = json!({ "format": format, "scoring": { "points": points } });
        let new = json!({ "name": name, "game": "other", "title": "Catan", "stages": [stage], "seeding": "hand" });
        let id = text(&self.owner.post("/tournaments", new).await.is(201), "id").to_owned();
        for who in people {
            let entry = match uuid(who) {
                true => json!({ "player_id": who }),
                false => json!({ "display_name": who }),
            };
            self.owner.post(&format!("/tournaments/{id}/entrants"), entry).await.is(201);
        }
        id
    }

    async fn play_out(&self, id: &str) {
        let post =
            async |rest: &str, body: Value| self.owner.post(&format!("/tournaments/{id}{rest}"), body).await.is(200);
        post("/start", json!({})).await;
        loop {
            let seen = self.owner.get(&format!("/tournaments/{id}")).await.is(200);
            let round = format!("/stages/1/rounds/{}", seen["next"]["round"]);
            match text(&seen["next"], "step") {
                "pair" => post("/pair", json!({})).await,
                "publish" => post(&format!("{round}/publish"), json!({})).await,
                "start_round" => post(&format!("{round}/start"), json!({})).await,
                "results" => {
                    for bout in items(&seen["rounds"]).iter().flat_map(|it| items(&it["bouts"])) {
                        if bout["result"].is_null() && items(&bout["entrants"]).len() > 1 {
                            let at = format!("/stages/1/bouts/{}/result", text(bout, "key"));
                            post(&at, json!({ "finishes": finishes(bout, false) })).await;
                        }
                    }
                    Value::Null
                }
                _ => break drop(post("/finish", json!({})).await),
            };
        }
    }

    /// As everybody sees it.
    async fn see(&self) -> Value {
        self.app.anybody().get(&self.path).await.is(200)
    }

    /// Rank, name and total of each row of a table.
    async fn table(&self, at: usize) -> Vec<(u64, String, i64)> {
        let seen = self.see().await;
        let row = |it: &Value| {
            let (rank, total) = (it["rank"].as_u64().expect("a rank"), it["total"].as_i64().expect("a number"));
            (rank, text(&it["player"], "display_name").to_owned(), total)
        };
        let mut rows: Vec<_> = items(&seen["tables"][at]["rows"]).iter().map(row).collect();
        // Equals stand in no order that a test may know.
        rows.sort();
        rows
    }

    /// The account by which somebody is known.
    async fn account(&self, name: &str) -> String {
        let seen = self.see().await;
        let rows = items(&seen["tables"]).iter().flat_map(|it| items(&it["rows"]));
        let mut players = rows.map(|it| &it["player"]);
        text(players.find(|it| it["display_name"] == name).expect("somebody has that name"), "id").to_owned()
    }
}

fn uuid(who: &str) -> bool {
    who.len() == 36 && who.matches('-').count() == 4
}

/// The lower number is the better, or the worse.
fn finishes(bout: &Value, upside_down: bool) -> Value {
    let mut order: Vec<u64> = items(&bout["entrants"]).iter().map(|it| it.as_u64().expect("a number")).collect();
    order.sort_unstable();
    if upside_down {
        order.reverse();
    }
    order.iter().zip(1..).map(|(entrant, place)| json!({ "entrant": entrant, "place": place })).collect()
}

fn row(rank: u64, name: &str, total: i64) -> (u64, String, i64) {
    (rank, name.to_owned(), total)
}

#[tokio::test]
async fn three_events_of_different_formats_add_up_and_a_correction_flows_through() {
    let rules = json!({
        "points": places(&[1000, 600, 300, 100]), "best": 2, "attendance": 50, "tie_breaks": ["wins", "latest"],
    });
    let season = Season::open(rules, json!([])).await;
    season.hold("스위스", swiss(), &["하늘", "민지", "준", "Bea"], None).await;
    let knockout = season.hold("토너먼트", single(), &["민지", "하늘", "Bea", "준"], None).await;
    season.hold("풀리그", robin(), &["하늘", "준", "민지"], None).await;
    // 하늘: 10, 6, 10; 민지: 6, 10, 3; 준: 3, 1, 6; Bea: 1, 3. Two of them count, and each event brings a half.
    assert_eq!(
        season.table(0).await,
        [row(1, "하늘", 2150), row(2, "민지", 1750), row(3, "준", 1050), row(4, "Bea", 500)]
    );
    let seen = season.see().await;
    let results = &seen["tables"][0]["rows"][0]["results"];
    let counts: Vec<_> = items(results).iter().map(|it| (it["points"].clone(), it["counts"].clone())).collect();
    assert_eq!(counts, [(json!(1000), json!(true)), (json!(600), json!(false)), (json!(1000), json!(true))]);
    assert_eq!(seen["events"][1]["entrants"], 4);
    assert_eq!(
        (&seen["tables"][0]["rows"][0]["bonus"], &seen["tables"][0]["rows"][0]["accounts"]),
        (&json!(150), &Value::Null)
    );

    // The final was written down the wrong way round: in the tournament that is over, it is put right.
    let revision = seen["series"]["revision"].clone();
    let whole = season.owner.get(&format!("/tournaments/{knockout}")).await.is(200);
    let mut bouts = items(&whole["rounds"]).iter().flat_map(|it| items(&it["bouts"]));
    let last = bouts.find(|it| it["key"] == "main-2-1").expect("there was a final");
    let at = format!("/tournaments/{knockout}/stages/1/bouts/main-2-1/correction");
    let correction = json!({ "finishes": finishes(last, true), "reason": "이름을 바꿔 적었어요" });
    season.owner.post(&at, correction).await.is(200);
    assert_eq!(
        season.table(0).await,
        [row(1, "하늘", 2150), row(2, "민지", 1350), row(3, "준", 1050), row(4, "Bea", 500)]
    );
    assert_eq!(season.see().await["series"]["revision"], revision, "the series itself did not change");

    let sheet = season.app.anybody().get(&format!("{}/table.csv", season.path)).await;
    assert!(sheet.header("content-type").starts_with("text/csv"));
    assert!(sheet.text().contains("[10]") && sheet.text().contains("하늘"), "{}", sheet.text());

    // What is taken out does not count any more.
    season.owner.delete(&format!("{}/events/{knockout}", season.path)).await.is(200);
    assert_eq!(season.table(0).await[0], row(1, "하늘", 2100));
}

#[tokio::test]
async fn an_event_counts_when_it_is_over_and_again_when_it_was_reopened() {
    let rules = json!({ "points": { "kind": "beaten" }, "tie_breaks": ["head_to_head"] });
    let season = Season::open(rules, json!([])).await;
    let id = season.draft("수요일", robin(), &["하늘", "준", "민지"]).await;
    season.count(&id, None).await;
    let everybody = season.see().await;
    assert_eq!(items(&everybody["events"]).len(), 0, "nobody hears of a draft");
    season.play_out(&id).await;
    assert_eq!(season.table(0).await, [row(1, "하늘", 300), row(2, "준", 200), row(3, "민지", 100)]);
    let log = season.owner.get(&format!("/tournaments/{id}/log")).await.is(200);
    let finish = items(&log["items"]).iter().find(|it| it["action"] == "tournament.finish").expect("it was finished");
    let page = format!("/series/{}/live", text(&everybody["series"], "code"));
    let mut news = season.app.anybody().listen_to(&page, None).await;
    // The first only says that the page may be old.
    news.next_of("changed").await;
    season.owner.post(&format!("/tournaments/{id}/undo"), json!({ "step": finish["revision"] })).await.is(200);
    news.next_of("changed").await;
    assert_eq!(season.table(0).await, []);
    season.owner.post(&format!("/tournaments/{id}/finish"), json!({})).await.is(200);
    assert_eq!(season.table(0).await.len(), 3);
    // The score of the event itself, and the one who scored most.
    let rules = json!({ "points": { "kind": "score" }, "tie_breaks": [] });
    season.owner.patch(&season.path, json!({ "rules": rules })).await.is(200);
    assert_eq!(season.table(0).await, [row(1, "하늘", 200), row(2, "준", 100), row(3, "민지", 0)]);
}

#[tokio::test]
async fn who_may_do_what_is_the_same_as_for_tournaments() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let (_, staff) = hire(&app, &owner, "staff").await;
    let (_, manager) = hire(&app, &owner, "manager").await;
    let rules = json!({ "points": { "kind": "beaten" } });
    let new = json!({ "name": "가을 시즌", "rules": rules });
    staff.post("/series", new.clone()).await.problem(403, "forbidden");
    app.guest("하늘").await.post("/series", new.clone()).await.problem(403, "forbidden");
    let made = manager.post("/series", new.clone()).await.is(201);
    let path = format!("/series/{}", text(&made["series"], "id"));
    let code = text(&made["series"], "code");
    // A draft is the staff's.
    let anybody = app.anybody();
    anybody.get(&path).await.problem(404, "series_not_found");
    anybody.get(&format!("/series/by-code/{code}")).await.problem(404, "series_not_found");
    assert_eq!(items(&anybody.get("/series").await.is(200)["items"]).len(), 0);
    assert_eq!(items(&staff.get("/series").await.is(200)["items"]).len(), 1);
    staff.get(&path).await.is(200);
    assert_eq!(anybody.open(&format!("/series/{code}")).await.status, 404);

    let stage = json!({ "format": robin(), "scoring": { "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } } });
    let event =
        manager.post("/tournaments", json!({ "name": "금", "game": "perudo", "stages": [stage] })).await.is(201);
    let event = format!("{path}/events/{}", text(&event, "id"));
    anybody.put(&event, json!({})).await.problem(401, "not_signed_in");
    staff.put(&event, json!({})).await.is(200);
    staff
        .put(&format!("{path}/events/{}", text(&made["series"], "id")), json!({}))
        .await
        .problem(404, "tournament_not_found");
    staff.patch(&path, json!({ "status": "running" })).await.problem(403, "forbidden");
    staff.get(&format!("{path}/next-season")).await.is(200);
    staff.post(&format!("{path}/next-season"), json!({ "name": "x" })).await.problem(403, "forbidden");
    staff.delete(&path).await.problem(403, "forbidden");
    manager.patch(&path, json!({ "status": "running" })).await.is(200);
    assert_eq!(anybody.get(&format!("/series/by-code/{}", code.to_lowercase())).await.is(200)["events"], json!([]));
    anybody.get(&format!("{path}/next-season")).await.problem(401, "not_signed_in");
    manager.delete(&path).await.problem(409, "series_not_draft");

    // What only tries the service out changes nothing of it.
    let key = owner.post("/keys", json!({ "name": "Brackets", "role": "manager", "sandbox": true })).await.is(201);
    let service = app.anybody().bearing(Some(text(&key, "secret")));
    service.post("/series", new).await.problem(403, "sandbox_only");
    service.delete(&event).await.problem(403, "sandbox_only");
    let actions = owner.get("/audit?subject=series").await.is(200);
    let actions: Vec<&str> = items(&actions["items"]).iter().map(|it| text(it, "action")).collect();
    assert_eq!(actions, ["series.change", "series.put_event", "series.create"]);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_and_nobody_overwrites_what_they_have_not_seen() {
    let season = Season::open(json!({ "points": places(&[100]) }), json!([])).await;
    let wrong = async |change: Value, pointer: &str, code: &str| {
        let refused = season.owner.patch(&season.path, change).await.problem(422, "invalid_fields");
        assert_eq!((&refused["errors"][0]["pointer"], &refused["errors"][0]["code"]), (&json!(pointer), &json!(code)));
    };
    wrong(json!({ "rules": { "points": places(&[]) } }), "/rules/points/scale", "bad_scale").await;
    wrong(json!({ "rules": { "points": places(&[1, 2]) } }), "/rules/points/scale", "bad_scale").await;
    wrong(json!({ "rules": { "points": places(&[1]), "best": 0 } }), "/rules/best", "out_of_range").await;
    wrong(json!({ "rules": { "points": places(&[1]), "attendance": -1 } }), "/rules/attendance", "out_of_range").await;
    let twice = json!({ "rules": { "points": places(&[1]), "tie_breaks": ["wins", "wins"] } });
    wrong(twice, "/rules/tie_breaks", "twice").await;
    wrong(json!({ "divisions": [{ "name": "1부" }, { "name": "1부" }] }), "/divisions/1/name", "twice").await;
    wrong(json!({ "divisions": [{ "name": "1부", "promoted": 100 }] }), "/divisions/0/promoted", "out_of_range").await;
    let seen = season.see().await["series"]["revision"].as_i64().expect("a number");
    season.owner.patch(&season.path, json!({ "name": "봄", "revision": seen })).await.is(200);
    season.owner.patch(&season.path, json!({ "name": "겨울", "revision": seen })).await.problem(409, "series_changed");
    // Saying the same again is no change.
    season.owner.patch(&season.path, json!({ "name": "봄" })).await.is(200);
    assert_eq!(season.see().await["series"]["revision"], seen + 1);
    // A season that is over stays as it is until it is opened again.
    let id = season.draft("금", robin(), &["하늘", "준"]).await;
    season.count(&id, None).await;
    season.owner.patch(&season.path, json!({ "status": "ended" })).await.is(200);
    season.owner.patch(&season.path, json!({ "name": "겨울" })).await.problem(409, "series_ended");
    season.owner.delete(&format!("{}/events/{id}", season.path)).await.problem(409, "series_ended");
    season.owner.patch(&season.path, json!({ "status": "running", "name": "겨울" })).await.is(200);
    season.owner.delete(&format!("{}/events/{id}", season.path)).await.is(200);
}

#[tokio::test]
async fn people_are_known_by_account_and_by_name_and_as_staff_say() {
    let season = Season::open(json!({ "points": { "kind": "beaten" } }), json!([])).await;
    let phone = season.app.guest("하늘").await;
    let mail = json!({ "email": "ana@example.org", "password": "correct horse battery", "display_name": "Ana" });
    let ana = season.app.anybody().sign_in("/auth/register", mail, 201).await;
    season.hold("1", robin(), &[ana.id(), "하늘", "준"], None).await;
    season.hold("2", robin(), &[ana.id(), phone.id(), "Jun"], None).await;
    // A guest with a phone and one who was only named have one name; 준 and Jun do not.
    let table = season.table(0).await;
    assert_eq!(table, [row(1, "Ana", 600), row(2, "하늘", 400), row(3, "Jun", 100), row(3, "준", 100)]);
    let (jun, june) = (season.account("Jun").await, season.account("준").await);
    let person = |who: &str| format!("{}/people/{who}", season.path);
    let joined = season.owner.put(&person(&jun), json!({ "same_as": june })).await.is(200);
    assert_eq!(items(&joined["tables"][0]["rows"][2]["accounts"]).len(), 1, "staff see the other account");
    assert_eq!(season.table(0).await[2], row(3, "준", 200));
    // Who played in one event is not one person.
    let refused = season.owner.put(&person(&jun), json!({ "same_as": ana.id() })).await;
    refused.problem(409, "met_in_event");
    season.owner.put(&person(&jun), json!({ "same_as": Value::Null })).await.is(200);
    assert_eq!(season.table(0).await.len(), 4);

    // Two of one name in one event: nobody knows which is which until staff say so.
    season.hold("3", robin(), &["하늘", "하늘"], None).await;
    assert_eq!(season.table(0).await.iter().filter(|it| it.1 == "하늘").count(), 4);
    season
        .owner
        .put(&person(&season.account("준").await), json!({ "same_as": season.account("준").await }))
        .await
        .is(200);

    // The guest turns out to be somebody with an account: what was said of the guest is said of them.
    season.owner.put(&person(&jun), json!({ "same_as": june })).await.is(200);
    let mail = json!({ "email": "jun@example.org", "password": "correct horse battery", "display_name": "준호" });
    let juno = season.app.anybody().sign_in("/auth/register", mail, 201).await;
    season.owner.post(&format!("/players/{june}/merge"), json!({ "into": juno.id() })).await.is(204);
    let table = season.table(0).await;
    assert!(table.contains(&row(2, "준호", 200)), "{table:?}");
    // And of somebody who goes the results stay, without that name.
    let request = juno.api(Method::DELETE, "/auth/me").json(&json!({ "password": "correct horse battery" }));
    Answer::of(request).await.is(204);
    let table = season.table(0).await;
    assert!(table.contains(&row(2, "Jun", 200)) && table.iter().all(|it| it.1 != "준호"), "{table:?}");
}

#[tokio::test]
async fn divisions_have_tables_of_their_own_and_the_end_of_a_season_moves_people() {
    let divisions = json!([{ "name": "1부", "relegated": 1 }, { "name": "2부", "promoted": 1 }]);
    let season = Season::open(json!({ "points": { "kind": "beaten" } }), divisions).await;
    season.hold("1부 첫날", robin(), &["하늘", "민지", "준"], Some(1)).await;
    season.hold("2부 첫날", robin(), &["Bea", "Tom", "Eva"], Some(2)).await;
    // All together: everybody keeps the place that they have among all.
    season.hold("다 함께", robin(), &["하늘", "Tom", "준", "민지", "Bea", "Eva"], None).await;
    assert_eq!(season.table(0).await, [row(1, "하늘", 900), row(2, "민지", 500), row(2, "준", 500)]);
    assert_eq!(season.table(1).await, [row(1, "Tom", 700), row(2, "Bea", 500), row(3, "Eva", 200)]);

    // Two are level at the line: they stay until somebody decides.
    let plan = season.owner.get(&format!("{}/next-season", season.path)).await.is(200);
    let mut moves: Vec<_> = items(&plan["items"])
        .iter()
        .map(|it| (text(&it["player"], "display_name"), it["to"].as_i64().expect("a number"), it["is_open"] == true))
        .collect();
    moves.sort_unstable();
    assert_eq!(
        moves,
        [
            ("Bea", 2, false),
            ("Eva", 2, false),
            ("Tom", 1, false),
            ("민지", 1, true),
            ("준", 1, true),
            ("하늘", 1, false)
        ]
    );
    let down = json!([{ "player_id": season.account("준").await, "division": 2 }]);
    let next = format!("{}/next-season", season.path);
    let unknown = json!({ "name": "봄", "divisions": [{ "player_id": season.account("준").await, "division": 3 }] });
    season.owner.post(&next, unknown).await.problem(422, "invalid_fields");
    let made = season.owner.post(&next, json!({ "name": "봄 시즌", "divisions": down })).await.is(201);
    let spring = format!("/series/{}", text(&made["series"], "id"));
    assert_eq!(
        (text(&made["series"], "status"), &made["series"]["previous_id"]),
        ("draft", &season.see().await["series"]["id"])
    );
    assert_eq!(season.see().await["series"]["status"], "ended");
    let names = |table: &Value| -> Vec<String> {
        let mut names: Vec<_> =
            items(&table["rows"]).iter().map(|it| text(&it["player"], "display_name").to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(
        (names(&made["tables"][0]), names(&made["tables"][1])),
        (
            vec!["Tom".to_owned(), "민지".to_owned(), "하늘".to_owned()],
            vec!["Bea".to_owned(), "Eva".to_owned(), "준".to_owned()]
        )
    );
    season.owner.post(&next, json!({ "name": "다시" })).await.problem(409, "series_continued");
    season.owner.patch(&season.path, json!({ "status": "running" })).await.problem(409, "series_continued");

    // A guest is entered by name again, with another account, and is who they were. Staff can still move people.
    let spring_day = season.play("봄 첫날", robin(), &["준", "Bea"]).await;
    season.owner.put(&format!("{spring}/events/{spring_day}"), json!({ "division": 2 })).await.is(200);
    let seen = season.owner.get(&spring).await.is(200);
    assert_eq!(seen["tables"][1]["rows"][0]["player"]["display_name"], "준");
    assert_eq!(items(&seen["tables"][1]["rows"]).len(), 3);
    let eva = season.account("Eva").await;
    season.owner.put(&format!("{spring}/people/{eva}"), json!({ "division": 3 })).await.problem(422, "invalid_fields");
    let moved = season.owner.put(&format!("{spring}/people/{eva}"), json!({ "division": 1 })).await.is(200);
    assert_eq!(items(&moved["tables"][0]["rows"]).len(), 4);

    // The way back: as long as the next season is a draft, it can be deleted, and this one goes on.
    season.owner.delete(&spring).await.is(204);
    season.owner.patch(&season.path, json!({ "status": "running" })).await.is(200);
    // One division less: what was of it is of none.
    season.owner.patch(&season.path, json!({ "divisions": [{ "name": "모두" }] })).await.is(200);
    assert_eq!(season.table(0).await.len(), 6);
}

/// The form for the next season as it is shown.
fn shown(page: &Answer) -> Vec<(String, String)> {
    let text = page.text();
    let to = |part: &str| {
        let (person, rest) = part.split_once('"').expect("a name");
        let (before, _) = rest.split_once("\" selected").expect("one division is chosen");
        let number = before.rsplit("value=\"").next().unwrap_or_default();
        (format!("to-{person}"), number.to_owned())
    };
    let (_, seen) = text.split_once("name=\"seen\" value=\"").expect("the table has a digest");
    let seen = ("seen".to_owned(), seen.split('"').next().unwrap_or_default().to_owned());
    text.split("name=\"to-").skip(1).map(to).chain([seen]).collect()
}

#[tokio::test]
async fn a_season_ends_by_the_table_that_staff_have_seen() {
    let divisions = json!([{ "name": "1부", "relegated": 1 }, { "name": "2부", "promoted": 1 }]);
    let season = Season::open(json!({ "points": { "kind": "beaten" } }), divisions).await;
    season.hold("1부 첫날", robin(), &["하늘", "민지"], Some(1)).await;
    let second = season.hold("2부 첫날", robin(), &["Bea", "Tom"], Some(2)).await;
    let desk = season.app.owner_at_pages().await;
    let at = format!("/admin{}/next", season.path);
    let minji = format!("to-{}", season.account("민지").await);
    // 민지 would go down; staff say that she stays.
    let end = async |page: &Answer| {
        let mut fields = shown(page);
        fields.iter_mut().filter(|(name, _)| *name == minji).for_each(|it| it.1 = "1".to_owned());
        assert_eq!(fields.len(), 5, "{fields:?}");
        let blank = fields.iter().filter(|(_, value)| value.is_empty()).count();
        assert_eq!(blank, 3, "a choice that nobody made is not sent: {fields:?}");
        fields.push(("name".to_owned(), "봄 시즌".to_owned()));
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        desk.submit(page, &at, &fields).await
    };
    let page = desk.open(&at).await;
    // Meanwhile the bout of the second division is put right: Tom goes up, and not Bea.
    let whole = season.owner.get(&format!("/tournaments/{second}")).await.is(200);
    let bout = &whole["rounds"][0]["bouts"][0];
    let correction = json!({ "finishes": finishes(bout, true), "reason": "이름을 바꿔 적었어요" });
    let correct = format!("/tournaments/{second}/stages/1/bouts/{}/correction", text(bout, "key"));
    season.owner.post(&correct, correction).await.is(200);
    let again = end(&page).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("The series has changed in the meantime."), "{}", again.text());
    assert_eq!(season.see().await["series"]["status"], "running");
    let whole = again.text();
    let (_, choice) = whole.split_once(&format!("name=\"{minji}\"")).expect("she is there");
    let choice = choice.split("</select>").next().unwrap_or_default();
    assert!(choice.contains("value=\"1\" selected"), "what staff chose stays chosen: {choice}");
    let ended = end(&again).await;
    assert_eq!(ended.status, 303, "{}", ended.text());
    let spring = season.owner.get(ended.header("location").trim_start_matches("/admin")).await.is(200);
    let names = |at: usize| -> Vec<&str> {
        let rows = items(&spring["tables"][at]["rows"]).iter();
        let mut names: Vec<_> = rows.map(|it| text(&it["player"], "display_name")).collect();
        names.sort_unstable();
        names
    };
    assert_eq!((names(0), names(1)), (vec!["Tom", "민지", "하늘"], vec!["Bea"]));
}

#[tokio::test]
async fn a_tournament_gets_its_seeds_from_the_table() {
    let season = Season::open(json!({ "points": { "kind": "beaten" } }), json!([])).await;
    let next = season.draft("결승", single(), &["준", "새 손님", "하늘", "민지"]).await;
    let seed = async || season.owner.post(&format!("{}/seeding", season.path), json!({ "tournament_id": next })).await;
    seed().await.problem(409, "series_empty");
    season.hold("1", robin(), &["하늘", "민지", "준"], None).await;
    let seeded = seed().await.is(200);
    let mut order: Vec<_> = items(&seeded["entrants"])
        .iter()
        .map(|it| (it["seed"].as_i64(), text(&it["player"], "display_name")))
        .collect();
    order.sort_unstable();
    assert_eq!(order, [(Some(1), "하늘"), (Some(2), "민지"), (Some(3), "준"), (Some(4), "새 손님")]);
    let stale = json!({ "tournament_id": next, "revision": 1 });
    season.owner.post(&format!("{}/seeding", season.path), stale).await.problem(409, "tournament_changed");
    season.owner.post(&format!("/tournaments/{next}/start"), json!({})).await.is(200);
    seed().await.problem(409, "tournament_started");
}
