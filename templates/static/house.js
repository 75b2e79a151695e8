// What makes pages livelier; each of them works without it.
(() => {
  'use strict';
  const words = document.body.dataset;
  const $ = (query, from = document) => from.querySelector(query);

  // Times are the server's, and the clock of this device may be wrong. What came with a page is a little late; the largest is the
  // least so. A page of the way back is old. Once the clock was set, or the device slept, only what comes after that counts.
  const now = () => Date.now() + Number(words.skew ?? 0);
  let start, latest = 0;
  function setClock(all) {
    for (const { dataset } of all) {
      if (!(dataset.time > latest)) continue;
      latest = Number(dataset.time);
      const started = Date.now() - performance.now();
      if (!(Math.abs(started - start) < 1000)) [start, words.skew] = [started, -Infinity];
      words.skew = Math.max(words.skew, latest - Date.now());
    }
  }
  if (performance.getEntriesByType('navigation')[0]?.type !== 'back_forward') setClock([document.body]);

  // "3 min" grows old: times since a moment count on between two refreshes.
  function tellTimes() {
    for (const time of document.querySelectorAll('time[data-since]')) {
      const minutes = Math.max(0, Math.floor((now() - Date.parse(time.dateTime)) / 60000));
      const hours = Math.floor(minutes / 60);
      const days = hours < 48 ? 0 : Math.floor(hours / 24);
      const word = minutes < 1 ? words.now : hours < 1 ? words.minutes : days < 1 ? words.hours : words.days;
      const text = word.replace('#d', days).replace('#h', hours - days * 24).replace('#m', minutes % 60);
      if (time.textContent !== text) time.textContent = text;
    }
  }
  setInterval(tellTimes, 10000);

  // "9:41": what is left until a moment.
  function countDown() {
    for (const time of document.querySelectorAll('time[data-until]')) {
      const left = Math.max(0, Math.round((Date.parse(time.dateTime) - now()) / 1000));
      time.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    }
  }
  setInterval(countDown, 1000);
  document.addEventListener('htmx:after:swap', () => {
    setClock(document.querySelectorAll('main [data-time]'));
    countDown();
  });

  document.addEventListener('visibilitychange', tellTimes);

  // A theme or language is changed by a plain form; with scripts the theme changes at once and is saved on the side.
  document.addEventListener('submit', event => {
    const form = event.target;
    const theme = event.submitter?.name === 'theme' ? event.submitter.value : null;
    if (form.id !== 'theme' || !theme) return;
    event.preventDefault();
    document.documentElement.dataset.theme = theme;
    for (const button of form.querySelectorAll('button')) button.setAttribute('aria-pressed', button.value === theme);
    const body = new URLSearchParams(new FormData(form));
    body.set('theme', theme);
    fetch(form.action, { method: 'POST', body, redirect: 'manual' }).catch(() => { /* then for this page only */ });
  });

  // A hurried finger taps twice. What is on its way is not sent again, unless no answer comes.
  const sent = new WeakSet();
  document.addEventListener('submit', event => {
    if (event.defaultPrevented || event.target.getAttribute('method') !== 'post') return;
    if (sent.has(event.target)) event.preventDefault();
    else setTimeout(() => sent.delete(event.target), 3000);
    sent.add(event.target);
  });

  // Korean and other input methods: the Enter that ends a syllable sends no form.
  document.addEventListener('keydown', event => {
    if (event.key === 'Enter' && event.isComposing) event.preventDefault();
  }, true);

  // What is wrong with a form stands at its field, which may be far down the page or folded away.
  const wrong = $('main :is([aria-invalid="true"], .wrong[role="alert"])');
  if (wrong) {
    const more = wrong.closest('details');
    if (more) more.open = true;
    if (wrong.matches('.wrong')) wrong.tabIndex = -1;
    wrong.scrollIntoView({ block: 'center' });
    wrong.focus({ preventScroll: true });
  }

  // Line by line: the Enter that sends one leads to the next that is open.
  document.addEventListener('submit', event => {
    const line = event.target.closest('[data-lines] > li');
    const lines = line ? [...line.parentElement.children].slice([...line.parentElement.children].indexOf(line) + 1) : [];
    lines.map(it => $('input[name="result"]', it)).find(it => it)?.focus();
  });

  // Printing, copying: buttons that only scripts can honour stay hidden without them.
  for (const button of document.querySelectorAll('[data-print]')) {
    button.hidden = false;
    button.addEventListener('click', () => print());
  }

  // Single keys, while nobody is typing; `?` tells which. They can be switched off.
  const sheet = $('#keys');
  const off = () => { try { return localStorage.getItem('keys') === 'off'; } catch { return false; } };
  const toggle = $('#keys-on');
  if (toggle) {
    toggle.checked = !off();
    toggle.addEventListener('change', () => {
      try { localStorage.setItem('keys', toggle.checked ? 'on' : 'off'); } catch { /* kept for this page only */ }
    });
  }
  document.addEventListener('keydown', event => {
    const typing = event.target.closest?.('input, textarea, select, [contenteditable]');
    if (typing || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !sheet) return;
    if (event.key === '?') return sheet.showModal();
    const link = [...document.querySelectorAll('[data-key]')].find(it => it.dataset.key === event.key.toLowerCase());
    if (off() || !link) return;
    event.preventDefault();
    const dialog = link.dataset.open && $(link.dataset.open);
    if (dialog) dialog.showModal();
    else if (event.key === '/' && $('#search-q')) $('#search-q').focus();
    else link.click();
  });
  // A click beside a dialog closes it.
  document.addEventListener('click', event => {
    if (event.target.matches?.('dialog[open]')) event.target.close();
    if (event.target.closest('[data-open-keys]')) sheet?.showModal();
  });

  // A menu closes when somebody looks elsewhere.
  const openMenus = () => document.querySelectorAll('details.menu[open]');
  for (const event of ['click', 'focusin']) {
    document.addEventListener(event, ({ target }) => {
      for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
    });
  }
  document.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return;
    for (const menu of openMenus()) {
      menu.open = false;
      $('summary', menu).focus();
    }
  });

  for (const tell of [tellTimes, countDown]) tell();
})();
