# Partidas y mesas: por qué se rechaza una petición, un mensaje por código.
error-match_not_found = Esa partida no existe.
error-match_not_running = Esta partida no está en juego.
error-match_not_waiting = Esta partida ya ha empezado.
error-match_over = Esta partida ya ha terminado.
error-match_not_over = Se podrá ver cuando termine la partida.
error-match_never_started = Una partida que terminó sin empezar no tiene acta.
error-version_not_found = La partida no ha llegado hasta ahí.
error-match_full = No quedan sitios libres.
error-not_seated = No tienes sitio en esta partida.
error-already_seated = Ya tienes otro sitio en esta partida.
error-seat_taken = Ese sitio está ocupado.
error-seats_open = Todavía hay sitios libres: no se puede empezar.
error-invalid_seat = Ese sitio no existe.
error-invalid_seats = Este juego no es para tantas personas.
error-invalid_options = Las reglas elegidas para este juego no son válidas.
error-unknown_game = Ese juego no existe.
error-unknown_mode = Esa forma de jugar no existe.
error-unknown_table = Esa mesa no existe.
error-resigned = Has abandonado esta partida.
error-version_conflict = La situación ha cambiado. Mira de nuevo y vuelve a elegir.
error-busy = Han llegado varias jugadas a la vez. Inténtalo de nuevo.
error-other_revision = Esta partida se jugó con reglas anteriores y no puede continuar.
error-not_shown_yet = Quienes miran todavía no pueden ver esta partida.
error-too_many_invitations = No se puede invitar a más gente.
error-unknown_player = Esa persona no existe.
error-table_not_found = Esa mesa no existe.
error-table_name_taken = Ya hay una mesa con ese nombre.
error-too_many_tables = No se pueden crear más mesas.

field-out_of_range = Está fuera del intervalo permitido.
field-one_each = Tiene que haber uno por sitio.
field-taken = Ya está en uso.

# Por qué se rechaza una jugada, en todos los juegos.
refused-game_over = La partida ha terminado.
refused-not_your_turn = No es tu turno.
refused-unknown_move = Esa jugada no existe en este juego.
refused-invalid_move = La jugada no tiene la forma correcta.
