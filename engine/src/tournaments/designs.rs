//! Seatings of a whole event at tables of one size in which no two meet again: transversal designs over finite fields,
//! their groups seated in the same way, and a few cyclic designs.

/// A round: tables of places, from 0.
pub(super) type Round = Vec<Vec<usize>>;

/// So many entrants at tables of so many: a round for each step of a circle, in which each place of an orbit moves to the
/// next one. Orbits are numbered one after the other, the places after them stay.
struct Cyclic {
    many: usize,
    steps: usize,
    first: &'static [&'static [usize]],
}

/// Found by search; the first is Kirkman's fifteen.
const CYCLIC: [Cyclic; 3] = [
    Cyclic { many: 15, steps: 7, first: &[&[14, 11, 2], &[13, 12, 8], &[10, 5, 4], &[9, 6, 1], &[7, 3, 0]] },
    Cyclic {
        many: 24,
        steps: 7,
        first: &[&[23, 18, 7, 1], &[22, 16, 8, 0], &[21, 14, 11, 2], &[20, 19, 15, 13], &[17, 6, 4, 3], &[12, 10, 9, 5]],
    },
    Cyclic {
        many: 28,
        steps: 9,
        first: &[
            &[27, 21, 15, 6],
            &[26, 16, 8, 4],
            &[25, 14, 12, 9],
            &[24, 23, 18, 7],
            &[22, 20, 17, 1],
            &[19, 11, 10, 5],
            &[13, 3, 2, 0],
        ],
    },
];

/// Rounds in which no two of so many places meet twice at tables of this size: as many as are known here, at least one.
/// None if the tables do not come out even.
pub(super) fn rounds(many: usize, size: usize) -> Vec<Round> {
    if size < 2 || many < size || many % size != 0 {
        return Vec::new();
    }
    let cyclic = CYCLIC.iter().find(|it| it.many == many && it.first[0].len() == size);
    if let Some(cyclic) = cyclic {
        return (0..cyclic.steps).map(|step| cyclic.round(step)).collect();
    }
    let each = many / size;
    match Field::new(each).filter(|_| each >= size) {
        Some(field) => transversal(&field, size),
        None => vec![(0..each).map(|table| (table * size..(table + 1) * size).collect()).collect()],
    }
}

impl Cyclic {
    fn round(&self, step: usize) -> Round {
        let orbits = self.many / self.steps * self.steps;
        let moved = |place: usize| {
            let (orbit, at) = (place / self.steps, place % self.steps);
            if place < orbits { orbit * self.steps + (at + step) % self.steps } else { place }
        };
        self.first.iter().map(|table| table.iter().map(|it| moved(*it)).collect()).collect()
    }
}

/// There is a group for each seat of a table. At the table of a line with this slope sits one of each group; two of
/// different groups are on one line. The groups are seated among themselves in the rounds after that.
fn transversal(field: &Field, size: usize) -> Vec<Round> {
    let each = field.order;
    let table = |slope: usize, start: usize| {
        (0..size).map(|group| group * each + field.sum(field.product(slope, group), start)).collect()
    };
    let mut all: Vec<Round> = (0..each).map(|slope| (0..each).map(|start| table(slope, start)).collect()).collect();
    for round in rounds(each, size) {
        let of_group = |group: usize| round.iter().map(move |it| it.iter().map(|it| group * each + it).collect());
        all.push((0..size).flat_map(of_group).collect());
    }
    all
}

/// A finite field: its elements are polynomials over the numbers below a prime, written as digits.
struct Field {
    order: usize,
    prime: usize,
    degree: usize,
    /// The polynomial by which products are reduced, without its first coefficient.
    modulus: Vec<usize>,
}

impl Field {
    /// `None` if there is no field of this order.
    fn new(order: usize) -> Option<Self> {
        let prime = (2..=order).find(|it| order % it == 0)?;
        let degree = order.ilog(prime) as usize;
        if prime.pow(degree as u32) != order {
            return None;
        }
        let of = |code: usize| Field { order, prime, degree, modulus: digits(code, prime, degree) };
        (0..order).map(of).find(Field::has_no_divisors_of_zero)
    }

    fn has_no_divisors_of_zero(&self) -> bool {
        (1..self.order).all(|one| (1..self.order).all(|other| self.product(one, other) != 0))
    }

    fn sum(&self, one: usize, other: usize) -> usize {
        let pairs = digits(one, self.prime, self.degree).into_iter().zip(digits(other, self.prime, self.degree));
        self.code(pairs.map(|(one, other)| one + other))
    }

    fn product(&self, one: usize, other: usize) -> usize {
        let mut result = vec![0; self.degree];
        // From the highest digit on: times x, then plus the digit times the other.
        for digit in digits(one, self.prime, self.degree).into_iter().rev() {
            let carry = result.pop().unwrap_or_default();
            result.insert(0, 0);
            let other = digits(other, self.prime, self.degree);
            for (at, it) in result.iter_mut().enumerate() {
                *it += digit * other[at] + carry * (self.prime - self.modulus[at]);
                *it %= self.prime;
            }
        }
        self.code(result.into_iter())
    }

    fn code(&self, digits: impl DoubleEndedIterator<Item = usize>) -> usize {
        digits.rev().fold(0, |code, it| code * self.prime + it % self.prime)
    }
}

/// The lowest digit first.
fn digits(code: usize, base: usize, many: usize) -> Vec<usize> {
    (0..many).scan(code, |left, _| Some(std::mem::replace(left, *left / base) % base)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn in_a_design_everybody_sits_once_a_round_and_no_two_meet_twice() {
        for (many, size) in (2..=10).flat_map(|size| (1..=256 / size).map(move |tables| (tables * size, size))) {
            let mut met = BTreeSet::new();
            for round in rounds(many, size) {
                let sitting: BTreeSet<usize> = round.iter().flatten().copied().collect();
                assert_eq!((sitting.len(), round.iter().flatten().count()), (many, many));
                for table in round {
                    assert_eq!(table.len(), size);
                    for (at, one) in table.iter().enumerate() {
                        let once = table[at + 1..].iter().all(|other| met.insert((*one.min(other), *one.max(other))));
                        assert!(once, "{many} at tables of {size}");
                    }
                }
            }
        }
    }

    #[test]
    fn designs_are_as_long_as_they_are_known_to_be() {
        for (many, size, expected) in [
            (9, 3, 4),
            (15, 3, 7),
            (16, 4, 5),
            (20, 4, 5),
            (24, 4, 7),
            (25, 5, 6),
            (27, 3, 13),
            (28, 4, 9),
            (32, 4, 9),
            (49, 7, 8),
            (64, 4, 21),
            (64, 8, 9),
            (81, 9, 10),
        ] {
            assert_eq!(rounds(many, size).len(), expected, "{many} at tables of {size}");
        }
    }
}
