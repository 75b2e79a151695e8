//! `/t/{code}`: the page that the code on a table leads to. For who has not scanned yet it names nobody.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, VARY};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get, post};
use askama::Template;
use diesel_async::AsyncPgConnection;
use serde::Deserialize;

use super::{TableNow, TableState};
use base::auth::Tokens;
use base::auth::{Identity, Role};
use base::codes::normal_code;
use base::db::Db;
use base::error::not_found;
use base::ids::{MatchId, PlayerId};
use base::inputs::tidy_text;
use base::live::Live;
use base::settings::{self, Bill, Cafe};
use base::world::World;
use cafe::claims::{self, ClaimRow, store::Taken};
use cafe::floor::Play;
use play::calls::{self, CallId, CallReason, CallRow, Note};
use play::matches::{self, Status};
use play::players;
use play::sessions::{self};
use play::sittings::{PartyAt, Scan};
use play::tables::{self, TableRow};
use web_base::config::Config;
use web_base::error::ApiResult;
use web_base::extract::Client;
use web_base::extract::{Path, Player, Visitor};
use web_base::limits::{Budget, Creations, Guests, Streams, Writes};
use web_base::page::Charges;
use web_base::page::{Flash, Form, Page, live_part};
use web_base::public_url::base_url;
use web_base::qr::qr_picture;
use web_base::streams::{FingerprintWatch, stream};

/// So often at most a table is looked at while things happen elsewhere on the floor.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
/// So many of a party's calls it sees.
const CALLS: i64 = 8;

#[derive(Template)]
#[template(path = "guest/table.html")]
struct TablePage<'a> {
    page: &'a Page,
    view: &'a TableView,
}

live_part!(TablePageLive of TablePage, "guest/table-live.html");

struct TableView {
    table: TableRow,
    state: TableState,
    plays: Vec<Play>,
    names: Vec<String>,
    calls: Vec<CallRow>,
    /// New phones that ask to be a guest's of the party, for the party.
    claims: Vec<ClaimRow>,
    /// Who of them has another phone now.
    taken: Vec<Taken>,
    /// Who looks, if they have a name already.
    me: Option<PlayerId>,
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
    /// `yes` from staff, where a bout is to be played.
    force: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallForm {
    reason: CallReason,
    #[serde(default)]
    note: String,
}

/// What an app finds behind the code on a table: the table, its party and its matches. It tells names to the party itself and to
/// staff; who plays an open match, `GET /matches` tells everybody who is signed in. A browser gets a page here: send
/// `Accept: application/json`.
#[utoipa::path(
    tag = "tables",
    operation_id = "open_table",
    params(("code" = String, Path, example = "K7X2QD")),
    responses((status = 200, body = TableNow)),
    security((), ("bearer" = []))
)]
#[get("/t/{code}")]
pub async fn show_table(
    (db, live, cafe): (Data<Db>, Data<Live>, Data<Cafe>),
    (request, charges): (HttpRequest, Charges),
    page: Page,
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    if wants_json(&request) {
        let state = TableState::read(&mut conn, table, visitor.as_ref()).await?;
        return Ok(HttpResponse::Ok().insert_header((VARY, "accept")).json(state.answer(&charges)));
    }
    if visitor.as_ref().is_none_or(|it| it.role < Role::Staff) {
        settings::opening::note_scan(&mut conn, &cafe, &live, page.now).await?;
    }
    let view = TableView::read(&mut conn, &page, table, visitor.as_ref()).await?;
    // Who comes to play a bout is at the right table, and has its match to go to.
    if let Some(code) = view.state.own_bout.as_ref().filter(|_| !page.fragment && view.state.kept_for().is_some()) {
        return Ok(page.go_to(&format!("/m/{code}")));
    }
    let template = TablePage { page: &page, view: &view };
    if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
}

/// Says that something at the table has changed; what it was, its page asks itself.
#[get("/t/{code}/live")]
pub async fn watch_table(
    budget: Budget<Streams>,
    db: Data<Db>,
    (live, world): (Data<Live>, Data<World>),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let table = find_table(&mut *db.conn().await?, &code).await?.id;
    let find =
        async move |conn: &mut AsyncPgConnection| Ok(play::sittings::store::find_fingerprint(conn, table).await?);
    Ok(stream(FingerprintWatch::begin(db, &live, BETWEEN_LOOKS, find).await?, world, budget))
}

/// The code of the table as a picture, to show to a friend.
#[get("/t/{code}/qr")]
pub async fn show_table_code(
    db: Data<Db>,
    (config, request): (Data<Config>, HttpRequest),
    Path(code): Path<String>,
) -> ApiResult<HttpResponse> {
    let table = find_table(&mut *db.conn().await?, &code).await?;
    qr_picture(&tables::page_url(&base_url(&config, &request), &table.code))
}

/// Joins the party under a name, which makes a guest's account of it for who has none.
#[post("/t/{code}/members")]
pub async fn join_table(
    _: Budget<Guests>,
    db: Data<Db>,
    (world, live, tokens): (Data<World>, Data<Live>, Data<Tokens>),
    (page, Client(device)): (Page, Client),
    Visitor(visitor): Visitor,
    Path(code): Path<String>,
    Form(form): Form<JoinForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let path = format!("/t/{}", table.code);
    let held = play::sittings::held_for(&mut conn, visitor.as_ref(), form.force.is_some()).await?;
    let (player, token) =
        match sessions::known_or_guest(&mut conn, &world, &tokens, visitor, &form.display_name, &device).await? {
            Ok(guest) => guest,
            Err(wrong) => {
                let mut view = TableView::read(&mut conn, &page, table, None).await?;
                (view.wrong, view.tried) = (Some(wrong.detail(page.lang)), form.display_name);
                return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &TablePage { page: &page, view: &view });
            }
        };
    let scan = Scan { player, code: &code, size: form.party_size, held };
    let flash = match play::sittings::scan(&mut conn, &world, &live, scan).await {
        // The page says for which bout.
        Err(err) if err.code() == "table_held" => Flash::bad("table-kept", ""),
        joined => Flash::after(joined, |PartyAt { table, .. }| Flash::good("joined-table", &table.name))?,
    };
    page.go_signed_in(&path, flash, token)
}

#[post("/t/{code}/calls")]
pub async fn call_staff(
    _: Budget<Creations>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path(code): Path<String>,
    Form(form): Form<CallForm>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let note = match form.note.trim() {
        "" => Ok(None),
        note => tidy_text(note, Note::MAX).map(Note).map(Some),
    };
    let flash = match (note, play::sittings::store::find_open(&mut conn, table.id).await?) {
        (Err(_), _) => Flash::bad("call-note-wrong", ""),
        (Ok(_), None) => Flash::bad("not_at_table", ""),
        (Ok(note), Some(sitting)) => {
            let called =
                play::sittings::call(&mut conn, &world, &live, player.id, sitting.id, form.reason, note.as_ref()).await;
            Flash::after(called, |_| Flash::good("called", ""))?
        }
    };
    Ok(page.go_with(&format!("/t/{}", table.code), flash))
}

#[post("/t/{code}/calls/{id}/take-back")]
pub async fn take_back_call(
    _: Budget<Writes>,
    db: Data<Db>,
    (world, live): (Data<World>, Data<Live>),
    page: Page,
    Player(player): Player,
    Path((code, id)): Path<(String, CallId)>,
    _: Form<()>,
) -> ApiResult<HttpResponse> {
    let mut conn = db.conn().await?;
    let table = find_table(&mut conn, &code).await?;
    let taken_back = play::sittings::withdraw_call(&mut conn, &world, &live, player.id, id).await;
    let flash = Flash::after(taken_back, |_| Flash::good("call-taken-back", ""))?;
    Ok(page.go_with(&format!("/t/{}", table.code), flash))
}

/// The table with this code.
pub async fn find_table(conn: &mut AsyncPgConnection, code: &str) -> ApiResult<TableRow> {
    let table = tables::store::find_by_code(conn, &normal_code(code)).await?;
    Ok(table.filter(|table| table.archived_at.is_none()).ok_or_else(|| not_found("table_not_found"))?)
}

/// An app asks for JSON and for no page.
fn wants_json(request: &HttpRequest) -> bool {
    let accept = request.headers().get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    accept.contains("application/json") && !accept.contains("text/html")
}

impl TableView {
    async fn read(
        conn: &mut AsyncPgConnection,
        page: &Page,
        table: TableRow,
        caller: Option<&Identity>,
    ) -> ApiResult<Self> {
        let state = TableState::read(conn, table, caller).await?;
        let calls = match &state.sitting {
            Some(sitting) if state.is_let_in => calls::store::list_of(conn, sitting.id, CALLS).await?,
            _ => Vec::new(),
        };
        let (claims, taken) = match &state.sitting {
            Some(sitting) if state.is_member => (
                claims::store::list_open(conn, sitting.id, page.now).await?,
                claims::store::list_taken(conn, sitting.id, page.now - claims::LIFE).await?,
            ),
            _ => Default::default(),
        };
        // Others do not learn what the party calls its matches either.
        let titles = match state.is_let_in {
            true => matches::store::list_titles(conn, state.rows.iter()).await?,
            false => HashMap::new(),
        };
        Ok(Self { claims, taken, ..Self::of(page, state, calls, titles, caller.map(|it| it.id)) })
    }

    fn of(
        page: &Page,
        mut state: TableState,
        calls: Vec<CallRow>,
        mut titles: HashMap<MatchId, String>,
        me: Option<PlayerId>,
    ) -> Self {
        let people: Vec<_> = state.members.iter().map(|it| (it.player_id, it.display_name.as_str())).collect();
        let tags = players::tags(&people);
        let name = |(member, tag): (&play::sittings::MemberRow, Option<String>)| {
            page.name_of(&member.display_name, member.deleted, tag.as_deref())
        };
        let names = state.members.iter().zip(tags).map(name).collect();
        let mut seats = std::mem::take(&mut state.seats).by_match();
        let plays = std::mem::take(&mut state.rows).into_iter().map(|row| {
            let seats = seats.remove(&row.id).unwrap_or_default();
            let title = titles.remove(&row.id);
            Play { row, seats, title, attention: None }
        });
        let (plays, table) = (plays.collect(), state.table.clone());
        let (claims, taken) = Default::default();
        Self { table, state, plays, names, calls, claims, taken, me, tried: String::new(), wrong: None }
    }

    /// What the party owes now, for the party.
    fn bill(&self, page: &Page) -> Option<Bill> {
        page.bill(self.state.sitting.as_ref().filter(|_| self.state.is_let_in)?)
    }

    fn path(&self) -> String {
        format!("/t/{}", self.table.code)
    }

    fn claims_path(&self) -> String {
        format!("/t/{}/claims", self.table.code)
    }

    fn is_known(&self) -> bool {
        self.me.is_some()
    }

    /// Whether one can sit down at the table now.
    fn may_join(&self) -> bool {
        let is_kept = self.state.kept_for().is_some() && !self.is_forced();
        !self.state.is_member && self.table.out_of_service_since.is_none() && !self.is_closing() && !is_kept
    }

    /// Whether staff would sit down where a bout is to be played.
    fn is_forced(&self) -> bool {
        self.state.kept_for().is_some() && self.state.is_let_in
    }

    /// The seat of who looks.
    fn my_seat(&self, play: &Play) -> Option<i16> {
        play.seats.players.iter().find(|seat| Some(seat.holder()) == self.me).map(|seat| seat.seat)
    }

    fn is_my_turn(&self, play: &Play) -> bool {
        self.my_seat(play).is_some_and(|seat| play.row.to_move >> seat & 1 == 1)
    }

    /// The matches in which who looks has a seat, those that run first.
    fn mine(&self) -> Vec<&Play> {
        let mut mine: Vec<_> = self.plays.iter().filter(|play| self.my_seat(play).is_some()).collect();
        mine.sort_by_key(|play| play.row.status != Status::Running);
        mine
    }

    fn others(&self) -> impl Iterator<Item = &Play> {
        self.plays.iter().filter(|play| self.my_seat(play).is_none())
    }

    fn is_open(&self, play: &Play) -> bool {
        play.row.status == Status::Waiting && play.seats.taken() < usize::from(play.row.seat_count.unsigned_abs())
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

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use play::calls::CallStatus;
    use play::matches::MatchRow;
    use play::sittings::{MemberRow, SittingRow};
    use play::tables::store::Hold;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples::{self, SampleMatch};

    /// A table with a party that plays one match and gathers for another, as this player sees it.
    fn state(me: Option<PlayerId>) -> TableState {
        let table = samples::table("1번");
        let sitting = samples::sitting(table.id);
        let member = |number: u8| MemberRow {
            sitting_id: sitting.id,
            player_id: samples::player_id(number),
            display_name: samples::seat(number % 3).display_name,
            deleted: number == 2,
            joined_at: Timestamp::UNIX_EPOCH,
        };
        let members: Vec<_> = (0..5).map(member).collect();
        let is_member = members.iter().any(|it| Some(it.player_id) == me);
        let SampleMatch { row, mut seats, .. } = SampleMatch::after("perudo", 3);
        let waiting = MatchRow { id: MatchId(Uuid::from_u128(4)), ..samples::waiting_match() };
        seats.players.push(matches::SeatRow { match_id: waiting.id, ..samples::seat(0) });
        let rows = vec![row, waiting];
        let (hold, own_bout) = (None, None);
        TableState {
            table,
            sitting: Some(sitting),
            members,
            rows,
            seats,
            is_let_in: is_member,
            is_member,
            hold,
            own_bout,
        }
    }

    fn free() -> TableState {
        let table = samples::table("1번");
        let (members, rows, seats) = (Vec::new(), Vec::new(), samples::seats(0));
        let (hold, own_bout) = (None, None);
        TableState { table, sitting: None, members, rows, seats, is_let_in: false, is_member: false, hold, own_bout }
    }

    /// Kept for a bout.
    fn kept(by_staff: bool) -> TableState {
        let free = free();
        let hold = Hold {
            table_id: free.table.id,
            tournament_id: base::ids::TournamentId(Uuid::from_u128(5)),
            tournament: "금요일 대회".to_owned(),
            stage: 1,
            key: "main-2-1".to_owned(),
            round: 2,
            tournament_code: "XYZ234".to_owned(),
            since: Some(Timestamp::UNIX_EPOCH),
            match_id: None,
        };
        TableState { hold: Some(hold), is_let_in: by_staff, ..free }
    }

    fn calls() -> Vec<CallRow> {
        let call = |(reason, status): (&CallReason, &CallStatus)| CallRow {
            id: CallId(Uuid::nil()),
            sitting_id: base::ids::SittingId(Uuid::from_u128(1)),
            table_id: samples::table("1번").id,
            reason: *reason,
            note: Some("얼음물 두 잔".to_owned()),
            status: *status,
            called_at: Timestamp::UNIX_EPOCH,
            heard_at: Some(Timestamp::UNIX_EPOCH),
            heard_by: None,
            over_at: (*status != CallStatus::ALL[0]).then_some(Timestamp::UNIX_EPOCH),
        };
        CallReason::ALL.iter().zip(CallStatus::ALL).map(call).collect()
    }

    #[test]
    fn a_page_is_complete_for_everybody_at_a_table_that_is_taken_free_closing_and_shut() {
        // Nobody we know, one who plays, one who sits by, and somebody of another table.
        for me in [None, Some(0), Some(4), Some(40)].map(|me| me.map(samples::player_id)) {
            let closing = |state: TableState| {
                let sitting = state.sitting.map(|it| SittingRow { closing_at: Some(Timestamp::UNIX_EPOCH), ..it });
                TableState { sitting, ..state }
            };
            let shut = |mut state: TableState| {
                state.table.out_of_service_since = Some(Timestamp::UNIX_EPOCH);
                state.table.out_of_service_reason = Some("다리".to_owned());
                state
            };
            let (kept, forced): (&dyn Fn() -> TableState, &dyn Fn() -> TableState) = (&|| kept(false), &|| kept(true));
            let states: [&dyn Fn() -> TableState; 6] =
                [&|| state(me), &free, &|| closing(state(me)), &|| shut(free()), kept, forced];
            for state in states {
                samples::check(samples::ANYBODY, |page| {
                    let state = state();
                    let calls = if state.is_let_in { calls() } else { Vec::new() };
                    let view = TableView::of(&page, state, calls, HashMap::new(), me);
                    let wrong = Some(page.t("field-empty"));
                    TablePage { page: &page, view: &TableView { wrong, ..view } }.render()
                });
            }
        }
    }
}
