-- +goose Up
-- Seasons of a club: their settings only. Tables are computed from the parts.

CREATE TABLE seasons (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    name       text   NOT NULL,
    organiser  text COLLATE "C" NOT NULL, -- account id
    first_day  text COLLATE "C" NOT NULL, -- such as 2026-09-01
    last_day   text COLLATE "C" NOT NULL,
    parts      text   NOT NULL, -- what counts, with weights
    rules      text   NOT NULL, -- points by place, how many results count
    created_at bigint NOT NULL,
    version    bigint NOT NULL
);
CREATE INDEX seasons_newest ON seasons (first_day, id);
