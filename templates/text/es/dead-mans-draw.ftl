dead-mans-draw-name = Dead Man's Draw
dead-mans-draw-tagline = Descubre el botín carta a carta y para antes de reventar
dead-mans-draw-picture = Cartas de botín que salen del mazo y una segunda carta del mismo palo que revienta

dead-mans-draw-option-traits = Cartas de rasgo
dead-mans-draw-option-traits-help = Cada persona se queda una carta con una habilidad especial para toda la partida.
dead-mans-draw-option-trait_deal = Cartas de rasgo repartidas
dead-mans-draw-option-trait_deal-help = Cuántas recibe cada persona para quedarse una. Sin cartas de rasgo no tiene efecto.
dead-mans-draw-option-mermaid_rules = Reglas de sirenas
dead-mans-draw-option-mermaid_rules-help = Las sirenas valen de 2 a 7, pero vuelven a usar otra carta de la fila. Con cartas de rasgo entra también la Sirena cantora.
dead-mans-draw-option-game_variant = Carta de variante
dead-mans-draw-option-game_variant-help = Cambia una condición de la partida: quién se lleva lo perdido, cómo se puntúa, cuándo acaba o qué revienta.
dead-mans-draw-option-game_variant-null = Ninguna
dead-mans-draw-option-game_variant-random = Una al azar
dead-mans-draw-option-game_variant-thieves_island = Isla de los ladrones
dead-mans-draw-option-game_variant-pile_o_treasure = Montaña de tesoros
dead-mans-draw-option-game_variant-sudden_death = Muerte súbita
dead-mans-draw-option-game_variant-all_hands_on_deck = Todos a cubierta
dead-mans-draw-option-game_variant-strange_lands = Tierras extrañas
dead-mans-draw-option-game_variant-beneath_the_waves = Bajo las olas
dead-mans-draw-option-open_discard = Descarte a la vista
dead-mans-draw-option-open_discard-help = Cualquiera puede mirar el descarte en cualquier momento.
dead-mans-draw-option-oracle_secret = Oráculo secreto
dead-mans-draw-option-oracle_secret-help = Solo quien tiene el turno ve lo que enseña un oráculo.
dead-mans-draw-option-bonus_on_bust = Premio al reventar
dead-mans-draw-option-bonus_on_bust-help = Una llave y un cofre que se conservan juntos al reventar dan igualmente el premio.
dead-mans-draw-option-drawn_any_source = Toda carta cuenta como robada
dead-mans-draw-option-drawn_any_source-help = Casanova, Pescador, Domador y Tiro fallido actúan también sobre las cartas que traen garfio, espada o mapa.

dead-mans-draw-refused-must_choose = Primero tienes que elegir lo que se te pide.
dead-mans-draw-refused-nothing_to_choose = Ahora no hay nada que elegir: roba o recoge.
dead-mans-draw-refused-not_a_choice = Eso no está entre lo que puedes elegir.
dead-mans-draw-refused-draw_pile_empty = El mazo está vacío; solo puedes recoger.
dead-mans-draw-refused-must_draw_first = Debes robar al menos una carta antes de recoger.
dead-mans-draw-refused-kraken_pending = El kraken exige poner más cartas antes de recoger.

dead-mans-draw-phase-traits = Elección de rasgos
dead-mans-draw-phase-target = Objetivo del Guardián
dead-mans-draw-phase-turn = Robar o recoger
dead-mans-draw-phase-choosing = Elección
dead-mans-draw-phase-finished = Fin de la partida

dead-mans-draw-move-draw = Robar
dead-mans-draw-move-collect = Recoger
dead-mans-draw-move-choose_card = Elegir esta carta
dead-mans-draw-move-choose_seat = Elegir a esta persona
dead-mans-draw-move-choose_trait = Quedarse este rasgo

dead-mans-draw-event-variant_chosen = Variante de esta partida: { $game_variant }
dead-mans-draw-event-traits_dealt = Te han repartido: { $traits }
dead-mans-draw-event-trait_chosen = { $seat } ya tiene su rasgo.
dead-mans-draw-event-trait_chosen-trait = { $seat } se queda { $trait }.
dead-mans-draw-event-traits_revealed = Se revelan los rasgos: { $traits }
dead-mans-draw-event-first_seat = Empieza { $seat }.
dead-mans-draw-event-turn_started = Turno de { $seat }.
dead-mans-draw-event-guardian_target = El Guardián de { $seat } vigila a { $target }.
dead-mans-draw-event-drawn = { $seat } roba { $card }.
dead-mans-draw-event-placed = A la fila: { $card }
dead-mans-draw-event-banked = { $why }: { $card } va directa a la bodega de { $seat }.
dead-mans-draw-event-discarded = Al descarte: { $cards } ({ $why })
dead-mans-draw-event-discarded-from_seat = { $from_seat } pierde de su bodega: { $cards } ({ $why })
dead-mans-draw-event-taken = { $seat } toma { $card } del descarte: { $why }
dead-mans-draw-event-taken-from_seat = { $seat } toma { $card } de la bodega de { $from_seat }: { $why }
dead-mans-draw-event-must_draw = { $count ->
    [0] El kraken suelta su presa.
   *[other] El kraken: faltan { $count } por poner antes de recoger.
}
dead-mans-draw-event-revealed = { $count ->
    [one] El oráculo: solo quien tiene el turno ve la carta de arriba del mazo.
   *[other] El oráculo: solo quien tiene el turno ve las { $count } cartas de arriba del mazo.
}
dead-mans-draw-event-revealed-cards = El oráculo enseña: { $cards }
dead-mans-draw-event-map_revealed = { $seat } mira a solas el descarte ({ $count }).
dead-mans-draw-event-map_revealed-cards = El mapa de { $seat } enseña: { $cards }
dead-mans-draw-event-choice = { $seat } debe elegir: { $kind }
dead-mans-draw-event-bust = { $seat } revienta con { $card }. Conserva: { $kept } / pierde: { $lost }
dead-mans-draw-event-bust-lost_to = { $seat } revienta con { $card }. Conserva: { $kept } / se lo lleva { $lost_to }: { $lost }
dead-mans-draw-event-collected = { $seat } recoge { $cards }
dead-mans-draw-event-bonus = { $seat } recibe por llave y cofre: { $cards }
dead-mans-draw-event-bonus-from_seat = { $seat } recibe por llave y cofre de la bodega de { $from_seat }: { $cards }
dead-mans-draw-event-game_over = La partida ha terminado.

dead-mans-draw-word-anchor = ancla
dead-mans-draw-word-hook = garfio
dead-mans-draw-word-cannon = cañón
dead-mans-draw-word-key = llave
dead-mans-draw-word-chest = cofre
dead-mans-draw-word-map = mapa
dead-mans-draw-word-oracle = oráculo
dead-mans-draw-word-sword = espada
dead-mans-draw-word-kraken = kraken
dead-mans-draw-word-mermaid = sirena

dead-mans-draw-word-anchor-2 = ancla 2
dead-mans-draw-word-anchor-3 = ancla 3
dead-mans-draw-word-anchor-4 = ancla 4
dead-mans-draw-word-anchor-5 = ancla 5
dead-mans-draw-word-anchor-6 = ancla 6
dead-mans-draw-word-anchor-7 = ancla 7
dead-mans-draw-word-hook-2 = garfio 2
dead-mans-draw-word-hook-3 = garfio 3
dead-mans-draw-word-hook-4 = garfio 4
dead-mans-draw-word-hook-5 = garfio 5
dead-mans-draw-word-hook-6 = garfio 6
dead-mans-draw-word-hook-7 = garfio 7
dead-mans-draw-word-cannon-2 = cañón 2
dead-mans-draw-word-cannon-3 = cañón 3
dead-mans-draw-word-cannon-4 = cañón 4
dead-mans-draw-word-cannon-5 = cañón 5
dead-mans-draw-word-cannon-6 = cañón 6
dead-mans-draw-word-cannon-7 = cañón 7
dead-mans-draw-word-key-2 = llave 2
dead-mans-draw-word-key-3 = llave 3
dead-mans-draw-word-key-4 = llave 4
dead-mans-draw-word-key-5 = llave 5
dead-mans-draw-word-key-6 = llave 6
dead-mans-draw-word-key-7 = llave 7
dead-mans-draw-word-chest-2 = cofre 2
dead-mans-draw-word-chest-3 = cofre 3
dead-mans-draw-word-chest-4 = cofre 4
dead-mans-draw-word-chest-5 = cofre 5
dead-mans-draw-word-chest-6 = cofre 6
dead-mans-draw-word-chest-7 = cofre 7
dead-mans-draw-word-map-2 = mapa 2
dead-mans-draw-word-map-3 = mapa 3
dead-mans-draw-word-map-4 = mapa 4
dead-mans-draw-word-map-5 = mapa 5
dead-mans-draw-word-map-6 = mapa 6
dead-mans-draw-word-map-7 = mapa 7
dead-mans-draw-word-oracle-2 = oráculo 2
dead-mans-draw-word-oracle-3 = oráculo 3
dead-mans-draw-word-oracle-4 = oráculo 4
dead-mans-draw-word-oracle-5 = oráculo 5
dead-mans-draw-word-oracle-6 = oráculo 6
dead-mans-draw-word-oracle-7 = oráculo 7
dead-mans-draw-word-sword-2 = espada 2
dead-mans-draw-word-sword-3 = espada 3
dead-mans-draw-word-sword-4 = espada 4
dead-mans-draw-word-sword-5 = espada 5
dead-mans-draw-word-sword-6 = espada 6
dead-mans-draw-word-sword-7 = espada 7
dead-mans-draw-word-kraken-2 = kraken 2
dead-mans-draw-word-kraken-3 = kraken 3
dead-mans-draw-word-kraken-4 = kraken 4
dead-mans-draw-word-kraken-5 = kraken 5
dead-mans-draw-word-kraken-6 = kraken 6
dead-mans-draw-word-kraken-7 = kraken 7
dead-mans-draw-word-mermaid-2 = sirena 2
dead-mans-draw-word-mermaid-3 = sirena 3
dead-mans-draw-word-mermaid-4 = sirena 4
dead-mans-draw-word-mermaid-5 = sirena 5
dead-mans-draw-word-mermaid-6 = sirena 6
dead-mans-draw-word-mermaid-7 = sirena 7
dead-mans-draw-word-mermaid-8 = sirena 8
dead-mans-draw-word-mermaid-9 = sirena 9

dead-mans-draw-word-golden_scales = Escamas doradas
dead-mans-draw-word-casanova = Casanova
dead-mans-draw-word-plunderer = Saqueador
dead-mans-draw-word-treasure_hunter = Cazatesoros
dead-mans-draw-word-navigator = Navegante
dead-mans-draw-word-master_gunner = Maestro artillero
dead-mans-draw-word-scavenger = Carroñero
dead-mans-draw-word-mystic = Místico
dead-mans-draw-word-swordsman = Espadachín
dead-mans-draw-word-miser = Avaro
dead-mans-draw-word-captains_hook = Garfio del capitán
dead-mans-draw-word-safe_harbor = Puerto seguro
dead-mans-draw-word-fisherman = Pescador
dead-mans-draw-word-beastmaster = Domador
dead-mans-draw-word-misfire = Tiro fallido
dead-mans-draw-word-parry = Esquiva
dead-mans-draw-word-davy_jones = Guardián de Davy Jones
dead-mans-draw-word-siren = Sirena cantora

dead-mans-draw-word-thieves_island = Isla de los ladrones
dead-mans-draw-word-pile_o_treasure = Montaña de tesoros
dead-mans-draw-word-sudden_death = Muerte súbita
dead-mans-draw-word-all_hands_on_deck = Todos a cubierta
dead-mans-draw-word-strange_lands = Tierras extrañas
dead-mans-draw-word-beneath_the_waves = Bajo las olas
dead-mans-draw-word-random = al azar

dead-mans-draw-word-draw = robada
dead-mans-draw-word-plunder_seat = a quién saquear
dead-mans-draw-word-plunder_card = qué saquear
dead-mans-draw-word-guardian = objetivo del Guardián
dead-mans-draw-word-no_target = sin nada sobre lo que actuar
dead-mans-draw-word-collect = recogida
dead-mans-draw-word-bust = reventón
dead-mans-draw-word-draw_pile_empty = se agotó el mazo

dead-mans-draw-board-draw = Mazo
dead-mans-draw-board-discard = Descarte
dead-mans-draw-board-row = Zona de juego
dead-mans-draw-board-row-empty = Todavía no hay cartas
dead-mans-draw-board-revealed = Vistas por el oráculo
dead-mans-draw-board-safe = a salvo
dead-mans-draw-board-must-draw = { $count ->
    [one] Falta { $count } carta
   *[other] Faltan { $count } cartas
}
dead-mans-draw-board-bank-empty = La bodega está vacía
dead-mans-draw-board-below = debajo
dead-mans-draw-board-target = Objetivo del guardián
dead-mans-draw-board-kept = Guardadas
dead-mans-draw-board-lost = Perdidas
dead-mans-draw-board-bonus = Premio

# En la mano.
dead-mans-draw-tray-trait-choose = Elige el rasgo que tendrás toda la partida
dead-mans-draw-tray-trait-chosen = Ya has elegido. Los rasgos se revelan a la vez
dead-mans-draw-tray-risks = Tipos con los que se revienta
dead-mans-draw-tray-left = quedan:
dead-mans-draw-tray-chance = Al robar se revienta con { $busts } de { $cards ->
    [one] { $cards } carta
   *[other] { $cards } cartas
}
dead-mans-draw-tray-next-busts = La siguiente es { $card }. ¡Si la robas, revientas!
dead-mans-draw-tray-next-stays = La siguiente es { $card }. Puedes robarla
dead-mans-draw-tray-collect = { $count ->
    [one] { $count } carta a tu bodega
   *[other] { $count } cartas a tu bodega
}
dead-mans-draw-tray-first = roba antes una carta
dead-mans-draw-tray-left-to-choose = (elige { $count })
dead-mans-draw-tray-how-hook = Juega una carta de tu bodega.
dead-mans-draw-tray-how-cannon = Descarta una carta de otra bodega.
dead-mans-draw-tray-how-misfire = ¡Tiro fallido! Descarta tu carta más alta.
dead-mans-draw-tray-how-sword = Roba una carta de otra bodega y juégala.
dead-mans-draw-tray-how-map = Juega una de estas cartas descartadas.
dead-mans-draw-tray-how-mermaid = Mueve una carta de la fila al final y vuelve a usarla.
dead-mans-draw-tray-how-plunder_seat = ¿De qué bodega sacas el premio?
dead-mans-draw-tray-how-plunder_card = Toma una carta de premio.
dead-mans-draw-tray-how-guardian = ¿De quién te quedas lo que pierda al reventar?
dead-mans-draw-tray-trait-golden_scales = 5 puntos más si tienes una sirena en la bodega.
dead-mans-draw-tray-trait-casanova = Las sirenas que robas van a tu bodega. Con las reglas de sirenas va la carta que elige tu sirena.
dead-mans-draw-tray-trait-plunderer = El premio de llave y cofre sale de otra bodega.
dead-mans-draw-tray-trait-treasure_hunter = El premio de llave y cofre es el doble.
dead-mans-draw-tray-trait-navigator = Tu mapa mira todos los descartes.
dead-mans-draw-tray-trait-master_gunner = Tu cañón descarta el montón entero.
dead-mans-draw-tray-trait-scavenger = Lo que alcanza tu cañón va a tu bodega.
dead-mans-draw-tray-trait-mystic = Tu oráculo muestra tres cartas.
dead-mans-draw-tray-trait-swordsman = Tu espada roba cualquier tipo.
dead-mans-draw-tray-trait-miser = Los garfios y lo que traen no se pierden.
dead-mans-draw-tray-trait-captains_hook = Tu garfio actúa dos veces.
dead-mans-draw-tray-trait-safe_harbor = Tu ancla y las dos cartas siguientes no se pierden.
dead-mans-draw-tray-trait-fisherman = Los krakens que robas van a tu bodega.
dead-mans-draw-tray-trait-beastmaster = Los krakens de los demás piden cuatro cartas.
dead-mans-draw-tray-trait-misfire = Los cañones que roban los demás dan en su carta más alta.
dead-mans-draw-tray-trait-parry = Las espadas de los demás solo roban krakens.
dead-mans-draw-tray-trait-davy_jones = Lo que pierde tu objetivo va a tu bodega.
dead-mans-draw-tray-trait-siren = Lo que eligen las sirenas de los demás va a tu bodega.
