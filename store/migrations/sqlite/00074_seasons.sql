-- +goose Up
-- Seasons of a club: their settings only. Tables are computed from the parts.

CREATE TABLE seasons (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    organiser  TEXT    NOT NULL, -- account id
    first_day  TEXT    NOT NULL, -- such as 2026-09-01
    last_day   TEXT    NOT NULL,
    parts      TEXT    NOT NULL, -- what counts, with weights
    rules      TEXT    NOT NULL, -- points by place, how many results count
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX seasons_newest ON seasons (first_day, id);
