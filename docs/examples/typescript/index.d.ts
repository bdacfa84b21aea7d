import type { AccountStreamEvent, GameStreamEvent, Problem, TournamentStreamEvent } from './schema.js';

export type * from './schema.js';

/** A refusal by the server (RFC 9457). */
export class Refusal extends Error {
  status: number;
  problem: Problem;
}

/** An event of the stream with this address. */
export type EventOf<Path extends string> = Path extends '/me/events'
  ? AccountStreamEvent
  : Path extends `/games/${string}`
    ? GameStreamEvent
    : TournamentStreamEvent;

/** A client of one server for one account. Addresses are below /api/v1. */
export class Client {
  constructor(base: string, token?: string);
  base: string;
  token: string;
  /** How many requests have been made. */
  requests: number;
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body?: object): Promise<T>;
  put<T>(path: string, body?: object): Promise<T>;
  patch<T>(path: string, body?: object): Promise<T>;
  /** Follows a stream to its end, and resumes it after each break. */
  events<Path extends string>(path: Path, signal?: AbortSignal): AsyncGenerator<EventOf<Path>, void, void>;
  /** Plays for a bot: `choose` is called once for each turn, and its move is sent. */
  play(choose: (game: import('./schema.js').Game, seat: number, legal: string[]) => string, signal?: AbortSignal): Promise<void>;
}
