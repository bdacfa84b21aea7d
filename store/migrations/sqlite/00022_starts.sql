-- +goose Up
-- The clocks of a round's games may start after its publication: at a time, or before that as soon as all players of a
-- game are at the board.

ALTER TABLE rounds ADD COLUMN starts_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN together INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN starts_at INTEGER NOT NULL DEFAULT 0;
