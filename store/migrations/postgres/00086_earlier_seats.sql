-- +goose Up
-- A Scheveningen that began by the earlier formula keeps it: who meets whom in rounds to come, and with which seats.

ALTER TABLE tournaments ADD COLUMN earlier_seats boolean NOT NULL DEFAULT false;
UPDATE tournaments SET earlier_seats = true WHERE format = 'team_scheveningen' AND started_at > 0;
