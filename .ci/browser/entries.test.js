// An organiser prepares a tournament: creates it, pastes names, checks in with and without JavaScript, and starts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow, watch } from './chromium.js';
import { organiser, password, start } from './program.js';

let program, browser;

before(async () => {
  program = await start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

const names = ['Abel', 'Berg', 'Carl', 'Dorn', 'Edel', 'Frey', 'Gaul', 'Hahn', 'Igel', 'Jung', 'Kern', 'Lang'];

for (const javaScriptEnabled of [true, false]) {
  test(`from a new tournament to its start ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    const sound = async (where) => {
      assert.deepEqual(await overflow(page), [], where);
      if (javaScriptEnabled) assert.deepEqual(await accessibility(page), [], where);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${where.replace(/\W+/g, '-')}.png`, fullPage: true });
    };
    await page.goto(`${program.url}/login?next=/tournaments/new`);
    await page.getByLabel('Login', { exact: true }).fill(organiser);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Thursday');
    await page.getByLabel('Players', { exact: true }).fill('12');
    await page.getByLabel('Hours', { exact: true }).fill('3');
    await page.getByRole('button', { name: 'Suggest' }).click();
    await page.getByText('For 12 players in 3 hours').waitFor();
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Thursday');
    await sound('new');
    await page.getByRole('button', { name: 'Create tournament' }).click();
    await page.waitForURL(/\/desk\?/);
    await page.getByLabel('Names, one a line').fill(names.map((name) => `${name} ${javaScriptEnabled ? 'A' : 'B'}`).join('\n'));
    await page.getByRole('button', { name: 'Add players' }).click();
    await page.locator('.desk-count').getByText('12 entries').waitFor();
    await page.getByRole('button', { name: 'Open check-in' }).click();
    await page.getByText('The check-in is open.').waitFor();
    await sound('check in');
    const here = page.locator('[data-here]');
    const row = (name) => page.locator('#presence li', { hasText: name }).locator('button.mark');
    await row('Abel').click();
    await page.waitForFunction(() => document.querySelector('[data-here]')?.textContent === '1');
    assert.equal(await row('Abel').getAttribute('aria-pressed'), 'true');
    if (javaScriptEnabled) {
      for (const name of names.slice(1, 10)) {
        await page.getByLabel('Find').pressSequentially(name.slice(0, 3));
        await page.getByLabel('Find').press('Enter');
      }
      await page.waitForFunction(() => document.querySelector('[data-here]')?.textContent === '10');
      await row('Abel').click();
      await page.waitForFunction(() => document.querySelector('[data-here]')?.textContent === '9');
      await row('Abel').click();
      await page.waitForFunction(() => document.querySelector('[data-here]')?.textContent === '10');
    } else {
      for (const name of names.slice(1, 10)) {
        await row(name).click();
        await page.locator('#presence li', { hasText: name }).locator('button[aria-pressed="true"]').waitFor();
      }
    }
    assert.equal(await here.textContent(), '10');
    await page.getByRole('button', { name: 'Close check-in' }).click();
    await page.getByText('2 are not here').waitFor();
    await page.goto(`${page.url().replace(/\?.*/, '')}?tab=settings`);
    await sound('settings');
    await page.goto(`${page.url().replace(/\?.*/, '')}?tab=prizes`);
    await sound('prizes');
    await page.goto(`${page.url().replace(/\?.*/, '')}?tab=entries`);
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await page.getByText('The tournament has started.').waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });
}
