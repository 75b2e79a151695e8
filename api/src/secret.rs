//! The house's secret, from which all keys are derived: where it comes from, and how another takes its place.
//!
//! The previous secret stays beside the current one until it is forgotten. Nothing is signed or sealed with it any more, and what it
//! signed and sealed stays good.

use std::fs::{self, Metadata};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use jiff::Timestamp;

use crate::cluster::create_data_dir;
use crate::files::{Draft, give_like, remove, sync_folder_of};
use base::auth::{SECRET_MIN, Seal, SigningKey, Tokens, secrets};
use base::world::World;
use web_base::config::{Config, Redacted};

const CURRENT: &str = "secret";
const PREVIOUS: &str = "secret.previous";

/// The current secret, and the previous one until it is forgotten.
pub(crate) struct Secrets {
    current: String,
    previous: Option<String>,
    /// When the file of the current one was written.
    changed_at: Option<Timestamp>,
}

impl Secrets {
    /// Those that are set or kept. Makes none.
    pub(crate) fn find(config: &Config) -> anyhow::Result<Option<Self>> {
        let reveal = |set: &Option<Redacted>| set.as_ref().map(|set| set.reveal().to_owned());
        let (set, set_before) = (reveal(&config.secret), reveal(&config.previous_secret));
        if let Some(current) = set {
            return Self::new(current, set_before, None).map(Some);
        }
        let path = config.data.join(CURRENT);
        // The current one first: a rotation writes the previous one first, so neither is missed.
        let Some(current) = read(&path)? else { return Ok(None) };
        let kept = read(&config.data.join(PREVIOUS))?.filter(|kept| *kept != current);
        if let (Some(set), Some(kept)) = (&set_before, &kept)
            && set != kept
        {
            bail!("HOUSERULES_PREVIOUS_SECRET is set, and {} keeps another one", config.data.join(PREVIOUS).display());
        }
        let written = fs::metadata(&path).and_then(|file| file.modified()).ok();
        let changed_at = written.and_then(|written| Timestamp::try_from(written).ok());
        Self::new(current, set_before.or(kept), changed_at).map(Some)
    }

    /// The same. If none is set, the one in the data directory, which is made once, for this user's eyes only.
    pub(crate) fn find_or_make(config: &Config, world: &World) -> anyhow::Result<Self> {
        if config.secret.is_none() {
            let path = create_data_dir(&config.data)?.join(CURRENT);
            if !path.exists() {
                let draft = Draft::create(world, &path)?;
                (&draft.file).write_all(draw(world).as_bytes())?;
                draft.finish_first()?;
            }
        }
        Self::find(config)?.with_context(|| format!("{} is gone", config.data.join(CURRENT).display()))
    }

    /// What the server of this database signs with. A new one would be no server's.
    pub(crate) fn of_server(config: &Config) -> anyhow::Result<Self> {
        Self::find(config)?.context(
            "there is no secret to sign the backup with: set HOUSERULES_SECRET or --data to what the server of this \
             database uses",
        )
    }

    /// A rotation that was broken off leaves the same secret twice.
    fn new(current: String, previous: Option<String>, changed_at: Option<Timestamp>) -> anyhow::Result<Self> {
        let is_long = |secret: &String| secret.len() >= SECRET_MIN;
        ensure!(is_long(&current), "the secret (HOUSERULES_SECRET) is too short: it needs {SECRET_MIN} bytes at least");
        let previous = previous.filter(|previous| *previous != current);
        ensure!(
            previous.as_ref().is_none_or(is_long),
            "the previous secret (HOUSERULES_PREVIOUS_SECRET) is too short: it needs {SECRET_MIN} bytes at least"
        );
        Ok(Self { current, previous, changed_at })
    }

    pub(crate) fn has_previous(&self) -> bool {
        self.previous.is_some()
    }

    pub(crate) fn changed_at(&self) -> Option<Timestamp> {
        self.changed_at
    }

    pub(crate) fn tokens(&self) -> Tokens {
        Tokens::new(self.current.as_bytes()).with_previous(self.previous.as_ref().map(String::as_bytes))
    }

    pub(crate) fn seal(&self) -> Seal {
        Seal::new(self.current.as_bytes()).with_previous(self.previous.as_ref().map(String::as_bytes))
    }

    /// Signs backups.
    pub(crate) fn backup_key(&self) -> SigningKey {
        SigningKey::of_backups(self.current.as_bytes())
    }

    /// All that may have signed a backup of this house.
    pub(crate) fn backup_keys(&self) -> Vec<SigningKey> {
        let all = std::iter::once(&self.current).chain(&self.previous);
        all.map(|secret| SigningKey::of_backups(secret.as_bytes())).collect()
    }

    /// Signs the newest line of the audit log that a server has seen. The current one first.
    pub(crate) fn audit_keys(&self) -> Vec<SigningKey> {
        let all = std::iter::once(&self.current).chain(&self.previous);
        all.map(|secret| SigningKey::of_audit_heads(secret.as_bytes())).collect()
    }
}

/// Refuses where the settings hold a secret: only the operator changes settings.
pub(crate) fn expect_kept(config: &Config) -> anyhow::Result<()> {
    if config.secret.is_some() {
        bail!(
            "the secret comes from the settings. To replace it, set HOUSERULES_PREVIOUS_SECRET to what HOUSERULES_SECRET is, \
             set HOUSERULES_SECRET to a new one, such as `openssl rand -base64 48` prints, and restart all servers. To forget \
             the previous one, take HOUSERULES_PREVIOUS_SECRET out again, and restart all servers"
        );
    }
    if config.previous_secret.is_some() {
        bail!(
            "the previous secret comes from the settings: take HOUSERULES_PREVIOUS_SECRET out, and restart all servers"
        );
    }
    Ok(())
}

/// Makes another secret the current one, and the current one the previous one.
pub(crate) fn rotate(data: &Path, world: &World) -> anyhow::Result<()> {
    let (path, before) = (data.join(CURRENT), data.join(PREVIOUS));
    let current =
        read(&path)?.with_context(|| format!("there is no secret to replace: {} is missing", path.display()))?;
    if read(&before)?.is_some_and(|previous| previous != current) {
        bail!(
            "{} still keeps the secret before this one: forget it first (`houserules secret forget`), or say --forget-previous",
            before.display()
        );
    }
    let like = fs::metadata(&path)?;
    // Whatever breaks this off, each secret that was in use is in one of the files.
    write(world, &before, &current, &like)?;
    write(world, &path, &draw(world), &like)
}

/// Removes the previous secret.
pub(crate) fn forget(data: &Path) -> anyhow::Result<()> {
    for path in drafts(data)?.into_iter().chain([data.join(PREVIOUS)]) {
        remove(&path)?;
    }
    sync_folder_of(&data.join(PREVIOUS))
}

/// What a rotation left that was killed: it may hold a secret.
fn drafts(data: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(data).with_context(|| format!("{} cannot be read", data.display()))?;
    let paths = entries.map(|entry| Ok(entry?.path())).collect::<anyhow::Result<Vec<_>>>()?;
    let is_draft = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(CURRENT) && name.ends_with(".part")
    };
    Ok(paths.into_iter().filter(is_draft).collect())
}

fn draw(world: &World) -> String {
    secrets::encode(&world.bytes::<48>())
}

/// For the eyes of the user whose file the other one is: root may rotate what a server of another user reads.
fn write(world: &World, path: &Path, secret: &str, like: &Metadata) -> anyhow::Result<()> {
    let draft = Draft::create(world, path)?;
    give_like(&draft.file, like)?;
    let is_theirs = draft.file.metadata()?.uid() == like.uid();
    ensure!(is_theirs, "{} belongs to another user: act as that user, or as root", path.display());
    (&draft.file).write_all(secret.as_bytes())?;
    draft.finish()
}

fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(kept) => Ok(Some(kept.trim().to_owned())),
        Err(err) if err.kind() == ErrorKind::NotFound => Ok(None),
        Err(err) => Err(err).with_context(|| format!("{} cannot be read", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;
    use web_base::config::Settings;

    struct Folder(PathBuf);

    impl Folder {
        fn new() -> Self {
            let name = format!("house-rules-secret-{}", secrets::encode(&World::real().bytes::<9>()));
            let folder = std::env::temp_dir().join(name);
            fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        fn config(&self, secret: Option<&str>, previous: Option<&str>) -> Config {
            let given = |text: Option<&str>| text.map(|text| Redacted::from(text.to_owned()));
            let (secret, previous_secret) = (given(secret), given(previous));
            let settings = Settings { data: Some(self.0.clone()), secret, previous_secret, ..Settings::default() };
            settings.resolve().unwrap()
        }

        /// With these settings beside the files.
        fn find(&self, secret: Option<&str>, previous: Option<&str>) -> anyhow::Result<(String, Option<String>)> {
            let found = Secrets::find(&self.config(secret, previous))?.unwrap();
            Ok((found.current, found.previous))
        }

        fn make(&self) -> String {
            Secrets::find_or_make(&self.config(None, None), &World::real()).unwrap().current
        }

        fn kept(&self) -> (String, Option<String>) {
            self.find(None, None).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_rotated_secret_is_the_previous_one_until_it_is_forgotten() {
        let (folder, world) = (Folder::new(), World::real());
        assert!(rotate(&folder.0, &world).is_err(), "there is none yet");
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0);
        let first = folder.make();
        assert_eq!(folder.make(), first);
        rotate(&folder.0, &world).unwrap();
        let (second, previous) = folder.kept();
        assert_ne!(second, first);
        assert_eq!(previous, Some(first.clone()));
        let again = rotate(&folder.0, &world).unwrap_err().to_string();
        assert!(again.contains("secret forget") && !again.contains(&first), "{again}");
        assert_eq!(folder.kept(), (second.clone(), Some(first)));
        fs::write(folder.0.join("secret.previous.1a2b.part"), "left by a rotation that was killed").unwrap();
        forget(&folder.0).unwrap();
        assert_eq!(folder.kept(), (second, None));
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1);
        rotate(&folder.0, &world).unwrap();
        for file in fs::read_dir(&folder.0).unwrap() {
            assert_eq!(file.unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_rotation_that_was_broken_off_between_the_files_is_none() {
        let folder = Folder::new();
        let first = folder.make();
        fs::copy(folder.0.join(CURRENT), folder.0.join(PREVIOUS)).unwrap();
        assert_eq!(folder.kept(), (first.clone(), None));
        rotate(&folder.0, &World::real()).unwrap();
        let (second, previous) = folder.kept();
        assert_eq!((second != first, previous), (true, Some(first)));
    }

    #[test]
    fn settings_win_over_files_and_two_previous_secrets_are_refused() {
        let folder = Folder::new();
        let first = folder.make();
        rotate(&folder.0, &World::real()).unwrap();
        let (set, before) = ("x".repeat(SECRET_MIN), "y".repeat(SECRET_MIN));
        for previous in [None, Some(""), Some(set.as_str())] {
            assert_eq!(folder.find(Some(&set), previous).unwrap(), (set.clone(), None), "{previous:?}");
        }
        assert_eq!(folder.find(Some(&set), Some(&before)).unwrap(), (set.clone(), Some(before.clone())));
        assert_eq!(folder.find(None, Some(&first)).unwrap().1, Some(first));
        assert!(folder.find(Some(&set), Some("short")).is_err());
        assert!(folder.find(None, Some(&before)).is_err());
        for config in [folder.config(Some(&set), None), folder.config(None, Some(&before))] {
            let reason = expect_kept(&config).unwrap_err().to_string();
            let is_told = reason.contains("HOUSERULES_PREVIOUS_SECRET");
            assert!(is_told && !reason.contains(&set) && !reason.contains(&before), "{reason}");
        }
    }
}
