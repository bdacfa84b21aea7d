// Starting the real program, as a demonstration with data of its own, and stopping it again.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const startLimit = 180_000; // ms until the demonstration has been played

// What the demonstration's accounts are called: an organiser, and players 1 to 8.
export const password = 'club-evening';
export const organiser = 'olga';
export const player = (n) => `player${n}`;

// start runs `quatuor demo` on a free port and waits until its evening has been played. The result has the server's
// url, what it has printed so far, and stop().
export async function start() {
  const binary = process.env.QUATUOR_BINARY;
  if (!binary) throw new Error('QUATUOR_BINARY must name the program; run this as `bash .ci/run tools browser`');
  const dir = await mkdtemp(join(tmpdir(), 'quatuor-browser-'));
  const child = spawn(binary, ['demo', '--listen', '127.0.0.1:0', '--data', dir], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  const program = {
    url: '',
    output: '',
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
  try {
    program.url = await playedAt(child, program);
  } catch (err) {
    await program.stop();
    throw err;
  }
  return program;
}

// playedAt waits for the line that ends the evening, and gives the address in it.
function playedAt(child, program) {
  return new Promise((resolve, reject) => {
    const fail = (why) => {
      clearTimeout(late);
      reject(new Error(`${why}:\n${program.output}`));
    };
    const late = setTimeout(() => fail(`not ready after ${startLimit} ms`), startLimit);
    const read = (chunk) => {
      program.output += chunk;
      const found = /The pages are at (http:\/\/127\.0\.0\.1:[0-9]+)/.exec(program.output);
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
export async function serve() {
  const dir = await mkdtemp(join(tmpdir(), 'quatuor-new-'));
  const child = spawn(process.env.QUATUOR_BINARY, ['serve', '--listen', '127.0.0.1:0', '--data', dir], { stdio: ['ignore', 'pipe', 'pipe'] });
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
