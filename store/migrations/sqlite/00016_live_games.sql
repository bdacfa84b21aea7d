-- +goose Up
-- Of games that are not over, what their steps change, and the version that guards each step. The columns of the same
-- names in games are filled when a game ends, and until then out of date, but for the status. A move writes one
-- narrow row here and one of lines; no index but the key's holds what it changes.

CREATE TABLE live_games (
    game_id  TEXT    NOT NULL PRIMARY KEY REFERENCES games (id),
    status   TEXT    NOT NULL,
    version  INTEGER NOT NULL,
    turn     INTEGER NOT NULL,
    plies    INTEGER NOT NULL,
    awaited  TEXT    NOT NULL,
    offer    INTEGER NOT NULL,
    clock    TEXT    NOT NULL,
    deadline INTEGER NOT NULL,
    position TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO live_games (game_id, status, version, turn, plies, awaited, offer, clock, deadline, position)
SELECT id, status, version, turn, plies, awaited, offer, clock, deadline, position
FROM games
WHERE status NOT IN ('finished', 'aborted')
ORDER BY id;
