-- +goose Up
-- Of games that are not over, what their steps change, and the version that guards each step. The columns of the same
-- names in games are filled when a game ends, and until then out of date, but for the status. A move replaces one
-- narrow row here, within its page, and adds one to lines; no index but the key's holds what it changes.

CREATE TABLE live_games (
    game_id  text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES games (id),
    status   text NOT NULL,
    version  bigint NOT NULL,
    turn     bigint NOT NULL,
    plies    bigint NOT NULL,
    awaited  text NOT NULL,
    offer    bigint NOT NULL,
    clock    text NOT NULL,
    deadline bigint NOT NULL,
    position text NOT NULL
) WITH (fillfactor = 50);

INSERT INTO live_games (game_id, status, version, turn, plies, awaited, offer, clock, deadline, position)
SELECT id, status, version, turn, plies, awaited, offer, clock, deadline, position
FROM games
WHERE status NOT IN ('finished', 'aborted');
