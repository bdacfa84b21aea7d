// An evening of a Keizer season: created with the form, presence said on a phone without scripts, check-in, pairing, results,
// the ranking and how a total came about.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from './api.js';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

// What an organiser clicks from the end of the check-in to the new ranking, apart from one click for each result.
const mostActs = 7;

const tab = (id, name) => `${program.url}/tournaments/${id}/desk?tab=${name}`;

// sound fails for what axe finds, for sideways scrolling at two widths, and for what went wrong on a page.
async function sound(page, faults) {
  assert.deepEqual(await accessibility(page), [], page.url());
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await overflow(page), [], page.url());
  }
  assert.deepEqual(faults, [], page.url());
}

test('an evening of a Keizer season', async (t) => {
  const page = await enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/tournaments/new`);
  await page.getByLabel('Name', { exact: true }).fill('Autumn Season');
  await page.locator('#variant').selectOption('quixo/duel');
  await page.locator('#format').selectOption('keizer');
  await page.getByText('Everything else').click();
  await page.getByLabel('Absences that count').fill('4');
  await sound(page, faults);
  await page.getByRole('button', { name: 'Create tournament' }).click();
  await page.waitForURL('**/desk**');
  const id = page.url().match(/tournaments\/([^/]+)/)[1];
  assert.equal((await olga.get(`/tournaments/${id}`)).pairing.keizer.absences, 4);

  const me = (await login(program.url, player(1))).player;
  await olga.post(`/tournaments/${id}/entries`, { player_id: me, rating: 1650 });
  for (let i = 1; i < 40; i++) await olga.post(`/tournaments/${id}/entries`, { name: `Member ${i}`, rating: 2000 - 20 * i });
  await page.goto(tab(id, 'entries'));
  await page.getByRole('button', { name: 'Open check-in' }).click();
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.waitForURL('**/desk**');

  const phone = await enter(program, browser, player(1), { viewport: { width: 390, height: 800 }, locale: 'en-GB', javaScriptEnabled: false });
  await phone.goto(`${program.url}/tournaments/${id}`);
  await phone.getByRole('button', { name: 'With the team' }).click();
  await phone.getByText('Noted: you play for the club.').waitFor();
  await phone.getByRole('button', { name: 'Tonight', exact: true }).click();
  await phone.getByText('Noted: you are coming.').waitFor();
  await phone.goto(program.url);
  assert.equal(await phone.locator(`form[action*="${id}"]`).getByRole('button', { name: 'Tonight', exact: true }).getAttribute('aria-pressed'), 'true');

  await page.goto(tab(id, 'results'));
  await page.goto(tab(id, 'entries'));
  for (let i = 1; i < 36; i++) await page.getByRole('button', { name: new RegExp(`Member ${i}\\b`) }).first().click();
  await page.getByText('36 of 40 here').waitFor();
  await sound(page, faults);
  let acts = 0;
  const press = (locator) => {
    acts++;
    return locator.first().click();
  };
  await press(page.getByRole('button', { name: 'Close check-in' }));
  await press(page.locator('.next-step a.button.primary'));
  await press(page.getByRole('button', { name: /Pair/ }));
  await page.getByText('draft, not published').waitFor();
  await sound(page, faults);
  await press(page.getByRole('button', { name: 'Publish', exact: true }));
  await page.getByText('The round is published.').waitFor();
  const round = await olga.get(`/tournaments/${id}/rounds/1`);
  assert.equal(round.pairings.filter((p) => p.seats.length === 2).length, 18);
  assert.equal(round.pairings.filter((p) => p.bye === 'ZPB').length, 4);
  await press(page.locator('.tabs a[href$="tab=results"]'));
  for (let board = 1; board <= 18; board++) {
    const row = page.locator(`form[data-board="${board}"]`);
    await press(row.locator('label', { hasText: ['1–0', '½–½', '0–1'][board % 3] }));
    await row.locator('[data-shown]').filter({ hasText: /–/ }).waitFor();
  }
  await press(page.getByRole('link', { name: 'Public page' }));
  await press(page.locator('.tabs a[href$="tab=standings"]'));
  await page.locator('table.standings tbody tr').nth(39).waitFor();
  t.diagnostic(`${acts} clicks from the end of the check-in to the ranking, 18 of them results`);
  assert.ok(acts - 18 <= mostActs, `${acts} clicks`);
  await page.goto(tab(id, 'round'));
  await page.getByText('Round 2: check in who is there').waitFor();

  const reader = await (await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })).newPage();
  const seen = watch(reader, program.url);
  await reader.goto(`${program.url}/tournaments/${id}?tab=standings`);
  await sound(reader, seen);
  await reader.locator('table.standings tbody tr').first().locator('td.number a').first().click();
  await reader.getByText('own value').first().waitFor();
  await sound(reader, seen);
  await reader.goto(`${program.url}/tournaments/${id}/rounds/1/explain`);
  await reader.getByText('meets the highest-ranked opponent').first().waitFor();
  await sound(reader, seen);
  await reader.goto(`${program.url}/tournaments/${id}?tab=crosstable`);
  await sound(reader, seen);
  // The result of board 1 was wrong: the history names whom it moved.
  await olga.put(`/tournaments/${id}/rounds/1/pairings/1/result`, { result: '1-0', reason: 'misread' });
  await page.goto(`${program.url}/tournaments/${id}/history`);
  await page.getByText('moved:').first().waitFor();
  await sound(page, faults);
});
