-- +goose Up
-- Players and accounts that were deleted: their rows stay under a number, without what names a person. The club writes
-- who is responsible for the data. While a person is being deleted, in the transaction that does it, the admin log takes
-- other texts, and nothing else.

ALTER TABLE players ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN gone INTEGER NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX players_gone ON players (gone) WHERE gone > 0;
ALTER TABLE club_settings ADD COLUMN imprint TEXT NOT NULL DEFAULT '';

CREATE TABLE erasures (
    number INTEGER NOT NULL PRIMARY KEY, -- of the person
    open   INTEGER NOT NULL -- 1 within the transaction, then 0 until the file was rewritten without the person
) STRICT;

DROP TRIGGER admin_log_unchanged;
-- +goose StatementBegin
CREATE TRIGGER admin_log_unchanged BEFORE UPDATE ON admin_log
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE open = 1)
    OR (OLD.id, OLD.at, OLD.kind, OLD.via, OLD.by_account, OLD.request, OLD.about_kind, OLD.about_id)
    IS NOT (NEW.id, NEW.at, NEW.kind, NEW.via, NEW.by_account, NEW.request, NEW.about_kind, NEW.about_id)
BEGIN SELECT RAISE(ABORT, 'the log of administration is only added to'); END;
-- +goose StatementEnd
