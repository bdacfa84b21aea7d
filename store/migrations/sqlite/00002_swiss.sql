-- +goose Up
-- What a Swiss tournament needs: rules of pairing, who may not meet, rounds free on request, and what each round was
-- drawn up from.

ALTER TABLE tournaments ADD COLUMN rules TEXT NOT NULL DEFAULT '{}';
ALTER TABLE tournaments ADD COLUMN first_colour INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN last_of_a TEXT NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN forbidden TEXT NOT NULL DEFAULT 'null';
ALTER TABLE entries ADD COLUMN byes TEXT NOT NULL DEFAULT 'null';
ALTER TABLE pairings ADD COLUMN scores TEXT NOT NULL DEFAULT 'null'; -- before the round, by seat

CREATE TABLE round_snapshots (
    tournament_id TEXT    NOT NULL,
    round         INTEGER NOT NULL,
    text          TEXT    NOT NULL,
    PRIMARY KEY (tournament_id, round),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number) ON DELETE CASCADE
) STRICT;
