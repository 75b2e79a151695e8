//! The editor that a game's schema makes: what is wrong is told at its field, and what would be another is seen first.

use actix_web::ResponseError;
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::{Kind, catalogue};
use serde::Deserialize;
use serde_json::Value;

use super::{LIST, address, basic, find};
use crate::variants::form::{self, Control, Field, Sent};
use base::auth::can;
use base::error::Error;
use base::error::{FieldError, not_found};
use base::inputs::tidy_text;
use play::variants::difference::{ChangedOption, difference};
use play::variants::{self, Content, Description, VariantChange, VariantId, VariantName, VariantRequest, VariantRow};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameSearch {
    game: String,
}

#[derive(Template)]
#[template(path = "admin/variants/form.html")]
struct VariantFormPage {
    page: Page,
    game: &'static str,
    /// None for a new one.
    variant: Option<VariantRow>,
    name: String,
    description: String,
    name_wrong: Option<String>,
    description_wrong: Option<String>,
    fields: Vec<Field>,
    /// What would be another, shown before it is saved.
    preview: Option<Preview>,
    /// Why it cannot be saved as it is, where that is about no field.
    wrong: Option<String>,
}

struct Preview {
    /// None if only the game was revised.
    changes: Vec<ChangedOption>,
    /// The fields as they were sent.
    sent: Vec<(String, String)>,
    /// Of the version that they will be.
    number: i32,
}

#[get("/admin/variants/new")]
pub async fn show_new_variant(
    StaffPage { page, .. }: StaffPage<can::ManageVariants>,
    Search(search): Search<GameSearch>,
) -> ApiResult<HttpResponse> {
    let kind = catalogue::find(&search.game).ok_or_else(|| not_found("unknown_game"))?;
    let template = VariantFormPage::of(page, kind, None, None)?;
    template.page.html(&template)
}

#[post("/admin/variants/new")]
pub async fn make_variant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Search(search): Search<GameSearch>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let kind = catalogue::find(&search.game).ok_or_else(|| not_found("unknown_game"))?;
    let mut template = VariantFormPage::of(page, kind, None, None)?;
    let Some((name, description)) = template.read(&sent) else {
        return template.refuse(kind, &sent, Vec::new());
    };
    let options = Some(form::options(kind, &sent));
    let request = VariantRequest { game: search.game, name, description, options };
    match variants::create(&mut cx, &request).await {
        Ok(id) => Ok(template.page.go_with(&address(id), Flash::good("variant-made", &request.name.0))),
        Err(err) => template.refuse_for(kind, &sent, err.into()),
    }
}

#[get("/admin/variants/{id}/edit")]
pub async fn show_variant_form(
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let variant = find(conn, id).await?;
    let latest = variants::latest(conn, id).await?;
    let kind = base::games::kind(&variant.game)?;
    let template = VariantFormPage::of(page, kind, Some(variant), Some(&latest.version.options))?;
    template.page.html(&template)
}

/// Shows first what would be another; what was seen and agreed to is saved: into the draft as long as it may change, else
/// as the next version.
#[post("/admin/variants/{id}/edit")]
pub async fn change_variant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let variant = find(conn, id).await?;
    let latest = variants::latest(conn, id).await?;
    let kind = base::games::kind(&variant.game)?;
    let (before, game) = (variant.clone(), variant.game.clone());
    let mut template = VariantFormPage::of(page, kind, Some(variant), Some(&latest.version.options))?;
    let Some((name, description)) = template.read(&sent) else {
        return template.refuse(kind, &sent, Vec::new());
    };
    let content = match Content::of(kind, Some(&form::options(kind, &sent))) {
        Ok(content) => content,
        Err(err) => return template.refuse_for(kind, &sent, err.into()),
    };
    let is_final = latest.played || latest.version.published_at.is_some();
    // The same options are other rules once the game was revised.
    let is_new = content.hash.0[..] != latest.version.variant_hash[..];
    if is_new && !sent.contains_key("agreed") {
        let changes = difference(template.page.lang, &game, &latest.version.options, &content.options);
        let number = latest.version.number + i32::from(is_final);
        let sent = sent.into_iter().collect();
        template.preview = Some(Preview { changes, sent, number });
        return template.page.html(&template);
    }
    let told = Flash::good("variant-saved", &name.0);
    let change = VariantChange {
        name: Some(name).filter(|name| name.0 != before.name),
        description: Some(description).filter(|it| it.as_ref().map(|it| &it.0) != before.description.as_ref()),
        options: Some(content.options.clone()).filter(|_| is_new && !is_final),
    };
    let mut saved = match change.is_empty() {
        true => Ok(()),
        false => variants::change(&mut cx, id, &change).await,
    };
    if saved.is_ok() && is_final && is_new {
        saved = variants::add_version(&mut cx, id, &content.options).await.map(|_| ());
    }
    match saved {
        Ok(()) => Ok(template.page.go_with(&address(id), told)),
        Err(err) => template.refuse_for(kind, &sent, err.into()),
    }
}

impl VariantFormPage {
    fn of(page: Page, kind: &dyn Kind, variant: Option<VariantRow>, options: Option<&Value>) -> ApiResult<Self> {
        let basic = basic(kind)?;
        Ok(Self {
            fields: form::fields(page.lang, kind, &basic, options.unwrap_or(&basic)),
            game: kind.info().id,
            name: variant.as_ref().map(|it| it.name.clone()).unwrap_or_default(),
            description: variant.as_ref().and_then(|it| it.description.clone()).unwrap_or_default(),
            page,
            variant,
            name_wrong: None,
            description_wrong: None,
            preview: None,
            wrong: None,
        })
    }

    /// Name and description, if they will do.
    fn read(&mut self, sent: &Sent) -> Option<(VariantName, Option<Description>)> {
        let typed = |key: &str| sent.get(key).cloned().unwrap_or_default();
        (self.name, self.description) = (typed("name"), typed("description"));
        let lang = self.page.lang;
        let name = tidy_text(&self.name, 60).map(VariantName);
        let description = match self.description.trim() {
            "" => Ok(None),
            text => tidy_text(text, 500).map(|text| Some(Description(text))),
        };
        self.name_wrong = name.as_ref().err().map(|err| err.detail(lang));
        self.description_wrong = description.as_ref().err().map(|err| err.detail(lang));
        name.ok().zip(description.ok())
    }

    /// The form again, with what is wrong beside each field.
    fn refuse(mut self, kind: &dyn Kind, sent: &Sent, mut wrong: Vec<FieldError>) -> ApiResult<HttpResponse> {
        // Whatever else is wrong, all of it is told at once.
        if let Err(Error::Refused(refusal)) = Content::of(kind, Some(&form::options(kind, sent))) {
            wrong.extend(refusal.fields);
        }
        form::refuse(&mut self.fields, self.page.lang, sent, &wrong);
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        self.page.html_as(status, &self)
    }

    fn refuse_for(mut self, kind: &dyn Kind, sent: &Sent, err: ApiError) -> ApiResult<HttpResponse> {
        if !err.status_code().is_client_error() {
            return Err(err);
        }
        let problem = err.problem(self.page.lang);
        let refusal = err.refusal()?;
        if refusal.code == "variant_name_taken" {
            self.name_wrong = Some(problem.detail);
        } else {
            self.wrong = Some(problem.detail);
        }
        self.refuse(kind, sent, refusal.fields)
    }

    fn action(&self) -> String {
        match &self.variant {
            Some(variant) => format!("{}/edit", address(variant.id)),
            None => format!("{LIST}/new?game={}", self.game),
        }
    }
}

#[cfg(test)]
mod tests {
    use play::variants::VariantStatus;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_form_is_complete_for_every_game() {
        for kind in catalogue::GAMES {
            for variant in [None, Some(samples::variant(VariantStatus::Published))] {
                samples::check(samples::STAFF, |page| {
                    let wrong = Some(page.t("field-empty"));
                    let form = VariantFormPage::of(page, *kind, variant.clone(), None).unwrap();
                    let (name_wrong, description_wrong) = (wrong.clone(), wrong.clone());
                    VariantFormPage { name_wrong, description_wrong, wrong, ..form }.render()
                });
            }
        }
    }

    #[test]
    fn a_preview_is_complete() {
        for is_revised in [false, true] {
            samples::check(samples::STAFF, |page| {
                let kind = base::games::kind("perudo").unwrap();
                let (basic, mut changed) = (basic(kind).unwrap(), basic(kind).unwrap());
                changed["calza"] = (basic["calza"].as_bool().unwrap() == is_revised).into();
                let changes = difference(page.lang, "perudo", &basic, &changed);
                assert_eq!(changes.is_empty(), is_revised);
                let preview = Preview { changes, sent: vec![("option-calza".to_owned(), "on".to_owned())], number: 2 };
                let variant = Some(samples::variant(VariantStatus::Published));
                let form = VariantFormPage::of(page, kind, variant, Some(&basic)).unwrap();
                VariantFormPage { preview: Some(preview), ..form }.render()
            });
        }
    }
}
