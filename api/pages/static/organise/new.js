// @ts-check
// Asks for the advice on the format while the numbers are typed, and shows only what fits the game and the format chosen.
// Without this module a button asks for the advice, and all settings are there.

const button = /** @type {HTMLButtonElement | null} */ (document.querySelector('[data-advise]'));
const sheet = button?.form;

async function advise() {
  if (!sheet) return;
  const values = new URLSearchParams();
  for (const name of ['players', 'hours', 'control']) values.set(name, String(new FormData(sheet).get(name) ?? ''));
  if (!values.get('players') || !values.get('hours')) return;
  try {
    const answer = await fetch(`/tournaments/new?${values}`, { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(10_000) });
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('advice');
    if (fresh) document.getElementById('advice')?.replaceChildren(...fresh.childNodes);
  } catch {
    // the button is still there
  }
}

button?.addEventListener('click', (event) => {
  event.preventDefault();
  advise();
});
for (const name of ['players', 'hours', 'control']) {
  document.getElementById(name)?.addEventListener('change', advise);
}

const value = (/** @type {string} */ id) => /** @type {HTMLSelectElement | null} */ (document.getElementById(id))?.value;

function fit() {
  const format = value('format');
  const variant = value('variant');
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-formats], [data-variant]'))) {
    part.hidden = part.dataset.formats ? !part.dataset.formats.split(' ').includes(format ?? '') : part.dataset.variant !== variant;
  }
}

if (value('format')) {
  fit();
  for (const id of ['format', 'variant']) document.getElementById(id)?.addEventListener('change', fit);
}

export {};
