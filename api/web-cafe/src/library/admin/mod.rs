//! `/admin/library`: what the library has, and where each copy is.

pub mod copies;
pub mod import;
pub mod list;
pub mod titles;

use actix_web::HttpResponse;
pub use list::show_library;
pub(in crate::library) use list::{TitleView, with_copies};
pub use titles::{archive_title, change_title, make_title, restore_title, show_new_title, show_title, show_title_form};

use base::error::{Error, Kind, Result};
use play::library::TitleId;
use web_base::error::ApiResult;
use web_base::page::{Flash, Page};

const LIST: &str = "/admin/library";

/// Back to where it was done, with what came of it.
fn tell(page: &Page, back: &str, done: Result<(&str, String)>, name: &str) -> ApiResult<HttpResponse> {
    Ok(page.go_with(back, flash(done, name)?))
}

fn flash(done: Result<(&str, String)>, name: &str) -> ApiResult<Flash> {
    match done {
        Ok((key, name)) => Ok(Flash::good(key, &name)),
        Err(Error::Refused(refusal)) if refusal.kind != Kind::Unavailable => Ok(Flash::bad(&refusal.code, name)),
        Err(err) => Err(err.into()),
    }
}

fn address(id: TitleId) -> String {
    format!("{LIST}/titles/{id}")
}
