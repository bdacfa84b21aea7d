// Series and ladders: an organiser's forms, the pages of all, and a player's two taps, without scripts where people act.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, overflow } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

let players;

before(async () => {
  players = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => login(program.url, player(n))));
});

// evening plays a round-robin in the hall, which players win in the order of a list, and returns its id.
async function evening(name, order) {
  const { id } = await olga.post('/tournaments', {
    name, variant: 'quixo/duel', format: 'round_robin', time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  const place = new Map();
  for (const [i, p] of order.entries()) {
    const entry = await olga.post(`/tournaments/${id}/entries`, { player_id: p.player });
    place.set(entry.id, i);
  }
  await olga.post(`/tournaments/${id}/start`);
  for (let round = 1; round < order.length + (order.length % 2); round++) {
    const { pairings } = await olga.post(`/tournaments/${id}/rounds`);
    for (const { board, seats } of pairings.filter((pair) => !pair.bye)) {
      const result = place.get(seats[0]) < place.get(seats[1]) ? '1-0' : '0-1';
      await olga.put(`/tournaments/${id}/rounds/${round}/pairings/${board}/result`, { result });
    }
  }
  await olga.post(`/tournaments/${id}/finish`);
  return id;
}

// sound demands of a page that it fits, and that axe finds nothing, on a phone and a desk, light and dark.
async function sound(path, name) {
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark']) {
      const locale = width === 390 ? 'de' : 'en';
      const page = await enter(program, browser, name, { viewport: { width, height: 844 }, colorScheme });
      await page.context().setExtraHTTPHeaders({ 'accept-language': locale });
      await page.goto(program.url + path);
      if (process.env.QUATUOR_SHOTS) {
        const file = `${path.replaceAll(/[/]|[0-9a-f-]{36}/g, '_')}-${name}-${width}-${colorScheme}.png`;
        await page.screenshot({ path: `${process.env.QUATUOR_SHOTS}/${file}`, fullPage: true });
      }
      assert.deepEqual(await overflow(page), [], `${path} at ${width}`);
      assert.deepEqual(await accessibility(page), [], `${path} at ${width}, ${colorScheme}`);
      await page.context().close();
    }
  }
}

test('a series is made by a form, and its numbers open to how they came about', async () => {
  const [a, b, c, d] = players;
  await evening('Winter 1', [a, b, c, d]);
  await evening('Winter 2', [b, a, d]);
  await evening('Winter 3', [c, d, b]);
  const page = await enter(program, browser, organiser, { javaScriptEnabled: false });
  await page.goto(`${program.url}/tournaments`);
  await page.getByRole('link', { name: 'New series' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Winter');
  for (const n of [1, 2, 3]) await page.getByRole('checkbox', { name: `Winter ${n}` }).check();
  await page.getByLabel('Factor of Winter 3').fill('1.5');
  await page.getByLabel('Results that count').fill('2');
  await page.getByLabel('Points by place').fill('5 6');
  await page.getByRole('button', { name: 'Save the series' }).click();
  await page.getByText('points by place descend').waitFor();
  await page.getByLabel('Points by place').fill('25 18 15 12 10');
  await page.getByRole('button', { name: 'Save the series' }).click();
  await page.waitForURL(/\/series\/[0-9a-f-]{36}/);
  const path = new URL(page.url()).pathname;
  assert.match(await page.locator('table.series tbody tr').first().innerText(), /1.*37½/s);
  assert.equal(await page.locator('table.series s').count(), 2);
  await page.locator('table.series tbody tr').first().locator('a[href="#p0"]').first().click();
  await page.getByText('25 × 1.5 = 37.5').waitFor();
  await page.context().close();
  await sound(path, organiser);
  await sound(`${path}/edit`, organiser);
  await sound('/tournaments', organiser);
});

test('two taps challenge a player on a ladder, and the result moves the challenger up', async () => {
  const page = await enter(program, browser, organiser, { javaScriptEnabled: false });
  await page.goto(`${program.url}/ladders/new`);
  await page.getByLabel('Name', { exact: true }).fill('Club ladder');
  await page.getByRole('button', { name: 'Begin the ladder' }).click();
  await page.waitForURL(/\/ladders\/[0-9a-f-]{36}/);
  const path = new URL(page.url()).pathname;
  for (const p of players) await p.post(`${path}/members`, {});
  const phone = await enter(program, browser, player(4), { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await phone.goto(program.url + path);
  await phone.locator('.ladder summary').nth(1).click();
  await phone.getByRole('button', { name: /^Challenge / }).locator('visible=true').click();
  await phone.getByText(/^You challenge /).waitFor();
  await players[5].post(`${path}/challenges`, { player_id: players[4].player });
  await sound(path, player(2));
  const defender = await enter(program, browser, player(2), { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await defender.goto(program.url + path);
  await defender.getByRole('button', { name: 'Accept' }).click();
  await defender.getByRole('button', { name: 'won', exact: true }).click(); // for the challenger
  await phone.goto(program.url + path);
  await phone.getByRole('button', { name: 'won', exact: true }).click();
  await phone.getByText('4 → 2').waitFor();
  await page.goto(program.url + path);
  await page.getByText('Correct the result').click();
  await page.locator('details[open] .ladder-score').getByRole('button', { name: 'lost' }).click();
  await page.getByText('corrected', { exact: true }).waitFor();
  for (const each of [page, phone, defender]) await each.context().close();
  await sound(path, organiser);
  await sound('/ladders/new', organiser);
});
