// E-mail: an address is confirmed, a forgotten password replaced and a kind of e-mail turned off, and the pages of it
// are accessible. The mail server is one of the test's own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { login } from './api.js';
import { accessibility, launch, overflow } from './chromium.js';
import { password } from './program.js';

const secret = 'three odd wooden spoons';

let server, browser, mailbox;

// listen starts a mail server, which takes everything; next() resolves to the next e-mail.
async function listen() {
  const got = [];
  const waiting = [];
  const sockets = new Set();
  const smtp = createServer((socket) => {
    sockets.add(socket.setEncoding('utf8'));
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    let data = false;
    socket.write('220 here\r\n');
    socket.on('data', (chunk) => {
      text += chunk;
      for (;;) {
        const end = text.indexOf(data ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (data ? 5 : 2));
        if (data) {
          const body = part.slice(part.indexOf('\r\n\r\n'));
          const decoded = body.replaceAll('=\r\n', '').replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
          (waiting.shift() ?? ((mail) => got.push(mail)))(decoded);
        }
        data = !data && part.toUpperCase() === 'DATA';
        socket.write(data ? '354 go on\r\n' : '250 good\r\n');
      }
    });
  });
  await new Promise((resolve) => smtp.listen(0, '127.0.0.1', resolve));
  return {
    port: smtp.address().port,
    next: () => (got.length ? Promise.resolve(got.shift()) : new Promise((resolve) => waiting.push(resolve))),
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => smtp.close(resolve));
    },
  };
}

// serve starts the program with a mail server.
async function serve(port) {
  const dir = await mkdtemp(join(tmpdir(), 'quatuor-mail-'));
  const child = spawn(process.env.QUATUOR_BINARY ?? '', ['serve', '--listen', '127.0.0.1:0', '--data', dir, '--smtp-url', `smtp://127.0.0.1:${port}`,
    '--mail-from', 'Club <club@club.example>', '--public-url', 'http://club.example'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const [url, code] = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /(http:\/\/127\S+)[^]*\/setup\?code=(\S+)/.exec(output);
      if (found) resolve(found.slice(1));
    });
    child.once('exit', () => reject(new Error(`no address for the set-up:\n${output}`)));
    child.once('error', reject);
  });
  return {
    url,
    setup: `${url}/setup?code=${code}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

before(async () => {
  mailbox = await listen();
  [server, browser] = await Promise.all([serve(mailbox.port), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await mailbox?.stop();
});

// sound demands of a page that axe finds nothing, and that it fits a phone.
async function sound(page) {
  assert.deepEqual(await accessibility(page), [], page.url());
  await page.setViewportSize({ width: 390, height: 800 });
  assert.deepEqual(await overflow(page), [], page.url());
  await page.setViewportSize({ width: 1280, height: 800 });
}

// path returns the path of a link in an e-mail that begins with a path.
function path(mail, begin) {
  const found = new RegExp(`http://club\\.example(${begin}\\S+?)[>\\s]`).exec(mail);
  assert.ok(found, mail);
  return found[1];
}

// playRound publishes a round in which the account plays.
async function playRound() {
  const olga = await login(server.url, 'olga');
  const { id: player } = await olga.post('/players', { name: 'Olga' });
  const { code } = await olga.post(`/players/${player}/claim-code`);
  await olga.post(`/players/${player}/claim`, { code });
  const { id } = await olga.post('/tournaments', {
    name: 'Tuesday', variant: 'quixo/duel', format: 'swiss', rounds: 1, time_control: 'none', venue: 'hall', rated: false,
  });
  await olga.post(`/tournaments/${id}/open`);
  await olga.post(`/tournaments/${id}/entries`, { player_id: player });
  await olga.post(`/tournaments/${id}/entries`, { name: 'Ada' });
  await olga.post(`/tournaments/${id}/start`);
  await olga.post(`/tournaments/${id}/rounds`);
}

test('an address is confirmed, a password replaced, a kind of e-mail turned off', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(server.setup);
  await page.getByLabel('Name of the club').fill('Tuesday Club');
  await page.getByLabel('Login').fill('olga');
  await page.getByLabel('Password', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('heading', { name: 'Players reach this at' }).waitFor();

  await page.goto(`${server.url}/me`);
  await sound(page);
  await page.getByLabel('E-mail address').fill('olga@club.example');
  await page.getByLabel('Present password, for the address').fill(secret);
  await page.getByRole('button', { name: 'Set the address' }).click();
  await page.getByText('We have sent a link to this address.').waitFor();
  await sound(page);
  await page.goto(server.url + path(await mailbox.next(), '/mail/confirm'));
  await sound(page);
  await page.getByRole('button', { name: 'Confirm the address' }).click();
  await page.getByText('Confirmed: e-mails for the account “olga” go to olga@club.example.').waitFor();
  await sound(page);

  await page.goto(`${server.url}/admin`);
  await sound(page);
  await page.getByRole('button', { name: 'Send a test e-mail' }).click();
  await page.getByText('The test e-mail is on its way').waitFor();
  assert.match(await mailbox.next(), /E-mail from Tuesday Club works/);

  await context.clearCookies();
  await page.goto(`${server.url}/reset`);
  await sound(page);
  await page.getByLabel('Login or e-mail address').fill('olga@club.example');
  await page.getByRole('button', { name: 'Send a link' }).click();
  await page.getByText('a link is on its way').waitFor();
  await sound(page);
  const mail = await mailbox.next();
  assert.doesNotMatch(mail, /\/mail\/off/, 'anyone could ask for this e-mail, and whoever follows its links turns it off');
  await page.goto(server.url + path(mail, '/reset'));
  await page.getByLabel('New password').fill(password);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  assert.equal(await page.getByLabel('Links for a forgotten password').isChecked(), true);

  await playRound();
  await context.clearCookies();
  await page.goto(server.url + path(await mailbox.next(), '/mail/off'));
  await sound(page);
  await page.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('gets no more e-mails of this kind').waitFor();
  await sound(page);
});
