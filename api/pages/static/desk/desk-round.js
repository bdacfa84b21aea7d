// @ts-check
// The pairings of a round by hand: tapping two players makes them change places, and the arrow keys
// go from one to the next. When another arbiter changes the round, it is shown again unless something has been chosen here.

const desk = /** @type {HTMLElement} */ (document.querySelector('.desk-round'));

/** @returns {HTMLInputElement[]} */
const seats = () => [...desk.querySelectorAll('input[name=seat]')].map((box) => /** @type {HTMLInputElement} */ (box));

desk.addEventListener('change', (event) => {
  const box = event.target;
  if (!(box instanceof HTMLInputElement) || box.name !== 'seat' || !box.checked) return;
  const chosen = seats().filter((seat) => seat.checked);
  const paired = chosen.filter((seat) => !('unpaired' in seat.dataset));
  const swap = desk.querySelector('[data-swap]');
  if (chosen.length === 2 && paired.length > 0 && swap instanceof HTMLButtonElement) box.form?.requestSubmit(swap);
});

desk.addEventListener('keydown', (event) => {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const all = seats();
  const at = all.indexOf(/** @type {HTMLInputElement} */ (event.target));
  if (!by || at < 0) return;
  event.preventDefault();
  all[at + by]?.focus();
});

let asked = false; // the page shows that it is out of date

/** @param {HTMLElement} part */
function touched(part) {
  if (seats().some((seat) => seat.checked)) return true;
  return [...part.querySelectorAll('input')].some((input) => input.type !== 'checkbox'
    && (input.value !== input.defaultValue || input.checked !== input.defaultChecked));
}

async function renew() {
  const part = /** @type {HTMLElement | null} */ (desk.querySelector('[data-desk="round"]'));
  if (!part || asked) return;
  if (touched(part)) {
    asked = true;
    const notice = document.createElement('p');
    notice.className = 'notice notice-warn';
    notice.setAttribute('role', 'status');
    notice.textContent = `${part.dataset.wordChanged} `;
    const link = notice.appendChild(document.createElement('a'));
    link.href = location.href;
    link.textContent = part.dataset.wordShow ?? '';
    part.before(notice);
    return;
  }
  try {
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
    const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-desk="round"]');
    if (!answer.ok || !fresh || touched(part)) return;
    if (fresh.outerHTML !== part.outerHTML) part.replaceWith(fresh);
  } catch {
    // the next change fetches it again
  }
}

const marker = () => /** @type {HTMLElement | null} */ (desk.querySelector('[data-part="desk-version"]'))?.dataset.version;
let version = marker();
document.addEventListener('quatuor:parts', () => {
  const now = marker();
  if (now === version) return;
  version = now;
  renew();
});

export {};
