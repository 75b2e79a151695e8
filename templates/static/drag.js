// Rows can be dragged by their grip to another place; the arrows and the number beside it do the same. The others make
// room, since whoever leaves the page for a moment loses the pointer.
(() => {
  'use strict';
  for (const grip of document.querySelectorAll('[data-grip]')) {
    const row = grip.closest('li');
    const list = row.parentElement;
    let before = null;
    const end = keep => {
      if (!before) return;
      row.classList.remove('dragged');
      const place = [...list.children].indexOf(row);
      if (!keep) list.append(...before);
      else if (before[place] !== row) {
        const number = row.querySelector('input[name=place]');
        number.value = place + 1;
        number.form.requestSubmit();
      }
      before = null;
    };
    grip.hidden = false;
    grip.addEventListener('pointerdown', event => {
      if (event.button !== 0) return;
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
      before = [...list.children];
      row.classList.add('dragged');
    });
    grip.addEventListener('pointermove', event => {
      if (!before) return;
      const middle = it => { const box = it.getBoundingClientRect(); return box.top + box.height / 2; };
      // A quick hand passes several rows between two events.
      for (let below; (below = row.nextElementSibling) && event.clientY > middle(below);) row.before(below);
      for (let above; (above = row.previousElementSibling) && event.clientY < middle(above);) row.after(above);
    });
    grip.addEventListener('pointerup', () => end(true));
    grip.addEventListener('pointercancel', () => end(false));
  }
})();
