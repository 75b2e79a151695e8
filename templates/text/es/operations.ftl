# El servidor y el registro de actividad.
audit = Registro de actividad
audit-csv = Descargar CSV
audit-jsonl = Descargar JSON
audit-who = Quién
audit-everybody = Todo el mundo
audit-what = Qué
audit-anything = Cualquier cosa
audit-from = Desde
audit-until = Hasta
audit-one-thing = Solo se muestra lo que se hizo con una cosa.
audit-all = Mostrar todo
audit-empty = Aquí no hay nada registrado
audit-empty-help = Amplía la búsqueda y vuelve a mirar.
audit-no-account = Línea de órdenes
audit-details = Detalles
audit-older = Líneas anteriores
chain-whole = Íntegro
chain-whole-help = { $count ->
    [one] Se comprobó el sello de la última línea.
   *[other] Se comprobaron los sellos de las últimas { $count } líneas.
}
chain-broken = Sello roto
chain-broken-help = La línea { $n } no encaja con las vecinas. Puede que alguien haya cambiado el registro.
chain-check = Comprobar todo
flash-audit-whole = Las { $name } líneas están íntegras.
flash-audit-broken = El sello está roto en la línea { $name }.
flash-audit-loose = Líneas sin sello: { $name }.

operations = Estado del servidor
ops-build = Programa
ops-version = Versión
ops-uptime = En marcha
ops-migrations = Esquema
ops-complete = Al día
ops-incomplete = Por actualizar
ops-database = Base de datos
ops-size = Tamaño
ops-latency = Latencia
ops-connections = Conexiones
ops-connections-of = abiertas: { $open }, en uso: { $busy }, máximo: { $most }
ops-pool = Reserva
ops-pool-of = abiertas: { $open }, libres: { $idle }, en espera: { $waiting }, máximo: { $size }
ops-streams = Conexiones en directo
ops-descriptors = Descriptores de archivo
ops-used-of = { $open } en uso, { $most } como máximo
ops-backup = Copia de seguridad
ops-backup-at = Última copia
ops-backup-none = Todavía no hay ninguna copia
ops-backup-help = Se puede hacer con el servidor en marcha:
ops-backup-age = Antigüedad
ops-backup-now = Hacer una copia ahora
flash-backup-requested = La copia está en marcha; aparecerá aquí en un momento.
backup-take = Copias automáticas
backup-take-bad = Hace demasiado que no hay una copia de seguridad nueva.
backup-test = Prueba de restauración
backup-test-bad = La última copia no ha superado una prueba de restauración.
bad-backups = Revisa las copias de seguridad
bad-backups-look = Ver el estado del servidor
ops-job-good = Bien
ops-job-bad = Por revisar
ops-job-never = todavía no
ops-job-failed = Último fallo
ops-processes = Procesos
ops-viewers = { $count ->
    [one] { $count } pantalla mirando
   *[other] { $count } pantallas mirando
}
ops-process = Proceso
ops-watching = Mirando
ops-statements = Consultas lentas
ops-statements-none = Con pg_stat_statements de PostgreSQL también se ve el tiempo de cada consulta.
ops-routes = Peticiones lentas
ops-what = Qué
ops-calls = Veces
ops-mean = Media
ops-total = Total
