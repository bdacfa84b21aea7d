-- +goose Up
-- API tokens that are for one tournament alone.

ALTER TABLE credentials ADD COLUMN tournament_id TEXT REFERENCES tournaments (id) ON DELETE CASCADE;
CREATE INDEX credentials_by_tournament ON credentials (tournament_id) WHERE tournament_id IS NOT NULL;
