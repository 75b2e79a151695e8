perudo-pirates-name = Perudo: Pirate Edition
perudo-pirates-tagline = Shake the pirate cup, boast, and win dice by calling "No way!" or "Exactly!"
perudo-pirates-picture = A ship under sail and dice with skulls

perudo-pirates-option-hidden = Hidden
perudo-pirates-option-hidden-help = No re-rolling after a bid.
perudo-pirates-option-high_risk = High Risk
perudo-pirates-option-high_risk-help = An error costs as many dice as it was off. Challenging a bid that is exactly met costs everybody but the bidder one die.
perudo-pirates-option-showdown = Showdown
perudo-pirates-option-showdown-help = A player who falls to one die may change the rules of a round on the next turn.
perudo-pirates-option-first_blood = First Blood
perudo-pirates-option-first_blood-help = The game ends when somebody is out; all others win together.
perudo-pirates-option-track = Skull spaces
perudo-pirates-option-track-help = Where a bid of skulls stands among the bids of numbers.
perudo-pirates-option-track-classic = Classic: skull 4 between 8 and 9
perudo-pirates-option-track-bluff = Bluff: skull 4 between 7 and 8
perudo-pirates-option-cap_five = Five dice at most
perudo-pirates-option-cap_five-help = With five dice or more, a right exact call wins no die.
perudo-pirates-option-high_risk_exact = Exact calls in High Risk
perudo-pirates-option-high_risk_exact-help = What a right exact call costs the bidder in a game of High Risk.
perudo-pirates-option-high_risk_exact-one = One die
perudo-pirates-option-high_risk_exact-none = No die

perudo-pirates-refused-must_decide = First decide whether to re-roll or to keep your dice.
perudo-pirates-refused-nothing_to_reroll = Dice are re-rolled only right after your own bid.
perudo-pirates-refused-no_showdown = You cannot call a Showdown now.
perudo-pirates-refused-no_bid = There is no bid yet.
perudo-pirates-refused-exact_forbidden = There are no exact calls in a Showdown.
perudo-pirates-refused-bid_too_high = Nobody can bid more dice than there are.
perudo-pirates-refused-face_locked = The face cannot change in a Showdown.
perudo-pirates-refused-bid_too_low = Raise the face or the count of the standing bid.
perudo-pirates-refused-reroll_dice = Set aside only dice from under your cup, and leave at least one to roll.

perudo-pirates-phase-bidding = Bidding
perudo-pirates-phase-rerolling = Re-rolling
perudo-pirates-phase-finished = Game over

perudo-pirates-move-bid = Bid
perudo-pirates-move-reroll = Re-roll
perudo-pirates-move-stand = Keep my dice
perudo-pirates-move-challenge = No way!
perudo-pirates-move-exact = Exactly!
perudo-pirates-move-showdown = Showdown!

perudo-pirates-tray-challenge = No way!
perudo-pirates-tray-challenge-hint = Not that many
perudo-pirates-tray-exact = Exactly!
perudo-pirates-tray-exact-hint = Exactly that many
perudo-pirates-tray-wild = { $count ->
    [one] skull
   *[other] skulls
}
perudo-pirates-tray-decide = To re-roll, you show everybody the dice under your cup; those you keep stay outside it.
perudo-pirates-tray-ticks = Choose the dice to keep · tap to cover
perudo-pirates-tray-look = Tap to choose the dice to keep
perudo-pirates-tray-keep = Keep { $kept }, roll { $rolled }
perudo-pirates-missing-keep = Choose at least one die to keep.

perudo-pirates-event-first_seat = { $seat } starts.
perudo-pirates-event-round_started = Round { $round } begins; { $opener } opens.
perudo-pirates-event-rolled = Your dice: { $dice }
perudo-pirates-event-bid = { $seat }: { $face ->
    [1] at least { $count } { $count ->
        [one] skull
       *[other] skulls
    }
   *[other] at least { $count } × { $face }
}
perudo-pirates-event-reroll = { $seat } shows { $shown }, sets { $keep } aside and rolls the rest again.
perudo-pirates-event-stand = { $seat } keeps the dice.
perudo-pirates-event-showdown = { $seat }: Showdown! Skulls are plain 1s now, the face stays the same, and there are no exact calls.
perudo-pirates-event-call = { $seat }: { $call }!
perudo-pirates-event-revealed = All cups are lifted: { $actual } of these dice.
perudo-pirates-event-lost = { $seat } loses { $dice ->
    [one] one die
   *[other] { $dice } dice
}; { $left } left.
perudo-pirates-event-gained = { $seat } takes { $dice ->
    [one] one die
   *[other] { $dice } dice
} from the middle and has { $left }.
perudo-pirates-event-eliminated = { $seat } has no dice left and is out.
perudo-pirates-event-game_over = The game is over.

perudo-pirates-word-challenge = No way
perudo-pirates-word-exact = Exactly
perudo-pirates-word-classic = Classic
perudo-pirates-word-bluff = Bluff
perudo-pirates-word-one = one
perudo-pirates-word-none = none
perudo-pirates-word-last_standing = the last one with dice
perudo-pirates-word-first_blood = First Blood
