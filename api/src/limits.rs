//! How often one address may try to sign in or make a guest. The rest of the API is bounded by who the caller is.

use std::future::{Ready, ready};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::config::Config;
use crate::error::{ApiError, ApiResult, internal, too_many};

pub struct Limits {
    sign_in: Option<DefaultKeyedRateLimiter<IpAddr>>,
    guest: Option<DefaultKeyedRateLimiter<IpAddr>>,
    behind_proxy: bool,
}

/// Asking for it in a handler's signature counts the request against its address.
pub struct SignInLimit;

pub struct GuestLimit;

impl Limits {
    pub fn new(config: &Config) -> Self {
        let limiter = |per_minute: NonZeroU32| {
            let lifted = !config.rate_limits;
            (!lifted).then(|| RateLimiter::keyed(Quota::per_minute(per_minute)))
        };
        Self {
            sign_in: limiter(config.sign_ins_per_minute),
            guest: limiter(config.guests_per_minute),
            behind_proxy: config.behind_proxy,
        }
    }

    /// Forgets addresses that have all their tries back.
    pub fn sweep(&self) {
        for limiter in [&self.sign_in, &self.guest].into_iter().flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }

    fn address(&self, request: &HttpRequest) -> IpAddr {
        let peer = request.peer_addr().map_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED), |peer| peer.ip());
        let forwarded = || {
            let header = request.headers().get_all("x-forwarded-for").last()?.to_str().ok()?;
            // The last entry is our own proxy's word; those before it are the client's.
            header.rsplit(',').next()?.trim().parse().ok()
        };
        let address = if self.behind_proxy { forwarded().unwrap_or(peer) } else { peer };
        network(address)
    }
}

/// One household has one IPv4 address but a whole /64 of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => match v6.to_ipv4_mapped() {
            Some(v4) => IpAddr::V4(v4),
            None => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & !u128::from(u64::MAX))),
        },
    }
}

fn check(limiter: Option<&DefaultKeyedRateLimiter<IpAddr>>, address: IpAddr) -> ApiResult<()> {
    let Some(limiter) = limiter else { return Ok(()) };
    limiter.check_key(&address).map_err(|until| too_many(until.wait_time_from(DefaultClock::default().now())))
}

macro_rules! limited {
    ($($name:ident: $field:ident),*) => {$(
        impl FromRequest for $name {
            type Error = ApiError;
            type Future = Ready<ApiResult<Self>>;

            fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
                ready(match request.app_data::<web::Data<Limits>>() {
                    Some(limits) => check(limits.$field.as_ref(), limits.address(request)).map(|()| Self),
                    None => Err(internal(anyhow::anyhow!("the limits are not among the app's data"))),
                })
            }
        }
    )*};
}
limited!(SignInLimit: sign_in, GuestLimit: guest);

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use actix_web::test::TestRequest;

    use super::*;

    fn limits(behind_proxy: bool) -> Limits {
        let three = NonZeroU32::new(3).unwrap();
        let config =
            Config { sign_ins_per_minute: three, guests_per_minute: three, behind_proxy, ..Config::for_tests() };
        Limits::new(&config)
    }

    #[test]
    fn the_fourth_try_in_a_row_is_refused_with_a_time_to_wait() {
        let limits = limits(false);
        let address: IpAddr = [192, 0, 2, 1].into();
        for _ in 0..3 {
            assert!(check(limits.sign_in.as_ref(), address).is_ok());
        }
        let refused = check(limits.sign_in.as_ref(), address).unwrap_err().error_response();
        assert_eq!(refused.status(), 429);
        let wait: u64 = refused.headers().get("retry-after").unwrap().to_str().unwrap().parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
        assert!(check(limits.sign_in.as_ref(), [192, 0, 2, 2].into()).is_ok());
    }

    #[test]
    fn one_network_of_ipv6_counts_as_one() {
        let [a, b, c] =
            ["2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"].map(|text| network(text.parse().unwrap()));
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert_eq!(network("::ffff:192.0.2.1".parse().unwrap()), IpAddr::from([192, 0, 2, 1]));
    }

    #[test]
    fn only_a_trusted_proxy_names_the_address() {
        let request = TestRequest::get()
            .peer_addr(([10, 0, 0, 1], 1).into())
            .insert_header(("x-forwarded-for", "198.51.100.9, 192.0.2.7"))
            .to_http_request();
        assert_eq!(limits(false).address(&request), IpAddr::from([10, 0, 0, 1]));
        assert_eq!(limits(true).address(&request), IpAddr::from([192, 0, 2, 7]));
    }
}
