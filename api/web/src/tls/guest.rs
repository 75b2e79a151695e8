//! The certificate of the local authority, for phones that should trust it.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse, route};

use base::error::internal;
use web_base::addresses::Addresses;
use web_base::config::{Config, Tls};
use web_base::error::ApiResult;

/// Only where the server's own certificate is from that authority.
#[route("/tls/ca.crt", method = "GET", method = "HEAD")]
pub(crate) async fn show_authority(request: HttpRequest, config: Data<Config>) -> ApiResult<HttpResponse> {
    if config.tls != Some(Tls::Local) {
        return Err(Addresses::no_route(&request));
    }
    let file = config.authority().join("ca.crt");
    let certificate = web::block(move || std::fs::read(file)).await.map_err(internal)?.map_err(internal)?;
    Ok(HttpResponse::Ok()
        .content_type("application/x-x509-ca-cert")
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"house-rules-ca.crt\""))
        .insert_header((CACHE_CONTROL, "no-cache"))
        .body(certificate))
}
