// What makes trays livelier: secrets are shown while held, choices fit each other, what cannot be taken back is held. Each
// tray works without it.
(() => {
  'use strict';
  const HOLD = 400;
  const TOLD = 2800;
  const all = (query, from = document) => [...from.querySelectorAll(query)];

  // Secrets. A held one is open as long as a finger lies on it; "keep" lives in this page's memory only.
  let keep = false;
  function turn(open) {
    for (const secret of all('details.held[data-secret]')) secret.open = open;
    for (const button of all('[data-keep]')) button.setAttribute('aria-pressed', keep);
  }
  function cover() {
    keep = false;
    turn(false);
    for (const secret of all('details[data-secret="choices"]')) secret.open = false;
    ghost();
  }
  const strip = target => target.closest?.('details.held[data-secret] > summary');
  document.addEventListener('pointerdown', event => {
    if (strip(event.target) && event.button === 0) strip(event.target).parentElement.open = true;
  });
  for (const event of ['pointerup', 'pointercancel']) document.addEventListener(event, () => turn(keep));
  document.addEventListener('visibilitychange', () => { if (document.hidden) cover(); });
  addEventListener('pagehide', cover);
  addEventListener('blur', () => turn(keep));
  document.addEventListener('contextmenu', event => { if (event.target.closest('[data-secret] > summary, [data-hold]')) event.preventDefault(); });

  // A word of help over the keys, for a moment.
  const silences = new WeakMap();
  function tell(tray, text) {
    let why = tray.querySelector('[data-why]');
    if (!why) {
      why = Object.assign(document.createElement('p'), { className: 'why' });
      why.dataset.why = '';
      why.setAttribute('role', 'status');
      tray.append(why);
    }
    why.textContent = text;
    clearTimeout(silences.get(tray));
    silences.set(tray, setTimeout(() => { why.textContent = ''; }, TOLD));
  }

  // Bids: a face and a count, or a space of the track and a face. What does not fit is not taken.
  const faceOf = form => form.querySelector('[name="face"]:checked');
  const countOf = form => form.querySelector('.ruler input:checked');
  const onTrack = form => form.querySelector('.on-track') !== null;
  const fits = (count, face) => count.dataset.said !== undefined || face !== null && count.classList.contains(`f${face.value}`);
  const fitting = form => all('.ruler input', form).filter(it => onTrack(form) || fits(it, faceOf(form)));
  const last = new WeakMap();
  function say(form) {
    const [face, count] = [faceOf(form), countOf(form)];
    const said = form.querySelector('[data-said]:is(strong)');
    const { pattern } = form.querySelector('.say').dataset;
    const word = it => Number(count.dataset.count) === 1 ? it.dataset.one : it.dataset.many;
    said.textContent = count.dataset.said ?? pattern.replace('#c', count.dataset.word).replace('#f', word(face));
    const options = fitting(form);
    const at = options.indexOf(count);
    for (const step of all('[data-step]', form)) step.disabled = !options[at + Number(step.dataset.step)];
    const ruler = form.querySelector('.ruler');
    const label = count.closest('label');
    ruler.scrollLeft = label.offsetLeft - (ruler.clientWidth - label.offsetWidth) / 2;
    last.set(form, { face, count });
  }
  function refuse(form, text) {
    const { face, count } = last.get(form);
    if (face) face.checked = true;
    count.checked = true;
    const tray = form.closest('.tray');
    tell(tray, text);
    form.querySelector('.counts').classList.add('shake');
    setTimeout(() => form.querySelector('.counts').classList.remove('shake'), 300);
  }
  function choose(form, input) {
    const isFace = input.name === 'face';
    if (isFace && !onTrack(form)) fitting(form)[0].checked = true;
    if (!isFace && onTrack(form) && !fits(input, faceOf(form))) {
      const face = all('[name="face"]:enabled', form).find(it => fits(input, it));
      if (face) face.checked = true;
    }
    // A space that settles the face is left for one that does not.
    if (isFace && onTrack(form) && countOf(form).dataset.said !== undefined) {
      const space = all('.ruler input', form).find(it => it.dataset.said === undefined && fits(it, input));
      if (space) space.checked = true;
    }
    if (fits(countOf(form), faceOf(form))) return say(form);
    const least = all('.ruler input', form).find(it => fits(it, faceOf(form)));
    refuse(form, form.querySelector('.say').dataset.unfit.replace('#c', least?.dataset.count));
  }
  // Two steps: what is chosen is said on the key below it, and that key sends it. A single choice needs one.
  const chosen = new WeakMap();
  const options = form => all('[data-say]', form);
  const isForced = form => options(form).length === 1 && !('held' in options(form)[0].dataset);
  function pick(option) {
    const { form } = option;
    const key = form.querySelector('[data-commit]');
    chosen.set(form, option);
    for (const it of options(form)) it.setAttribute('aria-pressed', it === option);
    key.querySelector('[data-said]').textContent = option.dataset.say;
    key.querySelector('[data-verb]').textContent = option.dataset.verb;
    key.toggleAttribute('data-hold', 'held' in option.dataset);
    key.disabled = false;
    ghost();
  }
  function send(key) {
    key.form.requestSubmit('commit' in key.dataset ? chosen.get(key.form) : key);
  }
  // Where the chosen card would bring the pawn, as long as the card lies open.
  function ghost() {
    for (const it of all('.race [data-ghost]')) delete it.dataset.ghost;
    const key = all('[data-to][aria-pressed="true"]').find(it => it.checkVisibility());
    const space = key && document.querySelector(`.race [data-space="${key.dataset.to}"]`);
    if (!space) return;
    space.dataset.ghost = key.dataset.walks;
    space.scrollIntoView({ block: 'nearest' });
  }
  document.addEventListener('toggle', event => { if (event.target.matches?.('[data-secret]')) ghost(); }, true);
  // The target and what is said of it, on the key of a skill.
  function sayPicks(form) {
    const said = all('input:checked', form).map(it => it.dataset.name);
    form.querySelector('[data-said]').textContent = said.join(' · ');
  }

  // Marks of one's own in a notebook: kept in this page's memory only, for they are secret.
  const MARKS = ['', '✗', '?', '★'];
  const marks = new Map();
  const cellKey = cell => `${location.pathname} ${cell.dataset.card}`;
  let pencil = false;
  function paint(notebook) {
    notebook.classList.toggle('pencilled', pencil);
    const words = notebook.dataset.marks.split('|');
    for (const cell of all('[data-card]', notebook)) {
      const mark = marks.get(cellKey(cell)) ?? 0;
      cell.dataset.mark = MARKS[mark];
      const inside = cell.firstElementChild;
      if (mark) inside.setAttribute('aria-description', words[mark - 1]); else inside.removeAttribute('aria-description');
      if (inside.matches('button')) continue;
      inside.tabIndex = pencil ? 0 : -1;
      if (pencil) inside.setAttribute('role', 'button'); else inside.removeAttribute('role');
    }
    for (const it of all('[data-pencil]')) it.setAttribute('aria-pressed', pencil);
  }
  function write(event) {
    const cell = pencil && event.target.closest?.('.notebook [data-card]');
    if (!cell || event.type === 'keydown' && !['Enter', ' '].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    marks.set(cellKey(cell), ((marks.get(cellKey(cell)) ?? 0) + 1) % MARKS.length);
    paint(cell.closest('.notebook'));
  }
  document.addEventListener('click', write, true);
  document.addEventListener('keydown', write, true);

  document.addEventListener('change', ({ target }) => {
    const claims = target.closest?.('.claims');
    if (claims) choose(claims, target);
    const reroll = target.closest?.('.reroll');
    if (reroll) count(reroll);
    const skill = target.closest?.('.tray .skill');
    if (skill) sayPicks(skill);
  });
  function count(form) {
    const ticks = all('[name="keep"]', form);
    const kept = ticks.filter(it => it.checked).length;
    const button = form.querySelector('.say');
    button.disabled = kept === 0 || kept === ticks.length;
    button.querySelector('strong').textContent =
      button.disabled ? '' : button.dataset.keeps.replace('#k', kept).replace('#r', ticks.length - kept);
  }
  document.addEventListener('click', event => {
    const { target } = event;
    const summary = strip(target);
    // A finger has shown and hidden it already; a key turns it over.
    if (summary && event.detail > 0) event.preventDefault();
    if (target.closest('[data-keep]')) {
      keep = !keep;
      turn(keep);
    }
    if (target.closest('[data-pencil]')) {
      pencil = !pencil;
      all('.notebook').forEach(paint);
    }
    const option = target.closest('.holds [data-say]');
    if (option && !isForced(option.form)) {
      event.preventDefault();
      pick(option);
    }
    const commit = target.closest('[data-commit]:not([data-hold])');
    if (commit) send(commit);
    const step = target.closest('[data-step]');
    if (step) {
      const form = step.closest('form');
      const options = fitting(form);
      const next = options[options.indexOf(countOf(form)) + Number(step.dataset.step)];
      next.checked = true;
      choose(form, next);
    }
    const reason = target.closest('.faces .off')?.querySelector('[data-reason]');
    if (reason) tell(reason.closest('.tray'), reason.textContent);
  });

  // A press of 400 ms sends. A key, or a screen reader's click, asks once more instead.
  let held = null;
  const armed = new WeakSet();
  const let_go = () => {
    if (!held) return;
    clearTimeout(held.timer);
    held.button.classList.remove('holding');
    held = null;
  };
  document.addEventListener('pointerdown', event => {
    const button = event.target.closest?.('[data-hold]');
    if (!button || event.button !== 0) return;
    let_go();
    button.classList.add('holding');
    const timer = setTimeout(() => {
      let_go();
      send(button);
    }, HOLD);
    held = { button, timer };
  });
  for (const event of ['pointerup', 'pointercancel']) document.addEventListener(event, let_go);
  document.addEventListener('pointerout', event => { if (event.target === held?.button) let_go(); });
  document.addEventListener('click', event => {
    const button = event.target.closest('[data-hold]');
    if (!button) return;
    event.preventDefault();
    if (event.detail === 0 && armed.has(button)) return send(button);
    tell(button.closest('.tray'), button.dataset.again);
    if (event.detail > 0) return;
    armed.add(button);
    setTimeout(() => armed.delete(button), TOLD);
  });

  function enhance() {
    for (const tray of all('.tray:not(.holds)')) {
      tray.classList.add('holds');
      for (const button of all('[data-keep], [data-step]', tray)) button.hidden = false;
      for (const form of all('.claims', tray)) say(form);
      for (const form of all('.reroll', tray)) count(form);
      for (const it of all('[data-commit]', tray)) it.hidden = isForced(it.form);
      for (const it of all('[data-pencil]', tray)) it.hidden = false;
      all('.notebook', tray).forEach(paint);
    }
    if (!document.hidden) turn(keep);
    ghost();
  }

  // What lies elsewhere than before walks there, and what is new comes in: once, and only where motion is welcome.
  const still = matchMedia('(prefers-reduced-motion: reduce)');
  const TUMBLE = [{ transform: 'translateY(-1.2rem) rotate(-200deg)', opacity: 0 }, { transform: 'translateY(0) rotate(15deg)', opacity: 1, offset: .7 }, { transform: 'none' }];
  const FLY = [{ transform: 'translateY(-2.5rem) rotate(-8deg)', opacity: 0 }, { transform: 'none', opacity: 1 }];
  let places = survey();
  function survey() {
    const seen = new Map();
    const board = document.querySelector('.board');
    const from = board?.getBoundingClientRect();
    for (const piece of board ? all('[data-piece]', board) : []) {
      const { left, top } = piece.getBoundingClientRect();
      seen.set(piece.dataset.piece, { piece, left: left - from.left, top: top - from.top });
    }
    return seen;
  }
  function animate() {
    const before = places;
    places = survey();
    if (still.matches || document.hidden || !before.size) return;
    let late = 0;
    for (const [id, { piece, left, top }] of places) {
      const was = before.get(id);
      if (!was) {
        const delay = Math.min(30 * late++, 600);
        piece.animate(piece.matches('.die') ? TUMBLE : FLY, { duration: 450, delay, easing: 'ease-out', fill: 'backwards' });
      } else if (Math.abs(was.left - left) + Math.abs(was.top - top) > 3) {
        const back = `translate(${was.left - left}px, ${was.top - top}px)`;
        piece.animate([{ transform: back, zIndex: 3 }, { transform: 'none', zIndex: 3 }], { duration: 500, easing: 'ease-in-out' });
      }
    }
  }
  addEventListener('resize', () => { places = survey(); });

  document.addEventListener('htmx:after:swap', () => {
    enhance();
    animate();
  });
  enhance();
})();
