// @ts-check
// One stream for all open pages of a browser: it carries what each of them follows. Browsers open six connections to a
// server at most over HTTP/1.1, so that a stream a page would leave a seventh page waiting for ever.

/**
 * The messages to a page: "open" once it is followed, "news" with an event's name and data, "ping" as a sign of life, "lost"
 * when its stream has ended, "there?" to be answered.
 * @typedef {{kind: 'open' | 'ping' | 'lost' | 'there?'} | {kind: 'news', event: string, data: string}} Message
 */

/**
 * What one or more pages follow, from the version that they have.
 * @typedef {{path: string, version: string, tabs: Set<string>}} Channel
 */

const rollCall = 20_000; // ms between roll calls of the pages; a page that has not answered twice is gone
const gathering = 50; // ms in which pages that begin or end together share a new connection

export class Switchboard {
  /** @type {Channel[]} */ #channels = [];
  /** @type {Map<string, number>} roll calls that each page has not answered */ #unanswered = new Map();
  /** @type {EventSource | undefined} */ #source;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #soon;
  #who = '';
  /** @type {(tab: string, message: Message) => void} */ #tell;

  /** @param {(tab: string, message: Message) => void} tell hands a message to a page */
  constructor(tell) {
    this.#tell = tell;
    setInterval(() => this.#call(), rollCall);
  }

  /**
   * Begins to follow an address for a page, in place of what it followed.
   * @param {string} tab
   * @param {string} who the visitor and the language that the page was made for
   * @param {string} address of the page's own stream
   */
  follow(tab, who, address) {
    this.leave(tab);
    if (who !== this.#who) { // other pages were made for another visitor: they follow again
      this.#lose();
      this.#who = who;
    }
    this.#unanswered.set(tab, 0);
    const url = new URL(address, location.origin);
    const version = url.searchParams.get('version') ?? '';
    url.searchParams.delete('version');
    const path = url.pathname + url.search;
    const known = this.#channels.find((c) => c.path === path && c.version === version && version !== '');
    if (known) known.tabs.add(tab);
    else this.#channels.push({ path, version, tabs: new Set([tab]) });
    this.#connectSoon();
  }

  /** @param {string} tab */
  leave(tab) {
    this.#unanswered.delete(tab);
    for (const channel of this.#channels) channel.tabs.delete(tab);
    const left = this.#channels.filter((c) => c.tabs.size > 0);
    if (left.length === this.#channels.length) return;
    this.#channels = left;
    this.#connectSoon();
  }

  /** @param {string} tab has answered a roll call */
  here(tab) {
    if (this.#unanswered.has(tab)) this.#unanswered.set(tab, 0);
  }

  #call() {
    for (const [tab, times] of this.#unanswered) {
      if (times > 2) this.leave(tab);
      else {
        this.#unanswered.set(tab, times + 1);
        this.#tell(tab, { kind: 'there?' });
      }
    }
  }

  #connectSoon() {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#connect(), gathering);
  }

  #connect() {
    this.#source?.close();
    this.#source = undefined;
    const channels = [...this.#channels];
    if (channels.length === 0) return;
    const query = new URLSearchParams();
    channels.forEach((c, i) => {
      const mark = c.path.includes('?') ? '&' : '?';
      query.set(String(i), c.version ? `${c.path}${mark}version=${c.version}` : c.path);
    });
    const source = new EventSource(`/live?${query}`);
    this.#source = source;
    const all = (/** @type {Message} */ message) => channels.forEach((c) => this.#tellAll(c, message));
    source.addEventListener('open', () => all({ kind: 'open' }));
    source.addEventListener('ping', () => all({ kind: 'ping' }));
    source.addEventListener('news', (event) => {
      const end = event.data.indexOf('\n');
      const [number, name, version] = event.data.slice(0, end < 0 ? undefined : end).split(' ');
      const channel = channels[Number(number)];
      if (!channel || source !== this.#source) return;
      if (version) channel.version = version;
      this.#tellAll(channel, { kind: 'news', event: name ?? '', data: end < 0 ? '' : event.data.slice(end + 1) });
    });
    source.addEventListener('end', (event) => {
      const channel = channels[Number(event.data.split(' ')[0])];
      if (!channel || source !== this.#source) return;
      this.#channels = this.#channels.filter((c) => c !== channel);
      this.#tellAll(channel, { kind: 'lost' });
    });
    // A browser tries again by itself only after some failures, and silently. The pages see to that instead.
    source.addEventListener('error', () => {
      if (source === this.#source) this.#lose();
    });
  }

  #lose() {
    this.#source?.close();
    this.#source = undefined;
    const channels = this.#channels;
    this.#channels = [];
    for (const channel of channels) this.#tellAll(channel, { kind: 'lost' });
  }

  /**
   * @param {Channel} channel
   * @param {Message} message
   */
  #tellAll(channel, message) {
    for (const tab of channel.tabs) this.#tell(tab, message);
  }
}
