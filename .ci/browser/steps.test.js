// After and beside a game: stepping through it, replay, neighbours, flip, share, and the analysis board; with scripts and
// without.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { password, player, start } from './program.js';

let program;
let browser;
let ended; // finished games of the evening

before(async () => {
  program = await start();
  browser = await launch();
  const api = await login(program.url, player(1));
  const { items } = await api.get('/games?status=finished&limit=100');
  ended = items;
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

async function open(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  const page = await context.newPage();
  page.faults = watch(page, program.url);
  await page.goto(program.url + address);
  return page;
}

const finished = () => ended.find((game) => game.plies > 30);
const place = (page, text) => page.locator('.stepping .at', { hasText: text }).waitFor();
const unfold = (page) => page.locator('.moves-box > summary').click();
const picture = (page) => page.locator('.board:visible desc').first().textContent();

async function sound(page, scripts = true) {
  for (const width of [360, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    assert.deepEqual(await overflow(page), [], `${page.url()} at ${width}`);
    if (scripts) assert.deepEqual(await accessibility(page), [], `${page.url()} at ${width}`);
  }
}

test('a game is stepped through by links, keys and the slider, without loading its page', async () => {
  const game = finished();
  const page = await open(`/games/${game.id}`);
  await page.evaluate(() => { window.same = true; });
  const last = await picture(page);
  await page.keyboard.press('Home');
  await place(page, `After move 0 of ${game.plies}`);
  await page.waitForURL(/ply=0$/);
  const first = await picture(page);
  await page.keyboard.press('ArrowRight');
  await place(page, 'After move 1 of');
  await page.waitForURL(/ply=1$/);
  assert.notEqual(await picture(page), first);
  assert.equal(await page.locator('.moves a[aria-current="step"]').getAttribute('data-ply'), '1');
  await page.locator('[data-steps=slider]').fill('27'); // beyond what is sent at once
  await page.waitForURL(/ply=27$/);
  const there = await picture(page);
  await sound(page);
  await unfold(page);
  await page.locator('.moves a[data-ply="5"]').click();
  await page.waitForURL(/ply=5$/);
  await page.getByRole('link', { name: 'Now' }).click();
  await page.waitForURL(`${program.url}/games/${game.id}`);
  assert.equal(await picture(page), last);
  assert.equal(await page.evaluate(() => window.same), true, 'the page was loaded again');
  assert.deepEqual(page.faults, []);

  const plain = await open(`/games/${game.id}?ply=27`, { javaScriptEnabled: false });
  assert.equal(await picture(plain), there, 'scripts show another position than the page');
  await plain.getByRole('link', { name: 'One move on' }).click();
  await place(plain, 'After move 28 of');
  await unfold(plain);
  await plain.locator('.moves a[data-ply="3"]').click();
  await place(plain, 'After move 3 of');
  assert.equal(await plain.locator('.replay').isVisible(), false);
  assert.deepEqual(plain.faults, []);
  await Promise.all([page, plain].map((one) => one.context().close()));
});

test('a game is played again with its times, from a position that was loaded as such', async () => {
  const game = finished();
  const page = await open(`/games/${game.id}?ply=${game.plies - 6}`, { reducedMotion: 'reduce' });
  await page.locator('[data-steps=speed]').selectOption('16');
  await page.locator('[data-steps=play]').click();
  await page.getByRole('button', { name: 'Stop' }).waitFor();
  await place(page, `After move ${game.plies} of ${game.plies}`);
  await page.getByRole('button', { name: 'Replay' }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('the board is turned, and leads to its neighbours; what is shared says the position', async () => {
  const game = ended.find((one) => one.tournament?.board > 1 && one.plies > 8 && one.variant !== 'quiwin/duel');
  const page = await open(`/games/${game.id}?ply=3`, { permissions: ['clipboard-read', 'clipboard-write'] });
  const corner = page.locator('[role=gridcell]').first();
  const before = await corner.getAttribute('data-square');
  await page.getByRole('link', { name: 'Turn the board' }).click();
  await page.waitForURL(/flip=1/);
  assert.notEqual(await corner.getAttribute('data-square'), before);
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(/ply=4.*flip=1|flip=1.*ply=4/);
  await page.getByRole('link', { name: 'Share' }).click();
  await page.getByText('The link is copied.').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${program.url}/games/${game.id}?ply=4`);
  await page.goto(`${program.url}/games/${game.id}`); // the page remembers
  await page.waitForURL(/flip=1/);
  await page.locator('.neighbours a').first().click();
  await page.waitForURL((url) => !url.href.includes(game.id));
  assert.match(await page.locator('.facts').first().textContent(), new RegExp(`board ${game.tournament.board - 1}`));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('who looks at an earlier position is told that the game has gone on', async () => {
  const both = [await login(program.url, player(1)), await login(program.url, player(2))];
  const seats = both.map((api) => ({ player_id: api.player }));
  const game = await both[0].post('/games', { variant: 'quixo/duel', seats, time_control: '600', start: 'now' });
  if (game.status === 'waiting') await both[1].post(`/games/${game.id}/accept`);
  const move = (seat, turn, text) => both[seat - 1].post(`/games/${game.id}/moves`, { seat, turn, move: text });
  await move(1, 1, 'c1-c5');
  await move(2, 2, 'a1-e1');
  const page = await open(`/games/${game.id}`);
  const loaded = await open(`/games/${game.id}?ply=1`);
  for (const one of [page, loaded]) await one.locator('.replay').waitFor();
  await page.locator('html[data-following]').waitFor({ state: 'attached' });
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/ply=1$/);
  const past = await picture(page);
  await move(1, 3, 'b1-b5');
  for (const one of [page, loaded]) await one.locator('.newer', { hasText: 'The game has gone on.' }).waitFor();
  assert.equal(await picture(page), past);
  await sound(page);
  for (const one of [page, loaded]) {
    await one.getByRole('button', { name: 'Back to the running game' }).click();
    await place(one, 'After move 3 of 3');
    await one.waitForURL(`${program.url}/games/${game.id}`);
    assert.deepEqual(one.faults, []);
    await one.context().close();
  }
});

test('moves are tried on the analysis board by taps, keys and the way back', async () => {
  const game = finished();
  const page = await open(`/games/${game.id}?ply=4`);
  await page.getByRole('link', { name: 'Analyse' }).click();
  await place(page, 'After move 4 of');
  await sound(page);
  for (const choice of ['', '?variant=quiwin/duel']) {
    await page.goto(`${program.url}/analysis${choice}`);
    await sound(page);
  }
  await page.goto(`${program.url}/analysis?variant=quixo/duel`);
  await page.evaluate(() => { window.same = true; });
  for (const square of ['c1', 'c5']) await page.locator(`[data-square="${square}"]`).click();
  await page.waitForURL(/moves=c1-c5$/);
  await place(page, 'After move 1 of 1');
  await page.locator('[role=gridcell][tabindex="0"]').focus();
  for (const key of ['a', '1', 'Enter', 'e', '1', ' ']) await page.keyboard.press(key);
  await page.waitForURL(/moves=c1-c5_a1-e1$/);
  await page.goBack();
  await place(page, 'After move 1 of 1');
  await page.goForward();
  await place(page, 'After move 2 of 2');
  await page.locator('body').click({ position: { x: 2, y: 2 } });
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/ply=1$/);
  assert.equal(await page.evaluate(() => window.same), true, 'the page was loaded again');
  await page.locator('select[name=move]').selectOption('a2-e2');
  await page.getByRole('button', { name: 'Move', exact: true }).click();
  await page.waitForURL(/moves=c1-c5_a2-e2$/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test('moves are tried without scripts, and hidden tiles of a game only after it', async () => {
  const page = await open('/analysis', { javaScriptEnabled: false });
  await sound(page, false);
  await page.locator('a[href="/analysis?variant=quiwin/duel"]').click();
  for (let i = 1; i <= 2; i++) {
    const form = page.locator('form.try').first();
    await form.locator('select').selectOption({ index: 1 });
    await form.getByRole('button').click();
    await place(page, `After move ${i} of ${i}`);
  }
  await sound(page, false);
  await page.locator('.line button').first().click();
  await place(page, 'After move 1 of 2');
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
