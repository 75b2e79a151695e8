//! How a failed request is told: an RFC 9457 problem document with a stable `code`, or the error page for someone with a
//! browser. What can fail is `base::error`.

mod render;

use std::fmt;

use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, ResponseError};
use base::error::{Error, FieldError, Kind, Refusal, Word};
use base::text::Lang;
use fluent_bundle::FluentValue;
use serde::Serialize;
use utoipa::ToSchema;

pub use render::{answer_to, render_errors, with_headers};

pub type ApiResult<T> = Result<T, ApiError>;

/// A failure on its way to a caller.
#[derive(Debug)]
pub struct ApiError {
    pub cause: Error,
    status: StatusCode,
    allow: Vec<Method>,
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

/// What only HTTP refuses: a body that is too large, a method that an address does not have.
pub fn refused(status: StatusCode, code: &'static str) -> ApiError {
    ApiError { status, cause: base::error::refused(Kind::Malformed, code), allow: Vec::new() }
}

impl ApiError {
    /// A word for the sentence's placeholder of this name.
    pub fn with(self, name: &'static str, value: impl Into<Word>) -> Self {
        Self { cause: self.cause.with(name, value), ..self }
    }

    pub fn allow(self, methods: Vec<Method>) -> Self {
        Self { allow: methods, ..self }
    }

    /// What was refused, if nothing is broken.
    pub fn refusal(self) -> Result<Box<Refusal>, Self> {
        match self.cause {
            Error::Refused(refusal) => Ok(refusal),
            cause => Err(cause.into()),
        }
    }

    /// Whether it is something that the caller may know and can act on.
    pub fn is_refusal(&self) -> bool {
        matches!(self.cause, Error::Refused(_))
    }

    pub fn code(&self) -> &str {
        self.cause.code()
    }

    pub fn problem(&self, lang: Lang) -> Problem {
        let status = self.status;
        let title = lang.text(&format!("status-{}", status.as_u16()));
        let Error::Refused(refusal) = &self.cause else {
            let detail = lang.text("error-internal");
            let code = "internal".to_owned();
            return Problem { title, status: status.as_u16(), detail, code, current_version: None, errors: Vec::new() };
        };
        let args: Vec<_> = refusal.args.iter().map(|(name, word)| (*name, fluent(word))).collect();
        let usual = format!("error-{}", refusal.code);
        let sentence = refusal.sentences.iter().chain([&usual]).find_map(|key| lang.find_with(key, &args));
        Problem {
            detail: sentence
                .unwrap_or_else(|| lang.text_with("error-refused", &[("code", refusal.code.clone().into())])),
            title,
            status: status.as_u16(),
            code: refusal.code.clone().into_owned(),
            current_version: refusal.current_version,
            errors: refusal.fields.iter().map(|field| FieldProblem::of(field, lang)).collect(),
        }
    }
}

impl Problem {
    /// For a page that shows what is wrong.
    pub fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::UNPROCESSABLE_ENTITY)
    }

    /// What is wrong, as exactly as it is known.
    pub fn sentence(self) -> String {
        self.errors.into_iter().next().map_or(self.detail, |field| field.detail)
    }
}

impl FieldProblem {
    pub fn of(field: &FieldError, lang: Lang) -> Self {
        let code = field.code.clone().into_owned();
        Self { pointer: field.pointer.clone(), code, detail: field.detail(lang) }
    }
}

fn fluent(word: &Word) -> FluentValue<'_> {
    match word {
        Word::Text(text) => text.as_str().into(),
        Word::Number(number) => (*number).into(),
    }
}

fn status_of(cause: &Error) -> StatusCode {
    let Error::Refused(refusal) = cause else { return StatusCode::INTERNAL_SERVER_ERROR };
    match refusal.kind {
        Kind::Malformed => StatusCode::BAD_REQUEST,
        Kind::Unauthorized => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Unprocessable => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
    }
}

impl From<Error> for ApiError {
    fn from(cause: Error) -> Self {
        Self { status: status_of(&cause), cause, allow: Vec::new() }
    }
}

impl From<diesel::result::Error> for ApiError {
    fn from(err: diesel::result::Error) -> Self {
        Error::from(err).into()
    }
}

impl From<anyhow::Error> for ApiError {
    fn from(err: anyhow::Error) -> Self {
        Error::from(err).into()
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.status
    }

    fn error_response(&self) -> HttpResponse {
        self.respond(Lang::default())
    }
}

impl std::error::Error for ApiError {}
