//! Seasons for the samples of their pages: a new one, one with a table, and one with divisions that is over.

use base::ids::{SeriesId, TournamentId};
use competitions::series::store::{Account, EntrantRow, PersonRow};
use competitions::series::{DivisionRow, EventRow, Season, SeriesRow, SeriesStatus};
use competitions::tournaments::{Doc, TournamentStatus};
use engine::tournaments::{EventPlace, SeriesPoints, SeriesRules, SeriesTieBreak};
use jiff::Timestamp;
use uuid::Uuid;

use web_base::page::samples;

const PEOPLE: u8 = 5;

pub(super) fn seasons() -> Vec<Season> {
    let new = season(SeriesStatus::Draft, &[], 0);
    let played = season(SeriesStatus::Running, &[], 3);
    let divisions = [("1부", 0, 1), ("2부", 2, 0)];
    let mut over = season(SeriesStatus::Ended, &divisions, 3);
    over.neighbours = vec![
        SeriesRow { id: SeriesId(Uuid::from_u128(2)), name: "봄 시즌".to_owned(), ..over.row.clone() },
        SeriesRow {
            id: SeriesId(Uuid::from_u128(3)),
            previous_id: Some(over.row.id),
            name: "겨울 시즌".to_owned(),
            ..over.row.clone()
        },
    ];
    vec![new, played, season(SeriesStatus::Running, &divisions, 2), over]
}

fn season(status: SeriesStatus, divisions: &[(&str, i16, i16)], events: u8) -> Season {
    let points = match events {
        2 => SeriesPoints::Beaten {},
        _ => SeriesPoints::Places { scale: vec![1000, 700, 500, 250] },
    };
    let tie_breaks = vec![SeriesTieBreak::Wins, SeriesTieBreak::Latest];
    let row = SeriesRow {
        id: SeriesId(Uuid::from_u128(1)),
        code: "BCD234".to_owned(),
        name: "2026 가을 시즌".to_owned(),
        status,
        rules: Doc(SeriesRules { points, best: (events > 2).then_some(2), attendance: 50, tie_breaks }),
        previous_id: (status == SeriesStatus::Ended).then_some(SeriesId(Uuid::from_u128(2))),
        created_by: samples::player_id(0),
        created_at: Timestamp::UNIX_EPOCH,
        revision: 3,
    };
    let divisions: Vec<DivisionRow> = (1..)
        .zip(divisions)
        .map(|(number, (name, promoted, relegated))| DivisionRow {
            number,
            name: (*name).to_owned(),
            promoted: *promoted,
            relegated: *relegated,
        })
        .collect();
    let lowest = divisions.last().map(|it| it.number);
    // The last event is still played.
    let rows = (1..=events).map(|number| event(number, number < events, lowest.filter(|_| number == 2)));
    let rows: Vec<EventRow> = rows.collect();
    let entrants = rows.iter().flat_map(|event| (1..=PEOPLE).map(|it| entrant(event.id, it))).collect();
    let said = PersonRow {
        account: Account { id: samples::player_id(1), name: "민아".to_owned(), registered: false, deleted: false },
        same_as: Some(samples::player_id(2)),
        division: divisions.first().map(|it| it.number),
    };
    Season::of(row, divisions, rows, entrants, if events > 0 { vec![said] } else { Vec::new() })
}

fn event(number: u8, is_over: bool, division: Option<i16>) -> EventRow {
    let place = |it: u8| EventPlace { person: it.into(), rank: u32::from(it).min(4), score: 100 * i64::from(it) };
    EventRow {
        id: TournamentId(Uuid::from_u128(u128::from(number))),
        code: format!("XYZ23{number}"),
        name: format!("{number}번째 금요일"),
        game: "perudo".to_owned(),
        title: None,
        status: if is_over { TournamentStatus::Finished } else { TournamentStatus::Running },
        at: Timestamp::UNIX_EPOCH,
        division,
        places: is_over.then(|| Doc((number..=PEOPLE).map(place).collect())),
    }
}

fn entrant(event: TournamentId, number: u8) -> EntrantRow {
    let name = format!("하늘 {number}");
    let account = Account { id: samples::player_id(number), name, registered: number == 2, deleted: number == 3 };
    EntrantRow { tournament_id: event, number: number.into(), account }
}
