middle-race-name = Middle Race
middle-race-tagline = Ten characters, ten abilities, and a race that is won by coming in somewhere in the middle
middle-race-picture = Pawns on a track and a podium whose middle is highest

middle-race-option-track_length = Track length
middle-race-option-track_length-help = How many spaces lie between the start line and the finish line.
middle-race-option-move_cards = Move cards
middle-race-option-move_cards-help = A full hand is one card of each number from 1 to this.
middle-race-option-characters = Characters
middle-race-option-characters-help = Whether players choose their characters in turn or are dealt them.
middle-race-option-characters-draft = Chosen in turn
middle-race-option-characters-random = Dealt at random
middle-race-option-winner = Winning places
middle-race-option-winner-help = Which places in the finishing order win.
middle-race-option-winner-middle = The middle
middle-race-option-winner-not_ends = All but the first and the last
middle-race-option-full_race = Run to the end
middle-race-option-full_race-help = When the middle wins: run until one pawn is left, and rank everybody by how near the middle they came in.
middle-race-option-max_rounds = Most rounds
middle-race-option-max_rounds-help = After this round the race is stopped, and the pawns farthest ahead take the places that are left.
middle-race-option-open_hands = Open hands
middle-race-option-open_hands-help = Everybody's move cards lie open.
middle-race-option-deal_counts_as_reset = The deal is a reset
middle-race-option-deal_counts_as_reset-help = When the first cards are dealt, Offer gives one away and Copy copies an ability.
middle-race-option-may_decline = Abilities may be declined
middle-race-option-may_decline-help = Even abilities that otherwise have to be used may be left unused.

middle-race-refused-must_choose = First make the choice that you are asked for.
middle-race-refused-not_a_choice = That is not among the things you can choose now.
middle-race-refused-nothing_to_choose = There is nothing to choose now: play a card.
middle-race-refused-no_gravity = Only with Gravity's ability can you discard a card to pull somebody.
middle-race-refused-nobody_to_pull = There is nobody to pull: it takes a pawn two or more spaces away whose player was not the last one you named.
middle-race-refused-card_not_in_hand = You do not hold that card.

middle-race-phase-draft = Choosing characters
middle-race-phase-turn = Playing a card
middle-race-phase-choosing = An ability is at work
middle-race-phase-finished = Game over

middle-race-move-pick = Choose character
middle-race-move-play = Play and move
middle-race-move-discard = Discard and pull
middle-race-move-choose_seat = Name a player
middle-race-move-choose_card = Choose a card
middle-race-move-choose_direction = Push
middle-race-move-accept = Pull
middle-race-move-decline = Decline

middle-race-event-draft_order = Characters are chosen in this order: { $seats }
middle-race-event-picked = { $seat } chooses { $character }.
middle-race-event-dealt = Everybody gets a full hand. The characters: { $characters }
middle-race-event-turn_started = Round { $round }: it is { $seat }'s turn.
middle-race-event-played = { $seat } plays a { $card }.
middle-race-event-discarded = { $seat } discards a { $card } and stays.
middle-race-event-asked = { $seat } must decide on { $ability }.
middle-race-event-named = { $seat } names { $target } for { $ability }.
middle-race-event-declined = { $seat } leaves { $ability } unused.
middle-race-event-moved = { $seat } moves from { $from ->
    [0] the start line
   *[other] { $from }
} to { $to ->
    [0] the start line
   *[other] { $to }
}.
middle-race-event-moved-by = { $seat } is moved from { $from ->
    [0] the start line
   *[other] { $from }
} to { $to ->
    [0] the start line
   *[other] { $to }
} by { $by } ({ $ability }).
middle-race-event-finished = { $seat } crosses the finish line: place { $place }.
middle-race-event-silenced = { $by } silences { $seat }.
middle-race-event-freed = { $seat } is no longer silenced by { $by }.
middle-race-event-copied = { $seat } copies { $ability }.
middle-race-event-copy_ended = { $seat } no longer has { $ability }.
middle-race-event-reset = { $seat } has used all cards and gets a full hand again.
middle-race-event-reset-by = { $by } resets the hand of { $seat }.
middle-race-event-looked = { $seat } looks at the hand of { $target }.
middle-race-event-looked-cards = You see the hand of { $target }: { $cards }
middle-race-event-deleted = { $seat } leaves { $target } one card and takes away { $count }.
middle-race-event-deleted-kept = { $seat } leaves { $target } the { $kept } and takes away { $count ->
    [one] one card
   *[other] { $count } cards
}.
middle-race-event-given = { $seat } gives { $target } a card.
middle-race-event-given-card = { $seat } gives { $target } a { $card }.
middle-race-event-game_over = The race is over.

middle-race-word-gravity = Gravity
middle-race-word-push = Push
middle-race-word-delete = Delete
middle-race-word-offer = Offer
middle-race-word-with = With
middle-race-word-union = Union
middle-race-word-mirror = Mirror
middle-race-word-copy = Copy
middle-race-word-reset = Reset
middle-race-word-silence = Silence
middle-race-word-forward = forward
middle-race-word-back = back
middle-race-word-seat = name a player
middle-race-word-card = choose a card
middle-race-word-direction = choose a direction
middle-race-word-accept = pull or not
middle-race-word-none = none
middle-race-word-draft = chosen in turn
middle-race-word-random = dealt at random
middle-race-word-middle = the middle
middle-race-word-not_ends = all but the first and the last
middle-race-word-decided = the winning places were taken
middle-race-word-all_home = only one pawn was left
middle-race-word-round_limit = the rounds were over

middle-race-board-start = on the start line
middle-race-board-line = Start line
middle-race-board-finish = Finish line
middle-race-board-place = place { $place }
middle-race-board-space = space { $number }
middle-race-board-spaces = { $count ->
    [one] { $count } space
   *[other] { $count } spaces
}
middle-race-board-wins = wins
middle-race-board-silenced = Silenced by { $name }
middle-race-board-copied = Copied: { $ability }
middle-race-board-looked = Saw the hand of { $name }
middle-race-board-kept = { $card } stayed

# In the hand.
middle-race-tray-ask-pick = Choose your character
middle-race-tray-ask-play = Your turn. Play a move card
middle-race-tray-ask-gravity = Whom do you pull next to you?
middle-race-tray-ask-push = Which way do you push?
middle-race-tray-ask-delete = Whose hand do you look at?
middle-race-tray-ask-offer = Who gets a card?
middle-race-tray-ask-with = Who comes along?
middle-race-tray-ask-union = Pull this pawn onto your space?
middle-race-tray-ask-mirror = Who moves the other way?
middle-race-tray-ask-copy = Whose ability do you copy?
middle-race-tray-ask-reset = Whose hand is reset?
middle-race-tray-ask-silence = Whose ability do you silence?
middle-race-tray-ask-card-delete = Which card stays?
middle-race-tray-ask-card-offer = Which card do you give?
middle-race-tray-ability-gravity = Discards a card instead of moving and pulls a pawn two or more spaces away right next to it.
middle-race-tray-ability-push = Pushes a pawn that comes to share its space one space on or back.
middle-race-tray-ability-delete = When moved by others: looks at a hand and leaves one card of it.
middle-race-tray-ability-offer = When its hand is reset: gives one card away.
middle-race-tray-ability-with = With its last card: takes another pawn along.
middle-race-tray-ability-union = May pull a pawn right ahead onto its own space.
middle-race-tray-ability-mirror = When moved by others: moves another pawn as far the other way.
middle-race-tray-ability-copy = When its hand is reset: copies another ability.
middle-race-tray-ability-reset = When it moves back: resets somebody’s hand.
middle-race-tray-ability-silence = Each turn it silences one ability.
middle-race-tray-finish = Finish, place { $place }
middle-race-tray-hand = My move cards
middle-race-tray-silenced = silenced for now
