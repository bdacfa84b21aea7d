-- +goose Up
-- Arenas: since when an entry waits for an opponent, 0 while it is away; what an arena was given back for outages, and
-- when last; what it counts of a pairing. The beats are when each running arena was last looked at. Times are ms.

ALTER TABLE entries ADD COLUMN waiting bigint NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN given bigint NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN given_at bigint NOT NULL DEFAULT 0;
ALTER TABLE pairings ADD COLUMN arena text;

CREATE TABLE arena_beats (
    tournament_id text PRIMARY KEY REFERENCES tournaments (id) ON DELETE CASCADE,
    seen_at bigint NOT NULL
);
