-- +goose Up
-- Whether organisers may have passwords of plain players set anew, and who last had an account's password set anew, until
-- its owner has seen that.

ALTER TABLE club_settings ADD COLUMN organisers_reset INTEGER NOT NULL DEFAULT 0;

ALTER TABLE accounts ADD COLUMN reset_by TEXT NOT NULL DEFAULT ''; -- login
ALTER TABLE accounts ADD COLUMN reset_at INTEGER NOT NULL DEFAULT 0;
