//! Errors of use cases as the person reads them who runs the server.

use anyhow::anyhow;

use base::error::Error;
use base::text::Lang;

pub(crate) fn in_words(err: Error) -> anyhow::Error {
    match err {
        Error::Internal(err) => err,
        err @ Error::Refused(_) => anyhow!("{}", web_base::error::ApiError::from(err).problem(Lang::En).detail),
    }
}
