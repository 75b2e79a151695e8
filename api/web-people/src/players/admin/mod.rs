//! `/admin/players`: finding people, everything about one of them, and what staff do for them.

pub mod merge;
pub mod setup;
pub mod show;

use actix_web::{HttpResponse, get};
use askama::Template;
use jiff::civil::Date;
use serde::Deserialize;

use base::auth::can;
use base::ids::PlayerId;
pub use merge::{choose_merge, merge_player};
use play::players::{PlayerKind, PlayerRow, Sought};
use play::stats::{Period, Visited};
pub use setup::{set_up, show_set_up};
pub use show::{ban_player, lift_ban, rename_player, reset_name, show_player, sign_player_out};
use web_base::error::ApiResult;
use web_base::extract::Search;
use web_base::page::{Page, StaffPage};

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
pub async fn show_players(
    StaffPage { page, mut cx }: StaffPage<can::ViewPlayers>,
    Search(search): Search<PlayerSearch>,
) -> ApiResult<HttpResponse> {
    // A filter that is no filter holds everybody.
    let kind = search.kind.as_deref().and_then(|kind| kind.parse().ok());
    let visited = search.visited(page.today())?;
    let sought = Sought { text: search.q.as_deref(), kind, visited, before: search.before };
    let mut people = play::players::search(cx.conn().await?, &sought, PAGE_SIZE + 1).await?;
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

#[cfg(test)]
mod tests {
    use base::auth::Role;

    use super::*;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        samples::check(samples::STAFF, |page| {
            let guest = PlayerRow { registered_at: None, email: None, ..samples::player("하늘", Role::Player) };
            let banned = PlayerRow { banned_at: Some(page.now), ..samples::player("준", Role::Player) };
            let next = Some(guest.id);
            PlayerListPage { page, q: String::new(), kind: None, visited: None, people: vec![guest, banned], next }
                .render()
        });
    }
}
