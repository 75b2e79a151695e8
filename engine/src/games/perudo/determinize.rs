//! The worlds that a seat may be in, for all that it knows: the cups of the others are its only secret.

use super::{Event, Perudo, View, WaitsFor};
use crate::chance::Source;
use crate::pieces::bidding::{self, Hand};
use crate::pieces::dice::Dice;
use crate::seats::{PerSeat, Seat};

/// Dice under the others' cups are drawn so that their bids of this round are plausible: [`bidding::roll_behind`].
pub(super) fn world(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<Perudo> {
    let mine = view.mine.as_ref()?.my_dice;
    let wild = !view.palifico_round;
    let cup = |other: Seat| match other == seat {
        true => mine,
        false => {
            let unseen = view.total_dice.saturating_sub(view.dice[other]);
            let bids = view.bids.iter().filter(|bid| bid.seat == other).map(|bid| bid.claim());
            bidding::roll_behind(view.dice[other], |seen| Hand { seen, unseen, wild }, bids, source)
        }
    };
    let cups: PerSeat<Dice> = PerSeat::new(view.dice.count(), cup);
    let gone = |event: &Event| match event {
        Event::Eliminated { seat } => Some(*seat),
        _ => None,
    };
    Some(Perudo {
        options: view.common.options.clone(),
        waits_for: view.common.to_move.iter().next().map_or(WaitsFor::Nothing, WaitsFor::Turn),
        round: view.common.round,
        opener: view.opener?,
        bids: view.bids.clone(),
        palifico_round: view.palifico_round,
        been_palifico: view.been_palifico.clone(),
        dice: view.dice.clone(),
        cups,
        last_loser: view.last_loser,
        last_reveal: view.last_reveal.clone(),
        out: told.iter().filter_map(gone).collect(),
    })
}
