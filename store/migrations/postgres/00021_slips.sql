-- +goose Up
-- Results reported by phone: the secrets that codes on slips are derived from, one for each board; hashes of the codes,
-- to find the board; what each seat reported last; and calls for the arbiter.

CREATE TABLE slip_secrets (
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round bigint NOT NULL,
    board bigint NOT NULL,
    secret text NOT NULL, -- in hexadecimal; empty if it was revoked
    PRIMARY KEY (tournament_id, round, board)
);

CREATE TABLE slip_codes (
    hash text NOT NULL PRIMARY KEY,
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round bigint NOT NULL,
    board bigint NOT NULL,
    seat bigint NOT NULL -- 0 for a board card
);
CREATE INDEX slip_codes_by_board ON slip_codes (tournament_id, round, board);

CREATE TABLE slip_reports (
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round bigint NOT NULL,
    board bigint NOT NULL,
    seat bigint NOT NULL,
    basis text NOT NULL,
    reports bigint NOT NULL, -- how many there were; guards the next
    verdict text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (tournament_id, round, board, seat)
);

CREATE TABLE arbiter_calls (
    id text NOT NULL PRIMARY KEY,
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round bigint NOT NULL,
    board bigint NOT NULL,
    seat bigint NOT NULL, -- 0 for the board
    kind text NOT NULL,
    word text NOT NULL,
    basis text NOT NULL,
    at bigint NOT NULL,
    status text NOT NULL,
    by_account text NOT NULL,
    seen_at bigint NOT NULL
);
CREATE INDEX arbiter_calls_by_tournament ON arbiter_calls (tournament_id, at);
CREATE UNIQUE INDEX arbiter_calls_unsettled ON arbiter_calls (tournament_id, round, board, seat, kind, basis) WHERE status <> 'settled';
