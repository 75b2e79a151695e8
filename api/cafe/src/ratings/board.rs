//! Leaderboards: who stands where, a page at a time.

use std::str::FromStr;

use diesel_async::AsyncPgConnection;
use engine::ratings::Rating;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::{self, RankRow};
use super::{RatingView, Scope};
use base::error::{Error, Result, invalid_query};
use base::ids::PlayerId;
use base::list::List;
use play::players;
use play::players::PlayerCard;

/// Which leaderboard.
#[derive(Clone, Debug)]
pub struct Board {
    pub scope: Scope,
    /// As of the end of this month; of now, if there is none.
    pub month: Option<Month>,
    /// Those of whom too little is known, or the others.
    pub provisional: bool,
}

/// A month at the café, as in `2026-11`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Month(String);

/// A player on a leaderboard.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Rank {
    /// From 1; equals share one.
    pub rank: u32,
    pub player: PlayerCard,
    /// Tells the player from another on this page whose name looks the same.
    pub tag: Option<String>,
    pub rating: RatingView,
    /// How many matches were rated, in the month if one was asked for.
    pub matches: i32,
}

/// After whom a page begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct After {
    pub shown: i32,
    pub player: PlayerId,
    /// Of that player, and how many were listed up to there.
    rank: u32,
    listed: u32,
}

impl Board {
    /// A page of it: one query.
    pub async fn page(&self, conn: &mut AsyncPgConnection, after: Option<After>, limit: i64) -> Result<List<Rank>> {
        let rows = store::list_standings(conn, self, after, limit + 1).await?;
        let mut last = after;
        let places: Vec<After> = rows
            .iter()
            .map(|row| {
                let place = After::next(last, row);
                last = Some(place);
                place
            })
            .collect();
        let List { items, next } =
            List::of(rows.into_iter().zip(places).collect(), limit, |(_, place)| place.to_string());
        let people: Vec<_> = items.iter().map(|(row, _)| (row.player_id, row.display_name.as_str())).collect();
        let tags = players::tags(&people);
        let items = items.iter().zip(tags).map(|((row, place), tag)| Rank::of(row, place.rank, tag)).collect();
        Ok(List { items, next })
    }
}

impl Rank {
    fn of(row: &RankRow, rank: u32, tag: Option<String>) -> Self {
        Self {
            rank,
            player: PlayerCard { id: row.player_id, display_name: row.display_name.clone(), deleted: false },
            tag,
            rating: Rating { mean: row.mean, deviation: row.deviation }.into(),
            matches: row.matches,
        }
    }
}

impl Month {
    pub fn parse(text: &str) -> Result<Self> {
        let looks_right = text.len() == 7 && format!("{text}-01").parse::<jiff::civil::Date>().is_ok();
        if looks_right { Ok(Self(text.to_owned())) } else { Err(invalid_query("month", "invalid")) }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl After {
    fn next(last: Option<Self>, row: &RankRow) -> Self {
        let listed = last.map_or(0, |last| last.listed) + 1;
        let rank = last.filter(|last| last.shown == row.shown).map_or(listed, |last| last.rank);
        Self { shown: row.shown, player: row.player_id, rank, listed }
    }
}

impl std::fmt::Display for After {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}.{}", self.shown, self.player, self.rank, self.listed)
    }
}

impl FromStr for After {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || invalid_query("cursor", "invalid");
        let parts: Vec<&str> = text.split('.').collect();
        let [shown, player, rank, listed] = parts[..] else { return Err(wrong()) };
        Ok(Self {
            shown: shown.parse().map_err(|_| wrong())?,
            player: PlayerId(player.parse().map_err(|_| wrong())?),
            rank: rank.parse().map_err(|_| wrong())?,
            // So that counting on from it cannot overflow.
            listed: listed.parse::<u32>().ok().filter(|it| *it < u32::MAX / 2).ok_or_else(wrong)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn row(shown: i32) -> RankRow {
        let player_id = PlayerId(Uuid::from_u128(7));
        RankRow { player_id, display_name: "Ana".into(), shown, mean: 25.0, deviation: 5.0, matches: 9 }
    }

    #[test]
    fn equals_share_a_rank_and_the_next_is_skipped() {
        let mut last = None;
        let ranks: Vec<u32> = [900, 700, 700, 100]
            .map(|shown| {
                let place = After::next(last, &row(shown));
                // As if every player were a page.
                last = Some(place.to_string().parse().unwrap());
                place.rank
            })
            .to_vec();
        assert_eq!(ranks, [1, 2, 2, 4]);
    }

    #[test]
    fn a_month_is_four_digits_and_two() {
        assert!(Month::parse("2026-11").is_ok());
        for text in ["2026-13", "2026-1", "26-11", "2026-11-01", "", "abcd-ef", "2026/11"] {
            assert!(Month::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_made_up_cursor_is_refused() {
        for text in [
            "",
            "1",
            "1.2.3.4",
            "a.00000000-0000-0000-0000-000000000000.1.1",
            "1.00000000-0000-0000-0000-000000000000.1.4294967295",
        ] {
            assert_eq!(text.parse::<After>().unwrap_err().code(), "invalid_query", "{text}");
        }
    }
}
