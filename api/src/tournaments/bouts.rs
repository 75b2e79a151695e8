//! The matches that bouts are played as.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::held::{Asked, Held};
use super::store::{self, BoutKey};
use super::{RoundStatus, TournamentId};
use crate::error::{ApiResult, conflict, internal};
use crate::ids::{MatchId, PlayerId};
use crate::matches::{self, Arranged};
use crate::undo::Doer;
use crate::world::World;

/// Makes the match that the bout is played as, and notes where.
pub(super) async fn make_match(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    held: &mut Held,
    at: usize,
) -> ApiResult<MatchId> {
    let (row, bout) = (&held.row, &held.bouts[at]);
    let players: Vec<PlayerId> =
        bout.entrants.iter().filter_map(|entrant| held.entrant(*entrant)).map(|it| it.player_id).collect();
    if players.len() != bout.entrants.len() {
        return Err(internal(anyhow::anyhow!("an entrant of a bout is none of the tournament")));
    }
    let arranged = Arranged {
        game: &row.game,
        title: row.title.as_deref(),
        name: &row.name,
        options: &row.options,
        variant: row.variant_id.zip(row.variant_version),
        mode: row.mode,
        turn_seconds: row.turn_seconds,
        table: bout.table_id,
        players: &players,
    };
    let made = matches::arrange(conn, doer.world, doer.staff.id, &arranged).await?;
    let (id, bout) = (held.row.id, &mut held.whole.bouts[at]);
    bout.match_id = Some(made.id);
    (bout.match_code, bout.match_status) = (Some(made.code), Some(made.status));
    store::set_place(conn, id, bout).await?;
    held.news.push((made.id, made.news));
    Ok(made.id)
}

/// The bout has no match and no table any more.
pub(super) async fn take_match_away(
    conn: &mut AsyncPgConnection,
    world: &World,
    held: &mut Held,
    at: usize,
) -> ApiResult<()> {
    let (id, bout) = (held.row.id, &mut held.whole.bouts[at]);
    bout.table_id = None;
    let played = bout.match_id.take();
    (bout.match_code, bout.match_status) = (None, None);
    store::set_place(conn, id, bout).await?;
    if let Some(played) = played
        && let Some(news) = matches::call_off(conn, world, played).await?
    {
        held.news.push((played, news));
    }
    Ok(())
}

/// Another match for a bout whose match was called off before there was a result.
pub async fn play_again(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, stage, key): (TournamentId, i16, BoutKey),
    asked: Asked,
) -> ApiResult<MatchId> {
    let (made, news) = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            held.expect_running()?;
            let at = held.find_bout(stage, key)?;
            if held.bouts[at].is_over() {
                return Err(conflict("bout_over"));
            }
            if !held.bouts[at].is_deserted() {
                return Err(conflict("match_not_over"));
            }
            let made = make_match(conn, doer, &mut held, at).await?;
            let round = held.bouts[at].round;
            if held.round(stage, round).is_some_and(|it| it.status == RoundStatus::Running)
                && let Some(news) = matches::begin(conn, doer.world, made).await?
            {
                held.news.push((made, news));
            }
            let details = json!({ "stage": stage, "bout": key, "match": made });
            let news = held.record(conn, doer.world, (doer.staff.id, "tournament.play_again"), details).await?;
            Ok((made, news))
        })
        .await?;
    news.tell(doer.live);
    Ok(made)
}

/// Calls off all matches of bouts that are not over, and gives their tables back.
pub(super) async fn abandon(conn: &mut AsyncPgConnection, world: &World, held: &mut Held) -> ApiResult<()> {
    let id = held.row.id;
    for at in (0..held.bouts.len()).filter(|at| !held.bouts[*at].is_over()).collect::<Vec<_>>() {
        let bout = &mut held.whole.bouts[at];
        bout.table_id = None;
        store::set_place(conn, id, bout).await?;
        let Some(played) = bout.match_id else { continue };
        if let Some(news) = matches::call_off(conn, world, played).await? {
            held.news.push((played, news));
        }
    }
    Ok(())
}
