//! `/admin/trials`: the board with what every seat has in front of it, and the moves of those who may move.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::{Seat, Turn, Viewer};
use serde::Deserialize;
use serde_json::Value;

use crate::boards::presenter::Presenter;
use crate::boards::trays::{MoveForm, read_move};
use base::auth::{StaffContext, can};
use base::error::{Error, Kind, bad_request, internal};
use base::games::guarded;
use base::games::kind;
use base::ids::VariantId;
use cafe::trials::{Choice, Trial, TrialId, on_turn};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Moves, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/trials/show.html")]
struct TrialPage {
    page: Page,
    trial: Trial,
    board: String,
    log: Vec<String>,
    seats: Vec<Mover>,
    /// How many may play it.
    counts: Vec<u8>,
    is_over: bool,
    /// Why the move that was tried is none.
    refused: Option<String>,
}

/// A seat that may move.
struct Mover {
    seat: u8,
    name: String,
    tray: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartForm {
    seats: Option<u8>,
}

/// The fields of a tray's form, with those that every choice takes along.
struct Posted {
    version: i32,
    seat: Seat,
    choice: Vec<(String, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AutopilotForm {
    version: i32,
    count: usize,
}

#[post("/admin/variants/{id}/try")]
pub async fn start_trial(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
    Form(form): Form<StartForm>,
) -> ApiResult<HttpResponse> {
    let id = cafe::trials::start(&mut cx, id, form.seats).await?;
    Ok(page.go_to(&address(id)))
}

#[get("/admin/trials/{id}")]
pub async fn show_trial(
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<TrialId>,
) -> ApiResult<HttpResponse> {
    show(page, &mut cx, id, None).await
}

/// The trial as it is now, and perhaps why a move was refused.
async fn show(
    page: Page,
    cx: &mut StaffContext<'_, can::ManageVariants>,
    id: TrialId,
    refused: Option<String>,
) -> ApiResult<HttpResponse> {
    let trial = Trial::find(cx.conn().await?, id, page.now).await?;
    let status = if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let template = TrialPage::of(page, trial, refused)?;
    template.page.html_as(status, &template)
}

#[post("/admin/trials/{id}/moves")]
pub async fn move_in_trial(
    _: Budget<Moves>,
    it: StaffPage<can::ManageVariants>,
    id: Path<TrialId>,
    Form(fields): Form<Vec<(String, String)>>,
) -> ApiResult<HttpResponse> {
    let Posted { version, seat, choice } = Posted::of(fields).ok_or_else(|| bad_request("invalid_body"))?;
    play(it, id, version, |game| Ok(Choice::Move { seat, chosen: read_move(game, &choice)? })).await
}

#[post("/admin/trials/{id}/house")]
pub async fn let_autopilot_move(
    _: Budget<Writes>,
    it: StaffPage<can::ManageVariants>,
    id: Path<TrialId>,
    Form(form): Form<AutopilotForm>,
) -> ApiResult<HttpResponse> {
    play(it, id, form.version, |_| Ok(Choice::Autopilot(form.count))).await
}

async fn play(
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<TrialId>,
    version: i32,
    choice: impl FnOnce(&str) -> base::error::Result<Choice>,
) -> ApiResult<HttpResponse> {
    let game = Trial::find(cx.conn().await?, id, page.now).await?.game;
    let done = match choice(&game) {
        Ok(choice) => cafe::trials::play(&mut cx, id, version, choice).await,
        Err(err) => Err(err),
    };
    match done {
        Ok(()) => Ok(page.go_to(&address(id))),
        Err(Error::Refused(refusal)) if refusal.kind == Kind::Conflict => {
            Ok(page.go_with(&address(id), Flash::bad("trial-moved", "")))
        }
        Err(err @ Error::Refused(_)) => {
            let why = ApiError::from(err).problem(page.lang).detail;
            show(page, &mut cx, id, Some(why)).await
        }
        Err(err) => Err(err.into()),
    }
}

fn address(id: TrialId) -> String {
    format!("/admin/trials/{id}")
}

impl Posted {
    fn of(fields: Vec<(String, String)>) -> Option<Self> {
        let (own, choice): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(name, _)| name == "version" || name == "mover");
        let find = |wanted: &str| own.iter().find(|(name, _)| name == wanted).map(|(_, text)| text);
        let (version, seat) = (find("version")?.parse().ok()?, find("mover")?.parse().ok()?);
        Some(Self { version, seat: Seat(seat), choice })
    }
}

impl TrialPage {
    fn of(page: Page, trial: Trial, refused: Option<String>) -> ApiResult<Self> {
        let play = trial.resume()?;
        let numbers = 0..u8::try_from(trial.row.seat_count).map_err(internal)?;
        let names: Vec<String> =
            numbers.clone().map(|seat| page.say("seat-number").with("number", seat + 1).to_string()).collect();
        let presenter = Presenter::new(&page, &trial.game, &names);
        let see = |viewer| -> ApiResult<Value> {
            Ok(serde_json::from_str(guarded(|| play.view(viewer))?.get()).map_err(internal)?)
        };
        let own: Vec<(usize, Value)> =
            numbers.map(|seat| Ok((usize::from(seat), see(Viewer::Seat(Seat(seat)))?))).collect::<ApiResult<_>>()?;
        let board = presenter.draw(&see(Viewer::Public)?, &own)?;
        let mut log = presenter.tell(&trial.events()?);
        log.reverse();
        let (to_move, interrupt) = on_turn(&*play)?;
        let action = format!("{}/moves", address(trial.row.id));
        let mut seats = Vec::new();
        for seat in to_move.iter().chain(interrupt.iter()) {
            let hidden = vec![("version", trial.row.version.to_string()), ("mover", seat.0.to_string())];
            let moves = guarded(|| play.legal_moves(seat))?;
            let tray = presenter.tray(seat, &see(Viewer::Seat(seat))?, &moves, MoveForm { action: &action, hidden })?;
            let name = names.get(usize::from(seat.0)).cloned().unwrap_or_default();
            seats.push(Mover { seat: seat.0, name, tray });
        }
        let is_over = matches!(guarded(|| play.turn())?, Turn::Over(_));
        let counts = kind(&trial.game)?.info().seats.collect();
        Ok(Self { board, log, seats, counts, is_over, refused, trial, page })
    }

    fn is_count(&self, count: &u8) -> bool {
        i16::from(*count) == self.trial.row.seat_count
    }
}

#[cfg(test)]
mod tests {
    use cafe::trials::store::TrialRow;
    use engine::catalogue;
    use play::matches::store::JsonText;
    use serde_json::value::to_raw_value;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples::{self, SampleMatch};

    fn trial(game: &str, moves: i32) -> Trial {
        let SampleMatch { row, state, log, .. } = SampleMatch::after(game, moves);
        let events: Vec<Value> = log.iter().flat_map(frames).collect();
        let row = TrialRow {
            id: TrialId(Uuid::nil()),
            variant_id: VariantId(Uuid::nil()),
            variant_version: 1,
            revision: row.revision,
            seat_count: row.seat_count,
            version: row.version,
            seed: vec![0; 32],
            chance_count: 0,
            state,
            events: JsonText(to_raw_value(&events).unwrap()),
        };
        Trial { row, game: game.to_owned(), name: "민아식".to_owned() }
    }

    /// What everybody was told in this version.
    fn frames(row: &play::matches::LogRow) -> Vec<Value> {
        let frame = play::matches::Frame::of(row).unwrap();
        let public = frame.events.into_iter().filter(|it| it.to.includes(Viewer::Public));
        public.map(|it| serde_json::from_str(it.event.get()).unwrap()).collect()
    }

    #[test]
    fn a_page_is_complete_in_every_game_from_start_to_end() {
        for (kind, moves) in catalogue::GAMES.iter().flat_map(|kind| [0, 6, 10_000].map(|moves| (kind, moves))) {
            samples::check(&samples::STAFF[..1], |page| {
                let refused = Some(page.t("error-not_found"));
                TrialPage::of(page, trial(kind.info().id, moves), refused).unwrap().render()
            });
        }
    }
}
