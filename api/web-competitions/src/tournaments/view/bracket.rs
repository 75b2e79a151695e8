//! The bracket: every bout of a knock-out, played or to come, side by side and round by round.

use std::collections::BTreeMap;

use engine::tournaments::{BoutKey, Format, Planned, Side, Slot, TeamBout};

use super::{BoutState, Played, TournamentView};
use crate::tournaments::view::TournamentWords;
use web_base::error::ApiResult;
use web_base::page::Page;

pub(in crate::tournaments) struct Bracket {
    pub sides: Vec<OneSide>,
}

/// Winners, losers, the final: what a loss means.
pub(in crate::tournaments) struct OneSide {
    /// None where there is but one.
    pub title: Option<String>,
    pub rounds: Vec<Column>,
}

/// The bouts of one side that are played at the same time.
pub(in crate::tournaments) struct Column {
    pub title: String,
    pub bouts: Vec<Drawn>,
    /// How lines run on to the next round: `joined` two by two, `straight`, or none.
    pub lines: &'static str,
}

/// A bout in the bracket.
pub(in crate::tournaments) struct Drawn {
    /// What people call it: 1 the first.
    pub number: usize,
    /// Who stands in each of its places, or will.
    pub places: Vec<Place>,
    /// What is known of it once it was paired.
    pub played: Option<Played>,
    pub is_bye: bool,
    /// For which places it is played, where that is not plain.
    pub stake: Option<String>,
}

pub(in crate::tournaments) struct Place {
    pub name: String,
    pub is_known: bool,
    pub mark: String,
    pub score: Option<String>,
    pub won: bool,
    pub lost: bool,
}

impl Bracket {
    pub(in crate::tournaments) fn of(page: &Page, view: &TournamentView, stage: i16) -> ApiResult<Self> {
        let format = &view.plan_of(stage)?.format;
        let mut plan = view.planned(stage)?;
        plan.sort_by_key(|it| (it.key.round, it.key.side, it.key.number));
        let numbers: BTreeMap<BoutKey, usize> = plan.iter().zip(1..).map(|(it, number)| (it.key, number)).collect();
        // Those who lost play for places in brackets of their own, each named by its first place.
        let mut sides: BTreeMap<(Side, u32), BTreeMap<u16, Vec<Drawn>>> = BTreeMap::new();
        let whole = view.stage(stage)?;
        let team_bouts = view.team_bouts(stage)?;
        let on_boards = view.row.team_size.is_some().then_some(team_bouts.as_slice());
        for it in &plan {
            let drawn = match on_boards {
                Some(bouts) => Drawn::of_teams(page, view, it, &numbers, bouts),
                None => Drawn::of(page, view, stage, it, &numbers),
            };
            let stake = whole.places_at_stake(it.key).filter(|_| it.key.side == Side::Places);
            let drawn = Drawn { stake: stake.map(|places| places_at_stake(page, places)), ..drawn };
            let first = stake.map_or(0, |(first, _)| first_of_bracket(first));
            sides.entry((it.key.side, first)).or_default().entry(it.key.round).or_default().push(drawn);
        }
        // A column says itself that it is the final or for the third place.
        let has_sides = matches!(format, Format::DoubleElimination {});
        let all = plan.iter().map(|it| it.key.round).max();
        let people = u32::try_from(whole.sides()).unwrap_or(u32::MAX);
        let side = |((side, first), rounds): ((Side, u32), BTreeMap<u16, Vec<Drawn>>)| {
            let counts: Vec<usize> = rounds.values().map(Vec::len).collect();
            let rounds = rounds.into_iter().enumerate().map(|(at, (round, bouts))| Column {
                title: column_title(page, format, side, round, at, &counts, all),
                lines: match side {
                    Side::Places => "none",
                    _ => lines(format, counts[at], counts.get(at + 1).copied()),
                },
                bouts,
            });
            let rounds = rounds.collect();
            let title = match side {
                Side::Places => Some(places_at_stake(page, (first, (2 * first - 2).min(people)))),
                _ => has_sides.then(|| page.t(side_key(side))),
            };
            OneSide { title, rounds }
        };
        Ok(Self { sides: sides.into_iter().map(side).collect() })
    }
}

impl OneSide {
    pub(in crate::tournaments) fn label(&self, page: &Page) -> String {
        self.title.clone().unwrap_or_else(|| page.t("bracket"))
    }
}

impl Drawn {
    fn of(
        page: &Page,
        view: &TournamentView,
        stage: i16,
        planned: &Planned,
        numbers: &BTreeMap<BoutKey, usize>,
    ) -> Self {
        let number = numbers.get(&planned.key).copied().unwrap_or(0);
        let bout = view.bout(stage, competitions::tournaments::store::BoutKey(planned.key));
        let played = bout.map(|bout| Played { number, ..Played::of(page, view, bout) });
        let seated = played.as_ref().filter(|it| it.state == BoutState::Over).map(|it| it.seated.as_slice());
        let place = |entrant: u32| {
            let entrant = i32::try_from(entrant).unwrap_or(0);
            let end = seated.unwrap_or_default().iter().find(|it| it.number == entrant);
            Place {
                name: view.name(&entrant),
                is_known: true,
                mark: end.map(|it| it.mark.clone()).unwrap_or_default(),
                score: end.and_then(|it| it.score.clone()),
                won: end.is_some_and(|it| it.won),
                lost: end.is_some_and(|it| !it.won),
            }
        };
        let places = planned.places.iter().map(|it| Place::of(page, it, numbers, place)).collect();
        Self { number, places, played, is_bye: is_bye(planned), stake: None }
    }

    /// A bout between teams, as its boards stand.
    fn of_teams(
        page: &Page,
        view: &TournamentView,
        planned: &Planned,
        numbers: &BTreeMap<BoutKey, usize>,
        bouts: &[TeamBout],
    ) -> Self {
        let sides = bouts.iter().find(|it| it.key == planned.key).map(|it| it.sides.as_slice()).unwrap_or_default();
        let is_between = sides.len() > 1;
        let place = |team: u32| {
            let side = sides.iter().find(|it| it.team == team).filter(|_| is_between);
            let end = side.and_then(|it| it.place);
            Place {
                name: view.standing_name(&i32::try_from(team).unwrap_or(0)),
                is_known: true,
                mark: String::new(),
                score: side.map(|it| page.points(it.points)),
                won: end == Some(1),
                lost: end.is_some_and(|it| it > 1),
            }
        };
        let number = numbers.get(&planned.key).copied().unwrap_or(0);
        let places = planned.places.iter().map(|it| Place::of(page, it, numbers, place)).collect();
        Self { number, places, played: None, is_bye: is_bye(planned), stake: None }
    }
}

fn is_bye(planned: &Planned) -> bool {
    planned.places.iter().filter(|it| !matches!(it, Slot::Nobody)).count() < 2
}

impl Place {
    fn of(page: &Page, slot: &Slot, numbers: &BTreeMap<BoutKey, usize>, known: impl Fn(u32) -> Self) -> Self {
        let waits = |key: &BoutKey, text: &str| {
            let bout = numbers.get(key).copied().unwrap_or(0);
            Self::unknown(page.say(text).with("number", bout).to_string())
        };
        match slot {
            Slot::Winner(key) => waits(key, "winner-of"),
            Slot::Loser(key) => waits(key, "loser-of"),
            Slot::Nobody => Self::unknown(page.t("place-empty")),
            Slot::Entrant(entrant) => known(*entrant),
        }
    }

    fn unknown(name: String) -> Self {
        Self { name, is_known: false, mark: String::new(), score: None, won: false, lost: false }
    }
}

fn lines(format: &Format, here: usize, next: Option<usize>) -> &'static str {
    match next {
        Some(next) if format.is_duel() && next == here => "straight",
        Some(next) if format.is_duel() && next * 2 == here => "joined",
        _ => "none",
    }
}

fn side_key(side: Side) -> &'static str {
    match side {
        Side::Main => "side-main",
        Side::Losers => "side-losers",
        Side::Final => "side-final",
        Side::ThirdPlace | Side::Places => "side-third",
    }
}

/// What a column is called: by what it leads to where that is plain, else by its number.
fn column_title(
    page: &Page,
    format: &Format,
    side: Side,
    round: u16,
    at: usize,
    counts: &[usize],
    all: Option<u16>,
) -> String {
    match (format, side) {
        (Format::SingleElimination { .. }, Side::Main) => {
            let left = counts.len() - at - 1;
            elimination_title(page, left, round)
        }
        (Format::PodKnockout { .. }, _) if counts[at] == 1 && all == Some(round) => page.t("round-final"),
        (_, Side::ThirdPlace) => page.t("side-third"),
        (_, Side::Final) if at == 0 => page.t("round-final"),
        (_, Side::Final) => page.t("round-reset"),
        _ => page.say("round-number").with("number", round).to_string(),
    }
}

/// For which places a bout is played, in words.
pub(super) fn places_at_stake(page: &Page, (first, last): (u32, u32)) -> String {
    match last - first {
        0 | 1 => page.say("bout-for-place").with("place", first).to_string(),
        _ => page.say("bout-for-places").with("first", first).with("last", last).to_string(),
    }
}

/// The first place of the bracket in which those play who lost in one round: 5 of the places 5 to 8.
fn first_of_bracket(first: u32) -> u32 {
    (1 << first.saturating_sub(1).max(1).ilog2()) + 1
}

fn elimination_title(page: &Page, left: usize, round: u16) -> String {
    match left {
        0 => page.t("round-final"),
        1 => page.t("round-semi"),
        2 => page.t("round-quarter"),
        3..=7 => page.say("round-of").with("count", 2_usize << left).to_string(),
        _ => page.say("round-number").with("number", round).to_string(),
    }
}

/// What a round is called.
pub(super) fn round_title(
    page: &Page,
    format: &Format,
    first: Option<BoutKey>,
    round: i16,
    all: Option<u16>,
) -> String {
    let number = u16::try_from(round).unwrap_or(0);
    match (format, all) {
        (Format::Arena { .. }, _) => page.t("arena-window"),
        (Format::SingleElimination { .. }, Some(all)) => {
            elimination_title(page, usize::from(all.saturating_sub(number)), number)
        }
        (Format::DoubleElimination {}, _) if first.is_some_and(|key| key.side == Side::Final) => page.t("round-final"),
        (Format::Swiss { .. } | Format::Pods { .. } | Format::RoundRobin { .. } | Format::Groups { .. }, Some(all)) => {
            page.say("round-of-all").with("number", number).with("all", all).to_string()
        }
        _ => page.say("round-number").with("number", number).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::text::Lang;

    #[test]
    fn rounds_are_called_by_what_they_lead_to() {
        let page = Page::sample(Lang::En);
        let format =
            Format::SingleElimination { third_place: false, consolation: engine::tournaments::Consolation::None };
        let title = |round| round_title(&page, &format, None, round, Some(4));
        assert_eq!([1, 2, 3, 4].map(title), ["Round of 16", "Quarter-finals", "Semi-finals", "Final"]);
        let swiss = Format::Swiss { rounds: 5 };
        assert_eq!(round_title(&page, &swiss, None, 2, Some(5)), "Round 2 of 5");
    }

    #[test]
    fn brackets_of_those_who_lost_are_called_by_the_places_at_stake() {
        assert_eq!([5, 6, 7, 9, 13, 16, 17].map(first_of_bracket), [5, 5, 5, 9, 9, 9, 17]);
        let page = Page::sample(Lang::En);
        assert_eq!(places_at_stake(&page, (5, 8)), "For places 5–8");
        assert_eq!([places_at_stake(&page, (7, 8)), places_at_stake(&page, (7, 7))], ["For place 7", "For place 7"]);
    }

    #[test]
    fn lines_join_two_by_two_or_run_straight_on() {
        let duel = Format::DoubleElimination {};
        let drawn = [(4, Some(2)), (2, Some(2)), (3, Some(1)), (1, None)].map(|(here, next)| lines(&duel, here, next));
        assert_eq!(drawn, ["joined", "straight", "none", "none"]);
        let pods = Format::PodKnockout { least: 3, most: 4, advance: 1, wild_cards: false };
        assert_eq!(lines(&pods, 4, Some(2)), "none");
    }
}
