// A match and its way to the server. News is fetched as soon as it is told of; what was chosen is sent until it is answered,
// the same bytes under the same key; and what is shown never goes back.
(() => {
  'use strict';
  const ANSWER = 8000; // An answer takes no longer,
  const BEATS = 20000; // nor is the stream silent for longer;
  const DOUBT = 1500; // and this long after a failure the page says so.
  const LATER = [429, 502, 503, 504];
  const place = () => document.querySelector('#play');
  if (!place()) return;

  // Whether the server is there: `house.js` says so, and since when not.
  let doubt = null;
  function hear() {
    clearTimeout(doubt);
    doubt = null;
    document.dispatchEvent(new Event('heard'));
  }
  function miss() {
    doubt ??= setTimeout(() => {
      doubt = null;
      document.dispatchEvent(new Event('silence'));
    }, DOUBT);
  }

  // An answer, if there is one; `later` is when to ask again.
  async function ask(url, options, stop = new AbortController()) {
    const timer = setTimeout(() => stop.abort(), ANSWER);
    try {
      const { headers, status, redirected, ...answer } = await read(url, { ...options, signal: stop.signal });
      if (!LATER.includes(status)) hear();
      else if (status !== 429) miss();
      return LATER.includes(status) ? { later: 1000 * Number(headers.get('retry-after')) || 0 } : { status, redirected, ...answer };
    } catch {
      miss();
      return { later: 0 };
    } finally {
      clearTimeout(timer);
    }
  }
  async function read(url, options) {
    const answer = await fetch(url, { ...options, headers: { 'hx-request': 'true' } });
    const { headers, status, redirected } = answer;
    return { headers, status, redirected, text: await answer.text() };
  }

  // How much news a page has. Who sees a match late is not told.
  const count = text => Number(/ data-news="(\d+)"/.exec(text)?.[1] ?? Infinity);
  const seen = () => Number(place().dataset.news ?? -1);
  async function show({ text, status, redirected }) {
    if (status === 401 || redirected || !text.includes('id="play"')) return location.reload();
    if (count(text) < seen()) return;
    await htmx.swap({ text, target: '#play', sourceElement: place(), swap: 'outerMorph' });
    follow();
  }

  // The page as it is now. One asks at a time, and what is being sent brings it along.
  let told = -1, wanted = false, asking = null, posting = false, owed = false, next, again = 1000;
  function refresh() {
    wanted = true;
    update();
  }
  async function update() {
    clearTimeout(next);
    if (asking || posting) return;
    if (wanted || told > seen()) {
      const before = told;
      asking = new AbortController();
      wanted = false;
      const answer = await ask(place().dataset.page, {}, asking);
      asking = null;
      if (posting) {
        owed = true;
        return;
      }
      // The stream tells of it only once.
      if (answer.text === undefined) {
        wanted = true;
        next = setTimeout(update, Math.max(again, answer.later));
        again = Math.min(2 * again, 8000);
        return;
      }
      again = 1000;
      await show(answer);
      if (told > before || wanted) return update();
      told = seen();
    }
    const { every } = place().dataset;
    if (every) next = setTimeout(refresh, 1000 * every);
  }

  // The stream says how much news there is.
  let stream = null, followed, silence, wait = 500;
  function follow() {
    const url = place().dataset.stream;
    if (url === followed) return;
    followed = url;
    connect();
  }
  function connect() {
    clearTimeout(silence);
    stream?.close();
    stream = followed ? new EventSource(followed) : null;
    if (!stream) return;
    silence = setTimeout(lose, ANSWER);
    stream.onerror = lose;
    for (const event of ['open', 'beat', 'changed']) stream.addEventListener(event, live);
    stream.addEventListener('beat', () => { wait = 500; });
    stream.addEventListener('reaction', ({ data }) => {
      live();
      document.dispatchEvent(new CustomEvent('reaction', { detail: JSON.parse(data) }));
    });
    stream.addEventListener('changed', ({ data }) => {
      if (data) told = Math.max(told, Number(data));
      else wanted = true;
      update();
    });
  }
  function live() {
    clearTimeout(silence);
    silence = setTimeout(lose, BEATS);
    hear();
    retry();
  }
  // Without it, the next request finds out.
  function lose() {
    clearTimeout(silence);
    stream?.close();
    stream = null;
    silence = setTimeout(connect, wait);
    wait = Math.min(2 * wait, 5000);
    refresh();
  }
  function wake() {
    if (document.hidden) return;
    again = 1000;
    asking?.abort();
    connect();
    if (!stream) refresh();
    retry();
  }
  // Who comes back may be somebody else: no hand is there before the server has said whose page it is.
  function forget() {
    for (const it of document.querySelectorAll('#play :is(.tray-place, [data-secret])')) it.remove();
  }
  addEventListener('online', wake);
  addEventListener('offline', lose);
  // A page that is kept for the way back holds none of the few connections that a browser has to one house.
  addEventListener('pagehide', ({ persisted }) => {
    clearTimeout(silence);
    stream?.close();
    if (!persisted) return;
    asking?.abort();
    forget();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    forget();
    wake();
    refresh();
  });
  document.addEventListener('visibilitychange', wake);

  // One line over the tray: that a choice is on its way, or waits for the network.
  const words = document.querySelector('#play-words')?.dataset ?? {};
  const say = document.querySelector('#play-say');
  function tell(text) {
    if (!say) return;
    say.textContent = text ?? '';
    say.hidden = !text;
  }

  // One choice at a time, until it is answered: what has arrived before is not done again.
  let retry = () => {}, sending = false;
  const pause = time => new Promise(done => {
    const timer = setTimeout(done, time);
    retry = () => { clearTimeout(timer); done(); };
  });
  async function insist(url, body) {
    for (let time = 1000, tries = 1; ; time = Math.min(2 * time, 8000), tries += 1) {
      posting = true;
      owed = false;
      const answer = await ask(url, { method: 'POST', body });
      posting = false;
      if (answer.text !== undefined) return { ...answer, tries };
      tell(words.waiting);
      wanted ||= owed;
      update();
      await pause(Math.max(time, answer.later));
    }
  }
  async function send(form, button) {
    sending = true;
    document.documentElement.classList.add('sending');
    tell(words.sending);
    // A page that comes meanwhile may make another form of it.
    const isMove = form.matches('.move');
    const answer = await insist(form.getAttribute('action'), new URLSearchParams(new FormData(form, button)));
    const isRefused = answer.status >= 400;
    // What goes without a key may be refused because it has arrived.
    const hasArrived = isRefused && answer.tries > 1 && !isMove;
    wanted = hasArrived;
    if (!hasArrived) await show(answer);
    tell();
    document.documentElement.classList.remove('sending');
    sending = false;
    if (isRefused && !hasArrived) shake();
    update();
  }
  function shake() {
    place().classList.add('shake');
    setTimeout(() => place().classList.remove('shake'), 500);
    document.querySelector('.refused')?.scrollIntoView({ block: 'nearest' });
  }
  // Before others see it: a form that is answered here is none that is being left by.
  document.addEventListener('submit', event => {
    if (!event.target.matches('#play form.move, #play form[data-send]')) return;
    event.preventDefault();
    if (!sending) send(event.target, event.submitter);
  }, true);

  follow();
  if (performance.getEntriesByType('navigation')[0]?.type === 'back_forward') {
    forget();
    wanted = true;
  }
  update();
})();
