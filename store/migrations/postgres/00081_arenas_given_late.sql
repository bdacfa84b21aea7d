-- +goose Up
-- What an arena was given back for outages within its grace, in ms: running games have it, but none begin again.

ALTER TABLE tournaments ADD COLUMN given_late bigint NOT NULL DEFAULT 0;
