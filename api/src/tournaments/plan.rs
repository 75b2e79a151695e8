//! What a tournament is about: what is played, in which stages, by whom at most, and when.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Bout, Format, Participant, Scoring, Stage, TieBreak, Unfit};
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::store::Doc;
use super::{Seeding, TournamentRow};
use crate::error::{ApiResult, FieldError, conflict, invalid_field, invalid_fields, unprocessable};
use crate::extract::{Player, given, refuse_field, tidy_text};
use crate::ids::{TableId, VariantId};
use crate::matches::{Mode, OTHER, expect_playable};
use crate::variants;

/// The engine pairs so many at most.
pub(super) const MOST_ENTRANTS: usize = 256;
const MOST_STAGES: usize = 3;
const MOST_TIE_BREAKS: usize = 13;
const MOST_TABLES: usize = 200;

/// One format from its first round to its last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StagePlan {
    /// Who meets whom: `{"kind": "single_elimination", "third_place": true}`, `{"kind": "double_elimination"}`,
    /// `{"kind": "round_robin", "legs": 1}`, `{"kind": "swiss", "rounds": 4}`, `{"kind": "pods", "rounds": 3, "least": 3,
    /// "most": 5, "pairing": "random" | "by_standing" | "spread"}` or `{"kind": "pod_knockout", "least": 3, "most": 5, "advance": 2}`.
    #[schema(value_type = Object, example = json!({ "kind": "swiss", "rounds": 4 }))]
    pub format: Format,
    /// What a result is worth, in hundredths of a point: `{"points": {"kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100}}`,
    /// `{"points": {"kind": "places", "scale": [500, 300, 200, 100], "bye": 300}}` or `{"points": {"kind": "scores"}}`.
    #[schema(value_type = Object, example = json!({ "points": { "kind": "win", "win": 100, "draw": 50, "loss": 0, "bye": 100 } }))]
    pub scoring: Scoring,
    /// What tells equals apart, the most important first: `wins`, `head_to_head`, `buchholz`, `buchholz_cut_one`,
    /// `median_buchholz`, `sonneborn_berger`, `opponents_win_rate`, `progressive`, `scores`, `score_share`, `best_places`, `seed`,
    /// `lot`.
    #[serde(default)]
    #[schema(value_type = Vec<String>, max_items = 13, example = json!(["buchholz", "wins"]))]
    pub tie_breaks: Vec<TieBreak>,
    /// How many go on into the next stage, the best ones; of the last, none are told.
    #[schema(minimum = 2, maximum = 128)]
    pub advance: Option<u16>,
}

/// One line of text in any script.
#[derive(Clone, Debug, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 60)]
pub struct TournamentName(pub String);

impl<'de> Deserialize<'de> for TournamentName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(deserializer)?).map_err(|refusal| refuse_field(&refusal))
    }
}

impl TournamentName {
    pub fn parse(text: &str) -> Result<Self, FieldError> {
        tidy_text(text, 60).map(Self)
    }
}

/// A new tournament: a draft.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentRequest {
    #[schema(example = "금요일 페루도 대회")]
    pub name: TournamentName,
    /// One of the catalogue, or `other` for any other game at all, which is then written down (`scored`).
    #[schema(example = "perudo")]
    pub game: String,
    /// What is played, if it is an `other` game.
    pub title: Option<TournamentName>,
    /// How its bouts are held: on telephones (`played`, which is usual) or with real dice and cards.
    pub mode: Option<Mode>,
    /// The game's rule switches; those left out keep their defaults.
    #[schema(value_type = Option<Object>)]
    pub options: Option<Value>,
    /// Or else a variant of the game that was published …
    pub variant_id: Option<VariantId>,
    /// … in this version; the latest that was published if left out.
    #[schema(minimum = 1)]
    pub variant_version: Option<i64>,
    /// How long a seat may think before the house moves for it.
    #[schema(minimum = 10, maximum = 86_400)]
    pub turn_seconds: Option<i64>,
    /// What is played in which form, one after the other.
    #[schema(min_items = 1, max_items = 3)]
    pub stages: Vec<StagePlan>,
    /// By rating if left out; by lot in an `other` game.
    pub seeding: Option<Seeding>,
    /// Who enters beyond that waits for a place.
    #[schema(minimum = 2, maximum = 256)]
    pub most_entrants: Option<i64>,
    /// Staff may let somebody in as late as for this round of the first stage, if that is of Swiss rounds or pods.
    #[schema(minimum = 2, maximum = 99)]
    pub late_until_round: Option<i64>,
    #[schema(minimum = 1, maximum = 600)]
    pub round_minutes: Option<i64>,
    /// The tables that it keeps for itself; any that is free if left out.
    #[schema(min_items = 1, max_items = 200)]
    pub table_ids: Option<Vec<TableId>>,
    pub starts_at: Option<Timestamp>,
    /// Who has not checked in by then may be taken for not coming.
    pub check_in_until: Option<Timestamp>,
}

/// What is to be different about a tournament; what is left out stays as it is. Once it has begun, what is played and in which
/// form stays.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TournamentChange {
    /// The `revision` that the caller has seen; refused if there is a later one.
    pub revision: Option<i64>,
    pub name: Option<TournamentName>,
    pub game: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<TournamentName>)]
    pub title: Option<Option<TournamentName>>,
    pub mode: Option<Mode>,
    #[schema(value_type = Option<Object>)]
    pub options: Option<Value>,
    /// `null` for none.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<VariantId>)]
    pub variant_id: Option<Option<VariantId>>,
    #[schema(minimum = 1)]
    pub variant_version: Option<i64>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 10, maximum = 86_400)]
    pub turn_seconds: Option<Option<i64>>,
    #[schema(min_items = 1, max_items = 3)]
    pub stages: Option<Vec<StagePlan>>,
    pub seeding: Option<Seeding>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 2, maximum = 256)]
    pub most_entrants: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 2, maximum = 99)]
    pub late_until_round: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 600)]
    pub round_minutes: Option<Option<i64>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Vec<TableId>>, min_items = 1, max_items = 200)]
    pub table_ids: Option<Option<Vec<TableId>>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Timestamp>)]
    pub starts_at: Option<Option<Timestamp>>,
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Timestamp>)]
    pub check_in_until: Option<Option<Timestamp>>,
}

impl TournamentChange {
    /// Whether it changes what is played, in which form, or how seeds are given.
    pub(super) fn is_of_what_is_played(&self) -> bool {
        self.game.is_some()
            || self.title.is_some()
            || self.mode.is_some()
            || self.options.is_some()
            || self.variant_id.is_some()
            || self.variant_version.is_some()
            || self.stages.is_some()
            || self.seeding.is_some()
    }

    /// The tournament as it was asked for, with this different.
    pub(super) fn to(&self, row: &TournamentRow) -> TournamentRequest {
        let change = self.clone();
        let wide = |it: Option<i16>| it.map(i64::from);
        let keeps_variant = change.variant_id.is_none() && change.options.is_none() && change.game.is_none();
        let variant_id = change.variant_id.unwrap_or(row.variant_id.filter(|_| keeps_variant));
        let keeps_version = keeps_variant && variant_id.is_some();
        // The options of a variant come with it; those of another game mean nothing.
        let old = Some(row.options.clone()).filter(|_| row.variant_id.is_none() && change.game.is_none());
        TournamentRequest {
            name: change.name.unwrap_or_else(|| TournamentName(row.name.clone())),
            game: change.game.unwrap_or_else(|| row.game.clone()),
            title: change.title.unwrap_or_else(|| row.title.clone().map(TournamentName)),
            mode: Some(change.mode.unwrap_or(row.mode)),
            options: change.options.or(old.filter(|_| variant_id.is_none())),
            variant_id,
            variant_version: change.variant_version.or(row.variant_version.filter(|_| keeps_version).map(i64::from)),
            turn_seconds: change.turn_seconds.unwrap_or(row.turn_seconds.map(i64::from)),
            stages: change.stages.unwrap_or_else(|| row.stages.0.clone()),
            seeding: Some(change.seeding.unwrap_or(row.seeding)),
            most_entrants: change.most_entrants.unwrap_or(wide(row.most_entrants)),
            late_until_round: change.late_until_round.unwrap_or(wide(row.late_until_round)),
            round_minutes: change.round_minutes.unwrap_or(wide(row.round_minutes)),
            table_ids: change.table_ids.unwrap_or_else(|| row.table_ids.clone()),
            starts_at: change.starts_at.unwrap_or(row.starts_at),
            check_in_until: change.check_in_until.unwrap_or(row.check_in_until),
        }
    }
}

/// What was asked for, found good.
pub(super) struct Plan {
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
    pub table_ids: Option<Vec<TableId>>,
    pub starts_at: Option<Timestamp>,
    pub check_in_until: Option<Timestamp>,
}

impl Plan {
    pub(super) async fn settle(
        conn: &mut AsyncPgConnection,
        staff: &Player,
        request: &TournamentRequest,
        before: Option<&TournamentRow>,
    ) -> ApiResult<Self> {
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
        check_stages(&request.stages)?;
        for seats in request.stages.iter().flat_map(|stage| sizes(&stage.format)) {
            expect_playable(&request.game, Some(&options), seats)?;
        }
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
            most_entrants: within(request.most_entrants, 2..=MOST_ENTRANTS as i64, "/most_entrants")?,
            late_until_round: within(request.late_until_round, 2..=99, "/late_until_round")?,
            round_minutes: within(request.round_minutes, 1..=600, "/round_minutes")?,
            table_ids: known_tables(conn, request.table_ids.as_deref()).await?,
            starts_at: moment(request.starts_at, "/starts_at")?,
            check_in_until: moment(request.check_in_until, "/check_in_until")?,
        })
    }

    pub(super) fn write_to(self, row: &mut TournamentRow) {
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
        row.table_ids = self.table_ids;
        row.starts_at = self.starts_at;
        row.check_in_until = self.check_in_until;
    }
}

/// How many may sit at a bout of this format.
pub(super) fn sizes(format: &Format) -> std::ops::RangeInclusive<u8> {
    match format {
        Format::Pods { least, most, .. } | Format::PodKnockout { least, most, .. } => *least..=*most,
        Format::SingleElimination { .. }
        | Format::DoubleElimination {}
        | Format::RoundRobin { .. }
        | Format::Swiss { .. } => 2..=2,
    }
}

/// Whether somebody may come in when it has begun.
pub(super) fn takes_late_entries(format: &Format) -> bool {
    match format {
        Format::Swiss { .. } | Format::Pods { .. } => true,
        Format::SingleElimination { .. }
        | Format::DoubleElimination {}
        | Format::RoundRobin { .. }
        | Format::PodKnockout { .. } => false,
    }
}

fn check_stages(stages: &[StagePlan]) -> ApiResult<()> {
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
        if let Err(unfit) = fits(stage, enter) {
            return Err(invalid_fields(vec![FieldError::new(pointer, unfit.code())]));
        }
        enter = stage.advance;
    }
    Ok(())
}

/// Whether it can be played by so many, or by any number at all.
fn fits(stage: &StagePlan, by: Option<u16>) -> Result<(), Unfit> {
    let check = |many: u16| {
        let participant = |entrant| Participant { entrant, seed: entrant, from_round: 1, until_round: None };
        stage.stage((1..=u32::from(many)).map(participant).collect(), Vec::new(), 0).check()
    };
    let most = u16::try_from(MOST_ENTRANTS).unwrap_or(u16::MAX);
    match by {
        Some(many) => check(many),
        // What no number of participants mends is wrong with every number.
        None => (2..=most).map(check).find(Result::is_ok).unwrap_or_else(|| check(most / 2)),
    }
}

impl StagePlan {
    pub(super) fn stage(&self, participants: Vec<Participant>, bouts: Vec<Bout>, draw: u64) -> Stage {
        let Self { format, scoring, tie_breaks, .. } = self.clone();
        Stage { format, scoring, tie_breaks, participants, bouts, draw }
    }
}

/// The version of a variant by which it is played, if one was named. It was published, and so never changes.
async fn chosen_variant(
    conn: &mut AsyncPgConnection,
    staff: &Player,
    request: &TournamentRequest,
) -> ApiResult<Option<variants::VersionRow>> {
    let Some(id) = request.variant_id else {
        return match request.variant_version {
            Some(_) => Err(unprocessable("unknown_variant").with_field("/variant_id", "missing_field")),
            None => Ok(None),
        };
    };
    if request.options.is_some() {
        return Err(unprocessable("options_of_variant").with_field("/options", "invalid"));
    }
    let version = variants::to_play(conn, staff, &request.game, id, request.variant_version).await?;
    match version.published_at {
        Some(_) => Ok(Some(version)),
        None => Err(conflict("variant_not_published").with_field("/variant_id", "invalid")),
    }
}

fn has_variant_of(request: &TournamentRequest, row: &TournamentRow) -> bool {
    let version = row.variant_version.map(i64::from);
    request.variant_id.is_some()
        && (&request.game, request.variant_id, request.variant_version) == (&row.game, row.variant_id, version)
}

async fn known_tables(conn: &mut AsyncPgConnection, ids: Option<&[TableId]>) -> ApiResult<Option<Vec<TableId>>> {
    let Some(ids) = ids else { return Ok(None) };
    if !(1..=MOST_TABLES).contains(&ids.len()) {
        return Err(invalid_field("/table_ids", "out_of_range"));
    }
    let tables = crate::tables::store::list(conn, false).await?;
    match ids.iter().position(|id| tables.iter().all(|table| table.id != *id)) {
        Some(at) => Err(invalid_field(&format!("/table_ids/{at}"), "unknown_value")),
        None => Ok(Some(ids.to_vec())),
    }
}

fn within<T: TryFrom<i64>>(
    number: Option<i64>,
    range: std::ops::RangeInclusive<i64>,
    field: &str,
) -> ApiResult<Option<T>> {
    let Some(number) = number else { return Ok(None) };
    let number = Some(number).filter(|number| range.contains(number)).and_then(|it| T::try_from(it).ok());
    number.map(Some).ok_or_else(|| invalid_field(field, "out_of_range"))
}

/// As exact as the database keeps it, in a time in which anybody plays.
fn moment(given: Option<Timestamp>, field: &str) -> ApiResult<Option<Timestamp>> {
    const SECONDS: std::ops::Range<i64> = 0..10_000_000_000;
    let Some(moment) = given else { return Ok(None) };
    let kept = Timestamp::from_microsecond(moment.as_microsecond()).ok();
    let kept = kept.filter(|it| SECONDS.contains(&it.as_second()));
    kept.map(Some).ok_or_else(|| invalid_field(field, "out_of_range"))
}
