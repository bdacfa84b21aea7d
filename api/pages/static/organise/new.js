// @ts-check
// Fetches the advice on the format while the numbers are typed. Without this module a button does.

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

export {};
