// Must compile: what programs in TypeScript rely on in docs/examples/typescript.
import { Client, type Game, type OwnPairing } from '../../docs/examples/typescript/index.js';

export async function follow(client: Client): Promise<void> {
  for await (const e of client.events('/me/events')) {
    switch (e.event) {
      case 'my_turn': {
        const game: Game = e.data;
        const legal: string[] = game.legal['1'] ?? [];
        await client.post<Game>(`/games/${game.id}/moves`, { seat: 1, turn: game.turn, move: legal[0] });
        break;
      }
      case 'my_pairing': {
        const pairing: OwnPairing = e.data;
        console.log(pairing.opponents.map((o) => o.name), e.id);
        break;
      }
      case 'opponent_gone':
        // @ts-expect-error an event that is never repeated has no id
        console.log(e.id);
        break;
      // @ts-expect-error no event has this name
      case 'nonsense':
    }
  }
}
