//! Setting up: the variant card, the deck, the traits, who starts (DMD-1 to DMD-7).

use super::{Acting, Cards, Chance, DeadMansDraw, Event, Events, Next, Options, Pirate, Trait, Variant, WaitsFor};
use super::{Choice, Kind};
use crate::game::{Addressed, BadOptions};
use crate::seats::{PerSeat, Seat};

pub(super) fn new(options: Options, seats: u8) -> Result<DeadMansDraw, BadOptions> {
    options.check()?;
    let variant = options.game_variant.and_then(|choice| choice.card());
    Ok(DeadMansDraw {
        waits_for: if options.game_variant.is_some() && variant.is_none() { WaitsFor::Variant } else { WaitsFor::Deck },
        variant,
        pirates: PerSeat::new(seats, |_| Pirate::default()),
        guardian_target: None,
        first_seat: None,
        round: 1,
        draw_pile: Vec::new(),
        // DMD-2.
        discard: Cards::all(options.mermaid_rules).bottoms(),
        acting: Acting::starting(Seat(0)),
        last_turn: None,
        options,
    })
}

impl DeadMansDraw {
    /// The cards of the draw pile at the start (DMD-3).
    pub(super) fn deck(&self) -> Cards {
        let all = Cards::all(self.options.mermaid_rules);
        all.without(all.bottoms())
    }

    pub(super) fn resolve(&mut self, outcome: Chance, events: &mut Events) -> Next {
        match outcome {
            Chance::GameVariant(variant) => self.turn_up(variant, events),
            Chance::Deck(cards) => {
                self.draw_pile = cards.into_iter().rev().collect();
                Next::WaitFor(if self.options.traits { WaitsFor::Traits } else { WaitsFor::FirstSeat })
            }
            Chance::Traits(dealt) => self.deal(dealt, events),
            Chance::FirstSeat(seat) => self.start(seat, events),
            Chance::MapReveal { cards, .. } => self.reveal_for_map(cards.into_iter().collect(), events),
            Chance::Bonus { cards, .. } => self.take_bonus(cards.into_iter().collect(), events),
        }
    }

    fn turn_up(&mut self, variant: Variant, events: &mut Events) -> Next {
        self.variant = Some(variant);
        events.push(Addressed::everyone(Event::VariantChosen { game_variant: variant }));
        Next::WaitFor(WaitsFor::Deck)
    }

    /// DMD-6: of a single card there is nothing to choose.
    fn deal(&mut self, dealt: PerSeat<Vec<Trait>>, events: &mut Events) -> Next {
        for (seat, traits) in dealt.entries() {
            events.push(Addressed::only(seat, Event::TraitsDealt { seat, traits: traits.clone() }));
            self.pirates[seat].dealt = traits.clone();
        }
        if self.options.trait_deal > 1 {
            return Next::WaitFor(WaitsFor::KeptTraits);
        }
        self.pirates.iter_mut().for_each(|pirate| pirate.kept = pirate.dealt.first().copied());
        self.open_traits(events)
    }

    /// DMD-6: secret until the last has chosen.
    pub(super) fn keep(&mut self, seat: Seat, kept: Trait, events: &mut Events) -> Next {
        self.pirates[seat].kept = Some(kept);
        events.push(Addressed::only(seat, Event::TraitChosen { seat, kept: Some(kept) }));
        events.push(Addressed::except([seat], Event::TraitChosen { seat, kept: None }));
        match self.traits_open() {
            true => self.open_traits(events),
            false => Next::WaitFor(WaitsFor::KeptTraits),
        }
    }

    fn open_traits(&self, events: &mut Events) -> Next {
        let traits = self.pirates.map(|pirate| pirate.kept);
        events.push(Addressed::everyone(Event::TraitsRevealed { traits }));
        Next::WaitFor(WaitsFor::FirstSeat)
    }

    /// DMD-5 and DMD-7.
    fn start(&mut self, seat: Seat, events: &mut Events) -> Next {
        self.first_seat = Some(seat);
        self.acting = Acting::starting(seat);
        events.push(Addressed::everyone(Event::FirstSeat { seat }));
        let Some(guardian) = self.holder(Trait::DavyJones) else { return self.start_turn(seat, events) };
        let mut others = self.pirates.after(guardian);
        match (others.next(), others.next()) {
            (Some(only), None) => self.watch(guardian, only, events),
            _ => {
                events.push(Addressed::everyone(Event::Choice { seat: guardian, kind: Kind::Guardian }));
                Next::WaitFor(WaitsFor::Guardian)
            }
        }
    }

    fn watch(&mut self, guardian: Seat, target: Seat, events: &mut Events) -> Next {
        self.guardian_target = Some(target);
        events.push(Addressed::everyone(Event::GuardianTarget { seat: guardian, target }));
        self.start_turn(self.acting.seat, events)
    }

    /// A seat has been named: by the Guardian or by the Plunderer.
    pub(super) fn choose_seat(&mut self, named: Seat, events: &mut Events) -> Next {
        match (self.waits_for, self.holder(Trait::DavyJones)) {
            (WaitsFor::Guardian, Some(guardian)) => self.watch(guardian, named, events),
            (WaitsFor::Choice(Choice::PlunderSeat { left }), _) => self.plunder(named, left, events),
            (waits_for, _) => Next::WaitFor(waits_for),
        }
    }
}
