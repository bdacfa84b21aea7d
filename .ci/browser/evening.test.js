// An evening in the hall, clicked through as a stranger would: set-up, a tournament, check-in, rounds, results from the
// players' phones, standings and ratings; in three languages, with and without scripts. No request goes past the pages.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, overflow, watch } from './chromium.js';
import { serve } from './program.js';

const names = ['Ada Berg', 'Bo Chen', 'Cleo Diaz', 'Dan Eder', 'Eva Fuchs', 'Finn Gil', 'Gro Hahn', 'Ivo Jung'];
const login = 'olga';
const password = 'eight wooden boards';
const mostActs = 39; // clicks and fields of an organiser, from the set-up to the end of the fifth round

let browser;

before(async () => { browser = await launch(); });
after(async () => { await browser?.close(); });

// desk opens the organiser's browser, which counts what is clicked and typed.
async function desk(url, locale, javaScriptEnabled) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale, javaScriptEnabled });
  const page = await context.newPage();
  page.faults = watch(page, url);
  page.acts = 0;
  page.press = async (selector) => { page.acts++; await page.locator(selector).first().click(); };
  page.type = async (selector, text) => { page.acts++; await page.locator(selector).first().fill(text); };
  page.pick = async (selector, value) => { page.acts++; await page.locator(selector).first().selectOption(value); };
  return page;
}

// setUp goes through the first start.
async function setUp(page, program, language) {
  await page.goto(program.setup);
  await page.type('input[name=name]', 'Thursday Club');
  await page.pick('select[name=language]', language);
  await page.type('input[name=time_zone]', 'Europe/Paris');
  await page.press('input[name=registration][value=open]');
  await page.type('input[name=login]', login);
  await page.type('input[name=password]', password);
  await page.press('main form button:not([type=button])');
  await page.locator('.poster').waitFor();
}

// enter makes the tournament and enters all players.
async function enter(page, program, rounds) {
  await page.goto(`${program.url}/tournaments/new`);
  await page.type('input[name=name]', 'Thursday Evening');
  await page.pick('select[name=variant]', 'quixo/duel');
  await page.press('input[name=venue][value=hall]');
  await page.pick('select[name=format]', 'swiss');
  await page.press('details.fold:has(input[name=rounds]) > summary');
  await page.type('input[name=rounds]', String(rounds));
  await page.press('form.wide-form[action="/tournaments/new"] > button:not(.quiet)');
  await page.waitForURL(/\/tournaments\/[^/]+\/desk/);
  const id = /tournaments\/([^/]+)\/desk/.exec(page.url())[1];
  await page.type('textarea[name=names]', names.join('\n'));
  await page.press('.desk-add form[enctype] button:not(.quiet)');
  await page.locator('.desk-entries li').nth(names.length - 1).waitFor();
  return id;
}

// checkIn checks all entries in.
async function checkIn(page) {
  await page.press('.desk-steps form[action$="check-in"] button[value=open]');
  for (let i = 0; i < names.length; i++) {
    await page.press('#presence button[name=in]');
    await page.locator('#presence button[name=out], #presence button[aria-pressed=true]').nth(i).waitFor();
  }
  await page.press('.desk-steps form[action$="check-in"] button[value=close]');
  await page.press('button[name=do][value=start]');
  await page.locator('.said').waitFor();
}

// round pairs and publishes the next round and lets the players' phones report all results.
async function round(page, program, id, number, phones, scripts) {
  const at = `${program.url}/tournaments/${id}/desk`;
  await page.goto(`${at}?tab=round`);
  await page.press('.desk-next button');
  await page.press('.desk-publish button');
  await page.locator('.said').waitFor();
  await page.goto(`${program.url}/tournaments/${id}/print/slips`);
  const codes = (await page.locator('.slip-code code').allTextContents()).map((code) => `/r/${code.replace(/[\s-]/g, '')}`);
  assert.equal(codes.length, names.length, `round ${number}: a slip for each player`);
  for (let i = 0; i < codes.length; i += 2) await report(phones.slice(i, i + 2), codes.slice(i, i + 2), program, (number + i / 2) % 3);
}

// report enters a result on one phone and confirms it on the other.
async function report([one, two], [white, black], program, outcome) {
  await one.goto(program.url + white);
  await one.locator('button[name=verdict]').nth(outcome).click();
  await one.locator('[role=status]').first().waitFor();
  await two.goto(program.url + black);
  await two.locator('button[name=verdict]').first().click();
  await two.locator('.phone-result').waitFor();
}

for (const [language, locale, scripts, rounds] of [['en', 'en-GB', true, 5], ['fr', 'fr-FR', false, 2], ['de', 'de-DE', true, 2]]) {
  test(`an evening of ${rounds} rounds in ${language}, scripts ${scripts ? 'on' : 'off'}`, { timeout: 240_000 }, async () => {
    const program = await serve();
    try {
      const begun = Date.now();
      const page = await desk(program.url, locale, scripts);
      await setUp(page, program, language);
      const id = await enter(page, program, rounds);
      const ready = Date.now();
      const clicks = page.acts;
      console.log(`# set-up to eight entries (${language}): ${clicks} clicks and fields, ${((ready - begun) / 1000).toFixed(1)} s`);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      await checkIn(page);
      const phones = [];
      for (let i = 0; i < names.length; i++) {
        const context = await browser.newContext({ viewport: { width: 360, height: 780 }, locale, javaScriptEnabled: scripts });
        phones.push(await context.newPage());
      }
      for (let number = 1; number <= rounds; number++) await round(page, program, id, number, phones, scripts);
      await page.goto(`${program.url}/tournaments/${id}/desk?tab=results`);
      assert.equal(await page.locator('main').getByText(/missing|manque|fehl/).filter({ visible: true }).count() > 5, false);
      const [reader] = phones;
      await reader.goto(`${program.url}/tournaments/${id}?tab=standings`);
      assert.deepEqual(await overflow(reader), []);
      for (const name of names) assert.ok(await reader.getByText(name).count() > 0, `${name} is in the standings`);
      await reader.goto(`${program.url}/ratings`);
      await reader.locator('main a[href^="/ratings/"]').first().click();
      for (const name of names) assert.ok(await reader.getByText(name).count() > 0, `${name} has a rating`);
      console.log(`# ${rounds} rounds (${language}): ${page.acts} clicks and fields at the desk`);
      if (rounds === 5) assert.ok(page.acts <= mostActs, `${page.acts} clicks and fields for an evening of five rounds`);
      assert.deepEqual(page.faults, []);
    } finally {
      await program.stop();
    }
  });
}
