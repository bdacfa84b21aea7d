// Plays Qui'win: lays its shortest tile, for short rows win two tiers of three, and takes an action once it may.
import { Client } from './index.js';

/** @type {(game: import('./index.js').Game, seat: number, legal: string[]) => string} */
export function choose(game, seat, legal) {
  const length = (tile) => Number(tile.slice(1));
  if (game.view.phase === 'lay') {
    return legal.reduce((best, tile) => (length(tile) < length(best) ? tile : best));
  }
  return legal.find((move) => move !== 'none') ?? legal[0];
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await new Client(process.env.QUATUOR_URL, process.env.QUATUOR_TOKEN).play(choose);
}
