//! Where guests find this server, for codes and links.

use actix_web::HttpRequest;
use actix_web::http::Uri;
use actix_web::http::header::HOST;
use actix_web::web::Data;

use crate::config::Config;
use base::settings::Cafe;
use base::settings::sheets::is_loopback;

/// The address that guests use: the café's setting, else the server's, else the one that this request came to.
pub fn base_url(config: &Config, request: &HttpRequest) -> String {
    let cafe = request.app_data::<Data<Cafe>>().and_then(|cafe| cafe.cached().sheets.public_url.clone());
    cafe.or_else(|| config.public_url.clone()).unwrap_or_else(|| {
        if config.proxies.forward(request) {
            let info = request.connection_info();
            return format!("{}://{}", info.scheme(), info.host());
        }
        // Without a proxy of ours, what was forwarded is what the caller says.
        let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
        format!("{}://{}", config.scheme(), host.unwrap_or_else(|| request.app_config().host()))
    })
}

/// Whether this address is of the machine that asks for it.
pub fn leads_to_itself(url: &str) -> bool {
    url.parse::<Uri>().is_ok_and(|url| url.host().is_some_and(is_loopback))
}
