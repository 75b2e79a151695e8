//! Seats at a table, numbered clockwise from 0; sets of seats; and values per seat.

use std::borrow::Cow;
use std::ops::{Index, IndexMut};

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// In a JSON Schema, marks a list that has one value for each seat.
pub const PER_SEAT: &str = "x-per-seat";

/// A chair, 0-based and clockwise: seat 0's left neighbour is seat 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// The seat's index in a slice.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of seats. As JSON it is the list of their numbers, rising.
///
/// ```
/// use engine::{Seat, SeatSet};
///
/// let set = SeatSet::one(Seat(3)).with(Seat(1)).without(Seat(3));
/// assert_eq!(set.iter().collect::<Vec<_>>(), [Seat(1)]);
/// assert_eq!(serde_json::to_string(&set)?, "[1]");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSet(u16);

impl SeatSet {
    /// No game has more seats.
    pub const MOST: u8 = 16;

    /// The empty set.
    pub const fn none() -> Self {
        SeatSet(0)
    }

    /// The set of one seat.
    pub fn one(seat: Seat) -> Self {
        SeatSet(1 << seat.0)
    }

    /// Is the seat in the set? A number that no table has is in no set.
    pub fn has(self, seat: Seat) -> bool {
        seat.0 < Self::MOST && self.0 >> seat.0 & 1 == 1
    }

    /// The set with the seat added.
    #[must_use]
    pub fn with(self, seat: Seat) -> Self {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// The set with the seat removed.
    #[must_use]
    pub fn without(self, seat: Seat) -> Self {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// Is the set empty?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of seats in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The seats of the set, rising.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..Self::MOST).map(Seat).filter(move |seat| self.has(*seat))
    }
}

impl FromIterator<Seat> for SeatSet {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(SeatSet::none(), SeatSet::with)
    }
}

impl Serialize for SeatSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for seat in self.iter() {
            list.serialize_element(&seat)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for SeatSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let seats = Vec::<Seat>::deserialize(deserializer)?;
        if seats.iter().any(|seat| seat.0 >= Self::MOST) {
            return Err(serde::de::Error::custom("no such seat"));
        }
        Ok(seats.into_iter().collect())
    }
}

impl JsonSchema for SeatSet {
    fn schema_name() -> Cow<'static, str> {
        "SeatSet".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Seat>::json_schema(generator)
    }
}

/// One `T` for each seat, indexed by [`Seat`] only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerSeat<T>(Vec<T>);

/// A list with a mark, so that a sentence can say each value with its seat's name.
impl<T: JsonSchema> JsonSchema for PerSeat<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("PerSeat_{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Vec::<T>::json_schema(generator);
        schema.insert(PER_SEAT.to_owned(), true.into());
        schema
    }
}

impl<T> PerSeat<T> {
    /// Makes one value for each seat.
    ///
    /// ```
    /// use engine::{PerSeat, Seat};
    ///
    /// let cards = PerSeat::new(3, |seat| 10 * seat.0);
    /// assert_eq!(cards[Seat(2)], 20);
    /// assert_eq!(cards.after(Seat(1)).collect::<Vec<_>>(), [Seat(2), Seat(0)]);
    /// assert_eq!(cards.next(Seat(1), |card| *card == 0), Some(Seat(0)));
    /// ```
    pub fn new(seats: u8, make: impl FnMut(Seat) -> T) -> Self {
        PerSeat((0..seats).map(Seat).map(make).collect())
    }

    /// The number of seats.
    pub fn count(&self) -> u8 {
        self.0.len() as u8
    }

    /// Does the table have this seat?
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.0.len()
    }

    /// All seats, rising.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<T> {
        (0..self.count()).map(Seat)
    }

    /// The values, by rising seat.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// The values, by rising seat, to change them.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Each seat with its value.
    pub fn entries(&self) -> impl Iterator<Item = (Seat, &T)> {
        self.seats().zip(&self.0)
    }

    /// The seats whose value passes the test.
    pub fn which(&self, holds: impl Fn(&T) -> bool) -> SeatSet {
        self.entries().filter(|(_, it)| holds(it)).map(|(seat, _)| seat).collect()
    }

    /// Makes another value of each seat's value.
    pub fn map<U>(&self, each: impl FnMut(&T) -> U) -> PerSeat<U> {
        PerSeat(self.0.iter().map(each).collect())
    }

    /// The other seats in the order of turns: the left neighbour first.
    pub fn after(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<T> {
        let seats = self.count();
        (1..seats).map(move |step| Seat((seat.0 + step) % seats))
    }

    /// The next seat clockwise whose value passes the test. This seat itself comes last.
    pub fn next(&self, seat: Seat, holds: impl Fn(&T) -> bool) -> Option<Seat> {
        self.after(seat).chain([seat]).find(|it| holds(&self[*it]))
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<T> From<Vec<T>> for PerSeat<T> {
    fn from(each: Vec<T>) -> Self {
        PerSeat(each)
    }
}
