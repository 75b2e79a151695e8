//! `/admin/trials`: the board with what every seat has in front of it, and the moves of those who may move.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::{Seat, Turn, Viewer};
use serde::Deserialize;
use serde_json::Value;

use super::{Choice, Trial, TrialId, on_turn};
use crate::db::Db;
use crate::error::{ApiError, ApiResult, internal};
use crate::extract::Path;
use crate::games::guarded;
use crate::ids::VariantId;
use crate::matches::admin::trial as shown;
use crate::matches::kind;
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::world::World;

/// So many moves are buttons; the rest is in a list.
const BUTTONS: usize = 24;

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
}

/// A seat that may move.
struct Mover {
    seat: u8,
    name: String,
    moves: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartForm {
    seats: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveForm {
    version: i32,
    seat: u8,
    #[serde(rename = "move")]
    number: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HouseForm {
    version: i32,
    count: usize,
}

#[post("/admin/variants/{id}/try")]
pub(crate) async fn start_trial(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
    Form(form): Form<StartForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let id = super::start(&mut *db.conn().await?, &world, &staff, id, form.seats).await?;
    Ok(page.go_to(&address(id)))
}

#[get("/admin/trials/{id}")]
pub(crate) async fn show_trial(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<TrialId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let trial = Trial::find(&mut *db.conn().await?, id, page.now).await?;
    let play = trial.resume()?;
    let numbers = 0..u8::try_from(trial.row.seat_count).map_err(internal)?;
    let names: Vec<String> =
        numbers.clone().map(|seat| page.say("seat-number").with("number", seat + 1).to_string()).collect();
    let scene = shown::Trial { page: &page, game: &trial.game, names: &names };
    let see =
        |viewer| -> ApiResult<Value> { serde_json::from_str(guarded(|| play.view(viewer))?.get()).map_err(internal) };
    let own: Vec<(usize, Value)> =
        numbers.map(|seat| Ok((usize::from(seat), see(Viewer::Seat(Seat(seat)))?))).collect::<ApiResult<_>>()?;
    let board = scene.draw(&see(Viewer::Public)?, &own)?;
    let mut log = scene.tell(&trial.told()?)?;
    log.reverse();
    let (to_move, interrupt) = on_turn(&*play)?;
    let mut seats = Vec::new();
    for seat in to_move.iter().chain(interrupt.iter()) {
        let moves = scene.name_moves(&guarded(|| play.legal_moves(seat))?)?;
        let name = names.get(usize::from(seat.0)).cloned().unwrap_or_default();
        seats.push(Mover { seat: seat.0, name, moves });
    }
    let is_over = matches!(guarded(|| play.turn())?, Turn::Over(_));
    let counts = kind(&trial.game)?.info().seats.collect();
    let template = TrialPage { board, log, seats, counts, is_over, trial, page };
    template.page.html(&template)
}

#[post("/admin/trials/{id}/moves")]
pub(crate) async fn move_in_trial(
    means: (Data<Db>, Data<World>),
    desk: Desk,
    id: Path<TrialId>,
    Form(form): Form<MoveForm>,
) -> ApiResult<HttpResponse> {
    let choice = Choice::Move { seat: Seat(form.seat), number: form.number };
    play(means, desk, id, form.version, choice).await
}

#[post("/admin/trials/{id}/house")]
pub(crate) async fn let_house_move(
    means: (Data<Db>, Data<World>),
    desk: Desk,
    id: Path<TrialId>,
    Form(form): Form<HouseForm>,
) -> ApiResult<HttpResponse> {
    play(means, desk, id, form.version, Choice::House(form.count)).await
}

async fn play(
    (db, world): (Data<Db>, Data<World>),
    Desk { page, staff }: Desk,
    Path(id): Path<TrialId>,
    version: i32,
    choice: Choice,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    match super::play(&mut *db.conn().await?, &world, id, version, choice).await {
        Ok(()) => Ok(page.go_to(&address(id))),
        Err(ApiError::Refused(refusal)) if refusal.status == StatusCode::CONFLICT => {
            Ok(page.go_with(&address(id), Flash::bad("trial-moved", "")))
        }
        Err(err) => Err(err),
    }
}

fn address(id: TrialId) -> String {
    format!("/admin/trials/{id}")
}

impl Mover {
    fn buttons(&self) -> impl Iterator<Item = (usize, &String)> {
        self.moves.iter().enumerate().take(BUTTONS)
    }

    fn others(&self) -> Vec<(usize, &String)> {
        self.moves.iter().enumerate().skip(BUTTONS).collect()
    }
}

impl TrialPage {
    fn is_count(&self, count: &u8) -> bool {
        i16::from(*count) == self.trial.row.seat_count
    }
}
