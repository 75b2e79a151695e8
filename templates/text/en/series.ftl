# Series: a season in which the results of several tournaments add up.
series = Series
series-none = No series yet
series-none-help = The results of several tournaments add up to the standings of a season. Tournaments of different formats may go together.
series-older = Earlier series
series-make = New series
series-change = Change the series
series-name = Name of the series
series-draft = In preparation
series-running = Running
series-ended = Season over
series-draft-help = Only staff see it now. Once it is public, guests see the standings too.
series-open = Make the standings public
series-hide = Hide it again
series-reopen = Reopen the season
series-previous = Previous season
series-next = Next season
series-seasons = Other seasons
series-of = Series: { $name }

series-total = Total
series-bonus = Bonus
series-bonus-help = For having played, included in the total
series-accounts = { $count ->
    [one] 1 account
   *[other] { $count } accounts
}
series-dropped = Does not count:
series-place = #{ $rank }
series-move-up = Promotion
series-move-down = Relegation
series-move-up-open = Tied for promotion
series-move-down-open = Tied for relegation
series-move-open = Tied: please decide
series-no-rows = The standings appear once an event is over.

series-events = Events
series-no-events = No events yet.
series-event-add = Add a tournament
series-event-add-button = Add
series-event-of = Of which division?
series-all-divisions = All divisions
series-event-remove = Take { $name } out
series-no-others = There is no other tournament to add.
series-export-json = All of the series (JSON)

series-rules = Rules of the season
series-points = Points of an event
series-by-places = Points for each place
series-by-score = The points scored in the event
series-by-beaten = One for each player beaten, and one more
series-points-scale = By place: { $scale }
series-points-score = The points scored in the event
series-points-beaten = One for each player placed behind, and one more
series-scale-help = From the first place on, with spaces: 10 7 5 3 2 1. A shared place brings the average, a place that is not listed nothing.
series-best = Events that count
series-best-help = Only so many of the best results add up. Leave it blank to count all.
series-best-of = { $count ->
    [one] The best event
   *[other] The best { $count } events
}
series-best-all = All events
series-attendance = Attendance bonus
series-attendance-help = For each event played, also for those that do not count.
series-attendance-each = { $points } for each event played
series-tie-best_result = Best single event
series-tie-wins = Events won
series-tie-events = Events played
series-tie-latest = Latest event
series-tie-head_to_head = Places in common events

series-divisions = Divisions
series-divisions-help = The highest first. Leave all blank for none.
series-division-name = Division { $number }
series-up = Promoted
series-down = Relegated
series-promoted = { $count ->
    [one] the best goes up
   *[other] the best { $count } go up
}
series-relegated = { $count ->
    [one] the last goes down
   *[other] the last { $count } go down
}
series-division = Division
series-division-by-events = By the events they play

series-accounts-title = Accounts of this person
series-accounts-help = Guests with the same name count as one person, unless two of that name played in one event. Correct it here if that is wrong.
series-account-registered = Registered
series-account-guest = Guest
series-apart = Somebody else
series-by-name = Go by the name
series-same-as = Same person as
series-join = Join them

series-end = End of the season
series-end-only = End without a next season
series-delete = Delete the series
series-delete-help = A series in preparation can be deleted. Its tournaments stay.
series-next-help = Ends the season and prepares the next one, with promotion and relegation applied.
series-next-help-plain = Ends the season and prepares the next one by the same rules.
series-next-make = Make the next season
series-next-page-help = Rules and divisions stay the same. Check who plays in which division. You can change it in the next season, too.
series-next-name = Name of the next season
series-next-button = End the season and make the next
seed-by-series = By the series

flash-series-saved = Saved.
flash-series-event-added = The tournament counts in the series now.
flash-series-event-removed = The tournament no longer counts in the series.
flash-series-deleted = The series is deleted.
flash-series-continued = The season has ended, and the next one is made.

error-series_not_found = There is no such series.
error-series_changed = The series has changed in the meantime. Please look at it and try again.
error-series_ended = The season is over. Reopen it to change something.
error-series_continued = This season has a next one already.
error-series_not_draft = A public series cannot be deleted. Hide it first.
error-series_empty = The series has no standings yet.
error-too_many_events = The series cannot hold more tournaments.
error-met_in_event = Both played in the same event, so they cannot be one person.
