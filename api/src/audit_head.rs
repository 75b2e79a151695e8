//! The newest line of the audit log, noted on this server's disk and signed with the house's key. Somebody who can change all of
//! the database still cannot change this note.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use tokio::task::JoinHandle;

use crate::cluster::create_data_dir;
use crate::files::Draft;
use base::audit::chain::{Head, NotedHead};
use base::audit::store;
use base::auth::SigningKey;
use base::db::Db;
use base::ids::{hex, unhex};
use base::stop::Stop;
use base::world::World;
use web::telemetry;

/// What is written after the last note can be changed unnoticed.
const INTERVAL: Duration = Duration::from_secs(60);

/// Where the head is noted.
pub(crate) struct Note {
    path: PathBuf,
    /// That of the current secret first.
    keys: Vec<SigningKey>,
}

impl Note {
    pub(crate) fn new(data: &Path, keys: Vec<SigningKey>) -> Self {
        Self { path: data.join("audit-head"), keys }
    }

    /// None if none was noted yet.
    pub(crate) fn read(&self) -> anyhow::Result<Option<Head>> {
        let path = self.path.display();
        let text = match fs::read_to_string(&self.path) {
            Err(err) if err.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("{path} cannot be read"))?,
        };
        let head = parse(text.trim_end(), &self.keys);
        head.map(Some).with_context(|| format!("{path} was not signed with this house's secret, or was changed since"))
    }

    pub(crate) fn write(&self, world: &World, head: Head) -> anyhow::Result<()> {
        let Some(key) = self.keys.first() else { return Ok(()) };
        if let Some(folder) = self.path.parent() {
            create_data_dir(folder)?;
        }
        let draft = Draft::create(world, &self.path)?;
        (&draft.file).write_all(line(head, key).as_bytes())?;
        draft.finish()
    }
}

fn line(head: Head, key: &SigningKey) -> String {
    let content = format!("{} {}", head.n, hex(&head.hash));
    format!("{content} {}\n", hex(&key.sign(content.as_bytes())))
}

fn parse(line: &str, keys: &[SigningKey]) -> Option<Head> {
    let (content, signature) = line.rsplit_once(' ')?;
    let is_ours = SigningKey::any_signed(keys, content.as_bytes(), &unhex(signature)?);
    let (n, hash) = content.split_once(' ').filter(|_| is_ours)?;
    Some(Head { n: n.parse().ok()?, hash: unhex(hash)?.try_into().ok()? })
}

/// Notes the head while the server runs.
pub(crate) struct Keeper {
    pub db: Db,
    pub world: World,
    pub note: Note,
    pub noted: NotedHead,
    pub stop: Stop,
}

/// What came of looking at the log once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Never,
    AsNoted,
    /// The log does not hold what was noted.
    Changed,
    Failed,
}

impl Keeper {
    /// Each outcome is logged when it comes, not every minute. A note that is not this house's stays until it is replaced by hand.
    /// What this gives ends after the last look, once the server is asked to stop.
    pub(crate) fn start(self) -> JoinHandle<()> {
        let runtime = self.db.runtime().clone();
        runtime.spawn(self.keep())
    }

    async fn keep(self) {
        match self.note.read() {
            Ok(head) => head.into_iter().for_each(|head| self.noted.set(head)),
            Err(err) => {
                tracing::error!(error = format!("{err:#}"), "reading the noted head of the audit log failed");
                return;
            }
        }
        let mut look = self.look(Look::Never).await;
        while self.stop.sleep(INTERVAL).await {
            look = self.look(look).await;
        }
        // What was done in the last minute.
        self.look(look).await;
    }

    async fn look(&self, before: Look) -> Look {
        let look = self.log_look(before).await;
        telemetry::tell_audit_log(look != Look::Changed);
        look
    }

    async fn log_look(&self, before: Look) -> Look {
        match self.note_head(before).await {
            Ok(None) => Look::AsNoted,
            Ok(Some(noted)) => {
                if before != Look::Changed {
                    tracing::error!(
                        line = noted.n,
                        "comparing the audit log with its noted head failed: the log was changed or cut off"
                    );
                }
                Look::Changed
            }
            Err(err) => {
                if before != Look::Failed {
                    tracing::warn!(error = format!("{err:#}"), "noting the head of the audit log failed");
                }
                Look::Failed
            }
        }
    }

    /// Gives what was noted, if the log does not hold it. The first note is signed with the current key, whichever signed the last.
    async fn note_head(&self, before: Look) -> anyhow::Result<Option<Head>> {
        let conn = &mut *self.db.conn().await?;
        let noted = self.noted.get();
        if let Some(noted) = noted
            && !store::has_head(conn, &noted).await?
        {
            return Ok(Some(noted));
        }
        if let Some(head) = store::head(conn).await?
            && (Some(head) != noted || before != Look::AsNoted)
        {
            self.note.write(&self.world, head)?;
            self.noted.set(head);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_is_taken_from_nobody_else() {
        let (ours, theirs) = (SigningKey::of_audit_heads(b"ours"), SigningKey::of_audit_heads(b"theirs"));
        let head = Head { n: 7, hash: [3; 32] };
        let noted = line(head, &ours);
        let noted = noted.trim_end();
        assert_eq!(parse(noted, &[theirs.clone(), ours.clone()]), Some(head));
        assert_eq!(parse(noted, &[theirs]), None);
        for changed in [noted.replacen('7', "8", 1), noted.replacen("03", "04", 1), "7".to_owned(), String::new()] {
            assert_eq!(parse(&changed, std::slice::from_ref(&ours)), None, "{changed}");
        }
    }
}
