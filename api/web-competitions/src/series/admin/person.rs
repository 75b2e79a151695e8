//! One person of a series: their accounts and their division.

use actix_web::{HttpResponse, get, post};
use askama::Template;
use serde::Deserialize;

use super::{address, read};
use crate::series::view::SeriesView;
use base::auth::can;
use base::error::{invalid_field, not_found};
use base::ids::{PlayerId, SeriesId};
use competitions::series::{self, Account, PersonRequest, SeriesStatus};
use web_base::error::ApiResult;
use web_base::extract::Path;
use web_base::limits::{Budget, Writes};
use web_base::page::{Flash, Form, Page, StaffPage};

#[derive(Template)]
#[template(path = "admin/series/person.html")]
struct PersonPage<'a> {
    page: &'a Page,
    view: &'a SeriesView,
    /// The account by which they are known.
    person: PlayerId,
    name: String,
    /// Theirs, that one first.
    accounts: Vec<OneAccount>,
    /// The others of the series with their names, in the order of these.
    others: Vec<(PlayerId, String)>,
    /// What staff said of their division.
    division: Option<i16>,
}

struct OneAccount {
    id: PlayerId,
    name: String,
    registered: bool,
    /// The names of the events that it played.
    events: Vec<String>,
    /// Whether staff said whose it is.
    is_said: bool,
}

base::text_enum! {
    /// What staff say of an account.
    pub enum Claim {
        /// It is the same person as another.
        Same = "same",
        /// It is a person of its own.
        Apart = "apart",
        /// Its name says whose it is.
        ByName = "by_name",
        /// In which division they play.
        Division = "division",
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonForm {
    say: Claim,
    /// The account of which it is said; the person's if left out.
    account: Option<PlayerId>,
    /// Whose it is.
    same_as: Option<PlayerId>,
    /// The number of a division; blank to go by the events.
    #[serde(default)]
    division: String,
}

#[get("/admin/series/{id}/people/{player}")]
pub async fn show_person(
    StaffPage { page, mut cx }: StaffPage<can::ViewTournaments>,
    Path((id, player)): Path<(SeriesId, PlayerId)>,
) -> ApiResult<HttpResponse> {
    let view = read(&mut cx, &page, id).await?;
    let template = PersonPage::of(&page, &view, player).ok_or_else(|| not_found("player_not_found"))?;
    page.html(&template)
}

#[post("/admin/series/{id}/people/{player}")]
pub async fn change_person(
    _: Budget<Writes>,
    StaffPage { page, mut cx }: StaffPage<can::RunTournaments>,
    Path((id, player)): Path<(SeriesId, PlayerId)>,
    Form(form): Form<PersonForm>,
) -> ApiResult<HttpResponse> {
    let account = form.account.unwrap_or(player);
    let request = match form.say {
        Claim::Same => PersonRequest { same_as: Some(form.same_as), ..PersonRequest::default() },
        Claim::Apart => PersonRequest { same_as: Some(Some(account)), ..PersonRequest::default() },
        Claim::ByName => PersonRequest { same_as: Some(None), ..PersonRequest::default() },
        Claim::Division => PersonRequest { division: Some(form.division.parse().ok()), ..PersonRequest::default() },
    };
    let said = match (form.say, form.same_as) {
        (Claim::Same, None) => Err(invalid_field("/same_as", "missing_field")),
        _ => series::set_person(&mut cx, id, account, &request).await,
    };
    let flash = Flash::after(said, |()| Flash::good("series-saved", ""))?;
    Ok(page.go_with(&format!("{}/people/{account}", address(id)), flash))
}

impl<'a> PersonPage<'a> {
    /// None if nobody of the series has that account.
    fn of(page: &'a Page, view: &'a SeriesView, player: PlayerId) -> Option<Self> {
        let season = &view.season;
        let person = season.people.person_of(player)?;
        let said = |id: PlayerId| season.said.iter().find(|it| it.account.id == id);
        let account = |it: &Account| OneAccount {
            id: it.id,
            name: if it.deleted { season.name_of(it.id) } else { it.name.clone() },
            registered: it.registered,
            events: season.events_of(it.id).into_iter().map(|event| event.name.clone()).collect(),
            is_said: said(it.id).is_some_and(|it| it.same_as.is_some()),
        };
        let accounts: Vec<OneAccount> = season.people.accounts_of(person).into_iter().map(account).collect();
        let others = season.people.all().into_iter().filter(|it| *it != person);
        let mut others: Vec<(PlayerId, String)> = others.map(|it| (it, season.name_of(it))).collect();
        others.sort_by(|one, other| one.1.cmp(&other.1));
        let division = accounts.iter().find_map(|it| said(it.id)?.division);
        Some(Self { page, view, person, name: season.name_of(person), accounts, others, division })
    }

    fn may_change(&self) -> bool {
        let may = self.page.may(&base::auth::Permission::RunTournaments);
        may && self.view.season.row.status != SeriesStatus::Ended
    }

    fn is_division(&self, number: &i16) -> bool {
        self.division == Some(*number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::samples::seasons;
    use web_base::page::samples;

    #[test]
    fn a_page_is_complete() {
        for season in seasons().into_iter().filter(|it| !it.people.all().is_empty()) {
            for player in [1, 4] {
                samples::check(samples::STAFF, |page| {
                    let view = SeriesView::of(&page, season.clone()).unwrap();
                    PersonPage::of(&page, &view, samples::player_id(player)).unwrap().render()
                });
            }
        }
    }
}
