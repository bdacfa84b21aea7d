import { start, organiser } from './program.js';
import { launch, accessibility, overflow } from './chromium.js';
import { login } from './api.js';
const program = await start();
const browser = await launch();
try {
  const olga = await login(program.url, organiser);
  const made = await olga.post('/tournaments', { name: 'Shots', variant: 'quivive/melee', format: 'table_swiss', rounds: 3, time_control: '300+3', play: { bots: true } });
  const { enter } = await import('./people.js');
  const page = await enter(program, browser, organiser, { viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  for (const scheme of ['light', 'dark']) for (const width of [390, 1280]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${program.url}/tournaments/new`);
    console.log(scheme, width, page.url(), await page.title(), JSON.stringify(await overflow(page)), JSON.stringify(await accessibility(page)));
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    await page.screenshot({ path: `/tmp/qshots/import-${scheme}-${width}.png`, fullPage: true, clip: await page.locator('details:has(> form[action$=import])').evaluate((d) => { const r = d.getBoundingClientRect(); return { x: 0, y: Math.max(0, r.top + scrollY - 10), width: innerWidth, height: r.height + 20 }; }) });
    await page.goto(`${program.url}/tournaments/${made.id}/desk?tab=settings`);
    await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
    const box = page.locator('[name=bots]').first();
    console.log('bots', await box.count(), page.url(), JSON.stringify(await overflow(page)), JSON.stringify(await accessibility(page)));
    if (await box.count()) {
      await box.scrollIntoViewIfNeeded();
      const b = await box.boundingBox();
      const y = b.y + await page.evaluate(() => scrollY);
      await page.screenshot({ path: `/tmp/qshots/bots-${scheme}-${width}.png`, fullPage: true, clip: { x: 0, y: Math.max(0, y - 350), width, height: 700 } });
    } else await page.screenshot({ path: `/tmp/qshots/bots-${scheme}-${width}.png`, fullPage: true });
  }
} finally { await browser.close(); await program.stop(); }
