//! `/admin/tables`: the tables of the floor.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use base::auth::can;
use base::error::{FieldError, Result, invalid_fields, not_found};
use base::inputs::tidy_text;
use play::tables::{Reason, Sign, TableChange, TableDetails, TableId, TableRequest, TableRow, store};
use web_base::error::{ApiError, ApiResult};
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::preferences::own_path;
use web_base::page::{Edit, Fields, Flash, Form, Page, StaffPage};

const LIST: &str = "/admin/tables";

#[derive(Template)]
#[template(path = "admin/tables/list.html")]
struct TableListPage {
    page: Page,
    tables: Vec<TableRow>,
    archived: Vec<TableRow>,
    tried: Tried,
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
    edit: Edit,
    form: TableForm,
    name: Option<String>,
    area: Option<String>,
    seats: Option<String>,
    /// The table that stays in service since somebody sits there, and the reason that was given.
    reason: Option<(TableId, String)>,
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
    to: Option<Direction>,
    /// From 1 on.
    place: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ServiceForm {
    reason: Option<String>,
    /// Where to go then, if not to the list of tables.
    back: Option<String>,
}

#[get("/admin/tables")]
pub async fn show_tables(StaffPage { page, mut cx }: StaffPage<can::ManageTables>) -> ApiResult<HttpResponse> {
    list(cx.conn().await?, page, StatusCode::OK, Tried::default()).await
}

#[post("/admin/tables")]
pub async fn make_table(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Form(form): Form<TableForm>,
) -> ApiResult<HttpResponse> {
    let made = match form.read() {
        Ok((name, area, seats)) => {
            let request = TableRequest { name, area, seats, position: None };
            play::tables::create(&mut cx, &request).await
        }
        Err(err) => Err(err),
    };
    match made {
        Ok(table) => Ok(page.go_with(LIST, Flash::good("table-made", &table.name))),
        Err(err) => refuse(cx.conn().await?, page, err.into(), Tried { form, ..Tried::default() }).await,
    }
}

#[post("/admin/tables/{id}")]
pub async fn change_table(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Path(id): Path<TableId>,
    Form(edit): Form<Edit>,
) -> ApiResult<HttpResponse> {
    let change = |now: &TableDetails| TableForm::of(&edit.onto(&fields(now))?).change();
    match play::tables::edit(&mut cx, id, &change).await {
        Ok((table, undo)) => {
            let key = if edit.keeps_others(&fields(&table.details())) { "form-merged" } else { "table-changed" };
            Ok(page.go_with(LIST, Flash::good(key, &table.name).undoable(undo)))
        }
        Err(err) if err.code() == "form_changed" => {
            let conn = cx.conn().await?;
            let table = store::find(conn, id).await?.ok_or_else(|| not_found("table_not_found"))?;
            let now = fields(&table.details());
            let at = |name: &str| edit.clash(&now, name).map(|value| page.now_in_field(value));
            let (name, area, seats) = (at("name"), at("area"), at("seats"));
            let edit = edit.again(now);
            let tried =
                Tried { id: Some(id), form: TableForm::of(edit.typed()), edit, name, area, seats, reason: None };
            list(conn, page, StatusCode::CONFLICT, tried).await
        }
        Err(err) => {
            let tried = Tried { id: Some(id), form: TableForm::of(edit.typed()), edit, ..Tried::default() };
            refuse(cx.conn().await?, page, err.into(), tried).await
        }
    }
}

/// One place up or down, or to the place of this number.
#[post("/admin/tables/{id}/position")]
pub async fn move_table(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Path(id): Path<TableId>,
    Form(form): Form<MoveForm>,
) -> ApiResult<HttpResponse> {
    let place = form.place.unwrap_or(0).saturating_sub(1);
    let to = |at: usize| match form.to {
        Some(Direction::Up) => at.saturating_sub(1),
        Some(Direction::Down) => at + 1,
        None => place,
    };
    let placed = play::tables::place(&mut cx, id, to).await;
    let flash = Flash::after(placed, |undo| Flash::good("table-placed", "").undoable(undo))?;
    Ok(page.go_with(&format!("{LIST}#t{id}"), flash))
}

/// Out of service for this reason, or back if there is none.
#[post("/admin/tables/{id}/service")]
pub async fn set_service(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageTables>,
    id: Path<TableId>,
    Form(form): Form<ServiceForm>,
) -> ApiResult<HttpResponse> {
    let (key, reason) = match form.reason.as_deref().map(|reason| tidy_text(reason, Reason::MAX)) {
        None => ("table-back", None),
        Some(Ok(reason)) => ("table-out", Some(Reason(reason))),
        Some(Err(_)) => return Ok(staff.page.go_with(LIST, Flash::bad("table-reason-wrong", ""))),
    };
    let back = form.back.as_deref().map_or(LIST, own_path);
    set(staff, id, key, TableChange { out_of_service: Some(reason), ..TableChange::default() }, back).await
}

#[post("/admin/tables/{id}/archive")]
pub async fn archive_table(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageTables>,
    id: Path<TableId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    set(staff, id, "table-archived", TableChange { archived: Some(true), ..TableChange::default() }, LIST).await
}

/// On to the new code, to print it.
#[post("/admin/tables/{id}/code")]
pub async fn renew_code(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Path(id): Path<TableId>,
    Form(()): Form<()>,
) -> ApiResult<HttpResponse> {
    let table = play::tables::renew_code(&mut cx, id).await?;
    let path = format!("/admin/tables/qr?per_page=1&table={}", table.id);
    Ok(page.go_with(&path, Flash::good("table-new-code", &table.name)))
}

#[post("/admin/tables/{id}/restore")]
pub async fn restore_table(
    _: Budget<Writes>,
    staff: StaffPage<can::ManageTables>,
    id: Path<TableId>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    set(staff, id, "table-restored", TableChange { archived: Some(false), ..TableChange::default() }, LIST).await
}

async fn set(
    StaffPage { page, mut cx }: StaffPage<can::ManageTables>,
    Path(id): Path<TableId>,
    key: &str,
    change: TableChange,
    back: &str,
) -> ApiResult<HttpResponse> {
    let changed = play::tables::change(&mut cx, id, &change).await;
    if let (Err(err), Some(Some(Reason(reason)))) = (&changed, change.out_of_service)
        && err.code() == "table_occupied"
    {
        let tried = Tried { reason: Some((id, reason)), ..Tried::default() };
        return list(cx.conn().await?, page, StatusCode::CONFLICT, tried).await;
    }
    let flash = Flash::after(changed, |(table, undo)| Flash::good(key, &table.name).undoable(undo))?;
    Ok(page.go_with(back, flash))
}

/// The list again, with what is wrong beside each field.
async fn refuse(conn: &mut AsyncPgConnection, page: Page, err: ApiError, tried: Tried) -> ApiResult<HttpResponse> {
    let problem = err.problem(page.lang);
    if problem.errors.is_empty() {
        return Err(err);
    }
    let at = |pointer: &str| problem.errors.iter().find(|it| it.pointer == pointer).map(|it| it.detail.clone());
    let tried = Tried { name: at("/name"), area: at("/area"), seats: at("/seats"), ..tried };
    list(conn, page, StatusCode::UNPROCESSABLE_ENTITY, tried).await
}

async fn list(conn: &mut AsyncPgConnection, page: Page, status: StatusCode, tried: Tried) -> ApiResult<HttpResponse> {
    let all = store::list(conn, true).await?;
    let (archived, tables) = all.into_iter().partition(|table| table.archived_at.is_some());
    let template = TableListPage { page, tables, archived, tried };
    template.page.html_as(status, &template)
}

/// What the form of a table holds.
fn fields(table: &TableDetails) -> Fields {
    let area = table.area.clone().unwrap_or_default();
    [("name", table.name.clone()), ("area", area), ("seats", table.seats.to_string())]
        .map(|(name, value)| (name.to_owned(), value))
        .into()
}

impl TableForm {
    fn of(fields: &Fields) -> Self {
        let typed = |name: &str| fields.get(name).cloned().unwrap_or_default();
        Self { name: typed("name"), area: typed("area"), seats: typed("seats") }
    }

    fn change(&self) -> Result<TableChange> {
        let (name, area, seats) = self.read()?;
        Ok(TableChange { name: Some(name), area: Some(area), seats: Some(seats), ..TableChange::default() })
    }

    fn read(&self) -> Result<(Sign, Option<Sign>, i64)> {
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

    fn refused_reason(&self, table: &TableRow) -> Option<&str> {
        self.tried.reason.as_ref().filter(|(id, _)| *id == table.id).map(|(_, reason)| reason.as_str())
    }

    fn edit(&self, table: &TableRow) -> Edit {
        if self.tries(table) { self.tried.edit.clone() } else { Edit::of(fields(&table.details())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_form_is_read_or_says_what_is_wrong_with_each_field() {
        let form = |name: &str, area: &str, seats: &str| TableForm {
            name: name.to_owned(),
            area: area.to_owned(),
            seats: seats.to_owned(),
        };
        let (name, area, seats) = form(" 1번 ", " ", "4").read().unwrap();
        assert_eq!((name.0.as_str(), area.is_none(), seats), ("1번", true, 4));
        let refused = form("", &"x".repeat(41), "four").read().unwrap_err();
        let refusal = ApiError::from(refused).refusal().unwrap();
        let pointers: Vec<_> = refusal.fields.iter().map(|field| field.pointer.as_str()).collect();
        assert_eq!(pointers, ["/name", "/area", "/seats"]);
    }

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::MANAGERS, |page| {
            let out = TableRow { out_of_service_reason: Some("다리".to_owned()), ..samples::table("2번") };
            let tables = vec![samples::table("1번"), out];
            let reason = Some((samples::table("1번").id, "다리".to_owned()));
            let tried = Tried { name: Some(page.t("field-taken")), reason, ..Tried::default() };
            TableListPage { page, tables, archived: vec![samples::table("3번")], tried }.render()
        });
        samples::check(samples::MANAGERS, |page| {
            let (table, other) = (samples::table("1번"), samples::table("2번"));
            let edit = Edit::of(fields(&table.details())).again(fields(&other.details()));
            let (form, name) = (TableForm::of(edit.typed()), Some(page.now_in_field("2번")));
            let tried = Tried { id: Some(table.id), edit, form, name, ..Tried::default() };
            TableListPage { page, tables: vec![table, other], archived: Vec::new(), tried }.render()
        });
    }
}
