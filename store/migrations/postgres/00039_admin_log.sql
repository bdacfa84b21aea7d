-- +goose Up
-- The audit log of administration. Entries name no rows of other tables: they stay when what they tell of goes.
CREATE TABLE admin_log (
    id         text COLLATE "C" NOT NULL PRIMARY KEY,
    at         bigint NOT NULL,
    kind       text NOT NULL,
    via        text NOT NULL, -- request, command_line or service
    by_account text NOT NULL,
    by_name    text NOT NULL, -- login at that time
    request    text NOT NULL, -- id in the server's log
    about_kind text NOT NULL,
    about_id   text NOT NULL,
    about_name text NOT NULL,
    names      text NOT NULL, -- both, in lower case, to be searched
    was        text NOT NULL, -- JSON
    became     text NOT NULL
);
CREATE INDEX admin_log_at ON admin_log (at, id);

-- +goose StatementBegin
CREATE FUNCTION admin_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the log of administration is only added to';
END $$;
-- +goose StatementEnd

CREATE TRIGGER admin_log_unchanged BEFORE UPDATE OR DELETE OR TRUNCATE ON admin_log
    FOR EACH STATEMENT EXECUTE FUNCTION admin_log_stays();
