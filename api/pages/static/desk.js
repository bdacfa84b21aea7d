// @ts-check
// Keeps the line about the last act true while others act: the desk's stream says that the tournament has changed, and the
// line is asked for. Its button rests a moment then, so that a press that was meant for the act before undoes nothing else.

const rest = 1000; // ms
const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-last]'));

const version = () => /** @type {HTMLElement | null} */ (document.querySelector('[data-part="desk-version"]'))?.dataset.version;
let shown = version();
let asking = false;

/** What the line says, and which act it would undo. */
const act = () => /** @type {HTMLInputElement | null} */ (place?.querySelector('input[name="act"]'))?.value;

async function renew() {
  if (!place || asking) return;
  asking = true;
  try {
    while (shown !== version()) {
      const now = version();
      const answer = await fetch(place.dataset.last ?? '', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(10_000) });
      if (!answer.ok || answer.redirected) return;
      const before = act();
      const focused = place.contains(document.activeElement);
      const text = await answer.text();
      shown = now;
      const fresh = new DOMParser().parseFromString(text, 'text/html');
      if (/** @type {HTMLInputElement | null} */ (fresh.querySelector('input[name="act"]'))?.value === before) continue;
      place.replaceChildren(...fresh.body.childNodes);
      const button = place.querySelector('button');
      if (button) {
        button.disabled = true;
        setTimeout(() => {
          button.disabled = false;
          if (focused && document.activeElement === document.body) button.focus();
        }, rest);
      }
    }
  } catch {
    // the next change will tell
  } finally {
    asking = false;
  }
}

document.addEventListener('quatuor:parts', renew);

/* Calls for the arbiter that no one has seen: the stream tells nothing of them, so they are asked for. */

const pause = 10_000; // ms
const bell = /** @type {HTMLElement | null} */ (document.querySelector('[data-bell]'));

async function listen() {
  if (!bell || document.hidden) return;
  try {
    const answer = await fetch(bell.dataset.bell ?? '', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(pause) });
    if (!answer.ok || answer.redirected) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').body;
    if (fresh.textContent !== bell.textContent) bell.replaceChildren(...fresh.childNodes);
  } catch {
    // the next time will tell
  }
}

if (bell) setInterval(listen, pause);
document.addEventListener('visibilitychange', listen);

export {};
