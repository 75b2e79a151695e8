//! Ids as types: a match's id cannot stand where a player's is wanted.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

/// Defines a newtype over `Uuid` that is at home in Rust, JSON, URLs, the OpenAPI document and the database.
#[macro_export]
macro_rules! id_type {
    ($(#[$doc:meta])* $name:ident) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize, utoipa::ToSchema,
            diesel::expression::AsExpression, diesel::deserialize::FromSqlRow,
        )]
        $(#[$doc])*
        #[diesel(sql_type = diesel::sql_types::Uuid)]
        #[serde(transparent)]
        #[schema(value_type = uuid::Uuid)]
        pub struct $name(pub uuid::Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }

        impl diesel::serialize::ToSql<diesel::sql_types::Uuid, diesel::pg::Pg> for $name {
            fn to_sql<'b>(
                &'b self,
                out: &mut diesel::serialize::Output<'b, '_, diesel::pg::Pg>,
            ) -> diesel::serialize::Result {
                diesel::serialize::ToSql::<diesel::sql_types::Uuid, diesel::pg::Pg>::to_sql(&self.0, out)
            }
        }

        impl diesel::deserialize::FromSql<diesel::sql_types::Uuid, diesel::pg::Pg> for $name {
            fn from_sql(value: diesel::pg::PgValue<'_>) -> diesel::deserialize::Result<Self> {
                diesel::deserialize::FromSql::<diesel::sql_types::Uuid, diesel::pg::Pg>::from_sql(value).map(Self)
            }
        }
    };
}

/// A hash, which names what it is the hash of, as the API tells it.
pub fn hex(hash: &[u8]) -> String {
    HEXLOWER.encode(hash)
}

/// The 32 bytes of a hash, if the text is one.
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    HEXLOWER_PERMISSIVE.decode(text.as_bytes()).ok().filter(|hash| hash.len() == 32)
}

id_type!(
    /// An account: a guest, a registered player or a member of staff.
    PlayerId
);

id_type!(
    /// One sign-in and everything that was refreshed from it.
    SessionId
);

id_type!(
    /// One play of a game.
    MatchId
);

impl MatchId {
    /// No match made at this time or later has a lower id.
    pub fn least_at(moment: jiff::Timestamp) -> Self {
        Self(least_at(moment))
    }
}

/// Nothing made at this time or later has a lower id: they are sorted by the time at which they were made.
pub fn least_at(moment: jiff::Timestamp) -> uuid::Uuid {
    let millis = u64::try_from(moment.as_millisecond()).unwrap_or(0);
    uuid::Builder::from_unix_timestamp_millis(millis, &[0; 10]).into_uuid()
}

id_type!(
    /// A table that stands in the café.
    TableId
);

id_type!(
    /// The party that sits at a table for a while.
    SittingId
);

id_type!(
    /// A party that asks for somebody.
    CallId
);

id_type!(
    /// What one shift tells the next.
    ShiftNoteId
);

id_type!(
    /// A new phone that asks to be a guest's.
    ClaimId
);

id_type!(
    /// A party on the waiting list.
    WaitingId
);

id_type!(
    /// The way back from something that staff did.
    UndoId
);

id_type!(
    /// Options under a name.
    VariantId
);

id_type!(
    /// Players who are paired round after round until there is a winner.
    TournamentId
);

id_type!(
    /// A season of tournaments whose results add up.
    SeriesId
);

id_type!(
    /// A variant that staff try out.
    TrialId
);

id_type!(
    /// A box game that the café has.
    TitleId
);

id_type!(
    /// One box of a title.
    CopyId
);

id_type!(
    /// Something to be known of a copy's condition.
    NoteId
);

id_type!(
    /// One question to the lab.
    LabRunId
);

/// Defines an enum whose variants are words: the same word in Rust's `as_str`, JSON, the OpenAPI document and a text
/// column (which has a `CHECK` of the same words). Variants are ordered as written. (utoipa reads no `$word:literal`.)
#[macro_export]
macro_rules! text_enum {
    ($(#[$doc:meta])* pub enum $name:ident { $($(#[$of:meta])* $variant:ident = $word:tt),+ $(,)? }) => {
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord,
            serde::Serialize, serde::Deserialize, utoipa::ToSchema,
            diesel::expression::AsExpression, diesel::deserialize::FromSqlRow,
        )]
        $(#[$doc])*
        #[diesel(sql_type = diesel::sql_types::Text)]
        pub enum $name {
            $($(#[$of])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;
            fn from_str(word: &str) -> Result<Self, Self::Err> {
                let known = Self::ALL.iter().copied().find(|it| it.as_str() == word);
                known.ok_or_else(|| format!("not one of {}", Self::ALL.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ")))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl diesel::serialize::ToSql<diesel::sql_types::Text, diesel::pg::Pg> for $name {
            fn to_sql<'b>(
                &'b self,
                out: &mut diesel::serialize::Output<'b, '_, diesel::pg::Pg>,
            ) -> diesel::serialize::Result {
                std::io::Write::write_all(out, self.as_str().as_bytes())?;
                Ok(diesel::serialize::IsNull::No)
            }
        }

        impl diesel::deserialize::FromSql<diesel::sql_types::Text, diesel::pg::Pg> for $name {
            fn from_sql(value: diesel::pg::PgValue<'_>) -> diesel::deserialize::Result<Self> {
                Ok(std::str::from_utf8(value.as_bytes())?.parse()?)
            }
        }
    };
}
