// @ts-check
// Turns the pages of long lists on a wall, and tells how long the round has been going on. Boards in play on the server are
// asked for again now and then; the rest comes by the page's stream. Without this module everything stands one below the other.

const turn = 10_000; // ms that a page of a list stands
const again = 10_000; // ms after which boards are asked for

const wall = /** @type {HTMLElement | null} */ (document.querySelector('.board-wall'));

/** Which page of each list is shown, by the name of its part. @type {Map<string, number>} */
const shown = new Map();
let side = 0; // which of the lists that share the second column is shown

/** The lists on the wall that have something in them, in their order. */
function panes() {
  return [...document.querySelectorAll('.pane')].map((each) => /** @type {HTMLElement} */ (each));
}

/**
 * Splits the lines of a list into pages that fit.
 * @param {HTMLElement} pane
 * @returns {HTMLElement[][]}
 */
function pages(pane) {
  const list = /** @type {HTMLElement | null} */ (pane.querySelector('.lines'));
  if (!list) return [];
  const lines = [...list.children].map((line) => /** @type {HTMLElement} */ (line));
  for (const line of lines) line.hidden = false;
  const room = list.clientHeight;
  /** @type {HTMLElement[][]} */
  const all = [];
  let used = Infinity;
  for (const line of lines) {
    const height = line.getBoundingClientRect().height;
    if (used + height > room) {
      all.push([]);
      used = 0;
    }
    all[all.length - 1].push(line);
    used += height;
  }
  return all;
}

/** @param {HTMLElement} pane */
function show(pane) {
  const all = pages(pane);
  const name = pane.dataset.part ?? '';
  const at = (shown.get(name) ?? 0) % Math.max(1, all.length);
  shown.set(name, at);
  all.forEach((page, i) => page.forEach((line) => { line.hidden = i !== at; }));
  let note = pane.querySelector('.turn');
  if (!note) {
    note = document.createElement('p');
    note.className = 'turn';
    pane.append(note);
  }
  const text = all.length > 1 ? `${wall?.dataset.turn ?? ''} ${at + 1}/${all.length}` : '';
  if (note.textContent !== text) note.textContent = text;
  return all.length;
}

/** @param {HTMLElement} pane */
function full(pane) { return pane.querySelector('li') !== null; }

/** Puts the lists into their columns and shows one page of each. */
function arrange() {
  const wide = matchMedia('(min-width: 60rem)').matches;
  document.documentElement.classList.toggle('turns', wide);
  const [first, ...others] = panes();
  if (!wide || !first) {
    for (const line of document.querySelectorAll('.lines > li')) /** @type {HTMLElement} */ (line).hidden = false;
    for (const pane of panes()) pane.hidden = false;
    return;
  }
  const right = others.filter(full);
  side %= Math.max(1, right.length);
  for (const pane of others) pane.hidden = pane !== right[side];
  first.classList.toggle('alone', right.length === 0);
  show(first);
  if (right[side]) show(right[side]);
}

/** Turns to the next page of each list; the second column goes on to its next list after the last page. */
function next() {
  const [first, ...others] = panes();
  if (!first || !document.documentElement.classList.contains('turns')) return;
  const step = (/** @type {HTMLElement} */ pane) => {
    const name = pane.dataset.part ?? '';
    const at = (shown.get(name) ?? 0) + 1;
    const last = at >= pages(pane).length;
    shown.set(name, last ? 0 : at);
    return last;
  };
  step(first);
  const right = others.filter(full);
  if (right[side] && step(right[side])) side = (side + 1) % right.length;
  arrange();
}

/** Tells how long the round has been going on. */
function tick() {
  for (const element of document.querySelectorAll('[data-since]')) {
    const since = /** @type {HTMLTimeElement} */ (element);
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since.dateTime)) / 60_000));
    const text = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    if (since.textContent !== text) since.textContent = text;
  }
}

/** Asks for the boards in play again. */
async function look() {
  const old = document.querySelector('[data-part="boards"][data-hosted]');
  if (!old || document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(again) });
    if (!answer.ok) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-part="boards"]');
    const place = document.querySelector('[data-part="boards"]');
    if (fresh && place) place.replaceWith(fresh);
    arrange();
  } catch {
    // the next time will tell; that the connection is lost, the page's stream says
  }
}

if (wall) {
  arrange();
  tick();
  setInterval(next, turn);
  setInterval(tick, 1000);
  if (document.querySelector('[data-part="boards"]')) setInterval(look, again);
  addEventListener('resize', arrange);
  document.addEventListener('quatuor:parts', () => {
    arrange();
    tick();
  });
}

export {};
