//! The settings: flags first, then the environment, then `houserules.toml`, then what is sensible. Read once, at the start.

use std::fmt;
use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use jiff::tz::TimeZone;
use serde::Deserialize;

const DEFAULT_FILE: &str = "houserules.toml";

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

    /// Keep the private database, the secret and the lock here [default: ./data]
    #[arg(long, env = "HOUSERULES_DATA", value_name = "DIR", global = true)]
    pub data: Option<PathBuf>,

    /// Use this PostgreSQL instead of a private one, e.g. postgres://user:password@host/database
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true, global = true)]
    pub database_url: Option<Redacted>,

    /// Sign tokens with this (32 bytes at least) [default: made once and kept in the data directory]
    #[arg(long, env = "HOUSERULES_SECRET", value_name = "TEXT", hide_env_values = true, global = true)]
    pub secret: Option<Redacted>,

    /// The address that guests and staff use, where it is not the one listened on, such as `https://play.example.org`
    #[arg(long, env = "HOUSERULES_PUBLIC_URL", value_name = "URL", global = true)]
    pub public_url: Option<String>,

    /// The café's time zone, for the times on pages [default: Asia/Seoul]
    #[arg(long, env = "HOUSERULES_TIME_ZONE", value_name = "ZONE", global = true)]
    pub time_zone: Option<String>,

    /// On an empty database, make the first owner with this address …
    #[arg(long, env = "HOUSERULES_OWNER_EMAIL", value_name = "EMAIL", global = true)]
    pub owner_email: Option<String>,

    /// … and this password (8 characters at least)
    #[arg(long, env = "HOUSERULES_OWNER_PASSWORD", value_name = "TEXT", hide_env_values = true, global = true)]
    pub owner_password: Option<Redacted>,

    /// Threads that answer requests [default: one per processor]
    #[arg(long, env = "HOUSERULES_WORKERS", value_name = "N", global = true)]
    pub workers: Option<NonZeroUsize>,

    /// Connections to the database for requests; a few more serve the house [default: 16]
    #[arg(long, env = "HOUSERULES_POOL_SIZE", value_name = "N", global = true)]
    pub pool_size: Option<NonZeroUsize>,

    /// `off` lifts the limits on signing in and on making guests, for load tests [default: on]
    #[arg(long, env = "HOUSERULES_RATE_LIMITS", value_name = "on|off", global = true)]
    pub rate_limits: Option<Switch>,

    /// Sign-ins and registrations that one address may try in a minute [default: 20]
    #[arg(long, env = "HOUSERULES_SIGN_INS_PER_MINUTE", value_name = "N", global = true)]
    pub sign_ins_per_minute: Option<NonZeroU32>,

    /// Guests that one address may make in a minute; a whole café may share one address [default: 60]
    #[arg(long, env = "HOUSERULES_GUESTS_PER_MINUTE", value_name = "N", global = true)]
    pub guests_per_minute: Option<NonZeroU32>,

    /// `on` where a reverse proxy of yours sets X-Forwarded-For: callers are then told apart by it [default: off]
    #[arg(long, env = "HOUSERULES_BEHIND_PROXY", value_name = "on|off", global = true)]
    pub behind_proxy: Option<Switch>,

    /// Hours after which a match that nobody has started ends as expired [default: 24]
    #[arg(long, env = "HOUSERULES_WAITING_HOURS", value_name = "N", global = true)]
    pub waiting_hours: Option<NonZeroU32>,

    /// Hours after which a match in which nobody has moved ends as expired [default: 72]
    #[arg(long, env = "HOUSERULES_RUNNING_HOURS", value_name = "N", global = true)]
    pub running_hours: Option<NonZeroU32>,

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
    pub data: PathBuf,
    pub database_url: Option<Redacted>,
    pub secret: Option<Redacted>,
    pub public_url: Option<String>,
    pub time_zone: TimeZone,
    pub owner: Option<(String, Redacted)>,
    pub workers: usize,
    pub pool_size: usize,
    pub rate_limits: bool,
    pub sign_ins_per_minute: NonZeroU32,
    pub guests_per_minute: NonZeroU32,
    pub behind_proxy: bool,
    pub waiting_hours: u32,
    pub running_hours: u32,
    pub log: String,
    pub log_format: LogFormat,
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
        Self {
            config: self.config,
            bind: self.bind.or(file.bind),
            data: self.data.or(file.data),
            database_url: self.database_url.or(file.database_url),
            secret: self.secret.or(file.secret),
            public_url: self.public_url.or(file.public_url),
            time_zone: self.time_zone.or(file.time_zone),
            owner_email: self.owner_email.or(file.owner_email),
            owner_password: self.owner_password.or(file.owner_password),
            workers: self.workers.or(file.workers),
            pool_size: self.pool_size.or(file.pool_size),
            rate_limits: self.rate_limits.or(file.rate_limits),
            sign_ins_per_minute: self.sign_ins_per_minute.or(file.sign_ins_per_minute),
            guests_per_minute: self.guests_per_minute.or(file.guests_per_minute),
            behind_proxy: self.behind_proxy.or(file.behind_proxy),
            waiting_hours: self.waiting_hours.or(file.waiting_hours),
            running_hours: self.running_hours.or(file.running_hours),
            log: self.log.or(file.log),
            log_format: self.log_format.or(file.log_format),
        }
    }

    fn config(self) -> anyhow::Result<Config> {
        const TWENTY: NonZeroU32 = NonZeroU32::new(20).expect("is not zero");
        const SIXTY: NonZeroU32 = NonZeroU32::new(60).expect("is not zero");
        let processors = std::thread::available_parallelism().map_or(2, NonZeroUsize::get);
        // A variable that is set to nothing, as compose files do, is not set.
        let email = self.owner_email.filter(|email| !email.is_empty());
        let password = self.owner_password.filter(|password| !password.0.is_empty());
        let owner = match (email, password) {
            (Some(email), Some(password)) => Some((email, password)),
            (None, None) => None,
            (Some(_), None) => anyhow::bail!("HOUSERULES_OWNER_EMAIL needs HOUSERULES_OWNER_PASSWORD beside it"),
            (None, Some(_)) => anyhow::bail!("HOUSERULES_OWNER_PASSWORD needs HOUSERULES_OWNER_EMAIL beside it"),
        };
        Ok(Config {
            bind: self.bind.unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            data: self.data.unwrap_or_else(|| PathBuf::from("data")),
            database_url: self.database_url.filter(|url| !url.0.is_empty()),
            secret: self.secret.filter(|secret| !secret.0.is_empty()),
            time_zone: time_zone(self.time_zone.as_deref().unwrap_or("Asia/Seoul"))?,
            public_url: self.public_url.filter(|url| !url.is_empty()).map(|url| url.trim_end_matches('/').to_owned()),
            owner,
            workers: self.workers.map_or(processors, NonZeroUsize::get),
            pool_size: self.pool_size.map_or(16, NonZeroUsize::get),
            rate_limits: self.rate_limits != Some(Switch::Off),
            sign_ins_per_minute: self.sign_ins_per_minute.unwrap_or(TWENTY),
            guests_per_minute: self.guests_per_minute.unwrap_or(SIXTY),
            behind_proxy: self.behind_proxy == Some(Switch::On),
            waiting_hours: self.waiting_hours.map_or(24, NonZeroU32::get),
            running_hours: self.running_hours.map_or(72, NonZeroU32::get),
            log: self.log.unwrap_or_else(|| "info,actix_server=warn".to_owned()),
            log_format: self.log_format.unwrap_or_default(),
        })
    }
}

impl Config {
    /// Whether browsers come by https, so that cookies may insist on it.
    pub fn is_secure(&self) -> bool {
        self.public_url.as_ref().is_some_and(|url| url.starts_with("https://"))
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

impl std::str::FromStr for Redacted {
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
    fn an_owner_needs_both_halves() {
        let half = Settings { owner_email: Some("a@b.c".into()), ..Settings::default() };
        assert!(half.config().is_err());
    }

    #[test]
    fn secrets_do_not_show() {
        let config = Config { secret: Some(Redacted("hush".into())), ..Config::for_tests() };
        assert!(!format!("{config:?}").contains("hush"));
    }
}
