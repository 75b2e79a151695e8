//! `/m/{code}`: a match by its code, from the first who sits down to the rematch.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use serde::Deserialize;

use super::view::{Look, PlayView};
use super::visit::{Act, Asked, Visit};
use crate::boards::trays;
use crate::matches::admin::bots::BotForm;
use crate::matches::results::admin::{self as results, Sent};
use base::auth::{Identity, Tokens};
use base::db::Db;
use base::error::{FieldError, not_found};
use base::live::Live;
use base::world::World;
use play::matches::results::Report;
use play::matches::{self, Autopilot, Move, Mover, Nonce, store};
use play::sessions;
use play::sittings;
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Client, Path, Search};
use web_base::idempotency;
use web_base::limits::{Budget, Creations, Guests, Moves, Writes};
use web_base::page::{Flash, Form};
use web_base::qr::{qr_picture, qr_svg};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SitForm {
    /// Of who is not signed in.
    #[serde(default)]
    display_name: String,
    /// The lowest free one if left out.
    seat: Option<i64>,
    /// What they add to the chance.
    #[serde(default)]
    nonce: String,
    /// The token by which a friend let them into the party.
    join: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OtherForm {
    /// Of who plays on this phone for the first time.
    #[serde(default)]
    display_name: String,
}

/// Which of the results that were written down, from the first on.
#[derive(Deserialize)]
pub(crate) struct ResultNumber {
    number: i32,
}

#[get("/m/{code}")]
pub async fn show_match(visit: Visit, Search(asked): Search<Asked>) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    let is_screen = asked.screen == Some(1);
    act.asked = asked;
    if !is_screen {
        return act.look().await?.answer(&act.page, StatusCode::OK);
    }
    // What everybody may see, even where somebody has signed in at the screen.
    let Act { mut conn, page, id, base_url, asked, .. } = act;
    let look = Look { page: &page, visitor: None, companion: None, id, asked: &asked };
    let view = PlayView::read(&mut conn, look).await?;
    let guest_url = format!("{base_url}{}", view.path());
    let qr = qr_svg(&guest_url)?;
    view.screen(&page, guest_url, qr)
}

/// Sits down, under a name that makes a guest's account for who has none.
#[post("/m/{code}/seats")]
pub async fn sit_down(
    _: Budget<Guests>,
    visit: Visit,
    (world, live, tokens): (Data<World>, Data<Live>, Data<Tokens>),
    Client(device): Client,
    Form(form): Form<SitForm>,
) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    act.asked.join = form.join.clone();
    let view = act.look().await?;
    // Nobody gets an account for a seat that they cannot have.
    if act.visitor.is_none() && !view.may_sit {
        return act.back(Err(view.why_not())).await;
    }
    let nonce = match form.nonce.as_str() {
        "" => None,
        nonce => match Nonce::parse(nonce) {
            Ok(nonce) => Some(nonce),
            Err(wrong) => return sit_again(&act, view, form, wrong.at("/nonce")),
        },
    };
    let known =
        sessions::known_or_guest(&mut act.conn, &world, &tokens, act.visitor, &form.display_name, &device).await?;
    let (player, token) = match known {
        Ok(known) => known,
        Err(wrong) => return sit_again(&act, view, form, wrong),
    };
    let seated = async {
        if let Some(join) = &form.join {
            sittings::join(&mut act.conn, &world, &live, player, join).await?;
        }
        matches::sit(&mut act.conn, &world, &live, player, act.id, form.seat, nonce.as_ref()).await
    };
    let seated = seated.await;
    match token {
        // Their first page as themselves.
        Some(token) => {
            let flash = Flash::after(seated, |_| Flash::good("seated", ""))?;
            act.page.go_signed_in(&view.path(), flash, Some(token))
        }
        None => act.back(seated.map(|_| ()).map_err(ApiError::from)).await,
    }
}

/// Somebody who has no phone here sits down, too: they play on the phone of a player, under a name of their own.
#[post("/m/{code}/others")]
pub async fn sit_down_too(
    _: Budget<Guests>,
    visit: Visit,
    (world, live, tokens): (Data<World>, Data<Live>, Data<Tokens>),
    Client(device): Client,
    Form(form): Form<OtherForm>,
) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    let mut view = act.look().await?;
    // Nobody gets an account for a seat that they cannot have.
    if !view.may_bring {
        return act.back(Err(view.why_not_too())).await;
    }
    let host = act.player()?;
    let name = &form.display_name;
    let known = sessions::known_or_guest(&mut act.conn, &world, &tokens, act.companion, name, &device).await?;
    let (player, token) = match known {
        Ok(known) => known,
        Err(wrong) => {
            view.tried.other_wrong = Some(wrong.detail(act.page.lang));
            view.tried.other = form.display_name;
            return view.answer(&act.page, StatusCode::UNPROCESSABLE_ENTITY);
        }
    };
    let seated = async {
        sittings::bring_along(&mut act.conn, &world, &live, (host.id, player), act.id).await?;
        matches::sit(&mut act.conn, &world, &live, player, act.id, None, None).await
    };
    let flash = Flash::after(seated.await, |_| Flash::good("seated-too", ""))?;
    act.page.go_with_other(&view.path(), flash, token)
}

/// The match as a picture of its code, to show to a friend, who may join the party with it.
#[get("/m/{code}/qr")]
pub async fn show_code(visit: Visit) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    let view = act.look().await?;
    let token = match act.visitor {
        Some(visitor) => sittings::store::find_token(&mut act.conn, act.id, visitor.id).await?,
        None => None,
    };
    let join = token.map(|token| format!("?join={token}")).unwrap_or_default();
    qr_picture(&format!("{}{}{join}", act.base_url, view.path()))
}

#[post("/m/{code}/leave")]
pub async fn get_up(_: Budget<Writes>, visit: Visit, live: Data<Live>, _: Form<()>) -> ApiResult<HttpResponse> {
    visit.by_player(async |conn, player, id| matches::leave(conn, &live, player.id, id).await).await
}

#[post("/m/{code}/start")]
pub async fn start_match(
    _: Budget<Writes>,
    visit: Visit,
    world: Data<World>,
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let start =
        async |conn: &mut _, player: &Identity, id| matches::start(conn, (&world, &live), &autopilot, player, id).await;
    visit.by_player(start).await
}

/// The one who made it seats a bot, or lets one play on for a player who left.
#[post("/m/{code}/bots")]
pub async fn seat_bot(
    _: Budget<Writes>,
    visit: Visit,
    world: Data<World>,
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    Form(BotForm { bot, seat }): Form<BotForm>,
) -> ApiResult<HttpResponse> {
    let seat_bot = async |conn: &mut _, player: &Identity, id| {
        matches::seat_bot(conn, (&world, &live), &autopilot, player, id, seat, bot).await.map(|_| ())
    };
    visit.by_player(seat_bot).await
}

#[post("/m/{code}/bots/{seat}/remove")]
pub async fn remove_bot(
    _: Budget<Writes>,
    visit: Visit,
    (world, live): (Data<World>, Data<Live>),
    Path((_, seat)): Path<(String, i64)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let remove =
        async |conn: &mut _, player: &Identity, id| matches::remove_bot(conn, &world, &live, player, id, seat).await;
    visit.by_player(remove).await
}

/// The one who made it calls it off before the start.
#[post("/m/{code}/abort")]
pub async fn abort_match(
    _: Budget<Writes>,
    visit: Visit,
    (world, live): (Data<World>, Data<Live>),
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    visit.by_player(async |conn, player, id| matches::abort(conn, &world, &live, player, id, None).await).await
}

/// Makes a move: `version` and `key` say for which decision, the other fields are the choice.
#[post("/m/{code}/moves")]
pub async fn make_move(
    _: Budget<Moves>,
    visit: Visit,
    (mover, autopilot): (Data<Mover>, Data<Autopilot>),
    Form(mut fields): Form<Vec<(String, String)>>,
) -> ApiResult<HttpResponse> {
    let version = take(&mut fields, "version").and_then(|text| text.parse().ok());
    let key = take(&mut fields, "key");
    let play = async |db: &Db, player: &Identity, id| {
        let row = store::find(&mut *db.conn().await?, id).await?.ok_or_else(|| not_found("match_not_found"))?;
        let chosen = trays::read_move(&row.game, &fields)?;
        let idempotency_key = key.as_deref().map(idempotency::check).transpose()?;
        let sent = Move { chosen: &chosen, version, idempotency_key };
        matches::play(&mover, &autopilot, db, player.id, id, sent).await?;
        Ok(())
    };
    visit.by_player_with(play).await
}

#[post("/m/{code}/resign")]
pub async fn resign(
    _: Budget<Writes>,
    visit: Visit,
    world: Data<World>,
    (live, autopilot): (Data<Live>, Data<Autopilot>),
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let resign = async |conn: &mut _, player: &Identity, id| {
        matches::resign(conn, &world, &live, &autopilot, player.id, id).await
    };
    visit.by_player(resign).await
}

/// Plays on after the time ran out too often.
#[post("/m/{code}/take-back")]
pub async fn take_back(_: Budget<Writes>, visit: Visit, live: Data<Live>, _: Form<()>) -> ApiResult<HttpResponse> {
    visit.by_player(async |conn, player, id| matches::take_back(conn, &live, player.id, id).await).await
}

/// Goes on to the match that the same players play next.
#[post("/m/{code}/rematch")]
pub async fn play_again(
    budget: Budget<Creations>,
    visit: Visit,
    (world, live): (Data<World>, Data<Live>),
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    let again = async {
        let player = act.player()?;
        let (id, _) = matches::rematch(&mut act.conn, &world, &live, &player, budget.waiting_matches(), act.id).await?;
        let row = store::find(&mut act.conn, id).await?.ok_or_else(|| not_found("match_not_found"))?;
        Ok::<_, ApiError>(row.code)
    };
    match again.await {
        Ok(code) => Ok(act.page.go_to(&format!("/m/{code}"))),
        Err(err) => act.back(Err(err)).await,
    }
}

/// A player writes down how a match with real dice and cards ended.
#[post("/m/{code}/results")]
pub async fn write_result(
    _: Budget<Writes>,
    visit: Visit,
    (world, live): (Data<World>, Data<Live>),
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let mut act = visit.open().await?;
    let done = async {
        let player = act.player()?;
        let (reported, _) = results::read(&sent)?;
        let report = Report { result: &reported, reason: None };
        matches::results::report(&mut act.conn, &world, &live, &player, act.id, &report).await?;
        Ok(())
    };
    match done.await {
        Err(err) if ApiError::code(&err) == "invalid_fields" => {
            let mut view = act.look().await?;
            let wrong = Some(err.problem(act.page.lang).sentence());
            match view.written.as_mut().and_then(|written| written.all.draft.as_mut()) {
                Some(draft) => {
                    draft.fill(&sent);
                    draft.wrong = wrong;
                }
                None => view.tried.refused = wrong,
            }
            view.answer(&act.page, StatusCode::UNPROCESSABLE_ENTITY)
        }
        done => act.back(done).await,
    }
}

/// Another player says that a result is right.
#[post("/m/{code}/results/{number}/confirm")]
pub async fn confirm_result(
    _: Budget<Writes>,
    visit: Visit,
    (world, live): (Data<World>, Data<Live>),
    Path(ResultNumber { number }): Path<ResultNumber>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let confirm = async |conn: &mut _, player: &Identity, id| {
        matches::results::confirm(conn, &world, &live, player, id, number, None).await
    };
    visit.by_player(confirm).await
}

/// The first field of this name, which is a field no more.
fn take(fields: &mut Vec<(String, String)>, name: &str) -> Option<String> {
    let at = fields.iter().position(|(it, _)| it == name)?;
    Some(fields.remove(at).1)
}

/// The page with the form by which one sits down, as it was sent.
fn sit_again(act: &Act, mut view: PlayView, form: SitForm, wrong: FieldError) -> ApiResult<HttpResponse> {
    let is_nonce = wrong.pointer == "/nonce";
    let said = Some(wrong.detail(act.page.lang));
    (view.tried.name, view.tried.nonce) = (form.display_name, form.nonce);
    *if is_nonce { &mut view.tried.nonce_wrong } else { &mut view.tried.name_wrong } = said;
    view.answer(&act.page, StatusCode::UNPROCESSABLE_ENTITY)
}
