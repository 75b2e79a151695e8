# La lista de espera: grupos sin mesa libre, y el código de la entrada.
waiting-list = Lista de espera
waiting-now-list = Esperando ahora
waiting-add = Añadir un grupo
waiting-add-button = Poner en la lista
waiting-none = Nadie está esperando.
waiting-name = Nombre
waiting-phone = Teléfono (opcional)
waiting-phone-help = Borramos nombre y número poco después de la espera.
waiting-call = Llamar
waiting-seat = Sentar
waiting-seat-at = Sentar en { $table }
waiting-no-show = No ha venido
waiting-gone = Quitar de la lista
waiting-fits-none = ninguna mesa de este tamaño queda libre pronto
waiting-table-later = { $table } ({ $wait })
waiting-more = y { $count } más
attention-waiting = hay mesa para un grupo que espera
attention-waiting-called = llamado, aún no ha venido
due-waiting = lista de espera

waiting-is-waiting = Esperando
waiting-is-called = Llamado
waiting-is-seated = Sentado
waiting-is-no-show = No ha venido
waiting-is-gone = Fuera de la lista

waiting-now = en cualquier momento
waiting-about = { $minutes ->
    [one] un minuto aproximadamente
   *[other] unos { $minutes } minutos
}
waiting-between = { $least ->
    [0] { $most } minutos como mucho
   *[other] de { $least } a { $most } minutos
}
waiting-more-than = más de { $least } minutos
waiting-no-estimate = aún sin previsión

waiting-title = Vuestra espera
waiting-position = Sois el número { $position } de la cola
waiting-stay-near = Esta página os avisa en cuanto la mesa esté lista. Quedaos cerca, por favor.
waiting-keep-open = Dejad esta página abierta.
waiting-since = Esperando desde: { $time }
waiting-ready = ¡Vuestra mesa está lista!
waiting-called-at = Aviso: { $time }
waiting-ready-help = Venid ahora al mostrador, por favor.
waiting-seated = Ya tenéis mesa
waiting-to-table = Abrir nuestra mesa
waiting-missed = Os llamamos y no vino nadie, así que la espera ha terminado. Si seguís aquí, decídselo al personal.
waiting-ended = La espera ha terminado. ¡Hasta la próxima!
waiting-leave = Dejar de esperar
waiting-parties = { $count ->
    [0] Ahora no espera nadie
    [one] Espera { $count } grupo
   *[other] Esperan { $count } grupos
}
waiting-join = Apuntarse a la lista de espera
waiting-join-button = Esperamos

waiting-door = Código de la entrada
waiting-door-help = Cuelga esta hoja en la entrada: los clientes la escanean y se apuntan solos. La pantalla de la pared solo muestra puestos e iniciales.
waiting-door-make = Crear el código de la entrada
waiting-door-renew = Cambiar el código
waiting-door-off = Apuntarse con el código está desactivado en los ajustes.
waiting-door-title = Lista de espera
waiting-door-how = Escanea para apuntarte a la lista de espera
waiting-own-page = La página de los clientes
waiting-own-page-help = Quien escanea este código ve su puesto y la espera prevista, y sabe al momento cuándo le llamas.
waiting-screen-called = { $name } ({ $count }), al mostrador, por favor
waiting-screen-position = Puesto
waiting-screen-wait = Previsión
cafe-waiting-door = Los clientes se apuntan a la lista de espera con el código de la entrada
cafe-waiting-door-help = Desactivado, solo el personal apunta grupos en la lista.

flash-waiting-added = En la lista de espera: { $name }
flash-waiting-called = Llamado: { $name }
flash-waiting-no-show = No ha venido: { $name }
flash-waiting-gone = Fuera de la lista: { $name }
flash-waiting-left = Ya no estáis en la lista.
flash-waiting-new-code = La entrada tiene un código nuevo. El anterior ya no lleva a ninguna parte.

error-waiting_not_found = Esta espera ha terminado o no existe.
error-waiting_over = Esta espera ha terminado. Quizá alguien se adelantó.
error-waiting_called = Otra persona ya ha llamado a este grupo.
error-waiting_list_full = La lista de espera está llena. Preguntad al personal.
error-waiting_door_not_found = Este código ya no lleva a ninguna parte. Escanead el de la entrada.
error-waiting_door_shut = Ahora los clientes no pueden apuntarse solos. Preguntad al personal.
field-no_phone = No es un número de teléfono. Uno es como 010-1234-5678.

action-waiting-add = Puso un grupo en la lista de espera
action-waiting-call = Llamó a un grupo que esperaba
action-waiting-seat = Sentó a un grupo que esperaba
action-waiting-no-show = Anotó que un grupo no vino
action-waiting-gone = Quitó un grupo de la lista de espera
action-waiting-new-code = Dio un código nuevo a la entrada
