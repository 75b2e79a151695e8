//! Results that players write down of a match with real dice and cards, and how they confirm each other's.

use diesel_async::AsyncPgConnection;
use engine::Seat;

use crate::matches::results::admin as told;
use base::auth::Identity;
use play::matches::{MatchRow, Status};
use web_base::error::ApiResult;
use web_base::page::Page;

/// What was written down, as the page of the match shows it to one who looks.
pub(super) struct Written {
    pub all: told::Written,
    /// Who looks, as a player of the match.
    me: Option<base::ids::PlayerId>,
}

impl Written {
    pub(super) fn of(all: told::Written, me: Option<base::ids::PlayerId>) -> Self {
        Self { all, me }
    }

    pub(super) async fn read(
        conn: &mut AsyncPgConnection,
        page: &Page,
        row: &MatchRow,
        names: &[String],
        visitor: Option<&Identity>,
        mine: Option<Seat>,
    ) -> ApiResult<Self> {
        let me = visitor.filter(|_| mine.is_some()).map(|it| it.id);
        let may_write = me.is_some() && row.status == Status::Running;
        let results = told::Results::read(conn, row.id).await?;
        Ok(Self::of(told::Written::of(page, row, names, &results, may_write), me))
    }

    /// Whether who looks can say that this one is right: another player wrote it.
    pub(super) fn may_confirm(&self, result: &told::Told) -> bool {
        self.all.draft.is_some() && result.is_open() && self.me != Some(result.by_id)
    }
}
