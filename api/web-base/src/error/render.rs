//! How a failed answer looks: a problem document in the caller's language, or the error page.

use std::panic::AssertUnwindSafe;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::error::InternalError;
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT, ALLOW, CONTENT_LANGUAGE, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use futures_util::FutureExt;

use crate::error::refused;
use crate::error::{ApiError, DrawError, ErrorPage};
use crate::lang::lang_of;
use base::error::Error;
use base::error::internal;
use base::text::Lang;

impl ApiError {
    /// The answer in this language, as a problem document.
    pub fn respond(&self, lang: Lang) -> HttpResponse {
        let document = serde_json::to_string(&self.problem(lang)).unwrap_or_default();
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_LANGUAGE, lang.code()));
        let mut response = response.content_type("application/problem+json").body(document);
        self.add_headers(response.headers_mut());
        response
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        let Error::Refused(refusal) = &self.cause else { return };
        if let Some(wait) = refusal.retry_after {
            headers.insert(RETRY_AFTER, (wait.as_secs_f32().ceil() as u64).max(1).into());
        }
        let allow = self.allow.iter().map(|method| method.as_str()).collect::<Vec<_>>().join(", ");
        if let Some(allow) = allow.parse().ok().filter(|_| !allow.is_empty()) {
            headers.insert(ALLOW, allow);
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
    }
}

/// Turns every failed answer into the one form, in the caller's language. A handler that panics has failed, too. Wraps all
/// routes.
pub async fn render_errors<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let caller = Caller::of(request.request());
    let answered = AssertUnwindSafe(async move { next.call(request).await }).catch_unwind().await;
    let Ok(answered) = answered else {
        // The request went down with its handler, and without one there is no `ServiceResponse` to be made.
        let answer = caller.answer(&internal(anyhow::anyhow!("its handler panicked")).into());
        return Err(InternalError::from_response("a handler panicked", answer).into());
    };
    let response = answered?.map_into_boxed_body();
    let Some(present) = presentable(&response) else { return Ok(response) };
    let answer = match present {
        Cause::Ours => {
            let err = response.response().error().and_then(|err| err.as_error::<ApiError>());
            err.map(|err| caller.answer(err))
        }
        Cause::Framework(err) => Some(caller.answer(&err)),
    };
    Ok(match answer {
        Some(mut answer) => {
            for (name, value) in response.headers().iter().filter(|(name, _)| *name == ALLOW) {
                answer.headers_mut().insert(name.clone(), value.clone());
            }
            response.into_response(answer)
        }
        None => response,
    })
}

/// Gives an answer these headers, in whichever of its two shapes it comes.
pub fn with_headers<B>(
    answered: Result<ServiceResponse<B>, actix_web::Error>,
    headers: impl IntoIterator<Item = (HeaderName, HeaderValue)>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let insert_into = |map: &mut HeaderMap| {
        for (name, value) in headers {
            map.insert(name, value);
        }
    };
    match answered {
        Ok(mut response) => {
            insert_into(response.headers_mut());
            Ok(response)
        }
        Err(err) => {
            let mut answer = err.error_response();
            insert_into(answer.headers_mut());
            Err(InternalError::from_response(err, answer).into())
        }
    }
}

/// What an error's answer needs to know of the request, kept for when the request is gone.
struct Caller {
    lang: Lang,
    page: Option<DrawError>,
}

impl Caller {
    fn of(request: &HttpRequest) -> Self {
        let page = request.app_data::<ErrorPage>().filter(|_| wants_page(request));
        Self { lang: lang_of(request), page: page.and_then(|page| page.0(request)) }
    }

    fn answer(self, err: &ApiError) -> HttpResponse {
        if let Error::Internal(cause) = &err.cause {
            tracing::error!(error = format!("{cause:#}"), "answering a request failed");
        }
        match self.page.and_then(|draw| draw(&err.problem(self.lang))) {
            Some(mut page) => {
                *page.status_mut() = err.status_code();
                err.add_headers(page.headers_mut());
                page
            }
            None => err.respond(self.lang),
        }
    }
}

/// The answer to a request that comes to no handler.
pub fn answer_to(request: &HttpRequest, err: &ApiError) -> HttpResponse {
    Caller::of(request).answer(err)
}

enum Cause {
    Ours,
    Framework(ApiError),
}

fn presentable(response: &ServiceResponse<BoxBody>) -> Option<Cause> {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) {
        return None;
    }
    match response.response().error() {
        Some(err) if err.as_error::<ApiError>().is_some() => Some(Cause::Ours),
        Some(err) if status.is_server_error() => Some(Cause::Framework(internal(anyhow::anyhow!("{err}")).into())),
        Some(_) => Some(Cause::Framework(refused(status, framework_code(status)))),
        None if response.response().body().size() == BodySize::Sized(0) => {
            Some(Cause::Framework(refused(status, framework_code(status))))
        }
        None => None,
    }
}

fn framework_code(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "unknown_route",
        StatusCode::METHOD_NOT_ALLOWED => "method_not_allowed",
        StatusCode::PAYLOAD_TOO_LARGE => "body_too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "unsupported_media_type",
        StatusCode::REQUEST_TIMEOUT => "body_timeout",
        _ => "bad_request",
    }
}

fn wants_page(request: &HttpRequest) -> bool {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    !request.path().starts_with("/api/") && accept.contains("text/html")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_that_is_used_has_a_title_and_every_code_a_sentence() {
        let codes = ["internal", "unavailable", "not_found", "invalid_fields", "too_many_requests", "unknown_route"];
        for lang in Lang::ALL {
            for code in codes {
                assert!(lang.find_with(&format!("error-{code}"), &[]).is_some(), "{code}");
            }
            for status in [400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503] {
                assert!(lang.find_with(&format!("status-{status}"), &[]).is_some(), "{status}");
            }
        }
    }
}
