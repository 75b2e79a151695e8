//! Asks the server on this machine whether it is ready: for container engines and service managers, whose images need no other
//! program for it.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use anyhow::{Context, bail};

const PATIENCE: Duration = Duration::from_secs(4);

/// Whether `/readyz` answers well at the address that the server listens on.
pub(crate) fn ask(bind: SocketAddr) -> anyhow::Result<()> {
    let mut stream = TcpStream::connect_timeout(&reachable(bind), PATIENCE).context("the server does not listen")?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.take(64 * 1024).read_to_string(&mut answer).context("the server does not answer")?;
    let status = answer.lines().next().unwrap_or_default();
    match status.split(' ').nth(1) {
        Some("200") => Ok(()),
        _ => bail!("the server is not ready: {status}"),
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
