//! What staff rule about single entrants: byes that were asked for, points given or taken away, pairs who should not meet.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::{address, read};
use crate::tournaments::view::TournamentWords;
use crate::tournaments::view::{TournamentView, signed};
use base::auth::{Permission, can};
use base::error::invalid_field;
use competitions::tournaments::rulings::{Adjustment, Apart, RequestedBye};
use competitions::tournaments::{self, Rulings, RulingsRequest, TournamentId};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/tournaments/rulings.html")]
struct RulingsPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    sent: RulingForm,
    wrong: Option<String>,
}

base::text_enum! {
    /// What a form adds or removes.
    pub enum Kind {
        Bye = "bye",
        Adjustment = "adjustment",
        Apart = "apart",
    }
}

/// A ruling to add, or with `remove` one to remove: the place in its list, from 0.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulingForm {
    kind: Option<Kind>,
    remove: Option<usize>,
    entrant: Option<i32>,
    other: Option<i32>,
    stage: Option<i16>,
    round: Option<i16>,
    #[serde(default)]
    points: String,
    #[serde(default)]
    reason: String,
    revision: Option<i64>,
}

/// A ruling in words.
struct Told {
    what: String,
    why: String,
}

#[get("/admin/tournaments/{id}/rulings")]
pub async fn show_rulings(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    page.html(&RulingsPage { page: &page, view: &view, sent: RulingForm::default(), wrong: None })
}

#[post("/admin/tournaments/{id}/rulings")]
pub async fn change_rulings(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(sent): Form<RulingForm>,
) -> ApiResult<HttpResponse> {
    let now = tournaments::load_for_staff(&mut cx, id).await?.row.rulings.0;
    let set = match sent.applied_to(now) {
        Ok(request) => tournaments::set_rulings(&mut cx, id, &request).await,
        Err(err) => Err(err),
    };
    match set.map_err(ApiError::from) {
        Ok(()) => Ok(page.go_with(&format!("{}/rulings", address(id)), Flash::good("rulings-set", ""))),
        Err(err) if err.is_refusal() => {
            let view = read(&mut cx, &page, id).await?;
            let wrong = Some(err.problem(page.lang).sentence());
            page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &RulingsPage { page: &page, view: &view, sent, wrong })
        }
        Err(err) => Err(err),
    }
}

impl RulingForm {
    /// The rulings with this one more, or one less.
    fn applied_to(
        &self,
        Rulings { mut byes, mut adjustments, mut apart }: Rulings,
    ) -> base::error::Result<RulingsRequest> {
        let missing = |field: &str| invalid_field(field, "missing_field");
        let entrant = || self.entrant.ok_or_else(|| missing("/entrant"));
        let (stage, round) = (self.stage.unwrap_or(1), || self.round.ok_or_else(|| missing("/round")));
        match (self.kind, self.remove) {
            (Some(Kind::Bye), Some(at)) if at < byes.len() => drop(byes.remove(at)),
            (Some(Kind::Adjustment), Some(at)) if at < adjustments.len() => drop(adjustments.remove(at)),
            (Some(Kind::Apart), Some(at)) if at < apart.len() => drop(apart.remove(at)),
            (Some(Kind::Bye), None) => {
                byes.push(RequestedBye { stage, round: round()?, entrant: entrant()?, points: self.points()? });
            }
            (Some(Kind::Adjustment), None) => {
                let (reason, points) = (self.reason.clone(), self.points()?);
                adjustments.push(Adjustment { stage, round: round()?, entrant: entrant()?, points, reason });
            }
            (Some(Kind::Apart), None) => {
                apart.push(Apart { one: entrant()?, other: self.other.ok_or_else(|| missing("/other"))? });
            }
            (Some(_), Some(_)) | (None, _) => return Err(invalid_field("/kind", "invalid")),
        }
        Ok(RulingsRequest { byes, adjustments, apart, revision: self.revision })
    }

    /// In hundredths.
    fn points(&self) -> base::error::Result<i32> {
        let typed: Option<f64> = self.points.trim().replace(',', ".").replace('−', "-").parse().ok();
        let hundredths = typed.map(|it| (it * 100.0).round()).filter(|it| it.abs() <= 1_000_000.0);
        hundredths.map(|it| it as i32).ok_or_else(|| invalid_field("/points", "out_of_range"))
    }
}

impl RulingsPage<'_> {
    fn may_rule(&self) -> bool {
        !self.view.row.status.is_over() && self.page.may(&Permission::ManageTournaments)
    }

    /// Who can be ruled about: number and name.
    fn people(&self) -> Vec<(i32, String)> {
        self.view.entrants.iter().filter(|it| !it.deleted).map(|it| (it.number, self.view.name(&it.number))).collect()
    }

    /// The stages in which people may ask not to play.
    fn stages_with_byes(&self) -> Vec<i16> {
        self.all_stages().into_iter().filter(|stage| self.view.takes_byes(*stage)).collect()
    }

    fn all_stages(&self) -> Vec<i16> {
        (1..).zip(self.view.row.stages.iter()).map(|(stage, _)| stage).collect()
    }

    /// Whom the form that was refused named, if it was of this kind.
    fn sent_as(&self, kind: &str, sent: &Option<i32>) -> Option<i32> {
        sent.filter(|_| self.sent.kind.is_some_and(|it| it.as_str() == kind))
    }

    /// The round that comes next, where the form says none.
    fn round(&self) -> i16 {
        self.sent
            .round
            .unwrap_or_else(|| self.view.rounds.iter().map(|it| it.round).max().unwrap_or(0).saturating_add(1))
    }

    fn when(&self, stage: i16, round: i16) -> String {
        let round = self.page.say("round-number").with("number", round).to_string();
        match self.view.row.stages.len() {
            1 => round,
            _ => format!("{} · {round}", self.page.say("stage-number").with("number", stage)),
        }
    }

    fn byes(&self) -> Vec<Told> {
        let told = |it: &RequestedBye| Told {
            what: self.view.name(&it.entrant),
            why: format!("{} · {}", self.when(it.stage, it.round), self.page.points(it.points)),
        };
        self.view.row.rulings.byes.iter().map(told).collect()
    }

    fn adjustments(&self) -> Vec<Told> {
        let told = |it: &Adjustment| Told {
            what: format!("{} {}", self.view.name(&it.entrant), signed(self.page, it.points)),
            why: format!("{} · {}", self.when(it.stage, it.round), it.reason),
        };
        self.view.row.rulings.adjustments.iter().map(told).collect()
    }

    fn apart(&self) -> Vec<Told> {
        let told = |it: &Apart| Told {
            what: format!("{} – {}", self.view.name(&it.one), self.view.name(&it.other)),
            why: String::new(),
        };
        self.view.row.rulings.apart.iter().map(told).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournaments::samples::moments;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_with_rulings_and_without() {
        for tournament in moments() {
            samples::check(samples::STAFF, |page| {
                let mut ruled = tournament.clone();
                ruled.row.rulings.0 = Rulings {
                    byes: vec![RequestedBye { stage: 1, round: 2, entrant: 2, points: 50 }],
                    adjustments: vec![Adjustment {
                        stage: 1,
                        round: 1,
                        entrant: 3,
                        points: -100,
                        reason: "늦게 옴".to_owned(),
                    }],
                    apart: vec![Apart { one: 1, other: 2 }],
                };
                let view = TournamentView::of(&page, ruled).unwrap();
                let wrong = Some(page.t("field-empty"));
                RulingsPage { page: &page, view: &view, sent: RulingForm::default(), wrong }.render()
            });
            samples::check(samples::STAFF, |page| {
                let view = TournamentView::of(&page, tournament.clone()).unwrap();
                RulingsPage { page: &page, view: &view, sent: RulingForm::default(), wrong: None }.render()
            });
        }
    }

    #[test]
    fn a_form_adds_or_removes_one() {
        let points = |typed: &str| RulingForm { points: typed.to_owned(), ..RulingForm::default() }.points().ok();
        assert_eq!(
            ["0,5", "-1", "−1.25", "1", "x", "1e9"].map(points),
            [Some(50), Some(-100), Some(-125), Some(100), None, None]
        );
        let bye = RulingForm {
            kind: Some(Kind::Bye),
            entrant: Some(2),
            round: Some(3),
            points: "0.5".to_owned(),
            ..RulingForm::default()
        };
        let added = bye.applied_to(Rulings::default()).unwrap();
        assert_eq!(added.byes, [RequestedBye { stage: 1, round: 3, entrant: 2, points: 50 }]);
        let now = Rulings { byes: added.byes, ..Rulings::default() };
        let removed = RulingForm { kind: Some(Kind::Bye), remove: Some(0), ..RulingForm::default() };
        assert!(removed.applied_to(now.clone()).unwrap().byes.is_empty());
        let nothing = RulingForm { kind: Some(Kind::Apart), remove: Some(0), ..RulingForm::default() };
        assert!(nothing.applied_to(now).is_err());
    }
}
