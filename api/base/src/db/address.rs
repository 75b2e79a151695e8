//! Where the database is, and how to get there: in the clear, or encrypted to a server that proves who it is.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use percent_encoding::percent_decode_str;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::connect::limit;
use super::sessions::NO_SESSIONS;
use crate::certificates;

/// A connection that must be driven.
pub(crate) type Driven = Connection<Socket, <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream>;

/// The database's address, understood: every connection goes by it.
#[derive(Clone)]
pub struct Address {
    config: Config,
    tls: MakeRustlsConnect,
    /// The file of `sslrootcert`, where the machine's own certificates are not to be trusted.
    root: Option<PathBuf>,
    /// PostgreSQL's own address, where this one may lead to a pooler.
    direct: Option<Arc<Address>>,
}

/// What tokio-postgres does not know of an address: it has no words for verifying.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ssl {
    mode: Option<String>,
    root: Option<String>,
}

impl Address {
    /// Understands a URL or `key=value` pairs, as PostgreSQL's own programs do.
    ///
    /// # Errors
    /// When it is no address, when it leaves open whether passwords may travel in the clear, or when there is no certificate to
    /// check the server's with.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let (rest, ssl) = take_ssl(text);
        let mut config: Config =
            rest.parse().map_err(|err| anyhow::anyhow!("the database's address: {}", in_full(&err)))?;
        limit(&mut config);
        let encrypted = is_encrypted(&config, &ssl)?;
        config.ssl_mode(if encrypted { SslMode::Require } else { SslMode::Disable });
        let root = ssl.root.filter(|root| encrypted && root != "system").map(std::path::absolute).transpose()?;
        let roots = match &root {
            _ if !encrypted => RootCertStore::empty(),
            Some(file) => roots_in(file)?,
            None => roots_of_machine()?,
        };
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { config, tls: MakeRustlsConnect::new(tls), root, direct: None })
    }

    /// The same, of a pooler before the PostgreSQL at the other address. A pooler lends its connections to many: what one client
    /// sets, locks or listens to there is another's a moment later.
    #[must_use]
    pub fn before(self, direct: Address) -> Self {
        Self { direct: Some(Arc::new(direct)), ..self }
    }

    /// PostgreSQL's own address, where a session is its client's for as long as the connection lasts.
    pub fn direct(&self) -> &Address {
        self.direct.as_deref().unwrap_or(self)
    }

    /// Whether it may lead to a pooler.
    pub(super) fn may_be_pooler(&self) -> bool {
        self.direct.is_some()
    }

    /// For a client that is not ours. Its session begins with these settings, written as `-c name=value`, if it is with PostgreSQL
    /// itself: to a pooler nobody sends any.
    pub fn parts(&self, settings: &str) -> (Config, MakeRustlsConnect) {
        let mut config = self.config.clone();
        if !settings.is_empty() && !self.may_be_pooler() {
            // The last one wins.
            config.options([config.get_options().unwrap_or_default(), settings].join(" ").trim_start());
        }
        (config, self.tls.clone())
    }

    /// `sslmode` and `sslrootcert` for PostgreSQL's own programs, which look nowhere by themselves.
    pub fn ssl(&self) -> (&'static str, Option<PathBuf>) {
        match self.config.get_ssl_mode() {
            SslMode::Require => ("verify-full", self.root.clone().or_else(|| openssl_probe::probe().cert_file)),
            _ => ("disable", None),
        }
    }

    /// Whether nothing that is sent to it leaves this machine.
    pub fn is_local(&self) -> bool {
        is_local(&self.config) && is_local(&self.direct().config)
    }

    /// A connection without diesel, with settings as for [`Self::parts`]. The refusal is in words.
    pub(crate) async fn connect(&self, settings: &str) -> Result<(Client, Driven), String> {
        let (config, tls) = self.parts(settings);
        config.connect(tls).await.map_err(|err| explain(&err))
    }
}

/// Why there is no connection; and what to write, where encryption is the reason.
pub fn explain(err: &Error) -> String {
    let reason = in_full(err);
    // What PgBouncer says to settings in the first packet.
    if reason.contains("unsupported startup parameter") {
        return format!("{reason}. {NO_SESSIONS}");
    }
    // The error has no other way of telling.
    if !err.to_string().contains("TLS handshake") {
        return reason;
    }
    format!(
        "no encrypted connection to the database: {reason}. If its certificate is from an authority of your own, name that \
         authority's certificate with sslrootcert=FILE in the database's address; if nobody can listen in on the way, write \
         sslmode=disable there"
    )
}

fn in_full(err: &dyn std::error::Error) -> String {
    let mut reason = err.to_string();
    let mut source = err.source();
    while let Some(cause) = source {
        reason = format!("{reason}: {cause}");
        source = cause.source();
    }
    reason
}

/// What `require` and `verify-ca` leave unchecked is what somebody on the way needs, so both mean `verify-full` here.
fn is_encrypted(config: &Config, ssl: &Ssl) -> anyhow::Result<bool> {
    let is_socket = |host: &Host| matches!(host, Host::Unix(_));
    // PostgreSQL encrypts nothing there.
    let only_sockets = !config.get_hosts().is_empty() && config.get_hosts().iter().all(is_socket);
    if only_sockets && config.get_hostaddrs().is_empty() {
        return Ok(false);
    }
    match ssl.mode.as_deref() {
        Some("disable") => Ok(false),
        Some("require" | "verify-ca" | "verify-full") => Ok(true),
        None if ssl.root.is_some() => Ok(true),
        None => Ok(!is_local(config)),
        Some("allow" | "prefer") if is_local(config) => Ok(false),
        Some(mode @ ("allow" | "prefer")) => bail!(
            "sslmode={mode} in the database's address would send everything in the clear to another machine if that \
             is all it offers: write sslmode=verify-full, or sslmode=disable if nobody can listen in on the way"
        ),
        Some(mode) => {
            bail!("sslmode={mode} in the database's address is unknown: write sslmode=verify-full or sslmode=disable")
        }
    }
}

/// Whether nothing leaves this machine.
fn is_local(config: &Config) -> bool {
    let is_loopback = |address: &IpAddr| address.to_canonical().is_loopback();
    match config.get_hostaddrs() {
        [] => config.get_hosts().iter().all(|host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => name == "localhost" || name.parse().is_ok_and(|address| is_loopback(&address)),
        }),
        addresses => addresses.iter().all(is_loopback),
    }
}

fn roots_in(file: &Path) -> anyhow::Result<RootCertStore> {
    let read = || format!("sslrootcert in the database's address: {} holds no certificate", file.display());
    let certificates = CertificateDer::pem_file_iter(file).with_context(read)?;
    let mut roots = RootCertStore::empty();
    for certificate in certificates {
        roots.add(certificate.with_context(read)?).with_context(read)?;
    }
    ensure!(!roots.is_empty(), read());
    Ok(roots)
}

fn roots_of_machine() -> anyhow::Result<RootCertStore> {
    let roots = certificates::roots_of_machine();
    ensure!(
        !roots.is_empty(),
        "the connection to the database is to be encrypted, and this machine trusts no authority (on Debian: apt-get \
         install ca-certificates): name one with sslrootcert=FILE in the database's address, or write sslmode=disable \
         there if nobody can listen in on the way"
    );
    Ok(roots)
}

/// The address without these two, and these two. What is no address stays as it is: tokio-postgres says what is wrong.
fn take_ssl(text: &str) -> (String, Ssl) {
    if text.starts_with("postgres://") || text.starts_with("postgresql://") {
        take_from_url(text)
    } else {
        take_from_pairs(text)
    }
}

fn take_from_url(url: &str) -> (String, Ssl) {
    let mut ssl = Ssl::default();
    // A password may hold a question mark.
    let place = url.find('@').unwrap_or(0);
    let Some(start) = url[place..].find('?').map(|at| place + at) else { return (url.to_owned(), ssl) };
    let decoded = |text| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let kept = url[start + 1..].split('&').filter(|parameter| {
        let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        !ssl.takes(&decoded(key), decoded(value))
    });
    let kept: Vec<_> = kept.collect();
    let mark = if kept.is_empty() { "" } else { "?" };
    (format!("{}{mark}{}", &url[..start], kept.join("&")), ssl)
}

fn take_from_pairs(text: &str) -> (String, Ssl) {
    let (mut ssl, mut kept, mut rest) = (Ssl::default(), String::new(), text.trim_start());
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let (value, length) = value_at_start(after);
        if !ssl.takes(key.trim_end(), value) {
            kept.push_str(&rest[..rest.len() - after.len() + length]);
            kept.push(' ');
        }
        rest = after[length..].trim_start();
    }
    (kept + rest, ssl)
}

/// A value, which may be in quotes, and how long it is as it is written.
fn value_at_start(text: &str) -> (String, usize) {
    let is_quoted = text.starts_with('\'');
    let mut value = String::new();
    let mut characters = text.char_indices().skip(usize::from(is_quoted));
    while let Some((at, character)) = characters.next() {
        match character {
            '\'' if is_quoted => return (value, at + 1),
            space if !is_quoted && space.is_whitespace() => return (value, at),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, text.len())
}

impl Ssl {
    fn takes(&mut self, key: &str, value: String) -> bool {
        match key {
            "sslmode" => self.mode = Some(value),
            "sslrootcert" => self.root = Some(value),
            _ => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encrypted(text: &str) -> anyhow::Result<bool> {
        let (rest, ssl) = take_ssl(text);
        is_encrypted(&rest.parse()?, &ssl)
    }

    #[test]
    fn another_machine_is_spoken_to_in_the_clear_only_if_the_address_says_so() {
        for there in
            ["db", "192.0.2.7", "[2001:db8::1]", "localhost,db", "localhost.example.org", "127.0.0.1.example.org"]
        {
            assert!(encrypted(&format!("postgres://app:secret@{there}/house")).unwrap(), "{there}");
            assert!(!encrypted(&format!("postgres://app@{there}/house?sslmode=disable")).unwrap(), "{there}");
            for mode in ["require", "verify-ca", "verify-full"] {
                assert!(encrypted(&format!("postgres://app@{there}/house?sslmode={mode}")).unwrap(), "{there} {mode}");
            }
            for mode in ["prefer", "allow", "off"] {
                let refused =
                    encrypted(&format!("postgres://app@{there}/house?sslmode={mode}")).unwrap_err().to_string();
                assert!(refused.contains("sslmode=verify-full") && refused.contains("sslmode=disable"), "{refused}");
            }
        }
        assert!(encrypted("host=db user=app dbname=house").unwrap());
        assert!(!encrypted("host=db user=app sslmode=disable").unwrap());
        // Where the name leads is what counts.
        assert!(encrypted("host=localhost hostaddr=192.0.2.7 user=app").unwrap());
        assert!(!encrypted("host=db hostaddr=127.0.0.1 user=app").unwrap());
    }

    #[test]
    fn this_machine_is_spoken_to_in_the_clear_unless_the_address_says_otherwise() {
        for here in
            ["localhost", "127.0.0.1", "127.8.0.1:5433", "[::1]", "[::ffff:127.0.0.1]", "%2Fvar%2Frun%2Fpostgresql"]
        {
            for mode in ["", "?sslmode=prefer", "?sslmode=disable", "?connect_timeout=5"] {
                assert!(!encrypted(&format!("postgres://app@{here}/house{mode}")).unwrap(), "{here} {mode}");
            }
        }
        assert!(encrypted("postgres://app@localhost/house?sslmode=verify-full").unwrap());
        assert!(encrypted("postgres://app@localhost/house?sslrootcert=/etc/root.pem").unwrap());
        assert!(encrypted("hostaddr=127.0.0.1 user=app sslmode=verify-full").unwrap());
        assert!(!encrypted("host=/var/run/postgresql user=app sslmode=verify-full").unwrap());
    }

    #[test]
    fn what_tokio_postgres_does_not_know_is_taken_out_of_an_address() {
        let ssl = |mode: &str, root: &str| Ssl { mode: Some(mode.to_owned()), root: Some(root.to_owned()) };
        for (text, rest, taken) in [
            (
                "postgres://app:a?b=c@db/house?connect_timeout=5&sslmode=verify-full&sslrootcert=%2Fa%20b.pem&options=-c%20x",
                "postgres://app:a?b=c@db/house?connect_timeout=5&options=-c%20x",
                ssl("verify-full", "/a b.pem"),
            ),
            ("postgresql://db/house?sslmode=disable&sslrootcert=r", "postgresql://db/house", ssl("disable", "r")),
            (
                r"host=db sslmode = verify-full password='a sslmode=disable \' b' sslrootcert='/a b.pem' user=app",
                r"host=db password='a sslmode=disable \' b' user=app ",
                ssl("verify-full", "/a b.pem"),
            ),
            ("postgres://app:p@db", "postgres://app:p@db", Ssl::default()),
            ("no address", "no address", Ssl::default()),
        ] {
            assert_eq!(take_ssl(text), (rest.to_owned(), taken), "{text}");
        }
    }

    #[test]
    fn a_file_without_a_certificate_is_named() {
        let address = "postgres://app:hush@db/house?sslrootcert=/nowhere/root.pem";
        let refused = format!("{:#}", Address::parse(address).err().unwrap());
        assert!(refused.contains("/nowhere/root.pem") && !refused.contains("hush"), "{refused}");
    }
}
