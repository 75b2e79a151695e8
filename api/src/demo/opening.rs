//! The first day: staff, tables, shelves and house rules, before the first party comes.

use diesel_async::AsyncPgConnection;

use super::script::{HouseRule, LIBRARY};
use super::tale::{Boxed, Rule, Table, Tale, pass};
use super::{script, story};
use base::auth::Identity;
use base::error::Result;
use base::error::internal;
use base::settings::{Cafe, CafeSettings, tariff};
use base::text::Lang;
use play::library;
use play::tables::plan::{self, PlacedTable, PlanRequest};
use play::tables::{self, Sign, TableId, TableRequest};
use play::variants::{self, Description, VariantName, VariantRequest, VariantStatus};

const MORNING: i16 = 10 * 60;

pub(super) async fn open(tale: &mut Tale, conn: &mut AsyncPgConnection) -> Result<()> {
    let first = tale.calendar.days(tale.weeks).first().copied();
    let first = first.ok_or_else(|| internal(anyhow::anyhow!("the demo has no days")))?;
    story::turn_to(tale.calendar.at(first, MORNING));
    tale.cast.hire(conn, &tale.world, &tale.script).await?;
    let owner = tale.cast.person(0)?.player;
    put_settings(tale, conn, &owner).await?;
    put_tables(tale, conn, &owner).await?;
    draw_plans(tale, conn, &owner).await?;
    put_shelves(tale, conn, &owner).await?;
    for number in 0..tale.script.variants.len() {
        pass(&tale.world, 240);
        let rule = write_rule(tale, conn, &owner, &tale.script.variants[number]).await?;
        tale.rules.push(rule);
    }
    tale.told.variants = tale.rules.len();
    Ok(())
}

async fn put_settings(tale: &Tale, conn: &mut AsyncPgConnection, owner: &Identity) -> Result<()> {
    pass(&tale.world, 120);
    let settings = CafeSettings {
        name: Some(tale.script.name.clone()),
        hours: tale.calendar.hours(),
        pack_logs_after_days: Some(30),
        reactions: true,
        waiting_door: true,
        ..CafeSettings::default()
    };
    base::settings::change(&mut tale.context(conn, owner)?, &Cafe::default(), settings).await?;
    pass(&tale.world, 60);
    tariff::change(&mut tale.context(conn, owner)?, &Cafe::default(), Some(tale.script.tariff.clone())).await
}

async fn put_tables(tale: &mut Tale, conn: &mut AsyncPgConnection, owner: &Identity) -> Result<()> {
    for script::Furniture { name, area, seats, .. } in &tale.script.tables {
        pass(&tale.world, 40);
        let (name, area) = (Sign(name.clone()), Some(Sign(area.clone())));
        let request = TableRequest { name, area, seats: *seats, position: None };
        let row = tables::create(&mut tale.context(conn, owner)?, &request).await?;
        tale.tables.push(Table { id: row.id, seats: usize::try_from(row.seats).unwrap_or(0), is_free: true });
    }
    tale.told.tables = tale.tables.len();
    Ok(())
}

/// Where they stand, area by area.
async fn draw_plans(tale: &Tale, conn: &mut AsyncPgConnection, owner: &Identity) -> Result<()> {
    let all = tale.script.tables.iter().zip(&tale.tables);
    let placed: Vec<_> = all.map(|(it, table)| (it.area.as_str(), place_of(it, table.id))).collect();
    for plan in plan::list(conn).await? {
        pass(&tale.world, 60);
        let here = placed.iter().filter(|(area, _)| plan.area.as_deref() == Some(*area));
        let tables = here.map(|(_, place)| *place).collect();
        let request = PlanRequest { area: plan.area.map(Sign), version: plan.version, tables };
        plan::save(&mut tale.context(conn, owner)?, &request).await?;
    }
    Ok(())
}

fn place_of(it: &script::Furniture, table_id: TableId) -> PlacedTable {
    let [x, y, width, height] = it.place;
    PlacedTable { table_id, x, y, width, height, shape: it.shape }
}

async fn put_shelves(tale: &mut Tale, conn: &mut AsyncPgConnection, owner: &Identity) -> Result<()> {
    pass(&tale.world, 300);
    let entered = library::import(&mut tale.context(conn, owner)?, Lang::Ko, LIBRARY, true).await?;
    if !entered.written {
        return Err(internal(anyhow::anyhow!("the demo's library is refused: {:?}", entered.lines)));
    }
    let number = |count: i16| usize::try_from(count).unwrap_or(0);
    let copies = library::every_copy(conn).await?;
    tale.told.titles = copies.iter().filter(|(copy, _)| copy.number == 1).count();
    // A box that the house had before it opened stays on the counter.
    let ours = copies.into_iter().filter(|(copy, _)| copy.since <= tale.world.now());
    tale.boxes = ours
        .map(|(copy, title)| Boxed {
            id: copy.id,
            players: (number(title.players_from), number(title.players_to)),
            game: title.game,
            is_on_shelf: true,
        })
        .collect();
    Ok(())
}

/// Its first version. What is to stay a draft is not published.
async fn write_rule(tale: &Tale, conn: &mut AsyncPgConnection, owner: &Identity, written: &HouseRule) -> Result<Rule> {
    let request = VariantRequest {
        game: written.game.clone(),
        name: VariantName(written.name.clone()),
        description: written.description.clone().map(Description),
        options: written.versions.first().cloned(),
    };
    let id = variants::create_as(conn, tale.actor(owner), &request).await?;
    let may_be_played = written.status != VariantStatus::Draft;
    if may_be_played {
        pass(&tale.world, 60);
        variants::publish_as(conn, tale.actor(owner), id, None).await?;
    }
    Ok(Rule { id, game: written.game.clone(), may_be_played })
}
