// @ts-check
// "It is your turn": in the title, and if the reader has switched it on for this device with a sound, by vibration
// and as a notification of the system.

/** @typedef {'confirm' | 'premove' | 'sound' | 'vibrate' | 'notify'} Setting */

const store = 'quatuor.device';
// ms within which all pages of a browser learn of a turn
const together = 5000;
const title = document.title;
/** @type {AudioContext | undefined} */
let audio;

/** @returns {Partial<Record<Setting, boolean>>} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(store) ?? '{}');
  } catch {
    return {};
  }
}

/**
 * Reports whether the reader has chosen a setting on this device.
 * @param {Setting} name
 */
export const chosen = (name) => read()[name] === true;

const able = /** @type {Record<Setting, boolean>} */ ({
  confirm: true, premove: true, sound: 'AudioContext' in globalThis, vibrate: 'vibrate' in navigator,
  notify: globalThis.isSecureContext && 'Notification' in globalThis,
});

/** Shows the settings, which the server sends hidden: they are nothing without scripts. */
function offer() {
  const box = /** @type {HTMLElement | null} */ (document.querySelector('[data-settings]'));
  if (!box) return;
  box.hidden = false;
  for (const field of box.querySelectorAll('input')) {
    const name = /** @type {Setting} */ (field.name);
    field.checked = chosen(name);
    if (!able[name]) field.closest('label')?.setAttribute('hidden', '');
    field.addEventListener('change', async () => {
      if (name === 'notify' && field.checked) field.checked = await Notification.requestPermission() === 'granted';
      localStorage.setItem(store, JSON.stringify({ ...read(), [name]: field.checked }));
      // the board shows what can be done now
      document.dispatchEvent(new CustomEvent('quatuor:sending'));
      if (name === 'sound' && field.checked) sound();
      if (name === 'vibrate' && field.checked) navigator.vibrate(100);
    });
  }
}

/** Two short notes. */
function sound() {
  audio ??= new AudioContext();
  void audio.resume();
  for (const [i, pitch] of [660, 880].entries()) {
    const note = audio.createOscillator();
    const loud = audio.createGain();
    const start = audio.currentTime + i * 0.14;
    note.frequency.value = pitch;
    loud.gain.setValueAtTime(0.0001, start);
    loud.gain.exponentialRampToValueAtTime(0.2, start + 0.02);
    loud.gain.exponentialRampToValueAtTime(0.0001, start + 0.13);
    note.connect(loud).connect(audio.destination);
    note.start(start);
    note.stop(start + 0.14);
  }
}

const icon = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel=icon]'));
const quiet = icon?.getAttribute('href') ?? '';

/**
 * Shows in the title and by the page's icon that it is the reader's turn; '' takes it away.
 * @param {string} words
 */
export function headline(words) {
  const wanted = words && icon?.dataset.turn || quiet;
  if (icon && icon.getAttribute('href') !== wanted) icon.href = wanted;
  const next = words ? `▶ ${words} · ${title}` : title;
  if (document.title !== next) document.title = next;
}

/**
 * Reports whether this page of the browser is the first to call the reader to a turn. Browsers know of each other's pages on
 * secure addresses only; on others each page is the first.
 * @param {string} turn
 * @returns {Promise<boolean>}
 */
const first = (turn) => new Promise((resolve) => {
  if (!navigator.locks) return resolve(true);
  navigator.locks.request(turn, { ifAvailable: true }, (lock) => {
    resolve(lock !== null);
    return lock && new Promise((done) => setTimeout(done, together));
  });
});

/**
 * Calls the reader to a new turn: once, though several pages of the browser show it.
 * @param {string} words
 * @param {string} page the address of the game's page
 * @param {string} turn
 * @param {string} [body] the notification's text about the game
 */
export async function call(words, page, turn, body = title) {
  if (!await first(page + ' ' + turn)) return;
  if (chosen('sound') && able.sound) sound();
  if (chosen('vibrate') && able.vibrate) navigator.vibrate([80, 60, 80]);
  if (!chosen('notify') || !able.notify || Notification.permission !== 'granted' || !document.hidden) return;
  try {
    const note = new Notification(words, { body, tag: page });
    note.addEventListener('click', () => {
      focus();
      note.close();
      if (location.pathname !== page) location.href = page;
    });
    document.addEventListener('visibilitychange', () => note.close(), { once: true });
  } catch { // a browser that has them for workers only
  }
}

offer();
// A browser lets a page sound only after its reader has touched it.
addEventListener('pointerdown', () => {
  if (chosen('sound') && able.sound) audio ??= new AudioContext();
}, { once: true });
