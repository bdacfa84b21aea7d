-- +goose Up
-- Tournaments of teams over several boards: their regulations, captains, the boards of matches, when line-ups are due,
-- and every version of the line-ups that were filed. Line-ups are sealed until their match is revealed.

ALTER TABLE tournaments ADD COLUMN teams text;
ALTER TABLE entries ADD COLUMN captain text NOT NULL DEFAULT ''; -- player id
ALTER TABLE entries ADD COLUMN deputies text;
ALTER TABLE rounds ADD COLUMN line_ups_due bigint NOT NULL DEFAULT 0;
CREATE INDEX rounds_line_ups_due ON rounds (line_ups_due) WHERE line_ups_due > 0 AND status = 'published';
ALTER TABLE pairings ADD COLUMN boards text;

CREATE TABLE line_ups (
    tournament_id text NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round bigint NOT NULL,
    entry_id text NOT NULL,
    opponent_id text NOT NULL,
    n bigint NOT NULL,
    players text NOT NULL,
    final boolean NOT NULL,
    by_account text NOT NULL,
    at bigint NOT NULL,
    PRIMARY KEY (tournament_id, round, entry_id, opponent_id, n)
);
