-- +goose Up
-- E-mail: one address of an account, the queue of e-mails to send, and what an account was notified of last. The queue
-- holds no addresses, but for what somebody typed who has forgotten a password, until that is looked up.

CREATE TABLE mail_addresses (
    account_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    address    text NOT NULL, -- confirmed; empty before
    pending    text NOT NULL, -- typed, and not confirmed yet
    off        text NOT NULL  -- kinds that the owner does not want
);
CREATE INDEX mail_addresses_by_address ON mail_addresses (lower(address)) WHERE address <> '';

CREATE TABLE mail_queue (
    id         text COLLATE "C"   NOT NULL PRIMARY KEY, -- the Message-ID follows from it
    kind       text    NOT NULL,
    account_id text COLLATE "C" REFERENCES accounts (id) ON DELETE CASCADE,
    data       text    NOT NULL, -- what it is about
    created_at bigint NOT NULL,
    next_at    bigint NOT NULL, -- of the next attempt; while one is made, of the next should it not end
    attempts   bigint NOT NULL
);
CREATE INDEX mail_queue_next ON mail_queue (next_at);

CREATE TABLE mail_marks (
    account_id text COLLATE "C" NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    subject    text COLLATE "C" NOT NULL, -- "round" or "turn" with the tournament or game, or "reset"
    number     bigint NOT NULL, -- of the last round or turn
    at         bigint NOT NULL,
    PRIMARY KEY (account_id, subject)
);

-- One row: the key that signs links in e-mails, and the last failure to send one.
CREATE TABLE mail_state (
    id       bigint NOT NULL PRIMARY KEY,
    secret   bytea    NOT NULL,
    error    text    NOT NULL,
    error_at bigint NOT NULL
);
