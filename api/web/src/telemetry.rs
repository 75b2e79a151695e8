//! Logs, request ids and metrics. Neither ever holds a token, a password, a seed or a hidden die:
//! a request's line has its method, path and status, and no query, header or body.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::IsTerminal;
use std::panic::PanicHookInfo;
use std::time::{Duration, Instant};

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{HeaderName, HeaderValue, RETRY_AFTER};
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, HttpRequest, HttpResponse, get, route, web};
use anyhow::Context;
use jiff::Timestamp;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::time::timeout;
use tracing::{Level, Span};
use tracing_actix_web::{RequestId, RootSpanBuilder};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use base::auth::{Seal, can};
use base::db::Db;
use base::ids::hex;
use base::storage;
use base::world::World;
use web_base::config::{Config, LogFormat};
use web_base::error::{ApiResult, with_headers};
use web_base::extract::{staff_context, staff_member};
use web_base::limits::{Capacity, Limits, open_descriptors};

/// `houserules healthcheck` waits four seconds, and other callers hardly longer.
const READY_WITHIN: Duration = Duration::from_secs(2);
const MOVES: [f64; 7] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
const SECONDS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// Log lines go to standard error; standard output is for what a command was asked for.
pub fn init(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(&config.log);
    let filter = filter.with_context(|| format!("log: {} is no filter; one looks like api=debug,info", config.log))?;
    // Anybody can send half a request; that is not an error of the server.
    let filter = filter.add_directive("actix_http=off".parse()?);
    // Its debug lines hold the parameters of every statement: seeds, states of matches, hashes.
    let filter = filter.add_directive("tokio_postgres=info".parse()?);
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_target(false)
        .with_ansi(std::io::stderr().is_terminal() && wants_colours());
    let registry = tracing_subscriber::registry().with(filter);
    match config.log_format {
        LogFormat::Text => registry.with(lines).try_init()?,
        LogFormat::Json => registry.with(lines.json().flatten_event(true).with_span_list(false)).try_init()?,
    }
    std::panic::set_hook(Box::new(log_panic));
    Ok(())
}

/// See <https://no-color.org>.
fn wants_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty())
}

/// A panic is a line of the log like any other, beside the id of the request that it happened in.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let trace = Backtrace::capture();
    let trace = (trace.status() == BacktraceStatus::Captured).then(|| trace.to_string());
    tracing::error!(trace, "{}", panic.to_string().replace('\n', " "));
}

/// Collects the metrics of this process.
pub fn recorder() -> anyhow::Result<PrometheusHandle> {
    let duration = Matcher::Full("http_request_seconds".to_owned());
    let moves = Matcher::Full("moves_per_commit".to_owned());
    let builder = PrometheusBuilder::new().set_buckets_for_metric(duration, &SECONDS)?;
    Ok(builder.set_buckets_for_metric(moves, &MOVES)?.install_recorder()?)
}

/// What stands beside every line that a request logs.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        let id = request.extensions().get::<RequestId>().map(ToString::to_string);
        tracing::info_span!(
            "request",
            id,
            method = %request.method(),
            // Never the query: it may hold a set-up token.
            path = %path_of(request),
            status = tracing::field::Empty,
        )
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, actix_web::Error>) {
        span.record("status", status_of(outcome).as_u16());
    }
}

/// Without the secret that some addresses are, however a client writes them: the router takes `/%77/…` for `/w/…`.
fn path_of(request: &ServiceRequest) -> String {
    match request.match_pattern() {
        Some(pattern) if pattern.contains("{token}") => pattern,
        Some(_) => request.path().to_owned(),
        None => beginning_of(request.path()),
    }
}

/// The first word of a path. One that is longer than those of our own addresses may be the secret itself.
fn beginning_of(path: &str) -> String {
    const LONGEST: usize = 20;
    let mut words = path.split('/').filter(|word| !word.is_empty());
    match (words.next().filter(|word| word.len() <= LONGEST), words.next()) {
        (Some(word), None) => format!("/{word}"),
        (Some(word), Some(_)) => format!("/{word}/…"),
        (None, _) => "/…".to_owned(),
    }
}

fn status_of<B>(outcome: &Result<ServiceResponse<B>, actix_web::Error>) -> StatusCode {
    match outcome {
        Ok(response) => response.status(),
        Err(err) => err.as_response_error().status_code(),
    }
}

/// Counts and times each request, and gives the answer the request's id.
pub async fn measure<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = started();
    let method = label(request.method());
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    let client = tracing::enabled!(Level::INFO).then(|| client(request.request())).flatten();
    let outcome = next.call(request).await;
    let route = outcome.as_ref().ok().and_then(|response| response.request().match_pattern());
    let route = route.unwrap_or_else(|| "none".to_owned());
    let (status, seconds) = (status_of(&outcome), started.elapsed());
    tracing::info!(route, status = status.as_u16(), ms = seconds.as_millis() as u64, client, "answered request");
    let labels = [("method", method.to_owned()), ("route", route), ("status", status.as_str().to_owned())];
    metrics::counter!("http_requests_total", &labels).increment(1);
    metrics::histogram!("http_request_seconds", &labels[..2]).record(seconds);
    let id = id.and_then(|id| HeaderValue::from_str(&id).ok());
    with_headers(outcome, id.map(|id| (HeaderName::from_static("x-request-id"), id)))
}

/// Tells the requests of one address from others on one day, and tells nobody the address.
fn client(request: &HttpRequest) -> Option<String> {
    let config = request.app_data::<web::Data<Config>>()?;
    let (world, seal) = (request.app_data::<web::Data<World>>()?, request.app_data::<web::Data<Seal>>()?);
    let day = world.now().as_second() / 86_400;
    let address = config.proxies.client(request)?.to_string();
    let digest = seal.digest(&[b"client of the access log", &day.to_be_bytes(), address.as_bytes()]);
    Some(hex(&digest[..6]))
}

/// Since when the secret is what it is, where that is known, and whether the previous one is still good.
pub fn tell_secret(changed_at: Option<Timestamp>, has_previous: bool) {
    metrics::gauge!("secret_previous_known").set(u32::from(has_previous));
    if let Some(at) = changed_at {
        metrics::gauge!("secret_changed_timestamp_seconds").set(at.as_second() as f64);
    }
}

/// Whether the audit log holds the line that was noted.
pub fn tell_audit_log(is_as_noted: bool) {
    metrics::gauge!("audit_log_as_noted").set(u32::from(is_as_noted));
}

/// A client may make methods up, and every label is kept for as long as the process lives.
fn label(method: &Method) -> &'static str {
    const KNOWN: [Method; 7] =
        [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    match KNOWN.iter().find(|known| *known == method) {
        Some(known) => known.as_str(),
        None => "other",
    }
}

#[expect(clippy::disallowed_methods, reason = "how long a request took decides nothing in it")]
fn started() -> Instant {
    Instant::now()
}

/// Whether the process lives.
#[route("/healthz", method = "GET", method = "HEAD")]
pub(crate) async fn healthz() -> HttpResponse {
    HttpResponse::Ok().content_type("text/plain; charset=utf-8").body("ok\n")
}

/// Whether requests can be answered: the database is there, up to date, and has room to write.
#[route("/readyz", method = "GET", method = "HEAD")]
pub(crate) async fn readyz(db: web::Data<Db>) -> HttpResponse {
    let not_yet = match timeout(READY_WITHIN, db.is_ready()).await {
        Ok(Ok(true)) if storage::is_full() => "the database has no room to write\n",
        Ok(Ok(true)) => return HttpResponse::Ok().content_type("text/plain; charset=utf-8").body("ok\n"),
        Ok(Ok(false)) => "migrations are missing\n",
        Ok(Err(_)) => "the database is away\n",
        Err(_) => "the database does not answer\n",
    };
    HttpResponse::ServiceUnavailable()
        .insert_header((RETRY_AFTER, "2"))
        .content_type("text/plain; charset=utf-8")
        .body(not_yet)
}

#[get("/metrics")]
pub(crate) async fn metrics_page(metrics: web::Data<PrometheusHandle>, limits: web::Data<Limits>) -> HttpResponse {
    show_metrics(&metrics, &limits)
}

fn show_metrics(metrics: &PrometheusHandle, limits: &Limits) -> HttpResponse {
    let Capacity { descriptors, streams, .. } = limits.capacity();
    metrics::gauge!("process_max_fds").set(descriptors as f64);
    metrics::gauge!("process_open_fds").set(open_descriptors() as f64);
    metrics::gauge!("streams_max").set(streams);
    metrics::gauge!("streams_open").set(limits.open_streams());
    metrics.run_upkeep();
    HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(metrics.render())
}

/// The same for everybody's listener, where only some may read it: callers on this machine, and staff who run the server.
#[get("/metrics")]
pub(crate) async fn guarded_metrics_page(
    request: HttpRequest,
    metrics: web::Data<PrometheusHandle>,
    limits: web::Data<Limits>,
) -> ApiResult<HttpResponse> {
    if !limits.is_local(&request) {
        staff_context::<can::ViewOperations>(&request, &staff_member(&request).await?)?;
    }
    Ok(show_metrics(&metrics, &limits))
}
