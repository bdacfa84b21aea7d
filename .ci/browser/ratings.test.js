// A rating list, a player's page, why a rating changed, and the admin's page of ratings: axe, widths, and links between them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { start } from './program.js';

let program, browser;

before(async () => {
  program = await start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

test('the axis of the course of a rating is in the reader\'s time zone and manner; without scripts in UTC', async () => {
  const { items } = await (await fetch(`${program.url}/api/v1/players`)).json();
  for (const [locale, timezoneId, javaScriptEnabled] of [['en-GB', 'Asia/Kolkata', true], ['de-DE', 'America/New_York', true], ['en-GB', 'Asia/Kolkata', false]]) {
    const context = await browser.newContext({ locale, timezoneId, javaScriptEnabled });
    const page = await context.newPage();
    for (const { id } of items) {
      await page.goto(`${program.url}/players/${id}`);
      if (await page.locator('.chart .c-x').count() > 1) break;
    }
    const ticks = await page.locator('.chart .c-x').evaluateAll((all) => all.map((e) => [e.dataset.at, e.dataset.when, e.textContent]));
    assert.ok(ticks.length > 1);
    for (const [at, when, text] of ticks) {
      const style = { timeStyle: when === 'second' ? 'medium' : 'short' };
      const date = { day: 'numeric', month: 'short', year: 'numeric' };
      const own = new Intl.DateTimeFormat(locale, { ...(when === 'day' ? date : style), timeZone: timezoneId }).format(new Date(at));
      if (javaScriptEnabled) assert.equal(text, own);
      else assert.match(text, when === 'day' ? /\d{4}$/ : / UTC$/);
    }
    await context.close();
  }
});

test('from a list to why a rating changed', async () => {
  const page = await browser.newPage();
  const faults = watch(page, program.url);
  const sound = async () => {
    assert.deepEqual(await accessibility(page), [], page.url());
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await overflow(page), [], page.url());
    }
  };
  await page.goto(`${program.url}/ratings`);
  await page.locator('main table a').first().click();
  await page.waitForURL('**/ratings/*');
  await sound();
  await page.locator('main tbody td a').first().click();
  await page.waitForURL('**/players/*/ratings/*');
  await sound();
  const number = (/** @type {string | null} */ text) => Math.round(100 * Number((text ?? '').replace('−', '-').replace('+', '')));
  for (const game of await page.locator('ol.reasons > li').all()) {
    const change = number(((await game.locator('h2').textContent()) ?? '').split(': ').at(-1) ?? '');
    const parts = (await game.locator('tbody tr td:last-child').allTextContents()).map(number);
    assert.equal(parts.reduce((a, b) => a + b, 0), change, page.url());
  }
  assert.deepEqual(faults, []);
});
