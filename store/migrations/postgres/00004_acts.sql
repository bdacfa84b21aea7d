-- +goose Up
-- What was done with a tournament, and how the last act is taken back; games that go on later.

ALTER TABLE pairings ADD COLUMN adjourned text NOT NULL DEFAULT '';

CREATE TABLE tournament_acts (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    version bigint NOT NULL,
    kind text NOT NULL,
    by_account text NOT NULL,
    at bigint NOT NULL,
    round bigint NOT NULL,
    board bigint NOT NULL,
    entry_id text NOT NULL,
    before_result text NOT NULL,
    after_result text NOT NULL,
    why text NOT NULL,
    undo text NOT NULL -- empty but for the last act
);
CREATE INDEX tournament_acts_by_tournament ON tournament_acts (tournament_id, id);
CREATE INDEX tournament_acts_with_undo ON tournament_acts (tournament_id) WHERE undo <> '';
