// "It is your turn" on a player's first page: in its title, and with what the player has switched on for the device.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch } from './chromium.js';
import { Club } from './people.js';
import { start } from './program.js';

let program;
let browser;
let club;

before(async () => {
  program = await start();
  browser = await launch();
  club = new Club(program, browser);
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// listen puts what calls a player into globalThis.calls instead of the device, and the page out of sight.
function listen() {
  globalThis.calls = [];
  const node = () => ({ frequency: {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (to) => to, stop() {} });
  globalThis.AudioContext = class {
    currentTime = 0;
    destination = {};
    resume = async () => {};
    createGain = node;
    createOscillator = () => ({ ...node(), start: (at) => { if (at === 0) calls.push('sound'); } });
  };
  globalThis.Notification = class extends EventTarget {
    static permission = 'default';
    static async requestPermission() {
      Notification.permission = 'granted';
      sessionStorage.setItem('granted', 'yes');
      return 'granted';
    }
    constructor(title, { body, tag }) {
      super();
      calls.push(`${title} / ${body} / ${tag}`);
    }
    close() {}
  };
  if (sessionStorage.getItem('granted')) Notification.permission = 'granted';
  Object.defineProperty(Navigator.prototype, 'vibrate', { value: () => calls.push('vibration') });
  Object.defineProperty(Document.prototype, 'hidden', { get: () => true });
}

// calls returns what has called since it was last read. Pages agree through the browser which of them calls, and have an
// answer when a later question has one.
const calls = (page) => page.evaluate(async () => {
  await navigator.locks.query();
  return globalThis.calls.splice(0);
});
const waits = (page, id, turn) => page.locator(`[data-waits~="${id}:${turn}"]`).waitFor({ state: 'attached' });

test('a game that begins to wait calls once, as the player has chosen on this device', async () => {
  const [ada, bob] = await Promise.all([1, 2].map((n) => club.api(n)));
  const { id } = await club.game('quixo/duel', 2);
  const move = (api, turn, text) => api.post(`/games/${id}/moves`, { seat: 2 - turn % 2, turn, move: text });
  const page = await club.page(1, { viewport: { width: 390, height: 844 } });
  const silent = await club.page(2);
  for (const one of [page, silent]) {
    await one.addInitScript(listen);
    await one.goto(`${program.url}/`);
  }
  await waits(page, id, 1);
  await page.getByText('On this device').click();
  for (const name of ['Sound', 'Vibrate']) await page.getByLabel(`${name} when it is my turn`).check();
  await page.getByLabel('Notify me when it is my turn').click(); // checked when the browser has answered
  await page.waitForFunction(() => JSON.parse(localStorage.getItem('quatuor.device')).notify);
  assert.deepEqual(await calls(page), ['sound', 'vibration'], 'what they are like, and nothing for what waited before');
  assert.deepEqual(await accessibility(page), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);

  await move(ada, 1, 'a1-a5');
  await waits(silent, id, 2);
  await move(bob, 2, 'e1-a1');
  await waits(page, id, 3);
  assert.match(await page.title(), /^It is your turn/);
  const [sound, vibration, note, ...more] = await calls(page);
  assert.deepEqual([sound, vibration, more], ['sound', 'vibration', []]);
  assert.match(note, new RegExp(`^It is your turn.* / .+ / /games/${id}$`));

  await page.reload();
  await waits(page, id, 3);
  await move(ada, 3, 'b1-b5');
  await waits(silent, id, 4);
  await move(bob, 4, 'e1-a1');
  await waits(page, id, 5);
  assert.equal((await calls(page)).length, 3, 'one call for turn 5, none for the reload');
  assert.deepEqual(await calls(silent), [], 'not asked for');

  await Promise.all([page, silent].map((one) => one.context().close()));
});

test('the board and the first page, open in one browser, call to a turn once', async () => {
  const [ada, bob] = await Promise.all([1, 2].map((n) => club.api(n)));
  const { id } = await club.game('quixo/duel', 2);
  await ada.post(`/games/${id}/moves`, { seat: 1, turn: 1, move: 'a1-a5' });
  const first = await club.page(1);
  const board = await first.context().newPage();
  for (const [one, path] of [[first, '/'], [board, `/games/${id}`]]) {
    await one.addInitScript(listen);
    await one.addInitScript(() => localStorage.setItem('quatuor.device', '{"vibrate":true}'));
    await one.goto(program.url + path);
  }
  await board.locator('.board-box[data-turn="2"]').waitFor();
  await bob.post(`/games/${id}/moves`, { seat: 2, turn: 2, move: 'e1-a1' });
  await waits(first, id, 3);
  await board.locator('.board-box[data-turn="3"]').waitFor();
  assert.deepEqual([...await calls(first), ...await calls(board)], ['vibration']);
  await first.context().close();
});
