// @ts-check
// Check-in at the desk: a tap on a row sends that row alone and changes that row alone. Typing in the filter shows the rows
// with such names, and Enter checks in the first of them. Without this module the same forms load the page again.

const filter = () => /** @type {HTMLInputElement | null} */ (document.querySelector('input[data-filter]'));
const told = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-told]'));

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
  const wanted = fold(filter()?.value.trim() ?? '');
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
  const form = /** @type {HTMLFormElement} */ (button.form);
  if (button.dataset.sent) return;
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
    const [row, place] = [button.closest('li'), told()];
    if (place && row) place.textContent = `${nameOf(row)}: ${(state.present ? place.dataset.in : place.dataset.out) ?? ''}`;
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

document.addEventListener('submit', (event) => {
  const [form, button] = [/** @type {HTMLFormElement} */ (event.target), /** @type {HTMLButtonElement | null} */ (event.submitter)];
  if (form.dataset.presence !== undefined && button?.name) {
    event.preventDefault();
    mark(button);
  }
  const field = filter();
  if (!field || form !== field.form) return;
  event.preventDefault();
  if (field.value.trim() === '' || !document.querySelector('[data-presence]')) return;
  sift();
  const open = rows().filter((row) => !row.hidden);
  const first = open.map((row) => /** @type {HTMLButtonElement | null} */ (row.querySelector('button.mark[name="in"]'))).find(Boolean);
  if (!first) return;
  mark(first);
  field.value = '';
  sift();
  field.focus();
});

document.addEventListener('input', (event) => {
  if (event.target === filter()) sift();
});

document.addEventListener('quatuor:parts', () => sift());
if (filter()?.value) sift();

export {};
