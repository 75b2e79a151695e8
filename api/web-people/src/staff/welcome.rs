//! `/admin/welcome`: where a link for staff leads to.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use base::auth::Tokens;
use base::auth::{ChosenPassword, Passwords};
use base::db::Db;
use base::error::{FieldError, internal};
use base::inputs::{DisplayName, Password};
use base::world::World;
use play::sessions::{self};
use play::staff::links::{self, Purpose};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::extract::page_cookie;
use web_base::extract::{Client, Visitor};
use web_base::limits::{Budget, SignIns};
use web_base::page::{Flash, Form, Page};

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
pub async fn show_welcome(
    _: Budget<SignIns>,
    page: Page,
    db: Data<Db>,
    world: Data<World>,
    Search(search): Search<WelcomeSearch>,
) -> ApiResult<HttpResponse> {
    let purpose = links::find(&mut *db.conn().await?, &world, &search.token).await?;
    let form = &WelcomeForm { token: search.token, ..WelcomeForm::default() };
    let template = WelcomePage { page, form, purpose, wrong_name: None, wrong_password: None };
    template.page.html_once(StatusCode::OK, &template)
}

#[post("/admin/welcome")]
pub async fn welcome(
    _: Budget<SignIns>,
    page: Page,
    db: Data<Db>,
    (world, tokens, passwords, config): (Data<World>, Data<Tokens>, Data<Passwords>, Data<Config>),
    (Client(device), Visitor(former)): (Client, Visitor),
    Form(form): Form<WelcomeForm>,
) -> ApiResult<HttpResponse> {
    let purpose = links::find(&mut *db.conn().await?, &world, &form.token).await?;
    let name = match &purpose {
        Purpose::Join { .. } => DisplayName::parse(&form.display_name).map(Some),
        Purpose::Password(_) => Ok(None),
    };
    let chosen = |name: Option<&DisplayName>| {
        ChosenPassword::new(Password::parse(&form.password)?, purpose.chooser(name), "/password")
    };
    let password = chosen(name.as_ref().ok().and_then(Option::as_ref));
    let (name, password) = match (name, password) {
        (Ok(name), Ok(password)) => (name, password),
        (name, password) => {
            let said = |err: Option<FieldError>| err.map(|err| err.detail(page.lang));
            let (wrong_name, wrong_password) = (said(name.err()), said(password.err()));
            let template = WelcomePage { page, form: &form, purpose, wrong_name, wrong_password };
            return template.page.html_once(StatusCode::UNPROCESSABLE_ENTITY, &template);
        }
    };
    let hash = passwords.hash(&world, password).await?;
    let mut conn = db.conn().await?;
    let Some(name) = name else {
        links::take_password(&mut conn, &world, &form.token, &hash).await?;
        return Ok(page.go_with("/admin/sign-in", Flash::good("password-taken", "")));
    };
    let row = links::join(&mut conn, &world, &form.token, &name, &hash).await?;
    let cookie = sessions::open_page(&mut conn, &world, &tokens, &row, &device).await?;
    if let Some(former) = former {
        sessions::close(&mut conn, &world, &former).await?;
    }
    let mut response = page.go_with("/admin", Flash::good("joined", name.as_str()));
    response.add_cookie(&page_cookie(cookie, config.is_secure())).map_err(internal)?;
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
            Purpose::Join { email, role, .. } => {
                let role = self.page.t(role.key());
                self.page.say("welcome-join").with("email", email.as_str()).with("role", role).to_string()
            }
            Purpose::Password(holder) => self.page.say("welcome-password").with("name", &holder.name).to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use base::auth::Role;
    use base::inputs::Email;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        let email = Email::parse("jun@example.org").unwrap();
        samples::check(samples::ANYBODY, |page| {
            let purpose = Purpose::Join { email: email.clone(), role: Role::Staff, invited_by: "민아".to_owned() };
            let wrong = Some(page.t("field-empty"));
            let form = &WelcomeForm::default();
            WelcomePage { page, form, purpose, wrong_name: wrong.clone(), wrong_password: wrong }.render()
        });
    }
}
