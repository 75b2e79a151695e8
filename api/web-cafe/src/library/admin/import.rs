//! A sheet is looked through before it is taken in.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::LIST;
use base::auth::can;
use play::library::form::Column;
use play::library::import::{Effect, Import};
use play::library::{self, csv};
use web_base::error::{ApiError, ApiResult};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Page, StaffPage, Upload, is_too_large};

#[derive(Template)]
#[template(path = "admin/library/import.html")]
struct ImportPage {
    page: Page,
    text: String,
    preview: Option<Import>,
    /// Why it cannot be read at all.
    wrong: Option<String>,
}

#[get("/admin/library/import")]
pub async fn show_import(StaffPage { page, cx: _ }: StaffPage<can::ManageLibrary>) -> ApiResult<HttpResponse> {
    let template = ImportPage { page, text: String::new(), preview: None, wrong: None };
    template.page.html(&template)
}

/// Shows what would be done; what was seen and agreed to is done.
#[post("/admin/library/import")]
pub async fn import_library(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageLibrary>,
    upload: ApiResult<Upload>,
) -> ApiResult<HttpResponse> {
    let upload = match upload {
        Err(err) if is_too_large(&err) => return refuse(page, String::new(), csv::too_long().into()),
        upload => upload?,
    };
    let write = upload.bytes("write").is_some();
    let bytes = upload.bytes("file").or_else(|| upload.bytes("text")).map(AsRef::as_ref).unwrap_or_default();
    let text = csv::decode(bytes, page.lang);
    match library::import(&mut cx, page.lang, bytes, write).await {
        Ok(done) if done.written => {
            let told = page.say("import-lines").with("new", done.count(Effect::New));
            let told = told.with("changed", done.count(Effect::Changed)).with("same", done.count(Effect::Same));
            let told = told.with("refused", 0).to_string();
            Ok(page.go_with(LIST, Flash::good("library-imported", &told)))
        }
        Ok(preview) => {
            let template = ImportPage { page, text, preview: Some(preview), wrong: None };
            template.page.html(&template)
        }
        // People cannot correct a file that is not text.
        Err(err) if err.code() == "sheet_unreadable" => refuse(page, String::new(), err.into()),
        Err(err) => refuse(page, text, err.into()),
    }
}

fn refuse(page: Page, text: String, err: ApiError) -> ApiResult<HttpResponse> {
    let problem = err.problem(page.lang);
    if problem.status != StatusCode::UNPROCESSABLE_ENTITY.as_u16() {
        return Err(err);
    }
    let template = ImportPage { page, text, preview: None, wrong: Some(problem.detail) };
    template.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::MANAGERS, |page| {
            let wrong = Some(page.t("error-sheet_unreadable"));
            ImportPage { page, text: "x".to_owned(), preview: None, wrong }.render()
        });
    }
}
