# Inicio de sesión con un proveedor de OpenID Connect.
me-registered = Cuenta registrada
sign-in-by = Entrar con otra cuenta
sign-in-by-help = Conservas todo lo que has jugado.
sign-in-with = Entrar con { $name }
sign-in-link = Conectar { $name }
sign-in-unlink = Desconectar { $name }
flash-signed-in-by = Has entrado con { $name }.
flash-sign-in-broken-off = No se terminó de entrar con { $name }. Inténtalo de nuevo.
flash-sign-in-failed = No se puede conectar con { $name }. Inténtalo en un momento.
flash-already_linked = Esta cuenta ya pertenece allí a otra persona.
flash-staff_sign_in = El personal entra con contraseña.
flash-banned = Esta cuenta está suspendida.
flash-sign-in-unlinked = Se ha desconectado { $name }.
flash-only_sign_in = Ya no podrías entrar. Elige primero una contraseña.
