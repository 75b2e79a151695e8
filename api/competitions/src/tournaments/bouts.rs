//! The matches that bouts are played as.

use diesel_async::AsyncPgConnection;
use serde_json::json;

use super::locked::{Change, ExpectedRevision, LockedTournament};
use super::{BoutId, RoundStatus, store};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, internal};
use base::ids::{MatchId, PlayerId};
use base::world::World;
use play::matches::{self, Arranged};

/// Makes the match that the bout, or its next game, is played as, and notes where.
pub async fn make_match(
    conn: &mut AsyncPgConnection,
    world: &World,
    creator: PlayerId,
    locked: &mut LockedTournament,
    at: usize,
) -> Result<MatchId> {
    let (row, bout) = (&locked.row, &locked.bouts[at]);
    let players: Vec<PlayerId> = bout
        .seats_of(bout.games.len())
        .iter()
        .filter_map(|entrant| locked.entrant(*entrant))
        .map(|it| it.player_id)
        .collect();
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
    let made = matches::arrange(conn, world, creator, &arranged).await?;
    let (id, bout) = (locked.row.id, &mut locked.tournament.bouts[at]);
    bout.match_id = Some(made.id);
    (bout.match_code, bout.match_status) = (Some(made.code), Some(made.status));
    store::set_match_and_table(conn, id, bout).await?;
    locked.news.push((made.id, made.change_seq));
    Ok(made.id)
}

/// The same, if it can still be played: the rules of a game may take other options or numbers by now. Any other refusal is to undo all
/// that was done.
pub async fn make_match_if_playable(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    at: usize,
) -> Result<Option<MatchId>> {
    let seats = u8::try_from(locked.bouts[at].entrants.len()).map_err(internal)?;
    match matches::expect_playable(&locked.row.game, Some(&locked.row.options), seats) {
        Ok(()) => make_match(conn, world, locked.row.created_by, locked, at).await.map(Some),
        Err(err) if err.is_refusal() => Ok(None),
        Err(err) => Err(err),
    }
}

/// Takes the bout's match and table away.
pub async fn take_match_away(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    at: usize,
) -> Result<()> {
    let (id, bout) = (locked.row.id, &mut locked.tournament.bouts[at]);
    bout.table_id = None;
    let played = bout.match_id.take();
    (bout.match_code, bout.match_status) = (None, None);
    store::set_match_and_table(conn, id, bout).await?;
    if let Some(played) = played
        && let Some(news) = matches::abort_unless_over(conn, world, played).await?
    {
        locked.news.push((played, news));
    }
    Ok(())
}

/// Makes another match for a bout whose match was called off before there was a result.
pub async fn play_again(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    BoutId { tournament: id, stage, key }: BoutId,
    expected: ExpectedRevision,
) -> Result<MatchId> {
    LockedTournament::change(cx, id, expected, "tournament.play_again", async |conn, actor, locked| {
        locked.expect_running()?;
        let at = locked.find_bout(stage, key)?;
        if locked.bouts[at].is_over() {
            return Err(conflict("bout_over"));
        }
        if !locked.bouts[at].is_deserted() {
            return Err(conflict("match_not_over"));
        }
        let made = make_match(conn, actor.world, actor.staff.id, locked, at).await?;
        let round = locked.bouts[at].round;
        if locked.round(stage, round).is_some_and(|it| it.status == RoundStatus::Running)
            && let Some(news) = matches::begin(conn, actor.world, made).await?
        {
            locked.news.push((made, news));
        }
        Ok(Change::audited(json!({ "stage": stage, "bout": key, "match": made })).with(made))
    })
    .await
}

/// Calls off all matches of bouts that are not over, and gives their tables back.
pub async fn abandon(conn: &mut AsyncPgConnection, world: &World, locked: &mut LockedTournament) -> Result<()> {
    let id = locked.row.id;
    for at in (0..locked.bouts.len()).filter(|at| !locked.bouts[*at].is_over()).collect::<Vec<_>>() {
        let bout = &mut locked.tournament.bouts[at];
        bout.table_id = None;
        store::set_match_and_table(conn, id, bout).await?;
        let Some(played) = bout.match_id else { continue };
        if let Some(news) = matches::abort_unless_over(conn, world, played).await? {
            locked.news.push((played, news));
        }
    }
    Ok(())
}
