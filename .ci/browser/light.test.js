// What pages weigh and how they live: bytes of the first load and per result at 200 entries, where the first pairing stands and
// that nothing moves as results come in, many tabs on one connection, half-typed fields, three languages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, watch } from './chromium.js';
import { organiser, player, start } from './program.js';

const firstLoad = 60 * 1024; // bars, in bytes on the wire
const perResult = 5 * 1024;
const firstPairing = 300; // CSS pixels above it on a phone of 390 × 844
const entries = 200;

let program, browser, olga, one, two;

before(async () => {
  program = await start();
  browser = await launch();
  [olga, one, two] = await Promise.all([login(program.url, organiser), login(program.url, player(1)), login(program.url, player(2))]);
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// open makes a tournament of many in the hall, with its first round published, and returns its id.
async function open() {
  const t = await olga.post('/tournaments', {
    name: 'Light Open', variant: 'quixo/duel', format: 'swiss', rounds: 7, time_control: '300+3', rated: false, venue: 'hall',
  });
  await olga.post(`/tournaments/${t.id}/open`);
  for (let i = 1; i <= entries; i++) await olga.post(`/tournaments/${t.id}/entries`, { name: `Player Number ${i}` });
  await olga.post(`/tournaments/${t.id}/start`);
  await olga.post(`/tournaments/${t.id}/rounds`, {});
  return t.id;
}

// result enters a win of seat 1 at a board.
async function result(id, board) {
  const address = `${program.url}/api/v1/tournaments/${id}/rounds/1/pairings/${board}/result`;
  const headers = { authorization: `Bearer ${olga.token}`, 'content-type': 'application/json' };
  const tag = (await fetch(address, { headers })).headers.get('etag');
  const answer = await fetch(address, { method: 'PUT', headers: { ...headers, 'if-match': tag }, body: '{"result":"1-0"}' });
  assert.equal(answer.status, 200, await answer.text());
}

// shifts returns the sum of a page's layout shifts (web.dev/cls) since it was loaded.
const shifts = (page) => page.evaluate(() => new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const shift of list.getEntries()) sum += shift.value; }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(sum)));
}));

// counting adds up what a page receives, in bytes on the wire.
async function counting(page) {
  const session = await page.context().newCDPSession(page);
  const count = { bytes: 0, urls: [] };
  const urls = new Map();
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    count.bytes += encodedDataLength;
    count.urls.push(`${encodedDataLength} ${urls.get(requestId)}`);
  });
  return count;
}

const followed = (page) => page.locator('html[data-following]').waitFor({ state: 'attached' });

test('eight tabs over plain HTTP are all alive, on one connection', async () => {
  const seats = [{ player_id: one.player }, { player_id: two.player }];
  const context = await browser.newContext();
  const pages = [];
  for (let i = 0; i < 8; i++) {
    const game = await one.post('/games', { variant: 'quixo/duel', seats, time_control: '300+3', rated: false, start: 'now' });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    await page.goto(`${program.url}/games/${game.id}`);
    await followed(page);
    pages.push({ page, game, faults });
  }
  for (const { page, game, faults } of pages) {
    const { awaited } = await one.get(`/games/${game.id}`);
    const mover = awaited[0] === 1 ? one : two;
    const seen = await mover.get(`/games/${game.id}`);
    await mover.post(`/games/${game.id}/moves`, { seat: awaited[0], turn: seen.turn, move: seen.legal[awaited[0]][0] });
    await page.locator('[data-part="moves"] .latest').waitFor();
    assert.deepEqual(faults, []);
  }
  await pages[7].page.reload(); // and an ordinary request is not kept waiting
  await followed(pages[7].page);
  await context.close();
});

test('what was half typed and what was unfolded survives a change', async () => {
  const seats = [{ player_id: one.player }, { player_id: two.player }];
  const game = await one.post('/games', { variant: 'quixo/duel', seats, time_control: '300+3', rated: false, start: 'now' });
  const page = await browser.newPage();
  await page.goto(`${program.url}/games/${game.id}`);
  await followed(page);
  const { awaited } = await one.get(`/games/${game.id}`);
  const mover = awaited[0] === 1 ? one : two;
  const seen = await mover.get(`/games/${game.id}`);
  await page.evaluate(async () => {
    const { mergeParts } = await import(document.querySelector('script[src*="live.js"]').src.replace(/live\.js.*/, 'merge.js'));
    const region = document.createElement('div');
    region.innerHTML = '<form data-part="f"><input id="i" value=""><textarea id="a"></textarea><select id="s"><option>1<option>2</select><select id="v"><option value="">?<option value="o1">1</select><details id="d"><summary>x</summary></details><b>old</b></form>';
    document.querySelector('main').append(region);
    region.querySelector('#i').focus();
    region.querySelector('#i').value = 'half';
    region.querySelector('#a').value = 'typed';
    region.querySelector('#s').selectedIndex = 1;
    region.querySelector('#d').open = true;
    const fresh = document.createElement('div');
    fresh.innerHTML = '<form data-part="f"><b>first</b><input id="i" value=""><textarea id="a"></textarea><select id="s"><option>1<option>2</select><select id="v"><option value="">?<option value="o2">2</select><details id="d"><summary>y</summary></details><b>new</b></form>';
    mergeParts(region, fresh);
  });
  const state = await page.evaluate(() => ({
    input: document.getElementById('i').value, area: document.getElementById('a').value, select: document.getElementById('s').value,
    offered: document.getElementById('v').options[1].value,
    open: document.getElementById('d').open, focus: document.activeElement.id, text: document.querySelector('[data-part="f"] b').textContent,
  }));
  assert.deepEqual(state, { input: 'half', area: 'typed', select: '2', offered: 'o2', open: true, focus: 'i', text: 'first' });
  await mover.post(`/games/${game.id}/moves`, { seat: awaited[0], turn: seen.turn, move: seen.legal[awaited[0]][0] });
  await page.locator('[data-part="moves"] .latest').waitFor();
  await page.close();
});

for (const [locale, words] of [['de-DE', ['de', 'Turniere', /\d\. .+ 2\d{3}/]], ['fr-FR', ['fr', 'Tournois', /\d .+ 2\d{3}/]], ['en-GB', ['en', 'Tournaments', /\d .+ 2\d{3}/]]]) {
  test(`pages and their dates in ${locale}`, async () => {
    const [language, heading, date] = words;
    const context = await browser.newContext({ locale });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    for (const path of ['/', '/tournaments', '/games', '/players', '/ratings', '/rules']) {
      await page.goto(program.url + path);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      assert.equal(await page.locator('nav a').first().innerText(), heading);
      for (const text of await page.locator('time[data-when]').allInnerTexts()) assert.match(text, date);
      assert.deepEqual(await accessibility(page), []);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test(`bytes of the first load and per result at ${entries} entries`, async () => {
  const id = await open();
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const count = await counting(page);
  await page.goto(`${program.url}/tournaments/${id}`);
  await followed(page);
  console.log(`first load: ${count.bytes} bytes\n  ${count.urls.join('\n  ')}`);
  assert.ok(count.bytes <= firstLoad, `${count.bytes} bytes for the first load`);
  const { y } = await page.locator('#b1').boundingBox();
  console.log(`first pairing: ${y} pixels below the top`);
  assert.ok(y <= firstPairing, `the first pairing is ${y} pixels below the top`);
  const version = new URL(await page.locator('[data-live]').getAttribute('data-live'), program.url);
  const stream = await fetch(version);
  const reader = stream.body.getReader();
  const decoder = new TextDecoder();
  let largest = 0;
  for (let board = 1; board <= 5; board++) {
    await result(id, board);
    let text = '';
    while (!/event: \w+[\s\S]*\n\n/.test(text.replace(/retry: \d+\n\n/, ''))) text += decoder.decode((await reader.read()).value);
    largest = Math.max(largest, Buffer.byteLength(text));
    await page.locator(`#b${board}`).getByText('1 – 0').waitFor();
  }
  await reader.cancel();
  console.log(`per result: ${largest} bytes at most`);
  assert.ok(largest <= perResult, `${largest} bytes for a result`);
  assert.equal(await shifts(page), 0, 'layout shifts while results came in');
  await context.close();
});
