-- +goose Up
-- Results reported by phone: the secrets that codes on slips are derived from, one for each board; hashes of the codes,
-- to find the board; what each seat reported last; and calls for the arbiter.

CREATE TABLE slip_secrets (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    secret        TEXT    NOT NULL, -- in hexadecimal; empty if it was revoked
    PRIMARY KEY (tournament_id, round, board)
) STRICT, WITHOUT ROWID;

CREATE TABLE slip_codes (
    hash          TEXT    NOT NULL PRIMARY KEY,
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    seat          INTEGER NOT NULL -- 0 for a board card
) STRICT, WITHOUT ROWID;
CREATE INDEX slip_codes_by_board ON slip_codes (tournament_id, round, board);

CREATE TABLE slip_reports (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    seat          INTEGER NOT NULL,
    basis         TEXT    NOT NULL,
    reports       INTEGER NOT NULL, -- how many there were; guards the next
    verdict       TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, round, board, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE arbiter_calls (
    id            TEXT    NOT NULL PRIMARY KEY,
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    seat          INTEGER NOT NULL, -- 0 for the board
    kind          TEXT    NOT NULL,
    word          TEXT    NOT NULL,
    basis         TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    status        TEXT    NOT NULL,
    by_account    TEXT    NOT NULL,
    seen_at       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX arbiter_calls_by_tournament ON arbiter_calls (tournament_id, at);
CREATE UNIQUE INDEX arbiter_calls_unsettled ON arbiter_calls (tournament_id, round, board, seat, kind, basis) WHERE status <> 'settled';
