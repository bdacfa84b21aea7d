// @ts-check
// Results from the keyboard or by one tap. Each result is sent at once, in the order of entry; what could not be sent is
// marked, kept and sent again. A board's form holds what its arbiter has seen, so that two arbiters never overwrite each
// other: where another was faster, the row shows that and wants a confirmation. The page without this module has a
// button in each row.

import { renew } from '../kit/live.js';

/** @typedef {HTMLFormElement & {dataset: DOMStringMap}} Row */
/** @typedef {{tag: string, result: string, shown: string, ask?: string, question?: string, error?: string}} Answer */
/** @typedef {{row: Row, fields: Record<string, string>, seen: string}} Job */

const desk = /** @type {HTMLElement} */ (document.querySelector('[data-results]'));
const said = /** @type {HTMLElement} */ (desk.querySelector('[data-said]'));
const rows = () => /** @type {Row[]} */ ([...desk.querySelectorAll('.result-row')]);

/** @param {string} name */
const word = (name) => desk.dataset[`word${name[0]?.toUpperCase()}${name.slice(1)}`] ?? name;

/** What a key enters, and after "f". */
const keys = new Map([['1', '1-0'], ['5', '1/2-1/2'], ['0', '0-1']]);
const forfeits = new Map([['1', '+--'], ['5', '---'], ['0', '--+']]);

/** @type {Record<string, string>} results that can be entered here, as the server writes them */
const written = JSON.parse(desk.dataset.written ?? '{}');

/** @type {Job[]} */
const queue = [];
let sending = false;
let wait = 500;

/** @type {Map<Row, HTMLElement>} boards that the arbiter is asked about */
const asked = new Map();

/** @param {Row} row */
const waits = (row) => queue.some((job) => job.row === row);
/** @param {Row} row */
const open = (row) => !row.dataset.result && !waits(row);

/**
 * @param {Row} row
 * @param {string} state '' | 'unsent' | 'saved' | 'ask' | 'refused'
 * @param {string} text
 */
function mark(row, state, text) {
  row.dataset.state = state;
  const place = row.querySelector('[data-state]');
  if (place) place.textContent = text;
}

/**
 * Shows a result in a row.
 * @param {Row} row
 * @param {string} [result] without it what is stored, which the fields have for their usual values then
 */
function show(row, result) {
  const now = result ?? row.dataset.result ?? '';
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (row.querySelectorAll('[name=result]'))) {
    input.checked = input.value === now;
    if (result === undefined) input.defaultChecked = input.checked;
  }
  const ranks = now.includes(',') ? now.split(',') : [];
  row.querySelectorAll('select').forEach((select, i) => {
    select.value = ranks[i] ?? '';
    if (result === undefined) for (const option of select.options) option.defaultSelected = option.selected;
  });
  const shown = row.querySelector('[data-shown]');
  if (shown) shown.textContent = (result === undefined ? known.get(row.id)?.shown : written[result]) ?? '';
}

/**
 * Notes what is stored of a board.
 * @param {Row} row
 * @param {Answer} answer
 * @param {boolean} own whether it was saved here
 */
function stored(row, { tag, result, shown }, own) {
  const was = known.get(row.id);
  const past = new Set(was?.past).add(was?.tag);
  past.delete(tag);
  row.dataset.tag = tag;
  row.dataset.result = result;
  known.set(row.id, { tag, result, shown, own, past });
}

/**
 * Enters a result: it shows at once and is sent after those before it.
 * @param {Row} row
 * @param {Record<string, string>} fields
 */
function enter(row, fields) {
  asked.get(row)?.remove();
  asked.delete(row);
  const same = queue.findIndex((job, i) => job.row === row && (i > 0 || !sending));
  if (same >= 0) queue.splice(same, 1);
  queue.push({ row, fields, seen: fields.seen ?? known.get(row.id)?.tag ?? '' });
  if (fields.result !== undefined) show(row, fields.result);
  mark(row, 'unsent', word('unsent'));
  send();
}

/** Sends what waits, one after the other. */
async function send() {
  if (sending) return;
  sending = true;
  for (let job = queue[0]; job; job = queue[0]) {
    const answer = await post(job);
    if (!answer) {
      said.textContent = word('lost');
      await new Promise((go) => { setTimeout(go, wait); });
      wait = Math.min(10_000, wait * 2);
      continue;
    }
    wait = 500;
    queue.shift();
    take(job, answer.status, answer.body);
  }
  sending = false;
}

/**
 * Sends one result. It may come twice: the server knows what it has. undefined means that nothing answered.
 * @param {Job} job
 * @returns {Promise<{status: number, body: Answer} | undefined>}
 */
async function post({ row, fields, seen }) {
  try {
    const answer = await fetch(row.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ ...fields, seen }),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.status >= 500 || answer.status === 429) return undefined;
    if (!answer.headers.get('content-type')?.includes('json')) {
      return { status: answer.status, body: { tag: seen, result: '', shown: '', error: String(answer.status) } };
    }
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
}

/**
 * @param {Job} job
 * @param {number} status
 * @param {Answer} answer
 */
function take(job, status, answer) {
  const { row } = job;
  const later = queue.filter((other) => other.row === row);
  if (answer.ask) {
    if (later.length === 0) ask(job, answer);
    return;
  }
  if (answer.error) {
    show(row);
    mark(row, 'refused', `${word('refused')} ${answer.error}`);
    said.textContent = `${word('board')} ${row.dataset.board}: ${word('refused')} ${answer.error}`;
    return;
  }
  stored(row, answer, true);
  for (const other of later) other.seen = answer.tag;
  if (later.length === 0) {
    show(row);
    mark(row, 'saved', word('saved'));
  }
  if (said.textContent === word('lost')) said.textContent = '';
}

/**
 * Wants a confirmation before a result is saved after all.
 * @param {Job} job
 * @param {Answer} answer
 */
function ask({ row, fields }, answer) {
  mark(row, 'ask', '');
  const box = document.createElement('div');
  asked.set(row, box);
  box.className = 'notice notice-warn desk-ask';
  box.setAttribute('role', 'alert');
  const text = box.appendChild(document.createElement('p'));
  text.textContent = answer.question ?? '';
  const done = () => {
    box.remove();
    asked.delete(row);
    row.dataset.state = '';
  };
  const label = box.appendChild(document.createElement('label'));
  label.className = 'field';
  label.textContent = `${word('why')} `;
  const reason = label.appendChild(document.createElement('input'));
  reason.maxLength = 500;
  label.hidden = answer.result === '';
  const yes = box.appendChild(document.createElement('button'));
  yes.type = 'button';
  yes.textContent = word(answer.ask === 'changed' ? 'replace' : 'save');
  yes.addEventListener('click', () => {
    if (!label.hidden && !reason.value.trim()) {
      reason.focus();
      return;
    }
    done();
    enter(row, { ...fields, seen: answer.tag, sure: '1', reason: reason.value });
  });
  box.append(' ');
  const no = box.appendChild(document.createElement('button'));
  no.type = 'button';
  no.textContent = word(answer.ask === 'changed' ? 'keep' : 'leave');
  no.addEventListener('click', () => {
    done();
    stored(row, answer, false);
    show(row);
    mark(row, '', '');
  });
  row.after(box);
  if (answer.ask === 'paired') renew(); // the row has the names of before
}

/** @typedef {{tag?: string, result?: string, shown: string, own: boolean, past: Set<string | undefined>}} Known its past are tags before those saved here */

/** @param {Row} row */
const asShown = (row) => ({
  tag: row.dataset.tag, result: row.dataset.result, shown: row.querySelector('[data-shown]')?.textContent ?? '', own: false, past: new Set(),
});

/** @type {Map<string, Known>} what is known to be stored of each board, by its row's id */
const known = new Map(rows().map((row) => [row.id, asShown(row)]));

/**
 * Takes what news says of a board. What is being sent or asked stays, and so does what was saved here after the news.
 * @param {Row} row
 * @returns {boolean} whether the news may be old
 */
function hear(row) {
  if (waits(row)) mark(row, 'unsent', word('unsent'));
  const box = asked.get(row);
  if (box && !box.isConnected) row.after(box);
  if (waits(row) || box) return false;
  const is = known.get(row.id);
  const old = is?.past.has(row.dataset.tag) ?? false;
  if (is && old) {
    [row.dataset.tag, row.dataset.result] = [is.tag, is.result];
    known.set(row.id, { ...is, past: new Set() }); // the next news of it is taken
    show(row);
  }
  if (is?.tag !== row.dataset.tag) {
    known.set(row.id, asShown(row));
    show(row);
    mark(row, '', '');
  } else if (is?.own && row.dataset.state !== 'saved') mark(row, 'saved', word('saved'));
  return old;
}

// Something has changed, here or elsewhere. What may be old is asked for again.
document.addEventListener('quatuor:parts', () => {
  const old = rows().filter(hear);
  if (old.length) setTimeout(renew);
  current?.setAttribute('aria-current', 'true');
});

/** @type {Row | undefined} the board that the keys are for */
let current;
/** @type {Row[]} boards in the order in which they got results from the keyboard */
const trail = [];
let typed = 0; // places that were typed for the table at hand
let mode = ''; // 'f' before a forfeit, 'g' and digits before a board

/** @param {Row | undefined} row */
function go(row) {
  current?.removeAttribute('aria-current');
  current = row;
  typed = 0;
  if (!row) return;
  row.setAttribute('aria-current', 'true');
  row.scrollIntoView({ block: 'nearest' });
  said.textContent = `${word('board')} ${row.dataset.board}: ${namesOf(row).join(' – ')}`;
}

/** @param {Row} row */
const namesOf = (row) => [...row.querySelectorAll('.board-seats > span')].map((name) => name.firstChild?.textContent?.trim());

/** Accents and capitals make no difference. @param {string} text */
const folded = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Goes to the first board with a number or a name that begins with a text, or else that has it in it. @param {string} text */
function find(text) {
  const has = (/** @type {string} */ part) => rows().find((row) => folded(` ${[row.dataset.board, ...namesOf(row)].join(' ')}`).includes(part));
  const row = has(` ${text}`) ?? has(text);
  if (row) go(row);
  else said.textContent = word('unknown');
}

/** @param {Row} row the next board without result after this one, or else the first */
function onward(row) {
  const all = rows();
  const next = (/** @type {Row} */ other) => open(other) && other.querySelector('.keys, .rank-boxes');
  go(all.slice(all.indexOf(row) + 1).find(next) ?? all.find(next));
}

/** @param {KeyboardEvent} event */
function typing(event) {
  const at = event.target;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
  if (at instanceof HTMLInputElement) return at.type !== 'radio';
  return at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement;
}

/**
 * Digits after "g" lead to a board.
 * @param {string} key
 */
function jump(key) {
  if (!/^[0-9]$/.test(key)) {
    mode = '';
    return key === 'Enter' || key === 'Escape' || key === 'g';
  }
  mode += key;
  const row = rows().find((one) => one.dataset.board === mode.slice(1));
  if (row) go(row);
  return true;
}

/**
 * A digit is the place of the next seat of a table, 0 a no-show's; the last one enters them.
 * @param {string} key
 */
function place(key) {
  const row = current;
  const boxes = [...(row?.querySelectorAll('select') ?? [])];
  if (!row || !row.querySelector('.rank-boxes')) return false;
  if (key === 'Backspace' && typed > 0) {
    typed -= 1;
    boxes[typed].value = '';
    return true;
  }
  const value = key === '0' ? '-' : key;
  if (!/^[0-9]$/.test(key) || ![...boxes[0].options].some((option) => option.value === value)) return false;
  boxes[typed].value = value;
  typed += 1;
  said.textContent = boxes.slice(0, typed).map((box) => box.value).join(' ');
  if (typed === boxes.length) {
    trail.push(row);
    enter(row, Object.fromEntries(boxes.map((box) => [box.name, box.value])));
    onward(row);
  }
  return true;
}

/** @param {number} by */
function step(by) {
  const all = rows();
  const at = current ? all.indexOf(current) : by > 0 ? -1 : all.length;
  go(all[Math.min(all.length - 1, Math.max(0, at + by))]);
}

/** @param {string} key */
function pressed(key) {
  if (mode.startsWith('g') && jump(key)) return true;
  if (!mode && place(key)) return true;
  const results = mode === 'f' ? forfeits : keys;
  const result = results.get(key);
  if (result && current?.querySelector('.keys')) {
    mode = '';
    const row = current;
    trail.push(row);
    enter(row, { result });
    onward(row);
    return true;
  }
  const before = mode;
  mode = '';
  switch (key) {
    case 'f':
    case 'g':
      mode = before === key ? '' : key;
      if (mode) said.textContent = word(key === 'f' ? 'forfeit' : 'jump');
      return true;
    case 'Backspace':
      if (trail.length) go(trail.pop());
      else step(-1);
      return true;
    case 'ArrowDown':
      step(1);
      return true;
    case 'ArrowUp':
      step(-1);
      return true;
    case 'Escape':
      return true;
  }
  return false;
}

// An arrow key would choose the next radio button at once, and so enter a result: here it only goes there.
desk.addEventListener('keydown', (event) => {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const at = event.target;
  if (!by || !(at instanceof HTMLInputElement) || at.type !== 'radio') return;
  event.preventDefault();
  const choices = [...(at.form?.querySelectorAll('input[type=radio]') ?? [])];
  const next = choices[choices.indexOf(at) + by];
  if (next instanceof HTMLInputElement) next.focus();
});

desk.classList.add('scripted');
document.addEventListener('keydown', (event) => {
  if (typing(event) || !current && !/^[0-9]$/.test(event.key) && !['f', 'g', 'ArrowDown', 'ArrowUp'].includes(event.key)) return;
  if (!current?.isConnected) go(rows().find(open) ?? rows()[0]);
  if (pressed(event.key)) event.preventDefault();
});

// Enter in the field returns to the keys, for the board that was found.
const field = /** @type {HTMLInputElement} */ (desk.querySelector('.find-board'));
field.addEventListener('input', () => {
  const text = folded(field.value.trim());
  if (text) find(text);
});
field.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return;
  field.value = '';
  field.blur();
});

/** @param {Event} event */
const rowOf = (event) => /** @type {Row | null} */ (event.target instanceof Element ? event.target.closest('.result-row') : null);

desk.addEventListener('change', (event) => {
  const row = rowOf(event);
  if (!row || !(event.target instanceof HTMLInputElement) || event.target.name !== 'result') return;
  go(row);
  enter(row, { result: event.target.value });
});
desk.addEventListener('submit', (event) => {
  const row = rowOf(event);
  if (!row) return;
  event.preventDefault();
  /** @type {Record<string, string>} */
  const fields = {};
  new FormData(row).forEach((value, name) => { if (name !== 'seen') fields[name] = String(value); });
  enter(row, fields);
});
go(rows().find(open));

addEventListener('beforeunload', (event) => {
  if (queue.length) event.preventDefault();
});
addEventListener('online', () => { wait = 500; });

export {};
