//! Seats: chairs at a table, numbered clockwise from 0, and what is kept per seat.

use std::ops::{Index, IndexMut};

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A chair, 0-based and clockwise: seat 0's left neighbour is seat 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Seat(pub u8);

impl Seat {
    /// Its place in a slice.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of seats; as JSON the list of their numbers, rising.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSet(u16);

impl SeatSet {
    /// The most seats that any game has.
    pub const MOST: u8 = 16;

    /// No seat.
    pub const fn none() -> Self {
        SeatSet(0)
    }

    /// Just this seat.
    pub fn one(seat: Seat) -> Self {
        SeatSet(1 << seat.0)
    }

    /// Is the seat in it? A number beyond any table's is in no set.
    pub fn has(self, seat: Seat) -> bool {
        seat.0 < Self::MOST && self.0 >> seat.0 & 1 == 1
    }

    /// This set and the seat.
    #[must_use]
    pub fn with(self, seat: Seat) -> Self {
        SeatSet(self.0 | 1 << seat.0)
    }

    /// This set without the seat.
    #[must_use]
    pub fn without(self, seat: Seat) -> Self {
        SeatSet(self.0 & !(1 << seat.0))
    }

    /// Has it no seat at all?
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many seats are in it.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Its seats, rising.
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
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SeatSet".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<Seat>::json_schema(generator)
    }
}

/// One `T` for each seat, indexed by [`Seat`] only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct PerSeat<T>(Vec<T>);

impl<T> PerSeat<T> {
    /// One for each of so many seats, made by `make`.
    pub fn new(seats: u8, make: impl FnMut(Seat) -> T) -> Self {
        PerSeat((0..seats).map(Seat).map(make).collect())
    }

    /// How many seats there are.
    pub fn count(&self) -> u8 {
        self.0.len() as u8
    }

    /// Is there such a seat at this table?
    pub fn has(&self, seat: Seat) -> bool {
        seat.index() < self.0.len()
    }

    /// All seats, rising.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<T> {
        (0..self.count()).map(Seat)
    }

    /// What each seat has, by rising seat.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// What each seat has, to change it.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.0.iter_mut()
    }

    /// Each seat with what it has.
    pub fn entries(&self) -> impl Iterator<Item = (Seat, &T)> {
        self.seats().zip(&self.0)
    }

    /// The seats for which it holds.
    pub fn which(&self, holds: impl Fn(&T) -> bool) -> SeatSet {
        self.entries().filter(|(_, it)| holds(it)).map(|(seat, _)| seat).collect()
    }

    /// The same seats with something else each.
    pub fn map<U>(&self, each: impl FnMut(&T) -> U) -> PerSeat<U> {
        PerSeat(self.0.iter().map(each).collect())
    }

    /// The other seats in the order in which turns pass: the left neighbour first.
    pub fn after(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<T> {
        let seats = self.count();
        (1..seats).map(move |step| Seat((seat.0 + step) % seats))
    }

    /// The next seat clockwise after this one for which it holds: at the last this seat itself.
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
