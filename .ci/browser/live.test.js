// A page that is open while a game goes on.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { player, start } from './program.js';

let program, browser, one, two;

before(async () => {
  program = await start();
  browser = await launch();
  [one, two] = await Promise.all([login(program.url, player(1)), login(program.url, player(2))]);
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// newGame opens a game between the two, with clocks running, and returns its id.
async function newGame(variant) {
  const seats = [{ player_id: one.player }, { player_id: two.player }];
  const game = await one.post('/games', { variant, seats, time_control: '300+3', rated: false, start: 'now' });
  return game.id;
}

// move makes the first legal move of the awaited player.
async function move(id) {
  const { awaited } = await one.get(`/games/${id}`);
  const mover = awaited[0] === 1 ? one : two;
  const game = await mover.get(`/games/${id}`);
  const token = game.legal[awaited[0]][0];
  await mover.post(`/games/${id}/moves`, { seat: awaited[0], turn: game.turn, move: token });
  return token;
}

// shown waits until the page shows a number of moves, and returns the last of them.
async function shown(page, count) {
  const folded = page.locator('.moves-box:not([open]) > summary');
  if (await folded.count()) await folded.click(); // as on a phone
  const moves = page.getByRole('region', { name: 'Moves' });
  await moves.locator('.time').nth(count - 1).waitFor();
  return moves.locator('.latest').innerText();
}

// following opens a game's page and returns once it follows the game.
async function following(context, id) {
  const page = await context.newPage();
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/games/${id}`);
  await page.locator('html[data-following]').waitFor({ state: 'attached' });
  await page.evaluate(() => { window.notReloaded = true; });
  return { page, faults };
}

for (const variant of ['quixo/duel', 'quits/duel', 'quivive/duel']) {
  test(`${variant}: moves appear on an open page`, async () => {
    const id = await newGame(variant);
    const { page, faults } = await following(browser, id);
    const board = page.locator('[data-part="board"]');
    for (let n = 1; n <= 4; n++) {
      const before = await board.innerHTML();
      const token = await move(id);
      assert.equal(await shown(page, n), token);
      assert.notEqual(await board.innerHTML(), before, `${token} changes the board`);
    }
    assert.equal(await page.evaluate(() => window.notReloaded), true);
    assert.deepEqual(await accessibility(page), []);
    assert.deepEqual(faults, []);
    await page.close();
  });
}

test('a running clock ticks, and the focus stays where it is', async () => {
  const id = await newGame('quixo/duel');
  await move(id);
  const { page, faults } = await following(browser, id);
  const before = await page.locator('[data-clock]').innerText();
  await page.waitForFunction((text) => document.querySelector('[data-clock]').textContent !== text, before);
  await page.getByRole('region', { name: 'Moves' }).focus();
  const token = await move(id);
  assert.equal(await shown(page, 2), token);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Moves');
  assert.deepEqual(faults, []);
  await page.close();
});

test('the end of a game appears, with who won', async () => {
  const id = await newGame('quits/duel');
  const { page, faults } = await following(browser, id);
  await two.post(`/games/${id}/resign`, {});
  await page.locator('.announce').getByText('won').waitFor();
  assert.match(await page.locator('.announce').innerText(), /resigned/);
  assert.equal(await page.locator('[data-clock]').count(), 0, 'no clock runs any more');
  assert.deepEqual(faults, []);
  await page.close();
});

test('two windows of one game, a phone and a desk, show the same', async () => {
  const id = await newGame('quixo/duel');
  const phone = await browser.newContext({ viewport: { width: 390, height: 800 } });
  const pages = [await following(phone, id), await following(browser, id)];
  const token = await move(id);
  for (const { page, faults } of pages) {
    assert.equal(await shown(page, 1), token);
    assert.deepEqual(await overflow(page), []);
    assert.deepEqual(faults, []);
  }
  const boards = await Promise.all(pages.map(({ page }) => page.locator('[data-part="board"]').innerHTML()));
  assert.equal(boards[0], boards[1]);
  await phone.close();
  await pages[1].page.close();
});
