// The counter: a tap on the floor is answered in the page, and a call is heard on every page of the staff.
(() => {
  'use strict';
  const $ = (query, from = document) => from.querySelector(query);
  const badge = $('#calls');
  if (!badge) return;
  const floor = () => $('#floor'), told = $('#told');

  // What came of a tap lies over the page for a while. Undoing stays possible on the floor.
  const TOLD = 8000;
  let leaving;
  function leave() {
    clearTimeout(leaving);
    leaving = setTimeout(() => {
      if ($('.note:is(:hover, :focus-within)', told)) return leave();
      told.replaceChildren();
    }, TOLD);
  }
  function tell(note) {
    told.replaceChildren(...note ? [note] : []);
    if (note) leave();
  }
  function complain(text) {
    const note = document.createElement('div');
    note.className = 'note bad toast';
    note.setAttribute('role', 'alert');
    note.textContent = text;
    tell(note);
  }
  if (floor() && $('.note', told)) leave();

  // Only what a tap changes is drawn again: scroll, focus and what was typed stay. Of several answers on their way, only the one
  // to the last tap is drawn.
  let taps = 0;
  async function act(button, url, options) {
    if (button?.ariaBusy) return;
    if (button) button.ariaBusy = 'true';
    const tap = ++taps;
    try {
      const answer = await fetch(url, { ...options, headers: { 'hx-request': 'true', 'hx-boosted': 'true' } });
      document.dispatchEvent(new Event('heard'));
      await show(answer, new DOMParser().parseFromString(await answer.text(), 'text/html'), tap);
    } catch {
      document.dispatchEvent(new Event('silence'));
      complain(badge.dataset.unsent);
    }
    if (button) button.ariaBusy = null;
  }
  async function show(answer, page, tap) {
    const now = $('#floor', page);
    if (answer.status === 401) return location.reload();
    if (answer.status >= 400) return complain($('h1', page)?.textContent ?? answer.statusText);
    if (!now) return location.assign(answer.url);
    tell($('.note', page));
    if (tap !== taps) return document.body.dispatchEvent(new CustomEvent('changed'));
    const place = document.activeElement?.closest('#floor [id]')?.id, sheet = $('.sheet-of');
    await htmx.swap({ text: now.outerHTML, target: '#floor', sourceElement: floor(), swap: 'outerMorph' });
    const at = floor().getAttribute('hx-get');
    if (at !== location.pathname + location.search) history.pushState(null, '', at);
    look(sheet, place);
  }
  // The focus goes along: into a sheet that opens, back to the table whose sheet closes.
  function look(before, place) {
    const sheet = $('.sheet-of');
    if (sheet && sheet.id !== before?.id) {
      $('#rail').scrollTop = 0;
      document.getElementById(`s${sheet.dataset.table}`).scrollIntoView({ block: 'nearest' });
      $('h2', sheet).focus({ preventScroll: true });
    } else if (document.activeElement === document.body) {
      const near = place && document.getElementById(place) || sheet || before && document.getElementById(`s${before.dataset.table}`);
      ($('a, button', near || floor()) ?? $('#main')).focus({ preventScroll: true });
    }
  }
  // An answer about another sheet than the one that is open now has come too late.
  document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => { ctx.asked = ctx.request.action; });
  document.addEventListener('htmx:before:swap', event => {
    const { sourceElement, asked, request } = event.detail.ctx;
    if (request && sourceElement === floor() && asked !== floor().getAttribute('hx-get')) event.preventDefault();
  });
  document.addEventListener('submit', event => {
    const { target: form, submitter } = event;
    if (!floor() || isGone() || !form.matches(':is(#floor, #told) form[method="post"]')) return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, submitter));
    act(submitter ?? form, form.getAttribute('action'), { method: 'POST', body });
  }, true);
  document.addEventListener('click', event => {
    const link = event.target.closest?.('#floor a[href]');
    if (!link || link.pathname !== '/admin' || isGone() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    act(link, link.pathname + link.search);
  });
  addEventListener('popstate', () => { if (floor() && location.pathname === '/admin') act(null, location.pathname + location.search); });
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !$('dialog[open], details.menu[open]')) $('.sheet-of [data-escape]')?.click();
  });

  // Without a network no tap leaves the page.
  const isGone = () => !navigator.onLine || !$('#offline').hidden;
  for (const kind of ['click', 'submit']) {
    document.addEventListener(kind, event => {
      const link = kind === 'submit' ? event.target : event.target.closest?.('a[href]');
      if (!link || !isGone() || link.matches('[href^="#"], [method="dialog"]')) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      document.dispatchEvent(new Event('silence'));
      complain(badge.dataset.unsent);
    }, true);
  }

  // A form that leads back to its page: the focus is where it was.
  document.addEventListener('submit', event => {
    if (event.defaultPrevented || event.target.method !== 'post') return;
    sessionStorage.setItem('sent', JSON.stringify([location.pathname, event.target.getAttribute('action')]));
  });
  const [path, action] = JSON.parse(sessionStorage.getItem('sent') ?? '[]');
  sessionStorage.removeItem('sent');
  if (path === location.pathname && document.activeElement === document.body) {
    const form = [...document.forms].find(it => it.getAttribute('action') === action);
    const inputs = form?.querySelectorAll('input:not([type="hidden"], [type="checkbox"], [type="radio"])') ?? [];
    // What a form folds away was not where anybody was.
    const isOpen = input => !form.contains(input.closest('details'));
    const field = [...inputs].find(isOpen) ?? (form && $('button:not([type="button"])', form));
    const more = field?.closest('details');
    // A menu has done its work; other details stay open for the next line.
    if (more?.matches('.menu')) $('summary', more).focus();
    else {
      if (more) more.open = true;
      (field ?? $('#main')).focus();
    }
    // What came of it stands at the top, where nobody looks who is back down here.
    const note = $('.note', told);
    if (note && (scrollY || location.hash)) {
      note.classList.add('toast');
      leave();
    }
  }
})();
