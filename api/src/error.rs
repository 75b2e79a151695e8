//! Every way in which a request can fail, and the one form in which callers learn of it:
//! an RFC 9457 problem document with a stable `code`, or the error page for someone with a browser.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use actix_web::body::{BoxBody, BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{ACCEPT, ALLOW, CONTENT_LANGUAGE, HeaderMap, RETRY_AFTER};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use fluent_templates::fluent_bundle::FluentValue;
use serde::Serialize;
use utoipa::ToSchema;

use crate::text::Lang;

pub type ApiResult<T> = Result<T, ApiError>;

#[derive(Debug)]
pub enum ApiError {
    /// What the caller may know and can act on.
    Refused(Box<Refusal>),
    /// Ours to mend. Logged once, told to nobody.
    Internal(anyhow::Error),
}

#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    /// Stable, and the key of the sentence: `error-<code>` in the catalogues.
    pub code: Cow<'static, str>,
    pub args: Vec<(&'static str, Word)>,
    pub fields: Vec<FieldError>,
    pub retry_after: Option<Duration>,
    pub allow: Vec<Method>,
}

/// What stands in a placeholder of a sentence. Numbers stay numbers: plurals hang on them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    Text(String),
    Number(i64),
}

/// One field of the request that was refused. Its sentence is `field-<code>` in the catalogues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// A JSON pointer into the body (`/seats/0/name`), or the name of a query parameter.
    pub pointer: String,
    pub code: Cow<'static, str>,
    /// The bound that was overstepped, where there is one: `$limit` in the sentence.
    pub limit: Option<i64>,
}

/// The document that callers read.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// The status in words, in the caller's language.
    pub title: String,
    #[schema(example = 422)]
    pub status: u16,
    /// What went wrong, in the caller's language.
    pub detail: String,
    /// Stable, for programs.
    #[schema(example = "version_conflict")]
    pub code: String,
    /// The fields that were refused, where it was about fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldProblem>,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FieldProblem {
    #[schema(example = "/display_name")]
    pub pointer: String,
    #[schema(example = "too_long")]
    pub code: String,
    pub detail: String,
}

/// Draws the error page for people with a browser; without it, or when it gives none, they get the document too.
#[derive(Clone, Copy)]
pub struct ErrorPage(pub fn(&HttpRequest, &Problem, Lang) -> Option<HttpResponse>);

pub fn bad_request(code: &'static str) -> ApiError {
    refused(StatusCode::BAD_REQUEST, code)
}

pub fn unauthorized(code: &'static str) -> ApiError {
    refused(StatusCode::UNAUTHORIZED, code)
}

pub fn forbidden(code: &'static str) -> ApiError {
    refused(StatusCode::FORBIDDEN, code)
}

pub fn not_found(code: &'static str) -> ApiError {
    refused(StatusCode::NOT_FOUND, code)
}

pub fn conflict(code: &'static str) -> ApiError {
    refused(StatusCode::CONFLICT, code)
}

/// What the rules or the café refuse; the engine's codes come through here.
pub fn unprocessable(code: impl Into<Cow<'static, str>>) -> ApiError {
    refused(StatusCode::UNPROCESSABLE_ENTITY, code)
}

pub fn invalid_fields(fields: Vec<FieldError>) -> ApiError {
    unprocessable("invalid_fields").with_fields(fields)
}

pub fn invalid_field(pointer: &str, code: &'static str) -> ApiError {
    invalid_fields(vec![FieldError::new(pointer, code)])
}

pub fn too_many(wait: Duration) -> ApiError {
    refused(StatusCode::TOO_MANY_REQUESTS, "too_many_requests").retry_after(wait)
}

/// The database is away for a moment.
pub fn unavailable() -> ApiError {
    refused(StatusCode::SERVICE_UNAVAILABLE, "unavailable").retry_after(Duration::from_secs(2))
}

pub fn refused(status: StatusCode, code: impl Into<Cow<'static, str>>) -> ApiError {
    ApiError::Refused(Box::new(Refusal {
        status,
        code: code.into(),
        args: Vec::new(),
        fields: Vec::new(),
        retry_after: None,
        allow: Vec::new(),
    }))
}

pub fn internal(err: impl Into<anyhow::Error>) -> ApiError {
    ApiError::Internal(err.into())
}

impl ApiError {
    /// A word for the sentence's placeholder of this name.
    pub fn with(self, name: &'static str, value: impl Into<Word>) -> Self {
        self.map(|refusal| refusal.args.push((name, value.into())))
    }

    pub fn with_fields(self, fields: Vec<FieldError>) -> Self {
        self.map(|refusal| refusal.fields = fields)
    }

    pub fn retry_after(self, wait: Duration) -> Self {
        self.map(|refusal| refusal.retry_after = Some(wait))
    }

    pub fn allow(self, methods: Vec<Method>) -> Self {
        self.map(|refusal| refusal.allow = methods)
    }

    pub fn code(&self) -> &str {
        match self {
            Self::Refused(refusal) => &refusal.code,
            Self::Internal(_) => "internal",
        }
    }

    pub fn problem(&self, lang: Lang) -> Problem {
        let status = self.status_code();
        let title = lang.text(&format!("status-{}", status.as_u16()));
        let Self::Refused(refusal) = self else {
            let detail = lang.text("error-internal");
            return Problem { title, status: status.as_u16(), detail, code: "internal".into(), errors: Vec::new() };
        };
        let args: Vec<_> = refusal.args.iter().map(|(name, word)| (*name, word.fluent())).collect();
        let sentence = lang.find_with(&format!("error-{}", refusal.code), &args);
        Problem {
            detail: sentence.unwrap_or_else(|| lang.text_with("error-refused", &[("code", refusal.code.clone().into())])),
            title,
            status: status.as_u16(),
            code: refusal.code.clone().into_owned(),
            errors: refusal.fields.iter().map(|field| field.problem(lang)).collect(),
        }
    }

    /// The answer in this language, as a problem document.
    pub fn respond(&self, lang: Lang) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        response.insert_header((CONTENT_LANGUAGE, lang.code()));
        let mut response = response.content_type("application/problem+json").body(document(&self.problem(lang)));
        self.add_headers(response.headers_mut());
        response
    }

    fn add_headers(&self, headers: &mut HeaderMap) {
        let Self::Refused(refusal) = self else { return };
        if let Some(wait) = refusal.retry_after {
            headers.insert(RETRY_AFTER, (wait.as_secs_f32().ceil() as u64).max(1).into());
        }
        let allow = refusal.allow.iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
        if let Some(allow) = allow.parse().ok().filter(|_| !allow.is_empty()) {
            headers.insert(ALLOW, allow);
        }
        if refusal.status == StatusCode::UNAUTHORIZED {
            headers.insert(
                actix_web::http::header::WWW_AUTHENTICATE,
                actix_web::http::header::HeaderValue::from_static("Bearer"),
            );
        }
    }

    fn map(mut self, change: impl FnOnce(&mut Refusal)) -> Self {
        if let Self::Refused(refusal) = &mut self {
            change(refusal);
        }
        self
    }
}

impl Word {
    fn fluent(&self) -> FluentValue<'_> {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Number(number) => (*number).into(),
        }
    }
}

impl From<&str> for Word {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Word {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Word {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl FieldError {
    pub fn new(pointer: impl Into<String>, code: impl Into<Cow<'static, str>>) -> Self {
        Self { pointer: pointer.into(), code: code.into(), limit: None }
    }

    pub fn with_limit(self, limit: usize) -> Self {
        Self { limit: i64::try_from(limit).ok(), ..self }
    }

    /// The same refusal, at this place.
    pub fn at(self, pointer: &str) -> Self {
        Self { pointer: pointer.to_owned(), ..self }
    }

    pub fn detail(&self, lang: Lang) -> String {
        let limit = [("limit", self.limit.unwrap_or_default().into())];
        let sentence = lang.find_with(&format!("field-{}", self.code), &limit);
        sentence.unwrap_or_else(|| lang.text("field-invalid"))
    }

    fn problem(&self, lang: Lang) -> FieldProblem {
        let code = self.code.clone().into_owned();
        FieldProblem { pointer: self.pointer.clone(), code, detail: self.detail(lang) }
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => f.write_str(&refusal.code),
            Self::Internal(_) => f.write_str("internal"),
        }
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::Refused(refusal) => refusal.status,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        self.respond(Lang::default())
    }
}

impl From<DieselError> for ApiError {
    fn from(err: DieselError) -> Self {
        match &err {
            DieselError::NotFound => not_found("not_found"),
            DieselError::DatabaseError(kind, info) if is_passing(kind, info.message()) => {
                tracing::warn!(reason = info.message(), "the database did not answer");
                unavailable()
            }
            _ => internal(err),
        }
    }
}

impl std::error::Error for ApiError {}

impl From<anyhow::Error> for ApiError {
    fn from(err: anyhow::Error) -> Self {
        Self::Internal(err)
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

fn document(problem: &Problem) -> String {
    serde_json::to_string(problem).unwrap_or_default()
}

/// Lost connections, restarts and exceeded patience: the same request may well succeed in a moment.
fn is_passing(kind: &DatabaseErrorKind, message: &str) -> bool {
    const PASSING: [&str; 6] = [
        "terminating connection",
        "canceling statement due to",
        "the database system is",
        "deadlock detected",
        "connection closed",
        "sorry, too many clients",
    ];
    matches!(
        kind,
        DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::SerializationFailure
    ) || PASSING.iter().any(|passing| message.contains(passing))
}
