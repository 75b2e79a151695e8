//! `/admin/closing`: what is still open at the end of the day, with what closing does about each.

use std::collections::HashMap;

use actix_web::{HttpResponse, get, post};
use askama::Template;

use crate::floor::words::FloorWords;
use base::auth::can;
use base::error::FieldError;
use base::ids::{MatchId, SittingId};
use base::inputs::tidy_text;
use base::settings::tariff::CafeDays;
use base::undo::UndoId;
use cafe::floor::closing::{BoxEnd, BoxToSettle, Closing, Day, DaySum, Settled, close_day};
use cafe::floor::{AttentionItem, Boxed, Play, Spot};
use play::matches::Status;
use play::shift_notes::{self, ShiftText};
use play::sittings::SittingRow;
use web_base::error::ApiResult;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/closing";

/// The fields as they were sent: `sitting-<id>`, `match-<id>`, `box-<id>` with where it goes, and `text` for the next shift.
type ClosingForm = HashMap<String, String>;

#[derive(Template)]
#[template(path = "admin/closing/show.html")]
struct ClosingPage<'a> {
    page: &'a Page,
    day: &'a Day,
}

#[get("/admin/closing")]
pub async fn show_closing(StaffPage { page, mut cx }: StaffPage<can::ViewFloor>) -> ApiResult<HttpResponse> {
    let days = CafeDays { hours: page.hours(), zone: page.time_zone() };
    let day = Day::read(&mut cx, days, page.now).await?;
    page.html(&ClosingPage { page: &page, day: &day })
}

#[post("/admin/closing")]
pub async fn close(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunFloor>,
    Form(form): Form<ClosingForm>,
) -> ApiResult<HttpResponse> {
    let Ok(note) = read_note(&form) else { return Ok(page.go_with(PAGE, Flash::bad("shift-note-wrong", ""))) };
    // On its own and first: whatever becomes of the closing, it is not typed again.
    if let Some(note) = note {
        shift_notes::write(&mut cx, &note).await?;
    }
    let closed = close_day(&mut cx, read(&form), page.prices().as_ref()).await;
    let told = |(settled, undo): (Settled, Option<UndoId>)| match undo {
        Some(undo) => Flash::good("day-closed", &page.settled(settled)).undoable(undo),
        None => Flash::good("day-closed-nothing", ""),
    };
    Ok(page.go_with(PAGE, Flash::after(closed, told)?))
}

fn read(form: &ClosingForm) -> Closing {
    let mut closing = Closing::default();
    for (name, value) in form {
        match name.split_once('-') {
            Some(("sitting", id)) => closing.sittings.extend(id.parse::<SittingId>().ok()),
            Some(("match", id)) => closing.matches.extend(id.parse::<MatchId>().ok()),
            Some(("box", id)) => {
                let since = form.get(&format!("since-{id}")).and_then(|since| since.parse().ok());
                let settled = |to: BoxEnd| Some(BoxToSettle { copy_id: id.parse().ok()?, to, since });
                closing.copies.extend(value.parse().ok().and_then(settled));
            }
            _ => {}
        }
    }
    closing
}

fn read_note(form: &ClosingForm) -> Result<Option<ShiftText>, FieldError> {
    let typed = form.get("text").filter(|text| !text.trim().is_empty());
    typed.map(|text| tidy_text(text, ShiftText::MAX).map(ShiftText)).transpose()
}

/// What was settled, in words.
trait ClosingWords: AsRef<Page> {
    /// How much was settled, in a few words.
    fn settled(&self, Settled { sittings, matches, copies }: Settled) -> String {
        let counts = [("settled-sittings", sittings), ("settled-copies", copies), ("settled-matches", matches)];
        let said = counts.into_iter().filter(|(_, count)| *count > 0);
        said.map(|(key, count)| self.as_ref().say(key).with("count", count).to_string()).collect::<Vec<_>>().join(" · ")
    }
}

impl ClosingWords for Page {}

impl ClosingPage<'_> {
    fn parties(&self) -> Vec<(&Spot, &SittingRow)> {
        self.day.parties().collect()
    }

    fn boxes(&self) -> Vec<&Boxed> {
        self.day.boxes().collect()
    }

    fn results(&self) -> Vec<&AttentionItem> {
        self.day.results().collect()
    }

    /// Matches that nobody sat down to, and those that run on without a party.
    fn adrift(&self, waiting: bool) -> Vec<&Play> {
        self.day.floor.adrift.iter().filter(|play| (play.row.status == Status::Waiting) == waiting).collect()
    }

    fn owed(&self, sum: &DaySum) -> String {
        self.page.money(&sum.total, &sum.currency)
    }

    fn is_all_settled(&self) -> bool {
        self.parties().is_empty() && self.boxes().is_empty() && self.adrift(true).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use cafe::floor::Floor;
    use cafe::floor::closing::DayFigures;
    use jiff::Timestamp;
    use play::library::CopyState;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for is_open in [false, true] {
            samples::check(samples::STAFF, |page| {
                let table = samples::table("1번");
                let play =
                    || Play { row: samples::waiting_match(), seats: samples::seats(0), title: None, attention: None };
                let spot = Spot {
                    sitting: Some(samples::sitting(table.id)),
                    place: None,
                    table,
                    play: Some(play()),
                    others: 0,
                    boxes: Vec::new(),
                    hold: None,
                    due: None,
                };
                let mut floor = Floor::default();
                if is_open {
                    floor.spots = vec![spot];
                    floor.adrift = vec![play()];
                    floor.returned = vec![(samples::copy(CopyState::Return), samples::title())];
                }
                let owed = vec![DaySum { currency: "KRW".to_owned(), total: 412_000 }];
                let figures = DayFigures { parties: 12, people: 40, matches: 9, owed };
                let (date, since) = (page.today(), Timestamp::UNIX_EPOCH);
                let day = Day { date, since, floor, tournaments: Vec::new(), figures };
                ClosingPage { page: &page, day: &day }.render()
            });
        }
    }

    #[test]
    fn only_what_is_chosen_is_settled() {
        let (one, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let form = HashMap::from([
            (format!("sitting-{one}"), "on".to_owned()),
            (format!("box-{one}"), "lost".to_owned()),
            (format!("since-{one}"), "2026-05-01T20:00:00.123456Z".to_owned()),
            (format!("box-{other}"), "keep".to_owned()),
            ("csrf".to_owned(), "x".to_owned()),
        ]);
        let closing = read(&form);
        assert_eq!((closing.sittings.len(), closing.matches.len(), closing.copies.len()), (1, 0, 1));
        assert_eq!((closing.copies[0].copy_id.0, closing.copies[0].to), (one, BoxEnd::Lost));
        assert_eq!(closing.copies[0].since.map(|it| it.to_string()).as_deref(), Some("2026-05-01T20:00:00.123456Z"));
    }
}
