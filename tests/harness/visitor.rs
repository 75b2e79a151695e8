//! Somebody who speaks HTTP to the service: anybody, a player or staff.

use std::net::Ipv4Addr;
use std::time::Duration;

use reqwest::header::{HeaderMap, HeaderValue};
use reqwest::{Certificate, Client, ClientBuilder, Method, RequestBuilder, Response, Url};
use serde_json::Value;

use crate::document;
use crate::wait::PATIENCE;

/// Somebody who speaks HTTP to one process of the service.
#[derive(Clone)]
pub struct Visitor {
    http: Client,
    url: String,
    token: Option<String>,
    /// What signing in gave.
    pub signed_in: Value,
}

impl Visitor {
    /// Somebody who has not signed in.
    pub fn new(url: &str) -> Self {
        Self::with(client(), url)
    }

    /// Somebody who trusts the authority of this certificate and no other, and finds every name on this machine.
    pub fn trusting(authority: &str, url: &str) -> Self {
        let root = Certificate::from_pem(authority.as_bytes()).expect("it is a certificate");
        let parsed = Url::parse(url).expect("it is an address");
        let name = parsed.host_str().expect("it has a host");
        Self::with(client().add_root_certificate(root).resolve(name, (Ipv4Addr::LOCALHOST, 0).into()), url)
    }

    fn with(http: ClientBuilder, url: &str) -> Self {
        let http = http.build().expect("a client needs nothing");
        Visitor { http, url: url.into(), token: None, signed_in: Value::Null }
    }

    /// The same person at another process.
    pub fn at(&self, url: &str) -> Self {
        Visitor { url: url.into(), ..self.clone() }
    }

    /// The same person with another token, or none.
    pub fn bearing(&self, token: Option<&str>) -> Self {
        Visitor { token: token.map(Into::into), ..self.clone() }
    }

    /// Signs in through this endpoint.
    pub async fn sign_in(&self, path: &str, body: Value, status: u16) -> Self {
        let signed_in = self.post(path, body).await.is(status);
        let token = signed_in["access_token"].as_str().expect("signing in gives a token").to_owned();
        Visitor { token: Some(token), signed_in, ..self.clone() }
    }

    /// Their id.
    pub fn id(&self) -> &str {
        self.signed_in["player"]["id"].as_str().expect("they have signed in")
    }

    /// Their name.
    pub fn name(&self) -> &str {
        self.signed_in["player"]["display_name"].as_str().expect("they have signed in")
    }

    /// Their access token.
    pub fn token(&self) -> &str {
        self.token.as_deref().expect("they have signed in")
    }

    /// A request of the JSON API.
    pub fn api(&self, method: Method, path: &str) -> RequestBuilder {
        self.page(method, &format!("/api/v1{path}"))
    }

    /// A request of anything.
    pub fn page(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    /// GET of the JSON API.
    pub async fn get(&self, path: &str) -> Answer {
        Answer::of(self.api(Method::GET, path)).await
    }

    /// POST of the JSON API.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        Answer::of(self.api(Method::POST, path).json(&body)).await
    }

    /// PATCH of the JSON API.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        Answer::of(self.api(Method::PATCH, path).json(&body)).await
    }

    /// PUT of the JSON API.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        Answer::of(self.api(Method::PUT, path).json(&body)).await
    }

    /// DELETE of the JSON API.
    pub async fn delete(&self, path: &str) -> Answer {
        Answer::of(self.api(Method::DELETE, path)).await
    }

    /// GET of a page, as an English browser asks for it.
    pub async fn open(&self, path: &str) -> Answer {
        Answer::of(as_browser(self.page(Method::GET, path))).await
    }

    /// POST of a form that stands on this page, with its hidden token.
    pub async fn submit(&self, page: &Answer, action: &str, fields: &[(&str, &str)]) -> Answer {
        Answer::of(self.form(page, action, fields)).await
    }

    /// The same for a form that says what it was made from: only these fields were changed in it.
    pub async fn edit(&self, page: &Answer, action: &str, changed: &[(&str, &str)]) -> Answer {
        let seen = page.seen(action);
        let marked: Vec<_> = seen.iter().map(|(name, value)| (format!("seen.{name}"), value)).collect();
        let kept = seen.iter().filter(|(name, _)| !changed.iter().any(|(it, _)| *it == name.as_str()));
        let mut fields: Vec<(&str, &str)> = kept.map(|(name, value)| (name.as_str(), value.as_str())).collect();
        fields.extend(marked.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        fields.extend(changed);
        self.submit(page, action, &fields).await
    }

    /// The same, still to be sent.
    pub fn form(&self, page: &Answer, action: &str, fields: &[(&str, &str)]) -> RequestBuilder {
        let token = page.token();
        let fields: Vec<_> = [("csrf", token.as_str())].iter().chain(fields).copied().collect();
        // By which browsers tell that the form is the site's own.
        let request = as_browser(self.page(Method::POST, action)).header("origin", &self.url);
        request.header("sec-fetch-site", "same-origin").form(&fields)
    }

    /// Signs in at the staff's page.
    pub async fn sign_in_at_page(&self, (email, password): (&str, &str)) -> Answer {
        let page = self.open("/admin/sign-in").await;
        self.submit(&page, "/admin/sign-in", &[("email", email), ("password", password), ("next", "/admin")]).await
    }

    /// GET of anything.
    pub async fn get_page(&self, path: &str) -> Answer {
        Answer::of(self.page(Method::GET, path)).await
    }

    /// POST of these bytes as JSON, whatever they are.
    pub async fn post_bytes(&self, path: &str, bytes: impl Into<Vec<u8>>) -> Answer {
        Answer::of(self.api(Method::POST, path).header("content-type", "application/json").body(bytes.into())).await
    }

    /// Opens a stream of server-sent events; `last` is the id of the last one heard.
    pub async fn listen(&self, path: &str, last: Option<&str>) -> Stream {
        self.listen_to(&format!("/api/v1{path}"), last).await
    }

    /// Opens a stream of anything.
    pub async fn listen_to(&self, path: &str, last: Option<&str>) -> Stream {
        let response = self.stream(path, last).send().await.unwrap_or_else(|err| panic!("{path}: {err}"));
        assert_eq!(response.status().as_u16(), 200, "{path}");
        Stream { response, rest: String::new() }
    }

    /// The same of the JSON API, if the service is there and has more to tell.
    ///
    /// # Panics
    /// When it answers anything else.
    pub async fn try_listen(&self, path: &str, last: Option<&str>) -> Option<Stream> {
        let response = self.stream(&format!("/api/v1{path}"), last).send().await.ok()?;
        let status = response.status().as_u16();
        assert!([200, 204, 503].contains(&status), "{path}: {status}");
        (status == 200).then(|| Stream { response, rest: String::new() })
    }

    fn stream(&self, path: &str, last: Option<&str>) -> RequestBuilder {
        let request = self.page(Method::GET, path).header("accept", "text/event-stream");
        match last {
            Some(last) => request.header("last-event-id", last),
            None => request,
        }
    }
}

fn client() -> ClientBuilder {
    Client::builder()
        .timeout(PATIENCE + Duration::from_secs(5))
        // Sooner than the server lets go of a connection that nobody uses, so that none is used as it goes.
        .pool_idle_timeout(Duration::from_secs(2))
        .redirect(reqwest::redirect::Policy::none())
        .cookie_store(true)
        .no_proxy()
}

fn as_browser(request: RequestBuilder) -> RequestBuilder {
    request.header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8").header("accept-language", "en")
}

/// What the service answered.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap<HeaderValue>,
    /// Its body.
    pub body: Vec<u8>,
    url: String,
}

impl Answer {
    /// To this request.
    ///
    /// # Panics
    /// When the server does not answer.
    pub async fn of(request: RequestBuilder) -> Self {
        Self::sent(request).await.unwrap_or_else(|err| panic!("no answer: {err:?}"))
    }

    /// To this request, if there is one.
    pub async fn try_of(request: RequestBuilder) -> Option<Self> {
        Self::sent(request).await.ok()
    }

    async fn sent(request: RequestBuilder) -> reqwest::Result<Self> {
        let (http, request) = request.build_split();
        let request = request?;
        let (method, path) = (request.method().to_string(), request.url().path().to_owned());
        let response = http.execute(request).await?;
        let (status, headers, url) =
            (response.status().as_u16(), response.headers().clone(), response.url().to_string());
        let body = response.bytes().await?.to_vec();
        let answer = Answer { status, headers, body, url };
        if answer.header("content-type") == "application/problem+json" {
            document::expect_refusal(&method, &path, &answer.json());
        }
        let is_page = answer.header("content-type").starts_with("text/html");
        if method == "GET" && matches!(status, 200 | 304) && !is_page {
            document::expect_tag(&path, !answer.header("etag").is_empty());
        }
        Ok(answer)
    }

    /// The JSON of an answer that must have this status; null if it has no body.
    ///
    /// # Panics
    /// When it has another.
    #[track_caller]
    pub fn is(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}: {}", self.url, self.text());
        if status == 201 {
            assert!(self.header("location").starts_with("/api/v1/"), "{} does not say what it created", self.url);
        }
        match self.body.is_empty() {
            true => Value::Null,
            false => self.json(),
        }
    }

    /// A problem document of this status and code.
    ///
    /// # Panics
    /// When it is not.
    #[track_caller]
    pub fn problem(&self, status: u16, code: &str) -> Value {
        let problem = self.is(status);
        assert_eq!(problem["code"], code, "{}: {problem}", self.url);
        assert_eq!(self.header("content-type"), "application/problem+json", "{}", self.url);
        assert_eq!(problem["status"], status, "{problem}");
        for field in ["title", "detail"] {
            assert!(problem[field].as_str().is_some_and(|text| !text.is_empty()), "{field} is missing: {problem}");
        }
        problem
    }

    /// Any problem document that says that the request was wrong: its code.
    ///
    /// # Panics
    /// When it is not.
    #[track_caller]
    pub fn refused(&self) -> String {
        assert!((400..500).contains(&self.status), "{}: {} {}", self.url, self.status, self.text());
        let code = self.json()["code"].as_str().unwrap_or_default().to_owned();
        self.problem(self.status, &code);
        code
    }

    /// Its body as JSON.
    ///
    /// # Panics
    /// When it is not JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|err| panic!("{}: {err}: {}", self.url, self.text()))
    }

    /// Its body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// A page on one line, without whitespace between elements or before the end of a tag: however its templates are wrapped.
    pub fn html(&self) -> String {
        let page = self.text().split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        page.replace(" >", ">").replace("> <", "><")
    }

    /// The token that is hidden in its forms.
    ///
    /// # Panics
    /// When it has none.
    #[track_caller]
    pub fn token(&self) -> String {
        let text = self.text();
        let token = text.split_once("name=\"csrf\" value=\"").and_then(|(_, rest)| rest.split_once('"'));
        token.unwrap_or_else(|| panic!("{} has no form: {text}", self.url)).0.to_owned()
    }

    /// The fields of the form with this action, as they were when it was made.
    ///
    /// # Panics
    /// When there is no such form.
    #[track_caller]
    pub fn seen(&self, action: &str) -> Vec<(String, String)> {
        let text = self.text();
        let form = text.split_once(&format!("action=\"{action}\"")).map(|(_, rest)| rest.split("</form>").next());
        let form = form.flatten().unwrap_or_else(|| panic!("{} has no form for {action}: {text}", self.url));
        let field = |field: &str| {
            let (name, rest) = field.split_once("\" value=\"")?;
            let value = rest.split_once('"')?.0.replace("&#60;", "<").replace("&#62;", ">").replace("&#38;", "&");
            Some((name.to_owned(), value))
        };
        form.split("name=\"seen.").skip(1).filter_map(field).collect()
    }

    /// A header, empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// A stream of server-sent events.
pub struct Stream {
    response: Response,
    rest: String,
}

/// One server-sent event.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// Its id; empty if it has none.
    pub id: String,
    /// Its name; `message` if it has none.
    pub event: String,
    /// What it says.
    pub data: Value,
}

impl Stream {
    /// The next event; heartbeats are passed over. None once the server has closed the stream or gone.
    ///
    /// # Panics
    /// When nothing comes for too long.
    pub async fn next(&mut self) -> Option<Sent> {
        loop {
            if let Some(end) = self.rest.find("\n\n") {
                let block = self.rest[..end].to_owned();
                self.rest.drain(..end + 2);
                match Sent::parse(&block) {
                    Some(sent) => return Some(sent),
                    None => continue,
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("the stream says something");
            match chunk {
                Ok(Some(bytes)) => self.rest.push_str(&String::from_utf8_lossy(&bytes).replace("\r\n", "\n")),
                Ok(None) | Err(_) => return None,
            }
        }
    }

    /// The next event of this name.
    ///
    /// # Panics
    /// When the stream ends before.
    pub async fn next_of(&mut self, event: &str) -> Sent {
        loop {
            let sent = self.next().await.unwrap_or_else(|| panic!("the stream ended before an event {event}"));
            if sent.event == event {
                return sent;
            }
        }
    }
}

impl Sent {
    fn parse(block: &str) -> Option<Self> {
        let mut sent = Sent { id: String::new(), event: "message".into(), data: Value::Null };
        let mut data = Vec::new();
        for line in block.lines() {
            let (field, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match field {
                "id" => sent.id = value.into(),
                "event" => sent.event = value.into(),
                "data" => data.push(value),
                _ => {}
            }
        }
        if data.is_empty() {
            return None;
        }
        let data = data.join("\n");
        sent.data = serde_json::from_str(&data).unwrap_or(Value::String(data));
        Some(sent)
    }
}
