// Logging in and out, with and without JavaScript.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, watch } from './chromium.js';
import { organiser, password, player, start } from './program.js';

let program, browser;

before(async () => {
  program = await start();
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await program?.stop();
});

// fill sends the form that the login page shows.
async function fill(page, name, secret) {
  await page.getByLabel('Login', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(secret);
  await page.getByRole('button', { name: 'Log in' }).click();
}

for (const javaScriptEnabled of [true, false]) {
  test(`log in and out ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async () => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const faults = watch(page, program.url);
    await page.goto(`${program.url}/ratings`);
    await page.getByRole('link', { name: 'Log in' }).click();
    await fill(page, player(1), password);
    await page.waitForURL(`${program.url}/ratings`); // back to where one came from
    await page.getByRole('link', { name: player(1) }).click();
    await page.waitForURL(`${program.url}/me`);
    await page.getByRole('link', { name: 'Your page' }).click();
    await page.waitForURL(/\/players\//);
    const cookies = await context.cookies();
    assert.ok(cookies.length > 0);
    for (const cookie of cookies) {
      assert.ok(cookie.httpOnly, `${cookie.name} must be out of scripts' reach`);
      assert.ok(['Lax', 'Strict'].includes(cookie.sameSite), `${cookie.name}: SameSite=${cookie.sameSite}`);
    }
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('link', { name: 'Log in' }).waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test('a wrong password says so and keeps the login typed', async () => {
  const page = await browser.newPage();
  await page.goto(`${program.url}/login`);
  await fill(page, organiser, 'not the password');
  await page.getByRole('alert').waitFor();
  assert.equal(await page.getByLabel('Login', { exact: true }).inputValue(), organiser);
  assert.deepEqual(await page.context().cookies(), []);
  await page.close();
});

test('a form on another site cannot act in the visitor\'s name', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${program.url}/login`);
  await fill(page, player(2), password);
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  const elsewhere = await context.newPage();
  await elsewhere.route('http://elsewhere.test/', (route) => route.fulfill({
    contentType: 'text/html',
    body: `<form method="post" action="${program.url}/logout"><button>Win a prize</button></form>`,
  }));
  await elsewhere.goto('http://elsewhere.test/');
  const answer = elsewhere.waitForResponse(`${program.url}/logout`);
  await elsewhere.getByRole('button').click();
  assert.equal((await answer).status(), 403);
  await page.reload();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  await context.close();
});
