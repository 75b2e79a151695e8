//! The settings: flags first, then the environment, then `houserules.toml`, then what is sensible. Read once, at the start.

mod app_links;
mod oidc;

use std::fmt;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use actix_web::http::Uri;
use anyhow::Context;
use clap::{Args, ValueEnum};
use jiff::SignedDuration;
use jiff::tz::TimeZone;
use serde::Deserialize;

use crate::origin::Origin;
use crate::proxies::Proxies;
pub use app_links::AppLinks;
use base::certificates::Files;
use base::settings::sheets::is_loopback;
use base::setup::{ArchivePlan, BackupPlan, Setup};
pub use oidc::{OidcProvider, OidcProviders};

const DEFAULT_FILE: &str = "houserules.toml";
/// The web server starts no more threads.
const MOST_WORKERS: usize = 512;
/// Room is kept for each of them.
const MOST_CONNECTIONS: usize = 10_000;
/// More than a century: what is calculated with them stays within the times that there are.
const MOST_HOURS: u32 = 1_000_000;
const LONGEST_INTERVAL: Duration = Duration::from_secs(10 * 366 * 24 * 60 * 60);

/// Each of these settings as it is given, or else as the file has it. A setting that is left out of the list does not compile.
macro_rules! first_of {
    ($given:ident, $file:ident: $($setting:ident),+ $(,)?) => {
        Settings { config: $given.config, $($setting: $given.$setting.or($file.$setting)),+ }
    };
}

/// As given: any may be missing. `Config` is what comes of them.
#[derive(Args, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Read settings from this file [default: houserules.toml, if there is one]
    #[arg(long, env = "HOUSERULES_CONFIG", value_name = "FILE", global = true)]
    #[serde(skip)]
    pub config: Option<PathBuf>,

    /// Listen here; port 0 takes any free one [default: 127.0.0.1:8080]
    #[arg(long, env = "HOUSERULES_BIND", value_name = "ADDRESS", global = true)]
    pub bind: Option<SocketAddr>,

    /// Answer for health and metrics here besides, on a thread of their own [default: 127.0.0.1 and the port of --bind plus 1000,
    /// or any free port where that is taken]
    #[arg(long, env = "HOUSERULES_OPS_BIND", value_name = "ADDRESS", global = true)]
    pub ops_bind: Option<SocketAddr>,

    /// Keep the private database, the secret and the lock here [default: ./data]
    #[arg(long, env = "HOUSERULES_DATA", value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,

    /// Use this PostgreSQL instead of a private one, e.g. postgres://user:password@host/database. Connections to another machine
    /// are encrypted and verified, unless the address ends with `?sslmode=disable`
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true, global = true)]
    pub database_url: Option<Redacted>,

    /// Bring that PostgreSQL's database up to date as this role, and grant the role of --database-url what it needs
    #[arg(long, env = "DATABASE_OWNER_URL", value_name = "URL", hide_env_values = true, global = true)]
    pub database_owner_url: Option<Redacted>,

    /// PostgreSQL's own address, where --database-url leads to a connection pooler such as PgBouncer: for notifications, migrations
    /// and backups, which need a session of their own
    #[arg(long, env = "HOUSERULES_DIRECT_URL", value_name = "URL", hide_env_values = true, global = true)]
    pub direct_url: Option<Redacted>,

    /// A streaming standby of that PostgreSQL: figures, leaderboards, replays, exports, rules and screens on the wall read from it
    /// while it is close behind
    #[arg(long, env = "HOUSERULES_READ_URL", value_name = "URL", hide_env_values = true, global = true)]
    pub read_url: Option<Redacted>,

    /// Sign tokens with this (32 bytes at least) [default: made once and kept in the data directory]
    #[arg(long, env = "HOUSERULES_SECRET", value_name = "TEXT", hide_env_values = true, global = true)]
    pub secret: Option<Redacted>,

    /// The secret before it was replaced: what it signed and sealed stays good [default: kept in the data directory]
    #[arg(long, env = "HOUSERULES_PREVIOUS_SECRET", value_name = "TEXT", hide_env_values = true, global = true)]
    pub previous_secret: Option<Redacted>,

    /// The address that guests and staff use, where it is not the one listened on, such as `https://play.example.org`
    #[arg(long, env = "HOUSERULES_PUBLIC_URL", value_name = "URL", global = true)]
    pub public_url: Option<String>,

    /// Speak TLS with the certificate in this PEM file, after which come those of the authorities that it depends on …
    #[arg(long, env = "HOUSERULES_TLS_CERT", value_name = "FILE", global = true)]
    pub tls_cert: Option<PathBuf>,

    /// … and the private key in this one. Both are read again when they change
    #[arg(long, env = "HOUSERULES_TLS_KEY", value_name = "FILE", global = true)]
    pub tls_key: Option<PathBuf>,

    /// `local` speaks TLS with a certificate of this house's own authority, which `houserules tls` makes [default: off]
    #[arg(long, env = "HOUSERULES_TLS", value_name = "local|off", global = true)]
    pub tls: Option<String>,

    /// Listen here for plain HTTP as well, and send browsers on to https; only with TLS
    #[arg(long, env = "HOUSERULES_REDIRECT_HTTP", value_name = "ADDRESS", global = true)]
    pub redirect_http: Option<SocketAddr>,

    /// The café's time zone, for the times on pages [default: Asia/Seoul]
    #[arg(long, env = "HOUSERULES_TIME_ZONE", value_name = "ZONE", global = true)]
    pub time_zone: Option<String>,

    /// On an empty database, make the first owner with this address …
    #[arg(long, env = "HOUSERULES_OWNER_EMAIL", value_name = "EMAIL", global = true)]
    pub owner_email: Option<String>,

    /// … and this password (8 characters at least)
    #[arg(long, env = "HOUSERULES_OWNER_PASSWORD", value_name = "TEXT", hide_env_values = true, global = true)]
    pub owner_password: Option<Redacted>,

    /// Threads that answer requests, 512 at most [default: one per processor]
    #[arg(long, env = "HOUSERULES_WORKERS", value_name = "N", global = true)]
    pub workers: Option<NonZeroUsize>,

    /// Connections to the database for requests, 10000 at most; a few more serve background work [default: 16]
    #[arg(long, env = "HOUSERULES_POOL_SIZE", value_name = "N", global = true)]
    pub pool_size: Option<NonZeroUsize>,

    /// `off` lifts all limits of accounts, addresses and parties, for load tests [default: on]
    #[arg(long, env = "HOUSERULES_RATE_LIMITS", value_name = "on|off", global = true)]
    pub rate_limits: Option<Switch>,

    /// Sign-ins and registrations that one address may try in a minute [default: 20]
    #[arg(long, env = "HOUSERULES_SIGN_INS_PER_MINUTE", value_name = "N", global = true)]
    pub sign_ins_per_minute: Option<NonZeroU32>,

    /// Guests that one address may make in a minute; a whole café may share one address [default: 60]
    #[arg(long, env = "HOUSERULES_GUESTS_PER_MINUTE", value_name = "N", global = true)]
    pub guests_per_minute: Option<NonZeroU32>,

    /// Moves that one account may make in a minute; an address may have 25 times of this and of the next four [default: 600]
    #[arg(long, env = "HOUSERULES_MOVES_PER_MINUTE", value_name = "N", global = true)]
    pub moves_per_minute: Option<NonZeroU32>,

    /// Other changes that one account may make in a minute; an account of staff may make ten times as many [default: 120]
    #[arg(long, env = "HOUSERULES_WRITES_PER_MINUTE", value_name = "N", global = true)]
    pub writes_per_minute: Option<NonZeroU32>,

    /// Matches and calls for staff that one account may make in an hour [default: 60]
    #[arg(long, env = "HOUSERULES_CREATIONS_PER_HOUR", value_name = "N", global = true)]
    pub creations_per_hour: Option<NonZeroU32>,

    /// Exports that one account may take in an hour [default: 30]
    #[arg(long, env = "HOUSERULES_EXPORTS_PER_HOUR", value_name = "N", global = true)]
    pub exports_per_hour: Option<NonZeroU32>,

    /// Streams and long polls that one account may have open at one time [default: 16]
    #[arg(long, env = "HOUSERULES_STREAMS", value_name = "N", global = true)]
    pub streams: Option<NonZeroU32>,

    /// Matches that one account may have made and nobody has started; a party may have twice as many [default: 10]
    #[arg(long, env = "HOUSERULES_WAITING_MATCHES", value_name = "N", global = true)]
    pub waiting_matches: Option<NonZeroU32>,

    /// `on` where a reverse proxy on this machine sets X-Forwarded-For, or the addresses and networks of your proxies with
    /// commas between: callers are then told apart by it [default: off]
    #[arg(long, env = "HOUSERULES_BEHIND_PROXY", value_name = "on|off|ADDRESSES", global = true)]
    pub behind_proxy: Option<String>,

    /// Origins of other web apps that may use the API as any app does, with commas between, such as `https://app.example.org`
    /// [default: none; anybody's pages may read what needs no sign-in]
    #[arg(long, env = "HOUSERULES_ALLOWED_ORIGINS", value_name = "ORIGINS", value_delimiter = ',', global = true)]
    pub allowed_origins: Option<Vec<String>>,

    /// Origins of sites whose pages may show tournaments in a frame, with commas between, such as `https://www.example.org`
    /// [default: none]
    #[arg(long, env = "HOUSERULES_EMBEDDING_ORIGINS", value_name = "ORIGINS", value_delimiter = ',', global = true)]
    pub embedding_origins: Option<Vec<String>>,

    /// Apps for iOS that open links to tables, matches and tournaments: team and bundle, with commas between, such as
    /// `ABCDE12345.org.example.play` [default: none]
    #[arg(long, env = "HOUSERULES_APPLE_APPS", value_name = "APPS", value_delimiter = ',', global = true)]
    pub apple_apps: Option<Vec<String>>,

    /// Apps for Android that open them: package, `=` and the SHA-256 of the signing certificate, such as
    /// `org.example.play=14:6D:E9:…` [default: none]
    #[arg(long, env = "HOUSERULES_ANDROID_APPS", value_name = "APPS", value_delimiter = ',', global = true)]
    pub android_apps: Option<Vec<String>>,

    /// Providers of OpenID Connect by which players sign in, as JSON: `[{"id", "name", "issuer", "client_id", "client_secret",
    /// "scopes", "nonce"}]`; in the file as `[[oidc]]` [default: none]
    #[arg(long, env = "HOUSERULES_OIDC", value_name = "JSON", hide_env_values = true, global = true)]
    pub oidc: Option<OidcProviders>,

    /// `on` where webhooks may lead to this machine and to private networks [default: off]
    #[arg(long, env = "HOUSERULES_PRIVATE_WEBHOOKS", value_name = "on|off", global = true)]
    pub private_webhooks: Option<Switch>,

    /// `off` where the lab tries only rules that somebody asks about, and not the latest version of each variant by itself
    /// [default: on]
    #[arg(long, env = "HOUSERULES_LAB_AHEAD", value_name = "on|off", global = true)]
    pub lab_ahead: Option<Switch>,

    /// Hours after which a match that nobody has started ends as expired, 1000000 at most [default: 24]
    #[arg(long, env = "HOUSERULES_WAITING_HOURS", value_name = "N", global = true)]
    pub waiting_hours: Option<NonZeroU32>,

    /// Hours after which a match in which nobody has moved ends as expired, 1000000 at most [default: 72]
    #[arg(long, env = "HOUSERULES_RUNNING_HOURS", value_name = "N", global = true)]
    pub running_hours: Option<NonZeroU32>,

    /// Take a backup this often, such as 6h or 30m, or never: off [default: 6h with the private PostgreSQL, otherwise off]
    #[arg(long, env = "HOUSERULES_BACKUP_EVERY", value_name = "TIME|off", global = true)]
    pub backup_every: Option<String>,

    /// Keep so many of these backups; older ones are removed [default: 14]
    #[arg(long, env = "HOUSERULES_BACKUP_KEEP", value_name = "N", global = true)]
    pub backup_keep: Option<NonZeroUsize>,

    /// Keep them in this directory, which is theirs alone [default: `backups` in the data directory]
    #[arg(long, env = "HOUSERULES_BACKUP_DIR", value_name = "DIR", global = true)]
    pub backup_dir: Option<PathBuf>,

    /// Restore the newest of them this often into a PostgreSQL that is thrown away, to test it; only beside the private
    /// PostgreSQL [default: 24h where backups are taken]
    #[arg(long, env = "HOUSERULES_BACKUP_TEST_EVERY", value_name = "TIME|off", global = true)]
    pub backup_test_every: Option<String>,

    /// Also archive the private PostgreSQL's WAL here, on another disk, at least once a minute [default: no archive]
    #[arg(long, env = "HOUSERULES_ARCHIVE_DIR", value_name = "DIR", global = true)]
    pub archive_dir: Option<PathBuf>,

    /// Keep so many daily base backups there, and the WAL since [default: 7]
    #[arg(long, env = "HOUSERULES_ARCHIVE_KEEP", value_name = "NUMBER", global = true)]
    pub archive_keep: Option<NonZeroUsize>,

    /// Encrypt backups for these recipients of age, separated by commas: age1… [default: backups are not encrypted]
    #[arg(long, env = "HOUSERULES_BACKUP_RECIPIENTS", value_name = "KEYS", value_delimiter = ',', global = true)]
    pub backup_recipients: Option<Vec<String>>,

    /// What to log, e.g. warn or api=debug,info [default: info,actix_server=warn]
    #[arg(long, env = "HOUSERULES_LOG", value_name = "FILTER", global = true)]
    pub log: Option<String>,

    /// The form of log lines [default: text]
    #[arg(long, env = "HOUSERULES_LOG_FORMAT", value_name = "text|json", global = true)]
    pub log_format: Option<LogFormat>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Switch {
    On,
    Off,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    #[default]
    Text,
    Json,
}

/// Text that no log and no message may show.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Redacted(String);

#[derive(Clone, Debug)]
pub struct Config {
    pub bind: SocketAddr,
    /// None: near the port of `bind`, or wherever there is room.
    pub ops_bind: Option<SocketAddr>,
    pub data: PathBuf,
    pub database_url: Option<Redacted>,
    pub database_owner_url: Option<Redacted>,
    pub direct_url: Option<Redacted>,
    pub read_url: Option<Redacted>,
    pub secret: Option<Redacted>,
    pub previous_secret: Option<Redacted>,
    pub public_url: Option<String>,
    pub tls: Option<Tls>,
    pub redirect_http: Option<SocketAddr>,
    pub time_zone: TimeZone,
    pub owner: Option<(String, Redacted)>,
    pub workers: usize,
    pub pool_size: usize,
    pub rate_limits: bool,
    pub sign_ins_per_minute: NonZeroU32,
    pub guests_per_minute: NonZeroU32,
    pub moves_per_minute: NonZeroU32,
    pub writes_per_minute: NonZeroU32,
    pub creations_per_hour: NonZeroU32,
    pub exports_per_hour: NonZeroU32,
    pub streams: NonZeroU32,
    pub waiting_matches: NonZeroU32,
    /// Set by `behind_proxy`.
    pub proxies: Proxies,
    pub allowed_origins: Vec<Origin>,
    /// Whose pages may show tournaments in a frame.
    pub embedding_origins: Vec<Origin>,
    pub private_webhooks: bool,
    pub lab_ahead: bool,
    pub app_links: AppLinks,
    pub oidc: Vec<OidcProvider>,
    pub waiting_hours: u32,
    pub running_hours: u32,
    pub backups: BackupPlan,
    pub log: String,
    pub log_format: LogFormat,
}

/// Where the certificate comes from that this server shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tls {
    Own(Files),
    /// From the authority in the data directory.
    Local,
}

impl Settings {
    /// Fills what flags and environment left open from the file, and the rest with defaults.
    pub fn resolve(self) -> anyhow::Result<Config> {
        let file = match &self.config {
            Some(path) => read(path)?,
            None if Path::new(DEFAULT_FILE).exists() => read(Path::new(DEFAULT_FILE))?,
            None => Self::default(),
        };
        self.over(file).config()
    }

    fn over(self, file: Self) -> Self {
        first_of!(
            self, file:
            bind, ops_bind, data, database_url, database_owner_url, direct_url, read_url, secret,
            previous_secret, public_url, tls_cert, tls_key, tls, redirect_http, time_zone, owner_email,
            owner_password, workers, pool_size, rate_limits, sign_ins_per_minute, guests_per_minute,
            moves_per_minute, writes_per_minute, creations_per_hour, exports_per_hour, streams,
            waiting_matches, behind_proxy, allowed_origins, embedding_origins, apple_apps, android_apps,
            oidc, private_webhooks, lab_ahead, waiting_hours, running_hours, backup_every, backup_keep,
            backup_dir, backup_test_every, archive_dir, archive_keep, backup_recipients, log, log_format,
        )
    }

    fn config(self) -> anyhow::Result<Config> {
        let quota = |given: Option<NonZeroU32>, usual: u32| given.or(NonZeroU32::new(usual)).unwrap_or(NonZeroU32::MIN);
        let processors = std::thread::available_parallelism().map_or(2, NonZeroUsize::get).min(MOST_WORKERS);
        // A variable that is set to nothing, as compose files do, is not set.
        let email = self.owner_email.filter(|email| !email.is_empty());
        let password = self.owner_password.filter(|password| !password.0.is_empty());
        let owner = match (email, password) {
            (Some(email), Some(password)) => Some((email, password)),
            (None, None) => None,
            (Some(_), None) => anyhow::bail!("HOUSERULES_OWNER_EMAIL needs HOUSERULES_OWNER_PASSWORD beside it"),
            (None, Some(_)) => anyhow::bail!("HOUSERULES_OWNER_PASSWORD needs HOUSERULES_OWNER_EMAIL beside it"),
        };
        let data = self.data.unwrap_or_else(|| PathBuf::from("data"));
        let database_url = self.database_url.filter(|url| !url.0.is_empty());
        let database_owner_url = self.database_owner_url.filter(|url| !url.0.is_empty());
        let direct_url = self.direct_url.filter(|url| !url.0.is_empty());
        let read_url = self.read_url.filter(|url| !url.0.is_empty());
        for (name, url) in [
            ("DATABASE_OWNER_URL", &database_owner_url),
            ("HOUSERULES_DIRECT_URL", &direct_url),
            ("HOUSERULES_READ_URL", &read_url),
        ] {
            anyhow::ensure!(url.is_none() || database_url.is_some(), "{name} needs DATABASE_URL beside it");
        }
        let is_private = database_url.is_none();
        let every = interval("backup_every", self.backup_every, is_private.then_some("6h"))?;
        let usual = every.filter(|_| is_private).map(|_| "24h");
        let test_every = interval("backup_test_every", self.backup_test_every, usual)?;
        anyhow::ensure!(
            test_every.is_none() || (is_private && every.is_some()),
            "backup_test_every needs the private PostgreSQL, and backups that are taken"
        );
        let archive = self.archive_dir.filter(|dir| !dir.as_os_str().is_empty());
        anyhow::ensure!(archive.is_none() || is_private, "archive_dir needs the private PostgreSQL");
        let backups = BackupPlan {
            every,
            keep: self.backup_keep.map_or(14, NonZeroUsize::get),
            dir: self.backup_dir.filter(|dir| !dir.as_os_str().is_empty()).unwrap_or_else(|| data.join("backups")),
            test_every,
            archive: archive.map(|dir| ArchivePlan { dir, keep: self.archive_keep.map_or(7, NonZeroUsize::get) }),
            recipients: recipients(self.backup_recipients)?,
        };
        let public_url = self.public_url.filter(|url| !url.is_empty()).map(|url| public_url(&url)).transpose()?;
        let tls = tls(self.tls.as_deref(), self.tls_cert, self.tls_key)?;
        anyhow::ensure!(
            tls.is_none() || public_url.as_ref().is_none_or(|url| url.starts_with("https://")),
            "public_url begins with http://, and the server speaks TLS: begin it with https://"
        );
        anyhow::ensure!(
            tls.is_some() || self.redirect_http.is_none(),
            "redirect_http needs TLS: tls_cert and tls_key, or tls = \"local\""
        );
        Ok(Config {
            bind: self.bind.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            ops_bind: self.ops_bind,
            data,
            database_url,
            database_owner_url,
            direct_url,
            read_url,
            secret: self.secret.filter(|secret| !secret.0.is_empty()),
            previous_secret: self.previous_secret.filter(|secret| !secret.0.is_empty()),
            time_zone: time_zone(self.time_zone.as_deref().unwrap_or("Asia/Seoul"))?,
            public_url,
            tls,
            redirect_http: self.redirect_http,
            owner,
            workers: at_most("workers", self.workers.map_or(processors, NonZeroUsize::get), MOST_WORKERS)?,
            pool_size: at_most("pool_size", self.pool_size.map_or(16, NonZeroUsize::get), MOST_CONNECTIONS)?,
            rate_limits: self.rate_limits != Some(Switch::Off),
            sign_ins_per_minute: quota(self.sign_ins_per_minute, 20),
            guests_per_minute: quota(self.guests_per_minute, 60),
            moves_per_minute: quota(self.moves_per_minute, 600),
            writes_per_minute: quota(self.writes_per_minute, 120),
            creations_per_hour: quota(self.creations_per_hour, 60),
            exports_per_hour: quota(self.exports_per_hour, 30),
            streams: quota(self.streams, 16),
            waiting_matches: quota(self.waiting_matches, 10),
            proxies: self.behind_proxy.unwrap_or_default().parse().context("behind_proxy")?,
            allowed_origins: origins(self.allowed_origins).context("allowed_origins")?,
            embedding_origins: origins(self.embedding_origins).context("embedding_origins")?,
            app_links: AppLinks::parse(self.apple_apps, self.android_apps)?,
            oidc: self.oidc.unwrap_or_default().checked()?,
            private_webhooks: self.private_webhooks == Some(Switch::On),
            lab_ahead: self.lab_ahead != Some(Switch::Off),
            waiting_hours: at_most("waiting_hours", self.waiting_hours.map_or(24, NonZeroU32::get), MOST_HOURS)?,
            running_hours: at_most("running_hours", self.running_hours.map_or(72, NonZeroU32::get), MOST_HOURS)?,
            backups,
            log: self.log.filter(|log| !log.is_empty()).unwrap_or_else(|| "info,actix_server=warn".to_owned()),
            log_format: self.log_format.unwrap_or_default(),
        })
    }
}

impl Config {
    /// Whether browsers come by https, so that cookies may insist on it.
    pub fn is_secure(&self) -> bool {
        self.tls.is_some() || self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
    }

    /// What this server itself speaks.
    pub fn scheme(&self) -> &'static str {
        if self.tls.is_some() { "https" } else { "http" }
    }

    /// Of what this server shows, if it speaks TLS.
    pub fn certificate(&self) -> Option<Files> {
        self.tls.as_ref().map(|tls| match tls {
            Tls::Own(files) => files.clone(),
            Tls::Local => {
                let both = self.authority().join("server.pem");
                Files { certificate: both.clone(), key: both }
            }
        })
    }

    /// Where the local authority and what it issued are kept.
    pub fn authority(&self) -> PathBuf {
        self.data.join("tls")
    }

    /// The name or address in the public address.
    pub fn public_host(&self) -> Option<String> {
        self.public_url.as_ref().and_then(|url| url.parse::<Uri>().ok()?.host().map(str::to_owned))
    }

    /// What checks of this server judge by.
    pub fn setup(&self) -> Setup {
        let public_host = self.public_host();
        Setup {
            data: self.data.clone(),
            is_database_private: self.database_url.is_none(),
            is_secret_kept: self.secret.is_none(),
            public_url: self.public_url.clone(),
            is_public_url_local: public_host.as_deref().is_some_and(is_loopback),
            public_host,
            certificate: self.certificate(),
            is_behind_proxy: !self.proxies.are_none(),
            ops_bind: self.ops_bind,
            backups: self.backups.clone(),
        }
    }

    #[cfg(test)]
    #[expect(clippy::missing_panics_doc, reason = "for tests")]
    pub fn for_tests() -> Self {
        Settings::default().config().unwrap()
    }
}

impl Redacted {
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl From<String> for Redacted {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl FromStr for Redacted {
    type Err = std::convert::Infallible;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("…")
    }
}

fn time_zone(name: &str) -> anyhow::Result<TimeZone> {
    TimeZone::get(name).with_context(|| format!("{name} is no time zone; one looks like Asia/Seoul"))
}

fn at_most<N: PartialOrd + fmt::Display>(name: &str, given: N, most: N) -> anyhow::Result<N> {
    anyhow::ensure!(given <= most, "{name}: {given} is too many; {most} are the most");
    Ok(given)
}

/// `6h`, `30m` or `2h 30m`; none for `off`.
fn interval(name: &str, given: Option<String>, usual: Option<&str>) -> anyhow::Result<Option<Duration>> {
    let given = given.filter(|text| !text.is_empty());
    let Some(text) = given.as_deref().or(usual).filter(|text| *text != "off") else { return Ok(None) };
    let refused =
        || format!("{name}: {text} is no time; one looks like 6h or 30m, from a second to ten years, or say off");
    let duration: SignedDuration = text.parse().with_context(refused)?;
    let duration = Duration::try_from(duration).with_context(refused)?;
    anyhow::ensure!((Duration::from_secs(1)..=LONGEST_INTERVAL).contains(&duration), refused());
    Ok(Some(duration))
}

fn recipients(given: Option<Vec<String>>) -> anyhow::Result<Vec<String>> {
    let keys: Vec<String> = given.unwrap_or_default().into_iter().filter(|key| !key.is_empty()).collect();
    for key in &keys {
        let is_key =
            key.starts_with("age1") && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        anyhow::ensure!(
            is_key,
            "backup_recipients: {key} is no public key of age; one looks like age1…, from age-keygen"
        );
    }
    Ok(keys)
}

fn origins(given: Option<Vec<String>>) -> anyhow::Result<Vec<Origin>> {
    given.unwrap_or_default().iter().filter(|origin| !origin.is_empty()).map(|origin| origin.trim().parse()).collect()
}

/// Scheme, host and perhaps a port: QR codes, links and cookies depend on it.
fn public_url(text: &str) -> anyhow::Result<String> {
    let refused = || format!("{text} is no public address; one looks like https://play.example.org");
    let url: Uri = text.parse().with_context(refused)?;
    let is_web = matches!(url.scheme_str(), Some("http" | "https")) && url.host().is_some_and(|host| !host.is_empty());
    let is_bare = url.path().trim_matches('/').is_empty() && url.query().is_none() && !text.contains(['@', '#']);
    anyhow::ensure!(is_web && is_bare, refused());
    Ok(text.trim_end_matches('/').to_owned())
}

fn tls(mode: Option<&str>, certificate: Option<PathBuf>, key: Option<PathBuf>) -> anyhow::Result<Option<Tls>> {
    let set = |path: Option<PathBuf>| path.filter(|path| !path.as_os_str().is_empty());
    match (mode.unwrap_or_default(), set(certificate), set(key)) {
        ("" | "off", None, None) => Ok(None),
        ("local", None, None) => Ok(Some(Tls::Local)),
        ("", Some(certificate), Some(key)) => Ok(Some(Tls::Own(Files { certificate, key }))),
        ("", Some(_), None) => anyhow::bail!("tls_cert needs tls_key beside it"),
        ("", None, Some(_)) => anyhow::bail!("tls_key needs tls_cert beside it"),
        ("local" | "off", ..) => anyhow::bail!("tls_cert and tls_key stand for themselves: take `tls` out"),
        (other, ..) => anyhow::bail!("tls: {other} is neither local nor off"),
    }
}

fn read(path: &Path) -> anyhow::Result<Settings> {
    let text = std::fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))?;
    toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_beats_the_file_and_the_file_beats_the_default() {
        let file: Settings = toml::from_str("bind = \"0.0.0.0:9\"\npool_size = 3\nrate_limits = \"off\"").unwrap();
        let flags = Settings { bind: Some("127.0.0.1:7".parse().unwrap()), ..Settings::default() };
        let config = flags.over(file).config().unwrap();
        assert_eq!(config.bind.port(), 7);
        assert_eq!(config.pool_size, 3);
        assert!(!config.rate_limits);
        assert_eq!(config.data, PathBuf::from("data"));
    }

    #[test]
    fn the_file_may_not_hold_what_nobody_reads() {
        assert!(toml::from_str::<Settings>("bnid = \"0.0.0.0:9\"").is_err());
    }

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        for good in ["https://play.example.org", "http://192.168.0.7:8080/", "https://[::1]:8443"] {
            assert_eq!(public_url(good).unwrap(), good.trim_end_matches('/'), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "play.example.org",
            "https://",
            "https://play.example.org/?x=1",
            "https://play.example.org/cafe",
            "ftp://play.example.org",
            "https://a@play.example.org",
            "https://play example.org",
        ] {
            assert!(public_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_public_address_on_this_machine_is_known() {
        let is_local =
            |url: &str| Config { public_url: Some(url.to_owned()), ..Config::for_tests() }.setup().is_public_url_local;
        assert!(["http://localhost:8080", "http://127.0.0.1", "http://[::1]:8080"].into_iter().all(is_local));
        assert!(!is_local("http://192.168.0.7") && !is_local("https://localhost.example.org"));
    }

    #[test]
    fn tls_has_one_certificate_with_its_key() {
        let config = |tls: &str, certificate: &str, key: &str| {
            let set = |text: &str| Some(text.to_owned());
            let (tls_cert, tls_key) = (set(certificate).map(PathBuf::from), set(key).map(PathBuf::from));
            Settings { tls: set(tls), tls_cert, tls_key, ..Settings::default() }.config()
        };
        let files = |certificate: &str, key: &str| Files { certificate: certificate.into(), key: key.into() };
        for off in ["", "off"] {
            let config = config(off, "", "").unwrap();
            assert!(config.tls.is_none() && config.certificate().is_none() && !config.is_secure(), "{off}");
        }
        let own = config("", "cert.pem", "key.pem").unwrap();
        assert_eq!(own.certificate(), Some(files("cert.pem", "key.pem")));
        assert!(own.is_secure() && own.scheme() == "https");
        let local = config("local", "", "").unwrap();
        assert_eq!(local.certificate(), Some(files("data/tls/server.pem", "data/tls/server.pem")));
        for (tls, certificate, key) in [
            ("", "cert.pem", ""),
            ("", "", "key.pem"),
            ("local", "cert.pem", "key.pem"),
            ("off", "cert.pem", ""),
            ("on", "", ""),
        ] {
            assert!(config(tls, certificate, key).is_err(), "{tls} {certificate} {key}");
        }
        let (tls, redirect_http) = (Some("local".to_owned()), "0.0.0.0:80".parse().ok());
        assert!(Settings { redirect_http, ..Settings::default() }.config().is_err());
        assert!(Settings { tls: tls.clone(), redirect_http, ..Settings::default() }.config().is_ok());
        let public_url = Some("http://play.example.org".to_owned());
        assert!(Settings { tls, public_url, ..Settings::default() }.config().is_err());
    }

    #[test]
    fn backups_are_taken_of_the_private_database_unless_told_otherwise() {
        let planned = |settings: Settings| {
            let plan = settings.config().unwrap().backups;
            (plan.every.map(|every| every.as_secs()), plan.test_every.map(|every| every.as_secs()), plan.dir)
        };
        let (text, backups) = (|text: &str| Some(text.to_owned()), PathBuf::from("data/backups"));
        let elsewhere = Settings { database_url: Some(Redacted("postgres://db/house".into())), ..Settings::default() };
        assert_eq!(planned(Settings::default()), (Some(21_600), Some(86_400), backups.clone()));
        assert_eq!(planned(elsewhere.clone()), (None, None, backups.clone()));
        let often = Settings { backup_every: text("1h 30m"), ..elsewhere };
        assert_eq!(planned(often.clone()), (Some(5400), None, backups.clone()));
        assert!(Settings { backup_test_every: text("1h"), ..often }.config().is_err());
        for wrong in ["AGE-SECRET-KEY-1QQ", "ssh-ed25519 AAAA", "--identity"] {
            let backup_recipients = Some(vec![wrong.to_owned()]);
            assert!(Settings { backup_recipients, ..Settings::default() }.config().is_err(), "{wrong}");
        }
        let none = Settings { backup_recipients: Some(vec![String::new()]), ..Settings::default() };
        assert!(none.config().unwrap().backups.recipients.is_empty());
        let off = Settings { backup_every: text("off"), ..Settings::default() };
        assert_eq!(planned(off), (None, None, backups));
        for wrong in ["0s", "-1h", "often", "6", "88000h", "99999999999h"] {
            assert!(Settings { backup_every: text(wrong), ..Settings::default() }.config().is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_that_no_server_can_keep_to_are_refused_by_name() {
        let of_workers = |n| Settings { workers: NonZeroUsize::new(n), ..Settings::default() };
        let of_pool = |n| Settings { pool_size: NonZeroUsize::new(n), ..Settings::default() };
        let of_waiting = |n| Settings { waiting_hours: NonZeroU32::new(n), ..Settings::default() };
        let of_running = |n| Settings { running_hours: NonZeroU32::new(n), ..Settings::default() };
        for (name, most, beyond) in [
            ("workers", of_workers(512), of_workers(513)),
            ("pool_size", of_pool(10_000), of_pool(usize::MAX)),
            ("waiting_hours", of_waiting(1_000_000), of_waiting(u32::MAX)),
            ("running_hours", of_running(1_000_000), of_running(1_000_001)),
        ] {
            assert!(most.config().is_ok(), "{name}");
            let refused = beyond.config().unwrap_err().to_string();
            assert!(refused.starts_with(&format!("{name}: ")), "{refused}");
        }
    }

    #[test]
    fn origins_and_apps_are_read_or_refused() {
        let list = |items: &[&str]| Some(items.iter().map(|item| (*item).to_owned()).collect::<Vec<_>>());
        let print = ["0a"; 32].join(":");
        let android = format!("org.example.play={print}");
        let right = Settings {
            allowed_origins: list(&["https://app.example.org", ""]),
            apple_apps: list(&["ABCDE12345.org.example.play"]),
            android_apps: list(&[&android]),
            ..Settings::default()
        };
        let config = right.config().unwrap();
        assert_eq!(config.allowed_origins.len(), 1);
        assert_eq!(config.app_links.android, [("org.example.play".to_owned(), print.to_ascii_uppercase())]);
        for wrong in [
            Settings { allowed_origins: list(&["*"]), ..Settings::default() },
            Settings { embedding_origins: list(&["https://a.b/c"]), ..Settings::default() },
            Settings { apple_apps: list(&["org.example.play"]), ..Settings::default() },
            Settings { android_apps: list(&["org.example.play=0a"]), ..Settings::default() },
        ] {
            assert!(wrong.config().is_err());
        }
    }

    #[test]
    fn a_log_filter_that_is_set_to_nothing_is_not_set() {
        let log = |log: &str| Settings { log: Some(log.to_owned()), ..Settings::default() }.config().unwrap().log;
        assert_eq!(log(""), Config::for_tests().log);
        assert_eq!(log("warn"), "warn");
    }

    #[test]
    fn an_owner_needs_both_halves() {
        let half = Settings { owner_email: Some("a@b.c".into()), ..Settings::default() };
        assert!(half.config().is_err());
    }

    #[test]
    fn secrets_do_not_show() {
        let hush = || Some(Redacted("hush".into()));
        let config = Config { secret: hush(), previous_secret: hush(), ..Config::for_tests() };
        assert!(!format!("{config:?}").contains("hush"));
    }
}
