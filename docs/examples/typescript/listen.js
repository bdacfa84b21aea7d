// Prints what concerns the player of a token, as it happens: QUATUOR_URL=… QUATUOR_TOKEN=… node listen.js
import { Client } from './index.js';

const client = new Client(process.env.QUATUOR_URL, process.env.QUATUOR_TOKEN);
for await (const { event, data } of client.events('/me/events')) {
  const where = data.tournament?.name ?? data.variant ?? data.player?.name ?? '';
  console.log(new Date().toISOString(), event, where, data.seats ? data.id : (data.kind ?? ''));
}
