// @ts-check
// Keeps the line about the last act true while others act: the desk's stream reports a change of the tournament, and the
// line is fetched. Its button rests a moment then, so that a press that was meant for the act before undoes nothing else.

const rest = 1000; // ms
const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-last]'));

const version = () => Number(/** @type {HTMLElement | null} */ (document.querySelector('[data-part="desk-version"]'))?.dataset.version);
/** Whether a result is under way: its answer has the line's next text. */
const sending = () => document.querySelector('[data-sending]') !== null;
let shown = version();
let asking = false;

/** The line's text, and which act it would undo. */
const act = () => /** @type {HTMLInputElement | null} */ (place?.querySelector('input[name="act"]'))?.value;

/**
 * What is served at an address now; undefined where that is not the requested part.
 * @param {string | undefined} address
 */
async function part(address) {
  const answer = await fetch(address ?? '', { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(10_000) });
  if (!answer.ok || answer.redirected) return undefined;
  return new DOMParser().parseFromString(await answer.text(), 'text/html').body;
}

async function renew() {
  if (!place || asking || sending()) return;
  asking = true;
  try {
    while (shown < version()) {
      const now = version();
      const fresh = await part(place.dataset.last);
      if (!fresh) return;
      const before = act();
      const focused = place.contains(document.activeElement);
      shown = now;
      if (/** @type {HTMLInputElement | null} */ (fresh.querySelector('input[name="act"]'))?.value === before) continue;
      place.replaceChildren(...fresh.childNodes);
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
    // the next change fetches it again
  } finally {
    asking = false;
  }
}

document.addEventListener('quatuor:parts', renew);
document.addEventListener('quatuor:saved', (event) => {
  const own = /** @type {CustomEvent<number>} */ (event).detail;
  if (own === shown + 1) shown = own; // the line shows it already
});

/* Calls for the arbiter that no one has seen: the stream does not carry them, so they are polled. */

const pause = 10_000; // ms
const bell = /** @type {HTMLElement | null} */ (document.querySelector('[data-bell]'));

async function listen() {
  if (!bell || document.hidden) return;
  try {
    const fresh = await part(bell.dataset.bell);
    if (fresh && fresh.textContent !== bell.textContent) bell.replaceChildren(...fresh.childNodes);
  } catch {
    // the next poll may work
  }
}

if (bell) setInterval(listen, pause);
document.addEventListener('visibilitychange', listen);

export {};
