// Looking back through a match without leaving its page: each link and the slider bring the board of another version.
(() => {
  'use strict';
  const $ = query => document.querySelector(query);
  const match = () => $('#match');
  if (!$('.replay')) return;
  const STEP = 1200;
  let timer, asked = 0;

  function prepare() {
    for (const it of document.querySelectorAll('#replay-play, .replay [data-copy]')) it.hidden = false;
    for (const it of document.querySelectorAll('.replay [data-unscripted]')) it.hidden = true;
    $('#replay-play')?.setAttribute('aria-pressed', timer !== undefined);
  }
  async function go(url) {
    const number = ++asked;
    const answer = await fetch(url, { headers: { 'hx-request': 'true' } }).catch(() => null);
    if (!answer?.ok) return location.assign(url);
    const text = await answer.text();
    // Who drags past wants only the last.
    if (number !== asked) return;
    await htmx.swap({ text, target: '#match', sourceElement: match(), swap: 'outerMorph' });
    history.replaceState(null, '', url);
    prepare();
  }
  // What was asked for before somebody looked elsewhere comes too late.
  document.addEventListener('htmx:after:request', event => {
    const { sourceElement, request } = event.detail.ctx;
    if (sourceElement === match() && request.action !== match().getAttribute('hx-get')) event.preventDefault();
  });
  function stop() {
    clearTimeout(timer);
    timer = undefined;
    prepare();
  }
  async function play() {
    const next = $('.replay [rel=next]');
    if (!next) return stop();
    await go(next.getAttribute('href'));
    if (timer !== undefined) timer = setTimeout(play, STEP);
  }
  document.addEventListener('click', event => {
    const link = event.target.closest('.replay a[data-here]');
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      stop();
      go(link.getAttribute('href'));
    }
    if (event.target.closest('#replay-play')) {
      if (timer !== undefined) return stop();
      timer = 0;
      // From the end it begins again.
      if ($('.replay [rel=next]')) play();
      else go($('.replay [data-here]').getAttribute('href')).then(() => { timer = setTimeout(play, STEP); prepare(); });
    }
    const copy = event.target.closest('.replay [data-copy]');
    if (copy) navigator.clipboard?.writeText(new URL(copy.dataset.copy, location).href).then(() => { copy.ariaPressed = 'true'; });
  });
  document.addEventListener('input', ({ target }) => {
    if (target.id !== 'replay-version') return;
    stop();
    go(`${target.form.getAttribute('action')}?${new URLSearchParams(new FormData(target.form))}`);
  });
  prepare();
})();
