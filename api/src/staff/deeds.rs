//! Who may do what: the one table. Handlers ask it by `Player::may`, the navigation to show only what opens, and
//! `docs/security.md` shows it.

use crate::error::{ApiResult, forbidden};
use crate::extract::Player;
use crate::players::Role;

macro_rules! deeds {
    ($(#[doc = $what:literal] $deed:ident: $least:ident,)+) => {
        /// What only people who work here do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Deed {
            $(#[doc = $what] $deed),+
        }

        impl Deed {
            pub const ALL: &[Self] = &[$(Self::$deed),+];

            /// Whoever has this role or a higher one may.
            pub fn least(self) -> Role {
                match self {
                    $(Self::$deed => Role::$least),+
                }
            }

            /// In words, for the documentation.
            pub fn what(self) -> &'static str {
                match self {
                    $(Self::$deed => $what),+
                }
            }
        }
    };
}

deeds! {
    /// see the floor
    SeeFloor: Staff,
    /// seat, move, merge and close parties, answer their calls, make matches for them, and undo it
    RunFloor: Staff,
    /// make, change, order and put away tables; print their codes
    KeepTables: Staff,
    /// see any match as the public does
    SeeMatches: Staff,
    /// see what is hidden in a running match: with a reason, for ten minutes, told to the players
    RevealMatches: Manager,
    /// call a match off
    AbortMatches: Staff,
    /// take players off their seats in running matches, offer the seats of leavers to others
    ReplacePlayers: Staff,
    /// confirm, settle and correct results that were written down
    SettleResults: Staff,
    /// see tournaments that are drafted, and what is paired in them
    SeeTournaments: Staff,
    /// enter people in tournaments, check them in, start rounds, write down results, give tables
    RunTournaments: Staff,
    /// make, seed, pair, publish, finish and call off tournaments, correct their results
    KeepTournaments: Manager,
    /// write, publish and retire variants
    KeepVariants: Staff,
    /// keep the library: titles, copies, their condition; lend and take back
    KeepLibrary: Staff,
    /// find players, see their account, ratings and devices
    SeePlayers: Staff,
    /// rename players, sign them out, merge a guest into a player
    KeepPlayers: Staff,
    /// ban players
    BanPlayers: Manager,
    /// see what the café plays, when and with whom
    SeeStats: Staff,
    /// read, check and export the audit log
    ReadAudit: Manager,
    /// see how the server is doing
    SeeOperations: Manager,
    /// change the café's name, logo, time zone, language and hours
    ChangeSettings: Manager,
    /// see where everybody who works here is signed in
    SeeSessions: Manager,
    /// invite staff, give them a new password, sign them out, let them go
    KeepStaff: Manager,
    /// the same with managers and owners
    AppointManagers: Owner,
}

impl Role {
    pub fn may(self, deed: Deed) -> bool {
        self >= deed.least()
    }
}

impl Player {
    /// Refuses what this role may not do. The role is fresh where `Staff` or `Desk` was asked for.
    pub fn may(&self, deed: Deed) -> ApiResult<()> {
        if self.role.may(deed) { Ok(()) } else { Err(forbidden("forbidden")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Role; 4] = [Role::Player, Role::Staff, Role::Manager, Role::Owner];

    #[test]
    fn the_documentation_shows_this_table() {
        let documented = include_str!("../../../docs/security.md");
        for deed in Deed::ALL {
            let marks = COLUMNS.map(|role| if role.may(*deed) { "✓ |" } else { "|" });
            let line = format!("| {} | {}", deed.what().trim(), marks.join(" "));
            assert!(documented.lines().any(|it| it == line), "docs/security.md lacks {line:?}");
        }
        let said = documented.lines().skip_while(|line| *line != "## Roles").filter(|line| line.ends_with("✓ |"));
        // And the one thing that everybody may.
        assert_eq!(said.count(), Deed::ALL.len() + 1, "docs/security.md has deeds that nobody asks about");
    }

    fn read_all(folder: &std::path::Path) -> String {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| if path.is_dir() { read_all(&path) } else { std::fs::read_to_string(path).unwrap() })
            .collect()
    }

    #[test]
    fn nobody_who_does_not_work_here_may_do_any_of_it() {
        assert!(Deed::ALL.iter().all(|deed| !Role::Player.may(*deed) && Role::Owner.may(*deed)));
    }

    #[test]
    fn every_deed_is_asked_about() {
        let source = read_all(concat!(env!("CARGO_MANIFEST_DIR"), "/src").as_ref());
        let unasked: Vec<_> =
            Deed::ALL.iter().filter(|deed| !source.contains(&format!("may(Deed::{deed:?})"))).collect();
        assert!(unasked.is_empty(), "no handler asks whether one may {unasked:?}");
    }
}
