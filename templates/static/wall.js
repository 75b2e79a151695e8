// A screen on the wall turns its pages by itself.
(() => {
  'use strict';
  const { next, after } = document.currentScript.dataset;
  setTimeout(() => location.replace(next), 1000 * after);
})();
