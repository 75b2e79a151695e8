//! What parties owe for their time: who is told, how it is made up, and what stays of it.

use harness::{Answer, TestApp, Visitor};
use serde_json::{Value, json};

/// The same on every day of the week, so that no test depends on the day on which it runs.
fn tariff(first_price: i64) -> Value {
    let rate = json!({ "first_minutes": 60, "first_price": first_price, "step_minutes": 10, "step_price": 500, "day_pass": null });
    json!({ "currency": "KRW", "grace_minutes": 0, "weekday": rate, "weekend": rate, "weekend_days": [6, 7] })
}

struct Cafe {
    app: TestApp,
    owner: Visitor,
    tables: Vec<Value>,
}

impl Cafe {
    async fn open(tables: usize) -> Self {
        let app = TestApp::start();
        let owner = app.owner().await;
        let mut made = Vec::new();
        for number in 1..=tables {
            made.push(owner.post("/tables", json!({ "name": format!("{number}번"), "seats": 4 })).await.is(201));
        }
        Cafe { app, owner, tables: made }
    }

    async fn charge(&self, first_price: i64) {
        self.owner.put("/cafe/tariff", tariff(first_price)).await.is(200);
    }

    /// A party that came so many minutes ago.
    async fn seat(&self, table: usize, size: u8, minutes: u32) -> String {
        let at = format!("/tables/{}/sittings", text(&self.tables[table], "id"));
        let id = text(&self.owner.post(&at, json!({ "party_size": size })).await.is(201), "id").to_owned();
        self.pass(&id, minutes);
        id
    }

    /// So many minutes pass for this party: all that is known of it happened that much earlier.
    fn pass(&self, sitting: &str, minutes: u32) {
        let earlier = format!(
            "UPDATE sittings SET opened_at = opened_at - interval '{minutes} minutes', headcounts = (
                SELECT coalesce(jsonb_agg(jsonb_set(it, '{{since}}', to_jsonb((it ->> 'since')::timestamptz - interval '{minutes} minutes'))), '[]')
                FROM jsonb_array_elements(headcounts) AS it
             ) WHERE id = '{sitting}'"
        );
        self.app.database().with(|client| client.batch_execute(&earlier)).expect("it is earlier");
    }

    async fn owed(&self, sitting: &str) -> Value {
        self.owner.get(&format!("/sittings/{sitting}")).await.is(200)["owed"].clone()
    }

    async fn resize(&self, sitting: &str, size: u8) {
        self.owner.patch(&format!("/sittings/{sitting}"), json!({ "party_size": size })).await.is(200);
    }

    async fn undo(&self) -> Answer {
        let undos = self.owner.get("/undos").await.is(200);
        let id = text(&undos["items"][0], "id").to_owned();
        self.owner.post(&format!("/undos/{id}"), json!({})).await
    }
}

fn text<'a>(thing: &'a Value, field: &str) -> &'a str {
    thing[field].as_str().expect("it is a text")
}

/// People, steps and sum of each line.
fn lines(bill: &Value) -> Vec<(i64, i64, i64)> {
    let number = |line: &Value, field: &str| line[field].as_i64().expect("it is a number");
    let lines = bill["lines"].as_array().expect("it has lines");
    lines.iter().map(|line| (number(line, "people"), number(line, "steps"), number(line, "total"))).collect()
}

#[tokio::test]
async fn without_a_tariff_nobody_is_told_that_anything_is_owed() {
    let cafe = Cafe::open(1).await;
    let id = cafe.seat(0, 2, 90).await;
    assert_eq!(cafe.owed(&id).await, Value::Null);
    assert_eq!(cafe.app.anybody().get("/cafe/tariff").await.is(200), json!({ "version": null, "tariff": null }));
    let staff = cafe.app.owner_at_pages().await;
    let sheet = staff.open(&format!("/admin?table={}", text(&cafe.tables[0], "id"))).await;
    assert!(!sheet.text().contains("KRW") && !sheet.text().contains("Owed"), "{}", sheet.text());
    let closed = cafe.owner.delete(&format!("/sittings/{id}")).await.is(200);
    assert_eq!(closed.get("owed"), None, "{closed}");
}

#[tokio::test]
async fn a_party_sees_what_it_owes_and_how_that_is_made_up_and_others_do_not() {
    let cafe = Cafe::open(1).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 2, 85).await;
    let bill = cafe.owed(&id).await;
    assert_eq!((&bill["total"], &bill["tariff"]), (&json!(9000), &json!(1)));
    assert_eq!(lines(&bill), [(2, 3, 9000)]);
    let code = text(&cafe.tables[0], "code");
    let (one, other) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    let path = format!("/tables/by-code/{code}");
    one.post(&format!("{path}/members"), json!({})).await.is(200);
    assert_eq!(one.get(&path).await.is(200)["sitting"]["owed"]["total"], 9000);
    assert_eq!(other.get(&path).await.is(200)["sitting"].get("owed"), None);
    let staff = cafe.app.owner_at_pages().await;
    let table = text(&cafe.tables[0], "id");
    for page in [format!("/admin?table={table}"), format!("/admin?table={table}&sheet=leave")] {
        let sheet = staff.open(&page).await.text();
        assert!(
            sheet.contains("9,000 KRW") && sheet.contains("2 people × (first 1 h 3,000 KRW + 10 min 500 KRW × 3)"),
            "{sheet}"
        );
    }
    assert!(!cafe.app.anybody().open(&format!("/t/{code}")).await.text().contains("9,000 KRW"));
}

#[tokio::test]
async fn who_comes_later_pays_from_then_on_and_a_mistake_costs_nothing() {
    let cafe = Cafe::open(1).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 2, 65).await;
    cafe.resize(&id, 3).await;
    cafe.pass(&id, 1);
    assert_eq!(lines(&cafe.owed(&id).await), [(2, 1, 7000), (1, 0, 3000)]);
    // One of the three leaves, and is charged for the minute.
    cafe.resize(&id, 2).await;
    assert_eq!(lines(&cafe.owed(&id).await), [(2, 1, 7000), (1, 0, 3000)]);
    // It was a slip of the finger.
    cafe.undo().await.is(200);
    cafe.resize(&id, 9).await;
    cafe.undo().await.is(200);
    assert_eq!(lines(&cafe.owed(&id).await), [(2, 1, 7000), (1, 0, 3000)]);
}

#[tokio::test]
async fn what_a_party_owed_stays_as_it_was_when_it_left() {
    let cafe = Cafe::open(1).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 1, 30).await;
    let closed = cafe.owner.delete(&format!("/sittings/{id}")).await.is(200);
    assert_eq!((&closed["owed"]["total"], &closed["owed"]["tariff"]), (&json!(3000), &json!(1)));
    cafe.charge(4000).await;
    assert_eq!(cafe.owed(&id).await, closed["owed"]);
    // Had it not left after all, the new tariff would hold.
    cafe.undo().await.is(200);
    assert_eq!(cafe.owed(&id).await["total"], 4000);
    cafe.owner.delete("/cafe/tariff").await.is(200);
    assert_eq!(cafe.owed(&id).await, Value::Null);
}

#[tokio::test]
async fn what_is_owed_stands_still_once_they_are_about_to_leave() {
    let cafe = Cafe::open(1).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 1, 65).await;
    cafe.owner.patch(&format!("/sittings/{id}"), json!({ "closing": true })).await.is(200);
    let frozen = "UPDATE sittings SET closing_at = closing_at - interval '10 minutes'";
    cafe.app.database().with(|client| client.batch_execute(frozen)).expect("it was earlier");
    assert_eq!(cafe.owed(&id).await["total"], 3000);
    assert_eq!(cafe.owner.delete(&format!("/sittings/{id}")).await.is(200)["owed"]["total"], 3000);
}

#[tokio::test]
async fn parties_that_merge_owe_for_the_time_that_each_was_there() {
    let cafe = Cafe::open(2).await;
    cafe.charge(3000).await;
    let (early, late) = (cafe.seat(0, 2, 75).await, cafe.seat(1, 1, 5).await);
    let merged = cafe.owner.post(&format!("/sittings/{early}/merge"), json!({ "into": late })).await.is(200);
    assert_eq!(lines(&merged["owed"]), [(2, 2, 8000), (1, 0, 3000)]);
    // The party that went over owes nothing of its own.
    assert_eq!(cafe.owed(&early).await, Value::Null);
    cafe.undo().await.is(200);
    assert_eq!(lines(&cafe.owed(&early).await), [(2, 2, 8000)]);
    assert_eq!(lines(&cafe.owed(&late).await), [(1, 0, 3000)]);
}

#[tokio::test]
async fn who_sits_down_with_a_party_that_was_about_to_leave_owes_from_then_on() {
    let cafe = Cafe::open(2).await;
    cafe.charge(3000).await;
    let (early, late) = (cafe.seat(0, 2, 75).await, cafe.seat(1, 1, 65).await);
    let leaving = json!({ "closing": true });
    cafe.owner.patch(&format!("/sittings/{late}"), leaving.clone()).await.is(200);
    let earlier = "UPDATE sittings SET closing_at = closing_at - interval '30 minutes' WHERE closing_at IS NOT NULL";
    cafe.app.database().with(|client| client.batch_execute(earlier)).expect("it was earlier");
    let merged = cafe.owner.post(&format!("/sittings/{early}/merge"), json!({ "into": late })).await.is(200);
    assert_eq!(lines(&merged["owed"]), [(2, 2, 8000), (1, 1, 3500)]);
    cafe.undo().await.is(200);
    assert_eq!(lines(&cafe.owed(&late).await), [(1, 0, 3000)]);
    // Where all are about to leave, they still are.
    cafe.owner.patch(&format!("/sittings/{early}"), leaving).await.is(200);
    let merged = cafe.owner.post(&format!("/sittings/{early}/merge"), json!({ "into": late })).await.is(200);
    assert!(merged["closing_at"].is_string(), "{merged}");
}

#[tokio::test]
async fn a_party_that_grows_stays() {
    let cafe = Cafe::open(1).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 1, 65).await;
    cafe.owner.patch(&format!("/sittings/{id}"), json!({ "closing": true })).await.is(200);
    let earlier = "UPDATE sittings SET closing_at = closing_at - interval '30 minutes'";
    cafe.app.database().with(|client| client.batch_execute(earlier)).expect("it was earlier");
    cafe.resize(&id, 2).await;
    assert_eq!(lines(&cafe.owed(&id).await), [(1, 1, 3500), (1, 0, 3000)]);
    cafe.undo().await.is(200);
    assert_eq!(lines(&cafe.owed(&id).await), [(1, 0, 3000)]);
    // One fewer is no reason to stay, and who says so may grow and leave.
    cafe.owner.patch(&format!("/sittings/{id}"), json!({ "party_size": 3, "closing": true })).await.is(200);
    let fewer = cafe.owner.patch(&format!("/sittings/{id}"), json!({ "party_size": 2 })).await.is(200);
    assert!(fewer["closing_at"].is_string(), "{fewer}");
}

#[tokio::test]
async fn who_came_uninvited_and_is_refused_costs_nothing_after_a_merge_either() {
    let cafe = Cafe::open(2).await;
    cafe.charge(3000).await;
    let (from, into) = (cafe.seat(0, 1, 10).await, cafe.seat(1, 1, 5).await);
    let members = format!("/tables/by-code/{}/members", text(&cafe.tables[0], "code"));
    let (one, stranger) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    one.post(&members, json!({})).await.is(200);
    stranger.post(&members, json!({})).await.is(200);
    let merged = cafe.owner.post(&format!("/sittings/{from}/merge"), json!({ "into": into })).await.is(200);
    assert_eq!(merged["party_size"], 3);
    cafe.owner.delete(&format!("/sittings/{into}/members/{}", stranger.id())).await.is(200);
    assert_eq!(lines(&cafe.owed(&into).await), [(1, 0, 3000), (1, 0, 3000)]);
}

#[tokio::test]
async fn somebody_who_came_by_mistake_and_is_refused_costs_nothing() {
    let cafe = Cafe::open(1).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 1, 10).await;
    let members = format!("/tables/by-code/{}/members", text(&cafe.tables[0], "code"));
    let (one, stranger) = (cafe.app.guest("하늘").await, cafe.app.guest("Bea").await);
    one.post(&members, json!({})).await.is(200);
    stranger.post(&members, json!({})).await.is(200);
    cafe.pass(&id, 5);
    assert_eq!(lines(&cafe.owed(&id).await), [(1, 0, 3000), (1, 0, 3000)]);
    let member = format!("/sittings/{id}/members/{}", stranger.id());
    cafe.owner.delete(&member).await.is(200);
    assert_eq!(lines(&cafe.owed(&id).await), [(1, 0, 3000)]);
    cafe.undo().await.is(200);
    // Who was taken off by mistake owes for all their time.
    cafe.pass(&id, 120);
    let owed = lines(&cafe.owed(&id).await);
    assert_eq!(owed.len(), 2);
    cafe.owner.delete(&member).await.is(200);
    cafe.undo().await.is(200);
    assert_eq!(lines(&cafe.owed(&id).await), owed);
}

#[tokio::test]
async fn a_tariff_is_for_managers_to_change_and_each_change_is_in_the_log() {
    let cafe = Cafe::open(0).await;
    let (_, staff) = crate::permissions::hire(&cafe.app, &cafe.owner, "staff").await;
    staff.put("/cafe/tariff", tariff(3000)).await.problem(403, "forbidden");
    staff.delete("/cafe/tariff").await.problem(403, "forbidden");
    cafe.charge(3000).await;
    cafe.charge(3000).await;
    cafe.charge(3500).await;
    let known = cafe.app.anybody().get("/cafe/tariff").await.is(200);
    assert_eq!((&known["version"], &known["tariff"]), (&json!(2), &tariff(3500)));
    let log = cafe.owner.get("/audit?action=cafe.tariff").await.is(200);
    assert_eq!(log["items"].as_array().map(Vec::len), Some(2), "{log}");
    let mut wrong = tariff(-1);
    wrong["currency"] = json!("GOLD");
    let problem = cafe.owner.put("/cafe/tariff", wrong).await.problem(422, "invalid_fields");
    let at: Vec<_> =
        problem["errors"].as_array().expect("they are listed").iter().map(|it| text(it, "pointer")).collect();
    assert_eq!(at, ["/currency", "/weekday/first_price", "/weekend/first_price"]);
}

#[tokio::test]
async fn a_form_shows_what_people_would_pay_before_anything_is_saved() {
    let cafe = Cafe::open(0).await;
    let owner = cafe.app.owner_at_pages().await;
    let page = owner.open("/admin/settings/tariff").await;
    let mut fields = vec![("currency", "EUR"), ("grace_minutes", "0"), ("weekend-6", "on"), ("weekend-7", "on")];
    for (name, value) in
        [("first_minutes", "60"), ("first_price", "3"), ("step_minutes", "15"), ("step_price", "0.9"), ("day_pass", "")]
    {
        fields.extend([("weekday", name), ("weekend", name)].map(|(kind, name)| (named(kind, name), value)));
    }
    let trying: Vec<_> = fields.iter().copied().chain([("try", "yes")]).collect();
    let tried = owner.submit(&page, "/admin/settings/tariff", &trying).await;
    // One person, 2 h 10 min: an hour, and five quarters of an hour.
    assert!(tried.status == 200 && tried.text().contains("7.50 EUR"), "{}", tried.text());
    assert_eq!(cafe.owner.get("/cafe/tariff").await.is(200)["tariff"], Value::Null);
    let saved = owner.submit(&tried, "/admin/settings/tariff", &fields).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(cafe.owner.get("/cafe/tariff").await.is(200)["tariff"]["weekend"]["step_price"], 90);
    fields[0].1 = "KRW";
    let refused = owner.submit(&tried, "/admin/settings/tariff", &fields).await;
    assert_eq!(refused.status, 422, "half a won is no amount");
    assert_eq!(owner.submit(&tried, "/admin/settings/tariff/remove", &[]).await.status, 303);
    assert_eq!(cafe.owner.get("/cafe/tariff").await.is(200)["tariff"], Value::Null);
}

#[tokio::test]
async fn two_windows_change_the_tariff_without_undoing_each_other() {
    let cafe = Cafe::open(0).await;
    cafe.charge(3000).await;
    let (owner, form) = (cafe.app.owner_at_pages().await, "/admin/settings/tariff");
    let tariff = async || {
        let tariff = cafe.owner.get("/cafe/tariff").await.is(200)["tariff"].clone();
        json!([tariff["grace_minutes"], tariff["weekday"]["step_price"], tariff["weekday"]["first_price"]])
    };
    let page = owner.open(form).await;
    assert_eq!(owner.edit(&page, form, &[("grace_minutes", "10")]).await.status, 303);
    // The other window was opened before that, and looks first at what people would pay.
    let tried = owner.edit(&page, form, &[("weekday-step_price", "700"), ("try", "yes")]).await;
    assert_eq!(tried.status, 200, "{}", tried.text());
    assert_eq!(tried.seen(form), page.seen(form), "it is still made from what was there before");
    assert_eq!(owner.edit(&tried, form, &[("weekday-step_price", "700")]).await.status, 303);
    assert_eq!(tariff().await, json!([10, 700, 3000]));
    // Two who change the same: the later one reads what is there now, and saves again.
    let told = owner.edit(&page, form, &[("grace_minutes", "3")]).await;
    assert_eq!(told.status, 409, "{}", told.text());
    assert!(told.text().contains("Now: 10"), "{}", told.text());
    assert_eq!(owner.edit(&told, form, &[("grace_minutes", "3")]).await.status, 303);
    assert_eq!(tariff().await, json!([3, 700, 3000]));
}

fn named(kind: &str, field: &str) -> &'static str {
    format!("{kind}-{field}").leak()
}

#[tokio::test]
async fn parties_are_exported_with_what_they_owed() {
    let cafe = Cafe::open(2).await;
    cafe.charge(3000).await;
    let id = cafe.seat(0, 2, 0).await;
    cafe.owner.delete(&format!("/sittings/{id}")).await.is(200);
    cafe.seat(1, 3, 0).await;
    let owner = cafe.app.owner_at_pages().await;
    assert!(owner.open("/admin/sittings").await.text().contains("6,000 KRW"));
    let file = owner.open("/admin/sittings/export").await;
    assert_eq!((file.status, file.header("content-type")), (200, "text/csv; charset=utf-8"));
    let rows: Vec<String> = file.text().lines().skip(1).map(str::to_owned).collect();
    let row = |table: &str| rows.iter().find(|row| row.starts_with(&format!("\"{table}\""))).expect("it is listed");
    assert!(row("1번").ends_with(",6000,\"KRW\""), "{rows:?}");
    assert!(row("2번").starts_with("\"2번\",3,") && row("2번").ends_with(",,"), "{rows:?}");
}
