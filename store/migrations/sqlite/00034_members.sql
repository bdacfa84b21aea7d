-- +goose Up
-- Which instances live, and where the others reach them; neither is used in a file.
ALTER TABLE heartbeats ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE heartbeats ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;

-- When to look whether a flag should have fallen that another instance waits for; empty in a file, which has no other.
CREATE TABLE deadlines (
    game_id TEXT NOT NULL PRIMARY KEY,
    due_at  INTEGER NOT NULL
) STRICT;
