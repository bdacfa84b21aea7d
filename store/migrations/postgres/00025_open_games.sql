-- +goose Up
-- Open games have seats that the first players to come take; with a code, only those who know it. Players may take no
-- challenges, or none from some players.

ALTER TABLE games ADD COLUMN open boolean NOT NULL DEFAULT false;
ALTER TABLE games ADD COLUMN code text NOT NULL DEFAULT '';
ALTER TABLE players ADD COLUMN closed_to_challenges boolean NOT NULL DEFAULT false;

-- Who has blocked whom; both are players.
CREATE TABLE player_blocks (
    player_id text COLLATE "C" NOT NULL REFERENCES players (id),
    blocked   text COLLATE "C" NOT NULL REFERENCES players (id),
    at        bigint NOT NULL,
    PRIMARY KEY (player_id, blocked)
);
CREATE INDEX player_blocks_of ON player_blocks (blocked);
