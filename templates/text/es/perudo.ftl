perudo-name = Perudo
perudo-tagline = El juego peruano de faroles con dados ocultos bajo los cubiletes
perudo-picture = Tres cubiletes, dados tirados y una apuesta

perudo-option-palifico = Rondas Palífico
perudo-option-palifico-help = Quien se queda con un solo dado abre una ronda en la que los Pacos no son comodines y el valor no cambia.
perudo-option-calza = Calza (regla experta)
perudo-option-calza-help = Cualquiera puede decir que la apuesta es exacta: si acierta, recupera un dado; si falla, pierde uno.

perudo-refused-no_bid = Todavía no hay ninguna apuesta.
perudo-refused-bid_too_high = No se pueden apostar más dados de los que quedan en juego.
perudo-refused-paco_opening = La primera apuesta de una ronda normal no puede ser a Pacos.
perudo-refused-face_locked = En una ronda Palífico solo puede cambiar el valor quien ya ha sido Palífico.
perudo-refused-bid_too_low = Hay que superar la apuesta anterior.

perudo-phase-bidding = Apuestas
perudo-phase-finished = Fin de la partida

perudo-move-bid = Apostar
perudo-move-dudo = ¡Dudo!
perudo-move-calza = ¡Calza!

perudo-tray-dudo = ¡Dudo!
perudo-tray-dudo-hint = No hay tantos
perudo-tray-calza = ¡Calza!
perudo-tray-calza-hint = Justo esos
perudo-tray-wild = { $count ->
    [one] Paco
   *[other] Pacos
}

perudo-event-first_seat = Empieza { $seat }.
perudo-event-round_started = Empieza la ronda { $round }; abre { $opener }.
perudo-event-rolled = Tus dados: { $dice }
perudo-event-bid = { $seat }: { $face ->
    [1] al menos { $count } { $count ->
        [one] Paco
       *[other] Pacos
    }
   *[other] al menos { $count } × { $face }
}
perudo-event-call = { $seat }: ¡{ $call }!
perudo-event-revealed = Se levantan los cubiletes: hay { $actual }.
perudo-event-lost = { $seat } pierde { $dice ->
    [one] un dado
   *[other] { $dice } dados
}; { $left ->
    [one] le queda { $left }
   *[other] le quedan { $left }
}.
perudo-event-gained = { $seat } recupera { $dice ->
    [one] un dado
   *[other] { $dice } dados
} y tiene { $left }.
perudo-event-eliminated = { $seat } pierde su último dado y queda fuera de la partida.
perudo-event-palifico = { $seat }: ¡Palífico! En esta ronda los Pacos no son comodines.
perudo-event-game_over = La partida ha terminado.

perudo-word-dudo = Dudo
perudo-word-calza = Calza
perudo-word-last_standing = la última persona con dados
