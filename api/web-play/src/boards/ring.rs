//! The seats round a table that has no place for them in its middle: clockwise in turn order, the near one at the bottom, with an
//! arrow from the seat on turn to the next.

use engine::Seat;

use super::Scene;

/// Clockwise from the near seat: the lower row goes from right to left, the upper one from left to right.
pub(super) struct Ring {
    pub lower: Vec<Place>,
    pub upper: Vec<Place>,
    /// One seat alone is on turn: an arrow leads from it.
    pub leads: bool,
}

pub(super) struct Place {
    pub seat: u8,
    pub name: String,
    /// How it stands for this seat, such as its points.
    pub note: String,
    /// The number of its pawn.
    pub pawn: Option<u8>,
    pub on_turn: bool,
    pub is_out: bool,
}

impl Ring {
    /// `order` is the order of turns, from any seat.
    pub(super) fn of(scene: &Scene<'_>, order: Vec<Seat>, place: impl Fn(Seat) -> Place) -> Self {
        let mut lower: Vec<Place> = from_near(scene.near, order).into_iter().map(place).collect();
        let leads = lower.iter().filter(|it| it.on_turn).count() == 1;
        let upper = lower.split_off((lower.len() / 2).max(1));
        Self { lower, upper, leads }
    }
}

/// The same order, from the near seat on.
pub(super) fn from_near(near: Seat, mut order: Vec<Seat>) -> Vec<Seat> {
    let at = order.iter().position(|seat| *seat == near).unwrap_or(0);
    order.rotate_left(at);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_turns_begins_at_the_near_seat() {
        let order = |seats: &[u8]| seats.iter().copied().map(Seat).collect::<Vec<_>>();
        assert_eq!(from_near(Seat(2), order(&[0, 1, 2, 3])), order(&[2, 3, 0, 1]));
        // In a race the turns need not go round clockwise.
        assert_eq!(from_near(Seat(1), order(&[3, 1, 0, 2])), order(&[1, 0, 2, 3]));
        assert_eq!(from_near(Seat(7), order(&[3, 1])), order(&[3, 1]), "a seat that is not there moves nobody");
    }
}
