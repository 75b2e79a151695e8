# Matches and tables: why a request was refused, one for each code.
error-match_not_found = There is no such match.
error-match_not_running = This match is not being played.
error-match_not_waiting = This match has started already.
error-match_over = This match is over already.
error-match_not_over = This can be seen once the match is over.
error-match_never_started = A match that ended before it started has no record.
error-version_not_found = The match has not come that far.
error-match_full = All seats are taken.
error-not_seated = You have no seat in this match.
error-already_seated = You have another seat in this match already.
error-seat_taken = Somebody else has this seat.
error-seats_open = There are free seats, so it cannot start yet.
error-invalid_seat = There is no such seat.
error-invalid_seats = This game is not for so many players.
error-invalid_options = The rules chosen for this game are not valid.
error-unknown_game = There is no such game.
error-unknown_mode = There is no such way to hold a match.
error-unknown_table = There is no such table.
error-resigned = You have given up in this match.
error-version_conflict = Things have changed in the meantime. Please look again and choose anew.
error-busy = Several moves came at once. Please try again.
error-other_revision = This match was played by earlier rules and cannot go on.
error-not_shown_yet = Spectators cannot see this match yet.
error-too_many_invitations = No more people can be invited.
error-unknown_player = There is no such person.
error-table_not_found = There is no such table.
error-table_name_taken = There is a table of this name already.
error-too_many_tables = No more tables can be made.

field-out_of_range = This is outside the allowed range.
field-one_each = There must be one for each seat.
field-taken = This is in use already.

# Why a move was refused, for all games.
refused-game_over = The game is over.
refused-not_your_turn = It is not your turn.
refused-unknown_move = There is no such move in this game.
refused-invalid_move = The move is not well formed.
