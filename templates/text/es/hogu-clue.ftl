hogu-clue-name = Hogu Clue
hogu-clue-tagline = Pide palos y números, cambia cartas y nombra antes que nadie una de las cartas ocultas
hogu-clue-picture = Una mano de cartas y una lupa sobre las ocultas

hogu-clue-option-max_rounds = Última ronda para pedir
hogu-clue-option-max_rounds-help = Después de esta ronda ya no se puede pedir: quien tenga el turno debe responder.
hogu-clue-option-same_kind_back = Devolver la misma clase
hogu-clue-option-same_kind_back-help = Quien pide puede entregar una carta del mismo palo o número que ha pedido. Si se desactiva, debe dar otra clase si la tiene.

hogu-clue-refused-wrong_phase = Ahora no toca eso: durante un intercambio solo se entrega una carta; fuera de él, solo se pide o se responde.
hogu-clue-refused-calls_closed = Ya no se puede pedir; ahora hay que responder.
hogu-clue-refused-not_your_card = Esa carta no está en tu mano.
hogu-clue-refused-not_matching = Tienes que entregar una carta del palo o número pedido.
hogu-clue-refused-same_kind = Tienes cartas de otra clase que la pedida: debes entregar una de ellas.
hogu-clue-refused-card_known = Esa carta ya la ves; nombra una que no veas.

hogu-clue-phase-turn = Pedir o responder
hogu-clue-phase-exchange = Intercambio
hogu-clue-phase-final = Solo respuestas
hogu-clue-phase-finished = Fin de la partida

hogu-clue-move-call = Pedir
hogu-clue-move-answer = ¡Respuesta!
hogu-clue-move-give = Entregar

hogu-clue-event-dealt = Tus cartas: { $cards }
hogu-clue-event-opened = Descubiertas en el centro: { $cards }
hogu-clue-event-turn_started = Ronda { $round }, turno { $turn }: { $seat }
hogu-clue-event-called = { $seat } pide. Orden de consulta: { $asked }
hogu-clue-event-called-suit = { $seat } pide { $suit }. { $holder ->
    [none] Nadie tiene.
   *[other] { $holder } tiene: intercambian.
}
hogu-clue-event-called-rank = { $seat } pide el número { $rank }. { $holder ->
    [none] Nadie tiene.
   *[other] { $holder } tiene: intercambian.
}
hogu-clue-event-gave = { $seat } ha elegido la carta que entrega.
hogu-clue-event-gave-card = { $seat } entrega { $card }.
hogu-clue-event-exchanged = Intercambio hecho: { $seats }
hogu-clue-event-exchanged-gave = Intercambio hecho: { $seats }. Diste { $gave } y recibiste { $got }.
hogu-clue-event-answered = { $seat } responde: ¡{ $card } está oculta! { $right ->
    [true] Acierta.
   *[other] Falla.
} Puesto { $rank }; mano descubierta: { $opened }
hogu-clue-event-looked = Las cartas ocultas: { $hidden }
hogu-clue-event-game_over = La partida ha terminado. Las cartas ocultas: { $hidden }

hogu-clue-word-none = nadie
hogu-clue-word-S = picas
hogu-clue-word-H = corazones
hogu-clue-word-D = diamantes
hogu-clue-word-C = tréboles
hogu-clue-word-S1 = ♠1
hogu-clue-word-S2 = ♠2
hogu-clue-word-S3 = ♠3
hogu-clue-word-S4 = ♠4
hogu-clue-word-H1 = ♥1
hogu-clue-word-H2 = ♥2
hogu-clue-word-H3 = ♥3
hogu-clue-word-H4 = ♥4
hogu-clue-word-D1 = ♦1
hogu-clue-word-D2 = ♦2
hogu-clue-word-D3 = ♦3
hogu-clue-word-D4 = ♦4
hogu-clue-word-C1 = ♣1
hogu-clue-word-C2 = ♣2
hogu-clue-word-C3 = ♣3
hogu-clue-word-C4 = ♣4
hogu-clue-word-JK = comodín
hogu-clue-word-one_left = quedaba una sola persona
hogu-clue-word-answer = respuesta
hogu-clue-word-call = petición

hogu-clue-board-rank = el número { $rank }
hogu-clue-board-found = hallada
hogu-clue-board-giving = para dar
hogu-clue-board-given = Ya eligió: { $names }
hogu-clue-board-in-vain = no tiene: { $names }
hogu-clue-board-nobody = nadie tiene
hogu-clue-board-right = acierto
hogu-clue-board-wrong = fallo
hogu-clue-board-earlier = Turnos anteriores

# En la mano.
hogu-clue-tray-turn = Te toca. Abre tu libreta para pedir o responder
hogu-clue-tray-final = Ahora solo se puede responder
hogu-clue-tray-give-called = Carta pedida: { $call }. Entrega una
hogu-clue-tray-give-any = Intercambio: elige la carta que entregas
hogu-clue-tray-hand = Mis cartas
hogu-clue-tray-give = Dar
hogu-clue-tray-notebook = Libreta
hogu-clue-tray-help = Toca un palo o un número para pedirlo, o una casilla para responder con esa carta.
hogu-clue-tray-help-final = Toca una casilla para responder con esa carta.
hogu-clue-tray-pencil = Marcar a lápiz
hogu-clue-tray-marks = no|dudosa|sospechosa
hogu-clue-tray-absent = Quién no tiene ahora
hogu-clue-tray-swaps = Mis intercambios
hogu-clue-tray-note-own = mía
hogu-clue-tray-note-open = vista
hogu-clue-tray-note-laid = descubierta por
hogu-clue-tray-note-found = hallada
hogu-clue-tray-note-hidden = oculta
hogu-clue-tray-note-seen = la tuvo
hogu-clue-tray-note-wrong = fallo
hogu-clue-tray-note-unknown = ?
