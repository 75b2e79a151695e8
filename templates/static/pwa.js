// Guests' pages can be installed, where the browser lets pages have a service worker.
if ('serviceWorker' in navigator && !location.pathname.startsWith('/admin')) {
  addEventListener('load', () => navigator.serviceWorker.register('/service-worker.js').catch(() => { /* then without */ }));
}
// Shown at the address of the page that did not come, which is asked for again until it does.
if (document.querySelector('[data-ask-again]') && location.pathname !== '/offline') {
  let isComing = false;
  const again = async () => {
    const answer = isComing ? null : await fetch(location, { method: 'HEAD' }).catch(() => null);
    if (isComing || !answer || answer.status >= 500) return;
    isComing = true;
    location.reload();
  };
  setInterval(again, 15000);
  addEventListener('online', again);
}
