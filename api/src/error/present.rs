//! How a failed answer looks: a problem document in the caller's language, or the error page.

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT, ALLOW, CONTENT_LANGUAGE, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE,
};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse, ResponseError};

use super::{ApiError, ErrorPage, internal, refused};
use crate::text::Lang;

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
        let Self::Refused(refusal) = self else { return };
        if let Some(wait) = refusal.retry_after {
            headers.insert(RETRY_AFTER, (wait.as_secs_f32().ceil() as u64).max(1).into());
        }
        let allow = refusal.allow.iter().map(|method| method.as_str()).collect::<Vec<_>>().join(", ");
        if let Some(allow) = allow.parse().ok().filter(|_| !allow.is_empty()) {
            headers.insert(ALLOW, allow);
        }
        if refusal.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
    }
}

/// Turns every failed answer into the one form, in the caller's language. Wraps all routes.
pub async fn present<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let lang = Lang::of(request.request());
    let response = next.call(request).await?.map_into_boxed_body();
    let Some(present) = presentable(&response) else { return Ok(response) };
    let answer = match present {
        Cause::Ours => {
            let err = response.response().error().and_then(|err| err.as_error::<ApiError>());
            err.map(|err| page_or_document(response.request(), err, lang))
        }
        Cause::Framework(err) => Some(page_or_document(response.request(), &err, lang)),
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
        Some(err) if status.is_server_error() => Some(Cause::Framework(internal(anyhow::anyhow!("{err}")))),
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

fn page_or_document(request: &HttpRequest, err: &ApiError, lang: Lang) -> HttpResponse {
    if let ApiError::Internal(cause) = err {
        tracing::error!(cause = format!("{cause:#}"), path = request.path(), "a request failed");
    }
    let page = request.app_data::<ErrorPage>().filter(|_| wants_page(request));
    match page.and_then(|page| page.0(request, &err.problem(lang), lang)) {
        Some(mut page) => {
            *page.status_mut() = err.status_code();
            err.add_headers(page.headers_mut());
            page
        }
        None => err.respond(lang),
    }
}

fn wants_page(request: &HttpRequest) -> bool {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    !request.path().starts_with("/api/") && accept.contains("text/html")
}
