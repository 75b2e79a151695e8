//! What makes the guests' pages an app on a phone: its manifest, the service worker, and the page that it shows offline.
//! Browsers use them on `localhost` and over TLS; over plain HTTP the pages work as they do without.

use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpResponse, get};
use askama::Template;
use serde_json::json;

use web_base::assets;
use web_base::error::ApiResult;
use web_base::page::Page;

/// What the service worker keeps from the first visit on, besides the offline page: what every page is drawn with.
const SHELL: [&str; 5] = ["house.css", "house.js", "symbols.svg", "pieces.svg", "favicon.svg"];

#[derive(Template)]
#[template(path = "guest/offline.html")]
struct OfflinePage {
    page: Page,
}

#[get("/manifest.webmanifest")]
pub(crate) async fn show_manifest(page: Page) -> HttpResponse {
    let icon = |purpose: &str| json!({ "src": page.asset("favicon.svg"), "sizes": "any", "type": "image/svg+xml", "purpose": purpose });
    let manifest = json!({
        "name": page.house(),
        "short_name": page.house(),
        "lang": page.lang.code(),
        "id": "/",
        "start_url": "/",
        "display": "standalone",
        "background_color": "#0d2638",
        "theme_color": "#0d2638",
        "icons": [icon("any"), icon("maskable")],
    });
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "private, no-cache"));
    response.content_type("application/manifest+json").body(manifest.to_string())
}

/// The worker with the addresses of this version's files. Its text changes with them, so browsers fetch it again.
#[get("/service-worker.js")]
pub(crate) async fn show_service_worker() -> HttpResponse {
    let shell = json!(SHELL.map(assets::url)).to_string();
    let worker = assets::text("service-worker.js").replace("[/* shell */]", &shell);
    let mut response = HttpResponse::Ok();
    response.insert_header((CACHE_CONTROL, "no-cache"));
    response.content_type("text/javascript; charset=utf-8").body(worker)
}

#[get("/offline")]
pub(crate) async fn show_offline(page: Page) -> ApiResult<HttpResponse> {
    let template = OfflinePage { page };
    template.page.html(&template)
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::ANYBODY, |page| OfflinePage { page }.render());
    }

    #[test]
    fn a_page_that_is_kept_has_no_form_whose_token_grows_old() {
        samples::check(samples::ANYBODY, |page| {
            let html = OfflinePage { page }.render()?;
            assert!(!html.contains("<form"), "{html}");
            Ok(html)
        });
    }
}
