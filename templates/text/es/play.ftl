# Las partidas que juegan los clientes con el móvil.
play-my-turn = Te toca
play-mine = Mi turno
play-sending = Enviando…
play-offline = Esperando la conexión. Tu elección no se pierde.
play-may-interrupt = Ahora puedes intervenir
play-turn-of = Turno de { $name }
play-turn-of-two = Esperando a { $one } y { $other }
play-turn-of-many = Esperando a { $count } jugadores
play-go-on = Seguir jugando
play-gathered = { $taken } de { $seats }
play-join = Sentarme
play-watch = Mirar
play-start = Empezar una partida
play-elsewhere = Otras páginas
play-all-rules = Reglas de los juegos
play-choose = ¿A qué jugáis?
play-house-rules = { $count ->
    [one] { $count } regla de la casa
   *[other] { $count } reglas de la casa
}
play-not-for = No es para { $count ->
    [one] { $count } jugador
   *[other] { $count } jugadores
}
play-other = Otro juego de mesa
play-other-help = Jugad en la mesa y apuntad aquí el resultado.
play-title = Nombre del juego
play-seats = ¿Cuántos jugáis?
play-rules = Reglas
play-basic = Reglas básicas
play-clock = Tiempo por turno
play-clock-none = Sin límite
play-how = ¿Cómo jugáis?
play-on-phones = Con los móviles
play-on-phones-help = El servidor tira y reparte, y cualquiera puede comprobarlo.
play-with-real = Con dados y cartas de verdad
play-with-real-help = Jugad en la mesa y apuntad aquí el resultado al acabar.
play-make = Abrir y sentarme
play-menu = Menú
play-screen = Abrir la pantalla de la mesa
play-buzz = Vibrar cuando me toque
reactions = Enviar una reacción
reactions-show = Ver las reacciones de los demás
reaction-refused = Ahora no se puede enviar. Inténtalo de nuevo en un momento.
reaction-thumbs_up = 👍 Me gusta
reaction-laugh = 😄 Jajaja
reaction-wow = 😮 ¡Hala!
reaction-thinking = 🤔 Estoy pensando
reaction-well_played = 👏 ¡Bien jugado!
reaction-thanks = 🙏 Gracias
reaction-sorry = 😅 Perdón
reaction-one_moment = ✋ Un momento
reaction-waiting = ⏳ Estoy esperando
reaction-one_more = 🎲 ¿Otra partida?
play-me = yo
play-free = Sitio libre
play-sit = Sentarme
play-sit-here = Aquí
play-sit-at = Aquí: sitio { $number }
play-share = Los demás entran con este código:
play-nonce = Añadir una palabra mía (opcional)
play-nonce-help = Se mezcla con los dados y las cartas, así que nadie puede amañarlos de antemano.
play-begin = Empezar
play-missing = { $count ->
    [one] Falta un jugador para empezar.
   *[other] Faltan { $count } jugadores para empezar.
}
play-wait-start = Ya estáis todos. { $name } da comienzo a la partida.
play-wait-start-unseated = Ya estáis todos. Quien se encarga de la partida o el personal puede empezarla.
play-leave = Dejar el sitio
play-call-off = Cancelar la partida
play-sealed = Los dados y las cartas de esta partida ya están decididos y sellados:
play-late = Quien mira ve la partida con un poco de retraso.
play-watching = Estás mirando.
play-left = Has dejado la partida: tus turnos se juegan solos
play-left-help = Si quieres seguir jugando, avisa al personal.
play-resign = Abandonar
play-resign-help = Tus turnos se jugarán solos para que los demás puedan acabar.
play-resign-button = Abandonar la partida
play-by-house = automático
play-own-log = Lo que solo sé yo
play-earlier = Lo anterior
play-won = ¡Has ganado!
play-my-place = Tu puesto: { $rank }.º
play-over = La partida ha terminado
play-place = { $rank }.º
play-points = { $points ->
    [one] { $points } punto
   *[other] { $points } puntos
}
play-rating = Tu puntuación
play-rating-too-often = Dos personas puntúan { $most } partidas de un juego al día. Esta partida queda en el historial y no cambia ninguna puntuación.
play-rematch = Otra partida
play-join-rematch = Unirme a la siguiente partida
play-to-rematch = Ir a la siguiente partida
play-write-help = Al acabar, uno apunta el resultado y otro lo confirma.
play-write = Apuntar
play-confirm = Este resultado es correcto
play-confirm-wait = Contará cuando otro jugador lo confirme.
play-dispute = El resultado fue otro
flash-seated = Ya tienes sitio.

me = Sobre mí
me-guest = Cliente
me-nobody = Aquí aún no tienes nombre. Escanea el código de tu mesa y siéntate: lo que juegues queda aquí.
me-ratings = Mis puntuaciones
me-matches = { $count ->
    [one] { $count } partida
   *[other] { $count } partidas
}
me-played = Partidas jugadas
me-played-none = Todavía no ha acabado ninguna partida.
me-of = de { $count }
me-people = He jugado con
me-new-device = Sesión nueva
me-name = Cambiar mi nombre
me-register = Registrarme
me-register-help = Conservas todo lo que has jugado, también para la próxima visita, y tendrás puntuaciones.
me-register-button = Registrarme
me-sign-in-help = Si ya te registraste, inicia sesión. El personal puede sumarte lo que jugaste sin registrarte.
me-data = Mis datos
me-export = Descargar todos mis datos
me-delete = Borrar mi cuenta
me-delete-help = Tu nombre y tu historial desaparecen para siempre. En las partidas de otros quedas sin nombre.
me-delete-button = Borrar para siempre
flash-renamed = Ahora te llamas { $name }.
flash-registered = Te has registrado como { $name }.
flash-signed-in = Hola, { $name }.
flash-deleted-me = Tu cuenta ya no existe.
