# The floor and the parties at its tables: calls, and what staff did.
table-seated = Seated
table-held = Tournament
seat-all-the-same = Seat a party here all the same
table-closing = Closing
table-out = Out of service
party-of = { $count ->
    [one] { $count } person
   *[other] { $count } people
}
party-at = { $count } of { $seats }
party-size = Party size
seat-at = { $name }: seat a party
nothing-played = No game yet
attention-none = Nothing needs you right now.
attention-long-sitting = has been here for long
attention-left-behind = left behind on the table
attention-check-in = To be checked in
attention-claim = asks to go on with a new phone
boxes-here = Boxes on the table
box-lend = Lend a box
box-none = No such box is on its shelf.
box-to-return = To the return zone
box-home = To its shelf
box-to-shelf = To shelf { $shelf }
wall-screen = Wall screen
appointments = New managers and owners
appointment = { $name } has a new role: { $role }
appointment-by = { $by } gave { $name } a new role: { $role }
appointments-look = See the staff
new-device = You signed in on a new device
new-device-help = If it was not you, change your password and sign the other devices out.
new-device-look = See your account
just-done = Just done
undo = Undo
sitting-leaves = Start clearing
sitting-stays = They stay
sitting-gone = They have left
sitting-longer = Ask in an hour
start-match = Start a match
call-hear = On my way
call-settle = Settled

call-rules = Explain the rules
call-order = Order
call-game = Another game
call-broken = Broken or missing
call-bill = Pay
call-other = Help
call-open = Called
call-is-heard = On the way
call-is-settled = Settled
call-is-taken-back = Taken back
call-take-back = Take back
call-staff = Call somebody
call-note = A word about it (optional)
your-calls = Your calls

guest-free = A free table
guest-free-help = Sit down under a name to play at this table and to call somebody.
guest-kept = A table of { $tournament }
guest-kept-help = Round { $round } is played here. Please take another table, or ask the staff.
guest-kept-since = Kept since { $time }.
guest-kept-open = See the tournament
guest-kept-force = Sit down all the same
flash-table-kept = A tournament plays at this table, so nobody can sit down now.
guest-closing = This table is being cleared. If you have just come, please speak to us.
join-party = Sit at this table
join-party-button = Sit down

table-back = Back in service
table-out-reason = Why it is out of service
table-out-button = Out of service
table-place = Place
table-place-button = Put there
qr-receipt = 80 mm receipt
history = History
history-of = History of { $name }
history-older = Further back
history-empty = Nothing has happened here yet
history-empty-help = Parties, matches, calls and what staff do will be listed here.
past-sitting = { $count ->
    [one] A party of { $count }
   *[other] A party of { $count }
}
sittings-title = Parties
sittings-empty = No party was there then
sittings-empty-help = Another hour or a longer period may show some.
sittings-when = When
sittings-minutes = Minutes
sittings-export = Download as CSV
sittings-from = Came
sittings-until = Left
sittings-there = still there
end-left = left
end-forgotten = closed by itself
end-merged = joined others
end-undone = undone

party-too-many = { $count } of { $seats }, { $short ->
    [one] one seat
   *[other] { $short } seats
 } short
party-fewer = One fewer
party-more = One more
sheet-back = Back to { $name }
sheet-keys = What to do at this table
move-or-merge = Move or join
move-help = Where to? Tap a table of the floor. At a table with guests the two parties sit down together.
move-from = Here now
move-into = Move → { $there }
merge-into = Join → { $there }
owed = Owed
owed-so-far = Owed so far
owed-help = It stands still from the moment you mark the table as clearing.
money-krw = { $amount } KRW
money-other = { $amount } { $currency }
span-hours = { $h } h
bill-first = { $people } × first { $first } { $price }
bill-steps = { $people } × (first { $first } { $price } + { $step } { $step-price } × { $steps })
bill-day-pass = { $people } × { $each } with a day pass
bill-free = { $people } × free
leave-and-pay = Leave and pay
leave-help = When they have left, their calls are settled and their matches that have not started are called off. You can undo it for ten minutes.
sitting-people = Guests with phones
sitting-people-look = Look
phones-count = { $count ->
    [one] One phone
   *[other] { $count } phones
}
joined-welcome = They belong here
joined-refuse = Refuse
attention-joined = One more came to a party that was complete
match-look = See the match
match-withdraw = Call it off
tournament-look = See the tournament
due-claim = New phone
due-joined = One more
due-long-turn = Long turn
due-long-wait = Not started
due-stuck = Stuck
due-long-sitting = Long stay
due-box = Box left
due-result = Result
due-tournament = Tournament
flash-sitting-welcome = Belongs to the party: { $name }
flash-match-withdrawn = Called off: { $name }

flash-undone = Undone.
flash-sitting-open = Seated: { $name }
flash-sitting-close = Free again: { $name }
flash-sitting-move = Moved: { $name }
flash-sitting-merge = Joined: { $name }
flash-sitting-remove = Taken off the party: { $name }
flash-sitting-closing = Being cleared: { $name }
flash-sitting-stay = They stay: { $name }
flash-sitting-resize = Party size changed: { $name }
flash-sitting-extend = You will be asked again in an hour: { $name }
flash-match-made = A match waits for players: { $name }
flash-call-heard = They know that you are on your way.
flash-call-settled = Settled.
flash-table-out = Out of service: { $name }
flash-table-back = Back in service: { $name }
flash-table-placed = The order was changed.
flash-table-reason-wrong = Please give a reason of at most 120 characters.
flash-joined-table = You sit at { $name }.
flash-called = Somebody will come to you. One moment, please.
flash-call-taken-back = The call was taken back.
flash-call-note-wrong = A note is one line of at most 200 characters.

error-not_at_table = Please scan the code on the table and sit down first.
error-removed_from_party = Staff took you off this party. If that was a mistake, please tell them.
error-join_token_invalid = This invitation is no longer valid. Please scan the code on the table.
error-sitting_not_found = There is no such party.
error-sitting_over = That party has left.
error-sitting_full = Nobody else can sit down here.
error-same_party = A party cannot be joined with itself.
error-table_occupied = Somebody sits at this table.
error-table_held = { $tournament } plays at this table. Take another one, or have staff move the bout first.
error-table_closing = This table is being cleared. Please speak to us.
error-table_out_of_service = This table is out of service.
error-call_not_found = There is no such call.
error-call_over = This call is over.
error-undo_not_found = There is nothing to undo.
error-undo_used = This was undone already.
error-undo_expired = It is too late to undo this.
error-cannot_undo = Things have changed since, so this can no longer be undone.

# The end of the day: settling what is open at once, and notes for the next shift.
closing = Close the day
closing-parties = Parties that are here
closing-parties-help = Those you choose leave. Their calls are settled, and matches that have not begun are called off.
closing-waiting = { $count ->
    [one] One thing waits for an answer.
   *[other] { $count } things wait for an answer.
}
closing-boxes = Boxes that are out
closing-box-lost = Missing
closing-box-keep = Leave it
closing-matches = Matches that have not begun
closing-help = Closing settles at once all that is chosen above. You can undo all of it for ten minutes.
closing-button = Close the day
closing-done = Nothing is left to settle
closing-done-help = Nobody is here, and no box is out.
closing-figures = Today
closing-came = Guests
closing-parties-people = { $people } in { $parties ->
    [one] one party
   *[other] { $parties } parties
}
closing-played = Matches played
closing-owed = Owed by those who left
closing-left = What stays
closing-left-help = Closing leaves these as they are. Look at them one by one if you need to.
closing-running = Running match
closing-tournament = Running tournament
settled-sittings = { $count ->
    [one] one party
   *[other] { $count } parties
}
settled-copies = { $count ->
    [one] one box
   *[other] { $count } boxes
}
settled-matches = { $count ->
    [one] one match
   *[other] { $count } matches
}
shift-notes = Notes for the next shift
shift-note-new = To the next shift
shift-note-help = It stands on the floor until somebody has read it. Up to 300 characters.
shift-note-button = Leave a note
shift-note-read = Read
flash-day-closed = The day is closed: { $name }
flash-day-closed-nothing = Nothing was left to settle.
flash-shift-note-written = The note is left.
flash-shift-note-read = The note is read.
flash-shift-note-wrong = A note is one line of up to 300 characters.
error-shift_note_not_found = There is no such note.

# The floor plan.
plan = Floor plan
plan-edit = Edit the floor plan
plan-no-area = No area
plan-at = column { $x }, row { $y }
plan-tools = Chosen table
plan-narrower = Narrower
plan-wider = Wider
plan-lower = Shorter
plan-higher = Taller
plan-round = Round
plan-off = Take off the plan
plan-numbers = Change by numbers
plan-numbers-help = The upper left corner is column 1, row 1. The plan is { $columns } columns wide and { $rows } rows high. A table without numbers is not on the plan.
plan-x = Column
plan-y = Row
plan-width = Width
plan-height = Height
plan-help = Drag each table to where it stands. On a keyboard, arrow keys move it, Shift and arrow keys change its size, and Delete takes it off.
plan-save = Save the plan
plan-rest = Not on the plan
plan-rest-help = Tap one to put it in a free place.
plan-arrange = Place all of them and save
plan-reload = Load the new plan
floor-as-plan = Show as a plan
floor-as-grid = Show as a list
flash-plan-saved = The floor plan is saved.
error-plan_changed = Somebody else has changed this plan meanwhile. Load the new plan and make your changes again.
field-overlaps = It overlaps another table.
