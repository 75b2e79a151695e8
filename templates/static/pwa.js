// Guests' pages can be installed, where the browser lets pages have a service worker.
if ('serviceWorker' in navigator && !location.pathname.startsWith('/admin')) {
  addEventListener('load', () => navigator.serviceWorker.register('/service-worker.js').catch(() => { /* then without */ }));
}
