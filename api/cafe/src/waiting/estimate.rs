//! How long parties still wait: arithmetic over what is known of the tables, and nothing else. All times are minutes from now.
//!
//! A table gets free when its party's game or its stay is over, by how long such games and stays take here. Parties take tables in
//! their order, each the one that is likely free first; who sits down stays as long as parties usually do. Where nothing is
//! known, nothing is said.

use serde::Serialize;
use utoipa::ToSchema;

/// A party that clears its table needs so long at most.
const CLEARING: i64 = 10;
/// A longer wait is told by its least alone.
const LONGEST: i64 = 180;
/// People are told minutes in steps of so many.
const STEP: i64 = 5;
/// A span that is no wider is told as one time.
const NARROW: i64 = 10;

/// From how many to how many minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MinuteSpan)]
pub struct Span {
    pub least: i64,
    pub most: i64,
}

/// How long something usually takes: half of all no longer than the median, nine of ten no longer than the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typical {
    pub median: i64,
    pub p90: i64,
}

/// A table at which parties can be seated, now or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub seats: i16,
    /// When it is free. None where nobody can tell.
    pub free: Option<Span>,
}

/// What is known of a party at a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    pub is_closing: bool,
    /// What is left of its game.
    pub game: Option<Span>,
    /// What is left of its stay.
    pub stay: Option<Span>,
}

/// What a party on the list can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// 1 for the party that comes next to a table that it fits.
    pub position: usize,
    pub wait: Option<Span>,
    /// The table that it would get, by where it is in the list of tables.
    pub seat: Option<usize>,
}

/// A span as people are told it, in steps of five minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    Now,
    About(i64),
    Between(i64, i64),
    MoreThan(i64),
}

impl Span {
    pub const NOW: Self = Self { least: 0, most: 0 };

    pub fn is_now(self) -> bool {
        self == Self::NOW
    }

    pub fn told(self) -> Told {
        let (least, most) = (self.least / STEP * STEP, (self.most + STEP - 1) / STEP * STEP);
        match self {
            Self::NOW => Told::Now,
            _ if most > LONGEST => Told::MoreThan(least),
            _ if most - least <= NARROW => Told::About(((self.least + self.most) / 2 / STEP * STEP).max(STEP)),
            _ => Told::Between(least, most),
        }
    }

    fn and_then(self, more: Typical) -> Self {
        Self { least: self.least + more.median, most: self.most + more.p90 }
    }
}

impl Typical {
    /// What is left after so many minutes. None once it has taken longer than nine of ten: then that says nothing.
    pub fn left(self, passed: i64) -> Option<Span> {
        let left = Span { least: (self.median - passed).max(0), most: self.p90 - passed };
        (left.most > 0).then_some(left)
    }
}

impl Taken {
    /// When the table is free. A party may leave after its game or start another one: the span holds both.
    pub fn until_free(self) -> Option<Span> {
        match (self.is_closing, self.game, self.stay) {
            (true, ..) => Some(Span { least: 0, most: CLEARING }),
            (false, Some(game), Some(stay)) => Some(Span {
                least: game.least.min(stay.least),
                most: game.most.min(stay.most).max(game.least).max(stay.least),
            }),
            (false, one, other) => one.or(other),
        }
    }
}

/// What each party of these sizes can be told, in the order in which they are seated. `stay` is how long parties usually stay.
pub fn estimate(sizes: &[i16], tables: &[Seat], stay: Option<Typical>) -> Vec<Estimate> {
    let mut tables = tables.to_vec();
    let mut before: Vec<Option<i16>> = Vec::with_capacity(sizes.len());
    let mut told = Vec::with_capacity(sizes.len());
    for &size in sizes {
        let position = 1 + before.iter().filter(|seats| seats.is_none_or(|seats| seats >= size)).count();
        let seat = first_free(&tables, size);
        let wait = seat.and_then(|at| tables[at].free);
        if let (Some(at), Some(wait)) = (seat, wait) {
            tables[at].free = stay.map(|stay| wait.and_then(stay));
        }
        before.push(seat.map(|at| tables[at].seats));
        told.push(Estimate { position, wait, seat });
    }
    told
}

/// The table with enough seats that is likely free first, the smallest of these.
fn first_free(tables: &[Seat], size: i16) -> Option<usize> {
    let known = tables.iter().enumerate().filter(|(_, table)| table.seats >= size);
    let known = known.filter_map(|(at, table)| Some((at, table.seats, table.free?)));
    known.min_by_key(|(at, seats, free)| (free.least + free.most, *seats, *at)).map(|(at, ..)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STAY: Typical = Typical { median: 90, p90: 150 };

    fn span(least: i64, most: i64) -> Span {
        Span { least, most }
    }

    fn table(seats: i16, free: impl Into<Option<Span>>) -> Seat {
        Seat { seats, free: free.into() }
    }

    fn waits(sizes: &[i16], tables: &[Seat], stay: Option<Typical>) -> Vec<Option<Span>> {
        estimate(sizes, tables, stay).into_iter().map(|it| it.wait).collect()
    }

    fn positions(sizes: &[i16], tables: &[Seat]) -> Vec<usize> {
        estimate(sizes, tables, Some(STAY)).into_iter().map(|it| it.position).collect()
    }

    #[test]
    fn what_is_left_is_what_it_takes_minus_what_has_passed() {
        assert_eq!(STAY.left(0), Some(span(90, 150)));
        assert_eq!(STAY.left(60), Some(span(30, 90)));
        assert_eq!(STAY.left(100), Some(span(0, 50)), "the median has passed");
        assert_eq!(STAY.left(150), None, "longer than nine of ten says nothing");
    }

    #[test]
    fn a_party_leaves_between_the_end_of_its_game_and_that_of_its_stay() {
        let taken = |game, stay| Taken { is_closing: false, game, stay };
        assert_eq!(taken(Some(span(10, 25)), Some(span(60, 120))).until_free(), Some(span(10, 60)));
        assert_eq!(taken(Some(span(40, 60)), Some(span(5, 20))).until_free(), Some(span(5, 40)));
        assert_eq!(taken(Some(span(0, 10)), Some(span(0, 30))).until_free(), Some(span(0, 10)));
        assert_eq!(taken(Some(span(10, 25)), None).until_free(), Some(span(10, 25)));
        assert_eq!(taken(None, Some(span(60, 120))).until_free(), Some(span(60, 120)));
        assert_eq!(taken(None, None).until_free(), None);
        assert_eq!(Taken { is_closing: true, ..taken(Some(span(40, 60)), None) }.until_free(), Some(span(0, 10)));
    }

    #[test]
    fn a_party_gets_the_smallest_free_table_that_it_fits() {
        let tables = [table(6, Span::NOW), table(2, Span::NOW), table(4, Span::NOW)];
        let seats: Vec<_> = estimate(&[3, 2], &tables, Some(STAY)).iter().map(|it| it.seat).collect();
        assert_eq!(seats, [Some(2), Some(1)]);
        assert_eq!(waits(&[3, 2], &tables, None), [Some(Span::NOW), Some(Span::NOW)]);
    }

    #[test]
    fn who_comes_later_waits_for_the_next_table_or_for_the_party_before() {
        let tables = [table(4, span(20, 30)), table(4, span(70, 90))];
        assert_eq!(
            waits(&[4, 3, 2], &tables, Some(STAY)),
            [Some(span(20, 30)), Some(span(70, 90)), Some(span(110, 180))]
        );
        assert_eq!(waits(&[4, 3, 2], &tables, None), [Some(span(20, 30)), Some(span(70, 90)), None], "nobody can tell");
    }

    #[test]
    fn only_parties_for_the_same_tables_count_before_one() {
        // The two get the table for two, which is none for four.
        let tables = [table(2, span(5, 10)), table(4, span(20, 30))];
        assert_eq!(positions(&[2, 4, 2], &tables), [1, 1, 3]);
        let one = [table(4, span(20, 30))];
        assert_eq!(positions(&[2, 4, 3], &one), [1, 2, 3]);
    }

    #[test]
    fn where_nothing_is_known_nothing_is_said() {
        assert_eq!(waits(&[2], &[], Some(STAY)), [None]);
        assert_eq!(waits(&[2], &[table(4, None)], Some(STAY)), [None]);
        assert_eq!(waits(&[5], &[table(4, Span::NOW)], Some(STAY)), [None], "no table is large enough");
        assert_eq!(positions(&[2, 2], &[table(4, None)]), [1, 2], "the position is known all the same");
    }

    #[test]
    fn people_are_told_round_times_and_how_sure_they_are() {
        let told = |least, most| span(least, most).told();
        assert_eq!(Span::NOW.told(), Told::Now);
        assert_eq!(told(0, 10), Told::About(5));
        assert_eq!(told(0, 3), Told::About(5));
        assert_eq!(told(22, 28), Told::About(25));
        assert_eq!(told(12, 58), Told::Between(10, 60));
        assert_eq!(told(90, 240), Told::MoreThan(90));
    }
}
