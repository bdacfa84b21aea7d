// A match of teams over boards of different games: captains file line-ups on phones, without scripts too, and an arbiter enters
// what was played.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, overflowAt, watch } from './chromium.js';
import { enter } from './people.js';
import { organiser, player, start } from './program.js';

let program, browser, olga;

before(async () => {
  program = await start();
  browser = await launch();
  olga = await login(program.url, organiser);
});
after(async () => {
  await browser?.close();
  await program?.stop();
});

// fits holds a page to the widths of phones and to axe's rules, and takes a picture of it where one is wanted.
async function fits(page, name) {
  assert.deepEqual(await overflow(page), [], name);
  assert.deepEqual(await overflowAt(page, 320), [], name);
  assert.deepEqual(await accessibility(page), [], name);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${page.viewportSize().width}.png`, fullPage: true });
}

// league starts a tournament of two teams of four in the hall and returns the paths of it and of its match.
async function league() {
  const { id } = await olga.post('/tournaments', {
    name: 'Three games', variant: 'quixo/duel', format: 'team_round_robin', time_control: '300+3', rated: false, venue: 'hall',
    teams: { boards: [{}, { game: 'quits/duel' }, { game: 'quivive/duel' }] },
  });
  for (const [team, first] of [['North', 1], ['South', 5]]) {
    const members = [];
    for (let n = first; n < first + 4; n++) members.push((await login(program.url, player(n))).player);
    await olga.post(`/tournaments/${id}/entries`, { name: team, members, captain: members[0] });
  }
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  return { id, match: `/tournaments/${id}/matches/1/1` };
}

for (const [javaScriptEnabled, width, colorScheme] of [[true, 1280, 'light'], [false, 390, 'dark']]) {
  test(`a match of teams ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const { id, match } = await league();
    const look = { viewport: { width, height: 844 }, javaScriptEnabled, colorScheme };
    const [north, south, desk] = [
      await enter(program, browser, player(1), look), await enter(program, browser, player(5), look),
      await enter(program, browser, organiser, look),
    ];
    const faults = [north, south, desk].map((page) => watch(page, program.url));
    await north.goto(program.url + match);
    if (javaScriptEnabled) await fits(north, 'lineup');
    else if (process.env.SHOTS) await north.screenshot({ path: `${process.env.SHOTS}/lineup-390.png` });
    const reserve = await north.locator('select[name=board1] option').last().getAttribute('value');
    await north.locator('select[name=board1]').selectOption(reserve);
    await north.locator('button[value=final]').click();
    await desk.goto(program.url + match);
    assert.equal(await desk.locator('table.pairings').count(), 0, 'one line-up is revealed before the other is final');
    await south.goto(program.url + match);
    await south.locator('button[value=final]').click();
    await south.goto(program.url + match);
    assert.equal(await south.locator('table.pairings tbody tr').count(), 3);
    assert.equal(await south.locator(`table.pairings a[href="/players/${reserve}"]`).count(), 1);
    for (const [board, result] of [[1, '1-0'], [2, '1/2-1/2'], [3, '1-0']]) {
      await desk.goto(program.url + match);
      const form = desk.locator(`form[action$="/boards/${board}"]`).filter({ has: desk.locator('select[name=result]') });
      await form.locator('select').selectOption(result);
      await form.getByRole('button').click();
    }
    await desk.goto(program.url + match);
    if (javaScriptEnabled) await fits(desk, 'match');
    await south.goto(program.url + match);
    assert.match(await south.locator('main').innerText(), /2(½|[.,]5) : (½|0[.,]5)/);
    await south.goto(`${program.url}/tournaments/${id}`);
    if (javaScriptEnabled) await fits(south, 'pairings');
    else if (process.env.SHOTS) await south.screenshot({ path: `${process.env.SHOTS}/pairings-390.png` });
    assert.deepEqual(faults.flat(), []);
    for (const page of [north, south, desk]) await page.context().close();
  });
}
