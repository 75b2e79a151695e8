// A guest's call reaches the staff on whichever page they are: a number in the title and at the floor's name, a sound, and a
// notification where the browser lets pages send one.
(() => {
  'use strict';
  const $ = query => document.querySelector(query);
  const badge = $('#calls');
  if (!badge) return;
  const title = document.title;
  const AGAIN = 20000; // An open call rings again,
  const ASK = 20000; // and so often a page asks that has no stream.
  // Without storage, for this page only.
  const own = {};
  const kept = {
    get: (name, otherwise) => { try { return localStorage.getItem(name) ?? otherwise; } catch { return own[name] ?? otherwise; } },
    set: (name, value) => { try { localStorage.setItem(name, value); } catch { own[name] = value; } },
  };

  // Two tones, in one page of this browser only.
  let sound, again;
  const volume = () => kept.get('call-sound', 'once');
  function ring() {
    kept.set('call-rung', Date.now());
    if (volume() === 'off') return;
    sound ??= new AudioContext();
    sound.resume();
    for (const [at, pitch] of [[0, 880], [.2, 1174.7]]) {
      const tone = sound.createOscillator(), loud = sound.createGain();
      tone.frequency.value = pitch;
      loud.gain.setValueAtTime(.25, sound.currentTime + at);
      loud.gain.exponentialRampToValueAtTime(.001, sound.currentTime + at + .5);
      tone.connect(loud).connect(sound.destination);
      tone.start(sound.currentTime + at);
      tone.stop(sound.currentTime + at + .5);
    }
  }
  function call({ id, text }) {
    // Whichever page is open when it is time rings again: a call does not end because somebody turns to another page.
    again ??= setInterval(remind, 1000);
    if (kept.get('call-heard') === id) return;
    kept.set('call-heard', id);
    ring();
    if (document.hidden && window.Notification?.permission === 'granted') new Notification(text, { tag: id });
  }
  function remind() {
    if (volume() === 'again' && Date.now() - kept.get('call-rung', 0) >= AGAIN) ring();
  }
  function quiet() {
    clearInterval(again);
    again = null;
  }

  async function look() {
    const answer = await fetch('/admin/calls').catch(() => null);
    if (!answer?.ok) return;
    const { open, latest } = await answer.json();
    badge.hidden = !open;
    badge.textContent = open;
    badge.ariaLabel = badge.dataset.say.replace('#n', open);
    document.title = open ? `(${open}) ${title}` : title;
    if (latest) call(latest);
    else quiet();
  }
  // A browser has few connections to one house: the stream of a page that nobody looks at is closed, and the page asks at times.
  let stream, next;
  function listen() {
    stream?.close();
    clearInterval(next);
    if (document.hidden) next = setInterval(look, ASK);
    else if ($('#floor')) look();
    else follow();
  }
  function follow() {
    stream = new EventSource('/admin/live/floor');
    stream.addEventListener('changed', look);
    stream.addEventListener('error', () => {
      if (stream.readyState === EventSource.CLOSED) next = setInterval(listen, ASK);
    });
  }
  if ($('#floor')) document.body.addEventListener('changed', look);
  document.addEventListener('visibilitychange', listen);
  listen();

  // How loud it is, and whether notifications may come, is set in the account's menu.
  const settings = $('#call-sound');
  const press = () => settings.querySelectorAll('[name="sound"]').forEach(it => { it.ariaPressed = it.value === volume(); });
  settings.hidden = false;
  settings.addEventListener('click', ({ target }) => {
    const button = target.closest('[name="sound"]');
    if (!button) return;
    kept.set('call-sound', button.value);
    press();
    ring();
  });
  press();
  const asks = $('#call-notify');
  const show = () => { asks.hidden = window.Notification?.permission !== 'default'; };
  asks.addEventListener('click', () => Notification.requestPermission().then(show));
  show();
})();
