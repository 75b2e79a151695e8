//! `/t/{code}`: the page that the code on a table leads to. For who has not scanned yet it names nobody.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, VARY};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::{PartyAt, TableState};
use crate::calls::{self, CallId, CallReason, CallRow, CallStatus, Note};
use crate::config::Config;
use crate::db::Db;
use crate::error::{ApiResult, FieldError, invalid_fields, not_found};
use crate::extract::{Path, Player, Visitor, tidy_text};
use crate::floor::Play;
use crate::limits::GuestLimit;
use crate::live::Live;
use crate::matches::{self, normal_code};
use crate::page::{Flash, Form, Page};
use crate::players;
use crate::sessions::{self, Device, Tokens};
use crate::tables::{self, TableRow};
use crate::world::World;

/// So many of a party's calls it sees.
const CALLS: i64 = 8;

#[derive(Template)]
#[template(path = "guest/table.html", blocks = ["live"])]
struct TablePage<'a> {
    page: &'a Page,
    shown: &'a Shown,
}

struct Shown {
    table: TableRow,
    state: TableState,
    plays: Vec<Play>,
    names: Vec<String>,
    calls: Vec<CallRow>,
    /// Whether the caller has a name already.
    is_known: bool,
    tried: String,
    wrong: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinForm {
    /// Of who is not signed in.
    #[serde(default)]
    display_name: String,
    party_size: Option<i64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallForm {
    reason: CallReason,
    #[serde(default)]
    note: String,
}

#[get("/t/{code}")]
pub(crate) async fn show_table(
    db: Data<Db>,
    request: HttpRequest,
    page: Page,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find(&mut conn, &code).await?;
    if wants_json(&request) {
        let state = TableState::read(&mut conn, table, visitor.as_ref()).await?;
        return Ok(HttpResponse::Ok().insert_header((VARY, "accept")).json(state.answer()));
    }
    let shown = Shown::read(&mut conn, &page, table, visitor.as_ref()).await?;
    let template = TablePage { page: &page, shown: &shown };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Joins the party under a name, which makes a guest's account of it for who has none.
#[post("/t/{code}/members")]
pub(crate) async fn join_table(
    _: GuestLimit,
    db: Data<Db>,
    (world, live, tokens, config): (Data<World>, Data<Live>, Data<Tokens>, Data<Config>),
    (page, device): (Page, Device),
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Form(form): Form<JoinForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find(&mut conn, &code).await?;
    let path = format!("/t/{}", table.code);
    let means = (&**world, &**tokens, config.is_secure());
    let (player, cookie) =
        match sessions::known_or_guest(&mut conn, means, visitor, &form.display_name, &device).await? {
            Ok(guest) => guest,
            Err(wrong) => {
                let mut shown = Shown::read(&mut conn, &page, table, None).await?;
                (shown.wrong, shown.tried) = (Some(said(&page, wrong)), form.display_name);
                return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &TablePage { page: &page, shown: &shown });
            }
        };
    let joined = super::scan(&mut conn, &world, &live, player, (&code, form.party_size)).await;
    let flash = Flash::after(joined, |PartyAt { table, .. }| Flash::good("joined-table", &table.name))?;
    page.go_signed_in(&path, flash, cookie)
}

#[post("/t/{code}/calls")]
pub(crate) async fn call_staff(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    player: Player,
    Path(code): Path<String>,
    Form(form): Form<CallForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find(&mut conn, &code).await?;
    let note = match form.note.trim() {
        "" => Ok(None),
        note => tidy_text(note, Note::MAX).map(Note).map(Some),
    };
    let flash = match (note, super::store::find_open(&mut conn, table.id).await?) {
        (Err(_), _) => Flash::bad("call-note-wrong", ""),
        (Ok(_), None) => Flash::bad("not_at_table", ""),
        (Ok(note), Some(sitting)) => {
            let who = (player.id, sitting.id);
            let called = calls::call(&mut conn, &world, &live, who, (form.reason, note.as_ref())).await;
            Flash::after(called, |_| Flash::good("called", ""))?
        }
    };
    Ok(page.go_with(&format!("/t/{}", table.code), flash))
}

#[post("/t/{code}/calls/{id}/take-back")]
pub(crate) async fn take_back_call(
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    player: Player,
    Path((code, id)): Path<(String, CallId)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find(&mut conn, &code).await?;
    let taken_back = calls::take_back_own(&mut conn, &world, &live, player.id, id).await;
    let flash = Flash::after(taken_back, |_| Flash::good("call-taken-back", ""))?;
    Ok(page.go_with(&format!("/t/{}", table.code), flash))
}

async fn find(conn: &mut AsyncPgConnection, code: &str) -> ApiResult<TableRow> {
    let table = tables::store::find_by_code(conn, &normal_code(code)).await?;
    table.filter(|table| table.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))
}

/// An app asks for JSON and for no page.
fn wants_json(request: &HttpRequest) -> bool {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.contains("application/json") && !accept.contains("text/html")
}

fn said(page: &Page, wrong: FieldError) -> String {
    let problem = invalid_fields(vec![wrong]).problem(page.lang);
    problem.errors.into_iter().next().map(|it| it.detail).unwrap_or_default()
}

impl Shown {
    async fn read(
        conn: &mut AsyncPgConnection,
        page: &Page,
        table: TableRow,
        caller: Option<&Player>,
    ) -> ApiResult<Self> {
        let mut state = TableState::read(conn, table.clone(), caller).await?;
        let calls = match &state.sitting {
            Some(sitting) if state.is_let_in => calls::store::list_of(conn, sitting.id, CALLS).await?,
            _ => Vec::new(),
        };
        let people: Vec<_> = state.members.iter().map(|it| (it.player_id, it.display_name.as_str())).collect();
        let tags = players::tags(&people);
        let name = |(member, tag): (&super::MemberRow, Option<String>)| {
            page.name_of(&member.display_name, member.deleted, tag.as_deref())
        };
        let names = state.members.iter().zip(tags).map(name).collect();
        let mut seats = std::mem::take(&mut state.seats);
        // Whoever is not let in does not learn what they call it either.
        let mut titles = match state.is_let_in {
            true => matches::store::list_titles(conn, state.rows.iter()).await?,
            false => HashMap::new(),
        };
        let plays = std::mem::take(&mut state.rows).into_iter().map(|row| {
            let seats = seats.extract_if(.., |seat| seat.match_id == row.id).collect();
            let title = titles.remove(&row.id);
            Play { row, seats, title, attention: None }
        });
        let plays = plays.collect();
        Ok(Self { table, state, plays, names, calls, is_known: caller.is_some(), tried: String::new(), wrong: None })
    }

    fn size(&self) -> i16 {
        self.state.sitting.as_ref().map_or(0, |sitting| sitting.party_size)
    }

    fn is_closing(&self) -> bool {
        self.state.sitting.as_ref().is_some_and(|sitting| sitting.closing_at.is_some())
    }

    /// What they can call for: what they have not called for yet.
    fn reasons(&self) -> Vec<CallReason> {
        let waits = |reason: &CallReason| self.waiting().any(|call| call.reason == *reason);
        CallReason::ALL.iter().copied().filter(|reason| !waits(reason)).collect()
    }

    fn waiting(&self) -> impl Iterator<Item = &CallRow> {
        self.calls.iter().filter(|call| call.over_at.is_none())
    }
}

impl CallReason {
    pub fn key(self) -> &'static str {
        match self {
            Self::Rules => "call-rules",
            Self::Order => "call-order",
            Self::Game => "call-game",
            Self::Broken => "call-broken",
            Self::Bill => "call-bill",
            Self::Other => "call-other",
        }
    }

    pub fn icon(self) -> &'static str {
        match self {
            Self::Rules => "book",
            Self::Order => "cup-line",
            Self::Game => "die-line",
            Self::Broken => "tool",
            Self::Bill => "bill",
            Self::Other => "bell",
        }
    }
}

impl CallStatus {
    pub fn key(self) -> &'static str {
        match self {
            Self::Open => "call-open",
            Self::Heard => "call-is-heard",
            Self::Settled => "call-is-settled",
            Self::TakenBack => "call-is-taken-back",
        }
    }
}
