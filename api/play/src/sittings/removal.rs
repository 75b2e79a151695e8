//! Who belongs to a party, where staff say so: somebody who came to a complete one is welcome, or is taken off it like a phone
//! that scanned the code from elsewhere, or one that does not behave.

use diesel_async::AsyncPgConnection;
use serde::{Deserialize, Serialize};

use super::change::lock;
use super::leads::{self, PassedOn};
use super::{SittingId, SittingRow, SittingState, SittingUndo, store};
use crate::players;
use base::auth::secrets::encode;
use base::auth::{Role, StaffContext, can};
use base::error::{Result, conflict, not_found};
use base::ids::{PlayerId, TableId, UndoId};
use base::settings::tariff::Headcounts;
use base::undo::{Change, MatchNews, WayBack, moved_on, restore};

#[derive(Debug, Serialize, Deserialize)]
pub struct Removed {
    pub sitting: SittingId,
    player: PlayerId,
    table: TableId,
    /// If the party had grown by them, and is as many as before: how many were there with them and without.
    #[serde(default)]
    headcounts: Option<(Headcounts, Headcounts)>,
    /// Those that they had made.
    #[serde(default)]
    matches: Vec<PassedOn>,
}

/// Somebody who came to a complete party and belongs to it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Welcomed {
    pub sitting: SittingId,
    player: PlayerId,
}

/// They belong to the party although it was complete. Asking again changes nothing.
pub async fn welcome_member(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: SittingId,
    player: PlayerId,
) -> Result<(SittingRow, Option<UndoId>)> {
    cx.undoable(async |conn, _| {
        let row = lock(conn, id).await?;
        if !store::set_uninvited(conn, id, player, false).await? {
            let is_known = store::is_member(conn, id, player).await?;
            return if is_known { Ok(Change::none(row)) } else { Err(not_found("player_not_found")) };
        }
        let welcomed = SittingUndo::Welcome(Welcomed { sitting: id, player });
        let way_back = WayBack::new("sitting.welcome", &welcomed)?.at(row.table_id);
        Ok(Change::new(row, way_back))
    })
    .await
}

/// Staff look at them again.
pub(super) async fn undo_welcome(conn: &mut AsyncPgConnection, welcomed: &Welcomed) -> Result<()> {
    let row = lock(conn, welcomed.sitting).await?;
    if row.closed_at.is_none() && store::set_uninvited(conn, welcomed.sitting, welcomed.player, true).await? {
        Ok(())
    } else {
        Err(moved_on())
    }
}

/// They leave the party and its matches that wait, cannot come back by a code, and the token that they know is worthless. Others lead
/// the matches that they made. Seats in matches that run are theirs until somebody removes them there. Asking again changes nothing.
pub async fn remove_member(
    cx: &mut StaffContext<'_, can::RunFloor>,
    id: SittingId,
    player: PlayerId,
) -> Result<(SittingRow, Option<UndoId>)> {
    cx.undoable(async |conn, actor| {
        let row = lock(conn, id).await?;
        if row.closed_at.is_some() {
            return Err(conflict("sitting_over"));
        }
        let grew = store::set_uninvited(conn, id, player, false).await? && row.party_size > 1;
        let Some(joined_at) = store::remove_member(conn, id, player, actor.world.now()).await? else {
            let is_known = store::is_removed(conn, id, player).await?;
            return if is_known { Ok(Change::none(row)) } else { Err(not_found("player_not_found")) };
        };
        let mut headcounts = None;
        if grew {
            let before = row.state();
            let with_them = before.headcounts.clone();
            let as_before = SittingState { headcounts: before.headcounts.without_one(joined_at), ..before };
            let fewer = as_before.of_people(row.party_size - 1, actor.world.now());
            store::write(conn, id, &fewer).await?;
            headcounts = Some((with_them, fewer.headcounts));
        }
        let row = store::set_token(conn, id, &encode(&actor.world.bytes::<18>())).await?;
        leads::lock_matches(conn, id).await?;
        let mut news = store::free_seats(conn, id, player).await?;
        let mut matches = Vec::new();
        // Staff may lead a match at any table.
        if players::find(conn, player).await?.role == Role::Player {
            let (passed_on, told) = leads::pass_on(conn, id, player, actor.world.now()).await?;
            matches = passed_on;
            news.extend(told);
        }
        let removed = SittingUndo::Remove(Removed { sitting: id, player, table: row.table_id, headcounts, matches });
        let way_back = WayBack::new("sitting.remove", &removed)?.at(row.table_id);
        Ok(Change::new(row, way_back).telling(news))
    })
    .await
}

/// They belong to the party again, and lead their matches. Seats that they had in matches that wait stay free. Gives the news of the
/// matches that this changed.
pub(super) async fn undo_removal(conn: &mut AsyncPgConnection, removed: &Removed) -> Result<Vec<MatchNews>> {
    let row = lock(conn, removed.sitting).await?;
    if row.closed_at.is_some() || !store::restore_member(conn, removed.sitting, removed.player).await? {
        return Err(moved_on());
    }
    if let Some((with_them, without)) = &removed.headcounts {
        let now = row.state();
        let headcounts = restore(&now.headcounts, with_them, without)?;
        store::write(conn, row.id, &SittingState { party_size: row.party_size + 1, headcounts, ..now }).await?;
        store::set_uninvited(conn, removed.sitting, removed.player, true).await?;
    }
    leads::give_back(conn, &row, removed.player, &removed.matches).await
}
