# Words on any page.
house = House Rules
house-motto = Fair winds and fair dice.
percent = { $number }%
skip = Skip to content
nav = Main menu
nav-more = More
nav-evening = This evening
nav-house = Games and guests
nav-office = Office
nav-account = Menu of { $name }
role-player = Player
role-staff = Staff
role-manager = Manager
role-owner = Owner
close = Close
language = Language
language-name = English
language-short = EN
theme = Brightness
theme-light = Light
theme-auto = As on this device
theme-dark = Dark
offline-since = The connection is lost. This is how things stood at
calls-open = unanswered calls: { $n }
unsent = There is no connection, so nothing was sent. Try again once it is back.
call-sound = Sound of a call
call-sound-off = Off
call-sound-once = Once
call-sound-again = Until answered
call-notify = Notify me on this device
lasting-seconds = { $s } s
since-now = now
since-minutes = { $m } min
since-hours = { $h } h { $m } min
since-days = { $d } d { $h } h
day = { $day } { $month ->
    [1] Jan
    [2] Feb
    [3] Mar
    [4] Apr
    [5] May
    [6] Jun
    [7] Jul
    [8] Aug
    [9] Sep
    [10] Oct
    [11] Nov
   *[other] Dec
}
day-of-year = { day } { $year }
keys = Keyboard shortcuts
keys-show = Show this sheet
keys-on = Use shortcuts
search = Search
search-help = Players, tables, games, codes, tournaments, variants and pages by name; Korean names also by initials, such as ㄱㅇㄹ.
search-none = Nothing found for { $text }.
found-places = Pages

sign-in = Sign in
sign-in-lead = This is the way in for the café’s staff.
sign-in-button = Come in
sign-out = Sign out
device-browser = { $browser } on { $system }
device-unknown = Unknown device
email = Email
password = Password
password-help = At least 8 characters.
password-help-staff = At least 12 characters.
change-password = Change password
current-password = Current password
new-password = New password
flash-password-changed = Your password is changed. Every other device is signed out.
setup = Open the café
setup-lead = Make the first owner’s account. This link works once.
setup-button = Open the café
your-name = Your name
to-floor = Go to the floor
to-home = To the front door

error-form_expired = This page was open for too long, so the form was not accepted. Reload the page and send it again.
error-staff_only = Only staff may come in here.

flash-signed-out = You have signed out.
flash-welcome = Welcome, { $name }. Begin by adding your tables.
