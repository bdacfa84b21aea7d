-- +goose Up
-- When an instance was alive without a break, by the clock of the database server; 0 in a file: from run_at to seen_at; ended_at is the end of the
-- run before.
ALTER TABLE heartbeats ADD COLUMN seen_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE heartbeats ADD COLUMN run_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE heartbeats ADD COLUMN ended_at INTEGER NOT NULL DEFAULT 0;
