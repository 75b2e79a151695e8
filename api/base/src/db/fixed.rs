//! SQL whose text never changes, and queries with few texts. Diesel prepares a query with `sql` or `sql_query` in it, an update, and
//! an insert that leaves columns out again at each use, which costs a round trip and a plan; what stands here is prepared once a
//! connection.

use std::marker::PhantomData;

use diesel::expression::{
    AppearsOnTable, Expression, SelectableExpression, TypedExpressionType, ValidGrouping, is_aggregate,
};
use diesel::pg::Pg;
use diesel::prelude::QueryableByName;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::result::{Error, QueryResult};
use diesel::serialize::ToSql;
use diesel::sql_types::{BigInt, HasSqlType, Text, Untyped};

/// An expression of this type of SQL. Its parameters `$1`, `$2` … stand in it once and in this order.
pub fn fixed<Type>(text: &'static str) -> Fixed<Type> {
    Fixed { text, binds: (), of: PhantomData }
}

/// A whole statement, read by the names of its columns. Its parameters `$1`, `$2` … first stand in it in this order.
pub fn statement(text: &'static str) -> Fixed<Untyped> {
    fixed(text)
}

/// A query that diesel believes to have too many texts to keep them prepared. This one has few: it is kept by its text.
pub fn kept<Of>(query: Of) -> Kept<Of> {
    Kept(query)
}

/// See [`kept`].
#[derive(Clone, Copy, Debug)]
#[must_use = "it does nothing until it is loaded or executed"]
pub struct Kept<Of>(Of);

impl<Of: QueryFragment<Pg>> QueryFragment<Pg> for Kept<Of> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.walk_ast(out)
    }

    fn is_safe_to_cache_prepared(&self, _: &Pg) -> QueryResult<bool> {
        Ok(true)
    }
}

impl<Of> QueryId for Kept<Of> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Of: Query> Query for Kept<Of> {
    type SqlType = Of::SqlType;
}

/// A text that is another whenever what a page shows has changed: the statement's column `fingerprint`.
#[derive(QueryableByName)]
pub struct Fingerprint {
    #[diesel(sql_type = Text)]
    pub fingerprint: String,
}

/// A number: the statement's column `count`.
#[derive(QueryableByName)]
pub struct Count {
    #[diesel(sql_type = BigInt)]
    pub count: i64,
}

/// A text and the values of its parameters.
#[derive(Clone, Copy, Debug)]
#[must_use = "it does nothing until it is loaded or executed"]
pub struct Fixed<Type, Binds = ()> {
    text: &'static str,
    binds: Binds,
    of: PhantomData<Type>,
}

/// The values of some parameters, and of one more.
#[derive(Clone, Copy, Debug)]
pub struct Bound<Before, Type, Value> {
    before: Before,
    value: Value,
    of: PhantomData<Type>,
}

impl<Type, B> Fixed<Type, B> {
    /// The value of the next parameter.
    pub fn bind<Of, Value>(self, value: Value) -> Fixed<Type, Bound<B, Of, Value>> {
        let Self { text, binds: before, of } = self;
        Fixed { text, binds: Bound { before, value, of: PhantomData }, of }
    }
}

/// Values of parameters.
pub trait Binds {
    /// Writes the text up to the last of these parameters, and gives how many there are and the rest of the text.
    fn walk<'b>(&'b self, text: &'static str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<(usize, &'static str)>;
}

impl Binds for () {
    fn walk<'b>(&'b self, text: &'static str, _: &mut AstPass<'_, 'b, Pg>) -> QueryResult<(usize, &'static str)> {
        Ok((0, text))
    }
}

impl<Before: Binds, Of, Value: ToSql<Of, Pg>> Binds for Bound<Before, Of, Value>
where
    Pg: HasSqlType<Of>,
{
    fn walk<'b>(&'b self, text: &'static str, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<(usize, &'static str)> {
        let (before, text) = self.before.walk(text, out)?;
        let number = before + 1;
        let missing = || Error::QueryBuilderError(format!("parameter {number} does not stand in its place").into());
        let (text, rest) = split_at_parameter(text, number).ok_or_else(missing)?;
        out.push_sql(text);
        out.push_bind_param::<Of, _>(&self.value)?;
        Ok((number, rest))
    }
}

/// The text before and after the first `$number`.
pub fn split_at_parameter(text: &str, number: usize) -> Option<(&str, &str)> {
    let placeholder = format!("${number}");
    let after = |at: usize| &text[at + placeholder.len()..];
    let mut places = text.match_indices(&placeholder).map(|(at, _)| at);
    let at = places.find(|at| !after(*at).starts_with(|next: char| next.is_ascii_digit()))?;
    Some((&text[..at], after(at)))
}

impl<Type, B: Binds> QueryFragment<Pg> for Fixed<Type, B> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        let (_, rest) = self.binds.walk(self.text, &mut out)?;
        out.push_sql(rest);
        Ok(())
    }
}

/// What is prepared is known by its text.
impl<Type, B> QueryId for Fixed<Type, B> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<B> Query for Fixed<Untyped, B> {
    type SqlType = Untyped;
}

impl<Type: TypedExpressionType, B> Expression for Fixed<Type, B> {
    type SqlType = Type;
}

impl<Type: TypedExpressionType, B, Table> AppearsOnTable<Table> for Fixed<Type, B> {}

impl<Type: TypedExpressionType, B, Table> SelectableExpression<Table> for Fixed<Type, B> {}

impl<Type, B, Grouping> ValidGrouping<Grouping> for Fixed<Type, B> {
    type IsAggregate = is_aggregate::Never;
}

#[cfg(test)]
mod tests {
    use diesel::debug_query;
    use diesel::prelude::*;
    use diesel::sql_types::{Bool, Integer, Text};

    use super::*;
    use crate::schema::matches;

    #[test]
    fn a_parameter_of_a_statement_may_stand_again() {
        let query = statement("SELECT $1, $2, $1").bind::<Integer, _>(1).bind::<Text, _>("two");
        assert_eq!(debug_query::<Pg, _>(&query).to_string(), r#"SELECT $1, $2, $1 -- binds: [1, "two"]"#);
        assert_eq!(split_at_parameter("$10 $1", 1), Some(("$10 ", "")));
        let unordered = statement("SELECT $2, $1").bind::<Integer, _>(1).bind::<Integer, _>(2);
        assert!(unordered.is_safe_to_cache_prepared(&Pg).is_err());
    }

    #[test]
    fn an_expression_takes_its_place_among_the_parameters() {
        let named = fixed::<Bool>("lower(name) = $1").bind::<Text, _>("one");
        let query = matches::table.filter(matches::version.eq(7)).filter(named).select(matches::id);
        let text = debug_query::<Pg, _>(&query).to_string();
        assert!(text.contains("= $1) AND lower(name) = $2)") && text.ends_with(r#"binds: [7, "one"]"#), "{text}");
    }

    #[test]
    fn what_is_fixed_is_prepared_once() {
        fn is_kept(query: &impl QueryFragment<Pg>) -> bool {
            query.is_safe_to_cache_prepared(&Pg).unwrap()
        }
        assert!(is_kept(&matches::table.filter(fixed::<Bool>("name IS NULL")).select(matches::id)));
        assert!(is_kept(&statement("SELECT 1")));
        assert!(!is_kept(&diesel::sql_query("SELECT 1")));
        let update = diesel::update(matches::table).set(matches::version.eq(1));
        assert!(!is_kept(&update) && is_kept(&kept(update)));
    }
}
