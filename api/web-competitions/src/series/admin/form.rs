//! The form of a series: its name, what events bring, what counts, and its divisions.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::tournaments::{SeriesPoints, SeriesRules};

use super::address;
use crate::series::view::{TIE_BREAKS, tie_break_key, word};
use crate::tournaments::admin::draft::{hundredths, written};
use base::auth::can;
use base::error::{FieldError, Result, conflict, invalid_fields};
use base::ids::SeriesId;
use competitions::series::{
    self, DivisionRequest, DivisionRow, MOST_DIVISIONS, SeriesChange, SeriesName, SeriesRequest, SeriesRow,
};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Edit, Flash, Form, Page, StaffPage};

const POINTS: [&str; 3] = ["places", "score", "beaten"];
/// So many divisions more than there are can be named.
const BLANK: usize = 2;

#[derive(Template)]
#[template(path = "admin/series/form.html")]
struct FormPage {
    page: Page,
    /// None for a new one.
    id: Option<SeriesId>,
    fields: Fields,
    edit: Edit,
    /// What is wrong, in words.
    wrong: Vec<String>,
}

/// The fields of the form.
struct Fields(BTreeMap<String, String>);

#[get("/admin/series/new")]
pub async fn show_new_series(StaffPage { page, .. }: StaffPage<can::ManageTournaments>) -> ApiResult<HttpResponse> {
    let template = FormPage::of(page, None, Fields::usual());
    template.page.html(&template)
}

#[post("/admin/series/new")]
pub async fn make_series(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Form(sent): Form<BTreeMap<String, String>>,
) -> ApiResult<HttpResponse> {
    let fields = Fields(sent);
    let made = match fields.request() {
        Ok(request) => series::create(&mut cx, &request).await,
        Err(err) => Err(err),
    };
    match made {
        Ok(id) => Ok(page.go_with(&address(id), Flash::good("series-saved", ""))),
        Err(err) => FormPage::of(page, None, fields).refuse(err.into()),
    }
}

#[get("/admin/series/{id}/edit")]
pub async fn show_series_form(
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
) -> ApiResult<HttpResponse> {
    let season = series::load_for_staff(&mut cx, id).await?;
    let fields = Fields::of(&season.row, &season.divisions);
    let edit = Edit::of(fields.0.clone());
    let template = FormPage { edit, ..FormPage::of(page, Some(id), fields) };
    template.page.html(&template)
}

#[post("/admin/series/{id}/edit")]
pub async fn change_series(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTournaments>,
    Path(id): Path<SeriesId>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let change = |row: &SeriesRow, divisions: &[DivisionRow]| -> Result<SeriesChange> {
        let SeriesRequest { name, rules, divisions } = Fields::onto(&edit, &Fields::of(row, divisions))?.request()?;
        let (name, rules, divisions) = (Some(name), Some(rules), Some(divisions));
        Ok(SeriesChange { name, rules, divisions, ..SeriesChange::default() })
    };
    let err = match series::edit(&mut cx, id, None, &change).await {
        Ok((row, divisions)) => {
            let is_merged = edit.keeps_others(&Fields::of(&row, &divisions).0);
            let key = if is_merged { "form-merged" } else { "series-saved" };
            return Ok(page.go_with(&address(id), Flash::good(key, "")));
        }
        Err(err) if err.is_refusal() => err,
        Err(err) => return Err(err.into()),
    };
    if err.code() != "form_changed" {
        let form = FormPage::of(page, Some(id), Fields(edit.typed().clone()));
        return FormPage { edit, ..form }.refuse(err.into());
    }
    let season = series::load_for_staff(&mut cx, id).await?;
    let now = Fields::of(&season.row, &season.divisions);
    let wrong = Fields::clashes(&edit, &now).iter().map(|(name, value)| told(&page, name, value)).collect();
    let edit = edit.again(now.0);
    let form = FormPage { wrong, ..FormPage::of(page, Some(id), Fields(edit.typed().clone())) };
    let form = FormPage { edit, ..form };
    form.page.html_as(StatusCode::CONFLICT, &form)
}

impl FormPage {
    fn of(page: Page, id: Option<SeriesId>, fields: Fields) -> Self {
        Self { page, id, fields, edit: Edit::default(), wrong: Vec::new() }
    }

    /// The form again, with what is wrong.
    fn refuse(mut self, err: ApiError) -> ApiResult<HttpResponse> {
        if !err.is_refusal() {
            return Err(err);
        }
        let problem = err.problem(self.page.lang);
        for it in &problem.errors {
            self.wrong.push(match label(&it.pointer) {
                Some(key) => format!("{}: {}", self.page.t(key), it.detail),
                None => it.detail.clone(),
            });
        }
        if self.wrong.is_empty() {
            self.wrong.push(problem.detail);
        }
        self.page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &self)
    }

    fn title(&self) -> String {
        self.page.t(if self.id.is_some() { "series-change" } else { "series-make" })
    }

    /// Where the form goes, and where one comes back to.
    fn action(&self) -> String {
        self.id.map_or_else(|| "/admin/series/new".to_owned(), |id| format!("{}/edit", address(id)))
    }

    fn back(&self) -> String {
        self.id.map_or_else(|| "/admin/series".to_owned(), address)
    }

    fn points_key(&self, kind: &str) -> String {
        self.page.t(&format!("series-by-{kind}"))
    }

    fn tie_breaks(&self) -> Vec<(&'static str, String)> {
        TIE_BREAKS.iter().map(|it| (word(*it), self.page.t(&tie_break_key(*it)))).collect()
    }
}

/// What a field is called on the page.
fn label(pointer: &str) -> Option<&'static str> {
    match pointer {
        "/name" => Some("series-name"),
        "/rules/points/scale" => Some("scoring-scale"),
        "/rules/best" => Some("series-best"),
        "/rules/attendance" => Some("series-attendance"),
        "/rules/tie_breaks" => Some("tie-breaks"),
        _ if pointer.starts_with("/divisions") => Some("series-divisions"),
        _ => None,
    }
}

/// What somebody else has put into a field that was changed here as well.
fn told(page: &Page, name: &str, value: &str) -> String {
    let (kind, number) = name.split_once('-').unwrap_or((name, ""));
    let division = || page.say("series-division-name").with("number", number).to_string();
    let label = match kind {
        "name" => page.t("series-name"),
        "points" => page.t("series-points"),
        "scale" => page.t("scoring-scale"),
        "best" => page.t("series-best"),
        "attendance" => page.t("series-attendance"),
        "tie" => page.say("tie-break-number").with("number", number).to_string(),
        "promoted" => format!("{} · {}", division(), page.t("series-up")),
        "relegated" => format!("{} · {}", division(), page.t("series-down")),
        _ => division(),
    };
    let now = match kind {
        "points" => page.t(&format!("series-by-{value}")),
        "tie" if !value.is_empty() => page.t(&format!("series-tie-{value}")),
        _ => value.to_owned(),
    };
    format!("{label}: {}", page.now_in_field(&now))
}

impl Fields {
    /// What somebody has made of the form of a series, onto the series as it is now.
    fn onto(edit: &Edit, now: &Self) -> Result<Self> {
        match Self::clashes(edit, now).is_empty() {
            true => edit.onto(&now.0).map(Self),
            false => Err(conflict("form_changed")),
        }
    }

    /// What somebody else has put into fields that were changed in the form as well, or into the name of a division of which something
    /// was.
    fn clashes(edit: &Edit, now: &Self) -> Vec<(String, String)> {
        let hangs = |division: &str, name: &str| {
            let number = division.trim_start_matches("division-");
            name.strip_prefix("promoted-").or(name.strip_prefix("relegated-")) == Some(number)
        };
        edit.clashes_with_heads(&now.0, (1..=MOST_DIVISIONS).map(|at| format!("division-{at}")), hangs)
    }

    /// What a new series begins with.
    fn usual() -> Self {
        let usual = [
            ("points", "places"),
            ("scale", "10 7 5 4 3 2 1"),
            ("attendance", "1"),
            ("tie-1", "wins"),
            ("tie-2", "latest"),
        ];
        Self(usual.map(|(name, value)| (name.to_owned(), value.to_owned())).into())
    }

    /// A series as it is, also where that is empty.
    fn of(row: &SeriesRow, divisions: &[DivisionRow]) -> Self {
        let rules = &row.rules;
        let mut fields = BTreeMap::new();
        let mut set = |name: String, value: String| drop(fields.insert(name, value));
        set("name".to_owned(), row.name.clone());
        let (kind, scale) = match &rules.points {
            SeriesPoints::Places { scale } => {
                ("places", scale.iter().map(|it| written(*it)).collect::<Vec<_>>().join(" "))
            }
            SeriesPoints::Score {} => ("score", String::new()),
            SeriesPoints::Beaten {} => ("beaten", String::new()),
        };
        set("points".to_owned(), kind.to_owned());
        set("scale".to_owned(), scale);
        set("best".to_owned(), rules.best.map(|it| it.to_string()).unwrap_or_default());
        set("attendance".to_owned(), written(rules.attendance));
        for (at, it) in (1..).zip(&rules.tie_breaks) {
            set(format!("tie-{at}"), word(*it).to_owned());
        }
        for it in divisions {
            set(format!("division-{}", it.number), it.name.clone());
            set(format!("promoted-{}", it.number), it.promoted.to_string());
            set(format!("relegated-{}", it.number), it.relegated.to_string());
        }
        let mut all = Self(fields);
        let ties = all.ties().map(|at| format!("tie-{at}"));
        let of_division = |at: usize| ["division", "promoted", "relegated"].map(|name| format!("{name}-{at}"));
        let shown: Vec<String> = ties.chain(all.divisions().flat_map(of_division)).collect();
        for name in shown {
            all.0.entry(name).or_default();
        }
        all
    }

    fn value(&self, name: &str) -> &str {
        self.0.get(name).map(|it| it.trim()).unwrap_or_default()
    }

    /// A field of a row.
    fn at(&self, name: &str, at: &usize) -> &str {
        self.value(&format!("{name}-{at}"))
    }

    fn is(&self, name: &str, value: &str) -> bool {
        self.value(name) == value
    }

    fn is_tie(&self, at: &usize, word: &str) -> bool {
        self.at("tie", at) == word
    }

    fn ties(&self) -> std::ops::RangeInclusive<usize> {
        1..=TIE_BREAKS.len()
    }

    /// The rows of divisions: those with a name, and some more.
    fn divisions(&self) -> std::ops::RangeInclusive<usize> {
        let last = (1..=MOST_DIVISIONS).rev().find(|at| !self.at("division", at).is_empty()).unwrap_or(0);
        1..=(last + BLANK).min(MOST_DIVISIONS)
    }

    fn request(&self) -> Result<SeriesRequest> {
        let mut wrong = Vec::new();
        let mut refuse = |pointer: &'static str, code: &'static str| wrong.push(FieldError::new(pointer, code));
        let name = SeriesName::parse(self.value("name"));
        let points = match self.value("points") {
            "score" => SeriesPoints::Score {},
            "beaten" => SeriesPoints::Beaten {},
            _ => {
                let scale: Option<Vec<i32>> = self.value("scale").split_whitespace().map(hundredths).collect();
                if scale.is_none() {
                    refuse("/rules/points/scale", "bad_scale");
                }
                SeriesPoints::Places { scale: scale.unwrap_or_default() }
            }
        };
        let best = match self.value("best") {
            "" => None,
            typed => Some(typed.parse().unwrap_or(0)),
        };
        let attendance = match self.value("attendance") {
            "" => Some(0),
            typed => hundredths(typed),
        };
        if attendance.is_none() {
            refuse("/rules/attendance", "out_of_range");
        }
        let tie = |at: usize| TIE_BREAKS.into_iter().find(|it| self.is_tie(&at, word(*it)));
        let tie_breaks = (1..=TIE_BREAKS.len()).filter_map(tie).collect();
        let mut divisions = Vec::new();
        for at in (1..=MOST_DIVISIONS).filter(|at| !self.at("division", at).is_empty()) {
            let many = |name: &str| match self.at(name, &at) {
                "" => Some(0),
                typed => typed.parse().ok(),
            };
            match (SeriesName::parse(self.at("division", &at)), many("promoted"), many("relegated")) {
                (Ok(name), Some(promoted), Some(relegated)) => {
                    divisions.push(DivisionRequest { name, promoted, relegated });
                }
                (Err(err), ..) => wrong.push(err.at("/divisions")),
                _ => wrong.push(FieldError::new("/divisions", "out_of_range")),
            }
        }
        let rules = SeriesRules { points, best, attendance: attendance.unwrap_or_default(), tie_breaks };
        match name {
            Ok(name) if wrong.is_empty() => Ok(SeriesRequest { name, rules, divisions }),
            Ok(_) => Err(invalid_fields(wrong)),
            Err(err) => {
                wrong.insert(0, err.at("/name"));
                Err(invalid_fields(wrong))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::samples::seasons;
    use web_base::page::samples;

    #[test]
    fn forms_are_complete_and_say_what_the_series_is() {
        samples::check(samples::MANAGERS, |page| FormPage::of(page, None, Fields::usual()).render());
        for season in seasons() {
            let of = || Fields::of(&season.row, &season.divisions);
            let fields = of();
            let request = fields.request().unwrap();
            assert_eq!((request.name.0, request.rules), (season.row.name.clone(), season.row.rules.0.clone()));
            let names: Vec<String> = request.divisions.into_iter().map(|it| it.name.0).collect();
            assert_eq!(names, season.divisions.iter().map(|it| it.name.clone()).collect::<Vec<_>>());
            samples::check(samples::MANAGERS, |page| {
                let wrong = vec![page.t("field-out_of_range")];
                FormPage { wrong, edit: Edit::of(of().0), ..FormPage::of(page, Some(season.row.id), of()) }.render()
            });
        }
    }

    #[test]
    fn a_row_of_divisions_that_is_another_by_now_is_told() {
        let now = |divisions: &[&str]| {
            let mut season = seasons().remove(0);
            let row = |(number, name): (i16, &&str)| DivisionRow {
                number,
                name: (*name).to_owned(),
                promoted: 0,
                relegated: 1,
            };
            season.divisions = (1..).zip(divisions).map(row).collect();
            Fields::of(&season.row, &season.divisions)
        };
        let told = |changed: (&str, &str), divisions: &[&str]| {
            let seen = now(&["1부", "2부"]).0;
            let mut fields = seen.clone();
            fields.extend(seen.into_iter().map(|(name, value)| (format!("seen.{name}"), value)));
            fields.insert(changed.0.to_owned(), changed.1.to_owned());
            let (edit, now) = (Edit::from(fields), now(divisions));
            (Fields::onto(&edit, &now).is_err(), Fields::clashes(&edit, &now))
        };
        let clash = |name: &str, value: &str| (true, vec![(name.to_owned(), value.to_owned())]);
        // Somebody else has put one before them.
        let more = ["특별부", "1부", "2부"];
        assert_eq!(told(("relegated-1", "2"), &more), clash("division-1", "특별부"));
        assert_eq!(told(("division-3", "3부"), &more), clash("division-3", "2부"));
        assert_eq!(told(("name", "겨울 시즌"), &more), (false, Vec::new()));
        assert_eq!(told(("relegated-1", "2"), &["1부", "둘째"]), (false, Vec::new()));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for (field, value) in [("name", ""), ("scale", "10 x"), ("attendance", "one"), ("promoted-1", "many")] {
            let mut fields = Fields::usual();
            for (name, value) in [("name", "시즌"), ("division-1", "1부"), (field, value)] {
                fields.0.insert(name.to_owned(), value.to_owned());
            }
            assert!(fields.request().is_err(), "{field}");
        }
    }
}
