// Takes the pictures in docs/screenshots from a demonstration evening: `make screenshots`.
import { mkdir } from 'node:fs/promises';
import { login } from './api.js';
import { launch, widths } from './chromium.js';
import { organiser, start } from './program.js';

const folder = new URL('../../docs/screenshots/', import.meta.url);

// subjects names the pages worth showing, by the file they go to.
async function subjects(url) {
  const api = await login(url, organiser);
  const cups = (await api.get('/tournaments?limit=10')).items;
  const cup = cups.find((t) => t.variant === 'quixo/duel');
  const games = (await api.get('/games?variant=quivive/duel&limit=50')).items;
  const leader = (await api.get(`/tournaments/${cup.id}/standings`)).rows[0].entry;
  const player = (await api.get('/players?limit=50')).items.find((p) => p.name === leader.name);
  return { home: '/', tournament: `/tournaments/${cup.id}`, game: `/games/${games[0].id}`, player: `/players/${player.id}` };
}

const program = await start();
const browser = await launch();
try {
  await mkdir(folder, { recursive: true });
  for (const [name, path] of Object.entries(await subjects(program.url))) {
    for (const width of widths) {
      const page = await browser.newPage({ viewport: { width, height: width > 600 ? 900 : 844 } });
      await page.goto(program.url + path, { waitUntil: 'load' });
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.screenshot({
        path: new URL(`${name}-${width}.png`, folder).pathname,
        fullPage: height < 1400,
        clip: height < 1400 ? undefined : { x: 0, y: 0, width, height: 1400 },
      });
      await page.close();
    }
  }
} finally {
  await browser.close();
  await program.stop();
}
