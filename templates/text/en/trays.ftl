# What a player holds, in all games.
tray = My hand
tray-look = Tap to see what is mine
tray-hide = Cover it
tray-field-count = How many
tray-field-face = Face
tray-field-seat = Who
tray-field-animal = Animal
tray-field-as = With whose skill
tray-field-card = Card
tray-field-gains = Gains points
tray-field-field = Field
tray-field-keep = Dice to keep
tray-hold-look = Shown while you hold it
tray-hold-hide = Let go to cover
tray-keep-showing = Keep showing
tray-hold = Hold
tray-again = Hold it, or press once more
tray-choose = Choose one
tray-waiting = Waiting for { $names }
tray-highest = Nothing higher can be said.
tray-out = You have lost all your dice. Stay and watch.
tray-less = One less
tray-more = One more
tray-from = { $count }+
tray-unfit = This face starts at #c
tray-unfit-face = On this space only higher faces can be said
# What is said of dice: "7 fours".
tray-claim = { $count } { $face }
tray-face = { $face ->
    [2] { $count ->
        [one] two
       *[other] twos
    }
    [3] { $count ->
        [one] three
       *[other] threes
    }
    [4] { $count ->
        [one] four
       *[other] fours
    }
    [5] { $count ->
        [one] five
       *[other] fives
    }
   *[other] { $count ->
        [one] six
       *[other] sixes
    }
}
tray-count = { $count }
