// The game page of each variant: axe finds nothing, in both colour schemes, on a phone and at a desk, for a player who is
// to move, one waiting, a visitor, and after the end; it fits windows of every width; its scripts are small; and it
// answers a touch fast on a slow machine. QUATUOR_LONG=hours looks at every combination, and holds it to the time.
import assert from 'node:assert/strict';
import { get } from 'node:http';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { Club, variants } from './people.js';
import { start } from './program.js';
import { chance, pick } from './random.js';
import { until, ways } from './ways.js';

const long = process.env.QUATUOR_LONG === 'hours';
const looks = [['light', 390], ['dark', 390], ['light', 1280], ['dark', 1280]];
const fits = [360, 390, 768, 1280]; // CSS pixels
const scriptBar = 25 * 1024; // bytes of the board's own scripts, gzipped
const paintBar = 50; // ms from a touch to the paint that answers it, on a machine a quarter as fast
const slowdown = 4;
const touches = long ? 5 : 1; // of a kind and variant
const [taps] = ways;

let program, browser, club;
const weights = [];
const paints = [];

before(async () => {
  program = await start();
  browser = await launch();
  club = new Club(program, browser);
});

after(async () => {
  await browser?.close();
  await program?.stop();
  for (const [title, widths, rows] of [['page, bytes gzipped', [14, 10, 10, 10, 20], weights], ['ms to paint', [16, 30, 30], paints]]) {
    if (rows.length) console.log([title, ...rows.map((cells) => cells.map((cell, i) => String(cell).padEnd(widths[i])).join(''))].join('\n'));
  }
});

// begun starts a game and makes some moves in it by chance, until one of two squares is to be made where the game has such.
async function begun(variant, seats, next, least = 3) {
  const { id } = await club.game(variant, seats);
  for (let plies = 0; ; plies++) {
    const { awaited } = await (await club.api(1)).get(`/games/${id}`);
    const seat = variant.startsWith('quiwin') || plies < least ? awaited[0] : 1;
    const game = await (await club.api(seat)).get(`/games/${id}`);
    const legal = game.legal[seat] ?? [];
    const board = legal.some((move) => /[->]/.test(move)) || variant.startsWith('quiwin');
    if (plies >= least && board && awaited.includes(1)) return id;
    const mover = awaited[0];
    const state = mover === seat ? game : await (await club.api(mover)).get(`/games/${id}`);
    await (await club.api(mover)).post(`/games/${id}/moves`, { seat: mover, turn: state.turn, move: pick(state.legal[mover], next) });
  }
}

// finish ends a game by resignations.
async function finish(id, seats) {
  for (let n = seats; n >= 1; n--) {
    const api = await club.api(n);
    if ((await api.get(`/games/${id}`)).status === 'finished') return;
    await api.post(`/games/${id}/resign`, {});
  }
}

for (const [v, [variant, seats]] of variants.entries()) {
  test(`the page of ${variant} fits, and anyone can use it`, async (t) => {
    const id = await begun(variant, seats, chance(v + 1));
    const url = `${program.url}/games/${id}`;
    const { awaited } = await (await club.api(1)).get(`/games/${id}`);
    const waits = [2, 3, 4, 5].find((n) => n <= seats && !awaited.includes(n));
    const roles = [['to move', awaited[0]], ...(waits ? [['waiting', waits]] : []), ['visitor', 0]];
    for (const [r, [role, n]] of roles.entries()) await t.test(role, () => looked(url, n, v + r));
    await finish(id, seats);
    await t.test('finished', () => looked(url, 1, v + 3));
  });
}

// looked checks a page for one visitor: all looks, or one of them in a short run, and all widths.
async function looked(url, n, turn) {
  const page = await club.page(n);
  const faults = watch(page, program.url);
  await page.goto(url);
  for (const [i, [colorScheme, width]] of looks.entries()) {
    if (!long && i !== turn % looks.length) continue;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await accessibility(page), [], `${colorScheme} at ${width}`);
  }
  for (const width of fits) {
    await page.setViewportSize({ width, height: 900 });
    assert.deepEqual(await overflow(page), [], `at ${width}`);
  }
  assert.deepEqual(faults, []);
  await page.context().close();
}

// zipped returns the bytes of an answer's body as a browser gets it.
const zipped = (url, cookie) => new Promise((resolve, reject) => {
  get(url, { headers: { 'accept-encoding': 'gzip', cookie } }, (answer) => {
    let bytes = 0;
    answer.on('data', (chunk) => { bytes += chunk.length; }).on('end', () => resolve(bytes)).on('error', reject);
  }).on('error', reject);
});

test('what pages weigh', async () => {
  const { id } = await club.game('quixo/duel', 2);
  const own = new Map(); // of each page, the scripts that it has
  for (const [name, path] of [['game', `/games/${id}`], ['start', '/'], ['lobby', '/play']]) {
    const page = await club.page(1);
    const urls = new Map();
    page.on('response', (answer) => {
      const kind = answer.request().resourceType();
      if (['document', 'script', 'stylesheet'].includes(kind)) urls.set(answer.url(), kind);
    });
    await page.goto(program.url + path, { waitUntil: 'load' });
    const cookie = (await page.context().cookies()).map((one) => `${one.name}=${one.value}`).join('; ');
    const sums = { document: 0, script: 0, stylesheet: 0 };
    const scripts = new Map();
    for (const [url, kind] of urls) {
      const bytes = await zipped(url, cookie);
      sums[kind] += bytes;
      if (kind === 'script') scripts.set(new URL(url).pathname, bytes);
    }
    own.set(name, scripts);
    weights.push([name, `html ${sums.document}`, `css ${sums.stylesheet}`, `js ${sums.script}`, [...scripts].map(([file, n]) => `${file.split('/').pop()} ${n}`).join(', ')]);
    await page.context().close();
  }
  const common = /\/(find|time|live|merge|idiomorph|exchange|switchboard|worker)\.js$/; // of every page that is live
  const board = [...own.get('game')].filter(([file]) => !common.test(file));
  assert.ok(board.some(([file]) => file.endsWith('/board.js')));
  const sum = board.reduce((total, [, bytes]) => total + bytes, 0);
  weights.push(['the board', `js ${sum}`, `bar ${scriptBar}`]);
  assert.ok(sum <= scriptBar, `the board's scripts are ${sum} bytes`);
});

// timing notes how long the page took from each touch to the paint that followed it, as the browser measures it, in steps
// of 8 ms.
function timing() {
  window.touched = new Map();
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) {
      if (interactionId) window.touched.set(interactionId, Math.max(duration, window.touched.get(interactionId) ?? 0));
    }
  }).observe({ type: 'event', durationThreshold: 0, buffered: true });
}

// paint touches something and returns the ms until the page was painted.
async function paint(page, touch) {
  await page.evaluate(() => window.touched.clear());
  await touch();
  const slowest = await page.waitForFunction(() => (window.touched.size ? Math.max(...window.touched.values()) : null), null, { timeout: 60_000 });
  return slowest.jsonValue();
}

test(`from a touch to the paint at a ${slowdown}th of the speed`, async () => {
  for (const [v, [variant, seats]] of variants.entries()) {
    const next = chance(v + 50);
    const id = await begun(variant, seats, next, 1);
    const page = await club.page(1, taps.options);
    await page.addInitScript(timing);
    await taps.open(page, `${program.url}/games/${id}`);
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const found = { select: [], move: [] };
    for (let i = 0; i < touches; i++) {
      const game = await (await club.api(1)).get(`/games/${id}`);
      if (game.status !== 'running') break;
      await taps.ready(page, game.turn, game.legal[1]);
      const move = pick(game.legal[1], next);
      const path = /^[a-z]\d\d$/.test(move) ? [] : move.match(/[a-g][1-7]/g) ?? [];
      const square = (name) => page.locator(`[role=gridcell][data-square="${name}"]`);
      for (const name of path.slice(0, -1)) found.select.push(await paint(page, () => square(name).tap()));
      if (path.length) found.move.push(await paint(page, () => square(path.at(-1)).tap()));
      else if (await page.locator(`button[name=move][value="${move}"]`).count()) {
        found.move.push(await paint(page, () => page.locator(`button[name=move][value="${move}"]`).tap()));
      }
      const asked = page.locator('.choices button').first();
      if (/-.*>/.test(move)) found.move.push(await paint(page, () => asked.tap()));
      await until('the move arrives', async () => (await (await club.api(1)).get(`/games/${id}`)).version > game.version);
      if (i + 1 < touches) await others(id, next);
    }
    const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
    const said = (list) => (list.length ? `${median(list)} (${list.join(' ')})` : '–');
    paints.push([variant, `select ${said(found.select)}`, `move ${said(found.move)}`]);
    for (const [kind, list] of Object.entries(long ? found : {})) {
      assert.ok(list.length === 0 || median(list) <= paintBar, `${variant}, ${kind}: ${list.join(' ')} ms from a touch to the paint`);
    }
    assert.ok(found.move.length > 0);
    await page.context().close();
  }
});

// others lets the other seats move until it is seat 1's turn again.
async function others(id, next) {
  for (;;) {
    const { awaited, status } = await (await club.api(1)).get(`/games/${id}`);
    if (status !== 'running' || awaited.includes(1)) return;
    const api = await club.api(awaited[0]);
    const game = await api.get(`/games/${id}`);
    await api.post(`/games/${id}/moves`, { seat: awaited[0], turn: game.turn, move: pick(game.legal[awaited[0]], next) });
  }
}
