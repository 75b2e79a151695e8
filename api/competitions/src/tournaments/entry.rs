//! Who may enter by themselves.

use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use subtle::ConstantTimeEq;

use super::store::{self, TournamentRow};
use super::{TeamName, Tournament, TournamentId, TournamentStatus};
use base::codes::{new_code, normal_code};
use base::error::{Result, conflict, forbidden, not_found};
use base::world::World;

base::text_enum! {
    /// Who may enter by themselves.
    #[derive(Default)]
    pub enum EntryMode {
        /// Everybody.
        #[default]
        Open = "open",
        /// Who has the code that staff show.
        Code = "code",
        /// Nobody: staff enter people.
        Staff = "staff",
    }
}

impl EntryMode {
    // Serde passes a reference.
    #[expect(clippy::trivially_copy_pass_by_ref)]
    pub(super) fn is_open(&self) -> bool {
        *self == Self::Open
    }

    /// The code of a tournament that becomes so.
    pub(super) fn code(self, world: &World) -> Option<String> {
        (self == Self::Code).then(|| new_code(world))
    }

    pub fn key(self) -> &'static str {
        match self {
            Self::Open => "entry-open",
            Self::Code => "entry-code",
            Self::Staff => "entry-staff",
        }
    }
}

/// What somebody says who enters by themselves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// Where teams play.
    pub team: Option<&'a TeamName>,
    /// As it was typed.
    pub code: Option<&'a str>,
}

impl TournamentRow {
    /// Refuses who may not enter by themselves with this code.
    pub fn expect_entry(&self, code: Option<&str>) -> Result<()> {
        match (self.entry, &self.entry_code) {
            (EntryMode::Open, _) => Ok(()),
            (EntryMode::Staff, _) => Err(forbidden("entry_by_staff")),
            (EntryMode::Code, known) => {
                let typed = code.map(normal_code).unwrap_or_default();
                let is_it = known.as_ref().is_some_and(|it| it.as_bytes().ct_eq(typed.as_bytes()).into());
                if is_it { Ok(()) } else { Err(forbidden("wrong_entry_code").with_field("/code", "invalid")) }
            }
        }
    }

    /// After a change: a new code if one is asked for from now on, and none if none is.
    pub(super) fn renew_entry_code(&mut self, before: EntryMode, world: &World) {
        if self.entry != before {
            self.entry_code = self.entry.code(world);
        }
    }
}

impl Tournament {
    /// Refuses while nobody enters by themselves.
    pub(super) fn expect_open_entry(&self, now: Timestamp) -> Result<()> {
        match self.row.status {
            _ if self.row.sandbox => Err(not_found("tournament_not_found")),
            TournamentStatus::Draft => Err(not_found("tournament_not_found")),
            TournamentStatus::Registration | TournamentStatus::CheckIn => Ok(()),
            // An arena takes everybody who comes.
            TournamentStatus::Running if self.row.stage == 1 && self.takes_arrivals(now) => Ok(()),
            TournamentStatus::Running | TournamentStatus::Finished | TournamentStatus::Cancelled => {
                Err(conflict("registration_over"))
            }
        }
    }

    /// Refuses a team where there are none.
    pub(super) fn expect_teams(&self) -> Result<()> {
        if self.row.team_size.is_none() { Err(conflict("plays_without_teams")) } else { Ok(()) }
    }
}

/// Refuses what is sure to be refused of somebody who has not entered, before they are made an account.
pub async fn expect_entry(
    conn: &mut AsyncPgConnection,
    id: TournamentId,
    Entry { team, code }: Entry<'_>,
    now: Timestamp,
) -> Result<()> {
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("tournament_not_found"))?;
    let tournament = Tournament::read(conn, row).await?;
    tournament.expect_open_entry(now)?;
    tournament.row.expect_entry(code)?;
    let Some(TeamName(team)) = team else { return Ok(()) };
    tournament.expect_teams()?;
    // Who has not entered has no number.
    if tournament.has_room_in(0, team) { Ok(()) } else { Err(conflict("team_full")) }
}
