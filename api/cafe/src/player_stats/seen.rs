//! What a reader is told of a player's statistics: private matches count only for those who may know of them.

use std::collections::HashSet;

use diesel_async::AsyncPgConnection;

use super::store::{self, StatsRow};
use base::error::Result;
use base::ids::{MatchId, PlayerId};
use play::matches::store::Reader;

/// A player's sums as this reader may know them, the game played most first.
pub async fn list_stats(conn: &mut AsyncPgConnection, player: PlayerId, reader: Reader) -> Result<Vec<StatsRow>> {
    let mut sums = store::list_stats(conn, player).await?;
    let Some(reader) = reader.limit(player) else { return Ok(sums) };
    let hidden = store::list_hidden(conn, player, reader).await?;
    let games: HashSet<&str> = hidden.iter().map(|row| row.game.as_str()).collect();
    let matches: HashSet<MatchId> = hidden.iter().map(|row| row.match_id).collect();
    for sum in sums.iter_mut().filter(|sum| games.contains(sum.game.as_str())) {
        let mut rows = store::list_of_player(conn, player, &sum.game).await?;
        rows.retain(|row| !matches.contains(&row.match_id));
        *sum = StatsRow::of(player, &sum.game, &rows);
    }
    sums.retain(|sum| sum.matches > 0);
    sums.sort_by(|one, other| other.matches.cmp(&one.matches).then_with(|| one.game.cmp(&other.game)));
    Ok(sums)
}
