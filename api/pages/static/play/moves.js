// @ts-check
// Sends a player's moves. A move that cannot be sent is kept on the device, shown as not sent, and sent once the line is
// back: seat, turn and move make sure that it counts once, however often it arrives.
import { renew } from '../kit/live.js';

/** @typedef {{ action: string, seat: string, turn: string, move: string }} Sent */

// ms that an answer may take
const patience = 10_000;
const who = document.getElementById('words')?.dataset.who ?? '';
const store = `quatuor.unsent ${who} ${location.pathname}`;
const words = document.getElementById('play-words')?.dataset ?? {};

/** @type {Sent | null} the move that is on its way */
let sending = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;
let tries = 0;

/** The forms that a move can be made with now, one for each of the player's seats that are awaited. */
export const forms = () => /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll('form.move')]);

/** The move that is on its way. */
export const pending = () => sending;

const changed = () => document.dispatchEvent(new CustomEvent('quatuor:sending'));

/**
 * Shows a text below the board; '' removes it.
 * @param {string} text
 * @param {'unsent' | 'wrong' | 'planned'} [kind]
 */
export function tell(text, kind = 'unsent') {
  document.querySelectorAll('.over .unsent, .over .wrong, .over .planned').forEach((old) => old.remove());
  const place = document.querySelector('.over');
  if (!text || !place) return;
  const line = document.createElement('p');
  line.className = kind;
  line.setAttribute('role', kind === 'wrong' ? 'alert' : 'note');
  line.textContent = text;
  place.append(line);
}

/**
 * Makes a move.
 * @param {string} move
 * @param {HTMLFormElement} [form] of the seat that moves
 */
export function send(move, form = forms()[0]) {
  if (!form || sending) return;
  const data = new FormData(form);
  sending = { action: form.action, seat: String(data.get('seat')), turn: String(data.get('turn')), move };
  try {
    localStorage.setItem(store, JSON.stringify(sending));
  } catch { // a device that keeps nothing
  }
  tell('');
  changed();
  tries = 0;
  void attempt();
}

/** Forgets the move that was on its way. */
function settle() {
  sending = null;
  try {
    localStorage.removeItem(store);
  } catch { // it was not kept
  }
  changed();
}

/** Sends the move that is on its way, again and again while there is no answer. */
async function attempt() {
  const mine = sending;
  if (!mine) return;
  clearTimeout(again);
  try {
    const { action, ...fields } = mine;
    const answer = await fetch(action, {
      method: 'POST', body: new URLSearchParams(fields), headers: { accept: 'application/json' }, redirect: 'manual',
      signal: AbortSignal.timeout(patience),
    });
    if (sending !== mine) return;
    if (answer.status === 401) return tell(words.login ?? '', 'wrong');
    if (answer.type === 'opaqueredirect' || answer.status >= 500 || answer.status === 429) throw new Error(String(answer.status));
    tell('');
    if (answer.ok) await shown(mine);
    else await refused(answer, mine.move);
  } catch {
    if (sending !== mine) return;
    tell((words.unsent ?? '').replace('@', mine.move));
    clearTimeout(again);
    again = setTimeout(() => void attempt(), Math.min(5000, 500 * 2 ** tries++));
  }
}

/**
 * Reports whether the page has a form for the seat and turn of a move.
 * @param {Sent} move
 */
const due = (move) => forms().some((form) => {
  const data = new FormData(form);
  return data.get('seat') === move.seat && data.get('turn') === move.turn;
});

/**
 * Waits until the page has gone on from a move; if its stream does not bring that, the page is fetched.
 * @param {Sent} mine
 */
async function shown(mine) {
  const gone = () => !due(mine);
  if (!gone() && document.documentElement.hasAttribute('data-following')) {
    await new Promise((resolve) => {
      const late = setTimeout(resolve, 1000);
      document.addEventListener('quatuor:parts', () => { clearTimeout(late); resolve(undefined); }, { once: true });
    });
  }
  if (!gone()) await renew();
  if (sending === mine) settle();
}

/**
 * Shows why a move was refused, at the square where it was to go.
 * @param {Response} answer
 * @param {string} move
 */
async function refused(answer, move) {
  const why = await answer.json().then((body) => body.why, () => `${words.failed} (${answer.status})`);
  settle();
  await renew();
  tell(why, 'wrong');
  const square = (move.match(/[a-i][1-9]/g) ?? [])[1] ?? move.match(/[a-i][1-9]/)?.[0];
  const cell = document.querySelector(`[data-square="${square}"]`);
  const note = /** @type {HTMLElement | null} */ (document.querySelector('.over .wrong'));
  const board = document.querySelector('.game-board');
  if (!cell || !note || !board) return;
  const [at, all] = [cell.getBoundingClientRect(), board.getBoundingClientRect()];
  note.classList.add('at-square');
  note.style.top = `${at.bottom - all.top + 6}px`;
  note.style.left = `${Math.max(0, Math.min(at.left - all.left, all.width - note.offsetWidth))}px`;
}

/** Goes on with a move that was kept when the page was left. */
function resume() {
  let kept = null;
  try {
    kept = JSON.parse(localStorage.getItem(store) ?? 'null');
  } catch { // nothing was kept
  }
  if (!kept) return;
  if (!due(kept)) return settle();
  sending = kept;
  tell((words.unsent ?? '').replace('@', kept.move));
  changed();
  void attempt();
}

addEventListener('online', () => void attempt());
addEventListener('pageshow', (event) => {
  if (event.persisted) void attempt();
});
resume();
