// Reactions: what somebody at the match says is in a bubble beside their name for a few seconds. It lies over the page and moves
// nothing in it.
(() => {
  'use strict';
  const SHOWN = 4000;
  const bubbles = document.querySelector('#bubbles');
  if (!bubbles) return;
  const said = document.querySelector('#bubble-said');
  const isMuted = () => document.querySelector('#reactions')?.checked === false;

  // Where this seat is drawn, if that is in sight.
  function place(seat) {
    for (const it of document.querySelectorAll(`#play [data-seat="${seat}"]`)) {
      const { left, top, width, bottom } = it.getBoundingClientRect();
      if (width > 0 && top > 40 && bottom < innerHeight) return { x: left + width / 2, y: top };
    }
    return null;
  }
  function show({ seat, name, text }) {
    bubbles.querySelector(`[data-of="${seat}"]`)?.remove();
    const at = seat === undefined ? null : place(seat);
    const bubble = document.createElement('p');
    bubble.className = 'bubble';
    bubble.dataset.of = seat;
    bubble.textContent = at || !name ? text : `${name}: ${text}`;
    bubbles.append(bubble);
    if (at) {
      const half = bubble.offsetWidth / 2 + 4;
      bubble.classList.add('at-seat');
      bubble.style.left = `${Math.min(Math.max(at.x, half), innerWidth - half)}px`;
      bubble.style.top = `${at.y}px`;
    }
    if (said) said.textContent = name ? `${name}: ${text}` : text;
    setTimeout(() => {
      bubble.remove();
      if (said && !bubbles.children.length) said.textContent = '';
    }, SHOWN);
  }
  document.addEventListener('reaction', ({ detail }) => { if (!isMuted()) show(detail); });

  // Sent once and not again: late, it would say something else. Nothing waits for it.
  document.addEventListener('submit', async event => {
    const form = event.target;
    if (!form.matches('.react form')) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    const menu = form.closest('details');
    menu.open = false;
    menu.querySelector('summary').focus();
    const options = { method: 'POST', headers: { 'hx-request': 'true' }, body };
    const answer = await fetch(form.getAttribute('action'), options).catch(() => null);
    if (!answer?.ok) show({ text: form.dataset.refused });
  }, true);
})();
