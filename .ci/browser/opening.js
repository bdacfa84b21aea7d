// What most files open with: the program on an evening of the club, a browser, and the organiser logged in. A file that imports
// these has them before its first test, and has them closed after its last.
import assert from 'node:assert/strict';
import { after } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, overflowAt } from './chromium.js';
import { organiser, start } from './program.js';

export const browser = await launch(); // first: it ends with this process, also where the program does not start
after(() => browser.close());
export const program = await start();
after(() => program.stop());
export const olga = await login(program.url, organiser);

// fits holds a page to the widths of phones and to axe's rules, and takes a picture of it where one is wanted.
export async function fits(page, name) {
  assert.deepEqual(await overflow(page), [], name);
  assert.deepEqual(await overflowAt(page, 320), [], name);
  assert.deepEqual(await accessibility(page), [], name);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}-${page.viewportSize().width}.png`, fullPage: true });
}
