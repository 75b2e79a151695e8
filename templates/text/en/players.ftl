# Players, ratings, leaderboards.
players-title = Players
players-search = Name, email, #1A2B
players-search-button = Find
players-kind = Kind of account
players-registered = Registered
players-guests = Guests
players-banned = Banned
players-none = Nobody found
players-none-help = Try part of the name, the start of the email, or the four digits of the tag.
players-none-of-kind = Nobody here
players-see-all = See everybody
players-older = Earlier players
role-guest = Guest
banned = Banned
banned-until = Banned until { $time }
banned-lasting = Banned until somebody lifts it

player-account = Account
player-since = First seen
player-registered = Registered
player-history = What happened with this account
rename = Rename
devices = Devices
devices-none = Signed in nowhere.
device-seen = last used { $time }
device-sign-out = Sign out: { $device }
sign-out-everywhere = Sign out everywhere
ban = Ban
ban-help = Signs the player out everywhere at once; the house plays on for their seats. The ban ends by itself.
ban-length = For how long
ban-day = A day
ban-week = A week
ban-month = 30 days
ban-season = 90 days
ban-lasting = Until it is lifted
ban-button = Ban
ban-lift = Lift the ban

merge = Merge into another account
merge-lead = Find who this guest really is. Before anything happens you see what will follow.
merge-plan = What will follow
merge-seats = { $over ->
    [one] The seat in { $over } finished match
   *[other] The seats in { $over } finished matches
} and { $open ->
    [one] in { $open } open match
   *[other] in { $open } open matches
} become this account’s.
merge-ratings = Statistics and ratings are recomputed with those matches; ratings of the other players in them may change, too.
merge-sessions = { $count ->
    [one] { $count } device on which the guest is signed in is signed out.
   *[other] { $count } devices on which the guest is signed in are signed out.
}
merge-id = The guest’s old address leads to this account from now on.
merge-final = This cannot be undone.
merge-button = Merge
merge-other = Choose somebody else

player-stats = Statistics
player-matches = Finished matches
player-matches-none = No match played to its end yet.
player-place = Place
player-finished = Finished
wins = Wins
places = 1st · 2nd · …
streak = Streak (best)
calls = Calls right
bluffs = Bluffs passed
luck = Luck
stats-help = Luck is how many more wild faces came up than expected. Only finished matches count.
head-to-head = Head to head
opponent = Opponent
met-ahead = Ahead
met-behind = Behind
met-level = Level

ratings = Ratings
rating = Rating
ratings-none = No match has counted for a rating yet.
ratings-guest = A guest’s matches count once the guest has registered, those played before as well.
rated-matches = { $count ->
    [one] { $count } match
   *[other] { $count } matches
}
provisional = Provisional
graph-title = { $name }: rating in { $game } over { $count ->
    [one] the latest match
   *[other] the latest { $count } matches
}
graph-table = As a table
rating-why = Why
why-played = Place { $place }: ahead of { $beaten } of { $opponents }, { $expected } expected.
why-left-early = Left early, so rated as last behind { $opponents ->
    [one] one other
   *[other] { $opponents } others
}; { $expected } expected.
why-left-alone = All others left early, so nothing changed.
why-too-often = Two people rate { $most } matches of a game a day, so nothing changed.

leaderboards = Leaderboards
board-variant = Rules
board-all-rules = All rules
board-month = Month
board-now = Now
board-who = Who
board-sure = Established
board-see-provisional = See provisional ratings
board-empty = Nobody is ranked yet
board-empty-help = Registered players who finish a match together show up here.
board-empty-sure = Players show up here once their rating is sure, after a good number of matches.
board-next = Next ranks
board-help = Everybody starts at 1000. A rating is a strength that the player almost certainly has, and gets surer with every match. Only matches that registered players finished together count.

flash-player-renamed = Renamed: { $name }
flash-player-banned = The player is banned.
flash-ban-lifted = The ban is lifted.
flash-player-signed-out = Signed out.
flash-player-merged = Merged. Statistics and ratings follow in a moment.
