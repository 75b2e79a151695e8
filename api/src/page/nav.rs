//! The places that staff go to, in the order of the navigation. A new one is a line here.

/// A page that the navigation leads to.
pub struct Place {
    pub path: &'static str,
    /// Of its name in the catalogues.
    pub name: &'static str,
    pub icon: &'static str,
    /// Leads there from anywhere.
    pub key: char,
}

pub const PLACES: &[Place] = &[
    Place { path: "/admin", name: "floor", icon: "floor", key: 'f' },
    Place { path: "/admin/tables", name: "tables", icon: "tables", key: 't' },
    Place { path: "/admin/matches", name: "matches", icon: "matches", key: 'm' },
];
