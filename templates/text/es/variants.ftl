# Variantes: las reglas de la casa.
error-variant_not_found = No existe esa variante.
error-unknown_variant = Este juego no tiene esa variante.
error-options_of_variant = Una partida se crea con una variante o con opciones, no con ambas.
error-variant_retired = Esta variante ya no se juega.
error-variant_changed = Otra persona ha cambiado estas reglas de la casa mientras tanto. Mira otra vez qué cambia.
error-variant_outdated = Las reglas del juego han cambiado desde entonces. Esta variante necesita una versión nueva.
error-variant_name_taken = Este juego ya tiene una variante con ese nombre.
error-version_is_final = Esta versión ya se publicó o se jugó y no cambia nunca. Crea una nueva.
error-version_unchanged = Sería igual que la versión anterior.
error-too_many_versions = Esta variante tiene demasiadas versiones.

variant-change = { $option }: { $from } → { $to }

variants = Reglas de la casa
variants-lead = Crea las reglas propias del café para cada juego, pruébalas y publícalas para los clientes.
variants-none = De momento, solo las reglas básicas.
variants-none-of-kind = Aquí no hay reglas de la casa
variants-see-all = Ver todas
variants-older = Reglas anteriores
variant-make = Nuevas reglas
variant-make-of = { $name }: nuevas reglas de la casa
variant-make-button = Crear borrador
variant-edit = Cambiar reglas de la casa
variant-name = Nombre
variant-description = Descripción
variant-description-help = Aparece al principio de la página de reglas que leen los clientes. Puede quedar vacía.
variant-draft = Borrador
variant-draft-next = Próxima versión en preparación
variant-published = Publicada
variant-retired = Retirada
variant-plays = { $count ->
    [one] jugada una vez
   *[other] jugada { $count } veces
}
variant-plays-many = jugada más de { $count } veces
variant-bounds = De { $least } a { $most }.
variant-bounds-wrong = Debe ser un número de { $least } a { $most }.
variant-basic-value = Juego básico: { $value }
variant-look = Ver qué cambia
variant-preview = Qué cambia en la versión { $number }
variant-revised = No cambia ninguna opción, pero las reglas del juego se han corregido desde entonces.
variant-save-so = Guardar así
variant-start-over = Elegir de nuevo
variant-rules = Página de reglas
variant-publish = Publicar
variant-retire = Retirar
variant-try = Probar
variant-versions = Versiones
variant-published-at = publicada { $time }
variant-played = jugada
variant-since = A diferencia de la versión { $number }
variant-since-basic = A diferencia del juego básico
variant-no-change = No hay diferencias.
variant-differs = A diferencia del juego básico: { $changes }.
variant-same = Igual que el juego básico.
variant-set = { $option } { $value }
rules-changed = cambiado por la casa
rules-changes = Cambiado por la casa

trial = Prueba
trial-note = Esto es una prueba: solo la ve el personal, no cuenta en ninguna parte y desaparece en un día.
trial-of = { $name }, versión { $number }
trial-seats = Jugadores
trial-start = Empezar con ese número
trial-again = Empezar de nuevo
trial-legal = { $name }: jugadas
trial-house = Que juegue la casa
trial-house-many = Que la casa haga { $count } jugadas
trial-over = Se ha jugado hasta el final.
trial-moves = Jugada { $count }
trial-log = Hasta ahora

flash-variant-made = Borrador creado: { $name }
flash-variant-saved = Guardado: { $name }
flash-variant-published = Publicada.
flash-variant-retired = Retirada.
flash-variant-outdated = Las reglas del juego se han corregido desde entonces. Crea una versión nueva.
flash-trial-moved = El tablero ha cambiado. Elige de nuevo.

error-trial_not_found = No hay tal prueba, o ya ha desaparecido.

lab = Laboratorio
lab-lead = Unos bots han jugado miles de partidas con estas reglas. Mira qué cambian antes que los clientes.
lab-basic = las reglas básicas
lab-verdict = De un vistazo
lab-more = Detalles en el laboratorio
lab-warned = Antes de publicar, mira lo que dice el laboratorio.
lab-ask = Empezar la prueba
lab-unknown = El laboratorio aún no ha probado esto.
lab-cancelled = Esta prueba se canceló.
lab-failed = Esta prueba no llegó a su fin. Quizá las reglas duran demasiado.
lab-running = El laboratorio está en ello
lab-running-at = El laboratorio está en ello: { $percent } %
lab-makes-way = Cuando el café está lleno va más despacio: las partidas van primero.
lab-against = Comparado con
lab-against-other = Frente a { $other }
lab-depth = Bots
lab-quick = Rápido
lab-thorough = Con bots que buscan
lab-says-length = Una partida dura { $minutes ->
    [one] { $minutes } minuto
   *[other] unos { $minutes } minutos
}.
lab-says-longer = Una partida dura { $minutes ->
    [one] { $minutes } minuto
   *[other] unos { $minutes } minutos
}, { $by } más que con { $other }.
lab-says-shorter = Una partida dura { $minutes ->
    [one] { $minutes } minuto
   *[other] unos { $minutes } minutos
}, { $by } menos que con { $other }.
lab-says-endless = El { $share } de las partidas no acaba a tiempo.
lab-says-first = Quien empieza gana el { $share } de las partidas; lo justo sería el { $fair }.
lab-says-place = Quien empieza en el puesto { $place } gana el { $share } de las partidas; lo justo sería el { $fair }.
lab-says-even = No se ve que ningún puesto en el orden de juego tenga ventaja.
lab-says-role = { $role }: gana el { $share } de las partidas; lo justo sería el { $fair }.
lab-says-out = Un jugador está eliminado, y espera, el { $share } de la partida.
lab-says-forced = El { $share } de los turnos tiene una sola jugada posible.
lab-says-ties = El { $share } de las partidas acaba con varios ganadores.
lab-says-skill = Quien juega bien gana el { $share } entre quienes juegan al azar; lo justo sería el { $fair }.
lab-says-luck = No se ve que jugar como la casa sea mejor que jugar al azar (lo justo sería el { $fair }): es suerte, o la casa juega mal con estas reglas.
lab-says-idle = Un cambio que no cambia nada: { $option }
lab-says-unused = Una jugada que nadie hizo: { $move }
lab-says-rough = Los bots que buscan tuvieron un minuto. Sus partes de victorias se conocen con un margen de ±{ $points } puntos.
lab-these = Estas reglas
lab-what = Qué
lab-difference = Diferencia (95 %)
lab-no-difference = no se ve diferencia
lab-length = Duración
lab-length-help = Dónde están ocho de cada diez partidas, y la mediana. Los números son la mediana y lo que nueve de diez no superan.
lab-wins-help = Las barras son intervalos del 95 %; la línea de puntos, lo justo. Si se tocan, no se ve diferencia.
lab-by-order = Victorias por orden de juego
lab-by-seat = Victorias por asiento
lab-by-role = Victorias por papel
lab-place = Puesto { $place }
lab-seat = Asiento { $seat }
lab-facts = Cómo es una partida
lab-facts-help = Partidas de bots que juegan como la casa, o que buscan si se pidió.
lab-decisions = Jugadas por partida
lab-choices = Jugadas posibles por turno
lab-forced = Turnos con una sola jugada
lab-waiting = Espera a los demás
lab-out = Tiempo eliminado
lab-ties = Varios ganadores
lab-leads = Cambios de líder
lab-comebacks = Ganadas desde el último puesto a mitad de partida
lab-policies = Según la forma de jugar
lab-policies-help = Todos juegan igual, o uno juega mejor que los demás.
lab-policy = Forma de jugar
lab-policy-random = al azar
lab-policy-house = como la casa
lab-policy-search = buscando
lab-duel = Uno { $one }, los demás { $others }
lab-matches = Partidas
lab-moves = Jugadas (mediana)
lab-first = Victorias de quien empieza, o de ese uno
lab-endings = Por qué acaban las partidas
lab-reason = Motivo
lab-share = Parte
lab-too-long = no a tiempo
lab-effects = Qué hace cada opción
lab-effects-help = Partidas que van de otro modo si solo se cambia esa opción y la suerte es la misma.
lab-option = Opción
lab-otherwise = Con
lab-changed = Partidas que cambian
lab-nothing = no cambia nada
lab-worth = Cuánto vale cada jugada
lab-worth-help = Cuántas veces gana un asiento que es el único que no puede hacer esa jugada.
lab-move = Jugada
lab-without = Victorias sin ella
lab-roles = Cuánto vale cada papel
lab-roles-taken-help = La segunda parte es la de un asiento que es el único que no puede elegir ese papel.
lab-roles-dealt-help = La segunda parte es la de quien tiene el papel sin sus jugadas propias o, si no hay otras, con cualquiera de ellas.
lab-role = Papel
lab-role-wins = Victorias
lab-role-untaken = Victorias sin elegirlo
lab-role-unused = Victorias sin usarlo
lab-never = Lo que nadie eligió
lab-never-help = Los bots podían elegirlo y nunca lo hicieron.
lab-value = Opción
lab-offered = Ocasiones
lab-real = { $count } { $count ->
    [one] partida real
   *[other] partidas reales
}
lab-real-help = Partidas que se acabaron aquí con las mismas reglas y los mismos asientos.
lab-foretold = Previsto
lab-happened = Ocurrido
