//! JSON bodies: bounded, typed, and refused with the place that was wrong.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::CONTENT_ENCODING;
use actix_web::{FromRequest, HttpMessage, HttpRequest, web};
use futures_util::StreamExt;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use crate::error::refused;
use crate::error::{ApiError, ApiResult};
use base::error::{FieldError, bad_request, invalid_fields};
use base::inputs::refusal_in;

const BODY_LIMIT: usize = 64 * 1024;
pub const SHEET_LIMIT: usize = 512 * 1024;
const BODY_PATIENCE: Duration = Duration::from_secs(10);

/// A JSON body. Types derive `deny_unknown_fields`; serde_json refuses more than 128 levels of nesting.
#[derive(Debug)]
pub struct Body<T>(pub T);

/// A JSON body that may be left out altogether, or be `null`.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

/// A sheet of text in some encoding.
#[derive(Debug)]
pub struct Csv(pub Vec<u8>);

impl FromRequest for Csv {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            if request.content_type() != "text/csv" {
                return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"));
            }
            Ok(Self(read(&request, payload, SHEET_LIMIT).await?.to_vec()))
        })
    }
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            expect_json(&request)?;
            parse(&read(&request, payload, BODY_LIMIT).await?).map(Self)
        })
    }
}

impl<T: DeserializeOwned + Default + 'static> FromRequest for OptionalBody<T> {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = ApiResult<Self>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (request, payload) = (request.clone(), payload.take());
        Box::pin(async move {
            let bytes = read(&request, payload, BODY_LIMIT).await?;
            if bytes.is_empty() || bytes.trim_ascii() == b"null" {
                return Ok(Self(T::default()));
            }
            expect_json(&request)?;
            parse(&bytes).map(Self)
        })
    }
}

fn expect_json(request: &HttpRequest) -> ApiResult<()> {
    let content_type = request.content_type().to_ascii_lowercase();
    if content_type == "application/json" || content_type.ends_with("+json") {
        return Ok(());
    }
    Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"))
}

/// All of a body, if it is not too long and comes in time.
pub async fn read(request: &HttpRequest, payload: Payload, limit: usize) -> ApiResult<web::BytesMut> {
    // What is compressed would have to be unpacked before one knew how long it is.
    if request.headers().get(CONTENT_ENCODING).is_some_and(|it| it != "identity") {
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type"));
    }
    let too_large = || refused(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
    let announced = request.headers().get("content-length").and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limit as u64) {
        return Err(too_large());
    }
    let collect = async {
        let (mut payload, mut bytes) = (payload, web::BytesMut::new());
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| bad_request("body_broken_off"))?;
            if bytes.len() + chunk.len() > limit {
                return Err(too_large());
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes)
    };
    let in_time = tokio::time::timeout(BODY_PATIENCE, collect).await;
    in_time.unwrap_or_else(|_| Err(refused(StatusCode::REQUEST_TIMEOUT, "body_timeout")))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> ApiResult<T> {
    if holds_escaped_nul(bytes) {
        return Err(bad_request("invalid_body").with_fields(vec![FieldError::new("", "nul_character")]).into());
    }
    // Derived types would also read an array of their fields in order, which is nobody's contract.
    if bytes.trim_ascii_start().first().is_some_and(|first| b"[\"0123456789-tfn".contains(first)) {
        let code = if serde_json::from_slice::<IgnoredAny>(bytes).is_ok() { "wrong_type" } else { "not_json" };
        return Err(bad_request("invalid_body").with_fields(vec![FieldError::new("", code)]).into());
    }
    parse_object(bytes).or_else(|err| match whole(bytes) {
        Some(bytes) => parse_object(&bytes),
        None => Err(err),
    })
}

fn parse_object<T: DeserializeOwned>(bytes: &[u8]) -> ApiResult<T> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let parsed = serde_path_to_error::deserialize(&mut json).map_err(|err| {
        let pointer = pointer(err.path());
        describe(pointer, err.inner())
    })?;
    json.end().map_err(|err| describe(String::new(), &err))?;
    Ok(parsed)
}

/// The one form of all bodies that say the same: without whitespace, fields in alphabetical order, whole numbers without a
/// point. None of what is no JSON.
pub fn canonical(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut value = serde_json::from_slice(bytes).ok()?;
    round(&mut value);
    value.sort_all_objects();
    serde_json::to_vec(&value).ok()
}

/// Writes whole numbers as such. Says whether there was any other.
fn round(value: &mut Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match value {
        Value::Number(number) => {
            match number.as_f64().filter(|it| number.is_f64() && it.fract() == 0.0 && it.abs() <= EXACT) {
                Some(exact) => {
                    *number = (exact as i64).into();
                    true
                }
                None => false,
            }
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| round(item) | any),
        Value::Object(fields) => fields.values_mut().fold(false, |any, field| round(field) | any),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// The same with every `4.0` written as `4`, if there is one: a whole number to JSON Schema, and to languages that know no
/// other numbers.
fn whole(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut value = serde_json::from_slice(bytes).ok()?;
    if round(&mut value) { serde_json::to_vec(&value).ok() } else { None }
}

fn describe(pointer: String, err: &serde_json::Error) -> ApiError {
    let message = err.to_string();
    if let Some(refusal) = refusal_in(&message) {
        return invalid_fields(vec![FieldError { pointer, ..refusal }]).into();
    }
    let named = |rest: &str| rest.split('`').next().unwrap_or_default().to_owned();
    let (pointer, code) = if let Some(rest) = message.strip_prefix("unknown field `") {
        (child(&pointer, &named(rest)), "unknown_field")
    } else if let Some(rest) = message.strip_prefix("missing field `") {
        (child(&pointer, &named(rest)), "missing_field")
    } else if message.starts_with("invalid type") {
        (pointer, "wrong_type")
    } else if message.starts_with("unknown variant") {
        (pointer, "unknown_value")
    } else if err.is_data() {
        (pointer, "invalid")
    } else {
        (String::new(), "not_json")
    };
    bad_request("invalid_body").with_fields(vec![FieldError::new(pointer, code)]).into()
}

fn pointer(path: &serde_path_to_error::Path) -> String {
    use serde_path_to_error::Segment;
    path.iter().fold(String::new(), |pointer, segment| match segment {
        Segment::Seq { index } => child(&pointer, &index.to_string()),
        Segment::Map { key } => child(&pointer, key),
        Segment::Enum { variant } => child(&pointer, variant),
        Segment::Unknown => pointer,
    })
}

fn child(pointer: &str, key: &str) -> String {
    let tail = format!("/{}", key.replace('~', "~0").replace('/', "~1"));
    // serde_path_to_error's path already ends in the unknown field itself.
    if pointer.ends_with(&tail) { pointer.to_owned() } else { format!("{pointer}{tail}") }
}

/// Whether the text holds U+0000 in escaped form (JSON has no other). A backslash that is itself escaped escapes nothing.
fn holds_escaped_nul(json: &[u8]) -> bool {
    let mut rest = json.iter().enumerate();
    while let Some((at, byte)) = rest.next() {
        if *byte == b'\\' {
            if json[at + 1..].starts_with(b"u0000") {
                return true;
            }
            rest.next();
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::inputs::DisplayName;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only parsed")]
    struct Sent {
        display_name: DisplayName,
        seats: Option<Vec<u8>>,
    }

    fn refusal(json: &str) -> (String, String, String) {
        let refusal = parse::<Sent>(json.as_bytes()).unwrap_err().refusal().unwrap();
        let field = &refusal.fields[0];
        (refusal.code.to_string(), field.pointer.clone(), field.code.to_string())
    }

    #[test]
    fn a_refused_body_names_the_place_and_the_reason() {
        let cases = [
            ("", "invalid_body", "", "not_json"),
            ("{", "invalid_body", "", "not_json"),
            (r#"{"display_name":"a"} x"#, "invalid_body", "", "not_json"),
            (r#"{"display_name":"\ud800"}"#, "invalid_body", "", "not_json"),
            (r#"{"display_name":"a\u0000"}"#, "invalid_body", "", "nul_character"),
            (r#"["a"]"#, "invalid_body", "", "wrong_type"),
            ("null", "invalid_body", "", "wrong_type"),
            ("[", "invalid_body", "", "not_json"),
            (r#"{"display_name":7}"#, "invalid_body", "/display_name", "wrong_type"),
            (r#"{"display_name":"a","seats":[1,"x"]}"#, "invalid_body", "/seats/1", "wrong_type"),
            (r#"{"display_name":"a","seats":[1,256]}"#, "invalid_body", "/seats/1", "invalid"),
            (r#"{"display_name":"a","hat":1}"#, "invalid_body", "/hat", "unknown_field"),
            ("{}", "invalid_body", "/display_name", "missing_field"),
            (r#"{"display_name":"  "}"#, "invalid_fields", "/display_name", "empty"),
        ];
        for (json, code, pointer, field) in cases {
            assert_eq!(refusal(json), (code.into(), pointer.into(), field.into()), "{json}");
        }
    }

    #[test]
    fn a_whole_number_may_be_written_with_a_point() {
        let seats = |json: &str| parse::<Sent>(json.as_bytes()).unwrap().seats;
        assert_eq!(seats(r#"{"display_name":"4.0","seats":[4.0,2e1]}"#), Some(vec![4, 20]));
        for half in ["4.5", "1e3", "-1.0", "1e999"] {
            let json = format!(r#"{{"display_name":"a","seats":[{half}]}}"#);
            assert!(parse::<Sent>(json.as_bytes()).is_err(), "{half}");
        }
    }

    #[test]
    fn bodies_that_say_the_same_have_one_form() {
        let form = |json: &str| canonical(json.as_bytes());
        let one = form(r#"{"a":1,"b":{"x":[1,2],"y":null}}"#);
        assert!(one.is_some());
        assert_eq!(form("{ \"b\" : {\"y\":null,\n \"x\":[1.0, 2]}, \"a\":1e0 }"), one);
        for other in [r#"{"a":1,"b":{"x":[2,1],"y":null}}"#, r#"{"a":1,"b":{"x":[1,2]}}"#, r#"{"a":1.5}"#] {
            assert_ne!(form(other), one, "{other}");
        }
        assert_eq!(form("title;game"), None);
    }

    #[test]
    fn deep_nesting_is_refused_and_not_recursed_into() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let json = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
            assert_eq!(parse::<Value>(json.as_bytes()).unwrap_err().code(), "invalid_body");
        }
    }

    #[test]
    fn an_escaped_backslash_before_u0000_is_no_nul() {
        assert!(!holds_escaped_nul(br#""\\u0000""#));
        assert!(holds_escaped_nul(br#""\\\u0000""#));
        assert!(!holds_escaped_nul(br#""\"#));
    }
}
