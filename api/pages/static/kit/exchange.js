// @ts-check
// How a page reaches the one stream of its browser: through a shared worker; where there is none, through that page of
// the browser which holds a lock; and where there are no locks, as on a phone over plain HTTP, by a stream of its own.
import { Switchboard } from './switchboard.js';

/** @typedef {import('./switchboard.js').Message} Message */

/**
 * A page's side of the stream.
 * @typedef {{follow: (who: string, address: string) => void, leave: () => void, here: () => void}} Line
 */

/**
 * @param {(message: Message) => void} receive
 * @returns {Line}
 */
export function connect(receive) {
  if ('SharedWorker' in globalThis) return shared(receive);
  if ('BroadcastChannel' in globalThis && navigator.locks) return elected(receive);
  return alone(receive);
}

/**
 * @param {(message: Message) => void} receive
 * @returns {Line}
 */
function shared(receive) {
  /** @type {Line | undefined} */
  let instead; // where the browser cannot start the worker
  /** @type {[string, string] | undefined} */
  let wanted;
  const worker = new SharedWorker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'quatuor' });
  worker.addEventListener('error', () => {
    instead ??= alone(receive);
    if (wanted) instead.follow(...wanted);
  });
  worker.port.onmessage = ({ data }) => receive(data);
  return {
    follow: (who, address) => {
      wanted = [who, address];
      if (instead) instead.follow(who, address);
      else worker.port.postMessage({ kind: 'follow', who, address });
    },
    leave: () => {
      wanted = undefined;
      if (instead) instead.leave();
      else worker.port.postMessage({ kind: 'leave' });
    },
    here: () => worker.port.postMessage({ kind: 'here' }),
  };
}

/**
 * @param {(message: Message) => void} receive
 * @returns {Line}
 */
function elected(receive) {
  const bus = new BroadcastChannel('quatuor');
  const me = String(Math.random());
  /** @type {Switchboard | undefined} */
  let board;
  /** @param {{kind: string, who?: string, address?: string}} message */
  const send = (message) => {
    if (board) serve({ ...message, tab: me });
    else bus.postMessage({ ...message, tab: me });
  };
  /** @param {{kind: string, tab: string, who?: string, address?: string}} message */
  const serve = ({ kind, tab, who = '', address = '' }) => {
    if (kind === 'follow') board?.follow(tab, who, address);
    else if (kind === 'here') board?.here(tab);
    else if (kind === 'leave') board?.leave(tab);
  };
  bus.onmessage = ({ data }) => {
    if (data.kind === 'leader') receive({ kind: 'lost' }); // the page that held the stream is gone
    else if (data.to === me) receive(data.message);
    else if (board && data.tab) serve(data);
  };
  void navigator.locks.request('quatuor', () => new Promise(() => { // held for as long as the page is open
    board = new Switchboard((tab, message) => {
      if (tab === me) receive(message);
      else bus.postMessage({ to: tab, message });
    });
    bus.postMessage({ kind: 'leader' });
    receive({ kind: 'lost' });
  }));
  return {
    follow: (who, address) => send({ kind: 'follow', who, address }),
    leave: () => send({ kind: 'leave' }),
    here: () => send({ kind: 'here' }),
  };
}

/**
 * @param {(message: Message) => void} receive
 * @returns {Line}
 */
function alone(receive) {
  const board = new Switchboard((_, message) => receive(message));
  return {
    follow: (who, address) => board.follow('', who, address),
    leave: () => board.leave(''),
    here: () => board.here(''),
  };
}
