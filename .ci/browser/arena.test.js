// A short arena: created with the form, four players on phones, one of them without scripts. The page opens each game,
// half of the time is taken, a link leads back, and the standings of open pages change by little. In the hall the wall
// calls to the boards, two phones report a result, and the desk enters others and sees how long each game goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from './api.js';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, password } from './program.js';

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

// What people wait for comes with a tick of the arena, however long a busy machine takes for it: the whole has a limit, not each
// wait, and nothing in the arena ends by itself meanwhile.
const long = 300_000; // ms
const waits = (page) => {
  page.context().setDefaultTimeout(0);
  return page;
};

test('four phones in an arena', { timeout: long }, async () => {
  const page = await enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/tournaments/new`);
  await page.getByLabel('Name', { exact: true }).fill('Tuesday Arena');
  await page.locator('#variant').selectOption('quixo/duel');
  await page.locator('#format').selectOption('arena');
  await page.locator('#control').selectOption('900+10');
  await page.locator('input[name=venue][value=server]').check();
  await page.getByText('Everything else').click();
  await page.getByLabel('Length in minutes').fill('60');
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
    const view = waits(await enter(program, browser, name, { ...phone, javaScriptEnabled: scripts }));
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
  for (const one of people.filter((p) => p.scripts)) await one.view.waitForURL('**/games/**');
  const last = people[3];
  await last.view.goto(arena); // without scripts the page has the link; all are paired by the same tick
  await last.view.getByRole('link', { name: 'To the board' }).first().click();
  await last.view.waitForURL('**/games/**');

  // Half of the time, on the phone.
  await first.view.getByRole('button', { name: 'Half of the time, one point more' }).click();
  await first.view.getByText('plays with half of the time').first().waitFor({ state: 'attached' });
  await sound(first.view, first.wrong);

  // Who moves first moves, the other too, and then gives up.
  const reader = waits(await (await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })).newPage());
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
  await second.view.waitForURL('**/games/**'); // paired again at once

  await last.view.goto(arena);
  await last.view.getByRole('button', { name: 'Pause after this game' }).click();
  await last.view.getByRole('button', { name: 'Go on after this game' }).waitFor();
  await page.goto(`${program.url}/tournaments/${id}/desk?tab=results`);
  await sound(page, faults);
});

// seen looks at a page in three languages, light and dark, and takes pictures where they are wanted.
async function seen(path, name, state) {
  for (const [locale, colorScheme] of [['en-GB', 'light'], ['de-DE', 'dark'], ['fr-FR', 'light']]) {
    const context = await browser.newContext({ locale, colorScheme, viewport: { width: 390, height: 800 }, storageState: state });
    const page = await context.newPage();
    const wrong = watch(page, program.url);
    await page.goto(program.url + path);
    assert.deepEqual(await accessibility(page), [], `${path} ${locale} ${colorScheme}`);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await overflow(page), [], `${path} ${locale} ${width}`);
      if (!process.env.QUATUOR_PICTURES) continue;
      await page.screenshot({ path: `${process.env.QUATUOR_PICTURES}/${name}-${locale.slice(0, 2)}-${width}-${colorScheme}.png` });
    }
    assert.deepEqual(wrong, []);
    await context.close();
  }
}

test('wall, desk and two phones in the hall', { timeout: long }, async () => {
  const made = await olga.post('/tournaments', {
    name: 'Hall Arena', variant: 'quixo/duel', format: 'arena', time_control: '300', venue: 'hall',
    pairing: { arena: { length: 30, tick: 1, patience: 1, boards: 2 } },
  });
  const id = made.id;
  const at = `/tournaments/${id}`;
  await olga.post(`${at}/open`);
  const phones = [];
  for (const name of ['hall1', 'hall2']) {
    await olga.post('/accounts', { login: name, password, player_name: `Player ${name}` });
    const view = waits(await enter(program, browser, name, phone));
    const wrong = watch(view, program.url);
    await view.goto(`${program.url}${at}/arena`);
    await view.getByRole('button', { name: 'Play', exact: true }).click();
    await view.getByText('You are there. It begins').waitFor();
    phones.push({ view, wrong });
  }
  const desk = waits(await enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB' }));
  const faults = watch(desk, program.url);
  const wall = waits(await (await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })).newPage());
  const unwell = watch(wall, program.url);
  await olga.post(`${at}/start`);
  await wall.goto(`${program.url}${at}/wall`);
  await wall.locator('.calls .line', { hasText: 'Board 1' }).filter({ hasText: 'Player hall1' }).filter({ hasText: 'Player hall2' }).waitFor();
  const size = await wall.locator('.calls .line').first().evaluate((line) => parseFloat(getComputedStyle(line).fontSize));
  assert.ok(size >= 40, `a call is typed in ${size} px`);
  for (const { view } of phones) await view.getByText('Board 1', { exact: true }).waitFor();

  // Two who come without phones are entered at the desk, tapped in, and called to the other board.
  await desk.goto(`${program.url}${at}/desk?tab=entries`);
  await desk.locator('#names').fill('Guest Ada\nGuest Bert');
  await desk.getByRole('button', { name: 'Add', exact: false }).first().click();
  for (const name of ['Guest Ada', 'Guest Bert']) {
    await desk.locator('.desk-entries button.mark', { hasText: name }).click();
    await desk.locator('.desk-entries button.mark[aria-pressed=true]', { hasText: name }).waitFor();
  }
  await sound(desk, faults);
  await wall.locator('.calls .fresh', { hasText: 'Board 2' }).filter({ hasText: 'Guest Ada' }).waitFor();
  await desk.goto(`${program.url}${at}/desk?tab=results`);
  await desk.getByText(/^\d+ minutes?$/).first().waitFor();
  await sound(desk, faults);
  const state = await desk.context().storageState();
  await seen(`${at}/wall`, 'wall');
  await seen(`${at}/arena`, 'phone', await phones[0].view.context().storageState());
  await seen(`${at}/desk?tab=results`, 'results', state);
  await seen(`${at}/desk?tab=entries`, 'entries', state);
  await seen(`${at}/print/cards`, 'cards', state);

  // Both report from their phones, and the wall loses the call.
  for (const [k, { view, wrong }] of phones.entries()) {
    await sound(view, wrong);
    await view.getByRole('link', { name: 'Enter the result' }).click();
    await view.waitForURL('**/r/**');
    if (k === 0) await view.locator('.phone-button', { hasText: 'I won' }).click();
    else await view.locator('.phone-button', { hasText: 'Yes' }).first().click();
    await view.waitForLoadState();
  }
  await wall.locator('[data-part=standings] .line', { hasText: '2' }).first().waitFor();
  await phones[0].view.goto(`${program.url}${at}/arena`);
  await phones[0].view.getByRole('button', { name: 'Pause' }).first().click();

  // The desk finds the other game by the number of its board.
  await desk.goto(`${program.url}${at}/desk?tab=results`);
  await desk.locator('form[data-board="2"] label', { hasText: '1–0' }).click();
  await wall.locator('[data-part=standings] .line', { hasText: 'Guest' }).filter({ hasText: '2' }).first().waitFor();
  assert.deepEqual(unwell, []);
});
