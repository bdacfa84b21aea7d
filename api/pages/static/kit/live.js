// @ts-check
// Follows a page's stream of changes: merges what has changed, and lets running clocks tick in between. While the
// connection is lost the page says so and its clocks stand. A page without this module shows how things stood when it
// was loaded.

import { ageOf, asleep, tick, wind } from './clock.js';
import { connect } from './exchange.js';
import { mergeParts, mergeSteps } from './merge.js';

const region = /** @type {HTMLElement | null} */ (document.querySelector('[data-live]'));
const fixed = region?.dataset.fixed !== undefined; // it shows the past: it says that there is news, and stays
const page = () => region?.dataset.page ?? location.href; // stepping through a game changes the address

/**
 * @param {string} text new parts as the server renders them, or the steps that lead to them
 * @param {number} [age] ms since it was made
 */
function take(text, age) {
  if (!region || fixed) return;
  if (text.startsWith('[')) mergeSteps(region, JSON.parse(text));
  else if (text) mergeParts(region, new DOMParser().parseFromString(text, 'text/html'));
  wind(age);
  document.dispatchEvent(new CustomEvent('quatuor:parts'));
}

/** What readers of an open page are told of its connection. */
const words = document.getElementById('words')?.dataset ?? {};
const trying = words.trying ?? '…';
const ends = new Map([[401, words.forbidden], [403, words.forbidden], [404, words.gone], [410, words.gone]]);

/** ms that an answer may take; the longest silence of a stream, which sends something every 15 s; waits between tries. */
const patience = 10_000;
const silence = 40_000;
const waits = { first: 500, longest: 30_000, quick: 250, settled: 5_000 };

/** @type {HTMLElement | null} */
let sign = null;

/** @param {string} words the sign's text; '' removes it. The same text is not announced twice. */
function say(words) {
  document.documentElement.classList.toggle('lost', words !== '');
  if (!sign && words) {
    sign = document.createElement('p');
    sign.className = 'connection';
    sign.setAttribute('role', 'status');
    document.querySelector('main')?.append(sign);
  }
  if (sign && sign.textContent !== words) sign.textContent = words;
}

let following = false; // the page is followed, or about to be
let ticking = true; // what the page shows is what the server shows
let over = false; // nothing more will come
let tries = 0; // since the stream last held
let attempt = 0; // which one counts; the others' outcomes come too late
let heard = Date.now();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let next;

/** @type {import('./exchange.js').Line | undefined} */
let line;

/** Lets go of the stream and of what was planned for it. */
function drop() {
  attempt++;
  clearTimeout(next);
  if (following) line?.leave();
  following = false;
  document.documentElement.removeAttribute('data-following');
}

/** @param {string} address of the page's stream */
function listen(address) {
  following = true;
  heard = Date.now();
  line ??= connect(receive);
  const language = document.documentElement.lang; // the connection is a worker's, which asks in the browser's own
  line.follow(`${language} ${words.who ?? ''}`, `${address}&in=${language}`);
}

/** @param {import('./switchboard.js').Message} message */
function receive(message) {
  if (message.kind === 'there?') line?.here();
  if (!following) return;
  heard = Date.now();
  switch (message.kind) {
    case 'open':
      ticking = true;
      say('');
      document.documentElement.setAttribute('data-following', '');
      clearTimeout(next);
      next = setTimeout(() => { tries = 0; }, waits.settled);
      break;
    case 'news':
      document.dispatchEvent(new CustomEvent('quatuor:news'));
      try {
        take(message.data);
      } catch { // the page is not what the server takes it for
        renew();
        return;
      }
      if (message.event === 'over') finish();
      break;
    case 'lost':
      lose();
      break;
    default:
  }
}

/** The subject of the page is over: what it shows will not change. */
function finish() {
  drop();
  over = true;
  say('');
}

/** The connection is lost: clocks stop, and after a short or a longer wait everything is fetched again. */
function lose() {
  drop();
  ticking = false;
  tries++;
  if (tries > 1) say(trying);
  const wait = tries > 1 ? Math.min(waits.longest, waits.first * 2 ** (tries - 2)) : waits.quick;
  next = setTimeout(renew, wait * (0.5 + Math.random() / 2));
}

/** Fetches the page and follows it from there. */
export async function renew() {
  drop();
  ticking = false;
  const mine = attempt;
  try {
    const asked = performance.now();
    const answer = await fetch(page(), { headers: { accept: 'text/html' }, cache: 'no-cache', signal: AbortSignal.timeout(patience) });
    const heard = performance.now();
    const text = await answer.text();
    if (mine !== attempt) return;
    const end = ends.get(answer.status);
    if (end) {
      over = true;
      say(end);
      return;
    }
    const fresh = new DOMParser().parseFromString(text, 'text/html');
    if (!answer.ok || !fresh.querySelector('[data-part]')) throw new Error('this is not the page');
    const sent = /** @type {PerformanceResourceTiming | undefined} */ (performance.getEntriesByName(new URL(page(), location.href).href, 'resource').pop());
    take(text, sent && sent.startTime >= asked && sent.requestStart ? ageOf(sent.requestStart, sent.responseStart) : ageOf(asked, heard));
    const address = /** @type {HTMLElement | null} */ (fresh.querySelector('[data-live]'))?.dataset.live;
    if (address) listen(address);
    else finish();
  } catch {
    if (mine === attempt) lose();
  }
}

/** Sees that the stream has not fallen silent, and that time has not passed unseen, as while a machine sleeps. */
function watch() {
  if (over || !following) return;
  if (asleep() > 2000 || Date.now() - heard > silence) renew();
}

if (region?.dataset.live) {
  for (const part of region.querySelectorAll('[data-part]')) {
    const list = part.querySelector('[data-keep-end]');
    if (list) list.scrollTop = list.scrollHeight;
  }
  listen(region.dataset.live);
  // A page that is put aside keeps no connection; one that comes back has missed something.
  addEventListener('pagehide', drop);
  addEventListener('pageshow', (event) => {
    if (event.persisted && !over) renew();
  });
  addEventListener('offline', () => {
    if (over) return;
    tries++; // there is no use in a quick second try
    lose();
  });
  for (const name of ['online', 'visibilitychange']) {
    (name === 'online' ? window : document).addEventListener(name, () => {
      if (!over && !ticking && !document.hidden) renew();
    });
  }
  const [page] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType('navigation'));
  wind(page?.responseStart ? ageOf(page.requestStart, page.responseStart) : 0);
  setInterval(() => {
    watch();
    if (ticking) tick();
  }, 100);
}
