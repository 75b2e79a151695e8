//! `/admin/tables`: the tables of the floor, and the sheets with their codes to print.

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::rest::base_url;
use super::{Sign, TableChange, TableId, TableRequest, TableRow, page_url, store};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiError, ApiResult, FieldError, bad_request, invalid_fields, not_found};
use crate::extract::{Path, Search, tidy_text};
use crate::live::Live;
use crate::page::{Desk, Flash, Form, Page};
use crate::world::World;

const LIST: &str = "/admin/tables";

type Means = (Data<Db>, Data<World>, Data<Live>);

#[derive(Template)]
#[template(path = "admin/tables/list.html")]
struct TableListPage {
    page: Page,
    tables: Vec<TableRow>,
    archived: Vec<TableRow>,
    tried: Tried,
}

#[derive(Template)]
#[template(path = "admin/tables/qr.html")]
struct QrPage {
    page: Page,
    per_page: usize,
    sheets: Vec<Vec<Label>>,
}

/// What stands on a table.
struct Label {
    name: String,
    code: String,
    url: String,
    picture: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableForm {
    name: String,
    area: String,
    seats: String,
}

/// A form that was sent and could not be taken, with what is wrong at which field.
#[derive(Default)]
struct Tried {
    /// The table that was to be changed; none for a new one.
    id: Option<TableId>,
    form: TableForm,
    name: Option<String>,
    area: Option<String>,
    seats: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Direction {
    Up,
    Down,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoveForm {
    to: Direction,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct QrSearch {
    per_page: Option<usize>,
    /// This table alone.
    table: Option<TableId>,
}

#[get("/admin/tables")]
pub(crate) async fn show_tables(db: Data<Db>, Desk { page, .. }: Desk) -> ApiResult<HttpResponse> {
    list(&mut *db.conn().await?, page, StatusCode::OK, Tried::default()).await
}

#[post("/admin/tables")]
pub(crate) async fn make_table(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Form(form): Form<TableForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let made = match form.read() {
        Ok((name, area, seats)) => {
            let request = TableRequest { name, area, seats, position: None };
            super::create(&mut conn, &world, &live, &staff, &request).await
        }
        Err(err) => Err(err),
    };
    match made {
        Ok(table) => Ok(page.go_with(LIST, Flash::good("table-made", &table.name))),
        Err(err) => refuse(&mut conn, page, err, None, form).await,
    }
}

#[post("/admin/tables/{id}")]
pub(crate) async fn change_table(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TableId>,
    Form(form): Form<TableForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let changed = match form.read() {
        Ok((name, area, seats)) => {
            let change =
                TableChange { name: Some(name), area: Some(area), seats: Some(seats), ..TableChange::default() };
            super::change(&mut conn, &world, &live, &staff, id, &change).await
        }
        Err(err) => Err(err),
    };
    match changed {
        Ok(table) => Ok(page.go_with(LIST, Flash::good("table-changed", &table.name))),
        Err(err) => refuse(&mut conn, page, err, Some(id), form).await,
    }
}

/// One place up or down. Numbers all places anew, so that tables of equal position get an order too.
#[post("/admin/tables/{id}/position")]
pub(crate) async fn move_table(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TableId>,
    Form(form): Form<MoveForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let mut tables = store::list(&mut conn, false).await?;
    let at = tables.iter().position(|table| table.id == id).ok_or_else(|| not_found("table_not_found"))?;
    let to = match form.to {
        Direction::Up => at.checked_sub(1),
        Direction::Down => Some(at + 1).filter(|to| *to < tables.len()),
    };
    if let Some(to) = to {
        tables.swap(at, to);
        for (table, position) in tables.iter().zip(1_i64..) {
            if i64::from(table.position) != position {
                let change = TableChange { position: Some(position), ..TableChange::default() };
                super::change(&mut conn, &world, &live, &staff, table.id, &change).await?;
            }
        }
    }
    Ok(page.go_to(&format!("{LIST}#t{id}")))
}

#[post("/admin/tables/{id}/archive")]
pub(crate) async fn archive_table(means: Means, desk: Desk, id: Path<TableId>, _: Form<()>) -> ApiResult<HttpResponse> {
    set_archived(means, desk, id, true).await
}

#[post("/admin/tables/{id}/restore")]
pub(crate) async fn restore_table(means: Means, desk: Desk, id: Path<TableId>, _: Form<()>) -> ApiResult<HttpResponse> {
    set_archived(means, desk, id, false).await
}

#[get("/admin/tables/qr")]
pub(crate) async fn show_codes(
    db: Data<Db>,
    config: Data<Config>,
    request: HttpRequest,
    Desk { page, .. }: Desk,
    Search(search): Search<QrSearch>,
) -> ApiResult<HttpResponse> {
    let per_page = search.per_page.unwrap_or(4);
    if ![1, 4, 8].contains(&per_page) {
        return Err(bad_request("invalid_query"));
    }
    let tables = store::list(&mut *db.conn().await?, false).await?;
    let wanted = tables.into_iter().filter(|table| search.table.is_none_or(|id| id == table.id));
    let base = base_url(&config, &request);
    let labels = wanted.map(|table| Label {
        url: page_url(&base, &table.code),
        picture: format!("/api/v1/tables/{}/qr.svg", table.id),
        name: table.name,
        code: table.code,
    });
    let mut sheets: Vec<Vec<Label>> = Vec::new();
    for label in labels {
        match sheets.last_mut().filter(|sheet| sheet.len() < per_page) {
            Some(sheet) => sheet.push(label),
            None => sheets.push(vec![label]),
        }
    }
    let template = QrPage { page, per_page, sheets };
    template.page.html(&template)
}

async fn set_archived(
    (db, world, live): Means,
    Desk { page, staff }: Desk,
    Path(id): Path<TableId>,
    archived: bool,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let change = TableChange { archived: Some(archived), ..TableChange::default() };
    let flash = match super::change(&mut conn, &world, &live, &staff, id, &change).await {
        Ok(table) if archived => Flash::good("table-archived", &table.name),
        Ok(table) => Flash::good("table-restored", &table.name),
        Err(err) if err.code() == "table_name_taken" => Flash::bad("table-name-taken", ""),
        Err(err) => return Err(err),
    };
    Ok(page.go_with(LIST, flash))
}

/// The list again, with what is wrong beside each field.
async fn refuse(
    conn: &mut AsyncPgConnection,
    page: Page,
    err: ApiError,
    id: Option<TableId>,
    form: TableForm,
) -> ApiResult<HttpResponse> {
    let problem = err.problem(page.lang);
    if problem.errors.is_empty() {
        return Err(err);
    }
    let at = |pointer: &str| problem.errors.iter().find(|it| it.pointer == pointer).map(|it| it.detail.clone());
    let tried = Tried { id, form, name: at("/name"), area: at("/area"), seats: at("/seats") };
    list(conn, page, StatusCode::UNPROCESSABLE_ENTITY, tried).await
}

async fn list(conn: &mut AsyncPgConnection, page: Page, status: StatusCode, tried: Tried) -> ApiResult<HttpResponse> {
    let all = store::list(conn, true).await?;
    let (archived, tables) = all.into_iter().partition(|table| table.archived_at.is_some());
    let template = TableListPage { page, tables, archived, tried };
    template.page.html_as(status, &template)
}

impl TableForm {
    fn read(&self) -> ApiResult<(Sign, Option<Sign>, i64)> {
        let name = tidy_text(&self.name, 40).map(Sign).map_err(|err| err.at("/name"));
        let area = match self.area.trim() {
            "" => Ok(None),
            area => tidy_text(area, 40).map(Sign).map(Some).map_err(|err| err.at("/area")),
        };
        let seats = self.seats.trim().parse::<i64>().map_err(|_| FieldError::new("/seats", "out_of_range"));
        match (name, area, seats) {
            (Ok(name), Ok(area), Ok(seats)) => Ok((name, area, seats)),
            (name, area, seats) => {
                Err(invalid_fields([name.err(), area.err(), seats.err()].into_iter().flatten().collect()))
            }
        }
    }
}

impl TableListPage {
    fn tries_new(&self) -> bool {
        let Tried { id, name, area, seats, .. } = &self.tried;
        id.is_none() && (name.is_some() || area.is_some() || seats.is_some())
    }

    fn tries(&self, table: &TableRow) -> bool {
        self.tried.id == Some(table.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_is_read_or_says_what_is_wrong_with_each_field() {
        let form = |name: &str, area: &str, seats: &str| TableForm {
            name: name.to_owned(),
            area: area.to_owned(),
            seats: seats.to_owned(),
        };
        let (name, area, seats) = form(" 1번 ", " ", "4").read().unwrap();
        assert_eq!((name.0.as_str(), area.is_none(), seats), ("1번", true, 4));
        let ApiError::Refused(refusal) = form("", &"x".repeat(41), "four").read().unwrap_err() else { panic!() };
        let pointers: Vec<_> = refusal.fields.iter().map(|field| field.pointer.as_str()).collect();
        assert_eq!(pointers, ["/name", "/area", "/seats"]);
    }
}
