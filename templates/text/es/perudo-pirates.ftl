perudo-pirates-name = Perudo: edición pirata
perudo-pirates-tagline = Agita el cubilete pirata, fanfarronea y gana dados con «¡Mentira!» o «¡Exacto!»
perudo-pirates-picture = Un barco a vela y dados con calaveras

perudo-pirates-option-hidden = Oculto
perudo-pirates-option-hidden-help = Después de una apuesta no se vuelven a tirar los dados.
perudo-pirates-option-high_risk = Alto riesgo
perudo-pirates-option-high_risk-help = Un error cuesta tantos dados como la diferencia. Desafiar una apuesta exacta cuesta un dado a cada persona, salvo a quien la hizo.
perudo-pirates-option-showdown = Duelo
perudo-pirates-option-showdown-help = Quien se queda con un solo dado puede cambiar las reglas de una ronda en su siguiente turno.
perudo-pirates-option-first_blood = Primera sangre
perudo-pirates-option-first_blood-help = La partida termina cuando alguien queda fuera; todas las demás personas ganan.
perudo-pirates-option-track = Casillas de calavera
perudo-pirates-option-track-help = Dónde queda una apuesta de calaveras entre las apuestas de números.
perudo-pirates-option-track-classic = Clásico: la calavera 4 entre el 8 y el 9
perudo-pirates-option-track-bluff = Bluff: la calavera 4 entre el 7 y el 8
perudo-pirates-option-cap_five = Cinco dados como máximo
perudo-pirates-option-cap_five-help = Con cinco dados o más, acertar con «¡Exacto!» no da ningún dado.
perudo-pirates-option-high_risk_exact = «¡Exacto!» con alto riesgo
perudo-pirates-option-high_risk_exact-help = Lo que pierde quien hizo la apuesta cuando alguien acierta con «¡Exacto!» en una partida de alto riesgo.
perudo-pirates-option-high_risk_exact-one = Un dado
perudo-pirates-option-high_risk_exact-none = Ningún dado

perudo-pirates-refused-must_decide = Decide primero si vuelves a tirar o te quedas con tus dados.
perudo-pirates-refused-nothing_to_reroll = Solo se vuelve a tirar justo después de la propia apuesta.
perudo-pirates-refused-no_showdown = Ahora no puedes declarar el duelo.
perudo-pirates-refused-no_bid = Todavía no hay ninguna apuesta.
perudo-pirates-refused-exact_forbidden = En un duelo no se puede decir «¡Exacto!».
perudo-pirates-refused-bid_too_high = No se pueden apostar más dados de los que hay.
perudo-pirates-refused-face_locked = En un duelo no se puede cambiar el valor.
perudo-pirates-refused-bid_too_low = Sube el valor o la cantidad de la apuesta anterior.
perudo-pirates-refused-reroll_dice = Aparta solo dados de tu cubilete y deja al menos uno para tirar.

perudo-pirates-phase-bidding = Apuestas
perudo-pirates-phase-rerolling = Nueva tirada
perudo-pirates-phase-finished = Fin de la partida

perudo-pirates-move-bid = Apostar
perudo-pirates-move-reroll = Volver a tirar
perudo-pirates-move-stand = Quedarme con mis dados
perudo-pirates-move-challenge = ¡Mentira!
perudo-pirates-move-exact = ¡Exacto!
perudo-pirates-move-showdown = ¡Duelo!

perudo-pirates-tray-challenge = ¡Mentira!
perudo-pirates-tray-challenge-hint = No hay tantos
perudo-pirates-tray-exact = ¡Exacto!
perudo-pirates-tray-exact-hint = Justo esos
perudo-pirates-tray-wild = { $count ->
    [one] calavera
   *[other] calaveras
}
perudo-pirates-tray-decide = Para volver a tirar enseñas a todos los dados del cubilete; los que guardas se quedan fuera.
perudo-pirates-tray-ticks = Elige los dados que guardas · toca para tapar
perudo-pirates-tray-look = Toca para elegir los dados que guardas
perudo-pirates-tray-keep = Guardar { $kept }, tirar { $rolled }
perudo-pirates-missing-keep = Elige al menos un dado para guardar.

perudo-pirates-event-first_seat = Empieza { $seat }.
perudo-pirates-event-round_started = Empieza la ronda { $round }; abre { $opener }.
perudo-pirates-event-rolled = Tus dados: { $dice }
perudo-pirates-event-bid = { $seat }: { $face ->
    [1] al menos { $count } { $count ->
        [one] calavera
       *[other] calaveras
    }
   *[other] al menos { $count } × { $face }
}
perudo-pirates-event-reroll = { $seat } muestra { $shown }, aparta { $keep } y vuelve a tirar el resto.
perudo-pirates-event-stand = { $seat } se queda con sus dados.
perudo-pirates-event-showdown = { $seat }: ¡Duelo! Las calaveras valen 1, el valor no cambia y nadie puede decir «¡Exacto!».
perudo-pirates-event-call = { $seat }: ¡{ $call }!
perudo-pirates-event-revealed = Se levantan los cubiletes: hay { $actual }.
perudo-pirates-event-lost = { $seat } pierde { $dice ->
    [one] un dado
   *[other] { $dice } dados
}; { $left ->
    [one] le queda { $left }
   *[other] le quedan { $left }
}.
perudo-pirates-event-gained = { $seat } toma { $dice ->
    [one] un dado
   *[other] { $dice } dados
} del centro y tiene { $left }.
perudo-pirates-event-eliminated = { $seat } se queda sin dados y fuera de la partida.
perudo-pirates-event-game_over = La partida ha terminado.

perudo-pirates-word-challenge = Mentira
perudo-pirates-word-exact = Exacto
perudo-pirates-word-classic = Clásico
perudo-pirates-word-bluff = Bluff
perudo-pirates-word-one = uno
perudo-pirates-word-none = ninguno
perudo-pirates-word-last_standing = la última persona con dados
perudo-pirates-word-first_blood = Primera sangre
