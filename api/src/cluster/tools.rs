//! PostgreSQL's programs for people who have a PostgreSQL already, private or not.

use std::net::IpAddr;
use std::path::Path;
use std::process::Command;

use anyhow::bail;
use base::db::Address;
use tokio_postgres::config::{Host, TargetSessionAttrs};

use super::binaries::{major, places};

/// This program in a version that can deal with a server of this major version: the same, or else the oldest newer one.
pub(crate) fn tool(name: &str, server: u32) -> anyhow::Result<Command> {
    let found =
        places().into_iter().map(|dir| dir.join(name)).filter_map(|program| Some((version(&program)?, program)));
    let fitting = found.filter(|(version, _)| *version >= server).min_by_key(|(version, _)| *version);
    match fitting {
        Some((_, program)) => Ok(Command::new(program)),
        None => bail!(
            "{name} of PostgreSQL {server} or later is not installed (on Debian: apt-get install postgresql-client)"
        ),
    }
}

/// Has the program use this database, past any pooler. By its environment: other users of the machine can read a command line.
pub(crate) fn connect(command: &mut Command, address: &Address) {
    let address = address.direct();
    let ((config, _), (mode, root)) = (address.parts(""), address.ssl());
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(dir) => dir.display().to_string(),
    };
    let given = [
        ("PGHOST", each(config.get_hosts(), host)),
        ("PGHOSTADDR", each(config.get_hostaddrs(), IpAddr::to_string)),
        ("PGPORT", each(config.get_ports(), u16::to_string)),
        ("PGTARGETSESSIONATTRS", session_attributes(config.get_target_session_attrs())),
        ("PGUSER", config.get_user().map(str::to_owned)),
        ("PGPASSWORD", config.get_password().map(|password| String::from_utf8_lossy(password).into_owned())),
        ("PGDATABASE", config.get_dbname().map(str::to_owned)),
        ("PGSSLMODE", Some(mode.to_owned())),
        ("PGSSLROOTCERT", root.map(|file| file.display().to_string())),
    ];
    for (name, value) in given {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("LC_ALL", "C").current_dir("/");
}

/// As PostgreSQL's programs take several servers: one after the other, until one fits.
fn each<T>(all: &[T], text: impl Fn(&T) -> String) -> Option<String> {
    (!all.is_empty()).then(|| all.iter().map(text).collect::<Vec<_>>().join(","))
}

fn session_attributes(asked: TargetSessionAttrs) -> Option<String> {
    match asked {
        TargetSessionAttrs::ReadWrite => Some("read-write".to_owned()),
        TargetSessionAttrs::ReadOnly => Some("read-only".to_owned()),
        _ => None,
    }
}

fn version(program: &Path) -> Option<u32> {
    let output = program.is_file().then(|| Command::new(program).arg("--version").output())?.ok()?;
    major(&String::from_utf8_lossy(&output.stdout))?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(address: &str) -> Vec<(String, String)> {
        let mut command = Command::new("pg_dump");
        connect(&mut command, &Address::parse(address).unwrap());
        let text = |text: &std::ffi::OsStr| text.to_str().unwrap().to_owned();
        command.get_envs().filter_map(|(name, value)| Some((text(name), text(value?)))).collect()
    }

    #[test]
    fn a_program_is_given_every_server_of_an_address() {
        let has = |environment: &[(String, String)], name: &str, value: Option<&str>| {
            let found = environment.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str());
            assert_eq!(found, value, "{name}: {environment:?}");
        };
        let several = environment(
            "postgres://app@one:5433,two:5434/house?sslmode=disable&target_session_attrs=read-write&hostaddr=192.0.2.1,192.0.2.2",
        );
        has(&several, "PGHOST", Some("one,two"));
        has(&several, "PGPORT", Some("5433,5434"));
        has(&several, "PGHOSTADDR", Some("192.0.2.1,192.0.2.2"));
        has(&several, "PGTARGETSESSIONATTRS", Some("read-write"));
        let one = environment("host=/var/run/postgresql user=app dbname=house");
        has(&one, "PGHOST", Some("/var/run/postgresql"));
        for name in ["PGHOSTADDR", "PGTARGETSESSIONATTRS"] {
            has(&one, name, None);
        }
    }
}
