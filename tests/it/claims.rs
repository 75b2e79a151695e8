//! A phone that died, by the API: another one asks to be the guest's, somebody of the party or of the staff confirms it.

use harness::{Answer, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::hand_over::{answer, ask, expire, lines, take};
use crate::play::{Table, forms};

const KEY: &str = "0195f0a2-7d1e-4f6b-9c3a-5e8d2b7f4a10";

/// A table at which Mina and Jun sit, who use an app.
struct Cafe {
    table: Table,
    owner: Visitor,
    mina: Visitor,
    jun: Visitor,
    sitting: String,
}

impl Cafe {
    async fn open() -> Self {
        let table = Table::open().await;
        let app = &table.app;
        let (owner, mina, jun) = (app.owner().await, app.guest("Mina").await, app.guest("Jun").await);
        let members = format!("/tables/by-code/{}/members", table.path.trim_start_matches("/t/"));
        mina.post(&members, json!({ "party_size": 2 })).await.is(200);
        let joined = jun.post(&members, json!({})).await.is(200);
        let sitting = text(&joined["sitting"]["id"]);
        Cafe { owner, mina, jun, sitting, table }
    }

    fn at(&self, rest: &str) -> String {
        format!("/tables/by-code/{}{rest}", self.table.path.trim_start_matches("/t/"))
    }

    async fn ask(&self, phone: &Visitor, guest: &Visitor) -> Answer {
        phone.post(&self.at("/claims"), json!({ "player_id": guest.id() })).await
    }

    /// On a new phone, Mina asks to be herself: the secret of the claim.
    async fn ask_for_mina(&self) -> String {
        text(&self.ask(&self.table.app.anybody(), &self.mina).await.is(201)["token"])
    }

    /// What the party is told.
    async fn list(&self, who: &Visitor) -> Vec<Value> {
        let list = who.get(&format!("/sittings/{}/claims", self.sitting)).await.is(200);
        list["items"].as_array().expect("a list has items").clone()
    }

    /// The address of the one claim that waits.
    async fn waiting(&self) -> String {
        let list = self.list(&self.jun).await;
        let [claim] = list.as_slice() else { panic!("{list:?}") };
        format!("/claims/{}", text(&claim["id"]))
    }

    async fn status(&self, token: &str) -> Value {
        self.table.app.anybody().get(&format!("/claims/by-token/{token}")).await.is(200)
    }

    async fn sign_in(&self, token: &str) -> Answer {
        self.table.app.anybody().post("/auth/claim", json!({ "token": token })).await
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("it is text").to_owned()
}

fn confirmed() -> Value {
    json!({ "status": "confirmed" })
}

fn names(list: &Value) -> Vec<&str> {
    let items = list["items"].as_array().expect("a list has items");
    items.iter().filter_map(|it| it["display_name"].as_str()).collect()
}

#[tokio::test]
async fn an_app_goes_on_as_the_guest_once_somebody_of_the_party_says_yes() {
    let cafe = Cafe::open().await;
    let (app, mina, jun) = (&cafe.table.app, &cafe.mina, &cafe.jun);
    let table = mina.get(&cafe.at("")).await.is(200);
    let new = json!({ "game": "perudo", "seats": 2, "table_id": table["id"] });
    let at = format!("/matches/{}", text(&mina.post("/matches", new).await.is(201)["id"]));
    for player in [mina, jun] {
        player.post(&format!("{at}/seats"), json!({})).await.is(201);
    }
    mina.post(&format!("{at}/start"), json!({})).await.is(200);

    let new = app.anybody();
    assert_eq!(names(&new.get(&cafe.at("/guests")).await.is(200)), ["Mina", "Jun"]);
    let ticket = cafe.ask(&new, mina).await.is(201);
    let token = text(&ticket["token"]);
    assert_eq!((&ticket["status"], &ticket["display_name"]), (&json!("open"), &json!("Mina")));
    assert_eq!((&ticket["player_id"], &ticket["expired"]), (&json!(mina.id()), &json!(false)));
    assert_eq!(cafe.status(&token).await, ticket);
    cafe.sign_in(&token).await.problem(409, "claim_unanswered");
    mina.get("/auth/me").await.is(200);

    let asked = cafe.list(jun).await.remove(0);
    assert_eq!((&asked["display_name"], &asked["status"]), (&json!("Mina"), &json!("open")));
    let said = jun.patch(&cafe.waiting().await, confirmed()).await.is(200);
    assert_eq!((&said["id"], &said["status"]), (&asked["id"], &json!("confirmed")));
    assert_eq!(cafe.status(&token).await["status"], "confirmed");

    // What is lost on the way is given again.
    let body = json!({ "token": token, "device": "Pixel 9" });
    let send =
        async || Answer::of(new.api(Method::POST, "/auth/claim").header("idempotency-key", KEY).json(&body)).await;
    let signed_in = send().await;
    assert_eq!(signed_in.header("cache-control"), "no-store");
    let signed_in = signed_in.is(200);
    assert_eq!(send().await.is(200), signed_in);
    assert_eq!(signed_in["player"]["id"], mina.id());
    let again = new.bearing(signed_in["access_token"].as_str());
    let sessions = again.get("/auth/sessions").await.is(200);
    assert_eq!(sessions["items"].as_array().map(Vec::len), Some(1), "{sessions}");
    assert_eq!(sessions["items"][0]["device"], "Pixel 9");

    // The new phone plays on.
    let mut moves = 0;
    for player in [&again, jun, &again] {
        let seen = player.get(&format!("{at}/view")).await.is(200);
        if let Some(chosen) = seen["legal_moves"].get(0) {
            player.post(&format!("{at}/moves"), json!({ "move": chosen, "version": seen["version"] })).await.is(200);
            moves += 1;
        }
    }
    assert!(moves >= 2, "{moves}");

    // The old one is signed out.
    let old = json!({ "refresh_token": mina.signed_in["refresh_token"] });
    app.anybody().post("/auth/refresh", old).await.problem(401, "invalid_refresh_token");
    let is_out = async || (mina.get("/auth/me").await.status == 401).then_some(());
    eventually("the old phone is signed out", is_out).await;

    // The party is told who said so, and once is enough.
    let told = cafe.list(jun).await.remove(0);
    assert_eq!((&told["status"], &told["confirmed_by"]), (&json!("taken"), &json!("Jun")));
    assert_eq!(cafe.status(&token).await["status"], "taken");
    cafe.sign_in(&token).await.problem(409, "claim_over");
}

#[tokio::test]
async fn nobody_is_told_or_asked_more_than_at_the_page() {
    let cafe = Cafe::open().await;
    let (app, mina, jun) = (&cafe.table.app, &cafe.mina, &cafe.jun);
    // Whom one may ask to be: not oneself, and nobody who has registered.
    assert_eq!(names(&mina.get(&cafe.at("/guests")).await.is(200)), ["Jun"]);
    let zoe = app.guest("Zoe").await;
    cafe.ask(&app.anybody(), &zoe).await.problem(404, "player_not_found");
    cafe.ask(mina, mina).await.problem(403, "claim_own");
    cafe.ask(&cafe.owner, mina).await.problem(403, "phone_of_staff");
    app.anybody()
        .post("/tables/by-code/XXXXXX/claims", json!({ "player_id": mina.id() }))
        .await
        .problem(404, "table_not_found");
    let free = cafe.owner.post("/tables", json!({ "name": "Buoy", "seats": 4 })).await.is(201);
    let free = format!("/tables/by-code/{}", text(&free["code"]));
    assert_eq!(names(&app.anybody().get(&format!("{free}/guests")).await.is(200)), Vec::<&str>::new());
    let asked = app.anybody().post(&format!("{free}/claims"), json!({ "player_id": mina.id() })).await;
    asked.problem(403, "not_at_table");

    // One at a time.
    let token = cafe.ask_for_mina().await;
    cafe.ask(&app.anybody(), mina).await.problem(409, "claim_waits");
    let claim = cafe.waiting().await;
    app.anybody().get("/claims/by-token/0123456789abcdefghijklmn").await.problem(404, "claim_not_found");
    app.anybody().patch(&claim, confirmed()).await.problem(401, "not_signed_in");
    zoe.patch(&claim, confirmed()).await.problem(403, "not_at_table");
    zoe.get(&format!("/sittings/{}/claims", cafe.sitting)).await.problem(403, "not_at_table");
    zoe.get("/claims").await.problem(403, "forbidden");
    jun.patch(&claim, json!({ "status": "taken" })).await.problem(422, "invalid_fields");
    let nothing = "/claims/00000000-0000-7000-8000-000000000000";
    jun.patch(nothing, confirmed()).await.problem(404, "claim_not_found");
    jun.patch(&claim, json!({ "status": "refused" })).await.is(200);
    jun.patch(&claim, confirmed()).await.problem(409, "claim_over");
    assert_eq!(cafe.status(&token).await["status"], "refused");
    cafe.sign_in(&token).await.problem(409, "claim_over");

    // Nobody confirms what they ask for.
    cafe.ask(jun, mina).await.is(201);
    jun.patch(&cafe.waiting().await, confirmed()).await.problem(403, "claim_own");
    jun.patch(&cafe.waiting().await, json!({ "status": "refused" })).await.is(200);

    // Who has registered signs in.
    let account = json!({ "email": "mina@example.org", "password": "a long enough password" });
    mina.post("/auth/register", account).await.is(201);
    assert_eq!(names(&app.anybody().get(&cafe.at("/guests")).await.is(200)), ["Jun"]);
    cafe.ask(&app.anybody(), mina).await.problem(409, "claim_registered");

    // A party that has left is asked nothing.
    cafe.ask(&app.anybody(), jun).await.is(201);
    cafe.owner.delete(&format!("/sittings/{}", cafe.sitting)).await.is(200);
    assert_eq!(cafe.list(jun).await, Vec::<Value>::new());
}

#[tokio::test]
async fn what_is_withdrawn_or_expired_leads_to_nothing() {
    let cafe = Cafe::open().await;
    let (app, jun) = (&cafe.table.app, &cafe.jun);
    let withdrawn = cafe.ask_for_mina().await;
    for _ in 0..2 {
        app.anybody().delete(&format!("/claims/by-token/{withdrawn}")).await.is(204);
    }
    app.anybody().get(&format!("/claims/by-token/{withdrawn}")).await.problem(404, "claim_not_found");
    assert_eq!(cafe.list(jun).await, Vec::<Value>::new());
    // Even what was confirmed.
    let withdrawn = cafe.ask_for_mina().await;
    jun.patch(&cafe.waiting().await, confirmed()).await.is(200);
    app.anybody().delete(&format!("/claims/by-token/{withdrawn}")).await.is(204);
    cafe.sign_in(&withdrawn).await.problem(409, "claim_over");

    let late = cafe.ask_for_mina().await;
    let claim = cafe.waiting().await;
    expire(app);
    let seen = cafe.status(&late).await;
    assert_eq!((&seen["status"], &seen["expired"]), (&json!("open"), &json!(true)));
    assert_eq!(cafe.list(jun).await, Vec::<Value>::new());
    jun.patch(&claim, confirmed()).await.problem(409, "claim_over");
    cafe.sign_in(&late).await.problem(409, "claim_over");

    let unused = cafe.ask_for_mina().await;
    jun.patch(&cafe.waiting().await, confirmed()).await.is(200);
    expire(app);
    let seen = cafe.status(&unused).await;
    assert_eq!((&seen["status"], &seen["expired"]), (&json!("confirmed"), &json!(true)));
    cafe.sign_in(&unused).await.problem(409, "claim_over");
    cafe.mina.get("/auth/me").await.is(200);
}

#[tokio::test]
async fn pages_and_apps_answer_each_other() {
    let cafe = Cafe::open().await;
    let table = &cafe.table;
    let bea = table.scan("Bea").await;
    // An app asks, a page answers.
    let token = cafe.ask_for_mina().await;
    assert_eq!(answer(&bea, &table.path, true).await.status, 303);
    assert_eq!(cafe.status(&token).await["status"], "confirmed");
    assert_eq!(cafe.sign_in(&token).await.is(200)["player"]["display_name"], "Mina");
    let page = bea.open(&table.path).await.text();
    assert!(page.contains("Mina goes on with another phone. Bea confirmed it."), "{page}");
    // A page asks, an app answers.
    let new = table.app.anybody();
    assert_eq!(ask(&new, table, "Bea").await.status, 303);
    let list = cafe.list(&cafe.jun).await;
    let open = list.iter().find(|it| it["status"] == "open").expect("it waits");
    cafe.jun.patch(&format!("/claims/{}", text(&open["id"])), confirmed()).await.is(200);
    let page = new.open(&format!("{}/phone", table.path)).await.text();
    assert_eq!(forms(&page, "take").len(), 1, "{page}");
    assert_eq!(take(&new, table).await.status, 303);
    assert_eq!(new.get("/auth/me").await.is(200)["display_name"], "Bea");
    // At a page, staff are refused as by the API.
    let desk = table.app.owner_at_pages().await;
    assert_eq!(ask(&desk, table, "Jun").await.status, 303);
    assert!(desk.open("/admin").await.text().contains("A staff account cannot share a phone"));
}

#[tokio::test]
async fn staff_answer_by_the_api_as_on_the_floor() {
    let cafe = Cafe::open().await;
    let (owner, mina) = (&cafe.owner, &cafe.mina);
    let token = cafe.ask_for_mina().await;
    let waiting = owner.get("/claims").await.is(200);
    assert_eq!(names(&waiting), ["Mina"]);
    assert_eq!(cafe.list(owner).await.len(), 1);
    let claim = format!("/claims/{}", text(&waiting["items"][0]["id"]));
    // Staff who play against the guest leave it to others.
    let table = owner.get(&cafe.at("")).await.is(200);
    let new = json!({ "game": "perudo", "seats": 2, "table_id": table["id"] });
    let at = format!("/matches/{}", text(&owner.post("/matches", new).await.is(201)["id"]));
    for player in [owner, mina] {
        player.post(&format!("{at}/seats"), json!({})).await.is(201);
    }
    owner.patch(&claim, confirmed()).await.problem(403, "plays_here");
    owner.post(&format!("{at}/abort"), json!({})).await.is(200);
    owner.patch(&claim, confirmed()).await.is(200);
    assert_eq!(lines(&cafe.table.app, "player.confirm_phone"), 1);
    assert_eq!(names(&owner.get("/claims").await.is(200)), Vec::<&str>::new());
    cafe.sign_in(&token).await.is(200);
}

#[tokio::test]
async fn who_asks_again_and_again_has_to_wait() {
    let app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_RATE_LIMITS", "on").set("HOUSERULES_GUESTS_PER_MINUTE", "3")
    });
    let table = app.owner().await.post("/tables", json!({ "name": "Anchor", "seats": 4 })).await.is(201);
    let path = format!("/tables/by-code/{}/claims", text(&table["code"]));
    for (path, body) in [
        (path.as_str(), json!({ "player_id": "00000000-0000-7000-8000-000000000000" })),
        ("/auth/claim", json!({ "token": "0123456789abcdefghijklmn" })),
    ] {
        let mut asked = 0;
        let refused = loop {
            let answer = app.anybody().post(path, body.clone()).await;
            if answer.status == 429 || asked == 20 {
                break answer;
            }
            asked += 1;
        };
        refused.problem(429, "too_many_requests");
    }
}
