// A league and a season of the club: made by forms, played by results, drawn up again, and put together on one page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

// play plays a division whose members win in the order of a list.
async function play(id, order) {
  const { items } = await olga.get(`/tournaments/${id}/entries`);
  const place = new Map(items.map((entry) => [entry.id, order.indexOf(entry.name)]));
  assert.ok([...place.values()].every((n) => n >= 0), `${items.map((entry) => entry.name)} of ${order}`);
  await olga.post(`/tournaments/${id}/start`);
  for (let round = 1; round < order.length + (order.length % 2); round++) {
    const { pairings } = await olga.post(`/tournaments/${id}/rounds`);
    for (const { board, seats } of pairings.filter((pair) => !pair.bye)) {
      const result = place.get(seats[0]) < place.get(seats[1]) ? '1-0' : '0-1';
      await olga.put(`/tournaments/${id}/rounds/${round}/pairings/${board}/result`, { result });
    }
  }
  await olga.post(`/tournaments/${id}/finish`);
}

// sound demands of a page that it fits, and that axe finds nothing, on a phone and a desk, light and dark, in three languages.
async function sound(path, name) {
  for (const [width, locale] of [[390, 'de'], [390, 'fr'], [1280, 'en']]) {
    for (const colorScheme of ['light', 'dark']) {
      const page = await enter(program, browser, name, { viewport: { width, height: 844 }, colorScheme });
      await page.context().setExtraHTTPHeaders({ 'accept-language': locale });
      await page.goto(program.url + path);
      if (process.env.QUATUOR_SHOTS) {
        const file = `${path.replaceAll(/[/?=]|[0-9a-f-]{36}/g, '_')}-${name}-${width}-${locale}-${colorScheme}.png`;
        await page.screenshot({ path: `${process.env.QUATUOR_SHOTS}/${file}`, fullPage: true });
      }
      assert.deepEqual(await overflow(page), [], `${path} at ${width}, ${locale}`);
      assert.deepEqual(await accessibility(page), [], `${path} at ${width}, ${colorScheme}`);
      await page.context().close();
    }
  }
}

// members returns who is in which division, as the page shows it.
async function members(page) {
  const divisions = [];
  for (const table of await page.locator('table.league').all()) {
    divisions.push((await table.locator('tbody th').allInnerTexts()).join(' '));
  }
  return divisions;
}

test('a league is made, played, and drawn up again; a season puts it together', async () => {
  const page = await enter(program, browser, organiser, { javaScriptEnabled: false });
  await page.goto(`${program.url}/tournaments`);
  await page.getByRole('link', { name: 'New league' }).click();
  await sound('/leagues/new', organiser);
  await page.getByLabel('Name', { exact: true }).fill('Club league');
  await page.getByLabel('Time control').selectOption('none');
  await page.getByLabel('Promoted').fill('1');
  await page.getByLabel('Relegated').fill('1');
  await page.getByLabel('Play-offs').check();
  await page.getByLabel('Division 1').fill('Anna\nBert\nCarl\nDora\n');
  await page.getByLabel('Division 2').fill('Emil\nFine\nGert\nAnna\n');
  await page.getByRole('button', { name: 'Create the league' }).click();
  await page.getByText('or is there twice').waitFor();
  await page.getByLabel('Division 2').fill('Emil\nFine\nGert\nHugo\n');
  await page.getByRole('button', { name: 'Create the league' }).click();
  await page.waitForURL(/\/leagues\/[0-9a-f-]{36}\/seasons\/1/);
  const league = new URL(page.url()).pathname.replace('/seasons/1', '');
  await sound(`${league}/seasons/1`, organiser);
  await page.getByRole('button', { name: 'Confirm the season' }).click();
  await page.locator('h2 .tag').first().waitFor();
  const ids = await page.locator('h2 a[href^="/tournaments/"]').evaluateAll((links) => links.map((a) => a.getAttribute('href').split('/')[2]));
  await play(ids[0], ['Anna', 'Bert', 'Carl', 'Dora']);
  await play(ids[1], ['Emil', 'Fine', 'Gert', 'Hugo']);
  await page.goto(`${program.url}${league}`);
  await page.getByText('promotion', { exact: true }).waitFor();
  await page.getByText('relegation', { exact: true }).waitFor();
  await sound(`${league}/seasons/1`, player(1));
  await page.getByRole('button', { name: 'Draw up the next season' }).click();
  assert.deepEqual(await members(page), ['Anna Bert Carl Emil', 'Dora Fine Gert Hugo']);
  await page.getByRole('checkbox', { name: 'Hugo' }).check();
  await page.getByLabel('Who joins?').fill('Zora\n');
  await page.getByLabel('Fine wins').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('won the play-off').first().waitFor();
  assert.deepEqual(await members(page), ['Anna Bert Fine Emil', 'Dora Carl Gert Zora']);
  await sound(`${league}/seasons/2`, organiser);
  await page.getByRole('button', { name: 'Confirm the season' }).click();
  await page.locator('h2 .tag').first().waitFor();
  assert.deepEqual((await members(page)).map((all) => all.split(' ').sort().join(' ')), ['Anna Bert Emil Fine', 'Carl Dora Gert Zora']);

  await page.goto(`${program.url}/seasons`);
  await page.getByRole('link', { name: 'New season' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('Autumn to summer');
  await page.getByRole('checkbox', { name: 'Club league 1 League', exact: true }).check();
  await sound('/seasons/new', organiser);
  await page.getByRole('button', { name: 'Save the season' }).click();
  await page.waitForURL(/\/seasons\/[0-9a-f-]{36}/);
  const season = new URL(page.url()).pathname;
  const first = page.locator('table.season tbody tr').first();
  assert.match(await first.innerText(), /1\s+Anna\s+25/);
  await first.locator('td a[href*="/standings/"]').click();
  await page.waitForURL(/\/tournaments\/.*\/standings\/\d+/);
  await sound(season, organiser);
  await sound('/seasons', player(1));
  await sound(`/embed${season}`, player(1));
  await page.context().close();
});
