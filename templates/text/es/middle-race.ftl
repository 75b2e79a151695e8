middle-race-name = Carrera del medio
middle-race-tagline = Diez personajes, diez habilidades y una carrera que se gana llegando por el medio
middle-race-picture = Peones en una pista y un podio con el centro más alto

middle-race-option-track_length = Longitud de la pista
middle-race-option-track_length-help = Cuántas casillas hay entre la salida y la meta.
middle-race-option-move_cards = Cartas de movimiento
middle-race-option-move_cards-help = La mano completa tiene una carta de cada número, del 1 a este.
middle-race-option-characters = Personajes
middle-race-option-characters-help = Si se eligen por turnos o se reparten.
middle-race-option-characters-draft = Se eligen por turnos
middle-race-option-characters-random = Se reparten al azar
middle-race-option-winner = Puestos ganadores
middle-race-option-winner-help = Qué puestos de llegada ganan.
middle-race-option-winner-middle = El del medio
middle-race-option-winner-not_ends = Todos menos el primero y el último
middle-race-option-full_race = Correr hasta el final
middle-race-option-full_race-help = Cuando gana el medio: se corre hasta que queda un peón y se clasifica por cercanía al puesto central.
middle-race-option-max_rounds = Máximo de rondas
middle-race-option-max_rounds-help = Tras esta ronda se detiene la carrera y los peones más adelantados ocupan los puestos que quedan.
middle-race-option-open_hands = Manos a la vista
middle-race-option-open_hands-help = Las cartas de movimiento de todos están descubiertas.
middle-race-option-deal_counts_as_reset = El reparto cuenta como reinicio
middle-race-option-deal_counts_as_reset-help = Al repartir las primeras cartas, Oferta da una y Copia copia una habilidad.
middle-race-option-may_decline = Se puede renunciar a la habilidad
middle-race-option-may_decline-help = También las habilidades obligatorias pueden dejarse sin usar.

middle-race-refused-must_choose = Primero tienes que hacer la elección que se te pide.
middle-race-refused-not_a_choice = Eso no está entre lo que puedes elegir ahora.
middle-race-refused-nothing_to_choose = Ahora no hay nada que elegir: juega una carta.
middle-race-refused-no_gravity = Solo con la habilidad de Gravedad puedes descartar una carta para atraer un peón.
middle-race-refused-nobody_to_pull = No hay a quién atraer: hace falta un peón a dos casillas o más que no sea el último que señalaste.
middle-race-refused-card_not_in_hand = No tienes esa carta.

middle-race-phase-draft = Elección de personajes
middle-race-phase-turn = Jugar una carta
middle-race-phase-choosing = Actúa una habilidad
middle-race-phase-finished = Fin de la partida

middle-race-move-pick = Elegir personaje
middle-race-move-play = Jugar y avanzar
middle-race-move-discard = Descartar y atraer
middle-race-move-choose_seat = Señalar
middle-race-move-choose_card = Elegir carta
middle-race-move-choose_direction = Empujar
middle-race-move-accept = Atraer
middle-race-move-decline = Renunciar

middle-race-event-draft_order = Orden para elegir personaje: { $seats }
middle-race-event-picked = { $seat } elige { $character }.
middle-race-event-dealt = Cada persona recibe una mano completa. Los personajes: { $characters }
middle-race-event-turn_started = Ronda { $round }: turno de { $seat }.
middle-race-event-played = { $seat } juega un { $card }.
middle-race-event-discarded = { $seat } descarta un { $card } y no se mueve.
middle-race-event-asked = { $seat } debe decidir: { $ability }.
middle-race-event-named = { $seat } señala a { $target } con { $ability }.
middle-race-event-declined = { $seat } no usa { $ability }.
middle-race-event-moved = { $seat } va de { $from ->
    [0] la salida
   *[other] la casilla { $from }
} a { $to ->
    [0] la salida
   *[other] la { $to }
}.
middle-race-event-moved-by = { $by } mueve a { $seat } de { $from ->
    [0] la salida
   *[other] la casilla { $from }
} a { $to ->
    [0] la salida
   *[other] la { $to }
} ({ $ability }).
middle-race-event-finished = { $seat } cruza la meta: puesto { $place }.
middle-race-event-silenced = { $by } silencia a { $seat }.
middle-race-event-freed = Termina el silencio de { $by } sobre { $seat }.
middle-race-event-copied = { $seat } copia { $ability }.
middle-race-event-copy_ended = { $seat } ya no tiene { $ability }.
middle-race-event-reset = { $seat } ha usado todas sus cartas y recupera la mano completa.
middle-race-event-reset-by = { $by } reinicia la mano de { $seat }.
middle-race-event-looked = { $seat } mira la mano de { $target }.
middle-race-event-looked-cards = Ves la mano de { $target }: { $cards }
middle-race-event-deleted = { $seat } deja a { $target } una sola carta; { $count ->
    [one] desaparece otra
   *[other] desaparecen { $count }
}.
middle-race-event-deleted-kept = { $seat } deja a { $target } el { $kept }; { $count ->
    [one] desaparece una carta
   *[other] desaparecen { $count } cartas
}.
middle-race-event-given = { $seat } da una carta a { $target }.
middle-race-event-given-card = { $seat } da un { $card } a { $target }.
middle-race-event-game_over = La carrera ha terminado.

middle-race-word-gravity = Gravedad
middle-race-word-push = Empuje
middle-race-word-delete = Borrado
middle-race-word-offer = Oferta
middle-race-word-with = Con
middle-race-word-union = Unión
middle-race-word-mirror = Espejo
middle-race-word-copy = Copia
middle-race-word-reset = Reinicio
middle-race-word-silence = Silencio
middle-race-word-forward = adelante
middle-race-word-back = atrás
middle-race-word-seat = señalar a alguien
middle-race-word-card = elegir una carta
middle-race-word-direction = elegir dirección
middle-race-word-accept = atraer o no
middle-race-word-none = ninguno
middle-race-word-draft = elegidos por turnos
middle-race-word-random = repartidos al azar
middle-race-word-middle = el medio
middle-race-word-not_ends = todos menos el primero y el último
middle-race-word-decided = se ocuparon los puestos ganadores
middle-race-word-all_home = solo quedaba un peón
middle-race-word-round_limit = se acabaron las rondas

middle-race-board-start = en la salida
middle-race-board-line = Salida
middle-race-board-finish = Meta
middle-race-board-place = puesto { $place }
middle-race-board-space = casilla { $number }
middle-race-board-spaces = { $count ->
    [one] { $count } casilla
   *[other] { $count } casillas
}
middle-race-board-wins = gana
middle-race-board-silenced = La silencia { $name }
middle-race-board-copied = Copiada: { $ability }
middle-race-board-looked = Vio la mano de { $name }
middle-race-board-kept = quedó el { $card }

# En la mano.
middle-race-tray-ask-pick = Elige tu personaje
middle-race-tray-ask-play = Te toca. Juega una carta de movimiento
middle-race-tray-ask-gravity = ¿A quién atraes a tu lado?
middle-race-tray-ask-push = ¿Hacia dónde empujas?
middle-race-tray-ask-delete = ¿Qué mano miras?
middle-race-tray-ask-offer = ¿A quién le das una carta?
middle-race-tray-ask-with = ¿Quién va contigo?
middle-race-tray-ask-union = ¿Lo atraes a tu casilla?
middle-race-tray-ask-mirror = ¿A quién mueves al revés?
middle-race-tray-ask-copy = ¿Qué habilidad copias?
middle-race-tray-ask-reset = ¿Qué mano se repone?
middle-race-tray-ask-silence = ¿Qué habilidad silencias?
middle-race-tray-ask-card-delete = ¿Qué carta se queda?
middle-race-tray-ask-card-offer = ¿Qué carta das?
middle-race-tray-ability-gravity = En vez de moverse descarta una carta y atrae a su lado a un peón que esté a dos o más casillas.
middle-race-tray-ability-push = Empuja una casilla a quien coincide con ella, adelante o atrás.
middle-race-tray-ability-delete = Si la mueven otros: mira una mano y deja una sola carta.
middle-race-tray-ability-offer = Al reponer su mano: da una carta.
middle-race-tray-ability-with = Con su última carta: se lleva a otro peón.
middle-race-tray-ability-union = Puede atraer a su casilla al peón que tiene justo delante.
middle-race-tray-ability-mirror = Si la mueven otros: mueve a otro peón lo mismo al revés.
middle-race-tray-ability-copy = Al reponer su mano: copia otra habilidad.
middle-race-tray-ability-reset = Si va hacia atrás: repone la mano de alguien.
middle-race-tray-ability-silence = En cada turno silencia una habilidad.
middle-race-tray-finish = Meta, puesto { $place }
middle-race-tray-hand = Mis cartas de movimiento
middle-race-tray-silenced = ahora silenciada
