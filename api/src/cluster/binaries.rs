//! The machine's PostgreSQL programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

#[derive(Clone, Debug)]
pub(super) struct Binaries {
    dir: PathBuf,
    version: String,
}

impl Binaries {
    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }
}

/// Those of this major version, where there is data already; otherwise those on the PATH, or else the newest.
pub(super) fn find(version: Option<&str>) -> anyhow::Result<Binaries> {
    let installed: Vec<Binaries> = places().into_iter().filter_map(|dir| probe(&dir)).collect();
    let fits = |it: &&Binaries| version.is_none_or(|version| it.version == version);
    match (installed.iter().find(fits), version) {
        (Some(found), _) => Ok(found.clone()),
        (None, Some(version)) if !installed.is_empty() => {
            let others: Vec<&str> = installed.iter().map(|it| it.version.as_str()).collect();
            bail!(
                "the data was made by PostgreSQL {version}, and only {} is installed; install postgresql-{version}",
                others.join(", ")
            )
        }
        (None, _) => bail!(
            "PostgreSQL is not installed. Install it (on Debian: apt-get install postgresql) \
             or name a running one in DATABASE_URL"
        ),
    }
}

pub(super) fn places() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).filter(|dir| dir.is_absolute());
    let mut packaged: Vec<(u32, PathBuf)> = Vec::new();
    for entry in std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten() {
        if let Some(version) = entry.file_name().to_str().and_then(|name| name.parse().ok()) {
            packaged.push((version, entry.path().join("bin")));
        }
    }
    packaged.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    on_path.chain(packaged.into_iter().map(|(_, dir)| dir)).collect()
}

fn probe(dir: &Path) -> Option<Binaries> {
    let complete = ["postgres", "initdb", "pg_ctl"].iter().all(|name| dir.join(name).is_file());
    let output = complete.then(|| Command::new(dir.join("postgres")).arg("--version").output())?.ok()?;
    Some(Binaries { dir: dir.to_owned(), version: major(&String::from_utf8_lossy(&output.stdout))? })
}

/// `postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)` is 15.
pub(super) fn major(version: &str) -> Option<String> {
    let number = version.split_whitespace().find(|word| word.starts_with(|it: char| it.is_ascii_digit()))?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    (!digits.is_empty()).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read_from_what_postgres_says() {
        assert_eq!(major("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n").as_deref(), Some("15"));
        assert_eq!(major("postgres (PostgreSQL) 18beta2").as_deref(), Some("18"));
        assert_eq!(major("postgres"), None);
    }
}
