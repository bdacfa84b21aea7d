-- +goose Up
-- Which instances live, and where the others reach them: epoch is when one began, by the database's clock; 0 for one that
-- has ended, or is older than this column.
ALTER TABLE heartbeats ADD COLUMN address text NOT NULL DEFAULT '';
ALTER TABLE heartbeats ADD COLUMN epoch bigint NOT NULL DEFAULT 0;
