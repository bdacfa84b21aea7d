-- +goose Up
-- Penalties and bonuses of teams: points that an arbiter adds to their totals, or takes off.

ALTER TABLE tournaments ADD COLUMN bonuses TEXT;
