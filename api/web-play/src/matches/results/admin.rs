//! What was written down of a match, as its page shows it, and what staff do about it there.

use std::collections::{BTreeMap, HashMap};

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, post};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde_json::Value;

use super::rest::tidy_reason;
use crate::matches::admin::show::{MatchView, ShowSearch, show_as};
use base::auth::{Actor, Identity, can};
use base::error::invalid_field;
use base::ids::{MatchId, PlayerId};
use play::matches::results::store::{self, ResultRow};
use play::matches::results::{Report, Reported, ResultStatus};
use play::matches::{MatchRow, Status};
use play::players::PlayerCard;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

/// The fields of the form: `place-0`, `points-0` and `out-0` for each seat, and `reason`.
pub(crate) type Sent = BTreeMap<String, String>;

/// All that was written down of a match, in order, and the people who wrote and confirmed it.
#[derive(Default)]
pub(crate) struct Results {
    pub rows: Vec<ResultRow>,
    pub people: HashMap<PlayerId, PlayerCard>,
}

/// All that was written down of a match, ready to print.
pub(crate) struct Written {
    /// What counts or waits for somebody, the latest first.
    pub now: Vec<Told>,
    /// What no longer counts, the latest first.
    pub before: Vec<Told>,
    /// The form by which staff write down another; none for players of the match, without the permission, and before the start.
    pub draft: Option<Draft>,
}

/// One result.
pub(crate) struct Told {
    pub number: i32,
    pub status: ResultStatus,
    pub lines: Vec<Line>,
    pub by: String,
    pub by_id: PlayerId,
    pub by_staff: bool,
    pub reason: Option<String>,
    pub at: Timestamp,
    pub confirmed: Option<(String, Timestamp)>,
}

/// What it says of one seat.
pub(crate) struct Line {
    pub name: String,
    pub place: String,
    pub points: String,
    /// The how manyeth to be out.
    pub out: String,
}

/// A result before it is written down.
pub(crate) struct Draft {
    pub lines: Vec<Line>,
    pub reason: String,
    /// Whether another one counts already.
    pub is_correction: bool,
    /// Why it was not taken.
    pub wrong: Option<String>,
}

#[post("/admin/matches/{id}/result")]
pub async fn settle_result(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::SettleResults>,
    Path(id): Path<MatchId>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let settled = match read(&sent) {
        Ok((reported, reason)) => {
            let report = Report { result: &reported, reason: reason.as_deref() };
            play::matches::results::report(conn, world, live, staff, id, &report).await.map_err(ApiError::from)
        }
        Err(err) => Err(err),
    };
    if let Err(err) = &settled
        && err.code() == "invalid_fields"
    {
        return again(conn, &page, staff, id, &sent, err).await;
    }
    let flash = Flash::after(settled, |()| Flash::good("result-settled", ""))?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), flash))
}

#[post("/admin/matches/{id}/results/{number}/confirm")]
pub async fn settle_by_confirming(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::SettleResults>,
    Path((id, number)): Path<(MatchId, i32)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let (conn, Actor { world, live, staff }) = cx.parts().await?;
    let confirmed = play::matches::results::confirm(conn, world, live, staff, id, number, None).await;
    let flash = Flash::after(confirmed, |()| Flash::good("result-settled", ""))?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), flash))
}

/// The page again, with what was sent and what is wrong with it.
async fn again(
    conn: &mut AsyncPgConnection,
    page: &Page,
    staff: &Identity,
    id: MatchId,
    sent: &Sent,
    err: &ApiError,
) -> ApiResult<HttpResponse> {
    let mut view = MatchView::read(conn, page, staff, id, &ShowSearch::default()).await?;
    if let Some(draft) = view.draft() {
        draft.fill(sent);
        draft.wrong = Some(err.problem(page.lang).sentence());
    }
    show_as(StatusCode::UNPROCESSABLE_ENTITY, page, &view)
}

impl Results {
    pub(crate) async fn read(conn: &mut AsyncPgConnection, id: MatchId) -> ApiResult<Self> {
        let rows = store::list(conn, id).await?;
        Ok(Self { people: store::list_people(conn, &rows).await?, rows })
    }
}

impl Written {
    pub(crate) fn of(page: &Page, row: &MatchRow, names: &[String], results: &Results, may_write: bool) -> Self {
        let name = |id: PlayerId| {
            results.people.get(&id).map(|it| page.name_of(&it.display_name, it.deleted, None)).unwrap_or_default()
        };
        let told = |result: &ResultRow| Told {
            number: result.number,
            status: result.status,
            lines: lines(names, Some(&result.outcome)),
            by: name(result.reported_by),
            by_id: result.reported_by,
            by_staff: result.by_staff,
            reason: result.reason.clone(),
            at: result.created_at,
            confirmed: result.confirmed_by.map(name).zip(result.confirmed_at),
        };
        let (before, now) = results.rows.iter().rev().map(told).partition(|it| it.status == ResultStatus::Replaced);
        let takes_results = matches!(row.status, Status::Running | Status::Finished);
        let draft = (takes_results && may_write).then(|| Draft {
            lines: lines(names, row.outcome.as_ref()),
            reason: String::new(),
            is_correction: row.status == Status::Finished,
            wrong: None,
        });
        Self { now, before, draft }
    }
}

impl Told {
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.status, ResultStatus::Reported | ResultStatus::Disputed)
    }

    /// Whether it says who was out when.
    pub(crate) fn tells_out(&self) -> bool {
        self.lines.iter().any(|line| !line.out.is_empty())
    }

    pub(crate) fn tells_points(&self) -> bool {
        self.lines.iter().any(|line| !line.points.is_empty())
    }
}

impl Draft {
    /// With what was sent.
    pub(crate) fn fill(&mut self, sent: &Sent) {
        let field = |name: String| sent.get(&name).cloned().unwrap_or_default();
        for (seat, line) in self.lines.iter_mut().enumerate() {
            line.place = field(format!("place-{seat}"));
            line.points = field(format!("points-{seat}"));
            line.out = field(format!("out-{seat}"));
        }
        self.reason = field("reason".to_owned());
    }
}

/// What an outcome says of each seat; blank where there is none.
fn lines(names: &[String], outcome: Option<&Value>) -> Vec<Line> {
    let of = |field: &str, seat: usize| {
        let value = outcome?.get(field)?.get(seat).filter(|it| !it.is_null())?;
        Some(value.to_string())
    };
    let out = |seat: usize| {
        let gone = outcome?.get("out")?.as_array()?;
        let at = gone.iter().position(|it| it.as_u64() == u64::try_from(seat).ok())?;
        Some((at + 1).to_string())
    };
    let line = |(seat, name): (usize, &String)| Line {
        name: name.clone(),
        place: of("ranks", seat).unwrap_or_default(),
        points: of("scores", seat).unwrap_or_default(),
        out: out(seat).unwrap_or_default(),
    };
    names.iter().enumerate().map(line).collect()
}

/// The result that a form says, and why.
pub(crate) fn read(sent: &Sent) -> ApiResult<(Reported, Option<String>)> {
    let reason = sent.get("reason").map(|it| it.trim()).filter(|it| !it.is_empty());
    let places = column(sent, "place");
    let ranks = complete(&places, "/ranks", |text| text.parse().ok())?;
    let points = column(sent, "points");
    let scores = complete(&points, "/scores", |text| text.replace(',', ".").parse().ok())?;
    let gone = column(sent, "out").into_iter().enumerate().filter(|(_, text)| !text.is_empty());
    let gone = gone.map(|(seat, text)| Some((text.parse::<u8>().ok()?, u8::try_from(seat).ok()?)));
    let mut gone = gone.collect::<Option<Vec<(u8, u8)>>>().ok_or_else(|| invalid_field("/out", "invalid"))?;
    gone.sort_unstable();
    if gone.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        return Err(invalid_field("/out", "out_at_once").into());
    }
    let out = (!gone.is_empty()).then(|| gone.into_iter().map(|(_, seat)| i64::from(seat)).collect());
    Ok((Reported { ranks, scores, out }, tidy_reason(reason)?))
}

/// What was sent for each seat under this name.
fn column<'a>(sent: &'a Sent, name: &str) -> Vec<&'a str> {
    (0..).map_while(|seat| sent.get(&format!("{name}-{seat}"))).map(|text| text.trim()).collect()
}

/// Either nothing at all, or something for each seat.
fn complete<T>(texts: &[&str], field: &str, parse: impl Fn(&str) -> Option<T>) -> ApiResult<Option<Vec<T>>> {
    if texts.iter().all(|text| text.is_empty()) {
        return Ok(None);
    }
    if texts.iter().any(|text| text.is_empty()) {
        return Err(invalid_field(field, "one_each").into());
    }
    let parsed = texts.iter().map(|text| parse(text).ok_or_else(|| invalid_field(field, "invalid").into()));
    parsed.collect::<ApiResult<Vec<T>>>().map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(fields: &[(&str, &str)]) -> Sent {
        fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn a_form_says_places_points_and_who_was_out_when() {
        let form = sent(&[
            ("place-0", "2"),
            ("place-1", " 1 "),
            ("points-0", "7,5"),
            ("points-1", "10"),
            ("out-0", "3"),
            ("out-1", "1"),
            ("reason", " "),
        ]);
        let (reported, reason) = read(&form).unwrap();
        assert_eq!((reported.ranks, reported.out, reason), (Some(vec![2, 1]), Some(vec![1, 0]), None));
        assert_eq!(serde_json::to_value(reported.scores).unwrap(), serde_json::json!([7.5, 10.0]));
        let (reported, _) = read(&sent(&[("place-0", ""), ("points-0", ""), ("out-0", "")])).unwrap();
        assert!(reported.ranks.is_none() && reported.scores.is_none() && reported.out.is_none());
    }

    #[test]
    fn a_form_with_holes_is_refused() {
        for wrong in [
            sent(&[("place-0", "1"), ("place-1", "")]),
            sent(&[("points-0", "many")]),
            sent(&[("out-0", "1"), ("out-1", "1")]),
            sent(&[("out-0", "-1")]),
        ] {
            assert_eq!(
                read(&wrong).err().map(|err| err.code().to_owned()).as_deref(),
                Some("invalid_fields"),
                "{wrong:?}"
            );
        }
    }
}
