//! What the lab's page draws: charts of spans, and tables.

use base::games::words::{option_label, option_text, word};
use cafe::lab::{Lab, in_minutes};
use engine::lab::{Findings, Report, Share, Spread};

use super::words::{change, interval, move_name, other, percent};
use web_base::page::Page;

/// So many lines of what nobody chose.
const SHOWN: usize = 24;

/// Spans below one another on one scale.
pub(crate) struct Chart {
    pub title: String,
    pub help: String,
    /// Where the fair share is, from 0 to 100.
    pub fair: Option<f64>,
    pub rows: Vec<Row>,
}

/// A span from 0 to 100, with a mark in it.
pub(crate) struct Row {
    pub what: String,
    pub from: f64,
    pub at: f64,
    pub until: f64,
    /// Of the rules that these are compared with.
    pub is_other: bool,
    pub said: String,
}

pub(crate) struct Table {
    pub id: &'static str,
    pub title: String,
    pub help: String,
    pub head: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// How the charts of a version are drawn.
pub(super) struct Drawing<'a> {
    pub page: &'a Page,
    pub lab: &'a Lab,
    pub report: &'a Report,
    pub seconds: f64,
}

impl Drawing<'_> {
    pub(super) fn charts(&self) -> Vec<Chart> {
        let Some(main) = self.report.policies.last() else { return Vec::new() };
        let mut charts = vec![self.lengths(main)];
        let place = |at: usize| self.page.say("lab-place").with("place", at + 1).to_string();
        if !main.wins_by_order.is_empty() {
            let named = main.wins_by_order.iter().enumerate().map(|(at, share)| (place(at), share)).collect();
            charts.push(self.wins("lab-by-order", named));
        }
        let seat = |at: usize| self.page.say("lab-seat").with("seat", at + 1).to_string();
        let named = main.wins_by_seat.iter().enumerate().map(|(at, share)| (seat(at), share)).collect();
        charts.push(self.wins("lab-by-seat", named));
        if !main.wins_by_role.is_empty() {
            let mut named: Vec<(String, &Share)> =
                main.wins_by_role.iter().map(|(role, share)| (self.word(role), share)).collect();
            named.sort_by(|(_, a), (_, b)| b.share.total_cmp(&a.share));
            charts.push(self.wins("lab-by-role", named));
        }
        charts
    }

    fn lengths(&self, main: &Findings) -> Chart {
        let minutes = |moves: u32| in_minutes(moves, self.seconds);
        let other = self.report.against.as_ref().and_then(|it| it.policies.last());
        let real = self.lab.real.minutes;
        let all = [Some(minutes(main.moves.p90)), other.map(|it| minutes(it.moves.p90)), real];
        let most = all.into_iter().flatten().max().unwrap_or(1).max(1);
        let place = |minutes: u32| rounded(f64::from(minutes) / f64::from(most) * 100.0);
        let row = |what: String, moves: &Spread, is_other: bool| Row {
            what,
            from: place(minutes(moves.p10)),
            at: place(minutes(moves.median)),
            until: place(minutes(moves.p90)),
            is_other,
            said: self
                .page
                .say("stats-minutes")
                .with("median", minutes(moves.median))
                .with("most", minutes(moves.p90))
                .to_string(),
        };
        let mut rows = vec![row(self.page.t("lab-these"), &main.moves, false)];
        rows.extend(other.map(|it| row(self.other(), &it.moves, true)));
        rows.extend(real.map(|minutes| Row {
            what: self.page.say("lab-real").with("count", self.lab.real.matches).to_string(),
            from: place(minutes),
            at: place(minutes),
            until: place(minutes),
            is_other: true,
            said: self.page.say("round-minutes").with("count", minutes).to_string(),
        }));
        Chart { title: self.page.t("lab-length"), help: self.page.t("lab-length-help"), fair: None, rows }
    }

    /// All on one scale, with what is fair in its middle.
    fn wins(&self, key: &str, named: Vec<(String, &Share)>) -> Chart {
        let fair = 1.0 / f64::from(self.report.seats.max(1));
        let ends = named.iter().flat_map(|(_, it)| [fair - it.low, it.high - fair]);
        let reach = ends.fold(fair / 4.0, f64::max);
        let place = |share: f64| rounded(50.0 + (share - fair) / reach * 50.0);
        let row = |(what, share): (String, &Share)| Row {
            what,
            from: place(share.low),
            at: place(share.share),
            until: place(share.high),
            is_other: share.holds(fair),
            said: interval(self.page.lang, share),
        };
        let rows = named.into_iter().map(row).collect();
        Chart { title: self.page.t(key), help: self.page.t("lab-wins-help"), fair: Some(place(fair)), rows }
    }

    pub(super) fn tables(&self) -> Vec<Table> {
        let Some(main) = self.report.policies.last() else { return Vec::new() };
        let mut tables = vec![self.facts(main), self.policies(), self.endings(main)];
        tables.extend(Some(self.effects()).filter(|it| !it.rows.is_empty()));
        tables.extend(Some(self.worth()).filter(|it| !it.rows.is_empty()));
        tables.extend(Some(self.roles()).filter(|it| !it.rows.is_empty()));
        tables.extend(Some(self.never(main)).filter(|it| !it.rows.is_empty()));
        tables.extend(Some(self.real(main)).filter(|it| !it.rows.is_empty()));
        tables
    }

    fn facts(&self, main: &Findings) -> Table {
        let lang = self.page.lang;
        let against = self.report.against.as_ref();
        let (other, differs) =
            (against.and_then(|it| it.policies.last()), against.and_then(|it| it.differences.last()));
        let number = |it: f64| lang.up_to(it, 1);
        let share = |it: f64| percent(lang, it);
        let (moves, forced, waiting) =
            (differs.map(|it| &it.moves), differs.map(|it| &it.forced), differs.map(|it| &it.waiting));
        let (out, ties) = (differs.map(|it| &it.out), differs.map(|it| &it.ties));
        let row = |key: &str, of: &dyn Fn(&Findings) -> String, differs: Option<String>| {
            let mut row = vec![self.page.t(key), of(main)];
            if let Some(other) = other {
                row.extend([of(other), differs.unwrap_or_default()]);
            }
            row
        };
        let shares = |it: Option<&engine::lab::Change>| it.map(|it| change(lang, it, 100.0));
        let mut rows = vec![
            row("lab-decisions", &|it| number(it.decisions), moves.map(|it| change(lang, it, 1.0))),
            row("lab-choices", &|it| number(it.choices), None),
            row("lab-forced", &|it| share(it.forced), shares(forced)),
            row("lab-waiting", &|it| share(it.waiting), shares(waiting)),
            row("lab-out", &|it| share(it.out), shares(out)),
            row("lab-ties", &|it| share(it.ties), shares(ties)),
        ];
        if main.lead_changes.is_some() {
            rows.push(row("lab-leads", &|it| it.lead_changes.map(number).unwrap_or_default(), None));
            rows.push(row("lab-comebacks", &|it| it.comebacks.map(share).unwrap_or_default(), None));
        }
        let mut head = vec![self.page.t("lab-what"), self.page.t("lab-these")];
        if other.is_some() {
            head.extend([self.other(), self.page.t("lab-difference")]);
        }
        Table { id: "facts", title: self.page.t("lab-facts"), help: self.page.t("lab-facts-help"), head, rows }
    }

    fn policies(&self) -> Table {
        let lang = self.page.lang;
        let row = |it: &Findings| {
            let first = it.wins_by_order.first().map(|share| interval(lang, share)).unwrap_or_default();
            vec![
                self.page.t(&format!("lab-policy-{}", it.policy)),
                lang.number(it.matches),
                lang.number(it.moves.median),
                first,
                percent(lang, it.forced),
                percent(lang, it.out),
            ]
        };
        let mut rows: Vec<Vec<String>> = self.report.policies.iter().map(row).collect();
        rows.extend(self.report.skill.iter().map(|it| {
            let [one, others] = [&it.policy, &it.among].map(|policy| self.page.t(&format!("lab-policy-{policy}")));
            let what = self.page.say("lab-duel").with("one", one).with("others", others).to_string();
            let nothing = String::new;
            vec![what, lang.number(it.matches), nothing(), interval(lang, &it.wins), nothing(), nothing()]
        }));
        let head = ["lab-policy", "lab-matches", "lab-moves", "lab-first", "lab-forced", "lab-out"];
        let head = head.map(|key| self.page.t(key)).into();
        Table { id: "policies", title: self.page.t("lab-policies"), help: self.page.t("lab-policies-help"), head, rows }
    }

    fn endings(&self, main: &Findings) -> Table {
        let share = |matches: &u64| percent(self.page.lang, *matches as f64 / main.matches.max(1) as f64);
        let row = |(reason, matches): (&String, &u64)| {
            let why = if reason == "too_long" { self.page.t("lab-too-long") } else { self.word(reason) };
            vec![why, share(matches)]
        };
        let head = vec![self.page.t("lab-reason"), self.page.t("lab-share")];
        let rows = main.endings.iter().map(row).collect();
        Table { id: "endings", title: self.page.t("lab-endings"), help: String::new(), head, rows }
    }

    fn effects(&self) -> Table {
        let (lang, game) = (self.page.lang, self.lab.variant.game.as_str());
        let row = |it: &engine::lab::Effect| {
            let changed = match it.changed.share == 0.0 {
                true => self.page.t("lab-nothing"),
                false => interval(lang, &it.changed),
            };
            vec![option_label(lang, game, &it.option), option_text(lang, game, &it.option, &it.value), changed]
        };
        let head = ["lab-option", "lab-otherwise", "lab-changed"].map(|key| self.page.t(key)).into();
        let rows = self.report.effects.iter().map(row).collect();
        Table { id: "effects", title: self.page.t("lab-effects"), help: self.page.t("lab-effects-help"), head, rows }
    }

    fn worth(&self) -> Table {
        let (lang, game) = (self.page.lang, self.lab.variant.game.as_str());
        let row = |it: &engine::lab::Without| vec![move_name(lang, game, &it.chosen), interval(lang, &it.wins)];
        let head = ["lab-move", "lab-without"].map(|key| self.page.t(key)).into();
        let rows = self.report.worth.iter().map(row).collect();
        Table { id: "worth", title: self.page.t("lab-worth"), help: self.page.t("lab-worth-help"), head, rows }
    }

    fn roles(&self) -> Table {
        let roles = &self.report.roles;
        let are_chosen = roles.iter().any(|it| it.untaken.is_some());
        let (help, without) = match are_chosen {
            true => ("lab-roles-taken-help", "lab-role-untaken"),
            false => ("lab-roles-dealt-help", "lab-role-unused"),
        };
        let lang = self.page.lang;
        let row = |it: &engine::lab::RoleWorth| {
            let without = it.untaken.as_ref().or(it.unused.as_ref());
            let without = without.map_or_else(|| "–".to_owned(), |share| interval(lang, share));
            vec![self.word(&it.role), interval(lang, &it.wins), without]
        };
        let head = ["lab-role", "lab-role-wins", without].map(|key| self.page.t(key)).into();
        let rows = roles.iter().map(row).collect();
        Table { id: "roles", title: self.page.t("lab-roles"), help: self.page.t(help), head, rows }
    }

    /// What nobody chose of what could be chosen.
    fn never(&self, main: &Findings) -> Table {
        let (lang, game) = (self.page.lang, self.lab.variant.game.as_str());
        let row = |it: &engine::lab::Pick| {
            let value = it.value.as_str().map_or_else(|| it.value.to_string(), |value| self.word(value));
            vec![move_name(lang, game, &it.chosen), value, lang.number(it.offered)]
        };
        let head = ["lab-move", "lab-value", "lab-offered"].map(|key| self.page.t(key)).into();
        let rows = main.never_picked.iter().take(SHOWN).map(row).collect();
        Table { id: "never", title: self.page.t("lab-never"), help: self.page.t("lab-never-help"), head, rows }
    }

    /// What the lab foretold, beside what happened.
    fn real(&self, main: &Findings) -> Table {
        let (lang, real) = (self.page.lang, &self.lab.real);
        let mut rows = Vec::new();
        if let Some(happened) = real.minutes {
            let minutes = |minutes: u32| self.page.say("round-minutes").with("count", minutes).to_string();
            let foretold = in_minutes(main.moves.median, self.seconds);
            rows.push(vec![self.page.t("lab-length"), minutes(foretold), minutes(happened)]);
            let places = main.wins_by_order.iter().zip(&real.wins_by_order).enumerate();
            rows.extend(places.map(|(at, (foretold, real))| {
                let place = self.page.say("lab-place").with("place", at + 1).to_string();
                vec![place, percent(lang, foretold.share), interval(lang, real)]
            }));
        }
        let roles = main
            .wins_by_role
            .iter()
            .filter_map(|(role, foretold)| Some((role, foretold, real.wins_by_role.get(role)?)));
        rows.extend(
            roles.map(|(role, foretold, real)| {
                vec![self.word(role), percent(lang, foretold.share), interval(lang, real)]
            }),
        );
        let title = self.page.say("lab-real").with("count", real.matches).to_string();
        let head = ["lab-what", "lab-foretold", "lab-happened"].map(|key| self.page.t(key)).into();
        Table { id: "real", title, help: self.page.t("lab-real-help"), head, rows }
    }

    fn other(&self) -> String {
        other(self.page.lang, self.lab)
    }

    fn word(&self, name: &str) -> String {
        word(self.page.lang, &self.lab.variant.game, name)
    }
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
