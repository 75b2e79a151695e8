//! Addresses elsewhere that are told what happens in the café. Triggers of the database write down what they are to be told, in
//! the transaction of what happened; every process delivers what is due.

pub mod event;
pub mod store;

use data_encoding::BASE64;
use diesel_async::{AsyncConnection, AsyncPgConnection};
use hmac::Mac;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use base::audit::{self, Entry};
use base::auth::{Actor, Digest, Identity, Seal, StaffContext, can, keyed};
use base::error::{Error, Result, conflict, internal, invalid_field, invalid_fields, not_found};
use base::inputs::tidy_text;
use base::world::World;
pub use event::WebhookEvent;
pub use store::{DeliveryRow, WebhookRow};

/// How long what was sent can be looked up and sent again.
const KEPT: SignedDuration = SignedDuration::from_hours(24 * 30);
/// After so many attempts, in about a day and a half, nobody tries any more.
pub const MOST_ATTEMPTS: i16 = 10;
const FIRST_PAUSE: i64 = 5;
const LONGEST_PAUSE: i64 = 12 * 3600;
const MOST_WEBHOOKS: i64 = 20;
const LONGEST_URL: usize = 500;
const TEST: &str = "webhook.test";

base::id_type!(
    /// An address elsewhere that is told what happens.
    WebhookId
);

base::id_type!(
    /// One thing that one webhook is told of.
    DeliveryId
);

/// What a webhook is to be.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookRequest {
    /// Begins with https:// or http://.
    #[schema(max_length = 500, example = "https://example.org/house-rules")]
    pub url: String,
    #[schema(min_items = 1)]
    pub events: Vec<WebhookEvent>,
}

/// What is to be otherwise; what is left out stays as it is.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct WebhookChange {
    #[schema(max_length = 500)]
    pub url: Option<String>,
    #[schema(min_items = 1)]
    pub events: Option<Vec<WebhookEvent>>,
    /// Nothing is told while it is off.
    pub is_on: Option<bool>,
}

/// What signs the deliveries of one webhook.
pub struct Secret([u8; 32]);

impl Secret {
    /// As Standard Webhooks writes it.
    pub fn reveal(&self) -> String {
        format!("whsec_{}", BASE64.encode(&self.0))
    }

    /// The header `webhook-signature` of a delivery.
    pub fn sign(&self, id: DeliveryId, at: Timestamp, body: &str) -> String {
        let signed = format!("{id}.{}.{body}", at.as_second());
        let mac = keyed(&self.0).chain_update(signed.as_bytes());
        format!("v1,{}", BASE64.encode(&mac.finalize().into_bytes()))
    }
}

/// What is to be sent, and where.
pub struct Due {
    pub id: DeliveryId,
    pub url: String,
    pub body: String,
    pub secret: Secret,
    attempts: i16,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Of the answer, if there was one.
    pub status: Option<u16>,
    /// Why it will not do.
    pub failure: Option<&'static str>,
}

/// Makes a webhook. Its secret is never shown again.
pub async fn create(
    cx: &mut StaffContext<'_, can::ManageWebhooks>,
    seal: &Seal,
    request: &WebhookRequest,
) -> Result<(WebhookRow, Secret)> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let (url, events) = (checked_url(&request.url)?, checked_events(&request.events)?);
    let (id, secret) = (WebhookId(world.uuid()), Secret(world.bytes::<32>()));
    let sealed = seal.close(world, &context(seal, id), &secret.0).ok_or_else(cannot_seal)?;
    let row =
        WebhookRow { id, url, events, secret: sealed, is_on: true, created_by: staff.id, created_at: world.now() };
    let made = conn.transaction(async |conn| -> Result<WebhookRow> {
        if store::count(conn).await? >= MOST_WEBHOOKS {
            return Err(conflict("too_many_webhooks"));
        }
        store::insert(conn, &row).await?;
        note(conn, world, staff, "webhook.create", &row).await?;
        Ok(row)
    });
    Ok((made.await?, secret))
}

/// Changes a webhook.
pub async fn change(
    cx: &mut StaffContext<'_, can::ManageWebhooks>,
    id: WebhookId,
    change: WebhookChange,
) -> Result<WebhookRow> {
    edit(cx, id, &|_| Ok(change.clone())).await
}

/// The same where it depends on how the webhook is by now.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ManageWebhooks>,
    id: WebhookId,
    edit: &(dyn Fn(&WebhookRow) -> Result<WebhookChange> + Sync),
) -> Result<WebhookRow> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let changed = conn.transaction(async |conn| -> Result<WebhookRow> {
        let before = lock(conn, id).await?;
        let change = edit(&before)?;
        let url = change.url.as_deref().map(checked_url).transpose()?;
        let events = change.events.as_deref().map(checked_events).transpose()?;
        let after = WebhookRow {
            url: url.unwrap_or(before.url),
            events: events.unwrap_or(before.events),
            is_on: change.is_on.unwrap_or(before.is_on),
            ..before
        };
        store::update(conn, &after).await?;
        note(conn, world, staff, "webhook.change", &after).await?;
        Ok(after)
    });
    changed.await
}

/// Takes a webhook away, with all that it was told.
pub async fn delete(cx: &mut StaffContext<'_, can::ManageWebhooks>, id: WebhookId) -> Result<()> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    conn.transaction(async |conn| {
        let row = lock(conn, id).await?;
        store::delete(conn, id).await?;
        note(conn, world, staff, "webhook.delete", &row).await
    })
    .await
}

/// Tells a webhook something that nobody needs, to see whether it hears.
pub async fn test(cx: &mut StaffContext<'_, can::ManageWebhooks>, id: WebhookId) -> Result<DeliveryRow> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let tested = conn.transaction(async |conn| -> Result<DeliveryRow> {
        let row = lock(conn, id).await?;
        if !row.is_on {
            return Err(conflict("webhook_off"));
        }
        let delivery = DeliveryId(world.uuid());
        let made = store::insert_delivery(conn, delivery, id, TEST, &json!({ "webhook_id": id })).await?;
        note(conn, world, staff, "webhook.test", &row).await?;
        Ok(made)
    });
    tested.await
}

/// Sends something again, with the same id.
pub async fn resend(
    cx: &mut StaffContext<'_, can::ManageWebhooks>,
    id: WebhookId,
    delivery: DeliveryId,
) -> Result<DeliveryRow> {
    let (conn, Actor { world, staff, .. }) = cx.parts().await?;
    let resent = conn.transaction(async |conn| -> Result<DeliveryRow> {
        let row = lock(conn, id).await?;
        let again = store::schedule_again(conn, id, delivery).await?;
        note(conn, world, staff, "webhook.resend", &row).await?;
        again.ok_or_else(|| not_found("delivery_not_found"))
    });
    resent.await
}

/// What is due now, some of it: nobody else gets it for two minutes.
pub async fn claim(conn: &mut AsyncPgConnection, seal: &Seal) -> Result<Vec<Due>> {
    let mut due = Vec::new();
    for row in store::claim(conn).await? {
        let Some((secret, _)) = open(seal, row.webhook_id, &row.secret) else {
            tracing::warn!(webhook_id = %row.webhook_id, "opening the secret of a webhook failed");
            let lost = Attempt { status: None, failure: Some("secret_lost") };
            store::settle(conn, row.id, row.attempts, &lost, None).await?;
            continue;
        };
        let body = json!({ "type": row.event, "timestamp": row.happened_at.to_string(), "data": row.data }).to_string();
        due.push(Due { id: row.id, url: row.url, body, secret, attempts: row.attempts });
    }
    Ok(due)
}

/// Writes down what came of it, and when it is tried again.
pub async fn settle(conn: &mut AsyncPgConnection, due: &Due, attempt: &Attempt) -> Result<()> {
    let is_over = attempt.failure.is_none() || due.attempts >= MOST_ATTEMPTS;
    let pause = (!is_over).then(|| pause(due.attempts));
    Ok(store::settle(conn, due.id, due.attempts, attempt, pause).await?)
}

/// Forgets what happened long ago: how much there was.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> Result<usize> {
    Ok(store::delete_before(conn, now - KEPT).await?)
}

/// Seals with the current secret what only the previous one opens: how many there were.
pub async fn reseal(conn: &mut AsyncPgConnection, world: &World, seal: &Seal) -> Result<usize> {
    conn.transaction(async |conn| -> Result<usize> {
        let mut moved = 0;
        for row in store::lock_all(conn).await? {
            if let Some((secret, false)) = open(seal, row.id, &row.secret) {
                let sealed = seal.close(world, &context(seal, row.id), &secret.0).ok_or_else(cannot_seal)?;
                store::update(conn, &WebhookRow { secret: sealed, ..row }).await?;
                moved += 1;
            }
        }
        Ok(moved)
    })
    .await
}

/// How many secrets would be lost without the previous secret of the house.
pub async fn count_of_previous(conn: &mut AsyncPgConnection, seal: &Seal) -> Result<usize> {
    let rows = store::list(conn).await?;
    let is_of_previous = |row: &WebhookRow| open(seal, row.id, &row.secret).is_some_and(|(_, is_current)| !is_current);
    Ok(rows.iter().filter(|row| is_of_previous(row)).count())
}

/// In seconds, four times as long after each attempt.
fn pause(attempts: i16) -> i64 {
    let doublings = 2 * u32::from(attempts.clamp(1, MOST_ATTEMPTS).unsigned_abs() - 1);
    (FIRST_PAUSE << doublings).min(LONGEST_PAUSE)
}

/// The secret, and whether the current secret of the server sealed it.
fn open(seal: &Seal, id: WebhookId, sealed: &[u8]) -> Option<(Secret, bool)> {
    seal.each().enumerate().find_map(|(at, seal)| {
        let secret = seal.open(&context(seal, id), sealed)?;
        Some((Secret(secret.try_into().ok()?), at == 0))
    })
}

fn context(seal: &Seal, id: WebhookId) -> Digest {
    seal.digest(&[b"webhook", id.0.as_bytes()])
}

fn cannot_seal() -> Error {
    internal(anyhow::anyhow!("the secret of a webhook cannot be sealed"))
}

fn checked_url(text: &str) -> Result<String> {
    let url = tidy_text(text, LONGEST_URL).map_err(|wrong| invalid_fields(vec![wrong.at("/url")]))?;
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")).unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_good = !host.is_empty() && !host.contains('@') && !url.contains([' ', '#']) && url.is_ascii();
    if is_good { Ok(url) } else { Err(invalid_field("/url", "no_webhook_url")) }
}

/// In the order in which they are listed, each once.
fn checked_events(events: &[WebhookEvent]) -> Result<Value> {
    let chosen: Vec<_> = WebhookEvent::ALL.iter().filter(|event| events.contains(event)).collect();
    if chosen.is_empty() { Err(invalid_field("/events", "empty")) } else { Ok(json!(chosen)) }
}

async fn lock(conn: &mut AsyncPgConnection, id: WebhookId) -> Result<WebhookRow> {
    store::lock(conn, id).await?.ok_or_else(|| not_found("webhook_not_found"))
}

async fn note(
    conn: &mut AsyncPgConnection,
    world: &World,
    staff: &Identity,
    action: &'static str,
    row: &WebhookRow,
) -> Result<()> {
    // Some addresses hold a password; their host does not.
    let details = json!({ "name": row.host(), "events": row.events, "is_on": row.is_on });
    let entry = Entry { actor: Some(staff.id), action, subject: "webhook", subject_id: Some(row.id.0), details };
    Ok(audit::record(conn, world, entry).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_half_a_day() {
        let pauses: Vec<_> = (1..=MOST_ATTEMPTS).map(pause).collect();
        assert_eq!(pauses, [5, 20, 80, 320, 1280, 5120, 20_480, 43_200, 43_200, 43_200]);
    }

    #[test]
    fn a_signature_is_that_of_standard_webhooks() {
        let id = DeliveryId(uuid::Uuid::nil());
        let (secret, at) = (Secret([7; 32]), Timestamp::from_second(1_700_000_000).unwrap());
        assert_eq!(secret.reveal(), "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=");
        // openssl dgst -sha256 -mac HMAC -macopt hexkey:0707… of `<id>.1700000000.{}`.
        assert_eq!(secret.sign(id, at, "{}"), "v1,ZxvsOzYV/OpNsXv3s5jH6WUZOCIv7ONToQakPTt2CAM=");
    }

    #[test]
    fn an_address_begins_with_its_scheme_and_holds_no_password() {
        for right in ["https://example.org", "http://10.0.0.2:8000/a?b=c", " https://example.org/x "] {
            assert_eq!(checked_url(right).unwrap(), right.trim());
        }
        for wrong in ["", "example.org", "ftp://a.b", "https://", "https://u:p@a.b", "https://a.b/#c", "https://a b"] {
            assert_eq!(checked_url(wrong).unwrap_err().code(), "invalid_fields", "{wrong}");
        }
    }

    #[test]
    fn a_secret_opens_with_the_secret_before_as_well() {
        let (world, id) = (World::real(), WebhookId(uuid::Uuid::nil()));
        let (old, new) =
            (b"the first secret, of thirty-two b".as_slice(), b"the second secret of thirty-two b".as_slice());
        let sealed = Seal::new(old).close(&world, &context(&Seal::new(old), id), &[9; 32]).unwrap();
        let both = Seal::new(new).with_previous(Some(old));
        assert!(open(&both, id, &sealed).is_some_and(|(secret, is_current)| secret.0 == [9; 32] && !is_current));
        assert!(open(&Seal::new(new), id, &sealed).is_none());
    }
}
