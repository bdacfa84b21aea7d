// Starting the real program on the data of a demonstration, each time a copy of its own, and stopping it again.
import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const startLimit = 180_000; // ms until the demonstration has been played

// What the demonstration's accounts are called: an organiser, and players 1 to 8.
export const password = 'club-evening';
export const organiser = 'olga';
export const player = (n) => `player${n}`;

// start runs the program on a free port, on the data of an evening that was played before. QUATUOR_EVENING names their
// folder, of which the program gets a copy: an evening takes ten seconds, for one of its games is lost on time, and thirty
// files ask for one. Without it an evening is played here. The result has the server's url, the folder of its data, what it
// has printed so far, and stop().
export async function start() {
  const binary = process.env.QUATUOR_BINARY;
  if (!binary) throw new Error('QUATUOR_BINARY must name the program; run this as `bash .ci/run tools browser`');
  const dir = await mkdtemp(join(tmpdir(), 'quatuor-browser-'));
  const evening = process.env.QUATUOR_EVENING;
  if (evening) await cp(evening, dir, { recursive: true });
  const free = ['--listen', '127.0.0.1:0', '--data', dir];
  // What a demonstration is served with: all its clients share an address, and no one reads a log.
  const open = ['--registration', 'open', '--rate-limit', '100000', '--stream-limit', '0', '--log-level', 'warn'];
  const child = spawn(binary, evening ? ['serve', ...free, ...open] : ['demo', ...free], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const program = {
    url: '',
    data: dir,
    output: '',
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
  try {
    const address = /http:\/\/127\.0\.0\.1:[0-9]+/.source;
    program.url = await printed(child, program, new RegExp(evening ? `listening on (${address})` : `The pages are at (${address})`));
  } catch (err) {
    await program.stop();
    throw err;
  }
  return program;
}

// printed waits for the line that the program prints when it is ready, and returns the address in it.
function printed(child, program, line) {
  return new Promise((resolve, reject) => {
    const fail = (why) => {
      clearTimeout(late);
      reject(new Error(`${why}:\n${program.output}`));
    };
    const late = setTimeout(() => fail(`not ready after ${startLimit} ms`), startLimit);
    const read = (chunk) => {
      program.output += chunk;
      const found = line.exec(program.output);
      if (found) {
        clearTimeout(late);
        resolve(found[1]);
      }
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (err) => fail(err.message));
    child.once('exit', (code) => fail(`the program ended with status ${code}`));
  });
}

// serve starts the program on an empty folder and reads the address of its set-up from what it prints.
export async function serve(...flags) {
  const dir = await mkdtemp(join(tmpdir(), 'quatuor-new-'));
  const child = spawn(process.env.QUATUOR_BINARY, ['serve', '--listen', '127.0.0.1:0', '--data', dir, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let output = '';
  const setup = await new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`no address of the set-up:\n${output}`)), 60_000);
    const read = (chunk) => {
      output += chunk;
      const found = /http:\/\/127\.0\.0\.1:\d+\/setup\?code=[\w-]+/.exec(output);
      if (!found) return;
      clearTimeout(late);
      resolve(found[0]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
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
