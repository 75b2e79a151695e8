//! A variant with its versions, each with what it brought; published and retired.

use actix_web::{HttpResponse, get, post};
use askama::Template;

use super::{address, basic, find, preview};
use crate::lab::admin::{LabCard, address_of};
use crate::variants::form::{self, Field, Sent};
use base::auth::can;
use base::error::{Error, Kind, Result, not_found};
use cafe::lab::RunStatus;
use play::variants::difference::{ChangedOption, difference, sentence};
use play::variants::store::COUNTED;
use play::variants::{self, Basis, VariantId, VariantRow, VariantStatus, VersionRow, store};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

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
    /// The latest version in the lab.
    lab: LabCard,
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
pub async fn show_variant(
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
) -> ApiResult<HttpResponse> {
    let (conn, actor) = cx.parts().await?;
    let variant = find(conn, id).await?;
    let rows = store::list_versions(conn, id, false, None, VERSIONS_SHOWN + 1).await?;
    let plays = store::count_plays(conn, &[id]).await?.first().map_or(0, |(_, plays)| *plays);
    let (latest, _) = rows.first().ok_or_else(|| not_found("variant_not_found"))?;
    let lab = LabCard::of(conn, actor.staff, &page, latest).await?;
    let template = VariantPage::of(page, variant, &rows, plays, lab)?;
    template.page.html(&template)
}

#[post("/admin/variants/{id}/publish")]
pub async fn publish_variant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
    Form(mut sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let seen = preview::take_seen(&mut sent);
    let done = variants::publish(&mut cx, id, seen.as_ref()).await;
    tell(&page, id, done, "variant-published")
}

#[post("/admin/variants/{id}/retire")]
pub async fn retire_variant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let done = variants::retire(&mut cx, id).await;
    tell(&page, id, done, "variant-retired")
}

fn tell(page: &Page, id: VariantId, done: Result<()>, good: &str) -> ApiResult<HttpResponse> {
    let flash = match done {
        Ok(()) => Flash::good(good, ""),
        Err(Error::Refused(refusal)) if refusal.kind == Kind::Conflict => Flash::bad(&refusal.code, ""),
        Err(err) => return Err(err.into()),
    };
    Ok(page.go_with(&address(id), flash))
}

impl VariantPage {
    /// Of versions that come the latest first, each with whether it was played.
    fn of(page: Page, variant: VariantRow, rows: &[(VersionRow, bool)], plays: i64, lab: LabCard) -> ApiResult<Self> {
        let kind = base::games::kind(&variant.game)?;
        let basic = basic(kind)?;
        let latest = rows.first().map(|(row, _)| row.options.clone()).unwrap_or_default();
        let before = |at: usize| rows.get(at + 1).map(|(row, _)| row);
        let version = |(at, (row, played)): (usize, &(VersionRow, bool))| {
            let from = before(at).map_or(&basic, |row| &row.options);
            let changes = difference(page.lang, &variant.game, from, &row.options);
            Version { row: row.clone(), played: *played, changes, since: before(at).map(|row| row.number) }
        };
        let versions = rows.iter().enumerate().take(VERSIONS_SHOWN as usize).map(version).collect();
        let differs = sentence(page.lang, &variant.game, &basic, &latest);
        let fields = form::fields(page.lang, kind, &basic, &latest);
        Ok(Self { page, variant, differs, plays, versions, fields, lab })
    }

    /// What the switch is set to, in words.
    fn set(&self, field: &Field) -> String {
        field.set(self.page.lang)
    }

    fn is_draft_open(&self) -> bool {
        self.versions.first().is_some_and(|version| version.row.published_at.is_none())
    }

    /// What the lab says against publishing it.
    fn is_warned(&self) -> bool {
        self.is_draft_open() && self.lab.warnings().next().is_some()
    }

    fn is_lab_open(&self) -> bool {
        matches!(self.lab.lab.status, Some(RunStatus::Waiting | RunStatus::Running))
    }

    /// The version in the lab.
    fn lab_of(&self, version: &Version) -> String {
        address_of(&version.row)
    }

    /// What is shown, to be sent when it is published.
    fn seen(&self) -> Vec<(&'static str, String)> {
        let seen = self.versions.first().map(|version| Basis::of(&self.variant, &version.row));
        seen.as_ref().map(|seen| preview::seen_fields(seen).collect()).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use engine::catalogue;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete_for_every_game_and_status() {
        for (kind, status) in
            catalogue::GAMES.iter().flat_map(|kind| VariantStatus::ALL.iter().map(move |it| (kind, it)))
        {
            samples::check(samples::STAFF, |page| {
                let basic = basic(*kind).unwrap();
                let versions = [
                    (samples::variant_version(2, basic.clone(), false), false),
                    (samples::variant_version(1, basic, true), true),
                ];
                let variant = VariantRow { game: kind.info().id.to_owned(), ..samples::variant(*status) };
                let lab = LabCard::sample(&page, kind.info().id, RunStatus::Finished);
                VariantPage::of(page, variant, &versions, 3, lab).unwrap().render()
            });
        }
    }

    #[test]
    fn what_a_version_changed_is_said() {
        samples::check(samples::STAFF, |page| {
            let kind = base::games::kind("perudo").unwrap();
            let (basic, mut changed) = (basic(kind).unwrap(), basic(kind).unwrap());
            changed["calza"] = (!basic["calza"].as_bool().unwrap()).into();
            let versions = [
                (samples::variant_version(2, changed, false), false),
                (samples::variant_version(1, basic, true), true),
            ];
            let lab = LabCard::sample(&page, "perudo", RunStatus::Running);
            VariantPage::of(page, samples::variant(VariantStatus::Published), &versions, 0, lab).unwrap().render()
        });
    }
}
