//! Bouts of several games: each is a match of its own, and the next one is made as soon as one is over.

use diesel_async::AsyncPgConnection;
use engine::tournaments::{Finish, winner_of};
use serde::{Deserialize, Serialize};

use super::locked::LockedTournament;
use super::store::{self, BoutRow};
use super::{RoundStatus, bouts};
use base::error::Result;
use base::games::guarded;
use base::ids::MatchId;
use base::world::World;
use play::matches;

/// A game of a bout that has several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// In the order of the bout's seats.
    pub result: Vec<Finish>,
}

/// What a game makes of its bout.
pub enum Played {
    /// It is over, with this result.
    Over(Vec<Finish>),
    /// It goes on.
    GoesOn,
    /// It was over, and would not be by this game; it stands like this.
    Open(Vec<Finish>),
}

impl BoutRow {
    /// The entrants in the order of their seats in this game, from 0: they take turns.
    pub fn seats_of(&self, game: usize) -> Vec<i32> {
        let mut seats = self.entrants.clone();
        if game % 2 == 1 {
            seats.reverse();
        }
        seats
    }

    /// Which of its games this match is or was.
    pub fn game_of(&self, id: MatchId) -> Option<usize> {
        let known = self.games.iter().position(|game| game.match_id == id);
        known.or_else(|| (self.match_id == Some(id)).then_some(self.games.len()))
    }

    /// How many games this entrant has won.
    pub fn games_won(&self, entrant: i32) -> usize {
        let is_theirs = |game: &&Game| winner_of(&game.result).and_then(|it| i32::try_from(it).ok()) == Some(entrant);
        self.games.iter().filter(is_theirs).count()
    }

    /// The match that is not one of the games which are over.
    fn match_to_come(&self) -> Option<MatchId> {
        self.match_id.filter(|id| self.games.iter().all(|game| game.match_id != *id))
    }
}

/// Notes how a game of a bout ended, and says what that makes of the bout. One that has a single game notes none.
pub fn note(locked: &mut LockedTournament, at: usize, game: usize, played: Game) -> Result<Played> {
    let bout = &locked.bouts[at];
    let (key, stage) = (bout.key.0, locked.stage(bout.stage)?);
    if guarded(|| stage.games_of(key))?.is_one() {
        return Ok(Played::Over(played.result));
    }
    let bout = &mut locked.bouts[at];
    match bout.games.0.get_mut(game) {
        Some(known) => *known = played,
        None => bout.games.0.push(played),
    }
    let winners: Vec<_> = bout.games.iter().map(|game| winner_of(&game.result)).collect();
    let over = guarded(|| stage.result_of_games(key, &winners))?;
    let open = guarded(|| stage.standing_of_games(key, &winners))?;
    Ok(match (over, open) {
        (Some(result), _) => Played::Over(result),
        (None, Some(standing)) if bout.result.is_some() => Played::Open(standing),
        (None, _) => Played::GoesOn,
    })
}

/// Makes the match of the next game if there is none, and starts it if the round is played.
pub async fn play_next(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    at: usize,
) -> Result<()> {
    if locked.bouts[at].match_to_come().is_some() {
        return Ok(());
    }
    // What can no longer be played is written down by staff.
    let Some(made) = bouts::make_match_if_playable(conn, world, locked, at).await? else { return Ok(()) };
    let bout = &locked.bouts[at];
    if locked.round(bout.stage, bout.round).is_some_and(|it| it.status == RoundStatus::Running)
        && let Some(news) = matches::begin(conn, world, made).await?
    {
        locked.news.push((made, news));
    }
    Ok(())
}

/// A bout that was decided without its next game does not play it.
pub async fn abort_next(
    conn: &mut AsyncPgConnection,
    world: &World,
    locked: &mut LockedTournament,
    at: usize,
) -> Result<()> {
    let bout = &locked.bouts[at];
    let Some(next) = bout.match_to_come().filter(|_| !bout.games.is_empty()) else { return Ok(()) };
    if let Some(news) = matches::abort_unless_over(conn, world, next).await? {
        locked.news.push((next, news));
    }
    let id = locked.row.id;
    let bout = &mut locked.tournament.bouts[at];
    bout.match_id = bout.games.last().map(|game| game.match_id);
    store::set_match_and_table(conn, id, bout).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::super::store::Doc;
    use super::*;

    fn game(number: u128, winner: u32) -> Game {
        let finish =
            |entrant| Finish { entrant, place: if entrant == winner { 1 } else { 2 }, score: None, absent: false };
        Game { match_id: MatchId(Uuid::from_u128(number)), result: vec![finish(1), finish(2)] }
    }

    #[test]
    fn seats_take_turns_and_a_match_is_found_among_its_games() {
        let [first, second, third] = [1, 2, 3].map(|it| MatchId(Uuid::from_u128(it)));
        let games = Doc(vec![game(1, 2), game(2, 1)]);
        let bout = BoutRow { games, match_id: Some(third), ..BoutRow::sample() };
        assert_eq!([0, 1, 2].map(|it| bout.seats_of(it)), [vec![1, 2], vec![2, 1], vec![1, 2]]);
        assert_eq!([first, second, third].map(|it| bout.game_of(it)), [Some(0), Some(1), Some(2)]);
        assert_eq!(bout.game_of(MatchId(Uuid::nil())), None);
        assert_eq!((bout.games_won(1), bout.games_won(2), bout.match_to_come()), (1, 1, Some(third)));
        assert_eq!(BoutRow { match_id: Some(second), ..bout }.match_to_come(), None);
    }
}
