//! Rows and queries of who accounts are elsewhere.

use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::Timestamp as SqlTimestamp;

use super::Elsewhere;
use base::ids::PlayerId;
use base::schema::sign_in_identities as identities;

/// Until the transaction ends, nobody else makes or links an account of this person.
pub async fn lock(conn: &mut AsyncPgConnection, elsewhere: &Elsewhere) -> QueryResult<()> {
    let lock = diesel::sql_query("SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0))");
    lock.bind::<Text, _>(&elsewhere.issuer).bind::<Text, _>(&elsewhere.subject).execute(conn).await.map(|_| ())
}

pub async fn find(conn: &mut AsyncPgConnection, elsewhere: &Elsewhere) -> QueryResult<Option<PlayerId>> {
    let known = identities::table.find((&elsewhere.issuer, &elsewhere.subject));
    known.select(identities::player_id).first(conn).await.optional()
}

pub async fn has_of_issuer(conn: &mut AsyncPgConnection, player: PlayerId, issuer: &str) -> QueryResult<bool> {
    let theirs = identities::table.filter(identities::player_id.eq(player)).filter(identities::issuer.eq(issuer));
    diesel::select(diesel::dsl::exists(theirs)).get_result(conn).await
}

pub async fn insert(
    conn: &mut AsyncPgConnection,
    elsewhere: &Elsewhere,
    player: PlayerId,
    now: Timestamp,
) -> QueryResult<usize> {
    let new = (
        identities::issuer.eq(&elsewhere.issuer),
        identities::subject.eq(&elsewhere.subject),
        identities::player_id.eq(player),
        identities::created_at.eq(SqlTimestamp::from(now)),
    );
    diesel::insert_into(identities::table).values(new).execute(conn).await
}

/// Providers by which this player signs in, with who they are there.
pub async fn list(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<Vec<(String, String)>> {
    let theirs = identities::table.filter(identities::player_id.eq(player)).order(identities::issuer);
    theirs.select((identities::issuer, identities::subject)).load(conn).await
}

pub async fn delete(conn: &mut AsyncPgConnection, player: PlayerId, issuer: &str) -> QueryResult<usize> {
    let one = identities::table.filter(identities::player_id.eq(player)).filter(identities::issuer.eq(issuer));
    diesel::delete(one).execute(conn).await
}

pub async fn forget(conn: &mut AsyncPgConnection, player: PlayerId) -> QueryResult<usize> {
    diesel::delete(identities::table.filter(identities::player_id.eq(player))).execute(conn).await
}
