# Variants: the house's own rules.
error-variant_not_found = There is no such variant.
error-unknown_variant = There is no such variant of this game.
error-options_of_variant = A match is made by a variant or by options, not by both.
error-variant_retired = This variant is no longer played.
error-variant_changed = Somebody else has changed these house rules meanwhile. Please look again at what changes.
error-variant_outdated = The game has been revised since. This variant needs a new version.
error-variant_name_taken = There is a variant of this game with this name already.
error-version_is_final = This version has been published or played and never changes. Make a new one.
error-version_unchanged = This would be the same as the version before.
error-too_many_versions = This variant has too many versions.

variant-change = { $option }: { $from } → { $to }

variants = House rules
variants-lead = Make this café's own rules for each game, try them out, then publish them for guests.
variants-none = Only the basic rules so far.
variants-none-of-kind = No house rules here
variants-see-all = See all
variants-older = Older house rules
variant-make = New
variant-make-of = { $name }: new house rules
variant-make-button = Make draft
variant-edit = Change house rules
variant-name = Name
variant-description = Description
variant-description-help = Stands at the top of the rules page that guests read. May be left empty.
variant-draft = Draft
variant-draft-next = Next version in the works
variant-published = Published
variant-retired = Retired
variant-plays = { $count ->
    [one] played once
   *[other] played { $count } times
}
variant-plays-many = played more than { $count } times
variant-bounds = From { $least } to { $most }.
variant-bounds-wrong = It must be a number from { $least } to { $most }.
variant-basic-value = Basic game: { $value }
variant-look = See what changes
variant-preview = What changes in version { $number }
variant-revised = No option differs, but the game's rules have been revised since.
variant-save-so = Save as shown
variant-start-over = Choose again
variant-rules = Rules page
variant-publish = Publish
variant-retire = Retire
variant-try = Try out
variant-versions = Versions
variant-published-at = published { $time }
variant-played = played
variant-since = Unlike version { $number }
variant-since-basic = Unlike the basic game
variant-no-change = Nothing differs.
variant-differs = Unlike the basic game: { $changes }.
variant-same = Just as the basic game.
variant-set = { $option } { $value }
rules-changed = changed by the house
rules-changes = Changed by the house

trial = Try-out
trial-note = This is a try-out: only staff see it, it counts nowhere, and it is gone after a day.
trial-of = { $name }, version { $number }
trial-seats = Seats
trial-start = Start with so many
trial-again = Start again
trial-legal = { $name }: moves
trial-house = Let the house move
trial-house-many = Let the house make { $count } moves
trial-over = It is played to the end.
trial-moves = Move { $count }
trial-log = So far

flash-variant-made = Draft made: { $name }
flash-variant-saved = Saved: { $name }
flash-variant-published = Published.
flash-variant-retired = Retired.
flash-variant-outdated = The game's rules have changed since. Please make a new version.
flash-trial-moved = The board has changed since. Please choose again.

error-trial_not_found = There is no such try-out, or it is gone.

lab = Lab
lab-lead = Bots have played these rules thousands of times. See what they change before guests do.
lab-basic = the basic rules
lab-verdict = At a glance
lab-more = Details in the lab
lab-warned = Before you publish, look at what the lab says.
lab-ask = Start the lab
lab-unknown = The lab has not tried this yet.
lab-cancelled = This run was cancelled.
lab-failed = This run came to no end. The rules may take too long.
lab-running = The lab is at it
lab-running-at = The lab is at it: { $percent } %
lab-makes-way = While the café is busy it goes slowly: matches come first.
lab-against = Compared with
lab-against-other = Against { $other }
lab-depth = Bots
lab-quick = Quick
lab-thorough = With bots that search
lab-says-length = A match takes about { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}.
lab-says-longer = A match takes about { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}, { $by } more than by { $other }.
lab-says-shorter = A match takes about { $minutes ->
    [one] { $minutes } minute
   *[other] { $minutes } minutes
}, { $by } fewer than by { $other }.
lab-says-endless = { $share } of the matches do not end in time.
lab-says-first = Whoever starts wins { $share } of the matches; { $fair } would be fair.
lab-says-place = Whoever starts in place { $place } wins { $share } of the matches; { $fair } would be fair.
lab-says-even = No place in the order of play is shown to be better than another.
lab-says-role = { $role }: wins { $share } of the matches; { $fair } would be fair.
lab-says-out = A player is out, and waits, for { $share } of a match.
lab-says-forced = { $share } of the decisions have a single legal move.
lab-says-ties = { $share } of the matches end with several winners.
lab-says-skill = Somebody who plays well wins { $share } among people who play at random; { $fair } would be fair.
lab-says-luck = Playing like the house is not shown to be better than playing at random ({ $fair } would be fair): it is luck, or the house plays these rules badly.
lab-says-idle = A change that changes nothing: { $option }
lab-says-unused = A move that nobody made: { $move }
lab-says-rough = Bots that search had a minute. Their shares of wins are known to ±{ $points } points.
lab-these = These rules
lab-what = What
lab-difference = Difference (95 %)
lab-no-difference = no difference shown
lab-length = Length
lab-length-help = Where eight matches of ten lie, and the median. The numbers are the median and what nine of ten do not pass.
lab-wins-help = Bars are 95 % intervals, the dashed line is the fair share. Where they touch, no difference is shown.
lab-by-order = Wins by the order of play
lab-by-seat = Wins by seat
lab-by-role = Wins by role
lab-place = Place { $place }
lab-seat = Seat { $seat }
lab-facts = What a match is like
lab-facts-help = Matches of bots that play like the house, or that search where they were asked for.
lab-decisions = Moves in a match
lab-choices = Legal moves per turn
lab-forced = Turns with one legal move
lab-waiting = Waiting for others
lab-out = Being out
lab-ties = Several winners
lab-leads = Changes of the lead
lab-comebacks = Won from the last place half-way
lab-policies = By the way of playing
lab-policies-help = All play the same way, or one plays better than the others.
lab-policy = Way of playing
lab-policy-random = at random
lab-policy-house = like the house
lab-policy-search = searching
lab-duel = One { $one }, the others { $others }
lab-matches = Matches
lab-moves = Moves (median)
lab-first = Wins of the first to play, or of that one
lab-endings = Why matches end
lab-reason = Reason
lab-share = Share
lab-too-long = not in time
lab-effects = What each option does
lab-effects-help = Matches that go otherwise if that option alone is set otherwise and the luck stays the same.
lab-option = Option
lab-otherwise = Set to
lab-changed = Matches that change
lab-nothing = nothing changes
lab-worth = What each move is worth
lab-worth-help = How often a seat wins that alone may not make that move.
lab-move = Move
lab-without = Wins without it
lab-roles = What each role is worth
lab-roles-taken-help = The second share is that of a seat that alone may not choose the role.
lab-roles-dealt-help = The second share is that of the role’s player without its own moves or, where there is no other, with any of them.
lab-role = Role
lab-role-wins = Wins
lab-role-untaken = Wins without choosing it
lab-role-unused = Wins without using it
lab-never = What nobody chose
lab-never-help = Bots could have chosen it and never did.
lab-value = Choice
lab-offered = Chances
lab-real = { $count } { $count ->
    [one] real match
   *[other] real matches
}
lab-real-help = Matches that people finished here by the same rules, with as many seats.
lab-foretold = Foretold
lab-happened = Happened
