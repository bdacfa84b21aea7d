// @ts-check
// The pairings of a round by hand: two players or teams that are tapped change places, or one that a mouse drags onto the other, and
// the arrow keys go from one to the next. When another arbiter changes the round, it is shown again unless something has been chosen here.
import { drag } from '../kit/drag.js';

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

/** @param {HTMLElement} chip */
const choose = (chip) => chip.querySelector('input')?.click();
drag('.desk-edit .seat-chip', '.desk-edit .seat-chip', (from, onto) => {
  for (const seat of seats()) seat.checked = false;
  choose(from);
  choose(onto);
});

desk.addEventListener('keydown', (event) => {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  const all = seats();
  const at = all.indexOf(/** @type {HTMLInputElement} */ (event.target));
  if (!by || at < 0) return;
  event.preventDefault();
  all[at + by]?.focus();
});

/** Reports whether something has been chosen or typed. */
function touched() {
  return seats().some((seat) => seat.checked) || [...desk.querySelectorAll('input')].some((input) => input.type !== 'checkbox'
    && (input.value !== input.defaultValue || input.checked !== input.defaultChecked));
}

const part = /** @type {HTMLElement} */ (desk.querySelector('[data-part]'));
const hold = () => part.toggleAttribute('data-held', 'behind' in part.dataset || touched());
desk.addEventListener('input', hold);

document.addEventListener('quatuor:parts', () => {
  if (!('behind' in part.dataset) || desk.querySelector(':scope > .notice')) return;
  const notice = document.createElement('p');
  notice.className = 'notice notice-warn';
  notice.setAttribute('role', 'status');
  notice.textContent = `${part.dataset.wordChanged} `;
  const link = notice.appendChild(document.createElement('a'));
  link.href = location.href;
  link.textContent = part.dataset.wordShow ?? '';
  part.before(notice);
});

export {};
