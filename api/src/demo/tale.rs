//! The story as far as it has been told: what stands where, who is there, and what is still to happen.

use std::fmt;

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use super::agenda::{Agenda, Deed};
use super::calendar::Calendar;
use super::people::Cast;
use super::script::Script;
use super::story::{self, Dice};
use super::tournaments::Contest;
use super::{errands, evening, matches, tournaments};
use crate::error::{ApiResult, internal};
use crate::extract::Player;
use crate::ids::{CopyId, SittingId, TableId, VariantId};
use crate::live::Live;
use crate::matches::House;
use crate::players::Role;
use crate::undo::Doer;
use crate::world::World;

pub(super) struct Tale {
    pub world: World,
    pub live: Live,
    pub house: House,
    pub script: Script,
    pub calendar: Calendar,
    pub dice: Dice,
    pub cast: Cast,
    pub agenda: Agenda,
    /// When the demo is looked at: later nothing happens.
    pub now: Timestamp,
    pub weeks: u32,
    pub tables: Vec<Table>,
    pub boxes: Vec<Boxed>,
    pub rules: Vec<Rule>,
    pub parties: Vec<Party>,
    pub told: Told,
}

/// How much there was of what.
#[derive(Clone, Copy, Debug, Default)]
pub struct Told {
    pub tables: usize,
    pub titles: usize,
    pub variants: usize,
    pub people: usize,
    pub sittings: usize,
    pub matches: usize,
    /// Of these, how many run.
    pub running: usize,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tables, titles, variants, people, sittings, matches, running } = self;
        write!(f, "{tables} tables, {titles} titles, {variants} variants, {people} people, {sittings} parties, ")?;
        write!(f, "{matches} matches, of which {running} run now")
    }
}

pub(super) struct Table {
    pub id: TableId,
    pub seats: usize,
    pub is_free: bool,
}

/// A copy of a title.
pub(super) struct Boxed {
    pub id: CopyId,
    pub players: (usize, usize),
    /// If it is one of the house's games.
    pub game: Option<String>,
    pub is_on_shelf: bool,
}

/// A variant of the script, once it was written.
pub(super) struct Rule {
    pub id: VariantId,
    pub game: String,
    pub may_be_played: bool,
}

pub(super) struct Party {
    pub sitting: SittingId,
    pub table: usize,
    pub size: usize,
    /// Those with a phone in hand.
    pub members: Vec<usize>,
    pub visit: super::visits::Visit,
    /// Of their match that is played now.
    pub busy_until: Timestamp,
    pub copy: Option<CopyId>,
    pub is_here: bool,
}

impl Tale {
    /// Tells all of it.
    pub(super) async fn tell(&mut self, conn: &mut AsyncPgConnection) -> ApiResult<()> {
        while let Some((at, deed)) = self.agenda.next(self.now) {
            story::turn_to(at);
            self.perform(conn, deed).await?;
        }
        story::turn_to(self.now);
        for contest in [Contest::Tonight, Contest::Coming] {
            tournaments::hold(self, conn, contest).await?;
        }
        self.cast.begin_shift(conn, &self.world, &self.script).await?;
        self.told.people = self.cast.count();
        Ok(())
    }

    async fn perform(&mut self, conn: &mut AsyncPgConnection, deed: Deed) -> ApiResult<()> {
        match deed {
            Deed::Arrive(visit) => evening::arrive(self, conn, visit).await,
            Deed::Lend { party } => evening::lend(self, conn, party).await,
            Deed::Handle { copy, errand } => errands::handle(self, conn, copy, errand).await,
            Deed::Call { party, want } => evening::call(self, conn, party, want).await,
            Deed::Answer { id, status } => evening::answer(self, conn, id, status).await,
            Deed::Closing { party } => evening::be_closing(self, conn, party).await,
            Deed::Leave { party } => evening::leave(self, conn, party).await,
            Deed::CloseUp => evening::close_up(self, conn).await,
            Deed::Play { party } => matches::play(self, conn, party).await,
            Deed::Resign { party, id, who } => matches::resign(self, conn, (party, id), who).await,
            Deed::Abort { id } => matches::abort(self, conn, id).await,
            Deed::Lobby { number } => matches::wait_for_others(self, conn, number).await,
            Deed::NextVersion { rule } => errands::write_version(self, conn, rule).await,
            Deed::Publish { rule } => errands::publish(self, conn, rule).await,
            Deed::Retire { rule } => errands::retire(self, conn, rule).await,
            Deed::Note => errands::note(self, conn).await,
            Deed::SettleNote { id } => errands::settle_note(self, conn, id).await,
            Deed::Mishap(errand) => errands::mishap(self, conn, errand).await,
            Deed::LendAnother => errands::lend_another(self, conn).await,
            Deed::OutOfService => errands::take_out_of_service(self, conn).await,
            Deed::Tournament(contest) => tournaments::hold(self, conn, contest).await,
            Deed::Ban => errands::ban(self, conn).await,
            Deed::Merge => errands::merge(self, conn).await,
        }
    }

    pub(super) fn enter_in(&mut self, seconds: usize, deed: Deed) {
        self.agenda.enter(self.world.now() + SignedDuration::from_secs(seconds as i64), deed);
    }

    /// Somebody at work, of this role at least.
    pub(super) fn staff(&mut self, role: Role) -> ApiResult<Player> {
        self.cast.at_work(&mut self.dice, role)
    }

    pub(super) fn doer<'a>(&'a self, staff: &'a Player) -> Doer<'a> {
        Doer { world: &self.world, live: &self.live, staff }
    }

    pub(super) fn party(&self, number: usize) -> ApiResult<&Party> {
        self.parties
            .get(number)
            .ok_or_else(|| internal(anyhow::anyhow!("no party of the demo has the number {number}")))
    }
}

/// The clock goes on a little while something takes its time.
pub(super) fn pass(world: &World, seconds: usize) {
    story::turn_to(world.now() + SignedDuration::from_secs(seconds as i64));
}
