// The desk with several at it: teams by a list and from the club's list, groups that are kept apart, and the line about the
// last act, which follows what another arbiter does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser } from './program.js';

// arbiter opens a page as the tournaments' organiser.
const arbiter = (options = {}) => enter(program, browser, organiser, { viewport: { width: 390, height: 800 }, ...options });

const tab = (id, name) => `${program.url}/tournaments/${id}/desk?tab=${name}`;
const followed = (page) => page.locator('html[data-following]').waitFor({ state: 'attached' });

for (const javaScriptEnabled of [true, false]) {
  test(`teams are entered ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const { id } = await olga.post('/tournaments', {
      name: 'Pairs', variant: 'quixo/teams', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall',
    });
    for (const name of ['Nora', 'Otto']) await olga.post('/players', { name: `${name} ${javaScriptEnabled ? 'A' : 'B'}` });
    const page = await arbiter({ javaScriptEnabled });
    const faults = watch(page, program.url);
    await page.goto(tab(id, 'entries'));
    await page.getByLabel('Teams, one a line').fill('Blue: Anna, Bert\nRed: Cleo, Dora 1500\nGrey: Emil, Fred');
    await page.getByRole('button', { name: 'Add teams' }).click();
    if (await page.getByText('Who do you mean?').isVisible()) { // the other run has made these players
      for (const choice of await page.locator('form.form select').all()) await choice.selectOption('');
      await page.getByRole('button', { name: 'Add teams' }).click();
    }
    await page.locator('.desk-count').getByText('3 entries', { exact: true }).waitFor();
    for (const name of ['Nora', 'Otto']) {
      await page.getByLabel('From the club’s list').fill(name);
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByLabel(`${name} ${javaScriptEnabled ? 'A' : 'B'}`).check();
    }
    await page.getByLabel('Name of the team').fill('Green');
    await page.getByRole('button', { name: 'Add team', exact: true }).click();
    await page.locator('.desk-count').getByText('4 entries', { exact: true }).waitFor();
    await page.locator('#presence li', { hasText: 'Green' }).getByText('Nora').waitFor();
    await page.getByText('Forbidden pairs').click();
    await page.getByLabel('First player').fill('Blue');
    await page.getByLabel('Second player').fill('Red');
    await page.getByLabel('More who must not meet').fill('Green');
    await page.getByLabel('To round').fill('2');
    await page.getByRole('button', { name: 'Forbid this pair' }).click();
    await page.getByText('Blue – Red – Green').first().waitFor();
    await page.getByText('to round 2').waitFor();
    assert.deepEqual(await overflow(page), []);
    if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/teams.png`, fullPage: true });
    await page.locator('#presence li', { hasText: 'Grey' }).getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Player 2').fill('Gina');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('#presence li', { hasText: 'Grey' }).getByText('Emil, Gina').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The tournament has started.').waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test('the line about the last act follows what others do, on each tab', async () => {
  const { id } = await olga.post('/tournaments', {
    name: 'Two arbiters', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall',
  });
  for (const name of ['Anna', 'Bert', 'Cleo', 'Dora']) await olga.post(`/tournaments/${id}/entries`, { name });
  const page = await arbiter({ viewport: { width: 1280, height: 800 } });
  const faults = watch(page, program.url);
  await page.goto(tab(id, 'entries'));
  await followed(page);
  await olga.post(`/tournaments/${id}/entries`, { name: 'Emil' });
  await page.locator('[data-last]').getByText('Emil').waitFor();
  await page.locator('#presence .who-is', { hasText: 'Emil' }).waitFor();
  await page.waitForFunction(() => document.querySelector('[data-last] button')?.disabled === false);
  await page.locator('[data-last]').getByRole('button', { name: 'Undo' }).click();
  await page.locator('#presence .who-is', { hasText: 'Emil' }).waitFor({ state: 'detached' });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  await page.goto(tab(id, 'results'));
  await followed(page);
  const address = `${program.url}/api/v1/tournaments/${id}/rounds/1/pairings/2/result`;
  const headers = { authorization: `Bearer ${olga.token}`, 'content-type': 'application/json', 'if-match': '*' };
  const answer = await fetch(address, { method: 'PUT', headers, body: '{"result":"0-1"}' });
  assert.equal(answer.status, 200, await answer.text());
  await page.locator('[data-last]').getByText('0 – 1').waitFor();
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a result that is typed is one request', async () => {
  const { id } = await olga.post('/tournaments', {
    name: 'One request', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall',
  });
  for (const name of ['Anna', 'Bert', 'Cleo', 'Dora', 'Emil', 'Fred']) await olga.post(`/tournaments/${id}/entries`, { name });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  const page = await arbiter({ viewport: { width: 1280, height: 800 } });
  const faults = watch(page, program.url);
  await page.goto(tab(id, 'results'));
  await followed(page);
  const asked = [];
  page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`));
  for (const board of [1, 2]) {
    await page.keyboard.press('1');
    await page.locator(`.result-row[data-board="${board}"][data-state="saved"]`).waitFor();
    await page.locator('[data-last]').getByText(`board ${board}`).waitFor();
    assert.equal(asked.length, board, asked.join('\n'));
  }
  const headers = { authorization: `Bearer ${olga.token}`, 'content-type': 'application/json', 'if-match': '*' };
  const answer = await fetch(`${program.url}/api/v1/tournaments/${id}/rounds/1/pairings/3/result`, { method: 'PUT', headers, body: '{"result":"0-1"}' });
  assert.equal(answer.status, 200, await answer.text());
  await page.locator('.result-row[data-board="3"][data-result="0-1"]').waitFor();
  await page.locator('[data-last]').getByText('0 – 1').waitFor();
  assert.deepEqual(faults, []);
  await page.context().close();
});

test('a board is found by its number or by a name, and the keys are for it then', async () => {
  const { id } = await olga.post('/tournaments', {
    name: 'Looked for', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall',
  });
  const names = ['Anna', 'Bert', 'Zoë Müller', 'Dora', 'Joanna', 'Fred', 'Gina', 'Hans'];
  for (const name of names) await olga.post(`/tournaments/${id}/entries`, { name });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  const page = await arbiter({ viewport: { width: 1280, height: 800 } });
  const faults = watch(page, program.url);
  await page.goto(tab(id, 'results'));
  await followed(page);
  const field = page.getByRole('searchbox', { name: 'Board or name' });
  const current = page.locator('.result-row[aria-current]');
  const boardOf = (name) => page.locator('.result-row', { hasText: name }).getAttribute('data-board');
  for (const [typed, board] of [
    ['3', '3'], ['zoe mu', await boardOf('Zoë Müller')], ['HANS', await boardOf('Hans')],
    ['anna', await page.locator('.result-row', { has: page.getByText(/^Anna/) }).getAttribute('data-board')], ['oann', await boardOf('Joanna')],
  ]) {
    await field.fill(typed);
    assert.equal(await current.getAttribute('data-board'), board, typed);
  }
  await field.fill('nobody');
  await page.locator('[data-said]').getByText('No board found.').waitFor();
  await field.fill('zoe');
  await field.press('Enter');
  assert.equal(await field.inputValue(), '');
  const board = await boardOf('Zoë Müller');
  await page.keyboard.press('1');
  await page.locator(`.result-row[data-board="${board}"][data-result="1-0"][data-state="saved"]`).waitFor();
  assert.equal(await page.locator('.result-row[data-state="saved"]').count(), 1);
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await overflow(page), [], `at ${width} pixels`);
  }
  assert.deepEqual(await accessibility(page), []);
  assert.deepEqual(faults, []);
  const plain = await arbiter({ javaScriptEnabled: false });
  await plain.goto(tab(id, 'results'));
  assert.equal(await plain.locator('.find-board').isVisible(), false);
  await plain.context().close();
  await page.context().close();
});
