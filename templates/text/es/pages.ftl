# Sala, mesas, partidas.
yes = sí
no = no
all = Todo
change = Cambiar
save = Guardar
print = Imprimir
filter = Ver

floor = Sala
floor-empty = Todavía no hay mesas
floor-empty-help = Añade las mesas del café una a una y aparecerán todas aquí.
table-free = Libre
table-playing = Jugando
table-attention = Atención
count-of = { $what } { $count }
and-more = y { $count } más
attention = Requiere atención
attention-stuck = Una partida no puede seguir sola
attention-long-turn = Un turno se alarga
attention-long-wait = Esperan desde hace rato
adrift = Partidas sin mesa
turn-of = Turno de { $name }
turn-count = { $count } a la vez
seats-taken = { $taken } de { $seats } asientos ocupados
table-seats = { $seats ->
    [one] { $seats } asiento
   *[other] { $seats } asientos
}

tables = Mesas
tables-empty-help = Crea aquí la primera; después imprime su código QR y déjalo sobre la mesa.
qr-empty-help = Cuando haya mesas, aquí se imprimen sus códigos.
table-make = Añadir una mesa
table-make-button = Añadir
table-name = Nombre
table-area = Zona
table-chairs = Asientos
move-up = { $name }: subir
move-down = { $name }: bajar
archive = Retirar
archived = Mesas retiradas
restore = Volver a poner
qr-sheets = Imprimir códigos QR
qr-one = Código QR de esta mesa
table-new-code = Crear otro código QR
table-new-code-help = El código actual deja de funcionar en el acto. Si alguien tiene una foto, imprime el nuevo.
qr-per-page = Cuántos por hoja
qr-count = { $count } por hoja
qr-how = Escanéalo con el móvil para entrar en esta mesa.
qr-wifi = Conéctate primero al wifi
qr-for-nobody = Estos códigos solo se abren en este ordenador. Fija la dirección antes de imprimirlos.

flash-table-made = Mesa añadida: { $name }
flash-table-changed = Guardada: { $name }
flash-table-archived = Retirada: { $name }
flash-table-new-code = El código nuevo está listo: { $name }. Imprímelo.
flash-table-restored = Puesta de nuevo: { $name }

error-form_changed = Otra persona ha cambiado lo mismo mientras tanto. Mira lo que hay ahora y vuelve a guardar.
form-now = Ahora: { $value }
flash-form-merged = Guardado. Lo que otra persona ha cambiado mientras tanto sigue ahí.

matches = Partidas
matches-empty = Aquí no hay partidas
matches-empty-help = Sienta a un grupo en la sala y toca su mesa para empezar una partida.
game = Juego
all-games = Todos los juegos
status = Estado
older = Partidas anteriores
match-waiting = Reuniéndose
match-running = En curso
match-finished = Terminada
match-aborted = Suspendida
match-expired = Caducada
moves-made = { $count ->
    [one] { $count } jugada
   *[other] { $count } jugadas
}
started-at = empezó { $time }
ended-at = terminó { $time }
seats = Asientos
seat-number = Asiento { $number }
someone = alguien
name-and-tag = { $name } #{ $tag }
seat-free = libre
seat-left = se fue
seat-out = Fuera
on-turn = Le toca
rank = puesto { $rank }
log = Registro
log-all = Ver todo desde el principio
options = Reglas
board = Tablero
fair = Azar limpio
fair-before = El sello que se puso al crear la partida. Al terminar se abre, y cualquiera puede comprobar cada dado y cada carta.
fair-after = El sello está abierto. Descarga el registro para comprobar cada dado y cada carta.
record = Descargar el registro
abort = Suspender la partida
abort-help = No se puede deshacer. Queda constancia de quién la suspendió y por qué.
abort-reason = Motivo
abort-button = Suspender
flash-match-aborted = La partida queda suspendida.

bid-by = Apuesta en pie: { $name }
bid-none = Se espera la primera apuesta
bids = Apuestas de esta ronda
bidder = Apuesta
opener = Abre
dice-in-game = { $count ->
    [one] { $count } dado en juego
   *[other] { $count } dados en juego
}
dice-hidden = { $count ->
    [one] { $count } dado oculto
   *[other] { $count } dados ocultos
}
palifico-round = Ronda Palífico
die-paco = Paco
die-helm = timón
last-reveal = Lo descubierto en la ronda { $round }
no-reveal = Aún no se ha levantado ningún cubilete
verdict = { $name }: ¡{ $call }!
actual-count = en realidad { $count }

winner = Victoria: { $name }
winner-none = Terminó sin nadie que ganara
welcome = Te damos la bienvenida
welcome-lead = Escanea el código de tu mesa para entrar en ella. Dados limpios, cartas limpias y las reglas en tu idioma.
players = De { $least } a { $most } personas
for-staff = Para el personal
for-developers = Para desarrolladores
join-with-code = Entra con este código:
die-skull = calavera
showdown = Duelo
read-rules = Leer las reglas
rules-on = sí
rules-off = no
rules-basic = Juego básico
rules-house = Regla de la casa
rules-variant = Reglas de la casa: { $name }
rules-version = versión { $number }
minutes = de { $least } a { $most } minutos
minutes-about = { $minutes ->
    [one] { $minutes } minuto
   *[other] unos { $minutes } minutos
}

offline = Sin conexión
offline-help = En cuanto el móvil vuelva al wifi del café, todo sigue donde estaba. Las reglas que ya has leído se pueden leer también ahora.
offline-again = Volver a intentarlo
