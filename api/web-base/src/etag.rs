//! What has not changed is not sent again: every JSON answer to a GET of the API that is not streamed carries an `ETag`, and
//! `If-None-Match` with it gets a 304. The tag is the hash of what this caller is told, and so tells nothing that the answer does not.

use actix_web::body::{BodySize, BoxBody, MessageBody, None as NoBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use data_encoding::BASE64URL_NOPAD;
use sha2::{Digest, Sha256};
use utoipa::openapi::path::{Operation, Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::Type;
use utoipa::openapi::{ObjectBuilder, RefOr, Required, ResponseBuilder};

/// Half of a SHA-256: nobody finds two answers of one tag.
const TAG_BYTES: usize = 16;

/// How the field begins that tells the server's time.
const NOW: &str = "\"now\":\"";

/// Tags what is read, and spares callers what they have. Wraps all routes.
pub async fn conditional_get<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, actix_web::Error> {
    let is_for_apps = ["/api/", "/t/"].iter().any(|beginning| request.path().starts_with(beginning));
    let is_read = *request.method() == Method::GET && is_for_apps;
    let response = next.call(request).await?.map_into_boxed_body();
    if !is_read || !is_whole_json(&response) {
        return Ok(response);
    }
    let (request, response) = response.into_parts();
    let (mut head, body) = response.into_parts();
    let bytes = match body.try_into_bytes() {
        Ok(bytes) => bytes,
        Err(body) => return Ok(ServiceResponse::new(request, head.set_body(body))),
    };
    let tag = tag(&bytes);
    let is_known = knows(request.headers(), &tag);
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        head.headers_mut().insert(ETAG, tag);
        head.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    if !is_known {
        return Ok(ServiceResponse::new(request, head.set_body(BoxBody::new(bytes))));
    }
    *head.status_mut() = StatusCode::NOT_MODIFIED;
    head.headers_mut().remove(CONTENT_TYPE);
    Ok(ServiceResponse::new(request, head.set_body(BoxBody::new(NoBody::new()))))
}

/// Says so in the document, of every operation that it is true of. One that streams its answer says itself how that is cached.
pub fn describe(read: &mut Operation) {
    let is_whole_json = match read.responses.responses.get("200") {
        Some(RefOr::T(response)) => {
            let is_streamed = response.headers.keys().any(|name| name.eq_ignore_ascii_case(CACHE_CONTROL.as_str()));
            response.content.contains_key("application/json") && !is_streamed
        }
        _ => false,
    };
    if is_whole_json {
        let unchanged = ResponseBuilder::new().description("Nothing has changed since the answer with this tag");
        read.responses.responses.insert("304".to_owned(), RefOr::T(unchanged.build()));
        read.parameters.get_or_insert_default().push(RefOr::T(if_none_match()));
    }
}

fn if_none_match() -> Parameter {
    ParameterBuilder::new()
        .name(IF_NONE_MATCH.as_str())
        .parameter_in(ParameterIn::Header)
        .required(Required::False)
        .description(Some("The `ETag` of the answer that the caller has"))
        .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
        .build()
}

fn is_whole_json(response: &ServiceResponse<BoxBody>) -> bool {
    let is_json = response.headers().get(CONTENT_TYPE).is_some_and(|it| it.as_bytes().starts_with(b"application/json"));
    response.status() == StatusCode::OK && is_json && matches!(response.response().body().size(), BodySize::Sized(_))
}

/// Of all but the time at which it was answered: an answer with a running clock is the same until somebody moves.
fn tag(bytes: &[u8]) -> String {
    let mut hasher = Sha256::new();
    for (at, piece) in String::from_utf8_lossy(bytes).split(NOW).enumerate() {
        // In JSON no text holds such a quote, so this is the field itself.
        let rest = if at == 0 { piece } else { piece.split_once('"').map_or(piece, |(_, rest)| rest) };
        hasher.update(rest);
    }
    format!("\"{}\"", BASE64URL_NOPAD.encode(&hasher.finalize()[..TAG_BYTES]))
}

/// Whether the caller names this tag, or any at all.
fn knows(headers: &HeaderMap, tag: &str) -> bool {
    let named = headers.get_all(IF_NONE_MATCH).filter_map(|it| it.to_str().ok()).flat_map(|list| list.split(','));
    // A proxy that compresses makes tags weak; the content is the same.
    named.map(|it| it.trim()).any(|it| it == "*" || it.strip_prefix("W/").unwrap_or(it) == tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_the_answer_is_no_change_and_all_else_is() {
        let clock = |deadline: &str, now: &str| {
            tag(format!(r#"{{"deadline":"{deadline}","now":"{now}","to_move":[1]}}"#).as_bytes())
        };
        assert_eq!(clock("12:00", "11:58"), clock("12:00", "11:59"));
        assert_ne!(clock("12:00", "11:58"), clock("12:01", "11:58"));
        let named = |name: &str| tag(serde_json::json!({ "display_name": name }).to_string().as_bytes());
        assert_ne!(named(r#""now":"a""#), named(r#""now":"b""#));
    }

    #[test]
    fn a_tag_is_found_in_any_list_and_weak_too() {
        let tag = tag(b"{}");
        let known = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.append(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap());
            knows(&headers, &tag)
        };
        for value in [tag.clone(), format!("W/{tag}"), format!("\"a\", {tag}"), "*".to_owned()] {
            assert!(known(&value), "{value}");
        }
        for value in ["", "\"a\"", tag.trim_matches('"')] {
            assert!(!known(value), "{value}");
        }
        assert!(!knows(&HeaderMap::new(), &tag));
    }
}
