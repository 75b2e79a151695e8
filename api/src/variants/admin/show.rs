//! A variant with its versions, each with what it brought; published and retired.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::{COUNTED, address, basic, find};
use crate::db::Db;
use crate::error::{ApiError, ApiResult};
use crate::extract::Path;
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::variants::difference::{ChangedOption, difference, sentence};
use crate::variants::form::{self, Field};
use crate::variants::{self, VariantId, VariantRow, VariantStatus, VersionRow, store};
use crate::world::World;

const VERSIONS_SHOWN: i64 = 20;

#[derive(Template)]
#[template(path = "admin/variants/show.html")]
struct VariantPage {
    page: Page,
    variant: VariantRow,
    differs: String,
    plays: i64,
    versions: Vec<Version>,
    fields: Vec<Field>,
}

/// A version with what it brought.
struct Version {
    row: VersionRow,
    played: bool,
    changes: Vec<ChangedOption>,
    /// The version before; none for the basic game.
    since: Option<i32>,
}

#[get("/admin/variants/{id}")]
pub(crate) async fn show_variant(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let mut conn = db.conn().await?;
    let variant = find(&mut conn, id).await?;
    let kind = crate::matches::kind(&variant.game)?;
    let basic = basic(kind)?;
    let rows = store::list_versions(&mut conn, id, (false, None), VERSIONS_SHOWN + 1).await?;
    let latest = rows.first().map(|(row, _)| row.options.clone()).unwrap_or_default();
    let plays = store::count_plays(&mut conn, &[id], COUNTED).await?.first().map_or(0, |(_, plays)| *plays);
    let before = |at: usize| rows.get(at + 1).map(|(row, _)| row);
    let version = |(at, (row, played)): (usize, &(VersionRow, bool))| {
        let from = before(at).map_or(&basic, |row| &row.options);
        let changes = difference(page.lang, &variant.game, from, &row.options);
        Version { row: row.clone(), played: *played, changes, since: before(at).map(|row| row.number) }
    };
    let versions = rows.iter().enumerate().take(VERSIONS_SHOWN as usize).map(version).collect();
    let differs = sentence(page.lang, &variant.game, &basic, &latest);
    let fields = form::fields(page.lang, kind, &basic, &latest);
    let template = VariantPage { page, variant, differs, plays, versions, fields };
    template.page.html(&template)
}

#[post("/admin/variants/{id}/publish")]
pub(crate) async fn publish_variant(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let done = variants::publish(&mut *db.conn().await?, &world, &staff, id).await;
    tell(&page, id, done, "variant-published")
}

#[post("/admin/variants/{id}/retire")]
pub(crate) async fn retire_variant(
    db: Data<Db>,
    world: Data<World>,
    Desk { page, staff }: Desk,
    Path(id): Path<VariantId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepVariants)?;
    let done = variants::retire(&mut *db.conn().await?, &world, &staff, id).await;
    tell(&page, id, done, "variant-retired")
}

fn tell(page: &Page, id: VariantId, done: ApiResult<()>, good: &str) -> ApiResult<HttpResponse> {
    let flash = match done {
        Ok(()) => Flash::good(good, ""),
        Err(ApiError::Refused(refusal)) if refusal.status == StatusCode::CONFLICT => {
            Flash::bad(&refusal.code.replace('_', "-"), "")
        }
        Err(err) => return Err(err),
    };
    Ok(page.go_with(&address(id), flash))
}

impl VariantPage {
    /// What the switch is set to, in words.
    fn set(&self, field: &Field) -> String {
        field.set(self.page.lang)
    }

    fn is_draft_open(&self) -> bool {
        self.versions.first().is_some_and(|version| version.row.published_at.is_none())
    }

    fn may_publish(&self) -> bool {
        self.is_draft_open() || self.variant.status != VariantStatus::Published
    }

    fn may_retire(&self) -> bool {
        self.variant.status != VariantStatus::Retired
    }

    fn rules(&self) -> String {
        let version = self.versions.first().map_or(1, |version| version.row.number);
        format!("/rules/{}?variant={}&version={version}", self.variant.game, self.variant.id)
    }
}
