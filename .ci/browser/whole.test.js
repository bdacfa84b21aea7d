// Whole games of all nine variants, played on the pages against each other while a visitor watches: by taps, by the
// keyboard alone, by the accessibility tree alone, and with scripts off. A short run plays each variant one way, and each
// way at least twice; QUATUOR_LONG=hours plays every variant every way. QUATUOR_SEED chooses other games.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { accessibility, launch, watch } from './chromium.js';
import { Club, variants } from './people.js';
import { start } from './program.js';
import { chance, choose, judge, pick } from './random.js';
import { until, ways } from './ways.js';

const long = process.env.QUATUOR_LONG === 'hours';
const seed = Number(process.env.QUATUOR_SEED ?? 1);
const played = []; // a row for each game

let program, browser, club, judging;

before(async () => {
  program = await start();
  browser = await launch();
  club = new Club(program, browser);
  judging = judge();
});

after(async () => {
  judging?.stop();
  await browser?.close();
  await program?.stop();
  const row = (cells) => cells.map((cell, i) => String(cell).padEnd([15, 13, 7, 12, 8][i])).join('');
  console.log([row(['variant', 'way', 'moves', 'end', 's']), ...played.map(row)].join('\n'));
  const count = (key) => new Set(played.map((game) => game[key])).size;
  console.log(`${played.length} games, ${count(0)} variants, ${count(1)} ways, ${played.reduce((sum, game) => sum + game[2], 0)} moves; seed ${seed}`);
});

for (const [i, [variant, seats]] of variants.entries()) {
  for (const [j, way] of ways.entries()) {
    if (!long && j !== (i + seed) % ways.length) continue;
    test(`a game of ${variant} by ${way.name}`, () => whole(variant, seats, way, chance(1000 * seed + 10 * i + j)));
  }
}

// whole plays a game to its end, and compares what everyone sees with what the server has stored.
async function whole(variant, seats, way, next) {
  const began = Date.now();
  const { id } = await club.game(variant, seats);
  const url = `${program.url}/games/${id}`;
  const people = [];
  for (let n = 1; n <= seats; n++) people.push({ page: await club.page(n, way.options), api: await club.api(n) });
  const visitor = { page: await club.page(0, way.options) };
  const all = [...people, visitor].map(({ page }) => page);
  const faults = all.map((page) => watch(page, program.url));
  for (const page of all) await way.open(page, url);
  const moves = await play({ id, variant, people, way, next });
  for (const page of all) await way.ended(page);
  const end = await people[0].api.get(`/games/${id}`);
  assert.ok(!['resignation', 'time', 'forfeit', 'agreement'].includes(end.outcome.reason), 'the game came to an end of its own');
  for (const page of all) await shows(page, end, moves);
  assert.deepEqual(await accessibilityOf(way, all), []);
  await recorded(id, variant);
  assert.deepEqual(faults.flat(), []);
  await Promise.all(all.map((page) => page.context().close()));
  played.push([variant, way.name, moves.length, end.outcome.reason, ((Date.now() - began) / 1000).toFixed(0)]);
}

// play makes moves that the pages offer until the game is over, and returns them.
async function play({ id, variant, people, way, next }) {
  const game = { variant, seats: people.length, moves: [] };
  for (;;) {
    const { awaited, status } = await people[0].api.get(`/games/${id}`);
    if (status === 'finished') return game.moves;
    assert.equal(status, 'running');
    const seat = pick(awaited, next);
    const { page, api } = people[seat - 1];
    const { turn, version, legal } = await api.get(`/games/${id}`);
    if (!legal?.[seat]) continue; // the move before was on its way still
    await way.ready(page, turn, legal[seat]);
    assert.deepEqual((await way.offers(page)).sort(), [...legal[seat]].sort(), 'the page offers the legal moves');
    const move = await choose({ judge: judging, game, seat, legal: legal[seat], next });
    await way.move(page, move);
    await until(`${move} of seat ${seat} in turn ${turn} of game ${id} arrives`, async () => (await api.get(`/games/${id}`)).version > version);
    game.moves.push(move);
  }
}

// shows holds a page of a finished game against the public API: the moves, the position and the winner.
async function shows(page, game, moves) {
  const folded = page.locator('.moves-box:not([open]) > summary');
  if (await folded.count()) await folded.click();
  const listed = await page.getByRole('region', { name: 'Moves' }).locator('td > :first-child').allInnerTexts();
  const stored = game.events.filter((event) => event.kind === 'move').map((event) => event.move.replace(/^\d:/, ''));
  assert.deepEqual(stored, moves, 'every move was stored once, in order');
  if (game.sealed || game.variant.startsWith('quiwin')) assert.deepEqual([...listed].sort(), [...stored].sort());
  else assert.deepEqual(listed, stored);
  if (game.position) assert.ok((await page.locator('code').allTextContents()).includes(game.position), 'the position is shown');
  const text = await page.getByRole('main').innerText();
  const winners = game.seats.filter(({ seat }) => game.outcome.ranks?.[seat - 1] === 1).map(({ player }) => player.name);
  if (winners.length < game.seats.length) for (const name of winners) assert.match(text, new RegExp(`${name}[^.]* won\\.`));
  else assert.match(text, /A draw\./);
}

// accessibilityOf looks for barriers on the pages of the first player and of the visitor, where scripts can.
const accessibilityOf = async (way, pages) => (way.options.javaScriptEnabled === false ? [] : [...await accessibility(pages[0]), ...await accessibility(pages.at(-1))]);

// recorded lets the program judge the game's record.
async function recorded(id, variant) {
  const record = await (await fetch(`${program.url}/api/v1/games/${id}/record`)).text();
  for (const command of variant.startsWith('quiwin') ? [['replay', '--record', '-'], ['verify', '-']] : [['replay', '--record', '-']]) {
    const { status, stdout, stderr } = spawnSync(process.env.QUATUOR_BINARY, command, { input: record, encoding: 'utf8' });
    assert.equal(status, 0, `${command.join(' ')}: ${stdout}${stderr}`);
  }
}
