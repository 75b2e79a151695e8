//! Long lists, a part at a time.

use std::ops::Range;

/// One part of a long list, and the way to the others.
pub(in crate::tournaments) struct Leaf {
    /// From 1.
    number: usize,
    per: usize,
    total: usize,
    /// Where the list is, up to the number of its part.
    base: String,
}

impl Leaf {
    /// Part `number` of a list of so many, at this path with its query. A number that there is not leads to the last part.
    pub(in crate::tournaments) fn of(path: &str, number: Option<usize>, per: usize, total: usize) -> Self {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let kept: Vec<&str> = query.split('&').filter(|it| !it.is_empty() && !it.starts_with("part=")).collect();
        let query: String = kept.iter().flat_map(|it| [it, "&"]).collect();
        let last = total.div_ceil(per).max(1);
        Self { number: number.unwrap_or(1).clamp(1, last), per, total, base: format!("{path}?{query}part=") }
    }

    /// Which of the list stand here, from 0.
    pub(in crate::tournaments) fn range(&self) -> Range<usize> {
        let from = (self.number - 1) * self.per;
        from..(from + self.per).min(self.total)
    }

    pub(in crate::tournaments) fn is_whole(&self) -> bool {
        self.total <= self.per
    }

    pub(in crate::tournaments) fn total(&self) -> usize {
        self.total
    }

    /// The place of the first, counted from 0.
    pub(in crate::tournaments) fn from(&self) -> usize {
        self.range().start
    }

    /// The first and the last place of each part, its address, and whether it is this one.
    pub(in crate::tournaments) fn parts(&self) -> Vec<(usize, usize, String, bool)> {
        let parts = 1..=self.total.div_ceil(self.per);
        let part = |number: usize| {
            let from = (number - 1) * self.per;
            let address = format!("{}{number}", self.base);
            (from + 1, (from + self.per).min(self.total), address, number == self.number)
        };
        parts.map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_cover_a_list_and_keep_the_rest_of_its_address() {
        let leaf = Leaf::of("/list?only=x&part=9", Some(2), 100, 250);
        assert_eq!((leaf.range(), leaf.from(), leaf.is_whole(), leaf.total()), (100..200, 100, false, 250));
        let parts = leaf.parts();
        assert_eq!(parts[2], (201, 250, "/list?only=x&part=3".to_owned(), false));
        assert_eq!(parts.iter().map(|it| it.3).collect::<Vec<_>>(), [false, true, false]);
        assert_eq!(Leaf::of("/list", Some(99), 100, 250).range(), 200..250);
        assert_eq!(Leaf::of("/list", Some(0), 100, 250).range(), 0..100);
        let short = Leaf::of("/list", None, 100, 0);
        assert_eq!((short.range(), short.is_whole(), short.parts().len()), (0..0, true, 0));
    }
}
