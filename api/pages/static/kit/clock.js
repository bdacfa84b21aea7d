// @ts-check
// Running clocks: they tick between the server's readings. A clock's element holds what it showed, in ms, and this module
// knows when that was.

/**
 * A clock that ticks.
 * @typedef {{element: HTMLElement, left: number, until: number, periods: number, period: number}} Clock
 */

/** @type {Clock[]} */
let clocks = [];
let wound = performance.now();
let woundAt = Date.now();
let way = 0; // ms that news is on its way, as far as that is known

/**
 * Reads the running clocks on the page.
 * @param {number} [age] ms since the server wrote them; without it, as long as news takes
 */
export function wind(age = way) {
  [wound, woundAt] = [performance.now() - age, Date.now() - age];
  clocks = [...document.querySelectorAll('[data-clock]')].map((found) => {
    const element = /** @type {HTMLElement} */ (found);
    const number = (/** @type {string} */ name) => Number(element.dataset[name] ?? 0);
    return { element, left: number('left'), until: number('until'), periods: number('periods'), period: number('period') };
  });
}

/**
 * Returns the age of an answer's content, now, and remembers how long the way is.
 * @param {number} asked when the request was sent
 * @param {number} heard when the answer began to come
 */
export function ageOf(asked, heard) {
  const half = Math.min(2000, Math.max(0, (heard - asked) / 2));
  way = way ? Math.min(way, half) : half;
  return half + performance.now() - heard;
}

/** Ms by which the machine's clock and its counter differ since the clocks were read: it was asleep. */
export const asleep = () => Math.abs(Date.now() - woundAt - (performance.now() - wound));

/**
 * What a clock shows some time after it was read, in milliseconds, and whether its main time is used up.
 * @param {Clock} clock
 * @param {number} passed
 */
function after(clock, passed) {
  const overtime = clock.period > 0 && clock.periods > 0;
  if (clock.until < 0) return { left: clock.left, periods: clock.periods, overtime: overtime && clock.left === 0 };
  const until = Math.max(0, clock.until - passed);
  if (!overtime) return { left: Math.min(clock.left, until), periods: 0, overtime };
  const main = until - clock.periods * clock.period;
  if (main > 0) return { left: Math.min(clock.left, main), periods: clock.periods, overtime: false };
  const periods = Math.ceil(until / clock.period);
  return { left: until - Math.max(0, periods - 1) * clock.period, periods, overtime };
}

/** What every running clock of the page shows at this moment. */
export const readings = () => clocks.map((clock) => ({ ...clock, ...after(clock, performance.now() - wound) }));

/**
 * A clock as the server writes it, 1:05, 1:02:03, 3 d 4 h with the language's letter for days; the last ten seconds
 * with tenths, after the language's sign.
 * @param {number} ms
 */
export function figure(ms) {
  const seconds = Math.floor(ms / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  if (h >= 48) return `${Math.floor(h / 24)} ${document.getElementById('words')?.dataset.days ?? 'd'} ${h % 24} h`;
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  const sign = document.getElementById('words')?.dataset.sign ?? '.';
  return ms < 10_000 ? `${m}:${two(s)}${sign}${Math.floor(ms / 100) % 10}` : `${m}:${two(s)}`;
}

/** Shows the time. */
export function tick() {
  const all = readings();
  for (const { element, left, periods, period } of all) {
    const text = figure(left);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle('low', left < 10_000);
    element.classList.toggle('soon', left < 60_000);
    const under = element.parentElement?.querySelector('[data-periods-left]');
    const rest = `${periods} × ${figure(period)}`;
    if (under && period && under.textContent !== rest) under.textContent = rest;
  }
  document.dispatchEvent(new CustomEvent('quatuor:clocks', { detail: all }));
}
