// The line breaks while a player moves: at random instants, before the move is sent, in its middle, and between the
// server's taking it and its answer. No move is lost, none counts twice, and the clock is right afterwards. A short run
// cuts a few times in two variants; QUATUOR_LONG=hours cuts a hundred times in each of the nine.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch } from './chromium.js';
import { lay } from './line.js';
import { Club, variants } from './people.js';
import { start } from './program.js';
import { chance, choose, judge, pick } from './random.js';
import { until, ways } from './ways.js';

const long = process.env.QUATUOR_LONG === 'hours';
const seed = Number(process.env.QUATUOR_SEED ?? 1);
const cutsEach = long ? 100 : 6;
const tolerance = long ? 100 : 2000; // ms that a clock may be wrong; a machine that does much else is late with everything
const short = ['quixo/duel', 'quiwin/duel'];
const kinds = ['offline', 'cut', 'request', 'half', 'answer'];
const [taps] = ways;
const done = []; // a row for each variant

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
  const row = (cells) => cells.map((cell, i) => String(cell).padEnd([15, 6, 46, 7, 6, 9, 20][i])).join('');
  console.log([row(['variant', 'cuts', 'of which', 'moves', 'lost', 'doubled', 'clock off by, ms']), ...done.map(row)].join('\n'));
});

for (const [i, [variant, seats]] of variants.entries()) {
  if (!long && !short.includes(variant)) continue;
  test(`${cutsEach} cuts in games of ${variant}`, () => cutIn(variant, seats, chance(100 * seed + i)));
}

// cutIn plays games over a line that is cut in every move of seat 1, made by taps; the others' moves come over the API.
async function cutIn(variant, seats, next) {
  const line = await lay(program.url);
  const page = await club.page(1, taps.options);
  await page.addInitScript(ticking);
  const apis = await Promise.all(Array.from({ length: seats }, (_, i) => club.api(i + 1)));
  const count = { cuts: 0, moves: 0, lost: 0, doubled: 0, off: [], kinds: new Map(kinds.map((kind) => [kind, 0])) };
  while (count.cuts < cutsEach) {
    const { id } = await club.game(variant, seats);
    await taps.open(page, `${line.url}/games/${id}`);
    await through({ id, variant, page, line, apis, next, count });
  }
  await page.context().close();
  await line.stop();
  const off = count.off.sort((a, b) => a - b);
  const each = [...count.kinds].map(([kind, n]) => `${kind} ${n}`).join(', ');
  done.push([variant, count.cuts, each, count.moves, count.lost, count.doubled, `median ${off[off.length >> 1] ?? '–'}, most ${off.at(-1) ?? '–'}`]);
  assert.deepEqual([count.lost, count.doubled], [0, 0]);
  assert.ok(off.every((ms) => ms <= tolerance), `clocks are off by ${off.slice(-5).join(', ')} ms`);
}

// through plays a game to its end, or until there were enough cuts.
async function through({ id, variant, page, line, apis, next, count }) {
  const game = { variant, seats: apis.length, moves: [] };
  const own = [];
  for (;;) {
    const { awaited, status } = await apis[0].get(`/games/${id}`);
    if (status === 'finished' || count.cuts === cutsEach) break;
    const seat = awaited.includes(1) ? 1 : pick(awaited, next);
    const { turn, version, legal } = await apis[seat - 1].get(`/games/${id}`);
    const move = await choose({ judge: judging, game, seat, legal: legal[seat], next });
    if (seat === 1) {
      await taps.ready(page, turn, legal[1]);
      await cutAt({ page, line, move, next, count });
      await until(`${move} arrives`, async () => (await apis[0].get(`/games/${id}`)).version > version);
      own.push(move);
      await seen(page, move, turn);
      const off = await clockError(page, apis[0], id);
      if (off !== null) count.off.push(off);
    } else {
      await apis[seat - 1].post(`/games/${id}/moves`, { seat, turn, move });
    }
    game.moves.push(move);
  }
  const { events } = await apis[0].get(`/games/${id}`);
  const stored = events.filter((event) => event.kind === 'move').map((event) => event.move?.replace(/^\d:/, ''));
  const mine = events.filter((event) => event.kind === 'move' && event.seat === 1).map((event) => event.move.replace(/^\d:/, ''));
  count.moves += own.length;
  count.lost += own.filter((move, i) => !mine.includes(move) || mine.length < i).length;
  count.doubled += Math.max(0, mine.length - own.length);
  assert.deepEqual(mine, own, 'every move of the page was stored once, in order');
  assert.equal(stored.length, game.moves.length);
}

// cutAt lets a player tap a move while the line is cut, and mends the line after a while.
async function cutAt({ page, line, move, next, count }) {
  const kind = kinds[Math.floor(next() * kinds.length)];
  count.kinds.set(kind, count.kinds.get(kind) + 1);
  count.cuts++;
  const context = page.context();
  const at = next() * 300 - 100; // ms after the first tap; before it where that is negative
  const down = 50 + next() * 500;
  if (kind === 'offline' || kind === 'cut') {
    const cut = async () => (kind === 'cut' ? line.cut() : context.setOffline(true));
    if (at < 0) await cut();
    await pause(Math.max(0, -at));
    const tapped = taps.move(page, move);
    if (at >= 0) {
      await pause(at);
      await cut();
    }
    await tapped;
  } else {
    line.trap(kind);
    await taps.move(page, move);
    await until(`${move} is sent`, async () => line.sprung);
  }
  await pause(down);
  line.mend();
  await context.setOffline(false);
}

// pause lets random time pass: the instants of cuts are what is random here.
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

// seen waits until the page has heard of its own move, follows the game again, and holds nothing back.
async function seen(page, move, turn) {
  await page.waitForFunction(([move, turn]) => {
    const board = document.querySelector('[data-turn][data-status]');
    const on = board?.dataset.turn !== String(turn) || !document.querySelector('select[name=move]');
    const rests = document.querySelector('html[data-following]') || board?.dataset.status === 'finished';
    return on && rests && !document.querySelector('.unsent') && !document.querySelector('html.lost');
  }, [move, turn], { timeout: 60_000 }).catch(async (err) => {
    const state = await page.evaluate(() => ({ html: document.documentElement.className, following: document.documentElement.hasAttribute('data-following'), turn: document.querySelector('[data-turn]')?.dataset.turn, said: document.querySelector('main').innerText }));
    throw new Error(`${move} in turn ${turn}: ${JSON.stringify(state)}`, { cause: err });
  });
}

// ticking makes the page look at its clocks every 10 ms, and notes when a figure changed: between since and at.
function ticking() {
  const every = window.setInterval;
  const figures = () => [...document.querySelectorAll('[data-clock]')].map((one) => ({ text: one.textContent, seat: Number(one.closest('[data-of]')?.dataset.of) }));
  let since = 0;
  window.flips = [];
  window.setInterval = (run, ms, ...rest) => {
    if (ms > 250) return every(run, ms, ...rest);
    return every(() => {
      const before = figures();
      run();
      const now = figures();
      const at = Date.now();
      now.forEach(({ text, seat }, i) => { if (before.length === now.length && seat === before[i].seat && text !== before[i].text) window.flips.push({ seat, text, since, at }); });
      since = at;
    }, 10);
  };
}

// clockError returns by how many ms the page's running clock differs from the server's, null where none runs.
async function clockError(page, api, id) {
  await page.evaluate(() => { window.flips = []; });
  const flip = await page.waitForFunction(() => window.flips[0] ?? (document.querySelector('[data-clock]') ? null : 'none'), null, { timeout: 60_000 });
  const { seat, text, since, at } = await flip.jsonValue();
  if (text === undefined) return null;
  const shown = text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0) * 1000 + 1000; // it was this between since and at
  const game = await api.get(`/games/${id}`);
  const clock = game.seats.find((one) => one.seat === seat);
  const left = (moment) => clock.remaining_ms + Date.parse(game.server_time) - moment;
  if (shown > left(since)) return Math.round(shown - left(since));
  return Math.max(0, Math.round(left(at) - shown));
}
