api-keys = Claves
api-keys-empty = Aún no hay claves
api-keys-empty-help = Con una clave, otro servicio usa la API: un cuadro de torneo, una pantalla, una caja.
api-key-new = Nueva clave
api-key-new-help = Otro servicio la envía con cada petición y puede hacer lo que permite este rol. Las cuentas, el personal, los ajustes y las demás claves quedan fuera de su alcance.
api-key-make = Crear clave
api-key-name = Nombre
api-key-name-help = Aparece en el registro de actividad junto a todo lo que se hace con ella.
api-key-life = Duración
api-key-lasts = Hasta que se revoque
api-key-days = { $count ->
    [one] { $count } día
   *[other] { $count } días
}
api-key-sandbox = Solo para hacer pruebas
api-key-sandbox-help = Una clave de pruebas solo cambia los torneos que crearon claves de pruebas. Los clientes no los ven, no cuentan en ningún sitio y desaparecen al cabo de un día.
api-key-secret = Clave
api-key-secret-lead = Introduce esta clave en { $name }.
api-key-secret-once = Se muestra solo esta vez.
api-key-go-on = Ya la he copiado
api-key-used = Usada { $time }
api-key-unused = Nunca usada
api-key-until = Hasta { $time }
api-key-expired = Caducada
api-key-revoke = Revocar
sandbox = Pruebas
flash-api-key-revoked = La clave ya no sirve.
error-key_not_found = No existe esa clave.
error-too_many_keys = No se pueden crear más claves. Revoca una primero.
error-not_for_keys = Una clave no puede hacer esto. Alguien tiene que iniciar sesión.
error-sandbox_only = Una clave de pruebas solo cambia lo que crearon claves de pruebas, y eso queda aparte de los jugadores y las mesas reales.
