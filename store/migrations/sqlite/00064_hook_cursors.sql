-- +goose Up
-- News stays in one log, and each webhook remembers how far it has come: a delivery is stored when it is tried, and not
-- before, so that webhooks that nobody answers cost nothing when something happens.

ALTER TABLE hook_events ADD COLUMN place INTEGER NOT NULL DEFAULT 0; -- in the log; 0 until it has one
CREATE UNIQUE INDEX hook_events_by_place ON hook_events (place) WHERE place > 0;
CREATE INDEX hook_events_without_place ON hook_events (seq) WHERE place = 0;

ALTER TABLE hooks ADD COLUMN place INTEGER NOT NULL DEFAULT 0; -- of the last news that was looked at
UPDATE hooks SET next_at = 1 WHERE next_at = 0
    AND EXISTS (SELECT 1 FROM hook_deliveries d WHERE d.hook_id = hooks.id AND d.state = 'waiting');
CREATE INDEX hooks_due ON hooks (next_at) WHERE disabled_at = 0 AND next_at > 0;
DROP INDEX hooks_by_tournament;
CREATE INDEX hooks_by_tournament ON hooks (tournament_id);
CREATE INDEX hooks_idle ON hooks (tournament_id) WHERE disabled_at = 0 AND next_at = 0;

-- Deliveries from before keep their order, below those to come.
UPDATE hook_deliveries SET event = event - 1000000000000000 WHERE event > 0;
