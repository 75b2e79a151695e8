//! Parties at tables: who sits where, who may do what there, and how staff change it and take it back.

use std::time::{Duration, Instant};

use harness::{Answer, Party, TestApp, Visitor, eventually};
use reqwest::Method;
use serde_json::{Value, json};

use crate::play::forms;

/// A café with tables of these names.
struct Cafe {
    app: TestApp,
    owner: Visitor,
    tables: Vec<Value>,
}

impl Cafe {
    async fn open(names: &[&str]) -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        let mut tables = Vec::new();
        for name in names {
            tables.push(owner.post("/tables", json!({ "name": name, "seats": 4 })).await.is(201));
        }
        Cafe { app, owner, tables }
    }

    fn id(&self, table: usize) -> &str {
        self.tables[table]["id"].as_str().expect("a table has an id")
    }

    fn code(&self, table: usize) -> &str {
        self.tables[table]["code"].as_str().expect("a table has a code")
    }

    async fn seat(&self, table: usize, size: u8) -> Answer {
        self.owner.post(&format!("/tables/{}/sittings", self.id(table)), json!({ "party_size": size })).await
    }

    async fn scan(&self, table: usize, who: &Visitor) -> Answer {
        who.post(&format!("/tables/by-code/{}/members", self.code(table)), json!({})).await
    }

    /// Who sits there: the sitting, or null.
    async fn party(&self, table: usize) -> Value {
        self.owner.get(&format!("/tables/by-code/{}", self.code(table))).await.is(200)["sitting"].clone()
    }

    async fn new_match(&self, table: usize, who: &Visitor) -> Answer {
        who.post("/matches", json!({ "game": "perudo", "seats": 2, "table_id": self.id(table) })).await
    }

    /// Takes the latest deed back.
    async fn undo(&self) -> Answer {
        let undos = self.owner.get("/undos").await.is(200);
        let id = undos["items"][0]["id"].as_str().expect("there is a undo").to_owned();
        self.owner.post(&format!("/undos/{id}"), json!({})).await
    }
}

fn id_of(thing: &Value) -> String {
    thing["id"].as_str().expect("it has an id").to_owned()
}

#[tokio::test]
async fn two_who_seat_parties_at_one_table_at_once_seat_one() {
    let cafe = Cafe::open(&["1"]).await;
    let (one, other) = tokio::join!(cafe.seat(0, 2), cafe.seat(0, 3));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409], "{} {}", one.text(), other.text());
    let refused = if one.status == 409 { one } else { other };
    refused.problem(409, "table_occupied");
    let doubled = cafe.app.database().with(|database| {
        database.execute(
            "INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at)
             SELECT gen_random_uuid(), table_id, 2, repeat('x', 20), now(), opened_by, now() FROM sittings",
            &[],
        )
    });
    let refused = doubled.expect_err("the database itself refuses a second party");
    assert!(refused.as_db_error().and_then(|it| it.constraint()).is_some_and(|it| it == "sittings_one_open"));
}

#[tokio::test]
async fn guests_who_scan_a_free_table_at_once_are_one_party() {
    let cafe = Cafe::open(&["1"]).await;
    let mut guests = Vec::new();
    for name in ["하늘", "Lucía", "하 늘"] {
        guests.push(cafe.app.guest(name).await);
    }
    let (a, b, c) = tokio::join!(cafe.scan(0, &guests[0]), cafe.scan(0, &guests[1]), cafe.scan(0, &guests[2]));
    let ids: Vec<_> = [a, b, c].iter().map(|answer| id_of(&answer.is(200)["sitting"])).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    let party = cafe.party(0).await;
    assert_eq!((&party["party_size"], party["members"].as_array().map(Vec::len)), (&json!(3), Some(3)));
    // Two whose names look the same are told apart.
    let tag = |guest: &Visitor| {
        let members = party["members"].as_array().expect("they are listed");
        members.iter().find(|it| it["id"] == guest.id()).expect("one of them")["tag"].clone()
    };
    assert!(tag(&guests[0]).is_string() && tag(&guests[0]) != tag(&guests[2]) && tag(&guests[1]).is_null(), "{party}");
    // Scanning again is no other person.
    cafe.scan(0, &guests[0]).await.is(200);
    assert_eq!(cafe.party(0).await["party_size"], 3);
}

#[tokio::test]
async fn only_who_scanned_makes_and_joins_matches_there_and_calls_staff() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let (inside, outside) = (cafe.app.guest("하늘").await, cafe.app.guest("Lucía").await);
    cafe.scan(1, &outside).await.is(200);
    cafe.new_match(0, &inside).await.problem(403, "not_at_table");
    let sitting = id_of(&cafe.scan(0, &inside).await.is(200)["sitting"]);
    let made = cafe.new_match(0, &inside).await.is(201);
    let seats = format!("/matches/{}/seats", id_of(&made));
    outside.post(&seats, json!({})).await.problem(403, "not_at_table");
    cafe.new_match(0, &outside).await.problem(403, "not_at_table");
    let calls = format!("/sittings/{sitting}/calls");
    outside.post(&calls, json!({ "reason": "rules" })).await.problem(403, "not_at_table");
    outside.get(&calls).await.problem(403, "not_at_table");
    outside.get(&format!("/sittings/{sitting}")).await.problem(403, "not_at_table");
    inside.post(&seats, json!({})).await.is(201);
    inside.post(&calls, json!({ "reason": "rules" })).await.is(201);
    // Staff always may.
    cafe.owner.post(&seats, json!({})).await.is(201);
    cafe.owner.get(&calls).await.is(200);
    // A match at no table is everybody's.
    let free = outside.post("/matches", json!({ "game": "perudo", "seats": 2 })).await.is(201);
    inside.post(&format!("/matches/{}/seats", id_of(&free)), json!({})).await.is(201);
}

#[tokio::test]
async fn with_the_party_its_token_its_rights_and_its_calls_end() {
    let cafe = Cafe::open(&["1"]).await;
    let (early, friend, late) =
        (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await, cafe.app.guest("Lucía").await);
    let now = cafe.scan(0, &early).await.is(200);
    let (id, token) = (id_of(&now["sitting"]), now["sitting"]["join_token"].clone());
    assert!(token.as_str().is_some_and(|token| token.len() >= 16));
    for _ in ["once", "and again"] {
        friend.post("/sittings/members", json!({ "join_token": token })).await.is(200);
    }
    let made = cafe.new_match(0, &early).await.is(201);
    early.post(&format!("/sittings/{id}/calls"), json!({ "reason": "bill" })).await.is(201);
    let closed = cafe.owner.delete(&format!("/sittings/{id}")).await.is(200);
    assert_eq!((&closed["ended"], &closed["join_token"]), (&json!("left"), &Value::Null));
    late.post("/sittings/members", json!({ "join_token": token })).await.problem(403, "join_token_invalid");
    early.post("/sittings/members", json!({ "join_token": token })).await.problem(403, "join_token_invalid");
    cafe.new_match(0, &early).await.problem(403, "not_at_table");
    // What waited for the party has ended with it.
    early.post(&format!("/matches/{}/seats", id_of(&made)), json!({})).await.problem(409, "match_not_waiting");
    early.post(&format!("/sittings/{id}/calls"), json!({ "reason": "rules" })).await.problem(403, "not_at_table");
    assert_eq!(cafe.owner.get("/calls").await.is(200)["items"], json!([]));
    let next = cafe.scan(0, &late).await.is(200);
    assert_ne!(next["sitting"]["join_token"], token);
    assert_eq!(next["matches"], json!([]), "the next party sees nothing of the one before");
}

#[tokio::test]
async fn a_table_that_closes_or_is_out_of_service_lets_nobody_in() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let (guest, late) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    let id = id_of(&cafe.scan(0, &guest).await.is(200)["sitting"]);
    cafe.owner.patch(&format!("/sittings/{id}"), json!({ "closing": true })).await.is(200);
    cafe.scan(0, &late).await.problem(409, "table_closing");
    cafe.scan(0, &guest).await.is(200);
    cafe.new_match(0, &guest).await.problem(409, "table_closing");
    let table = format!("/tables/{}", cafe.id(0));
    cafe.owner.patch(&table, json!({ "out_of_service": "wobbles" })).await.problem(409, "table_occupied");
    cafe.owner.patch(&table, json!({ "archived": true })).await.problem(409, "table_occupied");
    let other = format!("/tables/{}", cafe.id(1));
    let out = cafe.owner.patch(&other, json!({ "out_of_service": "wobbles" })).await.is(200);
    assert_eq!(out["out_of_service"], "wobbles");
    cafe.scan(1, &late).await.problem(409, "table_out_of_service");
    cafe.seat(1, 2).await.problem(409, "table_out_of_service");
    let onto = json!({ "table_id": cafe.id(1) });
    cafe.owner.patch(&format!("/sittings/{id}"), onto).await.problem(409, "table_out_of_service");
    cafe.owner.patch(&other, json!({ "out_of_service": null })).await.is(200);
    cafe.scan(1, &late).await.is(200);
}

#[tokio::test]
async fn a_party_moves_with_its_match_and_its_calls_and_back() {
    let cafe = Cafe::open(&["1", "2", "3"]).await;
    let guest = cafe.app.guest("하늘").await;
    let id = id_of(&cafe.scan(0, &guest).await.is(200)["sitting"]);
    let made = id_of(&cafe.new_match(0, &guest).await.is(201));
    guest.post(&format!("/sittings/{id}/calls"), json!({ "reason": "game" })).await.is(201);
    cafe.seat(2, 2).await.is(201);
    let moved =
        async |to: usize| cafe.owner.patch(&format!("/sittings/{id}"), json!({ "table_id": cafe.id(to) })).await;
    moved(2).await.problem(409, "table_occupied");
    moved(1).await.is(200);
    let stands = async || {
        let play = cafe.owner.get(&format!("/matches/{made}")).await.is(200);
        let call = cafe.owner.get("/calls").await.is(200)["items"][0].clone();
        (play["table_id"].clone(), call["table_id"].clone())
    };
    assert_eq!(stands().await, (json!(cafe.id(1)), json!(cafe.id(1))));
    assert_eq!(cafe.party(0).await, Value::Null);
    assert_eq!(id_of(&cafe.party(1).await), id);
    cafe.undo().await.is(200);
    assert_eq!(stands().await, (json!(cafe.id(0)), json!(cafe.id(0))));
    // Once somebody else sits there, there is no way back.
    moved(1).await.is(200);
    cafe.scan(0, &cafe.app.guest("Bea").await).await.is(200);
    cafe.undo().await.problem(409, "cannot_undo");
    assert_eq!(id_of(&cafe.party(1).await), id);
}

#[tokio::test]
async fn two_parties_merge_and_part_again_with_all_that_is_theirs() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let (a, b) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    let from = id_of(&cafe.scan(0, &a).await.is(200)["sitting"]);
    let into = id_of(&cafe.scan(1, &b).await.is(200)["sitting"]);
    for (sitting, size) in [(&from, 3), (&into, 2)] {
        cafe.owner.patch(&format!("/sittings/{sitting}"), json!({ "party_size": size })).await.is(200);
    }
    let made = id_of(&cafe.new_match(0, &a).await.is(201));
    a.post(&format!("/sittings/{from}/calls"), json!({ "reason": "rules" })).await.is(201);
    // What both call for becomes one call, and two again.
    for (guest, sitting) in [(&a, &from), (&b, &into)] {
        guest.post(&format!("/sittings/{sitting}/calls"), json!({ "reason": "bill" })).await.is(201);
    }
    let bills = async || {
        let calls = cafe.owner.get("/calls").await.is(200);
        let bills = calls["items"].as_array().expect("it has items").iter().filter(|it| it["reason"] == "bill");
        bills.map(|it| it["sitting_id"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(bills().await, [json!(from), json!(into)]);
    let path = format!("/sittings/{from}/merge");
    cafe.owner.post(&path, json!({ "into": from })).await.problem(409, "same_party");
    let merged = cafe.owner.post(&path, json!({ "into": into })).await.is(200);
    assert_eq!((&merged["party_size"], merged["members"].as_array().map(Vec::len)), (&json!(5), Some(2)));
    assert_eq!(cafe.party(0).await, Value::Null);
    let play = cafe.owner.get(&format!("/matches/{made}")).await.is(200);
    assert_eq!(play["table_id"], cafe.id(1));
    b.post(&format!("/matches/{made}/seats"), json!({})).await.is(201);
    assert_eq!(cafe.owner.get("/calls").await.is(200)["items"][0]["sitting_id"], json!(into));
    cafe.owner.post(&path, json!({ "into": into })).await.problem(409, "sitting_over");
    assert_eq!(bills().await, [json!(into)]);

    cafe.undo().await.is(200);
    assert_eq!(bills().await, [json!(from), json!(into)]);
    let (one, other) = (cafe.party(0).await, cafe.party(1).await);
    assert_eq!((id_of(&one), &one["party_size"]), (from.clone(), &json!(3)));
    assert_eq!((id_of(&other), &other["party_size"]), (into, &json!(2)));
    assert_eq!(other["members"].as_array().map(Vec::len), Some(1));
    assert_eq!(cafe.owner.get(&format!("/matches/{made}")).await.is(200)["table_id"], cafe.id(0));
    assert_eq!(cafe.owner.get("/calls").await.is(200)["items"][0]["sitting_id"], json!(from));
}

#[tokio::test]
async fn parties_part_again_unless_others_sit_there_by_now() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let (from, into) = (id_of(&cafe.seat(0, 2).await.is(201)), id_of(&cafe.seat(1, 2).await.is(201)));
    cafe.owner.post(&format!("/sittings/{from}/merge"), json!({ "into": into })).await.is(200);
    // The statement gives up waiting for somebody who changes the table or seats a party there, and may do neither in the end.
    for held in [
        format!("SELECT FROM tables WHERE id = '{}' FOR UPDATE", cafe.id(0)),
        format!(
            "INSERT INTO sittings (id, table_id, party_size, join_token, opened_at, opened_by, remind_at)
             SELECT gen_random_uuid(), table_id, 2, repeat('x', 20), now(), opened_by, now() FROM sittings WHERE id = '{from}'"
        ),
    ] {
        let lock = cafe.app.database().hold(held);
        cafe.undo().await.problem(503, "unavailable");
        drop(lock);
    }
    cafe.scan(0, &cafe.app.guest("Bea").await).await.is(200);
    cafe.undo().await.problem(409, "cannot_undo");
}

#[tokio::test]
async fn who_is_taken_off_a_party_is_out_of_it_until_that_is_undone() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let (host, far) = (cafe.app.guest("하늘").await, cafe.app.guest("Far").await);
    let sitting = id_of(&cafe.scan(0, &host).await.is(200)["sitting"]);
    let token = cafe.scan(0, &far).await.is(200)["sitting"]["join_token"].clone();
    let made = id_of(&cafe.new_match(0, &host).await.is(201));
    far.post(&format!("/matches/{made}/seats"), json!({})).await.is(201);
    let me = id_of(&far.get("/auth/me").await.is(200));
    let path = format!("/sittings/{sitting}/members/{me}");
    host.delete(&path).await.problem(403, "forbidden");
    let left = cafe.owner.delete(&path).await.is(200);
    assert_eq!(left["members"].as_array().map(Vec::len), Some(1));
    assert_ne!(left["join_token"], token);
    cafe.owner.delete(&path).await.is(200);
    // Neither by the table's code nor by the party's token, which is another now.
    cafe.scan(0, &far).await.problem(403, "removed_from_party");
    far.post("/sittings/members", json!({ "join_token": token })).await.problem(403, "join_token_invalid");
    let now = json!({ "join_token": left["join_token"] });
    far.post("/sittings/members", now).await.problem(403, "removed_from_party");
    // Their seat is free, and they may not sit, make a match or call.
    assert!(host.get(&format!("/matches/{made}")).await.is(200)["seats"][0]["player"].is_null());
    far.post(&format!("/matches/{made}/seats"), json!({})).await.problem(403, "not_at_table");
    cafe.new_match(0, &far).await.problem(403, "not_at_table");
    far.post(&format!("/sittings/{sitting}/calls"), json!({ "reason": "order" })).await.problem(403, "not_at_table");
    far.get(&format!("/sittings/{sitting}")).await.problem(403, "not_at_table");
    // It is on record for both sides.
    let lines = cafe.owner.get("/audit").await.is(200);
    assert_eq!(lines["items"][0]["action"], "sitting.remove");
    let export = far.get("/auth/me/export").await.is(200);
    assert!(export["sittings"][0]["removed_at"].is_string(), "{}", export["sittings"]);
    // Nor does it help that the party sits down with another.
    let other = cafe.app.guest("Bea").await;
    let into = id_of(&cafe.scan(1, &other).await.is(200)["sitting"]);
    cafe.owner.post(&format!("/sittings/{sitting}/merge"), json!({ "into": into })).await.is(200);
    cafe.scan(1, &far).await.problem(403, "removed_from_party");
    cafe.undo().await.is(200);
    // Undone, they belong to it as before, and the seat can be taken again.
    cafe.undo().await.is(200);
    cafe.scan(0, &far).await.is(200);
    far.post(&format!("/matches/{made}/seats"), json!({})).await.is(201);
    assert!(far.get("/auth/me/export").await.is(200)["sittings"][0]["removed_at"].is_null());
    // The next party at the table is another matter.
    cafe.owner.delete(&path).await.is(200);
    cafe.owner.delete(&format!("/sittings/{sitting}")).await.is(200);
    cafe.scan(0, &far).await.is(200);
}

/// Three guests at the first table, the second of whom has made two matches and sits at both. At the first sits another, too.
struct Quarrel {
    cafe: Cafe,
    sitting: String,
    ana: Visitor,
    maker: Visitor,
    joined: Value,
    lonely: Value,
}

impl Quarrel {
    async fn begin() -> Self {
        let cafe = Cafe::open(&["1", "2"]).await;
        let [ana, maker, bea] = [cafe.app.guest("Ana").await, cafe.app.guest("Max").await, cafe.app.guest("Bea").await];
        let sitting = id_of(&cafe.scan(0, &ana).await.is(200)["sitting"]);
        cafe.scan(0, &maker).await.is(200);
        cafe.scan(0, &bea).await.is(200);
        let [joined, lonely] = [cafe.new_match(0, &maker).await.is(201), cafe.new_match(0, &maker).await.is(201)];
        for (who, made) in [(&maker, &joined), (&maker, &lonely), (&ana, &joined)] {
            who.post(&path(made, "/seats"), json!({})).await.is(201);
        }
        Self { cafe, sitting, ana, maker, joined, lonely }
    }

    /// Staff take the maker off the party: the undo of it.
    async fn end(&self) -> String {
        let member = format!("/sittings/{}/members/{}", self.sitting, self.maker.id());
        self.cafe.owner.delete(&member).await.is(200);
        id_of(&self.cafe.owner.get("/undos").await.is(200)["items"][0])
    }

    async fn look(&self, made: &Value) -> Value {
        self.cafe.owner.get(&path(made, "")).await.is(200)
    }
}

/// Below the address of a match.
fn path(made: &Value, rest: &str) -> String {
    format!("/matches/{}{rest}", id_of(made))
}

/// What the match's page offers those who lead it.
async fn leads(who: &Visitor, made: &Value) -> bool {
    let page = who.open(&format!("/m/{}", made["code"].as_str().expect("it has a code"))).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let offered = ["start", "abort", "bot"].map(|class| !forms(&page.text(), class).is_empty());
    assert!(offered == [true; 3] || offered == [false; 3], "{offered:?}: {}", page.text());
    offered[0]
}

#[tokio::test]
async fn a_match_goes_on_under_who_sits_there_once_its_maker_is_taken_off_the_party() {
    let quarrel = Quarrel::begin().await;
    let Quarrel { cafe, ana, maker, joined, lonely, .. } = &quarrel;
    maker.post(&path(lonely, "/seats"), json!({ "bot": "easy" })).await.is(201);
    ana.post(&path(joined, "/start"), json!({})).await.problem(403, "forbidden");
    quarrel.end().await;
    let now = quarrel.look(joined).await;
    assert_eq!((&now["status"], &now["created_by"]), (&json!("waiting"), &json!(ana.id())));
    assert_eq!(quarrel.look(lonely).await["status"], "aborted");
    // Who is out of the party decides nothing, and who stays all.
    let invitation = json!({ "player_id": cafe.owner.id() });
    let requests = [
        ("/seats", json!({ "bot": "easy" })),
        ("/invitations", invitation.clone()),
        ("/start", json!({})),
        ("/abort", json!({})),
    ];
    for (rest, body) in requests {
        maker.post(&path(joined, rest), body).await.problem(403, "forbidden");
    }
    maker.get(&path(joined, "/invitations")).await.problem(403, "forbidden");
    maker.post(&path(joined, "/seats"), json!({})).await.problem(403, "not_at_table");
    assert!(leads(ana, joined).await && !leads(maker, joined).await);
    ana.post(&path(joined, "/invitations"), invitation).await.is(204);
    ana.post(&path(joined, "/seats"), json!({ "bot": "easy" })).await.is(201);
    ana.delete(&path(joined, "/seats/0/bot")).await.is(204);
    ana.post(&path(joined, "/seats"), json!({ "bot": "medium" })).await.is(201);
    assert_eq!(ana.post(&path(joined, "/start"), json!({})).await.is(200)["status"], "running");
}

#[tokio::test]
async fn who_waits_for_the_start_reads_who_starts_it() {
    let cafe = Cafe::open(&["1"]).await;
    let [ana, maker, bea] = [cafe.app.guest("Ana").await, cafe.app.guest("Max").await, cafe.app.guest("Bea").await];
    let sitting = id_of(&cafe.scan(0, &maker).await.is(200)["sitting"]);
    let made = cafe.new_match(0, &maker).await.is(201);
    for who in [&ana, &bea] {
        cafe.scan(0, who).await.is(200);
        who.post(&path(&made, "/seats"), json!({})).await.is(201);
    }
    let page = format!("/m/{}", made["code"].as_str().expect("it has a code"));
    let reads = async |told: &str| {
        let text = bea.open(&page).await.text();
        assert!(text.contains(told) && forms(&text, "start").is_empty(), "{told}: {text}");
    };
    reads("The person in charge of the game or the staff can start it.").await;
    cafe.owner.delete(&format!("/sittings/{sitting}/members/{}", maker.id())).await.is(200);
    reads("Ana starts the game.").await;
    assert_eq!(forms(&ana.open(&page).await.text(), "start").len(), 1);
}

#[tokio::test]
async fn who_is_of_the_party_again_leads_their_matches_again() {
    let quarrel = Quarrel::begin().await;
    let Quarrel { cafe, sitting, ana, maker, joined, lonely } = &quarrel;
    let undo = quarrel.end().await;
    // The party moves on meanwhile.
    cafe.owner.patch(&format!("/sittings/{sitting}"), json!({ "table_id": cafe.id(1) })).await.is(200);
    cafe.owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    for made in [joined, lonely] {
        let now = quarrel.look(made).await;
        assert_eq!((&now["status"], &now["created_by"]), (&json!("waiting"), &json!(maker.id())));
        assert_eq!(now["table_id"], cafe.id(1));
        assert!(leads(maker, made).await && !leads(ana, made).await);
    }
    // What has another leader or end since stays as it is.
    let undo = quarrel.end().await;
    ana.post(&path(joined, "/abort"), json!({})).await.is(200);
    cafe.owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    let now = quarrel.look(joined).await;
    assert_eq!((&now["status"], &now["created_by"]), (&json!("aborted"), &json!(ana.id())));
}

#[tokio::test]
async fn who_may_not_sit_down_at_the_next_match_is_not_asked_to_join_it() {
    let quarrel = Quarrel::begin().await;
    let Quarrel { cafe, ana, maker, joined, .. } = &quarrel;
    maker.post(&path(joined, "/abort"), json!({})).await.is(200);
    let next = ana.post(&path(joined, "/rematch"), json!({})).await.is(201);
    let page = format!("/m/{}", joined["code"].as_str().expect("it has a code"));
    let invites = async |who: &Visitor| {
        let text = who.open(&page).await.text();
        let joins = text.contains("Join the next game");
        assert!(joins != text.contains("Go to the next game") && joins != forms(&text, "rematch").is_empty(), "{text}");
        joins
    };
    assert!(invites(maker).await && invites(ana).await);
    let undo = quarrel.end().await;
    assert!(!invites(maker).await && invites(ana).await);
    maker.post(&path(&next, "/seats"), json!({})).await.problem(403, "not_at_table");
    // Nor is who comes when all seats are taken.
    cafe.owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    assert!(invites(maker).await);
    cafe.owner.post(&path(&next, "/seats"), json!({})).await.is(201);
    assert!(!invites(maker).await && invites(ana).await);
}

#[tokio::test]
async fn staff_who_leave_a_party_lead_what_they_made_there() {
    let cafe = Cafe::open(&["1"]).await;
    let sitting = id_of(&cafe.scan(0, &cafe.owner).await.is(200)["sitting"]);
    let made = cafe.new_match(0, &cafe.owner).await.is(201);
    cafe.owner.delete(&format!("/sittings/{sitting}/members/{}", cafe.owner.id())).await.is(200);
    let now = cafe.owner.get(&path(&made, "")).await.is(200);
    assert_eq!((&now["status"], &now["created_by"]), (&json!("waiting"), &json!(cafe.owner.id())));
}

#[tokio::test]
async fn nobody_leads_a_match_that_they_make_as_they_are_taken_off_the_party() {
    let cafe = Cafe::open(&["1"]).await;
    let maker = cafe.app.guest("Max").await;
    let sitting = id_of(&cafe.scan(0, &maker).await.is(200)["sitting"]);
    let member = format!("/sittings/{sitting}/members/{}", maker.id());
    let lock = cafe.app.database().lock("matches");
    let waiting = async |many: i64| {
        eventually("both to wait", async || (cafe.app.database().waiting() >= many).then_some(())).await;
    };
    let remove = async {
        waiting(1).await;
        cafe.owner.delete(&member).await
    };
    let unlock = async {
        waiting(2).await;
        drop(lock);
    };
    let (made, removed, ()) = tokio::join!(cafe.new_match(0, &maker), remove, unlock);
    removed.is(200);
    match made.status {
        201 => assert_eq!(cafe.owner.get(&path(&made.json(), "")).await.is(200)["status"], "aborted"),
        _ => drop(made.problem(403, "not_at_table")),
    }
}

#[tokio::test]
async fn who_was_taken_off_a_party_does_not_have_it_play_again() {
    let quarrel = Quarrel::begin().await;
    let Quarrel { cafe, ana, maker, joined, .. } = &quarrel;
    maker.post(&path(joined, "/start"), json!({})).await.is(200);
    quarrel.end().await;
    // Their seat in a match that runs is theirs, but another leads it.
    let now = quarrel.look(joined).await;
    assert_eq!((&now["seats"][0]["player"]["id"], &now["created_by"]), (&json!(maker.id()), &json!(ana.id())));
    cafe.owner.post(&path(joined, "/abort"), json!({})).await.is(200);
    let page = format!("/m/{}", joined["code"].as_str().expect("it has a code"));
    let offers = async |who: &Visitor| !forms(&who.open(&page).await.text(), "rematch").is_empty();
    assert!(offers(ana).await && !offers(maker).await);
    maker.post(&path(joined, "/rematch"), json!({})).await.problem(403, "not_at_table");
    assert_eq!(ana.post(&path(joined, "/rematch"), json!({})).await.is(201)["table_id"], cafe.id(0));
}

#[tokio::test]
async fn who_was_taken_off_a_party_comes_back_with_another_that_sits_down_there() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let (host, far) = (cafe.app.guest("하늘").await, cafe.app.guest("Far").await);
    let sitting = id_of(&cafe.scan(0, &host).await.is(200)["sitting"]);
    cafe.scan(0, &far).await.is(200);
    let member = format!("/sittings/{sitting}/members/{}", far.id());
    cafe.owner.delete(&member).await.is(200);
    // They scanned the wrong table; now they sit at their own, whose party joins the other.
    let theirs = id_of(&cafe.scan(1, &far).await.is(200)["sitting"]);
    cafe.owner.post(&format!("/sittings/{theirs}/merge"), json!({ "into": sitting })).await.is(200);
    cafe.scan(0, &far).await.is(200);
    cafe.owner.delete(&member).await.is(200);
    cafe.scan(0, &far).await.problem(403, "removed_from_party");
    cafe.undo().await.is(200);
    cafe.scan(0, &far).await.is(200);
}

#[tokio::test]
async fn who_was_taken_off_a_party_is_off_what_it_becomes() {
    let cafe = Cafe::open(&["1", "2", "3"]).await;
    let far = cafe.app.guest("Far").await;
    let mut parties = Vec::new();
    for table in 0..3 {
        parties.push(id_of(&cafe.seat(table, 2).await.is(201)));
    }
    cafe.scan(0, &far).await.is(200);
    cafe.owner.delete(&format!("/sittings/{}/members/{}", parties[0], far.id())).await.is(200);
    for at in 0..2 {
        let into = json!({ "into": parties[at + 1] });
        cafe.owner.post(&format!("/sittings/{}/merge", parties[at]), into).await.is(200);
        cafe.scan(at + 1, &far).await.problem(403, "removed_from_party");
    }
}

#[tokio::test]
async fn a_party_with_which_others_sat_down_was_there() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let one = id_of(&cafe.seat(0, 2).await.is(201));
    let other = id_of(&cafe.seat(1, 2).await.is(201));
    let undos = cafe.owner.get("/undos").await.is(200);
    let seated = id_of(&undos["items"][0]);
    cafe.owner.post(&format!("/sittings/{one}/merge"), json!({ "into": other })).await.is(200);
    cafe.owner.post(&format!("/undos/{seated}"), json!({})).await.problem(409, "cannot_undo");
    cafe.undo().await.is(200);
    cafe.owner.post(&format!("/undos/{seated}"), json!({})).await.is(200);
}

#[tokio::test]
async fn what_is_undone_comes_to_the_table_where_the_party_sits_by_now() {
    let cafe = Cafe::open(&["1", "2"]).await;
    let guest = cafe.app.guest("하늘").await;
    let sitting = id_of(&cafe.scan(0, &guest).await.is(200)["sitting"]);
    let made = id_of(&cafe.new_match(0, &guest).await.is(201));
    let call = guest.post(&format!("/sittings/{sitting}/calls"), json!({ "reason": "rules" })).await.is(201);
    let newest = async || id_of(&cafe.owner.get("/undos").await.is(200)["items"][0]);
    let desk = cafe.app.owner_at_pages().await;
    let floor = desk.open("/admin").await;
    let withdraw = format!("/admin/matches/{made}/withdraw");
    cafe.owner.patch(&format!("/calls/{}", id_of(&call)), json!({ "status": "settled" })).await.is(200);
    let settled = newest().await;
    assert_eq!(desk.submit(&floor, &withdraw, &[]).await.status, 303);
    let withdrawn = newest().await;
    cafe.owner.patch(&format!("/sittings/{sitting}"), json!({ "table_id": cafe.id(1) })).await.is(200);
    for undo in [settled, withdrawn] {
        cafe.owner.post(&format!("/undos/{undo}"), json!({})).await.is(200);
    }
    assert_eq!(cafe.owner.get("/calls").await.is(200)["items"][0]["table_id"], json!(cafe.id(1)));
    let play = cafe.owner.get(&format!("/matches/{made}")).await.is(200);
    assert_eq!((&play["status"], &play["table_id"]), (&json!("waiting"), &json!(cafe.id(1))));
    // Nobody is left who could sit down to it.
    assert_eq!(desk.submit(&floor, &withdraw, &[]).await.status, 303);
    let withdrawn = newest().await;
    cafe.owner.delete(&format!("/sittings/{sitting}")).await.is(200);
    cafe.owner.post(&format!("/undos/{withdrawn}"), json!({})).await.problem(409, "cannot_undo");
}

#[tokio::test]
async fn staff_take_a_phone_off_a_party_by_one_tap_on_the_sheet() {
    let cafe = Cafe::open(&["1"]).await;
    let (host, far) = (cafe.app.guest("하늘").await, cafe.app.guest("Far").await);
    let sitting = id_of(&cafe.scan(0, &host).await.is(200)["sitting"]);
    cafe.scan(0, &far).await.is(200);
    let me = id_of(&far.get("/auth/me").await.is(200));
    let desk = cafe.app.owner_at_pages().await;
    let sheet = format!("/admin?table={}&sheet=people", cafe.id(0));
    let page = desk.open(&sheet).await;
    assert!(page.text().contains("Far: take off this party"), "{}", page.text());
    let removed = desk.submit(&page, &format!("/admin/sittings/{sitting}/members/{me}/remove"), &[]).await;
    // A browser says where it was, and goes back there; who says nothing comes to the floor.
    assert_eq!((removed.status, removed.header("location")), (303, "/admin"), "{}", removed.text());
    let page = desk.open(&sheet).await;
    assert!(page.text().contains("Taken off the party: Far"), "{}", page.text());
    assert!(!page.text().contains("Far: take off this party"), "{}", page.text());
    assert_eq!(cafe.party(0).await["members"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn every_deed_is_taken_back_once_and_only_while_nobody_changed_the_same() {
    let cafe = Cafe::open(&["1"]).await;
    let id = id_of(&cafe.seat(0, 2).await.is(201));
    let path = format!("/sittings/{id}");
    let undo = async || cafe.owner.get("/undos").await.is(200)["items"][0]["id"].as_str().map(str::to_owned);
    cafe.undo().await.is(200);
    assert_eq!(cafe.party(0).await, Value::Null);
    assert_eq!(undo().await, None, "what is undone is offered no more");
    let id = id_of(&cafe.seat(0, 2).await.is(201));
    let path = path.replace(&path["/sittings/".len()..], &id);
    cafe.owner.patch(&path, json!({ "party_size": 4 })).await.is(200);
    let resize = undo().await.expect("it is a undo");
    // Something else that changed since does not matter.
    cafe.owner.patch(&path, json!({ "closing": true })).await.is(200);
    cafe.owner.post(&format!("/undos/{resize}"), json!({})).await.is(200);
    assert_eq!(cafe.party(0).await["party_size"], 2);
    cafe.owner.post(&format!("/undos/{resize}"), json!({})).await.problem(409, "undo_used");
    // The same thing does.
    cafe.owner.patch(&path, json!({ "party_size": 5 })).await.is(200);
    let resize = undo().await.expect("it is a undo");
    cafe.owner.patch(&path, json!({ "party_size": 6 })).await.is(200);
    cafe.owner.post(&format!("/undos/{resize}"), json!({})).await.problem(409, "cannot_undo");
    // A party that left comes back with its token, unless others sit there.
    let token = cafe.party(0).await["join_token"].clone();
    cafe.owner.delete(&path).await.is(200);
    cafe.undo().await.is(200);
    assert_eq!(cafe.party(0).await["join_token"], token);
    cafe.owner.delete(&path).await.is(200);
    let close = undo().await.expect("it is a undo");
    cafe.seat(0, 3).await.is(201);
    cafe.owner.post(&format!("/undos/{close}"), json!({})).await.problem(409, "cannot_undo");
    // After a while it is too late.
    cafe.app.database().with(|database| {
        database.execute("UPDATE undos SET at = at - interval '11 minutes'", &[]).expect("it can be changed")
    });
    cafe.owner.post(&format!("/undos/{close}"), json!({})).await.problem(409, "undo_expired");
    assert_eq!(cafe.owner.get("/undos").await.is(200)["items"], json!([]));
    cafe.app.guest("하늘").await.post(&format!("/undos/{close}"), json!({})).await.problem(403, "forbidden");
    let said = cafe.app.database().with(|database| {
        let row = database.query_one("SELECT count(*) FROM audit_log WHERE action = 'floor.undo'", &[]);
        row.expect("it can be asked").get::<_, i64>(0)
    });
    assert_eq!(said, 3, "every one that worked is in the audit log");
}

#[tokio::test]
async fn a_call_is_heard_settled_or_taken_back() {
    let cafe = Cafe::open(&["1"]).await;
    let (guest, friend) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    let sitting = id_of(&cafe.scan(0, &guest).await.is(200)["sitting"]);
    cafe.scan(0, &friend).await.is(200);
    let calls = format!("/sittings/{sitting}/calls");
    let call = guest.post(&calls, json!({ "reason": "rules", "note": "어떻게 시작하나요?" })).await.is(201);
    assert_eq!((&call["status"], &call["heard_at"]), (&json!("open"), &Value::Null));
    let again = friend.post(&calls, json!({ "reason": "rules" })).await.is(201);
    assert_eq!(again["id"], call["id"], "two who want the same call once");
    let path = format!("/calls/{}", id_of(&call));
    guest.patch(&path, json!({ "status": "heard" })).await.problem(403, "forbidden");
    cafe.owner.patch(&path, json!({ "status": "taken_back" })).await.problem(422, "invalid_fields");
    cafe.owner.patch(&path, json!({ "status": "heard" })).await.is(200);
    assert_eq!(friend.get(&calls).await.is(200)["items"][0]["status"], "heard");
    cafe.owner.patch(&path, json!({ "status": "settled" })).await.is(200);
    guest.delete(&path).await.problem(409, "call_over");
    cafe.undo().await.is(200);
    assert_eq!(guest.get(&calls).await.is(200)["items"][0]["status"], "heard");
    cafe.app.guest("Zoe").await.delete(&path).await.problem(403, "not_at_table");
    assert_eq!(friend.delete(&path).await.is(200)["status"], "taken_back");
    cafe.owner.patch(&path, json!({ "status": "heard" })).await.problem(409, "call_over");
    assert_eq!(cafe.owner.get("/calls").await.is(200)["items"], json!([]));
    for wrong in [json!({ "reason": "hunger" }), json!({ "reason": "rules", "note": "" }), json!({})] {
        guest.post(&calls, wrong).await.refused();
    }
}

#[tokio::test]
async fn a_table_tells_names_to_its_party_and_staff_alone() {
    let cafe = Cafe::open(&["1"]).await;
    let guest = cafe.app.guest("비밀이름").await;
    cafe.scan(0, &guest).await.is(200);
    let made = cafe.new_match(0, &guest).await.is(201);
    guest.post(&format!("/matches/{}/seats", id_of(&made)), json!({})).await.is(201);
    let page = format!("/t/{}", cafe.code(0));
    let seen = async |who: &Visitor| {
        let asked = who.page(Method::GET, &page).header("accept", "application/json");
        let (answer, html) = (Answer::of(asked).await.is(200), who.open(&page).await.text());
        assert_eq!(answer["matches"][0]["game"], "perudo");
        assert_eq!(answer["sitting"]["party_size"], 1);
        let named = [answer.to_string(), html].map(|text| text.contains("비밀이름"));
        (named, answer["sitting"]["join_token"].is_string())
    };
    assert_eq!(seen(&cafe.app.anybody()).await, ([false, false], false));
    assert_eq!(seen(&cafe.app.guest("Zoe").await).await, ([false, false], false));
    assert_eq!(seen(&guest).await, ([true, true], true));
    assert_eq!(seen(&cafe.owner).await, ([true, true], true));
}

/// What docs/security.md and docs/api.md say of a party's matches.
#[tokio::test]
async fn strangers_find_the_open_matches_of_a_party_with_names_in_the_lobby_and_no_others() {
    let cafe = Cafe::open(&["1"]).await;
    let (guest, friend) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    for member in [&guest, &friend] {
        cafe.scan(0, member).await.is(200);
    }
    for visibility in ["open", "code", "private"] {
        let new = json!({ "game": "perudo", "seats": 2, "table_id": cafe.id(0), "visibility": visibility });
        let made = guest.post("/matches", new).await.is(201);
        guest.post(&format!("/matches/{}/seats", id_of(&made)), json!({})).await.is(201);
    }
    let seen = async |who: &Visitor| {
        let table = who.get(&format!("/tables/by-code/{}", cafe.code(0))).await.is(200);
        let lobby = who.get(&format!("/matches?table={}", cafe.id(0))).await.is(200);
        let (at_table, listed) = (table["matches"].as_array(), lobby["items"].as_array());
        let named = |it: &&Value| it["seats"][0]["player"]["display_name"] == "하늘";
        let with_name = listed.expect("it is a list").iter().filter(named).count();
        (at_table.map(Vec::len), with_name, listed.map(Vec::len), table.to_string().contains("하늘"))
    };
    assert_eq!(seen(&cafe.app.guest("Zoe").await).await, (Some(1), 1, Some(1), false));
    assert_eq!(seen(&friend).await, (Some(1), 1, Some(1), true));
    assert_eq!(seen(&guest).await, (Some(3), 3, Some(3), true));
    assert_eq!(seen(&cafe.owner).await, (Some(3), 3, Some(3), true));
}

#[tokio::test]
async fn a_guest_sits_down_and_calls_by_plain_forms() {
    let cafe = Cafe::open(&["1"]).await;
    let guest = cafe.app.anybody();
    let path = format!("/t/{}", cafe.code(0));
    let page = guest.open(&path).await;
    let members = format!("{path}/members");
    let blank = guest.submit(&page, &members, &[("display_name", " "), ("party_size", "3")]).await;
    assert_eq!(blank.status, 422);
    assert_eq!(cafe.party(0).await, Value::Null);
    let sat = guest.submit(&page, &members, &[("display_name", "<b>Lucía</b>"), ("party_size", "3")]).await;
    assert_eq!((sat.status, sat.header("location")), (303, path.as_str()), "{}", sat.text());
    let page = guest.open(&path).await;
    assert!(page.text().contains("Lucía") && !page.text().contains("<b>Lucía"), "{}", page.text());
    assert_eq!(cafe.party(0).await["party_size"], 3);
    let called = guest.submit(&page, &format!("{path}/calls"), &[("reason", "order"), ("note", "two teas")]).await;
    assert_eq!(called.status, 303);
    let call = cafe.owner.get("/calls").await.is(200)["items"][0].clone();
    assert_eq!((&call["reason"], &call["note"]), (&json!("order"), &json!("two teas")));
    cafe.owner.patch(&format!("/calls/{}", id_of(&call)), json!({ "status": "heard" })).await.is(200);
    assert!(guest.open(&path).await.text().contains("On the way"));
    let back = format!("{path}/calls/{}/take-back", id_of(&call));
    assert_eq!(guest.submit(&page, &back, &[]).await.status, 303);
    assert_eq!(cafe.owner.get("/calls").await.is(200)["items"], json!([]));
    // Without the page's own token nothing is taken.
    let bare = guest.page(Method::POST, &format!("{path}/calls")).form(&[("reason", "order")]);
    assert_eq!(Answer::of(bare).await.status, 403);
}

#[tokio::test]
async fn a_forgotten_party_is_closed_and_one_that_plays_is_not() {
    let mut cafe = Cafe::open(&["1", "2", "3"]).await;
    let guest = cafe.app.guest("하늘").await;
    cafe.seat(0, 2).await.is(201);
    cafe.scan(1, &guest).await.is(200);
    cafe.new_match(1, &guest).await.is(201);
    let attended = id_of(&cafe.seat(2, 2).await.is(201));
    cafe.app.database().with(|database| {
        let long_ago = "UPDATE sittings SET opened_at = opened_at - interval '8 hours', remind_at = opened_at;
                        UPDATE undos SET at = at - interval '8 hours';
                        UPDATE sitting_members SET joined_at = joined_at - interval '8 hours'";
        database.batch_execute(long_ago).expect("it can be changed");
    });
    // Nobody there has a phone, but staff see to them.
    cafe.owner.patch(&format!("/sittings/{attended}"), json!({ "party_size": 3 })).await.is(200);
    // Every process looks for them from its start on.
    cafe.app.start_another();
    eventually("the forgotten party is closed", async || cafe.party(0).await.is_null().then_some(())).await;
    assert!(cafe.party(1).await.is_object());
    assert!(cafe.party(2).await.is_object());
    let past = cafe.owner.get(&format!("/tables/{}/sittings", cafe.id(0))).await.is(200);
    assert_eq!(past["items"][0]["ended"], "forgotten");
}

#[tokio::test]
async fn sittings_are_listed_a_page_at_a_time() {
    let cafe = Cafe::open(&["1"]).await;
    for size in 1..=3 {
        let id = id_of(&cafe.seat(0, size).await.is(201));
        cafe.owner.delete(&format!("/sittings/{id}")).await.is(200);
    }
    let path = format!("/tables/{}/sittings", cafe.id(0));
    let first = cafe.owner.get(&format!("{path}?limit=2")).await.is(200);
    let sizes = |page: &Value| -> Vec<i64> {
        page["items"].as_array().into_iter().flatten().filter_map(|it| it["party_size"].as_i64()).collect()
    };
    assert_eq!(sizes(&first), [3, 2]);
    let next = first["next"].as_str().expect("there is more");
    let rest = cafe.owner.get(&format!("{path}?limit=2&cursor={next}")).await.is(200);
    assert_eq!((sizes(&rest), &rest["next"]), (vec![1], &Value::Null));
    cafe.app.guest("하늘").await.get(&path).await.problem(403, "forbidden");
    for wrong in [json!({ "party_size": 0 }), json!({ "party_size": 100 }), json!({}), json!({ "party_size": "2" })] {
        cafe.owner.post(&path, wrong).await.refused();
    }
}

#[tokio::test]
async fn what_happens_through_one_process_wakes_the_floor_of_another() {
    let mut cafe = Cafe::open(&["1"]).await;
    let there = cafe.app.start_another();
    let watcher = cafe.app.owner_at_pages().await.at(cafe.app.url_of(there));
    let mut stream = watcher.listen_to("/admin/live/floor", None).await;
    stream.next_of("changed").await;
    let guest = cafe.app.guest("하늘").await;
    let mut delays = Vec::new();
    let mut heard = async |since: Instant| {
        stream.next_of("changed").await;
        delays.push(since.elapsed());
    };
    let began = Instant::now();
    let sitting = id_of(&cafe.scan(0, &guest).await.is(200)["sitting"]);
    heard(began).await;
    let began = Instant::now();
    let calls = format!("/sittings/{sitting}/calls");
    let call = id_of(&guest.post(&calls, json!({ "reason": "rules" })).await.is(201));
    heard(began).await;
    let began = Instant::now();
    cafe.owner.patch(&format!("/calls/{call}"), json!({ "status": "settled" })).await.is(200);
    heard(began).await;
    let began = Instant::now();
    cafe.undo().await.is(200);
    heard(began).await;
    let began = Instant::now();
    cafe.owner.patch(&format!("/tables/{}", cafe.id(0)), json!({ "name": "Anchor" })).await.is(200);
    heard(began).await;
    // A floor is also looked at every few seconds; being told is quicker. The middle one, so that a busy machine may stumble.
    delays.sort();
    assert!(delays[2] < Duration::from_secs(2), "{delays:?}");
}

#[tokio::test]
async fn staff_who_make_a_match_at_a_free_table_seat_its_party() {
    let cafe = Cafe::open(&["1"]).await;
    let made = cafe.new_match(0, &cafe.owner).await.is(201);
    let now = cafe.owner.get(&format!("/tables/by-code/{}", cafe.code(0))).await.is(200);
    assert_eq!((&now["sitting"]["party_size"], &now["matches"][0]["id"]), (&json!(2), &made["id"]));
    let party = Party::start(&cafe.app, "perudo", 2, json!({})).await;
    assert_eq!(party.look().await["table_id"], Value::Null);
}
