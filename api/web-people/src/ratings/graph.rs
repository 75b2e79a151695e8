//! A player's rating over their matches, as a line to be drawn.

use diesel_async::AsyncPgConnection;

use base::ids::PlayerId;
use cafe::ratings::store::{self, ChangeRow};
use play::matches::store::Reader;
use web_base::error::ApiResult;

const CHANGES_SHOWN: i64 = 200;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 220.0;
/// Room for the numbers at the left, and for lines at the edges not to be cut.
const LEFT: f64 = 56.0;
const EDGE: f64 = 12.0;

/// The latest changes, in their order, and where each lies in the drawing.
pub struct Graph {
    pub game: String,
    /// The latest first.
    pub changes: Vec<ChangeRow>,
    pub line: String,
    pub last: (f64, f64),
    /// Numbers at the left, and their heights.
    pub ticks: Vec<(i32, f64)>,
}

impl Graph {
    pub async fn read(conn: &mut AsyncPgConnection, player: PlayerId, game: &str) -> ApiResult<Self> {
        let changes = store::list_changes(conn, player, game, None, (Reader::Staff, CHANGES_SHOWN)).await?;
        Ok(Self::of(game.to_owned(), changes))
    }

    /// Of changes that come the latest first.
    pub fn of(game: String, changes: Vec<ChangeRow>) -> Self {
        let mut values: Vec<i32> = changes.iter().rev().map(|it| it.after().shown()).collect();
        values.splice(0..0, changes.last().map(|it| it.before().shown()));
        let (least, most) = bounds(&values);
        let height = |value: i32| {
            let share = f64::from(value - least) / f64::from(most - least);
            EDGE + (1.0 - share) * (HEIGHT - 2.0 * EDGE)
        };
        let step = (WIDTH - LEFT - EDGE) / (values.len().max(2) - 1) as f64;
        let points: Vec<(f64, f64)> =
            values.iter().enumerate().map(|(at, value)| (LEFT + at as f64 * step, height(*value))).collect();
        let line = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ");
        let ticks = [least, (least + most) / 2, most].map(|value| (value, height(value))).to_vec();
        Self { game, changes, line, last: points.last().copied().unwrap_or((LEFT, HEIGHT / 2.0)), ticks }
    }

    pub fn left(&self) -> f64 {
        LEFT
    }

    pub fn right(&self) -> f64 {
        WIDTH - EDGE
    }
}

/// Round numbers around all of these.
fn bounds(values: &[i32]) -> (i32, i32) {
    const ROUND: i32 = 200;
    let least = values.iter().min().copied().unwrap_or(0).div_euclid(ROUND) * ROUND;
    let most = (values.iter().max().copied().unwrap_or(0).div_euclid(ROUND) + 1) * ROUND;
    (least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_are_round_and_never_the_same() {
        assert_eq!(bounds(&[]), (0, 200));
        assert_eq!(bounds(&[0, 1138]), (0, 1200));
        assert_eq!(bounds(&[400, 400]), (400, 600));
    }

    #[test]
    fn nothing_to_draw_draws_nothing() {
        let graph = Graph::of("perudo".into(), Vec::new());
        assert!(graph.line.is_empty());
        assert_eq!(graph.ticks.len(), 3);
    }
}
