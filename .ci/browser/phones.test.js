// Results from the hall by phone: codes on slips, two phones, the arbiter, and the slips on paper.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { organiser, password } from './program.js';

let desk, id;

before(async () => {
  id = (await olga.post('/tournaments', {
    name: 'Evening in the hall', variant: 'quixo/duel', format: 'round_robin', time_control: '300+3', rated: true, venue: 'hall',
  })).id;
  for (let n = 1; n <= 18; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Player ${n}` });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, { publish: true });
  desk = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await desk.goto(`${program.url}/login`);
  await desk.getByLabel('Login').fill(organiser);
  await desk.getByLabel('Password').fill(password);
  await desk.getByRole('main').getByRole('button', { name: 'Log in' }).click();
});

// codes returns the paths of a board's codes, White's first.
async function codes(board) {
  await desk.goto(`${program.url}/tournaments/${id}/desk/codes`);
  const row = desk.getByRole('row').filter({ has: desk.getByRole('rowheader', { name: String(board), exact: true }) });
  return row.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
}

// phone opens the page of a code in a browser of its own.
async function phone(path, javaScriptEnabled) {
  const context = await browser.newContext({ viewport: { width: 360, height: 780 }, javaScriptEnabled });
  const page = await context.newPage();
  page.faults = watch(page, program.url);
  await page.goto(program.url + path);
  return page;
}

const result = async (board) => (await olga.get(`/tournaments/${id}/rounds/1`)).pairings[board - 1];

for (const scripts of [true, false]) {
  const board = scripts ? 1 : 2;
  test(`two phones report and confirm, scripts ${scripts ? 'on' : 'off'}`, async () => {
    const [white, black] = await codes(board);
    const one = await phone(white, scripts);
    const two = await phone(black, scripts);
    await one.getByRole('button', { name: 'I won' }).click();
    await one.getByText(/Waiting for Player \d+ to confirm/).waitFor();
    assert.equal((await result(board)).result, undefined);
    await desk.reload();
    await desk.getByText('reported, not confirmed').first().waitFor();
    if (scripts) assert.deepEqual(await accessibility(one), []);
    await two.reload();
    if (scripts) assert.deepEqual(await accessibility(two), []);
    await two.getByRole('button', { name: 'Yes, that is right' }).click();
    await two.getByText('The result stands').waitFor();
    const { result: said, source } = await result(board);
    assert.deepEqual([said, source], ['1-0', 'players']);
    if (scripts) await one.getByText('The result stands').waitFor({ timeout: 15_000 }); // by itself
    for (const page of [one, two]) {
      assert.deepEqual(await overflow(page), []);
      assert.deepEqual(page.faults, []);
      await page.context().close();
    }
  });
}

test('a disagreement and a call go to the arbiter', async () => {
  const [white, black] = await codes(3);
  const one = await phone(white, false);
  const two = await phone(black, false);
  await one.getByRole('button', { name: 'I won' }).click();
  await two.getByRole('button', { name: 'I won' }).click();
  await two.getByText('The arbiter has been called').waitFor();
  await desk.goto(`${program.url}/tournaments/${id}/desk?tab=results`);
  for (const width of [320, 390, 1280]) { // what each seat says is never broken
    await desk.setViewportSize({ width, height: 900 });
    const said = desk.locator('#b3 .board-state .nowrap');
    assert.deepEqual(await said.allInnerTexts(), ['× Cross: 1 – 0', '○ Circle: 0 – 1']);
    assert.deepEqual(await said.evaluateAll((all) => all.map((e) => e.getClientRects().length)), [1, 1]);
    assert.deepEqual(await overflow(desk), []);
  }
  await one.getByLabel(/What is it about/).fill('the clock fell down');
  await one.getByRole('button', { name: 'Call the arbiter' }).click();
  await one.getByText('The arbiter has been called.', { exact: true }).waitFor();
  await desk.goto(`${program.url}/tournaments/${id}/desk/codes`);
  await desk.getByText('report different results').waitFor();
  const call = desk.getByRole('listitem').filter({ hasText: 'the clock fell down' });
  assert.deepEqual(await accessibility(desk), []);
  await call.getByRole('button', { name: 'Seen' }).click();
  await call.getByText('seen', { exact: true }).waitFor();
  await call.getByRole('button', { name: 'Settled' }).click();
  await desk.getByText('The call is settled.').waitFor();
  assert.equal(await call.count(), 0);
  await one.context().close();
  await two.context().close();
});

test('the arbiter is first', async () => {
  const [white] = await codes(4);
  const one = await phone(white, false);
  await fetch(`${program.url}/api/v1/tournaments/${id}/rounds/1/pairings/4/result`, {
    method: 'PUT', headers: { 'content-type': 'application/json', authorization: `Bearer ${olga.token}`, 'if-match': '*' },
    body: JSON.stringify({ result: '0-1' }),
  }).then((answer) => assert.equal(answer.status, 200));
  await one.getByRole('button', { name: 'I won' }).click();
  await one.getByRole('alert').waitFor();
  await one.getByText('0 – 1').waitFor();
  assert.equal((await result(4)).result, '0-1');
  await one.context().close();
});

test('replaced and unknown codes are answered alike', async () => {
  const [white] = await codes(5);
  await desk.getByRole('button', { name: 'New codes for board 5' }).click();
  await desk.getByText('There are new codes').waitFor();
  const bodies = [];
  for (const path of [white, '/r/0000000000000000', '/r/nonsense']) {
    const answer = await fetch(program.url + path);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers.get('referrer-policy'), 'strict-origin');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    bodies.push(await answer.text());
  }
  assert.equal(bodies[0], bodies[1]);
  assert.equal(bodies[1], bodies[2]);
  const page = await phone((await codes(5))[0], false);
  await page.getByRole('button', { name: 'Draw' }).waitFor();
  await page.context().close();
});

test('slips are eight to a sheet, board cards four, and a card asks who you are', async () => {
  await desk.emulateMedia({ colorScheme: 'dark' });
  await desk.goto(`${program.url}/tournaments/${id}/print/slips`);
  const open = (await olga.get(`/tournaments/${id}/rounds/1`)).pairings.filter((p) => p.seats.length === 2 && !p.result).length;
  assert.equal(await desk.getByRole('article').count(), 2 * open);
  assert.deepEqual(await accessibility(desk), []);
  assert.equal(pages(await desk.pdf({ preferCSSPageSize: true })), Math.ceil((2 * open) / 8));
  await desk.goto(`${program.url}/tournaments/${id}/print/cards`);
  assert.deepEqual(await accessibility(desk), []);
  assert.equal(pages(await desk.pdf({ preferCSSPageSize: true })), Math.ceil(open / 4));
  const card = await desk.locator('.slip-code code').last().innerText();
  const page = await phone(`/r/${card.toLowerCase()}`, false);
  await page.getByRole('link', { name: /^Player \d/ }).first().click();
  await page.getByRole('button', { name: 'I lost' }).click();
  await page.getByRole('link', { name: 'Hand over to the other player' }).click();
  await page.getByRole('link', { name: /^Player \d/ }).last().click();
  await page.getByRole('button', { name: 'Yes, that is right' }).click();
  await page.getByText('The result stands').waitFor();
  await page.context().close();
});

// pages counts the pages of a PDF.
const pages = (pdf) => pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g).length;
