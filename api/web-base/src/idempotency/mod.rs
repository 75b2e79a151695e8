//! A POST that is sent again is not done again: with an `Idempotency-Key` its first answer is kept for a day and given again.
//!
//! The key is claimed by a statement of its own before anything is done, so that of two that ask at once one is told to wait, and
//! so that nothing is ever done twice: where it is not known what became of the first attempt, that is what the next are told.
//! A move keeps its key in the log of its match instead, which costs it no round trip (`matches::play`).

use std::future::Future;
use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody, to_bytes};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::web::{Bytes, Data};
use actix_web::{Error, HttpResponse, rt};
use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tracing::Instrument;
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Required};

use crate::addresses::LazyAddresses;
use crate::error::answer_to;
use crate::error::{ApiError, ApiResult};
use crate::extract::{SHEET_LIMIT, Visitor, canonical, read_body};
use crate::lang::lang_of;
use base::auth::{Digest, Seal};
use base::db::{Db, with_effect};
use base::error::{Result, bad_request, conflict, internal, unprocessable};
use base::idempotency_keys::{self, KeyRow};
use base::text::Lang;
use base::world::World;

const HEADER: &str = "idempotency-key";
const KEPT: SignedDuration = SignedDuration::from_hours(24);
/// No request takes so long. If there is no answer by then, there will be none.
const PATIENCE: SignedDuration = SignedDuration::from_secs(60);
const LONGEST: usize = 255;
/// A caller who has not signed in is known by the key alone, so nobody else must be able to guess it.
const SHORTEST_OF_STRANGERS: usize = 16;
const KEEPS_ITS_OWN: &str = "/api/v1/matches/{id}/moves";
const SWEPT_AT_ONCE: i64 = 1000;
/// Seconds between attempts to store what became of a request, if the database is away.
const RETRIES: [u64; 12] = [1, 1, 1, 2, 2, 5, 5, 10, 30, 60, 120, 300];

/// Does what is asked once for each key. Wraps all routes, around the layer that gives errors their form.
pub async fn replay_guard<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if !is_covered(&request) {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let begun = match Attempt::of(&mut request).await {
        Ok(Some(attempt)) => attempt.begin().await,
        Ok(None) => return Ok(next.call(request).await?.map_into_boxed_body()),
        Err(err) => Err(err),
    };
    let attempt = match begun {
        Ok(Begun::First(attempt)) => attempt,
        Ok(Begun::Again(answer)) => return Ok(request.into_response(answer.into_response()?)),
        Err(err) => {
            let answer = answer_to(request.request(), &err);
            return Ok(request.into_response(answer));
        }
    };
    // On its own, so that it is carried through even if the caller hangs up: a phone that lost its network asks again.
    let handled = rt::spawn(attempt.carry_out(next.call(request)).in_current_span());
    handled.await.map_err(|err| ApiError::from(internal(err)))?
}

fn is_covered(request: &ServiceRequest) -> bool {
    *request.method() == Method::POST
        && request.headers().contains_key(HEADER)
        && request.path().starts_with("/api/")
        && request.match_pattern().is_some_and(|pattern| pattern != KEEPS_ITS_OWN)
}

/// The request's key, if it has one.
pub fn key(headers: &HeaderMap) -> ApiResult<Option<&str>> {
    let mut given = headers.get_all(HEADER);
    let Some(key) = given.next() else { return Ok(None) };
    match key.to_str() {
        Ok(key) if given.next().is_none() => Ok(Some(check(key)?)),
        _ => Err(bad_request("invalid_idempotency_key").into()),
    }
}

/// The same of a key that a form brings.
pub fn check(key: &str) -> Result<&str> {
    let is_good = (1..=LONGEST).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic());
    if is_good { Ok(key) } else { Err(bad_request("invalid_idempotency_key")) }
}

/// One sending of a request that has a key.
struct Attempt {
    db: Data<Db>,
    world: World,
    lang: Lang,
    is_stranger: bool,
    named: Named,
    /// As the previous secret names it, while that is known.
    before: Option<Named>,
    at: Timestamp,
}

/// The key and the request as one secret names them, and what opens the answer that was kept for them.
struct Named {
    seal: Seal,
    id: Digest,
    request: Digest,
}

enum Begun {
    First(Box<Attempt>),
    Again(Answer),
}

/// An answer as it is kept.
#[derive(Debug, Serialize, Deserialize, PartialEq, Eq)]
struct Head {
    status: u16,
    headers: Vec<(String, String)>,
}

struct Answer {
    head: Head,
    body: Bytes,
}

impl Attempt {
    /// None for strangers where they may do nothing anyhow.
    async fn of(request: &mut ServiceRequest) -> ApiResult<Option<Self>> {
        // A token that is no good is the handler's to refuse; many need none.
        let caller = request.extract::<Visitor>().await.ok().and_then(|Visitor(player)| player);
        let addresses = data::<LazyAddresses>(request)?;
        let is_open = || request.match_pattern().is_some_and(|pattern| addresses.is_open_to_strangers(&pattern));
        if caller.is_none() && !is_open() {
            return Ok(None);
        }
        let key = key(request.headers())?.unwrap_or_default().to_owned();
        if key.len() < SHORTEST_OF_STRANGERS && is_open() {
            return Err(bad_request("weak_idempotency_key").with("least", SHORTEST_OF_STRANGERS as i64).into());
        }
        let (head, payload) = request.parts_mut();
        let body = read_body(head, payload.take(), SHEET_LIMIT).await?.freeze();
        *payload = Payload::from(body.clone());
        let seal = data::<Seal>(request)?;
        let world = ***data::<World>(request)?;
        let who = caller.map(|player| *player.id.0.as_bytes()).unwrap_or_default();
        // Some languages write the fields of a body in another order each time.
        let said = canonical(&body).map_or_else(|| body.clone(), Bytes::from);
        let named = |seal: &Seal| Named {
            id: seal.digest(&[&who, request.path().as_bytes(), key.as_bytes()]),
            request: seal.digest(&[request.query_string().as_bytes(), &said]),
            seal: seal.clone(),
        };
        Ok(Some(Self {
            db: data::<Db>(request)?.clone(),
            world,
            lang: lang_of(request.request()),
            is_stranger: caller.is_none(),
            named: named(seal),
            before: seal.previous().map(named),
            at: world.now(),
        }))
    }

    /// Claims the key, or finds what became of the attempt that did.
    async fn begin(self) -> ApiResult<Begun> {
        let mut conn = self.db.conn().await?;
        // Nobody claims a key under the previous secret any more, so what is not there now will not come.
        if let Some(before) = &self.before
            && let Some(row) = idempotency_keys::find(&mut conn, &before.id).await?
            && row.claimed_at >= self.at - KEPT
        {
            return self.again(before, row);
        }
        if idempotency_keys::claim(&mut conn, &self.named.id, &self.named.request, self.at, self.at - KEPT).await? {
            drop(conn);
            return Ok(Begun::First(Box::new(self)));
        }
        // Given back between the two: as good as in use.
        let row = idempotency_keys::find(&mut conn, &self.named.id).await?.ok_or_else(in_use)?;
        self.again(&self.named, row)
    }

    /// What became of the attempt that claimed the key.
    fn again(&self, named: &Named, row: KeyRow) -> ApiResult<Begun> {
        if row.request_hash != named.request {
            return Err(unprocessable("idempotency_key_reused").into());
        }
        match row.response {
            Some(sealed) => Ok(Begun::Again(Answer::open(named, &sealed).ok_or_else(outcome_unknown)?)),
            None if row.claimed_at > self.at - PATIENCE => Err(in_use()),
            None => Err(outcome_unknown()),
        }
    }

    async fn carry_out<B: MessageBody + 'static>(
        self,
        handled: impl Future<Output = Result<ServiceResponse<B>, Error>>,
    ) -> Result<ServiceResponse<BoxBody>, Error> {
        let (handled, is_changed) = with_effect(handled).await;
        let (request, response) = match handled {
            Ok(response) => response.map_into_boxed_body().into_parts(),
            Err(err) => {
                let answer = if is_changed { Some(self.outcome_unknown().await) } else { None };
                self.keep_or_release(answer).await;
                return Err(err);
            }
        };
        let (head, body) = response.into_parts();
        let body = to_bytes(body).await.map_err(|err| ApiError::from(internal(anyhow::anyhow!("{err}"))))?;
        let answer = match head.status() {
            // Nothing was done yet, so the next attempt is as good as the first.
            status if status.is_server_error() && !is_changed => None,
            status if status.is_server_error() => Some(self.outcome_unknown().await),
            status if self.is_final(status) => Some(Answer::of(&head, body.clone())),
            _ => None,
        };
        self.keep_or_release(answer).await;
        Ok(ServiceResponse::new(request, head.set_body(BoxBody::new(body))))
    }

    /// Whether the answer is final. A stranger's refusals are not kept for them: nothing was
    /// done, and anybody could fill the table with them.
    fn is_final(&self, status: StatusCode) -> bool {
        let is_for_now = matches!(
            status,
            StatusCode::UNAUTHORIZED
                | StatusCode::REQUEST_TIMEOUT
                | StatusCode::PAYLOAD_TOO_LARGE
                | StatusCode::TOO_MANY_REQUESTS
        );
        !(is_for_now || self.is_stranger && status.is_client_error())
    }

    /// What the next who ask are told after a failure that may have come after what was asked for was done.
    async fn outcome_unknown(&self) -> Answer {
        let (head, body) = outcome_unknown().respond(self.lang).into_parts();
        Answer::of(&head, to_bytes(body).await.unwrap_or_default())
    }

    /// Keeps the answer, or gives the key back. If the database is away, tries on while the caller is answered: what was surely not
    /// done must not become something that nobody knows.
    async fn keep_or_release(self, answer: Option<Answer>) {
        let sealed = match answer.map(|answer| answer.close(&self.named, &self.world)).transpose() {
            Ok(sealed) => sealed,
            Err(err) => return tracing::warn!(error = format!("{err:#}"), "sealing an answer failed"),
        };
        if let Err(err) = self.settle(sealed.as_deref()).await {
            tracing::warn!(error = format!("{err:#}"), "storing an idempotency record failed");
            rt::spawn(self.settle_later(sealed).in_current_span());
        }
    }

    async fn settle_later(self, sealed: Option<Vec<u8>>) {
        for seconds in RETRIES {
            rt::time::sleep(Duration::from_secs(seconds)).await;
            if self.settle(sealed.as_deref()).await.is_ok() {
                return;
            }
        }
        tracing::warn!("gave up storing an idempotency record");
    }

    async fn settle(&self, sealed: Option<&[u8]>) -> ApiResult<usize> {
        let mut conn = self.db.conn().await?;
        Ok(match sealed {
            Some(sealed) => idempotency_keys::keep(&mut conn, &self.named.id, self.at, sealed).await?,
            None => idempotency_keys::release(&mut conn, &self.named.id, self.at).await?,
        })
    }
}

impl Answer {
    fn of(head: &HttpResponse<()>, body: Bytes) -> Self {
        let text =
            |(name, value): (&HeaderName, &HeaderValue)| Some((name.to_string(), value.to_str().ok()?.to_owned()));
        let headers = head.headers().iter().filter_map(text).collect();
        Self { head: Head { status: head.status().as_u16(), headers }, body }
    }

    fn into_response(self) -> ApiResult<HttpResponse> {
        let mut response = HttpResponse::build(StatusCode::from_u16(self.head.status).map_err(internal)?);
        for header in self.head.headers {
            response.append_header(header);
        }
        Ok(response.body(self.body))
    }

    /// The head, a line's end, the body.
    fn close(&self, named: &Named, world: &World) -> ApiResult<Vec<u8>> {
        let mut bytes = serde_json::to_vec(&self.head).map_err(internal)?;
        bytes.push(b'\n');
        bytes.extend_from_slice(&self.body);
        Ok(named
            .seal
            .close(world, &named.id, &bytes)
            .ok_or_else(|| internal(anyhow::anyhow!("an answer is too long to be sealed")))?)
    }

    fn open(named: &Named, sealed: &[u8]) -> Option<Self> {
        let bytes = named.seal.open(&named.id, sealed)?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head = serde_json::from_slice(&bytes[..end]).ok()?;
        Some(Self { head, body: Bytes::from(bytes).slice(end + 1..) })
    }
}

fn in_use() -> ApiError {
    conflict("idempotency_key_in_use").retry_after(Duration::from_secs(1)).into()
}

fn outcome_unknown() -> ApiError {
    conflict("outcome_unknown").into()
}

fn data<T: 'static>(request: &ServiceRequest) -> ApiResult<&Data<T>> {
    let missing = || internal(anyhow::anyhow!("{} is not among the app's data", std::any::type_name::<T>()));
    Ok(request.app_data::<Data<T>>().ok_or_else(missing)?)
}

/// Deletes what is no longer kept, a bounded number at a time: how many there were.
pub async fn sweep(conn: &mut AsyncPgConnection, now: Timestamp) -> ApiResult<usize> {
    let mut count = 0;
    loop {
        let deleted = idempotency_keys::delete_expired(conn, now - KEPT, SWEPT_AT_ONCE).await?;
        count += deleted;
        if deleted < SWEPT_AT_ONCE as usize {
            return Ok(count);
        }
    }
}

/// Says so in the document, of every POST.
pub fn describe(post: &mut Operation, is_open_to_strangers: bool) {
    let shortest = if is_open_to_strangers { SHORTEST_OF_STRANGERS } else { 1 };
    post.parameters.get_or_insert_default().push(RefOr::T(parameter(shortest)));
}

fn parameter(shortest: usize) -> Parameter {
    let key = ObjectBuilder::new().schema_type(Type::String).min_length(Some(shortest)).max_length(Some(LONGEST));
    ParameterBuilder::new()
        .name("Idempotency-Key")
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some(
            "A random word of the caller's own, such as a UUID, the same for every attempt at this request: it is done once, and all \
             attempts within 24 hours get the first answer. Visible ASCII characters; 16 at least where no sign-in is needed.",
        ))
        .schema(Some(key.pattern(Some("^[!-~]+$"))))
        .build()
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    fn key(values: &[&[u8]]) -> Result<Option<String>, String> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HeaderName::from_static("idempotency-key"), HeaderValue::from_bytes(value).unwrap());
        }
        super::key(&headers).map(|key| key.map(str::to_owned)).map_err(|err| err.code().to_owned())
    }

    #[test]
    fn a_key_is_short_visible_and_given_once() {
        assert_eq!(key(&[]), Ok(None));
        assert_eq!(key(&[b"a-1"]), Ok(Some("a-1".into())));
        assert_eq!(key(&[&[b'x'; 255]]), Ok(Some("x".repeat(255))));
        for bad in [&[b"".as_slice()][..], &[&[b'x'; 256]], &[b"a b"], &[b"\xc3\xa9"], &[b"a", b"b"]] {
            assert_eq!(key(bad), Err("invalid_idempotency_key".into()));
        }
    }
}
