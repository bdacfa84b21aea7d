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

// draw drags one element onto another with a mouse.
async function draw(page, from, onto) {
  await from.hover();
  await page.mouse.down();
  await onto.hover();
  await page.mouse.up();
}

// drawByFinger drags one element onto another on a touch screen.
async function drawByFinger(page, from, onto) {
  const client = await page.context().newCDPSession(page);
  const middle = async (element) => {
    const { x, y, width, height } = await element.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  await from.scrollIntoViewIfNeeded();
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [await middle(from)] });
  await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [await middle(onto)] });
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

for (const [drags, look] of [[draw, { width: 1280 }], [drawByFinger, { width: 390, hasTouch: true }]]) {
  test(`a line-up is dragged (${drags.name})`, async () => {
    const { id } = await league();
    const { hasTouch = false, width } = look;
    const page = await enter(program, browser, player(1), { viewport: { width, height: 844 }, hasTouch });
    const faults = watch(page, program.url);
    await page.goto(`${program.url}/tournaments/${id}/team`);
    const lineUp = () => page.locator('select[name^=board]').evaluateAll((all) => all.map((one) => one.selectedIndex));
    const board = (n) => page.locator(`label[for=line-up-${n}]`);
    const bench = page.locator('[data-member]');
    assert.deepEqual([await lineUp(), await bench.count()], [[1, 2, 3], 1]);
    if (!hasTouch) await fits(page, 'my-team-bench');
    await drags(page, board(1), board(3)); // they change places
    assert.deepEqual(await lineUp(), [3, 2, 1]);
    await drags(page, bench, page.locator('#line-up-2')); // the reserve comes in
    assert.deepEqual([await lineUp(), (await bench.innerText()).startsWith('2 ')], [[3, 4, 1], true]);
    await drags(page, board(3), page.locator('[data-bench]')); // and board 3 stays empty
    assert.deepEqual([await lineUp(), await bench.count()], [[3, 4, 0], 2]);
    await page.locator('#line-up-1').selectOption({ index: 4 }); // chosen a second time: these two change, too
    assert.deepEqual(await lineUp(), [4, 3, 0]);
    await page.locator('details.fold summary').click();
    await page.locator('input[name=numbers]').fill('1 2 3');
    await drags(page, board(1), board(2)); // what is dragged last counts, and not the numbers
    await drags(page, board(1), board(2));
    assert.equal(await page.locator('input[name=numbers]').inputValue(), '');
    await drags(page, board(1), board(1).locator('xpath=ancestor::section//h2')); // beside every board: nothing
    assert.deepEqual(await lineUp(), [4, 3, 0]);
    await page.locator('button[value=file]').click();
    await page.getByText('Your line-up is filed.').waitFor();
    assert.deepEqual([await lineUp(), await bench.count()], [[4, 3, 0], 2]);
    assert.deepEqual(faults, []);
    await page.context().close();
  });
}

test('matches are made by dragging teams at the desk', async () => {
  const { id } = await olga.post('/tournaments', {
    name: 'Four teams', variant: 'quixo/duel', format: 'team_swiss', rounds: 3, time_control: 'none', rated: false, venue: 'hall',
    teams: { boards: [{}, {}] },
  });
  for (const [i, name] of ['Ash', 'Birch', 'Cedar', 'Date'].entries()) {
    const members = await Promise.all([2 * i + 1, 2 * i + 2].map(async (n) => (await login(program.url, player(n))).player));
    await olga.post(`/tournaments/${id}/entries`, { name, members });
  }
  await olga.post(`/tournaments/${id}/start`);
  const page = await enter(program, browser, organiser, { viewport: { width: 1280, height: 844 } });
  const faults = watch(page, program.url);
  await page.goto(`${program.url}/tournaments/${id}/desk?tab=round`);
  await page.getByRole('button', { name: 'Pair next round' }).click();
  const seat = (board, n) => page.locator(`#r${board} .seat-chip`).nth(n);
  const names = async () => (await page.locator('.seat-chip').allInnerTexts()).map((text) => text.split(' ')[0].trim());
  const [first, second, third, fourth] = await names();
  await draw(page, seat(1, 0), seat(2, 1));
  await page.waitForFunction((name) => document.querySelector('#r1 .seat-chip')?.textContent?.includes(name), fourth);
  assert.deepEqual(await names(), [fourth, second, third, first]);
  await fits(page, 'desk-dragged');
  assert.deepEqual(faults, []);
  await page.context().close();
});

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
