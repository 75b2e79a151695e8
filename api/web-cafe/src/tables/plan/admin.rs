//! `/admin/tables/plan`: where the tables of an area stand, dragged or by numbers.

use std::collections::BTreeMap;

use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use base::auth::can;
use base::error::{FieldError, Result, invalid_fields};
use base::inputs::tidy_text;
use play::tables::plan::{self, COLUMNS, LEAST, PlacedTable, PlanRequest, ROWS, Shape, USUAL};
use play::tables::{Sign, TableId, TableRow, store};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Search;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

const PAGE: &str = "/admin/tables/plan";

#[derive(Template)]
#[template(path = "admin/tables/plan.html")]
struct PlanPage<'a> {
    page: &'a Page,
    areas: Vec<Option<String>>,
    area: Option<String>,
    /// Of the plan that is being changed.
    version: String,
    tables: Vec<Furniture>,
    /// Why the plan that was sent is not saved.
    wrong: Vec<String>,
    /// Somebody else has saved another one meanwhile.
    is_old: bool,
}

/// A table, where it stands, and what the form says of that.
struct Furniture {
    table: TableRow,
    place: Option<PlacedTable>,
    /// By field.
    sent: [String; 4],
    is_round: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlanSearch {
    /// The first one if left out, none if empty.
    area: Option<String>,
}

/// `x-<table>`, `y-<table>`, `width-<table>`, `height-<table>`, and `round-<table>` for a round one; `arrange` to let the server place
/// those that have no numbers.
type Sent = BTreeMap<String, String>;

const FIELDS: [&str; 4] = ["x", "y", "width", "height"];

#[get("/admin/tables/plan")]
pub async fn show_plan(
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Search(search): Search<PlanSearch>,
) -> ApiResult<HttpResponse> {
    let conn = cx.conn().await?;
    let (tables, placed) = (store::list(conn, false).await?, plan::store::list(conn).await?);
    let areas = plan::areas(&tables);
    let area = match search.area {
        Some(area) => Some(area).filter(|area| !area.is_empty()),
        None => areas.first().cloned().flatten(),
    };
    let here: Vec<TableRow> = tables.into_iter().filter(|table| table.area == area).collect();
    let placed = of(&here, &placed);
    let version = plan::version(&placed)?;
    let tables = here.into_iter().map(|table| Furniture::of(table, &placed)).collect();
    page.html(&PlanPage { page: &page, areas, area, version, tables, wrong: Vec::new(), is_old: false })
}

#[post("/admin/tables/plan")]
pub async fn save_plan(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Form(sent): Form<Sent>,
) -> ApiResult<HttpResponse> {
    let tables = store::list(cx.conn().await?, false).await?;
    let areas = plan::areas(&tables);
    let area = sent.get("area").map(|area| area.trim().to_owned()).filter(|area| !area.is_empty());
    let here: Vec<TableRow> = tables.into_iter().filter(|table| table.area == area).collect();
    let standing = standing(&sent, &here);
    let names: Vec<String> = standing.iter().map(|table| table.name.clone()).collect();
    let saved = match read(&sent, &here, &standing, area.as_deref()) {
        Ok(request) => plan::save(&mut cx, &request).await,
        Err(err) => Err(err),
    };
    let err = match saved {
        Ok((_, undo)) => {
            return Ok(page.go_with(&address(area.as_deref()), Flash::good("plan-saved", "").undoable(undo)));
        }
        Err(err) => ApiError::from(err),
    };
    let problem = err.problem(page.lang);
    let is_old = problem.code == "plan_changed";
    if problem.errors.is_empty() && !is_old {
        return Err(err);
    }
    let wrong = problem.errors.iter().map(|it| wrong_at(&it.pointer, &it.detail, &names)).collect();
    let version = sent.get("version").cloned().unwrap_or_default();
    let tables = here.into_iter().map(|table| Furniture::sent(table, &sent)).collect();
    let template = PlanPage { page: &page, areas, area, version, tables, wrong, is_old };
    page.html_as(problem.status_code(), &template)
}

fn address(area: Option<&str>) -> String {
    let area = form_urlencoded::byte_serialize(area.unwrap_or_default().as_bytes()).collect::<String>();
    format!("{PAGE}?area={area}")
}

/// Those of the area.
fn of(here: &[TableRow], placed: &[PlacedTable]) -> Vec<PlacedTable> {
    placed.iter().filter(|it| here.iter().any(|table| table.id == it.table_id)).copied().collect()
}

fn name_of(field: &str, table: TableId) -> String {
    format!("{field}-{table}")
}

/// What stands in the fields of a table.
fn fields_of(sent: &Sent, table: TableId) -> [String; 4] {
    FIELDS.map(|field| sent.get(&name_of(field, table)).map(|text| text.trim().to_owned()).unwrap_or_default())
}

/// The tables of which the form says where they stand.
fn standing<'a>(sent: &Sent, here: &'a [TableRow]) -> Vec<&'a TableRow> {
    let is_placed = |table: &&TableRow| fields_of(sent, table.id)[..2].iter().any(|text| !text.is_empty());
    here.iter().filter(is_placed).collect()
}

fn read(sent: &Sent, here: &[TableRow], standing: &[&TableRow], area: Option<&str>) -> Result<PlanRequest> {
    let (mut tables, mut wrong) = (Vec::new(), Vec::new());
    for (at, table) in standing.iter().enumerate() {
        let mut numbers = [0; 4];
        for ((number, text), field) in numbers.iter_mut().zip(fields_of(sent, table.id)).zip(FIELDS) {
            match text.parse() {
                Ok(parsed) => *number = parsed,
                Err(_) => wrong.push(FieldError::new(format!("/tables/{at}/{field}"), "wrong_type")),
            }
        }
        let [x, y, width, height] = numbers;
        let shape = if is_round(sent, table.id) { Shape::Round } else { Shape::Square };
        tables.push(PlacedTable { table_id: table.id, x, y, width, height, shape });
    }
    if !wrong.is_empty() {
        return Err(invalid_fields(wrong));
    }
    if sent.contains_key("arrange") {
        let rest = here.iter().map(|table| table.id).filter(|id| standing.iter().all(|table| table.id != *id));
        tables = plan::arrange(tables, rest);
    }
    let area = area.map(|area| tidy_text(area, 40).map(Sign).map_err(|err| err.at("/area"))).transpose();
    let area = area.map_err(|err| invalid_fields(vec![err]))?;
    Ok(PlanRequest { area, version: sent.get("version").cloned().unwrap_or_default(), tables })
}

fn is_round(sent: &Sent, table: TableId) -> bool {
    sent.contains_key(&name_of("round", table))
}

/// With the name of the table that it is about.
fn wrong_at(pointer: &str, detail: &str, names: &[String]) -> String {
    let at = pointer.strip_prefix("/tables/").and_then(|rest| rest.split('/').next()?.parse::<usize>().ok());
    match at.and_then(|at| names.get(at)) {
        Some(name) => format!("{name}: {detail}"),
        None => detail.to_owned(),
    }
}

impl Furniture {
    fn of(table: TableRow, placed: &[PlacedTable]) -> Self {
        let place = placed.iter().find(|it| it.table_id == table.id).copied();
        let numbers = |it: PlacedTable| [it.x, it.y, it.width, it.height].map(|number| number.to_string());
        let is_round = place.is_some_and(|it| it.shape == Shape::Round);
        Self { table, sent: place.map(numbers).unwrap_or_default(), place, is_round }
    }

    /// As it was sent, and drawn where that is within the lattice.
    fn sent(table: TableRow, sent: &Sent) -> Self {
        let (fields, is_round) = (fields_of(sent, table.id), is_round(sent, table.id));
        let shape = if is_round { Shape::Round } else { Shape::Square };
        let numbers = fields.each_ref().map(|text| text.parse::<i16>().unwrap_or(0));
        let within = |[x, y, width, height]: [i16; 4]| {
            (1..=COLUMNS).contains(&x)
                && (1..=ROWS).contains(&y)
                && (LEAST..=COLUMNS).contains(&width)
                && (LEAST..=ROWS).contains(&height)
        };
        let [x, y, width, height] = numbers;
        let place = within(numbers).then_some(PlacedTable { table_id: table.id, x, y, width, height, shape });
        Self { table, place, sent: fields, is_round }
    }
}

impl PlanPage<'_> {
    /// The address of an area's plan.
    fn address(&self, area: &Option<String>) -> String {
        address(area.as_deref())
    }

    fn is_shown(&self, area: &Option<String>) -> bool {
        self.area == *area
    }

    /// What the area is called, also where tables have none.
    fn name(&self, area: &Option<String>) -> String {
        area.clone().unwrap_or_else(|| self.page.t("plan-no-area"))
    }

    /// A field with its name, its bounds, and what stands there, for each of a table's.
    fn fields<'a>(&self, it: &'a Furniture) -> Vec<(&'static str, &'static str, i16, i16, &'a String)> {
        let bounds = [("x", 1, COLUMNS - 1), ("y", 1, ROWS - 1), ("width", LEAST, COLUMNS), ("height", LEAST, ROWS)];
        let keys = ["plan-x", "plan-y", "plan-width", "plan-height"];
        let all = bounds.into_iter().zip(keys).zip(&it.sent);
        all.map(|(((field, least, most), key), text)| (field, key, least, most, text)).collect()
    }

    fn has_rest(&self) -> bool {
        self.tables.iter().any(|it| it.place.is_none())
    }

    /// Columns, rows, the least size of a table and its usual size.
    fn lattice(&self) -> (i16, i16, i16, i16) {
        (COLUMNS, ROWS, LEAST, USUAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for (is_old, wrong) in [(false, Vec::new()), (true, vec!["1번: ?".to_owned()])] {
            samples::check(samples::MANAGERS, |page| {
                let (one, two) = (samples::table("1번"), samples::table("2번"));
                let place = PlacedTable { table_id: one.id, x: 1, y: 2, width: 3, height: 4, shape: Shape::Round };
                let tables = [one, two].map(|table| Furniture::of(table, &[place])).into();
                let areas = vec![Some("창가".to_owned()), None];
                let (area, version) = (areas[0].clone(), "5feceb66ffc86f38".to_owned());
                PlanPage { page: &page, areas, area, version, tables, wrong: wrong.clone(), is_old }.render()
            });
        }
    }

    #[test]
    fn a_form_says_where_tables_stand_and_what_is_left_empty_stands_nowhere() {
        let here = vec![samples::table("1번"), samples::table("2번"), samples::table("3번")];
        let fields = |texts: [(&str, usize, &str); 5]| -> Sent {
            texts.into_iter().map(|(field, at, text)| (name_of(field, here[at].id), text.to_owned())).collect()
        };
        let sent = fields([("x", 1, " 4 "), ("y", 1, "2"), ("width", 1, "3"), ("height", 1, "3"), ("width", 2, "3")]);
        let request = read(&sent, &here, &standing(&sent, &here), Some("창가")).unwrap();
        let [place] = request.tables[..] else { panic!("one stands somewhere") };
        assert_eq!((place.table_id, place.x, place.y, place.shape), (here[1].id, 4, 2, Shape::Square));
        let broken = fields([("x", 0, "1"), ("y", 0, "1"), ("width", 0, "3"), ("height", 0, "3"), ("x", 2, "a")]);
        let err = read(&broken, &here, &standing(&broken, &here), None).unwrap_err();
        let told: Vec<_> = ApiError::from(err).refusal().unwrap().fields.iter().map(|it| it.pointer.clone()).collect();
        assert_eq!(told, ["/tables/1/x", "/tables/1/y", "/tables/1/width", "/tables/1/height"]);
        assert_eq!(wrong_at(&told[0], "?", &["1번".to_owned(), "3번".to_owned()]), "3번: ?");
    }
}
