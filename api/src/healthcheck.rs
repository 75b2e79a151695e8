//! Asks the server on this machine whether it is ready: for container engines and service managers, whose images need no other
//! program for it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme, StreamOwned};

const PATIENCE: Duration = Duration::from_secs(4);

/// Whether `/readyz` answers well at the address that the server listens on.
pub(crate) fn ask(bind: SocketAddr) -> anyhow::Result<()> {
    read_status(connect(bind)?)
}

/// The same where it listens for https.
pub(crate) fn ask_over_tls(bind: SocketAddr) -> anyhow::Result<()> {
    let provider = Arc::new(ring::default_provider());
    let verifier = Arc::new(Anybody(provider.clone()));
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let config = config.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    let name = ServerName::IpAddress(reachable(bind).ip().into());
    let client = ClientConnection::new(Arc::new(config), name)?;
    read_status(StreamOwned::new(client, connect(bind)?))
}

fn connect(bind: SocketAddr) -> anyhow::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&reachable(bind), PATIENCE).context("the server does not listen")?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    Ok(stream)
}

fn read_status(mut stream: impl Read + Write) -> anyhow::Result<()> {
    let sent = stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    sent.context("the server does not take the question")?;
    let mut status = String::new();
    BufReader::new(stream.take(64 * 1024)).read_line(&mut status).context("the server does not answer")?;
    match status.split(' ').nth(1) {
        Some("200") => Ok(()),
        _ => bail!("the server is not ready: {}", status.trim_end()),
    }
}

/// A server on every address is asked at the loopback one.
fn reachable(bind: SocketAddr) -> SocketAddr {
    let ip = match bind.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    SocketAddr::new(ip, bind.port())
}

/// Takes any certificate: the server's is for the names that guests use, and nothing secret is asked or told.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
