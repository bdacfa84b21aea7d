// @ts-check
// Steps through a game without loading its page again: by the links, arrow keys, a slider, and as it was played. The
// position on show is beside the parts of the page that follow the game, which are hidden for that time and go
// on. Without this module every position has an address of its own, which the links lead to.
import { share } from '../kit/share.js';

/** @typedef {{ parts: Element[], move: string, spent: number }} Position */

const chunk = 24; // positions that the server sends at once
const waits = { shortest: 120, longest: 10_000 }; // ms between two moves of a replay at 1×, whatever was used
const kept = ['moves', 'steps', 'turn', 'fineprint', 'shuffle']; // parts that do not depend on the position

const region = /** @type {HTMLElement | null} */ (document.querySelector('.game'));
const nav = () => /** @type {HTMLElement | null} */ (document.querySelector('.stepping'));
/** @param {string} name @returns {HTMLElement | null} */
const tool = (name) => document.querySelector(`[data-steps="${name}"]`);

/** @type {Map<number, Position>} by ply */
const positions = new Map();
/** @type {Map<number, Promise<void>>} by the first ply of the requested run */
const asked = new Map();

let total = 0; // moves made
let at = 0; // the ply that is looked at
let shown = 0; // the ply that the page shows
let fixed = false; // the page was made for an earlier position, and does not follow the game
let ended = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let playing;

/** The page's address, with the board as it lies. @param {number} ply @param {string} [from] */
function address(ply, from = region?.dataset.page ?? location.pathname) {
  const url = new URL(from, location.origin);
  if (ply < total || fixed) url.searchParams.set('ply', String(ply));
  else url.searchParams.delete('ply');
  return url;
}

/** Fetches the run of positions that contains one. @param {number} ply */
function ask(ply) {
  const from = Math.floor(ply / chunk) * chunk;
  const known = asked.get(from);
  if (known) return known;
  const url = new URL(`/games/${nav()?.dataset.game}/plies`, location.origin);
  url.searchParams.set('from', String(from));
  if (nav()?.dataset.flip !== '0') url.searchParams.set('flip', nav()?.dataset.flip ?? '');
  const answer = fetch(url, { headers: { accept: 'text/html' } }).then(async (found) => {
    if (!found.ok) throw new Error(String(found.status));
    const fresh = new DOMParser().parseFromString(await found.text(), 'text/html');
    for (const section of fresh.querySelectorAll('section')) {
      const parts = [...section.querySelectorAll('[data-part]')].filter((part) => !kept.includes(part.getAttribute('data-part') ?? ''));
      positions.set(Number(section.dataset.ply), { parts, move: section.dataset.move ?? '', spent: Number(section.dataset.spent) });
    }
  }).finally(() => asked.delete(from));
  asked.set(from, answer);
  return answer;
}

/** @param {number} ply @returns {Promise<Position | undefined>} */
async function load(ply) {
  if (!positions.has(ply)) await ask(ply);
  for (const near of [ply + 8, ply - 8]) {
    if (near >= 0 && near <= total && !positions.has(near)) ask(near).catch(() => {});
  }
  return positions.get(ply);
}

/** Shows a position beside the parts that follow the game. @param {Position} position */
function show(position) {
  for (const part of position.parts) {
    const name = part.getAttribute('data-part') ?? '';
    const live = region?.querySelector(`[data-part="${CSS.escape(name)}"]`);
    const copy = /** @type {Element} */ (document.importNode(part, true));
    for (const attribute of ['data-part', 'data-whole', 'role', 'aria-live']) copy.removeAttribute(attribute);
    copy.setAttribute('data-past', name);
    for (const named of copy.querySelectorAll('[id]')) if (!named.id.startsWith('past')) named.removeAttribute('id');
    for (const told of [copy, ...copy.querySelectorAll('[data-say]')]) told.removeAttribute('data-say'); // it is no news
    const old = region?.querySelector(`[data-past="${CSS.escape(name)}"]`);
    if (old) old.replaceWith(copy);
    else live?.after(copy);
  }
  region?.classList.add('looking');
}

/** Shows the game's current position. */
function leave() {
  region?.classList.remove('looking');
  for (const copy of region?.querySelectorAll('[data-past]') ?? []) copy.remove();
  sign(false);
}

/**
 * Goes to a position. The page at an earlier position that was loaded as such leads to the current position.
 * @param {number} ply
 */
async function go(ply) {
  ply = Math.max(0, Math.min(total, ply));
  if (fixed && ply === total && !playing) {
    location.assign(address(-1, region?.dataset.page).pathname + flipped());
    return;
  }
  at = ply;
  paint();
  if (ply === total && !fixed) {
    leave();
  } else {
    try {
      const position = await load(ply);
      if (at !== ply || !position) return;
      show(position);
    } catch {
      if (at === ply) at = shown;
      stop();
      paint();
      return;
    }
  }
  shown = ply;
  history.replaceState(history.state, '', address(ply));
  if (!playing) say();
  paint();
}

const flipped = () => (nav()?.dataset.flip === '0' ? '' : `?flip=${nav()?.dataset.flip}`);

/** Enters the position on show into the links, the slider and the list of moves. */
function paint() {
  const bar = nav();
  if (!bar) return;
  const words = (tool('slider')?.dataset.words ?? '').replace('@', String(at)).replace('#', String(total));
  const place = bar.querySelector('.at');
  if (place && place.textContent !== words) place.textContent = words;
  const goals = { first: 0, prev: Math.max(0, at - 1), next: Math.min(total, at + 1), last: total };
  for (const [rel, ply] of Object.entries(goals)) {
    const link = bar.querySelector(`a[rel="${rel}"]`);
    link?.setAttribute('href', address(ply).pathname + address(ply).search);
    link?.toggleAttribute('data-end', ply === at);
  }
  const replay = document.querySelector('.replay');
  if (replay instanceof HTMLElement) replay.hidden = total === 0;
  const slider = tool('slider');
  if (slider instanceof HTMLInputElement) {
    slider.max = String(total);
    slider.value = String(at);
    slider.setAttribute('aria-valuetext', words);
  }
  const play = tool('play');
  if (play) play.textContent = (playing ? play.dataset.pause : play.dataset.play) ?? '';
  markMove();
  for (const name of ['flip', 'analyse', 'png', 'svg']) {
    const link = tool(name);
    if (link instanceof HTMLAnchorElement) link.href = address(at, link.href).href;
  }
}

/** Marks the move that led to the position in the list, and scrolls the list to it. */
function markMove() {
  const list = document.querySelector('.moves');
  for (const link of list?.querySelectorAll('a[data-ply]') ?? []) {
    const here = Number(link.getAttribute('data-ply')) === at;
    if (here === link.classList.contains('latest')) continue;
    link.classList.toggle('latest', here);
    if (!here) link.removeAttribute('aria-current');
    else {
      link.setAttribute('aria-current', 'step');
      if (list && link instanceof HTMLElement) list.scrollTop = link.offsetTop - list.clientHeight / 2;
    }
  }
}

/** @type {HTMLElement | undefined} the live region for screen readers */
let voice;

/** Announces which position the page shows. */
function say() {
  if (!voice) {
    voice = document.createElement('p');
    voice.className = 'unseen';
    voice.setAttribute('role', 'status');
    region?.after(voice);
  }
  const move = positions.get(at)?.move;
  const place = nav()?.querySelector('.at')?.textContent ?? '';
  voice.textContent = move && at < total ? `${place}: ${move}` : place;
}

/** @type {HTMLElement | undefined} */
let news;

/**
 * Shows the notice that the game has gone on beyond the position on show, or removes it.
 * @param {boolean} on
 */
function sign(on) {
  const part = document.querySelector('[data-part="steps"]');
  if (!news && on) {
    news = document.createElement('div');
    news.className = 'newer';
    news.setAttribute('role', 'status');
    part?.after(news);
  }
  if (!news || on === (news.childElementCount > 0)) return;
  if (!on) return news.replaceChildren();
  const words = document.createElement('p');
  words.textContent = nav()?.dataset.newer ?? '';
  const back = document.createElement('button');
  back.textContent = nav()?.dataset.back ?? '';
  back.addEventListener('click', () => {
    stop();
    void go(total);
  });
  news.append(words, back);
}

/** Plays the game as it was played, from here or, at the end, from the beginning. */
async function play() {
  playing = setTimeout(() => {}, 0);
  if (at >= total) await go(0);
  while (playing && at < total) {
    const next = await load(at + 1).catch(() => undefined);
    if (!playing) return;
    const field = tool('speed');
    const speed = field instanceof HTMLSelectElement ? Number(field.value) : 1;
    const wait = Math.max(waits.shortest, Math.min(waits.longest, next?.spent ?? 0) / speed);
    await new Promise((resolve) => { playing = setTimeout(resolve, wait); });
    if (!playing) return;
    await go(at + 1);
  }
  stop();
  paint();
}

function stop() {
  clearTimeout(playing);
  playing = undefined;
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || total === 0) return;
  const target = /** @type {Element} */ (event.target);
  if (target.matches('input, select, textarea') || (target !== document.body && !target.closest('.steps, .moves'))) return;
  const goal = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: total }[event.key];
  if (goal === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  stop();
  void go(goal);
}

/** @param {MouseEvent} event */
function click(event) {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest('[data-past="board"]')) return event.stopPropagation(); // no move is made from there
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const control = target?.closest('[data-steps]');
  if (control instanceof HTMLElement) return use(control, event);
  const link = target?.closest('.stepping a, .moves a[data-ply], .steps .back a');
  if (!(link instanceof HTMLElement)) return;
  const goals = /** @type {Record<string, number>} */ ({ first: 0, prev: at - 1, next: at + 1, last: total });
  const goal = link.dataset.ply ? Number(link.dataset.ply) : goals[link.getAttribute('rel') ?? 'last'] ?? total;
  event.preventDefault();
  stop();
  void go(goal);
}

/** @param {HTMLElement} control @param {Event} event */
function use(control, event) {
  if (control.dataset.steps === 'play') {
    if (!playing) void play();
    else stop();
    paint();
  } else if (control.dataset.steps === 'share' && control instanceof HTMLAnchorElement) {
    event.preventDefault();
    void share(control, address(at, control.href).href);
  } else if (control.dataset.steps === 'flip' && control instanceof HTMLAnchorElement) {
    remember(new URL(control.href).searchParams.get('flip') ?? '');
  }
}

const storage = `flip ${location.pathname}`;

/** Keeps how the board lies for this page, as long as its tab is open. @param {string} flip */
function remember(flip) {
  try {
    sessionStorage.setItem(storage, flip);
  } catch { // the browser keeps nothing
  }
}

/** Turns the board as it was turned before. Reports whether the page is loaded again. */
function recall() {
  const url = new URL(location.href);
  if (url.searchParams.has('flip')) remember(url.searchParams.get('flip') ?? '');
  let flip = '';
  try {
    flip = sessionStorage.getItem(storage) ?? '';
  } catch { // as above
  }
  if (!/^[1-3]$/.test(flip) || url.searchParams.has('flip')) return false;
  url.searchParams.set('flip', flip);
  location.replace(url);
  return true;
}

/** Takes over the server's number of moves so far. */
function take() {
  const bar = nav();
  const before = total;
  total = Number(bar?.dataset.plies ?? 0);
  const status = document.querySelector('.board-box')?.getAttribute('data-status');
  const over = status === 'finished' || status === 'aborted';
  if (total < before || over !== ended) positions.clear(); // moves were taken back, or secrets are open now
  ended = over;
  if (at === before || at > total) {
    at = total;
    shown = at;
    leave();
  } else if (before !== total) {
    sign(true);
  }
  paint();
}

function begin() {
  const bar = nav();
  total = Number(bar?.dataset.plies ?? 0);
  fixed = bar?.dataset.past !== undefined;
  at = shown = Number(bar?.dataset.at ?? 0);
  const status = document.querySelector('.board-box')?.getAttribute('data-status');
  ended = status === 'finished' || status === 'aborted';
  addEventListener('keydown', key, { capture: true });
  addEventListener('click', click, { capture: true });
  addEventListener('input', (event) => {
    if (!(event.target instanceof HTMLInputElement) || event.target.dataset.steps !== 'slider') return;
    stop();
    void go(Number(event.target.value));
  });
  document.addEventListener('quatuor:parts', take);
  if (fixed) document.addEventListener('quatuor:news', () => sign(true));
  paint();
  const list = document.querySelector('.moves');
  const here = list?.querySelector('.latest');
  if (list && here instanceof HTMLElement && fixed) list.scrollTop = here.offsetTop - list.clientHeight / 2;
}

if (region && !recall()) begin();
