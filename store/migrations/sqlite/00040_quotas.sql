-- +goose Up
-- Casual games by what they count for: players who were seated by a challenge, and accounts that play with bots. Of the places
-- in a quota those stay that may still count, and the last one.
CREATE TABLE quota_uses (
    quota   TEXT NOT NULL,
    n       INTEGER NOT NULL,
    game_id TEXT NOT NULL,
    seat    INTEGER NOT NULL, -- that counts until it has moved; 0 for a game that counts until it is over
    PRIMARY KEY (quota, n)
) STRICT, WITHOUT ROWID;

-- How many games may run at once into which a challenge has seated a player who has not moved in them; 0 is 1.
ALTER TABLE players ADD COLUMN challenges_at_once INTEGER NOT NULL DEFAULT 0;
