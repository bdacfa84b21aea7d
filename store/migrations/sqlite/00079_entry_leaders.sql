-- +goose Up
-- Captains and deputies who are no members of their team, so that their tournaments are found like those of members.

CREATE TABLE entry_leaders (
    tournament_id TEXT NOT NULL,
    entry_id      TEXT NOT NULL,
    player_id     TEXT NOT NULL,
    PRIMARY KEY (tournament_id, entry_id, player_id),
    FOREIGN KEY (tournament_id, entry_id) REFERENCES entries (tournament_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX entry_leaders_by_player ON entry_leaders (player_id, tournament_id);
INSERT INTO entry_leaders
SELECT tournament_id, id, player FROM (
    SELECT tournament_id, id, captain AS player FROM entries
    UNION SELECT e.tournament_id, e.id, j.value FROM entries e, json_each(e.deputies) j WHERE e.deputies IS NOT NULL
) l WHERE player <> '' AND NOT EXISTS (SELECT 1 FROM entry_members m
    WHERE m.tournament_id = l.tournament_id AND m.entry_id = l.id AND m.player_id = l.player);
