-- +goose Up
-- Ladders: their settings, and what was done on each. Places are computed from that. Rows of ladder_acts are only added;
-- merging two records of a player changes the ids in them.

CREATE TABLE ladders (
    id           TEXT NOT NULL PRIMARY KEY,
    name         TEXT NOT NULL,
    organiser    TEXT NOT NULL, -- account id
    variant      TEXT NOT NULL,
    time_control TEXT NOT NULL,
    hall         INTEGER NOT NULL,
    rated        INTEGER NOT NULL,
    rules        TEXT NOT NULL,
    created_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX ladders_newest ON ladders (created_at, id);

CREATE TABLE ladder_acts (
    ladder_id TEXT NOT NULL REFERENCES ladders (id),
    n         INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    kind      TEXT NOT NULL,
    challenge TEXT NOT NULL,
    player    TEXT NOT NULL,
    other     TEXT NOT NULL,
    score     REAL NOT NULL,
    game      TEXT NOT NULL,
    until     INTEGER NOT NULL,
    by        TEXT NOT NULL, -- account id
    PRIMARY KEY (ladder_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX ladder_acts_by_player ON ladder_acts (player, ladder_id);
CREATE INDEX ladder_acts_by_other ON ladder_acts (other, ladder_id);
