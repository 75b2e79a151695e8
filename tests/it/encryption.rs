//! Connections to a PostgreSQL on another machine are encrypted, and only to a server that proves who it is.

use std::path::Path;
use std::process::Command;

use harness::{Authority, Database, EncryptedPostgres, Launch, Visitor, program, run, workplace};
use serde_json::json;

/// One that shows a certificate of this authority.
fn start_postgres(authority: &Authority, name: &str) -> EncryptedPostgres {
    let issued = authority.issue(&[name]);
    let postgres = EncryptedPostgres::start(&issued.certificate, &issued.key);
    postgres.make("house");
    postgres
}

fn root(authority: &Authority) -> String {
    format!("sslrootcert={}", text(&authority.file).replace('/', "%2F"))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("it is text")
}

/// What the server says instead of starting.
fn refusal(url: String) -> String {
    let Err(ran) = Launch::new().set("DATABASE_URL", url).try_start() else { panic!("it started") };
    assert_eq!(ran.status, Some(1), "{ran:?}");
    ran.complained
}

#[tokio::test]
async fn every_connection_is_encrypted_to_a_database_that_proves_who_it_is() {
    let authority = Authority::new();
    let postgres = start_postgres(&authority, "localhost");
    let url = postgres.url("house", &format!("sslmode=verify-full&{}", root(&authority)));
    let server = Launch::new().set("DATABASE_URL", &url).start();
    Visitor::new(server.url()).post("/auth/guest", json!({ "display_name": "하늘" })).await.is(201);
    let (encrypted, in_the_clear) = postgres.clients("house");
    // The pools of requests and background tasks, and the listener for notifications.
    assert!(encrypted >= 3 && in_the_clear == 0, "{encrypted} and {in_the_clear}");

    // PostgreSQL's own programs follow the same address, and the certificates of the machine do as well as a file of one's own.
    let file = workplace().folder("backup").join("house.backup");
    postgres.make("another");
    for (command, database) in [("backup", "house"), ("restore", "another")] {
        let url = postgres.url(database, "sslmode=verify-full");
        let mut houserules = Command::new(program("houserules"));
        houserules.arg(command).arg(&file).arg("--data").arg(workplace().folder("data"));
        houserules.env("DATABASE_URL", url).env("SSL_CERT_FILE", &authority.file);
        run(houserules.env("HOUSERULES_SECRET", "s".repeat(64))).well();
    }
}

#[tokio::test]
async fn a_database_that_does_not_prove_who_it_is_is_refused() {
    let (authority, stranger) = (Authority::new(), Authority::new());
    let postgres = start_postgres(&authority, "localhost");
    let elsewhere = start_postgres(&authority, "elsewhere.test");
    let in_the_clear = Database::new();
    let (_line, unencrypted) = in_the_clear.by_line();
    for (url, reason) in [
        // Of an authority that nobody trusts, and as somebody else.
        (postgres.url("house", &format!("sslmode=verify-full&{}", root(&stranger))), "UnknownIssuer"),
        (elsewhere.url("house", &format!("sslmode=verify-full&{}", root(&authority))), "elsewhere.test"),
        (format!("{unencrypted}?{}", root(&authority)), "server does not support TLS"),
        // `require` does not mean less.
        (postgres.url("house", &format!("sslmode=require&{}", root(&stranger))), "UnknownIssuer"),
    ] {
        let refusal = refusal(url);
        for said in ["no encrypted connection to the database", reason, "sslrootcert=FILE", "sslmode=disable"] {
            assert!(refusal.contains(said), "{said}: {refusal}");
        }
    }
    assert_eq!((postgres.clients("house"), elsewhere.clients("house")), ((0, 0), (0, 0)));

    let refusal = refusal("postgres://app:hush@192.0.2.7/house?sslmode=prefer".to_owned());
    assert!(refusal.contains("write sslmode=verify-full, or sslmode=disable"), "{refusal}");
    assert!(!refusal.contains("hush"), "{refusal}");
}
