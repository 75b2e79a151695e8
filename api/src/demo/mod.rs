//! A café to look around in: six weeks of its past and an evening in full swing, told from a seed.
//!
//! Nothing is made up that production would not have written: everything happens through the use cases of the rooms, in the
//! order of time, with a clock that stands where the story is (`story`). `script` is what the café is like, `calendar` when it is
//! open, `visits` who comes and what for, `evening`, `matches`, `errands` and
//! `tournaments` what happens then.

mod agenda;
mod calendar;
mod errands;
mod evening;
mod matches;
mod opening;
mod people;
mod script;
mod store;
mod story;
mod tale;
mod tournaments;
mod visits;

use diesel_async::{AsyncConnection, AsyncPgConnection};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use self::agenda::Agenda;
use self::calendar::Calendar;
use self::people::Cast;
use self::script::Script;
use self::story::Dice;
use self::tale::Tale;
pub(crate) use self::tale::Told;
use base::auth::{PasswordHash, Role};
use base::db;
use base::error::Result;
use base::live::Live;
use cafe::projections;
use play::matches::Autopilot;
use play::stats;
use play::tables;

/// Which café to make up.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// The same seed at the same moment makes the same café.
    pub seed: u64,
    pub weeks: u32,
    pub now: Timestamp,
    pub zone: TimeZone,
    /// Instead of the script's.
    pub owner: Option<String>,
}

/// Fills an empty database, all or nothing: how much there is then, and who signs in. None if it was not empty.
pub(crate) async fn fill(
    conn: &mut AsyncPgConnection,
    live: &Live,
    wish: Wish,
    hash: PasswordHash,
) -> Result<Option<(Told, Vec<(String, Role)>)>> {
    db::unhurried(conn.transaction(async |conn| {
        if !store::is_empty(conn).await? {
            return Ok(None);
        }
        store::be_patient(conn).await?;
        // Sums are kept by the café's days from the first on.
        stats::bring_up_to_date(conn, &wish.zone).await?;
        projections::keep_zone(conn, &wish.zone).await?;
        let mut tale = begin(live, &wish, hash)?;
        opening::open(&mut tale, conn).await?;
        tale.tell(conn).await?;
        store::analyze(conn).await?;
        while projections::update(conn).await? > 0 {}
        stats::bring_up_to_date(conn, &wish.zone).await?;
        if let Some(free) = tale.tables.iter().find(|table| table.is_free) {
            tale.told.free_table = tables::store::find(conn, free.id).await?.map(|row| row.code);
        }
        Ok(Some((tale.told, tale.script.staff.into_iter().map(|it| (it.email, it.role)).collect())))
    }))
    .await
}

fn begin(live: &Live, wish: &Wish, hash: PasswordHash) -> Result<Tale> {
    let (mut script, mut dice, mut agenda) = (Script::read()?, Dice::of(wish.seed), Agenda::default());
    if let (Some(owner), Some(given)) = (script.staff.first_mut(), &wish.owner) {
        owner.email.clone_from(given);
    }
    let calendar = Calendar::of(wish.now, wish.zone.clone());
    visits::enter(&mut agenda, &calendar, wish.weeks, wish.now, &mut dice);
    errands::enter(&mut agenda, &calendar, &script, wish.weeks, wish.now);
    Ok(Tale {
        world: story::begin(wish.seed),
        live: live.clone(),
        autopilot: Autopilot::away(),
        cast: Cast::new(hash),
        now: wish.now,
        weeks: wish.weeks,
        tables: Vec::new(),
        boxes: Vec::new(),
        rules: Vec::new(),
        parties: Vec::new(),
        told: Told::default(),
        script,
        calendar,
        dice,
        agenda,
    })
}
