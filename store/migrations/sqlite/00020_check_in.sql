-- +goose Up
-- The check-in of tournaments: '' for none, open or closed, and which entries are there.

ALTER TABLE tournaments ADD COLUMN check_in TEXT NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN present INTEGER NOT NULL DEFAULT 0;
