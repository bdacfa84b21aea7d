// Driving Chromium and noting everything that a page does wrong.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

export const widths = [390, 1280]; // a phone, a desk; CSS pixels
export const tablet = 768;

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// launch starts Debian's browser without the connections that it makes for itself.
export function launch() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox', // CI is root
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

// watch collects in an array what goes wrong on a page: errors in scripts and on the console (where breaches of the
// content security policy are reported too), answers of 400 and above, and requests to other hosts than the server.
export function watch(page, origin) {
  const faults = [];
  page.on('pageerror', (err) => faults.push(`script error: ${err.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:')) faults.push(`request to ${url}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`);
  });
  return faults;
}

// overflow names the elements that make a page wider than its window; none is right.
export function overflow(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    const scrolls = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
    const wide = [...document.querySelectorAll('body *')]
      .filter((e) => e.getBoundingClientRect().right > width + 0.5 && !scrolls(e.parentElement));
    return ['wider than the window', ...wide.slice(0, 5).map((e) => e.outerHTML.slice(0, 120))];
  });
}

// overflowAt is overflow in a window of another width; the window is as before afterwards.
export async function overflowAt(page, width) {
  const size = page.viewportSize();
  await page.setViewportSize({ ...size, width });
  try {
    return await overflow(page);
  } finally {
    await page.setViewportSize(size);
  }
}

// accessibility returns axe's violations, of any rule.
export async function accessibility(page) {
  await page.evaluate(axe);
  // The names of what passes are not computed: to find one for each element takes a quarter of the time.
  const violations = await page.evaluate(async () => (await window.axe.run(document, { resultTypes: ['violations'], selectors: false })).violations);
  return violations
    .map((v) => `${v.id} (${v.impact}): ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 160)).join(' | ')}`);
}
