-- +goose Up
-- Open games have seats that the first players to come take; with a code, only those who know it. Players may take no
-- challenges, or none from some players.

ALTER TABLE games ADD COLUMN open INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN closed_to_challenges INTEGER NOT NULL DEFAULT 0;

-- Who has blocked whom; both are players.
CREATE TABLE player_blocks (
    player_id TEXT    NOT NULL REFERENCES players (id),
    blocked   TEXT    NOT NULL REFERENCES players (id),
    at        INTEGER NOT NULL,
    PRIMARY KEY (player_id, blocked)
) STRICT, WITHOUT ROWID;
CREATE INDEX player_blocks_of ON player_blocks (blocked);
