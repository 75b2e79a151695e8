//! Everything about one tournament, in a fixed number of queries.

use std::collections::{BTreeMap, HashMap};

use diesel_async::AsyncPgConnection;
use engine::tournaments::{
    Bout, Format, Pairing, Participant, Planned, Prospect, Reason, Stage, StandingsRow, TeamBout, Unpairable,
};

use super::pairings::{self, Due};
use super::store::{self, BoutKey, BoutRow, EntrantRow, Filter, ParticipantRow, RoundRow, TournamentRow};
use super::{EntrantStatus, RoundStatus, StagePlan, TournamentStatus, teams};
use base::auth::{Grant, StaffContext, can};
use base::codes::normal_code;
use base::error::{Result, conflict, internal, not_found};
use base::games::guarded;
use base::ids::{MatchId, PlayerId, TournamentId};
use play::matches::Mode;
use play::matches::results::{self, ResultStatus};
use play::variants;

/// A tournament with all that is its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Tournament {
    pub row: TournamentRow,
    /// By number.
    pub entrants: Vec<EntrantRow>,
    /// By stage and seed.
    pub participants: Vec<ParticipantRow>,
    /// By stage and number.
    pub rounds: Vec<RoundRow>,
    /// By stage, round and key.
    pub bouts: Vec<BoutRow>,
    /// What the variant is called by which it is played.
    pub variant: Option<String>,
    /// What players have reported of matches that are not over, where that waits for somebody.
    pub reports: BTreeMap<MatchId, ResultStatus>,
}

/// The number from which a stage draws its lots; each stage draws others.
pub fn draw_of(draw_seed: i64, stage: i16) -> u64 {
    draw_seed.cast_unsigned().wrapping_add(stage.unsigned_abs().into())
}

/// The tournament as staff see it, or as everybody does: then without what is still a draft.
pub async fn load(conn: &mut AsyncPgConnection, id: TournamentId, by_staff: bool) -> Result<Tournament> {
    let row = store::find(conn, id).await?.filter(|row| by_staff || row.is_public());
    let tournament = Tournament::read(conn, row.ok_or_else(|| not_found("tournament_not_found"))?).await?;
    Ok(if by_staff { tournament } else { tournament.without_drafts() })
}

base::text_enum! {
    /// Where a bout is in its life.
    pub enum BoutStatus {
        /// Paired; only staff see it.
        Draft = "draft",
        /// It is played, or can be: its result can be reported.
        Ready = "ready",
        /// It has a result, or is a bye.
        Over = "over",
    }
}

/// Permissions with which staff see drafts.
pub trait SeesDrafts: Grant {}

impl SeesDrafts for can::ViewTournaments {}
impl SeesDrafts for can::RunTournaments {}
impl SeesDrafts for can::ManageTournaments {}

/// The tournament as staff see it.
pub async fn load_for_staff<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, id: TournamentId) -> Result<Tournament> {
    load(cx.conn().await?, id, true).await
}

/// The latest first, each with how many have a place in it.
pub async fn list(conn: &mut AsyncPgConnection, filter: &Filter, limit: i64) -> Result<Vec<(TournamentRow, i64)>> {
    let mut rows = store::list(conn, filter, limit).await?;
    if !filter.with_drafts {
        rows.iter_mut().for_each(|row| row.entry_code = None);
    }
    let ids: Vec<TournamentId> = rows.iter().map(|row| row.id).collect();
    let many: HashMap<TournamentId, i64> = store::count_entrants(conn, &ids).await?.into_iter().collect();
    let counted = |row: TournamentRow| {
        let many = many.get(&row.id).copied().unwrap_or(0);
        (row, many)
    };
    Ok(rows.into_iter().map(counted).collect())
}

/// The id of the tournament with this code, however it was typed.
pub async fn find_by_code(conn: &mut AsyncPgConnection, code: &str) -> Result<TournamentId> {
    let found = store::find_id_by_code(conn, &normal_code(code)).await?;
    found.ok_or_else(|| not_found("tournament_not_found"))
}

impl TournamentRow {
    /// Whether more than staff know of it.
    pub fn is_public(&self) -> bool {
        self.status != TournamentStatus::Draft && !self.sandbox
    }
}

impl Tournament {
    pub async fn read(conn: &mut AsyncPgConnection, row: TournamentRow) -> Result<Self> {
        let entrants = store::list_entrants(conn, row.id).await?;
        let participants = store::list_participants(conn, row.id).await?;
        let rounds = store::list_rounds(conn, row.id).await?;
        let mut bouts = store::list_bouts(conn, row.id).await?;
        bouts.sort_by_key(|bout| (bout.stage, bout.round, bout.key));
        let variant = match row.variant_id {
            Some(id) => variants::list_names(conn, &[id]).await?.pop().map(|(_, name)| name),
            None => None,
        };
        let reports = read_reports(conn, &row, &bouts).await?;
        Ok(Self { row, entrants, participants, rounds, bouts, variant, reports })
    }

    fn without_drafts(mut self) -> Self {
        let drafted = |it: &RoundRow| it.status == RoundStatus::Draft;
        let drafts: Vec<(i16, i16)> =
            self.rounds.iter().filter(|it| drafted(it)).map(|it| (it.stage, it.round)).collect();
        self.rounds.retain(|it| !drafted(it));
        self.bouts.retain(|bout| !drafts.contains(&(bout.stage, bout.round)));
        // Whom staff keep apart is nobody's business.
        let is_public = |it: &Reason| !matches!(it, Reason::KeptApart { .. });
        self.bouts.iter_mut().for_each(|bout| bout.reasons.0.retain(is_public));
        // Nor is what somebody needs, or how those enter who were told.
        self.row.entry_code = None;
        self.entrants.iter_mut().for_each(|it| (it.needs_table, it.needs_area) = (None, None));
        self
    }

    /// What is planned for this stage, from 1.
    pub fn plan_of(&self, stage: i16) -> Result<&StagePlan> {
        let at = usize::try_from(stage).ok().and_then(|stage| stage.checked_sub(1));
        at.and_then(|at| self.row.stages.get(at)).ok_or_else(|| not_found("stage_not_found"))
    }

    /// A stage as the engine knows it, with all bouts that were published.
    pub fn stage(&self, stage: i16) -> Result<Stage> {
        let plan = self.plan_of(stage)?;
        let participants = self.participants.iter().filter(|it| it.stage == stage).map(ParticipantRow::participant);
        let participants = participants.collect::<Result<_, _>>().map_err(internal)?;
        let published = self.bouts_in(stage).filter(|bout| !self.is_drafted(bout));
        let bouts = published.map(BoutRow::bout).collect::<Result<_, _>>().map_err(internal)?;
        let ratings = self.entrants.iter().filter_map(|it| Some((u32::try_from(it.number).ok()?, it.rating?)));
        let teams = teams::rosters(teams::boards(self.row.team_size), &self.teams())?;
        let played = plan.rated_stage(participants, bouts, draw_of(self.row.draw_seed, stage), ratings);
        Ok(Stage { teams, rulings: self.row.rulings.of_stage(stage, played.rulings.ratings)?, ..played })
    }

    /// Refuses unless it is running.
    pub fn expect_running(&self) -> Result<()> {
        match self.row.status {
            TournamentStatus::Running => Ok(()),
            TournamentStatus::Draft | TournamentStatus::Registration | TournamentStatus::CheckIn => {
                Err(conflict("tournament_not_running"))
            }
            TournamentStatus::Finished | TournamentStatus::Cancelled => Err(conflict("tournament_over")),
        }
    }

    pub fn is_last_stage(&self) -> bool {
        usize::try_from(self.row.stage) == Ok(self.row.stages.len())
    }

    /// Where everybody stands in this stage, at this moment.
    pub fn standings(&self, stage: i16) -> Result<Vec<StandingsRow>> {
        let stage = self.stage(stage)?;
        guarded(|| stage.standings())
    }

    /// Those of whom it is sure whether they go on from this stage, while it is played and another follows.
    pub fn prospects(&self, stage: i16) -> Result<BTreeMap<u32, Prospect>> {
        let is_played = self.row.status == TournamentStatus::Running && stage == self.row.stage;
        let Some(going) = self.plan_of(stage)?.advance.filter(|_| is_played) else { return Ok(BTreeMap::new()) };
        let stage = self.stage(stage)?;
        guarded(|| stage.prospects(going))
    }

    /// Those who go on from this stage, given the best first, in the order of their seeds: before a bracket, those who were in one
    /// group are kept apart. Of teams, all members.
    pub fn seeds_after(&self, stage: i16, going: &[i32]) -> Result<Vec<i32>> {
        let seeds = self.seeds_in(stage, &self.stage(stage)?, going)?;
        Ok(seeds.into_iter().flat_map(|it| self.members_with_place(it)).collect())
    }

    /// The same from this stage as it would be; of teams, the numbers that standings know.
    pub(super) fn seeds_in(&self, stage: i16, played: &Stage, going: &[i32]) -> Result<Vec<i32>> {
        let is_bracket = |format: &Format| format.is_knockout() && format.is_duel();
        if !is_bracket(&self.plan_of(stage + 1)?.format) {
            return Ok(going.to_vec());
        }
        let going = going.iter().map(|it| u32::try_from(*it)).collect::<Result<Vec<_>, _>>().map_err(internal)?;
        let seeds = guarded(|| played.seeds_of(&going))?;
        seeds.into_iter().map(i32::try_from).collect::<Result<_, _>>().map_err(internal)
    }

    /// The bouts of this stage, those to come too where they are known. Where teams meet on boards, the bouts between teams.
    pub fn planned(&self, stage: i16) -> Result<Vec<Planned>> {
        let stage = self.stage(stage)?;
        guarded(|| stage.between_teams().unwrap_or(stage).plan())
    }

    /// The bouts between teams of this stage, where teams meet on boards, with what the boards came to so far.
    pub fn team_bouts(&self, stage: i16) -> Result<Vec<TeamBout>> {
        let stage = self.stage(stage)?;
        guarded(|| stage.team_bouts())
    }

    /// How many rounds the stage has, once that is known.
    pub fn rounds_in_all(&self, stage: i16) -> Result<Option<u16>> {
        let stage = self.stage(stage)?;
        guarded(|| stage.rounds())
    }

    /// Whether all of this stage was played.
    pub fn is_stage_over(&self, stage: i16) -> Result<bool> {
        pairings::is_over(&self.stage(stage)?)
    }

    /// What can be paired now in the stage that is played.
    pub fn due(&self) -> Result<Due> {
        pairings::due(&self.stage(self.row.stage)?)
    }

    /// The same, but people meet again where no round can be paired otherwise.
    pub fn due_with_repeats(&self) -> Result<Result<Vec<Pairing>, Unpairable>> {
        let stage = self.stage(self.row.stage)?;
        guarded(|| stage.due_with_repeats())
    }

    /// Whether there is anything to be paired now in the stage that is played.
    pub fn has_due(&self) -> Result<bool> {
        // The attempt to pair says what cannot be paired.
        Ok(self.due()?.as_ref().as_ref().map_or(true, |due| !due.is_empty()))
    }

    pub fn entrant(&self, number: i32) -> Option<&EntrantRow> {
        self.entrants.iter().find(|it| it.number == number)
    }

    pub fn entrant_of(&self, player: PlayerId) -> Option<&EntrantRow> {
        self.entrants.iter().find(|it| it.player_id == player)
    }

    /// By what name an entrant is known; a number where the account is gone.
    pub fn name_of(&self, number: i32) -> String {
        let there = self.entrant(number).filter(|it| !it.deleted);
        there.map_or_else(|| format!("#{number}"), |it| it.display_name.clone())
    }

    /// How many have a place.
    pub fn places_taken(&self) -> usize {
        self.entrants.iter().filter(|it| it.status.has_place()).count()
    }

    pub fn is_full(&self) -> bool {
        self.places_taken() >= self.most_places()
    }

    /// Whether more have a place than there are places.
    pub fn is_crowded(&self) -> bool {
        self.places_taken() > self.most_places()
    }

    fn most_places(&self) -> usize {
        let most = self.row.most_entrants.and_then(|most| usize::try_from(most).ok());
        most.unwrap_or_else(|| self.most_participants())
    }

    /// How many can take part in the first stage.
    pub fn most_participants(&self) -> usize {
        self.row.stages.first().map_or(0, |stage| stage.format.most_participants().into())
    }

    pub fn round(&self, stage: i16, round: i16) -> Option<&RoundRow> {
        self.rounds.iter().find(|it| (it.stage, it.round) == (stage, round))
    }

    /// The round that is paired and that only staff see.
    pub fn draft(&self) -> Option<&RoundRow> {
        self.rounds.iter().find(|it| it.status == RoundStatus::Draft)
    }

    /// The rounds of this stage that are published and not over.
    pub fn open_rounds(&self) -> impl Iterator<Item = &RoundRow> {
        let is_open = |it: &&RoundRow| matches!(it.status, RoundStatus::Published | RoundStatus::Running);
        self.rounds.iter().filter(|it| it.stage == self.row.stage).filter(is_open)
    }

    pub fn bouts_in(&self, stage: i16) -> impl Iterator<Item = &BoutRow> {
        self.bouts.iter().filter(move |bout| bout.stage == stage)
    }

    pub fn bouts_of(&self, stage: i16, round: i16) -> impl Iterator<Item = &BoutRow> {
        self.bouts_in(stage).filter(move |bout| bout.round == round)
    }

    pub fn bout(&self, stage: i16, key: BoutKey) -> Option<&BoutRow> {
        self.bouts_in(stage).find(|bout| bout.key == key)
    }

    /// What players have reported of this bout, if that waits for somebody.
    pub fn report_of(&self, bout: &BoutRow) -> Option<ResultStatus> {
        bout.match_id.filter(|_| !bout.is_over()).and_then(|id| self.reports.get(&id)).copied()
    }

    /// Whether it is drafted, can be played and reported, or is over.
    pub fn status_of(&self, bout: &BoutRow) -> BoutStatus {
        match (self.is_drafted(bout), bout.is_over()) {
            (true, _) => BoutStatus::Draft,
            (false, false) => BoutStatus::Ready,
            (false, true) => BoutStatus::Over,
        }
    }

    pub fn is_drafted(&self, bout: &BoutRow) -> bool {
        self.round(bout.stage, bout.round).is_none_or(|round| round.status == RoundStatus::Draft)
    }
}

/// Of matches that people write down and whose bouts are open.
async fn read_reports(
    conn: &mut AsyncPgConnection,
    row: &TournamentRow,
    bouts: &[BoutRow],
) -> Result<BTreeMap<MatchId, ResultStatus>> {
    let open = bouts.iter().filter(|bout| row.mode == Mode::Scored && !bout.is_over());
    let matches: Vec<MatchId> = open.filter_map(|bout| bout.match_id).collect();
    if matches.is_empty() {
        return Ok(BTreeMap::new());
    }
    Ok(results::store::list_reports(conn, &matches).await?.into_iter().collect())
}

impl EntrantStatus {
    /// Whether they play, or will.
    pub fn has_place(self) -> bool {
        match self {
            Self::Entered | Self::CheckedIn => true,
            Self::Waiting | Self::NoShow | Self::Dropped => false,
        }
    }
}

impl BoutRow {
    pub fn is_bye(&self) -> bool {
        self.entrants.len() < 2
    }

    /// Whether nothing more is to come of it.
    pub fn is_over(&self) -> bool {
        self.is_bye() || self.result.is_some()
    }

    /// Whether its match was called off before there was a result.
    pub fn is_deserted(&self) -> bool {
        use play::matches::Status;
        let is_off = matches!(self.match_status, Some(Status::Aborted | Status::Expired));
        is_off && !self.is_over()
    }

    fn bout(&self) -> Result<Bout, std::num::TryFromIntError> {
        let entrants = self.entrants.iter().map(|it| u32::try_from(*it)).collect::<Result<_, _>>()?;
        Ok(Bout { key: self.key.0, entrants, result: self.result.as_ref().map(|result| result.0.clone()) })
    }
}

impl ParticipantRow {
    fn participant(&self) -> Result<Participant, std::num::TryFromIntError> {
        Ok(Participant {
            entrant: self.entrant.try_into()?,
            seed: self.seed.try_into()?,
            from_round: self.from_round.try_into()?,
            until_round: self.until_round.map(TryInto::try_into).transpose()?,
        })
    }
}

#[cfg(test)]
impl BoutRow {
    pub fn sample() -> Self {
        let key = engine::tournaments::BoutKey::main(1, 1);
        let pairing = Pairing { key, entrants: vec![1, 2], reasons: Vec::new() };
        Self::drafted(1, pairing).unwrap()
    }
}
