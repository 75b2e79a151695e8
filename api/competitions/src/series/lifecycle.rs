//! Making, changing and deleting series.

use diesel_async::AsyncConnection;
use serde_json::{Value, json};

use super::locked::{LockedSeries, record};
use super::promotion;
use super::request::{SeriesChange, SeriesRequest, check_rules, divisions_of};
use super::store::{self, DivisionRow, SeriesRow};
use super::{SeriesId, SeriesStatus};
use crate::tournaments::Doc;
use base::auth::{StaffContext, can};
use base::codes::new_code;
use base::db::OnConstraint;
use base::error::{Result, conflict, unauthorized};

/// A draft, which only staff know of.
pub async fn create(cx: &mut StaffContext<'_, can::ManageTournaments>, request: &SeriesRequest) -> Result<SeriesId> {
    check_rules(&request.rules)?;
    let divisions = divisions_of(&request.divisions)?;
    let (conn, actor) = cx.parts().await?;
    actor.staff.expect_in_reach(false)?;
    let row = SeriesRow {
        id: SeriesId(actor.world.uuid()),
        code: new_code(actor.world),
        name: request.name.0.clone(),
        status: SeriesStatus::Draft,
        rules: Doc(request.rules.clone()),
        previous_id: None,
        created_by: actor.staff.id,
        created_at: actor.world.now(),
        revision: 1,
    };
    conn.transaction(async |conn| -> Result<_> {
        let made = store::insert(conn, &row).await;
        made.on_constraint("series_created_by_fkey", || unauthorized("session_ended"))?;
        store::put_divisions(conn, row.id, &divisions).await?;
        let details = json!({ "rules": row.rules.0, "divisions": summary(&divisions) });
        record(conn, actor, &row, "series.create", details).await
    })
    .await?;
    Ok(row.id)
}

/// Of a season that has ended, only the status changes.
pub async fn change(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: SeriesId,
    change: &SeriesChange,
) -> Result<()> {
    edit(cx, id, change.revision, &|_, _| Ok(change.clone())).await.map(drop)
}

/// The same where it depends on how the series and its divisions are by now. Gives them as they were before.
pub async fn edit(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: SeriesId,
    expected: Option<i64>,
    edit: &(dyn Fn(&SeriesRow, &[DivisionRow]) -> Result<SeriesChange> + Sync),
) -> Result<(SeriesRow, Vec<DivisionRow>)> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| -> Result<_> {
        let mut locked = LockedSeries::lock(conn, actor, id, expected).await?;
        let (row, before) = (locked.row.clone(), store::list_divisions(conn, id).await?);
        let change = edit(&row, &before)?;
        change.rules.as_ref().map_or(Ok(()), check_rules)?;
        let divisions = change.divisions.as_deref().map(divisions_of).transpose()?;
        let old = json!({ "name": locked.row.name, "rules": locked.row.rules.0, "status": locked.row.status, "divisions": summary(&before) });
        let status = change.status.unwrap_or(locked.row.status);
        if change.is_of_rules() && !(locked.row.status == SeriesStatus::Ended && status != SeriesStatus::Ended) {
            locked.expect_open()?;
        }
        if locked.row.status == SeriesStatus::Ended
            && status != SeriesStatus::Ended
            && store::find_next(conn, id).await?.is_some()
        {
            return Err(conflict("series_continued"));
        }
        if status == SeriesStatus::Ended && locked.row.status != SeriesStatus::Ended {
            promotion::settle_people(conn, &locked).await?;
        }
        locked.row.status = status;
        if let Some(name) = &change.name {
            locked.row.name.clone_from(&name.0);
        }
        if let Some(rules) = &change.rules {
            locked.row.rules = Doc(rules.clone());
        }
        if let Some(divisions) = &divisions {
            store::put_divisions(conn, id, divisions).await?;
        }
        let after = divisions.as_deref().unwrap_or(&before);
        let new = json!({ "name": locked.row.name, "rules": locked.row.rules.0, "status": locked.row.status, "divisions": summary(after) });
        if old != new {
            locked.record(conn, actor, "series.change", json!({ "before": old, "after": new })).await?;
        }
        Ok((row, before))
    })
    .await
}

/// Only a draft: what others have seen is ended instead.
pub async fn delete(cx: &mut StaffContext<'_, can::ManageTournaments>, id: SeriesId) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| -> Result<_> {
        let locked = LockedSeries::lock(conn, actor, id, None).await?;
        if locked.row.status != SeriesStatus::Draft {
            return Err(conflict("series_not_draft"));
        }
        if store::find_next(conn, id).await?.is_some() {
            return Err(conflict("series_continued"));
        }
        store::delete(conn, id).await?;
        record(conn, actor, &locked.row, "series.delete", json!({ "code": locked.row.code })).await
    })
    .await
}

fn summary(divisions: &[DivisionRow]) -> Value {
    let one = |it: &DivisionRow| json!({ "name": it.name, "promoted": it.promoted, "relegated": it.relegated });
    divisions.iter().map(one).collect()
}

impl SeriesChange {
    fn is_of_rules(&self) -> bool {
        self.name.is_some() || self.rules.is_some() || self.divisions.is_some()
    }
}
