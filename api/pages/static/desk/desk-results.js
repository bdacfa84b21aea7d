// @ts-check
// Results from the keyboard or by one tap. Each result is sent at once, in the order of entry; what could not be sent is
// marked, kept and sent again. A board says what its arbiter has seen of it, so that two arbiters never overwrite each
// other: where somebody else was faster, the row says so and asks. The page without this module has a button in each row.

/** @typedef {HTMLFormElement & {dataset: DOMStringMap}} Row */
/** @typedef {{tag: string, result: string, shown: string, ask?: string, error?: string, ready?: boolean, act?: number, last?: string, version?: number}} Answer */
/** @typedef {{row: Row, fields: Record<string, string>}} Job */

const desk = /** @type {HTMLElement} */ (document.querySelector('[data-results]'));
const said = /** @type {HTMLElement} */ (desk.querySelector('[data-said]'));
const rows = /** @type {Row[]} */ ([...desk.querySelectorAll('.result-row')]);

/** @param {string} name */
const word = (name) => desk.dataset[`word${name[0]?.toUpperCase()}${name.slice(1)}`] ?? name;

/** What a key enters, and after "f". */
const keys = new Map([['1', '1-0'], ['5', '1/2-1/2'], ['0', '0-1']]);
const forfeits = new Map([['1', '+--'], ['5', '---'], ['0', '--+']]);

/** As score sheets write a result. @param {string} result */
function pretty(result) {
  const forfeit = new Map([['+--', '+ : −'], ['--+', '− : +'], ['---', '− : −']]).get(result);
  return forfeit ?? (result.includes(',') ? result.replaceAll(',', ', ') : result.replaceAll('1/2', '½').replaceAll('-', ' – '));
}

/** @type {Job[]} */
const queue = [];
let sending = false;
let wait = 500;

/** @param {Row} row */
const busy = (row) => queue.some((job) => job.row === row) || row.dataset.state === 'ask';

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
 * @param {string} result
 */
function show(row, result) {
  row.dataset.result = result;
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (row.querySelectorAll('[name=result]'))) input.checked = input.value === result;
  const ranks = result.includes(',') ? result.split(',') : [];
  row.querySelectorAll('select').forEach((select, i) => { select.value = ranks[i] ?? ''; });
  const shown = row.querySelector('[data-shown]');
  if (shown) shown.textContent = pretty(result);
}

/** Says which boards have no result. @param {boolean} [ready] whether the next round can be paired */
function count(ready) {
  const left = rows.filter((row) => !row.dataset.result);
  const sum = /** @type {HTMLElement | null} */ (desk.querySelector('[data-left]'));
  const text = left.length ? `${left.length} ${word(left.length === 1 ? 'leftOne' : 'left')}` : word('all');
  if (sum && sum.dataset.left !== String(left.length)) {
    sum.dataset.left = String(left.length);
    sum.textContent = text;
  }
  const list = desk.querySelector('[data-missing]');
  if (list) {
    const links = left.map((row) => {
      const item = document.createElement('li');
      const link = item.appendChild(document.createElement('a'));
      link.href = `#${row.id}`;
      link.textContent = row.dataset.board ?? '';
      return item;
    });
    list.replaceChildren(...links);
    if (list.nextElementSibling instanceof HTMLElement) list.nextElementSibling.hidden = !left.length; // shows only what is missing
  }
  const next = /** @type {HTMLElement | null} */ (desk.querySelector('[data-next]'));
  if (next && ready !== undefined) next.hidden = !ready;
  const final = /** @type {HTMLElement | null} */ (desk.querySelector('[data-final]'));
  if (final) final.hidden = left.length > 0;
}

/**
 * Enters a result: it shows at once and is sent after those before it.
 * @param {Row} row
 * @param {Record<string, string>} fields
 */
function enter(row, fields) {
  row.nextElementSibling?.matches('.desk-ask') && row.nextElementSibling.remove();
  const same = queue.findIndex((job, i) => job.row === row && (i > 0 || !sending));
  if (same >= 0) queue.splice(same, 1);
  queue.push({ row, fields });
  if (fields.result !== undefined) show(row, fields.result);
  mark(row, 'unsent', word('unsent'));
  send();
}

/** Sends what waits, one after the other. */
async function send() {
  if (sending) return;
  sending = true;
  desk.dataset.sending = '';
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
  delete desk.dataset.sending;
  document.dispatchEvent(new Event('quatuor:parts')); // which may have come while it was not known whose change it was
}

/**
 * Sends one result. It may come twice: the server knows what it has. undefined means that nothing answered.
 * @param {Job} job
 * @returns {Promise<{status: number, body: Answer} | undefined>}
 */
async function post({ row, fields }) {
  try {
    const answer = await fetch(row.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams({ ...fields, seen: fields.seen ?? row.dataset.tag ?? '' }),
      signal: AbortSignal.timeout(10_000),
    });
    if (answer.status >= 500 || answer.status === 429) return undefined;
    if (!answer.headers.get('content-type')?.includes('json')) {
      return { status: answer.status, body: { tag: row.dataset.tag ?? '', result: '', shown: '', error: String(answer.status) } };
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
  const later = queue.some((other) => other.row === row);
  if (answer.ask) {
    if (!later) ask(job, answer);
    return;
  }
  if (answer.error) {
    show(row, row.dataset.was ?? '');
    mark(row, 'refused', `${word('refused')} ${answer.error}`);
    said.textContent = `${word('board')} ${row.dataset.board}: ${word('refused')} ${answer.error}`;
    return;
  }
  row.dataset.tag = answer.tag;
  row.dataset.was = answer.result;
  if (!later) {
    show(row, answer.result);
    mark(row, 'saved', word('saved'));
  }
  if (said.textContent === word('lost')) said.textContent = '';
  if (answer.act) undoes(answer.act, answer.last ?? '');
  if (answer.version === version + 1) version = answer.version; // nobody else has changed anything between
  document.dispatchEvent(new CustomEvent('quatuor:saved', { detail: answer.version }));
  count(answer.ready ?? false);
}

/**
 * The line above the tabs undoes what was done last.
 * @param {number} act
 * @param {string} text
 */
function undoes(act, text) {
  const form = document.querySelector('.desk-last');
  const input = /** @type {HTMLInputElement | null} */ (form?.querySelector('[name=act]') ?? null);
  if (!form || !input) return;
  input.value = String(act);
  const words = form.querySelector('strong');
  if (words) words.textContent = text;
  form.querySelector('p > .soft')?.replaceChildren();
}

/**
 * Asks before a result is saved after all.
 * @param {Job} job
 * @param {Answer} answer
 */
function ask({ row, fields }, answer) {
  mark(row, 'ask', '');
  const box = document.createElement('div');
  box.className = 'notice notice-warn desk-ask';
  box.setAttribute('role', 'alert');
  const text = box.appendChild(document.createElement('p'));
  text.textContent = `${word(answer.ask ?? '')}${answer.ask === 'changed' ? ` ${answer.shown}` : ''}`;
  const done = () => {
    box.remove();
    row.dataset.state = '';
  };
  if (answer.ask === 'paired') {
    row.after(box);
    return;
  }
  const label = box.appendChild(document.createElement('label'));
  label.className = 'field';
  label.textContent = `${word('why')} `;
  const reason = label.appendChild(document.createElement('input'));
  reason.maxLength = 500;
  label.hidden = answer.result === '';
  const yes = box.appendChild(document.createElement('button'));
  yes.type = 'button';
  yes.textContent = word('replace');
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
  no.textContent = word('keep');
  no.addEventListener('click', () => {
    done();
    row.dataset.tag = answer.tag;
    show(row, answer.result);
    mark(row, '', '');
    count();
  });
  row.after(box);
}

/**
 * Asks for what others have entered meanwhile. What is being sent or asked stays, and so does what was saved after the
 * question: the answer may not know of it.
 */
async function refresh() {
  const asked = new Map(rows.map((row) => [row, row.dataset.tag]));
  try {
    const answer = await fetch(desk.dataset.results ?? '', { headers: { accept: 'application/json' } });
    if (!answer.ok) return;
    /** @type {{boards: [string, string, string][], ready: boolean}} */
    const now = await answer.json();
    const known = new Map(rows.map((row) => [row.dataset.board, row]));
    for (const [board, tag, result] of now.boards) {
      const row = known.get(board);
      if (!row || row.dataset.tag === tag || row.dataset.tag !== asked.get(row) || busy(row)) continue;
      if (row.dataset.tag?.split('.')[0] !== tag.split('.')[0]) {
        mark(row, 'refused', word('paired'));
        continue;
      }
      row.dataset.tag = tag;
      row.dataset.was = result;
      show(row, result);
      mark(row, '', '');
    }
    count(now.ready);
  } catch {
    // the next change will tell
  }
}

/** The version that the stream has brought. */
const brought = () => Number(/** @type {HTMLElement | null} */ (desk.querySelector('[data-part="desk-version"]'))?.dataset.version);
let version = brought();

/** Looks for changes of others, once it is known which changes were the page's own. */
function look() {
  if (sending || brought() <= version) return;
  version = brought();
  refresh();
}

document.addEventListener('quatuor:parts', look);

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
  const names = [...row.querySelectorAll('.board-seats > span')].map((name) => name.firstChild?.textContent?.trim());
  said.textContent = `${word('board')} ${row.dataset.board}: ${names.join(' – ')}`;
}

/** @param {Row} row the next board without result after this one, or else the first */
function onward(row) {
  const at = rows.indexOf(row);
  const open = (/** @type {Row} */ other) => !other.dataset.result && other.querySelector('.keys, .rank-boxes');
  go(rows.slice(at + 1).find(open) ?? rows.find(open));
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
  const row = rows.find((one) => one.dataset.board === mode.slice(1));
  if (row) go(row);
  return true;
}

/**
 * A digit is the place of the next seat of a table, 0 of one who did not come; the last one enters them.
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
  const at = current ? rows.indexOf(current) : by > 0 ? -1 : rows.length;
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  go(next);
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
  if (!current) go(rows.find((row) => !row.dataset.result) ?? rows[0]);
  if (pressed(event.key)) event.preventDefault();
});

for (const row of rows) {
  row.dataset.was = row.dataset.result ?? '';
  row.addEventListener('change', (event) => {
    if (event.target instanceof HTMLInputElement && event.target.name === 'result') {
      go(row);
      enter(row, { result: event.target.value });
    }
  });
  row.addEventListener('submit', (event) => {
    event.preventDefault();
    /** @type {Record<string, string>} */
    const fields = {};
    new FormData(row).forEach((value, name) => { if (name !== 'seen') fields[name] = String(value); });
    enter(row, fields);
  });
}
go(rows.find((row) => !row.dataset.result));

addEventListener('beforeunload', (event) => {
  if (queue.length) event.preventDefault();
});
addEventListener('online', () => { wait = 500; });

export {};
