//! The table of a series.

use std::collections::BTreeSet;

use super::*;
use crate::playout::random;

fn rules(points: SeriesPoints) -> SeriesRules {
    SeriesRules { points, best: None, attendance: 0, tie_breaks: Vec::new() }
}

fn scale(points: &[i32]) -> SeriesPoints {
    SeriesPoints::Places { scale: points.iter().map(|it| it * 100).collect() }
}

/// An event in which these came first, second and so on; those of one list share a place.
fn event(number: u32, order: &[&[u32]]) -> SeriesEvent {
    let mut places = Vec::new();
    for equals in order {
        let rank = places.len() as u32 + 1;
        places.extend(equals.iter().map(|it| EventPlace { person: *it, rank, score: 1000 - 100 * i64::from(rank) }));
    }
    SeriesEvent { number, places }
}

fn season(rules: SeriesRules, events: Vec<SeriesEvent>) -> Season {
    let people: BTreeSet<u32> = events.iter().flat_map(|it| &it.places).map(|it| it.person).collect();
    Season { rules, events, people: people.into_iter().collect() }
}

/// Rank, person and total of each.
fn ranks(season: &Season) -> Vec<(u32, u32, i64)> {
    season.table().iter().map(|it| (it.rank, it.person, it.total)).collect()
}

#[test]
fn places_bring_points_and_equals_share_the_mean() {
    let played = season(rules(scale(&[10, 6, 3])), vec![event(1, &[&[1], &[2, 3], &[4], &[5]])]);
    assert_eq!(ranks(&played), [(1, 1, 1000), (2, 2, 450), (2, 3, 450), (4, 4, 0), (4, 5, 0)]);
}

#[test]
fn a_score_is_taken_as_it_is_and_beaten_entrants_are_counted() {
    let events = vec![event(1, &[&[1], &[2, 3], &[4]])];
    assert_eq!(
        ranks(&season(rules(SeriesPoints::Score {}), events.clone())),
        [(1, 1, 900), (2, 2, 800), (2, 3, 800), (4, 4, 600)]
    );
    // Of four: three beaten and one, the mean of two and one beaten and one, none and one.
    assert_eq!(
        ranks(&season(rules(SeriesPoints::Beaten {}), events)),
        [(1, 1, 400), (2, 2, 250), (2, 3, 250), (4, 4, 100)]
    );
}

#[test]
fn the_best_results_count_and_each_event_brings_its_bonus() {
    let rules = SeriesRules { best: Some(2), attendance: 50, ..rules(scale(&[10, 6, 3])) };
    let events = vec![event(1, &[&[1], &[2]]), event(2, &[&[2], &[1]]), event(3, &[&[3], &[1], &[2]])];
    let table = season(rules, events).table();
    let one = &table[0];
    assert_eq!((one.person, one.total, one.bonus), (1, 1000 + 600 + 150, 150));
    let counted: Vec<_> = one.results.iter().map(|it| (it.event, it.points, it.counts)).collect();
    assert_eq!(counted, [(1, 1000, true), (2, 600, true), (3, 600, false)], "of equals the earlier counts");
    assert_eq!(table.iter().map(|it| it.total).collect::<Vec<_>>(), [1750, 1750, 1050]);
}

#[test]
fn each_tie_break_tells_equals_apart_by_what_it_says() {
    let first = |tie_break, events: &[SeriesEvent]| {
        let rules = SeriesRules { tie_breaks: vec![tie_break], ..rules(scale(&[10, 5, 5])) };
        let table = season(rules, events.to_vec()).table();
        assert_eq!((table[0].total, table[0].rank, table[1].rank), (table[1].total, 1, 2), "{tie_break:?}");
        table[0].person
    };
    // 1 won once, 2 was second twice.
    let events = [event(1, &[&[1]]), event(2, &[&[3], &[2]]), event(3, &[&[4], &[2]])];
    let only = |tie_break| {
        let rules = SeriesRules { tie_breaks: vec![tie_break], ..rules(scale(&[10, 5])) };
        let season = Season { rules, events: events.to_vec(), people: vec![1, 2] };
        season.table().iter().map(|it| it.person).collect::<Vec<_>>()
    };
    assert_eq!(only(SeriesTieBreak::BestResult), [1, 2]);
    assert_eq!(only(SeriesTieBreak::Wins), [1, 2]);
    assert_eq!(only(SeriesTieBreak::Events), [2, 1]);
    assert_eq!(only(SeriesTieBreak::Latest), [2, 1], "1 did not play the latest event");
    // Both won once and were second once: the later win is the better one.
    let even = [event(1, &[&[1], &[2]]), event(2, &[&[2], &[1]])];
    assert_eq!(first(SeriesTieBreak::Latest, &even), 2);
    // The second and the third place are worth the same, yet one stood before the other.
    let met = [event(1, &[&[9], &[2], &[1]]), event(2, &[&[2]]), event(3, &[&[1]])];
    let rules = SeriesRules { tie_breaks: vec![SeriesTieBreak::HeadToHead], ..rules(scale(&[10, 5, 5])) };
    let met = Season { rules, events: met.to_vec(), people: vec![1, 2] };
    assert_eq!(ranks(&met), [(1, 2, 1500), (2, 1, 1500)]);
}

#[test]
fn who_is_ranked_without_having_played_is_last_and_others_only_take_up_places() {
    let events = vec![event(1, &[&[7], &[1], &[8], &[2]])];
    let season = Season { rules: rules(SeriesPoints::Score {}), events, people: vec![1, 2, 3] };
    let mut table = season.table();
    assert_eq!(table.pop().map(|it| (it.rank, it.person, it.results.len())), Some((3, 3, 0)));
    assert_eq!(table.iter().map(|it| (it.person, it.results[0].rank)).collect::<Vec<_>>(), [(1, 2), (2, 4)]);
}

#[test]
fn of_somebody_who_is_in_an_event_twice_the_better_place_counts() {
    let mut twice = event(1, &[&[1], &[2], &[3]]);
    twice.places[2].person = 1;
    assert_eq!(ranks(&season(rules(scale(&[3, 2, 1])), vec![twice])), [(1, 1, 300), (2, 2, 200)]);
}

#[test]
fn places_of_several_stages_follow_each_other() {
    let row = |entrant, rank, points, played| StandingsRow {
        rank,
        group: None,
        entrant,
        played,
        wins: 0,
        draws: 0,
        losses: 0,
        points,
        tie_breaks: Vec::new(),
        is_out: false,
        members: Vec::new(),
    };
    let swiss = vec![row(1, 1, 300, 3), row(2, 2, 200, 3), row(3, 3, 100, 3), row(4, 3, 100, 3), row(5, 5, 0, 0)];
    let final_stage = vec![row(2, 1, 100, 1), row(1, 2, 0, 1)];
    let places = final_places(&[swiss, final_stage]);
    let told: Vec<_> = places.iter().map(|it| (it.person, it.rank, it.score)).collect();
    assert_eq!(told, [(2, 1, 300), (1, 2, 300), (3, 3, 100), (4, 3, 100)], "and who never played is left out");
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let good = SeriesRules { best: Some(3), attendance: 100, ..rules(scale(&[3, 2, 2])) };
    assert_eq!(good.check(), Ok(()));
    let with = |change: fn(&mut SeriesRules)| {
        let mut rules = good.clone();
        change(&mut rules);
        rules.check()
    };
    assert_eq!(with(|it| it.points = scale(&[])), Err(InvalidSeries::BadScale));
    assert_eq!(with(|it| it.points = scale(&[1, 2])), Err(InvalidSeries::BadScale));
    assert_eq!(with(|it| it.points = scale(&[1, -1])), Err(InvalidSeries::BadScale));
    assert_eq!(with(|it| it.best = Some(0)), Err(InvalidSeries::BadBest));
    assert_eq!(with(|it| it.attendance = -1), Err(InvalidSeries::BadAttendance));
    assert_eq!(with(|it| it.tie_breaks = vec![SeriesTieBreak::Wins; 2]), Err(InvalidSeries::TieBreakTwice));
}

#[test]
fn the_best_go_up_and_the_last_down_and_equals_at_the_line_wait_for_a_decision() {
    let of = |order: &[&[u32]], leaving| {
        let table = season(rules(SeriesPoints::Beaten {}), vec![event(1, order)]).table();
        series_moves(&table, leaving)
    };
    use SeriesMove::{Down, DownOpen, Stays, Up, UpOpen};
    assert_eq!(of(&[&[1], &[2], &[3], &[4]], [1, 1]), [Up, Stays, Stays, Down]);
    assert_eq!(of(&[&[1], &[2, 3], &[4]], [2, 1]), [Up, UpOpen, UpOpen, Down]);
    assert_eq!(of(&[&[1, 2], &[3, 4]], [2, 1]), [Up, Up, DownOpen, DownOpen]);
    assert_eq!(of(&[&[1], &[2]], [2, 2]), [Up, Up], "who goes up does not go down");
    let rules = rules(SeriesPoints::Beaten {});
    let idle = Season { rules, events: Vec::new(), people: vec![1, 2] }.table();
    assert_eq!(series_moves(&idle, [1, 0]), [Stays, Stays], "who goes up has played");
}

/// A season of random events with shared places and negative scores.
fn any(source: &mut dyn Source) -> Season {
    const TIE_BREAKS: [SeriesTieBreak; 5] = [
        SeriesTieBreak::BestResult,
        SeriesTieBreak::Wins,
        SeriesTieBreak::Events,
        SeriesTieBreak::Latest,
        SeriesTieBreak::HeadToHead,
    ];
    let people = 1 + source.below(9);
    let events = (0..source.below(7)).map(|number| {
        let mut here: Vec<u32> = (1..=people).filter(|_| source.below(3) > 0).collect();
        crate::chance::shuffle(&mut here, source);
        let mut places: Vec<EventPlace> = Vec::new();
        for (person, rank) in here.into_iter().zip(1..) {
            let rank = places.last().filter(|_| source.below(4) == 0).map_or(rank, |it| it.rank);
            places.push(EventPlace { person, rank, score: i64::from(source.below(9)) * 100 - 300 });
        }
        SeriesEvent { number: number * 3, places }
    });
    let events: Vec<SeriesEvent> = events.collect();
    let points = match source.below(3) {
        0 => scale(&[9, 7, 7, 4, 1]),
        1 => SeriesPoints::Score {},
        _ => SeriesPoints::Beaten {},
    };
    let mut tie_breaks = TIE_BREAKS.to_vec();
    crate::chance::shuffle(&mut tie_breaks, source);
    tie_breaks.truncate(source.below(6) as usize);
    let best = (source.below(2) == 0).then(|| 1 + source.below(6) as u8);
    let attendance = source.below(3) as i32 * 50;
    let rules = SeriesRules { points, best, attendance, tie_breaks };
    Season { rules, events, people: (1..=people).filter(|_| source.below(8) > 0).collect() }
}

fn subsets(of: &[i64], many: usize) -> Vec<i64> {
    let all = 0..1_u32 << of.len();
    let sum = |set: u32| of.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, it)| it).sum();
    all.filter(|set| set.count_ones() as usize == many).map(sum).collect()
}

#[test]
fn what_always_holds_of_a_table() {
    let mut source = random(11);
    for _ in 0..800 {
        let season = any(&mut source);
        let table = season.table();
        assert_eq!(season.rules.check(), Ok(()));

        // The order of the lists does not matter.
        let mut shuffled = season.clone();
        crate::chance::shuffle(&mut shuffled.events, &mut source);
        crate::chance::shuffle(&mut shuffled.people, &mut source);
        shuffled.events.iter_mut().for_each(|it| crate::chance::shuffle(&mut it.places, &mut source));
        assert_eq!(shuffled.table(), table);

        // Everybody once, by rank; equals share one, and the next counts those before it.
        let people: BTreeSet<u32> = table.iter().map(|it| it.person).collect();
        assert_eq!((people.len(), table.len()), (season.people.len(), season.people.len()));
        for (at, row) in table.iter().enumerate() {
            let shares = at > 0 && table[at - 1].rank == row.rank;
            assert!(shares || row.rank as usize == at + 1);
        }
        let has_played = |row: &SeriesRow| !row.results.is_empty();
        assert!(table.windows(2).all(|pair| !has_played(&pair[1]) || has_played(&pair[0])));
        assert!(table.windows(2).all(|pair| !has_played(&pair[1]) || pair[0].total >= pair[1].total));

        let all = Season { rules: SeriesRules { best: None, ..season.rules.clone() }, ..season.clone() }.table();
        for row in &table {
            // The best are the best of all ways to choose so many.
            let points: Vec<i64> = row.results.iter().map(|it| it.points).collect();
            let counted = season.rules.best.map_or(points.len(), |best| points.len().min(best.into()));
            let best = subsets(&points, counted).into_iter().max().expect("there is one way at least");
            assert_eq!(row.total - row.bonus, best);
            assert_eq!(row.results.iter().filter(|it| it.counts).count(), counted);
            assert_eq!(row.bonus, i64::from(season.rules.attendance) * points.len() as i64);
            // Where nothing is lost by playing, leaving results out never brings more.
            let whole = all.iter().find(|it| it.person == row.person).expect("they are there, too");
            assert!(points.iter().any(|it| *it < 0) || row.total <= whole.total);
            // Equals in an event get the same for it, unless it is what they scored.
            for result in &row.results {
                let equal = |it: &&SeriesResult| (it.event, it.rank) == (result.event, result.rank);
                let same = table.iter().flat_map(|it| &it.results).filter(equal);
                let is_score = season.rules.points == SeriesPoints::Score {};
                assert!(is_score || same.into_iter().all(|it| it.points == result.points));
            }
        }
    }
}
