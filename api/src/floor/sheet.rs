//! What can be done at one table, a tap each: beside the floor when a table is chosen.

use diesel_async::AsyncPgConnection;
use engine::catalogue;

use super::{Floor, Spot};
use crate::error::ApiResult;
use crate::ids::TableId;
use crate::sittings;
use crate::tables::TableRow;
use crate::variants::{self, VariantRow};

/// So many variants fit beside the floor.
const VARIANTS: i64 = 30;

pub struct Sheet {
    pub table: TableId,
    /// Who scanned the code.
    pub members: Vec<String>,
    /// Rules by which a party of this size can play: the game, and the variant if it is not the basic one.
    pub rules: Vec<(&'static str, Option<VariantRow>)>,
}

impl Sheet {
    /// None where there is no such table on the floor.
    pub async fn read(conn: &mut AsyncPgConnection, floor: &Floor, table: TableId) -> ApiResult<Option<Self>> {
        let Some(spot) = floor.spots.iter().find(|spot| spot.table.id == table) else { return Ok(None) };
        let Some(sitting) = &spot.sitting else {
            return Ok(Some(Self { table, members: Vec::new(), rules: Vec::new() }));
        };
        let members = sittings::store::list_members(conn, &[sitting.id]).await?;
        let members = members.into_iter().filter(|it| !it.deleted).map(|it| it.display_name).collect();
        let published = variants::list_published(conn, VARIANTS).await?;
        let size = sitting.party_size;
        let fits = |game: &str| {
            catalogue::find(game).is_some_and(|it| it.info().seats.clone().any(|it| i16::from(it) == size))
        };
        let by_variant = published.into_iter().filter_map(|variant| {
            let kind = catalogue::find(&variant.game).filter(|kind| fits(kind.info().id))?;
            Some((kind.info().id, Some(variant)))
        });
        let basic = catalogue::GAMES.iter().map(|kind| kind.info().id).filter(|id| fits(id)).map(|id| (id, None));
        Ok(Some(Self { table, members, rules: by_variant.chain(basic).collect() }))
    }
}

impl Floor {
    pub fn spot(&self, sheet: &Sheet) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.table.id == sheet.table)
    }

    /// Where this party could move to.
    pub fn free(&self) -> Vec<&TableRow> {
        let free = self.spots.iter().filter(|spot| spot.sitting.is_none() && spot.table.out_since.is_none());
        free.map(|spot| &spot.table).collect()
    }

    /// The other parties, with whom this one could sit down.
    pub fn others(&self, sheet: &Sheet) -> Vec<(&TableRow, &sittings::SittingRow)> {
        let taken = self.spots.iter().filter(|spot| spot.table.id != sheet.table);
        taken.filter_map(|spot| Some((&spot.table, spot.sitting.as_ref()?))).collect()
    }
}
