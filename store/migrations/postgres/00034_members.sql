-- +goose Up
-- Which instances live, and where the others reach them: epoch is when one began, by the database's clock; 0 for one that
-- has ended, or is older than this column.
ALTER TABLE heartbeats ADD COLUMN address text NOT NULL DEFAULT '';
ALTER TABLE heartbeats ADD COLUMN epoch bigint NOT NULL DEFAULT 0;

-- When to look whether a game's flag should have fallen: never after its deadline. It is not moved with each move, but
-- when it has passed; 0 is at once. Rows of games that are over go when their time has passed.
CREATE TABLE deadlines (
    game_id text COLLATE "C" NOT NULL PRIMARY KEY,
    due_at  bigint NOT NULL
);
CREATE INDEX deadlines_due_at ON deadlines (due_at);

INSERT INTO deadlines (game_id, due_at) SELECT game_id, 0 FROM live_games WHERE deadline > 0;
