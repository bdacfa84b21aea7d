// A knock-out of teams with a level match, and a penalty in a round-robin, on phones and wide screens.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from './api.js';
import { browser, fits, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

// league starts a tournament of two teams in the hall, and returns its id and the first match with revealed line-ups.
async function league(format, extra = {}) {
  const { id } = await olga.post('/tournaments', {
    name: 'Cup of teams', variant: 'quixo/duel', format, time_control: '300+3', rated: false, venue: 'hall',
    teams: { boards: [{}, {}], ...extra },
  });
  const captains = [];
  for (const [team, first] of [['North', 1], ['South', 5]]) {
    const members = [];
    for (let n = first; n < first + 2; n++) members.push((await login(program.url, player(n))).player);
    await olga.post(`/tournaments/${id}/entries`, { name: team, members, captain: members[0] });
    captains.push(await login(program.url, player(first)));
  }
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  for (const captain of captains) await captain.post(`/tournaments/${id}/rounds/1/matches/1/lineup/final`);
  return id;
}

for (const [width, colorScheme] of [[390, 'dark'], [1280, 'light']]) {
  test(`A level match of a knock-out at ${width} px`, async () => {
    const id = await league('team_knockout', { tiebreak_clock: '60+1' });
    const page = await enter(program, browser, organiser, { viewport: { width, height: 844 }, colorScheme });
    const draw = async () => {
      await page.goto(`${program.url}/tournaments/${id}/matches/1/1`);
      const form = page.locator('form[action*="/boards/"]:has(select[name="result"])');
      for (let n = await form.count(); n > 0; n--) {
        const open = page.locator('form[action*="/boards/"]:has(select[name="result"])').nth((await form.count()) - n);
        await open.locator('select[name="result"]').selectOption('1/2-1/2');
        await open.locator('button').click();
        await page.waitForLoadState();
      }
    };
    await draw();
    await fits(page, 'cup-match');
    assert.match(await page.content(), /RAPID/);
    assert.equal(await page.locator('tbody tr').count(), 5);
    await page.goto(`${program.url}/tournaments/${id}`);
    await fits(page, 'cup-bracket');
    await page.goto(`${program.url}/tournaments/${id}?tab=standings`);
    await fits(page, 'cup-standings');
    await page.goto(`${program.url}/tournaments/new`);
    await fits(page, 'cup-new');
  });

  test(`A penalty at ${width} px`, async () => {
    const id = await league('team_round_robin');
    const page = await enter(program, browser, organiser, { viewport: { width, height: 844 }, colorScheme });
    await page.goto(`${program.url}/tournaments/${id}/desk?tab=entries`);
    await page.locator('summary', { hasText: 'Penalties' }).click();
    await page.locator('select[name="team"]').selectOption({ label: 'North' });
    await page.locator('input[name="bonus_mp"]').fill('-1');
    await page.locator('form[action$="/bonuses"] input[name="reason"]').fill('Late');
    await fits(page, 'penalty-form');
    await page.locator('form[action$="/bonuses"] button', { hasText: 'Add' }).click();
    await page.waitForLoadState();
    await fits(page, 'penalty-desk');
    await page.goto(`${program.url}/tournaments/${id}?tab=standings`);
    assert.match(await page.locator('main').innerText(), /Late/);
    await fits(page, 'penalty-standings');
  });
}
