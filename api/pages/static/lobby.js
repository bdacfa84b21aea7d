// @ts-check
// On pages that say what waits for the visitor: the window's title says whether it is the visitor's turn, and a game that
// has begun is opened. Both work without this module, with the next look at the page.

const first = /** @type {HTMLElement | null} */ (document.querySelector('[data-turns]'));
const before = Number(first?.dataset.turns) > 0 ? `${first?.dataset.words} · ` : '';
const plain = document.title.startsWith(before) ? document.title.slice(before.length) : document.title;
let waiting = Number(/** @type {HTMLElement | null} */ (document.querySelector('[data-turns]'))?.dataset.turns ?? 0);

function look() {
  const found = /** @type {HTMLElement | null} */ (document.querySelector('[data-turns]'));
  if (found) {
    const turns = Number(found.dataset.turns);
    document.title = turns > 0 ? `${found.dataset.words} · ${plain}` : plain;
    if (turns > waiting) navigator.vibrate?.(200);
    waiting = turns;
  }
  const go = /** @type {HTMLElement | null} */ (document.querySelector('[data-go]'))?.dataset.go;
  if (go?.startsWith('/games/')) location.assign(go);
}

document.addEventListener('quatuor:parts', look);
look();
