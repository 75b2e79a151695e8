//! `/admin/library`: what the library has, and where each copy is.

pub(crate) mod copies;
pub(crate) mod import;
mod list;
mod titles;

use actix_web::HttpResponse;
use actix_web::web::Data;
pub(crate) use list::show_library;
pub(in crate::library) use list::{Shown, with_copies};
pub(crate) use titles::{
    archive_title, change_title, make_title, restore_title, show_new_title, show_title, show_title_form,
};

use crate::db::Db;
use crate::error::{ApiError, ApiResult};
use crate::library::TitleId;
use crate::live::Live;
use crate::page::{Flash, Page};
use crate::world::World;

const LIST: &str = "/admin/library";

type Means = (Data<Db>, Data<World>, Data<Live>);

/// Back to where it was done, with what came of it.
fn tell(page: &Page, back: &str, done: ApiResult<(&str, String)>, name: &str) -> ApiResult<HttpResponse> {
    Ok(page.go_with(back, flash(done, name)?))
}

fn flash(done: ApiResult<(&str, String)>, name: &str) -> ApiResult<Flash> {
    match done {
        Ok((key, name)) => Ok(Flash::good(key, &name)),
        Err(ApiError::Refused(refusal)) if refusal.status.is_client_error() => {
            Ok(Flash::bad(&refusal.code.replace('_', "-"), name))
        }
        Err(err) => Err(err),
    }
}

fn address(id: TitleId) -> String {
    format!("{LIST}/titles/{id}")
}
