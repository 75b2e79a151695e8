//! The pages of figures, each at its own address.

/// One of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tab {
    /// Who comes, and how full it is.
    House,
    Games,
    People,
}

impl Tab {
    pub(super) const ALL: [Self; 3] = [Self::House, Self::Games, Self::People];

    pub(super) fn path(self) -> &'static str {
        match self {
            Self::House => "/admin/stats",
            Self::Games => "/admin/stats/games",
            Self::People => "/admin/stats/people",
        }
    }

    /// Of its name in the catalogues.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::House => "stats-tab-house",
            Self::Games => "stats-tab-games",
            Self::People => "stats-tab-people",
        }
    }

    /// What stands on it.
    pub(super) fn sheets(self) -> &'static [&'static str] {
        match self {
            Self::House => &["days", "tables"],
            Self::Games => &["games", "length", "hours"],
            Self::People => &["returning", "seats", "orders", "roles"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::tables;

    #[test]
    fn every_figure_stands_on_one_page() {
        let mut shown: Vec<_> = Tab::ALL.iter().flat_map(|tab| tab.sheets()).copied().collect();
        let mut all = tables::ALL.to_vec();
        shown.sort_unstable();
        all.sort_unstable();
        assert_eq!(shown, all);
    }
}
