hogu-clue-name = Hogu Clue
hogu-clue-tagline = Call suits and ranks, swap cards, and be the first to name a card that lies face down
hogu-clue-picture = A hand of cards and a magnifying glass over hidden ones

hogu-clue-option-max_rounds = Last round for calls
hogu-clue-option-max_rounds-help = After this round nobody may call: the player on turn has to answer.
hogu-clue-option-same_kind_back = The same kind back
hogu-clue-option-same_kind_back-help = A caller may hand over a card of the very suit or rank it called. If this is off, it must give another kind if it has one.

hogu-clue-refused-wrong_phase = This is not the moment: during an exchange you can only hand over a card, otherwise only call or answer.
hogu-clue-refused-calls_closed = Calls are closed; from now on you have to answer.
hogu-clue-refused-not_your_card = That card is not in your hand.
hogu-clue-refused-not_matching = You have to hand over a card of the suit or rank that was called.
hogu-clue-refused-same_kind = You hold a card of another kind than you called, so that is what you have to give.
hogu-clue-refused-card_known = You can see that card already; name one that you do not see.

hogu-clue-phase-turn = Call or answer
hogu-clue-phase-exchange = Exchange
hogu-clue-phase-final = Answers only
hogu-clue-phase-finished = Game over

hogu-clue-move-call = Call
hogu-clue-move-answer = Answer!
hogu-clue-move-give = Hand over

hogu-clue-event-dealt = Your cards: { $cards }
hogu-clue-event-opened = Open in the middle: { $cards }
hogu-clue-event-turn_started = Round { $round }, turn { $turn }: { $seat }
hogu-clue-event-called = { $seat } calls. Asked: { $asked }
hogu-clue-event-called-suit = { $seat } calls { $suit }. { $holder ->
    [none] Nobody has one.
   *[other] { $holder } has one: they exchange.
}
hogu-clue-event-called-rank = { $seat } calls rank { $rank }. { $holder ->
    [none] Nobody has one.
   *[other] { $holder } has one: they exchange.
}
hogu-clue-event-gave = { $seat } has chosen a card to hand over.
hogu-clue-event-gave-card = { $seat } hands over { $card }.
hogu-clue-event-exchanged = { $seats } have exchanged cards.
hogu-clue-event-exchanged-gave = { $seats } have exchanged cards: you gave { $gave } and got { $got }.
hogu-clue-event-answered = { $seat } answers: { $card } is hidden! { $right ->
    [true] Right.
   *[other] Wrong.
} Place { $rank }; hand laid open: { $opened }
hogu-clue-event-looked = The hidden cards: { $hidden }
hogu-clue-event-game_over = The game is over. The hidden cards: { $hidden }

hogu-clue-word-none = nobody
hogu-clue-word-S = spades
hogu-clue-word-H = hearts
hogu-clue-word-D = diamonds
hogu-clue-word-C = clubs
hogu-clue-word-S1 = ♠1
hogu-clue-word-S2 = ♠2
hogu-clue-word-S3 = ♠3
hogu-clue-word-S4 = ♠4
hogu-clue-word-H1 = ♥1
hogu-clue-word-H2 = ♥2
hogu-clue-word-H3 = ♥3
hogu-clue-word-H4 = ♥4
hogu-clue-word-D1 = ♦1
hogu-clue-word-D2 = ♦2
hogu-clue-word-D3 = ♦3
hogu-clue-word-D4 = ♦4
hogu-clue-word-C1 = ♣1
hogu-clue-word-C2 = ♣2
hogu-clue-word-C3 = ♣3
hogu-clue-word-C4 = ♣4
hogu-clue-word-JK = joker
hogu-clue-word-one_left = one player was left
hogu-clue-word-answer = answer
hogu-clue-word-call = call

hogu-clue-board-rank = rank { $rank }
hogu-clue-board-found = found
hogu-clue-board-giving = to give
hogu-clue-board-given = Chosen: { $names }
hogu-clue-board-in-vain = has none: { $names }
hogu-clue-board-nobody = nobody has one
hogu-clue-board-right = right
hogu-clue-board-wrong = wrong
hogu-clue-board-earlier = Earlier turns

# In the hand.
hogu-clue-tray-turn = Your turn. Open your notebook to call or answer
hogu-clue-tray-final = Only answers now
hogu-clue-tray-give-called = Hand over a card of { $call }
hogu-clue-tray-give-any = Exchange: choose the card to hand over
hogu-clue-tray-hand = My cards
hogu-clue-tray-give = Give
hogu-clue-tray-notebook = Notebook
hogu-clue-tray-help = Tap a suit or a rank to call it, or a cell to name that card as the answer.
hogu-clue-tray-help-final = Tap a cell to name that card as the answer.
hogu-clue-tray-pencil = Mark with a pencil
hogu-clue-tray-marks = no|unsure|suspected
hogu-clue-tray-absent = Who has none now
hogu-clue-tray-swaps = My exchanges
hogu-clue-tray-note-own = mine
hogu-clue-tray-note-open = open
hogu-clue-tray-note-laid = laid open by
hogu-clue-tray-note-found = found
hogu-clue-tray-note-hidden = hidden
hogu-clue-tray-note-seen = last with
hogu-clue-tray-note-wrong = wrong
hogu-clue-tray-note-unknown = ?
