-- +goose Up
-- Leagues with divisions, and their seasons: what is decided about each, with the divisions and the ids of their
-- tournaments once they are confirmed. Rankings are computed from the tournaments' results. Merging two records of a
-- player changes the ids in the states.

CREATE TABLE leagues (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    organiser  TEXT    NOT NULL, -- account id
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX leagues_newest ON leagues (created_at, id);

CREATE TABLE league_seasons (
    league_id  TEXT    NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL, -- from 1
    state      TEXT    NOT NULL, -- rules, settings of the divisions, members, who leaves and joins
    confirmed  INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    PRIMARY KEY (league_id, number)
) STRICT, WITHOUT ROWID;
