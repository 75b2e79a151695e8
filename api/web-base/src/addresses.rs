//! The addresses that the server has and the methods that each of them takes: what its router does not tell.

use std::fmt::Display;
use std::sync::LazyLock;

use actix_web::dev::ResourceDef;
use actix_web::http::header::LOCATION;
use actix_web::http::{Method, StatusCode};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder};
use utoipa::openapi::path::Operation;
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{OpenApi, PathItem};

use crate::error::{ApiError, refused};
use base::error::not_found;

/// Of one server.
pub struct Addresses(Vec<Address>);

/// What a server keeps: made at first use, since reading the document takes long and few requests need it.
pub type LazyAddresses = LazyLock<Addresses>;

struct Address {
    path: ResourceDef,
    methods: Vec<Method>,
    /// Takes a POST of somebody who has not signed in.
    is_open_to_strangers: bool,
    /// A GET of it needs no one to have signed in.
    is_read_by_anybody: bool,
}

impl Addresses {
    /// Those of a document, and others that can only be read.
    pub fn of(document: &OpenApi, read_only: &[&'static str]) -> Self {
        let documented = document.paths.paths.iter().map(|(path, item)| Address {
            path: ResourceDef::new(path.as_str()),
            methods: methods(item),
            is_open_to_strangers: item.post.as_ref().is_some_and(takes_strangers),
            is_read_by_anybody: item.get.as_ref().is_some_and(takes_strangers),
        });
        let read_only = read_only.iter().map(|path| Address {
            path: ResourceDef::new(*path),
            methods: with_head(Method::GET),
            is_open_to_strangers: false,
            is_read_by_anybody: false,
        });
        Self(documented.chain(read_only).collect())
    }

    /// Whether the address of this pattern takes a POST of somebody who has not signed in.
    pub fn is_open_to_strangers(&self, pattern: &str) -> bool {
        self.0.iter().any(|it| it.path.pattern() == Some(pattern) && it.is_open_to_strangers)
    }

    /// Whether a GET of this path needs no one to have signed in.
    pub fn is_read_by_anybody(&self, path: &str) -> bool {
        self.0.iter().any(|it| it.is_read_by_anybody && it.path.is_match(path))
    }

    /// Why no route took this request: a wrong method where there is such an address, an unknown address otherwise.
    pub fn no_route(request: &HttpRequest) -> ApiError {
        refusal(request, "unknown_route", |path| path.is_match(request.path()))
    }

    /// What stands where an id should and is none: an address of its own that does not take the method, or nothing at all.
    pub fn no_such_thing(request: &HttpRequest) -> ApiError {
        refusal(request, "not_found", |path| path.pattern() == Some(request.path()))
    }
}

fn refusal(request: &HttpRequest, code: &'static str, is_it: impl Fn(&ResourceDef) -> bool) -> ApiError {
    let addresses = request.app_data::<Data<LazyAddresses>>();
    match addresses.and_then(|addresses| addresses.0.iter().find(|it| is_it(&it.path))) {
        Some(it) => refused(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed").allow(it.methods.clone()),
        None => not_found(code).into(),
    }
}

/// An answer that says where to read what was created: a path of the API.
pub fn created(path: impl Display) -> HttpResponseBuilder {
    let mut response = HttpResponse::Created();
    response.insert_header((LOCATION, format!("/api/v1{path}")));
    response
}

/// Whether this operation needs no one to have signed in.
pub fn takes_strangers(operation: &Operation) -> bool {
    operation.security.iter().flatten().any(|needed| *needed == SecurityRequirement::default())
}

/// Where there is a GET there is a HEAD.
fn with_head(method: Method) -> Vec<Method> {
    if method == Method::GET { vec![Method::GET, Method::HEAD] } else { vec![method] }
}

fn methods(item: &PathItem) -> Vec<Method> {
    let operations = [
        (Method::GET, &item.get),
        (Method::POST, &item.post),
        (Method::PUT, &item.put),
        (Method::PATCH, &item.patch),
        (Method::DELETE, &item.delete),
    ];
    let there = operations.into_iter().filter(|(_, operation)| operation.is_some()).map(|(method, _)| method);
    there.flat_map(with_head).collect()
}
