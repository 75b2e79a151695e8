//! Every way in which a request can fail, and the one form in which callers learn of it:
//! an RFC 9457 problem document with a stable `code`, or the error page for someone with a browser.

mod present;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use fluent_templates::fluent_bundle::FluentValue;
use serde::Serialize;
use utoipa::ToSchema;

use crate::text::Lang;

pub use present::{answer_to, present, with_headers};

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
    /// Keys of sentences that say it better than `error-<code>`, the best first.
    pub sentences: Vec<String>,
    /// Where the match is now, when the caller thought it elsewhere.
    pub current_version: Option<i32>,
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
    /// With `version_conflict`: the version that the match is at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_version: Option<i32>,
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

/// Prepares the error page for people with a browser, before their request is answered; without it, or when it gives
/// none, they get the document too.
#[derive(Clone, Copy)]
pub struct ErrorPage(pub fn(&HttpRequest) -> Option<DrawError>);

/// Draws the page that was prepared.
pub type DrawError = Box<dyn FnOnce(&Problem) -> Option<HttpResponse>>;

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
        sentences: Vec::new(),
        current_version: None,
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

    pub fn with_field(self, pointer: &str, code: &'static str) -> Self {
        self.with_fields(vec![FieldError::new(pointer, code)])
    }

    /// Keys of sentences to use instead of `error-<code>`, the best first.
    pub fn in_words(self, sentences: Vec<String>) -> Self {
        self.map(|refusal| refusal.sentences = sentences)
    }

    pub fn at_version(self, version: i32) -> Self {
        self.map(|refusal| refusal.current_version = Some(version))
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
            let code = "internal".to_owned();
            return Problem { title, status: status.as_u16(), detail, code, current_version: None, errors: Vec::new() };
        };
        let args: Vec<_> = refusal.args.iter().map(|(name, word)| (*name, word.fluent())).collect();
        let usual = format!("error-{}", refusal.code);
        let sentence = refusal.sentences.iter().chain([&usual]).find_map(|key| lang.find_with(key, &args));
        Problem {
            detail: sentence
                .unwrap_or_else(|| lang.text_with("error-refused", &[("code", refusal.code.clone().into())])),
            title,
            status: status.as_u16(),
            code: refusal.code.clone().into_owned(),
            current_version: refusal.current_version,
            errors: refusal.fields.iter().map(|field| field.problem(lang)).collect(),
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
