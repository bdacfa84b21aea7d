-- +goose Up
-- Players and accounts that were deleted: their rows stay under a number, without what names a person. The club writes
-- who is responsible for the data. While a person is being deleted, in the transaction that does it, the admin log takes
-- other texts, and nothing else.

ALTER TABLE players ADD COLUMN gone bigint NOT NULL DEFAULT 0;
ALTER TABLE accounts ADD COLUMN gone bigint NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX players_gone ON players (gone) WHERE gone > 0;
ALTER TABLE club_settings ADD COLUMN imprint text NOT NULL DEFAULT '';

CREATE TABLE erasures (
    number bigint NOT NULL PRIMARY KEY, -- of the person
    open   bigint NOT NULL -- 1 within the transaction, then 0 until the file was rewritten without the person
);

-- +goose StatementBegin
CREATE FUNCTION admin_log_keeps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM erasures WHERE open = 1)
        OR (OLD.id, OLD.at, OLD.kind, OLD.via, OLD.by_account, OLD.request, OLD.about_kind, OLD.about_id)
        IS DISTINCT FROM (NEW.id, NEW.at, NEW.kind, NEW.via, NEW.by_account, NEW.request, NEW.about_kind, NEW.about_id) THEN
        RAISE EXCEPTION 'the log of administration is only added to';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd

DROP TRIGGER admin_log_unchanged ON admin_log;
CREATE TRIGGER admin_log_unchanged BEFORE DELETE OR TRUNCATE ON admin_log
    FOR EACH STATEMENT EXECUTE FUNCTION admin_log_stays();
CREATE TRIGGER admin_log_unaltered BEFORE UPDATE ON admin_log
    FOR EACH ROW EXECUTE FUNCTION admin_log_keeps();
