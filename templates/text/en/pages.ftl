# Floor, tables, matches.
yes = yes
no = no
all = All
change = Change
save = Save
print = Print
filter = Show

floor = Floor
floor-empty = No tables yet
floor-empty-help = Add the café’s tables one by one and they all show up here.
table-free = Free
table-playing = Playing
table-attention = Needs a look
count-of = { $what } { $count }
and-more = and { $count } more
attention = To do
attention-stuck = A match cannot go on by itself
attention-long-turn = A turn is taking long
attention-long-wait = Waiting for long
adrift = Matches without a table
turn-of = { $name } to move
turn-count = { $count } at once
seats-taken = { $taken } of { $seats } seats taken
table-seats = { $seats ->
    [one] { $seats } seat
   *[other] { $seats } seats
}

tables = Tables
tables-empty-help = Make the first one here, then print its QR code and put it on the table.
qr-empty-help = Once there are tables, their codes are printed here.
table-make = Add a table
table-make-button = Add
table-name = Name
table-area = Area
table-chairs = Seats
move-up = { $name }: move up
move-down = { $name }: move down
archive = Put away
archived = Tables put away
restore = Put back
qr-sheets = Print QR codes
qr-one = QR code of this table
table-new-code = Make a new QR code
table-new-code-help = The present code stops working at once. If somebody has a photo of it, print the new one.
qr-per-page = How many on a sheet
qr-count = { $count } a sheet
qr-how = Scan this with your phone to join at this table.
qr-wifi = First connect to the Wi-Fi
qr-for-nobody = These codes open on this computer alone. Set the address before you print them.

flash-table-made = Added: { $name }
flash-table-changed = Saved: { $name }
flash-table-archived = Put away: { $name }
flash-table-new-code = A new code is ready: { $name }. Please print it.
flash-table-restored = Put back: { $name }

error-form_changed = Somebody else has changed the same thing meanwhile. Look at what is there now and save again.
form-now = Now: { $value }
flash-form-merged = Saved. What somebody else has changed meanwhile is still there.

matches = Matches
matches-empty = No matches here
matches-empty-help = Seat a party on the floor, then tap its table to start a match.
game = Game
all-games = All games
status = Status
older = Older matches
match-waiting = Gathering
match-running = Running
match-finished = Finished
match-aborted = Called off
match-expired = Expired
moves-made = { $count ->
    [one] { $count } move
   *[other] { $count } moves
}
started-at = started { $time }
ended-at = ended { $time }
seats = Seats
seat-number = Seat { $number }
someone = someone
name-and-tag = { $name } #{ $tag }
seat-free = free
seat-left = left
seat-out = Out
on-turn = To move
rank = place { $rank }
log = Log
log-all = Show everything from the start
options = Rules
board = Board
fair = Fair chance
fair-before = The seal that was set when the match was made. When it ends the seal is opened, and anybody can check every die and card.
fair-after = The seal is open. Download the record to check every die and card.
record = Download the record
abort = Call off the match
abort-help = This cannot be undone. Who called it off and why is kept on record.
abort-reason = Reason
abort-button = Call it off
flash-match-aborted = The match is called off.

bid-by = { $game ->
    [liars-dice] Standing guess: { $name }
   *[other] Standing bid: { $name }
}
bid-none = { $game ->
    [liars-dice] Waiting for the first guess
   *[other] Waiting for the first bid
}
bids = { $game ->
    [liars-dice] Guesses of this round
   *[other] Bids of this round
}
bidder = { $game ->
    [liars-dice] Guesser
   *[other] Bidder
}
opener = Opens
dice-in-game = { $count ->
    [one] { $count } die in the game
   *[other] { $count } dice in the game
}
dice-hidden = { $count ->
    [one] { $count } hidden die
   *[other] { $count } hidden dice
}
palifico-round = Palífico round
die-paco = Paco
die-helm = helm
last-reveal = Reveal of round { $round }
no-reveal = No cup has been lifted yet
verdict = { $name }: { $call }!
actual-count = actually { $count }

winner = Winner: { $name }
winner-none = It ended without a winner
welcome = Welcome
welcome-lead = Scan the code on your table to join there. Fair dice, fair cards, and the rules in your language.
players = { $least } to { $most } players
for-staff = For staff
for-developers = For developers
join-with-code = Join with this code:
die-skull = skull
showdown = Showdown
read-rules = Read the rules
rules-on = on
rules-off = off
rules-basic = Basic game
rules-house = House rule
rules-variant = House rules: { $name }
rules-version = version { $number }
minutes = { $least }–{ $most } minutes
minutes-about = about { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}

offline = No connection
offline-help = Once your phone is on the café's Wi-Fi again, everything goes on where it was. Rules that you have read can be read now, too.
offline-again = Try again
