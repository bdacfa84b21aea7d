-- +goose Up
-- What the club decides about its installation, in one row; the language of each account; invitations that several people
-- may use, and for which role; players that turned out to be another one.

CREATE TABLE club_settings (
    id           bigint NOT NULL PRIMARY KEY CHECK (id = 1),
    name         text   NOT NULL,
    language     text   NOT NULL,
    time_zone    text   NOT NULL,
    registration text   NOT NULL,
    reach        text   NOT NULL,
    version      bigint NOT NULL
);

ALTER TABLE accounts ADD COLUMN language text NOT NULL DEFAULT '';
CREATE INDEX accounts_by_time ON accounts (created_at, id);

ALTER TABLE credentials ADD COLUMN role text NOT NULL DEFAULT ''; -- of the accounts opened with an invitation
ALTER TABLE credentials ADD COLUMN uses bigint NOT NULL DEFAULT 1; -- how often an invitation can still be used
UPDATE credentials SET uses = 0 WHERE kind = 'invitation' AND used_at <> 0;
CREATE INDEX credentials_invitations ON credentials (created_at, id) WHERE kind = 'invitation';

CREATE TABLE player_merges (
    gone_id    text COLLATE "C" NOT NULL PRIMARY KEY,
    gone_name  text   NOT NULL,
    kept_id    text   NOT NULL,
    by_account text   NOT NULL,
    at         bigint NOT NULL,
    games      bigint NOT NULL,
    entries    bigint NOT NULL
);
CREATE INDEX player_merges_newest ON player_merges (at);
