// Every page that shows what others do: it polls for nothing, and shows a change made elsewhere without being loaded again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { login } from './api.js';
import { watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { enter } from './people.js';
import { organiser, player } from './program.js';

const idle = 20_000; // ms; pages were asked for again every 5 to 15 s once

let players, cup, hall, table;
const open = {};

before(async () => {
  players = await Promise.all([1, 2, 3, 4].map((n) => login(program.url, player(n))));
  const create = async (name, venue, entries) => {
    const { id } = await olga.post('/tournaments', {
      name, variant: 'quixo/duel', format: 'swiss', rounds: 2, time_control: '3600', venue, rated: false,
    });
    for (const entry of entries) await olga.post(`/tournaments/${id}/entries`, entry);
    await olga.post(`/tournaments/${id}/start`);
    await olga.post(`/tournaments/${id}/rounds`, { publish: true });
    return id;
  };
  cup = await create('Fresh cup', 'server', players.map(({ player: id }) => ({ player_id: id })));
  hall = await create('Fresh hall', 'hall', ['Anna', 'Bert', 'Cleo', 'Dora'].map((name) => ({ name })));
  const code = await code_(hall);
  const waiting = await players[0].post('/games', {
    variant: 'quits/duel', seats: [{ player_id: players[0].player }, { open: true }], time_control: '300+3', rated: false,
  });
  table = waiting.id;
  const staff = await enter(program, browser, organiser);
  const member = await enter(program, browser, player(1));
  const guest = await (await browser.newContext({ locale: 'en-GB' })).newPage();
  for (const [name, from, path] of [
    ['home', guest, '/'], ['club wall', guest, '/wall'], ['games', guest, `/tournaments/${cup}?tab=games`],
    ['wall', guest, `/tournaments/${cup}/wall`], ['card', guest, `/tournaments/${cup}/players/1`],
    ['embed', guest, `/embed/tournaments/${cup}`], ['own home', member, '/'], ['lobby', member, '/play'], ['table', member, `/play/${table}`],
    ['arbiter', staff, `/tournaments/${cup}/desk?tab=arbiter`], ['results', staff, `/tournaments/${hall}/desk?tab=results`],
    ['codes', staff, `/tournaments/${hall}/desk/codes`], ['phone', guest, code],
  ]) {
    const page = await from.context().newPage();
    open[name] = page;
    page.faults = watch(page, program.url);
    await page.goto(program.url + path);
    if (name === 'phone') await page.getByRole('button', { name: 'I won' }).click(); // from then on it waits for the other
    await page.locator('html[data-following]').waitFor({ state: 'attached' }).catch((err) => { throw new Error(`${name}: ${err.message} ${page.faults}`); });
    page.asked = [];
    page.on('request', (request) => page.asked.push(`${request.method()} ${request.url()}`));
    await page.evaluate(() => { globalThis.kept = true; });
  }
});

// code_ returns the path of the code of the first seat at the first board.
async function code_(id) {
  const page = await enter(program, browser, organiser);
  await page.goto(`${program.url}/tournaments/${id}/desk/codes`);
  const path = await page.locator('table.codes a').first().getAttribute('href');
  await page.context().close();
  return path;
}

// unasked demands that pages have not asked for anything, and were not loaded again.
async function unasked(names = Object.keys(open)) {
  for (const name of names) {
    assert.deepEqual(open[name].asked, [], name);
    assert.equal(await open[name].evaluate(() => globalThis.kept), true, name);
    assert.deepEqual(open[name].faults, [], name);
  }
}

// changed waits until pages differ from what they were before something was done.
async function changed(names, act) {
  const main = (page) => page.locator('main').innerHTML();
  const were = await Promise.all(names.map((name) => main(open[name])));
  await act();
  for (const [i, name] of names.entries()) {
    await open[name].waitForFunction((was) => document.querySelector('main').innerHTML !== was, were[i], { timeout: 20_000 })
      .catch((err) => { throw new Error(`${name}: ${err.message}`); });
  }
  await unasked(names);
}

test('no page polls', async () => {
  await new Promise((resolve) => { setTimeout(resolve, idle); });
  await unasked();
});

test('a move made elsewhere is shown', async () => {
  const { game_id: id } = (await olga.get(`/tournaments/${cup}/rounds/1`)).pairings[0];
  const game = await players[0].get(`/games/${id}`);
  const mover = players.find(({ player: who }) => game.seats[0].player?.id === who);
  await changed(['home', 'games', 'wall', 'arbiter', 'own home'], () => mover.post(`/games/${id}/moves`, { seat: 1, turn: game.turn, move: 'c1-c5' }));
});

test('a result is shown', async () => {
  const { game_id: id } = (await olga.get(`/tournaments/${cup}/rounds/1`)).pairings[0];
  const seated = (await olga.get(`/games/${id}`)).seats.map((seat) => seat.player?.id);
  const one = players.find(({ player: who }) => seated.includes(who));
  await changed(['home', 'club wall', 'games', 'wall', 'card', 'embed', 'arbiter', 'own home'], () => one.post(`/games/${id}/resign`, {}));
});

test('a game that waits for players is shown, and who sits down', async () => {
  await changed(['lobby'], () => players[1].post('/games', {
    variant: 'quixo/duel', seats: [{ player_id: players[1].player }, { open: true }], time_control: '300+3', rated: false,
  }));
  await players[1].post(`/games/${table}/sit`, { seat: 2 });
  await open.table.waitForURL(`${program.url}/games/${table}`);
});

test('results from phones and from the desk are shown', async () => {
  await changed(['phone', 'results', 'codes'], () => olga.put(`/tournaments/${hall}/rounds/1/pairings/1/result`, { result: '0-1' }));
  await open.phone.getByText('The result stands').waitFor();
  await open.results.locator('.result-row[data-board="1"][data-result="0-1"]').waitFor();
});

test('a call for the arbiter is heard on every tab', async () => {
  const other = await browser.newPage();
  await other.goto(program.url + await code_(hall));
  await changed(['results', 'codes'], () => other.getByRole('button', { name: 'Call' }).click());
  await open.results.locator('.desk-bell').waitFor();
});
