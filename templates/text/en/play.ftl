# Games that guests play on their phones.
play-my-turn = Your turn
play-mine = My turn
play-sending = Sending…
play-offline = Waiting for the network. Your choice is kept.
play-may-interrupt = You may step in now
play-turn-of = { $name }’s turn
play-turn-of-two = Waiting for { $one } and { $other }
play-turn-of-many = Waiting for { $count } players
play-go-on = Continue
play-gathered = { $taken } of { $seats } here
play-join = Take a seat
play-watch = Watch
play-start = Start a game
play-elsewhere = Other pages
play-all-rules = Rules of the games
play-choose = What will you play?
play-house-rules = { $count ->
    [one] { $count } house rule
   *[other] { $count } house rules
}
play-not-for = Not for { $count ->
    [one] { $count } player
   *[other] { $count } players
}
play-other = Any other board game
play-other-help = Play it at the table and write down the result here.
play-title = Name of the game
play-seats = How many play?
play-rules = Rules
play-basic = Basic rules
play-clock = Time for a turn
play-clock-none = No limit
play-how = How do you play?
play-on-phones = On your phones
play-on-phones-help = The server rolls and deals, and everybody can check it.
play-with-real = With real dice and cards
play-with-real-help = Play at the table and write down the result here afterwards.
play-make = Open and sit down
play-menu = Menu
play-screen = Open the table’s screen
play-buzz = Vibrate on my turn
reactions = Send a reaction
reactions-show = Show reactions of others
reaction-refused = This cannot be sent now. Please try again in a moment.
reaction-thumbs_up = 👍 I like it
reaction-laugh = 😄 Haha
reaction-wow = 😮 Wow!
reaction-thinking = 🤔 Let me think
reaction-well_played = 👏 Well played!
reaction-thanks = 🙏 Thank you
reaction-sorry = 😅 Sorry
reaction-one_moment = ✋ One moment
reaction-waiting = ⏳ I’m waiting
reaction-one_more = 🎲 One more game?
play-me = me
play-free = Free seat
play-sit = Sit down
play-sit-here = Sit here
play-sit-at = Sit here: seat { $number }
play-share = Others join with this code:
play-nonce = Add a word of your own (optional)
play-nonce-help = It is mixed into the dice and cards, so that nobody can fix them in advance.
play-begin = Start
play-missing = { $count ->
    [one] One more player and you can start.
   *[other] { $count } more players and you can start.
}
play-wait-start = Everybody is here. { $name } starts the game.
play-wait-start-unseated = Everybody is here. The person in charge of the game or the staff can start it.
play-leave = Leave the seat
play-call-off = Cancel the game
play-sealed = The dice and cards of this game are fixed and sealed already:
play-late = Spectators see the game a little late.
play-watching = You are watching.
play-left = You have left: your turns are played automatically
play-left-help = Tell the staff if you want to play on.
play-resign = Give up
play-resign-help = Your turns are then played automatically, so that the others can finish.
play-resign-button = Give up the game
play-by-house = automatic
play-own-log = What only I was told
play-earlier = What happened before
play-won = You won!
play-my-place = Your place: { $rank }
play-over = The game is over
play-place = { $rank }.
play-points = { $points ->
    [one] { $points } point
   *[other] { $points } points
}
play-rating = Your rating
play-rating-too-often = Two people rate { $most } matches of a game a day. This match is in the history and changes no rating.
play-rematch = Play again
play-join-rematch = Join the next game
play-to-rematch = Go to the next game
play-write-help = When the game is over, one of you writes down the result and another one confirms it.
play-write = Write it down
play-confirm = This result is right
play-confirm-wait = It counts once another player confirms it.
play-dispute = The result was another
flash-seated = You have a seat.

me = About me
me-guest = Guest
me-nobody = You have no name here yet. Scan the code on your table and sit down: what you play is kept here.
me-ratings = My ratings
me-matches = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
me-played = Games played
me-played-none = No game has ended yet.
me-of = of { $count }
me-people = Played with
me-new-device = New sign-in
me-name = Change my name
me-register = Register
me-register-help = You keep everything that you have played, also for your next visit, and get ratings.
me-register-button = Register
me-sign-in-help = Sign in if you have registered before. The staff can add what you played as a guest.
me-data = My data
me-export = Download all my data
me-delete = Delete my account
me-delete-help = Your name and history go for good. In the games of others you stay without a name.
me-delete-button = Delete for good
flash-renamed = Your name is { $name } now.
flash-registered = You have registered as { $name }.
flash-signed-in = Welcome, { $name }.
flash-deleted-me = Your account is gone.
