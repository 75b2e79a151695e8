animal-kingdom-name = El reino animal
animal-kingdom-tagline = Diez animales secretos recorren cuatro terrenos, cazan, roban y adivinan quién es quién
animal-kingdom-picture = Animales en bosque, llanura, río y cielo en torno a una incógnita

animal-kingdom-option-max_rounds = Última ronda
animal-kingdom-option-max_rounds-help = La partida termina tras esta ronda aunque nadie lidere en solitario.
animal-kingdom-option-water_deer_win = Victoria del ciervo de agua
animal-kingdom-option-water_deer_win-help = Cuándo se mira si ha ganado el ciervo de agua.
animal-kingdom-option-water_deer_win-at_once = En cuanto lo consigue
animal-kingdom-option-water_deer_win-at_end = Solo al terminar la partida
animal-kingdom-option-snake_double = Serpiente doble
animal-kingdom-option-snake_double-help = Una serpiente que acierta a un depredador y además es atacada cobra dos veces.
animal-kingdom-option-copied_attack_halves = El ataque copiado reduce a la mitad
animal-kingdom-option-copied_attack_halves-help = Una presa recibe solo la mitad de los puntos también cuando la ataca un camaleón como depredador.

animal-kingdom-refused-wrong_phase = Ahora no toca eso: primero cada cual elige un terreno y después usa su habilidad.
animal-kingdom-refused-must_use_skill = Tienes que usar tu habilidad mientras haya con quién usarla.
animal-kingdom-refused-not_your_skill = Tu animal no tiene esa habilidad; solo el camaleón actúa como otro animal.
animal-kingdom-refused-already_copied = Ya has usado la habilidad de ese animal.
animal-kingdom-refused-own_seat = No puedes elegirte a ti.
animal-kingdom-refused-not_in_field = Esa habilidad solo alcanza a quienes están en tu terreno.
animal-kingdom-refused-already_chosen = Ya elegiste a esa persona en una ronda anterior.

animal-kingdom-phase-moving = Movimiento
animal-kingdom-phase-skill = Habilidades
animal-kingdom-phase-finished = Fin de la partida

animal-kingdom-move-go = Ir
animal-kingdom-move-attack = Atacar
animal-kingdom-move-predict = Nombrar el animal
animal-kingdom-move-follow = Seguir
animal-kingdom-move-judge = Juzgar: puntos o nada
animal-kingdom-move-rob = Robar
animal-kingdom-move-pass = Pasar

animal-kingdom-event-dealt = Tu animal: { $animal }
animal-kingdom-event-round_started = Empieza la ronda { $round }, que vale { $value }.
animal-kingdom-event-chose = { $seat } ha elegido.
animal-kingdom-event-chose-move = { $seat } ha elegido.
animal-kingdom-event-moved = Movimientos de la ronda { $round }: { $fields }
animal-kingdom-event-gains = Puntos de cada animal en la ronda { $round }: { $gains }
animal-kingdom-event-gained = Has ganado { $gained } en la ronda { $round }.
animal-kingdom-event-learned = { $target } es: { $animal }
animal-kingdom-event-game_over = La partida ha terminado. Quién era quién: { $animals }

animal-kingdom-word-none = nada
animal-kingdom-word-true = gana puntos
animal-kingdom-word-false = no gana nada
animal-kingdom-word-forest = bosque
animal-kingdom-word-plain = llanura
animal-kingdom-word-river = río
animal-kingdom-word-sky = cielo
animal-kingdom-word-lion = león
animal-kingdom-word-crocodile = cocodrilo
animal-kingdom-word-eagle = águila
animal-kingdom-word-snake = serpiente venenosa
animal-kingdom-word-crow = cuervo
animal-kingdom-word-hyena = hiena
animal-kingdom-word-toad = sapo
animal-kingdom-word-cuckoo = cuco
animal-kingdom-word-chameleon = camaleón
animal-kingdom-word-water_deer = ciervo de agua
animal-kingdom-word-predator = depredador
animal-kingdom-word-neutral = neutral
animal-kingdom-word-prey = presa
animal-kingdom-word-leader = líder en solitario
animal-kingdom-word-round_limit = se jugó la última ronda
animal-kingdom-word-at_once = al momento
animal-kingdom-word-at_end = al final
animal-kingdom-word-attack = ataque
animal-kingdom-word-follow = seguimiento
animal-kingdom-word-go = ida
animal-kingdom-word-judge = juicio
animal-kingdom-word-pass = pase
animal-kingdom-word-predict = predicción
animal-kingdom-word-rob = robo

animal-kingdom-board-value = En juego: { $value }
animal-kingdom-board-before = Posiciones de la ronda { $round }
animal-kingdom-board-choices = Elecciones
animal-kingdom-board-return = Si no vuelve, no gana puntos
animal-kingdom-board-field = Terreno elegido
animal-kingdom-board-skill = Habilidad elegida
animal-kingdom-board-points = Puntos por animal
animal-kingdom-board-moves = Dónde estuvo cada cual
animal-kingdom-board-round = Ronda { $round }

# En la mano.
animal-kingdom-tray-go = ¿Adónde vas?
animal-kingdom-tray-skill = Usa tu habilidad
animal-kingdom-tray-done = Ya has elegido. Se muestra todo a la vez
animal-kingdom-tray-waiting = { $count ->
    [one] Falta { $count } por elegir
   *[other] Faltan { $count } por elegir
}
animal-kingdom-tray-before = Ronda anterior:
animal-kingdom-tray-habitat = Hábitat:
animal-kingdom-tray-no-habitat = Sin hábitat
animal-kingdom-tray-who = ¿A quién?
animal-kingdom-tray-which = ¿Qué animal es?
animal-kingdom-tray-gains = En esta ronda
animal-kingdom-tray-must-pass = Esta vez no puedes elegir a nadie.
animal-kingdom-tray-used = Ya elegidos
animal-kingdom-tray-skill-lion = Puntúa si ataca a una presa o al cocodrilo donde está.
animal-kingdom-tray-skill-crocodile = Puntúa si ataca a una presa o al águila donde está.
animal-kingdom-tray-skill-eagle = Puntúa si ataca a una presa o al león donde está.
animal-kingdom-tray-skill-snake = Puntúa si ataca a un depredador donde está, o si la atacan.
animal-kingdom-tray-skill-crow = Puntúa si acierta qué animal es alguien, esté donde esté.
animal-kingdom-tray-skill-hyena = Puntúa si puntúa quien elige, esté donde esté.
animal-kingdom-tray-skill-toad = Puntúa si acierta si alguien de su terreno puntúa.
animal-kingdom-tray-skill-cuckoo = Se queda los puntos que iba a ganar alguien de su terreno.
animal-kingdom-tray-skill-chameleon = Copia una vez la habilidad de cada animal.
animal-kingdom-tray-skill-water_deer = Gana en solitario si pasa por los cuatro terrenos y lo atacan menos de dos veces.
animal-kingdom-tray-verb-attack = Ataque
animal-kingdom-tray-verb-predict = Predicción
animal-kingdom-tray-verb-follow = Seguir
animal-kingdom-tray-verb-judge = Pronóstico
animal-kingdom-tray-verb-rob = Robo
