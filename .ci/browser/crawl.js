// Following the links of the pages as a visitor does.
import assert from 'node:assert/strict';

const perKind = 2; // pages looked at of each kind, such as games

// kind is a path without what distinguishes pages of one kind: ids, numbers, and the values of a query.
function kind(url) {
  const path = url.pathname
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id')
    .replace(/\/[0-9]+(?=\/|$)/g, '/:n')
    .replace(/\/(quixo|quits|quivive|quiwin)(\/|-|$)/g, '/:game$2');
  return path + [...url.searchParams.keys()].sort().map((key) => `&${key}`).join('');
}

// crawl opens the pages that are reached by links from some paths, a few of each kind, calls visit for each, and returns their
// URLs. A linked page that is missing or refused fails.
export async function crawl(page, origin, from, visit = () => {}) {
  const seen = new Map(); // kind -> addresses
  const queue = from.map((path) => new URL(path, origin));
  const found = [];
  while (queue.length > 0) {
    const url = queue.shift();
    const sisters = seen.get(kind(url)) ?? [];
    if (sisters.includes(url.href) || sisters.length >= perKind) continue;
    seen.set(kind(url), [...sisters, url.href]);
    const answer = await page.context().request.get(url.href, { maxRedirects: 0, headers: { accept: 'text/html' } });
    if (!answer.headers()['content-type']?.startsWith('text/html') || answer.status() !== 200) {
      // exports of games have a limit of their own, which a reader of all pages reaches
      assert.ok(answer.status() < 400 || answer.status() === 429 && url.pathname.endsWith('/export'), `${url.href} is linked and answers ${answer.status()}`);
      continue;
    }
    found.push(url);
    await page.goto(url.href, { waitUntil: 'load' });
    await visit(url);
    const links = await page.$$eval('a[href]', (all) => all.map((a) => a.href));
    for (const link of links) {
      const next = new URL(link);
      next.hash = '';
      if (next.origin === origin) queue.push(next);
    }
  }
  return found;
}
