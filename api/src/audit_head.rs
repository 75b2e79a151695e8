//! The newest line of the audit log, noted on this server's disk and signed with the house's key. Somebody who can change all of
//! the database still cannot change this note.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use diesel::result::QueryResult;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use tokio::task::JoinHandle;

use crate::cluster::create_data_dir;
use crate::files::Draft;
use base::audit::chain::{Head, NotedHead};
use base::audit::store;
use base::auth::SigningKey;
use base::db::{Db, fixed};
use base::ids::{hex, unhex};
use base::stop::Stop;
use base::world::World;
use web::telemetry;

/// What is written after the last note can be changed unnoticed.
const INTERVAL: Duration = Duration::from_secs(60);

/// What a note says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Noted {
    pub head: Head,
    /// By which PostgreSQL tells the database of this log from all others. Notes of earlier servers do not say.
    pub database: Option<String>,
}

impl Noted {
    /// The newest line of this database's log. None before the first.
    pub(crate) async fn newest(conn: &mut AsyncPgConnection) -> QueryResult<Option<Self>> {
        match store::head(conn).await? {
            Some(head) => Ok(Some(Self { head, database: identity(conn).await })),
            None => Ok(None),
        }
    }

    pub(crate) fn is_of_same_database(&self, other: &Self) -> bool {
        self.database.is_some() && self.database == other.database
    }

    pub(crate) fn is_of_another_database(&self, other: &Self) -> bool {
        matches!((&self.database, &other.database), (Some(one), Some(other)) if one != other)
    }
}

/// None where PostgreSQL does not say: some hosts forbid it.
async fn identity(conn: &mut AsyncPgConnection) -> Option<String> {
    const IDENTITY: &str = "(SELECT system_identifier::text FROM pg_control_system()) || '/' || \
                            (SELECT oid::text FROM pg_database WHERE datname = current_database())";
    diesel::select(fixed::<Text>(IDENTITY)).get_result(conn).await.ok()
}

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
    pub(crate) fn read(&self) -> anyhow::Result<Option<Noted>> {
        let path = self.path.display();
        let text = match fs::read_to_string(&self.path) {
            Err(err) if err.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("{path} cannot be read"))?,
        };
        let noted = parse(text.trim_end(), &self.keys);
        noted.map(Some).with_context(|| format!("{path} was not signed with this house's secret, or was changed since"))
    }

    pub(crate) fn write(&self, world: &World, noted: &Noted) -> anyhow::Result<()> {
        let [key, ..] = &self.keys[..] else { return Ok(()) };
        if let Some(folder) = self.path.parent() {
            create_data_dir(folder)?;
        }
        let draft = Draft::create(world, &self.path)?;
        (&draft.file).write_all(line(noted, key).as_bytes())?;
        draft.finish()
    }
}

fn line(noted: &Noted, key: &SigningKey) -> String {
    let mut content = format!("{} {}", noted.head.n, hex(&noted.head.hash));
    if let Some(database) = &noted.database {
        content = format!("{content} {database}");
    }
    format!("{content} {}\n", hex(&key.sign(content.as_bytes())))
}

fn parse(line: &str, keys: &[SigningKey]) -> Option<Noted> {
    let (content, signature) = line.rsplit_once(' ')?;
    if !SigningKey::any_signed(keys, content.as_bytes(), &unhex(signature)?) {
        return None;
    }
    let mut words = content.split(' ');
    let head = Head { n: words.next()?.parse().ok()?, hash: unhex(words.next()?)?.try_into().ok()? };
    Some(Noted { head, database: words.next().map(str::to_owned) })
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
            Ok(Some(noted)) => {
                self.noted.set(noted.head);
                self.tell_other_database(&noted).await;
            }
            Ok(None) => {}
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

    /// A database that was moved goes on with the same log. One that was put in its place does not, and the next look finds out.
    async fn tell_other_database(&self, noted: &Noted) {
        let newest = async { anyhow::Ok(Noted::newest(&mut *self.db.conn().await?).await?) };
        if let Ok(Some(newest)) = newest.await
            && noted.is_of_another_database(&newest)
        {
            tracing::warn!("comparing the audit log with a noted head of another database");
        }
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
            self.note.write(&self.world, &Noted { head, database: identity(conn).await })?;
            self.noted.set(head);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noted(database: Option<&str>) -> Noted {
        Noted { head: Head { n: 7, hash: [3; 32] }, database: database.map(str::to_owned) }
    }

    #[test]
    fn a_note_is_taken_from_nobody_else() {
        let (ours, theirs) = (SigningKey::of_audit_heads(b"ours"), SigningKey::of_audit_heads(b"theirs"));
        let noted = noted(Some("1/5"));
        let text = line(&noted, &ours);
        let text = text.trim_end();
        assert_eq!(parse(text, &[theirs.clone(), ours.clone()]), Some(noted));
        assert_eq!(parse(text, &[theirs]), None);
        let (other, without) = (text.replacen("1/5", "1/6", 1), text.replacen(" 1/5", "", 1));
        for changed in
            [text.replacen('7', "8", 1), text.replacen("03", "04", 1), other, without, "7".to_owned(), String::new()]
        {
            assert_eq!(parse(&changed, std::slice::from_ref(&ours)), None, "{changed}");
        }
    }

    #[test]
    fn a_note_of_an_earlier_server_is_read_and_of_no_known_database() {
        let (key, old) = (SigningKey::of_audit_heads(b"ours"), noted(None));
        assert_eq!(line(&old, &key).split(' ').count(), 3);
        assert_eq!(parse(line(&old, &key).trim_end(), &[key]), Some(old.clone()));
        let (one, other) = (noted(Some("1/5")), noted(Some("1/6")));
        assert!(one.is_of_same_database(&one) && one.is_of_another_database(&other));
        for unknown in [&one, &old] {
            assert!(!old.is_of_same_database(unknown) && !old.is_of_another_database(unknown));
        }
    }
}
