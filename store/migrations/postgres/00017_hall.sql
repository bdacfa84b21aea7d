-- +goose Up
-- Games on boards in the hall: where a tournament's and a board's games are played, under which id a game in the hall is
-- rated, and the record of its moves.

ALTER TABLE tournaments ADD COLUMN venue text NOT NULL DEFAULT 'server';
ALTER TABLE pairings ADD COLUMN venue text NOT NULL DEFAULT '';
ALTER TABLE pairings ADD COLUMN hall_game text NOT NULL DEFAULT '';
ALTER TABLE pairings ADD COLUMN record text NOT NULL DEFAULT ''; -- the digest of one of hall_records

CREATE TABLE hall_records (
    tournament_id text COLLATE "C" NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    digest text COLLATE "C" NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (tournament_id, digest)
);

ALTER TABLE games ADD COLUMN hall boolean NOT NULL DEFAULT false;

-- A game in the hall may have several rows in the outbox: the later ones take the place of the first, as results are
-- corrected.

ALTER TABLE outbox ADD COLUMN corrects bigint NOT NULL DEFAULT 0; -- seq of the game's first row, 0 in that row itself
ALTER TABLE outbox ADD COLUMN revision bigint NOT NULL DEFAULT 0;
ALTER TABLE outbox DROP CONSTRAINT outbox_game_id_key;
CREATE UNIQUE INDEX outbox_by_game ON outbox (game_id, revision);
CREATE INDEX outbox_corrections ON outbox (corrects, seq) WHERE corrects > 0;
