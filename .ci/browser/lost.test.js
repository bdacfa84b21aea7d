// An open page whose connection is lost: it shows that, its clocks stop, and it comes back by itself.
import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow, widths } from './chromium.js';
import { player, start } from './program.js';

let program, proxy, browser, one, two;

before(async () => {
  program = await start();
  proxy = await passOn(program.url);
  browser = await launch();
  [one, two] = await Promise.all([login(program.url, player(1)), login(program.url, player(2))]);
});

after(async () => {
  await browser?.close();
  await proxy?.stop();
  await program?.stop();
});

// passOn runs a proxy in front of a server. While its status is not 0 it answers everything with that status, as proxies
// do while a server starts again, and counts how often a game is requested; broken() ends the open connections.
async function passOn(origin) {
  const proxy = { url: '', status: 0, asked: 0 };
  const open = new Set();
  const server = createServer((from, to) => {
    if (proxy.status !== 0) {
      if (from.url.startsWith('/games/')) proxy.asked++; // and not for a picture
      to.writeHead(proxy.status, { 'content-type': 'text/html' }).end('<h1>Not now</h1>');
      return;
    }
    const on = request(origin + from.url, { method: from.method, headers: { ...from.headers, host: new URL(origin).host } }, (answer) => {
      to.writeHead(answer.statusCode, answer.headers);
      answer.pipe(to);
    });
    on.on('error', () => to.destroy());
    to.on('close', () => on.destroy());
    from.pipe(on);
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  proxy.broken = (status) => {
    proxy.status = status;
    proxy.asked = 0;
    for (const socket of open) socket.destroy();
  };
  proxy.stop = () => {
    proxy.broken(503);
    return new Promise((resolve) => server.close(resolve));
  };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${server.address().port}`;
  return proxy;
}

// newGame opens a game between the two in which one clock runs, and returns its id.
async function newGame() {
  const seats = [{ player_id: one.player }, { player_id: two.player }];
  const game = await one.post('/games', { variant: 'quixo/duel', seats, time_control: '300+3', rated: false, start: 'now' });
  await move(game.id);
  return game.id;
}

// move makes the first legal move of the seat that is awaited.
async function move(id) {
  const { awaited } = await one.get(`/games/${id}`);
  const mover = awaited[0] === 1 ? one : two;
  const game = await mover.get(`/games/${id}`);
  await mover.post(`/games/${id}/moves`, { seat: awaited[0], turn: game.turn, move: game.legal[awaited[0]][0] });
}

// following opens a game's page behind the proxy and returns once it follows the game.
async function following(context, id) {
  proxy.status = 0;
  const page = await context.newPage();
  await page.goto(`${proxy.url}/games/${id}`);
  await page.locator('html[data-following]').waitFor({ state: 'attached' });
  await page.evaluate(() => { window.notReloaded = true; });
  return page;
}

const sign = (page) => page.locator('.connection');
const moves = (page) => page.getByRole('region', { name: 'Moves' }).locator('.time');
const clock = (page) => page.locator('[data-clock]');

// seconds is what a clock of minutes and seconds shows.
const seconds = (text) => text.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);

// stands waits until a page has let some ticks of its clocks pass, and returns what the running one shows then.
async function stands(page) {
  const before = await clock(page).innerText();
  await page.evaluate(() => new Promise((resolve) => {
    let ticks = 0;
    const count = setInterval(() => {
      if (++ticks === 12) {
        clearInterval(count);
        resolve();
      }
    }, 200);
  }));
  assert.equal(await clock(page).innerText(), before, 'the clock stands');
  return before;
}

test('a server that starts again: the page says so, its clock stands, and then it goes on', async () => {
  const id = await newGame();
  const page = await following(browser, id);
  proxy.broken(502);
  await sign(page).getByText('Connection lost').waitFor();
  assert.equal(await sign(page).getAttribute('role'), 'status');
  const said = page.evaluate(() => new Promise((resolve) => {
    let changes = 0;
    new MutationObserver((all) => { changes += all.length; }).observe(document.querySelector('.connection'), { childList: true, characterData: true, subtree: true });
    setTimeout(() => resolve(changes), 2400);
  }));
  const stood = await stands(page);
  assert.equal(await said, 0, 'the sign is not said again and again');
  assert.deepEqual(await accessibility(page), []);
  await move(id);
  await move(id);
  assert.ok(proxy.asked > 1, 'the page tries again');
  proxy.status = 0;
  await moves(page).nth(2).waitFor();
  await sign(page).getByText('Connection lost').waitFor({ state: 'detached' });
  const fresh = await browser.newPage();
  await fresh.goto(`${program.url}/games/${id}`);
  const [back, right] = [seconds(await clock(page).innerText()), seconds(await clock(fresh).innerText())];
  assert.ok(Math.abs(back - right) <= 1, `the clock shows ${back} s, and on a new page ${right} s; it stood at ${stood}`);
  await page.waitForFunction((text) => document.querySelector('[data-clock]').textContent !== text, await clock(page).innerText());
  await move(id); // and the stream is followed again
  await moves(page).nth(3).waitFor();
  assert.equal(await page.evaluate(() => window.notReloaded), true);
  await Promise.all([page.close(), fresh.close()]);
});

test('the game ends while the connection is lost', async () => {
  const id = await newGame();
  const page = await following(browser, id);
  proxy.broken(503);
  await sign(page).getByText('Connection lost').waitFor();
  await two.post(`/games/${id}/resign`, {});
  proxy.status = 0;
  await page.locator('[data-part="state"]').getByText('won').waitFor();
  await sign(page).getByText('Connection lost').waitFor({ state: 'detached' });
  assert.equal(await clock(page).count(), 0);
  await page.close();
});

for (const [status, words] of [[404, 'no longer there'], [401, 'may no longer see this page']]) {
  test(`the answer ${status} is told, and the page stops asking`, async () => {
    const page = await following(browser, await newGame());
    proxy.broken(status);
    await sign(page).getByText(words).waitFor();
    const asked = proxy.asked;
    await stands(page);
    assert.equal(proxy.asked, asked, 'nothing is asked any more');
    await page.close();
  });
}

test('a page that comes back from the browser\'s cache or from sleep asks anew', async () => {
  const id = await newGame();
  const page = await following(browser, id);
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
  await move(id);
  await stands(page).catch(() => {}); // a page that was put aside does not run, so its clock may do what it likes here
  assert.equal(await moves(page).count(), 1, 'a page that was put aside hears nothing');
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await moves(page).nth(1).waitFor();
  const asked = page.waitForRequest((r) => r.url() === `${proxy.url}/games/${id}` && r.resourceType() === 'fetch');
  await page.evaluate(() => { // the machine slept for a minute: the clock on the wall went on, the time of the page did not
    const now = Date.now;
    Date.now = () => now() + 60_000;
  });
  await asked;
  await move(id);
  await moves(page).nth(2).waitFor();
  assert.equal(await page.evaluate(() => window.notReloaded), true);
  await page.close();
});

for (const scheme of ['light', 'dark']) {
  for (const width of widths) {
    test(`the sign fits, ${scheme}, ${width} px`, async () => {
      const context = await browser.newContext({ viewport: { width, height: width > 600 ? 900 : 844 }, colorScheme: scheme });
      const page = await following(context, await newGame());
      proxy.broken(502);
      await sign(page).getByText('Connection lost').waitFor();
      assert.deepEqual(await overflow(page), []);
      assert.deepEqual(await accessibility(page), []);
      const box = await sign(page).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= page.viewportSize().height, 'the sign is in the window');
      if (process.env.QUATUOR_PICTURES) await page.screenshot({ path: `${process.env.QUATUOR_PICTURES}/lost-${scheme}-${width}.png` });
      await context.close();
    });
  }
}
