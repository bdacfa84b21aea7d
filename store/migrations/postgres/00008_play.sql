-- +goose Up
-- What the regulations say about play on the server's boards, and what of it a game was opened with.

ALTER TABLE tournaments ADD COLUMN play text NOT NULL DEFAULT '{}';
ALTER TABLE games ADD COLUMN delay_moves bigint NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN delay_ms bigint NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN takebacks boolean NOT NULL DEFAULT false;
