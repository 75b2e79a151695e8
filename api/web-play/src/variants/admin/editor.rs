//! The editor that a game's schema makes: what is wrong is told at its field, and what would be another is seen first.

use actix_web::ResponseError;
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::{Kind, catalogue};
use serde::Deserialize;
use serde_json::Value;

use super::preview::{self, Preview, ProposedChange};
use super::{LIST, address, basic, find};
use crate::variants::form::{self, Control, Field, Sent};
use base::auth::can;
use base::error::Error;
use base::error::{FieldError, not_found};
use base::inputs::tidy_text;
use play::variants::{self, Basis, Content, Description, VariantId, VariantName, VariantRequest, VariantRow};
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
    /// What the form was made from.
    seen: Option<Basis>,
    /// What would be another, shown before it is saved.
    preview: Option<Preview>,
    /// Why it cannot be saved as it is, where that is about no field.
    wrong: Option<String>,
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
    let seen = Some(Basis::of(&variant, &latest.version));
    let template =
        VariantFormPage { seen, ..VariantFormPage::of(page, kind, Some(variant), Some(&latest.version.options))? };
    template.page.html(&template)
}

/// Shows first what would be another; what was seen and agreed to is saved: into the draft as long as it may change, else
/// as the next version.
#[post("/admin/variants/{id}/edit")]
pub async fn change_variant(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path(id): Path<VariantId>,
    Form(mut sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let variant = find(conn, id).await?;
    let latest = variants::latest(conn, id).await?;
    let kind = base::games::kind(&variant.game)?;
    let (now, game) = (Basis::of(&variant, &latest.version), variant.game.clone());
    let mut template = VariantFormPage::of(page, kind, Some(variant), Some(&latest.version.options))?;
    let seen = preview::take_seen(&mut sent).unwrap_or_else(|| now.clone());
    template.seen = Some(seen.clone());
    let Some((name, description)) = template.read(&sent) else {
        return template.refuse(kind, &sent, Vec::new());
    };
    let content = match Content::of(kind, Some(&form::options(kind, &sent))) {
        Ok(content) => content,
        Err(err) => return template.refuse_for(kind, &sent, err.into()),
    };
    let wanted = preview::wanted([&seen, &now], name, description, content);
    let is_final = latest.played || latest.version.published_at.is_some();
    let mut proposed = ProposedChange { seen, now, wanted, is_final };
    if proposed.is_to_be_shown(&sent) {
        let latest = (&latest.version.options, template.fields.as_slice());
        template.preview = Some(proposed.preview(&template.page, &game, latest, sent));
        template.seen = Some(proposed.now);
        return template.page.html(&template);
    }
    let next = proposed.wanted.options.take_if(|_| is_final);
    let saved = match proposed.wanted.is_empty() && next.is_none() {
        true => Ok(()),
        false => variants::save(&mut cx, id, &proposed.now, &proposed.wanted, next.as_ref()).await,
    };
    let told = Flash::good("variant-saved", proposed.wanted.name.as_ref().map_or(&proposed.now.name, |name| &name.0));
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
            seen: None,
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

    /// What the form was made from, to be sent with it.
    fn seen(&self) -> impl Iterator<Item = (&'static str, String)> {
        self.seen.as_ref().map(preview::seen_fields).into_iter().flatten()
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
        for (is_of_two, is_revised) in [(false, false), (true, false), (false, true)] {
            samples::check(samples::STAFF, |page| {
                let kind = base::games::kind("perudo").unwrap();
                let changes = if is_revised { Vec::new() } else { vec!["가 → 나".to_owned()] };
                let sent = Sent::from([("option-calza".to_owned(), "on".to_owned())]);
                let preview = Preview { is_of_two, is_revised, changes, sent, number: 2 };
                let variant = Some(samples::variant(VariantStatus::Published));
                let form = VariantFormPage::of(page, kind, variant, None).unwrap();
                VariantFormPage { preview: Some(preview), ..form }.render()
            });
        }
    }
}
