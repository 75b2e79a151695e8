// A screen on the wall turns its pages by itself, and only to a page that is there: nobody stands by to take an error away.
(() => {
  'use strict';
  let seconds = 0, isAsking = false;

  async function turn() {
    const { next, after, count } = document.querySelector('#tournament').dataset;
    // A page alone keeps itself up to date.
    seconds = count > 1 ? seconds + 1 : 0;
    if (isAsking || seconds < after) return;
    isAsking = true;
    const answer = await fetch(next, { method: 'HEAD', signal: AbortSignal.timeout(10000) }).catch(() => null);
    if (answer?.ok) return location.replace(next);
    isAsking = false;
    seconds = 0;
  }
  setInterval(turn, 1000);
})();
