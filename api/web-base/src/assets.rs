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
use base::error::not_found;
use base::ids::hex;
use base::templates::Made;
use play::tables::plan::{COLUMNS, ROWS};

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
    "tournament-desk",
    "labels",
    "staff",
    "print",
];
/// Those that only pages of the staff need: a guest's first visit is light.
const STAFF_LAYERS: [&str; 5] = ["floor", "stats", "tournament-desk", "labels", "staff"];
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
const STAFF_SCRIPTS: [&str; 5] = ["counter.js", "calls.js", "replay.js", "plan.js", "swap.js"];

/// Of the café's own screens: those of the staff, and on the wall. A guest's phone would load more for them than for all else.
const FONTS: [&str; 2] = ["house-serif.woff2", "house-sans.woff2"];

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
pub async fn show_asset(request: HttpRequest, Path(name): Path<String>) -> ApiResult<HttpResponse> {
    let asset = ASSETS.get().served.get(&name).ok_or_else(|| not_found("not_found"))?;
    let mut response = HttpResponse::Ok();
    response.content_type(asset.kind);
    response.insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"));
    response.insert_header((VARY, "accept-encoding"));
    // Fonts are packed already.
    if asset.kind == "font/woff2" || !takes_gzip(&request) {
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
        for path in Files::iter().filter(|path| path.starts_with("rules/") || path.starts_with("art/")) {
            assets.add(path.trim_start_matches("art/"), "image/svg+xml; charset=utf-8", text(&path));
        }
        for font in FONTS {
            assets.add(font, "font/woff2", file(&format!("fonts/{font}")));
        }
        for (name, are_of_staff) in [("house.css", false), ("staff.css", true)] {
            let layers = LAYERS.into_iter().filter(|layer| STAFF_LAYERS.contains(layer) == are_of_staff);
            let mut styles = assets.styles(layers);
            if are_of_staff {
                styles += &lattice();
            }
            assets.add(name, "text/css; charset=utf-8", styles);
        }
        assets.add("type.css", "text/css; charset=utf-8", assets.styles(["type"].into_iter()));
        let scripts = SCRIPTS.map(script).join("\n;");
        assets.add("house.js", "text/javascript; charset=utf-8", scripts);
        let staff_scripts = STAFF_SCRIPTS.map(script).join("\n;");
        assets.add("staff.js", "text/javascript; charset=utf-8", staff_scripts);
        assets.add("reference.css", "text/css; charset=utf-8", text("css/reference.css"));
        for alone in ["verify.js", "wall.js", "clock.js"] {
            assets.add(alone, "text/javascript; charset=utf-8", text(alone));
        }
        assets
    }

    /// These layers as one sheet, in which art and fonts are found at their hashed addresses.
    fn styles(&self, layers: impl Iterator<Item = &'static str>) -> String {
        let mut sheet = format!("@layer {};\n", LAYERS.join(", "));
        for layer in layers {
            // Writing into memory does not fail.
            let _ = writeln!(sheet, "{}", text(&format!("css/{layer}.css")));
        }
        self.urls.iter().fold(sheet, |sheet, (name, url)| {
            let folder = if name.ends_with(".woff2") { "fonts" } else { "art" };
            sheet.replace(&format!("\"../{folder}/{name}\""), &format!("\"{url}\""))
        })
    }

    fn add(&mut self, name: &str, kind: &'static str, body: impl Into<Bytes>) {
        let plain = body.into();
        let hash = hex(&Sha256::digest(&plain)[..6]);
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
        let stem = stem.rsplit('/').next().unwrap_or_default();
        let served_as = format!("{stem}-{hash}.{extension}");
        self.urls.insert(name.to_owned(), format!("/static/{served_as}"));
        self.served.insert(served_as, Asset { kind, plain, zipped: OnceLock::new() });
    }
}

/// A class for each line and each size on the plan of the floor, since no element has a style of its own.
fn lattice() -> String {
    let classes = [('x', COLUMNS), ('y', ROWS), ('w', COLUMNS), ('h', ROWS)];
    let rules =
        classes.into_iter().flat_map(|(name, most)| (1..=most).map(move |at| format!(".{name}{at}{{--{name}:{at}}}")));
    format!("@layer staff{{{}}}\n", rules.collect::<String>())
}

/// A script without its lines of comments, which make a guest's first visit 2 kB heavier.
fn script(path: &str) -> String {
    text(path).lines().filter(|line| !line.trim_start().starts_with("// ")).collect::<Vec<_>>().join("\n")
}

/// A file as it stands in `templates/static`.
pub fn text(path: &str) -> String {
    String::from_utf8(file(path)).unwrap_or_default()
}

fn file(path: &str) -> Vec<u8> {
    Files::get(path).map(|file| file.data.into_owned()).unwrap_or_default()
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
        for name in ["house.css", "staff.css", "type.css"] {
            let served = &ASSETS.get().served;
            let sheet = String::from_utf8(served[url(name).trim_start_matches("/static/")].plain.to_vec()).unwrap();
            assert!(!sheet.contains("\"../"));
            for named in sheet.split("url(\"").skip(1).map(|rest| rest.split('"').next().unwrap()) {
                assert!(served.contains_key(named.trim_start_matches("/static/")), "{named}");
            }
        }
    }

    #[test]
    fn the_fonts_weigh_little() {
        let weights = FONTS.map(|font| file(&format!("fonts/{font}")).len());
        assert!(weights.iter().all(|bytes| *bytes > 0) && weights.iter().sum::<usize>() <= 150_000, "{weights:?}");
    }

    #[test]
    fn own_script_stays_small() {
        assert!(text("house.js").lines().count() <= 150);
    }

    #[test]
    fn scripts_are_sent_without_comments_and_otherwise_as_they_are() {
        for path in SCRIPTS.into_iter().chain(STAFF_SCRIPTS) {
            let (written, sent) = (text(path), script(path));
            let comments: usize = written.lines().filter(|it| it.trim_start().starts_with("//")).map(str::len).sum();
            let kept: usize = sent.lines().map(str::len).sum();
            assert_eq!(kept + comments, written.lines().map(str::len).sum::<usize>(), "{path}");
        }
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
