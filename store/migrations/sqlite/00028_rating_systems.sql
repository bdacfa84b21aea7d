-- +goose Up
-- Each rating list may be rated by a system of its own. Rows have what these need: deviations, volatilities, and the
-- period that is open. The cursor says which regulation the rows follow. Changes can be taken back where a player was
-- marked, and players may be given a deviation with their first rating.

ALTER TABLE cursors ADD COLUMN regulation TEXT NOT NULL DEFAULT '';
ALTER TABLE rating_rows ADD COLUMN deviation_before REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN deviation REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN volatility REAL NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN unrated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN refunded INTEGER NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN period TEXT NOT NULL DEFAULT '{}';
ALTER TABLE current_ratings ADD COLUMN deviation REAL NOT NULL DEFAULT 0;
ALTER TABLE current_ratings ADD COLUMN volatility REAL NOT NULL DEFAULT 0;
ALTER TABLE current_ratings ADD COLUMN unrated INTEGER NOT NULL DEFAULT 0;
ALTER TABLE current_ratings ADD COLUMN period TEXT NOT NULL DEFAULT '{}';
ALTER TABLE players ADD COLUMN deviation TEXT NOT NULL DEFAULT '{}'; -- of the ratings to start with, by list

-- By whom no points can be won for a time: the games of a tournament (not '') or of a span count only against the player.
CREATE TABLE rating_marks (
    id            TEXT    NOT NULL PRIMARY KEY,
    player_id     TEXT    NOT NULL REFERENCES players (id),
    tournament_id TEXT    NOT NULL,
    from_at       INTEGER NOT NULL,
    until_at      INTEGER NOT NULL,
    reason        TEXT    NOT NULL,
    made_by       TEXT    NOT NULL,
    made_at       INTEGER NOT NULL,
    lifted_by     TEXT    NOT NULL DEFAULT '',
    lifted_at     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX rating_marks_of_player ON rating_marks (player_id, made_at);
CREATE INDEX rating_marks_standing ON rating_marks (player_id) WHERE lifted_at = 0;
