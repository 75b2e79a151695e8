//! The last line of a file that holds a backup or a part of one: what the file is, and the house's signature on that.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use anyhow::{Context, bail};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{PIECE, Trust};
use cafe::auth::SigningKey;
use cafe::ids::{hex, unhex};

const MARK: &str = "\nhouse-rules-backup ";
/// The last line is shorter than this.
const LABEL_MAX: u64 = 4096;

/// What a label says of the bytes that come before it.
pub(super) trait Contents: Serialize + DeserializeOwned {
    /// Of files of this kind: none can be taken for another.
    const FORMAT: u32;

    fn format(&self) -> u32;
    fn bytes(&self) -> u64;
    fn sha256(&self) -> &str;
    fn is_encrypted(&self) -> bool;

    /// The line that ends the file. The signature covers the label byte for byte, and by its hash the content.
    fn line(&self, key: &SigningKey) -> anyhow::Result<String> {
        let text = serde_json::to_string(self)?;
        let signature = hex(&key.sign(text.as_bytes()));
        Ok(format!("{MARK}{text} {signature}\n"))
    }

    /// Refuses a file whose content is not what the label says.
    fn check_content(&self, file: &mut File) -> anyhow::Result<()> {
        file.rewind()?;
        let (mut hasher, mut content, mut buffer) = (Sha256::new(), file.take(self.bytes()), vec![0; PIECE]);
        loop {
            match content.read(&mut buffer)? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        let found = hex(&hasher.finalize());
        if found != self.sha256() {
            bail!("its hash is {found} and should be {}", self.sha256());
        }
        Ok(())
    }
}

/// Of a dump of the database.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label {
    pub(super) format: u32,
    pub taken_at: Timestamp,
    /// Of the program that took it.
    pub(super) program: String,
    /// PostgreSQL's major version.
    pub(super) postgres: u32,
    /// The newest migration in it.
    pub(super) migration: String,
    /// How many lines the audit log has, and the hash of the last of these.
    pub audit_lines: i64,
    pub audit_head: String,
    /// Of all tables. Older backups do not say.
    #[serde(default)]
    pub rows: Option<i64>,
    /// Whether what comes before this line is encrypted.
    #[serde(default)]
    pub encrypted: bool,
    pub bytes: u64,
    pub sha256: String,
}

/// A label as it stands in a file, which anybody may have written.
pub(super) struct Found<L> {
    pub(super) label: L,
    text: String,
    signature: Option<Vec<u8>>,
}

impl Contents for Label {
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn sha256(&self) -> &str {
        &self.sha256
    }

    fn is_encrypted(&self) -> bool {
        self.encrypted
    }
}

impl<L: Contents> Found<L> {
    pub(super) fn read(file: &mut File) -> anyhow::Result<Self> {
        let length = file.metadata()?.len();
        let start = length.saturating_sub(LABEL_MAX);
        file.seek(SeekFrom::Start(start))?;
        let mut end = Vec::new();
        file.read_to_end(&mut end)?;
        let mark = end
            .windows(MARK.len())
            .rposition(|window| window == MARK.as_bytes())
            .context("its last line is missing")?;
        let line = std::str::from_utf8(&end[mark + MARK.len()..]).context("its last line is not understood")?;
        let line = line.strip_suffix('\n').context("its last line is cut off")?;
        let (text, signature) = match line.rsplit_once(' ') {
            Some((text, signature)) => (text, Some(unhex(signature).context("its signature is not understood")?)),
            None => (line, None),
        };
        let label: L = serde_json::from_str(text).context("its last line is not understood")?;
        if label.format() != L::FORMAT {
            bail!("it is of another kind ({})", label.format());
        }
        if label.bytes() != start + mark as u64 {
            bail!("{} bytes should come before its last line, and {} do", label.bytes(), start + mark as u64);
        }
        Ok(Self { label, text: text.to_owned(), signature })
    }

    /// Refuses what this house did not sign, unless the operator answers for it.
    pub(super) fn check_signature(&self, trust: &Trust) -> anyhow::Result<()> {
        let Trust::SignedWith(keys) = trust else { return Ok(()) };
        match &self.signature {
            None => bail!(
                "it has no signature: it was made by an older House Rules, or somebody removed the signature. If you \
                 know where it comes from, restore it with --unverified"
            ),
            Some(_) if keys.is_empty() => bail!(
                "there is no secret to check its signature with: set HOUSERULES_SECRET to the secret of the house that \
                 made it, or copy that house's `secret` into the data directory. If the secret is lost and you know \
                 where the file comes from, restore it with --unverified"
            ),
            Some(signature) if SigningKey::any_signed(keys, self.text.as_bytes(), signature) => Ok(()),
            Some(_) => bail!(
                "its signature was not made with this secret: it is another house's backup, or somebody changed it. Give \
                 the secret of the house that made it (HOUSERULES_SECRET, or `secret` in the data directory). If that is \
                 lost and you know where the file comes from, restore it with --unverified"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    use super::*;

    fn written(name: &str, content: &[u8]) -> File {
        let path = std::env::temp_dir().join(format!("house-rules-label-{name}-{}", std::process::id()));
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        fs::remove_file(path).unwrap();
        file.write_all(content).unwrap();
        file
    }

    fn key() -> SigningKey {
        SigningKey::of_backups(b"our secret")
    }

    fn backup() -> Vec<u8> {
        let label = Label {
            format: Label::FORMAT,
            taken_at: Timestamp::UNIX_EPOCH,
            program: "1".to_owned(),
            postgres: 15,
            migration: "1".to_owned(),
            audit_lines: 0,
            audit_head: String::new(),
            rows: Some(7),
            encrypted: false,
            bytes: 8,
            sha256: hex(&Sha256::digest(b"PGDMP...")),
        };
        format!("PGDMP...{}", label.line(&key()).unwrap()).into_bytes()
    }

    #[test]
    fn a_whole_backup_is_told_from_a_cut_or_changed_one() {
        let whole = backup();
        let mut file = written("whole", &whole);
        let found = Found::<Label>::read(&mut file).unwrap();
        found.label.check_content(&mut file).unwrap();
        for cut in [0, 4, 8, 20, whole.len() - 3, whole.len() - 1] {
            assert!(Found::<Label>::read(&mut written("cut", &whole[..cut])).is_err(), "{cut}");
        }
        assert!(Found::<Label>::read(&mut written("short", &whole[1..])).is_err());
        let mut changed = whole;
        changed[0] ^= 1;
        assert!(found.label.check_content(&mut written("changed", &changed)).is_err());
    }

    #[test]
    fn no_byte_of_a_label_can_change() {
        let (whole, ours) = (backup(), Trust::SignedWith(vec![key()]));
        let check = |content: &[u8]| Found::<Label>::read(&mut written("label", content))?.check_signature(&ours);
        check(&whole).unwrap();
        for place in b"PGDMP...".len()..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            assert!(check(&changed).is_err(), "byte {place}");
        }
        let signature = whole.len() - " \n".len() - 64;
        let unsigned = [&whole[..signature], b"\n"].concat();
        assert!(check(&unsigned).unwrap_err().to_string().contains("no signature"));
        Found::<Label>::read(&mut written("label", &unsigned)).unwrap().check_signature(&Trust::Anything).unwrap();
    }

    #[test]
    fn another_secret_or_none_is_told_apart() {
        let refused = |keys: Vec<SigningKey>| {
            let found = Found::<Label>::read(&mut written("keys", &backup())).unwrap();
            found.check_signature(&Trust::SignedWith(keys)).unwrap_err().to_string()
        };
        assert!(refused(vec![SigningKey::of_backups(b"their secret")]).contains("another house's"));
        assert!(refused(Vec::new()).contains("no secret"));
    }
}
