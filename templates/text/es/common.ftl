# Palabras de cualquier página.
house = House Rules
house-motto = Buen viento y dados limpios.
percent = { $number } %
skip = Saltar al contenido
nav = Menú principal
nav-more = Más
nav-evening = Esta noche
nav-house = Juegos y clientes
nav-office = Administración
nav-account = Menú de { $name }
role-player = Jugador
role-staff = Personal
role-manager = Encargado
role-owner = Propietario
close = Cerrar
language = Idioma
language-name = Español
language-short = ES
theme = Brillo
theme-light = Claro
theme-auto = Como este dispositivo
theme-dark = Oscuro
offline-since = Se perdió la conexión. Así estaban las cosas a las
calls-open = llamadas sin atender: { $n }
unsent = No hay conexión y no se ha enviado nada. Inténtalo de nuevo cuando vuelva.
call-sound = Sonido de las llamadas
call-sound-off = Apagado
call-sound-once = Una vez
call-sound-again = Hasta atender
call-notify = Avisarme en este dispositivo
lasting-seconds = { $s } s
since-now = ahora
since-minutes = { $m } min
since-hours = { $h } h { $m } min
since-days = { $d } d { $h } h
day = { $day } { $month ->
    [1] ene
    [2] feb
    [3] mar
    [4] abr
    [5] may
    [6] jun
    [7] jul
    [8] ago
    [9] sept
    [10] oct
    [11] nov
   *[other] dic
}
day-of-year = { day } { $year }
keys = Atajos de teclado
keys-show = Mostrar esta lista
keys-on = Usar atajos
search = Buscar
search-help = Jugadores, mesas, juegos, códigos, torneos, variantes y páginas por su nombre; los coreanos también por iniciales, como ㄱㅇㄹ.
search-none = No se encontró nada para { $text }.
found-places = Páginas

sign-in = Iniciar sesión
sign-in-lead = Por aquí entra el personal del café.
sign-in-button = Entrar
sign-out = Cerrar sesión
device-browser = { $browser } en { $system }
device-unknown = Dispositivo desconocido
email = Correo electrónico
password = Contraseña
password-help = Al menos 8 caracteres.
password-help-staff = Al menos 12 caracteres.
change-password = Cambiar contraseña
current-password = Contraseña actual
new-password = Contraseña nueva
flash-password-changed = Has cambiado la contraseña. Se ha cerrado la sesión en los demás dispositivos.
setup = Abrir el café
setup-lead = Crea la cuenta de la primera persona propietaria. Este enlace sirve una sola vez.
setup-button = Abrir el café
your-name = Tu nombre
to-floor = Ir a la sala
to-home = Ir a la entrada

error-form_expired = La página llevaba demasiado tiempo abierta y no se pudo recibir el formulario. Recárgala y vuelve a enviarlo.
error-staff_only = Aquí solo puede entrar el personal.

flash-signed-out = Has cerrado la sesión.
flash-welcome = Te damos la bienvenida, { $name }. Empieza por añadir las mesas.
