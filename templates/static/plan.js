// The plan of the floor: tables are put where they stand by a finger, a mouse or the arrow keys. What is saved are the numbers in the
// form below, which say the same.
(() => {
  'use strict';
  const $ = query => document.querySelector(query);
  const lattice = $('#lattice'), tray = $('#plan-tray'), tools = $('#plan-tools');
  if (!lattice) return;
  const { at: said } = lattice.dataset;
  const [columns, rows, least, usual] = ['columns', 'rows', 'least', 'usual'].map(it => Number(lattice.dataset[it]));
  const FIELDS = ['x', 'y', 'width', 'height'];
  const field = (table, what) => document.getElementById(`${what}-${table.dataset.table}`);
  const name = table => table.querySelector('strong').textContent;
  const isPlaced = table => table.parentElement === lattice;
  let chosen = null, isChanged = false;

  const placeOf = table => Object.fromEntries(FIELDS.map(it => [it, Number(field(table, it).value)]));
  const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
  const isFree = (table, place) => [...lattice.children].every(it => it === table || !overlap(place, placeOf(it)));
  const within = (least, number, most) => Math.max(least, Math.min(number, most));

  function draw(table) {
    const { x, y, width, height } = placeOf(table);
    const shape = field(table, 'round').checked ? 'round' : 'square';
    table.className = `x${x} y${y} w${width} h${height} ${shape}`;
    table.setAttribute('aria-label', `${name(table)}: ${said.replace('#x', x).replace('#y', y)}`);
    for (const it of lattice.children) it.classList.toggle('overlaps', !isFree(it, placeOf(it)));
    if (table === chosen) tools.querySelector('output').textContent = table.getAttribute('aria-label');
  }
  function put(table, place) {
    const width = within(least, place.width, columns), height = within(least, place.height, rows);
    const x = within(1, place.x, columns - width + 1), y = within(1, place.y, rows - height + 1);
    for (const [what, number] of Object.entries({ x, y, width, height })) field(table, what).value = number;
    isChanged = true;
    draw(table);
  }
  function choose(table) {
    chosen?.removeAttribute('aria-current');
    chosen = table;
    tools.hidden = !table;
    table?.setAttribute('aria-current', 'true');
    if (table) draw(table);
  }
  function firstFree(table) {
    for (let y = 1; y + usual <= rows + 1; y += 1) {
      for (let x = 1; x + usual <= columns + 1; x += 1) {
        const place = { x, y, width: usual, height: usual };
        if (isFree(table, place)) return place;
      }
    }
    return null;
  }
  function bringIn(table) {
    const place = firstFree(table);
    if (!place) return;
    lattice.append(table);
    put(table, place);
    $('#plan-rest').hidden = !tray.children.length;
    choose(table);
    table.focus();
  }
  function takeOut(table) {
    choose(null);
    for (const it of FIELDS) field(table, it).value = '';
    tray.append(table);
    table.className = '';
    table.removeAttribute('aria-label');
    $('#plan-rest').hidden = false;
    isChanged = true;
    for (const it of lattice.children) draw(it);
    table.focus();
  }
  const CHANGES = {
    narrower: it => ({ ...it, width: it.width - 1 }),
    wider: it => ({ ...it, width: it.width + 1 }),
    lower: it => ({ ...it, height: it.height - 1 }),
    higher: it => ({ ...it, height: it.height + 1 }),
  };
  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  function onKey(event) {
    const table = event.currentTarget, step = STEPS[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!isPlaced(table)) {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      return bringIn(table);
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      return takeOut(table);
    }
    if (!step) return;
    event.preventDefault();
    const place = placeOf(table), [right, down] = step;
    if (event.shiftKey) put(table, { ...place, width: place.width + right, height: place.height + down });
    else put(table, { ...place, x: place.x + right, y: place.y + down });
  }
  // The table follows from where it was touched. On another it does not stay.
  function onDrag(event) {
    const table = event.currentTarget;
    if (event.button !== 0) return;
    if (!isPlaced(table)) return bringIn(table);
    const box = lattice.getBoundingClientRect(), start = placeOf(table);
    const [across, down] = [lattice.clientWidth / columns, parseFloat(getComputedStyle(lattice).gridAutoRows)];
    const cell = ({ clientX, clientY }) => [(clientX - box.left) / across, (clientY - box.top) / down];
    const [fromX, fromY] = cell(event), scrolled = scrollY;
    choose(table);
    table.setPointerCapture(event.pointerId);
    const move = event => {
      const [x, y] = cell(event);
      const to = { x: start.x + Math.round(x - fromX), y: start.y + Math.round(y - fromY + (scrollY - scrolled) / down) };
      if (to.x !== placeOf(table).x || to.y !== placeOf(table).y) put(table, { ...start, ...to });
    };
    const end = event => {
      table.removeEventListener('pointermove', move);
      if (event.type === 'pointercancel' || !isFree(table, placeOf(table))) put(table, start);
    };
    table.addEventListener('pointermove', move);
    for (const kind of ['pointerup', 'pointercancel']) table.addEventListener(kind, end, { once: true });
  }

  for (const table of document.querySelectorAll('[data-table]:is(#lattice > *, #plan-tray > *)')) {
    table.tabIndex = 0;
    table.setAttribute('aria-describedby', 'plan-help');
    table.addEventListener('keydown', onKey);
    table.addEventListener('pointerdown', onDrag);
    table.addEventListener('focus', () => choose(isPlaced(table) ? table : null));
    if (isPlaced(table)) draw(table);
  }
  tools.addEventListener('click', event => {
    const what = event.target.closest('[data-do]')?.dataset.do;
    if (!what || !chosen) return;
    if (what === 'off') return takeOut(chosen);
    const round = field(chosen, 'round');
    if (what === 'round') round.checked = !round.checked;
    put(chosen, (CHANGES[what] ?? (it => it))(placeOf(chosen)));
  });
  // The numbers lead as well.
  lattice.closest('form').addEventListener('change', event => {
    const id = event.target.id?.split('-').slice(1).join('-');
    const table = id && document.querySelector(`li[data-table="${id}"]`);
    if (!table) return;
    isChanged = true;
    const place = placeOf(table), isWhole = FIELDS.every(it => place[it] > 0);
    if (isPlaced(table) && isWhole) put(table, place);
    else if (isWhole && !isPlaced(table)) {
      lattice.append(table);
      put(table, place);
    }
    $('#plan-rest').hidden = !tray.children.length;
  });
  lattice.closest('form').addEventListener('submit', () => { isChanged = false; });
  addEventListener('beforeunload', event => { if (isChanged) event.preventDefault(); });
})();
