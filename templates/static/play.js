// A match on a phone: one's turn is noticed, and the screen stays on while one plays.
(() => {
  'use strict';
  const $ = query => document.querySelector(query);
  if (!$('#play')) return;
  const words = $('#play-words')?.dataset ?? {};
  const title = document.title;
  for (const it of document.querySelectorAll('[data-with-scripts]')) it.hidden = false;

  // Settings of this phone; without storage they last as long as the page.
  for (const it of document.querySelectorAll('[data-kept]')) {
    try { it.checked = localStorage.getItem(it.id) !== 'off'; } catch { it.checked = true; }
    it.addEventListener('change', () => {
      try { localStorage.setItem(it.id, it.checked ? 'on' : 'off'); } catch { /* kept for this page only */ }
    });
  }
  const buzz = $('#buzz');

  // The title says whose turn it is, and nothing that is secret.
  let mine = false, status = $('#play').dataset.status;
  function notice() {
    const now = 'mine' in ($('#play')?.dataset ?? {});
    // The start and the end are told at the top; what was told there before is over.
    if (status !== $('#play')?.dataset.status) {
      for (const it of document.querySelectorAll('#main > .note[role="status"]')) it.remove();
      scrollTo(0, 0);
    }
    status = $('#play')?.dataset.status;
    document.title = now ? `● ${words.mine} · ${title}` : title;
    if (now && !mine && buzz?.checked) navigator.vibrate?.([120, 60, 120]);
    mine = now;
    stayAwake();
  }

  // The screen stays on while one plays. Only secure pages may ask for it.
  let lock = null;
  async function stayAwake() {
    const play = $('#play')?.dataset ?? {};
    const wanted = !document.hidden && 'seated' in play && play.status === 'running';
    try {
      if (wanted && !lock) {
        lock = await navigator.wakeLock?.request('screen') ?? null;
        lock?.addEventListener('release', () => { lock = null; });
      } else if (!wanted) {
        await lock?.release();
      }
    } catch { /* it goes dark, as it would without us */ }
  }
  document.addEventListener('visibilitychange', stayAwake);

  document.addEventListener('htmx:after:swap', notice);
  notice();
})();
