//! Who is taken for the strongest, and so on down.

use std::collections::HashMap;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use serde::Deserialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::held::Held;
use super::store::{self, EntrantRow, TournamentRow};
use super::{Seeding, Tournament, TournamentId};
use crate::error::{ApiResult, invalid_field};
use crate::ids::PlayerId;
use crate::undo::Doer;

/// How seeds are to be given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeedOrder {
    pub by: Seeding,
    /// By hand: the numbers of all who have a place, the strongest first.
    #[schema(max_items = 256)]
    pub order: Option<Vec<i32>>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
}

/// Gives seeds to all who have a place. Before it starts; who comes after that is behind them, or falls in by the same rule.
pub async fn set(conn: &mut AsyncPgConnection, doer: Doer<'_>, id: TournamentId, order: &SeedOrder) -> ApiResult<()> {
    let news = conn
        .transaction(async |conn| -> ApiResult<_> {
            let mut held = Held::lock(conn, doer.world, id, order.revision).await?;
            held.expect_before_start()?;
            held.row.seeding = order.by;
            let seeds = match (order.by, &order.order) {
                (Seeding::Hand, Some(seeds)) => seeds_by_hand(&held, seeds)?,
                (Seeding::Hand, None) => return Err(invalid_field("/order", "missing_field")),
                (Seeding::Rating | Seeding::Draw, Some(_)) => return Err(invalid_field("/order", "unknown_field")),
                (Seeding::Rating | Seeding::Draw, None) => self::order(conn, &held).await?,
            };
            store::set_seeds(conn, id, &seeds).await?;
            let details = json!({ "by": order.by, "order": seeds });
            held.record(conn, doer.world, (doer.staff.id, "tournament.seed"), details).await
        })
        .await?;
    news.tell(doer.live);
    Ok(())
}

fn seeds_by_hand(whole: &Tournament, order: &[i32]) -> ApiResult<Vec<i32>> {
    let mut given = order.to_vec();
    given.sort_unstable();
    let placed: Vec<i32> = placed(whole).map(|it| it.number).collect();
    if given == placed { Ok(order.to_vec()) } else { Err(invalid_field("/order", "one_each")) }
}

/// By number.
fn placed(whole: &Tournament) -> impl Iterator<Item = &EntrantRow> {
    whole.entrants.iter().filter(|it| it.status.has_place())
}

/// Everybody who has a place, the strongest first.
pub(super) async fn order(conn: &mut AsyncPgConnection, whole: &Tournament) -> ApiResult<Vec<i32>> {
    let mut entrants: Vec<&EntrantRow> = placed(whole).collect();
    match whole.row.seeding {
        Seeding::Hand => entrants.sort_by_key(|it| (it.seed.unwrap_or(i16::MAX), it.number)),
        Seeding::Draw => entrants.sort_by_cached_key(|it| lot(&whole.row, it.number)),
        Seeding::Rating => {
            let ids: Vec<PlayerId> = entrants.iter().map(|it| it.player_id).collect();
            let ratings = store::list_ratings(conn, &whole.row.game, &ids).await?;
            let ratings: HashMap<PlayerId, i32> = ratings.into_iter().collect();
            // Who was never rated comes after those who were.
            let rating = |it: &EntrantRow| ratings.get(&it.player_id).copied().unwrap_or(i32::MIN);
            entrants.sort_by_cached_key(|it| (std::cmp::Reverse(rating(it)), lot(&whole.row, it.number)));
        }
    }
    Ok(entrants.into_iter().map(|it| it.number).collect())
}

/// The lot that this entrant draws.
fn lot(row: &TournamentRow, number: i32) -> [u8; 32] {
    Sha256::new().chain_update(row.draw.to_be_bytes()).chain_update(number.to_be_bytes()).finalize().into()
}
