-- +goose Up
-- What a Swiss tournament needs: rules of pairing, who may not meet, rounds free on request, and what each round was
-- drawn up from.

ALTER TABLE tournaments ADD COLUMN rules text NOT NULL DEFAULT '{}';
ALTER TABLE tournaments ADD COLUMN first_colour bigint NOT NULL DEFAULT 0;
ALTER TABLE tournaments ADD COLUMN last_of_a text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE tournaments ADD COLUMN forbidden text NOT NULL DEFAULT 'null';
ALTER TABLE entries ADD COLUMN byes text NOT NULL DEFAULT 'null';
ALTER TABLE pairings ADD COLUMN scores text NOT NULL DEFAULT 'null'; -- before the round, by seat

CREATE TABLE round_snapshots (
    tournament_id text NOT NULL,
    round bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (tournament_id, round),
    FOREIGN KEY (tournament_id, round) REFERENCES rounds (tournament_id, number) ON DELETE CASCADE
);
