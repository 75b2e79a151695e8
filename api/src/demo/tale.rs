//! The story as far as it has been told: what stands where, who is there, and what is still to happen.

use std::fmt;

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use super::agenda::{Agenda, Task};
use super::calendar::Calendar;
use super::people::Cast;
use super::script::Script;
use super::story::{self, Dice};
use super::tournaments::Contest;
use super::{errands, evening, matches, tournaments};
use base::auth::{Actor, Grant, Identity, Role, StaffContext, StaffMember};
use base::error::Result;
use base::error::internal;
use base::ids::{CopyId, SittingId, TableId, VariantId};
use base::live::Live;
use base::world::World;
use play::matches::Autopilot;

pub(super) struct Tale {
    pub world: World,
    pub live: Live,
    pub autopilot: Autopilot,
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
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub tables: usize,
    pub titles: usize,
    pub variants: usize,
    pub people: usize,
    pub sittings: usize,
    pub matches: usize,
    /// Of these, how many run.
    pub running: usize,
    /// The code of a table at which nobody sits.
    pub free_table: Option<String>,
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tables, titles, variants, people, sittings, matches, running, .. } = self;
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
    pub(super) async fn tell(&mut self, conn: &mut AsyncPgConnection) -> Result<()> {
        while let Some((at, task)) = self.agenda.next(self.now) {
            story::turn_to(at);
            self.perform(conn, task).await?;
        }
        story::turn_to(self.now);
        for contest in [Contest::Tonight, Contest::Coming] {
            tournaments::hold(self, conn, contest).await?;
        }
        self.cast.begin_shift(conn, &self.world, &self.script).await?;
        self.told.people = self.cast.count();
        Ok(())
    }

    async fn perform(&mut self, conn: &mut AsyncPgConnection, task: Task) -> Result<()> {
        match task {
            Task::Arrive(visit) => evening::arrive(self, conn, visit).await,
            Task::Lend { party } => evening::lend(self, conn, party).await,
            Task::Handle { copy, errand } => errands::handle(self, conn, copy, errand).await,
            Task::Call { party, want } => evening::call(self, conn, party, want).await,
            Task::Answer { id, status } => evening::answer(self, conn, id, status).await,
            Task::Closing { party } => evening::be_closing(self, conn, party).await,
            Task::Leave { party } => evening::leave(self, conn, party).await,
            Task::CloseUp => evening::close_up(self, conn).await,
            Task::Play { party } => matches::play(self, conn, party).await,
            Task::Resign { party, id, who } => matches::resign(self, conn, party, id, who).await,
            Task::Abort { id } => matches::abort(self, conn, id).await,
            Task::Lobby { number } => matches::wait_for_others(self, conn, number).await,
            Task::NextVersion { rule } => errands::write_version(self, conn, rule).await,
            Task::Publish { rule } => errands::publish(self, conn, rule).await,
            Task::Retire { rule } => errands::retire(self, conn, rule).await,
            Task::Note => errands::note(self, conn).await,
            Task::SettleNote { id } => errands::settle_note(self, conn, id).await,
            Task::Mishap(errand) => errands::mishap(self, conn, errand).await,
            Task::LendAnother => errands::lend_another(self, conn).await,
            Task::OutOfService => errands::take_out_of_service(self, conn).await,
            Task::Tournament(contest) => tournaments::hold(self, conn, contest).await,
            Task::Ban => errands::ban(self, conn).await,
            Task::Merge => errands::merge(self, conn).await,
        }
    }

    pub(super) fn enter_in(&mut self, seconds: usize, task: Task) {
        self.agenda.enter(self.world.now() + SignedDuration::from_secs(seconds as i64), task);
    }

    /// Somebody at work, of this role at least.
    pub(super) fn staff(&mut self, role: Role) -> Result<Identity> {
        self.cast.at_work(&mut self.dice, role)
    }

    /// What a use case of staff asks for.
    pub(super) fn context<'c, P: Grant>(
        &self,
        conn: &'c mut AsyncPgConnection,
        staff: &Identity,
    ) -> Result<StaffContext<'c, P>> {
        StaffContext::borrowing(conn, self.world, &self.live, &StaffMember::at_console(*staff, String::new()))
    }

    pub(super) fn actor<'a>(&'a self, staff: &'a Identity) -> Actor<'a> {
        Actor { world: &self.world, live: &self.live, staff }
    }

    pub(super) fn party(&self, number: usize) -> Result<&Party> {
        self.parties
            .get(number)
            .ok_or_else(|| internal(anyhow::anyhow!("no party of the demo has the number {number}")))
    }
}

/// The clock goes on a little while something takes its time.
pub(super) fn pass(world: &World, seconds: usize) {
    story::turn_to(world.now() + SignedDuration::from_secs(seconds as i64));
}
