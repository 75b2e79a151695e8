# The waiting list: parties for whom no table is free, and the code at the door.
waiting-list = Waiting list
waiting-now-list = Waiting now
waiting-add = Add a party
waiting-add-button = Put on the list
waiting-none = Nobody is waiting.
waiting-name = Name
waiting-phone = Phone number (optional)
waiting-phone-help = We delete name and number soon after the wait ends.
waiting-call = Call
waiting-seat = Seat
waiting-seat-at = Seat at { $table }
waiting-no-show = Did not come
waiting-gone = Take off the list
waiting-fits-none = no table of this size gets free soon
waiting-table-later = { $table } ({ $wait })
waiting-more = and { $count } more
attention-waiting = a table is free for a party that waits
attention-waiting-called = was called and has not come yet
due-waiting = waiting list

waiting-is-waiting = Waiting
waiting-is-called = Called
waiting-is-seated = Seated
waiting-is-no-show = Did not come
waiting-is-gone = Left the list

waiting-now = any moment now
waiting-about = { $minutes ->
    [one] about a minute
   *[other] about { $minutes } minutes
}
waiting-between = { $least ->
    [0] at most { $most } minutes
   *[other] { $least } to { $most } minutes
}
waiting-more-than = more than { $least } minutes
waiting-no-estimate = no estimate yet

waiting-title = Your wait
waiting-position = You are number { $position } in line
waiting-stay-near = This page tells you as soon as your table is ready. Please stay nearby.
waiting-keep-open = Keep this page open.
waiting-since = Waiting since { $time }
waiting-ready = Your table is ready!
waiting-called-at = Called: { $time }
waiting-ready-help = Please come to the counter now.
waiting-seated = You have a table
waiting-to-table = Open our table
waiting-missed = We called you and nobody came, so your wait has ended. If you are still here, please tell the staff.
waiting-ended = Your wait has ended. See you next time!
waiting-leave = Stop waiting
waiting-parties = { $count ->
    [0] Nobody is waiting right now
    [one] { $count } party is waiting
   *[other] { $count } parties are waiting
}
waiting-join = Join the waiting list
waiting-join-button = We will wait

waiting-door = Code at the door
waiting-door-help = Put this sheet up at the door: guests scan it and join the list by themselves. The screen for the wall shows places and initials only.
waiting-door-make = Make a code for the door
waiting-door-renew = Replace the code
waiting-door-off = Joining by the code is switched off in the settings.
waiting-door-title = Waiting list
waiting-door-how = Scan to join the waiting list
waiting-own-page = The guests’ own page
waiting-own-page-help = Guests who scan this code see their place and the expected wait, and know at once when you call them.
waiting-screen-called = { $name } ({ $count }), please come to the counter
waiting-screen-position = Place
waiting-screen-wait = Expected
cafe-waiting-door = Guests join the waiting list by the code at the door
cafe-waiting-door-help = If this is off, only staff put parties on the list.

flash-waiting-added = On the waiting list: { $name }
flash-waiting-called = Called: { $name }
flash-waiting-no-show = Did not come: { $name }
flash-waiting-gone = Off the list: { $name }
flash-waiting-left = You are off the list.
flash-waiting-new-code = The door has a new code. The previous one leads nowhere now.

error-waiting_not_found = This wait has ended, or there is none like it.
error-waiting_over = This wait has ended. Somebody else may have been quicker.
error-waiting_called = Somebody else has called this party already.
error-waiting_list_full = The waiting list is full. Please ask the staff.
error-waiting_door_not_found = This code leads nowhere now. Please scan the one at the door.
error-waiting_door_shut = Guests cannot join the list by themselves right now. Please ask the staff.
field-no_phone = This is not a phone number. One looks like 010-1234-5678.

action-waiting-add = Put a party on the waiting list
action-waiting-call = Called a party that waits
action-waiting-seat = Seated a party that waited
action-waiting-no-show = Noted that a party did not come
action-waiting-gone = Took a party off the waiting list
action-waiting-new-code = Gave the door a new code
