-- +goose Up
-- Games on boards in the hall: where a tournament's and a board's games are played, under which id a game in the hall is
-- rated, and the record of its moves.

ALTER TABLE tournaments ADD COLUMN venue text NOT NULL DEFAULT 'server';
ALTER TABLE pairings ADD COLUMN venue text NOT NULL DEFAULT '';
ALTER TABLE pairings ADD COLUMN hall_game text NOT NULL DEFAULT '';
ALTER TABLE pairings ADD COLUMN record text NOT NULL DEFAULT ''; -- the digest of one of hall_records
