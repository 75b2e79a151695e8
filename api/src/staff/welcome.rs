//! `/admin/welcome`: where a link for staff leads to.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::links::{self, Purpose};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiResult, FieldError, internal};
use crate::extract::{DisplayName, Password, Search};
use crate::limits::SignInLimit;
use crate::page::{Flash, Form, Page};
use crate::players::Passwords;
use crate::sessions::{self, Device, Tokens};
use crate::world::World;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WelcomeSearch {
    token: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WelcomeForm {
    token: String,
    /// Of somebody who is new.
    #[serde(default)]
    display_name: String,
    password: String,
}

#[derive(Template)]
#[template(path = "admin/staff/welcome.html")]
struct WelcomePage<'a> {
    page: Page,
    form: &'a WelcomeForm,
    purpose: Purpose,
    wrong_name: Option<String>,
    wrong_password: Option<String>,
}

#[get("/admin/welcome")]
pub(crate) async fn show_welcome(
    _: SignInLimit,
    page: Page,
    db: Data<Db>,
    world: Data<World>,
    Search(search): Search<WelcomeSearch>,
) -> ApiResult<HttpResponse> {
    let purpose = links::find(&mut *db.conn().await?, &world, &search.token).await?;
    let form = &WelcomeForm { token: search.token, ..WelcomeForm::default() };
    let template = WelcomePage { page, form, purpose, wrong_name: None, wrong_password: None };
    template.page.html(&template)
}

#[post("/admin/welcome")]
pub(crate) async fn welcome(
    _: SignInLimit,
    page: Page,
    db: Data<Db>,
    (world, tokens, passwords, config): (Data<World>, Data<Tokens>, Data<Passwords>, Data<Config>),
    device: Device,
    Form(form): Form<WelcomeForm>,
) -> ApiResult<HttpResponse> {
    let purpose = links::find(&mut *db.conn().await?, &world, &form.token).await?;
    let name = match &purpose {
        Purpose::Join { .. } => DisplayName::parse(&form.display_name).map(Some),
        Purpose::Password(_) => Ok(None),
    };
    let (name, password) = match (name, Password::parse(&form.password)) {
        (Ok(name), Ok(password)) => (name, password),
        (name, password) => {
            let said = |err: Option<FieldError>| err.map(|err| err.detail(page.lang));
            let (wrong_name, wrong_password) = (said(name.err()), said(password.err()));
            let template = WelcomePage { page, form: &form, purpose, wrong_name, wrong_password };
            return template.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &template);
        }
    };
    let hash = passwords.hash(&world, password).await?;
    let mut conn = db.conn().await?;
    let Some(name) = name else {
        links::take_password(&mut conn, &world, &form.token, &hash).await?;
        return Ok(page.go_with("/admin/sign-in", Flash::good("password-taken", "")));
    };
    let row = links::join(&mut conn, &world, &form.token, (&name, &hash)).await?;
    let cookie = sessions::open_page(&mut conn, &world, &tokens, &row, &device, config.is_secure()).await?;
    let mut response = page.go_with("/admin", Flash::good("joined", name.as_str()));
    response.add_cookie(&cookie).map_err(internal)?;
    Ok(response)
}

impl WelcomePage<'_> {
    fn invited(&self) -> Option<&str> {
        match &self.purpose {
            Purpose::Join { email, .. } => Some(email.as_str()),
            Purpose::Password(_) => None,
        }
    }

    fn lead(&self) -> String {
        match &self.purpose {
            Purpose::Join { email, role } => {
                let role = self.page.t(role.key());
                self.page.say("welcome-join").with("email", email.as_str()).with("role", role).to_string()
            }
            Purpose::Password(holder) => self.page.say("welcome-password").with("name", &holder.name).to_string(),
        }
    }
}
