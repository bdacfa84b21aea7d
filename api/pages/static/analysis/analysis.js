// @ts-check
// Lets moves be tried by taps and keys on the analysis board, and its links lead on without loading the page again. The
// address holds the whole state: the browser's back button works, and so does the page without this module.
import { share } from '../kit/share.js';

const main = document.querySelector('main');
/** @type {string[]} the squares tapped so far */
let path = [];
/** @type {string} the square with the focus, to come back to */
let at = '';
let attempt = 0; // which answer counts

const box = () => /** @type {HTMLElement | null} */ (document.querySelector('.board-box'));
const words = () => document.getElementById('play-words')?.dataset ?? {};
/** @returns {HTMLElement[]} */
const cells = () => [...(box()?.querySelectorAll('[data-square]') ?? [])].map((cell) => /** @type {HTMLElement} */ (cell));

/** The moves that can be tried, and the squares in them. */
function legal() {
  const options = [...document.querySelectorAll('form.try option')].map((option) => /** @type {HTMLOptionElement} */ (option).value);
  return options.filter(Boolean).map((token) => ({ token, squares: token.match(/[a-i][1-9]/g) ?? [] }));
}

/** The moves that begin with the squares tapped so far. */
const candidates = () => legal().filter((move) => path.every((square, i) => move.squares[i] === square));

/** Shows what can be tapped, and announces it. */
function paint() {
  const board = box();
  if (!board) return;
  const moves = legal();
  board.classList.toggle('plays', moves.some((move) => move.squares.length > 0));
  const next = new Set(candidates().map((move) => move.squares[path.length]));
  const all = cells();
  const focus = all.find((cell) => cell.dataset.square === at) ?? all[0];
  for (const cell of all) {
    const square = cell.dataset.square ?? '';
    cell.dataset.words ??= cell.getAttribute('aria-label') ?? '';
    cell.tabIndex = cell === focus ? 0 : -1;
    cell.classList.toggle('can', path.length === 0 && next.has(square));
    cell.classList.toggle('target', path.length > 0 && next.has(square));
    cell.classList.toggle('selected', path.includes(square));
    cell.setAttribute('aria-selected', String(path.includes(square)));
    const targets = [...new Set(moves.filter((move) => move.squares[0] === square).map((move) => move.squares[1]).filter(Boolean))];
    const more = targets.length ? `, ${(words().canGo ?? '').replace('@', targets.join(' '))}` : '';
    cell.setAttribute('aria-label', cell.dataset.words + more);
  }
}

/** @param {string} square */
function tap(square) {
  const moves = candidates();
  if (moves.some((move) => move.squares[path.length] === square)) path.push(square);
  else if (path.at(-1) === square) path = [];
  else path = legal().some((move) => move.squares[0] === square) ? [square] : [];
  const left = path.length ? candidates() : [];
  const whole = left.filter((move) => move.squares.length === path.length);
  if (whole.length === 1 && left.length === 1) tryMove(whole[0].token);
  else choose(whole.length === left.length ? whole.map((move) => move.token) : []);
  paint();
}

/**
 * Lets the reader choose among several moves over the same squares, such as by the player that a dot points to.
 * @param {string[]} tokens
 */
function choose(tokens) {
  document.querySelector('.choices')?.remove();
  if (tokens.length === 0) return;
  const choices = document.createElement('div');
  choices.className = 'choices';
  for (const token of tokens) {
    const button = document.createElement('button');
    const dot = token.match(/>(\d)$/);
    button.textContent = dot ? (words().dot ?? '').replace('@', dot[1]) : token;
    button.addEventListener('click', () => tryMove(token));
    choices.append(button);
  }
  box()?.after(choices);
  choices.querySelector('button')?.focus();
}

/** @param {string} token */
function tryMove(token) {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form.try'));
  if (form) void open(target(form, 'move', token), true);
}

/**
 * The address that a form leads to.
 * @param {HTMLFormElement} form
 * @param {string} [name] @param {string} [value]
 */
function target(form, name, value) {
  const url = new URL(form.action);
  for (const [key, text] of new FormData(form)) url.searchParams.set(key, String(text));
  if (name) url.searchParams.set(name, value ?? '');
  return url;
}

/**
 * Shows what an address leads to in place of the page.
 * @param {URL} url
 * @param {boolean} push whether it is a step that the browser can take back
 */
async function open(url, push) {
  const mine = ++attempt;
  path = [];
  try {
    const answer = await fetch(url, { headers: { accept: 'text/html' } });
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
    if (mine !== attempt) return;
    if (!fresh?.querySelector('.analysed')) throw new Error('this is not the page');
    const list = document.querySelector('.line')?.scrollTop ?? 0;
    const focused = document.activeElement?.getAttribute('rel') ?? (document.activeElement?.closest('[data-square]') ? 'square' : '');
    main?.replaceChildren(...document.importNode(fresh, true).childNodes);
    const line = document.querySelector('.line');
    if (line) line.scrollTop = list;
    if (push && answer.ok) history.pushState(null, '', answer.url);
    ready();
    if (focused === 'square') cells().find((cell) => cell.dataset.square === at)?.focus();
    else if (focused) /** @type {HTMLElement | null} */ (document.querySelector(`.stepping a[rel="${focused}"]`))?.focus();
  } catch {
    if (mine === attempt) location.assign(url);
  }
}

/** Scrolls the line to the move shown, and readies the board. */
function ready() {
  const line = document.querySelector('.line');
  const here = document.querySelector('.line .latest');
  if (line && here instanceof HTMLElement) line.scrollTop = here.offsetTop - line.clientHeight / 2;
  paint();
}

/** @param {KeyboardEvent} event */
function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const source = event.target instanceof Element ? event.target : null;
  const cell = source?.closest('[data-square]');
  if (cell instanceof HTMLElement) return onBoard(event, cell);
  if (source && source !== document.body && !source.closest('.stepping, .line')) return;
  const rel = { ArrowLeft: 'prev', ArrowRight: 'next', Home: 'first', End: 'last' }[event.key];
  const link = rel && document.querySelector(`.stepping a[rel="${rel}"]`);
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  link.click();
}

/**
 * Moves the focus over the board; a letter and a digit jump to a square.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} cell
 */
function onBoard(event, cell) {
  const rows = [...(box()?.querySelectorAll('.grid [role="row"]') ?? [])].map((row) => [...row.children]);
  const y = rows.findIndex((row) => row.includes(cell));
  const x = rows[y]?.indexOf(cell) ?? -1;
  const ways = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });
  const way = ways[event.key];
  const square = cell.dataset.square ?? '';
  if (event.key === 'Enter' || event.key === ' ') {
    at = square;
    tap(square);
  } else if (event.key === 'Escape') {
    path = [];
    paint();
  } else if (way) {
    let [i, j] = [x + way[0], y + way[1]];
    while (rows[j]?.[i] && !rows[j][i].hasAttribute('data-square')) [i, j] = [i + way[0], j + way[1]];
    focusOn(/** @type {HTMLElement | undefined} */ (rows[j]?.[i])?.dataset.square);
  } else if (/^[a-i]$/.test(event.key)) focusOn(event.key + square[1]);
  else if (/^[1-9]$/.test(event.key)) focusOn(square[0] + event.key);
  else return;
  event.preventDefault();
}

/** @param {string} [square] */
function focusOn(square) {
  const cell = cells().find((one) => one.dataset.square === square);
  if (!cell || !square) return;
  at = square;
  paint();
  cell.focus();
}

/** @param {MouseEvent} event */
function click(event) {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const source = event.target instanceof Element ? event.target : null;
  const cell = source?.closest('[data-square]');
  const link = source?.closest('.stepping a, .tools a');
  if (cell instanceof HTMLElement) {
    at = cell.dataset.square ?? '';
    tap(at);
  } else if (link instanceof HTMLAnchorElement) {
    event.preventDefault();
    if (link.dataset.steps === 'share') void share(link, link.href);
    else void open(new URL(link.href), true);
  }
}

if (main && box()) {
  main.addEventListener('click', click);
  document.addEventListener('keydown', key);
  main.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !(event instanceof SubmitEvent)) return;
    event.preventDefault();
    const button = event.submitter;
    if (button instanceof HTMLButtonElement && button.name) void open(target(form, button.name, button.value), true);
    else void open(target(form), true);
  });
  addEventListener('popstate', () => void open(new URL(location.href), false));
  ready();
}
