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
        let scheme = config.proxies.scheme(request).unwrap_or(config.scheme());
        let asked = || request.headers().get(HOST).and_then(|host| host.to_str().ok()).map(str::to_owned);
        let host = config.proxies.host(request).or_else(asked);
        format!("{scheme}://{}", host.unwrap_or_else(|| request.app_config().host().to_owned()))
    })
}

/// Whether this address is of the machine that asks for it.
pub fn leads_to_itself(url: &str) -> bool {
    url.parse::<Uri>().is_ok_and(|url| url.host().is_some_and(is_loopback))
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[test]
    fn only_what_a_listed_proxy_sets_goes_into_addresses() {
        let url = |proxies: &str, headers: &[(&'static str, &str)]| {
            let request =
                TestRequest::get().peer_addr(([127, 0, 0, 1], 80).into()).insert_header(("host", "cafe.test"));
            let request = headers.iter().fold(request, |request, header| request.append_header(*header));
            let config = Config { proxies: proxies.parse().unwrap(), ..Config::for_tests() };
            base_url(&config, &request.to_http_request())
        };
        let forged = ("forwarded", "host=evil.test;proto=https");
        let set = [forged, ("x-forwarded-proto", "https"), ("x-forwarded-host", "play.cafe.test")];
        for (proxies, headers, expected) in [
            ("on", &set[..], "https://play.cafe.test"),
            ("on", &set[..2], "https://cafe.test"),
            ("on", &set[..1], "http://cafe.test"),
            ("on", &set[..0], "http://cafe.test"),
            ("off", &set[..], "http://cafe.test"),
            ("10.0.0.1", &set[..], "http://cafe.test"),
        ] {
            assert_eq!(url(proxies, headers), expected, "{proxies} {headers:?}");
        }
    }
}
