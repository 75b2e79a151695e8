//! `/admin/tables/{id}/history`: who sat at a table, what they played and called for, and what staff did there. All ids sort
//! by time, so that one cursor goes through all of it.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use diesel::sql_types::{BigInt, Bool, Integer, Nullable, Text, Timestamptz, Uuid as SqlUuid};
use diesel::{QueryResult, QueryableByName};
use diesel_async::{AsyncPgConnection, RunQueryDsl};
use jiff::Timestamp;
use jiff_diesel::{NullableTimestamp, Timestamp as SqlTimestamp};
use serde::Deserialize;
use uuid::Uuid;

use super::{TableId, TableRow, store};
use crate::audit;
use crate::calls::{CallReason, CallStatus};
use crate::db::Db;
use crate::error::{ApiResult, not_found};
use crate::extract::{Path, Search};
use crate::list::List;
use crate::matches::Status;
use crate::page::{Desk, Page};
use crate::sittings::SittingEnd;
use crate::staff::Deed;
use crate::text::Lang;

const PAGE_SIZE: i64 = 40;

/// Something that happened at a table.
#[derive(Debug, QueryableByName)]
pub(super) struct Past {
    #[diesel(sql_type = SqlUuid)]
    id: Uuid,
    #[diesel(sql_type = Text)]
    kind: String,
    #[diesel(sql_type = Timestamptz, deserialize_as = SqlTimestamp)]
    at: Timestamp,
    #[diesel(sql_type = Nullable<Timestamptz>, deserialize_as = NullableTimestamp)]
    until: Option<Timestamp>,
    /// The game, the reason of a call, or the action of a deed.
    #[diesel(sql_type = Text)]
    word: String,
    #[diesel(sql_type = Nullable<Text>)]
    status: Option<String>,
    /// How many people, or seats.
    #[diesel(sql_type = Nullable<Integer>)]
    number: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    code: Option<String>,
    /// Whose box it was about.
    #[diesel(sql_type = Nullable<Text>)]
    title: Option<String>,
    #[diesel(sql_type = Bool)]
    undone: bool,
    #[diesel(sql_type = Nullable<Text>)]
    who: Option<String>,
    #[diesel(sql_type = Bool)]
    gone: bool,
    /// Where a party went, or came from.
    #[diesel(sql_type = Nullable<Text>)]
    went_to: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    came_from: Option<String>,
}

#[derive(Template)]
#[template(path = "admin/tables/history.html")]
struct HistoryPage {
    page: Page,
    table: TableRow,
    pasts: Vec<Past>,
    next: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HistorySearch {
    before: Option<Uuid>,
}

#[get("/admin/tables/{id}/history")]
pub(crate) async fn show_history(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Path(id): Path<TableId>,
    Search(search): Search<HistorySearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::KeepTables)?;
    let mut conn = db.conn().await?;
    let table = store::find(&mut conn, id).await?.ok_or_else(|| not_found("table_not_found"))?;
    let pasts = list(&mut conn, id, page.lang, search.before.unwrap_or(Uuid::max())).await?;
    let List { items: pasts, next } = List::of(pasts, PAGE_SIZE, |past| past.id.to_string());
    let template = HistoryPage { page, table, pasts, next };
    template.page.html(&template)
}

/// One more than a page holds.
async fn list(conn: &mut AsyncPgConnection, id: TableId, lang: Lang, before: Uuid) -> QueryResult<Vec<Past>> {
    let past = diesel::sql_query(include_str!("history.sql")).bind::<SqlUuid, _>(id).bind::<SqlUuid, _>(before);
    past.bind::<BigInt, _>(PAGE_SIZE + 1).bind::<Text, _>(lang.code()).load(conn).await
}

impl Page {
    fn past(&self, past: &Past) -> String {
        match past.kind.as_str() {
            "sitting" => self.say("past-sitting").with("count", past.number.unwrap_or(0)).to_string(),
            "match" => self.game_name(&past.word),
            "call" => self.t(past.word.parse().map_or("call-other", CallReason::key)),
            _ => {
                let done = self.word_or(&audit::words::key(&past.word), &past.word);
                past.title.as_ref().map_or(done.clone(), |title| format!("{title}: {done}"))
            }
        }
    }

    /// What became of it.
    fn past_end(&self, past: &Past) -> Option<String> {
        let status = past.status.as_deref()?;
        let key = match past.kind.as_str() {
            "sitting" => status.parse().map(SittingEnd::key).ok()?,
            "match" => status.parse().map(Status::key).ok()?,
            _ => status.parse().map(CallStatus::key).ok()?,
        };
        Some(self.t(key))
    }
}

impl Past {
    fn icon(&self) -> &'static str {
        match self.kind.as_str() {
            "sitting" => "people",
            "match" => "matches",
            "call" => "bell",
            _ => "edit",
        }
    }
}

impl SittingEnd {
    /// Of its name in the catalogues.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Left => "end-left",
            Self::Forgotten => "end-forgotten",
            Self::Merged => "end-merged",
            Self::Undone => "end-undone",
        }
    }
}
