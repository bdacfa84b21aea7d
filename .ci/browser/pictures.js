// Takes pictures of every page of the program, of all nine boards and of the print set: `npm run pictures -- FOLDER`; with
// `tables` as a second word only those of tournaments at tables of three to five.
// Pictures are WebP of a phone (390 px) and a desk (1280 px, drawn smaller); what is printed is PDF.
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { login } from './api.js';
import { launch, overflow, widths } from './chromium.js';
import { Club, enter, variants } from './people.js';
import { organiser, serve, start } from './program.js';
import { chance, pick } from './random.js';

const folder = resolve(process.argv[2] ?? 'pictures');
const only = process.argv[3];
const quality = 35; // of WebP, of 100
const tallest = { 390: 1000, 1280: 1000, 1920: 1080 }; // CSS pixels of a page that are shown
const scales = { 390: 0.7, 1280: 0.5, 1920: 0.6 };
const hall = 14; // players of the tournament at the desk

let bytes = 0;
const files = [];
const wide = []; // pages that scroll sideways

// save notes what was written.
async function save(name, data) {
  const path = join(folder, name);
  if (data) await writeFile(path, data);
  const { size } = await stat(path);
  bytes += size;
  files.push(`${size} ${name}`);
}

// take takes a picture of a page as it is.
async function take(page, name, width) {
  const session = await page.context().newCDPSession(page);
  const full = await page.evaluate(() => document.documentElement.scrollHeight);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp', quality, captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height: Math.min(full, tallest[width]), scale: scales[width] },
  });
  await session.detach();
  await save(`${name}.webp`, Buffer.from(data, 'base64'));
  if ((await overflow(page)).length) wide.push(name);
}

// takeAll takes a page in every width.
async function takeAll(page, url, name) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width > 600 ? 900 : 844 });
    await page.goto(url, { waitUntil: 'load' });
    await take(page, `${name}-${width}`, width);
  }
}

// nameOf makes a file's name of an address, the same for all pages of a kind.
function nameOf(url) {
  const path = url.pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'one').replace(/\/[0-9]+(?=\/|$)/g, '/n');
  const tab = url.searchParams.get('tab');
  const keys = [...url.searchParams.keys()].filter((key) => key !== 'tab').sort();
  return [path === '/' ? 'home' : path.slice(1), tab, ...keys].filter(Boolean).join('-').replace(/[^\w]+/g, '-');
}

// walk follows links and takes one page of each kind; the first requested come first.
async function walk(page, origin, who, starts, wanted = () => true) {
  const queue = starts.map((path) => new URL(path, origin));
  const seen = new Set();
  const papers = new Map();
  while (queue.length) {
    const url = queue.shift();
    const name = nameOf(url);
    if (seen.has(name) || !wanted(url) || ['cursor', 'lang', 'flip', 'next', 'status'].some((key) => url.searchParams.has(key))) continue;
    seen.add(name);
    const answer = await page.context().request.get(url.href, { maxRedirects: 0, headers: { accept: 'text/html' } });
    if (answer.status() !== 200 || !answer.headers()['content-type']?.startsWith('text/html')) continue;
    if (url.pathname.includes('/print/')) papers.set(name, url);
    else await takeAll(page, url.href, `${who}-${name}`);
    for (const link of await page.$$eval('a[href]', (all) => all.map((a) => a.href))) {
      const next = new URL(link);
      next.hash = '';
      if (next.origin === origin && !['/docs', '/api/'].some((path) => next.pathname.startsWith(path))) queue.push(next);
    }
  }
  for (const [name, url] of papers) {
    await page.goto(url.href, { waitUntil: 'load' });
    await page.pdf({ path: join(folder, `${name}.pdf`), format: 'A4', preferCSSPageSize: true });
    await save(`${name}.pdf`);
  }
}

// tournament starts one in the hall with a published round and some results, and returns its id.
async function tournament(olga) {
  const { id } = await olga.post('/tournaments', {
    name: 'Winter Open', variant: 'quixo/duel', format: 'swiss', rounds: 5, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  const names = ['Ada Berg', 'Bo Chen', 'Cleo Diaz', 'Dan Eder', 'Eva Fuchs', 'Finn Gil', 'Gro Hahn', 'Ivo Jung', 'Kim Lund', 'Lea Moser', 'Max Noll', 'Nia Okoro', 'Ole Prinz', 'Pia Quist'];
  for (const [i, name] of names.slice(0, hall).entries()) await olga.post(`/tournaments/${id}/entries`, { name, rating: 1900 - 23 * i });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`, {});
  return id;
}

// tables takes rounds at tables of three to five, with standings: a melee, and an evening with changing partners.
async function tables(program, page, olga) {
  const names = ['Ada Berg', 'Bo Chen', 'Cleo Diaz', 'Dan Eder', 'Eva Fuchs', 'Finn Gil', 'Gro Hahn', 'Ivo Jung', 'Kim Lund', 'Lea Moser', 'Max Noll', 'Nia Okoro'];
  for (const [what, name, variant, entries, rules] of [
    ['melee', 'Melee Night', 'quivive/melee', 11, { meetings: 'second', short_tables: true }],
    ['partners', 'Partners\' Evening', 'quixo/teams', 12, { partners: 'rotate', meetings: 'second' }],
  ]) {
    const { id } = await olga.post('/tournaments', {
      name, variant, format: 'table_swiss', rounds: 3, time_control: 'none', venue: 'hall', rated: false, pairing: { tables: rules },
    });
    await olga.post(`/tournaments/${id}/open`);
    for (const [i, entry] of names.slice(0, entries).entries()) await olga.post(`/tournaments/${id}/entries`, { name: entry, rating: 1900 - 23 * i });
    await olga.post(`/tournaments/${id}/start`);
    const next = chance(entries);
    for (let round = 1; round <= 3; round++) {
      const { pairings } = await olga.post(`/tournaments/${id}/rounds`, {});
      for (const { board, seats } of round < 3 ? pairings : pairings.slice(0, 1)) {
        const ranks = seats.map((_, i) => i + 1).sort(() => next() - 0.5);
        const result = what === 'melee' ? { ranks } : { result: pick(['1-0', '0-1', '1/2-1/2'], next) };
        await olga.put(`/tournaments/${id}/rounds/${round}/pairings/${board}/result`, result);
      }
    }
    for (const tab of ['round', 'standings']) await takeAll(page, `${program.url}/tournaments/${id}?tab=${tab}`, `tables-${what}-${tab}`);
    if (what === 'melee') {
      await takeAll(page, `${program.url}/tournaments/${id}/rounds/3/explain`, 'tables-melee-why');
      await takeAll(page, `${program.url}/tournaments/${id}/players/1`, 'tables-melee-card');
    }
  }
}

// boards takes the game page of each variant: as the player to move and as a visitor, light and dark, narrow and wide.
async function boards(program, browser) {
  const club = new Club(program, browser);
  for (const [v, [variant, seats]] of variants.entries()) {
    const next = chance(v + 7);
    const { id } = await club.game(variant, seats);
    for (let plies = 0; plies < 26; plies++) {
      const { awaited, status } = await (await club.api(1)).get(`/games/${id}`);
      if (status !== 'running' || (plies > (variant.startsWith('quivive') ? 20 : 8) && awaited.includes(1))) break; // its pawns come late
      const api = await club.api(awaited[0]);
      const game = await api.get(`/games/${id}`);
      await api.post(`/games/${id}/moves`, { seat: awaited[0], turn: game.turn, move: pick(game.legal[awaited[0]], next) });
    }
    for (const [who, n] of [['player', 1], ['visitor', 0]]) {
      const page = await club.page(n);
      await page.goto(`${program.url}/games/${id}`);
      for (const colorScheme of ['light', 'dark']) {
        for (const width of widths) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: width > 600 ? 900 : 844 });
          await take(page, `board-${variant.replace('/', '-')}-${who}-${colorScheme}-${width}`, width);
        }
      }
      await page.context().close();
    }
  }
}

// setUp takes the first start of an empty installation.
async function setUp(browser) {
  const empty = await serve();
  try {
    const page = await browser.newPage();
    await takeAll(page, empty.setup, 'setup');
    await page.close();
  } finally {
    await empty.stop();
  }
}

// everything takes all the others.
async function everything(program, browser, olga) {
  const id = await tournament(olga);
  await boards(program, browser);
  const club = new Club(program, browser);
  const visitor = await club.page(0);
  await walk(visitor, program.url, 'visitor', ['/', '/tournaments', '/games', '/players', '/ratings', '/rules', '/login', '/register', `/tournaments/${id}`], (url) => !url.pathname.endsWith('/wall'));
  const player = await club.page(1);
  for (const path of ['/', '/me', '/play']) await takeAll(player, program.url + path, `player-${nameOf(new URL(path, program.url))}`);
  const desk = await enter(program, browser, organiser, { locale: 'en-GB' });
  const tabs = ['entries', 'round', 'results', 'arbiter', 'settings'].map((tab) => `/tournaments/${id}/desk?tab=${tab}`);
  const papers = ['pairings', 'names', 'standings', 'crosstable', 'entries', 'checkin', 'slips', 'cards'].map((paper) => `/tournaments/${id}/print/${paper}`);
  await walk(desk, program.url, 'desk', ['/', '/me', '/admin', '/tournaments/new', ...tabs, ...papers], (url) => /^\/$|^\/(me|admin)|\/new|\/desk|\/print\//.test(url.pathname));
  for (const colorScheme of ['light', 'dark']) {
    await desk.emulateMedia({ colorScheme });
    await desk.setViewportSize({ width: 1920, height: 1080 });
    await desk.goto(`${program.url}/tournaments/${id}/wall`, { waitUntil: 'load' });
    await take(desk, `wall-${colorScheme}`, 1920);
  }
  await setUp(browser);
}

const program = await start();
const browser = await launch();
try {
  await mkdir(folder, { recursive: true });
  const olga = await login(program.url, organiser);
  if (only !== 'tables') await everything(program, browser, olga);
  await tables(program, await browser.newPage({ locale: 'en-GB' }), olga);
} finally {
  await browser.close();
  await program.stop();
}
console.log(`${files.length} files, ${(bytes / 1024 / 1024).toFixed(2)} MB in ${folder}; the largest:`);
console.log(files.sort((a, b) => parseInt(b, 10) - parseInt(a, 10)).slice(0, 10).join('\n'));
console.log(wide.length ? `scroll sideways: ${wide.join(', ')}` : 'no page scrolls sideways');
