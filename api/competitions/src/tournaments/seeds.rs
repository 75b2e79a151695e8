//! Who is taken for the strongest, and so on down.

use diesel_async::AsyncPgConnection;
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::locked::{Change, LockedTournament};
use super::store::{self, EntrantRow, TournamentRow};
use super::{Seeding, Tournament, TournamentId, ratings};
use base::auth::{StaffContext, can};
use base::error::{Result, invalid_field};

/// How seeds are to be given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedOrder {
    pub by: Seeding,
    /// By hand: the numbers of all who have a place, the strongest first.
    #[schema(max_items = 512)]
    pub order: Option<Vec<i32>>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// Gives seeds to all who have a place. Before it starts; who comes after that is behind them, or falls in by the same rule.
pub async fn set(cx: &mut StaffContext<'_, can::ManageTournaments>, id: TournamentId, order: &SeedOrder) -> Result<()> {
    LockedTournament::change(cx, id, order.revision, "tournament.seed", async |conn, _, locked| {
        locked.expect_before_start()?;
        locked.row.seeding = order.by;
        let seeds = match (order.by, &order.order) {
            (Seeding::Hand, Some(seeds)) => seeds_by_hand(locked, seeds)?,
            (Seeding::Hand, None) => return Err(invalid_field("/order", "missing_field")),
            (Seeding::Rating | Seeding::Draw, Some(_)) => return Err(invalid_field("/order", "unknown_field")),
            (Seeding::Rating | Seeding::Draw, None) => self::order(conn, locked).await?,
        };
        store::set_seeds(conn, id, &seeds).await?;
        let details = json!({ "by": order.by, "order": seeds });
        Ok(Change::audited(details))
    })
    .await
}

fn seeds_by_hand(tournament: &Tournament, order: &[i32]) -> Result<Vec<i32>> {
    let mut given = order.to_vec();
    given.sort_unstable();
    let placed: Vec<i32> = placed(tournament).map(|it| it.number).collect();
    if given == placed { Ok(order.to_vec()) } else { Err(invalid_field("/order", "one_each")) }
}

/// By number.
fn placed(tournament: &Tournament) -> impl Iterator<Item = &EntrantRow> {
    tournament.entrants.iter().filter(|it| it.status.has_place())
}

/// Everybody who has a place, the strongest first.
pub async fn order(conn: &mut AsyncPgConnection, tournament: &Tournament) -> Result<Vec<i32>> {
    let mut entrants: Vec<&EntrantRow> = placed(tournament).collect();
    match tournament.row.seeding {
        Seeding::Hand => entrants.sort_by_key(|it| (it.seed.unwrap_or(i16::MAX), it.number)),
        Seeding::Draw => entrants.sort_by_cached_key(|it| lot(&tournament.row, it.number)),
        Seeding::Rating => {
            let ratings = ratings::of(conn, &tournament.row, &entrants).await?;
            // Who was never rated comes after those who were.
            let rating = |it: &EntrantRow| ratings.get(&it.number).copied().unwrap_or(i32::MIN);
            entrants.sort_by_cached_key(|it| (std::cmp::Reverse(rating(it)), lot(&tournament.row, it.number)));
        }
    }
    Ok(entrants.into_iter().map(|it| it.number).collect())
}

/// The lot that this entrant draws.
fn lot(row: &TournamentRow, number: i32) -> [u8; 32] {
    Sha256::new().chain_update(row.draw_seed.to_be_bytes()).chain_update(number.to_be_bytes()).finalize().into()
}
