// The draft of a round: a name is dragged by its grip onto another, and the two change places. Meanwhile colours say where somebody
// would meet again, or have no opponent for a second time. The form beside it does the same, and the server decides.
(() => {
  'use strict';
  const form = document.querySelector('#swap');
  if (!form) return;
  const seats = [...document.querySelectorAll('[data-seat]')];
  const number = seat => seat.dataset.seat.split('@')[0];
  const others = seat => [...seat.parentElement.children].filter(it => it !== seat);
  const hasMet = (seat, other) => seat.dataset.met.split(' ').includes(number(other));
  const clashes = (seat, place) => {
    const there = others(place);
    return there.length ? there.some(it => hasMet(seat, it)) : 'rested' in seat.dataset;
  };
  const targets = seat => seats.filter(it => it.parentElement !== seat.parentElement);
  let dragged = null, target = null;
  const aim = event => {
    const at = event && document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-seat]');
    target?.classList.remove('aimed');
    target = at && targets(dragged).includes(at) ? at : null;
    target?.classList.add('aimed');
  };
  const end = isKept => {
    if (!dragged) return;
    const [seat, found] = [dragged, target];
    aim(null);
    dragged = null;
    seat.classList.remove('dragged');
    for (const it of seats) it.classList.remove('fits', 'clashes');
    if (!isKept || !found) return;
    form.elements.one.value = number(seat);
    form.elements.other.value = found.dataset.seat;
    form.requestSubmit();
  };
  for (const grip of document.querySelectorAll('[data-swap-grip]')) {
    const seat = grip.closest('[data-seat]');
    grip.hidden = false;
    grip.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      dragged = seat;
      seat.classList.add('dragged');
      for (const it of targets(seat)) it.classList.add(clashes(seat, it) || clashes(it, seat) ? 'clashes' : 'fits');
    });
    grip.addEventListener('pointermove', event => { if (dragged) aim(event); });
    grip.addEventListener('pointerup', event => { if (dragged) aim(event); end(true); });
    grip.addEventListener('pointercancel', () => end(false));
  }
  addEventListener('keydown', event => { if (event.key === 'Escape') end(false); });
})();
