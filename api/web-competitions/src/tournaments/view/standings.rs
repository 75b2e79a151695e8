//! The standings as a table, with what tells equals apart.

use engine::tournaments::{GroupPlace, MemberRow, Prospect, StandingsRow, TieBreak};

use super::TournamentView;
use crate::tournaments::view::TournamentWords;
use web_base::error::ApiResult;
use web_base::page::Page;

/// Who stands where.
pub(in crate::tournaments) struct Table {
    pub tie_breaks: Vec<Column>,
    pub rows: Vec<Row>,
    /// Whether anybody shared a first place.
    pub has_draws: bool,
    /// So many of the best go on.
    pub advance: Option<u16>,
    /// The names of equals through whom that line goes.
    pub at_line: Vec<String>,
}

/// A tie-break at the head of its column.
#[derive(Clone)]
pub(in crate::tournaments) struct Column {
    pub name: String,
    pub meaning: String,
}

#[derive(Clone)]
pub(in crate::tournaments) struct Row {
    /// None for those who still play about it.
    pub rank: Option<u32>,
    pub number: i32,
    pub name: String,
    pub played: u16,
    pub wins: u16,
    pub draws: u16,
    pub losses: u16,
    pub points: String,
    pub tie_breaks: Vec<String>,
    pub is_out: bool,
    /// The last one who goes on, as it stands.
    pub is_last_on: bool,
    /// The name of the group that begins with this row.
    pub heads: Option<String>,
    /// Whether they go on from their group, as it stands.
    pub goes_on: bool,
    /// The key of the words for what is sure of them already: that they go on, or that they do not.
    pub prospect: Option<&'static str>,
    /// Of a team, in the order of their boards.
    pub members: Vec<Member>,
    /// Points given or taken away, each with its reason.
    pub adjustments: Vec<String>,
}

/// What somebody did for their team.
#[derive(Clone)]
pub(in crate::tournaments) struct Member {
    pub number: i32,
    pub name: String,
    pub points: String,
    pub played: u16,
    pub wins: u16,
    pub draws: u16,
    pub losses: u16,
}

impl Row {
    /// Whether this is the entrant, or their team.
    pub(in crate::tournaments) fn is_of(&self, number: i32) -> bool {
        self.number == number || self.members.iter().any(|it| it.number == number)
    }
}

impl Table {
    pub(super) fn of(page: &Page, view: &TournamentView, stage: i16) -> ApiResult<Self> {
        let plan = view.plan_of(stage)?;
        let (standings, prospects) = (view.standings(stage)?, view.prospects(stage)?);
        let column = |it: &TieBreak| Column {
            name: page.t(&format!("tie-break-{}", it.key())),
            meaning: page.t(&format!("tie-break-{}-help", it.key())),
        };
        // In a knock-out those who are still in share the first place until they meet, and others play on for the places behind.
        let is_open = plan.format.is_knockout() && !view.row.status.is_over();
        let share = |rank: u32| standings.iter().filter(|it| it.rank == rank && !it.is_out).count();
        let is_undecided = |it: &StandingsRow| is_open && !it.is_out && (it.rank > 1 || share(it.rank) > 1);
        // Nor is anybody first before the first result.
        let has_results = standings.iter().any(|it| it.played > 0 || it.points != 0);
        let row = |(at, it): (usize, &StandingsRow)| {
            let number = i32::try_from(it.entrant).unwrap_or(0);
            let member = |it: &MemberRow| {
                let number = i32::try_from(it.entrant).unwrap_or(0);
                let MemberRow { played, wins, draws, losses, points, .. } = *it;
                let points = page.points(points);
                Member { number, name: view.name(&number), points, played, wins, draws, losses }
            };
            let values = plan.tie_breaks.iter().zip(&it.tie_breaks);
            Row {
                rank: Some(it.group.map_or(it.rank, |place| place.rank)).filter(|_| has_results && !is_undecided(it)),
                number,
                name: view.standing_name(&number),
                played: it.played,
                wins: it.wins,
                draws: it.draws,
                losses: it.losses,
                points: page.points(it.points),
                tie_breaks: values.map(|(tie_break, value)| tie_break.words(page, *value)).collect(),
                is_out: it.is_out,
                is_last_on: it.group.is_none() && plan.advance.is_some_and(|advance| at + 1 == usize::from(advance)),
                heads: None,
                goes_on: it.group.is_some() && plan.advance.is_some_and(|advance| at < usize::from(advance)),
                prospect: prospects.get(&it.entrant).copied().map(prospect_key),
                members: it.members.iter().map(member).collect(),
                adjustments: view
                    .adjustments_of(stage, it)
                    .map(|it| format!("{} {}", signed(page, it.points), it.reason))
                    .collect(),
            }
        };
        Ok(Self {
            tie_breaks: plan.tie_breaks.iter().map(column).collect(),
            has_draws: standings.iter().any(|it| it.draws > 0 || it.members.iter().any(|it| it.draws > 0)),
            rows: by_group(page, &standings, standings.iter().enumerate().map(row).collect()),
            advance: plan.advance,
            at_line: at_line(view, stage)?,
        })
    }
}

/// Points with their sign.
pub(in crate::tournaments) fn signed(page: &Page, hundredths: i32) -> String {
    let plus = if hundredths > 0 { "+" } else { "" };
    format!("{plus}{}", page.points(hundredths))
}

/// Group after group where there are groups, the first row of each with its name.
fn by_group(page: &Page, standings: &[StandingsRow], rows: Vec<Row>) -> Vec<Row> {
    let mut rows: Vec<(Option<GroupPlace>, Row)> = standings.iter().map(|it| it.group).zip(rows).collect();
    rows.sort_by_key(|(place, _)| *place);
    let mut last = None;
    let named = |(place, row): (Option<GroupPlace>, Row)| {
        let group = place.map(|it| it.group);
        let is_new = std::mem::replace(&mut last, group) != group;
        Row { heads: group.filter(|_| is_new).map(|group| page.group(group)), ..row }
    };
    rows.into_iter().map(named).collect()
}

/// Of the stage that is played, once anything was.
fn at_line(view: &TournamentView, stage: i16) -> ApiResult<Vec<String>> {
    let is_played =
        stage == view.row.stage && !view.is_last_stage() && view.bouts_in(stage).any(|bout| bout.result.is_some());
    let equals = if is_played { view.line()?.equals } else { Vec::new() };
    Ok(equals.iter().map(|it| view.standing_name(it)).collect())
}

impl Table {
    /// How many columns it has.
    pub(in crate::tournaments) fn columns(&self) -> usize {
        5 + self.tie_breaks.len()
    }

    /// These rows of it, without what is said below the whole.
    pub(in crate::tournaments) fn part(&self, rows: &[Row]) -> Self {
        let (tie_breaks, rows) = (self.tie_breaks.clone(), rows.to_vec());
        Self { tie_breaks, rows, has_draws: self.has_draws, advance: None, at_line: Vec::new() }
    }

    /// What puts somebody where they stand: what tells them from those before them, or the first from those behind.
    pub(in crate::tournaments) fn why(&self, page: &Page, number: i32) -> Option<String> {
        let at = self.rows.iter().position(|row| row.is_of(number))?;
        let own = &self.rows[at];
        let before = at.checked_sub(1).filter(|_| own.heads.is_none()).map(|before| &self.rows[before]);
        let other = before.or_else(|| self.rows.get(at + 1).filter(|it| it.heads.is_none()))?;
        let (rank, other_rank) = (own.rank?, other.rank?);
        if rank == other_rank {
            return Some(page.say("standing-why-level").with("name", &*other.name).to_string());
        }
        let of = if before.is_some() { "behind" } else { "ahead" };
        let values = self.tie_breaks.iter().zip(own.tie_breaks.iter().zip(&other.tie_breaks));
        let told = match values.into_iter().find(|(_, (mine, theirs))| mine != theirs) {
            _ if own.points != other.points => {
                page.say(&format!("standing-why-{of}-points")).with("own", &*own.points).with("other", &*other.points)
            }
            Some((column, (mine, theirs))) => page
                .say(&format!("standing-why-{of}-tie-break"))
                .with("tie-break", &*column.name)
                .with("own", &**mine)
                .with("other", &**theirs),
            None => return None,
        };
        Some(told.with("name", &*other.name).to_string())
    }

    /// What the column of wins and losses counts.
    pub(in crate::tournaments) fn record_help(&self, page: &Page) -> String {
        page.t(if self.has_draws { "standing-record-draws-help" } else { "standing-record-help" })
    }
}

fn prospect_key(prospect: Prospect) -> &'static str {
    match prospect {
        Prospect::Through => "standing-through",
        Prospect::Out => "standing-no-more",
    }
}

/// How tie-breaks are named and told.
pub(in crate::tournaments) trait TieBreakWords {
    /// Of its name in the catalogues and in forms.
    fn key(self) -> &'static str;
    /// What it comes to, in words.
    fn words(self, page: &Page, value: i64) -> String;
}

pub(in crate::tournaments) const TIE_BREAKS: [TieBreak; 36] = [
    TieBreak::Wins,
    TieBreak::HeadToHead,
    TieBreak::Buchholz,
    TieBreak::BuchholzCutOne,
    TieBreak::MedianBuchholz,
    TieBreak::SonnebornBerger,
    TieBreak::OpponentsWinRate,
    TieBreak::Progressive,
    TieBreak::GamesWon,
    TieBreak::SecondSeats,
    TieBreak::WonInSecondSeat,
    TieBreak::RoundsElected,
    TieBreak::ForeBuchholz,
    TieBreak::AverageBuchholz,
    TieBreak::SonnebornBergerCutOne,
    TieBreak::Koya,
    TieBreak::ProgressiveCutOne,
    TieBreak::StandardPoints,
    TieBreak::Kashdan,
    TieBreak::OpponentsRating,
    TieBreak::OpponentsRatingCutOne,
    TieBreak::Performance,
    TieBreak::PerfectPerformance,
    TieBreak::OpponentsPerformance,
    TieBreak::OpponentsPerfectPerformance,
    TieBreak::Rating,
    TieBreak::Scores,
    TieBreak::ScoreShare,
    TieBreak::BestPlaces,
    TieBreak::AveragePoints,
    TieBreak::Seed,
    TieBreak::Lot,
    TieBreak::Berlin,
    TieBreak::FirstBoard,
    TieBreak::WithoutLastBoard,
    TieBreak::SonnebornBergerBoards,
];

impl TieBreakWords for TieBreak {
    fn key(self) -> &'static str {
        match self {
            Self::Wins => "wins",
            Self::HeadToHead => "head_to_head",
            Self::Buchholz => "buchholz",
            Self::BuchholzCutOne => "buchholz_cut_one",
            Self::MedianBuchholz => "median_buchholz",
            Self::SonnebornBerger => "sonneborn_berger",
            Self::OpponentsWinRate => "opponents_win_rate",
            Self::Progressive => "progressive",
            Self::GamesWon => "games_won",
            Self::SecondSeats => "second_seats",
            Self::WonInSecondSeat => "won_in_second_seat",
            Self::RoundsElected => "rounds_elected",
            Self::ForeBuchholz => "fore_buchholz",
            Self::AverageBuchholz => "average_buchholz",
            Self::SonnebornBergerCutOne => "sonneborn_berger_cut_one",
            Self::Koya => "koya",
            Self::ProgressiveCutOne => "progressive_cut_one",
            Self::StandardPoints => "standard_points",
            Self::Kashdan => "kashdan",
            Self::OpponentsRating => "opponents_rating",
            Self::OpponentsRatingCutOne => "opponents_rating_cut_one",
            Self::Performance => "performance",
            Self::PerfectPerformance => "perfect_performance",
            Self::OpponentsPerformance => "opponents_performance",
            Self::OpponentsPerfectPerformance => "opponents_perfect_performance",
            Self::Rating => "rating",
            Self::Scores => "scores",
            Self::ScoreShare => "score_share",
            Self::BestPlaces => "best_places",
            Self::AveragePoints => "average_points",
            Self::Seed => "seed",
            Self::Lot => "lot",
            Self::Berlin => "berlin",
            Self::FirstBoard => "first_board",
            Self::WithoutLastBoard => "without_last_board",
            Self::SonnebornBergerBoards => "sonneborn_berger_boards",
        }
    }

    fn words(self, page: &Page, value: i64) -> String {
        match self {
            Self::OpponentsWinRate | Self::ScoreShare => format!("{}%", page.points(value)),
            Self::Seed => page.points(value.saturating_neg()),
            Self::BestPlaces => {
                let digits = value / 100;
                [100_000_000, 1_000_000, 10_000].map(|place| (digits / place % 100).to_string()).join("·")
            }
            Self::Lot => "·".to_owned(),
            _ => page.points(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use base::text::Lang;
    use competitions::tournaments::TournamentStatus;
    use engine::tournaments::Format;

    use super::*;
    use crate::tournaments::samples::moments_of;

    #[test]
    fn nobody_is_first_before_the_first_result() {
        for tournament in moments_of(Format::Swiss { rounds: 3 }) {
            let page = Page::sample(Lang::En);
            let view = TournamentView::of(&page, tournament).unwrap();
            let Some(stage) = view.now() else { continue };
            // A bye is a result.
            let has_results = stage.table.rows.iter().any(|it| it.played > 0 || it.points != "0");
            assert_eq!(stage.table.rows.iter().any(|it| it.rank.is_some()), has_results);
        }
    }

    #[test]
    fn nobody_is_first_of_a_knock_out_before_the_others_are_out() {
        for format in [
            Format::SingleElimination { third_place: true, consolation: engine::tournaments::Consolation::None },
            Format::DoubleElimination {},
        ] {
            for tournament in moments_of(format) {
                let page = Page::sample(Lang::En);
                let view = TournamentView::of(&page, tournament).unwrap();
                let Some(stage) = view.now() else { continue };
                let first = stage.table.rows.iter().filter(|it| it.rank == Some(1)).count();
                match view.row.status {
                    TournamentStatus::Finished => {
                        assert_eq!((first, view.winners()), (1, vec![stage.table.rows[0].name.clone()]));
                    }
                    _ => assert!(first <= 1 && view.winners().is_empty(), "{first}"),
                }
            }
        }
    }
}
