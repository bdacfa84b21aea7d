// @ts-check
// Lets a player move by taps, by dragging and by keys on the board. The form beside it lists the legal moves and works
// without this module; a move that is tapped goes the same way.
import './announce.js';
import { forms, pending, send, tell } from './moves.js';
import { call, chosen, headline } from '../kit/notice.js';

/** @typedef {{ token: string, squares: string[] }} Legal */

const game = document.querySelector('.game');
const words = document.getElementById('play-words')?.dataset ?? {};
/** @type {string[]} the squares tapped so far */
let path = [];
// the square with the focus, to come back to after a swap
let at = '';
// whether the other ways to move are unfolded
let unfolded = false;
// the turn in which the reader was called
let turn = '';
/** @type {string[]} the squares of a move that is planned for the next turn */
let plan = [];

const box = () => /** @type {HTMLElement | null} */ (document.querySelector('.board-box'));
const cells = () => /** @type {HTMLElement[]} */ ([...(box()?.querySelectorAll('[data-square]') ?? [])]);
const over = () => document.querySelector('.over');

/** @type {Legal[] | null} */
let moves = null;
/** @type {Map<string, Set<string>>} */ let goals = new Map(); // where the pieces of a square may go
/** @type {Map<string, Set<string>>} */ let origins = new Map(); // and from where a square is reached

/** The legal moves, read from the form once for each change of the page. */
function legal() {
  if (moves) return moves;
  const options = forms()[0]?.querySelectorAll('option') ?? [];
  moves = [...options].filter((option) => option.value)
    .map(({ value }) => ({ token: value, squares: value.match(/[a-i][1-9]/g) ?? [] }));
  [goals, origins] = [new Map(), new Map()];
  for (const { squares: [from, to] } of moves) {
    if (!from) continue;
    goals.set(from, (goals.get(from) ?? new Set()));
    if (!to) continue;
    goals.get(from)?.add(to);
    origins.set(to, (origins.get(to) ?? new Set()).add(from));
  }
  return moves;
}

/** The moves that begin with the squares tapped so far. */
const candidates = () => legal().filter((move) => path.every((square, i) => move.squares[i] === square));

/** Shows or hides the other ways to move, as the reader left them. */
const fold = () => document.querySelector('[data-unfold]')?.setAttribute('aria-expanded', `${unfolded}`);

/** Whether a move can be planned while the others think. */
const plans = () => box()?.dataset.premove !== undefined && legal().length === 0 && !pending() && chosen('premove');

/** Shows what can be tapped, and announces it. */
function paint() {
  const board = box();
  if (!board) return;
  const sent = pending();
  const open = sent ? [] : candidates();
  const next = new Set(open.map((move) => move.squares[path.length]).filter(Boolean));
  board.classList.toggle('plays', open.length > 0 || plans());
  const all = cells();
  const focus = all.find((cell) => cell.dataset.square === at) ?? all.find((cell) => goals.has(cell.dataset.square ?? '')) ?? all[0];
  const held = sent ? sent.move.match(/[a-i][1-9]/g) ?? [] : plan;
  for (const cell of all) {
    const square = cell.dataset.square ?? '';
    cell.dataset.words ??= cell.getAttribute('aria-label') ?? '';
    cell.tabIndex = cell === focus ? 0 : -1;
    cell.classList.toggle('can', path.length === 0 && next.has(square));
    cell.classList.toggle('target', path.length > 0 && next.has(square));
    cell.classList.toggle('selected', path.includes(square));
    cell.classList.toggle('held', held.includes(square));
    cell.setAttribute('aria-selected', String(path.includes(square)));
    const label = cell.dataset.words + (open.length ? hint(square, next) : '');
    if (cell.getAttribute('aria-label') !== label) cell.setAttribute('aria-label', label);
  }
}

/**
 * What could be done on a square, in words.
 * @param {string} square
 * @param {Set<string | undefined>} next where the move can go on
 */
function hint(square, next) {
  if (path.length) return next.has(square) ? `, ${words.here}` : '';
  const [to, from] = [goals.get(square), origins.get(square)];
  if (to?.size) return `, ${(words.canGo ?? '').replace('@', [...to].join(' '))}`;
  if (from?.size) return `, ${(words.from ?? '').replace('@', [...from].join(' '))}`;
  return to ? `, ${words.here}` : '';
}

/** @param {string} square */
function tap(square) {
  if (pending()) return;
  if (plans()) return plot(square);
  const open = candidates();
  if (open.some((move) => move.squares[path.length] === square)) path.push(square);
  else path = path.at(-1) !== square && goals.has(square) ? [square] : [];
  choose([]);
  const now = path.length ? candidates() : [];
  if (now.length > 0 && now.every((move) => move.squares.length === path.length)) {
    if (now.length === 1 && !chosen('confirm')) return play(now[0].token); // which paints
    choose(now);
  }
  paint();
}

/** @param {string} token */
function play(token) {
  path = [];
  choose([]);
  send(token);
}

/**
 * Notes a move for the next turn; the same square again takes it back.
 * @param {string} square
 */
function plot(square) {
  plan = plan.length > 1 || plan.includes(square) ? [] : [...plan, square];
  tell(plan.length > 1 ? (words.planned ?? '').replace('@', plan.join(' – ')) : '', 'planned');
  paint();
}

/** Makes the move that was planned, if it is legal now. */
function redeem() {
  if (plan.length === 0 || legal().length === 0) return;
  const fits = legal().filter((move) => move.squares.join() === plan.join());
  const name = plan.join(' – ');
  const whole = plan.length > 1;
  plan = [];
  tell('');
  if (fits.length === 1) send(fits[0].token);
  else if (whole) tell((words.unplanned ?? '').replace('@', name), 'wrong');
}

/**
 * Lets the player choose among several moves over the same squares, such as by the player that a dot points to, or
 * confirm the move.
 * @param {Legal[]} several
 */
function choose(several) {
  document.querySelector('.choices')?.remove();
  if (several.length === 0) return;
  const choices = document.createElement('div');
  choices.className = 'choices';
  const button = (/** @type {string} */ text, /** @type {() => void} */ act) => {
    const one = document.createElement('button');
    one.type = 'button';
    one.textContent = text;
    one.addEventListener('click', act);
    choices.append(one);
  };
  for (const { token } of several) {
    const dot = token.match(/>(\d)$/);
    button((several.length > 1 && dot ? words.dot : words.play)?.replace('@', several.length > 1 && dot ? dot[1] : token) ?? token, () => play(token));
  }
  button(words.cancel ?? '', () => {
    path = [];
    choose([]);
    paint();
  });
  over()?.prepend(choices);
  choices.querySelector('button')?.focus();
}

/**
 * Moves the focus over the board; a letter and a digit jump to a square.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} cell
 */
function key(event, cell) {
  if (event.metaKey || event.altKey || (event.ctrlKey && event.key !== 'Home' && event.key !== 'End')) return;
  const rows = [...(box()?.querySelectorAll('.grid [role="row"]') ?? [])].map((row) => /** @type {HTMLElement[]} */ ([...row.children]));
  const y = rows.findIndex((row) => row.includes(cell));
  const x = rows[y]?.indexOf(cell) ?? -1;
  const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });
  const square = cell.dataset.square ?? '';
  const whole = event.ctrlKey ? rows.flat() : rows[y] ?? [];
  const line = whole.filter((one) => one.dataset.square).map((one) => one.dataset.square ?? '');
  if (event.key === 'Enter' || event.key === ' ') tap(square);
  else if (event.key === 'Escape') [path, plan] = [[], []];
  else if (steps[event.key]) go(rows, x, y, steps[event.key]);
  else if (event.key === 'Home') focusOn(line[0] ?? '');
  else if (event.key === 'End') focusOn(line.at(-1) ?? '');
  else if (/^[a-i1-9]$/.test(event.key)) jump(event.key, square);
  else return;
  event.preventDefault();
  paint();
}

/**
 * Jumps to the square with a letter or a digit that is nearest to another: boards have holes and slanting edges.
 * @param {string} key
 * @param {string} from
 */
function jump(key, from) {
  // what stays, if it can
  const other = key > '9' ? 1 : 0;
  const far = (/** @type {string} */ to) => Math.abs(to.charCodeAt(other) - from.charCodeAt(other));
  const there = cells().map((one) => one.dataset.square ?? '').filter((to) => to[1 - other] === key);
  focusOn(there.sort((a, b) => far(a) - far(b))[0] ?? '');
}

/**
 * Goes to the next square in a direction.
 * @param {HTMLElement[][]} rows
 * @param {number} x
 * @param {number} y
 * @param {[number, number]} step
 */
function go(rows, x, y, [dx, dy]) {
  for (x += dx, y += dy; rows[y]?.[x]; x += dx, y += dy) {
    const square = rows[y]?.[x]?.dataset.square;
    if (square) return focusOn(square);
  }
}

/** @param {string} square */
function focusOn(square) {
  const all = cells();
  const cell = all.find((one) => one.dataset.square === square);
  if (!cell) return;
  at = square;
  for (const other of all) other.tabIndex = other === cell ? 0 : -1;
  cell.focus();
}

/**
 * Makes a move that was typed, such as c1-c5, C1C5 or c1 c5.
 * @param {HTMLFormElement} form
 */
function typed(form) {
  const field = /** @type {HTMLInputElement} */ (form.elements.namedItem('move'));
  const bare = (/** @type {string} */ text) => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const text = field.value.trim();
  const fits = legal().filter(({ token }) => token === text.toLowerCase());
  const near = fits.length ? fits : legal().filter(({ token }) => bare(token) === bare(text));
  if (near.length === 1) {
    field.value = '';
    play(near[0].token);
  } else {
    tell((words.illegal ?? '').replace('@', text), 'wrong');
  }
}

/** @type {{ square: string, x: number, y: number, ghost: SVGSVGElement | null } | null} a piece under the finger */
let drag = null;
// the click that follows is no tap
let dragged = false;

/** @param {PointerEvent} event */
function lift(event) {
  const cell = cellOf(event);
  const square = cell?.dataset.square ?? '';
  if (!cell?.matches('.can, .selected') || !goals.get(square)?.size || event.button !== 0) return;
  drag = { square, x: event.clientX, y: event.clientY, ghost: null };
  dragged = false;
}

/** @param {PointerEvent} event */
function carry(event) {
  if (!drag || Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8 && !drag.ghost) return;
  if (!drag.ghost) {
    drag.ghost = ghostOf(drag.square);
    if (path.join() !== drag.square) path = [drag.square];
    choose([]);
    paint();
  }
  const { ghost } = drag;
  if (ghost) ghost.style.transform = `translate(${event.clientX - ghost.clientWidth / 2}px, ${event.clientY - ghost.clientHeight / 2}px)`;
}

/** @param {PointerEvent} event */
function drop(event) {
  if (!drag?.ghost) {
    drag = null;
    return;
  }
  drag.ghost.remove();
  const { square } = drag;
  drag = null;
  dragged = true;
  setTimeout(() => { dragged = false; });
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-square]');
  const to = under instanceof HTMLElement ? under.dataset.square ?? '' : '';
  if (to && to !== square && event.type === 'pointerup' && candidates().some((move) => move.squares[1] === to)) tap(to);
  else path = [];
  paint();
}

/**
 * A picture of a square that follows the finger.
 * @param {string} square
 */
function ghostOf(square) {
  const drawing = box()?.querySelector('svg');
  const cell = cells().find((one) => one.dataset.square === square)?.getBoundingClientRect();
  if (!drawing || !cell) return null;
  const frame = drawing.getBoundingClientRect();
  const scale = drawing.viewBox.baseVal.width / frame.width;
  const ghost = /** @type {SVGSVGElement} */ (drawing.cloneNode(true));
  for (const name of ['role', 'aria-labelledby', 'aria-describedby']) ghost.removeAttribute(name);
  ghost.querySelectorAll('title, desc').forEach((one) => one.remove());
  ghost.setAttribute('viewBox', [(cell.x - frame.x) * scale, (cell.y - frame.y) * scale, cell.width * scale, cell.height * scale].join(' '));
  ghost.setAttribute('class', 'board ghost');
  ghost.setAttribute('aria-hidden', 'true');
  [ghost.style.width, ghost.style.height] = [`${cell.width}px`, `${cell.height}px`];
  document.body.append(ghost);
  return ghost;
}

/** @param {Event} event */
const cellOf = (event) => /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest('[data-square]') : null);

/** @param {string} text a warning of the clock; '' takes it away */
function warn(text) {
  const place = document.querySelector('.warned');
  if (place && place.textContent !== text) place.textContent = text;
}

/** Takes the page as it is after a change. */
function renewed() {
  moves = null;
  fold();
  if (path.length && candidates().length === 0) {
    path = [];
    choose([]);
  }
  redeem();
  const mine = legal().length > 0 && !pending();
  if (!mine) warn('');
  headline(mine ? words.yourTurn ?? '' : '');
  const now = mine ? box()?.dataset.turn ?? '' : '';
  if (now && now !== turn && turn !== 'new') call(words.yourTurn ?? '', location.pathname, now);
  turn = now;
  paint();
}

if (game) {
  game.addEventListener('click', (event) => {
    const cell = cellOf(event);
    if (!cell || dragged) return;
    at = cell.dataset.square ?? '';
    tap(at);
  });
  game.addEventListener('keydown', (event) => {
    const cell = cellOf(event);
    if (cell && event instanceof KeyboardEvent) key(event, cell);
  });
  game.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('form.move, form.hand, form.typed') || !(event instanceof SubmitEvent)) return;
    event.preventDefault();
    if (form.matches('.typed')) return typed(form);
    const move = new FormData(form, event.submitter).get('move');
    if (move) send(String(move), form);
  });
  game.addEventListener('pointerdown', (event) => lift(/** @type {PointerEvent} */ (event)));
  addEventListener('pointermove', carry);
  addEventListener('pointerup', drop);
  addEventListener('pointercancel', drop);
  document.addEventListener('click', ({ target }) => {
    if (/** @type {HTMLElement} */ (target).dataset.unfold === undefined) return;
    unfolded = !unfolded;
    fold();
  });
  document.addEventListener('quatuor:parts', renewed);
  document.addEventListener('quatuor:sending', renewed);
  document.addEventListener('quatuor:warning', (event) => warn(/** @type {CustomEvent} */ (event).detail));
  const list = /** @type {HTMLDetailsElement | null} */ (document.querySelector('.moves-box'));
  if (list && matchMedia('(min-width: 60rem)').matches) list.open = true;
  list?.addEventListener('toggle', () => {
    const rows = list.querySelector('.moves');
    if (rows) rows.scrollTop = rows.scrollHeight;
  });
  turn = 'new';
  renewed();
}
