-- +goose Up
-- What was done with a tournament, and how the last act is taken back; games that go on later.

ALTER TABLE pairings ADD COLUMN adjourned TEXT NOT NULL DEFAULT '';

CREATE TABLE tournament_acts (
    id            INTEGER PRIMARY KEY,
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    version       INTEGER NOT NULL,
    kind          TEXT    NOT NULL,
    by_account    TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    entry_id      TEXT    NOT NULL,
    before_result TEXT    NOT NULL,
    after_result  TEXT    NOT NULL,
    why           TEXT    NOT NULL,
    undo          TEXT    NOT NULL -- empty but for the last act
) STRICT;
CREATE INDEX tournament_acts_by_tournament ON tournament_acts (tournament_id, id);
CREATE INDEX tournament_acts_with_undo ON tournament_acts (tournament_id) WHERE undo <> '';
