//! The web server: what every route shares, from the first byte to the last.

mod error_page;
mod ops;
mod redirect;

use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{Server, ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, X_FRAME_OPTIONS};
use actix_web::middleware::{Next, from_fn};
use actix_web::{Error, HttpServer, web};
use metrics_exporter_prometheus::PrometheusHandle;
use tracing_actix_web::TracingLogger;

use crate::openapi;
use crate::routes;
use crate::telemetry::{RequestSpan, measure};
use crate::tls::Served;
use base::audit::chain::NotedHead;
use base::auth::Passwords;
use base::auth::RevokedSessions;
use base::auth::Seal;
use base::auth::Tokens;
use base::db::Db;
use base::live::Live;
use base::settings::Cafe;
use base::stop::Stop;
use base::world::World;
use cafe::accounts;
use cafe::claims;
use cafe::operations::Heartbeat;
use cafe::waiting;
use cafe::webhooks;
use competitions::tournaments;
use error_page::error_page;
use play::matches::{Autopilot, Mover};
use play::sessions;
use play::sittings;
use play::staff;
use web_base::compression::compress_json;
use web_base::config::Config;
use web_base::cors;
use web_base::error::ErrorPage;
use web_base::error::{render_errors, with_headers};
use web_base::etag;
use web_base::head;
use web_base::idempotency;
use web_base::limits::{Limits, tell_limits};
use web_base::origin::Origin;
use web_base::outgoing::{Outgoing, Reach};
use web_base::page::InFrame;
use web_cafe::opening::gate::{Owned, lead_to_set_up};
use web_cafe::webhooks::delivery::keep_delivering;
use web_people::api_keys::middleware::admit;
use web_people::oidc::guest::ToProviders;
use web_people::sessions::refusals::note_refusals;

/// How long requests in flight may take to finish once the server is asked to stop.
const DRAIN_SECONDS: u64 = 4;

/// What handlers can ask for as `Data<…>`, one of each per process.
#[derive(Clone)]
pub struct App {
    pub config: Arc<Config>,
    pub world: World,
    pub db: Db,
    pub tokens: Tokens,
    pub revoked: RevokedSessions,
    pub seal: Seal,
    pub passwords: Passwords,
    pub limits: Arc<Limits>,
    pub metrics: PrometheusHandle,
    pub live: Live,
    pub mover: Mover,
    pub autopilot: Autopilot,
    pub heartbeat: Heartbeat,
    pub cafe: Cafe,
    /// None where a proxy speaks TLS, or nobody does.
    pub certificate: Option<Served>,
    pub noted: NotedHead,
    pub stop: Stop,
}

/// Where it is listened.
pub struct Listeners {
    pub public: TcpListener,
    /// Where health and metrics are asked for besides.
    pub ops: TcpListener,
    /// Where browsers are sent on to https.
    pub redirect: Option<TcpListener>,
}

/// Serves until the process is asked to stop, then lets requests in flight finish.
pub async fn serve(listeners: Listeners, app: App) -> anyhow::Result<()> {
    let (workers, stop) = (app.config.workers, app.stop.clone());
    let most = usize::try_from(app.limits.capacity().connections).unwrap_or(usize::MAX).div_ceil(workers);
    let Listeners { public, ops, redirect } = listeners;
    let certificate = app.certificate.clone();
    let mut others = vec![ops::server(ops, &app)?];
    if let (Some(listener), Some(certificate)) = (redirect, &certificate) {
        others.push(redirect::server(listener, &app, certificate.clone(), public.local_addr()?.port())?);
    }
    let handles: Vec<_> = others.iter().map(Server::handle).collect();
    others.into_iter().for_each(|server| _ = actix_web::rt::spawn(server));
    let to_providers = ToProviders::default();
    let connections = app.config.pool_size.div_ceil(workers);
    let addresses = web::Data::new(openapi::addresses());
    let owned = Owned::default();
    actix_web::rt::spawn(upkeep(app.clone()));
    let outgoing = Outgoing::new(if app.config.private_webhooks { Reach::Everywhere } else { Reach::Public });
    let (db, seal) = (app.db.clone(), app.seal.clone());
    actix_web::rt::spawn(keep_delivering(db, app.world, seal, outgoing, stop.clone()));
    let server = HttpServer::new(move || {
        actix_web::App::new()
            .app_data(web::Data::from(app.config.clone()))
            .app_data(web::Data::new(app.world))
            .app_data(web::Data::new(app.db.on_this_thread(connections)))
            .app_data(web::Data::new(app.tokens.clone()))
            .app_data(web::Data::new(app.revoked.clone()))
            .app_data(web::Data::new(app.seal.clone()))
            .app_data(web::Data::new(app.passwords.clone()))
            .app_data(web::Data::from(app.limits.clone()))
            .app_data(web::Data::new(app.metrics.clone()))
            .app_data(web::Data::new(app.live.clone()))
            .app_data(web::Data::new(app.mover.clone()))
            .app_data(web::Data::new(app.autopilot.clone()))
            .app_data(web::Data::new(app.heartbeat.clone()))
            .app_data(web::Data::new(app.cafe.clone()))
            .app_data(web::Data::new(app.noted.clone()))
            .app_data(web::Data::new(owned.clone()))
            .app_data(web::Data::new(app.stop.clone()))
            .app_data(web::Data::new(to_providers.clone()))
            .app_data(addresses.clone())
            .app_data(ErrorPage(error_page))
            .service(routes::api(web::scope(routes::API)))
            .configure(routes::others)
            .configure(openapi::routes)
            .default_service(web::to(routes::nowhere))
            .wrap(from_fn(lead_to_set_up))
            .wrap(from_fn(note_refusals))
            .wrap(from_fn(render_errors))
            .wrap(from_fn(idempotency::replay_guard))
            .wrap(from_fn(admit))
            .wrap(from_fn(tell_limits))
            .wrap(from_fn(etag::conditional_get))
            .wrap(from_fn(compress_json))
            .wrap(from_fn(head::answer_without_body))
            .wrap(from_fn(cors::share))
            .wrap(from_fn(measure))
            .wrap(from_fn(security_headers))
            .wrap(TracingLogger::<RequestSpan>::new())
    })
    .workers(workers)
    .max_connections(most)
    // Otherwise a few hundred handshakes that stall keep everybody else out until they time out.
    .max_connection_rate(most)
    .shutdown_timeout(DRAIN_SECONDS)
    .client_request_timeout(Duration::from_secs(10))
    .tls_handshake_timeout(Duration::from_secs(10))
    .disable_signals();
    let server = match &certificate {
        Some(certificate) => server.listen_rustls_0_23(public, certificate.server_config()?)?.run(),
        None => server.listen(public)?.run(),
    };
    let handle = server.handle();
    actix_web::rt::spawn(async move {
        stop.requested().await;
        tracing::info!("stopping the server: finishing open requests");
        handle.stop(true).await;
    });
    let served = server.await;
    for handle in handles {
        handle.stop(false).await;
    }
    Ok(served?)
}

/// What has to be done now and then.
async fn upkeep(app: App) {
    const MINUTES_BETWEEN_SWEEPS: u32 = 60;
    const MINUTES_BETWEEN_FORGETTING: u32 = 10;
    let mut minutes = 0;
    loop {
        app.limits.sweep();
        let closed = async { sittings::close_idle(&mut *app.db.conn().await?, &app.world, &app.live).await };
        if let Err(err) = closed.await {
            tracing::warn!(error = format!("{err:#}"), "closing idle sittings failed");
        }
        let swept = async { waiting::sweep(&mut *app.db.conn().await?, app.world.now()).await };
        match swept.await {
            Ok(0) => {}
            Ok(count) => tracing::info!(count, "forgot people of the waiting list"),
            Err(err) => tracing::warn!(error = format!("{err:#}"), "forgetting people of the waiting list failed"),
        }
        if minutes % MINUTES_BETWEEN_FORGETTING == 0 {
            let forgotten = async { accounts::forget_guests(&mut *app.db.conn().await?, &app.world).await };
            match forgotten.await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "forgot guests"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "forgetting guests failed"),
            }
            let removed = async { tournaments::remove_sandbox(&mut *app.db.conn().await?, &app.world).await };
            match removed.await {
                Ok(0) => {}
                Ok(count) => tracing::info!(count, "deleted sandbox tournaments"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "deleting sandbox tournaments failed"),
            }
        }
        minutes = (minutes + 1) % MINUTES_BETWEEN_SWEEPS;
        if minutes == 0 {
            let swept = async { sessions::sweep(&mut *app.db.conn().await?, app.world.now()).await };
            match swept.await {
                Ok(count) => tracing::info!(count, "deleted expired sessions"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "deleting expired sessions failed"),
            }
            let swept = async { idempotency::sweep(&mut *app.db.conn().await?, app.world.now()).await };
            match swept.await {
                Ok(count) => tracing::info!(count, "deleted expired idempotency records"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "deleting expired idempotency records failed"),
            }
            let swept = async { claims::sweep(&mut *app.db.conn().await?, app.world.now()).await };
            match swept.await {
                Ok(count) => tracing::info!(count, "deleted expired claims"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "deleting expired claims failed"),
            }
            let swept = async { webhooks::sweep(&mut *app.db.conn().await?, app.world.now()).await };
            match swept.await {
                Ok(count) => tracing::info!(count, "deleted old webhook deliveries"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "deleting old webhook deliveries failed"),
            }
            let swept = async { staff::sweep(&mut *app.db.conn().await?, app.world.now()).await };
            match swept.await {
                Ok(count) => tracing::info!(count, "deleted expired staff links"),
                Err(err) => tracing::warn!(error = format!("{err:#}"), "deleting expired staff links failed"),
            }
        }
        if !app.stop.sleep(Duration::from_secs(60)).await {
            return;
        }
    }
}

/// What browsers are told to refuse on our behalf.
async fn security_headers<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    const HEADERS: [(&str, &str); 3] = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ];
    /// Browsers that came by https once come by nothing else for a year.
    const ONLY_TLS: (&str, &str) = ("strict-transport-security", "max-age=31536000");
    let config = request.app_data::<web::Data<Config>>().cloned();
    let answered = next.call(request).await;
    let is_for_frames = answered.as_ref().is_ok_and(|it| it.response().extensions().get::<InFrame>().is_some());
    let sites = config.as_ref().filter(|_| is_for_frames).map(|it| it.embedding_origins.as_slice()).unwrap_or_default();
    let is_secure = config.as_ref().is_some_and(|config| config.is_secure());
    let headers = HEADERS.into_iter().chain(is_secure.then_some(ONLY_TLS));
    let headers = headers.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    with_headers(answered, headers.chain(framing(sites)))
}

/// Who may show an answer in a frame: pages of these sites, or nobody's.
fn framing(sites: &[Origin]) -> Vec<(HeaderName, HeaderValue)> {
    const NOBODY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    let listed: Vec<&str> = sites.iter().map(Origin::as_str).collect();
    let policy = NOBODY.trim_end_matches("'none'").to_owned() + &listed.join(" ");
    match HeaderValue::try_from(policy) {
        Ok(policy) if !listed.is_empty() => vec![(CONTENT_SECURITY_POLICY, policy)],
        _ => vec![
            (CONTENT_SECURITY_POLICY, HeaderValue::from_static(NOBODY)),
            (X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Mutex;

    use actix_web::HttpResponse;
    use actix_web::body::to_bytes;
    use actix_web::test::{TestRequest, init_service, try_call_service};

    use super::*;
    use web_base::config::Settings;

    fn config() -> Config {
        Settings::default().resolve().unwrap()
    }

    /// What was logged.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    async fn breaks() -> HttpResponse {
        panic!("the cellar is flooded")
    }

    async fn works() -> HttpResponse {
        HttpResponse::Ok().finish()
    }

    #[actix_web::test]
    async fn only_over_tls_browsers_are_told_to_stay_with_it() {
        for (public_url, expected) in [(None, false), (Some("https://play.example.org"), true)] {
            let config = Config { public_url: public_url.map(str::to_owned), ..config() };
            let app = actix_web::App::new().app_data(web::Data::new(config)).route("/works", web::get().to(works));
            let app = init_service(app.wrap(from_fn(security_headers))).await;
            let answer = try_call_service(&app, TestRequest::with_uri("/works").to_request()).await.unwrap();
            assert_eq!(answer.headers().contains_key("strict-transport-security"), expected, "{public_url:?}");
        }
    }

    async fn is_for_frames() -> HttpResponse {
        let mut answer = HttpResponse::Ok().finish();
        answer.extensions_mut().insert(InFrame);
        answer
    }

    #[actix_web::test]
    async fn only_listed_sites_show_only_what_is_meant_for_frames() {
        let sites = ["https://www.example.org", "https://club.example.org:8443"];
        for (listed, path, expected) in [
            (&sites[..], "/frame", Some("frame-ancestors https://www.example.org https://club.example.org:8443")),
            (&sites[..], "/works", None),
            (&[], "/frame", None),
        ] {
            let embedding_origins = listed.iter().map(|it| it.parse().unwrap()).collect();
            let config = Config { embedding_origins, ..config() };
            let app = actix_web::App::new().app_data(web::Data::new(config));
            let app = app.route("/works", web::get().to(works)).route("/frame", web::get().to(is_for_frames));
            let app = init_service(app.wrap(from_fn(security_headers))).await;
            let answer = try_call_service(&app, TestRequest::with_uri(path).to_request()).await.unwrap();
            let header = |name: &str| answer.headers().get(name).map(|it| it.to_str().unwrap());
            let policy = header("content-security-policy").unwrap();
            assert!(policy.ends_with(expected.unwrap_or("frame-ancestors 'none'")), "{path}: {policy}");
            assert!(policy.starts_with("default-src 'self';"), "{policy}");
            assert_eq!(header("x-frame-options"), if expected.is_some() { None } else { Some("DENY") });
        }
    }

    #[actix_web::test]
    async fn a_handler_that_panics_answers_logs_and_leaves_the_server_well() {
        let lines = Lines::default();
        let writer = lines.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let app = actix_web::App::new()
            .app_data(web::Data::new(config()))
            .app_data(web::Data::new(World::real()))
            .app_data(ErrorPage(error_page))
            .route("/api/breaks", web::get().to(breaks))
            .route("/breaks", web::get().to(breaks))
            .route("/works", web::get().to(works))
            .wrap(from_fn(render_errors))
            .wrap(from_fn(idempotency::replay_guard))
            .wrap(from_fn(etag::conditional_get))
            .wrap(from_fn(measure))
            .wrap(from_fn(security_headers))
            .wrap(TracingLogger::<RequestSpan>::new());
        let app = init_service(app).await;
        for (path, accept, expected) in [
            ("/api/breaks", "*/*", "application/problem+json"),
            ("/breaks", "text/html", "text/html; charset=utf-8"),
            ("/breaks", "application/json", "application/problem+json"),
        ] {
            let request = TestRequest::with_uri(path).insert_header(("accept", accept)).to_request();
            let answer = match try_call_service(&app, request).await {
                Ok(response) => response.into_parts().1.map_into_boxed_body(),
                // The same that the server does.
                Err(err) => err.error_response(),
            };
            assert_eq!(answer.status(), 500, "{path}");
            let header = |name: &str| answer.headers().get(name).unwrap().to_str().unwrap().to_owned();
            assert_eq!(header("content-type"), expected, "{path} {accept}");
            assert!(!header("content-security-policy").is_empty(), "{path}");
            let id = header("x-request-id");
            let text = String::from_utf8(to_bytes(answer.into_body()).await.unwrap().to_vec()).unwrap();
            assert!(expected.starts_with("text/html") || text.contains(r#""code":"internal""#), "{text}");
            assert!(!text.contains("cellar"), "{text}");
            let logged = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
            assert!(logged.lines().any(|line| line.contains("ERROR") && line.contains(&id)), "{id}: {logged}");
        }
        let request = TestRequest::with_uri("/works").to_request();
        assert_eq!(try_call_service(&app, request).await.unwrap().status(), 200);
    }
}
