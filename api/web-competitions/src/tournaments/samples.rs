//! Tournaments at each moment of their lives, for the samples of their pages. The engine pairs them and knows who stands where.

use base::ids::{MatchId, TableId};
use competitions::tournaments::store::{BoutKey, BoutRow, Doc, EntrantRow, ParticipantRow, RoundRow, TournamentRow};
use competitions::tournaments::{
    EntrantStatus, EntryMode, RoundStatus, Seeding, StagePlan, Tournament, TournamentId, TournamentStatus,
};
use engine::tournaments::{
    Consolation, Finish, Format, Free, GroupPlay, PodPairing, Points, Scoring, ShortTables, TieBreak,
};
use jiff::Timestamp;
use play::matches::{Mode, Status};
use serde_json::json;
use uuid::Uuid;

use web_base::page::samples;

/// So many play: one too many for pairs, and enough for two pods.
const PLAYERS: i32 = 7;
/// More rounds than any of these formats has.
const MOST_ROUNDS: usize = 20;

/// Each kind of format at each moment from the first idea to the end.
pub(crate) fn moments() -> Vec<Tournament> {
    let formats = [
        Format::Swiss { rounds: 3 },
        Format::Groups { groups: 2, play: GroupPlay::RoundRobin { legs: 1 } },
        Format::SingleElimination { third_place: true, consolation: Consolation::All },
        Format::DoubleElimination {},
        Format::Pods {
            rounds: 2,
            least: 3,
            most: 5,
            pairing: PodPairing::Spread,
            reach: 0,
            short_tables: ShortTables::Rotate,
        },
        Format::Arena { minutes: 60, least: 2, most: 2, patience: 60, streaks: true },
    ];
    let alone = formats.iter().cloned().flat_map(moments_of);
    let in_teams = [&formats[0], &formats[2], &formats[4]].into_iter().cloned().flat_map(moments_of_teams);
    alone.chain(in_teams).collect()
}

/// The same with teams of two.
pub(super) fn moments_of_teams(format: Format) -> Vec<Tournament> {
    let format = if let Format::Swiss { .. } = format { Format::Swiss { rounds: 2 } } else { format };
    moments_with(format, |tournament| {
        tournament.row.team_size = Some(2);
        for entrant in &mut tournament.entrants {
            entrant.team = Some(
                ["부엉이", "독수리", "두루미", "기러기", "까치"][(entrant.number as usize - 1) / 2 % 5].to_owned(),
            );
            entrant.board = Some(i16::try_from((entrant.number - 1) % 2 + 1).unwrap());
        }
    })
}

/// A format at each of these moments.
pub(super) fn moments_of(format: Format) -> Vec<Tournament> {
    moments_with(format, |_| {})
}

fn moments_with(format: Format, change: impl Fn(&mut Tournament)) -> Vec<Tournament> {
    let changed = |mut tournament: Tournament| {
        change(&mut tournament);
        tournament
    };
    let mut moments: Vec<_> = [
        TournamentStatus::Draft,
        TournamentStatus::Registration,
        TournamentStatus::CheckIn,
        TournamentStatus::Cancelled,
    ]
    .map(|status| changed(entered(format.clone(), status)))
    .into();
    let begun = changed(begun(format));
    let drafted = with_round(begun.clone(), RoundStatus::Draft);
    let running = with_round(begun.clone(), RoundStatus::Running);
    moments.extend([begun.clone(), drafted, with_round(begun.clone(), RoundStatus::Published)]);
    moments.extend([unsettled(running.clone()), settled(running)]);
    let mut finished = begun;
    for at in 0..MOST_ROUNDS {
        if at > 0 && finished.is_stage_over(1).unwrap() {
            break;
        }
        finished = settled(with_round(finished, RoundStatus::Running));
    }
    finished.row.status = TournamentStatus::Finished;
    finished.row.over_at = Some(Timestamp::UNIX_EPOCH);
    moments.push(finished);
    moments
}

/// With everybody who has entered, one of them on the waiting list.
pub(super) fn entered(format: Format, status: TournamentStatus) -> Tournament {
    let points = match format {
        Format::Pods { .. } => Points::Places { scale: vec![500, 300, 200, 100], bye: 300 },
        _ => Points::Win { win: 100, draw: 50, loss: 0, bye: 100 },
    };
    let tie_breaks = if format.is_knockout() { Vec::new() } else { vec![TieBreak::Buchholz, TieBreak::Wins] };
    let runs_by_itself = matches!(format, Format::DoubleElimination {});
    let stage = StagePlan { format, scoring: Scoring::new(points), tie_breaks, advance: None, runs_by_itself };
    let row = TournamentRow {
        id: TournamentId(Uuid::from_u128(8)),
        code: "XYZ234".to_owned(),
        name: "금요일 페루도 대회".to_owned(),
        game: "perudo".to_owned(),
        title: None,
        mode: Mode::Played,
        options: json!({}),
        variant_id: None,
        variant_version: None,
        turn_seconds: Some(60),
        status,
        stages: Doc(vec![stage]),
        stage: 1,
        seeding: Seeding::Rating,
        most_entrants: Some(16),
        late_until_round: Some(2),
        round_minutes: Some(45),
        table_ids: None,
        draw_seed: 7,
        created_by: samples::player_id(0),
        created_at: Timestamp::UNIX_EPOCH,
        starts_at: Some(Timestamp::UNIX_EPOCH),
        check_in_until: Some(Timestamp::UNIX_EPOCH),
        started_at: None,
        over_at: None,
        revision: 1,
        sandbox: false,
        team_size: None,
        rulings: Default::default(),
        entry: EntryMode::Code,
        entry_code: Some("HJK234".to_owned()),
    };
    let is_checked_in = |number: i32| status == TournamentStatus::CheckIn && number % 2 == 1;
    let entrants = (1..=PLAYERS + 2).map(|number| {
        let entrant = match number {
            _ if number > PLAYERS + 1 => EntrantStatus::Waiting,
            _ if is_checked_in(number) => EntrantStatus::CheckedIn,
            _ => EntrantStatus::Entered,
        };
        entrant_row(number, entrant)
    });
    let (entrants, variant) = (entrants.collect(), Some("민아식".to_owned()));
    let (participants, rounds, bouts) = (Vec::new(), Vec::new(), Vec::new());
    Tournament { row, entrants, participants, rounds, bouts, variant, reports: Default::default() }
}

fn entrant_row(number: i32, status: EntrantStatus) -> EntrantRow {
    let seat = samples::seat(u8::try_from(number).unwrap());
    EntrantRow {
        number,
        player_id: seat.player_id,
        display_name: seat.display_name,
        deleted: number == 3,
        status,
        seed: i16::try_from(number).ok(),
        entered_at: Timestamp::UNIX_EPOCH,
        checked_in_at: (status == EntrantStatus::CheckedIn).then_some(Timestamp::UNIX_EPOCH),
        dropped_at: None,
        rating: (number == 2).then_some(1640),
        team: None,
        board: None,
        needs_table: (number == 4).then(|| TableId(Uuid::from_u128(1))),
        needs_area: (number == 5).then(|| "홀".to_owned()),
    }
}

/// Started, without those who did not come.
pub(super) fn begun(format: Format) -> Tournament {
    let is_arena = format.is_arena();
    let mut tournament = entered(format, TournamentStatus::Running);
    tournament.row.started_at = Some(Timestamp::UNIX_EPOCH);
    for entrant in &mut tournament.entrants {
        match entrant.number {
            number if number <= PLAYERS => entrant.status = EntrantStatus::CheckedIn,
            number if number == PLAYERS + 1 => entrant.status = EntrantStatus::NoShow,
            _ => {}
        }
    }
    let participant = |entrant: i32| ParticipantRow {
        stage: 1,
        entrant,
        seed: i16::try_from(entrant).unwrap(),
        from_round: 1,
        until_round: None,
        ready_since: is_arena.then_some(Timestamp::UNIX_EPOCH),
        paused_since: (is_arena && entrant == PLAYERS).then_some(Timestamp::UNIX_EPOCH),
    };
    tournament.participants = (1..=PLAYERS).map(participant).collect();
    tournament
}

/// With another round, as far as this.
pub(super) fn with_round(mut tournament: Tournament, status: RoundStatus) -> Tournament {
    let round = i16::try_from(tournament.rounds.len() + 1).unwrap();
    let is_published = status != RoundStatus::Draft;
    let stage = tournament.stage(1).unwrap();
    let is_arena = stage.format.is_arena();
    // One of them waits and one pauses.
    let free: Vec<Free> = (1..PLAYERS.cast_unsigned() - 1).map(|entrant| Free { entrant, waited: 90 }).collect();
    let due = if is_arena { stage.due_among(&free) } else { stage.due().unwrap() };
    for pairing in due {
        let is_played = is_published && pairing.entrants.len() > 1;
        tournament.bouts.push(BoutRow {
            stage: 1,
            key: BoutKey(pairing.key),
            round,
            entrants: pairing.entrants.iter().map(|it| i32::try_from(*it).unwrap()).collect(),
            reasons: Doc(pairing.reasons),
            arranged_by: None,
            arranger: None,
            table_id: is_played.then(|| TableId(Uuid::from_u128(1))),
            table_name: is_played.then(|| "1번".to_owned()),
            match_id: is_played.then(|| MatchId(Uuid::from_u128(3))),
            match_code: is_played.then(|| "QRSTVW".to_owned()),
            games: Default::default(),
            match_status: is_played.then_some(Status::Waiting),
            result: None,
            settled_by: None,
            settled_at: None,
            claim: None,
            claimed_at: None,
            is_locked: !is_published && pairing.key.number == 3,
        });
    }
    let moment = |happened: bool| happened.then_some(Timestamp::UNIX_EPOCH);
    tournament.rounds.push(RoundRow {
        status,
        published_at: moment(is_published),
        started_at: moment(status == RoundStatus::Running),
        ends_at: moment(status == RoundStatus::Running),
        is_arena,
        ..RoundRow::drafted(1, round, Timestamp::UNIX_EPOCH)
    });
    tournament
}

/// The first bout of the round is over; of the others staff have to see to two.
fn unsettled(mut tournament: Tournament) -> Tournament {
    let real = tournament.bouts.iter_mut().filter(|bout| !bout.is_bye());
    for (at, bout) in real.enumerate() {
        match at {
            0 => bout.result = Some(in_order(bout)),
            1 => bout.claim = Some(in_order(bout)),
            _ => bout.match_status = Some(Status::Aborted),
        }
    }
    tournament
}

/// Everybody of the round finished in the order of their seats.
pub(super) fn settled(mut tournament: Tournament) -> Tournament {
    for bout in tournament.bouts.iter_mut().filter(|bout| !bout.is_over()) {
        bout.result = Some(in_order(bout));
    }
    for round in &mut tournament.rounds {
        (round.status, round.closed_at) = (RoundStatus::Closed, Some(Timestamp::UNIX_EPOCH));
    }
    tournament
}

fn in_order(bout: &BoutRow) -> Doc<Vec<Finish>> {
    let finish = |(entrant, place): (&i32, u16)| Finish {
        entrant: u32::try_from(*entrant).unwrap(),
        place,
        score: Some(i64::from(10 - place) * 100),
        absent: false,
    };
    Doc(bout.entrants.iter().zip(1..).map(finish).collect())
}
