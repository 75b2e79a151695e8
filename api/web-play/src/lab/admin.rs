//! `/admin/variants/{id}/versions/{number}/lab`: the verdict in sentences, then the pictures.

use actix_web::{HttpResponse, get, post};
use askama::Template;
use base::auth::{Identity, can};
use base::error::Result;
use cafe::lab::{Lab, RunStatus, ask, before, cancel, look};
use diesel_async::AsyncPgConnection;
use play::variants::{VariantId, VersionRow};
use serde::Deserialize;

use super::LabQuery;
use super::picture::{Chart, Drawing, Table};
use super::words::{Sentence, sentences};
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::limits::{Budget, Writes};
use web_base::page::{Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/variants/lab.html", blocks = ["live"])]
struct LabPage {
    page: Page,
    lab: Lab,
    /// The version before this one.
    before: Option<i32>,
    sentences: Vec<Sentence>,
    charts: Vec<Chart>,
    tables: Vec<Table>,
}

/// What a form of the page asks.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabForm {
    seats: u8,
    from: Option<i64>,
    #[serde(default)]
    search: bool,
}

#[get("/admin/variants/{id}/versions/{number}/lab")]
pub async fn show_lab(
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path((id, number)): Path<(VariantId, i64)>,
    Search(query): Search<LabQuery>,
) -> ApiResult<HttpResponse> {
    let (conn, actor) = cx.parts().await?;
    let lab = look(conn, Some(actor.staff), id, Some(number), query.asked()).await?;
    let before = before(conn, &lab.version).await?;
    let template = LabPage::of(page, lab, before);
    let page = &template.page;
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

#[post("/admin/variants/{id}/versions/{number}/lab")]
pub async fn ask_lab(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path((id, number)): Path<(VariantId, i64)>,
    Form(form): Form<LabForm>,
) -> ApiResult<HttpResponse> {
    let query = form.query();
    ask(&mut cx, id, number, query.asked()).await?;
    Ok(page.go_to(&query.address(id, number)))
}

#[post("/admin/variants/{id}/versions/{number}/lab/cancel")]
pub async fn cancel_lab(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageVariants>,
    Path((id, number)): Path<(VariantId, i64)>,
    Form(form): Form<LabForm>,
) -> ApiResult<HttpResponse> {
    let query = form.query();
    cancel(&mut cx, id, number, query.asked()).await?;
    Ok(page.go_to(&query.address(id, number)))
}

impl LabForm {
    fn query(&self) -> LabQuery {
        LabQuery { seats: Some(self.seats), from: self.from, search: Some(self.search) }
    }
}

impl LabQuery {
    fn address(&self, id: VariantId, number: impl Into<i64>) -> String {
        let mut address = format!("/admin/variants/{id}/versions/{}/lab", number.into());
        let seats = self.seats.map(|it| format!("seats={it}"));
        let from = self.from.map(|it| format!("from={it}"));
        let search = self.search.filter(|it| *it).map(|_| "search=true".to_owned());
        let asked: Vec<String> = [seats, from, search].into_iter().flatten().collect();
        if !asked.is_empty() {
            address = format!("{address}?{}", asked.join("&"));
        }
        address
    }
}

/// The lab on the page of a variant.
pub(crate) struct LabCard {
    pub lab: Lab,
    pub sentences: Vec<Sentence>,
}

impl LabCard {
    /// Of this version, compared with the basic game. A version that the lab cannot play has none.
    pub(crate) async fn of(
        conn: &mut AsyncPgConnection,
        staff: &Identity,
        page: &Page,
        version: &VersionRow,
    ) -> Result<Self> {
        let number = Some(version.number.into());
        let lab = look(conn, Some(staff), version.variant_id, number, LabQuery::default().asked()).await?;
        Ok(Self { sentences: sentences(page.lang, &lab), lab })
    }

    pub(crate) fn address(&self) -> String {
        address_of(&self.lab.version)
    }

    pub(crate) fn warnings(&self) -> impl Iterator<Item = &Sentence> {
        self.sentences.iter().filter(|it| it.warning)
    }
}

pub(crate) fn address_of(version: &VersionRow) -> String {
    LabQuery::default().address(version.variant_id, version.number)
}

impl LabPage {
    fn of(page: Page, lab: Lab, before: Option<i32>) -> Self {
        let sentences = sentences(page.lang, &lab);
        let (mut charts, mut tables) = (Vec::new(), Vec::new());
        if let (Some(report), Some(seconds)) = (&lab.report, lab.seconds_per_move) {
            let drawing = Drawing { page: &page, lab: &lab, report, seconds };
            (charts, tables) = (drawing.charts(), drawing.tables());
        }
        Self { page, before, sentences, charts, tables, lab }
    }

    fn query(&self) -> LabQuery {
        let from = self.lab.from.map(i64::from);
        LabQuery { seats: Some(self.lab.seats), from, search: Some(self.lab.search) }
    }

    fn address(&self, query: &LabQuery) -> String {
        query.address(self.lab.variant.id, self.lab.version.number)
    }

    fn here(&self) -> String {
        self.address(&self.query())
    }

    /// Where the forms go.
    fn action(&self) -> String {
        address_of(&self.lab.version)
    }

    /// The same with other numbers of seats.
    fn seats(&self) -> Vec<(String, u8)> {
        let with = |seats: &u8| (self.address(&LabQuery { seats: Some(*seats), ..self.query() }), *seats);
        self.lab.playable.iter().map(with).collect()
    }

    /// The same against other rules: the basic game, and the version before.
    fn others(&self) -> Vec<(String, String, bool)> {
        let against = |from: Option<i32>| {
            let address = self.address(&LabQuery { from: from.map(i64::from), ..self.query() });
            let name = match from {
                Some(number) => self.page.say("rules-version").with("number", number).to_string(),
                None => self.page.t("lab-basic"),
            };
            (address, name, from == self.lab.from)
        };
        [None].into_iter().chain(self.before.map(Some)).map(against).collect()
    }

    /// The same with bots that search, and without.
    fn depths(&self) -> Vec<(String, &'static str, bool)> {
        let with = |(search, key)| {
            let address = self.address(&LabQuery { search: Some(search), ..self.query() });
            (address, key, search == self.lab.search)
        };
        [(false, "lab-quick"), (true, "lab-thorough")].map(with).into()
    }

    fn is_open(&self) -> bool {
        matches!(self.lab.status, Some(RunStatus::Waiting | RunStatus::Running))
    }

    fn is(&self, status: RunStatus) -> bool {
        self.lab.status == Some(status)
    }
}

#[cfg(test)]
impl LabCard {
    pub(crate) fn sample(page: &Page, game: &str, status: RunStatus) -> Self {
        let seats = *base::games::kind(game).unwrap().info().seats.start();
        let lab = tests::lab(game, seats, Some(status), serde_json::json!({}));
        Self { sentences: sentences(page.lang, &lab), lab }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};
    use std::sync::LazyLock;

    use engine::lab::{Experiment, Report, Size};
    use engine::{Kind, catalogue};
    use play::variants::VariantStatus;
    use serde_json::{Value, json};

    use super::*;
    use web_base::page::samples;

    /// Small ones by the basic rules, one for each game.
    static REPORTS: LazyLock<HashMap<&str, Report>> = LazyLock::new(|| {
        let report = |kind: &&'static dyn Kind| {
            let basic = Experiment::new(json!({}), *kind.info().seats.start());
            let experiment = Experiment { against: Some(json!({})), size: Size::Matches(4), ..basic };
            (kind.info().id, experiment.run(*kind, 1, &|_| true).unwrap().unwrap())
        };
        catalogue::GAMES.iter().map(report).collect()
    });

    pub(super) fn lab(game: &str, seats: u8, status: Option<RunStatus>, options: Value) -> Lab {
        let kind = catalogue::find(game).unwrap();
        let mut variant = samples::variant(VariantStatus::Published);
        variant.game = game.to_owned();
        Lab {
            variant,
            version: samples::variant_version(2, options, true),
            from: None,
            playable: kind.info().seats.collect(),
            seats,
            search: false,
            may_search: true,
            status,
            progress: 40,
            report: (status == Some(RunStatus::Finished)).then(|| REPORTS[game].clone()),
            seconds_per_move: Some(12.0),
            real: cafe::lab::Real {
                matches: 3,
                minutes: Some(25),
                wins_by_order: Vec::new(),
                wins_by_role: BTreeMap::new(),
            },
        }
    }

    #[test]
    fn a_page_is_complete_for_every_game() {
        for kind in catalogue::GAMES {
            let seats = *kind.info().seats.start();
            samples::check(samples::STAFF, |page| {
                let lab = lab(kind.info().id, seats, Some(RunStatus::Finished), json!({}));
                LabPage::of(page, lab, Some(1)).render()
            });
        }
    }

    #[test]
    fn a_page_is_complete_however_far_it_is() {
        for status in RunStatus::ALL.iter().copied().map(Some).chain([None]) {
            samples::check(samples::STAFF, |page| {
                LabPage::of(page, lab("perudo", 4, status, json!({ "calza": true })), None).render()
            });
        }
    }
}
