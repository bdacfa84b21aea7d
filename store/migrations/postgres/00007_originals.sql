-- +goose Up
-- The files from which tournaments were taken over, as they came: what they say beyond a tournament is written back.

CREATE TABLE tournament_originals (
    tournament_id TEXT NOT NULL PRIMARY KEY REFERENCES tournaments (id) ON DELETE CASCADE,
    report        BYTEA NOT NULL,
    entries       TEXT NOT NULL -- ids, in the order of the numbers in the file
);
