//! `/admin/series`: seasons, from the rules to who goes up and down.

pub(crate) mod form;
pub(crate) mod list;
pub(crate) mod next;
pub(crate) mod person;
pub(crate) mod show;

pub(crate) use form::{change_series, make_series, show_new_series, show_series_form};
pub(crate) use list::show_series_list;
pub(crate) use next::{end_season, show_next_season};
pub(crate) use person::{change_person, show_person};
pub(crate) use show::{add_event, delete_series, remove_event, seed_tournament, set_series_status, show_series};

use super::view::SeriesView;
use crate::error::ApiResult;
use crate::page::Page;
use base::auth::StaffContext;
use base::ids::SeriesId;
use cafe::tournaments::SeesDrafts;

/// The series as staff see it.
async fn read<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, page: &Page, id: SeriesId) -> ApiResult<SeriesView> {
    SeriesView::of(page, cafe::series::load_for_staff(cx, id).await?)
}

fn address(id: SeriesId) -> String {
    format!("/admin/series/{id}")
}
