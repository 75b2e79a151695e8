liars-dice-name = Liar's Dice
liars-dice-tagline = Guess what lies under every cone; an error costs as many dice as it was off
liars-dice-picture = A guess die that moves along a track between two cones

liars-dice-option-track = Red helm spaces
liars-dice-option-track-help = Where a guess of helms stands among the guesses of numbers.
liars-dice-option-track-bluff = Bluff: helm 4 between 7 and 8
liars-dice-option-track-classic = Classic: helm 4 between 8 and 9

liars-dice-refused-no_bid = There is no guess to challenge yet.
liars-dice-refused-bid_too_high = Nobody can guess more dice than are left in the game.
liars-dice-refused-bid_too_low = Move the guess die on, or leave it on its space with a higher value.

liars-dice-phase-bidding = Guessing
liars-dice-phase-finished = Game over

liars-dice-move-bid = Guess
liars-dice-move-challenge = Challenge

liars-dice-tray-challenge = Challenge!
liars-dice-tray-challenge-hint = Not that many
liars-dice-tray-wild = { $count ->
    [one] helm
   *[other] helms
}

liars-dice-event-start_rolled = { $seat } rolls { $dice } for the start.
liars-dice-event-first_seat = { $seat } starts.
liars-dice-event-round_started = Round { $round } begins; { $opener } guesses first.
liars-dice-event-rolled = Your dice: { $dice }
liars-dice-event-bid = { $seat }: { $face ->
    [1] at least { $count } { $count ->
        [one] helm
       *[other] helms
    }
   *[other] at least { $count } × { $face }
}
liars-dice-event-call = { $seat }: { $call }!
liars-dice-event-revealed = All cones are lifted: { $actual } of these dice.
liars-dice-event-lost = { $seat } loses { $dice ->
    [one] one die
   *[other] { $dice } dice
}; { $left } left.
liars-dice-event-eliminated = { $seat } has no dice left and is out.
liars-dice-event-game_over = The game is over.

liars-dice-word-challenge = Challenge
liars-dice-word-bluff = Bluff
liars-dice-word-classic = Classic
liars-dice-word-last_standing = the last one with dice
