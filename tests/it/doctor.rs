//! `houserules doctor`: what is well on a machine and what is not, as the operations page says it too.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Command;

use harness::{Authority, Launch, Ran, TestApp, end, eventually, program, run, workplace};

fn doctor(data: &Path, settings: &[(&str, &str)]) -> Ran {
    let mut command = Command::new(program("houserules"));
    command.arg("doctor").current_dir(workplace().root()).env("HOUSERULES_DATA", data);
    for name in ["DATABASE_URL", "HOUSERULES_SECRET", "HOUSERULES_PUBLIC_URL", "HOUSERULES_BEHIND_PROXY"] {
        command.env_remove(name);
    }
    run(command.envs(settings.iter().copied()))
}

/// The state of the check of this name.
fn state<'a>(said: &'a str, name: &str) -> &'a str {
    let line = said.lines().find(|line| line.contains(&format!("  {name}  ")) || line.ends_with(&format!("  {name}")));
    line.unwrap_or_else(|| panic!("{name} is not in\n{said}")).split("  ").next().unwrap_or_default().trim()
}

#[tokio::test]
async fn it_says_what_the_operations_page_says() {
    let app = TestApp::start();
    let url = app.database().url();
    // The server has noted where the audit log ends.
    let noted = app.data().join("audit-head");
    eventually("a note", async || noted.exists().then_some(())).await;
    let said = doctor(&app.data(), &[("DATABASE_URL", &url), ("HOUSERULES_SECRET", app.secret())]).well();
    let known = app.owner().await.get("/operations").await.is(200)["checks"].clone();
    let known = known.as_array().expect("there are some");
    assert_eq!(said.lines().count(), known.len(), "{said}");
    for (line, check) in said.lines().zip(known) {
        assert!(line.starts_with(check["state"].as_str().expect("it has one")), "{line}: {check}");
    }
    assert_eq!(state(&said, "Database schema"), "ok", "{said}");
    assert_eq!(state(&said, "Public address"), "warning", "{said}");
    assert!(said.contains("Set public_url to the address"), "{said}");
    assert!(!said.contains(&url) && !said.contains(app.secret()), "{said}");
}

#[tokio::test]
async fn a_problem_fails_it() {
    let app = TestApp::start();
    let (url, data) = (app.database().url(), workplace().folder("doctor"));
    let database = ("DATABASE_URL", url.as_str());
    let ran = doctor(&data, &[database, ("HOUSERULES_PUBLIC_URL", "http://play.example.org")]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(state(&ran.said, "Encryption to browsers"), "problem", "{}", ran.said);
    let ran = doctor(&data, &[database, ("HOUSERULES_PUBLIC_URL", "https://play.example.org")]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(state(&ran.said, "Encryption to browsers"), "ok", "{}", ran.said);
    assert_eq!(state(&ran.said, "Trusted proxies"), "problem", "{}", ran.said);
    doctor(
        &data,
        &[database, ("HOUSERULES_PUBLIC_URL", "https://play.example.org"), ("HOUSERULES_BEHIND_PROXY", "on")],
    )
    .well();
    let ran = doctor(&data, &[("DATABASE_URL", "postgres://nobody@127.0.0.1:1/nowhere")]);
    assert_eq!(ran.status, Some(1));
    assert_eq!(state(&ran.said, "Database"), "problem", "{}", ran.said);
    assert_eq!(state(&ran.said, "PostgreSQL version"), "unknown", "{}", ran.said);
}

#[test]
fn it_looks_at_the_certificate_that_browsers_get() {
    let issued = Authority::new().issue(&["play.example.org"]);
    let data = workplace().folder("doctor");
    let file = data.join("both.pem");
    fs::write(&file, issued.key + &issued.certificate).expect("it can be written");
    let file = file.to_str().expect("it is text");
    let states = |certificate: &str, public_url: &str| {
        let tls = [("HOUSERULES_TLS_CERT", certificate), ("HOUSERULES_TLS_KEY", file)];
        let said = doctor(&data, &[tls.as_slice(), &[("HOUSERULES_PUBLIC_URL", public_url)]].concat()).said;
        let names =
            ["Validity of the certificate", "Names in the certificate", "Encryption to browsers", "Trusted proxies"];
        names.map(|name| state(&said, name).to_owned())
    };
    assert_eq!(states(file, "https://play.example.org"), ["ok", "ok", "ok", "unknown"]);
    assert_eq!(states(file, "https://elsewhere.example.org"), ["ok", "problem", "ok", "unknown"]);
    assert_eq!(states("nowhere.pem", "https://play.example.org"), ["problem", "unknown", "ok", "unknown"]);
}

#[tokio::test]
async fn it_looks_at_a_private_database_only_while_that_runs_and_makes_nothing() {
    let launch = Launch::new().set("HOUSERULES_RATE_LIMITS", "off").set("HOUSERULES_POOL_SIZE", "4");
    let mut server = launch.start();
    let data = launch.folder().join("data");
    let running = doctor(&data, &[]).well();
    assert_eq!(state(&running, "Data checksums"), "ok", "{running}");
    assert_eq!(state(&running, "Mode of the data directory"), "ok", "{running}");
    assert_eq!(state(&running, "Mode of the secret"), "ok", "{running}");
    assert!(server.stop().success());
    fs::set_permissions(data.join("secret"), fs::Permissions::from_mode(0o644)).expect("it is there");
    let stopped = doctor(&data, &[]);
    assert!(stopped.status == Some(1) && stopped.said.contains("PostgreSQL does not run"), "{stopped:?}");
    assert_eq!(state(&stopped.said, "Mode of the secret"), "problem", "{}", stopped.said);
    assert_eq!(state(&stopped.said, "Data checksums"), "unknown", "{}", stopped.said);
    let nowhere = workplace().folder("doctor").join("nowhere");
    assert!(doctor(&nowhere, &[]).said.contains("PostgreSQL does not run"));
    assert!(!nowhere.exists());
}

#[test]
fn a_private_database_that_runs_and_does_not_answer_is_a_problem() {
    let launch = Launch::new().set("HOUSERULES_POOL_SIZE", "4");
    let mut server = launch.start();
    server.forgive_errors();
    let data = launch.folder().join("data");
    let pid = fs::read_to_string(data.join("postgres/data/postmaster.pid")).expect("its PostgreSQL runs");
    let pid = pid.lines().next().and_then(|pid| pid.parse().ok()).expect("a process id");
    end("STOP", pid);
    let ran = doctor(&data, &[]);
    end("CONT", pid);
    assert_eq!(state(&ran.said, "Database"), "problem", "{ran:?}");
    assert_eq!((ran.status, ran.said.contains("does not run")), (Some(1), false), "{ran:?}");
    assert!(server.stop().success());
}

/// As root, the server gives its PostgreSQL to another user, who must get in.
#[test]
fn a_data_directory_that_postgres_cannot_enter_is_a_problem() {
    let launch = Launch::new().set("HOUSERULES_POOL_SIZE", "4");
    assert!(launch.start().stop().success());
    let data = launch.folder().join("data");
    let owner = |path: &Path| fs::metadata(path).expect("it is there").uid();
    let is_shared = owner(&data) != owner(&data.join("postgres"));
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("it is ours");
    let said = doctor(&data, &[]).said;
    let expected = if is_shared { "problem" } else { "ok" };
    assert_eq!(state(&said, "Mode of the data directory"), expected, "{said}");
    assert_eq!(said.contains("Set its mode to 0711"), is_shared, "{said}");
}
