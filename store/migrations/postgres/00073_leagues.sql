-- +goose Up
-- Leagues with divisions, and their seasons: what is decided about each, with the divisions and the ids of their
-- tournaments once they are confirmed. Rankings are computed from the tournaments' results. Merging two records of a
-- player changes the ids in the states.

CREATE TABLE leagues (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    name       text   NOT NULL,
    organiser  text COLLATE "C" NOT NULL, -- account id
    created_at bigint NOT NULL,
    version    bigint NOT NULL
);
CREATE INDEX leagues_newest ON leagues (created_at, id);

CREATE TABLE league_seasons (
    league_id  text COLLATE "C" NOT NULL REFERENCES leagues (id) ON DELETE CASCADE,
    number     bigint  NOT NULL, -- from 1
    state      text    NOT NULL, -- rules, settings of the divisions, members, who leaves and joins
    confirmed  boolean NOT NULL,
    created_at bigint  NOT NULL,
    version    bigint  NOT NULL,
    PRIMARY KEY (league_id, number)
);
