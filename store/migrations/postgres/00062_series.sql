-- +goose Up
-- Series of tournaments, a grand prix: their settings only. The standings are computed from the tournaments' results.

CREATE TABLE series (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    name       text   NOT NULL,
    organiser  text COLLATE "C" NOT NULL, -- account id
    parts      text   NOT NULL, -- tournaments and factors
    rules      text   NOT NULL, -- points by place, how many results count
    created_at bigint NOT NULL,
    version    bigint NOT NULL
);
CREATE INDEX series_newest ON series (created_at, id);
