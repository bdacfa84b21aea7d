-- +goose Up
-- The last evening of a Keizer season to which an entry said that it comes; 0 for none.

ALTER TABLE entries ADD COLUMN tonight INTEGER NOT NULL DEFAULT 0;
