//! Lists, a page at a time.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Result, invalid_query};

const MOST: i64 = 100;
const USUAL: i64 = 20;

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    pub items: Vec<T>,
    /// What to ask for next as `cursor`; none at the end.
    pub next: Option<String>,
}

/// How many items a page holds.
pub fn page_size(limit: Option<i64>) -> Result<i64> {
    let limit = limit.unwrap_or(USUAL);
    if (1..=MOST).contains(&limit) { Ok(limit) } else { Err(invalid_query("limit", "out_of_range")) }
}

/// Where a page begins: after what the cursor names.
pub fn start<T: std::str::FromStr>(cursor: Option<&str>) -> Result<Option<T>> {
    cursor.map(|cursor| cursor.parse().map_err(|_| invalid_query("cursor", "invalid"))).transpose()
}

impl<T> List<T> {
    /// Of one item more than fits, the last says that there is a next page.
    pub fn of(mut items: Vec<T>, limit: i64, cursor: impl Fn(&T) -> String) -> Self {
        let limit = usize::try_from(limit).unwrap_or(0);
        let has_more = items.len() > limit;
        items.truncate(limit);
        let next = items.last().filter(|_| has_more).map(cursor);
        Self { items, next }
    }
}

/// A moment of a cursor: microseconds since 1970. PostgreSQL knows fewer years before than a timestamp here.
pub fn parse_microseconds(text: &str) -> Option<Timestamp> {
    text.parse().ok().filter(|at| *at >= 0).and_then(|at| Timestamp::from_microsecond(at).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_page_has_no_next() {
        let page = List::of(vec![1, 2, 3], 2, ToString::to_string);
        assert_eq!((page.items, page.next.as_deref()), (vec![1, 2], Some("2")));
        assert_eq!(List::of(vec![1, 2], 2, ToString::to_string).next, None);
    }

    #[test]
    fn a_page_has_bounds() {
        assert_eq!(page_size(None).unwrap(), 20);
        for limit in [0, -1, 101] {
            assert!(page_size(Some(limit)).is_err());
        }
    }
}
