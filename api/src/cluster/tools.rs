//! PostgreSQL's programs for people who have a PostgreSQL already, private or not.

use std::net::IpAddr;
use std::path::Path;
use std::process::Command;

use anyhow::bail;
use base::db::Address;
use tokio_postgres::config::Host;

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
    let host = config.get_hosts().first().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(dir) => dir.display().to_string(),
    });
    let given = [
        ("PGHOST", host),
        ("PGHOSTADDR", config.get_hostaddrs().first().map(IpAddr::to_string)),
        ("PGPORT", config.get_ports().first().map(u16::to_string)),
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

fn version(program: &Path) -> Option<u32> {
    let output = program.is_file().then(|| Command::new(program).arg("--version").output())?.ok()?;
    major(&String::from_utf8_lossy(&output.stdout))?.parse().ok()
}
