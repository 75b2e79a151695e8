# Jugadores, puntuaciones, clasificaciones.
players-title = Jugadores
players-search = Nombre, correo, #1A2B
players-search-button = Buscar
players-kind = Tipo de cuenta
players-registered = Registrados
players-guests = Invitados
players-banned = Suspendidos
players-none = No se encontró a nadie
players-none-help = Prueba con parte del nombre, el inicio del correo o las cuatro cifras de la etiqueta.
players-none-of-kind = Aquí no hay nadie
players-see-all = Ver a todos
players-older = Jugadores anteriores
role-guest = Invitado
banned = Suspendido
banned-until = Suspendido hasta { $time }
banned-lasting = Suspendido hasta nuevo aviso

player-account = Cuenta
player-since = Primera visita
player-registered = Registro
player-history = Qué pasó con esta cuenta
rename = Cambiar el nombre
devices = Dispositivos
devices-none = Sin sesiones abiertas.
device-seen = último uso: { $time }
device-sign-out = Cerrar sesión: { $device }
sign-out-everywhere = Cerrar sesión en todas partes
ban = Suspender
ban-help = Cierra enseguida todas sus sesiones; la casa sigue jugando en sus asientos. La suspensión termina sola.
ban-length = Durante cuánto
ban-day = Un día
ban-week = Una semana
ban-month = 30 días
ban-season = 90 días
ban-lasting = Hasta que se levante
ban-button = Suspender
ban-lift = Levantar la suspensión

merge = Unir a otra cuenta
merge-lead = Busca quién es en realidad este invitado. Antes de hacer nada verás qué va a pasar.
merge-plan = Qué va a pasar
merge-seats = Los asientos de { $over ->
    [one] { $over } partida terminada
   *[other] { $over } partidas terminadas
} y de { $open ->
    [one] { $open } partida abierta
   *[other] { $open } partidas abiertas
} pasan a esta cuenta.
merge-ratings = Las estadísticas y puntuaciones se calculan de nuevo con esas partidas; también pueden cambiar las de quienes jugaron con esta persona.
merge-sessions = { $count ->
    [one] Se cierra la sesión del invitado en { $count } dispositivo.
   *[other] Se cierra la sesión del invitado en { $count } dispositivos.
}
merge-id = La antigua dirección del invitado llevará desde ahora a esta cuenta.
merge-final = No se puede deshacer.
merge-button = Unir
merge-other = Elegir a otra persona

player-stats = Estadísticas
player-matches = Partidas terminadas
player-matches-none = Aún no ha terminado ninguna partida.
player-place = Puesto
player-finished = Fin
wins = Victorias
places = 1.º · 2.º · …
streak = Racha (mejor)
calls = Aciertos
bluffs = Faroles colados
luck = Suerte
stats-help = La suerte es cuántos comodines salieron de más respecto a lo esperado. Solo cuentan partidas terminadas.
head-to-head = Cara a cara
opponent = Rival
met-ahead = Por delante
met-behind = Por detrás
met-level = Empates

ratings = Puntuaciones
rating = Puntuación
ratings-none = Ninguna partida ha contado aún para la puntuación.
ratings-guest = Las partidas de un invitado cuentan cuando se registra, también las anteriores.
rated-matches = { $count ->
    [one] { $count } partida
   *[other] { $count } partidas
}
provisional = Provisional
graph-title = { $name }: puntuación en { $game } en { $count ->
    [one] la última partida
   *[other] las últimas { $count } partidas
}
graph-table = Como tabla
rating-why = Por qué
why-played = Puesto { $place }: por delante de { $beaten } de { $opponents }; se esperaban { $expected }.
why-left-early = Se fue antes del final: cuenta como último ante { $opponents }; se esperaban { $expected }.
why-left-alone = Los demás se fueron antes del final: nada cambió.
why-too-often = Dos personas puntúan { $most } partidas de un juego al día: nada cambió.

leaderboards = Clasificaciones
board-variant = Reglas
board-all-rules = Todas las reglas
board-month = Mes
board-now = Ahora
board-who = Quién
board-sure = Consolidadas
board-see-provisional = Ver las provisionales
board-empty = Aún no hay clasificación
board-empty-help = Aquí aparecen los jugadores registrados que terminan una partida juntos.
board-empty-sure = Los jugadores aparecen aquí cuando su puntuación es segura, tras bastantes partidas.
board-next = Puestos siguientes
board-help = Todos empiezan en 1000. La puntuación es la fuerza que se tiene casi con seguridad, y cada partida la afina. Solo cuentan las partidas que jugadores registrados terminan juntos.

flash-player-renamed = Nombre cambiado: { $name }
flash-player-banned = El jugador está suspendido.
flash-ban-lifted = La suspensión está levantada.
flash-player-signed-out = Sesión cerrada.
flash-player-merged = Cuentas unidas. Las estadísticas y puntuaciones se actualizan en un momento.
