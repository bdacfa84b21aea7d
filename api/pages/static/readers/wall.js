// @ts-check
// Turns the pages of long lists on a wall, and tells how long the round has been going on. The space bar and a button stop
// the turning, and what is shown stays. Without this module everything stands one below the other.

const turn = 10_000; // ms that a page of a list stands

const wall = /** @type {HTMLElement | null} */ (document.querySelector('.board-wall'));

/** Which page of each list is shown, by the name of its part. @type {Map<string, number>} */
const shown = new Map();
const pause = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-pause]'));
let paused = false;
let side = 0; // which of the lists that share the second column is shown

/** The lists on the wall that have something in them, in their order. */
function panes() {
  return [...document.querySelectorAll('.pane')].map((each) => /** @type {HTMLElement} */ (each));
}

/**
 * The line below a list with the number of its page. It exists before anything is measured, because it takes room.
 * @param {HTMLElement} pane
 */
function note(pane) {
  let line = pane.querySelector('.turn');
  if (!line) {
    line = document.createElement('p');
    line.className = 'turn';
    pane.append(line);
  }
  return line;
}

/**
 * Splits the rows of a list into pages that fit, of whole rows. Pictures of boards are several in a row.
 * @param {HTMLElement} pane
 * @returns {HTMLElement[][]}
 */
function pages(pane) {
  const list = /** @type {HTMLElement | null} */ (pane.querySelector('.lines, .boards'));
  if (!list) return [];
  note(pane);
  const items = [...list.children].map((item) => /** @type {HTMLElement} */ (item));
  for (const item of items) item.hidden = false;
  const room = list.getBoundingClientRect().height;
  /** @type {HTMLElement[][]} */
  const rows = [];
  let top = -Infinity;
  for (const item of items) {
    const at = item.getBoundingClientRect().top;
    if (at > top + 1) rows.push([]);
    top = Math.max(top, at);
    rows[rows.length - 1].push(item);
  }
  /** @type {HTMLElement[][]} */
  const all = [];
  let first = 0;
  for (const row of rows) {
    const end = Math.max(...row.map((item) => item.getBoundingClientRect().bottom));
    if (all.length === 0 || end - first > room) {
      all.push([]);
      first = row[0].getBoundingClientRect().top;
    }
    all[all.length - 1].push(...row);
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
  const below = note(pane);
  const text = all.length > 1 ? `${wall?.dataset.turn ?? ''} ${at + 1}/${all.length}` : '';
  if (below.textContent !== text) below.textContent = text;
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
    for (const line of document.querySelectorAll('.lines > li, .boards > li')) /** @type {HTMLElement} */ (line).hidden = false;
    for (const pane of panes()) pane.hidden = false;
    if (pause) pause.hidden = true;
    return;
  }
  const right = others.filter(full);
  side %= Math.max(1, right.length);
  for (const pane of others) pane.hidden = pane !== right[side];
  first.classList.toggle('alone', right.length === 0);
  const left = show(first);
  const shownThere = right[side] ? show(right[side]) : 0;
  if (pause) pause.hidden = !paused && left < 2 && shownThere < 2 && right.length < 2;
}

/** Stops the turning, or lets it go on. */
function toggle() {
  if (!pause || pause.hidden) return;
  paused = !paused;
  pause.textContent = (paused ? pause.dataset.resume : pause.dataset.stop) ?? '';
  pause.classList.toggle('stopped', paused);
}

/** Turns to the next page of each list, unless the turning is stopped; the second column goes on to its next list after the last page. */
function next() {
  const [first, ...others] = panes();
  if (paused || !first || !document.documentElement.classList.contains('turns')) return;
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

/** Shows how long the round has been going on. */
function tick() {
  for (const element of document.querySelectorAll('[data-since]')) {
    const since = /** @type {HTMLTimeElement} */ (element);
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since.dateTime)) / 60_000));
    const text = `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
    if (since.textContent !== text) since.textContent = text;
  }
}

if (wall) {
  arrange();
  tick();
  setInterval(next, turn);
  setInterval(tick, 1000);
  addEventListener('resize', arrange);
  new ResizeObserver(arrange).observe(wall);
  pause?.addEventListener('click', toggle);
  addEventListener('keydown', (event) => {
    const at = event.target instanceof Element ? event.target : null;
    if (event.key !== ' ' || event.repeat || event.ctrlKey || event.altKey || event.metaKey || at?.closest('button, a, input, select, textarea')) return;
    event.preventDefault();
    toggle();
  });
  document.addEventListener('quatuor:parts', () => {
    arrange();
    tick();
  });
}

export {};
