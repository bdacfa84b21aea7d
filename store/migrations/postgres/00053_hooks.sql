-- +goose Up
-- Webhooks: where news of tournaments is sent. What has happened is stored with it (hook_events), and becomes deliveries
-- to the webhooks that want it, beside the requests.

CREATE TABLE hooks (
    id            text COLLATE "C"    NOT NULL PRIMARY KEY,
    account_id    text COLLATE "C"    NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    tournament_id text COLLATE "C" REFERENCES tournaments (id) ON DELETE CASCADE, -- NULL for all that the account runs
    name          text    NOT NULL,
    url           text    NOT NULL,
    kinds         text    NOT NULL,
    format        text    NOT NULL,
    secret        bytea    NOT NULL,
    old_secret    bytea    NOT NULL, -- signs too, until old_until
    old_until     bigint NOT NULL,
    created_at    bigint NOT NULL,
    disabled_at   bigint NOT NULL,
    disabled_why  text    NOT NULL,
    failing_since bigint NOT NULL, -- of the first failure since the last success; 0 for none
    failures      bigint NOT NULL, -- since the last success
    next_at       bigint NOT NULL  -- of the next attempt
);
CREATE INDEX hooks_by_account ON hooks (account_id);
CREATE INDEX hooks_by_tournament ON hooks (tournament_id) WHERE disabled_at = 0;

CREATE TABLE hook_events (
    seq           bigserial PRIMARY KEY,
    tournament_id text COLLATE "C"    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    data          text    NOT NULL,
    at            bigint NOT NULL
);

CREATE TABLE hook_deliveries (
    id       text COLLATE "C"    NOT NULL PRIMARY KEY,
    hook_id  text COLLATE "C"    NOT NULL REFERENCES hooks (id) ON DELETE CASCADE,
    event    bigint NOT NULL, -- the order; a test has a number below 0
    kind     text    NOT NULL,
    tournament_id text COLLATE "C", -- NULL for a test
    data     text    NOT NULL,
    at       bigint NOT NULL, -- when it happened
    state    text    NOT NULL,
    since    bigint NOT NULL, -- from when on it is tried
    attempts bigint NOT NULL,
    tried_at bigint NOT NULL, -- 0 before the first attempt
    status   bigint NOT NULL, -- of the last answer; 0 for none
    error    text    NOT NULL,
    took_ms  bigint NOT NULL,
    UNIQUE (hook_id, event)
);
CREATE INDEX hook_deliveries_waiting ON hook_deliveries (hook_id, event) WHERE state = 'waiting';
