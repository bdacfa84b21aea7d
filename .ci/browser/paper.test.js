// What is printed fits its sheets of A4 and of US Letter, complete, in type that can be read from where it hangs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { pagesOf } from './pdf.js';
import { organiser, password } from './program.js';

const papers = { A4: [210, 297], Letter: [215.9, 279.4] }; // mm
const margins = (kind) => (['badges', 'scorecards', 'slips', 'cards'].includes(kind) ? 20 : 28); // mm, left and right together
const names = ['Ada Berg', 'Bo Chen', 'Cleo Díaz', 'Dan Eder', 'Eva Fuchs', 'Maximilian Freiherr von Hohenstein-Wartenberg'];

// enter starts a tournament with so many players, and publishes its first round.
async function enter(format, players, rounds) {
  const { id } = await olga.post('/tournaments', {
    name: `${format} of ${players}`, variant: 'quixo/duel', format, ...(rounds ? { rounds } : {}), time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  for (let n = 0; n < players; n++) await olga.post(`/tournaments/${id}/entries`, { name: `${names[n % 6]} ${n + 1}`, club: 'Tuesday Club', rating: 2000 - n });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, { publish: true });
  return id;
}

// finish enters results in all games of the round, and publishes the next.
async function finish(id, round) {
  const { pairings } = await olga.get(`/tournaments/${id}/rounds/${round}`);
  for (const { board } of pairings) await olga.put(`/tournaments/${id}/rounds/${round}/pairings/${board}/result`, { result: ['1-0', '1/2-1/2', '0-1', '+--'][board % 4] });
  await olga.post(`/tournaments/${id}/rounds`, { publish: true });
}

// print prints a page on both kinds of paper, and returns how many sheets it takes at most. Each sheet has the paper's size, and
// nothing stands out to the right of what it has room for.
async function print(page, id, kind, across = false) {
  await page.goto(`${program.url}/tournaments/${id}/print/${kind}`);
  const sheets = [];
  for (const [format, size] of Object.entries(papers)) {
    const pdf = await page.pdf({ format, preferCSSPageSize: true });
    const boxes = [...pdf.toString('latin1').matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)];
    const [width, height] = across ? [size[1], size[0]] : size;
    for (const [, x, y] of boxes) {
      assert.ok(Math.abs(x / 72 * 25.4 - width) < 1 && Math.abs(y / 72 * 25.4 - height) < 1, `${kind} on ${format} is ${x} × ${y} points`);
    }
    const words = pagesOf(pdf);
    sheets.push(words.length);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: Math.ceil((width - margins(kind)) / 25.4 * 96) + 1, height: 800 });
    assert.deepEqual(await overflow(page), [], `${kind} on ${format}`);
    assert.deepEqual(await cut(page), [], `${kind} on ${format}`);
    for (const name of await page.locator('.entries th, .cross th a, .names th, .pairings td:nth-child(2), .badge h2, .scorecard h2').allInnerTexts()) {
      const bare = name.replace(/\s|\d+ \(.*/g, '');
      if (name.match(/[A-Z]/) && !/^(No|Name|Club|Rating|Board|Opponent|Remarks)/.test(name)) assert.ok(words.some((text) => text.includes(bare)), `${kind} on ${format} lacks ${name}`);
    }
    await page.emulateMedia({ media: null });
  }
  return Math.max(...sheets);
}

// cut names the elements that hide part of their content.
const cut = (page) => page.evaluate(() => [...document.querySelectorAll('main *')]
  .filter((e) => getComputedStyle(e).overflowX !== 'visible' && getComputedStyle(e).clipPath === 'none' && e.tagName !== 'svg' && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1))
  .map((e) => e.outerHTML.slice(0, 120)));

// points returns the size of an element's type in print.
async function points(page, selector) {
  await page.emulateMedia({ media: 'print' });
  const size = await page.locator(selector).first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize) * 0.75);
  await page.emulateMedia({ media: null });
  return Math.round(size * 10) / 10;
}

test('pairings: 6 boards are read across the hall, 50 at arm\'s length', async () => {
  const page = await browser.newPage();
  for (const [players, size, sheets] of [[12, 24, 1], [24, 18, 1], [50, 14, 2], [100, 12, 3]]) {
    const id = await enter('swiss', players, 3);
    assert.ok(await print(page, id, 'pairings') <= sheets, `${players} players`);
    assert.equal(await points(page, '.pairings'), size, `${players} players`);
    assert.ok(await points(page, '.pairings .small') >= 7, `${players} players`);
  }
  await page.close();
});

test('crosstables: as large as the sheet allows, across where they must be', async () => {
  const page = await browser.newPage();
  const faults = watch(page, program.url);
  const ten = await enter('round_robin', 10);
  await finish(ten, 1);
  assert.equal(await print(page, ten, 'crosstable'), 1);
  assert.ok(await points(page, '.cross') >= 10);
  const open = await enter('swiss', 60, 7);
  await finish(open, 1);
  assert.ok(await print(page, open, 'crosstable') <= 2);
  assert.ok(await points(page, '.cross') >= 9);
  const field = page.locator('.cross tbody td.middle').first();
  assert.match(await field.innerText(), /^\d+[×○] [1½0+−]$/);
  assert.match(await field.locator('strong').innerText(), /^\d+$/);
  const edges = await page.locator('.cross td.number strong').evaluateAll((all) => all.map((e) => {
    const range = e.ownerDocument.createRange();
    range.selectNodeContents(e.firstChild);
    const box = range.getBoundingClientRect();
    return e.className === 'half' ? box.left : box.right; // ½ begins where 0 and 1 end
  }));
  assert.ok(Math.max(...edges) - Math.min(...edges) < 1, `points end at ${[...new Set(edges)]}`);
  assert.ok(await page.locator('.cross .half').count() > 0 && await page.locator('.cross .whole').count() > 0);
  const everyone = await enter('round_robin', 30);
  await finish(everyone, 1);
  await print(page, everyone, 'crosstable', true);
  assert.ok(await points(page, '.cross') >= 7);
  assert.deepEqual(faults, []);
  await page.close();
});

test('lists, badges, cards and slips: whole, and as many sheets on both papers', async () => {
  const id = await enter('swiss', 12, 5);
  await finish(id, 1);
  const page = await browser.newPage();
  const faults = watch(page, program.url);
  for (const [kind, sheets] of Object.entries({ names: 1, standings: 1, entries: 1, checkin: 1, badges: 2, scorecards: 3 })) {
    assert.equal(await print(page, id, kind), sheets, kind);
    if (kind === 'badges' || kind === 'scorecards') assert.deepEqual(await accessibility(page), [], kind);
  }
  assert.equal(await print(page, await enter('round_robin', 12), 'scorecards'), 6); // eleven rounds: two to a sheet
  assert.equal(await print(page, await enter('knockout', 16), 'bracket', true), 1);
  await page.goto(`${program.url}/login`);
  await page.getByLabel('Login').fill(organiser);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('link', { name: organiser }).waitFor();
  assert.equal(await print(page, id, 'slips'), 2);
  assert.equal(await print(page, id, 'cards'), 2);
  assert.deepEqual(faults, []);
  await page.close();
});
