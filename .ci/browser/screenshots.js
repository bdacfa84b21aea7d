// Takes the pictures in docs/screenshots from a demonstration evening: `make screenshots`. With --compare it takes them anew and
// compares them with those that are there, which fails where a page has come to look different.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { login } from './api.js';
import { launch, widths } from './chromium.js';
import { Club, enter } from './people.js';
import { organiser, start } from './program.js';
import { chance, pick } from './random.js';

const kept = new URL('../../docs/screenshots/', import.meta.url).pathname;
const comparing = process.argv.includes('--compare');
const folder = comparing ? await mkdtemp(join(tmpdir(), 'quatuor-screenshots-')) : kept;
const fileOf = (name) => join(folder, `${name}.png`);
const tallest = { 390: 1100, 1280: 900 }; // CSS pixels of a page that are shown
const largest = 150_000; // bytes of a file

// subjects names the pages worth showing, by the file they go to.
async function subjects(api) {
  const cup = (await api.get('/tournaments?limit=10')).items.find((t) => t.variant === 'quixo/duel');
  const games = (await api.get('/games?variant=quivive/duel&limit=100')).items.filter((g) => g.rated); // on the server, with its moves
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

const cells = 24; // a side of a square of pixels of which the mean is compared
const tolerance = 12; // of a mean, of 255; letters of another name differ by less
const share = 0.1; // of the squares may differ: names, times and positions do, each time

// compare returns the share of the squares in which two pictures differ, or 1 where they are not as high.
async function compare(page, one, other) {
  const images = await Promise.all([one, other].map(async (path) => `data:image/png;base64,${(await readFile(path)).toString('base64')}`));
  return page.evaluate(async ([urls, side, least]) => {
    const means = await Promise.all(urls.map(async (url) => {
      const image = new Image();
      image.src = url;
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [Math.ceil(image.width / side), Math.ceil(image.height / side)];
      const drawing = canvas.getContext('2d');
      drawing.imageSmoothingQuality = 'high';
      drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
      return drawing.getImageData(0, 0, canvas.width, canvas.height);
    }));
    const [a, b] = means;
    if (a.width !== b.width || Math.abs(a.height - b.height) > 2) return 1;
    let apart = 0;
    const length = Math.min(a.data.length, b.data.length);
    for (let i = 0; i < length; i += 4) {
      if (Math.max(...[0, 1, 2].map((c) => Math.abs(a.data[i + c] - b.data[i + c]))) > least) apart++;
    }
    return apart / (length / 4);
  }, [images, cells, tolerance]);
}

const names = ['evening', 'new-1280', 'desk-1280', ...['home', 'tournament', 'game', 'player'].flatMap((n) => widths.map((w) => `${n}-${w}`))];

const program = await start();
const browser = await launch();
try {
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
  const blank = await browser.newPage();
  for (const name of names) {
    if (comparing) {
      const apart = await compare(blank, join(kept, `${name}.png`), fileOf(name));
      console.log(`${(100 * apart).toFixed(1)} % of ${name}.png differs${apart > share ? ': take it again by `make screenshots`' : ''}`);
      if (apart > share) process.exitCode = 1;
    } else {
      const { size } = await stat(fileOf(name));
      console.log(`${size} ${name}.png${size > largest ? ' is too large' : ''}`);
    }
  }
} finally {
  await browser.close();
  await program.stop();
  if (comparing) await rm(folder, { recursive: true, force: true });
}
