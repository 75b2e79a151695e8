//! Forms as browsers send them: bounded, from our own page, with the session's token.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::StreamExt;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::is_token_of;
use super::preferences::own_path;
use crate::error::refused;
use crate::error::{ApiError, ApiResult};
use base::error::{bad_request, forbidden};

const LIMIT: usize = 64 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);
const TOKEN_FIELD: &str = "csrf=";
const TOKEN_HEADER: &str = "x-csrf-token";

/// The fields of a form. Asking for it in a handler's signature is what keeps other sites' forms out.
#[derive(Debug)]
pub struct Form<T>(pub T);

/// A button that says nothing but the page to come back to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackForm {
    back: String,
}

impl BackForm {
    pub fn path(&self) -> &str {
        own_path(&self.back)
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Form<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            if request.content_type() != "application/x-www-form-urlencoded" {
                return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"));
            }
            let body = tokio::time::timeout(PATIENCE, read(payload)).await;
            let body = body.map_err(|_| refused(StatusCode::REQUEST_TIMEOUT, "body_timeout"))??;
            parse(&request, &body).map(Self)
        })
    }
}

async fn read(mut payload: Payload) -> ApiResult<String> {
    let mut bytes = Vec::new();
    while let Some(chunk) = payload.next().await {
        let chunk = chunk.map_err(|_| bad_request("body_broken_off"))?;
        if bytes.len() + chunk.len() > LIMIT {
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").with("limit", LIMIT as i64));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8(bytes).map_err(|_| bad_request("invalid_body"))?)
}

fn parse<T: DeserializeOwned>(request: &HttpRequest, body: &str) -> ApiResult<T> {
    let (tokens, fields): (Vec<&str>, Vec<&str>) =
        body.split('&').filter(|pair| !pair.is_empty()).partition(|pair| pair.starts_with(TOKEN_FIELD));
    let header = request.headers().get(TOKEN_HEADER).and_then(|value| value.to_str().ok());
    let token = header.or_else(|| tokens.first().map(|field| &field[TOKEN_FIELD.len()..]));
    if !token.is_some_and(|token| is_token_of(request, token)) {
        return Err(forbidden("form_expired").into());
    }
    // No text column can hold it.
    if body.contains("%00") || body.contains('\0') {
        return Err(bad_request("invalid_body").into());
    }
    let fields = web::Query::<T>::from_query(&fields.join("&"));
    Ok(fields.map(web::Query::into_inner).map_err(|_| bad_request("invalid_body"))?)
}

#[cfg(test)]
mod tests {
    use actix_web::cookie::Cookie;
    use actix_web::test::TestRequest;

    use super::*;
    use crate::extract::PAGE_COOKIE;
    use crate::page::token_of;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Named {
        name: String,
    }

    fn parsed(body: &str) -> Result<String, String> {
        let cookie = Cookie::new(PAGE_COOKIE, "s".repeat(40));
        let request = TestRequest::post().cookie(cookie).to_http_request();
        parse::<Named>(&request, body).map(|form| form.name).map_err(|err| err.code().to_owned())
    }

    #[test]
    fn a_form_needs_its_sessions_token() {
        let token = token_of(&"s".repeat(40));
        assert_eq!(parsed(&format!("csrf={token}&name=%ED%95%98+%EB%8A%98")), Ok("하 늘".to_owned()));
        assert_eq!(parsed("name=a"), Err("form_expired".to_owned()));
        assert_eq!(parsed(&format!("csrf={}&name=a", token_of(&"t".repeat(40)))), Err("form_expired".to_owned()));
    }

    #[test]
    fn a_form_must_fit_its_type() {
        let token = token_of(&"s".repeat(40));
        for rest in ["", "&name=a&more=b", "&name=a&name=b", "&name=%00"] {
            assert_eq!(parsed(&format!("csrf={token}{rest}")), Err("invalid_body".to_owned()), "{rest}");
        }
    }
}
