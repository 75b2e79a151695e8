// A gong when the time of a round or a break is up, on screens where somebody has switched it on.
(() => {
  'use strict';
  // So late it is still worth hearing: a screen may have turned its page at that moment.
  const LATE = 8000;
  const kept = (key, value) => {
    try { return value === undefined ? localStorage.getItem(key) : localStorage.setItem(key, value); } catch { return null; }
  };
  let sound, heard = kept('gong') === 'on';

  function strike() {
    sound ??= new AudioContext();
    const now = sound.currentTime;
    // A bell: a low tone, and higher ones that fade sooner.
    for (const [tone, loud, long] of [[196, .5, 4], [392.8, .3, 2.6], [588, .2, 1.8], [1046, .1, 1]]) {
      const wave = new OscillatorNode(sound, { frequency: tone });
      const gain = new GainNode(sound, { gain: loud });
      gain.gain.exponentialRampToValueAtTime(.0005, now + long);
      wave.connect(gain).connect(sound.destination);
      wave.start(now);
      wave.stop(now + long);
    }
  }
  function show() {
    for (const it of document.querySelectorAll('[data-gong]')) {
      it.hidden = false;
      it.ariaPressed = heard;
    }
  }
  function listen() {
    const until = document.querySelector('time[data-until]')?.dateTime;
    const late = Date.now() + Number(document.body.dataset.skew ?? 0) - Date.parse(until);
    if (!heard || !(late >= 0 && late < LATE) || kept('struck') === until) return;
    kept('struck', until);
    strike();
  }
  document.addEventListener('click', event => {
    if (!event.target.closest('[data-gong]')) return;
    heard = !heard;
    kept('gong', heard ? 'on' : 'off');
    // A browser makes no sound before somebody has touched the page: this is that touch, and what it will be.
    if (heard) strike();
    show();
  });
  document.addEventListener('htmx:after:swap', show);
  setInterval(listen, 500);
  show();
})();
