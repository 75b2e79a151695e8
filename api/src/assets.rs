//! The files that pages need, inside the program. Their addresses hold a hash of what is in them, so browsers keep them for good.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::LazyLock;

use actix_web::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, HeaderMap, HeaderValue, VARY};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use crate::error::{ApiResult, not_found};
use crate::extract::Path;

#[derive(Embed)]
#[folder = "../templates/static"]
struct Files;

/// In this order, and the cascade's layers in the order of `LAYERS`.
const STYLES: [&str; 14] = [
    "reset",
    "tokens",
    "base",
    "layout",
    "parts",
    "pages",
    "boards",
    "library",
    "variants",
    "people",
    "floor",
    "stats",
    "tournaments",
    "print",
];
const SCRIPTS: [&str; 4] = ["vendor/htmx-4.0.1.min.js", "vendor/hx-sse-4.0.1.min.js", "house.js", "drag.js"];

struct Asset {
    kind: &'static str,
    plain: Bytes,
    zipped: Bytes,
}

#[derive(Default)]
struct Assets {
    /// By the last part of the address.
    served: HashMap<String, Asset>,
    /// From a file's name to its address.
    urls: HashMap<String, String>,
}

static ASSETS: LazyLock<Assets> = LazyLock::new(Assets::load);

/// The address of `house.css`, `house.js` or a file of `art`.
pub fn url(name: &str) -> &'static str {
    ASSETS.urls.get(name).map_or("", String::as_str)
}

#[get("/static/{name}")]
pub(crate) async fn show_asset(request: HttpRequest, Path(name): Path<String>) -> ApiResult<HttpResponse> {
    let asset = ASSETS.served.get(&name).ok_or_else(|| not_found("not_found"))?;
    let mut response = HttpResponse::Ok();
    response.content_type(asset.kind);
    response.insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"));
    response.insert_header((VARY, "accept-encoding"));
    if !takes_gzip(request.headers()) {
        return Ok(response.body(asset.plain.clone()));
    }
    response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
    Ok(response.body(asset.zipped.clone()))
}

pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let codings = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
    codings.split(',').any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        name.trim().eq_ignore_ascii_case("gzip") && weight.trim() != "q=0"
    })
}

pub fn gzip(bytes: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::new(level));
    // Writing into memory does not fail.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

impl Assets {
    fn load() -> Self {
        let mut assets = Self::default();
        for path in Files::iter().filter(|path| path.starts_with("rules/")) {
            assets.add(&path, "image/svg+xml", text(&path));
        }
        let mut art: Vec<_> = Files::iter().filter(|path| path.starts_with("art/")).collect();
        art.sort();
        for path in &art {
            let name = path.trim_start_matches("art/");
            assets.add(name, "image/svg+xml", text(path));
        }
        let styles = assets.styles(&art);
        assets.add("house.css", "text/css; charset=utf-8", styles);
        let scripts = SCRIPTS.map(text).join("\n;");
        assets.add("house.js", "text/javascript; charset=utf-8", scripts);
        assets
    }

    /// All layers as one sheet, in which art is found at its hashed address.
    fn styles(&self, art: &[std::borrow::Cow<'_, str>]) -> String {
        let mut sheet = format!("@layer {};\n", STYLES.join(", "));
        for style in STYLES {
            // Writing into memory does not fail.
            let _ = writeln!(sheet, "{}", text(&format!("css/{style}.css")));
        }
        art.iter().fold(sheet, |sheet, path| {
            sheet.replace(&format!("\"../{path}\""), &format!("\"{}\"", self.urls[path.trim_start_matches("art/")]))
        })
    }

    fn add(&mut self, name: &str, kind: &'static str, body: String) {
        let hash: String = Sha256::digest(&body).iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let stem = stem.rsplit('/').next().unwrap_or_default();
        let served_as = format!("{stem}-{hash}.{extension}");
        self.urls.insert(name.to_owned(), format!("/static/{served_as}"));
        let zipped = gzip(body.as_bytes(), 9).into();
        self.served.insert(served_as, Asset { kind, plain: body.into(), zipped });
    }
}

fn text(path: &str) -> String {
    Files::get(path).map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_the_sheet_and_of_the_script_is_there() {
        for path in STYLES.map(|style| format!("css/{style}.css")).iter().map(String::as_str).chain(SCRIPTS) {
            assert!(!text(path).is_empty(), "{path}");
        }
    }

    #[test]
    fn the_sheet_names_only_files_that_are_served() {
        let sheet =
            String::from_utf8(ASSETS.served[url("house.css").trim_start_matches("/static/")].plain.to_vec()).unwrap();
        assert!(!sheet.contains("../art"));
        for named in sheet.split("url(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
            assert!(ASSETS.served.contains_key(named.trim_start_matches("/static/")), "{named}");
        }
    }

    #[test]
    fn own_script_stays_small() {
        assert!(text("house.js").lines().count() <= 150);
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        let takes = |value: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(value));
            takes_gzip(&headers)
        };
        assert!(takes("br, gzip;q=0.8"));
        assert!(!takes("br"));
        assert!(!takes("gzip;q=0"));
    }
}
