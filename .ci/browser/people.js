// Players of the demonstration at the boards, each in a browser of its own, and their games.
import { login } from './api.js';
import { password, player } from './program.js';

const fresh = 8 * 60_000; // ms; a session's token lasts 15 minutes, and a game takes a few

// enter opens a page in a browser of its own with a session.
export async function enter(program, browser, name, options = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(`${program.url}/login`);
  await page.getByLabel('Login', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  return page;
}

// Club is the players of a program, logged in once each, and again before their tokens expire.
export class Club {
  #browser;
  #states = new Map();

  constructor(program, browser) {
    this.program = program;
    this.#browser = browser;
  }

  // api returns the client of player n.
  async api(n) {
    return (await this.#member(n)).api;
  }

  async #member(n) {
    const known = this.#states.get(n);
    if (known && Date.now() - known.since < fresh) return known.member;
    const member = this.#enter(n);
    this.#states.set(n, { since: Date.now(), member });
    return member;
  }

  async #enter(n) {
    const context = (await enter(this.program, this.#browser, player(n))).context();
    const state = await context.storageState();
    await context.close();
    return { state, api: await login(this.program.url, player(n)) };
  }

  // page opens an empty page of player n, or of a visitor for 0.
  async page(n, options = {}) {
    const storageState = n ? (await this.#member(n)).state : undefined;
    const context = await this.#browser.newContext({ locale: 'en-GB', ...options, storageState });
    return context.newPage();
  }

  // game starts a casual game of players 1, 2, … and returns it.
  async game(variant, seats, more = {}) {
    const apis = await Promise.all(Array.from({ length: seats }, (_, i) => this.api(i + 1)));
    const game = await apis[0].post('/games', {
      variant, seats: apis.map(({ player }) => ({ player_id: player })), time_control: '3600', rated: false, start: 'now', ...more,
    });
    if (game.status === 'waiting') for (const api of apis.slice(1)) await api.post(`/games/${game.id}/accept`, {});
    return game;
  }
}

// variants are the nine, with how many sit at their boards here.
export const variants = [
  ['quixo/duel', 2], ['quixo/teams', 4], ['quits/duel', 2], ['quits/short', 2], ['quits/four', 4],
  ['quivive/duel', 2], ['quivive/melee', 5], ['quivive/teams', 4], ['quiwin/duel', 2],
];
