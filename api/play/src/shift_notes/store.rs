//! Rows and queries of shift notes.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};

use base::db::statement;
use base::ids::{PlayerId, ShiftNoteId};
use base::schema::shift_notes;

/// More than anybody reads at once.
const MOST_UNREAD: i64 = 50;

/// A note and who wrote it.
#[derive(Clone, Debug, QueryableByName)]
pub struct ShiftNoteRow {
    #[diesel(sql_type = SqlUuid)]
    pub id: ShiftNoteId,
    #[diesel(sql_type = Text)]
    pub text: String,
    #[diesel(sql_type = SqlUuid)]
    pub written_by: PlayerId,
    /// Of who wrote it.
    #[diesel(sql_type = Text)]
    pub name: String,
    #[diesel(sql_type = Bool)]
    pub deleted: bool,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    pub written_at: Timestamp,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    pub read_at: Option<Timestamp>,
}

pub async fn insert(
    conn: &mut AsyncPgConnection,
    id: ShiftNoteId,
    text: &str,
    by: PlayerId,
    at: Timestamp,
) -> QueryResult<usize> {
    let new = (
        shift_notes::id.eq(id),
        shift_notes::text.eq(text),
        shift_notes::written_by.eq(by),
        shift_notes::written_at.eq(SqlTimestamp::from(at)),
    );
    diesel::insert_into(shift_notes::table).values(new).execute(conn).await
}

/// All notes with who wrote them, of which `$rest` says which.
macro_rules! notes {
    ($rest:literal) => {
        concat!(
            "SELECT n.id, n.text, n.written_by, p.display_name AS name, p.deleted_at IS NOT NULL AS deleted, n.written_at, n.read_at
             FROM shift_notes n JOIN players p ON p.id = n.written_by ",
            $rest
        )
    };
}

pub async fn find(conn: &mut AsyncPgConnection, id: ShiftNoteId) -> QueryResult<Option<ShiftNoteRow>> {
    statement(notes!("WHERE n.id = $1")).bind::<SqlUuid, _>(id).get_result(conn).await.optional()
}

/// The oldest first.
pub async fn list_unread(conn: &mut AsyncPgConnection) -> QueryResult<Vec<ShiftNoteRow>> {
    let unread = statement(notes!("WHERE n.read_at IS NULL ORDER BY n.id LIMIT $1"));
    unread.bind::<BigInt, _>(MOST_UNREAD).load(conn).await
}

/// By whom and when, or that nobody has. Whether this changed anything.
pub async fn mark_read(
    conn: &mut AsyncPgConnection,
    id: ShiftNoteId,
    read: Option<(PlayerId, Timestamp)>,
) -> QueryResult<bool> {
    let set = (
        shift_notes::read_by.eq(read.map(|(by, _)| by)),
        shift_notes::read_at.eq(read.map(|(_, at)| SqlTimestamp::from(at))),
    );
    let note = shift_notes::table.find(id);
    let changed = match read {
        Some(_) => diesel::update(note.filter(shift_notes::read_at.is_null())).set(set).execute(conn).await?,
        None => diesel::update(note.filter(shift_notes::read_at.is_not_null())).set(set).execute(conn).await?,
    };
    Ok(changed == 1)
}
