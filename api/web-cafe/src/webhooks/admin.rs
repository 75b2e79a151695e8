//! `/admin/webhooks`.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::Timestamp;
use serde_json::Value;

use super::rest::MOST_LISTED;
use base::auth::{Seal, StaffContext, can};
use base::error::{Error, Result, not_found};
use cafe::webhooks::{
    self, DeliveryId, DeliveryRow, WebhookChange, WebhookEvent, WebhookId, WebhookRequest, WebhookRow, store,
};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/webhooks";

#[derive(Template)]
#[template(path = "admin/webhooks/list.html")]
struct WebhooksPage<'a> {
    page: &'a Page,
    rows: Vec<WebhookRow>,
    tried: WebhookRequest,
    wrong: Option<String>,
}

/// The secret, shown this once.
#[derive(Template)]
#[template(path = "admin/webhooks/secret.html")]
struct SecretPage {
    page: Page,
    row: WebhookRow,
    secret: String,
}

#[derive(Template)]
#[template(path = "admin/webhooks/show.html")]
struct WebhookPage<'a> {
    page: &'a Page,
    row: WebhookRow,
    deliveries: Vec<DeliveryRow>,
    edit: Edit,
    tried: WebhookRequest,
    wrong: Option<String>,
}

#[get("/admin/webhooks")]
pub async fn show_webhooks(StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>) -> ApiResult<HttpResponse> {
    let rows = store::list(cx.conn().await?).await?;
    let tried = WebhookRequest { events: WebhookEvent::ALL.to_vec(), ..WebhookRequest::default() };
    page.html(&WebhooksPage { page: &page, rows, tried, wrong: None })
}

#[post("/admin/webhooks")]
pub async fn make_webhook(
    _: Budget<Writes>,
    seal: Data<Seal>,
    StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>,
    Form(fields): Form<Fields>,
) -> ApiResult<HttpResponse> {
    let request = read(&fields);
    match webhooks::create(&mut cx, &seal, &request).await {
        Ok((row, secret)) => {
            let template = SecretPage { page, row, secret: secret.reveal() };
            template.page.html_once(StatusCode::OK, &template)
        }
        Err(err) => {
            let (status, wrong) = refused(&page, err)?;
            let rows = store::list(cx.conn().await?).await?;
            page.html_as(status, &WebhooksPage { page: &page, rows, tried: request, wrong: Some(wrong) })
        }
    }
}

#[get("/admin/webhooks/{id}")]
pub async fn show_webhook(
    StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
) -> ApiResult<HttpResponse> {
    let view = WebhookPage::read(&mut cx, &page, id).await?;
    page.html(&view)
}

#[post("/admin/webhooks/{id}")]
pub async fn change_webhook(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let change = |now: &WebhookRow| -> Result<WebhookChange> {
        let sent = edit.onto(&fields(now))?;
        let WebhookRequest { url, events } = read(&sent);
        Ok(WebhookChange { url: Some(url), events: Some(events), is_on: Some(is_ticked(&sent, "is_on")) })
    };
    let err = match webhooks::edit(&mut cx, id, &change).await {
        Ok(row) => {
            let key = if edit.keeps_others(&fields(&row)) { "form-merged" } else { "webhook-saved" };
            return Ok(page.go_with(&row.page(), Flash::good(key, "")));
        }
        Err(err) => err,
    };
    let is_clash = err.code() == "form_changed";
    let (status, mut wrong) = refused(&page, err)?;
    let view = WebhookPage::read(&mut cx, &page, id).await?;
    let now = fields(&view.row);
    if let Some(url) = edit.clash(&now, "url").filter(|_| is_clash) {
        wrong = page.now_in_field(url);
    }
    let edit = if is_clash { edit.again(now) } else { edit };
    page.html_as(status, &WebhookPage { tried: read(edit.typed()), edit, wrong: Some(wrong), ..view })
}

#[post("/admin/webhooks/{id}/delete")]
pub async fn delete_webhook(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    webhooks::delete(&mut cx, id).await?;
    Ok(page.go_with(PAGE, Flash::good("webhook-deleted", "")))
}

#[post("/admin/webhooks/{id}/test")]
pub async fn test_webhook(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>,
    Path(id): Path<WebhookId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let flash = Flash::after(webhooks::test(&mut cx, id).await, |_| Flash::good("webhook-tested", ""))?;
    Ok(page.go_with(&format!("{PAGE}/{id}"), flash))
}

#[post("/admin/webhooks/{id}/deliveries/{delivery}/resend")]
pub async fn resend_delivery(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageWebhooks>,
    Path((id, delivery)): Path<(WebhookId, DeliveryId)>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    webhooks::resend(&mut cx, id, delivery).await?;
    Ok(page.go_with(&format!("{PAGE}/{id}"), Flash::good("webhook-resent", "")))
}

/// What the form of a webhook holds: its address, and a tick for each event by its name.
fn fields(row: &WebhookRow) -> Fields {
    let tick = |is_on: bool| if is_on { "on".to_owned() } else { String::new() };
    let events: Vec<WebhookEvent> = serde_json::from_value(row.events.clone()).unwrap_or_default();
    let of_event = |event: &WebhookEvent| (event.to_string(), tick(events.contains(event)));
    let others = [("url".to_owned(), row.url.clone()), ("is_on".to_owned(), tick(row.is_on))];
    WebhookEvent::ALL.iter().map(of_event).chain(others).collect()
}

fn is_ticked(fields: &Fields, name: &str) -> bool {
    fields.get(name).is_some_and(|value| !value.is_empty())
}

fn read(fields: &Fields) -> WebhookRequest {
    let events = WebhookEvent::ALL.iter().copied().filter(|event| is_ticked(fields, event.as_str()));
    WebhookRequest { url: fields.get("url").cloned().unwrap_or_default(), events: events.collect() }
}

/// What to tell on the page itself; a breakdown goes elsewhere.
fn refused(page: &Page, err: Error) -> ApiResult<(StatusCode, String)> {
    match err {
        Error::Refused(_) if !["forbidden", "webhook_not_found"].contains(&err.code()) => {
            let problem = ApiError::from(err).problem(page.lang);
            let status = problem.status_code();
            Ok((status, problem.sentence()))
        }
        err => Err(err.into()),
    }
}

trait WebhookAddress {
    fn page(&self) -> String;
}

impl WebhookAddress for WebhookRow {
    fn page(&self) -> String {
        format!("{PAGE}/{}", self.id)
    }
}

/// Events in words.
trait WebhookWords: AsRef<Page> {
    /// The name of an event that webhooks are told of.
    fn webhook_event(&self, event: &str) -> String {
        self.as_ref().word_or(&format!("webhook-event-{}", event.replace('.', "-")), event)
    }

    fn webhook_events(&self, events: &Value) -> String {
        let names = events.as_array().into_iter().flatten().filter_map(Value::as_str);
        names.map(|event| self.webhook_event(event)).collect::<Vec<_>>().join(", ")
    }
}

impl WebhookWords for Page {}

impl<'a> WebhookPage<'a> {
    async fn read(
        cx: &mut StaffContext<'_, can::ManageWebhooks>,
        page: &'a Page,
        id: WebhookId,
    ) -> ApiResult<WebhookPage<'a>> {
        let conn = cx.conn().await?;
        let row = store::find(conn, id).await?.ok_or_else(|| not_found("webhook_not_found"))?;
        let deliveries = store::list_deliveries(conn, id, MOST_LISTED).await?;
        let edit = Edit::of(fields(&row));
        Ok(Self { page, row, deliveries, tried: read(edit.typed()), edit, wrong: None })
    }

    fn is_on(&self) -> bool {
        is_ticked(self.edit.typed(), "is_on")
    }

    /// What became of it: tone, symbol and words.
    fn state(&self, it: &DeliveryRow) -> (&'static str, &'static str, String) {
        match (it.delivered_at, it.due_at) {
            (Some(_), _) => ("finished", "check", self.page.t("webhook-delivered")),
            (None, None) => ("attention", "ban", self.page.t("webhook-given-up")),
            (None, Some(due)) if it.attempts > 0 => ("waiting", "hourglass", self.again(due)),
            (None, Some(_)) => ("waiting", "hourglass", self.page.t("webhook-due")),
        }
    }

    fn again(&self, due: Timestamp) -> String {
        self.page.say("webhook-again").with("time", self.page.at(due)).to_string()
    }

    /// Why the last attempt failed.
    fn failure(&self, it: &DeliveryRow) -> Option<String> {
        let failure = it.failure.as_deref()?;
        Some(match it.status {
            Some(status) => self.page.say("webhook-status").with("status", status.to_string()).to_string(),
            None => self.page.word_or(&format!("webhook-failure-{failure}"), failure),
        })
    }
}

#[cfg(test)]
mod tests {
    use base::ids::PlayerId;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    fn row() -> WebhookRow {
        WebhookRow {
            id: WebhookId(Uuid::nil()),
            url: "https://example.org/house".to_owned(),
            events: json!(["match.finished", "call.opened"]),
            secret: Vec::new(),
            is_on: true,
            created_by: PlayerId(Uuid::nil()),
            created_at: Timestamp::UNIX_EPOCH,
        }
    }

    fn delivery(attempts: i16, is_due: bool, status: Option<i16>, failure: Option<&str>) -> DeliveryRow {
        DeliveryRow {
            id: DeliveryId(Uuid::from_u128(attempts.unsigned_abs().into())),
            event: if attempts == 0 { "webhook.test" } else { "match.finished" }.to_owned(),
            data: json!({}),
            happened_at: Timestamp::UNIX_EPOCH,
            due_at: is_due.then_some(Timestamp::UNIX_EPOCH),
            attempts,
            attempted_at: None,
            delivered_at: (!is_due && failure.is_none()).then_some(Timestamp::UNIX_EPOCH),
            status,
            failure: failure.map(str::to_owned),
        }
    }

    #[test]
    fn pages_are_complete() {
        samples::check(samples::MANAGERS, |page| {
            let tried = WebhookRequest { url: "ftp://a".to_owned(), events: vec![WebhookEvent::CallOpened] };
            let wrong = Some(page.t("field-no_webhook_url"));
            let rows = vec![row(), WebhookRow { is_on: false, ..row() }];
            WebhooksPage { page: &page, rows, tried, wrong }.render()
        });
        samples::check(samples::MANAGERS, |page| {
            SecretPage { page, row: row(), secret: "whsec_AAAA".to_owned() }.render()
        });
        samples::check(samples::MANAGERS, |page| {
            let deliveries = vec![
                delivery(0, true, None, None),
                delivery(1, false, Some(204), None),
                delivery(2, true, Some(500), Some("refused")),
                delivery(10, false, None, Some("timeout")),
            ];
            let edit = Edit::of(fields(&row())).again(fields(&WebhookRow { is_on: false, ..row() }));
            let tried = read(edit.typed());
            assert_eq!(tried.events, [WebhookEvent::MatchFinished, WebhookEvent::CallOpened]);
            WebhookPage { page: &page, row: row(), deliveries, edit, tried, wrong: None }.render()
        });
    }
}
