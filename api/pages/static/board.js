// @ts-check
// Lets a player move by taps and keys on the board. The form beside it lists the legal moves and works without this
// module; a move that is tapped goes the same way. A move that cannot be sent is kept and sent once the line is back: the
// turn in the form makes sure that it counts once.

/** @typedef {{ token: string, squares: string[] }} Legal */

const game = document.querySelector('.game');
const title = document.title;
/** @type {string[]} the squares tapped so far */
let path = [];
/** @type {string} the square with the focus, to come back to after a swap */
let at = '';
/** @type {{ form: FormData, action: string, token: string } | null} a move that is on its way */
let sending = null;

const box = () => /** @type {HTMLElement | null} */ (document.querySelector('.board-box'));
const form = () => /** @type {HTMLFormElement | null} */ (document.querySelector('form.move'));
/** @returns {HTMLElement[]} */
const cells = () => [...(box()?.querySelectorAll('[data-square]') ?? [])].map((cell) => /** @type {HTMLElement} */ (cell));

/** @returns {Legal[]} */
function legal() {
  const options = [...(form()?.querySelectorAll('option') ?? [])].map((option) => option.value).filter(Boolean);
  return options.map((token) => ({ token, squares: token.match(/[a-i][1-9]/g) ?? [] }));
}

/** The moves that begin with the squares tapped so far. */
const candidates = () => legal().filter((move) => path.every((square, i) => move.squares[i] === square));

/** Shows what can be tapped, and says it. */
function paint() {
  const board = box();
  if (!board) return;
  const moves = sending ? [] : candidates();
  board.classList.toggle('plays', moves.length > 0);
  const starts = new Set(legal().map((move) => move.squares[0]));
  const next = new Set(moves.map((move) => move.squares[path.length]).filter(Boolean));
  const all = cells();
  const focus = all.find((cell) => cell.dataset.square === at) ?? all.find((cell) => starts.has(cell.dataset.square ?? '')) ?? all[0];
  for (const cell of all) {
    const square = cell.dataset.square ?? '';
    cell.dataset.words ??= cell.getAttribute('aria-label') ?? '';
    cell.tabIndex = cell === focus ? 0 : -1;
    cell.classList.toggle('can', path.length === 0 && next.has(square));
    cell.classList.toggle('target', path.length > 0 && next.has(square));
    cell.classList.toggle('selected', path.includes(square));
    cell.setAttribute('aria-selected', String(path.includes(square)));
    const targets = [...new Set(legal().filter((move) => move.squares[0] === square).map((move) => move.squares[1]).filter(Boolean))];
    const words = targets.length && !sending ? `, ${(board.dataset.canGo ?? '').replace('@', targets.join(' '))}` : '';
    cell.setAttribute('aria-label', cell.dataset.words + words);
  }
  document.title = legal().length ? `▶ ${title}` : title;
}

/** @param {string} square */
function tap(square) {
  if (sending) return;
  const moves = candidates();
  if (path.at(-1) === square && !moves.some((move) => move.squares[path.length] === square)) {
    path = [];
  } else if (moves.some((move) => move.squares[path.length] === square)) {
    path.push(square);
  } else {
    path = legal().some((move) => move.squares[0] === square) ? [square] : [];
  }
  const whole = path.length ? candidates().filter((move) => move.squares.length === path.length) : [];
  const longer = path.length ? candidates().filter((move) => move.squares.length > path.length) : [];
  choose([]);
  if (whole.length === 1 && longer.length === 0) send(whole[0].token);
  else if (whole.length > 0 && longer.length === 0) choose(whole);
  paint();
}

/**
 * Asks which of several moves over the same squares is meant, such as to whom a dot points.
 * @param {Legal[]} moves
 */
function choose(moves) {
  document.querySelector('.choices')?.remove();
  const board = box();
  if (moves.length === 0 || !board) return;
  const choices = document.createElement('div');
  choices.className = 'choices';
  for (const { token } of moves) {
    const button = document.createElement('button');
    const dot = token.match(/>(\d)$/);
    button.textContent = dot ? (board.dataset.dot ?? '').replace('@', dot[1]) : token;
    button.addEventListener('click', () => { choose([]); send(token); });
    choices.append(button);
  }
  board.after(choices);
  choices.querySelector('button')?.focus();
}

/** @param {string} token */
function send(token) {
  const source = form();
  if (!source || sending) return;
  const data = new FormData(source);
  data.set('move', token);
  sending = { form: data, action: source.action, token };
  path = [];
  paint();
  void attempt(0);
}

/**
 * Sends the move that is on its way; again and again while there is no answer.
 * @param {number} tries
 */
async function attempt(tries) {
  if (!sending) return;
  try {
    const body = new URLSearchParams([...sending.form].map(([name, value]) => [name, String(value)]));
    const answer = await fetch(sending.action, { method: 'POST', body, redirect: 'manual' });
    if (answer.type !== 'opaqueredirect' && answer.status >= 500) throw new Error(String(answer.status));
    said('');
    sending = null;
    if (answer.type === 'opaqueredirect') await refresh();
    else await refuse(answer);
  } catch {
    said((box()?.dataset.unsent ?? '').replace('@', sending?.token ?? ''));
    const wait = Math.min(5000, 500 * 2 ** tries);
    setTimeout(() => void attempt(tries + 1), wait);
  }
}

/** Takes the page as it is now, in case its stream has not brought it. */
async function refresh() {
  const turn = box()?.dataset.turn;
  const answer = await fetch(location.pathname);
  if (!answer.ok || box()?.dataset.turn !== turn) return paint();
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  for (const part of document.querySelectorAll('.game [data-part]')) {
    const next = fresh.querySelector(`.game [data-part="${/** @type {HTMLElement} */ (part).dataset.part}"]`);
    if (next && next.innerHTML !== part.innerHTML) part.innerHTML = next.innerHTML;
  }
  paint();
}

/**
 * Shows why a move was refused.
 * @param {Response} answer
 */
async function refuse(answer) {
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const why = fresh.querySelector('.wrong')?.textContent;
  await refresh();
  said(why ?? String(answer.status), 'wrong');
}

/**
 * Says something above the game; nothing with an empty text.
 * @param {string} text
 * @param {string} [kind]
 */
function said(text, kind = 'unsent') {
  document.querySelectorAll('.unsent, .wrong').forEach((old) => old.remove());
  if (!text || !game) return;
  const line = document.createElement('p');
  line.className = kind;
  line.setAttribute('role', kind === 'wrong' ? 'alert' : 'status');
  line.textContent = text;
  game.before(line);
}

/**
 * Moves the focus over the board; a letter and a digit jump to a square.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} cell
 */
function key(event, cell) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...(box()?.querySelectorAll('.grid [role="row"]') ?? [])].map((row) => [...row.children]);
  const y = rows.findIndex((row) => row.includes(cell));
  const x = rows[y]?.indexOf(cell) ?? -1;
  const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] });
  const square = cell.dataset.square ?? '';
  if (event.key === 'Enter' || event.key === ' ') tap(square);
  else if (event.key === 'Escape') path = [];
  else if (steps[event.key]) go(rows, x, y, steps[event.key]);
  else if (/^[a-i]$/.test(event.key)) focusOn(event.key + square[1]);
  else if (/^[1-9]$/.test(event.key)) focusOn(square[0] + event.key);
  else return;
  event.preventDefault();
  paint();
}

/**
 * Goes to the next square in a direction.
 * @param {Element[][]} rows
 * @param {number} x
 * @param {number} y
 * @param {[number, number]} step
 */
function go(rows, x, y, [dx, dy]) {
  for (x += dx, y += dy; rows[y]?.[x]; x += dx, y += dy) {
    const square = /** @type {HTMLElement} */ (rows[y][x]).dataset.square;
    if (square) return focusOn(square);
  }
}

/** @param {string} square */
function focusOn(square) {
  const cell = cells().find((one) => one.dataset.square === square);
  if (!cell) return;
  at = square;
  for (const other of cells()) other.tabIndex = other === cell ? 0 : -1;
  cell.focus();
}

if (game) {
  /** @param {Event} event */
  const cellOf = (event) => /** @type {HTMLElement | null} */ (event.target instanceof Element ? event.target.closest('[data-square]') : null);
  game.addEventListener('click', (event) => {
    const cell = cellOf(event);
    if (!cell) return;
    at = cell.dataset.square ?? '';
    tap(at);
  });
  game.addEventListener('keydown', (event) => {
    const cell = cellOf(event);
    if (cell && event instanceof KeyboardEvent) key(event, cell);
  });
  game.addEventListener('submit', (event) => {
    const source = event.target;
    if (!(source instanceof HTMLFormElement) || !source.matches('form.move, form.hand') || !(event instanceof SubmitEvent)) return;
    event.preventDefault();
    const move = new FormData(source, event.submitter).get('move');
    if (move) send(String(move));
  });
  new MutationObserver(() => {
    if (path.length && candidates().length === 0) path = [];
    paint();
  }).observe(game, { childList: true, subtree: true });
  paint();
}

export {};
