//! `/api/v1/variants/…`

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use actix_web::web::{Data, Json};
use actix_web::{HttpRequest, HttpResponse, get, patch, post};
use diesel_async::AsyncPgConnection;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use base::auth::can;
use base::db::Db;
use base::error::not_found;
use base::games::complete_options;
use base::games::shapes::GameOptions;
use base::ids::hex;
use base::list::{List, page_size, start as page_start};
use play::variants::difference::difference;
use play::variants::store::{self, Filter};
use play::variants::{
    ChangedOption, VariantChange, VariantId, VariantRequest, VariantRow, VariantStatus, VersionRequest, VersionRow,
    sees_drafts,
};
use web_base::addresses::created;
use web_base::error::ApiResult;
use web_base::extract::{Authorized, Body, PageQuery, Path, Search, Visitor};
use web_base::lang::lang_of;
use web_base::limits::{Budget, Writes};

/// A game's options under a name.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Variant {
    id: VariantId,
    #[schema(example = "perudo")]
    game: String,
    #[schema(example = "Sailors' Perudo")]
    name: String,
    description: Option<String>,
    status: VariantStatus,
    created_at: Timestamp,
    /// What is played: the latest version that was published.
    current: Option<Version>,
    /// For staff: the version that will be published next, if there is one.
    draft: Option<Version>,
}

/// What a variant says, from some day on.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VariantVersion)]
pub(crate) struct Version {
    number: i32,
    /// Of the game.
    revision: i32,
    /// All of them, defaults filled in.
    #[schema(value_type = GameOptions)]
    options: Value,
    /// A SHA-256 of game, revision and options, in hexadecimal digits.
    variant_hash: String,
    created_at: Timestamp,
    /// None while it is a draft.
    published_at: Option<Timestamp>,
    /// Whether a match was made by it. Such a version never changes, nor does one that was published.
    played: bool,
}

/// How one version differs from another.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = VariantDifference)]
pub(crate) struct Difference {
    variant_id: VariantId,
    game: String,
    /// None for the basic game.
    from: Option<i32>,
    to: i32,
    changes: Vec<ChangedOption>,
}

impl From<(VersionRow, bool)> for Version {
    fn from((row, played): (VersionRow, bool)) -> Self {
        let VersionRow { number, revision, options, variant_hash, created_at, published_at, .. } = row;
        Self { number, revision, options, variant_hash: hex(&variant_hash), created_at, published_at, played }
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    game: Option<String>,
    status: Option<VariantStatus>,
    /// The `next` of the page before.
    cursor: Option<String>,
    /// How many at most.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<i64>,
}

/// Variants, the latest first: published ones, and for staff all.
#[utoipa::path(tag = "variants", params(ListQuery), responses((status = 200, body = List<Variant>)), security((), ("bearer" = [])))]
#[get("/variants")]
pub async fn list_variants(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Search(query): Search<ListQuery>,
) -> ApiResult<Json<List<Variant>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    let status = match query.status {
        status if by_staff => status,
        None | Some(VariantStatus::Published) => Some(VariantStatus::Published),
        Some(VariantStatus::Draft | VariantStatus::Retired) => return Ok(Json(List { items: Vec::new(), next: None })),
    };
    let filter = Filter { status, game: query.game.as_deref(), before };
    let rows = store::list(&mut conn, &filter, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |row| row.id.to_string());
    Ok(Json(List { items: show_all(&mut conn, items, by_staff).await?, next }))
}

/// Drafts a variant.
#[utoipa::path(tag = "variants", request_body = VariantRequest, responses((status = 201, body = Variant)))]
#[post("/variants")]
pub async fn create_variant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Body(request): Body<VariantRequest>,
) -> ApiResult<HttpResponse> {
    let id = play::variants::create(&mut cx, &request).await?;
    Ok(created(format_args!("/variants/{id}")).json(show(cx.conn().await?, id, true).await?))
}

/// A variant; one that was never published is shown to staff only.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path)),
    responses((status = 200, body = Variant)),
    security((), ("bearer" = []))
)]
#[get("/variants/{id}")]
pub async fn find_variant(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<VariantId>,
) -> ApiResult<Json<Variant>> {
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    Ok(Json(show(&mut conn, id, by_staff).await?))
}

/// Changes a variant's name or description, or what its draft says.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path)),
    request_body = VariantChange,
    responses((status = 200, body = Variant))
)]
#[patch("/variants/{id}")]
pub async fn change_variant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Path(id): Path<VariantId>,
    Body(change): Body<VariantChange>,
) -> ApiResult<Json<Variant>> {
    play::variants::change(&mut cx, id, &change).await?;
    Ok(Json(show(cx.conn().await?, id, true).await?))
}

/// The versions of a variant, the latest first: published ones, and for staff all.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path), PageQuery),
    responses((status = 200, body = List<Version>)),
    security((), ("bearer" = []))
)]
#[get("/variants/{id}/versions")]
pub async fn list_variant_versions(
    db: Data<Db>,
    Visitor(visitor): Visitor,
    Path(id): Path<VariantId>,
    Search(query): Search<PageQuery>,
) -> ApiResult<Json<List<Version>>> {
    let limit = page_size(query.limit)?;
    let before = page_start(query.cursor.as_deref())?;
    let mut conn = db.conn().await?;
    let by_staff = sees_drafts(&mut conn, visitor.as_ref()).await?;
    show(&mut conn, id, by_staff).await?;
    let rows = store::list_versions(&mut conn, id, !by_staff, before, limit + 1).await?;
    let List { items, next } = List::of(rows, limit, |(row, _)| row.number.to_string());
    Ok(Json(List { items: items.into_iter().map(Version::from).collect(), next }))
}

/// Drafts the next version of a variant.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path)),
    request_body = VersionRequest,
    responses((status = 201, body = Variant))
)]
#[post("/variants/{id}/versions")]
pub async fn create_variant_version(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Path(id): Path<VariantId>,
    Body(request): Body<VersionRequest>,
) -> ApiResult<HttpResponse> {
    play::variants::add_version(&mut cx, id, &request.options).await?;
    Ok(created(format_args!("/variants/{id}/versions")).json(show(cx.conn().await?, id, true).await?))
}

/// Publishes the latest version, or takes a retired variant back. Asking again changes nothing.
#[utoipa::path(tag = "variants", params(("id" = VariantId, Path)), responses((status = 200, body = Variant)))]
#[post("/variants/{id}/publish")]
pub async fn publish_variant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Path(id): Path<VariantId>,
) -> ApiResult<Json<Variant>> {
    play::variants::publish(&mut cx, id, None).await?;
    Ok(Json(show(cx.conn().await?, id, true).await?))
}

/// Retires a variant: no new match is made by it. Asking again changes nothing.
#[utoipa::path(tag = "variants", params(("id" = VariantId, Path)), responses((status = 200, body = Variant)))]
#[post("/variants/{id}/retire")]
pub async fn retire_variant(
    _: Budget<Writes>,
    Authorized(mut cx): Authorized<can::ManageVariants>,
    Path(id): Path<VariantId>,
) -> ApiResult<Json<Variant>> {
    play::variants::retire(&mut cx, id).await?;
    Ok(Json(show(cx.conn().await?, id, true).await?))
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct DifferenceQuery {
    /// The version to compare with; the basic game if left out.
    #[param(minimum = 1)]
    from: Option<i64>,
}

/// How a version differs from another one or from the basic game, also in words.
#[utoipa::path(
    tag = "variants",
    params(("id" = VariantId, Path), ("number" = i64, Path, minimum = 1), DifferenceQuery),
    responses((status = 200, body = Difference)),
    security((), ("bearer" = []))
)]
#[get("/variants/{id}/versions/{number}/difference")]
pub async fn compare_variant_versions(
    db: Data<Db>,
    request: HttpRequest,
    Visitor(visitor): Visitor,
    Path((id, number)): Path<(VariantId, i64)>,
    Search(query): Search<DifferenceQuery>,
) -> ApiResult<Json<Difference>> {
    let mut conn = db.conn().await?;
    let (variant, to) = play::variants::expect(&mut conn, visitor.as_ref(), id, Some(number)).await?;
    let (from, options) = match query.from {
        Some(from) => {
            let (_, from) = play::variants::expect(&mut conn, visitor.as_ref(), id, Some(from)).await?;
            (Some(from.number), from.options)
        }
        None => {
            let kind = base::games::kind(&variant.game)?;
            (None, complete_options(kind, None, *kind.info().seats.start())?)
        }
    };
    let changes = difference(lang_of(&request), &variant.game, &options, &to.options);
    Ok(Json(Difference { variant_id: id, game: variant.game, from, to: to.number, changes }))
}

/// One variant, if the caller may know of it.
async fn show(conn: &mut AsyncPgConnection, id: VariantId, by_staff: bool) -> ApiResult<Variant> {
    let missing = || not_found("variant_not_found");
    let row = store::find(conn, id).await?.ok_or_else(missing)?;
    let shown = show_all(conn, vec![row], by_staff).await?.pop();
    Ok(shown.filter(|it| by_staff || it.current.is_some()).ok_or_else(missing)?)
}

async fn show_all(conn: &mut AsyncPgConnection, rows: Vec<VariantRow>, by_staff: bool) -> ApiResult<Vec<Variant>> {
    let ids: Vec<VariantId> = rows.iter().map(|row| row.id).collect();
    let latest = store::list_latest(conn, &ids).await?;
    let of = |row: VariantRow| {
        let mut versions = latest.iter().filter(|(version, _)| version.variant_id == row.id).cloned().rev();
        let newest = versions.next();
        let (current, draft) = match newest {
            Some(newest) if newest.0.published_at.is_none() => (versions.next(), Some(newest)),
            newest => (newest, None),
        };
        let VariantRow { id, game, name, description, status, created_at } = row;
        let draft = draft.filter(|_| by_staff).map(Version::from);
        Variant { id, game, name, description, status, created_at, current: current.map(Version::from), draft }
    };
    Ok(rows.into_iter().map(of).collect())
}
