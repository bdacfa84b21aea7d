// The form of a new tournament with and without scripts: what it makes is summed up beside it, and tie-breaks are put in
// order by the keyboard. The club's list of players fits on two screens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { organiser, password } from './program.js';

async function desk(options) {
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(`${program.url}/login?next=/tournaments/new`);
  await page.getByLabel('Login', { exact: true }).fill(organiser);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'New tournament' }).waitFor();
  return page;
}

// made creates the tournament and returns it as the API shows it.
async function made(page) {
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.waitForURL(/\/desk\?/);
  return olga.get(`/tournaments/${/tournaments\/([^/]+)\/desk/.exec(page.url())[1]}`);
}

test('the summary follows the form, and tie-breaks are ordered by the keyboard', async () => {
  const page = await desk({ viewport: { width: 1280, height: 800 } });
  const faults = watch(page, program.url);
  const card = page.locator('#summary');
  const says = async (text) => card.getByText(text).waitFor();
  await says('Swiss system · 5 rounds · in the hall · rated · about 2 h 30 min');
  await page.getByLabel('Name', { exact: true }).fill('Ordered');
  await page.getByText('Everything else').click();
  await page.getByLabel('Rounds', { exact: true }).fill('7');
  await page.getByLabel('on the server').check();
  await says('Swiss system · 7 rounds · on the server · rated · about 3 h 30 min');
  await page.locator('#other_control').fill('7 min + 5 s');
  await page.locator('#max_entries').fill('20');
  await says('20 places');
  await says('about 2 h 48 min');
  const form = await page.locator('.settings-form > .form').boundingBox();
  const beside = await card.boundingBox();
  assert.ok(form && beside && beside.x >= form.x + form.width && beside.y < 300, 'the summary is beside the form');

  const up = page.getByRole('button', { name: 'Up: SB – Sonneborn-Berger' });
  await up.focus();
  for (let i = 0; i < 3; i++) await page.keyboard.press('Enter'); // the button keeps the focus
  assert.equal(await page.getByLabel('Tie-breaks', { exact: true }).inputValue(), 'SB, BH/C1, BH, DE, WIN');
  await page.getByRole('button', { name: 'Leave out: WIN – Number of wins' }).press('Enter');
  await page.getByLabel('Add', { exact: true }).selectOption('PS');
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual((await made(page)).tie_breaks, ['SB', 'BH/C1', 'BH', 'DE', 'PS']);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('another format has other tie-breaks, and only what fits it is shown', async () => {
  const page = await desk({ viewport: { width: 390, height: 800 } });
  await page.getByLabel('Name', { exact: true }).fill('Other format');
  await page.getByText('Everything else').click();
  await page.locator('#format').selectOption('round_robin');
  await page.getByRole('button', { name: 'Up: SB – Sonneborn-Berger' }).click();
  assert.equal(await page.getByLabel('Tie-breaks', { exact: true }).inputValue(), 'SB, DE, WIN');
  assert.ok(await page.getByLabel('accelerated').isHidden());
  await page.locator('#format').selectOption('knockout');
  await page.locator('.picks').waitFor({ state: 'detached' });
  assert.ok(await page.getByLabel('match for the third place').isVisible());
  assert.deepEqual((await made(page)).tie_breaks, []);
  await page.context().close();
});

test('without scripts tie-breaks are picked place by place', async () => {
  const page = await desk({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } });
  await page.getByLabel('Name', { exact: true }).fill('Plain');
  await page.getByText('Everything else').click();
  await page.getByLabel('No. 1').selectOption('DE');
  await page.getByLabel('No. 2').selectOption('SB');
  for (const n of [3, 4, 5]) await page.getByLabel(`No. ${n}`).selectOption('');
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual((await made(page)).tie_breaks, ['DE', 'SB']);
  await page.context().close();
});

test('eighty people are on two screens, and found by name', async () => {
  for (let i = 0; i < 80; i++) await olga.post('/players', { name: `Person ${i}`, club: 'Tuesday Club' });
  const page = await desk({ viewport: { width: 1280, height: 800 } });
  const height = (selector) => page.locator(selector).evaluate((list) => list.getBoundingClientRect().height);
  await page.goto(`${program.url}/players`);
  const end = await page.locator('.directory').evaluate((list) => list.getBoundingClientRect().bottom);
  assert.ok(end <= 1600, `the list of players ends at ${end}`);
  await page.getByLabel('Name', { exact: true }).fill('Person 79');
  await page.getByRole('button', { name: 'Search' }).click();
  assert.equal(await page.locator('.directory > li').count(), 1);
  await page.goto(`${program.url}/admin`);
  const row = await height('.accounts:not(.unclaimed)') / Math.ceil(await page.locator('.accounts:not(.unclaimed) > li').count() / 2);
  assert.ok(row <= 40, `an account takes ${row}, in two columns`);
  const tall = await height('.unclaimed');
  assert.ok(tall <= 1600, `players without an account take ${tall}`);
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await accessibility(page), []);
  await page.context().close();
});
