dead-mans-draw-name = Dead Man's Draw
dead-mans-draw-tagline = Turn up loot card by card and stop before you bust
dead-mans-draw-picture = Loot cards turned up from the draw pile, and a second card of one suit that busts

dead-mans-draw-option-traits = Trait cards
dead-mans-draw-option-traits-help = Everybody keeps one card with a special ability that lasts all game.
dead-mans-draw-option-trait_deal = Trait cards dealt
dead-mans-draw-option-trait_deal-help = How many each player is dealt, to keep one of them. Without trait cards it does nothing.
dead-mans-draw-option-mermaid_rules = Mermaid rules
dead-mans-draw-option-mermaid_rules-help = Mermaids are worth 2 to 7, but use another card of the row once more. With trait cards the Siren joins in.
dead-mans-draw-option-game_variant = Game variant card
dead-mans-draw-option-game_variant-help = Changes one condition of the game: who gets what a bust loses, how cards score, when it ends, or what busts.
dead-mans-draw-option-game_variant-null = None
dead-mans-draw-option-game_variant-random = One at random
dead-mans-draw-option-game_variant-thieves_island = Thieves Island
dead-mans-draw-option-game_variant-pile_o_treasure = Pile o' Treasure
dead-mans-draw-option-game_variant-sudden_death = Sudden Death
dead-mans-draw-option-game_variant-all_hands_on_deck = All Hands on Deck
dead-mans-draw-option-game_variant-strange_lands = Strange Lands
dead-mans-draw-option-game_variant-beneath_the_waves = Beneath the Waves
dead-mans-draw-option-open_discard = Open discard pile
dead-mans-draw-option-open_discard-help = Anybody may look through the discard pile at any time.
dead-mans-draw-option-oracle_secret = Secret oracle
dead-mans-draw-option-oracle_secret-help = Only the player whose turn it is sees what an oracle shows.
dead-mans-draw-option-bonus_on_bust = Bonus in a bust
dead-mans-draw-option-bonus_on_bust-help = A key and a chest that are both kept in a bust still earn the bonus.
dead-mans-draw-option-drawn_any_source = Any card counts as drawn
dead-mans-draw-option-drawn_any_source-help = Casanova, Fisherman, Beastmaster and Misfire also work on cards that a hook, sword or map brings.

dead-mans-draw-refused-must_choose = You owe a choice first.
dead-mans-draw-refused-nothing_to_choose = There is nothing to choose now: draw or collect.
dead-mans-draw-refused-not_a_choice = That is not among the things you can choose from.
dead-mans-draw-refused-draw_pile_empty = The draw pile is empty; you can only collect.
dead-mans-draw-refused-must_draw_first = You must draw at least one card before you collect.
dead-mans-draw-refused-kraken_pending = The Kraken wants more cards placed before you may collect.

dead-mans-draw-phase-traits = Choosing traits
dead-mans-draw-phase-target = The Guardian's target
dead-mans-draw-phase-turn = Draw or collect
dead-mans-draw-phase-choosing = Choosing
dead-mans-draw-phase-finished = Game over

dead-mans-draw-move-draw = Draw
dead-mans-draw-move-collect = Collect
dead-mans-draw-move-choose_card = Choose this card
dead-mans-draw-move-choose_seat = Choose this player
dead-mans-draw-move-choose_trait = Keep this trait

dead-mans-draw-event-variant_chosen = This game is played with { $game_variant }
dead-mans-draw-event-traits_dealt = You were dealt { $traits }
dead-mans-draw-event-trait_chosen = { $seat } has chosen a trait.
dead-mans-draw-event-trait_chosen-trait = { $seat } keeps { $trait }.
dead-mans-draw-event-traits_revealed = The traits are revealed: { $traits }
dead-mans-draw-event-first_seat = { $seat } starts.
dead-mans-draw-event-turn_started = It is the turn of { $seat }.
dead-mans-draw-event-guardian_target = The Guardian of { $seat } watches { $target }.
dead-mans-draw-event-drawn = { $seat } draws { $card }.
dead-mans-draw-event-placed = { $card } lies in the row.
dead-mans-draw-event-banked = { $why }: { $card } goes straight to the bank of { $seat }.
dead-mans-draw-event-discarded = { $cards } discarded: { $why }
dead-mans-draw-event-discarded-from_seat = { $from_seat } loses { $cards } from the bank: { $why }
dead-mans-draw-event-taken = { $seat } takes { $card } from the discard pile: { $why }
dead-mans-draw-event-taken-from_seat = { $seat } takes { $card } from the bank of { $from_seat }: { $why }
dead-mans-draw-event-must_draw = { $count ->
    [0] The Kraken lets go.
   *[other] The Kraken: { $count } more to place before collecting.
}
dead-mans-draw-event-revealed = { $count ->
    [one] The oracle: only the player on turn sees the top card of the draw pile.
   *[other] The oracle: only the player on turn sees the top { $count } cards of the draw pile.
}
dead-mans-draw-event-revealed-cards = The oracle shows { $cards }.
dead-mans-draw-event-map_revealed = { $seat } alone looks through the discard pile ({ $count }).
dead-mans-draw-event-map_revealed-cards = The map of { $seat } shows { $cards }.
dead-mans-draw-event-choice = { $seat } has to choose: { $kind }
dead-mans-draw-event-bust = { $seat } busts with { $card }. Kept: { $kept } / lost: { $lost }
dead-mans-draw-event-bust-lost_to = { $seat } busts with { $card }. Kept: { $kept } / lost to { $lost_to }: { $lost }
dead-mans-draw-event-collected = { $seat } collects { $cards }
dead-mans-draw-event-bonus = { $seat } gets for key and chest: { $cards }
dead-mans-draw-event-bonus-from_seat = { $seat } gets for key and chest from the bank of { $from_seat }: { $cards }
dead-mans-draw-event-game_over = The game is over.

dead-mans-draw-word-anchor = anchor
dead-mans-draw-word-hook = hook
dead-mans-draw-word-cannon = cannon
dead-mans-draw-word-key = key
dead-mans-draw-word-chest = chest
dead-mans-draw-word-map = map
dead-mans-draw-word-oracle = oracle
dead-mans-draw-word-sword = sword
dead-mans-draw-word-kraken = Kraken
dead-mans-draw-word-mermaid = mermaid

dead-mans-draw-word-anchor-2 = anchor 2
dead-mans-draw-word-anchor-3 = anchor 3
dead-mans-draw-word-anchor-4 = anchor 4
dead-mans-draw-word-anchor-5 = anchor 5
dead-mans-draw-word-anchor-6 = anchor 6
dead-mans-draw-word-anchor-7 = anchor 7
dead-mans-draw-word-hook-2 = hook 2
dead-mans-draw-word-hook-3 = hook 3
dead-mans-draw-word-hook-4 = hook 4
dead-mans-draw-word-hook-5 = hook 5
dead-mans-draw-word-hook-6 = hook 6
dead-mans-draw-word-hook-7 = hook 7
dead-mans-draw-word-cannon-2 = cannon 2
dead-mans-draw-word-cannon-3 = cannon 3
dead-mans-draw-word-cannon-4 = cannon 4
dead-mans-draw-word-cannon-5 = cannon 5
dead-mans-draw-word-cannon-6 = cannon 6
dead-mans-draw-word-cannon-7 = cannon 7
dead-mans-draw-word-key-2 = key 2
dead-mans-draw-word-key-3 = key 3
dead-mans-draw-word-key-4 = key 4
dead-mans-draw-word-key-5 = key 5
dead-mans-draw-word-key-6 = key 6
dead-mans-draw-word-key-7 = key 7
dead-mans-draw-word-chest-2 = chest 2
dead-mans-draw-word-chest-3 = chest 3
dead-mans-draw-word-chest-4 = chest 4
dead-mans-draw-word-chest-5 = chest 5
dead-mans-draw-word-chest-6 = chest 6
dead-mans-draw-word-chest-7 = chest 7
dead-mans-draw-word-map-2 = map 2
dead-mans-draw-word-map-3 = map 3
dead-mans-draw-word-map-4 = map 4
dead-mans-draw-word-map-5 = map 5
dead-mans-draw-word-map-6 = map 6
dead-mans-draw-word-map-7 = map 7
dead-mans-draw-word-oracle-2 = oracle 2
dead-mans-draw-word-oracle-3 = oracle 3
dead-mans-draw-word-oracle-4 = oracle 4
dead-mans-draw-word-oracle-5 = oracle 5
dead-mans-draw-word-oracle-6 = oracle 6
dead-mans-draw-word-oracle-7 = oracle 7
dead-mans-draw-word-sword-2 = sword 2
dead-mans-draw-word-sword-3 = sword 3
dead-mans-draw-word-sword-4 = sword 4
dead-mans-draw-word-sword-5 = sword 5
dead-mans-draw-word-sword-6 = sword 6
dead-mans-draw-word-sword-7 = sword 7
dead-mans-draw-word-kraken-2 = Kraken 2
dead-mans-draw-word-kraken-3 = Kraken 3
dead-mans-draw-word-kraken-4 = Kraken 4
dead-mans-draw-word-kraken-5 = Kraken 5
dead-mans-draw-word-kraken-6 = Kraken 6
dead-mans-draw-word-kraken-7 = Kraken 7
dead-mans-draw-word-mermaid-2 = mermaid 2
dead-mans-draw-word-mermaid-3 = mermaid 3
dead-mans-draw-word-mermaid-4 = mermaid 4
dead-mans-draw-word-mermaid-5 = mermaid 5
dead-mans-draw-word-mermaid-6 = mermaid 6
dead-mans-draw-word-mermaid-7 = mermaid 7
dead-mans-draw-word-mermaid-8 = mermaid 8
dead-mans-draw-word-mermaid-9 = mermaid 9

dead-mans-draw-word-golden_scales = Golden Scales
dead-mans-draw-word-casanova = Casanova
dead-mans-draw-word-plunderer = Plunderer
dead-mans-draw-word-treasure_hunter = Treasure Hunter
dead-mans-draw-word-navigator = Navigator
dead-mans-draw-word-master_gunner = Master Gunner
dead-mans-draw-word-scavenger = Scavenger
dead-mans-draw-word-mystic = Mystic
dead-mans-draw-word-swordsman = Swordsman
dead-mans-draw-word-miser = Miser
dead-mans-draw-word-captains_hook = Captain's Hook
dead-mans-draw-word-safe_harbor = Safe Harbor
dead-mans-draw-word-fisherman = Fisherman
dead-mans-draw-word-beastmaster = Beastmaster
dead-mans-draw-word-misfire = Misfire
dead-mans-draw-word-parry = Parry
dead-mans-draw-word-davy_jones = Davy Jones' Guardian
dead-mans-draw-word-siren = Siren

dead-mans-draw-word-thieves_island = Thieves Island
dead-mans-draw-word-pile_o_treasure = Pile o' Treasure
dead-mans-draw-word-sudden_death = Sudden Death
dead-mans-draw-word-all_hands_on_deck = All Hands on Deck
dead-mans-draw-word-strange_lands = Strange Lands
dead-mans-draw-word-beneath_the_waves = Beneath the Waves
dead-mans-draw-word-random = random

dead-mans-draw-word-draw = drawn
dead-mans-draw-word-plunder_seat = whom to plunder
dead-mans-draw-word-plunder_card = what to plunder
dead-mans-draw-word-guardian = the Guardian's target
dead-mans-draw-word-no_target = nothing to work on
dead-mans-draw-word-collect = collected
dead-mans-draw-word-bust = bust
dead-mans-draw-word-draw_pile_empty = the draw pile was used up

dead-mans-draw-board-draw = Draw pile
dead-mans-draw-board-discard = Discard pile
dead-mans-draw-board-row = Play area
dead-mans-draw-board-row-empty = No card lies here yet
dead-mans-draw-board-revealed = Turned up by the oracle
dead-mans-draw-board-safe = safe
dead-mans-draw-board-must-draw = { $count ->
    [one] { $count } more card is due
   *[other] { $count } more cards are due
}
dead-mans-draw-board-bank-empty = The bank is empty
dead-mans-draw-board-below = below it
dead-mans-draw-board-target = Guardian’s target
dead-mans-draw-board-kept = Kept
dead-mans-draw-board-lost = Lost
dead-mans-draw-board-bonus = Bonus

# In the hand.
dead-mans-draw-tray-trait-choose = Choose the trait that you keep for the whole game
dead-mans-draw-tray-trait-chosen = Your trait is chosen. All are revealed together
dead-mans-draw-tray-risks = Kinds that would bust as the next card
dead-mans-draw-tray-left = left:
dead-mans-draw-tray-chance = Would bust: { $busts } of { $cards ->
    [one] { $cards } card
   *[other] { $cards } cards
}
dead-mans-draw-tray-next-busts = The next card is { $card }. Drawing it busts!
dead-mans-draw-tray-next-stays = The next card is { $card }. It is safe to draw
dead-mans-draw-tray-collect = { $count ->
    [one] { $count } card to your bank
   *[other] { $count } cards to your bank
}
dead-mans-draw-tray-first = draw a card first
dead-mans-draw-tray-left-to-choose = (choose { $count })
dead-mans-draw-tray-how-hook = Play a card from your own bank.
dead-mans-draw-tray-how-cannon = Discard a card from somebody’s bank.
dead-mans-draw-tray-how-misfire = Misfire! Discard your highest card.
dead-mans-draw-tray-how-sword = Steal a card from somebody’s bank and play it.
dead-mans-draw-tray-how-map = Play one of these discarded cards.
dead-mans-draw-tray-how-mermaid = Move a card of the row to the end and use it again.
dead-mans-draw-tray-how-plunder_seat = From whose bank do you take your bonus?
dead-mans-draw-tray-how-plunder_card = Take a bonus card.
dead-mans-draw-tray-how-guardian = Whose busts shall come to you?
dead-mans-draw-tray-trait-golden_scales = 5 more points if a mermaid is in your bank.
dead-mans-draw-tray-trait-casanova = Mermaids you draw go straight to your bank. Under the mermaid rules the card your mermaid chooses does.
dead-mans-draw-tray-trait-plunderer = Your key and chest bonus comes from another bank.
dead-mans-draw-tray-trait-treasure_hunter = Your key and chest bonus is doubled.
dead-mans-draw-tray-trait-navigator = Your map looks through the whole discard pile.
dead-mans-draw-tray-trait-master_gunner = Your cannon discards the whole stack.
dead-mans-draw-tray-trait-scavenger = What your cannon hits goes to your bank.
dead-mans-draw-tray-trait-mystic = Your oracle turns up three cards.
dead-mans-draw-tray-trait-swordsman = Your sword steals any suit.
dead-mans-draw-tray-trait-miser = Hooks and what they bring survive your busts.
dead-mans-draw-tray-trait-captains_hook = Your hook works twice.
dead-mans-draw-tray-trait-safe_harbor = Your anchor and the two cards after it survive a bust.
dead-mans-draw-tray-trait-fisherman = Krakens you draw go straight to your bank.
dead-mans-draw-tray-trait-beastmaster = Krakens that others draw ask for four cards.
dead-mans-draw-tray-trait-misfire = Cannons that others draw hit their own highest card.
dead-mans-draw-tray-trait-parry = Swords of others can only take krakens.
dead-mans-draw-tray-trait-davy_jones = What your target loses in a bust comes to your bank.
dead-mans-draw-tray-trait-siren = What the mermaids of others choose comes to your bank.
