//! The files that pages need, inside the program; a debug build reads them from disk. Their addresses hold a hash of what is in
//! them, so browsers keep them for good.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::OnceLock;

use actix_web::http::header::{
    AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, Encoding, Header, HeaderValue, Preference, Quality, VARY,
};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use crate::error::ApiResult;
use crate::extract::Path;
use cafe::error::not_found;
use cafe::ids::hex;
use cafe::tables::plan::{COLUMNS, ROWS};
use cafe::templates::Made;

#[derive(Embed)]
#[folder = "../../templates/static"]
struct Files;

/// The layers of the cascade in their order, a file each.
const LAYERS: [&str; 20] = [
    "reset",
    "tokens",
    "base",
    "layout",
    "parts",
    "pages",
    "boards",
    "trays",
    "trays-games",
    "library",
    "variants",
    "people",
    "tournaments",
    "play",
    "floor",
    "stats",
    "desk",
    "counter",
    "staff",
    "print",
];
/// Those that only pages of the staff need: a guest's first visit is light.
const STAFF_LAYERS: [&str; 5] = ["floor", "stats", "desk", "counter", "staff"];
const SCRIPTS: [&str; 11] = [
    "vendor/htmx-4.0.1.min.js",
    "vendor/hx-sse-4.0.1.min.js",
    "house.js",
    "offline.js",
    "drag.js",
    "fair.js",
    "pwa.js",
    "trays.js",
    "play.js",
    "reactions.js",
    "wire.js",
];

/// Besides those, on pages of the staff.
const STAFF_SCRIPTS: [&str; 4] = ["counter.js", "calls.js", "replay.js", "plan.js"];

struct Asset {
    kind: &'static str,
    plain: Bytes,
    /// Packed when somebody first asks.
    zipped: OnceLock<Bytes>,
}

#[derive(Default)]
struct Assets {
    /// By the last part of the address.
    served: HashMap<String, Asset>,
    /// From a file's name to its address.
    urls: HashMap<String, String>,
}

static ASSETS: Made<Assets> = Made::of("static", Assets::load);

/// The address of a sheet, a script or a file of `art`.
pub fn url(name: &str) -> &'static str {
    ASSETS.get().urls.get(name).map_or("", String::as_str)
}

#[get("/static/{name}")]
pub(crate) async fn show_asset(request: HttpRequest, Path(name): Path<String>) -> ApiResult<HttpResponse> {
    let asset = ASSETS.get().served.get(&name).ok_or_else(|| not_found("not_found"))?;
    let mut response = HttpResponse::Ok();
    response.content_type(asset.kind);
    response.insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"));
    response.insert_header((VARY, "accept-encoding"));
    if !takes_gzip(&request) {
        return Ok(response.body(asset.plain.clone()));
    }
    response.insert_header((CONTENT_ENCODING, HeaderValue::from_static("gzip")));
    Ok(response.body(asset.zipped.get_or_init(|| gzip(&asset.plain, 9).into()).clone()))
}

pub fn takes_gzip(request: &HttpRequest) -> bool {
    let gzip = Preference::Specific(Encoding::gzip());
    let codings = AcceptEncoding::parse(request).map(|it| it.0).unwrap_or_default();
    codings.iter().any(|coding| coding.item == gzip && coding.quality > Quality::ZERO)
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
            assets.add(&path, "image/svg+xml; charset=utf-8", text(&path));
        }
        let mut art: Vec<_> = Files::iter().filter(|path| path.starts_with("art/")).collect();
        art.sort();
        for path in &art {
            let name = path.trim_start_matches("art/");
            assets.add(name, "image/svg+xml; charset=utf-8", text(path));
        }
        for (name, are_of_staff) in [("house.css", false), ("staff.css", true)] {
            let layers = LAYERS.into_iter().filter(|layer| STAFF_LAYERS.contains(layer) == are_of_staff);
            let mut styles = assets.styles(layers, &art);
            if are_of_staff {
                styles += &lattice();
            }
            assets.add(name, "text/css; charset=utf-8", styles);
        }
        let scripts = SCRIPTS.map(text).join("\n;");
        assets.add("house.js", "text/javascript; charset=utf-8", scripts);
        let staff_scripts = STAFF_SCRIPTS.map(text).join("\n;");
        assets.add("staff.js", "text/javascript; charset=utf-8", staff_scripts);
        assets.add("reference.css", "text/css; charset=utf-8", text("css/reference.css"));
        for alone in ["verify.js", "wall.js"] {
            assets.add(alone, "text/javascript; charset=utf-8", text(alone));
        }
        assets
    }

    /// These layers as one sheet, in which art is found at its hashed address.
    fn styles(&self, layers: impl Iterator<Item = &'static str>, art: &[std::borrow::Cow<'_, str>]) -> String {
        let mut sheet = format!("@layer {};\n", LAYERS.join(", "));
        for layer in layers {
            // Writing into memory does not fail.
            let _ = writeln!(sheet, "{}", text(&format!("css/{layer}.css")));
        }
        art.iter().fold(sheet, |sheet, path| {
            sheet.replace(&format!("\"../{path}\""), &format!("\"{}\"", self.urls[path.trim_start_matches("art/")]))
        })
    }

    fn add(&mut self, name: &str, kind: &'static str, body: String) {
        let hash = hex(&Sha256::digest(&body)[..6]);
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let stem = stem.rsplit('/').next().unwrap_or_default();
        let served_as = format!("{stem}-{hash}.{extension}");
        self.urls.insert(name.to_owned(), format!("/static/{served_as}"));
        self.served.insert(served_as, Asset { kind, plain: body.into(), zipped: OnceLock::new() });
    }
}

/// A class for each line and each size on the plan of the floor, since no element has a style of its own.
fn lattice() -> String {
    let classes = [('x', COLUMNS), ('y', ROWS), ('w', COLUMNS), ('h', ROWS)];
    let rules =
        classes.into_iter().flat_map(|(name, most)| (1..=most).map(move |at| format!(".{name}{at}{{--{name}:{at}}}")));
    format!("@layer staff{{{}}}\n", rules.collect::<String>())
}

/// A file as it stands in `templates/static`.
pub(crate) fn text(path: &str) -> String {
    Files::get(path).map(|file| String::from_utf8_lossy(&file.data).into_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::ACCEPT_ENCODING;
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn every_part_of_the_sheet_and_of_the_script_is_there() {
        for path in LAYERS
            .map(|layer| format!("css/{layer}.css"))
            .iter()
            .map(String::as_str)
            .chain(SCRIPTS)
            .chain(STAFF_SCRIPTS)
        {
            assert!(!text(path).is_empty(), "{path}");
        }
    }

    #[test]
    fn the_sheets_name_only_files_that_are_served() {
        for name in ["house.css", "staff.css"] {
            let served = &ASSETS.get().served;
            let sheet = String::from_utf8(served[url(name).trim_start_matches("/static/")].plain.to_vec()).unwrap();
            assert!(!sheet.contains("../art"));
            for named in sheet.split("url(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                assert!(served.contains_key(named.trim_start_matches("/static/")), "{named}");
            }
        }
    }

    #[test]
    fn own_script_stays_small() {
        assert!(text("house.js").lines().count() <= 150);
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        let takes =
            |value: &str| takes_gzip(&TestRequest::get().insert_header((ACCEPT_ENCODING, value)).to_http_request());
        assert!(takes("br, gzip;q=0.8"));
        assert!(!takes("br"));
        assert!(!takes("gzip;q=0"));
    }
}
