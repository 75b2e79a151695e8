//! Every way in which a use case can fail: refused, with a stable code, or broken. `web_base::error` says how a caller learns of it.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::storage;
use crate::text::Lang;
use diesel::result::{DatabaseErrorKind, Error as DieselError};

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug)]
pub enum Error {
    /// What the caller may know and can act on.
    Refused(Box<Refusal>),
    /// A fault of the server. Logged once, told to nobody.
    Internal(anyhow::Error),
}

/// What kind of refusal it is, whatever the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Malformed,
    Unauthorized,
    Forbidden,
    NotFound,
    Conflict,
    Unprocessable,
    TooMany,
    Unavailable,
}

#[derive(Debug)]
pub struct Refusal {
    pub kind: Kind,
    /// Stable, and the key of the sentence: `error-<code>` in the catalogues.
    pub code: Cow<'static, str>,
    /// Keys of sentences that say it better than `error-<code>`, the best first.
    pub sentences: Vec<String>,
    /// Where the match is now, when the caller thought it elsewhere.
    pub current_version: Option<i32>,
    pub args: Vec<(&'static str, Word)>,
    pub fields: Vec<FieldError>,
    pub retry_after: Option<Duration>,
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
    /// The least and the most that it may be, for `$least` and `$most`.
    pub bounds: Option<(i64, i64)>,
}

pub fn bad_request(code: &'static str) -> Error {
    refused(Kind::Malformed, code)
}

pub fn unauthorized(code: &'static str) -> Error {
    refused(Kind::Unauthorized, code)
}

pub fn forbidden(code: &'static str) -> Error {
    refused(Kind::Forbidden, code)
}

pub fn not_found(code: &'static str) -> Error {
    refused(Kind::NotFound, code)
}

pub fn conflict(code: &'static str) -> Error {
    refused(Kind::Conflict, code)
}

/// What the rules or the café refuse; the engine's codes come through here.
pub fn unprocessable(code: impl Into<Cow<'static, str>>) -> Error {
    refused(Kind::Unprocessable, code)
}

pub fn invalid_fields(fields: Vec<FieldError>) -> Error {
    unprocessable("invalid_fields").with_fields(fields)
}

pub fn invalid_field(pointer: &str, code: &'static str) -> Error {
    invalid_fields(vec![FieldError::new(pointer, code)])
}

/// A parameter of the address, and what is wrong with it.
pub fn invalid_query(name: &str, code: &'static str) -> Error {
    bad_request("invalid_query").with_field(name, code)
}

pub fn too_many(wait: Duration) -> Error {
    refused(Kind::TooMany, "too_many_requests").retry_after(wait)
}

/// The database is away for a moment.
pub fn unavailable() -> Error {
    refused(Kind::Unavailable, "unavailable").retry_after(Duration::from_secs(2))
}

pub fn refused(kind: Kind, code: impl Into<Cow<'static, str>>) -> Error {
    Error::Refused(Box::new(Refusal {
        kind,
        code: code.into(),
        args: Vec::new(),
        sentences: Vec::new(),
        current_version: None,
        fields: Vec::new(),
        retry_after: None,
    }))
}

pub fn internal(err: impl Into<anyhow::Error>) -> Error {
    Error::Internal(err.into())
}

impl Error {
    /// Whether something about the request is why it was refused. A database that is away for the moment is no such reason: who goes
    /// on after a refusal must not go on after that, since all that was done so far is undone.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(refusal) if refusal.kind != Kind::Unavailable)
    }

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

    pub fn code(&self) -> &str {
        match self {
            Self::Refused(refusal) => &refusal.code,
            Self::Internal(_) => "internal",
        }
    }

    fn map(mut self, change: impl FnOnce(&mut Refusal)) -> Self {
        if let Self::Refused(refusal) = &mut self {
            change(refusal);
        }
        self
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
        Self { pointer: pointer.into(), code: code.into(), limit: None, bounds: None }
    }

    pub fn with_limit(self, limit: usize) -> Self {
        Self { limit: i64::try_from(limit).ok(), ..self }
    }

    /// A number that is too small or too large.
    pub fn not_within(pointer: impl Into<String>, least: i64, most: i64) -> Self {
        Self { bounds: Some((least, most)), ..Self::new(pointer, "not_within") }
    }

    /// The sentence that says what is wrong with it.
    pub fn detail(&self, lang: Lang) -> String {
        let (least, most) = self.bounds.unwrap_or_default();
        let limits = [("limit", self.limit.unwrap_or_default().into()), ("least", least.into()), ("most", most.into())];
        let sentence = lang.find_with(&format!("field-{}", self.code), &limits);
        sentence.unwrap_or_else(|| lang.text("field-invalid"))
    }

    /// The same refusal, at this place.
    pub fn at(self, pointer: &str) -> Self {
        Self { pointer: pointer.to_owned(), ..self }
    }
}

/// The code; with `{:#}`, for a log, an internal error's causes as well.
impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(refusal) => f.write_str(&refusal.code),
            Self::Internal(cause) if f.alternate() => write!(f, "internal: {cause:#}"),
            Self::Internal(_) => f.write_str("internal"),
        }
    }
}

impl From<DieselError> for Error {
    fn from(err: DieselError) -> Self {
        match &err {
            DieselError::NotFound => not_found("not_found"),
            DieselError::DatabaseError(_, info) if storage::is_told(info.message()) => {
                if storage::note_full() {
                    tracing::error!(error = info.message(), "writing to the database failed for want of room");
                }
                refused(Kind::Unavailable, "storage_full").retry_after(storage::PATIENCE)
            }
            DieselError::DatabaseError(kind, info) if is_passing(kind, info.message()) => {
                tracing::warn!(error = info.message(), "querying the database failed for the moment");
                unavailable()
            }
            _ => internal(err),
        }
    }
}

impl std::error::Error for Error {}

impl From<anyhow::Error> for Error {
    fn from(err: anyhow::Error) -> Self {
        Self::Internal(err)
    }
}

/// Lost connections, restarts and exceeded patience: the same request may well succeed in a moment.
fn is_passing(kind: &DatabaseErrorKind, message: &str) -> bool {
    const PASSING: [&str; 7] = [
        "terminating connection",
        "canceling statement due to",
        "the database system is",
        "deadlock detected",
        "connection closed",
        "sorry, too many clients",
        "out of memory",
    ];
    matches!(
        kind,
        DatabaseErrorKind::ClosedConnection
            | DatabaseErrorKind::UnableToSendCommand
            | DatabaseErrorKind::SerializationFailure
    ) || PASSING.iter().any(|passing| message.contains(passing))
}
