# Títulos de los documentos de problema (RFC 9457): uno por cada estado.
status-400 = Petición incorrecta
status-401 = Hay que iniciar sesión
status-403 = No permitido
status-404 = No encontrado
status-405 = Método no permitido
status-408 = Tiempo agotado
status-409 = Conflicto
status-413 = Demasiado grande
status-415 = Formato no admitido
status-422 = No se puede hacer
status-429 = Demasiadas peticiones
status-500 = Error del servidor
status-503 = No disponible por un momento

# Qué ha fallado y por qué: una frase por cada código.
error-internal = Algo ha fallado por nuestra parte. Inténtalo de nuevo en un momento.
error-unavailable = Ahora mismo no podemos responder. Inténtalo de nuevo en un momento.
error-refused = La petición no se ha aceptado ({ $code }).
error-bad_request = No se ha entendido la petición.
error-unknown_route = No hay nada en esta dirección.
error-method_not_allowed = Esta dirección no se puede usar de esta manera.
error-not_found = Lo que buscas no existe.
error-unsupported_media_type = El cuerpo debe ser application/json.
error-body_too_large = El cuerpo es demasiado grande.
error-body_timeout = El cuerpo no ha llegado a tiempo.
error-body_broken_off = El cuerpo se ha interrumpido.
error-invalid_body = No se puede leer el cuerpo.
error-invalid_query = La consulta de esta dirección no es válida.
error-invalid_fields = Revisa lo que has escrito.
error-too_many_requests = Demasiados intentos seguidos. Inténtalo de nuevo en un momento.
error-not_signed_in = Primero inicia sesión.
error-invalid_token = Este inicio de sesión no es válido.
error-token_expired = La sesión ha caducado. Vuelve a iniciar sesión.
error-session_ended = La sesión está cerrada. Vuelve a iniciar sesión.
error-invalid_refresh_token = No se puede continuar esta sesión. Vuelve a iniciar sesión.
error-wrong_credentials = El correo o la contraseña no son correctos.
error-banned = Esta cuenta está suspendida.
error-forbidden = No tienes permiso para hacer esto.
error-cross_site = No se aceptan peticiones de otros sitios.
error-email_taken = Este correo ya está registrado.
error-already_registered = Esta cuenta ya está registrada.
error-setup_link_invalid = Este enlace de configuración ya no es válido.

# Por qué se ha rechazado un campo.
field-invalid = Este valor no es válido.
field-not_json = Esto no es JSON válido.
field-nul_character = Contiene un carácter que no se puede usar (U+0000).
field-unknown_field = Este campo no se conoce.
field-missing_field = Falta este campo.
field-wrong_type = Este valor es de otro tipo.
field-unknown_value = No es uno de los valores posibles.
field-empty = No puede quedar vacío.
field-too_long = Puede tener { $limit } caracteres como máximo.
field-too_short = Necesita { $limit } caracteres como mínimo.
field-invisible_characters = No se pueden usar caracteres invisibles.
field-no_email = Esto no es una dirección de correo.
