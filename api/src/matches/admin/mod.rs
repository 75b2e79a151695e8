//! `/admin/matches`: the list, and each match as everybody may see it, live.

mod boards;
mod words;

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpResponse, get, post};
use askama::Template;
use engine::{Viewer, catalogue};
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::feed::Frame;
use super::{Filter, MatchId, MatchRow, SeatRow, Status, store};
use crate::db::{Conn, Db};
use crate::error::{ApiResult, internal, not_found};
use crate::extract::{Path, Search, tidy_text};
use crate::floor::Play;
use crate::games::words::{option_label, option_text};
use crate::ids::{TableId, hex};
use crate::live::Live;
use crate::page::{Desk, Flash, Form, Page};
use crate::staff::Deed;
use crate::tables::{self, TableRow};
use crate::world::World;
use boards::Scene;
use words::Words;

const PAGE_SIZE: i64 = 30;
/// So many of the latest versions the log shows, unless all are asked for.
const LOG_SHOWN: i32 = 80;
const LOG_MOST: i64 = 2000;
const REASON_MAX: usize = 200;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchSearch {
    status: Option<Status>,
    game: Option<String>,
    table: Option<TableId>,
    before: Option<MatchId>,
}

#[derive(Template)]
#[template(path = "admin/matches/list.html")]
struct MatchListPage {
    page: Page,
    search: MatchSearch,
    games: Vec<(&'static str, String)>,
    plays: Vec<(Play, Option<TableRow>)>,
    table: Option<TableRow>,
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShowSearch {
    /// `all` for the whole log.
    log: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AbortForm {
    reason: String,
}

/// A match, ready to print.
struct Shown {
    play: Play,
    table: Option<TableRow>,
    seats: Vec<Seat>,
    board: Option<String>,
    phase: Option<String>,
    options: Vec<(String, String)>,
    log: Vec<Line>,
    log_is_cut: bool,
    commitment: String,
    reason: Option<String>,
    /// Why the form to call it off was not taken.
    wrong: Option<String>,
}

struct Seat {
    number: i16,
    /// None while it is free.
    name: Option<String>,
    on_turn: bool,
    has_left: bool,
    rank: Option<u64>,
    score: Option<String>,
}

struct Line {
    at: Timestamp,
    text: String,
    is_mark: bool,
}

#[derive(Template)]
#[template(path = "admin/matches/show.html")]
struct MatchPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
}

/// What changes of it while it is open.
#[derive(Template)]
#[template(path = "admin/matches/show.html", block = "live")]
struct MatchNow<'a> {
    page: &'a Page,
    shown: &'a Shown,
}

#[get("/admin/matches")]
pub(crate) async fn show_matches(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<MatchSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeMatches)?;
    let mut conn = db.conn().await?;
    let game = search.game.as_deref().filter(|game| !game.is_empty());
    let filter =
        Filter { status: search.status, game, table: search.table, before: search.before, ..Filter::default() };
    let mut rows = store::list(&mut conn, &filter, PAGE_SIZE + 1).await?;
    let has_more = rows.len() > PAGE_SIZE as usize;
    rows.truncate(PAGE_SIZE as usize);
    let next = rows.last().filter(|_| has_more).map(|last| search.address(last.id));
    let ids: Vec<MatchId> = rows.iter().map(|row| row.id).collect();
    let mut seats: HashMap<MatchId, Vec<SeatRow>> = HashMap::new();
    for seat in store::list_seats(&mut conn, &ids).await? {
        seats.entry(seat.match_id).or_default().push(seat);
    }
    let tables: HashMap<TableId, TableRow> =
        tables::store::list(&mut conn, true).await?.into_iter().map(|table| (table.id, table)).collect();
    let plays = rows.into_iter().map(|row| {
        let table = row.table_id.and_then(|id| tables.get(&id).cloned());
        (Play { seats: seats.remove(&row.id).unwrap_or_default(), row, attention: None }, table)
    });
    let plays = plays.collect();
    let table = search.table.and_then(|id| tables.get(&id).cloned());
    let games = catalogue::GAMES.iter().map(|kind| (kind.info().id, page.game_name(kind.info().id))).collect();
    let template = MatchListPage { page, search, games, plays, table, next };
    template.page.html(&template)
}

#[get("/admin/matches/{id}")]
pub(crate) async fn show_match(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<MatchId>,
    Search(search): Search<ShowSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeMatches)?;
    let whole_log = search.log.as_deref() == Some("all");
    let shown = Shown::read(&mut db.conn().await?, &page, id, whole_log).await?;
    if page.fragment {
        page.html(&MatchNow { page: &page, shown: &shown })
    } else {
        page.html(&MatchPage { page: &page, shown: &shown })
    }
}

#[post("/admin/matches/{id}/abort")]
pub(crate) async fn abort_match(
    (db, world, live): (Data<Db>, Data<World>, Data<Live>),
    Desk { page, staff }: Desk,
    Path(id): Path<MatchId>,
    Form(form): Form<AbortForm>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::AbortMatches)?;
    let mut conn = db.conn().await?;
    let reason = match tidy_text(&form.reason, REASON_MAX) {
        Ok(reason) => reason,
        Err(err) => {
            let problem = crate::error::invalid_fields(vec![err]).problem(page.lang);
            let mut shown = Shown::read(&mut conn, &page, id, false).await?;
            shown.reason = Some(form.reason);
            shown.wrong = problem.errors.into_iter().next().map(|it| it.detail);
            return page.html_as(StatusCode::UNPROCESSABLE_ENTITY, &MatchPage { page: &page, shown: &shown });
        }
    };
    super::abort(&mut conn, &world, &live, &staff, id, Some(&reason)).await?;
    Ok(page.go_with(&format!("/admin/matches/{id}"), Flash::good("match-aborted", "")))
}

impl Shown {
    async fn read(conn: &mut Conn, page: &Page, id: MatchId, whole_log: bool) -> ApiResult<Self> {
        let (row, state, _) = store::find_with_state(conn, id).await?.ok_or_else(|| not_found("match_not_found"))?;
        let taken = store::list_seats(conn, &[id]).await?;
        let table = match row.table_id {
            Some(id) => tables::store::find(conn, id).await?,
            None => None,
        };
        let seats = seats(page, &row, &taken);
        let names: Vec<String> = seats.iter().map(|seat| seat.label(page)).collect();
        let words = Words::new(page.lang, super::kind(&row.game)?, &row.game, &names);
        let view: Option<Value> = match &state {
            Some(state) => {
                let view = super::view(&row, state, Viewer::Public)?;
                Some(serde_json::from_str(view.get()).map_err(internal)?)
            }
            None => None,
        };
        let scene = |view| Scene { page, game: &row.game, view, own: &[], names: &names, words: &words };
        let board = view.as_ref().map(|view| boards::draw(&scene(view))).transpose()?;
        let phase = view.as_ref().and_then(|view| view["phase"].as_str());
        let phase = phase.map(|phase| page.word_or(&format!("{}-phase-{phase}", row.game), phase));
        let after = if whole_log { -1 } else { (row.version - LOG_SHOWN).max(-1) };
        let mut log = Vec::new();
        for told in store::list_log(conn, id, after, LOG_MOST).await? {
            let frame = Frame::of(&told)?;
            log.extend(frame.for_viewer(Viewer::Public).events.into_iter().map(|event| {
                let (text, is_mark) = words.event(&event);
                Line { at: frame.at, text, is_mark }
            }));
        }
        log.reverse();
        Ok(Self {
            options: options(page, &row),
            commitment: hex(&row.commitment),
            play: Play { row, seats: taken, attention: None },
            table,
            seats,
            board,
            phase,
            log,
            log_is_cut: after >= 0,
            reason: None,
            wrong: None,
        })
    }

    fn is_over(&self) -> bool {
        self.play.row.status.is_over()
    }

    /// Whether all of its log, with the seed, may be fetched.
    fn has_record(&self) -> bool {
        self.is_over() && self.play.row.started_at.is_some()
    }
}

impl Seat {
    fn label(&self, page: &Page) -> String {
        let otherwise = || page.say("seat-number").with("number", self.number + 1).to_string();
        self.name.clone().unwrap_or_else(otherwise)
    }
}

impl MatchSearch {
    fn is_status(&self, status: &Status) -> bool {
        self.status == Some(*status)
    }

    fn is_game(&self, game: &str) -> bool {
        self.game.as_deref() == Some(game)
    }

    /// The list with this status and the other filters as they are.
    fn with_status(&self, status: Option<&Status>) -> String {
        let mut pairs = Vec::new();
        pairs.extend(status.map(|status| format!("status={status}")));
        // Games' names and ids need no escaping; anything else found nothing.
        pairs.extend(
            self.game.as_ref().filter(|game| catalogue::find(game).is_some()).map(|game| format!("game={game}")),
        );
        pairs.extend(self.table.map(|table| format!("table={table}")));
        format!("/admin/matches?{}", pairs.join("&"))
    }

    fn address(&self, before: MatchId) -> String {
        format!("{}&before={before}", self.with_status(self.status.as_ref()))
    }
}

impl Status {
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Waiting => "match-waiting",
            Self::Running => "match-running",
            Self::Finished => "match-finished",
            Self::Aborted => "match-aborted",
            Self::Expired => "match-expired",
        }
    }

    pub(crate) fn icon(self) -> &'static str {
        match self {
            Self::Waiting => "hourglass",
            Self::Running => "matches",
            Self::Finished => "flag",
            Self::Aborted => "ban",
            Self::Expired => "crate",
        }
    }
}

fn seats(page: &Page, row: &MatchRow, taken: &[SeatRow]) -> Vec<Seat> {
    let of_outcome = |field: &str, seat: i16| {
        let seat = usize::try_from(seat).ok()?;
        row.outcome.as_ref()?.get(field)?.get(seat).filter(|it| !it.is_null())
    };
    let seat = |number| {
        let player = taken.iter().find(|it| it.seat == number);
        Seat {
            number,
            name: player.map(|it| page.name(it)),
            on_turn: row.to_move >> number & 1 == 1,
            has_left: player.is_some_and(|it| it.left_at.is_some()),
            rank: of_outcome("ranks", number).and_then(Value::as_u64),
            score: of_outcome("scores", number).map(ToString::to_string),
        }
    };
    (0..row.seat_count).map(seat).collect()
}

/// The rule switches in words.
fn options(page: &Page, row: &MatchRow) -> Vec<(String, String)> {
    let word = |key: &str, value: &Value| {
        (option_label(page.lang, &row.game, key), option_text(page.lang, &row.game, key, value))
    };
    row.options.as_object().into_iter().flatten().map(|(key, value)| word(key, value)).collect()
}
