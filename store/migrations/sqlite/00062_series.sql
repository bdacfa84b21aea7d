-- +goose Up
-- Series of tournaments, a grand prix: their settings only. The standings are computed from the tournaments' results.

CREATE TABLE series (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    organiser  TEXT    NOT NULL, -- account id
    parts      TEXT    NOT NULL, -- tournaments and factors
    rules      TEXT    NOT NULL, -- points by place, how many results count
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX series_newest ON series (created_at, id);
