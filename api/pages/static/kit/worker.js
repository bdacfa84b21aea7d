// @ts-check
// A shared worker that holds the one stream of a browser. Its pages speak to it through exchange.js.
import { Switchboard } from './switchboard.js';

/** @type {Map<string, MessagePort>} */
const ports = new Map();
const board = new Switchboard((tab, message) => ports.get(tab)?.postMessage(message));
let count = 0;

/** @type {{onconnect?: (event: MessageEvent) => void}} */ (globalThis).onconnect = ({ ports: [port] }) => {
  if (!port) return;
  const tab = String(++count);
  ports.set(tab, port);
  port.onmessage = ({ data }) => {
    if (data.kind === 'follow') board.follow(tab, data.who, data.address);
    else if (data.kind === 'here') board.here(tab);
    else board.leave(tab);
  };
};
