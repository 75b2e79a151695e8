//! Who began a finished match, and what its seats played: read from the match once, so that the sums by order of play and by
//! role are made by the database like all others.

use std::collections::VecDeque;

use diesel_async::AsyncPgConnection;
use engine::lab::Phases;
use engine::{Seat, Turn};
use jiff::civil::Date;
use serde_json::Value;

use super::store::analysis::{self as store, AnalysisRow, OpeningRow, UnanalysedRow};
use base::error::Result;
use base::games::{guarded, kind_as_played, resume};

const AT_ONCE: i64 = 200;

/// Notes it of all matches that finished on this day.
pub(super) async fn note(conn: &mut AsyncPgConnection, day: Date, zone: &str) -> Result<()> {
    loop {
        let rows = store::list_unanalysed(conn, day, zone, AT_ONCE).await?;
        if rows.is_empty() {
            return Ok(());
        }
        let openings = store::list_openings(conn, &rows).await?;
        let analysed = |row: &UnanalysedRow| {
            let opening = openings.iter().filter(|it| it.match_id == row.id);
            AnalysisRow { match_id: row.id, first_seat: first(row, opening).map(|it| it.0.into()), roles: roles(row) }
        };
        store::insert(conn, &rows.iter().map(analysed).collect::<Vec<_>>()).await?;
    }
}

/// Matches by rules of before, and states that somebody changed, tell nothing.
fn roles(row: &UnanalysedRow) -> Option<Vec<Option<String>>> {
    let seats = u8::try_from(row.seat_count).ok()?;
    let play = resume(&row.game, row.revision, &row.state).ok()?;
    guarded(|| play.roles(seats)).ok().filter(|roles| roles.iter().any(Option::is_some))
}

fn first<'a>(row: &UnanalysedRow, opening: impl Iterator<Item = &'a OpeningRow>) -> Option<Seat> {
    guarded(|| first_alone(row, opening)).ok().flatten()
}

/// Plays the beginning of the match again, until a seat is asked alone.
fn first_alone<'a>(row: &UnanalysedRow, mut opening: impl Iterator<Item = &'a OpeningRow>) -> Option<Seat> {
    let (kind, seats) = (kind_as_played(&row.game, row.revision).ok()?, u8::try_from(row.seat_count).ok()?);
    let (mut play, _) = kind.start(&row.options, seats, &mut chance(opening.next()?)?).ok()?;
    let mut phases = Phases::default();
    loop {
        let Turn::Seats { to_move, .. } = play.turn() else { return None };
        phases.begins(to_move);
        if let Some(first) = phases.first() {
            return Some(first);
        }
        let step = opening.next()?;
        let seat = step.seat.and_then(|it| u8::try_from(it).ok()).map(Seat)?;
        play.play(seat, step.chosen.as_ref()?, &mut chance(step)?).ok()?;
    }
}

fn chance(row: &OpeningRow) -> Option<VecDeque<Value>> {
    row.chance.as_array().map(|outcomes| outcomes.iter().cloned().collect())
}

#[cfg(test)]
mod tests {
    use base::ids::MatchId;
    use engine::{catalogue, playout};
    use serde_json::json;

    use super::*;

    /// A match of so many moves, as the database has it.
    fn played(game: &str, seats: u8, options: &Value, moves: usize) -> (UnanalysedRow, Vec<OpeningRow>) {
        let (kind, id) = (catalogue::find(game).unwrap(), MatchId(uuid::Uuid::nil()));
        let random = &mut playout::random(3);
        let (mut play, step) = kind.start(options, seats, random).unwrap();
        let opening = |made: Option<(Seat, Value)>, chance: &[engine::Json]| OpeningRow {
            match_id: id,
            seat: made.as_ref().map(|(seat, _)| seat.0.into()),
            chosen: made.map(|(_, chosen)| chosen),
            chance: serde_json::to_value(chance).unwrap(),
        };
        let mut log = vec![opening(None, &step.chance)];
        for _ in 0..moves {
            let (seat, chosen) = playout::random_move(play.as_ref(), random).unwrap();
            let chosen: Value = serde_json::from_str(chosen.get()).unwrap();
            let step = play.play(seat, &chosen, random).unwrap();
            log.push(opening(Some((seat, chosen)), &step.chance));
        }
        let revision = i32::try_from(kind.info().revision).unwrap();
        let (game, seat_count) = (game.to_owned(), seats.into());
        (UnanalysedRow { id, game, revision, options: options.clone(), seat_count, state: play.save() }, log)
    }

    #[test]
    fn who_plays_first_is_who_is_asked_alone() {
        let (row, log) = played("perudo", 3, &json!({}), 3);
        assert_eq!(first(&row, log.iter()).map(|it| Some(it.0.into())), Some(log[1].seat));
        assert_eq!(roles(&row), None);
        assert_eq!(first(&UnanalysedRow { revision: 0, ..row }, log.iter()), None);
    }

    #[test]
    fn where_all_choose_at_once_nobody_is_first() {
        let (row, log) = played("animal-kingdom", 10, &json!({}), 10);
        assert_eq!(first(&row, log.iter()), None);
        assert_eq!(roles(&row).map(|it| it.len()), Some(10));
        assert_eq!(roles(&UnanalysedRow { state: b"{}".to_vec(), ..row }), None);
    }
}
