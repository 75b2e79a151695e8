//! `/variants`: the house's own rules, drafted, published, played, retired.

use std::sync::mpsc;

use engine::{VariantHash, catalogue};
use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::matches::record_holds;

/// A variant of Perudo with Calza, as a draft: its address.
async fn draft(staff: &Visitor, name: &str) -> String {
    let new = json!({ "game": "perudo", "name": name, "options": { "calza": true } });
    let made = staff.post("/variants", new).await.is(201);
    format!("/variants/{}", id_of(&made))
}

fn id_of(made: &Value) -> &str {
    made["id"].as_str().expect("it has an id")
}

async fn published(staff: &Visitor, name: &str) -> String {
    let path = draft(staff, name).await;
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    path
}

async fn versions(visitor: &Visitor, path: &str) -> Vec<Value> {
    let listed = visitor.get(&format!("{path}/versions")).await.is(200);
    listed["items"].as_array().expect("they are listed").iter().map(|it| it["number"].clone()).collect()
}

#[tokio::test]
async fn a_draft_is_the_staffs_until_it_is_published() {
    let app = TestApp::start();
    let (staff, guest, anybody) = (app.owner().await, app.guest("하늘").await, app.anybody());
    let new = json!({ "game": "perudo", "name": " Sailors'  Perudo ", "options": { "calza": true } });
    let made = staff.post("/variants", new).await.is(201);
    let path = format!("/variants/{}", id_of(&made));
    assert_eq!((&made["name"], &made["status"]), (&json!("Sailors' Perudo"), &json!("draft")));
    assert_eq!(made["draft"]["options"], json!({ "calza": true, "palifico": true }));
    assert_eq!((&made["current"], &made["draft"]["number"]), (&Value::Null, &json!(1)));
    for outsider in [&guest, &anybody] {
        for rest in ["", "/versions", "/versions/1/difference"] {
            outsider.get(&format!("{path}{rest}")).await.problem(404, "variant_not_found");
        }
        assert_eq!(outsider.get("/variants").await.is(200)["items"], json!([]));
        assert_eq!(outsider.get("/variants?status=draft").await.is(200)["items"], json!([]));
    }
    for (method, rest) in
        [(Method::POST, ""), (Method::PATCH, "/x"), (Method::POST, "/x/versions"), (Method::POST, "/x/publish")]
    {
        let address = format!("/variants{}", rest.replace("/x", &path["/variants".len()..]));
        let request = guest.api(method, &address).json(&json!({}));
        assert_eq!(Answer::of(request).await.status, 403, "{address}");
    }
    let shown = staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    assert_eq!((&shown["status"], &shown["draft"]), (&json!("published"), &Value::Null));
    for visitor in [&guest, &anybody, &staff] {
        let shown = visitor.get(&path).await.is(200);
        assert_eq!((&shown["current"]["number"], &shown["current"]["played"]), (&json!(1), &json!(false)));
        assert_eq!(visitor.get("/variants?game=perudo").await.is(200)["items"][0]["id"], shown["id"]);
        assert_eq!(visitor.get("/variants?game=liars-dice").await.is(200)["items"], json!([]));
    }
    let audited = app.database().with(|client| {
        let found = client.query("SELECT action FROM audit_log WHERE subject = 'variant' ORDER BY id", &[]);
        found.expect("there is an audit log").iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>()
    });
    assert_eq!(audited, ["variant.create", "variant.publish"]);
}

#[tokio::test]
async fn a_next_version_is_drafted_beside_the_one_that_is_played() {
    let app = TestApp::start();
    let (staff, guest) = (app.owner().await, app.guest("하늘").await);
    let path = published(&staff, "Nightly").await;
    let next = format!("{path}/versions");
    staff.post(&next, json!({ "options": { "calza": true } })).await.problem(409, "version_unchanged");
    let shown = staff.post(&next, json!({ "options": { "palifico": false } })).await.is(201);
    assert_eq!((&shown["current"]["number"], &shown["draft"]["number"]), (&json!(1), &json!(2)));
    assert_eq!(guest.get(&path).await.is(200)["draft"], Value::Null);
    assert_eq!(
        (versions(&guest, &path).await, versions(&staff, &path).await),
        (vec![json!(1)], vec![json!(2), json!(1)])
    );
    let changed = json!({ "options": { "calza": true, "palifico": false }, "description": "For late hours" });
    let shown = staff.patch(&path, changed).await.is(200);
    assert_eq!(shown["draft"]["options"], json!({ "calza": true, "palifico": false }));
    assert_eq!(shown["description"], "For late hours");
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    let again = staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    assert_eq!((&again["current"]["number"], &again["draft"]), (&json!(2), &Value::Null));
    let late = staff.patch(&path, json!({ "options": {} })).await;
    late.problem(409, "version_is_final");
    let shown = staff.patch(&path, json!({ "name": "Late", "description": null })).await.is(200);
    assert_eq!((&shown["name"], &shown["description"]), (&json!("Late"), &Value::Null));
    let pages = staff.get(&format!("{path}/versions?limit=1")).await.is(200);
    let next = pages["next"].as_str().expect("there is one more");
    let rest = staff.get(&format!("{path}/versions?limit=1&cursor={next}")).await.is(200);
    assert_eq!((&rest["items"][0]["number"], &rest["next"]), (&json!(1), &Value::Null));
}

#[tokio::test]
async fn what_cannot_be_a_variant_says_why() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let path = draft(&staff, "Nightly").await;
    let new = |options: Value| json!({ "game": "perudo", "name": "Other", "options": options });
    let named = staff.post("/variants", new(json!({ "calza": 3 }))).await.problem(422, "invalid_options");
    assert_eq!(named["errors"][0]["pointer"], "/options/calza");
    let named = staff.patch(&path, json!({ "options": { "volume": 11 } })).await.problem(422, "invalid_options");
    assert_eq!(named["errors"][0]["pointer"], "/options/volume");
    let next = staff.post(&format!("{path}/versions"), json!({ "options": [] })).await;
    next.problem(422, "invalid_options");
    let chess = json!({ "game": "chess", "name": "Other", "options": {} });
    staff.post("/variants", chess).await.problem(422, "unknown_game");
    let taken = json!({ "game": "perudo", "name": "NIGHTLY" });
    staff.post("/variants", taken.clone()).await.problem(409, "variant_name_taken");
    staff.post(&format!("{path}/retire"), json!({})).await.is(200);
    staff.post("/variants", taken).await.is(201);
    staff.post(&format!("{path}/publish"), json!({})).await.problem(409, "variant_name_taken");
    for body in [json!({ "game": "perudo" }), json!({ "game": "perudo", "name": "" }), json!({ "name": "x", "hat": 1 })]
    {
        staff.post("/variants", body).await.refused();
    }
    for query in ["limit=0", "status=lost", "cursor=x", "hat=1"] {
        staff.get(&format!("/variants?{query}")).await.refused();
    }
    for number in ["0", "-1", "99", "x", "99999999999"] {
        staff.get(&format!("{path}/versions/{number}/difference")).await.refused();
        staff.get(&format!("{path}/versions/1/difference?from={number}")).await.refused();
    }
}

#[tokio::test]
async fn a_match_is_played_by_a_variant_and_its_record_says_so() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let path = published(&staff, "Nightly").await;
    let variant = staff.get(&path).await.is(200);
    let new = json!({ "game": "perudo", "variant_id": variant["id"], "seats": 2 });
    let mut party = Party::gather_for(&app, new).await;
    let shown = party.look().await;
    assert_eq!(shown["options"], json!({ "calza": true, "palifico": true }));
    assert_eq!((&shown["variant_id"], &shown["variant_version"]), (&variant["id"], &json!(1)));
    assert_eq!(shown["variant_hash"], variant["current"]["variant_hash"]);
    party.begin().await;
    party.play_to_the_end().await;
    let record = record_holds(&party).await;
    assert_eq!(record["variant_hash"], shown["variant_hash"]);
    assert_eq!((&record["variant_id"], &record["variant_version"]), (&variant["id"], &json!(1)));
    assert_eq!(staff.get(&path).await.is(200)["current"]["played"], true);
    // The same rules without a name have the same hash.
    let plain = Party::gather(&app, "perudo", 2, json!({ "calza": true })).await.look().await;
    assert_eq!((&plain["variant_id"], &plain["variant_hash"]), (&Value::Null, &shown["variant_hash"]));
    assert_eq!(shown["variant_hash"], VariantHash::of("perudo", 1, &shown["options"]).to_hex());
}

#[tokio::test]
async fn a_match_is_made_by_what_is_published_and_by_drafts_for_staff_only() {
    let app = TestApp::start();
    let (staff, guest) = (app.owner().await, app.guest("하늘").await);
    let path = draft(&staff, "Nightly").await;
    let id = path["/variants/".len()..].to_owned();
    let new = |version: Value| json!({ "game": "perudo", "variant_id": id, "variant_version": version, "seats": 2 });
    for version in [json!(null), json!(1)] {
        let named = guest.post("/matches", new(version.clone())).await.problem(422, "unknown_variant");
        assert_eq!(named["errors"][0]["pointer"], "/variant_id");
        assert_eq!(staff.post("/matches", new(version)).await.is(201)["variant_version"], 1);
    }
    // It was tried out: it stays as it is, and may be published.
    staff.patch(&path, json!({ "options": {} })).await.problem(409, "version_is_final");
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    staff.post(&format!("{path}/versions"), json!({ "options": {} })).await.is(201);
    assert_eq!(guest.post("/matches", new(json!(null))).await.is(201)["variant_version"], 1);
    assert_eq!(staff.post("/matches", new(json!(null))).await.is(201)["variant_version"], 1);
    guest.post("/matches", new(json!(2))).await.problem(422, "unknown_variant");
    assert_eq!(staff.post("/matches", new(json!(2))).await.is(201)["options"]["calza"], false);
    for wrong in [
        json!({ "game": "liars-dice", "variant_id": id, "seats": 2 }),
        json!({ "game": "perudo", "variant_id": id, "options": {}, "seats": 2 }),
        json!({ "game": "perudo", "variant_version": 1, "seats": 2 }),
        json!({ "game": "perudo", "variant_id": "019f0000-0000-7000-8000-000000000000", "seats": 2 }),
        json!({ "game": "perudo", "variant_id": "x", "seats": 2 }),
        new(json!(0)),
        new(json!(i64::MAX)),
    ] {
        staff.post("/matches", wrong).await.refused();
    }
    staff.post(&format!("{path}/retire"), json!({})).await.is(200);
    for visitor in [&guest, &staff] {
        visitor.post("/matches", new(json!(null))).await.problem(409, "variant_retired");
    }
    // What was played by it still leads somewhere.
    assert_eq!(guest.get(&path).await.is(200)["status"], "retired");
    assert_eq!(guest.get("/variants").await.is(200)["items"], json!([]));
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    assert_eq!(guest.post("/matches", new(json!(null))).await.is(201)["variant_version"], 2);
}

#[tokio::test]
async fn a_match_by_a_draft_that_is_changed_just_now_is_refused() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let path = draft(&staff, "Nightly").await;
    let id = path["/variants/".len()..].to_owned();
    let change = format!("UPDATE variant_versions SET variant_hash = sha256('next') WHERE variant_id = '{id}'");
    let url = app.database().url();
    let (begin, begun) = mpsc::channel();
    let (end, ended) = mpsc::channel::<()>();
    let other = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).expect("the database is there");
        let mut transaction = client.transaction().expect("it can begin");
        transaction.batch_execute(&change).expect("it is a draft");
        begin.send(()).expect("somebody waits for it");
        ended.recv().ok();
        transaction.commit().expect("it commits");
    });
    begun.recv().expect("it has begun");
    let maker = staff.at(app.url());
    let making =
        tokio::spawn(
            async move { maker.post("/matches", json!({ "game": "perudo", "variant_id": id, "seats": 2 })).await },
        );
    eventually("the match waits for the draft", async || {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' \
                       AND datname = current_database()";
        let waiting = app.database().with(|client| client.query_one(waiting, &[]).expect("it can be asked"));
        (waiting.get::<_, i64>(0) > 0).then_some(())
    })
    .await;
    drop(end);
    making.await.expect("it answers").problem(409, "busy");
    other.join().expect("it was changed");
}

#[tokio::test]
async fn nobody_plays_again_by_what_no_match_is_made_by() {
    let app = TestApp::start();
    let (staff, guest, other) = (app.owner().await, app.guest("하늘").await, app.guest("바다").await);
    let path = draft(&staff, "Nightly").await;
    let new = json!({ "game": "perudo", "variant_id": path["/variants/".len()..], "seats": 2 });
    let made = staff.post("/matches", new).await.is(201);
    let at = format!("/matches/{}", id_of(&made));
    for (seat, player) in [&guest, &other].into_iter().enumerate() {
        player.post(&format!("{at}/seats"), json!({ "seat": seat })).await.is(201);
    }
    staff.post(&format!("{at}/abort"), json!({})).await.is(200);
    let again = format!("{at}/rematch");
    let page = format!("/m/{}", made["code"].as_str().expect("it has a code"));
    let offers = async |player: &Visitor| player.open(&page).await.html().contains("class=\"rematch\"");
    // A draft is for staff to try out.
    guest.post(&again, json!({})).await.problem(422, "unknown_variant");
    assert!(!offers(&guest).await);
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    assert!(offers(&guest).await);
    staff.post(&format!("{path}/retire"), json!({})).await.is(200);
    for player in [&guest, &staff] {
        player.post(&again, json!({})).await.problem(409, "variant_retired");
    }
    assert!(!offers(&guest).await);
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    guest.post(&again, json!({})).await.is(201);
    // What was made stays open to the others.
    staff.post(&format!("{path}/retire"), json!({})).await.is(200);
    assert!(offers(&other).await);
    other.post(&again, json!({})).await.is(200);
}

#[tokio::test]
async fn the_difference_is_told_in_the_readers_language() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let path = published(&staff, "Nightly").await;
    staff.post(&format!("{path}/versions"), json!({ "options": { "palifico": false } })).await.is(201);
    staff.post(&format!("{path}/publish"), json!({})).await.is(200);
    let told = async |address: &str, lang: &str| {
        let request = app.anybody().api(Method::GET, &format!("{path}{address}")).header("accept-language", lang);
        Answer::of(request).await.is(200)
    };
    let basic = told("/versions/1/difference", "en").await;
    assert_eq!((&basic["from"], &basic["to"]), (&Value::Null, &json!(1)));
    assert_eq!(basic["changes"][0]["line"], "Calza (expert rule): no → yes");
    let both = told("/versions/2/difference?from=1", "en").await;
    let keys: Vec<_> = both["changes"].as_array().expect("a list").iter().map(|it| it["key"].clone()).collect();
    assert_eq!(keys, ["calza", "palifico"]);
    assert_eq!((&both["changes"][1]["from"], &both["changes"][1]["to"]), (&json!(true), &json!(false)));
    assert_eq!(told("/versions/2/difference?from=2", "en").await["changes"], json!([]));
    let mut lines = Vec::new();
    for lang in ["ko", "en", "es"] {
        lines.push(told("/versions/1/difference", lang).await["changes"][0]["line"].to_string());
    }
    lines.dedup();
    assert_eq!(lines.len(), 3);
}

#[tokio::test]
async fn the_rules_are_shown_as_a_variant_has_them() {
    let app = TestApp::start();
    let staff = app.owner().await;
    let path = published(&staff, "Nightly <b>").await;
    let id = &path["/variants/".len()..];
    let rules = app.anybody().get(&format!("/games/perudo/rules?lang=en&variant={id}")).await.is(200);
    assert_eq!((&rules["variant"]["name"], &rules["variant"]["version"]), (&json!("Nightly <b>"), &json!(1)));
    let switches: Vec<_> = rules["sections"].as_array().expect("a list").iter().map(|it| &it["option"]).collect();
    let calza = switches.iter().find(|it| it["key"] == "calza" && it["value"] == "true").expect("it is explained");
    assert_eq!((&calza["basic"], &calza["holds"], &calza["changed"]), (&json!(false), &json!(true), &json!(true)));
    let page = app.anybody().open(&format!("/rules/perudo?variant={id}")).await.text();
    assert!(page.contains("Nightly &#60;b&#62;") && page.contains("House rule"), "{page}");
    assert!(!page.contains("plays no Palífico rounds"), "what does not hold is left out");
    assert!(app.anybody().open("/rules/perudo").await.text().contains("plays no Palífico rounds"));
    let draft = draft(&staff, "Other").await;
    for (game, variant) in [("perudo", &draft["/variants/".len()..]), ("liars-dice", id)] {
        let address = format!("/games/{game}/rules?variant={variant}");
        app.anybody().get(&address).await.problem(404, "variant_not_found");
        assert_eq!(app.anybody().open(&format!("/rules/{game}?variant={variant}")).await.status, 404);
    }
    app.anybody().get(&format!("/games/perudo/rules?variant={id}&version=2")).await.problem(404, "variant_not_found");
    app.anybody().get("/games/perudo/rules?variant=x").await.refused();
}

#[tokio::test]
async fn the_database_keeps_what_was_published_or_played() {
    let app = TestApp::start();
    let staff = app.owner().await;
    published(&staff, "Published").await;
    let path = draft(&staff, "Played").await;
    let new = json!({ "game": "perudo", "variant_id": path["/variants/".len()..], "seats": 2 });
    staff.post("/matches", new).await.is(201);
    app.database().with(|client| {
        for wrong in [
            "UPDATE variant_versions SET options = '{}'",
            "UPDATE variant_versions SET revision = 2 WHERE published_at IS NULL",
            "UPDATE variant_versions SET variant_hash = sha256('')",
            "UPDATE variant_versions SET published_at = now() + interval '1 day' WHERE published_at IS NOT NULL",
            "DELETE FROM variant_versions",
            "DELETE FROM variants",
            "UPDATE matches SET variant_hash = sha256('')",
            "UPDATE matches SET variant_version = NULL",
        ] {
            assert!(client.batch_execute(wrong).is_err(), "the database allows {wrong}");
        }
    });
}

#[tokio::test]
async fn the_hash_of_a_match_can_be_computed_in_sql() {
    let app = TestApp::start();
    let guest = app.guest("하늘").await;
    for kind in catalogue::GAMES {
        let new = json!({ "game": kind.info().id, "seats": kind.info().seats.start() });
        guest.post("/matches", new).await.is(201);
    }
    // The options of every game are a flat object.
    let compute = "UPDATE matches SET variant_hash = sha256(convert_to(
        'house-rules/variant/1{\"game\":' || to_json(game)::text || ',\"options\":{' || coalesce((
            SELECT string_agg(to_json(option.key)::text || ':' || option.value::text, ',' ORDER BY option.key COLLATE \"C\")
            FROM jsonb_each(options) AS option
        ), '') || '},\"revision\":' || revision::text || '}', 'UTF8'))";
    app.database().with(|client| {
        let ours = hashes(client);
        client.batch_execute("UPDATE matches SET variant_hash = sha256('')").expect("none is by a variant");
        client.batch_execute(compute).expect("it is sound SQL");
        assert_eq!(hashes(client), ours);
    });
}

fn hashes(client: &mut postgres::Client) -> Vec<Vec<u8>> {
    let rows = client.query("SELECT variant_hash FROM matches ORDER BY id", &[]).expect("every match has one");
    rows.iter().map(|row| row.get(0)).collect()
}
