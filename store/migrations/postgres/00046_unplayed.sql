-- +goose Up
-- The casual games of an account that have not begun, or never did, by the time at which they were created: what an invitation
-- counts, and nothing else. A game that starts at once is never in it, one that starts later leaves it.
CREATE INDEX games_unplayed ON games (created_by, created_at) WHERE started_at = 0 AND tournament_id IS NULL;
