// Plays Quivive: stays on the high ground near the middle, and builds there.
import { Client } from './index.js';

const middle = 'd4';

/** @type {(game: import('./index.js').Game, seat: number, legal: string[]) => string} */
export function choose(game, seat, legal) {
  const height = {};
  for (const { square, height: h } of game.view.rows.flat()) height[square] = h;
  const away = (square) => Math.abs(square.charCodeAt(0) - middle.charCodeAt(0)) + Math.abs(Number(square[1]) - Number(middle[1]));
  const worth = (move) => {
    const squares = move.match(/[a-g][1-7]/g) ?? [];
    const last = squares[squares.length - 1] ?? middle;
    return (height[last] ?? 0) * 3 - away(last);
  };
  return legal.reduce((best, move) => (worth(move) > worth(best) ? move : best));
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await new Client(process.env.QUATUOR_URL, process.env.QUATUOR_TOKEN).play(choose);
}
