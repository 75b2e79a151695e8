//! Being there: checking in, dropping out, not coming at all, and coming back.

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde_json::json;

use super::entrants::{let_in, let_in_late, next_round, promote};
use super::held::{Asked, Held, News};
use super::plan::takes_late_entries;
use super::store::{self, EntrantRow, ParticipantRow};
use super::{EntrantStatus, TournamentId, TournamentStatus};
use crate::error::{ApiError, ApiResult, conflict, not_found};
use crate::extract::Player;
use crate::live::Live;
use crate::undo::Doer;
use crate::world::World;

/// Who does something to an entrant: the player that it is, or staff.
#[derive(Clone, Copy)]
pub enum By<'a> {
    Oneself(&'a Player),
    Staff(&'a Player),
}

impl By<'_> {
    fn finds(self, held: &Held, number: Option<i32>) -> ApiResult<EntrantRow> {
        let found = match (self, number) {
            (Self::Oneself(player), _) => {
                held.entrant_of(player.id).filter(|_| held.row.status != TournamentStatus::Draft)
            }
            (Self::Staff(_), Some(number)) => held.entrant(number),
            (Self::Staff(_), None) => None,
        };
        found.cloned().ok_or_else(|| not_found("entrant_not_found"))
    }

    /// Tells the audit log of what staff did.
    async fn close(
        self,
        conn: &mut AsyncPgConnection,
        world: &World,
        mut held: Held,
        (action, entrant, before): (&str, i32, EntrantStatus),
    ) -> ApiResult<News> {
        match self {
            Self::Oneself(_) => {
                held.move_on(conn).await?;
                Ok(held.into_news())
            }
            Self::Staff(staff) => {
                let details = json!({ "entrant": entrant, "before": before });
                held.record(conn, world, (staff.id, action), details).await
            }
        }
    }
}

/// Whom it is about: oneself, or for staff the entrant of this number.
pub type Whom = Option<i32>;

/// Is there. Who waits for a place may get one that is left when it starts. Asking again changes nothing.
pub async fn check_in(
    conn: &mut AsyncPgConnection,
    (world, live): (&World, &Live),
    by: By<'_>,
    (id, whom): (TournamentId, Whom),
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, world, id, None).await?;
            let before = by.finds(&held, whom)?;
            match held.row.status {
                TournamentStatus::CheckIn => {}
                TournamentStatus::Draft | TournamentStatus::Registration => return Err(conflict("check_in_not_open")),
                TournamentStatus::Running | TournamentStatus::Finished | TournamentStatus::Cancelled => {
                    return Err(conflict("check_in_over"));
                }
            }
            if before.checked_in_at.is_some() && before.status != EntrantStatus::Dropped {
                return Ok(held.into_news());
            }
            let status = match before.status {
                EntrantStatus::Entered | EntrantStatus::CheckedIn => EntrantStatus::CheckedIn,
                EntrantStatus::Waiting => EntrantStatus::Waiting,
                EntrantStatus::NoShow | EntrantStatus::Dropped => return Err(conflict("entrant_out")),
            };
            let now = EntrantRow { status, checked_in_at: Some(world.now()), ..before.clone() };
            write(conn, &mut held, now).await?;
            by.close(conn, world, held, ("tournament.check_in", before.number, before.status)).await
        })
        .await?;
    news.tell(live);
    Ok(())
}

/// Is not there after all. Asking again changes nothing.
pub async fn take_back_check_in(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, number): (TournamentId, i32),
) -> ApiResult<()> {
    let by = By::Staff(doer.staff);
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, None).await?;
            let before = by.finds(&held, Some(number))?;
            held.expect_before_start()?;
            if before.checked_in_at.is_none() {
                return Ok(held.into_news());
            }
            let is_in = before.status == EntrantStatus::CheckedIn;
            let status = if is_in { EntrantStatus::Entered } else { before.status };
            write(conn, &mut held, EntrantRow { status, checked_in_at: None, ..before.clone() }).await?;
            by.close(conn, doer.world, held, ("tournament.take_back_check_in", number, before.status)).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

/// Plays no more. Before the start whoever waits longest gets the place; a bout that is published is for staff to settle.
/// Asking again changes nothing.
pub async fn drop_out(
    conn: &mut AsyncPgConnection,
    (world, live): (&World, &Live),
    by: By<'_>,
    (id, whom): (TournamentId, Whom),
) -> ApiResult<()> {
    leave(conn, (world, live), by, (id, whom), (EntrantStatus::Dropped, "tournament.drop_entrant")).await
}

/// Did not come, or did not stay. Asking again changes nothing.
pub async fn mark_no_show(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, number): (TournamentId, i32),
) -> ApiResult<()> {
    let to = (EntrantStatus::NoShow, "tournament.no_show");
    leave(conn, (doer.world, doer.live), By::Staff(doer.staff), (id, Some(number)), to).await
}

async fn leave(
    conn: &mut AsyncPgConnection,
    (world, live): (&World, &Live),
    by: By<'_>,
    (id, whom): (TournamentId, Whom),
    (status, action): (EntrantStatus, &str),
) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, world, id, None).await?;
            let before = by.finds(&held, whom)?;
            if held.row.status.is_over() {
                return Err(conflict("tournament_over"));
            }
            if before.status == status {
                return Ok(held.into_news());
            }
            let dropped_at = (status == EntrantStatus::Dropped).then(|| world.now());
            write(conn, &mut held, EntrantRow { status, dropped_at, ..before.clone() }).await?;
            match held.row.status {
                TournamentStatus::Running => stop_pairing(conn, &mut held, before.number).await?,
                _ => promote(conn, &mut held).await?,
            }
            by.close(conn, world, held, (action, before.number, before.status)).await
        })
        .await?;
    news.tell(live);
    Ok(())
}

/// The rounds for which this entrant was paired stand; there are no more.
async fn stop_pairing(conn: &mut AsyncPgConnection, held: &mut Held, entrant: i32) -> ApiResult<()> {
    let (id, stage) = (held.row.id, held.row.stage);
    let theirs = held.bouts_in(stage).filter(|bout| bout.entrants.contains(&entrant) && !held.is_drafted(bout));
    let last = theirs.map(|bout| i16::try_from(bout.key.0.round).unwrap_or(i16::MAX)).max().unwrap_or(0);
    let theirs = held.whole.participants.iter_mut().find(|it| (it.stage, it.entrant) == (stage, entrant));
    if let Some(participant) = theirs {
        participant.until_round = Some(last);
        store::set_rounds_of(conn, id, participant).await?;
        held.drop_draft(conn).await?;
    }
    Ok(())
}

/// Plays again who dropped out or had not come. Once it runs, from the next round on, as far as the format lets them.
pub async fn reinstate(
    conn: &mut AsyncPgConnection,
    doer: Doer<'_>,
    (id, number): (TournamentId, i32),
    asked: Asked,
) -> ApiResult<()> {
    let by = By::Staff(doer.staff);
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, asked).await?;
            let before = by.finds(&held, Some(number))?;
            match (held.row.status.is_over(), before.status) {
                (true, _) => return Err(conflict("tournament_over")),
                (false, EntrantStatus::NoShow | EntrantStatus::Dropped) => {}
                (false, EntrantStatus::Entered | EntrantStatus::Waiting | EntrantStatus::CheckedIn) => {
                    return Ok(held.into_news());
                }
            }
            match held.row.status {
                TournamentStatus::Running => pair_again(conn, doer.world, &mut held, &before).await?,
                _ => {
                    let is_there = before.checked_in_at.is_some();
                    let_in(conn, doer.world, &mut held, (before.player_id, is_there)).await?;
                }
            }
            by.close(conn, doer.world, held, ("tournament.reinstate", number, before.status)).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

async fn pair_again(
    conn: &mut AsyncPgConnection,
    world: &World,
    held: &mut Held,
    entrant: &EntrantRow,
) -> ApiResult<()> {
    let stage = held.row.stage;
    let theirs = held.participants.iter().find(|it| (it.stage, it.entrant) == (stage, entrant.number)).cloned();
    let Some(participant) = theirs else {
        // Did not come at first, or was not in this stage.
        let_in_late(conn, world, held, entrant.player_id).await?;
        return Ok(());
    };
    // In a bracket whoever was passed over has lost their place.
    let is_passed = |until: i16| next_round(held) > until.saturating_add(1);
    if !takes_late_entries(&held.plan_of(stage)?.format) && participant.until_round.is_some_and(is_passed) {
        return Err(conflict("too_late_to_enter"));
    }
    let back = ParticipantRow { until_round: None, ..participant };
    store::set_rounds_of(conn, held.row.id, &back).await?;
    held.drop_draft(conn).await?;
    write(conn, held, EntrantRow { status: EntrantStatus::CheckedIn, dropped_at: None, ..entrant.clone() }).await
}

/// The entrant as it is now.
async fn write(conn: &mut AsyncPgConnection, held: &mut Held, now: EntrantRow) -> ApiResult<()> {
    store::write_entrant(conn, held.row.id, &now).await?;
    let known = held.whole.entrants.iter_mut().find(|it| it.number == now.number);
    *known.ok_or_else(|| ApiError::from(diesel::result::Error::NotFound))? = now;
    Ok(())
}
