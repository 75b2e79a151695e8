//! Resampling: draws again what a viewer may not know, which is the hidden part of the draw pile and the traits of
//! other seats.

use super::{DeadMansDraw, Trait};
use crate::chance::{Source, sample, shuffle};
use crate::game::Viewer;
use crate::seats::Seat;

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
    let others: Vec<Seat> = game.pirates.seats().filter(|seat| viewer != Viewer::Seat(*seat)).collect();
    let known: Vec<Trait> = game
        .pirates
        .entries()
        .flat_map(|(seat, pirate)| match viewer == Viewer::Seat(seat) {
            true => pirate.dealt.clone(),
            false => pirate.kept.filter(|_| open).into_iter().collect(),
        })
        .collect();
    let unknown: Vec<Trait> = Trait::all(game.options.mermaid_rules).filter(|it| !known.contains(it)).collect();
    let mut unknown = sample(&unknown, unknown.len(), source).into_iter();
    for seat in others {
        let pirate = &mut game.pirates[seat];
        let many = pirate.dealt.len();
        match pirate.kept.filter(|_| open) {
            Some(kept) => {
                pirate.dealt = unknown.by_ref().take(many.saturating_sub(1)).collect();
                let place = source.below(pirate.dealt.len() as u32 + 1) as usize;
                pirate.dealt.insert(place, kept);
            }
            None => {
                pirate.dealt = unknown.by_ref().take(many).collect();
                let chosen = (pirate.kept.is_some() && many > 0).then(|| source.below(many as u32) as usize);
                pirate.kept = chosen.and_then(|place| pirate.dealt.get(place).copied());
            }
        }
    }
}
