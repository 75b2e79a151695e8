// "Check the dice": the phone remembers the commitment that it saw before the match, and checks the record against it.
(() => {
  'use strict';
  const PREFIX = 'commitment ';
  const kept = {
    get: id => { try { return localStorage.getItem(PREFIX + id); } catch { return null; } },
    set: (id, value) => { try { localStorage.setItem(PREFIX + id, value); } catch { /* then it is compared with what is published */ } },
  };
  function remember() {
    for (const { dataset } of document.querySelectorAll('[data-commitment]')) {
      if (!kept.get(dataset.match)) kept.set(dataset.match, dataset.commitment);
    }
    for (const button of document.querySelectorAll('[data-verify] button')) button.hidden = false;
  }
  const load = src => new Promise((done, failed) => {
    if (globalThis.verifyRecord) return done();
    const script = Object.assign(document.createElement('script'), { src, onload: done, onerror: failed });
    document.head.append(script);
  });
  async function check({ dataset }) {
    await load(dataset.script);
    const answer = await fetch(dataset.verify);
    if (!answer.ok) throw new Error(answer.status);
    const seen = kept.get(dataset.match);
    const found = globalThis.verifyRecord(await answer.json(), seen ?? undefined);
    const said = found.problem === null ? dataset.good : found.problem === 'commitment' ? dataset.otherSeed : dataset.otherOutcome;
    const rest = found.problem === null && found.left ? ` ${dataset.left}` : '';
    const text = (said + rest).replace('#checked', found.checked).replace('#left', found.left).replace('#outcome', found.problem + 1);
    return { good: found.problem === null, text };
  }
  document.addEventListener('click', async event => {
    const place = event.target.closest('[data-verify] button')?.closest('[data-verify]');
    if (!place) return;
    const status = place.querySelector('[role=status]');
    status.textContent = place.dataset.checking;
    try {
      const { good, text } = await check(place);
      status.className = good ? 'note good' : 'note bad';
      status.textContent = text;
    } catch {
      status.className = 'note bad';
      status.textContent = place.dataset.failed;
    }
  });
  document.addEventListener('htmx:after:swap', remember);
  remember();
})();
