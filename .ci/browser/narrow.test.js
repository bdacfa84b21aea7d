// The longest words on the smallest phones: in German and French, no page is wider than 320 pixels, whoever looks at it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { launch, overflow } from './chromium.js';
import { crawl } from './crawl.js';
import { Club, enter, variants } from './people.js';
import { organiser, player, start } from './program.js';

const viewport = { width: 320, height: 700 };

let program, browser, hall;

before(async () => {
  program = await start();
  browser = await launch();
  hall = await evening(await login(program.url, organiser));
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// evening starts a tournament in the hall whose round is being played, and returns its path: what the desk has to show then.
async function evening(olga) {
  const { id } = await olga.post('/tournaments', {
    name: 'Donaudampfschifffahrtsgesellschafts-Meisterschaft', variant: 'quixo/duel', format: 'swiss', rounds: 5,
    time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  for (let n = 1; n <= 9; n++) await olga.post(`/tournaments/${id}/entries`, { name: `Maximiliane Schwarzenberger-Lichtenfels ${n}` });
  await olga.post(`/tournaments/${id}/start`);
  const { pairings } = await olga.post(`/tournaments/${id}/rounds`, {});
  await olga.put(`/tournaments/${id}/rounds/1/pairings/${pairings[0].board}/result`, { result: '1-0' });
  return `/tournaments/${id}`;
}

// session returns the cookies of somebody who has logged in.
async function session(name) {
  const context = (await enter(program, browser, name, { locale: 'en-GB' })).context();
  const state = await context.storageState();
  await context.close();
  return state;
}

for (const locale of ['de', 'fr']) {
  for (const [who, name] of [['a visitor'], ['a player', player(1)], ['an organiser', organiser]]) {
    test(`every page of ${who} fits 320 pixels in ${locale}`, async (t) => {
      const context = await browser.newContext({ locale, viewport, storageState: name && await session(name) });
      const page = await context.newPage();
      const wide = [];
      const from = ['/', hall, ...(who === 'an organiser' ? [`${hall}/desk`, `${hall}/desk?tab=settings`, '/admin'] : [])];
      const seen = await crawl(page, program.url, from, async (url) => {
        if (url.pathname.startsWith('/docs')) return; // not ours
        const found = await overflow(page);
        if (found.length) wide.push(`${url.pathname}${url.search}: ${found.join('\n  ')}`);
      });
      t.diagnostic(`${seen.length} pages`);
      assert.deepEqual(wide, []);
      await context.close();
    });
  }
}

test('every board fits 320 pixels', async () => {
  const club = new Club(program, browser);
  const page = await club.page(1, { locale: 'de', viewport });
  for (const [variant, seats] of variants) {
    const { id } = await club.game(variant, seats);
    await page.goto(`${program.url}/games/${id}`, { waitUntil: 'load' });
    assert.deepEqual(await overflow(page), [], variant);
  }
  await page.context().close();
});
