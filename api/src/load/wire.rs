//! One connection to the server that does only what a request needs: the client's own work would distort what is measured.

use std::time::Duration;

use anyhow::{Context, bail, ensure};
use http_body_util::{BodyExt, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use serde::de::DeserializeOwned;
use tokio::net::TcpStream;
use tokio::time::timeout;

const PATIENCE: Duration = Duration::from_secs(30);

/// Connects when something is to be sent, and again once the server has closed the connection.
pub(super) struct Wire {
    server: Server,
    sender: Option<SendRequest<Full<Bytes>>>,
}

/// Where a server is.
#[derive(Clone)]
pub(super) struct Server {
    /// As in 127.0.0.1:8080
    authority: String,
    /// What comes before every path.
    base: String,
}

impl Server {
    pub(super) fn at(url: &str) -> anyhow::Result<Self> {
        let uri: Uri = url.parse().with_context(|| format!("{url:?} is no address"))?;
        let Some(authority) = uri.authority() else { bail!("{url:?} names no server") };
        ensure!(uri.scheme_str() == Some("http"), "only http is spoken here, not as in {url:?}");
        let authority = format!("{}:{}", authority.host(), authority.port_u16().unwrap_or(80));
        Ok(Self { authority, base: format!("{}/api/v1", uri.path().trim_end_matches('/')) })
    }
}

impl Wire {
    pub(super) fn to(server: Server) -> Self {
        Self { server, sender: None }
    }

    /// What the server answers, if it does what it was asked for.
    pub(super) async fn send<T: DeserializeOwned>(
        &mut self,
        method: Method,
        path: &str,
        bearer: Option<&str>,
        body: String,
    ) -> anyhow::Result<T> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.server.base));
        request = request.header(HOST, &self.server.authority);
        if let Some(token) = bearer {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if !body.is_empty() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        let request = request.body(Full::new(body.into()))?;
        let (status, bytes) = timeout(PATIENCE, self.exchange(request)).await??;
        ensure!(
            matches!(status, StatusCode::OK | StatusCode::CREATED),
            "{path}: {status} {}",
            String::from_utf8_lossy(&bytes)
        );
        Ok(serde_json::from_slice(&bytes)?)
    }

    async fn exchange(&mut self, request: Request<Full<Bytes>>) -> anyhow::Result<(StatusCode, Bytes)> {
        // Taken for as long as an answer is due, so that a connection which broke off half way is not used again.
        let mut sender = match self.sender.take() {
            Some(sender) if !sender.is_closed() => sender,
            _ => self.connect().await?,
        };
        sender.ready().await?;
        let answer = sender.send_request(request).await?;
        let status = answer.status();
        let bytes = answer.into_body().collect().await?.to_bytes();
        self.sender = Some(sender);
        Ok((status, bytes))
    }

    async fn connect(&self) -> anyhow::Result<SendRequest<Full<Bytes>>> {
        let stream = TcpStream::connect(&self.server.authority).await?;
        stream.set_nodelay(true)?;
        let (sender, connection) = handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        Ok(sender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_where_the_server_is() {
        let at =
            |url: &str| Server::at(url).map(|server| (server.authority, server.base)).map_err(|err| err.to_string());
        assert_eq!(at("http://127.0.0.1:8080"), Ok(("127.0.0.1:8080".into(), "/api/v1".into())));
        assert_eq!(at("http://[::1]:8080/"), Ok(("[::1]:8080".into(), "/api/v1".into())));
        assert_eq!(at("http://cafe.example/house/"), Ok(("cafe.example:80".into(), "/house/api/v1".into())));
        assert!(at("https://cafe.example").is_err() && at("cafe.example").is_err() && at("http://").is_err());
    }
}
