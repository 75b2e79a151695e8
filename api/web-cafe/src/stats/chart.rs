//! Where the marks of charts are, for the templates to draw.

/// The room that a chart draws in: its `viewBox`.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;
/// How dark the darkest field of a heat map is.
const DARKEST: u8 = 5;
/// More marks than these would take keyboard users long to pass. Their table leads to the same.
const FEW: usize = 31;

/// What a mark stands for.
pub(super) struct Mark {
    pub value: i64,
    pub title: String,
    /// What is behind it, unless that is nothing.
    pub href: Option<String>,
}

/// A bar that stands on the ground.
pub(super) struct Bar {
    pub mark: Mark,
    /// Where it may be tapped, from the top to the ground.
    pub left: f64,
    pub room: f64,
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

/// An hour of the week in a heat map.
pub(super) struct Field {
    pub x: i32,
    pub y: i32,
    /// How dark: 0 for nothing, up to 5 for the most.
    pub level: u8,
    pub mark: Mark,
}

/// A week, hour by hour: the more, the darker.
pub(super) struct Week {
    pub fields: Vec<Field>,
    /// Each level but nothing, with the least and the most that it stands for.
    pub legend: Vec<(u8, i64, i64)>,
}

/// Bars side by side, below a round number.
pub(super) fn bars(marks: Vec<Mark>) -> Vec<Bar> {
    let step = WIDTH / marks.len().max(1) as f64;
    let most = top(marks.iter().map(|mark| mark.value));
    let bar = |(at, mark): (usize, Mark)| {
        let height = rounded(mark.value as f64 / most as f64 * HEIGHT);
        let (x, width) = (rounded(at as f64 * step + step * 0.1), rounded(step * 0.8));
        Bar {
            mark,
            left: rounded(at as f64 * step),
            room: rounded(step),
            x,
            y: rounded(HEIGHT - height),
            width,
            height,
        }
    };
    marks.into_iter().enumerate().map(bar).collect()
}

/// What the top of a chart stands for: a round number that can be halved.
pub(super) fn top(values: impl Iterator<Item = i64>) -> i64 {
    let most = values.max().unwrap_or(0).max(2);
    let powers = std::iter::successors(Some(1_i64), |power| power.checked_mul(10));
    let mut rounds = powers.flat_map(|power| [2, 4, 6, 8, 10].map(|round| power.saturating_mul(round)));
    rounds.find(|round| *round >= most).unwrap_or(most)
}

/// Whether so many marks are few enough to go to each of them by the keyboard.
pub fn are_few(marks: usize) -> bool {
    marks <= FEW
}

impl Bar {
    pub(super) fn middle(&self) -> f64 {
        rounded(self.left + self.room / 2.0)
    }
}

impl Mark {
    /// There is nothing behind nothing.
    pub(super) fn new(value: i64, title: String, href: String) -> Self {
        Self { value, title, href: Some(href).filter(|_| value != 0) }
    }
}

impl Week {
    /// Of weekday, hour and what stands for it; Monday is 1.
    pub(super) fn of(marks: impl Iterator<Item = (i16, i16, Mark)>) -> Self {
        let marks: Vec<_> = marks.collect();
        let most = marks.iter().map(|(_, _, mark)| mark.value).max().unwrap_or(0);
        let field = |(weekday, hour, mark): (i16, i16, Mark)| Field {
            x: Self::x(hour),
            y: Self::y(weekday),
            level: level(mark.value, most),
            mark,
        };
        let fields = marks.into_iter().map(field).collect();
        let legend = (1..=DARKEST).filter_map(|of| {
            let mut values = (1..=most).filter(|value| level(*value, most) == of);
            let least = values.next()?;
            Some((of, least, values.next_back().unwrap_or(least)))
        });
        let legend = legend.collect();
        Self { fields, legend }
    }

    pub(super) fn x(hour: i16) -> i32 {
        40 + i32::from(hour) * 39
    }

    pub(super) fn y(weekday: i16) -> i32 {
        2 + (i32::from(weekday) - 1) * 31
    }
}

fn level(value: i64, most: i64) -> u8 {
    let of = i64::from(DARKEST);
    let level = if value <= 0 { 0 } else { ((value * of - 1) / most.max(1) + 1).clamp(1, of) };
    u8::try_from(level).unwrap_or(DARKEST)
}

/// A share as a place on a line of 100.
pub(super) fn place(share: f64) -> f64 {
    rounded((share * 100.0).clamp(0.0, 100.0))
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(value: i64) -> Mark {
        Mark { value, title: String::new(), href: None }
    }

    #[test]
    fn the_top_of_a_chart_is_a_round_number_with_a_whole_half() {
        assert_eq!(
            [0, 1, 3, 10, 11, 61, 100, 5_001].map(|most| top([most].into_iter())),
            [2, 2, 4, 10, 20, 80, 100, 6_000]
        );
        assert!(top([i64::MAX].into_iter()) >= i64::MAX / 2);
    }

    #[test]
    fn a_bar_of_the_roundest_number_is_as_high_as_the_chart() {
        let bars = bars([5, 10, 0].map(mark).into());
        let drawn: Vec<_> = bars.iter().map(|bar| (bar.x, bar.y, bar.width, bar.height)).collect();
        assert_eq!(drawn, [(20.0, 60.0, 160.0, 60.0), (220.0, 0.0, 160.0, 120.0), (420.0, 120.0, 160.0, 0.0)]);
        let tapped: Vec<_> = bars.iter().map(|bar| (bar.left, bar.room)).collect();
        assert_eq!(tapped, [(0.0, 200.0), (200.0, 200.0), (400.0, 200.0)]);
    }

    #[test]
    fn the_most_is_the_darkest_and_only_nothing_is_blank() {
        assert_eq!([0, 1, 20, 21, 100].map(|value| level(value, 100)), [0, 1, 1, 2, 5]);
        assert_eq!(level(0, 0), 0);
    }

    #[test]
    fn the_legend_says_what_each_field_stands_for() {
        let marks = [0, 1, 3, 7, 12].into_iter().zip(0..).map(|(value, hour)| (1, hour, mark(value)));
        let week = Week::of(marks);
        let levels: Vec<_> = week.fields.iter().map(|it| it.level).collect();
        assert_eq!(levels, [0, 1, 2, 3, 5]);
        assert_eq!(week.legend, [(1, 1, 2), (2, 3, 4), (3, 5, 7), (4, 8, 9), (5, 10, 12)]);
        let single = Week::of([(1, 0, mark(1))].into_iter());
        assert_eq!(single.legend, [(5, 1, 1)]);
    }
}
