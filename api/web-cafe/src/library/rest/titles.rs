//! The titles of the library.

use actix_web::HttpRequest;
use actix_web::web::{Data, Json};
use actix_web::{HttpResponse, delete, get, post, put};
use diesel_async::AsyncPgConnection;
use serde::Serialize;
use utoipa::ToSchema;

use base::auth::can;
use base::db::Db;
use base::error::not_found;
use base::list::{List, page_size};
use play::library::store;
use play::library::titles::Reach;
use play::library::{self, CopyRow, CopyState, Difficulty, TitleId, TitleRequest, TitleRow, TitleSearch};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, Path, Search};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Writes};

/// A box game that the café has.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Title {
    id: TitleId,
    name: TitleNames,
    players: Reach,
    minutes: Reach,
    difficulty: Difficulty,
    /// How long it takes to teach.
    teach_minutes: Option<i16>,
    /// The game of the catalogue that it is.
    #[schema(example = "perudo")]
    game: Option<String>,
    /// A page with its rules, here or elsewhere.
    #[schema(example = "/rules/perudo")]
    rules: Option<String>,
    /// How many copies the café has, and how many of them stand on their shelf now.
    copies: usize,
    on_shelf: usize,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TitleNames {
    ko: String,
    en: String,
    es: String,
}

impl Title {
    fn of(row: TitleRow, copies: &[CopyRow]) -> Self {
        let mine = || copies.iter().filter(|copy| copy.title_id == row.id);
        Self {
            copies: mine().count(),
            on_shelf: mine().filter(|copy| copy.state == CopyState::Shelf).count(),
            rules: row.rules_page(),
            id: row.id,
            name: TitleNames { ko: row.name_ko, en: row.name_en, es: row.name_es },
            players: Reach { from: row.players_from.into(), to: row.players_to.into() },
            minutes: Reach { from: row.minutes_from.into(), to: row.minutes_to.into() },
            difficulty: row.difficulty,
            teach_minutes: row.teach_minutes,
            game: row.game,
        }
    }
}

/// The titles of the library in the order of their names; anybody may look.
#[utoipa::path(tag = "library", params(TitleSearch), responses((status = 200, body = List<Title>)), security(()))]
#[get("/library/titles")]
pub async fn list_titles(
    db: Data<Db>,
    request: HttpRequest,
    Search(search): Search<TitleSearch>,
) -> ApiResult<Json<List<Title>>> {
    let limit = page_size(search.limit)?;
    let filter = search.filter()?;
    let mut conn = db.conn().await?;
    let rows = store::list(&mut conn, lang_of(&request), &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    let ids: Vec<TitleId> = items.iter().map(|row| row.id).collect();
    let copies = store::list_copies(&mut conn, &ids, false).await?;
    Ok(Json(List { items: items.into_iter().map(|row| Title::of(row, &copies)).collect(), next }))
}

/// Enters a title; its copies are added one by one.
#[utoipa::path(tag = "library", request_body = TitleRequest, responses((status = 201, body = Title)))]
#[post("/library/titles")]
pub async fn create_title(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Body(request): Body<TitleRequest>,
) -> ApiResult<HttpResponse> {
    let made = library::create(&mut cx, &request, &[]).await?;
    Ok(created(format_args!("/library/titles/{}", made.id)).json(Title::of(made, &[])))
}

/// One title.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 200, body = Title)), security(()))]
#[get("/library/titles/{id}")]
pub async fn find_title(db: Data<Db>, Path(id): Path<TitleId>) -> ApiResult<Json<Title>> {
    let mut conn = db.conn().await?;
    let row = store::find(&mut conn, id).await?.filter(|row| row.archived_at.is_none());
    let row = row.ok_or_else(|| not_found("title_not_found"))?;
    Ok(Json(show(&mut conn, row).await?))
}

/// Replaces all fields of a title.
#[utoipa::path(
    tag = "library",
    params(("id" = TitleId, Path)),
    request_body = TitleRequest,
    responses((status = 200, body = Title))
)]
#[put("/library/titles/{id}")]
pub async fn change_title(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<TitleId>,
    Body(request): Body<TitleRequest>,
) -> ApiResult<Json<Title>> {
    let row = library::change(&mut cx, id, &request).await?;
    Ok(Json(show(cx.conn().await?, row).await?))
}

/// Archives a title: no list shows it. Asking again changes nothing.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 204)))]
#[delete("/library/titles/{id}")]
pub async fn archive_title(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<TitleId>,
) -> ApiResult<HttpResponse> {
    library::set_archived(&mut cx, id, true).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Takes a title out of the archive. Asking again changes nothing.
#[utoipa::path(tag = "library", params(("id" = TitleId, Path)), responses((status = 200, body = Title)))]
#[post("/library/titles/{id}/restore")]
pub async fn restore_title(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageLibrary>,
    Path(id): Path<TitleId>,
) -> ApiResult<Json<Title>> {
    let row = library::set_archived(&mut cx, id, false).await?;
    Ok(Json(show(cx.conn().await?, row).await?))
}

async fn show(conn: &mut AsyncPgConnection, row: TitleRow) -> ApiResult<Title> {
    let copies = store::list_copies(conn, &[row.id], false).await?;
    Ok(Title::of(row, &copies))
}
