//! Resampling: draws again what a viewer may not know, which is the hidden part of the draw pile and the traits of
//! other seats.

use super::{DeadMansDraw, Trait};
use crate::chance::{Source, one_of, shuffle};
use crate::game::Viewer;
use crate::seats::PerSeat;

pub(super) fn drawn_anew(game: &DeadMansDraw, viewer: Viewer, source: &mut dyn Source) -> DeadMansDraw {
    let mut other = game.clone();
    // What lies in the discard pile was once seen by all (DMD-R4), so what is left in the draw pile is known, but for
    // its order.
    let seen = if game.sees_turned_up(viewer) { usize::from(game.acting.turned_up) } else { 0 };
    let hidden = other.draw_pile.len().saturating_sub(seen);
    shuffle(&mut other.draw_pile[..hidden], source);
    deal_anew(&mut other, viewer, source);
    other
}

/// Other seats were dealt something else: of their cards only those that are open are known.
fn deal_anew(game: &mut DeadMansDraw, viewer: Viewer, source: &mut dyn Source) {
    let open = game.traits_open();
    let known = game.pirates.map(|pirate| pirate.kept.filter(|_| open).into_iter().collect());
    let mut known = Dealt { known, each: game.pirates.iter().map(|pirate| pirate.dealt.len()).max().unwrap_or(0) };
    if let Some(seat) = viewer.seat() {
        known.known[seat] = game.pirates[seat].dealt.clone();
    }
    let dealt = known.complete(game.options.mermaid_rules, source);
    for (seat, dealt) in dealt.entries().filter(|(seat, _)| viewer != Viewer::Seat(*seat)) {
        let pirate = &mut game.pirates[seat];
        pirate.dealt = dealt.clone();
        if pirate.kept.is_some() && !open {
            pirate.kept = (!dealt.is_empty()).then(|| one_of(dealt, source));
        }
    }
}

/// What a viewer knows of the traits that were dealt.
pub(super) struct Dealt {
    /// Per seat: all of its own, what others have kept in the open.
    pub(super) known: PerSeat<Vec<Trait>>,
    /// How many cards each seat was dealt.
    pub(super) each: usize,
}

impl Dealt {
    /// Adds what may have been dealt beside them, in any place.
    pub(super) fn complete(self, mermaid_rules: bool, source: &mut dyn Source) -> PerSeat<Vec<Trait>> {
        let is_known = |it: &Trait| self.known.iter().flatten().any(|known| known == it);
        let mut unknown: Vec<Trait> = Trait::all(mermaid_rules).filter(|it| !is_known(it)).collect();
        shuffle(&mut unknown, source);
        self.known.map(|known| {
            let mut dealt = known.clone();
            while dealt.len() < self.each
                && let Some(next) = unknown.pop()
            {
                dealt.insert(source.below(dealt.len() as u32 + 1) as usize, next);
            }
            dealt
        })
    }
}
