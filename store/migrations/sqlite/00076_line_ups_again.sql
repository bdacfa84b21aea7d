-- +goose Up
-- A match whose line-ups an arbiter opened again has a deadline of its own; 0 is that of its round.

ALTER TABLE pairings ADD COLUMN line_ups_due INTEGER NOT NULL DEFAULT 0;
