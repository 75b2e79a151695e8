//! What can be done at one table, a tap each: beside the floor when a table is chosen.

use diesel_async::AsyncPgConnection;
use engine::catalogue;

use super::{Boxed, Floor, Spot};
use crate::error::ApiResult;
use crate::ids::TableId;
use crate::library::{self, TitleRow};
use crate::sittings;
use crate::tables::TableRow;
use crate::text::Lang;
use crate::variants::{self, VariantRow};

/// So many variants fit beside the floor.
const VARIANTS: i64 = 30;
/// So many boxes to lend.
const BOXES: usize = 6;
const TITLES: i64 = 200;

pub struct Sheet {
    pub table: TableId,
    /// Who scanned the code.
    pub members: Vec<String>,
    /// Rules by which a party of this size can play: the game, and the variant if it is not the basic one.
    pub rules: Vec<(&'static str, Option<VariantRow>)>,
    /// What was looked for to be lent, and what of it stands on its shelf.
    pub asked: String,
    pub lendable: Vec<Boxed>,
    /// Box games that such a party may play, to write down how it ended.
    pub titles: Vec<TitleRow>,
}

impl Sheet {
    /// None where there is no such table on the floor.
    pub async fn read(
        conn: &mut AsyncPgConnection,
        floor: &Floor,
        lang: Lang,
        (table, asked): (TableId, String),
    ) -> ApiResult<Option<Self>> {
        let Some(spot) = floor.spots.iter().find(|spot| spot.table.id == table) else { return Ok(None) };
        let (members, rules, lendable, titles) = Default::default();
        let mut sheet = Self { table, members, rules, asked, lendable, titles };
        if spot.table.out_since.is_none() {
            let game = spot.play.as_ref().map(|play| play.row.game.as_str());
            sheet.lendable = library::on_shelves(conn, lang, (&sheet.asked, game), BOXES).await?;
        }
        if let Some(sitting) = &spot.sitting {
            let members = sittings::store::list_members(conn, &[sitting.id]).await?;
            sheet.members = members.into_iter().filter(|it| !it.deleted).map(|it| it.display_name).collect();
            sheet.rules = rules_for(conn, sitting.party_size).await?;
            sheet.titles = library::list_fitting(conn, sitting.party_size, TITLES).await?;
        }
        Ok(Some(sheet))
    }
}

/// What so many can play: the house's variants, then the basic rules.
async fn rules_for(conn: &mut AsyncPgConnection, size: i16) -> ApiResult<Vec<(&'static str, Option<VariantRow>)>> {
    let published = variants::list_published(conn, VARIANTS).await?;
    let fits =
        |game: &str| catalogue::find(game).is_some_and(|it| it.info().seats.clone().any(|it| i16::from(it) == size));
    let by_variant = published.into_iter().filter_map(|variant| {
        let kind = catalogue::find(&variant.game).filter(|kind| fits(kind.info().id))?;
        Some((kind.info().id, Some(variant)))
    });
    let basic = catalogue::GAMES.iter().map(|kind| kind.info().id).filter(|id| fits(id)).map(|id| (id, None));
    Ok(by_variant.chain(basic).collect())
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
