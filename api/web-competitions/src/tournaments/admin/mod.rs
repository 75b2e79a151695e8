//! `/admin/tournaments`: an evening from the first idea to the final standings, with one thing to do next.

pub mod bout;
pub mod copy;
pub mod cut;
pub mod draft;
pub mod entrants;
mod fields;
pub mod form;
pub mod grid;
pub mod list;
pub mod log;
pub mod paste;
pub mod presets;
pub mod print;
pub mod result;
pub mod round;
pub mod rulings;
pub mod show;
pub mod steps;

pub use bout::{give_bout_table, play_bout_again, show_bout, write_bout_result};
pub use copy::copy_tournament;
pub use cut::{decide_cut, show_cut};
pub use entrants::{
    act_on_entrant, add_entrant, check_in_all_entrants, give_seeds, move_seed, rate_entrant, set_entrant_table,
    set_entrant_team, show_entrants,
};
pub use form::{change_tournament, make_tournament, show_new_tournament, show_tournament_form};
pub use grid::{show_grid, write_grid_line};
pub use list::show_tournaments;
pub(in crate::tournaments) use list::{Listed, list_all};
pub use log::{show_tournament_log, undo_step};
pub use paste::{paste_entrants, show_paste};
pub use print::show_print;
pub use round::{add_round_minutes, lock_bout, set_round_clock, show_round, swap_entrants};
pub use rulings::{change_rulings, show_rulings};
pub use show::{fit_tournament, show_tournament, take_step};

use super::view::TournamentView;
use base::auth::StaffContext;
use competitions::tournaments::{SeesDrafts, TournamentId};
use web_base::error::ApiResult;
use web_base::page::Page;

/// The tournament as staff see it.
async fn read<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, page: &Page, id: TournamentId) -> ApiResult<TournamentView> {
    let tournament = competitions::tournaments::load_for_staff(cx, id).await?;
    let reader = tournament.entrant_of(cx.staff.id).map(|it| it.number);
    let mut view = TournamentView::of(page, tournament)?;
    view.reader = reader;
    Ok(view)
}

fn address(id: TournamentId) -> String {
    format!("/admin/tournaments/{id}")
}
