// Every page that a visitor can reach by links, on a phone and at a desk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow, watch, widths } from './chromium.js';
import { start } from './program.js';

const perKind = 2; // pages looked at of each kind, such as games

let program, browser;

before(async () => {
  program = await start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// kind is a path without what tells one page from its sisters: ids, numbers, and the values of a query.
function kind(url) {
  const path = url.pathname
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
    .replace(/\/[0-9]+(?=\/|$)/g, '/:n')
    .replace(/\/(quixo|quits|quivive|quiwin)(\/|-|$)/g, '/:game$2');
  return path + [...url.searchParams.keys()].sort().map((key) => `&${key}`).join('');
}

// crawl follows links from the first page and gives the addresses of pages, a few of each kind.
async function crawl(page) {
  const seen = new Map(); // kind -> addresses
  const queue = [new URL('/', program.url)];
  const found = [];
  while (queue.length > 0) {
    const url = queue.shift();
    const sisters = seen.get(kind(url)) ?? [];
    if (sisters.includes(url.href) || sisters.length >= perKind) continue;
    seen.set(kind(url), [...sisters, url.href]);
    const answer = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
    await answer.body?.cancel();
    if (!answer.headers.get('content-type')?.startsWith('text/html') || answer.status !== 200) {
      assert.ok(answer.status < 400, `${url.href} is linked and answers ${answer.status}`);
      continue;
    }
    found.push(url);
    await page.goto(url.href);
    const links = await page.$$eval('a[href]', (all) => all.map((a) => a.href));
    for (const link of links) {
      const next = new URL(link);
      next.hash = '';
      if (next.origin === program.url) queue.push(next);
    }
  }
  return found;
}

test('every page works, fits, and can be used by all', async (t) => {
  const page = await browser.newPage();
  const urls = await crawl(page);
  await page.close();
  t.diagnostic(`${urls.length} pages: ${urls.map((url) => url.pathname + url.search).join(' ')}`);
  assert.ok(urls.length >= 8, 'the crawl should find the lists, games, a tournament and its parts');
  for (const url of urls) {
    for (const width of widths) {
      await t.test(`${url.pathname}${url.search} at ${width}`, () => look(url, width));
    }
  }
});

// look opens a page afresh and asks everything of it.
async function look(url, width) {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  try {
    const page = await context.newPage();
    const faults = watch(page, program.url);
    await page.goto(url.href, { waitUntil: 'load' });
    assert.notEqual(await page.title(), '', 'a page has a title');
    assert.deepEqual(await overflow(page), []);
    if (!url.pathname.startsWith('/docs')) assert.deepEqual(await accessibility(page), []); // that page is not ours
    assert.deepEqual(faults, []);
  } finally {
    await context.close();
  }
}
