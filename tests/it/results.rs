//! Matches with real dice and cards: written down by their players, confirmed, disputed, settled and corrected.

use harness::{Party, TestApp, Visitor, eventually};
use serde_json::{Value, json};

use crate::history::{History, ProjectionJob};

const PASSWORD: &str = "a long enough password";

async fn scored(app: &TestApp, seats: usize, more: Value) -> Party {
    let mut new = json!({ "game": "perudo", "seats": seats, "mode": "scored" });
    new.as_object_mut().expect("it is one").extend(more.as_object().expect("it is one").clone());
    let mut party = Party::gather_for(app, new).await;
    party.begin().await;
    party
}

async fn report(who: &Visitor, party: &Party, result: Value) -> harness::Answer {
    who.post(&party.path("/result"), result).await
}

async fn statuses(party: &Party) -> Vec<Value> {
    let written = party.players[0].get(&party.path("/results")).await.is(200);
    written["items"].as_array().expect("it has items").iter().map(|it| it["status"].clone()).collect()
}

async fn waiting(staff: &Visitor) -> Vec<Value> {
    let page = staff.get("/results/waiting").await.is(200);
    page["items"].as_array().expect("it has items").iter().map(|it| it["match_id"].clone()).collect()
}

#[tokio::test]
async fn a_result_counts_once_another_player_says_the_same() {
    let app = TestApp::start();
    let party = scored(&app, 3, json!({})).await;
    let staff = app.owner().await;
    let shown = party.look().await;
    assert_eq!((&shown["status"], &shown["mode"]), (&json!("running"), &json!("scored")));
    let result = json!({ "out": [2, 0] });
    app.guest("Zoe").await.post(&party.path("/result"), result.clone()).await.problem(403, "not_seated");
    for _ in 0..2 {
        assert_eq!(report(&party.players[0], &party, result.clone()).await.is(200)["status"], "running");
    }
    assert_eq!(statuses(&party).await, ["reported"]);
    assert_eq!(waiting(&staff).await, [json!(party.id)]);
    party.players[0].get("/results/waiting").await.problem(403, "forbidden");
    let shown = report(&party.players[1], &party, result.clone()).await.is(200);
    assert_eq!(shown["status"], "finished");
    assert_eq!((&shown["outcome"]["ranks"], &shown["outcome"]["out"]), (&json!([2, 1, 3]), &json!([2, 0])));
    let written = party.players[2].get(&party.path("/results")).await.is(200)["items"][0].clone();
    assert_eq!(written["reported_by"]["id"], party.players[0].id());
    assert_eq!(written["confirmed_by"]["id"], party.players[1].id());
    assert_eq!(waiting(&staff).await, Vec::<Value>::new());
    // What counts is not for players to change.
    report(&party.players[2], &party, result).await.is(200);
    report(&party.players[2], &party, json!({ "ranks": [1, 2, 3] })).await.problem(409, "result_confirmed");
}

#[tokio::test]
async fn who_says_otherwise_makes_it_a_dispute_that_staff_settle() {
    let app = TestApp::start();
    let party = scored(&app, 3, json!({})).await;
    let staff = app.owner().await;
    report(&party.players[0], &party, json!({ "scores": [10, 7.5, 7.5] })).await.is(200);
    report(&party.players[1], &party, json!({ "scores": [10, 12, 7.5] })).await.is(200);
    assert_eq!(statuses(&party).await, ["disputed", "disputed"]);
    // A third word does not outvote another.
    party.players[2].post(&party.path("/results/1/confirm"), json!({})).await.is(200);
    assert_eq!(party.look().await["status"], "running");
    assert_eq!(statuses(&party).await, ["disputed", "disputed", "disputed"]);
    let settled = json!({ "reason": "점수표를 봤어요" });
    let shown = staff.post(&party.path("/results/1/confirm"), settled).await.is(200);
    assert_eq!((&shown["status"], &shown["outcome"]["ranks"]), (&json!("finished"), &json!([1, 2, 2])));
    assert_eq!(statuses(&party).await, ["confirmed", "replaced", "replaced"]);
    staff.post(&party.path("/results/2/confirm"), json!({})).await.problem(409, "result_replaced");
    staff.post(&party.path("/results/9/confirm"), json!({})).await.problem(404, "result_not_found");
}

#[tokio::test]
async fn a_player_who_takes_their_word_back_ends_the_dispute() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    report(&party.players[0], &party, json!({ "ranks": [1, 2] })).await.is(200);
    report(&party.players[1], &party, json!({ "ranks": [2, 1] })).await.is(200);
    let shown = report(&party.players[1], &party, json!({ "ranks": [1, 2] })).await.is(200);
    assert_eq!(shown["status"], "finished");
    assert_eq!(statuses(&party).await, ["confirmed", "replaced"]);
}

#[tokio::test]
async fn a_player_has_one_word_at_a_time_and_not_for_ever() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    let [one, other] = &party.players[..] else { panic!("there are two") };
    for points in 1..=10 {
        report(one, &party, json!({ "scores": [points, 0] })).await.is(200);
    }
    assert_eq!(statuses(&party).await, [["replaced"; 9].as_slice(), &["reported"]].concat());
    report(one, &party, json!({ "scores": [11, 0] })).await.problem(409, "too_many_results");
    // Saying the same again is no other word, and nothing of what was said is lost.
    report(one, &party, json!({ "scores": [10, 0] })).await.is(200);
    assert_eq!(statuses(&party).await.last(), Some(&json!("reported")));
    // Others have theirs, and who has said enough may still agree.
    report(other, &party, json!({ "ranks": [2, 1] })).await.is(200);
    let shown = report(one, &party, json!({ "ranks": [2, 1] })).await.is(200);
    assert_eq!(shown["status"], "finished");
}

#[tokio::test]
async fn staff_correct_what_counted_and_it_stays_to_be_seen() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    let staff = app.owner().await;
    let at_once = staff.post(&party.path("/result"), json!({ "ranks": [1, 2] })).await.is(200);
    assert_eq!(at_once["status"], "finished");
    let other = json!({ "ranks": [2, 1] });
    report(&staff, &party, other.clone()).await.problem(422, "invalid_fields");
    let corrected = json!({ "ranks": [2, 1], "reason": "자리를 바꿔 적었어요" });
    let shown = report(&staff, &party, corrected).await.is(200);
    assert_eq!(shown["outcome"]["ranks"], json!([2, 1]));
    assert_eq!(shown["finished_at"], at_once["finished_at"]);
    assert_eq!(statuses(&party).await, ["replaced", "confirmed"]);
    let written = party.players[1].get(&party.path("/results")).await.is(200);
    assert_eq!(written["items"][0]["outcome"]["ranks"], json!([1, 2]));
    assert_eq!(written["items"][1]["reason"], "자리를 바꿔 적었어요");
    let noted = app
        .database()
        .with(|client| client.query("SELECT action FROM audit_log WHERE action LIKE 'match.%_result' ORDER BY id", &[]))
        .expect("there is a log");
    let noted: Vec<String> = noted.iter().map(|row| row.get(0)).collect();
    assert_eq!(noted, ["match.confirm_result", "match.correct_result"]);
}

#[tokio::test]
async fn any_game_at_all_is_written_down_under_its_title() {
    let app = TestApp::start();
    let other = json!({ "game": "other", "title": "카탄", "seats": 4 });
    let party = scored(&app, 4, other).await;
    let shown = party.look().await;
    assert_eq!((&shown["game"], &shown["title"], &shown["options"]), (&json!("other"), &json!("카탄"), &json!({})));
    report(&party.players[0], &party, json!({ "scores": [10, 8, 8, 5] })).await.is(200);
    party.players[3].post(&party.path("/results/1/confirm"), json!({})).await.is(200);
    let again = party.players[2].post(&party.path("/rematch"), json!({})).await.is(201);
    assert_eq!((&again["title"], &again["mode"]), (&json!("카탄"), &json!("scored")));
    let staff = app.owner_at_pages().await;
    assert_eq!(staff.open(&format!("/admin/matches/{}", party.id)).await.status, 200);
    assert_eq!(staff.open("/admin/matches").await.status, 200);
    // Titles are told apart by their hashes, which anybody can compute: docs/variants.md.
    let alike = "SELECT variant_hash = sha256(convert_to('house-rules/variant/1{\"game\":\"other\",\"options\":{\"title\":' \
                 || to_json('카탄'::text)::text || '},\"revision\":0}', 'UTF8')), encode(variant_hash, 'hex') FROM matches";
    let rows = app.database().with(|client| client.query(alike, &[])).expect("there are matches");
    assert!(rows.len() == 2 && rows.iter().all(|row| row.get::<_, bool>(0)), "{rows:?}");
    let hash: String = rows[0].get(1);
    for path in ["/admin/matches?game=other".to_owned(), format!("/admin/matches?rules={hash}&game=other")] {
        let list = staff.open(&path).await.html();
        assert_eq!(list.matches("<strong>카탄</strong>").count(), 2, "{path}");
        assert!(list.contains("<option value=\"other\" selected>"), "{path}");
    }
    let floor = staff.open("/admin").await.html();
    assert!(floor.contains("<strong>카탄</strong>") && !floor.contains("<strong>Another game</strong>"));
    let told = async || {
        let page = staff.open("/admin/stats/games?game=other").await.html();
        page.contains("Another game <span class=\"muted small\">카탄</span>").then_some(())
    };
    eventually("the figures know the title", told).await;
    let winner = &party.players[0];
    let path = format!("/players/{}/matches", winner.id());
    let listed = async || (winner.get(&path).await.is(200)["items"][0]["title"] == "카탄").then_some(());
    eventually("the match is in the player's history", listed).await;
    let history = staff.open(&format!("/admin/players/{}", winner.id())).await.html();
    assert!(history.contains(&format!("/admin/matches/{}\">카탄</a>", party.id)), "{history}");
    assert!(winner.open("/me").await.text().contains("카탄"));
    let guest = app.guest("하늘").await;
    for wrong in [
        json!({ "game": "other", "seats": 2, "mode": "scored" }),
        json!({ "game": "other", "title": "카탄", "seats": 2 }),
        json!({ "game": "perudo", "title": "카탄", "seats": 2, "mode": "scored" }),
        json!({ "game": "other", "title": "카탄", "seats": 17, "mode": "scored" }),
        json!({ "game": "other", "title": "카탄", "seats": 0, "mode": "scored" }),
        json!({ "game": "other", "title": "카탄", "seats": 2, "mode": "scored", "options": { "a": 1 } }),
        json!({ "game": "perudo", "seats": 2, "mode": "scored", "turn_seconds": 30 }),
    ] {
        assert_eq!(guest.post("/matches", wrong.clone()).await.status, 422, "{wrong}");
    }
}

#[tokio::test]
async fn nothing_of_it_is_played_here_and_nothing_played_here_is_written_down() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    let one = &party.players[0];
    for path in ["/view", "/view?after=-1&wait=0", "/replay", "/record"] {
        one.get(&party.path(path)).await.problem(409, "match_scored");
    }
    one.post(&party.path("/moves"), json!({ "move": { "type": "dudo" } })).await.problem(409, "match_scored");
    one.post(&party.path("/resign"), json!({})).await.problem(409, "match_scored");
    assert_eq!(one.get(&party.path("/events")).await.is(200)["items"], json!([]));
    let mut stream = one.listen(&party.path("/stream"), None).await;
    assert_eq!(stream.next_of("status").await.data["status"], "running");
    report(one, &party, json!({ "ranks": [1, 1] })).await.is(200);
    report(&party.players[1], &party, json!({ "ranks": [1, 1] })).await.is(200);
    assert_eq!(stream.next_of("status").await.data["status"], "finished");
    assert_eq!(stream.next().await, None);
    let played = Party::start(&app, "perudo", 2, json!({})).await;
    report(&played.players[0], &played, json!({ "ranks": [1, 2] })).await.problem(409, "match_not_scored");
    report(&app.owner().await, &played, json!({ "ranks": [1, 2], "reason": "x" }))
        .await
        .problem(409, "match_not_scored");
}

async fn register(party: &mut Party, seat: usize, name: &str) {
    let account = json!({ "email": format!("{name}@example.org"), "password": PASSWORD });
    party.players[seat] = party.players[seat].sign_in("/auth/register", account, 201).await;
}

/// The first player's place, wins and rating, as they are told.
async fn standing(app: &TestApp, party: &Party) -> (Value, Value, i64) {
    History::of(app).settled().await;
    let player = &party.players[0];
    let played = player.get(&format!("/players/{}/matches", player.id())).await.is(200);
    let stats = player.get(&format!("/players/{}/stats", player.id())).await.is(200);
    let changes = player.get(&format!("/players/{}/ratings?game=perudo", player.id())).await.is(200);
    let mean = changes["items"][0]["after"]["mean"].as_f64().expect("it was rated");
    (played["items"][0]["place"].clone(), stats["wins"].clone(), (mean * 1000.0) as i64)
}

#[tokio::test]
async fn ratings_and_figures_follow_what_counts() {
    let app = TestApp::start();
    let mut party = Party::gather_for(&app, json!({ "game": "perudo", "seats": 2, "mode": "scored" })).await;
    register(&mut party, 0, "ana").await;
    register(&mut party, 1, "bea").await;
    party.begin().await;
    report(&party.players[0], &party, json!({ "ranks": [1, 2], "scores": [3, 1] })).await.is(200);
    // Who says less agrees all the same.
    report(&party.players[1], &party, json!({ "ranks": [1, 2] })).await.is(200);
    assert_eq!(party.look().await["outcome"]["scores"], json!([3, 1]));
    let (place, wins, won) = standing(&app, &party).await;
    assert_eq!((place, wins), (json!(1), json!(1)));
    let correction = json!({ "ranks": [2, 1], "reason": "반대로 적었어요" });
    report(&app.owner().await, &party, correction).await.is(200);
    let (place, wins, lost) = standing(&app, &party).await;
    assert_eq!((place, wins), (json!(2), json!(0)));
    assert!(lost < won, "{lost} is not below {won}");
    assert!(History::of(&app).recomputed().contains("1 matches recomputed; 0 rows differ"));
}

#[tokio::test]
async fn other_games_are_in_nobodys_rating() {
    let app = TestApp::start();
    let other = json!({ "game": "other", "title": "카탄", "seats": 2, "mode": "scored" });
    let mut party = Party::gather_for(&app, other).await;
    register(&mut party, 0, "ana").await;
    register(&mut party, 1, "bea").await;
    party.begin().await;
    report(&party.players[0], &party, json!({ "ranks": [1, 2] })).await.is(200);
    party.players[1].post(&party.path("/results/1/confirm"), json!({})).await.is(200);
    History::of(&app).settled().await;
    let profile = party.players[1].get(&format!("/players/{}", party.players[0].id())).await.is(200);
    assert_eq!(profile["ratings"], json!([]));
    let played = party.players[0].get(&format!("/players/{}/matches", party.players[0].id())).await.is(200);
    assert_eq!(played["items"][0]["place"], 1);
}

#[tokio::test]
async fn who_goes_leaves_what_they_said() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    let staff = app.owner().await;
    report(&party.players[0], &party, json!({ "ranks": [1, 2] })).await.is(200);
    let export = party.players[0].get("/auth/me/export").await.is(200);
    let mine = &export["matches"][0]["results"][0];
    assert_eq!((&mine["outcome"]["ranks"], &mine["reported_by_me"]), (&json!([1, 2]), &json!(true)));
    assert_eq!(mine["confirmed_by_me"], false);
    party.players[0].api(reqwest::Method::DELETE, "/auth/me").json(&json!({})).send().await.expect("it answers");
    let written = party.players[1].get(&party.path("/results")).await.is(200);
    assert_eq!(written["items"][0]["reported_by"]["display_name"], "someone");
    let registered = json!({ "email": "zoe@example.org", "password": PASSWORD, "display_name": "Zoe" });
    let zoe = app.anybody().sign_in("/auth/register", registered, 201).await;
    let other = scored(&app, 2, json!({})).await;
    report(&other.players[0], &other, json!({ "ranks": [1, 2] })).await.is(200);
    let merge = format!("/players/{}/merge", other.players[0].id());
    staff.post(&merge, json!({ "into": zoe.id() })).await.is(204);
    let written = zoe.get(&other.path("/results")).await.is(200);
    assert_eq!(written["items"][0]["reported_by"]["id"], zoe.id());
    // The one who reported is no other than the one who would confirm.
    report(&zoe, &other, json!({ "ranks": [1, 2] })).await.is(200);
    assert_eq!(zoe.get(&other.path("")).await.is(200)["status"], "running");
}

#[tokio::test]
async fn nobody_writes_over_what_was_written() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    report(&party.players[0], &party, json!({ "ranks": [1, 2] })).await.is(200);
    for statement in ["UPDATE match_results SET outcome = '{}'", "DELETE FROM match_results"] {
        let refused = app.database().with(|client| client.batch_execute(statement)).expect_err("it must not change");
        assert_eq!(refused.code().map(|it| it.code()), Some("23001"), "{statement}");
    }
}

#[tokio::test]
async fn staff_settle_at_the_page_of_the_match_and_the_queue_leads_there() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    let staff = app.owner_at_pages().await;
    let address = format!("/admin/matches/{}", party.id);
    report(&party.players[0], &party, json!({ "ranks": [1, 2] })).await.is(200);
    let floor = staff.open("/admin").await;
    assert!(floor.text().contains("A result waits for confirmation"), "{}", floor.text());
    assert!(floor.text().contains(&format!("{address}#result")));
    report(&party.players[1], &party, json!({ "ranks": [2, 1] })).await.is(200);
    let floor = staff.open("/admin").await.text();
    assert_eq!(floor.matches("A result is disputed").count(), 1, "one line for each match");
    let page = staff.open(&address).await;
    assert_eq!(page.text().matches("Confirm this result").count(), 2);
    let wrong = [("place-0", "1"), ("place-1", ""), ("reason", "x")];
    let again = staff.submit(&page, &format!("{address}/result"), &wrong).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("There must be one for each seat"), "{}", again.text());
    let done = staff.submit(&page, &format!("{address}/results/1/confirm"), &[]).await;
    assert_eq!((done.status, done.header("location")), (303, address.as_str()));
    assert_eq!(party.look().await["outcome"]["ranks"], json!([1, 2]));
    let page = staff.open(&address).await;
    assert!(page.text().contains("Correct the confirmed result") && page.text().contains("1 earlier result"));
    let fields = [("place-0", "2"), ("place-1", "1"), ("out-0", "1"), ("reason", "")];
    assert_eq!(staff.submit(&page, &format!("{address}/result"), &fields).await.status, 422);
    let fields = [("place-0", "2"), ("place-1", "1"), ("out-0", "1"), ("reason", "자리를 바꿔 적었어요")];
    assert_eq!(staff.submit(&page, &format!("{address}/result"), &fields).await.status, 303);
    let page = staff.open(&address).await.text();
    assert!(page.contains("자리를 바꿔 적었어요") && page.contains("2 earlier results"), "{page}");
    assert_eq!(party.look().await["outcome"]["out"], json!([0]));
    assert!(!staff.open("/admin").await.text().contains("A result"));
}

#[tokio::test]
async fn staff_make_a_match_to_be_written_down_at_a_table() {
    let app = TestApp::start();
    let owner = app.owner().await;
    let table = owner.post("/tables", json!({ "name": "창가", "seats": 4 })).await.is(201);
    let table = table["id"].as_str().expect("it has an id");
    let sitting = owner.post(&format!("/tables/{table}/sittings"), json!({ "party_size": 3 })).await.is(201);
    let staff = app.owner_at_pages().await;
    let page = staff.open(&format!("/admin?table={table}")).await;
    let action = format!("/admin/sittings/{}/matches", sitting["id"].as_str().expect("it has an id"));
    let fields = [("game", "other"), ("title", "카탄"), ("mode", "scored"), ("seats", "3")];
    assert_eq!(staff.submit(&page, &action, &fields).await.status, 303);
    let made = owner.get(&format!("/matches?table={table}")).await.is(200)["items"][0].clone();
    assert_eq!((&made["game"], &made["title"], &made["mode"]), (&json!("other"), &json!("카탄"), &json!("scored")));
    assert_eq!(staff.open(&format!("/admin/matches/{}", made["id"].as_str().expect("it has an id"))).await.status, 200);
}

#[tokio::test]
async fn a_correction_and_the_ratings_that_follow_do_not_wait_for_each_other() {
    let app = TestApp::start();
    let party = scored(&app, 2, json!({})).await;
    let staff = app.owner().await;
    let job = ProjectionJob::begin(&app);
    report(&staff, &party, json!({ "ranks": [1, 2] })).await.is(200);
    job.take(&party.id);
    let correction = json!({ "ranks": [2, 1], "reason": "자리를 바꿔 적었어요" });
    let corrected = async { report(&staff, &party, correction).await };
    let meanwhile = async {
        eventually("the correction waits for the job", async || (app.database().waiting() > 0).then_some(())).await;
        job.refer_to("matches", &party.id)
    };
    let (corrected, job) = tokio::join!(corrected, meanwhile);
    assert_eq!(corrected.is(200)["outcome"]["ranks"], json!([2, 1]));
    job.join().expect("it ends").expect("no deadlock");
    History::of(&app).settled().await;
}
