//! A room for each game. No game knows of another.

pub mod animal_kingdom;
pub mod dead_mans_draw;
pub mod hogu_clue;
pub mod liars_dice;
pub mod middle_race;
pub mod perudo;
pub mod perudo_pirates;
#[cfg(test)]
pub(crate) mod table;

#[cfg(test)]
mod tests {
    use crate::chance::Source;
    use crate::game::{Action, Game, Turn, Viewer};
    use crate::playout::random;

    /// Boards read views as JSON: what they read is what the game wrote.
    fn views_read_back<G: Game>() {
        for seats in [*G::INFO.seats.start(), *G::INFO.seats.end()] {
            let mut source = random(seats.into());
            let mut game = G::setup(G::Options::default(), seats).expect("the defaults are allowed");
            loop {
                let action = match game.turn() {
                    Turn::Over(_) => break,
                    Turn::Chance => Action::Chance(game.draw(&mut source)),
                    Turn::Seats { to_move, .. } => {
                        for viewer in Viewer::all(seats) {
                            let view = game.view(viewer);
                            let text = serde_json::to_string(&view).expect("views serialize");
                            assert_eq!(serde_json::from_str::<G::View>(&text).expect("views deserialize"), view);
                        }
                        let seat = to_move.iter().next().expect("somebody is to move");
                        let mut moves = Vec::new();
                        game.legal_moves(seat, &mut moves);
                        let which = source.below(moves.len() as u32) as usize;
                        Action::Move(seat, moves.swap_remove(which))
                    }
                };
                game.apply(action, &mut Vec::new());
            }
        }
    }

    #[test]
    fn every_view_reads_back() {
        views_read_back::<super::perudo::Perudo>();
        views_read_back::<super::perudo_pirates::PerudoPirates>();
        views_read_back::<super::liars_dice::LiarsDice>();
        views_read_back::<super::dead_mans_draw::DeadMansDraw>();
        views_read_back::<super::animal_kingdom::AnimalKingdom>();
        views_read_back::<super::hogu_clue::HoguClue>();
        views_read_back::<super::middle_race::MiddleRace>();
    }
}
