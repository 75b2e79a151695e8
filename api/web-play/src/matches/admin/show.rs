//! `/admin/matches/{id}`: one page in sections, of which each has a template of its own.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::Match;
use serde::Deserialize;
use serde_json::Value;

use super::list::unless_blank;
use super::past::{Line, Look, Moment};
use crate::boards::{self, Scene, near};
use crate::games::words::Words;
use crate::matches::replay::Perspective;
use crate::matches::results::admin::{Draft, Results, Written};
use base::auth::{Identity, Permission, can};
use base::error::not_found;
use base::games::words::{option_label, option_text};
use base::ids::hex;
use cafe::floor::Play;
use play::matches::reveals::{self, RevealRow};
use play::matches::{BotLevel, LogRow, MatchId, MatchRow, Mode, SeatRow, Seats, Status, heal, replay, store};
use play::tables::{self, TableRow};
use play::variants;
use web_base::error::ApiResult;
use web_base::extract::{Path, Search};
use web_base::page::{Page, StaffPage, live_part};

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
    perspective: Option<Perspective>,
}

/// A match, ready to print.
pub(in crate::matches) struct MatchView {
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
    /// When the autopilot will move for the player on turn.
    deadline: Option<jiff::Timestamp>,
    options: Vec<(String, String)>,
    log: Vec<Line>,
    log_is_cut: bool,
    /// Where rounds begin, once it is over.
    rounds: Vec<Line>,
    proof: Proof,
    reveals: Vec<RevealRow>,
    /// Of a match with real dice and cards.
    written: Option<Written>,
    /// Whether the one who looks may see what is hidden while it runs, and has said why not long ago.
    may_reveal: bool,
    /// Whether they may call it off now.
    may_abort: bool,
    /// Whether they may take players off their seats here, and offer seats.
    may_replace: bool,
    may_seat_bots: bool,
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
    /// A bot sits here, and how strong it is: also where it plays on for a player who left.
    is_bot: bool,
    bot: Option<BotLevel>,
    on_turn: bool,
    has_left: bool,
    /// Who plays on for the player who left.
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
#[template(path = "admin/matches/show.html")]
struct MatchPage<'a> {
    page: &'a Page,
    view: &'a MatchView,
}

live_part!(MatchPageLive of MatchPage, "admin/matches/show-live.html");

#[get("/admin/matches/{id}")]
pub async fn show_match(
    StaffPage { page, mut cx }: StaffPage<can::ViewMatches>,
    Path(id): Path<MatchId>,
    Search(search): Search<ShowSearch>,
) -> ApiResult<HttpResponse> {
    let staff = cx.staff;
    let read = async |conn: &mut AsyncPgConnection| MatchView::read(conn, &page, &staff, id, &search).await;
    if page.fragment {
        let view = read(cx.conn().await?).await?;
        page.html(&MatchPage { page: &page, view: &view }.as_live())
    } else {
        let is_over = |view: &MatchView| view.play.row.status.is_over();
        show_as(StatusCode::OK, &page, &cx.read_if(is_over, read).await?)
    }
}

/// The whole page. When a look at what is hidden ends, the browser reloads it, with scripts and without.
pub(in crate::matches) fn show_as(status: StatusCode, page: &Page, view: &MatchView) -> ApiResult<HttpResponse> {
    let mut response = page.html_as(status, &MatchPage { page, view })?;
    if let Some(open) = &view.open_reveal {
        let after = HeaderValue::from(open.seconds + 1);
        response.headers_mut().insert(HeaderName::from_static("refresh"), after);
    }
    Ok(response)
}

/// What is kept of a match, as far as its page shows it.
struct Kept {
    row: MatchRow,
    state: Option<Vec<u8>>,
    deadline: Option<jiff::Timestamp>,
    title: Option<String>,
    taken: Seats,
    of_tournament: bool,
    reveals: Vec<RevealRow>,
    table: Option<TableRow>,
    /// The variant's name and the version of it.
    variant: Option<(String, i32)>,
    /// Once nobody can profit from it.
    seed: Option<Vec<u8>>,
    /// What was written down, with those who did.
    results: Results,
    /// What the page lists, and all up to the moment that is looked back at.
    log: Vec<LogRow>,
    past: Vec<LogRow>,
    /// All of it, once it is over.
    whole: Vec<LogRow>,
}

impl Kept {
    async fn read(conn: &mut AsyncPgConnection, staff: &Identity, id: MatchId, search: &ShowSearch) -> ApiResult<Self> {
        let found = heal::find_whole(conn, id).await?;
        let store::WholeMatch { row, state, clock, terms, .. } = found.ok_or_else(|| not_found("match_not_found"))?;
        let has_seed = row.status.is_over() && row.started_at.is_some();
        let (mut log, mut past, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        if state.is_some() {
            let version = search.version.unwrap_or(row.version);
            log = store::list_log(conn, id, search.log_after(version), LOG_MOST).await?;
            if (0..row.version).contains(&version) {
                past = replay::read_log(conn, id, version).await?;
            }
            if row.status.is_over() {
                whole = store::list_log(conn, id, -1, LOG_MOST).await?;
            }
        }
        Ok(Self {
            state,
            deadline: clock.and_then(|clock| clock.deadline),
            title: terms.and_then(|terms| terms.title),
            taken: store::list_all_seats(conn, &[id]).await?,
            of_tournament: row.status == Status::Waiting && store::is_of_tournament(conn, id).await?,
            reveals: reveals::list(conn, id, REVEALS_SHOWN).await?,
            table: match row.table_id {
                Some(id) => tables::store::find(conn, id).await?,
                None => None,
            },
            variant: variant(conn, staff, &row).await?,
            seed: if has_seed { Some(store::find_seed(conn, id).await?) } else { None },
            results: match row.mode {
                Mode::Scored => Results::read(conn, id).await?,
                Mode::Played => Results::default(),
            },
            log,
            past,
            whole,
            row,
        })
    }
}

impl ShowSearch {
    /// After which version the log begins that leads to this one.
    fn log_after(&self, version: i32) -> i32 {
        if self.log.is_some() { -1 } else { version.saturating_sub(LOG_SHOWN).max(-1) }
    }
}

impl MatchView {
    pub(in crate::matches) async fn read(
        conn: &mut AsyncPgConnection,
        page: &Page,
        staff: &Identity,
        id: MatchId,
        search: &ShowSearch,
    ) -> ApiResult<Self> {
        Self::of(page, staff, Kept::read(conn, staff, id, search).await?, search)
    }

    fn of(page: &Page, staff: &Identity, kept: Kept, search: &ShowSearch) -> ApiResult<Self> {
        let Kept { row, taken, reveals, .. } = kept;
        let open_reveal = RevealNow::of(&reveals, page, staff, &row);
        let seats = seats(page, &row, &taken);
        let names: Vec<String> = seats.iter().map(|seat| seat.label(page)).collect();
        let game = row.game.clone();
        let words = Words::new(page.lang, &game, &names);
        let sees_all = row.status.is_over() || open_reveal.is_some();
        let plays = taken.players.iter().any(|it| it.knows(staff.id));
        let may_write = !plays && staff.role.may(Permission::SettleResults);
        let written = || Written::of(page, &row, &names, &kept.results, may_write);
        let mut view = Self {
            table: kept.table,
            variant: kept.variant,
            moment: None,
            looks: Vec::new(),
            board: None,
            phase: None,
            deadline: kept.deadline,
            options: options(page, &row),
            log: Vec::new(),
            log_is_cut: false,
            rounds: Vec::new(),
            proof: Proof::of(&row, kept.seed.as_deref(), &taken.players, &names),
            written: (row.mode == Mode::Scored).then(written),
            may_reveal: row.status == Status::Running
                && row.mode == Mode::Played
                && staff.role.may(Permission::RevealMatches)
                && !plays,
            may_abort: !row.status.is_over() && staff.role.may(Permission::AbortMatches) && !plays,
            may_replace: row.status == Status::Running
                && row.mode == Mode::Played
                && staff.role.may(Permission::ReplacePlayers)
                && !plays,
            may_seat_bots: row.mode == Mode::Played
                && row.status == Status::Waiting
                && !kept.of_tournament
                && staff.role.may(Permission::RunFloor),
            reveals,
            open_reveal,
            tried: None,
            seats,
            play: Play { row, seats: taken, title: kept.title, attention: None },
        };
        if let Some(state) = kept.state {
            let moment = Moment::of(&view.play.row, search.perspective, search.version, sees_all)?;
            if let Some(play) = moment.play(&view.play.row, &state, &kept.past)? {
                view.draw(page, &moment, play.as_ref(), &names, &words)?;
            }
            let bots: Vec<i16> = view.play.seats.bots().map(|bot| bot.seat).collect();
            view.log = moment.lines(&kept.log, &words, &names, &bots)?;
            view.rounds = moment.rounds(&kept.whole, &words, &names)?;
            view.log_is_cut = search.log_after(moment.version()) >= 0;
            view.looks = if sees_all { moment.looks(page, &names) } else { Vec::new() };
            view.moment = Some(moment);
        }
        Ok(view)
    }

    fn draw(
        &mut self,
        page: &Page,
        moment: &Moment,
        play: &dyn Match,
        names: &[String],
        words: &Words<'_>,
    ) -> ApiResult<()> {
        let row = &self.play.row;
        let (view, own) = moment.views(row, play)?;
        let scene = Scene { page, game: &row.game, view: &view, own: &own, near: near(&own), names, words };
        self.board = Some(boards::draw(&scene)?);
        let phase = view["phase"].as_str();
        self.phase = phase.map(|phase| page.word_or(&format!("{}-phase-{phase}", row.game), phase));
        Ok(())
    }

    fn has_room(&self) -> bool {
        self.seats.iter().any(|seat| seat.name.is_none())
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
    /// Nonces are shown with the seed.
    fn of(row: &MatchRow, seed: Option<&[u8]>, taken: &[SeatRow], names: &[String]) -> Self {
        let named = |seat: &SeatRow| {
            let name = usize::try_from(seat.seat).ok().and_then(|at| names.get(at)).cloned();
            Some((name.unwrap_or_default(), seat.nonce.clone()?))
        };
        let nonces = taken.iter().filter(|_| seed.is_some()).filter_map(named).collect();
        let command = format!("rules verify {}-{}.json", row.game, row.code);
        Self { commitment: hex(&row.commitment), seed: seed.map(hex), nonces, command }
    }
}

impl RevealNow {
    /// The look of this member of staff that is still open.
    fn of(reveals: &[RevealRow], page: &Page, staff: &Identity, row: &MatchRow) -> Option<Self> {
        if row.status != Status::Running || !staff.role.may(Permission::RevealMatches) {
            return None;
        }
        let mine = reveals.iter().filter(|it| it.is_open && it.player_id == staff.id);
        let until = mine.map(|it| it.until).max()?;
        Some(Self { until, seconds: until.duration_since(page.now).as_secs().max(0) })
    }
}

fn seats(page: &Page, row: &MatchRow, taken: &Seats) -> Vec<Seat> {
    let of_outcome = |field: &str, seat: i16| {
        let seat = usize::try_from(seat).ok()?;
        row.outcome.as_ref()?.get(field)?.get(seat).filter(|it| !it.is_null())
    };
    let seat = |number| {
        let player = taken.players.iter().find(|it| it.seat == number);
        let bot = taken.bots.iter().find(|it| it.seat == number).map(|it| it.level);
        Seat {
            number,
            name: player.map(|it| page.name(it)).or_else(|| bot.map(|_| page.bot_name(number))),
            is_bot: player.is_none() && bot.is_some(),
            bot,
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

async fn variant(conn: &mut AsyncPgConnection, staff: &Identity, row: &MatchRow) -> ApiResult<Option<(String, i32)>> {
    let Some((id, number)) = row.variant_id.zip(row.variant_version) else { return Ok(None) };
    let found = variants::find(conn, Some(staff), id, Some(number.into())).await?;
    Ok(found.map(|(variant, _)| (variant.name, number)))
}

#[cfg(test)]
mod tests {
    use base::auth::{Credential, Role};
    use base::ids::SessionId;
    use jiff::Timestamp;
    use play::players::PlayerCard;
    use uuid::Uuid;

    use super::*;
    use web_base::page::samples::{self, SampleMatch};

    fn kept(sample: SampleMatch) -> Kept {
        let SampleMatch { row, seats, state, log, .. } = sample;
        let of_other = |role| RevealRow {
            player_id: samples::player_id(50),
            name: "민아".to_owned(),
            role,
            reason: "다툼".to_owned(),
            at: Timestamp::UNIX_EPOCH,
            until: Timestamp::UNIX_EPOCH,
            is_open: true,
        };
        Kept {
            state: Some(state),
            deadline: Some(Timestamp::UNIX_EPOCH),
            title: None,
            taken: seats,
            of_tournament: false,
            reveals: vec![of_other(Role::Manager), of_other(Role::Owner)],
            table: Some(samples::table("1번")),
            variant: Some(("민아식".to_owned(), 2)),
            seed: row.status.is_over().then(|| vec![7; 32]),
            results: Results::default(),
            past: Vec::new(),
            whole: Vec::new(),
            log,
            row,
        }
    }

    /// Without a state: nobody has begun, or it is played with real dice.
    fn unplayed(status: Status, mode: Mode) -> Kept {
        let mut kept = kept(SampleMatch::after("perudo", 0));
        let has_begun = status != Status::Waiting;
        kept.row = MatchRow { status, mode, ..samples::waiting_match() };
        kept.row.started_at = has_begun.then_some(Timestamp::UNIX_EPOCH);
        kept.taken.players.truncate(if has_begun { 4 } else { 2 });
        (kept.state, kept.log, kept.variant, kept.reveals) = (None, Vec::new(), None, Vec::new());
        kept
    }

    fn results() -> Results {
        let id = samples::player_id(0);
        let people = [(id, PlayerCard { id, display_name: "민아".to_owned(), deleted: false })].into();
        Results { rows: samples::results(), people }
    }

    /// As each role sees it, with the form that was not taken.
    fn check(search: &ShowSearch, staff: u8, form: &'static str, kept: impl Fn() -> Kept) {
        samples::check(samples::STAFF, |page| {
            let role = page.staff.as_ref().map_or(Role::Player, |who| who.role);
            let (id, session) = (samples::player_id(staff), SessionId(Uuid::nil()));
            let staff = Identity { id, session, role, credential: Credential::Session };
            let mut view = MatchView::of(&page, &staff, kept(), search).unwrap();
            let wrong = page.t("field-empty");
            if let Some(draft) = view.draft() {
                draft.wrong = Some(wrong.clone());
            }
            view.tried = Some(Tried { form, reason: "다툼".to_owned(), wrong });
            MatchPage { page: &page, view: &view }.render()
        });
    }

    #[test]
    fn a_page_is_complete_in_every_game_from_start_to_end() {
        for (kind, moves) in engine::catalogue::GAMES.iter().flat_map(|kind| [0, 6, 10_000].map(|moves| (kind, moves)))
        {
            check(&ShowSearch::default(), 40, "reveal", || kept(SampleMatch::after(kind.info().id, moves)));
        }
    }

    #[test]
    fn a_page_is_complete_while_staff_look_at_what_is_hidden() {
        for perspective in ["omniscient", "0", "public"] {
            let perspective = Some(perspective.parse().unwrap());
            check(&ShowSearch { perspective, ..ShowSearch::default() }, 50, "abort", || {
                kept(SampleMatch::after("perudo", 6))
            });
        }
    }

    #[test]
    fn a_page_is_complete_where_nothing_is_played_on_phones() {
        for status in Status::ALL {
            for (mode, results) in [(Mode::Played, Results::default()), (Mode::Scored, results())] {
                check(&ShowSearch::default(), 40, "abort", || {
                    let results = Results { rows: results.rows.clone(), people: results.people.clone() };
                    Kept { results, ..unplayed(*status, mode) }
                });
            }
        }
    }

    #[test]
    fn a_page_is_complete_at_a_past_version() {
        let search = ShowSearch { version: Some(3), ..ShowSearch::default() };
        for is_of_this_revision in [true, false] {
            check(&search, 40, "abort", || {
                let past = SampleMatch::after("perudo", 3).log;
                let mut kept = Kept { past, ..kept(SampleMatch::after("perudo", 6)) };
                if !is_of_this_revision {
                    kept.row.revision = 0;
                }
                kept
            });
        }
    }
}
