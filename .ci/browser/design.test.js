// The page of all components, and the help: in each language, light and dark, from the smallest phone to a desk, they fit
// and can be used by all.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { serve } from './program.js';

let program, browser;

before(async () => {
  program = await serve('--design');
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

for (const path of ['/design', '/help', '/help/phone', '/help/rating']) {
  for (const locale of ['en', 'fr', 'de']) {
    for (const colorScheme of ['light', 'dark']) {
      test(`${path} in ${locale}, ${colorScheme}`, async () => {
        const context = await browser.newContext({ locale, colorScheme });
        const page = await context.newPage();
        const faults = watch(page, program.url);
        for (const width of [320, 390, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await page.goto(program.url + path);
          assert.equal(await page.locator('html').getAttribute('lang'), locale);
          assert.deepEqual(await overflow(page), [], `at ${width} pixels`);
          assert.deepEqual(await accessibility(page), [], `at ${width} pixels`);
          if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}${path.replaceAll('/', '-')}-${locale}-${colorScheme}-${width}.png`, fullPage: true });
        }
        assert.deepEqual(faults, []);
        await context.close();
      });
    }
  }
}
