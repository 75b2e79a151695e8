//! The certificate that this server shows, kept up to date with its files while connections come in.

pub mod guest;

use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use actix_web::{rt, web};
use anyhow::Context;
use jiff::Timestamp;
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use base::certificates::{Certificate, Files};
use base::stop::Stop;
use base::world::World;
use web_base::config::Config;

/// How long a changed file may go unnoticed.
const PAUSE: Duration = Duration::from_secs(60);

/// The certificate of this process, as it is now.
#[derive(Clone)]
pub struct Served {
    files: Files,
    public_host: Option<String>,
    stamps: Stamps,
    shown: Arc<Shown>,
}

struct Shown(watch::Sender<(Certificate, Arc<CertifiedKey>)>);

/// By these a file is seen to have changed.
type Stamps = [Option<(u64, u64, i64, i64)>; 2];

impl Served {
    /// The one that the settings name, if they name one.
    ///
    /// # Errors
    /// When its files cannot be read or do not belong together.
    pub fn load(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some(files) = config.certificate() else { return Ok(None) };
        // Before they are read: what changes meanwhile is seen as a change.
        let stamps = stamps(&files);
        let (certificate, key) = files.load().context("the certificate for TLS")?;
        let shown = Arc::new(Shown(watch::Sender::new((certificate, Arc::new(key)))));
        Ok(Some(Self { files, public_host: config.public_host(), stamps, shown }))
    }

    /// Whether browsers take it for a server of this name or address.
    pub fn is_for(&self, host: &str) -> bool {
        self.shown.0.borrow().0.is_for(host)
    }

    /// TLS 1.2 and 1.3, without certificates of clients.
    pub(crate) fn server_config(&self) -> Result<ServerConfig, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        Ok(config.with_no_client_auth().with_cert_resolver(self.shown.clone()))
    }

    /// From now on, reads the files again when they have changed, and at SIGHUP.
    ///
    /// # Errors
    /// When the system does not let this process listen for the signal.
    pub fn keep_current(&self, world: World, stop: Stop) -> anyhow::Result<()> {
        let hangup = signal(SignalKind::hangup())?;
        self.tell(world.now());
        rt::spawn(self.clone().reload_on_change(hangup, world, stop));
        Ok(())
    }

    async fn reload_on_change(mut self, mut hangup: Signal, world: World, stop: Stop) {
        loop {
            let is_asked = tokio::select! {
                () = tokio::time::sleep(PAUSE) => false,
                Some(()) = hangup.recv() => true,
                () = stop.requested() => return,
            };
            let stamps = stamps(&self.files);
            if is_asked || stamps != self.stamps {
                self.stamps = stamps;
                self.reload(world.now()).await;
            }
        }
    }

    /// A certificate that cannot be shown leaves the one before in its place.
    async fn reload(&self, now: Timestamp) {
        let files = self.files.clone();
        let loaded = web::block(move || files.load()).await.map_err(anyhow::Error::from).flatten();
        match loaded {
            Ok((certificate, key)) => {
                self.shown.0.send_replace((certificate, Arc::new(key)));
                tracing::info!(path = %self.files.certificate.display(), "reloaded the certificate");
                self.tell(now);
            }
            Err(err) => {
                let path = self.files.certificate.display();
                tracing::warn!(%path, error = format!("{err:#}"), "reloading the certificate failed; keeping the one before");
            }
        }
    }

    /// Warns of what browsers will refuse.
    fn tell(&self, now: Timestamp) {
        let certificate = &self.shown.0.borrow().0;
        let (names, until) = (certificate.names.join(" "), certificate.ends_at);
        metrics::gauge!("tls_certificate_expiry_timestamp_seconds").set(until.as_second() as f64);
        if certificate.left(now).is_zero() {
            let from = certificate.starts_at;
            tracing::warn!(%from, %until, "the certificate is not valid now: browsers refuse this server");
        }
        if let Some(host) = self.public_host.as_ref().filter(|host| !certificate.is_for(host)) {
            tracing::warn!(host, names, "the certificate is not for the public address: browsers refuse this server");
        }
    }
}

impl ResolvesServerCert for Shown {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(self.0.borrow().1.clone())
    }
}

impl fmt::Debug for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shown").field(&self.0.borrow().0).finish()
    }
}

fn stamps(files: &Files) -> Stamps {
    let stamp = |file: &Path| fs::metadata(file).ok().map(|it| (it.ino(), it.size(), it.mtime(), it.mtime_nsec()));
    [stamp(&files.certificate), stamp(&files.key)]
}
