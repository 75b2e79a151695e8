//! The laws bite: a right game passes, and the same game with any of many mistakes fails by the law meant for it.

mod sealed_bids;

use std::panic::catch_unwind;

use sealed_bids::{Mistake, SealedBids, make};

use super::conforms;
use crate::chance::ChanceError;
use crate::erased::{StartError, of};
use crate::playout::random;

/// What the laws say about the game with this mistake.
fn broken_law(mistake: Mistake) -> String {
    make(Some(mistake));
    let tried = catch_unwind(|| conforms(of::<SealedBids>()));
    make(None);
    let Err(said) = tried else { panic!("{mistake:?} passes all laws") };
    let text = said.downcast_ref::<String>().cloned();
    text.or_else(|| said.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap_or_default()
}

#[track_caller]
fn all_break(law: &str, mistakes: &[Mistake]) {
    for mistake in mistakes {
        let said = broken_law(*mistake);
        assert!(said.contains(law), "{mistake:?} should break {law:?}, but: {said}");
    }
}

#[test]
fn the_game_without_a_mistake_passes() {
    conforms(of::<SealedBids>());
}

#[test]
fn what_views_moves_and_refusals_tell_of_secrets_is_found() {
    use Mistake::{HandsTellBids, MovesTellBids, RefusalTellsBids, ViewShowsBids, ViewShowsPile};
    all_break("view of", &[ViewShowsBids, ViewShowsPile, HandsTellBids]);
    all_break("tries", &[RefusalTellsBids]);
    all_break("legal moves of", &[MovesTellBids]);
}

#[test]
fn an_event_that_tells_a_secret_move_is_found() {
    all_break("is told more than it sees", &[Mistake::EventTellsBid, Mistake::EventTellsHighBid]);
}

#[test]
fn an_event_that_tells_private_chance_is_found() {
    use Mistake::{EventTellsLot, EventTellsPile, EventTellsSomeLot};
    all_break("is told more than it sees", &[EventTellsLot, EventTellsSomeLot, EventTellsPile]);
}

#[test]
fn resampling_changes_all_that_is_hidden_and_nothing_else() {
    use Mistake::{
        ResampleChangesHands, ResampleForgetsBids, ResampleForgetsLots, ResampleForgetsPile, ResampleGivesLowest,
    };
    all_break("view of", &[ResampleChangesHands]);
    let forgetful = [ResampleForgetsPile, ResampleForgetsLots, ResampleForgetsBids, ResampleGivesLowest];
    all_break("but resampling never changes it", &forgetful);
}

#[test]
fn moves_are_accepted_exactly_if_listed() {
    use Mistake::{AcceptedButUnlisted, BoundsAreUnchecked, ListedButRefused, UnknownCode, UnknownTypeIsAccepted};
    all_break("is offered", &[ListedButRefused]);
    all_break("unlisted", &[AcceptedButUnlisted]);
    all_break("", &[UnknownTypeIsAccepted, BoundsAreUnchecked]);
    all_break("unknown code", &[UnknownCode]);
}

#[test]
fn what_is_drawn_varies_in_every_way_that_is_accepted() {
    all_break("never changes place", &[Mistake::NeverShuffles]);
    all_break("only 2 orders of", &[Mistake::ShufflesTwoCards]);
    all_break("is never drawn", &[Mistake::LotIsNeverSix]);
}

#[test]
fn outcomes_that_cannot_be_are_refused() {
    use Mistake::{AcceptsAnyCards, AcceptsFewCards, AcceptsFewLots, AcceptsSeven};
    all_break("for an entry is there twice", &[AcceptsAnyCards]);
    all_break("for its length", &[AcceptsFewCards, AcceptsFewLots]);
    all_break("for an entry", &[AcceptsSeven]);
    all_break("", &[Mistake::DrawIsRefused]);
}

#[test]
fn the_end_is_reached_and_told_truly() {
    use Mistake::{NoRankIsSkipped, Overcounts, RanksAreUpsideDown, ScoresAreOffByOne, TiesForEver, UnlistedReason};
    all_break("autopilots do not finish", &[TiesForEver]);
    all_break("has more points than", &[RanksAreUpsideDown, ScoresAreOffByOne]);
    all_break("ranks", &[NoRankIsSkipped]);
    all_break("is not listed", &[UnlistedReason]);
    all_break("do not add up", &[Overcounts]);
}

#[test]
fn a_replay_gives_the_same() {
    all_break("", &[Mistake::CountsCalls]);
}

#[test]
fn chance_without_an_end_is_an_error() {
    make(Some(Mistake::ChanceHasNoEnd));
    let started = of::<SealedBids>().start(&serde_json::json!({}), 2, &mut random(1)).map(|_| ());
    make(None);
    assert_eq!(started, Err(StartError::Chance(ChanceError::Endless)));
    all_break("do not end", &[Mistake::ChanceHasNoEnd]);
}
