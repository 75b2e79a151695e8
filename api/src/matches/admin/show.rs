//! `/admin/matches/{id}`: one page in sections, of which each has a template of its own.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::catalogue;
use serde::Deserialize;
use serde_json::Value;

use super::boards::{self, Scene};
use super::list::unless_blank;
use super::past::{Line, Look, Moment};
use super::words::Words;
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Path, Player, Search};
use crate::floor::Play;
use crate::games::words::{option_label, option_text};
use crate::ids::hex;
use crate::matches::past::Eyes;
use crate::matches::results::admin::{Draft, Written};
use crate::matches::reveals::{self, RevealRow};
use crate::matches::{MadeBy, MatchId, MatchRow, Mode, SeatRow, Status, store};
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::tables::{self, TableRow};
use crate::variants;

/// So many of the latest versions the log shows, unless all are asked for.
const LOG_SHOWN: i32 = 80;
const LOG_MOST: i64 = 2000;
const REVEALS_SHOWN: i64 = 50;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ShowSearch {
    /// `all` for the whole log.
    log: Option<String>,
    /// The latest, and the page stays with it, if left out.
    #[serde(deserialize_with = "unless_blank")]
    version: Option<i32>,
    #[serde(rename = "as")]
    eyes: Option<Eyes>,
}

/// A match, ready to print.
pub(in crate::matches) struct Shown {
    play: Play,
    table: Option<TableRow>,
    /// The variant's name and the version of it.
    variant: Option<(String, i32)>,
    seats: Vec<Seat>,
    /// Once it has started.
    moment: Option<Moment>,
    /// Through whose eyes one may look; nobody's but the public's if there are none.
    looks: Vec<Look>,
    board: Option<String>,
    phase: Option<String>,
    /// When the house will move for whoever is on turn.
    deadline: Option<jiff::Timestamp>,
    options: Vec<(String, String)>,
    log: Vec<Line>,
    log_is_cut: bool,
    proof: Proof,
    reveals: Vec<RevealRow>,
    /// Of a match with real dice and cards.
    written: Option<Written>,
    /// Whether the one who looks may see what is hidden while it runs, and has said why not long ago.
    may_reveal: bool,
    /// Whether they may take players off their seats here, and offer seats.
    may_replace: bool,
    open_reveal: Option<RevealNow>,
    /// The form that was not taken.
    pub(super) tried: Option<Tried>,
}

/// A form with a reason that was not taken.
pub(super) struct Tried {
    pub form: &'static str,
    pub reason: String,
    pub wrong: String,
}

struct Seat {
    number: i16,
    /// None while it is free.
    name: Option<String>,
    on_turn: bool,
    has_left: bool,
    /// Who plays on for whoever left.
    stand_in: Option<String>,
    rank: Option<u64>,
    score: Option<String>,
}

/// That the chance was fair: its commitment, and after the end what it was made of.
struct Proof {
    commitment: String,
    seed: Option<String>,
    /// What players added, with their names.
    nonces: Vec<(String, String)>,
    /// Checks the record.
    command: String,
}

struct RevealNow {
    until: jiff::Timestamp,
    seconds: i64,
}

#[derive(Template)]
#[template(path = "admin/matches/show.html", blocks = ["live"])]
struct MatchPage<'a> {
    page: &'a Page,
    shown: &'a Shown,
}

#[get("/admin/matches/{id}")]
pub(crate) async fn show_match(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<MatchId>,
    Search(search): Search<ShowSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeeMatches)?;
    let shown = Shown::read(&mut *db.conn().await?, &page, &staff, id, &search).await?;
    if page.fragment {
        page.html(&MatchPage { page: &page, shown: &shown }.as_live())
    } else {
        show_as(StatusCode::OK, &page, &shown)
    }
}

/// The whole page. When a look at what is hidden ends, the browser loads it anew, with scripts and without.
pub(in crate::matches) fn show_as(status: StatusCode, page: &Page, shown: &Shown) -> ApiResult<HttpResponse> {
    let mut response = page.html_as(status, &MatchPage { page, shown })?;
    if let Some(open) = &shown.open_reveal {
        let after = HeaderValue::from(open.seconds + 1);
        response.headers_mut().insert(HeaderName::from_static("refresh"), after);
    }
    Ok(response)
}

impl Shown {
    pub(in crate::matches) async fn read(
        conn: &mut AsyncPgConnection,
        page: &Page,
        staff: &Player,
        id: MatchId,
        search: &ShowSearch,
    ) -> ApiResult<Self> {
        let found = store::find_whole(conn, id).await?;
        let store::WholeMatch { row, state, clock, terms, .. } = found.ok_or_else(|| not_found("match_not_found"))?;
        let taken = store::list_seats(conn, &[id]).await?;
        let reveals = reveals::list(conn, id, REVEALS_SHOWN).await?;
        let open_reveal = RevealNow::of(&reveals, page, staff, &row);
        let seats = seats(page, &row, &taken);
        let names: Vec<String> = seats.iter().map(|seat| seat.label(page)).collect();
        let game = row.game.clone();
        let words = match catalogue::find(&game) {
            Some(kind) => Words::new(page.lang, kind, &game, &names),
            None => Words::of_other(page.lang, &game, &names),
        };
        let sees_all = row.status.is_over() || open_reveal.is_some();
        let plays = taken.iter().any(|it| it.knows(staff.id));
        let mut shown = Self {
            table: match row.table_id {
                Some(id) => tables::store::find(conn, id).await?,
                None => None,
            },
            variant: variant(conn, staff, &row).await?,
            moment: None,
            looks: Vec::new(),
            board: None,
            phase: None,
            deadline: clock.and_then(|clock| clock.deadline),
            options: options(page, &row),
            log: Vec::new(),
            log_is_cut: false,
            proof: Proof::of(conn, &row, &taken, &names).await?,
            written: match row.mode {
                Mode::Scored => Some(Written::read(conn, page, &row, &names, plays).await?),
                Mode::Played => None,
            },
            may_reveal: row.status == Status::Running
                && row.mode == Mode::Played
                && staff.role.may(Deed::RevealMatches)
                && !plays,
            may_replace: row.status == Status::Running
                && row.mode == Mode::Played
                && staff.role.may(Deed::ReplacePlayers),
            reveals,
            open_reveal,
            tried: None,
            seats,
            play: Play { row, seats: taken, title: terms.and_then(|terms| terms.title), attention: None },
        };
        if let Some(state) = state {
            let moment = Moment::of(&shown.play.row, search.eyes, search.version, sees_all)?;
            shown.read_moment(conn, page, &moment, (&state, search.log.is_some()), &names, &words).await?;
            shown.looks = if sees_all { moment.looks(page, &names) } else { Vec::new() };
            shown.moment = Some(moment);
        }
        Ok(shown)
    }

    async fn read_moment(
        &mut self,
        conn: &mut AsyncPgConnection,
        page: &Page,
        moment: &Moment,
        (state, whole_log): (&[u8], bool),
        names: &[String],
        words: &Words<'_>,
    ) -> ApiResult<()> {
        let row = &self.play.row;
        if let Some(play) = moment.play(conn, row, state).await? {
            let (view, own) = moment.views(row, play.as_ref())?;
            let scene = Scene { page, game: &row.game, view: &view, own: &own, names, words };
            self.board = Some(boards::draw(&scene)?);
            let phase = view["phase"].as_str();
            self.phase = phase.map(|phase| page.word_or(&format!("{}-phase-{phase}", row.game), phase));
        }
        let after = if whole_log { -1 } else { (moment.version() - LOG_SHOWN).max(-1) };
        let log = store::list_log(conn, row.id, after, LOG_MOST).await?;
        self.log = moment.lines(&log, words, names)?;
        self.log_is_cut = after >= 0;
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.play.row.status.is_over()
    }

    /// Whether the page follows the match by itself.
    fn is_live(&self) -> bool {
        !self.is_over() && self.moment.as_ref().is_none_or(|moment| !moment.is_past())
    }

    /// This page.
    fn address(&self) -> String {
        let bare = || format!("/admin/matches/{}", self.play.row.id);
        self.moment.as_ref().map_or_else(bare, Moment::now)
    }

    /// Whether all of its log, with the seed, may be fetched.
    fn has_record(&self) -> bool {
        let row = &self.play.row;
        self.is_over() && row.mode == Mode::Played && row.started_at.is_some()
    }

    /// The form by which staff write down a result.
    pub(in crate::matches) fn draft(&mut self) -> Option<&mut Draft> {
        self.written.as_mut()?.draft.as_mut()
    }

    /// The form that was not taken, if it was this one.
    fn tried(&self, form: &str) -> Option<&Tried> {
        self.tried.as_ref().filter(|tried| tried.form == form)
    }
}

impl Seat {
    fn label(&self, page: &Page) -> String {
        let otherwise = || page.say("seat-number").with("number", self.number + 1).to_string();
        self.name.clone().unwrap_or_else(otherwise)
    }
}

impl Proof {
    async fn of(conn: &mut AsyncPgConnection, row: &MatchRow, taken: &[SeatRow], names: &[String]) -> ApiResult<Self> {
        let is_open = row.status.is_over() && row.started_at.is_some();
        let seed = if is_open { Some(hex(&store::find_seed(conn, row.id).await?)) } else { None };
        let named = |seat: &SeatRow| {
            let name = usize::try_from(seat.seat).ok().and_then(|at| names.get(at)).cloned();
            Some((name.unwrap_or_default(), seat.nonce.clone()?))
        };
        let nonces = taken.iter().filter(|_| is_open).filter_map(named).collect();
        let command = format!("rules verify {}-{}.json", row.game, row.code);
        Ok(Self { commitment: hex(&row.commitment), seed, nonces, command })
    }
}

impl RevealNow {
    /// The look of this member of staff that is still open.
    fn of(reveals: &[RevealRow], page: &Page, staff: &Player, row: &MatchRow) -> Option<Self> {
        if row.status != Status::Running || !staff.role.may(Deed::RevealMatches) {
            return None;
        }
        let mine = reveals.iter().filter(|it| it.is_open && it.player_id == staff.id);
        let until = mine.map(|it| it.until).max()?;
        Some(Self { until, seconds: until.duration_since(page.now).as_secs().max(0) })
    }
}

impl MadeBy {
    fn key(self) -> &'static str {
        match self {
            Self::Player => "made-by-player",
            Self::House => "made-by-house",
            Self::Staff => "made-by-staff",
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
            stand_in: player.and_then(|it| it.stand_in_name.clone()),
            rank: of_outcome("ranks", number).and_then(Value::as_u64),
            score: of_outcome("scores", number).map(|score| page.number(score)),
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

async fn variant(conn: &mut AsyncPgConnection, staff: &Player, row: &MatchRow) -> ApiResult<Option<(String, i32)>> {
    let Some((id, number)) = row.variant_id.zip(row.variant_version) else { return Ok(None) };
    let found = variants::find(conn, Some(staff), id, Some(number.into())).await?;
    Ok(found.map(|(variant, _)| (variant.name, number)))
}
