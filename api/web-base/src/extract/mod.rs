//! What a handler may ask for in its signature: who is calling, which thing, and what they sent.
//! Each is well-formed, or the request is refused here in one form.

mod body;
mod client;
mod identity;

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

pub use body::{Body, Csv, OptionalBody, SHEET_LIMIT, canonical, read as read_body};

pub use client::{
    Client, SignInContext, closed_cookie, closed_other, closed_page, device_cookie, new_cookie, other_cookie,
    own_cookie, page_cookie,
};
pub use identity::{ActingKey, bearer_token, claimed, data};
pub use identity::{
    Authorized, Companion, OTHER_COOKIE, PAGE_COOKIE, Player, Visitor, is_from_elsewhere, staff_context, staff_member,
};

use crate::addresses::Addresses;
use crate::error::{ApiError, ApiResult};
use base::error::{FieldError, bad_request, not_found};

/// The parts of the URL. What does not even look like an id names nothing: 404.
#[derive(Debug)]
pub struct Path<T>(pub T);

/// The query string. Types derive `deny_unknown_fields`.
#[derive(Debug)]
pub struct Search<T>(pub T);

/// Which page of a list that cannot be filtered.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PageQuery {
    /// The `next` of the page before.
    pub cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<i64>,
}

impl<T: DeserializeOwned> FromRequest for Path<T> {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(if holds_nul(request.path()) {
            Err(not_found("not_found").into())
        } else {
            request.match_info().load().map(Self).map_err(|_| Addresses::no_such_thing(request))
        })
    }
}

impl<T: DeserializeOwned> FromRequest for Search<T> {
    type Error = ApiError;
    type Future = Ready<ApiResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let query = request.query_string();
        ready(if holds_nul(query) {
            Err(bad_request("invalid_query").with_field("", "nul_character").into())
        } else {
            parse_query(query).map(Self)
        })
    }
}

/// Reads a query string, or says which parameter is wrong and why.
fn parse_query<T: DeserializeOwned>(query: &str) -> ApiResult<T> {
    let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(query.as_bytes()));
    serde_path_to_error::deserialize(pairs).map_err(|err| {
        let message = err.inner().to_string();
        let named = |rest: &str| rest.split('`').next().unwrap_or_default().to_owned();
        let after = |beginning: &str| message.strip_prefix(beginning).map(named);
        let (name, code) = match (after("unknown field `"), after("missing field `"), after("duplicate field `")) {
            (Some(name), ..) => (name, "unknown_field"),
            (_, Some(name), _) => (name, "missing_field"),
            (.., Some(name)) => (name, "duplicate_field"),
            _ if message.starts_with("unknown variant") => (err.path().to_string(), "unknown_value"),
            _ => (err.path().to_string(), "invalid"),
        };
        bad_request("invalid_query").with_fields(vec![FieldError::new(name, code)]).into()
    })
}

/// No text column can hold U+0000, so no text that holds one gets further than this.
fn holds_nul(encoded: &str) -> bool {
    encoded.contains("%00") || encoded.contains('\0')
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Page {
        limit: Option<u8>,
    }

    fn searched(query: &str) -> Result<Option<u8>, String> {
        let request = TestRequest::with_uri(&format!("/things?{query}")).to_http_request();
        let searched = Search::<Page>::from_request(&request, &mut Payload::None).into_inner();
        searched.map(|Search(page)| page.limit).map_err(|err| {
            let refusal = err.refusal().unwrap();
            format!("{}: {} {}", refusal.code, refusal.fields[0].pointer, refusal.fields[0].code)
        })
    }

    #[test]
    fn a_query_must_fit_its_type_and_is_told_where_it_does_not() {
        assert_eq!(searched("limit=7"), Ok(Some(7)));
        for (query, wrong) in [
            ("limit=700", "limit invalid"),
            ("limit=x", "limit invalid"),
            ("other=1", "other unknown_field"),
            ("limit=%00", " nul_character"),
            ("limit=1&limit=2", "limit duplicate_field"),
        ] {
            assert_eq!(searched(query), Err(format!("invalid_query: {wrong}")), "{query}");
        }
    }

    #[test]
    fn what_is_no_id_is_not_found() {
        let request = TestRequest::default().param("id", "12").to_http_request();
        let path = Path::<base::ids::PlayerId>::from_request(&request, &mut Payload::None).into_inner();
        assert_eq!(path.unwrap_err().code(), "not_found");
    }
}
