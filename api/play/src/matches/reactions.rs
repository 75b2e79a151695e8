//! Reactions: what people at a match may say to each other, one of a few phrases at a time. Those who see the match as it is
//! hear it at once. It is in no log, record or table.

use diesel_async::AsyncPgConnection;
use jiff::{SignedDuration, Timestamp};

use super::access::{seat_taken_by, stranger};
use super::{MatchRow, store};
use base::error::{Result, conflict, not_found};
use base::ids::{MatchId, PlayerId};
use base::live::{Live, Signal};
use base::settings::Cafe;
use base::world::World;

base::text_enum! {
    /// A gesture or a short phrase to the others at a match.
    pub enum Reaction {
        ThumbsUp = "thumbs_up",
        Laugh = "laugh",
        Wow = "wow",
        Thinking = "thinking",
        WellPlayed = "well_played",
        Thanks = "thanks",
        Sorry = "sorry",
        OneMoment = "one_moment",
        Waiting = "waiting",
        OneMore = "one_more",
    }
}

/// So long after its end the people of a match still hear each other.
pub const AFTER_THE_END: SignedDuration = SignedDuration::from_mins(10);

/// Who sends what, and in which match.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    pub player: PlayerId,
    pub id: MatchId,
    pub reaction: Reaction,
}

/// Tells all who see the match as it is what somebody at it has to say. Before the start, while it runs, and for
/// `AFTER_THE_END`.
pub async fn react(conn: &mut AsyncPgConnection, world: &World, live: &Live, cafe: &Cafe, sent: Sent) -> Result<()> {
    let Sent { player, id, reaction } = sent;
    let row = store::find(conn, id).await?.ok_or_else(|| not_found("match_not_found"))?;
    let seats = store::list_seats(conn, &[id]).await?;
    let Some(seat) = seat_taken_by(&seats, player) else {
        return Err(stranger(conn, id, player, "not_seated").await);
    };
    if !cafe.cached().reactions {
        return Err(conflict("reactions_off"));
    }
    if !row.hears_reactions(world.now()) {
        return Err(conflict("match_over"));
    }
    live.signal(id, &reaction.signal(seat.0));
    Ok(())
}

impl Reaction {
    /// Of its phrase in the catalogues.
    pub fn key(self) -> String {
        format!("reaction-{self}")
    }

    fn signal(self, seat: u8) -> Signal {
        Signal { seat, code: self.as_str().to_owned() }
    }

    /// None if a later version sent it, which knows more of them.
    pub fn of(signal: &Signal) -> Option<Self> {
        signal.code.parse().ok()
    }
}

impl MatchRow {
    /// Whether people at it may still send reactions.
    pub fn hears_reactions(&self, now: Timestamp) -> bool {
        !self.status.is_over() || self.finished_at.is_some_and(|at| now.duration_since(at) < AFTER_THE_END)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::text::Lang;

    #[test]
    fn each_reaction_fits_into_a_notification_and_has_a_phrase_in_each_language() {
        for reaction in Reaction::ALL {
            let signal = reaction.signal(0);
            assert!(signal.code.len() <= Signal::CODE_LENGTH && signal.code.is_ascii(), "{signal:?}");
            assert_eq!(Reaction::of(&signal), Some(*reaction));
            let [korean, others @ ..] = Lang::ALL.map(|lang| lang.find_with(&reaction.key(), &[]));
            assert!(korean.is_some(), "{reaction}");
            // What is missing in another language would be said in Korean.
            assert!(others.iter().all(|phrase| *phrase != korean), "{reaction}: {others:?}");
        }
    }
}
