//! Rounds at tables of one size in which no two players meet twice, for as many rounds as such are known: for whole fields,
//! as long as nobody drops out.
//!
//! Three constructions:
//!
//! - the lines of an affine space over the numbers modulo a prime, or over the field of four, in each of its directions: 9, 27
//!   and 81 players at tables of three, 16 and 64 of four, 25 of five, 49 of seven;
//! - starters, found by search: the tables of the first round are given, and each later round adds one to every player but
//!   the fixed ones, in turns of as many players as there are rounds;
//! - as many columns of an affine plane as a table has seats, for other fields of four or of a prime number of tables.

/// The rounds for so many players at tables of so many seats.
pub(super) struct Design {
    players: usize,
    seats: usize,
    kind: Kind,
}

enum Kind {
    Affine { dimensions: u32 },
    Started(&'static Starter),
    Columns,
}

/// The tables of the first round: players as numbers, `rounds` to a turn; a table that lacks one player gets a fixed one.
struct Starter {
    seats: usize,
    rounds: usize,
    tables: &'static [&'static [usize]],
}

impl Design {
    /// None if no more than one such round is known, or none can be.
    pub(super) fn of(players: usize, seats: usize) -> Option<Self> {
        let is_field = |it: usize| [3, 4, 5, 7, 11, 13, 17, 19].contains(&it);
        let affine = (2..=4).find(|it| seats.checked_pow(*it) == Some(players)).filter(|_| is_field(seats));
        let starter = || STARTERS.iter().find(|it| it.seats == seats && it.tables.len() * seats == players);
        let has_columns = || players.is_multiple_of(seats) && players / seats >= seats && is_field(players / seats);
        let kind = match affine {
            Some(dimensions) => Kind::Affine { dimensions },
            None => starter().map(Kind::Started).or_else(|| has_columns().then_some(Kind::Columns))?,
        };
        (seats > 2).then_some(Design { players, seats, kind })
    }

    /// The tables of this round, from 0, as positions of players from 0. None after the last.
    pub(super) fn tables(&self, round: usize) -> Option<Vec<Vec<usize>>> {
        let tables = match self.kind {
            Kind::Affine { dimensions } => self.lines(dimensions, round)?,
            Kind::Started(starter) => (round < starter.rounds).then(|| self.started(starter, round))?,
            Kind::Columns => {
                let field = self.players / self.seats;
                let at = |column, line| sum(field, product(field, round, column), line) + column * field;
                let table = |line| (0..self.seats).map(|column| at(column, line)).collect();
                (round < field).then(|| (0..field).map(table).collect())?
            }
        };
        Some(tables)
    }

    /// The lines in one direction of the space whose points are the players.
    fn lines(&self, dimensions: u32, round: usize) -> Option<Vec<Vec<usize>>> {
        let field = self.seats;
        let digit = |point: usize, at: u32| point / field.pow(at) % field;
        // A direction and its multiples are one: the first digit that is not 0 is 1.
        let is_direction = |it: &usize| (0..dimensions).map(|at| digit(*it, at)).find(|it| *it > 0) == Some(1);
        let direction = (1..self.players).filter(is_direction).nth(round)?;
        let moved = |point: usize, times: usize| -> usize {
            let step = |at| sum(field, digit(point, at), product(field, times, digit(direction, at))) * field.pow(at);
            (0..dimensions).map(step).sum()
        };
        let line = |point: usize| -> Vec<usize> { (0..field).map(|times| moved(point, times)).collect() };
        // Each line once: from its lowest point.
        Some((0..self.players).map(line).filter(|it| it.iter().min() == it.first()).collect())
    }

    fn started(&self, starter: &Starter, round: usize) -> Vec<Vec<usize>> {
        let rounds = starter.rounds;
        let mut fixed = rounds * (self.seats - 1)..self.players;
        let moved = |it: &usize| it / rounds * rounds + (it % rounds + round) % rounds;
        let mut table = |it: &&[usize]| -> Vec<usize> {
            let short = self.seats - it.len();
            it.iter().map(moved).chain(fixed.by_ref().take(short)).collect()
        };
        starter.tables.iter().map(&mut table).collect()
    }
}

/// In the field of four, 2 and 3 are the roots of x² + x + 1; the others are the numbers modulo a prime.
fn sum(field: usize, a: usize, b: usize) -> usize {
    if field == 4 { a ^ b } else { (a + b) % field }
}

fn product(field: usize, a: usize, b: usize) -> usize {
    match (field, a, b) {
        (4, 0, _) | (4, _, 0) => 0,
        (4, _, _) => (a + b - 2) % 3 + 1,
        _ => a * b % field,
    }
}

/// Most of them found as many rounds as there can be, none fewer than seven.
#[rustfmt::skip]
const STARTERS: &[Starter] = &[
    Starter { seats: 3, rounds: 7, tables: &[ // 15 players
        &[0, 8], &[1, 2, 4], &[3, 7, 12], &[5, 10, 11], &[6, 9, 13],
    ] },
    Starter { seats: 3, rounds: 7, tables: &[ // 18 players
        &[0, 11], &[1, 8], &[2, 3, 5], &[4, 13], &[6, 7], &[9, 10, 12],
    ] },
    Starter { seats: 3, rounds: 9, tables: &[ // 21 players
        &[0, 6, 14], &[1, 5, 12], &[2, 4, 17], &[3, 15], &[7, 16], &[8, 9], &[10, 11, 13],
    ] },
    Starter { seats: 3, rounds: 11, tables: &[ // 24 players
        &[0, 1, 5], &[2, 10, 11], &[3, 14, 20], &[4, 17], &[6, 8, 16], &[7, 12, 21], &[9, 13], &[15, 18, 19],
    ] },
    Starter { seats: 3, rounds: 14, tables: &[ // 30 players
        &[0, 20], &[1, 10, 15], &[2, 14, 24], &[3, 6, 16], &[4, 25], &[5, 22, 23], &[7, 9, 13], &[8, 17, 19], &[11, 12, 27],
        &[18, 21, 26],
    ] },
    Starter { seats: 3, rounds: 17, tables: &[ // 36 players
        &[0, 6, 23], &[1, 4, 33], &[2, 20], &[3, 5, 12], &[7, 27, 31], &[8, 17, 19], &[9, 22, 30], &[10, 11, 15], &[13, 29,
        32], &[14, 28], &[16, 21, 26], &[18, 24, 25],
    ] },
    Starter { seats: 3, rounds: 20, tables: &[ // 42 players
        &[0, 24, 33], &[1, 6, 20], &[2, 18, 34], &[3, 23, 29], &[4, 12, 15], &[5, 32], &[7, 13, 14], &[8, 30, 38], &[9, 11,
        26], &[10, 31], &[16, 21, 25], &[17, 28, 35], &[19, 22, 27], &[36, 37, 39],
    ] },
    Starter { seats: 3, rounds: 21, tables: &[ // 45 players
        &[0, 21, 34], &[1, 8, 31], &[2, 10, 37], &[3, 7, 39], &[4, 9, 15], &[5, 22, 25], &[6, 18, 30], &[11, 14, 36], &[12,
        41], &[13, 23, 29], &[16, 17, 35], &[19, 24], &[20, 27], &[26, 38, 40], &[28, 32, 33],
    ] },
    Starter { seats: 3, rounds: 23, tables: &[ // 48 players
        &[0, 10, 40], &[1, 3, 18], &[2, 14, 39], &[4, 30, 45], &[5, 37], &[6, 29], &[7, 26, 35], &[8, 11, 24], &[9, 31, 36],
        &[12, 19, 43], &[13, 22, 28], &[15, 16, 20], &[17, 27, 38], &[21, 32, 33], &[23, 25, 42], &[34, 41, 44],
    ] },
    Starter { seats: 4, rounds: 7, tables: &[ // 24 players
        &[0, 7, 18], &[1, 14, 15, 17], &[2, 13, 19], &[3, 4, 6, 12], &[5, 10, 20], &[8, 9, 11, 16],
    ] },
    Starter { seats: 4, rounds: 9, tables: &[ // 28 players
        &[0, 19, 22, 24], &[1, 9, 14, 26], &[2, 7, 8, 17], &[3, 15, 20, 21], &[4, 6, 11, 18], &[5, 16, 25], &[10, 12, 13, 23],
    ] },
    Starter { seats: 4, rounds: 9, tables: &[ // 32 players
        &[0, 1, 3, 25], &[2, 16, 20], &[4, 11, 13, 14], &[5, 9, 26], &[6, 12, 23], &[7, 15, 21], &[8, 10, 19], &[17, 18, 22,
        24],
    ] },
    Starter { seats: 4, rounds: 10, tables: &[ // 36 players
        &[0, 11, 21], &[1, 2, 4, 26], &[3, 10, 16, 19], &[5, 15, 23], &[6, 18, 25], &[7, 12, 24], &[8, 17, 28], &[9, 13, 22],
        &[14, 20, 27, 29],
    ] },
    Starter { seats: 4, rounds: 11, tables: &[ // 40 players
        &[0, 12, 24], &[1, 3, 8, 23], &[2, 21, 30], &[4, 13, 17, 19], &[5, 11, 28], &[6, 16, 27], &[7, 14, 32], &[9, 20, 25],
        &[10, 15, 29], &[18, 22, 26, 31],
    ] },
    Starter { seats: 4, rounds: 14, tables: &[ // 48 players
        &[0, 1, 3, 39], &[2, 12, 25, 31], &[4, 14, 35], &[5, 21, 40], &[6, 11, 23, 26], &[7, 15, 41], &[8, 19, 34], &[9, 27,
        37], &[10, 24, 28], &[13, 18, 20, 29], &[16, 17, 22, 30], &[32, 33, 36, 38],
    ] },
];
