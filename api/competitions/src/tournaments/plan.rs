//! What a tournament is about: what is played, in which stages, by whom at most, and when.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Bout, Format, InvalidStage, Participant, Rulings, Stage, Teams, TieBreak};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::store::Doc;
use super::teams::boards;
use super::{EntryMode, Seeding, StagePlan, TournamentRequest, TournamentRow};
use base::auth::Identity;
use base::error::{FieldError, Result, conflict, forbidden, invalid_field, invalid_fields, unprocessable};
use base::games::OTHER;
use base::ids::{TableId, VariantId};
use play::matches::{Mode, expect_playable};
use play::variants;

/// The engine pairs so many at most, in the format that takes most.
pub const MOST_ENTRANTS: usize = 512;
const MOST_STAGES: usize = 3;
const MOST_TIE_BREAKS: usize = 24;
const MOST_TABLES: usize = 200;

/// What was asked for, found good.
pub struct Plan {
    pub name: String,
    pub game: String,
    pub title: Option<String>,
    pub mode: Mode,
    pub options: Value,
    pub variant: Option<(VariantId, i32)>,
    pub turn_seconds: Option<i32>,
    pub stages: Doc<Vec<StagePlan>>,
    pub seeding: Seeding,
    pub most_entrants: Option<i16>,
    pub late_until_round: Option<i16>,
    pub round_minutes: Option<i16>,
    pub team_size: Option<i16>,
    pub entry: EntryMode,
    pub table_ids: Option<Vec<TableId>>,
    pub starts_at: Option<Timestamp>,
    pub check_in_until: Option<Timestamp>,
}

impl Plan {
    pub async fn validate(
        conn: &mut AsyncPgConnection,
        staff: &Identity,
        request: &TournamentRequest,
        before: Option<&TournamentRow>,
    ) -> Result<Self> {
        let usual = if request.game == OTHER { Mode::Scored } else { Mode::Played };
        let mode = request.mode.unwrap_or(usual);
        if request.game == OTHER && mode != Mode::Scored {
            return Err(unprocessable("unknown_mode").with_field("/mode", "unknown_value"));
        }
        match (request.game == OTHER, &request.title) {
            (true, None) => return Err(invalid_field("/title", "missing_field")),
            (false, Some(_)) => return Err(invalid_field("/title", "unknown_field")),
            (true, Some(_)) | (false, None) => {}
        }
        if mode == Mode::Scored && request.turn_seconds.is_some() {
            return Err(invalid_field("/turn_seconds", "invalid"));
        }
        let (variant, options) = match before.filter(|row| has_variant_of(request, row)) {
            // It stays, even if nothing new would be played by it.
            Some(row) => (row.variant_id.zip(row.variant_version), row.options.clone()),
            None => match chosen_variant(conn, staff, request).await? {
                Some(version) => (Some((version.variant_id, version.number)), version.options),
                None => (None, request.options.clone().unwrap_or_else(|| json!({}))),
            },
        };
        let team_size = within(request.team_size, 2..=6, "/team_size")?;
        check_stages(&request.stages, boards(team_size))?;
        for seats in request.stages.iter().flat_map(|stage| bout_sizes(&stage.format)) {
            expect_playable(&request.game, Some(&options), seats)?;
        }
        let first = request.stages.first().map(|stage| i64::from(stage.format.most_participants()));
        let most_entrants = first.unwrap_or(MOST_ENTRANTS as i64);
        let seeding = request.seeding.unwrap_or(if request.game == OTHER { Seeding::Draw } else { Seeding::Rating });
        Ok(Self {
            name: request.name.0.clone(),
            game: request.game.clone(),
            title: request.title.as_ref().map(|title| title.0.clone()),
            mode,
            options,
            variant,
            turn_seconds: within(request.turn_seconds, 10..=86_400, "/turn_seconds")?,
            stages: Doc(request.stages.clone()),
            seeding,
            most_entrants: within(request.most_entrants, 2..=most_entrants, "/most_entrants")?,
            late_until_round: within(request.late_until_round, 2..=99, "/late_until_round")?,
            round_minutes: within(request.round_minutes, 1..=600, "/round_minutes")?,
            team_size,
            entry: request.entry.unwrap_or(EntryMode::Open),
            table_ids: known_tables(conn, request.table_ids.as_deref(), before).await?,
            starts_at: moment(request.starts_at, "/starts_at")?,
            check_in_until: moment(request.check_in_until, "/check_in_until")?,
        })
    }

    /// Refuses a sandbox that keeps tables for itself.
    pub fn expect_no_tables_of(&self, sandbox: bool) -> Result<()> {
        if sandbox && self.table_ids.is_some() { Err(forbidden("sandbox_only")) } else { Ok(()) }
    }

    pub fn write_to(self, row: &mut TournamentRow) {
        row.name = self.name;
        row.game = self.game;
        row.title = self.title;
        row.mode = self.mode;
        row.options = self.options;
        row.variant_id = self.variant.map(|(id, _)| id);
        row.variant_version = self.variant.map(|(_, version)| version);
        row.turn_seconds = self.turn_seconds;
        row.stages = self.stages;
        row.seeding = self.seeding;
        row.most_entrants = self.most_entrants;
        row.late_until_round = self.late_until_round;
        row.round_minutes = self.round_minutes;
        row.team_size = self.team_size;
        row.entry = self.entry;
        row.table_ids = self.table_ids;
        row.starts_at = self.starts_at;
        row.check_in_until = self.check_in_until;
    }
}

/// How many may sit at a bout of this format.
pub fn bout_sizes(format: &Format) -> std::ops::RangeInclusive<u8> {
    match format {
        Format::Pods { least, most, .. }
        | Format::PodKnockout { least, most, .. }
        | Format::Arena { least, most, .. } => *least..=*most,
        Format::SingleElimination { .. }
        | Format::DoubleElimination {}
        | Format::RoundRobin { .. }
        | Format::Swiss { .. }
        | Format::Groups { .. } => 2..=2,
    }
}

/// Whether somebody may come in when it has begun.
pub fn takes_late_entries(format: &Format) -> bool {
    match format {
        Format::Swiss { .. } | Format::Pods { .. } | Format::Arena { .. } => true,
        Format::SingleElimination { .. }
        | Format::DoubleElimination {}
        | Format::RoundRobin { .. }
        | Format::Groups { .. }
        | Format::PodKnockout { .. } => false,
    }
}

/// Whether the server can run a stage of this format: a bracket of duels.
pub fn takes_running_by_itself(format: &Format, boards: Option<u8>) -> bool {
    format.is_knockout() && format.is_duel() && boards.is_none()
}

fn check_stages(stages: &[StagePlan], boards: Option<u8>) -> Result<()> {
    if !(1..=MOST_STAGES).contains(&stages.len()) {
        return Err(invalid_field("/stages", "out_of_range"));
    }
    let mut enter = None;
    for (at, stage) in stages.iter().enumerate() {
        let is_last = at + 1 == stages.len();
        let pointer = format!("/stages/{at}");
        if stage.advance.is_some() == is_last {
            let code = if is_last { "unknown_field" } else { "missing_field" };
            return Err(invalid_field(&format!("{pointer}/advance"), code));
        }
        if stage.advance.is_some_and(|many| !(2..=128).contains(&many)) {
            return Err(invalid_field(&format!("{pointer}/advance"), "out_of_range"));
        }
        let is_twice = |(at, it): (usize, &TieBreak)| stage.tie_breaks[..at].contains(it);
        if stage.tie_breaks.len() > MOST_TIE_BREAKS || stage.tie_breaks.iter().enumerate().any(is_twice) {
            return Err(invalid_field(&format!("{pointer}/tie_breaks"), "invalid"));
        }
        if stage.runs_by_itself && !takes_running_by_itself(&stage.format, boards) {
            return Err(invalid_field(&format!("{pointer}/runs_by_itself"), "not_offered"));
        }
        if let Err(unfit) = fits(stage, boards, enter) {
            return Err(invalid_fields(vec![FieldError::new(pointer, unfit.code())]));
        }
        enter = stage.advance;
    }
    Ok(())
}

/// Whether it can be played by so many, or by any number at all: of entrants, or of teams with so many boards.
pub(super) fn fits(stage: &StagePlan, boards: Option<u8>, by: Option<u16>) -> Result<(), InvalidStage> {
    let check = |many: u16| stage.check(boards, many);
    let most = u16::try_from(most_of(boards)).unwrap_or(u16::MAX);
    match by {
        Some(many) => check(many),
        // What no number of participants mends is wrong with every number.
        None => (2..=most).map(check).find(Result::is_ok).unwrap_or_else(|| check(most / 2)),
    }
}

/// The most entrants, or teams with so many boards.
pub(super) fn most_of(boards: Option<u8>) -> usize {
    MOST_ENTRANTS / usize::from(boards.unwrap_or(1).max(1))
}

impl StagePlan {
    /// Whether the format can be played by so many, entrants or whole teams.
    fn check(&self, boards: Option<u8>, many: u16) -> Result<(), InvalidStage> {
        let (many, members) = (u32::from(many), u32::from(boards.unwrap_or(1)));
        let participant = |entrant| Participant { entrant, seed: entrant, from_round: 1, until_round: None };
        let mut stage = self.stage((1..=many * members).map(participant).collect(), Vec::new(), 0);
        stage.teams = boards.map(|boards| {
            let roster = |team: u32| (team * members + 1..=(team + 1) * members).collect();
            Teams { boards, rosters: (0..many).map(roster).collect() }
        });
        stage.check()
    }

    pub fn fits(&self, boards: Option<u8>, many: usize) -> bool {
        u16::try_from(many).is_ok_and(|many| self.check(boards, many).is_ok())
    }

    /// The numbers of entrants, or of teams, by which it can be played, as in `4–5, 8–256`.
    pub fn sizes_in_words(&self, boards: Option<u8>) -> String {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for many in (2..=most_of(boards)).filter(|many| self.fits(boards, *many)) {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == many => *last = many,
                _ => ranges.push((many, many)),
            }
        }
        let words = |(first, last): &(usize, usize)| match first == last {
            true => first.to_string(),
            false => format!("{first}–{last}"),
        };
        ranges.iter().map(words).collect::<Vec<_>>().join(", ")
    }

    pub fn stage(&self, participants: Vec<Participant>, bouts: Vec<Bout>, draw: u64) -> Stage {
        let Self { format, scoring, tie_breaks, .. } = self.clone();
        Stage { format, scoring, tie_breaks, participants, bouts, draw, rulings: Rulings::default(), teams: None }
    }

    /// The same with the ratings of entrants, as far as its tie-breaks ask for them.
    pub fn rated_stage(
        &self,
        participants: Vec<Participant>,
        bouts: Vec<Bout>,
        draw: u64,
        ratings: impl IntoIterator<Item = (u32, i32)>,
    ) -> Stage {
        let mut stage = self.stage(participants, bouts, draw);
        if stage.tie_breaks.iter().any(|it| it.needs_ratings()) {
            stage.rulings.ratings = ratings.into_iter().collect();
        }
        stage
    }
}

/// The version of a variant by which it is played, if one was named. It was published, and so never changes.
async fn chosen_variant(
    conn: &mut AsyncPgConnection,
    staff: &Identity,
    request: &TournamentRequest,
) -> Result<Option<variants::VersionRow>> {
    let TournamentRequest { game, variant_id, variant_version, options, .. } = request;
    let chosen = variants::chosen(conn, staff, game, *variant_id, *variant_version, options.is_some()).await?;
    if chosen.as_ref().is_some_and(|version| version.published_at.is_none()) {
        return Err(conflict("variant_not_published").with_field("/variant_id", "invalid"));
    }
    Ok(chosen)
}

fn has_variant_of(request: &TournamentRequest, row: &TournamentRow) -> bool {
    let version = row.variant_version.map(i64::from);
    request.variant_id.is_some()
        && (&request.game, request.variant_id, request.variant_version) == (&row.game, row.variant_id, version)
}

/// Tables that the tournament keeps already may stay, even if they are archived by now.
async fn known_tables(
    conn: &mut AsyncPgConnection,
    ids: Option<&[TableId]>,
    before: Option<&TournamentRow>,
) -> Result<Option<Vec<TableId>>> {
    let Some(ids) = ids else { return Ok(None) };
    if !(1..=MOST_TABLES).contains(&ids.len()) {
        return Err(invalid_field("/table_ids", "out_of_range"));
    }
    let kept = before.and_then(|row| row.table_ids.as_deref()).unwrap_or_default();
    if ids.iter().all(|id| kept.contains(id)) {
        return Ok(Some(ids.to_vec()));
    }
    let tables = play::tables::store::list(conn, false).await?;
    let is_known = |id: &TableId| kept.contains(id) || tables.iter().any(|table| table.id == *id);
    match ids.iter().position(|id| !is_known(id)) {
        Some(at) => Err(invalid_field(&format!("/table_ids/{at}"), "unknown_value")),
        None => Ok(Some(ids.to_vec())),
    }
}

fn within<T: TryFrom<i64>>(
    number: Option<i64>,
    range: std::ops::RangeInclusive<i64>,
    field: &str,
) -> Result<Option<T>> {
    let Some(number) = number else { return Ok(None) };
    let number = Some(number).filter(|number| range.contains(number)).and_then(|it| T::try_from(it).ok());
    number.map(Some).ok_or_else(|| invalid_field(field, "out_of_range"))
}

/// As exact as the database keeps it, in a time in which anybody plays.
fn moment(given: Option<Timestamp>, field: &str) -> Result<Option<Timestamp>> {
    const SECONDS: std::ops::Range<i64> = 0..10_000_000_000;
    let Some(moment) = given else { return Ok(None) };
    let kept = Timestamp::from_microsecond(moment.as_microsecond()).ok();
    let kept = kept.filter(|it| SECONDS.contains(&it.as_second()));
    kept.map(Some).ok_or_else(|| invalid_field(field, "out_of_range"))
}

#[cfg(test)]
mod tests {
    use engine::tournaments::{Points, Scoring, ShortTables};

    use super::*;

    #[test]
    fn a_plan_says_with_how_many_it_can_be_played() {
        let sizes = |format| {
            let scoring = Scoring::new(Points::Scores);
            StagePlan { format, scoring, tie_breaks: Vec::new(), advance: None, runs_by_itself: false }
                .sizes_in_words(None)
        };
        let pods = |least, most| Format::Pods {
            rounds: 1,
            least,
            most,
            pairing: engine::tournaments::PodPairing::Random,
            reach: 0,
            short_tables: ShortTables::Rotate,
        };
        assert_eq!(
            sizes(Format::SingleElimination {
                third_place: false,
                consolation: engine::tournaments::Consolation::None
            }),
            "2–512"
        );
        assert_eq!(sizes(Format::Swiss { rounds: 5 }), "5–256");
        assert_eq!(sizes(pods(4, 5)), "4–5, 8–10, 12–256");
        assert_eq!(sizes(pods(3, 3)).get(..10), Some("3, 6, 9, 1"));
    }
}
