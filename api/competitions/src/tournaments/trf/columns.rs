//! Text in columns.

/// Where the rounds of a line begin, and how far they are apart.
const FIRST_ROUND: usize = 92;
const PER_ROUND: usize = 10;

/// The column where a round begins, in lines that tell of rounds.
pub(super) fn of_round(round: u16) -> usize {
    FIRST_ROUND + PER_ROUND * usize::from(round.max(1) - 1)
}

/// A line that is filled column by column.
#[derive(Default)]
pub(super) struct Line(Vec<char>);

impl Line {
    pub(super) fn new(tag: &str) -> Self {
        Self(tag.chars().collect())
    }

    /// From this column on.
    pub(super) fn put(mut self, column: usize, text: &str) -> Self {
        let from = column - 1;
        let text: Vec<char> = text.chars().collect();
        let end = from + text.len();
        if self.0.len() < end {
            self.0.resize(end, ' ');
        }
        self.0[from..end].copy_from_slice(&text);
        self
    }

    /// Up to this column.
    pub(super) fn put_right(self, last: usize, text: &str) -> Self {
        let column = (last + 1).saturating_sub(text.chars().count());
        self.put(column.max(1), text)
    }

    pub(super) fn text(self) -> String {
        self.0.into_iter().collect::<String>().trim_end().to_owned()
    }
}

/// What stands from one column to another, without blanks around it.
pub(super) fn cell(line: &[char], from: usize, to: usize) -> String {
    let end = to.min(line.len());
    line.get(from - 1..end).unwrap_or_default().iter().collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stands_in_its_columns() {
        let line = Line::new("001").put_right(8, "12").put(15, "하늘").put_right(84, "1.5").text();
        let line: Vec<char> = line.chars().collect();
        assert_eq!((line.len(), cell(&line, 5, 8), cell(&line, 15, 47)), (84, "12".to_owned(), "하늘".to_owned()));
        assert_eq!((cell(&line, 81, 84), cell(&line, 90, 99)), ("1.5".to_owned(), String::new()));
        assert_eq!([of_round(1), of_round(2), of_round(11)], [92, 102, 192]);
    }
}
