// Lists come in: players of the club from a file of any kind, and the table of a tournament, on a phone and a desk, with
// and without JavaScript; and lists go out as CSV.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
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

const shot = async (page, name) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true });
};

// arrive logs the organiser in, in any language, and opens a page.
async function arrive(page, path) {
  await page.goto(`${program.url}/login?next=${encodeURIComponent(path)}`);
  await page.locator('input[name=login]').fill(organiser);
  await page.locator('input[name=password]').fill(password);
  await page.locator('main form button').first().click();
  await page.waitForURL(program.url + path);
}

for (const [javaScriptEnabled, width, locale, colorScheme, words] of [
  [true, 390, 'en', 'light', { look: 'Show what it would do', again: 'Show again', go: 'Enter the players', file: 'Or choose a file' }],
  [false, 390, 'de', 'dark', { look: 'Vorschau zeigen', again: 'Vorschau erneuern', go: 'Spieler eintragen', file: 'Oder eine Datei wählen' }],
  [true, 1280, 'fr', 'light', { look: 'Voir l’aperçu', again: 'Refaire l’aperçu', go: 'Enregistrer les joueurs', file: 'Ou choisir un fichier' }],
  [true, 1280, 'de', 'dark', { look: 'Vorschau zeigen', again: 'Vorschau erneuern', go: 'Spieler eintragen', file: 'Oder eine Datei wählen' }],
]) {
  const what = `${width}px-${locale}-${colorScheme}${javaScriptEnabled ? '' : '-plain'}`;
  test(`players from a file at ${what}`, async () => {
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 800 }, locale, colorScheme });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    const sound = async (where) => {
      await shot(page, `lists-${where}-${what}`);
      assert.deepEqual(await overflow(page), [], where);
      if (javaScriptEnabled) assert.deepEqual(await accessibility(page), [], where);
    };
    await arrive(page, '/players/import');
    await sound('empty');
    const table = `Nachname;Vorname;Jahrgang;Wertung;Verein\nBerg;Anna-${what};1990;1650;Dienstag\nCarl;Bert-${what};85;;\n`;
    await page.getByLabel(words.file).setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer: Buffer.from(table, 'latin1') });
    await page.getByRole('button', { name: words.look }).click();
    await page.getByRole('button', { name: words.again }).waitFor();
    assert.deepEqual(
      await page.locator('.list-columns select').evaluateAll((all) => all.map((one) => one.value)),
      ['last', 'first', 'birth_year', 'rating', 'club'],
    );
    assert.equal(await page.getByText('85', { exact: false }).count() > 0, true, 'the refused line is shown');
    await sound('preview');
    await page.locator('select[name=column-3]').selectOption('');
    await page.locator('select[name=column-2]').selectOption('');
    await page.getByRole('button', { name: words.again }).click();
    await page.getByText(`Bert-${what} Carl`).waitFor();
    await page.getByRole('button', { name: words.go }).click();
    await page.waitForURL(/\/players\?/);
    await page.getByText(`Anna-${what} Berg`).waitFor();
    const link = await page.getByRole('link', { name: 'CSV' }).getAttribute('href');
    const file = await page.request.get(program.url + link);
    assert.match(file.headers()['content-type'], /^text\/csv/);
    assert.match(await file.text(), new RegExp(`Anna-${what} Berg,Dienstag,`));
    await sound('players');
    assert.deepEqual(faults, []);
    await context.close();
  });
}

for (const [javaScriptEnabled, width, locale, colorScheme, words] of [
  [true, 390, 'en', 'light', { fold: 'Results from a list', paste: 'Paste a list', look: 'Show what it would do', go: 'Enter 2 results' }],
  [false, 390, 'de', 'dark', { fold: 'Ergebnisse aus einer Liste', paste: 'Liste einfügen', look: 'Vorschau zeigen', go: '2 Ergebnisse eintragen' }],
  [true, 1280, 'fr', 'light', { fold: 'Résultats d’une liste', paste: 'Coller une liste', look: 'Voir l’aperçu', go: 'Saisir 2 résultats' }],
]) {
  const what = `${width}px-${locale}-${colorScheme}${javaScriptEnabled ? '' : '-plain'}`;
  test(`results from a list at ${what}`, async () => {
    const olga = await login(program.url, organiser);
    const { id } = await olga.post('/tournaments', {
      name: `List ${what}`, variant: 'quixo/duel', format: 'swiss', rounds: 3, time_control: 'none', venue: 'hall',
    });
    await olga.post(`/tournaments/${id}/open`);
    await olga.post(`/tournaments/${id}/entries`, { entries: ['Ada', 'Bea', 'Cid', 'Dan', 'Eva', 'Finn'].map((name) => ({ name })) });
    await olga.post(`/tournaments/${id}/start`);
    await olga.post(`/tournaments/${id}/rounds`, {});
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 800 }, locale, colorScheme });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    await arrive(page, `/tournaments/${id}/desk?tab=results`);
    await page.getByText(words.fold).click();
    await page.getByLabel(words.paste).fill('Board\tResult\n1\t1:0\n2\t½–½\n3\t\n7\t0-1\n');
    await page.getByRole('button', { name: words.look }).click();
    await page.getByRole('button', { name: words.go }).waitFor();
    await shot(page, `lists-results-${what}`);
    assert.deepEqual(await overflow(page), []);
    if (javaScriptEnabled) assert.deepEqual(await accessibility(page), []);
    await page.getByRole('button', { name: words.go }).click();
    await page.locator('.desk-missing').getByText('1', { exact: false }).first().waitFor();
    const { pairings } = await olga.get(`/tournaments/${id}/rounds/1`);
    assert.deepEqual(pairings.map((one) => one.result ?? null), ['1-0', '1/2-1/2', null]);
    assert.deepEqual(faults, []);
    await context.close();
  });
}
