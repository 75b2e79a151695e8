//! Who plays: entering, checking in, dropping out, and what staff do about it.

use crate::tournaments::answers::TournamentAnswers;
use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, delete, get, post, put};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use web_base::addresses::created;
use web_base::limits::{Budget, Writes};

use super::{Seen, load, sees_drafts, show};
use crate::tournaments::answers::{Entrant, WholeAnswer};
use base::auth::can;
use base::db::Db;
use base::error::invalid_field;
use base::ids::PlayerId;
use base::inputs::DisplayName;
use base::list::{List, page_size};
use base::live::Live;
use base::text::Lang;
use base::world::World;
use competitions::tournaments::{
    self, Entry, Found, Listed, NewEntrantBy, Regular, SeedOrder, TableNeedRequest, TeamName, TeamPlace, TournamentId,
};
use play::players::PlayerCard;
use web_base::error::{ApiResult, FieldProblem};
use web_base::extract::{Authorized, Body, OptionalBody, Path, Player, Search, Visitor, staff_context, staff_member};
use web_base::lang::lang_of;

/// So many characters of a list at a time.
const MOST_TEXT: usize = 100_000;

/// Everybody who is or was in the tournament, by number; they are all on one page.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    responses((status = 200, body = List<Entrant>)),
    security((), ("bearer" = []))
)]
#[get("/tournaments/{id}/entrants")]
pub async fn list_entrants(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<List<Entrant>>> {
    let items = load(&db, visitor.as_ref(), id).await?.entrant_answers();
    Ok(Json(List { items, next: None }))
}

/// Nothing: the caller enters. For staff: whom they enter.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[schema(as = EntrantRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntrantRequest {
    /// A player …
    player_id: Option<PlayerId>,
    /// … or a guest without an account, known by this name only.
    display_name: Option<DisplayName>,
    /// For which team they play, where teams play; a name that no team has yet makes one. Staff can say it later, before the start.
    team: Option<TeamName>,
    /// The tournament's entry code, where `entry` is `code` and the caller enters. Upper and lower case are the same.
    #[schema(max_length = 40)]
    code: Option<String>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Enters the tournament, or its waiting list if it is full; asking again changes nothing. Staff can enter others. After the start,
/// `late_entry` of the tournament says how they come in: all are seeded again until a round is published, then they play whom the
/// round left over, or from the next round on while late entry is allowed.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = Option<EntrantRequest>,
    responses((status = 201, body = Entrant))
)]
#[post("/tournaments/{id}/entrants")]
pub async fn enter_tournament(
    _: Budget<Writes>,
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    http: HttpRequest,
    Player(player): Player,
    Path(id): Path<TournamentId>,
    OptionalBody(request): OptionalBody<EntrantRequest>,
) -> ApiResult<HttpResponse> {
    let other = match (request.player_id, request.display_name.as_ref()) {
        (None, None) => None,
        (Some(id), None) => Some(NewEntrantBy::Player(id)),
        (None, Some(name)) => Some(NewEntrantBy::Name(name)),
        (Some(_), Some(_)) => return Err(invalid_field("/display_name", "unknown_field").into()),
    };
    let (tournament, number) = match other {
        Some(other) => {
            let mut cx = staff_context::<can::RunTournaments>(&http, &staff_member(&http).await?)?;
            let number = tournaments::add(&mut cx, id, other, request.team.as_ref(), request.revision).await?;
            (tournaments::load_for_staff(&mut cx, id).await?, number)
        }
        None => {
            player.expect_person()?;
            let mut conn = db.conn().await?;
            let entry = Entry { team: request.team.as_ref(), code: request.code.as_deref() };
            let number = tournaments::enter(&mut conn, &world, &live, player.id, id, entry).await?;
            let by_staff = sees_drafts(&mut conn, Some(&player)).await?;
            (tournaments::load(&mut conn, id, by_staff).await?, number)
        }
    };
    Ok(created(format_args!("/tournaments/{id}/entrants")).json(tournament.entrant(number).map(Entrant::from)))
}

/// Many entrants as text.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = EntrantListRequest)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListRequest {
    /// A name per line, rows of a sheet, or FIDE's tournament report file (TRF), of which names, ratings and teams are read.
    #[schema(max_length = 100_000)]
    text: String,
    /// `true` to be told only what would become of each line.
    dry_run: Option<bool>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// What became of each line, or would.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntrantListAnswer)]
pub(crate) struct ListAnswer {
    lines: Vec<ListedLine>,
    /// The numbers of those who entered, in the order of their lines.
    entered: Vec<i32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntrantListLine)]
pub(crate) struct ListedLine {
    /// Which line of the text, from 1.
    line: usize,
    /// As it was read.
    name: String,
    team: Option<String>,
    rating: Option<i32>,
    outcome: LineOutcome,
    /// What is wrong with it; the `pointer` names the line and what of it, as in `/lines/3/rating`.
    problem: Option<FieldProblem>,
}

base::text_enum! {
    /// What becomes of a line.
    pub enum LineOutcome {
        /// Enters as a guest of this name.
        Enters = "enters",
        /// Somebody of that name has entered: left out.
        EnteredBefore = "entered_before",
        /// An earlier line says the same name: left out.
        Twice = "twice",
        /// Left out.
        Invalid = "invalid",
    }
}

/// Enters everybody on a list, as guests; lines that are wrong and names that have entered are left out. Asking again changes nothing.
/// Ratings are written down before the start, if the caller may rate entrants.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = ListRequest,
    responses((status = 200, body = ListAnswer))
)]
#[post("/tournaments/{id}/entrants/list")]
pub async fn enter_list(
    _: Budget<Writes>,
    http: HttpRequest,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    Body(request): Body<ListRequest>,
) -> ApiResult<Json<ListAnswer>> {
    if request.text.chars().count() > MOST_TEXT {
        return Err(invalid_field("/text", "out_of_range").into());
    }
    let lang = lang_of(&http);
    let listed = tournaments::preview(&tournaments::load_for_staff(&mut cx, id).await?, &request.text)?;
    let entered = match request.dry_run {
        Some(true) => Vec::new(),
        _ => tournaments::add_listed(&mut cx, id, &request.text, request.revision).await?,
    };
    let lines = listed.into_iter().map(|it| ListedLine::of(it, lang)).collect();
    Ok(Json(ListAnswer { lines, entered }))
}

impl ListedLine {
    fn of(Listed { line, typed: name, found }: Listed, lang: Lang) -> Self {
        let nothing = Self { line, name, team: None, rating: None, outcome: LineOutcome::Invalid, problem: None };
        match found {
            Found::New { team, rating, .. } => {
                Self { team: team.map(|it| it.0), rating, outcome: LineOutcome::Enters, ..nothing }
            }
            Found::Entered => Self { outcome: LineOutcome::EnteredBefore, ..nothing },
            Found::Twice => Self { outcome: LineOutcome::Twice, ..nothing },
            Found::Invalid(wrong) => Self { problem: Some(FieldProblem::of(&wrong, lang)), ..nothing },
        }
    }
}

/// Says that one is there.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[post("/tournaments/{id}/entrants/me/check-in")]
pub async fn check_in_myself(
    _: Budget<Writes>,
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Player(player): Player,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    tournaments::check_in_oneself(&mut conn, &world, &live, player.id, id).await?;
    Ok(Json(tournaments::load(&mut conn, id, false).await?.whole_answer(None)?))
}

/// Drops out: the caller is not paired again.
#[utoipa::path(tag = "tournaments", params(("id" = TournamentId, Path)), responses((status = 200, body = WholeAnswer)))]
#[delete("/tournaments/{id}/entrants/me")]
pub async fn drop_out_myself(
    _: Budget<Writes>,
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Player(player): Player,
    Path(id): Path<TournamentId>,
) -> ApiResult<Json<WholeAnswer>> {
    let mut conn = db.conn().await?;
    tournaments::drop_out_oneself(&mut conn, &world, &live, player.id, id).await?;
    Ok(Json(tournaments::load(&mut conn, id, false).await?.whole_answer(None)?))
}

/// Checks an entrant in.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/check-in")]
pub async fn check_in_entrant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::check_in(&mut cx, id, number).await?;
    show(&mut cx, id).await
}

/// Takes a check-in back, before it starts.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/entrants/{number}/check-in")]
pub async fn take_back_check_in(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::undo_check_in(&mut cx, id, number).await?;
    show(&mut cx, id).await
}

/// Marks an entrant as a no-show: they are not paired again.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/no-show")]
pub async fn mark_no_show(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::mark_no_show(&mut cx, id, number).await?;
    show(&mut cx, id).await
}

/// Drops an entrant out: they are not paired again. To end a published bout, write down its result.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    responses((status = 200, body = WholeAnswer))
)]
#[delete("/tournaments/{id}/entrants/{number}")]
pub async fn drop_entrant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::drop_out(&mut cx, id, number).await?;
    show(&mut cx, id).await
}

/// Lets an entrant play again who dropped out or had not come, as far as the format allows it.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    request_body = Option<Seen>,
    responses((status = 200, body = WholeAnswer))
)]
#[post("/tournaments/{id}/entrants/{number}/reinstate")]
pub async fn reinstate_entrant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    OptionalBody(seen): OptionalBody<Seen>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::reinstate(&mut cx, id, number, seen.revision).await?;
    show(&mut cx, id).await
}

/// Gives seeds to all who have a place, by rating, by lot or by hand; before it starts.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path)),
    request_body = SeedOrder,
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/seeds")]
pub async fn seed_tournament(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Body(order): Body<SeedOrder>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::set_seeds(&mut cx, id, &order).await?;
    show(&mut cx, id).await
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RegularQuery {
    /// A part of their names, in Korean also initial consonants.
    q: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Somebody who often comes.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RegularPlayer)]
pub(crate) struct RegularAnswer {
    player: PlayerCard,
    /// How many tournaments they entered in the last half year.
    tournaments: i64,
    /// With how many parties they sat in the last half year.
    visits: i64,
}

impl From<Regular> for RegularAnswer {
    fn from(it: Regular) -> Self {
        let player = PlayerCard { id: it.id, display_name: it.display_name, deleted: false };
        Self { player, tournaments: it.tournaments, visits: it.visits }
    }
}

/// People to enter by one tap: those who came most in the last half year and have not entered this tournament.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), RegularQuery),
    responses((status = 200, body = List<RegularAnswer>))
)]
#[get("/tournaments/{id}/regulars")]
pub async fn list_regulars(
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path(id): Path<TournamentId>,
    Search(query): Search<RegularQuery>,
) -> ApiResult<Json<List<RegularAnswer>>> {
    let limit = page_size(query.limit)?;
    let text = query.q.unwrap_or_default();
    let found = tournaments::list_regulars(&mut cx, id, &text, limit).await?;
    Ok(Json(List { items: found.into_iter().map(RegularAnswer::from).collect(), next: None }))
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RatingRequest {
    /// `null` for the house's rating of the game.
    #[schema(minimum = 0, maximum = 9999)]
    rating: Option<i32>,
    /// The `revision` that the caller has seen; refused if there is a later one.
    revision: Option<i64>,
}

/// Gives an entrant the rating by which tie-breaks and seeds go, before the start. Entrants without one have the house's rating of the
/// game as it is when they begin to play.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    request_body = RatingRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/entrants/{number}/rating")]
pub async fn rate_entrant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Body(request): Body<RatingRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::rate(&mut cx, id, number, request.rating, request.revision).await?;
    show(&mut cx, id).await
}

/// Says for which team an entrant plays, and on which board, before the start.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    request_body = TeamPlace,
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/entrants/{number}/team")]
pub async fn set_entrant_team(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Body(place): Body<TeamPlace>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::set_team(&mut cx, id, number, &place).await?;
    show(&mut cx, id).await
}

/// Says at which table an entrant has to play, or in which area: their bouts get it first. Only staff know of it.
#[utoipa::path(
    tag = "tournaments",
    params(("id" = TournamentId, Path), ("number" = i32, Path, minimum = 1)),
    request_body = TableNeedRequest,
    responses((status = 200, body = WholeAnswer))
)]
#[put("/tournaments/{id}/entrants/{number}/table")]
pub async fn set_entrant_table(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::RunTournaments>,
    Path((id, number)): Path<(TournamentId, i32)>,
    Body(need): Body<TableNeedRequest>,
) -> ApiResult<Json<WholeAnswer>> {
    tournaments::set_table_need(&mut cx, id, number, &need).await?;
    show(&mut cx, id).await
}
