// Players by chance: they choose among what a page offers, take a move that ends the game, and lean towards an end.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

// chance returns a generator of numbers in [0, 1), the same for the same seed (mulberry32).
export function chance(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// pick returns one of a list.
export const pick = (list, next) => list[Math.floor(next() * list.length)];

// judge starts `quatuor replay`, which computes what a game's moves lead to. ask() sends games and returns their judgements.
export function judge() {
  const child = spawn(process.env.QUATUOR_BINARY, ['replay'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line)));
  return {
    ask(games) {
      const answers = games.map(() => new Promise((resolve) => waiting.push(resolve)));
      child.stdin.write(games.map((game) => `${JSON.stringify(game)}\n`).join(''));
      return Promise.all(answers);
    },
    stop() {
      child.stdin.end();
    },
  };
}

// goals are the corners that the seats of a game of Quits go for.
const goals = { 2: [[4, 4], [0, 0]], 4: [[4, 4], [4, 0], [0, 0], [0, 4]] };

// ahead reports whether a move of Quits brings a marble of its seat diagonally nearer to its goal.
function ahead(token, seat, seats) {
  const step = /^([a-e])([1-5])-([a-e])([1-5])$/.exec(token);
  if (!step) return false;
  const at = (file, rank) => [file.charCodeAt(0) - 97, Number(rank) - 1];
  const [from, to] = [at(step[1], step[2]), at(step[3], step[4])];
  const [x, y] = goals[seats][seat - 1];
  const far = ([a, b]) => Math.max(Math.abs(a - x), Math.abs(b - y));
  return far(to) < far(from);
}

// tried is how many moves are tried out before one is chosen, where there are more.
const tried = 60;

// choose returns a move for a seat: one that ends the game with the seat's win, one that ends it anyhow, or one by chance,
// which in Quits rather goes ahead, and in Quivive leaves the next seat little to do. Games with secrets are played by
// chance alone.
export async function choose({ judge: judging, game, seat, legal, next }) {
  if (game.variant.startsWith('quiwin')) return pick(legal, next);
  const some = legal.length <= tried ? legal : Array.from({ length: tried }, () => pick(legal, next));
  const answers = await judging.ask(some.map((move) => ({ ...game, moves: [...game.moves, move] })));
  const ends = some.filter((_, i) => answers[i].outcome);
  const wins = some.filter((_, i) => answers[i].outcome?.ranks[seat - 1] === 1);
  if (ends.length) return pick(wins.length ? wins : ends, next);
  if (next() < 0.1) return pick(some, next);
  if (game.variant.startsWith('quivive')) {
    const left = answers.map(({ legal: then }) => Math.min(...Object.values(then).map((moves) => moves.length)));
    return pick(some.filter((_, i) => left[i] === Math.min(...left)), next);
  }
  const on = some.filter((move) => game.variant.startsWith('quits') && ahead(move, seat, game.seats));
  return pick(on.length ? on : some, next);
}
