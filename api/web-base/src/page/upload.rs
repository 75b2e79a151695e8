//! Forms with a file in them: bounded, from our own page, with the session's token.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_multipart::Multipart;
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::web::Bytes;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use futures_util::StreamExt;

use super::is_token_of;
use crate::error::refused;
use crate::error::{ApiError, ApiResult};
use crate::extract::SHEET_LIMIT;
use base::error::{bad_request, forbidden};

const MOST_FIELDS: usize = 10;
const PATIENCE: Duration = Duration::from_secs(20);

/// The fields of such a form by name, files among them. Asking for it is what keeps other sites' forms out.
#[derive(Debug)]
pub struct Upload(HashMap<String, Bytes>);

impl Upload {
    /// What a field holds; nothing if it was left empty.
    pub fn bytes(&self, name: &str) -> Option<&Bytes> {
        self.0.get(name).filter(|bytes| !bytes.is_empty())
    }

    async fn read(request: HttpRequest, payload: Payload) -> ApiResult<Self> {
        let mut parts = Multipart::new(request.headers(), payload);
        let (mut fields, mut left) = (HashMap::new(), SHEET_LIMIT);
        while let Some(part) = parts.next().await {
            let mut part = part.map_err(|_| bad_request("invalid_body"))?;
            let name = part.name().unwrap_or_default().to_owned();
            let bytes = part.bytes(left).await.map_err(|_| {
                refused(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large").with("limit", SHEET_LIMIT as i64)
            })?;
            let bytes = bytes.map_err(|_| bad_request("body_broken_off"))?;
            left -= bytes.len();
            fields.insert(name, bytes);
            if fields.len() > MOST_FIELDS {
                return Err(bad_request("invalid_body").into());
            }
        }
        let token = fields.get("csrf").and_then(|token| std::str::from_utf8(token).ok());
        if !token.is_some_and(|token| is_token_of(&request, token)) {
            return Err(forbidden("form_expired").into());
        }
        Ok(Self(fields))
    }
}

/// Whether it was more than is read of any form, as a telephone's picture is.
pub fn is_too_large(err: &ApiError) -> bool {
    err.code() == "body_too_large"
}

impl FromRequest for Upload {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            if request.content_type() != "multipart/form-data" {
                return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"));
            }
            let read = tokio::time::timeout(PATIENCE, Self::read(request, payload)).await;
            read.map_err(|_| refused(StatusCode::REQUEST_TIMEOUT, "body_timeout"))?
        })
    }
}
