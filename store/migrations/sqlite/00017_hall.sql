-- +goose Up
-- Games on boards in the hall: where a tournament's and a board's games are played, under which id a game in the hall is
-- rated, and the record of its moves.

ALTER TABLE tournaments ADD COLUMN venue TEXT NOT NULL DEFAULT 'server';
ALTER TABLE pairings ADD COLUMN venue TEXT NOT NULL DEFAULT '';
ALTER TABLE pairings ADD COLUMN hall_game TEXT NOT NULL DEFAULT '';
ALTER TABLE pairings ADD COLUMN record TEXT NOT NULL DEFAULT ''; -- the digest of one of hall_records

CREATE TABLE hall_records (
    tournament_id TEXT NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (tournament_id, digest)
) STRICT, WITHOUT ROWID;

ALTER TABLE games ADD COLUMN hall INTEGER NOT NULL DEFAULT 0;

-- A game in the hall may have several rows in the outbox: the later ones take the place of the first, as results are
-- corrected.

CREATE TABLE outbox_new (
    seq           INTEGER PRIMARY KEY,
    game_id       TEXT    NOT NULL REFERENCES games (id),
    variant       TEXT    NOT NULL,
    list          TEXT    NOT NULL,
    rated         INTEGER NOT NULL,
    players       TEXT    NOT NULL,
    sides         TEXT    NOT NULL,
    ranks         TEXT, -- NULL for a void or aborted game
    reason        TEXT    NOT NULL,
    plies         INTEGER NOT NULL,
    aborted       INTEGER NOT NULL,
    tournament_id TEXT,
    round         INTEGER NOT NULL,
    board         INTEGER NOT NULL,
    finished_at   INTEGER NOT NULL,
    moved         INTEGER,
    corrects      INTEGER NOT NULL DEFAULT 0, -- seq of the game's first row, 0 in that row itself
    revision      INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO outbox_new (seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, aborted, tournament_id, round, board,
    finished_at, moved)
SELECT seq, game_id, variant, list, rated, players, sides, ranks, reason, plies, aborted, tournament_id, round, board, finished_at, moved
FROM outbox
ORDER BY seq;
DROP TABLE outbox;
ALTER TABLE outbox_new RENAME TO outbox;
CREATE INDEX outbox_of_tournaments ON outbox (seq) WHERE tournament_id IS NOT NULL;
CREATE UNIQUE INDEX outbox_by_game ON outbox (game_id, revision);
CREATE INDEX outbox_corrections ON outbox (corrects, seq) WHERE corrects > 0;
