-- +goose Up
-- Which instances live, and where the others reach them; neither is used in a file.
ALTER TABLE heartbeats ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE heartbeats ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
