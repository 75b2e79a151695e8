//! The OpenAPI document, assembled from the handlers' annotations, and a page to read it with.

use actix_web::web::{Data, Path, ServiceConfig};
use actix_web::{App, HttpResponse, get, http::header};
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use utoipa::OpenApi;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, Content, Ref, RefOr, Response, ResponseBuilder};
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::Config;

use crate::addresses::{Addresses, takes_strangers};
use crate::error::{ApiResult, FieldProblem, Problem};
use crate::{etag, idempotency, routes};
use cafe::error::{internal, not_found};

pub const DOCUMENT_URL: &str = "/api/openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(title = "House Rules", description = "The game server of a board game café."),
    components(schemas(Problem, FieldProblem)),
    security(("bearer" = []))
)]
struct Base;

static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(|| {
    let app = App::new().into_utoipa_app().openapi(Base::openapi());
    let (_, mut document) = app.service(routes::api()).split_for_parts();
    let components = document.components.get_or_insert_with(Components::new);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.responses.insert("Problem".to_owned(), RefOr::T(problem()));
    for item in document.paths.paths.values_mut() {
        item.get.iter_mut().for_each(etag::describe);
        if let Some(post) = &mut item.post {
            idempotency::describe(post, takes_strangers(post));
        }
        let operations = [&mut item.get, &mut item.put, &mut item.post, &mut item.delete, &mut item.patch];
        for operation in operations.into_iter().flatten() {
            add_problem(operation);
        }
    }
    document
});

/// The document as it is given out. An object of which nothing else is said may hold anything: generators of clients want that
/// said, or they let it hold nothing.
static JSON: LazyLock<Value> = LazyLock::new(|| {
    let mut json = serde_json::to_value(document()).unwrap_or_default();
    open_objects(&mut json);
    json
});

fn open_objects(value: &mut Value) {
    let Value::Object(fields) = value else {
        value.as_array_mut().into_iter().flatten().for_each(open_objects);
        return;
    };
    let says = fields.get("type").map(ToString::to_string).unwrap_or_default();
    if says.contains("\"object\"") && !["properties", "additionalProperties"].iter().any(|it| fields.contains_key(*it))
    {
        fields.insert("additionalProperties".to_owned(), true.into());
    }
    fields.values_mut().for_each(open_objects);
}

/// The document for programs.
pub fn json() -> &'static Value {
    &JSON
}

pub fn document() -> &'static utoipa::openapi::OpenApi {
    &DOCUMENT
}

/// Any call may be refused, and always in this one form: said once here instead of at each handler.
fn add_problem(operation: &mut Operation) {
    let problem = RefOr::Ref(Ref::from_response_name("Problem"));
    operation.responses.responses.entry("default".to_owned()).or_insert(problem);
}

fn problem() -> Response {
    let content = Content::new(Some(RefOr::Ref(Ref::from_schema_name("Problem"))));
    ResponseBuilder::new()
        .description("Refused: a problem document (RFC 9457) whose `code` is stable")
        .content("application/problem+json", content)
        .build()
}

/// All addresses of the server.
pub fn addresses() -> Addresses {
    const UNDOCUMENTED: [&str; 5] = ["/healthz", "/readyz", "/metrics", DOCUMENT_URL, "/api/docs/{file:.*}"];
    Addresses::of(document(), &UNDOCUMENTED)
}

/// Where the document is served.
pub fn routes(config: &mut ServiceConfig) {
    config.service(show_document).service(redirect_to_docs).service(show_docs);
}

#[get("/api/openapi.json")]
async fn show_document() -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-cache")).json(json())
}

#[get("/api/docs")]
async fn redirect_to_docs() -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, "/api/docs/")).finish()
}

/// Swagger UI from the binary: nothing is fetched from elsewhere.
#[get("/api/docs/{file:.*}")]
async fn show_docs(ui: Data<Config<'static>>, file: Path<String>) -> ApiResult<HttpResponse> {
    let served = utoipa_swagger_ui::serve(&file, ui.into_inner()).map_err(|err| internal(anyhow::anyhow!("{err}")))?;
    let asset = served.ok_or_else(|| not_found("unknown_route"))?;
    let mut response = HttpResponse::Ok();
    if asset.gzpipped {
        response.insert_header((header::CONTENT_ENCODING, "gzip"));
    }
    Ok(response.content_type(asset.content_type).body(asset.bytes.into_owned()))
}

pub fn ui() -> Data<Config<'static>> {
    Data::from(Arc::new(Config::from(DOCUMENT_URL)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations() -> Vec<(String, Value)> {
        let document = serde_json::to_value(document()).unwrap();
        let paths = document["paths"].as_object().unwrap().clone();
        let named = |(path, item): (String, Value)| {
            let methods = item.as_object().unwrap().clone();
            methods.into_iter().map(move |(method, operation)| (format!("{method} {path}"), operation))
        };
        paths.into_iter().flat_map(named).collect()
    }

    #[test]
    fn every_call_says_what_it_does_and_how_it_may_be_refused() {
        for (call, operation) in operations() {
            assert!(operation["summary"].is_string(), "{call} has no summary");
            assert!(operation["tags"][0].is_string(), "{call} has no tag");
            assert_eq!(operation["responses"]["default"]["$ref"], "#/components/responses/Problem", "{call}");
        }
    }

    #[test]
    fn what_may_hold_anything_says_so() {
        let moved = json()["components"]["schemas"]["MoveRequest"].clone();
        assert_eq!(moved["properties"]["move"]["additionalProperties"], true, "{moved}");
        assert_eq!(moved["additionalProperties"], false);
    }

    #[test]
    fn what_an_option_was_may_be_anything() {
        let changed = &json()["components"]["schemas"]["VariantChangedOption"]["properties"];
        for side in ["from", "to"] {
            assert!(changed[side].is_object() && changed[side].get("type").is_none(), "{}", changed[side]);
        }
    }

    #[test]
    fn every_body_refuses_unknown_fields() {
        let schemas = serde_json::to_value(document()).unwrap()["components"]["schemas"].clone();
        for (call, operation) in operations() {
            let body = operation["requestBody"]["content"]["application/json"]["schema"].to_string();
            for reference in body.split('"').filter_map(|part| part.strip_prefix("#/components/schemas/")) {
                assert_eq!(schemas[reference]["additionalProperties"], false, "{call}: {reference}");
            }
        }
    }

    /// The names under which the types of this source are described, each with where that is.
    fn schema_names(folder: &std::path::Path, names: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                schema_names(&path, names);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let after_derives = text.split("#[derive(").skip(1).filter_map(|rest| rest.split_once(")]"));
            let of_macros = text.split("text_enum! {").skip(1).map(|rest| ("ToSchema", rest));
            for (derived, rest) in after_derives.chain(of_macros) {
                let head = rest.split(['{', ';']).next().unwrap_or_default();
                let name = head.split("(as = ").nth(1).or_else(|| head.split("struct ").nth(1));
                let name = name.or_else(|| head.split("enum ").nth(1)).unwrap_or_default();
                let name: String = name.chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect();
                if derived.contains("ToSchema") && !name.is_empty() {
                    names.push((name, path.display().to_string()));
                }
            }
        }
    }

    /// Of two types under one name the document would show either, and no one knows which.
    #[test]
    fn no_two_types_are_described_under_one_name() {
        let mut names = Vec::new();
        schema_names(concat!(env!("CARGO_MANIFEST_DIR"), "/..").as_ref(), &mut names);
        names.sort();
        assert!(names.iter().any(|(name, _)| name == "Match") && names.iter().any(|(name, _)| name == "Mode"));
        let twice: Vec<_> = names.windows(2).filter(|pair| pair[0].0 == pair[1].0).collect();
        assert!(twice.is_empty(), "say `#[schema(as = …)]` at one of {twice:#?}");
    }

    #[test]
    fn every_reference_leads_somewhere() {
        let document = serde_json::to_value(document()).unwrap();
        for reference in document.to_string().split('"').filter_map(|part| part.strip_prefix('#')) {
            assert!(document.pointer(reference).is_some(), "#{reference}");
        }
    }
}
