//! The one thing to do next, as a button, and what could be done instead.

use super::round::round_address;
use crate::tournaments::view::TournamentWords;
use crate::tournaments::view::{Round, TournamentView};
use base::auth::{Permission, StaffContext, can};
use base::error::{Result, invalid_field};
use competitions::tournaments::next::after_stage;
use competitions::tournaments::{self, Next, Repeats, RoundKey, TournamentId, arena, next};
use engine::tournaments::Reason;
use web_base::error::{ApiError, ApiResult};
use web_base::page::Page;

base::text_enum! {
    /// A step on a tournament's way.
    pub enum Word {
        OpenRegistration = "open_registration",
        OpenCheckIn = "open_check_in",
        Start = "start",
        Pair = "pair",
        /// Pairs although people meet again.
        PairRepeats = "pair_repeats",
        Discard = "discard",
        Publish = "publish",
        Withdraw = "withdraw",
        StartRound = "start_round",
        /// Opens the window of an arena.
        OpenArena = "open_arena",
        PauseArena = "pause_arena",
        ResumeArena = "resume_arena",
        EndArena = "end_arena",
        RunByItself = "run_by_itself",
        RunByHand = "run_by_hand",
        NextStage = "next_stage",
        Finish = "finish",
        FinishEarly = "finish_early",
        Cancel = "cancel",
    }
}

/// The next step as a page offers it.
pub(super) struct Step {
    pub word: Word,
    pub name: String,
    pub help: String,
    pub icon: &'static str,
    /// The round that it is about.
    pub round: Option<String>,
    /// Where it is done, if that is another page.
    pub path: Option<String>,
    /// What could be done instead: the word, its name and its icon.
    pub others: Vec<(Word, String, &'static str)>,
    /// Where to look: the address, its name and its icon.
    pub links: Vec<(String, String, &'static str)>,
    /// What nobody may overlook.
    pub warnings: Vec<String>,
    /// Bouts that need somebody: the address, and what it is about.
    pub urgent: Vec<(String, String)>,
}

impl Word {
    /// What the use case of this step asks for: the button is shown to those who have it.
    pub(super) fn permission(&self) -> Permission {
        match self {
            Self::StartRound | Self::OpenArena | Self::PauseArena | Self::ResumeArena | Self::EndArena => {
                Permission::RunTournaments
            }
            Self::OpenRegistration
            | Self::OpenCheckIn
            | Self::Start
            | Self::Pair
            | Self::PairRepeats
            | Self::Discard
            | Self::Publish
            | Self::Withdraw
            | Self::RunByItself
            | Self::RunByHand
            | Self::NextStage
            | Self::Finish
            | Self::FinishEarly
            | Self::Cancel => Permission::ManageTournaments,
        }
    }

    /// Whether a round follows, before which people may have a break.
    pub(super) fn leads_to_round(&self) -> bool {
        matches!(self, Self::Pair | Self::PairRepeats | Self::Publish | Self::StartRound | Self::NextStage)
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::OpenRegistration => "step-open-registration",
            Self::OpenCheckIn => "step-open-check-in",
            Self::Start => "step-start",
            Self::Pair => "step-pair",
            Self::PairRepeats => "step-pair-repeats",
            Self::Discard => "step-discard",
            Self::Publish => "step-publish",
            Self::Withdraw => "step-withdraw",
            Self::StartRound => "step-start-round",
            Self::OpenArena => "step-open-arena",
            Self::PauseArena => "step-pause-arena",
            Self::ResumeArena => "step-resume-arena",
            Self::EndArena => "step-end-arena",
            Self::RunByItself => "step-run-by-itself",
            Self::RunByHand => "step-run-by-hand",
            Self::NextStage => "step-next-stage",
            Self::Finish => "step-finish",
            Self::FinishEarly => "finish-early",
            Self::Cancel => "tournament-cancel",
        }
    }

    fn icon(self) -> &'static str {
        match self {
            Self::OpenRegistration => "people",
            Self::OpenCheckIn => "check",
            Self::Start | Self::NextStage => "bracket",
            Self::Pair | Self::PairRepeats => "die-line",
            Self::Discard | Self::Withdraw => "back",
            Self::Publish => "bell",
            Self::StartRound | Self::OpenArena | Self::ResumeArena => "clock",
            Self::PauseArena | Self::RunByHand => "hourglass",
            Self::RunByItself => "right",
            Self::EndArena | Self::Finish | Self::FinishEarly => "flag",
            Self::Cancel => "ban",
        }
    }

    /// Of the message that tells what was done.
    pub(super) fn flash(self) -> &'static str {
        match self {
            Self::OpenRegistration => "registration-opened",
            Self::OpenCheckIn => "check-in-opened",
            Self::Start => "tournament-started",
            Self::Pair | Self::PairRepeats => "round-paired",
            Self::Discard => "draft-discarded",
            Self::Publish => "round-published",
            Self::Withdraw => "round-withdrawn",
            Self::StartRound => "round-started",
            Self::OpenArena => "arena-opened",
            Self::PauseArena => "arena-paused",
            Self::ResumeArena => "arena-resumed",
            Self::EndArena => "arena-ended",
            Self::RunByItself => "runs-by-itself",
            Self::RunByHand => "runs-by-hand",
            Self::NextStage => "stage-begun",
            Self::Finish | Self::FinishEarly => "tournament-finished",
            Self::Cancel => "tournament-cancelled",
        }
    }

    /// Takes the step: the page that comes after it. The outer error says that they lack the permission.
    pub(super) async fn take(
        self,
        cx: StaffContext<'_, can::ViewTournaments>,
        about: &About,
    ) -> Result<ApiResult<String>> {
        let id = about.tournament;
        let page = super::address(id);
        let taken = match self {
            Self::OpenRegistration => tournaments::open_registration(&mut cx.require()?, id, None).await.map(|()| page),
            Self::OpenCheckIn => {
                let opened = tournaments::open_check_in(&mut cx.require()?, id, None).await;
                opened.map(|()| format!("{page}/entrants"))
            }
            Self::Start => tournaments::start(&mut cx.require()?, id, None).await.map(|()| page),
            Self::Pair | Self::PairRepeats => {
                let repeats = if self == Self::Pair { Repeats::Forbidden } else { Repeats::IfNeeded };
                let paired = tournaments::pair(&mut cx.require()?, id, repeats, None).await;
                paired.map(|RoundKey { stage, round, .. }| round_address(id, stage, round))
            }
            Self::Discard => tournaments::discard(&mut cx.require()?, id, None).await.map(|()| page),
            Self::Publish => {
                let mut cx = cx.require()?;
                match about.round() {
                    Ok(round) => tournaments::publish(&mut cx, round, None).await.map(|()| page),
                    Err(err) => Err(err),
                }
            }
            Self::Withdraw => {
                let mut cx = cx.require()?;
                match about.round() {
                    Ok(key) => tournaments::withdraw(&mut cx, key, None)
                        .await
                        .map(|draft| draft.map_or(page, |it| round_address(id, it.stage, it.round))),
                    Err(err) => Err(err),
                }
            }
            Self::StartRound | Self::OpenArena => {
                let mut cx = cx.require()?;
                match about.round() {
                    Ok(round) => tournaments::start_round(&mut cx, round, None).await.map(|()| page),
                    Err(err) => Err(err),
                }
            }
            Self::PauseArena => arena::pause(&mut cx.require()?, id, None).await.map(|()| page),
            Self::ResumeArena => arena::resume(&mut cx.require()?, id, None).await.map(|()| page),
            Self::EndArena => arena::end(&mut cx.require()?, id, None).await.map(|()| page),
            Self::RunByItself | Self::RunByHand => {
                let by_itself = self == Self::RunByItself;
                tournaments::set_running_by_itself(&mut cx.require()?, id, by_itself).await.map(|()| page)
            }
            Self::NextStage => tournaments::next_stage(&mut cx.require()?, id, None, None).await.map(|()| page),
            Self::Finish => tournaments::finish(&mut cx.require()?, id, false, None).await.map(|()| page),
            Self::FinishEarly => tournaments::finish(&mut cx.require()?, id, true, None).await.map(|()| page),
            Self::Cancel => {
                tournaments::cancel(&mut cx.require()?, id, about.reason.as_deref(), None).await.map(|()| page)
            }
        };
        Ok(taken.map_err(ApiError::from))
    }
}

/// What a step is about.
pub(super) struct About {
    pub tournament: TournamentId,
    pub round: Option<RoundKey>,
    pub reason: Option<String>,
}

impl About {
    fn round(&self) -> Result<RoundKey> {
        self.round.ok_or_else(|| invalid_field("/round", "missing_field"))
    }
}

impl Step {
    /// What is next for the tournament, as its own page offers it.
    pub(super) fn of(page: &Page, view: &TournamentView) -> ApiResult<Option<Self>> {
        Self::of_next(page, view, next(view)?)
    }

    fn of_next(page: &Page, view: &TournamentView, next: Next) -> ApiResult<Option<Self>> {
        let entrants = (view.admin("/entrants"), page.t("entrants"), "people");
        let step = match next {
            Next::OpenRegistration => {
                Self::to(page, Word::OpenRegistration, "next-open-registration").or(page, Word::OpenCheckIn)
            }
            Next::OpenCheckIn => {
                Self::to(page, Word::OpenCheckIn, "next-open-check-in").or(page, Word::Start).look(entrants)
            }
            Next::Start => Self::to(page, Word::Start, "next-start").or(page, Word::OpenRegistration).look(entrants),
            Next::Pair => Self::to(page, Word::Pair, "next-pair").look(entrants),
            Next::Publish { round } => {
                let step = Self::to(page, Word::Publish, "next-publish");
                let path = view.find_round(view.row.stage, round).map(|round| view.round_path(round));
                Self { path, name: page.t("draft-open"), icon: "edit", ..step }
            }
            Next::StartRound { round } if view.arena().is_some() => {
                Self::to(page, Word::OpenArena, "next-open-arena").about((view.row.stage, round)).look(entrants)
            }
            Next::StartRound { round } => {
                let step = Self::to(page, Word::StartRound, "next-start-round");
                let sheets = (print(view, round), page.t("print-pairings"), "print");
                let step = step.about((view.row.stage, round)).look(sheets);
                match view.expect_withdrawable(view.row.stage, round) {
                    Ok(()) => step.or(page, Word::Withdraw),
                    Err(_) => step,
                }
            }
            Next::Results { bouts, .. } => Self::results(page, view, bouts)?,
            Next::Arena { waiting, playing, pausing, is_paused, .. } => {
                let step = Self::arena(page, view, is_paused).look(entrants);
                let counts = page.say("next-arena").with("waiting", waiting).with("playing", playing);
                Self { help: counts.with("pausing", pausing).to_string(), ..step }
            }
            Next::Stuck { round, code } => Self::stuck(page, view, round, &code)?,
            Next::NextStage => Self::to(page, Word::NextStage, "next-next-stage").look(entrants),
            Next::Cut { places, equals } => Self::cut(page, view, places, &equals).look(entrants),
            Next::StageUnfit { stage, entrants, fits } => Self::unfit(page, view, stage, entrants, fits)?,
            Next::Finish => Self::to(page, Word::Finish, "next-finish"),
            Next::Nothing => return Ok(None),
        };
        // A bracket can be handed over to the server at any time, and back.
        let is_played = matches!(step.word, Word::Pair | Word::Publish | Word::StartRound);
        Ok(Some(match (is_played && view.can_run_by_itself(), view.runs_by_itself()) {
            (false, _) => step,
            (true, false) => step.or(page, Word::RunByItself),
            (true, true) => step.or(page, Word::RunByHand),
        }))
    }

    /// What is next for this round, as its own page offers it.
    pub(super) fn of_round(page: &Page, view: &TournamentView, round: &Round) -> ApiResult<Option<Self>> {
        let key = (round.row.stage, round.row.round);
        Ok(match next(view)? {
            Next::Publish { round: due } if round.is_draft() && due == key.1 => {
                let step = Self::to(page, Word::Publish, "next-publish-now").or(page, Word::Discard);
                Some(step.about(key))
            }
            Next::StartRound { round: due } if (view.row.stage, due) == key => Self::of(page, view)?,
            Next::Arena { .. } if view.row.stage == key.0 => Self::of(page, view)?,
            Next::Pair
            | Next::Stuck { .. }
            | Next::NextStage
            | Next::Cut { .. }
            | Next::StageUnfit { .. }
            | Next::Finish
                if view.row.stage == key.0 =>
            {
                Self::of(page, view)?
            }
            Next::Results { .. } if view.row.stage == key.0 && !round.is_draft() => {
                // The page of the round is where they are written down.
                Self::of(page, view)?.filter(|step| !step.urgent.is_empty())
            }
            _ => None,
        })
    }

    /// An arena pairs by itself: its results are written down on the page of the tournament.
    fn arena(page: &Page, view: &TournamentView, is_paused: bool) -> Self {
        let step = match (is_paused, view.arena().is_some_and(|it| it.is_past(page.now))) {
            (true, false) => Self::to(page, Word::ResumeArena, "next-arena").or(page, Word::EndArena),
            (false, false) => Self::to(page, Word::PauseArena, "next-arena").or(page, Word::EndArena),
            (_, true) => {
                let step = Self::to(page, Word::EndArena, "next-arena");
                Self { name: page.t("results-open"), icon: "edit", path: view.grid_path(), ..step }
            }
        };
        Self { urgent: urgent(page, view), ..step }
    }

    /// Results are waited for: the round in which they are missing, and what can be paired meanwhile.
    fn results(page: &Page, view: &TournamentView, bouts: usize) -> ApiResult<Self> {
        let step = Self {
            word: Word::StartRound,
            name: page.t("results-open"),
            help: page.say("next-results").with("count", bouts).to_string(),
            icon: "edit",
            round: None,
            path: view.grid_path().or_else(|| Some(view.admin(""))),
            others: Vec::new(),
            links: Vec::new(),
            warnings: Vec::new(),
            urgent: urgent(page, view),
        };
        Ok(if view.has_due()? { step.or(page, Word::Pair) } else { step })
    }

    /// Rounds are left, but none can be paired: the least harm, or the end.
    fn stuck(page: &Page, view: &TournamentView, round: i16, code: &str) -> ApiResult<Self> {
        let warning = page.say("next-stuck").with("round", round).to_string();
        let why = match code {
            "too_few_left" | "no_legal_pairing" => format!("unpairable-{code}"),
            _ => format!("field-{code}"),
        };
        let mut warnings = vec![warning, page.t(&why)];
        let repeats = view.due_with_repeats()?.unwrap_or_default();
        let harm = repeats.iter().flat_map(|it| &it.reasons).filter(|it| is_harm(it));
        let mut harm: Vec<_> = harm.map(|it| page.reason(it, &|number| view.standing_name(&number))).collect();
        // Each board of a bout says the same.
        harm.dedup();
        if repeats.is_empty() {
            let end = || Self::to(page, Word::NextStage, "next-stuck-end");
            let after = match after_stage(view)? {
                Next::Finish => Self::to(page, Word::Finish, "next-stuck-end"),
                next => Self::of_next(page, view, next)?.unwrap_or_else(end),
            };
            return Ok(Self { warnings, ..after });
        }
        warnings.push(page.say("next-stuck-harm").with("harm", harm.join("; ")).to_string());
        let step = Self { warnings, ..Self::to(page, Word::PairRepeats, "next-stuck-choices") };
        Ok(if view.is_last_stage() { step.or(page, Word::Finish) } else { step.or(page, Word::NextStage) })
    }

    /// Equals stand where the line falls.
    fn cut(page: &Page, view: &TournamentView, places: usize, equals: &[i32]) -> Self {
        let names: Vec<_> = equals.iter().map(|it| view.standing_name(it)).collect();
        let help = page.say("next-cut").with("places", places).with("names", names.join(", ")).to_string();
        let step = Self::to(page, Word::NextStage, "next-next-stage");
        Self { help, name: page.t("cut-decide"), path: Some(view.admin("/cut")), ..step }
    }

    /// Too few or too many would go on.
    fn unfit(page: &Page, view: &TournamentView, stage: i16, entrants: usize, fits: String) -> ApiResult<Self> {
        let format = page.format_details(&view.plan_of(stage)?.format);
        let warning =
            page.say("next-unfit").with("format", format).with("count", entrants).with("fits", fits).to_string();
        let step = Self::to(page, Word::NextStage, "next-unfit-choices");
        let step = Self { name: page.t("tournament-change"), path: Some(view.admin("/edit")), icon: "edit", ..step };
        Ok(Self { warnings: vec![warning], ..step }.or(page, Word::FinishEarly))
    }

    fn to(page: &Page, word: Word, help: &str) -> Self {
        let (name, help) = (page.t(word.key()), page.t(help));
        Self {
            word,
            name,
            help,
            icon: word.icon(),
            round: None,
            path: None,
            others: Vec::new(),
            links: Vec::new(),
            warnings: Vec::new(),
            urgent: Vec::new(),
        }
    }

    fn or(mut self, page: &Page, word: Word) -> Self {
        self.others.push((word, page.t(word.key()), word.icon()));
        self
    }

    fn look(mut self, link: (String, String, &'static str)) -> Self {
        self.links.push(link);
        self
    }

    fn about(self, (stage, round): (i16, i16)) -> Self {
        Self { round: Some(format!("{stage}-{round}")), ..self }
    }
}

/// Bouts that need somebody.
fn urgent(page: &Page, view: &TournamentView) -> Vec<(String, String)> {
    let bouts = view.rounds_now().into_iter().flat_map(|round| &round.bouts);
    bouts.filter_map(|it| it.urgent(page, view)).collect()
}

/// Whether a pairing is against what the format promises.
fn is_harm(reason: &Reason) -> bool {
    matches!(reason, Reason::Repeat { .. } | Reason::ByeAgain { .. })
}

/// Where the pairings of a round are printed.
fn print(view: &TournamentView, round: i16) -> String {
    view.admin(&format!("/print?what=tables&stage={}&round={round}", view.row.stage))
}
