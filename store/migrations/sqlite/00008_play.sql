-- +goose Up
-- What the regulations say about play on the server's boards, and what of it a game was opened with.

ALTER TABLE tournaments ADD COLUMN play TEXT NOT NULL DEFAULT '{}';
ALTER TABLE games ADD COLUMN delay_moves INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN delay_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN takebacks INTEGER NOT NULL DEFAULT 0;
