-- +goose Up
-- What the club decides about its installation, in one row; the language of each account; invitations that several people
-- may use, and for which role; players that turned out to be another one.

CREATE TABLE club_settings (
    id           INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    name         TEXT    NOT NULL,
    language     TEXT    NOT NULL,
    time_zone    TEXT    NOT NULL,
    registration TEXT    NOT NULL,
    reach        TEXT    NOT NULL,
    version      INTEGER NOT NULL
) STRICT;

ALTER TABLE accounts ADD COLUMN language TEXT NOT NULL DEFAULT '';
CREATE INDEX accounts_by_time ON accounts (created_at, id);

ALTER TABLE credentials ADD COLUMN role TEXT NOT NULL DEFAULT ''; -- of the accounts opened with an invitation
ALTER TABLE credentials ADD COLUMN uses INTEGER NOT NULL DEFAULT 1; -- how often an invitation can still be used
UPDATE credentials SET uses = 0 WHERE kind = 'invitation' AND used_at <> 0;
CREATE INDEX credentials_invitations ON credentials (created_at, id) WHERE kind = 'invitation';

CREATE TABLE player_merges (
    gone_id    TEXT    NOT NULL PRIMARY KEY,
    gone_name  TEXT    NOT NULL,
    kept_id    TEXT    NOT NULL,
    by_account TEXT    NOT NULL,
    at         INTEGER NOT NULL,
    games      INTEGER NOT NULL,
    entries    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX player_merges_newest ON player_merges (at);
