//! Health and metrics on a listener, a thread and a database connection of their own: they answer while the house is full.

use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::middleware::from_fn;
use actix_web::{HttpServer, web};

use super::{App, security_headers};
use crate::telemetry;

/// Connections that Prometheus, load balancers and service managers may hold at one time.
const CONNECTIONS: usize = 32;

/// Answers until it is stopped.
pub(super) fn server(listener: TcpListener, app: &App) -> std::io::Result<Server> {
    let app = app.clone();
    let server = HttpServer::new(move || {
        let db = app.db.on_this_thread(1);
        let reserved = db.clone();
        // Taken now: later there may be none left.
        actix_web::rt::spawn(async move { reserved.is_ready().await });
        actix_web::App::new()
            .app_data(web::Data::new(db))
            .app_data(web::Data::new(app.metrics.clone()))
            .app_data(web::Data::from(app.limits.clone()))
            .wrap(from_fn(security_headers))
            .service(telemetry::healthz)
            .service(telemetry::readyz)
            .service(telemetry::metrics_page)
    });
    Ok(server.workers(1).max_connections(CONNECTIONS).disable_signals().shutdown_timeout(1).listen(listener)?.run())
}
