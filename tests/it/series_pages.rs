//! A season on the staff's pages and on everybody's, by nothing but forms and links.

use harness::{Answer, TestApp, Visitor};
use serde_json::{Value, json};

/// More round trips than that are felt.
const MOST: u64 = 25;

/// How many statements requests have asked so far.
async fn asked(visitor: &Visitor) -> u64 {
    let metrics = visitor.open("/metrics").await.text();
    let count = metrics.lines().find_map(|line| line.strip_prefix(r#"database_statements_total{by="requests"} "#));
    count.expect("it is counted").parse().expect("it is a number")
}

/// A page, which costs so few statements.
async fn open(visitor: &Visitor, path: &str) -> Answer {
    let mut fewest = u64::MAX;
    let mut page = None;
    // Now and then a request notes besides that its session was seen, or is the first on a new connection.
    for _ in 0..3 {
        let before = asked(visitor).await;
        page = Some(visitor.open(path).await);
        fewest = fewest.min(asked(visitor).await - before);
    }
    let page = page.expect("it was opened");
    assert_eq!(page.status, 200, "{path}: {}", page.text());
    assert!(fewest <= MOST, "{path} takes {fewest} statements");
    println!("{path} takes {fewest} statements");
    page
}

/// A finished round robin, in which who is named earlier beats who is named later.
async fn play(owner: &Visitor, name: &str, people: &[&str]) -> Value {
    let points = json!({ "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 });
    let stage = json!({ "format": { "kind": "round_robin", "legs": 1 }, "scoring": { "points": points } });
    let new = json!({ "name": name, "game": "other", "title": "Catan", "stages": [stage], "seeding": "hand" });
    let made = owner.post("/tournaments", new).await.is(201);
    let path = format!("/tournaments/{}", made["id"].as_str().expect("it has an id"));
    let post = async |rest: &str, body: Value| owner.post(&format!("{path}{rest}"), body).await;
    for who in people {
        post("/entrants", json!({ "display_name": who })).await.is(201);
    }
    post("/start", json!({})).await.is(200);
    for round in 1.. {
        if owner.get(&path).await.is(200)["next"]["step"] != "pair" {
            break;
        }
        post("/pair", json!({})).await.is(200);
        post(&format!("/stages/1/rounds/{round}/publish"), json!({})).await.is(200);
        let seen = owner.get(&path).await.is(200);
        let rounds = seen["rounds"].as_array().expect("it has rounds");
        let bouts = rounds.last().expect("one is open")["bouts"].as_array().expect("it has bouts");
        for bout in bouts {
            let mut order: Vec<u64> =
                bout["entrants"].as_array().expect("a list").iter().filter_map(Value::as_u64).collect();
            order.sort_unstable();
            if order.len() > 1 {
                let finishes: Value =
                    order.iter().zip(1..).map(|(it, place)| json!({ "entrant": it, "place": place })).collect();
                let at = format!("/stages/1/bouts/{}/result", bout["key"].as_str().expect("it has a key"));
                post(&at, json!({ "finishes": finishes })).await.is(200);
            }
        }
    }
    post("/finish", json!({})).await.is(200)["tournament"].clone()
}

#[tokio::test]
async fn a_season_is_kept_by_forms_and_seen_by_everybody() {
    let app = TestApp::start();
    let (owner, staff) = (app.owner().await, app.owner_at_pages().await);
    let first = play(&owner, "첫 금요일", &["하늘", "Lucía", "도윤", "민지"]).await;
    let second = play(&owner, "둘째 금요일", &["Lucía", "하늘", "도윤", "민지"]).await;
    let third = play(&owner, "셋째 금요일", &["하늘", "Lucía", "민지", "도윤"]).await;
    let id = |it: &Value| it["id"].as_str().expect("it has an id").to_owned();

    let list = open(&staff, "/admin/tournaments").await;
    assert!(list.text().contains("href=\"/admin/series\""));
    open(&staff, "/admin/series").await;
    let form = open(&staff, "/admin/series/new").await;
    let fields = [
        ("name", "2026 가을 시즌"),
        ("points", "places"),
        ("scale", "10 6 3 1"),
        ("best", "2"),
        ("attendance", "0.5"),
        ("tie-1", "latest"),
    ];
    let wrong: Vec<_> = fields.iter().map(|(name, value)| (*name, if *name == "best" { "0" } else { value })).collect();
    assert_eq!(staff.submit(&form, "/admin/series/new", &wrong).await.status, 422);
    let made = staff.submit(&form, "/admin/series/new", &fields).await;
    assert_eq!(made.status, 303);
    let series = made.header("location").to_owned();
    let page = open(&staff, &series).await;
    for event in [&first, &second, &third] {
        let added = staff.submit(&page, &format!("{series}/events"), &[("tournament", &id(event))]).await;
        assert_eq!(added.status, 303, "{}", added.text());
    }
    let page = open(&staff, &series).await;
    assert!(page.text().contains("21.5"), "{}", page.text());
    // Nobody else hears of it before it is public.
    let tournament = format!("/tournaments/{}", first["code"].as_str().expect("it has a code"));
    assert!(!app.anybody().open(&tournament).await.text().contains("2026 가을 시즌"));
    assert_eq!(staff.submit(&page, &format!("{series}/status"), &[("to", "running")]).await.status, 303);
    let linked = open(&app.anybody(), &tournament).await.text();
    let (_, link) = linked.split_once("href=\"/series/").expect("it leads to the series");
    let public = format!("/series/{}", &link[..6]);
    let seen = open(&app.anybody(), &public).await.text();
    assert!(seen.contains("하늘") && seen.contains("21.5") && seen.contains("<s class=\"muted\">"), "{seen}");
    assert!(!seen.contains("/admin/"), "guests are not led to the staff's pages");
    assert!(open(&app.anybody(), "/tournaments").await.text().contains(&public));

    // Divisions, and one person out of two names.
    let form = open(&staff, &format!("{series}/edit")).await;
    let divisions = [("division-1", "1부"), ("relegated-1", "1"), ("division-2", "2부"), ("promoted-2", "1")];
    let changed: Vec<_> = fields.iter().chain(&divisions).copied().collect();
    assert_eq!(staff.submit(&form, &format!("{series}/edit"), &changed).await.status, 303);
    let page = open(&staff, &series).await.text();
    let (_, person) = page.split_once(&format!("{series}/people/")).expect("names lead to people");
    let person = format!("{series}/people/{}", &person[..36]);
    let form = open(&staff, &person).await;
    assert_eq!(staff.submit(&form, &person, &[("say", "division"), ("division", "1")]).await.status, 303);
    let form = open(&staff, &format!("{series}/next")).await;
    assert!(form.text().contains("1부") && form.text().contains("Lucía"));
    let ended = staff.submit(&form, &format!("{series}/next"), &[("name", "2027 봄 시즌")]).await;
    assert_eq!(ended.status, 303, "{}", ended.text());
    let next = open(&staff, ended.header("location")).await.text();
    assert!(next.contains("2027 봄 시즌") && next.contains(&format!("href=\"{series}\"")));
    // The page of entrants offers seeds by the series.
    let stage = json!({ "format": { "kind": "swiss", "rounds": 2 },
        "scoring": { "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } } });
    let new = json!({ "name": "결승", "game": "perudo", "stages": [stage], "seeding": "hand" });
    let last = format!("/admin/tournaments/{}", id(&owner.post("/tournaments", new).await.is(201)));
    for who in ["민지", "하늘"] {
        let entrants = format!("/tournaments{}/entrants", &last["/admin/tournaments".len()..]);
        owner.post(&entrants, json!({ "display_name": who })).await.is(201);
    }
    let entrants = open(&staff, &format!("{last}/entrants?seeding=1")).await;
    let by = series.trim_start_matches("/admin/series/");
    assert_eq!(staff.submit(&entrants, &format!("{last}/seeds/series"), &[("series", by)]).await.status, 303);
    let seeded = open(&staff, &format!("{last}/entrants?seeding=1")).await.text();
    assert!(seeded.find("하늘") < seeded.find("민지"), "the better of the season is seeded first");
}

#[tokio::test]
async fn two_windows_change_a_series_without_undoing_each_other() {
    let app = TestApp::start();
    let (owner, staff) = (app.owner().await, app.owner_at_pages().await);
    let form = staff.open("/admin/series/new").await;
    let fields = [("name", "2026 가을 시즌"), ("points", "places"), ("scale", "10 6 3"), ("best", "2")];
    let made = staff.submit(&form, "/admin/series/new", &fields).await;
    let series = made.header("location").to_owned();
    let form = format!("{series}/edit");
    let rules = async || {
        let path = format!("/series/{}", series.trim_start_matches("/admin/series/"));
        let series = owner.get(&path).await.is(200)["series"].clone();
        json!([series["name"], series["rules"]["best"], series["rules"]["attendance"]])
    };
    let page = staff.open(&form).await;
    assert_eq!(staff.edit(&page, &form, &[("best", "3")]).await.status, 303);
    // The other window was opened before that, and is refused at first.
    let refused = staff.edit(&page, &form, &[("name", "가을"), ("attendance", "one")]).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert_eq!(refused.seen(&form), page.seen(&form), "it is still made from what was there before");
    let saved = staff.edit(&refused, &form, &[("name", "가을"), ("attendance", "0.5")]).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert!(staff.open(&series).await.text().contains("What somebody else has changed meanwhile"));
    assert_eq!(rules().await, json!(["가을", 3, 50]));
    // Two who change the same: the later one reads what is there now, and saves again.
    let told = staff.edit(&page, &form, &[("best", "4")]).await;
    assert_eq!(told.status, 409, "{}", told.text());
    for seen in ["Somebody else has changed the same thing", "Events that count: Now: 3", "value=\"4\"", "가을"] {
        assert!(told.text().contains(seen), "{seen}: {}", told.text());
    }
    assert_eq!(rules().await, json!(["가을", 3, 50]));
    assert_eq!(staff.edit(&told, &form, &[("best", "4")]).await.status, 303);
    assert_eq!(rules().await, json!(["가을", 4, 50]));
}
