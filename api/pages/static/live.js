// @ts-check
// Follows a page's stream of changes: swaps the parts that have changed, and lets running clocks tick in between. A page
// about many things has no stream and is asked for again now and then. A page without this module shows how things
// stood when it was loaded.

const region = /** @type {HTMLElement | null} */ (document.querySelector('[data-live], [data-refresh]'));

/**
 * What must outlive a swap: the focus, how far lists and boxes were scrolled, and what was unfolded.
 * @param {HTMLElement} part
 */
function keep(part) {
  const active = document.activeElement;
  const focus = active instanceof HTMLElement && part.contains(active) ? trail(part, active) : null;
  const list = part.querySelector('[data-keep-end]');
  const atEnd = list ? list.scrollHeight - list.scrollTop - list.clientHeight < 8 : true;
  const top = list ? list.scrollTop : 0;
  const lefts = [...part.querySelectorAll('.scroll')].map((box) => box.scrollLeft);
  const open = [...part.querySelectorAll('details')].map((details) => details.open);
  return (/** @type {HTMLElement} */ fresh) => {
    const next = fresh.querySelector('[data-keep-end]');
    if (next) next.scrollTop = atEnd ? next.scrollHeight : top;
    fresh.querySelectorAll('.scroll').forEach((box, i) => { box.scrollLeft = lefts[i] ?? 0; });
    fresh.querySelectorAll('details').forEach((details, i) => { details.open = open[i] ?? details.open; });
    if (focus) follow(fresh, focus)?.focus({ preventScroll: true });
  };
}

/**
 * The way from an element down to one of its descendants, as positions among the children.
 * @param {Element} from
 * @param {Element} to
 */
function trail(from, to) {
  /** @type {number[]} */
  const steps = [];
  for (let at = to; at !== from && at.parentElement; at = at.parentElement) {
    steps.unshift([...at.parentElement.children].indexOf(at));
  }
  return steps;
}

/**
 * Goes such a way; null if it does not exist any more.
 * @param {HTMLElement} from
 * @param {number[]} steps
 */
function follow(from, steps) {
  /** @type {Element | undefined} */
  let at = from;
  for (const step of steps) at = at?.children[step];
  return at instanceof HTMLElement ? at : null;
}

/** @type {Map<string, string>} each part's markup as the server last sent it */
const sent = new Map();

/** @param {string} markup new parts, as the server renders them */
function swap(markup) {
  const fresh = new DOMParser().parseFromString(markup, 'text/html');
  for (const element of fresh.querySelectorAll('[data-part]')) {
    const part = /** @type {HTMLElement} */ (element);
    const name = part.dataset.part ?? '';
    const old = /** @type {HTMLElement | null} */ (region?.querySelector(`[data-part="${name}"]`) ?? null);
    if (!old || sent.get(name) === part.outerHTML) continue;
    sent.set(name, part.outerHTML);
    const restore = keep(old);
    if (old.hasAttribute('aria-live')) old.innerHTML = part.innerHTML; // the same element, so that it is read out
    else old.replaceWith(part);
    restore(old.isConnected ? old : part);
  }
  document.dispatchEvent(new CustomEvent('quatuor:parts'));
  wind();
}

/**
 * A clock that ticks: what it showed, and when that was.
 * @typedef {{element: HTMLElement, left: number, until: number, periods: number, period: number}} Clock
 */

/** @type {Clock[]} */
let clocks = [];
let wound = performance.now();

/** Reads the running clocks on the page; their figures hold from now on. */
function wind() {
  wound = performance.now();
  clocks = [...document.querySelectorAll('[data-clock]')].map((found) => {
    const element = /** @type {HTMLElement} */ (found);
    const number = (/** @type {string} */ name) => Number(element.dataset[name] ?? 0);
    return { element, left: number('left'), until: number('until'), periods: number('periods'), period: number('period') };
  });
}

/**
 * What a clock shows some time after it was read. All in milliseconds.
 * @param {Clock} clock
 * @param {number} passed
 */
function reading(clock, passed) {
  if (clock.until < 0) return { left: clock.left, periods: clock.periods };
  const until = Math.max(0, clock.until - passed);
  if (!clock.period || !clock.periods) return { left: Math.min(clock.left, until), periods: 0 };
  const main = until - clock.periods * clock.period;
  if (main > 0) return { left: Math.min(clock.left, main), periods: clock.periods };
  const periods = Math.ceil(until / clock.period);
  return { left: until - Math.max(0, periods - 1) * clock.period, periods };
}

/** @param {number} ms as the server writes a clock: 1:05, 1:02:03, 3 d 4 h */
function figure(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h >= 48) return `${Math.floor(h / 24)} d ${h % 24} h`;
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  return `${m}:${two(s)}`;
}

function tick() {
  const passed = performance.now() - wound;
  for (const clock of clocks) {
    const { left, periods } = reading(clock, passed);
    const text = figure(left);
    if (clock.element.textContent !== text) clock.element.textContent = text;
    clock.element.classList.toggle('low', left < 10_000);
    const under = clock.element.parentElement?.querySelector('[data-periods-left]');
    if (under && clock.period) under.textContent = `${periods} × ${figure(clock.period)}`;
  }
}

/** Asks for the page again and takes what is new; the browser's cache makes an unchanged page cheap. */
async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    if (answer.ok) swap(await answer.text());
  } catch {
    // The server is away; the next time will tell.
  }
}

if (region?.dataset.refresh) {
  setInterval(refresh, Number(region.dataset.refresh) * 1000);
  document.addEventListener('visibilitychange', refresh);
}

if (region?.dataset.live) {
  for (const part of region.querySelectorAll('[data-part]')) {
    const list = part.querySelector('[data-keep-end]');
    if (list) list.scrollTop = list.scrollHeight;
  }
  /** @type {EventSource | undefined} */
  let stream;
  const listen = () => {
    stream = new EventSource(/** @type {string} */ (region.dataset.live));
    for (const name of ['state', 'move', 'clock', 'offer', 'presence', 'pairings', 'standings']) {
      stream.addEventListener(name, (event) => swap(event.data));
    }
    stream.addEventListener('over', (event) => {
      swap(event.data);
      stream?.close();
    });
  };
  listen();
  // A page that is put aside keeps no connection; one that comes back has missed something.
  addEventListener('pagehide', () => stream?.close());
  addEventListener('pageshow', (event) => {
    if (event.persisted) listen();
  });
  wind();
  setInterval(tick, 200);
}
