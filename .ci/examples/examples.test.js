// Runs what is in docs/examples, in Node.js and Python, against the real program: QUATUOR_BINARY names it.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, createServer as connectable } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '../../docs/examples/typescript/index.js';
import { launch } from '../browser/chromium.js';

const examples = join(dirname(fileURLToPath(import.meta.url)), '../../docs/examples');
const binary = process.env.QUATUOR_BINARY;
const password = 'club-evening';
// What a test waits for comes or it does not: the bound is for the second case alone, however busy the machine is.
const timeout = 240_000;
const children = [];
let folder, url, olga;

before(async () => {
  assert.ok(binary, 'QUATUOR_BINARY must name the program');
  folder = mkdtempSync(join(tmpdir(), 'quatuor-examples-'));
  execFileSync(binary, ['admin', 'create', '--data', folder, '--login', 'olga', '--password-stdin'], { input: password + '\n' });
  const open = ['--registration', 'open', '--rate-limit', '100000', '--stream-limit', '0', '--log-level', 'warn'];
  const server = run(binary, ['serve', '--data', folder, '--listen', '127.0.0.1:0', ...open]);
  url = (await server.printed(/listening on (http:\S+)/))[1];
  olga = await login('olga');
});

after(async () => {
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(children.map((child) => child.ended));
  rmSync(folder, { recursive: true, force: true });
});

// run starts a program whose output can be waited for.
function run(command, args, env = {}) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.ended = new Promise((resolve) => child.once('exit', resolve));
  child.text = '';
  const waiting = [];
  const read = (chunk) => {
    child.text += chunk;
    for (const look of waiting) look();
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  child.printed = (pattern) => new Promise((resolve, reject) => {
    const look = () => pattern.exec(child.text) && resolve(pattern.exec(child.text));
    waiting.push(look);
    look();
    child.ended.then(() => reject(new Error(`${command} ended without ${pattern}:\n${child.text}`)));
  });
  children.push(child);
  return child;
}

async function login(name) {
  const client = new Client(url);
  client.token = (await client.post('/sessions', { login: name, password })).access_token;
  return client;
}

// website returns the address of another site than the server, with one page.
async function website(t, file) {
  const page = readFileSync(join(examples, 'web', file));
  const site = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(page));
  await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.after(() => { site.closeAllConnections(); site.close(); });
  return `http://127.0.0.1:${site.address().port}/`;
}

let accounts = 0;

// member opens an account, of a bot unless it is a person's, with a token for its program.
async function member(bot = true) {
  const n = ++accounts, name = `member${n}`;
  await new Client(url).post('/accounts', { login: name, password, player_name: `Member ${n}`, bot });
  const client = await login(name);
  await client.patch('/me', { open_to_challenges: true, challenges_at_once: 20 });
  client.player = (await client.get('/me')).player.id;
  client.key = (await client.post('/me/tokens', { name: 'bot', scopes: ['read', 'play'] })).token;
  return client;
}

const program = (file) => (file.endsWith('.py') ? ['python3', [join(examples, 'python', file)]] : ['node', [join(examples, 'typescript', file)]]);

function start(file, client, env = {}, ...args) {
  const [command, first] = program(file);
  return run(command, [...first, ...args], { QUATUOR_URL: url, QUATUOR_TOKEN: client.key ?? client.token, PYTHONUNBUFFERED: '1', ...env });
}

// ended follows a game to its end.
async function ended(client, id) {
  for await (const { event, data } of client.events(`/games/${id}/events`)) if (event === 'over') return data;
  return client.get(`/games/${id}`);
}

for (const [file, variant] of Object.entries({
  'quixo_bot.py': 'quixo/duel', 'quits_bot.py': 'quits/duel', 'quivive_bot.js': 'quivive/duel', 'quiwin_bot.js': 'quiwin/duel',
})) {
  test(`${file} plays a game of ${variant} to its end, in at most 30 lines`, { timeout }, async () => {
    const [one, two] = await Promise.all([member(), member()]);
    const bots = [start(file, one), start(file, two)];
    const seats = [{ player_id: one.player }, { player_id: two.player }];
    const game = await one.post('/games', { variant, time_control: '300', start: 'now', seats });
    const over = await ended(one, game.id);
    assert.equal(over.status, 'finished', bots.map((bot) => bot.text).join('\n'));
    assert.ok(!['time', 'resignation', 'forfeit'].includes(over.outcome.reason), over.outcome.reason);
    const [, [path]] = program(file);
    assert.ok(readFileSync(path, 'utf8').split('\n').length <= 31);
  });
}

test('swiss.py runs a tournament of eight in five requests; the others follow it', { timeout }, async (t) => {
  const browsing = launch(); // it starts while they play
  t.after(async () => (await browsing).close());
  const people = await Promise.all(Array.from({ length: 8 }, () => member()));
  for (const one of people) start('quixo_bot.py', one);
  const listener = start('listen.js', people[0]);
  const token = (await olga.post('/me/tokens', { name: 'swiss', scopes: ['read', 'organise'] })).token;
  const lines = `import os, swiss
class Client(swiss.Client):
    def post(self, path, body=None):
        if path.endswith("/rounds"): # until the poster follows: the eight play three rounds in two seconds
            print("started", path.split("/")[2], flush=True)
            input()
        return super().post(path, body)
client = Client(os.environ["QUATUOR_URL"], os.environ["QUATUOR_TOKEN"])
table = swiss.run(client, "Eight", 3, ${JSON.stringify(people.map((one) => one.player))}, play={"bots": True})
print("requests", client.requests, "rows", len(table["rows"]), "round", table["round"])`;
  const swiss = run('python3', ['-c', lines], { QUATUOR_URL: url, QUATUOR_TOKEN: token, PYTHONPATH: join(examples, 'python') });
  const [, tournament] = await swiss.printed(/started (\S+)/);
  let final;
  const posted = new Promise((resolve) => { final = resolve; });
  const chat = createServer((request, answer) => {
    let body = '';
    request.on('data', (chunk) => { body += chunk; }).on('end', () => {
      if (/^After round 3\n1\. Member /.test(JSON.parse(body).text)) final();
      answer.end();
    });
  });
  await new Promise((resolve) => chat.listen(0, '127.0.0.1', resolve));
  t.after(() => chat.close());
  const poster = run('python3', ['-c', `import os, sys, poster
class Client(poster.Client):
    def events(self, path):
        for event in super().events(path):
            print("follows", flush=True)
            yield event
for text in poster.texts(Client(os.environ["QUATUOR_URL"], os.environ["QUATUOR_TOKEN"]), sys.argv[1]):
    poster.post(text)`, tournament], {
    QUATUOR_URL: url, QUATUOR_TOKEN: olga.token, PYTHONPATH: join(examples, 'python'), QUATUOR_CHAT: `http://127.0.0.1:${chat.address().port}/`,
  });
  await poster.printed(/follows/);
  swiss.stdin.write('\n');

  const [, requests, rows, round] = await swiss.printed(/requests (\d+) rows (\d+) round (\d+)/);
  assert.deepEqual([rows, round], ['8', '3'], swiss.text);
  assert.equal(requests, '5');
  for (const event of ['round_published', 'my_pairing', 'my_turn', 'game_over']) await listener.printed(new RegExp(event));
  await posted;

  const page = await (await browsing).newPage();
  page.setDefaultTimeout(timeout);
  const { token: display } = await olga.post('/me/tokens', { name: 'wall', scopes: ['display'], tournament_id: tournament });
  await page.goto(`${await website(t, 'league.html')}?server=${url}&tournament=${tournament}#${display}`);
  await page.getByText('After round 3').waitFor();
  assert.equal(await page.locator('tbody tr').count(), 8);
});

test('hall.py enters the results of a round in one request, with a token for that tournament alone', { timeout }, async () => {
  const { id } = await olga.post('/tournaments', {
    name: 'Hall', variant: 'quits/duel', format: 'round_robin', time_control: '300', venue: 'hall',
  });
  await olga.post(`/tournaments/${id}/entries`, { entries: ['Cleo', 'Dora', 'Emil', 'Finn'].map((name) => ({ name })) });
  await olga.post(`/tournaments/${id}/start`);
  const { number } = await olga.post(`/tournaments/${id}/rounds`);
  const { token: key } = await olga.post('/me/tokens', { name: 'desk', scopes: ['helper'], tournament_id: id });
  const enter = (text) => {
    const hall = start('hall.py', { key }, {}, id, String(number));
    hall.stdin.end(text);
    return hall.ended.then((status) => [status, hall.text]);
  };
  const [status, text] = await enter('1,1-0\n9,1-0\n');
  assert.equal(status, 1);
  assert.match(text, /^9: /);
  assert.deepEqual(await enter('2,1/2-1/2\n'), [0, '']);
  const { rows } = await olga.get(`/tournaments/${id}/standings`);
  assert.deepEqual(rows.map((row) => row.points), ['1', '0.5', '0.5', '0']);
});

test('a stream resumes where its connection broke', { timeout }, async (t) => {
  const [one, two] = await Promise.all([member(), member()]);
  const sockets = new Set();
  const line = connectable((near) => {
    const far = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  });
  await new Promise((resolve) => line.listen(0, '127.0.0.1', resolve));
  t.after(() => { line.close(); for (const socket of sockets) socket.destroy(); });
  const reader = new Client(`http://127.0.0.1:${line.address().port}`, one.token);
  const events = reader.events('/me/events');
  const next = async () => (await events.next()).value;
  assert.equal((await next()).event, 'state');
  const seats = [{ player_id: one.player }, { player_id: two.player }];
  const game = await two.post('/games', { variant: 'quixo/duel', time_control: '300', start: 'now', seats });
  assert.deepEqual([(await next()).event, (await next()).event], ['game_started', 'my_turn']);
  for (const socket of sockets) socket.destroy();
  await two.post(`/games/${game.id}/resign`);
  const over = await next();
  assert.deepEqual([over.event, over.data.id, over.data.status], ['game_over', game.id, 'finished']);
  assert.equal(reader.requests, 2);
});
