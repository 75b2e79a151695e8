//! Closing the day: what is still open, and what becomes of it. Everything that closing settles is settled by the use case that
//! it would be settled by alone, in one transaction, and is undone as one.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{AttentionItem, Boxed, Cause, Floor, Spot};
use base::auth::{Actor, Permission, StaffContext, can};
use base::error::{Result, invalid_field};
use base::ids::{CopyId, MatchId, SittingId, UndoId};
use base::settings::Prices;
use base::settings::tariff::CafeDays;
use base::undo::{Body, Change, Subject, Together, WayBack};
use competitions::tournaments::{self, TournamentRow, TournamentStatus};
use play::library::{self, CopyRow, CopyState, Transfer};
use play::matches;
use play::sittings::{self, SittingRow};

const MOST: usize = 500;
const TOURNAMENTS: i64 = 20;

/// The day as it is known now.
pub struct Day {
    /// When it began, by the opening hours.
    pub date: Date,
    pub since: Timestamp,
    pub floor: Floor,
    /// That are played.
    pub tournaments: Vec<TournamentRow>,
    pub figures: DayFigures,
}

/// What there was since the day began.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayFigures {
    pub parties: i64,
    pub people: i64,
    /// Matches that were played to their end.
    pub matches: i64,
    /// What parties owed that have left, by currency.
    pub owed: Vec<DaySum>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DaySum {
    /// As in ISO 4217.
    #[schema(example = "KRW")]
    pub currency: String,
    /// In the currency's smallest unit.
    #[schema(example = 412_000)]
    pub total: i64,
}

/// What closing settles. What is no longer open is passed over.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Closing {
    /// Parties that leave: their calls are settled, and their matches that wait are called off.
    pub sittings: Vec<SittingId>,
    /// Matches that wait at no table: they are withdrawn.
    pub matches: Vec<MatchId>,
    /// Boxes that are out.
    pub copies: Vec<BoxToSettle>,
}

/// A box that is out, and what becomes of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BoxToSettle {
    pub copy_id: CopyId,
    pub to: BoxEnd,
    /// Since when it was out where it was seen, as `GET /closing` says: one that was brought elsewhere without its party is passed over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}

base::text_enum! {
    /// What becomes of a box that is out when the day is closed.
    pub enum BoxEnd {
        /// It is back, and complete.
        Shelf = "shelf",
        /// Nobody finds it.
        Lost = "lost",
    }
}

/// How much was settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Settled {
    pub sittings: usize,
    pub matches: usize,
    pub copies: usize,
}

/// How to undo a closing: each part of it, the last first.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum ClosingUndo {
    Day { id: Uuid, parts: Vec<Value> },
}

impl Day {
    pub async fn read(cx: &mut StaffContext<'_, can::ViewFloor>, days: CafeDays<'_>, now: Timestamp) -> Result<Self> {
        let conn = cx.conn().await?;
        let floor = Floor::read_open(conn, now).await?;
        let (date, since) = (days.of(now), days.start(now));
        let running = tournaments::Filter { status: Some(TournamentStatus::Running), ..tournaments::Filter::default() };
        let tournaments = tournaments::store::list(conn, &running, TOURNAMENTS).await?;
        Ok(Self { date, since, floor, tournaments, figures: figures(conn, since).await? })
    }

    /// The parties that are here.
    pub fn parties(&self) -> impl Iterator<Item = (&Spot, &SittingRow)> {
        self.floor.spots.iter().filter_map(|spot| Some((spot, spot.sitting.as_ref()?)))
    }

    /// The boxes that are out: on tables, and in the return zone.
    pub fn boxes(&self) -> impl Iterator<Item = &Boxed> {
        self.floor.spots.iter().flat_map(|spot| &spot.boxes).chain(&self.floor.returned)
    }

    /// Results that wait for somebody's confirmation.
    pub fn results(&self) -> impl Iterator<Item = &AttentionItem> {
        self.floor.needs.iter().filter(|need| matches!(need.cause, Cause::Result { .. }))
    }

    /// How many calls and new phones wait for staff. They end with their parties.
    pub fn count_asking(&self) -> usize {
        let asks = |cause: &Cause| matches!(cause, Cause::Call { .. } | Cause::Claim(_) | Cause::Joined { .. });
        self.floor.needs.iter().filter(|need| asks(&need.cause)).count()
    }
}

async fn figures(conn: &mut AsyncPgConnection, since: Timestamp) -> Result<DayFigures> {
    let (parties, people) = sittings::store::count_since(conn, since).await?;
    let owed = sittings::store::sum_owed_since(conn, since).await?;
    let owed = owed.into_iter().map(|(currency, total)| DaySum { currency, total }).collect();
    Ok(DayFigures { parties, people, matches: matches::store::count_finished_since(conn, since).await?, owed })
}

/// Settles all of this, or nothing. No undo if nothing of it was open.
pub async fn close_day(
    cx: &mut StaffContext<'_, can::RunFloor>,
    closing: Closing,
    prices: Option<&Prices<'_>>,
) -> Result<(Settled, Option<UndoId>)> {
    for (pointer, count) in
        [("/sittings", closing.sittings.len()), ("/matches", closing.matches.len()), ("/copies", closing.copies.len())]
    {
        if count > MOST {
            return Err(invalid_field(pointer, "too_many"));
        }
    }
    if !closing.copies.is_empty() {
        cx.staff.may(Permission::ManageLibrary)?;
    }
    cx.undoable(async |conn, actor| {
        let mut together = Together::default();
        let settled = settle(conn, actor, closing, prices, &mut together).await?;
        let (parts, news) = together.into_parts();
        if parts.is_empty() {
            return Ok(Change::none(settled));
        }
        let way_back = WayBack::new("day.close", &ClosingUndo::Day { id: actor.world.uuid(), parts })?;
        Ok(Change::new(settled, way_back).telling(news))
    })
    .await
}

/// Parties first, in the order in which everybody locks them, and then what lies about.
async fn settle(
    conn: &mut AsyncPgConnection,
    actor: Actor<'_>,
    Closing { mut sittings, matches, copies }: Closing,
    prices: Option<&Prices<'_>>,
    together: &mut Together,
) -> Result<Settled> {
    let mut settled = Settled::default();
    sittings.sort_unstable();
    sittings.dedup();
    sittings::store::lock_all(conn, &sittings).await?;
    for id in sittings {
        let change = sittings::close_within(conn, actor, id, prices).await;
        settled.sittings += usize::from(together.add(conn, actor, still_open(change)?).await?);
    }
    for BoxToSettle { copy_id, to, since } in copies {
        // Somebody may have brought it elsewhere since the page was read.
        let is_there = |copy: CopyRow| {
            matches!(copy.state, CopyState::Table | CopyState::Return) && since.is_none_or(|it| it == copy.since)
        };
        if !library::store::lock_copy(conn, copy_id).await?.is_some_and(is_there) {
            continue;
        }
        let transfer = match to {
            BoxEnd::Shelf => Transfer::CheckIn,
            BoxEnd::Lost => Transfer::Lose,
        };
        let change = library::transfer_within(conn, actor, copy_id, transfer, None).await;
        settled.copies += usize::from(together.add(conn, actor, still_open(change)?).await?);
    }
    for id in matches {
        let change = matches::withdraw_within(conn, actor, id).await;
        settled.matches += usize::from(together.add(conn, actor, still_open(change)?).await?);
    }
    Ok(settled)
}

/// What somebody else has settled meanwhile is no reason to settle nothing.
fn still_open<T>(change: Result<Change<T>>) -> Result<Option<Change<T>>> {
    match change {
        Ok(change) => Ok(Some(change)),
        Err(err) if err.is_refusal() => Ok(None),
        Err(err) => Err(err),
    }
}

impl Body for ClosingUndo {
    fn subject(&self) -> Subject {
        let Self::Day { id, .. } = self;
        Subject { kind: "floor", id: *id }
    }
}
