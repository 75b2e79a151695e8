//! Requests that this server makes elsewhere. They follow nobody to another address, give up after some seconds, and reach
//! private networks only if the settings say so: who may enter an address here must not look around in there with it.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Response, Url};
use rustls::ClientConfig;
use rustls::crypto::ring;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

const CONNECT_PATIENCE: Duration = Duration::from_secs(5);
const PATIENCE: Duration = Duration::from_secs(10);

/// Makes requests elsewhere; its clones share their connections.
#[derive(Clone)]
pub struct Outgoing {
    /// Made for the first request: to read whom the machine trusts would be a third of what a start costs.
    client: Arc<OnceCell<Client>>,
    reach: Reach,
}

/// Which addresses may be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Public,
    /// Also those of this machine and of networks that the internet does not reach.
    Everywhere,
}

/// Why a request had no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// It is no address of the web.
    BadAddress,
    /// It leads where it may not.
    PrivateAddress,
    Timeout,
    Unreachable,
}

impl Outgoing {
    pub fn new(reach: Reach) -> Self {
        Self { client: Arc::default(), reach }
    }

    /// Sends the request that is made of this address.
    ///
    /// # Errors
    /// When there is no answer in time, or the address may not be reached.
    pub async fn send(
        &self,
        url: &str,
        request: impl FnOnce(&Client, Url) -> RequestBuilder,
    ) -> Result<Response, NoAnswer> {
        let url: Url = url.parse().map_err(|_| NoAnswer::BadAddress)?;
        // An address in figures is not asked of the resolver.
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        if host.parse().is_ok_and(|address| !self.reach.allows(address)) {
            return Err(NoAnswer::PrivateAddress);
        }
        let reach = self.reach;
        let client = self.client.get_or_try_init(async || spawn_blocking(move || client(reach)).await?).await;
        let client = client.map_err(|err: anyhow::Error| {
            tracing::error!("setting up TLS for requests elsewhere failed: {err:#}");
            NoAnswer::Unreachable
        })?;
        request(client, url).send().await.map_err(|err| NoAnswer::of(&err))
    }
}

fn client(reach: Reach) -> anyhow::Result<Client> {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(base::certificates::roots_of_machine())
        .with_no_client_auth();
    let client = Client::builder()
        .use_preconfigured_tls(tls)
        .dns_resolver(Arc::new(Resolver(reach)))
        .redirect(Policy::none())
        .connect_timeout(CONNECT_PATIENCE)
        .timeout(PATIENCE)
        .user_agent(concat!("HouseRules/", env!("CARGO_PKG_VERSION")))
        .no_proxy();
    Ok(client.build()?)
}

impl NoAnswer {
    pub fn code(self) -> &'static str {
        match self {
            Self::BadAddress => "bad_address",
            Self::PrivateAddress => "private_address",
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
        }
    }

    fn of(err: &reqwest::Error) -> Self {
        let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(err);
        while let Some(it) = cause {
            if it.is::<OnlyPrivate>() {
                return Self::PrivateAddress;
            }
            cause = it.source();
        }
        if err.is_timeout() { Self::Timeout } else { Self::Unreachable }
    }
}

/// Leaves out what may not be reached, so that what was checked is what is connected to.
struct Resolver(Reach);

#[derive(Debug)]
struct OnlyPrivate;

impl std::fmt::Display for OnlyPrivate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("this name leads to private addresses only")
    }
}

impl std::error::Error for OnlyPrivate {}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let reach = self.0;
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let allowed: Vec<_> = found.into_iter().filter(|it| reach.allows(it.ip())).collect();
            if allowed.is_empty() {
                return Err(OnlyPrivate.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

impl Reach {
    fn allows(self, address: IpAddr) -> bool {
        self == Self::Everywhere || is_public(address.to_canonical())
    }
}

/// Whether it is an address of the internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(it) => {
            let [first, second, third, _] = it.octets();
            let is_special = matches!(
                (first, second, third),
                (0 | 240..=255, ..) | (100, 64..=127, _) | (192, 0, 0) | (198, 18 | 19, _)
            );
            !(is_special
                || it.is_loopback()
                || it.is_private()
                || it.is_link_local()
                || it.is_multicast()
                || it.is_documentation())
        }
        IpAddr::V6(it) => {
            let first = it.segments()[0];
            // Global unicast, but for what holds an IPv4 address (6to4, Teredo) and documentation.
            let is_special = matches!((first, it.segments()[1]), (0x2002, _) | (0x2001, 0 | 0xdb8));
            first & 0xe000 == 0x2000 && !is_special
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_within_are_told_from_those_of_the_internet() {
        for public in ["1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "172.32.0.1", "100.128.0.1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for within in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.5",
            "169.254.169.254",
            "0.0.0.0",
            "100.64.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "198.18.0.1",
            "::1",
            "::",
            "fe80::1",
            "fd00::1",
            "2002:7f00:1::",
            "64:ff9b::7f00:1",
            "ff02::1",
            "::ffff:127.0.0.1",
        ] {
            assert!(!Reach::Public.allows(within.parse().unwrap()), "{within}");
            assert!(Reach::Everywhere.allows(within.parse().unwrap()), "{within}");
        }
    }

    #[tokio::test]
    async fn neither_a_name_nor_figures_lead_within() {
        let outgoing = Outgoing::new(Reach::Public);
        for (url, refused) in [
            ("http://127.0.0.1:9/", NoAnswer::PrivateAddress),
            ("http://[::1]:9/", NoAnswer::PrivateAddress),
            ("http://2130706433:9/", NoAnswer::PrivateAddress),
            ("http://localhost:9/", NoAnswer::PrivateAddress),
            ("nothing", NoAnswer::BadAddress),
        ] {
            assert_eq!(outgoing.send(url, |client, url| client.get(url)).await.err(), Some(refused), "{url}");
        }
    }
}
