# Estadísticas.
stats = Estadísticas
stats-period = Periodo
stats-today = Hoy
stats-7 = 7 días
stats-30 = 30 días
stats-90 = 90 días
stats-365 = 365 días
stats-choose = Elegir días, juego y reglas
stats-from = Primer día
stats-until = Último día
stats-shown = Del { $from } al { $until }.
stats-compared = Comparado con { $from } – { $until }
stats-more = ▲ { $by }
stats-fewer = ▼ { $by }
stats-same = –
stats-before = antes:
stats-empty = No ha terminado ninguna partida en este periodo
stats-empty-help = Elige un periodo más largo o vuelve cuando termine la primera partida.
stats-table = Ver como tabla
stats-csv = Descargar CSV
stats-rest = { $count ->
    [one] Hay una fila más
   *[other] Hay { $count } filas más
 } en el archivo; elige un juego o sus reglas para verlas aquí.
stats-xlsx = Descargar como libro (XLSX)
stats-finished = Partidas terminadas
stats-aborted = Suspendidas
stats-expired = Caducadas
stats-players = Asientos ocupados
stats-guests = Personas que jugaron
stats-new = Jugaron por primera vez
stats-parties = Grupos
stats-people = Clientes
stats-table-hours = Horas de mesa
stats-occupancy = Ocupación (%)
stats-occupancy-field = { $percent } ocupado, { $hours } horas de mesa, { $parties ->
    [one] llegó { $parties } grupo
   *[other] llegaron { $parties } grupos
}
stats-tables = Ocupación de las mesas
stats-tables-chart = Qué parte del tiempo estuvieron ocupadas las mesas en cada hora de la semana, en porcentaje; cuanto más, más intenso. La tabla de abajo dice lo mismo.
stats-tables-help = La parte del tiempo de todas las mesas en que hubo un grupo sentado, en porcentaje. Cuanto más, más intenso.
stats-days = Día a día
stats-days-chart = Barras: cuántas partidas terminaron cada día. La tabla de abajo dice lo mismo.
stats-day = Día
stats-hours = Días de la semana y horas
stats-hours-chart = Cuántas partidas terminaron en cada hora de la semana; cuantas más, más intenso. La tabla de abajo dice lo mismo.
stats-hours-help = Una partida cuenta en la hora en que terminó. Cuantas más, más intenso.
stats-weekday = Día de la semana
stats-hour = Hora
stats-weekday-1 = lun
stats-weekday-2 = mar
stats-weekday-3 = mié
stats-weekday-4 = jue
stats-weekday-5 = vie
stats-weekday-6 = sáb
stats-weekday-7 = dom
stats-games = Juegos y variantes
stats-rules = Reglas
stats-basic = Juego básico
stats-other = Reglas sin nombre { $hash }
stats-length = Cuánto dura
stats-length-help = La mediana y lo que nueve de cada diez no superaron, en minutos. Error máximo: 4,5 %.
stats-minutes = lo normal { $median }, como mucho { $most } min
stats-seat-count = Asientos
stats-of-seats = { $count ->
    [one] { $count } asiento
   *[other] { $count } asientos
}
stats-median = Mediana (min)
stats-p90 = Nueve de diez (min)
stats-seconds-per-move = { $seconds } s por jugada
stats-per-move = Por jugada (s)
stats-seats = Victorias por asiento
stats-seats-help = La barra es el intervalo de confianza del 95 %; la línea discontinua, donde todos ganarían por igual.
stats-seat = Asiento
stats-seat-of = asiento { $seat } de { $count }
stats-wins = Victorias
stats-share = Parte (%)
stats-share-from = Desde (%)
stats-share-until = Hasta (%)
stats-share-of = { $share } ({ $from }–{ $until })
stats-orders = Victorias por orden de juego
stats-place = Puesto
stats-place-of = puesto { $place } de { $count }
stats-roles = Victorias por papel
stats-role = Papel
stats-role-of = { $count ->
    [one] { $count } asiento, { $role }
   *[other] { $count } asientos, { $role }
}
stats-played = Veces jugado
stats-returning = Quién vuelve
stats-came-back = Ya habían jugado
stats-returning-chart = Personas por el número de días en que jugaron. La tabla de abajo dice lo mismo.
stats-visit-days = Días jugados
stats-visit-bar = { $days ->
    [one] { $days } día
   *[other] { $days } días
}: { $guests ->
    [one] { $guests } persona
   *[other] { $guests } personas
}
stats-visit-bar-more = { $days } días o más: { $guests ->
    [one] { $guests } persona
   *[other] { $guests } personas
}
stats-visit-more = { $days } o más
stats-other-zone = Las cifras se están calculando para la zona horaria { $zone }. Hasta entonces son las de { $kept }.
stats-unit-hours = h

# Las tres páginas de estadísticas, sus unidades y lo que dice cada gráfico.
stats-tab-house = El local
stats-tab-games = Juegos
stats-tab-people = Personas
stats-unit-people = { $count ->
    [one] persona
   *[other] personas
}
stats-unit-parties = { $count ->
    [one] grupo
   *[other] grupos
}
stats-unit-matches = { $count ->
    [one] partida
   *[other] partidas
}
stats-unit-seats = { $count ->
    [one] asiento
   *[other] asientos
}
stats-says-days = { $most }: el día con más partidas ({ $count } de media). { $least }: el de menos ({ $few }).
stats-says-tables = { $weekday } a las { $hour }:00: la hora más llena, con las mesas ocupadas al { $percent }.
stats-says-hours = { $weekday } a las { $hour }:00: la hora en que terminan más partidas, { $count } en total.
stats-says-games = Lo más jugado: { $game }, { $percent } de las partidas.
stats-says-unlent = { $count ->
    [one] { $count } juego no ha salido de su estante en este periodo.
   *[other] { $count } juegos no han salido de su estante en este periodo.
}
stats-says-length = Lo que más dura: { $game } con { $count ->
    [one] { $count } asiento
   *[other] { $count } asientos
}, normalmente { $minutes } min.
stats-says-seats = El más desigual: { $game }, asiento { $seat } de { $count }, gana { $share } (lo justo sería { $fair }).
stats-says-seats-fair = Ningún asiento gana claramente más o menos que los demás.
stats-says-seats-few = Aún hay pocas partidas para saber si algún asiento gana más.
stats-says-orders = El más desigual: { $game }, puesto { $place } de { $count } en el orden de juego, gana { $share } (lo justo sería { $fair }).
stats-says-orders-fair = Ningún puesto en el orden de juego gana claramente más o menos que los demás.
stats-says-orders-few = Aún hay pocas partidas para saber si algún puesto en el orden de juego gana más.
stats-says-roles = El más desigual: { $game } para { $count }, { $role }, gana { $share } (lo justo sería { $fair }).
stats-says-roles-fair = Ningún papel gana claramente más o menos que los demás.
stats-says-roles-few = Aún hay pocas partidas para saber si algún papel gana más.
stats-says-returning = De { $count ->
    [one] { $count } persona
   *[other] { $count } personas
} que jugaron, { $percent } ya había jugado aquí.
