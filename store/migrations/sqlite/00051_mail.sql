-- +goose Up
-- E-mail: one address of an account, the queue of e-mails to send, and what an account was notified of last. The queue
-- holds no addresses, but for what somebody typed who has forgotten a password, until that is looked up.

CREATE TABLE mail_addresses (
    account_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    address    TEXT NOT NULL, -- confirmed; empty before
    pending    TEXT NOT NULL, -- typed, and not confirmed yet
    off        TEXT NOT NULL  -- kinds that the owner does not want
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_addresses_by_address ON mail_addresses (lower(address)) WHERE address <> '';

CREATE TABLE mail_queue (
    id         TEXT    NOT NULL PRIMARY KEY, -- the Message-ID follows from it
    kind       TEXT    NOT NULL,
    account_id TEXT REFERENCES accounts (id) ON DELETE CASCADE,
    data       TEXT    NOT NULL, -- what it is about
    created_at INTEGER NOT NULL,
    next_at    INTEGER NOT NULL, -- of the next attempt; while one is made, of the next should it not end
    attempts   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_queue_next ON mail_queue (next_at);

CREATE TABLE mail_marks (
    account_id TEXT    NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    subject    TEXT    NOT NULL, -- "round" or "turn" with the tournament or game, or "reset"
    number     INTEGER NOT NULL, -- of the last round or turn
    at         INTEGER NOT NULL,
    PRIMARY KEY (account_id, subject)
) STRICT, WITHOUT ROWID;

-- One row: the key that signs links in e-mails, and the last failure to send one.
CREATE TABLE mail_state (
    id       INTEGER NOT NULL PRIMARY KEY,
    secret   BLOB    NOT NULL,
    error    TEXT    NOT NULL,
    error_at INTEGER NOT NULL
) STRICT;
