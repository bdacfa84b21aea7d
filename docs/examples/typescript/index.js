// A client of the API of a quatuor server, for Node.js and browsers, without dependencies.

export class Refusal extends Error {
  constructor(problem) {
    super(`${problem.status} ${problem.type}: ${problem.detail ?? ''}`);
    this.status = problem.status;
    this.problem = problem;
  }
}

const firstPause = 1000; // ms after a break, doubled with each that fails
const maxPause = 30_000;

export class Client {
  constructor(base, token = '') {
    this.base = base.replace(/\/+$/, '');
    this.token = token;
    this.requests = 0;
  }

  get(path) { return this.#call('GET', path); }
  post(path, body) { return this.#call('POST', path, body, { 'Idempotency-Key': crypto.randomUUID() }); }
  put(path, body) { return this.#call('PUT', path, body, { 'If-Match': '*' }); }
  patch(path, body) { return this.#call('PATCH', path, body, { 'If-Match': '*' }); }

  async #call(method, path, body, headers = {}) {
    const answer = await this.#send(method, path, body, headers);
    const text = await answer.text();
    return text === '' ? undefined : JSON.parse(text);
  }

  async #send(method, path, body, headers, signal) {
    this.requests++;
    if (this.token !== '') headers.Authorization = `Bearer ${this.token}`;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await fetch(`${this.base}/api/v1${path}`, { method, headers, body: sent, signal });
    if (answer.ok) return answer;
    throw new Refusal(await answer.json().catch(() => ({ status: answer.status, type: 'about:blank' })));
  }

  async *events(path, signal) {
    let last = '';
    for (let pause = firstPause; !signal?.aborted; pause = Math.min(2 * pause, maxPause)) {
      try {
        const headers = { Accept: 'application/x-ndjson' };
        if (last !== '') headers['Last-Event-ID'] = last;
        const answer = await this.#send('GET', path, undefined, headers, signal);
        if (answer.status === 204) return;
        for await (const line of lines(answer.body)) {
          const event = JSON.parse(line);
          if (event.event === 'ping') continue;
          last = event.id ?? last;
          pause = firstPause / 2;
          yield event;
        }
      } catch (err) {
        if (signal?.aborted) return;
        if (err instanceof Refusal && err.status < 500 && err.status !== 429) throw err;
      }
      await new Promise((resume) => setTimeout(resume, pause));
    }
  }

  async play(choose, signal) {
    for await (const { event, data } of this.events('/me/events', signal)) {
      if (event === 'invited') await this.post(`/games/${data.id}/accept`).catch(ignoreRefusal);
      if (event !== 'my_turn') continue;
      for (const [seat, legal] of Object.entries(data.legal)) {
        const move = choose(data, Number(seat), legal);
        await this.post(`/games/${data.id}/moves`, { seat: Number(seat), turn: data.turn, move }).catch(ignoreRefusal);
      }
    }
  }
}

// ignoreRefusal drops a refusal: the game has changed since the event, and the next one says how.
function ignoreRefusal(err) {
  if (!(err instanceof Refusal)) throw err;
}

// lines splits a body into its lines.
async function* lines(body) {
  let rest = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop();
    yield* parts;
  }
}
