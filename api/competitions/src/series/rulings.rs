//! What staff say of people in a season: that two accounts are one person or that one is its own, and who plays in which division.

use std::collections::BTreeMap;

use diesel_async::AsyncConnection;
use serde_json::json;

use super::locked::LockedSeries;
use super::request::PersonRequest;
use super::season::Season;
use super::{SeriesId, store};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict, invalid_field};
use base::ids::PlayerId;
use play::players;

/// A row of what is said: the account, the account of the same person, the division.
type Said = (PlayerId, Option<PlayerId>, Option<i16>);

pub async fn set_person(
    cx: &mut StaffContext<'_, can::RunTournaments>,
    id: SeriesId,
    player: PlayerId,
    request: &PersonRequest,
) -> Result<()> {
    let (conn, actor) = cx.parts().await?;
    conn.transaction(async |conn| -> Result<_> {
        let locked = LockedSeries::lock(conn, actor, id, request.revision).await?;
        locked.expect_open()?;
        let season = locked.read(conn).await?;
        if let Some(Some(number)) = request.division
            && season.divisions.iter().all(|it| it.number != number)
        {
            return Err(invalid_field("/division", "unknown_value"));
        }
        // Somebody may be put into a division before they play.
        let player = match season.people.account(player) {
            Some(known) => known.id,
            None => players::find(conn, player).await?.id,
        };
        let mut rows = Rows::of(&season);
        if let Some(same_as) = request.same_as {
            let other = match same_as {
                Some(other) if season.people.account(other).is_none() && other != player => {
                    return Err(invalid_field("/same_as", "unknown_value"));
                }
                other => other,
            };
            refuse_met(&season, player, other)?;
            rows.0.entry(player).or_default().0 = other;
        }
        if let Some(division) = request.division {
            let person = season.people.person_of(player).unwrap_or(player);
            for account in season.people.accounts_of(person) {
                rows.0.entry(account.id).or_default().1 = None;
            }
            rows.0.entry(person).or_default().1 = division;
        }
        let (changed, gone) = rows.since(&Rows::of(&season));
        if changed.is_empty() && gone.is_empty() {
            return Ok(());
        }
        store::put_people(conn, id, &changed).await?;
        store::delete_people(conn, id, &gone).await?;
        let details = json!({ "player": player, "same_as": request.same_as, "division": request.division });
        locked.record(conn, actor, "series.set_person", details).await
    })
    .await
}

/// Two who played in one event are not one.
fn refuse_met(season: &Season, player: PlayerId, other: Option<PlayerId>) -> Result<()> {
    let person = |it: PlayerId| season.people.person_of(it).unwrap_or(it);
    let Some(other) = other.filter(|it| person(*it) != person(player)) else { return Ok(()) };
    match season.have_met(person(player), person(other)) {
        true => Err(conflict("met_in_event")),
        false => Ok(()),
    }
}

/// What is said, by account.
#[derive(Clone, PartialEq)]
struct Rows(BTreeMap<PlayerId, (Option<PlayerId>, Option<i16>)>);

impl Rows {
    fn of(season: &Season) -> Self {
        Self(season.said.iter().map(|it| (it.account.id, (it.same_as, it.division))).collect())
    }

    /// What is to be written, and what nobody says any more.
    fn since(&self, before: &Self) -> (Vec<Said>, Vec<PlayerId>) {
        let is_new = |(id, row): &(&PlayerId, &(Option<PlayerId>, Option<i16>))| before.0.get(id) != Some(*row);
        let new: Vec<_> = self.0.iter().filter(is_new).collect();
        let says = |row: &(Option<PlayerId>, Option<i16>)| row.0.is_some() || row.1.is_some();
        let changed = new.iter().filter(|(_, row)| says(row)).map(|(id, row)| (**id, row.0, row.1)).collect();
        let gone = new.iter().filter(|(id, row)| !says(row) && before.0.contains_key(id)).map(|(id, _)| **id).collect();
        (changed, gone)
    }
}
