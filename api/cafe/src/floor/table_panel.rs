//! What can be done at one table, a tap each: beside the floor when a table is chosen.

use diesel_async::AsyncPgConnection;
use engine::catalogue;

use super::{Boxed, Floor, Spot, State};
use crate::claims::{self, ClaimRow};
use base::auth::{StaffContext, can};
use base::error::Result;
use base::ids::{PlayerId, TableId};
use base::text::Lang;
use play::library::{self, TitleRow};
use play::sittings::{self, MemberRow};
use play::tables::TableRow;
use play::variants::{self, VariantRow};

/// So many variants fit beside the floor.
const VARIANTS: i64 = 30;
/// So many boxes to lend.
const BOXES: usize = 6;
const TITLES: i64 = 200;

pub struct TablePanel {
    pub table: TableId,
    /// Who scanned the code.
    pub members: Vec<Present>,
    /// New phones that ask to be a guest's of the party.
    pub claims: Vec<ClaimRow>,
    /// Rules by which a party of this size can play: the game, and the variant if it is not the basic one.
    pub rules: Vec<(&'static str, Option<VariantRow>)>,
    /// What was looked for to be lent, and what of it stands on its shelf.
    pub asked: String,
    pub lendable: Vec<Boxed>,
    /// Box games that such a party may play, to write down how it ended.
    pub titles: Vec<TitleRow>,
}

/// Somebody who scanned the code.
pub struct Present {
    pub id: PlayerId,
    pub name: String,
    /// Whose name is of their own choice, and nobody's account.
    pub is_guest: bool,
}

impl TablePanel {
    /// None where there is no such table on the floor.
    pub async fn read(
        cx: &mut StaffContext<'_, can::ViewFloor>,
        floor: &Floor,
        lang: Lang,
        table: TableId,
        asked: String,
    ) -> Result<Option<Self>> {
        let now = cx.world.now();
        let conn = cx.conn().await?;
        let Some(spot) = floor.spots.iter().find(|spot| spot.table.id == table) else { return Ok(None) };
        let (members, claims, rules, lendable, titles) = Default::default();
        let mut panel = Self { table, members, claims, rules, asked, lendable, titles };
        if spot.table.out_of_service_since.is_none() {
            let game = spot.play.as_ref().map(|play| play.row.game.as_str());
            panel.lendable = library::on_shelves(conn, lang, &panel.asked, game, BOXES).await?;
        }
        if let Some(sitting) = &spot.sitting {
            let members = sittings::store::list_members(conn, &[sitting.id]).await?;
            let guests = claims::store::list_guests(conn, sitting.id).await?;
            let is_guest = |id| guests.iter().any(|(guest, _)| *guest == id);
            let present =
                |it: MemberRow| Present { id: it.player_id, is_guest: is_guest(it.player_id), name: it.display_name };
            panel.members = members.into_iter().filter(|it| !it.deleted).map(present).collect();
            panel.claims = claims::store::list_open(conn, sitting.id, now).await?;
            panel.rules = rules_for(conn, sitting.party_size).await?;
            panel.titles = library::list_fitting(conn, sitting.party_size, TITLES).await?;
        }
        Ok(Some(panel))
    }
}

/// What so many can play: the café's variants, then the basic rules.
async fn rules_for(conn: &mut AsyncPgConnection, size: i16) -> Result<Vec<(&'static str, Option<VariantRow>)>> {
    let published = variants::list_published(conn, None, VARIANTS).await?;
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
    pub fn spot(&self, panel: &TablePanel) -> Option<&Spot> {
        self.spots.iter().find(|spot| spot.table.id == panel.table)
    }

    /// Where this party could move to.
    pub fn free(&self) -> Vec<&TableRow> {
        self.spots.iter().filter(|spot| spot.state() == State::Free).map(|spot| &spot.table).collect()
    }

    /// The other parties, with whom this one could sit down.
    pub fn others(&self, panel: &TablePanel) -> Vec<(&TableRow, &sittings::SittingRow)> {
        let taken = self.spots.iter().filter(|spot| spot.table.id != panel.table);
        taken.filter_map(|spot| Some((&spot.table, spot.sitting.as_ref()?))).collect()
    }
}
