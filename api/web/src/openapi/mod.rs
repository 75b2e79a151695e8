//! The OpenAPI document, and a page to read it with. The handlers' annotations say what is theirs; the files beside this one complete
//! it with all that is the same for many operations, or that the engine knows.

mod codes;
mod errors;
mod examples;
mod headers;
mod links;
mod operations;
mod permissions;
mod reference;
mod schemas;
mod shapes;
#[cfg(test)]
mod tests;

use actix_web::web::ServiceConfig;
use actix_web::{App, HttpResponse, get, http::header};
use serde_json::{Value, json};
use std::sync::LazyLock;
use utoipa::OpenApi;
use utoipa::openapi::HttpMethod;
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Components, Content, Ref, RefOr, Response, ResponseBuilder};
use utoipa_actix_web::{AppExt, scope};

use crate::routes;
use web_base::addresses::{Addresses, LazyAddresses, takes_strangers};
use web_base::error::{FieldProblem, Problem};
use web_base::etag;
use web_base::idempotency;
use web_cafe::sittings;
use web_play::matches::stream::{ReactionData, StatusData};

pub const DOCUMENT_URL: &str = "/api/openapi.json";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "House Rules",
        description = "The game server of a board game café: `docs/api.md` is the guide."
    ),
    servers((url = "/", description = "This server")),
    components(schemas(Problem, FieldProblem, StatusData, ReactionData)),
    security(("bearer" = []))
)]
struct Base;

static DOCUMENT: LazyLock<utoipa::openapi::OpenApi> = LazyLock::new(|| {
    let app = App::new().into_utoipa_app().openapi(Base::openapi());
    let (_, mut document) = app.service(routes::api(scope(routes::API))).split_for_parts();
    let components = document.components.get_or_insert_with(Components::new);
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build();
    components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
    components.responses.insert("Problem".to_owned(), RefOr::T(problem()));
    // A page that is JSON for those who ask for it.
    let mut at_table = <sittings::guest::__path_show_table as utoipa::Path>::operation();
    at_table.tags = Some(vec!["tables".to_owned()]);
    document.paths.add_path_operation("/t/{code}", vec![HttpMethod::Get], at_table);
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

/// The document as it is given out.
static JSON: LazyLock<Value> = LazyLock::new(|| {
    let mut json = serde_json::to_value(document()).unwrap_or_default();
    complete(&mut json);
    json
});

fn complete(document: &mut Value) {
    let Some(all) = schemas::schemas_of(document) else { return };
    shapes::add(all);
    schemas::merge(all);
    schemas::name_cases(all);
    shapes::add_records(all);
    schemas::open_objects(all);
    schemas::refer(document);
    schemas::open_words(document);
    headers::add_components(document);
    errors::add_components(document);
    let known = document["components"]["schemas"].clone();
    operations::each(document, |operation, method, path| {
        schemas::unnull_parameters(operation);
        operations::describe(operation, method, path);
        operations::describe_answers(operation, &known);
        headers::add(operation, method);
        errors::add(operation, method, path);
    });
    links::add(document);
    examples::add(document);
    document["tags"] =
        operations::TAGS.iter().map(|(name, about)| json!({ "name": name, "description": about })).collect();
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
pub fn addresses() -> LazyAddresses {
    LazyAddresses::new(|| {
        let undocumented =
            [["/healthz", "/readyz", "/metrics", DOCUMENT_URL].as_slice(), &reference::ADDRESSES].concat();
        Addresses::of(document(), &undocumented)
    })
}

/// Where the document is served.
pub fn routes(config: &mut ServiceConfig) {
    config
        .service(show_document)
        .service(reference::show_index)
        .service(reference::leave_slash)
        .service(reference::show_operation)
        .service(reference::list_types)
        .service(reference::show_type);
}

#[get("/api/openapi.json")]
async fn show_document() -> HttpResponse {
    HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-cache")).json(json())
}
