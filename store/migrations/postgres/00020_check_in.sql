-- +goose Up
-- The check-in of tournaments: '' for none, open or closed, and which entries are there.

ALTER TABLE tournaments ADD COLUMN check_in text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE entries ADD COLUMN present boolean NOT NULL DEFAULT false;
