//! A bout: its result, and of another result first what it would undo.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use engine::tournaments::Points;

use super::result::{self, Sent};
use super::round::round_address;
use super::{Means, address, read};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, invalid_field, not_found};
use crate::extract::Path;
use crate::ids::TableId;
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::tables::TableRow;
use crate::tournaments::shown::{BoutState, Played, Seated, Shown};
use crate::tournaments::store::BoutKey;
use crate::tournaments::{self, Finish, TournamentId, TournamentStatus};
use crate::undo::Doer;

#[derive(Template)]
#[template(path = "admin/tournaments/bout.html")]
struct BoutPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
    bout: Played,
    round_title: String,
    tables: Vec<TableRow>,
    /// What its match says, where that does not count yet.
    claim: Option<String>,
    takes_results: bool,
    takes_draws: bool,
    /// Whether a press is enough.
    takes_presses: bool,
    takes_table: bool,
    /// The form as it was sent.
    sent: Sent,
    wrong: Option<String>,
    /// What another result would undo: the names of the bouts and their keys.
    voids: Option<Vec<(String, BoutKey)>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableForm {
    table: String,
}

type At = (TournamentId, i16, BoutKey);

#[get("/admin/tournaments/{id}/bouts/{stage}/{key}")]
pub(crate) async fn show_bout(db: Data<Db>, Desk { page, staff }: Desk, Path(at): Path<At>) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeTournaments)?;
    let mut conn = db.conn().await?;
    let shown = read(&mut conn, &page, at.0).await?;
    let template = BoutPage::of(&mut conn, (&page, &shown), at, Sent::new()).await?;
    page.html(&template)
}

/// A first result counts at once. Another one is shown first with what it would undo, and counts once that is agreed to.
#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/result")]
pub(crate) async fn write_bout_result(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(at): Path<At>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunTournaments)?;
    let mut conn = db.conn().await?;
    let shown = read(&mut conn, &page, at.0).await?;
    let mut template = BoutPage::of(&mut conn, (&page, &shown), at, sent).await?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let written = match template.read() {
        Ok((finishes, reason)) if template.is_correction() => {
            staff.may(Deed::KeepTournaments)?;
            if !template.is_agreed() {
                return template.look(&finishes);
            }
            template.correct(&mut conn, doer, at, (&finishes, reason.as_deref())).await
        }
        Ok((finishes, reason)) => {
            tournaments::write_result(&mut conn, doer, at, (&finishes, reason.as_deref()), None).await
        }
        Err(err) => Err(err),
    };
    if let Err(err @ ApiError::Refused(_)) = &written {
        template.wrong = Some(said(&page, err));
        return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &template);
    }
    let flash = Flash::after(written, |()| Flash::good("bout-settled", ""))?;
    Ok(page.go_with(&address(at.0), flash))
}

#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/table")]
pub(crate) async fn give_bout_table(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(at): Path<At>,
    Form(form): Form<TableForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunTournaments)?;
    let table = match form.table.as_str() {
        "" => Ok(None),
        id => id.parse::<uuid::Uuid>().map(|id| Some(TableId(id))).map_err(|_| invalid_field("/table", "invalid")),
    };
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let given = match table {
        Ok(table) => tournaments::give_table(&mut *db.conn().await?, doer, at, table, None).await,
        Err(err) => Err(err),
    };
    let flash = Flash::after(given, |()| Flash::good("bout-table-given", ""))?;
    Ok(page.go_with(&bout_address(at), flash))
}

/// Another match for a bout whose match was called off.
#[post("/admin/tournaments/{id}/bouts/{stage}/{key}/again")]
pub(crate) async fn play_bout_again(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(at): Path<At>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::RunTournaments)?;
    let doer = Doer { world: &world, live: &live, staff: &staff };
    let made = tournaments::play_again(&mut *db.conn().await?, doer, at, None).await;
    let flash = Flash::after(made, |_| Flash::good("bout-again", ""))?;
    Ok(page.go_with(&bout_address(at), flash))
}

fn bout_address((id, stage, key): At) -> String {
    format!("{}/bouts/{stage}/{key}", address(id))
}

/// What is wrong, as exactly as it is known.
fn said(page: &Page, err: &ApiError) -> String {
    let problem = err.problem(page.lang);
    problem.errors.into_iter().next().map(|it| it.detail).unwrap_or(problem.detail)
}

impl<'a> BoutPage<'a> {
    async fn of(
        conn: &mut AsyncPgConnection,
        (page, shown): (&'a Page, &'a Shown),
        (_, stage, key): At,
        sent: Sent,
    ) -> ApiResult<Self> {
        let row = shown.bout(stage, key).ok_or_else(|| not_found("bout_not_found"))?;
        let bout = Played::of(page, shown, row);
        let plan = shown.plan_of(stage)?;
        let (status, is_now) = (shown.row.status, stage == shown.row.stage);
        let is_published = !matches!(bout.state, BoutState::Bye | BoutState::Drafted);
        let is_running = status == TournamentStatus::Running && is_now && is_published;
        let is_played = matches!(status, TournamentStatus::Running | TournamentStatus::Finished);
        let may_correct = is_played && is_published && bout.is_over();
        let claimed = |it: &engine::tournaments::Finish| {
            let name = i32::try_from(it.entrant).map(|number| shown.name(&number)).unwrap_or_default();
            page.say("claim-of").with("name", name).with("place", it.place).to_string()
        };
        let claim = row.claim.as_ref().map(|it| it.0.iter().map(claimed).collect::<Vec<_>>().join(", "));
        let takes_table = is_running && !bout.is_over();
        let tables = if takes_table { crate::tables::store::list(conn, false).await? } else { Vec::new() };
        Ok(Self {
            page,
            shown,
            round_title: shown.find_round(stage, bout.round).map(|it| it.title.clone()).unwrap_or_default(),
            tables,
            claim,
            takes_results: is_running || may_correct,
            takes_draws: !plan.format.is_knockout(),
            takes_presses: bout.is_duel() && plan.scoring.points != Points::Scores,
            takes_table,
            sent,
            wrong: None,
            voids: None,
            bout,
        })
    }

    fn read(&self) -> ApiResult<(Vec<Finish>, Option<String>)> {
        let entrants: Vec<i32> = self.bout.seated.iter().map(|it| it.number).collect();
        Ok((result::finishes(&entrants, &self.sent)?, result::reason(&self.sent)?))
    }

    /// Whether there is a result already, or one that staff have to decide on.
    fn is_correction(&self) -> bool {
        self.bout.is_over() || self.bout.state == BoutState::Claimed
    }

    fn is_agreed(&self) -> bool {
        self.sent.get("agreed").is_some_and(|it| it == "yes")
    }

    /// What this result would undo, to be agreed to.
    fn look(mut self, finishes: &[Finish]) -> ApiResult<HttpResponse> {
        if self.value("reason").trim().is_empty() {
            self.wrong = Some(said(self.page, &invalid_field("/reason", "missing_field")));
            return self.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &self);
        }
        match self.shown.follow(self.bout.stage, self.bout.key, finishes) {
            Ok(followed) => {
                let bout = |key: BoutKey| {
                    let row = self.shown.bout(self.bout.stage, key);
                    (row.map(|row| Played::of(self.page, self.shown, row).names()).unwrap_or_default(), key)
                };
                self.voids = Some(followed.voids.into_iter().map(bout).collect());
                self.page.html(&self)
            }
            Err(err @ ApiError::Refused(_)) => {
                self.wrong = Some(said(self.page, &err));
                self.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &self)
            }
            Err(err) => Err(err),
        }
    }

    async fn correct(
        &self,
        conn: &mut AsyncPgConnection,
        doer: Doer<'_>,
        at: At,
        (finishes, reason): (&[Finish], Option<&str>),
    ) -> ApiResult<()> {
        let reason = reason.ok_or_else(|| invalid_field("/reason", "missing_field"))?;
        let voids = result::voids(&self.sent)?;
        tournaments::correct(conn, doer, at, (finishes, reason), &voids, None).await
    }

    fn round_address(&self) -> String {
        round_address(self.shown.row.id, self.bout.stage, self.bout.round)
    }

    fn value(&self, name: &str) -> &str {
        self.sent.get(name).map(String::as_str).unwrap_or_default()
    }

    /// As it was sent, else as it is.
    fn place(&self, it: &Seated) -> String {
        let known = it.place.map(|place| place.to_string()).unwrap_or_default();
        self.sent.get(&format!("place-{}", it.number)).cloned().unwrap_or(known)
    }

    fn score(&self, it: &Seated) -> String {
        self.sent.get(&format!("score-{}", it.number)).or(it.score.as_ref()).cloned().unwrap_or_default()
    }

    fn is_absent(&self, it: &Seated) -> bool {
        it.absent && self.sent.is_empty() || self.sent.contains_key(&format!("absent-{}", it.number))
    }

    /// The result that was sent.
    fn sent_in_words(&self) -> String {
        let finishes = self.read().map(|(finishes, _)| finishes).unwrap_or_default();
        let told = |it: &Finish| {
            let name = self.shown.name(&it.entrant);
            match it.absent {
                true => format!("{name}: {}", self.page.t("mark-absent")),
                false => self.page.say("claim-of").with("name", name).with("place", it.place).to_string(),
            }
        };
        finishes.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    fn voids_sent(&self) -> String {
        let voids = self.voids.iter().flatten().map(|(_, key)| key.to_string());
        voids.collect::<Vec<_>>().join(" ")
    }
}
