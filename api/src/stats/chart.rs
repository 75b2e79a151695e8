//! Where the marks of charts are, for the templates to draw.

/// The room that a chart draws in: its `viewBox`.
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 120.0;

/// A bar that stands on the ground.
pub(super) struct Bar {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
    pub title: String,
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

/// How dark the field of a heat map is: 0 for nothing, up to 5 for the most.
pub(super) fn heat(value: i64, most: i64) -> i64 {
    if value <= 0 { 0 } else { ((value * 5 - 1) / most.max(1) + 1).clamp(1, 5) }
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
        assert_eq!([0, 1, 20, 21, 100].map(|value| heat(value, 100)), [0, 1, 1, 2, 5]);
        assert_eq!(heat(0, 0), 0);
    }
}
