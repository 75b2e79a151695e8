# Tournaments.
tournaments = Tournaments
tournaments-none = No tournaments yet
tournaments-none-help = Choose a name, a game and a format to make one. Only staff see it until registration opens.
tournaments-guest-none-help = You can enter a tournament here once there is one.
tournaments-older = Older tournaments
tournament-make = New tournament
tournament-make-button = Make it
tournament-change = Change tournament
tournament-about = About
tournament-name = Name
tournament-title = Name of the game
tournament-mode = How it is played
mode-played = On phones
mode-scored = With the real game; results are written down
game-other = Another game
game-other-any = A game that is not listed
tournament-starts = Starts
tournament-check-in-until = Check-in until
tournament-places = Places
tournament-round-minutes = Minutes a round
tournament-round-time = Round time
tournament-blank-help = What is left blank is left open.
entry = Who may enter
entry-open = Everybody
entry-code = Who has the code
entry-staff = Only whom staff enter
entry-help = With a code, guests type it on the tournament’s page, or come by the link that holds it. Staff can always enter people.
entry-staff-help = Ask our staff if you want to play. They enter people.
entry-code-label = Entry code
entry-code-help = Our staff tell you the code.
entry-code-staff-help = Guests who scan the QR code have the entry code filled in. Others type it. To replace it, choose another kind of entry and then this one again.
tournament-turn-seconds = Seconds for a move
tournament-late = Late entry until round
tournament-late-help = Once a round is published, people may still come in up to this round: in Swiss rounds and pods, and in brackets where somebody has a bye in the first round. Before that anybody can be added, and all are seeded again.
tournament-tables = Tables of the tournament
tournament-tables-help = If you choose none, any free table is used.
tournament-more = Seeds, time, tables
presets = What kind of evening?
presets-help = A choice fills in the form below. Everything can be changed afterwards.
preset-arena = Arena
preset-arena_tables = Arena at tables
preset-help-arena = For 60 minutes, people who are free are paired at once. People join, pause and leave as they like, and the most points win.
preset-help-arena_tables = For two hours, a game begins as soon as 3 to 5 are free; places give 5, 3, 2 and 1 points.
preset-swiss = Swiss
preset-swiss_top = Swiss + top 8
preset-single = Knock-out
preset-double = Double elimination
preset-league = Round robin
preset-groups_top = Groups + top 8
preset-pods = Tables of 4
preset-pods_top = Tables of 4 + final table
preset-pod_knockout = Table knock-out
preset-help-swiss = Everybody plays all 4 rounds, against people with about as many points. Good for an evening of 8 to 16.
preset-help-swiss_top = After 4 Swiss rounds the best 8 play a knock-out.
preset-help-single = Who loses is out; the third place is played for.
preset-help-double = Who loses twice is out. The final can be reached through the losers’ side.
preset-help-league = Everybody meets everybody once. 3 points for a win, 1 for a draw; between equals, their own match counts first.
preset-help-groups_top = Round robins in 4 groups; the best 2 of each play a knock-out, in which those of one group meet late.
preset-help-pods = Tables of 3 to 4 for 3 rounds, with 5, 3, 2 and 1 points by place.
preset-help-pods_top = After 3 rounds the best 4 sit at the final table.
preset-help-pod_knockout = The best 2 of each table of 3 to 4 go on, until one table is left.
tournament-copy = Copy this tournament
tournament-copy-help = A new draft with the same game, formats and tables. Results are not copied.
tournament-copy-entrants = With the same people
tournament-copy-button = Copy
tournament-format = Format
tournament-guests = For guests
tournament-guests-help = Guests who scan the code can enter, check in and see their table.
tournament-export = Export
export-json = The whole tournament (JSON)
export-standings = Standings (CSV)
export-pairings = Pairings (CSV)
export-trf26 = Report for FIDE (TRF26)
export-trf16 = Report for FIDE (TRF16)
export-brackets-viewer = Bracket for brackets-viewer.js (JSON)
export-open-bracket = Open Bracket Format (JSON)
embed = Show it on another site
embed-help = Copy this into the page. It shows the bracket and the standings, follows the tournament by itself, and sets no cookies.
embed-snippet = Code for the page
embed-off = No site may show it yet: the operator lists the sites in the settings (embedding_origins).
embed-nobody = Nobody has entered yet.
tournament-ends = End early or call off
tournament-cancel = Call it off
cancel-reason = Why it is called off
finish-early = End it here
finish-early-help = No more rounds: the standings of this moment are final.

tournament-draft = Draft
tournament-registration = Registration
tournament-check-in = Check-in
tournament-running = Running
tournament-finished = Finished
tournament-cancelled = Called off

stage-first = Format and standings
stage-number = Stage { $number }
stage-title = Stage { $number } · { $format }
stage-none = None
stage-advance = How many go on
rounds = Rounds
round-minutes = { $count } min

format-single_elimination = Single elimination
format-double_elimination = Double elimination
format-round_robin = Round robin
format-swiss = Swiss
format-groups = Groups
format-groups_swiss = Groups of Swiss rounds
format-groups-robin = { $groups } round robins
format-groups-swiss = { $rounds ->
    [one] Groups: { $groups }, one Swiss round each
   *[other] Groups: { $groups }, { $rounds } Swiss rounds each
}
format-groups-label = Groups
group-name = Group { $group }
format-pods = Pods
format-pod_knockout = Pod knock-out
format-arena = Arena
format-arena-duels = { $minutes } min of duels
format-arena-tables = { $minutes } min, { $least }–{ $most } at a table
format-minutes-label = Minutes it is open
format-patience-label = Seconds of waiting before the same people meet again
format-streaks-label = After two wins in a row, wins count double
format-with-third = match for third place
format-with-eight = places 1–8 are played for
format-with-all = all places are played for
format-legs = { $legs ->
    [one] everybody once
   *[other] everybody { $legs } times
}
format-rounds = { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
}
format-pod-rounds = { $rounds ->
    [one] 1 round
   *[other] { $rounds } rounds
} at tables of { $least }–{ $most }
format-pod-advance = tables of { $least }–{ $most }, { $advance } of each go on
format-rounds-label = Rounds
format-legs-label = Meetings
format-least-label = Fewest at a table
format-most-label = Most at a table
format-going-label = Go on from each
played-places-label = Places played for
played-places-two = First and second
played-places-four = Up to the fourth (match for third place)
played-places-eight = Up to the eighth
played-places-all = All places
runs-by-itself-label = Runs by itself: each bout begins as soon as both are known
runs-by-itself-rule = Each bout begins as soon as both are known
format-pairing-label = Who sits together
pairing-random = By lot
pairing-by_standing = Neighbours in the standings
format-reach-label = Places apart that people may stand
format-reach-help = Only for neighbours in the standings. With more, people meet more new faces; with 0, tables follow the standings.
short-tables-label = At the smaller tables
short-tables-rotate = Everybody in turn
short-tables-bottom = The last in the standings
short-tables-top = The first in the standings
short-tables-rule-bottom = The smaller tables are for the last in the standings
short-tables-rule-top = The smaller tables are for the first in the standings
format-wild-cards-label = Wild cards: the best of the beaten fill the tables of the next round
format-wild-cards-rule = The best of the beaten fill the tables of the next round
pairing-spread = All tables equally strong
games-label = Games of each bout
games-one = One game
games-best_of = Most wins of so many
games-race_to = First to so many wins
games-many-label = Games or wins
games-last-label = Other numbers for the last rounds
games-last-help = The final first: 5 3 means 5 in the final, 3 in the semi-finals.
games-best-of = Best of { $games }
games-all = { $games } games
games-race-to = First to { $wins }
games-last = { $usual } · last rounds: { $last }
games-help = Games won, in the order { $names }. Each game can also be written down at its match.

scoring = Points and ties
scoring-points = Points for
scoring-by-win = Win, draw, loss
scoring-by-places = Places
scoring-by-scores = Points scored in the game
scoring-win = Win { $win } · draw { $draw } · loss { $loss } · bye { $bye }
scoring-places = By place { $scale } · bye { $bye }
scoring-scores = The points scored in the game
scoring-scale = Points by place
scoring-scale-help = From first place on, with spaces between: 5 3 2 1. Shared places get the average.
short-scale-label = Places at a smaller table
short-scale-as_full = Count as at a full one
short-scale-scaled = Last there counts as last
short-scale-rule-scaled = Last at a smaller table gets as much as last at a full one
worth-win = Win
worth-draw = Draw
worth-loss = Loss
worth-bye = Bye
worth-missed = Round before a late entry
tie-breaks = Tie-breaks in order
edition = Tie-breaks of rounds not played
edition-fide_2024 = FIDE 2024
edition-fide_2026 = FIDE, from March 2026
tie-breaks-meaning = What the tie-breaks mean
tie-break-number = No. { $number }
tie-break-wins = Wins
tie-break-wins-help = Rounds won, or worth as much without playing
tie-break-head_to_head = Head-to-head
tie-break-head_to_head-help = Points from the bouts among those who are level
tie-break-buchholz = Buchholz
tie-break-buchholz-help = The opponents’ points added up
tie-break-buchholz_cut_one = Buchholz cut 1
tie-break-buchholz_cut_one-help = The opponents’ points without the weakest
tie-break-median_buchholz = Median Buchholz
tie-break-median_buchholz-help = The opponents’ points without the strongest and the weakest
tie-break-sonneborn_berger = Sonneborn-Berger
tie-break-sonneborn_berger-help = The points of beaten opponents, and half of those of drawn ones
tie-break-opponents_win_rate = Opponents’ wins
tie-break-opponents_win_rate-help = How often the opponents won
tie-break-progressive = Progressive
tie-break-progressive-help = The points after each round added up: early wins count more
tie-break-games_won = Games won
tie-break-games_won-help = Bouts won by playing
tie-break-second_seats = Later seats
tie-break-second_seats-help = Bouts played in a seat other than the first
tie-break-won_in_second_seat = Won in later seats
tie-break-won_in_second_seat-help = Bouts won in a seat other than the first
tie-break-rounds_elected = Rounds present
tie-break-rounds_elected-help = Rounds without those that one chose to miss
tie-break-fore_buchholz = Fore Buchholz
tie-break-fore_buchholz-help = The opponents’ points as if the last round had been drawn
tie-break-average_buchholz = Average Buchholz
tie-break-average_buchholz-help = The average of the opponents’ Buchholz
tie-break-sonneborn_berger_cut_one = Sonneborn-Berger cut 1
tie-break-sonneborn_berger_cut_one-help = Sonneborn-Berger without the weakest opponent
tie-break-koya = Koya
tie-break-koya-help = Points against opponents with at least half of all points
tie-break-progressive_cut_one = Progressive cut 1
tie-break-progressive_cut_one-help = Progressive without the first round
tie-break-standard_points = Standard points
tie-break-standard_points-help = One for each win, a half for each draw
tie-break-kashdan = Kashdan
tie-break-kashdan-help = For each bout played: win 4, draw 2, loss 1
tie-break-opponents_rating = Opponents’ rating
tie-break-opponents_rating-help = The average of the opponents’ ratings
tie-break-opponents_rating_cut_one = Opponents’ rating cut 1
tie-break-opponents_rating_cut_one-help = The same without the lowest
tie-break-performance = Performance
tie-break-performance-help = The rating that the results come to
tie-break-perfect_performance = Perfect performance
tie-break-perfect_performance-help = The lowest rating with which the results would be expected
tie-break-opponents_performance = Opponents’ performance
tie-break-opponents_performance-help = The average of the opponents’ performance
tie-break-opponents_perfect_performance = Opponents’ perfect performance
tie-break-opponents_perfect_performance-help = The average of the opponents’ perfect performance
tie-break-rating = Rating
tie-break-rating-help = One’s own rating
tie-break-scores = Score
tie-break-scores-help = The written-down points added up
tie-break-score_share = Score share
tie-break-score_share-help = The share of the table’s points
tie-break-best_places = Best places
tie-break-best_places-help = First places, then second places, then third places
tie-break-average_points = Points a bout
tie-break-average_points-help = Points divided by bouts: of equal points, those from fewer bouts are worth more
tie-break-seed = Seed
tie-break-seed-help = The better seed
tie-break-lot = Lot
tie-break-lot-help = A lot that was drawn once, when the tournament was made

entrants = Entrants
entrants-count = { $count ->
    [one] 1 entrant
   *[other] { $count } entrants
}
entrants-of = { $count } of { $most }
entrants-none = Nobody has entered yet
entrants-none-help = Add people by name, or show guests the tournament’s code.
entrants-desk = Check-in
entrant-add = Add an entrant
entrant-add-button = Add
entrant-name = Name
entrant-name-help = A name is enough: no account is needed.
regulars = Regulars and accounts
regulars-none = Who often came in the last six months is listed here.
regulars-others = Other accounts
regular-came = { $tournaments ->
    [one] 1 tournament
   *[other] { $tournaments } tournaments
} · { $visits ->
    [one] 1 visit
   *[other] { $visits } visits
}
check-in-all = Everybody is here
paste = Paste many names
paste-names = Names
paste-help = One per line, rows copied from a sheet, or a tournament report file (TRF). You see first what will happen.
paste-look = Look at them
paste-preview = { $count ->
    [one] 1 will enter
   *[other] { $count } will enter
}
paste-add = Let { $count } in
paste-new = Enters as a guest
paste-entered = Has entered already: left out
paste-twice = Twice in the list: left out
late-seeded-again = Nobody has seen a pairing yet: people who are added now are seeded with all the others, and a draft is discarded.
late-into-bye = Who is added now plays at once, against { $name }, who would have had a bye.
late-next-round = Who is added now plays from round { $round } on. Each round missed is worth { $points } points.
late-arena = Who is added now waits to be paired at once.
need = Table needed
need-of = { $name }: table needed
need-none = Any table
need-area = Area { $area }
need-write = Set table
need-unmet = { $name } needs { $place }, but it is not free for this bout.
parts = Parts of the list
part = { $from }–{ $to }
bouts-first = { $count } of { $all } bouts: the first that wait for a result. All are on the page of the round.
paste-invalid = Line { $line }: { $why }
entrant-entered = Entered
entrant-waiting = Waiting list
entrant-checked-in = Here
entrant-no-show = Did not come
entrant-dropped = Dropped
act-check-in = Check in
act-take-back = Undo check-in
act-no-show = Did not come
act-drop = Drop
act-reinstate = Bring back
act-pause = Pause
act-resume = Back
seeds = Seeds
seeds-help = The strongest come first. The stronger two entrants are, the later they meet.
seed-number = Seed { $number }
seed-of = { $name }: which place
seed-move = Move here
rating-of = Rating of { $name }
rating-write = Set rating
rating-short = rating { $rating }
seed-by-rating = By rating
seed-by-draw = By lot
seeding = Seeds
seeding-rating = By rating
seeding-hand = By hand
seeding-draw = By lot

next-step = Next
next-open-registration = When all is ready, open registration. Guests see the tournament from then on.
next-open-check-in = When people begin to arrive, open check-in.
next-start = When everybody is here, start. Entrants who have not checked in count as no-shows.
next-pair = Pair the next round. Only staff see it until it is published.
next-publish = There is a draft. Look at it, then publish it.
next-publish-now = Publishing shows it to everybody and gives out matches and tables.
next-start-round = When all are seated, start the round’s clock.
next-open-arena = Open the arena when you are ready. From then on, everybody who is free is paired by itself.
next-arena = Pairing goes by itself. { $waiting } waiting, { $playing } playing, { $pausing } pausing.
next-results = { $count ->
    [one] 1 bout has no result yet.
   *[other] { $count } bouts have no result yet.
}
next-next-stage = This stage is over. Start the next one with those who go on.
next-stuck = Round { $round } cannot be paired by the rules.
next-stuck-harm = Least harm: { $harm }
next-stuck-choices = Decide: pair the round all the same, or end here.
next-stuck-end = Nothing more can be played here. Go on with what was played.
next-cut = { $places ->
    [one] One place is left, and these are level for it: { $names }. Decide who goes on.
   *[other] { $places } places are left, and these are level for them: { $names }. Decide who goes on.
}
next-unfit = { $count ->
    [one] Only 1 would go on.
   *[other] { $count } would go on.
} The next stage ({ $format }) can be played by { $fits }.
next-unfit-choices = Change the plan of the next stage or how many go on, or end it here.
next-finish = All bouts are over. Make the standings final.
step-open-registration = Open registration
step-open-check-in = Open check-in
step-start = Start the tournament
step-pair = Pair the round
step-pair-repeats = Pair it all the same
step-discard = Throw the draft away
step-publish = Publish
step-withdraw = Back to the draft
step-start-round = Start the round
step-open-arena = Open the arena
step-pause-arena = Pause the arena
step-resume-arena = Go on
step-end-arena = Close the arena
step-next-stage = Start the next stage
step-run-by-itself = Let the bracket run by itself
step-run-by-hand = Run the bracket by hand
step-finish = Finish the tournament
draft-open = Look at the draft
cut-decide = Decide who goes on
results-open = Write results
print-pairings = Print pairings
tournament-log = Log
log-none = Nothing has happened yet.
log-undo = Undo
log-undone = Undone
log-by-match = The match itself
log-by-itself = Published by the server: { $names }
log-by-clock = The clock
log-why = Why: { $why }
log-change = { $what }: { $before } → { $after }
log-more = and { $count } more
undo-of = Undo: { $action }
wall-page = { $number } / { $count }
party-in-the-way = { $count ->
    [one] At a table that the tournament keeps somebody sits. Ask the party to move:
   *[other] At a table that the tournament keeps a party of { $count } sits. Ask them to move:
}
boxes-for-bouts = The round needs { $bouts ->
    [one] { $bouts } box
   *[other] { $bouts } boxes
} of the game. The house has { $boxes }.

bracket = Bracket
pairings = Pairings
arena-window = Arena
arena-unopened = Not open yet
arena-open = Open
arena-paused = Paused
arena-ending = Last bouts
arena-closed = Closed
arena-waiting = Waiting: { $count }
arena-nobody-waits = Nobody is waiting.
arena-pausing = Pausing: { $count }
arena-playing = Being played: { $count }
arena-played = Played: { $count }
arena-results = Last results
arena-earlier = Earlier bouts: { $count }
arena-rule-again = Whom you just met you meet again only if nobody else is free and you have waited { $count } sec
arena-rule-streaks = After two wins in a row, wins count double
arena-join = Scan to join
arena-mine-waiting = Waiting
arena-mine-playing = Playing
arena-mine-pausing = Pausing
arena-mine-waiting-help = As soon as somebody is free you play. Your table and opponent appear here.
arena-mine-playing-help = When you are done, we find your next opponent at once.
arena-mine-last-help = You pause after this bout.
arena-mine-pausing-help = You are not paired while you pause. Your points stay.
arena-pause = Pause
arena-resume = I am back
opponents = Against
bout = Bout
bout-number = Bout { $number }
bout-bye = Bye
bout-drafted = Draft
bout-waiting = Waiting
bout-playing = Playing
bout-claimed = To be checked
bout-deserted = Broken off
bout-over = Confirmed
bout-open = Details
bout-write = Write the result
bout-match = See the match
bout-claim = The match now has another result: { $result }. If it is right, write it down below.
claim-of = { $name }: place { $place }
bout-table = Table
bout-table-which = At which table
bout-table-none = None
bout-table-button = Change table
bout-again = The match was broken off
bout-again-help = Make a new match for the same people, or write down a result above.
bout-again-button = Make a new match
mark-win = Win
mark-draw = Draw
mark-loss = Loss
mark-bye = Bye
mark-absent = Did not come
mark-place = Place { $place }
winner-of = Winner of bout { $number }
loser-of = Loser of bout { $number }
place-empty = Nobody
side-main = Winners
side-losers = Losers
side-final = Final
side-third = Third place
bout-for-place = For place { $place }
bout-for-places = For places { $first }–{ $last }
round-final = Final
round-reset = Final, once more
round-semi = Semi-finals
round-quarter = Quarter-finals
round-of = Round of { $count }
round-number = Round { $number }
round-of-all = Round { $number } of { $all }
round-progress = { $done } of { $all } over
round-open = Open the round
round-drafted = Draft
round-published = Published
round-running = Running
round-closed = Over
clock = Round clock
clock-left = Time left
clock-stands = Clock stopped · time left
clock-break = Until the next round
clock-pause = Stop the clock
clock-resume = Start the clock again
gong = Ring when the time is up
break = Break
break-end = End the break
break-minutes = { $count ->
    [one] Next round in a minute
   *[other] Next round in { $count } minutes
 }
clock-add = +{ $count } min
swap = Swap two people
swap-help = The two change places. Only possible before it is published.
swap-one = This one
swap-other = And this one
swap-button = Swap
bout-lock = Lock
bout-unlock = Unlock
bout-locked = Locked
swap-conflicts = The swap makes a pairing that the format avoids.
swap-before = Now
swap-after = After the swap
swap-force = Swap all the same
conflict-second-bye = { $name }: a bye for the second time
quick-win = { $name } wins
quick-draw = Draw
quick-absent = { $name } did not come
quick-absent-all = Neither came
result-by-place = Write places and points
result-by-place-help = From 1 on; equals share a place: 1, 2, 2, 4.
grid = Results
grid-help = For a duel type 1 or 2 for the winner, 0 for a draw, and press Enter. 1- and 2-: won because the other did not come; -: neither came. At larger tables, type the place of each in the order of seats, as in 213.
grid-result-of = Result of { $names }
correct-help = If you write another result, you first see what it would undo.
correct-look = See what would change
follows = Correct it like this?
follows-none = No other bout changes; only the standings are recomputed.
follows-voids = These bouts become void and are paired again. Those that are being played are broken off.
follows-reopens = The stage is then open again: the bouts that are left are paired.
follows-line = Others go on into the next stage:
follows-through = { $name } goes on
follows-at-line = { $name } is level with others for the last places
follows-out = { $name } does not go on
follows-standings = The standings change:
follows-rank = { $name }: rank { $before } → { $rank }, points { $points-before } → { $points }
follows-points = { $name }: still rank { $rank }, points { $points-before } → { $points }
follows-more = { $count ->
    [one] and one more
   *[other] and { $count } more
 }
follows-agree = Correct it

reasons = Why this pairing
reason-bracket = By the bracket
reason-schedule = By the round robin’s table
reason-same-points = Same points: { $points }
reason-floated = { $name }: nobody with as many points was left, so { $points } meets { $against }
reason-repeat = { $one } – { $other }: have met { $times ->
    [one] once before
   *[other] { $times } times before
}
reason-repeats = Pairs of this round that meet again: { $pairs } (at the very least { $least })
reason-repeats-fewest = Pairs of this round that meet again: { $pairs } (the fewest possible)
reason-fewer-repeats = If people up to { $reach ->
        [one] { $reach } place
       *[other] { $reach } places
    } apart sat together, { $pairs ->
        [0] no pair
        [one] { $pairs } pair
       *[other] { $pairs } pairs
    } would meet again
reason-bracket-bye = Bye: the bracket’s free places go to the best seeds
reason-opponent-gone = Bye: the opponent dropped or did not come through
reason-lowest-bye = Bye: the number is odd, and these are the fewest points without a bye yet ({ $points })
reason-late-entrant = { $name } came late and plays who would have had a bye
reason-bye-again = Bye for the second time: nobody else is left who had none (points: { $points })
reason-by-hand = By hand
reason-by-hand-of = By hand, by { $name }
reason-requested-bye = Asked to rest this round, for { $points }
reason-kept-apart = { $one } and { $other } should be kept apart, but there is no other way
reason-no-table = Bye: the tables do not come out even (points: { $points })
reason-short-table = A table of { $seats }; the largest has { $largest }
reason-filled = { $name }: too few came through, so the best of those beaten fill the table (place { $place } at their own)
reason-by-standing = Neighbours in the standings: { $fewest }–{ $most } points
reason-spread = All tables equally strong
reason-free = They were free
reason-waited = { $name } had waited { $minutes } min
reason-nobody-else = Nobody else was free, so they meet again
reason-drawn = By lot

standings = Standings
standing-rank = Rank
standing-name = Name
standing-points = Pts
standing-points-help = Points in the tournament
standing-played = Played
standing-played-help = Bouts that are over
standing-record = W–L
standing-record-help = Wins and losses
standing-record-draws-help = Wins, draws and losses
standing-out = out
standing-goes-on = goes on
standing-through = goes on for sure
standing-no-more = cannot go on any more
standing-why-level = Level with { $name } in everything that counts.
standing-why-behind-points = Behind { $name } by points: { $own } to { $other }.
standing-why-ahead-points = Ahead of { $name } by points: { $own } to { $other }.
standing-why-behind-tie-break = As many points as { $name }, but behind by { $tie-break }: { $own } to { $other }.
standing-why-ahead-tie-break = As many points as { $name }, but ahead by { $tie-break }: { $own } to { $other }.
standing-still-in = still in
tournament-won-by = Won by { $names }
standing-advance = { $count ->
    [one] The best goes on into the next stage.
   *[other] The best { $count } go on into the next stage.
}
standing-at-line = Not settled: level at the line are { $names }.

cut-title = Who goes on?
cut-level = { $places ->
    [one] One place for these, who are level in everything that counts:
   *[other] { $places } places for these, who are level in everything that counts:
}
cut-by-seed = The better seeds
cut-by-all = All of them
cut-by-none = None of them
cut-by-lot = Draw lots
cut-lot-help = The lot’s number is kept in the log, so that everybody can check the draw.
cut-by-hand = By hand or by a play-off
cut-by-hand-help = Write 1 for the best of those who go on, then 2, and so on. Leave the others blank.
cut-groups = They share places in their groups, and of each group as many go on as of the others:
cut-quota = { $count ->
    [one] one of { $names }
   *[other] { $count } of { $names }
 }
cut-quota-range = { $least } to { $most } of { $names }
cut-reason = Why
cut-place-of = { $name }: place

paper-tables = Pairings by table
paper-names = Pairings by name
paper-slips = Match slips
paper-flyer = Flyer
paper-here = Here
paper-seed = Seed
paper-rating = Rating
paper-cross = Cross table
paper-certificates = Certificates
flyer-scan = Scan the code to enter and to follow the tournament.
flyer-for-nobody = Guests do not see this tournament now: for them the code leads nowhere.
certificate = Certificate
certificate-place = { $rank ->
    [1] First place
    [2] Second place
   *[other] Third place
}
slip-sign = Signature

mine-standing = Rank { $rank } · points: { $points }
mine-bye = You have a bye in this round
mine-no-table = Your table is given out soon
mine-against = Against: { $names }
mine-code = Match code
check-in-button = I am here
enter-tournament = Enter
enter-tournament-button = Enter
enter-full = All places are taken. If you enter, you are on the waiting list.
leave-tournament = Drop out
leave-tournament-help = You will not be paired again. To come back, ask the staff.
leave-tournament-button = Drop out

flash-tournament-made = { $name }: made.
flash-tournament-changed = { $name }: changed.
flash-tournament-copied = { $name }: copied. Check its date and formats.
flash-registration-opened = Registration is open.
flash-check-in-opened = Check-in is open.
flash-tournament-started = The tournament has begun.
flash-round-paired = The round is drafted.
flash-draft-discarded = The draft is gone.
flash-round-published = The round is published.
flash-round-withdrawn = It is a draft again.
flash-round-started = The round has begun.
flash-arena-opened = The arena is open.
flash-arena-paused = The arena pauses, and so does its clock.
flash-arena-resumed = The arena goes on.
flash-arena-ended = The arena is closed. Bouts may be finished.
flash-entrant-paused = They pause.
flash-entrant-resumed = They are back.
flash-arena-mine-paused = You pause. Tap when you are back.
flash-arena-mine-resumed = We are looking for your next opponent.
flash-stage-begun = The next stage has begun.
flash-tournament-finished = The tournament is finished.
flash-tournament-cancelled = The tournament is called off.
flash-entrant-added = { $name } has entered.
flash-entrants-added = Entered: { $name }.
flash-checked-in = Checked in.
flash-check-in-taken-back = Check-in undone.
flash-marked-no-show = Marked as not here.
flash-entrant-dropped = Dropped.
flash-entrant-reinstated = Back in.
flash-seeds-given = Seeds are given.
flash-entrant-rated = The rating is set.
flash-entrants-swapped = The two were swapped.
flash-bout-locked = This pairing stays as it is.
flash-bout-unlocked = This pairing can be changed again.
flash-minutes-added = The round has more time.
flash-clock-stands = The clock of the round stands.
flash-clock-goes = The clock of the round goes on.
flash-break-set = Everybody sees the time until the next round.
flash-break-ended = The break is gone.
flash-bout-settled = The result is written down.
flash-bout-table-given = The table is changed.
flash-bout-again = There is a new match.
flash-step-undone = It is as it was before.
flash-entered-tournament = { $name }: you have entered.
flash-left-tournament = You have dropped out.

# Why something cannot be done in a tournament.
error-tournament_not_found = There is no such tournament.
error-entrant_not_found = There is no such entrant in the tournament.
error-round_not_found = There is no such round in the tournament.
error-bout_not_found = There is no such bout in the tournament.
error-stage_not_found = There is no such stage in the tournament.
error-tournament_changed = The tournament has changed in the meantime. Please look at it and try again.
error-tournament_not_running = The tournament has not begun.
error-tournament_started = The tournament has begun already.
error-tournament_over = The tournament is over.
error-registration_over = Registration is over.
error-entered_already = This player has already entered.
error-entrant_out = This entrant is out of the tournament.
error-too_late_to_enter = It is too late to enter: late entry has ended.
error-tournament_full = There is no place left.
error-check_in_not_open = Check-in is not open yet.
error-check_in_over = Check-in is over.
error-variant_not_published = A tournament needs a published variant.
error-stage_unfit = This format cannot be played by so many entrants: { $count }. It can be by { $fits }.
error-unpairable = No further round can be paired.
error-nothing_drafted = No round is drafted.
error-not_in_format = This kind of file cannot hold that: TRF takes Swiss rounds and round robins of two without teams, with points for a win; brackets-viewer takes knock-outs, double eliminations and round robins; the Open Bracket Format takes bouts of two.
error-points_not_in_format = The file cannot say these points: it takes one decimal, and nothing below 0 or above 99.9. Points that were given or taken away are only in TRF26.
error-step_not_found = There is no such step in the tournament’s log.
error-no_way_back = Something that depends on this step has happened since. Undo that first.
error-played_since = This has been played since, so it cannot be undone. Correct the result instead.
error-equals_at_line = Entrants are level at the line. Decide first who goes on.
error-swap_conflicts = Two would meet again, or somebody would have a second bye. Swap all the same only on purpose.
error-draft_changed = The draft has changed in the meantime. Please look again.
error-draft_outdated = A result has changed since the draft was paired. Discard it and pair again.
error-entrant_not_paired = This entrant is not in the draft.
error-pairings_follow = These pairings follow from the bracket. Change the seeds before it starts.
error-bout_locked = This pairing is locked. Unlock it first.
error-bouts_open = Bouts are still open.
error-stage_over = This stage is over.
error-stage_not_over = This stage is not over yet.
error-last_stage = This is the last stage.
error-too_many_rounds = There are too many rounds.
error-round_not_published = The round is not published yet.
error-round_drafted = Another round is drafted. Discard it or publish it first.
error-round_started = The round has started.
error-round_not_running = The round has not started.
error-round_over = The round is over.
error-round_without_clock = This round has no clock.
error-no_arena = No arena is played now.
error-arena_over = The arena is closed.
error-bout_over = The bout has a result already.
error-bout_not_over = The bout has no result yet.
error-own_bout = Somebody else has to write down the result of your own bout.
error-entry_by_staff = Staff enter people into this tournament.
error-wrong_entry_code = The entry code is missing or wrong.
error-following_changed = The correction would now undo something else. Please look again.
error-others_go_on = Other entrants would then go on, or in another order, but the next stage has started. Leave it as it is; or call the tournament off and make a new one for the remaining stages, seeded by hand.
error-table_too_small = The table has too few seats.
error-table_has_bout = Another bout is played at that table.
error-match_of_tournament = This match is part of a tournament. To leave it, drop out of the tournament.
error-met_in_tournament = Both are in the same tournament ({ $tournament }), so they are different people and cannot be merged.
field-too_few = There are too few entrants for it.
field-too_many = There are too many entrants for it.
field-entered_twice = An entrant is in it twice.
field-late_entry = Nobody can come late in this format.
field-bad_rounds = The number of rounds is out of bounds.
field-too_many_rounds = There are too many rounds for so few entrants.
field-bad_sizes = Tables have 2 to 10 seats, and the fewest cannot exceed the most.
field-sizes_impossible = This number of entrants cannot be split into tables of these sizes.
field-bad_advance = From each table at least one must go on, and fewer than sit at the smallest.
field-bad_reach = From 0 to 50, and only for neighbours in the standings.
field-bad_scale = A better result cannot be worth less than a worse one.
field-bad_games = Bouts of two have 1 to 15 games, in a knock-out an odd number.
field-bad_groups = There are 2 to 32 groups.
field-bad_window = An arena is open for 1 to 600 minutes, and people wait for at most 900 seconds.
field-bad_games_won = So many games cannot have been won in this bout. Write how many each of the two has won, as in 2:1.
field-not_offered = This format is not on offer.
field-wrong_entrants = Name every entrant of the bout once.
field-unreadable_result = This says no result. For a duel: 1, 2 or 0.
field-bad_places = Places start at 1; after a tie the next places are skipped (1, 2, 2, 4).
field-absent_ahead = Entrants who did not appear must come after everybody else.
field-undecided = This bout cannot be a draw: say who goes on.
field-missing_score = Everybody who appeared needs points.
field-score_order = Nobody with more points can have a worse place.
field-bad_score = Points can have at most two decimals and must not be too large.
unpairable-too_few_left = Too few entrants are left for another round.
unpairable-no_legal_pairing = Every pairing would repeat a meeting or give somebody a second bye.

# Headings of sheets.
tournament-column-rank = Rank
tournament-column-entrant = Number
tournament-column-name = Name
tournament-column-played = Played
tournament-column-wins = Wins
tournament-column-draws = Draws
tournament-column-losses = Losses
tournament-column-points = Points
tournament-column-division = Division
tournament-column-total = Total
tournament-column-bonus = Bonus
tournament-column-group = Group
tournament-column-head-to-head = Head to head
tournament-column-buchholz = Buchholz
tournament-column-buchholz-cut-one = Buchholz cut one
tournament-column-median-buchholz = Median Buchholz
tournament-column-sonneborn-berger = Sonneborn-Berger
tournament-column-opponents-win-rate = Opponents' win rate
tournament-column-progressive = Progressive
tournament-column-games-won = Games won
tournament-column-second-seats = Later seats
tournament-column-won-in-second-seat = Won in later seats
tournament-column-rounds-elected = Rounds present
tournament-column-fore-buchholz = Fore Buchholz
tournament-column-average-buchholz = Average Buchholz
tournament-column-sonneborn-berger-cut-one = Sonneborn-Berger cut 1
tournament-column-koya = Koya
tournament-column-progressive-cut-one = Progressive cut 1
tournament-column-standard-points = Standard points
tournament-column-kashdan = Kashdan
tournament-column-opponents-rating = Opponents' rating
tournament-column-opponents-rating-cut-one = Opponents' rating cut 1
tournament-column-performance = Performance
tournament-column-perfect-performance = Perfect performance
tournament-column-opponents-performance = Opponents' performance
tournament-column-opponents-perfect-performance = Opponents' perfect performance
tournament-column-rating = Rating
tournament-column-scores = Points scored
tournament-column-score-share = Share of points
tournament-column-best-places = Best places
tournament-column-average-points = Points a bout
tournament-column-seed = Seed
tournament-column-lot = Lot
tournament-column-round = Round
tournament-column-bout = Bout
tournament-column-table = Table
tournament-column-place = Place
tournament-column-score = Points
tournament-column-absent = Absent

# In the floor's queue.
attention-tournament-check-in-over = Tournament: somebody has not checked in
attention-tournament-round-over-time = Tournament: a round is over its time
attention-tournament-round-complete = Tournament: ready for the next step
attention-tournament-match-off = Tournament: a match ended without a result
attention-tournament-result = Tournament: a result has to be checked

# Whether it can begin.
ready = { $count } can begin now.
ready-tables = { $count } now: tables of { $sizes }.
ready-no-tables = { $count ->
    [one] { $count } person makes
   *[other] { $count } people make
} no tables of { $least } to { $most }.
ready-rounds = { $count } can play { $most ->
    [one] { $most } round
   *[other] { $most } rounds
} at most.
ready-unfit = { $count }: { $why }
ready-enough = { $count } would do.
ready-here = { $here } of { $entered } { $here ->
    [one] is
   *[other] are
} here. The others count as no-shows when you start.
fit-least = Allow tables of { $count }
fit-rounds = Play { $count ->
    [one] { $count } round
   *[other] { $count } rounds
}
flash-tournament-fitted = The plan now fits those who are here.
error-nothing_to_fit = There is nothing to change.
entrant-phone = has a phone
entrant-name-only = name only
entrants-phoneless = It is played on phones, but there is only a name of: { $names }. They have to enter on the tournament's page with their own phone.

# Teams.
tournament-team-size = Teams
team-none = Everybody for themselves
team-of = Teams of { $count }
teams = Teams
team = Team
team-board = Board
board-number = Board { $number }
team-set = Set team
team-of-entrant = Team of { $name }
board-of-entrant = Board of { $name }
team-size-help = Where two meet, each plays the other team’s member on the same board, and the boards add up. At tables of several the points of the members add up. Knock-outs of tables and arenas have no teams.
teams-help = A name puts somebody into that team; a new name makes a team. Who stands behind the last board is a reserve. After the start teams stay as they are.
team-enter = Name of your team
team-enter-help = Type the same name as your friends. Leave it blank and staff will find you a team.
mine-team = Team { $team }
paste-help-teams = The cell after the name is the team.
paste-new-in-team = Enters in team { $team }
flash-team-set = The team is set.
flash-need-set = The table is noted. Only staff see it.
flash-runs-by-itself = From now on the bracket runs by itself.
flash-runs-by-hand = From now on you publish the bouts of the bracket yourselves.
error-plays_without_teams = This tournament has no teams.
error-team_full = That team is full.
field-bad_boards = A team has 2 to 6 boards.
field-no_teams = This format has no teams.
field-without_team = Somebody is in no team.
field-team_too_large = A team has too many members. Where two meet there are up to two reserves, at tables of several none.
ready-teams = { $count ->
    [one] { $count } team
   *[other] { $count } teams
  } can begin now.
ready-teams-unfit = { $count ->
    [one] { $count } team
   *[other] { $count } teams
  }: { $why }
ready-teams-enough = { $count ->
    [one] { $count } team
   *[other] { $count } teams
  } would do.
error-teams_unfit = Somebody is in no team, or a team has too many members. Set the teams on the page of entrants first.
ready-without-team = Some entrants are in no team yet.
tie-break-berlin = Berlin score
tie-break-berlin-help = Points on the boards, the first board counted as often as there are boards, the last once
tie-break-first_board = First board
tie-break-first_board-help = Points on the first board
tie-break-without_last_board = Without the last board
tie-break-without_last_board-help = Points on all boards but the last
tie-break-sonneborn_berger_boards = Team Sonneborn-Berger
tie-break-sonneborn_berger_boards-help = Points of each opposing team times the board points gained against it
tournament-column-team = Team
tournament-column-berlin = Berlin score
tournament-column-first-board = First board
tournament-column-without-last-board = Without the last board
tournament-column-sonneborn-berger-boards = Team Sonneborn-Berger

# Rulings.
rulings = Rulings
ruling-byes = Requested byes
ruling-byes-help = Who asks not to play is left out of that round. A round that was published stays as it is.
ruling-adjustments = Points given or taken away
ruling-adjustments-help = Points and reason stand in the standings. For a penalty write −1.
ruling-apart = Kept apart
ruling-apart-help = Family, or people who came together, do not meet as far as that can be. Guests do not see it.
ruling-entrant = Entrant
ruling-stage = Stage
ruling-round = Round
ruling-after-round = After round
ruling-worth = Points
ruling-points = Points
ruling-reason = Reason
ruling-one = One
ruling-other = The other
ruling-add-bye = Add bye
ruling-add-adjustment = Add points
ruling-add-apart = Keep apart
ruling-remove = Remove
flash-rulings-set = The ruling is set.
error-round_published = That round is published already.
