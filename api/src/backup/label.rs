//! The last line of a file that holds a backup or a part of one: what the file is, and the house's signature on that.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use anyhow::{Context, bail};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{PIECE, Trust};
use base::auth::SigningKey;
use base::ids::{hex, unhex};

const MARK: &str = "\nhouse-rules-backup ";
/// The last line is shorter than this.
const LABEL_MAX: u64 = 4096;

/// What labels say of one kind of file alone.
pub(crate) trait Kind: Serialize + DeserializeOwned {
    /// No kind can be taken for another.
    const FORMAT: u32;
    /// What to tell an operator about a file without a signature.
    const UNSIGNED: &str;
    /// And about one that nobody has the secret of.
    const SECRET_LOST: &str;
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Label<K> {
    format: u32,
    #[serde(flatten)]
    pub content: K,
    /// Whether what comes before this line is encrypted.
    #[serde(default)]
    pub(super) encrypted: bool,
    pub bytes: u64,
    pub sha256: String,
}

/// What was written to a file that has no label yet.
pub(super) struct Written {
    pub(super) encrypted: bool,
    pub(super) bytes: u64,
    pub(super) sha256: [u8; 32],
}

/// A label as it stands in a file, which anybody may have written.
pub(super) struct Found<K> {
    pub(super) label: Label<K>,
    text: String,
    signature: Option<Vec<u8>>,
}

impl<K: Kind> Label<K> {
    pub(super) fn new(content: K, written: &Written) -> Self {
        let Written { encrypted, bytes, sha256 } = *written;
        Self { format: K::FORMAT, content, encrypted, bytes, sha256: hex(&sha256) }
    }

    /// Ends the file with a label that says what it holds.
    pub(super) fn seal(content: K, written: &Written, key: &SigningKey, mut file: &File) -> anyhow::Result<Self> {
        let label = Self::new(content, written);
        file.write_all(label.line(key)?.as_bytes())?;
        Ok(label)
    }

    /// The signature covers the label byte for byte, and by its hash what comes before it.
    fn line(&self, key: &SigningKey) -> anyhow::Result<String> {
        let text = serde_json::to_string(self)?;
        let signature = hex(&key.sign(text.as_bytes()));
        Ok(format!("{MARK}{text} {signature}\n"))
    }

    /// Refuses a file that does not hold what the label says.
    pub(super) fn check_content(&self, file: &mut File) -> anyhow::Result<()> {
        file.rewind()?;
        let (mut hasher, mut content, mut buffer) = (Sha256::new(), file.take(self.bytes), vec![0; PIECE]);
        loop {
            match content.read(&mut buffer)? {
                0 => break,
                count => hasher.update(&buffer[..count]),
            }
        }
        let found = hex(&hasher.finalize());
        if found != self.sha256 {
            bail!("its hash is {found} and should be {}", self.sha256);
        }
        Ok(())
    }
}

impl<K: Kind> Found<K> {
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
        let label: Label<K> = serde_json::from_str(text).context("its last line is not understood")?;
        if label.format != K::FORMAT {
            bail!("it is of another kind ({})", label.format);
        }
        if label.bytes != start + mark as u64 {
            bail!("{} bytes should come before its last line, and {} do", label.bytes, start + mark as u64);
        }
        Ok(Self { label, text: text.to_owned(), signature })
    }

    /// Refuses what this house did not sign, unless the operator answers for it.
    pub(super) fn check_signature(&self, trust: &Trust) -> anyhow::Result<()> {
        let Trust::SignedWith(keys) = trust else { return Ok(()) };
        match &self.signature {
            None => bail!("it has no signature: {}", K::UNSIGNED),
            Some(_) if keys.is_empty() => bail!(
                "there is no secret to check its signature with: set HOUSERULES_SECRET to the secret of the house that \
                 made it, or copy that house's `secret` into the data directory. {}",
                K::SECRET_LOST
            ),
            Some(signature) if SigningKey::any_signed(keys, self.text.as_bytes(), signature) => Ok(()),
            Some(_) => bail!(
                "its signature was not made with this secret: it is another house's backup, or somebody changed it. Give \
                 the secret of the house that made it (HOUSERULES_SECRET, or `secret` in the data directory). {}",
                K::SECRET_LOST
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};

    use super::*;
    use crate::backup::Dump;
    use crate::backup::archive::{Base, Segment};
    use base::world::World;

    fn written(content: &[u8]) -> File {
        let path = std::env::temp_dir().join(format!("house-rules-label-{}", hex(&World::real().bytes::<8>())));
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&path).unwrap();
        fs::remove_file(path).unwrap();
        file.write_all(content).unwrap();
        file
    }

    fn key() -> SigningKey {
        SigningKey::of_backups(b"our secret")
    }

    const CONTENT: &[u8] = b"PGDMP...";

    const DUMP: &str = concat!(
        r#"{"format":1,"taken_at":"2026-11-24T12:00:00Z","program":"1","postgres":15,"migration":"1","#,
        r#""audit_lines":0,"audit_head":"","rows":7,"encrypted":false,"#
    );
    const DONE: &str = "2026-11-24T12:00:01.5Z";
    const BASE: &str = concat!(
        r#"{"format":2,"started_at":"2026-11-24T12:00:00Z","taken_at":"2026-11-24T12:00:01.5Z","program":"1","#,
        r#""postgres":15,"system":"7","encrypted":false,"#
    );
    const SEGMENT: &str = concat!(
        r#"{"format":3,"name":"00000002.history","archived_at":"2026-11-24T12:00:00Z","plain":"00","#,
        r#""encrypted":true,"#
    );

    /// Of each kind, as servers have written it. That of a base backup said no first segment at first.
    fn texts() -> [String; 3] {
        let sha256 = hex(&Sha256::digest(CONTENT));
        [DUMP, BASE, SEGMENT].map(|text| format!(r#"{text}"bytes":8,"sha256":"{sha256}"}}"#))
    }

    fn signed(text: &str) -> Vec<u8> {
        let signature = hex(&key().sign(text.as_bytes()));
        [CONTENT, format!("{MARK}{text} {signature}\n").as_bytes()].concat()
    }

    fn backup() -> Vec<u8> {
        signed(&texts()[0])
    }

    fn read<K: Kind>(content: &[u8]) -> anyhow::Result<Found<K>> {
        Found::read(&mut written(content))
    }

    /// What it says, of a file that is whole and ours.
    fn accepted<K: Kind>(text: &str) -> Label<K> {
        let mut file = written(&signed(text));
        let found = Found::<K>::read(&mut file).unwrap();
        found.check_signature(&Trust::SignedWith(vec![key()])).unwrap();
        found.label.check_content(&mut file).unwrap();
        found.label
    }

    #[test]
    fn what_earlier_servers_wrote_is_read_and_written_alike() {
        let [dump, base, segment] = texts();
        let read = accepted::<Dump>(&dump);
        assert_eq!((read.content.rows, read.encrypted), (Some(7), false));
        assert_eq!(serde_json::to_string(&read).unwrap(), dump);
        // Before these two were known.
        let older = accepted::<Dump>(&dump.replace(r#""rows":7,"encrypted":false,"#, ""));
        assert_eq!((older.content.rows, older.encrypted), (None, false));
        let older = accepted::<Base>(&base);
        assert_eq!((older.content.taken_at.to_string().as_str(), older.content.first_segment), (DONE, None));
        let first = r#""system":"7","first_segment":"000000010000000A000000FE""#;
        let base = base.replace(r#""system":"7""#, first);
        assert_eq!(serde_json::to_string(&accepted::<Base>(&base)).unwrap(), base);
        let read = accepted::<Segment>(&segment);
        assert!(read.encrypted);
        assert_eq!(serde_json::to_string(&read).unwrap(), segment);
    }

    #[test]
    fn no_kind_is_taken_for_another() {
        let [dump, base, segment] = texts().map(|text| signed(&text));
        for other in [&base, &segment] {
            assert!(read::<Dump>(other).is_err());
        }
        for other in [&dump, &segment] {
            assert!(read::<Base>(other).is_err());
        }
        for other in [&dump, &base] {
            assert!(read::<Segment>(other).is_err());
        }
        let numbered = signed(&texts()[0].replace(r#""format":1"#, r#""format":2"#));
        assert!(read::<Dump>(&numbered).err().unwrap().to_string().contains("of another kind"));
    }

    #[test]
    fn a_whole_backup_is_told_from_a_cut_or_changed_one() {
        let whole = backup();
        let mut file = written(&whole);
        let found = Found::<Dump>::read(&mut file).unwrap();
        found.label.check_content(&mut file).unwrap();
        for cut in [0, 4, 8, 20, whole.len() - 3, whole.len() - 1] {
            assert!(read::<Dump>(&whole[..cut]).is_err(), "{cut}");
        }
        assert!(read::<Dump>(&whole[1..]).is_err());
        let mut changed = whole;
        changed[0] ^= 1;
        assert!(found.label.check_content(&mut written(&changed)).is_err());
    }

    #[test]
    fn no_byte_of_a_label_can_change() {
        let (whole, ours) = (backup(), Trust::SignedWith(vec![key()]));
        let check = |content: &[u8]| read::<Dump>(content)?.check_signature(&ours);
        check(&whole).unwrap();
        for place in CONTENT.len()..whole.len() {
            let mut changed = whole.clone();
            changed[place] ^= 1;
            assert!(check(&changed).is_err(), "byte {place}");
        }
        let unsigned = without_signature(&whole);
        assert!(check(&unsigned).unwrap_err().to_string().contains("no signature"));
        read::<Dump>(&unsigned).unwrap().check_signature(&Trust::Anything).unwrap();
    }

    fn without_signature(whole: &[u8]) -> Vec<u8> {
        [&whole[..whole.len() - " \n".len() - 64], b"\n"].concat()
    }

    #[test]
    fn only_the_advice_about_a_dump_is_to_restore_it_unverified() {
        fn refusals<K: Kind>(text: &str) -> [String; 3] {
            let refused = |content: &[u8], keys: Vec<SigningKey>| {
                let found = read::<K>(content).unwrap();
                found.check_signature(&Trust::SignedWith(keys)).unwrap_err().to_string()
            };
            let whole = signed(text);
            [
                refused(&whole, vec![SigningKey::of_backups(b"their secret")]),
                refused(&whole, Vec::new()),
                refused(&without_signature(&whole), vec![key()]),
            ]
        }
        let [dump, base, segment] = texts();
        let reasons = ["another house's", "no secret", "no signature"];
        let all =
            [(refusals::<Dump>(&dump), true), (refusals::<Base>(&base), false), (refusals::<Segment>(&segment), false)];
        for (refusals, is_advised) in all {
            for (refusal, reason) in refusals.iter().zip(reasons) {
                assert!(refusal.contains(reason), "{reason}: {refusal}");
                assert_eq!(refusal.contains("--unverified"), is_advised, "{refusal}");
            }
        }
    }
}
