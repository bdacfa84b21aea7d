-- +goose Up
-- The games of a pairing before the one now played: void ones, and those of a knock-out's match that were drawn.

ALTER TABLE pairings ADD COLUMN earlier TEXT NOT NULL DEFAULT 'null';
