# Series: una temporada en la que se suman los resultados de varios torneos.
series = Series
series-none = Todavía no hay series
series-none-help = Los resultados de varios torneos se suman en la clasificación de una temporada. Pueden ser torneos de formatos distintos.
series-older = Series anteriores
series-make = Nueva serie
series-change = Cambiar la serie
series-name = Nombre de la serie
series-draft = En preparación
series-running = En curso
series-ended = Temporada terminada
series-draft-help = Ahora solo la ve el personal. Si la publicas, los clientes también verán la clasificación.
series-open = Publicar la clasificación
series-hide = Volver a ocultarla
series-reopen = Reabrir la temporada
series-previous = Temporada anterior
series-next = Temporada siguiente
series-seasons = Otras temporadas
series-of = Serie: { $name }

series-total = Total
series-bonus = Extra
series-bonus-help = Por haber participado; incluido en el total
series-accounts = { $count ->
    [one] 1 cuenta
   *[other] { $count } cuentas
}
series-dropped = No cuenta:
series-place = { $rank }.º
series-move-up = Ascenso
series-move-down = Descenso
series-move-up-open = Empate por el ascenso
series-move-down-open = Empate por el descenso
series-move-open = Empate: decide tú
series-no-rows = La clasificación aparece cuando termina un torneo.

series-events = Torneos
series-no-events = Todavía no hay torneos.
series-event-add = Añadir un torneo
series-event-add-button = Añadir
series-event-of = ¿De qué división?
series-all-divisions = Todas
series-event-remove = Quitar { $name }
series-no-others = No hay más torneos que añadir.
series-export-json = Toda la serie (JSON)

series-rules = Reglas de la temporada
series-points = Puntos de un torneo
series-by-places = Puntos por puesto
series-by-score = Los puntos obtenidos en el torneo
series-by-beaten = Uno por cada jugador superado y uno más
series-points-scale = Por puesto: { $scale }
series-points-score = Los puntos obtenidos en el torneo
series-points-beaten = Uno por cada jugador que queda detrás y uno más
series-scale-help = Desde el primer puesto, separados por espacios: 10 7 5 3 2 1. Un puesto compartido da la media, y uno que no está en la lista no da nada.
series-best = Torneos que cuentan
series-best-help = Solo se suman los mejores resultados, tantos como indiques. En blanco, se suman todos.
series-best-of = { $count ->
    [one] El mejor torneo
   *[other] Los { $count } mejores torneos
}
series-best-all = Todos los torneos
series-attendance = Extra por participar
series-attendance-help = Por cada torneo jugado, también los que no cuentan.
series-attendance-each = { $points } por cada torneo jugado
series-tie-best_result = Mejor torneo
series-tie-wins = Torneos ganados
series-tie-events = Torneos jugados
series-tie-latest = Último torneo
series-tie-head_to_head = Puestos en torneos comunes

series-divisions = Divisiones
series-divisions-help = Primero la más alta. Déjalas todas en blanco si no hay divisiones.
series-division-name = División { $number }
series-up = Ascienden
series-down = Descienden
series-promoted = { $count ->
    [one] asciende el primero
   *[other] ascienden los { $count } primeros
}
series-relegated = { $count ->
    [one] desciende el último
   *[other] descienden los { $count } últimos
}
series-division = División
series-division-by-events = Según los torneos que juega

series-accounts-title = Cuentas de esta persona
series-accounts-help = Los clientes con el mismo nombre cuentan como una persona, salvo que dos con ese nombre jugaran el mismo torneo. Corrígelo aquí si no es así.
series-account-registered = Cuenta registrada
series-account-guest = Cliente
series-apart = Es otra persona
series-by-name = Según el nombre
series-same-as = Misma persona que
series-join = Unirlas

series-end = Final de la temporada
series-end-only = Terminar sin otra temporada
series-delete = Borrar la serie
series-delete-help = Una serie en preparación se puede borrar. Sus torneos se quedan.
series-next-help = Termina la temporada y prepara la siguiente, con los ascensos y descensos aplicados.
series-next-help-plain = Termina la temporada y prepara la siguiente con las mismas reglas.
series-next-make = Crear la temporada siguiente
series-next-page-help = Las reglas y las divisiones siguen igual. Comprueba quién juega en cada división. También se puede cambiar en la temporada siguiente.
series-next-name = Nombre de la temporada siguiente
series-next-button = Terminar y crear la siguiente
seed-by-series = Según la serie

flash-series-saved = Guardado.
flash-series-event-added = El torneo ya cuenta en la serie.
flash-series-event-removed = El torneo ya no cuenta en la serie.
flash-series-deleted = La serie está borrada.
flash-series-continued = La temporada ha terminado y la siguiente está creada.

error-series_not_found = No existe esa serie.
error-series_changed = La serie ha cambiado entretanto. Mírala y vuelve a intentarlo.
error-series_ended = La temporada ha terminado. Reábrela para cambiar algo.
error-series_continued = Esta temporada ya tiene una siguiente.
error-series_not_draft = Una serie publicada no se puede borrar. Ocúltala primero.
error-series_empty = La serie todavía no tiene clasificación.
error-too_many_events = No caben más torneos en la serie.
error-met_in_event = Las dos personas jugaron el mismo torneo; no pueden ser la misma.
