# A café is opened in four steps.
opening = Open the café
opening-cafe = The café
opening-tables = Tables
opening-address = Address and Wi-Fi
opening-scan = Scan it yourself
opening-step-done = (done)
opening-left = Before you open
opening-put-away = Put this list away
opening-later = Later
opening-next = Next
opening-language = Language for guests
opening-closed-days = Closed on
opening-count = How many tables
opening-seats = Seats at each
opening-tables-help = They are numbered from 1 on. Names and seats can be changed one by one later.
opening-tables-there = { $count ->
    [one] There is one table.
   *[other] There are { $count } tables.
}
opening-make-tables = Make the tables
opening-scan-help = Scan this code with the camera of your own phone. When it arrives, this page turns green.
opening-waiting = Waiting for your phone
opening-arrived = Your phone has arrived!
opening-arrived-help = Guests come in the same way from now on.
opening-to-floor = Go to the floor
opening-no-table = Make the tables first.
table-of-number = Table { $number }
flash-tables-made = Tables made: { $name }
setup-waits = This café is not set up yet
setup-waits-help = If it is yours, open the set-up link that the server has printed where it was started. Pasting the code after token= is enough.
setup-code = Set-up code
