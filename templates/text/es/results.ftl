# Resultados: lo que se anota de partidas con dados y cartas de verdad.
match-scored = Solo se anota; no se juega aquí
result = Resultado
result-none = Nadie ha anotado un resultado todavía. Aparecerá aquí cuando lo haga alguien de la partida.
result-never = Terminó sin resultado.
result-number = Resultado { $number }
result-reported = Por confirmar
result-disputed = En disputa
result-confirmed = Confirmado
result-replaced = Sustituido
result-confirm = Confirmar este resultado
result-write = Anotar el resultado
result-write-button = Anotar y confirmar
result-correct = Corregir el resultado confirmado
result-correct-button = Corregir y confirmar
result-help = Sin puestos, se deducen de los puntos, de más a menos, o si no de quién cayó más tarde. Tras un empate se salta el siguiente puesto (1, 2, 2, 4).
result-place = Puesto
result-points = Puntos
result-out = Caída
result-reason = Motivo (opcional)
result-own = Juegas en esta partida: la tiene que confirmar otra persona de la partida o del personal.
result-before = { $count ->
    [one] { $count } resultado anterior
   *[other] { $count } resultados anteriores
}
result-confirmed-by = Lo confirmó { $name } · { $time }
flash-result-settled = El resultado está confirmado.
attention-result = Un resultado espera confirmación
attention-result-disputed = Hay un resultado en disputa
result-look = Ver el resultado
start-scored = Crear una partida que solo se anota
scored-title = A qué se juega
scored-help = Si es otro juego, escribe su nombre. Se juega con dados y cartas de verdad, y quienes juegan anotan el resultado.
start-scored-button = Crear
