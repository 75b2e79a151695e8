// Keeps what pages are drawn with and the rules that were read. Pages of tables and matches are never kept: they are only
// true now, and a hand of cards must not lie in a cache.
'use strict';
const SHELL = [/* shell */];
const KEPT = `shell ${SHELL.join(' ')}`;
const RULES = 'rules';

addEventListener('install', event => {
  event.waitUntil(caches.open(KEPT).then(cache => cache.addAll([...SHELL, '/offline'])).then(() => skipWaiting()));
});

addEventListener('activate', event => {
  const drop = names => Promise.all(names.filter(name => ![KEPT, RULES].includes(name)).map(name => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => clients.claim()));
});

async function rules(request) {
  const cache = await caches.open(RULES);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(request, answer.clone());
    return answer;
  } catch {
    return await cache.match(request) ?? caches.match('/offline');
  }
}

addEventListener('fetch', event => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || pathname.startsWith('/admin')) return;
  if (pathname.startsWith('/static/')) event.respondWith(caches.match(request).then(kept => kept ?? fetch(request)));
  else if (pathname.startsWith('/rules/') && request.mode === 'navigate') event.respondWith(rules(request));
  else if (request.mode === 'navigate') event.respondWith(fetch(request).catch(() => caches.match('/offline')));
});
