-- +goose Up
-- When an instance was alive without a break, by the database's clock: from run_at to seen_at; ended_at is the end of the
-- run before.
ALTER TABLE heartbeats ADD COLUMN seen_at bigint NOT NULL DEFAULT 0;
ALTER TABLE heartbeats ADD COLUMN run_at bigint NOT NULL DEFAULT 0;
ALTER TABLE heartbeats ADD COLUMN ended_at bigint NOT NULL DEFAULT 0;
