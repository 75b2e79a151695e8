# Statistics.
stats = Statistics
stats-period = Period
stats-today = Today
stats-7 = 7 days
stats-30 = 30 days
stats-90 = 90 days
stats-365 = 365 days
stats-choose = Choose days, a game and rules
stats-from = First day
stats-until = Last day
stats-shown = { $from } to { $until }.
stats-compared = Compared with { $from } to { $until }
stats-more = ▲ { $by }
stats-fewer = ▼ { $by }
stats-same = –
stats-before = before:
stats-empty = No match has ended in this period
stats-empty-help = Choose a longer period, or come back when the first match is over.
stats-table = Show as a table
stats-csv = Download CSV
stats-rest = { $count ->
    [one] One more row is
   *[other] { $count } more rows are
 } in the file; choose a game or its rules to see them here.
stats-xlsx = Download as a workbook (XLSX)
stats-finished = Matches finished
stats-aborted = Called off
stats-expired = Expired
stats-players = Seats taken
stats-guests = People who played
stats-new = First-time players
stats-parties = Parties
stats-people = Guests
stats-table-hours = Table-hours
stats-occupancy = Occupancy (%)
stats-occupancy-field = { $percent } taken, { $hours } table-hours, { $parties ->
    [one] { $parties } party came
   *[other] { $parties } parties came
}
stats-tables = Tables taken
stats-tables-chart = How much of the time tables were taken in each hour of the week, in percent, the more the stronger the colour. The table below says the same.
stats-tables-help = The part of all tables’ time that parties sat there, in percent. The more, the stronger the colour.
stats-days = Day by day
stats-days-chart = Bars: how many matches finished on each day. The table below says the same.
stats-day = Day
stats-hours = Weekdays and hours
stats-hours-chart = How many matches finished in each hour of the week, the more the stronger the colour. The table below says the same.
stats-hours-help = A match counts for the hour in which it finished. The more, the stronger the colour.
stats-weekday = Weekday
stats-hour = Hour
stats-weekday-1 = Mon
stats-weekday-2 = Tue
stats-weekday-3 = Wed
stats-weekday-4 = Thu
stats-weekday-5 = Fri
stats-weekday-6 = Sat
stats-weekday-7 = Sun
stats-games = Games and variants
stats-rules = Rules
stats-basic = Basic game
stats-other = Unnamed rules { $hash }
stats-length = How long it takes
stats-length-help = The median, and the time that nine of ten did not exceed, in minutes, exact to 4.5%.
stats-minutes = usually { $median }, long { $most } min
stats-seat-count = Seats
stats-of-seats = { $count ->
    [one] { $count } seat
   *[other] { $count } seats
}
stats-median = Median (min)
stats-p90 = Nine of ten (min)
stats-seconds-per-move = { $seconds } s a move
stats-per-move = A move (s)
stats-seats = Wins by seat
stats-seats-help = The bar is the 95% confidence interval; the dashed line is where every seat wins alike.
stats-seat = Seat
stats-seat-of = seat { $seat } of { $count }
stats-wins = Wins
stats-share = Share (%)
stats-share-from = From (%)
stats-share-until = To (%)
stats-share-of = { $share } ({ $from }–{ $until })
stats-orders = Wins by order of play
stats-place = Place
stats-place-of = place { $place } of { $count }
stats-roles = Wins by role
stats-role = Role
stats-role-of = { $count ->
    [one] { $count } seat, { $role }
   *[other] { $count } seats, { $role }
}
stats-played = Times played
stats-returning = Who comes back
stats-came-back = Had played before
stats-returning-chart = People by the number of days on which they played. The table below says the same.
stats-visit-days = Days played
stats-visit-bar = { $days ->
    [one] { $days } day
   *[other] { $days } days
}: { $guests ->
    [one] { $guests } person
   *[other] { $guests } people
}
stats-visit-bar-more = { $days } days and more: { $guests ->
    [one] { $guests } person
   *[other] { $guests } people
}
stats-visit-more = { $days } and more
stats-other-zone = The figures are being computed for the time zone { $zone }. Until then they are those of { $kept }.
stats-unit-hours = h

# The three pages of figures, their units, and what each chart says.
stats-tab-house = The café
stats-tab-games = Games
stats-tab-people = People
stats-unit-people = { $count ->
    [one] person
   *[other] people
}
stats-unit-parties = { $count ->
    [one] party
   *[other] parties
}
stats-unit-matches = { $count ->
    [one] match
   *[other] matches
}
stats-unit-seats = { $count ->
    [one] seat
   *[other] seats
}
stats-says-days = { $most } is the busiest day ({ $count } on average), { $least } the quietest ({ $few }).
stats-says-tables = { $weekday } { $hour }:00 is the fullest hour: { $percent } of the tables’ time was taken.
stats-says-hours = Most matches finish on { $weekday } at { $hour }:00: { $count } in all.
stats-says-games = Played most: { $game }, { $percent } of all matches.
stats-says-unlent = { $count ->
    [one] { $count } title has not left its shelf in this period.
   *[other] { $count } titles have not left their shelves in this period.
}
stats-says-length = Takes longest: { $game } with { $count ->
    [one] { $count } seat
   *[other] { $count } seats
}, usually { $minutes } min.
stats-says-seats = Furthest from fair: { $game }, seat { $seat } of { $count }, wins { $share } (alike would be { $fair }).
stats-says-seats-fair = No seat clearly wins more or less than the others.
stats-says-seats-few = Too few matches yet to tell whether a seat wins more often.
stats-says-orders = Furthest from fair: { $game }, place { $place } of { $count } in the order of play, wins { $share } (alike would be { $fair }).
stats-says-orders-fair = No place in the order of play clearly wins more or less than the others.
stats-says-orders-few = Too few matches yet to tell whether a place in the order of play wins more often.
stats-says-roles = Furthest from fair: { $game } for { $count }, { $role }, wins { $share } (alike would be { $fair }).
stats-says-roles-fair = No role clearly wins more or less than the others.
stats-says-roles-few = Too few matches yet to tell whether a role wins more often.
stats-says-returning = Of { $count ->
    [one] { $count } person
   *[other] { $count } people
} who played, { $percent } had played here before.
