//! A sheet is looked through before it is taken in.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::LIST;
use crate::db::Db;
use crate::error::{ApiError, ApiResult};
use crate::library::form::Column;
use crate::library::import::{Effect, Import};
use crate::library::{self, sheet};
use crate::page::{Desk, Flash, Page, Upload, is_too_large};
use crate::staff::Deed;
use crate::world::World;

#[derive(Template)]
#[template(path = "admin/library/import.html")]
struct ImportPage {
    page: Page,
    text: String,
    shown: Option<Import>,
    /// Why it cannot be read at all.
    wrong: Option<String>,
}

#[get("/admin/library/import")]
pub(crate) async fn show_import(Desk { page, staff }: Desk) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let template = ImportPage { page, text: String::new(), shown: None, wrong: None };
    template.page.html(&template)
}

/// Shows what would be done; what was seen and agreed to is done.
#[post("/admin/library/import")]
pub(crate) async fn import_library(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    upload: ApiResult<Upload>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let upload = match upload {
        Err(err) if is_too_large(&err) => return refuse(page, String::new(), sheet::too_long()),
        upload => upload?,
    };
    let write = upload.bytes("write").is_some();
    let bytes = upload.bytes("file").or_else(|| upload.bytes("text")).map(AsRef::as_ref).unwrap_or_default();
    let text = sheet::decode(bytes, page.lang);
    let mut conn = db.conn().await?;
    match library::import(&mut conn, &world, &staff, page.lang, bytes, write).await {
        Ok(done) if done.written => {
            let told = page.say("import-lines").with("new", done.count(Effect::New));
            let told = told.with("changed", done.count(Effect::Changed)).with("same", done.count(Effect::Same));
            let told = told.with("refused", 0).to_string();
            Ok(page.go_with(LIST, Flash::good("library-imported", &told)))
        }
        Ok(shown) => {
            let template = ImportPage { page, text, shown: Some(shown), wrong: None };
            template.page.html(&template)
        }
        // What is no text is nothing to be mended by hand.
        Err(err) if err.code() == "sheet_unreadable" => refuse(page, String::new(), err),
        Err(err) => refuse(page, text, err),
    }
}

fn refuse(page: Page, text: String, err: ApiError) -> ApiResult<HttpResponse> {
    let problem = err.problem(page.lang);
    if problem.status != StatusCode::UNPROCESSABLE_ENTITY.as_u16() {
        return Err(err);
    }
    let template = ImportPage { page, text, shown: None, wrong: Some(problem.detail) };
    template.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &template)
}

impl Import {
    fn count(&self, effect: Effect) -> usize {
        self.lines.iter().filter(|line| line.effect == effect).count()
    }

    fn changes_nothing(&self) -> bool {
        self.count(Effect::New) + self.count(Effect::Changed) == 0
    }
}

impl Effect {
    fn key(self) -> &'static str {
        match self {
            Self::New => "effect-new",
            Self::Changed => "effect-changed",
            Self::Same => "effect-same",
            Self::Refused => "effect-refused",
        }
    }

    /// Of its colour in the style sheet.
    fn tone(self) -> &'static str {
        match self {
            Self::New => "finished",
            Self::Changed => "playing",
            Self::Same => "none",
            Self::Refused => "attention",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::New => "plus",
            Self::Changed => "edit",
            Self::Same => "check",
            Self::Refused => "cross",
        }
    }
}
