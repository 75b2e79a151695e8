//! `/admin/tournaments`: an evening from the first idea to the final standings, with one thing to do next.

pub(crate) mod bout;
pub(crate) mod copy;
pub(crate) mod cut;
pub(crate) mod draft;
pub(crate) mod entrants;
pub(crate) mod form;
pub(crate) mod grid;
pub(crate) mod list;
pub(crate) mod log;
pub(crate) mod paste;
pub(crate) mod presets;
pub(crate) mod print;
pub(crate) mod result;
pub(crate) mod round;
pub(crate) mod rulings;
pub(crate) mod show;
pub(crate) mod steps;

pub(crate) use bout::{give_bout_table, play_bout_again, show_bout, write_bout_result};
pub(crate) use copy::copy_tournament;
pub(crate) use cut::{decide_cut, show_cut};
pub(crate) use entrants::{
    act_on_entrant, add_entrant, check_in_all_entrants, give_seeds, move_seed, rate_entrant, set_entrant_table,
    set_entrant_team, show_entrants,
};
pub(crate) use form::{change_tournament, make_tournament, show_new_tournament, show_tournament_form};
pub(crate) use grid::{show_grid, write_grid_line};
pub(crate) use list::show_tournaments;
pub(in crate::tournaments) use list::{Listed, list_all};
pub(crate) use log::{show_tournament_log, undo_step};
pub(crate) use paste::{paste_entrants, show_paste};
pub(crate) use print::show_print;
pub(crate) use round::{add_round_minutes, lock_bout, set_round_clock, show_round, swap_entrants};
pub(crate) use rulings::{change_rulings, show_rulings};
pub(crate) use show::{fit_tournament, show_tournament, take_step};

use super::view::TournamentView;
use crate::error::ApiResult;
use crate::page::Page;
use base::auth::StaffContext;
use cafe::tournaments::{SeesDrafts, TournamentId};

/// The tournament as staff see it.
async fn read<P: SeesDrafts>(cx: &mut StaffContext<'_, P>, page: &Page, id: TournamentId) -> ApiResult<TournamentView> {
    TournamentView::of(page, cafe::tournaments::load_for_staff(cx, id).await?)
}

fn address(id: TournamentId) -> String {
    format!("/admin/tournaments/{id}")
}
