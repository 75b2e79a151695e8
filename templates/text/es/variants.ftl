# Variantes: las reglas de la casa.
error-variant_not_found = No existe esa variante.
error-unknown_variant = Este juego no tiene esa variante.
error-options_of_variant = Una partida se crea con una variante o con opciones, no con ambas.
error-variant_retired = Esta variante ya no se juega.
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
flash-variant-name-taken = Ya hay reglas publicadas con ese nombre.
flash-trial-moved = El tablero ha cambiado. Elige de nuevo.

error-trial_not_found = No hay tal prueba, o ya ha desaparecido.
