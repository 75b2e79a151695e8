# Un café se abre en cuatro pasos.
opening = Abrir el café
opening-cafe = El café
opening-tables = Mesas
opening-address = Dirección y wifi
opening-scan = Escanéalo tú
opening-step-done = (hecho)
opening-left = Antes de abrir
opening-put-away = Quitar esta lista
opening-later = Más tarde
opening-next = Siguiente
opening-language = Idioma para los clientes
opening-closed-days = Cerrado
opening-count = Cuántas mesas
opening-seats = Sitios en cada una
opening-tables-help = Se numeran desde la 1. Los nombres y los sitios se pueden cambiar después, una por una.
opening-tables-there = { $count ->
    [one] Hay una mesa.
   *[other] Hay { $count } mesas.
}
opening-make-tables = Crear las mesas
opening-scan-help = Escanea este código con la cámara de tu móvil. Cuando llegue, esta página se pondrá verde.
opening-waiting = Esperando a tu móvil
opening-arrived = ¡Tu móvil ha llegado!
opening-arrived-help = Los clientes entrarán de la misma manera.
opening-to-floor = Ir a la sala
opening-no-table = Crea primero las mesas.
table-of-number = Mesa { $number }
flash-tables-made = Mesas creadas: { $name }
setup-waits = Este café aún no está preparado
setup-waits-help = Si es tuyo, abre el enlace de configuración que el servidor mostró al arrancar. También basta con pegar el código que va detrás de token=.
setup-code = Código de configuración
