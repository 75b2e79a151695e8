//! `/admin/setup`: the one-time link with which the first owner makes their account.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use base::auth::Tokens;
use base::auth::{Chooser, ChosenPassword, Passwords, Role};
use base::db::Db;
use base::error::{FieldError, internal, invalid_fields, not_found};
use base::inputs::{DisplayName, Email, Password};
use base::world::World;
use play::players::{self, NewAccount};
use play::sessions::{self};
use web_base::config::Config;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Search;
use web_base::extract::page_cookie;
use web_base::extract::{Client, Visitor};
use web_base::limits::{Budget, SignIns};
use web_base::page::{Flash, Form, Page};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetUpSearch {
    token: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SetUpForm {
    token: String,
    display_name: String,
    email: String,
    password: String,
}

/// Where everybody is led until there is an owner: it says where the link is.
#[derive(Template)]
#[template(path = "admin/setup-link.html")]
struct LinkPage {
    page: Page,
}

#[derive(Template)]
#[template(path = "admin/setup.html")]
struct SetUpPage<'a> {
    page: Page,
    form: &'a SetUpForm,
    problems: Problems,
}

/// What is wrong with which field.
#[derive(Default)]
struct Problems {
    display_name: Option<String>,
    email: Option<String>,
    password: Option<String>,
}

#[get("/admin/setup")]
pub async fn show_set_up(
    _: Budget<SignIns>,
    page: Page,
    db: Data<Db>,
    world: Data<World>,
    Search(search): Search<SetUpSearch>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let Some(token) = search.token else {
        if players::has_owner(&mut conn).await? {
            return Ok(page.go_to("/admin"));
        }
        let template = LinkPage { page };
        return template.page.html_once(StatusCode::OK, &template);
    };
    if !players::is_setup_token(&mut conn, &world, token.trim()).await? {
        return Err(not_found("setup_link_invalid").into());
    }
    let form = SetUpForm { token: token.trim().to_owned(), ..SetUpForm::default() };
    show(page, StatusCode::OK, &form, Problems::default())
}

#[post("/admin/setup")]
pub async fn set_up(
    _: Budget<SignIns>,
    page: Page,
    db: Data<Db>,
    (world, tokens, passwords, config): (Data<World>, Data<Tokens>, Data<Passwords>, Data<Config>),
    (Client(device), Visitor(former)): (Client, Visitor),
    Form(form): Form<SetUpForm>,
) -> ApiResult<HttpResponse> {
    let (name, email) = (DisplayName::parse(&form.display_name), Email::parse(&form.email));
    let chosen = || {
        let (name, email) = (name.as_ref().ok().map(DisplayName::as_str), email.as_ref().ok().map(Email::as_str));
        ChosenPassword::new(Password::parse(&form.password)?, Chooser { role: Role::Owner, name, email }, "/password")
    };
    let password = chosen();
    let read = (name, email, password);
    let (name, email, password) = match read {
        (Ok(name), Ok(email), Ok(password)) => (name, email, password),
        (name, email, password) => {
            let said = |err: Option<FieldError>| {
                err.and_then(|err| ApiError::from(invalid_fields(vec![err])).problem(page.lang).errors.pop())
                    .map(|it| it.detail)
            };
            let problems =
                Problems { display_name: said(name.err()), email: said(email.err()), password: said(password.err()) };
            return show(page, StatusCode::UNPROCESSABLE_ENTITY, &form, problems);
        }
    };
    let hash = passwords.hash(&world, password).await?;
    let mut conn = db.conn().await?;
    let owner =
        players::set_up(&mut conn, &world, &form.token, NewAccount { email: &email, name: &name, password: &hash })
            .await?;
    let cookie = sessions::open_page(&mut conn, &world, &tokens, &owner, &device).await?;
    if let Some(former) = former {
        sessions::close(&mut conn, &world, &former).await?;
    }
    let mut response = page.go_with("/admin/opening", Flash::good("welcome", name.as_str()));
    response.add_cookie(&page_cookie(cookie, config.is_secure())).map_err(internal)?;
    Ok(response)
}

fn show(page: Page, status: StatusCode, form: &SetUpForm, problems: Problems) -> ApiResult<HttpResponse> {
    let template = SetUpPage { page, form, problems };
    template.page.html_once(status, &template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        let form = SetUpForm::default();
        samples::check(samples::ANYBODY, |page| {
            SetUpPage { page, form: &form, problems: Problems::default() }.render()
        });
        samples::check(samples::ANYBODY, |page| LinkPage { page }.render());
    }
}
