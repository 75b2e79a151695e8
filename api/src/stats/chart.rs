//! Where the marks of charts are, for the templates to draw.

/// The room that a chart draws in: its `viewBox`.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;
/// How dark the darkest field of a heat map is.
const DARKEST: u8 = 5;

/// A bar that stands on the ground.
pub(super) struct Bar {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub title: String,
}

/// An hour of the week in a heat map.
pub(super) struct Field {
    pub x: i32,
    pub y: i32,
    /// How dark: 0 for nothing, up to 5 for the most.
    pub level: u8,
    /// Written into it; nothing for nothing.
    pub number: String,
    pub title: String,
}

/// A week, hour by hour: the more, the darker.
pub(super) struct Week {
    pub fields: Vec<Field>,
    /// Each level but nothing, with the least and the most that it stands for.
    pub legend: Vec<(u8, String)>,
}

/// Bars side by side, the highest as high as the chart.
pub(super) fn bars(values: impl ExactSizeIterator<Item = (i64, String)>) -> Vec<Bar> {
    let step = WIDTH / values.len().max(1) as f64;
    let values: Vec<_> = values.collect();
    let most = values.iter().map(|(value, _)| *value).max().unwrap_or(0).max(1);
    let bar = |(at, (value, title)): (usize, (i64, String))| {
        let height = rounded(value as f64 / most as f64 * HEIGHT);
        let (x, width) = (rounded(at as f64 * step + step * 0.1), rounded(step * 0.8));
        Bar { x, y: rounded(HEIGHT - height), width, height, title }
    };
    values.into_iter().enumerate().map(bar).collect()
}

impl Week {
    /// Of weekday, hour, value and what it says; Monday is 1.
    pub(super) fn of(values: impl Iterator<Item = (i16, i16, i64, String)>) -> Self {
        let values: Vec<_> = values.collect();
        let most = values.iter().map(|(_, _, value, _)| *value).max().unwrap_or(0);
        let field = |(weekday, hour, value, title): (i16, i16, i64, String)| {
            let (x, y) = (Self::x(hour), Self::y(weekday));
            let number = if value > 0 { value.to_string() } else { String::new() };
            Field { x, y, level: level(value, most), number, title }
        };
        let fields = values.into_iter().map(field).collect();
        let legend = (1..=DARKEST).filter_map(|of| {
            let mut values = (1..=most).filter(|value| level(*value, most) == of);
            let least = values.next()?;
            let range = values.next_back().map_or_else(|| least.to_string(), |last| format!("{least}–{last}"));
            Some((of, range))
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

    #[test]
    fn the_highest_bar_is_as_high_as_the_chart() {
        let bars = bars([(5, String::new()), (10, String::new()), (0, String::new())].into_iter());
        let drawn: Vec<_> = bars.iter().map(|bar| (bar.x, bar.y, bar.width, bar.height)).collect();
        assert_eq!(drawn, [(20.0, 60.0, 160.0, 60.0), (220.0, 0.0, 160.0, 120.0), (420.0, 120.0, 160.0, 0.0)]);
    }

    #[test]
    fn the_most_is_the_darkest_and_only_nothing_is_blank() {
        assert_eq!([0, 1, 20, 21, 100].map(|value| level(value, 100)), [0, 1, 1, 2, 5]);
        assert_eq!(level(0, 0), 0);
    }

    #[test]
    fn the_legend_says_what_each_field_stands_for() {
        let values = [0, 1, 3, 7, 12].into_iter().zip(0..).map(|(value, hour)| (1, hour, value, String::new()));
        let week = Week::of(values);
        let fields: Vec<_> = week.fields.iter().map(|it| (it.level, it.number.as_str())).collect();
        assert_eq!(fields, [(0, ""), (1, "1"), (2, "3"), (3, "7"), (5, "12")]);
        let legend: Vec<_> = week.legend.iter().map(|(of, range)| (*of, range.as_str())).collect();
        assert_eq!(legend, [(1, "1–2"), (2, "3–4"), (3, "5–7"), (4, "8–9"), (5, "10–12")]);
        let single = Week::of([(1, 0, 1, String::new())].into_iter());
        assert_eq!(single.legend, [(5, "1".to_owned())]);
    }
}
