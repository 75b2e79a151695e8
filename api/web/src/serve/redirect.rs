//! A listener without TLS that serves nothing: it sends browsers on to https, and says so to everything else.

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::http::header::{AUTHORIZATION, HOST, LOCATION};
use actix_web::http::uri::{Authority, PathAndQuery};
use actix_web::http::{KeepAlive, Method, StatusCode};
use actix_web::middleware::from_fn;
use actix_web::web::{self, Data};
use actix_web::{HttpRequest, HttpResponse, HttpServer};

use super::App;
use crate::tls::{Served, guest};
use web_base::error::{ApiResult, refused, render_errors};

/// Each of them is over in a moment.
const CONNECTIONS: usize = 32;

/// Where browsers are sent.
#[derive(Clone)]
struct Goal {
    public_url: Option<String>,
    certificate: Served,
    /// Where the server listens for https.
    port: u16,
}

/// Answers until it is stopped.
pub(super) fn server(listener: TcpListener, app: &App, certificate: Served, port: u16) -> std::io::Result<Server> {
    let goal = Goal { public_url: app.config.public_url.clone(), certificate, port };
    let config = app.config.clone();
    let server = HttpServer::new(move || {
        actix_web::App::new()
            .app_data(Data::from(config.clone()))
            .app_data(Data::new(goal.clone()))
            .service(guest::show_authority)
            .default_service(web::to(redirect))
            .wrap(from_fn(render_errors))
    });
    let server = server.workers(1).max_connections(CONNECTIONS).keep_alive(KeepAlive::Disabled).disable_signals();
    Ok(server.shutdown_timeout(1).listen(listener)?.run())
}

/// A program that was answered by a redirect would go on to send its tokens in the clear, and nobody would notice.
async fn redirect(request: HttpRequest, goal: Data<Goal>) -> ApiResult<HttpResponse> {
    let is_api = request.path() == "/api" || request.path().starts_with("/api/");
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_page = is_read && !is_api && !request.headers().contains_key(AUTHORIZATION);
    let base = goal.base(&request).filter(|_| is_page);
    let base = base.ok_or_else(|| refused(StatusCode::FORBIDDEN, "https_required"))?;
    let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
    Ok(HttpResponse::MovedPermanently().insert_header((LOCATION, format!("{base}{path}"))).finish())
}

impl Goal {
    /// The public address, or else what was asked for, if the certificate says that it is this server.
    fn base(&self, request: &HttpRequest) -> Option<String> {
        if let Some(url) = &self.public_url {
            return Some(url.clone());
        }
        let asked: Authority = request.headers().get(HOST)?.to_str().ok()?.parse().ok()?;
        let host = asked.host();
        self.certificate.is_for(host).then(|| match self.port {
            443 => format!("https://{host}"),
            port => format!("https://{host}:{port}"),
        })
    }
}
