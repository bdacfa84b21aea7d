// A match of teams over boards of different games: captains file line-ups on phones, without scripts too, and an arbiter enters
// what was played.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from './api.js';
import { watch } from './chromium.js';
import { browser, fits, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

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

for (const [javaScriptEnabled, width, colorScheme] of [[true, 390, 'dark'], [false, 1280, 'light']]) {
  test(`My team and the match card ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const { id } = await league();
    const look = { viewport: { width, height: 844 }, javaScriptEnabled, colorScheme };
    const [north, member, south] = [
      await enter(program, browser, player(1), look), await enter(program, browser, player(2), look),
      await enter(program, browser, player(5), look),
    ];
    const faults = [north, member, south].map((page) => watch(page, program.url));
    const shot = async (page, name) => {
      if (javaScriptEnabled) await fits(page, name);
      else if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${width}.png`, fullPage: true });
    };
    await north.goto(program.url);
    await shot(north, 'home');
    await north.locator('.next-step a[href*="/team?"]').first().click();
    await shot(north, 'my-team');
    const clock = north.locator('[data-clock]');
    const before = await clock.innerText();
    if (javaScriptEnabled) await north.waitForFunction((text) => document.querySelector('[data-clock]')?.textContent !== text, before);
    await north.locator('details.fold summary').click();
    await north.locator('input[name=numbers]').fill('4 4');
    await north.locator('button[value=final]').click();
    assert.equal(await north.locator('[role=alert]').count(), 1);
    await shot(north, 'my-team-refused');
    await north.locator('input[name=numbers]').fill('4 2 1');
    await north.locator('button[value=final]').click();
    await member.goto(`${program.url}/tournaments/${id}/team`);
    assert.equal(await member.locator('select').count(), 0, 'a member sees the line-up');
    await shot(member, 'my-team-member');
    await south.goto(`${program.url}/tournaments/${id}/print/matches`);
    assert.equal(await south.locator('.match-card tbody tr').count(), 3);
    await south.goto(`${program.url}/tournaments/${id}/team`);
    await south.locator('button[value=final]').click();
    if (javaScriptEnabled) await member.locator('[data-part=boards] table tbody tr').nth(2).waitFor(); // by itself
    else await member.reload();
    await shot(member, 'my-team-boards');
    await member.locator('[data-part=report] a').first().click();
    await shot(member, 'board-report');
    await south.goto(`${program.url}/tournaments/${id}/slip?match=1`);
    await shot(south, 'match-report');
    await south.goto(`${program.url}/tournaments/${id}/print/matches`);
    assert.match(await south.locator('.match-card').innerText(), /3/);
    await shot(south, 'match-card');
    await south.goto(`${program.url}/tournaments/${id}/print/boards`);
    await shot(south, 'boards');
    assert.deepEqual(faults.flat().filter((fault) => !fault.includes('422')), []);
    for (const page of [north, member, south]) await page.context().close();
  });
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
