// A short arena: created with the form, four players on phones, one of them without scripts. The page opens each game,
// half of the time is taken, a link leads back, and the standings of open pages change by little.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { enter } from './people.js';
import { organiser, password, start } from './program.js';

let program, browser, olga;

before(async () => {
  program = await start();
  browser = await launch();
  olga = await login(program.url, organiser);
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// sound fails for what axe finds, for sideways scrolling at three widths, and for what went wrong on a page.
async function sound(page, faults) {
  assert.deepEqual(await accessibility(page), [], page.url());
  const size = page.viewportSize();
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await overflow(page), [], page.url());
  }
  await page.setViewportSize(size);
  assert.deepEqual(faults, [], page.url());
}

const phone = { viewport: { width: 390, height: 800 }, locale: 'en-GB' };

test('four phones in an arena', async () => {
  const page = await enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/tournaments/new`);
  await page.getByLabel('Name', { exact: true }).fill('Tuesday Arena');
  await page.locator('#variant').selectOption('quixo/duel');
  await page.locator('#format').selectOption('arena');
  await page.locator('#control').selectOption('180+2');
  await page.locator('input[name=venue][value=server]').check();
  await page.getByText('Everything else').click();
  await page.getByLabel('Length in minutes').fill('3');
  await page.getByLabel('Seconds between two pairings').fill('1');
  await page.getByLabel('Seconds of patience').fill('1');
  await sound(page, faults);
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.waitForURL('**/desk**');
  const id = page.url().match(/tournaments\/([^/]+)/)[1];
  const arena = `${program.url}/tournaments/${id}/arena`;
  await olga.post(`/tournaments/${id}/open`);

  const people = [];
  for (const name of ['arena1', 'arena2', 'arena3', 'arena4']) {
    await olga.post('/accounts', { login: name, password, player_name: `Player ${name}` });
    const scripts = name !== 'arena4';
    const view = await enter(program, browser, name, { ...phone, javaScriptEnabled: scripts });
    const wrong = watch(view, program.url);
    await view.goto(`${program.url}/tournaments/${id}`);
    await view.getByRole('link', { name: 'Play in the arena' }).click();
    if (name === 'arena1') await sound(view, wrong);
    await view.getByRole('button', { name: 'Play', exact: true }).click();
    await view.getByText('You are there. It begins').waitFor();
    people.push({ view, wrong, scripts, api: await login(program.url, name) });
  }
  await olga.post(`/tournaments/${id}/start`);
  const [first, second] = people;
  for (const one of people.filter((p) => p.scripts)) await one.view.waitForURL('**/games/**', { timeout: 30_000 });
  const last = people[3];
  await last.view.goto(arena); // without scripts the page has the link
  await last.view.getByRole('link', { name: 'To the board' }).first().click();
  await last.view.waitForURL('**/games/**');

  // Half of the time, on the phone.
  await first.view.getByRole('button', { name: 'Half of the time, one point more' }).click();
  await first.view.getByText('plays with half of the time').first().waitFor({ state: 'attached' });
  await sound(first.view, first.wrong);

  // Who moves first moves, the other too, and then gives up.
  const reader = await (await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })).newPage();
  const seen = watch(reader, program.url);
  await reader.goto(`${program.url}/tournaments/${id}`);
  const games = new Set((await olga.get(`/tournaments/${id}/arena`)).rows.map((row) => row.game_id));
  assert.equal(games.size, 2);
  for (const game of games) {
    const seats = (await olga.get(`/games/${game}`)).seats.map((seat) => seat.player.id);
    const by = (seat) => people.find((p) => p.api.player === seats[seat - 1]).api;
    await by(1).post(`/games/${game}/moves`, { seat: 1, turn: 1, move: 'c1-c5' });
    await by(2).post(`/games/${game}/moves`, { seat: 2, turn: 2, move: 'a1-e1' });
    await by(1).post(`/games/${game}/resign`);
  }
  await reader.locator('.arena .points').filter({ hasText: '2' }).first().waitFor();
  await sound(reader, seen);
  await reader.goto(`${program.url}/tournaments/${id}?tab=standings`);
  await sound(reader, seen);
  await second.view.getByRole('link', { name: 'Back to the arena' }).waitFor();
  await second.view.goto(arena);
  await second.view.waitForURL('**/games/**', { timeout: 30_000 }); // paired again at once

  await last.view.goto(arena);
  await last.view.getByRole('button', { name: 'Pause after this game' }).click();
  await last.view.getByRole('button', { name: 'Go on after this game' }).waitFor();
  await page.goto(`${program.url}/tournaments/${id}/desk?tab=results`);
  await sound(page, faults);
});
