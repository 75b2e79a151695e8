//! A match as its page shows it to one who looks: what their seat sees and may do, or what anybody may see.

mod parts;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use askama::Template;
use diesel_async::AsyncPgConnection;
use engine::{Json, Match, Seat, Turn, Viewer};
use jiff::Timestamp;
use serde_json::from_str;

use super::visit::Asked;
use super::written::Written;
use crate::boards::presenter::Presenter;
use crate::boards::trays::MoveForm;
use base::auth::{Identity, Role};
use base::error::{conflict, forbidden, internal};
use base::games::guarded;
use base::ids::hex;
use cafe::claims::{self, ClaimRow};
use cafe::floor::Play;
use cafe::player_stats::store as player_stats;
use cafe::ratings::{RATED_A_DAY, Why};
use parts::seat_lines;
pub(super) use parts::{Bluffs, Line, Other, SeatLine, TableLink, Tray, Tried, Whose};
use play::matches::access::Access;
use play::matches::feed::Frame;
use play::matches::reactions::AFTER_THE_END;
use play::matches::{BotLevel, LogRow, MadeBy, MatchId, Mode, Reaction, Snapshot, Status, Visibility, store};
use play::players;
use play::sittings;
use play::tables;
use web_base::error::{ApiError, ApiResult};
use web_base::page::{Page, live_part};

/// So many versions back the page tells what happened.
const VERSIONS_TOLD: i32 = 24;
/// So many lines are at hand; the others unfold.
const LINES_AT_HAND: usize = 3;
/// Among so many of their latest matches a player's change of rating is looked for.
const LATEST: i64 = 20;

/// Who looks at a match, and which one.
pub(super) struct Look<'a> {
    pub page: &'a Page,
    pub visitor: Option<&'a Identity>,
    /// The other person who plays on the same phone.
    pub companion: Option<&'a Identity>,
    pub id: MatchId,
    pub asked: &'a Asked,
}

pub(super) struct PlayView {
    pub play: Play,
    pub seats: Vec<SeatLine>,
    /// The seat of who looks.
    pub mine: Option<Seat>,
    /// Whether who looks has a name already.
    pub is_known: bool,
    /// Whether they made it.
    pub is_maker: bool,
    /// It is a rematch: everybody who plays may start it.
    pub is_again: bool,
    /// Whether they may sit down now.
    pub may_sit: bool,
    /// Whether they may seat somebody else who plays on the same phone.
    pub may_bring: bool,
    /// By which a friend let them into the party.
    pub join: Option<String>,
    /// Who else plays on this phone.
    pub other: Option<Other>,
    /// New phones that ask to be a guest's of the party, for the party.
    pub claims: Vec<ClaimRow>,
    /// The table at which it is played, for its party.
    pub table: Option<TableLink>,
    pub board: Option<String>,
    pub tray: Option<Tray>,
    pub turn: Whose,
    pub deadline: Option<Timestamp>,
    /// What everybody was told, the latest last.
    pub log: Vec<Line>,
    /// What only the seat of who looks was told, the latest first.
    pub own_log: Vec<String>,
    pub commitment: String,
    /// The code of the match that was played after it by the same players.
    pub rematch: Option<String>,
    /// Whether its rules may be played once more.
    may_repeat: bool,
    /// Whether who looks may join the match that was played after it.
    may_join_rematch: bool,
    /// How it changed the rating of who looks: before and after.
    pub shift: Option<(i32, i32)>,
    /// Two of its players had been rated against each other often enough that day.
    pub is_too_often: bool,
    /// What the bluffs of who looks did.
    pub bluffs: Option<Bluffs>,
    /// What was written down of a match with real dice and cards.
    pub written: Option<Written>,
    pub is_outside: bool,
    /// How much news there was of it, for those who see it as it is.
    news: Option<i64>,
    is_late: bool,
    is_private: bool,
    /// Its seats are the tournament's: nobody leaves one, and no bot takes one.
    is_of_tournament: bool,
    has_left: bool,
    may_move: bool,
    /// They want to see their own hand although it is the other person's turn.
    keeps_phone: bool,
    /// What was not taken.
    pub tried: Tried,
}

#[derive(Template)]
#[template(path = "guest/match.html")]
struct MatchPage<'a> {
    page: &'a Page,
    view: &'a PlayView,
}

live_part!(MatchPageLive of MatchPage, "guest/match-live.html");

#[derive(Template)]
#[template(path = "guest/match-screen.html", blocks = ["live"])]
struct ScreenPage<'a> {
    page: &'a Page,
    view: &'a PlayView,
    guest_url: String,
    qr: String,
}

impl PlayView {
    pub(super) async fn read(conn: &mut AsyncPgConnection, look: Look<'_>) -> ApiResult<Self> {
        let Look { page, visitor, companion, id, asked } = look;
        let snapshot = Snapshot::read(conn, id).await?;
        let access = snapshot.access_of_visitor(conn, visitor).await?;
        let played = match snapshot.play_seen(conn, access).await {
            // Played by earlier rules: its outcome tells of it still.
            Err(err) if err.code() == "other_revision" => None,
            played => played?.map(|(play, _)| play),
        };
        let decision_since = snapshot.decision_since;
        let mut view = Self::of(page, visitor, snapshot, access);
        let names: Vec<String> = view.seats.iter().map(|seat| seat.label(page)).collect();
        view.keeps_phone = asked.mine == Some(1);
        view.read_place(conn, visitor, asked.join.as_deref()).await?;
        view.read_other(conn, page, companion).await?;
        if view.may_leave() || view.may_seat_bots() {
            view.is_of_tournament = store::is_of_tournament(conn, id).await?;
        }
        if let Some(visitor) = visitor.filter(|_| view.play.row.table_id.is_some() && view.is_live()) {
            view.claims = claims::store::list_for(conn, id, visitor.id, page.now).await?;
        }
        if view.play.row.mode == Mode::Scored && access.is_up_to_date() {
            view.written = Some(Written::read(conn, page, &view.play.row, &names, visitor, view.mine).await?);
        }
        if let Some(play) = played {
            let game = view.play.row.game.clone();
            let presenter = Presenter::new(page, &game, &names);
            view.draw(&presenter, play.as_ref(), decision_since)?;
            let last = access.last_version(view.play.row.version).unwrap_or(-1);
            let log = store::list_log(conn, id, last - VERSIONS_TOLD, i64::from(VERSIONS_TOLD)).await?;
            view.tell(&presenter, access.viewer(), log.iter().filter(|it| it.version <= last))?;
        }
        if view.play.row.status.is_over() {
            view.read_after(conn, visitor).await?;
        }
        if view.hands_over() {
            // Both look at the screen.
            (view.tray, view.own_log) = (None, Vec::new());
        }
        Ok(view)
    }

    /// What the match itself says, before it is drawn.
    fn of(page: &Page, visitor: Option<&Identity>, snapshot: Snapshot, access: Access) -> Self {
        let clock = snapshot.clock().filter(|_| access.is_up_to_date());
        let Snapshot { row, terms, seats: taken, .. } = snapshot;
        let mine = access.seat();
        let seats = seat_lines(page, &row, &taken, (mine, access));
        Self {
            mine,
            is_known: visitor.is_some(),
            is_maker: visitor.is_some_and(|it| it.id == row.created_by),
            is_again: terms.rematch_of.is_some(),
            may_sit: false,
            may_bring: false,
            join: None,
            other: None,
            claims: Vec::new(),
            table: None,
            board: None,
            tray: None,
            turn: Whose::Nobody,
            deadline: clock.and_then(|clock| clock.deadline),
            log: Vec::new(),
            own_log: Vec::new(),
            commitment: hex(&row.commitment),
            rematch: None,
            may_repeat: false,
            may_join_rematch: false,
            shift: None,
            is_too_often: false,
            bluffs: None,
            written: None,
            is_outside: access == Access::Outside,
            news: access.is_up_to_date().then_some(row.change_seq),
            is_late: matches!(access, Access::Late(_)),
            is_private: terms.visibility == Visibility::Private,
            is_of_tournament: false,
            has_left: mine.is_some_and(|seat| row.has_resigned(i16::from(seat.0))),
            may_move: false,
            keeps_phone: false,
            tried: Tried::default(),
            seats,
            play: Play { seats: taken, title: terms.title, attention: None, row },
        }
    }

    /// Whether somebody else plays on this phone, and what they hold here.
    async fn read_other(
        &mut self,
        conn: &mut AsyncPgConnection,
        page: &Page,
        companion: Option<&Identity>,
    ) -> ApiResult<()> {
        let Some(companion) = companion else { return Ok(()) };
        let taken = self.play.seats.players.iter().find(|it| it.holder() == companion.id);
        self.other = match taken {
            Some(taken) => {
                let seat = self.seats.iter().find(|it| it.number == taken.seat);
                let name = seat.map(|it| it.label(page)).unwrap_or_default();
                Some(Other { name, seat: Some(taken.seat) })
            }
            None => {
                let player = players::store::find(conn, companion.id).await?;
                player.map(|it| Other { name: it.display_name, seat: None })
            }
        };
        Ok(())
    }

    /// The table, for those who sit at it, and whether they may sit down here.
    async fn read_place(
        &mut self,
        conn: &mut AsyncPgConnection,
        visitor: Option<&Identity>,
        join: Option<&str>,
    ) -> ApiResult<()> {
        let row = &self.play.row;
        let belongs = match (row.table_id, visitor) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(_), Some(visitor)) => sittings::store::lets_in(conn, row.id, visitor.id).await?,
        };
        let is_let_in = match join.filter(|_| !belongs) {
            Some(token) => sittings::store::is_token_of(conn, row.id, token).await?,
            None => false,
        };
        let has_room = row.status == Status::Waiting && self.free().next().is_some();
        self.may_sit = (belongs || is_let_in) && self.mine.is_none() && has_room;
        self.may_bring = self.mine.is_some() && has_room && visitor.is_some_and(|it| it.role == Role::Player);
        self.join = join.filter(|_| is_let_in).map(str::to_owned);
        if let Some(table) = row.table_id.filter(|_| belongs) {
            let table = tables::store::find(conn, table).await?.filter(|table| table.archived_at.is_none());
            self.table = table.map(|it| TableLink { path: format!("/t/{}", it.code), name: it.name });
        }
        Ok(())
    }

    /// The public board, as it lies before who looks, and what their seat holds.
    fn draw(&mut self, presenter: &Presenter<'_>, play: &dyn Match, decision_since: i32) -> ApiResult<()> {
        let row = &self.play.row;
        let public = guarded(|| play.view(Viewer::Public))?;
        let near = self.mine.unwrap_or(Seat(0));
        self.board = Some(presenter.draw_from(near, &from_str(public.get()).map_err(internal)?, &[])?);
        let Turn::Seats { to_move, interrupt } = guarded(|| play.turn())? else { return Ok(()) };
        for seat in &mut self.seats {
            seat.on_turn = to_move.iter().any(|it| i16::from(it.0) == seat.number);
        }
        self.turn = match self.mine {
            Some(mine) if to_move.has(mine) => Whose::Mine,
            Some(mine) if interrupt.has(mine) => Whose::MayInterrupt,
            _ => Whose::Others,
        };
        let Some(mine) = self.mine.filter(|_| row.status == Status::Running && !self.has_left) else { return Ok(()) };
        let moves: Vec<Json> = guarded(|| play.legal_moves(mine))?;
        self.may_move = !moves.is_empty();
        let action = format!("/m/{}/moves", row.code);
        // The same key for all attempts at this version, so that a second tap is the same move.
        let hidden = vec![("version", row.version.to_string()), ("key", format!("page-{}", row.version))];
        let form = MoveForm { action: &action, hidden };
        let view = from_str(guarded(|| play.view(Viewer::Seat(mine)))?.get()).map_err(internal)?;
        let html = presenter.tray(mine, &view, &moves, form)?;
        self.tray = Some(Tray::of(html, row.version, decision_since));
        Ok(())
    }

    fn tell<'a>(
        &mut self,
        presenter: &Presenter<'_>,
        viewer: Viewer,
        log: impl Iterator<Item = &'a LogRow>,
    ) -> ApiResult<()> {
        for version in log {
            let frame = Frame::of(version)?;
            for seat in self.seats.iter_mut().filter(|it| version.seat == Some(it.number) && !it.is_bot) {
                seat.was_late = version.made_by == MadeBy::Server;
            }
            let by_bot = self.seats.iter().any(|it| it.is_bot && Some(it.number) == version.seat);
            let by_autopilot = version.seat.is_some() && version.made_by == MadeBy::Server && !by_bot;
            // Others glance at the phone and read the log: what only this seat was told stays covered.
            let (public, own): (Vec<_>, Vec<_>) =
                frame.events.into_iter().partition(|it| it.to.includes(Viewer::Public));
            let own = own.into_iter().filter(|it| it.to.includes(viewer));
            let tell = |events: Vec<Json>| presenter.tell(&events);
            let lines = tell(public.into_iter().map(|it| it.event).collect());
            self.log.extend(lines.into_iter().map(|text| Line { text, by_autopilot }));
            self.own_log.extend(tell(own.map(|it| it.event).collect()));
        }
        self.own_log.reverse();
        Ok(())
    }

    async fn read_after(&mut self, conn: &mut AsyncPgConnection, visitor: Option<&Identity>) -> ApiResult<()> {
        let id = self.play.row.id;
        let next = match store::find_rematch(conn, id).await? {
            Some(next) => store::find(conn, next).await?,
            None => None,
        };
        if let (Some(next), Some(visitor)) = (&next, visitor.filter(|_| self.mine.is_some())) {
            self.may_join_rematch = play::matches::may_join(conn, visitor.id, next).await?;
        }
        self.rematch = next.map(|row| row.code);
        if let Some(visitor) = visitor.filter(|_| self.rematch.is_none() && (self.mine.is_some() || self.is_maker)) {
            self.may_repeat = play::matches::may_repeat(conn, visitor, &self.play.row).await?;
        }
        if let Some(visitor) = visitor.filter(|_| self.mine.is_some()) {
            let latest = player_stats::list_played(
                conn,
                visitor.id,
                Some(&self.play.row.game),
                None,
                (store::Reader::Player(visitor.id), LATEST),
            )
            .await?;
            let here = latest.into_iter().find(|it| it.tally.match_id == id);
            self.is_too_often = here.as_ref().is_some_and(|it| it.why == Some(Why::TooOften));
            self.shift = here.as_ref().and_then(|it| it.shift()).filter(|_| !self.is_too_often);
            self.bluffs = here.and_then(|it| Bluffs::of(&it.tally));
        }
        Ok(())
    }

    /// The page, or what of it changes for a script.
    pub(super) fn answer(&self, page: &Page, status: StatusCode) -> ApiResult<HttpResponse> {
        let template = MatchPage { page, view: self };
        let mut answer =
            if page.fragment { page.html_as(status, &template.as_live())? } else { page.html_as(status, &template)? };
        if self.other.is_some() {
            // What one of two people has seen is not there for the other by going back.
            answer.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
        Ok(answer)
    }

    /// For a screen on the wall or in the middle of the table: large, nothing private, nothing to press.
    pub(super) fn screen(&self, page: &Page, guest_url: String, qr: String) -> ApiResult<HttpResponse> {
        let template = ScreenPage { page, view: self, guest_url, qr };
        if page.fragment { page.html(&template.as_live()) } else { page.html(&template) }
    }

    pub(super) fn path(&self) -> String {
        format!("/m/{}", self.play.row.code)
    }

    /// Why who is not known here cannot sit down.
    pub(super) fn why_not(&self) -> ApiError {
        let row = &self.play.row;
        match row.status {
            Status::Waiting if row.table_id.is_some() => forbidden("not_at_table"),
            Status::Waiting => conflict("match_full"),
            _ => conflict("match_not_waiting"),
        }
        .into()
    }

    /// Why nobody else can sit down by this phone.
    pub(super) fn why_not_too(&self) -> ApiError {
        match self.play.row.status {
            Status::Waiting if self.mine.is_none() => forbidden("not_seated"),
            Status::Waiting if self.free().next().is_some() => forbidden("phone_of_staff"),
            Status::Waiting => conflict("match_full"),
            _ => conflict("match_not_waiting"),
        }
        .into()
    }

    /// The page with what its address asked for.
    fn own_address(&self) -> String {
        match &self.join {
            Some(join) => format!("{}?join={join}", self.path()),
            None if self.keeps_phone && self.other.is_some() => format!("{}?mine=1", self.path()),
            None => self.path(),
        }
    }

    /// Whether it is the turn of the other person on this phone, and not of who looks: they see nobody's hand until they say
    /// that they have the phone. Who may step in can keep it.
    fn hands_over(&self) -> bool {
        let Some(seat) = self.other.as_ref().and_then(|other| other.seat) else { return false };
        let is_theirs = self.seats.iter().any(|it| it.number == seat && it.on_turn && !it.has_left);
        let keeps = self.keeps_phone && self.turn == Whose::MayInterrupt;
        self.play.row.status == Status::Running && is_theirs && self.turn != Whose::Mine && !keeps
    }

    /// The other person of this phone who has a seat here.
    fn seated_other(&self) -> Option<&Other> {
        self.other.as_ref().filter(|other| other.seat.is_some())
    }

    /// Where the server has moved for a player lately or will, but for the seat of who looks.
    fn by_autopilot(&self) -> impl Iterator<Item = &SeatLine> {
        self.seats.iter().filter(|seat| !seat.is_mine && (seat.has_left || seat.was_late))
    }

    fn claims_path(&self, table: &TableLink) -> String {
        format!("{}/claims", table.path)
    }

    /// Whether who looks may take their seat back.
    fn may_return(&self) -> bool {
        self.my_seat().is_some_and(|seat| seat.may_return)
    }

    fn my_seat(&self) -> Option<&SeatLine> {
        self.seats.iter().find(|seat| seat.is_mine)
    }

    /// Whether a friend may be shown the way here.
    fn may_show_code(&self) -> bool {
        self.mine.is_some() && self.missing() > 0 && !self.is_private
    }

    fn free(&self) -> impl Iterator<Item = &SeatLine> {
        self.seats.iter().filter(|seat| seat.name.is_none())
    }

    fn missing(&self) -> usize {
        self.free().count()
    }

    fn is_live(&self) -> bool {
        !self.play.row.status.is_over()
    }

    /// Whether there is a button for reactions. Its style hides it from who has no seat now.
    fn may_react(&self, page: &Page) -> bool {
        self.is_known && page.settings().reactions
    }

    /// Whether the page listens for news.
    fn listens(&self, page: &Page) -> bool {
        !self.is_outside && self.asks_every(page).is_some()
    }

    /// After how many seconds the page asks again if it hears of no news. Once the match is over, its players wait a while for
    /// somebody to start the next, and hear each other's reactions.
    fn asks_every(&self, page: &Page) -> Option<u8> {
        let ended = self.play.row.finished_at.unwrap_or(page.now);
        match self.play.row.status {
            Status::Waiting | Status::Running if self.is_outside => Some(10),
            Status::Waiting | Status::Running => Some(30),
            _ if self.rematch.is_none() && self.mine.is_some() && page.now.duration_since(ended) < AFTER_THE_END => {
                Some(4)
            }
            _ => None,
        }
    }

    fn may_leave(&self) -> bool {
        self.mine.is_some() && self.play.row.status == Status::Waiting && !self.is_of_tournament
    }

    fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| seat.is_bot)
    }

    /// Whether who looks decides which bots play.
    fn may_seat_bots(&self) -> bool {
        self.is_maker && self.is_live() && self.play.row.mode == Mode::Played && !self.is_of_tournament
    }

    /// No person sits there, and bots do not play among themselves.
    fn has_nobody(&self) -> bool {
        self.play.seats.players.is_empty()
    }

    fn may_start(&self) -> bool {
        (self.is_maker || self.is_again && self.mine.is_some()) && self.play.row.status == Status::Waiting
    }

    /// Who starts it, in words. Who leads it may have no seat.
    fn who_starts(&self, page: &Page) -> String {
        let leader = self.play.seats.players.iter().find(|it| it.holder() == self.play.row.created_by);
        match leader.and_then(|leader| self.seats.iter().find(|it| it.number == leader.seat)) {
            Some(seat) => page.say("play-wait-start").with("name", seat.label(page)).to_string(),
            None => page.t("play-wait-start-unseated"),
        }
    }

    /// Who is waited for, in words.
    fn waiting_for(&self, page: &Page) -> String {
        let on_turn: Vec<String> = self.seats.iter().filter(|seat| seat.on_turn).map(|seat| seat.label(page)).collect();
        match on_turn.as_slice() {
            [] => String::new(),
            [one] => page.say("play-turn-of").with("name", one).to_string(),
            [one, other] => page.say("play-turn-of-two").with("one", one).with("other", other).to_string(),
            many => page.say("play-turn-of-many").with("count", many.len()).to_string(),
        }
    }

    /// The lines at hand, the latest last.
    fn latest(&self) -> &[Line] {
        &self.log[self.log.len().saturating_sub(LINES_AT_HAND)..]
    }

    /// From the best place to the last.
    fn by_rank(&self) -> Vec<&SeatLine> {
        let mut seats: Vec<_> = self.seats.iter().collect();
        seats.sort_by_key(|seat| seat.rank.unwrap_or(u64::MAX));
        seats
    }

    fn has_outcome(&self) -> bool {
        self.seats.iter().any(|seat| seat.rank.is_some())
    }

    /// The place of who looks.
    fn my_rank(&self) -> Option<u64> {
        self.seats.iter().find(|seat| seat.is_mine)?.rank
    }

    /// Whether all of its log, with the seed, may be fetched.
    fn has_record(&self) -> bool {
        let row = &self.play.row;
        row.status.is_over() && row.mode == Mode::Played && row.started_at.is_some()
    }

    fn is_scored(&self) -> bool {
        self.play.row.mode == Mode::Scored
    }

    /// Whether who looks may ask for the next match, or join the one that another asked for.
    fn offers_rematch(&self) -> bool {
        match self.rematch {
            Some(_) => self.may_join_rematch,
            None => self.may_repeat && (self.mine.is_some() || self.is_maker),
        }
    }

    /// What the button says by which a player asks for the next match, or joins the one that another asked for.
    fn rematch_key(&self) -> &'static str {
        if self.rematch.is_some() { "play-join-rematch" } else { "play-rematch" }
    }

    fn is_winner(&self) -> bool {
        self.my_rank() == Some(1)
    }
}

#[cfg(test)]
mod tests {
    use base::auth::{Credential, Role};
    use base::ids::SessionId;
    use engine::catalogue;
    use play::matches::reveals::Reveals;
    use play::matches::store::WholeMatch;
    use play::matches::{Leaving, MatchRow, Terms};
    use uuid::Uuid;

    use super::*;
    use crate::matches::results::admin::{Results, Written as AllWritten};
    use web_base::page::samples::{self, SampleMatch};
    use web_base::qr::qr_svg;

    /// The match as somebody sees it who has this seat, has none, or is not known here.
    fn shown(page: &Page, sample: SampleMatch, visitor: Option<u8>, terms: Terms) -> PlayView {
        let SampleMatch { row, seats, state, log, play } = sample;
        let visitor = visitor.map(|it| Identity {
            id: samples::player_id(it),
            session: SessionId(Uuid::nil()),
            role: Role::Player,
            credential: Credential::Session,
        });
        let has_begun = row.mode == Mode::Played && row.started_at.is_some();
        let found = WholeMatch {
            row,
            state: has_begun.then_some(state),
            decision_since: 0,
            terms: Some(terms),
            clock: None,
            reveals: Reveals(Vec::new()),
            now: Timestamp::UNIX_EPOCH,
        };
        let snapshot = Snapshot::of(found, seats);
        let taken = snapshot.seats.players.iter().find(|it| Some(it.holder()) == visitor.as_ref().map(|it| it.id));
        let seat = taken.and_then(|it| u8::try_from(it.seat).ok()).map(Seat);
        let access = Access::of(&snapshot.row, &snapshot.terms, seat, false);
        let mut view = PlayView::of(page, visitor.as_ref(), snapshot, access);
        view.table = Some(TableLink { name: "1번".to_owned(), path: "/t/HJKMNP".to_owned() });
        view.may_sit = view.mine.is_none() && view.play.row.status == Status::Waiting && view.missing() > 0;
        if has_begun && access != Access::Outside {
            let names: Vec<String> = view.seats.iter().map(|seat| seat.label(page)).collect();
            let game = view.play.row.game.clone();
            let presenter = Presenter::new(page, &game, &names);
            view.draw(&presenter, play.as_ref(), 0).unwrap();
            view.tell(&presenter, access.viewer(), log.iter()).unwrap();
        }
        view.may_repeat = true;
        let wrong = page.t("field-empty");
        view.tried.name_wrong = Some(wrong.clone());
        view.tried.nonce_wrong = Some(wrong.clone());
        view.tried.refused = Some(wrong);
        view
    }

    /// As the maker in the first seat, another player, a guest without a seat, and somebody who is not known see it.
    fn check(terms: &Terms, sample: impl Fn() -> SampleMatch, change: impl Fn(&Page, &mut PlayView)) {
        for visitor in [Some(0), Some(1), Some(40), None] {
            samples::check(samples::ANYBODY, |page| {
                let mut view = shown(&page, sample(), visitor, terms.clone());
                change(&page, &mut view);
                MatchPage { page: &page, view: &view }.render()
            });
        }
        samples::check(samples::ANYBODY, |page| {
            let view = shown(&page, sample(), None, terms.clone());
            let guest_url = format!("https://example.org{}", view.path());
            let qr = qr_svg(&guest_url).unwrap();
            ScreenPage { page: &page, view: &view, guest_url, qr }.render()
        });
    }

    fn open_to_all() -> Terms {
        Terms { spectators: true, ..Terms::default() }
    }

    #[test]
    fn a_match_is_complete_in_every_game_from_start_to_end() {
        for (kind, moves) in catalogue::GAMES.iter().flat_map(|kind| [0, 6, 10_000].map(|moves| (kind, moves))) {
            check(
                &open_to_all(),
                || SampleMatch::after(kind.info().id, moves),
                |_, view| {
                    view.deadline = Some(Timestamp::UNIX_EPOCH);
                    view.shift = Some((1_200, 1_234));
                },
            );
        }
    }

    #[test]
    fn a_match_is_complete_before_anybody_began_and_where_nobody_did() {
        for status in [Status::Waiting, Status::Aborted, Status::Expired] {
            for (mode, taken) in [(Mode::Played, 1), (Mode::Scored, 2), (Mode::Played, 4)] {
                let sample = || {
                    let row = MatchRow { status, mode, turn_seconds: Some(60), ..samples::waiting_match() };
                    SampleMatch { row, seats: samples::seats(taken), ..SampleMatch::after("perudo", 0) }
                };
                check(&Terms::default(), sample, |_, _| {});
            }
        }
    }

    #[test]
    fn a_match_is_complete_for_those_who_may_not_watch_or_later_only() {
        let late = Terms { spectator_delay: 5, ..open_to_all() };
        for terms in [Terms { spectators: false, ..Terms::default() }, late] {
            check(&terms, || SampleMatch::after("perudo", 6), |_, _| {});
        }
    }

    #[test]
    fn a_match_is_complete_after_a_player_left_and_with_a_rematch() {
        for moves in [6, 10_000] {
            let sample = || {
                let mut sample = SampleMatch::after("perudo", moves);
                sample.row.resigned = 0b11;
                for seat in &mut sample.seats.players[..2] {
                    seat.left_at = Some(Timestamp::UNIX_EPOCH);
                    seat.left_why = Some(Leaving::TimedOut);
                }
                sample.seats.players[0].stand_in_id = Some(samples::player_id(40));
                sample.seats.players[0].stand_in_name = Some("서연".to_owned());
                sample
            };
            for may_join in [true, false] {
                check(&open_to_all(), sample, |_, view| {
                    view.rematch = Some("WXYZ23".to_owned());
                    view.may_join_rematch = may_join && view.mine.is_some();
                });
            }
        }
    }

    #[test]
    fn a_match_with_real_dice_is_complete_with_results_and_without() {
        for (status, count) in [(Status::Running, 0), (Status::Running, 4), (Status::Finished, 4), (Status::Aborted, 0)]
        {
            let sample = || {
                let mut row = MatchRow { status, mode: Mode::Scored, ..samples::waiting_match() };
                row.started_at = Some(Timestamp::UNIX_EPOCH);
                SampleMatch { row, seats: samples::seats(4), ..SampleMatch::after("perudo", 0) }
            };
            check(&open_to_all(), sample, |page, view| {
                let rows = samples::results().into_iter().take(count).collect();
                let results = Results { rows, ..Results::default() };
                let names: Vec<String> = view.seats.iter().map(|seat| seat.label(page)).collect();
                let me = view.mine.map(|it| samples::player_id(it.0));
                let may_write = me.is_some() && status == Status::Running;
                let all = AllWritten::of(page, &view.play.row, &names, &results, may_write);
                view.written = Some(Written::of(all, me));
            });
        }
    }
}
