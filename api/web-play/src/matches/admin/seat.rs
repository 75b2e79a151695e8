//! `/admin/matches/{id}/seats/{seat}`: taking a player off a seat of a running match, and offering the seat of a
//! player who left to a stand-in.

use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::forms::{REASON_MAX, ReasonForm};
use base::auth::{Permission, can};
use base::error::{invalid_fields, not_found, unprocessable};
use base::ids::PlayerId;
use base::inputs::tidy_text;
use play::matches::{self, Autopilot, BotLevel, Leaving, MatchId, MatchRow, SeatRow, Status, store};
use play::players::{self, Sought};
use play::sittings;
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

const FOUND: i64 = 10;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatSearch {
    /// Who might play on.
    q: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfferForm {
    player: PlayerId,
    reason: String,
}

/// Somebody to whom the seat may be offered.
struct Candidate {
    id: PlayerId,
    name: String,
}

#[derive(Template)]
#[template(path = "admin/matches/seat.html")]
struct SeatPage {
    page: Page,
    row: MatchRow,
    seat: SeatRow,
    /// To whom the seat is offered at this moment.
    offered: Option<String>,
    q: String,
    candidates: Vec<Candidate>,
}

#[get("/admin/matches/{id}/seats/{seat}")]
pub async fn show_seat(
    StaffPage { page, mut cx }: StaffPage<can::ReplacePlayers>,
    Path((id, seat)): Path<(MatchId, u8)>,
    Search(search): Search<SeatSearch>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("match_not_found"))?;
    let seats = store::list_seats(conn, &[id]).await?;
    let q = search.q.unwrap_or_default();
    let candidates = candidates(conn, &page, id, seat.into(), &seats, &q).await?;
    let offered = store::find_offered(conn, id, seat.into()).await?;
    let seat = seats.into_iter().find(|it| it.seat == i16::from(seat)).ok_or_else(|| unprocessable("invalid_seat"))?;
    let template = SeatPage { page, row, seat, offered, q, candidates };
    template.page.html(&template)
}

#[post("/admin/matches/{id}/seats/{seat}/remove")]
pub async fn remove_from_seat(
    _: Budget<Writes>,
    autopilot: Data<Autopilot>,
    StaffPage { page, mut cx }: StaffPage<can::ReplacePlayers>,
    Path((id, seat)): Path<(MatchId, u8)>,
    Form(form): Form<ReasonForm>,
) -> ApiResult<HttpResponse> {
    let removed = match tidy_text(&form.reason, REASON_MAX) {
        Ok(reason) => matches::remove(&mut cx, &autopilot, id, seat.into(), &reason).await,
        Err(err) => Err(invalid_fields(vec![err])),
    };
    let flash = Flash::after(removed, |()| Flash::good("player-removed", ""))?;
    Ok(page.go_with(&address(id, seat.into()), flash))
}

#[post("/admin/matches/{id}/seats/{seat}/offer")]
pub async fn offer_seat(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ReplacePlayers>,
    Path((id, seat)): Path<(MatchId, u8)>,
    Form(form): Form<OfferForm>,
) -> ApiResult<HttpResponse> {
    let offered = match tidy_text(&form.reason, REASON_MAX) {
        Ok(reason) => matches::offer(&mut cx, id, seat.into(), form.player, Some(&reason)).await,
        Err(err) => Err(invalid_fields(vec![err])),
    };
    let back = if offered.is_ok() { format!("/admin/matches/{id}") } else { address(id, seat.into()) };
    Ok(page.go_with(&back, Flash::after(offered, |()| Flash::good("seat-offered", ""))?))
}

/// Who is found, or else the party at the match's table and those who left: without those who have held another seat.
async fn candidates(
    conn: &mut AsyncPgConnection,
    page: &Page,
    id: MatchId,
    seat: i16,
    seats: &[SeatRow],
    q: &str,
) -> ApiResult<Vec<Candidate>> {
    let mut found = Vec::new();
    if !q.trim().is_empty() {
        let sought = Sought { text: Some(q), ..Sought::default() };
        let players = players::search(conn, &sought, FOUND).await?;
        found.extend(players.iter().map(|it| (it.id, format!("{} #{}", page.player_name(it), it.tag()))));
    } else {
        let left = seats.iter().find(|it| it.seat == seat).filter(|it| !it.deleted);
        found.extend(left.map(|it| (it.player_id, page.name(it))));
        if let Some(sitting) = sittings::store::find_of_match(conn, id).await? {
            let members = sittings::store::list_members(conn, &[sitting.id]).await?;
            found.extend(members.into_iter().filter(|it| !it.deleted).map(|it| (it.player_id, it.display_name)));
        }
        found.dedup_by_key(|(id, _)| *id);
    }
    let elsewhere = |id: PlayerId| seats.iter().any(|it| it.seat != seat && it.knows(id));
    let free = found.into_iter().filter(|(id, _)| !elsewhere(*id));
    Ok(free.map(|(id, name)| Candidate { id, name }).collect())
}

fn address(id: MatchId, seat: i16) -> String {
    format!("/admin/matches/{id}/seats/{seat}")
}

impl SeatPage {
    fn is_running(&self) -> bool {
        self.row.status == Status::Running
    }

    fn has_left(&self) -> bool {
        self.row.has_resigned(self.seat.seat)
    }

    /// Who plays for the seat, or did last.
    fn holder(&self) -> String {
        self.seat.stand_in_name.clone().unwrap_or_else(|| self.page.name(&self.seat))
    }

    fn why(&self) -> Option<&'static str> {
        self.seat.left_why.map(|why| match why {
            Leaving::Resigned => "left-resigned",
            Leaving::TimedOut => "left-timed-out",
            Leaving::Removed => "left-removed",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples::{self, SampleMatch};

    #[test]
    fn a_page_is_complete_before_and_after_a_player_leaves() {
        let SampleMatch { row: running, .. } = SampleMatch::after("perudo", 3);
        let left = MatchRow { resigned: 1, ..running.clone() };
        let over = MatchRow { status: Status::Aborted, ..running.clone() };
        let whys = [Leaving::Resigned, Leaving::TimedOut, Leaving::Removed].map(|why| (left.clone(), Some(why)));
        for (row, left_why) in whys.into_iter().chain([(running, None), (over, None)]) {
            for candidates in [vec![], vec![Candidate { id: samples::player_id(1), name: "준".to_owned() }]] {
                let candidates =
                    || candidates.iter().map(|it| Candidate { id: it.id, name: it.name.clone() }).collect();
                samples::check(samples::STAFF, |page| {
                    let seat = SeatRow { left_why, ..samples::seat(0) };
                    let (row, offered, candidates) = (row.clone(), Some("준".to_owned()), candidates());
                    SeatPage { page, row, seat, offered, q: "준".to_owned(), candidates }.render()
                });
            }
        }
    }
}
