-- +goose Up
-- Tournaments of teams over several boards: their regulations, captains, the boards of matches, when line-ups are due,
-- and every version of the line-ups that were filed. Line-ups are sealed until their match is revealed.

ALTER TABLE tournaments ADD COLUMN teams TEXT;
ALTER TABLE entries ADD COLUMN captain TEXT NOT NULL DEFAULT ''; -- player id
ALTER TABLE entries ADD COLUMN deputies TEXT;
ALTER TABLE rounds ADD COLUMN line_ups_due INTEGER NOT NULL DEFAULT 0;
CREATE INDEX rounds_line_ups_due ON rounds (line_ups_due) WHERE line_ups_due > 0 AND status = 'published';
ALTER TABLE pairings ADD COLUMN boards TEXT;

CREATE TABLE line_ups (
    tournament_id TEXT    NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    round         INTEGER NOT NULL,
    entry_id      TEXT    NOT NULL,
    opponent_id   TEXT    NOT NULL,
    n             INTEGER NOT NULL,
    players       TEXT    NOT NULL,
    final         INTEGER NOT NULL,
    by_account    TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    PRIMARY KEY (tournament_id, round, entry_id, opponent_id, n)
) STRICT, WITHOUT ROWID;
