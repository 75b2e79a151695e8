//! `/admin/players`: finding people, everything about one of them, and what staff do for them.

mod merge;
mod setup;
mod show;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use askama::Template;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;

use super::{PlayerKind, PlayerRow, Sought};
use crate::db::Db;
use crate::error::ApiResult;
use crate::extract::Search;
use crate::ids::PlayerId;
use crate::page::{Desk, Page};
use crate::staff::Deed;
use crate::stats::{Period, Visited};
pub(crate) use merge::{choose_merge, merge_player};
pub(crate) use setup::{set_up, show_set_up};
pub(crate) use show::{ban_player, lift_ban, rename_player, show_player, sign_player_out};

const PAGE_SIZE: i64 = 30;

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayerSearch {
    q: Option<String>,
    kind: Option<String>,
    /// Days of the café on which they played, both included.
    from: Option<Date>,
    to: Option<Date>,
    /// For the first time.
    #[serde(default)]
    new: Option<bool>,
    /// On so many of these days.
    visits: Option<i64>,
    before: Option<PlayerId>,
}

#[derive(Template)]
#[template(path = "admin/players/list.html")]
struct PlayerListPage {
    page: Page,
    q: String,
    kind: Option<PlayerKind>,
    visited: Option<Visited>,
    people: Vec<PlayerRow>,
    next: Option<PlayerId>,
}

#[get("/admin/players")]
pub(crate) async fn show_players(
    db: Data<Db>,
    Desk { page, staff }: Desk,
    Search(search): Search<PlayerSearch>,
) -> ApiResult<HttpResponse> {
    staff.may(Deed::SeePlayers)?;
    // A filter that is no filter holds everybody.
    let kind = search.kind.as_deref().and_then(|kind| kind.parse().ok());
    let visited = search.visited(page.today())?;
    let sought = Sought { text: search.q.as_deref(), kind, visited, before: search.before };
    let mut people = super::search(&mut *db.conn().await?, &sought, PAGE_SIZE + 1).await?;
    let has_more = people.len() > PAGE_SIZE as usize;
    people.truncate(PAGE_SIZE as usize);
    let next = people.last().filter(|_| has_more).map(|last| last.id);
    let template = PlayerListPage { q: search.q.unwrap_or_default(), kind, visited, people, next, page };
    template.page.html(&template)
}

impl PlayerSearch {
    fn visited(&self, today: Date) -> ApiResult<Option<Visited>> {
        let Self { from, to, new, visits, .. } = *self;
        if from.is_none() && to.is_none() {
            return Ok(None);
        }
        Ok(Some(Visited { period: Period::between(from, to, today)?, new, visits }))
    }
}

impl PlayerListPage {
    /// What is asked for that the form does not show: to be kept by it.
    fn hidden(&self) -> Vec<(&'static str, String)> {
        let Some(Visited { period, new, visits }) = self.visited else { return Vec::new() };
        let mut pairs = vec![("from", period.from.to_string()), ("to", period.until.to_string())];
        pairs.extend(new.map(|new| ("new", new.to_string())));
        pairs.extend(visits.map(|visits| ("visits", visits.to_string())));
        pairs
    }

    /// The list of this kind, with the text that is looked for.
    fn of_kind(&self, kind: Option<&PlayerKind>) -> String {
        let mut pairs = form_pairs(&[("q", &self.q)]);
        pairs.extend_pairs(self.hidden());
        if let Some(kind) = kind {
            pairs.append_pair("kind", kind.as_str());
        }
        format!("/admin/players?{}", pairs.finish())
    }

    fn older(&self, before: &PlayerId) -> String {
        format!("{}&before={before}", self.of_kind(self.kind.as_ref()))
    }

    fn is_kind(&self, kind: &PlayerKind) -> bool {
        self.kind == Some(*kind)
    }
}

/// The beginning of a query, without what is empty.
fn form_pairs<'a>(pairs: &[(&str, &str)]) -> form_urlencoded::Serializer<'a, String> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs.iter().filter(|(_, value)| !value.is_empty()));
    query
}

impl PlayerKind {
    /// Of its name in the catalogues.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Registered => "players-registered",
            Self::Guest => "players-guests",
            Self::Banned => "players-banned",
        }
    }
}

impl PlayerRow {
    pub(crate) fn tag(&self) -> String {
        super::tag(self.id)
    }

    /// Of what kind of account it is, in the catalogues.
    pub(crate) fn kind_key(&self) -> &'static str {
        match (self.role, self.registered_at) {
            (super::Role::Player, None) => "role-guest",
            (role, _) => role.key(),
        }
    }

    pub(crate) fn is_banned_at(&self, now: &Timestamp) -> bool {
        self.is_banned(*now)
    }
}

impl Page {
    /// What an account is called; nobody is told the name of one that is gone.
    pub(crate) fn player_name(&self, row: &PlayerRow) -> String {
        if row.deleted_at.is_some() { self.t("someone") } else { row.display_name.clone() }
    }
}
