// A league of teams: captains agree on the date of their match on phones, without scripts too, and an arbiter sets it. An
// open page follows what the other side proposes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from './api.js';
import { accessibility, overflow, overflowAt, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

// league starts a league of two teams whose matches have dates.
async function league() {
  const { id } = await olga.post('/tournaments', {
    name: 'Winter League', variant: 'quixo/duel', format: 'team_round_robin', time_control: '300+3', rated: false, venue: 'hall',
    teams: { boards: [{}, { game: 'quits/duel' }], days: 21, deadline_minutes: 60 },
  });
  for (const [team, first] of [['North', 1], ['South', 5]]) {
    const members = [];
    for (let n = first; n < first + 2; n++) members.push((await login(program.url, player(n))).player);
    await olga.post(`/tournaments/${id}/entries`, { name: team, members, captain: members[0] });
  }
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  return { id, match: `/tournaments/${id}/matches/1/1` };
}

// daysAhead returns a time so many days ahead, as a field for a date and a time has it.
const daysAhead = (days) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 16);

for (const [javaScriptEnabled, width, colorScheme] of [[true, 390, 'dark'], [false, 390, 'light'], [true, 1280, 'light']]) {
  test(`captains agree on a date ${javaScriptEnabled ? 'with' : 'without'} JavaScript, ${width} px`, async () => {
    const { id, match } = await league();
    const look = { viewport: { width, height: 844 }, javaScriptEnabled, colorScheme };
    const [north, south, desk] = [
      await enter(program, browser, player(1), look), await enter(program, browser, player(5), look),
      await enter(program, browser, organiser, look),
    ];
    const faults = [north, south, desk].map((page) => watch(page, program.url));
    const fits = async (page, name) => {
      if (javaScriptEnabled) {
        assert.deepEqual(await overflow(page), [], name);
        assert.deepEqual(await overflowAt(page, 320), [], name);
        assert.deepEqual(await accessibility(page), [], name);
      }
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    };
    await south.goto(`${program.url}/tournaments/${id}/team`);
    await fits(south, 'date-none');
    await north.goto(`${program.url}/tournaments/${id}/team`);
    await north.locator('#date input[name=at]').fill(daysAhead(9));
    await north.locator('#date button[value=propose]').click();
    await fits(north, 'date-proposed');
    assert.equal(await north.locator('#date button[value=back]').count(), 1);
    if (!javaScriptEnabled) await south.reload();
    await south.locator('#date button[value=agree]').waitFor(); // with scripts by itself
    await fits(south, 'date-asked');
    await south.locator('#date button[value=agree]').click();
    if (!javaScriptEnabled) await north.reload();
    await north.locator('#date button[value=back]').waitFor({ state: 'detached' });
    assert.equal((await olga.get(`/tournaments/${id}/rounds/1/matches/1`)).date.agreed, true);
    await desk.goto(program.url + match);
    await desk.locator('#date details summary').click();
    await desk.locator('#date details input[name=at]').fill(daysAhead(30));
    await fits(desk, 'date-arbiter');
    await desk.locator('#date button[value=last]').click();
    assert.match((await olga.get(`/tournaments/${id}/rounds/1/matches/1`)).date.last_day, new RegExp(daysAhead(30).slice(0, 10)));
    assert.deepEqual(faults.flat(), []);
    for (const page of [north, south, desk]) await page.context().close();
  });
}
