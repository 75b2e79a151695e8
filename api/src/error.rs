//! Errors of use cases as the person reads them who runs the server.

use anyhow::anyhow;

use cafe::error::Error;
use cafe::text::Lang;

pub(crate) fn in_words(err: Error) -> anyhow::Error {
    match err {
        Error::Internal(err) => err,
        err @ Error::Refused(_) => anyhow!("{}", web::error::ApiError::from(err).problem(Lang::En).detail),
    }
}
