//! The end of a season: who goes up and down, as the table says and as staff decide, and the next season.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::{address, read};
use crate::series::view::SeriesView;
use base::auth::can;
use base::error::invalid_fields;
use base::ids::{PlayerId, SeriesId};
use competitions::series::{self, DivisionRow, Move, NextSeasonRequest, Placement, SeriesName};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

type Sent = BTreeMap<String, String>;

#[derive(Template)]
#[template(path = "admin/series/next.html")]
struct NextPage<'a> {
    page: &'a Page,
    view: &'a SeriesView,
    /// By division: who is in it, with where they go.
    leaving: Vec<(DivisionRow, Vec<(Move, String)>)>,
    /// The digest of all of that.
    seen: String,
    /// The form as it was sent.
    sent: Sent,
    wrong: Option<String>,
}

#[get("/admin/series/{id}/next")]
pub async fn show_next_season(
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    page.html(&NextPage::of(&page, &view, Sent::new(), None)?)
}

#[post("/admin/series/{id}/next")]
pub async fn end_season(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let ended = match request(&sent) {
        Ok(request) => series::end_season(&mut cx, id, &request, sent.get("seen").map(String::as_str))
            .await
            .map_err(ApiError::from),
        Err(err) => Err(err),
    };
    match ended {
        Ok(next) => Ok(page.go_with(&address(next), Flash::good("series-continued", ""))),
        Err(err) if err.is_refusal() => {
            let view = read(&mut cx, &page, id).await?;
            let wrong = Some(err.problem(page.lang).sentence());
            page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &NextPage::of(&page, &view, sent, wrong)?)
        }
        Err(err) => Err(err),
    }
}

/// In which division somebody plays by the form; it is blank where that is as the table says.
fn said(sent: &Sent, person: PlayerId) -> Option<i16> {
    sent.get(&format!("to-{person}"))?.parse().ok()
}

/// What the form says: `name`, `revision`, and `to-…` of each person for whom staff chose another division.
fn request(sent: &Sent) -> ApiResult<NextSeasonRequest> {
    let name = SeriesName::parse(sent.get("name").map(String::as_str).unwrap_or_default());
    let name = name.map_err(|err| invalid_fields(vec![err.at("/name")]))?;
    let placement = |field: &String| {
        let player_id: PlayerId = field.strip_prefix("to-")?.parse().ok()?;
        Some(Placement { player_id, division: said(sent, player_id)? })
    };
    let revision = sent.get("revision").and_then(|it| it.parse().ok());
    Ok(NextSeasonRequest { name, divisions: sent.keys().filter_map(placement).collect(), revision })
}

impl<'a> NextPage<'a> {
    fn of(page: &'a Page, view: &'a SeriesView, sent: Sent, wrong: Option<String>) -> ApiResult<Self> {
        let season = &view.season;
        let moves = season.moves()?;
        let here = |division: &DivisionRow| {
            let from = moves.iter().filter(|it| it.from == division.number);
            from.map(|it| (*it, season.name_of(it.person))).collect()
        };
        let leaving = season.divisions.iter().map(|it| (it.clone(), here(it))).collect();
        Ok(Self { page, view, leaving, seen: series::moves_digest(&moves), sent, wrong })
    }

    fn name(&self) -> &str {
        self.sent.get("name").map(String::as_str).unwrap_or_default()
    }

    /// Whether the form has somebody in this division.
    fn goes_to(&self, it: &Move, number: &i16) -> bool {
        said(&self.sent, it.person).unwrap_or(it.to) == *number
    }

    /// What the table says of them.
    fn word(&self, it: &Move) -> Option<&'static str> {
        match (it.is_open, it.to.cmp(&it.from)) {
            (true, _) => Some("series-move-open"),
            (false, std::cmp::Ordering::Less) => Some("series-move-up"),
            (false, std::cmp::Ordering::Greater) => Some("series-move-down"),
            (false, std::cmp::Ordering::Equal) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::samples::seasons;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for season in seasons() {
            samples::check(samples::MANAGERS, |page| {
                let view = SeriesView::of(&page, season.clone()).unwrap();
                let wrong = Some(page.t("field-empty"));
                NextPage::of(&page, &view, Sent::new(), wrong).unwrap().render()
            });
        }
    }

    #[test]
    fn only_who_goes_elsewhere_than_the_table_says_is_passed_on() {
        let [stays, moved] = [1, 2].map(samples::player_id);
        let field = |person: PlayerId, number: &str| (format!("to-{person}"), number.to_owned());
        let mut sent = Sent::from([
            ("name".to_owned(), "봄 시즌".to_owned()),
            ("revision".to_owned(), "3".to_owned()),
            field(stays, ""),
            field(moved, "2"),
        ]);
        let asked = request(&sent).unwrap();
        let placed: Vec<_> = asked.divisions.iter().map(|it| (it.player_id, it.division)).collect();
        assert_eq!((placed, asked.revision), (vec![(moved, 2)], Some(3)));
        sent.remove("name");
        assert!(request(&sent).is_err());
    }
}
