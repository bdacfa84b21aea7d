-- +goose Up
-- The date of a match of teams in a round with days for its matches, as JSON; NULL for none.

ALTER TABLE pairings ADD COLUMN date text;
