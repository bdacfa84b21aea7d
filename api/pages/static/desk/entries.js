// @ts-check
// Check-in at the desk: a tap on a row sends that row alone and changes that row alone. Typing in the filter shows the rows
// with such names, and Enter checks in the first of them. Without this module the same forms load the page again.

const form = /** @type {HTMLFormElement | null} */ (document.querySelector('form[data-presence]'));
const filter = /** @type {HTMLInputElement | null} */ (document.querySelector('input[data-filter]'));
const told = /** @type {HTMLElement | null} */ (document.querySelector('[data-told]'));

/** @param {string} text folded, so that accents and capitals do not matter */
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** @returns {HTMLElement[]} */
const rows = () => [...document.querySelectorAll('#presence li')].map((row) => /** @type {HTMLElement} */ (row));

/** @param {HTMLElement} row */
const nameOf = (row) => row.querySelector('.who-is')?.textContent ?? '';

/** @param {HTMLElement} row of a team: its players */
const playersOf = (row) => row.querySelector('.who-plays')?.textContent ?? '';

/** Shows the rows of which a word begins with what was typed. */
function sift() {
  const wanted = fold(filter?.value.trim() ?? '');
  for (const row of rows()) {
    const name = fold(`${nameOf(row)} ${playersOf(row)}`);
    row.hidden = wanted !== '' && !name.startsWith(wanted) && !name.includes(` ${wanted}`) && !name.includes(`-${wanted}`);
  }
}

/**
 * Sends one row, and shows the server's answer.
 * @param {HTMLButtonElement} button
 */
async function mark(button) {
  if (!form || button.dataset.sent) return;
  button.dataset.sent = '1';
  const present = button.name === 'in';
  try {
    const answer = await fetch(form.action, {
      method: 'POST',
      headers: { accept: 'application/json' },
      body: new URLSearchParams([[button.name, button.value]]),
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
    const state = await answer.json();
    button.name = state.present ? 'out' : 'in';
    button.setAttribute('aria-pressed', String(state.present));
    for (const [name, value] of [['here', state.here], ['expected', state.expected]]) {
      const figure = document.querySelector(`[data-${name}]`);
      if (figure) figure.textContent = String(value);
    }
    const row = button.closest('li');
    if (told && row) told.textContent = `${nameOf(row)}: ${(state.present ? told.dataset.in : told.dataset.out) ?? ''}`;
  } catch {
    // The form itself explains what is wrong: that the check-in is over, or that the session has ended.
    const field = document.createElement('input');
    Object.assign(field, { type: 'hidden', name: present ? 'in' : 'out', value: button.value });
    form.append(field);
    form.submit();
  } finally {
    delete button.dataset.sent;
  }
}

form?.addEventListener('submit', (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!button?.name) return;
  event.preventDefault();
  mark(button);
});

filter?.addEventListener('input', sift);
filter?.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!form || !filter || filter.value.trim() === '') return;
  sift();
  const open = rows().filter((row) => !row.hidden);
  const first = open.map((row) => /** @type {HTMLButtonElement | null} */ (row.querySelector('button.mark[name="in"]'))).find(Boolean);
  if (!first) return;
  mark(first);
  filter.value = '';
  sift();
  filter.focus();
});

/** Takes over other arbiters' changes: entries that came, went or changed, and presence. */
async function follow() {
  try {
    const answer = await fetch(location.pathname + '?tab=entries', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(10_000) });
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const [mine, theirs] = [document.querySelector('#presence ul'), fresh.querySelector('#presence ul')];
    if (!mine || !theirs || mine.querySelector('[data-sent]')) return;
    const at = document.activeElement?.closest('#presence li')?.id;
    const field = document.activeElement?.matches('a') ? 'a' : 'button';
    if (mine.innerHTML !== theirs.innerHTML) mine.replaceChildren(...theirs.childNodes);
    const row = at && document.getElementById(at)?.querySelector(field);
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
    sift();
    for (const name of ['here', 'expected']) {
      const [figure, now] = [document.querySelector(`[data-${name}]`), fresh.querySelector(`[data-${name}]`)];
      if (figure && now && figure.textContent !== now.textContent) figure.textContent = now.textContent;
    }
  } catch {
    // the next poll may work
  }
}

const pause = 1500; // ms between two looks at what others do
const version = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-part="desk-version"]'))?.dataset.version;
let known = version();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;

document.addEventListener('quatuor:parts', () => {
  if (!document.getElementById('presence') || version() === known) return;
  known = version();
  planned ??= setTimeout(() => {
    planned = undefined;
    follow();
  }, pause);
});
if (filter?.value) sift();

export {};
