# En cualquier tablero.
board-face-down = { $count ->
    [one] { $count } carta boca abajo
   *[other] { $count } cartas boca abajo
}
board-cards = { $count ->
    [one] { $count } carta
   *[other] { $count } cartas
}
board-points = { $points } ptos
board-choosing = Elige: { $name }
board-chosen = ya eligió
board-to-choose = aún elige
board-last-turn = Turno anterior
board-by-value = { $value } ({ $names })

# Juegos sin tablero propio: lo que contiene la vista pública.
view-abilities = Habilidades en vigor
view-animals = Animales
view-available = Personajes libres
view-banks = Bodegas
view-been_palifico = Ya fue Palífico
view-bid = Apuesta en pie
view-bids = Apuestas de esta ronda
view-card_counts = Cartas en mano
view-characters = Personajes
view-copied = Habilidad copiada
view-copied_last_named = A quién señaló la habilidad copiada
view-dice = Dados
view-discard = Descartes
view-discard_count = Cartas descartadas
view-draft_order = Orden de elección
view-draw_count = Cartas por robar
view-drawn = Robadas este turno
view-exchange = Intercambio en curso
view-fields = Terrenos
view-first_seat = Quien empezó
view-found = Cartas encontradas
view-game_variant = Carta de variante
view-guardian_target = Objetivo del guardián
view-hand_size = Cartas por mano
view-hands = Manos
view-hidden = Cartas ocultas
view-hidden_count = Cartas aún ocultas
view-history = Lo ocurrido
view-last_loser = Quien perdió el último dado
view-last_named = A quién señaló
view-last_reveal = Lo último descubierto
view-last_turn = Último turno
view-middle = Dados en el centro
view-must_draw = Cartas que faltan por robar
view-my_animal = Tu animal
view-my_cards = Tus cartas
view-my_dealt = Rasgos que recibiste
view-my_dice = Tus dados
view-my_exchanges = Tus intercambios
view-my_field = El terreno que elegiste
view-my_give = La carta que entregas
view-my_hand = Tus cartas
view-my_learned = Lo que averiguaste
view-my_look = Cartas que miraste
view-my_must_return = Vuelve a tu hábitat en esta ronda
view-my_points = Tus puntos
view-my_skill = Tu habilidad en esta ronda
view-my_skills = Habilidades que usaste
view-my_trait = Tu rasgo
view-open = Cartas abiertas
view-opener = Abre
view-palifico_round = Ronda Palífico
view-pending = Decisión pendiente
view-places = Puestos
view-play_area = Fila en juego
view-positions = Posiciones
view-revealed = Cartas descubiertas
view-revealed_count = Cartas vueltas
view-round_value = Valor de esta ronda
view-scores = Puntos
view-set_aside = Dados apartados
view-showdown_by = Quien llamó al duelo
view-showdown_ready = Listos para el duelo
view-showdown_used = Ya llamó a un duelo
view-silences = Silencios
view-start_rolls = Tiradas iniciales
view-total_dice = Todos los dados
view-totals = Totales
view-traits = Rasgos
view-turn = Turno
view-turn_order = Orden de turnos
view-turn_seat = Le toca a
view-used_cards = Cartas usadas
