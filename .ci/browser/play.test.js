// Playing on the board: by taps, by keys alone, with scripts off, and over a line that breaks.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch } from './chromium.js';
import { enter } from './people.js';
import { player, start } from './program.js';

let program;
let browser;

before(async () => {
  program = await start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// people logs two players in, each in a browser of its own.
async function people(options = {}) {
  const both = [];
  for (const n of [1, 2]) {
    const page = await enter(program, browser, player(n), { viewport: { width: 390, height: 844 }, ...options });
    both.push({ page, context: page.context(), api: await login(program.url, player(n)) });
  }
  return both;
}

// open makes a game of the two, and opens its page in both browsers.
async function open(both, variant = 'quixo/duel') {
  const seats = both.map(({ api }) => ({ player_id: api.player }));
  const game = await both[0].api.post('/games', { variant, seats, time_control: '600', start: 'now' });
  if (game.status === 'waiting') await both[1].api.post(`/games/${game.id}/accept`);
  for (const { page } of both) await page.goto(`${program.url}/games/${game.id}`);
  return game.id;
}

const close = (both) => Promise.all(both.map(({ context }) => context.close()));
const state = (both, id) => both[0].api.get(`/games/${id}`);
const cell = (page, square) => page.locator(`[role=gridcell][data-square="${square}"]`);

// xs is a game of Quixo that seat 1 wins with its fifth move.
const xs = ['a1-a5', 'e1-a1', 'b1-b5', 'e1-a1', 'c1-c5', 'e1-a1', 'd1-d5', 'e1-a1', 'e1-e5'];

test('a game is played by taps, and each sees the other move', async () => {
  const both = await people();
  const id = await open(both);
  for (const [i, move] of xs.entries()) {
    const { page } = both[i % 2];
    await page.locator('.board-box.plays').waitFor(); // it takes a move
    const [from, to] = move.split('-');
    await cell(page, from).click();
    await cell(page, to).click();
    await page.locator(`.board-box[data-turn="${i + 2}"]`).waitFor();
  }
  assert.equal((await state(both, id)).status, 'finished');
  await both[1].page.getByText(/won\./).first().waitFor();
  assert.deepEqual(await accessibility(both[0].page), []);
  await close(both);
});

test('a game is played by keys alone', async () => {
  const both = await people();
  const id = await open(both, 'quits/duel');
  for (const [i, squares] of [['b2', 'c3'], ['d4', 'c5']].entries()) {
    const { page, api } = both[i];
    await page.locator('.board-box.plays').waitFor(); // it takes a move
    const { legal } = await api.get(`/games/${id}`);
    const move = legal[i + 1].find((one) => one.startsWith(`${squares[0]}-`)) ?? legal[i + 1][0];
    const [from, to] = move.match(/[a-e][1-5]/g);
    await page.locator('[role=gridcell][tabindex="0"]').focus();
    for (const key of [from[0], from[1], 'Enter', to[0], to[1], ' ']) await page.keyboard.press(key);
    await page.locator(`.board-box[data-turn="${i + 2}"]`).waitFor();
  }
  assert.equal((await state(both, id)).turn, 3);
  await close(both);
});

test('a game is played with scripts off, and resigning is asked once more', async () => {
  const both = await people({ javaScriptEnabled: false });
  const id = await open(both);
  for (const [i, move] of xs.slice(0, 4).entries()) {
    const { page } = both[i % 2];
    await page.goto(`${program.url}/games/${id}`);
    await page.locator('select[name=move]').selectOption(move);
    await page.getByRole('button', { name: 'Move', exact: true }).click();
    await page.getByText('Your move was played.').waitFor();
  }
  const { page } = both[0];
  await page.getByRole('button', { name: 'Resign' }).click();
  assert.equal((await state(both, id)).status, 'running');
  await page.getByRole('button', { name: 'Confirm' }).click();
  assert.equal((await state(both, id)).status, 'finished');
  await page.getByRole('link', { name: 'First position' }).click();
  await page.getByText('After move 0 of 4').waitFor();
  await close(both);
});

test('a move made without a line is kept, and sent once', async () => {
  const both = await people();
  const id = await open(both);
  const [{ page, context }] = both;
  await context.setOffline(true);
  await cell(page, 'a1').click();
  await cell(page, 'a5').click();
  await page.getByText('is not sent yet').waitFor();
  assert.equal((await state(both, id)).turn, 1);
  await context.setOffline(false);
  await page.locator('.board-box[data-turn="2"]').waitFor();
  await page.locator('.unsent').waitFor({ state: 'detached' });
  assert.equal((await state(both, id)).turn, 2);
  await close(both);
});
