-- +goose Up
-- Casual games wait until their players have accepted: which seats have not, bit 0 for seat 1. Players may be open to
-- challenges, and have then accepted beforehand. The outbox tells which seats have moved, for ratings; NULL for games that
-- ended before, which are rated by the older rule.

ALTER TABLE players ADD COLUMN open_to_challenges INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN invited INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN moved INTEGER;

-- The open invitations of an account. A game that nobody is invited to is never in it.
CREATE INDEX games_invitations ON games (created_by) WHERE status = 'waiting' AND invited > 0;

-- Rematches that were offered become invitations, to both players: it is not stored who asked.
UPDATE games SET invited = 3, deadline = created_at + 86400000
WHERE status = 'waiting' AND tournament_id IS NULL AND nonces = 0 AND version = 0 AND seats = 2;
