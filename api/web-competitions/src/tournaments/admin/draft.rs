//! A tournament as the fields of a form, and back.

use std::borrow::Borrow;
use std::ops::RangeInclusive;

use engine::tournaments::{
    Consolation, Edition, Format, Games, GroupPlay, PodPairing, Points, Scoring, ShortScale, ShortTables, TieBreak,
};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::fields::{is_open, stage_of};
use super::presets::Preset;
use crate::tournaments::view::{TIE_BREAKS, TieBreakWords, pairing_key, short_tables_key};
use base::error::{FieldError, Result, conflict, invalid_fields};
use base::games::OTHER;
use base::ids::{TableId, VariantId};
use competitions::tournaments::{
    EntryMode, Seeding, StagePlan, TournamentChange, TournamentName, TournamentRequest, TournamentRow,
};
use play::matches::Mode;
use web_base::page::{Edit, Fields};

pub(super) const FORMATS: [&str; 9] = [
    "swiss",
    "single_elimination",
    "double_elimination",
    "round_robin",
    "groups",
    "groups_swiss",
    "pods",
    "pod_knockout",
    "arena",
];
pub(super) const PAIRINGS: [&str; 3] = ["random", "by_standing", "spread"];
/// How many games a bout has.
pub(super) const GAMES: [&str; 3] = ["one", "best_of", "race_to"];
/// The last place that is played for in a single elimination.
pub(super) const PLAYED_PLACES: [&str; 4] = ["two", "four", "eight", "all"];
pub(super) const POINTS: [&str; 3] = ["win", "places", "scores"];
pub(super) const WORTH: [&str; 5] = ["win", "draw", "loss", "bye", "missed"];
pub(super) const SHORT_TABLES: [&str; 3] = ["rotate", "bottom", "top"];
pub(super) const SHORT_SCALES: [&str; 2] = ["as_full", "scaled"];
/// Of FIDE's rules for tie-breaks.
pub(super) const EDITIONS: [&str; 2] = ["fide_2024", "fide_2026"];
const STAGES: RangeInclusive<usize> = 1..=3;
/// At least so many tie-breaks are offered.
const TIES: usize = 4;
/// As browsers write a time without a zone.
const TIME: &str = "%Y-%m-%dT%H:%M";

/// The fields of the form.
pub(super) struct Draft(Fields);

impl Draft {
    pub(super) fn sent(fields: Fields) -> Self {
        Self(fields)
    }

    /// What somebody has made of the form of a tournament, onto the tournament as it is now.
    pub(super) fn onto(edit: &Edit, row: &TournamentRow, zone: &TimeZone) -> Result<Self> {
        let now = Self::of(row, zone).whole();
        if !Self::clashes(edit, &now).is_empty() {
            return Err(conflict("form_changed"));
        }
        let mut fields = edit.onto(&now)?;
        // What was emptied is said as well.
        for name in edit.typed().keys() {
            fields.entry(name.clone()).or_default();
        }
        let before = |name: &str| now.get(name).map_or("", |it| it.trim());
        match fields.iter().any(|(name, value)| !is_open(name, row) && value != before(name)) {
            true => Err(conflict("tournament_started")),
            false => Ok(Self(fields)),
        }
    }

    /// What somebody else has put into fields that were changed in the form as well, or into the format of a stage of which something
    /// was.
    pub(super) fn clashes(edit: &Edit, now: &Fields) -> Vec<(String, String)> {
        let hangs = |format: &str, name: &str| stage_of(name) == stage_of(format) && !name.starts_with("advance-");
        edit.clashes_with_heads(now, STAGES.map(|stage| format!("format-{stage}")), hangs)
    }

    /// What the form of a tournament is made from: what can still be changed, also where that is empty.
    pub(super) fn form_of(row: &TournamentRow, zone: &TimeZone) -> Fields {
        let mut fields = Self::of(row, zone).whole();
        fields.retain(|name, _| is_open(name, row));
        fields
    }

    /// With the fields that are empty.
    fn whole(mut self) -> Fields {
        for stage in STAGES {
            let empty = ["format", "advance", "games-last"].map(|name| format!("{name}-{stage}"));
            let ties = self.ties(stage).map(|at| format!("tie-{stage}-{at}")).collect::<Vec<_>>();
            for name in empty.into_iter().chain(ties) {
                self.0.entry(name).or_default();
            }
        }
        self.0
    }

    /// What a new tournament begins with.
    pub(super) fn usual() -> Self {
        let mut draft = Self(Fields::new());
        for (name, value) in
            [("rules", "perudo"), ("mode", "scored"), ("seeding", "rating"), ("format-1", "swiss"), ("entry", "open")]
        {
            draft.set(name, value);
        }
        STAGES.for_each(|stage| draft.fill_usual(stage));
        draft
    }

    /// What such an evening begins with.
    pub(super) fn preset(preset: Preset) -> Self {
        let mut draft = Self::usual();
        for (name, value) in preset.fields() {
            draft.set(name, value);
        }
        draft
    }

    fn fill_usual(&mut self, stage: usize) {
        for (name, value) in [
            ("rounds", "4"),
            ("legs", "1"),
            ("many-groups", "4"),
            ("least", "3"),
            ("most", "5"),
            ("going", "1"),
            ("minutes", "60"),
            ("patience", "60"),
            ("pairing", "by_standing"),
            ("places", PLAYED_PLACES[0]),
            ("reach", "0"),
            ("short-tables", SHORT_TABLES[0]),
            ("short-scale", SHORT_SCALES[0]),
            ("points", "win"),
            ("win", "1"),
            ("draw", "0.5"),
            ("loss", "0"),
            ("bye", "1"),
            ("missed", "0"),
            ("edition", EDITIONS[1]),
            ("games", GAMES[0]),
            ("games-many", "3"),
            ("scale", "5 3 2 1"),
            ("tie-1", "buchholz"),
        ] {
            match name.strip_prefix("tie-") {
                Some(at) => self.set(&format!("tie-{stage}-{at}"), value),
                None => self.set(&format!("{name}-{stage}"), value),
            }
        }
    }

    /// A tournament as it is.
    pub(super) fn of(row: &TournamentRow, zone: &TimeZone) -> Self {
        let mut draft = Self::usual();
        draft.0.remove("format-1");
        draft.set("name", &row.name);
        draft.set("rules", &rules_of(row));
        draft.set("title", row.title.as_deref().unwrap_or_default());
        draft.set("mode", row.mode.as_str());
        draft.set("seeding", row.seeding.as_str());
        draft.set("entry", row.entry.as_str());
        let time = |moment: Option<Timestamp>| moment.map(|moment| written_time(moment, zone)).unwrap_or_default();
        draft.set("starts_at", &time(row.starts_at));
        draft.set("check_in_until", &time(row.check_in_until));
        let number = |it: Option<i64>| it.map(|it| it.to_string()).unwrap_or_default();
        draft.set("most_entrants", &number(row.most_entrants.map(i64::from)));
        draft.set("round_minutes", &number(row.round_minutes.map(i64::from)));
        draft.set("team_size", &number(row.team_size.map(i64::from)));
        draft.set("turn_seconds", &number(row.turn_seconds.map(i64::from)));
        draft.set("late_until_round", &number(row.late_until_round.map(i64::from)));
        for table in row.table_ids.iter().flatten() {
            draft.set(&format!("table-{table}"), "on");
        }
        for (plan, stage) in row.stages.iter().zip(STAGES) {
            draft.fill_stage(plan, stage);
        }
        draft
    }

    fn fill_stage(&mut self, plan: &StagePlan, stage: usize) {
        let mut set = |name: &str, value: String| self.set(&format!("{name}-{stage}"), &value);
        match &plan.format {
            Format::SingleElimination { third_place, consolation } => {
                set("format", "single_elimination".to_owned());
                let places = match (consolation, third_place) {
                    (Consolation::None, false) => PLAYED_PLACES[0],
                    (Consolation::None, true) => PLAYED_PLACES[1],
                    (Consolation::Eight, _) => PLAYED_PLACES[2],
                    (Consolation::All, _) => PLAYED_PLACES[3],
                };
                set("places", places.to_owned());
            }
            Format::DoubleElimination {} => set("format", "double_elimination".to_owned()),
            Format::RoundRobin { legs } => {
                set("format", "round_robin".to_owned());
                set("legs", legs.to_string());
            }
            Format::Swiss { rounds } => {
                set("format", "swiss".to_owned());
                set("rounds", rounds.to_string());
            }
            Format::Groups { groups, play } => {
                set("many-groups", groups.to_string());
                match play {
                    GroupPlay::RoundRobin { legs } => {
                        set("format", "groups".to_owned());
                        set("legs", legs.to_string());
                    }
                    GroupPlay::Swiss { rounds } => {
                        set("format", "groups_swiss".to_owned());
                        set("rounds", rounds.to_string());
                    }
                }
            }
            Format::Pods { rounds, least, most, pairing, reach, short_tables } => {
                set("format", "pods".to_owned());
                set("rounds", rounds.to_string());
                set("least", least.to_string());
                set("most", most.to_string());
                set("pairing", pairing_key(*pairing).to_owned());
                set("reach", reach.to_string());
                set("short-tables", short_tables_key(*short_tables).to_owned());
            }
            Format::PodKnockout { least, most, advance, wild_cards } => {
                set("format", "pod_knockout".to_owned());
                set("least", least.to_string());
                set("most", most.to_string());
                set("going", advance.to_string());
                if *wild_cards {
                    set("wild-cards", "on".to_owned());
                }
            }
            Format::Arena { minutes, least, most, patience, streaks } => {
                set("format", "arena".to_owned());
                set("minutes", minutes.to_string());
                set("least", least.to_string());
                set("most", most.to_string());
                set("patience", patience.to_string());
                if *streaks {
                    set("streaks", "on".to_owned());
                }
            }
        }
        match &plan.scoring.points {
            Points::Win { win, draw, loss, bye } => {
                set("points", "win".to_owned());
                for (name, worth) in WORTH.iter().zip([win, draw, loss, bye]) {
                    set(name, written(*worth));
                }
            }
            Points::Places { scale, bye } => {
                set("points", "places".to_owned());
                set("scale", scale.iter().map(|it| written(*it)).collect::<Vec<_>>().join(" "));
                set("bye", written(*bye));
            }
            Points::Scores => set("points", "scores".to_owned()),
        }
        set("missed", written(plan.scoring.missed));
        let edition = match plan.scoring.edition {
            Edition::Fide2024 => EDITIONS[0],
            Edition::Fide2026 => EDITIONS[1],
        };
        set("edition", edition.to_owned());
        let short_scale = match plan.scoring.short_scale {
            ShortScale::AsFull => SHORT_SCALES[0],
            ShortScale::Scaled => SHORT_SCALES[1],
        };
        set("short-scale", short_scale.to_owned());
        let joined = |last: &[u8]| last.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        match &plan.scoring.games {
            Games::One {} => {}
            Games::BestOf { games, last } => {
                set("games", GAMES[1].to_owned());
                set("games-many", games.to_string());
                set("games-last", joined(last));
            }
            Games::RaceTo { wins, last } => {
                set("games", GAMES[2].to_owned());
                set("games-many", wins.to_string());
                set("games-last", joined(last));
            }
        }
        set("advance", plan.advance.map(|it| it.to_string()).unwrap_or_default());
        if plan.runs_by_itself {
            set("by-itself", "on".to_owned());
        }
        // A stage without tie-breaks has none, not the usual one.
        self.set(&format!("tie-{stage}-1"), "");
        for (at, tie_break) in (1..).zip(&plan.tie_breaks) {
            self.set(&format!("tie-{stage}-{at}"), tie_break.key());
        }
    }

    fn set(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }

    pub(super) fn value(&self, name: &str) -> &str {
        self.0.get(name).map(|it| it.trim()).unwrap_or_default()
    }

    pub(super) fn is(&self, name: impl AsRef<str>, value: impl AsRef<str>) -> bool {
        self.value(name.as_ref()) == value.as_ref()
    }

    /// Whether a field holds this number.
    pub(super) fn is_number(&self, name: &str, number: &i32) -> bool {
        self.value(name) == number.to_string()
    }

    /// The field of a stage.
    pub(super) fn of_stage(&self, name: &str, stage: &usize) -> &str {
        self.value(&format!("{name}-{stage}"))
    }

    /// The tournament that is asked for.
    pub(super) fn request(&self, zone: &TimeZone) -> Result<TournamentRequest> {
        let mut wrong = Vec::new();
        let mut note = |err: FieldError| wrong.push(err);
        let name = TournamentName::parse(self.value("name")).map_err(|err| note(err.at("/name"))).ok();
        let (game, variant_id) = self.rules();
        let is_other = game == OTHER;
        let title = match (is_other, self.value("title")) {
            (true, title) => TournamentName::parse(title).map_err(|err| note(err.at("/title"))).ok(),
            (false, _) => None,
        };
        let mode = if is_other { Mode::Scored } else { self.value("mode").parse().unwrap_or(Mode::Played) };
        let stages = STAGES.filter(|stage| !self.of_stage("format", stage).is_empty());
        let stages: Vec<_> = stages.filter_map(|stage| self.stage(stage).map_err(&mut note).ok()).collect();
        let count = stages.len();
        let stages = stages.into_iter().enumerate();
        // Of the last nobody goes on.
        let stages =
            stages.map(|(at, it)| StagePlan { advance: it.advance.filter(|_| at + 1 < count), ..it }).collect();
        let request = TournamentRequest {
            name: name.unwrap_or(TournamentName(String::new())),
            game: game.to_owned(),
            title,
            mode: Some(mode),
            options: None,
            variant_id,
            variant_version: None,
            turn_seconds: match mode {
                Mode::Played => self.number("turn_seconds").map_err(&mut note).unwrap_or(None),
                Mode::Scored => None,
            },
            stages,
            seeding: self.value("seeding").parse::<Seeding>().ok(),
            entry: self.value("entry").parse::<EntryMode>().ok(),
            most_entrants: self.number("most_entrants").map_err(&mut note).unwrap_or(None),
            late_until_round: self.number("late_until_round").map_err(&mut note).unwrap_or(None),
            round_minutes: self.number("round_minutes").map_err(&mut note).unwrap_or(None),
            team_size: self.number("team_size").map_err(&mut note).unwrap_or(None),
            table_ids: self.tables(),
            starts_at: self.time("starts_at", zone).map_err(&mut note).unwrap_or(None),
            check_in_until: self.time("check_in_until", zone).map_err(&mut note).unwrap_or(None),
        };
        if wrong.is_empty() { Ok(request) } else { Err(invalid_fields(wrong)) }
    }

    /// The changes to this tournament. After the start the game is left out.
    pub(super) fn change(&self, row: &TournamentRow, zone: &TimeZone) -> Result<TournamentChange> {
        if row.started_at.is_some() {
            return Ok(TournamentChange { stages: self.stages_to_come(row)?, ..self.change_of_running(zone)? });
        }
        let mut asked = self.request(zone)?;
        keep_knockouts(&mut asked.stages, row);
        let is_same_game = self.value("rules") == rules_of(row);
        let others = TournamentChange {
            name: Some(asked.name),
            mode: asked.mode,
            title: Some(asked.title),
            turn_seconds: Some(asked.turn_seconds),
            stages: Some(asked.stages),
            seeding: asked.seeding,
            team_size: Some(asked.team_size),
            ..self.change_of_running(zone)?
        };
        // The same rules said again would lose switches that no variant has.
        Ok(match is_same_game {
            true => others,
            false => TournamentChange { game: Some(asked.game), variant_id: Some(asked.variant_id), ..others },
        })
    }

    /// The plan with the stages that have begun as they are; none if the form says nothing of the others.
    fn stages_to_come(&self, row: &TournamentRow) -> Result<Option<Vec<StagePlan>>> {
        let begun = usize::try_from(row.stage).unwrap_or(0);
        let to_come = (begun + 1..=*STAGES.end()).filter(|stage| !self.of_stage("format", stage).is_empty());
        if !self.0.contains_key(&format!("format-{}", begun + 1)) {
            return Ok(None);
        }
        let to_come = to_come.map(|stage| self.stage(stage)).collect::<Result<Vec<_>, _>>();
        let to_come = to_come.map_err(|err| invalid_fields(vec![err]))?;
        let mut stages: Vec<_> = row.stages.iter().take(begun).cloned().chain(to_come).collect();
        if let Some(now) = stages.get_mut(begun - 1) {
            now.advance = self.advance(begun).map_err(|err| invalid_fields(vec![err]))?;
        }
        // Of the last nobody goes on.
        if let Some(last) = stages.last_mut() {
            last.advance = None;
        }
        keep_knockouts(&mut stages, row);
        Ok(Some(stages))
    }

    fn advance(&self, stage: usize) -> Result<Option<u16>, FieldError> {
        match self.of_stage("advance", &stage) {
            "" => Ok(None),
            typed => {
                let wrong = |_| FieldError::new(format!("/stages/{}/advance", stage - 1), "out_of_range");
                typed.parse().map(Some).map_err(wrong)
            }
        }
    }

    fn change_of_running(&self, zone: &TimeZone) -> Result<TournamentChange> {
        let read = || {
            Ok(TournamentChange {
                name: Some(TournamentName::parse(self.value("name")).map_err(|err| err.at("/name"))?),
                most_entrants: Some(self.number("most_entrants")?),
                late_until_round: Some(self.number("late_until_round")?),
                entry: self.value("entry").parse::<EntryMode>().ok(),
                round_minutes: Some(self.number("round_minutes")?),
                table_ids: Some(self.tables()),
                starts_at: Some(self.time("starts_at", zone)?),
                check_in_until: Some(self.time("check_in_until", zone)?),
                ..TournamentChange::default()
            })
        };
        read().map_err(|err: FieldError| invalid_fields(vec![err]))
    }

    /// The game and the variant of it.
    fn rules(&self) -> (&str, Option<VariantId>) {
        match self.value("rules").split_once(':') {
            Some((game, variant)) => (game, variant.parse::<uuid::Uuid>().ok().map(VariantId)),
            None => (self.value("rules"), None),
        }
    }

    fn tables(&self) -> Option<Vec<TableId>> {
        let ids = self.0.keys().filter_map(|name| name.strip_prefix("table-")?.parse::<uuid::Uuid>().ok());
        Some(ids.map(TableId).collect::<Vec<_>>()).filter(|ids| !ids.is_empty())
    }

    fn number(&self, name: &str) -> Result<Option<i64>, FieldError> {
        match self.value(name) {
            "" => Ok(None),
            typed => typed.parse().map(Some).map_err(|_| FieldError::new(format!("/{name}"), "out_of_range")),
        }
    }

    fn time(&self, name: &str, zone: &TimeZone) -> Result<Option<Timestamp>, FieldError> {
        read_time(self.value(name), zone).map_err(|()| FieldError::new(format!("/{name}"), "invalid"))
    }

    fn stage(&self, stage: usize) -> Result<StagePlan, FieldError> {
        let pointer = format!("/stages/{}", stage - 1);
        let wrong = |field: &str| FieldError::new(format!("{pointer}/{field}"), "out_of_range");
        let small = |name: &str| self.of_stage(name, &stage).parse::<u8>().map_err(|_| wrong(name));
        let many = |name: &str| self.of_stage(name, &stage).parse::<u16>().map_err(|_| wrong(name));
        let worth = |name: &str| hundredths(self.of_stage(name, &stage)).ok_or_else(|| wrong(name));
        let format = match self.of_stage("format", &stage) {
            "single_elimination" => self.single_elimination(stage),
            "double_elimination" => Format::DoubleElimination {},
            "round_robin" => Format::RoundRobin { legs: small("legs")? },
            "swiss" => Format::Swiss { rounds: small("rounds")? },
            "groups" => {
                Format::Groups { groups: small("many-groups")?, play: GroupPlay::RoundRobin { legs: small("legs")? } }
            }
            "groups_swiss" => {
                Format::Groups { groups: small("many-groups")?, play: GroupPlay::Swiss { rounds: small("rounds")? } }
            }
            "pods" => Format::Pods {
                rounds: small("rounds")?,
                least: small("least")?,
                most: small("most")?,
                pairing: self.pairing(stage),
                reach: match self.pairing(stage) {
                    PodPairing::ByStanding => small("reach")?,
                    PodPairing::Random | PodPairing::Spread => 0,
                },
                short_tables: self.short_tables(stage),
            },
            "pod_knockout" => {
                let (least, most, advance) = (small("least")?, small("most")?, small("going")?);
                Format::PodKnockout { least, most, advance, wild_cards: self.is(format!("wild-cards-{stage}"), "on") }
            }
            "arena" => Format::Arena {
                minutes: many("minutes")?,
                least: small("least")?,
                most: small("most")?,
                patience: many("patience")?,
                streaks: self.is(format!("streaks-{stage}"), "on"),
            },
            _ => return Err(wrong("format")),
        };
        let points = match self.of_stage("points", &stage) {
            // Who goes on is what counts there.
            _ if format.is_knockout() => Points::Win { win: 100, draw: 50, loss: 0, bye: 100 },
            "places" => {
                let scale = self.of_stage("scale", &stage).split([' ', '/', ';']).filter(|it| !it.is_empty());
                let scale = scale.map(|it| hundredths(it).ok_or_else(|| wrong("scale"))).collect::<Result<_, _>>()?;
                Points::Places { scale, bye: worth("bye")? }
            }
            "scores" => Points::Scores,
            _ => Points::Win { win: worth("win")?, draw: worth("draw")?, loss: worth("loss")?, bye: worth("bye")? },
        };
        let tie_breaks = if format.is_knockout() { Vec::new() } else { self.tie_breaks(stage) };
        let scoring = Scoring {
            points,
            missed: if self.of_stage("missed", &stage).is_empty() { 0 } else { worth("missed")? },
            edition: if self.is(format!("edition-{stage}"), EDITIONS[0]) {
                Edition::Fide2024
            } else {
                Edition::Fide2026
            },
            games: if format.is_duel() { self.games(stage)? } else { Games::default() },
            short_scale: if self.is(format!("short-scale-{stage}"), SHORT_SCALES[1]) {
                ShortScale::Scaled
            } else {
                ShortScale::AsFull
            },
        };
        let is_bracket = matches!(format, Format::SingleElimination { .. } | Format::DoubleElimination {});
        let runs_by_itself = is_bracket && self.is(format!("by-itself-{stage}"), "on");
        Ok(StagePlan { format, scoring, tie_breaks, advance: self.advance(stage)?, runs_by_itself })
    }

    fn single_elimination(&self, stage: usize) -> Format {
        let (third_place, consolation) = match self.of_stage("places", &stage) {
            "four" => (true, Consolation::None),
            "eight" => (true, Consolation::Eight),
            "all" => (true, Consolation::All),
            _ => (false, Consolation::None),
        };
        Format::SingleElimination { third_place, consolation }
    }

    fn games(&self, stage: usize) -> Result<Games, FieldError> {
        let wrong = || FieldError::new(format!("/stages/{}/scoring/games", stage - 1), "out_of_range");
        let many = || self.of_stage("games-many", &stage).parse::<u8>().map_err(|_| wrong());
        let last = || {
            let words = self.of_stage("games-last", &stage).split([' ', ',', '/']).filter(|it| !it.is_empty());
            words.map(|it| it.parse::<u8>().map_err(|_| wrong())).collect::<Result<Vec<_>, _>>()
        };
        Ok(match self.of_stage("games", &stage) {
            "best_of" => Games::BestOf { games: many()?, last: last()? },
            "race_to" => Games::RaceTo { wins: many()?, last: last()? },
            _ => Games::default(),
        })
    }

    fn pairing(&self, stage: usize) -> PodPairing {
        let pairings = [PodPairing::Random, PodPairing::ByStanding, PodPairing::Spread];
        let asked = self.of_stage("pairing", &stage);
        pairings.into_iter().find(|it| pairing_key(*it) == asked).unwrap_or(PodPairing::Random)
    }

    fn short_tables(&self, stage: usize) -> ShortTables {
        let all = [ShortTables::Rotate, ShortTables::Bottom, ShortTables::Top];
        let asked = self.of_stage("short-tables", &stage);
        all.into_iter().find(|it| short_tables_key(*it) == asked).unwrap_or_default()
    }

    /// The fields for tie-breaks: as many as are filled in, and one more.
    pub(super) fn ties(&self, stage: impl Borrow<usize>) -> RangeInclusive<usize> {
        let is_filled = |at: &usize| !self.value(&format!("tie-{}-{at}", stage.borrow())).is_empty();
        let last = (1..=TIE_BREAKS.len()).rev().find(is_filled).unwrap_or(0);
        1..=(last + 1).clamp(TIES, TIE_BREAKS.len())
    }

    /// In the order asked for, each once.
    fn tie_breaks(&self, stage: usize) -> Vec<TieBreak> {
        let mut chosen = Vec::new();
        for at in self.ties(stage) {
            let asked = self.value(&format!("tie-{stage}-{at}"));
            let found = TIE_BREAKS.into_iter().find(|it| it.key() == asked);
            chosen.extend(found.filter(|it| !chosen.contains(it)));
        }
        chosen
    }
}

/// As browsers write it in a field for a moment.
pub(super) fn written_time(moment: Timestamp, zone: &TimeZone) -> String {
    moment.to_zoned(zone.clone()).strftime(TIME).to_string()
}

/// The moment in such a field; none if it is blank.
pub(super) fn read_time(typed: &str, zone: &TimeZone) -> Result<Option<Timestamp>, ()> {
    if typed.is_empty() {
        return Ok(None);
    }
    let moment = typed.parse::<DateTime>().and_then(|it| it.to_zoned(zone.clone()));
    moment.map(|it| Some(it.timestamp())).map_err(|_| ())
}

/// The form says nothing of how a knock-out is scored: what others have set stays.
fn keep_knockouts(stages: &mut [StagePlan], row: &TournamentRow) {
    for (plan, before) in stages.iter_mut().zip(row.stages.iter()) {
        if plan.format.is_knockout() && before.format.is_knockout() {
            let games = std::mem::take(&mut plan.scoring.games);
            (plan.scoring, plan.tie_breaks) = (Scoring { games, ..before.scoring.clone() }, before.tie_breaks.clone());
        }
    }
}

/// What is played, as the form says it.
fn rules_of(row: &TournamentRow) -> String {
    match row.variant_id {
        Some(variant) => format!("{}:{variant}", row.game),
        None => row.game.clone(),
    }
}

/// `2.5` or `2,5`.
pub(crate) fn hundredths(typed: &str) -> Option<i32> {
    let (whole, rest) = typed.split_once(['.', ',']).unwrap_or((typed, ""));
    if rest.len() > 2 || !rest.chars().all(|it| it.is_ascii_digit()) {
        return None;
    }
    let is_negative = whole.starts_with('-');
    let (whole, rest) = (whole.parse::<i32>().ok()?, format!("{rest:0<2}").parse::<i32>().ok()?);
    let rest = if is_negative { -rest } else { rest };
    whole.checked_mul(100)?.checked_add(rest)
}

pub(crate) fn written(hundredths: i32) -> String {
    let (sign, whole) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    match whole % 100 {
        0 => format!("{sign}{}", whole / 100),
        rest => format!("{sign}{}.{}", whole / 100, format!("{rest:02}").trim_end_matches('0')),
    }
}

#[cfg(test)]
mod tests {
    use web_base::error::ApiError;

    use super::*;

    #[test]
    fn points_are_read_as_they_are_written() {
        for (typed, read) in [("1", 100), ("0.5", 50), ("2,25", 225), ("-1", -100), ("-0.5", -50), ("10", 1000)] {
            assert_eq!(hundredths(typed), Some(read), "{typed}");
            assert_eq!(hundredths(&written(read)), Some(read), "{typed}");
        }
        for wrong in ["", "a", "1.234", "1.x", "99999999999"] {
            assert_eq!(hundredths(wrong), None, "{wrong}");
        }
    }

    fn form(fields: &[(&str, &str)]) -> Draft {
        let mut draft = Draft::usual();
        draft.set("name", "금요일 대회");
        for (name, value) in fields {
            draft.set(name, value);
        }
        draft
    }

    #[test]
    fn a_form_says_a_tournament() {
        let draft = form(&[
            ("rounds-1", "3"),
            ("advance-1", "4"),
            ("format-2", "single_elimination"),
            ("places-2", "eight"),
            ("by-itself-2", "on"),
            ("entry", "code"),
            ("games-2", "best_of"),
            ("games-last-2", "5"),
            ("advance-2", "2"),
            ("tie-1-2", "wins"),
            ("tie-1-3", "wins"),
            ("starts_at", "2026-11-22T19:00"),
        ]);
        let asked = draft.request(&TimeZone::get("Asia/Seoul").unwrap()).unwrap();
        assert_eq!((asked.game.as_str(), asked.stages.len()), ("perudo", 2));
        assert_eq!(asked.stages[0].format, Format::Swiss { rounds: 3 });
        assert_eq!(asked.stages[0].tie_breaks, [TieBreak::Buchholz, TieBreak::Wins]);
        assert_eq!((asked.stages[0].advance, asked.stages[1].advance), (Some(4), None));
        assert_eq!(
            asked.stages[1].format,
            Format::SingleElimination { third_place: true, consolation: Consolation::Eight }
        );
        assert!(asked.stages[1].runs_by_itself && asked.entry == Some(EntryMode::Code));
        assert_eq!(asked.stages[1].scoring.games, Games::BestOf { games: 3, last: vec![5] });
        assert_eq!(asked.starts_at, Some("2026-11-22T10:00:00Z".parse().unwrap()));
    }

    #[test]
    fn every_preset_is_a_tournament_that_can_be_played() {
        for preset in Preset::ALL {
            let mut draft = Draft::preset(*preset);
            draft.set("name", "금요일 대회");
            let asked = draft.request(&TimeZone::UTC).unwrap();
            let mut many = 16;
            for plan in &asked.stages {
                assert!(plan.fits(None, many), "{preset}: {:?} by {many}", plan.format);
                many = plan.advance.map_or(many, usize::from);
            }
            assert_eq!(asked.stages.last().unwrap().advance, None);
            assert!(Format::is_knockout(&asked.stages[0].format) || !asked.stages[0].tie_breaks.is_empty());
        }
    }

    #[test]
    fn editing_keeps_tie_breaks_and_how_a_knock_out_is_scored() {
        let mut row = crate::tournaments::samples::moments().remove(0).row;
        row.started_at = None;
        let many = vec![TieBreak::Buchholz, TieBreak::Wins, TieBreak::HeadToHead, TieBreak::Progressive, TieBreak::Lot];
        let games = Games::RaceTo { wins: 2, last: vec![3, 2] };
        let scored = Scoring { edition: Edition::Fide2024, missed: 50, games, ..Scoring::new(Points::Scores) };
        let plan = |format, scoring, tie_breaks| StagePlan {
            format,
            scoring,
            tie_breaks,
            advance: None,
            runs_by_itself: false,
        };
        row.stages.0 = vec![
            StagePlan { advance: Some(4), ..plan(Format::Swiss { rounds: 3 }, scored.clone(), many.clone()) },
            plan(
                Format::SingleElimination { third_place: false, consolation: Consolation::None },
                scored,
                vec![TieBreak::Seed],
            ),
        ];
        let change = Draft::of(&row, &TimeZone::UTC).change(&row, &TimeZone::UTC).unwrap();
        assert_eq!(change.stages.unwrap(), row.stages.0);
        row.stages.0[0].tie_breaks.clear();
        let change = Draft::of(&row, &TimeZone::UTC).change(&row, &TimeZone::UTC).unwrap();
        assert_eq!(change.stages.unwrap(), row.stages.0);
    }

    #[test]
    fn editing_keeps_who_sits_at_small_tables_and_what_places_there_are_worth() {
        let mut row = crate::tournaments::samples::moments().remove(0).row;
        row.started_at = None;
        let pairing = PodPairing::ByStanding;
        let by_places = Scoring::new(Points::Places { scale: vec![500, 300, 200, 100], bye: 300 });
        row.stages.0 = vec![
            StagePlan {
                format: Format::Pods {
                    rounds: 3,
                    least: 3,
                    most: 4,
                    pairing,
                    reach: 2,
                    short_tables: ShortTables::Top,
                },
                scoring: Scoring { short_scale: ShortScale::Scaled, ..by_places.clone() },
                tie_breaks: vec![TieBreak::Seed],
                advance: Some(8),
                runs_by_itself: false,
            },
            StagePlan {
                format: Format::PodKnockout { least: 3, most: 4, advance: 2, wild_cards: true },
                scoring: by_places,
                tie_breaks: Vec::new(),
                advance: None,
                runs_by_itself: false,
            },
        ];
        let change = Draft::of(&row, &TimeZone::UTC).change(&row, &TimeZone::UTC).unwrap();
        assert_eq!(change.stages.unwrap(), row.stages.0);
    }

    #[test]
    fn stages_to_come_can_be_planned_again_and_those_that_have_begun_stay() {
        let mut row = crate::tournaments::samples::moments().remove(0).row;
        let plan = |format, advance| {
            let scoring = Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 });
            StagePlan { format, scoring, tie_breaks: vec![TieBreak::Seed], advance, runs_by_itself: false }
        };
        row.stages.0 = vec![
            plan(Format::Swiss { rounds: 3 }, Some(8)),
            StagePlan {
                tie_breaks: Vec::new(),
                ..plan(Format::SingleElimination { third_place: false, consolation: Consolation::None }, None)
            },
        ];
        row.started_at = Some(Timestamp::UNIX_EPOCH);
        let mut draft = Draft::of(&row, &TimeZone::UTC);
        draft.set("advance-1", "4");
        draft.set("format-2", "double_elimination");
        let stages = draft.change(&row, &TimeZone::UTC).unwrap().stages.unwrap();
        assert_eq!((stages[0].advance, &stages[1].format), (Some(4), &Format::DoubleElimination {}));
        assert_eq!(stages[0], StagePlan { advance: Some(4), ..row.stages.0[0].clone() });
        draft.set("format-2", "");
        let stages = draft.change(&row, &TimeZone::UTC).unwrap().stages.unwrap();
        assert_eq!((stages.len(), stages[0].advance), (1, None));
    }

    /// The form of this tournament with these fields changed.
    fn sent(row: &TournamentRow, changed: &[(&str, &str)]) -> Edit {
        let seen = Draft::form_of(row, &TimeZone::UTC);
        let mut fields: Fields = seen.iter().map(|(name, value)| (format!("seen.{name}"), value.clone())).collect();
        fields.extend(seen);
        fields.extend(changed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields.into()
    }

    fn swiss() -> TournamentRow {
        let mut row = crate::tournaments::samples::moments().remove(0).row;
        let scoring = Scoring::new(Points::Win { win: 100, draw: 50, loss: 0, bye: 100 });
        let (format, tie_breaks) = (Format::Swiss { rounds: 3 }, vec![TieBreak::Buchholz]);
        row.stages.0 = vec![StagePlan { format, scoring, tie_breaks, advance: None, runs_by_itself: false }];
        (row.started_at, row.stage, row.round_minutes, row.table_ids) = (None, 1, None, None);
        row
    }

    #[test]
    fn a_form_keeps_what_others_have_changed_meanwhile() {
        let (row, zone) = (swiss(), TimeZone::UTC);
        let edit = sent(&row, &[("name", "다음 대회"), ("rounds-1", "4")]);
        let table = TableId(uuid::Uuid::from_u128(7));
        let mut now = TournamentRow { round_minutes: Some(25), table_ids: Some(vec![table]), ..row.clone() };
        now.stages.0[0].tie_breaks = vec![TieBreak::Buchholz, TieBreak::Wins, TieBreak::Seed];
        let change = Draft::onto(&edit, &now, &zone).unwrap().change(&now, &zone).unwrap();
        assert_eq!(change.name.map(|it| it.0).as_deref(), Some("다음 대회"));
        assert_eq!((change.round_minutes, change.table_ids), (Some(Some(25)), Some(Some(vec![table]))));
        let stages = change.stages.unwrap();
        assert_eq!((&stages[0].format, stages[0].tie_breaks.len()), (&Format::Swiss { rounds: 4 }, 3));
    }

    #[test]
    fn what_two_have_changed_is_told() {
        let (row, zone) = (swiss(), TimeZone::UTC);
        let told = |changed: &[(&str, &str)], now: &TournamentRow| {
            let edit = sent(&row, changed);
            let code = Draft::onto(&edit, now, &zone).err().map(|err| err.code().to_owned());
            (code.unwrap_or_default(), Draft::clashes(&edit, &Draft::form_of(now, &zone)))
        };
        let now = TournamentRow { round_minutes: Some(25), ..row.clone() };
        let clash = |name: &str, value: &str| ("form_changed".to_owned(), vec![(name.to_owned(), value.to_owned())]);
        assert_eq!(told(&[("round_minutes", "30")], &now), clash("round_minutes", "25"));
        assert_eq!(told(&[("round_minutes", "25")], &now), (String::new(), Vec::new()));
        // Rounds of a stage that has another format by now.
        let mut now = row.clone();
        now.stages.0[0].format = Format::RoundRobin { legs: 1 };
        assert_eq!(told(&[("rounds-1", "4")], &now), clash("format-1", "round_robin"));
        // It has begun meanwhile.
        let now = TournamentRow { started_at: Some(row.created_at), ..row.clone() };
        assert_eq!(told(&[("name", "다음 대회")], &now).0, "");
        for changed in [("rules", "liars-dice"), ("rounds-1", "4"), ("team_size", "2")] {
            assert_eq!(told(&[changed], &now).0, "tournament_started", "{changed:?}");
        }
    }

    #[test]
    fn a_form_with_holes_says_where() {
        let draft = form(&[("name", " "), ("rounds-1", "x"), ("round_minutes", "soon"), ("starts_at", "soon")]);
        let refusal = ApiError::from(draft.request(&TimeZone::UTC).unwrap_err()).refusal().unwrap();
        let pointers: Vec<_> = refusal.fields.iter().map(|field| field.pointer.as_str()).collect();
        assert_eq!(pointers, ["/name", "/stages/0/rounds", "/round_minutes", "/starts_at"]);
    }
}
