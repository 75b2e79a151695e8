//! What happened and what may be done as finished sentences, for callers who ask for them.

use diesel_async::AsyncPgConnection;
use engine::Json;

use super::EventFrame;
use crate::games::words::Words;
use base::text::Lang;
use play::matches::{MatchId, SeatRow, SeatView, Seats, Snapshot};
use web_base::error::ApiResult;

/// Tells of one match in one language.
pub(super) struct Narrator {
    lang: Lang,
    game: String,
    /// By seat.
    names: Vec<String>,
}

impl Narrator {
    pub(super) fn of(snapshot: &Snapshot, lang: Lang) -> Self {
        let Snapshot { row, terms, seats, .. } = snapshot;
        let name = |seat| player_name(seats, seat, lang).or_else(|| bot_name(seats, seat, lang));
        let otherwise = |seat: i16| lang.text_with("seat-number", &[("number", (seat + 1).into())]);
        let named = |seat| name(seat).or_else(|| terms.seat_name(seat).map(str::to_owned));
        let names = (0..row.seat_count).map(|seat| named(seat).unwrap_or_else(|| otherwise(seat))).collect();
        Self { lang, game: row.game.clone(), names }
    }

    fn tell(&self, frame: EventFrame) -> EventFrame {
        let words = self.words();
        EventFrame { texts: Some(frame.events.iter().map(|event| words.event(event).0).collect()), ..frame }
    }

    /// The frame with its sentences, if somebody tells them.
    pub(super) fn told(narrator: Option<&Self>, frame: EventFrame) -> EventFrame {
        match narrator {
            Some(narrator) => narrator.tell(frame),
            None => frame,
        }
    }

    pub(super) fn name_moves(&self, moves: &[Json]) -> Vec<String> {
        let words = self.words();
        moves.iter().map(|chosen| words.chosen(chosen)).collect()
    }

    fn words(&self) -> Words<'_> {
        Words::new(self.lang, &self.game, &self.names)
    }
}

/// The view with its legal moves in words.
pub(super) async fn name_legal_moves(
    conn: &mut AsyncPgConnection,
    id: MatchId,
    lang: Lang,
    view: SeatView,
) -> ApiResult<SeatView> {
    let narrator = Narrator::of(&Snapshot::read(conn, id).await?, lang);
    Ok(SeatView { move_texts: Some(narrator.name_moves(&view.legal_moves)), ..view })
}

fn player_name(seats: &Seats, seat: i16, lang: Lang) -> Option<String> {
    let row = seats.players.iter().find(|it| it.seat == seat)?;
    let SeatRow { display_name, deleted, tag, stand_in_name, .. } = row;
    let name = match stand_in_name {
        Some(name) => name.clone(),
        None if *deleted => lang.text("someone"),
        None => display_name.clone(),
    };
    match tag {
        Some(tag) => Some(lang.text_with("name-and-tag", &[("name", name.into()), ("tag", tag.as_str().into())])),
        None => Some(name),
    }
}

fn bot_name(seats: &Seats, seat: i16, lang: Lang) -> Option<String> {
    let bot = seats.bots().find(|it| it.seat == seat)?;
    Some(lang.text_with("bot-name", &[("number", (bot.seat + 1).into())]))
}
