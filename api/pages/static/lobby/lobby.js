// @ts-check
// On pages with the visitor's games: the window's title shows whether it is the visitor's turn, a game that begins
// to wait calls if the visitor has switched that on for this device, and a game that has begun is opened. The pages work
// without this module, with the next look at them.
import { call } from '../kit/notice.js';

const shown = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-turns]'));
const waits = () => (shown()?.dataset.waits ?? '').split(' ').filter(Boolean);

const before = Number(shown()?.dataset.turns) > 0 ? `${shown()?.dataset.words} · ` : '';
const plain = document.title.startsWith(before) ? document.title.slice(before.length) : document.title;
let known = waits(); // the visitor sees these on the page that was opened: they call no more

/** Calls the visitor to the first of the games that have begun to wait. */
function hail() {
  const now = waits();
  const fresh = now.find((wait) => !known.includes(wait));
  known = now;
  if (!fresh) return;
  const [game, turn] = fresh.split(':');
  const page = `/games/${game}`;
  const title = [...document.querySelectorAll('.mine a.title')].find((link) => link.getAttribute('href') === page);
  void call(shown()?.dataset.words ?? '', page, turn, title?.textContent ?? undefined);
}

function look() {
  const found = shown();
  if (found) {
    document.title = Number(found.dataset.turns) > 0 ? `${found.dataset.words} · ${plain}` : plain;
    hail();
  }
  const go = /** @type {HTMLElement | null} */ (document.querySelector('[data-go]'))?.dataset.go;
  if (go?.startsWith('/games/')) location.assign(go);
}

document.addEventListener('quatuor:parts', look);
look();
