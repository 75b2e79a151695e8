//! Who goes on where equals stand at the line: all, none, the better seeds, a lot, or as staff say.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::{address, read};
use crate::tournaments::view::TournamentView;
use base::auth::can;
use base::error::{invalid_field, invalid_fields};
use base::inputs::tidy_text;
use competitions::tournaments::{self, Cut, Line, Quota, TournamentId};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

const REASON_MOST: usize = 200;
type Sent = BTreeMap<String, String>;

#[derive(Template)]
#[template(path = "admin/tournaments/cut.html")]
struct CutPage<'a> {
    page: &'a Page,
    view: &'a TournamentView,
    line: Line,
    /// The form as it was sent.
    sent: Sent,
    wrong: Option<String>,
}

#[get("/admin/tournaments/{id}/cut")]
pub async fn show_cut(
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    page.html(&CutPage { page: &page, line: view.line()?, view: &view, sent: Sent::new(), wrong: None })
}

#[post("/admin/tournaments/{id}/cut")]
pub async fn decide_cut(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let revision = sent.get("revision").and_then(|it| it.parse().ok());
    let begun = match cut(&sent) {
        Ok(cut) => tournaments::next_stage(&mut cx, id, Some(&cut), revision).await.map_err(ApiError::from),
        Err(err) => Err(err),
    };
    match begun {
        Ok(()) => Ok(page.go_with(&address(id), Flash::good("stage-begun", ""))),
        Err(err) if err.is_refusal() => {
            let view = read(&mut cx, &page, id).await?;
            let wrong = Some(err.problem(page.lang).sentence());
            let again = CutPage { page: &page, line: view.line()?, view: &view, sent, wrong };
            page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &again)
        }
        Err(err) => Err(err),
    }
}

/// What the form decides: `by`, and by hand `place-7` for entrant 7 and `reason`.
fn cut(sent: &Sent) -> ApiResult<Cut> {
    Ok(match sent.get("by").map(String::as_str) {
        Some("seed") => Cut::Seed {},
        Some("all") => Cut::All {},
        Some("none") => Cut::None {},
        Some("lot") => Cut::Lot {},
        Some("hand") => {
            let reason = tidy_text(sent.get("reason").map(String::as_str).unwrap_or_default(), REASON_MOST);
            let reason = reason.map_err(|err| invalid_fields(vec![err.at("/reason")]))?;
            Cut::Hand { going: by_place(sent)?, reason }
        }
        _ => return Err(invalid_field("/by", "invalid").into()),
    })
}

/// Those with a place, the best first.
fn by_place(sent: &Sent) -> ApiResult<Vec<i32>> {
    let wrong = || invalid_field("/cut/going", "one_each");
    let mut going = Vec::new();
    for (name, typed) in sent.iter().filter(|(_, typed)| !typed.trim().is_empty()) {
        let Some(entrant) = name.strip_prefix("place-") else { continue };
        let entrant: i32 = entrant.parse().map_err(|_| wrong())?;
        going.push((typed.trim().parse::<u32>().map_err(|_| wrong())?, entrant));
    }
    going.sort_unstable();
    Ok(going.into_iter().map(|(_, entrant)| entrant).collect())
}

impl CutPage<'_> {
    /// The equals, each with what was written for them.
    fn equals(&self) -> Vec<(i32, String, &str)> {
        let typed = |number: &i32| self.sent.get(&format!("place-{number}")).map(String::as_str).unwrap_or_default();
        self.line.equals.iter().map(|it| (*it, self.view.standing_name(it), typed(it))).collect()
    }

    /// How many of those who share places in a group go on.
    fn quotas(&self) -> Vec<String> {
        let quota = |it: &Quota| {
            let names: Vec<String> = it.of.iter().map(|it| self.view.standing_name(it)).collect();
            let said = match it.least == it.most {
                true => self.page.say("cut-quota").with("count", it.most),
                false => self.page.say("cut-quota-range").with("least", it.least).with("most", it.most),
            };
            said.with("names", names.join(", ")).to_string()
        };
        self.line.quotas.iter().map(quota).collect()
    }

    fn reason(&self) -> &str {
        self.sent.get("reason").map(String::as_str).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use competitions::tournaments::TournamentStatus;
    use engine::tournaments::Format;

    use super::*;
    use crate::tournaments::samples::moments_of;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_with_equals_and_without() {
        let moments = moments_of(Format::Swiss { rounds: 3 });
        let running = moments.into_iter().find(|it| it.row.status == TournamentStatus::Running).unwrap();
        for equals in [vec![1, 2, 3], Vec::new()] {
            samples::check(samples::MANAGERS, |page| {
                let view = TournamentView::of(&page, running.clone()).unwrap();
                let quotas =
                    vec![Quota { of: vec![1, 2], least: 1, most: 1 }, Quota { of: vec![3, 5], least: 0, most: 1 }];
                let line = Line { through: vec![4], equals: equals.clone(), places: 2, quotas, order: Vec::new() };
                let sent = Sent::from([("place-2".to_owned(), "1".to_owned())]);
                let wrong = Some(page.t("field-empty"));
                CutPage { page: &page, view: &view, line, sent, wrong }.render()
            });
        }
    }

    #[test]
    fn a_form_says_who_goes_on() {
        let sent =
            |fields: &[(&str, &str)]| fields.iter().map(|(name, it)| ((*name).to_owned(), (*it).to_owned())).collect();
        assert_eq!(cut(&sent(&[("by", "lot")])).unwrap(), Cut::Lot {});
        let hand = sent(&[("by", "hand"), ("place-3", "2"), ("place-12", "1"), ("place-4", " "), ("reason", "연장전")]);
        assert_eq!(cut(&hand).unwrap(), Cut::Hand { going: vec![12, 3], reason: "연장전".to_owned() });
        for wrong in [
            &[("by", "luck")][..],
            &[],
            &[("by", "hand"), ("place-3", "1")],
            &[("by", "hand"), ("place-3", "x"), ("reason", "y")],
        ] {
            assert!(cut(&sent(wrong)).is_err(), "{wrong:?}");
        }
    }
}
