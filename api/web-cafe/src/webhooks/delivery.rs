//! Sends what webhooks are to be told, signed as Standard Webhooks says.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::header::CONTENT_TYPE;

use base::auth::Seal;
use base::db::Db;
use base::stop::Stop;
use base::world::World;
use cafe::webhooks::{self, Attempt, Due};
use web_base::outgoing::Outgoing;

const BETWEEN_LOOKS: Duration = Duration::from_secs(1);

/// Delivers what is due, for as long as the server runs.
pub async fn keep_delivering(db: Db, world: World, seal: Seal, outgoing: Outgoing, stop: Stop) {
    loop {
        let is_more = match deliver(&db, &world, &seal, &outgoing).await {
            Ok(sent) => sent > 0,
            Err(err) => {
                tracing::debug!(error = format!("{err:#}"), "delivering to webhooks failed");
                false
            }
        };
        if stop.is_requested() || (!is_more && !stop.sleep(BETWEEN_LOOKS).await) {
            return;
        }
    }
}

/// Some of it: how much.
async fn deliver(db: &Db, world: &World, seal: &Seal, outgoing: &Outgoing) -> base::error::Result<usize> {
    let due = webhooks::claim(&mut *db.conn().await?, seal).await?;
    let attempts = join_all(due.iter().map(|due| send(outgoing, world, due))).await;
    if due.is_empty() {
        return Ok(0);
    }
    let mut conn = db.conn().await?;
    for (due, attempt) in due.iter().zip(&attempts) {
        webhooks::settle(&mut conn, due, attempt).await?;
    }
    Ok(due.len())
}

async fn send(outgoing: &Outgoing, world: &World, due: &Due) -> Attempt {
    let now = world.now();
    let signature = due.secret.sign(due.id, now, &due.body);
    let sent = outgoing.send(&due.url, |client, url| {
        let request =
            client.post(url).header(CONTENT_TYPE, "application/json").header("webhook-id", due.id.to_string());
        let request = request.header("webhook-timestamp", now.as_second().to_string());
        request.header("webhook-signature", signature).body(due.body.clone())
    });
    // Of the answer nothing but its status is read.
    match sent.await {
        Ok(answer) if answer.status().is_success() => Attempt { status: Some(answer.status().as_u16()), failure: None },
        Ok(answer) => Attempt { status: Some(answer.status().as_u16()), failure: Some("refused") },
        Err(why) => Attempt { status: None, failure: Some(why.code()) },
    }
}
