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
use crate::page::{Desk, Flash, Page, Upload};
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
    upload: Upload,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepLibrary)?;
    let write = upload.bytes("write").is_some();
    let bytes = upload.bytes("file").or_else(|| upload.bytes("text")).map(AsRef::as_ref).unwrap_or_default();
    let mut text = sheet::decode(bytes, page.lang);
    let mut conn = db.conn().await?;
    let (status, shown, wrong) = match library::import(&mut conn, &world, &staff, page.lang, bytes, write).await {
        Ok(done) if done.written => {
            let told = page.say("import-lines").with("new", done.count(Effect::New));
            let told = told.with("changed", done.count(Effect::Changed)).with("same", done.count(Effect::Same));
            let told = told.with("refused", 0).to_string();
            return Ok(page.go_with(LIST, Flash::good("library-imported", &told)));
        }
        Ok(shown) => (StatusCode::OK, Some(shown), None),
        Err(ApiError::Refused(refusal)) if refusal.status == StatusCode::UNPROCESSABLE_ENTITY => {
            let problem = ApiError::Refused(refusal).problem(page.lang);
            if problem.code == "sheet_unreadable" {
                text.clear();
            }
            (StatusCode::UNPROCESSABLE_ENTITY, None, Some(problem.detail))
        }
        Err(err) => return Err(err),
    };
    let template = ImportPage { page, text, shown, wrong };
    template.page.html_as(status, &template)
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
