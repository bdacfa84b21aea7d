// The checks themselves: each must see the fault that it is there for.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow, watch } from './chromium.js';

const head = '<!doctype html><html lang="en"><title>A page</title><meta name="viewport" content="width=device-width">';

// Bodies of pages with one fault each, and the report that it must get.
const faulty = {
  '/script': { body: '<script src="/error.js"></script>', says: /script error: on purpose/ },
  '/inline': { body: '<script>document.title = "inline";</script>', says: /Content Security Policy/ },
  '/missing': { body: '<img src="/nowhere.png" alt="nothing">', says: /404 for .*nowhere\.png/ },
  '/outside': { body: '<img src="http://elsewhere.test/a.png" alt="nothing">', says: /request to http:\/\/elsewhere\.test/ },
};

let server, origin, browser;

before(async () => {
  server = createServer((request, response) => {
    const page = { ...faulty, '/wide': { body: '<p style="width: 2000px">wide' }, '/unlabelled': { body: '<main><input></main>' } }[request.url];
    const script = request.url === '/error.js';
    response.writeHead(page || script ? 200 : 404, {
      'content-type': script ? 'text/javascript' : 'text/html',
      'content-security-policy': "default-src 'self'; img-src *; style-src 'unsafe-inline'",
    });
    response.end(script ? 'throw new Error("on purpose");' : head + (page?.body ?? ''));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.close();
});

for (const [path, { says }] of Object.entries(faulty)) {
  test(`watch sees ${path.slice(1)}`, async () => {
    const page = await browser.newPage();
    const faults = watch(page, origin);
    await page.goto(origin + path);
    assert.match(faults.join('\n'), says);
    await page.close();
  });
}

test('overflow sees what is too wide', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  await page.goto(`${origin}/wide`);
  assert.match((await overflow(page)).join('\n'), /<p style/);
  await page.close();
});

test('accessibility sees a field without a label', async () => {
  const page = await browser.newPage();
  await page.goto(`${origin}/unlabelled`);
  assert.match((await accessibility(page)).join('\n'), /^label \(critical\)/);
  await page.close();
});
