# Lo que cada persona tiene en la mano, en todos los juegos.
tray = Mi mano
tray-look = Toca para ver lo mío
tray-hide = Tapar
tray-field-count = Cuántos
tray-field-face = Valor
tray-field-seat = Quién
tray-field-animal = Animal
tray-field-as = Con la habilidad de
tray-field-card = Carta
tray-field-gains = Gana puntos
tray-field-field = Terreno
tray-field-keep = Dados que se guardan
tray-hold-look = Se ve mientras mantienes pulsado
tray-hold-hide = Suelta para tapar
tray-keep-showing = Dejar a la vista
tray-hold = Mantén pulsado
tray-again = Mantén pulsado o pulsa otra vez
tray-choose = Elige una opción
tray-waiting = Le toca a: { $names }
tray-highest = No se puede decir nada más alto.
tray-out = Has perdido todos tus dados. Quédate a mirar.
tray-less = Uno menos
tray-more = Uno más
tray-from = { $count }+
tray-unfit = Este valor empieza en #c
tray-unfit-face = En esta casilla solo caben valores más altos
# Lo que se dice de los dados: «7 cuatros».
tray-claim = { $count } { $face }
tray-face = { $face ->
    [2] { $count ->
        [one] dos
       *[other] doses
    }
    [3] { $count ->
        [one] tres
       *[other] treses
    }
    [4] { $count ->
        [one] cuatro
       *[other] cuatros
    }
    [5] { $count ->
        [one] cinco
       *[other] cincos
    }
   *[other] { $count ->
        [one] seis
       *[other] seises
    }
}
tray-count = { $count }
