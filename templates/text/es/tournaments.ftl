# Torneos.
tournaments = Torneos
tournaments-none = Todavía no hay torneos
tournaments-none-help = Elige un nombre, un juego y un formato, y ya lo tienes. Solo lo ve el personal hasta que se abre la inscripción.
tournaments-guest-none-help = Cuando haya uno, podrás inscribirte aquí.
tournaments-older = Torneos anteriores
tournament-make = Nuevo torneo
tournament-make-button = Crear
tournament-change = Cambiar el torneo
tournament-about = Datos
tournament-name = Nombre
tournament-title = Nombre del juego
tournament-mode = Cómo se juega
mode-played = En los teléfonos
mode-scored = Con el juego de verdad; se anotan los resultados
game-other = Otro juego
game-other-any = Un juego que no está en la lista
tournament-starts = Empieza
tournament-check-in-until = Registro de llegada hasta
tournament-places = Plazas
tournament-round-minutes = Minutos por ronda
tournament-round-time = Tiempo de ronda
tournament-blank-help = Lo que se deja en blanco queda abierto.
entry = Quién puede inscribirse
entry-open = Todos
entry-code = Quien tenga el código
entry-staff = Solo a quien inscriba el personal
entry-help = Con código, se escribe en la página del torneo o se llega por el enlace que lo lleva. El personal siempre puede inscribir a gente.
entry-staff-help = Si quieres jugar, dilo al personal: te inscriben ellos.
entry-code-label = Código de inscripción
entry-code-help = El personal te dice el código.
entry-code-staff-help = Quien escanea el código QR lo tiene ya puesto; los demás lo escriben. Para cambiarlo, elige otra forma de inscripción y después otra vez esta.
tournament-turn-seconds = Segundos por jugada
tournament-late = Entrada tardía hasta la ronda
tournament-late-help = Publicada una ronda, se puede entrar todavía hasta esta: en el suizo y en las mesas, y en los cuadros si alguien descansa en la primera ronda. Antes se puede añadir a cualquiera y los cabezas de serie se dan de nuevo.
tournament-tables = Mesas del torneo
tournament-tables-help = Si no eliges ninguna, se usa cualquier mesa libre.
tournament-more = Cabezas de serie, tiempo, mesas
presets = ¿Qué tipo de torneo?
presets-help = Al elegir se rellena el formulario. Después se puede cambiar todo.
preset-arena = Arena
preset-arena_tables = Arena en mesas
preset-help-arena = Durante 60 minutos se empareja al momento a quien esté libre. Se entra, se descansa y se sale cuando se quiera; gana quien suma más puntos.
preset-help-arena_tables = Durante dos horas se empieza en cuanto hay de 3 a 5 libres; los puestos dan 5, 3, 2 y 1 puntos.
preset-swiss = Suizo
preset-swiss_top = Suizo + 8 mejores
preset-single = Eliminatoria
preset-double = Doble eliminación
preset-league = Liga todos contra todos
preset-groups_top = Grupos + 8 mejores
preset-pods = Mesas de 4
preset-pods_top = Mesas de 4 + mesa final
preset-pod_knockout = Eliminatoria por mesas
preset-help-swiss = Todos juegan 4 rondas contra gente con puntos parecidos. Bueno para una tarde de 8 a 16.
preset-help-swiss_top = Tras 4 rondas suizas, los 8 mejores juegan una eliminatoria.
preset-help-single = Quien pierde queda fuera; se juega el tercer puesto.
preset-help-double = Quien pierde dos veces queda fuera. Se puede llegar a la final por el lado de perdedores.
preset-help-league = Todos se enfrentan una vez. 3 puntos por ganar, 1 por empatar; entre iguales cuenta antes su partida.
preset-help-groups_top = Ligas en 4 grupos; los 2 mejores de cada uno juegan una eliminatoria y los de un grupo se cruzan tarde.
preset-help-pods = Mesas de 3 o 4 durante 3 rondas, con 5, 3, 2 y 1 puntos según el puesto.
preset-help-pods_top = Tras 3 rondas, los 4 mejores se sientan a la mesa final.
preset-help-pod_knockout = Los 2 mejores de cada mesa de 3 o 4 siguen, hasta que queda una mesa.
tournament-copy = Copiar este torneo
tournament-copy-help = Un nuevo borrador con el mismo juego, formatos y mesas. Los resultados no se copian.
tournament-copy-entrants = Con la misma gente
tournament-copy-button = Copiar
tournament-format = Formato
tournament-guests = Para los clientes
tournament-guests-help = Quien escanea el código puede inscribirse, avisar de que ha llegado y ver su mesa.
tournament-export = Exportar
export-json = El torneo entero (JSON)
export-standings = Clasificación (CSV)
export-pairings = Emparejamientos (CSV)
export-trf26 = Informe para la FIDE (TRF26)
export-trf16 = Informe para la FIDE (TRF16)
export-brackets-viewer = Cuadro para brackets-viewer.js (JSON)
export-open-bracket = Open Bracket Format (JSON)
embed = Mostrarlo en otro sitio
embed-help = Copia esto en la página. Muestra el cuadro y la clasificación, sigue el torneo por sí solo y no usa cookies.
embed-snippet = Código para la página
embed-off = Todavía no puede mostrarlo ningún sitio: quien administra el servidor los apunta en los ajustes (embedding_origins).
embed-nobody = Todavía no se ha inscrito nadie.
tournament-ends = Terminar antes o cancelar
tournament-cancel = Cancelar el torneo
cancel-reason = Por qué se cancela
finish-early = Terminar aquí
finish-early-help = No hay más rondas: la clasificación de ahora es la final.

tournament-draft = Borrador
tournament-registration = Inscripción
tournament-check-in = Llegadas
tournament-running = En juego
tournament-finished = Terminado
tournament-cancelled = Cancelado

stage-first = Formato y clasificación
stage-number = Fase { $number }
stage-title = Fase { $number } · { $format }
stage-none = Ninguna
stage-advance = Cuántos pasan
rounds = Rondas
round-minutes = { $count } min

format-single_elimination = Eliminación directa
format-double_elimination = Doble eliminación
format-round_robin = Todos contra todos
format-swiss = Suizo
format-groups = Grupos
format-groups_swiss = Grupos suizos
format-groups-robin = { $groups } ligas
format-groups-swiss = { $rounds ->
    [one] Grupos: { $groups }, una ronda suiza en cada uno
   *[other] Grupos: { $groups }, { $rounds } rondas suizas en cada uno
}
format-groups-label = Grupos
group-name = Grupo { $group }
format-pods = Mesas
format-pod_knockout = Eliminatoria por mesas
format-arena = Arena
format-arena-duels = { $minutes } min de duelos
format-arena-tables = { $minutes } min, { $least }–{ $most } por mesa
format-minutes-label = Minutos abierta
format-patience-label = Segundos de espera antes de repetir rival
format-streaks-label = Tras dos victorias seguidas, cada victoria vale el doble
format-with-third = con tercer puesto
format-with-eight = se juegan los puestos 1–8
format-with-all = se juegan todos los puestos
format-legs = { $legs ->
    [one] una vez
   *[other] { $legs } veces
}
format-rounds = { $rounds ->
    [one] 1 ronda
   *[other] { $rounds } rondas
}
format-pod-rounds = { $rounds ->
    [one] 1 ronda
   *[other] { $rounds } rondas
} en mesas de { $least }–{ $most }
format-pod-advance = mesas de { $least }–{ $most }, pasan { $advance } de cada una
format-rounds-label = Rondas
format-legs-label = Encuentros
format-least-label = Mínimo por mesa
format-most-label = Máximo por mesa
format-going-label = Pasan por mesa
played-places-label = Puestos que se juegan
played-places-two = Primero y segundo
played-places-four = Hasta el cuarto (partida por el tercer puesto)
played-places-eight = Hasta el octavo
played-places-all = Todos los puestos
runs-by-itself-label = Va solo: cada partida empieza en cuanto se sabe quiénes juegan
runs-by-itself-rule = Cada partida empieza en cuanto se sabe quiénes juegan
format-pairing-label = Quién se sienta junto
pairing-random = Por sorteo
pairing-by_standing = Vecinos en la clasificación
format-reach-label = Puestos de distancia permitidos
format-reach-help = Solo para vecinos en la clasificación. Con más, se conoce a más gente nueva; con 0, las mesas siguen la clasificación.
short-tables-label = En las mesas más pequeñas
short-tables-rotate = Todos por turno
short-tables-bottom = Los últimos de la clasificación
short-tables-top = Los primeros de la clasificación
short-tables-rule-bottom = Las mesas más pequeñas son para los últimos de la clasificación
short-tables-rule-top = Las mesas más pequeñas son para los primeros de la clasificación
format-wild-cards-label = Repesca: los mejores eliminados completan las mesas de la ronda siguiente
format-wild-cards-rule = Los mejores eliminados completan las mesas de la ronda siguiente
pairing-spread = Mesas igual de fuertes
games-label = Juegos por partida
games-one = Un juego
games-best_of = Más victorias de tantos
games-race_to = El primero en ganar tantos
games-many-label = Juegos o victorias
games-last-label = Otros números en las últimas rondas
games-last-help = Primero la final: 5 3 son 5 en la final y 3 en las semifinales.
games-best-of = Al mejor de { $games }
games-all = { $games } juegos
games-race-to = A { $wins } victorias
games-last = { $usual } · últimas rondas: { $last }
games-help = Juegos ganados, en el orden { $names }. Cada juego también se puede anotar en su partida.

scoring = Puntos y desempates
scoring-points = Puntos por
scoring-by-win = Victoria, empate, derrota
scoring-by-places = Puestos
scoring-by-scores = Puntos hechos en el juego
scoring-win = Victoria { $win } · empate { $draw } · derrota { $loss } · descanso { $bye }
scoring-places = Por puesto { $scale } · descanso { $bye }
scoring-scores = Los puntos hechos en el juego
scoring-scale = Puntos por puesto
scoring-scale-help = Desde el primero, separados por espacios: 5 3 2 1. Los puestos compartidos reciben la media.
short-scale-label = Puestos en una mesa más pequeña
short-scale-as_full = Valen como en una completa
short-scale-scaled = El último vale como el último
short-scale-rule-scaled = El último de una mesa más pequeña recibe lo mismo que el último de una completa
worth-win = Victoria
worth-draw = Empate
worth-loss = Derrota
worth-bye = Descanso
worth-missed = Ronda antes de llegar tarde
tie-breaks = Desempates por orden
edition = Desempates de rondas no jugadas
edition-fide_2024 = FIDE 2024
edition-fide_2026 = FIDE, desde marzo de 2026
tie-breaks-meaning = Qué significan los desempates
tie-break-number = N.º { $number }
tie-break-wins = Victorias
tie-break-wins-help = Rondas ganadas, o que valieron lo mismo sin jugar
tie-break-head_to_head = Entre sí
tie-break-head_to_head-help = Puntos de las partidas entre los empatados
tie-break-buchholz = Buchholz
tie-break-buchholz-help = Suma de los puntos de los rivales
tie-break-buchholz_cut_one = Buchholz corte 1
tie-break-buchholz_cut_one-help = Los puntos de los rivales sin el más débil
tie-break-median_buchholz = Buchholz mediano
tie-break-median_buchholz-help = Los puntos de los rivales sin el más fuerte ni el más débil
tie-break-sonneborn_berger = Sonneborn-Berger
tie-break-sonneborn_berger-help = Los puntos de los rivales vencidos y la mitad de los de los empatados
tie-break-opponents_win_rate = Victorias rivales
tie-break-opponents_win_rate-help = Con qué frecuencia ganaron los rivales
tie-break-progressive = Progresivo
tie-break-progressive-help = Suma de los puntos tras cada ronda: ganar pronto cuenta más
tie-break-games_won = Partidas ganadas
tie-break-games_won-help = Partidas ganadas jugando
tie-break-second_seats = Otros asientos
tie-break-second_seats-help = Partidas jugadas en un asiento que no es el primero
tie-break-won_in_second_seat = Ganadas en otros asientos
tie-break-won_in_second_seat-help = Partidas ganadas en un asiento que no es el primero
tie-break-rounds_elected = Rondas presentes
tie-break-rounds_elected-help = Rondas sin las que uno decidió no jugar
tie-break-fore_buchholz = Buchholz previo
tie-break-fore_buchholz-help = Los puntos de los rivales como si la última ronda fuera de empates
tie-break-average_buchholz = Buchholz medio
tie-break-average_buchholz-help = La media del Buchholz de los rivales
tie-break-sonneborn_berger_cut_one = Sonneborn-Berger corte 1
tie-break-sonneborn_berger_cut_one-help = Sonneborn-Berger sin el rival más débil
tie-break-koya = Koya
tie-break-koya-help = Puntos contra rivales con al menos la mitad de los puntos
tie-break-progressive_cut_one = Progresivo corte 1
tie-break-progressive_cut_one-help = Progresivo sin la primera ronda
tie-break-standard_points = Puntos estándar
tie-break-standard_points-help = Uno por victoria y medio por empate
tie-break-kashdan = Kashdan
tie-break-kashdan-help = Por partida jugada: victoria 4, empate 2, derrota 1
tie-break-opponents_rating = Media de los rivales
tie-break-opponents_rating-help = La media de la puntuación de los rivales
tie-break-opponents_rating_cut_one = Media de los rivales corte 1
tie-break-opponents_rating_cut_one-help = La misma sin la más baja
tie-break-performance = Rendimiento
tie-break-performance-help = La puntuación que corresponde a los resultados
tie-break-perfect_performance = Rendimiento perfecto
tie-break-perfect_performance-help = La puntuación más baja con la que se esperarían los resultados
tie-break-opponents_performance = Rendimiento de los rivales
tie-break-opponents_performance-help = La media del rendimiento de los rivales
tie-break-opponents_perfect_performance = Rendimiento perfecto de los rivales
tie-break-opponents_perfect_performance-help = La media del rendimiento perfecto de los rivales
tie-break-rating = Puntuación
tie-break-rating-help = La puntuación propia
tie-break-scores = Tanteo
tie-break-scores-help = Suma de los puntos anotados
tie-break-score_share = Parte del tanteo
tie-break-score_share-help = La parte de los puntos de la mesa
tie-break-best_places = Mejores puestos
tie-break-best_places-help = Primeros puestos, luego segundos, luego terceros
tie-break-average_points = Puntos por partida
tie-break-average_points-help = Puntos entre partidas: a igualdad, valen más los logrados en menos partidas
tie-break-seed = Orden inicial
tie-break-seed-help = Quien iba antes en el orden inicial
tie-break-lot = Sorteo
tie-break-lot-help = Un sorteo que se hizo una vez, al crear el torneo

entrants = Participantes
entrants-count = { $count ->
    [one] 1 participante
   *[other] { $count } participantes
}
entrants-of = { $count } de { $most }
entrants-none = Todavía no se ha inscrito nadie
entrants-none-help = Añade a la gente por su nombre o enseña el código del torneo.
entrants-desk = Llegadas
entrant-add = Añadir participante
entrant-add-button = Añadir
entrant-name = Nombre
entrant-name-help = Basta un nombre: no hace falta cuenta.
regulars = Habituales y cuentas
regulars-none = Aquí aparece quien ha venido a menudo en los últimos seis meses.
regulars-others = Otras cuentas
regular-came = { $tournaments ->
    [one] 1 torneo
   *[other] { $tournaments } torneos
} · { $visits ->
    [one] 1 visita
   *[other] { $visits } visitas
}
check-in-all = Están todos
paste = Pegar muchos nombres
paste-names = Nombres
paste-help = Uno por línea, filas copiadas de una hoja o un informe de torneo (TRF). Primero ves qué pasará.
paste-look = Ver qué pasará
paste-preview = { $count ->
    [one] Entrará 1
   *[other] Entrarán { $count }
}
paste-add = Inscribir a { $count }
paste-new = Entra como invitado
paste-entered = Ya está inscrito: se omite
paste-twice = Repetido en la lista: se omite
late-seeded-again = Nadie ha visto aún un emparejamiento: a quien se añade ahora se le da su puesto entre todos, y el borrador se descarta.
late-into-bye = Quien se añade ahora juega enseguida contra { $name }, que iba a descansar.
late-next-round = Quien se añade ahora juega desde la ronda { $round }. Cada ronda perdida vale { $points } puntos.
late-arena = Quien se añade ahora espera rival enseguida.
need = Mesa necesaria
need-of = { $name }: mesa necesaria
need-none = Cualquier mesa
need-area = Zona { $area }
need-write = Poner mesa
need-unmet = { $name } necesita { $place }, pero no está libre para esta partida.
parts = Partes de la lista
part = { $from }–{ $to }
bouts-first = { $count } de { $all } partidas: las primeras que esperan resultado. Todas están en la página de la ronda.
paste-invalid = Línea { $line }: { $why }
entrant-entered = Inscrito
entrant-waiting = En espera
entrant-checked-in = Ha llegado
entrant-no-show = No vino
entrant-dropped = Retirado
act-check-in = Ha llegado
act-take-back = Deshacer
act-no-show = No vino
act-drop = Retirar
act-reinstate = Volver a incluir
act-pause = Descanso
act-resume = Vuelve
seeds = Cabezas de serie
seeds-help = Primero, los más fuertes. Cuanto más fuertes son dos, más tarde se encuentran.
seed-number = N.º { $number } inicial
seed-of = { $name }: qué puesto
seed-move = Mover aquí
rating-of = Puntuación de { $name }
rating-write = Poner puntuación
rating-short = puntuación { $rating }
seed-by-rating = Por puntuación
seed-by-draw = Por sorteo
seeding = Cabezas de serie
seeding-rating = Por puntuación
seeding-hand = A mano
seeding-draw = Por sorteo

next-step = Ahora toca
next-open-registration = Cuando todo esté listo, abre la inscripción. Desde entonces los clientes ven el torneo.
next-open-check-in = Cuando empiece a llegar la gente, abre el registro de llegada.
next-start = Cuando estén todos, empieza. Quien no esté registrado, no ha venido.
next-pair = Empareja la próxima ronda. Solo la ve el personal hasta que se publica.
next-publish = Hay un borrador. Míralo y publícalo.
next-publish-now = Al publicar, lo ve todo el mundo y se reparten partidas y mesas.
next-start-round = Cuando estén todos sentados, pon en marcha el reloj de la ronda.
next-open-arena = Abre la arena cuando estéis listos. Desde entonces se empareja solo a quien esté libre.
next-arena = Los emparejamientos van solos. { $waiting } esperan, { $playing } juegan, { $pausing } descansan.
next-results = { $count ->
    [one] Falta el resultado de 1 partida.
   *[other] Faltan los resultados de { $count } partidas.
}
next-next-stage = Esta fase ha terminado: ya se sabe quién pasa.
next-stuck = La ronda { $round } no se puede emparejar según las reglas.
next-stuck-harm = Lo menos malo: { $harm }
next-stuck-choices = Decide: emparejar la ronda de todos modos o terminar aquí.
next-stuck-end = Aquí no se puede jugar nada más. Sigue con lo que se ha jugado.
next-cut = { $places ->
    [one] Queda una plaza y están empatados: { $names }. Decide quién sigue.
   *[other] Quedan { $places } plazas y están empatados: { $names }. Decide quién sigue.
}
next-unfit = { $count ->
    [one] Seguiría solo 1.
   *[other] Seguirían { $count }.
} La siguiente fase ({ $format }) se puede jugar con { $fits }.
next-unfit-choices = Cambia el plan de la siguiente fase o cuántos siguen, o termina aquí.
next-finish = Han terminado todas las partidas. Haz definitiva la clasificación.
step-open-registration = Abrir la inscripción
step-open-check-in = Abrir el registro de llegada
step-start = Empezar el torneo
step-pair = Emparejar la ronda
step-pair-repeats = Emparejarla de todos modos
step-discard = Descartar el borrador
step-publish = Publicar
step-withdraw = Volver al borrador
step-start-round = Empezar la ronda
step-open-arena = Abrir la arena
step-pause-arena = Pausar la arena
step-resume-arena = Seguir
step-end-arena = Cerrar la arena
step-next-stage = Empezar la fase siguiente
step-run-by-itself = Que el cuadro vaya solo
step-run-by-hand = Llevar el cuadro a mano
step-finish = Terminar el torneo
draft-open = Ver el borrador
cut-decide = Decidir quién sigue
results-open = Anotar resultados
print-pairings = Imprimir emparejamientos
tournament-log = Registro
log-none = Todavía no ha pasado nada.
log-undo = Deshacer
log-undone = Deshecho
log-by-match = La propia partida
log-by-itself = Publicado por el servidor: { $names }
log-by-clock = El reloj
log-why = Por qué: { $why }
log-change = { $what }: { $before } → { $after }
log-more = y { $count } más
undo-of = Deshacer: { $action }
wall-page = { $number } / { $count }
party-in-the-way = { $count ->
    [one] En una mesa reservada para el torneo hay una persona. Pídele que se cambie:
   *[other] En una mesa reservada para el torneo hay un grupo de { $count }. Pídeles que se cambien:
}
boxes-for-bouts = La ronda necesita { $bouts ->
    [one] { $bouts } caja
   *[other] { $bouts } cajas
} del juego. La casa tiene { $boxes }.

bracket = Cuadro
pairings = Emparejamientos
arena-window = Arena
arena-unopened = Aún no abierta
arena-open = Abierta
arena-paused = En pausa
arena-ending = Últimas partidas
arena-closed = Cerrada
arena-waiting = Esperan: { $count }
arena-nobody-waits = Nadie espera.
arena-pausing = Descansan: { $count }
arena-playing = En juego: { $count }
arena-played = Jugadas: { $count }
arena-results = Últimos resultados
arena-earlier = Partidas anteriores: { $count }
arena-rule-again = Solo repites rival si no hay nadie más libre y has esperado { $count } seg
arena-rule-streaks = Tras dos victorias seguidas, cada victoria vale el doble
arena-join = Escanea para entrar
arena-mine-waiting = En espera
arena-mine-playing = Jugando
arena-mine-pausing = Descansando
arena-mine-waiting-help = En cuanto haya alguien libre, juegas. Aquí saldrán tu mesa y tu rival.
arena-mine-playing-help = Al terminar te buscamos rival enseguida.
arena-mine-last-help = Descansas después de esta partida.
arena-mine-pausing-help = No se te empareja mientras descansas. Tus puntos se quedan.
arena-pause = Descansar
arena-resume = He vuelto
opponents = Contra
bout = Partida
bout-number = Partida { $number }
bout-bye = Descansa
bout-drafted = Borrador
bout-waiting = En espera
bout-playing = En juego
bout-claimed = Por revisar
bout-deserted = Interrumpida
bout-over = Confirmada
bout-open = Detalles
bout-write = Anotar el resultado
bout-match = Ver la partida
bout-claim = La partida dice ahora otra cosa: { $result }. Si es así, anótalo abajo.
claim-of = { $name }: puesto { $place }
bout-table = Mesa
bout-table-which = En qué mesa
bout-table-none = Ninguna
bout-table-button = Cambiar de mesa
bout-again = La partida se interrumpió
bout-again-help = Crea una partida nueva para los mismos, o anota arriba un resultado.
bout-again-button = Crear una partida nueva
mark-win = Victoria
mark-draw = Empate
mark-loss = Derrota
mark-bye = Descansa
mark-absent = No vino
mark-place = Puesto { $place }
winner-of = Ganador de la partida { $number }
loser-of = Perdedor de la partida { $number }
place-empty = Nadie
side-main = Ganadores
side-losers = Perdedores
side-final = Final
side-third = Tercer puesto
bout-for-place = Por el puesto { $place }
bout-for-places = Por los puestos { $first }–{ $last }
round-final = Final
round-reset = Final, otra vez
round-semi = Semifinales
round-quarter = Cuartos de final
round-of = Ronda de { $count }
round-number = Ronda { $number }
round-of-all = Ronda { $number } de { $all }
round-progress = { $done } de { $all } terminadas
round-open = Ver la ronda
round-drafted = Borrador
round-published = Publicada
round-running = En juego
round-closed = Terminada
clock = Reloj de la ronda
clock-left = Tiempo que queda
clock-stands = Reloj parado · queda
clock-break = Hasta la ronda siguiente
clock-pause = Parar el reloj
clock-resume = Reanudar el reloj
gong = Tocar la campana al acabar el tiempo
break = Descanso
break-end = Quitar el descanso
break-minutes = { $count ->
    [one] La ronda siguiente en un minuto
   *[other] La ronda siguiente en { $count } minutos
 }
clock-add = +{ $count } min
swap = Intercambiar a dos
swap-help = Los dos cambian de sitio. Solo se puede antes de publicar.
swap-one = A esta persona
swap-other = Y a esta
swap-button = Intercambiar
bout-lock = Fijar
bout-unlock = Soltar
bout-locked = Fijado
swap-conflicts = El cambio crea un emparejamiento que el formato evita.
swap-before = Ahora
swap-after = Después del cambio
swap-force = Cambiar de todos modos
conflict-second-bye = { $name }: descansa por segunda vez
quick-win = Gana { $name }
quick-draw = Empate
quick-absent = { $name } no vino
quick-absent-all = No vino nadie
result-by-place = Anotar puestos y puntos
result-by-place-help = Desde 1; quienes empatan comparten puesto: 1, 2, 2, 4.
grid = Resultados
grid-help = En un duelo escribe 1 o 2 para quien gana, 0 si hay empate, y pulsa Enter. 1- y 2-: ganó porque el otro no vino; -: no vino nadie. En mesas mayores, el puesto de cada uno en el orden de los asientos, como 213.
grid-result-of = Resultado de { $names }
correct-help = Si anotas otro resultado, primero ves qué anularía.
correct-look = Ver qué cambiaría
follows = ¿Corregirlo así?
follows-none = No cambia ninguna otra partida; solo se recalcula la clasificación.
follows-voids = Estas partidas quedarían anuladas, y se interrumpen si se están jugando. Se vuelven a emparejar.
follows-reopens = Entonces la fase se reabre: se emparejan las partidas que faltan.
follows-line = Pasan otros a la fase siguiente:
follows-through = { $name } pasa
follows-at-line = { $name } queda en empate por los últimos puestos
follows-out = { $name } no pasa
follows-standings = La clasificación cambia:
follows-rank = { $name }: puesto { $before } → { $rank }, puntos { $points-before } → { $points }
follows-points = { $name }: sigue en el puesto { $rank }, puntos { $points-before } → { $points }
follows-more = { $count ->
    [one] y uno más
   *[other] y { $count } más
 }
follows-agree = Corregir así

reasons = Por qué este emparejamiento
reason-bracket = Según el cuadro
reason-schedule = Según la tabla de todos contra todos
reason-same-points = Los mismos puntos: { $points }
reason-floated = { $name }: no quedaba nadie con tantos puntos, así que { $points } juega contra { $against }
reason-repeat = { $one } – { $other }: ya se han encontrado { $times ->
    [one] una vez
   *[other] { $times } veces
}
reason-repeats = Parejas de esta ronda que se repiten: { $pairs } (como mínimo { $least })
reason-repeats-fewest = Parejas de esta ronda que se repiten: { $pairs } (las menos posibles)
reason-fewer-repeats = Si se sentaran juntas personas a { $reach ->
        [one] { $reach } puesto
       *[other] { $reach } puestos
    } de distancia, { $pairs ->
        [0] no se repetiría ninguna pareja
        [one] se repetiría { $pairs } pareja
       *[other] se repetirían { $pairs } parejas
    }
reason-bracket-bye = Descanso: los huecos del cuadro son para los primeros del orden inicial
reason-opponent-gone = Descanso: el rival se retiró o no llegó
reason-lowest-bye = Descanso: son impares, y de quienes no han descansado es quien menos puntos tiene ({ $points })
reason-late-entrant = { $name } llegó tarde y juega contra quien iba a descansar
reason-bye-again = Segundo descanso: no queda nadie que no haya descansado (puntos: { $points })
reason-by-hand = A mano
reason-by-hand-of = A mano, por { $name }
reason-requested-bye = Pidió descansar esta ronda, por { $points }
reason-kept-apart = { $one } y { $other } no deberían encontrarse, pero no hay otra manera
reason-no-table = Descanso: las mesas no salen exactas (puntos: { $points })
reason-short-table = Una mesa de { $seats }; la mayor tiene { $largest }
reason-filled = { $name }: pasaron pocos, así que completan la mesa los mejores de los eliminados (puesto { $place } en la suya)
reason-by-standing = Vecinos en la clasificación: { $fewest }–{ $most } puntos
reason-spread = Mesas igual de fuertes
reason-free = Estaban libres
reason-waited = { $name } llevaba { $minutes } min esperando
reason-nobody-else = No había nadie más libre, así que repiten
reason-drawn = Por sorteo

standings = Clasificación
standing-rank = Puesto
standing-name = Nombre
standing-points = Pts
standing-points-help = Puntos en el torneo
standing-played = Jugadas
standing-played-help = Partidas terminadas
standing-record = V–D
standing-record-help = Victorias y derrotas
standing-record-draws-help = Victorias, empates y derrotas
standing-out = fuera
standing-goes-on = sigue
standing-through = pasa seguro
standing-no-more = ya no puede pasar
standing-why-level = Igual que { $name } en todo lo que cuenta.
standing-why-behind-points = Por detrás de { $name } en puntos: { $own } a { $other }.
standing-why-ahead-points = Por delante de { $name } en puntos: { $own } a { $other }.
standing-why-behind-tie-break = Los mismos puntos que { $name }, pero por detrás en { $tie-break }: { $own } a { $other }.
standing-why-ahead-tie-break = Los mismos puntos que { $name }, pero por delante en { $tie-break }: { $own } a { $other }.
standing-still-in = sigue en juego
tournament-won-by = Ganador: { $names }
standing-advance = { $count ->
    [one] El mejor pasa a la fase siguiente.
   *[other] Los { $count } mejores pasan a la fase siguiente.
}
standing-at-line = Sin decidir: en el corte están empatados { $names }.

cut-title = ¿Quién sigue?
cut-level = { $places ->
    [one] Una plaza para estos, empatados en todo lo que cuenta:
   *[other] { $places } plazas para estos, empatados en todo lo que cuenta:
}
cut-by-seed = Los mejores cabezas de serie
cut-by-all = Todos
cut-by-none = Ninguno
cut-by-lot = Sortear
cut-lot-help = El número del sorteo queda en el registro para que cualquiera pueda comprobarlo.
cut-by-hand = A mano o por desempate
cut-by-hand-help = Escribe 1 para el mejor de los que siguen, luego 2, etc. Deja los demás en blanco.
cut-groups = Comparten puestos en sus grupos, y de cada grupo siguen tantos como de los demás:
cut-quota = { $count ->
    [one] uno de { $names }
   *[other] { $count } de { $names }
 }
cut-quota-range = de { $least } a { $most } de { $names }
cut-reason = Por qué
cut-place-of = { $name }: puesto

paper-tables = Emparejamientos por mesa
paper-names = Emparejamientos por nombre
paper-slips = Hojas de resultado
paper-flyer = Cartel
paper-here = Presente
paper-seed = Cabeza de serie
paper-rating = Puntuación
paper-cross = Cuadro de resultados
paper-certificates = Diplomas
flyer-scan = Escanea el código para inscribirte y seguir el torneo.
flyer-for-nobody = Los clientes no ven ahora este torneo: a ellos el código no los lleva a ninguna parte.
certificate = Diploma
certificate-place = { $rank ->
    [1] Primer puesto
    [2] Segundo puesto
   *[other] Tercer puesto
}
slip-sign = Firma

mine-standing = Puesto { $rank } · puntos: { $points }
mine-bye = En esta ronda descansas
mine-no-table = Tu mesa se asigna enseguida
mine-against = Contra: { $names }
mine-code = Código de la partida
check-in-button = Ya estoy aquí
enter-tournament = Inscribirse
enter-tournament-button = Inscribirme
enter-full = No quedan plazas. Si te inscribes, pasas a la lista de espera.
leave-tournament = Retirarse
leave-tournament-help = No juegas más partidas. Para volver, habla con el personal.
leave-tournament-button = Retirarme

flash-tournament-made = { $name }: creado.
flash-tournament-changed = { $name }: cambiado.
flash-tournament-copied = { $name }: copiado. Revisa la fecha y los formatos.
flash-registration-opened = La inscripción está abierta.
flash-check-in-opened = El registro de llegada está abierto.
flash-tournament-started = El torneo ha empezado.
flash-round-paired = La ronda está en borrador.
flash-draft-discarded = El borrador se ha descartado.
flash-round-published = La ronda está publicada.
flash-round-withdrawn = Vuelve a ser un borrador.
flash-round-started = La ronda ha empezado.
flash-arena-opened = La arena está abierta.
flash-arena-paused = La arena está en pausa, y su reloj también.
flash-arena-resumed = La arena sigue.
flash-arena-ended = La arena está cerrada. Las partidas en curso pueden acabar.
flash-entrant-paused = Descansa.
flash-entrant-resumed = Vuelve a jugar.
flash-arena-mine-paused = Descansas. Toca cuando vuelvas.
flash-arena-mine-resumed = Buscamos tu próximo rival.
flash-stage-begun = La fase siguiente ha empezado.
flash-tournament-finished = El torneo ha terminado.
flash-tournament-cancelled = El torneo se ha cancelado.
flash-entrant-added = { $name } participa.
flash-entrants-added = Inscritos: { $name }.
flash-checked-in = Llegada registrada.
flash-check-in-taken-back = La llegada se ha anulado.
flash-marked-no-show = Anotado: no vino.
flash-entrant-dropped = Retirado.
flash-entrant-reinstated = Vuelve a participar.
flash-seeds-given = Los cabezas de serie están fijados.
flash-entrant-rated = Puntuación guardada.
flash-entrants-swapped = Los dos se han intercambiado.
flash-bout-locked = Este emparejamiento queda como está.
flash-bout-unlocked = Este emparejamiento se puede cambiar otra vez.
flash-minutes-added = Hay más tiempo.
flash-clock-stands = El reloj de la ronda está parado.
flash-clock-goes = El reloj de la ronda sigue.
flash-break-set = Todos ven el tiempo que falta para la ronda siguiente.
flash-break-ended = Ya no hay descanso.
flash-bout-settled = El resultado está anotado.
flash-bout-table-given = La mesa ha cambiado.
flash-bout-again = Hay una partida nueva.
flash-step-undone = Está como antes.
flash-entered-tournament = { $name }: te has inscrito.
flash-left-tournament = Te has retirado.

# Por qué algo no se puede hacer en un torneo.
error-tournament_not_found = Ese torneo no existe.
error-entrant_not_found = Ese participante no está en el torneo.
error-round_not_found = Esa ronda no existe en el torneo.
error-bout_not_found = Esa partida no existe en el torneo.
error-stage_not_found = Esa fase no existe en el torneo.
error-tournament_changed = El torneo ha cambiado mientras tanto. Mira cómo está ahora e inténtalo de nuevo.
error-tournament_not_running = El torneo no ha empezado.
error-tournament_started = El torneo ya ha empezado.
error-tournament_over = El torneo ya ha terminado.
error-registration_over = La inscripción ya ha terminado.
error-entered_already = Ya está en el torneo.
error-entrant_out = Este participante está fuera del torneo.
error-too_late_to_enter = Es demasiado tarde para entrar: el torneo está muy avanzado.
error-tournament_full = No quedan plazas.
error-check_in_not_open = El registro de llegada aún no está abierto.
error-check_in_over = El registro de llegada ya ha terminado.
error-variant_not_published = Un torneo se juega con una variante publicada.
error-stage_unfit = Este formato no se puede jugar con tantos participantes: { $count }. Se puede con { $fits }.
error-unpairable = No se puede emparejar ninguna ronda más.
error-nothing_drafted = No hay ninguna ronda en borrador.
error-not_in_format = Este tipo de archivo no puede contenerlo: TRF admite suizos y ligas de dos sin equipos, con puntos por victoria; brackets-viewer, eliminatorias, doble eliminación y ligas; Open Bracket Format, partidas de dos.
error-points_not_in_format = El archivo no puede decir estos puntos: admite un decimal y nada por debajo de 0 ni por encima de 99,9. Los puntos dados o quitados solo están en TRF26.
error-step_not_found = No hay tal paso en el registro del torneo.
error-no_way_back = Desde entonces ha pasado algo que depende de este paso. Deshaz eso primero.
error-played_since = Ya se ha jugado, así que no se puede deshacer. Corrige el resultado.
error-equals_at_line = Hay empatados en el corte. Decide primero quién sigue.
error-swap_conflicts = Dos volverían a encontrarse o alguien descansaría por segunda vez. Cámbialos de todos modos solo si es a propósito.
error-draft_changed = El borrador ha cambiado entretanto. Míralo otra vez.
error-draft_outdated = Un resultado ha cambiado desde que se hizo el borrador. Descártalo y vuelve a emparejar.
error-entrant_not_paired = Este participante no está en el borrador.
error-pairings_follow = Estos emparejamientos salen del cuadro. Cambia los cabezas de serie antes de empezar.
error-bout_locked = Este emparejamiento está fijado. Suéltalo primero.
error-bouts_open = Aún hay partidas abiertas.
error-stage_over = Esta fase ya ha terminado.
error-stage_not_over = Esta fase aún no ha terminado.
error-last_stage = Es la última fase.
error-too_many_rounds = Hay demasiadas rondas.
error-round_not_published = La ronda aún no está publicada.
error-round_drafted = Hay otra ronda en borrador. Descártala o publícala primero.
error-round_started = La ronda ya ha empezado.
error-round_not_running = La ronda no ha empezado.
error-round_over = La ronda ya ha terminado.
error-round_without_clock = Esta ronda no tiene reloj.
error-no_arena = Ahora no se juega ninguna arena.
error-arena_over = La arena está cerrada.
error-bout_over = La partida ya tiene resultado.
error-bout_not_over = La partida aún no tiene resultado.
error-own_bout = El resultado de tu propia partida lo tiene que anotar otra persona.
error-entry_by_staff = En este torneo inscribe el personal.
error-wrong_entry_code = Falta el código de inscripción o no es correcto.
error-following_changed = Lo que anularía la corrección no es lo que has visto. Míralo otra vez.
error-others_go_on = Así pasarían otras personas, o en otro orden, pero la fase siguiente ya ha empezado. Déjalo como está; o cancela el torneo y crea otro con las fases que quedan, con los cabezas de serie puestos a mano.
error-table_too_small = La mesa tiene pocos asientos.
error-table_has_bout = En esa mesa se juega otra partida.
error-match_of_tournament = Esta partida es de un torneo. Para dejarla, retírate del torneo.
error-met_in_tournament = Los dos están en un mismo torneo ({ $tournament }): no son la misma persona y no se pueden unir.
field-too_few = Hay muy pocos participantes.
field-too_many = Hay demasiados participantes.
field-entered_twice = Un participante está dos veces.
field-late_entry = En este formato nadie puede llegar tarde.
field-bad_rounds = El número de rondas no es válido.
field-too_many_rounds = Son demasiadas rondas para tan pocos participantes.
field-bad_sizes = Las mesas son de 2 a 10, y el mínimo no pasa del máximo.
field-sizes_impossible = No se puede sentar a tantos en mesas así.
field-bad_advance = De cada mesa pasa alguien, y menos de los que hay en la más pequeña.
field-bad_reach = De 0 a 50, y solo para vecinos en la clasificación.
field-bad_scale = Un resultado mejor no vale menos que uno peor.
field-bad_games = Las partidas de dos tienen de 1 a 15 juegos; en una eliminatoria, un número impar.
field-bad_groups = Hay de 2 a 32 grupos.
field-bad_window = Una arena está abierta de 1 a 600 minutos, y se espera como mucho 900 segundos.
field-bad_games_won = En esta partida no se pueden haber ganado tantos juegos. Anota cuántos ganó cada uno, como 2:1.
field-not_offered = Este formato no está disponible.
field-wrong_entrants = Nombra a todos los de la partida, una vez cada uno.
field-unreadable_result = Esto no dice ningún resultado. En un duelo: 1, 2 o 0.
field-bad_places = Los puestos van desde el 1; tras un empate se saltan los siguientes (1, 2, 2, 4).
field-absent_ahead = Quien no vino va detrás de todos los que vinieron.
field-undecided = Aquí no puede haber empate: di quién pasa.
field-missing_score = Todos los que vinieron necesitan puntos.
field-score_order = Nadie con más puntos puede tener un puesto peor.
field-bad_score = Los puntos llevan dos decimales como mucho y no son demasiado grandes.
unpairable-too_few_left = Quedan muy pocos para jugar otra ronda.
unpairable-no_legal_pairing = Se empareje como se empareje, dos se repetirían o alguien descansaría dos veces.

# Encabezados de las hojas.
tournament-column-rank = Puesto
tournament-column-entrant = Número
tournament-column-name = Nombre
tournament-column-played = Jugadas
tournament-column-wins = Victorias
tournament-column-draws = Empates
tournament-column-losses = Derrotas
tournament-column-points = Puntos
tournament-column-division = División
tournament-column-total = Total
tournament-column-bonus = Extra
tournament-column-group = Grupo
tournament-column-head-to-head = Duelo directo
tournament-column-buchholz = Buchholz
tournament-column-buchholz-cut-one = Buchholz menos el peor
tournament-column-median-buchholz = Buchholz mediano
tournament-column-sonneborn-berger = Sonneborn-Berger
tournament-column-opponents-win-rate = Porcentaje de victorias de los rivales
tournament-column-progressive = Progresivo
tournament-column-games-won = Partidas ganadas
tournament-column-second-seats = Otros asientos
tournament-column-won-in-second-seat = Ganadas en otros asientos
tournament-column-rounds-elected = Rondas presentes
tournament-column-fore-buchholz = Buchholz previo
tournament-column-average-buchholz = Buchholz medio
tournament-column-sonneborn-berger-cut-one = Sonneborn-Berger corte 1
tournament-column-koya = Koya
tournament-column-progressive-cut-one = Progresivo corte 1
tournament-column-standard-points = Puntos estándar
tournament-column-kashdan = Kashdan
tournament-column-opponents-rating = Media de los rivales
tournament-column-opponents-rating-cut-one = Media de los rivales corte 1
tournament-column-performance = Rendimiento
tournament-column-perfect-performance = Rendimiento perfecto
tournament-column-opponents-performance = Rendimiento de los rivales
tournament-column-opponents-perfect-performance = Rendimiento perfecto de los rivales
tournament-column-rating = Puntuación
tournament-column-scores = Puntos anotados
tournament-column-score-share = Parte de los puntos
tournament-column-best-places = Mejores puestos
tournament-column-average-points = Puntos por partida
tournament-column-seed = Cabeza de serie
tournament-column-lot = Sorteo
tournament-column-round = Ronda
tournament-column-bout = Partida
tournament-column-table = Mesa
tournament-column-place = Puesto
tournament-column-score = Puntos
tournament-column-absent = Ausente

# En la cola de la sala.
attention-tournament-check-in-over = Torneo: alguien no ha registrado su llegada
attention-tournament-round-over-time = Torneo: una ronda se ha pasado de tiempo
attention-tournament-round-complete = Torneo: listo para lo siguiente
attention-tournament-match-off = Torneo: una partida terminó sin resultado
attention-tournament-result = Torneo: hay que revisar un resultado

# Si puede empezar.
ready = Ya pueden empezar { $count }.
ready-tables = Ahora { $count }: mesas de { $sizes }.
ready-no-tables = Con { $count ->
    [one] { $count } persona
   *[other] { $count } personas
} no salen mesas de { $least } a { $most }.
ready-rounds = { $count ->
    [one] { $count } puede
   *[other] { $count } pueden
} jugar { $most ->
    [one] { $most } ronda
   *[other] { $most } rondas
} como mucho.
ready-unfit = { $count }: { $why }
ready-enough = Con { $count } bastaría.
ready-here = Están { $here } de { $entered }. Los demás constarán como ausentes al empezar.
fit-least = Permitir mesas de { $count }
fit-rounds = Jugar { $count ->
    [one] { $count } ronda
   *[other] { $count } rondas
}
flash-tournament-fitted = El plan ya encaja con los que están.
error-nothing_to_fit = No hay nada que cambiar.
entrant-phone = con móvil
entrant-name-only = solo nombre
entrants-phoneless = Se juega con el móvil, pero solo hay un nombre de: { $names }. Tienen que inscribirse en la página del torneo con su propio móvil.

# Equipos.
tournament-team-size = Equipos
team-none = Individual
team-of = Equipos de { $count }
teams = Equipos
team = Equipo
team-board = Tablero
board-number = Tablero { $number }
team-set = Guardar equipo
team-of-entrant = Equipo de { $name }
board-of-entrant = Tablero de { $name }
team-size-help = Donde juegan dos, cada uno se enfrenta al rival del mismo tablero y se suman los tableros. En mesas de varios se suman los puntos del equipo. Las eliminatorias por mesas y las arenas no tienen equipos.
teams-help = Un nombre pone a alguien en ese equipo; un nombre nuevo crea un equipo. Quien va detrás del último tablero es reserva. Después de empezar, los equipos no cambian.
team-enter = Nombre de tu equipo
team-enter-help = Escribe el mismo nombre que tus amigos. Si lo dejas en blanco, el personal te busca equipo.
mine-team = Equipo { $team }
paste-help-teams = La celda después del nombre es el equipo.
paste-new-in-team = Entra en el equipo { $team }
flash-team-set = Equipo guardado.
flash-need-set = La mesa queda anotada. Solo la ve el personal.
flash-runs-by-itself = Desde ahora el cuadro va solo.
flash-runs-by-hand = Desde ahora las partidas del cuadro se publican a mano.
error-plays_without_teams = Este torneo no tiene equipos.
error-team_full = Ese equipo está completo.
field-bad_boards = Un equipo tiene de 2 a 6 tableros.
field-no_teams = Este formato no tiene equipos.
field-without_team = Hay alguien sin equipo.
field-team_too_large = Un equipo tiene demasiados miembros. Donde juegan dos hay hasta dos reservas; en mesas de varios, ninguna.
ready-teams = { $count ->
    [one] Ya puede empezar { $count } equipo.
   *[other] Ya pueden empezar { $count } equipos.
  }
ready-teams-unfit = { $count ->
    [one] { $count } equipo
   *[other] { $count } equipos
  }: { $why }
ready-teams-enough = { $count ->
    [one] Con { $count } equipo bastaría.
   *[other] Con { $count } equipos bastaría.
  }
error-teams_unfit = Hay alguien sin equipo o un equipo con demasiados miembros. Primero ajusta los equipos en la página de participantes.
ready-without-team = Todavía hay participantes sin equipo.
tie-break-berlin = Puntuación de Berlín
tie-break-berlin-help = Puntos de los tableros: el primero cuenta tantas veces como tableros hay, el último una
tie-break-first_board = Primer tablero
tie-break-first_board-help = Puntos del primer tablero
tie-break-without_last_board = Sin el último tablero
tie-break-without_last_board-help = Puntos de todos los tableros menos el último
tie-break-sonneborn_berger_boards = Sonneborn-Berger de equipos
tie-break-sonneborn_berger_boards-help = Puntos de cada equipo rival por los puntos de tablero logrados contra él
tournament-column-team = Equipo
tournament-column-berlin = Puntuación de Berlín
tournament-column-first-board = Primer tablero
tournament-column-without-last-board = Sin el último tablero
tournament-column-sonneborn-berger-boards = Sonneborn-Berger de equipos

# Decisiones.
rulings = Decisiones
ruling-byes = Descansos pedidos
ruling-byes-help = Quien pide no jugar queda fuera de esa ronda. Una ronda publicada no cambia.
ruling-adjustments = Puntos dados o quitados
ruling-adjustments-help = Los puntos y el motivo aparecen en la clasificación. Para una penalización escribe −1.
ruling-apart = Separados
ruling-apart-help = Familiares o gente que vino junta no se enfrentan si se puede evitar. Los clientes no lo ven.
ruling-entrant = Participante
ruling-stage = Fase
ruling-round = Ronda
ruling-after-round = Después de la ronda
ruling-worth = Puntos
ruling-points = Puntos
ruling-reason = Motivo
ruling-one = Una persona
ruling-other = La otra
ruling-add-bye = Añadir descanso
ruling-add-adjustment = Añadir puntos
ruling-add-apart = Separar
ruling-remove = Quitar
flash-rulings-set = Decisión guardada.
error-round_published = Esa ronda ya está publicada.
