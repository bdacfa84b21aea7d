-- +goose Up
-- Each rating list may be rated by a system of its own. Rows have what these need: deviations, volatilities, and the
-- period that is open. The cursor says which regulation the rows follow. Changes can be taken back where a player was
-- marked, and players may be given a deviation with their first rating.

ALTER TABLE cursors ADD COLUMN regulation text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE rating_rows ADD COLUMN deviation_before double precision NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN deviation double precision NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN volatility double precision NOT NULL DEFAULT 0;
ALTER TABLE rating_rows ADD COLUMN unrated boolean NOT NULL DEFAULT false;
ALTER TABLE rating_rows ADD COLUMN refunded boolean NOT NULL DEFAULT false;
ALTER TABLE rating_rows ADD COLUMN period text COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE current_ratings ADD COLUMN deviation double precision NOT NULL DEFAULT 0;
ALTER TABLE current_ratings ADD COLUMN volatility double precision NOT NULL DEFAULT 0;
ALTER TABLE current_ratings ADD COLUMN unrated boolean NOT NULL DEFAULT false;
ALTER TABLE current_ratings ADD COLUMN period text COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE players ADD COLUMN deviation text COLLATE "C" NOT NULL DEFAULT '{}'; -- of the ratings to start with, by list

-- By whom no points can be won for a time: the games of a tournament (not '') or of a span count only against the player.
CREATE TABLE rating_marks (
    id            text COLLATE "C"    NOT NULL PRIMARY KEY,
    player_id     text COLLATE "C"    NOT NULL REFERENCES players (id),
    tournament_id text COLLATE "C"    NOT NULL,
    from_at       bigint NOT NULL,
    until_at      bigint NOT NULL,
    reason        text COLLATE "C"    NOT NULL,
    made_by       text COLLATE "C"    NOT NULL,
    made_at       bigint NOT NULL,
    lifted_by     text COLLATE "C"    NOT NULL DEFAULT '',
    lifted_at     bigint NOT NULL DEFAULT 0
);
CREATE INDEX rating_marks_of_player ON rating_marks (player_id, made_at);
CREATE INDEX rating_marks_standing ON rating_marks (player_id) WHERE lifted_at = 0;
