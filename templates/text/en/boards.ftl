# On any board.
board-face-down = { $count ->
    [one] { $count } card face down
   *[other] { $count } cards face down
}
board-cards = { $count ->
    [one] { $count } card
   *[other] { $count } cards
}
board-points = { $points } pts
board-choosing = Choosing: { $name }
board-chosen = has chosen
board-to-choose = still choosing
board-last-turn = Last turn
board-by-value = { $value } ({ $names })

# Games without a board of their own: what the public view holds.
view-abilities = Abilities in force
view-animals = Animals
view-available = Free characters
view-banks = Banks
view-been_palifico = Has been Palífico
view-bid = Standing bid
view-bids = Bids of this round
view-card_counts = Cards in hand
view-characters = Characters
view-copied = Copied ability
view-copied_last_named = Named by the copied ability
view-dice = Dice
view-discard = Discard pile
view-discard_count = Cards discarded
view-draft_order = Picking order
view-draw_count = Cards left to draw
view-drawn = Drawn this turn
view-exchange = Exchange under way
view-fields = Fields
view-first_seat = First to start
view-found = Cards found
view-game_variant = Variant card
view-guardian_target = The Guardian’s target
view-hand_size = Cards in each hand
view-hands = Hands
view-hidden = Hidden cards
view-hidden_count = Cards still hidden
view-history = What happened
view-last_loser = Last to lose a die
view-last_named = Named last
view-last_reveal = Latest reveal
view-last_turn = Latest turn
view-middle = Dice in the middle
view-must_draw = Still to draw
view-my_animal = Your animal
view-my_cards = Your cards
view-my_dealt = Traits dealt to you
view-my_dice = Your dice
view-my_exchanges = Your exchanges
view-my_field = The field you chose
view-my_give = The card you hand over
view-my_hand = Your cards
view-my_learned = What your predictions told you
view-my_look = Cards you looked at
view-my_must_return = Back to your habitat this round
view-my_points = Your points
view-my_skill = Your skill this round
view-my_skills = Skills you have used
view-my_trait = Your trait
view-open = Open cards
view-opener = Opens
view-palifico_round = Palífico round
view-pending = Choice owed
view-places = Places
view-play_area = Row in play
view-positions = Positions
view-revealed = Cards laid open
view-revealed_count = Cards turned up
view-round_value = Value of this round
view-scores = Scores
view-set_aside = Dice set aside
view-showdown_by = Called the showdown
view-showdown_ready = Ready for the showdown
view-showdown_used = Has called a showdown
view-silences = Silences
view-start_rolls = Starting rolls
view-total_dice = All dice
view-totals = Totals
view-traits = Traits
view-turn = Turn
view-turn_order = Turn order
view-turn_seat = On turn
view-used_cards = Cards used
