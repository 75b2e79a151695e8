//! The page that says what went wrong.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use askama::Template;

use web_base::error::{DrawError, Problem};
use web_base::page::Page;
use web_people::sessions::admin::sign_in_page;

/// Draws the error page, or for somebody who is not signed in the page on which to do that.
pub(super) fn error_page(request: &HttpRequest) -> Option<DrawError> {
    let page = Page::of(request).ok()?;
    Some(Box::new(move |problem| {
        let status = StatusCode::from_u16(problem.status).ok()?;
        if status == StatusCode::UNAUTHORIZED && page.fragment {
            // The session has ended while its page was open: reloading the page shows where to sign in.
            return Some(HttpResponse::Unauthorized().insert_header(("hx-refresh", "true")).finish());
        }
        let page = match status {
            StatusCode::UNAUTHORIZED => sign_in_page(page, problem),
            _ => page.html_as(status, &ErrorPage { problem, page: &page }),
        };
        page.ok()
    }))
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    page: &'a Page,
    problem: &'a Problem,
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn the_page_of_an_error_is_complete() {
        for readers in [samples::STAFF, samples::ANYBODY] {
            samples::check(readers, |page| {
                let (title, detail) = (page.t("status-404"), page.t("error-not_found"));
                let problem = Problem {
                    title,
                    status: 404,
                    detail,
                    code: "not_found".to_owned(),
                    current_version: None,
                    errors: vec![],
                };
                ErrorPage { page: &page, problem: &problem }.render()
            });
        }
    }
}
