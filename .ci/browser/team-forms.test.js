// Two kinds of team tournaments from the form to the last result: a Scheveningen, in which all players of one team meet all of the
// other, and a knock-out in two legs, whose line-ups captains file on phones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { login } from './api.js';
import { watch } from './chromium.js';
import { browser, fits, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

// names returns what players of the demonstration are called.
async function names(numbers) {
  const found = [];
  for (const n of numbers) {
    const api = await login(program.url, player(n));
    found.push((await api.get(`/players/${api.player}`)).name);
  }
  return found;
}

// create makes a tournament in the hall by the form, enters teams by their names, and starts it; it returns the tournament's path.
async function create(page, format, boards, more, teams) {
  await page.goto(`${program.url}/tournaments/new`);
  await page.locator('#name').fill(`Teams in a ${format}`);
  await page.locator('#variant').selectOption('quixo/duel');
  await page.locator('input[name=venue][value=hall]').check();
  await page.locator('#format').selectOption(format);
  await page.locator('#control').selectOption('300+3');
  await page.locator('details.fold:has(#rounds) > summary').click();
  await page.locator('#boards').fill(boards);
  for (const [name, value] of Object.entries(more)) await page.locator(`[name="${name}"]`).fill(value);
  await fits(page, `${format}-new`);
  await page.locator('form.wide-form > button:not(.quiet)').click();
  await page.waitForURL('**/desk**');
  const path = new URL(page.url()).pathname.replace('/desk', '');
  const lines = await Promise.all(Object.entries(teams).map(async ([team, numbers]) => `${team}: ${(await names(numbers)).join(', ')}`));
  await page.locator('#names').fill(lines.join('\n'));
  await page.locator('.desk-add form[enctype] button:not(.quiet)').click();
  await fits(page, `${format}-squads`); // the club knows the players
  await page.locator('button[name=chosen]').click();
  await page.locator('.desk-entries li').nth(lines.length - 1).waitFor();
  await fits(page, `${format}-entries`);
  await page.locator('button[value=start]').click();
  await page.waitForURL('**/desk**');
  return path;
}

// pair pairs a round at the desk and publishes it.
async function pair(page, path, round) {
  await page.goto(`${program.url}${path}/desk?tab=round`);
  await page.locator('form[action$="/pair"] button').first().click();
  await page.waitForLoadState();
  await fits(page, `draft-${round}`);
  await page.locator('button', { hasText: /^Publish$/ }).first().click();
  await page.getByText('The round is published.').waitFor();
}

// score enters the results of a match on its page.
async function score(page, match, results) {
  for (const [i, result] of results.entries()) {
    await page.goto(program.url + match);
    const form = page.locator(`form[action$="/boards/${i + 1}"]:has(select[name=result])`);
    await form.locator('select').selectOption(result);
    await form.getByRole('button').click();
    await page.waitForLoadState();
  }
}

for (const [width, colorScheme] of [[390, 'dark'], [1280, 'light']]) {
  const look = { viewport: { width, height: 844 }, colorScheme, locale: 'en-GB' };

  test(`a Scheveningen at ${width} px`, async () => {
    const page = await enter(program, browser, organiser, look);
    const faults = watch(page, program.url);
    const path = await create(page, 'team_scheveningen', '3', {}, { North: [1, 2, 3], South: [4, 5, 6] });
    for (let round = 1; round <= 3; round++) {
      await pair(page, path, round);
      await score(page, `${path}/matches/${round}/1`, ['1-0', '1/2-1/2', '0-1']);
      if (round > 1) continue;
      await fits(page, 'scheveningen-match');
      await page.goto(`${program.url}${path}?tab=crosstable`);
      await fits(page, 'scheveningen-crosstable-1');
    }
    const captain = await enter(program, browser, player(1), { ...look, viewport: { width: 390, height: 844 } });
    await captain.goto(`${program.url}${path}/team`);
    assert.equal(await captain.locator('select').count(), 0, 'a line-up follows from the table');
    await fits(captain, 'scheveningen-team');
    await page.goto(`${program.url}${path}?tab=crosstable`);
    await fits(page, 'scheveningen-crosstable');
    const [north, south] = await page.locator('table.cross:has(caption) tbody').evaluateAll((tables) => tables.map((table) => (
      [...table.rows].map((row) => [...row.querySelectorAll('td.middle')].map((cell) => cell.querySelector('sup') !== null)))));
    for (const [i, j] of [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]]) {
      assert.notEqual(north[i][j], south[j][i], 'one of two has the first seat');
    }
    await page.goto(`${program.url}${path}?tab=standings`);
    await fits(page, 'scheveningen-standings');
    await page.goto(`${program.url}${path}/print/crosstable`);
    await fits(page, 'scheveningen-paper');
    assert.deepEqual(faults, []);
    for (const each of [page, captain]) await each.context().close();
  });

  test(`a knock-out of teams in two legs at ${width} px`, async () => {
    const page = await enter(program, browser, organiser, look);
    const faults = watch(page, program.url);
    const path = await create(page, 'team_knockout', '2', { legs: '2', tiebreak_clock: '60+1' }, { North: [1, 2, 3], South: [5, 6, 7] });
    const captains = [];
    for (const n of [1, 5]) captains.push(await enter(program, browser, player(n), { ...look, viewport: { width: 390, height: 844 } }));
    for (const leg of [1, 2]) {
      await pair(page, path, leg);
      for (const captain of captains) {
        await captain.goto(`${program.url}${path}/team`);
        await fits(captain, `legs-line-up-${leg}`);
        await captain.locator('button[value=final]').click();
        await captain.waitForLoadState();
      }
      const match = `${path}/matches/${leg}/1`;
      await score(page, match, leg === 1 ? ['1-0', '1/2-1/2'] : ['1-0', '1/2-1/2']); // sides are exchanged: level
      await fits(page, `legs-match-${leg}`);
      await page.goto(program.url + path);
      await fits(page, `legs-bracket-${leg}`);
    }
    await page.goto(`${program.url}${path}?tab=standings`);
    await fits(page, 'legs-standings');
    await page.goto(`${program.url}${path}/desk`);
    await fits(page, 'legs-desk');
    await page.goto(`${program.url}${path}/print/bracket`);
    await fits(page, 'legs-paper');
    assert.deepEqual(faults, []);
    for (const each of [page, ...captains]) await each.context().close();
  });
}
