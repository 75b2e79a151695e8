//! A service elsewhere that the server asks or tells something: a small HTTP server in the test's own process.

use std::collections::HashMap;

use reqwest::Url;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// One that listens on a port of its own until it is dropped or stopped.
pub struct Service {
    url: String,
    listening: JoinHandle<()>,
}

/// What it was asked.
#[derive(Clone, Debug)]
pub struct Request {
    /// GET, POST …
    pub method: String,
    /// Without the query.
    pub path: String,
    /// What stands in the query.
    pub query: HashMap<String, String>,
    /// By names in small letters.
    pub headers: HashMap<String, String>,
    /// As it came.
    pub body: String,
}

/// What it answers.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Its status.
    pub status: u16,
    /// Its headers but for those about the connection.
    pub headers: Vec<(&'static str, String)>,
    /// Its body.
    pub body: String,
}

impl Service {
    /// One that answers so.
    ///
    /// # Panics
    /// When no port is free.
    pub async fn start(answer: impl FnMut(&Request) -> Reply + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
        let url = format!("http://{}", listener.local_addr().expect("it listens"));
        Service { url, listening: tokio::spawn(serve(listener, answer)) }
    }

    /// Its address, without a path.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// From now on nobody listens there.
    pub async fn stop(&mut self) {
        self.listening.abort();
        let ended = (&mut self.listening).await;
        assert!(ended.is_err_and(|it| it.is_cancelled()), "it listened until now");
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

async fn serve(listener: TcpListener, mut answer: impl FnMut(&Request) -> Reply) {
    while let Ok((mut stream, _)) = listener.accept().await {
        let Some(request) = Request::read(&mut stream).await else { continue };
        // Who asked may have gone.
        let _ = stream.write_all(answer(&request).head_and_body().as_bytes()).await;
    }
}

impl Request {
    async fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        loop {
            if let Some(whole) = Self::parse(&String::from_utf8_lossy(&bytes)) {
                return Some(whole);
            }
            let mut chunk = [0; 4096];
            match stream.read(&mut chunk).await {
                Ok(count) if count > 0 => bytes.extend_from_slice(&chunk[..count]),
                _ => return None,
            }
        }
    }

    /// None as long as some of it is missing.
    fn parse(text: &str) -> Option<Self> {
        let (head, body) = text.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let mut first = lines.next()?.split(' ');
        let (method, target) = (first.next()?, first.next()?);
        let header =
            |line: &str| line.split_once(": ").map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()));
        let headers: HashMap<_, _> = lines.filter_map(header).collect();
        let length = headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        (body.len() >= length).then(|| Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: pairs(query),
            headers,
            body: body.to_owned(),
        })
    }

    /// The fields of a form that was sent.
    pub fn form(&self) -> HashMap<String, String> {
        pairs(&self.body)
    }
}

fn pairs(query: &str) -> HashMap<String, String> {
    let url = Url::parse(&format!("http://localhost/?{query}")).expect("it is an address");
    url.query_pairs().into_owned().collect()
}

impl Reply {
    /// Nothing but a status.
    pub fn empty(status: u16) -> Self {
        Reply { status, headers: Vec::new(), body: String::new() }
    }

    /// Some JSON.
    pub fn json(status: u16, body: &serde_json::Value) -> Self {
        Reply { status, headers: vec![("content-type", "application/json".to_owned())], body: body.to_string() }
    }

    fn head_and_body(&self) -> String {
        let headers: String = self.headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let (status, body) = (self.status, &self.body);
        let length = body.len();
        format!("HTTP/1.1 {status} x\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
    }
}
