//! Which machines are reverse proxies of ours: only they are believed when they say for whom they ask.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use actix_web::HttpRequest;
use actix_web::http::uri::Authority;
use anyhow::{Context, Error, Result};
use ipnet::IpNet;

/// `off`, `on` for proxies on this machine, or their addresses and networks with commas between.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proxies(Vec<IpNet>);

impl FromStr for Proxies {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let net = |text: &str| {
            let text = text.trim();
            let net = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            net.with_context(|| format!("`{text}` is neither on nor off nor an address or network such as 10.0.0.0/8"))
        };
        match text {
            "off" | "" => Ok(Self::default()),
            "on" => Ok(Self(vec![
                IpNet::new_assert(Ipv4Addr::LOCALHOST.into(), 8),
                IpAddr::from(Ipv6Addr::LOCALHOST).into(),
            ])),
            list => list.split(',').map(net).collect::<Result<_>>().map(Self),
        }
    }
}

impl Proxies {
    pub fn are_none(&self) -> bool {
        self.0.is_empty()
    }

    /// By which scheme the caller came, if a proxy of ours asks and says so.
    pub fn scheme(&self, request: &HttpRequest) -> Option<&'static str> {
        let said = self.said(request, "x-forwarded-proto")?;
        ["http", "https"].into_iter().find(|scheme| said.eq_ignore_ascii_case(scheme))
    }

    /// Which host the caller asked for, if a proxy of ours asks and says so.
    pub fn host(&self, request: &HttpRequest) -> Option<String> {
        let said = self.said(request, "x-forwarded-host")?;
        let is_host = said.parse::<Authority>().is_ok() && !said.contains('@');
        is_host.then_some(said)
    }

    /// The last value of this header: those before it came with the request to the proxy that asks.
    fn said(&self, request: &HttpRequest, header: &str) -> Option<String> {
        let peer = request.peer_addr().filter(|peer| self.hold(peer.ip()));
        let value = request.headers().get_all(header).next_back().filter(|_| peer.is_some())?;
        let text = String::from_utf8_lossy(value.as_bytes());
        text.rsplit(',').next().map(|last| last.trim().to_owned())
    }

    /// Where the request comes from: the last address in `X-Forwarded-For` that is no proxy of ours, if a proxy of ours asks.
    pub fn client(&self, request: &HttpRequest) -> Option<IpAddr> {
        let peer = request.peer_addr()?.ip();
        // What the caller wrote may be no text. The proxy has added an address to it all the same.
        let values = request.headers().get_all("x-forwarded-for");
        let values: Vec<_> = values.map(|value| String::from_utf8_lossy(value.as_bytes())).collect();
        let said: Vec<&str> = values.iter().flat_map(|value| value.split(',')).collect();
        let mut client = peer;
        for before in said.iter().rev() {
            if !self.hold(client) {
                break;
            }
            let Ok(address) = before.trim().parse() else { break };
            client = address;
        }
        Some(client)
    }

    fn hold(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|net| net.contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    use super::*;

    fn client(proxies: &str, peer: &str, forwarded: &[&str]) -> String {
        let mut request = TestRequest::get().peer_addr(peer.parse().unwrap());
        for value in forwarded {
            request = request.append_header(("x-forwarded-for", *value));
        }
        proxies.parse::<Proxies>().unwrap().client(&request.to_http_request()).unwrap().to_string()
    }

    #[test]
    fn what_a_listed_proxy_says_is_believed_and_nobody_else() {
        let forged = ["6.6.6.6, 192.0.2.7"];
        assert_eq!(client("off", "127.0.0.1:80", &forged), "127.0.0.1");
        assert_eq!(client("on", "127.0.0.1:80", &forged), "192.0.2.7");
        assert_eq!(client("on", "[::1]:80", &forged), "192.0.2.7");
        assert_eq!(client("on", "[::ffff:127.0.0.1]:80", &forged), "192.0.2.7");
        // A guest who reaches the port of the server itself.
        assert_eq!(client("on", "10.0.0.9:80", &forged), "10.0.0.9");
        assert_eq!(client("10.0.0.1, 172.16.0.0/12", "10.0.0.1:80", &forged), "192.0.2.7");
        assert_eq!(client("10.0.0.1, 172.16.0.0/12", "10.0.0.2:80", &forged), "10.0.0.2");
    }

    #[test]
    fn proxies_behind_proxies_are_passed_over() {
        let ours = "127.0.0.1,10.0.0.0/8";
        assert_eq!(client(ours, "127.0.0.1:80", &["6.6.6.6", "192.0.2.7, 10.1.2.3"]), "192.0.2.7");
        assert_eq!(client(ours, "127.0.0.1:80", &["10.1.2.3"]), "10.1.2.3");
        assert_eq!(client(ours, "127.0.0.1:80", &["192.0.2.7, unknown"]), "127.0.0.1");
        assert_eq!(client(ours, "127.0.0.1:80", &[]), "127.0.0.1");
    }

    #[test]
    fn bytes_that_are_no_text_hide_no_address_after_them() {
        let value = HeaderValue::from_bytes(b"\xff, 192.0.2.7").unwrap();
        let request =
            TestRequest::get().peer_addr(([127, 0, 0, 1], 80).into()).append_header(("x-forwarded-for", value));
        let client = "on".parse::<Proxies>().unwrap().client(&request.to_http_request()).unwrap();
        assert_eq!(client.to_string(), "192.0.2.7");
    }

    #[test]
    fn scheme_and_host_are_the_last_that_a_listed_proxy_says() {
        let said = |proxies: &str, headers: &[(&'static str, &str)]| {
            let request = TestRequest::get().peer_addr(([127, 0, 0, 1], 80).into());
            let request = headers.iter().fold(request, |request, header| request.append_header(*header));
            let (proxies, request) = (proxies.parse::<Proxies>().unwrap(), request.to_http_request());
            (proxies.scheme(&request), proxies.host(&request))
        };
        let forged = [
            ("forwarded", "proto=gopher;host=evil.test"),
            ("x-forwarded-proto", "http"),
            ("x-forwarded-proto", "http, HTTPS"),
            ("x-forwarded-host", "evil.test"),
            ("x-forwarded-host", "evil.test, cafe.test:8443"),
        ];
        assert_eq!(said("on", &forged), (Some("https"), Some("cafe.test:8443".to_owned())));
        for nobody in ["off", "10.0.0.1"] {
            assert_eq!(said(nobody, &forged), (None, None), "{nobody}");
        }
        assert_eq!(said("on", &forged[..1]), (None, None));
        for (scheme, host) in [("", ""), ("javascript", "a b"), ("http,", "cafe.test,"), ("wss", "evil@cafe.test")] {
            assert_eq!(said("on", &[("x-forwarded-proto", scheme), ("x-forwarded-host", host)]), (None, None));
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        assert_eq!("".parse::<Proxies>().unwrap(), Proxies::default());
        for wrong in ["yes", "10.0.0.0/33", "10.0.0.1,", "proxy.example.org"] {
            assert!(wrong.parse::<Proxies>().is_err(), "{wrong}");
        }
    }
}
