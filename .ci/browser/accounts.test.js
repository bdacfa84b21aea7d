// Set-up in a fresh folder, registration by invitation, claiming a player, and a forgotten password, on a phone without
// JavaScript and on a desk with it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { accessibility, launch, overflow } from './chromium.js';

const secret = 'three odd wooden spoons';

let server, browser;

// fresh starts `quatuor serve` on an empty folder and returns its address and that of the set-up.
async function fresh() {
  const dir = await mkdtemp(join(tmpdir(), 'quatuor-accounts-'));
  const child = spawn(process.env.QUATUOR_BINARY ?? '', ['serve', '--listen', '127.0.0.1:0', '--data', dir], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const setup = await new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      const found = /(http:\/\/\S+\/setup\?code=\S+)/.exec(output);
      if (found) resolve(found[1]);
    });
    child.once('exit', () => reject(new Error(`no address for the set-up:\n${output}`)));
    child.once('error', reject);
  });
  return {
    setup,
    url: new URL(setup).origin,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

before(async () => {
  [server, browser] = await Promise.all([fresh(), launch()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

// visitor opens a browser of its own; with a phone's width, scripts are off.
async function visitor(width) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, locale: 'en-GB', javaScriptEnabled: width > 400 });
  return context.newPage();
}

// sound demands of a page that it fits its window and, where scripts run, that axe finds nothing.
async function sound(page) {
  if (page.viewportSize().width > 400) {
    assert.deepEqual(await accessibility(page), [], page.url());
    await page.setViewportSize({ width: 390, height: 800 });
    assert.deepEqual(await overflow(page), [], page.url());
    await page.setViewportSize({ width: 1280, height: 800 });
  }
}

async function choosePassword(page, label = 'Password') {
  await page.getByLabel(label, { exact: true }).fill(secret);
}

test('an organiser sets up, players register, claim and get a new password', async () => {
  const organiser = await visitor(1280);
  await organiser.goto(server.setup);
  await sound(organiser);
  assert.notEqual(await organiser.getByLabel('Time zone').inputValue(), '', 'the time zone is the browser’s');
  await organiser.getByLabel('Name of the club').fill('Tuesday Club');
  await organiser.getByLabel('Login').fill('olga');
  await choosePassword(organiser);
  await organiser.getByLabel('Your name as a player').fill('Olga');
  await organiser.getByLabel('Only this computer').check();
  await organiser.getByRole('button', { name: 'Set up' }).click();
  await organiser.getByRole('heading', { name: 'Players reach this at' }).waitFor();
  await organiser.getByRole('img', { name: 'QR code of the address' }).waitFor();
  await sound(organiser);

  await organiser.goto(`${server.url}/admin/backups`);
  await sound(organiser);
  await organiser.getByRole('button', { name: 'Back up now' }).click();
  const download = organiser.getByRole('link', { name: /^Download the backup of/ });
  while (!(await download.isVisible())) await organiser.reload();
  await sound(organiser);
  const [backup] = await Promise.all([organiser.waitForEvent('download'), download.click()]);
  assert.match(backup.suggestedFilename(), /^quatuor-\d{8}T\d{6}\.\d{3}Z\.db$/);
  assert.equal((await readFile(await backup.path())).subarray(0, 15).toString(), 'SQLite format 3');
  await organiser.goto(`${server.url}/admin/doctor`);
  await organiser.getByText('Data folder', { exact: true }).waitFor();
  await sound(organiser);

  await organiser.goto(`${server.url}/admin`);
  await sound(organiser);
  await organiser.getByLabel('For how many persons').fill('8');
  await organiser.getByRole('button', { name: 'Make an invitation' }).click();
  await sound(organiser);
  const invitation = await organiser.locator('a.address').innerText();

  const ada = await visitor(390);
  await ada.goto(invitation);
  await ada.getByLabel('Your name').fill('Ada Lovelace');
  await ada.getByLabel('Login').fill('olga');
  await choosePassword(ada);
  await ada.getByRole('button', { name: 'Open the account' }).click();
  assert.match(await ada.getByRole('alert').innerText(), /taken/);
  assert.equal(await ada.getByLabel('Your name').inputValue(), 'Ada Lovelace');
  await ada.getByLabel('Login').fill('ada');
  await choosePassword(ada);
  await ada.getByRole('button', { name: 'Open the account' }).click();
  await ada.getByRole('heading', { name: 'Your account' }).waitFor();

  await organiser.goto(`${server.url}/me`);
  await sound(organiser);

  await organiser.goto(`${server.url}/admin?q=ada`);
  await organiser.getByRole('button', { name: 'Link for a new password' }).click();
  const reset = await organiser.locator('a.address').innerText();
  const phone = await visitor(390);
  await phone.goto(reset);
  await choosePassword(phone, 'New password');
  await phone.getByRole('button', { name: 'Set the password' }).click();
  await phone.getByRole('heading', { name: 'Your account' }).waitFor();
  await ada.reload();
  await ada.getByRole('heading', { name: 'Log in' }).waitFor(); // her old session has ended
  await phone.goto(reset);
  assert.match(await phone.getByRole('alert').innerText(), /used already/);

  await phone.goto(`${server.url}/me`);
  await phone.getByLabel('Language', { exact: true }).selectOption('de');
  await phone.locator('form[action="/me/language"] button').click();
  await phone.getByRole('heading', { name: 'Ihr Konto' }).waitFor();

  for (const path of ['/register', '/login', '/reset']) {
    const stranger = await visitor(1280);
    await stranger.goto(server.url + path);
    await sound(stranger);
    await stranger.context().close();
  }
});
