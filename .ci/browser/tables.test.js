// A melee evening at tables of three to five: created with the form, drawn up, results by rank from the keyboard and
// without scripts, a no-show, and what visitors see.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser } from './program.js';

// arbiter opens a page as the tournaments' organiser.
const arbiter = (options = {}) => enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });

const tab = (id, name) => `${program.url}/tournaments/${id}/desk?tab=${name}`;

// sound fails for what axe finds, for sideways scrolling at two widths, and for what went wrong on a page.
async function sound(page, faults) {
  assert.deepEqual(await accessibility(page), [], page.url());
  assert.deepEqual(await overflow(page), [], page.url());
  await page.setViewportSize({ width: 390, height: 800 });
  assert.deepEqual(await overflow(page), [], page.url());
  await page.setViewportSize({ width: 1280, height: 800 });
  assert.deepEqual(faults, [], page.url());
}

// publish draws up the next round on the page and publishes it.
async function publish(page, id) {
  await page.goto(tab(id, 'round'));
  await page.getByRole('button', { name: 'Pair next round' }).click();
  await page.getByText('draft, not published').waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The round is published.').waitFor();
}

const results = async (id, n) => (await olga.get(`/tournaments/${id}/rounds/${n}`)).pairings.map((p) => p.result ?? '');

test('a melee evening at the desk', async () => {
  const page = await arbiter();
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/tournaments/new`);
  await page.getByLabel('Name', { exact: true }).fill('Melee Night');
  await page.locator('#variant').selectOption('quivive/melee');
  await page.locator('#format').selectOption('table_swiss');
  await page.getByText('Everything else').click();
  await page.getByLabel('short tables').check();
  await page.getByLabel('Rounds', { exact: true }).fill('2');
  await sound(page, faults);
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.getByText('The tournament has been created.').waitFor();
  const id = /tournaments\/([^/]+)\/desk/.exec(page.url())?.[1] ?? '';
  for (let n = 1; n <= 7; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Player ${n}`, rating: 2000 - n });
  const made = await olga.post(`/tournaments/${id}/start`);
  assert.deepEqual([made.pairing.tables.short_tables, made.points.bye, made.rounds], [true, 1.5, 2]);

  await publish(page, id);
  await page.goto(tab(id, 'results'));
  for (const key of '2143120') await page.keyboard.press(key); // the second table has three seats, and one did not come
  await page.getByText('All results are in.').waitFor();
  await page.locator('#b2[data-state=saved]').waitFor();
  assert.deepEqual(await results(id, 1), ['2,1,4,3', '1,2,-']);
  await sound(page, faults);

  await page.getByRole('button', { name: 'Pair next round' }).click();
  await page.getByText('draft, not published').waitFor();
  const chips = page.locator('.draft li .seat-chip');
  const first = await chips.nth(0).innerText();
  await chips.nth(0).click();
  await chips.nth(4).click(); // the second tap swaps
  await page.waitForFunction((was) => document.querySelectorAll('.draft li .seat-chip')[4]?.textContent?.trim().startsWith(was), first.split(' ').slice(0, 2).join(' '));
  await sound(page, faults);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The round is published.').waitFor();
  await page.context().close();
  await byHand(id);
  await visited(id);
});

test('a league night by a fixed plan', async () => {
  const { id } = await olga.post('/tournaments', {
    name: 'League Night', variant: 'quivive/melee', format: 'table_round_robin', rounds: 2, time_control: '300+3', venue: 'hall', rated: false,
  });
  for (let n = 1; n <= 11; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Guest ${n}`, rating: 1900 - n });
  await olga.post(`/tournaments/${id}/start`);
  const page = await arbiter();
  const faults = watch(page, program.url);
  await page.goto(tab(id, 'round'));
  await page.getByRole('button', { name: 'Pair next round' }).click();
  await page.getByText('draft, not published').waitFor();
  const table = (n) => page.locator(`#r${n} .seat-chip`);
  const sizes = async () => [await table(1).count(), await table(2).count(), await table(3).count()];
  assert.deepEqual(await sizes(), [4, 4, 3]);
  await table(1).nth(0).click(); // one player goes to the smaller table, and back
  await page.getByRole('button', { name: 'Move the player to table 3' }).click();
  await page.getByText('Changed.').waitFor();
  await page.waitForLoadState(); // the notice is above the tables, which may still be on their way
  assert.deepEqual(await sizes(), [3, 4, 4]);
  await sound(page, faults);
  await table(3).nth(3).click();
  await page.getByRole('button', { name: 'Move the player to table 1' }).click();
  await page.waitForFunction(() => document.querySelectorAll('#r1 .seat-chip').length === 4);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The round is published.').waitFor();
  await page.goto(tab(id, 'results'));
  for (const key of '12344321112') await page.keyboard.press(key);
  await page.getByText('All results are in.').waitFor();
  await page.locator('#b3[data-state=saved]').waitFor();
  assert.deepEqual(await results(id, 1), ['1,2,3,4', '4,3,2,1', '1,1,3']);
  await sound(page, faults);
  await page.context().close();

  const visitor = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })).newPage();
  const seen = watch(visitor, program.url);
  for (const path of ['?tab=round&round=1', '?tab=standings', '/players/1', '/print/pairings', '/print/standings', '/wall', '?tab=info']) {
    await visitor.goto(`${program.url}/tournaments/${id}${path}`);
    await sound(visitor, seen);
  }
  await visitor.goto(`${program.url}/tournaments/${id}?tab=standings`);
  for (const code of ['WIN', '2ND', 'TSH', 'SEAT']) assert.equal(await visitor.getByRole('columnheader', { name: code, exact: true }).count(), 1, code);
  await visitor.context().close();
});

// byHand enters the second round without scripts.
async function byHand(id) {
  const page = await arbiter({ javaScriptEnabled: false });
  for (const [board, ranks] of [[1, ['1', '2', '3', '4']], [2, ['3', '1', '2']]]) {
    await page.goto(tab(id, 'results'));
    const row = page.locator(`#b${board}`);
    for (const [i, rank] of ranks.entries()) await row.locator('select').nth(i).selectOption(rank);
    await row.getByRole('button', { name: 'Save' }).click();
  }
  assert.deepEqual(await results(id, 2), ['1,2,3,4', '3,1,2']);
  await page.goto(`${tab(id, 'results')}&round=2&board=2`);
  await page.locator('main select').first().selectOption('-');
  await page.getByLabel('Reason').first().fill('left before the game');
  await page.getByRole('button', { name: 'Save' }).first().click();
  assert.deepEqual(await results(id, 2), ['1,2,3,4', '-,1,2']);
  await page.context().close();
}

// visited looks at the pages that visitors see.
async function visited(id) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })).newPage();
  const faults = watch(page, program.url);
  const at = `${program.url}/tournaments/${id}`;
  await page.goto(`${at}?tab=round&round=2`);
  await page.getByText('did not come').first().waitFor();
  assert.equal(await page.locator('table.pairings ol li').count(), 7);
  for (const path of ['?tab=round&round=2', '?tab=standings', '/rounds/2/explain', '/players/1', '/print/pairings', '/print/names', '/print/standings', '/wall', '?tab=info']) {
    await page.goto(at + path);
    await sound(page, faults);
  }
  await page.goto(`${at}/rounds/1/explain`);
  await page.getByText('All meet for the first time').first().waitFor();
  await page.goto(`${at}?tab=standings`);
  assert.equal(await page.getByRole('columnheader', { name: 'TSH' }).count(), 1);
  await page.context().close();
}
