// @ts-check
// Announces what happens on a page to screen readers: each thing once. What is worth announcing has a key in
// data-say; what was on the page when it was loaded is known, and what comes again after a reconnection is too.

const region = document.querySelector('.announce');
const words = document.getElementById('play-words')?.dataset ?? {};
const kept = 3; // announcements that stay to be read again

/** @param {string} text */
export function announce(text) {
  if (!region || !text) return;
  const line = document.createElement('p');
  line.textContent = text;
  region.append(line);
  while (region.childElementCount > kept) region.firstElementChild?.remove();
}

/** @returns {HTMLElement[]} */
const sayings = () => [...document.querySelectorAll('.game [data-say]')].map((element) => /** @type {HTMLElement} */ (element));

/** Keys of what was announced. */
const said = new Set(sayings().map((element) => element.dataset.say));

/** Announces what is new on the page. */
function listen() {
  const fresh = sayings().filter((element) => !said.has(element.dataset.say));
  for (const element of fresh) said.add(element.dataset.say);
  const told = fresh.filter((element) => element.dataset.own === undefined && !element.closest('[hidden]'));
  if (told.length) announce(told.map((element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim().replace(/[^.!?…]$/, '$&.')).join(' '));
}
document.addEventListener('quatuor:parts', listen);

const store = `quatuor.warned ${location.pathname}`;
/** @type {Set<string>} the warnings that were given in this game, or that came too late */
const given = new Set((sessionStorage.getItem(store) ?? '').split(' '));
/** @type {Map<string, number>} how urgent each clock was */
const urgency = new Map();

/**
 * Returns how urgent a clock is, and the announcement: a minute and ten seconds are left, or the periods have begun and
 * the last of them runs.
 * @param {ReturnType<typeof import('../kit/clock.js').readings>[number]} clock
 * @returns {[number, string]}
 */
function level({ left, periods, overtime, period }) {
  if (overtime) return periods > 1 ? [1, words.overtime ?? ''] : [2, words.lastPeriod ?? ''];
  if (period || left > 60_000) return [0, ''];
  return left > 10_000 ? [1, words.minute ?? ''] : [2, words.seconds ?? ''];
}

document.addEventListener('quatuor:clocks', (event) => {
  for (const clock of /** @type {CustomEvent} */ (event).detail) {
    const seat = clock.element.closest('.own')?.getAttribute('data-of');
    if (!seat) continue;
    const [now, warning] = level(clock);
    const before = urgency.get(seat);
    urgency.set(seat, now);
    if (now === 0 || given.has(`${seat}-${now}`)) continue;
    given.add(`${seat}-${now}`);
    sessionStorage.setItem(store, [...given].join(' '));
    if (before === undefined || before >= now) continue; // it was so when the page was opened
    announce(warning);
    document.dispatchEvent(new CustomEvent('quatuor:warning', { detail: warning }));
  }
});
