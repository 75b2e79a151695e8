//! Formats, reasons and points in words.

use engine::tournaments::{
    Consolation, Format, Games, GroupPlay, InvalidStage, Limit, PodPairing, Points, Reason, ShortScale, ShortTables,
};

use competitions::tournaments::{Fix, Readiness, StagePlan};
use web_base::page::Page;

/// Formats, reasons and points in words.
pub(crate) trait TournamentWords: AsRef<Page> {
    /// Hundredths as people write them: `2.5`.
    fn points(&self, hundredths: impl Into<i64>) -> String {
        let hundredths: i64 = hundredths.into();
        self.as_ref().lang.up_to(hundredths as f64 / 100.0, 2)
    }

    fn format_name(&self, format: &Format) -> String {
        let page = self.as_ref();
        let say = match format {
            Format::SingleElimination { .. } => page.say("format-single_elimination"),
            Format::DoubleElimination {} => page.say("format-double_elimination"),
            Format::RoundRobin { .. } => page.say("format-round_robin"),
            Format::Swiss { .. } => page.say("format-swiss"),
            Format::Groups { .. } => page.say("format-groups"),
            Format::Pods { .. } => page.say("format-pods"),
            Format::PodKnockout { .. } => page.say("format-pod_knockout"),
            Format::Arena { .. } => page.say("format-arena"),
        };
        say.to_string()
    }

    /// The format with what it is set to.
    fn format_details(&self, format: &Format) -> String {
        let page = self.as_ref();
        let name = self.format_name(format);
        let details = match format {
            Format::SingleElimination { consolation: Consolation::Eight, .. } => page.say("format-with-eight"),
            Format::SingleElimination { consolation: Consolation::All, .. } => page.say("format-with-all"),
            Format::SingleElimination { third_place: true, consolation: Consolation::None } => {
                page.say("format-with-third")
            }
            Format::SingleElimination { third_place: false, consolation: Consolation::None }
            | Format::DoubleElimination {} => return name,
            Format::RoundRobin { legs } => page.say("format-legs").with("legs", *legs),
            Format::Swiss { rounds } => page.say("format-rounds").with("rounds", *rounds),
            Format::Groups { groups, play: GroupPlay::RoundRobin { .. } } => {
                page.say("format-groups-robin").with("groups", *groups)
            }
            Format::Groups { groups, play: GroupPlay::Swiss { rounds } } => {
                page.say("format-groups-swiss").with("groups", *groups).with("rounds", *rounds)
            }
            Format::Pods { rounds, least, most, .. } => {
                page.say("format-pod-rounds").with("rounds", *rounds).with("least", *least).with("most", *most)
            }
            Format::PodKnockout { least, most, advance, .. } => {
                page.say("format-pod-advance").with("least", *least).with("most", *most).with("advance", *advance)
            }
            Format::Arena { minutes, most: 2, .. } => page.say("format-arena-duels").with("minutes", *minutes),
            Format::Arena { minutes, least, most, .. } => {
                page.say("format-arena-tables").with("minutes", *minutes).with("least", *least).with("most", *most)
            }
        };
        format!("{name} · {details}")
    }

    /// What people have to know of a stage besides its format and its points.
    fn stage_rules(&self, plan: &StagePlan) -> Vec<String> {
        let page = self.as_ref();
        let mut rules = Vec::new();
        match &plan.format {
            Format::Arena { patience, streaks, .. } => {
                rules.push(page.say("arena-rule-again").with("count", *patience).to_string());
                rules.extend(streaks.then(|| page.t("arena-rule-streaks")));
            }
            Format::Pods { short_tables, .. } => {
                rules.extend(match short_tables {
                    ShortTables::Rotate => None,
                    ShortTables::Bottom => Some(page.t("short-tables-rule-bottom")),
                    ShortTables::Top => Some(page.t("short-tables-rule-top")),
                });
                if plan.scoring.short_scale == ShortScale::Scaled
                    && matches!(plan.scoring.points, Points::Places { .. })
                {
                    rules.push(page.t("short-scale-rule-scaled"));
                }
            }
            Format::PodKnockout { wild_cards: true, .. } => rules.push(page.t("format-wild-cards-rule")),
            _ => {}
        }
        rules.extend(plan.runs_by_itself.then(|| page.t("runs-by-itself-rule")));
        rules
    }

    /// What a group is called: A the first.
    fn group(&self, group: u16) -> String {
        let at = u32::from(group.saturating_sub(1));
        let letter = |at: u32| char::from_u32(u32::from('A') + at % 26).unwrap_or('A').to_string();
        let name = if at < 26 { letter(at) } else { format!("A{}", letter(at)) };
        self.as_ref().say("group-name").with("group", name).to_string()
    }

    /// How many games a bout has.
    fn limit(&self, limit: Limit) -> String {
        let page = self.as_ref();
        let say = match limit {
            Limit::BestOf(games) if games.is_multiple_of(2) => page.say("games-all"),
            Limit::BestOf(_) => page.say("games-best-of"),
            Limit::RaceTo(_) => page.say("games-race-to"),
        };
        let games = match limit {
            Limit::BestOf(games) | Limit::RaceTo(games) => games,
        };
        say.with("games", games).with("wins", limit.most_wins()).to_string()
    }

    /// How many games the bouts of a stage have; none if it is one.
    fn several_games(&self, games: &Games) -> Option<String> {
        let (usual, last): (Limit, Vec<Limit>) = match games {
            Games::One {} => return None,
            Games::BestOf { games, last } => (Limit::BestOf(*games), last.iter().copied().map(Limit::BestOf).collect()),
            Games::RaceTo { wins, last } => (Limit::RaceTo(*wins), last.iter().copied().map(Limit::RaceTo).collect()),
        };
        let last: Vec<String> = last.into_iter().rev().map(|it| self.limit(it)).collect();
        let usual = self.limit(usual);
        Some(match last.is_empty() {
            true => usual,
            false => self.as_ref().say("games-last").with("usual", usual).with("last", last.join(", ")).to_string(),
        })
    }

    /// Whether as many as have come can begin, and how many could.
    fn readiness(&self, ready: &Readiness, stages: &[StagePlan]) -> String {
        let page = self.as_ref();
        let Some(unfit) = &ready.unfit else {
            let sizes: Vec<String> = ready.tables.iter().map(usize::to_string).collect();
            let key = match (ready.of_teams, sizes.is_empty()) {
                (true, _) => "ready-teams",
                (false, true) => "ready",
                (false, false) => "ready-tables",
            };
            return page.say(key).with("count", ready.here).with("sizes", sizes.join(" · ")).to_string();
        };
        let count = |key| page.say(key).with("count", ready.here);
        let said = match (unfit.cause, stages.first().map(|it| &it.format)) {
            (InvalidStage::WithoutTeam { .. }, _) => page.say("ready-without-team"),
            (cause, _) if ready.of_teams => {
                count("ready-teams-unfit").with("why", page.t(&format!("field-{}", cause.code())))
            }
            (
                InvalidStage::SizesImpossible { .. } | InvalidStage::TooFew { .. },
                Some(Format::Pods { least, most, .. } | Format::PodKnockout { least, most, .. }),
            ) => count("ready-no-tables").with("least", *least).with("most", *most),
            (InvalidStage::TooManyRounds { most }, _) => count("ready-rounds").with("most", most),
            (cause, _) => count("ready-unfit").with("why", page.t(&format!("field-{}", cause.code()))),
        };
        let enough_key = if ready.of_teams { "ready-teams-enough" } else { "ready-enough" };
        let enough = unfit.enough.map(|enough| page.say(enough_key).with("count", enough).to_string());
        [Some(said.to_string()), enough].into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// What of the plan would let them begin, as a button says it.
    fn fix(&self, ready: &Readiness) -> Option<String> {
        let page = self.as_ref();
        let said = match ready.unfit.as_ref()?.fix? {
            Fix::Least(seats) => page.say("fit-least").with("count", seats),
            Fix::Rounds(rounds) => page.say("fit-rounds").with("count", rounds),
        };
        Some(said.to_string())
    }

    /// How points are given.
    fn scoring(&self, points: &Points) -> String {
        let page = self.as_ref();
        match points {
            Points::Win { win, draw, loss, bye } => page
                .say("scoring-win")
                .with("win", self.points(*win))
                .with("draw", self.points(*draw))
                .with("loss", self.points(*loss))
                .with("bye", self.points(*bye))
                .to_string(),
            Points::Places { scale, bye } => {
                let scale: Vec<_> = scale.iter().map(|it| self.points(*it)).collect();
                page.say("scoring-places").with("scale", scale.join(" / ")).with("bye", self.points(*bye)).to_string()
            }
            Points::Scores => page.t("scoring-scores"),
        }
    }

    /// Why people play together.
    fn reason(&self, reason: &Reason, name: &dyn Fn(i32) -> String) -> String {
        let page = self.as_ref();
        let name = |entrant: u32| i32::try_from(entrant).map(name).unwrap_or_default();
        let say = match reason {
            Reason::Bracket => page.say("reason-bracket"),
            Reason::Schedule => page.say("reason-schedule"),
            Reason::SamePoints { points } => page.say("reason-same-points").with("points", self.points(*points)),
            Reason::Floated { entrant, points, against } => page
                .say("reason-floated")
                .with("name", name(*entrant))
                .with("points", self.points(*points))
                .with("against", self.points(*against)),
            Reason::Repeat { one, other, times } => {
                page.say("reason-repeat").with("one", name(*one)).with("other", name(*other)).with("times", *times)
            }
            Reason::RepeatsInRound { pairs, least } => {
                let key = if pairs == least { "reason-repeats-fewest" } else { "reason-repeats" };
                page.say(key).with("pairs", *pairs).with("least", *least)
            }
            Reason::FewerRepeats { reach, pairs } => {
                page.say("reason-fewer-repeats").with("reach", *reach).with("pairs", *pairs)
            }
            Reason::BracketBye => page.say("reason-bracket-bye"),
            Reason::OpponentGone => page.say("reason-opponent-gone"),
            Reason::LowestBye { points } => page.say("reason-lowest-bye").with("points", self.points(*points)),
            Reason::ByeAgain { points } => page.say("reason-bye-again").with("points", self.points(*points)),
            Reason::NoTable { points } => page.say("reason-no-table").with("points", self.points(*points)),
            Reason::RequestedBye { points } => page.say("reason-requested-bye").with("points", self.points(*points)),
            Reason::LateEntrant { entrant } => page.say("reason-late-entrant").with("name", name(*entrant)),
            Reason::KeptApart { one, other } => {
                page.say("reason-kept-apart").with("one", name(*one)).with("other", name(*other))
            }
            Reason::ShortTable { seats, largest } => {
                page.say("reason-short-table").with("seats", *seats).with("largest", *largest)
            }
            Reason::Filled { entrant, place } => {
                page.say("reason-filled").with("name", name(*entrant)).with("place", *place)
            }
            Reason::ByStanding { most, fewest } => {
                page.say("reason-by-standing").with("most", self.points(*most)).with("fewest", self.points(*fewest))
            }
            Reason::Waited { seconds, .. } if *seconds < 60 => page.say("reason-free"),
            Reason::Waited { entrant, seconds } => {
                page.say("reason-waited").with("name", name(*entrant)).with("minutes", *seconds / 60)
            }
            Reason::NobodyElse => page.say("reason-nobody-else"),
            Reason::Spread => page.say("reason-spread"),
            Reason::Drawn => page.say("reason-drawn"),
        };
        say.to_string()
    }
}

impl TournamentWords for Page {}

/// How a way to pair pods is named in forms and in the catalogues.
pub(in crate::tournaments) fn pairing_key(pairing: PodPairing) -> &'static str {
    match pairing {
        PodPairing::Random => "random",
        PodPairing::ByStanding => "by_standing",
        PodPairing::Spread => "spread",
    }
}

/// How it is named who sits at small tables.
pub(in crate::tournaments) fn short_tables_key(short_tables: ShortTables) -> &'static str {
    match short_tables {
        ShortTables::Rotate => "rotate",
        ShortTables::Bottom => "bottom",
        ShortTables::Top => "top",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::text::Lang;

    #[test]
    fn points_are_written_without_idle_zeros() {
        let page = Page::sample(Lang::En);
        let written = [0, 50, 100, 225, 1000, -150].map(|hundredths: i64| page.points(hundredths));
        assert_eq!(written, ["0", "0.5", "1", "2.25", "10", "−1.5"]);
    }

    #[test]
    fn every_reason_is_a_sentence_in_every_language() {
        let reasons = [
            Reason::Bracket,
            Reason::Schedule,
            Reason::SamePoints { points: 150 },
            Reason::Floated { entrant: 1, points: 200, against: 100 },
            Reason::Repeat { one: 1, other: 2, times: 1 },
            Reason::RepeatsInRound { pairs: 2, least: 1 },
            Reason::RepeatsInRound { pairs: 1, least: 1 },
            Reason::FewerRepeats { reach: 1, pairs: 0 },
            Reason::FewerRepeats { reach: 3, pairs: 1 },
            Reason::RequestedBye { points: 50 },
            Reason::KeptApart { one: 1, other: 2 },
            Reason::LateEntrant { entrant: 1 },
            Reason::BracketBye,
            Reason::OpponentGone,
            Reason::LowestBye { points: 0 },
            Reason::ByeAgain { points: 0 },
            Reason::NoTable { points: 0 },
            Reason::ShortTable { seats: 3, largest: 4 },
            Reason::ByStanding { most: 300, fewest: 200 },
            Reason::Spread,
            Reason::Waited { entrant: 1, seconds: 5 },
            Reason::Waited { entrant: 1, seconds: 90 },
            Reason::NobodyElse,
            Reason::Drawn,
        ];
        for lang in Lang::ALL {
            let page = Page::sample(lang);
            for reason in &reasons {
                let said = page.reason(reason, &|number| format!("<{number}>"));
                assert!(!said.starts_with("reason-") && !said.contains('{'), "{said}");
            }
        }
        let floated = Page::sample(Lang::En).reason(&reasons[3], &|number| format!("<{number}>"));
        assert!(floated.contains("<1>") && floated.contains('2') && floated.contains('1'), "{floated}");
    }
}
