-- +goose Up
-- The clocks of a round's games may start after its publication: at a time, or before that as soon as all players of a
-- game are at the board.

ALTER TABLE rounds ADD COLUMN starts_at bigint NOT NULL DEFAULT 0;
ALTER TABLE rounds ADD COLUMN together boolean NOT NULL DEFAULT false;
ALTER TABLE games ADD COLUMN starts_at bigint NOT NULL DEFAULT 0;
