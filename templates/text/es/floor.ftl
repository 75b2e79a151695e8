# La sala y los grupos en sus mesas: llamadas y lo que hizo el personal.
table-seated = Ocupada
table-held = Torneo
seat-all-the-same = Sentar aquí a un grupo de todos modos
table-closing = Cerrando
table-out = Fuera de servicio
party-of = { $count ->
    [one] { $count } persona
   *[other] { $count } personas
}
party-at = { $count } de { $seats }
party-size = Personas
seat-at = { $name }: sentar a un grupo
nothing-played = Aún sin juego
attention-none = Ahora nada requiere atención.
attention-long-sitting = lleva mucho tiempo
attention-left-behind = quedó en la mesa
attention-check-in = Por revisar
attention-claim = pide seguir con otro móvil
boxes-here = Cajas en la mesa
box-lend = Prestar una caja
box-none = No hay ninguna caja así en su estante.
box-to-return = A devoluciones
box-home = A su estante
box-to-shelf = Al estante { $shelf }
wall-screen = Pantalla de pared
appointments = Nuevas personas encargadas
appointment = { $name } tiene una nueva función: { $role }
appointment-by = { $by } dio a { $name } una nueva función: { $role }
appointments-look = Ver el personal
new-device = Iniciaste sesión en un dispositivo nuevo
new-device-help = Si no fuiste tú, cambia tu contraseña y cierra las sesiones de los demás dispositivos.
new-device-look = Ver tu cuenta
just-done = Recién hecho
undo = Deshacer
sitting-leaves = Empezar a recoger
sitting-stays = Se quedan
sitting-gone = Se han ido
sitting-longer = Avisar en una hora
start-match = Crear una partida
call-hear = Voy
call-settle = Resuelto

call-rules = Explicar las reglas
call-order = Pedir
call-game = Otro juego
call-broken = Roto o perdido
call-bill = Pagar
call-other = Ayuda
call-open = Avisado
call-is-heard = En camino
call-is-settled = Resuelto
call-is-taken-back = Retirada
call-take-back = Retirar
call-staff = Llamar al personal
call-note = Un comentario (opcional)
your-calls = Vuestras llamadas

guest-free = Una mesa libre
guest-free-help = Siéntate con un nombre para jugar en esta mesa y llamar al personal.
guest-kept = Mesa de { $tournament }
guest-kept-help = Aquí se juega la ronda { $round }. Toma otra mesa o pregunta al personal.
guest-kept-since = Reservada desde { $time }.
guest-kept-open = Ver el torneo
guest-kept-force = Sentarse de todos modos
flash-table-kept = En esta mesa se juega un torneo; ahora nadie puede sentarse.
guest-closing = Esta mesa se está recogiendo. Si acabas de llegar, habla con nosotros.
join-party = Sentarse a esta mesa
join-party-button = Sentarme

table-back = De nuevo en servicio
table-out-reason = Por qué está fuera de servicio
table-out-button = Fuera de servicio
table-place = Puesto
table-place-button = Poner ahí
qr-receipt = Recibo de 80 mm
history = Historial
history-of = Historial de { $name }
history-older = Más atrás
history-empty = Aquí aún no ha pasado nada
history-empty-help = Grupos, partidas, llamadas y lo que hace el personal quedarán aquí.
past-sitting = { $count ->
    [one] Un grupo de { $count }
   *[other] Un grupo de { $count }
}
sittings-title = Grupos
sittings-empty = Entonces no hubo ningún grupo
sittings-empty-help = Otra hora o un periodo más largo quizá muestren alguno.
sittings-when = Horas
sittings-minutes = Min
sittings-export = Descargar en CSV
sittings-from = Llegada
sittings-until = Salida
sittings-there = sigue aquí
end-left = se fue
end-forgotten = cerrado por sí solo
end-merged = se juntó con otros
end-undone = deshecho

party-too-many = { $count } de { $seats }, { $short ->
    [one] falta un sitio
   *[other] faltan { $short } sitios
}
party-fewer = Uno menos
party-more = Uno más
sheet-back = Volver a { $name }
sheet-keys = Qué hacer en esta mesa
move-or-merge = Mover o juntar
move-help = ¿Adónde? Toca una mesa de la sala. En una mesa con gente, los dos grupos se juntan.
move-from = Están aquí
move-into = Mover → { $there }
merge-into = Juntar → { $there }
owed = A pagar
owed-so-far = A pagar hasta ahora
owed-help = Se detiene en cuanto marcas que la mesa se recoge.
money-krw = { $amount } KRW
money-other = { $amount } { $currency }
span-hours = { $h } h
bill-first = { $people } × tramo inicial de { $first } { $price }
bill-steps = { $people } × (tramo inicial de { $first } { $price } + { $step } { $step-price } × { $steps })
bill-day-pass = { $people } × { $each } con pase de día
bill-free = { $people } × gratis
leave-and-pay = Salir y pagar
leave-help = Al irse, sus llamadas quedan resueltas y sus partidas sin empezar se cancelan. Se puede deshacer durante diez minutos.
sitting-people = Clientes con móvil
sitting-people-look = Ver
phones-count = { $count ->
    [one] Un móvil
   *[other] { $count } móviles
}
joined-welcome = Es del grupo
joined-refuse = Rechazar
attention-joined = Ha entrado alguien más en un grupo completo
match-look = Ver la partida
match-withdraw = Cancelarla
tournament-look = Ver el torneo
due-claim = Móvil nuevo
due-joined = Uno más
due-long-turn = Turno largo
due-long-wait = Sin empezar
due-stuck = Atascada
due-long-sitting = Larga estancia
due-box = Caja olvidada
due-result = Resultado
due-tournament = Torneo
flash-sitting-welcome = Es del grupo: { $name }
flash-match-withdrawn = Cancelada: { $name }

flash-undone = Deshecho.
flash-sitting-open = Grupo sentado: { $name }
flash-sitting-close = Libre de nuevo: { $name }
flash-sitting-move = Cambio hecho: { $name }
flash-sitting-merge = Juntados: { $name }
flash-sitting-remove = Ya no está en el grupo: { $name }
flash-sitting-closing = Se está recogiendo: { $name }
flash-sitting-stay = Se quedan: { $name }
flash-sitting-resize = Número de personas cambiado: { $name }
flash-sitting-extend = Te avisaremos en una hora: { $name }
flash-match-made = Una partida espera jugadores: { $name }
flash-call-heard = Ya saben que vas.
flash-call-settled = Resuelto.
flash-table-out = Fuera de servicio: { $name }
flash-table-back = De nuevo en servicio: { $name }
flash-table-placed = Se ha cambiado el orden.
flash-table-reason-wrong = Escribe un motivo de 120 caracteres como máximo.
flash-joined-table = Te has sentado a { $name }.
flash-called = Ahora va alguien. Un momento, por favor.
flash-call-taken-back = La llamada se ha retirado.
flash-call-note-wrong = El comentario es una línea de 200 caracteres como máximo.

error-not_at_table = Primero escanea el código de la mesa y siéntate.
error-removed_from_party = El personal te sacó de este grupo. Si fue un error, avísale.
error-join_token_invalid = Esta invitación ya no sirve. Escanea el código de la mesa.
error-sitting_not_found = No existe ese grupo.
error-sitting_over = Ese grupo ya se fue.
error-sitting_full = Aquí no cabe nadie más.
error-same_party = Un grupo no puede juntarse consigo mismo.
error-table_occupied = Hay gente en esta mesa.
error-table_held = En esta mesa se juega { $tournament }. Toma otra, o pide al personal que mueva antes la partida.
error-table_closing = Esta mesa se está recogiendo. Habla con nosotros.
error-table_out_of_service = Esta mesa está fuera de servicio.
error-call_not_found = No existe esa llamada.
error-call_over = Esta llamada ya terminó.
error-undo_not_found = No hay nada que deshacer.
error-undo_used = Esto ya se deshizo.
error-undo_expired = Ya es tarde para deshacerlo.
error-cannot_undo = La situación ha cambiado y ya no se puede deshacer.

# El fin del día: cerrar de una vez lo que queda abierto, y notas para el turno siguiente.
closing = Cierre
closing-parties = Grupos que siguen aquí
closing-parties-help = Los elegidos se van. Sus llamadas quedan resueltas y sus partidas sin empezar se cancelan.
closing-waiting = { $count ->
    [one] Una cosa espera respuesta.
   *[other] { $count } cosas esperan respuesta.
}
closing-boxes = Cajas fuera de su estante
closing-box-lost = Perdida
closing-box-keep = Dejarla así
closing-matches = Partidas sin empezar
closing-help = Al cerrar se resuelve de una vez todo lo elegido. Se puede deshacer todo durante diez minutos.
closing-button = Cerrar el día
closing-done = No queda nada por cerrar
closing-done-help = No hay nadie y ninguna caja está fuera.
closing-figures = Hoy
closing-came = Clientes
closing-parties-people = { $people } en { $parties ->
    [one] un grupo
   *[other] { $parties } grupos
}
closing-played = Partidas jugadas
closing-owed = A pagar por quienes se fueron
closing-left = Lo que queda
closing-left-help = El cierre no los toca. Míralos uno a uno si hace falta.
closing-running = Partida en curso
closing-tournament = Torneo en curso
settled-sittings = { $count ->
    [one] un grupo
   *[other] { $count } grupos
}
settled-copies = { $count ->
    [one] una caja
   *[other] { $count } cajas
}
settled-matches = { $count ->
    [one] una partida
   *[other] { $count } partidas
}
shift-notes = Notas para el turno siguiente
shift-note-new = Al turno siguiente
shift-note-help = Queda en la sala hasta que alguien la lea. Hasta 300 caracteres.
shift-note-button = Dejar una nota
shift-note-read = Leída
flash-day-closed = Día cerrado: { $name }
flash-day-closed-nothing = No quedaba nada por cerrar.
flash-shift-note-written = La nota queda escrita.
flash-shift-note-read = Nota leída.
flash-shift-note-wrong = Una nota es una línea de hasta 300 caracteres.
error-shift_note_not_found = No hay ninguna nota así.

# El plano de la sala.
plan = Plano de la sala
plan-edit = Editar el plano
plan-no-area = Sin zona
plan-at = columna { $x }, fila { $y }
plan-tools = Mesa elegida
plan-narrower = Más estrecha
plan-wider = Más ancha
plan-lower = Más corta
plan-higher = Más larga
plan-round = Redonda
plan-off = Quitar del plano
plan-numbers = Cambiar con números
plan-numbers-help = La esquina superior izquierda es la columna 1, fila 1. Hay { $columns } columnas y { $rows } filas. Una mesa sin números no sale en el plano.
plan-x = Columna
plan-y = Fila
plan-width = Ancho
plan-height = Largo
plan-help = Arrastra cada mesa al lugar donde está. Con el teclado, las flechas la mueven, Mayús y las flechas cambian su tamaño, y Supr la quita.
plan-save = Guardar el plano
plan-rest = Fuera del plano
plan-rest-help = Toca una para ponerla en un sitio libre.
plan-arrange = Colocar todas y guardar
plan-reload = Cargar el plano nuevo
floor-as-plan = Ver como plano
floor-as-grid = Ver como lista
flash-plan-saved = Plano guardado.
error-plan_changed = Otra persona ha cambiado este plano mientras tanto. Carga el plano nuevo y repite tus cambios.
field-overlaps = Se solapa con otra mesa.
