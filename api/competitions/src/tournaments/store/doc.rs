//! Columns that hold what the engine says, typed.

use std::fmt::Debug;
use std::io::Write;
use std::ops::Deref;

use diesel::deserialize::{self, FromSql, FromSqlRow};
use diesel::expression::AsExpression;
use diesel::pg::{Pg, PgValue};
use diesel::serialize::{self, IsNull, Output, ToSql};
use diesel::sql_types::{Jsonb, Text};
use engine::tournaments as pairings;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A document of this form, in a column of JSON.
#[derive(Clone, Debug, Default, PartialEq, AsExpression, FromSqlRow)]
#[diesel(sql_type = Jsonb)]
pub struct Doc<T: Debug>(pub T);

impl<T: Debug> Deref for Doc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Debug + DeserializeOwned> FromSql<Jsonb, Pg> for Doc<T> {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        let value = <Value as FromSql<Jsonb, Pg>>::from_sql(value)?;
        Ok(Self(serde_json::from_value(value)?))
    }
}

impl<T: Debug + Serialize> ToSql<Jsonb, Pg> for Doc<T> {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        // The version of the format.
        out.write_all(&[1])?;
        serde_json::to_writer(out, &self.0)?;
        Ok(IsNull::No)
    }
}

/// A bout within its stage, as in `main-1-3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, AsExpression, FromSqlRow, utoipa::ToSchema)]
#[diesel(sql_type = Text)]
#[schema(value_type = String, example = "main-1-3", pattern = "^(main|losers|final|third_place|places)-[1-9][0-9]{0,3}-[1-9][0-9]{0,3}$")]
pub struct BoutKey(pub pairings::BoutKey);

impl std::fmt::Display for BoutKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::str::FromStr for BoutKey {
    type Err = pairings::InvalidBoutKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

impl Serialize for BoutKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for BoutKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl FromSql<Text, Pg> for BoutKey {
    fn from_sql(value: PgValue<'_>) -> deserialize::Result<Self> {
        Ok(std::str::from_utf8(value.as_bytes())?.parse()?)
    }
}

impl ToSql<Text, Pg> for BoutKey {
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, Pg>) -> serialize::Result {
        write!(out, "{}", self.0)?;
        Ok(IsNull::No)
    }
}
