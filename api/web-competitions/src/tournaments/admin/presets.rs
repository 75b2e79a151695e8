//! Evenings that people know by name, as what they fill into the form of a new tournament.

base::text_enum! {
    /// Evenings that people know by name.
    pub enum Preset {
        Arena = "arena",
        ArenaTables = "arena_tables",
        Swiss = "swiss",
        SwissTop = "swiss_top",
        Single = "single",
        Double = "double",
        League = "league",
        GroupsTop = "groups_top",
        Pods = "pods",
        PodsTop = "pods_top",
        PodKnockout = "pod_knockout",
    }
}

impl Preset {
    /// What of the form it fills in otherwise than usual.
    pub(super) fn fields(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Arena => &[
                ("format-1", "arena"),
                ("least-1", "2"),
                ("most-1", "2"),
                ("tie-1-1", "average_points"),
                ("tie-1-2", "opponents_win_rate"),
                ("tie-1-3", "head_to_head"),
            ],
            Self::ArenaTables => ARENA_OF_TABLES,
            Self::Swiss => &[("tie-1-1", "buchholz_cut_one"), ("tie-1-2", "buchholz"), ("tie-1-3", "head_to_head")],
            Self::SwissTop => &[
                ("tie-1-1", "buchholz_cut_one"),
                ("tie-1-2", "buchholz"),
                ("tie-1-3", "seed"),
                ("advance-1", "8"),
                ("format-2", "single_elimination"),
                ("places-2", "four"),
            ],
            Self::Single => &[("format-1", "single_elimination"), ("places-1", "four")],
            Self::Double => &[("format-1", "double_elimination")],
            Self::League => &[
                ("format-1", "round_robin"),
                ("win-1", "3"),
                ("draw-1", "1"),
                ("bye-1", "0"),
                ("tie-1-1", "head_to_head"),
                ("tie-1-2", "wins"),
                ("tie-1-3", "sonneborn_berger"),
            ],
            Self::GroupsTop => &[
                ("format-1", "groups"),
                ("win-1", "3"),
                ("draw-1", "1"),
                ("bye-1", "0"),
                ("tie-1-1", "head_to_head"),
                ("tie-1-2", "wins"),
                ("tie-1-3", "seed"),
                ("advance-1", "8"),
                ("format-2", "single_elimination"),
                ("places-2", "four"),
            ],
            Self::Pods => PODS_OF_FOUR,
            Self::PodsTop => PODS_AND_FINAL,
            Self::PodKnockout => &[("format-1", "pod_knockout"), ("least-1", "3"), ("most-1", "4"), ("going-1", "2")],
        }
    }
}

const ARENA_OF_TABLES: &[(&str, &str)] = &[
    ("format-1", "arena"),
    ("minutes-1", "120"),
    ("least-1", "3"),
    ("most-1", "5"),
    ("points-1", "places"),
    ("scale-1", "5 3 2 1"),
    ("bye-1", "0"),
    ("tie-1-1", "average_points"),
    ("tie-1-2", "best_places"),
];
const PODS_OF_FOUR: &[(&str, &str)] = &[
    ("format-1", "pods"),
    ("rounds-1", "3"),
    ("least-1", "3"),
    ("most-1", "4"),
    ("points-1", "places"),
    ("scale-1", "5 3 2 1"),
    ("bye-1", "3"),
    ("tie-1-1", "best_places"),
    ("tie-1-2", "score_share"),
];
/// The best four sit at the last table.
const PODS_AND_FINAL: &[(&str, &str)] = &[
    ("format-1", "pods"),
    ("rounds-1", "3"),
    ("least-1", "3"),
    ("most-1", "4"),
    ("points-1", "places"),
    ("scale-1", "5 3 2 1"),
    ("bye-1", "3"),
    ("tie-1-1", "best_places"),
    ("tie-1-2", "score_share"),
    ("tie-1-3", "seed"),
    ("advance-1", "4"),
    ("format-2", "pod_knockout"),
    ("least-2", "4"),
    ("most-2", "4"),
    ("going-2", "1"),
];
