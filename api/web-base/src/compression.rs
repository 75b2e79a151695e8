//! JSON is compressed for callers who take gzip: a list becomes a tenth of what it was.
//!
//! What holds a secret stays as it is. Otherwise somebody who can choose a part of an answer, such as a name, and can measure the
//! answer's length could guess the secret that stands beside it (BREACH).

use actix_web::Error;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, VARY};
use actix_web::middleware::Next;

use crate::assets::{gzip, takes_gzip};

/// What is shorter fits into one packet anyhow.
const SHORTEST: u64 = 1024;
/// The quickest: others make it hardly shorter and take three times as long.
const LEVEL: u32 = 1;
/// Their answers hold tokens, links or codes that let somebody in.
const SECRET: [&str; 7] =
    ["/api/v1/auth/", "/api/v1/sittings", "/api/v1/tables", "/api/v1/staff", "/api/v1/keys", "/api/v1/webhooks", "/t/"];

/// Compresses what is worth it. Wraps all routes, around the layer that tags answers.
pub async fn compress_json<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_wanted = takes_gzip(request.request()) && !SECRET.iter().any(|path| request.path().starts_with(path));
    let response = next.call(request).await?.map_into_boxed_body();
    if !is_worth_it(&response) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (mut head, body) = response.into_parts();
    head.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    let body = match body.try_into_bytes() {
        Ok(bytes) if is_wanted => {
            mark_compressed(head.headers_mut());
            BoxBody::new(gzip(&bytes, LEVEL))
        }
        Ok(bytes) => BoxBody::new(bytes),
        Err(body) => body,
    };
    Ok(ServiceResponse::new(request, head.set_body(body)))
}

/// Streams have no length, and what must not be stored holds a token.
fn is_worth_it(response: &ServiceResponse<BoxBody>) -> bool {
    let starts = |name, beginning: &[u8]| {
        response.headers().get(name).is_some_and(|it: &HeaderValue| it.as_bytes().starts_with(beginning))
    };
    let is_long = matches!(response.response().body().size(), BodySize::Sized(length) if length >= SHORTEST);
    is_long
        && (starts(CONTENT_TYPE, b"application/json") || starts(CONTENT_TYPE, b"application/problem+json"))
        && !starts(CACHE_CONTROL, b"no-store")
        && !response.headers().contains_key(CONTENT_ENCODING)
}

/// The same content in other bytes has a weak tag.
fn mark_compressed(headers: &mut HeaderMap) {
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    let weak = headers.get(ETAG).and_then(|tag| HeaderValue::try_from(format!("W/{}", tag.to_str().ok()?)).ok());
    if let Some(weak) = weak {
        headers.insert(ETAG, weak);
    }
}

#[cfg(test)]
mod tests {
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service, read_body};
    use actix_web::{App, HttpResponse, web};

    use super::*;

    async fn asked(path: &str) -> (Option<String>, usize) {
        let long = || async { HttpResponse::Ok().json("long ".repeat(1000)) };
        let short = || async { HttpResponse::Ok().json("short") };
        let unkept = || async { HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json("x".repeat(2000)) };
        let app = App::new()
            .route("/api/v1/long", web::get().to(long))
            .route("/api/v1/short", web::get().to(short))
            .route("/api/v1/unkept", web::get().to(unkept))
            .route("/api/v1/auth/sessions", web::get().to(long));
        let app = init_service(app.wrap(from_fn(compress_json))).await;
        let request = TestRequest::with_uri(path).insert_header(("accept-encoding", "gzip")).to_request();
        let answer = call_service(&app, request).await;
        let coding = answer.headers().get(CONTENT_ENCODING).map(|it| it.to_str().unwrap().to_owned());
        (coding, read_body(answer).await.len())
    }

    #[actix_web::test]
    async fn long_json_without_secrets_is_compressed() {
        let (coding, length) = asked("/api/v1/long").await;
        assert!(coding.as_deref() == Some("gzip") && length < 200, "{coding:?} {length}");
        for path in ["/api/v1/short", "/api/v1/unkept", "/api/v1/auth/sessions"] {
            assert_eq!(asked(path).await.0, None, "{path}");
        }
    }
}
