//! What pages show of a tournament: its people, rounds, standings and bracket, in words and in the order of reading.

pub mod arena;
pub mod bouts;
pub mod bracket;
pub mod leaf;
pub mod standings;
pub mod words;

use std::collections::BTreeMap;
use std::ops::Deref;

pub(super) use arena::Arena;
pub(super) use bouts::{BoutState, Played, Seated};
pub(super) use bracket::{Bracket, OneSide};
use diesel_async::AsyncPgConnection;
pub(super) use leaf::Leaf;
pub(super) use standings::{Row, TIE_BREAKS, Table, TieBreakWords, signed};
pub(crate) use words::TournamentWords;
pub(super) use words::{pairing_key, short_tables_key};

use competitions::series;
use competitions::tournaments::Conflict;
use competitions::tournaments::store::{BoutKey, BoutRow, RoundRow};
use competitions::tournaments::{Clock, Readiness, RoundStatus, Tournament, TournamentStatus};
use engine::tournaments::{Format, Limit, TeamBout, TeamSide};
use play::players;
use web_base::error::ApiResult;
use web_base::page::Page;

/// A tournament as a page shows it.
pub(super) struct TournamentView {
    pub tournament: Tournament,
    /// The entrant that the member of staff is who reads it.
    pub reader: Option<i32>,
    /// By number, told from others of that name.
    names: BTreeMap<i32, String>,
    /// How many rounds each stage has, where the number of games goes by that.
    rounds_of: BTreeMap<i16, u16>,
    /// By stage and number: the group in which somebody plays.
    groups: BTreeMap<(i16, i32), u16>,
    /// Those in which anybody takes part, the one that is played first.
    pub stages: Vec<Stage>,
    /// The series in which it counts: name and address.
    pub series: Vec<(String, String)>,
}

/// A stage that is played or was.
pub(super) struct Stage {
    pub number: i16,
    pub title: String,
    /// The latest first.
    pub rounds: Vec<Round>,
    pub table: Table,
    pub bracket: Option<Bracket>,
}

/// A round with its bouts.
pub(super) struct Round {
    pub row: RoundRow,
    pub title: String,
    pub bouts: Vec<Played>,
}

impl TournamentView {
    pub(super) fn of(page: &Page, tournament: Tournament) -> ApiResult<Self> {
        let people: Vec<_> = tournament.entrants.iter().map(|it| (it.player_id, it.display_name.as_str())).collect();
        let tags = players::tags(&people);
        let name = |(it, tag): (&competitions::tournaments::EntrantRow, Option<String>)| match it.deleted {
            true => (it.number, format!("#{}", it.number)),
            false => (it.number, page.name_of(&it.display_name, false, tag.as_deref())),
        };
        let names = tournament.entrants.iter().zip(tags).map(name).collect();
        let mut view = Self {
            tournament,
            reader: None,
            names,
            rounds_of: BTreeMap::new(),
            groups: BTreeMap::new(),
            stages: Vec::new(),
            series: Vec::new(),
        };
        for number in 1..=view.row.stage {
            if !view.plan_of(number)?.scoring.games.is_one()
                && let Some(rounds) = view.rounds_in_all(number)?
            {
                view.rounds_of.insert(number, rounds);
            }
            if matches!(view.plan_of(number)?.format, Format::Groups { .. }) {
                for row in view.standings(number)? {
                    let all = row.members.iter().map(|it| it.entrant).chain([row.entrant]);
                    let all = all.filter_map(|it| i32::try_from(it).ok());
                    view.groups.extend(row.group.iter().flat_map(|of| all.clone().map(|it| ((number, it), of.group))));
                }
            }
        }
        for number in (1..=view.row.stage).rev() {
            if view.participants.iter().any(|it| it.stage == number) {
                let stage = view.stage_of(page, number)?;
                view.stages.push(stage);
            }
        }
        Ok(view)
    }

    /// Whether the reader plays it, and so does not judge it.
    pub(super) fn is_own(&self, bout: &Played) -> bool {
        self.reader.is_some_and(|reader| bout.seat_of(reader).is_some())
    }

    /// With links to the series in which it counts: for staff to their own pages.
    pub(super) async fn find_series(&mut self, conn: &mut AsyncPgConnection, by_staff: bool) -> ApiResult<()> {
        let rows = series::list_of(conn, self.row.id, by_staff).await?.into_iter();
        self.series = match by_staff {
            true => rows.map(|row| (row.name, format!("/admin/series/{}", row.id))).collect(),
            false => rows.map(|row| (row.name, format!("/series/{}", row.code))).collect(),
        };
        Ok(())
    }

    fn stage_of(&self, page: &Page, number: i16) -> ApiResult<Stage> {
        let plan = self.plan_of(number)?;
        let bracket = match plan.format.is_knockout() {
            true => Some(Bracket::of(page, self, number)?),
            false => None,
        };
        let (all, team_bouts) = (self.rounds_in_all(number)?, self.team_bouts(number)?);
        let rounds = self.tournament.rounds.iter().filter(|it| it.stage == number).rev();
        let (conflicts, draft) = (self.draft_conflicts(), self.draft().map(|it| (it.stage, it.round)));
        let of_draft = |bout: &Played| {
            let found = conflicts.iter().find(|(key, _)| draft == Some((bout.stage, bout.round)) && *key == bout.key);
            found.map(|(_, all)| all.iter().map(|it| self.conflict(page, it)).collect::<Vec<_>>()).unwrap_or_default()
        };
        let rounds = rounds.map(|row| {
            let bouts: Vec<_> = self.bouts_of(number, row.round).collect();
            let heads = |bout: &BoutRow| self.heads(page, &team_bouts, bout);
            let round = Round {
                title: bracket::round_title(page, &plan.format, bouts.first().map(|bout| bout.key.0), row.round, all),
                bouts: bouts
                    .into_iter()
                    .map(|bout| Played { heads: heads(bout), ..self.played(page, bout) })
                    .map(|it| Played { conflicts: of_draft(&it), ..it })
                    .collect(),
                row: row.clone(),
            };
            if row.is_arena { round.in_order_of_arena() } else { round }
        });
        let title = match self.row.stages.len() {
            1 => page.format_name(&plan.format),
            _ => page
                .say("stage-title")
                .with("number", number)
                .with("format", page.format_name(&plan.format))
                .to_string(),
        };
        Ok(Stage { number, title, rounds: rounds.collect(), table: Table::of(page, self, number)?, bracket })
    }

    /// The group in which this bout is played, where there are groups.
    pub(super) fn group_of(&self, bout: &BoutRow) -> Option<u16> {
        self.groups.get(&(bout.stage, *bout.entrants.first()?)).copied()
    }

    /// For which places this bout is played, of those who have lost.
    pub(super) fn stake_of(&self, bout: &BoutRow) -> Option<(u32, u32)> {
        if !bout.key.0.side.is_consolation() {
            return None;
        }
        // A board is played for what its bout between teams is.
        let (key, _) = self.board_of(bout.stage, bout.key).unwrap_or((bout.key, 0));
        self.stage(bout.stage).ok()?.places_at_stake(key.0)
    }

    /// How many games this bout has; none if it is one.
    pub(super) fn games_of(&self, stage: i16, key: BoutKey) -> Option<Limit> {
        let plan = self.plan_of(stage).ok()?;
        let limit = plan.scoring.games.limit(&plan.format, self.rounds_of.get(&stage).copied(), key.0);
        Some(limit).filter(|limit| !limit.is_one())
    }

    /// Whether as many as have come can begin.
    pub(super) fn readiness(&self) -> Option<Readiness> {
        Readiness::of(&self.tournament)
    }

    pub(super) fn is_checking_in(&self) -> bool {
        self.row.status == TournamentStatus::CheckIn
    }

    /// The stage that is played, once there is one.
    pub(super) fn now(&self) -> Option<&Stage> {
        self.stages.first()
    }

    /// Who has won, once it is finished.
    pub(super) fn winners(&self) -> Vec<String> {
        let finished = self.now().filter(|_| self.row.status == TournamentStatus::Finished);
        let first = finished.into_iter().flat_map(|it| &it.table.rows).filter(|it| it.rank == Some(1));
        first.map(|it| it.name.clone()).collect()
    }

    pub(super) fn stage_shown(&self, number: i16) -> Option<&Stage> {
        self.stages.iter().find(|stage| stage.number == number)
    }

    pub(super) fn find_round(&self, stage: i16, round: i16) -> Option<&Round> {
        self.stage_shown(stage)?.rounds.iter().find(|it| it.row.round == round)
    }

    /// What is paired or played now: the draft, and the rounds that are open; else the last round.
    pub(super) fn rounds_now(&self) -> Vec<&Round> {
        let Some(stage) = self.now() else { return Vec::new() };
        let open: Vec<_> = stage.rounds.iter().filter(|it| it.row.status != RoundStatus::Closed).collect();
        if open.is_empty() { stage.rounds.iter().take(1).collect() } else { open }
    }

    pub(super) fn name(&self, number: &i32) -> String {
        self.names.get(number).cloned().unwrap_or_else(|| format!("#{number}"))
    }

    /// What the standings call somebody: a team, or an entrant.
    pub(super) fn standing_name(&self, number: &i32) -> String {
        self.team(number).map_or_else(|| self.name(number), str::to_owned)
    }

    /// The team that an entrant plays for.
    pub(super) fn team(&self, number: &i32) -> Option<&str> {
        self.team_of(*number)
    }

    /// The two teams whose bout begins with this one on the first board, and how it stands.
    fn heads(&self, page: &Page, team_bouts: &[TeamBout], bout: &BoutRow) -> Option<String> {
        let (key, board) = self.board_of(bout.stage, bout.key)?;
        if board > 0 {
            return None;
        }
        let name = |it: &TeamSide| self.standing_name(&i32::try_from(it.team).unwrap_or(0));
        let sides = team_bouts.iter().find(|it| it.key == key.0).map(|it| it.sides.as_slice()).unwrap_or_default();
        if let [one, other] = sides {
            let score = format!("{} – {}", page.points(one.points), page.points(other.points));
            return Some(format!("{} {score} {}", name(one), name(other)));
        }
        let teams: Vec<&str> = bout.entrants.iter().filter_map(|it| self.team(it)).collect();
        Some(teams.join(" – "))
    }

    /// Where the app or the page of everybody finds it.
    pub(super) fn path(&self) -> String {
        format!("/tournaments/{}", self.row.code)
    }

    /// The same with the code by which people enter, where they need one and staff look.
    pub(super) fn entry_path(&self) -> String {
        match &self.row.entry_code {
            Some(code) => format!("{}?entry={code}", self.path()),
            None => self.path(),
        }
    }

    /// Its page for staff, or what belongs to it.
    pub(super) fn admin(&self, what: &str) -> String {
        format!("/admin/tournaments/{}{what}", self.row.id)
    }

    pub(super) fn bout_path(&self, bout: &Played) -> String {
        self.admin(&format!("/bouts/{}/{}", bout.stage, bout.key))
    }

    pub(super) fn round_path(&self, round: &Round) -> String {
        self.admin(&format!("/rounds/{}/{}", round.row.stage, round.row.round))
    }

    /// Where the results of the round that is played are written down, while there is one.
    pub(super) fn grid_path(&self) -> Option<String> {
        let round = self.rounds_now().into_iter().find(|round| !round.is_draft())?;
        Some(format!("{}/grid", self.round_path(round)))
    }

    /// What is played, in words.
    pub(super) fn game(&self, page: &Page) -> String {
        let game = self.row.title.clone().unwrap_or_else(|| page.game_name(&self.row.game));
        match &self.variant {
            Some(variant) => format!("{game} · {variant}"),
            None => game,
        }
    }

    /// The bout of this round in which an entrant plays.
    pub(super) fn bout_in<'a>(&self, round: &'a Round, entrant: i32) -> Option<&'a Played> {
        round.bouts.iter().find(|bout| bout.seated.iter().any(|it| it.number == entrant))
    }

    /// What speaks against a pairing, in words.
    pub(super) fn conflict(&self, page: &Page, conflict: &Conflict) -> String {
        match conflict {
            Conflict::Repeat { one, other, times } => {
                let say = page.say("reason-repeat").with("one", self.name(one)).with("other", self.name(other));
                say.with("times", *times).to_string()
            }
            Conflict::SecondBye { entrant } => {
                page.say("conflict-second-bye").with("name", self.name(entrant)).to_string()
            }
        }
    }

    fn played(&self, page: &Page, bout: &BoutRow) -> Played {
        Played::of(page, self, bout)
    }
}

impl Deref for TournamentView {
    type Target = Tournament;

    fn deref(&self) -> &Tournament {
        &self.tournament
    }
}

impl Round {
    /// So many of its bouts stand on one page.
    pub(super) const BOUTS: usize = 64;

    /// The bouts that somebody at a desk has to know of: of a long round the first of those that are not over.
    pub(super) fn first_bouts(&self) -> Vec<&Played> {
        let waits = |it: &&Played| self.bouts.len() <= Self::BOUTS || !it.is_over();
        self.bouts.iter().filter(waits).take(Self::BOUTS).collect()
    }

    pub(super) fn is_draft(&self) -> bool {
        self.row.status == RoundStatus::Draft
    }

    /// How many bouts have a result, and how many there are; byes aside.
    pub(super) fn progress(&self) -> (usize, usize) {
        let real = || self.bouts.iter().filter(|bout| bout.state != BoutState::Bye);
        (real().filter(|bout| bout.state == BoutState::Over).count(), real().count())
    }

    /// What its clock says while it is played.
    pub(super) fn clock(&self) -> Option<Clock> {
        self.row.clock()
    }
}
