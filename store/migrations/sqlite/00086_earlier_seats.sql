-- +goose Up
-- A Scheveningen that began by the earlier formula keeps it: who meets whom in rounds to come, and with which seats.

ALTER TABLE tournaments ADD COLUMN earlier_seats INTEGER NOT NULL DEFAULT 0;
UPDATE tournaments SET earlier_seats = 1 WHERE format = 'team_scheveningen' AND started_at > 0;
