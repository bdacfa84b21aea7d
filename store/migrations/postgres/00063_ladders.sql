-- +goose Up
-- Ladders: their settings, and what was done on each. Places are computed from that. Rows of ladder_acts are only added;
-- merging two records of a player changes the ids in them.

CREATE TABLE ladders (
    id           text COLLATE "C" NOT NULL PRIMARY KEY,
    name         text NOT NULL,
    organiser    text COLLATE "C" NOT NULL, -- account id
    variant      text NOT NULL,
    time_control text NOT NULL,
    hall         boolean NOT NULL,
    rated        boolean NOT NULL,
    rules        text NOT NULL,
    created_at   bigint NOT NULL
);
CREATE INDEX ladders_newest ON ladders (created_at, id);

CREATE TABLE ladder_acts (
    ladder_id text COLLATE "C" NOT NULL REFERENCES ladders (id),
    n         bigint NOT NULL,
    at        bigint NOT NULL,
    kind      text COLLATE "C" NOT NULL,
    challenge text COLLATE "C" NOT NULL,
    player    text COLLATE "C" NOT NULL,
    other     text COLLATE "C" NOT NULL,
    score     double precision NOT NULL,
    game      text COLLATE "C" NOT NULL,
    until     bigint NOT NULL,
    by        text COLLATE "C" NOT NULL, -- account id
    PRIMARY KEY (ladder_id, n)
);
CREATE INDEX ladder_acts_by_player ON ladder_acts (player, ladder_id);
CREATE INDEX ladder_acts_by_other ON ladder_acts (other, ladder_id);
