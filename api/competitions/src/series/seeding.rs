//! Seeds of a tournament by the table of a series.

use std::collections::BTreeMap;

use super::request::SeedingRequest;
use super::season;
use super::{SeriesId, people::People};
use crate::tournaments::{self, SeedOrder, Seeding, Tournament};
use base::auth::{StaffContext, can};
use base::error::{Result, conflict};
use base::ids::PlayerId;
use base::names;

/// Seeds all who have a place as they stand in the series, the highest division first. Who is not in it is behind, as they were.
pub async fn seed(
    cx: &mut StaffContext<'_, can::ManageTournaments>,
    id: SeriesId,
    request: &SeedingRequest,
) -> Result<()> {
    let tournament = tournaments::load_for_staff(cx, request.tournament_id).await?;
    let season = season::load(cx.conn().await?, id, true).await?;
    let mut standing: BTreeMap<PlayerId, usize> = BTreeMap::new();
    for row in season.tables()?.iter().flat_map(|table| &table.rows).filter(|row| !row.results.is_empty()) {
        let place = standing.len();
        standing.insert(row.person, place);
    }
    if standing.is_empty() {
        return Err(conflict("series_empty"));
    }
    let order = order(&tournament, &season.people, &standing);
    let revision = Some(request.revision.unwrap_or(tournament.row.revision));
    let order = SeedOrder { by: Seeding::Hand, order: Some(order), revision };
    tournaments::set_seeds(cx, request.tournament_id, &order).await
}

fn order(tournament: &Tournament, people: &People, standing: &BTreeMap<PlayerId, usize>) -> Vec<i32> {
    // A guest who was entered by name has another account in each tournament.
    let mut by_name: BTreeMap<String, Vec<PlayerId>> = BTreeMap::new();
    for person in people.all() {
        if let Some(account) = people.account(person).filter(|it| !it.registered && !it.deleted) {
            by_name.entry(names::fold(&account.name)).or_default().push(person);
        }
    }
    let of_name = |name: &str| match by_name.get(&names::fold(name)).map(Vec::as_slice) {
        Some([one]) => Some(*one),
        _ => None,
    };
    let place = |player: PlayerId, name: &str| {
        let person = people.person_of(player).or_else(|| of_name(name))?;
        standing.get(&person).copied()
    };
    let mut entrants: Vec<_> = tournament.entrants.iter().filter(|it| it.status.has_place()).collect();
    entrants.sort_by_key(|it| {
        (place(it.player_id, &it.display_name).unwrap_or(usize::MAX), it.seed.unwrap_or(i16::MAX), it.number)
    });
    entrants.into_iter().map(|it| it.number).collect()
}
