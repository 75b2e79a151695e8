//! How much one caller may ask for. A handler that changes, exports or streams something asks for a `Budget` in its signature,
//! and thereby counts the request for the caller's account and address; a test finds handlers that do not.

mod capacity;
mod places;
mod policy;
pub mod rest;

use std::future::{Ready, ready};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use crate::config::Config;
use crate::error::{ApiError, ApiResult};
use crate::extract::{claimed, data};
use crate::proxies::Proxies;
use base::auth::{Identity, Role};
use base::error::too_many;
use base::ids::PlayerId;
pub use capacity::{Capacity, open_descriptors};
use places::{Place, Places};
use play::matches::WaitingQuota;
pub use policy::{Per, Policy, What};
use policy::{at_least_one, policies};

/// What this process counts. Each process counts for itself.
pub struct Limits {
    policies: Vec<Policy>,
    meters: Vec<Meter>,
    places: Arc<Places>,
    waiting: Option<WaitingQuota>,
    capacity: Capacity,
    proxies: Proxies,
}

/// Asking for it in a handler's signature counts the request as this use, for the caller's account and address. A stream or
/// a long poll is counted for as long as the budget is kept.
pub struct Budget<U> {
    _place: Option<Place>,
    waiting: Option<WaitingQuota>,
    of: PhantomData<U>,
}

/// What a `Budget` is of.
pub trait Use: 'static {
    const WHAT: What;

    /// Whether this request is one.
    fn is_one(_request: &HttpRequest) -> bool {
        true
    }
}

macro_rules! uses {
    ($($name:ident),*) => {$(
        pub struct $name;

        impl Use for $name {
            const WHAT: What = What::$name;
        }
    )*};
}
uses!(SignIns, Guests, Moves, Reactions, Creations, Writes, Exports, Streams);

/// A request that may wait for news, which counts as an open stream if it does.
pub struct LongPolls;

impl Use for LongPolls {
    const WHAT: What = What::Streams;

    fn is_one(request: &HttpRequest) -> bool {
        !request.query_string().is_empty()
    }
}

impl<U> Budget<U> {
    /// How many matches that nobody has started the caller may have. None: as many as they like.
    pub fn waiting_matches(&self) -> Option<WaitingQuota> {
        self.waiting
    }
}

/// Who asks, as far as it can be told without the database.
struct Caller {
    address: IpAddr,
    identity: Option<Identity>,
}

/// Whose use is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Account(PlayerId),
    Address(IpAddr),
    Process,
}

/// What is left to somebody.
struct Left<'a> {
    policy: &'a Policy,
    remaining: u32,
    /// Until all of it is there again.
    reset: Option<Duration>,
}

/// The headers that tell a caller what is left to them.
struct Told {
    policies: HeaderValue,
    left: HeaderValue,
}

type Keyed = RateLimiter<Key, DefaultKeyedStateStore<Key>, DefaultClock, StateInformationMiddleware>;

/// Counts one policy.
struct Meter {
    policy: Policy,
    used: Keyed,
}

impl Caller {
    fn key(&self, per: Per) -> Option<Key> {
        let account = |is_staff: bool| {
            self.identity.filter(|it| (it.role >= Role::Staff) == is_staff).map(|it| Key::Account(it.id))
        };
        match per {
            Per::Account => account(false),
            Per::Staff => account(true),
            Per::Address => Some(Key::Address(self.address)),
            Per::Process => Some(Key::Process),
            // The use case counts what a party has.
            Per::Party => None,
        }
    }

    fn is_staff(&self) -> bool {
        self.identity.is_some_and(|it| it.role >= Role::Staff)
    }
}

impl Meter {
    fn spend(&self, key: Key) -> Result<Left<'_>, (Left<'_>, ApiError)> {
        let interval = self.policy.interval().unwrap_or_default();
        match self.used.check_key(&key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                let reset = Some(interval * self.policy.quota.saturating_sub(remaining));
                Ok(Left { policy: &self.policy, remaining, reset })
            }
            Err(until) => {
                count_refusal(&self.policy);
                let wait = until.wait_time_from(DefaultClock::default().now());
                Err((Left { policy: &self.policy, remaining: 0, reset: Some(wait) }, too_many(wait).into()))
            }
        }
    }
}

impl Left<'_> {
    /// The item of `RateLimit`.
    fn item(&self) -> String {
        let Self { policy, remaining, reset } = self;
        let reset = reset.map(|it| format!(";t={}", it.as_secs_f64().ceil())).unwrap_or_default();
        format!("\"{}\";r={remaining}{reset}", policy.name)
    }
}

impl Limits {
    pub fn new(config: &Config, capacity: Capacity) -> Self {
        let waiting = WaitingQuota::of_account(config.waiting_matches.get());
        let mut policies = policies(config, waiting, capacity.streams);
        policies.retain(|policy| config.rate_limits || policy.per == Per::Process);
        let of_streams = policies.iter().filter(|policy| policy.what == What::Streams).cloned().collect();
        let meters = policies.iter().filter_map(|policy| {
            let quota = Quota::with_period(policy.interval()?)?.allow_burst(at_least_one(policy.quota));
            let used = RateLimiter::keyed(quota).with_middleware::<StateInformationMiddleware>();
            Some(Meter { policy: policy.clone(), used })
        });
        Self {
            meters: meters.collect(),
            places: Places::new(of_streams),
            waiting: config.rate_limits.then_some(waiting),
            capacity,
            proxies: config.proxies.clone(),
            policies,
        }
    }

    pub fn policies(&self) -> &[Policy] {
        &self.policies
    }

    /// How many streams and long polls are open.
    pub fn open_streams(&self) -> u32 {
        self.places.count()
    }

    pub fn capacity(&self) -> Capacity {
        self.capacity
    }

    /// Whether the caller is on this machine and nobody passed the request on.
    pub fn is_local(&self, request: &HttpRequest) -> bool {
        let is_passed_on = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];
        let is_passed_on =
            !self.proxies.are_none() || is_passed_on.iter().any(|name| request.headers().contains_key(*name));
        !is_passed_on && request.peer_addr().is_some_and(|peer| peer.ip().to_canonical().is_loopback())
    }

    /// Forgets callers that have all of their budgets back.
    pub fn sweep(&self) {
        for meter in &self.meters {
            meter.used.retain_recent();
            meter.used.shrink_to_fit();
        }
    }

    fn caller(&self, request: &HttpRequest) -> Caller {
        Caller { address: self.address(request), identity: claimed(request) }
    }

    fn address(&self, request: &HttpRequest) -> IpAddr {
        network(self.proxies.client(request).unwrap_or(IpAddr::V6(Ipv6Addr::UNSPECIFIED)))
    }

    fn budget<U: Use>(&self, caller: &Caller) -> (Vec<Left<'_>>, ApiResult<Budget<U>>) {
        let waiting = self.waiting.filter(|_| !caller.is_staff());
        let budget = |place| Budget { _place: place, waiting, of: PhantomData };
        if U::WHAT == What::Streams {
            let (left, place) = self.places.take(caller);
            return (left, place.map(|place| budget(Some(place))));
        }
        let mut all = Vec::new();
        for meter in self.meters.iter().filter(|meter| meter.policy.what == U::WHAT) {
            let Some(key) = caller.key(meter.policy.per) else { continue };
            match meter.spend(key) {
                Ok(left) => all.push(left),
                Err((left, err)) => return (vec![left], Err(err)),
            }
        }
        (all, Ok(budget(None)))
    }
}

impl<U: Use> FromRequest for Budget<U> {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let budget = data::<Limits>(request).and_then(|limits| {
            if !U::is_one(request) {
                return Ok(Self { _place: None, waiting: None, of: PhantomData });
            }
            let (left, budget) = limits.budget(&limits.caller(request));
            if let Some(told) = Told::of(&left) {
                request.extensions_mut().insert(told);
            }
            budget
        });
        ready(budget)
    }
}

impl Told {
    /// All policies that counted the request, and what is left by the tightest of them.
    fn of(left: &[Left<'_>]) -> Option<Self> {
        let share = |left: &&Left<'_>| u64::from(left.remaining) * 1_000_000 / u64::from(left.policy.quota.max(1));
        let tightest = left.iter().min_by_key(share)?;
        let policies: Vec<_> = left.iter().map(|left| left.policy.item()).collect();
        Some(Self { policies: policies.join(", ").parse().ok()?, left: tightest.item().parse().ok()? })
    }
}

/// Adds what is left to the caller to the answer (draft-ietf-httpapi-ratelimit-headers).
pub async fn tell_limits<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let mut response = next.call(request).await?;
    let told = response.request().extensions_mut().remove::<Told>();
    if let Some(Told { policies, left }) = told {
        let headers = response.headers_mut();
        headers.insert(HeaderName::from_static("ratelimit-policy"), policies);
        headers.insert(HeaderName::from_static("ratelimit"), left);
    }
    Ok(response)
}

fn count_refusal(policy: &Policy) {
    metrics::counter!("refused_by_limit_total", "limit" => policy.name).increment(1);
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

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;
    use actix_web::test::TestRequest;

    use super::*;

    fn capacity(streams: u32) -> Capacity {
        Capacity { streams, ..Capacity::of(1024, 4) }
    }

    fn config() -> Config {
        let three = at_least_one(3);
        Config { sign_ins_per_minute: three, writes_per_minute: three, streams: at_least_one(2), ..Config::for_tests() }
    }

    fn limits(proxies: &str) -> Limits {
        Limits::new(&Config { proxies: proxies.parse().unwrap(), ..config() }, capacity(100))
    }

    fn caller(account: Option<(u128, Role)>, address: u8) -> Caller {
        let identity = account.map(|(id, role)| Identity {
            id: PlayerId(uuid::Uuid::from_u128(id)),
            session: base::ids::SessionId(uuid::Uuid::nil()),
            role,
            credential: base::auth::Credential::Session,
        });
        Caller { address: [192, 0, 2, address].into(), identity }
    }

    fn spend<U: Use>(limits: &Limits, caller: &Caller) -> ApiResult<Budget<U>> {
        limits.budget(caller).1
    }

    #[test]
    fn the_fourth_try_in_a_row_is_refused_with_a_time_to_wait() {
        let limits = limits("off");
        for _ in 0..3 {
            assert!(spend::<SignIns>(&limits, &caller(None, 1)).is_ok());
        }
        let refused = spend::<SignIns>(&limits, &caller(None, 1)).err().unwrap().error_response();
        assert_eq!(refused.status(), 429);
        let wait: u64 = refused.headers().get("retry-after").unwrap().to_str().unwrap().parse().unwrap();
        assert!((1..=20).contains(&wait), "{wait}");
        assert!(spend::<SignIns>(&limits, &caller(None, 2)).is_ok());
    }

    #[test]
    fn an_account_that_has_used_up_its_own_takes_nothing_from_its_address() {
        let limits = limits("off");
        let greedy = caller(Some((1, Role::Player)), 1);
        let refused = (0..200).filter(|_| spend::<Writes>(&limits, &greedy).is_err()).count();
        assert!(refused >= 190, "{refused}");
        assert!(spend::<Writes>(&limits, &caller(Some((2, Role::Player)), 1)).is_ok());
    }

    #[test]
    fn many_accounts_at_one_address_share_what_the_address_has() {
        let limits = limits("off");
        let tried = (0..200).map(|id| spend::<Writes>(&limits, &caller(Some((id, Role::Player)), 1)));
        let allowed = tried.filter(Result::is_ok).count();
        assert!((75..100).contains(&allowed), "{allowed}");
        assert!(spend::<Writes>(&limits, &caller(Some((1000, Role::Player)), 2)).is_ok());
    }

    #[test]
    fn staff_may_do_ten_times_as_much() {
        let limits = limits("off");
        let counter = caller(Some((1, Role::Staff)), 1);
        assert!((0..30).all(|_| spend::<Writes>(&limits, &counter).is_ok()));
        assert_eq!(spend::<Writes>(&limits, &counter).err().unwrap().code(), "too_many_requests");
    }

    #[test]
    fn a_stream_is_counted_until_it_is_dropped() {
        let limits = limits("off");
        let guest = caller(Some((1, Role::Player)), 1);
        let open: Vec<_> = (0..2).map(|_| spend::<Streams>(&limits, &guest).unwrap()).collect();
        let refused = spend::<Streams>(&limits, &guest).err().unwrap();
        assert_eq!((refused.code(), refused.status_code().as_u16()), ("too_many_streams", 429));
        assert!(spend::<Streams>(&limits, &caller(Some((2, Role::Player)), 1)).is_ok());
        assert_eq!(limits.open_streams(), 2);
        drop(open);
        assert_eq!(limits.open_streams(), 0);
        assert!(spend::<Streams>(&limits, &guest).is_ok());
    }

    #[test]
    fn a_full_process_takes_no_more_streams_even_without_limits_for_callers() {
        let limits = Limits::new(&Config { rate_limits: false, ..config() }, capacity(3));
        let open: Vec<_> = (0..3).map(|_| spend::<Streams>(&limits, &caller(None, 1)).unwrap()).collect();
        let refused = spend::<Streams>(&limits, &caller(None, 2)).err().unwrap();
        assert_eq!((refused.code(), refused.status_code().as_u16()), ("streams_full", 503));
        assert!(refused.error_response().headers().contains_key("retry-after"));
        assert_eq!(open.len(), 3);
        assert!((0..1000).all(|_| spend::<Writes>(&limits, &caller(None, 1)).is_ok()));
    }

    #[test]
    fn a_caller_is_told_the_tightest_of_their_limits() {
        let limits = limits("off");
        let (left, _) = limits.budget::<Writes>(&caller(Some((1, Role::Player)), 1));
        let told = Told::of(&left).unwrap();
        assert_eq!(told.policies, r#""writes-account";q=3;w=60, "writes-address";q=75;w=60"#);
        assert_eq!(told.left, r#""writes-account";r=2;t=20"#);
        let (left, _) = limits.budget::<Streams>(&caller(None, 1));
        let told = Told::of(&left).unwrap();
        let expected =
            r#""streams-address";q=50;qu="concurrent-requests", "streams-process";q=100;qu="concurrent-requests""#;
        assert_eq!(told.policies, expected);
        assert_eq!(told.left, r#""streams-address";r=49"#);
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
    fn a_caller_behind_a_proxy_is_not_on_this_machine() {
        let from = |peer: [u8; 4]| TestRequest::get().peer_addr((peer, 1).into());
        assert!(limits("off").is_local(&from([127, 0, 0, 1]).to_http_request()));
        assert!(!limits("off").is_local(&from([192, 0, 2, 1]).to_http_request()));
        assert!(!limits("on").is_local(&from([127, 0, 0, 1]).to_http_request()));
        let passed_on = from([127, 0, 0, 1]).insert_header(("x-forwarded-for", "192.0.2.1")).to_http_request();
        assert!(!limits("off").is_local(&passed_on));
    }

    #[test]
    fn a_guest_with_a_hundred_made_up_addresses_has_the_budget_of_one() {
        let limits = limits("on");
        let allowed = |peer: [u8; 4]| {
            let tried = (0..100).filter(|made_up: &u8| {
                let request = TestRequest::get().peer_addr((peer, 1).into());
                let request = request.insert_header(("x-forwarded-for", format!("198.51.100.{made_up}")));
                spend::<SignIns>(&limits, &limits.caller(&request.to_http_request())).is_ok()
            });
            tried.count()
        };
        assert_eq!(allowed([10, 0, 0, 1]), 3);
        assert_eq!(allowed([127, 0, 0, 1]), 100, "a proxy of ours names them");
    }
}
