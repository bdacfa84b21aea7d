// Takes the pictures in docs/screenshots from a demonstration evening: `make screenshots`.
import { mkdir, readFile, stat } from 'node:fs/promises';
import { login } from './api.js';
import { launch, widths } from './chromium.js';
import { Club, enter } from './people.js';
import { organiser, start } from './program.js';
import { chance, pick } from './random.js';

const folder = new URL('../../docs/screenshots/', import.meta.url);
const fileOf = (name) => new URL(`${name}.png`, folder).pathname;
const tallest = { 390: 1100, 1280: 900 }; // CSS pixels of a page that are shown
const largest = 150_000; // bytes of a file

// subjects names the pages worth showing, by the file they go to.
async function subjects(api) {
  const cup = (await api.get('/tournaments?limit=10')).items.find((t) => t.variant === 'quixo/duel');
  const games = (await api.get('/games?variant=quivive/duel&limit=50')).items;
  const leader = (await api.get(`/tournaments/${cup.id}/standings`)).rows[0].entry;
  const player = (await api.get('/players?limit=50')).items.find((p) => p.name === leader.name);
  return { home: '/', tournament: `/tournaments/${cup.id}`, game: `/games/${games[0].id}`, player: `/players/${player.id}` };
}

// evening plays a tournament in the hall up to the middle of its third round, and returns its id. The player wins twice,
// and is at one of the two boards that still play.
async function evening(api, player) {
  const { id } = await api.post('/tournaments', {
    name: 'Thursday Open', variant: 'quixo/duel', format: 'swiss', rounds: 5, time_control: 'none', venue: 'hall', rated: false,
  });
  await api.post(`/tournaments/${id}/open`);
  const own = await api.post(`/tournaments/${id}/entries`, { player_id: player });
  const names = ['Bo Chen', 'Cleo Diaz', 'Dan Eder', 'Eva Fuchs', 'Finn Gil', 'Gro Hahn', 'Ivo Jung', 'Kim Lund', 'Lea Moser', 'Max Noll', 'Nia Okoro'];
  for (const [i, name] of names.entries()) await api.post(`/tournaments/${id}/entries`, { name, rating: 1900 - 23 * i });
  await api.post(`/tournaments/${id}/start`);
  const next = chance(3);
  for (let round = 1; round <= 3; round++) {
    const { pairings } = await api.post(`/tournaments/${id}/rounds`, {});
    for (const { board, seats } of pairings) {
      const seat = seats.indexOf(own.id);
      if (round === 3 && (seat >= 0 || board === pairings.length)) continue;
      const result = ['1-0', '0-1'][seat] ?? pick(['1-0', '0-1', '1/2-1/2'], next);
      await api.put(`/tournaments/${id}/rounds/${round}/pairings/${board}/result`, { result });
    }
  }
  return id;
}

// visit opens a page in a window as high as is shown of it.
async function visit(page, url, width) {
  await page.setViewportSize({ width, height: tallest[width] });
  await page.goto(url, { waitUntil: 'load' });
}

// take takes what is in the window, or what there is of a page that is less high.
async function take(page, name) {
  const { width, height } = page.viewportSize();
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.screenshot({ path: fileOf(name), clip: { x: 0, y: 0, width, height: Math.min(full, height) } });
}

// together lays the desk, a phone and the wall side by side, from pictures of their windows.
async function together(browser, shots) {
  const page = await browser.newPage({ viewport: { width: 1400, height: 400 } });
  const images = shots.map((shot) => `<img alt="" src="data:image/png;base64,${shot.toString('base64')}">`);
  await page.setContent(`<style>
    body { display: flex; gap: 16px; align-items: center; width: max-content; margin: 0; padding: 16px; background: #e9e7e1; }
    img { height: 368px; border: 1px solid #c9c5bb; border-radius: 6px; }
  </style>${images.join('')}`);
  await page.locator('img').last().evaluate((image) => image.decode());
  await page.locator('body').screenshot({ path: fileOf('evening') });
  await page.close();
}

// windows takes pictures of the evening as the organiser, a player and the hall see it.
async function windows(program, browser, id) {
  const desk = await enter(program, browser, organiser, { locale: 'en-GB' });
  await visit(desk, `${program.url}/tournaments/new`, 1280);
  await desk.getByLabel('Name', { exact: true }).fill('Friday Open');
  await desk.getByLabel('Players', { exact: true }).fill('12');
  await desk.getByLabel('Hours', { exact: true }).fill('3');
  await take(desk, 'new-1280');
  await visit(desk, `${program.url}/tournaments/${id}/desk?tab=results`, 1280);
  await take(desk, 'desk-1280');
  const phone = await new Club(program, browser).page(1, { viewport: { width: 390, height: 844 } });
  await phone.goto(program.url, { waitUntil: 'load' });
  const wall = await browser.newPage({ viewport: { width: 1440, height: 880 }, locale: 'en-GB' });
  await wall.clock.install({ time: Date.now() + 24 * 60_000 }); // the round has gone on for a while
  await wall.goto(`${program.url}/tournaments/${id}/wall`, { waitUntil: 'load' });
  await together(browser, [await readFile(fileOf('desk-1280')), await phone.screenshot(), await wall.screenshot()]);
}

const program = await start();
const browser = await launch();
try {
  await mkdir(folder, { recursive: true });
  const api = await login(program.url, organiser);
  const visitor = await browser.newPage({ locale: 'en-GB' });
  for (const [name, path] of Object.entries(await subjects(api))) {
    for (const width of widths) {
      await visit(visitor, program.url + path, width);
      await take(visitor, `${name}-${width}`);
    }
  }
  const { player } = await new Club(program, browser).api(1);
  await windows(program, browser, await evening(api, player));
} finally {
  await browser.close();
  await program.stop();
}
for (const name of ['evening', 'new-1280', 'desk-1280', ...['home', 'tournament', 'game', 'player'].flatMap((n) => widths.map((w) => `${n}-${w}`))]) {
  const { size } = await stat(fileOf(name));
  console.log(`${size} ${name}.png${size > largest ? ' is too large' : ''}`);
}
