// An honest word when what is shown may be old: at once when the network is gone, soon after a request has failed or the stream
// was silent for longer than it ever is. Whatever is heard next, by any way, takes it back.
(() => {
  'use strict';
  const SILENCE = 17000; // The stream is never silent for longer than 15 seconds;
  const ANSWER = 5000; // an answer takes no longer;
  const FAILED = 1500; // and who failed once is asked once more.
  const banner = document.querySelector('#offline');
  if (!banner) return;
  // What is over is not asked for any more, and does not grow old.
  const isLive = () => document.querySelector('[data-live]');
  let heard = Date.now(), doubt, isAsked = false;

  function later(what, time) {
    clearTimeout(doubt);
    doubt = setTimeout(what, time);
  }
  function hear() {
    heard = Date.now();
    isAsked = false;
    banner.hidden = true;
    later(ask, SILENCE);
  }
  function fallSilent() {
    if (document.hidden || !banner.hidden || !isLive()) return;
    const since = new Date(heard);
    const time = banner.querySelector('time');
    const words = { hour: '2-digit', minute: '2-digit', hour12: false, timeZone: document.body.dataset.zone };
    time.dateTime = since.toISOString();
    time.textContent = since.toLocaleTimeString(document.documentElement.lang, words);
    banner.hidden = false;
  }
  // What is shown is believed only as long as an answer takes.
  function ask() {
    if (!isLive()) return;
    isAsked = true;
    document.body.dispatchEvent(new CustomEvent('changed'));
    later(fallSilent, ANSWER);
  }
  function fail() {
    if (isAsked) return fallSilent();
    ask();
    later(fallSilent, FAILED);
  }

  for (const event of ['heard', 'htmx:sse:after:connection', 'htmx:sse:before:message']) document.addEventListener(event, hear);
  document.addEventListener('htmx:after:request', ({ detail }) => { if (detail.ctx.response.status < 400) hear(); });
  document.addEventListener('htmx:error', ({ detail }) => { if (detail.ctx && !detail.ctx.response) fail(); });
  // Signed out meanwhile, here or from elsewhere: then nothing is shown any longer.
  document.addEventListener('htmx:response:error', ({ target, detail }) => {
    if (detail.ctx.response.status === 401 && target.matches('[data-live]')) location.reload();
  });
  document.addEventListener('silence', fallSilent);
  addEventListener('offline', fallSilent);
  addEventListener('online', ask);
  // Who was away asks at once.
  document.addEventListener('visibilitychange', () => { if (!document.hidden && Date.now() - heard > ANSWER) ask(); });
  later(ask, SILENCE);
})();
