//! The server speaks TLS itself: with a certificate of its operator, or with one of its local authority.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use harness::{Answer, Authority, Launch, Party, TestApp, Visitor, end, eventually, program, run, workplace};
use reqwest::Method;
use serde_json::json;

/// Where a server finds its certificate and its key.
struct Files {
    certificate: PathBuf,
    key: PathBuf,
}

impl Files {
    fn of(authority: &Authority) -> Self {
        let folder = workplace().folder("certificate");
        let files = Files { certificate: folder.join("cert.pem"), key: folder.join("key.pem") };
        files.replace(authority);
        files
    }

    fn replace(&self, authority: &Authority) {
        let issued = authority.issue(&["127.0.0.1", "cafe.test"]);
        fs::write(&self.certificate, issued.certificate).expect("it can be written");
        fs::write(&self.key, issued.key).expect("it can be written");
    }

    fn settings(&self) -> [(&'static str, &str); 2] {
        [("HOUSERULES_TLS_CERT", text(&self.certificate)), ("HOUSERULES_TLS_KEY", text(&self.key))]
    }

    fn given_to(&self, launch: Launch) -> Launch {
        self.settings().into_iter().fold(launch, |launch, (name, value)| launch.set(name, value))
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is text")
}

fn trusting(authority: &Path, url: &str) -> Visitor {
    Visitor::trusting(&fs::read_to_string(authority).expect("it is there"), url)
}

async fn reaches(visitor: &Visitor) -> bool {
    Answer::try_of(visitor.page(Method::GET, "/healthz")).await.is_some_and(|answer| answer.status == 200)
}

/// The same server by another name.
fn named(url: &str, name: &str) -> String {
    url.replace("127.0.0.1", name)
}

/// From where this server sends browsers on.
fn redirecting(app: &mut TestApp) -> String {
    let said = app.server().said();
    let (_, rest) = said.split_once("sent on to https from ").expect("it says so");
    rest.lines().next().expect("there is a line").to_owned()
}

#[tokio::test]
async fn who_trusts_the_certificate_is_served_by_https() {
    let authority = Authority::new();
    let files = Files::of(&authority);
    let app = TestApp::start_with(|launch| files.given_to(launch));
    let visitor = trusting(&authority.file, app.url());
    let signed_in = visitor.sign_in_at_page(app.owner_credentials()).await;
    assert_eq!((signed_in.status, signed_in.header("location")), (303, "/admin"), "{}", signed_in.text());
    assert_eq!(signed_in.header("strict-transport-security"), "max-age=31536000");
    let cookies: Vec<_> = signed_in.headers.get_all("set-cookie").iter().filter_map(|it| it.to_str().ok()).collect();
    assert!(!cookies.is_empty());
    for cookie in cookies {
        assert!(cookie.starts_with("__Host-") && cookie.contains("; Secure"), "{cookie}");
    }
    assert_eq!(visitor.open("/admin").await.status, 200);
    let metrics = visitor.get_page("/metrics").await.text();
    let until = metrics.lines().find_map(|line| line.strip_prefix("tls_certificate_expiry_timestamp_seconds "));
    assert!(until.is_some_and(|until| until.parse::<f64>().is_ok_and(|until| until > 0.0)), "{metrics}");
    // There is no local authority.
    visitor.get_page("/tls/ca.crt").await.problem(404, "unknown_route");

    assert!(reaches(&trusting(&authority.file, &named(app.url(), "cafe.test"))).await);
    assert!(!reaches(&trusting(&authority.file, &named(app.url(), "elsewhere.test"))).await);
    assert!(!reaches(&trusting(&Authority::new().file, app.url())).await);
    assert!(!reaches(&Visitor::new(&app.url().replace("https", "http"))).await);

    let healthcheck = |settings: &[(&str, &str)]| {
        let mut houserules = Command::new(program("houserules"));
        houserules.arg("healthcheck").current_dir(workplace().root()).envs(settings.iter().copied());
        run(houserules.env("HOUSERULES_BIND", app.url().replace("https://", ""))).status
    };
    assert_eq!((healthcheck(&files.settings()), healthcheck(&[])), (Some(0), Some(1)));
}

#[tokio::test]
async fn another_certificate_is_shown_without_cutting_anybody_off() {
    let (authority, next) = (Authority::new(), Authority::new());
    let files = Files::of(&authority);
    let mut app = TestApp::start_with(|launch| files.given_to(launch));
    let mut players = Vec::new();
    for name in ["하늘", "Lucía"] {
        let visitor = trusting(&authority.file, app.url());
        players.push(visitor.sign_in("/auth/guest", json!({ "display_name": name }), 201).await);
    }
    let new = json!({ "game": "perudo", "options": {}, "seats": 2 });
    let made = players[0].post("/matches", new).await.is(201);
    let mut party = Party::seated(players, made["id"].as_str().expect("a match has an id"));
    let mut stream = party.players[0].listen(&party.path("/stream"), None).await;
    assert_eq!(stream.next_of("status").await.data["status"], "waiting");

    files.replace(&next);
    end("HUP", app.server().pid());
    let url = app.url().to_owned();
    eventually("the next certificate", async || reaches(&trusting(&next.file, &url)).await.then_some(())).await;
    assert!(!reaches(&trusting(&authority.file, &url)).await);
    party.begin().await;
    assert_eq!(stream.next_of("frame").await.data["version"], 0);

    // What cannot be shown leaves the one before in its place.
    fs::write(&files.key, authority.issue(&["127.0.0.1"]).key).expect("it can be written");
    end("HUP", app.server().pid());
    let failure = async || app.server().log().contains("reloading the certificate failed").then_some(());
    eventually("a word about the key", failure).await;
    assert!(reaches(&trusting(&next.file, &url)).await);
}

#[test]
fn a_key_of_another_certificate_is_refused_at_the_start() {
    let files = Files::of(&Authority::new());
    fs::write(&files.key, Authority::new().issue(&["127.0.0.1"]).key).expect("it can be written");
    let Err(ran) = files.given_to(Launch::new()).try_start() else { panic!("it started") };
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.complained.contains("does not belong to the certificate"), "{ran:?}");
    assert!(ran.complained.contains(text(&files.key)) && ran.complained.contains(text(&files.certificate)), "{ran:?}");
}

#[tokio::test]
async fn a_local_authority_needs_nothing_but_trust_in_it() {
    let mut app = TestApp::start_with(|launch| {
        launch.set("HOUSERULES_TLS", "local").set("HOUSERULES_REDIRECT_HTTP", "127.0.0.1:0")
    });
    let folder = app.data().join("tls");
    let authority = folder.join("ca.crt");
    let by_address = trusting(&authority, app.url());
    assert!(reaches(&by_address).await && reaches(&trusting(&authority, &named(app.url(), "localhost"))).await);
    assert!(!reaches(&trusting(&Authority::new().file, app.url())).await);
    // Devices that do not trust it yet get it without TLS as well.
    for visitor in [by_address, Visitor::new(&redirecting(&mut app))] {
        let given = visitor.get_page("/tls/ca.crt").await;
        assert_eq!((given.status, given.header("content-type")), (200, "application/x-x509-ca-cert"));
        assert_eq!(given.text(), fs::read_to_string(&authority).expect("it is there"));
    }
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&folder), 0o700);
    for file in fs::read_dir(&folder).expect("it is there").map(|entry| entry.expect("it can be read").path()) {
        let is_secret = fs::read_to_string(&file).expect("it is text").contains("PRIVATE KEY");
        assert_eq!((mode(&file), is_secret), if file == authority { (0o644, false) } else { (0o600, true) });
    }

    let mut tls = Command::new(program("houserules"));
    tls.args(["tls", "--name", "cafe.local", "--name", "127.0.0.1", "--data", text(&app.data())]);
    let said = run(tls.current_dir(workplace().root())).well();
    assert!(said.contains("for cafe.local, 127.0.0.1") && said.contains(text(&authority)), "{said}");
    end("HUP", app.server().pid());
    let url = named(app.url(), "cafe.local");
    eventually("the other names", async || reaches(&trusting(&authority, &url)).await.then_some(())).await;

    // Who trusts it need not do so again.
    let trusted = fs::read_to_string(&authority).expect("it is there");
    app.restart_with(|launch| launch);
    assert!(reaches(&Visitor::trusting(&trusted, app.url())).await);
    assert!(reaches(&Visitor::trusting(&trusted, &named(app.url(), "cafe.local"))).await);
}

#[tokio::test]
async fn browsers_are_sent_on_to_https_and_programs_are_refused() {
    let files = Files::of(&Authority::new());
    let mut app = TestApp::start_with(|launch| files.given_to(launch).set("HOUSERULES_REDIRECT_HTTP", "127.0.0.1:0"));
    let visitor = Visitor::new(&redirecting(&mut app));
    let at = async |method: Method, host: &str| {
        let answer = Answer::of(visitor.page(method, "/t/4XBGK4?next=%2Fme&b=1").header("host", host)).await;
        (answer.status, answer.header("location").to_owned())
    };
    let page = |url: &str| (301, format!("{url}/t/4XBGK4?next=%2Fme&b=1"));
    assert_eq!(at(Method::GET, "127.0.0.1:80").await, page(app.url()));
    assert_eq!(at(Method::HEAD, "cafe.test").await, page(&named(app.url(), "cafe.test")));
    for host in ["elsewhere.test", "cafe.test.elsewhere.test", "cafe.test@elsewhere.test", "cafe.test/elsewhere", ""] {
        assert_eq!(at(Method::GET, host).await, (403, String::new()), "{host}");
    }
    assert_eq!(at(Method::POST, "cafe.test").await, (403, String::new()));
    visitor.get("/games").await.problem(403, "https_required");
    visitor.post("/auth/guest", json!({ "display_name": "하늘" })).await.problem(403, "https_required");
    visitor.bearing(Some("token")).open("/me").await.problem(403, "https_required");

    // Where there is a public address, it is the only one.
    app.restart_with(|launch| launch.set("HOUSERULES_PUBLIC_URL", "https://play.example.org"));
    let visitor = Visitor::new(&redirecting(&mut app));
    for host in ["cafe.test", "elsewhere.test"] {
        let answer = Answer::of(visitor.page(Method::GET, "//elsewhere.test").header("host", host)).await;
        assert_eq!((answer.status, answer.header("location")), (301, "https://play.example.org//elsewhere.test"));
    }
}

#[tokio::test]
async fn who_stalls_or_speaks_something_else_keeps_nobody_out() {
    let authority = Authority::new();
    let files = Files::of(&authority);
    let app = TestApp::start_with(|launch| files.given_to(launch));
    let connect = || TcpStream::connect(app.url().replace("https://", "")).expect("it listens");
    // More than a worker shakes hands with at one time unless it is told otherwise.
    let mut stalled: Vec<_> = (0..300).map(|_| connect()).collect();
    assert!(reaches(&trusting(&authority.file, app.url())).await);
    let mut has_ended = || {
        let first = &mut stalled[0];
        first.set_nonblocking(true).expect("it is a socket");
        !first.read(&mut [0]).is_err_and(|err| err.kind() == ErrorKind::WouldBlock)
    };
    assert!(!has_ended());

    const ALERT: u8 = 21;
    const HANDSHAKE: u8 = 22;
    const PROTOCOL_VERSION: u8 = 70;
    let answer = |bytes: &[u8]| {
        let (mut stream, mut answer) = (connect(), [0; 7]);
        stream.write_all(bytes).expect("it listens");
        stream.read(&mut answer).map(|_| answer).expect("it answers")
    };
    assert_eq!(answer(b"GET / HTTP/1.1\r\nhost: cafe.test\r\n\r\n")[0], ALERT);
    assert_eq!(answer(&hello([3, 3]))[0], HANDSHAKE);
    let to_tls_1_1 = answer(&hello([3, 2]));
    assert_eq!((to_tls_1_1[0], to_tls_1_1[6]), (ALERT, PROTOCOL_VERSION));
    assert!(reaches(&trusting(&authority.file, app.url())).await);
    eventually("the end of a handshake that stalls", async || has_ended().then_some(())).await;
}

/// What a client says first that knows no version newer than this one.
fn hello(version: [u8; 2]) -> Vec<u8> {
    const RANDOM: [u8; 32] = [7; 32];
    // One suite, one curve, one kind of signature.
    const SUITE: [u8; 4] = [0, 2, 0xc0, 0x2b];
    const EXTENSIONS: [u8; 18] = [0, 16, 0, 10, 0, 4, 0, 2, 0, 23, 0, 13, 0, 4, 0, 2, 4, 3];
    let body = [version.as_slice(), &RANDOM, &[0], &SUITE, &[1, 0], &EXTENSIONS].concat();
    let length = u8::try_from(body.len()).expect("it is short");
    [[22, 3, 1, 0, length + 4, 1, 0, 0, length].as_slice(), &body].concat()
}
