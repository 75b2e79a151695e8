//! The form of a tournament: what is played, in which stages, by whom, where and when.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::catalogue;
use serde::Deserialize;

use super::address;
use super::draft::{
    Draft, EDITIONS, FORMATS, GAMES, PAIRINGS, PLAYED_PLACES, POINTS, SHORT_SCALES, SHORT_TABLES, WORTH,
};
use super::fields;
use super::presets::Preset;
use crate::tournaments::view::{TIE_BREAKS, TieBreakWords};
use base::auth::can;
use base::games::OTHER;
use competitions::tournaments::TournamentRow;
use competitions::tournaments::{self, EntryMode, Seeding, TournamentId};
use play::tables::{self, TableRow};
use play::variants::{self, VariantRow};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};

const VARIANTS: i64 = 200;
const STAGES: usize = 3;

#[derive(Template)]
#[template(path = "admin/tournaments/form.html")]
struct FormPage {
    page: Page,
    /// None for a new one.
    id: Option<TournamentId>,
    draft: Draft,
    edit: Edit,
    /// Which evening was chosen to begin with.
    preset: Option<Preset>,
    /// Whether what is played can still be changed.
    is_open: bool,
    /// How many stages have begun.
    begun: usize,
    /// By game: what can be played, and its name.
    rules: Vec<(String, Vec<(String, String)>)>,
    /// The tables with their fields.
    tables: Vec<(String, TableRow)>,
    /// What is wrong, in words.
    wrong: Vec<String>,
    /// What is wrong with what is played.
    wrong_rules: Option<String>,
    /// And what of that is of a stage.
    wrong_stages: Vec<(usize, String)>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSearch {
    preset: Option<Preset>,
}

#[get("/admin/tournaments/new")]
pub async fn show_new_tournament(
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Search(NewSearch { preset }): Search<NewSearch>,
) -> ApiResult<HttpResponse> {
    let draft = preset.map_or_else(Draft::usual, Draft::preset);
    let template = FormPage { preset, ..FormPage::read(cx.conn().await?, page, None, draft).await? };
    template.page.html(&template)
}

#[post("/admin/tournaments/new")]
pub async fn make_tournament(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Form(sent): Form<Fields>,
) -> ApiResult<HttpResponse> {
    let draft = Draft::sent(sent);
    let made = match draft.request(page.time_zone()) {
        Ok(request) => tournaments::create(&mut cx, &request).await,
        Err(err) => Err(err),
    };
    match made {
        Ok(id) => Ok(page.go_with(&address(id), Flash::good("tournament-made", draft.value("name")))),
        Err(err) => FormPage::read(cx.conn().await?, page, None, draft).await?.refuse(err.into()),
    }
}

#[get("/admin/tournaments/{id}/edit")]
pub async fn show_tournament_form(
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
) -> ApiResult<HttpResponse> {
    let row = tournaments::load_for_staff(&mut cx, id).await?.row;
    let draft = Draft::of(&row, page.time_zone());
    let edit = Edit::of(Draft::form_of(&row, page.time_zone()));
    let template = FormPage { edit, ..FormPage::read(cx.conn().await?, page, Some(&row), draft).await? };
    template.page.html(&template)
}

#[post("/admin/tournaments/{id}/edit")]
pub async fn change_tournament(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<TournamentId>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let zone = page.time_zone();
    let change = |now: &TournamentRow| Draft::onto(&edit, now, zone)?.change(now, zone);
    let err = match tournaments::edit(&mut cx, id, None, &change).await {
        Ok(before) if edit.keeps_others(&Draft::form_of(&before, zone)) => {
            return Ok(page.go_with(&address(id), Flash::good("form-merged", "")));
        }
        Ok(_) => {
            let name = edit.typed().get("name").map_or("", String::as_str);
            return Ok(page.go_with(&address(id), Flash::good("tournament-changed", name)));
        }
        Err(err) if err.is_refusal() => err,
        Err(err) => return Err(err.into()),
    };
    let row = tournaments::load_for_staff(&mut cx, id).await?.row;
    let now = Draft::form_of(&row, zone);
    let clashes = if err.code() == "form_changed" { Draft::clashes(&edit, &now) } else { Vec::new() };
    let edit = if err.code() == "form_changed" { edit.again(now) } else { edit };
    let draft = Draft::sent(edit.typed().clone());
    let form = FormPage { edit, ..FormPage::read(cx.conn().await?, page, Some(&row), draft).await? };
    if form.edit.is_clash() { form.tell(&clashes) } else { form.refuse(err.into()) }
}

impl FormPage {
    async fn read(
        conn: &mut AsyncPgConnection,
        page: Page,
        row: Option<&TournamentRow>,
        draft: Draft,
    ) -> ApiResult<Self> {
        // What the form does not show is lost when it is sent.
        let mut offered = variants::list_published(conn, None, VARIANTS).await?;
        if let Some(id) = row.and_then(|row| row.variant_id)
            && offered.iter().all(|it| it.id != id)
        {
            offered.extend(variants::store::find(conn, id).await?);
        }
        let kept = row.and_then(|row| row.table_ids.as_deref()).unwrap_or_default();
        let mut tables = tables::store::list(conn, true).await?;
        tables.retain(|table| table.archived_at.is_none() || kept.contains(&table.id));
        Ok(Self::of(page, row, draft, &offered, tables))
    }

    fn of(
        page: Page,
        row: Option<&TournamentRow>,
        draft: Draft,
        offered: &[VariantRow],
        tables: Vec<TableRow>,
    ) -> Self {
        let of_game = |game: &'static str| {
            let name = |rules: &str| format!("{} · {rules}", page.game_name(game));
            let basic = (game.to_owned(), name(&page.t("rules-basic")));
            let own = offered.iter().filter(|it| it.game == game);
            let own = own.map(|it| (format!("{game}:{}", it.id), name(&it.name)));
            (page.game_name(game), std::iter::once(basic).chain(own).collect())
        };
        let mut rules: Vec<_> = catalogue::GAMES.iter().map(|kind| of_game(kind.info().id)).collect();
        rules.push((page.t("game-other"), vec![(OTHER.to_owned(), page.t("game-other-any"))]));
        let tables = tables.into_iter().map(|table| (format!("table-{}", table.id), table)).collect();
        Self {
            id: row.map(|row| row.id),
            is_open: row.is_none_or(|row| row.started_at.is_none()),
            begun: row
                .filter(|row| row.started_at.is_some())
                .and_then(|row| usize::try_from(row.stage).ok())
                .unwrap_or(0),
            page,
            draft,
            edit: Edit::default(),
            preset: None,
            rules,
            tables,
            wrong: Vec::new(),
            wrong_rules: None,
            wrong_stages: Vec::new(),
        }
    }

    /// The form again, with what is wrong.
    fn refuse(mut self, err: ApiError) -> ApiResult<HttpResponse> {
        if !err.is_refusal() {
            return Err(err);
        }
        let problem = err.problem(self.page.lang);
        for it in &problem.errors {
            let stage =
                it.pointer.strip_prefix("/stages/").and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
            match stage {
                Some(stage) => self.wrong_stages.push((stage + 1, it.detail.clone())),
                None if ["/game", "/variant_id"].contains(&it.pointer.as_str()) => {
                    self.wrong_rules = Some(it.detail.clone());
                }
                None => self.wrong.push(match fields::label(&self.page, it.pointer.trim_start_matches('/')) {
                    Some(label) => format!("{label}: {}", it.detail),
                    None => it.detail.clone(),
                }),
            }
        }
        if self.wrong.is_empty() {
            self.wrong.push(if problem.errors.is_empty() { problem.detail } else { problem.title });
        }
        self.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &self)
    }

    /// The form again, with what somebody else has put into fields that were changed here as well.
    fn tell(mut self, clashes: &[(String, String)]) -> ApiResult<HttpResponse> {
        for (name, value) in clashes {
            let now = self.page.now_in_field(&self.said(name, value));
            let line = match fields::label(&self.page, name) {
                Some(label) => format!("{label}: {now}"),
                None => now.clone(),
            };
            match fields::stage_of(name) {
                Some(stage) => self.wrong_stages.push((stage, line)),
                None if name == "rules" => self.wrong_rules = Some(now),
                None => self.wrong.push(line),
            }
        }
        self.page.html_as(StatusCode::CONFLICT, &self)
    }

    /// What is in a field, as the page says that.
    fn said(&self, name: &str, value: &str) -> String {
        let mut choices = self.rules.iter().flat_map(|(_, choices)| choices);
        let rules = choices.find(|(rules, _)| name == "rules" && rules == value);
        rules.map_or_else(|| fields::word(&self.page, name, value), |(_, said)| said.clone())
    }

    fn title(&self) -> String {
        self.page.t(if self.id.is_some() { "tournament-change" } else { "tournament-make" })
    }

    fn action(&self) -> String {
        self.id.map_or_else(|| "/admin/tournaments/new".to_owned(), |id| format!("{}/edit", address(id)))
    }

    /// Whether what is to be played is none of the choices: a variant that was retired, say.
    fn is_gone(&self) -> bool {
        !self.rules.iter().flat_map(|(_, choices)| choices).any(|(value, _)| self.draft.is("rules", value))
    }

    fn wrong_rules(&self) -> Option<String> {
        let is_retired = self.is_gone() && !self.draft.value("rules").is_empty();
        if is_retired { Some(self.page.t("error-variant_retired")) } else { self.wrong_rules.clone() }
    }

    fn wrong_in(&self, stage: &usize) -> Vec<&str> {
        self.wrong_stages.iter().filter(|(it, _)| it == stage).map(|(_, wrong)| wrong.as_str()).collect()
    }

    /// The stages that can still be planned, after the one that is played and from which some go on.
    fn stages(&self) -> std::ops::RangeInclusive<usize> {
        self.begun.max(1)..=if self.begun == STAGES { 0 } else { STAGES }
    }

    fn has_begun(&self, stage: &usize) -> bool {
        *stage <= self.begun
    }

    fn is_preset(&self, preset: &Preset) -> bool {
        self.preset == Some(*preset)
    }

    /// A field of a stage.
    fn of_stage(&self, name: &str, stage: &usize) -> String {
        format!("{name}-{stage}")
    }

    fn tie(&self, stage: &usize, at: &usize) -> String {
        format!("tie-{stage}-{at}")
    }

    fn word(&self, group: &str, word: &str) -> String {
        self.page.t(&format!("{group}-{word}"))
    }

    fn tie_breaks(&self) -> Vec<(&'static str, String)> {
        TIE_BREAKS.iter().map(|it| (it.key(), self.page.t(&format!("tie-break-{}", it.key())))).collect()
    }
}

#[cfg(test)]
mod tests {
    use base::auth::Permission;
    use play::variants::VariantStatus;

    use super::*;
    use crate::tournaments::samples::moments;
    use competitions::tournaments::Tournament;
    use web_base::page::samples;

    #[test]
    fn forms_are_complete() {
        let rows = moments().into_iter().map(|tournament| Some(tournament.row));
        for row in rows.chain([None]) {
            samples::check(&samples::who_may(Permission::ManageTournaments), |page| {
                let draft = row.as_ref().map_or_else(Draft::usual, |row| Draft::of(row, page.time_zone()));
                let offered = [samples::variant(VariantStatus::Published)];
                let form = FormPage::of(page, row.as_ref(), draft, &offered, vec![samples::table("1번")]);
                let wrong = form.page.t("field-out_of_range");
                FormPage { wrong: vec![wrong.clone()], wrong_stages: vec![(1, wrong)], ..form }.render()
            });
        }
        samples::check(&samples::who_may(Permission::ManageTournaments), |page| {
            let gone = [("rules".to_owned(), "perudo:gone".to_owned())];
            let form = FormPage::of(page, None, Draft::sent(gone.into()), &[], Vec::new());
            assert!(form.is_gone() && form.wrong_rules().is_some());
            form.render()
        });
    }

    /// But for boxes that are not ticked.
    #[test]
    fn a_form_says_what_its_fields_were_made_from() {
        for Tournament { row, .. } in moments() {
            samples::check(&samples::who_may(Permission::ManageTournaments), |page| {
                let draft = Draft::of(&row, page.time_zone());
                let seen = Draft::form_of(&row, page.time_zone());
                let form = FormPage::of(page, Some(&row), draft, &[], vec![samples::table("1번")]);
                let form = FormPage { edit: Edit::of(seen.clone()), ..form };
                let html = form.render()?;
                let (_, fields) = html.split_once(&format!("action=\"{}\"", form.action())).unwrap();
                let (fields, _) = fields.split_once("</form>").unwrap();
                for field in fields.split(" name=\"").skip(1) {
                    let name = field.split('"').next().unwrap();
                    let others = ["csrf", "seen.", "table-", "wild-cards-", "streaks-", "by-itself-"];
                    let is_told = seen.contains_key(name) || others.iter().any(|it| name.starts_with(it));
                    assert!(is_told, "{name} is not among {seen:?}");
                }
                Ok(html)
            });
        }
    }
}
