# Lo que cuenta el registro: api/src/audit/words.rs.
action-table-create = Añadió una mesa
action-table-change = Cambió una mesa
action-match-start = Empezó una partida
action-match-abort = Canceló una partida
action-variant-create = Creó una variante
action-variant-change = Cambió una variante
action-variant-version = Creó una versión de una variante
action-variant-publish = Publicó una variante
action-variant-retire = Retiró una variante
action-player-delete = Eliminó su cuenta
action-staff-add = Añadió a una persona al personal
action-audit-export = Descargó el registro de actividad
action-audit-check = Comprobó los sellos del registro
action-house-backup = Hizo una copia de seguridad
action-house-restore = Restauró una copia de seguridad

subject-table = Mesa
subject-match = Partida
subject-variant = Variante
subject-player = Cuenta
subject-audit = Registro
subject-house = Café
