// What readers see of a tournament: tabs, a player's card, the wall, paper, frames on other sites, files.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { login } from './api.js';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { pagesOf } from './pdf.js';
import { organiser, password, start } from './program.js';

const tabs = ['round', 'standings', 'players', 'crosstable', 'games', 'info'];
const paper = ['pairings', 'names', 'standings', 'crosstable', 'entries', 'checkin'];

let program, browser, address;

before(async () => {
  program = await start();
  browser = await launch();
  const { items } = await (await fetch(`${program.url}/api/v1/tournaments`)).json();
  address = `/tournaments/${items[0].id}`;
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// open opens a page in a window of its own, and sees that it fits, works, and can be used by all.
async function open(path, options = {}) {
  const context = await browser.newContext({ viewport: { width: 360, height: 800 }, ...options });
  const page = await context.newPage();
  const faults = watch(page, program.url);
  await page.goto(program.url + path);
  assert.deepEqual(await overflow(page), [], path);
  assert.deepEqual(await accessibility(page), [], path);
  assert.deepEqual(faults, [], path);
  return page;
}

for (const scheme of ['light', 'dark']) {
  test(`every tab and the card on a phone of 360 pixels, ${scheme}`, async () => {
    for (const path of [...tabs.map((tab) => `${address}?tab=${tab}`), `${address}/players/1`, `${address}/standings/1`, `${address}/history`, '/wall']) {
      const page = await open(path, { colorScheme: scheme });
      await page.context().close();
    }
  });
}

test('one tab at a time, by touch; the row that was looked for is marked, with scripts and without', async () => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ viewport: { width: 360, height: 800 }, javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(program.url + address);
    await page.getByRole('link', { name: 'Standings', exact: true }).click();
    await page.getByRole('heading', { name: /^Standings/ }).waitFor();
    assert.equal(await page.locator('table:visible').count(), 1);
    const name = await page.locator('.standings tbody tr').nth(2).getByRole('link').first().innerText();
    await page.getByLabel(/Find me/).fill(name);
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('status').getByText(name).waitFor();
    assert.match(await page.locator('tr.me').innerText(), new RegExp(name));
    await page.locator('tr.me').getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('heading', { name: 'Round by round' }).waitFor();
    if (javaScriptEnabled) { // it is remembered for the next page of the tournament
      await page.goto(`${program.url}${address}?tab=players`);
      await page.locator('tr.me').waitFor();
      assert.match(await page.locator('tr.me').innerText(), new RegExp(name));
    }
    await context.close();
  }
});

test('the navigation fades where it goes on, and every link of it can be reached on the narrowest phone', async () => {
  for (const [width, locale] of [[320, 'de-DE'], [320, 'fr-FR'], [390, 'en-GB']]) {
    for (const name of [null, organiser]) {
      const context = await browser.newContext({ viewport: { width, height: 700 }, locale });
      const page = await context.newPage();
      if (name) {
        await page.goto(`${program.url}/login`);
        await page.locator('[name=login]').fill(name);
        await page.locator('[type=password]').fill(password);
        await page.getByRole('main').getByRole('button').first().click();
        await page.locator('form.who').waitFor();
      }
      await page.goto(program.url + address);
      for (const bar of ['.nav', '.tabs']) {
        const box = page.locator(bar).first();
        assert.match(await box.evaluate((e) => getComputedStyle(e).maskImage), /linear-gradient/);
        for (const link of await box.getByRole('link').all()) {
          await link.evaluate((e) => e.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
          const [inner, outer] = [await link.boundingBox(), await box.boundingBox()];
          assert.ok(inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1, `${await link.innerText()} at ${width}`);
        }
        const clear = await box.evaluate((e) => { e.scrollLeft = e.scrollWidth; return e.getBoundingClientRect().right - [...e.querySelectorAll('a')].at(-1).getBoundingClientRect().right; });
        assert.ok(clear >= 31, `the last link of ${bar} ends in the shade, ${clear} px from the edge`);
      }
      assert.deepEqual(await overflow(page), []);
      await context.close();
    }
  }
});

test('the name stays in sight while the crosstable scrolls', async () => {
  const page = await open(`${address}/crosstable`);
  const name = page.locator('.cross tbody th').first();
  await page.locator('.scroll').evaluate((box) => { box.scrollLeft = 1000; });
  const box = await name.boundingBox();
  assert.ok(box.x > -20 && box.x < 60, `the name stands at ${box.x}`);
  await page.context().close();
});

test('the wall at 1920: large, complete in the window, without navigation', async () => {
  const page = await open(`${address}/wall`, { viewport: { width: 1920, height: 1080 } });
  assert.ok(await page.locator('.line').first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize) / innerWidth) >= 0.019);
  assert.equal(await page.evaluate(() => document.documentElement.scrollHeight <= innerHeight), true);
  assert.equal(await page.getByRole('navigation').count(), 0);
  assert.equal(await page.locator('.pane:visible').count(), 2);
  await page.context().close();
});

test('the wall with four boards at 1920: names, results and the clock of the round are read across the hall', async () => {
  const olga = await login(program.url, organiser);
  const { id } = await olga.post('/tournaments', {
    name: 'Four boards', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  for (let n = 1; n <= 8; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Player ${n}` });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, { publish: true });
  const page = await open(`/tournaments/${id}/wall`, { viewport: { width: 1920, height: 1080 } });
  for (const shown of ['[data-part="pairings"] .line', '[data-since]']) {
    assert.ok(await page.locator(shown).first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize)) >= 72, shown);
  }
  assert.equal(await page.locator('[data-part="pairings"] .line:visible').count(), 4);
  await page.context().close();
});

test('the wall turns pages of whole rows, at any height, and stops at the space bar or a button', async () => {
  const olga = await login(program.url, organiser);
  const { id } = await olga.post('/tournaments', {
    name: 'Fourteen', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  for (let n = 1; n <= 14; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Player ${n}`, rating: 2000 - n });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`);
  for (let n = 1; n <= 7; n++) {
    const answer = await fetch(`${program.url}/api/v1/tournaments/${id}/rounds/1/pairings/${n}/result`, {
      method: 'PUT', body: '{"result":"1-0"}',
      headers: { authorization: `Bearer ${olga.token}`, 'content-type': 'application/json', 'if-match': '*' },
    });
    assert.equal(answer.status, 200);
  }
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${program.url}/tournaments/${id}/wall`);
  await page.locator('.turn', { hasText: '1/2' }).waitFor();
  const cut = () => page.evaluate(() => [...document.querySelectorAll('.pane:not([hidden]) .lines')].flatMap((list) => {
    const box = list.getBoundingClientRect();
    return [...list.children].filter((line) => line.checkVisibility() && line.getBoundingClientRect().bottom > box.bottom + 0.5).map((line) => line.textContent);
  }));
  const standing = () => page.locator('[data-part="standings"] .line:visible .party').allInnerTexts();
  const resize = async (height) => { // and wait until the page knows, and has drawn itself anew
    await page.setViewportSize({ width: 1920, height });
    await page.evaluate((wanted) => new Promise((done) => {
      const look = () => requestAnimationFrame(innerHeight === wanted ? () => requestAnimationFrame(done) : look);
      look();
    }), height);
  };
  for (const height of [1080, 700, 900, 541, 1200]) {
    await resize(height);
    assert.deepEqual(await cut(), [], `at ${height} pixels`);
  }
  await resize(1080);
  const first = await standing();
  await page.keyboard.press(' ');
  await page.getByRole('button', { name: 'Go on', exact: true }).waitFor();
  await page.clock.runFor(25_000);
  assert.deepEqual(await standing(), first, 'it turned while it was stopped');
  await accessibility(page);
  await page.getByRole('button', { name: 'Go on', exact: true }).click();
  await page.clock.runFor(10_500);
  const second = await standing();
  assert.equal(new Set([...first, ...second]).size, 14, 'the second page is not the rest');
  assert.deepEqual(await cut(), []);
  await context.close();
});

test('paper: dark on white from a dark screen, on few pages', async () => {
  for (const kind of paper) {
    const page = await open(`${address}/print/${kind}`, { colorScheme: 'dark', viewport: { width: 1280, height: 800 } });
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length;
    assert.ok(pages === 1, `${kind} of eight players takes ${pages} pages`);
    await page.emulateMedia({ media: 'print' });
    const colours = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
    assert.deepEqual(colours, ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'], kind);
    await page.context().close();
  }
});

test('every page of a long list says what it is, when it was made, and which page it is', async () => {
  const olga = await login(program.url, organiser);
  const { id } = await olga.post('/tournaments', {
    name: 'Grand "Open" </style>', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  for (let n = 1; n <= 200; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Player Number ${n}` });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`);
  for (const [kind, what, locale, nth] of [
    ['checkin', 'Check-inlist·200entries', 'en', 'Page'], ['pairings', 'Round1of3', 'en', 'Page'], ['entries', '200', 'de', 'Seite'],
  ]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale });
    const page = await context.newPage();
    await page.goto(`${program.url}/tournaments/${id}/print/${kind}`);
    const pages = pagesOf(await page.pdf({ preferCSSPageSize: true }));
    assert.ok(pages.length > 2, `${kind} of 200 takes ${pages.length} pages`);
    const date = new RegExp(locale === 'de' ? /\d{1,2}\.\S+20\d\d/ : /\d{1,2}[A-Z]\w+20\d\d/);
    pages.forEach((text, i) => {
      assert.ok(text.includes('Grand"Open"</style>'), `${kind}, page ${i + 1}: ${text}`);
      assert.ok(text.includes(what), `${kind}, page ${i + 1}: ${text}`);
      assert.ok(text.includes(`${nth}${i + 1}${locale === 'de' ? 'von' : 'of'}${pages.length}`), `${kind}, page ${i + 1}: ${text}`);
      assert.match(text, date, `${kind}, page ${i + 1}`);
      assert.equal(text.split('Grand"Open"').length, 2, `${kind}, page ${i + 1} says it twice`);
    });
    await context.close();
  }
});

test('a frame on a site of another origin', async () => {
  await (await open(`/embed${address}`)).context().close();
  const host = createServer((_, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end(`<!doctype html><title>Another site</title><iframe title="Pairings" src="${program.url}/embed${address}" width="600" height="600"></iframe>
      <iframe title="Refused" src="${program.url}${address}"></iframe>`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => { host.once('listening', resolve); });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${host.address().port}/`);
    await page.frameLocator('iframe[title=Pairings]').getByRole('heading', { name: /^Standings/ }).waitFor();
    assert.equal(await page.frameLocator('iframe[title=Refused]').getByRole('heading', { name: /^Standings/ }).count(), 0);
    assert.deepEqual(await context.cookies(), []);
    const read = await page.evaluate(async (url) => (await (await fetch(url)).json()).items.length, `${program.url}/api/v1/tournaments`);
    assert.ok(read > 0, 'a script of another site reads the API');
  } finally {
    await context.close();
    host.close();
  }
});

test('what was published opens from files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quatuor-published-'));
  const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
  try {
    await promisify(execFile)(process.env.QUATUOR_BINARY, ['publish', '--data', program.data, folder]);
    const faults = watch(page, 'file://');
    await page.goto(pathToFileURL(join(folder, 'index.html')).href);
    await page.locator('a.title').first().click();
    await page.getByRole('link', { name: 'Standings', exact: true }).click();
    await page.locator('.standings tbody th a').first().click();
    await page.getByRole('heading', { name: 'Round by round' }).waitFor();
    assert.deepEqual(await overflow(page), []);
    assert.deepEqual(faults, []); // before axe fetches the style sheets itself, which files do not allow
    assert.deepEqual(await accessibility(page), []);
  } finally {
    await page.close();
    await rm(folder, { recursive: true, force: true });
  }
});
