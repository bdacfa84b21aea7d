// A player takes part in a tournament and withdraws on its page, by plain forms, in three languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { password, player } from './program.js';

// sound fails for what axe finds, for sideways scrolling, and for what went wrong on a page.
async function sound(page, faults) {
  assert.deepEqual(await accessibility(page), [], page.url());
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await overflow(page), [], page.url());
  }
  assert.deepEqual(faults, [], page.url());
}

const words = {
  en: ['Log in to take part', 'Take part', 'Withdraw', 'You are registered.', 'You have withdrawn.'],
  fr: ['Se connecter pour participer', 'Participer', 'Se retirer', 'Votre inscription est enregistrée.', 'Votre inscription est retirée.'],
  de: ['Einloggen und teilnehmen', 'Teilnehmen', 'Zurückziehen', 'Sie sind angemeldet.', 'Sie haben sich zurückgezogen.'],
};

for (const [language, [first, takePart, withdraw, registered, gone]] of Object.entries(words)) {
  test(`taking part in ${language}`, async () => {
    const { id } = await olga.post('/tournaments', { name: 'Friday', variant: 'quits/duel', format: 'swiss', rounds: 3, time_control: 'none' });
    await olga.post(`/tournaments/${id}/open`);
    const scripts = language !== 'fr';
    const context = await browser.newContext({ locale: language, javaScriptEnabled: scripts });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    await page.goto(`${program.url}/tournaments/${id}`);
    if (scripts) await sound(page, faults);
    await page.getByRole('link', { name: first }).click();
    await page.locator('input[name=login]').fill(player(1));
    await page.locator('input[name=password]').fill(password);
    await page.locator('main form button').click();
    await page.waitForURL(`**/tournaments/${id}`);
    for (let i = 0; i < 2; i++) {
      await page.locator('main').getByRole('button', { name: takePart, exact: true }).click();
      await page.getByText(registered, { exact: true }).waitFor();
      if (scripts && i === 0) await sound(page, faults);
      await page.locator('main').getByRole('button', { name: withdraw, exact: true }).click();
      await page.getByText(gone, { exact: true }).waitFor();
    }
    assert.equal((await olga.get(`/tournaments/${id}/entries`)).items.length, 1);
    await context.close();
  });
}
