//! What a report says, in a few sentences: only what holds by every policy that was played.

use std::collections::BTreeSet;

use engine::lab::{Findings, Report, Share};
use serde_json::Value;

use super::{PRECISION, in_minutes};

/// Rules that keep somebody out of the match for more of it idle people.
const MUCH_OUT: f64 = 0.15;
/// From here on it is said that decisions are forced.
const MANY_FORCED: f64 = 0.3;
/// From here on it is said that wins are shared.
const MANY_TIES: f64 = 0.1;
/// From here on an advantage of somebody is a reason to think again.
const MUCH_FAVOUR: f64 = 0.03;

/// One sentence of what a report says. Shares are of matches unless it says otherwise.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// How long half of the matches take at most, and how many minutes more than by the other rules, if that is sure.
    Length { minutes: u32, more: i32 },
    /// So many do not end in time.
    Endless { share: f64 },
    /// Who plays in this place (1 is the first to play) wins more or less often than is fair.
    Place { place: usize, share: f64, fair: f64 },
    /// No place in the order of play and no seat is shown to be better than another.
    Even,
    /// Who plays this role wins more or less often than is fair.
    Role { role: String, share: f64, fair: f64 },
    /// The share of a match that somebody is out of it.
    Out { share: f64 },
    /// The share of decisions that leave no choice.
    Forced { share: f64 },
    /// So many have several winners.
    Ties { share: f64 },
    /// Somebody who plays well among beginners wins so often.
    Skill { share: f64, fair: f64 },
    /// Playing well is not shown to help.
    Luck { fair: f64 },
    /// What was changed of this option changes nothing.
    Idle { option: String },
    /// Nobody made a move of this type.
    Unused { chosen: String },
    /// Bots that search ran out of time: shares of wins are known to this much on either side.
    Rough { precision: f64 },
}

impl Verdict {
    /// A reason to think again before guests play by it.
    pub fn is_warning(&self) -> bool {
        match self {
            Self::Endless { .. } | Self::Out { .. } | Self::Idle { .. } => true,
            Self::Place { share, fair, .. } => (share - fair).abs() >= MUCH_FAVOUR,
            Self::Length { .. }
            | Self::Even
            | Self::Role { .. }
            | Self::Forced { .. }
            | Self::Ties { .. }
            | Self::Skill { .. }
            | Self::Luck { .. }
            | Self::Unused { .. }
            | Self::Rough { .. } => false,
        }
    }

    /// As the API and the catalogues name it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Length { .. } => "length",
            Self::Endless { .. } => "endless",
            Self::Place { .. } => "place",
            Self::Even => "even",
            Self::Role { .. } => "role",
            Self::Out { .. } => "out",
            Self::Forced { .. } => "forced",
            Self::Ties { .. } => "ties",
            Self::Skill { .. } => "skill",
            Self::Luck { .. } => "luck",
            Self::Idle { .. } => "idle",
            Self::Unused { .. } => "unused",
            Self::Rough { .. } => "rough",
        }
    }
}

/// What the report says; `seconds_per_move` is how fast people are.
pub fn verdicts(report: &Report, seconds_per_move: f64) -> Vec<Verdict> {
    let Some(main) = report.policies.last() else { return Vec::new() };
    let fair = 1.0 / f64::from(report.seats.max(1));
    let least = |of: fn(&Findings) -> f64| report.policies.iter().map(of).fold(f64::INFINITY, f64::min);
    let mut said = vec![length(report, main, seconds_per_move)];
    let endless = report.policies.iter().map(Findings::too_long).fold(0.0, f64::max);
    if endless > 0.0 {
        said.push(Verdict::Endless { share: endless });
    }
    let favoured =
        favoured(report, fair, |it| if it.wins_by_order.is_empty() { &it.wins_by_seat } else { &it.wins_by_order });
    said.push(match favoured {
        Some((place, share)) => Verdict::Place { place: place + 1, share, fair },
        None => Verdict::Even,
    });
    said.extend(roles(report, main, fair));
    for (share, from, verdict) in [
        (least(|it| it.out), MUCH_OUT, (|share| Verdict::Out { share }) as fn(f64) -> Verdict),
        (least(|it| it.forced), MANY_FORCED, |share| Verdict::Forced { share }),
        (least(|it| it.ties), MANY_TIES, |share| Verdict::Ties { share }),
    ] {
        if share >= from {
            said.push(verdict(share));
        }
    }
    said.extend(report.skill.first().map(|skill| match skill.wins.low > fair {
        true => Verdict::Skill { share: skill.wins.share, fair },
        false => Verdict::Luck { fair },
    }));
    said.extend(idle(report).map(|option| Verdict::Idle { option }));
    let unused = |it: &Findings| it.never_used.iter().cloned().collect::<BTreeSet<String>>();
    let never = report.policies.iter().map(unused).reduce(|all, next| &all & &next).unwrap_or_default();
    said.extend(never.into_iter().map(|chosen| Verdict::Unused { chosen }));
    said.extend(rough(report));
    said
}

/// Quick policies play until they know enough, those that search as long as they may.
fn rough(report: &Report) -> Option<Verdict> {
    let searched = report.policies.iter().find(|it| it.policy == "search")?;
    let precision = searched.precision();
    (precision > PRECISION).then_some(Verdict::Rough { precision })
}

fn length(report: &Report, main: &Findings, seconds_per_move: f64) -> Verdict {
    let minutes = in_minutes(main.moves.median, seconds_per_move);
    let against = report.against.as_ref();
    let other =
        against.and_then(|it| it.policies.last()).map_or(minutes, |it| in_minutes(it.moves.median, seconds_per_move));
    let is_sure = against.and_then(|it| it.differences.last()).is_some_and(|it| it.moves.is_shown());
    let more = if is_sure { i32::try_from(minutes).unwrap_or(0) - i32::try_from(other).unwrap_or(0) } else { 0 };
    Verdict::Length { minutes, more }
}

/// The place that by every policy is farthest from fair to the same side, with what it wins by the last.
fn favoured<'a>(report: &'a Report, fair: f64, of: impl Fn(&'a Findings) -> &'a [Share]) -> Option<(usize, f64)> {
    let shares: Vec<&[Share]> = report.policies.iter().map(of).collect();
    let last = shares.last()?;
    let is_favoured = |place: &usize| {
        let here = || shares.iter().filter_map(|it| it.get(*place));
        here().all(|it| it.low > fair) || here().all(|it| it.high < fair)
    };
    let found = (0..last.len()).filter(is_favoured).filter_map(|place| last.get(place).map(|it| (place, it.share)));
    found.max_by(|(_, a), (_, b)| (a - fair).abs().total_cmp(&(b - fair).abs()))
}

/// The best and the worst role, where that is shown by every policy.
fn roles(report: &Report, main: &Findings, fair: f64) -> Vec<Verdict> {
    let is_shown = |role: &str| {
        let here = || report.policies.iter().filter_map(|it| it.wins_by_role.get(role));
        here().all(|it| it.low > fair) || here().all(|it| it.high < fair)
    };
    let mut shown: Vec<(&String, f64)> =
        main.wins_by_role.iter().filter(|(role, _)| is_shown(role)).map(|(role, it)| (role, it.share)).collect();
    shown.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let ends: BTreeSet<usize> = [0, shown.len().saturating_sub(1)].into();
    let verdict = |(role, share): &(&String, f64)| Verdict::Role { role: (*role).clone(), share: *share, fair };
    ends.into_iter().filter_map(|at| shown.get(at)).map(verdict).collect()
}

/// Options that are set otherwise than by the other rules, without any effect.
fn idle(report: &Report) -> impl Iterator<Item = String> {
    let against = report.against.as_ref().map(|it| &it.options);
    let is_idle = move |effect: &&engine::lab::Effect| {
        let other = against.and_then(|it| it.get(&effect.option)).unwrap_or(&Value::Null);
        *other == effect.value && report.options.get(&effect.option) != Some(other) && effect.changed.share == 0.0
    };
    report.effects.iter().filter(is_idle).map(|it| it.option.clone())
}

#[cfg(test)]
mod tests {
    use engine::catalogue;
    use engine::lab::{Experiment, Size};
    use serde_json::json;

    use super::*;

    fn report(game: &str, seats: u8, options: Value) -> Report {
        let against = Some(json!({}));
        let experiment = Experiment { against, size: Size::Matches(1_500), ..Experiment::new(options, seats) };
        experiment.run(catalogue::find(game).unwrap(), 2, &|_| true).unwrap().unwrap()
    }

    #[test]
    fn hogu_clue_favours_who_starts() {
        let said = verdicts(&report("hogu-clue", 4, json!({})), 30.0);
        assert!(said.iter().any(|it| matches!(it, Verdict::Place { share, .. } if *share != 0.25)), "{said:?}");
    }

    #[test]
    fn liars_dice_keeps_people_out() {
        let said = verdicts(&report("liars-dice", 4, json!({})), 20.0);
        let out = said.iter().find(|it| matches!(it, Verdict::Out { .. })).unwrap();
        assert!(out.is_warning() && said.contains(&Verdict::Even), "{said:?}");
    }

    #[test]
    fn an_option_that_does_nothing_is_told() {
        let said = verdicts(&report("animal-kingdom", 10, json!({ "max_rounds": 10 })), 20.0);
        assert!(said.contains(&Verdict::Idle { option: "max_rounds".to_owned() }), "{said:?}");
    }

    #[test]
    fn a_shorter_match_is_told() {
        let said = verdicts(&report("middle-race", 4, json!({ "track_length": 10 })), 20.0);
        assert!(matches!(said[0], Verdict::Length { more: ..0, .. }), "{said:?}");
    }

    #[test]
    fn what_searching_bots_had_no_time_for_is_told() {
        let mut report = report("hogu-clue", 4, json!({}));
        assert!(!verdicts(&report, 30.0).iter().any(|it| matches!(it, Verdict::Rough { .. })));
        report.policies[1].policy = "search".to_owned();
        report.policies[1].wins_by_seat[0] = Share { share: 0.5, low: 0.25, high: 0.75 };
        assert_eq!(verdicts(&report, 30.0).pop(), Some(Verdict::Rough { precision: 0.25 }));
    }

    #[test]
    fn what_skill_is_worth_is_told() {
        let said = verdicts(&report("perudo", 4, json!({})), 20.0);
        assert!(said.iter().any(|it| matches!(it, Verdict::Skill { share, .. } if *share > 0.9)), "{said:?}");
    }
}
