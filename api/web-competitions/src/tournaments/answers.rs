//! Tournaments as the API tells them.

use std::collections::BTreeMap;

use engine::tournaments::{MemberRow, Prospect, Reason, Slot, StandingsRow as Placed};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::rest::log::StepAnswer;
use base::error::internal;
use base::games::shapes::{GameOptions, PairingReason};
use base::ids::{MatchId, PlayerId, TableId, VariantId};
use base::text_enum;
use competitions::tournaments::rulings::Adjustment;
use competitions::tournaments::store::{BoutKey, BoutRow, EntrantRow, RoundRow, TournamentRow};
use competitions::tournaments::{
    EntrantStatus, EntryMode, Finish, LateEntry, Log, Next, RoundStatus, Seeding, StagePlan, Tournament, TournamentId,
    TournamentStatus,
};
use play::matches::results::ResultStatus;
use play::matches::{Mode, Status};
use play::players::PlayerCard;
use web_base::error::ApiResult;

/// Players who are paired round after round until there is an order of all.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Tournament)]
pub(crate) struct TournamentAnswer {
    id: TournamentId,
    /// For people to type.
    #[schema(example = "K7X2QD")]
    code: String,
    name: String,
    #[schema(example = "perudo")]
    game: String,
    /// What is played, if it is an `other` game.
    title: Option<String>,
    mode: Mode,
    #[schema(value_type = GameOptions)]
    options: Value,
    variant_id: Option<VariantId>,
    variant_version: Option<i32>,
    turn_seconds: Option<i32>,
    status: TournamentStatus,
    stages: Vec<StagePlan>,
    /// Which of them it is now, from 1.
    stage: i16,
    seeding: Seeding,
    most_entrants: Option<i16>,
    late_until_round: Option<i16>,
    round_minutes: Option<i16>,
    /// How many members of a team play at a time; none where everybody plays for themselves.
    team_size: Option<i16>,
    /// Who may enter by themselves: everybody, who has the code, or nobody, as staff enter people.
    entry: EntryMode,
    /// For staff: what people type to enter, where they have to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "HJK234")]
    entry_code: Option<String>,
    table_ids: Option<Vec<TableId>>,
    /// How many have a place.
    entrants: i64,
    created_at: Timestamp,
    starts_at: Option<Timestamp>,
    check_in_until: Option<Timestamp>,
    started_at: Option<Timestamp>,
    /// When it was finished or called off.
    over_at: Option<Timestamp>,
    /// Rises by one with everything that happens. A change that names an older one is refused.
    revision: i64,
    /// Whether a sandbox key made it, to try something out: only staff and keys see it, its bouts have no matches and no tables,
    /// and it is deleted after 24 hours.
    sandbox: bool,
}

impl From<(TournamentRow, i64)> for TournamentAnswer {
    fn from((row, entrants): (TournamentRow, i64)) -> Self {
        Self {
            id: row.id,
            code: row.code,
            name: row.name,
            game: row.game,
            title: row.title,
            mode: row.mode,
            options: row.options,
            variant_id: row.variant_id,
            variant_version: row.variant_version,
            turn_seconds: row.turn_seconds,
            status: row.status,
            stages: row.stages.0,
            stage: row.stage,
            seeding: row.seeding,
            most_entrants: row.most_entrants,
            late_until_round: row.late_until_round,
            round_minutes: row.round_minutes,
            team_size: row.team_size,
            entry: row.entry,
            entry_code: row.entry_code,
            table_ids: row.table_ids,
            entrants,
            created_at: row.created_at,
            starts_at: row.starts_at,
            check_in_until: row.check_in_until,
            started_at: row.started_at,
            over_at: row.over_at,
            revision: row.revision,
            sandbox: row.sandbox,
        }
    }
}

/// A tournament with all that is its own.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = WholeTournament)]
pub(crate) struct WholeAnswer {
    tournament: TournamentAnswer,
    /// By number.
    entrants: Vec<Entrant>,
    rounds: Vec<Round>,
    /// For staff: the next step.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Next>,
    /// For staff: how somebody comes in who is entered now that it runs; left out once it is too late.
    #[serde(skip_serializing_if = "Option::is_none")]
    late_entry: Option<LateEntry>,
}

/// A player in a tournament, by a number that no other ever has.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentEntrant)]
pub(crate) struct Entrant {
    pub number: i32,
    player: PlayerCard,
    status: EntrantStatus,
    seed: Option<i16>,
    /// By what tie-breaks go: as staff typed it, or as the house had it when the entrant began to play.
    rating: Option<i32>,
    /// The team that they play for, and their place in its order of boards, where teams play.
    team: Option<String>,
    board: Option<i16>,
    /// For staff: the table at which they have to play, or the area of tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_table: Option<TableId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_area: Option<String>,
    entered_at: Timestamp,
    checked_in_at: Option<Timestamp>,
}

impl From<&EntrantRow> for Entrant {
    fn from(row: &EntrantRow) -> Self {
        let EntrantRow {
            number,
            player_id: id,
            display_name,
            deleted,
            status,
            seed,
            rating,
            team,
            board,
            needs_table,
            needs_area,
            entered_at,
            checked_in_at,
            ..
        } = row.clone();
        let player = PlayerCard { id, display_name, deleted };
        Self { number, player, status, seed, rating, team, board, needs_table, needs_area, entered_at, checked_in_at }
    }
}

/// What was paired together: in a bracket, the bouts that could be played by then.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentRound)]
pub(crate) struct Round {
    stage: i16,
    pub round: i16,
    /// Drafts are for staff.
    status: RoundStatus,
    published_at: Option<Timestamp>,
    started_at: Option<Timestamp>,
    /// When its clock runs out.
    ends_at: Option<Timestamp>,
    closed_at: Option<Timestamp>,
    /// Since when its clock stands: `ends_at` moves once it goes on.
    paused_at: Option<Timestamp>,
    /// Once it is over: when the next round begins, if staff have said so.
    next_round_at: Option<Timestamp>,
    /// Whether it is the window of an arena, in which bouts are paired as people become free.
    is_arena: bool,
    bouts: Vec<Bout>,
}

impl Round {
    fn of(tournament: &Tournament, row: &RoundRow) -> Self {
        let RoundRow { stage, round, status, published_at, started_at, ends_at, closed_at, .. } = *row;
        let RoundRow { paused_at: paused, next_round_at, is_arena, .. } = *row;
        let paused_at = paused.filter(|_| status == RoundStatus::Running);
        let bouts = tournament.bouts_of(stage, round).map(|bout| Bout::of(tournament, bout)).collect();
        Self {
            stage,
            round,
            status,
            published_at,
            started_at,
            ends_at,
            closed_at,
            paused_at,
            next_round_at,
            is_arena,
            bouts,
        }
    }
}

/// A pairing: the entrants who play together. An entrant alone has a bye.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentBout)]
pub(crate) struct Bout {
    #[schema(value_type = String, example = "main-1-3")]
    key: BoutKey,
    /// The bout between teams to which this one on a board belongs, where teams meet on boards.
    #[schema(value_type = Option<String>, example = "main-1-2")]
    team_bout: Option<BoutKey>,
    /// Numbers of entrants, in the order of their seats.
    entrants: Vec<i32>,
    /// The reasons for the pairing, each with a `code`.
    #[schema(value_type = Vec<PairingReason>)]
    reasons: Vec<Reason>,
    /// Who put them together by hand; none if the engine paired them.
    arranged_by: Option<PlayerId>,
    /// Of a draft: nobody in it is exchanged.
    is_locked: bool,
    table: Option<BoutTable>,
    #[serde(rename = "match")]
    played: Option<BoutMatch>,
    /// Those that are over, where the bout has several games.
    games: Vec<BoutGame>,
    /// In the order of their seats. Of several games, `score` says how many each has won.
    result: Option<Vec<Finish>>,
    /// Who wrote it down; none if it is the outcome of the match.
    settled_by: Option<PlayerId>,
    settled_at: Option<Timestamp>,
    /// What its match says, if that does not count before staff have checked it.
    claim: Option<Vec<Finish>>,
    /// `reported` or `disputed` if a player has said how it ended and nobody has confirmed it.
    report: Option<ResultStatus>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BoutTable {
    id: TableId,
    name: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct BoutMatch {
    id: MatchId,
    code: String,
    status: Status,
}

/// A game of a bout that has several.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentGame)]
pub(crate) struct BoutGame {
    match_id: MatchId,
    /// In the order of the seats of the bout; in every second game people sit the other way round.
    result: Vec<Finish>,
}

impl Bout {
    pub(super) fn of(tournament: &Tournament, row: &BoutRow) -> Self {
        let BoutRow { table_id, table_name, match_id, match_code, match_status, .. } = row.clone();
        let finishes = |of: &Option<competitions::tournaments::Doc<Vec<_>>>| {
            of.as_ref().map(|it| it.iter().map(Finish::from).collect())
        };
        let played = match_id.zip(match_code).zip(match_status);
        let game = |it: &competitions::tournaments::Game| BoutGame {
            match_id: it.match_id,
            result: it.result.iter().map(Finish::from).collect(),
        };
        Self {
            games: row.games.iter().map(game).collect(),
            key: row.key,
            team_bout: tournament.board_of(row.stage, row.key).map(|(of, _)| of),
            entrants: row.entrants.clone(),
            reasons: row.reasons.0.clone(),
            table: table_id.zip(table_name).map(|(id, name)| BoutTable { id, name }),
            played: played.map(|((id, code), status)| BoutMatch { id, code, status }),
            result: finishes(&row.result),
            settled_by: row.settled_by,
            settled_at: row.settled_at,
            claim: finishes(&row.claim),
            report: tournament.report_of(row),
            arranged_by: row.arranged_by,
            is_locked: row.is_locked,
        }
    }
}

/// Where an entrant stands.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentStanding)]
pub(crate) struct Standing {
    /// 1 the best; equals share one. After groups: the firsts of all groups, then the seconds, and so on.
    rank: u32,
    /// Which group, from 1, and the rank there, where there are groups.
    group: Option<u16>,
    group_rank: Option<u32>,
    /// Of a team, the least number of its members.
    entrant: u32,
    /// The name of the entrant, or of the team.
    display_name: String,
    played: u16,
    wins: u16,
    draws: u16,
    losses: u16,
    /// In hundredths, like all points of a tournament.
    points: i64,
    /// In the order in which the stage names its tie-breaks, in hundredths; `opponents_win_rate` and `score_share` in hundredths of
    /// a percent.
    tie_breaks: Vec<i64>,
    /// Whether the entrant is out of this stage.
    is_out: bool,
    /// While the stage is played and another follows: whether it is sure by the points that they go on, or that they do not, unless
    /// somebody joins or leaves or a result is corrected.
    prospect: Option<StandingProspect>,
    /// Points given or taken away by staff; `points` holds them already.
    adjustments: Vec<StandingAdjustment>,
    /// The members of a team, in the order of their boards; empty where everybody plays for themselves.
    members: Vec<StandingMember>,
}

text_enum! {
    /// What is sure of an entrant.
    pub enum StandingProspect {
        /// They go on.
        Through = "through",
        /// They do not.
        Out = "out",
    }
}

impl From<Prospect> for StandingProspect {
    fn from(it: Prospect) -> Self {
        match it {
            Prospect::Through => Self::Through,
            Prospect::Out => Self::Out,
        }
    }
}

/// Points that staff gave or took away.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentStandingAdjustment)]
pub(crate) struct StandingAdjustment {
    entrant: i32,
    /// After which round.
    round: i16,
    points: i32,
    reason: String,
}

impl StandingAdjustment {
    fn of(it: &Adjustment) -> Self {
        Self { entrant: it.entrant, round: it.round, points: it.points, reason: it.reason.clone() }
    }
}

/// What a member did for their team.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentTeamMember)]
pub(crate) struct StandingMember {
    entrant: u32,
    display_name: String,
    played: u16,
    wins: u16,
    draws: u16,
    losses: u16,
    /// In pods their own points; else 100 for each board that they won, and 50 for each that was drawn.
    points: i64,
}

impl StandingMember {
    fn of(tournament: &Tournament, row: &MemberRow) -> Self {
        let MemberRow { entrant, played, wins, draws, losses, points } = *row;
        let display_name = tournament.name_of(i32::try_from(entrant).unwrap_or(0));
        Self { entrant, display_name, played, wins, draws, losses, points }
    }
}

impl Standing {
    fn of(tournament: &Tournament, stage: i16, placed: Placed, prospect: Option<Prospect>) -> Self {
        Self {
            prospect: prospect.map(StandingProspect::from),
            rank: placed.rank,
            group: placed.group.map(|it| it.group),
            group_rank: placed.group.map(|it| it.rank),
            entrant: placed.entrant,
            display_name: tournament.standing_name(i32::try_from(placed.entrant).unwrap_or(0)),
            adjustments: tournament.adjustments_of(stage, &placed).map(StandingAdjustment::of).collect(),
            members: placed.members.iter().map(|it| StandingMember::of(tournament, it)).collect(),
            played: placed.played,
            wins: placed.wins,
            draws: placed.draws,
            losses: placed.losses,
            points: placed.points,
            tie_breaks: placed.tie_breaks,
            is_out: placed.is_out,
        }
    }
}

/// A bout of a bracket, played or to come.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentPlannedBout)]
pub(crate) struct PlannedBout {
    #[schema(value_type = String, example = "main-2-1")]
    key: BoutKey,
    places: Vec<Place>,
    /// None as long as it is not paired.
    round: Option<i16>,
    is_over: bool,
}

/// Who stands in a place of a bracket: an entrant, the winner or loser of another bout, or nobody.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentPlace)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Place {
    /// An entrant, by number.
    Entrant { entrant: u32 },
    /// Who wins this bout.
    Winner { bout: BoutKey },
    /// Who loses this bout.
    Loser { bout: BoutKey },
    /// Nobody: the other has a bye.
    Nobody,
}

impl From<Slot> for Place {
    fn from(waits: Slot) -> Self {
        match waits {
            Slot::Entrant(entrant) => Self::Entrant { entrant },
            Slot::Winner(key) => Self::Winner { bout: BoutKey(key) },
            Slot::Loser(key) => Self::Loser { bout: BoutKey(key) },
            Slot::Nobody => Self::Nobody,
        }
    }
}

/// All of a tournament, for keeping.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TournamentExport)]
pub(crate) struct Export {
    #[serde(flatten)]
    tournament: WholeAnswer,
    /// By the number of the stage.
    standings: BTreeMap<String, Vec<Standing>>,
    /// For staff: all that happened, from which `houserules tournament replay` pairs and ranks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    log: Option<Vec<StepAnswer>>,
}

/// A tournament as JSON.
pub(crate) trait TournamentAnswers {
    fn answer(&self) -> ApiResult<TournamentAnswer>;
    fn entrant_answers(&self) -> Vec<Entrant>;
    fn round_answers(&self) -> Vec<Round>;
    /// As staff see it at that moment, or as everybody does.
    fn whole_answer(&self, by_staff: Option<Timestamp>) -> ApiResult<WholeAnswer>;
    fn standing_answers(&self, stage: i16) -> ApiResult<Vec<Standing>>;
    fn planned_answers(&self, stage: i16) -> ApiResult<Vec<PlannedBout>>;
    fn export(&self, log: Option<&Log>) -> ApiResult<Export>;
}

impl TournamentAnswers for Tournament {
    fn answer(&self) -> ApiResult<TournamentAnswer> {
        Ok((self.row.clone(), i64::try_from(self.places_taken()).map_err(internal)?).into())
    }

    fn entrant_answers(&self) -> Vec<Entrant> {
        self.entrants.iter().map(Entrant::from).collect()
    }

    fn round_answers(&self) -> Vec<Round> {
        self.rounds.iter().map(|row| Round::of(self, row)).collect()
    }

    fn whole_answer(&self, by_staff: Option<Timestamp>) -> ApiResult<WholeAnswer> {
        let next = by_staff.map(|_| competitions::tournaments::next(self)).transpose()?;
        let late_entry = by_staff.map(|now| self.late_entry(now)).transpose()?.flatten();
        let (entrants, rounds) = (self.entrant_answers(), self.round_answers());
        Ok(WholeAnswer { tournament: self.answer()?, entrants, rounds, next, late_entry })
    }

    fn standing_answers(&self, stage: i16) -> ApiResult<Vec<Standing>> {
        let prospects = self.prospects(stage)?;
        let standing = |placed: Placed| {
            let prospect = prospects.get(&placed.entrant).copied();
            Standing::of(self, stage, placed, prospect)
        };
        Ok(self.standings(stage)?.into_iter().map(standing).collect())
    }

    fn planned_answers(&self, stage: i16) -> ApiResult<Vec<PlannedBout>> {
        let planned = self.planned(stage)?.into_iter().map(|planned| {
            let key = BoutKey(planned.key);
            // A bout between teams is that of its boards.
            let is_of = |bout: &&BoutRow| self.board_of(stage, bout.key).map_or(bout.key, |(of, _)| of) == key;
            let bouts: Vec<&BoutRow> = self.bouts_in(stage).filter(is_of).collect();
            PlannedBout {
                key,
                places: planned.places.into_iter().map(Place::from).collect(),
                round: bouts.first().map(|bout| bout.round),
                is_over: !bouts.is_empty() && bouts.iter().all(|it| it.is_over()),
            }
        });
        Ok(planned.collect())
    }

    fn export(&self, log: Option<&Log>) -> ApiResult<Export> {
        let stages = (1..=self.row.stage).map(|stage| Ok((stage.to_string(), self.standing_answers(stage)?)));
        let log = log.map(|log| log.rows.iter().map(|row| StepAnswer::of(log, row)).collect());
        Ok(Export { tournament: self.whole_answer(None)?, standings: stages.collect::<ApiResult<_>>()?, log })
    }
}
