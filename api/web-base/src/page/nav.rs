//! The places that staff go to, in the order of the navigation. A new one is a line here.

use base::auth::Permission;
use base::auth::Role;

/// A page that the navigation leads to.
pub struct Place {
    pub group: Group,
    pub path: &'static str,
    /// Of its name in the catalogues.
    pub name: &'static str,
    pub icon: &'static str,
    /// Leads there from anywhere.
    pub key: char,
    /// People without this permission do not see the item.
    pub permission: Permission,
}

/// What belongs together. The evening's places are always in sight, the others behind "more".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What an evening needs at any moment: four at most, the room of a phone.
    Evening,
    /// What the café plays and plays with.
    House,
    /// What managers look after.
    Office,
}

const PLACES: &[Place] = &[
    place(Group::Evening, "/admin", "floor", "floor", 'f', Permission::ViewFloor),
    place(Group::Evening, "/admin/tables", "tables", "tables", 't', Permission::ManageTables),
    place(Group::Evening, "/admin/matches", "matches", "matches", 'm', Permission::ViewMatches),
    place(Group::House, "/admin/tournaments", "tournaments", "bracket", 'c', Permission::ViewTournaments),
    place(Group::House, "/admin/variants", "variants", "flag", 'v', Permission::ManageVariants),
    place(Group::House, "/admin/library", "library", "book", 'l', Permission::ManageLibrary),
    place(Group::Office, "/admin/staff", "staff", "badge", 's', Permission::ManageStaff),
    place(Group::Office, "/admin/settings", "settings", "wheel", 'e', Permission::ChangeSettings),
    place(Group::Office, "/admin/audit", "audit", "scroll", 'a', Permission::ReadAudit),
    place(Group::Office, "/admin/operations", "operations", "gauge", 'o', Permission::ViewOperations),
    place(Group::House, "/admin/players", "players-title", "people", 'p', Permission::ViewPlayers),
    place(Group::House, "/admin/leaderboards", "leaderboards", "flag", 'r', Permission::ViewPlayers),
    place(Group::House, "/admin/stats", "stats", "bars", 'n', Permission::ViewStats),
    place(Group::House, "/admin/closing", "closing", "exit", 'd', Permission::ViewFloor),
];

const fn place(
    group: Group,
    path: &'static str,
    name: &'static str,
    icon: &'static str,
    key: char,
    permission: Permission,
) -> Place {
    Place { group, path, name, icon, key, permission }
}

impl Group {
    /// Of its name in the catalogues.
    pub fn name(self) -> &'static str {
        match self {
            Self::Evening => "nav-evening",
            Self::House => "nav-house",
            Self::Office => "nav-office",
        }
    }
}

/// What of the navigation opens to this role, group by group.
pub(super) fn places(role: Role) -> Vec<(Group, Vec<&'static Place>)> {
    let of = |group| PLACES.iter().filter(|place| place.group == group && role.may(place.permission)).collect();
    let groups = [Group::Evening, Group::House, Group::Office].map(|group| (group, of(group)));
    groups.into_iter().filter(|(_, places): &(_, Vec<_>)| !places.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_phone_holds_the_evening() {
        assert!(PLACES.iter().filter(|place| place.group == Group::Evening).count() <= 4);
    }

    #[test]
    fn no_key_leads_to_two_places() {
        let keys: BTreeSet<char> = PLACES.iter().map(|place| place.key).collect();
        assert_eq!(keys.len(), PLACES.len());
    }
}
