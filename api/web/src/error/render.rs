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
    use actix_web::http::Method;
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, call_service, init_service, read_body_json};
    use actix_web::{App, web};
    use serde_json::Value;

    use super::*;
    use crate::error::ApiResult;
    use crate::{openapi, routes};
    use base::error::too_many;

    async fn broken() -> ApiResult<HttpResponse> {
        Err(internal(anyhow::anyhow!("the cellar is flooded")).into())
    }

    async fn busy() -> ApiResult<HttpResponse> {
        Err(too_many(std::time::Duration::from_millis(1500)).into())
    }

    fn page(request: &HttpRequest) -> Option<DrawError> {
        let lang = lang_of(request).code();
        Some(Box::new(move |problem| {
            Some(HttpResponse::Ok().body(format!("{} {} {lang}", problem.status, problem.code)))
        }))
    }

    async fn answer(request: TestRequest) -> ServiceResponse {
        let app = App::new()
            .app_data(web::Data::new(openapi::addresses()))
            .app_data(ErrorPage(page))
            .route("/api/broken", web::get().to(broken))
            .route("/busy", web::get().to(busy))
            .service(web::resource("/api/typed/{id}").route(web::get().to(async |_: web::Path<u8>| HttpResponse::Ok())))
            .default_service(web::to(routes::nowhere))
            .wrap(from_fn(render_errors));
        call_service(&init_service(app).await, request.to_request()).await.map_into_boxed_body()
    }

    #[actix_web::test]
    async fn an_internal_error_tells_nothing() {
        let response = answer(TestRequest::with_uri("/api/broken").insert_header(("accept-language", "en"))).await;
        assert_eq!(response.status(), 500);
        assert_eq!(response.headers().get("content-type").unwrap(), "application/problem+json");
        let problem: Value = read_body_json(response).await;
        assert_eq!(problem["code"], "internal");
        assert!(!problem.to_string().contains("cellar"), "{problem}");
    }

    #[actix_web::test]
    async fn an_error_of_the_framework_takes_our_form() {
        let response = answer(TestRequest::with_uri("/api/typed/x")).await;
        assert_eq!(response.status(), 404);
        let problem: Value = read_body_json(response).await;
        assert_eq!(problem["code"], "unknown_route");
        let response = answer(TestRequest::with_uri("/api/typed/1").method(Method::PUT)).await;
        assert_eq!(response.status(), 405);
        let problem: Value = read_body_json(response).await;
        assert_eq!(problem["code"], "method_not_allowed");
    }

    #[actix_web::test]
    async fn a_wrong_method_is_told_the_right_ones() {
        let response = answer(TestRequest::delete().uri("/api/v1/auth/login")).await;
        assert_eq!(response.status(), 405);
        assert_eq!(response.headers().get("allow").unwrap(), "POST");
    }

    #[actix_web::test]
    async fn a_browser_gets_the_page_with_the_same_status_and_headers() {
        let request = TestRequest::with_uri("/busy")
            .insert_header(("accept", "text/html"))
            .insert_header(("accept-language", "es"));
        let response = answer(request).await;
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers().get("retry-after").unwrap(), "2");
        assert_eq!(actix_web::test::read_body(response).await, "429 too_many_requests es");
    }

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
