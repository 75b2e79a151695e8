//! `/api/v1/audit`.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::get;
use actix_web::web::{Data, Json};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use base::audit;
use base::audit::chain::{Finding, NotedHead};
use base::audit::store::{self, Filter, LineRow};
use base::auth::can;
use base::ids::hex;
use base::list::{List, page_size, start};
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Search};
use web_base::limits::{Budget, Exports};

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct AuditQuery {
    /// Who did it.
    actor: Option<Uuid>,
    #[param(example = "table.change")]
    action: Option<String>,
    /// The kind of thing that it was done to.
    #[param(example = "table")]
    subject: Option<String>,
    subject_id: Option<Uuid>,
    /// Not before this moment.
    from: Option<Timestamp>,
    /// Before this moment.
    until: Option<Timestamp>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// A line of the audit log and its link in the chain.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditEntry {
    id: i64,
    at: Timestamp,
    /// None when the command line or the set-up page did it.
    actor: Option<Uuid>,
    actor_name: Option<String>,
    #[schema(example = "table.change")]
    action: String,
    subject: String,
    subject_id: Option<Uuid>,
    #[schema(value_type = Object)]
    details: Value,
    /// Where in the chain it is.
    n: Option<i64>,
    /// The hash of the link before, in hex.
    previous: Option<String>,
    /// SHA-256 of the bytes of `previous` and of `content`, in hex.
    hash: Option<String>,
    content: Option<String>,
}

/// What a check of the chain found.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditCheck {
    whole: bool,
    /// How many links are whole from the first on.
    links: i64,
    /// The hash of the last of them, in hex: note it down to tell later whether the end was cut off.
    head: String,
    /// The first link that does not fit.
    broken_at: Option<i64>,
    /// How many lines are in no chain.
    loose: i64,
    /// The line that the server noted and the log does not hold: the end was cut off, or all of it was written again.
    not_as_noted: Option<i64>,
}

/// What staff did, the latest first. For managers and owners.
#[utoipa::path(tag = "audit", params(AuditQuery), responses((status = 200, body = List<AuditEntry>)))]
#[get("/audit")]
pub async fn list_audit(
    Authorized(mut cx): Authorized<can::ReadAudit>,
    Search(query): Search<AuditQuery>,
) -> ApiResult<Json<List<AuditEntry>>> {
    let limit = page_size(query.limit)?;
    let filter = Filter {
        actor: query.actor,
        actions: query.action.into_iter().collect(),
        subject: query.subject,
        subject_id: query.subject_id,
        from: query.from,
        until: query.until,
        before: start(query.cursor.as_deref())?,
    };
    let rows = store::list(cx.conn().await?, &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |line| line.id.to_string());
    Ok(Json(List { items: items.into_iter().map(AuditEntry::from).collect(), next }))
}

/// Recomputes every hash of the audit log and says whether the chain is intact.
#[utoipa::path(tag = "audit", responses((status = 200, body = AuditCheck)))]
#[get("/audit/check")]
pub async fn check_audit(
    _: Budget<Exports>,
    noted: Data<NotedHead>,
    Authorized(mut cx): Authorized<can::ReadAudit>,
) -> ApiResult<Json<AuditCheck>> {
    let check = audit::check(&mut cx, noted.get()).await?;
    Ok(Json(AuditCheck {
        whole: check.is_whole(),
        links: check.links,
        head: hex(&check.head),
        broken_at: if let Finding::BrokenAt(n) = check.finding { Some(n) } else { None },
        loose: if let Finding::Loose(count) = check.finding { count } else { 0 },
        not_as_noted: if let Finding::NotAsNoted(n) = check.finding { Some(n) } else { None },
    }))
}

impl From<LineRow> for AuditEntry {
    fn from(line: LineRow) -> Self {
        Self {
            id: line.id,
            at: line.at,
            actor: line.actor,
            actor_name: line.actor_name,
            action: line.action,
            subject: line.subject,
            subject_id: line.subject_id,
            details: line.details,
            n: line.link.as_ref().map(|link| link.n),
            previous: line.link.as_ref().map(|link| hex(&link.previous)),
            hash: line.link.as_ref().map(|link| hex(&link.hash)),
            content: line.link.and_then(|link| link.content),
        }
    }
}
