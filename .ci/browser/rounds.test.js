// The desk's rounds: an open of 200 players with results typed blind, two arbiters at the same time, and a small
// tournament without scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, overflowAt, tablet, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser } from './program.js';

// open starts a Swiss on boards in the hall, with this many players, and returns its id.
async function open(name, players) {
  const { id } = await olga.post('/tournaments', {
    name, variant: 'quixo/duel', format: 'swiss', rounds: 5, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  for (let n = 1; n <= players; n++) {
    await olga.post(`/tournaments/${id}/entries`, { name: `Player ${String(n).padStart(3, '0')}`, rating: 2400 - n });
  }
  await olga.post(`/tournaments/${id}/start`);
  return id;
}

// arbiter opens a page as the tournaments' organiser.
const arbiter = (options = {}) => enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, ...options });

const tab = (id, name) => `${program.url}/tournaments/${id}/desk?tab=${name}`;

// publish draws up the next round on the page and publishes it.
async function publish(page, id) {
  await page.goto(tab(id, 'round'));
  await page.getByRole('button', { name: 'Pair next round' }).click();
  await page.getByText('draft, not published').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The round is published.').waitFor();
}

const results = async (id, n) => (await olga.get(`/tournaments/${id}/rounds/${n}`)).pairings.map((p) => p.result ?? '');

// sound fails for what axe finds, for sideways scrolling, and for what went wrong on a page.
async function sound(page, faults) {
  assert.deepEqual(await accessibility(page), [], page.url());
  assert.deepEqual(await overflow(page), [], page.url());
  if (page.viewportSize().width > tablet) assert.deepEqual(await overflowAt(page, tablet), [], `${page.url()} at ${tablet}`);
  assert.deepEqual(faults, [], page.url());
}

test('an open of 200: 100 results typed blind, and the next round', async (t) => {
  const id = await open('Large Open', 200);
  const page = await arbiter();
  const faults = watch(page, program.url);
  await publish(page, id);
  await page.goto(tab(id, 'results'));
  await page.getByText('100 of 100 results are missing').waitFor();
  const typed = Array.from({ length: 100 }, (_, i) => '105'[i % 3]);
  const began = Date.now();
  for (const key of typed) await page.keyboard.press(key);
  const keys = Date.now() - began;
  await page.getByText('All results are in.').waitFor();
  await page.getByRole('button', { name: 'Pair next round' }).waitFor();
  const seconds = (Date.now() - began) / 1000;
  const spelt = { 1: '1-0', 0: '0-1', 5: '1/2-1/2' };
  assert.deepEqual(await results(id, 1), typed.map((key) => spelt[key]));
  const wall = await (await browser.newContext({ viewport: { width: 1920, height: 1080 } })).newPage();
  await wall.goto(`${program.url}/tournaments/${id}/wall`);
  const shown = wall.getByText('Round 2', { exact: false }).first();
  assert.equal(await shown.count(), 0);
  const paired = Date.now();
  await page.getByRole('button', { name: 'Pair next round' }).click();
  await page.getByText('draft, not published').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await Promise.all([shown.waitFor(), page.getByText('The round is published.').waitFor()]);
  t.diagnostic(`100 results: ${keys / 1000} s of typing, all stored after ${seconds} s; from there to the next round on the wall: ${(Date.now() - paired) / 1000} s`);
  await wall.context().close();
  await sound(page, faults);

  await page.goto(tab(id, 'results'));
  await page.keyboard.press('f'); // board 1: a forfeit
  await page.keyboard.press('1');
  await page.keyboard.press('0'); // board 2, taken back and corrected
  await page.keyboard.press('Backspace');
  await page.keyboard.press('5');
  for (const key of ['g', '4', '2', 'Enter', '1']) await page.keyboard.press(key);
  await page.locator('#b42[data-state=saved]').waitFor();
  await page.locator('#b2[data-state=saved]').waitFor();
  const now = await results(id, 2);
  assert.deepEqual([now[0], now[1], now[2], now[41]], ['+--', '1/2-1/2', '', '1-0']);
  await sound(page, faults);
  await page.context().close();
});

test('200 players check in by name', async (t) => {
  const { id } = await olga.post('/tournaments', {
    name: 'Long Queue', variant: 'quixo/duel', format: 'swiss', rounds: 5, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  const names = Array.from({ length: 200 }, (_, i) => `Player ${String(i + 1).padStart(3, '0')}`);
  for (const name of names) await olga.post(`/tournaments/${id}/entries`, { name });
  const page = await arbiter({ viewport: { width: 390, height: 844 } });
  await page.goto(tab(id, 'entries'));
  await page.getByRole('button', { name: 'Open check-in' }).click();
  await page.getByText('The check-in is open.').waitFor();
  const began = Date.now();
  for (const name of names) {
    await page.getByLabel('Find').fill(name);
    await page.getByLabel('Find').press('Enter');
  }
  await page.waitForFunction(() => document.querySelector('[data-here]')?.textContent === '200');
  t.diagnostic(`check-in of 200: ${(Date.now() - began) / 1000} s`);
  await page.getByRole('button', { name: 'Close check-in' }).click();
  await page.getByText('The check-in is closed.').waitFor();
  await page.context().close();
});

test('two arbiters, on different boards and on the same', async () => {
  const id = await open('Two Arbiters', 12);
  const [one, two] = [await arbiter(), await arbiter({ viewport: { width: 360, height: 740 } })];
  await publish(one, id);
  await one.goto(tab(id, 'results'));
  await two.goto(tab(id, 'results'));
  await two.locator('html[data-following]').waitFor({ state: 'attached' });
  await one.locator('#b1').getByLabel('1–0').check();
  await two.locator('#b1[data-result="1-0"]').waitFor(); // it comes without reloading
  await one.locator('#b2').getByLabel('0–1').check();
  await two.locator('#b3').getByLabel('½–½').check();
  await one.locator('#b3[data-result="1/2-1/2"]').waitFor();
  await two.locator('#b2[data-result="0-1"]').waitFor();
  assert.deepEqual((await results(id, 1)).slice(0, 3), ['1-0', '0-1', '1/2-1/2']);

  // The second does not hear of what the first enters, and has to confirm.
  await two.route(tab(id, 'results'), (route) => route.abort());
  await two.evaluate(() => dispatchEvent(new Event('offline')));
  await one.locator('#b4').getByLabel('1–0').check();
  await one.locator('#b4[data-state=saved]').waitFor();
  await two.locator('#b4').getByLabel('0–1').check();
  await two.getByRole('alert').getByText('Someone else entered 1 – 0').waitFor();
  assert.equal((await results(id, 1))[3], '1-0');
  assert.deepEqual(await accessibility(two), []);
  await two.getByRole('button', { name: 'Keep theirs' }).click();
  await two.locator('#b4[data-result="1-0"]').waitFor();
  assert.deepEqual(await overflow(two), []);

  // Nor does the second hear of a swap: the question names who sits there now.
  const { pairings } = await olga.get(`/tournaments/${id}/rounds/1`);
  await olga.patch(`/tournaments/${id}/rounds/1`, { edits: [{ kind: 'swap', entries: [pairings[4].seats[0], pairings[5].seats[0]] }] });
  const now = await Promise.all([pairings[5].seats[0], pairings[4].seats[1]].map((entry) => olga.get(`/tournaments/${id}/entries/${entry}`)));
  await two.locator('#b5').getByLabel('1–0').check();
  await two.getByRole('alert').getByText(`Board 5 was re-paired; ${now[0].name} – ${now[1].name} sit there now. Save 1 – 0 for them?`).waitFor();
  assert.equal((await results(id, 1))[4], '');
  await two.unrouteAll({ behavior: 'ignoreErrors' });
  await two.locator('.desk-ask').getByRole('button', { name: 'Save result' }).click();
  await two.locator('#b5[data-state=saved]').waitFor();
  assert.equal((await results(id, 1))[4], '1-0');
  await Promise.all([one, two].map((page) => page.context().close()));
});

test('what cannot be sent is marked, kept and sent again', async () => {
  const id = await open('Broken Line', 8);
  const page = await arbiter();
  await publish(page, id);
  await page.goto(tab(id, 'results'));
  await page.context().setOffline(true);
  await page.keyboard.press('1');
  await page.keyboard.press('0');
  await page.locator('#b1[data-state=unsent]').waitFor();
  await page.getByText('results are kept here and sent again').waitFor();
  assert.deepEqual((await results(id, 1)).slice(0, 2), ['', '']);
  await page.context().setOffline(false);
  await page.locator('#b2[data-state=saved]').waitFor();
  assert.deepEqual((await results(id, 1)).slice(0, 2), ['1-0', '0-1']);
  await page.context().close();
});

test('what was asked before a result was saved does not take it back', async () => {
  const id = await open('Old News', 8);
  const page = await arbiter();
  await publish(page, id);
  await page.goto(tab(id, 'results'));
  let told, goOn;
  const [asked, held] = [new Promise((go) => { told = go; }), new Promise((go) => { goOn = go; })];
  await page.route(tab(id, 'results'), async (route) => {
    await olga.put(`/tournaments/${id}/rounds/1/pairings/4/result`, { result: '1-0' });
    const response = await route.fetch();
    told();
    await held;
    await route.fulfill({ response });
  });
  await page.evaluate(() => dispatchEvent(new Event('offline'))); // after which the page is asked for anew
  await asked;
  await page.locator('#b1').getByLabel('1–0').check();
  await page.locator('#b1[data-state=saved]').waitFor();
  goOn();
  await page.locator('#b4[data-result="1-0"]').waitFor(); // the old answer has come
  assert.equal(await page.locator('#b1').getAttribute('data-result'), '1-0');
  assert.equal(await page.locator('#b1').getAttribute('data-state'), 'saved');
  await page.unrouteAll({ behavior: 'ignoreErrors' }); // the page may be asking again
  await page.context().close();
});

test('a round without scripts: two players swapped, a result, a correction', async () => {
  const id = await open('No Scripts', 8);
  const page = await arbiter({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  const faults = watch(page, program.url);
  await page.goto(tab(id, 'round'));
  await page.getByRole('button', { name: 'Pair next round' }).click();
  const before = (await olga.get(`/tournaments/${id}/rounds/1`)).pairings.map((p) => p.seats);
  await page.locator('#r1 .seat-chip').first().click();
  await page.locator('#r2 .seat-chip').first().click();
  await page.getByRole('button', { name: 'Swap', exact: true }).click();
  await page.getByText('Changed.').waitFor();
  const after = (await olga.get(`/tournaments/${id}/rounds/1`)).pairings.map((p) => p.seats);
  assert.deepEqual([after[0][0], after[1][0]], [before[1][0], before[0][0]]);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.goto(tab(id, 'results'));
  await page.locator('#b1').getByLabel('1–0').check();
  await page.locator('#b1').getByRole('button', { name: 'Save result' }).click();
  await page.getByText('Result saved.').waitFor();
  await page.locator('#b1').getByRole('link', { name: 'More' }).click();
  await page.locator('select[name=result]').selectOption('0-1');
  await page.getByLabel('Reason').first().fill('misread slip');
  await page.getByRole('button', { name: 'Save result' }).click();
  await page.getByText('Result saved.').waitFor();
  assert.deepEqual((await results(id, 1)).slice(0, 2), ['0-1', '']);
  assert.deepEqual(faults, []);
  await page.context().close();
});

for (const colorScheme of ['light', 'dark']) {
  test(`the tabs at 360 and 1280 px, ${colorScheme}`, async () => {
    const id = await open(`Looks ${colorScheme}`, 9);
    for (const width of [360, 1280]) {
      const page = await arbiter({ viewport: { width, height: 800 }, colorScheme });
      const faults = watch(page, program.url);
      await page.goto(tab(id, 'round'));
      const pair = page.getByRole('button', { name: 'Pair next round' });
      if (await pair.isVisible()) await pair.click();
      await sound(page, faults);
      const press = page.getByRole('button', { name: 'Publish', exact: true });
      if (width === 1280) await press.click();
      for (const name of ['round', 'results', 'arbiter', 'results&board=1']) {
        if (width === 360 && name.includes('&')) continue;
        await page.goto(tab(id, name));
        await sound(page, faults);
      }
      await page.context().close();
    }
  });
}
