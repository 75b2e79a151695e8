//! Two people on one phone: whose session the pages use, and the end of the other's.

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, post};
use jiff::SignedDuration;

use base::auth::{Role, Tokens, Use};
use base::db::Db;
use base::error::internal;
use base::world::World;
use play::sessions::{self, PageToken};
use web_base::error::ApiResult;
use web_base::extract::{Companion, OTHER_COOKIE, PAGE_COOKIE, Visitor, closed_other, own_cookie};
use web_base::limits::{Budget, Writes};
use web_base::page::{BackForm, Flash, Form, Page, clear_cache};

/// From now on the phone's pages are the other person's.
#[post("/hand-over")]
pub async fn hand_over(
    _: Budget<Writes>,
    request: HttpRequest,
    (tokens, world): (Data<Tokens>, Data<World>),
    page: Page,
    (Visitor(holder), Companion(other)): (Visitor, Companion),
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    let back = form.path();
    if holder.is_some_and(|it| it.role > Role::Player) {
        return Ok(page.go_with(back, Flash::bad("phone_of_staff", "")));
    }
    let token = |cookie| {
        let token = own_cookie(&request, cookie)?.value().to_owned();
        let claims = tokens.read(&token, Use::Page, world.now()).ok()?;
        Some(PageToken { life: SignedDuration::from_secs(claims.exp - world.now().as_second()), token })
    };
    match other.and_then(|_| token(OTHER_COOKIE)) {
        Some(other) => page.go_handed_over(back, other, holder.and_then(|_| token(PAGE_COOKIE))),
        None => without_other(&page, back, Flash::bad("nobody_else_here", "")),
    }
}

/// The other person plays on this phone no more.
#[post("/hand-over/end")]
pub async fn end_other(
    _: Budget<Writes>,
    db: Data<Db>,
    world: Data<World>,
    page: Page,
    Companion(other): Companion,
    Form(form): Form<BackForm>,
) -> ApiResult<HttpResponse> {
    if let Some(other) = other {
        sessions::close(&mut *db.conn().await?, &world, &other).await?;
    }
    let mut response = without_other(&page, form.path(), Flash::good("signed-out", ""))?;
    clear_cache(&mut response);
    Ok(response)
}

fn without_other(page: &Page, back: &str, flash: Flash) -> ApiResult<HttpResponse> {
    let mut response = page.go_with(back, flash);
    response.add_cookie(&closed_other(page.is_secure())).map_err(internal)?;
    Ok(response)
}
