// An organiser admits bots to a tournament and enters one for a missing fourth player, with and without scripts; it plays.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, overflow, watch } from './chromium.js';
import { browser, olga, program } from './opening.js';
import { organiser, password, player } from './program.js';

let players;

before(async () => {
  players = await Promise.all([1, 2, 3].map((n) => login(program.url, player(n))));
});

// sound fails for what axe finds and for sideways scrolling.
async function sound(page, where) {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await overflow(page), [], where);
    assert.deepEqual(await accessibility(page), [], where);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/bots-${where}-${width}.png`, fullPage: true });
  }
}

// untilBotMoves plays the first legal moves of the people at a table until a bot has moved.
async function untilBotMoves(id) {
  for (;;) {
    const game = await olga.get(`/games/${id}`);
    const seat = game.awaited[0];
    if (seat === undefined || game.seats[seat - 1].bot) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      const later = await olga.get(`/games/${id}`);
      if (later.plies > game.plies) return later;
      continue;
    }
    const person = players.find((one) => one.player === game.seats[seat - 1].player.id);
    const { legal, turn } = await person.get(`/games/${id}`);
    await person.post(`/games/${id}/moves`, { seat, turn, move: legal[seat][0] });
  }
}

for (const javaScriptEnabled of [true, false]) {
  test(`a bot for a missing player ${javaScriptEnabled ? 'with' : 'without'} scripts`, { timeout: 120_000 }, async () => {
    const { id } = await olga.post('/tournaments', {
      name: 'Melee', variant: 'quivive/melee', format: 'table_swiss', rounds: 3, time_control: '300+3', rated: true,
    });
    for (const one of players) await olga.post(`/tournaments/${id}/entries`, { player_id: one.player });
    const context = await browser.newContext({ javaScriptEnabled, locale: 'en-GB' });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    const desk = `/tournaments/${id}/desk`;
    await page.goto(`${program.url}/login?next=${desk}?tab=settings`);
    await page.getByLabel('Login', { exact: true }).fill(organiser);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL(/tab=settings/);
    await page.locator('details', { has: page.locator('input[name=bots]') }).locator('> summary').click();
    await page.getByLabel('bots for missing players').check();
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.waitForURL(/desk/);
    await page.goto(`${program.url}${desk}?tab=entries`);
    await page.getByLabel('Bot', { exact: true }).selectOption('2');
    if (javaScriptEnabled) await sound(page, 'form');
    await page.getByRole('button', { name: 'Enter bot' }).click();
    await page.getByText('The bot is entered.').waitFor();
    await page.locator('#presence li', { hasText: 'Bot (level 2)' }).waitFor();
    if (javaScriptEnabled) await sound(page, 'entered');
    await page.locator('#presence li', { hasText: 'Bot (level 2)' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Bot (level 2)' }).waitFor();
    if (javaScriptEnabled) await sound(page, 'entry');

    await olga.post(`/tournaments/${id}/start`);
    const round = await olga.post(`/tournaments/${id}/rounds`);
    assert.equal(round.pairings.length, 1);
    const game = await untilBotMoves(round.pairings[0].game_id);
    assert.equal(game.rated, false);
    assert.deepEqual(game.seats.filter((seat) => seat.bot).map((seat) => seat.bot), [2]);
    await page.goto(`${program.url}/games/${game.id}`);
    await page.getByText('Bot (level 2)').first().waitFor();
    await page.goto(`${program.url}/tournaments/${id}?tab=info`);
    await page.getByText('Organisers may enter a bot').waitFor();
    if (javaScriptEnabled) await sound(page, 'information');
    assert.deepEqual(faults, []);
    await context.close();
  });
}
