//! `/admin/keys`.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use base::auth::{StaffContext, can};
use base::error::{Error, FieldError, invalid_fields};
use base::inputs::DisplayName;
use cafe::api_keys::{self, KeyId, KeyRequest, KeyRole, KeyRow, store};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/keys";
/// The lives that the page offers, in days; 0 for a key that lasts until it is revoked.
const LIVES: [u16; 4] = [30, 90, 365, 0];

/// The fields as they were sent.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Fields {
    #[serde(default)]
    name: String,
    role: KeyRole,
    #[serde(default)]
    days: u16,
    sandbox: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/keys/list.html")]
struct KeysPage<'a> {
    page: &'a Page,
    rows: Vec<KeyRow>,
    tried: Fields,
    wrong: Option<String>,
}

/// The secret, shown this once.
#[derive(Template)]
#[template(path = "admin/keys/secret.html")]
struct SecretPage {
    page: Page,
    row: KeyRow,
    secret: String,
}

#[get("/admin/keys")]
pub async fn show_keys(StaffPage { page, cx }: StaffPage<can::ManageKeys>) -> ApiResult<HttpResponse> {
    let tried = Fields { name: String::new(), role: KeyRole::Staff, days: LIVES[1], sandbox: None };
    list(&page, cx, StatusCode::OK, tried, None).await
}

#[post("/admin/keys")]
pub async fn make_key(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageKeys>,
    Form(fields): Form<Fields>,
) -> ApiResult<HttpResponse> {
    let made = match fields.request(page.now) {
        Ok(request) => api_keys::create(&mut cx, &request).await,
        Err(wrong) => Err(invalid_fields(vec![wrong.at("/name")])),
    };
    match made {
        Ok((row, secret)) => {
            let template = SecretPage { page, row, secret: secret.reveal().to_owned() };
            template.page.html_once(StatusCode::OK, &template)
        }
        Err(err @ Error::Refused(_)) if err.code() != "forbidden" => {
            let problem = ApiError::from(err).problem(page.lang);
            let status = problem.status_code();
            list(&page, cx, status, fields, Some(problem.sentence())).await
        }
        Err(err) => Err(err.into()),
    }
}

#[post("/admin/keys/{id}/revoke")]
pub async fn revoke_key(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageKeys>,
    Path(id): Path<KeyId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    api_keys::revoke(&mut cx, id).await?;
    Ok(page.go_with(PAGE, Flash::good("api-key-revoked", "")))
}

async fn list(
    page: &Page,
    mut cx: StaffContext<'static, can::ManageKeys>,
    status: StatusCode,
    tried: Fields,
    wrong: Option<String>,
) -> ApiResult<HttpResponse> {
    let rows = store::list(cx.conn().await?).await?;
    page.html_as(status, &KeysPage { page, rows, tried, wrong })
}

impl Fields {
    fn request(&self, now: Timestamp) -> Result<KeyRequest, FieldError> {
        let expires_at = (self.days > 0).then(|| now + SignedDuration::from_hours(24 * i64::from(self.days)));
        let (role, sandbox) = (self.role, self.sandbox.is_some());
        Ok(KeyRequest { name: DisplayName::parse(&self.name)?, role, expires_at, sandbox })
    }
}

impl KeysPage<'_> {
    /// In days, what each is called, and whether it was chosen.
    fn lives(&self) -> [(u16, String, bool); 4] {
        LIVES.map(|days| {
            let words = match days {
                0 => self.page.t("api-key-lasts"),
                days => self.page.say("api-key-days").with("count", days).to_string(),
            };
            (days, words, days == self.tried.days)
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    fn row() -> KeyRow {
        KeyRow {
            id: KeyId(Uuid::nil()),
            name: "대진표".to_owned(),
            prefix: "hrk_Rk3xVb9q".to_owned(),
            role: KeyRole::Manager,
            sandbox: true,
            created_at: Timestamp::UNIX_EPOCH,
            expires_at: None,
            used_at: Some(Timestamp::UNIX_EPOCH),
        }
    }

    #[test]
    fn pages_are_complete() {
        samples::check(samples::MANAGERS, |page| {
            let expired = KeyRow { expires_at: Some(Timestamp::UNIX_EPOCH), used_at: None, sandbox: false, ..row() };
            let later = Timestamp::from_second(4_000_000_000).ok();
            let lasting = KeyRow { role: KeyRole::Staff, expires_at: later, ..row() };
            let tried = Fields { name: String::new(), role: KeyRole::Manager, days: 0, sandbox: Some(String::new()) };
            let (rows, wrong) = (vec![row(), expired, lasting], Some(page.t("field-empty")));
            KeysPage { page: &page, rows, tried, wrong }.render()
        });
        samples::check(samples::MANAGERS, |page| {
            SecretPage { page, row: row(), secret: "hrk_AAAA".to_owned() }.render()
        });
    }
}
