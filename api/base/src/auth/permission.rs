//! Who may do what: the one table. Use cases ask for a permission by `StaffContext<can::…>`, pages show only what can be
//! used, and `docs/security.md` shows the table.

use super::{Identity, Role};
use crate::error::{Result, forbidden};

macro_rules! permissions {
    ($(#[doc = $what:literal] $permission:ident: $least:ident,)+) => {
        /// What only people who work here do.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Permission {
            $(#[doc = $what] $permission),+
        }

        impl Permission {
            pub const ALL: &[Self] = &[$(Self::$permission),+];

            /// The lowest role that has it; every higher role has it, too.
            pub fn least(self) -> Role {
                match self {
                    $(Self::$permission => Role::$least),+
                }
            }

            /// In words, for the documentation.
            pub fn what(self) -> &'static str {
                match self {
                    $(Self::$permission => $what),+
                }
            }
        }

        /// Each permission as a type, for `StaffContext<can::…>`.
        pub mod can {
            $(
                #[doc = $what]
                #[derive(Clone, Copy, Debug)]
                pub enum $permission {}

                impl super::Grant for $permission {
                    const LEAST: super::Role = super::Role::$least;
                }
            )+
        }
    };
}

/// What a use case asks for in its signature: a permission, or `AnyStaff`.
pub trait Grant: 'static {
    /// The lowest role that has it.
    const LEAST: Role;
}

/// For what needs no permission but working here: staff and their own accounts.
#[derive(Clone, Copy, Debug)]
pub enum AnyStaff {}

impl Grant for AnyStaff {
    const LEAST: Role = Role::Staff;
}

permissions! {
    /// see the floor
    ViewFloor: Staff,
    /// seat, move, merge and close parties, keep the waiting list, answer calls, make matches for parties, and undo it
    RunFloor: Staff,
    /// make, change, order and put away tables; print their codes and the one at the door
    ManageTables: Staff,
    /// see any match as the public does
    ViewMatches: Staff,
    /// see what is hidden in a running match: with a reason, for ten minutes, told to the players
    RevealMatches: Manager,
    /// call a match off
    AbortMatches: Staff,
    /// take players off their seats in running matches, offer the seats of leavers to others
    ReplacePlayers: Staff,
    /// confirm, settle and correct results that were written down
    SettleResults: Staff,
    /// see tournaments that are drafted, and what is paired in them
    ViewTournaments: Staff,
    /// enter people in tournaments, check them in, start rounds, write down results, give tables; say what and who counts in series
    RunTournaments: Staff,
    /// make, seed, pair, publish, finish and call off tournaments, correct their results; make and end series
    ManageTournaments: Manager,
    /// write, publish and retire variants
    ManageVariants: Staff,
    /// keep the library: titles, copies, their condition; lend and take back
    ManageLibrary: Staff,
    /// find players, see their account, ratings and devices
    ViewPlayers: Staff,
    /// rename players, sign them out, merge a guest into a player
    ManagePlayers: Staff,
    /// ban players
    BanPlayers: Manager,
    /// see what the café plays, when and with whom
    ViewStats: Staff,
    /// read, check and export the audit log
    ReadAudit: Manager,
    /// see how the server is doing
    ViewOperations: Manager,
    /// change the café's name, logo, time zone, language, hours and tariff
    ChangeSettings: Manager,
    /// make webhooks, see what they were told and tell it again
    ManageWebhooks: Manager,
    /// make and revoke keys with which other services use the API
    ManageKeys: Manager,
    /// see where everybody who works here is signed in
    ViewSessions: Manager,
    /// invite staff, give them a new password, sign them out, let them go
    ManageStaff: Manager,
    /// the same with managers and owners
    AppointManagers: Owner,
}

impl Role {
    pub fn may(self, permission: Permission) -> bool {
        self >= permission.least()
    }
}

impl Identity {
    /// Refuses a role without the permission. The role is fresh in a `StaffContext`.
    pub fn may(&self, permission: Permission) -> Result<()> {
        if self.role.may(permission) { Ok(()) } else { Err(forbidden("forbidden")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [Role; 4] = [Role::Player, Role::Staff, Role::Manager, Role::Owner];

    #[test]
    fn the_documentation_shows_this_table() {
        let documented = include_str!("../../../../docs/security.md");
        for permission in Permission::ALL {
            let marks = COLUMNS.map(|role| if role.may(*permission) { "✓ |" } else { "|" });
            let line = format!("| {} | {}", permission.what().trim(), marks.join(" "));
            assert!(documented.lines().any(|it| it == line), "docs/security.md lacks {line:?}");
        }
        let said = documented.lines().skip_while(|line| *line != "## Roles").filter(|line| line.ends_with("✓ |"));
        // And the one thing that everybody may.
        assert_eq!(said.count(), Permission::ALL.len() + 1, "docs/security.md has permissions that nobody asks about");
    }

    fn read_all(folder: &std::path::Path) -> String {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries
            .map(|path| if path.is_dir() { read_all(&path) } else { std::fs::read_to_string(path).unwrap() })
            .collect()
    }

    #[test]
    fn nobody_who_does_not_work_here_may_do_any_of_it() {
        assert!(
            Permission::ALL.iter().all(|permission| !Role::Player.may(*permission) && Role::Owner.may(*permission))
        );
    }

    #[test]
    fn every_permission_is_asked_about() {
        let source = read_all(concat!(env!("CARGO_MANIFEST_DIR"), "/..").as_ref());
        let unasked: Vec<_> = Permission::ALL
            .iter()
            .filter(|permission| {
                let asked = [format!("can::{permission:?}>"), format!("may(Permission::{permission:?})")];
                !asked.iter().any(|asked| source.contains(asked))
            })
            .collect();
        assert!(unasked.is_empty(), "no use case asks for {unasked:?}");
    }
}
