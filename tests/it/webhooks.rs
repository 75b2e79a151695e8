//! Services elsewhere that are told what happens.

use std::sync::{Arc, Mutex};

use data_encoding::BASE64;
use harness::{Party, Reply, Request, Service, TestApp, Visitor, eventually};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;

/// A service elsewhere: it answers with these statuses, one after the other, and then with 204.
struct Receiver {
    url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
    /// Listens for as long as this is there.
    _service: Service,
}

#[derive(Clone, Debug)]
struct Heard {
    id: String,
    timestamp: String,
    signature: String,
    body: String,
}

impl Receiver {
    async fn start(statuses: &'static [u16]) -> Self {
        let (heard, mut statuses) = (Arc::new(Mutex::new(Vec::new())), statuses.iter().copied());
        let told = heard.clone();
        let service = Service::start(move |request| {
            told.lock().expect("nobody panicked").push(Heard::of(request));
            Reply::empty(statuses.next().unwrap_or(204))
        });
        let service = service.await;
        Receiver { url: format!("{}/hook", service.url()), heard, _service: service }
    }

    /// What it was told of this.
    async fn told(&self, event: &str, times: usize) -> Vec<Heard> {
        eventually(event, async || {
            let heard = self.heard.lock().expect("nobody panicked").clone();
            let of_event: Vec<_> = heard.into_iter().filter(|it| it.json()["type"] == event).collect();
            (of_event.len() >= times).then_some(of_event)
        })
        .await
    }
}

impl Heard {
    fn of(request: &Request) -> Self {
        let [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"]
            .map(|name| request.headers.get(name).cloned().unwrap_or_default());
        Heard { id, timestamp, signature, body: request.body.clone() }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).expect("a delivery is JSON")
    }

    fn is_signed_with(&self, secret: &str) -> bool {
        let key =
            BASE64.decode(secret.strip_prefix("whsec_").expect("it is a secret").as_bytes()).expect("it is base64");
        let mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&key).expect("any key will do");
        let signed = mac.chain_update(format!("{}.{}.{}", self.id, self.timestamp, self.body));
        self.signature == format!("v1,{}", BASE64.encode(&signed.finalize().into_bytes()))
    }
}

async fn app() -> TestApp {
    TestApp::start_with(|launch| launch.set("HOUSERULES_PRIVATE_WEBHOOKS", "on"))
}

async fn hook(owner: &Visitor, url: &str, events: &[&str]) -> Value {
    owner.post("/webhooks", json!({ "url": url, "events": events })).await.is(201)
}

#[tokio::test]
async fn a_service_is_told_once_of_what_happens_with_a_signature_that_it_can_check() {
    let mut app = app().await;
    app.start_another();
    let (owner, receiver) = (app.owner().await, Receiver::start(&[]).await);
    let all = ["match.finished", "result.disputed", "call.opened", "sitting.opened", "sitting.closed"];
    let made = hook(&owner, &receiver.url, &all).await;
    let secret = made["secret"].as_str().expect("it has a secret");

    let table = owner.post("/tables", json!({ "name": "7번", "seats": 4 })).await.is(201);
    let code = table["code"].as_str().expect("a table has a code");
    let guest = app.guest("하늘").await;
    let joined = guest.post(&format!("/tables/by-code/{code}/members"), json!({ "party_size": 2 })).await;
    let sitting = joined.json()["sitting"]["id"].as_str().expect("a party sits there").to_owned();
    guest.post(&format!("/sittings/{sitting}/calls"), json!({ "reason": "bill" })).await.is(201);
    owner.delete(&format!("/sittings/{sitting}")).await.is(200);
    let mut party = Party::start(&app, "perudo", 2, json!({})).await;
    party.play_to_the_end().await;

    let call = receiver.told("call.opened", 1).await.remove(0);
    assert!(call.is_signed_with(secret), "{call:?}");
    assert_eq!((&call.json()["data"]["reason"], &call.json()["data"]["table"]), (&json!("bill"), &json!("7번")));
    assert_eq!(receiver.told("sitting.opened", 1).await[0].json()["data"]["sitting_id"], json!(sitting));
    assert_eq!(receiver.told("sitting.closed", 1).await[0].json()["data"]["sitting_id"], json!(sitting));
    let finished = receiver.told("match.finished", 1).await.remove(0).json();
    assert_eq!(finished["data"]["match_id"], json!(party.id));
    assert_eq!(finished["data"]["outcome"], party.look().await["outcome"]);
    // Two processes looked for all of it.
    let ids: Vec<_> = receiver.heard.lock().expect("nobody panicked").iter().map(|it| it.id.clone()).collect();
    assert_eq!(ids.len(), ids.iter().collect::<std::collections::BTreeSet<_>>().len(), "{ids:?}");
    let listed = owner.get("/webhooks").await.is(200).to_string();
    assert!(!listed.contains("whsec_") && !listed.contains(&secret[6..]), "{listed}");
}

#[tokio::test]
async fn what_fails_is_tried_again_and_can_be_sent_again() {
    let app = app().await;
    let (owner, receiver) = (app.owner().await, Receiver::start(&[500, 302]).await);
    let id = hook(&owner, &receiver.url, &["call.opened"]).await["id"].as_str().expect("it has an id").to_owned();
    let path = |rest: &str| format!("/webhooks/{id}{rest}");
    let test = owner.post(&path("/test"), json!({})).await.is(200);
    let delivery = test["id"].as_str().expect("it has an id").to_owned();
    let state = async |is: &str, fits: fn(&Value) -> bool| {
        eventually(is, async || {
            let deliveries = owner.get(&path("/deliveries")).await.is(200);
            Some(deliveries["items"][0].clone()).filter(fits)
        })
        .await
    };
    let failed = state("the first attempt to fail", |it| it["status"] == 500).await;
    assert_eq!((&failed["attempts"], &failed["failure"]), (&json!(1), &json!("refused")));
    assert!(failed["due_at"].is_string(), "{failed}");
    // Neither does it follow where the second answer leads.
    let soon = "UPDATE webhook_deliveries SET due_at = now()";
    app.database().with(|client| client.batch_execute(soon)).expect("it can be hurried");
    let failed = state("the second attempt to fail", |it| it["status"] == 302).await;
    assert_eq!(failed["attempts"], 2);
    owner.post(&path(&format!("/deliveries/{delivery}/resend")), json!({})).await.is(200);
    let done = state("the third to be heard", |it| it["delivered_at"].is_string()).await;
    assert_eq!((&done["status"], &done["due_at"]), (&json!(204), &Value::Null));
    let heard = receiver.told("webhook.test", 3).await;
    assert!(heard.iter().all(|it| it.id == delivery), "{heard:?}");
    owner.delete(&path("")).await.is(204);
    owner.get(&path("/deliveries")).await.problem(404, "webhook_not_found");
}

#[tokio::test]
async fn a_webhook_leads_to_no_private_network_unless_the_settings_say_so() {
    let app = TestApp::start();
    let (owner, receiver) = (app.owner().await, Receiver::start(&[]).await);
    let id = hook(&owner, &receiver.url, &["call.opened"]).await["id"].as_str().expect("it has an id").to_owned();
    owner.post(&format!("/webhooks/{id}/test"), json!({})).await.is(200);
    let tried = eventually("the attempt to fail", async || {
        let deliveries = owner.get(&format!("/webhooks/{id}/deliveries")).await.is(200);
        Some(deliveries["items"][0].clone()).filter(|it| it["failure"].is_string())
    })
    .await;
    assert_eq!(tried["failure"], "private_address");
    assert!(receiver.heard.lock().expect("nobody panicked").is_empty());
    let wrong = owner.post("/webhooks", json!({ "url": "ftp://a.b", "events": ["call.opened"] })).await;
    assert_eq!(wrong.problem(422, "invalid_fields")["errors"][0]["pointer"], "/url");
    app.guest("하늘").await.get("/webhooks").await.problem(403, "forbidden");
}

#[tokio::test]
async fn managers_make_test_and_delete_webhooks_on_pages() {
    let app = app().await;
    let (desk, receiver) = (app.owner_at_pages().await, Receiver::start(&[]).await);
    let page = desk.open("/admin/webhooks").await;
    let made = desk.submit(&page, "/admin/webhooks", &[("url", &receiver.url), ("match.finished", "on")]).await;
    assert!(made.status == 200 && made.text().contains("whsec_"), "{}", made.text());
    assert_eq!(made.header("cache-control"), "no-store");
    let text = made.text();
    let path =
        text.split("href=\"").find_map(|rest| rest.starts_with("/admin/webhooks/").then(|| rest.split('"').next()));
    let path = path.flatten().expect("it leads on").to_owned();
    let page = desk.open(&path).await;
    assert_eq!(desk.submit(&page, &format!("{path}/test"), &[]).await.status, 303);
    receiver.told("webhook.test", 1).await;
    let page = desk.open(&path).await;
    assert_eq!(desk.submit(&page, &format!("{path}/delete"), &[]).await.header("location"), "/admin/webhooks");
    assert!(!desk.open("/admin/webhooks").await.text().contains(&receiver.url));
}

#[tokio::test]
async fn two_windows_change_a_webhook_without_undoing_each_other() {
    let app = TestApp::start();
    let (owner, desk) = (app.owner().await, app.owner_at_pages().await);
    let made = hook(&owner, "https://a.example.org", &["call.opened"]).await;
    let [api, path] = ["", "/admin"].map(|at| format!("{at}/webhooks/{}", made["id"].as_str().expect("an id")));
    let webhook = async || {
        let webhook = owner.get(&api).await.is(200);
        json!([webhook["url"], webhook["events"], webhook["is_on"]])
    };
    let page = desk.open(&path).await;
    assert_eq!(desk.edit(&page, &path, &[("url", "https://b.example.org"), ("is_on", "")]).await.status, 303);
    // The other window was opened before that.
    assert_eq!(desk.edit(&page, &path, &[("match.finished", "on")]).await.status, 303);
    let merged = json!(["https://b.example.org", ["match.finished", "call.opened"], false]);
    assert_eq!(webhook().await, merged);
    // Two who change the same: the later one reads what is there now, and saves again.
    let mine = [("url", "https://c.example.org")];
    let told = desk.edit(&page, &path, &mine).await;
    assert_eq!(told.status, 409, "{}", told.text());
    assert!(told.text().contains("Now: https://b.example.org"), "{}", told.text());
    assert_eq!(webhook().await, merged);
    assert_eq!(desk.edit(&told, &path, &mine).await.status, 303);
    assert_eq!(webhook().await[0], "https://c.example.org");
}
