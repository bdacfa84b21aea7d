-- +goose Up
-- How many entries there may be by players' own registration; 0 for no limit.

ALTER TABLE tournaments ADD COLUMN max_entries INTEGER NOT NULL DEFAULT 0;
