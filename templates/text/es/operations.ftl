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
chain-changed-help = Las líneas encajan entre sí, pero la línea { $n } no es la que anotó el servidor. Puede que alguien haya cortado el final o reescrito el registro.
chain-check = Comprobar todo
flash-audit-whole = Las { $name } líneas están íntegras.
flash-audit-broken = El sello está roto en la línea { $name }.
flash-audit-loose = Líneas sin sello: { $name }.
flash-audit-changed = La línea { $name } no es la que anotó el servidor.

operations = Estado del servidor
ops-build = Programa
ops-version = Versión
ops-uptime = En marcha
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
backup-base = Copia base en el archivo
backup-base-bad = El archivo no tiene una copia base reciente.
bad-backups = Revisa las copias de seguridad
bad-backups-look = Ver el estado del servidor
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

checks = Comprobaciones
checks-what = Qué
checks-state = Estado
checks-value = Medido
checks-advice = Qué hacer
checks-state-ok = Bien
checks-state-unknown = No se sabe
checks-state-warning = Mejorable
checks-state-problem = Problema
checked-version = Programa
advice-version = Hay procesos de versiones distintas en marcha. Reinicia los antiguos.
checked-migrations = Esquema de la base de datos
advice-migrations = No está al día. Arranca esta versión del servidor y lo actualizará.
checked-database = Base de datos
advice-database = No responde. Arráncala y revisa DATABASE_URL.
checked-database_version = Versión de PostgreSQL
advice-database_version = Esta versión ya no recibe correcciones. Haz una copia, instala una más reciente y restaura.
checked-database_tls = Cifrado con la base de datos
advice-database_tls = Otros pueden leer lo que se envía. Quita sslmode=disable de DATABASE_URL, salvo que no haya nadie por medio.
checked-database_superuser = Cuenta en la base de datos
advice-database_superuser = Es un superusuario. Usa una cuenta que solo sea dueña de esta base de datos.
checked-data_checksums = Sumas de comprobación de los datos
advice-data_checksums = No se notaría una página dañada. Detén PostgreSQL y ejecuta pg_checksums --enable.
checked-clock = Reloj de la base de datos
advice-clock = No coincide con el de este equipo. Sincroniza los dos con systemd-timesyncd o chrony.
checked-time_sync = Sincronización de la hora
advice-time_sync = Configura systemd-timesyncd o chrony.
checked-descriptors = Descriptores de archivo: blando y duro
advice-descriptors = Caben pocas conexiones. Sube el límite duro; en systemd, con LimitNOFILE=65536.
checked-data_disk = Espacio libre para los datos
advice-data_disk = Libera espacio o pasa los datos a un disco mayor.
checked-backup_disk = Espacio libre para las copias
advice-backup_disk = Libera espacio o indica en backup_dir un directorio de otro disco.
checked-backups = Copias automáticas
advice-backups = Define backup_every, por ejemplo 6h, salvo que otro programa copie la base de datos.
checked-last_backup = Antigüedad de la última copia
advice-last_backup = No hay una copia reciente. Haz una ahora y mira el registro del servidor.
checked-backup_test = Última prueba de restauración
advice-backup_test = La última copia no ha superado una prueba de restauración. Mira el registro del servidor.
checked-archive = Archivo del registro de cambios
advice-archive = Los segmentos WAL de PostgreSQL no llegan al archivo. Comprueba que su directorio exista y tenga espacio, y mira el registro del servidor.
checked-audit_head = Línea anotada del registro
advice-audit_head = El registro ya no contiene la línea que anotó el servidor: alguien lo cambió o cortó su final. Si restauraste la base de datos tú mismo, ejecuta houserules audit accept.
checked-public_url = Dirección pública
advice-public_url = Pon en public_url la dirección que abren los móviles de los clientes. Va en los códigos QR.
checked-browser_tls = Cifrado con los navegadores
advice-browser_tls = Otros en la red pueden leer las contraseñas. Define tls o tls_cert, o pon delante un proxy con TLS; y empieza public_url por https.
checked-certificate = Validez del certificado
advice-certificate = Los navegadores rechazarán pronto este servidor, o ya lo rechazan. Renueva el certificado de tls_cert; con tls = "local", mira el registro del servidor.
checked-certificate_names = Nombres del certificado
advice-certificate_names = El nombre de public_url no está entre ellos: los navegadores rechazan este servidor. Consigue un certificado con ese nombre; con tls = "local", reinicia el servidor.
checked-proxies = Proxies de confianza
advice-proxies = Todos los clientes parecen venir del proxy y comparten sus límites. Define behind_proxy.
checked-ops_listener = Dirección de estado y métricas
advice-ops_listener = Otros pueden llegar a ella. Pon ops_bind en 127.0.0.1 o en una dirección de una red privada.
checked-data_directory = Permisos del directorio de datos
advice-data_directory = Otros usuarios del equipo pueden mirar dentro. Pon los permisos a 0750 o 0700.
checked-secret = Permisos del secreto
advice-secret = Otros usuarios del equipo pueden leerlo. Pon los permisos a 0600.
checked-secret_age = Antigüedad del secreto
advice-secret_age = Tiene más de dos años. Considera cambiarlo.
