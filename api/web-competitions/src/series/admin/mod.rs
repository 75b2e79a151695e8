//! `/admin/series`: seasons, from the rules to who goes up and down.

pub mod form;
pub mod list;
pub mod next;
pub mod person;
pub mod show;

pub use form::{change_series, make_series, show_new_series, show_series_form};
pub use list::show_series_list;
pub use next::{end_season, show_next_season};
pub use person::{change_person, show_person};
pub use show::{add_event, delete_series, remove_event, seed_tournament, set_series_status, show_series};

use super::view::SeriesView;
use base::auth::StaffContext;
use base::ids::SeriesId;
use competitions::tournaments::SeesDrafts;
use web_base::error::ApiResult;
use web_base::page::Page;

/// The series as staff see it.
async fn read<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, page: &Page, id: SeriesId) -> ApiResult<SeriesView> {
    SeriesView::of(page, competitions::series::load_for_staff(cx, id).await?)
}

fn address(id: SeriesId) -> String {
    format!("/admin/series/{id}")
}
