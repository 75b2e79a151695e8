//! All hands of a match, and who knows what of them. A hand is computed from its story, so that the state holds each
//! hidden card once, and a resampled state differs in hidden cards only.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::hand::{Card, Entry, Hand, Secret, Secrets, Story};
use crate::chance::{Source, shuffle};
use crate::game::Viewer;
use crate::seats::{PerSeat, Seat};

/// So many small changes for each secret mix well.
const CHANGES: usize = 12;
/// A search for possible secrets gives up after so many guesses.
const MOST_GUESSES: u32 = 20_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Hands {
    move_cards: Card,
    /// Per seat the story of its hand; `None` before the deal and after the pawn has finished.
    stories: PerSeat<Option<Story>>,
    /// Per seat what it saw last by Delete's ability.
    looks: PerSeat<Option<Look>>,
    /// Stories that a reset has ended, as long as one of their secrets matters elsewhere: they limit which card it can
    /// be.
    ended: Vec<Story>,
    secrets: Secrets,
}

/// What a seat saw by Delete's ability.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Look {
    seat: Seat,
    /// The story of that hand up to the look.
    story: Story,
    /// Which card stayed, once chosen.
    kept: Option<u32>,
}

/// A hand that was seen, and its story until then.
pub(super) struct Sight {
    story: Story,
    hand: Hand,
}

/// What is known of secrets: the stories that must be possible, the hands that were seen.
struct Told<'a> {
    stories: Vec<Story>,
    sights: Vec<&'a Sight>,
}

impl Told<'_> {
    fn is_possible(&self, full: Hand, secrets: &Secrets) -> bool {
        let replay = |story: &Story| story.replay(full, secrets, |_, _| ());
        self.stories.iter().all(|story| replay(story).is_some())
            && self.sights.iter().all(|sight| replay(&sight.story) == Some(sight.hand))
    }
}

/// What a look showed.
pub(super) struct Seen {
    pub(super) seat: Seat,
    pub(super) hand: Hand,
    pub(super) kept: Option<Card>,
}

impl Hands {
    pub(super) fn new(seats: u8, move_cards: Card) -> Self {
        Hands {
            move_cards,
            stories: PerSeat::new(seats, |_| None),
            looks: PerSeat::new(seats, |_| None),
            ended: Vec::new(),
            secrets: Secrets::new(),
        }
    }

    /// MDR-3.
    pub(super) fn deal(&mut self) {
        self.stories.iter_mut().for_each(|story| *story = Some(Story::default()));
    }

    /// Has the seat a hand, even an empty one?
    pub(super) fn has(&self, seat: Seat) -> bool {
        self.stories[seat].is_some()
    }

    pub(super) fn hand(&self, seat: Seat) -> Hand {
        let story = self.stories[seat].as_ref();
        story.and_then(|story| story.replay(self.full(), &self.secrets, |_, _| ())).unwrap_or_default()
    }

    /// How many cards it holds, as all know.
    pub(super) fn count(&self, seat: Seat) -> u8 {
        self.stories[seat].as_ref().map_or(0, |story| story.count(self.full()))
    }

    pub(super) fn used(&self, seat: Seat) -> Vec<Card> {
        self.stories[seat].as_ref().map(Story::used).unwrap_or_default()
    }

    /// What this seat saw last by Delete's ability.
    pub(super) fn look(&self, seat: Seat) -> Option<Seen> {
        let look = self.looks[seat].as_ref()?;
        let hand = look.story.replay(self.full(), &self.secrets, |_, _| ())?;
        let chosen = look.kept.and_then(|id| self.secrets.get(&id)).map(|secret| secret.card);
        // MDR-42: a single card stays without being chosen.
        Some(Seen { seat: look.seat, hand, kept: chosen.or(hand.single()) })
    }

    /// MDR-13.
    pub(super) fn use_up(&mut self, seat: Seat, card: Card) {
        self.write(seat, Entry::Used(card));
    }

    /// MDR-44.
    pub(super) fn give(&mut self, from: Seat, to: Seat, card: Card) {
        let id = self.keep_secret(card, [from, to]);
        self.write(from, Entry::Gave(id));
        self.write(to, Entry::Got(id));
    }

    /// MDR-41: what was seen.
    pub(super) fn show(&mut self, target: Seat, by: Seat) -> Hand {
        self.write(target, Entry::ShownTo(by));
        let story = self.stories[target].clone().unwrap_or_default();
        self.looks[by] = Some(Look { seat: target, story, kept: None });
        self.forget();
        self.hand(target)
    }

    /// MDR-41: after the look, all cards but this one leave the hand.
    pub(super) fn leave_only(&mut self, card: Card, target: Seat, by: Seat) {
        let id = self.keep_secret(card, [by, target]);
        self.write(target, Entry::Kept(id));
        if let Some(look) = &mut self.looks[by] {
            look.kept = Some(id);
        }
    }

    /// MDR-15.
    pub(super) fn reset(&mut self, seat: Seat) {
        let story = self.stories[seat].replace(Story::default());
        self.ended.extend(story);
        self.forget();
    }

    /// MDR-21.
    pub(super) fn put_away(&mut self, seat: Seat) {
        let story = self.stories[seat].take();
        self.ended.extend(story);
        self.forget();
    }

    #[cfg(test)]
    pub(super) fn set_story(&mut self, seat: Seat, story: Story) {
        self.stories[seat] = Some(story);
    }

    fn full(&self) -> Hand {
        Hand::full(self.move_cards)
    }

    fn write(&mut self, seat: Seat, entry: Entry) {
        if let Some(story) = &mut self.stories[seat] {
            story.0.push(entry);
        }
    }

    fn keep_secret(&mut self, card: Card, known_to: [Seat; 2]) -> u32 {
        let id = self.secrets.last_key_value().map_or(0, |(last, _)| last + 1);
        self.secrets.insert(id, Secret { card, known_to });
        id
    }

    /// Drops the secrets and stories that no hand and no look depends on.
    fn forget(&mut self) {
        let looks = self.looks.iter().flatten();
        let mut alive: BTreeSet<u32> = self.stories.iter().flatten().flat_map(Story::secrets).collect();
        alive.extend(looks.flat_map(|look| look.story.secrets().chain(look.kept)));
        self.ended.retain(|story| story.secrets().any(|id| alive.contains(&id)));
        alive.extend(self.ended.iter().flat_map(Story::secrets));
        self.secrets.retain(|id, _| alive.contains(id));
    }

    /// Draws the secrets again that the viewer cannot know. Any secret cards are allowed that keep every story
    /// possible, and all hands that the viewer has seen as they were.
    pub(super) fn resample(&mut self, viewer: Viewer, source: &mut dyn Source) {
        let sights = viewer.seat().map(|seat| self.sights_of(seat)).unwrap_or_default();
        let hidden = self.hidden_from(viewer);
        self.mix(&hidden, &self.told_of(&hidden, &sights), source);
    }

    /// Makes up the secrets that this seat cannot know, whatever they are now; the rest is as with
    /// [`Hands::resample`]. Says no if it finds none.
    pub(super) fn imagine(&mut self, seat: Seat, sights: &[Sight], source: &mut dyn Source) -> bool {
        let hidden = self.hidden_from(Viewer::Seat(seat));
        let told = self.told_of(&hidden, sights);
        let mut secrets = self.secrets.clone();
        secrets.retain(|id, _| !hidden.contains(id));
        let mut guesses = MOST_GUESSES;
        let found = self.decide(&mut secrets, &hidden, &told, &mut guesses, source);
        if found {
            self.secrets = secrets;
            self.mix(&hidden, &told, source);
        }
        found
    }

    /// The story of a hand, as something that was seen.
    pub(super) fn sight(&self, seat: Seat, hand: Hand) -> Option<Sight> {
        Some(Sight { story: self.stories[seat].clone()?, hand })
    }

    /// Are all secrets still there that it turns on?
    pub(super) fn remembers(&self, sight: &Sight) -> bool {
        sight.story.secrets().all(|id| self.secrets.contains_key(&id))
    }

    fn hidden_from(&self, viewer: Viewer) -> Vec<u32> {
        let knows = |secret: &Secret| viewer.seat().is_some_and(|seat| secret.known_to.contains(&seat));
        self.secrets.iter().filter(|(_, secret)| !knows(secret)).map(|(id, _)| *id).collect()
    }

    /// Every hand that the seat was shown in stories that are still told.
    fn sights_of(&self, seat: Seat) -> Vec<Sight> {
        let mut sights = Vec::new();
        for story in self.stories() {
            for (at, _) in story.0.iter().enumerate().filter(|(_, entry)| **entry == Entry::ShownTo(seat)) {
                let story = Story(story.0[..at].to_vec());
                let hand = story.replay(self.full(), &self.secrets, |_, _| ());
                sights.extend(hand.map(|hand| Sight { story, hand }));
            }
        }
        sights
    }

    /// The stories and sights that turn on these secrets. Sights of which a part has been forgotten say nothing.
    fn told_of<'a>(&self, hidden: &[u32], sights: &'a [Sight]) -> Told<'a> {
        let turns_on_them = |story: &Story| story.secrets().any(|id| hidden.contains(&id));
        Told {
            stories: self.stories().filter(|story| turns_on_them(story)).cloned().collect(),
            sights: sights.iter().filter(|it| turns_on_them(&it.story) && self.remembers(it)).collect(),
        }
    }

    /// Decides the first of the secrets, then the others; tries the cards in a random order.
    fn decide(
        &self,
        secrets: &mut Secrets,
        hidden: &[u32],
        told: &Told<'_>,
        guesses: &mut u32,
        source: &mut dyn Source,
    ) -> bool {
        let Some((id, others)) = hidden.split_first() else { return told.is_possible(self.full(), secrets) };
        let Some(secret) = self.secrets.get(id) else { return false };
        let mut cards: Vec<Card> = (1..=self.move_cards).collect();
        shuffle(&mut cards, source);
        for card in cards {
            *guesses = guesses.saturating_sub(1);
            secrets.insert(*id, Secret { card, ..*secret });
            let goes = *guesses > 0 && told.stories.iter().all(|story| story.may_be(self.full(), secrets));
            if goes && self.decide(secrets, others, told, guesses, source) {
                return true;
            }
        }
        secrets.remove(id);
        false
    }

    /// Many small random changes, each of which keeps what was told.
    fn mix(&mut self, hidden: &[u32], told: &Told<'_>, source: &mut dyn Source) {
        for _ in 0..CHANGES * hidden.len() {
            let mut tried = self.secrets.clone();
            for _ in 0..=source.below(3) {
                let id = hidden[source.below(hidden.len() as u32) as usize];
                let card = 1 + source.below(self.move_cards.into()) as Card;
                tried.entry(id).and_modify(|secret| secret.card = card);
            }
            if told.is_possible(self.full(), &tried) {
                self.secrets = tried;
            }
        }
    }

    /// All stories that are still told, those of the looks included.
    fn stories(&self) -> impl Iterator<Item = &Story> {
        let looks = self.looks.iter().flatten().map(|look| &look.story);
        self.stories.iter().flatten().chain(looks).chain(&self.ended)
    }

    /// Can it be the state of the hands of so many seats?
    pub(super) fn is_sound(&self, seats: u8, move_cards: Card) -> bool {
        let at_table = |seat: Seat| seat.0 < seats;
        let looks = || self.looks.iter().flatten();
        let mut entries = self.stories().flat_map(|story| &story.0);
        self.move_cards == move_cards
            && self.stories.iter().len() == usize::from(seats)
            && self.looks.iter().len() == usize::from(seats)
            && looks().all(|look| at_table(look.seat) && look.kept.is_none_or(|id| self.secrets.contains_key(&id)))
            && entries.all(|entry| !matches!(entry, Entry::ShownTo(seat) if !at_table(*seat)))
            && self.secrets.iter().all(|(id, secret)| {
                let possible = (1..=move_cards).contains(&secret.card) && *id < 1 << 30;
                possible && secret.known_to.into_iter().all(at_table)
            })
            && self.stories().all(|story| story.replay(self.full(), &self.secrets, |_, _| ()).is_some())
    }
}
