//! Links that open an app instead of the browser: what iOS and Android ask a site for before they hand its addresses over.

use actix_web::get;
use actix_web::web::{Data, Json};
use serde_json::{Value, json};

use base::error::not_found;
use web_base::config::Config;
use web_base::error::ApiResult;

/// What printed codes and invitations lead to: a table, a match, a tournament.
const PATHS: [&str; 3] = ["/t/*", "/m/*", "/tournaments/*"];

/// For iOS: the apps that may open these addresses.
#[get("/.well-known/apple-app-site-association")]
pub(crate) async fn show_apple_apps(config: Data<Config>) -> ApiResult<Json<Value>> {
    let apps = &config.app_links.apple;
    if apps.is_empty() {
        return Err(not_found("not_found").into());
    }
    let components = PATHS.map(|path| json!({ "/": path }));
    Ok(Json(json!({ "applinks": { "details": [{ "appIDs": apps, "components": components }] } })))
}

/// For Android: the apps that may open all addresses.
#[get("/.well-known/assetlinks.json")]
pub(crate) async fn show_android_apps(config: Data<Config>) -> ApiResult<Json<Value>> {
    let apps = &config.app_links.android;
    if apps.is_empty() {
        return Err(not_found("not_found").into());
    }
    let statement = |(package, fingerprint): &(String, String)| {
        let target = json!({
            "namespace": "android_app", "package_name": package, "sha256_cert_fingerprints": [fingerprint],
        });
        json!({ "relation": ["delegate_permission/common.handle_all_urls"], "target": target })
    };
    Ok(Json(apps.iter().map(statement).collect()))
}
