//! `/admin/tournaments`: an evening from the first idea to the final standings, with one thing to do next.

mod bout;
mod draft;
mod entrants;
mod form;
mod list;
mod print;
mod result;
mod round;
mod show;
mod steps;

pub(crate) use bout::{give_bout_table, play_bout_again, show_bout, write_bout_result};
pub(crate) use entrants::{act_on_entrant, add_entrant, give_seeds, move_seed, show_entrants};
pub(crate) use form::{change_tournament, make_tournament, show_new_tournament, show_tournament_form};
pub(crate) use list::show_tournaments;
pub(in crate::tournaments) use list::{Listed, list_all};
pub(crate) use print::show_print;
pub(crate) use round::{add_round_minutes, show_round, swap_entrants};
pub(crate) use show::{show_tournament, take_step};

use actix_web::web::Data;
use diesel_async::AsyncPgConnection;

use super::TournamentId;
use super::shown::Shown;
use crate::db::Db;
use crate::error::ApiResult;
use crate::live::Live;
use crate::page::Page;
use crate::world::World;

type Means = (Data<Db>, Data<World>, Data<Live>);

/// The tournament as staff see it.
async fn read(conn: &mut AsyncPgConnection, page: &Page, id: TournamentId) -> ApiResult<Shown> {
    Shown::of(page, super::load(conn, id, true).await?)
}

fn address(id: TournamentId) -> String {
    format!("/admin/tournaments/{id}")
}
