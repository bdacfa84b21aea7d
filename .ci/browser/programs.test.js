// Tokens and webhooks for programs: an organiser makes a token for one tournament and a webhook, and both pages can be used
// by all in three languages, light and dark, from the smallest phone to a desk.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { enter } from './people.js';
import { organiser, start } from './program.js';

let program, browser;

before(async () => {
  program = await start();
  browser = await launch();
  const olga = await login(program.url, organiser);
  await olga.post('/tournaments', { name: 'Autumn', variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: '300+3' });
});
after(async () => {
  await browser?.close();
  await program?.stop();
});

test('a token for one tournament and a webhook are made, and gone again', async () => {
  const page = await enter(program, browser, organiser, { viewport: { width: 390, height: 844 } });
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/me/tokens`);
  await page.getByLabel('What is it for?').last().fill('hall display');
  await page.getByRole('button', { name: 'Make a token' }).last().click();
  await page.locator('.secret').waitFor();
  assert.match(await page.locator('.secret').innerText(), /^qt_/);
  await page.goto(`${program.url}/me/tokens`);
  assert.equal(await page.locator('.secret').count(), 0);
  await page.getByText('hall display').waitFor();

  await page.goto(`${program.url}/me/webhooks`);
  await page.locator('#name').fill('league site');
  await page.locator('#url').fill('https://10.0.0.7/hook');
  await page.locator('form[action="/me/webhooks"] button').click();
  await page.getByRole('alert').waitFor();
  assert.equal(await page.locator('#name').inputValue(), 'league site');
  await page.locator('#url').fill('https://hooks.example.org/quatuor');
  await page.locator('form[action="/me/webhooks"] button').click();
  await page.locator('.secret').waitFor();
  assert.match(await page.locator('.secret').innerText(), /^whsec_/);
  assert.ok(faults.every((fault) => fault.includes('422')), faults.join('\n')); // the private address was refused
  await page.context().close();
});

for (const locale of ['en', 'fr', 'de']) {
  for (const colorScheme of ['light', 'dark']) {
    test(`tokens and webhooks in ${locale}, ${colorScheme}`, async () => {
      const page = await enter(program, browser, organiser);
      const state = await page.context().storageState();
      await page.context().close();
      const context = await browser.newContext({ storageState: state, locale, colorScheme });
      const view = await context.newPage();
      const faults = watch(view, program.url);
      await view.goto(`${program.url}/me/webhooks`);
      const hook = await view.locator('.people a.title').first().getAttribute('href');
      for (const path of ['/me/tokens', '/me/webhooks', hook]) {
        for (const width of [320, 390, 1280]) {
          await view.setViewportSize({ width, height: 800 });
          await view.goto(program.url + path);
          assert.deepEqual(await overflow(view), [], `${path} at ${width} pixels`);
          assert.deepEqual(await accessibility(view), [], `${path} at ${width} pixels`);
          if (process.env.SHOTS) await view.screenshot({ path: `${process.env.SHOTS}/${path.split('/').slice(2, 3)}-${path === hook}-${locale}-${colorScheme}-${width}.png`, fullPage: true });
        }
      }
      assert.deepEqual(faults, []);
      await context.close();
    });
  }
}
