-- +goose Up
-- Webhooks: where news of tournaments is sent. What has happened is stored with it (hook_events), and becomes deliveries
-- to the webhooks that want it, beside the requests.

CREATE TABLE hooks (
    id            TEXT    NOT NULL PRIMARY KEY,
    account_id    TEXT    NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    tournament_id TEXT REFERENCES tournaments (id) ON DELETE CASCADE, -- NULL for all that the account runs
    name          TEXT    NOT NULL,
    url           TEXT    NOT NULL,
    kinds         TEXT    NOT NULL,
    format        TEXT    NOT NULL,
    secret        BLOB    NOT NULL,
    old_secret    BLOB    NOT NULL, -- signs too, until old_until
    old_until     INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    disabled_at   INTEGER NOT NULL,
    disabled_why  TEXT    NOT NULL,
    failing_since INTEGER NOT NULL, -- of the first failure since the last success; 0 for none
    failures      INTEGER NOT NULL, -- since the last success
    next_at       INTEGER NOT NULL  -- of the next attempt
) STRICT, WITHOUT ROWID;
CREATE INDEX hooks_by_account ON hooks (account_id);
CREATE INDEX hooks_by_tournament ON hooks (tournament_id) WHERE disabled_at = 0;

CREATE TABLE hook_events (
    seq           INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    data          TEXT    NOT NULL,
    at            INTEGER NOT NULL
) STRICT;

CREATE TABLE hook_deliveries (
    id       TEXT    NOT NULL PRIMARY KEY,
    hook_id  TEXT    NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    event    INTEGER NOT NULL, -- the order; a test has a number below 0
    kind     TEXT    NOT NULL,
    tournament_id TEXT, -- NULL for a test
    data     TEXT    NOT NULL,
    at       INTEGER NOT NULL, -- when it happened
    state    TEXT    NOT NULL,
    since    INTEGER NOT NULL, -- from when on it is tried
    attempts INTEGER NOT NULL,
    tried_at INTEGER NOT NULL, -- 0 before the first attempt
    status   INTEGER NOT NULL, -- of the last answer; 0 for none
    error    TEXT    NOT NULL,
    took_ms  INTEGER NOT NULL,
    UNIQUE (hook_id, event)
) STRICT, WITHOUT ROWID;
CREATE INDEX hook_deliveries_waiting ON hook_deliveries (hook_id, event) WHERE state = 'waiting';
