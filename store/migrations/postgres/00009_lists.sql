-- +goose Up
-- Lists of tournaments by one of their properties, the newest first, without going through all tournaments.

CREATE INDEX tournaments_by_variant ON tournaments (variant, created_at, id);
CREATE INDEX tournaments_by_organiser ON tournaments (organiser, created_at, id);
CREATE INDEX tournaments_by_status_and_variant ON tournaments (status, variant, created_at, id);
