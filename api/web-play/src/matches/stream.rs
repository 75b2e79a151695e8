//! `GET /api/v1/matches/{id}/stream`: server-sent events. A `frame` for each version, with the version as its id, and a
//! `status` at first and whenever the match starts or ends, somebody takes or leaves a seat or staff look at what is hidden; after
//! the end it has the version as its id too. A `reaction` when somebody at the match sends one: without an id, so that a stream
//! resumes as if there had been none.

#![expect(unused_qualifications, reason = "utoipa writes them for `params(…)`")]

use crate::matches::answers::FrameAnswer;
use std::sync::Arc;
use std::time::Duration;
use web_base::limits::{Budget, Streams};

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse, get};
use futures_util::stream::unfold;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::answers::{SeatAnswer, seat_answers};
use super::narrator::Narrator;
use base::auth::Identity;
use base::auth::RevokedSessions;
use base::db::Db;
use base::error::internal;
use base::live::{Live, Signal, Watch, Woken};
use base::text::Lang;
use base::world::World;
use engine::Viewer;
use play::matches::access::Access;
use play::matches::clock::Clock;
use play::matches::feed::{self, Frame, Snapshot};
use play::matches::reveals::Reveal;
use play::matches::{MatchId, MatchRow, Reaction, Status};
use web_base::error::ApiResult;
use web_base::extract::Player;
use web_base::extract::{Path, Search};

const HEARTBEAT: Duration = Duration::from_secs(15);
/// A role may be gone by then; a client that may still listen connects again.
const LONGEST: SignedDuration = SignedDuration::from_mins(30);

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct StreamQuery {
    /// The last version that is known already; `Last-Event-ID` says it better.
    after: Option<i32>,
    /// Also say each event as a sentence in this language.
    text: Option<Lang>,
    /// `true` to go on listening for ten minutes after the end, for reactions.
    stay: Option<bool>,
}

/// The data of a `status` event.
#[derive(Serialize, ToSchema)]
#[schema(as = MatchStatus)]
pub struct StatusData {
    match_id: MatchId,
    status: Status,
    seats: Vec<SeatAnswer>,
    /// Looks of staff at what is hidden, at versions that the listener may know of.
    reveals: Vec<Reveal>,
}

/// The data of a `clock` event.
#[derive(Serialize, ToSchema)]
#[schema(as = MatchClockNews)]
struct ClockData {
    match_id: MatchId,
    version: i32,
    clock: Clock,
}

/// The data of a `reaction` event: what somebody at the match says to all who see it as it is.
#[derive(Serialize, ToSchema)]
#[schema(as = MatchReaction)]
pub struct ReactionData {
    match_id: MatchId,
    seat: u8,
    reaction: Reaction,
}

/// Server-sent events: `event: frame` (an `EventFrame`) with `id:` the version and the same data as in the list of events, and
/// `event: status` (a `MatchStatus`), and in a match with a time limit `event: clock` (a `MatchClockNews`) after the frames that
/// lead to it and whenever a deadline moves. Once the match is over, its `status` has the version as `id:` too. When somebody at
/// the match sends one, `event: reaction` (a `MatchReaction`), which has no `id:` and does not come again. Resumes after
/// `Last-Event-ID`. Ends with the match; with `stay` ten minutes later, so that reactions are still heard.
#[utoipa::path(
    tag = "matches",
    params(("id" = MatchId, Path), StreamQuery, ("Last-Event-ID" = Option<i32>, Header)),
    responses(
        (status = 200, content_type = "text/event-stream", body = String),
        (status = 204, description = "The match is over and the caller has every event: do not connect again")
    )
)]
#[get("/matches/{id}/stream")]
pub async fn stream_match(
    budget: Budget<Streams>,
    (db, live, world, ended): (Data<Db>, Data<Live>, Data<World>, Data<RevokedSessions>),
    request: HttpRequest,
    Player(player): Player,
    Path(id): Path<MatchId>,
    Search(query): Search<StreamQuery>,
) -> ApiResult<HttpResponse> {
    let header = request.headers().get("last-event-id").and_then(|it| it.to_str().ok()?.parse::<i32>().ok());
    let mut watch = live.watch(id).with_signals();
    let snapshot = feed::snapshot(&mut watch, &db).await?;
    // Callers who may not know of the match are refused before anything is sent.
    snapshot.access_through(&db, &player).await?;
    let stays = query.stay.unwrap_or(false);
    if is_silent(&snapshot.row, stays, &world) && header.is_some_and(|heard| heard >= snapshot.row.version) {
        return Ok(HttpResponse::NoContent().finish());
    }
    let listener = Listener {
        db,
        ended,
        watch,
        player,
        heard: header.or(query.after).unwrap_or(-1),
        lang: query.text,
        stays,
        status: None,
        turn: None,
        is_new: true,
        until: world.now() + LONGEST,
        world,
        _budget: budget,
    };
    let events = unfold(Some(listener), |listener| async {
        let mut listener = listener?;
        match listener.next().await {
            Ok(Some(text)) => Some((Ok(Bytes::from(text)), Some(listener))),
            Ok(None) => None,
            // The client comes again, and hears of what is wrong then.
            Err(err) => Some((Err(actix_web::Error::from(err)), None)),
        }
    });
    Ok(HttpResponse::Ok()
        .content_type("text/event-stream")
        .insert_header(("cache-control", "no-store"))
        .insert_header(("x-accel-buffering", "no"))
        .streaming(events))
}

/// Whether nothing more comes of this match.
fn is_silent(row: &MatchRow, stays: bool, world: &World) -> bool {
    row.status.is_over() && !(stays && row.hears_reactions(world.now()))
}

/// A version, and when its turn began and ends.
type Turn = (i32, Option<Timestamp>, Option<Timestamp>);

/// Somebody who listens. It is asked for more only when what it was sent has gone out: a slow one costs no memory.
struct Listener {
    db: Data<Db>,
    ended: Data<RevokedSessions>,
    world: Data<World>,
    watch: Watch,
    player: Identity,
    /// The last version that was sent.
    heard: i32,
    /// Of sentences, if they are wanted.
    lang: Option<Lang>,
    /// Whether they listen for reactions after the end.
    stays: bool,
    /// The last status that was sent.
    status: Option<Arc<str>>,
    /// The turn that they were told of last.
    turn: Option<Turn>,
    is_new: bool,
    until: Timestamp,
    _budget: Budget<Streams>,
}

impl Listener {
    /// What to send next, waiting for it; `None` at the end.
    async fn next(&mut self) -> ApiResult<Option<String>> {
        if std::mem::take(&mut self.is_new) {
            return Ok(Some("retry: 2000\n\n".to_owned()));
        }
        let mut signal = None;
        loop {
            if self.ended.has(self.player.session) {
                return Ok(None);
            }
            let (snapshot, frames) = feed::frames_after(&mut self.watch, &self.db, self.heard).await?;
            let access = snapshot.access_through(&self.db, &self.player).await?;
            let mut text = self.write(&snapshot, access, &frames)?;
            if let Some(signal) = signal.take().filter(|_| access.is_up_to_date()) {
                write_reaction(&mut text, &snapshot, &signal)?;
            }
            if !text.is_empty() {
                return Ok(Some(text));
            }
            if is_silent(&snapshot.row, self.stays, &self.world) || self.world.now() > self.until {
                return Ok(None);
            }
            match self.watch.woken(HEARTBEAT).await {
                Woken::News => {}
                Woken::Signal(sent) => signal = Some(sent),
                Woken::Timeout => return Ok(Some(": still here\n\n".to_owned())),
                Woken::Stopping => return Ok(None),
            }
        }
    }

    /// The start before the first frame, the end after the last.
    fn write(&mut self, snapshot: &Snapshot, access: Access, frames: &[Arc<Frame>]) -> ApiResult<String> {
        let row = &snapshot.row;
        let last = access.last_version(row.version);
        let mut text = String::new();
        if !row.status.is_over() {
            self.write_status(&mut text, snapshot, last)?;
        }
        let lang = self.lang;
        for frame in frames.iter().filter(|frame| Some(frame.version) <= last) {
            let viewer = access.viewer();
            let key = (viewer, lang, snapshot.reveals.at(frame.version));
            text += &*frame.texts.get_or(key, || frame_text(frame, viewer, lang, snapshot))?;
            self.heard = frame.version;
        }
        self.write_clock(&mut text, snapshot, access)?;
        let is_all = snapshot.state.is_none() || self.heard >= row.version;
        if row.status.is_over() && is_all {
            self.write_status(&mut text, snapshot, last)?;
        }
        Ok(text)
    }

    /// Once everything that led to it has been told.
    fn write_clock(&mut self, text: &mut String, snapshot: &Snapshot, access: Access) -> ApiResult<()> {
        let is_current = access.is_up_to_date() && self.heard >= snapshot.row.version;
        let clock = snapshot.clock().filter(|clock| is_current && clock.turn_since.is_some());
        let Some(clock) = clock else { return Ok(()) };
        let turn = Some((snapshot.row.version, clock.turn_since, clock.deadline));
        if self.turn != turn {
            let data = ClockData { match_id: snapshot.row.id, version: snapshot.row.version, clock };
            let data = serde_json::to_string(&data).map_err(internal)?;
            *text += &format!("event: clock\ndata: {data}\n\n");
            self.turn = turn;
        }
        Ok(())
    }

    fn write_status(&mut self, text: &mut String, snapshot: &Snapshot, last: Option<i32>) -> ApiResult<()> {
        let reveals = snapshot.reveals.up_to(last);
        let status = snapshot.status.get_or(reveals.clone(), || status_text(snapshot, reveals))?;
        if self.status.as_ref() != Some(&status) {
            if snapshot.row.status.is_over() {
                // Where there are no frames, nothing else tells that everything was heard.
                *text += &format!("id: {}\n", snapshot.row.version);
            }
            text.push_str(&status);
            self.status = Some(status);
        }
        Ok(())
    }
}

/// Only for those who see the match as it is: to others it would tell what is yet to come.
fn write_reaction(text: &mut String, snapshot: &Snapshot, signal: &Signal) -> ApiResult<()> {
    if let Some(reaction) = Reaction::of(signal) {
        let data = ReactionData { match_id: snapshot.row.id, seat: signal.seat, reaction };
        let data = serde_json::to_string(&data).map_err(internal)?;
        *text += &format!("event: reaction\ndata: {data}\n\n");
    }
    Ok(())
}

fn frame_text(frame: &Frame, viewer: Viewer, lang: Option<Lang>, snapshot: &Snapshot) -> ApiResult<String> {
    let narrator = lang.map(|lang| Narrator::of(snapshot, lang));
    let shown = Narrator::told(narrator.as_ref(), frame.for_viewer(viewer).with(&snapshot.reveals));
    let data = serde_json::to_string(&shown).map_err(internal)?;
    Ok(format!("id: {}\nevent: frame\ndata: {data}\n\n", frame.version))
}

fn status_text(snapshot: &Snapshot, reveals: Vec<Reveal>) -> ApiResult<String> {
    let Snapshot { row, terms, seats, .. } = snapshot;
    let seats = seat_answers(row, terms, seats);
    let status = StatusData { match_id: row.id, status: row.status, seats, reveals };
    let data = serde_json::to_string(&status).map_err(internal)?;
    Ok(format!("event: status\ndata: {data}\n\n"))
}
