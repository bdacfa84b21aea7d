-- +goose Up
-- From where an account's owner has logged in before: addresses and browsers, as SHA-256. Others' wrong guesses do not slow
-- these down.

CREATE TABLE familiar (
    account_id text COLLATE "C" NOT NULL REFERENCES accounts (id),
    hash       text COLLATE "C" NOT NULL,
    seen_at    bigint NOT NULL, -- when it was last noted
    PRIMARY KEY (account_id, hash)
);

-- Closing an account ends its credentials for good, those of accounts that were closed before too.
UPDATE credentials
SET revoked_at = (SELECT disabled_at FROM accounts WHERE accounts.id = credentials.account_id)
WHERE revoked_at = 0 AND account_id IN (SELECT id FROM accounts WHERE disabled_at <> 0);
