//! Finding people: by any part of their name, in Korean also by initial consonants, the beginning of their email, or their tag.

use diesel::result::QueryResult;
use diesel::sql_types::{BigInt, Nullable, Text, Uuid};
use diesel_async::{AsyncPgConnection, RunQueryDsl};

use super::PlayerRow;
use crate::stats::Visited;
use base::ids::PlayerId;
use base::names;

base::text_enum! {
    /// The players that a list holds.
    pub enum PlayerKind {
        Registered = "registered",
        Guest = "guest",
        Banned = "banned",
    }
}

/// Which players are looked for; all if neither is given.
#[derive(Clone, Debug, Default)]
pub struct Sought<'a> {
    pub text: Option<&'a str>,
    pub kind: Option<PlayerKind>,
    /// Of those who played; also whose account is gone.
    pub visited: Option<Visited>,
    /// Those made before this one.
    pub before: Option<PlayerId>,
}

/// Each way to find somebody has an index of its own. What all of them find is sorted by ids alone, and only a page of it is read.
/// A name that most people have fills the page from those who came last: only if it does not, all who have it are looked for.
const WAYS: [&str; 6] = [
    "id IN (SELECT id FROM latest)",
    // A gram is a letter or two: a name that has the gram has the text, if that is as short.
    "(SELECT count(*) FROM latest) < $2
    AND ngrams(search_key(display_name)) @> (
        SELECT array_agg(gram) FROM unnest(ngrams(search_key($3))) AS gram
        WHERE char_length(gram) = least(2, char_length(search_key($3)))
    )
    AND (char_length(search_key($3)) <= 2 OR position(search_key($3) IN search_key(display_name)) > 0)
    AND deleted_at IS NULL AND merged_into IS NULL",
    // None of these grams is missing where the expression fits.
    "(SELECT count(*) FROM latest) < $2
    AND ngrams(initials(display_name)) @> (
        SELECT array_agg(gram) FROM unnest(ngrams($7)) AS gram WHERE char_length(gram) = least(2, char_length($7))
    )
    AND folded(display_name) COLLATE \"C\" ~ $8
    AND deleted_at IS NULL AND merged_into IS NULL",
    "email ~>=~ $4 AND email ~<~ ($4 || U&'\\+10FFFF')",
    "right(id::text, 4) = right($5, 4) AND right(id::text, char_length($5)) = $5",
    "id = $6",
];
/// A person whose account is neither gone nor another's.
const IS_SOMEBODY: &str = "AND deleted_at IS NULL AND merged_into IS NULL
    AND NOT EXISTS (SELECT FROM api_keys WHERE api_keys.id = players.id)";
/// Among how many of those who came last a name is looked for first.
const LATEST: i64 = 2000;
/// Shorter ones would be the beginning of too many emails.
const EMAIL_MIN: usize = 3;

/// The latest first. Accounts that are gone or became others are not among them.
pub async fn search(conn: &mut AsyncPgConnection, sought: &Sought<'_>, limit: i64) -> QueryResult<Vec<PlayerRow>> {
    let kind = match sought.kind {
        None => "",
        Some(PlayerKind::Registered) => "AND registered_at IS NOT NULL",
        Some(PlayerKind::Guest) => "AND registered_at IS NULL",
        Some(PlayerKind::Banned) => "AND banned_at IS NOT NULL AND (banned_until IS NULL OR banned_until > now())",
    };
    let text = sought.text.map(str::trim).filter(|text| !text.is_empty());
    let there = sought.visited.map_or_else(|| IS_SOMEBODY.to_owned(), |visited| visited.condition());
    let asked = format!("($1 IS NULL OR id < $1) {there} {kind}");
    let query = diesel::sql_query(if text.is_some() {
        let found = WAYS.map(|way| format!("SELECT id FROM players WHERE {way} AND {asked}")).join(" UNION ");
        format!(
            "WITH latest AS MATERIALIZED (
                SELECT id FROM (SELECT * FROM players WHERE $1 IS NULL OR id < $1 ORDER BY id DESC LIMIT {LATEST}) AS players
                WHERE {asked} AND (
                    position(search_key($3) IN search_key(display_name)) > 0
                    OR $8 IS NOT NULL AND folded(display_name) COLLATE \"C\" ~ $8
                )
            ), found AS MATERIALIZED ({found}), page AS (SELECT id FROM found ORDER BY id DESC LIMIT $2)
            SELECT * FROM players WHERE id IN (SELECT id FROM page) ORDER BY id DESC"
        )
    } else {
        format!("SELECT * FROM players WHERE {asked} ORDER BY id DESC LIMIT $2")
    });
    let query = query.bind::<Nullable<Uuid>, _>(sought.before).bind::<BigInt, _>(limit);
    let Some(text) = text else { return query.load(conn).await };
    let lower = text.to_lowercase();
    let initials = names::initials(text);
    let pattern = initials.as_ref().and_then(|_| names::pattern(text));
    query
        .bind::<Text, _>(text)
        .bind::<Nullable<Text>, _>(Some(&lower).filter(|lower| lower.chars().count() >= EMAIL_MIN))
        .bind::<Nullable<Text>, _>(tag(&lower))
        .bind::<Nullable<Uuid>, _>(lower.parse::<uuid::Uuid>().ok())
        .bind::<Nullable<Text>, _>(initials)
        .bind::<Nullable<Text>, _>(pattern)
        .load(conn)
        .await
}

/// The end of an id.
fn tag(text: &str) -> Option<&str> {
    let tag = text.trim_start_matches('#');
    ((4..=12).contains(&tag.len()) && tag.bytes().all(|it| it.is_ascii_hexdigit())).then_some(tag)
}

impl PlayerKind {
    /// Of its name in the catalogues.
    pub fn key(self) -> &'static str {
        match self {
            Self::Registered => "players-registered",
            Self::Guest => "players-guests",
            Self::Banned => "players-banned",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_four_digits_at_least_with_or_without_its_mark() {
        assert_eq!((tag("#1a2b"), tag("1a2b3")), (Some("1a2b"), Some("1a2b3")));
        for text in ["1a2", "mina", "#", "0123456789abc"] {
            assert_eq!(tag(text), None, "{text}");
        }
    }
}
