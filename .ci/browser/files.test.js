// A report file is read, shown and confirmed, and a result that neither won is entered at the desk, with and without
// scripts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser } from './program.js';

const row = (number, points, cells) => `001 ${`${number}`.padStart(4)}      ${`Player ${number}`.padEnd(33)} ${2000 - number}`
  + `${' '.repeat(28)}${points}       ${cells}`;
const report = [
  '012 Read here', '022 Ulm', '142 2', '152 W', row(1, '0.5', '   2 w ='), row(2, '0.0', '   1 b 0'), 'YYY what is this', '',
].join('\r\n');

for (const [javaScriptEnabled, width, colorScheme] of [[true, 1280, 'light'], [false, 390, 'dark']]) {
  test(`a file is confirmed ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const page = await enter(program, browser, organiser, {
      viewport: { width, height: 800 }, javaScriptEnabled, colorScheme,
    });
    const faults = watch(page, program.url);
    await page.goto(`${program.url}/tournaments/new`);
    await page.getByText('Import a report file (TRF)').click();
    const form = page.locator('#import');
    await form.locator('#file').setInputFiles({ name: 'read.trf', mimeType: 'text/plain', buffer: Buffer.from(report, 'latin1') });
    await form.locator('#import-control').selectOption('none');
    await form.getByRole('button', { name: 'Read the file' }).click();
    await page.getByText('Nothing is stored yet').waitFor();
    await page.getByText('2 players are new').waitFor();
    await page.getByText('YYY').waitFor();
    await page.getByText('Without a meaning here').waitFor();
    assert.deepEqual(await overflow(page), []);
    if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
    if (process.env.QUATUOR_PICTURES) await page.screenshot({ path: `${process.env.QUATUOR_PICTURES}/import-${width}.png`, fullPage: true });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Read here' }).waitFor();
    await page.getByRole('link', { name: 'desk' }).first().waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  test(`½–0 is entered at the desk ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const { id } = await olga.post('/tournaments', {
      name: 'Phones', variant: 'quixo/duel', format: 'swiss', rounds: 1, time_control: 'none', venue: 'hall',
    });
    for (const name of ['Anna', 'Bert']) await olga.post(`/tournaments/${id}/entries`, { name });
    await olga.post(`/tournaments/${id}/start`);
    await olga.post(`/tournaments/${id}/rounds`);
    const page = await enter(program, browser, organiser, {
      viewport: { width, height: 800 }, javaScriptEnabled, colorScheme,
    });
    await page.goto(`${program.url}/tournaments/${id}/desk?tab=results&board=1`);
    await page.locator('select[name=result]').first().selectOption('½–0');
    await page.locator('[name=reason]').first().fill('a phone rang');
    await page.getByRole('button', { name: 'Save result' }).first().click();
    await page.getByText('Result saved.').waitFor();
    await page.getByText('½ – 0').first().waitFor();
    assert.equal((await olga.get(`/tournaments/${id}/rounds/1`)).pairings[0].result, '1/2-0');
    assert.deepEqual(await overflow(page), []);
    await page.goto(`${program.url}/tournaments/${id}/desk?tab=results&board=1`);
    if (process.env.QUATUOR_PICTURES) await page.screenshot({ path: `${process.env.QUATUOR_PICTURES}/board-${width}.png`, fullPage: true });
    await page.context().close();
  });
}
