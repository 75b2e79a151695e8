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
