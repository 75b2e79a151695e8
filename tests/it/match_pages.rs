//! `/admin/matches`: finding a match, following it, looking back through anybody's eyes, and looking at what is hidden.

use fantoccini::Locator;
use harness::{Browser, Party, TestApp, Visitor, eventually};
use serde_json::{Value, json};

/// Somebody with this role, at the staff's pages, and by the JSON API.
async fn employ(app: &TestApp, role: &str) -> (Visitor, Visitor) {
    let email = format!(
        "{role}{}@example.org",
        app.database().with(|client| {
            client.query_one("SELECT count(*) FROM players", &[]).expect("players can be counted").get::<_, i64>(0)
        })
    );
    let account = json!({ "email": email, "password": "a long enough password", "display_name": "Mina" });
    app.anybody().post("/auth/register", account).await.is(201);
    let promote = format!("UPDATE players SET role = '{role}' WHERE email = '{email}'");
    app.database().with(|client| client.batch_execute(&promote)).expect("there is such an account");
    let desk = app.anybody();
    let answer = desk.sign_in_at_page((&email, "a long enough password")).await;
    assert_eq!(answer.status, 303, "{}", answer.text());
    let player = app.anybody();
    let credentials = json!({ "email": email, "password": "a long enough password" });
    (desk, player.sign_in("/auth/login", credentials, 200).await)
}

fn path(party: &Party) -> String {
    format!("/admin/matches/{}", party.id)
}

async fn shown(desk: &Visitor, path: &str) -> String {
    let answer = desk.open(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text());
    answer.text()
}

/// How many dice lie face down.
fn hidden(page: &str) -> usize {
    page.matches("#die-back").count()
}

async fn reveal(desk: &Visitor, party: &Party, reason: &str) -> u16 {
    let page = desk.open(&path(party)).await;
    desk.submit(&page, &format!("{}/reveal", path(party)), &[("reason", reason)]).await.status
}

#[tokio::test]
async fn matches_are_found_by_what_staff_know_of_them() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let staff = app.owner().await;
    let table = staff.post("/tables", json!({ "name": "Anchor", "seats": 4 })).await.is(201);
    let table = table["id"].as_str().expect("a table has an id").to_owned();
    let running = Party::start(&app, "perudo", 2, json!({})).await;
    let waiting = Party::gather(&app, "liars-dice", 3, json!({})).await;
    let there = staff.post("/matches", json!({ "game": "perudo", "seats": 2, "table_id": table })).await.is(201);
    let there = there["id"].as_str().expect("a match has an id").to_owned();
    let variant = json!({ "game": "perudo", "name": "Night & Day", "options": { "calza": true } });
    let variant = staff.post("/variants", variant).await.is(201);
    let variant = variant["id"].as_str().expect("a variant has an id").to_owned();
    staff.post(&format!("/variants/{variant}/publish"), json!({})).await;
    let by_variant =
        staff.post("/matches", json!({ "game": "perudo", "seats": 2, "variant_id": variant })).await.is(201);
    let by_variant = by_variant["id"].as_str().expect("a match has an id").to_owned();
    let all = [&running.id, &waiting.id, &there, &by_variant];
    let found = async |query: &str| -> Vec<usize> {
        let page = shown(&owner, &format!("/admin/matches?{query}")).await;
        (0..all.len()).filter(|at| page.contains(&format!("href=\"/admin/matches/{}\"", all[*at]))).collect()
    };
    assert_eq!(found("").await, [0, 1, 2, 3]);
    assert_eq!(found("status=running").await, [0]);
    assert_eq!(found("game=liars-dice&table=&variant=&player=&from=&to=&status=").await, [1]);
    assert_eq!(found(&format!("table={table}")).await, [2]);
    assert_eq!(found(&format!("variant={variant}")).await, [3]);
    // By the beginning of a name, whatever the case of its letters; the signs of LIKE are letters like others.
    assert_eq!(found("player=luc").await, [0]);
    assert_eq!(found("player=%ED%95%98").await, [0]);
    for nobody in ["player=uc", "player=%25", "player=_", "player=%5C"] {
        assert_eq!(found(nobody).await, [0_usize; 0], "{nobody}");
    }
    assert_eq!(found("from=2020-01-01&to=2020-12-31").await, [0_usize; 0]);
    assert_eq!(found("from=2020-01-01").await, [0, 1, 2, 3]);
    assert_eq!(found("to=2020-01-01").await, [0_usize; 0]);
    assert!(shown(&owner, "/admin/matches?game=hogu-clue").await.contains("Wider filters"));
    for wrong in ["from=yesterday", "table=x", "status=lost", "page=2", "before=x", "variant=1"] {
        assert_eq!(owner.open(&format!("/admin/matches?{wrong}")).await.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn the_list_is_read_page_by_page() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let player = app.guest("하늘").await;
    let mut made = Vec::new();
    for _ in 0..33 {
        let answer = player.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
        made.push(answer["id"].as_str().expect("a match has an id").to_owned());
    }
    let links = |page: &str| made.iter().filter(|id| page.contains(&format!("/admin/matches/{id}\""))).count();
    let first = shown(&owner, "/admin/matches?status=waiting&game=perudo").await;
    assert_eq!(links(&first), 30);
    let (_, rest) = first.split_once("<a class=\"button spread\" href=\"").expect("there are older ones");
    let older = rest.split('"').next().expect("it ends").replace("&#38;", "&").replace("&amp;", "&");
    assert!(older.contains("status=waiting") && older.contains("game=perudo"), "{older}");
    assert_eq!(links(&shown(&owner, &older).await), 3);
}

#[tokio::test]
async fn a_match_is_followed_move_by_move() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    party.step().await;
    let at = async |query: &str| shown(&owner, &format!("{}{query}", path(&party))).await;
    let (start, now) = (at("?version=0").await, at("").await);
    assert!(start.contains("Move 0 of") && !start.contains("data-live"), "it stays where it is");
    assert!(now.contains("data-live"));
    assert!(start.contains("rel=\"next\"") && !start.contains("rel=\"prev\""));
    // Of a running match nobody's eyes but the public's, whatever is asked for.
    for eyes in ["?as=0", "?as=omniscient", "?as=1&version=0"] {
        let page = at(eyes).await;
        assert!(hidden(&page) >= 9, "{eyes}: {}", hidden(&page));
        assert!(!page.contains(&format!("href=\"{}?as=", path(&party))), "{eyes}: no other eyes are offered");
    }
    for (wrong, status) in [("?version=999", 404), ("?version=-1", 404), ("?as=7", 400), ("?as=me", 400), ("?x=1", 400)]
    {
        assert_eq!(owner.open(&format!("{}{wrong}", path(&party))).await.status, status, "{wrong}");
    }
    assert!(!now.contains("data-until"), "there is no limit of time");
    let proof = |page: &str| page.contains("rules verify");
    assert!(!proof(&now));
    let dice = party.see(0).await["view"]["my_dice"].clone();
    party.play_to_the_end().await;
    let page = shown(&owner, &format!("{}?as=omniscient&version=1", path(&party))).await;
    assert_eq!(hidden(&page), 0, "after the end all may be seen");
    let one = shown(&owner, &format!("{}?as=0&version=1", path(&party))).await;
    assert_eq!(hidden(&one), 5);
    let cup = one.split("class=\"cup-seat").nth(1).expect("there is a cup");
    for die in dice.as_array().expect("they are dice") {
        assert!(
            cup.contains(&format!("#die-{}", if *die == json!(1) { "paco".into() } else { die.to_string() })),
            "{cup}"
        );
    }
    let record = party.players[0].get(&party.path("/record")).await.is(200);
    assert!(proof(&page));
    for part in [&record["seed"], &record["commitment"], &record["nonces"][0]] {
        assert!(page.contains(part.as_str().expect("it is text")), "{part}");
    }
}

#[tokio::test]
async fn the_log_tells_who_moved_in_whose_place() {
    let app = TestApp::start();
    let owner = app.owner_at_pages().await;
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    assert!(!shown(&owner, &path(&party)).await.contains("by the house"));
    let (seat, _) = party.on_turn().await.expect("it goes on");
    party.players[seat].post(&party.path("/resign"), json!({})).await.is(200);
    eventually("a move of the house in the log", async || {
        shown(&owner, &path(&party)).await.contains("by the house").then_some(())
    })
    .await;
}

#[tokio::test]
async fn managers_see_what_is_hidden_for_ten_minutes_and_the_players_know() {
    let app = TestApp::start();
    let (staff, _) = employ(&app, "staff").await;
    let (manager, _) = employ(&app, "manager").await;
    let owner = app.owner_at_pages().await;
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.step().await;
    let mut stream = party.players[1].listen(&party.path("/stream"), None).await;
    assert_eq!(stream.next_of("status").await.data["reveals"], json!([]));

    assert!(!shown(&staff, &path(&party)).await.contains("/reveal\""));
    assert_eq!(reveal(&staff, &party, "I am curious").await, 403);
    assert_eq!(reveal(&manager, &party, " ").await, 422);
    assert!(hidden(&shown(&manager, &path(&party)).await) >= 10);
    assert_eq!(party.look().await["reveals"], json!([]));

    assert_eq!(reveal(&manager, &party, "A die fell off the table").await, 303);
    let answer = manager.open(&path(&party)).await;
    let page = answer.text();
    assert_eq!(hidden(&page), 0);
    assert!(page.contains("data-until") && page.contains("A die fell off the table"));
    let refresh: i64 = answer.header("refresh").parse().expect("the browser is told when to load it again");
    assert!((590..=601).contains(&refresh), "{refresh}");
    // One seat's eyes, or the public's, if so wanted; for nobody else anything has changed.
    assert_eq!(hidden(&shown(&manager, &format!("{}?as=0", path(&party))).await), 5);
    assert_eq!(hidden(&shown(&manager, &format!("{}?as=public", path(&party))).await), 10);
    for other in [&staff, &owner] {
        let page = shown(other, &format!("{}?as=omniscient", path(&party))).await;
        assert_eq!(hidden(&page), 10);
        assert!(page.contains("A die fell off the table"), "but they know of it");
    }

    // The players are told who by role, and when; not why.
    let told = party.look().await["reveals"].clone();
    assert_eq!(told.as_array().map(Vec::len), Some(1));
    assert_eq!((&told[0]["role"], &told[0]["version"]), (&json!("manager"), &json!(1)));
    assert!(told[0]["at"].is_string() && told[0]["until"].is_string() && told[0].get("reason").is_none(), "{told}");
    assert_eq!(stream.next_of("status").await.data["reveals"], told);
    let frames = party.players[0].get(&party.path("/events")).await.is(200);
    let of = |version: usize| frames["items"][version]["reveals"].clone();
    assert_eq!((of(0), of(1)), (Value::Null, told.clone()));
    let written = "SELECT details->>'reason' FROM audit_log WHERE action = 'match.reveal' AND subject = 'match'";
    let written: Vec<String> = app.database().with(|client| {
        let rows = client.query(written, &[]).expect("there is an audit log");
        rows.iter().map(|row| row.get(0)).collect()
    });
    assert_eq!(written, ["A die fell off the table"]);

    // Ten minutes later, by the clock of the database.
    let aged =
        "UPDATE match_reveals SET at = at - interval '10 minutes', expires_at = expires_at - interval '10 minutes'";
    app.database().with(|client| client.batch_execute(aged)).expect("there is a look");
    let answer = manager.open(&format!("{}?as=omniscient", path(&party))).await;
    assert_eq!((hidden(&answer.text()), answer.header("refresh")), (10, ""));
    let longer = "UPDATE match_reveals SET expires_at = at + interval '11 minutes'";
    assert!(app.database().with(|client| client.batch_execute(longer)).is_err(), "no look is longer");

    // A look can be ended before its time.
    assert_eq!(reveal(&owner, &party, "The guests ask").await, 303);
    let page = owner.open(&path(&party)).await;
    assert_eq!(hidden(&page.text()), 0);
    assert_eq!(owner.submit(&page, &format!("{}/hide", path(&party)), &[]).await.status, 303);
    assert_eq!(hidden(&shown(&owner, &path(&party)).await), 10);
    assert_eq!(party.look().await["reveals"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn nobody_looks_into_a_match_that_they_play_in_or_that_does_not_run() {
    let app = TestApp::start();
    let (desk, player) = employ(&app, "manager").await;
    let mut party = Party::gather(&app, "perudo", 2, json!({})).await;
    assert_eq!(reveal(&desk, &party, "Nothing is hidden yet").await, 409);
    party.players[1] = player;
    party.begin().await;
    assert!(!shown(&desk, &path(&party)).await.contains("/reveal\""));
    assert_eq!(reveal(&desk, &party, "I want to win").await, 403);
    party.play_to_the_end().await;
    assert_eq!(reveal(&desk, &party, "It is over").await, 409);
}

#[tokio::test]
async fn who_plays_decides_nothing_and_who_has_looked_does_not_play() {
    let app = TestApp::start();
    let (desk, player) = employ(&app, "manager").await;
    let (other_desk, other) = employ(&app, "manager").await;
    let party = Party::start(&app, "perudo", 3, json!({})).await;
    party.players[0].post(&party.path("/resign"), json!({})).await.is(200);
    let offer = async |by: &Visitor, to: &Visitor| {
        by.post(&party.path("/seats/0/offer"), json!({ "player_id": to.id() })).await
    };
    offer(&player, &player).await.problem(403, "plays_here");

    // Looked at first, or between offer and seat: they know too much.
    assert_eq!(reveal(&other_desk, &party, "A die fell off the table").await, 303);
    offer(&player, &other).await.problem(409, "has_looked");
    let (late_desk, late) = employ(&app, "manager").await;
    offer(&player, &late).await.is(200);
    assert_eq!(reveal(&late_desk, &party, "Another die fell").await, 303);
    late.post(&party.path("/seats"), json!({ "seat": 0 })).await.problem(409, "has_looked");

    // Once they play, or ever did, another of the staff has to do it, and no page offers it.
    offer(&other, &player).await.is(200);
    player.post(&party.path("/seats"), json!({ "seat": 0 })).await.is(201);
    for _ in 0..2 {
        assert_eq!(reveal(&desk, &party, "I stand in").await, 403);
        let reason = json!({ "reason": "I lose" });
        player.post(&party.path("/abort"), reason.clone()).await.problem(403, "plays_here");
        player.post(&party.path("/seats/1/remove"), reason.clone()).await.problem(403, "plays_here");
        offer(&player, &late).await.problem(403, "plays_here");
        let page = shown(&desk, &path(&party)).await;
        assert!(["/reveal\"", "/abort\"", "/seats/1\""].iter().all(|form| !page.contains(form)), "{page}");
        player.post(&party.path("/resign"), json!({})).await.is(200);
    }
    other.post(&party.path("/abort"), json!({ "reason": "They quarrel" })).await.is(200);
}

#[tokio::test]
async fn a_look_ends_by_itself_with_scripts_and_without() {
    let app = TestApp::start();
    let party = Party::start(&app, "hogu-clue", 3, json!({})).await;
    for with_scripts in [true, false] {
        let browser = match with_scripts {
            true => Browser::open(1024, 768, "en").await,
            false => Browser::open_without_javascript(1024, 768, "en").await,
        };
        browser.sign_in(&app).await;
        browser.go(&format!("{}{}", app.url(), path(&party))).await;
        browser.press("#reveal summary").await;
        browser.fill("#reveal-reason", "A card is missing").await;
        browser.press("#reveal form button").await;
        browser.find("time[data-until]").await;
        // The two hidden cards are known only to who has answered: even then they lie face down.
        let backs = async || browser.client.find_all(Locator::Css(".hands .back")).await.map_or(99, |it| it.len());
        assert_eq!(backs().await, 0);
        if with_scripts {
            eventually("the countdown", async || browser.text().await.contains("9:").then_some(())).await;
        }
        let nearly =
            "UPDATE match_reveals SET at = now() - interval '598 seconds', expires_at = now() + interval '2 seconds'
            WHERE expires_at > now()";
        app.database().with(|client| client.batch_execute(nearly)).expect("there is a look");
        browser.go(&format!("{}{}", app.url(), path(&party))).await;
        eventually("the cards face down again", async || (backs().await == 9).then_some(())).await;
        browser.close().await;
    }
}

#[tokio::test]
async fn looking_back_works_by_links_and_by_keys() {
    let app = TestApp::start();
    let mut party = Party::start(&app, "dead-mans-draw", 2, json!({})).await;
    for _ in 0..3 {
        party.step().await;
    }
    for with_scripts in [true, false] {
        let browser = match with_scripts {
            true => Browser::open(390, 800, "en").await,
            false => Browser::open_without_javascript(390, 800, "en").await,
        };
        browser.sign_in(&app).await;
        browser.go(&format!("{}{}", app.url(), path(&party))).await;
        browser.press("a[rel=prev]").await;
        browser.sees("Move 2 of 3").await;
        if with_scripts {
            // What was asked for before comes late.
            let both =
                "document.body.dispatchEvent(new Event('changed')); document.querySelector('a[rel=prev]').click()";
            browser.run(both).await;
            browser.sees("Move 1 of 3").await;
            browser.keys("\u{e014}").await;
            browser.sees("Move 2 of 3").await;
            browser.keys("\u{e012}").await;
            browser.sees("Move 1 of 3").await;
            browser.keys("\u{e014}").await;
            browser.sees("Move 2 of 3").await;
            let over = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
            assert!(browser.run(over).await.as_i64().is_some_and(|over| over <= 0));
        }
        browser.press("a[rel=next]").await;
        browser.sees("Move 3 of 3").await;
        browser.close().await;
    }
}
