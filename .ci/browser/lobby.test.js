// Games that wait for players, and a player's first page, in two to four browsers.
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

// people logs some players in, each in a browser of its own. They accept each game themselves.
async function people(numbers, options = {}) {
  const all = [];
  for (const n of numbers) {
    const page = await enter(program, browser, player(n), { viewport: { width: 390, height: 844 }, ...options });
    await page.goto(`${program.url}/me`);
    await page.getByLabel('Challenges', { exact: true }).selectOption('');
    await page.locator('form[action="/me/player"]').getByRole('button').click();
    await page.getByText('Saved.').waitFor();
    all.push({ page, context: page.context(), api: await login(program.url, player(n)) });
  }
  return all;
}

const close = (all) => Promise.all(all.map(({ context }) => context.close()));

// opens makes a game that waits, by the form.
async function opens(page, choice, rest) {
  await page.goto(`${program.url}/play`);
  await page.locator('#variant').selectOption(choice);
  await page.locator('#rest').selectOption(rest);
  await page.locator('#first').selectOption('me');
  await page.getByRole('button', { name: 'Open game' }).click();
  await page.waitForURL(/\/play\/[^/]+$/);
}

// sound demands of a page that it fits its window at every width, and that axe finds nothing.
async function sound(page) {
  for (const width of [360, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(wide, 0, `${page.url()} scrolls sideways at ${width} px`);
  }
  assert.deepEqual(await accessibility(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
}

test('a game is opened by its link, and both come to the board', async () => {
  const all = await people([1, 2]);
  const [ada, bob] = all.map(({ page }) => page);
  await opens(ada, 'quixo/duel:2', 'link');
  await sound(ada);
  const link = await ada.locator('.handout a').getAttribute('href');
  assert.match(link, /\/play\/[^?]+\?code=/);
  assert.ok(await ada.locator('.handout svg').isVisible());
  await bob.goto(link.split('?')[0]);
  assert.equal(await bob.getByRole('button', { name: 'Sit down' }).count(), 0);
  await bob.goto(link);
  await sound(bob);
  await bob.getByRole('button', { name: 'Sit down' }).click();
  await Promise.all([ada, bob].map((page) => page.waitForURL(/\/games\//)));
  await ada.goto(`${program.url}/`);
  await ada.waitForFunction(() => document.title.startsWith('It is your turn'));
  await sound(ada);
  await close(all);
});

test('a table of four fills up before all eyes, and starts with the last seat', async () => {
  const all = await people([1, 2, 3, 4]);
  const [host, ...others] = all.map(({ page }) => page);
  await others[2].goto(`${program.url}/play`);
  await opens(host, 'quixo/teams:4', 'open');
  await others[2].locator('[data-part="lobby-others"]').getByText('3 free seats').waitFor(); // without a reload
  await sound(others[2]);
  const address = host.url();
  for (const [i, page] of others.slice(0, 2).entries()) {
    await page.goto(address);
    await page.getByRole('button', { name: 'Sit down' }).click();
    await page.getByRole('button', { name: 'Leave the seat' }).waitFor();
    await host.locator('.table-state').getByText(i === 0 ? '2 free seats' : '1 free seat').waitFor();
  }
  await others[0].getByLabel('A word').fill('Back <b>soon</b>');
  await others[0].getByRole('button', { name: 'Leave the seat' }).click();
  await others[0].getByText('You have left the seat.').waitFor();
  await host.locator('.table-state').getByText('2 free seats').waitFor();
  for (const page of [others[0], others[2]]) {
    await page.goto(address);
    await page.getByRole('button', { name: 'Sit down' }).click();
  }
  await Promise.all([host, ...others].map((page) => page.waitForURL(/\/games\//)));
  const game = await all[0].api.get(`/games/${address.split('/').pop()}`);
  assert.equal(game.status, 'running');
  assert.equal(game.events.filter(({ kind }) => kind === 'start').length, 1);
  await close(all);
});

test('a challenge shows at once, and is declined with a word; another is cancelled', async () => {
  const all = await people([5, 6]);
  const [ada, bob] = all.map(({ page }) => page);
  await bob.goto(`${program.url}/`);
  const seats = all.map(({ api }) => ({ player_id: api.player }));
  const { id } = await all[0].api.post('/games', { variant: 'quits/duel', seats, time_control: '600' });
  const line = bob.locator('[data-part="invitations"]').getByRole('link', { name: /Decline, with a word/ });
  await line.waitFor(); // without a reload
  await sound(bob);
  await line.click();
  await sound(bob);
  await ada.goto(`${program.url}/play/${id}`);
  await bob.getByLabel('A word').fill('<i>Not today</i>');
  await bob.getByRole('button', { name: 'Decline' }).click();
  await bob.getByText('Declined.').waitFor();
  await ada.getByText('The game was broken off.').waitFor();
  await ada.reload();
  await ada.getByText(': <i>Not today</i>').waitFor();
  await opens(ada, 'quivive/duel:2', 'open');
  await bob.goto(ada.url());
  await ada.getByRole('button', { name: 'Cancel the game' }).click();
  await ada.getByText('The game is cancelled.').waitFor();
  await bob.getByText('The game was broken off.').waitFor();
  await close(all);
});

test('all of it works with scripts off', async () => {
  const all = await people([7, 8], { javaScriptEnabled: false });
  const [ada, bob] = all.map(({ page }) => page);
  await opens(ada, 'quixo/duel:2', 'open');
  const address = ada.url();
  await bob.goto(`${program.url}/play`);
  await bob.locator(`a[href="${new URL(address).pathname}"]`).click();
  await bob.getByRole('button', { name: 'Sit down' }).click();
  await bob.waitForURL(/\/games\//);
  await ada.reload();
  assert.match(ada.url(), /\/games\//);
  await ada.goto(`${program.url}/`);
  assert.match(await ada.title(), /^It is your turn/);
  await close(all);
});
