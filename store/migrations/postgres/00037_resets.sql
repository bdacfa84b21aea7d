-- +goose Up
-- Whether organisers may have passwords of plain players set anew, and who last had an account's password set anew, until
-- its owner has seen that.

ALTER TABLE club_settings ADD COLUMN organisers_reset boolean NOT NULL DEFAULT false;

ALTER TABLE accounts ADD COLUMN reset_by text NOT NULL DEFAULT ''; -- login
ALTER TABLE accounts ADD COLUMN reset_at bigint NOT NULL DEFAULT 0;
