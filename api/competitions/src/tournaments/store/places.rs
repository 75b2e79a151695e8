//! Where everybody came in tournaments that are over.

use diesel::prelude::*;
use diesel::result::QueryResult;
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use engine::tournaments::EventPlace;

use super::Doc;
use base::ids::TournamentId;
use base::schema::tournament_places;

pub async fn put_places(conn: &mut AsyncPgConnection, id: TournamentId, places: Vec<EventPlace>) -> QueryResult<usize> {
    let places = Doc(places);
    diesel::insert_into(tournament_places::table)
        .values((tournament_places::tournament_id.eq(id), tournament_places::places.eq(&places)))
        .on_conflict(tournament_places::tournament_id)
        .do_update()
        .set(tournament_places::places.eq(&places))
        .execute(conn)
        .await
}
