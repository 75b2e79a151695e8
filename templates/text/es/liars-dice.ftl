liars-dice-name = Dados del mentiroso
liars-dice-tagline = Calcula los dados que hay bajo todos los conos; cada fallo cuesta tantos dados como la diferencia
liars-dice-picture = Un dado de apuesta que avanza entre dos conos

liars-dice-option-track = Casillas rojas de timón
liars-dice-option-track-help = Dónde queda una apuesta de timones entre las apuestas de números.
liars-dice-option-track-bluff = Bluff: el timón 4 entre el 7 y el 8
liars-dice-option-track-classic = Clásico: el timón 4 entre el 8 y el 9

liars-dice-refused-no_bid = Todavía no hay ninguna apuesta que desafiar.
liars-dice-refused-bid_too_high = No se pueden apostar más dados de los que quedan en juego.
liars-dice-refused-bid_too_low = Avanza el dado de apuesta, o déjalo en su casilla con un valor más alto.

liars-dice-phase-bidding = Apuestas
liars-dice-phase-finished = Fin de la partida

liars-dice-move-bid = Apostar
liars-dice-move-challenge = Retar

liars-dice-tray-challenge = ¡Reto!
liars-dice-tray-challenge-hint = No hay tantos
liars-dice-tray-wild = { $count ->
    [one] timón
   *[other] timones
}

liars-dice-event-start_rolled = { $seat } saca { $dice } para decidir quién empieza.
liars-dice-event-first_seat = Empieza { $seat }.
liars-dice-event-round_started = Empieza la ronda { $round }; abre { $opener }.
liars-dice-event-rolled = Tus dados: { $dice }
liars-dice-event-bid = { $seat }: { $face ->
    [1] al menos { $count } { $count ->
        [one] timón
       *[other] timones
    }
   *[other] al menos { $count } × { $face }
}
liars-dice-event-call = { $seat }: ¡{ $call }!
liars-dice-event-revealed = Se levantan los conos: hay { $actual }.
liars-dice-event-lost = { $seat } pierde { $dice ->
    [one] un dado
   *[other] { $dice } dados
}; { $left ->
    [one] le queda { $left }
   *[other] le quedan { $left }
}.
liars-dice-event-eliminated = { $seat } se queda sin dados y fuera de la partida.
liars-dice-event-game_over = La partida ha terminado.

liars-dice-word-challenge = Reto
liars-dice-word-bluff = Bluff
liars-dice-word-classic = Clásico
liars-dice-word-last_standing = la última persona con dados
