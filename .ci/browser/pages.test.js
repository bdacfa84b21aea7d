// Every page that a visitor can reach by links, on a phone and at a desk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, overflowAt, tablet, watch, widths } from './chromium.js';
import { crawl } from './crawl.js';
import { enter } from './people.js';
import { player, start } from './program.js';

let program, browser;

before(async () => {
  program = await start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

test('every page works, fits, and can be used by all', async (t) => {
  const page = await browser.newPage();
  const urls = await crawl(page, program.url, ['/', '/docs']);
  await page.close();
  t.diagnostic(`${urls.length} pages: ${urls.map((url) => url.pathname + url.search).join(' ')}`);
  assert.ok(urls.length >= 8, 'the crawl should find the lists, games, a tournament and its parts');
  await lookAtAll(t, urls);
});

test('the board of every variant fits and can be used by all', async (t) => {
  const players = await Promise.all([1, 2, 3, 4].map((n) => login(program.url, player(n))));
  const { items: variants } = await players[0].get('/variants');
  assert.ok(variants.length >= 4);
  const urls = [];
  for (const { id, seats } of variants) {
    const game = await players[0].post('/games', {
      variant: id,
      seats: players.slice(0, Math.min(...seats)).map((p) => ({ player_id: p.player })),
      time_control: '600+5',
      rated: false,
      start: 'now',
    });
    urls.push(new URL(`/games/${game.id}`, program.url));
  }
  await lookAtAll(t, urls);
});

test('pages for somebody who is logged in', async (t) => {
  const page = await enter(program, browser, player(1));
  const own = await page.getByRole('link', { name: player(1) }).getAttribute('href');
  await lookAtAll(t, [new URL('/', program.url), new URL(own, program.url), new URL('/play', program.url)], await page.context().storageState());
  await page.context().close();
});

test('a page that is not there says so in a page', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  const answer = await page.goto(`${program.url}/games/nothing-here`);
  assert.equal(answer.status(), 404);
  assert.match(await page.getByRole('main').innerText(), /\w/);
  assert.deepEqual(await overflow(page), []);
  assert.deepEqual(await accessibility(page), []);
  await page.close();
});

// lookAtAll looks at pages in every width, each as a test of its own. All of a width are opened in one page, one after the other,
// for a new browser context each time, with its processes and nothing compiled yet, takes three times as long; what a visitor
// leaves behind is cleared, so that each is opened as a first one.
async function lookAtAll(t, urls, storageState) {
  for (const width of widths) {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    try {
      const page = await context.newPage();
      const faults = watch(page, program.url);
      for (const url of urls) {
        await t.test(`${url.pathname}${url.search} at ${width}`, async () => {
          await context.clearCookies();
          await context.addCookies(storageState?.cookies ?? []);
          if (page.url().startsWith(program.url)) await page.evaluate(() => { localStorage.clear(); sessionStorage.clear(); });
          faults.length = 0;
          await look(page, url, width, faults);
        });
      }
    } finally {
      await context.close();
    }
  }
}

// look opens a page and makes every check.
async function look(page, url, width, faults) {
  await page.goto(url.href, { waitUntil: 'load' });
  assert.notEqual(await page.title(), '', 'a page has a title');
  assert.deepEqual(await overflow(page), []);
  if (width > tablet) assert.deepEqual(await overflowAt(page, tablet), [], `at ${tablet}`);
  if (!url.pathname.startsWith('/docs')) assert.deepEqual(await accessibility(page), []); // that page is not ours
  assert.deepEqual(faults, []);
}
