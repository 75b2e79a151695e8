//! The one thing to do next, as a button, and what could be done instead.

use diesel_async::AsyncPgConnection;

use crate::error::{ApiResult, invalid_field};
use crate::page::Page;
use crate::staff::Deed;
use crate::tournaments::shown::{Round, Shown};
use crate::tournaments::{self, Next, TournamentId, next};
use crate::undo::Doer;

crate::text_enum! {
    /// A step on a tournament's way.
    pub enum Word {
        OpenRegistration = "open_registration",
        OpenCheckIn = "open_check_in",
        Start = "start",
        Pair = "pair",
        Discard = "discard",
        Publish = "publish",
        Withdraw = "withdraw",
        StartRound = "start_round",
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
}

impl Word {
    pub(super) fn deed(self) -> Deed {
        match self {
            Self::OpenRegistration | Self::FinishEarly | Self::Cancel => Deed::KeepTournaments,
            Self::OpenCheckIn
            | Self::Start
            | Self::Pair
            | Self::Discard
            | Self::Publish
            | Self::Withdraw
            | Self::StartRound
            | Self::NextStage
            | Self::Finish => Deed::KeepTournaments,
        }
    }

    pub(super) fn key(self) -> &'static str {
        match self {
            Self::OpenRegistration => "step-open-registration",
            Self::OpenCheckIn => "step-open-check-in",
            Self::Start => "step-start",
            Self::Pair => "step-pair",
            Self::Discard => "step-discard",
            Self::Publish => "step-publish",
            Self::Withdraw => "step-withdraw",
            Self::StartRound => "step-start-round",
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
            Self::Pair => "die-line",
            Self::Discard | Self::Withdraw => "back",
            Self::Publish => "bell",
            Self::StartRound => "clock",
            Self::Finish | Self::FinishEarly => "flag",
            Self::Cancel => "ban",
        }
    }

    /// Of the message that tells what was done.
    pub(super) fn flash(self) -> &'static str {
        match self {
            Self::OpenRegistration => "registration-opened",
            Self::OpenCheckIn => "check-in-opened",
            Self::Start => "tournament-started",
            Self::Pair => "round-paired",
            Self::Discard => "draft-discarded",
            Self::Publish => "round-published",
            Self::Withdraw => "round-withdrawn",
            Self::StartRound => "round-started",
            Self::NextStage => "stage-begun",
            Self::Finish | Self::FinishEarly => "tournament-finished",
            Self::Cancel => "tournament-cancelled",
        }
    }

    /// Takes the step: the page that comes after it.
    pub(super) async fn take(
        self,
        conn: &mut AsyncPgConnection,
        doer: Doer<'_>,
        id: TournamentId,
        (round, reason): (Option<(i16, i16)>, Option<&str>),
    ) -> ApiResult<String> {
        let page = super::address(id);
        let round_page = |(stage, round): (i16, i16)| format!("{page}/rounds/{stage}/{round}");
        let of_round = || round.ok_or_else(|| invalid_field("/round", "missing_field"));
        match self {
            Self::OpenRegistration => tournaments::open_registration(conn, doer, id, None).await?,
            Self::OpenCheckIn => {
                tournaments::open_check_in(conn, doer, id, None).await?;
                return Ok(format!("{page}/entrants"));
            }
            Self::Start => tournaments::start(conn, doer, id, None).await?,
            Self::Pair => {
                let stage = tournaments::load(conn, id, true).await?.row.stage;
                let round = tournaments::pair(conn, doer, id, None).await?;
                return Ok(round_page((stage, round)));
            }
            Self::Discard => tournaments::discard(conn, doer, id, None).await?,
            Self::Publish => {
                let (stage, round) = of_round()?;
                tournaments::publish(conn, doer, (id, stage, round), None).await?;
            }
            Self::Withdraw => {
                let (stage, round) = of_round()?;
                tournaments::withdraw(conn, doer, (id, stage, round), None).await?;
                return Ok(round_page((stage, round)));
            }
            Self::StartRound => {
                let (stage, round) = of_round()?;
                tournaments::start_round(conn, doer, (id, stage, round), None).await?;
            }
            Self::NextStage => tournaments::next_stage(conn, doer, id, None).await?,
            Self::Finish => tournaments::finish(conn, doer, id, false, None).await?,
            Self::FinishEarly => tournaments::finish(conn, doer, id, true, None).await?,
            Self::Cancel => tournaments::cancel(conn, doer, id, reason, None).await?,
        }
        Ok(page)
    }
}

impl Step {
    /// What is next for the tournament, as its own page offers it.
    pub(super) fn of(page: &Page, shown: &Shown) -> ApiResult<Option<Self>> {
        let entrants = (shown.admin("/entrants"), page.t("entrants"), "people");
        let step = match next(shown)? {
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
                let path = shown.find_round(shown.row.stage, round).map(|round| shown.round_path(round));
                Self { path, name: page.t("draft-open"), icon: "edit", ..step }
            }
            Next::StartRound { round } => {
                let step = Self::to(page, Word::StartRound, "next-start-round").or(page, Word::Withdraw);
                let sheets = (print(shown, round), page.t("print-pairings"), "print");
                step.about((shown.row.stage, round)).look(sheets)
            }
            Next::Results { bouts } => Self::results(page, shown, bouts)?,
            Next::NextStage => Self::to(page, Word::NextStage, "next-next-stage").look(entrants),
            Next::Finish => Self::to(page, Word::Finish, "next-finish"),
            Next::Nothing => return Ok(None),
        };
        Ok(Some(step))
    }

    /// What is next for this round, as its own page offers it.
    pub(super) fn of_round(page: &Page, shown: &Shown, round: &Round) -> ApiResult<Option<Self>> {
        let key = (round.row.stage, round.row.round);
        Ok(match next(shown)? {
            Next::Publish { round: due } if round.is_draft() && due == key.1 => {
                let step = Self::to(page, Word::Publish, "next-publish-now").or(page, Word::Discard);
                Some(step.about(key))
            }
            Next::StartRound { round: due } if (shown.row.stage, due) == key => Self::of(page, shown)?,
            Next::Pair | Next::NextStage | Next::Finish if shown.row.stage == key.0 => Self::of(page, shown)?,
            _ => None,
        })
    }

    /// Results are waited for: the round in which they are missing, and what can be paired meanwhile.
    fn results(page: &Page, shown: &Shown, bouts: usize) -> ApiResult<Self> {
        let round = shown.rounds_now().into_iter().find(|round| !round.is_draft()).map(|round| shown.round_path(round));
        let step = Self {
            word: Word::StartRound,
            name: page.t("results-open"),
            help: page.say("next-results").with("count", bouts).to_string(),
            icon: "edit",
            round: None,
            path: round.or_else(|| Some(shown.admin(""))),
            others: Vec::new(),
            links: Vec::new(),
        };
        Ok(if shown.has_due()? { step.or(page, Word::Pair) } else { step })
    }

    fn to(page: &Page, word: Word, help: &str) -> Self {
        let (name, help) = (page.t(word.key()), page.t(help));
        let (others, links) = (Vec::new(), Vec::new());
        Self { word, name, help, icon: word.icon(), round: None, path: None, others, links }
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

/// Where the pairings of a round are printed.
fn print(shown: &Shown, round: i16) -> String {
    shown.admin(&format!("/print?what=tables&stage={}&round={round}", shown.row.stage))
}
