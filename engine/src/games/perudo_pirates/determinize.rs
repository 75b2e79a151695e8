//! The worlds that a seat may be in, for all that it knows: the cups of the others are its only secret.

use super::{Event, PerudoPirates, Phase, View, WaitsFor};
use crate::chance::Source;
use crate::pieces::bidding::{self, Hand};
use crate::pieces::bids::Claim;
use crate::pieces::dice::Dice;
use crate::seats::{PerSeat, Seat, SeatSet};

/// Dice under the others' cups are drawn so that their bids of this round are plausible: [`bidding::roll_behind`].
pub(super) fn world(seat: Seat, view: &View, told: &[Event], source: &mut dyn Source) -> Option<PerudoPirates> {
    let wild = view.showdown_by.is_none();
    let mine = view.mine.as_ref()?.my_dice;
    let aside = view.set_aside.iter().fold(Dice::default(), |all, aside| all.with(*aside));
    let cup = |other: Seat| match other == seat {
        true => mine,
        false => {
            let many = view.dice[other].saturating_sub(view.set_aside[other].len());
            let knowing = |cup: Dice| {
                let seen = cup.with(aside);
                Hand { seen, unseen: view.total_dice.saturating_sub(seen.len()), wild }
            };
            let bids =
                view.bids.iter().filter(|bid| bid.seat == other).map(|bid| Claim { count: bid.count, face: bid.face });
            bidding::roll_behind(many, knowing, bids, source)
        }
    };
    let cups: PerSeat<Dice> = PerSeat::new(view.dice.count(), cup);
    let on_turn = view.common.to_move.iter().next();
    let waits_for = if view.common.phase == Phase::Rerolling { WaitsFor::Decision } else { WaitsFor::Turn };
    Some(PerudoPirates {
        options: view.common.options.clone(),
        waits_for: on_turn.map_or(WaitsFor::Nothing, waits_for),
        round: view.common.round,
        opener: view.opener?,
        bids: view.bids.clone(),
        dice: view.dice.clone(),
        cups,
        set_aside: view.set_aside.clone(),
        showdown_by: view.showdown_by,
        showdown_used: view.showdown_used.clone(),
        showdown_ready: view.showdown_ready,
        last_reveal: view.last_reveal.clone(),
        out: gone(told),
    })
}

/// Those who went out, in order. Those who went out together were told of one after the other.
fn gone(told: &[Event]) -> Vec<SeatSet> {
    let is_elimination = |event: &Event| matches!(event, Event::Eliminated { .. });
    let groups = told.chunk_by(|one, other| is_elimination(one) && is_elimination(other));
    let seats = |group: &[Event]| {
        let seat = |event: &Event| match event {
            Event::Eliminated { seat } => Some(*seat),
            _ => None,
        };
        group.iter().filter_map(seat).collect::<SeatSet>()
    };
    groups.map(seats).filter(|seats| !seats.is_empty()).collect()
}
