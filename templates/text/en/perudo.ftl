perudo-name = Perudo
perudo-tagline = Peru's game of bluff, with dice hidden under cups
perudo-picture = Three cups, rolled dice and a claim

perudo-option-palifico = Palífico rounds
perudo-option-palifico-help = A player who falls to one die opens a round in which Pacos are not wild and the face stays the same.
perudo-option-calza = Calza (expert rule)
perudo-option-calza-help = Anyone may call the standing bid exact. If it is, they take a die back; if not, they lose one.

perudo-refused-no_bid = There is no bid yet.
perudo-refused-bid_too_high = Nobody can bid more dice than are left in the game.
perudo-refused-paco_opening = The first bid of an ordinary round cannot be in Pacos.
perudo-refused-face_locked = In a Palífico round only those who have been Palífico may change the face.
perudo-refused-bid_too_low = The bid must outrank the standing one.

perudo-phase-bidding = Bidding
perudo-phase-finished = Game over

perudo-move-bid = Bid
perudo-move-dudo = Dudo! (I doubt it)
perudo-move-calza = Calza! (exactly)

perudo-tray-dudo = Dudo!
perudo-tray-dudo-hint = Not that many
perudo-tray-calza = Calza!
perudo-tray-calza-hint = Exactly that many
perudo-tray-wild = { $count ->
    [one] Paco
   *[other] Pacos
}

perudo-event-first_seat = { $seat } starts.
perudo-event-round_started = Round { $round } begins; { $opener } opens.
perudo-event-rolled = Your dice: { $dice }
perudo-event-bid = { $seat }: { $face ->
    [1] at least { $count } { $count ->
        [one] Paco
       *[other] Pacos
    }
   *[other] at least { $count } × { $face }
}
perudo-event-call = { $seat }: { $call }!
perudo-event-revealed = All cups are lifted: { $actual } of these dice.
perudo-event-lost = { $seat } loses { $dice ->
    [one] one die
   *[other] { $dice } dice
}; { $left } left.
perudo-event-gained = { $seat } takes { $dice ->
    [one] one die
   *[other] { $dice } dice
} back and has { $left }.
perudo-event-eliminated = { $seat } has no dice left and is out.
perudo-event-palifico = { $seat }: Palífico! Pacos are not wild in this round.
perudo-event-game_over = The game is over.

perudo-word-dudo = Dudo
perudo-word-calza = Calza
perudo-word-last_standing = the last one with dice
